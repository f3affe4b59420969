//! Lesson panel: title and caption of the scenario in parts, the way to other lessons, and a form to edit the words.

use egui::text::{LayoutJob, TextFormat};
use egui::{Align, Label, Layout, RichText, TextEdit, Ui};

use crate::app::action::{Action, EditAction};
use crate::app::commands::{Command, tip};
use crate::app::state::Ctx;
use crate::app::view::folding::Side;
use crate::app::view::forms::Draft;
use draw::kit::terms;
use draw::theme::Theme;
use draw::words::{sentences, tries};
use engine::scenario::{Caption, LESSONS, LessonPath};

use super::strips::fold_button;
use super::{answer, challenge, hand_out, neighbours};

/// Shows the lesson.
pub fn show(ctx: &mut Ctx<'_>, ui: &mut Ui, actions: &mut Vec<Action>) {
    let theme = ctx.theme;
    head(ctx, ui);
    if let Some(mut draft) = ctx.view.forms.draft.take() {
        if edit(ui, &mut draft, actions) {
            ctx.view.forms.draft = Some(draft);
        }
        return;
    }
    let lesson = ctx.model.lesson();
    neighbours::show(ctx, ui, actions);
    if ctx.model.scenario().view.packed && ctx.offers("menu") {
        hand_out::in_panel(ctx, ui, actions);
    }
    let scenario = ctx.model.scenario().clone();
    ui.add(Label::new(RichText::new(&scenario.title).font(theme.strong())).wrap());
    ui.add_space(theme.space(1.0));
    let changed = lesson.filter(|(_, changed)| *changed);
    if let Some((number, _)) = changed {
        told_changed(ui, theme, number, LessonPath::of(ctx.view.window.path, number), actions);
    }
    challenge::show(ctx, ui, actions);
    let tries = tries::possible(&scenario);
    instructions(ui, theme, (&scenario.caption, &tries), ctx.view.hides_target(&scenario));
    controls(ctx, ui, &tries);
    if answers(ctx) {
        answer::show(ctx, ui, &scenario.caption, changed.is_some());
        if let Some(lesson) = lesson.filter(|_| ctx.view.forms.answer).and_then(|(number, _)| LESSONS.get(number)) {
            ctx.prefs.note_answered(lesson.name);
        }
    }
}

/// Whether there is an answer that may be shown now: it comes with those to the questions, and with a target that is to be found out.
fn answers(ctx: &Ctx<'_>) -> bool {
    let scenario = ctx.model.scenario();
    let may_be_told = !ctx.view.studies.challenge.asks() && !ctx.view.hides_target(scenario);
    may_be_told && answer::there_is(&scenario.caption)
}

/// What stands below the lesson whatever it is scrolled to, and what is asked for there.
pub struct Foot {
    /// Whether the answer can be asked for.
    answers: bool,
    /// Whether some of the lesson is out of sight below.
    more: bool,
}

impl Foot {
    /// The foot of the lesson, of which there is `more` below what is in sight.
    pub fn of(ctx: &Ctx<'_>, more: bool) -> Self {
        Self { answers: answers(ctx) && ctx.view.forms.draft.is_none(), more }
    }

    /// Whether there is anything in it.
    pub fn is_shown(&self) -> bool {
        self.answers || self.more
    }

    /// Shows it; returns whether more is asked for.
    pub fn show(&self, ctx: &mut Ctx<'_>, ui: &mut Ui) -> bool {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = ctx.theme.space(1.5);
            if self.answers {
                answer::button(ctx, ui);
            }
            let help = "Scroll down: the lesson goes on below";
            self.more && ui.small_button("Read on").on_hover_text(help).clicked()
        })
        .inner
    }
}

/// The title of the panel, with the buttons that edit the words and fold the panel.
fn head(ctx: &mut Ctx<'_>, ui: &mut Ui) {
    ui.horizontal(|ui| {
        ui.heading("Lesson");
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            fold_button(ctx, ui, Side::Right);
            let edited = ctx.view.forms.draft.is_some() || ctx.locks("caption");
            if !edited && ui.small_button("Edit text").on_hover_text(tip(Command::EditWords)).clicked() {
                let scenario = ctx.model.scenario().clone();
                ctx.view.forms.edit_words(&scenario);
            }
        });
    });
    ui.add_space(ctx.theme.space(0.5));
}

/// Says that the answer may not hold any more, with the way back.
fn told_changed(ui: &mut Ui, theme: &Theme, number: usize, path: &'static LessonPath, actions: &mut Vec<Action>) {
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new("You have changed this lesson.").color(theme.warning))
            .on_hover_text("The answer is that of the lesson as it was; another seed counts as a change too");
        if ui.small_button("Back to the lesson").on_hover_text("Load the lesson again; it can be undone").clicked() {
            actions.push(Action::LessonOn { path, number });
        }
    });
    ui.add_space(theme.space(1.0));
}

/// What to watch, to notice and to try (`tries`), whole: what has no space scrolls. They hold whatever is changed. Of a target that is
/// `hidden` only what is asked: the rest of what there is to notice would tell too much.
fn instructions(ui: &mut Ui, theme: &Theme, (caption, tries): (&Caption, &[&str]), hidden: bool) {
    let Caption { watch, notice, answer, .. } = caption;
    let questions = sentences::questions(notice);
    let notice = if hidden { questions.as_str() } else { notice.as_str() };
    let alone = notice.is_empty() && tries.is_empty() && answer.is_empty();
    let heads = ["Watch", "Notice", "Try"].map(|head| if alone { "" } else { head });
    let tries = tries.iter().map(|text| (heads[2], *text));
    let parts = [(heads[0], watch.as_str()), (heads[1], notice)].into_iter().chain(tries);
    for (head, text) in parts.filter(|(_, text)| !text.is_empty()) {
        terms::job(ui, theme, paragraph(theme, head, text));
    }
    ui.add_space(theme.space(0.5));
}

/// The way to the controls that there is something to try with, while their panel is folded.
fn controls(ctx: &mut Ctx<'_>, ui: &mut Ui, tries: &[&str]) {
    let context = ui.ctx().clone();
    if tries.is_empty() || !ctx.offers_side(Side::Left) || !ctx.folded(Side::Left, &context) {
        return;
    }
    if ui.small_button("Show target and runs").on_hover_text(tip(Command::Panel(Side::Left))).clicked() {
        ctx.unfold(Side::Left, &context);
    }
    ui.add_space(ctx.theme.space(0.5));
}

/// A paragraph that begins with its head.
fn paragraph(theme: &Theme, head: &str, text: &str) -> LayoutJob {
    let mut job = LayoutJob::default();
    if !head.is_empty() {
        job.append(head, 0.0, TextFormat::simple(theme.strong(), theme.soft));
        job.append("  ", 0.0, TextFormat::simple(theme.body(), theme.ink));
    }
    job.append(text, 0.0, TextFormat::simple(theme.body(), theme.ink));
    job
}

/// The form; returns whether it stays open.
fn edit(ui: &mut Ui, draft: &mut Draft, actions: &mut Vec<Action>) -> bool {
    let Draft { title, caption, tries } = draft;
    ui.label("Title");
    ui.name_inputs("Title", |ui| ui.add(TextEdit::singleline(title).desired_width(f32::INFINITY)));
    for (name, text, rows) in [
        ("Watch", &mut caption.watch, 3),
        ("Notice", &mut caption.notice, 3),
        ("Try: a line for each", tries, 2),
        ("Answer: what you should have seen", &mut caption.answer, 3),
    ] {
        ui.label(name);
        ui.name_inputs(name, |ui| ui.add(TextEdit::multiline(text).desired_width(f32::INFINITY).desired_rows(rows)));
    }
    ui.horizontal(|ui| {
        let applied = ui.button("Apply").clicked();
        let cancelled = ui.button("Cancel").clicked();
        if applied {
            let (title, caption) = draft.words();
            actions.push(Action::Edit(EditAction::Describe { title, caption }));
        }
        !(applied || cancelled)
    })
    .inner
}

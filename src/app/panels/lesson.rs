//! Lesson panel: title and caption of the scenario in parts, the way to other lessons, and a form to edit the words.

use std::slice;

use egui::{Align, Label, Layout, RichText, TextEdit, Ui};

use crate::app::action::{Action, EditAction};
use crate::app::commands::{Command, tip};
use crate::app::state::Ctx;
use crate::app::view::folding::Side;
use crate::app::view::forms::Draft;
use draw::kit::terms;
use draw::theme::Theme;
use engine::scenario::{Caption, LessonPath};

use super::strips::fold_button;
use super::{answer, challenge, neighbours};

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
    let scenario = ctx.model.scenario().clone();
    ui.add(Label::new(RichText::new(&scenario.title).font(theme.strong())).wrap());
    ui.add_space(theme.space(1.0));
    let changed = lesson.filter(|(_, changed)| *changed);
    if let Some((number, _)) = changed {
        told_changed(ui, theme, number, LessonPath::of(ctx.view.window.path, number), actions);
    }
    challenge::show(ctx, ui, actions);
    let asks = ctx.view.studies.challenge.asks();
    instructions(ui, theme, &scenario.caption);
    // The answer comes with those to the questions, and with a target that is to be found out.
    if !asks && !ctx.view.hides_target(&scenario) {
        answer::show(ctx, ui, &scenario.caption, changed.is_some());
    }
    if !ctx.locks("caption") && ui.small_button("Edit text").on_hover_text(tip(Command::EditWords)).clicked() {
        ctx.view.forms.edit_words(&scenario);
    }
}

/// The title of the panel, with the button that folds it.
fn head(ctx: &mut Ctx<'_>, ui: &mut Ui) {
    ui.horizontal(|ui| {
        ui.heading("Lesson");
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| fold_button(ctx, ui, Side::Right));
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

/// What to watch, to notice and to try, under small heads. They hold whatever is changed.
fn instructions(ui: &mut Ui, theme: &Theme, caption: &Caption) {
    let Caption { watch, notice, tries, answer, .. } = caption;
    let alone = notice.is_empty() && tries.is_empty() && answer.is_empty();
    for (head, texts) in [("Watch", slice::from_ref(watch)), ("Notice", slice::from_ref(notice)), ("Try", tries)] {
        let mut texts = texts.iter().filter(|text| !text.is_empty()).peekable();
        if texts.peek().is_none() {
            continue;
        }
        if !alone {
            ui.label(RichText::new(head).font(theme.small()).color(theme.soft));
        }
        for text in texts {
            let text = if head == "Try" { format!("• {text}") } else { text.clone() };
            terms::text(ui, theme, &text, (theme.body(), theme.ink));
        }
        ui.add_space(theme.space(1.5));
    }
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

//! Lesson panel: title and caption of the scenario in parts, the way to other lessons, and a form to edit the words.

use egui::text::{LayoutJob, TextFormat, TextWrapping};
use egui::{Align, Label, Layout, RichText, TextEdit, Ui};

use crate::app::action::{Action, EditAction};
use crate::app::commands::{Command, tip};
use crate::app::state::Ctx;
use crate::app::view::folding::Side;
use crate::app::view::forms::Draft;
use draw::kit::terms;
use draw::theme::Theme;
use draw::words::sentences;
use engine::scenario::{Caption, LessonPath};

use super::strips::fold_button;
use super::{answer, challenge, neighbours};

/// Shows the lesson, the words in a height of at most `most` if they can be that short.
pub fn show(ctx: &mut Ctx<'_>, ui: &mut Ui, most: f32, actions: &mut Vec<Action>) {
    let theme = ctx.theme;
    let top = ui.cursor().top();
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
    // The answer comes with those to the questions, and with a target that is to be found out.
    let answers = !asks && !ctx.view.hides_target(&scenario);
    let left = most - (ui.cursor().top() - top);
    let has_more = instructions(ctx, ui, &scenario.caption, left);
    ui.horizontal_wrapped(|ui| {
        if answers && answer::there_is(&scenario.caption) {
            answer::button(ctx, ui);
        }
        if has_more {
            more(ctx, ui);
        }
        if !ctx.locks("caption") && ui.small_button("Edit text").on_hover_text(tip(Command::EditWords)).clicked() {
            ctx.view.forms.edit_words(&scenario);
        }
    });
    if answers {
        answer::show(ctx, ui, &scenario.caption, changed.is_some());
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

/// What to watch, to notice and to try. They hold whatever is changed. What to notice and to try is always whole; what to watch ends
/// after the last sentence with which all of it is in sight, and the rest is shown on request. Returns whether there is
/// such a rest.
fn instructions(ctx: &mut Ctx<'_>, ui: &mut Ui, caption: &Caption, height: f32) -> bool {
    let theme = ctx.theme;
    let Caption { watch, notice, tries, answer, .. } = caption;
    let alone = notice.is_empty() && tries.is_empty() && answer.is_empty();
    let heads = ["Watch", "Notice", "Try"].map(|head| if alone { "" } else { head });
    let below: Vec<LayoutJob> = std::iter::once((heads[1], notice))
        .chain(tries.iter().map(|text| (heads[2], text)))
        .filter(|(_, text)| !text.is_empty())
        .map(|(head, text)| paragraph(theme, head, text))
        .collect();
    let gap = ui.spacing().item_spacing.y;
    let tall = |job: LayoutJob| {
        let width = ui.available_width();
        ui.painter().layout_job(LayoutJob { wrap: TextWrapping::wrap_at_width(width), ..job }).size().y + gap
    };
    let button = ui.spacing().interact_size.y + gap;
    let left = height - below.iter().cloned().map(tall).sum::<f32>() - if alone { 0.0 } else { button };
    let ends = sentences::ends(watch);
    let until = |end: usize| {
        paragraph(theme, heads[0], &format!("{}{}", &watch[..end], if end < watch.len() { " …" } else { "" }))
    };
    let first = ends.first().copied().unwrap_or_default();
    let fitting = ends.iter().rev().copied().find(|&end| tall(until(end)) <= left).unwrap_or(first);
    let more = ctx.view.forms.more;
    if !watch.is_empty() {
        terms::job(ui, theme, until(if more { watch.len() } else { fitting }));
    }
    for job in below {
        terms::job(ui, theme, job);
    }
    ui.add_space(theme.space(0.5));
    fitting < watch.len()
}

/// The button that shows the rest of what there is to watch, or its beginning only.
fn more(ctx: &mut Ctx<'_>, ui: &mut Ui) {
    let (name, help) = if ctx.view.forms.more {
        ("Less ▴", "Show only the beginning of what there is to watch")
    } else {
        ("More ▾", "Show the rest of what there is to watch")
    };
    if ui.small_button(name).on_hover_text(help).clicked() {
        ctx.view.forms.more = !ctx.view.forms.more;
    }
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

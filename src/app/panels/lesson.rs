//! Lesson panel: title and caption of the scenario in parts, the way to other lessons, and a form to edit the words.

use egui::{Align, Button, Label, Layout, RichText, TextEdit, Ui};

use crate::app::action::{Action, EditAction};
use crate::app::commands::{Command, spec, tip};
use crate::app::controls::locks::guard;
use crate::app::state::Ctx;
use crate::app::view::folding::Side;
use crate::app::view::forms::Draft;
use draw::kit::named::named;
use draw::theme::{STALE, Theme};
use engine::scenario::{Caption, LESSONS, LessonPath};

use super::challenge;
use super::strips::fold_button;

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
    if let Some((number, _)) = lesson {
        neighbours(ui, theme, number, LessonPath::of(ctx.view.window.path, number), actions);
    }
    let scenario = ctx.model.scenario().clone();
    ui.add(Label::new(RichText::new(&scenario.title).font(theme.strong())).wrap());
    ui.add_space(theme.space(1.0));
    let changed = lesson.filter(|(_, changed)| *changed);
    if let Some((number, _)) = changed {
        told_changed(ui, theme, number, LessonPath::of(ctx.view.window.path, number), actions);
    }
    challenge::show(ctx, ui, actions);
    let asks = ctx.view.studies.challenge.asks();
    ui.scope(|ui| {
        if changed.is_some() {
            ui.set_opacity(STALE);
        }
        let mut caption = scenario.caption.clone();
        if asks {
            // The answer comes with those to the questions.
            caption.answer.clear();
        }
        parts(ui, theme, &caption, &mut ctx.view.forms.answer);
    });
    guard(ui, ctx.locks("caption"), |ui| {
        if ui.small_button("Edit text").on_hover_text(tip(Command::EditWords)).clicked() {
            ctx.view.forms.edit_words(&scenario);
        }
    });
}

/// The title of the panel, with the button that folds it.
fn head(ctx: &mut Ctx<'_>, ui: &mut Ui) {
    ui.horizontal(|ui| {
        ui.heading("Lesson");
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| fold_button(ctx, ui, Side::Right));
    });
    ui.add_space(ctx.theme.space(0.5));
}

/// The position of the lesson on its path, and the lessons before and after it.
fn neighbours(ui: &mut Ui, theme: &Theme, number: usize, path: &'static LessonPath, actions: &mut Vec<Action>) {
    let Some(lesson) = LESSONS.get(number) else { return };
    ui.horizontal(|ui| {
        for (sign, command, steps) in [("◀", Command::PreviousLesson, -1), ("▶", Command::NextLesson, 1)] {
            let there = path.neighbour(number, steps).is_some();
            let button = ui.add_enabled(there, Button::new(sign).small());
            if named(button, spec(command).name).on_hover_text(tip(command)).clicked() {
                actions.push(Action::NeighbourLesson(steps));
            }
        }
        let name = if path == LessonPath::all() { lesson.group } else { path.name };
        let position = path.position(number).map_or(0, |position| position + 1);
        let text = format!("{position} of {} · {name}", path.lessons.len());
        let label = Label::new(RichText::new(text).font(theme.small()).color(theme.soft)).wrap();
        ui.add(label).on_hover_text(format!("{}: {}\nThis lesson: {}", path.name, path.about, lesson.effort()));
    });
}

/// Says that the words may not be true any more, with the way back.
fn told_changed(ui: &mut Ui, theme: &Theme, number: usize, path: &'static LessonPath, actions: &mut Vec<Action>) {
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new("You have changed this lesson.").color(theme.warning))
            .on_hover_text("Another seed counts as a change too: the numbers in the text are those of the lesson");
        if ui.small_button("Back to the lesson").on_hover_text("Load the lesson again; it can be undone").clicked() {
            actions.push(Action::LessonOn { path, number });
        }
    });
    ui.add_space(theme.space(1.0));
}

/// The parts of a caption under small heads. The answer is hidden until it is asked for.
fn parts(ui: &mut Ui, theme: &Theme, caption: &Caption, answer: &mut bool) {
    let Caption { watch, notice, tries, answer: text } = caption;
    let alone = notice.is_empty() && tries.is_empty() && text.is_empty();
    let paragraph = |ui: &mut Ui, head: &str, text: &str| {
        if text.is_empty() {
            return;
        }
        if !alone {
            ui.label(RichText::new(head).font(theme.small()).color(theme.soft));
        }
        ui.add(Label::new(text).wrap());
        ui.add_space(theme.space(1.5));
    };
    paragraph(ui, "Watch", watch);
    paragraph(ui, "Notice", notice);
    let dotted: Vec<String> = tries.iter().map(|text| format!("• {text}")).collect();
    paragraph(ui, "Try", &dotted.join("\n"));
    if text.is_empty() {
        return;
    }
    if *answer {
        paragraph(ui, "What you should have seen", text);
    }
    let (name, help) = if *answer {
        ("Hide the answer", "Hide what you should have seen")
    } else {
        ("Show the answer", "What you should have seen")
    };
    if ui.small_button(name).on_hover_text(help).clicked() {
        *answer = !*answer;
    }
    ui.add_space(theme.space(1.5));
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

//! Lesson panel: title and caption of the scenario in parts, the way to other lessons, and a form to edit the words.

use egui::{Button, Label, RichText, TextEdit, Ui};

use crate::app::action::{Action, EditAction};
use crate::app::commands::{Command, spec, tip};
use crate::app::controls::locks::guard;
use crate::app::state::Ctx;
use crate::app::view::forms::Draft;
use draw::kit::named::named;
use draw::theme::{STALE, Theme};
use engine::scenario::{Caption, LESSONS};

use super::challenge;
use super::widgets::section;

/// Shows the lesson.
pub fn show(ctx: &mut Ctx<'_>, ui: &mut Ui, actions: &mut Vec<Action>) {
    let theme = ctx.theme;
    section(ui, theme, "Lesson");
    if let Some(mut draft) = ctx.view.forms.draft.take() {
        if edit(ui, &mut draft, actions) {
            ctx.view.forms.draft = Some(draft);
        }
        return;
    }
    let lesson = ctx.model.lesson();
    if let Some((number, _)) = lesson {
        neighbours(ui, theme, number, actions);
    }
    let scenario = ctx.model.scenario().clone();
    ui.add(Label::new(RichText::new(&scenario.title).font(theme.strong())).wrap());
    ui.add_space(theme.space(1.0));
    let changed = lesson.filter(|(_, changed)| *changed);
    if let Some((number, _)) = changed {
        told_changed(ui, theme, number, actions);
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

/// The number of the lesson, its group, and the lessons before and after it.
fn neighbours(ui: &mut Ui, theme: &Theme, number: usize, actions: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        let before = (number > 0).then(|| number - 1);
        let after = Some(number + 1).filter(|after| *after < LESSONS.len());
        for (sign, command, to) in [("◀", Command::PreviousLesson, before), ("▶", Command::NextLesson, after)] {
            let button = ui.add_enabled(to.is_some(), Button::new(sign).small());
            let button = named(button, spec(command).name).on_hover_text(tip(command));
            if let (true, Some(to)) = (button.clicked(), to) {
                actions.push(Action::Lesson(to));
            }
        }
        let group = LESSONS.get(number).map_or("", |lesson| lesson.group);
        let number_in_group = format!("{} of {} · {group}", number + 1, LESSONS.len());
        ui.add(Label::new(RichText::new(number_in_group).font(theme.small()).color(theme.soft)).truncate());
    });
}

/// Says that the words may not be true any more, with the way back.
fn told_changed(ui: &mut Ui, theme: &Theme, number: usize, actions: &mut Vec<Action>) {
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new("You have changed this lesson.").color(theme.warning))
            .on_hover_text("Another seed counts as a change too: the numbers in the text are those of the lesson");
        if ui.small_button("Back to the lesson").on_hover_text("Load the lesson again; it can be undone").clicked() {
            actions.push(Action::Lesson(number));
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

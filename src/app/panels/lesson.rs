//! Lesson panel: title and caption of the scenario, with a form to edit them.

use egui::{RichText, TextEdit, Ui};

use crate::app::action::{Action, EditAction};
use crate::app::state::Ctx;
use crate::app::view::Draft;

use super::widgets::section;

/// Shows the lesson.
pub fn show(ctx: &mut Ctx<'_>, ui: &mut Ui, actions: &mut Vec<Action>) {
    let theme = ctx.theme;
    section(ui, theme, "Lesson");
    if let Some(mut draft) = ctx.view.draft.take() {
        if edit(ui, &mut draft, actions) {
            ctx.view.draft = Some(draft);
        }
        return;
    }
    let scenario = ctx.model.scenario();
    ui.add(egui::Label::new(RichText::new(&scenario.title).font(theme.strong())).wrap());
    if !scenario.caption.is_empty() {
        ui.add_space(theme.space(1.0));
        ui.add(egui::Label::new(&scenario.caption).wrap());
    }
    ui.add_space(theme.space(1.0));
    if ui.small_button("Edit text").on_hover_text("Edit title and caption").clicked() {
        ctx.view.draft = Some(Draft { title: scenario.title.clone(), caption: scenario.caption.clone() });
    }
}

/// The form; returns whether it stays open.
fn edit(ui: &mut Ui, draft: &mut Draft, actions: &mut Vec<Action>) -> bool {
    ui.name_inputs("Title", |ui| ui.add(TextEdit::singleline(&mut draft.title).desired_width(f32::INFINITY)));
    ui.name_inputs("Caption", |ui| {
        ui.add(TextEdit::multiline(&mut draft.caption).desired_width(f32::INFINITY).desired_rows(4))
    });
    ui.horizontal(|ui| {
        let applied = ui.button("Apply").clicked();
        let cancelled = ui.button("Cancel").clicked();
        if applied {
            actions.push(Action::Edit(EditAction::Describe {
                title: draft.title.trim().to_owned(),
                caption: draft.caption.trim().to_owned(),
            }));
        }
        !(applied || cancelled)
    })
    .inner
}

//! What to watch: title and caption of the scenario, which can be edited in place.

use egui::{RichText, TextEdit, Ui};

use crate::app::App;
use crate::app::actions::Action;
use crate::app::view::Draft;

/// Shows the lesson.
pub fn show(app: &mut App, ui: &mut Ui, actions: &mut Vec<Action>) {
    let theme = app.theme.clone();
    super::section(ui, &theme, "Lesson");
    if let Some(mut draft) = app.view.draft.take() {
        if edit(ui, &mut draft, actions) {
            app.view.draft = Some(draft);
        }
        return;
    }
    let scenario = app.model.scenario();
    ui.add(egui::Label::new(RichText::new(&scenario.title).font(theme.strong())).wrap());
    if !scenario.caption.is_empty() {
        ui.add_space(theme.space(1.0));
        ui.add(egui::Label::new(&scenario.caption).wrap());
    }
    ui.add_space(theme.space(1.0));
    if ui.small_button("Edit text").on_hover_text("Change title and caption").clicked() {
        app.view.draft = Some(Draft { title: scenario.title.clone(), caption: scenario.caption.clone() });
    }
}

/// The fields; returns whether they stay open.
fn edit(ui: &mut Ui, draft: &mut Draft, actions: &mut Vec<Action>) -> bool {
    ui.name_inputs("Title", |ui| ui.add(TextEdit::singleline(&mut draft.title).desired_width(f32::INFINITY)));
    ui.name_inputs("Caption", |ui| {
        ui.add(TextEdit::multiline(&mut draft.caption).desired_width(f32::INFINITY).desired_rows(4))
    });
    ui.horizontal(|ui| {
        let done = ui.button("Done").clicked();
        let cancelled = ui.button("Cancel").clicked();
        if done {
            actions.push(Action::Describe {
                title: draft.title.trim().to_owned(),
                caption: draft.caption.trim().to_owned(),
            });
        }
        !(done || cancelled)
    })
    .inner
}

//! The readout panel: measures of all runs against the truth, of the chains, of the gradients and of the newest step.

use egui::{Align, Label, Layout, RichText, ScrollArea, Ui};

use crate::app::App;
use crate::draw::readout::{Columns, HIDDEN, NOTE, Table, copy, draw};

/// Shows the readout.
pub fn show(app: &mut App, ui: &mut Ui) {
    let theme = app.theme.clone();
    let frame = app.model.frame().clone();
    let whole = Table::of(&frame);
    head(app, ui, &whole);
    let shown = if app.prefs.all_measures { whole } else { whole.headlines() };
    let columns = Columns::fitting(ui.available_width(), &theme, frame.runs.len());
    ScrollArea::horizontal().id_salt("readout").show(ui, |ui| draw(ui, &theme, &shown, columns));
    ui.add_space(theme.space(1.0));
    let note = if columns.floors { NOTE } else { HIDDEN };
    ui.add(Label::new(RichText::new(note).font(theme.small()).color(theme.faint)).wrap());
}

/// The title, with what can be done to the table.
fn head(app: &mut App, ui: &mut Ui, table: &Table) {
    ui.horizontal(|ui| {
        ui.heading("Readout");
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.menu_button("Copy", |ui| {
                if ui.button("As text").on_hover_text("All measures, in columns").clicked() {
                    ui.copy_text(copy::text(table));
                    app.view.messages.news("The readout is on the clipboard as text.");
                }
                if ui.button("As CSV").on_hover_text("All measures with all digits").clicked() {
                    match copy::csv(table) {
                        Ok(text) => {
                            ui.copy_text(text);
                            app.view.messages.news("The readout is on the clipboard as CSV.");
                        }
                        Err(error) => app.view.messages.problem(error.to_string()),
                    }
                }
            });
            let all = &mut app.prefs.all_measures;
            ui.toggle_value(all, "All").on_hover_text("Every measure, or only those that matter most");
        });
    });
    ui.add_space(app.theme.space(1.0));
}

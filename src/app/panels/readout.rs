//! Readout panel: the table of measures of all runs, and copying it.

use egui::{Align, Label, Layout, RichText, ScrollArea, Ui};

use crate::app::state::Ctx;
use crate::draw::readout::{Columns, HIDDEN, NOTE, Table, copy, draw};

/// Shows the readout.
pub fn show(ctx: &mut Ctx<'_>, ui: &mut Ui) {
    let theme = ctx.theme;
    let frame = ctx.model.frame().clone();
    let whole = Table::of(&frame);
    let whole = if ctx.view.layers.truth { whole } else { whole.without_truth() };
    head(ctx, ui, &whole);
    let shown = if ctx.prefs.all_measures { whole } else { whole.short(ctx.view.measures.as_deref()) };
    let columns = Columns::fitting(ui.available_width(), theme, frame.runs.len());
    ScrollArea::horizontal().id_salt("readout").show(ui, |ui| draw(ui, theme, &shown, columns));
    ui.add_space(theme.space(1.0));
    let note = if columns.floors { NOTE } else { HIDDEN };
    ui.add(Label::new(RichText::new(note).font(theme.small()).color(theme.faint)).wrap());
}

/// The title, with buttons to copy the table and to choose its rows.
fn head(ctx: &mut Ctx<'_>, ui: &mut Ui, table: &Table) {
    ui.horizontal(|ui| {
        ui.heading("Readout");
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.menu_button("Copy", |ui| {
                if ui.button("As text").on_hover_text("All measures in columns").clicked() {
                    ui.copy_text(copy::text(table));
                    ctx.view.messages.news("Copied the readout as text.");
                }
                if ui.button("As CSV").on_hover_text("All measures with all digits").clicked() {
                    match copy::csv(table) {
                        Ok(text) => {
                            ui.copy_text(text);
                            ctx.view.messages.news("Copied the readout as CSV.");
                        }
                        Err(error) => ctx.view.messages.problem(error.to_string()),
                    }
                }
            });
            let all = &mut ctx.prefs.all_measures;
            ui.toggle_value(all, "All").on_hover_text("Show all measures, or only the most important ones");
        });
    });
    ui.add_space(ctx.theme.space(1.0));
}

//! Readout panel: the headline measure in large type, a few more, all others on request, and copying them.

use egui::{Align, Id, Label, Layout, RichText, Ui};

use crate::app::action::Action;
use crate::app::commands::{Command, spec};
use crate::app::state::Ctx;
use crate::app::view::folding::Side;
use draw::kit::named::part;
use draw::readout::{Columns, Medium, draw, lead, leading, note};

use super::entries::entry;
use super::strips::fold_button;

/// Shows the readout.
pub fn show(ctx: &mut Ctx<'_>, ui: &mut Ui, actions: &mut Vec<Action>) {
    let theme = ctx.theme;
    let top = ui.cursor().top();
    let frame = ctx.counted().clone();
    let table = ctx.measures();
    head(ctx, ui, actions);
    let columns = Columns::fitting(ui.available_width(), theme, frame.runs.len(), Medium::Screen);
    let rows = leading(&table, &frame, ctx.view.plots.measures.as_deref());
    if let Some(headline) = rows.first() {
        lead(ui, theme, &frame, headline);
    }
    note_headline(ui, ctx.view.window.loads, ui.cursor().top() - top);
    ui.add_space(theme.space(1.0));
    let few = table.only(rows.get(1..).unwrap_or_default());
    let shown = if ctx.prefs.all_measures { &table } else { &few };
    draw(ui, theme, shown, columns, ctx.view.window.marked());
    ui.add_space(theme.space(1.0));
    let text = if ctx.prefs.all_measures { "Fewer measures" } else { "All measures ▾" };
    let help = "Show all measures, or only the most important ones";
    if part(ui, "all measures", |ui| ui.small_button(text)).on_hover_text(help).clicked() {
        ctx.prefs.all_measures = !ctx.prefs.all_measures;
    }
    ui.add_space(theme.space(1.0));
    // While runs go on there are always newer draws: a note that comes and goes would move what is below it.
    let completing = ctx.model.status().completing && !ctx.model.status().playing;
    // The headline is above the table.
    let told = if ctx.prefs.all_measures { table.clone() } else { table.only(&rows) };
    let note = note(&frame, &told, columns, completing);
    ui.add(Label::new(RichText::new(note).font(theme.small()).color(theme.faint)).wrap());
}

/// The height of the title and the headline for a load of a scenario, once they were shown.
pub fn headline_height(ui: &Ui, loads: u64) -> Option<f32> {
    ui.data(|data| data.get_temp(memory(loads)))
}

fn note_headline(ui: &Ui, loads: u64, height: f32) {
    if headline_height(ui, loads).is_none_or(|known| (known - height).abs() > 0.5) {
        ui.data_mut(|data| data.insert_temp(memory(loads), height));
        // The lesson above got its space before.
        ui.ctx().request_repaint();
    }
}

fn memory(loads: u64) -> Id {
    Id::unique(("height of the headline", loads))
}

/// The title, with a button to copy the table.
fn head(ctx: &mut Ctx<'_>, ui: &mut Ui, actions: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        ui.heading("Readout");
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            // The lesson is above the readout, and has the button.
            if !ctx.offers("lesson") {
                fold_button(ctx, ui, Side::Right);
            }
            ui.menu_button("Copy", |ui| {
                for command in [Command::CopyText, Command::CopyCsv] {
                    entry(ctx, ui, spec(command), actions);
                }
            });
            if let Some(words) = ctx.counted_words() {
                let label = Label::new(RichText::new(words).font(ctx.theme.small()).color(ctx.theme.soft)).truncate();
                ui.add(label).on_hover_text("A step counts once its last part is shown");
            }
        });
    });
    ui.add_space(ctx.theme.space(0.5));
}

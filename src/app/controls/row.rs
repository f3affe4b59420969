//! A row of the panel: a label with its unit, and controls beside it or below it.

use egui::{Align, Label, Layout, Response, RichText, TextStyle, Ui, vec2};

/// Width of the column of labels, in widths of the smallest control of egui.
const LABEL_WIDTH: f32 = 1.9;

/// The largest share of a row that the column of labels takes.
const LABEL_SHARE: f32 = 0.42;

/// Width that controls need beside a label, in widths of the smallest control. Where a longer label leaves less, it has a line of
/// its own.
const CONTROLS: f32 = 2.9;

/// A row with a label and a tooltip.
pub fn labelled<R>(ui: &mut Ui, label: &str, help: &str, controls: impl FnOnce(&mut Ui) -> R) -> R {
    cells(ui, (label, false), "", help, controls)
}

/// A label and controls beside it, or below it where they are `wide` or the label is long.
pub fn cells<R>(
    ui: &mut Ui,
    (label, wide): (&str, bool),
    unit: &str,
    help: &str,
    controls: impl FnOnce(&mut Ui) -> R,
) -> R {
    let small = ui.spacing().interact_size.x;
    let (available, long) = (ui.available_width(), text_width(ui, label));
    let indented = ui.cursor().left() - ui.max_rect().left();
    let column = (LABEL_WIDTH * small - indented).min(LABEL_SHARE * available);
    if wide || (long > column && long + CONTROLS * small > available) {
        return ui
            .vertical(|ui| {
                let response = label_cell(ui, label, unit, help, available);
                ui.horizontal(|ui| ui.label_inputs_by(response.id, controls)).inner
            })
            .inner;
    }
    ui.horizontal(|ui| {
        // Rows within rows have a narrow column, before a slider is too short to drag.
        let response = label_cell(ui, label, unit, help, column.min(available - CONTROLS * small).max(long));
        ui.label_inputs_by(response.id, controls)
    })
    .inner
}

fn label_cell(ui: &mut Ui, label: &str, unit: &str, help: &str, width: f32) -> Response {
    let size = vec2(width, ui.spacing().interact_size.y);
    ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
        ui.set_min_size(size);
        let response = ui.add(Label::new(label).truncate());
        if !unit.is_empty() {
            ui.add(Label::new(RichText::new(unit).weak().small()).truncate());
        }
        if help.is_empty() { response } else { response.on_hover_text(help) }
    })
    .inner
}

/// The width that a label needs in full, in points.
fn text_width(ui: &Ui, text: &str) -> f32 {
    let font = TextStyle::Body.resolve(ui.style());
    ui.painter().layout_no_wrap(text.to_owned(), font, ui.visuals().text_color()).size().x.ceil()
}

//! Choice of a linear or logarithmic axis of steps, for several tabs.

use egui::Ui;

use crate::draw::plots::steps::StepAxis;

/// Adds the checkbox of a logarithmic axis of steps.
pub fn checkbox(ui: &mut Ui, axis: &mut StepAxis) {
    let mut log = *axis == StepAxis::Log;
    ui.checkbox(&mut log, "log steps").on_hover_text("Steps on a logarithmic axis, which shows the first steps");
    *axis = if log { StepAxis::Log } else { StepAxis::Linear };
}

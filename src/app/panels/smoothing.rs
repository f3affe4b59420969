//! The plots of smoothed statistics in the window.

use egui::Ui;

use crate::app::state::Ctx;
use crate::draw::plots::Computing;
use crate::draw::plots::smoothing::{self, SmoothingInput};
use crate::draw::plots::steps::StepAxis;
use crate::draw::theme::Theme;
use crate::session::Frame;

/// Shows the plots.
pub fn show(app: &mut Ctx<'_>, ui: &mut Ui, frame: &Frame, runs: &[usize], theme: &Theme) {
    let axis = if app.view.fits.log { StepAxis::Log } else { StepAxis::Linear };
    let input = SmoothingInput { frame, runs, axis, computing: Computing::Background };
    // What is under way asks for a repaint itself.
    smoothing::show(ui, &input, theme, &mut app.plots.smoothing);
}

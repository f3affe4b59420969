//! Choice of a linear or logarithmic axis of steps, for several tabs.

use egui::Ui;

use super::{PlotContext, PlotOptions, TabResponse};

/// Adds the checkbox of a logarithmic axis of steps, behind the `options` chosen so far.
pub fn checkbox(ui: &mut Ui, cx: &PlotContext<'_>, mut options: PlotOptions) -> TabResponse {
    ui.checkbox(&mut options.log_steps, "log steps")
        .on_hover_text("Steps on a logarithmic axis, which shows the first steps");
    TabResponse::of_options(cx, options)
}

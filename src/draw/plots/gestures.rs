//! Gestures on plots: drag, scroll and pinch.

use egui::{InputState, Response, Ui, Vec2};
use egui_plot::PlotUi;

use crate::math::Point;

/// Whether a plot was dragged, scrolled or pinched. A plot whose bounds change for another reason (a panel that slides open)
/// was not moved by hand.
#[must_use]
pub fn moved_by_hand(ui: &Ui, plot: &Response) -> bool {
    let turned =
        |input: &InputState| input.smooth_scroll_delta() != Vec2::ZERO || (input.zoom_delta() - 1.0).abs() > 0.0;
    plot.dragged() || (plot.contains_pointer() && ui.input(turned))
}

/// Scroll wheel: its place as shares of the plot from the upper left, and the factor of the zoom.
pub(super) fn scrolled(plot_ui: &PlotUi<'_>) -> Option<(Point, f64)> {
    /// Points of scrolling that zoom by a factor of e (chosen by feel).
    const SCROLL_PER_E: f64 = 240.0;
    let response = plot_ui.response();
    if !response.contains_pointer() {
        return None;
    }
    let (delta, pointer) = plot_ui.ctx().input(|input| (input.smooth_scroll_delta().y, input.pointer.hover_pos()));
    let at = (pointer? - response.rect.min) / response.rect.size();
    let factor = (-f64::from(delta) / SCROLL_PER_E).exp();
    (delta.abs() > 0.0).then(|| (Point::new(f64::from(at.x), f64::from(at.y)), factor))
}

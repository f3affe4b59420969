//! Part of the plane that a canvas shows, and its changes by pan, zoom and double click.

use egui::Response;
use egui_plot::{PlotBounds, PlotTransform, PlotUi};

use super::input::{CanvasInput, ViewChange};
use crate::geometry::{fitted, followed, zoomed};
use crate::kit::gestures::{Gesture, pressed, scrolled};
use base::math::{Bounds, Point};

/// What can be done on a canvas.
pub const GESTURES: [Gesture; 6] = [
    Gesture::at("Canvas", "Drag", "Move the part of the plane that is shown"),
    Gesture::at("Canvas", "Scroll, pinch", "Zoom in and out at the pointer"),
    Gesture::at("Canvas", "Double-click", "Show the whole target again"),
    Gesture::at("Canvas", "Arrow keys after Tab", "Move the part of the plane that is shown"),
    Gesture::at("Canvas", "+ and − after Tab", "Zoom in and out"),
    Gesture::at("Canvas", "Point at Legend", "Show what arrows and marks are, where there is no space for it"),
];

/// The part that a canvas shows: the view, widened to the plot's shape unless the scales are free.
pub(super) fn shown_window(plot_ui: &PlotUi<'_>, input: &CanvasInput<'_>) -> Bounds {
    part(input.view, size_of(plot_ui), input.layers.free_scales)
}

/// The part that a canvas of this size shows of a view.
pub(super) fn part(view: Bounds, size: [usize; 2], free_scales: bool) -> Bounds {
    if free_scales { view } else { fitted(view, aspect(size)) }
}

/// Width to height.
fn aspect([width, height]: [usize; 2]) -> f64 {
    width as f64 / height as f64
}

/// The window after this frame's scrolling and keys.
pub(super) fn scrolled_window(plot_ui: &PlotUi<'_>, window: Bounds) -> Bounds {
    let turned = scrolled(plot_ui).map_or(window, |(share, factor)| {
        let at = Point::new(window.min.x + share.x * window.size().x, window.max.y - share.y * window.size().y);
        zoomed(window, at, factor)
    });
    pressed(plot_ui, turned)
}

/// The plot's size in whole points.
#[expect(clippy::cast_sign_loss, reason = "a screen has a few thousand points")]
pub(super) fn size_of(plot_ui: &PlotUi<'_>) -> [usize; 2] {
    let size = plot_ui.response().rect.size();
    [size.x.round().max(1.0) as usize, size.y.round().max(1.0) as usize]
}

pub(super) fn window_of(bounds: &PlotBounds) -> Bounds {
    let ([x0, y0], [x1, y1]) = (bounds.min(), bounds.max());
    Bounds::new((x0, x1), (y0, y1))
}

/// Change of the view by pan, pinch, scroll and double click.
pub(super) fn view_change(response: &Response, view: Bounds, before: Bounds, now: Bounds) -> ViewChange {
    /// Differences below this share of the window come from rounding.
    const ROUNDING: f64 = 1e-6;
    if response.double_clicked() {
        return ViewChange::Reset;
    }
    let changed = followed(view, before, now);
    let difference = (changed.min - view.min).amax().max((changed.max - view.max).amax());
    if difference > ROUNDING * view.size().amax() && changed.size().amin() > 0.0 {
        ViewChange::To(changed)
    } else {
        ViewChange::Unchanged
    }
}

pub(super) fn hovered(response: &Response, transform: &PlotTransform) -> Option<Point> {
    let at = transform.value_from_position(response.hover_pos()?);
    Some(Point::new(at.x, at.y))
}

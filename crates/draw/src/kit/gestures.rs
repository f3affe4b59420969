//! Gestures on plots: drag, scroll and pinch; and what a gesture does, in words. `gesture_list.rs` has all of them.

use egui::{EventFilter, InputState, Key, Response, Ui, Vec2};
use egui_plot::PlotUi;

use crate::geometry::zoomed;
use base::math::{Bounds, Point};

/// What a gesture does, for the help. The files that read gestures have tables of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gesture {
    /// Where it is made.
    pub element: &'static str,
    /// How it is made.
    pub how: &'static str,
    /// What it does.
    pub does: &'static str,
}

impl Gesture {
    /// A gesture at an element.
    #[must_use]
    pub const fn at(element: &'static str, how: &'static str, does: &'static str) -> Self {
        Self { element, how, does }
    }
}

/// What can be done on plots over time.
pub(crate) const GESTURES: [Gesture; 4] = [
    Gesture::at("Plots over time", "Click", "Go to this step"),
    Gesture::at("Plots over time", "Drag", "Move along the steps"),
    Gesture::at("Plots over time", "Scroll, pinch", "Zoom in and out at the pointer; all plots show the same steps"),
    Gesture::at("Plots over time", "Double-click", "Show all steps again"),
];

/// Whether a plot was dragged, scrolled, pinched or moved by keys. A plot whose bounds change for another reason (a panel that slides open)
/// was not moved by hand.
#[must_use]
pub fn moved_by_hand(ui: &Ui, plot: &Response) -> bool {
    let turned =
        |input: &InputState| input.smooth_scroll_delta() != Vec2::ZERO || (input.zoom_delta() - 1.0).abs() > 0.0;
    let pressed = |input: &InputState| {
        let keys = MOVES.iter().map(|(key, _)| key).chain(ZOOMS.iter().map(|(key, _)| key));
        keys.into_iter().any(|key| input.key_pressed(*key))
    };
    plot.dragged() || (plot.contains_pointer() && ui.input(turned)) || (plot.has_focus() && ui.input(pressed))
}

/// The keys that move the part that is shown of a plot with the focus, as shares of it (chosen by feel).
const MOVES: [(Key, [f64; 2]); 4] = [
    (Key::ArrowLeft, [-0.1, 0.0]),
    (Key::ArrowRight, [0.1, 0.0]),
    (Key::ArrowDown, [0.0, -0.1]),
    (Key::ArrowUp, [0.0, 0.1]),
];

/// The keys that zoom, with their factors (chosen by feel).
const ZOOMS: [(Key, f64); 3] = [(Key::Plus, 0.8), (Key::Equals, 0.8), (Key::Minus, 1.25)];

/// The window of a plot after the keys of this frame, if the plot has the focus.
pub(crate) fn pressed(plot_ui: &PlotUi<'_>, window: Bounds) -> Bounds {
    let response = plot_ui.response();
    if !response.has_focus() {
        return window;
    }
    // Arrows move the focus elsewhere otherwise.
    let arrows = EventFilter { horizontal_arrows: true, vertical_arrows: true, ..EventFilter::default() };
    plot_ui.ctx().memory_mut(|memory| memory.set_focus_lock_filter(response.id, arrows));
    plot_ui.ctx().input(|input| {
        let moves = MOVES.iter().filter(|(key, _)| input.key_pressed(*key));
        let shift = moves.fold(Point::zeros(), |sum, (_, [x, y])| sum + Point::new(*x, *y));
        let shift = shift.component_mul(&window.size());
        let moved = Bounds { min: window.min + shift, max: window.max + shift };
        let zooms = ZOOMS.iter().filter(|(key, _)| input.key_pressed(*key));
        zooms.fold(moved, |window, (_, factor)| zoomed(window, (window.min + window.max) / 2.0, *factor))
    })
}

/// Scroll wheel: its position as shares of the plot from the upper left, and the factor of the zoom.
pub(crate) fn scrolled(plot_ui: &PlotUi<'_>) -> Option<(Point, f64)> {
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

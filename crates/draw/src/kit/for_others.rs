//! What a drawing tells of what stands beside its plots, for programs that draw them again.

use egui::{Rect, Ui};
use figure::vector::{STRIP, Scale, Tag};

/// Tells a scale at the right of a plot: what it counts, its ticks in values along the upright axis, of a logarithmic one their logarithms to
/// base 10, and what stands there.
pub fn scale(ui: &Ui, rect: Rect, name: &str, ticks: Vec<(f64, String)>) {
    Tag::Scale(Scale { rect, name: name.to_owned(), ticks }).say(ui);
}

/// Tells that what is drawn is a strip below a plot.
pub fn strip(ui: &Ui, draw: impl FnOnce()) {
    Tag::Series(STRIP.to_owned()).say(ui);
    draw();
    Tag::SeriesEnd.say(ui);
}

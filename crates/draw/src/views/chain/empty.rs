//! An empty plot of chains.

use egui::{Rect, Ui};

use crate::kit::overlay_label::OverlayLabel;
use crate::theme::Theme;

/// Labels an empty plot with the reason of its first run.
pub(super) fn words(ui: &Ui, theme: &Theme, plot: Rect, reasons: &[&str]) {
    let text = reasons.first().copied().unwrap_or("being computed");
    let (at, align) = (plot.center(), egui::Align2::CENTER_CENTER);
    OverlayLabel { text, font: theme.small(), colour: theme.soft, at, align }.paint(ui, theme, plot);
}

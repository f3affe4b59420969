//! The style of a run: its colour, its marker, and the dashes of its lines, which tell runs apart where colours do not.

use egui::Color32;
use egui_plot::MarkerShape;

/// Style of a run in all plots.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunStyle {
    /// Its colour.
    pub colour: Color32,
    /// Its marker.
    pub marker: MarkerShape,
    /// How its lines are broken.
    pub dash: Dash,
}

/// How a line is broken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dash {
    /// Not at all.
    #[default]
    Solid,
    /// Into dashes.
    Dashed,
    /// Into dots.
    Dotted,
    /// Into dashes and dots by turns.
    DashDot,
}

impl Dash {
    /// Dashes by their words in files.
    pub(super) const WORDS: [(&'static str, Self); 4] =
        [("solid", Self::Solid), ("dashed", Self::Dashed), ("dotted", Self::Dotted), ("dash-dot", Self::DashDot)];

    /// The lengths of a dash, the gap after it, the next dash and its gap of a line of some width; none of a full line.
    #[must_use]
    pub fn lengths(self, width: f32) -> Option<[f32; 4]> {
        // In widths of the line.
        let lengths = match self {
            Self::Solid => return None,
            Self::Dashed => [4.0, 2.0, 4.0, 2.0],
            Self::Dotted => [1.0, 1.6, 1.0, 1.6],
            Self::DashDot => [5.0, 1.7, 1.0, 1.7],
        };
        Some(lengths.map(|length| length * width))
    }
}

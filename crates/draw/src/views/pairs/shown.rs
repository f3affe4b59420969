//! What a pair plot shows, and where its cells are.

use egui::Rect;

use super::cache::{OfQuantity, OfRun};
use super::choice::Chosen;
use crate::kit::axes::{AxisSpec, Ticks};
use crate::kit::background::Computing;
use engine::session::Frame;
use models::targets::{KnownQuantities, Quantities};

/// Input of the plot.
#[derive(Clone, Copy, Debug)]
pub struct PairsInput<'a> {
    /// The frame.
    pub frame: &'a Frame,
    /// The runs drawn, by number.
    pub runs: &'a [usize],
    /// When numbers are computed.
    pub computing: Computing,
    /// Whether the reference is shown.
    pub truth: bool,
    /// The quantities.
    pub chosen: Chosen,
    /// Whether a click can change what canvases show.
    pub clickable: bool,
}

/// What is drawn.
pub(super) struct Shown<'a> {
    pub(super) input: &'a PairsInput<'a>,
    pub(super) named: &'a dyn Quantities,
    /// What is known of them, if it is shown.
    pub(super) references: Option<(&'a Vec<OfQuantity>, &'a dyn KnownQuantities)>,
    /// Runs that have numbers, each with its version.
    pub(super) runs: Vec<(usize, u64, &'a OfRun)>,
    /// The quantities with the ends of their axes.
    pub(super) quantities: Vec<(usize, [f64; 2])>,
}

/// Where a cell is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// Row and column, from the upper left.
    pub(super) at: [usize; 2],
    /// Inside of its axes.
    pub(super) inner: Rect,
    /// With its axes.
    pub(super) outer: Rect,
    /// Whether it has ticks below and beside it.
    pub(super) ticks: [bool; 2],
}

/// The ticks of cells: below the lowest row, and beside the first column.
pub(super) fn specs([below, beside]: [bool; 2]) -> [AxisSpec<'static>; 2] {
    let ticks = |on: bool| if on { Ticks::Linear } else { Ticks::None };
    let x = AxisSpec { apart: 17.0, corner: false, ..AxisSpec::wide("", ticks(below)) };
    let y = AxisSpec { corner: false, digits: 4.5, ..AxisSpec::upright("", ticks(beside)) };
    [x, y]
}

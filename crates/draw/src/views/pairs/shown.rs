//! What is drawn of pairs of quantities: input, axes and numbers of the cells.

use egui::Rect;

use super::cache::{OfQuantity, OfRun, PairsCache};
use super::choice::Chosen;
use super::geometry::axis;
use crate::kit::axes::{AxisSpec, Ticks};
use crate::kit::background::Computing;
use engine::session::{Described, Frame};
use models::targets::{Projection, Quantities};

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
    pub(super) known: &'a dyn Quantities,
    pub(super) references: Option<&'a Vec<OfQuantity>>,
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

impl<'a> Shown<'a> {
    pub(super) fn of(input: &'a PairsInput<'a>, known: &'a dyn Quantities, cache: &'a PairsCache) -> Self {
        let references = cache.references(input.frame);
        let of_run = |run: &usize| {
            let (version, of) = cache.run(*run)?;
            Some((*run, version, of.as_ref().ok()?))
        };
        let runs: Vec<(usize, u64, &OfRun)> = input.runs.iter().filter_map(of_run).collect();
        let with_axis = |number: usize| {
            let of_runs: Vec<&Described> =
                runs.iter().filter_map(|(.., of)| Some(&of.quantities.get(number)?.described)).collect();
            let reference = references.and_then(|all| Some(&all.get(number)?.described));
            (number, axis(reference, &of_runs))
        };
        let quantities = input.chosen.numbers().map(with_axis).collect();
        Self { input, known, references: references.filter(|_| input.truth), runs, quantities }
    }

    /// Two coordinates, as x and y of a canvas; `None` if one of two quantities is none.
    pub(super) fn coordinates(&self, pair: [usize; 2]) -> Option<[usize; 2]> {
        let count = self.known.coordinates().len();
        pair.iter().all(|number| *number < count).then_some(pair)
    }

    /// Whether two quantities are those on the canvases.
    pub(super) fn is_on_canvases(&self, [x, y]: [usize; 2]) -> bool {
        let vectors = self.input.frame.target.in_vectors();
        let projection = vectors.map(|vectors| &vectors.projection);
        matches!(projection, Some(Projection::Coordinates(shown)) if *shown == [x, y] || *shown == [y, x])
    }
}

/// The ticks of cells: below the lowest row, and beside the first column.
pub(super) fn specs([below, beside]: [bool; 2]) -> [AxisSpec<'static>; 2] {
    let ticks = |on: bool| if on { Ticks::Linear } else { Ticks::None };
    let x = AxisSpec { apart: 17.0, corner: false, ..AxisSpec::wide("", ticks(below)) };
    let y = AxisSpec { corner: false, digits: 4.5, ..AxisSpec::upright("", ticks(beside)) };
    [x, y]
}

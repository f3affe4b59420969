//! Pictures of a sweep: a map of a measure over two parameters, maps over three, a curve over one, the Pareto front, and the answers to questions.
//!
//! All of them point at cells: the cell that is pointed at in one picture is marked in the others.

use super::geometry::CellCloud;
use crate::kit::gestures::Gesture;
use crate::words::word::Word;
use base::params::ParamSpec;
use engine::diagnostics::is_estimate;
use engine::scenario::view::options;
use engine::session::sweep::{Cell, Findings, Spread, SweepPlan, bias_and_mse};

/// What can be done on the pictures.
pub(crate) const GESTURES: [Gesture; 3] = [
    Gesture::at("Map", "Point at a cell", "See some of its draws; read its parameters, measures and cost"),
    Gesture::at("Map", "Click", "Give run and target the parameters of the cell"),
    Gesture::at("Map", "Click an answer", "The same with the cell of the answer"),
];

/// What of a measure is shown, over the seeds of a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Part {
    /// The mean.
    #[default]
    Mean,
    /// The standard deviation.
    Spread,
    /// The absolute mean, of an error with a sign.
    Bias,
    /// The mean square, of an error with a sign.
    SquaredError,
}

impl Word for Part {
    const SPEC: &'static ParamSpec = &options::PART;
    const ALL: &'static [Self] = &[Self::Mean, Self::Spread, Self::Bias, Self::SquaredError];
}

impl Part {
    /// Whether a measure has this part.
    #[must_use]
    pub fn suits(self, measure: &str) -> bool {
        matches!(self, Self::Mean | Self::Spread) || is_estimate(measure)
    }
}

/// Input of the pictures.
#[derive(Clone, Copy, Debug)]
pub struct SweepInput<'a> {
    /// The sweep.
    pub plan: &'a SweepPlan,
    /// The cells computed so far, in ascending order.
    pub cells: &'a [Cell],
    /// The Pareto front and the answers; `None` while cells are missing.
    pub findings: Option<&'a Findings>,
    /// The number of the measure among those of the sweep.
    pub measure: usize,
    /// What of it is shown.
    pub part: Part,
    /// The values of the scenario that is shown, one for each axis, as far as they are numbers.
    pub present: &'a [Option<f64>],
    /// The cell that is pointed at in any of the pictures.
    pub lit: Option<usize>,
    /// Some draws of a cell, once they are computed.
    pub cloud: Option<&'a CellCloud>,
    /// The number of the run in the scenario, which has its colour.
    pub run: usize,
}

/// Response of a picture: cells by their numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SweepResponse {
    /// The cell that the pointer is at.
    pub pointed: Option<usize>,
    /// The cell that was clicked.
    pub opened: Option<usize>,
}

impl SweepResponse {
    /// What happened on this picture, or else on another.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self { pointed: self.pointed.or(other.pointed), opened: self.opened.or(other.opened) }
    }
}

impl SweepInput<'_> {
    /// The key of the measure.
    pub(super) fn key(&self) -> &'static str {
        self.plan.sweep().measures.get(self.measure).copied().unwrap_or_default()
    }

    /// The values of the measure in a cell, seed by seed.
    pub(super) fn values<'a>(&self, cell: &'a Cell) -> &'a [Option<f64>] {
        cell.measures.get(self.measure).map_or(&[], Vec::as_slice)
    }

    /// The value that a cell shows.
    pub(super) fn value(&self, cell: &Cell) -> Option<f64> {
        let values = self.values(cell);
        match self.part {
            Part::Mean => Some(Spread::of(values)?.mean),
            Part::Spread => Spread::of(values)?.sd,
            Part::Bias => bias_and_mse(values).map(|(bias, _)| bias),
            Part::SquaredError => bias_and_mse(values).map(|(_, mse)| mse),
        }
    }

    /// A cell, if it is computed.
    pub(super) fn cell(&self, number: usize) -> Option<&Cell> {
        let index = self.cells.binary_search_by_key(&number, |cell| cell.number).ok()?;
        self.cells.get(index)
    }

    /// The numbers of the cells on the Pareto front.
    pub(super) fn front(&self) -> &[usize] {
        self.findings.map_or(&[], |findings| &findings.front)
    }

    /// The number of the cell of the run that is shown, if its parameters are those of a cell.
    pub(super) fn present_cell(&self) -> Option<usize> {
        let mut number = 0;
        for (values, present) in self.plan.axes().iter().zip(self.present) {
            let present = (*present)?;
            let index = values.iter().position(|value| value.to_bits() == present.to_bits())?;
            number = number * values.len() + index;
        }
        Some(number)
    }
}

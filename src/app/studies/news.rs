//! News of studies: what their work tells the window.

use std::sync::Arc;

use crate::app::trials::trial::Along;
use base::params::ParamError;
use draw::views::sweep::geometry::CellCloud;
use engine::diagnostics::hmc_reference::Reference;
use engine::scenario::Question;
use engine::session::range_test::RangePoint;
use engine::session::repeats::Repeat;
use engine::session::sweep::{Cell, Findings, SweepPlan};

/// News of a study, or why there are no more.
#[derive(Debug)]
pub enum News {
    /// A repeat of the scenario, or why it cannot be built.
    Repeat(Result<Repeat, Vec<ParamError>>),
    /// A point of a range test, or why its run cannot be built.
    Point(Result<RangePoint, Vec<ParamError>>),
    /// The plan of a sweep, its cells or what they say, or why it cannot be computed.
    Sweep(Result<SweepNews, Vec<ParamError>>),
    /// The small picture of a cell of a sweep.
    Cloud(Box<CellCloud>),
    /// How the main measure went along the runs of a trial.
    Along(Along),
    /// A reference as far as it is, or why there is none.
    Reference(Result<Arc<Reference>, &'static str>),
}

/// News of a sweep: the plan, some cells, and what all of them say.
#[derive(Debug)]
pub enum SweepNews {
    /// The sweep is ready to be computed.
    Plan(Arc<SweepPlan>),
    /// The next cells.
    Cells(Vec<Cell>),
    /// What all cells say, with the questions that they answer.
    Findings(Vec<Question>, Arc<Findings>),
}

//! What the computation of a sweep tells the window.

use std::sync::Arc;

use engine::scenario::Question;
use engine::session::sweep::{Cell, Findings, SweepPlan};

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

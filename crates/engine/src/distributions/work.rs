//! The work of a distribution along its steps, and how much of it a picture may have.

use super::NotComputed;
use super::plan::{Computable, Kind};

/// What moving a node costs beside adding a cell to a sum.
const NODE: f64 = 8.0;

/// The share of all pairs of nodes that a proposal in the plane leads to.
const PROPOSED: f64 = 0.15;

/// Cells in which draws are counted.
const CELLS: f64 = 14_400.0;

/// Work of a curve at most: some minutes.
const MOST_WORK: f64 = 6e9;

/// What a step costs on so many nodes, in additions to cells.
pub(super) fn cost(of: &Computable, [columns, rows]: [usize; 2]) -> f64 {
    match of.kind {
        Kind::Line => moved(of, columns),
        Kind::Product => moved(of, columns + rows) + CELLS,
        Kind::Plane | Kind::PhaseSpace => moved(of, columns * rows),
    }
}

/// What moving so many nodes costs.
pub(super) fn moved(of: &Computable, nodes: usize) -> f64 {
    let nodes = nodes as f64;
    if of.kind == Kind::Plane && of.rejects() { PROPOSED * nodes * nodes } else { NODE * nodes }
}

/// Whether what so many steps collect is computed in a time that a picture may take.
///
/// # Errors
/// If it takes longer.
pub(super) fn may_be_drawn(of: &Computable, nodes: [usize; 2], steps: u64) -> Result<(), NotComputed> {
    if steps as f64 * cost(of, nodes) > MOST_WORK {
        return Err(NotComputed::Unsuited(
            "so many steps take too long for a picture; the command sampler-lab exact computes them",
        ));
    }
    Ok(())
}

//! The work of a distribution along its steps, and how much of it a picture may have.

use super::NotComputed;
use super::plan::{Computable, Kind};

/// What moving a node costs beside adding a cell to a sum.
const NODE: f64 = 8.0;

/// Cells in which draws are counted.
const CELLS: f64 = 14_400.0;

/// Work of a curve at most: some minutes.
const MOST_WORK: f64 = 6e9;

/// What a step costs on so many nodes, in additions to cells.
pub(super) fn cost(of: &Computable, [columns, rows]: [usize; 2]) -> f64 {
    match of.kind {
        Kind::Line => NODE * columns as f64,
        Kind::Product => NODE * (columns + rows) as f64 + CELLS,
        Kind::Plane | Kind::PhaseSpace => NODE * (columns * rows) as f64,
    }
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

//! Grids of a target: the cells of its view, and wider ones around it. On the line each is a single row.

use base::math::{Axis, Bounds, Grid};
use models::targets::TargetInfo;

/// Cells along each axis: 0.1 wide on the default grid of Gaussians, whose view is [−6, 6]².
const CELLS: usize = 120;

/// Cells along each axis of the finer grid on which draws are counted, a multiple of [`CELLS`].
const FINE_CELLS: usize = 2 * CELLS;

/// Cells along each axis of the coarser grid around the view.
const OUTER_CELLS: usize = 120;

/// Its size in views, odd, so that whole cells of it make up the view.
const OUTER_VIEWS: usize = 5;

/// See [`Truth::grid`](super::Truth::grid).
pub(super) fn of_view(info: &TargetInfo) -> Grid {
    over_view(info, CELLS)
}

/// See [`Truth::image_grid`](super::Truth::image_grid).
pub(super) fn of_image(info: &TargetInfo) -> Grid {
    over_view(info, FINE_CELLS)
}

/// See [`Truth::outer_grid`](super::Truth::outer_grid).
pub(super) fn around_view(info: &TargetInfo) -> Grid {
    let inner = over_view(info, OUTER_CELLS);
    let wider = |axis: Axis| {
        let reach = 0.5 * (OUTER_VIEWS - 1) as f64 * (axis.max - axis.min);
        Axis { min: axis.min - reach, max: axis.max + reach, ..axis }
    };
    Grid { x: wider(inner.x), y: if info.dimension == 2 { wider(inner.y) } else { inner.y } }
}

/// `cells` along each axis over the view.
fn over_view(info: &TargetInfo, cells: usize) -> Grid {
    let view = info.view;
    if info.dimension == 2 {
        return Grid::new(view, cells, cells);
    }
    Grid::new(Bounds::new((view.min.x, view.max.x), (-0.5, 0.5)), cells, 1)
}

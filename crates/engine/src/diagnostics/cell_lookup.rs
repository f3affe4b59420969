//! Looks up the cells of positions on the image grid of a truth.

use base::math::elementary::{rounded, whole_bits};

use super::Truth;
use super::histogram::{nowhere, outside};

/// Draws whose cells are found at once; it does not affect the result. A power of two.
pub(super) const BATCH: usize = 256;

/// The image grid in the form in which positions are located on it: a coordinate becomes (x − low) · `per_width`, a
/// number from −½ to ½ less than the number of cells, and is rounded to that of its cell.
pub(super) struct CellLookup {
    /// The middle of the first cell.
    low: [f64; 2],
    per_width: [f64; 2],
    /// Half the number of cells.
    half: [f64; 2],
    columns: f64,
    /// The number of everything outside.
    pub outside: u32,
    /// The number of what is not a draw.
    pub nowhere: u32,
    /// What second coordinates count: 0 on a line.
    pub second: f64,
}

impl CellLookup {
    pub fn new(truth: &Truth) -> Self {
        let grid = truth.image_grid();
        let axes = [grid.x, grid.y];
        Self {
            low: axes.map(|axis| axis.min + 0.5 * axis.width()),
            per_width: axes.map(|axis| axis.cells as f64 / (axis.max - axis.min)),
            half: axes.map(|axis| 0.5 * axis.cells as f64),
            columns: grid.x.cells as f64,
            outside: outside(grid) as u32,
            nowhere: nowhere(grid) as u32,
            second: if truth.dimension() == 1 { 0.0 } else { 1.0 },
        }
    }

    /// Column and row of a position before they are rounded, and how far they are from the middle of the grid.
    #[inline(always)]
    fn on_grid(&self, x: f64, y: f64) -> ([f64; 2], [f64; 2]) {
        let at = [(x - self.low[0]) * self.per_width[0], (y * self.second - self.low[1]) * self.per_width[1]];
        (at, [0, 1].map(|axis| (at[axis] - (self.half[axis] - 0.5)).abs()))
    }

    /// Finds the cells of positions that are all well inside the grid; says whether they are. Without branches.
    #[inline(always)]
    pub fn locate_inside(&self, x: &[f64], y: &[f64], cells: &mut [u32; BATCH]) -> bool {
        let mut outside = 0;
        for ((&x, &y), cell) in x.iter().zip(y).zip(cells) {
            let (at, off) = self.on_grid(x, y);
            outside |= u64::from(!((off[0] < self.half[0]) & (off[1] < self.half[1])));
            *cell = whole_bits(rounded(at[1]) * self.columns + rounded(at[0]));
        }
        outside == 0
    }

    /// Finds the cells of any positions, with the same result for those well inside.
    pub fn locate(&self, x: &[f64], y: &[f64], cells: &mut [u32; BATCH]) {
        for ((&x, &y), cell) in x.iter().zip(y).zip(cells) {
            let (at, off) = self.on_grid(x, y);
            *cell = if !(x.is_finite() && y.is_finite()) {
                self.nowhere
            } else if off[0] <= self.half[0] && off[1] <= self.half[1] {
                let [column, row] = [0, 1].map(|axis| rounded(at[axis]).clamp(0.0, 2.0 * self.half[axis] - 1.0));
                whole_bits(row * self.columns + column)
            } else {
                self.outside
            };
        }
    }
}

//! Regular grids of cells over a rectangle.

use super::{Bounds, Point};

/// One direction of a grid: `cells` intervals of equal width from `min` to `max`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axis {
    /// Lower end of the first cell.
    pub min: f64,
    /// Upper end of the last cell.
    pub max: f64,
    /// Number of cells, at least 1.
    pub cells: usize,
}

#[expect(clippy::cast_sign_loss, reason = "cell numbers are small and checked against the ends before the cast")]
impl Axis {
    /// Width of a cell.
    #[inline]
    #[must_use]
    pub fn width(&self) -> f64 {
        (self.max - self.min) / self.cells as f64
    }

    /// The number of the cell that holds `value`; `None` outside. The upper end belongs to the last cell.
    #[must_use]
    #[inline]
    pub fn cell(&self, value: f64) -> Option<usize> {
        if !(value >= self.min && value <= self.max) {
            return None;
        }
        let number = ((value - self.min) / (self.max - self.min) * self.cells as f64) as usize;
        Some(number.min(self.cells - 1))
    }

    /// The lower edge of cell `number`; edge `cells` is the upper end.
    #[inline]
    #[must_use]
    pub fn edge(&self, number: usize) -> f64 {
        self.min + (self.max - self.min) * number as f64 / self.cells as f64
    }

    /// The middle of cell `number`.
    #[inline]
    #[must_use]
    pub fn centre(&self, number: usize) -> f64 {
        self.min + (self.max - self.min) * (number as f64 + 0.5) / self.cells as f64
    }
}

/// A grid of cells over a rectangle, stored by rows from the lower left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    /// Columns.
    pub x: Axis,
    /// Rows.
    pub y: Axis,
}

impl Grid {
    /// `columns` × `rows` cells over `window`.
    #[must_use]
    pub fn new(window: Bounds, columns: usize, rows: usize) -> Self {
        Self {
            x: Axis { min: window.min.x, max: window.max.x, cells: columns },
            y: Axis { min: window.min.y, max: window.max.y, cells: rows },
        }
    }

    /// Number of cells.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.x.cells * self.y.cells
    }

    /// Whether there are no cells.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The index of the cell that holds `point`; `None` outside.
    #[must_use]
    #[inline]
    pub fn cell(&self, point: Point) -> Option<usize> {
        Some(self.y.cell(point.y)? * self.x.cells + self.x.cell(point.x)?)
    }

    /// The middle of the cell with `index`.
    #[inline]
    #[must_use]
    pub fn centre(&self, index: usize) -> Point {
        Point::new(self.x.centre(index % self.x.cells), self.y.centre(index / self.x.cells))
    }
}

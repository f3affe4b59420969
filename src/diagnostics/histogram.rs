//! Draws counted by cell, and those in mixed cells by code as well.

use crate::math::Grid;

use super::Reference;
use super::mode_map::CODES_PER_MODE;

/// A number of draws or a sum of weights.
pub(super) trait Amount: Copy + Default + PartialEq + Into<f64> {
    /// Both together.
    fn plus(self, other: Self) -> Self;
}

impl Amount for u32 {
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self.saturating_add(other)
    }
}

impl Amount for f64 {
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self + other
    }
}

/// Amounts per cell of a reference's image grid and per code.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Histogram<T> {
    /// By cell; then what is outside, and what is not a draw.
    cells: Vec<T>,
    /// By code, of draws in [mixed](super::mode_map::MIXED) cells only.
    codes: Vec<T>,
}

/// The number that stands for everything outside a grid.
#[inline(always)]
pub(super) fn outside(grid: &Grid) -> usize {
    grid.len()
}

/// The number that stands for what is not a draw.
#[inline(always)]
pub(super) fn nowhere(grid: &Grid) -> usize {
    grid.len() + 1
}

impl<T: Amount> Histogram<T> {
    pub fn new(reference: &Reference) -> Self {
        Self {
            cells: vec![T::default(); nowhere(reference.image_grid()) + 1],
            codes: vec![T::default(); reference.modes().len() * CODES_PER_MODE],
        }
    }

    #[inline(always)]
    pub fn add_to_cell(&mut self, cell: usize, amount: T) {
        self.cells[cell] = self.cells[cell].plus(amount);
    }

    #[inline(always)]
    pub fn add_to_code(&mut self, code: usize, amount: T) {
        if let Some(sum) = self.codes.get_mut(code) {
            *sum = sum.plus(amount);
        }
    }

    /// Forgets what was not a draw, and returns how much of it there was.
    pub fn take_nowhere(&mut self) -> T {
        self.cells.last_mut().map(std::mem::take).unwrap_or_default()
    }

    pub fn merge(&mut self, other: &Self) {
        for (own, others) in [(&mut self.cells, &other.cells), (&mut self.codes, &other.codes)] {
            own.iter_mut().zip(others).for_each(|(own, other)| *own = own.plus(*other));
        }
    }

    /// Adds the amounts in cells to `image`.
    pub fn add_to_image(&self, image: &mut [f64]) {
        image.iter_mut().zip(&self.cells).for_each(|(sum, &amount)| *sum += amount.into());
    }

    /// Adds up cells to those of the reference's grid, and everything by code; returns what is outside.
    pub fn add_up(&self, reference: &Reference, cells: &mut [f64], codes: &mut [f64]) -> f64 {
        let (image, grid) = (reference.image_grid(), reference.grid());
        let (columns, group) = (image.x.cells, image.x.cells / grid.x.cells);
        let rows = self.cells.chunks_exact(columns).zip(reference.codes().chunks_exact(columns));
        for (row, (amounts, codes_of_row)) in rows.take(image.y.cells).enumerate() {
            let first = reference.cell_around(row * columns);
            for (column, (&amount, &code)) in amounts.iter().zip(codes_of_row).enumerate() {
                if amount == T::default() {
                    continue;
                }
                cells[first + column / group] += amount.into();
                // The code of a mixed cell is beyond the end: its draws are in `codes` one by one.
                if let Some(sum) = codes.get_mut(usize::from(code)) {
                    *sum += amount.into();
                }
            }
        }
        codes.iter_mut().zip(&self.codes).for_each(|(sum, &amount)| *sum += amount.into());
        self.cells[outside(image)].into()
    }
}

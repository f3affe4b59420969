//! Histogram of draws by cell; draws in mixed cells are counted by code as well, draws outside the view on a coarser
//! grid.

use std::sync::Arc;

use base::math::{Grid, Pool, Pooled};

use super::Truth;
use super::mode_map::CODES_PER_MODE;

/// Numbers of dropped histograms that wait for new ones at most: a run keeps copies of its counts along its way.
const POOLED: usize = 4_000_000;

/// A number of draws or a sum of weights.
pub(super) trait Amount: Copy + Default + PartialEq + Into<f64> {
    /// Both together.
    fn plus(self, other: Self) -> Self;

    /// The pool of lists of such numbers.
    fn pool(pools: &Pools) -> &Arc<Pool<Self>>;
}

/// Memory of histograms that are gone, for new ones on the same cells.
#[derive(Clone, Debug)]
pub(super) struct Pools {
    numbers: Arc<Pool<u32>>,
    weights: Arc<Pool<f64>>,
}

impl Default for Pools {
    fn default() -> Self {
        Self { numbers: Arc::new(Pool::new(POOLED)), weights: Arc::new(Pool::new(POOLED)) }
    }
}

/// They hold memory and nothing else.
impl PartialEq for Pools {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Amount for u32 {
    fn pool(pools: &Pools) -> &Arc<Pool<Self>> {
        &pools.numbers
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self.saturating_add(other)
    }
}

impl Amount for f64 {
    fn pool(pools: &Pools) -> &Arc<Pool<Self>> {
        &pools.weights
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self + other
    }
}

/// Amounts per cell of a truth's image grid and per code.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Histogram<T: Amount> {
    /// By cell; then what is outside, and what is not a draw.
    cells: Pooled<T>,
    /// By code, of draws in [mixed](super::mode_map::MIXED) cells only.
    codes: Vec<T>,
    /// By cell of the outer grid, of draws outside the image grid only, and at the end of what is beyond both; made
    /// when the first of them comes, for most runs have none.
    outer: Vec<T>,
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

/// A function of its own, so that the compiler knows that the address of the sums stays the same while they change.
#[inline(always)]
fn add_to<T: Amount>(sums: &mut [T], cells: &[u32], amount: T) {
    for &cell in cells {
        let sum = &mut sums[cell as usize];
        *sum = sum.plus(amount);
    }
}

impl<T: Amount> Histogram<T> {
    pub fn new(truth: &Truth) -> Self {
        Self {
            cells: Pooled::zeros(nowhere(truth.image_grid()) + 1, T::pool(truth.pools())),
            codes: vec![T::default(); truth.basin_count() * CODES_PER_MODE],
            outer: Vec::new(),
        }
    }

    /// Adds as much to each of these cells.
    #[inline(always)]
    pub fn add_to_cells(&mut self, cells: &[u32], amount: T) {
        add_to(&mut self.cells, cells, amount);
    }

    /// Adds as much to each of these codes.
    #[inline(always)]
    pub fn add_to_codes(&mut self, codes: &[u32], amount: T) {
        add_to(&mut self.codes, codes, amount);
    }

    /// Adds to a cell of the outer grid, or to what is beyond it.
    pub fn add_outside(&mut self, outer_grid: &Grid, cell: Option<usize>, amount: T) {
        if self.outer.is_empty() {
            self.outer = vec![T::default(); outer_grid.len() + 1];
        }
        let sum = &mut self.outer[cell.unwrap_or(outer_grid.len())];
        *sum = sum.plus(amount);
    }

    /// How much is outside the view.
    pub fn outside(&self) -> T {
        let end = self.cells.len().saturating_sub(2);
        self.cells.get(end).copied().unwrap_or_default()
    }

    /// How much is far from the target, outside the view or in it.
    pub fn far(&self, truth: &Truth) -> f64 {
        let in_view = self.cells.iter().zip(truth.far_in_view()).filter(|(_, far)| **far);
        in_view.map(|(&amount, _)| amount.into()).sum::<f64>() + self.outside().into()
    }

    /// Forgets what was not a draw, and returns how much of it there was.
    pub fn take_nowhere(&mut self) -> T {
        self.cells.last_mut().map(std::mem::take).unwrap_or_default()
    }

    pub fn merge(&mut self, other: &Self) {
        if self.outer.is_empty() {
            self.outer.clone_from(&other.outer);
        } else {
            self.outer.iter_mut().zip(&other.outer).for_each(|(own, other)| *own = own.plus(*other));
        }
        for (own, others) in [(&mut *self.cells, &*other.cells), (&mut self.codes, &other.codes)] {
            own.iter_mut().zip(others).for_each(|(own, other)| *own = own.plus(*other));
        }
    }

    /// Adds the amounts in cells to `image`.
    pub fn add_to_image(&self, image: &mut [f64]) {
        image.iter_mut().zip(&*self.cells).for_each(|(sum, &amount)| *sum += amount.into());
    }

    /// Adds up everything in the forms in which the measures need it.
    pub fn add_up(&self, truth: &Truth, sums: &mut Summed) {
        let (image, grid) = (truth.image_grid(), truth.grid());
        let (columns, group) = (image.x.cells, image.x.cells / grid.x.cells);
        let rows = self.cells.chunks_exact(columns).zip(truth.codes().chunks_exact(columns));
        for (row, (amounts, codes_of_row)) in rows.take(image.y.cells).enumerate() {
            let first = truth.cell_around(row * columns);
            for (column, (&amount, &code)) in amounts.iter().zip(codes_of_row).enumerate() {
                if amount == T::default() {
                    continue;
                }
                let amount = amount.into();
                sums.cells[first + column / group] += amount;
                sums.columns[column] += amount;
                sums.rows[row] += amount;
                // The code of a mixed cell is beyond the end: its draws are in `codes` one by one.
                if let Some(sum) = sums.codes.get_mut(usize::from(code)) {
                    *sum += amount;
                }
            }
        }
        sums.codes.iter_mut().zip(&self.codes).for_each(|(sum, &amount)| *sum += amount.into());
        sums.outside += self.cells[outside(image)].into();
        if let Some((&beyond, cells)) = self.outer.split_last() {
            sums.outer.resize(cells.len(), 0.0);
            sums.outer.iter_mut().zip(cells).for_each(|(sum, &amount)| *sum += amount.into());
            sums.beyond += beyond.into();
        }
    }

    /// Adds up everything by code only.
    pub fn by_code(&self, truth: &Truth) -> Vec<f64> {
        let mut codes: Vec<f64> = self.codes.iter().map(|&amount| amount.into()).collect();
        for (&amount, &code) in self.cells.iter().zip(truth.codes()).take(truth.image_grid().len()) {
            if let Some(sum) = codes.get_mut(usize::from(code)) {
                *sum += amount.into();
            }
        }
        codes
    }
}

/// Amounts added up: per cell of the truth's grid, per column and row of its image grid, per code, and outside.
#[derive(Clone, Debug)]
pub(super) struct Summed {
    pub cells: Vec<f64>,
    pub columns: Vec<f64>,
    pub rows: Vec<f64>,
    pub codes: Vec<f64>,
    /// Everything outside the view.
    pub outside: f64,
    /// The part of it per cell of the outer grid; empty without any.
    pub outer: Vec<f64>,
    /// The part of it beyond the outer grid.
    pub beyond: f64,
}

impl Summed {
    pub fn new(truth: &Truth) -> Self {
        let image = truth.image_grid();
        Self {
            cells: vec![0.0; truth.grid().len()],
            columns: vec![0.0; image.x.cells],
            rows: vec![0.0; image.y.cells],
            codes: vec![0.0; truth.basin_count() * CODES_PER_MODE],
            outside: 0.0,
            outer: Vec::new(),
            beyond: 0.0,
        }
    }
}

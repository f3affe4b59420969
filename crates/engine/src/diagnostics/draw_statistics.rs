//! Statistics of the draws in [`DrawCounts`](super::DrawCounts), or of a [`Fit`](super::Fit): the numbers that measures
//! are computed from.

use base::math::Gaussian;

use super::Truth;
use super::mode_map::CODES_PER_MODE;

/// Probability outside of the view, or beyond the outer grid, below which there is none. Far tails of Gaussians must not
/// count as draws too far out for a distance; what is left out moves distances by at most √10⁻⁹ of their reach.
pub(super) const NEGLIGIBLE: f64 = 1e-9;

/// Probabilities of a distribution inside the view, summed where draws are counted.
#[derive(Clone, Debug)]
pub(super) struct InView {
    /// Of the cells of [`Truth::grid`].
    pub(super) cells: Vec<f64>,
    /// Of the columns and of the rows of [`Truth::image_grid`].
    pub(super) columns: Vec<f64>,
    pub(super) rows: Vec<f64>,
    /// Outside of the view.
    pub(super) outside: f64,
}

impl InView {
    /// From the probabilities of the cells of [`Truth::image_grid`].
    pub(super) fn of(truth: &Truth, fine: &[f64]) -> Self {
        let image = truth.image_grid();
        let mut cells = vec![0.0; truth.grid().len()];
        let (mut columns, mut rows) = (vec![0.0; image.x.cells], vec![0.0; image.y.cells]);
        for (cell, &mass) in fine.iter().enumerate() {
            cells[truth.cell_around(cell)] += mass;
            columns[cell % image.x.cells] += mass;
            rows[cell / image.x.cells] += mass;
        }
        let outside = (1.0 - rows.iter().sum::<f64>()).max(0.0);
        Self { cells, columns, rows, outside }
    }
}

/// Sums over all draws. Only [`close_draws`](Self::close_draws) counts draws; everything else adds weights up. The sums
/// of a fit are those of infinitely many draws from it, scaled to a total weight of 1.
#[derive(Clone, Debug, PartialEq)]
pub struct DrawStatistics {
    pub(super) draws: Option<u64>,
    pub(super) weight: f64,
    pub(super) squared_weights: f64,
    pub(super) cells: Vec<f64>,
    pub(super) columns: Vec<f64>,
    pub(super) rows: Vec<f64>,
    pub(super) outside: f64,
    pub(super) outer: Vec<f64>,
    pub(super) beyond: f64,
    pub(super) close: Vec<u64>,
    pub(super) basins: Vec<f64>,
    pub(super) within: f64,
    pub(super) gaussian: Option<Gaussian>,
}

impl DrawStatistics {
    /// Number of draws; `None` for a fit, which stands for infinitely many.
    #[must_use]
    pub fn draws(&self) -> Option<u64> {
        self.draws
    }

    /// Whether there is no draw yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.draws == Some(0)
    }

    /// The number of draws of equal weight that are worth as much, (Σw)²/Σw² (Kish 1965); `None` for a fit.
    #[must_use]
    pub fn effective_draws(&self) -> Option<f64> {
        self.draws.map(|_| if self.weight > 0.0 { self.weight * self.weight / self.squared_weights } else { 0.0 })
    }

    /// Total weight of the draws.
    #[must_use]
    pub fn weight(&self) -> f64 {
        self.weight
    }

    /// Weight per cell of the truth's grid, by rows from the lower left.
    #[must_use]
    pub fn cells(&self) -> &[f64] {
        &self.cells
    }

    /// Weight inside the view per column of [`Truth::image_grid`](super::Truth::image_grid).
    #[must_use]
    pub fn columns(&self) -> &[f64] {
        &self.columns
    }

    /// Weight inside the view per row of the image grid.
    #[must_use]
    pub fn rows(&self) -> &[f64] {
        &self.rows
    }

    /// Weight outside the grid.
    #[must_use]
    pub fn outside(&self) -> f64 {
        self.outside
    }

    /// Weight outside the grid per cell of [`Truth::outer_grid`](super::Truth::outer_grid), by rows from the
    /// lower left; empty if there is none.
    #[must_use]
    pub fn outer_cells(&self) -> &[f64] {
        &self.outer
    }

    /// Weight beyond the outer grid, a part of [`outside`](Self::outside).
    #[must_use]
    pub fn beyond(&self) -> f64 {
        self.beyond
    }

    /// Number of draws within the coverage radius of each mode; none for a fit.
    #[must_use]
    pub fn close_draws(&self) -> &[u64] {
        &self.close
    }

    /// Weight nearest to each mode.
    #[must_use]
    pub fn basins(&self) -> &[f64] {
        &self.basins
    }

    /// Weight within three standard deviations of the nearest mode.
    #[must_use]
    pub fn within_3sd(&self) -> f64 {
        self.within
    }

    /// Weighted mean and covariance; `None` without draws.
    #[must_use]
    pub fn gaussian(&self) -> Option<Gaussian> {
        self.gaussian
    }
}

/// Weight of the codes of each mode, and of those within three standard deviations.
pub(super) fn by_mode(codes: &[f64]) -> (Vec<f64>, f64) {
    let modes = codes.chunks_exact(CODES_PER_MODE);
    let within = modes.clone().map(|codes| codes[1] + codes[3]).sum();
    (modes.map(|codes| codes.iter().sum()).collect(), within)
}

/// Draws of each mode within the coverage radius.
#[expect(clippy::cast_sign_loss, reason = "a number of draws is below 2⁵³")]
pub(super) fn close_by_mode(codes: &[f64]) -> Vec<u64> {
    codes.chunks_exact(CODES_PER_MODE).map(|codes| (codes[2] + codes[3]) as u64).collect()
}

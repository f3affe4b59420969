//! Quantities that measures derive from a [`Truth`] alone (marginals, projections, spectrum, what is far), computed at first use and
//! kept.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use super::Truth;
use super::far_region::FarRegion;
use super::marginal::Marginal;
use super::projections::Projections;
use super::refutation::Outside;
use super::spectrum::Spectrum;

/// Shared by all clones of a truth. It follows from the other fields, so comparisons of two truths leave it out.
#[derive(Clone, Debug, Default)]
pub(super) struct Prepared(Arc<PreparedTruth>);

#[derive(Debug, Default)]
struct PreparedTruth {
    marginals: OnceLock<[Marginal; 2]>,
    projections: OnceLock<Projections>,
    spectrum: OnceLock<Option<Spectrum>>,
    outside: Outside,
    far: OnceLock<FarRegion>,
}

impl PartialEq for Prepared {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// Probability outside the view at most for measures that put it into cells of the view.
const MOST_OUTSIDE: f64 = 1e-3;

/// Reason if more of the target lies outside.
pub(super) const NOT_IN_VIEW: &str = "too much of the target is outside the view";

impl Truth {
    /// Whether nearly all of the target is inside the view. Heavy tails are not: of a funnel drawn large enough for its
    /// mouth nothing could be seen, so its view leaves a hundredth out.
    pub(super) fn is_in_view(&self) -> bool {
        self.outside() < MOST_OUTSIDE
    }

    /// Probabilities of the cells that add up to 1 where the cells do not hold everything: measures of distance need a
    /// position for the rest. It is put into the cells along the edge of the view, in proportion to what they hold. Views
    /// are made to show the density, so the rest is small, and it is not far from there; where it is not small,
    /// measures do not ask for this (see [`is_in_view`](Self::is_in_view)).
    pub(super) fn all_in_cells(&self) -> Cow<'_, [f64]> {
        let (grid, probabilities) = (self.grid(), self.probabilities());
        if self.outside() <= 0.0 {
            return Cow::Borrowed(probabilities);
        }
        let ends = |number: usize, cells: usize| cells > 1 && (number == 0 || number + 1 == cells);
        let (columns, rows) = (grid.x.cells, grid.y.cells);
        let at_edge = |cell: usize| ends(cell % columns, columns) || ends(cell / columns, rows);
        let held: f64 = (0..grid.len()).filter(|&cell| at_edge(cell)).map(|cell| probabilities[cell]).sum();
        let inside = 1.0 - self.outside();
        let in_cell = |(cell, &probability): (usize, &f64)| match held > 0.0 {
            true if at_edge(cell) => probability + self.outside() * (probability / held),
            true => probability,
            false => probability / inside,
        };
        Cow::Owned(probabilities.iter().enumerate().map(in_cell).collect())
    }

    /// The marginal distributions of x and y.
    pub(super) fn marginals(&self) -> &[Marginal; 2] {
        self.prepared().0.marginals.get_or_init(|| Marginal::both(self))
    }

    /// The projections of the target onto fixed directions.
    pub(super) fn projections(&self) -> &Projections {
        self.prepared().0.projections.get_or_init(|| Projections::new(self))
    }

    /// Probabilities of cells outside of the view.
    pub(super) fn outside_cells(&self) -> &Outside {
        &self.prepared().0.outside
    }

    /// What is far from the target.
    pub(super) fn far_region(&self) -> &FarRegion {
        self.prepared().0.far.get_or_init(|| FarRegion::new(self))
    }

    /// The transform of the kernel of `mmd2`; `None` without a covariance to scale it with.
    pub(super) fn spectrum(&self) -> Option<&Spectrum> {
        self.prepared().0.spectrum.get_or_init(|| Spectrum::new(self)).as_ref()
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use approx::assert_relative_eq;

    use super::*;
    use crate::diagnostics::test_targets::Mixture;
    use base::math::{Bounds, Gaussian, Matrix, Point};
    use base::params::Settings;
    use models::targets::{self, TARGETS};

    #[test]
    fn what_the_view_does_not_show_is_put_along_its_edge() {
        let part = Gaussian { mean: Point::zeros(), covariance: Matrix::identity() };
        let target = Mixture::new(2, &[(1.0, part)], Bounds::new((-3.0, 5.0), (-6.0, 6.0)));
        let truth = Truth::new(&target);
        assert_relative_eq!(truth.outside(), 0.5 * libm::erfc(3.0 / 2.0_f64.sqrt()), max_relative = 1e-3);
        let filled = truth.all_in_cells();
        assert_relative_eq!(filled.iter().sum::<f64>(), 1.0, epsilon = 1e-12);
        let gained: Vec<f64> = filled.iter().zip(truth.probabilities()).map(|(filled, own)| filled - own).collect();
        // Nearly everything that is missing is to the left, and is put into the first column.
        let left: f64 = gained.chunks(120).map(|row| row[0]).sum();
        assert_relative_eq!(left, truth.outside(), max_relative = 1e-3);
    }

    #[test]
    fn views_show_all_but_a_thousandth_except_of_funnels() {
        for kind in &TARGETS {
            let target = targets::build(&Settings::defaults(kind), Path::new(".")).expect("defaults");
            let Some(density) = target.density() else { continue };
            let truth = Truth::new(density.as_ref());
            assert_eq!(truth.is_in_view(), kind.name != "funnel", "{}: {}", kind.name, truth.outside());
            assert!(truth.outside() < 0.02, "{}: {}", kind.name, truth.outside());
            assert_relative_eq!(truth.all_in_cells().iter().sum::<f64>(), 1.0, epsilon = 1e-12);
        }
    }

    #[test]
    fn clones_share_and_compare_without_it() {
        let truth = Truth::new(&Mixture::grid());
        let clone = truth.clone();
        assert!(std::ptr::eq(truth.projections(), clone.projections()));
        assert_eq!(truth, Truth::new(&Mixture::grid()));
    }
}

//! What draws leave behind: everything the measures need, at a fixed size however many draws there were.

use crate::math::{Moments, Point};

use super::Reference;

/// Counts and sums over draws, made for one [`Reference`].
///
/// Counts of draws near a mode ignore weights; everything else adds weights up. With equal weights of 1 all sums
/// except the moments are whole numbers, so that merging in any order gives the same bits.
#[derive(Clone, Debug, PartialEq)]
pub struct Tally {
    /// Weight per cell of the reference's grid.
    cells: Vec<f64>,
    /// Weight outside the grid.
    outside: f64,
    /// Draws within the coverage radius of each mode.
    close: Vec<u64>,
    /// Weight nearest to each mode.
    basins: Vec<f64>,
    /// Weight within three standard deviations of the nearest mode.
    within: f64,
    moments: Moments,
    draws: u64,
}

impl Tally {
    /// An empty tally for `reference`.
    #[must_use]
    pub fn new(reference: &Reference) -> Self {
        Self {
            cells: vec![0.0; reference.probabilities().len()],
            outside: 0.0,
            close: vec![0; reference.modes().len()],
            basins: vec![0.0; reference.modes().len()],
            within: 0.0,
            moments: Moments::default(),
            draws: 0,
        }
    }

    /// Adds a draw. A draw that is not finite, or whose weight is not finite and positive, is not counted.
    ///
    /// `reference` must be the one the tally was made for.
    #[inline]
    pub fn add(&mut self, reference: &Reference, at: Point, weight: f64) {
        if !(at.x.is_finite() && at.y.is_finite() && weight > 0.0 && weight.is_finite()) {
            return;
        }
        let at = reference.within_dimension(at);
        let cell = reference.grid().cell(at);
        match cell.and_then(|cell| self.cells.get_mut(cell)) {
            Some(sum) => *sum += weight,
            None => self.outside += weight,
        }
        let nearest = reference.mode_map().nearest(at, cell);
        if let (Some(basin), Some(close)) = (self.basins.get_mut(nearest.mode), self.close.get_mut(nearest.mode)) {
            *basin += weight;
            *close += u64::from(nearest.close);
        }
        if nearest.within_3sd {
            self.within += weight;
        }
        self.moments.add(at, weight);
        self.draws += 1;
    }

    /// Both tallies together; they must have been made for the same reference.
    #[must_use]
    pub fn merged(&self, other: &Self) -> Self {
        let sums = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a + b).collect();
        Self {
            cells: sums(&self.cells, &other.cells),
            outside: self.outside + other.outside,
            close: self.close.iter().zip(&other.close).map(|(a, b)| a + b).collect(),
            basins: sums(&self.basins, &other.basins),
            within: self.within + other.within,
            moments: self.moments.merged(&other.moments),
            draws: self.draws + other.draws,
        }
    }

    /// Number of draws.
    #[must_use]
    pub fn draws(&self) -> u64 {
        self.draws
    }

    /// Total weight of the draws.
    #[must_use]
    pub fn weight(&self) -> f64 {
        self.moments.weight()
    }

    /// Weight per cell of the reference's grid, by rows from the lower left.
    #[must_use]
    pub fn cells(&self) -> &[f64] {
        &self.cells
    }

    /// Weight outside the grid.
    #[must_use]
    pub fn outside(&self) -> f64 {
        self.outside
    }

    /// Number of draws within the coverage radius of each mode.
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

    /// Weighted mean and covariance.
    #[must_use]
    pub fn moments(&self) -> &Moments {
        &self.moments
    }
}

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;
    use proptest::prelude::*;

    use super::*;
    use crate::diagnostics::test_targets::{Mixture, poor_draws, tallied, weighed};

    #[test]
    fn counts_agree_with_counting_one_by_one() {
        let reference = Reference::new(&Mixture::grid());
        let draws = poor_draws(1, 5000);
        let tally = weighed(&reference, &draws);
        let sum = |keep: &dyn Fn(Point) -> bool| -> f64 {
            draws.iter().filter(|(at, _)| keep(*at)).map(|(_, weight)| weight).sum()
        };
        let outside = |at: Point| at.x.abs() > 6.0 || at.y.abs() > 6.0;
        assert_relative_eq!(tally.outside(), sum(&outside), epsilon = 1e-9);
        assert_relative_eq!(tally.weight(), sum(&|_| true), epsilon = 1e-9);
        for (index, mode) in reference.modes().iter().enumerate() {
            let mine =
                |at: Point| reference.modes().iter().all(|other| (at - mode.at).norm() <= (at - other.at).norm());
            assert_relative_eq!(tally.basins()[index], sum(&mine), epsilon = 1e-9);
            let close = draws.iter().filter(|(at, _)| (at - mode.at).norm() <= 0.25).count();
            assert_eq!(tally.close_draws()[index], close as u64);
        }
        let within = |at: Point| reference.modes().iter().any(|mode| (at - mode.at).norm() <= 3.0 * 0.03_f64.sqrt());
        assert_relative_eq!(tally.within_3sd(), sum(&within), epsilon = 1e-9);
        assert_eq!(tally.draws(), 5000);
        let inside: f64 = tally.cells().iter().sum();
        assert_relative_eq!(inside + tally.outside(), tally.weight(), epsilon = 1e-9);
        assert_relative_eq!(tally.basins().iter().sum::<f64>(), tally.weight(), epsilon = 1e-9);
    }

    #[test]
    fn what_is_not_a_draw_is_not_counted() {
        let reference = Reference::new(&Mixture::grid());
        let mut tally = Tally::new(&reference);
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            tally.add(&reference, Point::new(bad, 0.0), 1.0);
            tally.add(&reference, Point::new(0.0, bad), 1.0);
            tally.add(&reference, Point::zeros(), bad);
        }
        tally.add(&reference, Point::zeros(), 0.0);
        tally.add(&reference, Point::zeros(), -1.0);
        assert_eq!(tally, Tally::new(&reference));
    }

    #[test]
    fn y_means_nothing_on_a_line() {
        let reference = Reference::new(&Mixture::line());
        let flat = tallied(&reference, &[Point::new(-2.1, 0.0), Point::new(1.0, 0.0)]);
        let lifted = tallied(&reference, &[Point::new(-2.1, 7.0), Point::new(1.0, -0.2)]);
        assert_eq!(flat, lifted);
        assert_eq!(flat.close_draws(), [1, 0]);
        assert_relative_eq!(flat.within_3sd(), 1.0);
    }

    proptest! {
        #[test]
        fn merging_equals_adding_one_after_the_other(seed: u64, count in 0_usize..300, cut in 0_usize..300) {
            let reference = Reference::new(&Mixture::line());
            let draws: Vec<_> = poor_draws(seed, count).into_iter().map(|(at, _)| at).collect();
            let (first, second) = draws.split_at(cut.min(count));
            let merged = tallied(&reference, first).merged(&tallied(&reference, second));
            let whole = tallied(&reference, &draws);
            prop_assert_eq!(&merged.cells, &whole.cells);
            prop_assert_eq!(&merged.close, &whole.close);
            prop_assert_eq!(&merged.basins, &whole.basins);
            prop_assert_eq!((merged.outside, merged.within), (whole.outside, whole.within));
            prop_assert_eq!((merged.draws, merged.weight()), (whole.draws, whole.weight()));
            if let (Some(merged), Some(whole)) = (merged.moments.gaussian(), whole.moments.gaussian()) {
                prop_assert!((merged.mean - whole.mean).norm() < 1e-12);
                prop_assert!((merged.covariance - whole.covariance).norm() < 1e-11);
            }
        }
    }

    #[test]
    fn an_empty_tally_changes_nothing() {
        let reference = Reference::new(&Mixture::grid());
        let tally = weighed(&reference, &poor_draws(4, 300));
        assert_eq!(tally.merged(&Tally::new(&reference)), tally);
        assert_eq!(Tally::new(&reference).merged(&Tally::new(&reference)), Tally::new(&reference));
    }
}

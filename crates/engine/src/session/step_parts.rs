//! Parts of steps, recorded now and then over a run: displacements of the chains by drift, gradient noise and injected
//! noise, which show the transition from optimising to sampling (Welling and Teh 2011, §4.2).
//!
//! Steps are chosen so that a run looks complete both on a linear and on a logarithmic axis: every one at first, then
//! fewer in proportion to their number, but at least [`PER_RUN`] over a long run.

use base::math::Point;
use samplers::methods::StepRecord;

/// Steps recorded per factor e, where the number of the step alone decides.
const PER_FACTOR: u64 = 32;

/// Steps recorded over a run at least, if it is long.
const PER_RUN: u64 = 500;

/// Steps between two recorded ones for that, at least: recording costs as much as a few steps.
const LEAST_GAP: u64 = 32;

/// A part of a step this much smaller than the largest is a rounding error: that of a minibatch of all data, say.
const ROUNDING: f64 = 1e-10;

/// The parts of a step, with those taken for zero that are mere rounding errors.
#[must_use]
pub fn without_rounding(parts: [Point; 4]) -> [Point; 4] {
    let largest = parts.iter().map(Point::norm).fold(0.0, f64::max);
    parts.map(|part| if part.norm() < ROUNDING * largest { Point::zeros() } else { part })
}

/// The parts of one step: per coordinate the root mean square over the chains whose steps are recorded, the first
/// [`super::MAX_RECORDS`]; in units of θ.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepParts {
    /// Number of the step.
    pub step: u64,
    /// Its step size.
    pub alpha: f64,
    /// Displacement by the momentum that was there before.
    pub carried: Point,
    /// Displacement by the full gradient.
    pub drift: Point,
    /// Displacement by the error of the gradient estimate.
    pub gradient_noise: Point,
    /// Displacement by the injected noise.
    pub injected_noise: Point,
}

impl StepParts {
    /// The parts of the step of which these are the records. Chains that have gone too far for a number are left out.
    pub fn of<'r>(step: u64, alpha: f64, records: impl Iterator<Item = &'r StepRecord>) -> Self {
        let mut sums = [Point::zeros(); 4];
        let mut chains = 0.0;
        for record in records {
            let parts = [record.carried, record.drift, record.gradient_noise, record.injected_noise];
            let squares = parts.map(|part| part.component_mul(&part));
            if squares.iter().all(|square| square.x.is_finite() && square.y.is_finite()) {
                chains += 1.0;
                sums.iter_mut().zip(squares).for_each(|(sum, square)| *sum += square);
            }
        }
        let sizes = sums.map(|sum| (sum / f64::max(chains, 1.0)).map(f64::sqrt));
        let [carried, drift, gradient_noise, injected_noise] = without_rounding(sizes);
        Self { step, alpha, carried, drift, gradient_noise, injected_noise }
    }
}

/// The step to record after step number `step` of a run of `steps`.
pub fn after(step: u64, steps: u64) -> u64 {
    step + (step / PER_FACTOR).min((steps / PER_RUN).max(LEAST_GAP)).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_root_mean_squares_over_finite_chains() {
        let record = |x| StepRecord { drift: Point::new(x, 1.0), ..StepRecord::default() };
        let parts = StepParts::of(7, 0.1, [record(3.0), record(4.0), record(f64::INFINITY)].iter());
        assert_eq!((parts.step, parts.alpha), (7, 0.1));
        assert_eq!(parts.drift, Point::new(12.5_f64.sqrt(), 1.0));
        assert_eq!(parts.injected_noise, Point::zeros());
    }

    #[test]
    fn rounding_errors_are_no_noise() {
        let parts = [Point::zeros(), Point::new(0.1, 0.0), Point::new(1e-17, 2e-17), Point::new(0.0, 1e-9)];
        assert_eq!(without_rounding(parts), [Point::zeros(), parts[1], Point::zeros(), parts[3]]);
    }

    #[test]
    fn steps_are_dense_at_first_and_never_rare() {
        let steps: Vec<u64> = std::iter::successors(Some(1), |step| Some(after(*step, 50_000))).take(2000).collect();
        let within: Vec<u64> = steps.into_iter().take_while(|step| *step <= 50_000).collect();
        assert!(within.iter().take(63).copied().eq(1..=63));
        assert!(within.windows(2).all(|pair| pair[1] - pair[0] <= 100));
        assert!((500..900).contains(&within.len()), "{}", within.len());
    }
}

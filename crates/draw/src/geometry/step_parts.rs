//! Parts of steps (momentum, drift, gradient noise, injected noise) as curves over a run, and the transition from
//! optimisation to sampling.
//!
//! A Langevin step with a gradient estimate of noise variance V moves a coordinate by gradient noise of standard
//! deviation α√V and by injected noise of standard deviation √(2α). Gradient noise is below injected noise where
//! α < 2/V, that is ε < 4/V: there the step samples (Welling and Teh 2011, ICML, §4.2). If gradient noise is subtracted,
//! the injected noise has variance 2α(1 − αV/2) and equals the gradient noise at α = 1/V. Lengths of steps are compared
//! in the same way, with the sum of the variances of both coordinates.

use base::math::Point;
use engine::session::StepParts;
use samplers::methods::{Phase, StepRecord};

/// A part of a step, in the order in which the parts are placed tip to tail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Part {
    /// The momentum before the step.
    Carried,
    /// The full gradient.
    Drift,
    /// The error of the gradient estimate.
    GradientNoise,
    /// The injected noise.
    InjectedNoise,
}

impl Part {
    /// All parts.
    pub const ALL: [Self; 4] = [Self::Carried, Self::Drift, Self::GradientNoise, Self::InjectedNoise];

    /// The phase of a step that it belongs to. What moves the mean of a fit is its drift; the first draw of Gibbs sampling is its noise.
    #[must_use]
    pub fn phase(self, record: &StepRecord) -> Phase {
        match self {
            Self::Carried => Phase::Carried,
            Self::Drift => record.moved_by.unwrap_or(Phase::Gradient),
            Self::GradientNoise => Phase::Gradient,
            Self::InjectedNoise => record.noise_phase(),
        }
    }

    /// The displacement by this part of a step.
    #[must_use]
    pub fn of(self, parts: &StepParts) -> Point {
        match self {
            Self::Carried => parts.carried,
            Self::Drift => parts.drift,
            Self::GradientNoise => parts.gradient_noise,
            Self::InjectedNoise => parts.injected_noise,
        }
    }

    /// A quantity proportional to the square of this part when only the step size changes.
    fn scale(self, alpha: f64) -> f64 {
        match self {
            Self::Drift | Self::GradientNoise => alpha * alpha,
            Self::Carried | Self::InjectedNoise => alpha,
        }
    }
}

/// The size of a displacement: along one coordinate, or its length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Extension {
    /// The distance along a coordinate, 0 or 1.
    Coordinate(usize),
    /// The length.
    Length,
}

impl Extension {
    /// The size of a displacement whose coordinates have these root mean squares.
    #[must_use]
    pub fn of(self, displacement: Point) -> f64 {
        match self {
            Self::Coordinate(coordinate) => displacement[coordinate.min(1)].abs(),
            Self::Length => displacement.norm(),
        }
    }

    /// The sum of a quantity over the coordinates that contribute.
    fn sum(self, dimension: usize, of: impl Fn(usize) -> f64) -> f64 {
        match self {
            Self::Coordinate(coordinate) => of(coordinate.min(1)),
            Self::Length => (0..dimension).map(of).sum(),
        }
    }
}

/// A part of all recorded steps as (step, magnitude); steps at which it is zero are left out.
#[must_use]
pub fn magnitudes(parts: &[StepParts], part: Part, extension: Extension) -> Vec<[f64; 2]> {
    let point = |parts: &StepParts| [as_f64(parts.step), extension.of(part.of(parts))];
    parts.iter().map(point).filter(|[_, size]| *size > 0.0 && size.is_finite()).collect()
}

/// The root mean square of a part over each step and up to `reach` recorded steps before and after it. Before the mean
/// is taken, each square is divided by its dependence on the step size, so that a schedule keeps its shape. Steps are
/// averaged only if `together` has the same value for them and for all steps between them. The curve has a gap where the
/// part is zero.
pub fn averaged<K: PartialEq>(
    parts: &[StepParts],
    (part, extension): (Part, Extension),
    reach: usize,
    together: impl Fn(u64) -> K,
) -> Vec<Vec<[f64; 2]>> {
    let squares: Vec<f64> = parts.iter().map(|parts| extension.of(part.of(parts)).powi(2)).collect();
    let present = |index: usize| squares[index] > 0.0 && squares[index].is_finite() && parts[index].alpha > 0.0;
    let alike = parts.iter().map(|parts| together(parts.step)).collect::<Vec<K>>();
    let mut pieces = vec![Vec::new()];
    for (index, now) in parts.iter().enumerate() {
        if !present(index) {
            pieces.push(Vec::new());
            continue;
        }
        let before = (0..index).rev().take(reach).take_while(|&other| alike[other] == alike[index]);
        let after = (index..parts.len()).take(reach + 1).take_while(|&other| alike[other] == alike[index]);
        let (mut sum, mut count) = (0.0, 0.0);
        for other in before.chain(after).filter(|&other| present(other)) {
            sum += squares[other] / part.scale(parts[other].alpha);
            count += 1.0;
        }
        let point = [as_f64(now.step), (sum / count * part.scale(now.alpha)).sqrt()];
        if let Some(piece) = pieces.last_mut() {
            piece.push(point);
        }
    }
    pieces.retain(|piece: &Vec<[f64; 2]>| !piece.is_empty());
    pieces
}

/// Expected size of the noise of a Langevin step, given the noise variance of its gradient estimate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Expected {
    /// Noise variance V per coordinate.
    pub variance: Point,
    /// Number of coordinates.
    pub dimension: usize,
    /// Whether the gradient noise is subtracted from the injected noise.
    pub compensate: bool,
}

impl Expected {
    /// The root mean square displacement by gradient noise, α√V.
    #[must_use]
    pub fn gradient_noise(&self, alpha: f64, extension: Extension) -> f64 {
        alpha * extension.sum(self.dimension, |coordinate| self.variance[coordinate]).sqrt()
    }

    /// The root mean square displacement by injected noise, √(2α), or less if gradient noise is subtracted.
    #[must_use]
    pub fn injected_noise(&self, alpha: f64, extension: Extension) -> f64 {
        (alpha * self.injected(alpha, extension)).sqrt()
    }

    /// The variance of the injected noise divided by α.
    fn injected(&self, alpha: f64, extension: Extension) -> f64 {
        let reduced = |coordinate: usize| (2.0 - alpha * self.variance[coordinate]).max(0.0);
        extension.sum(self.dimension, |coordinate| if self.compensate { reduced(coordinate) } else { 2.0 })
    }

    /// The step size below which gradient noise is smaller than injected noise: 2/V, or 1/V if gradient noise is
    /// subtracted. `None` without gradient noise.
    #[must_use]
    pub fn crossover(&self, extension: Extension) -> Option<f64> {
        /// Halvings of the interval: more than a number has binary digits.
        const HALVINGS: u32 = 60;
        let noise = extension.sum(self.dimension, |coordinate| self.variance[coordinate]);
        let full = extension.sum(self.dimension, |_| 2.0) / noise;
        if !full.is_finite() {
            return None;
        }
        let (mut low, mut high) = (if self.compensate { 0.0 } else { full }, full);
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            let below = middle * noise < self.injected(middle, extension);
            *(if below { &mut low } else { &mut high }) = middle;
        }
        Some(0.5 * (low + high))
    }
}

/// Steps at which a property changes: the first step of every range of steps with the same value, with that value.
///
/// The property is evaluated at `probes` evenly spaced steps and at the steps in `begins`. Between two probes that
/// differ, bisection finds the step of the change. A range that lies between two probes is not found.
#[must_use]
pub fn turns(steps: u64, probes: u64, begins: &[u64], holds: impl Fn(u64) -> bool) -> Vec<(u64, bool)> {
    let stride = steps.div_ceil(probes.max(1)).max(1);
    let even = (0..probes).map(|probe| 1 + probe * stride).take_while(|&step| step < steps);
    let mut looked: Vec<u64> = even.chain([steps.max(1)]).collect();
    for &begin in begins.iter().filter(|&&begin| begin > 1 && begin <= steps) {
        looked.extend([begin - 1, begin]);
    }
    looked.sort_unstable();
    let mut found: Vec<(u64, bool)> = vec![(1, holds(1))];
    let mut before = 1;
    for step in looked {
        let now = holds(step);
        if found.last().is_some_and(|&(_, last)| last != now) {
            // The property has different values at `low` and at `high`.
            let (mut low, mut high) = (before, step);
            while high - low > 1 {
                let middle = low + (high - low) / 2;
                *(if holds(middle) == now { &mut high } else { &mut low }) = middle;
            }
            found.push((high, now));
        }
        before = step;
    }
    found
}

fn as_f64(step: u64) -> f64 {
    step as f64
}

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;

    use super::*;

    const LENGTH: Extension = Extension::Length;
    const FIRST: Extension = Extension::Coordinate(0);

    fn parts(step: u64, alpha: f64, x: f64) -> StepParts {
        StepParts { step, alpha, gradient_noise: Point::new(x, 0.5 * x), ..StepParts::default() }
    }

    /// The numbers of Welling and Teh's posterior with one datum per step: ε* = (7.64e-4, 2.89e-3), ε = 2α.
    #[test]
    fn noises_are_equal_at_the_crossover() {
        let plain = Expected { variance: Point::new(5234.6, 1385.2), dimension: 2, compensate: false };
        assert_relative_eq!(2.0 * plain.crossover(FIRST).unwrap(), 7.64e-4, max_relative = 1e-3);
        assert_relative_eq!(2.0 * plain.crossover(Extension::Coordinate(1)).unwrap(), 2.89e-3, max_relative = 1e-3);
        assert_relative_eq!(plain.crossover(LENGTH).unwrap(), 4.0 / (5234.6 + 1385.2), max_relative = 1e-12);
        for compensate in [false, true] {
            let expected = Expected { compensate, ..plain };
            for extension in [FIRST, Extension::Coordinate(1), LENGTH] {
                let alpha = expected.crossover(extension).unwrap();
                let noises = (expected.gradient_noise(alpha, extension), expected.injected_noise(alpha, extension));
                assert_relative_eq!(noises.0, noises.1, max_relative = 1e-9);
                let less = 0.9 * alpha;
                assert!(expected.gradient_noise(less, extension) < expected.injected_noise(less, extension));
            }
        }
        let subtracted = Expected { compensate: true, ..plain };
        assert_relative_eq!(subtracted.crossover(FIRST).unwrap(), 1.0 / 5234.6, max_relative = 1e-9);
    }

    #[test]
    fn gradient_and_reduced_injected_noise_add_up_to_langevin_noise() {
        let expected = Expected { variance: Point::new(8.0, 2.0), dimension: 2, compensate: true };
        for extension in [FIRST, LENGTH] {
            let both =
                expected.gradient_noise(0.1, extension).powi(2) + expected.injected_noise(0.1, extension).powi(2);
            assert_relative_eq!(both, if extension == LENGTH { 0.4 } else { 0.2 }, max_relative = 1e-12);
        }
        assert!(expected.injected_noise(0.3, FIRST) < 1e-300, "gradient noise alone is too large");
    }

    #[test]
    fn without_gradient_noise_there_is_no_crossover_and_one_dimension_has_one_term() {
        let exact = Expected { variance: Point::zeros(), dimension: 1, compensate: false };
        assert_eq!(exact.crossover(LENGTH), None);
        assert_relative_eq!(exact.injected_noise(0.02, LENGTH), 0.2, max_relative = 1e-12);
        assert!(exact.gradient_noise(0.02, LENGTH) < 1e-300);
    }

    #[test]
    fn magnitudes_of_zero_are_left_out() {
        let all = [parts(1, 0.1, 3.0), parts(2, 0.1, 0.0), parts(3, 0.1, 4.0)];
        assert_eq!(magnitudes(&all, Part::GradientNoise, FIRST), [[1.0, 3.0], [3.0, 4.0]]);
        assert_eq!(magnitudes(&all, Part::Drift, LENGTH), Vec::<[f64; 2]>::new());
        assert_relative_eq!(magnitudes(&all, Part::GradientNoise, LENGTH)[0][1], 3.0 * 1.25_f64.sqrt());
    }

    #[test]
    fn averages_follow_the_step_size_and_end_where_a_group_of_steps_ends() {
        let what = (Part::GradientNoise, FIRST);
        // Proportional to α: the average leaves every value as it is.
        let falling: Vec<StepParts> = (1..=9).map(|step| parts(step, 1.0 / step as f64, 6.0 / step as f64)).collect();
        let pieces = averaged(&falling, what, 3, |_| ());
        assert_eq!(pieces.len(), 1);
        for [step, size] in &pieces[0] {
            assert_relative_eq!(*size, 6.0 / step, max_relative = 1e-12);
        }
        let jump = [parts(1, 1.0, 1.0), parts(2, 1.0, 1.0), parts(3, 1.0, 7.0), parts(4, 1.0, 1.0)];
        let apart = averaged(&jump, what, 5, |step| step < 3);
        assert_relative_eq!(apart[0][1][1], 1.0);
        assert_relative_eq!(apart[0][2][1], 5.0);
        let broken = averaged(&[parts(1, 1.0, 1.0), parts(2, 1.0, 0.0), parts(3, 1.0, 1.0)], what, 0, |_| ());
        assert_eq!(broken, [vec![[1.0, 1.0]], vec![[3.0, 1.0]]]);
    }

    #[test]
    fn the_exact_step_of_a_change_is_found() {
        assert_eq!(turns(1_000_000, 4096, &[], |step| step >= 314_159), [(1, false), (314_159, true)]);
        assert_eq!(turns(10, 4, &[], |_| true), [(1, true)]);
        assert_eq!(turns(1000, 4, &[401, 402], |step| step == 401), [(1, false), (401, true), (402, false)]);
        let cycles = turns(1000, 100, &[], |step| (step - 1) % 200 >= 50);
        assert_eq!(cycles.len(), 10);
        assert_eq!(cycles[1], (51, true));
        assert_eq!(cycles[2], (201, false));
    }
}

//! Gradient estimates over all possible batches, and their variance.

use super::super::{BatchOrder, Gradient, Problem};
use super::{Normal, close};
use base::math::{Coords, Point, Simd};
use models::targets::{Data, Density, Derivatives, Minibatches, TargetInfo};

/// Relative error of sums over some dozen batches.
const ROUNDING: f64 = 1e-13;

fn target() -> Normal {
    let points = [(1.0, 2.0), (-1.0, 0.5), (3.0, -2.0), (0.25, 7.0)];
    Normal::posterior(0.5, 2, points.map(|(x, y)| Point::new(x, y)).to_vec())
}

fn minibatch(size: usize, order: BatchOrder) -> Gradient {
    Gradient::minibatch(size, order)
}

fn estimate(gradient: &Gradient, target: &dyn Density, at: Point, batch: &[u32]) -> Point {
    let problem = Problem::in_plane(target, gradient, Simd::widest());
    let mut found = Coords::zeros(2, 1);
    let batches = Minibatches::new(batch, batch.len(), 1);
    gradient.estimates(&problem, batches, &Coords::of_points(&[at]), &mut Vec::new(), &mut found);
    found.point(0)
}

fn stated_variance(gradient: &Gradient, target: &dyn Density, at: Point) -> Point {
    gradient.variance((target.info().dimension, target.data()), at)
}

/// All ordered pairs of data, with or without equal members.
fn pairs(with_equal: bool) -> Vec<[u32; 2]> {
    let all = (0..4).flat_map(|i| (0..4).map(move |j| [i, j]));
    all.filter(|[i, j]| with_equal || i != j).collect()
}

#[test]
fn minibatches_are_unbiased_with_the_stated_variance() {
    let target = target();
    let at = Point::new(0.7, -1.1);
    let full = target.gradient(at);
    for (order, with_equal) in [(BatchOrder::Random, true), (BatchOrder::Shuffled, false)] {
        let gradient = minibatch(2, order);
        let estimates: Vec<Point> =
            pairs(with_equal).iter().map(|batch| estimate(&gradient, &target, at, batch)).collect();
        let count = estimates.len() as f64;
        let mean = estimates.iter().sum::<Point>() / count;
        let variance = estimates.iter().map(|g| (g - full).map(|error| error * error)).sum::<Point>() / count;
        let stated = stated_variance(&gradient, &target, at);
        for axis in 0..2 {
            close(mean[axis], full[axis], ROUNDING);
            close(variance[axis], stated[axis], ROUNDING);
        }
    }
}

#[test]
fn a_batch_of_all_data_is_the_full_gradient() {
    let target = target();
    let at = Point::new(0.7, -1.1);
    for order in [BatchOrder::Shuffled, BatchOrder::Cyclic] {
        let gradient = minibatch(4, order);
        let difference = estimate(&gradient, &target, at, &[0, 1, 2, 3]) - target.gradient(at);
        assert!(difference.amax() < ROUNDING);
        assert_eq!(stated_variance(&gradient, &target, at), Point::zeros());
    }
}

#[test]
fn a_single_datum_has_no_variance() {
    let target = Normal::posterior(1.0, 2, vec![Point::new(1.0, 2.0)]);
    for order in [BatchOrder::Random, BatchOrder::Shuffled, BatchOrder::Cyclic] {
        assert_eq!(stated_variance(&minibatch(1, order), &target, Point::zeros()), Point::zeros());
    }
}

#[test]
fn without_data_the_estimate_is_the_full_gradient() {
    let target = Normal::new(2.0, 2);
    let at = Point::new(1.0, 3.0);
    assert_eq!(estimate(&minibatch(1, BatchOrder::Random), &target, at, &[]), target.gradient(at));
}

/// The likelihood of the bivariate mixture (Welling and Teh 2011, Section 5.1) on its quantile data: θ ↦ ½N(θ₁, 2) + ½N(θ₁ + θ₂, 2).
#[derive(Debug)]
struct Mixture {
    info: TargetInfo,
    data: Vec<f64>,
}

impl Mixture {
    fn quantile100() -> Self {
        let data = (1..=100).map(|i| quantile((f64::from(i) - 0.5) / 100.0)).collect();
        Self { info: Normal::new(1.0, 2).info, data }
    }
}

/// F⁻¹ of ½N(0, 2) + ½N(1, 2), by bisection to the last bit.
fn quantile(probability: f64) -> f64 {
    let normal = |x: f64| 0.5 * libm::erfc(-x / 2.0);
    let (mut low, mut high) = (-20.0, 20.0);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        let below = 0.5 * (normal(middle) + normal(middle - 1.0)) < probability;
        *(if below { &mut low } else { &mut high }) = middle;
    }
    low
}

impl Density for Mixture {
    fn info(&self) -> &TargetInfo {
        &self.info
    }

    fn log_density(&self, _at: Point) -> f64 {
        f64::NAN
    }

    fn gradient(&self, at: Point) -> Point {
        self.prior_gradient(at) + (0..self.len()).map(|index| self.datum_gradient(at, index)).sum::<Point>()
    }

    fn hessian(&self, _at: Point) -> base::math::Matrix {
        base::math::Matrix::zeros()
    }

    fn data(&self) -> Option<&dyn Data> {
        Some(self)
    }
}

impl Data for Mixture {
    fn len(&self) -> usize {
        self.data.len()
    }

    fn prior_gradient(&self, at: Point) -> Point {
        Point::new(-at.x / 10.0, -at.y)
    }

    fn prior(&self, at: Point) -> Derivatives {
        Derivatives { gradient: self.prior_gradient(at), ..Derivatives::default() }
    }

    fn datum(&self, at: Point, index: usize) -> Derivatives {
        Derivatives { gradient: self.datum_gradient(at, index), ..Derivatives::default() }
    }

    fn datum_gradient(&self, at: Point, index: usize) -> Point {
        let deviations = [self.data[index] - at.x, self.data[index] - at.x - at.y];
        let [first, second] = deviations.map(|deviation| libm::exp(-deviation * deviation / 4.0));
        let share = second / (first + second);
        Point::new((1.0 - share) * deviations[0] + share * deviations[1], share * deviations[1]) / 2.0
    }
}

/// Computed independently: V = (5234.6, 1385.2) and ε* = 4/V = (7.64e-4, 2.89e-3) for n = 1 at mode 1, to the digits given.
#[test]
fn variance_on_the_bivariate_mixture() {
    let mode = Point::new(0.25365, 0.49166);
    let target = Mixture::quantile100();
    assert!(target.gradient(mode).amax() < 1e-3, "{}", target.gradient(mode));
    let variance = stated_variance(&minibatch(1, BatchOrder::Random), &target, mode);
    assert!((variance - Point::new(5234.6, 1385.2)).amax() < 0.1, "{variance}");
    let transition = variance.map(|variance| 4.0 / variance);
    assert!((transition.x - 7.64e-4).abs() < 5e-7 && (transition.y - 2.89e-3).abs() < 5e-6, "{transition}");
}

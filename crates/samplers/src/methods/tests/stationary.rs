//! Long runs of SGLD against its closed-form stationary distribution.
//!
//! On N(0, 1/λ) a coordinate is the AR(1) process θ' = φθ + noise, φ = 1 − αλ, with stationary variance
//! σ² = (1 + αV/2)/(λ(1 − αλ/2)). Squares of an AR(1) have autocorrelations φ^2k, so the mean of T squares has variance
//! 2σ⁴/ESS with ESS = T(1 − φ²)/(1 + φ²); the mean of T positions has variance σ²/ESS with ESS = T(1 − φ)/(1 + φ).

use super::super::{BatchOrder, Batches, Gradient, Method, Population, Problem, Scratch, Sgld, Steps, Track};
use super::{Chunk, Normal, Numbers, stream};
use crate::schedules::Stage;
use base::math::{Coords, Point, Simd};

/// Width of all tolerances in standard errors. Each comparison fails by chance with probability 6 · 10⁻⁷.
const Z: f64 = 5.0;

/// Running sums of one coordinate.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    count: f64,
    first: f64,
    second: f64,
}

impl Sums {
    fn add(&mut self, values: &[f64]) {
        self.count += values.len() as f64;
        self.first += values.iter().sum::<f64>();
        self.second += values.iter().map(|value| value * value).sum::<f64>();
    }

    /// Checks mean 0 and the given variance for an AR(1) process with coefficient `phi`.
    fn check(&self, variance: f64, phi: f64, case: &str) {
        let mean_error = (variance / self.count * (1.0 + phi) / (1.0 - phi)).sqrt();
        assert!((self.first / self.count).abs() < Z * mean_error, "{case}: mean {}", self.first / self.count);
        let found = self.second / self.count;
        let error = variance * (2.0 / self.count * (1.0 + phi * phi) / (1.0 - phi * phi)).sqrt();
        assert!((found - variance).abs() < Z * error, "{case}: variance {found}, not {variance} ± {error}");
    }
}

/// Runs `chains` chains with a constant step size from the stationary distribution with the stated `variance`.
fn run(target: &Normal, gradient: &Gradient, alpha: f64, variance: Point, chains: usize, steps: usize) -> [Sums; 2] {
    let mut stream = stream(7);
    let mut batches = Batches::new(7, 0, 0, chains as u64);
    let sd = variance.map(f64::sqrt);
    let starts: Vec<Point> = (0..chains)
        .map(|_| {
            let (x, y) = stream.normal_pair();
            sd.component_mul(&Point::new(x, y))
        })
        .collect();
    let mut population = Population::at(Coords::of_points(&starts));
    let mut scratch = Scratch::default();
    let mut sums = [Sums::default(); 2];
    let mut batch = Vec::new();
    let length = steps.min(250);
    let (mut x, mut y) = (vec![0.0; length * chains], vec![0.0; length * chains]);
    let (step_sizes, stages) = (vec![alpha; length], vec![Stage::Sampling; length]);
    for _ in 0..steps / length {
        let numbers = Numbers::from_stream(&mut stream, length * Sgld.needs(gradient).vectors * chains);
        let batches = batches.fill(Simd::widest(), gradient, (target.points.len(), length), &mut batch);
        let steps = Steps { step_sizes: &step_sizes, stages: &stages, batches };
        let problem = Problem::in_plane(target, gradient, Simd::widest());
        let track = Track { x: &mut x, y: &mut y, records: &mut [] };
        let chunk =
            Chunk { problem: &problem, steps, randomness: numbers.as_randomness(), track, scratch: &mut scratch };
        Sgld.advance(&mut population, chunk);
        sums[0].add(&x);
        sums[1].add(&y);
    }
    sums
}

fn stationary(lambda: f64, alpha: f64, noise: f64) -> f64 {
    (1.0 + 0.5 * alpha * noise) / (lambda * (1.0 - 0.5 * alpha * lambda))
}

#[test]
fn the_figure_of_the_methods_document() {
    let variance = stationary(33.333, 0.043, 0.0);
    assert!((variance - 0.10588).abs() < 5e-6, "{variance}");
}

/// 128 chains × 4000 steps per case: ESS of squares 3 · 10⁴ to 10⁶.
#[test]
fn variance_with_gaussian_gradient_noise() {
    let cases = [
        (33.333, 0.043, 0.0),
        (33.333, 0.043, 10.0),
        (1.0, 0.5, 4.0),
        (10.0, 0.05, 10.0),
        (1.0, 0.1, 0.0),
        (4.0, 0.45, 1.0),
    ];
    for (lambda, alpha, noise) in cases {
        let target = Normal::new(lambda, 2);
        for compensate in [false, true] {
            let gradient = Gradient::Noisy { variance: noise, compensate };
            let variance = stationary(lambda, alpha, if compensate { 0.0 } else { noise });
            let case = format!("λ {lambda}, α {alpha}, V {noise}, compensate {compensate}");
            for sums in run(&target, &gradient, alpha, Point::repeat(variance), 128, 4000) {
                sums.check(variance, 1.0 - alpha * lambda, &case);
            }
        }
    }
}

/// Twenty data at (±1, ±2), balanced, n = 10, prior precision 1: λ = 21, V = (N²/n)·(1, 4) = (40, 160) everywhere.
/// One chain, since chains share their minibatches and are not independent. A sum of ten draws is close enough to
/// Gaussian: its lighter tails make the true error smaller than the stated one.
#[test]
fn variance_with_minibatches() {
    let points = (0..20).map(|i| Point::new(sign(i), 2.0 * sign(i / 2))).collect();
    let target = Normal::posterior(1.0, 2, points);
    let (lambda, alpha) = (21.0, 0.01);
    for compensate in [false, true] {
        let gradient = Gradient::Minibatch { size: 10, order: BatchOrder::Random, shared: false, compensate };
        let noise = if compensate { [0.0, 0.0] } else { [40.0, 160.0] };
        let variance = noise.map(|noise| stationary(lambda, alpha, noise));
        let sums = run(&target, &gradient, alpha, Point::from(variance), 1, 300_000);
        for axis in 0..2 {
            sums[axis].check(variance[axis], 1.0 - alpha * lambda, &format!("compensate {compensate}, axis {axis}"));
        }
    }
}

fn sign(number: i32) -> f64 {
    if number % 2 == 0 { 1.0 } else { -1.0 }
}

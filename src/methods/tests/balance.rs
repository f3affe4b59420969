//! Detailed balance of Metropolis methods, p(θ) q(θ′|θ) a(θ → θ′) = p(θ′) q(θ|θ′) a(θ′ → θ), exactly; reversibility and
//! volume of leapfrog paths.

use std::path::Path;
use std::sync::Arc;

use super::super::{BatchOrder, Gradient, Hmc, Langevin, Mala, Method, Population, RandomWalk, StepRecord};
use super::{Normal, Numbers, Plan, one_step, plan};
use crate::math::{Coords, Matrix, Point};
use crate::params::{Settings, Value, find_kind};
use crate::targets::{Boundary, TARGETS, Target, build};

/// Relative error of a few dozen rounded operations on numbers that are up to a hundred times as large as the result.
const ROUNDING: f64 = 1e-11;

/// A density whose curvature depends on the position.
fn mixture() -> Arc<dyn Target> {
    build(&Settings::defaults(find_kind(&TARGETS, "gaussian-mixture").unwrap()), Path::new("")).unwrap()
}

fn posterior() -> Normal {
    Normal::posterior(0.5, 2, vec![Point::new(1.0, 2.0), Point::new(-1.0, 0.5), Point::new(3.0, -2.0)])
}

/// One step of one chain with the given pairs of normals; the uniform is small, so that a proposal with positive
/// probability is accepted.
fn step(
    method: &dyn Method,
    target: &dyn Target,
    gradient: &Gradient,
    (alpha, from): (f64, Point),
    pairs: &[Point],
    batch: &[u32],
) -> StepRecord {
    let first = pairs.iter().map(|pair| pair.x).collect();
    let second = pairs.iter().map(|pair| pair.y).collect();
    let numbers = Numbers { first, second, uniforms: vec![1e-300] };
    let mut chains = Population::at(Coords::of_points(&[from]));
    one_step(method, target, gradient, &Plan { batch, ..plan(alpha) }, &numbers, &mut chains).remove(0)
}

/// The normals with which a Langevin or random-walk proposal leads from one point to another.
fn normals(record: &StepRecord, alpha: f64, to: Point) -> Point {
    (to - record.from - record.drift - record.gradient_noise) / (2.0 * alpha).sqrt()
}

/// ln of p(θ) q(θ′|θ) a(θ → θ′), without the constant of q, and the record.
fn log_flow(
    method: &dyn Method,
    target: &dyn Target,
    gradient: &Gradient,
    (alpha, from, to): (f64, Point, Point),
    noise: &[Point],
    batch: &[u32],
) -> f64 {
    let with = |last: Point| {
        let pairs: Vec<Point> = noise.iter().copied().chain([last]).collect();
        step(method, target, gradient, (alpha, from), &pairs, batch)
    };
    let normals = normals(&with(Point::zeros()), alpha, to);
    let proposal = with(normals).proposal.unwrap();
    assert!((proposal.at - to).amax() < 1e-12, "{proposal:?}");
    target.log_density(from) - 0.5 * normals.norm_squared() + proposal.probability.ln()
}

fn balanced(method: &dyn Method, target: &dyn Target, gradient: &Gradient, alpha: f64, noise: &[Point], batch: &[u32]) {
    let places = [(0.3, -0.4), (-1.2, 0.8), (2.0, 1.0), (0.9, -1.7)].map(|(x, y)| Point::new(x, y));
    for (from, to) in places.iter().zip(&places[1..]) {
        let there = log_flow(method, target, gradient, (alpha, *from, *to), noise, batch);
        let back = log_flow(method, target, gradient, (alpha, *to, *from), noise, batch);
        let size = 1.0 + there.abs();
        assert!((there - back).abs() < ROUNDING * size, "{method:?} {gradient:?} {alpha}: {there} and {back}");
    }
}

#[test]
fn flows_are_balanced() {
    let mixture = mixture();
    for alpha in [0.05, 0.4, 3.0] {
        balanced(&RandomWalk, mixture.as_ref(), &Gradient::Exact, alpha, &[], &[]);
        balanced(&Mala, mixture.as_ref(), &Gradient::Exact, alpha, &[], &[]);
        balanced(&Langevin { metropolis: true }, mixture.as_ref(), &Gradient::Exact, alpha, &[], &[]);
        let noisy = Gradient::Noisy { variance: 5.0, compensate: false };
        balanced(&Mala, mixture.as_ref(), &noisy, alpha, &[Point::new(0.7, -1.9)], &[]);
        let batch = Gradient::minibatch(2, BatchOrder::Random);
        balanced(&Mala, &posterior(), &batch, 0.2 * alpha, &[], &[2, 0]);
    }
}

/// The flow of HMC through phase space: p(θ) exp(−½‖r‖²) a is the same from the end with the reversed momentum, and
/// the path returns to the start.
fn leads_back(target: &dyn Target, h: f64, leapfrog_steps: usize, from: Point, momentum: Point) -> f64 {
    let method = Hmc { leapfrog_steps, metropolis: true };
    let there = step(&method, target, &Gradient::Exact, (h, from), &[momentum], &[]);
    let (end, last) = (there.proposal.unwrap(), -there.momentum.unwrap());
    let back = step(&method, target, &Gradient::Exact, (h, end.at), &[last], &[]);
    let begin = back.proposal.unwrap();
    assert!((begin.at - from).amax() < 1e-10, "{} is not {from}", begin.at);
    assert!((back.momentum.unwrap() + momentum).amax() < 1e-10);
    let flow = |at: Point, momentum: Point, probability: f64| {
        target.log_density(at) - 0.5 * momentum.norm_squared() + probability.ln()
    };
    let (forth, back) = (flow(from, momentum, end.probability), flow(end.at, last, begin.probability));
    assert!((forth - back).abs() < 1e-9 * (1.0 + forth.abs()), "{forth} and {back}");
    end.probability
}

#[test]
fn leapfrog_paths_are_reversible() {
    let mixture = mixture();
    let mut rejections = 0;
    for (h, leaps) in [(0.05, 20), (0.3, 7), (0.6, 2)] {
        for (place, momentum) in [((0.3, -0.4), (1.0, 0.5)), ((-1.2, 0.8), (-0.3, 2.0)), ((2.0, 1.0), (0.1, -1.0))] {
            let (from, momentum) = (Point::new(place.0, place.1), Point::new(momentum.0, momentum.1));
            let probability = leads_back(mixture.as_ref(), h, leaps, from, momentum);
            rejections += usize::from(probability < 0.99);
        }
    }
    assert!(rejections > 0, "some paths have an error of energy");
}

/// The path reflects at the ends of the unit interval several times.
#[test]
fn reflected_paths_are_reversible() {
    let settings = Settings::defaults(find_kind(&TARGETS, "beta-posterior").unwrap());
    let target = build(&settings, Path::new("")).unwrap();
    assert_eq!(target.info().boundary, Boundary::Reflect);
    let method = Hmc { leapfrog_steps: 3, metropolis: true };
    let from = Point::new(0.5, 0.0);
    for momentum in [0.4, 30.0, -47.0, 180.0] {
        let momentum = Point::new(momentum, 0.0);
        let there = step(&method, target.as_ref(), &Gradient::Exact, (0.01, from), &[momentum], &[]);
        let end = there.path.last().copied().unwrap();
        assert!(target.info().support.contains(end));
        let last = final_momentum(&there, 0.01, target.as_ref());
        let back = step(&method, target.as_ref(), &Gradient::Exact, (0.01, end), &[-last], &[]);
        // Gradients reach 10⁵ near the boundary, which multiplies rounding errors.
        assert!((back.path.last().unwrap() - from).amax() < 1e-7, "{momentum}: {:?}", back.path);
    }
}

/// The momentum at the end of a path, accepted or not. The record of a rejection does not have it, so the path is
/// followed again without the Metropolis rule.
fn final_momentum(record: &StepRecord, h: f64, target: &dyn Target) -> Point {
    let method = Hmc { leapfrog_steps: record.path.len() - 1, metropolis: false };
    let momentum = record.injected_noise / h;
    step(&method, target, &Gradient::Exact, (h, record.from), &[momentum], &[]).momentum.unwrap()
}

/// The determinant of the map (θ, r) → (θ′, r′) along an axis pair, by central differences: 1.
#[test]
fn leapfrog_paths_preserve_volume() {
    let target = mixture();
    let method = Hmc { leapfrog_steps: 5, metropolis: false };
    let at = nalgebra::Vector4::new(0.3, -0.4, 0.8, -0.5);
    let map = |state: nalgebra::Vector4<f64>| {
        let (from, momentum) = (Point::new(state[0], state[1]), Point::new(state[2], state[3]));
        let record = step(&method, target.as_ref(), &Gradient::Exact, (0.25, from), &[momentum], &[]);
        let momentum = record.momentum.unwrap();
        nalgebra::Vector4::new(record.to.x, record.to.y, momentum.x, momentum.y)
    };
    let width = 1e-5;
    let columns: Vec<_> = (0..4)
        .map(|axis| {
            let mut shift = nalgebra::Vector4::zeros();
            shift[axis] = width;
            (map(at + shift) - map(at - shift)) / (2.0 * width)
        })
        .collect();
    let jacobian = nalgebra::Matrix4::from_columns(&columns);
    // Central differences: their error is some 10⁻¹⁰ of third derivatives.
    assert!((jacobian.determinant() - 1.0).abs() < 1e-7, "{}", jacobian.determinant());
    assert!((jacobian.fixed_view::<2, 2>(0, 0) - Matrix::identity()).amax() > 0.1, "the path is not a trifle");
}

/// No proposal with density 0 is accepted, and a chain that starts at density 0 leaves it.
#[test]
fn points_without_density_are_rejected() {
    let mut settings = Settings::defaults(find_kind(&TARGETS, "beta-posterior").unwrap());
    settings.set("boundary", Value::Choice("none")).unwrap();
    let target = build(&settings, Path::new("")).unwrap();
    for method in [&RandomWalk as &dyn Method, &Mala] {
        let outside =
            step(method, target.as_ref(), &Gradient::Exact, (0.5, Point::new(0.5, 0.0)), &[Point::new(3.0, 0.0)], &[]);
        let proposal = outside.proposal.unwrap();
        assert!(!target.info().support.contains(proposal.at) && !proposal.accepted, "{proposal:?}");
        assert!(proposal.probability <= 0.0 && outside.to == outside.from);
    }
    let lost = step(
        &RandomWalk,
        target.as_ref(),
        &Gradient::Exact,
        (0.5, Point::new(1.5, 0.0)),
        &[Point::new(-1.0, 0.0)],
        &[],
    );
    assert!(lost.proposal.unwrap().accepted && (lost.to.x - 0.5).abs() < 1e-12, "{lost:?}");
}

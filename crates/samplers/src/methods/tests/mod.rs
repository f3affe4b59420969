//! Tests of the methods, on targets simple enough for closed forms.

mod approximations;
mod balance;
mod batches;
mod contour;
mod differential;
mod distributions;
mod dropout;
mod every;
mod fits;
mod gaussian_vi;
mod gibbs;
mod gradient;
mod members;
mod microcanonical;
mod naive;
mod network_fits;
mod nuts;
mod particles;
mod paths;
mod registry;
mod rejections;
mod relations;
mod stability;
mod stationary;
mod step;
mod svi;
mod swag;
mod tempering;
mod two_weight;
mod vectors;

use std::sync::Arc;

use super::{Chunk, Gradient, Method, Population, Problem, Randomness, Scratch, StepRecord, Steps, Track};
use crate::schedules::Stage;
use base::math::{Bounds, Coords, Matrix, Point, Purpose, Simd, Stream};
use models::targets::{
    Boundary, Data, Density, Derivatives, Minibatches, Mode, Model, Projection, Space, Support, TargetInfo, Vectors,
};

/// Relative error of a handful of rounded operations.
const ROUNDING: f64 = 1e-14;

fn close(value: f64, expected: f64, relative: f64) {
    assert!((value - expected).abs() <= relative * expected.abs(), "{value} is not {expected}");
}

/// N(0, 1/λ) in every coordinate, optionally as the posterior of data: λ = prior + Σ precision, with mean 0 if the data
/// have mean 0.
#[derive(Clone, Debug)]
struct Normal {
    info: TargetInfo,
    prior: f64,
    points: Vec<Point>,
}

impl Normal {
    /// N(0, 1/λ) in `dimension` coordinates, without data.
    fn new(lambda: f64, dimension: usize) -> Self {
        Self::posterior(lambda, dimension, Vec::new())
    }

    /// The posterior of the mean of `points` ~ N(θ, I) under the prior N(0, 1/`prior`).
    fn posterior(prior: f64, dimension: usize, points: Vec<Point>) -> Self {
        let variance = 1.0 / (prior + points.len() as f64);
        let covariance = Matrix::from_diagonal_element(variance);
        let info = TargetInfo {
            dimension,
            axes: ["x", "y"],
            support: Support::everywhere(),
            boundary: Boundary::Open,
            view: Bounds::new((-3.0, 3.0), (-3.0, 3.0)),
            modes: vec![Mode { at: Point::zeros(), weight: 1.0, covariance }],
            log_normaliser: 0.0,
            mean: points.iter().sum::<Point>() * variance,
            covariance,
            start: Point::zeros(),
            unknown: None,
        };
        Self { info, prior, points }
    }

    fn in_dimension(&self, gradient: Point) -> Point {
        if self.info.dimension == 1 { Point::new(gradient.x, 0.0) } else { gradient }
    }
}

impl Density for Normal {
    fn info(&self) -> &TargetInfo {
        &self.info
    }

    fn log_density(&self, at: Point) -> f64 {
        let squares: f64 = self.points.iter().map(|point| (at - point).norm_squared()).sum();
        -0.5 * (self.prior * at.norm_squared() + squares)
    }

    fn gradient(&self, at: Point) -> Point {
        self.prior_gradient(at) + (0..self.points.len()).map(|index| self.datum_gradient(at, index)).sum::<Point>()
    }

    fn hessian(&self, _at: Point) -> Matrix {
        Matrix::from_diagonal_element(-self.prior - self.points.len() as f64)
    }

    fn data(&self) -> Option<&dyn Data> {
        if self.points.is_empty() { None } else { Some(self) }
    }
}

impl Data for Normal {
    fn len(&self) -> usize {
        self.points.len()
    }

    fn prior_gradient(&self, at: Point) -> Point {
        self.in_dimension(at * -self.prior)
    }

    fn datum_gradient(&self, at: Point, index: usize) -> Point {
        self.in_dimension(self.points[index] - at)
    }

    fn prior(&self, at: Point) -> Derivatives {
        let hessian = Matrix::from_diagonal_element(-self.prior);
        Derivatives { log_density: -0.5 * self.prior * at.norm_squared(), gradient: self.prior_gradient(at), hessian }
    }

    fn datum(&self, at: Point, index: usize) -> Derivatives {
        Derivatives {
            log_density: -0.5 * (self.points[index] - at).norm_squared(),
            gradient: self.datum_gradient(at, index),
            hessian: Matrix::from_diagonal_element(-1.0),
        }
    }
}

/// Where chains move on a density in the plane, and on a model.
fn plane(density: &Normal) -> Space {
    Space::Plane(Arc::new(density.clone()))
}

fn vectors(model: impl Model + 'static) -> Space {
    Space::Vectors(Vectors { model: Arc::new(model), projection: Projection::PLANE, marginal: None })
}

/// A population of `method` in the plane, with auxiliary state made of the given normals.
fn init(method: &dyn Method, starts: &[Point], alpha: f64, normals: [&[f64]; 2]) -> Population {
    let mut vectors = Coords::zeros(2, starts.len());
    for (to, from) in vectors.axes_mut().zip(normals) {
        to.copy_from_slice(from);
    }
    method.init(Coords::of_points(starts), alpha, vectors)
}

/// Random numbers of a chunk of steps, owned.
#[derive(Clone, Debug, Default)]
struct Numbers {
    first: Vec<f64>,
    second: Vec<f64>,
    uniforms: Vec<f64>,
}

impl Numbers {
    fn from_stream(stream: &mut Stream, count: usize) -> Self {
        let (first, second) = (0..count).map(|_| stream.normal_pair()).unzip();
        Self { first, second, uniforms: Vec::new() }
    }

    /// The random numbers for `steps` steps of `chains` chains with `method`.
    fn for_steps(stream: &mut Stream, method: &dyn Method, gradient: &Gradient, steps: usize, chains: usize) -> Self {
        let needs = method.needs(gradient);
        let numbers = Self::from_stream(stream, steps * needs.vectors * chains);
        Self { uniforms: (0..steps * needs.uniforms * chains).map(|_| stream.uniform()).collect(), ..numbers }
    }

    fn as_randomness(&self) -> Randomness<'_> {
        Randomness { first: &self.first, second: &self.second, uniforms: &self.uniforms }
    }
}

fn stream(index: u64) -> Stream {
    Stream::derive(20_260_101, Purpose::Chain, 0, index)
}

/// Step size, stage and minibatch of a step.
#[derive(Clone, Copy, Debug)]
struct Plan<'a> {
    alpha: f64,
    stage: Stage,
    batch: &'a [u32],
}

fn plan(alpha: f64) -> Plan<'static> {
    Plan { alpha, stage: Stage::Sampling, batch: &[] }
}

/// Takes one step of `method`, with records.
fn one_step(
    method: &dyn Method,
    target: &dyn Density,
    gradient: &Gradient,
    plan: &Plan<'_>,
    numbers: &Numbers,
    chains: &mut Population,
) -> Vec<StepRecord> {
    let mut records = vec![StepRecord::default(); chains.len()];
    let problem = Problem::in_plane(target, gradient, Simd::widest());
    let steps = Steps {
        step_sizes: &[plan.alpha],
        stages: &[plan.stage],
        batches: Minibatches::new(plan.batch, plan.batch.len(), 1),
    };
    let (mut x, mut y) = (vec![f64::NAN; chains.len()], vec![f64::NAN; chains.len()]);
    let track = Track { x: &mut x, y: &mut y, records: &mut records };
    let chunk = Chunk {
        problem: &problem,
        steps,
        randomness: numbers.as_randomness(),
        track,
        scratch: &mut Scratch::default(),
    };
    method.advance(chains, chunk);
    let bits = |values: &[f64]| values.iter().map(|value| value.to_bits()).collect::<Vec<u64>>();
    assert_eq!((bits(&x), bits(&y)), (bits(chains.positions.axis(0)), bits(chains.positions.axis(1))));
    records
}

//! Methods in many dimensions: a planar target that poses as a model gets the same steps, and a linear regression is
//! sampled as its closed form says.

use std::path::Path;
use std::sync::Arc;

use nalgebra::DMatrix;

use super::super::{
    Adaptation, Approximation, Barker, BatchOrder, Expectations, Family, FitState, GaussianVi, Gradient, Hmc, Langevin,
    Laplace, Mala, Memory, Method, Nuts, Population, Predictive, Problem, RandomWalk, Root, Scratch, Sgd, Sghmc, Sgld,
    Sgnht, StartAt, Steps, Track, pairs_in,
};
use super::every::variants;
use super::{Chunk, Normal, Numbers, init, stream, vectors};
use crate::schedules::Stage;
use base::math::{Coords, Decay, Point, Simd, Stream, normal_cdf};
use base::params::{Settings, find_kind};
use models::targets::{self, AsModel, Curvature, Density, Minibatches, Model, Projection, TARGETS, Target, Vectors};

/// A density in the plane that poses as a model in d dimensions, which happen to be two.
#[derive(Debug)]
struct Posing(Normal);

impl Model for Posing {
    fn dimension(&self) -> usize {
        2
    }

    fn log_densities(&self, simd: Simd, at: &Coords, memory: &mut Vec<f64>, out: &mut [f64]) {
        self.0.as_model().log_densities(simd, at, memory, out);
    }

    fn gradients(&self, simd: Simd, at: &Coords, memory: &mut Vec<f64>, out: &mut Coords) {
        self.0.as_model().gradients(simd, at, memory, out);
    }

    fn data(&self) -> usize {
        self.0.as_model().data()
    }

    fn estimates(&self, simd: Simd, at: &Coords, batches: Minibatches<'_>, memory: &mut Vec<f64>, out: &mut Coords) {
        self.0.as_model().estimates(simd, at, batches, memory, out);
    }

    fn hessian_diagonal(&self, at: &Coords, index: usize, memory: &mut Vec<f64>, out: &mut [f64]) -> bool {
        self.0.as_model().hessian_diagonal(at, index, memory, out)
    }

    fn datum_variances(&self, at: &Coords, index: usize, memory: &mut Vec<f64>, out: &mut [f64]) {
        self.0.as_model().datum_variances(at, index, memory, out);
    }

    fn start(&self) -> Vec<f64> {
        vec![0.0; 2]
    }
}

/// Takes steps of one size, all in one chunk, with the given minibatches.
pub(super) fn walk(
    method: &dyn Method,
    (target, gradient): (&Target, &Gradient),
    alpha: f64,
    batches: Minibatches<'_>,
    chains: Population,
    steps: usize,
) -> Population {
    let chains = walked(method, (target, gradient), alpha, batches, chains, steps);
    assert!((0..chains.len()).all(|chain| target.projection().point(&chains.positions, chain).x.is_finite()));
    chains
}

/// The same, wherever chains end.
pub(super) fn walked(
    method: &dyn Method,
    (target, gradient): (&Target, &Gradient),
    alpha: f64,
    batches: Minibatches<'_>,
    mut chains: Population,
    steps: usize,
) -> Population {
    let needs = method.needs(gradient);
    let mut stream = stream(77);
    let pairs = steps * needs.vectors * pairs_in(chains.positions.dimension()) * chains.len();
    let mut numbers = Numbers::from_stream(&mut stream, pairs);
    let problem = Problem::new(target, gradient, Simd::widest());
    let uniforms = steps * needs.uniforms_on(problem.model.unwrap(), gradient) * chains.len();
    numbers.uniforms = (0..uniforms).map(|_| stream.uniform()).collect();
    let (mut x, mut y) = (vec![f64::NAN; steps * chains.len()], vec![f64::NAN; steps * chains.len()]);
    let chunk = Chunk {
        problem: &problem,
        steps: Steps { step_sizes: &vec![alpha; steps], stages: &vec![Stage::Sampling; steps], batches },
        randomness: numbers.as_randomness(),
        track: Track { x: &mut x, y: &mut y, records: &mut [] },
        scratch: &mut Scratch::default(),
    };
    method.advance(&mut chains, chunk);
    for (chain, (x, y)) in (0..chains.len()).zip(x.iter().zip(&y).skip((steps - 1) * chains.len())) {
        let point = problem.position(&chains.positions, chain);
        assert!(point == Point::new(*x, *y) || !x.is_finite());
    }
    chains
}

#[test]
fn a_model_of_two_dimensions_is_sampled_like_a_planar_target() {
    let points = vec![Point::new(1.0, 2.0), Point::new(-1.0, 0.5), Point::new(3.0, -2.0)];
    let batch = |compensate| Gradient::Minibatch { size: 2, order: BatchOrder::Random, shared: true, compensate };
    let noisy = |compensate| Gradient::Noisy { variance: 2.0, compensate };
    let starts = [Point::new(0.3, -1.0), Point::new(2.0, 0.1), Point::new(-0.4, 0.2)];
    let normals: [&[f64]; 2] = [&[0.5, -1.0, 2.0], &[0.1, 0.7, -0.3]];
    let target = || Normal::posterior(0.5, 2, points.clone());
    // Contour SGLD and Gibbs sampling are for the plane alone.
    for method in variants().iter().filter(|method| method.on(&vectors(Posing(target()))).is_ok()) {
        for gradient in [Gradient::Exact, noisy(false), noisy(true), batch(false), batch(true)] {
            let indices: Vec<u32> = (0..60).map(|index| (index * index + index / 7) % 3).collect();
            let batches =
                if gradient.batch_size() > 0 { Minibatches::new(&indices, 2, 1) } else { Minibatches::default() };
            let chains = || init(method.as_ref(), &starts, 0.05, normals);
            let plane = Target::plane(Arc::new(target()));
            let plain = walk(method.as_ref(), (&plane, &gradient), 0.05, batches, chains(), 30);
            let posing = Target::vectors(
                Vectors { model: Arc::new(Posing(target())), projection: Projection::PLANE, marginal: None },
                target().info().clone(),
            );
            let posing = walk(method.as_ref(), (&posing, &gradient), 0.05, batches, chains(), 30);
            for (one, other) in plain.positions.values().iter().zip(posing.positions.values()) {
                assert!((one - other).abs() < 1e-12 * one.abs().max(1.0), "{method:?} {gradient:?}: {one} {other}");
            }
            assert_eq!(plain.acceptance.accepted, posing.acceptance.accepted, "{method:?} {gradient:?}");
        }
    }
}

/// The default linear regression: ten weights.
pub(super) fn regression() -> Arc<Target> {
    let settings = Settings::defaults(find_kind(&TARGETS, "linear-regression").unwrap());
    targets::build(&settings, Path::new("")).unwrap()
}

/// A and the mean of the posterior, from gradients alone: b − Aw at 0 and along every axis.
pub(super) fn closed_form(model: &dyn Model) -> (DMatrix<f64>, Vec<f64>) {
    let d = model.dimension();
    let mut at = Coords::zeros(d, d + 1);
    (0..d).for_each(|axis| at.axis_mut(axis)[axis] = 1.0);
    let mut gradients = Coords::zeros(d, d + 1);
    model.gradients(Simd::BASELINE, &at, &mut Vec::new(), &mut gradients);
    let precision = DMatrix::from_fn(d, d, |row, column| gradients.get(d, row) - gradients.get(column, row));
    let shift = nalgebra::DVector::from_fn(d, |row, _| gradients.get(d, row));
    let mean = precision.clone().lu().solve(&shift).unwrap();
    (precision, mean.as_slice().to_vec())
}

/// Exact draws as starts, and normals for the auxiliary state.
fn exact_starts(model: &dyn Model, chains: usize) -> (Coords, Coords) {
    let mut stream: Stream = stream(5);
    let (mut starts, mut normals) =
        (Coords::zeros(model.dimension(), chains), Coords::zeros(model.dimension(), chains));
    let mut draw = vec![0.0; model.dimension()];
    for chain in 0..chains {
        assert!(model.exact_draw(&mut stream, &mut draw));
        starts.set(chain, &draw);
        draw.iter_mut().for_each(|normal| *normal = stream.normal_pair().0);
        normals.set(chain, &draw);
    }
    (starts, normals)
}

/// Steps that need no correction leave the posterior as it is: every weight is N(mean, sd) by the distance of Kolmogorov
/// and Smirnov, whose 99.99 % quantile is 2.2/√n.
#[test]
fn exact_methods_keep_the_posterior_of_a_linear_regression() {
    let target = regression();
    let model = target.model().unwrap();
    let (precision, mean) = closed_form(model);
    let covariance = precision.clone().try_inverse().unwrap();
    let stable = 2.0 / model.curvature().unwrap();
    assert!((model.curvature().unwrap() - precision.symmetric_eigenvalues().max()).abs() < 1e-9 * 2.0 / stable);
    let (starts, normals) = exact_starts(model, 4000);
    let methods: [(&dyn Method, f64); 6] = [
        (&RandomWalk, 0.05 * stable),
        (&Mala, 0.2 * stable),
        (&Langevin { metropolis: true }, 0.2 * stable),
        (&Hmc { leapfrog_steps: 7, metropolis: true, adaptation: Adaptation::default() }, 0.5 * stable.sqrt()),
        (&Barker, 0.05 * stable),
        (&Nuts { max_depth: 4, ..Nuts::default() }, 0.5 * stable.sqrt()),
    ];
    for (method, alpha) in methods {
        let chains = method.init(starts.clone(), alpha, normals.clone());
        let chains = walk(method, (target.as_ref(), &Gradient::Exact), alpha, Minibatches::default(), chains, 40);
        let rate = chains.acceptance.rate().unwrap();
        assert!(rate > 0.1 && rate < 0.999, "{method:?}: {rate}");
        for (axis, weights) in chains.positions.axes().enumerate() {
            let sd = covariance[(axis, axis)].sqrt();
            let mut standard: Vec<f64> = weights.iter().map(|w| normal_cdf((w - mean[axis]) / sd)).collect();
            standard.sort_by(f64::total_cmp);
            let n = standard.len() as f64;
            let far = |(rank, p): (usize, &f64)| (p - rank as f64 / n).abs().max((p - (rank + 1) as f64 / n).abs());
            let distance = standard.iter().enumerate().map(far).fold(0.0, f64::max);
            assert!(distance < 2.2 / n.sqrt(), "{method:?}, weight {axis}: {distance}");
        }
    }
}

/// The covariance of chains after many steps against a closed form, entry by entry, within five standard errors.
fn has_covariance(method: &dyn Method, alpha: f64, steps: usize, expected: &DMatrix<f64>, slack: f64) {
    let target = regression();
    let model = target.model().unwrap();
    let (starts, normals) = exact_starts(model, 4000);
    let chains = method.init(starts, alpha, normals);
    let chains = walk(method, (target.as_ref(), &Gradient::Exact), alpha, Minibatches::default(), chains, steps);
    let (_, mean) = closed_form(model);
    let n = chains.len() as f64;
    for row in 0..mean.len() {
        for column in 0..=row {
            let both = chains.positions.axis(row).iter().zip(chains.positions.axis(column));
            let found = both.map(|(a, b)| (a - mean[row]) * (b - mean[column])).sum::<f64>() / n;
            let product = expected[(row, row)] * expected[(column, column)];
            let error = ((product + expected[(row, column)].powi(2)) / n).sqrt();
            let distance = (found - expected[(row, column)]).abs();
            assert!(distance < 5.0 * error + slack * product.sqrt(), "{method:?} ({row}, {column}): {found}");
        }
    }
}

/// Methods without correction have the covariance of their autoregression: of Langevin steps (A (I − αA/2))⁻¹, of SGHMC
/// (A (I − αA/(2(2 − a))))⁻¹, in the eigenvectors of A as on the line (see the heads of `sgld.rs` and `sghmc.rs`).
#[test]
fn unadjusted_methods_have_their_biased_covariance_on_a_linear_regression() {
    let target = regression();
    let (precision, _) = closed_form(target.model().unwrap());
    let stable = 2.0 / precision.symmetric_eigenvalues().max();
    let identity = DMatrix::<f64>::identity(10, 10);
    let biased = |share: f64| (&precision * (&identity - &precision * share)).try_inverse().unwrap();
    let alpha = 0.5 * stable;
    has_covariance(&Sgld, alpha, 100, &biased(0.5 * alpha), 0.0);
    has_covariance(&Langevin { metropolis: false }, alpha, 100, &biased(0.5 * alpha), 0.0);
    let friction = 0.3;
    let sghmc = Sghmc { friction, friction_correction: true };
    has_covariance(&sghmc, alpha, 400, &biased(0.5 * alpha / (2.0 - friction)), 0.0);
    // The thermostat is exact up to the square of its step, which is 0.2 % here.
    let sgnht = Sgnht { diffusion: 1.0 };
    has_covariance(&sgnht, 0.05 * stable.sqrt(), 400, &biased(0.0), 0.01);
}

#[test]
fn ascent_ends_at_the_mean() {
    let target = regression();
    let model = target.model().unwrap();
    let (precision, mean) = closed_form(model);
    let alpha = 1.0 / precision.symmetric_eigenvalues().max();
    let chains = Population::at(Coords::zeros(10, 3));
    let chains = walk(&Sgd, (target.as_ref(), &Gradient::Exact), alpha, Minibatches::default(), chains, 3000);
    for (w, mean) in chains.positions.vector(2).zip(mean) {
        assert!((w - mean).abs() < 1e-9, "{w} {mean}");
    }
}

/// Fits of a method on the linear regression after steps of decreasing size, from the record of its only chain.
fn fitted(method: &dyn Method, sizes: &[(f64, usize)]) -> (Approximation, Arc<Target>) {
    let target = regression();
    let fitting = method.fitting().unwrap();
    let mut chains = Population::at(Coords::zeros(10, 1));
    chains.fits = vec![Approximation::begin(&fitting, 2, Point::zeros())];
    for &(alpha, steps) in sizes {
        chains = walked(method, (target.as_ref(), &Gradient::Exact), alpha, Minibatches::default(), chains, steps);
    }
    (chains.fits.remove(0), target)
}

/// Everything about a Gaussian posterior is in its peak.
#[test]
fn laplace_is_exact_on_a_linear_regression() {
    for curvature in [Curvature::Full, Curvature::Diagonal, Curvature::Fisher] {
        let method =
            Laplace { start_at: StartAt::RunStart, curvature, predictive: Predictive::Sampled, spread: 1.0, draws: 10 };
        let (fit, target) = fitted(&method, &[(1.0, 3)]);
        let info = target.info();
        assert_eq!(fit.record.state, FitState::Converged);
        let found = fit.record.distribution.unwrap();
        assert!((found.mean() - info.mean).amax() < 1e-12);
        if curvature == Curvature::Full {
            assert!((found.covariance() - info.covariance).amax() < 1e-12);
            assert!((fit.record.log_evidence.unwrap() - info.log_normaliser).abs() < 1e-9);
        } else {
            assert!(found.covariance().m12.abs() <= 0.0 && found.covariance().m11 < info.covariance.m11);
        }
        let Memory::VectorNewton(newton) = &fit.memory else { panic!() };
        assert_eq!(newton.gaussian.as_ref().unwrap().dimension(), 10);
    }
}

/// The full family contains the posterior: its bound is the evidence. The best product has the variances 1/Aₖₖ, and its
/// bound is ½ (Σ ln Aₖₖ − ln |A|) below.
#[test]
fn variational_inference_ends_at_its_optimum_on_a_linear_regression() {
    let (precision, mean) = closed_form(regression().model().unwrap());
    let log_determinant = precision.determinant().ln();
    let gap = 0.5 * (precision.diagonal().iter().map(|entry| entry.ln()).sum::<f64>() - log_determinant);
    for (family, gap) in [(Family::FullRank, 0.0), (Family::MeanField, gap)] {
        let method = GaussianVi {
            family,
            expectations: Expectations::MonteCarlo { draws: 20 },
            decay: Decay { first: 0.9, second: 0.999 },
            initial_sd: 0.1,
            draws: 10,
        };
        let (fit, target) = fitted(&method, &[(0.02, 600), (0.004, 400), (0.0005, 600)]);
        let elbo = fit.record.elbo.unwrap();
        let expected = target.info().log_normaliser - gap;
        assert!((elbo.value - expected).abs() < 4.0 * elbo.standard_error + 0.05, "{family:?}: {elbo:?} {expected}");
        let Memory::VectorAdam(adam) = &fit.memory else { panic!() };
        let found = adam.gaussian(10);
        let covariance = precision.clone().try_inverse().unwrap();
        for axis in 0..10 {
            let exact = covariance[(axis, axis)].sqrt();
            assert!((found.mean[axis] - mean[axis]).abs() < 0.1 * exact, "{family:?} mean {axis}");
            let (sd, expected) = match &found.root {
                Root::Diagonal(sds) => (sds[axis], precision[(axis, axis)].sqrt().recip()),
                Root::Full(root) => (root.row(axis).norm(), exact),
            };
            assert!((sd / expected - 1.0).abs() < 0.05, "{family:?} sd {axis}: {sd} {expected}");
        }
        let projected = fit.record.distribution.unwrap();
        assert!((projected.mean() - Point::new(found.mean[0], found.mean[1])).amax() <= 0.0);
    }
}

fn gaussian_vi(family: Family, initial_sd: f64) -> GaussianVi {
    let decay = Decay { first: 0.9, second: 0.999 };
    GaussianVi { family, expectations: Expectations::MonteCarlo { draws: 3 }, decay, initial_sd, draws: 10 }
}

/// Absurd steps lead to states with a name, and never to a distribution that is none.
#[test]
fn approximations_stay_sound_at_absurd_steps() {
    for (alpha, sd) in [(1e3, 1e-6), (1e30, 1e6), (1.0, 1e6), (700.0, 1e-3), (f64::MAX, 1.0)] {
        for family in [Family::FullRank, Family::MeanField] {
            let (fit, _) = fitted(&gaussian_vi(family, sd), &[(alpha, 30)]);
            let states = [FitState::Moving, FitState::Diverged];
            assert!(states.contains(&fit.record.state), "{alpha} {sd}: {:?}", fit.record.state);
            assert!(fit.trail.iter().all(|record| record.distribution.is_none_or(|found| found.is_sound())));
        }
    }
    for (far, climbs) in [(1e8, true), (1e160, false), (f64::NAN, false), (f64::INFINITY, false)] {
        let target = regression();
        let method = Laplace {
            start_at: StartAt::RunStart,
            curvature: Curvature::Full,
            predictive: Predictive::Sampled,
            spread: 1.0,
            draws: 10,
        };
        let mut positions = Coords::zeros(10, 1);
        positions.fill(0, far);
        let mut chains = Population::at(positions);
        chains.fits = vec![Approximation::begin(&method.fitting().unwrap(), 2, Point::zeros())];
        let chains = walked(&method, (target.as_ref(), &Gradient::Exact), 1.0, Minibatches::default(), chains, 60);
        let record = chains.fits[0].record;
        assert!(record.distribution.is_none_or(|found| found.is_sound()), "{far}");
        assert_eq!(record.distribution.is_some(), climbs, "{far}: {record:?}");
    }
}

/// However many steps are in a chunk, the bits are the same.
#[test]
fn chunks_leave_the_bits_of_approximations_alone() {
    let target = regression();
    for family in [Family::FullRank, Family::MeanField] {
        let method = gaussian_vi(family, 0.5);
        let begun = || {
            let mut chains = Population::at(Coords::zeros(10, 2));
            chains.fits = vec![Approximation::begin(&method.fitting().unwrap(), 2, Point::zeros()); 2];
            chains
        };
        let numbers = Numbers::from_stream(&mut stream(3), 6 * 3 * 5 * 2);
        let problem = Problem::new(target.as_ref(), &Gradient::Exact, Simd::widest());
        let ends = [1, 2, 6].map(|chunks| {
            let (mut chains, steps) = (begun(), 6 / chunks);
            for part in 0..chunks {
                let of = |all: &[f64]| all[part * all.len() / chunks..][..all.len() / chunks].to_vec();
                let own = Numbers { first: of(&numbers.first), second: of(&numbers.second), uniforms: Vec::new() };
                let (mut x, mut y) = (vec![0.0; steps * 2], vec![0.0; steps * 2]);
                let chunk = Chunk {
                    problem: &problem,
                    steps: Steps {
                        step_sizes: &vec![0.1; steps],
                        stages: &vec![Stage::Sampling; steps],
                        batches: Minibatches::default(),
                    },
                    randomness: own.as_randomness(),
                    track: Track { x: &mut x, y: &mut y, records: &mut [] },
                    scratch: &mut Scratch::default(),
                };
                method.advance(&mut chains, chunk);
            }
            chains.fits.iter_mut().for_each(|fit| fit.trail.clear());
            chains
        });
        assert!(ends[0] == ends[1] && ends[1] == ends[2], "{family:?}");
    }
}

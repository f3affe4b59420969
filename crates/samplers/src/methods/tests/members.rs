//! Methods that give one network per chain, against closed forms and against the optimiser of the networks.

use std::path::Path;
use std::sync::Arc;

use nalgebra::DVector;

use super::super::{
    AdamAscent, AnchoredEnsemble, Decay, Gradient, METHODS, Method, Population, Problem, Psgld, build,
    starts_from_prior,
};
use super::vectors::{closed_form, regression, walk, walked};
use super::{Normal, Numbers, close, init, one_step, plan, plane, stream, vectors};
use base::math::{Coords, Point, Simd, normal_cdf};
use base::params::{Settings, Value, find_kind};
use models::targets::network::{self, Adam, DataSet, Layout, Likelihood, Network, Noise, Prior};
use models::targets::{self, Minibatches, Model, TARGETS, Target};

const DECAY: Decay = Decay { first: 0.9, second: 0.999 };

const ADAM: AdamAscent = AdamAscent { decay: DECAY, from_prior: false };

/// Prior draws as starts, and normals for the auxiliary state.
fn begun(method: &dyn Method, model: &dyn Model, members: usize) -> Population {
    let mut stream = stream(8);
    let mut starts = Coords::zeros(model.dimension(), members);
    let mut normals = Coords::zeros(method.auxiliary_normals(model), members);
    let (mut draw, mut noise) = (vec![0.0; model.dimension()], vec![0.0; normals.dimension()]);
    for member in 0..members {
        assert!(model.prior_draw(&mut stream, &mut draw));
        starts.set(member, &draw);
        noise.iter_mut().for_each(|normal| *normal = stream.normal_pair().0);
        normals.set(member, &noise);
    }
    method.init(starts, 0.1, normals)
}

/// Steps of falling size.
fn trained(method: &dyn Method, target: &Target, mut chains: Population) -> Population {
    for (alpha, steps) in [(0.05, 300), (0.01, 600), (2e-3, 1500), (5e-4, 1500), (1e-4, 600), (1e-5, 300)] {
        chains = walk(method, (target, &Gradient::Exact), alpha, Minibatches::default(), chains, steps);
    }
    chains
}

/// By hand, β₁ = ½, β₂ = ¾ on N(0, 1/3) in one dimension from θ = 2: g = −6, m̂ = −6, v̂ = 36, a step of −η; then at 1.5 with
/// g = −4.5: m = −1.5 − 2.25, v = 6.75 + 5.0625.
#[test]
fn adam_is_its_formula() {
    let target = Normal::new(3.0, 1);
    let method = AdamAscent { decay: Decay { first: 0.5, second: 0.75 }, from_prior: false };
    let mut chains = init(&method, &[Point::new(2.0, 0.0)], 0.5, [&[0.0]; 2]);
    let records = one_step(&method, &target, &Gradient::Exact, &plan(0.5), &Numbers::default(), &mut chains);
    close(chains.positions.get(0, 0), 1.5, 1e-8);
    close(records[0].drift.x, -0.5, 1e-8);
    assert!(records[0].carried.x.abs() <= 0.0);
    let from = chains.positions.get(0, 0);
    let records = one_step(&method, &target, &Gradient::Exact, &plan(0.5), &Numbers::default(), &mut chains);
    let (mean, square) = (-3.75 / 0.75, (11.8125_f64 / 0.4375).sqrt());
    close(chains.positions.get(0, 0) - from, 0.5 * mean / square, 1e-7);
    close(records[0].carried.x, 0.5 * (-1.5 / 0.75) / square, 1e-7);
}

fn gap() -> Network {
    let layout = Layout::new(&[1, 10, 1]).unwrap();
    let data = DataSet::GapSine { sd: 0.1 }.train(Noise::Lattice);
    Network::new(layout, Prior::FanIn { weight: 2.0, bias: 1.0 }, Likelihood::Gaussian { sd: 0.1 }, data).unwrap()
}

fn gap_target() -> Arc<Target> {
    let settings = Settings::defaults(find_kind(&TARGETS, "network").unwrap());
    targets::build(&settings, Path::new("")).unwrap()
}

/// The steps of the search for maxima of networks, which is written for itself: rounding apart, the same path.
#[test]
fn adam_takes_the_steps_of_the_search_for_a_maximum() {
    let (gap, target) = (gap(), gap_target());
    let start = Model::start(&gap);
    let at = Coords::of(31, [&start[..]].into_iter());
    let chains = ADAM.init(at.clone(), 0.01, at);
    let chains = walk(&ADAM, (target.as_ref(), &Gradient::Exact), 0.01, Minibatches::default(), chains, 70);
    let chains = walk(&ADAM, (target.as_ref(), &Gradient::Exact), 0.001, Minibatches::default(), chains, 30);
    let expected = network::adam(&gap, &start, Adam { steps: 100, rate: 0.01 });
    for (found, expected) in chains.positions.vector(0).zip(expected) {
        assert!((found - expected).abs() < 1e-9, "{found} {expected}");
    }
}

#[test]
fn adam_ends_at_the_maximum_of_a_linear_regression() {
    let target = regression();
    let model = target.model().unwrap();
    let (_, mean) = closed_form(model);
    let chains = trained(&ADAM, target.as_ref(), begun(&ADAM, model, 5));
    for member in 0..5 {
        for (found, expected) in chains.positions.vector(member).zip(&mean) {
            assert!((found - expected).abs() < 1e-5, "{found} {expected}");
        }
    }
}

/// Each member ends at A⁻¹(b + Xᵀε/σ + θ⁰/s²) of its own noise and anchor, and these are draws from the posterior N(m, A⁻¹):
/// every weight by the distance of Kolmogorov and Smirnov, whose 99.99 % quantile is 2.2/√n, and all covariances within five
/// standard errors.
#[test]
fn anchored_members_are_exact_draws_on_a_linear_regression() {
    const MEMBERS: usize = 1500;
    let target = regression();
    let model = target.model().unwrap();
    let (precision, mean) = closed_form(model);
    let covariance = precision.try_inverse().unwrap();
    let method = AnchoredEnsemble { decay: DECAY };
    let chains = trained(&method, target.as_ref(), begun(&method, model, MEMBERS));
    assert_eq!(chains.carried[4].dimension(), 100);
    // The pull of noise and anchor is the gradient at 0 less b.
    let zeros = Coords::zeros(10, MEMBERS);
    let (mut plain, mut disturbed) = (zeros.clone(), zeros.clone());
    let disturbance = targets::Disturbance { anchors: &chains.carried[3], noise: &chains.carried[4] };
    model.gradients(Simd::BASELINE, &zeros, &mut Vec::new(), &mut plain);
    model.disturbed_gradients(Simd::BASELINE, &zeros, disturbance, &mut Vec::new(), &mut disturbed);
    for member in 0..MEMBERS {
        let shift = DVector::from_iterator(10, disturbed.vector(member));
        let expected = &covariance * shift;
        for (found, expected) in chains.positions.vector(member).zip(expected.iter()) {
            // A fiftieth of a standard deviation; the error of the tests below is larger.
            assert!((found - expected).abs() < 1e-3, "{member}: {found} {expected}");
        }
    }
    let n = MEMBERS as f64;
    for row in 0..10 {
        let sd = covariance[(row, row)].sqrt();
        let weights = chains.positions.axis(row);
        let mut standard: Vec<f64> = weights.iter().map(|w| normal_cdf((w - mean[row]) / sd)).collect();
        standard.sort_by(f64::total_cmp);
        let far = |(rank, p): (usize, &f64)| (p - rank as f64 / n).abs().max((p - (rank + 1) as f64 / n).abs());
        let distance = standard.iter().enumerate().map(far).fold(0.0, f64::max);
        assert!(distance < 2.2 / n.sqrt(), "weight {row}: {distance}");
        for column in 0..=row {
            let both = weights.iter().zip(chains.positions.axis(column));
            let found = both.map(|(a, b)| (a - mean[row]) * (b - mean[column])).sum::<f64>() / n;
            let expected = covariance[(row, column)];
            let error = ((covariance[(row, row)] * covariance[(column, column)] + expected * expected) / n).sqrt();
            assert!((found - expected).abs() < 5.0 * error, "({row}, {column}): {found} {expected}");
        }
    }
}

#[test]
fn members_on_networks_are_lost_at_absurd_steps_and_each_for_itself() {
    let target = gap_target();
    let model = target.model().unwrap();
    let methods: [&dyn Method; 2] = [&ADAM, &AnchoredEnsemble { decay: DECAY }];
    for method in methods {
        for alpha in [1e3, 1e9, 1e300, f64::MAX] {
            let chains = begun(method, model, 9);
            let chains = walked(method, (target.as_ref(), &Gradient::Exact), alpha, Minibatches::default(), chains, 20);
            let lost = |member: usize| chains.positions.vector(member).any(|w| w.is_nan() || w.abs() > model.reach());
            assert_eq!((0..9).filter(|member| lost(*member)).count(), if alpha > 1e6 { 9 } else { 0 }, "{alpha:e}");
        }
        let mut chains = begun(method, model, 9);
        chains.positions.fill(4, f64::NAN);
        let chains = walked(method, (target.as_ref(), &Gradient::Exact), 0.01, Minibatches::default(), chains, 20);
        for member in 0..9 {
            assert_eq!(chains.positions.vector(member).all(f64::is_finite), member != 4);
        }
    }
}

/// An anchored ensemble needs Gaussian noise; the others suit every target.
#[test]
fn ensembles_say_which_targets_they_suit() {
    let anchored = AnchoredEnsemble { decay: DECAY };
    let error = anchored.on(&plane(&Normal::new(1.0, 2))).unwrap_err();
    assert_eq!(error.path, "method");
    assert!(error.allowed.contains("deep-ensemble"));
    let layout = Layout::new(&[1, 3, 1]).unwrap();
    let data = network::Observations::pairs(vec![0.0, 1.0], vec![0.0, 1.0]);
    let logits = Network::new(layout, Prior::unit(1.0), Likelihood::Bernoulli, data).unwrap();
    assert_eq!(anchored.on(&vectors(logits)).unwrap_err().path, "method");
    assert!(anchored.on(&vectors(gap())).is_ok());
    for kind in &METHODS {
        let prior = ["deep-ensemble", "anchored-ensemble"].contains(&kind.name);
        assert_eq!(starts_from_prior(kind), prior, "{}", kind.name);
    }
}

#[test]
fn learning_rates_are_not_stated_as_epsilon() {
    for name in ["adam", "deep-ensemble", "anchored-ensemble", "mc-dropout"] {
        let mut settings = Settings::defaults(find_kind(&METHODS, name).unwrap());
        settings.set("step_size.convention", Value::Choice("welling-teh")).unwrap();
        assert_eq!(build(&settings).unwrap_err()[0].path, "step_size.convention", "{name}");
    }
}

/// The same path with Nα, Nδ and N²v: to the bit where N is a power of two.
#[test]
fn psgld_in_units_of_the_mean_gradient_takes_the_same_path() {
    let points = [1.0, 2.0, -1.0, 0.5].map(|x| Point::new(x, -0.5 * x)).to_vec();
    let target = Normal::posterior(0.5, 2, points);
    let method = |mean: bool, gamma| Psgld { decay: 0.9, floor: if mean { 0.25 } else { 1.0 }, gamma, mean };
    for gamma in [false, true] {
        let run = |mean: bool| {
            let method = method(mean, gamma);
            let alpha = if mean { 0.0625 } else { 0.25 };
            let mut chains = init(&method, &[Point::new(0.3, -1.0), Point::new(2.0, 0.1)], alpha, [&[0.0; 2]; 2]);
            if !mean {
                chains.carried[0].values_mut().fill(16.0);
            }
            for index in 0..40 {
                let numbers = Numbers::for_steps(&mut stream(index), &method, &Gradient::Exact, 1, 2);
                one_step(&method, &target, &Gradient::Exact, &plan(alpha), &numbers, &mut chains);
            }
            chains.positions
        };
        // The term Γ has a factor α too, so its bits agree as well.
        assert_eq!(run(true), run(false), "{gamma}");
    }
    assert_eq!(Problem::in_plane(&target, &Gradient::Exact, Simd::BASELINE).data_count(), 4);
}

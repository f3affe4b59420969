//! Monte Carlo dropout against Adam without it, and against a program of its own (NumPy).

use std::path::Path;
use std::sync::Arc;

use super::super::{
    AdamAscent, Approximation, Chunk, FitState, Gradient, MaskedVector, McDropout, Method, Population, Problem,
    Scratch, Steps, Track, VectorDistribution,
};
use super::vectors::{regression, walk, walked};
use super::{Normal, Numbers, plane, stream};
use crate::schedules::Stage;
use base::math::{Coords, Decay, Point, Simd};
use base::params::{Settings, Value, find_kind};
use models::targets::{self, Minibatches, TARGETS, Target};

const DECAY: Decay = Decay { first: 0.9, second: 0.999 };

fn dropout(rate: f64, gal: bool) -> McDropout {
    McDropout { keep: 1.0 - rate, gal, decay: DECAY, draws: 100 }
}

fn network(data: &str) -> Arc<Target> {
    let mut settings = Settings::defaults(find_kind(&TARGETS, "network").unwrap());
    let spec = settings.spec_at("data").unwrap();
    let base::params::ParamType::Group(kinds) = spec.ty else { panic!() };
    settings.set("data", Value::Group(Settings::defaults(find_kind(kinds, data).unwrap()))).unwrap();
    targets::build(&settings, Path::new("")).unwrap()
}

/// Fits at the start of the target.
fn begun(method: &McDropout, target: &Target, chains: usize) -> Population {
    let start = target.model().unwrap().start();
    let starts = Coords::of(start.len(), std::iter::repeat_n(&start[..], chains));
    let mut population = method.init(starts.clone(), 0.01, starts);
    population.fits = vec![Approximation::begin(&method.fitting().unwrap(), 2, Point::zeros()); chains];
    population
}

#[test]
fn without_dropout_it_is_adam_to_the_bit() {
    for data in ["gap-sine", "moons"] {
        let target = network(data);
        let (method, adam) = (dropout(0.0, true), AdamAscent { decay: DECAY, from_prior: false });
        for chains in [1, 9] {
            let chains = begun(&method, target.as_ref(), chains);
            let positions = |method: &dyn Method| {
                let chains = chains.clone();
                walk(method, (target.as_ref(), &Gradient::Exact), 0.01, Minibatches::default(), chains, 60).positions
            };
            assert_eq!(positions(&method), positions(&adam), "{data}");
        }
    }
}

/// Seven steps with uniforms frac(½ + r · 0.618…), r = 0, 1, …: a number for every unit of every datum, step after step.
#[test]
fn steps_are_those_of_another_program() {
    let target = network("gap-sine");
    let uniforms: Vec<f64> = (0..7 * 400).map(|r| (0.5 + f64::from(r) * 0.618_033_988_749_894_9).fract()).collect();
    let expected = [
        (false, [-4.343262906925, 2.048245501019, -0.265514894346, -0.432740410019, -0.280991698491, 0.442990150619]),
        (true, [-4.343263177713, 2.048245525781, -0.265514857522, -0.432727396104, -0.28096727529, 0.442988696571]),
    ];
    for (gal, expected) in expected {
        let method = dropout(0.2, gal);
        let mut chains = begun(&method, target.as_ref(), 1);
        let (mut x, mut y) = ([0.0; 7], [0.0; 7]);
        let numbers = Numbers { uniforms: uniforms.clone(), ..Numbers::default() };
        method.advance(
            &mut chains,
            Chunk {
                problem: &Problem::new(target.as_ref(), &Gradient::Exact, Simd::widest()),
                steps: Steps { step_sizes: &[0.01; 7], stages: &[Stage::Sampling; 7], batches: Minibatches::default() },
                randomness: numbers.as_randomness(),
                track: Track { x: &mut x, y: &mut y, records: &mut [] },
                scratch: &mut Scratch::default(),
            },
        );
        for (axis, expected) in [0, 3, 12, 20, 25, 29].into_iter().zip(expected) {
            let found = chains.positions.get(0, axis);
            assert!((found - expected).abs() < 1e-11, "{axis}: {found} {expected}");
        }
        let fit = &chains.fits[0];
        assert_eq!((fit.trail.len(), fit.record.evaluations, fit.record.state), (7, 7.0, FitState::Training));
    }
}

/// A draw has the weights behind each unit all at 0 or all scaled up, and nothing else changed. The share of units dropped is p
/// within four standard errors.
#[test]
fn draws_have_units_dropped() {
    let target = network("gap-sine");
    let model = target.model().unwrap();
    let layout = model.network().unwrap().layout();
    let distribution = VectorDistribution::Masked(MaskedVector::new(vec![2.0; 31], model, 0.75));
    assert!(distribution.dimension() == 31 && distribution.gaussian().is_none());
    let (mut stream, mut lost) = (stream(3), 0);
    for _ in 0..1000 {
        for (axis, drawn) in distribution.draw(1.0, &mut stream).into_iter().enumerate() {
            match layout.unit_behind(axis) {
                Some(_) if drawn.abs() <= 0.0 => lost += 1,
                Some(_) => assert!((drawn - 2.0 / 0.75).abs() < 1e-15),
                None => assert_eq!(drawn.to_bits(), 2.0_f64.to_bits()),
            }
        }
    }
    let error = (10_000.0 * 0.25 * 0.75_f64).sqrt();
    assert!((f64::from(lost) - 2500.0).abs() < 4.0 * error, "{lost}");
    // The distribution of a fit is that of its chain.
    let method = dropout(0.25, false);
    let chains = begun(&method, target.as_ref(), 2);
    let expected = MaskedVector::new(chains.positions.vector(1).collect(), model, 0.75);
    assert_eq!(method.distribution(model, &chains, 1), Some(VectorDistribution::Masked(expected)));
}

#[test]
fn absurd_steps_lose_chains_each_for_itself() {
    let target = network("gap-sine");
    let method = dropout(0.1, false);
    for alpha in [1e9, 1e300, f64::MAX] {
        let chains = begun(&method, target.as_ref(), 3);
        let chains = walked(&method, (target.as_ref(), &Gradient::Exact), alpha, Minibatches::default(), chains, 20);
        assert!(chains.fits.iter().all(|fit| fit.record.state == FitState::Diverged && fit.trail.len() == 20));
    }
    let mut chains = begun(&method, target.as_ref(), 9);
    chains.positions.fill(4, f64::NAN);
    let chains = walked(&method, (target.as_ref(), &Gradient::Exact), 0.01, Minibatches::default(), chains, 20);
    for chain in 0..9 {
        assert_eq!(chains.positions.vector(chain).all(f64::is_finite), chain != 4);
        assert_eq!(chains.fits[chain].record.state == FitState::Diverged, chain == 4);
    }
}

#[test]
fn it_needs_hidden_units() {
    let method = dropout(0.1, false);
    let error = method.on(&plane(&Normal::new(1.0, 2))).unwrap_err();
    assert!(error.path == "method" && error.problem.contains("hidden units") && error.allowed.contains("adam"));
    assert!(method.on(regression().space()).is_err());
    for data in ["gap-sine", "moons"] {
        assert!(method.on(network(data).space()).is_ok());
    }
}

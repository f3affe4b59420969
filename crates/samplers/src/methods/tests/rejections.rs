//! Rejection rates of SGLD with a Metropolis rule, on the bundled data of Welling and Teh (2011).
//!
//! The figures for one datum are means along SGLD itself, whose draws are too wide at large steps; along MALA, whose
//! draws are exact, proposals are rejected more often there (`assets/experiments/rejection.toml`).

use std::path::Path;

use super::super::{BatchOrder, Batches, Gradient, Mala, Method, Population, Problem, Scratch, Sgld, Steps, Track};
use super::{Chunk, Numbers, stream};
use crate::schedules::Stage;
use base::math::{Coords, Point, Simd};
use base::params::{Settings, find_kind};
use models::targets::{Density, Minibatches, TARGETS, build};

/// Chains side by side.
const CHAINS: usize = 128;

/// Takes one step with every chain.
fn advance(
    method: &dyn Method,
    problem: &Problem<'_>,
    alpha: f64,
    batches: Minibatches<'_>,
    chains: &mut Population,
    seed: u64,
) {
    let numbers = Numbers::for_steps(&mut stream(seed), method, problem.gradient, 1, CHAINS);
    let steps = Steps { step_sizes: &[alpha], stages: &[Stage::Sampling], batches };
    let (mut x, mut y) = (vec![0.0; CHAINS], vec![0.0; CHAINS]);
    let track = Track { x: &mut x, y: &mut y, records: &mut [] };
    let chunk = Chunk { problem, steps, randomness: numbers.as_randomness(), track, scratch: &mut Scratch::default() };
    method.advance(chains, chunk);
}

/// The mean probability with which a proposal of SGLD is rejected, over every fifth of 3000 steps.
fn rejected_along_sgld(target: &dyn Density, gradient: Gradient, alpha: f64) -> f64 {
    let problem = Problem::in_plane(target, &gradient, Simd::widest());
    let mut source = Batches::new(1, 0, 0, CHAINS as u64);
    let mut batch = Vec::new();
    let data = target.data().map_or(1, |data| data.len());
    let mut draws = stream(2);
    let starts: Vec<Point> = (0..CHAINS).map(|_| target.exact_draw(&mut draws).unwrap()).collect();
    let mut chains = Population::at(Coords::of_points(&starts));
    let mut asked = Population::default();
    for step in 0..3000 {
        let batches = source.fill(Simd::widest(), &gradient, (data, 1), &mut batch);
        if step >= 200 && step % 5 == 0 {
            let acceptance = asked.acceptance;
            asked = Population { acceptance, ..chains.clone() };
            advance(&Mala, &problem, alpha, batches, &mut asked, 10_000 + step);
        }
        advance(&Sgld, &problem, alpha, batches, &mut chains, 20_000 + step);
    }
    1.0 - asked.acceptance.rate().unwrap()
}

/// 560 minibatches of one datum, whose means spread by some 0.25 at ε = 10⁻³: a standard error of 0.01 at most.
#[test]
fn proposals_of_sgld_would_be_rejected_as_often_as_stated() {
    let settings = Settings::defaults(find_kind(&TARGETS, "bivariate-mixture").unwrap());
    let target = build(&settings, Path::new("")).unwrap().density().unwrap().clone();
    let one = Gradient::minibatch(1, BatchOrder::Random);
    for (epsilon, expected) in [(1e-2, 0.807), (1e-3, 0.57), (1e-4, 0.238)] {
        let found = rejected_along_sgld(target.as_ref(), one, 0.5 * epsilon);
        println!("ε {epsilon}: {found:.4}, expected {expected}");
        assert!((found - expected).abs() < 0.05, "ε {epsilon}: {found}, not {expected}");
    }
}

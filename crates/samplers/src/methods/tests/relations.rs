//! Methods that are special cases of others, compared bit by bit where the arithmetic is the same.

use super::super::{
    Adaptation, Gradient, Hmc, Langevin, METHODS, Mala, Method, Population, Psgld, Sgd, Sghmc, Sgld, Sgnht, StepRecord,
    build,
};
use super::{Normal, Numbers, close, init, one_step, plan, stream};
use crate::schedules::{self, Schedule, Stage};
use base::math::{Coords, Point};
use base::params::{Settings, Value, find_kind};

const STARTS: [Point; 2] = [Point::new(1.0, -2.0), Point::new(0.5, 4.0)];

fn noisy(variance: f64, compensate: bool) -> Gradient {
    Gradient::Noisy { variance, compensate }
}

/// 50 steps of a method with the given numbers, and the records of the last.
fn walk(method: &dyn Method, target: &Normal, gradient: &Gradient, alpha: f64) -> (Population, Vec<StepRecord>) {
    let mut chains = init(method, &STARTS, alpha, [&[0.0; 2]; 2]);
    let mut records = Vec::new();
    for index in 0..50 {
        let numbers = Numbers::for_steps(&mut stream(index), method, gradient, 1, 2);
        records = one_step(method, target, gradient, &plan(alpha), &numbers, &mut chains);
    }
    (chains, records)
}

fn near(left: &Population, right: &Population, tolerance: f64) {
    for (left, right) in left.positions.values().iter().zip(right.positions.values()) {
        assert!((left - right).abs() <= tolerance, "{left} and {right}");
    }
}

#[test]
fn langevin_is_sgld_with_full_gradients() {
    let target = Normal::new(3.0, 2);
    let langevin = walk(&Langevin { metropolis: false }, &target, &Gradient::Exact, 0.1);
    assert_eq!(langevin, walk(&Sgld, &target, &Gradient::Exact, 0.1));
    assert_eq!(
        walk(&Langevin { metropolis: true }, &target, &Gradient::Exact, 0.1),
        walk(&Mala, &target, &Gradient::Exact, 0.1)
    );
}

/// With a = 1 no momentum is kept: Langevin dynamics to the bit, and with the friction correction SGLD that subtracts
/// gradient noise, whose sums are in another order: some 50 roundings of numbers below 8.
#[test]
fn sghmc_with_full_friction_is_langevin() {
    let target = Normal::new(3.0, 2);
    let sghmc = |friction_correction| Sghmc { friction: 1.0, friction_correction };
    let (left, _) = walk(&sghmc(true), &target, &Gradient::Exact, 0.1);
    let (right, _) = walk(&Sgld, &target, &Gradient::Exact, 0.1);
    assert_eq!(left.positions, right.positions);
    for correction in [false, true] {
        let (left, _) = walk(&sghmc(correction), &target, &noisy(4.0, false), 0.1);
        let (right, _) = walk(&Sgld, &target, &noisy(4.0, correction), 0.1);
        near(&left, &right, 1e-13);
    }
}

/// θ′ = θ + (h²/2) g + h r, and the energy error is the logarithm of the ratio of proposals: the same numbers up to
/// rounding, and the same decisions.
#[test]
fn hmc_with_one_leapfrog_step_is_mala() {
    let target = Normal::new(3.0, 2);
    let h: f64 = 0.6;
    let (hmc, from_hmc) = walk(
        &Hmc { leapfrog_steps: 1, metropolis: true, adaptation: Adaptation::default() },
        &target,
        &Gradient::Exact,
        h,
    );
    let (mala, from_mala) = walk(&Mala, &target, &Gradient::Exact, 0.5 * h * h);
    near(&hmc, &mala, 1e-13);
    assert_eq!(hmc.acceptance.accepted, mala.acceptance.accepted);
    assert!(hmc.acceptance.accepted < 100 && hmc.acceptance.accepted > 50, "some are rejected");
    close(hmc.acceptance.probability, mala.acceptance.probability, 1e-12);
    for (hmc, mala) in from_hmc.iter().zip(&from_mala) {
        close(hmc.proposal.unwrap().probability, mala.proposal.unwrap().probability, 1e-12);
        assert!((hmc.injected_noise - mala.injected_noise).amax() < 1e-14);
        assert!((hmc.drift - mala.drift).amax() < 1e-14);
    }
}

/// One step of SGNHT is one of SGHMC with α = h² and a = ξh, in other units: p·h and a noise of 2Ah·h².
#[test]
fn a_step_of_sgnht_is_one_of_sghmc() {
    let target = Normal::new(3.0, 2);
    let (h, diffusion) = (0.2_f64, 1.5);
    let numbers = Numbers { first: vec![0.3, -1.0], second: vec![2.0, 0.7], ..Numbers::default() };
    let normals: [&[f64]; 2] = [&[0.5, -0.25], &[1.5, 0.75]];
    let sgnht = Sgnht { diffusion };
    let mut thermostat = init(&sgnht, &STARTS, h, normals);
    let records = one_step(&sgnht, &target, &Gradient::Exact, &plan(h), &numbers, &mut thermostat);
    let sghmc = Sghmc { friction: diffusion * h, friction_correction: true };
    let mut plain = init(&sghmc, &STARTS, h * h, normals);
    one_step(&sghmc, &target, &Gradient::Exact, &plan(h * h), &numbers, &mut plain);
    near(&thermostat, &plain, 1e-14);
    for (chain, record) in records.iter().enumerate() {
        close(h * thermostat.carried[0].get(chain, 0), plain.carried[0].get(chain, 0), 1e-13);
        let p = record.momentum.unwrap();
        close(thermostat.carried[1].get(chain, 0), diffusion + h * (0.5 * p.norm_squared() - 1.0), 1e-14);
    }
}

/// δ so large that G is 1/δ but for one part in 10⁶: SGLD with α/δ.
#[test]
fn psgld_with_a_large_floor_is_sgld() {
    let target = Normal::new(3.0, 2);
    for gamma in [false, true] {
        let (left, _) = walk(&Psgld { decay: 0.9, floor: 1e9, gamma, mean: false }, &target, &noisy(2.0, false), 1e8);
        let (right, _) = walk(&Sgld, &target, &noisy(2.0, false), 0.1);
        near(&left, &right, 1e-6);
    }
}

/// A number worked out by hand: ρ = 0.75, g = −3·2 = −6, v = 0.25·36 = 9, δ = 1, G = 1/4; α = 0.5: drift 0.5·0.25·(−6)
/// = −0.75, Γ = −(1/16)·0.25·(−6)·(−3)/3 = −0.09375, noise √(0.25) ξ = 0.5 ξ.
#[test]
fn psgld_is_its_formula() {
    let target = Normal::new(3.0, 1);
    for (gamma, correction) in [(false, 0.0), (true, -0.09375)] {
        let method = Psgld { decay: 0.75, floor: 1.0, gamma, mean: false };
        let mut chains = init(&method, &[Point::new(2.0, 0.0)], 0.5, [&[0.0]; 2]);
        let numbers = Numbers { first: vec![0.5], second: vec![9.0], ..Numbers::default() };
        let records = one_step(&method, &target, &Gradient::Exact, &plan(0.5), &numbers, &mut chains);
        close(chains.positions.axis(0)[0], 2.0 - 0.75 + 0.5 * correction + 0.25, 1e-15);
        close(chains.carried[0].get(0, 0), 9.0, 1e-15);
        close(records[0].drift.x, -0.75 + 0.5 * correction, 1e-15);
    }
}

/// Γ is the derivative of G along θ, its past held fixed: by central differences of the step's own G.
#[test]
fn gamma_is_the_derivative_of_the_scale() {
    let settings = Settings::defaults(find_kind(&models::targets::TARGETS, "gaussian-mixture").unwrap());
    let target = models::targets::build(&settings, std::path::Path::new("")).unwrap().density().unwrap().clone();
    let (decay, floor) = (0.6, 0.3);
    let past = Point::new(0.4, 0.9);
    let scale = |at: Point, axis: usize| {
        let g = target.gradient(at)[axis];
        1.0 / (floor + (decay * past[axis] + (1.0 - decay) * g * g).sqrt())
    };
    for at in [Point::new(0.3, -0.4), Point::new(-1.2, 0.8), Point::new(2.0, 1.0)] {
        let method = Psgld { decay, floor, gamma: true, mean: false };
        let mut chains = init(&method, &[at], 1.0, [&[0.0]; 2]);
        chains.carried = vec![Coords::of_points(&[past])];
        let numbers = Numbers { first: vec![0.0], second: vec![0.0], ..Numbers::default() };
        let records = one_step(&method, target.as_ref(), &Gradient::Exact, &plan(1.0), &numbers, &mut chains);
        for axis in 0..2 {
            let gamma = records[0].drift[axis] - scale(at, axis) * target.gradient(at)[axis];
            let mut step = Point::zeros();
            step[axis] = 1e-5;
            let slope = (scale(at + step, axis) - scale(at - step, axis)) / 2e-5;
            // Central differences: errors of 10⁻¹⁰ by curvature and by rounding.
            assert!((gamma - slope).abs() < 1e-7 * (1.0 + slope.abs()), "{at} {axis}: {gamma}, not {slope}");
        }
    }
}

fn settings(method: &str, values: &[(&str, Value)]) -> Settings {
    let mut settings = Settings::defaults(find_kind(&METHODS, method).unwrap());
    for (path, value) in values {
        settings.set(path, value.clone()).unwrap();
    }
    settings
}

/// The registered pairs of methods that differ only in their schedule.
#[test]
fn cyclical_methods_and_gradient_descent_are_their_plain_ones() {
    let target = Normal::new(3.0, 2);
    for (left, right) in [("csgld", "sgld"), ("csghmc", "sghmc"), ("gradient-descent", "sgd")] {
        let [left, right] = [left, right].map(|name| build(&settings(name, &[])).unwrap());
        for alpha in [0.01, 0.1] {
            let [left, right] = [&left, &right].map(|method| walk(method.as_ref(), &target, &Gradient::Exact, alpha));
            assert_eq!(left, right);
        }
    }
}

/// In an exploration stage without noise cSGHMC is gradient ascent with momentum.
#[test]
fn exploration_without_noise_is_deterministic() {
    let target = Normal::new(3.0, 2);
    let silent = super::Plan { stage: Stage::Exploration { noise: false }, ..plan(0.1) };
    for method in [
        &Sghmc { friction: 0.3, friction_correction: true } as &dyn Method,
        &Sgnht { diffusion: 1.0 },
        &Psgld { decay: 0.9, floor: 1.0, gamma: false, mean: false },
        &Sgld,
        &Langevin { metropolis: false },
    ] {
        let mut chains = init(method, &STARTS, 0.1, [&[0.0; 2]; 2]);
        let numbers = Numbers::for_steps(&mut stream(1), method, &Gradient::Exact, 1, 2);
        let records = one_step(method, &target, &Gradient::Exact, &silent, &numbers, &mut chains);
        assert!(records.iter().all(|record| record.injected_noise.amax() <= 0.0), "{method:?}");
        assert!(records.iter().all(|record| record.drift.amax() > 0.0), "{method:?}");
    }
}

fn constant(alpha: f64) -> std::sync::Arc<dyn Schedule> {
    std::sync::Arc::new(schedules::Constant { alpha })
}

#[test]
fn friction_below_that_of_the_noise_is_rejected() {
    let method = Sghmc { friction: 0.1, friction_correction: true };
    // β̂ = αV/2 = 0.2.
    let errors = method.check(&noisy(4.0, false), constant(0.1).as_ref(), 10);
    assert_eq!(errors.len(), 1);
    assert_eq!(errors[0].path, "friction");
    assert!(errors[0].allowed.starts_with("from 0.2 to 1"), "{}", errors[0]);
    assert!(method.check(&noisy(40.0, false), constant(0.1).as_ref(), 10)[0].allowed.starts_with("no friction"));
    assert!(method.check(&noisy(2.0, false), constant(0.1).as_ref(), 10).is_empty());
    assert!(method.check(&Gradient::Exact, constant(9.0).as_ref(), 10).is_empty());
    let uncorrected = Sghmc { friction_correction: false, ..method };
    assert!(uncorrected.check(&noisy(4.0, false), constant(0.1).as_ref(), 10).is_empty());
}

/// The variance of a minibatch depends on the data alone here, V = (N²/n)·Varᵢ; where αV/2 is above a, no noise is
/// injected.
#[test]
fn friction_correction_uses_the_variance_of_minibatches() {
    let target = Normal::posterior(0.5, 2, vec![Point::new(1.0, 2.0), Point::new(-1.0, 0.0), Point::new(3.0, 1.0)]);
    let order = super::super::BatchOrder::Random;
    let batch = Gradient::minibatch(2, order);
    // Variances 8/3 and 2/3 of the data, times 9/2.
    let variance = Point::new(12.0, 3.0);
    let numbers = Numbers { first: vec![1.0], second: vec![1.0], ..Numbers::default() };
    for (alpha, friction, correction) in [(0.01, 0.1, true), (0.01, 0.1, false), (0.05, 0.2, true)] {
        let method = Sghmc { friction, friction_correction: correction };
        let mut chains = init(&method, &STARTS[..1], alpha, [&[0.0]; 2]);
        let plan = super::Plan { batch: &[2, 0], ..plan(alpha) };
        let records = one_step(&method, &target, &batch, &plan, &numbers, &mut chains);
        for axis in 0..2 {
            let beta = if correction { 0.5 * alpha * variance[axis] } else { 0.0 };
            let expected = (2.0 * alpha * (friction - beta)).max(0.0).sqrt();
            assert!((records[0].injected_noise[axis] - expected).abs() < 1e-14, "{method:?}, axis {axis}: {records:?}");
        }
    }
}

#[test]
fn metropolis_methods_reject_schedules_without_noise() {
    let step_size = |noise: bool, share: f64| {
        let mut settings = Settings::defaults(find_kind(&schedules::SCHEDULES, "cyclical").unwrap());
        settings.set("exploration_noise", Value::Flag(noise)).unwrap();
        settings.set("exploration", Value::Number(share)).unwrap();
        schedules::build(&settings, 1000).unwrap()
    };
    for name in ["random-walk", "adaptive-metropolis", "mala", "barker", "hmc", "nuts", "langevin"] {
        let values = [("metropolis", Value::Flag(true))];
        let method = build(&settings(name, if name == "langevin" { &values } else { &[] })).unwrap();
        let errors = method.check(&Gradient::Exact, step_size(false, 0.25).as_ref(), 1000);
        assert_eq!(errors.iter().map(|error| error.path.as_str()).collect::<Vec<_>>(), ["step_size.exploration_noise"]);
        assert!(method.check(&Gradient::Exact, step_size(true, 0.25).as_ref(), 1000).is_empty(), "{name}");
        assert!(method.check(&Gradient::Exact, step_size(false, 0.0).as_ref(), 1000).is_empty(), "{name}");
    }
    for name in ["gradient-descent", "sgd", "langevin", "sgld", "csgld", "psgld", "sghmc", "csghmc", "sgnht"] {
        let method = build(&settings(name, &[])).unwrap();
        assert!(method.check(&Gradient::Exact, step_size(false, 0.25).as_ref(), 1000).is_empty(), "{name}");
    }
}

#[test]
fn hmc_with_metropolis_rejects_noisy_gradients() {
    let method = |metropolis| Hmc { leapfrog_steps: 5, metropolis, adaptation: Adaptation::default() };
    let errors = method(true).check(&noisy(1.0, false), constant(0.1).as_ref(), 10);
    assert_eq!((errors.len(), errors[0].path.as_str()), (1, "metropolis"));
    assert!(method(false).check(&noisy(1.0, false), constant(0.1).as_ref(), 10).is_empty());
    assert!(method(true).check(&Gradient::Exact, constant(0.1).as_ref(), 10).is_empty());
}

#[test]
fn time_steps_are_not_stated_as_epsilon() {
    for name in ["hmc", "nuts", "sgnht"] {
        let errors = build(&settings(name, &[("step_size.convention", Value::Choice("welling-teh"))])).unwrap_err();
        assert_eq!(errors[0].path, "step_size.convention", "{name}");
    }
}

#[test]
fn steps_count_their_evaluations() {
    let batch = Gradient::minibatch(5, super::super::BatchOrder::Random);
    let sghmc = |friction_correction| Sghmc { friction: 0.5, friction_correction };
    let psgld = |gamma| Psgld { decay: 0.9, floor: 1.0, gamma, mean: false };
    let hmc = Hmc { leapfrog_steps: 7, metropolis: false, adaptation: Adaptation::default() };
    let cases: [(&dyn Method, Gradient, f64); 15] = [
        (&Sgd, batch, 0.05),
        (&Langevin { metropolis: false }, Gradient::Exact, 1.0),
        (&Langevin { metropolis: true }, Gradient::Exact, 1.0),
        (&Sgld, batch, 0.05),
        (&psgld(false), batch, 0.05),
        (&psgld(true), batch, 1.05),
        (&sghmc(true), batch, 1.05),
        (&sghmc(false), batch, 0.05),
        (&sghmc(true), noisy(0.1, false), 1.0),
        (&Sgnht { diffusion: 1.0 }, batch, 0.05),
        (&super::super::RandomWalk, Gradient::Exact, 1.0),
        (&Mala, Gradient::Exact, 1.0),
        (&Mala, batch, 1.1),
        (&hmc, Gradient::Exact, 7.0),
        (&hmc, noisy(1.0, false), 14.0),
    ];
    for (method, gradient, expected) in cases {
        close(method.evaluations(&gradient, 100, Stage::Sampling), expected, super::ROUNDING);
    }
    let silent = Stage::Exploration { noise: false };
    close(sghmc(true).evaluations(&batch, 100, silent), 0.05, super::ROUNDING);
}

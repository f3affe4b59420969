//! Limits of stability: just below `stable_below` a chain without noise converges, just above it diverges.

use super::super::{Adaptation, Gradient, Hmc, Langevin, Method, Psgld, RandomWalk, Sgd, Sghmc, Sgld, Sgnht};
use super::{Normal, Numbers, init, one_step, plan};
use base::math::Point;

/// The distance from 0 of a chain on N(0, 1/λ) after some thousand steps without noise, in units of its start.
fn growth(method: &dyn Method, lambda: f64, alpha: f64) -> f64 {
    let target = Normal::new(lambda, 1);
    // So small that the momenta only cool a thermostat, which is reset after every step.
    let start = 1e-60;
    let mut chains = init(method, &[Point::new(start, 0.0)], alpha, [&[0.0]; 2]);
    let thermostat = chains.carried.get(1).cloned();
    let needs = method.needs(&Gradient::Exact);
    let numbers = Numbers { first: vec![0.0; needs.vectors], second: vec![0.0; needs.vectors], uniforms: Vec::new() };
    let mut farthest: f64 = 0.0;
    for index in 0..4000 {
        one_step(method, &target, &Gradient::Exact, &plan(alpha), &numbers, &mut chains);
        if let Some(thermostat) = &thermostat {
            chains.carried[1].clone_from(thermostat);
        }
        let distance = chains.positions.axis(0)[0].abs();
        if !distance.is_finite() || distance > 1e20 * start {
            return f64::INFINITY;
        }
        if index >= 3000 {
            farthest = farthest.max(distance);
        }
    }
    farthest / start
}

#[test]
fn steps_are_stable_up_to_the_stated_limit() {
    let sghmc = |friction| Sghmc { friction, friction_correction: true };
    let methods: [&dyn Method; 9] = [
        &Sgd,
        &Sgld,
        &Langevin { metropolis: false },
        &sghmc(0.05),
        &sghmc(0.4),
        &sghmc(1.0),
        &Sgnht { diffusion: 0.0 },
        &Sgnht { diffusion: 2.0 },
        &Hmc { leapfrog_steps: 1, metropolis: false, adaptation: Adaptation::default() },
    ];
    for method in methods {
        for lambda in [0.3, 1.0, 33.333] {
            let limit = method.stable_below(lambda).unwrap();
            let below = growth(method, lambda, 0.98 * limit);
            let above = growth(method, lambda, 1.02 * limit);
            assert!(below < 100.0, "{method:?}, λ {lambda}: {below} below {limit}");
            assert!(above > 1e6, "{method:?}, λ {lambda}: {above} above {limit}");
        }
    }
}

/// A drift of pSGLD is at most α/√(1 − ρ) long, whatever the step size and the gradient.
#[test]
fn preconditioned_drifts_are_bounded() {
    let method = Psgld { decay: 0.9, floor: 1e-5, gamma: false, mean: false };
    assert_eq!((method.stable_below(1.0), RandomWalk.stable_below(1.0)), (None, None));
    for alpha in [1e-3, 1.0, 1e6] {
        let mut chains = init(&method, &[Point::new(1e3, -1e-3)], alpha, [&[0.0]; 2]);
        for _ in 0..200 {
            let numbers = Numbers { first: vec![0.0], second: vec![0.0], ..Numbers::default() };
            let records =
                one_step(&method, &Normal::new(5.0, 2), &Gradient::Exact, &plan(alpha), &numbers, &mut chains);
            assert!(records[0].drift.amax() <= alpha / 0.1_f64.sqrt() * (1.0 + 1e-12), "{records:?}");
        }
    }
}

//! Contour SGLD: one step by hand, learnt probabilities and weighted draws against closed forms, quadrature and an independent
//! program.

use std::path::Path;
use std::sync::Arc;

use super::super::{ContourSgld, Gradient, METHODS, Method, Population, Sgld, build};
use super::{Normal, Numbers, close, one_step, plan, stream};
use base::math::{Coords, Point};
use base::params::{Settings, find_kind};
use models::targets::{self, Density, TARGETS, Target};

fn built(kind: &str) -> Arc<Target> {
    targets::build(&Settings::defaults(find_kind(&TARGETS, kind).unwrap()), Path::new("")).unwrap()
}

fn target(kind: &str) -> Arc<dyn Density> {
    built(kind).density().unwrap().clone()
}

/// On N(0, 1) the energy of 1.5 is 1.125: a quarter within bin 2 of width 0.5 (bins from 0). Its factor is
/// 1 + ζ ln(w(2)/w(1))/Δu. The end at energy ½θ′² learns with Ψ^ζ.
#[test]
fn a_step_has_the_stated_form() {
    let method =
        ContourSgld { flattening: 0.8, bin_width: 0.5, bins: 4, gain: 5.0, exponent: 1.0, ..Default::default() };
    let w = [0.4, 0.35, 0.15, 0.1];
    let mut chains = method.init(Coords::of_points(&[Point::new(1.5, 0.0)]), 0.1, Coords::zeros(0, 1));
    chains.carried[0].set(0, &w);
    chains.carried[1].set(0, &[9.0]);
    let numbers = Numbers { first: vec![0.35], second: vec![0.0], uniforms: Vec::new() };
    let target = Normal::new(1.0, 1);
    let record = one_step(&method, &target, &Gradient::Exact, &plan(0.1), &numbers, &mut chains).remove(0);
    let factor = 1.0 + 0.8 * (w[2] / w[1]).ln() / 0.5;
    assert!(factor < 0.0, "the chain climbs");
    close(record.drift.x, -0.1 * factor * 1.5, 1e-14);
    let to = 1.5 - 0.1 * factor * 1.5 + 0.2_f64.sqrt() * 0.35;
    close(record.to.x, to, 1e-14);
    // 0.5 · 1.710² = 1.462: still in bin 2, near its end.
    let share = 0.5 * to * to / 0.5 - 2.0;
    assert!((0.9..1.0).contains(&share), "{share}");
    let psi = w[1].powf(1.0 - share) * w[2].powf(share);
    let rate = 5.0 / 110.0 * psi.powf(0.8);
    for (bin, before) in w.iter().enumerate() {
        let aim = f64::from(u8::from(bin == 2));
        close(chains.carried[0].get(0, bin), before + rate * (aim - before), 1e-13);
    }
    close(chains.carried[1].get(0, 0), 10.0, 1e-15);
}

/// With ζ = 0 the steps are those of SGLD, up to rounding.
#[test]
fn without_flattening_it_is_sgld() {
    let (target, method) = (target("three-modes"), ContourSgld { flattening: 0.0, ..ContourSgld::default() });
    let starts = Coords::of_points(&[Point::new(0.3, -0.5), Point::new(2.0, 1.0)]);
    let mut contour = method.init(starts.clone(), 0.05, Coords::zeros(0, 2));
    let mut plain = Population::at(starts);
    for index in 0..50 {
        let numbers = Numbers::for_steps(&mut stream(index), &Sgld, &Gradient::Exact, 1, 2);
        one_step(&method, target.as_ref(), &Gradient::Exact, &plan(0.05), &numbers, &mut contour);
        one_step(&Sgld, target.as_ref(), &Gradient::Exact, &plan(0.05), &numbers, &mut plain);
    }
    assert!((0..2).all(|chain| (contour.position(chain) - plain.position(chain)).amax() < 1e-9));
}

/// A mean over chains, with its standard error.
#[derive(Clone, Copy, Debug)]
struct Estimate(f64, f64);

impl Estimate {
    fn of(values: &[f64]) -> Self {
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
        Self(mean, (squares / (count - 1.0) / count).sqrt())
    }
}

/// What chains say that learn by themselves: the probabilities of bins at the end, the weighted mean square of x after the
/// burn-in, and the same without weights.
struct Learnt {
    probabilities: Vec<Estimate>,
    square: Estimate,
    unweighted: Estimate,
}

/// Chains, steps and burn-in of a run.
const RUN: (usize, u64, u64) = (128, 20_000, 5000);

fn learnt(method: &ContourSgld, target: &dyn Density, alpha: f64) -> Learnt {
    let (count, steps, burn_in) = RUN;
    let starts = vec![target.info().start; count];
    let mut chains = method.init(Coords::of_points(&starts), alpha, Coords::zeros(0, count));
    let top = target.log_density(targets::highest_mode(target));
    let mut sums = vec![[0.0; 3]; count];
    let mut numbers = stream(5);
    for index in 0..steps {
        let before = chains.carried[0].clone();
        let numbers = Numbers::for_steps(&mut numbers, method, &Gradient::Exact, 1, count);
        one_step(method, target, &Gradient::Exact, &plan(alpha), &numbers, &mut chains);
        for (chain, sums) in sums.iter_mut().enumerate().filter(|_| index >= burn_in) {
            let at = chains.position(chain);
            // Ψ by the formula, in another form than in the method.
            let level = ((top - target.log_density(at) - method.lowest) / method.bin_width).max(0.0);
            let last = method.bins - 1;
            let (low, high) = match whole(level) {
                0 => (0, 0),
                bin if bin > last => (last, last),
                bin => (bin - 1, bin),
            };
            let share = level.fract();
            let psi = before.get(chain, low).powf(1.0 - share) * before.get(chain, high).powf(share);
            let weight = psi.powf(method.flattening);
            let square = at.x * at.x;
            for (sum, term) in sums.iter_mut().zip([weight, weight * square, square / (steps - burn_in) as f64]) {
                *sum += term;
            }
        }
    }
    let of = |bin: usize| Estimate::of(chains.carried[0].axis(bin));
    Learnt {
        probabilities: (0..method.bins).map(of).collect(),
        square: Estimate::of(&sums.iter().map(|[weight, square, _]| square / weight).collect::<Vec<_>>()),
        unweighted: Estimate::of(&sums.iter().map(|[_, _, square]| *square).collect::<Vec<_>>()),
    }
}

/// On N(0, I) in the plane the energy ½‖θ‖² is exponential with mean 1: bin j has probability e^{−jΔu} (1 − e^{−Δu}), Ψ falls as
/// e^{−U}, and the factor is 1 − ζ in all bins but the first: the flattened density is about N(0, I/(1 − ζ)). Weighted draws have
/// the variance 1 again, up to the bias of the Euler step, at most αλ/2 of it; unweighted ones do not.
#[test]
fn a_gaussian_is_flattened_and_weighted_back() {
    let method = ContourSgld { flattening: 0.5, bin_width: 0.5, bins: 12, ..ContourSgld::default() };
    let alpha = 0.05;
    let found = learnt(&method, &Normal::new(1.0, 2), alpha);
    for (bin, Estimate(mean, error)) in found.probabilities.iter().enumerate() {
        let low = (-0.5 * bin as f64).exp();
        let expected = if bin == 11 { low } else { low * (1.0 - (-0.5_f64).exp()) };
        let margin = 5.0 * error + 0.5 * alpha * expected * (1.0 + 0.5 * bin as f64);
        assert!(
            (mean - expected).abs() < margin && *error < 0.1 * expected,
            "bin {bin}: {mean} ± {error}, not {expected}"
        );
    }
    let Estimate(square, error) = found.square;
    assert!((square - 1.0).abs() < 5.0 * error + 0.5 * alpha && error < 0.02, "{square} ± {error}");
    let Estimate(flat, error) = found.unweighted;
    assert!(flat > 1.5 && error < 0.05, "{flat} ± {error}");
}

/// The whole part of a number from 0 on.
#[expect(clippy::cast_sign_loss, reason = "from 0 on")]
fn whole(number: f64) -> usize {
    number as usize
}

/// On the double well at α = 0.002, ζ = 0.5 and 8 bins of 0.5: the probabilities of the bins by quadrature of the density, E x² =
/// 0.83275, and figures of an independent program in NumPy (400 chains with as many steps, its own random numbers): 0.648, 0.306,
/// 0.0237, 0.0103 with standard errors 0.007, 0.007, 0.0009, 0.0005, and E x² = 0.8394 ± 0.0031. Five standard errors.
#[test]
fn energies_of_the_double_well_are_learnt() {
    let well = target("double-well");
    let method = ContourSgld { flattening: 0.5, bin_width: 0.5, bins: 8, ..ContourSgld::default() };
    let found = learnt(&method, well.as_ref(), 0.002);
    let mut masses = [0.0; 8];
    let nodes: u32 = 200_000;
    for node in 0..nodes {
        let x = -3.0 + 6.0 * (f64::from(node) + 0.5) / f64::from(nodes);
        let energy = (x * x - 1.0).powi(2);
        masses[whole(energy / 0.5).min(7)] += (-energy).exp();
    }
    let total: f64 = masses.iter().sum();
    let program = [(0.648, 0.007), (0.306, 0.007), (0.0237, 0.0009), (0.0103, 0.0005)];
    for (bin, Estimate(mean, error)) in found.probabilities.iter().enumerate() {
        let exact = masses[bin] / total;
        assert!((mean - exact).abs() < 5.0 * error, "bin {bin}: {mean} ± {error}, not {exact}");
        if let Some((theirs, known)) = program.get(bin) {
            assert!((mean - theirs).abs() < 5.0 * error.hypot(*known), "bin {bin}: {mean} ± {error}, not {theirs}");
        }
    }
    let Estimate(square, error) = found.square;
    assert!(error < 0.01, "{error}");
    assert!((square - 0.832_75).abs() < 5.0 * error && (square - 0.8394).abs() < 5.0 * error.hypot(0.0031), "{square}");
    // Flattened, the barrier is visited more often.
    assert!((found.unweighted.0 - 0.832_75).abs() > 5.0 * found.unweighted.1, "{:?}", found.unweighted);
}

#[test]
fn more_dimensions_are_refused() {
    let method = build(&Settings::defaults(find_kind(&METHODS, "contour-sgld").unwrap())).unwrap();
    let error = method.on(built("linear-regression").space()).unwrap_err();
    assert!(error.path == "method" && error.problem.contains("dimensions"), "{error}");
}

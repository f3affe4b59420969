//! All methods on all targets, from the two registries. Nothing panics, no NaN is kept, divergences are recorded,
//! chains stay in a support that has a boundary, and the same seed gives the same bits. First with the defaults, then
//! with the other boundaries, gradients and switches.

use std::path::Path;
use std::sync::Arc;

use rayon::prelude::{IntoParallelIterator, IntoParallelRefIterator, ParallelIterator};
use sampler_lab::math::{Matrix, Point, Simd};
use sampler_lab::methods::{self, METHODS, StepScale};
use sampler_lab::params::{KindSpec, Settings, find_kind};
use sampler_lab::scenario::{self, Scenario};
use sampler_lab::session::{RunFrame, Session};
use sampler_lab::targets::{Boundary, TARGETS, Target};

/// Chains per run.
const CHAINS: usize = 2;

/// A step size at which Euler steps are stable, times the curvature of the highest mode.
const SENSIBLE: f64 = 0.1;

/// The largest curvature at the modes in the coordinates of the chains, or where a chain starts if there are none; in more
/// dimensions than are drawn, that of all of them.
pub(super) fn curvature(target: &Arc<Target>) -> f64 {
    if let Some(behind) = target.in_vectors() {
        return behind.model.curvature().unwrap();
    }
    let sampled = target.sampled();
    let sampled = sampled.in_plane().unwrap();
    let planar = target.info().dimension == 2;
    let at = |point: Point| {
        let hessian = sampled.hessian(point);
        let hessian = if planar { hessian } else { Matrix::new(hessian.m11, 0.0, 0.0, 0.0) };
        hessian.symmetric_eigenvalues().amax()
    };
    let modes = sampled.info().modes.iter().map(|mode| at(mode.at));
    modes.fold(at(sampled.info().start), f64::max)
}

/// The number of data of a target on the line or in the plane; `None` without data.
pub(super) fn planar_data(target: &Target) -> Option<usize> {
    target.data_count().filter(|_| target.in_plane().is_some())
}

/// The step size that stands for α at this curvature: a time step for methods that integrate.
pub(super) fn step_size(method: &str, alpha: f64) -> f64 {
    let scale = find_kind(&METHODS, method).and_then(methods::step).map(|step| step.scale);
    if matches!(scale, Some(StepScale::Time { .. } | StepScale::Length)) { alpha.sqrt() } else { alpha }
}

/// A method with settings.
#[derive(Clone, Copy, Debug)]
struct Case {
    name: &'static str,
    method: &'static str,
    settings: &'static str,
    /// Whether its steps are accepted or rejected.
    metropolis: bool,
}

/// Every sampler at its defaults that suits a density. Trees of NUTS have 31 leaves at most: they would be as deep as they may be.
fn defaults(target: &Target) -> Vec<Case> {
    let case = |name| Case {
        name,
        method: name,
        settings: if name == "nuts" { "max_depth = 5" } else { "" },
        metropolis: [
            "adaptive-metropolis",
            "barker",
            "mala",
            "hmc",
            "nuts",
            "random-walk",
            "parallel-tempering",
            "demcz",
        ]
        .contains(&name),
    };
    let samples = |kind: &&'static KindSpec| {
        let method = methods::build(&Settings::defaults(kind)).unwrap();
        !methods::fits(kind) && method.on(target.space()).is_ok()
    };
    METHODS.iter().filter(samples).map(|kind| case(kind.name)).collect()
}

const fn variant(name: &'static str, method: &'static str, settings: &'static str) -> Case {
    Case { name, method, settings, metropolis: false }
}

const BATCH: &str = "gradient = { kind = \"minibatch\", size = 5 }";

/// What can be switched on every target.
const SWITCHED: [Case; 6] = [
    Case { metropolis: true, ..variant("adjusted langevin", "langevin", "metropolis = true") },
    Case {
        metropolis: true,
        ..variant("adapted nuts", "nuts", "adapt_step_size = true\nmass = \"dense\"\nwarm_up = 100\nmax_depth = 6")
    },
    variant("short slices", "gibbs", "scan = \"random\"\nwidth = 0.01\nmost_widths = 3\nmost_tries = 2"),
    // At the default floor a chain that starts at a mode jumps absurdly far.
    variant("psgld with gamma", "psgld", "gamma = true\nfloor = 1.0"),
    variant("uncorrected sghmc", "sghmc", "friction_correction = false\ngradient = { kind = \"noisy\" }"),
    variant("naive hmc", "hmc", "metropolis = false\ngradient = { kind = \"noisy\" }"),
];

/// Methods with minibatches, on targets with data.
const BATCHED: [Case; 8] = [
    variant("sgd in batches", "sgd", BATCH),
    variant("sgld in batches", "sgld", BATCH),
    variant("csgld in batches", "csgld", BATCH),
    variant("psgld in batches", "psgld", BATCH),
    variant("sghmc in batches", "sghmc", BATCH),
    variant("csghmc in batches", "csghmc", BATCH),
    variant("sgnht in batches", "sgnht", BATCH),
    Case { metropolis: true, ..variant("mala in batches", "mala", BATCH) },
];

/// Boundaries of targets that have some, other than the default.
const BOUNDED: [(&str, &str); 5] = [
    ("beta-posterior", "logit"),
    ("beta-posterior", "none"),
    ("beta-pair", "logit"),
    ("normal-gamma", "log"),
    ("normal-gamma", "none"),
];

/// A target as a scenario describes it.
pub(super) fn described(text: &str) -> Arc<Target> {
    let run = "[[run]]\nname = \"x\"\nmethod = \"langevin\"\n";
    let scenario = format!("format = 1\ntitle = \"x\"\nseed = 1\n[target]\n{text}\n{run}");
    let scenario = scenario::read(&scenario, "target.toml", Path::new(".")).unwrap();
    scenario.build().unwrap().spans[0].target.clone()
}

/// The descriptions of the densities of the gallery. Topics are none: their methods are in `topics.rs`.
pub(super) fn gallery() -> impl Iterator<Item = String> {
    TARGETS.iter().filter(|kind| kind.name != "topics").map(|kind| format!("kind = \"{}\"", kind.name))
}

/// The descriptions of those whose density is known.
pub(super) fn known() -> impl Iterator<Item = String> {
    gallery().filter(|text| described(text).density().is_some())
}

/// The descriptions of [`BOUNDED`].
pub(super) fn bounded() -> impl Iterator<Item = String> {
    BOUNDED.iter().map(|(kind, boundary)| format!("kind = \"{kind}\"\nboundary = \"{boundary}\""))
}

/// A run of every case.
fn experiment(target: &str, cases: &[Case], alpha: f64, steps: usize) -> Scenario {
    let run = |case: &Case| {
        let size = step_size(case.method, alpha);
        let schedule = if ["csgld", "csghmc"].contains(&case.method) {
            format!("kind = \"cyclical\", initial = {size:e}, cycles = 5")
        } else {
            format!("kind = \"constant\", value = {size:e}")
        };
        let kind = find_kind(&METHODS, case.method).unwrap();
        let chains = kind.param("chains").map_or(String::new(), |_| format!("chains = {CHAINS}\n"));
        let step_size = kind.param("step_size").map_or(String::new(), |_| format!("step_size = {{ {schedule} }}\n"));
        format!(
            "[[run]]\nname = \"{}\"\nmethod = \"{}\"\n{chains}steps = {steps}\n{}\n{step_size}",
            case.name, case.method, case.settings
        )
    };
    let runs: String = cases.iter().map(run).collect();
    let text = format!("format = 1\ntitle = \"pairs\"\nseed = 11\n[target]\n{target}\n{runs}");
    scenario::read(&text, "pairs.toml", Path::new(".")).unwrap()
}

fn finished(scenario: &Scenario, simd: Simd, cut: u64) -> Vec<RunFrame> {
    let mut session = Session::with_simd(scenario.clone(), simd).unwrap();
    while !session.finished() {
        session.advance(cut);
    }
    session.frame().runs
}

/// Bits of all positions of a run, and of its last records. The sign of a NaN does not count: it depends on the operand
/// from which an instruction takes it.
fn bits(run: &RunFrame) -> Vec<Option<[u64; 2]>> {
    let rows = (0..run.history.rows()).flat_map(|row| (0..run.plan.chains).map(move |chain| (row, chain)));
    let places = rows.map(|(row, chain)| run.history.position(row, chain));
    let last = run.records.iter().map(|record| Some(record.to));
    let number = |value: f64| if value.is_nan() { f64::NAN.to_bits() } else { value.to_bits() };
    places.chain(last).map(|place| place.map(|at| [number(at.x), number(at.y)])).collect()
}

/// Whether a position is in the support or on its boundary, to which coordinates far out are rounded.
fn supported(target: &Target, at: Point) -> bool {
    let support = target.info().support;
    (0..target.info().dimension).all(|axis| support.min[axis] <= at[axis] && at[axis] <= support.max[axis])
}

/// Checks that hold for every run, even if its chains have diverged. Chains keep to the support where something is done
/// at its boundary, and where nothing is, those that decide by the density do, which is 0 beyond.
fn sound(run: &RunFrame, case: &Case, target: &Target, on: &str) {
    let name = &run.plan.name;
    let kept = case.metropolis || case.method == "gibbs" || target.info().boundary != Boundary::Open;
    for chain in 0..run.plan.chains {
        let diverged = run.diverged.iter().find(|(number, _)| *number == chain).map(|(_, step)| *step);
        for row in 0..run.history.rows() {
            let place = run.history.position(row, chain);
            let finite = place.is_some_and(|at| at.x.is_finite() && at.y.is_finite());
            let expected = diverged.is_none_or(|step| run.history.step(row) < step);
            assert_eq!(finite, expected, "{name} {on}: chain {chain} at step {}: {place:?}", run.history.step(row));
            let flat = place.is_none_or(|at| target.info().dimension == 2 || at.y.abs() <= 0.0 || at.y.is_nan());
            assert!(flat, "{name} {on}: {place:?} is not on the line");
            let inside = !kept || place.is_none_or(|at| supported(target, at));
            assert!(inside, "{name} {on}: {place:?} is outside the support");
        }
    }
    assert!(run.positions.iter().all(|at| at.x.is_finite() && at.y.is_finite()), "{name} {on}");
    assert!(run.cloud.iter().all(|count| count.is_finite()), "{name} {on}");
    assert!(run.evaluations().is_finite() && run.evaluations() > 0.0, "{name} {on}");
    if case.metropolis {
        assert!(run.diverged.is_empty(), "{name} {on}: a Metropolis method does not diverge");
        assert_eq!(run.acceptance.proposals, run.step * CHAINS as u64, "{name} {on}");
        assert!(run.acceptance.rate().is_some_and(|rate| (0.0..=1.0).contains(&rate)), "{name} {on}");
    } else {
        assert_eq!(run.acceptance.proposals, 0, "{name} {on}: nothing is proposed");
    }
}

/// Runs cases on a target twice, with other chunks and instructions the second time, and compares the two. Returns the
/// runs of the first time.
fn checked(text: &str, target: &Target, cases: &[Case], alpha: f64, steps: usize, cut: u64) -> Vec<RunFrame> {
    let scenario = experiment(text, cases, alpha, steps);
    let runs = finished(&scenario, Simd::widest(), u64::MAX);
    let again = finished(&scenario, Simd::BASELINE, cut);
    assert_eq!((runs.len(), again.len()), (cases.len(), cases.len()));
    for ((run, again), case) in runs.iter().zip(&again).zip(cases) {
        let on = format!("on {text} at {alpha:e}");
        sound(run, case, target, &on);
        assert!(bits(run) == bits(again), "{} {on}: other bits", case.name);
        assert_eq!(run.acceptance, again.acceptance, "{} {on}", case.name);
        assert_eq!(run.diverged, again.diverged, "{} {on}", case.name);
    }
    runs
}

/// Further checks at a sensible step size: there are draws, and chains that decide by the density, or follow the
/// full gradient, do not diverge. But the curvature of a funnel or a ridge grows without end away from the modes; there
/// even Langevin may diverge.
fn check_sensible_run(run: &RunFrame, case: &Case, on: &str) {
    assert!(run.collected > 0, "{} on {on}", case.name);
    let stays = case.metropolis || case.name == "langevin";
    assert!(!stays || run.diverged.is_empty() || on.contains("funnel"), "{} on {on}", case.name);
}

#[test]
fn every_method_runs_on_every_target_at_a_sensible_step_size() {
    gallery().collect::<Vec<_>>().par_iter().for_each(|text| {
        let target = described(text);
        let cases = defaults(target.as_ref());
        let runs = checked(text, target.as_ref(), &cases, SENSIBLE / curvature(&target), 10_000, 777);
        for (run, case) in runs.iter().zip(&cases) {
            check_sensible_run(run, case, text);
        }
    });
}

/// Step sizes a thousand times too large, and larger than any number. On a Gaussian plain methods diverge, and this is
/// recorded; on every target all kept values are finite.
#[test]
fn every_method_survives_absurd_step_sizes_on_every_target() {
    let sizes = |text: String| [(text.clone(), 1e3, 10_000), (text.clone(), 1e12, 500), (text, 1e200, 500)];
    gallery().flat_map(sizes).collect::<Vec<_>>().par_iter().for_each(|(text, factor, steps)| {
        let target = described(text);
        let cases = defaults(target.as_ref());
        let runs = checked(text, target.as_ref(), &cases, factor * SENSIBLE / curvature(&target), *steps, 333);
        for run in &runs {
            // Gradient descent starts at the mode and stays there.
            let plain = ["sgd", "langevin", "sgld", "sghmc", "sgnht"];
            if text == "kind = \"gaussian\"" && plain.contains(&run.plan.name.as_str()) {
                assert_eq!(run.diverged.len(), CHAINS, "{} {factor:e}", run.plan.name);
            }
        }
    });
}

/// The same with every switch turned, with minibatches where there are data, and all of it and the defaults where chains
/// meet a boundary in another way.
#[test]
fn every_variant_runs_on_every_target_at_sensible_and_absurd_step_sizes() {
    let gallery = gallery().map(|text| (text, Vec::new()));
    let targets = gallery.chain(bounded().map(|text| (text.clone(), defaults(described(&text).as_ref()))));
    let sizes =
        |(text, cases): (String, Vec<Case>)| [1.0, 1e3, 1e200].map(|factor| (text.clone(), cases.clone(), factor));
    targets.flat_map(sizes).collect::<Vec<_>>().into_par_iter().for_each(|(text, mut cases, factor)| {
        let target = described(&text);
        // Γ needs second derivatives, which a target whose density is not known has not.
        cases.extend(SWITCHED.iter().filter(|case| target.density().is_some() || !case.settings.contains("gamma")));
        cases.retain(|case| case.method != "gibbs" || target.in_vectors().is_none());
        cases.extend(BATCHED.iter().filter(|_| planar_data(&target).is_some()));
        let runs = checked(&text, target.as_ref(), &cases, factor * SENSIBLE / curvature(&target), 1000, 77);
        for (run, case) in runs.iter().zip(&cases) {
            if factor <= 1.0 {
                check_sensible_run(run, case, &text);
            }
            // The test that chains keep to the support is one of chains that would leave it: without a boundary
            // Langevin at large steps does.
            if factor > 1.0 && text.contains("none") && ["langevin", "sgld"].contains(&case.name) {
                let mut places = (0..run.history.rows()).filter_map(|row| run.history.position(row, 0));
                let left = places.any(|at| !supported(target.as_ref(), at)) || !run.diverged.is_empty();
                assert!(left, "{} on {text} at {factor:e} does not diverge", case.name);
            }
        }
    });
}

//! Warnings about a run: what makes its draws or its fit useless, as data. They are computed from its frame alone.

use crate::diagnostics::Truth;
use base::math::Point;
use samplers::methods::{FitState, Interaction};

use super::fits::FitFrame;
use super::frame::RunFrame;

/// Proposals, steps and draws from which nothing accepted, no move and draws far away are worth a warning (chosen by eye:
/// a sampler that accepts one proposal in ten accepts one of fifty in 99.5 % of cases).
const ENOUGH: u64 = 50;

/// Share of the draws far from the target that is worth a warning (chosen by eye).
const FAR: f64 = 0.1;

/// Share of draws there that is worth a warning, as a multiple of that of exact draws, for targets with heavy tails.
const TIMES_EXACT: f64 = 5.0;

/// Moves that are this much shorter than the distance from the origin are none: they may come from rounding.
const STANDSTILL: f64 = 1e-12;

/// Steps before a divergence whose step sizes are compared with the stability limit: a chain that is just unstable takes
/// about so many to leave.
const BEFORE: u64 = 100;

/// The share of the stability limit from which draws spread far: at 0.9 of it a Langevin chain on a Gaussian has ten times its variance,
/// 1 / (1 − α/α_max), which holds for the discretised chain exactly.
const CLOSE: f64 = 0.9;

/// How far a fit may move at the end of a run, in its own standard deviations: beyond it the last iterate is an accident (chosen by eye).
const RESTLESS: f64 = 0.3;

/// Something that makes a run useless or misleading.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Warning {
    /// Draws contradict the truth about the target, which the run is not to blame for.
    TruthWithdrawn,
    /// Chains left the target for good and stopped.
    Diverged {
        /// How many.
        chains: usize,
        /// The step at which the first did.
        first: u64,
        /// The stability limit of the step size at the highest mode, if it is known and was exceeded.
        stable_below: Option<f64>,
    },
    /// Draws follow divergent transitions.
    Divergent {
        /// How many, after the warm-up.
        draws: u64,
        /// As above, of the newest step.
        stable_below: Option<f64>,
    },
    /// Half of the draws or more are of the warm-up of an adaptation, at the end of a run.
    WarmUp {
        /// How many.
        draws: u64,
    },
    /// Fits whose numbers are no longer finite.
    FitDiverged {
        /// How many.
        fits: usize,
    },
    /// Fits that have not come to rest at the end of the run.
    FitMoving {
        /// How many.
        fits: usize,
        /// How far the one that moves most does so, as [`super::fits::FitTrace::wander`] has it.
        wander: f64,
    },
    /// Every proposal was rejected.
    NothingAccepted {
        /// How many, all chains together.
        proposals: u64,
        /// As above.
        stable_below: Option<f64>,
    },
    /// Chains are still where they started.
    NeverMoved {
        /// How many.
        chains: usize,
    },
    /// All particles are at the same point, where they stay together.
    OneParticle,
    /// Draws lie where the target has next to no probability, and not near it, whatever its view.
    FarAway {
        /// The share of the draws.
        share: f64,
        /// The share that exact draws have there.
        exact: f64,
        /// The stability limit of the step size at the highest mode, if the step size of the newest steps was [`CLOSE`] to it or above.
        stable_below: Option<f64>,
    },
}

impl Warning {
    /// Whether it says that the run is worth less, and not that less is known of its target.
    #[must_use]
    pub fn is_about_run(&self) -> bool {
        *self != Self::TruthWithdrawn
    }

    /// The same without the limit of stability, which tells the curvature of the target.
    #[must_use]
    pub fn without_limit(mut self) -> Self {
        match &mut self {
            Self::Diverged { stable_below, .. }
            | Self::Divergent { stable_below, .. }
            | Self::NothingAccepted { stable_below, .. }
            | Self::FarAway { stable_below, .. } => *stable_below = None,
            Self::TruthWithdrawn
            | Self::WarmUp { .. }
            | Self::FitDiverged { .. }
            | Self::FitMoving { .. }
            | Self::NeverMoved { .. }
            | Self::OneParticle => {}
        }
        self
    }
}

/// The warnings about a run on a target, the most serious first, by the truth as far as draws of this run leave it.
pub fn warnings(run: &RunFrame, truth: &Truth) -> Vec<Warning> {
    if let Some(fits) = &run.fits {
        let diverged = fits.records.iter().filter(|record| record.state == FitState::Diverged).count();
        let diverged = (diverged > 0).then_some(Warning::FitDiverged { fits: diverged });
        return diverged.into_iter().chain(fits_moving(run, fits)).collect();
    }
    let withdrawn = truth.is_withdrawn().then_some(Warning::TruthWithdrawn);
    let stuck = nothing_accepted(run, truth).or_else(|| never_moved(run));
    let divergent = divergent(run, truth);
    [withdrawn, divergence(run, truth), stuck, divergent, warm_up(run), one_particle(run), far_away(run, truth)]
        .into_iter()
        .flatten()
        .collect()
}

fn fits_moving(run: &RunFrame, fits: &FitFrame) -> Option<Warning> {
    if run.step != run.plan.steps {
        return None;
    }
    let moving = fits.records.iter().enumerate().filter(|(_, record)| record.state == FitState::Moving);
    let wanders = moving.filter_map(|(chain, _)| fits.trace.wander(chain)).filter(|wander| *wander > RESTLESS);
    let all: Vec<f64> = wanders.collect();
    let wander = all.iter().copied().reduce(f64::max)?;
    Some(Warning::FitMoving { fits: all.len(), wander })
}

fn divergence(run: &RunFrame, truth: &Truth) -> Option<Warning> {
    let first = run.diverged.iter().map(|&(_, step)| step).min()?;
    Some(Warning::Diverged { chains: run.diverged.len(), first, stable_below: exceeded(run, truth, first) })
}

fn divergent(run: &RunFrame, truth: &Truth) -> Option<Warning> {
    let draws = run.totals.divergent;
    (draws > 0).then(|| Warning::Divergent { draws, stable_below: exceeded(run, truth, run.step) })
}

fn warm_up(run: &RunFrame) -> Option<Warning> {
    let draws = run.totals.warm_up;
    let is_most = run.step == run.plan.steps && draws > 0 && 2 * draws >= run.collected;
    is_most.then_some(Warning::WarmUp { draws })
}

/// The stability limit of the step size, if it was exceeded in the last steps up to number `step`.
fn exceeded(run: &RunFrame, truth: &Truth, step: u64) -> Option<f64> {
    reached(run, truth, step, 1.0)
}

/// The stability limit of the step size, if this share of it was reached in the last steps up to number `step`.
fn reached(run: &RunFrame, truth: &Truth, step: u64, share: f64) -> Option<f64> {
    let segment = run.plan.segment_of(step);
    // The curvature is that of the present target.
    let curvature = truth.curvature().filter(|_| step > run.target_since)?;
    let limit = segment.method.stable_below(curvature)?;
    let mut steps = step.saturating_sub(BEFORE).max(segment.from + 1)..=step;
    steps.any(|step| segment.schedule.step_size(step) >= share * limit).then_some(limit)
}

fn nothing_accepted(run: &RunFrame, truth: &Truth) -> Option<Warning> {
    let proposals = run.acceptance.proposals;
    (proposals >= ENOUGH && run.acceptance.accepted == 0)
        .then(|| Warning::NothingAccepted { proposals, stable_below: exceeded(run, truth, run.step) })
}

/// Diverged chains are not among them: those have been named.
fn never_moved(run: &RunFrame) -> Option<Warning> {
    if run.step < ENOUGH || run.history.rows() == 0 {
        return None;
    }
    let still = |(chain, at): &(usize, &Point)| {
        let started = run.history.position(0, *chain);
        started.is_some_and(|start| (*at - start).norm() <= STANDSTILL * (1.0 + start.norm()))
            && !run.diverged.iter().any(|(diverged, _)| diverged == chain)
    };
    let chains = run.positions.iter().enumerate().filter(still).count();
    (chains > 0).then_some(Warning::NeverMoved { chains })
}

/// Particles push each other apart, but not from the same point.
fn one_particle(run: &RunFrame) -> Option<Warning> {
    let together = run.positions.windows(2).all(|pair| pair[0] == pair[1]);
    (run.plan.interaction() == Interaction::Particles && together).then_some(Warning::OneParticle)
}

/// Without diverged chains: where those were is no news.
fn far_away(run: &RunFrame, truth: &Truth) -> Option<Warning> {
    if run.collected < ENOUGH || !run.diverged.is_empty() || truth.is_withdrawn() {
        return None;
    }
    let (share, exact) = (run.totals.far as f64 / run.collected as f64, truth.far());
    let far = || Warning::FarAway { share, exact, stable_below: reached(run, truth, run.step, CLOSE) };
    (share >= FAR.max(TIMES_EXACT * exact)).then(far)
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;

    use super::*;
    use crate::scenario::read;
    use crate::session::Session;

    /// A run on a standard Gaussian, whose curvature is 1, after `steps` steps, and the truth.
    fn made(steps: u64, run: &str) -> (RunFrame, Arc<Truth>) {
        let head =
            "format = 1\ntitle = \"T\"\nseed = 3\n[target]\nkind = \"gaussian\"\nsd = [1.0, 1.0]\ncorrelation = 0.0\n";
        let text = format!("{head}[[run]]\nname = \"R\"\nsteps = {steps}\n{run}");
        let scenario = read(&text, "test", Path::new(".")).expect("a valid scenario");
        let mut session = Session::new(scenario).expect("a session");
        session.advance(steps);
        let frame = session.frame();
        (frame.runs[0].clone(), frame.truth)
    }

    /// The warnings about four chains.
    fn after(steps: u64, run: &str) -> Vec<Warning> {
        made(steps, &format!("chains = 4\n{run}")).0.warnings
    }

    fn langevin(alpha: f64) -> String {
        format!("method = \"langevin\"\nstep_size = {{ kind = \"constant\", value = {alpha} }}\n")
    }

    /// |1 − 2.5| = 1.5: the limit of 10⁶ views is reached within some 40 steps.
    #[test]
    fn diverged_chains_are_counted_with_the_first_step_and_the_limit() {
        let found = after(200, &langevin(2.5));
        let [Warning::Diverged { chains: 4, first, stable_below: Some(limit) }] = found[..] else {
            panic!("{found:?}")
        };
        assert!((20..80).contains(&first) && (limit - 2.0).abs() < 1e-9, "{found:?}");
        assert_eq!(after(200, &langevin(0.1)), []);
    }

    #[test]
    fn particles_that_start_at_one_point_are_told() {
        let svgd = "method = \"svgd\"\nstart = { KIND }\n";
        assert_eq!(after(30, &svgd.replace("KIND", "kind = \"point\"")), [Warning::OneParticle]);
        assert_eq!(after(30, &svgd.replace("KIND", "kind = \"uniform\", low = -2, high = 2")), []);
    }

    /// A step size that falls below the limit before the chain is out of reach was still too large.
    #[test]
    fn a_limit_that_was_not_exceeded_is_not_blamed() {
        let run = |schedule: &str| format!("method = \"langevin\"\nstep_size = {schedule}\n");
        let limit = |found: &[Warning]| match found {
            [Warning::Diverged { stable_below, .. }, ..] => *stable_below,
            _ => panic!("{found:?}"),
        };
        let falling = after(200, &run("{ kind = \"custom\", knots = [[1, 9.0], [20, 9.0], [21, 0.1]] }"));
        assert!(limit(&falling).is_some());
        let (mut run, truth) = made(300, &run("{ kind = \"constant\", value = 0.1 }"));
        run.diverged = vec![(2, 250), (0, 200)];
        let found = warnings(&run, &truth);
        assert_eq!(found[0], Warning::Diverged { chains: 2, first: 200, stable_below: None });
    }

    #[test]
    fn rejected_proposals_are_told_from_fifty_on() {
        let walk = "method = \"random-walk\"\nstart = { kind = \"point\", x = 0.0, y = 0.0 }\nstep_size = { kind = \"constant\", value = 1e12 }\n";
        assert_eq!(after(12, walk), []);
        assert_eq!(after(13, walk), [Warning::NothingAccepted { proposals: 52, stable_below: None }]);
        let hmc = walk.replace("random-walk", "hmc").replace("1e12", "3.0");
        let found = after(200, &hmc);
        let divergent = Warning::Divergent { draws: 800, stable_below: Some(2.0) };
        assert_eq!(found, [Warning::NothingAccepted { proposals: 800, stable_below: Some(2.0) }, divergent], "2/√λ");
        let walk = walk.replace("1e12", "0.5");
        assert_eq!(after(60, &walk), []);
    }

    #[test]
    fn draws_of_a_warm_up_are_told_at_the_end_of_a_run() {
        let nuts = |warm_up: u64, collect: &str| {
            let step_size = "step_size = { kind = \"constant\", value = 0.5 }";
            format!("method = \"nuts\"\nadapt_step_size = true\nwarm_up = {warm_up}\n{step_size}\n{collect}\n")
        };
        assert_eq!(after(200, &nuts(1000, "")), [Warning::WarmUp { draws: 800 }]);
        assert_eq!(after(200, &nuts(100, "")), [Warning::WarmUp { draws: 400 }]);
        assert_eq!(after(200, &nuts(99, "")), []);
        assert_eq!(after(200, &nuts(100, "collect = { burn_in = 100 }")), []);
        let (run, truth) = made(200, &format!("chains = 4\n{}", nuts(1000, "")));
        let under_way = RunFrame { step: 150, ..run };
        assert_eq!(warnings(&under_way, &truth), []);
    }

    #[test]
    fn chains_that_never_moved_are_counted_from_fifty_steps_on() {
        let mode = "method = \"gradient-descent\"\nstart = { kind = \"point\", x = 0.0, y = 0.0 }\nstep_size = { kind = \"constant\", value = 0.1 }\n";
        assert_eq!(after(49, mode), []);
        assert_eq!(after(50, mode), [Warning::NeverMoved { chains: 4 }]);
        assert_eq!(after(50, &mode.replace("x = 0.0", "x = 1.0")), []);
    }

    /// Just below the limit of 2 the variance of a Langevin chain is 1/(1 − α/2) = 200 times that of the target.
    #[test]
    fn draws_far_from_the_target_are_told_with_their_share() {
        let found = after(2000, &langevin(1.99));
        let [Warning::FarAway { share, exact, stable_below: Some(limit) }] = found[..] else { panic!("{found:?}") };
        assert!((limit - 2.0).abs() < 1e-9, "the reason is the limit of 2: {found:?}");
        assert!((0.3..0.95).contains(&share) && exact < 1e-3, "{found:?}");
    }

    /// The posterior of so many data is a point in its view, in which the draws of large steps lie everywhere.
    #[test]
    fn draws_all_over_a_view_are_far_from_a_target_that_is_a_point_in_it() {
        let target = "kind = \"bivariate-mixture\"\ndata = { kind = \"generated\", n = 100000 }";
        let warnings = |method: &str| {
            let text = format!(
                "format = 1\ntitle = \"T\"\nseed = 3\n[target]\n{target}\n[[run]]\nname = \"R\"\nsteps = 400\nchains = 4\n{method}"
            );
            let mut session = Session::new(read(&text, "test", Path::new(".")).unwrap()).unwrap();
            session.advance(400);
            let frame = session.frame();
            let run = &frame.runs[0];
            (run.warnings.clone(), run.totals.outside as f64 / run.collected as f64, frame.truth.far())
        };
        // Steps that are too small to arrive, and gradients whose noise throws chains about, most of them within the view.
        let whole = "step_size = { kind = \"constant\", value = 1e-6 }\n";
        let noisy =
            "step_size = { kind = \"constant\", value = 1e-5 }\ngradient = { kind = \"minibatch\", size = 60 }\n";
        for settings in [whole, noisy] {
            let (found, outside, exact) = warnings(&format!("method = \"sgld\"\n{settings}"));
            assert!(exact < 1e-3 && outside < 0.4, "{exact}, {outside}");
            assert!(matches!(found[..], [Warning::FarAway { share, .. }] if share > outside + 0.3), "{found:?}");
        }
        let start = "start = { kind = \"target\" }\n";
        let walk = format!("method = \"random-walk\"\n{start}step_size = {{ kind = \"constant\", value = 1e-5 }}\n");
        assert_eq!(warnings(&walk).0, []);
    }

    #[test]
    fn fits_that_diverged_are_counted() {
        let (mut run, truth) = made(3, "method = \"laplace\"\n");
        assert_eq!(run.warnings, []);
        run.fits.as_mut().expect("fits").records[0].state = FitState::Diverged;
        assert_eq!(warnings(&run, &truth), [Warning::FitDiverged { fits: 1 }]);
    }

    const RINGS: &str = "format = 1\ntitle = \"T\"\nseed = 3\n[target]\nkind = \"formula\"\nparameters = {}\n\
        density = \"a = sqrt((x+4)²+y²)\\nb = sqrt((x-4)²+y²)\\nFORMULA\"\n";
    const BOTH: &str = "logsumexp(-(a-2)²/0.08, -(b-2)²/0.08)";
    const LEFT: &str = "-(a-2)²/0.08 + 0*b";

    /// A density of which the left ring is known, and runs on it.
    fn rings(whole: &str, runs: &str) -> Session {
        let text = |formula: &str| format!("{}{runs}", RINGS.replace("FORMULA", formula));
        crate::session::test_targets::knowing_a_part(&text(whole), &text(LEFT))
    }

    fn from(name: &str, x: f64, run: &str) -> String {
        format!(
            "[[run]]\nname = \"{name}\"\nchains = 4\nsteps = 400\nstart = {{ kind = \"point\", x = {x}, y = 0.0 }}\n{run}"
        )
    }

    const HMC: &str = "method = \"hmc\"\nstep_size = { kind = \"constant\", value = 0.1 }\n";

    /// Draws of a ring that was missed take the truth back, for all runs, and no run is blamed for them.
    #[test]
    fn draws_of_a_part_that_was_missed_withdraw_the_truth() {
        let mut session = rings(BOTH, &format!("{}{}", from("left", -6.0, HMC), from("right", 6.0, HMC)));
        let before = session.frame();
        assert!(before.truth.is_known() && before.runs.iter().all(|run| run.warnings.is_empty()));
        session.advance(400);
        session.measure_exactly();
        let frame = session.frame();
        assert!(frame.truth.is_withdrawn() && !frame.truth.is_known());
        assert_eq!(frame.truth.why_unknown(), Some(crate::diagnostics::REFUTED));
        assert_eq!(frame.runs[0].warnings, []);
        assert_eq!(frame.runs[1].warnings, [Warning::TruthWithdrawn]);
        for measure in frame.runs.iter().flat_map(|run| run.measures.iter()) {
            assert_eq!((measure.value, measure.reason), (None, crate::diagnostics::REFUTED), "{}", measure.key);
        }
        // It is a function of the step.
        session.apply(crate::session::Command::Seek(0)).unwrap();
        assert!(session.frame().truth.is_known());
        session.advance(400);
        assert!(session.frame().truth.is_withdrawn());
    }

    /// Runs that are far away for another reason are named so, and the truth stays: also a wrong one, which they say nothing of.
    #[test]
    fn draws_without_probability_do_not_withdraw_the_truth() {
        let langevin =
            |alpha: f64| format!("method = \"langevin\"\nstep_size = {{ kind = \"constant\", value = {alpha} }}\n");
        let away = "method = \"random-walk\"\nstep_size = { kind = \"constant\", value = 1e-6 }\n";
        let cases = [
            (BOTH, from("right by luck", -6.0, HMC), false),
            (LEFT, from("unstable", -6.0, &langevin(0.0799)), true),
            (LEFT, from("diverging", -6.0, &langevin(3.0)), true),
            (BOTH, from("away", 300.0, away), true),
        ];
        for (whole, run, warned) in cases {
            let mut session = rings(whole, &run);
            session.advance(400);
            let frame = session.frame();
            assert!(frame.truth.is_known(), "{run}");
            assert_eq!(!frame.runs[0].warnings.is_empty(), warned, "{run}: {:?}", frame.runs[0].warnings);
        }
    }
}

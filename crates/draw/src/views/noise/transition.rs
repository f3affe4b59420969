//! Expected noise of the steps of a run, and the step at which it changes from optimising to sampling.

use std::sync::Arc;

use crate::geometry::{Expected, Extension, turns};
use crate::kit::background::{Same, SameTarget};
use crate::words::numbers;
use engine::scenario::{RunPlan, Segment};
use engine::session::Frame;
use models::targets::{Coordinates, Target};
use samplers::methods::Gradient;
use samplers::schedules::Stage;

/// Number of steps at which a run is searched for the transition.
const PROBES: u64 = 4096;

/// Steps at which the order of gradient noise and injected noise changes in a run.
#[derive(Clone, Debug)]
pub struct Transition {
    target: SameTarget,
    plan: Arc<RunPlan>,
    extension: Extension,
    /// Step at which the present target began; earlier steps are ignored.
    since: u64,
    /// Expected noise of each segment.
    expected: Vec<Expected>,
    /// The first step of each part of the run, and whether gradient noise is below injected noise in it.
    pub turns: Vec<(u64, bool)>,
}

impl PartialEq for Transition {
    /// Whether both have the same inputs.
    fn eq(&self, other: &Self) -> bool {
        self.target == other.target
            && Arc::ptr_eq(&self.plan, &other.plan)
            && (self.extension, self.since) == (other.extension, other.since)
    }
}

impl Transition {
    /// The transition of run number `run`; `before` is the last result. `None` for methods whose noise follows another rule, and
    /// for chains that use other coordinates than θ.
    pub fn of(frame: &Frame, run: usize, extension: Extension, before: Option<Self>) -> Option<Self> {
        let (target, frame) = (Same(frame.target.clone()), frame.runs.get(run)?);
        let (plan, since) = (&frame.plan, frame.target_since);
        let first = plan.segment_of(since + 1).from;
        let langevin = plan.segments.iter().filter(|segment| segment.from >= first).all(|part| part.method.langevin());
        if !langevin || !Coordinates::of(target.0.info()).is_identity() {
            return None;
        }
        let same = |known: &Self| {
            known.target == target
                && Arc::ptr_eq(&known.plan, plan)
                && known.extension == extension
                && known.since == since
        };
        if let Some(before) = before.filter(same) {
            return Some(before);
        }
        let expected = plan.segments.iter().map(|segment| expected(target.0.as_ref(), segment)).collect();
        let mut found = Self { target, plan: plan.clone(), extension, since, expected, turns: Vec::new() };
        let crossovers: Vec<Option<f64>> =
            found.expected.iter().map(|expected| expected.crossover(extension)).collect();
        let below = |step: u64| {
            let step = step.max(since + 1);
            let schedule = &plan.segment_of(step).schedule;
            let injects = schedule.stage(step) != Stage::Exploration { noise: false };
            let crossover = crossovers.get(found.segment(step)).copied().flatten();
            injects && crossover.is_none_or(|crossover| schedule.step_size(step) < crossover)
        };
        let begins: Vec<u64> = plan.segments.iter().map(|segment| segment.from + 1).collect();
        found.turns = turns(plan.steps, PROBES, &begins, below);
        Some(found)
    }

    /// The number of the segment of a step.
    fn segment(&self, step: u64) -> usize {
        self.plan.segments.iter().rposition(|segment| segment.from < step).unwrap_or(0)
    }

    /// Expected gradient noise and injected noise of a step; 0 in a stage that injects none.
    pub fn expected(&self, step: u64) -> [f64; 2] {
        let judged = self.expected.get(self.segment(step)).filter(|_| step > self.since);
        let Some(mut expected) = judged.copied() else { return [0.0; 2] };
        let schedule = &self.plan.segment_of(step).schedule;
        let alpha = schedule.step_size(step);
        let noise = schedule.stage(step) != Stage::Exploration { noise: false };
        expected.compensate &= noise;
        let injected = if noise { expected.injected_noise(alpha, self.extension) } else { 0.0 };
        [expected.gradient_noise(alpha, self.extension), injected]
    }

    /// Whether any step has gradient noise.
    pub fn noisy(&self) -> bool {
        self.expected.iter().any(|expected| expected.crossover(self.extension).is_some())
    }

    /// The steps from which on gradient noise is below injected noise; none without gradient noise.
    pub fn begins(&self) -> impl Iterator<Item = u64> {
        let noisy = self.noisy();
        self.turns.iter().skip(1).filter(move |(_, below)| *below && noisy).map(|&(step, _)| step)
    }

    /// The transition in words, with the limit that holds at step `now`; `None` where gradients are of minibatches whose variance is not
    /// known, as the target does not give its data one by one.
    pub fn words(&self, now: u64) -> Option<String> {
        if !self.noisy() {
            let minibatch = |part: &Segment| matches!(part.gradient, Gradient::Minibatch { .. });
            let known = self.target.0.in_plane().is_some_and(|density| density.data().is_some())
                || !self.plan.segments.iter().any(minibatch);
            return known.then(|| "no gradient noise".to_owned());
        }
        let (text, sign) = match self.turns[..] {
            [(_, true)] => ("gradient noise is below injected noise in every step".to_owned(), "<"),
            [(_, false)] => ("gradient noise is above injected noise in every step".to_owned(), ">"),
            [_, (step, true)] => {
                (format!("sampling from step {} on: gradient noise below injected noise", numbers::count(step)), "<")
            }
            [_, (step, false)] => {
                (format!("optimising from step {} on: gradient noise above injected noise", numbers::count(step)), ">")
            }
            _ => ("sampling at every line: gradient noise below injected noise".to_owned(), "<"),
        };
        let limit = self.limit(now).map(|(formula, value)| format!(", α {sign} {formula}{value}"));
        Some(text + &limit.unwrap_or_default())
    }

    /// The step size at which both noises are equal: its formula in the noise variance V, and its value.
    fn limit(&self, now: u64) -> Option<(&'static str, String)> {
        let expected = self.expected.get(self.segment(now.max(1)))?;
        let formula = match (self.extension, expected.compensate) {
            (Extension::Coordinate(_), false) => "2/V = ",
            (Extension::Coordinate(_), true) => "1/V = ",
            (Extension::Length, false) if expected.dimension == 2 => "4/(V₁ + V₂) = ",
            (Extension::Length, _) => "",
        };
        Some((formula, numbers::significant(expected.crossover(self.extension)?, 3)))
    }
}

/// Expected noise of a segment, with the variance of its gradient estimate at the highest mode.
fn expected(target: &Target, segment: &Segment) -> Expected {
    let compensate = match segment.gradient {
        Gradient::Exact => false,
        Gradient::Noisy { compensate, .. } | Gradient::Minibatch { compensate, .. } => compensate,
    };
    let data = target.in_plane().and_then(|density| density.data());
    let variance = segment.gradient.variance((target.info().dimension, data), target.highest_mode());
    Expected { variance, dimension: target.info().dimension, compensate }
}

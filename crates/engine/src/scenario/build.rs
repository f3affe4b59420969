//! Experiment: a scenario that is ready to run, with its targets and, for each run, method, schedule, start and
//! collection.

use std::collections::BTreeSet;
use std::sync::Arc;

use base::math::Point;
use models::targets::Target;
use samplers::methods::{Gradient, Interaction, Method, TopicStart, Transitions};
use samplers::schedules::{Schedule, Stage, StepSizes};

/// A scenario that is ready to run.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// The targets, one after another; the first from step 0 on.
    pub spans: Vec<TargetSpan>,
    /// The runs, in the order of the scenario.
    pub runs: Vec<RunPlan>,
}

/// The span of a target: the steps between two changes of the target.
#[derive(Clone, Debug)]
pub struct TargetSpan {
    /// Number of steps before it.
    pub from: u64,
    /// The density, in its own coordinates θ; all spans have the same dimension.
    pub target: Arc<Target>,
}

/// A run that is ready to start.
#[derive(Clone, Debug)]
pub struct RunPlan {
    /// Its name.
    pub name: String,
    /// Number of chains, at least 1.
    pub chains: usize,
    /// Number of steps, at least 1; under a budget the most.
    pub steps: u64,
    /// Evaluations by all chains together after which it ends, if there is a budget.
    pub budget: Option<f64>,
    /// The start of the chains, in θ.
    pub start: Start,
    /// What holds from which step on: the first starts at step 0, each event starts another.
    pub segments: Vec<Segment>,
    /// The steps after which there is another target, in order.
    pub targets_change: Vec<u64>,
}

/// The part of a run between two events.
#[derive(Clone, Debug)]
pub struct Segment {
    /// Number of steps before this segment.
    pub from: u64,
    /// Steps of the run as they are planned in this segment; a later one may have other plans.
    pub steps: u64,
    /// The algorithm.
    pub method: Arc<dyn Method>,
    /// How gradients are estimated.
    pub gradient: Gradient,
    /// The step sizes, for all steps of the run.
    pub schedule: Arc<dyn Schedule>,
    /// Which draws are collected.
    pub collect: Collect,
    /// Whether the method produces draws; approximations produce distributions.
    pub samples: bool,
    /// N, the number of data behind the target where the segment begins, if it has any.
    pub data: Option<usize>,
}

/// Where chains start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Start {
    /// All at one point θ.
    Point(Point),
    /// Uniformly in the square (or interval) [low, high].
    Uniform {
        /// Lower end.
        low: f64,
        /// Upper end.
        high: f64,
    },
    /// At exact draws from the target.
    Target,
    /// One chain at every mode of the target.
    Modes,
    /// At draws from the prior; of a target without one, anywhere in its view.
    Prior,
    /// At topics, of a target that has them.
    Topics(TopicStart),
}

/// Which draws of the sampling stage are collected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Collect {
    /// Steps dropped at the beginning.
    pub burn_in: u64,
    /// Every how many steps a draw is collected, at least 1.
    pub thin: u64,
    /// Whether draws count in proportion to their step size.
    pub weighted: bool,
}

impl Experiment {
    /// The number of data of the target after `step` steps; 1 of a target without data.
    #[must_use]
    pub fn data_at(&self, step: u64) -> usize {
        let span = self.spans.iter().rev().find(|span| span.from <= step);
        span.and_then(|span| span.target.data_count()).unwrap_or(1)
    }
}

impl RunPlan {
    /// The segment that step `number` ≥ 1 belongs to.
    #[must_use]
    pub fn segment_of(&self, number: u64) -> &Segment {
        let after = self.segments.partition_point(|segment| segment.from < number);
        &self.segments[after.max(1) - 1]
    }

    /// The segments with their last steps.
    pub fn segments_with_ends(&self) -> impl Iterator<Item = (&Segment, u64)> {
        let ends = self.segments.iter().skip(1).map(|segment| segment.from).chain([self.steps]);
        self.segments.iter().zip(ends)
    }

    /// What the schedules and methods of the run do that their settings do not say, once each.
    pub fn remarks(&self) -> impl Iterator<Item = String> {
        let of_schedules = self.segments.iter().flat_map(|segment| segment.schedule.remarks());
        let of_methods = self.segments.iter().filter_map(|segment| segment.method.remark(self.steps));
        of_schedules.chain(of_methods).chain(self.collects_warm_up()).collect::<BTreeSet<_>>().into_iter()
    }

    /// What is said of a run that collects draws of the warm-up of its adaptation.
    fn collects_warm_up(&self) -> Option<String> {
        let first = self.segments.first().filter(|first| first.samples)?;
        let end = self.milestones().iter().map(|(step, _)| *step).max()?;
        let burn_in = first.collect.burn_in;
        (burn_in < end).then(|| {
            format!(
                "draws of the warm-up, steps {} to {end}, are collected, and are not from the target; a burn-in of {end} leaves them out",
                burn_in + 1
            )
        })
    }

    /// The last step of the segment of step `number` + 1, if another segment follows.
    #[must_use]
    pub fn next_segment_after(&self, number: u64) -> Option<u64> {
        self.segments.iter().map(|segment| segment.from).find(|&from| from > number)
    }

    /// What the methods change by themselves: the last step before each change, and what changes.
    #[must_use]
    pub fn milestones(&self) -> Vec<(u64, &'static str)> {
        let mut milestones = Vec::new();
        let (mut origin, mut carries): (u64, &[&str]) = (0, &[]);
        for (segment, end) in self.segments_with_ends() {
            // Chains that go on with the same auxiliary state go on with their adaptation.
            if segment.method.carries() != carries {
                (origin, carries) = (segment.from, segment.method.carries());
            }
            let steps = segment.method.milestones().into_iter().map(|of| (origin.saturating_add(of.after), of.what));
            milestones.extend(steps.filter(|(step, _)| (segment.from..end).contains(step) && *step > 0));
        }
        milestones
    }

    /// How the chains depend on each other, which the method at the start decides: another cannot begin to during the run.
    #[must_use]
    pub fn interaction(&self) -> Interaction {
        self.segments.first().map_or(Interaction::None, |segment| segment.method.interaction())
    }

    /// Whether several chains use the same minibatches in some segment, so that they are not independent.
    #[must_use]
    pub fn shares_batches(&self) -> bool {
        self.chains > 1 && self.segments.iter().any(|segment| segment.gradient.is_shared())
    }

    /// What its methods tell of transitions, all of them together; `None` if none does.
    #[must_use]
    pub fn transitions(&self) -> Option<Transitions> {
        let transitions = self.segments.iter().filter_map(|segment| segment.method.transitions());
        transitions.reduce(|one, other| Transitions {
            doubles: one.doubles || other.doubles,
            adapts: one.adapts || other.adapts,
        })
    }

    /// Whether every chain ends with a step size of its own.
    #[must_use]
    pub fn adapts(&self) -> bool {
        let transitions = self.segments.last().and_then(|segment| segment.method.transitions());
        transitions.is_some_and(|transitions| transitions.adapts)
    }

    /// The step at which the target of step `step` began: later draws belong to it.
    #[must_use]
    pub fn target_since(&self, step: u64) -> u64 {
        self.targets_change.iter().copied().take_while(|&from| from <= step).last().unwrap_or(0)
    }

    /// The step size α of step `number` ≥ 1.
    #[must_use]
    pub fn step_size(&self, number: u64) -> f64 {
        self.segment_of(number).schedule.step_size(number.max(1))
    }

    /// The step sizes of the run, for other programs.
    #[must_use]
    pub fn step_sizes(&self) -> StepSizes<'_> {
        StepSizes {
            name: &self.name,
            steps: self.steps,
            parts: self.segments.iter().map(|segment| (segment.from, segment.schedule.as_ref())).collect(),
        }
    }

    /// The weight of the draws of step `number` ≥ 1: 0 where none are collected.
    #[must_use]
    pub fn weight(&self, number: u64) -> f64 {
        let segment = self.segment_of(number);
        segment.weight(number, segment.schedule.stage(number), segment.schedule.step_size(number))
    }

    /// Whether the draws of step `number` are collected; those of the start, number 0, never are.
    #[must_use]
    pub fn collects(&self, number: u64) -> bool {
        let segment = self.segment_of(number);
        number > 0 && segment.collects(number, segment.schedule.stage(number))
    }
}

impl Segment {
    /// Whether the draws of step `number` ≥ 1 of this segment, which has that stage, are collected.
    #[must_use]
    #[inline]
    pub fn collects(&self, number: u64, stage: Stage) -> bool {
        let Collect { burn_in, thin, .. } = self.collect;
        self.samples
            && stage == Stage::Sampling
            && number > burn_in
            && (thin == 1 || (number - burn_in).is_multiple_of(thin))
    }

    /// The weight of the draws of step `number`, which has that stage and step size: 0 where none are collected, 1 or
    /// the step size where they are.
    #[must_use]
    #[inline]
    pub fn weight(&self, number: u64, stage: Stage, alpha: f64) -> f64 {
        match (self.collects(number, stage), self.collect.weighted) {
            (false, _) => 0.0,
            (true, false) => 1.0,
            (true, true) => alpha,
        }
    }
}

//! A run whose distribution can be computed: its kernels, targets and steps.

use std::sync::Arc;

use exact::{Section, Step, factors};
use models::targets::{Boundary, Coordinates, Density, Target};
use samplers::schedules::{Constant, Stage};

use super::NotComputed;
use super::kernel::Kernel;
use crate::scenario::{Experiment, RunPlan, Start, TargetSpan};

/// Steps of a run at most.
pub const MOST_STEPS: u64 = 2_000_000;

/// Steps that are computed in about a second.
const CHEAP: u64 = 2000;

/// What carries the distribution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A target on the line.
    Line,
    /// A target in the plane whose coordinates are independent chains: two lines.
    Product,
    /// A target in the plane.
    Plane,
    /// A target on the line, with a momentum.
    PhaseSpace,
}

impl Kind {
    /// Its name in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Line => "line",
            Self::Product => "product",
            Self::Plane => "plane",
            Self::PhaseSpace => "phase-space",
        }
    }

    /// What it is, in words.
    #[must_use]
    pub fn in_words(self) -> &'static str {
        match self {
            Self::Line => "on the line",
            Self::Product => "as a product of two lines",
            Self::Plane => "in the plane",
            Self::PhaseSpace => "on the line, with momentum",
        }
    }
}

/// A target while it holds.
#[derive(Clone, Debug)]
pub(super) struct Span {
    pub from: u64,
    pub target: Arc<Target>,
    /// In the coordinates of the chains.
    pub density: Arc<dyn Density>,
    /// Its factors, of a product.
    pub factors: Option<[Section; 2]>,
}

/// A run whose distribution can be computed.
#[derive(Clone, Debug)]
pub struct Computable {
    pub(super) plan: RunPlan,
    pub(super) spans: Vec<Span>,
    pub(super) kernels: Vec<Kernel>,
    pub(super) kind: Kind,
    pub(super) coordinates: Coordinates,
}

/// A step of the run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PlannedStep {
    pub alpha: f64,
    /// Whether noise is injected.
    pub injected: bool,
    /// The weight of its draws; 0 where none are collected.
    pub weight: f64,
    pub segment: usize,
    pub span: usize,
}

impl Computable {
    /// A run of an experiment, with its number.
    ///
    /// # Errors
    /// With the reason in words, if its distribution is not computed.
    pub fn new(experiment: &Experiment, run: usize) -> Result<Self, NotComputed> {
        let unsuited = |why| Err(NotComputed::Unsuited(why));
        let Some(plan) = experiment.runs.get(run) else { return unsuited("there is no such run") };
        let spans: Vec<Span> =
            experiment.spans.iter().map(|span| of_target(span.from, &span.target)).collect::<Result<_, _>>()?;
        let Some(first) = spans.first() else { return unsuited("there is no target") };
        let kernels: Vec<Kernel> =
            plan.segments.iter().map(|segment| Kernel::of(segment, &first.density)).collect::<Result<_, _>>()?;
        if plan.steps > MOST_STEPS {
            return unsuited("the run has more than two million steps");
        }
        if plan.budget.is_some() {
            return unsuited("under a budget the last step is not known beforehand");
        }
        let coordinates = Coordinates::of(first.target.info());
        let dimension = first.density.info().dimension;
        let alike = |span: &Span| {
            Coordinates::of(span.target.info()) == coordinates && span.density.info().dimension == dimension
        };
        if !spans.iter().all(alike) {
            return unsuited("an event changes the coordinates of the chains");
        }
        let with_momentum = |kernel: &Kernel| matches!(kernel, Kernel::Friction { .. });
        let kind = match dimension {
            1 if kernels.iter().all(with_momentum) => Kind::PhaseSpace,
            1 if kernels.iter().any(with_momentum) => {
                return unsuited("an event changes between methods with and without momentum");
            }
            1 => Kind::Line,
            // Both coordinates share one decision.
            _ if kernels.iter().any(|kernel| matches!(kernel, Kernel::Metropolis { .. })) => Kind::Plane,
            _ if spans.iter().all(|span| span.factors.is_some()) && !several_points(plan, first) => Kind::Product,
            _ => Kind::Plane,
        };
        let found = Self { plan: plan.clone(), spans, kernels, kind, coordinates };
        if kind == Kind::PhaseSpace && found.constant().is_none() {
            return unsuited("with momentum, only one step size without events is computed");
        }
        Ok(found)
    }

    /// A run of a session, whose plan is known, on its target.
    ///
    /// # Errors
    /// As [`Self::new`], and if the target changes during the run.
    pub fn of_plan(target: &Arc<Target>, plan: &RunPlan) -> Result<Self, NotComputed> {
        if !plan.targets_change.is_empty() {
            return Err(NotComputed::Unsuited("the target changes during the run"));
        }
        let spans = vec![TargetSpan { from: 0, target: target.clone() }];
        Self::new(&Experiment { spans, runs: vec![plan.clone()] }, 0)
    }

    /// The step size of a run with one alone, without events.
    #[must_use]
    pub fn constant_step_size(&self) -> Option<f64> {
        self.constant().map(|step| step.alpha)
    }

    /// The same run with one step size alone.
    #[must_use]
    pub fn with_step_size(mut self, alpha: f64) -> Self {
        for segment in &mut self.plan.segments {
            segment.schedule = Arc::new(Constant { alpha });
        }
        self
    }

    /// What carries the distribution.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The run.
    #[must_use]
    pub fn plan(&self) -> &RunPlan {
        &self.plan
    }

    /// What is approximate, in words; `None` where all is exact.
    #[must_use]
    pub fn approximation(&self) -> Option<&'static str> {
        self.kernels.iter().find_map(Kernel::approximation)
    }

    /// Whether what is collected is computed in about a second.
    #[must_use]
    pub fn is_cheap(&self) -> bool {
        let dense = self.kernels.iter().any(|kernel| !matches!(kernel, Kernel::Map(_)));
        match self.kind {
            Kind::Line | Kind::Product if dense => self.plan.steps <= CHEAP / 4 && self.constant().is_some(),
            Kind::Line | Kind::Product => self.plan.steps <= CHEAP,
            Kind::Plane | Kind::PhaseSpace => false,
        }
    }

    /// Step `number` ≥ 1.
    pub(super) fn step(&self, number: u64) -> PlannedStep {
        let segment = self.plan.segments.partition_point(|segment| segment.from < number).max(1) - 1;
        let of = &self.plan.segments[segment];
        let (alpha, stage) = (of.schedule.step_size(number), of.schedule.stage(number));
        let span = self.spans.partition_point(|span| span.from < number).max(1) - 1;
        let injected = stage != (Stage::Exploration { noise: false });
        PlannedStep { alpha, injected, weight: of.weight(number, stage, alpha), segment, span }
    }

    /// α and s² of a step whose noise is the same everywhere.
    pub(super) fn map(&self, step: &PlannedStep) -> Option<Step> {
        match &self.kernels[step.segment] {
            Kernel::Map(noise) | Kernel::Mixture { noise, .. } => Some(noise.step(step.alpha, step.injected)),
            _ => None,
        }
    }

    /// The step that all steps are, of a run with one step size and no events.
    pub(super) fn constant(&self) -> Option<PlannedStep> {
        if self.plan.segments.len() > 1 || self.spans.len() > 1 {
            return None;
        }
        let first = self.step(1);
        let same = |step: PlannedStep| step.alpha.to_bits() == first.alpha.to_bits() && step.injected == first.injected;
        (1..=self.plan.steps).all(|number| same(self.step(number))).then_some(first)
    }

    /// The step with the largest step size.
    pub(super) fn hottest(&self) -> PlannedStep {
        let mut hottest = self.step(1);
        for step in (1..=self.plan.steps).map(|number| self.step(number)) {
            if step.alpha > hottest.alpha {
                hottest = step;
            }
        }
        hottest
    }

    /// Whether a step is a matrix of all pairs of nodes: with rejection, or with noise that depends on the position.
    pub(super) fn rejects(&self) -> bool {
        self.kernels.iter().any(|kernel| matches!(kernel, Kernel::Metropolis { .. } | Kernel::Normal { .. }))
    }

    /// Whether chains are folded back at a boundary.
    pub(super) fn folds(&self) -> bool {
        let info = self.spans[0].target.info();
        info.boundary == Boundary::Reflect
            && (0..info.dimension).any(|axis| info.support.min[axis].is_finite() || info.support.max[axis].is_finite())
    }
}

/// Whether chains start at several points, whose distribution is no product.
fn several_points(plan: &RunPlan, first: &Span) -> bool {
    plan.start == Start::Modes && plan.chains > 1 && !first.target.info().modes.is_empty()
}

fn of_target(from: u64, target: &Arc<Target>) -> Result<Span, NotComputed> {
    if target.in_plane().is_none() {
        return Err(NotComputed::Unsuited("the target has more than two coordinates"));
    }
    let sampled = target.sampled();
    let Some(density) = sampled.in_plane().cloned() else {
        return Err(NotComputed::Unsuited("the target has more than two coordinates"));
    };
    let factors = factors(&density, density.info().view);
    Ok(Span { from, target: target.clone(), density, factors })
}

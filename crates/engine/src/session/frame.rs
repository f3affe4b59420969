//! Frames: the state of a session at one moment, for drawing. Making one copies no history.

use std::sync::Arc;

use crate::diagnostics::hmc_reference::Reference;
use crate::diagnostics::{DynamicsInput, MOST_IN_SERIES, Measure, Outskirts, REFUTED, Series, Totals, Truth};
use crate::scenario::{RunPlan, Scenario};
use base::math::{Gaussian, Grid, Point};
use models::targets::Target;
use samplers::methods::{Acceptance, StepRecord};
use samplers::schedules::Stage;

use super::analysis::Analysis;
use super::clock::Time;
use super::fits::FitFrame;
use super::history::History;
use super::spending::Spending;
use super::step_parts::StepParts;
use super::topics::TopicsAt;
use super::vectors::VectorsAt;
use super::warnings::Warning;

/// Everything a window needs to draw one moment of a session.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Goes up by one whenever the runs start again or jump; within one generation steps only grow.
    pub generation: u64,
    /// The scenario, with the events recorded so far.
    pub scenario: Arc<Scenario>,
    /// The target of the scenario.
    pub target: Arc<Target>,
    /// The truth about it that the measures compare with.
    pub truth: Arc<Truth>,
    /// The posterior of functions behind the target by a long HMC run, as far as that has come; `None` unless one was asked for.
    pub reference: Option<Arc<Reference>>,
    /// Steps taken by the longest run.
    pub step: u64,
    /// Steps of the longest run in all.
    pub total: u64,
    /// The time on the clock of the session, by which it plays.
    pub time: Time,
    /// The runs, in the order of the scenario.
    pub runs: Vec<RunFrame>,
}

impl Frame {
    /// Whether every run has taken all its steps.
    #[must_use]
    pub fn finished(&self) -> bool {
        self.runs.iter().all(|run| run.step >= run.plan.steps)
    }
}

/// One run at one moment.
#[derive(Clone, Debug)]
pub struct RunFrame {
    /// The plan of the run: name, chains, steps, schedule segments.
    pub plan: Arc<RunPlan>,
    /// Steps taken.
    pub step: u64,
    /// Step at which the present target began. Earlier draws belong to another target and do not count.
    pub target_since: u64,
    /// Step size α of the newest step; of the first while there is none.
    pub alpha: f64,
    /// The stage of the newest step.
    pub stage: Stage,
    /// The cycle of the newest step, from 0, if the schedule has cycles.
    pub cycle: Option<u64>,
    /// The position of every chain, in θ; of a diverged chain the last it had.
    pub positions: Vec<Point>,
    /// Records of the newest step, one per chain (at most [`MAX_RECORDS`]); empty at step 0.
    pub records: Vec<StepRecord>,
    /// Drift, gradient noise and injected noise of some steps, from the first to nearly the newest, in order.
    pub parts: Arc<Vec<StepParts>>,
    /// Positions in all dimensions after some of the collected steps of the present target, evenly among them and in
    /// order, of a model in more dimensions than are drawn; empty for targets in the plane.
    pub vectors: Arc<Vec<Arc<VectorsAt>>>,
    /// Positions in all dimensions after the newest step whose parts are recorded, or the last step, whether it is collected or not.
    pub newest_vectors: Option<Arc<VectorsAt>>,
    /// The topics of the chains after some steps, in order, on a target of topics; else empty. The newest step is the last one.
    pub topics: Arc<Vec<Arc<TopicsAt>>>,
    /// Acceptance of proposals since the method started or was last changed.
    pub acceptance: Acceptance,
    /// Acceptance of exchanges between neighbouring replicas, from the coldest on, of parallel tempering; else empty.
    pub swaps: Vec<Acceptance>,
    /// The distributions that have been fitted, if the method of the newest step is an approximation.
    pub fits: Option<FitFrame>,
    /// The path of every chain; of an approximation, that of the mean of its distribution.
    pub history: History,
    /// Number of collected draws (all of them, also those the history has thinned away).
    pub collected: u64,
    /// Totals over all of them.
    pub totals: Totals,
    /// Collected draws counted on the cells of [`RunFrame::cloud_grid`], by rows from the lower left.
    pub cloud: Arc<Vec<f64>>,
    /// The cells of `cloud`.
    pub cloud_grid: Grid,
    /// Collected draws outside of these cells.
    pub outskirts: Arc<Outskirts>,
    /// Mean and covariance of the collected draws; `None` before the first, and where draws are too far out for finite ones.
    pub moments: Option<Gaussian>,
    /// Measures against the truth, in the order of the registry.
    pub measures: Arc<Vec<Measure>>,
    /// The share of the draws that is nearest to each of several modes; empty otherwise.
    pub mode_shares: Vec<f64>,
    /// The slow measures as far as they are computed; those of an earlier step while the run goes on.
    pub analysis: Arc<Analysis>,
    /// Chains that diverged, with the step at which they did.
    pub diverged: Vec<(usize, u64)>,
    /// Gradient evaluations spent so far by all chains (a full gradient counts 1).
    pub gradient_evaluations: f64,
    /// Evaluations of the density by methods that use no gradients, so far by all chains.
    pub density_evaluations: f64,
    /// Evaluations of both kinds at every step, also at those to come.
    pub spending: Arc<Spending>,
    /// The time that the steps took, of all chains together, in seconds: exact at the steps of [`RunFrame::topics`]. `None` where
    /// nobody times them, see [`Session::timed`](super::Session::timed), and on targets without topics. No result depends on it.
    pub seconds: Option<Arc<Spending>>,
    /// Reasons why the run is useless or misleading, the most serious first.
    pub warnings: Vec<Warning>,
}

impl RunFrame {
    /// Takes back what a truth has said of the run, once draws have contradicted it.
    pub(super) fn withdraw_truth(&mut self) {
        let measures = self.measures.iter().map(|measure| measure.without_value(REFUTED));
        self.measures = Arc::new(measures.collect());
        self.warnings.retain(|warning| !matches!(warning, Warning::FarAway { .. }));
    }

    /// The cost so far: gradient evaluations, and density evaluations of methods that use no gradients, which take about
    /// as long.
    #[must_use]
    pub fn evaluations(&self) -> f64 {
        self.gradient_evaluations + self.density_evaluations
    }

    /// The step size of a chain at a step: where it adapts one of its own, as far as the history has kept it, and at steps to come
    /// in proportion to the plan; else that of the plan.
    #[must_use]
    pub fn step_size(&self, chain: usize, step: u64) -> f64 {
        let planned = self.plan.step_size(step);
        if !self.plan.segment_of(step).method.transitions().is_some_and(|transitions| transitions.adapts) {
            return planned;
        }
        let row = self.history.row_from(step.max(1)).min(self.history.rows().saturating_sub(1));
        let transition = if self.history.is_empty() { None } else { self.history.transition(row, chain) };
        transition.map_or(planned, |of| of.step_size * (planned / self.plan.step_size(self.history.step(row))))
    }

    /// Draws in [`RunFrame::series`], at most.
    #[must_use]
    pub fn draws_in_series(&self) -> u64 {
        self.collected.min(MOST_IN_SERIES as u64)
    }

    /// The collected draws in their order, as far as the history has kept them.
    #[must_use]
    pub fn series(&self) -> Series {
        let mut series = Series::new(self.plan.chains);
        extend_series(&mut series, &self.history, &self.plan, self.target_since);
        series
    }

    /// The stability limit of the step size for the method of the newest step, at the highest mode, if one is known.
    #[must_use]
    pub fn stable_below(&self, truth: &Truth) -> Option<f64> {
        self.plan.segment_of(self.step).method.stable_below(truth.curvature()?)
    }

    /// The same where the chains are, with the step after which they were there; `None` until it is computed.
    #[must_use]
    pub fn stable_here(&self) -> Option<(u64, f64)> {
        let here = self.analysis.here?;
        Some((here.step, self.plan.segment_of(self.step).method.stable_below(here.curvature)?))
    }

    /// Whether the method of the newest step trains an ensemble: predictions are those of its members as they are now.
    #[must_use]
    pub fn is_ensemble(&self) -> bool {
        self.plan.segment_of(self.step).method.starts_from_prior()
    }

    /// The vectors that predictions are made from: those that are kept of the collected steps, and of an ensemble the newest.
    #[must_use]
    pub fn collected_vectors(&self) -> Vec<&Arc<VectorsAt>> {
        if self.is_ensemble() {
            let counts = |at: &&Arc<VectorsAt>| self.collected > 0 && at.step > self.target_since;
            return self.newest_vectors.iter().filter(counts).collect();
        }
        self.vectors.iter().filter(|at| self.collects(at.step)).collect()
    }

    /// The vectors after a step, if they are kept.
    #[must_use]
    pub fn vectors_after(&self, step: u64) -> Option<&Arc<VectorsAt>> {
        let kept = self.vectors.binary_search_by_key(&step, |at| at.step).ok().map(|index| &self.vectors[index]);
        kept.or_else(|| self.newest_vectors.as_ref().filter(|at| at.step == step))
    }

    /// Whether the draws of step `number` are among the collected ones.
    #[must_use]
    pub fn collects(&self, number: u64) -> bool {
        number > self.target_since && self.plan.collects(number)
    }

    /// The number of steps of which the draw of step `number` is the only one that is collected, it included; `None` if it is not.
    #[must_use]
    pub fn stands_for(&self, number: u64) -> Option<u64> {
        self.collects(number).then(|| self.plan.segment_of(number).collect.thin)
    }

    /// The input of the readouts of the dynamics.
    #[must_use]
    pub fn dynamics(&self, truth: &Truth) -> DynamicsInput {
        // Chains that have diverged take no steps; if all have, the readouts say so.
        let all_diverged = !self.records.iter().any(StepRecord::is_step);
        let steps = || self.records.iter().filter(|record| all_diverged || record.is_step());
        let part = |of: fn(&StepRecord) -> Point| steps().map(of).collect();
        DynamicsInput {
            alpha: self.alpha,
            dimension: truth.dimension(),
            stability: self.stable_below(truth),
            drift: part(|record| record.drift),
            gradient_noise: part(|record| record.gradient_noise),
            injected_noise: part(|record| record.injected_noise),
            momenta: steps().filter_map(|record| record.momentum).collect(),
        }
    }
}

/// Adds the collected draws of a path to a series; steps that it has already are skipped, and so are those up to `since`.
pub fn extend_series(series: &mut Series, history: &History, plan: &RunPlan, since: u64) {
    // A schedule that has cycles only until an event changes it has none for a whole series.
    let cyclical = plan.segments.iter().all(|segment| segment.schedule.cycle(segment.from + 1).is_some());
    for row in history.row_from(series.last().max(since) + 1)..history.rows() {
        let step = history.step(row);
        let weight = plan.weight(step) * history.weight(row);
        if weight > 0.0 {
            let cycle = if cyclical { plan.segment_of(step).schedule.cycle(step) } else { None };
            let draw = |chain| history.position(row, chain).map_or([f64::NAN; 2], |at| [at.x, at.y]);
            series.push(step, cycle, weight, draw);
        }
    }
}

/// Step records kept for at most this many chains.
pub const MAX_RECORDS: usize = 64;

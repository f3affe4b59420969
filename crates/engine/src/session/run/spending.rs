//! Spending of a run: its cost so far and in all, and steps until a cost is reached.

use super::super::block::Block;
use super::super::spending::Spending;
use super::super::target_timeline::TargetTimeline;
use super::{Run, RunState};
use crate::scenario::{Segment, Shares};
use samplers::methods::{FitState, Method};
use samplers::schedules::Stage;

/// Every stage of a schedule.
const STAGES: [Stage; 3] = [Stage::Sampling, Stage::Exploration { noise: true }, Stage::Exploration { noise: false }];

impl Run {
    /// Counts the evaluations of the steps of a chunk that were just taken by a sampler, on a target with `data` data.
    pub(super) fn count_evaluations(&mut self, segment: &Segment, data: usize) {
        let (method, chains) = (segment.method.as_ref(), self.plan.chains);
        let RunState { blocks, gradient_evaluations, density_evaluations, .. } = &mut self.state;
        let gradients = method.uses_gradients();
        match method.most_evaluations() {
            None if segment.samples => {
                for alike in self.planned.stages.chunk_by(|one, next| one == next) {
                    let evaluations = method.evaluations(&segment.gradient, data, alike[0]);
                    let spent = if gradients { &mut *gradient_evaluations } else { &mut *density_evaluations };
                    *spent += evaluations * (alike.len() * chains) as f64;
                }
            }
            Some(_) if segment.samples && !gradients => {
                *density_evaluations += blocks.iter_mut().map(Block::take_counted).sum::<f64>();
            }
            _ => {}
        }
    }

    /// Evaluations of the gradient or of the density so far, by all chains.
    pub fn evaluations(&self) -> f64 {
        self.state.evaluations()
    }

    /// The same at the end of the run: of approximations an estimate, as long as they are under way.
    pub fn evaluations_in_all(&self) -> f64 {
        let (step, steps) = (self.state.step, self.plan.steps);
        let planned = self.planned().end();
        match self.plan.segment_of(step + 1).samples {
            _ if step >= steps || self.rests() => self.evaluations(),
            true if self.is_planned() => planned.max(self.evaluations()),
            true if step > 0 => self.evaluations() * (steps as f64 / step as f64),
            _ => self.evaluations() + planned * (steps - step) as f64 / steps as f64,
        }
    }

    /// Whether the steps to come cost nothing: those of approximations that have ended.
    pub fn rests(&self) -> bool {
        let (step, last) = (self.state.step, self.plan.segments.last());
        let ended = |method: &dyn Method| {
            let mut fits = self.state.blocks.iter().flat_map(Block::fits);
            method.rests_at_no_cost() && fits.all(|fit| fit.state != FitState::Moving)
        };
        // A later segment may have another method.
        step < self.steps() && last.is_some_and(|last| step > last.from && ended(last.method.as_ref()))
    }

    /// The cost so far, with a knot at every checkpoint, and what the plan says of the steps to come.
    pub fn spending(&self) -> Spending {
        let now = [self.state.step as f64, self.evaluations()];
        let known = self.checkpoints.iter().map(|checkpoint| [checkpoint.step as f64, checkpoint.evaluations()]);
        let before = self.planned().at(now[0]);
        let coming = self.planned().knots().iter().filter(|knot| knot[0] > now[0]);
        Spending::through(known.chain([now]).chain(coming.map(|knot| [knot[0], now[1] + knot[1] - before])))
    }

    /// What the plan of the run says about its cost.
    fn planned(&self) -> &Spending {
        let plan = || {
            let (data, chains) = (self.data(), self.plan.chains as f64);
            let segments = self.plan.segments_with_ends().scan(0.0, |sum, (segment, end)| {
                let steps = end.saturating_sub(segment.from) as f64;
                *sum += Shares::of(segment, end, data).evaluations * steps * chains;
                Some([end as f64, *sum])
            });
            Spending::through(segments)
        };
        self.evaluations_planned.get_or_init(plan)
    }

    /// Whether the cost of the steps to come is that of the plan. Steps of approximations, and of samplers that count their
    /// evaluations, cost more or less.
    fn is_planned(&self) -> bool {
        let rest = self.plan.segments_with_ends().filter(|(_, end)| *end > self.state.step);
        rest.map(|(segment, _)| segment).all(|segment| segment.samples && segment.method.most_evaluations().is_none())
    }

    /// Evaluations of one step of all chains, at the start of the run: at least those of one datum. Of a sampler that counts
    /// them, a guess.
    pub fn evaluations_of_a_step(&self) -> f64 {
        self.usual_step(&self.plan.segments[0]).max(1e-6)
    }

    /// Takes steps until `goal` evaluations are spent or the run ends. The step reached depends on the goal alone: it is the
    /// first at which they are spent.
    pub fn spend(&mut self, goal: f64, timeline: &TargetTimeline) {
        while self.evaluations() < goal && self.step() < self.steps() && !self.is_stopped() {
            let segment = self.plan.segment_of(self.state.step + 1);
            // Approximations know their cost only after a step.
            let left = goal - self.evaluations();
            let safe = if segment.samples { left / self.largest_step(segment) } else { 1.0 };
            #[expect(clippy::cast_sign_loss, reason = "not negative; steps are bounded")]
            let steps = (safe.floor() as u64).max(1);
            // A later segment may have larger steps.
            let end = self.plan.next_segment_after(self.state.step).unwrap_or(u64::MAX);
            self.advance(steps.min(end - self.state.step), timeline);
        }
    }

    /// Goes to the first step at which `goal` evaluations are spent, from the checkpoint before it.
    pub fn seek_spending(&mut self, goal: f64, timeline: &TargetTimeline) {
        self.go_back(timeline, |checkpoint| checkpoint.evaluations() < goal);
        self.spend(goal, timeline);
    }

    /// The largest cost of one step of all chains in a segment.
    fn largest_step(&self, segment: &Segment) -> f64 {
        let most = segment.method.most_evaluations().map(|most| most * self.plan.chains as f64);
        most.unwrap_or_else(|| self.usual_step(segment))
    }

    /// The same where nothing is counted; else a guess.
    fn usual_step(&self, segment: &Segment) -> f64 {
        let of = |stage| segment.method.evaluations(&segment.gradient, self.data(), stage);
        STAGES.map(of).into_iter().fold(0.0, f64::max) * self.plan.chains as f64
    }

    /// Number of data of the target; 1 without data.
    fn data(&self) -> usize {
        self.context.data()
    }
}

//! What a run spends while it goes on: its cost so far and in all, and steps until a cost is reached.

use std::sync::Arc;

use super::super::block::Block;
use super::super::spending::Spending;
use super::super::target_timeline::TargetTimeline;
use super::{Run, RunState};
use crate::scenario::{RunPlan, Segment, Shares};
use samplers::methods::{FitState, Method};
use samplers::schedules::Stage;

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
        let all = match self.plan.segment_of(step + 1).samples {
            _ if step >= steps || self.rests() => self.evaluations(),
            true if self.is_planned() => planned.max(self.evaluations()),
            true if step > 0 => self.evaluations() * (steps as f64 / step as f64),
            _ => self.evaluations() + planned * (steps - step) as f64 / steps as f64,
        };
        // The last step may go beyond.
        self.plan.budget.map_or(all, |budget| all.min(budget.max(self.evaluations())))
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

    /// Takes up to `steps` steps; at the first at which the budget is spent, the run ends.
    pub(super) fn advance_within(&mut self, budget: f64, steps: u64, timeline: &TargetTimeline) {
        let goal = self.steps().min(self.state.step.saturating_add(steps));
        while self.state.step < goal && self.left_of(budget) > 0.0 && !self.is_stopped() {
            let safe = self.safe_steps(self.left_of(budget));
            self.take_steps(safe.min(goal - self.state.step), timeline);
        }
        if self.state.step > 0 && self.state.step < self.steps() && self.left_of(budget) <= 0.0 {
            let plan = RunPlan { steps: self.state.step, ..self.plan.as_ref().clone() };
            self.continue_with(Arc::new(plan));
        }
    }

    /// What is left of a budget; 0 where that is rounding.
    fn left_of(&self, budget: f64) -> f64 {
        let left = budget - self.evaluations();
        if left > 1e-9 * budget { left } else { 0.0 }
    }

    /// Steps that can be taken at once without spending more than `left` before the last of them.
    fn safe_steps(&self, left: f64) -> u64 {
        let segment = self.plan.segment_of(self.state.step + 1);
        // Approximations know their cost only after a step.
        let safe = if segment.samples { left / self.largest_step(segment) + 1e-9 } else { 1.0 };
        #[expect(clippy::cast_sign_loss, reason = "not negative; steps are bounded")]
        let steps = (safe.floor() as u64).max(1);
        // A later segment may have larger steps.
        let end = self.plan.next_segment_after(self.state.step).unwrap_or(u64::MAX);
        steps.min(end - self.state.step)
    }

    /// Takes steps until `goal` evaluations are spent or the run ends. The step reached depends on the goal alone: it is the
    /// first at which they are spent.
    pub fn spend(&mut self, goal: f64, timeline: &TargetTimeline) {
        while self.evaluations() < goal && self.step() < self.steps() && !self.is_stopped() {
            self.advance(self.safe_steps(goal - self.evaluations()), timeline);
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
        Stage::ALL.map(of).into_iter().fold(0.0, f64::max) * self.plan.chains as f64
    }

    /// Number of data of the target; 1 without data.
    fn data(&self) -> usize {
        self.context.data()
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::scenario::read;
    use crate::session::{Clock, Command, Frame, Session};

    /// Runs whose steps cost 1, 10, n/N = 1/20, and what NUTS needs, and a fit, of 1 to 4 chains.
    fn session(top: &str) -> Session {
        let text = format!(
            "format = 1\nseed = 7\n{top}[target]\nkind = \"bivariate-mixture\"\n\
             [[run]]\nname = \"full\"\nmethod = \"sgld\"\nstep_size = {{ kind = \"cyclical\", initial = 0.02, cycles = 4 }}\n\
             [[run]]\nname = \"hmc\"\nmethod = \"hmc\"\nsteps = 20000\nleapfrog_steps = 10\nchains = 2\n\
             [[run]]\nname = \"batch\"\nmethod = \"sgld\"\nsteps = 10\nchains = 4\n\
             gradient = {{ kind = \"minibatch\", size = 5 }}\n\
             [[run]]\nname = \"nuts\"\nmethod = \"nuts\"\nchains = 3\n\
             [[run]]\nname = \"walk\"\nmethod = \"random-walk\"\n\
             [[run]]\nname = \"fit\"\nmethod = \"svi\"\nexpectations = {{ kind = \"monte-carlo\", draws = 2 }}\n"
        );
        Session::new(read(&text, "budget.toml", Path::new(".")).unwrap()).unwrap()
    }

    fn state(frame: &Frame) -> Vec<(u64, u64, Vec<u64>)> {
        let bits = |run: &crate::session::RunFrame| run.positions.iter().map(|at| at.x.to_bits()).collect();
        frame.runs.iter().map(|run| (run.step, run.plan.steps, bits(run))).collect()
    }

    #[test]
    fn every_run_ends_at_the_first_step_at_which_the_budget_is_spent() {
        let mut session = session("budget = 2500\n");
        session.advance(u64::MAX);
        let frame = session.frame();
        assert!(session.finished() && frame.runs.iter().all(|run| run.step == run.plan.steps));
        let steps: Vec<u64> = frame.runs.iter().map(|run| run.step).collect();
        assert_eq!((steps[0], steps[1], steps[2], steps[4]), (2500, 125, 12_500, 2500));
        for run in &frame.runs {
            let spent = run.evaluations();
            // A tree of NUTS has 2¹⁰ leaves at most, and an approximation a few evaluations more than planned.
            let most = if run.plan.name == "nuts" { 3.0 * 1024.0 } else { 25.0 };
            assert!((2500.0..2500.0 + most).contains(&(spent + 1e-6)), "{}: {spent}", run.plan.name);
        }
        assert_eq!(frame.runs[0].plan.segments[0].schedule.cycle(2500), Some(3), "cycles fit into the run");
        assert!(steps[3] > 10 && steps[3] < 833, "{} steps of NUTS", steps[3]);
    }

    #[test]
    fn the_end_does_not_depend_on_the_way_there() {
        let mut straight = session("budget = 900.5\n");
        straight.advance(u64::MAX);
        let end = state(&straight.frame());
        let mut detours = session("budget = 900.5\n");
        for steps in [1, 7, 500, 3] {
            detours.advance(steps);
        }
        detours.apply(Command::Seek(20)).unwrap();
        detours.advance(u64::MAX);
        assert_eq!(state(&detours.frame()), end);
        let mut by_cost = session("budget = 900.5\n");
        by_cost.set_clock(Clock::Gradients);
        by_cost.advance(u64::MAX);
        assert_eq!(state(&by_cost.frame()), end);
        assert!(by_cost.time().end >= by_cost.time().tick);
    }

    /// Before the budget is spent the run is the same as without one.
    #[test]
    fn a_budget_changes_no_step() {
        let (mut with, mut without) = (session("budget = 600\n"), session(""));
        with.advance(u64::MAX);
        for (number, run) in with.frame().runs.iter().enumerate().filter(|(_, run)| run.plan.name == "nuts") {
            without.advance_run(number, run.step);
            assert_eq!(state(&without.frame())[number].2, state(&with.frame())[number].2);
        }
    }
}

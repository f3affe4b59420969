//! Clock of a session: what makes the runs simultaneous.
//!
//! By steps, all runs have taken the same number of steps. By gradients, all have spent the same number of gradient
//! evaluations: at tick t every run is at the first step at which it has spent t units. One unit is the cost of a step of the
//! cheapest run, so that this run takes a step at every tick. Densities of methods without gradients count like gradients.
//! The state of a session is a function of its scenario, its clock and the tick.

use super::run::Run;
use super::{Session, on_all};

pub use crate::scenario::view::Clock;

/// The time of a session on its clock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Time {
    /// What is counted.
    pub clock: Clock,
    /// Ticks so far.
    pub tick: u64,
    /// Ticks until all runs have ended. By gradients, an estimate while an approximation is under way.
    pub end: u64,
    /// Gradient evaluations per tick, by all chains of a run; 1 by steps.
    pub unit: f64,
}

impl Session {
    /// The time on the clock of the session.
    #[must_use]
    pub fn time(&self) -> Time {
        let (clock, unit) = (self.clock, self.unit());
        match clock {
            Clock::Steps => Time { clock, tick: self.step(), end: self.total(), unit },
            Clock::Gradients => Time { clock, tick: self.tick.min(self.end()), end: self.end(), unit },
        }
    }

    /// Whether run number `run` has ended: after all its steps, or with its budget.
    #[must_use]
    pub fn has_ended(&self, run: usize) -> bool {
        self.runs.get(run).is_none_or(|run| run.step() >= run.steps())
    }

    /// Chooses another clock, and takes the runs to a common moment on it: that of the run that is least far. By gradients
    /// only on one target: where the target changes, runs meet at a step.
    pub fn set_clock(&mut self, clock: Clock) {
        let several = self.timeline.spans().len() > 1;
        if clock == self.clock || clock == Clock::Gradients && several {
            return;
        }
        let tick = self.least(clock);
        self.clock = clock;
        self.seek(tick);
    }

    /// The present tick by gradients, for the present step by steps: where runs go on after a change.
    pub(super) fn tick_at(&self, step: u64) -> u64 {
        match self.clock {
            Clock::Steps => step,
            Clock::Gradients if step == 0 => 0,
            Clock::Gradients => self.tick,
        }
    }

    /// Takes all runs forward by so many units.
    pub(super) fn spend(&mut self, ticks: u64) {
        self.tick = self.tick.saturating_add(ticks);
        let (goal, timeline) = (self.goal(), &self.timeline);
        on_all(&mut self.runs, |run| run.spend(goal, timeline));
        self.come_to_rest();
    }

    /// Goes to a tick by gradients, forward or back.
    pub(super) fn seek_spending(&mut self, tick: u64) {
        let back = tick < self.tick;
        self.tick = tick;
        let (goal, timeline) = (self.goal(), &self.timeline);
        // On the way forward a run may be ahead, if it was taken there by steps.
        let go = |run: &mut Run| match back || run.evaluations() > goal {
            true => run.seek_spending(goal, timeline),
            false => run.spend(goal, timeline),
        };
        on_all(&mut self.runs, go);
        self.come_to_rest();
    }

    /// Takes the steps that cost nothing, once nothing else is left to do; no tick is beyond the end then.
    fn come_to_rest(&mut self) {
        if self.runs.iter().all(|run| run.step() == run.steps() || run.rests()) {
            let timeline = &self.timeline;
            self.runs.iter_mut().for_each(|run| run.spend(f64::INFINITY, timeline));
            self.tick = self.tick.min(self.end());
        }
    }

    /// The work in one tick, in units of about one step of one chain.
    pub(super) fn work_of_tick(&self) -> usize {
        let unit = self.unit();
        let work = |run: &Run| run.work() as f64 * unit / run.evaluations_of_a_step();
        #[expect(clippy::cast_sign_loss, reason = "a rough positive number")]
        let all = self.runs.iter().map(work).sum::<f64>() as usize;
        all.max(1)
    }

    /// Evaluations at the present tick, rounded like those of runs, so that a tick is a step of the cheapest run.
    fn goal(&self) -> f64 {
        (units(self.tick) * self.unit() * 1e6).round() / 1e6
    }

    /// The last tick by gradients.
    #[expect(clippy::cast_sign_loss, reason = "a positive number of evaluations")]
    fn end(&self) -> u64 {
        let all = self.runs.iter().map(Run::evaluations_in_all).fold(0.0, f64::max);
        // What is beyond a whole tick by rounding alone is no tick.
        ((all / self.unit() - 1e-6).ceil() as u64).max(1)
    }

    /// Gradient evaluations per tick.
    fn unit(&self) -> f64 {
        match self.clock {
            Clock::Steps => 1.0,
            Clock::Gradients => self.cheapest(),
        }
    }

    /// The cost of a step of the cheapest run.
    fn cheapest(&self) -> f64 {
        self.runs.iter().map(Run::evaluations_of_a_step).fold(f64::INFINITY, f64::min)
    }

    /// How far the run is that is least far, of those under way; the end if there is none.
    fn least(&self, clock: Clock) -> u64 {
        let under_way = self.runs.iter().filter(|run| run.step() < run.steps());
        match clock {
            Clock::Steps => under_way.map(Run::step).min().unwrap_or(u64::MAX),
            Clock::Gradients => {
                let least = under_way.map(Run::evaluations).reduce(f64::min);
                #[expect(clippy::cast_sign_loss, reason = "not negative")]
                // An evaluation that is short of a whole tick by rounding alone is one.
                least.map_or(u64::MAX, |least| (least / self.cheapest() + 1e-6) as u64)
            }
        }
    }
}

/// A number of ticks as a factor.
fn units(ticks: u64) -> f64 {
    ticks as f64
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::scenario;
    use crate::session::{Command, Frame};

    /// Runs with steps of 1, 10 and 1/20 evaluations of 1, 1 and 4 chains, and a fit.
    fn session() -> Session {
        let text = "format = 1\nseed = 7\n[target]\nkind = \"bivariate-mixture\"\n\
                    [[run]]\nname = \"full\"\nmethod = \"sgld\"\nsteps = 900\n\
                    [[run]]\nname = \"hmc\"\nmethod = \"hmc\"\nsteps = 200\nleapfrog_steps = 10\n\
                    [[run]]\nname = \"batch\"\nmethod = \"sgld\"\nsteps = 9000\nchains = 4\n\
                    gradient = { kind = \"minibatch\", size = 5 }\n\
                    [[run]]\nname = \"fit\"\nmethod = \"svi\"\nsteps = 300\nexpectations = { kind = \"monte-carlo\", draws = 2 }\n";
        let mut session = Session::new(scenario::read(text, "clock.toml", Path::new(".")).unwrap()).unwrap();
        session.set_clock(Clock::Gradients);
        session
    }

    fn state(frame: &Frame) -> Vec<(u64, Vec<[u64; 2]>)> {
        let bits =
            |run: &crate::session::RunFrame| run.positions.iter().map(|at| [at.x.to_bits(), at.y.to_bits()]).collect();
        frame.runs.iter().map(|run| (run.step, bits(run))).collect()
    }

    #[test]
    fn runs_are_at_the_first_step_at_which_they_have_spent_as_much() {
        let mut session = session();
        assert_eq!(session.time(), Time { clock: Clock::Gradients, tick: 0, end: session.time().end, unit: 0.2 });
        session.advance(1234);
        let frame = session.frame();
        let spent = 1234.0 * 0.2;
        let steps: Vec<u64> = frame.runs.iter().map(|run| run.step).collect();
        assert_eq!(steps[..3], [247, 25, 1234]);
        for run in &frame.runs {
            let last = run.evaluations() / run.step as f64;
            assert!(run.evaluations() >= spent - 1e-6 && run.evaluations() - last < spent, "{}", run.plan.name);
        }
    }

    #[test]
    fn the_state_is_a_function_of_the_tick() {
        let mut straight = session();
        straight.advance(700);
        let expected = state(&straight.frame());
        let mut detours = session();
        for ticks in [1, 2, 500, 3, 800] {
            detours.advance(ticks);
        }
        detours.apply(Command::Seek(700)).unwrap();
        assert_eq!(state(&detours.frame()), expected);
        detours.apply(Command::Seek(2000)).unwrap();
        detours.apply(Command::Seek(700)).unwrap();
        assert_eq!(state(&detours.frame()), expected);
    }

    #[test]
    fn all_runs_end_at_the_last_tick() {
        let mut session = session();
        let end = session.time().end;
        session.apply(Command::Seek(end)).unwrap();
        assert!(session.finished());
        assert_eq!(session.time().tick, session.time().end);
        // HMC is the dearest: 2000 evaluations.
        assert_eq!(session.time().end, 10_000);
    }

    /// Samplers know the cost of their steps beforehand; approximations estimate it until they end.
    #[test]
    fn the_cost_of_steps_to_come_is_that_of_the_plan() {
        let mut session = session();
        let before = session.frame();
        session.advance(1234);
        let now = session.frame();
        session.advance(u64::MAX);
        let after = session.frame();
        for (run, (before, after)) in now.runs.iter().zip(before.runs.iter().zip(&after.runs)) {
            let (step, spent) = (run.step as f64, run.evaluations());
            assert!((run.spending.at(step) - spent).abs() < 1e-6, "{}", run.plan.name);
            assert!((after.spending.at(step) - spent).abs() < 1e-6, "{}: a step is not what it cost", run.plan.name);
            assert!((after.spending.end() - after.evaluations()).abs() < 1e-6);
            if run.fits.is_none() {
                assert!((before.spending.at(step) - spent).abs() < 1e-6 * spent, "{}", run.plan.name);
            }
        }
    }

    /// An ascent that has ended takes its further steps at no cost: when they are taken must not depend on estimates.
    #[test]
    fn a_fit_that_rests_ends_with_the_other_runs_on_every_way() {
        let text = "format = 1\n[target]\nkind = \"gaussian\"\n[[run]]\nname = \"a\"\nmethod = \"langevin\"\nsteps = 40\n\
                    [[run]]\nname = \"b\"\nmethod = \"laplace\"\nsteps = 900\n";
        let made = || {
            let mut session = Session::new(scenario::read(text, "clock.toml", Path::new(".")).unwrap()).unwrap();
            session.set_clock(Clock::Gradients);
            session
        };
        let mut played = made();
        while !played.finished() {
            played.advance(1);
        }
        let end = played.time().tick;
        assert_eq!(end, played.time().end);
        for tick in [end, end - 1, end + 100, 5, end] {
            let (mut sought, mut detour) = (made(), made());
            sought.apply(Command::Seek(tick)).unwrap();
            detour.apply(Command::Seek(u64::MAX)).unwrap();
            detour.apply(Command::Seek(tick)).unwrap();
            assert_eq!(state(&sought.frame()), state(&detour.frame()), "{tick}");
            assert_eq!(sought.time().tick, detour.time().tick);
            assert_eq!(sought.finished(), tick >= end, "{tick} of {end}");
        }
    }

    /// Costs of batches are sums of shares of the documents, which are rounded.
    #[test]
    fn the_last_tick_is_that_of_the_last_step() {
        let text = "format = 1\n[target]\nkind = \"topics\"\ncorpus = { kind = \"bars\", side = 4, documents = 30 }\n\
                    [[run]]\nname = \"a\"\nmethod = \"svi\"\nchains = 3\nsteps = 47\n\
                    gradient = { kind = \"minibatch\", size = 7 }\n";
        let mut session = Session::new(scenario::read(text, "clock.toml", Path::new(".")).unwrap()).unwrap();
        session.set_clock(Clock::Gradients);
        for ticks in [0, 5, 11, 47] {
            session.apply(Command::Seek(ticks)).unwrap();
            assert_eq!((session.time().tick, session.time().end), (ticks, 47));
        }
    }

    /// The least advanced run decides: nothing that is shown has not been computed.
    #[test]
    fn another_clock_keeps_the_moment_of_the_run_that_is_least_far() {
        let mut session = session();
        session.advance(500);
        session.set_clock(Clock::Steps);
        let steps: Vec<u64> = session.frame().runs.iter().map(|run| run.step).collect();
        assert_eq!(steps, [10; 4]);
        session.set_clock(Clock::Gradients);
        // 10 steps of four chains with a 20th of the data.
        assert_eq!(session.time().tick, 10);
    }

    #[test]
    fn runs_on_several_targets_meet_at_steps() {
        let text = "format = 1\n[target]\nkind = \"gaussian\"\n[[run]]\nname = \"a\"\nmethod = \"langevin\"\nsteps = 100\n\
                    [[event]]\nstep = 50\ntarget = { kind = \"gaussian\", sd = [2.0, 2.0] }\n";
        let mut session = Session::new(scenario::read(text, "clock.toml", Path::new(".")).unwrap()).unwrap();
        session.set_clock(Clock::Gradients);
        assert_eq!(session.time().clock, Clock::Steps);
    }
}

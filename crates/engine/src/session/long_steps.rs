//! Steps that take long: sweeps over a large corpus take seconds, and whoever waits for the session can stop them.

use super::Session;
use super::run::Run;
use models::lda::Stop;

/// Work from which a step takes long, in units of about a step of one chain of a sampler: 50 ms.
const LONG: usize = 1 << 20;

impl Session {
    /// Whether steps on the target at present may take long.
    #[must_use]
    pub fn may_take_long(&self) -> bool {
        self.timeline.spans()[self.span].target.family().long_steps
    }

    /// Whether steps take so long that they can be stopped.
    #[must_use]
    pub fn has_long_steps(&self) -> bool {
        let under_way = self.runs.iter().filter(|run| run.step() < run.steps());
        self.may_take_long() && under_way.map(Run::work).sum::<usize>() >= LONG
    }

    /// Takes steps as [`advance`](Self::advance) does. Where steps take long `stop` is looked at between two documents: once it is
    /// set, the session is as it was before all of these steps. Returns whether they were taken.
    pub fn advance_unless(&mut self, stop: &Stop, ticks: u64) -> bool {
        if !self.has_long_steps() {
            self.advance(ticks);
            return true;
        }
        let (saved, tick): (Vec<_>, _) = (self.runs.iter().map(Run::save).collect(), self.tick);
        self.runs.iter_mut().for_each(|run| run.stop_with(Some(stop.clone())));
        self.advance(ticks);
        self.runs.iter_mut().for_each(|run| run.stop_with(None));
        let stopped = stop.is_set();
        if stopped {
            self.runs.iter_mut().zip(saved).for_each(|(run, saved)| run.restore(saved));
            self.tick = tick;
        }
        !stopped
    }
}

//! Edits: in Watch they change the runs in sight, in Instant they lead to a run that is computed out of sight. And another clock.

use super::Engine;
use crate::scenario::{Edit, Effect, Moment, Pacing, decide};
use crate::session::{Clock, Command};
use crate::worker::jobs::Job;
use base::platform::Instant;

impl Engine {
    /// Carries out an edit in Watch. Where runs are computed again up to a step, that is done out of sight.
    pub(super) fn edit_in_sight(&mut self, edit: Edit) {
        self.playing |= self.session.finished() || matches!(edit, Edit::Load(_));
        let (job, here) = (self.job.take(), self.tick());
        match decide(self.session.scenario(), edit.clone(), &self.session.moment()) {
            Ok((scenario, Effect::Rebuild { step })) if step > 0 => {
                self.command(Command::Edit(Edit::Load(Box::new(scenario))));
                self.aim(job.map_or(here, Job::asked_for), Instant::now());
            }
            _ => {
                let job = job.filter(|_| !matches!(edit, Edit::Load(_) | Edit::Reseed(_)));
                self.command(Command::Edit(edit));
                if let Some(job) = job {
                    self.aim(job.asked_for(), Instant::now());
                }
            }
        }
    }

    /// Takes in an edit in Instant, which changes the scenario from step 0.
    pub(super) fn edit_out_of_sight(&mut self, edit: Edit) {
        let base = self.wanted.as_ref().unwrap_or_else(|| self.session.scenario());
        let moment = Moment { pacing: Pacing::Instant, ..self.session.moment() };
        match decide(base, edit, &moment) {
            Ok((scenario, _)) => {
                self.wanted = Some(scenario);
                self.stop();
                self.awaited.get_or_insert_with(Instant::now);
            }
            Err(error) => self.refuse(vec![error]),
        }
    }

    /// Loads the scenario that edits in Instant have asked for, and starts to compute it.
    pub(super) fn load_wanted(&mut self) {
        if let Some(scenario) = self.wanted.take() {
            let asked = Instant::now();
            self.command(Command::Edit(Edit::Load(Box::new(scenario))));
            self.aim(u64::MAX, asked);
        }
    }

    /// Counts by another clock; a run of this length still takes as long.
    pub(super) fn change_clock(&mut self, clock: Clock) {
        let before = self.session.time();
        self.command(Command::Clock(clock));
        let after = self.session.time();
        if after.clock == before.clock {
            return;
        }
        self.pace.rescale(before.end, after.end);
        if self.job.take().is_some() {
            self.aim(u64::MAX, Instant::now());
        }
    }
}

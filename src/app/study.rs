//! The convergence study: which measure is followed, over how many repeats, and the job that makes them.
//!
//! Repeats are made in the background, one after the other, and shown as they come. Those of an earlier scenario stay,
//! marked as such, until the first of the present one is there. Dropping a job ends it within a slice of steps.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use super::actions::in_words;
use super::tasks::{Done, Tasks};
use crate::draw::study_choice::StudyChoice;
use crate::params::Settings;
use crate::scenario::{RunSpec, Scenario};
use crate::session::repeats::{Repeat, Taken, repeat};

/// What the task is called.
pub const TASK: &str = "repeating the runs";

/// Positions that are computed without being asked for: a fraction of a second's worth, some seconds' with many data.
const UNASKED: u64 = 10_000_000;

/// The study of the window.
#[derive(Debug, Default)]
pub struct Study {
    /// What a person has chosen.
    pub choice: StudyChoice,
    /// Whether measures against the truth are shown whatever measure is chosen, as in the Compare tab.
    pub compares: bool,
    /// Of what the repeats were made.
    of: Option<(Arc<Scenario>, Taken)>,
    made: Vec<Repeat>,
    /// Changes with `made`.
    version: u64,
    job: Option<Job>,
    tickets: u64,
    /// The scenario whose repeats a person has broken off.
    halted: Option<Arc<Scenario>>,
}

/// Repeats being made.
#[derive(Debug)]
struct Job {
    ticket: u64,
    of: (Arc<Scenario>, Taken),
    /// Repeats there will be when it is done.
    wanted: u64,
    /// Goes up when the job shall end.
    end: Arc<AtomicBool>,
    /// The share of the present repeat that is done, as bits.
    share: Arc<AtomicU32>,
}

impl Drop for Job {
    fn drop(&mut self) {
        self.end.store(true, Ordering::Relaxed);
    }
}

impl Study {
    /// Which measures have to be taken for what is shown.
    fn taken(&self) -> Taken {
        if self.compares { Taken::Truth } else { self.choice.taken() }
    }

    /// The repeats made so far, no more than are wanted.
    #[must_use]
    pub fn repeats(&self) -> &[Repeat] {
        let most = usize::try_from(self.choice.repeats).unwrap_or(usize::MAX);
        &self.made[..self.made.len().min(most)]
    }

    /// A number that changes whenever the repeats do.
    #[must_use]
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Whether the repeats were made of another scenario.
    #[must_use]
    pub fn stale(&self, scenario: &Arc<Scenario>) -> bool {
        self.of.as_ref().is_some_and(|(of, _)| !same(of, scenario))
    }

    /// The share of the job that is done, from 0 to 1; `None` if there is none.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a share for a progress bar")]
    pub fn progress(&self) -> Option<f32> {
        let job = self.job.as_ref()?;
        let made = if self.of.as_ref() == Some(&job.of) { self.made.len() as f32 } else { 0.0 };
        Some((made + f32::from_bits(job.share.load(Ordering::Relaxed))) / job.wanted as f32)
    }

    /// Whether repeats are missing that nobody has broken off, and that are cheap enough to be made unasked.
    #[must_use]
    pub fn wants(&self, scenario: &Arc<Scenario>) -> bool {
        let halted = self.halted.as_ref().is_some_and(|halted| same(halted, scenario));
        self.missing(scenario) && !halted && self.positions(scenario) <= UNASKED
    }

    /// Whether repeats are missing.
    #[must_use]
    pub fn missing(&self, scenario: &Arc<Scenario>) -> bool {
        let of = (scenario.clone(), self.taken());
        let going = self.job.as_ref().is_some_and(|job| job.is_for(&of));
        let known = self.of.as_ref().is_some_and(|known| known.1 == of.1 && same(&known.0, scenario));
        let enough = known && self.made.len() as u64 >= self.choice.repeats;
        !going && !enough
    }

    /// Positions in all repeats.
    fn positions(&self, scenario: &Scenario) -> u64 {
        let chains = |settings: &Settings| settings.kind.param("chains").map_or(1, |_| settings.count("chains"));
        let run = |run: &RunSpec| run.settings.count("steps").saturating_mul(chains(&run.settings));
        scenario.runs.iter().map(run).fold(0, u64::saturating_add).saturating_mul(self.choice.repeats)
    }

    /// Begins to make the missing repeats.
    pub fn start(&mut self, tasks: &mut Tasks, scenario: &Arc<Scenario>) {
        let of = (scenario.clone(), self.taken());
        let first = if self.of.as_ref() == Some(&of) { self.made.len() as u64 } else { 0 };
        self.tickets += 1;
        self.halted = None;
        let (end, share, ticket) = (Arc::<AtomicBool>::default(), Arc::<AtomicU32>::default(), self.tickets);
        let wanted = self.choice.repeats;
        self.job = Some(Job { ticket, of: of.clone(), wanted, end: end.clone(), share: share.clone() });
        let (scenario, taken) = of;
        tasks.stream(TASK, move |round| {
            let number = first + round as u64;
            let heard = |done: f32| {
                share.store(done.to_bits(), Ordering::Relaxed);
                if end.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            if number >= wanted || end.load(Ordering::Relaxed) {
                return None;
            }
            let repeat = repeat(&scenario, number, taken, heard).map_err(|errors| in_words(&errors)).transpose()?;
            Some(Done::Repeated { ticket, repeat })
        });
    }

    /// Breaks off what is being made; it is not begun again unasked while the scenario stays.
    pub fn halt(&mut self, scenario: &Arc<Scenario>) {
        self.job = None;
        self.halted = Some(scenario.clone());
    }

    /// Notes that the task has broken down.
    pub fn fail(&mut self) {
        if let Some(of) = self.job.as_ref().map(|job| job.of.0.clone()) {
            self.halt(&of);
        }
    }

    /// Ends a job that is for another scenario or for other measures.
    pub fn outdate(&mut self, scenario: &Arc<Scenario>) {
        let taken = self.taken();
        self.job.take_if(|job| job.of.1 != taken || !same(&job.of.0, scenario));
    }

    /// Takes in a repeat.
    ///
    /// # Errors
    /// What was wrong, if it could not be made.
    pub fn take(&mut self, ticket: u64, repeat: Result<Repeat, String>) -> Result<(), String> {
        let Some(job) = self.job.as_ref().filter(|job| job.ticket == ticket) else { return Ok(()) };
        let of = job.of.clone();
        let repeat = match repeat {
            Ok(repeat) => repeat,
            Err(problem) => {
                self.halt(&of.0);
                return Err(problem);
            }
        };
        let wanted = job.wanted;
        job.share.store(0.0_f32.to_bits(), Ordering::Relaxed);
        if self.of.as_ref() != Some(&of) {
            self.made.clear();
            self.of = Some(of);
        }
        self.made.push(repeat);
        self.version += 1;
        if self.made.len() as u64 >= wanted {
            self.job = None;
        }
        Ok(())
    }
}

impl Job {
    fn is_for(&self, (scenario, taken): &(Arc<Scenario>, Taken)) -> bool {
        self.of.1 == *taken && same(&self.of.0, scenario)
    }
}

fn same(one: &Arc<Scenario>, other: &Arc<Scenario>) -> bool {
    Arc::ptr_eq(one, other) || one == other
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::time::{Duration, Instant};

    use super::*;
    use crate::draw::study_choice::measure;
    use crate::scenario::read;

    fn scenario(seed: u64, steps: u64) -> Arc<Scenario> {
        let text = format!(
            "format = 1\ntitle = \"x\"\nseed = {seed}\n[target]\nkind = \"gaussian-grid\"\n[[run]]\nname = \"SGLD\"\n\
             method = \"sgld\"\nsteps = {steps}\n"
        );
        Arc::new(read(&text, "test", Path::new(".")).unwrap())
    }

    fn tasks() -> Tasks {
        Tasks::new(egui::Context::default())
    }

    /// Takes in repeats until the job is done.
    fn finish(study: &mut Study, tasks: &mut Tasks) {
        let begun = Instant::now();
        while study.progress().is_some() {
            assert!(begun.elapsed() < Duration::from_secs(60), "the repeats never come");
            for done in tasks.take() {
                let Done::Repeated { ticket, repeat } = done else { panic!("another task: {done:?}") };
                study.take(ticket, repeat).unwrap();
            }
        }
    }

    #[test]
    fn missing_repeats_are_made_and_no_more() {
        let (mut study, mut tasks, one) = (Study::default(), tasks(), scenario(1, 100));
        study.choice.repeats = 3;
        assert!(study.wants(&one) && study.progress().is_none());
        study.start(&mut tasks, &one);
        assert!(!study.missing(&one) && study.progress().is_some());
        finish(&mut study, &mut tasks);
        assert!(!study.missing(&one) && !study.stale(&one));
        let seeds = |study: &Study| study.repeats().iter().map(|repeat| repeat.seed).collect::<Vec<_>>();
        assert_eq!(seeds(&study), [1, 2, 3]);
        study.choice.repeats = 5;
        assert!(study.wants(&one), "two more");
        study.start(&mut tasks, &one);
        finish(&mut study, &mut tasks);
        assert_eq!(seeds(&study), [1, 2, 3, 4, 5]);
        study.choice.repeats = 7;
        study.start(&mut tasks, &one);
        study.choice.repeats = 8;
        finish(&mut study, &mut tasks);
        assert_eq!(study.repeats().len(), 7, "a job ends where it was to end");
        assert!(study.wants(&one), "and the rest is another");
        study.start(&mut tasks, &one);
        study.fail();
        assert!(study.progress().is_none() && study.missing(&one), "one that breaks down is over");
        study.choice.repeats = 2;
        assert!(!study.wants(&one));
        assert_eq!(seeds(&study), [1, 2], "those that are there are shown");
    }

    #[test]
    fn another_scenario_or_another_kind_of_measure_begins_again() {
        let (mut study, mut tasks, one, other) = (Study::default(), tasks(), scenario(1, 100), scenario(9, 100));
        study.choice.repeats = 1;
        study.start(&mut tasks, &one);
        finish(&mut study, &mut tasks);
        assert!(study.stale(&other) && study.wants(&other));
        assert_eq!(study.repeats().len(), 1, "the old ones stay until there are new ones");
        study.start(&mut tasks, &other);
        finish(&mut study, &mut tasks);
        assert!(!study.stale(&other) && study.repeats()[0].seed == 9);
        study.choice.spec = *measure("kl").unwrap();
        assert!(!study.missing(&other), "all measures against the truth are taken at once");
        let chosen = *measure("ess_bulk").unwrap();
        study.choice.spec = chosen;
        assert!(study.wants(&other));
        study.compares = true;
        assert!(!study.missing(&other), "what is compared is measured against the truth, whatever is chosen");
        assert_eq!(study.choice.spec, chosen);
        study.compares = false;
        study.start(&mut tasks, &other);
        study.compares = true;
        study.outdate(&other);
        assert!(study.progress().is_none(), "what is not shown is not made");
    }

    #[test]
    fn what_is_broken_off_is_not_begun_again_unasked() {
        let (mut study, mut tasks, one) = (Study::default(), tasks(), scenario(1, 2_000_000));
        study.choice.repeats = 4;
        study.start(&mut tasks, &one);
        study.halt(&one);
        assert!(study.progress().is_none() && study.missing(&one) && !study.wants(&one));
        assert!(study.wants(&scenario(2, 100)), "another scenario is another question");
        // What comes of a job that was ended is nobody's.
        assert_eq!(study.take(1, Err("too late".to_owned())), Ok(()));
        study.start(&mut tasks, &one);
        study.outdate(&scenario(2, 100));
        assert!(study.progress().is_none(), "an edit ends it");
    }

    #[test]
    fn what_takes_long_is_made_when_asked_for() {
        let study = Study::default();
        assert!(study.missing(&scenario(1, 100_000_000)) && !study.wants(&scenario(1, 100_000_000)));
    }
}

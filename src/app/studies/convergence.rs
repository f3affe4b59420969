//! Convergence study: the scenario repeated with further seeds, for the Convergence and Compare tabs.
//!
//! Repeats are computed in the background, one after the other, and each is shown when it is finished. When a parameter changes, those
//! with its earlier value stay, marked as stale, until the first repeat with the present one is finished; those of other runs, of another
//! target or of another scenario are not shown. A job that is dropped ends within one chunk of steps.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use crate::app::tasks::slices::{Job, Slice, Slices};
use crate::app::tasks::{Done, Task, Tasks};
use crate::platform::Instant;
use base::params::{ParamError, Settings};
use draw::plots::identity::Identity;
use draw::study_choice::StudyChoice;
use engine::scenario::{RunSpec, Scenario};
use engine::session::repeats::{Repeat, RepeatRun, Taken};

/// The most positions that are computed without a request: less than a second of work, some seconds with many data.
const UNREQUESTED: u64 = 10_000_000;

/// What repeats are computed for: a scenario, and the measures taken.
type Basis = (Arc<Scenario>, Taken);

/// The convergence study of the window.
#[derive(Debug, Default)]
pub struct ConvergenceStudy {
    /// The measure, its axis and the number of repeats that a person chose.
    pub choice: StudyChoice,
    /// Whether the Compare tab is open: it shows measures against the truth, whatever measure is chosen.
    pub compares: bool,
    /// What the repeats were computed for.
    of: Option<Basis>,
    /// What was shown with them; `None` until a frame of their scenario is shown.
    identity: Option<Identity>,
    repeats: Vec<Repeat>,
    /// Changes with `repeats`.
    version: u64,
    job: Option<Running>,
    /// The scenario whose job a person cancelled, or whose job failed.
    halted: Option<Arc<Scenario>>,
}

/// Repeats that are being made.
#[derive(Debug)]
struct Running {
    job: Job,
    of: Basis,
    /// Number of repeats when the job is finished.
    wanted: u64,
}

impl ConvergenceStudy {
    /// The measures that the open tab needs.
    fn taken(&self) -> Taken {
        if self.compares { Taken::Truth } else { self.choice.taken() }
    }

    /// The finished repeats, at most as many as a person chose, where they are of the scenario of the frame or of an earlier version of
    /// what is shown.
    #[must_use]
    pub fn repeats(&self, scenario: &Arc<Scenario>, shown: &Identity) -> &[Repeat] {
        if self.stale(scenario) && self.identity.as_ref() != Some(shown) {
            return &[];
        }
        let most = usize::try_from(self.choice.repeats).unwrap_or(usize::MAX);
        &self.repeats[..self.repeats.len().min(most)]
    }

    /// A number that changes with the repeats.
    #[must_use]
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Whether the repeats belong to an earlier version of the scenario.
    #[must_use]
    pub fn stale(&self, scenario: &Arc<Scenario>) -> bool {
        self.of.as_ref().is_some_and(|(of, _)| !same(of, scenario))
    }

    /// The finished share of the job, from 0 to 1; `None` without a job.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a share for a progress bar")]
    pub fn progress(&self) -> Option<f32> {
        let job = self.job.as_ref()?;
        let finished = if self.of.as_ref() == Some(&job.of) { self.repeats.len() as f32 } else { 0.0 };
        Some((finished + job.job.share()) / job.wanted as f32)
    }

    /// Whether repeats are missing that should be computed without a request: they are cheap and nobody cancelled them.
    #[must_use]
    pub fn wants(&self, scenario: &Arc<Scenario>) -> bool {
        let halted = self.halted.as_ref().is_some_and(|halted| same(halted, scenario));
        self.missing(scenario) && !halted && self.positions(scenario) <= UNREQUESTED
    }

    /// Whether repeats are missing.
    #[must_use]
    pub fn missing(&self, scenario: &Arc<Scenario>) -> bool {
        let of = (scenario.clone(), self.taken());
        let running = self.job.as_ref().is_some_and(|job| job.is_for(&of));
        let known = self.of.as_ref().is_some_and(|known| known.1 == of.1 && same(&known.0, scenario));
        let enough = known && self.repeats.len() as u64 >= self.choice.repeats;
        !running && !enough
    }

    /// Number of positions in all repeats.
    fn positions(&self, scenario: &Scenario) -> u64 {
        let chains = |settings: &Settings| settings.kind.param("chains").map_or(1, |_| settings.count("chains"));
        let run = |run: &RunSpec| run.settings.count("steps").saturating_mul(chains(&run.settings));
        scenario.runs.iter().map(run).fold(0, u64::saturating_add).saturating_mul(self.choice.repeats)
    }

    /// Starts a job for the missing repeats.
    pub fn start(&mut self, tasks: &mut Tasks, scenario: &Arc<Scenario>) {
        let of = (scenario.clone(), self.taken());
        let first = if self.of.as_ref() == Some(&of) { self.repeats.len() as u64 } else { 0 };
        self.halted = None;
        let (scenario, taken) = of.clone();
        let wanted = self.choice.repeats;
        let job =
            tasks.slices(Task::Repeats, |ticket| Work { ticket, scenario, taken, run: None, number: first, wanted });
        self.job = Some(Running { job, of, wanted });
    }

    /// Cancels the job. While the scenario stays the same, no job starts without a request.
    pub fn halt(&mut self, scenario: &Arc<Scenario>) {
        self.job = None;
        self.halted = Some(scenario.clone());
    }

    /// Notes that the task failed.
    pub fn fail(&mut self) {
        if let Some(of) = self.job.as_ref().map(|job| job.of.0.clone()) {
            self.halt(&of);
        }
    }

    /// Ends a job for another scenario or for other measures.
    pub fn outdate(&mut self, scenario: &Arc<Scenario>) {
        let taken = self.taken();
        self.job.take_if(|job| job.of.1 != taken || !same(&job.of.0, scenario));
    }

    /// Notes what is shown with the scenario of the frame.
    pub fn note(&mut self, scenario: &Arc<Scenario>, shown: &Identity) {
        if self.of.is_some() && !self.stale(scenario) && self.identity.as_ref() != Some(shown) {
            self.identity = Some(shown.clone());
        }
    }

    /// Adds a repeat; ignores one that belongs to an earlier job.
    ///
    /// # Errors
    /// If the scenario of the present job cannot be built; the job is over then.
    pub fn add(&mut self, ticket: u64, repeat: Result<Repeat, Vec<ParamError>>) -> Result<(), Vec<ParamError>> {
        let Some(job) = self.job.as_ref().filter(|running| running.job.ticket == ticket) else { return Ok(()) };
        let of = job.of.clone();
        let repeat = match repeat {
            Ok(repeat) => repeat,
            Err(errors) => {
                self.halt(&of.0);
                return Err(errors);
            }
        };
        let wanted = job.wanted;
        job.job.begin_again();
        if self.of.as_ref() != Some(&of) {
            self.repeats.clear();
            (self.of, self.identity) = (Some(of), None);
        }
        self.repeats.push(repeat);
        self.version += 1;
        if self.repeats.len() as u64 >= wanted {
            self.job = None;
        }
        Ok(())
    }
}

impl Running {
    fn is_for(&self, (scenario, taken): &Basis) -> bool {
        self.of.1 == *taken && same(&self.of.0, scenario)
    }
}

/// A repeat under way until it is complete, with the share of its steps that is taken.
struct Repeating {
    share: Arc<AtomicU32>,
    future: Pin<Box<dyn Future<Output = Repeat> + Send>>,
}

impl Repeating {
    fn new(mut run: RepeatRun) -> Self {
        let share = Arc::<AtomicU32>::default();
        let told = share.clone();
        let future = Box::pin(async move {
            while !run.advance().await {
                told.store(run.share().to_bits(), Ordering::Relaxed);
                between_slices().await;
            }
            run.finish()
        });
        Self { share, future }
    }

    fn share(&self) -> f32 {
        f32::from_bits(self.share.load(Ordering::Relaxed))
    }
}

/// Waits for the next poll.
async fn between_slices() {
    let mut waited = false;
    poll_fn(|_| if std::mem::replace(&mut waited, true) { Poll::Ready(()) } else { Poll::Pending }).await;
}

/// The computation of repeats, one after the other.
struct Work {
    ticket: u64,
    scenario: Arc<Scenario>,
    taken: Taken,
    run: Option<Repeating>,
    /// The present repeat.
    number: u64,
    /// Number of repeats in the end.
    wanted: u64,
}

impl Slices<Done> for Work {
    fn step(&mut self, budget: Duration) -> Slice<Done> {
        if self.number >= self.wanted {
            return Slice::end();
        }
        let (ticket, begun) = (self.ticket, Instant::now());
        let begin = || RepeatRun::new(&self.scenario, self.number, self.taken).map(Repeating::new);
        let mut run = match self.run.take().map_or_else(begin, Ok) {
            Ok(run) => run,
            Err(errors) => return Slice::last(Done::Repeated { ticket, repeat: Err(errors) }),
        };
        loop {
            if let Poll::Ready(repeat) = run.future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
                self.number += 1;
                let done = Some(Done::Repeated { ticket, repeat: Ok(repeat) });
                return Slice { share: 1.0, done, over: self.number >= self.wanted };
            }
            if begun.elapsed() >= budget {
                let share = run.share();
                self.run = Some(run);
                return Slice::after(share);
            }
        }
    }
}

fn same(one: &Arc<Scenario>, other: &Arc<Scenario>) -> bool {
    Arc::ptr_eq(one, other) || one == other
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::time::Duration;

    use super::*;
    use draw::study_choice::measure;
    use engine::scenario::read;
    use engine::session::Session;

    fn scenario(seed: u64, steps: u64) -> Arc<Scenario> {
        let text = format!(
            "format = 1\ntitle = \"x\"\nseed = {seed}\n[target]\nkind = \"gaussian-grid\"\n[[run]]\nname = \"SGLD\"\n\
             method = \"sgld\"\nsteps = {steps}\n"
        );
        Arc::new(read(&text, "test", Path::new(".")).unwrap())
    }

    /// What the window shows of a scenario that was loaded first.
    fn identity(scenario: &Scenario) -> Identity {
        Identity::of(&Session::new(scenario.clone()).unwrap().frame(), 1)
    }

    fn tasks() -> Tasks {
        Tasks::new(egui::Context::default())
    }

    /// Adds repeats until the job is finished.
    fn finish(study: &mut ConvergenceStudy, tasks: &mut Tasks) {
        let begun = Instant::now();
        while study.progress().is_some() {
            assert!(begun.elapsed() < Duration::from_secs(60), "the repeats are not computed");
            for done in tasks.take() {
                let Done::Repeated { ticket, repeat } = done else { panic!("result of another task: {done:?}") };
                study.add(ticket, repeat).unwrap();
            }
        }
    }

    #[test]
    fn only_missing_repeats_are_computed() {
        let (mut study, mut tasks, one) = (ConvergenceStudy::default(), tasks(), scenario(1, 100));
        study.choice.repeats = 3;
        assert!(study.wants(&one) && study.progress().is_none());
        study.start(&mut tasks, &one);
        assert!(!study.missing(&one) && study.progress().is_some());
        finish(&mut study, &mut tasks);
        assert!(!study.missing(&one) && !study.stale(&one));
        let seeds = |study: &ConvergenceStudy| study.repeats.iter().map(|repeat| repeat.seed).collect::<Vec<_>>();
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
        assert_eq!(study.repeats.len(), 7, "a job ends at the number it was started with");
        assert!(study.wants(&one), "the rest needs another job");
        study.start(&mut tasks, &one);
        study.fail();
        assert!(study.progress().is_none() && study.missing(&one), "a failed job is over");
        study.choice.repeats = 2;
        assert!(!study.wants(&one));
        let shown = study.repeats(&one, &identity(&one)).iter().map(|repeat| repeat.seed).collect::<Vec<_>>();
        assert_eq!(shown, [1, 2], "finished repeats are shown");
    }

    #[test]
    fn another_scenario_or_other_measures_need_new_repeats() {
        let (mut study, mut tasks, one, other) =
            (ConvergenceStudy::default(), tasks(), scenario(1, 100), scenario(9, 100));
        study.choice.repeats = 1;
        study.start(&mut tasks, &one);
        finish(&mut study, &mut tasks);
        assert!(study.stale(&other) && study.wants(&other));
        let repeats = |study: &ConvergenceStudy, scenario, shown: &Identity| study.repeats(scenario, shown).len();
        assert_eq!(repeats(&study, &one, &identity(&one)), 1, "those of the scenario itself, whatever is shown");
        let shown = identity(&one);
        study.note(&other, &shown);
        assert_eq!(repeats(&study, &other, &shown), 0, "their scenario was never shown");
        study.note(&one, &shown);
        assert_eq!(repeats(&study, &other, &shown), 1, "old repeats of what is shown stay until there are new ones");
        let later = Identity::of(&Session::new(one.as_ref().clone()).unwrap().frame(), 2);
        assert_eq!(repeats(&study, &other, &later), 0, "those of another scenario, or on another target, do not");
        study.start(&mut tasks, &other);
        finish(&mut study, &mut tasks);
        assert!(!study.stale(&other) && study.repeats[0].seed == 9);
        study.choice.spec = *measure("kl").unwrap();
        assert!(!study.missing(&other), "all measures against the truth are taken together");
        let chosen = *measure("ess_bulk").unwrap();
        study.choice.spec = chosen;
        assert!(study.wants(&other));
        study.compares = true;
        assert!(!study.missing(&other), "the Compare tab needs measures against the truth, whatever is chosen");
        assert_eq!(study.choice.spec, chosen);
        study.compares = false;
        study.start(&mut tasks, &other);
        study.compares = true;
        study.outdate(&other);
        assert!(study.progress().is_none(), "measures that are not shown are not computed");
    }

    #[test]
    fn a_cancelled_job_does_not_start_again_without_a_request() {
        let (mut study, mut tasks, one) = (ConvergenceStudy::default(), tasks(), scenario(1, 2_000_000));
        study.choice.repeats = 4;
        study.start(&mut tasks, &one);
        study.halt(&one);
        assert!(study.progress().is_none() && study.missing(&one) && !study.wants(&one));
        assert!(study.wants(&scenario(2, 100)), "another scenario may start");
        // The result of an ended job is ignored.
        assert_eq!(study.add(1, Err(Vec::new())), Ok(()));
        study.start(&mut tasks, &one);
        study.outdate(&scenario(2, 100));
        assert!(study.progress().is_none(), "an edit ends the job");
    }

    #[test]
    fn expensive_repeats_wait_for_a_request() {
        let study = ConvergenceStudy::default();
        assert!(study.missing(&scenario(1, 100_000_000)) && !study.wants(&scenario(1, 100_000_000)));
    }
}

//! Convergence study: the scenario repeated with further seeds, for the Convergence and Compare tabs.
//!
//! Repeats are computed in the background, one after the other, and each is shown when it is finished. When a parameter changes, those
//! with its earlier value stay, marked as stale, until the first repeat with the present one is finished; those of other runs, of another
//! target or of another scenario are not shown. A job that is dropped ends within one chunk of steps.

use std::sync::Arc;
use std::time::Duration;

use super::news::News;
use super::repeating::Repeating;
use super::study::Study;
use crate::app::tasks::slices::{Job, Slice, Slices};
use crate::app::tasks::{Task, Tasks};
use crate::platform::Instant;
use base::params::{ParamError, Settings};
use draw::kit::identity::Identity;
use draw::views::study_choice::StudyChoice;
use engine::scenario::{RunSpec, Scenario};
use engine::session::repeats::{Repeat, RepeatRun, Taken};

/// The most positions that are computed without a request: less than a second of work, some seconds with many data.
pub(super) const UNREQUESTED: u64 = 10_000_000;

/// What repeats are computed for: a scenario, and the measures taken.
type Basis = (Arc<Scenario>, Taken);

/// The convergence study of the window.
#[derive(Debug, Default)]
pub struct ConvergenceStudy {
    /// The measure, its axis and the number of repeats that a person chose.
    pub choice: StudyChoice,
    /// Whether the Compare tab is open: it shows measures against the truth, whatever measure is chosen.
    pub compares: bool,
    study: Study<Basis, Repeats>,
    /// Changes with the repeats.
    version: u64,
    /// Number of repeats when the job is finished.
    wanted: u64,
    /// The scenario whose job a person cancelled, or whose job failed.
    halted: Option<Arc<Scenario>>,
}

/// Finished repeats.
#[derive(Debug, Default)]
struct Repeats {
    all: Vec<Repeat>,
    /// What was shown with them; `None` until a frame of their scenario is shown.
    identity: Option<Identity>,
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
        let Repeats { all, identity } = self.study.results();
        if self.stale(scenario) && identity.as_ref() != Some(shown) {
            return &[];
        }
        let most = usize::try_from(self.choice.repeats).unwrap_or(usize::MAX);
        &all[..all.len().min(most)]
    }

    /// A number that changes with the repeats.
    #[must_use]
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Whether the repeats belong to an earlier version of the scenario.
    #[must_use]
    pub fn stale(&self, scenario: &Arc<Scenario>) -> bool {
        self.study.of().is_some_and(|(of, _)| !same(of, scenario))
    }

    /// The finished share of the job, from 0 to 1; `None` without a job.
    #[must_use]
    pub fn progress(&self) -> Option<f32> {
        let finished = self.finished(self.study.running()?) as f32;
        Some((finished + self.study.job()?.share()) / self.wanted as f32)
    }

    /// The number of finished repeats of what is or will be computed.
    fn finished(&self, of: &Basis) -> u64 {
        if self.study.of() == Some(of) { self.study.results().all.len() as u64 } else { 0 }
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
        let is_wanted = |(of, taken): &Basis| *taken == self.taken() && same(of, scenario);
        let running = self.study.running().is_some_and(is_wanted);
        let enough =
            self.study.of().is_some_and(is_wanted) && self.study.results().all.len() as u64 >= self.choice.repeats;
        !running && !enough
    }

    /// Number of positions in all repeats.
    fn positions(&self, scenario: &Scenario) -> u64 {
        positions(scenario).saturating_mul(self.choice.repeats)
    }

    /// Starts a job for the missing repeats.
    pub fn start(&mut self, tasks: &mut Tasks, scenario: &Arc<Scenario>) {
        let of = (scenario.clone(), self.taken());
        (self.halted, self.wanted) = (None, self.choice.repeats);
        let (number, (scenario, taken)) = (self.finished(&of), of.clone());
        let work = Work { scenario, taken, run: None, number, wanted: self.wanted };
        self.study.begin(tasks, Task::Repeats, of, work);
    }

    /// Cancels the job. While the scenario stays the same, no job starts without a request.
    pub fn halt(&mut self, scenario: &Arc<Scenario>) {
        self.study.end();
        self.halted = Some(scenario.clone());
    }

    /// Notes that the task failed.
    pub fn fail(&mut self) {
        if let Some((of, _)) = self.study.running().cloned() {
            self.halt(&of);
        }
    }

    /// Ends a job for another scenario or for other measures.
    pub fn outdate(&mut self, scenario: &Arc<Scenario>) {
        let taken = self.taken();
        self.study.end_unless(|of| of.1 == taken && same(&of.0, scenario));
    }

    /// Notes what is shown with the scenario of the frame.
    pub fn note(&mut self, scenario: &Arc<Scenario>, shown: &Identity) {
        if self.study.of().is_some() && !self.stale(scenario) {
            let identity = &mut self.study.results_mut().identity;
            if identity.as_ref() != Some(shown) {
                *identity = Some(shown.clone());
            }
        }
    }

    /// Adds a repeat; ignores one that belongs to an earlier job.
    ///
    /// # Errors
    /// If the scenario of the present job cannot be built; the job is over then.
    pub fn add(&mut self, ticket: u64, repeat: Result<Repeat, Vec<ParamError>>) -> Result<(), Vec<ParamError>> {
        let (of, wanted) = (self.study.running().cloned(), self.wanted);
        let taken = self.study.add(ticket, repeat, |repeats, repeat| {
            repeats.all.push(repeat);
            repeats.all.len() as u64 >= wanted
        });
        if taken.inspect_err(|_| self.halted = of.map(|(scenario, _)| scenario))? {
            self.version += 1;
            self.study.job().into_iter().for_each(Job::begin_again);
        }
        Ok(())
    }
}

/// The computation of repeats, one after the other.
struct Work {
    scenario: Arc<Scenario>,
    taken: Taken,
    run: Option<Repeating>,
    /// The present repeat.
    number: u64,
    /// Number of repeats in the end.
    wanted: u64,
}

impl Slices<News> for Work {
    fn step(&mut self, budget: Duration) -> Slice<News> {
        if self.number >= self.wanted {
            return Slice::end();
        }
        let begun = Instant::now();
        let begin = || RepeatRun::new(&self.scenario, self.number, self.taken).map(Repeating::new);
        let mut run = match self.run.take().map_or_else(begin, Ok) {
            Ok(run) => run,
            Err(errors) => return Slice::last(News::Repeat(Err(errors))),
        };
        match run.go_on(begun, budget) {
            Some(repeat) => {
                self.number += 1;
                let done = Some(News::Repeat(Ok(repeat)));
                Slice { share: 1.0, done, over: self.number >= self.wanted }
            }
            None => {
                let share = run.share();
                self.run = Some(run);
                Slice::after(share)
            }
        }
    }
}

/// Number of positions in all runs of a scenario.
pub(super) fn positions(scenario: &Scenario) -> u64 {
    let chains = |settings: &Settings| settings.kind.param("chains").map_or(1, |_| settings.count("chains"));
    let run = |run: &RunSpec| run.settings.count("steps").saturating_mul(chains(&run.settings));
    scenario.runs.iter().map(run).fold(0, u64::saturating_add)
}

fn same(one: &Arc<Scenario>, other: &Arc<Scenario>) -> bool {
    Arc::ptr_eq(one, other) || one == other || one.differs_in_view(other)
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::time::Duration;

    use super::*;
    use crate::app::tasks::Done;
    use draw::views::study_choice::measure;
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
            assert!(begun.elapsed() < Duration::from_secs(300), "the repeats are not computed");
            for done in tasks.take() {
                let Done::Studied { ticket, news: News::Repeat(repeat) } = done else {
                    panic!("result of another task: {done:?}")
                };
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
        let seeds =
            |study: &ConvergenceStudy| study.study.results().all.iter().map(|repeat| repeat.seed).collect::<Vec<_>>();
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
        assert_eq!(study.study.results().all.len(), 7, "a job ends at the number it was started with");
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
        assert!(!study.stale(&other) && study.study.results().all[0].seed == 9);
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

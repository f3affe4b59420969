//! How the main measure of a kept trial went along its runs: the trial is run again beside the window and measured on the way, for the
//! sparklines of the notebook. One trial at a time, the newest first; what would take long is left out.

use std::sync::Arc;
use std::time::Duration;

use super::convergence::{UNREQUESTED, positions};
use super::news::News;
use super::repeating::Repeating;
use super::study::Study;
use crate::app::tasks::slices::{Slice, Slices};
use crate::app::tasks::{Task, Tasks};
use crate::app::trials::Notebook;
use crate::app::trials::trial::{Along, Trial};
use crate::platform::Instant;
use draw::views::study_choice::{StudyChoice, measure};
use engine::scenario::{Scenario, read};
use engine::session::repeats::{Repeat, RepeatRun, Stop};

/// A trial by its number, and the key of the measure.
type Wanted = (u64, String);

/// The jobs that run trials again.
#[derive(Debug, Default)]
pub struct AlongStudy {
    study: Study<Wanted, Option<Along>>,
    /// What was computed, whether it has values or not: nothing is computed twice.
    known: Vec<Wanted>,
}

/// The key of the measure whose course a trial shows: the first of those that are shown, of which a course can be computed.
#[must_use]
pub fn main_measure<'a>(trial: &'a Trial, chosen: Option<&'a [String]>) -> Option<&'a str> {
    let can_be_computed =
        |key: &&String| measure(key).is_some() && trial.runs.iter().any(|run| run.measure(key).is_some());
    chosen.unwrap_or(&trial.leading).iter().find(can_be_computed).map(String::as_str)
}

impl AlongStudy {
    /// Puts what was computed into the notebook, and begins with the next trial that has no course yet.
    pub fn follow(&mut self, tasks: &mut Tasks, notebook: &mut Notebook) {
        if let (Some((number, _)), Some(along)) = (self.study.of().cloned(), self.study.results_mut().take()) {
            notebook.note_along(number, along);
        }
        if self.study.job().is_some() {
            return;
        }
        let wanted = |trial: &&Arc<Trial>| {
            let key = main_measure(trial, notebook.chosen());
            let has = trial.along.as_ref().map(|along| along.key.as_str());
            key.is_some_and(|key| {
                has != Some(key) && !self.known.iter().any(|(number, known)| *number == trial.number && known == key)
            })
        };
        let Some(trial) = notebook.all().iter().rev().find(wanted).cloned() else { return };
        let Some(key) = main_measure(&trial, notebook.chosen()).map(str::to_owned) else { return };
        self.known.push((trial.number, key.clone()));
        let work = Work { trial: trial.clone(), key: key.clone(), run: None };
        self.study.begin(tasks, Task::Along, (trial.number, key), work);
    }

    /// Takes what a job has computed.
    pub fn add(&mut self, ticket: u64, along: Along) {
        let taken = self.study.add(ticket, Ok::<_, ()>(along), |found, along| {
            *found = Some(along);
            true
        });
        debug_assert!(taken.is_ok());
    }

    /// Notes that the task failed.
    pub fn fail(&mut self) {
        self.study.end();
    }
}

/// A trial that is run again.
struct Work {
    trial: Arc<Trial>,
    key: String,
    run: Option<Repeating>,
}

impl Work {
    /// Begins, unless the scenario is none any more or would take long.
    fn begin(&self) -> Option<Repeating> {
        let scenario = read(&self.trial.scenario, "trial", &self.trial.folder).ok()?;
        let choice = StudyChoice { spec: *measure(&self.key)?, ..StudyChoice::default() };
        (positions(&scenario) <= UNREQUESTED).then_some(())?;
        // The first repeat of the seed before is this run, without what as many exact draws score: that takes by far the longest.
        let before = Scenario { seed: scenario.seed.wrapping_sub(1), ..scenario };
        RepeatRun::new(&before, 1, choice.taken()).ok().map(Repeating::new)
    }

    fn nothing(&self) -> Slice<News> {
        Slice::last(News::Along(Along { key: self.key.clone(), runs: Vec::new() }))
    }
}

impl Slices<News> for Work {
    fn step(&mut self, budget: Duration) -> Slice<News> {
        let begun = Instant::now();
        let Some(mut run) = self.run.take().or_else(|| self.begin()) else { return self.nothing() };
        match run.go_on(begun, budget) {
            Some(repeat) => Slice::last(News::Along(along(&self.key, &repeat, self.trial.step))),
            None => {
                let share = run.share();
                self.run = Some(run);
                Slice::after(share)
            }
        }
    }
}

/// The values of a measure up to a step.
fn along(key: &str, repeat: &Repeat, step: u64) -> Along {
    let value = |stop: &Stop| {
        let value = stop.measures.iter().find(|measure| measure.key == key)?.value?;
        value.is_finite().then_some([stop.step as f64, value])
    };
    let of_run = |stops: &Vec<Stop>| stops.iter().filter(|stop| stop.step <= step).filter_map(value).collect();
    Along { key: key.to_owned(), runs: repeat.runs.iter().map(of_run).collect() }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::app::tasks::Done;
    use crate::app::trials::trial::Source;
    use draw::readout::Table;
    use engine::session::{Command, Session};

    const TEXT: &str = "format = 1\ntitle = \"A\"\n[target]\nkind = \"gaussian\"\n[[run]]\nname = \"A\"\nmethod = \"sgld\"\nsteps = 300\n";

    #[test]
    fn the_course_of_a_trial_ends_at_its_step_with_its_value() {
        let mut session = Session::new(read(TEXT, "test", Path::new(".")).unwrap()).unwrap();
        session.apply(Command::Seek(200)).unwrap();
        session.measure_exactly();
        let frame = session.frame();
        let (table, leading) = (Table::of(&frame), ["draws".to_owned(), "tv".to_owned()]);
        let mut notebook = Notebook::default();
        let source = Source {
            frame: &frame,
            scenario: &frame.scenario,
            table: &table,
            leading: &leading,
            names_target: true,
            hides_truth: false,
        };
        notebook.keep(source).unwrap();
        let (mut study, mut tasks) = (AlongStudy::default(), Tasks::new(egui::Context::default()));
        let begun = Instant::now();
        while notebook.all()[0].along.is_none() {
            assert!(begun.elapsed() < Duration::from_secs(300), "the trial is not run again");
            study.follow(&mut tasks, &mut notebook);
            std::thread::sleep(Duration::from_millis(2));
            for done in tasks.take() {
                let Done::Studied { ticket, news: News::Along(along) } = done else { panic!("{done:?}") };
                study.add(ticket, along);
            }
        }
        let along = notebook.all()[0].along.clone().unwrap();
        assert_eq!((along.key.as_str(), along.runs.len()), ("tv", 1), "draws have no course");
        let mut other = Session::new(read(TEXT, "test", Path::new(".")).unwrap()).unwrap();
        let [step, value] = *along.runs[0].last().unwrap();
        #[expect(clippy::cast_sign_loss, reason = "a step")]
        other.apply(Command::Seek(step as u64)).unwrap();
        other.measure();
        let there = other.frame().runs[0].measures.iter().find(|measure| measure.key == "tv").unwrap().value;
        assert_eq!(there.map(f64::to_bits), Some(value.to_bits()), "of the same seed");
        assert!(along.runs[0].len() > 8 && along.runs[0].iter().all(|point| point[0] <= 200.0));
        study.follow(&mut tasks, &mut notebook);
        assert!(study.study.job().is_none(), "nothing is computed twice");
    }
}

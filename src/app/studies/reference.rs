//! Reference of the window: the posterior of functions of the target that is shown, by a long HMC run in the background.
//!
//! Once a person has asked for it, it follows the target: when the target changes, the work for the earlier one ends and
//! that for the new one begins. The session keeps what was computed, and shows it in the frames of its target.

use std::sync::Arc;
use std::time::Duration;

use super::news::News;
use super::study::Study;
use crate::app::tasks::slices::{Job, Slice, Slices};
use crate::app::tasks::{Task, Tasks};
use crate::platform::Instant;
use engine::diagnostics::hmc_reference::{Reference, ReferenceRun};
use engine::session::{Frame, ReferenceKey, has_reference, reference_run};
use engine::worker::Order;
use models::targets::Target;

/// Draws of every chain at the first report.
const FIRST_REPORT: u64 = 100;

/// How many times as many draws each later report has: R̂ takes a while to compute.
const NEXT_REPORT: f64 = 1.4;

/// The reference that is being computed.
#[derive(Debug, Default)]
pub struct ReferenceStudy {
    /// Whether a person wants references.
    wanted: bool,
    /// The session has the results.
    study: Study<ReferenceKey, ()>,
    /// What the last job was for, once it is over.
    finished: Option<ReferenceKey>,
}

impl ReferenceStudy {
    /// The share that is done, from 0 to 1; `None` while nothing is computed.
    #[must_use]
    pub fn progress(&self) -> Option<f32> {
        self.study.job().map(Job::share)
    }

    /// Whether the reference of a frame is missing and not being computed.
    #[must_use]
    pub fn missing(&self, frame: &Frame) -> bool {
        let complete = frame.reference.as_ref().is_some_and(|reference| reference.complete());
        has_reference(frame.target.as_ref()) && self.study.job().is_none() && !complete
    }

    /// Wants references from now on.
    pub fn ask(&mut self) {
        (self.wanted, self.finished) = (true, None);
    }

    /// Wants no references any more. Draws that are there stay.
    pub fn halt(&mut self) {
        self.wanted = false;
        self.study.end();
    }

    /// Ends work for another target than that of the frame, and begins what is wanted.
    pub fn follow(&mut self, tasks: &mut Tasks, frame: &Frame) {
        let is_of = |key: &ReferenceKey| key.is_of(&frame.scenario, frame.step);
        self.study.end_unless(is_of);
        if self.wanted && self.missing(frame) && !self.finished.as_ref().is_some_and(is_of) {
            let work = Work { target: frame.target.clone(), run: None, report: FIRST_REPORT };
            self.study.begin(tasks, Task::Reference, ReferenceKey::of(&frame.scenario, frame.step), work);
        }
    }

    /// Takes in a reference as far as it is, and returns the order that shows it; ignores one of an earlier job.
    ///
    /// # Errors
    /// If the target has no reference, in a few words.
    pub fn add(
        &mut self,
        ticket: u64,
        reference: Result<Arc<Reference>, &'static str>,
    ) -> Result<Option<Order>, &'static str> {
        let (key, mut shown) = (self.study.running().cloned(), None);
        let added = self.study.add(ticket, reference, |(), reference| {
            let over = reference.complete();
            shown = Some(reference);
            over
        });
        added.inspect_err(|_| self.halt())?;
        Ok(key.zip(shown).map(|(key, reference)| {
            if reference.complete() {
                self.finished = Some(key.clone());
            }
            Order::Reference(key, reference)
        }))
    }
}

/// The computation of a reference.
struct Work {
    target: Arc<Target>,
    run: Option<ReferenceRun>,
    /// Draws of every chain at the next report.
    report: u64,
}

impl Slices<News> for Work {
    fn step(&mut self, budget: Duration) -> Slice<News> {
        let begun = Instant::now();
        let failed = |reason| Slice::last(News::Reference(Err(reason)));
        let Some(behind) = self.target.in_vectors() else { return failed("the target is no model") };
        let run = match self.run.take().map_or_else(|| reference_run(self.target.as_ref()), Ok) {
            Ok(run) => self.run.insert(run),
            Err(reason) => return failed(reason),
        };
        while !run.finished() && begun.elapsed() < budget {
            run.advance(behind.model.as_ref(), 1);
        }
        let over = run.finished();
        let (made, all) = run.made();
        let report = over || run.draws() >= self.report;
        if report {
            self.report = next_report(run.draws());
        }
        let done = report.then(|| News::Reference(Ok(Arc::new(run.reference()))));
        Slice { share: made as f32 / all.max(1) as f32, done, over }
    }
}

#[expect(clippy::cast_sign_loss, reason = "a number of draws")]
fn next_report(draws: u64) -> u64 {
    (draws as f64 * NEXT_REPORT) as u64 + 1
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::app::tasks::Done;
    use engine::scenario::read;
    use engine::session::Session;

    fn session(hidden: u32) -> Session {
        let text = format!(
            "format = 1\ntitle = \"x\"\nseed = 3\n[target]\nkind = \"network\"\nhidden = {hidden}\n\
             [[run]]\nname = \"A\"\nmethod = \"sgld\"\nsteps = 100\n"
        );
        Session::new(read(&text, "x", Path::new("")).unwrap()).unwrap()
    }

    /// Takes results in until there has been one, or no job is left.
    fn heard(study: &mut ReferenceStudy, tasks: &mut Tasks, session: &mut Session) {
        let begun = Instant::now();
        while study.study.job().is_some() {
            assert!(begun.elapsed() < Duration::from_secs(300), "no reference is computed");
            for done in tasks.take() {
                let Done::Studied { ticket, news: News::Reference(reference) } = done else {
                    panic!("another task: {done:?}")
                };
                if let Some(Order::Reference(key, reference)) = study.add(ticket, reference).unwrap() {
                    session.set_reference(key, reference);
                    return;
                }
            }
        }
    }

    #[test]
    fn a_reference_grows_follows_the_target_and_ends_when_it_is_not_wanted() {
        let (mut study, mut tasks) = (ReferenceStudy::default(), Tasks::new(egui::Context::default()));
        let (mut one, mut other) = (session(1), session(2));
        study.follow(&mut tasks, &one.frame());
        assert!(study.progress().is_none() && study.missing(&one.frame()), "nobody has asked");
        study.ask();
        study.follow(&mut tasks, &one.frame());
        let job = |study: &ReferenceStudy| study.study.job().map(|job| job.ticket);
        let first = job(&study).unwrap();
        heard(&mut study, &mut tasks, &mut one);
        let some = one.frame().reference.unwrap();
        assert!(some.draws >= FIRST_REPORT && !some.complete());
        study.follow(&mut tasks, &one.frame());
        assert_eq!(job(&study), Some(first), "the work goes on");
        study.follow(&mut tasks, &other.frame());
        assert!(job(&study).is_some_and(|ticket| ticket != first), "another target, another job");
        assert_eq!(study.add(first, Ok(some)).map(|order| order.is_some()), Ok(false));
        heard(&mut study, &mut tasks, &mut other);
        assert!(other.frame().reference.is_some());
        study.halt();
        study.follow(&mut tasks, &other.frame());
        assert!(study.progress().is_none() && study.missing(&other.frame()));
    }

    #[test]
    fn reports_become_rarer_and_the_last_is_complete() {
        let target = session(1).frame().target;
        let mut work = Work { target, run: None, report: FIRST_REPORT };
        let mut draws = Vec::new();
        loop {
            let slice = work.step(Duration::from_millis(1));
            if let Some(News::Reference(reference)) = slice.done {
                let reference = reference.unwrap();
                draws.push(reference.draws);
                assert_eq!(reference.complete(), slice.over);
            }
            assert!((0.0..=1.0).contains(&slice.share));
            if slice.over {
                break;
            }
        }
        assert!(draws.windows(2).all(|pair| pair[0] < pair[1]) && (5..16).contains(&draws.len()), "{draws:?}");
    }
}

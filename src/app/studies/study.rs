//! What all studies have in common: results so far with what they are of, and the job that computes more of them.
//!
//! A job is begun for a key: a scenario, a run, a target. Results of another key stay until the first one of the new key comes. What an earlier
//! job still sends is ignored, by the number of the job. A job that is dropped ends its work.

use std::time::Duration;

use super::news::News;
use crate::app::tasks::slices::{Job, Slice, Slices};
use crate::app::tasks::{Done, Task, Tasks};

/// Results of type `R` of what a key says, and the job that is under way.
#[derive(Debug)]
pub struct Study<K, R> {
    of: Option<K>,
    results: R,
    running: Option<(Job, K)>,
}

impl<K, R: Default> Default for Study<K, R> {
    fn default() -> Self {
        Self { of: None, results: R::default(), running: None }
    }
}

impl<K: Clone + PartialEq, R: Default> Study<K, R> {
    /// What the results are of; `None` before the first.
    #[must_use]
    pub fn of(&self) -> Option<&K> {
        self.of.as_ref()
    }

    /// The results so far.
    #[must_use]
    pub fn results(&self) -> &R {
        &self.results
    }

    /// The results so far, to be changed.
    pub fn results_mut(&mut self) -> &mut R {
        &mut self.results
    }

    /// The job that is under way.
    #[must_use]
    pub fn job(&self) -> Option<&Job> {
        self.running.as_ref().map(|(job, _)| job)
    }

    /// What is being computed.
    #[must_use]
    pub fn running(&self) -> Option<&K> {
        self.running.as_ref().map(|(_, key)| key)
    }

    /// Begins a job; the one before ends.
    pub fn begin(&mut self, tasks: &mut Tasks, task: Task, key: K, work: impl Slices<News> + 'static) {
        self.running = Some((tasks.slices(task, |ticket| Ticketed { ticket, work }), key));
    }

    /// Ends the job; the results stay.
    pub fn end(&mut self) {
        self.running = None;
    }

    /// Ends the job unless it computes what is wanted.
    pub fn end_unless(&mut self, is_wanted: impl FnOnce(&K) -> bool) {
        self.running.take_if(|(_, key)| !is_wanted(key));
    }

    /// Has `add` take news of the job into the results; it returns whether the job is over. Returns whether the news were taken: those of an
    /// earlier job are not.
    ///
    /// # Errors
    /// That of the job, which is over then.
    pub fn add<T, E>(
        &mut self,
        ticket: u64,
        news: Result<T, E>,
        add: impl FnOnce(&mut R, T) -> bool,
    ) -> Result<bool, E> {
        let Some((job, key)) = self.running.take_if(|(job, _)| job.ticket == ticket) else { return Ok(false) };
        let news = news?;
        if self.of.as_ref() != Some(&key) {
            (self.of, self.results) = (Some(key.clone()), R::default());
        }
        let over = add(&mut self.results, news);
        self.running = (!over).then_some((job, key));
        Ok(true)
    }
}

/// The work of a study, with the number of its job on all that it tells.
struct Ticketed<W> {
    ticket: u64,
    work: W,
}

impl<W: Slices<News>> Slices<Done> for Ticketed<W> {
    fn step(&mut self, budget: Duration) -> Slice<Done> {
        let Slice { share, done, over } = self.work.step(budget);
        let ticket = self.ticket;
        Slice { share, done: done.map(|news| Done::Studied { ticket, news }), over }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Work without an end, which tells nothing.
    struct Idle;

    impl Slices<News> for Idle {
        fn step(&mut self, _budget: Duration) -> Slice<News> {
            Slice::after(0.5)
        }
    }

    #[test]
    fn results_stay_until_the_first_of_another_key_and_earlier_jobs_are_ignored() {
        let mut tasks = Tasks::new(egui::Context::default());
        let mut study: Study<&str, Vec<u8>> = Study::default();
        let push = |all: &mut Vec<u8>, new: u8| {
            all.push(new);
            all.len() == 2
        };
        let add = |study: &mut Study<&str, Vec<u8>>, ticket, new| study.add(ticket, Ok::<u8, ()>(new), push);
        study.begin(&mut tasks, Task::Sweep, "one", Idle);
        let first = study.job().unwrap().ticket;
        assert_eq!((study.of(), study.running()), (None, Some(&"one")));
        assert_eq!(add(&mut study, first, 1), Ok(true));
        study.begin(&mut tasks, Task::Sweep, "other", Idle);
        let second = study.job().unwrap().ticket;
        assert_eq!(add(&mut study, first, 2), Ok(false), "an earlier job");
        assert_eq!((study.of(), &study.results()[..]), (Some(&"one"), &[1][..]));
        assert_eq!(add(&mut study, second, 3), Ok(true));
        assert_eq!((study.of(), &study.results()[..]), (Some(&"other"), &[3][..]));
        assert_eq!(add(&mut study, second, 4), Ok(true));
        assert!(study.job().is_none(), "the job is over");
        study.begin(&mut tasks, Task::Sweep, "other", Idle);
        study.end_unless(|key| *key == "other");
        let third = study.job().unwrap().ticket;
        assert_eq!(study.add(third, Err::<u8, _>("broken"), push), Err("broken"));
        assert!(study.job().is_none() && study.results().len() == 2, "results stay when a job fails");
    }
}

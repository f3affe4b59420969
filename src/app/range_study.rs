//! Range test of the window: its points as they come, and the task that computes them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::tasks::{Done, Task, Tasks};
use crate::params::ParamError;
use crate::scenario::Scenario;
use crate::session::range_test::{POINTS, RangePoint, RangeTest};

/// The range test that is shown.
#[derive(Debug, Default)]
pub struct RangeStudy {
    /// The name of its run.
    of: Option<String>,
    points: Vec<RangePoint>,
    job: Option<Job>,
    tickets: u64,
}

/// A running job, which ends when it is dropped.
#[derive(Debug)]
struct Job {
    ticket: u64,
    end: Arc<AtomicBool>,
}

impl Drop for Job {
    fn drop(&mut self) {
        self.end.store(true, Ordering::Relaxed);
    }
}

impl RangeStudy {
    /// The name of the run and the points computed so far; `None` if no range test is shown.
    #[must_use]
    pub fn shown(&self) -> Option<(&str, &[RangePoint])> {
        self.of.as_deref().map(|of| (of, &self.points[..]))
    }

    /// Whether points are being computed.
    #[must_use]
    pub fn running(&self) -> bool {
        self.job.is_some()
    }

    /// Starts a range test of run number `run` around the step size `centre`, on the target of step `step`.
    pub fn start(&mut self, tasks: &mut Tasks, scenario: &Arc<Scenario>, run: usize, step: u64, centre: f64) {
        let Some(spec) = scenario.runs.get(run) else { return };
        self.close();
        self.of = Some(spec.name.clone());
        self.tickets += 1;
        let (end, ticket) = (Arc::<AtomicBool>::default(), self.tickets);
        self.job = Some(Job { ticket, end: end.clone() });
        let scenario = scenario.clone();
        let mut test = None;
        tasks.stream(Task::RangeTest, move |round| {
            let number = round as u64;
            if number >= POINTS || end.load(Ordering::Relaxed) {
                return None;
            }
            let point = match test.take().map_or_else(|| RangeTest::new(&scenario, run, step, centre), Ok) {
                Ok(ready) => test.insert(ready).point(number),
                Err(errors) => Err(errors),
            };
            if point.is_err() {
                end.store(true, Ordering::Relaxed);
            }
            Some(Done::Ranged { ticket, point })
        });
    }

    /// Adds a point; ignores one of an earlier job.
    ///
    /// # Errors
    /// If the runs cannot be built; the range test is over then.
    pub fn add(&mut self, ticket: u64, point: Result<RangePoint, Vec<ParamError>>) -> Result<(), Vec<ParamError>> {
        if self.job.as_ref().is_none_or(|job| job.ticket != ticket) {
            return Ok(());
        }
        match point {
            Ok(point) => self.points.push(point),
            Err(errors) => {
                self.close();
                return Err(errors);
            }
        }
        if self.points.len() as u64 >= POINTS {
            self.job = None;
        }
        Ok(())
    }

    /// Ends the range test and removes its points.
    pub fn close(&mut self) {
        self.job = None;
        self.of = None;
        self.points.clear();
    }
}

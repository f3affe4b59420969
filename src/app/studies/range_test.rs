//! Range test of the window: its points as they come, and the task that computes them.

use std::sync::Arc;
use std::time::Duration;

use crate::app::tasks::slices::{Job, Slice, Slices};
use crate::app::tasks::{Done, Task, Tasks};
use base::params::ParamError;
use engine::scenario::Scenario;
use engine::session::range_test::{POINTS, RangePoint, RangeTest};

/// The range test that is shown.
#[derive(Debug, Default)]
pub struct RangeStudy {
    /// The name of its run.
    of: Option<String>,
    points: Vec<RangePoint>,
    job: Option<Job>,
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
        let work = |ticket| Work { ticket, scenario: scenario.clone(), run, step, centre, test: None, number: 0 };
        self.job = Some(tasks.slices(Task::RangeTest, work));
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

/// The computation of a range test, a point in every slice.
struct Work {
    ticket: u64,
    scenario: Arc<Scenario>,
    run: usize,
    step: u64,
    centre: f64,
    test: Option<RangeTest>,
    /// The next point.
    number: u64,
}

impl Slices<Done> for Work {
    #[expect(clippy::cast_precision_loss, reason = "a share of a few points")]
    fn step(&mut self, _budget: Duration) -> Slice<Done> {
        let test = self.test.take();
        let test = test.map_or_else(|| RangeTest::new(&self.scenario, self.run, self.step, self.centre), Ok);
        let point = test.and_then(|test| self.test.insert(test).point(self.number));
        self.number += 1;
        let over = point.is_err() || self.number >= POINTS;
        let done = Some(Done::Ranged { ticket: self.ticket, point });
        Slice { share: self.number as f32 / POINTS as f32, done, over }
    }
}

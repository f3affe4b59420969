//! Range test of the window: its points as they come, and the task that computes them.

use std::sync::Arc;
use std::time::Duration;

use super::news::News;
use super::study::Study;
use crate::app::tasks::slices::{Slice, Slices};
use crate::app::tasks::{Task, Tasks};
use base::params::ParamError;
use engine::scenario::Scenario;
use engine::session::range_test::{POINTS, RangePoint, RangeTest};

/// The range test that is shown: the points of the run with a name.
#[derive(Debug, Default)]
pub struct RangeStudy(Study<String, Vec<RangePoint>>);

impl RangeStudy {
    /// The name of the run and the points computed so far; `None` if no range test is shown.
    #[must_use]
    pub fn shown(&self) -> Option<(&str, &[RangePoint])> {
        self.0.of().or(self.0.running()).map(|of| (of.as_str(), &self.0.results()[..]))
    }

    /// Whether points are being computed.
    #[must_use]
    pub fn running(&self) -> bool {
        self.0.running().is_some()
    }

    /// Starts a range test of run number `run` around the step size `centre`, on the target of step `step`.
    pub fn start(&mut self, tasks: &mut Tasks, scenario: &Arc<Scenario>, run: usize, step: u64, centre: f64) {
        let Some(spec) = scenario.runs.get(run) else { return };
        self.close();
        let work = Work { scenario: scenario.clone(), run, step, centre, test: None, number: 0 };
        self.0.begin(tasks, Task::RangeTest, spec.name.clone(), work);
    }

    /// Adds a point; ignores one of an earlier job.
    ///
    /// # Errors
    /// If the runs cannot be built; the range test is over then.
    pub fn add(&mut self, ticket: u64, point: Result<RangePoint, Vec<ParamError>>) -> Result<(), Vec<ParamError>> {
        let added = self.0.add(ticket, point, |points, point| {
            points.push(point);
            points.len() as u64 >= POINTS
        });
        added.map(drop).inspect_err(|_| self.close())
    }

    /// Ends the range test and removes its points.
    pub fn close(&mut self) {
        self.0 = Study::default();
    }
}

/// The computation of a range test, a point in every slice.
struct Work {
    scenario: Arc<Scenario>,
    run: usize,
    step: u64,
    centre: f64,
    test: Option<RangeTest>,
    /// The next point.
    number: u64,
}

impl Slices<News> for Work {
    fn step(&mut self, _budget: Duration) -> Slice<News> {
        let test = self.test.take();
        let test = test.map_or_else(|| RangeTest::new(&self.scenario, self.run, self.step, self.centre), Ok);
        let point = test.and_then(|test| self.test.insert(test).point(self.number));
        self.number += 1;
        let over = point.is_err() || self.number >= POINTS;
        let done = Some(News::Point(point));
        Slice { share: self.number as f32 / POINTS as f32, done, over }
    }
}

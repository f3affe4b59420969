//! Sweep of the window: its cells as they come, and the task that computes them.

use std::sync::Arc;
use std::time::Duration;

use rayon::prelude::{IntoParallelIterator, ParallelIterator};

use super::slices::{Job, Slice, Slices};
use super::tasks::{Done, Task, Tasks};
use crate::draw::sheet::Swept;
use crate::params::{ParamError, Value};
use crate::platform::ONE_THREAD;
use crate::scenario::Scenario;
use crate::session::sweep::{Cell, SweepPlan, front_of};

/// The sweep that is shown.
#[derive(Debug, Default)]
pub struct SweepStudy {
    /// The scenario as it was when the sweep was started.
    of: Option<Arc<Scenario>>,
    plan: Option<Arc<SweepPlan>>,
    /// In ascending order of their numbers, without gaps.
    cells: Vec<Cell>,
    front: Vec<usize>,
    job: Option<Job>,
}

/// News of a sweep: the plan, and then some cells.
#[derive(Debug)]
pub enum SweepNews {
    /// The sweep is ready to be computed.
    Plan(Arc<SweepPlan>),
    /// The next cells.
    Cells(Vec<Cell>),
}

impl SweepStudy {
    /// The sweep and its cells, as far as they are those of `scenario`.
    #[must_use]
    pub fn shown(&self, scenario: &Scenario) -> Option<(&SweepPlan, &[Cell], &[usize])> {
        if !self.is_of(scenario) {
            return None;
        }
        Some((self.plan.as_deref()?, &self.cells, &self.front))
    }

    /// The same for a figure.
    #[must_use]
    pub fn swept(&self, scenario: &Scenario) -> Option<Swept> {
        let (_, cells, front) = self.shown(scenario)?;
        Some(Swept { plan: self.plan.clone()?, cells: cells.to_vec(), front: front.to_vec() })
    }

    /// The share of the cells that is computed; `None` while none are being computed.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a share for a bar")]
    pub fn progress(&self) -> Option<f32> {
        let count = self.plan.as_ref().map_or(1, |plan| plan.cells());
        self.job.as_ref().map(|_| self.cells.len() as f32 / count as f32)
    }

    /// Whether cells of this scenario are missing and not being computed.
    #[must_use]
    pub fn missing(&self, scenario: &Scenario) -> bool {
        let complete = self.plan.as_ref().is_some_and(|plan| plan.cells() == self.cells.len());
        !(self.is_of(scenario) && (complete || self.job.is_some()))
    }

    /// Whether the cells are those of `scenario`: the same one but for the parameters that are swept.
    fn is_of(&self, scenario: &Scenario) -> bool {
        let Some(of) = self.of.as_deref() else { return false };
        if of.sweep != scenario.sweep {
            return false;
        }
        of.runs_as(scenario) || same_but_swept(of, scenario)
    }

    /// Starts the sweep of a scenario, or goes on with it.
    pub fn start(&mut self, tasks: &mut Tasks, scenario: &Arc<Scenario>) {
        if !self.is_of(scenario) {
            *self = Self { of: Some(scenario.clone()), ..Self::default() };
        }
        let (plan, next) = (self.plan.clone(), self.cells.len());
        let work = |ticket| Work { ticket, scenario: scenario.clone(), plan, next };
        self.job = Some(tasks.slices(Task::Sweep, work));
    }

    /// Stops computing; the cells stay.
    pub fn halt(&mut self) {
        self.job = None;
    }

    /// Takes news; ignores those of an earlier job.
    ///
    /// # Errors
    /// If the sweep cannot be computed; it is over then.
    pub fn add(&mut self, ticket: u64, news: Result<SweepNews, Vec<ParamError>>) -> Result<(), Vec<ParamError>> {
        if self.job.as_ref().is_none_or(|job| job.ticket != ticket) {
            return Ok(());
        }
        match news {
            Ok(SweepNews::Plan(plan)) => self.plan = Some(plan),
            Ok(SweepNews::Cells(cells)) => self.cells.extend(cells),
            Err(errors) => {
                self.job = None;
                return Err(errors);
            }
        }
        if let Some(plan) = self.plan.as_ref().filter(|plan| plan.cells() == self.cells.len()) {
            self.front = front_of(plan, &self.cells).unwrap_or_default();
            self.job = None;
        }
        Ok(())
    }

    /// The scenario with the parameters of a cell, and with the sweep.
    #[must_use]
    pub fn opened(&self, scenario: &Scenario, cell: usize) -> Option<Scenario> {
        let (plan, _, _) = self.shown(scenario)?;
        with_values(
            scenario,
            plan.sweep().run.as_str(),
            &plan.sweep().axes.iter().map(|axis| axis.parameter.as_str()).zip(plan.values_of(cell)).collect::<Vec<_>>(),
        )
    }
}

/// The scenario with these values of parameters of a run.
fn with_values(scenario: &Scenario, run: &str, values: &[(&str, f64)]) -> Option<Scenario> {
    let mut scenario = scenario.clone();
    for (path, value) in values {
        scenario = scenario.with_parameter(run, path, Value::Number(*value)).ok()?;
    }
    Some(scenario)
}

/// Whether two scenarios with the same sweep differ in nothing but the parameters of its axes.
fn same_but_swept(one: &Scenario, other: &Scenario) -> bool {
    let Some(sweep) = &one.sweep else { return false };
    let values: Vec<(&str, f64)> = sweep.axes.iter().map(|axis| (axis.parameter.as_str(), axis.from)).collect();
    let bare = |scenario: &Scenario| with_values(scenario, &sweep.run, &values);
    matches!((bare(one), bare(other)), (Some(one), Some(other)) if one.runs_as(&other))
}

/// The computation of a sweep: in the first slice the plan, then a few cells on each core in every slice.
struct Work {
    ticket: u64,
    scenario: Arc<Scenario>,
    plan: Option<Arc<SweepPlan>>,
    /// The next cell.
    next: usize,
}

impl Slices<Done> for Work {
    #[expect(clippy::cast_precision_loss, reason = "a share for a bar")]
    fn step(&mut self, _budget: Duration) -> Slice<Done> {
        let ticket = self.ticket;
        let told = |news, share, over| Slice { share, done: Some(Done::Swept { ticket, news }), over };
        let Some(plan) = self.plan.clone() else {
            return match SweepPlan::new(&self.scenario) {
                Ok(plan) => {
                    let plan = self.plan.insert(Arc::new(plan));
                    told(Ok(SweepNews::Plan(plan.clone())), 0.0, false)
                }
                Err(errors) => told(Err(errors), 0.0, true),
            };
        };
        let at_once = if ONE_THREAD { 1 } else { rayon::current_num_threads() };
        let end = (self.next + at_once).min(plan.cells());
        let cell = |number: usize| plan.cell(number, || true);
        let cells: Result<Vec<Option<Cell>>, _> = if ONE_THREAD {
            (self.next..end).map(cell).collect()
        } else {
            (self.next..end).into_par_iter().map(cell).collect()
        };
        self.next = end;
        let share = end as f32 / plan.cells().max(1) as f32;
        match cells {
            Ok(cells) => told(Ok(SweepNews::Cells(cells.into_iter().flatten().collect())), share, end == plan.cells()),
            Err(errors) => told(Err(errors), share, true),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::scenario::read;

    const SCENARIO: &str = "format = 1\nseed = 5\n[target]\nkind = \"gaussian-grid\"\n[[run]]\nname = \"A\"\nmethod = \"sgld\"\nsteps = 50\n\
        step_size = { kind = \"constant\", value = 0.01 }\n[sweep]\nseeds = 2\naxes = [{ parameter = \"step_size.value\", from = 0.01, to = 0.03, count = 5 }]\n";

    fn scenario() -> Arc<Scenario> {
        Arc::new(read(SCENARIO, "s", Path::new("")).unwrap())
    }

    /// Drives the work of a study to its end, as a task does.
    fn computed(study: &mut SweepStudy, scenario: &Arc<Scenario>) {
        let mut tasks = Tasks::new(egui::Context::default());
        study.start(&mut tasks, scenario);
        while study.progress().is_some() {
            for done in tasks.take() {
                let Done::Swept { ticket, news } = done else { panic!("{done:?}") };
                study.add(ticket, news).unwrap();
            }
            std::thread::yield_now();
        }
    }

    #[test]
    fn all_cells_come_and_belong_to_the_scenario_whatever_is_swept() {
        let (scenario, mut study) = (scenario(), SweepStudy::default());
        assert!(study.missing(&scenario) && study.shown(&scenario).is_none());
        computed(&mut study, &scenario);
        let (plan, cells, front) = study.shown(&scenario).unwrap();
        assert_eq!((plan.cells(), cells.len()), (5, 5));
        assert!(!front.is_empty() && !study.missing(&scenario));
        let expected = SweepPlan::new(&scenario).unwrap();
        assert!((0..5).all(|number| expected.cell(number, || true).unwrap().unwrap() == cells[number]));
        let opened = study.opened(&scenario, 4).unwrap();
        assert_eq!(opened.runs[0].settings.at("step_size.value"), Some(&Value::Number(0.03)));
        assert!(study.shown(&opened).is_some(), "the map stays");
        let other = Scenario { seed: 6, ..opened };
        assert!(study.shown(&other).is_none() && study.missing(&other));
    }
}

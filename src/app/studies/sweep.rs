//! Sweep of the window: its cells as they come, what they say, and the small picture of the cell at the pointer, with the tasks that compute
//! them.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use rayon::prelude::{IntoParallelIterator, ParallelIterator};

use super::news::{News, SweepNews};
use super::study::Study;
use crate::app::tasks::slices::{Slice, Slices};
use crate::app::tasks::{Task, Tasks};
use crate::platform::{Instant, ONE_THREAD};
use base::params::ParamError;
use draw::sheet::Swept;
use draw::views::SweepContext;
use draw::views::sweep::geometry::CellCloud;
use engine::scenario::{Question, Scenario, Sweep};
use engine::session::sweep::{Cell, CellSample, Findings, SweepPlan};

/// Small pictures that are kept; each has a few ten thousand bytes.
const CLOUDS: usize = 64;

/// The sweep that is shown.
#[derive(Debug, Default)]
pub struct SweepStudy {
    /// The key is the scenario as it was when the sweep was started.
    study: Study<Arc<Scenario>, Cells>,
    /// The cell at the pointer.
    pointed: Option<usize>,
    /// Pictures of cells, the oldest first.
    clouds: Study<(), VecDeque<Arc<CellCloud>>>,
    /// The one before it, which is shown again when its scenario is back.
    before: Option<Box<SweepStudy>>,
}

/// The cells so far, and what they say.
#[derive(Debug, Default)]
struct Cells {
    plan: Option<Arc<SweepPlan>>,
    /// In ascending order of their numbers, without gaps.
    all: Vec<Cell>,
    /// What all cells say, and the questions that were asked.
    findings: Option<(Vec<Question>, Arc<Findings>)>,
}

impl Cells {
    fn are_complete(&self) -> bool {
        self.plan.as_ref().is_some_and(|plan| plan.cells() == self.all.len())
    }
}

impl SweepStudy {
    /// What plots show of the sweep of `scenario`.
    #[must_use]
    pub fn context(&self, scenario: &Scenario) -> SweepContext<'_> {
        let (progress, missing) = (self.progress(), self.missing(scenario));
        if !self.is_of(scenario) {
            return SweepContext { progress, missing, ..SweepContext::default() };
        }
        let cloud = self.pointed.and_then(|cell| self.clouds.results().iter().find(|cloud| cloud.cell == cell));
        let Cells { plan, all, findings } = self.study.results();
        SweepContext {
            plan: plan.as_deref(),
            cells: all,
            findings: findings.as_ref().map(|(_, findings)| &**findings),
            cloud: cloud.map(|cloud| &**cloud),
            progress,
            missing,
        }
    }

    /// The sweep and its cells, as far as they are those of `scenario`, for figures and files.
    #[must_use]
    pub fn swept(&self, scenario: &Scenario) -> Option<Swept> {
        let Cells { plan, all, findings } = self.study.results();
        let plan = plan.clone().filter(|_| self.is_of(scenario))?;
        let findings = findings.as_ref().map(|(_, findings)| findings.clone());
        Some(Swept { plan, cells: all.clone(), findings })
    }

    /// How many cells are computed.
    #[must_use]
    pub fn computed(&self) -> usize {
        self.study.results().all.len()
    }

    /// The share of the cells that is computed; `None` while none are being computed.
    #[must_use]
    pub fn progress(&self) -> Option<f32> {
        let Cells { plan, all, .. } = self.study.results();
        let count = plan.as_ref().map_or(1, |plan| plan.cells());
        self.study.job().map(|_| all.len() as f32 / count as f32)
    }

    /// Whether cells of this scenario are missing and not being computed.
    #[must_use]
    pub fn missing(&self, scenario: &Scenario) -> bool {
        !(self.is_of(scenario) && (self.study.results().are_complete() || self.study.job().is_some()))
    }

    /// Whether all cells are there, but not the answers to the questions of this scenario, which nobody is looking for.
    #[must_use]
    pub fn owes_answers(&self, scenario: &Scenario) -> bool {
        let questions = scenario.sweep.as_ref().map_or(&[][..], |sweep| &sweep.questions);
        let cells = self.study.results();
        let answered = cells.findings.as_ref().is_some_and(|(answered, _)| answered == questions);
        self.is_of(scenario) && cells.are_complete() && self.study.job().is_none() && !answered
    }

    /// The scenario whose cells there are, or will be.
    fn of(&self) -> Option<&Arc<Scenario>> {
        self.study.of().or(self.study.running())
    }

    /// Whether the cells are those of `scenario`: the same one but for the parameters that are swept, and for questions.
    fn is_of(&self, scenario: &Scenario) -> bool {
        let Some(of) = self.of() else { return false };
        if unasked(of.sweep.as_ref()) != unasked(scenario.sweep.as_ref()) {
            return false;
        }
        of.runs_as(scenario) || same_but_swept(of, scenario)
    }

    /// Starts the sweep of a scenario, or goes on with it, up to the answers to its questions.
    pub fn start(&mut self, tasks: &mut Tasks, scenario: &Arc<Scenario>) {
        if !self.is_of(scenario) {
            let mut before = std::mem::take(self);
            before.study.end();
            let earlier = before.before.take();
            self.before = if before.computed() > 0 { Some(Box::new(before)) } else { earlier };
        }
        let of = self.of().unwrap_or(scenario).clone();
        let questions = scenario.sweep.as_ref().map_or_else(Vec::new, |sweep| sweep.questions.clone());
        let Cells { plan, all, .. } = self.study.results();
        let work = Work { scenario: of.clone(), questions, plan: plan.clone(), cells: all.clone() };
        self.study.begin(tasks, Task::Sweep, of, work);
    }

    /// Turns back to the sweep before this one, if that is the one of this scenario.
    pub fn turn_to(&mut self, scenario: &Scenario) {
        if !self.is_of(scenario)
            && let Some(mut before) = self.before.take_if(|before| before.is_of(scenario))
        {
            std::mem::swap(self, &mut before);
            before.study.end();
            self.before = Some(before);
        }
    }

    /// Stops computing; the cells stay.
    pub fn halt(&mut self) {
        self.study.end();
    }

    /// Takes news; ignores those of an earlier job.
    ///
    /// # Errors
    /// If the sweep cannot be computed; it is over then.
    pub fn add(&mut self, ticket: u64, news: Result<SweepNews, Vec<ParamError>>) -> Result<(), Vec<ParamError>> {
        let added = self.study.add(ticket, news, |cells, news| {
            let over = matches!(news, SweepNews::Findings(..));
            match news {
                SweepNews::Plan(plan) => cells.plan = Some(plan),
                SweepNews::Cells(new) => cells.all.extend(new),
                SweepNews::Findings(questions, findings) => cells.findings = Some((questions, findings)),
            }
            over
        });
        added.map(drop)
    }

    /// Has the small picture of a cell drawn, unless it is there; ends the work on another one.
    pub fn point(&mut self, tasks: &mut Tasks, scenario: &Scenario, cell: Option<usize>) {
        self.pointed = cell.filter(|_| self.is_of(scenario));
        self.clouds.end();
        let known = |cell: usize| self.clouds.results().iter().any(|cloud| cloud.cell == cell);
        let plan = self.study.results().plan.clone();
        let (Some(cell), Some(plan)) = (self.pointed.filter(|cell| !known(*cell)), plan) else { return };
        if cell < plan.cells() {
            self.clouds.begin(tasks, Task::CellCloud, (), Drawing { plan, cell, sample: None });
        }
    }

    /// Takes a small picture, unless it is no longer wanted.
    pub fn add_cloud(&mut self, ticket: u64, cloud: CellCloud) {
        let Ok(_) = self.clouds.add(ticket, Ok::<_, Infallible>(cloud), |clouds, cloud| {
            if clouds.len() >= CLOUDS {
                clouds.pop_front();
            }
            clouds.push_back(Arc::new(cloud));
            true
        });
    }

    /// The scenario with the parameters of a cell, and with the sweep.
    #[must_use]
    pub fn opened(&self, scenario: &Scenario, cell: usize) -> Option<Scenario> {
        let plan = self.study.results().plan.as_ref().filter(|plan| self.is_of(scenario) && cell < plan.cells())?;
        with_values(
            scenario,
            plan.sweep().run.as_str(),
            &plan.sweep().axes.iter().map(|axis| axis.parameter.as_str()).zip(plan.values_of(cell)).collect::<Vec<_>>(),
        )
    }
}

/// A sweep without its questions, which change no cell.
fn unasked(sweep: Option<&Sweep>) -> Option<Sweep> {
    sweep.map(|sweep| Sweep { questions: Vec::new(), ..sweep.clone() })
}

/// The scenario with these values of parameters of a run or of the target.
fn with_values(scenario: &Scenario, run: &str, values: &[(&str, f64)]) -> Option<Scenario> {
    let mut scenario = scenario.clone();
    for (path, value) in values {
        scenario = scenario.with_number(run, path, *value).ok()?;
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

/// The computation of a sweep: in the first slice the plan, then a few cells on each core in every slice, at last the answers.
struct Work {
    scenario: Arc<Scenario>,
    questions: Vec<Question>,
    plan: Option<Arc<SweepPlan>>,
    /// The cells so far.
    cells: Vec<Cell>,
}

impl Slices<News> for Work {
    fn step(&mut self, budget: Duration) -> Slice<News> {
        let told = |news, share, over| Slice { share, done: Some(News::Sweep(news)), over };
        let Some(plan) = self.plan.clone() else {
            return match SweepPlan::new(&self.scenario) {
                Ok(plan) => {
                    let plan = self.plan.insert(Arc::new(plan));
                    told(Ok(SweepNews::Plan(plan.clone())), 0.0, false)
                }
                Err(errors) => told(Err(errors), 0.0, true),
            };
        };
        let before = self.cells.len();
        if before == plan.cells() {
            let findings = Arc::new(Findings::of(&plan, &self.cells, &self.questions));
            return told(Ok(SweepNews::Findings(self.questions.clone(), findings)), 1.0, true);
        }
        let since = Instant::now();
        let mut failed = None;
        while failed.is_none() && self.cells.len() < plan.cells() {
            failed = self.some(&plan).err();
            if since.elapsed() >= budget {
                break;
            }
        }
        let share = self.cells.len() as f32 / plan.cells().max(1) as f32;
        match failed {
            None => told(Ok(SweepNews::Cells(self.cells[before..].to_vec())), share, false),
            Some(errors) => told(Err(errors), share, true),
        }
    }
}

impl Work {
    /// Computes a cell on each core.
    fn some(&mut self, plan: &SweepPlan) -> Result<(), Vec<ParamError>> {
        let at_once = if ONE_THREAD { 1 } else { rayon::current_num_threads() };
        let next = self.cells.len();
        let end = (next + at_once).min(plan.cells());
        let cell = |number: usize| plan.cell(number, || true);
        let cells: Vec<Option<Cell>> = if ONE_THREAD {
            (next..end).map(cell).collect::<Result<_, _>>()?
        } else {
            (next..end).into_par_iter().map(cell).collect::<Result<_, _>>()?
        };
        self.cells.extend(cells.into_iter().flatten());
        Ok(())
    }
}

/// The work on the small picture of a cell.
struct Drawing {
    plan: Arc<SweepPlan>,
    cell: usize,
    sample: Option<CellSample>,
}

impl Slices<News> for Drawing {
    fn step(&mut self, _budget: Duration) -> Slice<News> {
        let sample = self.sample.take().map_or_else(|| CellSample::new(&self.plan, self.cell), Ok);
        // Every cell was built when the sweep was planned.
        let Ok(mut sample) = sample else { return Slice::end() };
        if !sample.advance() {
            self.sample = Some(sample);
            return Slice::after(0.0);
        }
        let cloud = Box::new(CellCloud::of(self.cell, sample));
        Slice::last(News::Cloud(cloud))
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::app::tasks::Done;
    use base::params::Value;
    use engine::scenario::read;

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
                let Done::Studied { ticket, news: News::Sweep(news) } = done else { panic!("{done:?}") };
                study.add(ticket, news).unwrap();
            }
            std::thread::yield_now();
        }
    }

    #[test]
    fn all_cells_come_and_belong_to_the_scenario_whatever_is_swept() {
        let (scenario, mut study) = (scenario(), SweepStudy::default());
        assert!(study.missing(&scenario) && study.context(&scenario).plan.is_none());
        computed(&mut study, &scenario);
        let SweepContext { plan, cells, findings, .. } = study.context(&scenario);
        assert_eq!((plan.unwrap().cells(), cells.len()), (5, 5));
        assert!(!findings.unwrap().front.is_empty() && !study.missing(&scenario) && !study.owes_answers(&scenario));
        let expected = SweepPlan::new(&scenario).unwrap();
        assert!((0..5).all(|number| expected.cell(number, || true).unwrap().unwrap() == cells[number]));
        let opened = study.opened(&scenario, 4).unwrap();
        assert_eq!(opened.runs[0].settings.at("step_size.value"), Some(&Value::Number(0.03)));
        assert!(study.context(&opened).plan.is_some(), "the map stays");
        assert_eq!(study.opened(&scenario, 5), None);
        let other = Scenario { seed: 6, ..opened };
        assert!(study.context(&other).plan.is_none() && study.missing(&other));
    }

    /// Nothing is computed twice where another scenario was tried and taken back, also one whose sweep cannot be computed.
    #[test]
    fn cells_are_back_with_their_scenario() {
        let (scenario, mut study) = (scenario(), SweepStudy::default());
        computed(&mut study, &scenario);
        let other = Arc::new(Scenario { seed: 6, ..scenario.as_ref().clone() });
        let mut without = other.as_ref().clone();
        without.sweep.iter_mut().for_each(|sweep| sweep.axes[0].parameter = "step_size.nothing".to_owned());
        let mut tasks = Tasks::new(egui::Context::default());
        study.start(&mut tasks, &Arc::new(without));
        study.turn_to(&other);
        assert!(study.context(&other).plan.is_none());
        study.turn_to(&scenario);
        assert!(study.context(&scenario).cells.len() == 5 && !study.missing(&scenario));
        computed(&mut study, &other);
        study.turn_to(&scenario);
        assert_eq!(study.context(&scenario).cells.len(), 5);
        study.turn_to(&other);
        assert_eq!(study.context(&other).cells.len(), 5);
    }

    /// A question asked later is answered from the cells that are there.
    #[test]
    fn another_question_needs_no_other_cells() {
        let (scenario, mut study) = (scenario(), SweepStudy::default());
        computed(&mut study, &scenario);
        let question = Question {
            measure: "modes_covered",
            bound: engine::scenario::Bound::AtLeast(0.0),
            largest: true,
            of: "step_size.value".to_owned(),
        };
        let mut asked = scenario.as_ref().clone();
        asked.sweep.iter_mut().for_each(|sweep| sweep.questions = vec![question.clone()]);
        let asked = Arc::new(asked);
        assert!(!study.missing(&asked) && study.owes_answers(&asked));
        computed(&mut study, &asked);
        let SweepContext { findings, cells, .. } = study.context(&asked);
        assert_eq!((cells.len(), findings.unwrap().answers[0].1.value), (5, Some(0.03)));
        assert!(!study.owes_answers(&asked));
    }

    #[test]
    fn the_picture_of_a_cell_comes_and_is_kept() {
        let (scenario, mut study) = (scenario(), SweepStudy::default());
        computed(&mut study, &scenario);
        let mut tasks = Tasks::new(egui::Context::default());
        // The first one is no longer wanted when it comes.
        study.point(&mut tasks, &scenario, Some(1));
        study.point(&mut tasks, &scenario, Some(3));
        while study.context(&scenario).cloud.is_none() {
            for done in tasks.take() {
                let Done::Studied { ticket, news: News::Cloud(cloud) } = done else { panic!("{done:?}") };
                study.add_cloud(ticket, *cloud);
            }
            std::thread::yield_now();
        }
        let cloud = study.context(&scenario).cloud.unwrap();
        assert_eq!((cloud.cell, cloud.draws.len(), study.clouds.results().len()), (3, 50, 1));
        study.point(&mut tasks, &scenario, None);
        assert!(study.context(&scenario).cloud.is_none() && study.clouds.job().is_none());
        study.point(&mut tasks, &scenario, Some(3));
        assert!(study.context(&scenario).cloud.is_some() && study.clouds.job().is_none());
        study.point(&mut tasks, &scenario, Some(99));
        assert!(study.clouds.job().is_none());
    }
}

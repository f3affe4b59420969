//! Tests: random actions against the logic of the window, without a display. Whatever a person asks for, in whatever order: nothing panics,
//! the frame belongs to the scenario, undo and redo are inverse, a scenario is unsaved exactly while it differs from its
//! file, and it gives the same draws again.
//!
//! `ACTIONS=100000 cargo test --lib random_actions` asks for as many.

use std::path::{Path, PathBuf};
use std::time::Duration;

use egui::Context;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use super::task_results::take_in;
use crate::app::action::{Action, EditAction};
use crate::app::dialogs::current::SweepDialog;
use crate::app::experiment::model::Model;
use crate::app::experiment::origin::Origin;
use crate::app::experiment::param_edit::{ParamEdit, first_value};
use crate::app::files::Purpose;
use crate::app::perform::perform;
use crate::app::recovery::Recovery;
use crate::app::recovery::unsaved::UnsavedWork;
use crate::app::state::State;
use crate::app::tasks::Tasks;
use crate::app::thumbnails::Gallery;
use crate::app::view::View;
use crate::app::view::prefs::Prefs;
use crate::platform::Instant;
use base::params::{NamedNumber, ParamSpec, ParamType, Picture, Settings, Value};
use draw::views::study_action::StudyAction;
use engine::scenario::{Bound, COST, Question, RunSpec, Scenario, load, read, write};
use engine::session::{Clock, Command, Frame, Session};
use engine::worker::{Order, Pacing, Worker};
use models::targets::TARGETS;
use samplers::methods::METHODS;

/// Actions in the suite, and in one experiment.
const ACTIONS: usize = 400;
const EACH: usize = 40;

/// Actions in one experiment where more of them are asked for.
const LONG: usize = 200;

/// Time within which the worker has done what was asked for.
const PATIENCE: Duration = Duration::from_secs(120);

/// Most steps and chains, so that the time goes into actions.
const LONGEST: f64 = 200.0;
const MOST: f64 = 5.0;

const START: &str = "format = 1\ntitle = \"Start\"\nseed = 3\n[target]\nkind = \"gaussian\"\n\
                     [[run]]\nname = \"A\"\nmethod = \"sgld\"\nsteps = 120\nchains = 2\n\
                     [[run]]\nname = \"B\"\nmethod = \"svi\"\nsteps = 60\n\
                     [[challenge]]\nkind = \"choice\"\nmeasure = \"tv\"\nfind = \"smallest\"\n\
                     [[challenge]]\nkind = \"mass\"\nrun = \"A\"\nchips = 3\n";

/// An experiment without a window.
struct Bench {
    state: State,
    context: Context,
    folder: tempfile::TempDir,
    /// What was done, for messages.
    done: Vec<String>,
}

impl Bench {
    fn new() -> Self {
        let scenario = read(START, "start", Path::new(".")).unwrap();
        let worker = Worker::start(scenario, Pacing::Watch, false, || {}).unwrap();
        let context = Context::default();
        let origin = Origin::of(worker.status().frame.scenario.clone(), None);
        let (model, mut view, prefs) = (Model::new(worker, origin), View::default(), Prefs::default());
        view.show(model.scenario());
        let tasks = Tasks::new(context.clone());
        let unsaved = UnsavedWork::default();
        let (gallery, recovery) = (Gallery::default(), Recovery::default());
        let state = State { model, view, prefs, gallery, tasks, unsaved, recovery };
        Self { state, context, folder: tempfile::tempdir().unwrap(), done: Vec::new() }
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("file.toml")
    }

    fn perform(&mut self, action: Action) {
        self.done.push(format!("{action:?}").chars().take(120).collect());
        perform(&mut self.state, action, &self.context);
        self.settle();
    }

    /// Waits until the worker and all tasks have done what was asked for.
    fn settle(&mut self) {
        let begun = Instant::now();
        loop {
            for done in self.state.tasks.take() {
                take_in(&mut self.state, done, &self.context);
            }
            self.state.model.refresh(false, |_| true);
            self.state.view.studies.challenge.follow(self.state.model.scenario());
            self.state.view.studies.challenge.note(self.state.model.frame());
            let status = self.state.model.status();
            assert_eq!(status.failure, None);
            if self.state.model.is_settled() && self.state.tasks.is_idle() {
                return;
            }
            assert!(begun.elapsed() < PATIENCE, "the worker does not come to rest: {status:?}");
            std::thread::sleep(Duration::from_micros(300));
        }
    }

    /// What was done last.
    fn last(&self) -> &[String] {
        &self.done[self.done.len().saturating_sub(6)..]
    }

    fn scenario(&self) -> &Scenario {
        self.state.model.scenario()
    }

    /// What holds after every action.
    fn check(&mut self) {
        let frame = self.state.model.frame().clone();
        assert_eq!(*frame.scenario, *self.state.model.scenario().as_ref(), "the frame is of another scenario");
        let kept = match self.state.model.file() {
            Some(file) => load(file).unwrap(),
            None => read(START, "start", Path::new(".")).unwrap(),
        };
        let hidden = !self.state.view.studies.challenge.asks() || frame.step == 0;
        assert!(hidden, "a run is shown that something is asked about, after {:?}", self.last());
        let back = read(&write(self.scenario()), "written", Path::new(".")).unwrap();
        assert!(back.same_but_view(self.scenario()), "what is written is read back; after {:?}", self.last());
        assert_eq!(
            self.state.model.unsaved(),
            !kept.same_but_view(self.scenario()),
            "unsaved means that it differs from the file, or from the start; after {:?}",
            self.last()
        );
    }

    /// Undo and then redo leave the scenario as it is.
    fn check_undo(&mut self) {
        let before = self.scenario().clone();
        if self.state.model.undo().can_undo() {
            self.perform(Action::Undo);
            self.perform(Action::Redo);
            assert_eq!(*self.scenario(), before, "redo after undo");
        }
    }

    /// The scenario alone, at the same moment, gives the same draws.
    fn check_replay(&mut self) {
        self.perform(Action::Order(Order::Pause));
        let frame = self.state.model.frame().clone();
        let mut session = Session::new(frame.scenario.as_ref().clone()).unwrap();
        session.set_clock(frame.time.clock);
        session.apply(Command::Seek(frame.time.tick)).unwrap();
        assert_eq!(positions(&session.frame()), positions(&frame), "{:?}", frame.scenario);
    }
}

/// Where every chain of every run is, to the last bit, and after how many steps.
fn positions(frame: &Frame) -> Vec<(u64, Vec<[u64; 2]>)> {
    let bits = |value: f64| if value.is_nan() { f64::NAN.to_bits() } else { value.to_bits() };
    let runs = frame.runs.iter();
    runs.map(|run| (run.step, run.positions.iter().map(|at| [bits(at.x), bits(at.y)]).collect())).collect()
}

/// Numbers from which an action follows.
type RandomNumbers = [u64; 4];

fn pick<T>(list: &[T], number: u64) -> &T {
    &list[usize::try_from(number % list.len() as u64).unwrap()]
}

/// A value for a parameter, allowed or not.
fn value(spec: &ParamSpec, [a, b, ..]: RandomNumbers) -> Option<Value> {
    let most = match spec.key {
        "chains" => MOST,
        _ => LONGEST,
    };
    Some(match spec.ty {
        ParamType::Number { slider: (low, high), .. } => {
            Value::Number(*pick(&[low, high, 0.5 * (low + high), -1.0, 0.0, f64::NAN, 1e300], a))
        }
        ParamType::Integer { slider: (low, high), .. } => {
            Value::Number(*pick(&[low.min(most), high.min(most), (low + 3.0).min(most), 0.0, -1.0, 2.5], a))
        }
        ParamType::Flag => Value::Flag(a.is_multiple_of(2)),
        ParamType::Choice(choices) => Value::Choice(pick(choices, a).name),
        ParamType::Text => Value::Text((*pick(&["no-such-file.csv", "−x² − b y²", "−s*x^2/(", "exp("], a)).to_owned()),
        ParamType::Pair { .. } => Value::Pair([*pick(&[0.0, 1.0, -2.0, 30.0], a), *pick(&[0.0, 1.0, 2.0], b)]),
        ParamType::Covariance => Value::Covariance(*pick(&[[[1.0, 0.0], [0.0, 2.0]], [[1.0, 2.0], [2.0, 1.0]]], a)),
        ParamType::Knots => Value::Points(vec![[1.0, 0.1], [*pick(&[0.0, 50.0], a), 0.01]]),
        ParamType::Points { .. } => {
            Value::Points((0..a % 4).map(|index| [index as f64, *pick(&[0.5, -3.0, 1e9], b)]).collect())
        }
        ParamType::Group(kinds) => Value::Group(Settings::defaults(pick(kinds, a))),
        ParamType::List(_) => first_value(spec.ty)?,
        ParamType::Picture => {
            let level = |shift: u64| u8::try_from((a >> (shift % 60)) % 62).unwrap();
            Value::Picture(Picture::new(5, (0..5 * (1 + b % 5)).map(level).collect())?)
        }
        ParamType::Named => {
            let value = *pick(&[0.0, 0.5, 3.0, f64::NAN, -1e300], b);
            Value::Named(
                ["s", "b", "w"].into_iter().take(a as usize % 4).map(|name| NamedNumber::new(name, value)).collect(),
            )
        }
    })
}

/// An edit of a parameter, at the top or inside of a group.
fn edit(settings: &Settings, random: RandomNumbers) -> Option<ParamEdit> {
    let spec = pick(settings.kind.params, random[2]);
    let inside = match settings.get(spec.key) {
        Some(Value::Group(group)) if !random[3].is_multiple_of(3) && !group.kind.params.is_empty() => Some(group),
        _ => None,
    };
    match inside {
        Some(group) => {
            let [a, b, c, d] = random;
            let within = edit(group, [a / 7, b / 7, c / 7, d / 3])?;
            Some(ParamEdit { path: format!("{}.{}", spec.key, within.path), ..within })
        }
        None => Some(ParamEdit {
            path: spec.key.to_owned(),
            value: if random[3].is_multiple_of(11) { None } else { value(spec, random) },
        }),
    }
}

/// The action that follows from the dice. Nothing asks for a file dialog, for long runs or for the end of the window.
fn action(bench: &Bench, kind: u64, random: RandomNumbers) -> Option<Action> {
    let scenario = bench.scenario();
    let run = usize::try_from(random[1] % scenario.runs.len() as u64).unwrap();
    let end = bench.state.model.frame().time.end;
    Some(match kind % 31 {
        0 => Action::TogglePlay,
        1 => Action::Pacing(*pick(&[Pacing::Watch, Pacing::Instant], random[0])),
        2..=4 => Action::Seek(random[0] % (end + 2)),
        5 => Action::Restart,
        6 => Action::Seed(random[0] % 100),
        7 => Action::NewSeed,
        8 => Action::ChooseTarget(pick(&TARGETS, random[0])),
        9..=12 => Action::Edit(EditAction::Run { run, edit: edit(&scenario.runs[run].settings, random)? }),
        13 | 14 => Action::Edit(EditAction::Target(vec![edit(&scenario.target, random)?])),
        15 => Action::Edit(EditAction::Method { run, method: pick(&METHODS, random[0]) }),
        16 => Action::Edit(EditAction::Rename { run, name: format!("Run {}", random[0] % 3) }),
        17 if scenario.runs.len() < 3 => Action::Edit(EditAction::Duplicate(run)),
        18 => Action::Edit(EditAction::Remove(run)),
        19 => Action::Undo,
        20 => Action::Redo,
        21 => Action::Order(Order::Step(*pick(&[1, -1, 17], random[0]))),
        22 => Action::Order(Order::Session(Command::Clock(*pick(&[Clock::Steps, Clock::Gradients], random[0])))),
        23 => Action::Chosen { purpose: Purpose::Save, path: bench.file(), replace: true },
        24 => {
            // A small sweep with one to three axes, or none.
            let mut form = SweepDialog::of(scenario, bench.state.model.frame())?;
            form.choose_run(scenario, run);
            form.sweep.seeds = 1 + random[2] % 2;
            (0..random[0] % 3).for_each(|_| form.add_axis());
            for axis in &mut form.sweep.axes {
                let most = [("steps", LONGEST), ("chains", MOST)].into_iter().find(|(path, _)| *path == axis.parameter);
                if let Some((_, most)) = most {
                    (axis.from, axis.to) = (axis.from.min(0.5 * most).floor(), most);
                }
                axis.count = axis.count.min(2);
            }
            let sweep = (!random[3].is_multiple_of(5)).then(|| Box::new(form.sweep));
            Action::Edit(EditAction::Sweep(sweep))
        }
        25 => Action::Study(*pick(&[StudyAction::Sweep, StudyAction::HaltSweep, StudyAction::PlanSweep], random[0])),
        26 => Action::Study(match random[0] % 3 {
            0 => StudyAction::OpenCell((random[2] % 6) as usize),
            1 => StudyAction::PointAtCell(Some((random[2] % 6) as usize)),
            _ => StudyAction::PointAtCell(None),
        }),
        27 => {
            let (bound, sweep) = (*pick(&[0.0, 0.5, f64::NAN, 1e300], random[2]), scenario.sweep.as_ref()?);
            let bound = if random[0].is_multiple_of(2) { Bound::AtMost(bound) } else { Bound::AtLeast(bound) };
            let of = pick(&[COST, &sweep.axes[0].parameter, "no such axis"], random[3]).to_string();
            Action::Edit(EditAction::Questions(vec![Question { measure: sweep.measures[0], bound, largest: true, of }]))
        }
        28 | 29 => Action::Reveal,
        30 => Action::AskAgain,
        _ => return None,
    })
}

/// Whether an action leads to a run that takes long: of a method or target at values that this test does not choose.
fn is_short(scenario: &Scenario) -> bool {
    // Some approximations have no chains.
    let few = |run: &RunSpec| run.settings.get("chains").is_none() || run.settings.count("chains") <= 8;
    scenario.runs.iter().all(|run| run.settings.count("steps") <= 500 && few(run))
}

fn experiment(rolls: &[(u64, RandomNumbers)]) {
    let mut bench = Bench::new();
    for (kind, random) in rolls {
        if let Some(action) = action(&bench, *kind, *random) {
            bench.perform(action);
            bench.check();
        }
        if !is_short(bench.scenario()) {
            bench.perform(Action::Undo);
        }
    }
    bench.check_undo();
    bench.check_replay();
}

#[test]
fn random_actions_leave_everything_in_order() {
    let asked = std::env::var("ACTIONS").map(|text| text.parse().unwrap());
    match asked {
        Ok(actions) => many(actions),
        Err(_) => experiments(ACTIONS, EACH, 0),
    }
}

/// As many actions as asked for, in longer experiments, on all cores.
fn many(actions: usize) {
    let shares = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for share in 0..shares {
            let seed = u8::try_from(share + 1).unwrap();
            scope.spawn(move || experiments(actions.div_ceil(shares), LONG, seed));
        }
    });
}

/// Experiments of `each` actions; the same ones for the same seed.
fn experiments(actions: usize, each: usize, seed: u8) {
    let cases = u32::try_from(actions.div_ceil(each)).unwrap();
    let config = Config { cases, max_shrink_iters: 200, failure_persistence: None, ..Config::default() };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]);
    let rolls = prop::collection::vec((any::<u64>(), any::<RandomNumbers>()), each);
    TestRunner::new_with_rng(config, rng)
        .run(&rolls, |rolls| {
            experiment(&rolls);
            Ok(())
        })
        .unwrap();
}

//! Edits while runs are under way: of the target, the method, the number of steps and every parameter.

use std::path::Path;

use rayon::prelude::{IntoParallelRefIterator, ParallelIterator};
use sampler_lab::methods::{self, METHODS, StepScale};
use sampler_lab::params::{ParamSpec, ParamType, Picture, Settings, Value, find_kind};
use sampler_lab::scenario::{self, Edit, METHOD, Scenario};
use sampler_lab::session::{Command, Session};
use sampler_lab::targets::TARGETS;

const SCENARIO: &str = r#"
format = 1
seed = 3
[target]
kind = "bivariate-mixture"
[[run]]
name = "minibatches"
method = "sgld"
chains = 4
steps = 2000
gradient = { kind = "minibatch", size = 5 }
step_size = { kind = "constant", value = 0.002 }
[[run]]
name = "short"
method = "sgld"
steps = 400
step_size = { kind = "constant", value = 0.002 }
"#;

fn session() -> Session {
    Session::new(scenario::read(SCENARIO, "changes.toml", Path::new(".")).unwrap()).unwrap()
}

fn target(kind: &str, values: &[(&str, Value)]) -> Settings {
    let mut settings = Settings::defaults(find_kind(&TARGETS, kind).unwrap());
    for (path, value) in values {
        settings.set(path, value.clone()).unwrap();
    }
    settings
}

fn positions(session: &Session) -> Vec<Vec<[f64; 2]>> {
    session.frame().runs.iter().map(|run| run.positions.iter().map(|at| [at.x, at.y]).collect()).collect()
}

/// A new session of the same scenario, at the same step.
fn replayed(session: &Session) -> Session {
    let text = scenario::write(session.scenario());
    let mut replayed = Session::new(scenario::read(&text, "saved.toml", Path::new(".")).unwrap()).unwrap();
    replayed.apply(Command::Seek(session.step())).unwrap();
    replayed
}

fn same(one: &mut Session, other: &mut Session) {
    one.measure_exactly();
    other.measure_exactly();
    assert_eq!(positions(one), positions(other));
    let measures = |session: &Session| session.frame().runs.iter().map(|run| run.measures.to_vec()).collect::<Vec<_>>();
    assert_eq!(measures(one), measures(other));
}

#[test]
fn chains_are_kept_when_the_target_changes_and_counts_start_again() {
    let mut session = session();
    session.advance(1000);
    let before = positions(&session);
    session.edit(Edit::target(target("gaussian", &[]))).unwrap();
    assert_eq!((session.step(), positions(&session)), (1000, before));
    let frame = session.frame();
    assert_eq!(frame.target.info().modes.len(), 1);
    assert!(frame.runs.iter().all(|run| run.collected == 0 && run.target_since == 1000));
    assert_eq!(frame.runs[0].series().rows(), 0);
    session.advance(500);
    assert_eq!(session.frame().runs[0].collected, 4 * 500);
    assert_eq!(session.frame().runs[0].series().rows(), 500);
    assert_eq!(session.frame().runs[1].collected, 0, "a run that has ended has no draws of the new target");
    assert_eq!(session.frame().runs[0].history.rows(), 1501, "the path stays");
    same(&mut replayed(&session), &mut session);
    session.apply(Command::Seek(900)).unwrap();
    let back = session.frame();
    assert_eq!((back.runs[0].collected, back.runs[1].collected), (4 * 900, 400));
    same(&mut replayed(&session), &mut session);
}

/// As while a component is dragged: many changes at one step and at steps that follow.
#[test]
fn changes_can_follow_each_other() {
    let mut session = session();
    session.advance(600);
    for (advance, correlation) in [(0, 0.1), (0, 0.5), (7, 0.7), (0, -0.2), (300, 0.9), (13, 0.0)] {
        session.advance(advance);
        session.edit(Edit::target(target("gaussian", &[("correlation", Value::Number(correlation))]))).unwrap();
    }
    let targets = session.scenario().events.iter().filter(|event| event.target().is_some()).count();
    assert_eq!(targets, 4, "one for every step");
    session.advance(100);
    same(&mut replayed(&session), &mut session);
    let back = session.step() - 150;
    session.apply(Command::Seek(back)).unwrap();
    same(&mut replayed(&session), &mut session);
}

/// Minibatches need data, which the new target does not have: from that step on gradients are exact.
#[test]
fn gradients_are_adapted_to_the_new_target() {
    let mut session = session();
    session.advance(100);
    session.edit(Edit::target(target("gaussian-grid", &[]))).unwrap();
    let settings = |step| session.scenario().settings_at(&session.scenario().runs[0], step);
    assert_eq!(settings(99).group("gradient").unwrap().kind.name, "minibatch");
    assert_eq!(settings(100).group("gradient").unwrap().kind.name, "exact");
}

#[test]
fn chains_outside_the_new_support_start_at_the_point_that_the_target_suggests() {
    let mut session = session();
    session.advance(100);
    for kind in ["beta-pair", "normal-gamma", "bivariate-mixture", "beta-pair"] {
        session.edit(Edit::target(target(kind, &[]))).unwrap();
        let info = session.frame().target.info().clone();
        assert!(session.frame().runs[0].positions.iter().all(|at| info.support.contains(*at)), "{kind}");
        session.advance(100);
        assert!(session.frame().runs[0].diverged.is_empty(), "{kind}");
    }
    same(&mut replayed(&session), &mut session);
}

#[test]
fn another_dimension_starts_the_runs_again() {
    let mut session = session();
    session.advance(300);
    session.edit(Edit::target(target("beta-posterior", &[]))).unwrap();
    assert_eq!((session.step(), session.scenario().events.len()), (0, 0));
    assert_eq!(session.frame().target.info().dimension, 1);
}

#[test]
fn before_the_first_step_and_after_the_last_a_change_counts_from_the_start() {
    for step in [0, 2000] {
        let mut session = session();
        session.advance(step);
        session.edit(Edit::target(target("gaussian", &[]))).unwrap();
        assert_eq!((session.step(), session.scenario().events.len()), (0, 0));
        assert_eq!(session.scenario().target.kind.name, "gaussian");
    }
}

#[test]
fn undo_takes_a_change_of_target_back() {
    let mut session = session();
    session.advance(500);
    let before: Scenario = session.scenario().as_ref().clone();
    session.edit(Edit::target(target("gaussian", &[]))).unwrap();
    session.advance(100);
    session.edit(Edit::Replace(Box::new(before))).unwrap();
    let mut other = self::session();
    other.advance(600);
    same(&mut session, &mut other);
}

#[test]
fn the_method_and_the_number_of_steps_change_without_a_restart() {
    let mut session = session();
    session.advance(500);
    let set = |session: &mut Session, path: &str, value| {
        session.edit(Edit::Set { run: 0, path: path.to_owned(), value }).unwrap();
    };
    set(&mut session, METHOD, Value::Choice("csgld"));
    session.advance(100);
    set(&mut session, "steps", Value::Number(3000.0));
    assert_eq!((session.step(), session.total()), (600, 3000));
    session.advance(u64::MAX);
    assert_eq!(session.step(), 3000);
    let mut again = replayed(&session);
    same(&mut session, &mut again);
    assert_eq!(session.scenario().events.len(), 2);
}

#[test]
fn errors_of_a_change_of_target_name_their_place() {
    let with = |event: &str| {
        let text = format!("{SCENARIO}\n[[event]]\n{event}");
        scenario::read(&text, "changes.toml", Path::new(".")).unwrap_err().to_string()
    };
    let dimension = with("step = 5\ntarget = { kind = \"beta-posterior\" }\n");
    assert!(dimension.contains("event[0].target.kind") && dimension.contains("dimension 1"), "{dimension}");
    let data = with("step = 5\ntarget = { kind = \"gaussian\" }\n");
    assert!(data.contains("event[0].target") && data.contains("minibatches"), "{data}");
    let both = with("step = 5\nrun = \"short\"\ntarget = { kind = \"gaussian\" }\n");
    assert!(both.contains("event[0].run") && both.contains("not both"), "{both}");
    let late = with("step = 2000\ntarget = { kind = \"gaussian\" }\n");
    assert!(late.contains("event[0].step"), "{late}");
    let method = with("step = 5\nrun = \"short\"\nset = { method = \"sgdl\" }\n");
    assert!(method.contains("event[0].set.method") && method.contains("sgld"), "{method}");
    let steps = with("step = 50\nrun = \"short\"\nset = { steps = 20 }\n");
    assert!(steps.contains("steps") && steps.contains("above 50"), "{steps}");
}

/// Methods with auxiliary state (momenta, thermostats, moving averages); chains that had to move get a fresh state.
const CARRYING: &str = r#"
format = 1
seed = 5
[target]
kind = "gaussian"
[[run]]
name = "SGHMC"
method = "sghmc"
chains = 300
steps = 900
start = { kind = "target" }
step_size = { kind = "constant", value = 0.01 }
[[run]]
name = "SGNHT"
method = "sgnht"
chains = 3
steps = 900
step_size = { kind = "constant", value = 0.1 }
[[run]]
name = "pSGLD"
method = "psgld"
chains = 3
steps = 900
step_size = { kind = "constant", value = 0.01 }
"#;

#[test]
fn several_changes_at_one_step_can_be_replayed() {
    let mut session = Session::new(scenario::read(CARRYING, "carrying.toml", Path::new(".")).unwrap()).unwrap();
    let set = |session: &mut Session, run: usize, path: &str, value| {
        session.edit(Edit::Set { run, path: path.to_owned(), value }).unwrap();
    };
    session.advance(200);
    session.edit(Edit::target(target("beta-pair", &[("boundary", Value::Choice("logit"))]))).unwrap();
    set(&mut session, 0, "step_size.value", Value::Number(0.002));
    set(&mut session, 1, METHOD, Value::Choice("sghmc"));
    set(&mut session, 2, METHOD, Value::Choice("sgld"));
    session.advance(100);
    same(&mut replayed(&session), &mut session);
    session.edit(Edit::target(target("gaussian-grid", &[]))).unwrap();
    session.advance(100);
    set(&mut session, 2, METHOD, Value::Choice("sgnht"));
    session.edit(Edit::target(target("normal-gamma", &[("boundary", Value::Choice("log"))]))).unwrap();
    session.advance(300);
    same(&mut replayed(&session), &mut session);
    session.apply(Command::Seek(250)).unwrap();
    same(&mut replayed(&session), &mut session);
}

#[test]
fn an_event_after_a_run_was_made_longer_can_be_replayed() {
    let mut session = session();
    session.advance(100);
    let set = |session: &mut Session, path: &str, value: f64| {
        session.edit(Edit::Set { run: 0, path: path.to_owned(), value: Value::Number(value) }).unwrap();
    };
    set(&mut session, "steps", 4000.0);
    session.advance(3000);
    set(&mut session, "step_size.value", 0.001);
    session.edit(Edit::target(target("bivariate-mixture", &[("likelihood_variance", Value::Number(3.0))]))).unwrap();
    session.advance(50);
    same(&mut replayed(&session), &mut session);
}

/// A parameter that a run starts with, or one of a finished run, makes the runs be computed again up to the present step.
#[test]
fn no_change_of_a_run_takes_the_others_back_to_the_start() {
    let mut session = session();
    session.advance(700);
    for (run, path, value) in [(0, "chains", 8.0), (1, "step_size.value", 0.003)] {
        session.edit(Edit::Set { run, path: path.to_owned(), value: Value::Number(value) }).unwrap();
        assert_eq!(session.step(), 700, "{path}");
    }
    assert_eq!(session.frame().runs[0].positions.len(), 8);
    same(&mut replayed(&session), &mut session);
}

/// A chain that has diverged under Langevin steps makes no proposals under the next method.
#[test]
fn chains_that_have_diverged_propose_nothing() {
    let text = SCENARIO.replace("value = 0.002", "value = 1e9");
    let mut session = Session::new(scenario::read(&text, "lost.toml", Path::new(".")).unwrap()).unwrap();
    session.advance(300);
    assert_eq!(session.frame().runs[1].diverged.len(), 1);
    session.edit(Edit::Set { run: 1, path: METHOD.to_owned(), value: Value::Choice("mala") }).unwrap();
    session.advance(50);
    assert_eq!(session.frame().runs[1].acceptance.proposals, 0);
}

/// Values that differ from the one a parameter has, as far as there are any without a file.
fn others(spec: &ParamSpec, value: Option<&Value>) -> Vec<Value> {
    let values = match spec.ty {
        ParamType::Number { slider: (low, high), .. } => {
            vec![0.7 * low + 0.3 * high, low, high].into_iter().map(Value::Number).collect()
        }
        ParamType::Integer { slider: (low, high), .. } => {
            let now = if let Some(Value::Number(now)) = value { *now } else { low };
            vec![now + 1.0, now - 1.0, low, high].into_iter().map(Value::Number).collect()
        }
        ParamType::Flag => vec![Value::Flag(true), Value::Flag(false)],
        ParamType::Choice(choices) => choices.iter().map(|choice| Value::Choice(choice.name)).collect(),
        ParamType::Pair { .. } => vec![Value::Pair([2.0, 3.0])],
        ParamType::Covariance => vec![Value::Covariance([[2.0, 0.1], [0.1, 1.0]])],
        ParamType::Points { .. } => vec![Value::Points(vec![[-1.0, 0.5], [0.25, 1.0], [1.0, -0.5]])],
        ParamType::Knots => vec![Value::Points(vec![[1.0, 0.01], [100.0, 0.005]])],
        ParamType::Group(kinds) => {
            let complete = kinds.iter().map(Settings::defaults).filter(|group| group.missing().count() == 0);
            complete.map(Value::Group).collect()
        }
        ParamType::List(kind) => vec![Value::List(vec![Settings::defaults(kind)])],
        ParamType::Named => {
            let mut numbers = if let Some(Value::Named(now)) = value { now.clone() } else { Vec::new() };
            numbers.iter_mut().for_each(|number| number.value *= 0.75);
            vec![Value::Named(numbers)]
        }
        ParamType::Picture => vec![Value::Picture(Picture::new(3, vec![0, 9, 0, 30, 0, 61]).unwrap())],
        ParamType::Text => Vec::new(),
    };
    let same = |other: &Value| value == Some(other);
    values.into_iter().filter(|other| !same(other)).collect()
}

/// All parameters of settings by their paths, those within groups too.
fn parameters(settings: &Settings) -> Vec<(String, &'static ParamSpec, Option<&Value>)> {
    let mut found = Vec::new();
    for spec in settings.kind.params {
        let value = settings.get(spec.key);
        found.push((spec.key.to_owned(), spec, value));
        if let Some(Value::Group(group)) = value {
            let within = parameters(group).into_iter();
            found.extend(within.map(|(path, inner, value)| (format!("{}.{path}", spec.key), inner, value)));
        }
    }
    found
}

/// Parameters that cannot change alone, with a reason: end points of a schedule change together, the Metropolis rule of
/// HMC excludes noisy gradients, time steps have one convention, and only topics have local steps.
fn alone(method: &str, path: &str) -> bool {
    let scale = find_kind(&METHODS, method).and_then(methods::step).map(|step| step.scale);
    let timed = scale != Some(StepScale::Langevin) && path == "step_size.convention";
    // Adaptation needs the acceptance of proposals.
    let others = [("hmc", "gradient"), ("hmc", "metropolis"), ("cavi", "local_start")];
    ["step_size.first", "step_size.last"].contains(&path) || others.contains(&(method, path)) || timed
}

#[test]
fn no_parameter_of_any_method_needs_a_restart() {
    METHODS.par_iter().for_each(|method| {
        let target = match method.name {
            "anchored-ensemble" => "linear-regression",
            "mc-dropout" => "network",
            "collapsed-gibbs" | "sgrld" => "topics\"\ncorpus.kind = \"triangle\"\ncorpus.documents = 20 #",
            _ => "bivariate-mixture",
        };
        let text = format!(
            "format = 1\nseed = 2\n[target]\nkind = \"{target}\"\n[[run]]\nname = \"one\"\nmethod = \"{}\"\nsteps = 400\n",
            method.name
        );
        let scenario = scenario::read(&text, "method.toml", Path::new(".")).unwrap();
        let settings = scenario.runs[0].settings.clone();
        let mut session = Session::new(scenario.clone()).unwrap();
        session.advance(200);
        for (path, spec, value) in parameters(&settings) {
            session.edit(Edit::Replace(Box::new(scenario.clone()))).unwrap();
            let set = |value: &Value, session: &mut Session| {
                session.edit(Edit::Set { run: 0, path: path.clone(), value: value.clone() }).is_ok()
            };
            let candidates = others(spec, value);
            let taken = candidates.iter().any(|value| set(value, &mut session));
            assert!(taken || candidates.is_empty() || alone(method.name, &path), "{} {path}", method.name);
            assert_eq!(session.step(), 200, "{} {path}", method.name);
        }
    });
}

#[test]
fn no_parameter_of_any_density_needs_a_restart() {
    // Topics start again: the documents of the steps so far have been others.
    TARGETS.par_iter().filter(|kind| kind.name != "topics").for_each(|kind| {
        let text = format!(
            "format = 1\nseed = 2\n[target]\nkind = \"{}\"\n[[run]]\nname = \"one\"\nmethod = \"sgld\"\nsteps = 400\n\
             step_size = {{ kind = \"constant\", value = 1e-5 }}\n",
            kind.name
        );
        let scenario = scenario::read(&text, "target.toml", Path::new(".")).unwrap();
        let mut session = Session::new(scenario.clone()).unwrap();
        let dimension = session.frame().target.dimension();
        session.advance(200);
        for (path, spec, value) in parameters(&scenario.target) {
            let candidates = others(spec, value);
            let set = |value: &Value| {
                let mut target = scenario.target.clone();
                target.set(&path, value.clone()).is_ok() && session.edit(Edit::target(target)).is_ok()
            };
            // What is a log density is no density, and its negative cannot be normalised.
            let alone = (kind.name, path.as_str()) == ("formula", "form");
            assert!(candidates.is_empty() || candidates.iter().any(set) != alone, "{} {path}", kind.name);
            // A target of another dimension has other chains.
            let starts_again = session.frame().target.dimension() != dimension;
            assert_eq!(session.step(), if starts_again { 0 } else { 200 }, "{} {path}", kind.name);
            if starts_again {
                session = Session::new(scenario.clone()).unwrap();
                session.advance(200);
            }
        }
    });
}

/// Chains that are kept move on in z from where they are in θ: a walk with next to no steps stays.
#[test]
fn chains_keep_their_means_in_another_parametrisation() {
    let text = r#"
format = 1
seed = 3
[target]
kind = "hierarchical-normal"
parametrisation = "centred"
[[run]]
name = "walk"
method = "random-walk"
step_size = { kind = "constant", value = 1e-9 }
start = { kind = "point", x = 28.0, y = 1.0 }
chains = 3
steps = 20
[[event]]
step = 10
target = { kind = "hierarchical-normal", parametrisation = "non-centred" }
"#;
    let mut session = Session::new(scenario::read(text, "schools.toml", Path::new(".")).unwrap()).unwrap();
    let vectors = |session: &Session| {
        let newest = session.frame().runs[0].newest_vectors.clone().unwrap();
        (0..3).map(|chain| newest.positions.vector(chain).collect::<Vec<f64>>()).collect::<Vec<_>>()
    };
    session.advance(10);
    let before = vectors(&session);
    session.advance(10);
    let after = vectors(&session);
    assert!((before[0][0] - 28.0).abs() < 0.01, "{before:?}");
    for (theta, z) in before.iter().zip(&after) {
        let (mu, tau) = (z[8], z[9].exp());
        for group in 0..8 {
            assert!((mu + tau * z[group] - theta[group]).abs() < 0.01, "group {group}: {theta:?}, {z:?}");
        }
        assert!((z[0] - theta[0]).abs() > 1.0, "z is another number");
    }
}

//! Decisions about edits, as a table: what is asked for, when, and what it does to the runs.

use std::path::Path;

use super::super::{Change, Edit, Effect, METHOD, Moment, Pacing, Scenario, decide, read};
use base::params::{Settings, Value, find_kind};
use models::targets::TARGETS;
use samplers::methods::METHODS;

const TWO_RUNS: &str = r#"
format = 1
seed = 5
[target]
kind = "gaussian-grid"
[[run]]
name = "long"
method = "sgld"
steps = 2000
[[run]]
name = "SGLD"
method = "sgld"
steps = 400
"#;

fn scenario() -> Scenario {
    read(TWO_RUNS, "two-runs.toml", Path::new(".")).unwrap()
}

/// In Watch, after `step` steps.
fn watch(step: u64) -> Moment {
    Moment { pacing: Pacing::Watch, step, finished: step >= 2000, runs: vec![step, step.min(400)] }
}

fn instant(step: u64) -> Moment {
    Moment { pacing: Pacing::Instant, ..watch(step) }
}

fn set(run: usize, path: &str, value: f64) -> Edit {
    Edit::Set { run, path: path.to_owned(), value: Value::Number(value) }
}

fn target(keep_chains: bool, restart: bool) -> Edit {
    let target = Settings::defaults(find_kind(&TARGETS, "gaussian").unwrap());
    Edit::Target { target, keep_chains, restart }
}

fn method(run: usize) -> Edit {
    Edit::Method { run, kind: find_kind(&METHODS, "csgld").unwrap() }
}

fn ensemble(run: usize) -> Edit {
    Edit::Method { run, kind: find_kind(&METHODS, "deep-ensemble").unwrap() }
}

fn event(run: usize, step: u64) -> Effect {
    Effect::Event { run: Some(run), step }
}

#[test]
fn every_edit_has_the_effect_that_suits_its_moment() {
    let rebuild = |step| Effect::Rebuild { step };
    let end = rebuild(u64::MAX);
    let live = || set(0, "step_size.gamma", 0.7);
    let fixed = || set(0, "chains", 8.0);
    let short = || set(1, "step_size.gamma", 0.7);
    let another = || Box::new(scenario());
    let table = [
        ("a live parameter", live(), watch(0), rebuild(0)),
        ("a live parameter", live(), watch(700), event(0, 700)),
        ("a live parameter", live(), watch(2000), Effect::Restart),
        ("a live parameter", live(), instant(700), end),
        ("a live parameter of a run that has ended", short(), watch(700), rebuild(700)),
        ("a parameter that a run starts with", fixed(), watch(700), rebuild(700)),
        ("a parameter that a run starts with", fixed(), watch(2000), Effect::Restart),
        ("a parameter that a run starts with", fixed(), instant(2000), end),
        ("a parameter of no run", set(2, "chains", 8.0), watch(700), Effect::Nothing),
        ("a method", method(0), watch(0), rebuild(0)),
        ("a method", method(0), watch(700), event(0, 700)),
        ("a method of a run that has ended", method(1), watch(700), rebuild(700)),
        ("a method", method(0), watch(2000), rebuild(2000)),
        ("a method", method(0), instant(700), end),
        ("a method that starts from the prior", ensemble(0), watch(700), rebuild(700)),
        ("a method of no run", method(2), watch(700), Effect::Nothing),
        ("a target, chains kept", target(true, true), watch(0), Effect::Restart),
        ("a target, chains kept", target(true, false), watch(0), rebuild(0)),
        ("a target, chains kept", target(true, true), watch(700), Effect::Event { run: None, step: 700 }),
        ("a target, chains kept", target(true, true), watch(2000), Effect::Restart),
        ("a target, chains kept", target(true, true), instant(700), end),
        ("a target, chains not kept", target(false, false), watch(700), rebuild(700)),
        ("a target, chains not kept", target(false, true), watch(700), Effect::Restart),
        ("another scenario", Edit::Load(another()), watch(700), Effect::Restart),
        ("another scenario", Edit::Load(another()), instant(700), end),
        ("another version", Edit::Replace(another()), watch(700), rebuild(700)),
        ("another version", Edit::Replace(another()), instant(700), end),
        ("another seed", Edit::Reseed(6), watch(700), Effect::Restart),
        ("another seed", Edit::Reseed(6), instant(700), end),
    ];
    for (what, edit, moment, expected) in table {
        let (edited, effect) = decide(&scenario(), edit.clone(), &moment).unwrap();
        assert_eq!(effect, expected, "{what}: {edit:?} at {moment:?}");
        let steps: Vec<u64> = edited.events.iter().map(|event| event.step).collect();
        let expected = if let Effect::Event { step, .. } = effect { vec![step] } else { Vec::new() };
        assert_eq!(steps, expected, "{what}: events after {edit:?} at {moment:?}");
        assert_eq!(edited == scenario(), matches!(edit, Edit::Load(_) | Edit::Replace(_)) || effect == Effect::Nothing);
    }
}

#[test]
fn an_edit_from_the_start_takes_back_the_events_that_it_contradicts() {
    let (with_event, _) = decide(&scenario(), set(0, "step_size.gamma", 0.7), &watch(700)).unwrap();
    let (edited, _) = decide(&with_event, set(0, "step_size.gamma", 0.6), &instant(700)).unwrap();
    assert!(edited.events.is_empty());
    let (with_target, _) = decide(&with_event, target(true, true), &watch(700)).unwrap();
    assert_eq!(with_target.events.len(), 2);
    let (edited, _) = decide(&with_target, target(false, false), &watch(700)).unwrap();
    assert_eq!((edited.target.kind.name, edited.events.len()), ("gaussian", 1));
}

#[test]
fn a_run_that_has_the_name_of_its_method_takes_the_name_of_the_new_one() {
    let names = |run| -> Vec<String> {
        let (edited, _) = decide(&scenario(), method(run), &watch(0)).unwrap();
        edited.runs.into_iter().map(|run| run.name).collect()
    };
    assert_eq!(names(0), ["long", "SGLD"]);
    assert_eq!(names(1), ["long", "cSGLD"]);
    let (during, _) = decide(&scenario(), method(1), &watch(300)).unwrap();
    assert_eq!(during.runs[1].name, "SGLD", "a run under way keeps its name");
    let Change::Run { set, .. } = &during.events[0].change else { panic!("an event of a run") };
    assert_eq!(set.get(METHOD), Some(&Value::Choice("csgld")));
}

#[test]
fn what_is_not_allowed_is_an_error_at_every_moment() {
    for moment in [watch(0), watch(700), watch(2000), instant(700)] {
        let error = decide(&scenario(), set(0, "step_size.gamma", -1.0), &moment).unwrap_err();
        assert_eq!(error.to_string(), "run[0].step_size.gamma: -1 is out of range; allowed: above 0");
        let error = decide(&scenario(), set(0, "step_size.zeta", 1.0), &moment).unwrap_err();
        assert!(error.to_string().starts_with("run[0].step_size.zeta: no such parameter"), "{error}");
    }
    let error = decide(&scenario(), set(0, "steps", 500.0), &watch(700)).unwrap_err();
    assert_eq!(error.problem, "700 steps have been taken already", "a run cannot end before the step it has reached");
    assert!(decide(&scenario(), set(0, "steps", 500.0), &watch(2000)).is_ok());
}

/// An ensemble has members of its own: it cannot take over the chains of a run, and one chain is none.
#[test]
fn ensembles_begin_with_a_run() {
    let edited = decide(&scenario(), ensemble(0), &watch(700)).unwrap().0;
    assert!(edited.events.is_empty());
    let settings = &edited.runs[0].settings;
    assert_eq!((settings.kind.name, settings.count("chains")), ("deep-ensemble", 10));
    assert!((settings.group("step_size").unwrap().number("value") - 0.01).abs() < 1e-15, "a learning rate");
    let text = format!("{TWO_RUNS}[[event]]\nrun = \"SGLD\"\nstep = 9\nset = {{ method = \"deep-ensemble\" }}\n");
    let errors = read(&text, "x.toml", Path::new(".")).unwrap_err();
    assert!(errors.to_string().contains("starts at draws from the prior"), "{errors}");
}

//! Edits of a scenario, one by one.

use super::super::{Caption, Event, Folder, METHOD, Scenario, ViewSpec, assemble, default_run};
use super::small;
use base::params::{Settings, Value, find_kind};
use models::targets::TARGETS;
use samplers::methods::{GRADIENTS, METHODS};
use samplers::schedules::SCHEDULES;

fn scenario() -> Scenario {
    let run = default_run(find_kind(&METHODS, "sgld").unwrap());
    Scenario {
        title: String::new(),
        caption: Caption::default(),
        challenges: Vec::new(),
        sweep: None,
        view: ViewSpec::default(),
        seed: 1,
        budget: None,
        target: Settings::defaults(&small::TARGETS[0]),
        runs: vec![run],
        events: Vec::new(),
        folder: "".into(),
    }
}

fn names(scenario: &Scenario) -> Vec<&str> {
    scenario.runs.iter().map(|run| run.name.as_str()).collect()
}

#[test]
fn every_method_gives_a_run_with_a_legal_name() {
    for method in &METHODS {
        let run = default_run(method);
        assert_eq!(super::super::edit::check_name(&run.name, std::iter::empty()), Ok(()), "{}", run.name);
    }
}

#[test]
fn parameters_change_in_one_run_only() {
    let before = scenario().with_copy_of("SGLD").unwrap();
    let after = before.with_parameter("SGLD 2", "step_size.gamma", Value::Number(0.7)).unwrap();
    assert_eq!(after.runs[0], before.runs[0]);
    assert_eq!(after.runs[1].settings.at("step_size.gamma"), Some(&Value::Number(0.7)));
    let error = before.with_parameter("SGLD 2", "step_size.gamma", Value::Number(-1.0)).unwrap_err();
    assert_eq!(error.to_string(), "run[1].step_size.gamma: -1 is out of range; allowed: above 0");
    let error = before.with_parameter("HMC", "steps", Value::Number(1.0)).unwrap_err();
    assert_eq!(error.to_string(), "run: there is no run \"HMC\"; allowed: SGLD, SGLD 2");
}

#[test]
fn another_method_keeps_what_both_have() {
    let before = scenario().with_parameter("SGLD", "chains", Value::Number(4.0)).unwrap();
    let after = before.with_method("SGLD", find_kind(&METHODS, "csgld").unwrap()).unwrap();
    assert_eq!(after.runs[0].settings.kind.name, "csgld");
    assert_eq!(after.runs[0].settings.count("chains"), 4);
}

#[test]
fn runs_come_and_go_under_names_of_their_own() {
    let run = || default_run(find_kind(&METHODS, "sgld").unwrap());
    let three = scenario().with_run(run()).with_run(run());
    assert_eq!(names(&three), ["SGLD", "SGLD 2", "SGLD 3"]);
    assert_eq!(names(&three.without_run("SGLD 2").unwrap().with_run(run())), ["SGLD", "SGLD 3", "SGLD 2"]);
    assert_eq!(names(&three.with_copy_of("SGLD 2").unwrap()), ["SGLD", "SGLD 2", "SGLD 4", "SGLD 3"]);
    assert_eq!(
        scenario().without_run("SGLD").unwrap_err().to_string(),
        "run: the only run cannot be removed; allowed: one or more runs"
    );
}

#[test]
fn events_are_kept_in_order_and_follow_their_run() {
    let gamma = |value: f64| Value::Number(value);
    let changed = scenario()
        .with_event("SGLD", 20, "step_size.gamma", gamma(0.6))
        .and_then(|scenario| scenario.with_event("SGLD", 10, "step_size.gamma", gamma(0.7)))
        .and_then(|scenario| scenario.with_event("SGLD", 10, "step_size.a", gamma(0.1)))
        .unwrap();
    assert_eq!(changed.events.iter().map(|event| event.step).collect::<Vec<_>>(), [10, 20]);
    let at = |step| changed.settings_at(&changed.runs[0], step).at("step_size.gamma").cloned();
    assert_eq!([at(9), at(10), at(20)], [0.55, 0.7, 0.6].map(|number| Some(gamma(number))));

    let renamed = changed.with_copy_of("SGLD").and_then(|scenario| scenario.with_name("SGLD", "First")).unwrap();
    let runs: Vec<_> = renamed.events.iter().filter_map(Event::run).collect();
    assert_eq!(runs, ["First", "SGLD 2", "First", "SGLD 2"]);
    assert_eq!(renamed.without_run("First").unwrap().events.len(), 2);
}

#[test]
fn a_change_from_step_0_drops_the_events_that_it_contradicts() {
    let target = Settings::defaults(find_kind(&TARGETS, "gaussian").unwrap());
    let changed = Scenario { target, ..scenario() }
        .with_event("SGLD", 10, "step_size.gamma", Value::Number(0.7))
        .and_then(|scenario| scenario.with_event("SGLD", 20, "step_size.a", Value::Number(0.1)))
        .and_then(|scenario| scenario.with_event("SGLD", 40_000, "step_size.a", Value::Number(0.2)))
        .unwrap();
    let events = |path, value| {
        let edited = changed.with_parameter("SGLD", path, value).unwrap();
        assert!(edited.build().is_ok(), "{path}");
        edited.events.iter().map(|event| event.step).collect::<Vec<_>>()
    };
    assert_eq!(events("chains", Value::Number(2.0)), [10, 20, 40_000]);
    assert_eq!(events("step_size.gamma", Value::Number(0.6)), [20, 40_000]);
    assert_eq!(events("steps", Value::Number(1000.0)), [10, 20]);
    let constant = Settings::defaults(find_kind(&SCHEDULES, "constant").unwrap());
    assert_eq!(events("step_size", Value::Group(constant)), [0_u64; 0]);
}

#[test]
fn events_that_cannot_be_are_refused() {
    let refused = |step, path, value| scenario().with_event("SGLD", step, path, value).unwrap_err().to_string();
    assert_eq!(
        refused(50_000, "step_size.a", Value::Number(1.0)),
        "event[0].step: the run ends before step 50001; allowed: from 0 to 49999"
    );
    assert!(
        refused(5, "chains", Value::Number(2.0))
            .starts_with("run[0].chains: cannot change while a run is under way; allowed: ")
    );
    assert!(refused(5, "step_size.zeta", Value::Number(2.0)).starts_with("run[0].step_size.zeta: no such parameter"));
}

#[test]
fn names_can_be_names_of_files() {
    let two = scenario().with_copy_of("SGLD").unwrap();
    for (name, problem) in [
        ("", "\"\" is empty, or starts or ends with a space"),
        (" a", "\" a\" is empty, or starts or ends with a space"),
        ("../a", "\"../a\" cannot be a name"),
        ("a/b", "\"a/b\" cannot be a name"),
        ("a\nb", "\"a\\nb\" cannot be a name"),
        ("sgld 2", "two runs are called \"sgld 2\""),
        (&"x".repeat(61), "the name is too long"),
    ] {
        assert_eq!(two.with_name("SGLD", name).unwrap_err().problem, problem);
    }
    assert_eq!(names(&two.with_name("SGLD", "sgld").unwrap()), ["sgld", "SGLD 2"]);
}

#[test]
fn a_target_during_a_run_is_one_event_a_step_and_is_dropped_by_a_target_from_step_0() {
    let scenario = scenario();
    let kind = |name| Settings::defaults(find_kind(&TARGETS, name).unwrap());
    let (grid, mixture) = (kind("gaussian-grid"), kind("gaussian-mixture"));
    let changed = scenario.with_target_event(30, grid.clone()).with_target_event(50, grid.clone());
    let changed = changed.with_target_event(30, mixture.clone());
    let steps: Vec<_> =
        changed.events.iter().filter(|event| event.target().is_some()).map(|event| event.step).collect();
    assert_eq!(steps, [30, 50]);
    assert_eq!(changed.target_at(29), &scenario.target);
    assert_eq!((changed.target_at(30), changed.target_at(99)), (&mixture, &grid));
    assert_eq!(changed.with_whole_target(mixture).events, scenario.events);
}

#[test]
fn a_method_during_a_run_keeps_what_both_have() {
    let run = default_run(find_kind(&METHODS, "sgld").unwrap());
    let scenario = Scenario { runs: vec![run], ..scenario() };
    let name = scenario.runs[0].name.clone();
    let changed = scenario.with_event(&name, 30, METHOD, Value::Choice("csgld")).unwrap();
    let settings = changed.settings_at(&changed.runs[0], 30);
    assert_eq!((settings.kind.name, settings.count("steps")), ("csgld", 50_000));
    assert_eq!(settings.group("step_size").unwrap().kind.name, "polynomial");
    assert_eq!(changed.settings_at(&changed.runs[0], 29).kind.name, "sgld");
    let error = scenario.with_event(&name, 30, METHOD, Value::Choice("nested")).unwrap_err();
    assert!(error.allowed.contains("csgld"), "{error}");
}

/// HMC accepts no noisy gradients under Metropolis' rule, and MALA no stages without noise.
#[test]
fn settings_that_do_not_suit_a_new_method_change_with_it() {
    let kind = |name| find_kind(&METHODS, name).unwrap();
    let mut run = default_run(kind("csgld"));
    run.settings.set("gradient", Value::Group(Settings::defaults(&GRADIENTS[1]))).unwrap();
    let scenario = Scenario { runs: vec![run], ..scenario() };
    let name = scenario.runs[0].name.clone();
    for (method, gradient) in [("hmc", "exact"), ("mala", "noisy"), ("sghmc", "noisy")] {
        let from_start = scenario.with_method(&name, kind(method)).unwrap().runs[0].settings.clone();
        let event = scenario.with_event(&name, 30, METHOD, Value::Choice(kind(method).name)).unwrap();
        let on_the_way = event.settings_at(&event.runs[0], 30);
        for settings in [from_start, on_the_way] {
            assert!(assemble::method_errors(&settings, &Folder::default()).is_empty(), "{method}");
            assert_eq!(settings.group("gradient").unwrap().kind.name, gradient, "{method}");
            assert_eq!(settings.group("step_size").unwrap().kind.name, "cyclical", "{method}");
        }
    }
}

/// Settings that suit the new method stay: MALA knows the convention, but cannot have stages without noise.
#[test]
fn settings_that_suit_a_new_method_stay() {
    let kind = |name| find_kind(&METHODS, name).unwrap();
    let mut run = default_run(kind("csgld"));
    run.settings.set("step_size.convention", Value::Choice("welling-teh")).unwrap();
    run.settings.set("step_size.exploration_noise", Value::Flag(false)).unwrap();
    let scenario = Scenario { runs: vec![run], ..scenario() };
    let mala = scenario.with_method(&scenario.runs[0].name, kind("mala")).unwrap().runs[0].settings.clone();
    assert_eq!(mala.at("step_size.convention"), Some(&Value::Choice("welling-teh")));
    assert_eq!(mala.at("step_size.exploration_noise"), Some(&Value::Flag(true)));
}

/// Parameters and then the method, at one step during a run: parameters that the new method does not have are dropped.
#[test]
fn changes_at_one_step_go_together() {
    let kind = |name| find_kind(&METHODS, name).unwrap();
    let scenario = Scenario { runs: vec![default_run(kind("sghmc"))], ..scenario() };
    let set = |scenario: Scenario, path: &str, value| scenario.with_event("SGHMC", 30, path, value).unwrap();
    let changed = set(scenario, "friction", Value::Number(0.2));
    let changed = set(changed, "step_size.value", Value::Number(0.02));
    let other = set(changed.clone(), METHOD, Value::Choice("langevin"));
    let paths: Vec<_> = other.events[0].changes_of("SGHMC").unwrap().keys().cloned().collect();
    assert_eq!(paths, ["method", "step_size.value"]);
    let cyclical = Settings::defaults(find_kind(&SCHEDULES, "cyclical").unwrap());
    let other = set(changed, "step_size", Value::Group(cyclical));
    let paths: Vec<_> = other.events[0].changes_of("SGHMC").unwrap().keys().cloned().collect();
    assert_eq!(paths, ["friction", "step_size"]);
}

/// A method and its parameter, in one event, survive an edit of another parameter from step 0.
#[test]
fn an_edit_from_the_start_keeps_methods_with_their_parameters() {
    let scenario = scenario().with_event("SGLD", 30, METHOD, Value::Choice("sghmc")).unwrap();
    let scenario = scenario.with_event("SGLD", 30, "friction", Value::Number(0.2)).unwrap();
    let edited = scenario.with_parameter("SGLD", "chains", Value::Number(3.0)).unwrap();
    assert_eq!(edited.events, scenario.events);
    let target = scenario.with_target_event(40_000, scenario.target.clone());
    let shorter = target.with_parameter("SGLD", "steps", Value::Number(1000.0)).unwrap();
    assert_eq!(shorter.events, scenario.events, "no run lasts until the target changes");
}

/// Each method can follow each other one, whatever its gradients and its schedule.
#[test]
fn every_method_can_take_the_place_of_every_other() {
    for from in &METHODS {
        let mut run = default_run(from);
        for kind in GRADIENTS.iter().take(2) {
            if run.settings.set("gradient", Value::Group(Settings::defaults(kind))).is_err() {
                continue;
            }
            for schedule in &SCHEDULES {
                let schedule = Value::Group(Settings::defaults(schedule));
                if run.settings.set("step_size", schedule).is_err()
                    || !assemble::method_errors(&run.settings, &Folder::default()).is_empty()
                {
                    continue;
                }
                run.settings.set("step_size.convention", Value::Choice("welling-teh")).unwrap();
                let scenario = Scenario { runs: vec![run.clone()], ..scenario() };
                for to in &METHODS {
                    let other = scenario.with_method(&run.name, to).unwrap();
                    assert!(
                        assemble::method_errors(&other.runs[0].settings, &Folder::default()).is_empty(),
                        "{} to {}",
                        from.name,
                        to.name
                    );
                    let later = scenario.with_event(&run.name, 30, METHOD, Value::Choice(to.name));
                    if samplers::methods::begins_anew(to).is_some() {
                        assert_eq!(later.unwrap_err().path, "event[0].set.method");
                        continue;
                    }
                    let later = later.unwrap();
                    let settings = later.settings_at(&later.runs[0], 30);
                    assert!(
                        assemble::method_errors(&settings, &Folder::default()).is_empty(),
                        "{} to {} later",
                        from.name,
                        to.name
                    );
                }
            }
        }
    }
}

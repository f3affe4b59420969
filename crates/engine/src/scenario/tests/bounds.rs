//! Bounds of a scenario: size, numbers of runs, events and errors, lengths of messages; and that the largest scenario is
//! read and built in time and memory that grow with its length and no faster.

use std::fmt::Write;
use std::path::Path;

use super::super::{MAX_BYTES, MAX_EVENTS, MAX_RUNS, MAX_TARGET_EVENTS, ScenarioErrors, read};

const HEAD: &str = "format = 1\n[target]\nkind = \"gaussian\"\n";

fn refused(text: &str) -> ScenarioErrors {
    read(text, "s.toml", Path::new("")).unwrap_err()
}

fn runs(number: usize) -> String {
    (0..number).fold(HEAD.to_owned(), |mut text, run| {
        write!(text, "[[run]]\nname = \"r{run}\"\nmethod = \"sgld\"\n").unwrap();
        text
    })
}

fn events(number: usize) -> String {
    (0..number).fold(runs(1), |mut text, step| {
        let value = 0.001 + 1e-7 * f64::from(u32::try_from(step).unwrap());
        write!(text, "[[event]]\nrun = \"r0\"\nstep = {step}\nset = {{ step_size = {{ kind = \"constant\", value = {value} }} }}\n")
            .unwrap();
        text
    })
}

/// Without a bound for every one of them this takes minutes and gigabytes.
#[test]
fn the_largest_scenario_is_read_and_built() {
    assert_eq!(read(&runs(MAX_RUNS), "s.toml", Path::new("")).unwrap().build().unwrap().runs.len(), MAX_RUNS);
    let scenario = read(&events(MAX_EVENTS), "s.toml", Path::new("")).unwrap();
    let segments = &scenario.build().unwrap().runs[0].segments;
    // The event at step 0 replaces the first segment.
    assert_eq!(segments.len(), MAX_EVENTS);
    assert_eq!(segments.last().unwrap().from, MAX_EVENTS as u64 - 1);
}

#[test]
fn a_scenario_above_a_bound_is_refused() {
    let one = |text: &str, problem: &str, allowed: &str| {
        let refused = refused(text);
        assert_eq!((refused.errors.len(), refused.more), (1, 0), "{refused}");
        let error = &refused.errors[0];
        assert!(error.problem.contains(problem) && error.allowed.contains(allowed), "{error}");
        error.line
    };
    assert_eq!(one(&runs(MAX_RUNS + 1), "there are 65 of them", "at most 64 [[run]] tables"), 4 + 3 * 64);
    one(&events(MAX_EVENTS + 1), "there are 10001 of them", "at most 10000");
    one(&" ".repeat(MAX_BYTES + 1), "4194305 bytes are too many", "at most 4194304");
    let targets = (0..=MAX_TARGET_EVENTS).fold(runs(1), |mut text, step| {
        write!(text, "[[event]]\nstep = {step}\ntarget = {{ kind = \"banana\" }}\n").unwrap();
        text
    });
    one(&targets, "there are 101 events that change the target", "at most 100");
    let knots: Vec<String> = (1..=1001).map(|step| format!("[{step}, 0.1]")).collect();
    one(
        &format!("{}step_size = {{ kind = \"custom\", knots = [{}] }}\n", runs(1), knots.join(",")),
        "1001 knots",
        "1000",
    );
}

/// The bounds hold for scenarios that grow in the window as well.
#[test]
fn a_scenario_above_a_bound_is_not_built() {
    let mut scenario = read(&events(MAX_EVENTS), "s.toml", Path::new("")).unwrap();
    scenario.events.push(scenario.events[MAX_EVENTS - 1].clone());
    let errors = scenario.build().unwrap_err();
    assert_eq!((errors.len(), errors[0].allowed.as_str()), (1, "at most 10000"), "{errors:?}");
}

/// As many errors as fit into a file: the first are named, the others counted.
#[test]
fn very_many_errors_are_counted() {
    let keys = (0..300_000).fold(runs(1), |mut text, number| {
        writeln!(text, "k{number} = 1").unwrap();
        text
    });
    let refused = refused(&keys);
    assert_eq!((refused.errors.len(), refused.more), (200, 299_800));
    assert!(refused.to_string().ends_with("\nand 299800 more errors"));
    let wrong = events(MAX_EVENTS).replace("value = 0", "value = -1");
    assert_eq!(self::refused(&wrong).errors.len(), 200);
}

/// A million characters in every place where a message may quote the file.
#[test]
fn messages_have_a_length() {
    let long = "x".repeat(1_000_000);
    let texts = [
        format!("{long} = 1\n"),
        format!("{HEAD}{long} = 1\n"),
        format!("format = 1\n[target]\nkind = \"{long}\"\n"),
        format!("format = \"{long}\"\n"),
        format!("{HEAD}[[run]]\nname = \"{long}\"\nmethod = \"{long}\"\n"),
        format!("{}{long} = 1\n", runs(1)),
        format!("{}\"{long}\".\"{long}\" = 1\n", runs(1)),
        format!("{}step_size = {{ kind = \"constant\", value = \"{long}\" }}\n", runs(1)),
        format!("{}step_size = {{ kind = \"constant\", value = {} }}\n", runs(1), "9".repeat(1_000_000)),
        format!("{}[[event]]\nrun = \"{long}\"\nstep = 1\nset = {{ {long} = 1 }}\n", runs(1)),
        format!("{}[[event]]\nrun = \"r0\"\nstep = 1\nset = {{ {long}.{long} = 1 }}\n", runs(1)),
        format!("{HEAD}[[run]]\nname = \"r\"\nmethod = \"sgld\"\ngradient = {{ kind = \"{long}\" }}\n"),
        format!("{long} {long}\n"),
        format!("a = {long}\n"),
        format!("a = \"{long}\n"),
        format!("a = \"\\{long}\"\n"),
    ];
    for text in texts {
        let refused = refused(&text);
        let longest = refused.errors.iter().map(|error| error.to_string().len()).max().unwrap();
        assert!(longest < 2600, "{longest}: {}", refused.errors[0]);
        assert!(refused.errors.iter().all(|error| !error.allowed.is_empty() && !error.problem.is_empty()));
    }
}

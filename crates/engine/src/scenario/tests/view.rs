//! Views and captions of files: what is read, what is kept, what is refused.

use std::path::Path;

use super::super::{Caption, Scenario, ScenarioErrors, read, write};

const BASE: &str = "format = 1\ntitle = \"x\"\n[target]\nkind = \"gaussian\"\n[[run]]\nname = \"A\"\nmethod = \"sgld\"\n[[run]]\n\
                    name = \"B b\"\nmethod = \"sgld\"\n";

fn with_view(view: &str) -> Result<Scenario, ScenarioErrors> {
    read(&format!("{BASE}[view]\n{view}"), "x.toml", Path::new("."))
}

#[test]
fn unknown_entries_are_kept_and_told() {
    let text = "tab = \"trace\"\noptions = { coordinate = \"y\", colour = [1, 0x2] }\nzoom = { \"a b\" = 1.50, c = 2026-01-01 }\nlayer = 1\n";
    let scenario = with_view(text).unwrap();
    assert_eq!(
        scenario.warnings(),
        [
            "view.zoom: this version does not know the entry, and keeps it",
            "view.layer: this version does not know the entry, and keeps it, did you mean \"layers\"?",
            "view.options.colour: this version does not know the entry, and keeps it",
        ]
    );
    let written = write(&scenario);
    for line in [
        "options = { coordinate = \"y\", colour = [1, 0x2] }",
        "zoom = { \"a b\" = 1.50, c = 2026-01-01 }",
        "layer = 1",
    ] {
        assert!(written.lines().any(|written| written == line), "{line}\n{written}");
    }
    assert_eq!(read(&written, "x.toml", Path::new(".")).unwrap(), scenario);
}

/// What is set although it needs something else that is not, in any order, and through a round trip.
#[test]
fn parameters_without_effect_are_told() {
    let warnings = |settings: &str| {
        let text = BASE.replacen("method = \"sgld\"", &format!("method = \"nuts\"\n{settings}"), 1);
        let scenario = read(&text, "x.toml", Path::new(".")).unwrap();
        let again = read(&write(&scenario), "x.toml", Path::new(".")).unwrap();
        assert_eq!(again.warnings(), scenario.warnings(), "{settings}");
        scenario.warnings()
    };
    let idle = ["A.warm_up: it has no effect without adapt_step_size or mass"];
    assert_eq!(warnings("mass = \"unit\"\nwarm_up = 500"), idle);
    assert_eq!(warnings("mass = \"unit\"\nwarm_up = 1000"), idle, "also the usual number");
    assert_eq!(warnings("adapt_step_size = false\nwarm_up = 0"), idle);
    assert_eq!(
        warnings("mass = \"dense\"\ntarget_acceptance = 0.9"),
        ["A.target_acceptance: it has no effect without adapt_step_size"]
    );
    for sound in [
        "",
        "warm_up = 500",
        "warm_up = 500\nadapt_step_size = true\ntarget_acceptance = 0.9",
        "mass = \"diagonal\"\nwarm_up = 9",
    ] {
        assert!(warnings(sound).is_empty(), "{sound}");
    }
}

#[test]
fn everything_wrong_in_a_view_is_told_at_once() {
    let text = "tab = \"traze\"\nlayers = [\"density\", \"heat\", 3]\ndraws = \"dots\"\nruns = [\"C\"]\nmeasures = [\"modes_coverd\"]\n\
                layout = 1\narea = [[1, 0], [0, 1]]\nspeed = 0\npause = [0]\nstep = -1\nhidden = \"menu\"\nlocked = [1]\n";
    let errors = with_view(text).unwrap_err();
    let messages: Vec<String> = errors
        .errors
        .iter()
        .map(|error| format!("{}:{} {}: {}", error.line, error.column, error.key, error.problem))
        .collect();
    assert_eq!(
        messages,
        [
            "12:7 view.tab: unknown tab \"traze\", did you mean \"trace\"?",
            "13:22 view.layers[1]: unknown layer \"heat\"",
            "13:30 view.layers[2]: found the number 3",
            "14:9 view.draws: unknown word \"dots\"",
            "15:9 view.runs[0]: unknown run \"C\", did you mean \"A\"?",
            "16:13 view.measures[0]: unknown measure \"modes_coverd\", did you mean \"modes_covered\"?",
            "17:10 view.layout: found the number 1",
            "18:8 view.area: found a list of 2",
            "19:9 view.speed: found the number 0",
            "20:10 view.pause[0]: found the number 0",
            "21:8 view.step: found the number -1",
            "22:10 view.hidden: found text \"menu\"",
            "23:11 view.locked[0]: found the number 1",
        ]
    );
    assert!(errors.errors.iter().all(|error| !error.allowed.is_empty()));
    let options = "tab = \"truth\"\noptions = { measure = \"x\", repeats = 0 }\n";
    let keys: Vec<String> = with_view(options).unwrap_err().errors.into_iter().map(|error| error.key).collect();
    assert_eq!(keys, ["view.options.measure", "view.options.repeats"]);
}

#[test]
fn locks_of_nothing_are_told() {
    let text = "locked = [\"*\", \"step_size\", \"B b.steps\", \"B b\", \"A.stepsize\", \"target.sd\"]\nunlocked = [\"sead\", \"seed\"]\n";
    assert_eq!(
        with_view(text).unwrap().warnings(),
        ["view.locked: nothing here is called \"A.stepsize\"", "view.unlocked: nothing here is called \"sead\""]
    );
}

#[test]
fn a_view_follows_the_names_of_runs() {
    let scenario = with_view("runs = [\"A\", \"B b\"]\nlocked = [\"A.steps\", \"B b\"]\n").unwrap();
    let renamed = scenario.with_name("B b", "C").unwrap();
    assert_eq!(renamed.view.runs.as_deref().unwrap(), ["A", "C"]);
    assert_eq!(renamed.view.locked, ["A.steps", "C"]);
    let less = renamed.without_run("A").unwrap();
    assert_eq!(less.view.runs.as_deref().unwrap(), ["C"]);
    assert!(read(&write(&less), "x.toml", Path::new(".")).is_ok());
}

#[test]
fn a_view_makes_no_other_result() {
    let plain = with_view("").unwrap();
    let viewed = with_view("tab = \"noise\"\nlocked = [\"*\"]\n").unwrap();
    assert!(plain.runs_as(&viewed) && plain.same_but_view(&viewed) && plain != viewed);
}

#[test]
fn a_caption_is_a_text_or_has_parts() {
    let caption = |text: &str| read(&BASE.replacen("title", &format!("{text}\ntitle"), 1), "x.toml", Path::new("."));
    let whole = caption("caption = \"Look.\"").unwrap();
    assert_eq!(whole.caption, Caption::from("Look."));
    assert!(write(&whole).contains("caption = \"Look.\"\n"));
    let parts = caption("caption = { watch = \"Look.\", try = [\"Change it.\"], answer = \"So.\" }").unwrap();
    assert_eq!(parts.caption.texts().collect::<Vec<_>>(), ["Look.", "", "Change it.", "So."]);
    assert_eq!(read(&write(&parts), "x.toml", Path::new(".")).unwrap(), parts);
    let wrong = caption("caption = { look = 1, try = [2], watch = 3 }").unwrap_err();
    let keys: Vec<&str> = wrong.errors.iter().map(|error| error.key.as_str()).collect();
    assert_eq!(keys, ["caption.look", "caption.try[0]", "caption.watch"]);
}

//! Scenarios that are refused, each with the exact messages.

use std::fs;
use std::path::Path;

use proptest::prelude::{ProptestConfig, proptest};

use super::super::{LoadError, load, read};
use base::params::KindSpec;
use models::targets::TARGETS;
use samplers::methods::METHODS;

/// A scenario with nothing wrong; each row below breaks it in one place.
const GOOD: &str = r#"format = 1
title = "T"
seed = 7

[target]
kind = "gaussian-grid"
variance = 0.03

[[run]]
name = "SGLD"
method = "sgld"
steps = 1000
start = { kind = "uniform", low = -10, high = 10 }
gradient = { kind = "noisy", variance = 1, compensate = true }
step_size = { kind = "polynomial", a = 0.05, gamma = 0.55 }
collect = { burn_in = 10, thin = 2 }

[[run]]
name = "cSGLD"
method = "csgld"
steps = 1000
step_size = { kind = "cyclical", cycles = 10 }

[[event]]
run = "cSGLD"
step = 500
set = { "step_size.initial" = 0.05 }
"#;

/// In the good text; put in its place; what is said, without the name of the file.
type Row = (&'static str, &'static str, &'static [&'static str]);

const ROWS: &[Row] = &[
    ("format = 1\n", "", &["1:1: format: is missing; allowed: format = 1"]),
    (
        "format = 1",
        "format = 2",
        &["1:10: format: format 2 is newer than this version of Sampler Lab; allowed: format = 1"],
    ),
    ("format = 1", "format = 0", &["1:10: format: format 0 does not exist; allowed: format = 1"]),
    ("format = 1", r#"format = "1""#, &[r#"1:10: format: found text "1"; allowed: format = 1"#]),
    (r#"title = "T""#, "title = 5", &["2:9: title: found the number 5; allowed: text in quotes"]),
    (
        "seed = 7",
        "seed = 1.5",
        &["3:8: seed: found the number 1.5; allowed: a whole number from 0 to 18446744073709551615"],
    ),
    (
        "seed = 7",
        "sead = 7",
        &["3:1: sead: unknown key, did you mean \"seed\"?; \
             allowed: format, title, caption, seed, budget, target, run, event, challenge, sweep, figure, view"],
    ),
    (
        "[target]\nkind = \"gaussian-grid\"\nvariance = 0.03\n",
        "",
        &["1:1: target: is missing; allowed: a [target] table with a kind"],
    ),
    ("kind = \"gaussian-grid\"\n", "", &["5:1: target.kind: is missing; allowed: {targets}"]),
    (
        r#"kind = "gaussian-grid""#,
        r#"kind = "gaussian-gird""#,
        &[r#"6:8: target.kind: unknown kind "gaussian-gird", did you mean "gaussian-grid"?; allowed: {targets}"#],
    ),
    (
        "variance = 0.03",
        "variance = -0.03",
        &["7:12: target.variance: -0.03 is out of range; allowed: from 0.000001 to 10000"],
    ),
    ("variance = 0.03", "variance = 0", &["7:12: target.variance: 0 is out of range; allowed: from 0.000001 to 10000"]),
    (
        "variance = 0.03",
        r#"variance = "small""#,
        &[r#"7:12: target.variance: found text "small"; allowed: a number, from 0.000001 to 10000"#],
    ),
    (
        "variance = 0.03",
        "variance = nan",
        &["7:12: target.variance: found the number nan; allowed: a number, from 0.000001 to 10000"],
    ),
    (
        "variance = 0.03",
        "varianse = 0.03",
        &["7:1: target.varianse: unknown key, did you mean \"variance\"?; \
             allowed: kind, rows, columns, spacing, variance"],
    ),
    (
        "variance = 0.03",
        "variance = 0.03\nvariance = 0.04",
        &["8:1: not valid TOML: duplicate key; allowed: well-formed TOML"],
    ),
    ("variance = 0.03", "variance = ", &["7:12: not valid TOML: a value is missing; allowed: key = value"]),
    (r#"title = "T""#, r#"title = "T"#, &[r#"2:11: not valid TOML: invalid basic string; allowed: `"`"#]),
    ("name = \"SGLD\"\n", "", &["9:1: run[0].name: is missing; allowed: text in quotes"]),
    (
        r#"name = "SGLD""#,
        r#"name = "cSGLD""#,
        &[r#"19:8: run[1].name: two runs are called "cSGLD"; allowed: a different name for each run"#],
    ),
    (
        r#"name = "SGLD""#,
        r#"name = "a/b""#,
        &["10:8: run[0].name: \"a/b\" cannot be a name; \
             allowed: a name that can be part of a file name: no / \\ : * ? \" < > | and no dot in front"],
    ),
    (
        r#"method = "sgld""#,
        r#"method = "sglld""#,
        &[r#"11:10: run[0].method: unknown method "sglld", did you mean "sgld"?; allowed: {methods}"#],
    ),
    (
        "method = \"sgld\"\nsteps = 1000",
        "method = \"sgld\"\nsteps = 0",
        &["12:9: run[0].steps: 0 is not allowed; allowed: a whole number from 1 to 100000000"],
    ),
    (
        "method = \"sgld\"\nsteps = 1000",
        "method = \"sgld\"\nsteps = 10.5",
        &["12:9: run[0].steps: 10.5 is not allowed; allowed: a whole number from 1 to 100000000"],
    ),
    (
        "method = \"sgld\"\nsteps = 1000",
        "method = \"sgld\"\nsteps = true\nfriction = 1",
        &[
            "12:9: run[0].steps: found true; allowed: a whole number, from 1 to 100000000",
            "13:1: run[0].friction: unknown key; \
             allowed: name, method, chains, steps, start, gradient, step_size, collect",
        ],
    ),
    (
        r#"{ kind = "uniform", low = -10, high = 10 }"#,
        r#"{ kind = "uniform", low = 3, high = 1 }"#,
        &["13:45: run[0].start.high: 1 is not above low = 3; allowed: above 3"],
    ),
    (
        r#"{ kind = "uniform", low = -10, high = 10 }"#,
        "{ low = 3, high = 1 }",
        &[r#"13:9: run[0].start.kind: is missing; allowed: "point", "uniform", "target", "prior""#],
    ),
    (
        r#"{ kind = "uniform", low = -10, high = 10 }"#,
        r#""uniform""#,
        &[
            r#"13:9: run[0].start: found text "uniform"; allowed: a table with kind = "point", "uniform", "target", "prior""#,
        ],
    ),
    (
        r#"{ kind = "noisy", variance = 1, compensate = true }"#,
        r#"{ kind = "minibatch", size = 10 }"#,
        &["14:21: run[0].gradient.kind: the target has no data to take minibatches from; allowed: exact, noisy"],
    ),
    (
        "gamma = 0.55 }",
        "gamma = 0.55, hold = 10, last = 1e-4 }",
        &["15:13: run[0].step_size.first: last is given without first; \
             allowed: either a and b, or first and last"],
    ),
    (
        "burn_in = 10",
        "burn_in = 1000",
        &["16:23: run[0].collect.burn_in: a burn-in of 1000 leaves no draws of a run of 1000 steps; \
             allowed: below 1000"],
    ),
    (
        "thin = 2",
        "thin = 2000",
        &["16:34: run[0].collect.thin: thinning to every 2000th draw leaves none of 990 draws; \
             allowed: from 1 to 990"],
    ),
    (
        "thin = 2",
        "thin = 0",
        &["16:34: run[0].collect.thin: 0 is not allowed; allowed: a whole number from 1 to 100000000"],
    ),
    (
        "cycles = 10",
        "cycles = 2000",
        &["22:43: run[1].step_size.cycles: 2000 cycles in 1000 steps; \
             allowed: at most the 1000 steps of the run"],
    ),
    (
        r#"{ kind = "cyclical", cycles = 10 }"#,
        r#"{ kind = "custom", knots = [[1, 0.1], [1, 0.2]] }"#,
        &["22:40: run[1].step_size.knots: the knots are not in order or out of range; \
             allowed: one or more [step, value] with steps increasing from 1 and values above 0"],
    ),
    (
        r#"{ kind = "cyclical", cycles = 10 }"#,
        r#"{ kind = "custom", knots = [] }"#,
        &["22:40: run[1].step_size.knots: the knots are not in order or out of range; \
             allowed: one or more [step, value] with steps increasing from 1 and values above 0"],
    ),
    (
        r#"run = "cSGLD""#,
        r#"run = "csgld""#,
        &[r#"25:7: event[0].run: there is no run "csgld", did you mean "cSGLD"?; allowed: "SGLD", "cSGLD""#],
    ),
    ("step = 500", "step = 1000", &["26:8: event[0].step: the run ends before step 1001; allowed: from 0 to 999"]),
    (
        "step = 500",
        r#"step = "half""#,
        &[r#"26:8: event[0].step: found text "half"; allowed: a whole number of steps"#],
    ),
    (
        r#""step_size.initial" = 0.05"#,
        r#""step_size.initial" = -1"#,
        &["27:31: event[0].set.step_size.initial: -1 is out of range; allowed: above 0"],
    ),
    (
        r#""step_size.initial" = 0.05"#,
        r#""step_size.cycles" = 5000"#,
        &["27:30: event[0].set.step_size.cycles: 5000 cycles in 1000 steps; \
             allowed: at most the 1000 steps of the run"],
    ),
    (
        r#""step_size.initial" = 0.05"#,
        r#""chains" = 2"#,
        &["27:9: event[0].set.chains: \"chains\" cannot change while a run is under way; \
             allowed: method, steps, gradient, step_size, step_size.initial, step_size.cycles, step_size.rounding, \
             step_size.exploration, step_size.exploration_steps, step_size.exploration_noise, \
             step_size.cycle_steps, step_size.growth, step_size.peaks, step_size.minimum, step_size.warm_up, \
             step_size.convention, collect, collect.burn_in, collect.thin, collect.weighted"],
    ),
    (
        r#""step_size.initial" = 0.05"#,
        r#""step_size.inital" = 2"#,
        &[
            "27:9: event[0].set.step_size.inital: no parameter \"step_size.inital\", did you mean \"step_size.initial\"?; \
             allowed: method, steps, gradient, step_size, step_size.initial, step_size.cycles, step_size.rounding, \
             step_size.exploration, step_size.exploration_steps, step_size.exploration_noise, \
             step_size.cycle_steps, step_size.growth, step_size.peaks, step_size.minimum, step_size.warm_up, \
             step_size.convention, collect, collect.burn_in, collect.thin, collect.weighted",
        ],
    ),
    (
        r#""step_size.initial" = 0.05"#,
        r#""gradient" = { kind = "minibatch" }"#,
        &["27:31: event[0].set.gradient.kind: the target has no data to take minibatches from; \
             allowed: exact, noisy"],
    ),
    (
        "kind = \"gaussian-grid\"\nvariance = 0.03\n",
        "kind = \"beta-posterior\"\ndata = { kind = \"counts\", ones = 60, n = 50 }\n",
        &["7:34: target.data.ones: 60 ones are more than the 50 data; allowed: a whole number from 0 to n = 50"],
    ),
    (
        "kind = \"gaussian-grid\"\nvariance = 0.03\n",
        "kind = \"beta-posterior\"\ndata = { kind = \"csv\", path = \"no.csv\", column = \"toss\" }\n",
        &["7:31: target.data.path: no.csv: there is no such file in {folder}; \
             allowed: a text file of at most 64 MiB with a column of numbers"],
    ),
    (
        "kind = \"gaussian-grid\"\nvariance = 0.03\n",
        "kind = \"beta-posterior\"\ndata = { kind = \"csv\", path = \"text_in_column.csv\", column = \"toss\" }\n",
        &["7:31: target.data.path: text_in_column.csv, line 4, column \"toss\": \"heads\" is not a number; \
             allowed: 0 or 1 on every line"],
    ),
    (
        "kind = \"gaussian-grid\"\nvariance = 0.03\n",
        "kind = \"beta-posterior\"\ndata = { kind = \"csv\", path = \"text_in_column.csv\", column = \"tos\" }\n",
        &["7:62: target.data.column: text_in_column.csv has no column \"tos\"; \
             allowed: \"toss\", \"weight\", or a number from 1 to 2"],
    ),
    (
        "kind = \"gaussian-grid\"\nvariance = 0.03\n",
        "kind = \"bivariate-mixture\"\ndata = { kind = \"csv\", path = \"text_in_values.csv\", column = \"value\" }\n",
        &["7:31: target.data.path: text_in_values.csv, line 4, column \"value\": \"abc\" is not a number; \
             allowed: a number from -1000000 to 1000000 on every line"],
    ),
    (
        "kind = \"gaussian-grid\"\nvariance = 0.03\n",
        "kind = \"bivariate-mixture\"\ndata = { kind = \"csv\" }\n",
        &["7:8: target.data.path: is missing; allowed: text in quotes"],
    ),
    (
        "kind = \"gaussian-grid\"\nvariance = 0.03\n\n[[run]]\nname = \"SGLD\"\nmethod = \"sgld\"\nsteps = 1000\nstart = { kind = \"uniform\", low = -10, high = 10 }\ngradient = { kind = \"noisy\", variance = 1, compensate = true }",
        "kind = \"bivariate-mixture\"\n\n[[run]]\nname = \"SGLD\"\nmethod = \"sgld\"\nsteps = 1000\ngradient = { kind = \"minibatch\", size = 101 }",
        &["12:41: run[0].gradient.size: 101 is more than the data; allowed: from 1 to 100"],
    ),
    (
        "kind = \"gaussian-grid\"\nvariance = 0.03\n",
        "kind = \"painted\"\npicture = [\"12\", \"1\"]\ncell = 0\nbackground = 2\n",
        &[
            "7:18: target.picture[1]: row 2 has a length of 1, row 1 of 2; allowed: rows of equal length",
            "8:8: target.cell: 0 is out of range; allowed: from 0.001 to 1000",
            "9:14: target.background: 2 is out of range; allowed: from 0.000001 to 1",
        ],
    ),
    (
        "kind = \"gaussian-grid\"\nvariance = 0.03\n",
        "kind = \"painted\"\npicture = [\"1#\"]\n",
        &[
            "7:12: target.picture[0]: row 1, column 2: \"#\" is not a level; allowed: \".\" for 0, then 1 to 9, A to Z and a to z, \
             the highest",
        ],
    ),
    (
        "kind = \"gaussian-grid\"\nvariance = 0.03\n",
        "kind = \"painted\"\npicture = []\n",
        &["7:11: target.picture: there are 0 rows; allowed: 1 to 64 rows"],
    ),
    (
        "kind = \"gaussian-grid\"\nvariance = 0.03\n",
        "kind = \"painted\"\npicture = [\"1\", 2]\n",
        &[
            "7:17: target.picture[1]: found the number 2; allowed: a list of rows of equal length, in quotes, 1 to 64 of 1 to 64 \
             characters: \".\" for 0, then 1 to 9, A to Z and a to z, the highest",
        ],
    ),
    (
        "kind = \"gaussian-grid\"\nvariance = 0.03\n",
        "kind = \"gaussian-mixture\"\ncomponent = [{ covariance = [[1, 2], [2, 1]] }, { mean = [0], weight = 0 }]\n",
        &[
            "7:29: target.component[0].covariance: [[1, 2], [2, 1]] is not a covariance; \
             allowed: a symmetric positive definite matrix [[a, b], [b, c]], a > 0, a·c > b²",
            "7:58: target.component[1].mean: found a list of 1; allowed: two numbers [x, y]",
            "7:72: target.component[1].weight: 0 is out of range; allowed: above 0 and at most 1000000",
        ],
    ),
];

/// The folder of the data.
const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data");

fn errors(text: &str) -> Vec<String> {
    match read(text, "s.toml", Path::new(DATA)) {
        Ok(_) => Vec::new(),
        Err(errors) => errors.to_string().lines().map(str::to_owned).collect(),
    }
}

#[test]
fn the_good_scenario_is_good() {
    assert_eq!(errors(GOOD), Vec::<String>::new());
}

#[test]
fn each_mistake_is_named_with_its_place() {
    for (from, to, said) in ROWS {
        assert_eq!(GOOD.matches(from).count(), 1, "{from} is not one place");
        let names =
            |kinds: &[KindSpec]| kinds.iter().map(|kind| format!("\"{}\"", kind.name)).collect::<Vec<_>>().join(", ");
        let said = said.iter().map(|line| {
            format!("s.toml:{line}")
                .replace("{targets}", &names(&TARGETS))
                .replace("{methods}", &names(&METHODS))
                .replace("{folder}", DATA)
        });
        assert_eq!(errors(&GOOD.replace(from, to)), said.collect::<Vec<_>>(), "{from} → {to}");
    }
}

#[test]
fn mistakes_that_do_not_hide_each_other_come_together() {
    let text = GOOD
        .replace("variance = 0.03", "variance = -1")
        .replace("cycles = 10", "cycles = 2000")
        .replace("burn_in = 10", "burn_in = 5000");
    assert_eq!(
        errors(&text),
        [
            "s.toml:7:12: target.variance: -1 is out of range; allowed: from 0.000001 to 10000",
            "s.toml:16:23: run[0].collect.burn_in: a burn-in of 5000 leaves no draws of a run of 1000 steps; \
             allowed: below 1000",
            "s.toml:22:43: run[1].step_size.cycles: 2000 cycles in 1000 steps; \
             allowed: at most the 1000 steps of the run",
        ]
    );
}

#[test]
fn text_that_is_no_scenario_is_refused() {
    let nothing = "s.toml:1:1: format: the file is empty; allowed: format = 1";
    for empty in ["", "\n\n", "# only a comment\n", "\u{feff}"] {
        assert_eq!(errors(empty), [nothing], "{empty:?}");
    }
    for text in ["{", "a = [1,\n", "\u{89}PNG", "format = 1\n[target\n"] {
        let said = errors(text);
        assert!(said.iter().all(|line| line.contains(": not valid TOML: ")) && !said.is_empty(), "{text:?}: {said:?}");
    }
    let deep = format!("a = {}1{}", "[".repeat(10_000), "]".repeat(10_000));
    assert!(!errors(&deep).is_empty());
    let wide: String = (0..5000).map(|number| format!("key{number} = 1\n")).collect();
    let said = errors(&wide);
    // And format, target and runs are missing.
    assert_eq!((said.len(), said[200].as_str()), (201, "and 4803 more errors"));
}

#[test]
fn files_that_cannot_be_scenarios_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let said = |name: &str, bytes: Option<&[u8]>| {
        let path = folder.path().join(name);
        if let Some(bytes) = bytes {
            fs::write(&path, bytes).unwrap();
        }
        let error = load(&path).unwrap_err();
        error.to_string().replace(&folder.path().display().to_string(), "DIR").replace('\\', "/")
    };
    assert_eq!(said("no.toml", None), "DIR/no.toml: there is no such file; check its name and its folder");
    assert_eq!(said("empty.toml", Some(b"")), "DIR/empty.toml:1:1: format: the file is empty; allowed: format = 1");
    let not_text = "not UTF-8 text); a scenario is a TOML file in UTF-8";
    assert_eq!(
        said("p.png", Some(b"\x89PNG\r\n")),
        format!("DIR/p.png: this is not a text file (byte 0 is {not_text}")
    );
    assert_eq!(said("u.toml", Some(b"f\0o\0")), format!("DIR/u.toml: this is not a text file (byte 1 is {not_text}"));
    let large = vec![b'#'; (4 << 20) + 1];
    assert_eq!(
        said("large.toml", Some(&large)),
        "DIR/large.toml: 4194305 bytes are too many for a scenario; allowed: at most 4194304"
    );
    assert!(matches!(load(folder.path()), Err(LoadError::Folder(_))));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_is_too_strange(at in 0..GOOD.len(), length in 0_usize..40, put in "[ -~\\né]{0,12}") {
        let text = format!("{}{put}{}", &GOOD[..at], &GOOD[(at + length).min(GOOD.len())..]);
        if let Err(errors) = read(&text, "s.toml", Path::new(".")) {
            assert!(!errors.errors.is_empty());
            let lines = text.matches('\n').count() + 1;
            assert!(errors.errors.iter().all(|error| error.line <= lines && !error.problem.is_empty()), "{errors}");
        }
    }
}

#[test]
fn estimators_that_are_not_built_are_refused_with_the_reason() {
    let text = "format = 1\ntitle = \"T\"\nseed = 1\n[target]\nkind = \"beta-posterior\"\n[[run]]\nname = \"A\"\nmethod = \"sgld\"\n\
                steps = 10\ngradient = { kind = \"SVRG\" }\n";
    let error = crate::scenario::read(text, "s.toml", std::path::Path::new(".")).unwrap_err().to_string();
    assert!(
        error.contains("unknown kind \"SVRG\" (estimators that subtract") && error.contains("\"minibatch\""),
        "{error}"
    );
}

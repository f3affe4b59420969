//! Tests of sweeps as data: reading, writing, errors.

use std::path::Path;

use super::super::{Scenario, read, write};

const SCENARIO: &str = "format = 1\nseed = 3\n[target]\nkind = \"gaussian-grid\"\n[[run]]\nname = \"SGLD\"\nmethod = \"sgld\"\n\
    [[run]]\nname = \"cSGLD\"\nmethod = \"csgld\"\nsteps = 1000\n";

fn with(sweep: &str) -> Result<Scenario, Vec<String>> {
    let errors = |errors: super::super::ScenarioErrors| errors.errors.iter().map(ToString::to_string).collect();
    read(&format!("{SCENARIO}[sweep]\n{sweep}"), "s.toml", Path::new("")).map_err(errors)
}

const AXES: &str = "axes = [{ parameter = \"step_size.initial\", from = 0.01, to = 0.64, count = 7, scale = \"log\" }, \
    { parameter = \"step_size.cycles\", from = 1, to = 4, count = 7 }]\n";

#[test]
fn a_sweep_is_read_and_written_and_read_again() {
    let question =
        "questions = [{ measure = \"kl\", at_most = 0.5, find = \"largest\", of = \"step_size.initial\" }]\n";
    let scenario =
        with(&format!("run = \"cSGLD\"\nseeds = 3\nmeasures = [\"kl\", \"error_x\", \"kl\"]\n{AXES}{question}"))
            .unwrap();
    let sweep = scenario.sweep.clone().unwrap();
    assert_eq!((sweep.seeds, sweep.measures.clone()), (3, vec!["kl", "error_x"]));
    let values = sweep.values(&scenario).unwrap();
    for (value, power) in values[0].iter().zip(0..) {
        approx::assert_relative_eq!(*value, 0.01 * f64::from(1 << power), max_relative = 1e-14);
    }
    // Whole numbers come once: 1, 1.5, 2, 2.5, 3, 3.5, 4.
    assert_eq!(values[1], [1.0, 2.0, 3.0, 4.0]);
    let text = write(&scenario);
    let again = read(&text, "s.toml", Path::new("")).unwrap();
    assert_eq!((&again, write(&again)), (&scenario, text));
}

#[test]
fn a_sweep_follows_the_name_of_its_run_and_ends_with_it() {
    let scenario = with(&format!("run = \"cSGLD\"\n{AXES}")).unwrap();
    let renamed = scenario.with_name("cSGLD", "other").unwrap();
    assert!(write(&renamed).contains("[sweep]\nrun = \"other\""));
    assert_eq!(scenario.without_run("cSGLD").unwrap().sweep, None);
    assert!(scenario.without_run("SGLD").unwrap().sweep.is_some());
    // A method without step sizes has no such sweep; the file is still one that can be read.
    let kind = base::params::find_kind(&samplers::methods::METHODS, "laplace").unwrap();
    let text = write(&scenario.with_method("cSGLD", kind).unwrap());
    assert!(!text.contains("[sweep]") && read(&text, "s.toml", Path::new("")).is_ok());
}

/// Numbers in pairs, lists and tables of names have paths as in messages.
#[test]
fn every_number_has_a_path() {
    let with_target = |target: &str| {
        let text = format!("format = 1\n[target]\n{target}\n[[run]]\nname = \"A\"\nmethod = \"sgld\"\n");
        read(&text, "s.toml", Path::new("")).unwrap()
    };
    let formula = with_target("kind = \"formula\"\ndensity = \"-x^2/(2 a^2) - y^2\"\nparameters = { a = 1.5 }");
    let other = formula.with_number("A", "target.parameters.a", 2.0).unwrap();
    assert_eq!(other.number_at("A", "target.parameters.a").unwrap().value, Some(2.0));
    assert!(formula.with_number("A", "target.parameters.b", 2.0).is_err());
    let mixture =
        with_target("kind = \"gaussian-mixture\"\ncomponent = [{ weight = 1 }, { weight = 2, mean = [3, 4] }]");
    let paths: Vec<String> = mixture.numbers("A").into_iter().map(|number| number.path).collect();
    for path in ["steps", "chains", "target.component[1].weight", "target.component[0].mean[1]"] {
        assert!(paths.iter().any(|known| known == path), "{path}: {paths:?}");
        let number = mixture.number_at("A", path).unwrap();
        let other = mixture.with_number("A", path, number.value.unwrap() + 1.0).unwrap();
        assert_eq!(other.number_at("A", path).unwrap().value, number.value.map(|value| value + 1.0), "{path}");
        assert_eq!(other.with_number("A", path, number.value.unwrap()).unwrap(), mixture, "{path}");
    }
    assert!(mixture.with_number("A", "target.component[0].weight", -1.0).unwrap_err().problem.contains("out of range"));
    assert!(mixture.with_number("A", "target.component[99].weight", 1.0).is_err());
    assert!(mixture.with_number("B", "steps", 1.0).is_err());
}

#[test]
fn long_names_make_no_long_messages() {
    let name = "é".repeat(5000);
    let axes = format!("axes = [{{ parameter = \"{name}\", from = 1, to = 2 }}]\nmeasures = [\"kl\"]");
    let question = "questions = [{ measure = \"kl\", at_most = 1, find = \"largest\", of = \"steps\" }]";
    let errors = with(&format!("run = \"cSGLD\"\n{axes}\n{question}")).unwrap_err();
    assert!(errors.iter().all(|error| error.len() < 1000), "{errors:?}");
    assert!(errors.iter().any(|error| error.contains("there is no axis")), "{errors:?}");
}

#[test]
fn errors_name_the_place_and_what_is_allowed() {
    let axis = |inner: &str| format!("run = \"cSGLD\"\naxes = [{{ {inner} }}]");
    let cases = [
        ("run = \"cSGLD\"".to_owned(), "sweep.axes: is missing"),
        (AXES.to_owned(), "sweep.run: is missing; allowed: \"SGLD\", \"cSGLD\""),
        (format!("run = \"CSGLD\"\n{AXES}"), "sweep.run: there is no run \"CSGLD\"; allowed: SGLD, cSGLD"),
        (format!("run = \"cSGLD\"\n{AXES}mesures = []"), "unknown key, did you mean \"measures\"?"),
        (
            format!("run = \"cSGLD\"\n{AXES}measures = [\"klm\"]"),
            "sweep.measures[0]: unknown measure \"klm\", did you mean \"kl\"?",
        ),
        (format!("run = \"cSGLD\"\n{AXES}measures = []"), "sweep.measures: the list is empty"),
        (
            format!("run = \"cSGLD\"\nseeds = 0\n{AXES}"),
            "sweep.seeds: 0 is not allowed; allowed: a whole number from 1 to 1000",
        ),
        (
            axis("parameter = \"step_size\", from = 1, to = 2"),
            "sweep.axes[0].parameter: \"step_size\" is not a number; allowed: chains, steps",
        ),
        (
            axis("parameter = \"alpha\", from = 1, to = 2"),
            "sweep.axes[0].parameter: the run has no parameter \"alpha\"",
        ),
        (axis("parameter = \"steps\", from = 0, to = 9"), "sweep.axes[0].from: steps: 0 is not allowed"),
        (axis("parameter = \"steps\", from = 9, to = 9"), "sweep.axes[0].to: 9 is not above 9"),
        (
            axis("parameter = \"step_size.initial\", from = 0, to = 1, scale = \"log\""),
            "sweep.axes[0].from: 0 has no logarithm",
        ),
        (
            axis("parameter = \"steps\", from = 1, to = 9 }, { parameter = \"steps\", from = 1, to = 9"),
            "sweep.axes[1].parameter: both axes",
        ),
        ("run = \"cSGLD\"\naxes = []".to_owned(), "sweep.axes: "),
        (
            format!(
                "run = \"cSGLD\"\n{}",
                AXES.replace(
                    "axes = [",
                    "axes = [{ parameter = \"steps\", from = 1, to = 9 }, { parameter = \"chains\", from = 1, to = 9 }, "
                )
            ),
            "sweep.axes: there are 4 axes; allowed: one to three",
        ),
        (
            format!(
                "run = \"cSGLD\"\n{AXES}questions = [{{ measure = \"tv\", at_most = 1, find = \"largest\", of = \"steps\" }}]"
            ),
            "sweep.questions[0].measure: \"tv\" is not among the measures of the sweep",
        ),
        (
            format!(
                "run = \"cSGLD\"\n{AXES}questions = [{{ measure = \"kl\", at_most = 1, find = \"largest\", of = \"steps\" }}]"
            ),
            "sweep.questions[0].of: there is no axis \"steps\"; allowed: \"step_size.initial\", \"step_size.cycles\", \"cost\"",
        ),
        (
            format!("run = \"cSGLD\"\n{AXES}questions = [{{ measure = \"kl\", find = \"largest\", of = \"cost\" }}]"),
            "sweep.questions[0]: has no bound; allowed: either at_most or at_least",
        ),
    ];
    for (sweep, expected) in cases {
        let errors = with(&sweep).unwrap_err();
        assert!(
            errors.iter().any(|error| error.contains(expected) && error.starts_with("s.toml:")),
            "{expected}: {errors:?}"
        );
    }
    let many = axis(
        "parameter = \"steps\", from = 1, to = 1000, count = 1000 }, { parameter = \"chains\", from = 1, to = 1000, count = 1000",
    );
    assert!(with(&many).unwrap_err()[0].contains("there are 1000000 cells; allowed: at most 100000"));
}

#[test]
fn errors_of_targets_and_third_axes_name_what_is_allowed() {
    let axis = |inner: &str| format!("run = \"cSGLD\"\naxes = [{{ {inner} }}]");
    for (inner, expected) in [
        ("parameter = \"target.spacing\", from = -1, to = 2", "sweep.axes[0].from: target.spacing: -1 is out of range"),
        (
            "parameter = \"target.spacing\", from = 1, to = 2, count = 101",
            "there are 101 different targets; allowed: at most 100",
        ),
        (
            "parameter = \"target.spacings\", from = 1, to = 2",
            "the target has no parameter \"target.spacings\", did you mean \"target.spacing\"?",
        ),
        ("parameter = \"target.kind\", from = 1, to = 2", "the target has no parameter \"target.kind\""),
        (
            "parameter = \"steps\", from = 1, to = 9 }, { parameter = \"chains\", from = 1, to = 9 }, \
             { parameter = \"step_size.initial\", from = 1, to = 9, count = 37",
            "there are 37 values along the third axis, each with a map of its own; allowed: at most 36",
        ),
    ] {
        let errors = with(&axis(inner)).unwrap_err();
        assert!(errors.iter().any(|error| error.contains(expected)), "{expected}: {errors:?}");
    }
}

//! Scenarios made ready to run: the lessons, the segments between events, and runs adapted to a target.

use std::path::Path;

use super::super::{
    Caption, Collect, Experiment, LESSONS, Lesson, Scenario, Start, ViewSpec, default_run, load, read, write,
};
use base::math::Point;
use base::params::{Settings, Value, find_kind};
use models::targets::TARGETS;
use samplers::methods::{BatchOrder, GRADIENTS, Gradient, METHODS, STARTS};

fn lesson(name: &str) -> Scenario {
    Lesson::find(name).unwrap().scenario().unwrap()
}

fn scenario(target: &str, method: &str) -> Scenario {
    Scenario {
        title: String::new(),
        caption: Caption::default(),
        challenges: Vec::new(),
        sweep: None,
        view: ViewSpec::default(),
        seed: 1,
        budget: None,
        target: Settings::defaults(find_kind(&TARGETS, target).unwrap()),
        runs: vec![default_run(find_kind(&METHODS, method).unwrap())],
        events: Vec::new(),
        folder: ".".into(),
    }
}

fn messages(result: Result<Experiment, Vec<base::params::ParamError>>) -> Vec<String> {
    result.err().unwrap_or_default().iter().map(ToString::to_string).collect()
}

#[test]
fn lessons_are_read_built_and_written() {
    for lesson in LESSONS {
        let scenario = lesson.scenario().unwrap_or_else(|errors| panic!("{errors}"));
        assert!(!scenario.title.is_empty() && !scenario.caption.is_empty(), "{}", lesson.name);
        let experiment = scenario.build().unwrap();
        assert_eq!(experiment.runs.len(), scenario.runs.len());
        let text = write(&scenario);
        let again = read(&text, lesson.name, &scenario.folder).unwrap_or_else(|errors| panic!("{errors}\n{text}"));
        assert_eq!(again, scenario, "{text}");
        assert_eq!(write(&again), text);
    }
}

/// The example of the format's description.
const EXAMPLE: &str = r#"
format = 1
title = "SGLD against cyclical SGLD"
caption = "Four SGLD chains stay where they started; one schedule with warm restarts does not."
seed = 42

[target]
kind = "gaussian-grid"            # remaining keys: that kind's parameters; left out = default
variance = 0.03

[[run]]
name = "SGLD"
method = "sgld"
chains = 4
steps = 50000
start = { kind = "uniform", low = -10.0, high = 10.0 }      # or { kind = "point", x = 0.0, y = 0.0 }
gradient = { kind = "noisy", variance = 1.0, compensate = true }   # exact | noisy | minibatch { size, order }
step_size = { kind = "polynomial", a = 0.043, b = 0.0, gamma = 0.55, hold = 500 }
collect = { burn_in = 0, thin = 1 }

[[run]]
name = "cSGLD"
method = "csgld"
steps = 50000
step_size = { kind = "cyclical", initial = 0.07, cycles = 30, rounding = "exact", exploration_steps = 50, exploration_noise = true }

[[event]]                          # optional: a parameter changed while it ran
run = "cSGLD"
step = 12000
set = { "step_size.initial" = 0.05 }
"#;

#[test]
fn the_example_of_the_description_is_read_and_comes_back() {
    let scenario = read(EXAMPLE, "example.toml", Path::new(".")).unwrap_or_else(|errors| panic!("{errors}"));
    let runs = scenario.build().unwrap().runs;
    assert_eq!(runs[1].segments.iter().map(|segment| segment.from).collect::<Vec<_>>(), [0, 12_000]);
    let crlf = read(&EXAMPLE.replace('\n', "\r\n"), "example.toml", Path::new("."));
    assert_eq!(crlf.as_ref(), Ok(&scenario));
    assert_eq!(read(&write(&scenario), "example.toml", Path::new(".")), Ok(scenario));
}

#[test]
fn what_is_written_can_be_read_by_people() {
    let text = write(&lesson("welling-teh"));
    let expected = r#"
[[run]]
name = "Random order"
method = "sgld"
chains = 1
steps = 1000000
start = { kind = "point", x = 0.0, y = 0.0 }
gradient = { kind = "minibatch", size = 1, order = "random", batches = "per-chain", compensate = false }
step_size = { kind = "polynomial", first = 0.01, last = 0.0001, convention = "welling-teh" }
collect = { burn_in = 0, thin = 1, weighted = true }
"#;
    assert!(text.contains(expected), "{text}");
}

#[test]
fn the_published_experiment_is_what_the_paper_ran() {
    let runs = lesson("authors-code").build().unwrap().runs;
    assert_eq!(runs.iter().map(|run| (run.name.as_str(), run.chains)).collect::<Vec<_>>(), [("SGLD", 4), ("cSGLD", 1)]);
    for run in &runs {
        assert_eq!((run.steps, run.start), (50_000, Start::Uniform { low: -10.0, high: 10.0 }));
        assert_eq!(run.segments[0].gradient, Gradient::Noisy { variance: 1.0, compensate: true });
    }
    // The authors' code with whole numbers for the phase: 50 steps of each of 30 cycles are dropped, and
    // a floating remainder would keep 48 529 (METHODS, section 6).
    let schedule = &runs[1].segments[0].schedule;
    let kept = (1..=50_000).filter(|&k| schedule.stage(k) == samplers::schedules::Stage::Sampling).count();
    assert_eq!(kept, 48_520);
    let sgld = &runs[0].segments[0].schedule;
    assert_eq!((sgld.step_size(1), sgld.step_size(500)), (0.043, 0.043));
}

#[test]
fn minibatches_and_weights_come_from_the_lesson() {
    let runs = lesson("welling-teh").build().unwrap().runs;
    let orders = [BatchOrder::Random, BatchOrder::Cyclic];
    for (run, order) in runs.iter().zip(orders) {
        assert_eq!(run.segments[0].gradient, Gradient::minibatch(1, order));
        assert_eq!(run.segments[0].collect, Collect { burn_in: 0, thin: 1, weighted: true });
        // ε = 2α at the last step.
        assert!((run.segments[0].schedule.step_size(1_000_000) / 0.5e-4 - 1.0).abs() < 1e-9);
    }
}

#[test]
fn the_experiment_with_one_and_four_chains_is_built() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/experiments/chains.toml");
    let runs = load(&path).unwrap().build().unwrap().runs;
    let chains: Vec<_> = runs.iter().map(|run| (run.name.as_str(), run.chains)).collect();
    assert_eq!(chains, [("SGLD, 1 chain", 1), ("cSGLD, 1 chain", 1), ("SGLD, 4 chains", 4), ("cSGLD, 4 chains", 4)]);
}

#[test]
fn every_experiment_is_built() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/experiments");
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        assert!(load(&path).unwrap().build().is_ok(), "{}", path.display());
    }
}

/// All methods but those that say that they do not suit a target, which is then the one error of the method; what else a run of
/// theirs has, such as a start in the plane, may not suit either.
#[test]
fn every_method_runs_on_every_target_by_default() {
    for target in &TARGETS {
        let built = models::targets::build(&scenario(target.name, "sgld").target, Path::new(".")).unwrap();
        for method in &METHODS {
            let scenario = scenario(target.name, method.name);
            let algorithm = samplers::methods::build(&scenario.runs[0].settings).unwrap();
            let unsuited = algorithm.on(built.space()).err();
            let expected: Vec<String> = unsuited.map(|error| error.under("run[0]").to_string()).into_iter().collect();
            let mut found = messages(scenario.build());
            found.retain(|error| expected.is_empty() || error.starts_with("run[0].method"));
            assert_eq!(found, expected, "{} on {}", method.name, target.name);
            let in_plane = algorithm.fitting().is_some() && built.in_vectors().is_some();
            let topics = built.topics().is_some() || ["collapsed-gibbs", "sgrld"].contains(&method.name);
            let few = topics
                || ["cavi", "anchored-ensemble", "mc-dropout", "mclmc", "gibbs", "contour-sgld"].contains(&method.name);
            assert!(expected.is_empty() || few || in_plane, "{} on {}", method.name, target.name);
        }
    }
}

#[test]
fn events_cut_a_run_into_segments() {
    let number = Value::Number;
    let scenario = scenario("gaussian-grid", "sgld")
        .with_event("SGLD", 100, "step_size.a", number(0.5))
        .and_then(|scenario| scenario.with_event("SGLD", 100, "step_size.gamma", number(1.0)))
        .and_then(|scenario| scenario.with_event("SGLD", 300, "collect.thin", number(5.0)))
        .unwrap();
    let run = scenario.build().unwrap().runs.remove(0);
    assert_eq!(run.segments.iter().map(|segment| segment.from).collect::<Vec<_>>(), [0, 100, 300]);
    let alpha: Vec<_> = run.segments.iter().map(|segment| segment.schedule.step_size(1)).collect();
    assert_eq!(alpha, [0.05, 0.5, 0.5]);
    assert_eq!(run.segments.iter().map(|segment| segment.collect.thin).collect::<Vec<_>>(), [1, 1, 5]);
}

#[test]
fn an_event_before_the_first_step_replaces_the_first_segment() {
    let scenario = scenario("gaussian-grid", "sgld").with_event("SGLD", 0, "step_size.a", Value::Number(0.5)).unwrap();
    let run = scenario.build().unwrap().runs.remove(0);
    assert_eq!(run.segments.len(), 1);
    assert_eq!(run.segments[0].schedule.step_size(1).to_bits(), 0.5_f64.to_bits());
}

#[test]
fn errors_of_a_changed_parameter_are_put_to_its_event() {
    let scenario = scenario("gaussian-grid", "csgld")
        .with_event("cSGLD", 10, "step_size.cycles", Value::Number(60_000.0))
        .and_then(|scenario| scenario.with_event("cSGLD", 20, "step_size.initial", Value::Number(0.2)))
        .unwrap();
    let said =
        ["event[0].set.step_size.cycles: 60000 cycles in 50000 steps; allowed: at most the 50000 steps of the run"];
    assert_eq!(messages(scenario.build()), said);
}

#[test]
fn chains_start_where_the_target_says_unless_the_run_does() {
    let start = |scenario: &Scenario| scenario.build().unwrap().runs[0].start;
    let plain = scenario("beta-posterior", "sgld");
    let suggested = plain.build().unwrap().spans[0].target.info().start;
    assert_eq!(start(&plain), Start::Point(suggested));
    let moved = plain.with_parameter("SGLD", "start.x", Value::Number(0.25)).unwrap();
    assert_eq!(start(&moved), Start::Point(Point::new(0.25, suggested.y)));
    let outside = plain.with_parameter("SGLD", "start.x", Value::Number(1.5)).unwrap();
    let said = ["run[0].start.x: 1.5 is outside the support of the target; allowed: between 0 and 1"];
    assert_eq!(messages(outside.build()), said);
}

#[test]
fn runs_are_fitted_to_another_target() {
    let before = lesson("welling-teh").with_parameter("Random order", "gradient.size", Value::Number(90.0)).unwrap();
    let mut target = Settings::defaults(find_kind(&TARGETS, "beta-posterior").unwrap());
    target.set("data.n", Value::Number(60.0)).unwrap();
    let coins = before.with_whole_target(target);
    assert!(coins.build().is_err());
    let runs = coins.adapted().build().unwrap().runs;
    let size = |gradient| if let Gradient::Minibatch { size, .. } = gradient { size } else { 0 };
    assert_eq!(runs.iter().map(|run| size(run.segments[0].gradient)).collect::<Vec<_>>(), [60, 1]);

    let grid = Settings::defaults(find_kind(&TARGETS, "gaussian-grid").unwrap());
    let batches = Value::Group(Settings::defaults(&GRADIENTS[2]));
    let later = before.with_event("Random order", 50, "gradient", batches).unwrap();
    let plain = later.with_whole_target(grid).adapted();
    assert!(plain.events.is_empty());
    assert!(plain.build().unwrap().runs.iter().all(|run| run.segments[0].gradient == Gradient::Exact));
}

/// The numbers of the default formula belong to it alone.
#[test]
fn a_formula_of_ones_own_has_no_parameters_unless_they_are_given() {
    let try_read = |keys: &str| {
        let text = format!(
            "format = 1\ntitle = \"T\"\n[target]\nkind = \"formula\"\n{keys}\n[[run]]\nname = \"A\"\nmethod = \"sgld\"\n"
        );
        read(&text, "f.toml", Path::new(""))
    };
    let read = |keys: &str| try_read(keys).unwrap();
    let names = |scenario: &Scenario| -> Vec<String> {
        scenario.target.named("parameters").iter().map(|number| number.name.clone()).collect()
    };
    let own = read("density = \"-x^2/2 - y^2\"");
    assert!(names(&own).is_empty() && own.build().is_ok());
    assert_eq!(names(&read("")), ["s", "b", "w"]);
    assert_eq!(names(&read("density = \"-a x^2\"\nparameters = { a = 2.0 }")), ["a"]);
    let missing = try_read("density = \"-x^2/s - y^2\"").unwrap_err().to_string();
    assert!(
        missing.contains("target.parameters.s") && missing.contains("is in the formula and has no number"),
        "{missing}"
    );
    let lines = |density: &str| -> Vec<String> {
        let message = try_read(&format!("density = \"{density}\"")).unwrap_err().to_string();
        message.lines().map(str::to_owned).collect()
    };
    let others = lines("-(x_1^2 + x_2^2)/2 + a");
    let hints =
        others.iter().filter(|line| line.contains("allowed: a number, or x and y, if it is a coordinate")).count();
    assert_eq!((others.len(), hints), (3, 2), "all names are told, each with its hint: {others:?}");
    assert!(others[2].contains("target.parameters.a") && others[2].ends_with("allowed: a number"), "{others:?}");
    let neither = try_read("density = \"-X^2\"\nparameters = { X = 1.0 }").unwrap_err().to_string();
    assert!(neither.contains("a formula with x, or with x and y; X is a parameter"), "{neither}");
    let functions = lines("-sgn(x)^2 - relu(y) - heaviside(y)");
    assert!(
        functions.len() == 1 && functions[0].contains("there are no functions \"sgn\", \"relu\", \"heaviside\""),
        "{functions:?}"
    );
}

/// A target without exact draws says where chains may start instead.
#[test]
fn chains_may_start_at_draws_from_the_prior() {
    let mut start = scenario("network", "sgld");
    start.runs[0]
        .settings
        .set("start", Value::Group(Settings::defaults(find_kind(&STARTS, "target").unwrap())))
        .unwrap();
    let said = "run[0].start: this target has no exact draws; allowed: kind = \"point\", \"uniform\" or \"prior\"";
    assert_eq!(messages(start.build()), [said]);
}

#[test]
fn what_a_scenario_lacks_is_named() {
    let mut none = scenario("gaussian-grid", "sgld");
    none.runs.clear();
    assert_eq!(messages(none.build()), ["run: there is no run; allowed: one or more runs"]);
    let mut twice = scenario("gaussian-grid", "sgld");
    twice.runs.push(twice.runs[0].clone());
    assert_eq!(
        messages(twice.build()),
        ["run[1].name: two runs are called \"SGLD\"; allowed: a different name for each run"]
    );
}

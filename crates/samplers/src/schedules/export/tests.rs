//! Texts for other programs against golden texts, and our step sizes against the values that Python gave for these texts.
//!
//! `GOLDEN=write cargo test --lib schedules::export` writes the texts, then `python3 tests/schedules.py` the values.

use std::fs;
use std::path::PathBuf;

use super::*;
use crate::schedules::{SCHEDULES, build};
use base::params::{NamedNumber, Settings, Value, find_kind};

/// Steps of the runs.
const STEPS: u64 = 600;

/// Relative difference of step sizes in Python from ours. Where a cosine cancels, at the end of a cycle, its last bits
/// are of that size too: see [`close`].
const TOLERANCE: f64 = 1e-12;

/// A name, and the kind and settings of each part with the step before it.
type Case = (&'static str, Vec<(u64, &'static str, Vec<(&'static str, Value)>)>);

fn number(value: f64) -> Value {
    Value::Number(value)
}

fn text(value: &str) -> Value {
    Value::Text(value.to_owned())
}

/// Two thirds of the run with growing peaks, with a name that Python does not have.
const WRITTEN: &str =
    "w = t % period\nα₀*(0.1 + floor(t/period)/9)*max(0.01, cos(pi*w/(2period))^2, 1 - k/T) + min(t, 9, k)*1e-5";

fn cases() -> Vec<Case> {
    let written = vec![NamedNumber::new("period", 70.0), NamedNumber::new("α₀", 0.07)];
    let written = Value::Named(written);
    let cyclical = |cycles: f64, rounding: &'static str| {
        vec![("initial", number(0.07)), ("cycles", number(cycles)), ("rounding", Value::Choice(rounding))]
    };
    let growing = vec![
        ("initial", number(0.07)),
        ("cycle_steps", number(40.0)),
        ("growth", number(2.0)),
        ("minimum", number(0.001)),
        ("exploration_steps", number(10.0)),
    ];
    let warmed = vec![
        ("initial", number(0.07)),
        ("cycles", number(5.0)),
        ("growth", number(1.3)),
        ("peaks", number(0.7)),
        ("warm_up", number(30.0)),
        ("rounding", Value::Choice("exact")),
    ];
    let knots = vec![("knots", Value::Points(vec![[5.0, 0.5], [77.0, 0.01], [78.0, 3.98e-5], [500.0, 0.2]]))];
    let ends = vec![("first", number(0.01)), ("last", number(0.0001)), ("hold", number(20.0))];
    let epsilon = [ends.clone(), vec![("convention", Value::Choice("welling-teh"))]].concat();
    let held = vec![("a", number(0.043)), ("hold", number(100.0))];
    let delayed = vec![("b", number(231.0663493)), ("gamma", number(0.33))];
    vec![
        ("constant", vec![(0, "constant", vec![("value", number(1e-5))])]),
        ("polynomial", vec![(0, "polynomial", delayed)]),
        ("polynomial-hold", vec![(0, "polynomial", held.clone())]),
        ("polynomial-ends", vec![(0, "polynomial", ends)]),
        ("polynomial-epsilon", vec![(0, "polynomial", epsilon)]),
        ("cyclical-ceil", vec![(0, "cyclical", cyclical(7.0, "ceil"))]),
        ("cyclical-exact", vec![(0, "cyclical", cyclical(7.0, "exact"))]),
        ("cyclical-one", vec![(0, "cyclical", cyclical(1.0, "ceil"))]),
        ("cyclical-growing", vec![(0, "cyclical", growing)]),
        ("cyclical-warm-up", vec![(0, "cyclical", warmed)]),
        ("custom", vec![(0, "custom", knots)]),
        ("custom-default", vec![(0, "custom", vec![])]),
        ("list", vec![(0, "list", vec![("values", text("0 0.01 0.02 0.05 0.03"))])]),
        ("formula", vec![(0, "formula", vec![("formula", text(WRITTEN)), ("parameters", written)])]),
        ("events", vec![(0, "polynomial", held), (150, "cyclical", cyclical(4.0, "exact")), (400, "constant", vec![])]),
    ]
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/schedules")
}

/// Calls `look` with the step sizes of every case.
fn every_case(mut look: impl FnMut(&str, &StepSizes<'_>)) {
    for (name, parts) in cases() {
        let made: Vec<_> = parts
            .into_iter()
            .map(|(from, kind, values)| {
                let mut settings = Settings::defaults(find_kind(&SCHEDULES, kind).unwrap());
                for (key, value) in values {
                    settings.set(key, value).unwrap();
                }
                (from, build(&settings, STEPS).unwrap())
            })
            .collect();
        let parts = made.iter().map(|(from, schedule)| (*from, schedule.as_ref())).collect();
        look(name, &StepSizes { name, steps: STEPS, parts });
    }
}

/// No notes, and every draw of the sampling stages.
fn all_collected(sizes: &StepSizes<'_>) -> Practice {
    Practice {
        notes: Vec::new(),
        kept: vec![Kept::Every { burn_in: 0, thin: 1 }; sizes.parts.len()],
        step: StepKind::NoisyDescent,
        ..Practice::default()
    }
}

#[test]
fn every_schedule_has_a_case() {
    let cases = cases();
    let kinds: Vec<&str> = cases.iter().flat_map(|(_, parts)| parts.iter().map(|(_, kind, _)| *kind)).collect();
    assert!(SCHEDULES.iter().all(|kind| kinds.contains(&kind.name)), "{kinds:?}");
}

#[test]
fn texts_are_the_golden_ones() {
    let write = std::env::var_os("GOLDEN").is_some_and(|word| word == "write");
    every_case(|name, sizes| {
        for (library, of) in [("pytorch", Library::PyTorch), ("optax", Library::Optax)] {
            let text = sizes.text(of, &all_collected(sizes));
            let (path, text) = (folder().join(format!("{name}.{library}.txt")), text.unwrap());
            if write {
                fs::write(&path, &text).unwrap();
            }
            assert_eq!(fs::read_to_string(&path).unwrap(), text, "{}", path.display());
        }
    });
}

/// The difference of two step sizes is below [`TOLERANCE`], or below the last bits of the largest one: 1 + cos has errors
/// of that size where the cosine is near −1.
fn close(python: f64, ours: f64, largest: f64) -> bool {
    (python - ours).abs() <= TOLERANCE * ours + f64::EPSILON * largest
}

#[test]
fn step_sizes_are_those_that_python_gives_for_the_golden_texts() {
    every_case(|name, sizes| {
        let largest = (1..=STEPS).map(|k| sizes.at(k)).fold(0.0, f64::max);
        let text = fs::read_to_string(folder().join(format!("{name}.values.csv"))).unwrap();
        let mut lines = text.lines();
        assert_eq!(lines.next(), Some("step,pytorch,optax"));
        let mut expected = 1..=STEPS;
        for line in lines {
            let numbers: Vec<f64> = line.split(',').map(|cell| cell.parse().unwrap()).collect();
            let k = expected.next().unwrap();
            assert_eq!(numbers[0].to_bits(), (k as f64).to_bits());
            for python in &numbers[1..] {
                assert!(close(*python, sizes.at(k), largest), "{name} at {k}: {python}, not {}", sizes.at(k));
            }
        }
        assert_eq!(expected.next(), None, "a line for every step");
    });
}

/// The constants of a formula are the numbers of the settings, in all their digits.
#[test]
fn constants_are_those_of_the_settings() {
    every_case(|name, sizes| {
        let text = sizes.text(Library::PyTorch, &all_collected(sizes)).unwrap();
        let has = |words: &str| assert!(text.contains(words), "{name} has no {words:?}:\n{text}");
        match name {
            "constant" => has("value = 1e-5\n"),
            "polynomial" => {
                ["a = 0.05\n", "b = 231.0663493\n", "gamma = 0.33\n", "hold = 0\n"].into_iter().for_each(has);
            }
            "cyclical-exact" => {
                ["initial = 0.07\n", "unit = 7\n", "period = 600\n"].into_iter().for_each(has);
            }
            "cyclical-ceil" => {
                ["unit = 1\n", "period = 86\n"].into_iter().for_each(has);
            }
            "custom" => has("sizes = [0.5, 0.01, 3.98e-5, 0.2]\n"),
            "events" => has("return part_1(k) if k <= 150 else (part_2(k) if k <= 400 else part_3(k))\n"),
            _ => (),
        }
    });
}

#[test]
fn tables_are_thinned_and_end_with_the_run() {
    let schedule = crate::schedules::Constant { alpha: 0.25 };
    for (steps, lines) in [(1, 1), (9_999, 9_999), (10_000, 5_001), (100_000_000, 10_000)] {
        let text = StepSizes { name: "one", steps, parts: vec![(0, &schedule)] }.csv();
        assert!(text.starts_with("step,step_size\n1,0.25\n"));
        assert!(text.ends_with(&format!("{steps},0.25\n")));
        let found = text.lines().count() - 1;
        assert!(found <= 10_000 && found.abs_diff(lines) <= 1, "{steps}: {found}");
    }
}

#[test]
fn long_runs_of_many_cycles_ask_jax_for_64_bits() {
    let mut settings = Settings::defaults(find_kind(&SCHEDULES, "cyclical").unwrap());
    settings.set("rounding", Value::Choice("exact")).unwrap();
    for (cycles, steps, asks) in [(30.0, 50_000, false), (3000.0, 10_000_000, true)] {
        settings.set("cycles", number(cycles)).unwrap();
        let schedule = build(&settings, steps).unwrap();
        let sizes = StepSizes { name: "one\ntwo", steps, parts: vec![(0, schedule.as_ref())] };
        let text = sizes.text(Library::Optax, &all_collected(&sizes)).unwrap();
        assert_eq!(text.contains("# Needs jax.config.update"), asks);
        assert!(text.starts_with("# Step sizes of onetwo ("), "a name ends no comment");
    }
}

/// Masks of the parts of a run, also where only some of them have stages, and in a run shorter than its references.
#[test]
fn masks_are_those_of_the_parts() {
    let mut settings = Settings::defaults(find_kind(&SCHEDULES, "cyclical").unwrap());
    settings.set("cycles", number(3.0)).unwrap();
    let (cyclical, constant) = (build(&settings, 90).unwrap(), crate::schedules::Constant { alpha: 0.25 });
    let sizes = StepSizes { name: "two", steps: 90, parts: vec![(0, &constant), (60, cyclical.as_ref())] };
    let practice = Practice {
        notes: vec!["A note\nof one line.".to_owned()],
        kept: vec![Kept::Every { burn_in: 10, thin: 5 }, Kept::Every { burn_in: 0, thin: 1 }],
        ..Practice::default()
    };
    let collected: Vec<u64> = (1..=90).filter(|&k| sizes.collects(&practice, k)).collect();
    // A cycle of 30 steps explores while its phase is below a quarter: in its first 8 steps.
    let expected: Vec<u64> = (15..=60).step_by(5).chain(69..=90).collect();
    assert_eq!(collected, expected);
    assert_eq!([1, 60, 61, 90].map(|k| sizes.cycle(k)), [0, 0, 3, 3]);
    let text = sizes.text(Library::Python, &practice).unwrap();
    for words in
        ["# A noteof one line.\n", "    return False\n", "    return exploring_1(k) if k <= 60 else exploring_2(k)\n"]
    {
        assert!(text.contains(words), "{words}:\n{text}");
    }
    assert!(text.contains("    return k > 10 and (k - 10) % 5 == 0 and not exploring(k)\n"), "{text}");
    let short = StepSizes { steps: 3, parts: vec![(0, &constant)], ..sizes };
    assert_eq!(short.references(), [1, 3]);
}

#[test]
fn a_run_is_a_program_where_its_step_has_a_size() {
    let constant = crate::schedules::Constant { alpha: 0.25 };
    let sizes = StepSizes { name: "run", steps: 90, parts: vec![(0, &constant)] };
    let text = |code, options| {
        let practice =
            Practice { program: Some(Program { code, options, compensates: false }), ..all_collected(&sizes) };
        sizes.text(Library::NumPy, &practice)
    };
    let code = "def start(theta, rng, alpha):\n    pass\n\n\ndef step(theta, p, k, alpha, rng, friction=0.1, explores=False):\n    pass\n";
    let friction = vec![("friction", "0.5".to_owned()), ("other", "1".to_owned())];
    let whole = text(code, friction.clone()).unwrap();
    for line in [
        "    p, k = start(theta, rng=rng, alpha=step_size(1))\n",
        "        theta, p, k = step(theta, p, k, alpha=step_size(number), rng=rng, friction=0.5, explores=False)\n",
    ] {
        assert!(whole.contains(line), "{whole}");
    }
    assert!(text(code, Vec::new()).is_none(), "an option without a value");
    assert!(text("def step(q, alpha):\n    pass\n", friction.clone()).is_none(), "no chain");
    assert!(text("def step(theta, rng):\n    pass\n", friction).is_none(), "no step size");
    assert!(sizes.text(Library::NumPy, &all_collected(&sizes)).is_none(), "no program");
}

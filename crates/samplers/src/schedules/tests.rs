//! Schedules against numbers of the papers that were computed independently, and errors of bad settings.

use std::sync::Arc;

use proptest::prelude::*;

use super::{Polynomial, SCHEDULES, Schedule, Stage, build, build_in, idle_parameters, with_text};
use base::math::Simd;
use base::params::{DefaultValue, NamedNumber, ParamError, ParamType, Settings, Value, find_kind};

/// Upper bound of the relative error of a few thousand rounded operations.
const ROUNDING: f64 = 1e-12;

fn settings(kind: &str, values: &[(&str, Value)]) -> Settings {
    let mut settings = Settings::defaults(find_kind(&SCHEDULES, kind).unwrap());
    for (key, value) in values {
        settings.set(key, value.clone()).unwrap();
    }
    settings
}

fn number(value: f64) -> Value {
    Value::Number(value)
}

fn text(value: &str) -> Value {
    Value::Text(value.to_owned())
}

fn schedule(kind: &str, values: &[(&str, Value)], steps: u64) -> Arc<dyn Schedule> {
    build(&settings(kind, values), steps).unwrap()
}

fn errors(kind: &str, values: &[(&str, Value)], steps: u64) -> Vec<ParamError> {
    build(&settings(kind, values), steps).unwrap_err()
}

fn close(value: f64, expected: f64, relative: f64) {
    assert!((value - expected).abs() <= relative * expected.abs(), "{value} is not {expected}");
}

fn is_sampling(schedule: &dyn Schedule, k: u64) -> bool {
    schedule.stage(k) == Stage::Sampling
}

const AUTHORS_CODE: [(&str, Value); 5] = [
    ("initial", Value::Number(0.07)),
    ("cycles", Value::Number(30.0)),
    ("rounding", Value::Choice("exact")),
    ("exploration_steps", Value::Number(50.0)),
    ("exploration_noise", Value::Flag(true)),
];

/// PyTorch ends with an error after them.
#[test]
fn a_one_cycle_schedule_of_other_steps_than_the_run_says_so() {
    let remarks = |total: u64| {
        let line = format!("OneCycleLR(max_lr=0.1, total_steps={total})");
        schedule("formula", &[("formula", text(&line)), ("parameters", Value::Named(Vec::new()))], 100).remarks()
    };
    assert_eq!(remarks(100), [""; 0]);
    assert!(remarks(60)[0].starts_with("total_steps = 60 is fewer than the 100 steps of the run"));
    assert!(remarks(200)[0].starts_with("total_steps = 200 is more than the 100 steps of the run"));
}

#[test]
fn every_kind_builds_from_its_defaults() {
    for kind in &SCHEDULES {
        let schedule = build(&Settings::defaults(kind), 50_000).unwrap();
        for k in [1, 2, 49_999, 50_000, 60_000, u64::MAX] {
            let alpha = schedule.step_size(k);
            assert!(alpha.is_finite() && alpha >= 0.0, "{} gives {alpha} at {k}", kind.name);
        }
        // A list of few step sizes says that the last one stays.
        let is_short = kind.param("values").is_some();
        assert_eq!(schedule.remarks().len(), usize::from(is_short), "{}: {:?}", kind.name, schedule.remarks());
    }
}

#[test]
fn every_kind_is_described() {
    for kind in &SCHEDULES {
        assert!(!kind.label.is_empty() && !kind.help.is_empty());
        assert!(kind.param("convention").is_some());
        for param in kind.params {
            assert!(!param.label.is_empty() && param.help.len() > 20, "{}.{}", kind.name, param.key);
            let (ParamType::Number { legal, slider, log } | ParamType::Integer { legal, slider, log }) = param.ty
            else {
                continue;
            };
            assert!(slider.0 < slider.1 && legal.contains(slider.0) && legal.contains(slider.1), "{}", param.key);
            assert!(!log || slider.0 > 0.0, "{}", param.key);
            if let DefaultValue::Number(default) = param.default {
                assert!((slider.0..=slider.1).contains(&default), "{}", param.key);
            }
        }
    }
}

#[test]
fn epsilon_is_halved() {
    let convention = ("convention", Value::Choice("welling-teh"));
    let knots = Value::Points(vec![[1.0, 0.5], [100.0, 0.25]]);
    let cases = [
        ("constant", vec![("value", number(0.5))]),
        ("polynomial", vec![("a", number(0.5)), ("hold", number(3.0))]),
        ("polynomial", vec![("first", number(0.5)), ("last", number(0.25))]),
        ("cyclical", vec![("initial", number(0.5)), ("cycles", number(2.0))]),
        ("cyclical", vec![("cycles", number(2.0)), ("minimum", number(0.02)), ("warm_up", number(9.0))]),
        ("custom", vec![("knots", knots)]),
        ("custom", vec![]),
        ("list", vec![]),
        ("formula", vec![]),
    ];
    for (kind, values) in cases {
        let alpha = schedule(kind, &values, 100);
        let epsilon = schedule(kind, &[values, vec![convention.clone()]].concat(), 100);
        for k in 1..=100 {
            close(epsilon.step_size(k), 0.5 * alpha.step_size(k), ROUNDING);
        }
    }
}

#[test]
fn bulk_gives_the_same_bits() {
    let knots = Value::Points(vec![[5.0, 0.5], [77.0, 0.01], [90.0, 0.2]]);
    let schedules = [
        schedule("constant", &[], 100),
        schedule("polynomial", &[("hold", number(10.0))], 100),
        schedule("cyclical", &[("cycles", number(7.0))], 100),
        schedule("cyclical", &[("cycles", number(7.0)), ("rounding", Value::Choice("exact"))], 100),
        schedule("cyclical", &[("cycles", number(100.0)), ("exploration", number(0.0))], 100),
        schedule("custom", &[("knots", knots)], 100),
        schedule("list", &[], 100),
        schedule("formula", &[], 100),
    ];
    for schedule in schedules {
        for first in [1, 2, 15, 88] {
            let mut step_sizes = [f64::NAN; 50];
            for simd in Simd::available() {
                schedule.fill(simd, first, &mut step_sizes);
                for (alpha, k) in step_sizes.iter().zip(first..) {
                    assert_eq!(alpha.to_bits(), schedule.step_size(k).to_bits(), "{schedule:?} at {k}");
                }
            }
            let mut stages = [Stage::Exploration { noise: true }; 50];
            schedule.fill_stages(first, &mut stages);
            assert!(stages.iter().zip(first..).all(|(stage, k)| *stage == schedule.stage(k)), "{schedule:?}");
        }
    }
}

#[test]
fn polynomial_follows_its_formula() {
    let schedule = schedule("polynomial", &[("a", number(2.0)), ("b", number(3.0)), ("gamma", number(1.0))], 10);
    close(schedule.step_size(1), 0.5, ROUNDING);
    close(schedule.step_size(5), 0.25, ROUNDING);
    let held = Polynomial::new(0.043, 0.0, 0.55, 500);
    close(held.step_size(1), 0.043, ROUNDING);
    close(held.step_size(500), 0.043, ROUNDING);
    close(held.step_size(501), 0.043, ROUNDING);
    close(held.step_size(502), 0.043 * 2.0_f64.powf(-0.55), ROUNDING);
}

/// Welling and Teh (2011), Section 5.1: ε from 0.01 to 0.0001 over T = 10⁶ steps with γ = 0.55 has these constants, given to ten digits. The first step is
/// at t = 0, so the run has one step more.
#[test]
fn polynomial_between_end_points_has_the_published_constants() {
    let ends = [
        ("first", number(0.01)),
        ("last", number(0.0001)),
        ("gamma", number(0.55)),
        ("convention", Value::Choice("welling-teh")),
    ];
    let constants = [
        ("a", number(0.1995515873)),
        ("b", number(231.0663493)),
        ("gamma", number(0.55)),
        ("convention", Value::Choice("welling-teh")),
    ];
    let by_ends = schedule("polynomial", &ends, 1_000_001);
    let by_constants = schedule("polynomial", &constants, 1_000_001);
    for t in [1, 10, 1000, 1_000_000] {
        close(by_ends.step_size(t + 1), by_constants.step_size(t), 1e-9);
    }
    close(by_ends.step_size(1), 0.005, 0.0);
    close(by_ends.step_size(1_000_001), 0.00005, ROUNDING);
}

#[test]
fn polynomial_between_end_points_is_held_at_the_first() {
    let values = [("first", number(0.1)), ("last", number(0.01)), ("hold", number(20.0))];
    let schedule = schedule("polynomial", &values, 100);
    close(schedule.step_size(1), 0.1, ROUNDING);
    close(schedule.step_size(20), 0.1, ROUNDING);
    assert!(schedule.step_size(21) < 0.1);
    close(schedule.step_size(100), 0.01, ROUNDING);
}

#[test]
fn a_run_of_one_step_has_no_two_end_points() {
    let values = [("first", number(0.1)), ("last", number(0.01))];
    let found = errors("polynomial", &values, 1);
    assert!(found.len() == 1 && found[0].problem.contains("one step"), "{found:?}");
    let two = schedule("polynomial", &values, 2);
    close(two.step_size(1), 0.1, 0.0);
    close(two.step_size(2), 0.01, ROUNDING);
}

#[test]
fn exponents_without_convergence_are_remarked_upon() {
    let remarks = |gamma| schedule("polynomial", &[("gamma", number(gamma))], 10).remarks();
    assert!(remarks(0.5)[0].contains("Σα² diverges"));
    assert!(remarks(1.01)[0].contains("Σα converges"));
    assert!(remarks(0.51).is_empty() && remarks(1.0).is_empty());
}

proptest! {
    /// The first step has the first size to the last bit, however steep the curve is; the last step has the last one, and every
    /// step between is the formula by another function.
    #[test]
    fn end_points_are_the_sizes_of_the_first_and_the_last_step(
        first in -6.0..1.0_f64, ratio in 0.1..9.0_f64, gamma in 0.2..1.5_f64, hold in 0..50_u64, more in 1..100_000_u64,
    ) {
        let (first, steps) = (10_f64.powf(first), hold.max(1) + more);
        let last = first / 10_f64.powf(ratio);
        let values = [("first", number(first)), ("last", number(last)), ("gamma", number(gamma)), ("hold", number(hold as f64))];
        let schedule = schedule("polynomial", &values, steps);
        for k in 1..=hold.max(1) {
            prop_assert_eq!(schedule.step_size(k).to_bits(), first.to_bits());
        }
        close(schedule.step_size(steps), last, 1e-10);
        for share in [0.1, 0.5, 0.9] {
            let t = (share * more as f64).ceil();
            let between = (1.0 + t / more as f64 * ((first / last).powf(1.0 / gamma) - 1.0)).powf(-gamma) * first;
            #[expect(clippy::cast_sign_loss, reason = "a share of a number of steps")]
            let step = hold.max(1) + t as u64;
            close(schedule.step_size(step), between, 1e-9);
        }
    }

    #[test]
    fn cycles_add_up(initial in 1e-4..10.0_f64, n in 2..3000_u64, cycles in 1..6_u64) {
        let values = [("initial", number(initial)), ("cycles", number(cycles as f64)), ("exploration", number(0.0))];
        for rounding in ["ceil", "exact"] {
            let values = [&values[..], &[("rounding", Value::Choice(rounding))]].concat();
            let schedule = schedule("cyclical", &values, n * cycles);
            for cycle in 0..cycles {
                let steps = cycle * n + 1..=(cycle + 1) * n;
                prop_assert!(steps.clone().all(|k| schedule.cycle(k) == Some(cycle)));
                let step_sizes: Vec<f64> = steps.map(|k| schedule.step_size(k)).collect();
                prop_assert_eq!(step_sizes[0].to_bits(), initial.to_bits());
                let length = n as f64;
                close(step_sizes.iter().sum(), initial * (length + 1.0) / 2.0, ROUNDING);
                close(step_sizes.iter().map(|a| a * a).sum(), initial * initial * (0.375 * length + 0.5), ROUNDING);
            }
        }
    }

    #[test]
    fn each_step_advances_the_phase_by_one_step(steps in 1..5000_u64, cycles in 1..5000_u64) {
        let cycles = 1 + cycles % steps;
        let values = [("cycles", number(cycles as f64)), ("exploration", number(0.0)), ("rounding", Value::Choice("exact"))];
        let schedule = schedule("cyclical", &values, steps);
        prop_assert_eq!(schedule.cycle(1), Some(0));
        prop_assert_eq!(schedule.cycle(steps), Some(cycles - 1));
        prop_assert_eq!(schedule.cycle(steps + 1), Some(cycles));
        for k in 1..=steps {
            let phase = ((k - 1) * cycles % steps) as f64 / steps as f64;
            let expected = 0.5 * 0.09 * ((std::f64::consts::PI * phase).cos() + 1.0);
            prop_assert!((schedule.step_size(k) - expected).abs() < 1e-15);
        }
    }
}

/// The schedule of Zhang et al. (2020) on 25 Gaussians: 48 520 draws are kept; the authors' floating-point `mod` keeps 48 529.
#[test]
fn authors_code_keeps_48_520_draws() {
    let schedule = schedule("cyclical", &AUTHORS_CODE, 50_000);
    let kept = (1..=50_000).filter(|&k| is_sampling(schedule.as_ref(), k)).count();
    assert_eq!(kept, 48_520);
    let length = 50_000.0 / 30.0;
    let wrong = (0..50_000).filter(|&k| (f64::from(k) % length) + 1.0 > 50.0).count();
    assert_eq!(wrong, 48_529);
    assert_eq!(schedule.stage(1), Stage::Exploration { noise: true });
    assert_eq!(schedule.stage(50), Stage::Exploration { noise: true });
    assert_eq!(schedule.stage(51), Stage::Sampling);
    assert_eq!(schedule.cycle(50_000), Some(29));
}

#[test]
fn paper_explores_a_share_of_whole_cycles() {
    let schedule = schedule("cyclical", &[], 50_000);
    let n = 1667;
    for cycle in 0..29 {
        let stages: Vec<bool> = (1..=n).map(|j| is_sampling(schedule.as_ref(), cycle * n + j)).collect();
        assert_eq!(stages.iter().filter(|&&sampling| !sampling).count(), 417, "417 of 1667 phases lie below ¼");
        assert!(stages.is_sorted(), "exploration comes first");
    }
    assert_eq!(schedule.stage(1), Stage::Exploration { noise: false });
    assert_eq!(schedule.cycle(29 * n), Some(28));
    assert_eq!(schedule.cycle(50_000), Some(29));
}

#[test]
fn cycles_lost_by_rounding_are_remarked_upon() {
    let schedule = schedule("cyclical", &[("cycles", number(6.0))], 10);
    assert!(schedule.remarks()[0].contains("only 5 of the 6 cycles"), "{:?}", schedule.remarks());
}

/// Warm restarts step by step, as they are told in SGDR: a counter that goes back to 0 at the end of a cycle, which then grows.
fn restarts(initial: f64, minimum: f64, (first, growth): (u64, u64), ratio: f64, steps: u64) -> Vec<(f64, u64)> {
    let (mut since, mut length, mut peak, mut cycle) = (0, first, initial, 0);
    let mut found = Vec::new();
    for _ in 0..steps {
        let phase = since as f64 / length as f64;
        found.push((minimum + 0.5 * (peak - minimum) * (1.0 + (std::f64::consts::PI * phase).cos()), cycle));
        since += 1;
        if since == length {
            (since, length, peak, cycle) = (0, growth * length, (peak * ratio).max(minimum), cycle + 1);
        }
    }
    found
}

proptest! {
    #[test]
    fn cycles_grow_and_fall_as_warm_restarts_do(
        initial in 1e-3..1.0_f64, share in 0.0..0.9_f64, first in 2..40_u64, growth in 1..4_u64, ratio in 0.3..1.0_f64,
        warm_up in 0..30_u64, more in 1..3000_u64,
    ) {
        let (minimum, steps) = (share * initial + 1e-9, warm_up + more);
        let values = [
            ("initial", number(initial)), ("minimum", number(minimum)), ("cycle_steps", number(first as f64)),
            ("growth", number(growth as f64)), ("peaks", number(ratio)), ("warm_up", number(warm_up as f64)),
        ];
        let schedule = schedule("cyclical", &values, steps);
        for k in 1..=warm_up {
            close(schedule.step_size(k), initial * k as f64 / warm_up as f64, ROUNDING);
            prop_assert!(!is_sampling(schedule.as_ref(), k));
        }
        for (k, (size, cycle)) in (warm_up + 1..).zip(restarts(initial, minimum, (first, growth), ratio, more)) {
            close(schedule.step_size(k), size, 1e-11);
            prop_assert_eq!(schedule.cycle(k), Some(cycle), "step {}", k);
        }
        close(schedule.largest(steps), initial, ROUNDING);
    }

    /// The number of cycles is kept, each is so many times as long as the one before, and the last ends with the run.
    #[test]
    fn growing_cycles_fill_the_run(cycles in 1..12_u64, growth in 1.0..2.0_f64, warm_up in 0..50_u64) {
        let steps = 20_000 + warm_up;
        let values = [
            ("cycles", number(cycles as f64)), ("growth", number(growth)), ("warm_up", number(warm_up as f64)),
            ("peaks", number(0.99)), ("rounding", Value::Choice("exact")), ("exploration", number(0.0)),
        ];
        let schedule = schedule("cyclical", &values, steps);
        let length = |cycle| (warm_up + 1..=steps).filter(|&k| schedule.cycle(k) == Some(cycle)).count();
        let lengths: Vec<usize> = (0..cycles).map(length).collect();
        prop_assert_eq!(lengths.iter().sum::<usize>(), 20_000);
        for pair in lengths.windows(2) {
            prop_assert!((pair[1] as f64 - growth * pair[0] as f64).abs() <= 1.0 + growth, "{lengths:?}");
        }
    }

    /// With nothing that differs, a length says the same as the number of cycles, and tables as the integers do.
    #[test]
    fn a_length_is_a_number_of_cycles(cycles in 1..60_u64, n in 2..60_u64, exact in any::<bool>(), d in 0..2_u64) {
        let rounding = Value::Choice(if exact { "exact" } else { "ceil" });
        let plain = [("exploration_steps", number(d as f64)), ("rounding", rounding)];
        let with = |more: &[(&'static str, Value)]| schedule("cyclical", &[&plain[..], more].concat(), n * cycles);
        let by_number = with(&[("cycles", number(cycles as f64))]);
        let tables = with(&[("cycles", number(cycles as f64)), ("minimum", number(1e-300))]);
        let by_length = with(&[("cycle_steps", number(n as f64))]);
        for k in 1..=n * cycles {
            let expected = (by_number.step_size(k).to_bits(), by_number.stage(k), by_number.cycle(k));
            prop_assert_eq!(expected, (by_length.step_size(k).to_bits(), by_length.stage(k), by_length.cycle(k)));
            close(tables.step_size(k), by_number.step_size(k), 1e-9);
            prop_assert_eq!((tables.stage(k), tables.cycle(k)), (by_number.stage(k), by_number.cycle(k)));
        }
    }
}

#[test]
fn cyclical_survives_its_extremes() {
    for rounding in ["ceil", "exact"] {
        for (cycles, steps) in [(1.0, 1), (1e8, 100_000_000), (1.0, 100_000_000)] {
            let values =
                [("cycles", number(cycles)), ("rounding", Value::Choice(rounding)), ("exploration", number(0.0))];
            let schedule = schedule("cyclical", &values, steps);
            for k in [0, 1, steps, u64::MAX] {
                assert!((0.0..=0.09).contains(&schedule.step_size(k)));
            }
        }
    }
}

#[test]
fn custom_is_straight_in_the_logarithm() {
    let knots = Value::Points(vec![[10.0, 1.0], [20.0, 0.01], [21.0, 4.0]]);
    let schedule = schedule("custom", &[("knots", knots)], 100);
    let cases = [(1, 1.0), (10, 1.0), (15, 0.1), (20, 0.01), (21, 4.0), (100, 4.0)];
    for (k, expected) in cases {
        close(schedule.step_size(k), expected, ROUNDING);
    }
}

#[test]
fn custom_without_knots_spans_the_run() {
    let schedule = schedule("custom", &[], 1000);
    close(schedule.step_size(1), 0.05, ROUNDING);
    close(schedule.step_size(1000), 0.0005, ROUNDING);
    assert!(build(&settings("custom", &[]), 1).is_ok());
}

#[test]
fn a_list_is_taken_step_by_step_and_its_last_entry_stays() {
    let list = schedule("list", &[("values", text("[0.5, 0.25; 0.125]\n 1e-2"))], 6);
    let sizes: Vec<f64> = (1..=6).map(|k| list.step_size(k)).collect();
    assert_eq!(sizes, [0.5, 0.25, 0.125, 0.01, 0.01, 0.01]);
    assert_eq!(list.remarks(), ["the list has 4 step sizes for 6 steps: from step 4 on the last one stays, α = 0.01"]);
    let longer = schedule("list", &[("values", text("0.5 0.25 0.125"))], 2);
    assert_eq!(longer.remarks(), ["the list has 3 step sizes, and the run takes the first 2 of them"]);
    assert!(schedule("list", &[("values", text("0.5 0.25"))], 2).remarks().is_empty());
}

#[test]
fn a_list_in_a_file_is_read_in_the_folder_of_its_scenario() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("steps.csv"), "step;lr\n1;0,5\n2;0,25\n").unwrap();
    let of_file = settings("list", &[("path", text("steps.csv")), ("column", text("lr"))]);
    let list = build_in(&of_file, 2, &folder.path().into()).unwrap();
    let sizes: Vec<f64> = (1..=3).map(|k| list.step_size(k)).collect();
    assert_eq!(sizes, [0.5, 0.25, 0.25]);
    let errors = build(&of_file, 2).unwrap_err();
    assert!(errors[0].path == "path" && errors[0].problem.contains("read with its scenario"), "{errors:?}");
    assert_eq!(idle_parameters(&of_file), ["values"]);
}

#[test]
fn a_formula_counts_steps_from_0_and_from_1() {
    let values =
        [("formula", text("a0/2*(cos(pi*t/T) + 1)")), ("parameters", Value::Named(vec![NamedNumber::new("a0", 0.07)]))];
    let cosine = schedule("formula", &values, 50);
    let cycle = schedule("cyclical", &[("initial", number(0.07)), ("cycles", number(1.0))], 50);
    for k in 1..=50 {
        close(cosine.step_size(k), cycle.step_size(k), 1e-11);
    }
    let decay = [("formula", text("b = 0.5\nb*k^(-0.55)")), ("parameters", Value::Named(Vec::new()))];
    close(schedule("formula", &decay, 50).step_size(7), 0.5 * 7_f64.powf(-0.55), ROUNDING);
}

#[test]
fn a_line_of_another_library_stands_in_the_place_of_a_formula() {
    let line = text("CosineAnnealingWarmRestarts(optimizer, T_0=10, T_mult=2, lr=0.1)");
    let values = [("formula", line), ("parameters", Value::Named(Vec::new()))];
    let schedule = schedule("formula", &values, 70);
    [1, 11, 31].into_iter().for_each(|k| close(schedule.step_size(k), 0.1, ROUNDING));
    assert_eq!(schedule.cycle(70), Some(2));
    let epsilon = [&values[..], &[("convention", Value::Choice("welling-teh"))]].concat();
    close(super::build(&settings("formula", &epsilon), 70).unwrap().step_size(1), 0.05, ROUNDING);
    let wrong = [("formula", text("StepLR(optimizer, 30)")), ("parameters", Value::Named(Vec::new()))];
    let errors = errors("formula", &wrong, 70);
    assert!(errors[0].path == "formula" && errors[0].problem.contains("lr"), "{errors:?}");
}

#[test]
fn a_text_that_is_typed_takes_what_follows_with_it() {
    let before = settings("formula", &[("parameters", Value::Named(vec![NamedNumber::new("a", 0.3)]))]);
    let after = with_text(&before, "formula", "a/k^b").unwrap();
    let numbers: Vec<(&str, f64)> =
        after.named("parameters").iter().map(|number| (number.name.as_str(), number.value)).collect();
    assert_eq!(numbers, [("a", 0.3), ("b", 0.05)]);
    assert_eq!(with_text(&before, "formula", "StepLR(30, lr=0.1)").unwrap().named("parameters").len(), 3);
    let cycles = with_text(&before, "formula", "CosineAnnealingWarmRestarts(T_0=10, lr=0.1)").unwrap();
    assert_eq!(cycles.kind.name, "cyclical");
    assert!(with_text(&before, "formula", "a/(k").is_none());
    let list = settings("list", &[("values", text("0.5 0.25"))]);
    let of_file = with_text(&list, "path", "steps.csv").unwrap();
    assert_eq!((of_file.word("path"), of_file.get("values")), ("steps.csv", settings("list", &[]).get("values")));
}

/// Bad settings: kind, values, steps, and the paths and words that the errors must have.
type BadCase<'a> = (&'a str, &'a [(&'a str, Value)], u64, &'a [(&'a str, &'a str)]);

/// The errors of settings are those that a case expects.
fn check_errors(cases: &[BadCase<'_>]) {
    for (kind, values, steps, expected) in cases {
        let errors = errors(kind, values, *steps);
        assert_eq!(errors.len(), expected.len(), "{errors:?}");
        for (error, (path, words)) in errors.iter().zip(*expected) {
            assert_eq!(error.path, *path, "{error}");
            assert!(error.problem.contains(words), "{error}");
            assert!(!error.allowed.is_empty());
        }
    }
}

#[test]
fn bad_settings_say_what_is_wrong() {
    let cases: [BadCase<'_>; 16] = [
        ("polynomial", &[("first", number(0.1))], 10, &[("last", "without last")]),
        ("polynomial", &[("last", number(0.1))], 10, &[("first", "without first")]),
        (
            "polynomial",
            &[("a", number(0.1)), ("b", number(3.0)), ("first", number(0.1)), ("last", number(0.01))],
            10,
            &[("a", "a = 0.1"), ("b", "b = 3")],
        ),
        ("polynomial", &[("first", number(0.1)), ("last", number(0.1))], 10, &[("last", "not below")]),
        (
            "polynomial",
            &[("first", number(0.1)), ("last", number(0.2)), ("hold", number(10.0))],
            10,
            &[("hold", "leave none"), ("last", "not below")],
        ),
        (
            "polynomial",
            &[("first", number(1e10)), ("last", number(1e-10)), ("gamma", number(0.01))],
            10,
            &[("last", "no curve")],
        ),
        ("cyclical", &[("cycles", number(11.0))], 10, &[("cycles", "11 cycles in 10 steps")]),
        ("cyclical", &[("cycles", number(10.0))], 10, &[("exploration", "no sampling step")]),
        (
            "cyclical",
            &[("cycles", number(2.0)), ("exploration_steps", number(5.0))],
            10,
            &[("exploration_steps", "fill")],
        ),
        (
            "cyclical",
            &[("cycles", number(2.0)), ("exploration_steps", number(1.0)), ("exploration", number(0.5))],
            10,
            &[("exploration", "together with D = 1")],
        ),
        ("cyclical", &[("cycles", number(2.0)), ("cycle_steps", number(5.0))], 10, &[("cycles", "given together")]),
        (
            "cyclical",
            &[("cycles", number(1.0)), ("minimum", number(0.1)), ("warm_up", number(10.0))],
            10,
            &[("minimum", "above the initial"), ("warm_up", "leave none")],
        ),
        ("cyclical", &[("cycles", number(3.0)), ("warm_up", number(8.0))], 10, &[("cycles", "in the 2 steps after")]),
        (
            "cyclical",
            &[("cycles", number(20_000.0)), ("peaks", number(0.9))],
            100_000,
            &[("cycles", "more cycles than")],
        ),
        (
            "cyclical",
            &[("cycle_steps", number(2.0)), ("peaks", number(0.9))],
            100_000,
            &[("cycle_steps", "more cycles")],
        ),
        (
            "cyclical",
            &[("cycle_steps", number(1.0)), ("growth", number(2.0))],
            100,
            &[("exploration", "no sampling step")],
        ),
    ];
    check_errors(&cases);
}

#[test]
fn bad_lists_and_formulas_say_what_is_wrong() {
    let no_numbers = || ("parameters", Value::Named(Vec::new()));
    let cases: [BadCase<'_>; 9] = [
        ("list", &[("values", text(" , "))], 10, &[("values", "empty")]),
        ("list", &[("values", text("0.1, x"))], 10, &[("values", "number 2: \"x\" is not a number")]),
        ("list", &[("values", text("0.1\n-0.2"))], 10, &[("values", "line 2, number 2: \"-0.2\" is not allowed")]),
        ("list", &[("values", text("0,05 0,04"))], 10, &[("values", "decimal comma")]),
        ("list", &[("values", text("0.1")), ("path", text("a.csv"))], 10, &[("values", "together with the file")]),
        ("formula", &[("formula", text("a/t"))], 10, &[("formula", "at step 1, where t = 0, it gives inf")]),
        (
            "formula",
            &[("formula", text("3 - t")), no_numbers()],
            10,
            &[("formula", "at step 5, where t = 4, it gives -1")],
        ),
        ("formula", &[("formula", text("a*(t"))], 10, &[("formula", "character 3: this bracket is not closed")]),
        (
            "formula",
            &[("formula", text("b*k"))],
            10,
            &[("parameters.b", "has no number"), ("parameters.a", "is not in the formula")],
        ),
    ];
    check_errors(&cases);
}

#[test]
fn exploration_may_fill_all_but_one_step() {
    for rounding in ["ceil", "exact"] {
        let values =
            [("cycles", number(3.0)), ("rounding", Value::Choice(rounding)), ("exploration_steps", number(3.0))];
        let schedule = schedule("cyclical", &values, 10);
        assert!((1..=10).any(|k| is_sampling(schedule.as_ref(), k)));
    }
}

/// Every kind, also with knots between two steps and beyond the run, against all steps one by one.
#[test]
fn the_largest_step_is_the_largest_of_all() {
    let knots = Value::Points(vec![[2.0, 0.1], [7.5, 0.9], [9.0, 0.02], [90.0, 0.7]]);
    let cases: [(&str, Vec<(&str, Value)>); 10] = [
        ("constant", vec![]),
        ("polynomial", vec![("b", number(3.0))]),
        ("polynomial", vec![("first", number(0.2)), ("last", number(0.1)), ("hold", number(5.0))]),
        ("cyclical", vec![("cycles", number(3.0))]),
        ("cyclical", vec![("cycles", number(3.0)), ("rounding", Value::Choice("exact"))]),
        ("cyclical", vec![("cycles", number(2.0)), ("peaks", number(0.5)), ("warm_up", number(3.0))]),
        ("custom", vec![]),
        ("custom", vec![("knots", knots)]),
        ("list", vec![("values", text("0.1 0.3 0.2 0.05 0.4 0.1 0.1 0.1 0.1 0.5"))]),
        ("formula", vec![("formula", text("1 + t % 7")), ("parameters", Value::Named(Vec::new()))]),
    ];
    for (kind, values) in cases {
        for steps in [8, 10, 40, 200] {
            let schedule = schedule(kind, &values, steps);
            let largest = (1..=steps).map(|k| schedule.step_size(k)).fold(0.0, f64::max);
            assert_eq!(schedule.largest(steps).to_bits(), largest.to_bits(), "{kind} {values:?} {steps}");
        }
    }
}

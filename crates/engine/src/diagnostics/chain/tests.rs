//! Diagnostics of chains against an independent implementation, and the measures on chains small enough to count by hand.

use approx::{assert_abs_diff_eq, assert_relative_eq};
use serde_json::Value;

use super::super::{DrawCounts, Series, Totals, Truth};
use super::*;
use crate::diagnostics::test_targets::Mixture;
use crate::diagnostics::{Better, TRUTH_MEASURES};
use base::math::Simd;

/// Eight digits.
const DIGITS: f64 = 5e-9;

type Chains = Vec<Vec<f64>>;

/// A value of the reference implementation, and how we compute it.
type Figure = (&'static str, fn(&[&[f64]]) -> Outcome);

const FIGURES: [Figure; 9] = [
    ("rhat", rhat::rhat),
    ("split_rhat", split_rhat),
    ("ess_bulk", ess_bulk::ess_bulk),
    ("ess_tail", ess_tail::ess_tail),
    ("ess_mean", ess_mean),
    ("ess_sd", ess_sd),
    ("ess_median", |chains| ess_quantile(chains, 0.5)),
    ("mcse_mean", mcse_mean::mcse_mean),
    ("mcse_sd", mcse_sd),
];

fn slices(chains: &Chains) -> Vec<&[f64]> {
    chains.iter().map(Vec::as_slice).collect()
}

/// The chains of tests/data/diagnostics.py, which says what they are made of; the same bits.
fn autoregression(seed: u32, chains: usize, length: usize, phi: f64) -> Chains {
    let mut state = seed;
    let mut uniform = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(state) / 4_294_967_296.0
    };
    let mut chain = |_| {
        let mut value = 0.0;
        let mut next = |_| {
            value = phi * value + (uniform() - 0.5);
            value
        };
        (0..length).map(&mut next).collect()
    };
    (0..chains).map(&mut chain).collect()
}

fn each(seed: u32, chains: usize, length: usize, of: fn(f64) -> f64) -> Chains {
    let mut made = autoregression(seed, chains, length, 0.0);
    made.iter_mut().flatten().for_each(|value| *value = of(*value + 0.5));
    made
}

fn with_chain(mut chains: Chains, number: usize, change: impl Fn(&mut Vec<f64>)) -> Chains {
    change(&mut chains[number]);
    chains
}

fn shifted(mut chains: Chains, by: &[f64]) -> Chains {
    chains.iter_mut().zip(by).for_each(|(chain, by)| chain.iter_mut().for_each(|draw| *draw += by));
    chains
}

fn inputs() -> Vec<(&'static str, Chains)> {
    vec![
        ("independent", autoregression(10, 4, 100, 0.0)),
        ("one_chain_constant", with_chain(autoregression(11, 4, 100, 0.5), 2, |chain| chain.fill(0.25))),
        ("all_constant", vec![vec![1.5; 50]; 3]),
        ("each_constant", [0.0, 1.0, 2.0, 5.0].map(|at| vec![at; 40]).to_vec()),
        ("antithetic", autoregression(12, 4, 500, -0.9)),
        ("stuck_in_modes", shifted(autoregression(13, 4, 200, 0.5), &[0.0, 0.0, 10.0, -10.0])),
        ("three_draws", autoregression(14, 4, 3, 0.0)),
        ("four_draws", autoregression(21, 2, 4, 0.0)),
        ("five_draws", autoregression(22, 3, 5, 0.0)),
        ("one_chain", autoregression(16, 1, 300, 0.3)),
        ("diverged", with_chain(autoregression(15, 4, 100, 0.5), 1, |chain| chain[70] = f64::NAN)),
        ("ties", each(17, 4, 150, |u| (4.0 * u).floor())),
        ("rare", each(23, 4, 150, |u| f64::from(u < 1.0 / 64.0))),
        ("slow", autoregression(18, 4, 5000, 0.95)),
        ("odd_length", autoregression(19, 3, 101, 0.5)),
        ("heavy_tails", each(20, 4, 400, |u| (u - 0.5) / (u * (1.0 - u)))),
    ]
}

#[test]
fn the_reference_chains_have_the_published_figures() {
    let text = include_str!("../../../../../tests/data/diag_4x250.csv");
    let chain = |line: &str| line.split(',').map(|number| number.trim().parse().expect("a number")).collect();
    let chains: Chains = text.lines().map(chain).collect();
    assert!(chains.len() == 4 && chains.iter().all(|chain| chain.len() == 250));
    let expected = [
        1.022_090_566_0,
        1.021_781_063_2,
        126.146_470_51,
        350.003_830_91,
        127.472_963_63,
        401.694_601_28,
        224.338_145_29,
        0.086_447_056_2,
    ];
    for ((name, figure), expected) in FIGURES.iter().zip(expected) {
        let found = figure(&slices(&chains)).unwrap();
        assert!((found / expected - 1.0).abs() < DIGITS, "{name}: {found} for {expected}");
    }
}

#[test]
fn an_independent_implementation_agrees_to_eight_digits() {
    let expected: Value =
        serde_json::from_str(include_str!("../../../../../tests/data/diagnostics.json")).expect("JSON");
    let inputs = inputs();
    assert_eq!(expected.as_object().map(serde_json::Map::len), Some(inputs.len()));
    for (input, chains) in &inputs {
        for (name, figure) in FIGURES {
            let found = figure(&slices(chains));
            match (expected[input][name].as_f64(), found) {
                (Some(expected), Ok(found)) => {
                    assert!((found / expected - 1.0).abs() < DIGITS, "{input}, {name}: {found} for {expected}");
                }
                (None, Err(reason)) => assert!(!reason.is_empty(), "{input}, {name}"),
                (expected, found) => panic!("{input}, {name}: {found:?} for {expected:?}"),
            }
        }
    }
}

#[test]
fn what_has_no_value_has_the_right_reason() {
    let reason = |input: &str, figure: fn(&[&[f64]]) -> Outcome| {
        let (_, chains) = inputs().into_iter().find(|(name, _)| *name == input).expect("an input");
        figure(&slices(&chains)).expect_err("no value")
    };
    for (_, figure) in FIGURES {
        assert_eq!(reason("three_draws", figure), "needs at least 4 draws per chain");
        assert_eq!(reason("all_constant", figure), "the draws are all equal");
        assert_eq!(reason("diverged", figure), "a chain has left");
    }
    assert_eq!(reason("one_chain", rhat::rhat), "needs at least two chains");
    assert_eq!(reason("one_chain", split_rhat), "needs at least two chains");
    assert_eq!(reason("each_constant", rhat::rhat), "no spread within any chain");
}

/// A series of rows in steps of one, from positions per row and chain.
fn series(chains: usize, rows: &[&[(f64, f64)]], cycles: Option<&[u64]>) -> Series {
    let mut series = Series::new(chains);
    for (index, row) in rows.iter().enumerate() {
        series.push(index as u64 + 1, cycles.map(|cycles| cycles[index]), 1.0, |chain| row[chain].into());
    }
    series
}

fn from_chains(x: &Chains, y: &Chains) -> Series {
    weighted(x, y, |_| 1.0)
}

fn weighted(x: &Chains, y: &Chains, weight: impl Fn(usize) -> f64) -> Series {
    let mut series = Series::new(x.len());
    for row in 0..x[0].len() {
        series.push(row as u64 + 1, None, weight(row), |chain| [x[chain][row], y[chain][row]]);
    }
    series
}

fn measured(truth: &Truth, series: &Series) -> Vec<Measure> {
    base::platform::now(measure_chains(&input(truth, series)))
}

/// The input with totals of all draws of a series, as a run counts them.
fn input<'a>(truth: &'a Truth, series: &'a Series) -> ChainInput<'a> {
    let mut counts = DrawCounts::new(truth);
    let coordinates = [0, 1].map(|coordinate| series.coordinate(coordinate));
    for (row, weight) in series.weights().iter().enumerate() {
        let [x, y] = coordinates.each_ref().map(|chains| chains.iter().map(|chain| chain[row]).collect::<Vec<f64>>());
        counts.add_rows(Simd::BASELINE, truth, &[*weight], &x, &y);
    }
    ChainInput { truth, series, collected: counts.draws(), totals: counts.totals(truth), diverged: 0, acceptance: None }
}

fn one(measures: &[Measure], key: &str) -> Measure {
    measures.iter().find(|measure| measure.key == key).expect("a registered measure").clone()
}

#[test]
fn measures_come_in_the_order_of_the_registry_with_a_value_or_a_reason() {
    for target in [Mixture::grid(), Mixture::single(), Mixture::line()] {
        let truth = Truth::new(&target);
        for chains in [1, 4] {
            for length in [1, 3, 4, 19, 20, 50] {
                let x = autoregression(1, chains, length, 0.5);
                let measures = measured(&truth, &from_chains(&x, &x));
                assert!(measures.iter().map(|measure| measure.key).eq(CHAIN_MEASURES.iter().map(|spec| spec.key)));
                for Measure { key, value, floor, reason } in measures {
                    assert_eq!(value.is_none(), !reason.is_empty(), "{key}");
                    assert!(floor.is_none() && value.is_none_or(f64::is_finite), "{key}");
                    let fewest = match key {
                        "ess_bulk" | "ess_tail" => Some(20),
                        "mcse_mean" => Some(4),
                        _ => None,
                    };
                    let as_told = fewest.is_none_or(|fewest| value.is_some() == (length >= fewest));
                    assert!(as_told, "{key}: {reason}");
                    assert!(key != "rhat" || value.is_some() == (length >= 4 && chains > 1), "{key}: {reason}");
                }
            }
        }
    }
}

#[test]
fn keys_are_distinct_and_every_measure_is_described() {
    let all: Vec<_> = TRUTH_MEASURES.iter().chain(&CHAIN_MEASURES).collect();
    for (index, spec) in all.iter().enumerate() {
        assert!(all[index + 1..].iter().all(|other| other.key != spec.key));
        assert!(spec.help.len() > 60 && !spec.label.is_empty(), "{}", spec.key);
    }
    let headlines = CHAIN_MEASURES.iter().filter(|spec| spec.headline).map(|spec| spec.key);
    assert!(headlines.eq(["rhat", "ess_bulk"]));
    assert!(CHAIN_MEASURES.iter().all(|spec| spec.better != Better::NearFloor), "there are no floors");
}

#[test]
fn before_the_first_draw_there_are_only_reasons() {
    let truth = Truth::new(&Mixture::grid());
    for measure in measured(&truth, &Series::new(4)) {
        let reason = match measure.key {
            "divergences" | "chains_left" => "",
            "acceptance" => "every step is accepted",
            _ => "no draws yet",
        };
        assert_eq!((measure.value.is_none(), measure.reason), (!reason.is_empty(), reason), "{}", measure.key);
    }
}

#[test]
fn the_worst_coordinate_counts_and_errors_add_up_over_both() {
    let (x, y) = (autoregression(1, 4, 200, 0.2), autoregression(2, 4, 200, 0.9));
    let plane = measured(&Truth::new(&Mixture::grid()), &from_chains(&x, &y));
    let line = measured(&Truth::new(&Mixture::line()), &from_chains(&x, &y));
    let of = |figure: fn(&[&[f64]]) -> Outcome, chains: &Chains| figure(&slices(chains)).unwrap();
    for (key, figure) in FIGURES.into_iter().filter(|(key, _)| ["rhat", "ess_bulk", "ess_tail"].contains(key)) {
        let worst = if key == "rhat" { f64::max } else { f64::min };
        assert_eq!(one(&line, key).value, Some(of(figure, &x)), "{key}");
        assert_eq!(one(&plane, key).value, Some(worst(of(figure, &x), of(figure, &y))), "{key}");
    }
    let errors = [&x, &y].map(|chains| of(mcse_mean::mcse_mean, chains));
    let both = one(&plane, "mcse_mean").value.expect("a value");
    assert_relative_eq!(both, errors[0].hypot(errors[1]), max_relative = 1e-14);
}

#[test]
fn modes_are_followed_draw_by_draw() {
    let (a, b, c) = ((0.0, 0.0), (2.1, 0.0), (-4.0, 3.9));
    let lost = (f64::NAN, f64::NAN);
    let rows: [&[(f64, f64)]; 6] = [&[a, b], &[a, b], &[b, b], &[a, b], &[c, lost], &[c, lost]];
    let series = series(2, &rows, Some(&[3, 3, 3, 4, 4, 4]));
    let truth = Truth::new(&Mixture::grid());
    let input = input(&truth, &series);
    let totals = Totals { divergent: 3, ..input.totals };
    let input = ChainInput { diverged: 1, acceptance: Some(0.25), totals, ..input };
    assert_eq!(input.collected, 10);
    let measures = base::platform::now(measure_chains(&input));
    let value = |key| one(&measures, key).value.expect("a value");
    // Visits a, b, a, c of the first chain, one of the second; cycles {a, b}, {a, c}, {b}, {b}.
    assert_abs_diff_eq!(value("mode_switches"), 3.0);
    assert_relative_eq!(value("residence"), 10.0 / 5.0);
    assert_relative_eq!(value("modes_per_cycle"), 6.0 / 4.0);
    assert_relative_eq!(value("coupon_collector"), 25.0 * (1.0 - 0.96_f64.powi(4)), max_relative = 1e-14);
    assert_abs_diff_eq!(value("divergences"), 3.0);
    assert_abs_diff_eq!(value("chains_left"), 1.0);
    assert_abs_diff_eq!(value("acceptance"), 0.25);
    for key in ["rhat", "ess_bulk", "ess_tail", "mcse_mean"] {
        assert_eq!(one(&measures, key).reason, "a chain has left");
    }
}

#[test]
fn draws_outside_the_grid_belong_to_the_nearest_mode_too() {
    let rows: [&[(f64, f64)]; 3] = [&[(100.0, 100.0)], &[(4.0, 4.0)], &[(-100.0, 0.0)]];
    let measures = measured(&Truth::new(&Mixture::grid()), &series(1, &rows, None));
    assert_eq!(one(&measures, "mode_switches").value, Some(1.0));
}

#[test]
fn one_mode_and_no_cycles_are_reasons() {
    let x = autoregression(1, 2, 20, 0.5);
    let single = measured(&Truth::new(&Mixture::single()), &from_chains(&x, &x));
    for key in ["mode_switches", "residence", "modes_per_cycle", "coupon_collector"] {
        assert_eq!(one(&single, key).reason, "the target has one mode");
    }
    let grid = measured(&Truth::new(&Mixture::grid()), &from_chains(&x, &x));
    for key in ["modes_per_cycle", "coupon_collector"] {
        assert_eq!(one(&grid, key).reason, "the schedule has no cycles");
    }
    assert_eq!(one(&grid, "acceptance").reason, "every step is accepted");
}

#[test]
fn weights_are_worth_their_effective_number() {
    let truth = Truth::new(&Mixture::single());
    let chains = autoregression(1, 2, 20, 0.5);
    let ess = |weight: fn(usize) -> f64| {
        one(&measured(&truth, &weighted(&chains, &chains, weight)), "weight_ess").value.expect("a value")
    };
    assert_relative_eq!(ess(|_| 1.0), 40.0);
    assert_relative_eq!(ess(|row| if row % 4 == 3 { 2.0 } else { 0.0 }), 10.0);
    // (20 + 40)² / (20 + 80).
    assert_relative_eq!(ess(|row| if row < 10 { 1.0 } else { 2.0 }), 36.0);
}

/// Four times as many draws as a series holds. The error of the mean is that of the same estimator on all draws: both are
/// random by some percent, and differ by less than a tenth. From every fourth draw it would be twice as large if draws are
/// independent.
#[test]
fn the_error_of_the_mean_is_that_of_all_draws_of_a_long_series() {
    let truth = Truth::new(&Mixture::line());
    let length = crate::diagnostics::MOST_IN_SERIES;
    for phi in [0.0, 0.95, -0.5] {
        let chains = autoregression(5, 4, length, phi);
        let series = from_chains(&chains, &chains);
        assert_eq!(series.every(), 4);
        let found = mcse_mean::value(&input_of_rows(&truth, &series)).expect("a value");
        let expected = mcse_mean::mcse_mean(&slices(&chains)).expect("a value");
        assert_relative_eq!(found, expected, max_relative = 0.1);
        // Weights that alternate slowly: the same, up to what the weights cost.
        let weighted = weighted(&chains, &chains, |row| if row / 1000 % 2 == 0 { 1.0 } else { 2.0 });
        let heavier = mcse_mean::value(&input_of_rows(&truth, &weighted)).expect("a value");
        assert_relative_eq!(heavier, expected * (10.0_f64 / 9.0).sqrt(), max_relative = 0.1);
    }
}

/// The input of a series without totals, which its errors do not need.
fn input_of_rows<'a>(truth: &'a Truth, series: &'a Series) -> ChainInput<'a> {
    let collected = (series.rows() * series.chains()) as u64;
    ChainInput { truth, series, collected, totals: Totals::default(), diverged: 0, acceptance: None }
}

//! Every registered target as a truth to measure against: total probability, draws, and what has no modes.

use std::path::Path;
use std::sync::Arc;

use super::prepared::NOT_IN_VIEW;
use super::test_targets::{counts_of, exact_draws, value_of};
use super::{CHAIN_MEASURES, ChainInput, Series, Totals, Truth, curvature, measure_chains, measure_truth};
use base::math::{Point, Purpose, Stream};
use base::params::{KindSpec, Settings, Value, find_kind};
use models::targets::{Density, NO_MODES, TARGETS, Target, build};

fn built(kind: &str, values: &[(&str, Value)]) -> Arc<Target> {
    let mut settings = Settings::defaults(find_kind(&TARGETS, kind).unwrap());
    for (key, value) in values {
        settings.set(key, value.clone()).unwrap();
    }
    build(&settings, Path::new("")).unwrap()
}

fn target(kind: &str, values: &[(&str, Value)]) -> Arc<dyn Density> {
    built(kind, values).density().unwrap().clone()
}

/// All kinds whose density is known at their defaults, and thin and wide ones.
fn targets() -> Vec<(String, Arc<dyn Density>)> {
    let at_defaults = |kind: &KindSpec| Some((kind.name.to_owned(), built(kind.name, &[]).density()?.clone()));
    let mut targets: Vec<_> = TARGETS.iter().filter_map(at_defaults).collect();
    for (kind, key, value) in [
        ("donut", "width", 0.06),
        ("donut", "width", 3.0),
        ("funnel", "sd", 0.5),
        ("funnel", "sd", 5.0),
        ("squiggle", "frequency", 5.0),
        ("squiggle", "width", 0.06),
        ("banana", "width", 0.05),
        ("double-well", "barrier", 100.0),
        ("three-modes", "separation", 40.0),
    ] {
        targets.push((format!("{kind}, {key} = {value}"), target(kind, &[(key, Value::Number(value))])));
    }
    targets
}

/// Cells and outside add up to 1 by how the outside is defined, unless cells hold too much; what can be wrong is what
/// lies outside. It is counted among exact draws, with five standard deviations of a binomial and one draw to spare: a
/// false alarm in fewer than one comparison in a million.
#[test]
fn what_lies_outside_the_grid_is_the_share_of_draws_there() {
    const DRAWS: usize = 20_000;
    for (name, target) in targets() {
        let truth = Truth::new(target.as_ref());
        let total = truth.probabilities().iter().sum::<f64>() + truth.outside();
        assert!((total - 1.0).abs() < 1e-9, "{name}: {total}");
        assert!(truth.probabilities().iter().all(|share| *share >= 0.0) && truth.outside() >= 0.0, "{name}");
        let draws = exact_draws(target.as_ref(), 3, DRAWS);
        let outside = draws.iter().filter(|at| truth.grid().cell(**at).is_none()).count();
        let (n, expected) = (DRAWS as f64, truth.outside());
        let share = outside as f64 / n;
        let tolerance = 5.0 * (expected * (1.0 - expected) / n).sqrt() + 1.0 / n;
        assert!((share - expected).abs() <= tolerance, "{name}: {expected} outside, {share} of the draws");
    }
}

/// The total variation of n exact draws from cells of probabilities p has expectation at most ½ Σ √(p(1 − p)/n), and
/// one draw changes it by at most 1/n: so it exceeds that by 3/√n in fewer than one of 10⁷ comparisons (McDiarmid,
/// exp(−2 · 3²)).
#[test]
fn exact_draws_agree_with_the_cells() {
    const DRAWS: usize = 20_000;
    for (name, target) in targets() {
        let truth = Truth::new(target.as_ref());
        let counts = counts_of(&truth, &exact_draws(target.as_ref(), 4, DRAWS));
        let n = DRAWS as f64;
        let cells = truth.probabilities().iter().copied().chain([truth.outside()]);
        let expected: f64 = cells.map(|share| 0.5 * (share * (1.0 - share) / n).sqrt()).sum();
        let found = value_of(&truth, &counts, "tv");
        assert!(found <= expected + 3.0 / n.sqrt(), "{name}: {found}, at most {expected} expected");
    }
}

#[test]
fn without_modes_measures_that_need_them_say_so_and_others_go_on() {
    let ring = target("donut", &[]);
    let truth = Truth::new(ring.as_ref());
    assert!(truth.modes().is_empty());
    let mut draws = exact_draws(ring.as_ref(), 1, 499);
    draws.push(Point::new(9.0, 0.0));
    let counts = counts_of(&truth, &draws);
    let needing = ["modes_visited", "modes_covered", "within_3sd", "mode_weight_kl", "within_mode_kl"];
    for measure in measure_truth(&truth, &counts, None) {
        let needs = needing.contains(&measure.key);
        assert_eq!(measure.reason == NO_MODES, needs, "{}: {}", measure.key, measure.reason);
        assert_eq!(measure.value.is_some(), !needs, "{}: {}", measure.key, measure.reason);
    }

    let mut series = Series::new(2);
    for (step, pair) in (1..).zip(draws.chunks_exact(2)) {
        series.push(step, Some(step / 50), 1.0, |chain| [pair[chain].x, pair[chain].y]);
    }
    let input = ChainInput {
        truth: &truth,
        series: &series,
        collected: 500,
        totals: Totals::default(),
        diverged: 0,
        acceptance: None,
    };
    let measures = base::platform::now(measure_chains(&input));
    for key in ["mode_switches", "residence", "modes_per_cycle", "coupon_collector"] {
        let index = CHAIN_MEASURES.iter().position(|spec| spec.key == key).unwrap();
        assert_eq!((measures[index].value, measures[index].reason), (None, NO_MODES), "{key}");
    }
}

/// Of the ring of width σ the largest curvature is 1/σ², on the ridge.
#[test]
fn the_stability_limit_of_a_ridge_is_that_of_its_width() {
    let known = |target: &dyn Density| curvature(target.info(), target.as_model());
    let limit = 2.0 / known(target("donut", &[("width", Value::Number(0.2))]).as_ref()).unwrap();
    assert!((limit - 2.0 * 0.04).abs() < 1e-12, "{limit}");
    for (boundary, is_known) in [("reflect", true), ("log", false), ("none", true)] {
        let posterior = target("normal-gamma", &[("boundary", Value::Choice(boundary))]);
        assert_eq!(known(posterior.as_ref()).is_some(), is_known, "{boundary}");
    }
}

/// A distance needs all of the target in the view, and a hundredth of the funnel is outside.
#[test]
fn distances_to_what_is_out_of_view_are_not_stated() {
    let funnel = target("funnel", &[]);
    let truth = Truth::new(funnel.as_ref());
    let counts = counts_of(&truth, &exact_draws(funnel.as_ref(), 1, 500));
    for measure in measure_truth(&truth, &counts, None) {
        let needs_view = ["w1_x", "w1_y", "sliced_w2"].contains(&measure.key);
        assert_eq!(measure.reason == NOT_IN_VIEW, needs_view, "{}", measure.key);
    }
    let mut stream = Stream::derive(1, Purpose::Measure, 0, 0);
    assert!((0..100).all(|_| truth.grid().cell(truth.draw(&mut stream)).is_some()));
}

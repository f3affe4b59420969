//! Measures that compare draws with the target (KL, W₁, MMD², modes covered …), one per file, and their registry.
//!
//! All of them compare the [`DrawStatistics`] of the draws with the [`Truth`]. A new measure is a file with a `SPEC`
//! and a function `value`, a `mod` line and a line in the registry below. Code that several measures or the floors
//! share is in the folder above.

mod covariance_error;
mod hellinger;
mod input;
mod kl;
mod kl_reverse;
mod mean_error;
mod mmd2;
mod mode_weight_kl;
mod modes_covered;
mod modes_visited;
mod sliced_w2;
mod tv;
mod w1;
mod within_3sd;
mod within_mode_kl;

pub use modes_covered::COVERED_DRAWS;

use super::{
    DrawCounts, DrawStatistics, Falls, FloorValues, Measure, MeasureEntry, MeasureSpec, Outcome, Truth, specs,
};
use input::TruthInput;

/// How a measure is computed, and what is known of its floor.
struct TruthFunction {
    value: fn(TruthInput<'_>) -> Outcome,
    falls: Falls,
    /// The average over sets of so many exact draws, where a formula gives it.
    average: Option<fn(&Truth, u64) -> Option<f64>>,
}

/// A measure whose average over exact draws has no formula.
const fn known(value: fn(TruthInput<'_>) -> Outcome, falls: Falls) -> TruthFunction {
    TruthFunction { value, falls, average: None }
}

/// The registry: one line for each measure, in the order in which they are shown and written.
const ENTRIES: &[MeasureEntry<TruthFunction>] = &[
    MeasureEntry { spec: modes_visited::SPEC, value: known(modes_visited::value, Falls::AsCellsFill) },
    MeasureEntry { spec: modes_covered::SPEC, value: known(modes_covered::value, Falls::AsCellsFill) },
    MeasureEntry { spec: within_3sd::SPEC, value: known(within_3sd::value, Falls::Level) },
    MeasureEntry {
        spec: mode_weight_kl::SPEC,
        value: TruthFunction { average: Some(mode_weight_kl::average), ..known(mode_weight_kl::value, Falls::Inverse) },
    },
    MeasureEntry { spec: within_mode_kl::SPEC, value: known(within_mode_kl::value, Falls::AsCellsFill) },
    MeasureEntry { spec: kl::SPEC, value: known(kl::value, Falls::AsCellsFill) },
    MeasureEntry { spec: kl_reverse::SPEC, value: known(kl_reverse::value, Falls::AsCellsFill) },
    MeasureEntry { spec: tv::SPEC, value: known(tv::value, Falls::AsCellsFill) },
    MeasureEntry { spec: hellinger::SPEC, value: known(hellinger::value, Falls::AsCellsFill) },
    MeasureEntry { spec: w1::SPEC_X, value: known(w1::value_x, Falls::Root) },
    MeasureEntry { spec: w1::SPEC_Y, value: known(w1::value_y, Falls::Root) },
    MeasureEntry { spec: sliced_w2::SPEC, value: known(sliced_w2::value, Falls::Power) },
    MeasureEntry { spec: mmd2::SPEC, value: known(mmd2::value, Falls::Inverse) },
    MeasureEntry { spec: mean_error::SPEC, value: known(mean_error::value, Falls::Root) },
    MeasureEntry { spec: covariance_error::SPEC, value: known(covariance_error::value, Falls::Root) },
];

/// Reason why a measure against the truth has no value.
pub const UNKNOWN: &str = "the exact density is not known";

/// How many measures there are.
pub(super) const COUNT: usize = ENTRIES.len();

/// The measures against the truth, in the order in which they are shown and written.
pub static TRUTH_MEASURES: [MeasureSpec; COUNT] = specs(ENTRIES);

/// Whether a measure has a meaning for a target of so many dimensions: on the line there is no second coordinate.
#[must_use]
pub fn has_meaning(measure: &MeasureSpec, dimension: usize) -> bool {
    dimension > 1 || measure.key != w1::SPEC_Y.key
}

/// How the floor of measure number `index` falls with the number of draws.
pub(super) fn falls(index: usize) -> Falls {
    ENTRIES[index].value.falls
}

/// The average of measure number `index` over sets of `draws` exact draws, where a formula gives it.
pub(super) fn average(index: usize, truth: &Truth, draws: u64) -> Option<f64> {
    truth.is_known().then_some(ENTRIES[index].value.average?)?(truth, draws)
}

/// The values of all measures, in the order of [`TRUTH_MEASURES`].
pub(super) fn outcomes(truth: &Truth, statistics: &DrawStatistics) -> [Outcome; COUNT] {
    if let Some(doubt) = truth.doubt() {
        return std::array::from_fn(|_| Err(doubt));
    }
    let input = TruthInput { truth, statistics };
    std::array::from_fn(|index| (ENTRIES[index].value.value)(input))
}

/// All measures of the draws in `draw_counts`, in the order of [`TRUTH_MEASURES`], with floors if there are any.
///
/// Counts and floors must have been made for this `truth`.
#[must_use]
pub fn measure_truth(truth: &Truth, draw_counts: &DrawCounts, floor: Option<&FloorValues>) -> Vec<Measure> {
    let outcomes = outcomes(truth, &draw_counts.statistics(truth));
    let mut measures: Vec<Measure> =
        TRUTH_MEASURES.iter().zip(outcomes).map(|(spec, outcome)| Measure::new(spec.key, outcome)).collect();
    if let Some(floor) = floor {
        floor.put_beside(&mut measures);
    }
    measures
}

/// Some measures of the draws in `draw_counts`, those with `keys`, in the order of [`TRUTH_MEASURES`], without floors. The others are not
/// computed.
#[must_use]
pub fn measure_truth_by(truth: &Truth, draw_counts: &DrawCounts, keys: &[&str]) -> Vec<Measure> {
    let entries: Vec<_> = ENTRIES.iter().filter(|entry| keys.contains(&entry.spec.key)).collect();
    if entries.is_empty() {
        return Vec::new();
    }
    let statistics = draw_counts.statistics(truth);
    let input = TruthInput { truth, statistics: &statistics };
    let value = |entry: &MeasureEntry<TruthFunction>| truth.doubt().map_or_else(|| (entry.value.value)(input), Err);
    entries.into_iter().map(|entry| Measure::new(entry.spec.key, value(entry))).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use proptest::prelude::*;

    use super::super::Floor;
    use super::*;
    use crate::diagnostics::test_targets::{Mixture, counts_of, exact_draws, poor_draws, value_of, weighted_counts_of};
    use base::math::Point;
    use base::platform::now;

    #[test]
    fn measures_come_in_the_order_of_the_registry_with_a_value_or_a_reason() {
        for target in [Mixture::grid(), Mixture::single(), Mixture::line()] {
            let truth = Truth::new(&target);
            let draws = exact_draws(&target, 1, 3);
            for count in 0..=3 {
                let draw_counts = counts_of(&truth, &draws[..count]);
                let measures = measure_truth(&truth, &draw_counts, None);
                assert!(measures.iter().map(|measure| measure.key).eq(TRUTH_MEASURES.iter().map(|spec| spec.key)));
                for Measure { key, value, floor, reason } in measures {
                    assert_eq!(value.is_none(), !reason.is_empty(), "{key}");
                    assert_eq!(floor, None, "{key}");
                    assert!(value.is_none_or(f64::is_finite), "{key}");
                    let may_lack = key == "mode_weight_kl" || (key == "w1_y" && truth.dimension() == 1);
                    assert!(value.is_some() || count < 2 || may_lack, "{key}: {reason}");
                }
            }
        }
    }

    #[test]
    fn floors_are_put_beside_values() {
        let target = Mixture::grid();
        let truth = Arc::new(Truth::new(&target));
        let draw_counts = weighted_counts_of(&truth, &poor_draws(1, 100));
        let floor = now(Floor::new(Some(target.shared()), truth.clone()).exact(100)).unwrap();
        let with = measure_truth(&truth, &draw_counts, Some(&floor));
        for (index, own) in measure_truth(&truth, &draw_counts, None).iter().enumerate() {
            assert_eq!((with[index].value, with[index].floor), (own.value, floor.values()[index].ok()));
            assert_eq!(own.floor, None);
        }
    }

    #[test]
    fn keys_are_distinct_and_every_measure_is_described() {
        for (index, spec) in TRUTH_MEASURES.iter().enumerate() {
            assert!(TRUTH_MEASURES[index + 1..].iter().all(|other| other.key != spec.key));
            assert!(spec.key.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_'));
            assert!(spec.help.len() > 60 && !spec.label.is_empty(), "{}", spec.key);
        }
    }

    #[test]
    fn the_sheet_shows_eight() {
        let headline: Vec<_> = TRUTH_MEASURES.iter().filter(|spec| spec.headline).map(|spec| spec.key).collect();
        let first = ["modes_visited", "modes_covered", "within_3sd", "mode_weight_kl", "kl", "tv", "mean_error"];
        assert_eq!(headline, [&first[..], &["covariance_error"]].concat());
    }

    fn weighted_draws() -> impl Strategy<Value = Vec<(Point, f64)>> {
        let draw = (-8.0..8.0, -8.0..8.0, 0.01..10.0).prop_map(|(x, y, weight)| (Point::new(x, y), weight));
        prop::collection::vec(draw, 2..60)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn values_stay_within_their_ranges(draws in weighted_draws()) {
            let truth = Truth::new(&Mixture::line());
            let draw_counts = weighted_counts_of(&truth, &draws);
            let value = |key| value_of(&truth, &draw_counts, key);
            let (tv, kl) = (value("tv"), value("kl"));
            prop_assert!((0.0..=1.0).contains(&tv));
            // Pinsker: TV ≤ √(KL/2), for the truth with its trace of the uniform distribution.
            prop_assert!(kl >= 0.0 && tv <= (kl / 2.0).sqrt() + 1e-8);
            prop_assert!((0.0..=1.0).contains(&value("within_3sd")));
            prop_assert!((0.0..=4.0_f64.ln() + 1e-12).contains(&value("mode_weight_kl")));
            prop_assert!(value("modes_covered") <= value("modes_visited") && value("modes_visited") <= 2.0);
            let (hellinger, within_modes) = (value("hellinger"), value("within_mode_kl"));
            // Le Cam: H² ≤ TV ≤ H √2.
            prop_assert!(hellinger.powi(2) <= tv + 1e-12 && tv <= 2.0_f64.sqrt() * hellinger + 1e-12);
            prop_assert!((0.0..=kl).contains(&within_modes));
            prop_assert!((0.0..=2.0).contains(&value("mmd2")));
            // Jensen: W₁ ≤ W₂; they spread draws over a 240th and a 120th of a view that is 10 wide.
            prop_assert!(value("w1_x") <= value("sliced_w2") + 10.0 / 120.0);
            prop_assert!(value("mean_error") >= 0.0 && value("covariance_error") >= 0.0);
            // Lumping cells into basins loses information: KL over cells is at least about KL over modes.
            prop_assert!(kl >= value("mode_weight_kl") - 1e-4);
        }

        #[test]
        fn only_relative_weights_matter_and_order_does_not(draws in weighted_draws(), log_factor in -20.0..20.0_f64) {
            let truth = Truth::new(&Mixture::line());
            let factor = log_factor.exp();
            let scaled: Vec<_> = draws.iter().rev().map(|&(at, weight)| (at, weight * factor)).collect();
            let (one, other) = (weighted_counts_of(&truth, &draws), weighted_counts_of(&truth, &scaled));
            for (a, b) in measure_truth(&truth, &one, None).iter().zip(measure_truth(&truth, &other, None)) {
                let (Some(a), Some(b)) = (a.value, b.value) else { continue };
                prop_assert!((a - b).abs() < 1e-9 * a.abs().max(1.0));
            }
        }

        #[test]
        fn repeating_every_draw_changes_no_share(draws in weighted_draws()) {
            let truth = Truth::new(&Mixture::line());
            let once = weighted_counts_of(&truth, &draws);
            let twice = once.clone().merged(&once);
            // Pseudo-counts and counts of draws do change.
            let counting = ["modes_visited", "modes_covered", "w1_y", "kl_reverse"];
            for spec in TRUTH_MEASURES.iter().filter(|spec| !counting.contains(&spec.key)) {
                let key = spec.key;
                let (a, b) = (value_of(&truth, &once, key), value_of(&truth, &twice, key));
                prop_assert!((a - b).abs() < 1e-9 * a.abs().max(1.0), "{}: {} {}", key, a, b);
            }
        }
    }
}

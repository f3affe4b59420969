//! Diagnostics: what the draws say about the target and what they say about the chain, one measure per file.
//!
//! A target is prepared once as a [`Reference`]: cells with their exact probabilities, modes, moments. Draws
//! go into a [`Tally`], which keeps what the measures need and forgets the draws. [`measure`] compares the two;
//! a [`Floor`] supplies the same statistics for as many exact draws, below which no sampler can be told
//! from a perfect one. Measures that count (modes) count draws; measures of share, density or moment use weights.

mod covariance_error;
mod floor;
mod histogram;
mod kl;
mod mean_error;
mod mode_map;
mod mode_weight_kl;
mod modes_covered;
mod modes_visited;
mod quadrature;
mod reference;
mod series;
mod sums;
mod tally;
#[cfg(test)]
mod test_targets;
mod totals;
mod tv;
mod within_3sd;

pub use floor::{Floor, FloorValues, floor_size};
pub use modes_covered::COVERED_DRAWS;
pub use reference::Reference;
pub use series::{MOST as MOST_IN_SERIES, Series};
pub use tally::Tally;
pub use totals::Totals;

/// The value of a measure, with what exact draws would give.
#[derive(Clone, Debug, PartialEq)]
pub struct Measure {
    /// Its key in `summary.json`: `modes_covered`.
    pub key: &'static str,
    /// The value; `None` where the measure does not apply or there are too few draws.
    pub value: Option<f64>,
    /// The same statistic for as many exact draws: the noise floor.
    pub floor: Option<f64>,
    /// Why there is no value, in a few words; empty if there is one.
    pub reason: &'static str,
}

/// The description of a measure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeasureSpec {
    /// Its key in `summary.json`.
    pub key: &'static str,
    /// Its name in the window.
    pub label: &'static str,
    /// Its definition and source, shown as a tooltip.
    pub help: &'static str,
    /// Which values are better.
    pub better: Better,
}

/// Which values of a measure are better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Better {
    /// Larger ones, up to the floor.
    Higher,
    /// Smaller ones, down to the floor.
    Lower,
    /// Those near the floor from either side.
    NearFloor,
}

/// What a measure is computed from.
#[derive(Clone, Copy, Debug)]
struct Evidence<'a> {
    reference: &'a Reference,
    totals: &'a Totals,
}

/// A value, or why there is none.
type Outcome = Result<f64, &'static str>;

/// One line of the registry.
#[derive(Clone, Copy, Debug)]
struct Entry {
    spec: MeasureSpec,
    value: fn(Evidence<'_>) -> Outcome,
}

/// Why a measure has no value before the first draw.
const NO_DRAWS: &str = "no draws yet";

/// Why a measure of moments has no value when draws have run off towards infinity.
const TOO_FAR_OUT: &str = "draws too far out for arithmetic";

static ENTRIES: [Entry; 8] = [
    Entry { spec: modes_visited::SPEC, value: modes_visited::value },
    Entry { spec: modes_covered::SPEC, value: modes_covered::value },
    Entry { spec: within_3sd::SPEC, value: within_3sd::value },
    Entry { spec: mode_weight_kl::SPEC, value: mode_weight_kl::value },
    Entry { spec: kl::SPEC, value: kl::value },
    Entry { spec: tv::SPEC, value: tv::value },
    Entry { spec: mean_error::SPEC, value: mean_error::value },
    Entry { spec: covariance_error::SPEC, value: covariance_error::value },
];

/// The measures against the truth, in the order in which they are shown and written.
pub static MEASURES: [MeasureSpec; ENTRIES.len()] = specs();

const fn specs() -> [MeasureSpec; ENTRIES.len()] {
    let mut specs = [modes_visited::SPEC; ENTRIES.len()];
    let mut index = 0;
    while index < specs.len() {
        specs[index] = ENTRIES[index].spec;
        index += 1;
    }
    specs
}

/// All measures of the draws in `tally`, in the order of [`MEASURES`]; with floors where there are any.
///
/// Tally and floors must have been made for `reference`.
#[must_use]
pub fn measure(reference: &Reference, tally: &Tally, floor: Option<&FloorValues>) -> Vec<Measure> {
    let evidence = Evidence { reference, totals: &tally.totals(reference) };
    let floors = floor.map_or(&[][..], FloorValues::values);
    let one = |(index, entry): (usize, &Entry)| {
        let (value, reason) = match (entry.value)(evidence) {
            Ok(value) => (Some(value), ""),
            Err(reason) => (None, reason),
        };
        Measure { key: entry.spec.key, value, floor: floors.get(index).copied().flatten(), reason }
    };
    ENTRIES.iter().enumerate().map(one).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::test_targets::{Mixture, exact_draws, poor_draws, tallied, value_of, weighed};
    use super::*;
    use crate::math::Point;

    #[test]
    fn measures_come_in_the_order_of_the_registry_with_a_value_or_a_reason() {
        for target in [Mixture::grid(), Mixture::single(), Mixture::line()] {
            let reference = Reference::new(&target);
            let draws = exact_draws(&target, 1, 3);
            for count in 0..=3 {
                let tally = tallied(&reference, &draws[..count]);
                let measures = measure(&reference, &tally, Some(&FloorValues::of(&reference, &tally)));
                assert!(measures.iter().map(|measure| measure.key).eq(MEASURES.iter().map(|spec| spec.key)));
                for Measure { key, value, floor, reason } in measures {
                    assert_eq!(value.is_none(), !reason.is_empty(), "{key}");
                    assert_eq!(value, floor, "{key}");
                    assert!(value.is_none_or(f64::is_finite), "{key}");
                    assert!(value.is_some() || count < 2 || key == "mode_weight_kl", "{key}: {reason}");
                }
            }
        }
    }

    #[test]
    fn floors_are_those_of_the_exact_draws() {
        let target = Mixture::grid();
        let reference = Reference::new(&target);
        let tally = weighed(&reference, &poor_draws(1, 100));
        let exact = tallied(&reference, &exact_draws(&target, 1, 100));
        let floor = FloorValues::of(&reference, &exact);
        let (with, without) = (measure(&reference, &tally, Some(&floor)), measure(&reference, &tally, None));
        for (index, own) in measure(&reference, &exact, None).iter().enumerate() {
            assert_eq!((with[index].value, with[index].floor), (without[index].value, own.value));
            assert_eq!(without[index].floor, None);
        }
    }

    #[test]
    fn keys_are_distinct_and_every_measure_is_described() {
        for (index, spec) in MEASURES.iter().enumerate() {
            assert!(MEASURES[index + 1..].iter().all(|other| other.key != spec.key));
            assert!(spec.key.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_'));
            assert!(spec.help.len() > 60 && !spec.label.is_empty(), "{}", spec.key);
        }
    }

    fn weighted_draws() -> impl Strategy<Value = Vec<(Point, f64)>> {
        let draw = (-8.0..8.0, -8.0..8.0, 0.01..10.0).prop_map(|(x, y, weight)| (Point::new(x, y), weight));
        prop::collection::vec(draw, 2..60)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn values_stay_within_their_ranges(draws in weighted_draws()) {
            let reference = Reference::new(&Mixture::line());
            let tally = weighed(&reference, &draws);
            let value = |key| value_of(&reference, &tally, key);
            let (tv, kl) = (value("tv"), value("kl"));
            prop_assert!((0.0..=1.0).contains(&tv));
            // Pinsker: TV ≤ √(KL/2), for the truth with its trace of the uniform law.
            prop_assert!(kl >= 0.0 && tv <= (kl / 2.0).sqrt() + 1e-8);
            prop_assert!((0.0..=1.0).contains(&value("within_3sd")));
            prop_assert!((0.0..=4.0_f64.ln() + 1e-12).contains(&value("mode_weight_kl")));
            prop_assert!(value("modes_covered") <= value("modes_visited") && value("modes_visited") <= 2.0);
            prop_assert!(value("mean_error") >= 0.0 && value("covariance_error") >= 0.0);
            // Lumping cells into basins loses information: KL over cells is at least about KL over modes.
            prop_assert!(kl >= value("mode_weight_kl") - 1e-4);
        }

        #[test]
        fn only_relative_weights_matter_and_order_does_not(draws in weighted_draws(), log_factor in -20.0..20.0_f64) {
            let reference = Reference::new(&Mixture::line());
            let factor = log_factor.exp();
            let scaled: Vec<_> = draws.iter().rev().map(|&(at, weight)| (at, weight * factor)).collect();
            let (one, other) = (weighed(&reference, &draws), weighed(&reference, &scaled));
            for (a, b) in measure(&reference, &one, None).iter().zip(measure(&reference, &other, None)) {
                let (Some(a), Some(b)) = (a.value, b.value) else { continue };
                prop_assert!((a - b).abs() < 1e-9 * a.abs().max(1.0));
            }
        }

        #[test]
        fn repeating_every_draw_changes_no_share(draws in weighted_draws()) {
            let reference = Reference::new(&Mixture::line());
            let once = weighed(&reference, &draws);
            let twice = once.clone().merged(&once);
            for key in ["within_3sd", "mode_weight_kl", "kl", "tv", "mean_error", "covariance_error"] {
                let (a, b) = (value_of(&reference, &once, key), value_of(&reference, &twice, key));
                prop_assert!((a - b).abs() < 1e-9 * a.abs().max(1.0), "{}: {} {}", key, a, b);
            }
        }
    }
}

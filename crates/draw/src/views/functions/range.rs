//! The part of the vertical axis that the plots of functions show.

use super::band::band;
use super::cache::FunctionsCache;
use super::geometry::FunctionMoments;
use super::input::{FunctionsInput, printed};
use models::targets::Regression;

/// Space above and below everything that is exact, as a share of its range.
const MARGIN: f64 = 0.12;

/// Share of the height of a figure that the data and the exact bands have at least, whatever the draws do (chosen by eye).
const DATA: f64 = 0.5;

/// The part of the vertical axis that all plots show: data and exact outer band, which do not move with the draws; in a figure
/// also the bands and functions of the draws, as far as they leave the data [`DATA`] of the height.
pub(super) fn heights(input: &FunctionsInput<'_>, regression: &dyn Regression, cache: &FunctionsCache) -> (f64, f64) {
    let (low, high) = range(regression, cache.truth(input.frame).map(|truth| truth.moments));
    if !printed(input) {
        return (low, high);
    }
    let entries = || input.runs.iter().filter_map(|run| cache.entries.get(run));
    let singles = entries().flat_map(|entry| &entry.singles).flat_map(|single| &single.values).map(|y| [*y, *y]);
    let bands = entries().filter(|entry| !entry.moments.is_empty());
    let bands = bands.flat_map(|entry| band(&entry.inputs, &entry.moments, regression.noise_sd()));
    let ends = singles.chain(bands.map(|[_, low, high]| [low, high]));
    widened((low, high), ends.filter(|ends| ends.iter().all(|end| end.is_finite())))
}

/// A range that also holds other values, as far as it stays [`DATA`] of the whole.
fn widened((low, high): (f64, f64), values: impl Iterator<Item = [f64; 2]>) -> (f64, f64) {
    let most = 0.5 * (1.0 / DATA - 1.0) * (high - low);
    values.fold((low, high), |(least, largest), [a, b]| (least.min(a.max(low - most)), largest.max(b.min(high + most))))
}

/// The part of the vertical axis that holds the data and the exact outer band.
fn range(regression: &dyn Regression, exact: Option<&FunctionMoments>) -> (f64, f64) {
    let noise = regression.noise_sd();
    let data = regression.observations().iter().map(|y| [y - noise, y + noise]);
    let outer = exact.map(|exact| band(exact.mean(), exact, noise)).unwrap_or_default();
    let ends = data.chain(outer.into_iter().map(|[_, low, high]| [low, high]));
    let (low, high) = ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), [a, b]| (low.min(a), high.max(b)));
    let margin = MARGIN * (high - low).max(f64::MIN_POSITIVE);
    (low - margin, high + margin)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_holds_other_values_as_far_as_it_stays_half_of_the_whole() {
        let of = |values: &[[f64; 2]]| widened((-1.0, 3.0), values.iter().copied());
        assert_eq!(of(&[]), (-1.0, 3.0));
        assert_eq!(of(&[[0.0, 2.0], [-1.5, 3.5]]), (-1.5, 3.5));
        assert_eq!(of(&[[-900.0, 1.0], [0.0, 900.0]]), (-3.0, 5.0));
        assert_eq!(of(&[[-900.0, -800.0]]), (-3.0, 3.0));
    }
}

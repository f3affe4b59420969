//! The modes that chains go through: for each draw the nearest mode, as [`DrawCounts`](crate::diagnostics::DrawCounts)
//! counts it.

use base::math::Point;
use models::targets::NO_MODES;

use super::super::NO_DRAWS;
use super::input::ChainInput;

/// Why there are no switches and no cycles to compare on a target of one mode.
const ONE_MODE: &str = "the target has one mode";

/// Whether there are draws, and modes between which chains can change.
///
/// # Errors
///
/// On a target of one mode or none, and without draws.
pub(super) fn check(input: &ChainInput<'_>) -> Result<(), &'static str> {
    match input.truth.modes().len() {
        0 => Err(NO_MODES),
        1 => Err(ONE_MODE),
        _ if input.collected == 0 => Err(NO_DRAWS),
        _ => Ok(()),
    }
}

/// The mode of each draw of each chain in the series, up to where it diverged.
///
/// # Errors
///
/// Like [`check`].
pub(super) fn modes(input: &ChainInput<'_>) -> Result<Vec<Vec<usize>>, &'static str> {
    check(input)?;
    let (truth, series) = (input.truth, input.series);
    let chain = |(x, y): (&[f64], &[f64])| {
        let draws = x.iter().zip(y).take_while(|(x, y)| x.is_finite() && y.is_finite());
        draws.map(|(&x, &y)| truth.mode_of(Point::new(x, y))).collect::<Vec<_>>()
    };
    let modes: Vec<_> = series.coordinate(0).into_iter().zip(series.coordinate(1)).map(chain).collect();
    if modes.iter().all(Vec::is_empty) { Err(NO_DRAWS) } else { Ok(modes) }
}

/// For each cycle of each chain that has draws, the modes of its draws.
///
/// # Errors
///
/// Like [`modes`], also if the schedule has no cycles.
pub(super) fn by_cycle<'a>(
    modes: &'a [Vec<usize>],
    input: &'a ChainInput<'_>,
) -> Result<impl Iterator<Item = &'a [usize]>, &'static str> {
    let cycles = input.series.cycles();
    if cycles.is_empty() {
        return Err("the schedule has no cycles");
    }
    Ok(modes.iter().flat_map(|chain| {
        let mut left = &chain[..];
        cycles.chunk_by(|one, next| one == next).map_while(move |rows| {
            let (cycle, rest) = left.split_at(rows.len().min(left.len()));
            left = rest;
            (!cycle.is_empty()).then_some(cycle)
        })
    }))
}

//! The modes that chains go through: for each draw the nearest mode, as [`DrawCounts`](crate::diagnostics::DrawCounts)
//! counts it.

use crate::math::Point;
use crate::targets::NO_MODES;

use super::super::NO_DRAWS;
use super::input::ChainInput;

/// Why there are no switches and no cycles to compare on a target of one mode.
const ONE_MODE: &str = "the target has one mode";

/// The mode of each draw of each chain, up to where it diverged.
///
/// # Errors
///
/// On a target of one mode or none, and without draws.
pub(super) fn modes(input: &ChainInput<'_>) -> Result<Vec<Vec<usize>>, &'static str> {
    let (truth, series) = (input.truth, input.series);
    match truth.modes().len() {
        0 => return Err(NO_MODES),
        1 => return Err(ONE_MODE),
        _ => {}
    }
    let chain = |(x, y): (&[f64], &[f64])| {
        let draws = x.iter().zip(y).take_while(|(x, y)| x.is_finite() && y.is_finite());
        draws.map(|(&x, &y)| truth.mode_of(Point::new(x, y))).collect::<Vec<_>>()
    };
    let modes: Vec<_> = series.coordinate(0).into_iter().zip(series.coordinate(1)).map(chain).collect();
    if modes.iter().all(Vec::is_empty) { Err(NO_DRAWS) } else { Ok(modes) }
}

/// Number of draws that are in another mode than the draw before them, over all chains.
pub(super) fn switches(modes: &[Vec<usize>]) -> usize {
    modes.iter().map(|chain| chain.windows(2).filter(|pair| pair[0] != pair[1]).count()).sum()
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

//! Draws picked from a long history for showing one by one: few, spread evenly, and the same from frame to frame.

use crate::math::Point;
use crate::session::{Chunk, Draw, History};

/// Kept steps looked at beyond a chosen one that was not collected.
const LOOK_AHEAD: usize = 16;

/// At most about `most` collected draws, evenly strided over the whole history.
///
/// The stride is a power of two in steps, so that a growing history keeps the draws it shows until
/// the stride doubles. The cost is that of the draws returned, not of the history.
#[must_use]
pub fn thinned(history: &History, most: usize) -> Vec<Draw> {
    let chains = history.chains().max(1);
    let every_chain = chains.div_ceil(most.max(1)).next_power_of_two();
    let per_step = chains.div_ceil(every_chain);
    let rows = history.len() / chains;
    let stride = (rows * per_step).div_ceil(most.max(1)).next_power_of_two();
    let steps_apart = history.stride() * stride as u64;
    let mut draws = Vec::with_capacity(most + chains);
    for chunk in history.chunks() {
        for index in strided(chunk, steps_apart) {
            let reach = (index + stride.min(LOOK_AHEAD)).min(chunk.steps.len());
            if let Some(row) = (index..reach).find(|&row| chunk.weights[row] > 0.0) {
                draws.extend(chunk.row(row).filter(|draw| draw.chain.is_multiple_of(every_chain)));
            }
        }
    }
    draws
}

/// The indices in `chunk` of the first kept steps at or after each multiple of `apart`.
fn strided(chunk: &Chunk, apart: u64) -> impl Iterator<Item = usize> + '_ {
    let first = chunk.steps.first().map_or(0, |&step| u64::from(step).next_multiple_of(apart));
    let last = chunk.steps.last().map_or(0, |&step| u64::from(step));
    let count = if chunk.steps.is_empty() || first > last { 0 } else { (last - first) / apart + 1 };
    (0..count).filter_map(move |number| {
        let step = first + number * apart;
        let index = chunk.steps.partition_point(|&kept| u64::from(kept) < step);
        (index < chunk.steps.len()).then_some(index)
    })
}

/// The newest `steps` kept positions of a chain, oldest first.
#[must_use]
pub fn trail(history: &History, chain: usize, steps: usize) -> Vec<Point> {
    let mut points = Vec::with_capacity(steps);
    for chunk in history.chunks().iter().rev() {
        for index in (0..chunk.steps.len()).rev().take(steps - points.len()) {
            let at = index * chunk.chains + chain;
            let point = Point::new(chunk.x[at], chunk.y[at]);
            if point.x.is_finite() {
                points.push(point);
            }
        }
        if points.len() >= steps {
            break;
        }
    }
    points.reverse();
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[expect(clippy::cast_precision_loss, reason = "small test numbers")]
    fn history(steps: u64, chains: usize, collected: impl Fn(u64) -> bool) -> History {
        let mut history = History::new(chains);
        for step in 0..=steps {
            let x: Vec<f64> = (0..chains).map(|chain| step as f64 + chain as f64 / 1000.0).collect();
            history.push(step, if collected(step) { 1.0 } else { 0.0 }, &x, &x);
        }
        history
    }

    #[test]
    fn a_short_history_is_kept_whole() {
        assert_eq!(thinned(&history(99, 3, |step| step > 0), 1000).len(), 297);
    }

    #[test]
    fn a_long_history_keeps_few_draws_spread_evenly() {
        let draws = thinned(&history(100_000, 2, |step| step > 0), 1000);
        assert!((500..=1000).contains(&draws.len()), "{} draws", draws.len());
        let gaps: Vec<u64> = draws.windows(3).map(|run| run[2].step - run[0].step).skip(2).collect();
        assert!(gaps.iter().all(|&gap| gap == gaps[0]), "the gaps between draws differ");
    }

    #[test]
    fn a_growing_history_shows_what_it_showed_until_the_stride_doubles() {
        let before = thinned(&history(60_000, 1, |step| step > 0), 1000);
        let after = thinned(&history(63_900, 1, |step| step > 0), 1000);
        assert_eq!(before[..], after[..before.len()]);
    }

    #[test]
    fn draws_that_were_not_collected_are_never_shown() {
        let draws = thinned(&history(20_000, 1, |step| step % 500 > 250), 300);
        assert!(draws.len() > 60);
        assert!(draws.iter().all(|draw| draw.weight > 0.0 && draw.step % 500 > 250));
    }

    #[test]
    fn more_chains_than_draws_wanted_are_thinned_too() {
        assert!(thinned(&history(4, 1000, |_| true), 100).len() <= 200);
    }

    #[test]
    fn a_trail_is_the_newest_steps_of_one_chain() {
        let points = trail(&history(50, 2, |_| true), 1, 10);
        let expected: Vec<f64> = (41..=50).map(|step| f64::from(step) + 0.001).collect();
        assert_eq!(points.iter().map(|point| point.x).collect::<Vec<_>>(), expected);
        assert_eq!(trail(&history(3, 1, |_| true), 0, 10).len(), 4);
        assert!(trail(&History::new(1), 0, 10).is_empty());
    }
}

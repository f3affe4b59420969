//! Thinning of a history for display: few draws, spread evenly, and the same ones from frame to frame.

use base::math::Point;
use engine::session::History;

/// Rows after a chosen row that are searched when the draw of the row is not collected.
const LOOK_AHEAD: usize = 16;

/// A collected draw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Draw {
    /// Number of the chain.
    pub chain: usize,
    /// Number of the step, from 1.
    pub step: u64,
    /// Position of the chain, in θ.
    pub at: Point,
}

/// At most about `most` collected draws at an even stride over the whole history. `collected` says of how many steps the draw of a
/// step is the last and only one that is collected; `None` of steps that are not.
///
/// Where the row at the stride has no collected draw, that of the next row counts which stands for it; steps between two stages of
/// sampling have none, so that the first draws of a stage are not chosen more often than others.
///
/// The stride is a power of two in steps: while a history grows, the same draws are shown until the stride doubles. The
/// cost depends on the number of draws returned, not on the length of the history.
#[must_use]
pub fn thinned(history: &History, collected: impl Fn(u64) -> Option<u64>, most: usize) -> Vec<Draw> {
    let chains = history.chains().max(1);
    let every_chain = chains.div_ceil(most.max(1)).next_power_of_two();
    let per_row = chains.div_ceil(every_chain);
    let apart = (history.rows() * per_row).div_ceil(most.max(1)).next_power_of_two();
    let steps_apart = history.stride() * apart as u64;
    let mut draws = Vec::with_capacity(most + chains);
    let mut begin = history.row_from(history.step(0).next_multiple_of(steps_apart));
    while begin < history.rows() {
        let reach = (begin + apart.min(LOOK_AHEAD)).min(history.rows());
        let stands = |row: &usize| {
            // Of kept steps the collected ones are further apart.
            let rows = |steps: u64| steps.min(LOOK_AHEAD as u64) as usize;
            collected(history.step(*row)).is_some_and(|steps| row - begin < rows(steps))
        };
        if let Some(row) = (begin..reach).find(stands) {
            let step = history.step(row);
            let draw = |chain| Some(Draw { chain, step, at: history.position(row, chain)? });
            draws.extend((0..chains).step_by(every_chain).filter_map(draw));
        }
        begin += apart;
    }
    draws
}

/// The newest `rows` kept positions of a chain, oldest first.
#[must_use]
pub fn trail(history: &History, chain: usize, rows: usize) -> Vec<Point> {
    (history.rows().saturating_sub(rows)..history.rows()).filter_map(|row| history.position(row, chain)).collect()
}

/// The positions of a chain from step `from` to the newest, without repeated ones: at most about `most` points. Half of
/// them are the first steps, where an optimiser moves farthest; the others are spread evenly over the rest and include
/// the newest.
#[must_use]
pub fn route(history: &History, chain: usize, from: u64, most: usize) -> Vec<Point> {
    let (first, end) = (history.row_from(from), history.rows());
    let half = most.div_ceil(2);
    let whole = end - first <= most;
    let fine = if whole { end } else { first + half };
    let every = (end - fine).div_ceil(half.max(1)).max(1).next_power_of_two();
    let newest = end.checked_sub(1).filter(|last| *last >= fine && !(last - fine).is_multiple_of(every));
    let rows = (first..fine).chain((fine..end).step_by(every)).chain(newest);
    let mut points: Vec<Point> = rows.filter_map(|row| history.position(row, chain)).collect();
    points.dedup();
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    fn history(steps: u64, chains: usize) -> History {
        let mut history = History::new(chains, 128);
        for step in 0..=steps {
            let x: Vec<f64> = (0..chains).map(|chain| step as f64 + chain as f64 / 1000.0).collect();
            history.push(&x, &x);
        }
        history
    }

    #[test]
    fn a_short_history_is_kept_whole() {
        assert_eq!(thinned(&history(99, 3), |step| (step > 0).then_some(1), 1000).len(), 297);
    }

    #[test]
    fn a_long_history_keeps_few_draws_spread_evenly() {
        let draws = thinned(&history(100_000, 2), |step| (step > 0).then_some(1), 1000);
        assert!((500..=1000).contains(&draws.len()), "{} draws", draws.len());
        let gaps: Vec<u64> = draws.windows(3).map(|run| run[2].step - run[0].step).skip(2).collect();
        assert!(gaps.iter().all(|&gap| gap == gaps[0]), "the gaps between draws differ");
    }

    #[test]
    fn a_growing_history_keeps_its_draws_until_the_stride_doubles() {
        let before = thinned(&history(60_000, 1), |step| (step > 0).then_some(1), 1000);
        let after = thinned(&history(63_900, 1), |step| (step > 0).then_some(1), 1000);
        assert_eq!(before[..], after[..before.len()]);
    }

    #[test]
    fn only_collected_draws_are_shown() {
        let draws = thinned(&history(20_000, 1), |step| (step % 500 > 250).then_some(1), 300);
        assert!(draws.len() > 60);
        assert!(draws.iter().all(|draw| draw.step % 500 > 250));
    }

    /// In cycles that begin anywhere between two chosen rows, every part of their sampling stage has its share.
    #[test]
    fn all_draws_of_a_stage_are_chosen_equally_often() {
        for thin in [1, 5] {
            let collected = |step: u64| (step % 97 > 50 && step.is_multiple_of(thin)).then_some(thin);
            let draws = thinned(&history(200_000, 1), collected, 5000);
            let mut parts = [0.0_f64; 4];
            draws.iter().for_each(|draw| parts[((draw.step % 97 - 51) * 4 / 46) as usize] += 1.0);
            let mean = draws.len() as f64 / 4.0;
            assert!(mean > 300.0 && parts.iter().all(|count| (count / mean - 1.0).abs() < 0.15), "{thin}: {parts:?}");
        }
    }

    #[test]
    fn more_chains_than_draws_wanted_are_thinned_too() {
        assert!(thinned(&history(4, 1000), |_| Some(1), 100).len() <= 200);
    }

    #[test]
    fn a_trail_is_the_newest_steps_of_one_chain() {
        let points = trail(&history(50, 2), 1, 10);
        let expected: Vec<f64> = (41..=50).map(|step| f64::from(step) + 0.001).collect();
        assert_eq!(points.iter().map(|point| point.x).collect::<Vec<_>>(), expected);
        assert_eq!(trail(&history(3, 1), 0, 10).len(), 4);
        assert!(trail(&History::new(1, 1), 0, 10).is_empty());
    }

    #[test]
    fn a_route_starts_with_every_step_and_ends_at_the_newest() {
        let places = |from: u64, most: usize| -> Vec<f64> {
            route(&history(50, 2), 1, from, most).iter().map(|point| point.x.round()).collect()
        };
        assert_eq!(places(0, 100).len(), 51);
        assert_eq!(places(47, 100), [47.0, 48.0, 49.0, 50.0]);
        assert_eq!(places(1, 12), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 15.0, 23.0, 31.0, 39.0, 47.0, 50.0]);
        let mut still = history(3, 1);
        (0..100).for_each(|_| still.push(&[3.0], &[3.0]));
        assert_eq!(route(&still, 0, 0, 200).len(), 4, "a chain that does not move adds no points");
        assert!(places(51, 10).is_empty() && route(&History::new(1, 1), 0, 0, 10).is_empty());
    }
}

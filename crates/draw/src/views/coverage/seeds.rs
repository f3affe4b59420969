//! Points of a run over several seeds: their mean and spread.

use super::spot::KEYS;
use crate::views::convergence::geometry::convergence;
use engine::session::Clock;
use engine::session::repeats::Repeat;

/// Where the ends of a run are over several seeds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// The mean of each measure.
    pub mean: [f64; 2],
    /// The quantiles of each measure at [`crate::views::convergence::geometry::TAIL`] and 1 − that.
    pub ends: [[f64; 2]; 2],
}

/// The spread of each run, computed again when there are more repeats.
#[derive(Debug, Default)]
pub struct SpreadCache {
    of: Option<(u64, usize)>,
    spreads: Vec<Option<Spread>>,
}

impl SpreadCache {
    /// The spread of each run of a scenario; `version` changes with the repeats.
    pub fn update(&mut self, repeats: &[Repeat], version: u64) -> &[Option<Spread>] {
        let of = Some((version, repeats.len()));
        if self.of != of {
            let runs = repeats.first().map_or(0, |repeat| repeat.runs.len());
            (self.of, self.spreads) = (of, (0..runs).map(|run| spread(repeats, run)).collect());
        }
        &self.spreads
    }
}

/// The spread of a run at its last step; `None` for less than two seeds, and where a measure is missing there.
fn spread(repeats: &[Repeat], run: usize) -> Option<Spread> {
    let last = repeats.first()?.runs.get(run)?.last()?.step;
    let of = |key| convergence(repeats, run, key, Clock::Steps).pop().filter(|at| at.x >= last as f64);
    let [Some(x), Some(y)] = KEYS.map(of) else { return None };
    (repeats.len() > 1).then_some(Spread { mean: [x.mean, y.mean], ends: [[x.low, x.high], [y.low, y.high]] })
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;
    use std::path::Path;

    use super::*;
    use crate::views::coverage::spot;
    use engine::scenario::read;
    use engine::session::repeats::{Taken, repeat};

    #[test]
    fn the_spread_is_that_of_the_last_points_of_all_seeds() {
        let text = "format = 1\n[target]\nkind = \"gaussian-grid\"\n[[run]]\nname = \"one\"\nmethod = \"csgld\"\n\
                    steps = 900\n[[run]]\nname = \"q\"\nmethod = \"laplace\"\n";
        let scenario = read(text, "seeds", Path::new("")).unwrap();
        let made = |number| repeat(&scenario, number, Taken::Truth, |_| ControlFlow::Continue(())).unwrap().unwrap();
        let repeats: Vec<Repeat> = (0..5).map(made).collect();
        let mut cache = SpreadCache::default();
        let found = cache.update(&repeats, 1)[0].unwrap();
        let points: Vec<[f64; 2]> =
            repeats.iter().map(|repeat| spot(&repeat.runs[0].last().unwrap().measures).unwrap().at).collect();
        for axis in 0..2 {
            let mean = points.iter().map(|point| point[axis]).sum::<f64>() / 5.0;
            assert!((found.mean[axis] - mean).abs() < 1e-12 * mean);
            let [low, high] = found.ends[axis];
            assert!(low < found.mean[axis] && found.mean[axis] < high);
            assert!(points.iter().any(|point| point[axis] <= low) && points.iter().any(|point| point[axis] >= high));
        }
        assert_eq!(cache.update(&repeats[..1], 1)[0], None, "one seed has no spread");
    }
}

//! Numbers of modes of random mixtures of Gaussians on supports with ends, against local maxima on a fine grid of θ.
//!
//! Components lie anywhere: beside an end, beyond it, in pairs that are one mode or two. Mixtures are left out whose number hangs on
//! little: with a plateau, or with a top that is hardly higher than a saddle beside it. `MIXTURES=1000 cargo test --lib
//! modes_on_supports` takes more of them.

use rayon::prelude::*;

use super::formula::{support, written};
use super::target;
use base::math::{Purpose, Stream};

/// Mixtures on the line; in the plane there is one for eight of them.
const MIXTURES: u64 = 120;

/// Points of the grid along an axis, on the line and in the plane.
const GRID: [usize; 2] = [60_000, 700];

/// A difference of log densities that a number of modes may hang on.
const CLEAR: f64 = 2e-3;

/// Modes lower than this below the highest count for neither side.
const LOW: f64 = 25.0;

/// A Gaussian with axes along those of the plane.
struct Component {
    log_weight: f64,
    mean: [f64; 2],
    sd: [f64; 2],
}

/// A mixture with its support.
struct Mixture {
    dimension: usize,
    components: Vec<Component>,
    min: [f64; 2],
    max: [f64; 2],
    scale: f64,
}

impl Mixture {
    fn random(number: u64, dimension: usize) -> Self {
        let mut stream = Stream::derive(11 + dimension as u64, Purpose::Data, 0, number);
        let mut uniform = |from: f64, to: f64| from + (to - from) * stream.uniform();
        let scale = libm::exp10(uniform(-2.0, 2.0));
        let min = [0, 1].map(|_| if uniform(0.0, 1.0) < 0.5 { 0.0 } else { uniform(-100.0, 100.0) * scale });
        let max = min.map(|min| if uniform(0.0, 1.0) < 0.5 { f64::INFINITY } else { min + uniform(6.0, 12.0) * scale });
        let narrowest = [-2.0, -0.8][dimension - 1];
        let mut component = || Component {
            log_weight: uniform(-4.0, 0.0),
            mean: min.map(|min| min + uniform(-1.0, 9.0) * scale),
            sd: min.map(|_| scale * libm::exp10(uniform(narrowest, 0.4))),
        };
        let components = (0..1 + number % 4).map(|_| component()).collect();
        Self { dimension, components, min, max, scale }
    }

    fn log_density(&self, at: [f64; 2]) -> f64 {
        let term = |component: &Component| {
            let unit = |axis: usize| (at[axis] - component.mean[axis]) / component.sd[axis];
            component.log_weight - 0.5 * (0..self.dimension).map(|axis| unit(axis) * unit(axis)).sum::<f64>()
        };
        let terms = || self.components.iter().map(term);
        let highest = terms().fold(f64::NEG_INFINITY, f64::max);
        highest + terms().map(|term| (term - highest).exp()).sum::<f64>().ln()
    }

    fn formula(&self) -> String {
        let term = |component: &Component| {
            let square = |axis: usize| {
                let [mean, sd] = [component.mean[axis], component.sd[axis]];
                format!("(({} − ({mean:?}))/{sd:?})²", ["x", "y"][axis])
            };
            let squares: Vec<String> = (0..self.dimension).map(square).collect();
            format!("{:?} − ({})/2", component.log_weight, squares.join(" + "))
        };
        let terms: Vec<String> = self.components.iter().map(term).collect();
        if let [term] = &terms[..] { term.clone() } else { format!("logsumexp({})", terms.join(", ")) }
    }

    /// How many modes the target has.
    fn found(&self) -> usize {
        let mut values = written(&self.formula(), "log-density", &[]);
        for (axis, key) in ["support_x", "support_y"].into_iter().enumerate().take(self.dimension) {
            let ends = [("min", self.min[axis]), ("max", self.max[axis])];
            let is_above = self.max[axis] == f64::INFINITY;
            values.push(support(
                key,
                if is_above { "above" } else { "between" },
                &ends[..if is_above { 1 } else { 2 }],
            ));
        }
        let target = target("formula", &values);
        let heights: Vec<f64> = target.info().modes.iter().map(|mode| self.log_density(mode.at.into())).collect();
        let highest = heights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        heights.iter().filter(|height| **height > highest - LOW).count()
    }

    /// How many local maxima it has inside of the support; `None` if that hangs on little.
    fn counted(&self) -> Option<usize> {
        let side = GRID[self.dimension - 1];
        let max = [0, 1].map(|axis| self.max[axis].min(self.min[axis] + 30.0 * self.scale));
        let coordinate = |axis: usize, index: usize| {
            self.min[axis] + (max[axis] - self.min[axis]) * (index as f64 + 0.5) / side as f64
        };
        let rows = if self.dimension == 1 { 1 } else { side };
        let at = |index: usize| [coordinate(0, index % side), coordinate(1, index / side)];
        let heights: Vec<f64> = (0..rows * side).into_par_iter().map(|index| self.log_density(at(index))).collect();
        // From the highest point down: what no earlier region touches is a top, and where regions meet the lower one ends.
        let mut order: Vec<usize> = (0..heights.len()).collect();
        order.sort_by(|one, other| heights[*other].total_cmp(&heights[*one]));
        let mut regions: Vec<usize> = vec![usize::MAX; heights.len()];
        let mut merged: Vec<usize> = Vec::new();
        let mut tops: Vec<(usize, f64)> = Vec::new();
        let root = |merged: &[usize], mut region: usize| {
            while merged[region] != region {
                region = merged[region];
            }
            region
        };
        for index in order {
            let (row, column) = (index / side, index % side);
            let mut around: Vec<usize> = Vec::new();
            for row in row.saturating_sub(1)..=(row + 1).min(rows - 1) {
                for column in column.saturating_sub(1)..=(column + 1).min(side - 1) {
                    let region = regions[row * side + column];
                    if region != usize::MAX {
                        around.push(root(&merged, region));
                    }
                }
            }
            around.sort_unstable();
            around.dedup();
            match around[..] {
                [] => {
                    regions[index] = tops.len();
                    merged.push(tops.len());
                    tops.push((index, f64::INFINITY));
                }
                [highest, ref lower @ ..] => {
                    regions[index] = highest;
                    for region in lower {
                        merged[*region] = highest;
                        tops[*region].1 = heights[tops[*region].0] - heights[index];
                    }
                }
            }
        }
        let highest = heights[tops[0].0];
        let mut count = 0;
        for (index, drop) in tops {
            let low = highest - LOW - heights[index];
            if drop < CLEAR || low.abs() < 1.0 {
                return None;
            }
            count += usize::from(
                low < 0.0 && self.is_inside(at(index), [0, 1].map(|axis| coordinate(axis, 1) - coordinate(axis, 0)))?,
            );
        }
        Some(count)
    }

    /// Whether the top in this cell of the grid is inside of the support: at no end of the cell that is one of the support does the density
    /// rise outwards; `None` if it is nearly level there.
    fn is_inside(&self, middle: [f64; 2], size: [f64; 2]) -> Option<bool> {
        for axis in 0..self.dimension {
            for (end, inwards) in [(self.min[axis], 1.0), (self.max[axis], -1.0)] {
                if (middle[axis] - end).abs() > size[axis] {
                    continue;
                }
                let [near, far] = [1e-4, 2e-4].map(|share| {
                    let mut beside = middle;
                    beside[axis] = end + inwards * share * size[axis];
                    self.log_density(beside)
                });
                if (near - far).abs() < 1e-9 {
                    return None;
                }
                if near > far {
                    return Some(false);
                }
            }
        }
        Some(true)
    }
}

#[test]
fn modes_on_supports_are_those_of_a_fine_grid() {
    let mixtures = std::env::var("MIXTURES").map_or(MIXTURES, |number| number.parse().unwrap());
    let cases: Vec<(u64, usize)> =
        (0..mixtures).map(|number| (number, 1)).chain((0..mixtures / 8).map(|number| (number, 2))).collect();
    let fault = |&(number, dimension): &(u64, usize)| {
        let mixture = Mixture::random(number, dimension);
        let counted = mixture.counted();
        let found = counted.map(|_| mixture.found());
        (counted, found, mixture)
    };
    let results: Vec<_> = cases.par_iter().map(fault).collect();
    let clear = results.iter().filter(|(counted, ..)| counted.is_some()).count();
    let wrong: Vec<String> = results
        .iter()
        .filter(|(counted, found, _)| counted != found)
        .map(|(counted, found, mixture)| {
            format!("{found:?} for {counted:?}: {} from {:?} to {:?}", mixture.formula(), mixture.min, mixture.max)
        })
        .collect();
    println!("{clear} of {} mixtures are clear", cases.len());
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(4 * clear > 3 * cases.len(), "{clear}");
}

//! Exact draws of a target: independent draws from it, or from its cells where it has none.
//!
//! They come in sets. Draws of a set are made in parts of [`PART`], each from a stream of its own, so that all cores can
//! share the work. Their random numbers are the same for every seed of a scenario, and no chain uses them.

use std::ops::Range;

use rayon::prelude::{IntoParallelIterator, ParallelIterator};

use base::math::{Point, Purpose, Stream};
use models::targets::Density;

use super::Truth;

/// Exact draws made from one stream.
pub(super) const PART: u64 = 1024;

/// The seed of all exact draws. Any number would do.
pub(super) const SEED: u64 = 0;

/// The first `count` exact draws of set number `set`.
#[must_use]
pub fn exact_draws(target: &dyn Density, truth: &Truth, set: u64, count: u64) -> Vec<Point> {
    let (x, y) = exact_positions(Some(target), truth, (SEED, set), 0..count);
    x.into_iter().zip(y).map(|(x, y)| Point::new(x, y)).collect()
}

/// Exact draws with these numbers, of a set of a seed.
pub(super) fn exact_positions(
    density: Option<&dyn Density>,
    truth: &Truth,
    (seed, set): (u64, u64),
    draws: Range<u64>,
) -> (Vec<f64>, Vec<f64>) {
    let part = |part: u64| -> (Vec<f64>, Vec<f64>) {
        let mut stream = Stream::derive(seed, Purpose::Truth, set, part);
        let mut one = |_| -> Point {
            let exact = density.and_then(|density| density.exact_draw(&mut stream));
            exact.unwrap_or_else(|| truth.draw(&mut stream))
        };
        // A stream is known only from its beginning, so draws made before are made again.
        let numbers = part * PART..((part + 1) * PART).min(draws.end);
        let made = numbers.map(|number| (number, one(number)));
        made.filter(|(number, _)| draws.contains(number)).map(|(_, at)| (at.x, at.y)).unzip()
    };
    let parts: Vec<(Vec<f64>, Vec<f64>)> =
        (draws.start / PART..draws.end.div_ceil(PART)).into_par_iter().map(part).collect();
    let (x, y): (Vec<Vec<f64>>, Vec<Vec<f64>>) = parts.into_iter().unzip();
    (x.concat(), y.concat())
}

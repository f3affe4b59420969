//! Probabilities of the basins of modes: of the points that are nearer to one mode than to any other.
//!
//! A line crosses basins one after the other. Where it goes from one into the next, one of its parts ends.

use rayon::prelude::*;

use super::adaptive::{Care, Integrand, integrate};
use super::field::Field;
use super::integral::Seed;
use super::plane::Plane;
use super::shapes::shape;
use crate::targets::kit::modes::{Surface, nearest};
use base::math::Point;
use base::math::elementary::exp;

/// Errors of a part, as shares of the whole, that are small enough.
const SHARE: f64 = 1e-6;

/// The weight of a mode that is lost, at most.
const LOST: f64 = 1e-5;

/// Parts at most.
const MOST_PARTS: usize = 200;

/// The probabilities of the basins of modes in θ.
pub(super) fn shares(field: &Field<'_>, seeds: &[Seed], reach: f64, modes: &[Point]) -> Vec<f64> {
    if modes.len() < 2 {
        return vec![1.0; modes.len()];
    }
    let basins = Basins { plane: Plane::new(field, seeds, reach), modes };
    let controlled: Vec<(usize, f64)> = (0..modes.len()).map(|mode| (mode, 1e-12)).collect();
    let care = Care {
        controlled: &controlled,
        share: SHARE,
        noise: None,
        most: MOST_PARTS,
        missed: [0.0, f64::INFINITY],
        cuts: 0,
        patience: 0,
        slow: false,
        effort: usize::MAX,
    };
    let found = integrate(&basins, &basins.plane.breaks(), care);
    let total: f64 = found.sums.iter().sum();
    found.sums.iter().map(|mass| mass / total).collect()
}

/// Weights of modes; that of a mode so light that the integration of basins loses it is that of a Gaussian.
pub(super) fn without_zeros(
    surface: &dyn Surface,
    dimension: usize,
    log_normaliser: f64,
    modes: &[Point],
    mut weights: Vec<f64>,
) -> Vec<f64> {
    let gaussian = |at: Point| {
        let shape = shape(surface, dimension, at) / std::f64::consts::TAU;
        let determinant = if dimension == 1 { shape.m11 } else { shape.determinant() };
        exp(surface.log_density(at) - log_normaliser) / determinant.sqrt()
    };
    for (weight, at) in weights.iter_mut().zip(modes).filter(|(weight, _)| **weight <= 0.0) {
        *weight = gaussian(*at).clamp(0.0, LOST);
    }
    weights
}

/// Line integrals by basins.
struct Basins<'a> {
    plane: Plane<'a>,
    modes: &'a [Point],
}

impl Integrand for Basins<'_> {
    fn count(&self) -> usize {
        self.modes.len()
    }

    fn values(&self, at: &[f64]) -> Vec<f64> {
        let field = self.plane.field;
        let value = |t: &f64| {
            let mut masses = vec![0.0; self.modes.len()];
            let x = field.theta(0, *t);
            if field.is_line() {
                masses[nearest(self.modes, Point::new(x, 0.0))] = self.plane.mass(*t);
                return masses;
            }
            for part in self.plane.parts(*t, &crossings(self.modes, x)) {
                let y = field.theta(1, 0.5 * (part.from + part.to));
                masses[nearest(self.modes, Point::new(x, y))] += part.sums[0];
            }
            masses
        };
        let all: Vec<Vec<f64>> = at.par_iter().map(value).collect();
        all.into_iter().flatten().collect()
    }

    fn bound(&self, _over: [f64; 2], enough: f64) -> f64 {
        enough
    }
}

/// Where the line at x goes from one basin into the next: ends of the lower envelope of the parabolas (y − yᵢ)² + (x − xᵢ)².
fn crossings(modes: &[Point], x: f64) -> Vec<f64> {
    let mut sorted: Vec<[f64; 2]> = modes.iter().map(|mode| [mode.y, (x - mode.x) * (x - mode.x)]).collect();
    sorted.sort_by(|one, other| one[0].total_cmp(&other[0]).then(one[1].total_cmp(&other[1])));
    sorted.dedup_by(|later, earlier| later[0] <= earlier[0]);
    let crossing =
        |one: [f64; 2], other: [f64; 2]| 0.5 * (one[0] + other[0]) + 0.5 * (other[1] - one[1]) / (other[0] - one[0]);
    // Modes whose basins the line meets, with the y at which it enters them.
    let mut met: Vec<([f64; 2], f64)> = Vec::with_capacity(sorted.len());
    for mode in sorted {
        let mut enters = f64::NEG_INFINITY;
        while let Some((last, since)) = met.last() {
            enters = crossing(*last, mode);
            if enters > *since {
                break;
            }
            met.pop();
            enters = f64::NEG_INFINITY;
        }
        met.push((mode, enters));
    }
    met.into_iter().skip(1).map(|(_, enters)| enters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_crosses_from_one_basin_into_the_next() {
        let modes = [Point::new(0.0, 0.0), Point::new(3.0, 1.0), Point::new(0.5, 2.0), Point::new(-1.0, 5.0)];
        for x in [-2.0, 0.0, 0.7, 3.0] {
            let ends = crossings(&modes, x);
            let changes = |y: f64| nearest(&modes, Point::new(x, y - 1e-9)) != nearest(&modes, Point::new(x, y + 1e-9));
            assert!(ends.iter().all(|y| changes(*y)), "{x}: {ends:?}");
            let along = (-4000..4000).map(|step| nearest(&modes, Point::new(x, 1e-2 * f64::from(step) + 5e-3)));
            let along: Vec<usize> = along.collect();
            let count = along.windows(2).filter(|pair| pair[0] != pair[1]).count();
            assert_eq!(count, ends.len(), "{x}: {ends:?}");
        }
    }
}

//! Modes of θ where its support has ends.
//!
//! Integration is in logits and logarithms z, and high points of the density of z say where it begins. Those of θ are others: the slope of
//! θ(z) moves them, makes one of two, or has one where θ has none. So modes are searched in θ itself, from local maxima of p(θ) on
//! grids: those in z, which are fine beside the ends, one over the view, and small ones around every high point of z.

use super::Written;
use super::integral::Seed;
use super::peaks::{Peaks, REACHES, SIDE, grid, tops};
use super::shapes::is_level;
use crate::targets::kit::modes::Surface;
use crate::targets::kit::poles::AXES;
use crate::targets::kit::transforms::TransformedSurface;
use crate::targets::{Coordinates, Density, Support};
use base::math::{Bounds, Matrix, Point};

/// High points of z around which there is a grid at most.
const MOST_AROUND: usize = 40;

/// Half the width of such a grid in widths of the high point, and its points along a side.
const WIDTHS: f64 = 5.0;
const ACROSS: u32 = 24;

/// Starts of searches at most, of each kind.
const MOST_STARTS: usize = 400;

/// A search without derivatives that is led to an end comes as near to it.
const AT_END: f64 = 1e-9;

/// High points of θ inside of the support.
pub(super) fn in_theta(of_theta: &TransformedSurface, bare: &Written, starts: &[Point]) -> Peaks {
    let mut found = Peaks::find(of_theta, bare.info.dimension, starts).unwrap_or_default();
    let ends = |at: Point| ends(bare.info.support, bare.info.dimension, at);
    found.modes.retain(|at| ends(*at).all(|end| end.is_below(of_theta, *at)));
    // A ridge that is level may lead to an end. Where it rises there, it has no top inside.
    found.others.retain(|at| !ends(*at).any(|end| end.is_above(of_theta, *at)));
    found
}

/// Local maxima of p(θ) on grids, the highest first.
///
/// Those beside an end to which the density rises are none: from there searches lead to the end, which may be a pole above all else.
pub(super) fn starts(
    bare: &Written,
    [of_theta, of_z]: [&TransformedSurface; 2],
    peaks: &Peaks,
    view: Bounds,
) -> Vec<Point> {
    let (dimension, coordinates) = (bare.info.dimension, of_z.coordinates);
    let to_theta = |z: Point| coordinates.to_theta(z);
    let seeds: Vec<Seed> = peaks.seeds(of_z, dimension, Matrix::identity());
    let on_grid = |side: u32, at: &dyn Fn(Point) -> Point| {
        let on_line = |at: Point| if dimension == 1 { Point::new(at.x, 0.0) } else { at };
        let points: Vec<Point> = grid(dimension, side).map(at).map(on_line).collect();
        let heights = bare.heights(&Coordinates::plain(), &points);
        tops(&heights, side).map(|index| (heights[index], points[index])).collect::<Vec<_>>()
    };
    let of_z = REACHES[0].iter().flat_map(|reach| on_grid(SIDE, &|share| to_theta(share * *reach))).collect();
    let around = |seed: &Seed| on_grid(ACROSS, &|share| to_theta(seed.at + WIDTHS * share.component_mul(&seed.width)));
    let around = seeds.iter().take(MOST_AROUND).flat_map(around).collect();
    let (centre, half) = (0.5 * (view.min + view.max), 0.5 * view.size());
    // The same number of points on the line as in the plane.
    let side = if dimension == 1 { SIDE * SIDE } else { SIDE };
    let of_view = on_grid(side, &|share| centre + half.component_mul(&share));
    let found = peaks.all().map(to_theta).map(|at| (bare.log_density(at), at)).collect();
    // Of each some: beside an end there may be a plateau with more than all others.
    let all = [of_z, around, of_view, found].into_iter().flat_map(|points| highest_first(points, MOST_STARTS));
    let leads_inwards = |at: Point| !ends(bare.info.support, dimension, at).any(|end| end.is_above(of_theta, at));
    let is_start = |at: Point| bare.info.support.contains(at) && leads_inwards(at);
    let all = highest_first(all.filter(|(_, at)| is_start(*at)).collect(), usize::MAX);
    all.into_iter().map(|(_, at)| at).collect()
}

/// So many of the highest points with their heights, each once.
fn highest_first(mut points: Vec<(f64, Point)>, most: usize) -> Vec<(f64, Point)> {
    let by_position = |one: &Point, other: &Point| one.x.total_cmp(&other.x).then(one.y.total_cmp(&other.y));
    points.sort_by(|one, other| other.0.total_cmp(&one.0).then_with(|| by_position(&one.1, &other.1)));
    points.dedup();
    points.truncate(most);
    points
}

/// An end of the support along an axis, as seen from a point.
#[derive(Clone, Copy, Debug)]
struct End {
    distance: f64,
    /// The unit vector that leads there.
    away: Point,
}

fn ends(support: Support, dimension: usize, at: Point) -> impl Iterator<Item = End> {
    let both = move |axis: usize| [(support.min[axis], -AXES[axis]), (support.max[axis], AXES[axis])];
    let all = (0..dimension).flat_map(move |axis| both(axis).map(|(end, away)| ((end - at[axis]).abs(), away)));
    all.filter(|(distance, _)| distance.is_finite()).map(|(distance, away)| End { distance, away })
}

impl End {
    /// Whether a high point is beside the end as far as a search can tell.
    fn is_beside(self, at: Point) -> bool {
        self.distance <= AT_END * (1.0 + at.amax())
    }

    fn half_way(self, at: Point) -> Point {
        at + self.away * (0.5 * self.distance)
    }

    /// Whether the density falls from a high point towards the end: a top at the end does not, nor a plateau that goes on to it.
    fn is_below(self, surface: &TransformedSurface, at: Point) -> bool {
        if self.is_beside(at) {
            let half_way = surface.log_density(self.half_way(at));
            return half_way.is_finite() && half_way < surface.log_density(at);
        }
        !is_level(surface, at, at + self.away * (self.distance * (1.0 - AT_END)))
    }

    /// Whether the density rises to the end from a high point beside it; also where there are no numbers between.
    fn is_above(self, surface: &TransformedSurface, at: Point) -> bool {
        let half_way = surface.log_density(self.half_way(at));
        self.is_beside(at) && (!half_way.is_finite() || half_way > surface.log_density(at))
    }
}

//! Searches without derivatives, and why a density has no integral, in words.

use super::Written;
use crate::targets::Density;
use crate::targets::kit::modes::Surface;
use crate::targets::kit::poles::{AXES, BESIDE, POLE, growth};
use crate::targets::kit::transforms::TransformedSurface;
use base::math::{Bounds, Point};
use base::params::ParamError;

/// Steps of a search for a tip at most.
const MOST_TRIES: usize = 4000;

/// A density that still grows this far out is taken for one without a highest point.
const FARTHEST: f64 = 1e12;

/// A log density that reaches this height is taken for one without a highest point, which has left the range of numbers.
const HIGHEST: f64 = 1e150;

/// Steps between the axes.
const SLANTS: [(f64, f64); 3] = [(1.0, 1.0), (1.0, 0.5), (0.5, 1.0)];

/// The power of the distance from which on there is no integral: on the line, where positions have so many digits, and in the plane.
const ENDLESS: [f64; 2] = [0.998, 2.02];

/// Distances from a pole at which a line of poles along an axis is one, too.
const ASIDE: [f64; 3] = [-0.1, 0.0, 0.1];

/// How far the end of a view is from that of the support that it shows, in widths of the view.
const END: f64 = 1e-2;

/// Why there is no integral.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// The integral grows with the box.
    Improper,
    /// It does not converge.
    Uneven,
}

/// An error of the formula.
pub(super) fn failed(problem: impl Into<String>, allowed: &str) -> ParamError {
    ParamError::new("density", problem, allowed)
}

/// The point and the height that a search along the axes and between them reaches; `None` if it leads away, or up, without end.
pub(super) fn climbed(surface: &TransformedSurface, dimension: usize, start: Point) -> Option<(Point, f64)> {
    let mut directions: Vec<Point> = AXES[..dimension].iter().flat_map(|axis| [*axis, -*axis]).collect();
    if dimension == 2 {
        // Where kinks meet in a ridge between the axes, only a slanted step leads on.
        directions.extend(
            SLANTS.iter().flat_map(|&(x, y)| [(x, y), (-x, y), (x, -y), (-x, -y)]).map(|(x, y)| Point::new(x, y)),
        );
    }
    let (mut at, mut height, mut step) = (start, surface.log_density(start), 1.0);
    for _ in 0..MOST_TRIES {
        let tries = directions.iter().map(|direction| at + direction * step);
        let best = tries.map(|point| (surface.log_density(point), point)).max_by(|a, b| a.0.total_cmp(&b.0))?;
        if best.0 > height {
            (height, at) = best;
            step *= 2.0;
        } else {
            step *= 0.5;
        }
        if at.amax() > FARTHEST || height > HIGHEST || !is_near(surface, at) {
            return None;
        }
        if step < 1e-12 * (1.0 + at.amax()) {
            break;
        }
    }
    Some((at, height))
}

/// Whether powers of θ are numbers at a point. Farther out θ stays where it is, and the slope of z alone goes on.
pub(super) fn is_near(surface: &TransformedSurface, z: Point) -> bool {
    let theta = surface.coordinates.to_theta(z);
    (0..2).all(|axis| surface.coordinates.is_identity_along(axis) || theta[axis] <= super::FARTHEST)
}

/// A point near which the density grows without bound, in θ; in the plane so fast that there is no integral if the point is one of a curve.
pub(super) fn pole(surface: &TransformedSurface, dimension: usize, start: Point) -> Option<Point> {
    let (at, _) = climbed(surface, dimension, start)?;
    let least = if dimension == 1 { POLE } else { endless_growth(1) };
    (growth(|at| surface.log_density(at), dimension, at) > least).then(|| surface.coordinates.to_theta(at))
}

/// Whether the density grows at a point, along an axis at least, however near one comes to it. A narrow top does not.
pub(super) fn is_pole(surface: &TransformedSurface, dimension: usize, at: Point) -> bool {
    growth(|at| surface.log_density(at), dimension, at) > POLE
}

/// The growth of the log density from one distance beside a pole to the next from which on there is no integral.
fn endless_growth(dimension: usize) -> f64 {
    ENDLESS[dimension - 1] * libm::log(BESIDE[0] / BESIDE[1])
}

/// Whether it grows so fast there that there is no integral: faster than r⁻² in the plane, and than r⁻¹ on the line and along a line of poles.
pub(super) fn is_endless(surface: &TransformedSurface, dimension: usize, at: Point) -> bool {
    let log_density = |at| surface.log_density(at);
    // The density along an axis, beside the point.
    let beside = |axis: usize, shift: f64| {
        let along = |point: Point| log_density(at + AXES[1 - axis] * shift + AXES[axis] * (point.x - at[axis]));
        growth(along, 1, Point::new(at[axis], 0.0))
    };
    let is_line = |axis: usize| ASIDE.iter().all(|shift| beside(axis, *shift) > endless_growth(1));
    growth(log_density, dimension, at) > endless_growth(dimension) || dimension == 2 && (0..2).any(is_line)
}

/// An end of the support on the line towards which the density grows too fast for an integral. In z there are no numbers near it.
pub(super) fn endless_end(bare: &Written) -> Option<Point> {
    let support = bare.info.support;
    let mut ends = [(support.min.x, 1.0), (support.max.x, -1.0)].into_iter().filter(|(end, _)| end.is_finite());
    let is_endless = |&(end, inwards): &(f64, f64)| {
        let [far, near] =
            BESIDE.map(|away| bare.log_density(Point::new(end + inwards * away * end.abs().max(1.0), 0.0)));
        near - far > endless_growth(1)
    };
    if bare.info.dimension == 1 { ends.find(is_endless).map(|(end, _)| Point::new(end, 0.0)) } else { None }
}

/// Whether the density of θ on the line grows towards an end of the view, as no density of z does: one that is an end of its support.
pub(super) fn is_pole_of_theta(bare: &Written, view: Bounds) -> bool {
    let (width, support) = (view.max.x - view.min.x, bare.info.support);
    let ends = [(view.min.x, 1.0, support.min.x), (view.max.x, -1.0, support.max.x)];
    ends.into_iter().filter(|(end, _, last)| (end - last).abs() < END * width).any(|(end, inwards, _)| {
        let height = |share: f64| bare.log_density(Point::new(end + inwards * share * width, 0.0));
        height(1e-6) - height(1e-3) > POLE && height(0.0) - height(1e-6) > POLE
    })
}

/// Why there is no integral, in words; `pole` is a point near which the density has no bound.
pub(super) fn reason(failure: Failure, dimension: usize, pole: Option<Point>) -> ParamError {
    if let Some(at) = pole {
        // Zeros are found up to the end of the search, with either sign.
        let [x, y] = [at.x, at.y].map(|value| if value.abs() < 5e-4 { 0.0 } else { value });
        let point = if dimension == 1 { format!("x = {x:.3}") } else { format!("x = {x:.3}, y = {y:.3}") };
        let problem = format!("the density grows without bound near {point}, and quadrature finds no integral there");
        return failed(problem, "a density with a highest value, for example ln(0.01 + x²) in the place of ln(x²)");
    }
    match failure {
        Failure::Improper => failed(
            "no integral was found: far out the density falls too slowly for quadrature, or not at all, or it grows too fast towards an end \
             of its support",
            "the form density, if the formula gives p and not log p; tails that fall faster than |x|^−1.15 on the line and r^−2.15 in the \
             plane; a support with bounds",
        ),
        Failure::Uneven => failed(
            "the density is too uneven for quadrature: it is very narrow in places",
            "parameters that are nearer to each other in size",
        ),
    }
}

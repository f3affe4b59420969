//! Searches without derivatives, and why a density has no integral, in words.

use crate::math::Point;
use crate::params::ParamError;
use crate::targets::coordinates::TransformedSurface;
use crate::targets::modes::Surface;
use crate::targets::poles::{AXES, BESIDE, POLE, growth};

/// Steps of a search for a tip at most.
const MOST_TRIES: usize = 4000;

/// A density that still grows this far out is taken for one without a highest point.
const FARTHEST: f64 = 1e12;

/// A log density that reaches this height is taken for one without a highest point, which has left the range of numbers.
const HIGHEST: f64 = 1e150;

/// Steps between the axes.
const SLANTS: [(f64, f64); 3] = [(1.0, 1.0), (1.0, 0.5), (0.5, 1.0)];

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

/// The place and the height that a search along the axes and between them reaches; `None` if it leads away, or up, without end.
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
        let best = tries.map(|place| (surface.log_density(place), place)).max_by(|a, b| a.0.total_cmp(&b.0))?;
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

/// Whether powers of θ are numbers at a place. Farther out θ stays where it is, and the slope of z alone goes on.
pub(super) fn is_near(surface: &TransformedSurface, z: Point) -> bool {
    let theta = surface.coordinates.to_theta(z);
    (0..2).all(|axis| surface.coordinates.is_identity_along(axis) || theta[axis] <= super::FARTHEST)
}

/// A place near which the density grows without bound, in θ.
pub(super) fn pole(surface: &TransformedSurface, dimension: usize, start: Point) -> Option<Point> {
    let (at, _) = climbed(surface, dimension, start)?;
    is_pole(surface, dimension, at).then(|| surface.coordinates.to_theta(at))
}

/// Whether the density grows at a place, along an axis at least, however near one comes to it. A narrow top does not.
pub(super) fn is_pole(surface: &TransformedSurface, dimension: usize, at: Point) -> bool {
    growth(|at| surface.log_density(at), dimension, at) > POLE
}

/// Whether it grows so fast there that there is no integral: faster than r⁻² in the plane, and than r⁻¹ on the line.
pub(super) fn is_endless(surface: &TransformedSurface, dimension: usize, at: Point) -> bool {
    growth(|at| surface.log_density(at), dimension, at) > 1.01 * dimension as f64 * libm::log(BESIDE[0] / BESIDE[1])
}

/// Why there is no integral, in words; `pole` is a place near which the density has no bound.
pub(super) fn reason(failure: Failure, dimension: usize, pole: Option<Point>) -> ParamError {
    if let Some(at) = pole {
        // Zeros are found up to the end of the search, with either sign.
        let [x, y] = [at.x, at.y].map(|value| if value.abs() < 5e-4 { 0.0 } else { value });
        let place = if dimension == 1 { format!("x = {x:.3}") } else { format!("x = {x:.3}, y = {y:.3}") };
        let problem = format!("the density grows without bound near {place}, and quadrature finds no integral there");
        return failed(problem, "a density with a highest value, for example ln(0.01 + x²) in the place of ln(x²)");
    }
    match failure {
        Failure::Improper => failed(
            "no integral was found: far out the density falls too slowly for quadrature, or not at all, or it grows too fast towards an end \
             of its support",
            "tails that fall faster than |x|^−1.15 on the line and r^−2.15 in the plane, a support with bounds, or the form density for a \
             formula that gives one",
        ),
        Failure::Uneven => failed(
            "the density is too uneven for quadrature: it is very narrow in places",
            "parameters that are nearer to each other in size",
        ),
    }
}

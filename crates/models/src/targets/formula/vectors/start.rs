//! Where chains start, and how wide the density is there.
//!
//! From 0, or points around it, Newton's method with damping goes up. A point where it ends and the curvature is positive along every
//! direction is a mode; it need not be the highest. Without one, chains start at the first point that has a density; also where there is much
//! less probability around the mode, as in the neck of a funnel.

use nalgebra::DMatrix;

use super::at_point;
use crate::formula::InVectors;
use base::math::elementary::ln;
use base::math::{Cholesky, Damping, Purpose, Simd, Stream, step_uphill, symmetric_eigen};

/// Points that are tried until one has a density, and from how many of those a mode is searched.
const TRIED: u32 = 100;
const SEARCHED: usize = 4;

/// Half the side of the box of the points.
const REACH: f64 = 2.0;

/// Steps of a search at most, and the gain below which it ends.
const MOST_STEPS: usize = 200;
const REACHED: f64 = 1e-13;

/// Newton's decrement gᵀP⁻¹g at a mode, at most.
const DECREMENT: f64 = 1e-6;

/// The damping of a step in units of the curvature.
const DAMPING: Damping = Damping { first: 0.0, least: 1e-3, growth: 8.0, trials: 40 };

/// How far the log density falls within two standard deviations of a normal distribution.
const FALL: f64 = 2.0;

/// Doublings of a distance at most.
const DOUBLINGS: u32 = 60;

/// Halvings of an interval in which a distance is.
const HALVINGS: u32 = 6;

/// By how much more probability around the first point has to be than around a mode, as a logarithm, for chains to start there.
const MUCH: f64 = 3.0;

/// Distances at which a density should have fallen, in standard deviations, and directions beside those of the axes.
const FAR: [f64; 2] = [1e3, 1e6];
const DIRECTIONS: u64 = 8;

/// Where chains start.
pub(super) struct Start {
    pub(super) at: Vec<f64>,
    pub(super) widths: Widths,
    /// Whether it is a mode.
    pub(super) mode: bool,
    /// The largest curvature at a mode.
    pub(super) curvature: Option<f64>,
}

/// Where chains start; `None` if the density is 0 wherever it was tried.
pub(super) fn start(density: &InVectors) -> Option<Start> {
    let point = |number: u32| {
        let mut stream = Stream::derive(0, Purpose::Start, 0, u64::from(number));
        let mut coordinate = || if number == 0 { 0.0 } else { REACH * (2.0 * stream.uniform() - 1.0) };
        (0..density.dimension()).map(|_| coordinate()).collect::<Vec<f64>>()
    };
    let mut points = (0..TRIED).map(point).filter(|at| at_point(density, at).is_finite()).take(SEARCHED);
    let first = points.next()?;
    let found = std::iter::once(first.clone()).chain(points).find_map(|from| mode(density, from));
    let widths = Widths::new(density, &first);
    let there = at_point(density, &first) + widths.log_volume;
    let at_first = Start { at: first, widths, mode: false, curvature: None };
    let Some((at, curvature)) = found else { return Some(at_first) };
    let widths = Widths::new(density, &at);
    let is_neck = there > at_point(density, &at) + widths.log_volume + MUCH;
    Some(if is_neck { at_first } else { Start { at, widths, mode: true, curvature: Some(curvature) } })
}

/// Whether log p stays as high as this is, in every direction that is tried, at distances of so many standard deviations: there is no integral,
/// since p has to fall faster than r⁻ᵈ in some of them.
pub(super) fn never_falls(density: &InVectors, at: &[f64], widths: &Widths) -> bool {
    let size = at.len();
    let here = at_point(density, at);
    let axes = (0..2 * size).map(|side| {
        let mut direction = vec![0.0; size];
        direction[side / 2] = if side % 2 == 0 { 1.0 } else { -1.0 };
        direction
    });
    let others = (0..DIRECTIONS).map(|number| {
        let mut stream = Stream::derive(0, Purpose::Start, 1, number);
        (0..size).map(|_| stream.normal_pair().0).collect()
    });
    axes.chain(others).all(|direction: Vec<f64>| {
        FAR.iter().all(|distance| {
            let moved = at.iter().zip(&direction).zip(&widths.sds);
            let point: Vec<f64> = moved.map(|((at, along), sd)| at + distance * along * sd).collect();
            at_point(density, &point) > here - 0.5 * size as f64 * ln(*distance)
        })
    })
}

/// −∇² log p at a point.
fn stiffness(density: &InVectors, at: &[f64]) -> DMatrix<f64> {
    let size = at.len();
    -DMatrix::from_row_slice(size, size, &density.hessian(Simd::widest(), at))
}

/// The mode that is reached from a point, and the largest curvature there.
fn mode(density: &InVectors, from: Vec<f64>) -> Option<(Vec<f64>, f64)> {
    let size = from.len();
    let mut here = at_point(density, &from);
    let mut at = from;
    let mut gradient = vec![0.0; size];
    for _ in 0..MOST_STEPS {
        density.gradients(Simd::widest(), 1, &at, &mut gradient);
        let stiff = stiffness(density, &at);
        if !gradient.iter().all(|slope| slope.is_finite()) || !stiff.iter().all(|entry| entry.is_finite()) {
            return None;
        }
        let unit = |axis: usize| {
            let curvature = stiff[(axis, axis)].abs();
            if curvature > 0.0 { 1.0 / curvature.sqrt() } else { 1.0 }
        };
        let units: Vec<f64> = (0..size).map(unit).collect();
        let found = step_uphill((&at, here), (&gradient, &stiff), &units, DAMPING, |at| at_point(density, at));
        // No step goes up: rounding.
        let Some((next, log)) = found else { break };
        let gain = log - here;
        (at, here) = (next, log);
        if gain <= REACHED * here.abs().max(1.0) {
            break;
        }
    }
    density.gradients(Simd::widest(), 1, &at, &mut gradient);
    let stiff = stiffness(density, &at);
    let mut step = gradient.clone();
    Cholesky::new(&stiff)?.solve(&mut step);
    let decrement: f64 = step.iter().zip(&gradient).map(|(step, slope)| step * slope).sum();
    let curvature = symmetric_eigen(&stiff)?.values.last().copied()?;
    (decrement <= DECREMENT && curvature.is_finite()).then_some((at, curvature))
}

/// Widths of the density around a point.
pub(super) struct Widths {
    /// Along every coordinate, like a standard deviation.
    pub(super) sds: Vec<f64>,
    /// The logarithm of the product of the widths along the axes of the curvature.
    log_volume: f64,
}

impl Widths {
    /// From the distances along the axes of the curvature in which the log density falls as that of a normal distribution does within
    /// two standard deviations.
    pub(super) fn new(density: &InVectors, at: &[f64]) -> Self {
        let size = at.len();
        let eigen = symmetric_eigen(&stiffness(density, at));
        let (values, vectors) = eigen
            .map_or_else(|| (vec![1.0; size], DMatrix::identity(size, size)), |eigen| (eigen.values, eigen.vectors));
        let here = at_point(density, at);
        let (mut squares, mut log_volume) = (vec![0.0; size], 0.0);
        for (number, curvature) in values.iter().enumerate() {
            let axis: Vec<f64> = vectors.column(number).iter().copied().collect();
            let first = if curvature.abs() > 0.0 { 1.0 / curvature.abs().sqrt() } else { 1.0 };
            let sides = [1.0, -1.0].map(|side| distance(density, at, (here, first), |k| side * axis[k]));
            // The root of their product: of a Gaussian it is the same wherever the point is.
            let width = match sides {
                [Some(one), Some(other)] => 0.5 * (one * other).sqrt(),
                [Some(only), None] | [None, Some(only)] => 0.5 * only,
                [None, None] => first,
            };
            log_volume += ln(width);
            squares.iter_mut().zip(&axis).for_each(|(square, part)| *square += (width * part) * (width * part));
        }
        Self { sds: squares.into_iter().map(f64::sqrt).collect(), log_volume }
    }
}

/// How far it is to where the log density has fallen; `None` if it does not fall within reach.
fn distance(density: &InVectors, at: &[f64], (here, first): (f64, f64), axis: impl Fn(usize) -> f64) -> Option<f64> {
    let has_fallen = |far: f64| {
        let there: Vec<f64> = at.iter().enumerate().map(|(k, at)| at + far * axis(k)).collect();
        at_point(density, &there) < here - FALL
    };
    let (mut near, mut far) = (0.0, first);
    if has_fallen(first) {
        for _ in 0..DOUBLINGS {
            if !has_fallen(0.5 * far) {
                near = 0.5 * far;
                break;
            }
            far *= 0.5;
        }
    } else {
        (near, far) = (first, 2.0 * first);
        let mut doublings = 0;
        while !has_fallen(far) {
            doublings += 1;
            if doublings == DOUBLINGS {
                return None;
            }
            (near, far) = (far, 2.0 * far);
        }
    }
    for _ in 0..HALVINGS {
        let middle = 0.5 * (near + far);
        if has_fallen(middle) { far = middle } else { near = middle }
    }
    Some(far)
}

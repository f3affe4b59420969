//! The box in which a distribution is computed, and how many nodes it is cut into.
//!
//! Hot steps reach further than the view. A box begins around the modes and the start and grows until the hottest steps and the first ones
//! of the run lose next to nothing, or no less than before. It ends where steps grow: beyond x* with |F(x*)| = |x*| chains leave for ever.

use base::math::{Point, elementary::whole_bits};
use models::targets::TargetInfo;

use super::NotComputed;
use super::level::Cut;
use super::plan::{Computable, Kind};
use super::reach::{Asked, grown, within};
use super::start::Origin;

/// Standard deviations of a mode that a box has at least.
const REACH: f64 = 6.0;

/// Nodes per standard deviation of the narrowest mode, of the coarse grid.
const PER_SD: f64 = 5.0;

/// Nodes per standard deviation of the distribution after a first step from a point, of the coarse grid: fewer make masses oscillate.
const PER_BLUR: f64 = 2.3;

/// Nodes along an axis of the coarse grid, at least and at most: on the line, with rejection, in the plane.
const LINE: (usize, usize) = (128, 4096);
const DENSE: (usize, usize) = (160, 1000);
const PLANE: (usize, usize) = (96, 320);

/// Nodes along both axes with rejection in the plane, coarse and fine: numbers with an error of order h² differ by more than that of the fine one.
const REJECTING_PLANE: [usize; 2] = [40, 64];

/// The same per standard deviation of the narrowest mode, of the coarse grid at least.
const LEAST_PER_SD: f64 = 0.6;

/// How often the box in which mass is looked for may grow.
const GROWTHS: usize = 8;

/// Points along an axis at which it is looked where mass is.
const LOOKS: usize = 160;

/// Nodes along both axes with momentum, coarse and fine.
const PHASE: [usize; 2] = [80, 112];

/// Log density below that of the highest point, beyond which there is no mass: 10⁻¹⁰ and a little for what is beyond.
const DEPTH: f64 = 25.0;

/// The same with rejection in the plane, where nodes are few: 10⁻⁷.
const SHALLOW: f64 = 16.0;

/// The same with momentum: 10⁻¹⁵.
const LOW: f64 = 36.0;

/// The same near a boundary that folds, as far as chains with much noise may come.
const DEEP: f64 = 140.0;

/// A box with a coarse and a fine grid.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Region {
    pub ends: [(f64, f64); 2],
    /// Of the coarse and of the fine grid.
    pub nodes: [[usize; 2]; 2],
    /// A point that has to be a node, where chains may stay.
    anchor: Option<Point>,
}

impl Region {
    /// The box of a run.
    ///
    /// # Errors
    /// If there is none in which it can be computed, or `go_on` says no.
    pub fn of(of: &Computable, go_on: &mut Asked<'_>) -> Result<Self, NotComputed> {
        let axes = if of.kind == Kind::Line || of.kind == Kind::PhaseSpace { 1 } else { 2 };
        let start = of.start();
        let mut ends = [(-0.5, 0.5); 2];
        let mut limits = [(f64::NEG_INFINITY, f64::INFINITY); 2];
        for axis in 0..axes {
            ends[axis] = around(of, axis, start.as_ref().ok())?;
            limits[axis] = limit(of, axis, ends[axis])?;
            ends[axis] = within(ends[axis], limits[axis]);
        }
        if of.rejects() && of.kind == Kind::Plane {
            ends = around_mass(of, ends, start.as_ref().ok())?;
            wide_enough(of, ends)?;
        }
        if of.rejects() || of.kind == Kind::PhaseSpace {
            return Ok(Self::cut_into(of, ends, axes, 0));
        }
        let (ends, least) = grown(of, (ends, limits), start.as_ref().ok(), go_on)?;
        Ok(Self::cut_into(of, ends, axes, least))
    }

    fn cut_into(of: &Computable, ends: [(f64, f64); 2], axes: usize, least: usize) -> Self {
        let mut nodes = [[1; 2]; 2];
        for axis in 0..axes {
            let needed = (ends[axis].1 - ends[axis].0) / narrowest(of, axis) * PER_SD;
            let needed = needed.max(first_blur(of, ends[axis]));
            let (low, high) = if of.rejects() {
                DENSE
            } else if of.kind == Kind::Plane {
                PLANE
            } else {
                LINE
            };
            let coarse = whole(needed.min(1e6)).max(least).next_multiple_of(32).clamp(low, high);
            let fine = if of.kind == Kind::Plane { (coarse * 181 / 128).next_multiple_of(2) } else { 2 * coarse };
            [nodes[0][axis], nodes[1][axis]] = [coarse, fine];
        }
        if of.kind == Kind::PhaseSpace {
            nodes = PHASE.map(|nodes| [nodes, nodes]);
        }
        if of.rejects() && of.kind == Kind::Plane {
            nodes = REJECTING_PLANE.map(|nodes| [nodes, nodes]);
        }
        let anchor = match of.start() {
            Ok(Origin::Points(points)) if of.rejects() => points.first().copied(),
            _ => None,
        };
        Self { ends, nodes, anchor }
    }

    /// The same with so many times as many nodes along each axis.
    pub fn refined(mut self, times: usize) -> Self {
        self.nodes.iter_mut().flatten().for_each(|nodes| *nodes *= times);
        self
    }

    /// The grid of a level: 0 is the coarse one, 1 the fine one.
    pub fn cut(&self, level: usize) -> Cut {
        let (mut ends, nodes) = (self.ends, self.nodes[level.min(1)]);
        if let Some(anchor) = self.anchor {
            // The second axis of a line has one node and no width that matters.
            for (axis, ends) in ends.iter_mut().enumerate() {
                let spacing = (ends.1 - ends.0) / nodes[axis] as f64;
                let place = (anchor[axis] - ends.0) / spacing - 0.5;
                let shift = (place - place.round()) * spacing;
                *ends = (ends.0 + shift, ends.1 + shift);
            }
        }
        Cut { ends, nodes }
    }
}

fn whole(x: f64) -> usize {
    whole_bits(x.max(0.0)) as usize
}

/// The box in the plane that has mass, and starts with their first proposals: `ends` is where it is looked for first, and grows on sides that
/// mass reaches.
fn around_mass(
    of: &Computable,
    mut ends: [(f64, f64); 2],
    start: Option<&Origin>,
) -> Result<[(f64, f64); 2], NotComputed> {
    let support = of.spans[0].density.info().support;
    for _ in 0..GROWTHS {
        let (found, cell) = looked_at(of, ends, start);
        let mut is_whole = true;
        for (axis, (low, high)) in ends.iter_mut().enumerate() {
            let (width, [first, last]) = (*high - *low, [support.min[axis], support.max[axis]]);
            if found[axis].0 < *low + cell[axis] && *low > first {
                (*low, is_whole) = ((*low - 0.5 * width).max(first), false);
            }
            if found[axis].1 > *high - cell[axis] && *high < last {
                (*high, is_whole) = ((*high + 0.5 * width).min(last), false);
            }
        }
        if is_whole {
            return Ok([0, 1].map(|axis| within(found[axis], ends[axis])));
        }
    }
    Err(NotComputed::Unsuited("the tails of the target are too heavy for a box"))
}

/// What of a box has mass, and the size of the cells at whose middles it is looked.
fn looked_at(of: &Computable, ends: [(f64, f64); 2], start: Option<&Origin>) -> ([(f64, f64); 2], [f64; 2]) {
    let cell = [0, 1].map(|axis| (ends[axis].1 - ends[axis].0) / LOOKS as f64);
    let at = |place: usize| {
        let along = |axis: usize, place: usize| ends[axis].0 + cell[axis] * (place as f64 + 0.5);
        Point::new(along(0, place % LOOKS), along(1, place / LOOKS))
    };
    let mut found = [(f64::INFINITY, f64::NEG_INFINITY); 2];
    let mut take = |point: Point, reach: Point| {
        for (axis, found) in found.iter_mut().enumerate() {
            *found = (found.0.min(point[axis] - reach[axis]), found.1.max(point[axis] + reach[axis]));
        }
    };
    for span in &of.spans {
        let logs: Vec<f64> = (0..LOOKS * LOOKS).map(|place| span.density.log_density(at(place))).collect();
        let highest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let with_mass = logs.iter().enumerate().filter(|(_, log)| **log >= highest - SHALLOW);
        with_mass.for_each(|(place, _)| take(at(place), cell.into()));
    }
    if let Some(Origin::Points(points)) = start {
        let sd = (2.0 * of.step(1).alpha).sqrt();
        points.iter().for_each(|at| take(*at, Point::repeat(REACH * sd)));
    }
    (found, cell)
}

/// Refuses modes that are too narrow for the few nodes that rejection has in the plane.
fn wide_enough(of: &Computable, ends: [(f64, f64); 2]) -> Result<(), NotComputed> {
    let [coarse, _] = REJECTING_PLANE;
    let shows = |axis: usize| (ends[axis].1 - ends[axis].0) * LEAST_PER_SD <= coarse as f64 * narrowest(of, axis);
    if shows(0) && shows(1) {
        Ok(())
    } else {
        Err(NotComputed::Unsuited(
            "with rejection, a grid in the plane has at most 64 × 64 nodes, and the modes of this target are too narrow for them",
        ))
    }
}

/// The smallest standard deviation of a mode along an axis, in any direction of the plane.
fn narrowest(of: &Computable, axis: usize) -> f64 {
    let mut least = f64::INFINITY;
    for span in &of.spans {
        let info = span.density.info();
        let along = |matrix: &base::math::Matrix| {
            if of.kind == Kind::Plane {
                let (middle, half) = (0.5 * (matrix.m11 + matrix.m22), 0.5 * (matrix.m11 - matrix.m22));
                (middle - (half * half + matrix.m12 * matrix.m12).sqrt()).sqrt()
            } else {
                matrix[(axis, axis)].sqrt()
            }
        };
        let widths = info.modes.iter().map(|mode| along(&mode.covariance)).chain([along(&info.covariance)]);
        let hessian = -span.density.hessian(info.start);
        let largest = if of.kind == Kind::Plane {
            let (middle, half) = (0.5 * (hessian.m11 + hessian.m22), 0.5 * (hessian.m11 - hessian.m22));
            middle + (half * half + hessian.m12 * hessian.m12).sqrt()
        } else {
            hessian[(axis, axis)]
        };
        let at_start = if largest > 0.0 { 1.0 / largest.sqrt() } else { f64::INFINITY };
        let narrow = widths.chain([at_start]).filter(|width| *width > 0.0).fold(f64::INFINITY, f64::min);
        least = least.min(if span.density.narrows() { 0.5 * narrow } else { narrow });
    }
    if least.is_finite() { least } else { 1.0 }
}

/// Nodes that show a first step from a point.
fn first_blur(of: &Computable, ends: (f64, f64)) -> f64 {
    let step = of.step(1);
    match (of.start(), of.map(&step)) {
        (Ok(Origin::Points(_)), Some(map)) if map.variance > 0.0 => PER_BLUR * (ends.1 - ends.0) / map.variance.sqrt(),
        _ => 0.0,
    }
}

/// Around modes, mean and start.
fn around(of: &Computable, axis: usize, start: Option<&Origin>) -> Result<(f64, f64), NotComputed> {
    let alpha = of.hottest().alpha;
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    let mut take = |at: f64, reach: f64| {
        if at.is_finite() && reach.is_finite() {
            (low, high) = (low.min(at - reach), high.max(at + reach));
        }
    };
    for span in &of.spans {
        let info = span.density.info();
        for mode in &info.modes {
            let sd = mode.covariance[(axis, axis)].sqrt();
            let slow = 1.0 - 0.5 * alpha / (sd * sd);
            let wide = if slow > 0.1 && !of.rejects() { 1.0 / slow.sqrt() } else { 1.0 };
            take(mode.at[axis], REACH * sd * wide);
        }
        take(info.mean[axis], REACH * info.covariance[(axis, axis)].sqrt());
    }
    if let Some(Origin::Points(points)) = start {
        let step = of.step(1);
        let density = &of.spans[0].density;
        let sd = (2.0 * step.alpha).sqrt();
        points.iter().for_each(|at| take(at[axis] + step.alpha * density.gradient(*at)[axis], REACH * sd));
        points.iter().for_each(|at| take(at[axis], 0.0));
    }
    let view = of.spans[0].density.info().view;
    if low >= high {
        (low, high) = (view.min[axis], view.max[axis]);
    }
    if low.is_finite() && high.is_finite() {
        Ok((low, high))
    } else {
        Err(NotComputed::Unsuited("the target has no finite box"))
    }
}

/// How far a box may reach: to the boundary of the support, and to where steps grow.
fn limit(of: &Computable, axis: usize, ends: (f64, f64)) -> Result<(f64, f64), NotComputed> {
    let info = of.spans[0].density.info();
    let centre = anchor_point(of, info);
    let mut limits = [info.support.min[axis], info.support.max[axis]];
    for (side, limit) in limits.iter_mut().enumerate() {
        let sign = if side == 0 { -1.0 } else { 1.0 };
        // In the plane a line through the centre may miss modes; around them there is mass as far as the box reaches.
        let along_axis = of.kind != Kind::Plane;
        if of.folds() || (of.rejects() && along_axis) || of.kind == Kind::PhaseSpace {
            *limit = end_of_mass(of, axis, sign, (centre[axis], *limit))?;
        } else if of.kind != Kind::Plane {
            *limit = where_steps_grow(of, axis, sign, ends, *limit);
        }
    }
    Ok((limits[0], limits[1]))
}

/// The outermost point with mass on the way from the centre to the boundary.
fn end_of_mass(of: &Computable, axis: usize, sign: f64, (from, boundary): (f64, f64)) -> Result<f64, NotComputed> {
    let depth = match of.kind {
        Kind::PhaseSpace => LOW,
        _ if of.rejects() => DEPTH,
        _ => DEEP,
    };
    let density = &of.spans[0].density;
    let info = density.info();
    let centre = anchor_point(of, info);
    let log = |x: f64| {
        let mut at = centre;
        at[axis] = x;
        density.log_density(at)
    };
    let highest = info.modes.iter().map(|mode| density.log_density(mode.at)).fold(log(from), f64::max);
    // Outer modes first.
    let outermost = info.modes.iter().map(|mode| sign * mode.at[axis]).fold(sign * from, f64::max) * sign;
    let width = (info.view.max[axis] - info.view.min[axis]) / 500.0;
    let mut x = outermost;
    for _ in 0..20_000 {
        if sign * (boundary - x) <= width {
            return if log(0.5 * (x + boundary)) < highest - DEPTH {
                Ok(x)
            } else if boundary.is_finite() && of.folds() {
                Err(NotComputed::Unsuited(
                    "chains reach the boundary of the target, where steps fold back; that is not computed yet",
                ))
            } else {
                Ok(x)
            };
        }
        if log(x) < highest - depth {
            return Ok(x);
        }
        x += sign * width;
    }
    Err(NotComputed::Unsuited("the tails of the target are too heavy for a box"))
}

/// Beyond which the hottest step leads further out.
fn where_steps_grow(of: &Computable, axis: usize, sign: f64, ends: (f64, f64), boundary: f64) -> f64 {
    let info = of.spans[0].density.info();
    let density = &of.spans[0].density;
    let (centre, alpha) = (anchor_point(of, info), of.hottest().alpha);
    let middle = info.modes.iter().map(|mode| mode.at[axis]).sum::<f64>() / info.modes.len().max(1) as f64;
    let middle = if info.modes.is_empty() { centre[axis] } else { middle };
    let grows = |x: f64| {
        let mut at = centre;
        at[axis] = x;
        let moved = x + alpha * density.gradient(at)[axis];
        let leads_in = (moved - middle).abs() < (x - middle).abs();
        !leads_in
    };
    let width = (ends.1 - ends.0) / 400.0;
    let sd = |mode: &models::targets::Mode| mode.covariance[(axis, axis)].sqrt();
    let outermost =
        info.modes.iter().map(|mode| sign * mode.at[axis] + 3.0 * sd(mode)).fold(sign * middle + width, f64::max)
            * sign;
    let mut x = outermost;
    if grows(x) {
        while grows(x) && sign * (x - middle) > 2.0 * width {
            x -= sign * width;
        }
    } else {
        for _ in 0..8000 {
            if grows(x + sign * width) {
                break;
            }
            x += sign * width;
        }
        if !grows(x + sign * width) {
            return boundary;
        }
    }
    // Between x and the next point.
    let (mut inner, mut outer) = (x, x + sign * width);
    for _ in 0..60 {
        let half = 0.5 * (inner + outer);
        if grows(half) { outer = half } else { inner = half }
    }
    if sign * (boundary - inner) > 0.0 { inner } else { boundary }
}

fn anchor_point(of: &Computable, info: &TargetInfo) -> Point {
    let highest = models::targets::highest_mode(of.spans[0].density.as_ref());
    if highest.iter().all(|value| value.is_finite()) { highest } else { info.start }
}

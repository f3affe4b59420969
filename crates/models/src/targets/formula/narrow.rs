//! What is narrow, and lies between the points of every grid: found by bounds over boxes.
//!
//! A bound of how much a log density varies over a box is compared with how much points of it show. Where the bound is far above, the box
//! is cut, until both are alike. Most boxes are large then; a small one in which the log density does vary is a narrow region. Whether a
//! density is negative anywhere is found in the same way, from lower bounds.

use super::field::Field;
use super::integral::Seed;
use crate::formula::Evaluator;
use base::math::{Bounds, Point};

/// Half the side of the first box, in t.
const REACH: f64 = 30.0;

/// Boxes at most of a formula that is not longer than so many instructions; of a longer one fewer.
const MOST_BOXES: usize = 4000;
const SHORT: usize = 60;

/// Mass of a box, in units of the density and the widths at the centre, in which nothing is searched.
const LEAST_MASS: f64 = 1e-7;

/// A bound this many times above what points show is one of something that they do not show.
const SURPRISE: f64 = 4.0;

/// Variations of the log density up to which nothing is narrow.
const VARIES: f64 = 0.5;

/// How many times smaller than a box that surprised a region has to be, and how large in t at most.
const SMALLER: f64 = 16.0;
const SMALL: f64 = 0.125;

/// Sides of a region in t at most: what is longer is a ridge or a step, which lines across it meet.
const LONGEST: f64 = 0.5;

/// Regions at most.
const MOST_REGIONS: usize = 24;

/// Sides of a box in t that is not cut any more.
const SMALLEST: f64 = 1e-9;

/// How much higher than the centre a point has to be for a new one, and sides in t of a box from whose middle a search leads to it.
const HIGHER: f64 = 1.0;
const TINY: f64 = 1e-6;

/// Shares of a side at which a box is looked at.
const SHARES: [f64; 3] = [0.0, 0.5, 1.0];

/// A box in t.
#[derive(Clone, Copy, Debug)]
struct Patch {
    sides: [[f64; 2]; 2],
    /// How urgent it is to cut it: mass times surprise; 0 where it is as it looks.
    urgency: f64,
    /// How much points of it differ.
    shown: f64,
    /// The axis to be cut.
    axis: usize,
    /// The sides of the first box around it that surprised.
    surprised: Option<[f64; 2]>,
}

/// Narrow regions of a density, in w. Where the centre is the highest point, and no pole, bounds above it are surprising, too.
pub(super) fn narrow_regions(field: &Field<'_>, is_highest: bool) -> Vec<Seed> {
    let above = if is_highest { HIGHER } else { f64::INFINITY };
    let whole = [-REACH, REACH];
    let sides = [whole, if field.is_line() { [0.0; 2] } else { whole }];
    let (mut open, mut found) = (vec![patch(field, sides, above, None)], Vec::new());
    for _ in 0..most_boxes(field) {
        let Some(next) = most_urgent(&mut open, |patch| patch.urgency) else { break };
        for half in halves(next.sides, next.axis) {
            let half = patch(field, half, above, next.surprised);
            if half.urgency > 0.0 {
                open.push(half);
            } else if half.is_narrow(field.is_line()) {
                found.push(half.sides);
            }
        }
    }
    let mut regions = joined(found);
    regions.retain(|region| region.sides.iter().all(|side| width(*side) <= LONGEST));
    regions.sort_by_key(|region| std::cmp::Reverse(region.boxes));
    regions.truncate(MOST_REGIONS);
    regions.iter().map(|region| seed(field, region.sides)).collect()
}

impl Patch {
    /// Whether the log density varies in it, and it is much smaller than a box that surprised.
    fn is_narrow(&self, is_line: bool) -> bool {
        let axes = if is_line { 1 } else { 2 };
        let is_small = |surprised: [f64; 2], axis: usize| {
            let size = width(self.sides[axis]);
            size <= SMALL && SMALLER * size <= surprised[axis]
        };
        self.shown > VARIES && self.surprised.is_some_and(|from| (0..axes).any(|axis| is_small(from, axis)))
    }
}

/// A box with what bounds say about it.
fn patch(field: &Field<'_>, sides: [[f64; 2]; 2], above: f64, surprised: Option<[f64; 2]>) -> Patch {
    let size = sides.map(width);
    let area = if field.is_line() { size[0] } else { size[0] * size[1] };
    let mass = area * field.bound(sides[0], sides[1], LEAST_MASS / area);
    let mut found = Patch { sides, urgency: 0.0, shown: 0.0, axis: 0, surprised };
    if mass <= LEAST_MASS {
        return found;
    }
    let z =
        [0, 1].map(|axis| sides[axis].map(|t| if size[axis] > 0.0 { field.z(axis, t) } else { field.centre[axis] }));
    let at = |x: f64, y: f64| Point::new(z[0][0] + x * width(z[0]), z[1][0] + y * width(z[1]));
    let ends = [at(0.0, 0.0), at(1.0, 1.0)].map(|z| super::near(field.coordinates.to_theta(z)));
    let theta = [0, 1].map(|axis| [ends[0][axis], ends[1][axis]]);
    let slopes = field.density.density.gradient_bounds(theta[0], theta[1]);
    let varies = [0, 1].map(|axis| {
        let most = width(theta[axis]) * slopes[axis][0].abs().max(slopes[axis][1].abs());
        if size[axis] > 0.0 { if most.is_nan() { f64::INFINITY } else { most } } else { 0.0 }
    });
    let points: Vec<Point> = SHARES.iter().flat_map(|x| SHARES.map(|y| at(*x, y))).collect();
    let heights = field.heights(&points);
    let finite = || heights.iter().filter(|height| height.is_finite());
    let (least, most) = finite()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), height| (least.min(*height), most.max(*height)));
    found.shown = (most - least).max(0.0);
    let is_above = field.highest(sides[0], sides[1]) > above;
    let ratio = if is_above { f64::INFINITY } else { (varies[0] + varies[1]) / (found.shown + VARIES) };
    let is_last = size.iter().all(|size| *size <= SMALLEST);
    if ratio <= SURPRISE || is_last {
        return found;
    }
    found.axis = usize::from([varies[1], size[1]] > [varies[0], size[0]]);
    found.surprised = surprised.or(Some(size));
    found.urgency = mass.min(1e6) * ratio.min(100.0);
    found
}

/// Boxes that touch one another.
#[derive(Clone, Copy, Debug)]
struct NarrowRegion {
    boxes: usize,
    /// The sides of all of them.
    sides: [[f64; 2]; 2],
}

impl NarrowRegion {
    /// Whether the gap between both is less than half a side of the smaller one.
    fn touches(&self, other: &Self) -> bool {
        (0..2).all(|axis| {
            let (one, other) = (self.sides[axis], other.sides[axis]);
            let slack = 0.5 * width(one).min(width(other));
            one[0] <= other[1] + slack && other[0] <= one[1] + slack
        })
    }

    fn join(self, other: Self) -> Self {
        let join = |axis: usize| {
            let (one, other) = (self.sides[axis], other.sides[axis]);
            [one[0].min(other[0]), one[1].max(other[1])]
        };
        Self { boxes: self.boxes + other.boxes, sides: [join(0), join(1)] }
    }
}

fn joined(boxes: Vec<[[f64; 2]; 2]>) -> Vec<NarrowRegion> {
    let mut regions: Vec<NarrowRegion> = Vec::new();
    for sides in boxes {
        let mut all = NarrowRegion { boxes: 1, sides };
        while let Some(index) = regions.iter().position(|region| region.touches(&all)) {
            all = all.join(regions.swap_remove(index));
        }
        regions.push(all);
    }
    regions
}

fn seed(field: &Field<'_>, sides: [[f64; 2]; 2]) -> Seed {
    let z = |axis: usize, t: f64| if axis == 1 && field.is_line() { 0.0 } else { field.z(axis, t) };
    let ends = |end: usize| Point::new(z(0, sides[0][end]), z(1, sides[1][end]));
    let (from, to) = (ends(0), ends(1));
    Seed { at: 0.5 * (from + to), width: 0.5 * (to - from) }
}

/// A point in a box where a function is below a level: points of boxes are tried, those with the least lower bounds first.
pub(super) fn below(of: &Evaluator, over: Bounds, level: f64, boxes: usize) -> Option<Point> {
    let bound = |sides: [[f64; 2]; 2]| (of.value_bounds(sides[0], sides[1])[0], sides);
    let mut open = vec![bound([[over.min.x, over.max.x], [over.min.y, over.max.y]])];
    for _ in 0..boxes {
        let (least, sides) = most_urgent(&mut open, |(least, _)| -*least)?;
        if least >= level {
            return None;
        }
        let middle = Point::new(0.5 * (sides[0][0] + sides[0][1]), 0.5 * (sides[1][0] + sides[1][1]));
        if of.value(middle.x, middle.y) < level {
            return Some(middle);
        }
        open.extend(halves(sides, usize::from(width(sides[1]) > width(sides[0]))).map(bound));
    }
    None
}

/// Points that may be higher than everything around the centre, in w: in the middle of boxes whose upper bounds are, the highest first, which
/// are cut until a middle is higher or they are tiny. What is far higher than the centre, and narrow, leaves the bounds of everything else
/// without use.
pub(super) fn higher(field: &Field<'_>) -> Vec<Point> {
    let whole = [-REACH, REACH];
    let is_line = field.is_line();
    let bound = |sides: [[f64; 2]; 2]| (field.highest(sides[0], sides[1]), sides);
    let mut open = vec![bound([whole, if is_line { [0.0; 2] } else { whole }])];
    let mut found = Vec::new();
    for _ in 0..most_boxes(field) {
        let Some((height, sides)) = most_urgent(&mut open, |(height, _)| *height) else { break };
        if height <= HIGHER || found.len() == MOST_REGIONS {
            break;
        }
        let z = |axis: usize| field.z(axis, 0.5 * (sides[axis][0] + sides[axis][1]));
        let middle = Point::new(z(0), if is_line { 0.0 } else { z(1) });
        if field.heights(&[middle])[0] > HIGHER {
            return vec![middle];
        }
        if sides.iter().all(|side| width(*side) <= TINY) {
            found.push(middle);
            continue;
        }
        open.extend(halves(sides, usize::from(width(sides[1]) > width(sides[0]))).map(bound));
    }
    found
}

/// Boxes at most, fewer of a long formula.
fn most_boxes(field: &Field<'_>) -> usize {
    MOST_BOXES * SHORT / field.density.density.instructions()[1].max(SHORT)
}

fn most_urgent<T>(open: &mut Vec<T>, urgency: impl Fn(&T) -> f64) -> Option<T> {
    let largest = (0..open.len()).max_by(|one, other| urgency(&open[*one]).total_cmp(&urgency(&open[*other])))?;
    Some(open.swap_remove(largest))
}

fn halves(sides: [[f64; 2]; 2], axis: usize) -> [[[f64; 2]; 2]; 2] {
    let middle = 0.5 * (sides[axis][0] + sides[axis][1]);
    let (mut low, mut high) = (sides, sides);
    low[axis][1] = middle;
    high[axis][0] = middle;
    [low, high]
}

fn width([from, to]: [f64; 2]) -> f64 {
    to - from
}

//! High points of a written density: where they are, and which of them are isolated modes.
//!
//! The highest points of grids of several sizes around 0 are starts of Newton's method, and of searches for tips where the density has
//! kinks (`shapes.rs`).

use super::Written;
use super::integral::Seed;
use super::search::{climbed, is_near};
use super::shapes::{BACK, DROP, centred, is_level, isolated, shape, tips, widths};
use crate::targets::kit::modes::{self, Surface};
use crate::targets::kit::quadrature::{DEPTH, SPACING};
use crate::targets::kit::transforms::TransformedSurface;
use base::math::{Matrix, Point};

/// Half the widths of the grids; the starts of the second list come after those of the first.
pub(super) const REACHES: [&[f64]; 2] = [
    &[1.0, 4.0, 16.0, 64.0, 256.0],
    &[0.25, 0.0625, 0.015_625, 0.001, 1024.0, 4096.0, 16_384.0, 65_536.0, 1_048_576.0],
];

/// Points along a side of a grid.
pub(super) const SIDE: u32 = 128;

/// Shift of the grids in cells, so that their points are not on lines of symmetry.
const SHIFT: f64 = 0.037;

/// Starts of Newton's method at most, of each list.
const MOST_STARTS: [usize; 2] = [400, 100];

/// Starts at most of searches for tips.
const MOST_CLIMBS: usize = 60;

/// So many of them may end on ridges.
const MOST_OUTSIDE: usize = 8;

/// Lines at most of which triangles are made.
const MOST_LINES: usize = 16;

/// Modes at most.
const MOST_MODES: usize = 200;

/// So many widths away, and so many times farther, a ridge that is as high as at its highest point has no end.
const FAR: f64 = 1e5;
const FARTHER: [f64; 3] = [1.0, 1e4, 1e8];

/// Depth below the highest point to which points of a ridge are relevant.
const RELEVANT: f64 = 15.0;

/// Points of a narrow region along half a side.
const GRAINS: i32 = 4;

/// The least width on the line, as a share of the distance from 0: nearer to a pole there are hardly any numbers.
const NARROWEST: f64 = 1e-9;

/// Points of ridges at most.
const MOST_OF_RIDGES: usize = 24;

/// High points of the density of z.
#[derive(Clone, Debug, Default)]
pub(super) struct Peaks {
    /// Isolated maxima, in ascending order.
    pub(super) modes: Vec<Point>,
    /// Points of ridges, with and without derivatives.
    pub(super) others: Vec<Point>,
    /// Narrow regions, which may be low.
    pub(super) narrow: Vec<Seed>,
}

/// Local maxima of grids in z, the highest first; where the density is 0 on all of them, the middles of triangles of these lines
/// a x + b y + c = 0, of which one may be all of its support.
pub(super) fn starts(bare: &Written, surface: &TransformedSurface, lines: &[[f64; 3]]) -> Vec<Point> {
    let mut all = Vec::new();
    for (reaches, most) in REACHES.into_iter().zip(MOST_STARTS) {
        let mut found: Vec<(f64, Point)> = reaches.iter().flat_map(|reach| on_grid(bare, surface, *reach)).collect();
        found.sort_by(|first, second| second.0.total_cmp(&first.0));
        found.truncate(most);
        all.extend(found.into_iter().map(|(_, point)| point));
    }
    if all.is_empty() && bare.info.dimension == 2 {
        let middles = middles(&lines[..lines.len().min(MOST_LINES)]).into_iter();
        all.extend(
            middles.map(|at| surface.coordinates.from_theta(at)).filter(|z| surface.log_density(*z).is_finite()),
        );
        all.sort_by(|first, second| surface.log_density(*second).total_cmp(&surface.log_density(*first)));
    }
    all
}

/// The middles of the triangles between lines.
fn middles(lines: &[[f64; 3]]) -> Vec<Point> {
    let corner =
        |&[a, b, c]: &[f64; 3], &[d, e, f]: &[f64; 3]| Point::new(b * f - e * c, c * d - f * a) / (a * e - b * d);
    let mut all = Vec::new();
    for (index, one) in lines.iter().enumerate() {
        for (next, other) in lines.iter().enumerate().skip(index + 1) {
            for third in &lines[next + 1..] {
                let middle = (corner(one, other) + corner(other, third) + corner(third, one)) / 3.0;
                all.extend(middle.iter().all(|coordinate| coordinate.is_finite()).then_some(middle));
            }
        }
    }
    all
}

/// Local maxima of a grid around 0, with their heights.
fn on_grid(bare: &Written, surface: &TransformedSurface, reach: f64) -> Vec<(f64, Point)> {
    let points: Vec<Point> = grid(bare.info.dimension, SIDE).map(|share| share * reach).collect();
    let heights = bare.heights(&surface.coordinates, &points);
    tops(&heights, SIDE).map(|index| (heights[index], points[index])).collect()
}

/// Points of a grid with half the width 1 and so many points along a side, row by row; on the line there is one row.
pub(super) fn grid(dimension: usize, side: u32) -> impl Iterator<Item = Point> {
    let coordinate = move |index: u32| 2.0 * (f64::from(index) + 0.5 + SHIFT) / f64::from(side) - 1.0;
    let at =
        move |row: u32, column: u32| Point::new(coordinate(column), if dimension == 1 { 0.0 } else { coordinate(row) });
    (0..if dimension == 1 { 1 } else { side }).flat_map(move |row| (0..side).map(move |column| at(row, column)))
}

/// Indices of the heights of such a grid that no neighbour exceeds.
pub(super) fn tops(heights: &[f64], side: u32) -> impl Iterator<Item = usize> {
    let side = side as usize;
    let rows = heights.len() / side;
    let is_top = move |index: &usize| {
        let (row, column, height) = (index / side, index % side, heights[*index]);
        let rows = row.saturating_sub(1)..=(row + 1).min(rows - 1);
        let columns = column.saturating_sub(1)..=(column + 1).min(side - 1);
        height.is_finite()
            && rows.into_iter().all(|row| columns.clone().all(|column| heights[row * side + column] <= height))
    };
    (0..heights.len()).filter(is_top)
}

/// Modes to which searches along ridges lead. Where a ridge has none, searches end anywhere.
fn on_bent_ridges(surface: &TransformedSurface, dimension: usize, starts: &[Point]) -> Vec<Point> {
    if dimension == 1 {
        return Vec::new();
    }
    let (mut found, mut others) = (Vec::new(), 0);
    for peak in modes::peaks_along_ridges(surface, dimension, starts) {
        match isolated(surface, dimension, peak) {
            Some(mode) => found.push(mode),
            None => others += 1,
        }
        if others == MOST_OF_RIDGES {
            break;
        }
    }
    found
}

/// Tips besides these peaks: where searches without derivatives lead from starts that lead Newton's method nowhere.
fn tips_besides(surface: &TransformedSurface, dimension: usize, starts: &[Point], found: &[Point]) -> Vec<Point> {
    let (mut tips, mut others): (Vec<Point>, usize) = (Vec::new(), 0);
    for start in starts.iter().take(MOST_CLIMBS) {
        if !modes::peaks(surface, dimension, &[*start]).is_empty() {
            continue;
        }
        let Some((at, _)) = climbed(surface, dimension, *start) else { continue };
        let at = centred(surface, dimension, at);
        let width = widths(surface, dimension, at, Matrix::identity());
        let is_same = |other: &Point| (other - at).component_div(&width).amax() < BACK || is_level(surface, *other, at);
        if found.iter().chain(&tips).any(is_same) {
            continue;
        }
        match isolated(surface, dimension, at) {
            Some(tip) => tips.push(tip),
            None => others += 1,
        }
        if others == MOST_OUTSIDE {
            break;
        }
    }
    tips
}

impl Peaks {
    /// Those that searches from these starts find.
    pub(super) fn find(surface: &TransformedSurface, dimension: usize, starts: &[Point]) -> Option<Self> {
        let mut found = modes::peaks(surface, dimension, starts);
        found.extend(on_bent_ridges(surface, dimension, starts));
        found.retain(|peak| is_near(surface, *peak));
        let height = |at: &Point| surface.log_density(*at);
        found.sort_by(|first, second| height(second).total_cmp(&height(first)));
        let smooth = found.first().map_or(f64::NEG_INFINITY, height);
        // Newton's method does not find a tip.
        let tip = starts.first().and_then(|start| climbed(surface, dimension, *start));
        let highest = match tip.filter(|(_, top)| *top > smooth + DROP) {
            Some((_, top)) => {
                found.splice(0..0, tips(surface, dimension, &starts[..starts.len().min(MOST_CLIMBS)]));
                top
            }
            None => smooth,
        };
        if !found.is_empty() {
            found.extend(tips_besides(surface, dimension, starts, &found));
        }
        found.retain(|peak| height(peak) > highest - DEPTH);
        found.truncate(MOST_MODES);
        let mut peaks = Self::default();
        for peak in found {
            let is_known = |modes: &[Point], at: Point| modes.iter().any(|mode| is_level(surface, *mode, at));
            if is_known(&peaks.modes, peak) {
                continue;
            }
            // Along a bent ridge a straight search ends before the top.
            let beyond = || modes::peaks_along_ridges(surface, dimension, &[peak]).first().copied();
            let of_ridge = || beyond().filter(|_| dimension == 2).and_then(|top| isolated(surface, dimension, top));
            match isolated(surface, dimension, peak).or_else(of_ridge) {
                Some(mode) if is_known(&peaks.modes, mode) => {}
                Some(mode) => peaks.modes.push(mode),
                None if peaks.others.len() < MOST_OF_RIDGES => peaks.others.push(centred(surface, dimension, peak)),
                None => {}
            }
        }
        peaks.modes.sort_by(|first, second| first.x.total_cmp(&second.x).then(first.y.total_cmp(&second.y)));
        (!peaks.modes.is_empty() || !peaks.others.is_empty()).then_some(peaks)
    }

    /// All of them.
    pub(super) fn all(&self) -> impl Iterator<Item = Point> + '_ {
        self.modes.iter().chain(&self.others).copied()
    }

    /// The highest.
    pub(super) fn highest(&self, surface: &TransformedSurface) -> Point {
        let height = |at: &Point| surface.log_density(*at);
        self.all().max_by(|a, b| height(a).total_cmp(&height(b))).unwrap_or_else(Point::zeros)
    }

    /// Whether the highest is on a straight ridge that is as high far away on both sides.
    pub(super) fn is_on_endless_ridge(&self, surface: &TransformedSurface, dimension: usize) -> bool {
        let highest = self.highest(surface);
        let eigen = modes::precision(surface, dimension, highest).symmetric_eigen();
        let steepest = eigen.eigenvalues.max();
        if dimension == 1 || steepest.is_nan() || steepest <= 0.0 {
            return false;
        }
        let along = eigen.eigenvectors.column(eigen.eigenvalues.imin())
            * (FAR * widths(surface, dimension, highest, Matrix::identity()).min());
        let least = surface.log_density(highest) - 1.0;
        let points = FARTHER.map(|times| along * times).map(|away| [highest + away, highest - away]);
        points.iter().flatten().all(|at| surface.log_density(*at) > least)
    }

    /// With those that are found from more starts.
    pub(super) fn extend(&mut self, surface: &TransformedSurface, dimension: usize, starts: Vec<Point>) {
        self.extend_by(surface, dimension, starts, MOST_OF_RIDGES);
    }

    /// The same with so many points of ridges at most.
    fn extend_by(&mut self, surface: &TransformedSurface, dimension: usize, mut starts: Vec<Point>, ridges: usize) {
        starts.sort_by(|a, b| surface.log_density(*b).total_cmp(&surface.log_density(*a)));
        let Some(more) = Self::find(surface, dimension, &starts) else { return };
        let highest = surface.log_density(self.highest(surface)).max(surface.log_density(more.highest(surface)));
        let (known, tops): (Vec<Point>, Vec<Point>) = (self.all().collect(), self.modes.clone());
        let is_new = |at: &Point| {
            let width = widths(surface, dimension, *at, Matrix::identity());
            let away = |other: &Point| (other - at).component_div(&width).amax();
            surface.log_density(*at) > highest - DEPTH
                && known.iter().all(|other| away(other) > BACK)
                && !tops.iter().any(|top| is_level(surface, *top, *at))
        };
        self.modes.extend(more.modes.into_iter().filter(&is_new));
        let spare = ridges.saturating_sub(self.others.len());
        self.others.extend(more.others.into_iter().filter(&is_new).take(spare));
        self.modes.sort_by(|first, second| first.x.total_cmp(&second.x).then(first.y.total_cmp(&second.y)));
        self.modes.truncate(MOST_MODES);
    }

    /// With narrow regions, and the peaks there.
    pub(super) fn add_narrow(&mut self, surface: &TransformedSurface, dimension: usize, regions: Vec<Seed>) {
        let highest = |seed: &Seed| {
            let shares = || (-GRAINS..=GRAINS).map(|index| f64::from(index) / f64::from(GRAINS));
            let aside = |share: (f64, f64)| seed.at + Point::new(share.0, share.1).component_mul(&seed.width);
            let all = shares().flat_map(|x| shares().map(move |y| aside((x, y))));
            all.max_by(|a, b| surface.log_density(*a).total_cmp(&surface.log_density(*b)))
        };
        // The rim of a dip is no ridge.
        self.extend_by(surface, dimension, regions.iter().filter_map(highest).collect(), 0);
        self.narrow.extend(regions);
    }

    /// All of them with widths along turned axes, in these, the highest first, then narrow regions.
    pub(super) fn seeds(&self, surface: &TransformedSurface, dimension: usize, turn: Matrix) -> Vec<Seed> {
        let mut all: Vec<Point> = self.all().collect();
        all.sort_by(|a, b| surface.log_density(*b).total_cmp(&surface.log_density(*a)));
        let back = turn.try_inverse().unwrap_or_else(Matrix::identity);
        let least = |at: Point| if dimension == 1 { at.abs() * NARROWEST } else { Point::zeros() };
        let seed = |at: Point| Seed { at: back * at, width: widths(surface, dimension, at, turn).sup(&least(at)) };
        let turned = |seed: &Seed| Seed { at: back * seed.at, width: back.abs() * seed.width };
        all.into_iter().map(seed).chain(self.narrow.iter().map(turned)).collect()
    }

    /// The first spacing of a lattice; `None` if there is no second derivative to begin with.
    pub(super) fn spacing(&self, surface: &TransformedSurface, dimension: usize) -> Option<Point> {
        if self.modes.is_empty() {
            let peak = self.highest(surface);
            let largest = modes::precision(surface, dimension, peak).symmetric_eigenvalues().max();
            return (largest > 0.0 && largest < f64::MAX).then(|| Point::repeat(SPACING / largest.sqrt()));
        }
        let mut spacing = Point::repeat(f64::INFINITY);
        for peak in &self.modes {
            let precision = shape(surface, dimension, *peak);
            let coupling = precision.m12 / (precision.m11 * precision.m22).sqrt();
            let narrowest = 1.0 + coupling.abs();
            spacing = spacing.inf(&precision.diagonal().map(|curvature| SPACING / (curvature * narrowest).sqrt()));
        }
        Some(spacing)
    }

    /// Whether there are points of ridges that matter.
    pub(super) fn has_ridges(&self, surface: &TransformedSurface) -> bool {
        let least = surface.log_density(self.highest(surface)) - RELEVANT;
        self.others.iter().any(|at| surface.log_density(*at) > least)
    }
}

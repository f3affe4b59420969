//! What a written density is like: its modes, its normaliser and its moments, or why it has none.
//!
//! Highest points of grids of several sizes around 0 are starts of Newton's method; a ridge along which it ends is no
//! isolated mode, and neither is the tip of a density that has no second derivatives there. From these points a lattice is
//! surveyed (`quadrature.rs`), in coordinates without boundary; where that has too few nodes, cells of different sizes are
//! (`cubature.rs`). Modes narrower than a cell of the grid that is fine where
//! they are may be missed: the finest has 128 × 128 points on [−1, 1]², each larger one is four times as wide.

use std::sync::Arc;

use super::Written;
use super::cubature::{Cubature, Failure, Integrals};
use super::search::{AXES, climbed, failed, pole, reason};
use crate::math::kernels::exp;
use crate::math::{Bounds, Matrix, Point};
use crate::params::ParamError;
use crate::targets::basins;
use crate::targets::cells::{CellSampler, slack};
use crate::targets::coordinates::{TransformedSurface, open_surface};
use crate::targets::modes::{self, Surface};
use crate::targets::nodes::Bare;
use crate::targets::quadrature::{Care, DEPTH, Lattice, SPACING};
use crate::targets::{Coordinates, Mode, Target, TargetInfo};

/// Where the integrals over a lattice do not agree to so much, cells are taken. The arms of a banana are followed to a share of e⁻⁴⁰.
const CARE: Care = Care { agreement: 1e-9, depth: 100.0 };

/// Half the widths of the grids.
const REACHES: [f64; 5] = [1.0, 4.0, 16.0, 64.0, 256.0];

/// Points along a side of a grid.
const SIDE: u32 = 128;

/// Shift of the grids in cells, so that their points are not on lines of symmetry.
const SHIFT: f64 = 0.037;

/// Starts of Newton's method at most.
const MOST_STARTS: usize = 400;

/// Modes at most.
const MOST_MODES: usize = 200;

/// A point is on a ridge if its smallest curvature is below this share of the largest.
const FLAT: f64 = 1e-9;

/// Where the log density is not [`DEPTH`] below its highest value so many widths away, no lattice has enough nodes, and the tails
/// are too heavy for a variance: they fall more slowly than x^−3.5.
const FAR: f64 = 1e5;

/// The drop of the log density that says how wide a tip is.
const DROP: f64 = 0.5;

/// Heights of the view of a density on the line, in heights of its highest point.
const HEADROOM: f64 = 1.15;

/// Everything about the density, and exact draws if there are any.
pub(super) fn survey(bare: &Written) -> Result<(TargetInfo, Option<CellSampler>), ParamError> {
    let surface = open_surface(Arc::new(bare.clone()));
    let dimension = bare.info.dimension;
    let starts = starts(bare, &surface);
    let Some(&highest_start) = starts.first() else {
        return Err(failed("the density is 0 at every point that was tried", "a formula with values near 0"));
    };
    let peaks = Peaks::find(&surface, dimension, &starts)
        .or_else(|| Peaks::tip(&surface, dimension, highest_start))
        .ok_or_else(|| {
            let problem = "the density has no highest point: it grows, or stays the same, as far as it was followed";
            failed(problem, "a density that falls in every direction, or a support with bounds")
        })?;
    let survey = peaks
        .survey(bare, &surface)
        .map_err(|failure| reason(failure, dimension, pole(&surface, dimension, highest_start)))?;
    let (mean, covariance) = survey.moments(&surface.coordinates);
    let mut view = survey.view(&surface.coordinates);
    if dimension == 1 {
        let (step, highest) = ((view.max.x - view.min.x) / f64::from(SIDE * SIDE), peaks.highest(&surface));
        let places = (0..=SIDE * SIDE).map(|index| view.min.x + step * f64::from(index));
        let heights = places.map(|x| bare.log_density(Point::new(x, 0.0)));
        let highest = heights.fold(bare.log_density(surface.coordinates.to_theta(highest)), f64::max);
        (view.min.y, view.max.y) = (0.0, HEADROOM * exp(highest - survey.log_normaliser()));
    }
    let info = TargetInfo {
        view,
        modes: peaks.modes(bare, &surface, &survey),
        log_normaliser: survey.log_normaliser(),
        mean,
        covariance,
        start: start(bare, &surface, &peaks),
        ..bare.info.clone()
    };
    Ok((info, survey.sampler(bare, &surface.coordinates)))
}

/// Local maxima of the grids in z, the highest first.
fn starts(bare: &Written, surface: &TransformedSurface) -> Vec<Point> {
    let line = bare.info.dimension == 1;
    let mut found: Vec<(f64, Point)> = Vec::new();
    for reach in REACHES {
        let place = |index: u32| reach * (2.0 * (f64::from(index) + 0.5 + SHIFT) / f64::from(SIDE) - 1.0);
        let rows = if line { 1 } else { SIDE };
        let at = |row: u32, column: u32| Point::new(place(column), if line { 0.0 } else { place(row) });
        let points: Vec<Point> = (0..rows).flat_map(|row| (0..SIDE).map(move |column| at(row, column))).collect();
        let heights = bare.heights(&surface.coordinates, &points);
        for (index, height) in (0..).zip(&heights) {
            let (row, column) = (index / SIDE, index % SIDE);
            let rows = row.saturating_sub(1)..=(row + 1).min(rows - 1);
            let mut around = rows.flat_map(|row| {
                (column.saturating_sub(1)..=(column + 1).min(SIDE - 1)).map(move |column| row * SIDE + column)
            });
            if height.is_finite() && around.all(|other| heights[other as usize] <= *height) {
                found.push((*height, points[index as usize]));
            }
        }
    }
    found.sort_by(|first, second| second.0.total_cmp(&first.0));
    found.truncate(MOST_STARTS);
    found.into_iter().map(|(_, point)| point).collect()
}

/// High points of the density of z.
#[derive(Debug)]
enum Peaks {
    /// Isolated modes.
    Modes(Vec<Point>),
    /// A point of a ridge, with the largest curvature there.
    Ridge(Point, f64),
    /// A highest point without second derivatives, with its width along each axis.
    Tip(Point, Point),
}

impl Peaks {
    /// Those that Newton's method finds, down to the depth of a survey.
    fn find(surface: &TransformedSurface, dimension: usize, starts: &[Point]) -> Option<Self> {
        let mut peaks = modes::peaks(surface, dimension, starts);
        peaks.sort_by(|first, second| surface.log_density(*second).total_cmp(&surface.log_density(*first)));
        let highest = *peaks.first()?;
        let curvatures = |peak: Point| modes::precision(surface, dimension, peak).symmetric_eigenvalues();
        let is_flat = |peak: Point| curvatures(peak).min() < FLAT * curvatures(peak).max();
        if is_flat(highest) {
            return Some(Self::Ridge(highest, curvatures(highest).max()));
        }
        let least = surface.log_density(highest) - DEPTH;
        peaks.retain(|peak| surface.log_density(*peak) > least && !is_flat(*peak));
        peaks.truncate(MOST_MODES);
        peaks.sort_by(|first, second| first.x.total_cmp(&second.x).then(first.y.total_cmp(&second.y)));
        Some(Self::Modes(peaks))
    }

    /// The highest point that a search along the axes reaches.
    fn tip(surface: &TransformedSurface, dimension: usize, start: Point) -> Option<Self> {
        let (at, height) = climbed(surface, dimension, start)?;
        let width = |axis: usize| {
            let drops = |width: f64| {
                let sides = [1.0, -1.0].map(|side| height - surface.log_density(at + AXES[axis] * (side * width)));
                sides[0].max(sides[1]) > DROP
            };
            (-40..40).map(|power| libm::exp2(f64::from(power))).find(|width| drops(*width))
        };
        let widths = Point::new(width(0)?, if dimension == 1 { 1.0 } else { width(1)? });
        Some(Self::Tip(at, widths))
    }

    /// All of them.
    fn places(&self) -> &[Point] {
        match self {
            Self::Modes(peaks) => peaks,
            Self::Ridge(peak, _) | Self::Tip(peak, _) => std::slice::from_ref(peak),
        }
    }

    /// The highest.
    fn highest(&self, surface: &TransformedSurface) -> Point {
        let height = |at: &Point| surface.log_density(*at);
        self.places().iter().copied().max_by(|a, b| height(a).total_cmp(&height(b))).unwrap_or_else(Point::zeros)
    }

    /// Widths at the highest point, along each axis in z.
    fn widths(&self, surface: &TransformedSurface, dimension: usize) -> Point {
        match self {
            Self::Modes(_) => {
                let covariance = modes::laplace_covariance(surface, dimension, self.highest(surface));
                covariance.map_or_else(|| Point::repeat(1.0), |covariance| covariance.diagonal().map(f64::sqrt))
            }
            Self::Ridge(_, curvature) => Point::repeat(curvature.sqrt().recip()),
            Self::Tip(_, widths) => *widths,
        }
    }

    fn survey(&self, bare: &Written, surface: &TransformedSurface) -> Result<Survey, Failure> {
        let dimension = bare.info.dimension;
        let (highest, widths) = (self.highest(surface), self.widths(surface, dimension));
        let top = surface.log_density(highest);
        let is_high = |at: Point| surface.log_density(at) > top - DEPTH;
        let heavy = [0, 1].map(|axis| {
            let away = AXES[axis] * (FAR * widths[axis]);
            axis < dimension && (is_high(highest + away) || is_high(highest - away))
        });
        if dimension == 2 && !matches!(self, Self::Modes(_)) {
            // A straight ridge that is as high far away on both sides has no end.
            let eigen = modes::precision(surface, dimension, highest).symmetric_eigen();
            let flat = eigen.eigenvectors.column(eigen.eigenvalues.imin()) * (FAR * widths.amax());
            if [highest + flat, highest - flat].iter().all(|at| surface.log_density(*at) > top - 1.0) {
                return Err(Failure::Improper);
            }
        }
        let lattice = match self {
            _ if heavy.contains(&true) => None,
            Self::Modes(peaks) => Some(Lattice::survey_to(CARE, surface, dimension, peaks)),
            Self::Ridge(peak, curvature) => {
                let spacing = Point::repeat(SPACING / curvature.sqrt());
                Some(Lattice::refined_to(CARE, surface, dimension, &[*peak], spacing))
            }
            Self::Tip(..) => None,
        };
        if let Some(lattice) = lattice.filter(|lattice| lattice.agrees_to(CARE.agreement)) {
            return Ok(Survey::Lattice(lattice));
        }
        let width = |peak: Point| {
            let covariance = modes::laplace_covariance(surface, dimension, peak);
            covariance.map_or(widths, |covariance| covariance.diagonal().map(f64::sqrt))
        };
        let seeds: Vec<(Point, Point)> = self.places().iter().map(|peak| (*peak, width(*peak))).collect();
        let cubature = Cubature {
            density: bare,
            coordinates: surface.coordinates,
            centre: highest,
            scale: widths,
            highest: top,
            heavy,
        };
        cubature.integrate(&seeds).map(Survey::Cells)
    }

    /// The modes in θ.
    fn modes(&self, bare: &Written, surface: &TransformedSurface, survey: &Survey) -> Vec<Mode> {
        let Self::Modes(peaks) = self else { return Vec::new() };
        let dimension = bare.info.dimension;
        let coordinates = surface.coordinates;
        if coordinates.is_identity() {
            let weights = survey.weights(bare, surface, peaks);
            return modes::laplace_modes(surface, dimension, peaks, &weights);
        }
        let starts: Vec<Point> = peaks.iter().map(|peak| coordinates.to_theta(*peak)).collect();
        let plain = Bare(bare);
        let mut peaks = modes::peaks(&plain, dimension, &starts);
        peaks.retain(|peak| bare.info.support.contains(*peak));
        let weights = survey.weights(bare, surface, &peaks);
        modes::laplace_modes(&plain, dimension, &peaks, &weights)
    }
}

/// What quadrature found.
#[derive(Debug)]
enum Survey {
    /// A smooth density on a lattice.
    Lattice(Lattice),
    /// Another one in cells of different sizes.
    Cells(Integrals),
}

impl Survey {
    /// Exact draws from a smooth density without boundary. A bound of the curvatures over a cell, with which rejection is
    /// exact, comes from bounds of the second derivatives (Gershgorin); far out a bound of the log density itself is lower.
    fn sampler(&self, bare: &Written, coordinates: &Coordinates) -> Option<CellSampler> {
        let Self::Lattice(lattice) = self else { return None };
        if !coordinates.is_identity() {
            return None;
        }
        let size = lattice.cell_size();
        CellSampler::new(lattice, |cell| {
            let [from, to] = [cell.corner, cell.corner + size];
            let [xx, xy, yy] = bare.density.hessian_bounds([from.x, to.x], [from.y, to.y]);
            let cross = xy[0].abs().max(xy[1].abs());
            let curvature = Point::new(cross - xx[0], cross - yy[0]).sup(&Point::zeros());
            let above = bare.density.value_bounds([from.x, to.x], [from.y, to.y])[1] - cell.highest;
            slack(curvature, size).min(above)
        })
    }

    fn log_normaliser(&self) -> f64 {
        match self {
            Self::Lattice(lattice) => lattice.log_normaliser(),
            Self::Cells(integrals) => integrals.log_normaliser,
        }
    }

    /// Mean and covariance of θ.
    fn moments(&self, coordinates: &Coordinates) -> (Point, Matrix) {
        let lattice = match self {
            Self::Lattice(lattice) if coordinates.is_identity() => return lattice.moments(),
            Self::Lattice(lattice) => lattice,
            Self::Cells(integrals) => return (integrals.mean, integrals.covariance),
        };
        let total: f64 = lattice.masses().map(|(_, mass)| mass).sum();
        let mean = lattice.masses().map(|(z, mass)| coordinates.to_theta(z) * mass).sum::<Point>() / total;
        let square = |(z, mass): (Point, f64)| {
            let deviation = coordinates.to_theta(z) - mean;
            deviation * deviation.transpose() * mass
        };
        (mean, lattice.masses().map(square).sum::<Matrix>() / total)
    }

    fn view(&self, coordinates: &Coordinates) -> Bounds {
        match self {
            Self::Lattice(lattice) => {
                let Bounds { min, max } = lattice.view();
                Bounds { min: coordinates.to_theta(min), max: coordinates.to_theta(max) }
            }
            Self::Cells(integrals) => integrals.view,
        }
    }

    /// The probabilities of the basins of modes.
    fn weights(&self, bare: &Written, surface: &TransformedSurface, peaks: &[Point]) -> Vec<f64> {
        match self {
            Self::Lattice(lattice) => lattice.basin_weights_of_theta(&surface.coordinates, bare, peaks),
            Self::Cells(integrals) => {
                let highest = peaks.iter().map(|peak| bare.log_density(*peak)).fold(f64::NEG_INFINITY, f64::max);
                basins::shares(peaks, &integrals.blocks, |at| exp(bare.log_density(at) - highest))
            }
        }
    }
}

/// Where chains start: a standard deviation of the highest mode beside it, or on the ridge.
fn start(bare: &Written, surface: &TransformedSurface, peaks: &Peaks) -> Point {
    let highest = peaks.highest(surface);
    let Peaks::Modes(_) = peaks else { return surface.coordinates.to_theta(highest) };
    let width = peaks.widths(surface, bare.info.dimension);
    let beside = Point::new(width.x, if bare.info.dimension == 1 { 0.0 } else { 0.5 * width.y });
    let places = [highest + beside, highest - beside, highest].map(|z| surface.coordinates.to_theta(z));
    let usable =
        |at: &Point| bare.log_density(*at).is_finite() && bare.gradient(*at).iter().all(|slope| slope.is_finite());
    places.into_iter().find(usable).unwrap_or(places[2])
}

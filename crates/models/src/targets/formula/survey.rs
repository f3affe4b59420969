//! What a written density is like: its modes, its normaliser and its moments, or why it has none.
//!
//! High points (`peaks.rs`) say where an integration begins (`integral.rs`). What the integration finds besides them is searched
//! for more, until nothing new comes up. It is done twice, along one axis of line integrals along the other and the other way round:
//! two rules with different nodes. Where the density is smooth a lattice (`quadrature.rs`), a third rule, has more digits and exact
//! draws; its result is taken if the others agree.
//!
//! The truth counts as known if both integrations agree and bounds over boxes leave no room for more mass.

use std::sync::Arc;

use super::Written;
use super::cells::Origin;
use super::field::Field;
use super::integral::Integrals;
use super::peaks::{Peaks, SIDE, starts};
use super::pieces::DensityIntegrals;
use super::search::{Failure, endless_end, failed, is_endless, is_pole, is_pole_of_theta, pole, reason};
use super::shapes::described;
use super::tails;
use super::tops;
use super::view::beside_the_mean;
use super::weights::{shares, without_zeros};
use crate::formula::Summands;
use crate::targets::kit::cell_sampler::{CellSampler, Slack};
use crate::targets::kit::modes::Surface;
use crate::targets::kit::poles::{self, BESIDE};
use crate::targets::kit::quadrature::{Care, Lattice};
use crate::targets::kit::transforms::{TransformedSurface, open_surface, surface_in};
use crate::targets::{Coordinates, Density, Mode, TargetInfo};
use base::math::elementary::exp;
use base::math::{Bounds, Matrix, Point};
use base::params::ParamError;

/// A lattice is taken whose sum over all nodes and over every second one agree to so much. The arms of a banana are followed to
/// a share of e⁻¹⁰⁰.
const CARE: Care = Care { agreement: 1e-9, depth: 100.0 };

/// Nodes from which on a lattice is not tried: more than any has, since they are counted roughly.
const MOST_NODES: f64 = 2e5;

/// How far log normalisers of different rules may be apart.
pub(super) const AGREEMENT: f64 = 1e-6;

/// How far moments of different rules may be apart, in standard deviations and products of them.
const MOMENT_AGREEMENT: f64 = 1e-5;

/// The error on the line, and in the plane the difference of log normalisers, from which on a density with a pole has no integral.
const POLE_ERROR: f64 = 2e-2;

/// The share of a variance that a tail beyond the lattice has at least where the lattice is not taken for it.
const TAIL: f64 = 1e-6;

/// Drop of the log density from the highest mode, within which chains start.
const START_DEPTH: f64 = 3.0;

/// Heights of the view of a density on the line, in heights of its highest point.
const HEADROOM: f64 = 1.15;

/// What is wrong with a density that has no highest point.
pub(super) const NO_TOP: &str =
    "the density has no highest point: it grows, or stays the same, as far as it was followed";

/// Everything about the density, exact draws if there are any, and where integration begins.
pub(super) fn survey(
    bare: &Written,
    mut summands: Summands,
) -> Result<(TargetInfo, Option<CellSampler>, Origin), ParamError> {
    let surface = open_surface(Arc::new(bare.clone()));
    let dimension = bare.info.dimension;
    let lines: Vec<[f64; 3]> = (0..summands.count()).flat_map(|term| summands.lines(term)).collect();
    let starts = starts(bare, &surface, &lines);
    let Some(&highest_start) = starts.first() else {
        let allowed = "a formula with values near 0; where it gives a log density, the form of that name";
        return Err(failed("at every point that was tried the density is 0 or below", allowed));
    };
    let peaks = Peaks::find(&surface, dimension, &starts)
        .ok_or_else(|| failed(NO_TOP, "a density that falls in every direction, or a support with bounds"))?;
    if peaks.is_on_endless_ridge(&surface, dimension) {
        return Err(reason(Failure::Improper, dimension, None));
    }
    let highest = peaks.highest(&surface);
    let endless = |at: Point| is_endless(&surface, dimension, at).then(|| surface.coordinates.to_theta(at));
    if let Some(end) = endless(highest).or_else(|| endless_end(bare)) {
        return Err(reason(Failure::Uneven, dimension, Some(end)));
    }
    let survey = Survey::of(bare, &surface, peaks, &mut summands);
    if let Some(end) = endless(survey.peaks.highest(&surface)).filter(|_| dimension == 1) {
        return Err(reason(Failure::Uneven, dimension, Some(end)));
    }
    let known = survey.is_known();
    let failure = survey.failure();
    // Of a pole without an integral both orders find a different part.
    let off = if dimension == 1 { survey.integrals[0].error } else { survey.apart() };
    let is_finite = known || failure.is_none() && off <= POLE_ERROR;
    let pole = if is_finite { None } else { pole(&surface, dimension, highest_start) };
    if let Some(failure) = failure.or(pole.map(|_| Failure::Uneven)) {
        return Err(reason(failure, dimension, pole));
    }
    let (mean, covariance) = if known { survey.moments() } else { (Point::repeat(f64::NAN), Matrix::repeat(f64::NAN)) };
    let mut view = survey.view();
    if dimension == 1 {
        view.max.y = HEADROOM * survey.highest_on_the_line(view);
        view.min.y = 0.0;
    }
    let info = TargetInfo {
        view,
        modes: survey.modes(),
        log_normaliser: if known { survey.log_normaliser() } else { f64::NAN },
        mean,
        covariance,
        start: survey.start(),
        unknown: survey.unknown(&covariance),
        ..bare.info.clone()
    };
    Ok((info, survey.sampler().filter(|_| known), survey.origin()))
}

/// What was found out.
pub(super) struct Survey<'a> {
    pub(super) bare: &'a Written,
    surface: &'a TransformedSurface,
    peaks: Peaks,
    field: Field<'a>,
    /// With positions of lines along x, and along y; the same twice on the line.
    pub(super) integrals: [Integrals; 2],
    /// The box that they show.
    view: Bounds,
    /// Of a smooth density with which they agree.
    pub(super) lattice: Option<Lattice>,
}

impl<'a> Survey<'a> {
    fn of(bare: &'a Written, surface: &'a TransformedSurface, mut peaks: Peaks, summands: &mut Summands) -> Self {
        let dimension = bare.info.dimension;
        let whole = DensityIntegrals::of_all(bare, surface, summands, &mut peaks);
        let turn = Matrix::identity();
        let seeds = peaks.seeds(surface, dimension, turn);
        let (centre, scale) = seeds.first().map_or((Point::zeros(), Point::repeat(1.0)), |seed| (seed.at, seed.width));
        let top = surface.log_density(centre);
        let field = Field { density: bare, coordinates: surface.coordinates, turn, centre, scale, top };
        let DensityIntegrals { integrals, view } = whole;
        let mut survey = Self { bare, surface, peaks, field, integrals, view, lattice: None };
        survey.lattice = survey.confirmed_lattice();
        survey
    }

    /// A lattice that agrees with itself and with the integrals.
    fn confirmed_lattice(&self) -> Option<Lattice> {
        // Tails that ask for the far reach have more nodes than any lattice.
        if self.integrals.iter().any(|integrals| integrals.improper || integrals.is_far()) {
            return None;
        }
        let dimension = self.bare.info.dimension;
        if is_pole(self.surface, dimension, self.peaks.highest(self.surface)) {
            return None;
        }
        let spacing = self.peaks.spacing(self.surface, dimension)?;
        if dimension == 2 && self.field.area(CARE.depth) > MOST_NODES * spacing.x * spacing.y {
            return None;
        }
        let peaks: Vec<Point> =
            if self.peaks.modes.is_empty() { vec![self.peaks.highest(self.surface)] } else { self.peaks.modes.clone() };
        let lattice = Lattice::refined_to(CARE, self.surface, dimension, &peaks, spacing);
        let off = (lattice.log_normaliser() - self.integrals[0].log_normaliser).abs();
        (lattice.agrees_to(CARE.agreement) && off <= AGREEMENT).then_some(lattice)
    }

    fn origin(&self) -> Origin {
        let Field { centre, scale, top, .. } = self.field;
        let seeds = self.peaks.seeds(self.surface, self.bare.info.dimension, Matrix::identity());
        Origin { centre, scale, top, seeds, reach: self.integrals[0].reach }
    }

    /// Exact draws from a smooth density without boundary. A bound of the curvatures over a cell, with which rejection is
    /// exact, comes from bounds of the second derivatives (Gershgorin); far out a bound of the log density itself is lower.
    fn sampler(&self) -> Option<CellSampler> {
        let lattice = self.lattice.as_ref().filter(|_| self.coordinates().is_identity())?;
        let size = lattice.cell_size();
        let density = &self.bare.density;
        CellSampler::new(lattice, |cell| {
            let [from, to] = [cell.corner, cell.corner + size];
            let [xx, xy, yy] = density.hessian_bounds([from.x, to.x], [from.y, to.y]);
            let cross = xy[0].abs().max(xy[1].abs());
            let [falling, rising] = [Point::new(-xx[0], -yy[0]), Point::new(xx[1], yy[1])]
                .map(|diagonal| diagonal.add_scalar(cross).sup(&Point::zeros()));
            let above = density.value_bounds([from.x, to.x], [from.y, to.y])[1] - cell.highest();
            Slack::above(falling, size).and_below(rising, size).at_most(above)
        })
    }

    /// The highest density in a view of the line; beside a pole, that of a line as wide as one of the screen.
    fn highest_on_the_line(&self, view: Bounds) -> f64 {
        let highest = self.peaks.highest(self.surface);
        let has_pole = is_pole(self.surface, 1, highest) || is_pole_of_theta(self.bare, view);
        let count = if has_pole { SIDE } else { SIDE * SIDE };
        let step = (view.max.x - view.min.x) / f64::from(count);
        let first = if has_pole { 0.5 } else { 0.0 };
        let points = (0..=count).map(|index| view.min.x + step * (f64::from(index) + first));
        let heights = points.filter(|x| *x <= view.max.x).map(|x| self.bare.log_density(Point::new(x, 0.0)));
        let top = self.bare.log_density(self.coordinates().to_theta(highest));
        exp(heights.fold(if has_pole { f64::NEG_INFINITY } else { top }, f64::max) - self.log_normaliser())
    }

    fn coordinates(&self) -> Coordinates {
        self.surface.coordinates
    }

    fn log_normaliser(&self) -> f64 {
        self.lattice.as_ref().map_or(self.integrals[0].log_normaliser, Lattice::log_normaliser)
    }

    /// The mean and covariance of θ that exist.
    fn moments(&self) -> (Point, Matrix) {
        tails::moments(self.bare, self.highest(), self.all_moments())
    }

    /// The highest point in θ.
    pub(super) fn highest(&self) -> Point {
        self.coordinates().to_theta(self.peaks.highest(self.surface))
    }

    /// Mean and covariance of what quadrature sees: those of the lattice, which has more digits, if it is not without a tail.
    pub(super) fn all_moments(&self) -> (Point, Matrix) {
        let Some((mean, covariance)) = self.lattice.as_ref().map(|lattice| self.lattice_moments(lattice)) else {
            return self.agreed_moments();
        };
        let wider = &self.integrals[0].covariance;
        let lacks_tail = |axis: usize| wider[(axis, axis)] > covariance[(axis, axis)] * (1.0 + TAIL);
        if (0..self.bare.info.dimension).any(lacks_tail) { self.agreed_moments() } else { (mean, covariance) }
    }

    fn lattice_moments(&self, lattice: &Lattice) -> (Point, Matrix) {
        let coordinates = self.coordinates();
        if coordinates.is_identity() {
            return lattice.moments();
        }
        let total: f64 = lattice.masses().map(|(_, mass)| mass).sum();
        let mean = lattice.masses().map(|(z, mass)| coordinates.to_theta(z) * mass).sum::<Point>() / total;
        let square = |(z, mass): (Point, f64)| {
            let deviation = coordinates.to_theta(z) - mean;
            deviation * deviation.transpose() * mass
        };
        (mean, lattice.masses().map(square).sum::<Matrix>() / total)
    }

    /// The moments of the first order as far as the second agrees. Along a ridge that becomes ever narrower one of them may miss tails
    /// that the other one sees.
    fn agreed_moments(&self) -> (Point, Matrix) {
        let [first, second] = &self.integrals;
        let size = self.view.size();
        let unit = |axis: usize| {
            let sd = first.covariance[(axis, axis)].sqrt();
            if sd.is_nan() { size[axis] } else { sd }
        };
        let agreed = |one: f64, other: f64, unit: f64| {
            if (one - other).abs() <= MOMENT_AGREEMENT * unit { one } else { f64::NAN }
        };
        let entry = |row: usize, column: usize| {
            agreed(first.covariance[(row, column)], second.covariance[(row, column)], unit(row) * unit(column))
        };
        // Where tails are missed the mean is that of what is left.
        let is_missed = |axis: usize| entry(axis, axis).is_nan() && !first.covariance[(axis, axis)].is_nan();
        let mean = |axis: usize| {
            if is_missed(axis) { f64::NAN } else { agreed(first.mean[axis], second.mean[axis], unit(axis)) }
        };
        if self.bare.info.dimension == 1 {
            return (first.mean, first.covariance);
        }
        (Point::new(mean(0), mean(1)), Matrix::from_fn(entry))
    }

    fn view(&self) -> Bounds {
        let all = self.view;
        let Some(lattice) = &self.lattice else { return all };
        let Bounds { min, max } = lattice.view();
        let (min, max) = (self.coordinates().to_theta(min), self.coordinates().to_theta(max));
        // Where the highest mode is narrow, much may be less than e⁻¹⁰ times as high.
        let margin = 0.02 * (max - min);
        let is_whole = (0..self.bare.info.dimension)
            .all(|axis| all.min[axis] > min[axis] - margin[axis] && all.max[axis] < max[axis] + margin[axis]);
        if is_whole { Bounds { min, max } } else { Bounds { min: min.inf(&all.min), max: max.sup(&all.max) } }
    }

    /// The modes in θ; none if there is a ridge that matters.
    fn modes(&self) -> Vec<Mode> {
        let (bare, dimension) = (self.bare, self.bare.info.dimension);
        let of_theta = surface_in(Arc::new(bare.clone()), Coordinates::plain());
        let found = if self.coordinates().is_identity() {
            self.peaks.clone()
        } else {
            tops::in_theta(&of_theta, bare, &tops::starts(bare, [&of_theta, self.surface], &self.peaks, self.view))
        };
        if found.has_ridges(&of_theta) {
            return Vec::new();
        }
        let mut peaks = found.modes;
        // Searches end beside a pole, each of them elsewhere.
        let (poles, tops): (Vec<Point>, Vec<Point>) = peaks.iter().partition(|at| poles::is_pole(bare, **at));
        peaks = tops;
        for pole in poles {
            if peaks.iter().all(|at| (at - pole).amax() > BESIDE[0] * (1.0 + pole.amax())) {
                peaks.push(pole);
            }
        }
        let weights = match &self.lattice {
            Some(lattice) => lattice.basin_weights_of_theta(&self.coordinates(), bare, &peaks),
            None => {
                let seeds = self.peaks.seeds(self.surface, dimension, Matrix::identity());
                shares(&self.field, &seeds, self.integrals[0].reach, &peaks)
            }
        };
        let weights = without_zeros(&of_theta, dimension, self.log_normaliser(), &peaks, weights);
        described(&of_theta, dimension, &peaks, &weights)
    }

    /// Where chains start: a standard deviation of the highest mode beside it, or on the ridge; of a pole, from which no chain comes away,
    /// beside the mean.
    fn start(&self) -> Point {
        let highest = self.peaks.highest(self.surface);
        let to_theta = |z: Point| self.coordinates().to_theta(z);
        if is_pole(self.surface, self.bare.info.dimension, highest) || poles::is_pole(self.bare, self.highest()) {
            return beside_the_mean(self.bare, self.agreed_moments(), self.view).unwrap_or_else(|| self.highest());
        }
        if !self.peaks.modes.contains(&highest) {
            return to_theta(highest);
        }
        let dimension = self.bare.info.dimension;
        let modes = described(self.surface, dimension, &[highest], &[1.0]);
        let width = modes.first().map_or(self.field.scale, |mode| mode.covariance.diagonal().map(f64::sqrt));
        let beside = |width: Point| Point::new(width.x, if dimension == 1 { 0.0 } else { 0.5 * width.y });
        let least = self.surface.log_density(highest) - START_DEPTH;
        let usable = |z: &Point| {
            let at = to_theta(*z);
            self.surface.log_density(*z) > least && self.bare.gradient(at).iter().all(|slope| slope.is_finite())
        };
        let aside = [beside(width), beside(self.field.scale)].map(|aside| [highest + aside, highest - aside]);
        to_theta(aside.into_iter().flatten().find(usable).unwrap_or(highest))
    }
}

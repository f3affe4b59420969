//! Integrals of a density in two orders, of each term of a sum of exponentials by itself: what is alone has one centre, one width
//! and axes of its own. Integrals of sums are sums of integrals.

use std::sync::Arc;

use super::Written;
use super::field::Field;
use super::integral::{Integrals, MOST_ERROR, Seed, integrals};
use super::narrow::{higher, narrow_regions};
use super::peaks::{Peaks, starts};
use super::search::is_pole;
use super::survey::AGREEMENT;
use super::turn::turn;
use super::view::view;
use crate::formula::Summands;
use crate::targets::kit::modes::Surface;
use crate::targets::kit::transforms::{TransformedSurface, open_surface};
use base::math::elementary::{exp, ln};
use base::math::{Bounds, Matrix, Point};

/// Searches for more peaks at most.
const SEARCHES: usize = 4;

/// How much higher a new peak is if integration begins there again.
const HIGHER: f64 = 1.0;

/// The angle of axes that check those of an integration.
const ASLANT: f64 = 0.05;

/// The share of a term below which it does not widen the view.
const SEEN: f64 = 1e-4;

/// A density, or a term of one.
struct Term<'a> {
    density: &'a Written,
    surface: &'a TransformedSurface,
    /// Its number among the terms; none for a sum as a whole.
    number: Option<usize>,
}

impl Term<'_> {
    /// As a function of other coordinates w, with z = M w.
    fn turned(&self, summands: &mut Summands, turn: Matrix) -> Option<Written> {
        let map = [[turn.m11, turn.m12], [turn.m21, turn.m22]];
        let of_w = summands.turned(self.number.filter(|_| self.surface.coordinates.is_identity())?, map)?;
        Some(Written { density: of_w, ..self.density.clone() })
    }

    /// A third rule where bounds say nothing: along axes a little aslant. A narrow ridge that both orders lose between their nodes, and where
    /// the density is symmetric both in the same way, is lost elsewhere. Returns how far log Z is apart, if that is more than rules may be.
    fn doubt(&self, summands: &mut Summands, peaks: &Peaks, turn: Matrix, first: &Integrals) -> f64 {
        let (sin, cos) = (libm::sin(ASLANT), libm::cos(ASLANT));
        let turn = turn * Matrix::new(cos, -sin, sin, cos);
        let Some(density) = self.turned(summands, turn) else { return 0.0 };
        let seeds = peaks.seeds(self.surface, 2, turn);
        let Some(&Seed { at: centre, width: scale }) = seeds.first() else { return 0.0 };
        let top = self.surface.log_density(turn * centre);
        let field = Field { density: &density, coordinates: self.surface.coordinates, turn, centre, scale, top };
        let apart = (integrals(&field, &seeds, [0, 1]).log_normaliser - first.log_normaliser).abs();
        if apart <= AGREEMENT { 0.0 } else { apart }
    }
}

/// The integrals of a density, or of a term of one.
#[derive(Clone, Debug)]
pub(super) struct DensityIntegrals {
    /// With positions of lines along the first axis, and along the second; the same twice on the line.
    pub(super) integrals: [Integrals; 2],
    pub(super) view: Bounds,
}

impl DensityIntegrals {
    /// A term with these peaks, to which those that integration comes upon are added.
    fn of(term: &Term<'_>, summands: &mut Summands, peaks: &mut Peaks) -> Self {
        let Term { density, surface, number } = term;
        let dimension = density.info.dimension;
        let mut searches = SEARCHES;
        let none = Matrix::identity();
        let around = |peaks: &Peaks| {
            let &Seed { at: centre, width: scale } = peaks.seeds(surface, dimension, none).first()?;
            let top = surface.log_density(centre);
            Some(Field { density, coordinates: surface.coordinates, turn: none, centre, scale, top })
        };
        for _ in 0..SEARCHES {
            // Beside a pole everything is higher.
            let Some(field) = around(peaks).filter(|field| !is_pole(surface, dimension, field.centre)) else { break };
            peaks.extend(surface, dimension, higher(&field));
            if surface.log_density(peaks.highest(surface)) <= field.top + HIGHER {
                break;
            }
        }
        if let Some(field) = around(peaks) {
            let is_highest = !is_pole(surface, dimension, field.centre);
            peaks.add_narrow(surface, dimension, narrow_regions(&field, is_highest));
        }
        loop {
            let highest = peaks.seeds(surface, dimension, none).first().copied();
            let top = highest.map_or(0.0, |seed| surface.log_density(seed.at));
            let mut turn = match highest {
                Some(seed) if dimension == 2 && surface.coordinates.is_identity() => {
                    number.map_or(none, |number| turn(&summands.directions(number), density, seed.at, seed.width))
                }
                _ => none,
            };
            let turned = if turn == none { None } else { term.turned(summands, turn) };
            if turned.is_none() {
                turn = none;
            }
            let seeds = peaks.seeds(surface, dimension, turn);
            let (centre, scale) =
                seeds.first().map_or((Point::zeros(), Point::repeat(1.0)), |seed| (seed.at, seed.width));
            let has_pole = highest.is_some_and(|seed| is_pole(surface, dimension, seed.at));
            let density = turned.as_ref().unwrap_or(density);
            let field = Field { density, coordinates: surface.coordinates, turn, centre, scale, top };
            let mut first = integrals(&field, &seeds, [0, 1]);
            searches -= 1;
            peaks.extend(surface, dimension, first.tops.clone());
            if searches > 0 && !has_pole && surface.log_density(peaks.highest(surface)) > top + HIGHER {
                continue;
            }
            // What has no integral in one order needs no other.
            let is_enough = dimension == 1 || first.improper;
            let seeds = peaks.seeds(surface, dimension, turn);
            let second = if is_enough { first.clone() } else { integrals(&field, &seeds, [1, 0]) };
            first.error = first.error.max(second.error.min(second.cut));
            if dimension == 2 && first.hidden > MOST_ERROR && !first.improper && !has_pole {
                let doubt = term.doubt(summands, peaks, turn, &first);
                first.error = first.error.max(doubt);
            }
            let view = view([&first, &second]);
            return Self { integrals: [first, second], view };
        }
    }

    /// A density by its terms; as a whole if one of them has no highest point. Peaks that integration comes upon are added.
    pub(super) fn of_all(
        bare: &Written,
        surface: &TransformedSurface,
        summands: &mut Summands,
        peaks: &mut Peaks,
    ) -> Self {
        if summands.count() > 1
            && let Some((sum, narrow)) = Self::of_terms(bare, summands)
        {
            peaks.extend(surface, bare.info.dimension, sum.integrals[0].tops.clone());
            peaks.narrow.extend(narrow);
            return sum;
        }
        let whole = Term { density: bare, surface, number: (summands.count() == 1).then_some(0) };
        Self::of(&whole, summands, peaks)
    }

    /// With the narrow regions of all terms.
    fn of_terms(bare: &Written, summands: &mut Summands) -> Option<(Self, Vec<Seed>)> {
        let (mut pieces, mut narrow) = (Vec::with_capacity(summands.count()), Vec::new());
        for number in 0..summands.count() {
            let density = summands.turned(number, [[1.0, 0.0], [0.0, 1.0]])?;
            let term = Written { density, ..bare.clone() };
            let surface = open_surface(Arc::new(term.clone()));
            let starts = starts(&term, &surface, &summands.lines(number));
            let mut peaks = Peaks::find(&surface, term.info.dimension, &starts)?;
            pieces.push(Self::of(
                &Term { density: &term, surface: &surface, number: Some(number) },
                summands,
                &mut peaks,
            ));
            narrow.extend(peaks.narrow);
        }
        Some((Self::sum(&pieces)?, narrow))
    }

    /// The sum of all.
    fn sum(pieces: &[Self]) -> Option<Self> {
        if let [only] = pieces {
            return Some(only.clone());
        }
        let sum = |order: usize| {
            let all: Vec<&Integrals> = pieces.iter().map(|piece| &piece.integrals[order]).collect();
            Integrals::sum(&all)
        };
        let integrals = [sum(0)?, sum(1)?];
        let log_normaliser = integrals[0].log_normaliser;
        let is_seen = |piece: &&Self| exp(piece.integrals[0].log_normaliser - log_normaliser) > SEEN;
        let views = pieces.iter().filter(is_seen).map(|piece| piece.view);
        let view = views.reduce(|one, other| Bounds { min: one.min.inf(&other.min), max: one.max.sup(&other.max) })?;
        Some(Self { integrals, view })
    }
}

impl Integrals {
    /// Those of a sum of densities.
    fn sum(all: &[&Self]) -> Option<Self> {
        let highest = all.iter().map(|one| one.log_normaliser).fold(f64::NEG_INFINITY, f64::max);
        let log_normaliser = highest + ln(all.iter().map(|one| exp(one.log_normaliser - highest)).sum());
        let mut sum = Self { log_normaliser, ..(*all.first()?).clone() };
        (sum.mean, sum.covariance, sum.error, sum.hidden) = (Point::zeros(), Matrix::zeros(), 0.0, 0.0);
        let shares: Vec<f64> = all.iter().map(|one| exp(one.log_normaliser - log_normaliser)).collect();
        let parts = || all.iter().zip(&shares).filter(|(_, share)| **share > 0.0);
        for (one, share) in parts() {
            sum.mean += one.mean * *share;
            sum.error += one.error * share;
            sum.hidden += one.hidden * share;
        }
        for (one, share) in parts() {
            let away = one.mean - sum.mean;
            sum.covariance += (one.covariance + away * away.transpose()) * *share;
        }
        sum.improper = all.iter().any(|one| one.improper);
        sum.reach = all.iter().map(|one| one.reach).fold(0.0, f64::max);
        sum.tops = all.iter().flat_map(|one| one.tops.iter().copied()).collect();
        Some(sum)
    }
}

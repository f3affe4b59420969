//! The functions of a run: mean and spread over some of its draws, and some of them one by one.
//!
//! Single draws are picked by position, at most [`MOST`] of them, however many there are. While a run goes on they stay the
//! same until their stride doubles, so only new ones are evaluated; a frame takes in as many as take some milliseconds.

use std::sync::Arc;

use super::geometry::{FunctionMoments, places, values};
use crate::canvas::pointing::Pointed;
use crate::geometry::{Draw, DrawName, KeptVector, thinned, thinned_vectors, weights_of};
use crate::kit::background::Computing;
use crate::kit::epoch::Epoch;
use crate::kit::mesh_cache::MeshCache;
use base::math::Point;
use engine::session::{FitFrame, FitFunctions, Frame, RunFrame};
use models::targets::{Regression, Target, Vectors};
use samplers::methods::Predictive;

/// Draws behind mean and bands at most, about, and at least half as many of a long run. The standard error of a band is some
/// 4 % of it.
pub(super) const MOST: usize = 600;

/// Functions that are drawn one by one, about.
pub(super) const SHOWN: usize = 36;

/// Functions of vectors that a frame takes in, as weights times inputs: a few milliseconds' worth.
const IN_A_FRAME: usize = 400_000;

/// A function that is drawn, with its weights.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Single {
    pub(super) name: DrawName,
    /// Where its weights are in the plane.
    pub(super) point: Point,
    pub(super) values: Vec<f64>,
}

/// Draws of a fit that are taken in, some in each frame.
#[derive(Debug)]
struct Pass {
    fits: FitFrame,
    step: u64,
    /// The number of the next draw.
    next: usize,
    /// Draws behind the moments.
    taken: usize,
    moments: FunctionMoments,
    singles: Vec<Single>,
}

/// The functions of a run.
#[derive(Debug, Default)]
pub(super) struct Entry {
    epoch: Option<Epoch>,
    /// The inputs.
    pub(super) inputs: Vec<f64>,
    /// Chain and step of the draws that are taken in.
    seen: Vec<(usize, u64)>,
    /// The moments of vectors so far, which begin again when other draws are picked, and whether they have: then those before are
    /// shown until all draws are taken in.
    counted: FunctionMoments,
    again: bool,
    /// Whether draws are left for the next frames.
    pub(super) incomplete: bool,
    /// Draws behind the moments that are shown.
    behind: usize,
    /// The draws of a fit behind the moments.
    fit: Option<(Arc<Vec<Point>>, Predictive)>,
    /// The draws of a fit that are being taken in.
    pass: Option<Pass>,
    /// Whether the functions are linearised at the mean of their fit.
    pub(super) linearised: bool,
    pub(super) moments: FunctionMoments,
    pub(super) singles: Vec<Single>,
    /// A number that no other functions have had.
    pub(super) version: u64,
    pub(super) kept: MeshCache,
    /// What the pointer is at with the version of the functions, and the function of it.
    lit: Option<(Pointed, u64, Option<Vec<f64>>)>,
}

impl Entry {
    /// Takes in new draws; returns whether anything has changed.
    pub(super) fn update(
        &mut self,
        (frame, index): (&Frame, usize),
        run: &RunFrame,
        regression: &dyn Regression,
        computing: Computing,
    ) -> bool {
        let epoch = Some(Epoch::of(frame, run));
        let anew = self.epoch != epoch;
        if anew {
            *self = Self { epoch, inputs: places(regression), kept: std::mem::take(&mut self.kept), ..Self::default() };
        }
        let changed = match &run.fits {
            Some(fits) => self.take_fit((index, run.step), fits, regression, computing),
            None => self.take_draws((index, run), frame.target.as_ref(), regression, computing),
        };
        changed || anew
    }

    /// The functions of draws from a fit, which all change with it. A frame takes in some of them, and the functions before are
    /// shown until all are.
    fn take_fit(
        &mut self,
        (index, step): (usize, u64),
        fits: &FitFrame,
        regression: &dyn Regression,
        computing: Computing,
    ) -> bool {
        let known = |fit: &(Arc<Vec<Point>>, Predictive)| is_of(fits, fit);
        if self.pass.is_none() && self.fit.as_ref().is_some_and(known) {
            return false;
        }
        // A fit that changes all the time is taken in whole before a newer one.
        let begun = self.pass.take().filter(|_| computing == Computing::Background);
        let mut pass = begun.unwrap_or_else(|| Pass::new(fits.clone(), step));
        let fits_of_pass = pass.fits.clone();
        let functions = FitFunctions::new(&fits_of_pass, regression, &self.inputs);
        let linearised = &functions.linearised;
        let dimension = pass.fits.vectors.first().map_or(2, Vec::len);
        // A draw of linearised functions is soon made, and only few are.
        let at_once = linearised.is_some() || computing == Computing::Now;
        let end = if at_once { usize::MAX } else { pass.next + in_a_frame(dimension, &self.inputs) };
        let most = if linearised.is_some() { SHOWN } else { MOST };
        while pass.taken < most && pass.next < end.min(pass.fits.draws.len()) {
            pass.take_next(index, &functions);
        }
        self.incomplete = pass.taken < most && pass.next < pass.fits.draws.len();
        if self.incomplete {
            self.pass = Some(pass);
            return false;
        }
        self.linearised = linearised.is_some();
        // Mean and variance of linearised functions are known without draws.
        for at in linearised.iter().flat_map(|linearised| &linearised.components).filter(|at| at.weight > 0.0) {
            pass.moments.add_spread(&at.values, &at.variances, at.weight);
        }
        let fit = (pass.fits.draws.clone(), pass.fits.fitting.predictive);
        self.incomplete = !is_of(fits, &fit);
        (self.moments, self.singles, self.fit) = (pass.moments, pass.singles, Some(fit));
        true
    }

    /// The functions of the collected draws.
    fn take_draws(
        &mut self,
        (index, run): (usize, &RunFrame),
        target: &Target,
        regression: &dyn Regression,
        computing: Computing,
    ) -> bool {
        if let Some(behind) = target.in_vectors() {
            return self.take_vectors((index, run), behind, regression, computing);
        }
        if run.is_ensemble() {
            return self.take_members((index, run), regression);
        }
        let draws = thinned(&run.history, |step| run.stands_for(step), MOST);
        let names: Vec<(usize, u64)> = draws.iter().map(|draw| (draw.chain, draw.step)).collect();
        if names == self.seen {
            return false;
        }
        let known = if names.starts_with(&self.seen) { self.seen.len() } else { 0 };
        if known == 0 {
            self.moments = FunctionMoments::default();
        }
        for draw in &draws[known..] {
            let weight = run.plan.weight(draw.step) * run.history.weight(run.history.row_from(draw.step));
            if weight > 0.0 {
                self.moments.add(&values(regression, draw.at.as_slice(), &self.inputs), weight);
            }
        }
        (self.seen, self.behind) = (names, draws.len());
        let shown: Vec<Draw> = thinned(&run.history, |step| run.stands_for(step), SHOWN);
        let same = shown.len() == self.singles.len()
            && shown.iter().zip(&self.singles).all(|(draw, single)| {
                (draw.chain, draw.step) == (single.name.chain, single.name.step) && draw.at == single.point
            });
        if !same {
            let single = |draw: &Draw| Single {
                name: DrawName { run: index, chain: draw.chain, step: draw.step, fitted: false },
                point: draw.at,
                values: values(regression, draw.at.as_slice(), &self.inputs),
            };
            self.singles = shown.iter().map(single).collect();
        }
        true
    }

    /// The functions of the members of an ensemble as they are now.
    fn take_members(&mut self, (index, run): (usize, &RunFrame), regression: &dyn Regression) -> bool {
        let members = run.positions.iter().zip(0..).filter(|(at, _)| at.iter().all(|weight| weight.is_finite()));
        let members: Vec<(Point, usize)> = members.map(|(at, chain)| (*at, chain)).take(MOST).collect();
        let seen: Vec<(usize, u64)> = members.iter().map(|(_, chain)| (*chain, run.step)).collect();
        if seen == self.seen {
            return false;
        }
        (self.moments, self.behind, self.seen) = (FunctionMoments::default(), seen.len(), seen);
        self.singles.clear();
        for (point, chain) in members {
            let values = values(regression, point.as_slice(), &self.inputs);
            self.moments.add(&values, 1.0);
            if self.singles.len() < SHOWN {
                let name = DrawName { run: index, chain, step: run.step, fitted: false };
                self.singles.push(Single { name, point, values });
            }
        }
        true
    }

    /// The functions of the vectors that are kept of a model in more dimensions: all of them behind the moments, as far as
    /// they are few enough, at an even stride otherwise, which doubles as they become more. Of an ensemble the newest alone. A
    /// frame takes in some of them.
    fn take_vectors(
        &mut self,
        (index, run): (usize, &RunFrame),
        model: &Vectors,
        regression: &dyn Regression,
        computing: Computing,
    ) -> bool {
        let drawn = thinned_vectors(run, MOST);
        let mut seen: Vec<(usize, u64)> = drawn.iter().map(KeptVector::name).collect();
        if seen == self.seen {
            return false;
        }
        let known = if seen.starts_with(&self.seen) { self.seen.len() } else { 0 };
        if known == 0 {
            self.counted = FunctionMoments::default();
            self.again = self.behind > 0;
        }
        let dimension = drawn.first().map_or(0, |draw| draw.at.positions.dimension());
        let most = match computing {
            Computing::Now => drawn.len(),
            Computing::Background => in_a_frame(dimension, &self.inputs),
        };
        let end = drawn.len().min(known + most);
        let finite = |weights: &Vec<f64>| weights.iter().all(|weight| weight.is_finite());
        for draw in &drawn[known..end] {
            let (weights, weight) = (draw.weights(), run.plan.weight(draw.at.step));
            if weight > 0.0 && finite(&weights) {
                self.counted.add(&values(regression, &weights, &self.inputs), weight);
            }
        }
        self.incomplete = end < drawn.len();
        self.again &= self.incomplete;
        seen.truncate(end);
        self.seen = seen;
        if self.again {
            return false;
        }
        (self.moments, self.behind) = (self.counted.clone(), end);
        let before = std::mem::take(&mut self.singles);
        let single = |draw: KeptVector| {
            let name = DrawName { run: index, chain: draw.chain, step: draw.at.step, fitted: false };
            if let Some(known) = before.iter().find(|known| known.name.is(name)) {
                return Some(known.clone());
            }
            let weights = Some(draw.weights()).filter(finite)?;
            let point = model.projection.point(&draw.at.positions, draw.chain);
            Some(Single { name, point, values: values(regression, &weights, &self.inputs) })
        };
        self.singles = thinned_vectors(run, SHOWN).into_iter().filter_map(single).collect();
        true
    }

    /// Number of draws behind the moments.
    pub(super) fn draws(&self) -> usize {
        self.fit.as_ref().map_or(self.behind, |(draws, _)| draws.len().min(MOST))
    }

    /// Takes in what the pointer is at.
    pub(super) fn light(&mut self, (frame, index): (&Frame, usize), regression: &dyn Regression, pointed: &Pointed) {
        let known = |(of, version, _): &(Pointed, u64, _)| of == pointed && *version == self.version;
        if !self.lit.as_ref().is_some_and(known) {
            self.lit = Some((pointed.clone(), self.version, self.function((frame, index), regression, pointed)));
        }
    }

    /// The function of the draw that the pointer is at, or of the point on a canvas of the weights themselves.
    fn function(
        &self,
        (frame, index): (&Frame, usize),
        regression: &dyn Regression,
        pointed: &Pointed,
    ) -> Option<Vec<f64>> {
        if let (Some(at), None) = (pointed.on_canvas_of(index), frame.target.in_vectors()) {
            return Some(values(regression, at.as_slice(), &self.inputs));
        }
        let name = pointed.draw_of(index)?;
        if let Some(single) = self.singles.iter().find(|single| single.name.is(name)) {
            return Some(single.values.clone());
        }
        let weights = weights_of(frame, name)?;
        Some(match &frame.runs.get(index)?.fits {
            Some(fits) => FitFunctions::new(fits, regression, &self.inputs).of_draw(name.chain, &weights),
            None => values(regression, &weights, &self.inputs),
        })
    }

    /// The function of what the pointer is at, if it is of this run.
    pub(super) fn lit(&self) -> Option<&Vec<f64>> {
        self.lit.as_ref().and_then(|(_, _, values)| values.as_ref())
    }

    /// The location of an input: the number of the first of its two neighbours and the share of the second.
    #[expect(clippy::cast_sign_loss, reason = "the number of a place")]
    pub(super) fn locate(&self, x: f64) -> Option<(usize, f64)> {
        let (from, to) = (*self.inputs.first()?, *self.inputs.last()?);
        let last = self.inputs.len() - 1;
        let at = (x - from) / (to - from) * last as f64;
        if !(0.0..=last as f64).contains(&at) {
            return None;
        }
        let before = (at as usize).min(last - 1);
        Some((before, at - before as f64))
    }
}

impl Pass {
    fn new(fits: FitFrame, step: u64) -> Self {
        Self { fits, step, next: 0, taken: 0, moments: FunctionMoments::default(), singles: Vec::new() }
    }

    /// Takes in the next draw, if it is finite.
    fn take_next(&mut self, index: usize, functions: &FitFunctions<'_>) {
        let (number, point) = (self.next, self.fits.draws[self.next]);
        self.next += 1;
        if !point.iter().all(|weight| weight.is_finite()) {
            return;
        }
        self.taken += 1;
        let weights = self.fits.vectors.get(number).map_or(point.as_slice(), Vec::as_slice);
        let values = functions.of_draw(number, weights);
        if functions.linearised.is_none() {
            self.moments.add(&values, 1.0);
        }
        if self.singles.len() < SHOWN {
            let name = DrawName { run: index, chain: number, step: self.step, fitted: true };
            self.singles.push(Single { name, point, values });
        }
    }
}

/// Whether functions that are kept are those of these fits.
fn is_of(fits: &FitFrame, (draws, predictive): &(Arc<Vec<Point>>, Predictive)) -> bool {
    Arc::ptr_eq(draws, &fits.draws) && *predictive == fits.fitting.predictive
}

/// Functions with so many weights that a frame takes in.
fn in_a_frame(weights: usize, inputs: &[f64]) -> usize {
    (IN_A_FRAME / (weights * inputs.len()).max(1)).max(1)
}

/// A value between two neighbours.
pub(super) fn between(values: &[f64], (before, share): (usize, f64)) -> f64 {
    let at = |index: usize| values.get(index).copied().unwrap_or(f64::NAN);
    at(before) + share * (at(before + 1) - at(before))
}

//! What the plot of functions keeps: the exact mean and bands, and for each run the functions of some of its draws.
//!
//! Single draws are picked by position, at most [`MOST`] of them, however many there are. While a run goes on they stay the
//! same until their stride doubles, so only new ones are evaluated.

use std::collections::BTreeMap;
use std::sync::Arc;

use egui::Context;

use crate::diagnostics::reference::Reference;
use crate::draw::plots::background::{Same, SameTarget, Slot};
use crate::draw::plots::data_edit::Held;
use crate::draw::plots::epoch::Epoch;
use crate::draw::plots::mesh_cache::MeshCache;
use crate::draw::plots::pointing::Pointed;
use crate::math::Point;
use crate::methods::Predictive;
use crate::scene::{
    Draw, DrawName, FunctionMoments, KeptVector, exact_functions, places, thinned, thinned_vectors, values, weights_of,
};
use crate::session::{FitFrame, FitFunctions, Frame, RunFrame};
use crate::targets::{Projected, Regression, Target};

use super::FunctionsInput;

/// Draws behind mean and bands at most, about, and at least half as many of a long run. The standard error of a band is some
/// 4 % of it.
const MOST: usize = 600;

/// Functions that are drawn one by one, about.
const SHOWN: usize = 36;

/// The kept pictures, and the data that are being changed.
#[derive(Debug, Default)]
pub struct FunctionsCache {
    exact: Slot<SameTarget, Option<FunctionMoments>>,
    /// The newest reference, with its bands.
    reference: Option<(Arc<Reference>, FunctionMoments)>,
    pub(super) entries: BTreeMap<usize, Entry>,
    /// The data that are being changed.
    pub(super) held: Option<Held>,
    /// Number of pictures made so far.
    made: u64,
}

/// A function that is drawn, with its weights.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Single {
    pub(super) name: DrawName,
    /// Where its weights are in the plane.
    pub(super) place: Point,
    pub(super) values: Vec<f64>,
}

/// The functions of a run.
#[derive(Debug, Default)]
pub(super) struct Entry {
    epoch: Option<Epoch>,
    /// The inputs.
    pub(super) inputs: Vec<f64>,
    /// Chain and step of the draws behind the moments.
    seen: Vec<(usize, u64)>,
    /// The draws of a fit behind the moments.
    fit: Option<(Arc<Vec<Point>>, Predictive)>,
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

impl FunctionsCache {
    /// Updates the functions of all runs shown; returns whether the exact ones are still being computed.
    pub(super) fn update(&mut self, ctx: &Context, input: &FunctionsInput<'_>, regression: &dyn Regression) -> bool {
        for &index in input.runs {
            if let Some(run) = input.frame.runs.get(index) {
                let entry = self.entries.entry(index).or_default();
                if entry.update((input.frame, index), run, regression) {
                    self.made += 1;
                    entry.version = self.made;
                }
                entry.light((input.frame, index), regression, input.pointed);
            }
        }
        self.take_reference(input.frame);
        let target = input.frame.target.clone();
        self.exact.request(Same(target.clone()), input.computing, ctx, async move { exact_functions(&target) })
    }

    fn take_reference(&mut self, frame: &Frame) {
        let reference = frame.reference.as_ref().filter(|reference| reference.draws > 0);
        self.reference.take_if(|(known, _)| !reference.is_some_and(|reference| Arc::ptr_eq(known, reference)));
        if let (None, Some(reference)) = (&self.reference, reference) {
            self.reference = Some((reference.clone(), FunctionMoments::of(&reference.fine)));
        }
    }

    /// The mean and spread of the posterior itself, once they are there: exact ones, or those of a reference.
    pub(super) fn truth(&self, frame: &Frame) -> Option<Truth<'_>> {
        let exact = self.exact.get(&Same(frame.target.clone())).and_then(Option::as_ref);
        let exact = exact.map(|moments| Truth { moments, name: "exact", draws: 0 });
        let reference = || {
            let (reference, moments) = self.reference.as_ref()?;
            Some(Truth { moments, name: "HMC reference", draws: reference.draws })
        };
        exact.or_else(reference)
    }
}

/// The functions that those of the draws are compared with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Truth<'a> {
    pub(super) moments: &'a FunctionMoments,
    /// Where they come from, in a word.
    pub(super) name: &'static str,
    /// Draws of each chain behind a reference; 0 for the exact ones.
    pub(super) draws: u64,
}

impl Entry {
    /// Takes in new draws; returns whether anything has changed.
    fn update(&mut self, (frame, index): (&Frame, usize), run: &RunFrame, regression: &dyn Regression) -> bool {
        let epoch = Some(Epoch::of(frame, run));
        let anew = self.epoch != epoch;
        if anew {
            *self = Self { epoch, inputs: places(regression), kept: std::mem::take(&mut self.kept), ..Self::default() };
        }
        let changed = match &run.fits {
            Some(fits) => self.take_fit((index, run.step), fits, regression),
            None => self.take_draws((index, run), frame.target.as_ref(), regression),
        };
        changed || anew
    }

    /// The functions of draws from a fit, which all change with it.
    fn take_fit(&mut self, (index, step): (usize, u64), fits: &FitFrame, regression: &dyn Regression) -> bool {
        let predictive = fits.fitting.predictive;
        if self.fit.as_ref().is_some_and(|known| Arc::ptr_eq(&known.0, &fits.draws) && known.1 == predictive) {
            return false;
        }
        let functions = FitFunctions::new(fits, regression, &self.inputs);
        let linearised = &functions.linearised;
        self.linearised = linearised.is_some();
        self.moments = FunctionMoments::default();
        self.singles.clear();
        let finite = |(_, at): &(usize, &Point)| at.iter().all(|weight| weight.is_finite());
        let most = if self.linearised { SHOWN } else { MOST };
        for (number, place) in fits.draws.iter().enumerate().filter(finite).take(most) {
            let weights = fits.vectors.get(number).map_or(place.as_slice(), Vec::as_slice);
            let values = functions.of_draw(number, weights);
            if linearised.is_none() {
                self.moments.add(&values, 1.0);
            }
            if self.singles.len() < SHOWN {
                let name = DrawName { run: index, chain: number, step, fitted: true };
                self.singles.push(Single { name, place: *place, values });
            }
        }
        // Mean and variance of linearised functions are known without draws.
        for at in linearised.iter().flat_map(|linearised| &linearised.components).filter(|at| at.weight > 0.0) {
            self.moments.add_spread(&at.values, &at.variances, at.weight);
        }
        self.fit = Some((fits.draws.clone(), predictive));
        true
    }

    /// The functions of the collected draws.
    fn take_draws(
        &mut self,
        (index, run): (usize, &RunFrame),
        target: &dyn Target,
        regression: &dyn Regression,
    ) -> bool {
        if let Some(behind) = target.model() {
            return self.take_vectors((index, run), behind, regression);
        }
        if run.is_ensemble() {
            return self.take_members((index, run), regression);
        }
        let draws = thinned(&run.history, |step| run.collects(step), MOST);
        let names: Vec<(usize, u64)> = draws.iter().map(|draw| (draw.chain, draw.step)).collect();
        if names == self.seen {
            return false;
        }
        let known = if names.starts_with(&self.seen) { self.seen.len() } else { 0 };
        if known == 0 {
            self.moments = FunctionMoments::default();
        }
        for draw in &draws[known..] {
            let weight = run.plan.weight(draw.step);
            if weight > 0.0 {
                self.moments.add(&values(regression, draw.at.as_slice(), &self.inputs), weight);
            }
        }
        self.seen = names;
        let shown: Vec<Draw> = thinned(&run.history, |step| run.collects(step), SHOWN);
        let same = shown.len() == self.singles.len()
            && shown.iter().zip(&self.singles).all(|(draw, single)| {
                (draw.chain, draw.step) == (single.name.chain, single.name.step) && draw.at == single.place
            });
        if !same {
            let single = |draw: &Draw| Single {
                name: DrawName { run: index, chain: draw.chain, step: draw.step, fitted: false },
                place: draw.at,
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
        (self.moments, self.seen) = (FunctionMoments::default(), seen);
        self.singles.clear();
        for (place, chain) in members {
            let values = values(regression, place.as_slice(), &self.inputs);
            self.moments.add(&values, 1.0);
            if self.singles.len() < SHOWN {
                let name = DrawName { run: index, chain, step: run.step, fitted: false };
                self.singles.push(Single { name, place, values });
            }
        }
        true
    }

    /// The functions of the vectors that are kept of a model in more dimensions: all of them behind the moments, as far as
    /// they are few enough, at an even stride otherwise, which doubles as they become more. Of an ensemble the newest alone.
    fn take_vectors(
        &mut self,
        (index, run): (usize, &RunFrame),
        behind: Projected<'_>,
        regression: &dyn Regression,
    ) -> bool {
        let drawn = thinned_vectors(run, MOST);
        let seen: Vec<(usize, u64)> = drawn.iter().map(KeptVector::name).collect();
        if seen == self.seen {
            return false;
        }
        let known = if seen.starts_with(&self.seen) { self.seen.len() } else { 0 };
        if known == 0 {
            self.moments = FunctionMoments::default();
        }
        let finite = |weights: &Vec<f64>| weights.iter().all(|weight| weight.is_finite());
        for draw in &drawn[known..] {
            let (weights, weight) = (draw.weights(), run.plan.weight(draw.at.step));
            if weight > 0.0 && finite(&weights) {
                self.moments.add(&values(regression, &weights, &self.inputs), weight);
            }
        }
        self.seen = seen;
        let single = |draw: KeptVector| {
            let weights = Some(draw.weights()).filter(finite)?;
            let place = behind.projection.point(&draw.at.places, draw.chain);
            let name = DrawName { run: index, chain: draw.chain, step: draw.at.step, fitted: false };
            Some(Single { name, place, values: values(regression, &weights, &self.inputs) })
        };
        self.singles = thinned_vectors(run, SHOWN).into_iter().filter_map(single).collect();
        true
    }

    /// Number of draws behind the moments.
    pub(super) fn draws(&self) -> usize {
        self.fit.as_ref().map_or(self.seen.len(), |(draws, _)| draws.len().min(MOST))
    }

    /// Takes in what the pointer is at.
    pub(super) fn light(&mut self, (frame, index): (&Frame, usize), regression: &dyn Regression, pointed: &Pointed) {
        let known = |(of, version, _): &(Pointed, u64, _)| of == pointed && *version == self.version;
        if !self.lit.as_ref().is_some_and(known) {
            self.lit = Some((pointed.clone(), self.version, self.function((frame, index), regression, pointed)));
        }
    }

    /// The function of the draw that the pointer is at, or of the place on a canvas of the weights themselves.
    fn function(
        &self,
        (frame, index): (&Frame, usize),
        regression: &dyn Regression,
        pointed: &Pointed,
    ) -> Option<Vec<f64>> {
        if let (Some(at), None) = (pointed.on_canvas_of(index), frame.target.model()) {
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

    /// The place of an input, as the number of the first of its two neighbours and the share of the second.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the number of a place")]
    pub(super) fn place(&self, x: f64) -> Option<(usize, f64)> {
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

/// A value between two neighbours.
pub(super) fn between(values: &[f64], (before, share): (usize, f64)) -> f64 {
    let at = |index: usize| values.get(index).copied().unwrap_or(f64::NAN);
    at(before) + share * (at(before + 1) - at(before))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::draw::plots::{Computing, Editing};
    use crate::scenario::read;
    use crate::session::Session;

    fn frame(method: &str, steps: u64) -> Frame {
        let text = format!(
            "format = 1\ntitle = \"x\"\nseed = 3\n[target]\nkind = \"two-weight-sign\"\n\
             [[run]]\nname = \"A\"\nmethod = \"{method}\"\nsteps = 40000\n"
        );
        let mut session = Session::new(read(&text, "x", Path::new("")).unwrap()).unwrap();
        session.advance(steps);
        session.frame()
    }

    fn updated(cache: &mut FunctionsCache, frame: &Frame) -> (u64, usize) {
        let input = FunctionsInput {
            frame,
            runs: &[0],
            truth: true,
            computing: Computing::Now,
            editing: Editing::Off,
            pointed: &Pointed::default(),
        };
        cache.update(&Context::default(), &input, frame.target.regression().unwrap());
        (cache.entries[&0].version, cache.entries[&0].draws())
    }

    #[test]
    fn few_draws_stand_for_many_and_a_frame_without_new_ones_costs_nothing() {
        let mut cache = FunctionsCache::default();
        let first = updated(&mut cache, &frame("sgld", 5000));
        assert!(first.1 > 100 && first.1 <= 2 * MOST, "{first:?}");
        assert_eq!(updated(&mut cache, &frame("sgld", 5000)).1, first.1, "another frame of the same draws");
        let long = frame("sgld", 40_000);
        let all = updated(&mut cache, &long);
        assert!(all.0 > first.0 && all.1 <= 2 * MOST);
        assert_eq!(updated(&mut cache, &long), all);
        let entry = &cache.entries[&0];
        assert!(!entry.singles.is_empty() && entry.singles.len() <= 2 * SHOWN);
        // A run within one mode predicts as the posterior does, to the noise of a few hundred dependent draws.
        let (place, exact) = (entry.place(0.75).unwrap(), cache.truth(&long).unwrap().moments);
        let gap = between(entry.moments.mean(), place) - between(exact.mean(), place);
        assert!(gap.abs() < 0.05, "{gap}");
    }

    /// The linearised functions of Laplace are those of the formula, whatever its draws are.
    #[test]
    fn a_linearised_fit_has_bands_without_draws() {
        let mut cache = FunctionsCache::default();
        let frame = frame("laplace", 40);
        updated(&mut cache, &frame);
        let entry = &cache.entries[&0];
        let place = entry.place(1.5).unwrap();
        let regression = frame.target.regression().unwrap();
        let gaussian = frame.runs[0].fits.as_ref().unwrap().moments.unwrap();
        let x = entry.inputs[place.0];
        let slopes = regression.slopes(gaussian.mean.as_slice(), x).unwrap();
        let slopes = Point::new(slopes[0], slopes[1]);
        let sd = slopes.dot(&(gaussian.covariance * slopes)).sqrt();
        assert!(entry.linearised && entry.singles.len() == SHOWN);
        assert!((entry.moments.sd(place.0) - sd).abs() < 1e-12, "{} {sd}", entry.moments.sd(place.0));
        let at_mode = regression.value(gaussian.mean.as_slice(), x);
        assert!((entry.moments.mean()[place.0] - at_mode).abs() < 1e-12);
        let single = &entry.singles[3];
        let linear = at_mode + slopes.dot(&(single.place - gaussian.mean));
        assert!((single.values[place.0] - linear).abs() < 1e-12);
    }

    #[test]
    fn an_ensemble_has_the_functions_of_its_members_as_they_are_now() {
        let mut cache = FunctionsCache::default();
        let early = updated(&mut cache, &frame("deep-ensemble", 100));
        let place = cache.entries[&0].place(1.5).unwrap();
        let spread = |cache: &FunctionsCache| cache.entries[&0].moments.sd(place.0);
        let before = spread(&cache);
        let late = updated(&mut cache, &frame("deep-ensemble", 5000));
        assert_eq!((early.1, late.1), (10, 10));
        // All members have reached one of two modes with the same function.
        assert!(before > 0.05 && spread(&cache) < 1e-3, "{before} {}", spread(&cache));
    }

    /// A draw that the pointer is at elsewhere has its own function, whether it is drawn or not; so have the weights under the
    /// pointer on a canvas.
    #[test]
    fn what_the_pointer_is_at_has_its_function() {
        for method in ["sgld", "gaussian-vi"] {
            let mut cache = FunctionsCache::default();
            let frame = frame(method, 900);
            updated(&mut cache, &frame);
            let regression = frame.target.regression().unwrap();
            let entry = cache.entries.get_mut(&0).unwrap();
            let (shown, fitted) = (entry.singles[5].clone(), method != "sgld");
            let hidden = DrawName { run: 0, chain: if fitted { SHOWN + 9 } else { 0 }, step: 900, fitted };
            assert!(!entry.singles.iter().any(|single| single.name.is(hidden)));
            let place = crate::scene::place_of_draw(&frame, hidden).unwrap();
            let at = Point::new(0.3, -1.2);
            for (pointed, weights) in [
                (Pointed::at_draw(shown.name), shown.place),
                (Pointed::at_draw(hidden), place),
                (Pointed { canvas: Some((vec![0], at)), draw: None }, at),
            ] {
                entry.light((&frame, 0), regression, &pointed);
                assert_eq!(entry.lit(), Some(&values(regression, weights.as_slice(), &entry.inputs)), "{method}");
            }
            let other = DrawName { run: 1, ..hidden };
            for pointed in [Pointed::default(), Pointed::at_draw(other)] {
                entry.light((&frame, 0), regression, &pointed);
                assert_eq!(entry.lit(), None);
            }
        }
    }

    #[test]
    fn a_fit_has_the_functions_of_its_draws() {
        let mut cache = FunctionsCache::default();
        let frame = frame("gaussian-vi", 300);
        let (_, draws) = updated(&mut cache, &frame);
        assert!(draws > 50, "{draws}");
        let entry = &cache.entries[&0];
        let middle = entry.place(0.0).unwrap();
        assert!(entry.moments.sd(middle.0).abs() < 1e-12, "f is 0 at 0 for all weights");
        assert!(entry.place(9.0).is_none() && entry.place(f64::NAN).is_none());
    }
}

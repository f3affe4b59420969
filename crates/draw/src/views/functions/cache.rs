//! What the plot of functions keeps: the exact mean and bands, and for each run the functions of some of its draws.

use std::collections::BTreeMap;
use std::sync::Arc;

use egui::Context;

use super::entry::Entry;
use super::geometry::{FunctionMoments, exact_functions};
use super::input::FunctionsInput;
use crate::kit::background::{Same, SameTarget, Slot};
use crate::kit::data_edit::Held;
use engine::diagnostics::hmc_reference::Reference;
use engine::session::Frame;
use models::targets::Regression;

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

impl FunctionsCache {
    /// Updates the functions of all runs shown; returns whether the exact ones are still being computed.
    pub(super) fn update(&mut self, ctx: &Context, input: &FunctionsInput<'_>, regression: &dyn Regression) -> bool {
        for &index in input.runs {
            if let Some(run) = input.frame.runs.get(index) {
                let entry = self.entries.entry(index).or_default();
                if entry.update((input.frame, index), run, regression, input.computing) {
                    self.made += 1;
                    entry.version = self.made;
                }
                if entry.incomplete {
                    ctx.request_repaint();
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

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::LazyLock;

    use super::*;
    use crate::canvas::pointing::Pointed;
    use crate::geometry::DrawName;
    use crate::kit::background::Computing;
    use crate::kit::data_edit::Editing;
    use crate::views::functions::entry::{MOST, SHOWN, between};
    use crate::views::functions::geometry::values;
    use base::math::Point;
    use engine::scenario::read;
    use engine::session::Session;

    fn frame(method: &str, steps: u64) -> Frame {
        let text = format!(
            "format = 1\ntitle = \"x\"\nseed = 3\n[target]\nkind = \"two-weight-sign\"\n\
             [[run]]\nname = \"A\"\nmethod = \"{method}\"\nsteps = 40000\n"
        );
        let mut session = Session::new(read(&text, "x", Path::new("")).unwrap()).unwrap();
        session.advance(steps);
        session.frame()
    }

    fn input(frame: &Frame, computing: Computing) -> FunctionsInput<'_> {
        static NOTHING: LazyLock<Pointed> = LazyLock::new(Pointed::default);
        FunctionsInput { frame, runs: &[0], truth: true, computing, editing: Editing::Off, pointed: &NOTHING }
    }

    fn regression(frame: &Frame) -> &dyn Regression {
        frame.target.regression().unwrap()
    }

    fn updated(cache: &mut FunctionsCache, frame: &Frame) -> (u64, usize) {
        cache.update(&Context::default(), &input(frame, Computing::Now), regression(frame));
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
        let (location, exact) = (entry.locate(0.75).unwrap(), cache.truth(&long).unwrap().moments);
        let gap = between(entry.moments.mean(), location) - between(exact.mean(), location);
        assert!(gap.abs() < 0.05, "{gap}");
    }

    /// The linearised functions of Laplace are those of the formula, whatever its draws are.
    #[test]
    fn a_linearised_fit_has_bands_without_draws() {
        let mut cache = FunctionsCache::default();
        let frame = frame("laplace", 40);
        updated(&mut cache, &frame);
        let entry = &cache.entries[&0];
        let location = entry.locate(1.5).unwrap();
        let regression = frame.target.regression().unwrap();
        let gaussian = frame.runs[0].fits.as_ref().unwrap().moments.unwrap();
        let x = entry.inputs[location.0];
        let slopes = regression.slopes(gaussian.mean.as_slice(), x).unwrap();
        let slopes = Point::new(slopes[0], slopes[1]);
        let sd = slopes.dot(&(gaussian.covariance * slopes)).sqrt();
        assert!(entry.linearised && entry.singles.len() == SHOWN);
        assert!((entry.moments.sd(location.0) - sd).abs() < 1e-12, "{} {sd}", entry.moments.sd(location.0));
        let at_mode = regression.value(gaussian.mean.as_slice(), x);
        assert!((entry.moments.mean()[location.0] - at_mode).abs() < 1e-12);
        let single = &entry.singles[3];
        let linear = at_mode + slopes.dot(&(single.point - gaussian.mean));
        assert!((single.values[location.0] - linear).abs() < 1e-12);
    }

    #[test]
    fn an_ensemble_has_the_functions_of_its_members_as_they_are_now() {
        let mut cache = FunctionsCache::default();
        let early = updated(&mut cache, &frame("deep-ensemble", 100));
        let location = cache.entries[&0].locate(1.5).unwrap();
        let spread = |cache: &FunctionsCache| cache.entries[&0].moments.sd(location.0);
        let before = spread(&cache);
        let late = updated(&mut cache, &frame("deep-ensemble", 5000));
        assert_eq!((early.1, late.1), (10, 10));
        // All members have reached one of two modes with the same function.
        assert!(before > 0.05 && spread(&cache) < 1e-3, "{before} {}", spread(&cache));
    }

    /// Frames that take in a part each end at the functions of a figure, which takes in all at once.
    #[test]
    fn frames_take_in_draws_part_by_part() {
        for method in ["sgld", "gaussian-vi"] {
            let text = format!(
                "format = 1\ntitle = \"x\"\nseed = 3\n[target]\nkind = \"network\"\nhidden = 20\n\
                 [[run]]\nname = \"A\"\nmethod = \"{method}\"\nsteps = 3000\n"
            );
            let mut session = Session::new(read(&text, "x", Path::new("")).unwrap()).unwrap();
            session.advance(3000);
            let frame = session.frame();
            let mut at_once = FunctionsCache::default();
            updated(&mut at_once, &frame);
            let mut cache = FunctionsCache::default();
            let mut frames = 0;
            while frames == 0 || cache.entries[&0].incomplete {
                cache.update(&Context::default(), &input(&frame, Computing::Background), regression(&frame));
                frames += 1;
            }
            let (found, expected) = (&cache.entries[&0], &at_once.entries[&0]);
            assert!(frames > 1 && found.draws() > 100, "{method}: {frames} frames, {} draws", found.draws());
            assert_eq!(found.draws(), expected.draws(), "{method}");
            assert_eq!((&found.moments, &found.singles), (&expected.moments, &expected.singles), "{method}");
        }
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
            let point = crate::geometry::point_of_draw(&frame, hidden).unwrap();
            let at = Point::new(0.3, -1.2);
            for (pointed, weights) in [
                (Pointed::at_draw(shown.name), shown.point),
                (Pointed::at_draw(hidden), point),
                (Pointed { canvas: Some((vec![0], at)), ..Pointed::default() }, at),
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
        let middle = entry.locate(0.0).unwrap();
        assert!(entry.moments.sd(middle.0).abs() < 1e-12, "f is 0 at 0 for all weights");
        assert!(entry.locate(9.0).is_none() && entry.locate(f64::NAN).is_none());
    }
}

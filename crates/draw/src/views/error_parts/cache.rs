//! What is computed of the errors of runs, beside the window: first their parts, then the bias at one step size after the other. The last answer
//! stays until the next one is ready.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use egui::Context;

use crate::kit::background::{Computing, OfPlan, Wanted};
use crate::kit::in_parts::{FAILED, InParts, Parts};
use base::math::elementary::whole_bits;
use base::platform::pause;
use engine::distributions::{Ask, Computable, Found, MeanError, NotComputed, Stationary};
use engine::session::Frame;

/// Step sizes of a curve: so many, each by this factor larger than the one before, around that of the run.
const BELOW: i32 = 8;
const ABOVE: i32 = 6;
const FACTOR: f64 = std::f64::consts::SQRT_2;

/// Steps of progress, and how often it is looked at.
const THOUSANDTHS: f64 = 1000.0;
const LOOK: Duration = Duration::from_millis(250);

/// The bias at a step size.
pub(super) type AtStepSize = (f64, Result<Stationary, NotComputed>);

/// The answers for all runs.
#[derive(Debug, Default)]
pub(super) struct ErrorCache {
    runs: BTreeMap<usize, InParts<Answer>>,
}

/// The answer for a run.
#[derive(Debug)]
struct Answer {
    key: OfPlan,
    found: Option<Result<Found, String>>,
    /// Whether the errors of means, which take longer, have been asked for as well.
    has_means: bool,
    /// The step size of a run that has one alone.
    alpha: Option<f64>,
    curve: Vec<AtStepSize>,
    /// How much of the parts is computed, in thousandths.
    done: Arc<AtomicU32>,
}

/// What is missing of an answer.
#[derive(Clone, Copy, Debug)]
enum Missing {
    /// The parts of errors of distributions.
    Parts,
    /// Those of errors of means.
    Means,
    /// The bias at a step size.
    At(f64),
}

/// A part of an answer.
#[derive(Debug)]
enum Part {
    Found(Box<Result<Found, NotComputed>>),
    Means(Result<Vec<MeanError>, NotComputed>),
    At(f64, Box<Result<Stationary, NotComputed>>),
}

impl ErrorCache {
    /// Updates the answers for these runs; returns whether one is still on its way.
    pub fn update(&mut self, ctx: &Context, frame: &Frame, runs: &[usize], computing: Computing) -> bool {
        let mut pending = false;
        for &index in runs {
            let Some(run) = frame.runs.get(index) else { continue };
            let key = OfPlan::new(frame, run);
            if self.runs.get(&index).is_none_or(|answer| answer.so_far.key != key) {
                self.runs.insert(index, InParts::new(Answer::new(key)));
            }
            let Some(answer) = self.runs.get_mut(&index) else { continue };
            pending |= answer.go_on(ctx, computing);
            if answer.so_far.found.is_none() {
                ctx.request_repaint_after(LOOK);
            }
        }
        pending
    }

    /// What was found of a run, or why nothing was; `None` while it is computed.
    pub fn found(&self, run: usize) -> Option<Result<&Found, &str>> {
        Some(self.runs.get(&run)?.so_far.found.as_ref()?.as_ref().map_err(String::as_str))
    }

    /// How much of the parts of a run is computed, from 0 to 1.
    pub fn done(&self, run: usize) -> f64 {
        self.runs.get(&run).map_or(0.0, |answer| f64::from(answer.so_far.done.load(Ordering::Relaxed)) / THOUSANDTHS)
    }

    /// The step size of a run that has one alone, and the bias at several.
    pub fn curve(&self, run: usize) -> Option<(f64, &[AtStepSize])> {
        let answer = &self.runs.get(&run)?.so_far;
        Some((answer.alpha?, &answer.curve))
    }

    /// Whether a run has a curve, or will have.
    pub fn has_curve(&self, run: usize) -> bool {
        self.curve(run).is_some()
    }
}

impl Answer {
    fn new(key: OfPlan) -> Self {
        let alpha = Computable::of_plan(&key.target.0, &key.plan.0).ok().and_then(|of| of.constant_step_size());
        Self { key, found: None, has_means: false, alpha, curve: Vec::new(), done: Arc::default() }
    }

    /// What is to be computed next.
    fn missing(&self) -> Option<Missing> {
        match &self.found {
            None => return Some(Missing::Parts),
            Some(Ok(_)) if !self.has_means => return Some(Missing::Means),
            Some(_) => {}
        }
        let alpha = self.alpha?;
        let number = i32::try_from(self.curve.len()).ok()? - BELOW;
        // Where even longer steps are refused, there is no more to see.
        let refused = number > 0 && self.curve.last().is_some_and(|(_, found)| found.is_err());
        (number <= ABOVE && !refused).then(|| Missing::At(alpha * FACTOR.powi(number)))
    }
}

impl Parts for Answer {
    type Part = Part;

    fn next(&mut self, wanted: Wanted) -> Option<impl Future<Output = Part> + Send + 'static> {
        let missing = self.missing()?;
        Some(compute(self.key.clone(), missing, (wanted, self.done.clone())))
    }

    fn take(&mut self, part: Part) {
        match part {
            Part::Found(found) => self.found = Some(found.map_err(|why| why.to_string())),
            Part::Means(means) => {
                self.has_means = true;
                if let Some(Ok(found)) = &mut self.found {
                    found.errors = means;
                }
            }
            Part::At(alpha, found) => self.curve.push((alpha, *found)),
        }
    }

    fn fail(&mut self) {
        (self.alpha, self.has_means) = (None, true);
        self.found.get_or_insert_with(|| Err(FAILED.to_owned()));
    }
}

async fn compute(key: OfPlan, next: Missing, (wanted, done): (Wanted, Arc<AtomicU32>)) -> Part {
    pause().await;
    let of = Computable::of_plan(&key.target.0, &key.plan.0);
    let go_on = &mut |share: f64| {
        done.store(whole_bits((THOUSANDTHS * share).clamp(0.0, THOUSANDTHS)), Ordering::Relaxed);
        wanted.still()
    };
    match next {
        Missing::Parts => {
            let ask = Ask { collected: true, stationary: true, briefly: true, ..Ask::default() };
            Part::Found(Box::new(of.and_then(|of| of.solve(&ask, go_on))))
        }
        Missing::Means => {
            // Bias and transient are those of the long run.
            let ask = Ask { stationary: true, errors: true, briefly: true, ..Ask::default() };
            Part::Means(of.and_then(|of| of.solve(&ask, go_on)?.errors))
        }
        Missing::At(alpha) => {
            let ask = Ask { stationary: true, ..Ask::default() };
            let at = of.and_then(|of| of.with_step_size(alpha).solve(&ask, go_on)?.stationary);
            Part::At(alpha, Box::new(at))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use engine::scenario::read;
    use engine::session::Session;

    /// On N(0, 1) the stationary variance is 1/(1 − α/2): the error of the covariance at each step size is known, and there is none from 2 on.
    #[test]
    fn the_bias_against_the_step_size_is_that_of_the_closed_form() {
        let text = "format = 1\ntitle = \"x\"\nseed = 3\n[target]\nkind = \"gaussian\"\nsd = [1.0, 1.0]\ncorrelation = 0.0\n[[run]]\nname = \"A\"\n\
             method = \"sgld\"\nchains = 2\nsteps = 50\nstart = { kind = \"point\", x = 1.0, y = 0.0 }\nstep_size = { kind = \"constant\", value = 0.4 }";
        let frame = Session::new(read(text, "x", Path::new("")).unwrap()).unwrap().frame();
        let mut cache = ErrorCache::default();
        assert!(!cache.update(&Context::default(), &frame, &[0], Computing::Now));
        assert!(cache.found(0).unwrap().unwrap().errors.as_ref().is_ok_and(|means| means.len() == 2));
        let (alpha, curve) = cache.curve(0).unwrap();
        assert!((alpha - 0.4).abs() < 1e-12 && curve.len() >= 12, "{}", curve.len());
        for (alpha, found) in curve.iter().filter(|(alpha, _)| *alpha < 1.5) {
            let found = found.as_ref().unwrap();
            let expected = 1.0 / (1.0 - 0.5 * alpha);
            let variance = found.described.covariance[0].value;
            assert!((variance / expected - 1.0).abs() < 1e-6, "{alpha}: {variance}, not {expected}");
        }
        assert!(curve.last().unwrap().1.is_err(), "steps of 2 and more leave");
    }
}

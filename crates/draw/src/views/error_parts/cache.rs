//! What is computed of the errors of runs, beside the window: first their parts, then the bias at one step size after the other. The last answer
//! stays until the next one is ready.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError};
use std::time::Duration;

use egui::Context;

use crate::kit::background::{Asker, Computing, OfPlan, Wanted, spawned};
use base::math::elementary::whole_bits;
use base::platform::{now, pause};
use engine::distributions::{Ask, Computable, Found, NotComputed, Stationary};
use engine::session::Frame;

/// Step sizes of a curve: so many, each by this factor larger than the one before, around that of the run.
const BELOW: i32 = 8;
const ABOVE: i32 = 6;
const FACTOR: f64 = std::f64::consts::SQRT_2;

/// Parts of progress, and how often it is looked at.
const PARTS: f64 = 1000.0;
const LOOK: Duration = Duration::from_millis(250);

/// The bias at a step size.
pub(super) type AtStepSize = (f64, Result<Stationary, NotComputed>);

/// The answers for all runs.
#[derive(Debug, Default)]
pub(super) struct ErrorCache {
    runs: BTreeMap<usize, Answer>,
}

/// The answer for a run.
#[derive(Debug)]
struct Answer {
    key: OfPlan,
    found: Option<Result<Found, String>>,
    /// The step size of a run that has one alone.
    alpha: Option<f64>,
    curve: Vec<AtStepSize>,
    running: Option<Receiver<Part>>,
    /// How much of the parts is computed, in thousandths.
    done: Arc<AtomicU32>,
    /// Whoever computes an earlier answer ends when it is gone.
    asker: Asker,
}

/// A part of an answer.
#[derive(Debug)]
enum Part {
    Found(Box<Result<Found, NotComputed>>),
    At(f64, Box<Result<Stationary, NotComputed>>),
}

impl ErrorCache {
    /// Updates the answers for these runs; returns whether one is still on its way.
    pub fn update(&mut self, ctx: &Context, frame: &Frame, runs: &[usize], computing: Computing) -> bool {
        let mut pending = false;
        for &index in runs {
            let Some(run) = frame.runs.get(index) else { continue };
            let key = OfPlan::new(frame, run);
            if self.runs.get(&index).is_none_or(|answer| answer.key != key) {
                self.runs.insert(index, Answer::new(key));
            }
            pending |= self.runs.get_mut(&index).is_some_and(|answer| answer.go_on(ctx, computing));
        }
        pending
    }

    /// What was found of a run, or why nothing was; `None` while it is computed.
    pub fn found(&self, run: usize) -> Option<Result<&Found, &str>> {
        Some(self.runs.get(&run)?.found.as_ref()?.as_ref().map_err(String::as_str))
    }

    /// How much of the parts of a run is computed, from 0 to 1.
    pub fn done(&self, run: usize) -> f64 {
        self.runs.get(&run).map_or(0.0, |answer| f64::from(answer.done.load(Ordering::Relaxed)) / PARTS)
    }

    /// The step size of a run that has one alone, and the bias at several.
    pub fn curve(&self, run: usize) -> Option<(f64, &[AtStepSize])> {
        let answer = self.runs.get(&run)?;
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
        Self {
            key,
            found: None,
            alpha,
            curve: Vec::new(),
            running: None,
            done: Arc::default(),
            asker: Asker::default(),
        }
    }

    /// Goes on; returns whether it is not complete yet.
    fn go_on(&mut self, ctx: &Context, computing: Computing) -> bool {
        if let Some(receiver) = self.running.take() {
            match receiver.try_recv() {
                Ok(part) => self.take(part),
                Err(TryRecvError::Empty) => self.running = Some(receiver),
                Err(TryRecvError::Disconnected) => {
                    self.alpha = None;
                    self.found.get_or_insert_with(|| Err("its computation has failed".to_owned()));
                }
            }
        }
        while self.running.is_none() {
            let Some(next) = self.next() else { return false };
            let part = compute(self.key.clone(), next, (self.asker.wanted(), self.done.clone()));
            if computing == Computing::Background {
                self.running = Some(spawned(ctx.clone(), part));
            } else {
                self.take(now(part));
            }
        }
        if self.found.is_none() {
            ctx.request_repaint_after(LOOK);
        }
        true
    }

    /// What is to be computed next: the parts, or the bias at a step size.
    fn next(&self) -> Option<Option<f64>> {
        if self.found.is_none() {
            return Some(None);
        }
        let alpha = self.alpha?;
        let number = i32::try_from(self.curve.len()).ok()? - BELOW;
        // Where even longer steps are refused, there is no more to see.
        let refused = number > 0 && self.curve.last().is_some_and(|(_, found)| found.is_err());
        (number <= ABOVE && !refused).then(|| Some(alpha * FACTOR.powi(number)))
    }

    fn take(&mut self, part: Part) {
        match part {
            Part::Found(found) => self.found = Some(found.map_err(|why| why.to_string())),
            Part::At(alpha, found) => self.curve.push((alpha, *found)),
        }
    }
}

async fn compute(key: OfPlan, next: Option<f64>, (wanted, done): (Wanted, Arc<AtomicU32>)) -> Part {
    pause().await;
    let of = Computable::of_plan(&key.target.0, &key.plan.0);
    let go_on = &mut |share: f64| {
        done.store(whole_bits((PARTS * share).clamp(0.0, PARTS)), Ordering::Relaxed);
        wanted.still()
    };
    match next {
        None => {
            let ask = Ask { collected: true, stationary: true, errors: true, briefly: true, ..Ask::default() };
            Part::Found(Box::new(of.and_then(|of| of.solve(&ask, go_on))))
        }
        Some(alpha) => {
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
        assert!(cache.found(0).unwrap().is_ok());
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

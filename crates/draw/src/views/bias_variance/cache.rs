//! Cache of bias and variance of averages, computed in the background some steps at a time. The last picture stays until the
//! next is ready.

use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, TryRecvError};
use std::time::Duration;

use egui::Context;

use crate::kit::background::{Computing, spawned};
use crate::kit::mesh_cache::MeshCache;
use base::platform;
use engine::session::{Frame, Smoother, SmoothingErrors};

/// Steps computed at a time: some tenths of a second with many data.
const STEPS: usize = 200;

/// Pause after that, in multiples of the time it took: the runs need the cores as well.
const REST: f64 = 1.0;

/// Bias and variance along a run, or the reason why there are none.
type Answer = Result<SmoothingErrors, &'static str>;

/// The answers for all runs.
#[derive(Debug, Default)]
pub struct BiasVarianceCache {
    entries: BTreeMap<usize, Entry>,
    /// Answers so far.
    made: u64,
}

/// The answer for a run.
#[derive(Debug, Default)]
pub(super) struct Entry {
    /// Generation and step of the answer.
    done: Option<((u64, u64), Answer)>,
    smoother: Option<Smoother>,
    away: Option<Away>,
    /// The time before which no computation starts.
    rest_until: f64,
    /// A number that no other answer has had.
    pub(super) version: u64,
    /// The lines of both plots.
    pub(super) kept: [MeshCache; 2],
}

/// An answer under way.
#[derive(Debug)]
struct Away {
    moment: (u64, u64),
    since: f64,
    result: Receiver<(Smoother, Answer)>,
}

impl BiasVarianceCache {
    /// Updates the answer for a run; returns whether it is still missing.
    pub(super) fn update(&mut self, ctx: &Context, frame: &Frame, index: usize, computing: Computing) -> bool {
        let Some(run) = frame.runs.get(index) else { return false };
        let entry = self.entries.entry(index).or_default();
        let now = ctx.input(|input| input.time);
        if entry.poll(now) {
            self.made += 1;
            entry.version = self.made;
        }
        let moment = (frame.generation, run.step);
        if entry.knows(moment) {
            return false;
        }
        if computing == Computing::Now {
            let answer = platform::now(entry.smoother.get_or_insert_default().update(frame, run, usize::MAX));
            entry.done = Some((moment, answer));
            self.made += 1;
            entry.version = self.made;
            return false;
        }
        if entry.away.is_some() {
            return true;
        }
        if now < entry.rest_until {
            ctx.request_repaint_after(Duration::from_secs_f64(entry.rest_until - now));
            return true;
        }
        // After a panic of the thread, the computation starts again.
        let mut smoother = entry.smoother.take().unwrap_or_default();
        let (frame, run) = (frame.clone(), run.clone());
        let make = async move {
            let answer = smoother.update(&frame, &run, STEPS).await;
            (smoother, answer)
        };
        entry.away = Some(Away { moment, since: now, result: spawned(ctx.clone(), make) });
        true
    }

    /// The entry of a run.
    pub(super) fn entry(&self, run: usize) -> Option<&Entry> {
        self.entries.get(&run)
    }

    /// Sets an answer by hand.
    #[cfg(test)]
    pub(super) fn put(&mut self, frame: &Frame, run: usize, answer: Answer) {
        let entry = self.entries.entry(run).or_default();
        entry.done = Some(((frame.generation, frame.runs[run].step), answer));
    }
}

impl Entry {
    /// The newest answer.
    pub(super) fn answer(&self) -> Option<&Answer> {
        self.done.as_ref().map(|(_, answer)| answer)
    }

    /// Whether the answer is that of this moment, as a whole.
    fn knows(&self, moment: (u64, u64)) -> bool {
        let whole = |answer: &Answer| answer.as_ref().is_ok_and(|smoothing| smoothing.complete) || answer.is_err();
        self.done.as_ref().is_some_and(|(known, answer)| *known == moment && whole(answer))
    }

    /// Takes in an answer that has become ready; says whether there was one.
    fn poll(&mut self, now: f64) -> bool {
        let Some(away) = self.away.take() else { return false };
        match away.result.try_recv() {
            Ok((smoother, answer)) => {
                self.smoother = Some(smoother);
                self.done = Some((away.moment, answer));
                self.rest_until = now + REST * (now - away.since);
                true
            }
            Err(TryRecvError::Empty) => {
                self.away = Some(away);
                false
            }
            Err(TryRecvError::Disconnected) => {
                self.done = Some((away.moment, Err("this could not be computed")));
                true
            }
        }
    }
}

//! Numbers of runs, computed beside the window: one run at a time, and at most a tenth of the time. The last ones stay meanwhile.

use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, TryRecvError};
use std::time::Duration;

use egui::Context;

use super::background::{Computing, spawned};
use base::platform;
use engine::session::{Frame, RunFrame};

/// Pause between computations, in multiples of the last one: a tenth of the time is spent on them.
const REST: f64 = 9.0;

/// Generation and step of the numbers of a run.
type Moment = (u64, u64);

/// The numbers of all runs.
#[derive(Debug)]
pub struct ByRun<T> {
    entries: BTreeMap<usize, Entry<T>>,
    made: u64,
}

impl<T> Default for ByRun<T> {
    fn default() -> Self {
        Self { entries: BTreeMap::new(), made: 0 }
    }
}

#[derive(Debug)]
struct Entry<T> {
    done: Option<(Moment, T)>,
    away: Option<Away<T>>,
    /// The computation that panicked and is not repeated.
    failed: Option<Moment>,
    /// The time before which no computation starts.
    rest_until: f64,
    /// A number that no other numbers have had.
    version: u64,
}

impl<T> Default for Entry<T> {
    fn default() -> Self {
        Self { done: None, away: None, failed: None, rest_until: 0.0, version: 0 }
    }
}

/// Numbers being computed.
#[derive(Debug)]
struct Away<T> {
    moment: Moment,
    since: f64,
    result: Receiver<T>,
}

impl<T: Send + 'static> ByRun<T> {
    /// Updates the numbers of some runs by `make`; returns whether some are missing. A computation under way asks for a repaint itself.
    pub fn update<F>(
        &mut self,
        ctx: &Context,
        (frame, runs): (&Frame, &[usize]),
        computing: Computing,
        make: impl Fn(RunFrame) -> F,
    ) -> bool
    where
        F: Future<Output = T> + Send + 'static,
    {
        let now = ctx.input(|input| input.time);
        let made = &mut self.made;
        self.entries.values_mut().for_each(|entry| entry.poll(now, made));
        let mut busy = self.entries.values().any(|entry| entry.away.is_some());
        let mut pending = false;
        for (index, run) in runs.iter().filter_map(|&run| Some((run, frame.runs.get(run)?))) {
            let entry = self.entries.entry(index).or_default();
            let moment = (frame.generation, run.step);
            if entry.failed == Some(moment) || entry.done.as_ref().is_some_and(|(known, _)| *known == moment) {
                continue;
            }
            if computing == Computing::Now {
                entry.keep(moment, platform::now(make(run.clone())), &mut self.made);
                continue;
            }
            pending = true;
            if entry.done.as_ref().is_none_or(|(known, _)| known.0 != moment.0) {
                // Numbers of another generation are replaced without a pause.
                entry.rest_until = now;
            }
            if now < entry.rest_until {
                ctx.request_repaint_after(Duration::from_secs_f64(entry.rest_until - now));
            } else if !busy {
                let result = spawned(ctx.clone(), make(run.clone()));
                entry.away = Some(Away { moment, since: now, result });
                busy = true;
            }
        }
        pending
    }

    /// The numbers of a run, with a number that no others have had.
    #[must_use]
    pub fn get(&self, run: usize) -> Option<(u64, &T)> {
        let entry = self.entries.get(&run)?;
        Some((entry.version, &entry.done.as_ref()?.1))
    }

    /// Whether numbers of some runs belong to an earlier generation.
    #[must_use]
    pub fn is_stale(&self, frame: &Frame, runs: &[usize]) -> bool {
        let entries = runs.iter().filter_map(|run| self.entries.get(run));
        entries.filter_map(|entry| entry.done.as_ref()).any(|(known, _)| known.0 != frame.generation)
    }
}

impl<T> Entry<T> {
    /// Takes over numbers that are ready.
    fn poll(&mut self, now: f64, made: &mut u64) {
        let Some(away) = self.away.take() else { return };
        match away.result.try_recv() {
            Ok(numbers) => {
                self.rest_until = now + REST * (now - away.since);
                self.keep(away.moment, numbers, made);
            }
            Err(TryRecvError::Empty) => self.away = Some(away),
            Err(TryRecvError::Disconnected) => self.failed = Some(away.moment),
        }
    }

    fn keep(&mut self, moment: Moment, numbers: T, made: &mut u64) {
        *made += 1;
        self.version = *made;
        self.done = Some((moment, numbers));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Fake, Recipe, frame};

    #[test]
    fn numbers_are_computed_once_for_a_step() {
        let recipe = Recipe { name: "SGLD", chains: 1, steps: 5, total: 10, alpha: 0.004, cycle: 0 };
        let mut frame = frame(Fake::grid(), &[recipe; 2]);
        let (mut numbers, ctx) = (ByRun::default(), Context::default());
        let made = std::cell::Cell::new(0);
        let make = |run: RunFrame| {
            made.set(made.get() + 1);
            async move { run.step }
        };
        for (step, expected) in [(5, 2), (5, 2), (6, 4)] {
            frame.runs.iter_mut().for_each(|run| run.step = step);
            assert!(!numbers.update(&ctx, (&frame, &[0, 1]), Computing::Now, make));
            assert_eq!((numbers.get(1).map(|(_, step)| *step), made.get()), (Some(step), expected));
        }
        assert_eq!(numbers.get(2), None);
        frame.generation += 1;
        assert!(numbers.is_stale(&frame, &[0]));
        while numbers.update(&ctx, (&frame, &[0]), Computing::Background, make) {
            std::thread::yield_now();
        }
        assert!(!numbers.is_stale(&frame, &[0]) && numbers.is_stale(&frame, &[0, 1]));
    }
}

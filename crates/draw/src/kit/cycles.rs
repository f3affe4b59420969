//! What is computed of the cycles of runs, beside the window. The last answer stays until the next is ready.

use std::collections::BTreeMap;

use egui::Context;

use super::background::{Computing, OfPlan, Same, SameTarget, Slot, Wanted};
use engine::distributions::{Ask, Computable, Cycles, NotComputed};
use engine::scenario::RunPlan;
use engine::session::{Frame, RunFrame};

/// Whether a run has cycles.
pub fn has_cycles(frame: &Frame, run: usize) -> bool {
    let has = |run: &RunFrame| {
        let mut segments = run.plan.segments.iter();
        run.fits.is_none() && segments.any(|segment| segment.schedule.cycle(segment.from + 1).is_some())
    };
    frame.runs.get(run).is_some_and(has)
}

/// The cycles of a run, or the reason in words why they are not computed.
pub type CyclesAnswer = Result<Cycles, String>;

/// Opacity of what is known of a run before its last change.
const BEFORE: f32 = 0.35;

/// What is known of the cycles of a run.
#[derive(Clone, Copy, Debug)]
pub struct Known<'c> {
    /// The number of the run.
    pub run: usize,
    /// Its cycles.
    pub of: &'c Cycles,
    /// What was known before the last change is pale.
    pub opacity: f32,
}

/// The answers for all runs.
#[derive(Debug, Default)]
pub struct CyclesCache {
    runs: BTreeMap<usize, (Option<OfPlan>, Slot<OfPlan, CyclesAnswer>)>,
}

impl CyclesCache {
    /// Updates the answer for a run; returns whether it is still on its way.
    pub fn update(&mut self, ctx: &Context, frame: &Frame, index: usize, computing: Computing) -> bool {
        let Some(run) = frame.runs.get(index) else { return false };
        let key = OfPlan::new(frame, run);
        let (target, plan) = (key.target.clone(), key.plan.clone());
        let (newest, slot) = self.runs.entry(index).or_default();
        *newest = Some(key.clone());
        slot.request_newest(key, computing, ctx, |wanted| async move { answer(&target, &plan, &wanted) })
    }

    /// The newest answer for a run.
    pub fn answer(&self, run: usize) -> Option<&CyclesAnswer> {
        self.runs.get(&run)?.1.latest()
    }

    /// The cycles of a run, if they are known of it as it is or was.
    pub fn known(&self, run: usize) -> Option<Known<'_>> {
        let of = self.answer(run)?.as_ref().ok()?;
        Some(Known { run, of, opacity: if self.is_present(run) { 1.0 } else { BEFORE } })
    }

    /// Whether it is of the run as it is now, and not of what it was before a change.
    pub fn is_present(&self, run: usize) -> bool {
        self.runs.get(&run).is_some_and(|(newest, slot)| newest.as_ref().is_some_and(|key| slot.get(key).is_some()))
    }
}

fn answer(target: &SameTarget, plan: &Same<RunPlan>, wanted: &Wanted) -> CyclesAnswer {
    let ask = Ask { cycles: true, ..Ask::default() };
    let of = || -> Result<Cycles, NotComputed> {
        Computable::of_plan(&target.0, &plan.0)?.solve(&ask, &mut |_| wanted.still())?.cycles
    };
    of().map_err(|why| why.to_string())
}

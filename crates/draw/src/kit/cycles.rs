//! What is computed of the cycles of runs, beside the window. The last answer stays until the next is ready.

use std::collections::BTreeMap;

use egui::Context;

use super::background::{Computing, OfPlan, Same, SameTarget, Slot};
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

/// The answers for all runs.
#[derive(Debug, Default)]
pub struct CyclesCache {
    runs: BTreeMap<usize, Slot<OfPlan, CyclesAnswer>>,
}

impl CyclesCache {
    /// Updates the answer for a run; returns whether it is still on its way.
    pub fn update(&mut self, ctx: &Context, frame: &Frame, index: usize, computing: Computing) -> bool {
        let Some(run) = frame.runs.get(index) else { return false };
        let key = OfPlan::new(frame, run);
        let (target, plan) = (key.target.clone(), key.plan.clone());
        self.runs.entry(index).or_default().request(key, computing, ctx, async move { answer(&target, &plan) })
    }

    /// The newest answer for a run.
    pub fn answer(&self, run: usize) -> Option<&CyclesAnswer> {
        self.runs.get(&run)?.latest()
    }
}

fn answer(target: &SameTarget, plan: &Same<RunPlan>) -> CyclesAnswer {
    let ask = Ask { cycles: true, ..Ask::default() };
    let of = || -> Result<Cycles, NotComputed> {
        Computable::of_plan(&target.0, &plan.0)?.solve(&ask, &mut |_| true)?.cycles
    };
    of().map_err(|why| why.to_string())
}

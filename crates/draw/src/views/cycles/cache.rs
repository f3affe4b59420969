//! What is computed of the cycles of runs, beside the window. The last answer stays until the next is ready.

use std::collections::BTreeMap;

use egui::Context;

use crate::kit::background::{Computing, Same, SameTarget, Slot};
use engine::distributions::{Ask, Computable, Cycles, NotComputed};
use engine::scenario::{Experiment, RunPlan, TargetSpan};
use engine::session::Frame;

/// What the cycles of a run depend on.
#[derive(Clone, Debug, PartialEq)]
struct Key {
    target: SameTarget,
    plan: Same<RunPlan>,
}

/// The cycles of a run, or the reason in words why they are not computed.
pub(super) type Answer = Result<Cycles, String>;

/// The answers for all runs.
#[derive(Debug, Default)]
pub(super) struct CyclesCache {
    runs: BTreeMap<usize, Slot<Key, Answer>>,
}

impl CyclesCache {
    /// Updates the answer for a run.
    pub fn update(&mut self, ctx: &Context, frame: &Frame, index: usize, computing: Computing) {
        let Some(run) = frame.runs.get(index) else { return };
        let key = Key { target: Same(frame.target.clone()), plan: Same(run.plan.clone()) };
        let (target, plan) = (key.target.clone(), key.plan.clone());
        self.runs.entry(index).or_default().request(key, computing, ctx, async move { answer(&target, &plan) });
    }

    /// The newest answer for a run.
    pub fn answer(&self, run: usize) -> Option<&Answer> {
        self.runs.get(&run)?.latest()
    }
}

fn answer(target: &SameTarget, plan: &Same<RunPlan>) -> Answer {
    let ask = Ask { cycles: true, ..Ask::default() };
    let of = || -> Result<Cycles, NotComputed> {
        if !plan.0.targets_change.is_empty() {
            return Err(NotComputed::Unsuited("cycles are computed of Langevin steps on one target"));
        }
        let spans = vec![TargetSpan { from: 0, target: target.0.clone() }];
        let experiment = Experiment { spans, runs: vec![plan.0.as_ref().clone()] };
        Computable::new(&experiment, 0)?.solve(&ask, &mut |_| true)?.cycles
    };
    of().map_err(|why| why.to_string())
}

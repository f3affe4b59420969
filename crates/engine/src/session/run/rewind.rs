//! Back to an earlier state of a run: a checkpoint, or the state before steps that were stopped.

use std::sync::Arc;

use super::super::target_timeline::TargetTimeline;
use super::{Run, RunState};
use models::lda::Stop;
use samplers::methods::StepRecord;

/// A run between two steps.
#[derive(Debug)]
pub struct Saved {
    state: RunState,
    /// Records of the last step, block by block.
    records: Vec<Vec<StepRecord>>,
}

impl Run {
    /// Goes back to the last checkpoint that is before the goal, or to the start.
    pub(super) fn go_back(&mut self, timeline: &TargetTimeline, is_before: impl Fn(&RunState) -> bool) {
        self.checkpoints.retain(|checkpoint| checkpoint.step == 0 || is_before(checkpoint));
        for workspace in &mut self.workspaces {
            workspace.set_records(Vec::new());
        }
        if let Some(nearest) = self.checkpoints.last().cloned() {
            self.analysis = Arc::new(self.analysis.before(nearest.step));
            self.context = timeline.context(nearest.span).clone();
            self.take_up(nearest);
        }
    }

    /// Goes on from an earlier state, and forgets what came after it.
    fn take_up(&mut self, state: RunState) {
        let step = state.step;
        self.keep_late_counts();
        self.state = state;
        self.history.truncate(step);
        self.step_parts.forget_after(step);
        self.forget_topics(step);
    }

    /// The run as it is, to come back to after steps that were stopped.
    pub fn save(&self) -> Saved {
        Saved {
            state: self.state.clone(),
            records: self.workspaces.iter().map(|workspace| workspace.records().to_vec()).collect(),
        }
    }

    /// Comes back to where the run was, on the same target.
    pub fn restore(&mut self, saved: Saved) {
        let Saved { state, records } = saved;
        self.checkpoints.retain(|checkpoint| checkpoint.step <= state.step);
        self.workspaces.iter_mut().zip(records).for_each(|(workspace, records)| workspace.set_records(records));
        self.take_up(state);
    }

    /// Chooses who may stop steps of this run.
    pub fn stop_with(&mut self, stop: Option<Stop>) {
        self.stop = stop;
    }

    /// Whether the step under way was stopped.
    pub(super) fn is_stopped(&self) -> bool {
        self.stop.as_ref().is_some_and(Stop::is_set)
    }

    /// The span from which [`Run::seek`] starts on its way to `step`.
    pub fn seeks_from(&self, step: u64, timeline: &TargetTimeline) -> usize {
        let step = step.min(self.plan.steps);
        let back = step < self.state.step || timeline.span_at(step) < self.state.span;
        let earlier = self.checkpoints.iter().rev().find(|checkpoint| checkpoint.step < step || checkpoint.step == 0);
        if back { earlier.map_or(0, |checkpoint| checkpoint.span) } else { self.state.span }
    }
}

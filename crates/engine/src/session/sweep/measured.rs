//! Measures of a run of a cell at its end: those that are asked for, and no others where they take long.

use std::sync::Arc;

use super::super::analysis::Analyser;
use super::super::clock::{Clock, Time};
use super::super::cycles::cycle_ends;
use super::super::frame::Frame;
use super::super::run::Run;
use super::super::target_timeline::TargetTimeline;
use super::super::topics::measure_topics;
use crate::diagnostics::{
    Measure, estimate_errors, is_estimate, measure_dynamics, measure_efficiency, measure_end_modes,
};
use crate::scenario::{MeasureGroup, Scenario, group_of};
use base::platform::now;

/// Whether a measure is computed from more than the counts of a run: from its path, its newest step, its fit or vectors that are kept.
pub fn needs_frame(key: &str) -> bool {
    !matches!(group_of(key), Some(MeasureGroup::Truth | MeasureGroup::Errors))
}

/// Whether a measure is computed from the path of a run, not from its newest step, its fit or its vectors.
pub fn needs_history(key: &str) -> bool {
    matches!(group_of(key), Some(MeasureGroup::Chains | MeasureGroup::Cycles | MeasureGroup::Efficiency))
}

/// The measures with `keys` of a run that has ended, and perhaps others.
pub fn measures(run: &Run, keys: &[&str], scenario: &Arc<Scenario>, timeline: &TargetTimeline) -> Vec<Measure> {
    let mut found = now(run.measurable().measure_by(keys));
    if keys.iter().any(|key| is_estimate(key)) {
        found.extend(estimate_errors(run.truth(), &run.counts()));
    }
    if keys.iter().any(|key| needs_frame(key)) {
        let frame = frame(run, scenario, timeline);
        found.extend(now(of_frame(&frame, keys)));
    }
    found
}

/// A frame of a run by itself.
fn frame(run: &Run, scenario: &Arc<Scenario>, timeline: &TargetTimeline) -> Frame {
    let span = timeline.span_at(run.step());
    let context = timeline.context(span);
    let frame = run.frame(timeline.spans()[span].from);
    Frame {
        generation: 0,
        scenario: scenario.clone(),
        target: context.target.clone(),
        truth: context.truth_after(&run.counts()).clone(),
        reference: None,
        step: run.step(),
        total: run.steps(),
        time: Time { clock: Clock::Steps, tick: run.step(), end: run.steps(), unit: 1.0 },
        runs: vec![frame],
    }
}

/// The measures of the only run of a frame.
async fn of_frame(frame: &Frame, keys: &[&str]) -> Vec<Measure> {
    let run = &frame.runs[0];
    let evaluations = run.evaluations();
    let has = |groups: &[MeasureGroup]| keys.iter().any(|key| group_of(key).is_some_and(|one| groups.contains(&one)));
    let mut found = Vec::new();
    if has(&[MeasureGroup::NewestStep]) {
        found.extend(measure_dynamics(&run.dynamics(&frame.truth)));
    }
    if has(&[MeasureGroup::Cycles]) && !frame.truth.modes().is_empty() {
        let of_chain = |chain: usize| cycle_ends(run, chain).iter().map(|end| frame.truth.mode_of(end.at)).collect();
        let chains: Vec<Vec<usize>> = (0..run.plan.chains).map(of_chain).collect();
        found.push(measure_end_modes(&chains));
    }
    if let Some(model) = frame.target.topics() {
        found.extend(measure_topics(model, run).await);
        return found;
    }
    use MeasureGroup::{Chains, Efficiency, Fit, Predictions, Quantities};
    if has(&[Chains, Efficiency, Fit, Quantities, Predictions]) {
        let analysis = Analyser::without_floors().analyse(frame, run).await;
        let all = [analysis.measures, analysis.fit.measures, analysis.quantities, analysis.predicted.measures].concat();
        found.extend(measure_efficiency(&all, evaluations));
        found.extend(all);
    }
    found
}

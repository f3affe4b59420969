//! Cells of a sweep without seeds: measures of endlessly many chains, computed without draws.

use base::params::ParamError;
use engine::diagnostics::{END_MODES, is_estimate};
use engine::distributions::{Ask, Computable, Described, Found, NotComputed};
use engine::scenario::Experiment;
use engine::session::sweep::{Cell, SweepPlan};
use models::targets::TargetInfo;

use super::super::cost::Cost;

/// Reason of measures of draws along a path.
const PATH: &str = "it counts draws along a path, and is no function of the distribution";

/// Reason of a number on which two grids do not agree.
const ROUGH: &str = "two grids agree on no digit of it";

/// Computes a cell; `None` if `go_on` says no.
///
/// # Errors
/// If the cell cannot be built.
pub fn cell(plan: &SweepPlan, number: usize, go_on: impl Fn() -> bool) -> Result<Option<Cell>, Vec<ParamError>> {
    let scenario = plan.scenario_of(number, 0)?;
    let experiment = scenario.build()?;
    let run = scenario.run_index(&plan.sweep().run).unwrap_or(0);
    let keys = &plan.sweep().measures;
    let ask = Ask {
        collected: keys.iter().any(|key| *key != END_MODES.key),
        cycles: keys.contains(&END_MODES.key),
        ..Ask::default()
    };
    let found = Computable::new(&experiment, run).and_then(|of| of.solve(&ask, &mut |_| go_on()));
    if found == Err(NotComputed::Ended) {
        return Ok(None);
    }
    let values = keys.iter().map(|key| value(&found, key, &experiment));
    let (measures, reasons) = values
        .map(|value| value.map_or_else(|why| (None, why), |value| (Some(value), String::new())))
        .unzip::<_, _, Vec<_>, Vec<_>>();
    let measures = measures.into_iter().map(|value| vec![value]).collect();
    Ok(Some(Cell { number, evaluations: vec![cost(&experiment, run)], diverged: vec![0], measures, reasons }))
}

/// Evaluations of all chains of the run.
fn cost(experiment: &Experiment, run: usize) -> f64 {
    let cost = Cost::of_run(experiment, &experiment.runs[run]);
    cost.gradients[1] + cost.densities[1]
}

/// A measure, or why it has no value.
fn value(found: &Result<Found, NotComputed>, key: &str, experiment: &Experiment) -> Result<f64, String> {
    let found = found.as_ref().map_err(NotComputed::to_string)?;
    let trusted = if key == END_MODES.key {
        let cycles = found.cycles.as_ref().map_err(NotComputed::to_string)?;
        cycles.end_modes.clone().map_err(|why| why.to_string())?
    } else {
        let collected = found.collected.as_ref().map_err(NotComputed::to_string)?;
        let target = &experiment.spans[experiment.spans.len() - 1].target;
        if is_estimate(key) {
            return estimate(collected, key, target.info()).ok_or_else(|| "there is no such coordinate".to_owned());
        }
        match collected.measures.iter().find(|(of, _)| *of == key) {
            Some((_, Ok(value))) => *value,
            Some((_, Err(why))) => return Err((*why).to_owned()),
            None => return Err(PATH.to_owned()),
        }
    };
    if trusted.decimals().is_none() { Err(ROUGH.to_owned()) } else { Ok(trusted.value) }
}

/// The error of a mean of x, y, x² or y², with its sign.
fn estimate(of: &Described, key: &str, truth: &TargetInfo) -> Option<f64> {
    let axis = usize::from(key.ends_with('y'));
    let (dimension, mean) = (of.mean.len(), of.mean.get(axis)?.value);
    let squared = |mean: f64, variance: f64| mean * mean + variance;
    if key.ends_with("xx") || key.ends_with("yy") {
        let found = squared(mean, of.covariance.get(axis * dimension + axis)?.value);
        Some(found - squared(truth.mean[axis], truth.covariance[(axis, axis)]))
    } else {
        Some(mean - truth.mean[axis])
    }
}

//! Sweep: one run of a scenario over a grid of parameters, cell by cell, with several seeds in each.
//!
//! A cell is the scenario with its parameters and a seed, run to its end; [`SweepPlan::scenario_of`] gives it, so that every cell can be
//! opened by itself. Its results are those of a session of that scenario: the same bits, whatever cells are computed
//! before or beside it. Nothing is kept of a run but counts and its last state. The truth about the target is computed once.
//!
//! A run takes its own steps and no more: of a scenario whose target changes after the run has ended, the counts are those at its end.

mod answers;
mod findings;
mod pareto;
mod rates;
mod sample;
mod slopes;
mod spread;
mod table;

use std::sync::Arc;

pub use answers::{Answer, answer};
pub use findings::{Findings, answers};
pub use pareto::{front_of, mean_cost, objectives, pareto_front};
pub use rates::{Rate, rate_arguments};
pub use sample::CellSample;
pub use slopes::{Slopes, fit_slopes};
pub use spread::{Spread, bias_and_mse};
pub use table::cells_as_csv;

use super::history;
use super::run::Run;
use super::target_timeline::TargetTimeline;
use crate::diagnostics::{estimate_errors, is_estimate};
use crate::scenario::{Scenario, Sweep};
use base::math::Simd;
use base::params::{ParamError, Value};
use base::platform::now;

/// Positions computed between two questions whether to go on.
const WORK_PER_CALL: u64 = 1 << 18;

/// A sweep that is ready to be computed.
#[derive(Debug)]
pub struct SweepPlan {
    scenario: Scenario,
    sweep: Sweep,
    /// The number of the run in the scenario.
    run: usize,
    /// The values of each axis.
    axes: Vec<Vec<f64>>,
    timeline: TargetTimeline,
}

/// The results of a cell, seed by seed.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// Its number.
    pub number: usize,
    /// Evaluations spent by all chains: of the gradient over all data, and of the density.
    pub evaluations: Vec<f64>,
    /// Chains that diverged.
    pub diverged: Vec<u64>,
    /// The values of each measure of the sweep, in its order; `None` where there is none.
    pub measures: Vec<Vec<Option<f64>>>,
}

impl SweepPlan {
    /// The sweep of a scenario. Every cell is built once, and the truth about every target is computed.
    ///
    /// # Errors
    /// If the scenario has no sweep, or it does not suit the scenario, or the parameters of a cell do not go together: the reasons of
    /// the first such cell.
    pub fn new(scenario: &Scenario) -> Result<Self, Vec<ParamError>> {
        let missing = || vec![ParamError::new("sweep", "the scenario has no sweep", "a [sweep] table with axes")];
        let sweep = scenario.sweep.clone().ok_or_else(missing)?;
        let axes = sweep.values(scenario)?;
        let run = scenario.run_index(&sweep.run).ok_or_else(missing)?;
        let experiment = scenario.build()?;
        let timeline = TargetTimeline::new(experiment.spans, Simd::widest(), history::pool());
        let plan = Self { scenario: scenario.clone(), sweep, run, axes, timeline };
        for cell in 0..plan.cells() {
            plan.cell_scenario(cell)
                .and_then(|scenario| scenario.build_run(run, plan.timeline.spans()).map(drop))
                .map_err(|errors| errors.into_iter().map(|error| plan.of_cell(cell, error)).collect::<Vec<_>>())?;
        }
        // Before several cells ask for it at once and wait for each other.
        (0..plan.timeline.spans().len()).for_each(|span| _ = plan.timeline.context(span));
        Ok(plan)
    }

    /// The scenario of the sweep.
    #[must_use]
    pub fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// The sweep.
    #[must_use]
    pub fn sweep(&self) -> &Sweep {
        &self.sweep
    }

    /// The values of each axis.
    #[must_use]
    pub fn axes(&self) -> &[Vec<f64>] {
        &self.axes
    }

    /// Number of cells.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.axes.iter().map(Vec::len).product()
    }

    /// Number of modes of the target at the end of the run, if its truth is known.
    #[must_use]
    pub fn modes(&self) -> Option<usize> {
        let context = self.timeline.context(self.timeline.spans().len() - 1);
        Some(context.truth.modes().len()).filter(|modes| context.truth.is_known() && *modes > 0)
    }

    /// The value of each axis in cell number `cell`.
    #[must_use]
    pub fn values_of(&self, cell: usize) -> Vec<f64> {
        let mut rest = cell;
        let mut values: Vec<f64> = self
            .axes
            .iter()
            .rev()
            .map(|values| {
                let value = values[rest % values.len()];
                rest /= values.len();
                value
            })
            .collect();
        values.reverse();
        values
    }

    /// The scenario of cell number `cell` with seed number `seed`, from 0; without the sweep.
    ///
    /// # Errors
    /// If the parameters are not allowed together.
    pub fn scenario_of(&self, cell: usize, seed: u64) -> Result<Scenario, Vec<ParamError>> {
        let scenario = self.cell_scenario(cell)?;
        Ok(Scenario { seed: scenario.seed.wrapping_add(seed), ..scenario })
    }

    fn cell_scenario(&self, cell: usize) -> Result<Scenario, Vec<ParamError>> {
        let mut scenario = Scenario { sweep: None, ..self.scenario.clone() };
        for (axis, value) in self.sweep.axes.iter().zip(self.values_of(cell)) {
            let changed = scenario.with_parameter(&self.sweep.run, &axis.parameter, Value::Number(value));
            scenario = changed.map_err(|error| vec![error])?;
        }
        Ok(scenario)
    }

    /// An error of a cell, with its values.
    fn of_cell(&self, cell: usize, error: ParamError) -> ParamError {
        let values = self.sweep.axes.iter().zip(self.values_of(cell));
        let values: Vec<String> = values.map(|(axis, value)| format!("{} = {value}", axis.parameter)).collect();
        let problem = format!("{}: {} (with {})", error.path, error.problem, values.join(", "));
        ParamError::new("sweep.axes", problem, error.allowed)
    }

    /// Computes cell number `cell`. `go_on` is asked now and then; the result is `None` if it says no.
    ///
    /// # Errors
    /// If the cell cannot be built.
    pub fn cell(&self, cell: usize, go_on: impl Fn() -> bool) -> Result<Option<Cell>, Vec<ParamError>> {
        let plan = Arc::new(self.cell_scenario(cell)?.build_run(self.run, self.timeline.spans())?);
        let keys = &self.sweep.measures;
        let mut result = Cell {
            number: cell,
            evaluations: Vec::new(),
            diverged: Vec::new(),
            measures: vec![Vec::new(); keys.len()],
        };
        for seed in 0..self.sweep.seeds {
            let seed = self.scenario.seed.wrapping_add(seed);
            let mut run = Run::new(plan.clone(), &self.timeline, (seed, self.run as u64), None);
            run.forget_the_way();
            run.count_at_once();
            let steps = (WORK_PER_CALL / run.work().max(1) as u64).max(1);
            while run.step() < run.steps() {
                if !go_on() {
                    return Ok(None);
                }
                run.advance(steps, &self.timeline);
                drop(run.take_history());
            }
            result.evaluations.push(run.gradient_evaluations() + run.density_evaluations());
            result.diverged.push(run.diverged_chains());
            let counts = run.counts();
            let of_truth = now(run.measurable().measure_by(keys));
            let signed = keys.iter().any(|key| is_estimate(key));
            let signed = signed.then(|| estimate_errors(run.truth(), &counts));
            let all = || of_truth.iter().chain(signed.iter().flatten());
            for (key, values) in keys.iter().zip(&mut result.measures) {
                values.push(all().find(|measure| measure.key == *key).and_then(|measure| measure.value));
            }
        }
        Ok(Some(result))
    }
}

#[cfg(test)]
mod tests;

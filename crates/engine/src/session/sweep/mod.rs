//! Sweep: one run of a scenario over a grid of parameters, cell by cell, with several seeds in each.
//!
//! A cell is the scenario with its parameters and a seed, run to its end; [`SweepPlan::scenario_of`] gives it, so that every cell can be
//! opened by itself. Its results are those of a session of that scenario: the same bits, whatever cells are computed
//! before or beside it. Nothing is kept of a run but counts and its last state, unless a measure is made of its path. The truth about each
//! target is computed once, and shared by all cells with that target.
//!
//! A run takes its own steps and no more: of a scenario whose target changes after the run has ended, the counts are those at its end.

mod answers;
mod available;
mod best;
mod findings;
mod measured;
mod pareto;
mod rates;
mod sample;
mod slopes;
mod spread;
mod table;

use std::sync::Arc;

pub use answers::{Answer, answer};
pub use available::why_unavailable;
pub use best::{Best, best_cells, seeds_left};
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
use crate::scenario::{Number, RunPlan, Scenario, Sweep, sweep_measures};
use base::math::Simd;
use base::params::ParamError;

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
    /// What the axes have.
    numbers: Vec<Number>,
    /// The targets, numbered by rows along the axes of the target; a single one without such an axis.
    timelines: Vec<TargetTimeline>,
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
    /// Why a measure has no value with the first seed that has none; empty where all have one, or the reason is not known.
    pub reasons: Vec<String>,
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
        let numbers = sweep.axes.iter().filter_map(|axis| scenario.number_at(&sweep.run, &axis.parameter)).collect();
        let mut plan = Self { scenario: scenario.clone(), sweep, run, axes, numbers, timelines: Vec::new() };
        plan.build_targets()?;
        for cell in 0..plan.cells() {
            let built = plan.build_cell(cell).map_err(|errors| plan.of_cell(cell, errors))?;
            if cell == 0 {
                plan.check_measures(&built)?;
            }
        }
        // Before several cells ask for it at once and wait for each other.
        for timeline in &plan.timelines {
            (0..timeline.spans().len()).for_each(|span| _ = timeline.context(span));
        }
        Ok(plan)
    }

    /// Builds every target once.
    fn build_targets(&mut self) -> Result<(), Vec<ParamError>> {
        if !self.numbers.iter().any(Number::is_of_target) {
            let spans = self.scenario.build()?.spans;
            self.timelines = vec![TargetTimeline::new(spans, Simd::widest(), history::pool())];
            return Ok(());
        }
        let pool = history::pool();
        for cell in 0..self.cells() {
            // The first cell with a target has a number of its own: targets come in the order of cells.
            if self.target_of(cell) == self.timelines.len() {
                let spans = self.cell_scenario(cell).and_then(|scenario| scenario.build_spans());
                let spans = spans.map_err(|errors| self.of_cell(cell, errors))?;
                self.timelines.push(TargetTimeline::new(spans, Simd::widest(), pool.clone()));
            }
        }
        Ok(())
    }

    fn build_cell(&self, cell: usize) -> Result<RunPlan, Vec<ParamError>> {
        self.cell_scenario(cell)?.build_run(self.run, self.timeline_of(cell).spans())
    }

    /// Looks for measures that the run cannot have. Those against the truth always were without a value then.
    fn check_measures(&self, run: &RunPlan) -> Result<(), Vec<ParamError>> {
        let (first, samples) =
            (&self.timelines[0].spans()[0].target, run.segment_of(run.steps).method.fitting().is_none());
        let why = |key: &str| why_unavailable(key, first, samples);
        let errors = self.sweep.measures.iter().enumerate().filter_map(|(number, key)| {
            let problem = format!("there is no \"{key}\" here: {}", why(key).filter(|_| measured::needs_frame(key))?);
            let known = sweep_measures().map(|spec| spec.key).filter(|key| why(key).is_none());
            Some(ParamError::new(format!("sweep.measures[{number}]"), problem, known.collect::<Vec<_>>().join(", ")))
        });
        let errors: Vec<ParamError> = errors.collect();
        if errors.is_empty() { Ok(()) } else { Err(errors) }
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

    /// What the axes have, in their order.
    #[must_use]
    pub fn numbers(&self) -> &[Number] {
        &self.numbers
    }

    /// Number of cells.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.axes.iter().map(Vec::len).product()
    }

    /// Number of modes of the target of a cell at the end of the run, if its truth is known.
    #[must_use]
    pub fn modes_of(&self, cell: usize) -> Option<usize> {
        modes(self.timeline_of(cell))
    }

    /// Number of different targets.
    #[must_use]
    pub fn targets(&self) -> usize {
        self.timelines.len()
    }

    /// Whether the modes of any target are known.
    #[must_use]
    pub fn has_modes(&self) -> bool {
        self.timelines.iter().any(|timeline| modes(timeline).is_some())
    }

    /// The number of the value of each axis in cell number `cell`.
    #[must_use]
    pub fn indices_of(&self, cell: usize) -> Vec<usize> {
        let mut rest = cell;
        let mut indices = vec![0; self.axes.len()];
        for (index, values) in indices.iter_mut().zip(&self.axes).rev() {
            *index = rest % values.len();
            rest /= values.len();
        }
        indices
    }

    /// The value of each axis in cell number `cell`.
    #[must_use]
    pub fn values_of(&self, cell: usize) -> Vec<f64> {
        self.indices_of(cell).into_iter().zip(&self.axes).map(|(index, values)| values[index]).collect()
    }

    /// The number of the target of a cell.
    fn target_of(&self, cell: usize) -> usize {
        let along = self.numbers.iter().zip(&self.axes).zip(self.indices_of(cell));
        let of_target = along.filter(|((axis, _), _)| axis.is_of_target());
        of_target.fold(0, |number, ((_, values), index)| number * values.len() + index)
    }

    fn timeline_of(&self, cell: usize) -> &TargetTimeline {
        &self.timelines[self.target_of(cell)]
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
            let changed = scenario.with_number(&self.sweep.run, &axis.parameter, value);
            scenario = changed.map_err(|error| vec![error])?;
        }
        Ok(scenario)
    }

    /// Errors of a cell, with its values.
    fn of_cell(&self, cell: usize, errors: Vec<ParamError>) -> Vec<ParamError> {
        let values = self.sweep.axes.iter().zip(self.values_of(cell));
        let values: Vec<String> = values.map(|(axis, value)| format!("{} = {value}", axis.parameter)).collect();
        let values = values.join(", ");
        let of_cell = |error: ParamError| {
            let problem = format!("{}: {} (with {values})", error.path, error.problem);
            ParamError::new("sweep.axes", problem, error.allowed)
        };
        errors.into_iter().map(of_cell).collect()
    }

    /// Computes cell number `cell`. `go_on` is asked now and then; the result is `None` if it says no.
    ///
    /// # Errors
    /// If the cell cannot be built.
    pub fn cell(&self, cell: usize, go_on: impl Fn() -> bool) -> Result<Option<Cell>, Vec<ParamError>> {
        let (scenario, timeline) = (Arc::new(self.cell_scenario(cell)?), self.timeline_of(cell));
        let plan = Arc::new(scenario.build_run(self.run, timeline.spans())?);
        let keys = &self.sweep.measures;
        let keeps_path = keys.iter().any(|key| measured::needs_history(key));
        let mut result = Cell {
            number: cell,
            evaluations: Vec::new(),
            diverged: Vec::new(),
            measures: vec![Vec::new(); keys.len()],
            reasons: vec![String::new(); keys.len()],
        };
        for seed in 0..self.sweep.seeds {
            let seed = self.scenario.seed.wrapping_add(seed);
            let mut run = Run::new(plan.clone(), timeline, (seed, self.run as u64), None);
            run.forget_the_way();
            run.count_at_once();
            let steps = (WORK_PER_CALL / run.work().max(1) as u64).max(1);
            while run.step() < run.steps() {
                if !go_on() {
                    return Ok(None);
                }
                run.advance(steps, timeline);
                if !keeps_path {
                    drop(run.take_history());
                }
            }
            result.evaluations.push(run.gradient_evaluations() + run.density_evaluations());
            result.diverged.push(run.diverged_chains());
            let found = measured::measures(&run, keys, &scenario, timeline);
            for (number, key) in keys.iter().enumerate() {
                let measure = found.iter().find(|measure| measure.key == *key);
                let value = measure.and_then(|measure| measure.value);
                result.measures[number].push(value);
                if let (None, Some(measure), "") = (value, measure, result.reasons[number].as_str()) {
                    measure.reason.clone_into(&mut result.reasons[number]);
                }
            }
        }
        Ok(Some(result))
    }
}

/// Number of modes of the last target of a timeline, if its truth is known.
fn modes(timeline: &TargetTimeline) -> Option<usize> {
    let context = timeline.context(timeline.spans().len() - 1);
    Some(context.truth.modes().len()).filter(|modes| context.truth.is_known() && *modes > 0)
}

#[cfg(test)]
mod tests;

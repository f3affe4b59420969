//! The lines of a sweep: the first describes the sweep, each of the others has a cell.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::json;

use engine::scenario::{Caption, Scenario, ViewSpec, write};
use engine::session::sweep::{Cell, SweepPlan};

/// Version of the format of the lines.
const FORMAT: u32 = 1;

/// A cell. Lists have a value for each seed.
#[derive(Debug, Deserialize, Serialize)]
struct Record {
    /// Its number, from 0.
    cell: usize,
    /// The value of each axis.
    values: Vec<f64>,
    /// Evaluations spent by all chains.
    evaluations: Vec<f64>,
    /// Chains that left; earlier versions called them diverged.
    #[serde(alias = "diverged")]
    chains_left: Vec<u64>,
    /// The values of each measure, by key; `null` where there is none.
    measures: BTreeMap<String, Vec<Option<f64>>>,
    /// Why a measure is `null`, by key, if the reason is known.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    reasons: BTreeMap<String, String>,
}

/// The first line: everything that the cells depend on. Two sweeps with the same one have the same cells.
pub fn header(plan: &SweepPlan, exact: bool) -> String {
    let bare = Scenario {
        title: String::new(),
        caption: Caption::default(),
        view: ViewSpec::default(),
        sweep: plan.scenario().sweep.clone().map(|sweep| engine::scenario::Sweep { questions: Vec::new(), ..sweep }),
        ..plan.scenario().clone()
    };
    let axes = plan.sweep().axes.iter().zip(plan.axes());
    let axes: Vec<_> = axes.map(|(axis, values)| json!({ "parameter": axis.parameter, "values": values })).collect();
    let seeds: Vec<u64> = (0..plan.sweep().seeds).map(|seed| plan.scenario().seed.wrapping_add(seed)).collect();
    let mut header = json!({
        "format": FORMAT,
        "program": { "name": "Sampler Lab", "version": env!("CARGO_PKG_VERSION") },
        "run": plan.sweep().run,
        "axes": axes,
        "seeds": seeds,
        "measures": plan.sweep().measures,
        "cells": plan.cells(),
        "scenario_text": write(&bare),
    });
    if exact {
        header["exact"] = json!(true);
    }
    header.to_string()
}

/// The line of a cell.
pub fn line(plan: &SweepPlan, cell: &Cell) -> String {
    let measures = plan.sweep().measures.iter().map(|key| (*key).to_owned()).zip(cell.measures.iter().cloned());
    let reasons = plan.sweep().measures.iter().zip(&cell.reasons).filter(|(_, reason)| !reason.is_empty());
    let record = Record {
        cell: cell.number,
        values: plan.values_of(cell.number),
        evaluations: cell.evaluations.clone(),
        chains_left: cell.diverged.clone(),
        measures: measures.collect(),
        reasons: reasons.map(|(key, reason)| ((*key).to_owned(), reason.clone())).collect(),
    };
    json!(record).to_string()
}

/// The number of the cell in a line; `None` if the line is none of this sweep.
pub fn number(line: &str, plan: &SweepPlan) -> Option<usize> {
    Some(cell(line, plan)?.number)
}

/// The cells in lines.
///
/// # Errors
/// If a line is not one of this sweep.
pub fn cells(lines: &[String], plan: &SweepPlan) -> anyhow::Result<Vec<Cell>> {
    let cell = |line: &String| cell(line, plan).ok_or_else(|| anyhow::anyhow!("there is a line that is no cell"));
    lines.iter().map(cell).collect()
}

fn cell(line: &str, plan: &SweepPlan) -> Option<Cell> {
    let mut record: Record = serde_json::from_str(line).ok()?;
    let (sweep, seeds) = (plan.sweep(), usize::try_from(plan.sweep().seeds).ok()?);
    let measures: Option<Vec<_>> = sweep.measures.iter().map(|key| record.measures.remove(*key)).collect();
    let cell = Cell {
        number: record.cell,
        evaluations: record.evaluations,
        diverged: record.chains_left,
        measures: measures?,
        reasons: sweep.measures.iter().map(|key| record.reasons.remove(*key).unwrap_or_default()).collect(),
    };
    let lengths = [cell.evaluations.len(), cell.diverged.len()].into_iter().chain(cell.measures.iter().map(Vec::len));
    let whole = cell.number < plan.cells() && lengths.into_iter().all(|length| length == seeds);
    whole.then_some(cell)
}

//! `summary.json`: parameters, moments, approximations and measures of all runs.

use serde_json::{Map, Value as Json, json};

use crate::diagnostics::{Component, Fit, Measure, measure_dynamics};
use crate::math::{Matrix, Point};
use crate::session::{FitFrame, Frame, RunFrame};

/// The content of `summary.json`; `seconds` has the time of each run.
pub fn summarise(frame: &Frame, scenario: &str, seconds: &[f64]) -> Json {
    let dimension = frame.target.info().dimension;
    let runs: Vec<Json> = frame.runs.iter().zip(seconds).zip(&frame.scenario.runs).map(|((run, &seconds), spec)| {
        let mean = run.moments.map(|gaussian| gaussian.mean.iter().take(dimension).copied().collect::<Vec<_>>());
        json!({
            "name": run.plan.name,
            "method": frame.scenario.settings_at(spec, run.step).kind.name,
            "chains": run.plan.chains,
            "steps": run.step,
            "gradient_evaluations": run.gradient_evaluations,
            "seconds": seconds,
            "draws": run.collected,
            "diverged": run.diverged.iter().map(|&(chain, step)| json!({ "chain": chain, "step": step })).collect::<Vec<_>>(),
            "mean": mean,
            "covariance": run.moments.map(|gaussian| rows(&gaussian.covariance, dimension)),
            "fit": run.fits.as_ref().map(|fits| fit(run, fits, dimension)),
            "metrics": metrics(run),
            "dynamics": dynamics(run, frame),
        })
    }).collect();
    json!({
        "format": 1,
        "scenario": scenario,
        "title": frame.scenario.title,
        "seed": frame.scenario.seed,
        "runs": runs,
    })
}

/// A fitted approximation, with all moments in θ; values that it does not have are `null`.
fn fit(run: &RunFrame, fits: &FitFrame, dimension: usize) -> Json {
    let moments = fits.moments;
    let first = |point: Point| point.iter().take(dimension).copied().collect::<Vec<_>>();
    let of_fit = |key: &str| run.analysis.fit.measures.iter().find(|measure| measure.key == key)?.value;
    let component = |fit: &Fit, component: &Component| {
        let moments = fit.alone(component).moments();
        json!({
            "weight": component.weight,
            "mean": moments.map(|gaussian| first(gaussian.mean)),
            "covariance": moments.map(|gaussian| rows(&gaussian.covariance, dimension)),
            "evidence": component.log_evidence,
        })
    };
    let components =
        fits.fit.as_ref().map(|fit| fit.components().iter().map(|part| component(fit, part)).collect::<Vec<_>>());
    json!({
        "mean": moments.map(|gaussian| first(gaussian.mean)),
        "covariance": moments.map(|gaussian| rows(&gaussian.covariance, dimension)),
        "elbo": of_fit("elbo"),
        "evidence": of_fit("evidence"),
        "kl_qp": of_fit("kl_qp"),
        "kl_pq": of_fit("kl_pq"),
        "overlap": run.analysis.fit.overlap.map(|overlap| overlap.coefficient),
        "states": fits.records.iter().map(|record| record.state.name()).collect::<Vec<_>>(),
        "guards": fits.records.iter().map(|record| record.guards).sum::<u64>(),
        "components": components,
    })
}

/// The upper left block of a matrix, by rows.
fn rows(matrix: &Matrix, dimension: usize) -> Vec<Vec<f64>> {
    (0..dimension).map(|row| (0..dimension).map(|column| matrix[(row, column)]).collect()).collect()
}

/// Measures and their noise floors by key; `null` where a measure does not apply.
fn metrics(run: &RunFrame) -> Map<String, Json> {
    let pair = |measure: &Measure| {
        [(measure.key.to_owned(), json!(measure.value)), (format!("{}_floor", measure.key), json!(measure.floor))]
    };
    let slow = |measure: &Measure| match measure.floor {
        Some(_) => pair(measure).to_vec(),
        None => vec![(measure.key.to_owned(), json!(measure.value))],
    };
    run.measures.iter().flat_map(pair).chain(run.analysis.measures.iter().flat_map(slow)).collect()
}

/// Measures of the last step by key; `null` where a measure does not apply.
fn dynamics(run: &RunFrame, frame: &Frame) -> Map<String, Json> {
    let measures = measure_dynamics(&run.dynamics(&frame.truth));
    measures.into_iter().map(|measure| (measure.key.to_owned(), json!(measure.value))).collect()
}

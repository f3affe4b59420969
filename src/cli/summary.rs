//! `summary.json`: parameters, moments, approximations and measures of all runs.

use serde_json::{Map, Value as Json, json};

use crate::diagnostics::{Component, Fit, Measure, measure_dynamics};
use crate::draw::plots::{fit_remarks, warnings};
use crate::math::{Matrix, Point};
use crate::session::{FitFrame, Frame, RunFrame};

use super::topics;

/// The content of `summary.json`; `seconds` has the time of each run.
pub fn summarise(frame: &Frame, scenario: &str, seconds: &[f64]) -> Json {
    let dimension = frame.target.info().dimension;
    let runs: Vec<Json> = frame.runs.iter().zip(seconds).zip(&frame.scenario.runs).enumerate().map(|(index, ((run, &seconds), spec))| {
        let mean = run.moments.map(|gaussian| gaussian.mean.iter().take(dimension).copied().collect::<Vec<_>>());
        json!({
            "name": run.plan.name,
            "method": frame.scenario.settings_at(spec, run.step).kind.name,
            "chains": run.plan.chains,
            "steps": run.step,
            "gradient_evaluations": run.gradient_evaluations,
            "density_evaluations": run.density_evaluations,
            "seconds": seconds,
            "draws": run.fits.is_none().then_some(run.collected),
            "diverged": run.diverged.iter().map(|&(chain, step)| json!({ "chain": chain, "step": step })).collect::<Vec<_>>(),
            "warnings": warnings::of(frame, index),
            "mean": mean,
            "covariance": run.moments.map(|gaussian| rows(&gaussian.covariance, dimension)),
            "fit": run.fits.as_ref().map(|fits| fit(frame, run, fits)),
            "metrics": metrics(run),
            "series_thinning": run.fits.is_none().then_some(run.analysis.thinning),
            "dynamics": dynamics(run, frame),
            "topics": topics::summary(frame, run),
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

/// A fitted approximation, with all moments in θ and the number of draws from it; values that it does not have are `null`.
/// `elbo` is the bound of the distribution of θ, by quadrature; `bound` is what the method itself computed in its last
/// step, for coordinate ascent on a mixture with the latent assignments.
fn fit(frame: &Frame, run: &RunFrame, fits: &FitFrame) -> Json {
    let dimension = frame.target.info().dimension;
    let bound = fit_remarks::elbo(fits).map(|(bound, _)| {
        json!({
            "value": bound.value,
            "standard_error": bound.standard_error.is_finite().then_some(bound.standard_error),
            "latent": fit_remarks::augmented(run, frame.target.as_ref()),
        })
    });
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
        "draws": fits.draws.len(),
        "mean": moments.map(|gaussian| first(gaussian.mean)),
        "covariance": moments.map(|gaussian| rows(&gaussian.covariance, dimension)),
        "elbo": of_fit("elbo"),
        "bound": bound,
        "evidence": of_fit("evidence").or_else(|| fit_remarks::evidence(fits)),
        "kl_qp": of_fit("kl_qp"),
        "kl_pq": of_fit("kl_pq"),
        "overlap": run.analysis.fit.overlap.map(|overlap| overlap.coefficient),
        "states": fits.records.iter().map(|record| record.state.name()).collect::<Vec<_>>(),
        "not_positive": fits.records.iter().map(|record| record.not_positive).collect::<Vec<_>>(),
        "guards": fits.records.iter().map(|record| record.guards).sum::<u64>(),
        "components": components,
    })
}

/// The upper left block of a matrix, by rows.
fn rows(matrix: &Matrix, dimension: usize) -> Vec<Vec<f64>> {
    (0..dimension).map(|row| (0..dimension).map(|column| matrix[(row, column)]).collect()).collect()
}

/// Measures by key, their noise floors, and the bands in which nine of ten sets of exact draws are; `null` where a measure
/// does not apply.
fn metrics(run: &RunFrame) -> Map<String, Json> {
    let with_floor = |measure: &Measure| {
        let (floor, band) = (measure.floor.map(|floor| floor.mean), measure.floor.map(|floor| floor.band()));
        [
            (measure.key.to_owned(), json!(measure.value)),
            (format!("{}_floor", measure.key), json!(floor)),
            (format!("{}_floor_band", measure.key), json!(band)),
        ]
    };
    let slow = |measure: &Measure| match measure.floor {
        Some(_) => with_floor(measure).to_vec(),
        None => vec![(measure.key.to_owned(), json!(measure.value))],
    };
    run.measures
        .iter()
        .flat_map(with_floor)
        .chain(run.analysis.measures.iter().chain(&run.analysis.predicted.measures).flat_map(slow))
        .collect()
}

/// Measures of the last step by key, with its number and how many chains they are of: at most the first 64; `null` where
/// a measure does not apply.
fn dynamics(run: &RunFrame, frame: &Frame) -> Map<String, Json> {
    let measures = measure_dynamics(&run.dynamics(&frame.truth));
    let of = [("step", json!(run.step)), ("chains", json!(run.records.len()))];
    let values = measures.into_iter().map(|measure| (measure.key, json!(measure.value)));
    of.into_iter().chain(values).map(|(key, value)| (key.to_owned(), value)).collect()
}

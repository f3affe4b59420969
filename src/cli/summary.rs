//! `summary.json`: the scenario, moments, approximations and measures of all runs, and a reason for each `null`
//! ([`super::reasons`]). `docs/summary.schema.json` describes it.

use serde_json::{Map, Value as Json, json};

use base::math::{Distribution, Matrix, Point};
use draw::kit::warnings;
use draw::words::fit_remarks;
use engine::diagnostics::chain::{
    MEMBERS, OF_SERIES, PARTICLES, SHARED_BATCHES, ess_bulk_told, ess_tail_told, mcse_mean_weighted, rhat,
};
use engine::diagnostics::{Component, Fit, KSD, MOST_IN_KSD, Measure, Series, measure_dynamics};
use engine::scenario::write;
use engine::session::{FitFrame, Frame, RunFrame, analysis_measures};
use models::targets::DataNote;
use samplers::methods::{Acceptance, Interaction, MethodGroup, group, natural_of};

use super::own_results::OWN;
use super::{challenges, ended, exact, reasons};

/// The coordinates in files of draws.
pub const COLUMNS: [&str; 2] = ["x", "y"];

/// What is known of a run besides its last frame.
#[derive(Debug)]
pub struct Taken {
    /// The time that the run took.
    pub seconds: f64,
    /// Its collected draws in their order, perhaps thinned.
    pub series: Series,
    /// The step size of every chain, of a method that adapts one for each; `null` of a chain that has left.
    pub step_sizes: Option<Vec<Option<f64>>>,
    /// The inverse mass matrix of every chain, of a method that adapts one.
    pub inverse_mass: Option<Json>,
    /// The friction ξ of every chain, of a thermostat.
    pub thermostats: Option<Vec<f64>>,
    /// Where the first chain was at the end of each cycle: the number of the cycle from 0, the step, and θ. Empty if they
    /// were not asked for.
    pub ends: Vec<(u64, u64, Point)>,
}

/// The content of `summary.json`; `natural` asks for natural parameters of approximations.
pub fn summarise(frame: &Frame, scenario: &str, taken: &[Taken], natural: bool) -> Json {
    // Other targets take long to build.
    let experiment = frame.target.in_plane().and_then(|_| frame.scenario.build().ok());
    let of = |(index, (run, taken)): (usize, (&RunFrame, &Taken))| {
        let mut described = of_run(frame, index, taken, natural);
        described["exact"] = match &experiment {
            Some(experiment) => exact::json::in_summary(experiment, index),
            None => json!({ "not_computed": "the target has more than two coordinates" }),
        };
        reasons::complete(described, frame, run)
    };
    let runs: Vec<Json> = frame.runs.iter().zip(taken).enumerate().map(of).collect();
    let mut summary = json!({
        "format": 1,
        "program": { "name": "Sampler Lab", "version": env!("CARGO_PKG_VERSION") },
        "scenario": scenario,
        "scenario_text": write(&frame.scenario),
        "title": frame.scenario.title,
        "seed": frame.scenario.seed,
        "runs": runs,
    });
    if let Some(why) = frame.truth.why_unknown() {
        summary["truth_unknown"] = json!(why);
    }
    if let Some(note) = frame.target.data_note() {
        let DataNote { file, sha256, rows, left_out, .. } = note;
        summary["data"] = json!({ "file": file, "sha256": sha256, "rows": rows, "left_out": left_out });
    }
    if let Some(challenges) = challenges::summary(frame) {
        summary["challenges"] = challenges;
    }
    summary
}

/// One run; what has no value is `null`.
fn of_run(frame: &Frame, index: usize, taken: &Taken, natural: bool) -> Json {
    let (run, spec) = (&frame.runs[index], &frame.scenario.runs[index]);
    let dimension = frame.target.info().dimension;
    let mean = run.moments.map(|gaussian| gaussian.mean.iter().take(dimension).copied().collect::<Vec<_>>());
    let draws = run.fits.is_none();
    let mut described = json!({
        "name": run.plan.name,
        "method": frame.scenario.settings_at(spec, run.step).kind.name,
        "chains": run.plan.chains,
        "steps": run.step,
        "gradient_evaluations": run.gradient_evaluations,
        "density_evaluations": run.density_evaluations,
        "seconds": taken.seconds,
        "draws": draws.then_some(run.collected),
        "chains_left": run.diverged.iter().map(|&(chain, step)| json!({ "chain": chain, "step": step })).collect::<Vec<_>>(),
        "warnings": warnings::of(frame, index, true),
        "remarks": run.plan.remarks().chain(spec.idle()).collect::<Vec<_>>(),
        "mean": mean,
        "covariance": run.moments.map(|gaussian| rows(&gaussian.covariance, dimension)),
        "fit": run.fits.as_ref().map(|fits| fit(frame, run, fits, natural)),
        "leading": frame.target.family().leading.keys(!draws, frame.target.info().modes.len()),
        "metrics": metrics(run),
        "coordinates": draws.then(|| coordinates(frame, run, &taken.series)),
        "series_thinning": draws.then_some(run.analysis.thinning),
        "thinning": draws.then(|| thinning(run, &taken.series)),
        "thermostats": taken.thermostats,
        "step_sizes": taken.step_sizes,
        "inverse_mass": taken.inverse_mass,
        "exchanges": exchanges(run),
        "dynamics": dynamics(run, frame),
    });
    for own in OWN {
        described[own.key] = json!((own.summary)(frame, run));
    }
    let samples = draws && group(frame.scenario.settings_at(spec, run.step).kind) != MethodGroup::Optimisers;
    let more = ended::not_converged(frame, index, &described).filter(|_| samples);
    // A warning of chains that plainly disagree says the same.
    let is_of_rhat = |warning: &Json| warning.as_str().is_some_and(|words| words.contains("R-hat"));
    let warnings = described["warnings"].as_array_mut().filter(|warnings| !warnings.iter().any(is_of_rhat));
    if let Some(warnings) = warnings {
        warnings.extend(more.map(Json::from));
    }
    described
}

/// The mean probabilities of exchanges of neighbouring replicas, from the coldest on; nothing unless all are known.
fn exchanges(run: &RunFrame) -> Option<Vec<f64>> {
    let rates: Vec<f64> = run.swaps.iter().map(Acceptance::rate).collect::<Option<_>>()?;
    (!rates.is_empty()).then_some(rates)
}

/// R-hat, ESS and MCSE of every coordinate, with the reason where one has no value.
fn coordinates(frame: &Frame, run: &RunFrame, series: &Series) -> Vec<Json> {
    let info = frame.target.info();
    let dependent = match (run.is_ensemble(), run.plan.interaction(), run.plan.shares_batches()) {
        (true, _, _) => Some(MEMBERS),
        (false, Interaction::Particles, _) => Some(PARTICLES),
        (false, _, true) => Some(SHARED_BATCHES),
        (false, _, false) => None,
    };
    let of = |axis: usize| {
        let (draws, batches) = (series.coordinate(axis), series.batch_means(axis));
        let values = [
            ("rhat", rhat(&draws)),
            ("ess_bulk", ess_bulk_told(&draws)),
            ("ess_tail", ess_tail_told(&draws)),
            ("mcse_mean", mcse_mean_weighted(&batches, series.batch_weights())),
        ];
        let mut entry = json!({ "column": COLUMNS[axis], "label": info.axes[axis], "reasons": {} });
        for (key, value) in values {
            let value = match dependent {
                Some(reason) if value.is_ok() => Err(reason),
                _ => value,
            };
            entry[key] = json!(value.ok());
            if let Err(reason) = value {
                entry["reasons"][key] = json!(reason);
            }
        }
        entry
    };
    (0..info.dimension).map(of).collect()
}

/// How many collected draws there are for each draw, or mean of consecutive draws, that a measure of chains is computed from.
fn thinning(run: &RunFrame, series: &Series) -> Map<String, Json> {
    let of = |key: &'static str| match key {
        _ if OF_SERIES.contains(&key) => run.analysis.thinning,
        "mcse_mean" => series.every(),
        key if key == KSD.key => run.collected.div_ceil(MOST_IN_KSD as u64).max(1),
        _ => 1,
    };
    analysis_measures().map(|spec| (spec.key.to_owned(), json!(of(spec.key)))).collect()
}

/// A fitted approximation, with all moments in θ and the number of draws from it; values that it does not have are `null`.
/// `elbo` is the bound of the distribution of θ, by quadrature; `bound` is what the method itself computed in its last
/// step, for coordinate ascent on a mixture with the latent assignments.
fn fit(frame: &Frame, run: &RunFrame, fits: &FitFrame, natural: bool) -> Json {
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
        let mut described = json!({
            "weight": component.weight,
            "mean": moments.map(|gaussian| first(gaussian.mean)),
            "covariance": moments.map(|gaussian| rows(&gaussian.covariance, dimension)),
            "evidence": component.log_evidence,
        });
        if natural {
            described["natural"] = json!(natural_parameters(dimension, &component.distribution));
        }
        described
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

/// Natural parameters of a distribution in the coordinates in which it was fitted: of a Gaussian Λm and Λ; of a normal–gamma
/// distribution, whose factors are independent, those of the normal factor and shape − 1 and −rate.
fn natural_parameters(dimension: usize, distribution: &Distribution) -> Json {
    match distribution {
        Distribution::Line { .. } | Distribution::Plane(_) => {
            let [x, y, xx, xy, yy]: [f64; 5] = natural_of(dimension, distribution).into();
            match dimension {
                1 => json!({ "precision_mean": [x], "precision": [[xx]] }),
                _ => json!({ "precision_mean": [x, y], "precision": [[xx, xy], [xy, yy]] }),
            }
        }
        Distribution::NormalGamma { mean, precision, shape, rate } => json!({
            "precision_mean": [precision * mean],
            "precision": [[precision]],
            "gamma": [shape - 1.0, -rate],
        }),
    }
}

/// The upper left block of a matrix, by rows.
pub(super) fn rows(matrix: &Matrix, dimension: usize) -> Vec<Vec<f64>> {
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
    run.measures.iter().flat_map(with_floor).chain(run.analysis.all().flat_map(slow)).collect()
}

/// Measures of the last step by key, with its number and how many chains they are of: at most the first 64; `null` where
/// a measure does not apply.
fn dynamics(run: &RunFrame, frame: &Frame) -> Map<String, Json> {
    let measures = measure_dynamics(&run.dynamics(&frame.truth));
    let of = [("step", json!(run.step)), ("chains", json!(run.records.len()))];
    let values = measures.into_iter().map(|measure| (measure.key, json!(measure.value)));
    of.into_iter().chain(values).map(|(key, value)| (key.to_owned(), value)).collect()
}

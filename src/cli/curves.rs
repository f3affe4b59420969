//! The numbers behind the plots, and the truth, as files in a folder `data` beside `summary.json` (`run --data`).
//!
//! One run computes all of them, so that every file is of the same draws; each is small: a curve has as many points as its plot.
//! The trace of a run is its draws (`--draws csv --every-step`), and the curves of repeats need repeats (`render --view truth`).

use std::io::Write;

use anyhow::Context;
use csv::Writer;
use serde_json::{Value as Json, json};

use crate::platform::now;
use base::math::Point;
use draw::views::chain::geometry::ranks;
use draw::views::path::MOST_PAIRS;
use engine::diagnostics::chain::{autocorrelation, running_mean};
use engine::diagnostics::path::{PLACES, Path};
use engine::diagnostics::{Measure, all_measures};
use engine::scenario::practice::step_symbol;
use engine::session::{Frame, RunFrame, SmoothingErrors, smoothing};
use samplers::schedules::StepSizes;

use super::predicted;
use super::results::Results;
use super::summary::{COLUMNS, Taken, rows};

/// Lags of autocorrelations, at most.
const LAGS: usize = 1000;

/// Points of a running mean, at most.
const POINTS: usize = 500;

pub type Lines<'a> = dyn FnMut(&[String]) -> csv::Result<()> + 'a;

/// Writes the files of all runs.
///
/// # Errors
/// If a file cannot be written.
pub fn write(results: &mut Results, frame: &Frame, taken: &[Taken]) -> anyhow::Result<()> {
    let name = "data/truth.json";
    let mut file = results.file(name)?;
    writeln!(file, "{:#}", truth(frame)).context(name)?;
    results.close(name, file)?;
    table(results, "data/readout.csv", &READOUT, |line| readout(frame, line))?;
    for (run, taken) in frame.runs.iter().zip(taken) {
        of_run(results, frame, run, taken)?;
        predicted::write(results, frame, run, taken)?;
    }
    Ok(())
}

fn of_run(results: &mut Results, frame: &Frame, run: &RunFrame, taken: &Taken) -> anyhow::Result<()> {
    let name = |folder: &str| format!("data/{folder}/{}.csv", run.plan.name);
    if let Some(sizes) = sizes(frame, run) {
        let name = name("schedule");
        let mut file = results.file(&name)?;
        file.write_all(sizes.csv().as_bytes()).context(name.clone())?;
        results.close(&name, file)?;
    }
    if !run.parts.is_empty() {
        table(results, &name("steps"), &STEPS, |line| steps(run, line))?;
    }
    let dimension = frame.target.info().dimension;
    if let Some(fits) = &run.fits {
        table(results, &name("elbo"), &ELBO, |line| {
            for chain in 0..fits.trace.chains() {
                for (step, record) in fits.trace.of_chain(chain) {
                    let (value, error) = record.elbo.map(|elbo| (elbo.value, elbo.standard_error)).unzip();
                    let state = record.state.name().to_owned();
                    line(&[
                        chain.to_string(),
                        step.to_string(),
                        number(value),
                        number(error),
                        number(record.log_evidence),
                        state,
                    ])?;
                }
            }
            Ok(())
        })?;
        if let Ok(curves) = smoothing(frame, run) {
            table(results, &name("smoothing"), &SMOOTHING, |line| smoothed(&curves, line))?;
        }
    } else if taken.series.rows() > 0 {
        table(results, &name("autocorrelation"), &["coordinate", "lag", "autocorrelation"], |line| {
            for (axis, column) in COLUMNS.iter().enumerate().take(dimension) {
                for (lag, value) in autocorrelation(&taken.series.coordinate(axis), LAGS).into_iter().enumerate() {
                    line(&[(*column).to_owned(), lag.to_string(), number(Some(value))])?;
                }
            }
            Ok(())
        })?;
        table(results, &name("ranks"), &["coordinate", "chain", "bin", "ratio"], |line| {
            for (axis, column) in COLUMNS.iter().enumerate().take(dimension) {
                let Ok(ranks) = ranks(&taken.series.coordinate(axis)) else { continue };
                for (chain, ratios) in ranks.ratios.iter().enumerate() {
                    for (bin, ratio) in ratios.iter().enumerate() {
                        let (chain, bin) = (chain.to_string(), (bin + 1).to_string());
                        line(&[(*column).to_owned(), chain, bin, number(Some(*ratio))])?;
                    }
                }
            }
            Ok(())
        })?;
        table(results, &name("running-mean"), &["coordinate", "draws_per_chain", "mean", "mcse"], |line| {
            for (axis, column) in COLUMNS.iter().enumerate().take(dimension) {
                for running in now(running_mean(&taken.series.coordinate(axis), taken.series.weights(), POINTS)) {
                    let (mean, mcse) = (number(Some(running.mean)), number(running.mcse));
                    line(&[(*column).to_owned(), running.draws.to_string(), mean, mcse])?;
                }
            }
            Ok(())
        })?;
    }
    if let Some(density) = frame.target.density().filter(|_| taken.ends.len() > 1) {
        table(results, &name("path"), &["cycle", "next_cycle", "share", "minus_log_p"], |line| {
            let newest = taken.ends.len().saturating_sub(MOST_PAIRS + 1);
            for pair in taken.ends[newest..].windows(2) {
                let path = Path::between(density.as_ref(), pair[0].2, pair[1].2, PLACES);
                for (share, height) in path.curve() {
                    let cycles = [0, 1].map(|end| (pair[end].0 + 1).to_string());
                    let [cycle, next] = cycles;
                    line(&[cycle, next, number(Some(share)), number(Some(height))])?;
                }
            }
            Ok(())
        })?;
    }
    Ok(())
}

const READOUT: [&str; 8] = ["run", "measure", "label", "value", "floor", "floor_low", "floor_high", "reason"];

const STEPS: [&str; 10] = [
    "step",
    "step_size",
    "momentum_x",
    "momentum_y",
    "drift_x",
    "drift_y",
    "gradient_noise_x",
    "gradient_noise_y",
    "injected_noise_x",
    "injected_noise_y",
];

const ELBO: [&str; 6] = ["chain", "step", "elbo", "standard_error", "log_evidence", "state"];

const SMOOTHING: [&str; 6] = ["average", "window", "step", "squared_bias", "variance", "squared_error"];

/// A CSV file with a header, whose lines `write` gives.
pub fn table(
    results: &mut Results,
    name: &str,
    header: &[&str],
    write: impl FnOnce(&mut Lines<'_>) -> csv::Result<()>,
) -> anyhow::Result<()> {
    let mut file = results.file(name)?;
    {
        let mut out = Writer::from_writer(&mut file);
        let written = out.write_record(header).and_then(|()| write(&mut |cells| out.write_record(cells)));
        written.and_then(|()| Ok(out.flush()?)).context(name.to_owned())?;
    }
    results.close(name, file)
}

/// A number in all its digits; empty where there is none.
pub fn number(value: Option<f64>) -> String {
    value.filter(|value| value.is_finite()).map_or_else(String::new, |value| format!("{value:?}"))
}

/// The step sizes of a run, if its method has any.
fn sizes<'a>(frame: &'a Frame, run: &'a RunFrame) -> Option<StepSizes<'a>> {
    let spec = frame.scenario.runs.iter().find(|spec| spec.name == run.plan.name)?;
    step_symbol(frame.scenario.settings_at(spec, 0).kind).map(|_| run.plan.step_sizes())
}

/// All measures of all runs, with floors and reasons.
fn readout(frame: &Frame, line: &mut Lines<'_>) -> csv::Result<()> {
    let label = |measure: &Measure| all_measures().find(|spec| spec.key == measure.key).map_or("", |spec| spec.label);
    for run in &frame.runs {
        let analysis = &run.analysis;
        let fit = if run.fits.is_some() { &analysis.fit.measures[..] } else { &[] };
        for measure in run.measures.iter().chain(fit).chain(analysis.all()) {
            let (floor, band) = (measure.floor.map(|floor| floor.mean), measure.floor.map(|floor| floor.band()));
            line(&[
                run.plan.name.clone(),
                measure.key.to_owned(),
                label(measure).to_owned(),
                number(measure.value),
                number(floor),
                number(band.map(|band| band[0])),
                number(band.map(|band| band[1])),
                measure.reason.to_owned(),
            ])?;
        }
    }
    Ok(())
}

/// Root mean squares over the chains of the parts of some steps.
fn steps(run: &RunFrame, line: &mut Lines<'_>) -> csv::Result<()> {
    for part in run.parts.iter() {
        let sizes = [part.carried, part.drift, part.gradient_noise, part.injected_noise];
        let head = [part.step.to_string(), number(Some(part.alpha))];
        let cells = sizes.iter().flat_map(|size| [number(Some(size.x)), number(Some(size.y))]);
        line(&head.into_iter().chain(cells).collect::<Vec<_>>())?;
    }
    Ok(())
}

/// Bias and variance of averages: of the run itself, and of estimates and natural gradients over several windows.
fn smoothed(smoothing: &SmoothingErrors, line: &mut Lines<'_>) -> csv::Result<()> {
    let own = smoothing.own.iter().map(|curve| ("own", smoothing.window, curve));
    let estimates = smoothing.windows.iter().map(|(window, curve)| ("estimates", *window, curve));
    let gradients = smoothing.gradients.iter().map(|(window, curve)| ("gradients", *window, curve));
    for (average, window, curve) in own.chain(estimates).chain(gradients) {
        for (index, step) in smoothing.steps.iter().enumerate() {
            let at = |values: &[f64]| number(values.get(index).copied());
            let errors = [at(&curve.squared_bias), at(&curve.variance), at(&curve.squared_error)];
            let [squared_bias, variance, squared_error] = errors;
            line(&[average.to_owned(), window.to_string(), step.to_string(), squared_bias, variance, squared_error])?;
        }
    }
    for (step, error) in smoothing.steps.iter().zip(&smoothing.realised) {
        line(&["realised".to_owned(), String::new(), step.to_string(), String::new(), String::new(), number(*error)])?;
    }
    Ok(())
}

/// What is known exactly of the target; `null` where it is not known.
fn truth(frame: &Frame) -> Json {
    let (info, truth) = (frame.target.info(), &frame.truth);
    let dimension = info.dimension;
    let point = |at: Point| at.iter().take(dimension).map(|x| finite(*x)).collect::<Vec<_>>();
    let modes = info.modes.iter().map(
        |mode| json!({ "at": point(mode.at), "weight": mode.weight, "covariance": rows(&mode.covariance, dimension) }),
    );
    let modes: Vec<Json> = modes.filter(|_| !truth.is_withdrawn()).collect();
    let (grid, axes) = (truth.grid(), info.axes);
    let edges = |axis: &base::math::Axis| (0..=axis.cells).map(|number| axis.edge(number)).collect::<Vec<_>>();
    let edges = [edges(&grid.x), edges(&grid.y)];
    let (known, (mean, covariance)) = (truth.is_known(), info.told_moments());
    json!({
        "format": 1,
        "kind": frame.scenario.target.kind.name,
        "since_step": frame.runs.first().map(|run| run.target_since),
        "dimension": dimension,
        "labels": axes.iter().take(dimension).collect::<Vec<_>>(),
        "data": frame.target.data_count(),
        "known": known,
        "doubt": truth.why_unknown().or(truth.doubt()),
        "log_normaliser": finite(info.told_log_normaliser()).filter(|_| known),
        "mean": known.then(|| point(mean)),
        "covariance": known.then(|| rows(&covariance, dimension)),
        "modes": modes,
        "mode_radius": finite(truth.radius()),
        "largest_curvature": truth.curvature(),
        "support": { "low": point(info.support.min), "high": point(info.support.max) },
        "view": { "low": point(info.view.min), "high": point(info.view.max) },
        "grid": {
            "edges": edges.iter().take(dimension).collect::<Vec<_>>(),
            "probabilities": known.then(|| truth.probabilities()),
            "outside": known.then(|| truth.outside()),
        },
    })
}

/// A number, or `None` where it is none.
fn finite(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}

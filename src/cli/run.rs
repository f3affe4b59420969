//! `run`: a scenario to its end, with `summary.json` and, if asked, every draw.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use anyhow::Context;
use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::{Map, Value as Json, json};

use crate::diagnostics::{Component, Fit, Measure, Series, measure_dynamics};
use crate::math::{Matrix, Point};
use crate::session::{Analyser, FitFrame, Frame, RunFrame, Session, extend_series};

use super::draws::{DrawFile, DrawFormat};
use super::output::{Results, SUMMARY};
use super::{Failure, read};

/// Work between two looks at the progress bar, in steps of a chain.
const SLICE: u64 = 1 << 19;

/// What `run` takes.
#[derive(Args, Debug)]
pub struct RunArgs {
    /// A .toml file, a PNG made by this program, or the name of a lesson
    scenario: PathBuf,
    /// Directory for the results: new, empty, or of earlier results, which are replaced
    #[arg(long)]
    out: PathBuf,
    /// Also write every collected draw (of an approximation, draws from its fit): chain, step, x, y, weight
    #[arg(long, value_enum)]
    draws: Option<DrawFormat>,
    /// Use this seed instead of the scenario's
    #[arg(long)]
    seed: Option<u64>,
    /// Show no progress
    #[arg(long)]
    quiet: bool,
}

/// Runs a scenario and writes its results.
pub fn run(args: &RunArgs) -> Result<(), Failure> {
    let mut scenario = read(&args.scenario)?;
    scenario.seed = args.seed.unwrap_or(scenario.seed);
    let results = Results::at(&args.out)?;
    let mut session = Session::new(scenario).map_err(|errors| Failure::Usage(in_lines(&errors)))?;
    let seconds = advance_all(&mut session, args, &results)?;
    session.measure_exactly();
    let mut summary = results.file(SUMMARY)?;
    let text = summarise(&session.frame(), &args.scenario.display().to_string(), &seconds);
    writeln!(summary, "{text:#}").and_then(|()| summary.flush()).context(SUMMARY)?;
    Ok(results.publish()?)
}

/// One reason per line.
pub fn in_lines(errors: &[crate::params::ParamError]) -> String {
    errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// Runs every run to its end, one after the other, writes the draws as they come, has the slow measures worked out, and
/// returns the seconds each run took.
fn advance_all(session: &mut Session, args: &RunArgs, results: &Results) -> anyhow::Result<Vec<f64>> {
    let interrupted = interruption()?;
    let plans: Vec<_> = session.frame().runs.iter().map(|run| run.plan.clone()).collect();
    let bar = progress(plans.iter().map(|plan| plan.steps).sum(), args.quiet);
    let mut seconds = Vec::new();
    let mut series = Vec::new();
    for (index, plan) in plans.iter().enumerate() {
        let mut gathered = Series::new(plan.chains);
        let mut file = args.draws.map(|format| DrawFile::new(results, &plan.name, format)).transpose()?;
        let begun = Instant::now();
        bar.set_message(plan.name.clone());
        let slice = (SLICE / session.work_of(index) as u64).max(1);
        for made in (0..plan.steps).step_by(usize::try_from(slice).unwrap_or(usize::MAX)) {
            let steps = slice.min(plan.steps - made);
            session.advance_run(index, steps);
            let path = session.take_history(index);
            extend_series(&mut gathered, &path, plan, plan.target_since(u64::MAX));
            if let Some(file) = &mut file {
                file.write(&path, plan)?;
            }
            bar.inc(steps);
            anyhow::ensure!(!interrupted.load(Ordering::Relaxed), "interrupted; nothing was written");
        }
        if let Some(mut file) = file {
            if let Some(fits) = &session.frame().runs[index].fits {
                file.write_fit(plan.steps, &fits.draws)?;
            }
            file.finish()?;
        }
        seconds.push(begun.elapsed().as_secs_f64());
        series.push(gathered);
    }
    bar.finish_and_clear();
    let (frame, mut analyser) = (session.frame(), Analyser::default());
    for (index, series) in series.iter().enumerate() {
        session.set_analysis(index, analyser.analyse_series(&frame, &frame.runs[index], series));
    }
    Ok(seconds)
}

/// A flag that goes up when the user or the system asks the program to end, so that nothing half done stays behind.
fn interruption() -> anyhow::Result<Arc<AtomicBool>> {
    let flag = Arc::new(AtomicBool::new(false));
    let raised = Arc::clone(&flag);
    ctrlc::set_handler(move || raised.store(true, Ordering::Relaxed)).context("signals")?;
    Ok(flag)
}

/// A progress bar on standard error; invisible if that is no terminal.
fn progress(steps: u64, quiet: bool) -> ProgressBar {
    let target = if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
    let template = "{msg:12} {bar:40} {human_pos}/{human_len} steps  {eta}";
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::with_draw_target(Some(steps), target).with_style(style)
}

/// Everything worth knowing about the runs, as `summary.json` has it.
fn summarise(frame: &Frame, scenario: &str, seconds: &[f64]) -> Json {
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

/// What an approximation has fitted, with all moments in θ; `null` for what it does not have.
fn fit(run: &RunFrame, fits: &FitFrame, dimension: usize) -> Json {
    let moments = fits.moments;
    let first = |point: Point| point.iter().take(dimension).copied().collect::<Vec<_>>();
    let of_fit = |key: &str| run.analysis.fit.measures.iter().find(|measure| measure.key == key)?.value;
    let distribution = |fit: &Fit, component: &Component| {
        let moments = fit.alone(component).moments();
        json!({
            "weight": component.weight,
            "mean": moments.map(|gaussian| first(gaussian.mean)),
            "covariance": moments.map(|gaussian| rows(&gaussian.covariance, dimension)),
            "evidence": component.log_evidence,
        })
    };
    let distributions =
        fits.fit.as_ref().map(|fit| fit.components().iter().map(|part| distribution(fit, part)).collect::<Vec<_>>());
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
        "distributions": distributions,
    })
}

/// The upper left part of a matrix, by rows.
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

/// Readouts of the last step by key; `null` where there is none.
fn dynamics(run: &RunFrame, frame: &Frame) -> Map<String, Json> {
    let readouts = measure_dynamics(&run.dynamics(&frame.truth));
    readouts.into_iter().map(|measure| (measure.key.to_owned(), json!(measure.value))).collect()
}

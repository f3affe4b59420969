//! `run`: a scenario to its end, with `summary.json` and, if asked, every draw.

use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::Context;
use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::{Map, Value as Json, json};

use crate::math::Matrix;
use crate::session::{Draw, Frame, RunFrame, Session};

use super::output::Results;
use super::{Failure, read};

/// Steps between two looks at the progress bar.
const SLICE: u64 = 4096;

/// What `run` takes.
#[derive(Args, Debug)]
pub struct RunArgs {
    /// A .toml file, a PNG made by this program, or the name of a lesson
    scenario: PathBuf,
    /// Directory for the results: new, empty, or of earlier results, which are replaced
    #[arg(long)]
    out: PathBuf,
    /// Also write every collected draw: chain, step, x, y, weight
    #[arg(long, value_enum)]
    draws: Option<DrawFormat>,
    /// Use this seed instead of the scenario's
    #[arg(long)]
    seed: Option<u64>,
    /// Show no progress
    #[arg(long)]
    quiet: bool,
}

/// How draws are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DrawFormat {
    /// Text with a header line; numbers read back to the same bits.
    Csv,
    /// A NumPy array of 64-bit floats, one row a draw, columns as in the CSV header.
    Npy,
}

/// Runs a scenario and writes its results.
pub fn run(args: &RunArgs) -> Result<(), Failure> {
    let mut scenario = read(&args.scenario)?;
    scenario.seed = args.seed.unwrap_or(scenario.seed);
    let results = Results::at(&args.out)?;
    let mut session = Session::new(scenario).map_err(|errors| Failure::Usage(in_lines(&errors)))?;
    let seconds = advance_all(&mut session, args.quiet);
    session.measure_exactly();
    let frame = session.frame();
    let mut summary = results.file("summary.json")?;
    writeln!(summary, "{:#}", summarise(&frame, &args.scenario.display().to_string(), &seconds))
        .context("summary.json")?;
    summary.flush().context("summary.json")?;
    if let Some(format) = args.draws {
        for run in &frame.runs {
            write_draws(&results, run, format)?;
        }
    }
    Ok(results.publish()?)
}

/// One reason per line.
pub fn in_lines(errors: &[crate::params::ParamError]) -> String {
    errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// Runs every run to its end, one after the other, and returns the seconds each took.
fn advance_all(session: &mut Session, quiet: bool) -> Vec<f64> {
    let plans: Vec<_> = session.frame().runs.iter().map(|run| run.plan.clone()).collect();
    let bar = progress(plans.iter().map(|plan| plan.steps).sum(), quiet);
    let advance = |(index, plan): (usize, &std::sync::Arc<crate::scenario::RunPlan>)| {
        let begun = Instant::now();
        bar.set_message(plan.name.clone());
        let mut made = 0;
        while made < plan.steps {
            let steps = SLICE.min(plan.steps - made);
            session.advance_run(index, steps);
            made += steps;
            bar.inc(steps);
        }
        begun.elapsed().as_secs_f64()
    };
    let seconds = plans.iter().enumerate().map(advance).collect();
    bar.finish_and_clear();
    seconds
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
    let dimension = frame.target.facts().dimension;
    let runs: Vec<Json> = frame.runs.iter().zip(seconds).zip(&frame.scenario.runs).map(|((run, &seconds), spec)| {
        let mean = run.moments.map(|gaussian| gaussian.mean.iter().take(dimension).copied().collect::<Vec<_>>());
        json!({
            "name": run.plan.name,
            "method": spec.settings.kind.name,
            "chains": run.plan.chains,
            "steps": run.step,
            "gradient_evaluations": run.gradient_evaluations,
            "seconds": seconds,
            "draws": run.collected,
            "draws_kept_every": run.history.stride(),
            "diverged": run.diverged.iter().map(|&(chain, step)| json!({ "chain": chain, "step": step })).collect::<Vec<_>>(),
            "mean": mean,
            "covariance": run.moments.map(|gaussian| rows(&gaussian.covariance, dimension)),
            "metrics": metrics(run),
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

/// The upper left part of a matrix, by rows.
fn rows(matrix: &Matrix, dimension: usize) -> Vec<Vec<f64>> {
    (0..dimension).map(|row| (0..dimension).map(|column| matrix[(row, column)]).collect()).collect()
}

/// Measures and their noise floors by key; `null` where a measure does not apply.
fn metrics(run: &RunFrame) -> Map<String, Json> {
    let pair = |measure: &crate::diagnostics::Measure| {
        [(measure.key.to_owned(), json!(measure.value)), (format!("{}_floor", measure.key), json!(measure.floor))]
    };
    run.measures.iter().flat_map(pair).collect()
}

/// Writes the collected draws of one run.
fn write_draws(results: &Results, run: &RunFrame, format: DrawFormat) -> anyhow::Result<()> {
    let extension = match format {
        DrawFormat::Csv => "csv",
        DrawFormat::Npy => "npy",
    };
    let name = format!("draws/{}.{extension}", file_name(&run.plan.name));
    let file = results.file(&name)?;
    let draws = run.history.iter().filter(|draw| draw.weight > 0.0);
    // The history rounds weights to save room; the plan knows them exactly.
    let draws = draws.map(|draw| Draw { weight: run.plan.weight(draw.step), ..draw });
    match format {
        DrawFormat::Csv => write_csv(file, draws),
        DrawFormat::Npy => write_npy(file, &draws.collect::<Vec<_>>()),
    }
    .with_context(|| name)
}

fn write_csv(mut file: impl Write, draws: impl Iterator<Item = Draw>) -> anyhow::Result<()> {
    writeln!(file, "chain,step,x,y,weight")?;
    for draw in draws {
        writeln!(file, "{},{},{:?},{:?},{:?}", draw.chain, draw.step, draw.at.x, draw.at.y, draw.weight)?;
    }
    Ok(file.flush()?)
}

#[expect(clippy::cast_precision_loss, reason = "chains and steps are far below 2⁵³")]
fn write_npy(file: impl Write, draws: &[Draw]) -> anyhow::Result<()> {
    use npyz::WriterBuilder;
    let shape = [draws.len() as u64, 5];
    let mut writer = npyz::WriteOptions::<f64>::new().default_dtype().shape(&shape).writer(file).begin_nd()?;
    for draw in draws {
        writer.extend([draw.chain as f64, draw.step as f64, draw.at.x, draw.at.y, draw.weight])?;
    }
    Ok(writer.finish()?)
}

/// The name of a run as a file name: letters and digits of any script, everything else a dash.
fn file_name(name: &str) -> String {
    name.chars().map(|letter| if letter.is_alphanumeric() || "-_.".contains(letter) { letter } else { '-' }).collect()
}

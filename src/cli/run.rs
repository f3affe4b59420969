//! `run`: runs a scenario to its end and writes `summary.json` and, on request, all draws.

use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::Context;
use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::diagnostics::Series;
use crate::params::{ParamErrors, printable};
use crate::scenario::RunPlan;
use crate::session::{Analyser, Session, extend_series};

use super::draws::{DrawFile, DrawFormat};
use super::results::{Results, SUMMARY};
use super::summary::summarise;
use super::{Failure, complain, end_on_signals, left_out, read, topics};

/// Work between two updates of the progress bar, in steps of one chain.
const SLICE: u64 = 1 << 19;

/// Arguments of `run`.
#[derive(Args, Debug)]
pub struct RunArgs {
    /// A .toml file, a figure made by this program, or the name of a lesson
    scenario: PathBuf,
    /// Directory for the results: new, empty, or of earlier results, which are replaced
    #[arg(long)]
    out: PathBuf,
    /// Also write all collected draws (for an approximation, draws from it): chain, step, x, y, weight
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
    end_on_signals()?;
    let mut results = Results::at(&args.out)?;
    let mut session = Session::new(scenario).map_err(ParamErrors)?;
    complain(
        &left_out(session.frame().target.as_ref())
            .into_iter()
            .map(|left| format!("warning: {left}"))
            .collect::<Vec<_>>(),
    );
    if let Some(format) = args.draws {
        results.check_room(draws(&session).saturating_mul(format.bytes_per_draw()))?;
    }
    let seconds = advance_all(&mut session, args, &mut results)?;
    session.measure_exactly();
    topics::write(&mut results, &session.frame())?;
    let mut summary = results.file(SUMMARY)?;
    let text = summarise(&session.frame(), &args.scenario.display().to_string(), &seconds);
    writeln!(summary, "{text:#}").context(SUMMARY)?;
    results.close(SUMMARY, summary)?;
    Ok(results.publish()?)
}

/// The number of draws that the runs of a session will collect; those from approximations are few.
fn draws(session: &Session) -> u64 {
    let of_run = |plan: &RunPlan| {
        let since = plan.target_since(u64::MAX);
        let steps = (since + 1..=plan.steps).filter(|&step| plan.collects(step)).count();
        (plan.chains as u64).saturating_mul(steps as u64)
    };
    session.frame().runs.iter().map(|run| of_run(&run.plan)).fold(0, u64::saturating_add)
}

/// Advances every run to its end, one after the other, writes the draws on the way, computes the slow measures, and
/// returns the seconds that each run takes.
fn advance_all(session: &mut Session, args: &RunArgs, results: &mut Results) -> anyhow::Result<Vec<f64>> {
    let plans: Vec<_> = session.frame().runs.iter().map(|run| run.plan.clone()).collect();
    let bar = progress(plans.iter().map(|plan| plan.steps).sum(), args.quiet);
    let mut seconds = Vec::new();
    let mut series = Vec::new();
    for (index, plan) in plans.iter().enumerate() {
        let mut collected = Series::new(plan.chains);
        let mut file = args.draws.map(|format| DrawFile::new(results, &plan.name, format)).transpose()?;
        let start = Instant::now();
        bar.set_message(printable(&plan.name).into_owned());
        let slice = (SLICE / session.work_of(index) as u64).max(1);
        for taken in (0..plan.steps).step_by(usize::try_from(slice).unwrap_or(usize::MAX)) {
            let steps = slice.min(plan.steps - taken);
            session.advance_run(index, steps);
            let path = session.take_history(index);
            extend_series(&mut collected, &path, plan, plan.target_since(u64::MAX));
            if let Some(file) = &mut file {
                file.write(&path, plan)?;
            }
            bar.inc(steps);
            if let Some(documents) = documents(session, index) {
                bar.set_prefix(format!("{:.0} documents/s ", documents / start.elapsed().as_secs_f64().max(1e-9)));
            }
        }
        if let Some(mut file) = file {
            if let Some(fits) = &session.frame().runs[index].fits {
                file.write_fit(plan.steps, &fits.draws)?;
            }
            file.finish(results)?;
        }
        seconds.push(start.elapsed().as_secs_f64());
        series.push(collected);
    }
    bar.set_message("measuring");
    let (frame, mut analyser) = (session.frame(), Analyser::thorough());
    for (index, series) in series.iter().enumerate() {
        session.set_analysis(index, analyser.analyse_series(&frame, &frame.runs[index], series));
    }
    bar.finish_and_clear();
    Ok(seconds)
}

/// Documents that the chains of a run have seen so far, on a target of topics.
fn documents(session: &Session, index: usize) -> Option<f64> {
    let frame = session.frame();
    let documents = frame.target.topics()?.documents();
    Some(frame.runs[index].evaluations() * documents as f64)
}

/// A progress bar on standard error; invisible if standard error is no terminal.
fn progress(steps: u64, quiet: bool) -> ProgressBar {
    let target = if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
    let template = "{msg:12} {bar:40} {human_pos}/{human_len} steps  {prefix}{eta}";
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::with_draw_target(Some(steps), target).with_style(style)
}

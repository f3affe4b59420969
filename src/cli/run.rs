//! `run`: runs a scenario to its end and writes `summary.json` and, on request, all draws.

use crate::platform::now;
use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::Context;
use clap::{Args, ValueEnum};
use serde_json::{Value as Json, json};

use crate::output::draws::coordinates::{self, CoordinateFile, thinning};
use crate::output::draws::{Destination, DrawChoice, DrawFile, DrawFormat};
use base::params::{ParamErrors, printable};
use draw::kit::time_axis::data_of_evaluation;
use draw::views::study_choice::MOST_REPEATS;
use engine::diagnostics::Series;
use engine::scenario::budget::{LEAST, MOST};
use engine::scenario::{RunPlan, Scenario};
use engine::session::{Analyser, Frame, Session, cycle_ends_in, extend_series};
use samplers::methods::{DENSE_MASS, DIAGONAL_MASS};

use super::numeric::{between, whole};
use super::own_results::OWN;
use super::results::{COORDINATES, DRAWS, Results, SUMMARY};
use super::summary::{Taken, summarise};
use super::{Failure, complain, curves, end_on_signals, ended, progress, read, reference, repeated, say};

/// Work between two updates of the progress bar, in steps of one chain.
const SLICE: u64 = 1 << 19;

/// Arguments of `run`.
#[derive(Args, Debug)]
pub struct RunArgs {
    /// A .toml file, a figure made by this program, a link, or the name of a lesson
    scenario: PathBuf,
    /// Directory for the results: new, empty, or of earlier results, which are replaced
    #[arg(long)]
    out: PathBuf,
    /// Also write all collected draws (for an approximation, draws from it), in one format or several (csv,npy): chain, step, x, y, weight,
    /// cycle, stage; on a target in more dimensions also all coordinates under their names, in a folder coordinates, of as many steps as
    /// are kept
    #[arg(long, value_enum, value_delimiter = ',', value_name = "FORMATS")]
    draws: Vec<FileOfDraws>,
    /// For --draws csv and npy: write every position, from the start on; those that are not collected have weight 0
    #[arg(long, requires = "draws")]
    every_step: bool,
    /// Also write a folder data with the numbers behind the plots: the truth, the readout, step sizes, parts of steps, ELBO, bias and
    /// variance of SVI, ranks, autocorrelation, running means, lines between cycles, functions, maps, reliability, errors on test data
    #[arg(long)]
    data: bool,
    /// With --data: also write all measures of so many repeats of the scenario along their runs, each with the next seed, and tables over the
    /// seeds
    #[arg(long, requires = "data", value_parser = whole(1..=MOST_REPEATS))]
    repeats: Option<u64>,
    /// Of a network, compute the posterior of its functions by a long HMC run first, and compare the runs with it (w1_functions and others)
    #[arg(long)]
    reference: bool,
    /// Also write the natural parameters of fitted Gaussians into summary.json: precision times mean, and precision
    #[arg(long)]
    natural: bool,
    /// Use this seed instead of the scenario's
    #[arg(long, value_parser = whole(0..=u64::MAX))]
    seed: Option<u64>,
    /// End every run once all its chains together have spent so many evaluations, whatever its steps: all runs cost the same
    #[arg(long, value_name = "EVALUATIONS", value_parser = between(LEAST..=MOST))]
    budget: Option<f64>,
    /// Keep all coordinates of every collected step, up to 2 GiB of memory for each run, and not of up to 4096 steps
    #[arg(long)]
    unthinned: bool,
    /// Show no progress, and nothing at the end
    #[arg(long)]
    quiet: bool,
}

/// Format of a file of draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FileOfDraws {
    /// Text with a header line; its numbers read back to the same bits
    Csv,
    /// A NumPy array of 64-bit floats, one row per draw, columns as in the CSV header; stage: 1 exploration, 2 sampling, 0 neither
    Npy,
    /// A Zarr store for ArviZ (arviz.from_zarr): posterior and sample_stats, by chain and draw
    Zarr,
}

impl From<FileOfDraws> for DrawFormat {
    fn from(format: FileOfDraws) -> Self {
        match format {
            FileOfDraws::Csv => Self::Csv,
            FileOfDraws::Npy => Self::Npy,
            FileOfDraws::Zarr => Self::Zarr,
        }
    }
}

/// Runs a scenario and writes its results.
pub fn run(args: &RunArgs) -> Result<(), Failure> {
    let mut scenario = read(&args.scenario)?;
    scenario.seed = args.seed.unwrap_or(scenario.seed);
    if args.budget.is_some() {
        scenario = scenario.with_budget(args.budget);
    }
    let choices = choices(args);
    if choices.iter().any(|choice| choice.format == DrawFormat::Zarr && choice.every_step) {
        let problem = "a posterior in Zarr has collected draws alone";
        return Err(Failure::option("every-step", problem, "with --draws csv or npy"));
    }
    end_on_signals()?;
    let mut results = Results::at(&args.out)?;
    let mut session = Session::new(scenario).map_err(ParamErrors)?;
    if args.unthinned {
        session.keep_all_vectors();
    }
    complain(
        &session
            .scenario()
            .idle()
            .into_iter()
            .chain(session.frame().target.warnings())
            .map(|left| format!("warning: {left}"))
            .collect::<Vec<_>>(),
    );
    if !choices.is_empty() {
        let bytes = choices.iter().map(|choice| bytes(&session.frame(), *choice, args.unthinned));
        results.check_space(bytes.fold(0, u64::saturating_add))?;
    }
    let taken = advance_all(&mut session, args, &choices, &mut results)?;
    session.measure_exactly();
    OWN.iter().try_for_each(|own| (own.write)(&mut results, &session.frame()))?;
    if args.data {
        curves::write(&mut results, &session.frame(), &taken)?;
        if let Some(count) = args.repeats {
            repeated::write(&mut results, session.scenario(), (count, args.quiet))?;
        }
    }
    let mut summary = results.file(SUMMARY)?;
    let text = summarise(&session.frame(), &args.scenario.display().to_string(), &taken, args.natural);
    writeln!(summary, "{text:#}").context(SUMMARY)?;
    results.close(SUMMARY, summary)?;
    results.publish()?;
    if args.quiet { Ok(()) } else { say(&ended::words(&session.frame(), &text, &args.out)) }
}

/// What is asked for of draws, each format once.
fn choices(args: &RunArgs) -> Vec<DrawChoice> {
    let asked = args.draws.iter().enumerate().filter(|(place, format)| !args.draws[..*place].contains(*format));
    asked
        .map(|(_, format)| DrawChoice { format: (*format).into(), every_step: args.every_step, named: false })
        .collect()
}

/// The bytes of all draws in a format.
fn bytes(frame: &Frame, choice: DrawChoice, unthinned: bool) -> u64 {
    let draws = |plan: &RunPlan| (plan.chains as u64).saturating_mul(choice.rows(plan));
    let all = frame.runs.iter().map(|run| draws(&run.plan)).fold(0, u64::saturating_add);
    let named = frame.runs.iter().map(|run| coordinates::bytes(frame.target.as_ref(), run, choice, unthinned));
    all.saturating_mul(choice.format.bytes_per_draw()).saturating_add(named.fold(0, u64::saturating_add))
}

/// Advances every run to its end, one after the other, writes the draws on the way, and computes the slow measures.
fn advance_all(
    session: &mut Session,
    args: &RunArgs,
    choices: &[DrawChoice],
    results: &mut Results,
) -> Result<Vec<Taken>, Failure> {
    // The ends of cycles are among the data.
    let (quiet, with_ends) = (args.quiet, args.data);
    let plans: Vec<_> = session.frame().runs.iter().map(|run| run.plan.clone()).collect();
    let steps = plans.iter().map(|plan| plan.steps).sum();
    let bar = progress::unless(quiet, "{msg:12} {bar:40} {human_pos}/{human_len} steps  {prefix}{eta}", steps);
    let (scenario, mut taken) = (session.scenario().clone(), Vec::new());
    for (index, plan) in plans.iter().enumerate() {
        let (mut collected, mut ends, mut step_sizes) = (Series::new(plan.chains), Vec::new(), None);
        let mut files = draw_files(results, &session.frame(), (&*scenario, &**plan), choices)?;
        let start = Instant::now();
        bar.set_message(printable(&plan.name).into_owned());
        let slice = (SLICE / session.work_of(index) as u64).max(1);
        for before in (0..plan.steps).step_by(usize::try_from(slice).unwrap_or(usize::MAX)) {
            let steps = slice.min(plan.steps - before);
            session.advance_run(index, steps);
            let path = session.take_history(index);
            step_sizes = path.step_sizes().filter(|_| plan.adapts()).or(step_sizes);
            extend_series(&mut collected, &path, plan, plan.target_since(u64::MAX));
            if with_ends {
                ends.extend(cycle_ends_in(&path, plan));
            }
            for file in &mut files {
                file.write(results, (&path, 0..path.rows()), plan)?;
            }
            bar.inc(steps);
            if session.has_ended(index) {
                // A budget may end it before.
                bar.inc(plan.steps - before - steps);
                break;
            }
            if let Some((seen, data)) = data_seen(session, index) {
                bar.set_prefix(format!("{:.0} {data}/s ", seen / start.elapsed().as_secs_f64().max(1e-9)));
            }
        }
        for mut file in files {
            if let Some(fits) = &session.frame().runs[index].fits {
                file.write_fit(results, plan, &fits.draws)?;
            }
            file.finish(results)?;
        }
        write_coordinates(results, (&session.frame(), index), choices)?;
        let thermostats = session.carried(index, "thermostat").map(|chains| chains.concat());
        let (seconds, inverse_mass) = (start.elapsed().as_secs_f64(), inverse_mass(session, index));
        taken.push(Taken { seconds, series: collected, step_sizes, inverse_mass, thermostats, ends });
    }
    if args.reference {
        reference::compute(session, quiet)?;
    }
    bar.set_message("measuring");
    let (frame, mut analyser) = (session.frame(), Analyser::thorough());
    for (index, taken) in taken.iter().enumerate() {
        session.set_analysis(index, now(analyser.analyse_series(&frame, &frame.runs[index], &taken.series)));
    }
    bar.finish_and_clear();
    Ok(taken)
}

/// The files of the draws of a run, one of each format.
fn draw_files(
    results: &Results,
    frame: &Frame,
    of: (&Scenario, &RunPlan),
    choices: &[DrawChoice],
) -> anyhow::Result<Vec<DrawFile<<Results as Destination>::File>>> {
    // The store of a target in more dimensions is made of the vectors that are kept.
    let in_plane = |choice: &&DrawChoice| choice.format != DrawFormat::Zarr || frame.target.in_vectors().is_none();
    let file = |choice: &DrawChoice| {
        let name = format!("{DRAWS}/{}.{}", of.1.name, choice.format.extension());
        DrawFile::new(results, name, of, *choice, frame.target.info().dimension)
    };
    choices.iter().filter(in_plane).map(file).collect()
}

/// The inverse mass matrix that every chain has adapted.
fn inverse_mass(session: &Session, index: usize) -> Option<Json> {
    /// Dimensions up to which a dense matrix is written with all its entries.
    const MOST: usize = 32;
    if let Some(sds) = session.carried(index, DIAGONAL_MASS) {
        let squares = |sds: &Vec<f64>| sds.iter().map(|sd| sd * sd).collect::<Vec<f64>>();
        return Some(json!({ "kind": "diagonal", "chains": sds.iter().map(squares).collect::<Vec<_>>() }));
    }
    let factors = session.carried(index, DENSE_MASS)?;
    let chain = |factor: &Vec<f64>| {
        let rows: Vec<&[f64]> = rows_of_triangle(factor).collect();
        let entry = |a: &&[f64], b: &&[f64]| a.iter().zip(*b).map(|(a, b)| a * b).sum::<f64>();
        if rows.len() > MOST {
            return json!(rows.iter().map(|row| entry(row, row)).collect::<Vec<f64>>());
        }
        json!(rows.iter().map(|a| rows.iter().map(|b| entry(a, b)).collect::<Vec<f64>>()).collect::<Vec<_>>())
    };
    Some(json!({ "kind": "dense", "chains": factors.iter().map(chain).collect::<Vec<_>>() }))
}

/// The rows of a lower triangle that lie one after the other, each up to the diagonal.
fn rows_of_triangle(entries: &[f64]) -> impl Iterator<Item = &[f64]> {
    let mut rest = entries;
    (1..).map_while(move |length| {
        let (row, more) = rest.split_at_checked(length)?;
        rest = more;
        Some(row)
    })
}

/// Writes the vectors that are kept of a run, on a target in more dimensions than are drawn.
fn write_coordinates(
    results: &mut Results,
    (frame, index): (&Frame, usize),
    choices: &[DrawChoice],
) -> anyhow::Result<()> {
    let (run, target) = (&frame.runs[index], frame.target.as_ref());
    let mut is_written = false;
    for choice in choices {
        let folder = if choice.format == DrawFormat::Zarr { DRAWS } else { COORDINATES };
        let name = format!("{folder}/{}.{}", run.plan.name, choice.format.extension());
        let Some(mut file) = CoordinateFile::new(results, name, (frame, run), *choice)? else { continue };
        file.write(results, (target, run), 0..coordinates::rows(run))?;
        file.finish(results)?;
        is_written = true;
    }
    let apart = thinning(run);
    if is_written && apart > 1 {
        let name = printable(&run.plan.name);
        complain(&[format!(
            "note: the draws of {name} in all coordinates are those of one of every {apart} collected steps"
        )]);
    }
    Ok(())
}

/// The data that the chains of a run have seen so far, where they are its cost, and what they are called.
fn data_seen(session: &Session, index: usize) -> Option<(f64, &'static str)> {
    let frame = session.frame();
    let data = data_of_evaluation(&frame)?;
    Some((frame.runs[index].evaluations() * data, frame.target.family().cost.name))
}

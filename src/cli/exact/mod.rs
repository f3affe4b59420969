//! `exact`: distributions of the runs of a scenario, computed without draws; a table, and on request files.
//!
//! A number is shown with the digits on which a coarse and a fine grid agree. What is not computed has its reason. Exit code 0 if something
//! of a run was computed, 1 if nothing was. What is known of a run is said before the next one begins.

pub(super) mod files;
pub(super) mod json;
mod words;

use std::path::PathBuf;

use anyhow::anyhow;
use clap::Args;

use base::params::{ParamErrors, printable};
use engine::distributions::{Ask, Computable, Found, NotComputed};
use engine::scenario::{Experiment, Scenario};

use super::numeric::whole;
use super::results::Results;
use super::{Failure, complain, end_on_signals, progress, read};

/// Parts of a progress bar.
const PARTS: u64 = 1000;

/// Arguments of `exact`.
#[derive(Args, Debug)]
pub struct ExactArgs {
    /// A .toml file, a figure made by this program, a link, or the name of a lesson
    scenario: PathBuf,
    /// The run, by name; all runs if left out
    #[arg(long)]
    run: Option<String>,
    /// Steps after which the distribution is asked for, from 1: they stand behind the scenario; the last step if left out
    #[arg(long, value_name = "STEP", num_args = 1.., value_parser = whole(1..=100_000_000_u64))]
    at: Vec<u64>,
    /// Directory for exact.json, the probabilities of cells, matrices and curves: new, empty, or of earlier results, which are replaced
    #[arg(long)]
    out: Option<PathBuf>,
    /// Show no progress, and nothing at the end
    #[arg(long)]
    quiet: bool,
}

/// A run and what was found of it.
#[derive(Debug)]
pub(super) struct RunFound {
    /// Its name.
    pub name: String,
    /// What carries the distribution, and what is approximate in it, in words.
    pub kind: Option<(engine::distributions::Kind, Option<&'static str>)>,
    /// What was found, or why nothing was.
    pub found: Result<Found, NotComputed>,
}

/// Computes the distributions of runs.
pub fn exact(args: &ExactArgs) -> Result<(), Failure> {
    let scenario = read(&args.scenario)?;
    let numbers = chosen(&scenario, args.run.as_deref())?;
    let experiment = scenario.build().map_err(ParamErrors)?;
    end_on_signals()?;
    let mut results = args.out.as_ref().map(|out| Results::at(out)).transpose()?;
    let (mut runs, mut said) = (Vec::new(), words::Saying::new(args.quiet));
    for number in numbers {
        let run = of_run(&experiment, number, args)?;
        said.add(&experiment, &run)?;
        runs.push(run);
    }
    if let Some(results) = &mut results {
        files::write(results, &experiment, &args.scenario.display().to_string(), &scenario, &runs)?;
    }
    if let Some(results) = results {
        results.publish()?;
    }
    let refused = |run: &RunFound| Some(format!("{}: {}", printable(&run.name), words::why_nothing(run)?));
    let reasons: Vec<String> = runs.iter().filter_map(refused).collect();
    if reasons.len() == runs.len() {
        let early = args.at.is_empty() && runs.iter().any(|run| run.kind.is_some());
        let hint = if early { "; early steps may have one: --at 1" } else { "" };
        return Err(Failure::Running(anyhow!("no exact distribution: {}{hint}", reasons.join("; "))));
    }
    if args.quiet {
        complain(&reasons.iter().map(|reason| format!("note: {reason}")).collect::<Vec<_>>());
    }
    said.end()?;
    Ok(())
}

/// Numbers of the runs that are asked for.
fn chosen(scenario: &Scenario, name: Option<&str>) -> Result<Vec<usize>, Failure> {
    let Some(name) = name else { return Ok((0..scenario.runs.len()).collect()) };
    match scenario.runs.iter().position(|run| run.name == name) {
        Some(number) => Ok(vec![number]),
        None => {
            let names: Vec<&str> = scenario.runs.iter().map(|run| run.name.as_str()).collect();
            Err(Failure::option("run", format!("there is no run \"{name}\""), names.join(", ")))
        }
    }
}

fn of_run(experiment: &Experiment, number: usize, args: &ExactArgs) -> Result<RunFound, Failure> {
    let plan = &experiment.runs[number];
    let mut at = if args.at.is_empty() { vec![plan.steps] } else { args.at.clone() };
    at.sort_unstable();
    at.dedup();
    if let Some(late) = at.iter().find(|step| **step > plan.steps) {
        let allowed = format!("from 1 to {}, the last step of {}", plan.steps, plan.name);
        return Err(Failure::option("at", format!("{late} is no step of the run"), allowed));
    }
    let run = match Computable::new(experiment, number) {
        Ok(run) => run,
        Err(why) => return Ok(RunFound { name: plan.name.clone(), kind: None, found: Err(why) }),
    };
    let ask = Ask { at, collected: true, stationary: true, errors: true, cycles: true, briefly: false };
    let bar = progress::unless(args.quiet, "{msg:12} {bar:40} {percent} %  {eta}", PARTS);
    bar.set_message(printable(&plan.name).into_owned());
    let found = run.solve(&ask, &mut |done| {
        let position = base::math::elementary::whole_bits((PARTS as f64 * done).clamp(0.0, PARTS as f64));
        bar.set_position(u64::from(position));
        true
    });
    bar.finish_and_clear();
    Ok(RunFound { name: plan.name.clone(), kind: Some((run.kind(), run.approximation())), found })
}

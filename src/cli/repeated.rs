//! The numbers behind the plots of convergence and of comparison: all measures of repeats with other seeds, along the runs.

use std::ops::ControlFlow;

use base::params::ParamErrors;
use engine::scenario::Scenario;
use engine::session::repeats::{Taken, repeat};

use super::curves::{number, table};
use super::progress;
use super::results::Results;

const HEADER: [&str; 6] = ["seed", "run", "step", "evaluations", "measure", "value"];

/// Computes `count` repeats and writes `data/repeats.csv`.
///
/// # Errors
/// If the scenario cannot be built, or the file not be written.
pub fn write(results: &mut Results, scenario: &Scenario, (count, quiet): (u64, bool)) -> anyhow::Result<()> {
    let taken = [Taken::Truth, Taken::Analysis];
    let bar = progress::unless(quiet, "repeats {bar:40} {pos}/{len}  {eta}", count * taken.len() as u64);
    let mut repeats = Vec::new();
    for number in 0..count {
        for taken in taken {
            repeats.extend(repeat(scenario, number, taken, |_| ControlFlow::Continue(())).map_err(ParamErrors)?);
            bar.inc(1);
        }
    }
    bar.finish_and_clear();
    table(results, "data/repeats.csv", &HEADER, |line| {
        for repeat in &repeats {
            for (run, stops) in scenario.runs.iter().zip(&repeat.runs) {
                for stop in stops {
                    for measure in &stop.measures {
                        line(&[
                            repeat.seed.to_string(),
                            run.name.clone(),
                            stop.step.to_string(),
                            number(Some(stop.evaluations)),
                            measure.key.to_owned(),
                            number(measure.value),
                        ])?;
                    }
                }
            }
        }
        Ok(())
    })
}

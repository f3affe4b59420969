//! The numbers behind the plots of convergence and of comparison: all measures of repeats with other seeds, along the runs.

use std::io::Write;
use std::ops::ControlFlow;

use base::params::ParamErrors;
use draw::words::seed_table;
use draw::words::tables::TableFormat;
use engine::scenario::Scenario;
use engine::session::repeats::{Taken, repeat};
use engine::session::seed_table::SeedTable;

use super::curves::{number, table};
use super::progress;
use super::results::Results;

const HEADER: [&str; 6] = ["seed", "run", "step", "evaluations", "measure", "value"];

/// Computes `count` repeats and writes `data/repeats.csv`, and the measures at the ends of the runs as tables, `data/seeds.*`.
///
/// # Errors
/// If the scenario cannot be built, or the file not be written.
pub fn write(results: &mut Results, scenario: &Scenario, (count, quiet): (u64, bool)) -> anyhow::Result<()> {
    let bar = progress::unless(quiet, "repeats {bar:40} {pos}/{len}  {eta}", count);
    let mut repeats = Vec::new();
    for number in 0..count {
        repeats.extend(repeat(scenario, number, Taken::All, |_| ControlFlow::Continue(())).map_err(ParamErrors)?);
        bar.inc(1);
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
    })?;
    let built = scenario.build().map_err(ParamErrors)?;
    let Some(span) = built.spans.last() else { return Ok(()) };
    let all = SeedTable::of(&repeats, &span.target, scenario.view.measures.as_deref());
    let names: Vec<String> = scenario.runs.iter().map(|run| run.name.clone()).collect();
    for (format, extension) in TableFormat::ALL.into_iter().zip(["csv", "md", "tex", "typ"]) {
        let name = format!("data/seeds.{extension}");
        let mut file = results.file(&name)?;
        file.write_all(seed_table::written(&scenario.title, &all, &names, format).as_bytes())?;
        results.close(&name, file)?;
    }
    Ok(())
}

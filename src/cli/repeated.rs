//! The numbers behind the plots of convergence and of comparison: all measures of repeats with other seeds, along the runs.

use std::io::Write;
use std::ops::ControlFlow;

use base::params::ParamErrors;
use draw::words::seed_table;
use draw::words::tables::TableFormat;
use engine::diagnostics::{CHAIN_MEASURES, MeasureSpec, TRUTH_MEASURES};
use engine::scenario::Scenario;
use engine::session::repeats::{Repeat, Taken, repeat};
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
    let taken = [Taken::Truth, Taken::Analysis];
    let bar = progress::unless(quiet, "repeats {bar:40} {pos}/{len}  {eta}", count * taken.len() as u64);
    let (mut repeats, mut of_truth, mut of_chains) = (Vec::new(), Vec::new(), Vec::new());
    for number in 0..count {
        for taken in taken {
            let made = repeat(scenario, number, taken, |_| ControlFlow::Continue(())).map_err(ParamErrors)?;
            match taken {
                Taken::Truth => of_truth.extend(made.clone()),
                Taken::Analysis => of_chains.extend(made.clone()),
            }
            repeats.extend(made);
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
    })?;
    tables(results, scenario, (&of_truth, &of_chains))
}

/// Writes the tables over seeds: the headlines among the measures against the truth, and of chains.
fn tables(
    results: &mut Results,
    scenario: &Scenario,
    (of_truth, of_chains): (&[Repeat], &[Repeat]),
) -> anyhow::Result<()> {
    let headlines = |specs: &[MeasureSpec]| specs.iter().filter(|spec| spec.headline).copied().collect::<Vec<_>>();
    let modes = scenario.build().map_err(ParamErrors)?.spans.last().map_or(0, |span| span.target.info().modes.len());
    let mut all = SeedTable::of(of_truth, &headlines(&TRUTH_MEASURES));
    all.measures.extend(SeedTable::of(of_chains, &headlines(&CHAIN_MEASURES)).measures);
    all.measures.retain(|measure| modes > 1 || !measure.spec.key.starts_with("mode"));
    let names: Vec<String> = scenario.runs.iter().map(|run| run.name.clone()).collect();
    for (format, extension) in TableFormat::ALL.into_iter().zip(["csv", "md", "tex", "typ"]) {
        let name = format!("data/seeds.{extension}");
        let mut file = results.file(&name)?;
        file.write_all(seed_table::written(&all, &names, format).as_bytes())?;
        results.close(&name, file)?;
    }
    Ok(())
}

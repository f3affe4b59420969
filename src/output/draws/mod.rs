//! Files of draws, as CSV, for NumPy or as Zarr, written while a run goes on or from the history that it has kept.

pub mod coordinates;
mod memory;
pub mod npy;
mod zarr;
mod zarr_draws;

use std::io::{Seek, Write};
use std::ops::Range;

use anyhow::Context;
use serde_json::{Value as Json, json};

use base::math::Point;
use engine::scenario::{RunPlan, Scenario, write};
use engine::session::History;
use samplers::schedules::Stage;

pub use memory::{Memory, zipped};
use npy::NpyFile;
pub use zarr::group_of;
use zarr_draws::{Draw, StepStats, ZarrDraws};

/// Numbers per draw in a NumPy file: chain, step, x, y, weight, cycle, stage.
pub const COLUMNS: usize = 7;

/// The same by their names.
const HEADER: &str = "chain,step,x,y,weight,cycle,stage";

/// Where files are put.
pub trait Destination {
    /// A file that is being written.
    type File: Write + Seek;

    /// A new file.
    ///
    /// # Errors
    /// If it cannot be created.
    fn file(&self, name: &str) -> anyhow::Result<Self::File>;

    /// Completes a file that [`file`](Self::file) has made.
    ///
    /// # Errors
    /// If it cannot be written.
    fn close(&mut self, name: &str, file: Self::File) -> anyhow::Result<()>;
}

/// Format of a file of draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawFormat {
    /// Text with a header line; its numbers read back to the same bits.
    Csv,
    /// A NumPy array of 64-bit floats, one row per draw, columns as in the CSV header; stage: 1 exploration, 2 sampling, 0 neither.
    Npy,
    /// A Zarr store for ArviZ: posterior and sample_stats, by chain and draw.
    Zarr,
}

impl DrawFormat {
    /// The extension of its files and folders.
    #[must_use]
    pub fn extension(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Npy => "npy",
            Self::Zarr => "zarr",
        }
    }

    /// Bytes of one draw: exact for NumPy, typical for text, at most for Zarr.
    pub fn bytes_per_draw(self) -> u64 {
        match self {
            Self::Csv => 65,
            Self::Npy => 8 * COLUMNS as u64,
            Self::Zarr => 107,
        }
    }
}

/// Which rows a file of draws has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawChoice {
    /// The format of the file.
    pub format: DrawFormat,
    /// Whether it has every position, from the start on, or the collected draws alone.
    pub every_step: bool,
    /// Whether text has the name of the run in a first column.
    pub named: bool,
}

impl DrawChoice {
    /// The number of steps of a run whose draws are written, or of draws from its approximation.
    #[must_use]
    pub fn rows(self, plan: &RunPlan) -> u64 {
        let fitting = plan.segments.last().and_then(|segment| segment.method.fitting());
        let of_fit = fitting.map_or(0, |fitting| fitting.draws as u64);
        if self.every_step {
            return (plan.steps + 1).saturating_add(of_fit);
        }
        let since = plan.target_since(u64::MAX);
        (since + 1..=plan.steps).filter(|&step| plan.collects(step)).count() as u64 + of_fit
    }
}

/// The file of one run's draws.
#[derive(Debug)]
pub struct DrawFile<F> {
    name: String,
    every_step: bool,
    rows: Rows<F>,
    written: u64,
}

#[derive(Debug)]
enum Rows<F> {
    /// Text, one line per draw, and what every line begins with.
    Csv(F, String),
    /// A matrix, one row per draw.
    Npy(NpyFile<F, COLUMNS>),
    /// Arrays by chain and draw.
    Zarr(Box<ZarrDraws>),
}

/// What all draws of a step have in common.
#[derive(Clone, Copy)]
struct Step {
    number: u64,
    weight: f64,
    /// Its cycle, from 1, and its stage; `None` without cycles, and of the start.
    cycle: Option<(u64, Stage)>,
}

impl Step {
    fn of(plan: &RunPlan, number: u64) -> Self {
        let schedule = &plan.segment_of(number).schedule;
        let cycle = schedule.cycle(number).filter(|_| number > 0).map(|cycle| (cycle + 1, schedule.stage(number)));
        Self { number, weight: plan.weight(number), cycle }
    }
}

impl<F: Write + Seek> DrawFile<F> {
    /// The file, or for Zarr the folder, with this name for a run of a scenario; `dimension` is that of the target.
    ///
    /// # Errors
    /// If the file cannot be created.
    pub fn new(
        destination: &impl Destination<File = F>,
        name: String,
        (scenario, plan): (&Scenario, &RunPlan),
        choice: DrawChoice,
        dimension: usize,
    ) -> anyhow::Result<Self> {
        let run = &plan.name;
        let rows = match choice.format {
            DrawFormat::Csv => {
                let mut file = destination.file(&name)?;
                let first = if choice.named { "run," } else { "" };
                writeln!(file, "{first}{HEADER}").with_context(|| name.clone())?;
                Rows::Csv(file, if choice.named { format!("{},", quoted(run)) } else { String::new() })
            }
            DrawFormat::Npy => Rows::Npy(NpyFile::new(destination.file(&name)?).with_context(|| name.clone())?),
            DrawFormat::Zarr => {
                let size = (chains_of(plan), choice.rows(plan));
                let of = (dimension, plan.transitions());
                Rows::Zarr(Box::new(ZarrDraws::new(name.clone(), size, of, attributes(scenario, plan))))
            }
        };
        Ok(Self { name, every_step: choice.every_step, rows, written: 0 })
    }

    /// Number of draws that are written.
    pub fn written(&self) -> u64 {
        self.written
    }

    /// Writes the draws of some rows of a history.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(
        &mut self,
        destination: &mut impl Destination<File = F>,
        (path, rows): (&History, Range<usize>),
        plan: &RunPlan,
    ) -> anyhow::Result<()> {
        if matches!(self.rows, Rows::Zarr(_)) && is_fit(plan) {
            // Draws before the approximation took over are those of another method.
            return Ok(());
        }
        let since = plan.target_since(u64::MAX);
        let wanted = |step: &u64| self.every_step || *step > since && plan.collects(*step);
        let rows: Vec<(usize, u64)> = rows.map(|row| (row, path.step(row))).filter(|(_, step)| wanted(step)).collect();
        for (row, number) in rows {
            let mut step = Step::of(plan, number);
            step.weight *= path.weight(row);
            if number <= since {
                // A draw of an earlier target counts for nothing.
                step.weight = 0.0;
            }
            if let Rows::Zarr(draws) = &mut self.rows {
                let draw = |chain| Draw {
                    at: path.position(row, chain),
                    values: None,
                    transition: path.transition(row, chain),
                };
                draws.push(destination, stats(plan, step), draw)?;
                self.written += (0..path.chains()).filter(|chain| path.position(row, *chain).is_some()).count() as u64;
                continue;
            }
            for chain in 0..path.chains() {
                let Some(at) = path.position(row, chain) else { continue };
                self.put(chain, step, at)?;
            }
        }
        Ok(())
    }

    /// Writes draws from the approximation that a run has fitted after all its steps.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write_fit(
        &mut self,
        destination: &mut impl Destination<File = F>,
        plan: &RunPlan,
        draws: &[Point],
    ) -> anyhow::Result<()> {
        let step = Step { number: plan.steps, weight: 1.0, cycle: None };
        for &at in draws {
            match &mut self.rows {
                Rows::Zarr(draws) => {
                    draws.push(destination, stats(plan, step), |_| Draw {
                        at: Some(at),
                        values: None,
                        transition: None,
                    })?;
                    self.written += 1;
                }
                Rows::Csv(..) | Rows::Npy(_) => self.put(0, step, at)?,
            }
        }
        Ok(())
    }

    fn put(&mut self, chain: usize, step: Step, at: Point) -> anyhow::Result<()> {
        let Step { number, weight, cycle } = step;
        self.written += 1;
        match &mut self.rows {
            Rows::Csv(file, first) => {
                let (cycle, stage) =
                    cycle.map_or_else(Default::default, |(cycle, stage)| (cycle.to_string(), word(stage)));
                writeln!(file, "{first}{chain},{number},{:?},{:?},{weight:?},{cycle},{stage}", at.x, at.y)
            }
            Rows::Npy(file) => {
                let (cycle, stage) = cycle.map_or((0, 0.0), |(cycle, stage)| (cycle, code(stage)));
                file.push([chain as f64, number as f64, at.x, at.y, weight, cycle as f64, stage])
            }
            Rows::Zarr(_) => Ok(()),
        }
        .with_context(|| self.name.clone())
    }

    /// Completes the file.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn finish(self, destination: &mut impl Destination<File = F>) -> anyhow::Result<()> {
        let file = match self.rows {
            Rows::Csv(file, _) => file,
            Rows::Npy(file) => file.finish().with_context(|| self.name.clone())?,
            Rows::Zarr(draws) => return draws.finish(destination),
        };
        destination.close(&self.name, file)
    }
}

/// What the root of a Zarr store says of a run.
fn attributes(scenario: &Scenario, plan: &RunPlan) -> Json {
    let spec = scenario.runs.iter().find(|spec| spec.name == plan.name);
    let method = spec.map(|spec| scenario.settings_at(spec, plan.steps).kind.name);
    json!({ "run": plan.name, "method": method, "seed": scenario.seed, "scenario": write(scenario) })
}

/// A field of a CSV file.
fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

/// Whether a run ends with an approximation.
fn is_fit(plan: &RunPlan) -> bool {
    plan.segments.last().is_some_and(|segment| segment.method.fitting().is_some())
}

/// Chains of a Zarr store: draws from an approximation are independent, and make one.
fn chains_of(plan: &RunPlan) -> usize {
    if is_fit(plan) { 1 } else { plan.chains }
}

fn stats(plan: &RunPlan, step: Step) -> StepStats {
    let Step { number, weight, cycle } = step;
    StepStats { step: number, weight, step_size: plan.step_size(number), cycle: cycle.map_or(0, |(cycle, _)| cycle) }
}

fn word(stage: Stage) -> &'static str {
    match stage {
        Stage::Exploration { .. } => "exploration",
        Stage::Sampling => "sampling",
    }
}

/// A stage in a NumPy file, where 0 is none.
fn code(stage: Stage) -> f64 {
    match stage {
        Stage::Exploration { .. } => 1.0,
        Stage::Sampling => 2.0,
    }
}

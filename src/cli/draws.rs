//! Files of draws, as CSV or for NumPy, written while a run goes on: every collected draw is in the file, none waits in
//! memory.

use std::fs::File;
use std::io::{BufWriter, Write};

use anyhow::Context;
use clap::ValueEnum;

use crate::math::Point;
use crate::scenario::RunPlan;
use crate::session::History;

use super::npy::NpyFile;
use super::results::{DRAWS, Results};

/// Numbers per draw in a NumPy file: chain, step, x, y, weight.
const COLUMNS: usize = 5;

/// Format of a file of draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DrawFormat {
    /// Text with a header line; its numbers read back to the same bits
    Csv,
    /// A NumPy array of 64-bit floats, one row per draw, columns as in the CSV header
    Npy,
}

impl DrawFormat {
    /// Bytes of one draw: exact for NumPy, typical for text.
    pub fn bytes_per_draw(self) -> u64 {
        match self {
            Self::Csv => 55,
            Self::Npy => 8 * COLUMNS as u64,
        }
    }

    fn extension(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Npy => "npy",
        }
    }
}

/// The file of one run's collected draws.
#[derive(Debug)]
pub struct DrawFile {
    name: String,
    rows: Rows,
}

#[derive(Debug)]
enum Rows {
    /// Text, one line per draw.
    Csv(BufWriter<File>),
    /// A matrix, one row per draw.
    Npy(NpyFile<BufWriter<File>, COLUMNS>),
}

impl DrawFile {
    /// The file for the run called `run`. Scenarios allow only names of runs that are file names.
    ///
    /// # Errors
    /// If the file cannot be created.
    pub fn new(results: &Results, run: &str, format: DrawFormat) -> anyhow::Result<Self> {
        let name = format!("{DRAWS}/{run}.{}", format.extension());
        let mut file = results.file(&name)?;
        let rows = match format {
            DrawFormat::Csv => {
                writeln!(file, "chain,step,x,y,weight").with_context(|| name.clone())?;
                Rows::Csv(file)
            }
            DrawFormat::Npy => Rows::Npy(NpyFile::new(file).with_context(|| name.clone())?),
        };
        Ok(Self { name, rows })
    }

    /// Writes the collected draws of a chunk of steps.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&mut self, path: &History, plan: &RunPlan) -> anyhow::Result<()> {
        let since = plan.target_since(u64::MAX);
        let collected = |step: &u64| *step > since && plan.collects(*step);
        for (row, step) in (0..path.rows()).map(|row| (row, path.step(row))).filter(|(_, step)| collected(step)) {
            let weight = plan.weight(step);
            for chain in 0..path.chains() {
                let Some(at) = path.position(row, chain) else { continue };
                self.put(chain, step, at, weight)?;
            }
        }
        Ok(())
    }

    /// Writes draws from the approximation that a run has fitted after `step` steps.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write_fit(&mut self, step: u64, draws: &[Point]) -> anyhow::Result<()> {
        draws.iter().try_for_each(|&at| self.put(0, step, at, 1.0))
    }

    #[expect(clippy::cast_precision_loss, reason = "chains and steps are far below 2⁵³")]
    fn put(&mut self, chain: usize, step: u64, at: Point, weight: f64) -> anyhow::Result<()> {
        match &mut self.rows {
            Rows::Csv(file) => writeln!(file, "{chain},{step},{:?},{:?},{weight:?}", at.x, at.y),
            Rows::Npy(file) => file.push([chain as f64, step as f64, at.x, at.y, weight]),
        }
        .with_context(|| self.name.clone())
    }

    /// Completes the file.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn finish(self, results: &mut Results) -> anyhow::Result<()> {
        let file = match self.rows {
            Rows::Csv(file) => file,
            Rows::Npy(file) => file.finish().with_context(|| self.name.clone())?,
        };
        results.close(&self.name, file)
    }
}

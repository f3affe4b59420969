//! Files of draws, written while a run goes on: no draw waits in memory and none is left out.

use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Seek, Write};

use anyhow::Context;
use clap::ValueEnum;
use npyz::WriterBuilder;

use crate::math::Point;
use crate::scenario::RunPlan;
use crate::session::History;

use super::output::{DRAWS, Results};

/// Numbers per draw: chain, step, x, y, weight.
const COLUMNS: u64 = 5;

/// How draws are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DrawFormat {
    /// Text with a header line; numbers read back to the same bits
    Csv,
    /// A NumPy array of 64-bit floats, one row a draw, columns as in the CSV header
    Npy,
}

/// The file of one run's collected draws.
#[derive(Debug)]
pub struct DrawFile {
    file: BufWriter<File>,
    /// For NumPy, whose header states the number of rows: the numbers so far, and how many draws they are.
    raw: Option<(BufWriter<File>, u64)>,
}

impl DrawFile {
    /// The file for the run called `run`, whose name is a file name since scenarios allow no other.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn new(results: &Results, run: &str, format: DrawFormat) -> anyhow::Result<Self> {
        match format {
            DrawFormat::Csv => {
                let mut file = results.file(&format!("{DRAWS}/{run}.csv"))?;
                writeln!(file, "chain,step,x,y,weight").context(DRAWS)?;
                Ok(Self { file, raw: None })
            }
            DrawFormat::Npy => {
                let file = results.file(&format!("{DRAWS}/{run}.npy"))?;
                let raw = tempfile::tempfile().context("a temporary file for the draws")?;
                Ok(Self { file, raw: Some((BufWriter::new(raw), 0)) })
            }
        }
    }

    /// Adds the collected draws of a stretch of the run.
    ///
    /// # Errors
    /// If the disk does not take them.
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

    /// Adds draws from the fit that an approximation had after `step` steps; a sampler before it left none of that step.
    ///
    /// # Errors
    /// If the disk does not take them.
    pub fn write_fit(&mut self, step: u64, draws: &[Point]) -> anyhow::Result<()> {
        draws.iter().try_for_each(|&at| self.put(0, step, at, 1.0))
    }

    #[expect(clippy::cast_precision_loss, reason = "chains and steps are far below 2⁵³")]
    fn put(&mut self, chain: usize, step: u64, at: Point, weight: f64) -> anyhow::Result<()> {
        match &mut self.raw {
            None => writeln!(self.file, "{chain},{step},{:?},{:?},{weight:?}", at.x, at.y),
            Some((raw, draws)) => {
                *draws += 1;
                let numbers = [chain as f64, step as f64, at.x, at.y, weight];
                numbers.iter().try_for_each(|number| raw.write_all(&number.to_le_bytes()))
            }
        }
        .context(DRAWS)
    }

    /// Completes the file.
    ///
    /// # Errors
    /// If the disk does not take it.
    pub fn finish(mut self) -> anyhow::Result<()> {
        if let Some((raw, draws)) = self.raw {
            let mut raw = raw.into_inner().context(DRAWS)?;
            raw.rewind().context(DRAWS)?;
            let mut numbers = BufReader::new(raw);
            let shape = [draws, COLUMNS];
            let mut array =
                npyz::WriteOptions::<f64>::new().default_dtype().shape(&shape).writer(&mut self.file).begin_nd()?;
            let mut number = [0; 8];
            for _ in 0..draws * COLUMNS {
                numbers.read_exact(&mut number).context(DRAWS)?;
                array.push(&f64::from_le_bytes(number)).context(DRAWS)?;
            }
            array.finish().context(DRAWS)?;
        }
        self.file.flush().context(DRAWS)
    }
}

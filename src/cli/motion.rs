//! Figures that move, from the command line.

use anyhow::Context;
use clap::{Args, ValueEnum};

use base::params::excerpt;
use draw::sheet::{ExportOptions, Extras, FRAMES, Format, Motion, Moving, Over, Poster, RATES};
use engine::scenario::Scenario;
use engine::session::Clock;
use figure::source::Source;

use super::numeric::{real, whole};
use super::{Failure, progress};

/// Context of errors.
const FIGURE: &str = "the figure";

/// How a figure moves.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Figures that move")]
pub struct MotionArgs {
    /// What changes from frame to frame: steps, gradients, or a parameter of a run, such as "cSGLD.step_size.initial"
    #[arg(long, default_value = "steps")]
    over: String,
    /// Its first value; 0 for steps and gradients, half of its value for a parameter
    #[arg(long, value_parser = real, allow_negative_numbers = true)]
    from: Option<f64>,
    /// Its last value; the end of the run for steps and gradients, twice its value for a parameter
    #[arg(long, value_parser = real, allow_negative_numbers = true)]
    to: Option<f64>,
    /// Number of frames
    #[arg(long, default_value_t = 60, value_parser = whole(FRAMES))]
    frames: u32,
    /// Frames per second
    #[arg(long, default_value_t = 12, value_parser = whole(RATES))]
    fps: u16,
    /// Write one of its pictures beside it as well, for paper and for slides before they move: figure-poster.png
    #[arg(long)]
    poster: Option<PosterArg>,
}

/// Which picture stands beside a figure that moves.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum PosterArg {
    /// The first picture
    First,
    /// The last picture
    Last,
}

impl MotionArgs {
    /// How the figures of a scenario move.
    pub fn of(&self, scenario: &Scenario) -> Result<Motion, Failure> {
        let over = match self.over.as_str() {
            "steps" => Over::Time(Clock::Steps),
            "gradients" => Over::Time(Clock::Gradients),
            text => Over::parameter(text, scenario).ok_or_else(|| {
                let name = scenario.runs.first().map_or("", |run| &run.name);
                let allowed = format!("steps, gradients, or a run and a parameter: {}.steps", excerpt(name));
                Failure::option("over", format!("there is no \"{}\" that is a number", excerpt(text)), allowed)
            })?,
        };
        let poster = self.poster.map(|poster| match poster {
            PosterArg::First => Poster::First,
            PosterArg::Last => Poster::Last,
        });
        Ok(Motion { over, from: self.from, to: self.to, frames: self.frames, per_second: self.fps, poster })
    }
}

/// Draws the figure, with a progress bar on a terminal. Returns it with what its pictures tell beside them.
pub fn draw(
    scenario: &Scenario,
    how: (ExportOptions, Extras),
    format: Format,
) -> Result<(Source, Vec<String>), Failure> {
    let motion = how.0.motion.clone();
    let mut moving = Moving::new(scenario, &motion, how, format)?;
    let bar = progress::bar("drawing {bar:40} {pos}/{len} frames  {eta}", motion.frames.into());
    while !moving.piece().context(FIGURE)? {
        bar.set_position(moving.drawn() as u64);
    }
    bar.finish_and_clear();
    let warnings = moving.warnings().to_vec();
    Ok((moving.finish().context(FIGURE)?, warnings))
}

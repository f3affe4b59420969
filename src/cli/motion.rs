//! Figures that move: a run step by step, or the end of a run for one value of a parameter after another.

use anyhow::Context;
use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::draw::sheet::{self, ExportOptions, Extras, Format};
use crate::params::{ParamErrors, ParamType, Value, excerpt};
use crate::scenario::Scenario;
use crate::session::{Clock, Command, Frame, Session};

use super::Failure;

/// How a figure moves.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Figures that move")]
pub struct Motion {
    /// What changes from frame to frame: steps, gradients, or a parameter of a run, such as "cSGLD.step_size.initial"
    #[arg(long, default_value = "steps")]
    over: String,
    /// Its first value; 0 for steps and gradients
    #[arg(long, allow_negative_numbers = true)]
    from: Option<f64>,
    /// Its last value; the end of the run for steps and gradients
    #[arg(long, allow_negative_numbers = true)]
    to: Option<f64>,
    /// Number of frames
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=2000))]
    frames: u32,
    /// Frames per second
    #[arg(long, default_value_t = 12, value_parser = clap::value_parser!(u16).range(1..=50))]
    fps: u16,
}

/// What changes from frame to frame.
enum Over {
    /// The moment of one run of the scenario.
    Time(Clock),
    /// A parameter of a run: its number and the path.
    Parameter(usize, String),
}

impl Over {
    fn of(text: &str, scenario: &Scenario) -> Result<Self, Failure> {
        let clock = match text {
            "steps" => Some(Clock::Steps),
            "gradients" => Some(Clock::Gradients),
            _ => None,
        };
        if let Some(clock) = clock {
            return Ok(Self::Time(clock));
        }
        // Names of runs may have points in them.
        let runs = scenario.runs.iter().enumerate();
        let found = runs.filter_map(|(number, run)| Some((number, text.strip_prefix(&run.name)?.strip_prefix('.')?)));
        let known = |(number, path): &(usize, &str)| {
            scenario.runs[*number].settings.at(path).is_some_and(|value| matches!(value, Value::Number(_)))
        };
        match found.into_iter().find(known) {
            Some((number, path)) => Ok(Self::Parameter(number, path.to_owned())),
            None => {
                let problem = format!("there is no \"{}\" that is a number", excerpt(text));
                let name = scenario.runs.first().map_or("", |run| &run.name);
                let allowed = format!("steps, gradients, or a run and a parameter: {}.steps", excerpt(name));
                Err(Failure::option("over", problem, allowed))
            }
        }
    }
}

/// Draws the figure, with a progress bar on a terminal.
pub fn draw(
    scenario: &Scenario,
    motion: &Motion,
    (options, extras): (&ExportOptions, &Extras),
    format: Format,
) -> Result<Vec<u8>, Failure> {
    let over = Over::of(&motion.over, scenario)?;
    let style = ProgressStyle::with_template("drawing {bar:40} {pos}/{len} frames  {eta}");
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    let target = ProgressDrawTarget::stderr();
    let bar = ProgressBar::with_draw_target(Some(motion.frames.into()), target).with_style(style);
    let how = (options, extras);
    let bytes = match over {
        Over::Time(clock) => {
            let mut session = Session::new(scenario.clone()).map_err(ParamErrors)?;
            session.set_clock(clock);
            let end = session.time().end as f64;
            let values = values(motion, (Some(0.0), Some(end)))?;
            let frames = values.into_iter().map(|tick| {
                bar.inc(1);
                at(&mut session, tick.clamp(0.0, end))
            });
            sheet::movie(scenario, frames, how, (format, motion.fps))
        }
        Over::Parameter(run, path) => {
            let values = values(motion, (None, None))?;
            let frames = values.into_iter().map(|value| {
                bar.inc(1);
                with(scenario, (run, &path), value)
            });
            sheet::movie(scenario, frames, how, (format, motion.fps))
        }
    };
    bar.finish_and_clear();
    Ok(bytes.context("the figure")?)
}

/// The values of the frames, evenly spaced.
fn values(motion: &Motion, (first, last): (Option<f64>, Option<f64>)) -> Result<Vec<f64>, Failure> {
    let missing = |option| Failure::option(option, "is needed for a parameter", "a number");
    let from = motion.from.or(first).ok_or_else(|| missing("from"))?;
    let to = motion.to.or(last).ok_or_else(|| missing("to"))?;
    for (option, value) in [("from", from), ("to", to)] {
        if !value.is_finite() {
            return Err(Failure::option(option, format!("{value} is not possible"), "a number"));
        }
    }
    let spaces = f64::from(motion.frames.saturating_sub(1).max(1));
    Ok((0..motion.frames).map(|number| from + (to - from) * f64::from(number) / spaces).collect())
}

/// The session at a tick, forward or back.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and the end of the run")]
fn at(session: &mut Session, tick: f64) -> Result<Frame, ParamErrors> {
    session.apply(Command::Seek(tick.round() as u64)).map_err(ParamErrors)?;
    Ok(shown(session))
}

/// The end of the run with another value of a parameter of one run.
fn with(scenario: &Scenario, (run, path): (usize, &str), value: f64) -> Result<Frame, ParamErrors> {
    let mut scenario = scenario.clone();
    let spec = &mut scenario.runs[run];
    let whole = matches!(spec.settings.spec_at(path).map(|param| param.ty), Some(ParamType::Integer { .. }));
    let value = if whole { value.round() } else { value };
    spec.settings.set(path, Value::Number(value)).map_err(|error| ParamErrors(vec![error.under(&spec.name)]))?;
    let mut session = Session::new(scenario).map_err(ParamErrors)?;
    session.advance(u64::MAX);
    Ok(shown(&mut session))
}

fn shown(session: &mut Session) -> Frame {
    session.measure_exactly();
    session.analyse();
    session.frame()
}

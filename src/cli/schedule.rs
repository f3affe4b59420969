//! `schedule`: the step sizes of a run for other programs, with what a step does and which draws are collected.
//!
//! People who move a schedule to another program most often get its scale wrong. Each text says therefore what its numbers are
//! ([`super::practice`]), and compares some of its values with ours when it is run.

use std::io::{IsTerminal, Write};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde_json::{Value as Json, json};

use crate::app::files::{NewFile, SaveError};
use base::params::{ParamErrors, excerpt};
use engine::scenario::practice::{Facts, practice, step_symbol};
use engine::scenario::{Change, Experiment, RunSpec, Scenario, ViewSpec, write};
use samplers::schedules::{Library, Practice, StepSizes};

use super::{Failure, end_on_signals, read, say};
use crate::output::draws::npy::header;

/// The most steps of a schedule as JSON, which is made in memory.
const MOST_IN_JSON: u64 = 1_000_000;

/// Fields of a step in a NumPy file.
const FIELDS: &str = "[('step_size', '<f8'), ('cycle', '<i8'), ('exploring', '|b1'), ('collected', '|b1')]";

/// Bytes of a step in a NumPy file.
const BYTES_PER_STEP: u64 = 18;

/// Arguments of `schedule`.
#[derive(Args, Debug)]
pub struct ScheduleArgs {
    /// A .toml file, a figure made by this program, a link, or the name of a lesson
    scenario: PathBuf,
    /// The run, by name; it can be left out if only one has a step size
    #[arg(long)]
    run: Option<String>,
    /// What to write
    #[arg(long = "as", value_enum)]
    format: Format,
    /// The file to write; standard output if left out
    #[arg(long)]
    out: Option<PathBuf>,
    /// Replace a file that exists
    #[arg(long)]
    force: bool,
}

/// Form of a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// The run with its schedule and events, for a scenario file
    Toml,
    /// Python functions without libraries: step_size(k), and collected(k) for the draws that count
    Python,
    /// The same, with a multiplier for torch.optim.lr_scheduler.LambdaLR
    Torch,
    /// The same in jax.numpy, with a schedule for optax
    Optax,
    /// The whole run with NumPy: the same functions, the step of the method, and the draws
    Numpy,
    /// A NumPy array with one entry per step: step_size, cycle, exploring, collected
    Npy,
    /// The same arrays as JSON, at most 1 000 000 steps, with what the numbers are
    Json,
}

/// A schedule that is ready to be written.
struct Subject<'a> {
    scenario: &'a Scenario,
    spec: &'a RunSpec,
    sizes: StepSizes<'a>,
    practice: Practice,
    facts: Facts,
}

/// Writes the schedule of a run.
pub fn schedule(args: &ScheduleArgs) -> Result<(), Failure> {
    let scenario = read(&args.scenario)?;
    let index = chosen(&scenario, args.run.as_deref())?;
    let experiment = scenario.build().map_err(ParamErrors)?;
    let subject = Subject::new(&scenario, &experiment, index);
    if args.format == Format::Json && subject.sizes.steps > MOST_IN_JSON {
        let problem = format!("json of {} steps", subject.sizes.steps);
        return Err(Failure::option("as", problem, format!("npy, or a run of at most {MOST_IN_JSON} steps")));
    }
    let is_text = matches!(args.format, Format::Python | Format::Torch | Format::Optax | Format::Numpy);
    if is_text && !subject.sizes.has_formula() {
        let problem = format!("the list of step sizes of {} is too long for a text", subject.spec.name);
        return Err(Failure::option("as", problem, "npy, json or toml"));
    }
    if args.format == Format::Numpy && !subject.sizes.has_program(&subject.practice) {
        let problem =
            format!("{} changes its method or its options, or its method is no chain of steps", subject.spec.name);
        return Err(Failure::option(
            "as",
            problem,
            "python, or a run of one method with the same options in all steps",
        ));
    }
    let Some(out) = &args.out else {
        return match subject.text(args.format) {
            Some(text) => say(text.trim_end()),
            None => to_standard_output(&subject),
        };
    };
    end_on_signals()?;
    let file = NewFile::at(out, args.force).map_err(refused)?;
    if args.format == Format::Npy {
        file.check_space(BYTES_PER_STEP.saturating_mul(subject.sizes.steps))?;
    }
    let write = |file: &mut dyn Write| match subject.text(args.format) {
        Some(text) => file.write_all(text.as_bytes()),
        None => subject.write_npy(file),
    };
    file.write_with(write).map_err(refused)
}

/// Why nothing was written to the place of `--out`.
fn refused(error: SaveError) -> Failure {
    let option = |problem: String| Failure::option("out", problem, "a new file, or --force to replace one");
    match error {
        SaveError::Exists(path) => option(format!("{} exists already", path.display())),
        SaveError::NoFile(path) => option(format!("{} is not a file", path.display())),
        SaveError::Obstacle(obstacle) => obstacle.into(),
        error => Failure::Running(error.into()),
    }
}

/// Numbers in bytes on standard output, unless a person would see them.
fn to_standard_output(subject: &Subject<'_>) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    if out.is_terminal() {
        let problem = "npy would go to the terminal";
        return Err(Failure::option("as", problem, "--out FILE, or standard output into a file or a program"));
    }
    match subject.write_npy(&mut out).and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(anyhow::Error::new(error).context("standard output").into())
        }
        _ => Ok(()),
    }
}

/// The number of the run with this name, or of the only run with a step size.
fn chosen(scenario: &Scenario, name: Option<&str>) -> Result<usize, Failure> {
    let has_steps = |spec: &RunSpec| step_symbol(scenario.settings_at(spec, 0).kind).is_some();
    let with_steps: Vec<usize> = (0..scenario.runs.len()).filter(|&index| has_steps(&scenario.runs[index])).collect();
    let names = with_steps.iter().map(|&index| scenario.runs[index].name.as_str()).collect::<Vec<_>>().join(", ");
    let allowed =
        || if names.is_empty() { "a scenario with a run that has a step size".to_owned() } else { names.clone() };
    let refuse = |problem: String| Err(Failure::option("run", problem, allowed()));
    match (name, &with_steps[..]) {
        (None, &[only]) => Ok(only),
        (None, []) => refuse("no run of the scenario has a step size".to_owned()),
        (None, several) => refuse(format!("{} runs of the scenario have a step size; name one", several.len())),
        (Some(name), _) => match scenario.runs.iter().position(|spec| spec.name == name) {
            None => refuse(format!("there is no run \"{}\"", excerpt(name))),
            Some(index) if !with_steps.contains(&index) => refuse(format!("{} has no step size", excerpt(name))),
            Some(index) => Ok(index),
        },
    }
}

impl<'a> Subject<'a> {
    fn new(scenario: &'a Scenario, experiment: &'a Experiment, index: usize) -> Self {
        let (spec, plan) = (&scenario.runs[index], &experiment.runs[index]);
        let (practice, facts) = practice(scenario, spec, plan);
        let sizes = plan.step_sizes();
        Self { scenario, spec, sizes, practice, facts }
    }

    /// The text of a format; `None` of one that is no text.
    fn text(&self, format: Format) -> Option<String> {
        match format {
            Format::Toml => Some(self.toml()),
            Format::Python => self.sizes.text(Library::Python, &self.practice),
            Format::Torch => self.sizes.text(Library::PyTorch, &self.practice),
            Format::Optax => self.sizes.text(Library::Optax, &self.practice),
            Format::Numpy => self.sizes.text(Library::NumPy, &self.practice),
            Format::Json => Some(format!("{:#}\n", self.json())),
            Format::Npy => None,
        }
    }

    /// The tables of a scenario file that make the run: its own, and those of its events.
    fn toml(&self) -> String {
        let of_run = |change: &Change| matches!(change, Change::Run { run, .. } if *run == self.spec.name);
        let alone = Scenario {
            runs: vec![self.spec.clone()],
            events: self.scenario.events.iter().filter(|event| of_run(&event.change)).cloned().collect(),
            sweep: None,
            view: ViewSpec::default(),
            ..self.scenario.clone()
        };
        let whole = write(&alone);
        let tables = whole.find("[[run]]").map_or("", |start| &whole[start..]);
        let notes: String = self.practice.notes.iter().map(|line| format!("# {line}\n")).collect();
        let values = self.sizes.references().into_iter().map(|k| format!("{k}: {:?}", self.sizes.at(k)));
        let values = values.collect::<Vec<_>>().join(", ");
        let symbol = self.facts.symbol;
        format!("{notes}# Values of {symbol} by step: {values}.\n{tables}")
    }

    fn json(&self) -> Json {
        let (sizes, facts) = (&self.sizes, &self.facts);
        let every = || 1..=sizes.steps;
        json!({
            "format": 1,
            "program": { "name": "Sampler Lab", "version": env!("CARGO_PKG_VERSION") },
            "run": sizes.name,
            "method": facts.method,
            "symbol": facts.symbol,
            "steps": sizes.steps,
            "data": facts.data,
            "batch": facts.batch,
            "gradient_factor": facts.factor,
            "temperature": facts.temperature,
            "notes": self.practice.notes,
            "first_step": 1,
            "step_size": every().map(|k| sizes.at(k)).collect::<Vec<_>>(),
            "cycle": every().map(|k| sizes.cycle(k)).collect::<Vec<_>>(),
            "exploring": every().map(|k| sizes.explores(k)).collect::<Vec<_>>(),
            "collected": every().map(|k| sizes.collects(&self.practice, k)).collect::<Vec<_>>(),
        })
    }

    /// An array with one entry per step, the first is that of step 1.
    fn write_npy(&self, out: &mut dyn Write) -> std::io::Result<()> {
        let sizes = &self.sizes;
        out.write_all(&header(FIELDS, &format!("({},)", sizes.steps)))?;
        for k in 1..=sizes.steps {
            out.write_all(&sizes.at(k).to_le_bytes())?;
            out.write_all(&sizes.cycle(k).to_le_bytes())?;
            out.write_all(&[sizes.explores(k), sizes.collects(&self.practice, k)].map(u8::from))?;
        }
        Ok(())
    }
}

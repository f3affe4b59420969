//! Scenarios: everything that makes a run, and nothing else; read, written, checked and built.

mod assemble;
mod build;
mod check;
mod edit;
mod errors;
mod events;
mod fit;
mod lessons;
mod load;
mod read;
mod walk;
mod write;

use std::collections::BTreeMap;
use std::path::PathBuf;

pub use build::{Collect, Experiment, RunPlan, Segment, Start};
pub use edit::default_run;
pub use errors::{LoadError, ScenarioError, ScenarioErrors};
pub use lessons::{LESSONS, Lesson};
pub use load::load;
pub use read::read;
pub use write::write;

use crate::params::{Settings, Value};

/// The format number written into scenario files.
pub const FORMAT: u64 = 1;

/// The seed of a scenario that names none.
pub const DEFAULT_SEED: u64 = 42;

/// A complete experiment: a target, the runs on it, and what was changed while they ran.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// Title, shown above the sheet.
    pub title: String,
    /// What to look at, in a sentence or two; may be empty.
    pub caption: String,
    /// Seed of all randomness.
    pub seed: u64,
    /// The target and its parameters.
    pub target: Settings,
    /// The runs, at least one, with distinct names.
    pub runs: Vec<RunSpec>,
    /// Parameter changes while a run went on, in order of step.
    pub events: Vec<Event>,
    /// The folder in which relative paths are looked up. Not part of the file.
    pub folder: PathBuf,
}

/// One `[[run]]`: a name and the settings of its method, which include chains, steps, start and so on.
#[derive(Clone, Debug, PartialEq)]
pub struct RunSpec {
    /// Its name, unique in the scenario.
    pub name: String,
    /// The method's settings; `settings.kind.name` is the method.
    pub settings: Settings,
}

/// One `[[event]]`: parameters of a run that changed after `step` steps had been made.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Name of the run.
    pub run: String,
    /// The first step made with the new values is `step + 1`.
    pub step: u64,
    /// Dotted paths and their new values.
    pub set: BTreeMap<String, Value>,
}

#[cfg(test)]
mod tests;

//! Scenarios: target, runs, seed and events (changes at a step) of an experiment. Scenario files are read, written and checked here,
//! and turned into targets and methods.
//!
//! `read` finds all errors at once, `write` writes, `assemble` and `build` make what runs. `decide` says what an edit becomes, `practice` what
//! a run does with its step sizes, in words. `view`, `challenge` and `sweep` are tables of a file as data; `lessons` are built in, `paths` say
//! in which order they are read, and a `playlist` is such an order of one's own. `packed` files do not tell what they hide.

mod adapt;
mod assemble;
mod bound;
pub mod budget;
mod build;
mod caption;
pub mod challenge;
mod check;
mod comments;
mod decide;
mod edit;
mod errors;
mod events;
pub mod figures;
pub mod from_data;
mod lesson_paths;
mod lessons;
mod load;
mod near;
pub mod packed;
mod playlist;
pub mod practice;
mod read;
mod read_run;
mod segments;
mod shares;
mod sweep;
mod table_reader;
mod values;
pub mod view;
mod write;
mod write_into;

use std::collections::BTreeMap;

pub use bound::Bound;
pub use build::{Collect, Experiment, RunPlan, Segment, Start, TargetSpan};
pub use caption::{AnswerValue, Caption};
pub use challenge::Challenge;
pub use comments::Comments;
pub use decide::{Edit, Effect, Moment, Pacing, decide};
pub use edit::default_run;
pub use errors::{LoadError, ScenarioError, ScenarioErrors};
pub use lesson_paths::{LessonPath, PATHS};
pub use lessons::{GROUPS, LESSONS, Lesson, Level};
pub use load::{folder_of, load, load_in};
pub use near::meant;
pub use playlist::{MAX_ITEMS, Playlist, PlaylistItem, Shows, is_playlist};
pub use read::{read, read_unbuilt};
pub use shares::Shares;
pub use sweep::{
    Axis, COST, MAX_AXES, MAX_CELLS, MAX_MAPS, MAX_TARGETS, MeasureGroup, Number, Question, Sweep, TARGET,
    USUAL_MEASURES, group_of, sweep_measures,
};
pub use view::{Speed, ViewSpec};
pub use write::{write, write_carried, write_open, write_parameter};
pub use write_into::write_into;

use base::params::{Settings, Value};
pub use models::targets::Folder;
use models::targets::{files_in, named_files};

/// The format number written into scenario files.
pub const FORMAT: u64 = 1;

/// Most bytes of a scenario, as a file and inside of a picture: far more than any that is written by hand.
pub const MAX_BYTES: usize = 4 << 20;

/// Most runs of a scenario.
pub const MAX_RUNS: usize = 64;

/// Most events of a scenario.
pub const MAX_EVENTS: usize = 10_000;

/// Most events that change the target: each builds another one.
pub const MAX_TARGET_EVENTS: usize = 100;

/// The seed of a scenario that names none.
pub const DEFAULT_SEED: u64 = 42;

/// A complete experiment: a target, the runs on it, and the changes while they ran.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// Title, shown above the sheet.
    pub title: String,
    /// What to look at; may be empty.
    pub caption: Caption,
    /// Seed of all randomness.
    pub seed: u64,
    /// Evaluations after which every run ends, by all its chains together, if runs are to cost the same: from [`budget::LEAST`] to
    /// [`budget::MOST`]. Their steps follow from it.
    pub budget: Option<f64>,
    /// The target and its parameters.
    pub target: Settings,
    /// The runs, at least one, with distinct names.
    pub runs: Vec<RunSpec>,
    /// Changes while runs were under way, in order of step.
    pub events: Vec<Event>,
    /// What is asked before the runs are shown, and goals. They change no result.
    pub challenges: Vec<Challenge>,
    /// The sweep over parameters of one of the runs, if there is one. It changes no result.
    pub sweep: Option<Sweep>,
    /// What the window shows of it. It changes no result.
    pub view: ViewSpec,
    /// The folder in which relative paths are looked up. Not part of the file.
    pub folder: Folder,
}

impl Scenario {
    /// Whether the file of another scenario is the same apart from the view.
    #[must_use]
    pub fn same_but_view(&self, other: &Self) -> bool {
        self.title == other.title
            && self.caption == other.caption
            && self.runs_as(other)
            // What is equal suits equal runs alike, or does not.
            && (self.challenges == other.challenges || self.suited_challenges().eq(other.suited_challenges()))
            && (self.sweep == other.sweep || self.suited_sweep() == other.suited_sweep())
    }

    /// Whether all but the view is that of another version, and the view is not.
    #[must_use]
    pub fn differs_in_view(&self, other: &Self) -> bool {
        self.view != other.view && Self { view: other.view.clone(), ..self.clone() } == *other
    }

    /// The challenges that suit the runs. A file leaves the others out, since it could not be read with them.
    pub fn suited_challenges(&self) -> impl Iterator<Item = &Challenge> {
        self.challenges.iter().filter(|challenge| challenge.errors(self).is_empty())
    }

    /// The sweep, if it suits the runs. Otherwise a file leaves it out, since it could not be read with it.
    #[must_use]
    pub fn suited_sweep(&self) -> Option<&Sweep> {
        self.sweep.as_ref().filter(|sweep| sweep.values(self).is_ok())
    }

    /// Whether another scenario has the same target, runs, events and seed. These make a result,
    /// together with the folder of data files.
    #[must_use]
    pub fn runs_as(&self, other: &Self) -> bool {
        (self.seed, self.budget) == (other.seed, other.budget)
            && self.target == other.target
            && self.runs == other.runs
            && self.events == other.events
    }

    /// Paths of the files and folders of one's own that the scenario names, as they are written there, each once: of targets, then of the
    /// step sizes of runs.
    #[must_use]
    pub fn named_files(&self) -> Vec<&str> {
        let targets = [&self.target].into_iter().chain(self.events.iter().filter_map(Event::target));
        let of_settings = targets.chain(self.runs.iter().map(|run| &run.settings)).flat_map(named_files);
        let set = self.events.iter().flat_map(|event| match &event.change {
            Change::Run { set, .. } => set.iter().flat_map(|(path, value)| files_in(path, value)).collect(),
            _ => Vec::new(),
        });
        let mut files = Vec::new();
        for file in of_settings.chain(set) {
            if !files.contains(&file) {
                files.push(file);
            }
        }
        files
    }
}

/// One `[[run]]`: a name and the settings of its method, which include chains, steps, start and so on.
#[derive(Clone, Debug, PartialEq)]
pub struct RunSpec {
    /// Its name, unique in the scenario.
    pub name: String,
    /// The method's settings; `settings.kind.name` is the method.
    pub settings: Settings,
}

/// One `[[event]]`: a change after `step` steps.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// The first step under the new values is `step + 1`.
    pub step: u64,
    /// What changed.
    pub change: Change,
}

/// What an event changes.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// Parameters of a run.
    Run {
        /// Name of the run.
        run: String,
        /// Dotted paths and their new values; the path [`METHOD`] stands for the method itself.
        set: BTreeMap<String, Value>,
    },
    /// The target of all runs, all its parameters. Chains continue from where they are; counts of draws start again.
    Target(Settings),
}

/// The path that stands for a run's method among its parameters.
pub const METHOD: &str = "method";

impl Event {
    /// The new values of parameters of a run, if the event is about that run.
    #[must_use]
    pub fn changes_of(&self, name: &str) -> Option<&BTreeMap<String, Value>> {
        match &self.change {
            Change::Run { run, set } if run == name => Some(set),
            Change::Run { .. } | Change::Target(_) => None,
        }
    }

    /// The run that the event is about; `None` if it is about the target.
    #[must_use]
    pub fn run(&self) -> Option<&str> {
        match &self.change {
            Change::Run { run, .. } => Some(run),
            Change::Target(_) => None,
        }
    }

    /// The target from here on, if the event is about it.
    #[must_use]
    pub fn target(&self) -> Option<&Settings> {
        match &self.change {
            Change::Run { .. } => None,
            Change::Target(target) => Some(target),
        }
    }
}

#[cfg(test)]
mod tests;

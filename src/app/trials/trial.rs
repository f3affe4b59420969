//! A trial: one state of the runs as plain data, with all of their parameters and measures, and the scenario that repeats it.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use base::params::{Settings, printable};
use draw::readout::{DIVERGED, Table, readings};
use draw::words::numbers;
use draw::words::settings::parameters;
use engine::scenario::{METHOD, RunSpec, Scenario, write};
use engine::session::Frame;

/// One row of the notebook.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(default)]
pub struct Trial {
    /// Its number, by which a person names it.
    pub number: u64,
    /// The title of the experiment.
    pub title: String,
    /// The seed.
    pub seed: u64,
    /// The step at which it was kept.
    pub step: u64,
    /// What a person has written beside it.
    pub note: String,
    /// Whether the truth was hidden, so that nothing was compared with it.
    pub hid_truth: bool,
    /// The parameters of the target; none of one that is hidden.
    pub target: Vec<Parameter>,
    /// The runs, in the order of the scenario.
    pub runs: Vec<TrialRun>,
    /// Keys of the measures that led the readout.
    pub leading: Vec<String>,
    /// How a measure went along the runs, once it is computed.
    pub along: Option<Along>,
    /// The scenario as in a file.
    pub scenario: String,
    /// The folder of relative paths in the scenario.
    pub folder: PathBuf,
}

/// A run of a trial.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(default)]
pub struct TrialRun {
    /// Its name.
    pub name: String,
    /// Its method and all of its parameters.
    pub parameters: Vec<Parameter>,
    /// Its measures.
    pub measures: Vec<Measured>,
    /// Whether half of its chains or more had left the target.
    pub diverged: bool,
}

/// A parameter with its value.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(default)]
pub struct Parameter {
    /// Its dotted path.
    pub path: String,
    /// Its name.
    pub label: String,
    /// Its value in words.
    pub words: String,
    /// Its value, of a finite number.
    pub number: Option<f64>,
}

/// A measure with its value.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(default)]
pub struct Measured {
    /// Its key.
    pub key: String,
    /// Its name.
    pub label: String,
    /// Its value, if it is a finite number.
    pub value: Option<f64>,
    /// The value as it is read.
    pub text: String,
}

/// How a measure went along the runs.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(default)]
pub struct Along {
    /// The key of the measure.
    pub key: String,
    /// Steps and values of each run; none of one without values.
    pub runs: Vec<Vec<[f64; 2]>>,
}

/// What a trial is made of.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The frame.
    pub frame: &'a Frame,
    /// The scenario as it is seen, with its view and its moment.
    pub scenario: &'a Scenario,
    /// The measures that may be seen.
    pub table: &'a Table,
    /// The keys of those that lead.
    pub leading: &'a [String],
    /// Whether the target may be named.
    pub names_target: bool,
    /// Whether the truth is hidden.
    pub hides_truth: bool,
}

impl Trial {
    /// A trial of a frame.
    #[must_use]
    pub fn of(number: u64, source: Source<'_>) -> Self {
        let Source { frame, scenario, table, leading, names_target, hides_truth } = source;
        let plain = |text: &str| printable(text).into_owned();
        let (measures, _) = measures_of(frame, table);
        let runs = frame.scenario.runs.iter().zip(measures).map(|(spec, measures)| TrialRun {
            name: plain(&spec.name),
            parameters: of_kind(METHOD, &frame.scenario.settings_at(spec, frame.step)),
            diverged: measures.iter().any(|measured| measured.text == DIVERGED),
            measures,
        });
        let target = if names_target { of_kind("target", frame.scenario.target_at(frame.step)) } else { Vec::new() };
        Self {
            number,
            title: plain(&scenario.title),
            seed: scenario.seed,
            step: frame.step,
            note: String::new(),
            hid_truth: hides_truth,
            target,
            runs: runs.collect(),
            leading: leading.to_vec(),
            along: None,
            scenario: write(scenario),
            folder: scenario.folder.to_path_buf(),
        }
    }

    /// About how many bytes it takes in a file.
    #[must_use]
    pub fn bytes(&self) -> usize {
        /// Names of fields, signs and indentation around a value.
        const AROUND: usize = 160;
        let of = |parameters: &[Parameter]| -> usize {
            parameters.iter().map(|one| one.path.len() + one.label.len() + one.words.len() + AROUND).sum()
        };
        let measured = |one: &Measured| one.key.len() + one.label.len() + one.text.len() + AROUND;
        let runs = self.runs.iter().map(|run| {
            run.name.len() + of(&run.parameters) + run.measures.iter().map(measured).sum::<usize>() + AROUND
        });
        let along = self.along.iter().flat_map(|along| &along.runs).map(|run| run.len() * AROUND / 2);
        let texts = self.title.len() + self.note.len() + self.scenario.len() + self.scenario.len() / 8 + 2 * AROUND;
        texts + of(&self.target) + runs.sum::<usize>() + along.sum::<usize>()
    }

    /// Whether another trial is of the same runs at the same step, whatever its number and its note are.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        let of = |trial: &Self| (trial.seed, trial.step);
        of(self) == of(other) && self.title == other.title && self.scenario == other.scenario && self.runs == other.runs
    }

    /// Whether its runs have the parameters that those of a frame have at their step.
    #[must_use]
    pub fn shows(&self, frame: &Frame) -> bool {
        let specs = &frame.scenario.runs;
        let same = |(run, spec): (&TrialRun, &RunSpec)| {
            run.parameters == of_kind(METHOD, &frame.scenario.settings_at(spec, frame.step))
        };
        self.runs.len() == specs.len() && self.runs.iter().zip(specs).all(same)
    }

    /// The run with a name.
    #[must_use]
    pub fn run(&self, name: &str) -> Option<&TrialRun> {
        self.runs.iter().find(|run| run.name == name)
    }
}

impl TrialRun {
    /// A measure by key.
    #[must_use]
    pub fn measure(&self, key: &str) -> Option<&Measured> {
        self.measures.iter().find(|measured| measured.key == key)
    }
}

/// The parameter with a path.
#[must_use]
pub fn parameter<'a>(parameters: &'a [Parameter], path: &str) -> Option<&'a Parameter> {
    parameters.iter().find(|parameter| parameter.path == path)
}

/// The measures of all runs of a frame, and whether some are still being computed.
#[must_use]
pub fn measures_of(frame: &Frame, table: &Table) -> (Vec<Vec<Measured>>, bool) {
    let (mut runs, mut pending) = (vec![Vec::new(); frame.runs.len()], false);
    for reading in readings(table) {
        pending |= reading.pending;
        // Where runs go on, the value of this step may never be computed: that of an earlier one says so.
        let value = reading.value;
        let text = match (value, reading.step) {
            (Some(_), Some(step)) => format!("{} at step {}", reading.text, numbers::count(step)),
            _ => reading.text,
        };
        if let Some(run) = runs.get_mut(reading.run) {
            run.push(Measured { key: reading.key.to_owned(), label: reading.label.to_owned(), value, text });
        }
    }
    (runs, pending)
}

/// The kind of settings under a name, and its parameters.
fn of_kind(name: &str, settings: &Settings) -> Vec<Parameter> {
    let kind = Parameter {
        path: name.to_owned(),
        label: name.to_owned(),
        words: settings.kind.label.to_owned(),
        number: None,
    };
    let own = parameters(settings).into_iter().map(|one| Parameter {
        path: one.path,
        label: one.label,
        words: printable(&one.words).into_owned(),
        number: one.number.filter(|number| number.is_finite()),
    });
    [kind].into_iter().chain(own).collect()
}

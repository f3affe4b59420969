//! Open dialog: which dialog is shown, and what has been typed into it. [`crate::app::dialogs`] draws it.

use std::path::{Path, PathBuf};

use egui::TextureHandle;

use super::data_form::{DataForm, PasteForm};
use crate::app::files::Purpose;
use crate::app::files::data::TableSource;
use crate::platform::Instant;
use engine::scenario::{Axis, MAX_AXES, Number, RunSpec, Scenario, Sweep, USUAL_MEASURES, group_of, sweep_measures};
use engine::session::Frame;
use engine::session::sweep::why_unavailable;
use models::families::{LINE, PLANE};
use samplers::methods::{MethodGroup, group};

/// The dialog that is open.
#[derive(Debug)]
pub enum Dialog {
    /// A field for the path of a file.
    Path(PathDialog),
    /// A link to the experiment.
    Link(LinkDialog),
    /// The playlist; with a search while lessons are added.
    Playlist(Option<Search>),
    /// What a table of data is.
    Data(Box<DataForm>),
    /// A field for a table that is pasted.
    Paste(PasteForm),
    /// The form of a sweep.
    Sweep(SweepDialog),
    /// The options of an exported figure.
    Export,
    /// What a hand-out hides and leaves free.
    HandOut,
    /// What goes into a report.
    Report,
    /// The trials that are kept.
    Trials,
    /// Keys, gestures and the glossary.
    Help(Search),
    /// Commands and everything else that has a name.
    Palette(Search),
    /// About the program.
    About,
    /// Unsaved changes while the window closes.
    Unsaved,
    /// Comments of the file that would be lost when it is saved.
    Comments {
        count: usize,
        /// Whether the window closes when it is saved.
        closes: bool,
    },
}

/// A link to the experiment.
pub struct LinkDialog {
    /// The fragment, or why there is none.
    pub fragment: Result<String, String>,
    /// Files of one's own that the scenario names: their contents are not in the link.
    pub files: Vec<String>,
    /// The link whose QR code was made last, and that code; `None` if the link is too long for one.
    pub code: Option<(String, Option<TextureHandle>)>,
}

impl Dialog {
    /// Whether it asks what this table is.
    #[must_use]
    pub fn asks_of(&self, source: &TableSource) -> bool {
        matches!(self, Self::Data(form) if form.source == *source)
    }

    /// The help with a word in its search field.
    #[must_use]
    pub fn help_at(word: &str) -> Self {
        Self::Help(Search { text: word.to_owned(), ..Search::default() })
    }
}

impl std::fmt::Debug for LinkDialog {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LinkDialog").field("fragment", &self.fragment).finish_non_exhaustive()
    }
}

/// The form of a sweep: what it becomes when a person takes it.
#[derive(Debug)]
pub struct SweepDialog {
    /// The sweep as chosen so far.
    pub sweep: Sweep,
    /// Further axes, the next one last, for when they are wanted.
    pub spare: Vec<Axis>,
    /// Whether the scenario has a sweep, which this one replaces.
    pub replaces: bool,
}

/// Parameters that a new sweep has along its axes, if run or target has them: those that are tuned most often, first.
const TUNED: [&str; 9] = [
    "step_size.initial",
    "step_size.value",
    "step_size.a",
    "step_size.first",
    "step_size.cycles",
    "target.temperature",
    "steps",
    "chains",
    "gradient.variance",
];

/// Values along an axis of a new sweep, and along the third axis, which has a map for each; and seeds.
const COUNT: u64 = 12;
const MAPS: u64 = 4;
const SEEDS: u64 = 8;

/// Measures of a new sweep, at most.
const MEASURES: usize = 3;

/// A new axis goes from the present value divided by this to the value times this.
const AROUND: f64 = 4.0;

impl SweepDialog {
    /// The form with the sweep of a scenario, or with one of its first run that has numbers; `None` without such a run.
    #[must_use]
    pub fn of(scenario: &Scenario, frame: &Frame) -> Option<Self> {
        if let Some(sweep) = &scenario.sweep {
            let mut form = Self { sweep: sweep.clone(), spare: Vec::new(), replaces: true };
            form.find_spare(scenario);
            return Some(form);
        }
        let run = scenario.runs.first()?;
        let sweep = Sweep {
            run: run.name.clone(),
            axes: vec![usual_axes(scenario, &run.name).into_iter().next()?],
            seeds: SEEDS,
            measures: usual_measures(run, frame),
            questions: Vec::new(),
        };
        let mut form = Self { sweep, spare: Vec::new(), replaces: false };
        form.find_spare(scenario);
        Some(form)
    }

    /// Chooses another run: axes that it does not have are replaced.
    pub fn choose_run(&mut self, scenario: &Scenario, run: usize) {
        let Some(run) = scenario.runs.get(run) else { return };
        self.sweep.run.clone_from(&run.name);
        let numbers = scenario.numbers(&run.name);
        self.sweep.axes.retain(|axis| numbers.iter().any(|number| number.path == axis.parameter));
        if self.sweep.axes.is_empty() {
            self.sweep.axes.extend(usual_axes(scenario, &run.name).into_iter().next());
        }
        self.find_spare(scenario);
        self.drop_questions();
    }

    fn find_spare(&mut self, scenario: &Scenario) {
        let usual = usual_axes(scenario, &self.sweep.run).into_iter();
        let used = |axis: &Axis| self.sweep.axes.iter().any(|other| other.parameter == axis.parameter);
        self.spare = usual.filter(|axis| !used(axis)).take(MAX_AXES).collect();
        self.spare.reverse();
    }

    /// Adds the next axis, unless there are as many as can be.
    pub fn add_axis(&mut self) {
        if self.sweep.axes.len() >= MAX_AXES {
            return;
        }
        let Self { sweep: Sweep { axes, .. }, spare, .. } = self;
        while let Some(mut axis) = spare.pop() {
            if axes.iter().all(|other| other.parameter != axis.parameter) {
                if axes.len() + 1 == MAX_AXES {
                    axis.count = axis.count.min(MAPS);
                }
                axes.push(axis);
                return;
            }
        }
    }

    /// Takes the last axis away, unless it is the only one.
    pub fn remove_axis(&mut self) {
        if self.sweep.axes.len() > 1 {
            self.spare.extend(self.sweep.axes.pop());
        }
    }

    /// Drops questions about what the sweep does not have.
    pub fn drop_questions(&mut self) {
        let Sweep { axes, measures, questions, .. } = &mut self.sweep;
        let known = |of: &str| of == engine::scenario::COST || axes.iter().any(|axis| axis.parameter == of);
        questions.retain(|question| measures.contains(&question.measure) && known(&question.of));
    }
}

/// Axes for a run: the parameters that are tuned most often, then the others of the run and of the target.
fn usual_axes(scenario: &Scenario, run: &str) -> Vec<Axis> {
    let numbers = scenario.numbers(run);
    let rank = |number: &Number| TUNED.iter().position(|path| *path == number.path).unwrap_or(TUNED.len());
    let mut chosen: Vec<&Number> = numbers.iter().collect();
    chosen.sort_by_key(|number| rank(number));
    chosen.into_iter().take(2 * MAX_AXES).map(axis_around).collect()
}

/// An axis around the present value of a number, within what is allowed.
#[must_use]
pub fn axis_around(number: &Number) -> Axis {
    let present = number.value.unwrap_or(1.0);
    let log = present > 0.0;
    let (from, to) = if log { (present / AROUND, present * AROUND) } else { number.slider };
    let fit = |value: f64, other: f64| {
        let value = if number.is_whole { value.round() } else { value };
        if number.legal.contains(value) { value } else { other }
    };
    let (from, to) = (fit(from, present), fit(to, present));
    Axis { parameter: number.path.clone(), from, to, count: if from < to { COUNT } else { 1 }, log }
}

/// Measures of a new sweep: in the plane those of the front, elsewhere those that lead on such targets; the first that there is in the place
/// of none.
fn usual_measures(run: &RunSpec, frame: &Frame) -> Vec<&'static str> {
    let family = frame.target.family();
    let samples = group(run.settings.kind) != MethodGroup::Approximations;
    let leading = if samples { family.leading.single } else { family.leading.fits };
    let usual = if [&PLANE, &LINE].contains(&family) { &USUAL_MEASURES } else { leading };
    let swept = |key: &&'static str| group_of(key).is_some() && why_unavailable(key, &frame.target, samples).is_none();
    let chosen: Vec<&'static str> = usual.iter().copied().filter(swept).take(MEASURES).collect();
    let first = || sweep_measures().map(|spec| spec.key).find(swept).into_iter().collect();
    if chosen.is_empty() { first() } else { chosen }
}

/// What is looked for in a dialog.
#[derive(Debug, Default)]
pub struct Search {
    /// The words as typed so far.
    pub text: String,
    /// The result that Enter takes, by its place.
    pub chosen: usize,
    /// Whether the field has had the focus.
    pub begun: bool,
}

/// A field for a path. It appears beside the system's file dialog, and in its place on a system without one.
#[derive(Debug)]
pub struct PathDialog {
    /// What the path is for.
    pub purpose: Purpose,
    /// Number of the request to the system's file dialog that belongs to this field.
    pub ticket: u64,
    /// The path as typed so far.
    pub text: String,
    /// Whether the system has no file dialog.
    pub no_service: bool,
    /// Whether the file exists already: the next click replaces it.
    pub exists: bool,
    /// Why the last attempt failed.
    pub problem: Option<String>,
    /// When the path was asked for.
    pub since: Instant,
}

impl PathDialog {
    /// A field that starts with `suggestion`.
    #[must_use]
    pub fn new(purpose: Purpose, ticket: u64, suggestion: &Path) -> Self {
        let text = suggestion.display().to_string();
        Self { purpose, ticket, text, no_service: false, exists: false, problem: None, since: Instant::now() }
    }

    /// The path as typed; a leading `~` means the home folder.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        let text = self.text.trim();
        match (text.strip_prefix("~/"), std::env::home_dir()) {
            (Some(rest), Some(home)) => home.join(rest),
            _ => PathBuf::from(text),
        }
    }
}

//! What a scenario file says of plots, as their options. The window and every figure take them from here, so that a plot looks the same
//! wherever the file is opened.

use std::ops::Range;

use super::PlotOptions;
use super::pairs::choice::Chosen;
use super::study_choice::{StudyChoice, measure};
use super::topics::geometry::Relevance;
use crate::words::word::Word;
use base::params::{KindSpec, Settings, Value};
use engine::scenario::view::CANVASES;
use engine::scenario::view::tabs::CONVERGENCE;
use engine::scenario::{ViewSpec, sweep_measures};

/// Options of plots, as far as a file names them: those of the open tab, and the axis of plots over time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Seen {
    /// Options of single plots.
    pub options: PlotOptions,
    /// The measure of the convergence plot, its axis, and the number of repeats.
    pub choice: StudyChoice,
    /// The cycle of the path plot; `None` for the newest.
    pub cycle: Option<u64>,
    /// The coordinate of plots that show one at a time, 0 (x) or 1 (y); `None` for the first on the screen and for all in a figure.
    pub coordinate: Option<usize>,
    /// The steps, evaluations or seconds that plots show; `None` for all.
    pub range: Option<Range<f64>>,
}

impl Seen {
    /// What a file says, and the defaults for the rest.
    #[must_use]
    pub fn of_file(view: &ViewSpec) -> Self {
        let mut seen = Self { options: PlotOptions { axis: view.axis, ..PlotOptions::default() }, ..Self::default() };
        if let Some(tab) = &view.tab {
            tab.iter().for_each(|(param, value)| seen.set(tab.kind, param.key, value));
        }
        seen
    }

    /// What a file says of a tab.
    #[must_use]
    pub fn in_file(&self, tab: &'static KindSpec) -> Settings {
        let mut settings = Settings::defaults(tab);
        for param in tab.params {
            if let Some(value) = self.value(tab, param.key) {
                // Values of controls are within the ranges of the table.
                settings.set(param.key, value).ok();
            }
        }
        settings
    }

    #[expect(clippy::cast_sign_loss, reason = "whole numbers in their ranges")]
    fn set(&mut self, tab: &KindSpec, key: &str, value: &Value) {
        let Self { options, choice, .. } = self;
        match (key, value) {
            ("log", Value::Flag(on)) if tab.name == CONVERGENCE.name => choice.log = *on,
            ("log", Value::Flag(on)) => options.log = *on,
            ("log_steps", Value::Flag(on)) => options.log_steps = *on,
            ("formula", Value::Flag(on)) => options.formula = *on,
            ("lines", Value::Choice(name)) => options.lines = word(name),
            ("both", Value::Flag(on)) => options.both = *on,
            ("align", Value::Flag(on)) => options.aligned = *on,
            ("coordinate", Value::Choice(name)) => self.coordinate = Some(usize::from(*name == "y")),
            ("quantity", Value::Choice(name)) => options.quantity = word(name),
            ("picture", Value::Choice(name)) => options.picture = word(name),
            ("beside", Value::Choice(name)) => options.beside = Word::named(name),
            ("surface", Value::Choice(name)) => options.surface = word(name),
            ("exact", Value::Flag(on)) => options.exact = *on,
            ("error", Value::Choice(name)) => options.error = word(name),
            ("cycles", Value::Choice(name)) => options.cycles = word(name),
            ("curve", Value::Choice(name)) => options.curve = word(name),
            ("scale", Value::Choice(name)) => options.scale = word(name),
            ("statistic", Value::Choice(name)) => options.statistic = word(name),
            ("sweep", Value::Choice(name)) => options.sweep.pictures = word(name),
            ("part", Value::Choice(name)) => options.sweep.part = word(name),
            ("measure", Value::Text(key)) => choice.spec = measure(key).copied().unwrap_or(choice.spec),
            ("shown", Value::Text(key)) => {
                options.sweep.measure = sweep_measures().map(|spec| spec.key).find(|known| known == key);
            }
            ("quantities", Value::Text(text)) => options.pairs = Chosen::of_text(text),
            ("threshold", Value::Number(threshold)) => options.threshold = Some(*threshold),
            ("relevance", Value::Number(weight)) => options.relevance = Relevance::of(*weight),
            ("direction", Value::Number(number)) => options.direction = *number as u64,
            // Files count chains from 1.
            ("chain", Value::Number(chain)) => options.chain = (chain.max(1.0) as usize) - 1,
            ("repeats", Value::Number(repeats)) => choice.repeats = *repeats as u64,
            ("cycle", Value::Number(cycle)) => self.cycle = Some(*cycle as u64),
            ("steps", Value::Pair([from, to])) => self.range = Some(*from..*to),
            _ => {}
        }
    }

    /// What a file says of an option; `None` for what is left out, such as a threshold that is that of the target.
    fn value(&self, tab: &KindSpec, key: &str) -> Option<Value> {
        let Self { options, choice, .. } = self;
        Some(match key {
            "log" if tab.name == CONVERGENCE.name => Value::Flag(choice.log),
            "log" => Value::Flag(options.log),
            "log_steps" => Value::Flag(options.log_steps),
            "formula" => Value::Flag(options.formula),
            "lines" => Value::Choice(options.lines.key()),
            "both" => Value::Flag(options.both),
            "align" => Value::Flag(options.aligned),
            "coordinate" => Value::Choice(if self.coordinate? == 0 { "x" } else { "y" }),
            "quantity" => Value::Choice(options.quantity.key()),
            "picture" => Value::Choice(options.picture.key()),
            "beside" => Value::Choice(options.beside.map_or(CANVASES, Word::key)),
            "surface" => Value::Choice(options.surface.key()),
            "exact" => Value::Flag(options.exact),
            "error" => Value::Choice(options.error.key()),
            "cycles" => Value::Choice(options.cycles.key()),
            "curve" => Value::Choice(options.curve.key()),
            "scale" => Value::Choice(options.scale.key()),
            "statistic" => Value::Choice(options.statistic.key()),
            "sweep" => Value::Choice(options.sweep.pictures.key()),
            "part" => Value::Choice(options.sweep.part.key()),
            "measure" => Value::Text(choice.spec.key.to_owned()),
            "shown" => Value::Text(options.sweep.measure?.to_owned()),
            "quantities" => Value::Text(options.pairs?.text()),
            "threshold" => Value::Number(options.threshold?),
            "relevance" => Value::Number(options.relevance.weight()),
            "direction" => Value::Number(options.direction as f64),
            "chain" => Value::Number(options.chain as f64 + 1.0),
            "repeats" => Value::Number(choice.repeats as f64),
            "cycle" => Value::Number(self.cycle? as f64),
            "steps" => self.range.as_ref().map(|range| Value::Pair([range.start.max(0.0), range.end]))?,
            _ => return None,
        })
    }
}

/// The value of a word, which was checked when its file was read.
fn word<T: Word + Default>(name: &str) -> T {
    T::named(name).unwrap_or_default()
}

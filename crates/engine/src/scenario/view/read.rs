//! Reader of `[view]`. What this version does not know is kept; what it knows and cannot read is an error with its line and column.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{
    Arrangement, Axis, COUNTS, Clock, DRAWS, EXACT, FOLDABLE, LAYERS, PANELS, PRESENTABLE, Shade, Speed, TABS, Unknown,
    ViewSpec, measure_keys,
};
use crate::scenario::near::suggestion;
use crate::scenario::read::{read_list, read_text, read_texts, whole};
use crate::scenario::table_reader::{TableReader, found, join, quoted};
use crate::scenario::write::toml_text;
use crate::scenario::{Pacing, figures, sweep_measures};
use base::params::{ParamError, Settings, Value, excerpt};

/// The keys of `[view]`.
pub(super) const KEYS: [&str; 22] = [
    "tab", "options", "layers", "draws", "exact", "runs", "measures", "layout", "axis", "clock", "area", "pace",
    "speed", "pause", "step", "theme", "truth", "hidden", "folded", "present", "locked", "unlocked",
];

/// Most entries of a list.
const MOST: usize = 1000;

/// The words of entries with a few values.
pub(super) const ARRANGEMENTS: [(&str, Arrangement); 2] =
    [("side-by-side", Arrangement::SideBySide), ("overlaid", Arrangement::Overlaid)];
pub(super) const AXES: [(&str, Axis); 3] =
    [("steps", Axis::Steps), ("gradients", Axis::Gradients), ("seconds", Axis::Seconds)];
pub(super) const CLOCKS: [(&str, Clock); 2] = [("steps", Clock::Steps), ("gradients", Clock::Gradients)];
pub(super) const PACES: [(&str, Pacing); 2] = [("watch", Pacing::Watch), ("instant", Pacing::Instant)];
pub(super) const SHADES: [(&str, Shade); 2] = [("light", Shade::Light), ("dark", Shade::Dark)];
pub(super) const TRUTHS: [(&str, bool); 2] = [("shown", true), ("hidden", false)];

/// The word for full speed.
pub(super) const FULL: &str = "full";

/// Reads the view in a document with runs of these names.
pub(in crate::scenario) fn read(document: &DeTable<'_>, runs: &[&str], reader: &mut TableReader) -> ViewSpec {
    let figure = figures::read(document, runs, reader);
    let Some(value) = document.get("view") else { return ViewSpec { figure, ..ViewSpec::default() } };
    reader.locate("view", value.span());
    let DeValue::Table(table) = value.get_ref() else {
        reader.fault(&value.span(), ParamError::new("view", found(value), "a [view] table"));
        return ViewSpec::default();
    };
    let mut reading = Reading { table, reader };
    let (tab, unknown_options) = reading.tab();
    ViewSpec {
        tab,
        unknown_options,
        layers: reading.names("layers", "layer", &LAYERS.into_iter()),
        draws: reading.one_of("draws", &DRAWS.map(|word| (word, word))).map(str::to_owned),
        exact: reading.one_of("exact", &EXACT.map(|word| (word, word))).map(str::to_owned),
        runs: reading.runs(runs),
        measures: reading.names("measures", "measure", &measure_keys()),
        layout: reading.one_of("layout", &ARRANGEMENTS),
        axis: reading.one_of("axis", &AXES),
        clock: reading.one_of("clock", &CLOCKS),
        area: reading.area(),
        pace: reading.one_of("pace", &PACES),
        speed: reading.speed(),
        pause: reading.pauses(),
        step: reading.step(),
        theme: reading.one_of("theme", &SHADES),
        truth: reading.one_of("truth", &TRUTHS),
        figure,
        packed: false,
        hidden: reading.names("hidden", "panel", &PANELS.into_iter()).unwrap_or_default(),
        folded: reading.names("folded", "panel", &FOLDABLE.into_iter()),
        present: reading.names("present", "panel", &PRESENTABLE.into_iter()).unwrap_or_default(),
        locked: reading.texts("locked"),
        unlocked: reading.texts("unlocked"),
        unknown: unknown(table, |key| KEYS.contains(&key)),
    }
}

/// The entries of a table that are not known.
fn unknown(table: &DeTable<'_>, known: impl Fn(&str) -> bool) -> Vec<Unknown> {
    let entries = table.iter().filter(|(key, _)| !known(key.get_ref()));
    entries.map(|(key, value)| Unknown { key: key.get_ref().to_string(), value: toml_text(value.get_ref()) }).collect()
}

/// The table of the view and the reader of its file.
struct Reading<'r, 't, 'i> {
    table: &'t DeTable<'i>,
    reader: &'r mut TableReader,
}

impl<'t, 'i> Reading<'_, 't, 'i> {
    /// The value under a key, whose position in the text is noted.
    fn value(&mut self, key: &str) -> Option<&'t Spanned<DeValue<'i>>> {
        let value = self.table.get(key)?;
        self.reader.locate(&join("view", key), value.span());
        Some(value)
    }

    fn fault(&mut self, key: &str, value: &Spanned<DeValue<'_>>, allowed: impl Into<String>) {
        self.reader.fault(&value.span(), ParamError::new(join("view", key), found(value), allowed));
    }

    /// Nothing, and a fault.
    fn refused<T>(&mut self, key: &str, value: &Spanned<DeValue<'_>>, allowed: impl Into<String>) -> Option<T> {
        self.fault(key, value, allowed);
        None
    }

    /// The tab with its options, and the options that are not known.
    fn tab(&mut self) -> (Option<Settings>, Vec<Unknown>) {
        let options = self.value("options");
        let kind = match self.value("tab") {
            None if options.is_none() => return (None, Vec::new()),
            None => Some(&TABS[0]),
            Some(value) => self.reader.kind(self.table, &value.span(), "view", "tab", &TABS),
        };
        let Some(kind) = kind else { return (None, Vec::new()) };
        let Some(options) = options else { return (Some(Settings::defaults(kind)), Vec::new()) };
        let DeValue::Table(table) = options.get_ref() else {
            return (self.refused("options", options, "a table of options"), Vec::new());
        };
        let unknown = unknown(table, |key| kind.param(key).is_some());
        let beside: Vec<&str> = unknown.iter().map(|entry| entry.key.as_str()).collect();
        let settings = self.reader.settings(table, &options.span(), "view.options", kind, &beside);
        self.check_options(&settings);
        (Some(settings), unknown)
    }

    /// Notes a measure that does not exist, and steps in the wrong order.
    fn check_options(&mut self, settings: &Settings) {
        if settings.kind.param("measure").is_some() {
            let measure = settings.word("measure");
            let drawn = measure_keys().filter(|key| !COUNTS.contains(key));
            if !drawn.clone().any(|key| key == measure) {
                let problem = format!("unknown measure \"{}\"{}", excerpt(measure), suggestion(measure, drawn.clone()));
                self.reader.fault_at_path(ParamError::new("view.options.measure", problem, quoted(drawn)));
            }
        }
        if let Some(Value::Text(shown)) = settings.get("shown") {
            let swept = sweep_measures().map(|spec| spec.key);
            if !swept.clone().any(|key| key == shown) {
                let problem = format!("unknown measure \"{}\"{}", excerpt(shown), suggestion(shown, swept.clone()));
                self.reader.fault_at_path(ParamError::new("view.options.shown", problem, quoted(swept)));
            }
        }
        if let Some(Value::Text(chosen)) = settings.get("quantities")
            && super::options::quantities(chosen).is_none()
        {
            let problem = format!("\"{}\" does not name quantities", excerpt(chosen));
            let allowed = "two to six different numbers from 1, such as \"1, 2, 5\"";
            self.reader.fault_at_path(ParamError::new("view.options.quantities", problem, allowed));
        }
        if settings.get("steps").is_some() {
            let [from, to] = settings.pair("steps");
            if from >= to {
                let problem = format!("{from} is not below {to}");
                self.reader.fault_at_path(ParamError::new("view.options.steps", problem, "two steps, [from, to]"));
            }
        }
    }

    /// One of a few words.
    fn one_of<T: Copy>(&mut self, key: &str, words: &[(&'static str, T)]) -> Option<T> {
        let value = self.value(key)?;
        let names = words.iter().map(|(word, _)| *word);
        let DeValue::String(text) = value.get_ref() else { return self.refused(key, value, quoted(names)) };
        let known = words.iter().find(|(word, _)| *word == text.as_ref());
        if known.is_none() {
            self.strange(key, value, "word", text, names);
        }
        known.map(|(_, meaning)| *meaning)
    }

    /// Notes a word that is not among those allowed.
    fn strange<'n>(
        &mut self,
        path: &str,
        value: &Spanned<DeValue<'_>>,
        what: &str,
        text: &str,
        names: impl Iterator<Item = &'n str> + Clone,
    ) {
        let problem = format!("unknown {what} \"{}\"{}", excerpt(text), suggestion(text, names.clone()));
        self.reader.fault(&value.span(), ParamError::new(join("view", path), problem, quoted(names)));
    }

    /// A list of names of things that there are.
    fn names<'n>(
        &mut self,
        key: &str,
        what: &str,
        names: &(impl Iterator<Item = &'n str> + Clone),
    ) -> Option<Vec<String>> {
        self.value(key)?;
        let path = join("view", key);
        let mut all = Vec::new();
        for (index, value) in read_list(self.table, key, &path, MOST, "a list of names in quotes", self.reader) {
            let here = format!("{key}[{index}]");
            match value.get_ref() {
                DeValue::String(text) if names.clone().any(|name| name == text.as_ref()) => all.push(text.to_string()),
                DeValue::String(text) => self.strange(&here, value, what, text, names.clone()),
                _ => {
                    self.fault(&here, value, quoted(names.clone()));
                }
            }
        }
        Some(all)
    }

    fn runs(&mut self, runs: &[&str]) -> Option<Vec<String>> {
        let value = self.value("runs")?;
        if matches!(value.get_ref(), DeValue::Array(array) if array.is_empty()) {
            self.reader.fault(&value.span(), ParamError::new("view.runs", "the list is empty", "one or more runs"));
        }
        self.names("runs", "run", &runs.iter().copied())
    }

    fn texts(&mut self, key: &str) -> Vec<String> {
        read_texts(self.table, key, &join("view", key), MOST, self.reader)
    }

    fn speed(&mut self) -> Option<Speed> {
        const ALLOWED: &str = "steps per second above 0, or \"full\"";
        let value = self.value("speed")?;
        let rate = match value.get_ref() {
            DeValue::String(_) => {
                let text = read_text(self.table, "speed", "view.speed", self.reader);
                return if text.as_deref() == Some(FULL) {
                    Some(Speed::Full)
                } else {
                    self.refused("speed", value, ALLOWED)
                };
            }
            _ => number(value).filter(|rate| *rate > 0.0),
        };
        rate.map(Speed::Steps).or_else(|| self.refused("speed", value, ALLOWED))
    }

    fn step(&mut self) -> Option<u64> {
        let value = self.value("step")?;
        whole(value).or_else(|| self.refused("step", value, "a step, from 0"))
    }

    fn pauses(&mut self) -> Vec<u64> {
        let mut steps = Vec::new();
        let allowed = "a list of steps, from 1";
        if self.value("pause").is_none() {
            return steps;
        }
        for (index, value) in read_list(self.table, "pause", "view.pause", MOST, allowed, self.reader) {
            match whole(value).filter(|step| *step > 0) {
                Some(step) => steps.push(step),
                None => {
                    self.fault(&format!("pause[{index}]"), value, "a step, from 1");
                }
            }
        }
        steps
    }

    fn area(&mut self) -> Option<[[f64; 2]; 2]> {
        let value = self.value("area")?;
        let side = |value: &Spanned<DeValue<'_>>| match value.get_ref() {
            DeValue::Array(ends) if ends.len() == 2 => {
                let [low, high] = [number(&ends[0])?, number(&ends[1])?];
                (low < high).then_some([low, high])
            }
            _ => None,
        };
        let area = match value.get_ref() {
            DeValue::Array(sides) if sides.len() == 2 => side(&sides[0]).zip(side(&sides[1])),
            _ => None,
        };
        let allowed = "[[from, to], [from, to]] of x and of y";
        area.map(|(x, y)| [x, y]).or_else(|| self.refused("area", value, allowed))
    }
}

/// A finite number.
fn number(value: &Spanned<DeValue<'_>>) -> Option<f64> {
    let number: Option<f64> = match value.get_ref() {
        DeValue::Integer(integer) if integer.radix() == 10 => integer.as_str().parse().ok(),
        DeValue::Float(float) => float.as_str().parse().ok(),
        _ => None,
    };
    number.filter(|number| number.is_finite())
}

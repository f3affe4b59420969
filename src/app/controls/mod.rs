//! Controls of parameters: sliders, choices and lists for any [`Settings`], laid out from its parameter table.
//!
//! No control knows the meaning of its parameter. It shows the present value and returns a [`ParamEdit`];
//! [`Settings::set`] decides later whether the new value is allowed.

mod aim;
mod compound;
pub mod fault;
pub mod locks;
mod method_list;
mod named_numbers;
mod numeric;
mod parameters;
mod refused;
mod row;
mod words;

pub use aim::{Aim, aimed};
pub use method_list::{method, methods};
pub use numeric::{GESTURES, Scale, number, number_field};
pub use parameters::parameters;
use refused::refused;
use row::cells;
pub use row::labelled;
use words::kind as kind_list;
pub use words::{committed_name, committed_text};

use std::cell::RefCell;

use egui::{CollapsingHeader, Ui};

use super::experiment::param_edit::{ParamEdit, first_value, with_required};
use base::params::{DefaultValue, KindSpec, ParamSpec, ParamType, Settings, Value};
use draw::kit::named::{named, part};
use engine::worker::Refusal;
use locks::Locks;
use models::targets::{column_choice, path_choice};
use samplers::methods::set_usual;
use samplers::schedules::{self, ALPHA};

/// Characters of a text at most that has the space beside its label, by the text that it has at first.
const SHORT_TEXT: usize = 8;

/// Bytes of a text at most that has a field: a longer one is a table that was pasted, with many lines.
const LONGEST_TEXT: usize = 4096;

/// What controls depend on beside the settings.
#[derive(Clone, Copy, Debug)]
pub struct Around<'a> {
    /// Paths of parameters without controls, and of kinds of groups that are not offered.
    pub hidden: &'a [&'a str],
    /// What the file locks: these have no controls.
    pub locks: Locks<'a>,
    /// Whether the one parameter that is not locked has the panel for itself: it is large.
    pub alone: bool,
    /// The parameter whose control is to have the focus.
    pub aim: Option<&'a Aim>,
    /// Names of the columns of the file that the settings name, as far as they are known.
    pub columns: &'a [String],
    /// Takes the path of a parameter for which the person wants to choose a file; `None` where files are not chosen.
    pub browsed: Option<&'a RefCell<Option<String>>>,
    /// What was refused last.
    pub refusal: Option<&'a Refusal>,
}

/// Shows controls for all parameters; returns the edits of this frame. Parameters that are not primary are folded under "More".
#[must_use]
pub fn settings(ui: &mut Ui, settings: &Settings, around: Around<'_>) -> Vec<ParamEdit> {
    let mut edits = Vec::new();
    let Around { hidden, locks, alone, aim, columns, browsed, refusal } = around;
    let top = Level { prefix: "", symbol: ALPHA, hidden, locks, alone, aim, columns, browsed, refusal };
    rows(ui, settings, top, Shown::Primary, &mut edits);
    let mut usual = settings.clone();
    set_usual(&mut usual);
    if let Some(changed) = folded(settings, &usual, top) {
        let text = if changed == 0 { "More".to_owned() } else { format!("More ({changed} changed)") };
        CollapsingHeader::new(text)
            .id_salt("more")
            .open(aim.is_some_and(Aim::is_hidden).then_some(true))
            .show_unindented(ui, |ui| rows(ui, settings, top, Shown::Folded, &mut edits));
    }
    edits
}

/// Parameters of one table.
#[derive(Clone, Copy, Debug)]
struct Level<'a> {
    /// Path of the table.
    prefix: &'a str,
    /// Symbol of the step size in its labels.
    symbol: &'a str,
    /// Paths of parameters without controls, and of kinds of groups that are not offered.
    hidden: &'a [&'a str],
    /// What the file locks.
    locks: Locks<'a>,
    /// Whether the one parameter that is not locked is large.
    alone: bool,
    /// The parameter whose control is to have the focus.
    aim: Option<&'a Aim>,
    /// Names of the columns of the file.
    columns: &'a [String],
    /// Takes the path of a parameter for which a file is to be chosen.
    browsed: Option<&'a RefCell<Option<String>>>,
    /// What was refused last.
    refusal: Option<&'a Refusal>,
}

impl Level<'_> {
    fn path(self, spec: &ParamSpec) -> String {
        if self.prefix.is_empty() { spec.key.to_owned() } else { format!("{}.{}", self.prefix, spec.key) }
    }

    /// Whether a parameter of a table has no control: it is hidden here or locked, or means nothing at the settings of its schedule.
    fn hides(self, settings: &Settings, spec: &ParamSpec, path: &str) -> bool {
        let idle = || schedules::idle_parameters(settings).contains(&spec.key);
        self.hidden.contains(&path) || idle() || self.locks.hold_all(path, settings.get(spec.key))
    }
}

/// Which parameters of a table have their controls in a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shown {
    /// The primary ones.
    Primary,
    /// The folded ones, and those of primary tables.
    Folded,
    /// All, within a folded table.
    All,
}

/// How many folded parameters differ from their defaults, and from what is usual for a method; `None` if none is folded.
fn folded(settings: &Settings, usual: &Settings, level: Level<'_>) -> Option<usize> {
    let defaults = Settings::defaults(settings.kind);
    let mut found = None;
    for spec in settings.kind.params {
        let path = level.path(spec);
        if level.hides(settings, spec, &path) {
            continue;
        }
        let inner = match settings.get(spec.key) {
            value if !spec.primary => {
                Some(usize::from(value != defaults.get(spec.key) && value != usual.get(spec.key)))
            }
            Some(Value::Group(group)) => {
                let usual = usual.group(spec.key).unwrap_or(group);
                folded(group, usual, Level { prefix: &path, ..level })
            }
            _ => None,
        };
        found = inner.map_or(found, |changed| Some(found.unwrap_or(0) + changed));
    }
    found
}

/// Shows the parameters of a table.
fn rows(ui: &mut Ui, settings: &Settings, level: Level<'_>, shown: Shown, edits: &mut Vec<ParamEdit>) {
    for spec in settings.kind.params {
        let path = level.path(spec);
        let value = settings.get(spec.key);
        if level.hides(settings, spec, &path) {
            continue;
        }
        match (shown, spec.primary, value) {
            (Shown::Primary, false, _) => continue,
            (Shown::Folded, true, Some(Value::Group(group))) => {
                let level = Level { prefix: &path, symbol: schedules::symbol(spec), ..level };
                part(ui, spec.key, |ui| rows(ui, group, level, shown, edits));
                continue;
            }
            (Shown::Folded, true, _) => continue,
            _ => {}
        }
        let shown = if spec.primary { shown } else { Shown::All };
        let label = schedules::label(settings, spec).replace(ALPHA, level.symbol);
        let entry = ParamRow { spec, label: &label, path: &path, level, shown };
        part(ui, spec.key, |ui| parameter(ui, entry, value, edits));
    }
}

/// A parameter with its label and its path.
#[derive(Clone, Copy)]
struct ParamRow<'a> {
    spec: &'static ParamSpec,
    label: &'a str,
    path: &'a str,
    level: Level<'a>,
    shown: Shown,
}

/// One parameter: a row; for a group, its kind and the rows of its parameters.
fn parameter(ui: &mut Ui, entry: ParamRow<'_>, value: Option<&Value>, edits: &mut Vec<ParamEdit>) {
    if let (ParamType::Group(kinds), Some(Value::Group(group))) = (entry.spec.ty, value) {
        return group_rows(ui, entry, (kinds, group), edits);
    }
    own_row(ui, entry, value, edits);
}

/// The row of a parameter that is no group.
fn own_row(ui: &mut Ui, entry: ParamRow<'_>, value: Option<&Value>, edits: &mut Vec<ParamEdit>) {
    let ParamRow { spec, path, .. } = entry;
    match (spec.ty, value) {
        (ParamType::List(kind), value) => {
            let items = if let Some(Value::List(items)) = value { items.as_slice() } else { &[] };
            let around = Around {
                hidden: &[],
                locks: Locks::NONE,
                alone: false,
                aim: None,
                columns: &[],
                browsed: None,
                refusal: None,
            };
            let edited = aimed(ui, entry.level.aim, path, |ui| {
                compound::list(ui, spec, kind, items, |ui, item| settings(ui, item, around))
            });
            if let Some(items) = edited {
                edits.push(ParamEdit { path: path.to_owned(), value: Some(Value::List(items)) });
            }
        }
        (_, None) => absent_row(ui, entry, edits),
        (_, Some(value)) => present_row(ui, entry, value, edits),
    }
}

fn present_row(ui: &mut Ui, entry: ParamRow<'_>, value: &Value, edits: &mut Vec<ParamEdit>) {
    let ParamRow { spec, label, path, .. } = entry;
    let optional = spec.default == DefaultValue::Absent;
    if let (true, Some(scale), Value::Number(number)) = (entry.level.alone, Scale::of(spec), value) {
        let edited = aimed(ui, entry.level.aim, path, |ui| numeric::large(ui, (label, &help(spec)), *number, &scale));
        edits.extend(edited.map(|number| ParamEdit { path: path.to_owned(), value: Some(Value::Number(number)) }));
        return;
    }
    let edited = row(ui, entry, |ui| {
        let name = format!("Remove {label}");
        if optional && named(ui.small_button("×"), &name).on_hover_text(&name).clicked() {
            return Some(None);
        }
        if let Some(browsed) = entry.level.browsed.filter(|_| path_choice(spec).is_some())
            && named(ui.button("…"), &format!("Choose: {label}")).on_hover_text("Choose from the disk").clicked()
        {
            browsed.replace(Some(path.to_owned()));
        }
        single(ui, entry, value).map(Some)
    });
    if let Some(value) = edited {
        edits.push(ParamEdit { path: path.to_owned(), value });
    }
}

/// Shows the control of a parameter with a value; returns the new value if it was edited.
fn single(ui: &mut Ui, entry: ParamRow<'_>, value: &Value) -> Option<Value> {
    let ParamRow { spec, path, level: Level { columns, refusal, .. }, .. } = entry;
    match (spec.ty, value) {
        (ParamType::Number { .. } | ParamType::Integer { .. }, Value::Number(number)) => {
            numeric::number(ui, *number, &Scale::of(spec)?).map(Value::Number)
        }
        (ParamType::Flag, Value::Flag(on)) => words::flag(ui, spec, *on).map(Value::Flag),
        (ParamType::Choice(choices), Value::Choice(word)) => {
            words::choice(ui, spec.label, choices, word).map(Value::Choice)
        }
        (ParamType::Text, Value::Text(text)) if text.len() > LONGEST_TEXT && text.contains('\n') => {
            ui.weak(format!("{} lines", text.lines().count()));
            None
        }
        (ParamType::Text, Value::Text(text)) => match column_choice(spec) {
            Some(choice) if !columns.is_empty() => {
                words::columns(ui, spec.label, (columns, choice), (text, refused(refusal, path)))
            }
            _ => committed_text(ui, spec.label, text, refused(refusal, path)),
        }
        .map(Value::Text),
        (ParamType::Pair { legal }, Value::Pair(numbers)) => numeric::pair(ui, legal, *numbers).map(Value::Pair),
        (ParamType::Covariance, Value::Covariance(matrix)) => compound::covariance(ui, *matrix).map(Value::Covariance),
        (ParamType::Knots, Value::Points(knots)) => compound::knots(ui, knots).map(Value::Points),
        (ParamType::Points { legal }, Value::Points(points)) => {
            compound::points(ui, spec, legal, points).map(Value::Points)
        }
        (ParamType::Named, Value::Named(numbers)) => named_numbers::numbers(ui, numbers).map(Value::Named),
        (ParamType::Picture, Value::Picture(picture)) => {
            ui.weak(picture.in_words());
            None
        }
        // `Settings` accepts only values of the type in its table.
        _ => None,
    }
}

/// A parameter without a value: a button that gives it one.
fn absent_row(ui: &mut Ui, entry: ParamRow<'_>, edits: &mut Vec<ParamEdit>) {
    let ParamRow { spec, label, path, .. } = entry;
    let required = spec.default == DefaultValue::Required;
    let browsed = entry.level.browsed.filter(|_| path_choice(spec).is_some());
    let word = match (required, browsed) {
        (true, _) => "Set a value",
        (false, Some(_)) => "From a file…",
        (false, None) => "Set",
    };
    let clicked = row(ui, entry, |ui| {
        let clicked = ui.small_button(word).on_hover_text(format!("{word}: {label}")).clicked();
        ui.weak(if required { "missing" } else { "not set" });
        clicked
    });
    if let (true, false, Some(browsed)) = (clicked, required, browsed) {
        browsed.replace(Some(path.to_owned()));
        return;
    }
    if let (true, Some(value)) = (clicked, first_value(spec.ty)) {
        edits.push(ParamEdit { path: path.to_owned(), value: Some(value) });
    }
}

fn group_rows(
    ui: &mut Ui,
    entry: ParamRow<'_>,
    (kinds, group): (&'static [KindSpec], &Settings),
    edits: &mut Vec<ParamEdit>,
) {
    let ParamRow { spec, label, path, level, shown } = entry;
    let inner = Level { prefix: path, symbol: schedules::symbol(spec), ..level };
    if kinds.len() == 1 {
        rows(ui, group, inner, shown, edits);
        return;
    }
    let offered = |kind: &KindSpec| !level.hidden.contains(&format!("{path}.{}", kind.name).as_str());
    let held = level.locks.hold(path);
    let chosen = if held { None } else { row(ui, entry, |ui| kind_list(ui, label, (kinds, offered), group.kind)) };
    if let Some(kind) = chosen {
        let converted = with_required(&group.converted(kind));
        edits.push(ParamEdit { path: path.to_owned(), value: Some(Value::Group(converted)) });
    }
    let any = |spec: &ParamSpec| shown == Shown::All || spec.primary;
    if held {
        rows(ui, group, inner, shown, edits);
    } else if group.kind.params.iter().any(any) {
        ui.indent(spec.key, |ui| rows(ui, group, inner, shown, edits));
    }
}

/// A row: the label in a column on the left, the controls in the rest. The label is also the name of the controls for
/// screen readers.
fn row<R>(ui: &mut Ui, entry: ParamRow<'_>, controls: impl FnOnce(&mut Ui) -> R) -> R {
    let ParamRow { spec, label, path, level, .. } = entry;
    let unit = if label == spec.unit { "" } else { spec.unit };
    // A path is long, and so is a text that begins as a list or a formula.
    let is_long = matches!(spec.default, DefaultValue::Word(word) if word.chars().count() > SHORT_TEXT);
    let rows = matches!(spec.ty, ParamType::Knots | ParamType::Points { .. } | ParamType::Named)
        || spec.ty == ParamType::Text && is_long
        || path_choice(spec).is_some();
    cells(ui, (label, rows), unit, &help(spec), |ui| aimed(ui, level.aim, path, controls))
}

/// The tooltip of a parameter: what it does, its key in a scenario file, and the allowed values.
fn help(spec: &ParamSpec) -> String {
    let unit = if spec.unit.is_empty() { String::new() } else { format!(" ({})", spec.unit) };
    let live = if spec.live { "" } else { "\nA change starts the run again from step 0." };
    format!("{}\n{}{unit}: {}{live}", spec.help, spec.key, base::params::type_in_words(spec.ty))
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::params::KindSpec;
    use models::targets::TARGETS;
    use samplers::methods::METHODS;

    /// The primary parameters of a kind; a table counts through its own, a choice of tables for one.
    fn primary(kind: &'static KindSpec) -> usize {
        let settings = Settings::defaults(kind);
        let count = |spec: &ParamSpec| match settings.get(spec.key) {
            Some(Value::Group(group)) if spec.key == "step_size" => primary(group.kind),
            _ => 1,
        };
        kind.params.iter().filter(|spec| spec.primary).map(count).sum()
    }

    #[test]
    fn two_to_four_parameters_of_each_method_are_always_in_sight() {
        for kind in &METHODS {
            assert!((2..=4).contains(&primary(kind)), "{}: {}", kind.name, primary(kind));
        }
        for kind in &TARGETS {
            let count = primary(kind);
            assert!(count <= 4 && (count >= 2 || count == kind.params.len()), "{}: {count}", kind.name);
        }
    }

    #[test]
    fn folded_parameters_that_differ_from_their_defaults_are_counted() {
        let mut settings = Settings::defaults(&METHODS[0]);
        let level = Level {
            prefix: "",
            symbol: ALPHA,
            hidden: &[],
            locks: Locks::NONE,
            alone: false,
            aim: None,
            columns: &[],
            browsed: None,
            refusal: None,
        };
        let usual = settings.clone();
        assert_eq!(folded(&settings, &usual, level), Some(0));
        settings.set("steps", Value::Number(7.0)).unwrap();
        settings.set("collect.burn_in", Value::Number(3.0)).unwrap();
        settings.set("step_size.convention", Value::Choice("welling-teh")).unwrap();
        assert_eq!(folded(&settings, &usual, level), Some(3));
        assert_eq!(folded(&settings, &usual, Level { hidden: &["steps"], ..level }), Some(2));
        let mut usual = usual;
        usual.set("collect.burn_in", Value::Number(3.0)).unwrap();
        assert_eq!(folded(&settings, &usual, level), Some(2), "what is usual is not changed");
    }

    /// Adds the tooltips of all parameters, kinds and choices, with their labels; returns how many there are.
    fn tooltips(kinds: &'static [KindSpec], found: &mut Vec<(&'static str, &'static str)>) {
        for kind in kinds {
            found.push((kind.label, kind.help));
            for spec in kind.params {
                found.push((spec.label, spec.help));
                match spec.ty {
                    ParamType::Group(kinds) => tooltips(kinds, found),
                    ParamType::List(kind) => tooltips(std::slice::from_ref(kind), found),
                    ParamType::Choice(choices) => {
                        found.extend(choices.iter().map(|choice| (choice.label, choice.help)));
                    }
                    _ => {}
                }
            }
        }
    }

    /// No symbol or formula before the first words.
    #[test]
    fn every_tooltip_begins_with_a_plain_word() {
        let mut found = Vec::new();
        for kinds in
            [&models::targets::TARGETS[..], &METHODS, &samplers::schedules::SCHEDULES, &engine::scenario::view::TABS]
        {
            tooltips(kinds, &mut found);
        }
        assert!(found.len() > 300, "only {}", found.len());
        for (label, help) in found.into_iter().filter(|(_, help)| !help.is_empty()) {
            let word: String = help.chars().take_while(|letter| letter.is_ascii_alphabetic()).collect();
            let alone = ["A", "An", "T"].contains(&word.as_str()) || word.len() > 1;
            assert!(alone && word.starts_with(char::is_uppercase), "{label}: {help}");
        }
    }
}

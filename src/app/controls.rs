//! Controls of parameters: sliders, choices and lists for any [`Settings`], laid out from its parameter table.
//!
//! No control knows the meaning of its parameter. It shows the present value and returns a [`ParamEdit`];
//! [`Settings::set`] decides later whether the new value is allowed.

mod compound;
mod numeric;
mod words;

pub use words::{committed_text, kind as kind_list};

use egui::{Response, RichText, TextStyle, Ui};

use super::locks::{Locks, guard};
use super::param_edit::{ParamEdit, first_value, with_required};
use crate::params::{DefaultValue, KindSpec, ParamSpec, ParamType, Settings, Value};
use crate::schedules::{self, ALPHA};

use numeric::Scale;

/// Width of the column of labels, in widths of the smallest control of egui.
const LABEL_WIDTH: f32 = 2.6;

/// The largest share of a row that the column of labels takes.
const LABEL_SHARE: f32 = 0.42;

/// The largest share of a row that a longer label takes, from the slider beside it.
const LONG_LABEL_SHARE: f32 = 0.64;

/// Shows controls for all parameters, disabled where they are locked; returns the edits of this frame.
#[must_use]
pub fn settings(ui: &mut Ui, settings: &Settings, locks: Locks<'_>) -> Vec<ParamEdit> {
    let mut edits = Vec::new();
    rows(ui, settings, ("", ALPHA), locks, &mut edits);
    edits
}

/// Shows the parameters below a path, with the symbol of the step size there.
fn rows(
    ui: &mut Ui,
    settings: &Settings,
    (prefix, symbol): (&str, &str),
    locks: Locks<'_>,
    edits: &mut Vec<ParamEdit>,
) {
    for spec in settings.kind.params {
        let path = if prefix.is_empty() { spec.key.to_owned() } else { format!("{prefix}.{}", spec.key) };
        let label = schedules::label(settings, spec).replace(ALPHA, symbol);
        let place = Place { spec, label: &label, path: &path };
        ui.push_id(spec.key, |ui| parameter(ui, place, settings.get(spec.key), locks, edits));
    }
}

/// A parameter with its label and its path.
#[derive(Clone, Copy)]
struct Place<'a> {
    spec: &'static ParamSpec,
    label: &'a str,
    path: &'a str,
}

/// One parameter: a row; for a group, its kind and the rows of its parameters.
fn parameter(ui: &mut Ui, place: Place<'_>, value: Option<&Value>, locks: Locks<'_>, edits: &mut Vec<ParamEdit>) {
    if let (ParamType::Group(kinds), Some(Value::Group(group))) = (place.spec.ty, value) {
        return group_rows(ui, place, (kinds, group), locks, edits);
    }
    guard(ui, locks.hold(place.path), |ui| own_row(ui, place, value, edits));
}

/// The row of a parameter that is no group.
fn own_row(ui: &mut Ui, place: Place<'_>, value: Option<&Value>, edits: &mut Vec<ParamEdit>) {
    let Place { spec, path, .. } = place;
    match (spec.ty, value) {
        (ParamType::List(kind), value) => {
            let items = if let Some(Value::List(items)) = value { items.as_slice() } else { &[] };
            if let Some(items) = compound::list(ui, spec, kind, items, |ui, item| settings(ui, item, Locks::NONE)) {
                edits.push(ParamEdit { path: path.to_owned(), value: Some(Value::List(items)) });
            }
        }
        (_, None) => absent_row(ui, place, edits),
        (_, Some(value)) => present_row(ui, place, value, edits),
    }
}

fn present_row(ui: &mut Ui, place: Place<'_>, value: &Value, edits: &mut Vec<ParamEdit>) {
    let Place { spec, label, path } = place;
    let optional = spec.default == DefaultValue::Absent;
    let edited = row(ui, place, |ui| {
        if optional && ui.small_button("×").on_hover_text(format!("Remove {label}")).clicked() {
            return Some(None);
        }
        single(ui, spec, value).map(Some)
    });
    if let Some(value) = edited {
        edits.push(ParamEdit { path: path.to_owned(), value });
    }
}

/// Shows the control of a parameter with a value; returns the new value if it was edited.
fn single(ui: &mut Ui, spec: &ParamSpec, value: &Value) -> Option<Value> {
    match (spec.ty, value) {
        (ParamType::Number { legal, slider, log }, Value::Number(number)) => {
            numeric::number(ui, *number, &Scale { legal, slider, log, whole: false }).map(Value::Number)
        }
        (ParamType::Integer { legal, slider, log }, Value::Number(number)) => {
            numeric::number(ui, *number, &Scale { legal, slider, log, whole: true }).map(Value::Number)
        }
        (ParamType::Flag, Value::Flag(on)) => words::flag(ui, spec, *on).map(Value::Flag),
        (ParamType::Choice(choices), Value::Choice(word)) => {
            words::choice(ui, spec.label, choices, word).map(Value::Choice)
        }
        (ParamType::Text, Value::Text(text)) => committed_text(ui, spec.label, text).map(Value::Text),
        (ParamType::Pair { legal }, Value::Pair(numbers)) => numeric::pair(ui, legal, *numbers).map(Value::Pair),
        (ParamType::Covariance, Value::Covariance(matrix)) => compound::covariance(ui, *matrix).map(Value::Covariance),
        (ParamType::Knots, Value::Knots(knots)) => compound::knots(ui, knots).map(Value::Knots),
        // `Settings` accepts only values of the type in its table.
        _ => None,
    }
}

/// A parameter without a value: a button that gives it one.
fn absent_row(ui: &mut Ui, place: Place<'_>, edits: &mut Vec<ParamEdit>) {
    let Place { spec, label, path } = place;
    let required = spec.default == DefaultValue::Required;
    let word = if required { "Set a value" } else { "Set" };
    let clicked = row(ui, place, |ui| {
        let clicked = ui.small_button(word).on_hover_text(format!("{word}: {label}")).clicked();
        ui.weak(if required { "missing" } else { "not set" });
        clicked
    });
    if let (true, Some(value)) = (clicked, first_value(spec.ty)) {
        edits.push(ParamEdit { path: path.to_owned(), value: Some(value) });
    }
}

fn group_rows(
    ui: &mut Ui,
    place: Place<'_>,
    (kinds, group): (&'static [KindSpec], &Settings),
    locks: Locks<'_>,
    edits: &mut Vec<ParamEdit>,
) {
    let Place { spec, label, path } = place;
    if kinds.len() == 1 {
        egui::CollapsingHeader::new(label)
            .id_salt(spec.key)
            .show(ui, |ui| rows(ui, group, (path, schedules::symbol(spec)), locks, edits));
        return;
    }
    let choose = |ui: &mut Ui| row(ui, place, |ui| kind_list(ui, label, kinds, group.kind));
    let chosen = guard(ui, locks.hold(path), choose);
    if let Some(kind) = chosen {
        let converted = with_required(&group.converted(kind));
        edits.push(ParamEdit { path: path.to_owned(), value: Some(Value::Group(converted)) });
    }
    if !group.kind.params.is_empty() {
        ui.indent(spec.key, |ui| rows(ui, group, (path, schedules::symbol(spec)), locks, edits));
    }
}

/// A row: the label in a column on the left, the controls in the rest. The label is also the name of the controls for
/// screen readers.
fn row<R>(ui: &mut Ui, Place { spec, label, .. }: Place<'_>, controls: impl FnOnce(&mut Ui) -> R) -> R {
    let unit = if label == spec.unit { "" } else { spec.unit };
    cells(ui, label, unit, &help(spec), controls)
}

/// A row with a label and a tooltip.
pub fn labelled<R>(ui: &mut Ui, label: &str, help: &str, controls: impl FnOnce(&mut Ui) -> R) -> R {
    cells(ui, label, "", help, controls)
}

fn cells<R>(ui: &mut Ui, label: &str, unit: &str, help: &str, controls: impl FnOnce(&mut Ui) -> R) -> R {
    ui.horizontal(|ui| {
        let response = label_cell(ui, label, unit, help);
        ui.label_inputs_by(response.id, controls)
    })
    .inner
}

fn label_cell(ui: &mut Ui, label: &str, unit: &str, help: &str) -> Response {
    let indented = ui.cursor().left() - ui.max_rect().left();
    let column = (LABEL_WIDTH * ui.spacing().interact_size.x - indented).min(LABEL_SHARE * ui.available_width());
    let width = text_width(ui, label).min(LONG_LABEL_SHARE * ui.available_width()).max(column);
    let size = egui::vec2(width, ui.spacing().interact_size.y);
    ui.allocate_ui_with_layout(size, egui::Layout::left_to_right(egui::Align::Center), |ui| {
        ui.set_min_size(size);
        let response = ui.add(egui::Label::new(label).truncate());
        if !unit.is_empty() {
            ui.add(egui::Label::new(RichText::new(unit).weak().small()).truncate());
        }
        if help.is_empty() { response } else { response.on_hover_text(help) }
    })
    .inner
}

/// The width that a label needs in full, in points.
fn text_width(ui: &Ui, text: &str) -> f32 {
    let font = TextStyle::Body.resolve(ui.style());
    ui.painter().layout_no_wrap(text.to_owned(), font, ui.visuals().text_color()).size().x.ceil()
}

/// The tooltip of a parameter: what it does, its key in a scenario file, and the allowed values.
fn help(spec: &ParamSpec) -> String {
    let unit = if spec.unit.is_empty() { String::new() } else { format!(" ({})", spec.unit) };
    let live = if spec.live { "" } else { "\nA change starts the run again from step 0." };
    format!("{}\n{}{unit}: {}{live}", spec.help, spec.key, crate::params::type_in_words(spec.ty))
}

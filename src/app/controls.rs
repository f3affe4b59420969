//! Controls made from parameter tables: one walk over a [`Settings`] lays out its sliders, choices and lists.
//!
//! Nothing here knows what a parameter means. A control shows the value it is given and reports an
//! [`Edit`]; whether the value is allowed is decided by [`Settings::set`] where the edit is carried out.

mod compound;
mod simple;

pub use simple::{committed_text, kind as method_combo};

use egui::{Response, RichText, Ui};

use crate::params::{DefaultValue, KindSpec, ParamSpec, ParamType, Settings, Value};
use crate::schedules::{self, ALPHA};

/// Width of the column of labels, in widths of the smallest control.
const LABEL_WIDTH: f32 = 2.6;

/// What a person did to a control.
#[derive(Clone, Debug, PartialEq)]
pub struct Edit {
    /// Dotted path of the parameter.
    pub path: String,
    /// Its new value; `None` takes an optional parameter away.
    pub value: Option<Value>,
}

/// Shows controls for all parameters except those that `skip` names; returns what was edited.
#[must_use]
pub fn settings(ui: &mut Ui, settings: &Settings, skip: &[&str]) -> Vec<Edit> {
    let mut edits = Vec::new();
    walk(ui, settings, ("", ALPHA), skip, &mut edits);
    edits
}

/// Shows the parameters under a path, `symbol` being what step sizes are called there.
fn walk(ui: &mut Ui, settings: &Settings, at: (&str, &str), skip: &[&str], edits: &mut Vec<Edit>) {
    let (prefix, symbol) = at;
    for spec in settings.kind.params {
        if skip.contains(&spec.key) {
            continue;
        }
        let path = if prefix.is_empty() { spec.key.to_owned() } else { format!("{prefix}.{}", spec.key) };
        let label = schedules::label(settings, spec).replace(ALPHA, symbol);
        let place = Place { spec, label: &label, path: &path };
        ui.push_id(spec.key, |ui| parameter(ui, place, settings.get(spec.key), edits));
    }
}

/// A parameter in its place: what it is, what it is called there, and where it is.
#[derive(Clone, Copy)]
struct Place<'a> {
    spec: &'static ParamSpec,
    label: &'a str,
    path: &'a str,
}

/// One parameter: a row, or for a group its kind and the rows below.
fn parameter(ui: &mut Ui, place: Place<'_>, value: Option<&Value>, edits: &mut Vec<Edit>) {
    let Place { spec, path, .. } = place;
    match (spec.ty, value) {
        (ParamType::Group(kinds), Some(Value::Group(group))) => group_rows(ui, place, kinds, group, edits),
        (ParamType::List(kind), value) => {
            let items = if let Some(Value::List(items)) = value { items.as_slice() } else { &[] };
            if let Some(items) = compound::list(ui, spec, kind, items) {
                edits.push(Edit { path: path.to_owned(), value: Some(Value::List(items)) });
            }
        }
        (_, None) => absent_row(ui, place, edits),
        (_, Some(value)) => present_row(ui, place, value, edits),
    }
}

fn present_row(ui: &mut Ui, place: Place<'_>, value: &Value, edits: &mut Vec<Edit>) {
    let Place { spec, label, path } = place;
    let optional = spec.default == DefaultValue::Absent;
    let edited = row(ui, place, |ui| {
        if optional && ui.small_button("×").on_hover_text(format!("Leave {label} out")).clicked() {
            return Some(None);
        }
        simple::value(ui, spec, value).map(Some)
    });
    if let Some(value) = edited {
        edits.push(Edit { path: path.to_owned(), value });
    }
}

/// A parameter without a value: a button that gives it one.
fn absent_row(ui: &mut Ui, place: Place<'_>, edits: &mut Vec<Edit>) {
    let Place { spec, label, path } = place;
    let required = spec.default == DefaultValue::Required;
    let word = if required { "Give a value" } else { "Set" };
    let clicked = row(ui, place, |ui| {
        let clicked = ui.small_button(word).on_hover_text(format!("{word}: {label}")).clicked();
        ui.weak(if required { "missing" } else { "not set" });
        clicked
    });
    if let (true, Some(value)) = (clicked, first_value(spec.ty)) {
        edits.push(Edit { path: path.to_owned(), value: Some(value) });
    }
}

/// A value to begin with, for a parameter that has none.
fn first_value(ty: ParamType) -> Option<Value> {
    Some(match ty {
        ParamType::Number { legal, slider, log } => {
            let middle = if log { (slider.0 * slider.1).sqrt() } else { f64::midpoint(slider.0, slider.1) };
            Value::Number(if legal.contains(middle) { middle } else { slider.0 })
        }
        ParamType::Integer { slider, .. } => Value::Number(slider.0.round()),
        ParamType::Flag => Value::Flag(true),
        ParamType::Choice(choices) => Value::Choice(choices.first()?.name),
        ParamType::Text => Value::Text(String::new()),
        ParamType::Pair { legal } => {
            let number = if legal.contains(0.0) { 0.0 } else { 1.0 };
            Value::Pair([number; 2])
        }
        ParamType::Covariance => Value::Covariance([[1.0, 0.0], [0.0, 1.0]]),
        ParamType::Knots => Value::Knots(vec![[1.0, 0.1]]),
        ParamType::Group(kinds) => Value::Group(Settings::defaults(kinds.first()?)),
        ParamType::List(kind) => Value::List(vec![with_required(&Settings::defaults(kind))]),
    })
}

/// The same settings in which required parameters without a value have a first one.
#[must_use]
pub fn with_required(settings: &Settings) -> Settings {
    let mut completed = settings.clone();
    for spec in settings.missing() {
        if let Some(value) = first_value(spec.ty) {
            // A first value is legal by construction; if a table disagrees, the parameter stays missing and is shown so.
            completed.set(spec.key, value).ok();
        }
    }
    completed
}

fn group_rows(ui: &mut Ui, place: Place<'_>, kinds: &'static [KindSpec], group: &Settings, edits: &mut Vec<Edit>) {
    let Place { spec, label, path } = place;
    if kinds.len() == 1 {
        egui::CollapsingHeader::new(label)
            .id_salt(spec.key)
            .show(ui, |ui| walk(ui, group, (path, schedules::symbol(spec)), &[], edits));
        return;
    }
    let chosen = row(ui, place, |ui| simple::kind(ui, label, kinds, group.kind));
    if let Some(kind) = chosen {
        let converted = with_required(&group.converted(kind));
        edits.push(Edit { path: path.to_owned(), value: Some(Value::Group(converted)) });
    }
    if !group.kind.params.is_empty() {
        ui.indent(spec.key, |ui| walk(ui, group, (path, schedules::symbol(spec)), &[], edits));
    }
}

/// A row: label on the left in a column of its own, controls in the rest. The label names the controls.
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
    let width = (LABEL_WIDTH * ui.spacing().interact_size.x - indented).min(0.42 * ui.available_width());
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

/// The tooltip of a parameter: what it does, its key in a file, and what values it takes.
fn help(spec: &ParamSpec) -> String {
    let unit = if spec.unit.is_empty() { String::new() } else { format!(" ({})", spec.unit) };
    let live = if spec.live { "" } else { "\nChanging it makes the run again from its first step." };
    format!("{}\n{}{unit}: {}{live}", spec.help, spec.key, crate::params::type_in_words(spec.ty))
}

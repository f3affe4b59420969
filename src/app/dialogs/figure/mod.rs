//! Inspector of a figure of panels: what its `[figure]` says, a control for each, and what is wrong with it.
//!
//! Each change is an edit of the scenario, which can be undone and changes no result. What a file could not say, such as an axis whose
//! lower end is above the upper one, stays in the dialog with the reason until it is mended; the scenario has the rest.

mod entries;
mod panels;
pub mod placing;
mod runs;
mod scales;
mod texts;

use std::cell::RefCell;

use egui::{CollapsingHeader, ComboBox, Id, RichText, TextEdit, Ui};

pub use scales::Scales;
use texts::set_text;

use crate::app::action::{Action, EditAction};
use crate::app::controls::locks::Locks;
use crate::app::controls::{self, Around, labelled};
use base::params::{ParamError, Settings, Value};
use draw::kit::named::part;
use draw::sheet::{ExportOptions, Told, Unit};
use draw::theme::Theme;
use engine::scenario::figures::{FIGURE, Typeface, errors, given, row_count, venue, without_errors};
use engine::scenario::{Scenario, ViewSpec};
use engine::session::Frame;

/// Keys with controls of their own, and those of single sections.
const COLOURS: [&str; 3] = ["palette", "line", "marker"];
const AXES: [&str; 4] = ["spines", "share", "share_x", "aspect"];
const SHOWN: [&str; 11] = [
    "grid",
    "contours",
    "modes",
    "cursor",
    "stability",
    "variance",
    "strip",
    "floors",
    "warnings",
    "outside",
    "details",
];

/// The figure of a scenario as the inspector shows it.
#[derive(Clone, Debug)]
pub struct Inspected {
    /// What it says.
    pub figure: Settings,
    /// What is wrong with it; the scenario has what it is without that.
    pub wrong: Vec<ParamError>,
}

/// A figure that no file could say, and what the scenario has of it.
type Draft = (Settings, Settings);

/// Where the dialog keeps what no file could say.
fn draft() -> Id {
    Id::unique("draft of a figure")
}

impl Inspected {
    /// The figure of a scenario, or the draft of one.
    pub fn of(ui: &Ui, scenario: &Scenario) -> Self {
        let kept = ui.data(|data| data.get_temp::<Option<Draft>>(draft())).flatten();
        let now = &scenario.view.figure;
        // After undo or another scenario the draft is of something else.
        let figure = kept.filter(|(_, of)| now.as_ref() == Some(of)).map(|(figure, _)| figure);
        let figure = figure.or_else(|| now.clone()).unwrap_or_else(|| Settings::defaults(&FIGURE));
        let wrong = faults(&figure, scenario);
        Self { figure, wrong }
    }

    /// Takes the figure as it is: a file that is written next says which panels it has, and its place or its size on paper.
    pub fn settle(ui: &Ui, scenario: &Scenario, options: &ExportOptions, actions: &mut Vec<Action>) {
        let Self { mut figure, wrong } = Self::of(ui, scenario);
        if !wrong.is_empty() {
            return;
        }
        let says_size = given(&figure, "size").is_some() || figure.optional_number("width").is_some();
        let has_size = options.size.venue(row_count(Some(&figure))).is_some() || options.size.unit != Unit::Pixels;
        if !says_size && has_size {
            options.size.put_into(&mut figure);
        }
        Self::take(ui, scenario, (figure, options), actions);
    }

    /// Takes a changed figure: as an edit of the scenario, without what no file could say, which stays as a draft.
    pub fn take(
        ui: &Ui,
        scenario: &Scenario,
        (mut changed, options): (Settings, &ExportOptions),
        actions: &mut Vec<Action>,
    ) {
        panels::settle(scenario, options, &mut changed);
        let edit = if faults(&changed, scenario).is_empty() {
            ui.data_mut(|data| data.insert_temp::<Option<Draft>>(draft(), None));
            changed
        } else {
            let names: Vec<&str> = scenario.runs.iter().map(|run| run.name.as_str()).collect();
            let rest = without_errors(&changed, &names);
            let kept: Draft = (changed, rest.clone());
            ui.data_mut(|data| data.insert_temp(draft(), Some(kept)));
            rest
        };
        if scenario.view.figure.as_ref() != Some(&edit) {
            actions.push(Action::Edit(EditAction::Figure(Box::new(edit))));
        }
    }
}

fn faults(figure: &Settings, scenario: &Scenario) -> Vec<ParamError> {
    let names: Vec<&str> = scenario.runs.iter().map(|run| run.name.as_str()).collect();
    errors(figure, &names)
}

/// Shows the inspector; `told` is what the last preview told. A figure that was `resized` from some options gets the size of those now.
pub fn show(
    ui: &mut Ui,
    theme: &Theme,
    (scenario, frame, told): (&Scenario, &Frame, &Told),
    (options, resized): (&mut ExportOptions, Option<ExportOptions>),
    scales: &mut Scales<'_>,
    actions: &mut Vec<Action>,
) {
    let Inspected { figure, wrong } = Inspected::of(ui, scenario);
    let mut changed = figure.clone();
    if let Some(before) = resized {
        draw::sheet::rearrange(scenario, (before.size, &mut options.size), &mut changed);
        options.size.put_into(&mut changed);
    }
    let panels = panels::names(scenario, options, &figure);
    let around = entries::Around { theme, panels: &panels, told, wrong: &wrong };
    section(ui, "Panels", true, |ui| {
        entries::fault(ui, theme, &wrong, "panels");
        panels::show(ui, theme, (scenario, frame, &*options), &mut changed);
        text_row(ui, "title", "title", "Above the panels, in the markup of names; none if empty.", &mut changed);
        rows_of(ui, &["letters"], &mut changed);
        typeface(ui, theme, options, &mut changed);
    });
    section(ui, "Runs", true, |ui| {
        rows_of(ui, &COLOURS[..1], &mut changed);
        runs::show(ui, theme, (scenario, &*options, told), (&mut changed, &wrong));
        rows_of(ui, &COLOURS[1..], &mut changed);
        rows_of(ui, &["legend"], &mut changed);
    });
    section(ui, "Axes", false, |ui| {
        text_row(ui, "name of x", "x", MARKUP, &mut changed);
        text_row(ui, "name of y", "y", MARKUP, &mut changed);
        rows_of(ui, &AXES, &mut changed);
        let view = ViewSpec { figure: Some(figure.clone()), ..scenario.view.clone() };
        scales::show(ui, (scenario, &*options), &view, scales);
        entries::axes(ui, around, &mut changed);
    });
    section(ui, "Shown", false, |ui| rows_of(ui, &SHOWN, &mut changed));
    section(ui, "Notes and arrows", !figure.list("note").is_empty(), |ui| {
        ui.weak("Drag notes and the tips of their arrows in the picture.");
        entries::notes(ui, around, &mut changed);
        if entries::add_button(ui) {
            placing::add(&mut changed, told);
        }
    });
    if changed != figure {
        Inspected::take(ui, scenario, (changed.clone(), &*options), actions);
    }
    options.follow(&changed);
}

/// How names are written.
const MARKUP: &str = "The name of the axis of canvases: θ_1, \\beta_{age}, x^2, **bold**. That of the target if empty.";

fn section(ui: &mut Ui, name: &str, open: bool, contents: impl FnOnce(&mut Ui)) {
    CollapsingHeader::new(RichText::new(name).strong()).id_salt(name).default_open(open).show_unindented(ui, contents);
}

/// The controls of some parameters, by their tables.
fn rows_of(ui: &mut Ui, keys: &[&str], figure: &mut Settings) {
    let hidden: Vec<&str> = FIGURE.params.iter().map(|spec| spec.key).filter(|key| !keys.contains(key)).collect();
    let browsed = RefCell::new(None);
    let around = Around {
        hidden: &hidden,
        locks: Locks::NONE,
        alone: false,
        aim: None,
        columns: &[],
        browsed: Some(&browsed),
        refusal: None,
    };
    for edit in part(ui, keys.first().copied().unwrap_or_default(), |ui| controls::settings(ui, figure, around)) {
        // An edit that is not allowed has no effect.
        edit.apply(figure).ok();
    }
}

/// The letters: those of the place that the figure has the size of, or others.
fn typeface(ui: &mut Ui, theme: &Theme, options: &ExportOptions, figure: &mut Settings) {
    let Some(spec) = FIGURE.param("typeface") else { return };
    let choices = spec.choices();
    let label = |word: &str| choices.iter().find(|choice| choice.name == word).map_or("", |choice| choice.label);
    let place = options.size.any_venue().or_else(|| given(figure, "size").and_then(venue));
    let usual = format!("as usual there: {}", label(word_of(place.map_or(Typeface::Inter, |venue| venue.typeface))));
    let now = given(figure, "typeface").map_or_else(|| usual.clone(), |word| label(word).to_owned());
    let mut chosen = None;
    labelled(ui, spec.label, spec.help, |ui| {
        ui.name_inputs(spec.label, |ui| {
            let width = theme.space(56.0).min(ui.available_width());
            ComboBox::from_id_salt("typeface").width(width).truncate().selected_text(now).show_ui(ui, |ui| {
                ui.ctx().move_to_top(ui.layer_id());
                let own = given(figure, "typeface");
                if ui.selectable_label(own.is_none(), usual).clicked() {
                    chosen = Some(None);
                }
                for choice in choices {
                    if ui.selectable_label(own == Some(choice.name), choice.label).clicked() {
                        chosen = Some(Some(choice.name));
                    }
                }
            })
        });
    });
    match chosen {
        Some(Some(word)) => drop(figure.set("typeface", Value::Choice(word))),
        Some(None) => figure.clear("typeface"),
        None => {}
    }
}

/// The word of letters in files.
fn word_of(typeface: Typeface) -> &'static str {
    match typeface {
        Typeface::Inter => "inter",
        Typeface::Serif => "serif",
        Typeface::Sans => "sans",
    }
}

/// A text that changes the figure as it is typed.
fn text_row(ui: &mut Ui, label: &str, key: &str, help: &str, figure: &mut Settings) {
    let mut text = figure.word(key).to_owned();
    labelled(ui, label, help, |ui| {
        let field = ui.name_inputs(label, |ui| ui.add(TextEdit::singleline(&mut text).desired_width(f32::INFINITY)));
        if field.changed() {
            set_text(figure, key, &text);
        }
    });
}

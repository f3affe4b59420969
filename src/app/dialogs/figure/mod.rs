//! Inspector of a figure of panels: what its `[figure]` says, a control for each, and what is wrong with it.
//!
//! Each change is an edit of the scenario, which can be undone and changes no result. What a file could not say, such as an axis whose
//! lower end is above the upper one, stays in the dialog with the reason until it is mended.

mod panels;
pub mod placing;
mod runs;
mod texts;

use std::cell::RefCell;

use egui::{CollapsingHeader, Id, RichText, TextEdit, Ui};

use texts::set_text;

use crate::app::action::{Action, EditAction};
use crate::app::controls::locks::Locks;
use crate::app::controls::{self, Around, labelled};
use base::params::Settings;
use draw::kit::named::part;
use draw::sheet::{ExportOptions, Told};
use draw::theme::Theme;
use engine::scenario::Scenario;
use engine::scenario::figures::{FIGURE, errors};
use engine::session::Frame;

/// Keys with controls of their own, and those of single sections.
const COLOURS: [&str; 3] = ["palette", "line", "marker"];
const AXES: [&str; 3] = ["spines", "share", "axis"];
const SHOWN: [&str; 6] = ["grid", "cursor", "stability", "warnings", "outside", "details"];
const NOTES: [&str; 1] = ["note"];

/// The figure of a scenario as the inspector shows it.
#[derive(Clone, Debug)]
pub struct Inspected {
    /// What it says.
    pub figure: Settings,
    /// What is wrong with it; then the scenario still has what it was before.
    pub wrong: Vec<String>,
}

/// A figure that no file could say, and the one of the scenario that it is to replace.
type Draft = (Settings, Option<Settings>);

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
        let figure = kept.filter(|(_, of)| of == now).map(|(figure, _)| figure);
        let figure = figure.or_else(|| now.clone()).unwrap_or_else(|| Settings::defaults(&FIGURE));
        let wrong = faults(&figure, scenario);
        Self { figure, wrong }
    }

    /// Takes the figure as it is: a file that is written next says which panels it has.
    pub fn settle(ui: &Ui, scenario: &Scenario, actions: &mut Vec<Action>) {
        let Self { figure, wrong } = Self::of(ui, scenario);
        if wrong.is_empty() {
            Self::take(ui, scenario, figure, actions);
        }
    }

    /// Takes a changed figure: as an edit if a file can say it, else as a draft.
    pub fn take(ui: &Ui, scenario: &Scenario, mut changed: Settings, actions: &mut Vec<Action>) {
        panels::settle(scenario, &mut changed);
        if faults(&changed, scenario).is_empty() {
            ui.data_mut(|data| data.insert_temp::<Option<Draft>>(draft(), None));
            if scenario.view.figure.as_ref() != Some(&changed) {
                actions.push(Action::Edit(EditAction::Figure(Box::new(changed))));
            }
        } else {
            let kept: Draft = (changed, scenario.view.figure.clone());
            ui.data_mut(|data| data.insert_temp(draft(), Some(kept)));
        }
    }
}

fn faults(figure: &Settings, scenario: &Scenario) -> Vec<String> {
    let names: Vec<&str> = scenario.runs.iter().map(|run| run.name.as_str()).collect();
    errors(figure, &names).iter().map(ToString::to_string).collect()
}

/// Shows the inspector; `told` is what the last preview told. A figure that was `resized` gets the size of the options.
pub fn show(
    ui: &mut Ui,
    theme: &Theme,
    (scenario, frame, told): (&Scenario, &Frame, &Told),
    (options, resized): (&mut ExportOptions, bool),
    actions: &mut Vec<Action>,
) {
    let Inspected { figure, wrong } = Inspected::of(ui, scenario);
    let mut changed = figure.clone();
    if resized {
        options.size.put_into(&mut changed);
    }
    for sentence in &wrong {
        ui.label(RichText::new(sentence).color(theme.error));
    }
    section(ui, "Panels", true, |ui| {
        panels::show(ui, theme, (scenario, frame), &mut changed);
        text_row(ui, "title", "title", "Above the panels, in the markup of names; none if empty.", &mut changed);
        rows_of(ui, &["letters", "typeface"], &mut changed);
    });
    section(ui, "Runs", true, |ui| {
        rows_of(ui, &COLOURS[..1], &mut changed);
        runs::show(ui, theme, (scenario, options), &mut changed);
        rows_of(ui, &COLOURS[1..], &mut changed);
        rows_of(ui, &["legend"], &mut changed);
    });
    section(ui, "Axes", false, |ui| {
        text_row(ui, "name of x", "x", MARKUP, &mut changed);
        text_row(ui, "name of y", "y", MARKUP, &mut changed);
        rows_of(ui, &AXES, &mut changed);
        remove_all(ui, "axis", "Remove all axes", &mut changed);
    });
    section(ui, "Shown", false, |ui| rows_of(ui, &SHOWN, &mut changed));
    section(ui, "Notes and arrows", !figure.list("note").is_empty(), |ui| {
        ui.weak("Drag notes and the tips of their arrows in the picture.");
        if ui.button("Add a note").clicked() {
            placing::add(&mut changed, told);
        }
        if !changed.list("note").is_empty() {
            rows_of(ui, &NOTES, &mut changed);
            remove_all(ui, "note", "Remove all notes", &mut changed);
        }
    });
    if changed != figure {
        Inspected::take(ui, scenario, changed.clone(), actions);
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

/// A button that empties a list which has something.
fn remove_all(ui: &mut Ui, key: &str, words: &str, figure: &mut Settings) {
    if !figure.list(key).is_empty() && ui.small_button(words).clicked() {
        figure.clear(key);
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

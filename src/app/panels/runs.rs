//! The runs: a card for each with its method and parameters.

use egui::{Button, Frame, RichText, Ui};

use crate::app::App;
use crate::app::actions::{Action, MAX_RUNS};
use crate::app::controls::{self, committed_text, labelled, method_combo};
use crate::app::panels::section;
use crate::draw::numbers;
use crate::draw::plots::fit_remarks::{self, Weight};
use crate::draw::plots::run_header::symbol_in;
use crate::draw::theme::Theme;
use crate::methods::METHODS;
use crate::params::{Settings, Value};
use crate::session::RunFrame;

/// Shows the cards.
pub fn show(app: &mut App, ui: &mut Ui, actions: &mut Vec<Action>) {
    let theme = app.theme.clone();
    section(ui, &theme, "Runs");
    let runs = app.model.scenario().runs.len();
    for run in 0..runs {
        let frame = Frame::new().fill(theme.raised).stroke(theme.hairline()).corner_radius(theme.space(1.5));
        frame.inner_margin(theme.space(2.0)).show(ui, |ui| {
            ui.set_width(ui.available_width());
            ui.push_id(("run", run), |ui| card(app, ui, run, actions));
        });
        ui.add_space(theme.space(1.0));
    }
    let room = runs < MAX_RUNS;
    ui.add_enabled_ui(room, |ui| {
        let add = ui.menu_button("+ Add run", |ui| {
            for method in &METHODS {
                if ui.button(method.label).on_hover_text(method.help).clicked() {
                    actions.push(Action::AddRun(method));
                }
            }
        });
        add.response.on_disabled_hover_text(format!("There is room for {MAX_RUNS} runs"));
    });
}

fn card(app: &mut App, ui: &mut Ui, run: usize, actions: &mut Vec<Action>) {
    let id = ui.make_persistent_id("card");
    let state = egui::collapsing_header::CollapsingState::load_with_default_open(ui.ctx(), id, true);
    let header = state.show_header(ui, |ui| head(app, ui, run, actions));
    header.body_unindented(|ui| body(app, ui, run, actions));
}

/// Marker, name, and what can be done with the run.
fn head(app: &App, ui: &mut Ui, run: usize, actions: &mut Vec<Action>) {
    let theme = &app.theme;
    let style = theme.run(run);
    crate::draw::plots::run_marker::show(ui, theme, style);
    let runs = app.model.scenario().runs.len();
    ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
        let remove = ui.add_enabled(runs > 1, Button::new("✕").frame(false));
        if remove.on_hover_text("Remove this run").clicked() {
            actions.push(Action::Remove(run));
        }
        let duplicate = ui.add_enabled(runs < MAX_RUNS, Button::new("copy").small());
        if duplicate.on_hover_text("Add a copy of this run").clicked() {
            actions.push(Action::Duplicate(run));
        }
        let name = app.model.scenario().runs[run].name.clone();
        let edited = ui.name_inputs(format!("Name of run {}", run + 1), |ui| committed_text(ui, "name", &name));
        if let Some(name) = edited {
            actions.push(Action::Rename { run, name: name.trim().to_owned() });
        }
    });
}

fn body(app: &App, ui: &mut Ui, run: usize, actions: &mut Vec<Action>) {
    let Some(settings) = app.model.scenario().runs.get(run).map(|spec| app.model.settings(spec)) else { return };
    labelled(ui, "method", settings.kind.help, |ui| {
        if let Some(method) = method_combo(ui, "Method", &METHODS, settings.kind) {
            actions.push(Action::ChooseMethod { run, method });
        }
    });
    let edits = ui.push_id(settings.kind.name, |ui| controls::settings(ui, &settings, &[])).inner;
    actions.extend(edits.into_iter().map(|edit| Action::EditRun { run, edit }));
    if let Some(frame) = app.model.frame().runs.get(run) {
        notes(ui, &app.theme, frame, &settings);
        for remark in fit_remarks::remarks(frame, app.model.frame().target.as_ref()) {
            let (colour, sign) = match remark.weight {
                Weight::Plain => (app.theme.soft, ""),
                Weight::Warning => (app.theme.warning, "⚠ "),
                Weight::Error => (app.theme.error, "⚠ "),
            };
            note(ui, &app.theme, colour, &format!("{sign}{}", remark.text));
        }
    }
}

/// The convention in which a run states its step sizes.
fn convention(settings: &Settings) -> &'static str {
    match settings.at("step_size.convention") {
        Some(Value::Choice(word)) => word,
        _ => "",
    }
}

/// What there is to say about a run: its step size, what is unusual, what went wrong.
fn notes(ui: &mut Ui, theme: &Theme, run: &RunFrame, settings: &Settings) {
    if run.fits.is_none() {
        step_size(ui, theme, run, settings);
    }
    for segment in run.plan.segments.iter().take(1) {
        for remark in segment.schedule.remarks() {
            note(ui, theme, theme.soft, &remark);
        }
    }
    if let Some((chain, step)) = run.diverged.first() {
        let count = run.diverged.len();
        let text = if count == 1 {
            format!("Chain {} diverged at step {} and stays where it was.", chain + 1, numbers::count(*step))
        } else {
            format!("{count} of {} chains diverged, the first at step {}.", run.plan.chains, numbers::count(*step))
        };
        note(ui, theme, theme.error, &format!("⚠ {text} A smaller step size helps."));
    }
    if run.history.stride() > 1 {
        note(ui, theme, theme.soft, &format!("Shown: every {}th step. All draws count.", run.history.stride()));
    }
}

/// The size of the newest step in both conventions.
fn step_size(ui: &mut Ui, theme: &Theme, run: &RunFrame, settings: &Settings) {
    let alpha = numbers::brief(run.alpha);
    let twice = numbers::brief(2.0 * run.alpha);
    let langevin = "α is the step size of θ ← θ + α ∇log p(θ) + √(2α) ξ; Welling and Teh (2011) write ε = 2α.";
    let Some(symbol) = symbol_in(settings.kind) else { return };
    let (shown, help) = match (symbol, convention(settings)) {
        ("h", _) => {
            (format!("now h = {alpha}"), "h is the time step with which the equations of motion are integrated.")
        }
        ("η", _) => (format!("now η = {alpha}"), "η is Adam's step size: about how far the parameters of q go."),
        ("ρ", _) => (
            format!("now ρ = {alpha}"),
            "λ ← (1 − ρ) λ + ρ λ̂: the share of the way to the noisy target that a step goes.",
        ),
        (_, "welling-teh") => (format!("now ε = {twice} (α = {alpha})"), langevin),
        _ => (format!("now α = {alpha} (ε = {twice})"), langevin),
    };
    ui.label(RichText::new(shown).font(theme.small()).color(theme.soft)).on_hover_text(help);
}

fn note(ui: &mut Ui, theme: &Theme, colour: egui::Color32, text: &str) {
    ui.add(egui::Label::new(RichText::new(text).font(theme.small()).color(colour)).wrap());
}

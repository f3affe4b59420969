//! The Truth and Compare tabs: measures, what they are drawn against, and their repeats.

use egui::{Button, ComboBox, DragValue, ProgressBar, Ui};

use crate::app::action::Action;
use crate::app::state::Ctx;
use crate::draw::plots::compare::{self, CompareInput};
use crate::draw::plots::followed::{MOST_REPEATS, followed};
use crate::draw::plots::truth::{self, TruthInput};
use crate::draw::theme::Theme;
use crate::scene::Against;
use crate::session::Frame;

/// Widths of the lists and of the progress bar, in units of the theme.
const MEASURES: f32 = 34.0;
const AGAINST: f32 = 30.0;
const PROGRESS: f32 = 20.0;

/// Height of the list of measures when it is open.
const LIST: f32 = 80.0;

/// How often progress is looked at.
const LOOK: std::time::Duration = std::time::Duration::from_millis(100);

/// What can be chosen of the plot of one measure.
pub fn tools(app: &mut Ctx<'_>, ui: &mut Ui, actions: &mut Vec<Action>) {
    let theme = app.theme.clone();
    let choice = &mut app.view.study.choice;
    ui.name_inputs("Measure", |ui| {
        let list = ComboBox::from_id_salt("measure").width(theme.space(MEASURES)).height(theme.space(LIST));
        let list = list.selected_text(choice.spec.label);
        list.show_ui(ui, |ui| {
            for spec in followed() {
                ui.selectable_value(&mut choice.spec, *spec, spec.label).on_hover_text(spec.help);
            }
        })
        .response
        .on_hover_text(choice.spec.help)
    });
    ui.checkbox(&mut choice.log, "log").on_hover_text("The measure on a logarithmic axis");
    repeats(app, ui, actions);
}

/// What measures are drawn against, and over how many repeats.
pub fn repeats(app: &mut Ctx<'_>, ui: &mut Ui, actions: &mut Vec<Action>) {
    let theme = app.theme.clone();
    let scenario = app.model.scenario().clone();
    let choice = &mut app.view.study.choice;
    ui.name_inputs("Against", |ui| {
        let list = ComboBox::from_id_salt("against").width(theme.space(AGAINST)).selected_text(word(choice.against));
        list.show_ui(ui, |ui| {
            for against in [Against::Gradients, Against::Steps] {
                ui.selectable_value(&mut choice.against, against, word(against));
            }
        })
        .response
        .on_hover_text("Gradient evaluations of all chains (a full gradient counts 1, a minibatch n/N), or steps")
    });
    let field = DragValue::new(&mut choice.repeats).range(1..=MOST_REPEATS).speed(0.1).suffix(" repeats");
    let seeds = format!("The scenario with its own seed, {}, and those that follow it", scenario.seed);
    ui.name_inputs("Repeats", |ui| ui.add(field.update_while_editing(false))).on_hover_text(seeds);
    let study = &app.view.study;
    if let Some(share) = study.progress() {
        if ui.button("Cancel").on_hover_text("Keep the repeats made so far").clicked() {
            actions.push(Action::HaltStudy);
        }
        ui.add(ProgressBar::new(share).desired_width(theme.space(PROGRESS)).desired_height(theme.space(3.0)));
        ui.ctx().request_repaint_after(LOOK);
    } else if study.missing(&scenario)
        && ui.add(Button::new("Repeat")).on_hover_text("Make the missing repeats in the background").clicked()
    {
        actions.push(Action::RunStudy);
    }
}

fn word(against: Against) -> &'static str {
    match against {
        Against::Gradients => "by gradients",
        Against::Steps => "by steps",
    }
}

/// Asks for repeats that are missing once nobody drags anything.
fn ask(app: &Ctx<'_>, ui: &Ui, actions: &mut Vec<Action>) {
    if app.view.study.wants(app.model.scenario()) && !ui.input(|input| input.pointer.any_down()) {
        actions.push(Action::RunStudy);
    }
}

/// The plot of one measure.
pub fn show(app: &mut Ctx<'_>, ui: &mut Ui, frame: &Frame, runs: &[usize], theme: &Theme, actions: &mut Vec<Action>) {
    ask(app, ui, actions);
    let study = &app.view.study;
    let choice = study.choice;
    let input = TruthInput {
        frame,
        runs,
        spec: choice.spec,
        against: choice.against,
        log: choice.log,
        repeats: study.repeats(),
        version: study.version(),
        stale: study.stale(app.model.scenario()),
    };
    drop(truth::show(ui, &input, theme, &mut app.plots.truth));
}

/// The plots of samplers and approximations side by side.
pub fn compare(
    app: &mut Ctx<'_>,
    ui: &mut Ui,
    frame: &Frame,
    runs: &[usize],
    theme: &Theme,
    actions: &mut Vec<Action>,
) {
    ask(app, ui, actions);
    let study = &app.view.study;
    let input = CompareInput {
        frame,
        runs,
        against: study.choice.against,
        repeats: study.repeats(),
        version: study.version(),
        stale: study.stale(app.model.scenario()),
    };
    compare::show(ui, &input, theme, &mut app.plots.compare);
}

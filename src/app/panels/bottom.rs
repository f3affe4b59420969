//! The plots at the bottom, one tab each.

use egui::{Button, Ui};

use crate::app::action::Action;
use crate::app::panels::widgets::moved_by_hand;
use crate::app::state::Ctx;
use crate::app::view::NoiseView;
use crate::draw::plots::canvas::Draws;
use crate::draw::plots::chain::ChainInput;
use crate::draw::plots::steps::{self, RangeChange, StepAxis, StepsInput, StepsResponse};
use crate::draw::plots::{Computing, chain, elbo, noise, schedule, trace};
use crate::draw::tab::Tab;
use crate::scene::Extension;
use crate::session::Frame;

/// What a logarithmic axis is good for.
const LOG_STEPS: &str = "Steps on a logarithmic axis, where the first ones show";

/// Shows the tabs and the plot that was chosen.
pub fn show(app: &mut Ctx<'_>, ui: &mut Ui, actions: &mut Vec<Action>) {
    let theme = app.theme.clone();
    let frame = app.model.frame().clone();
    tabs(app, ui, &frame, actions);
    app.view.study.compares = app.view.tab == Tab::Compare;
    app.fade_if_stale(ui);
    ui.add_space(theme.space(1.0));
    let runs = app.view.shown_runs(frame.runs.len());
    let range = app.view.range.clone().unwrap_or_else(|| steps::whole(&frame));
    let input = StepsInput { frame: &frame, runs: &runs, focus: steps::focus(&frame, &runs), range, axis: axis(app) };
    let response = match app.view.tab {
        Tab::Schedule => schedule::show(ui, &input, app.view.log, &theme, &mut app.plots.schedule),
        Tab::Trace => {
            let what = (app.view.coordinate, Computing::Background, app.view.layers.draws == Draws::ByChain);
            trace::show(ui, &input, what, &theme, &mut app.plots.trace)
        }
        Tab::Noise => {
            let length = app.view.noise.length && frame.target.info().dimension > 1;
            let extension = if length { Extension::Length } else { Extension::Coordinate(app.view.coordinate) };
            noise::show(ui, &input, extension, &theme, &mut app.plots.noise)
        }
        Tab::Elbo => elbo::show(ui, &input, &theme, &mut app.plots.elbo),
        Tab::Smoothing => return super::smoothing::show(app, ui, &frame, &runs, &theme),
        Tab::Truth => return super::truth::show(app, ui, &frame, &runs, &theme, actions),
        Tab::Compare => return super::truth::compare(app, ui, &frame, &runs, &theme, actions),
        Tab::Path => return super::path::show(app, ui, &frame, input.focus),
        Tab::Coverage => return super::coverage::show(app, ui, &frame, &runs, actions),
        Tab::Chain => {
            let (coordinate, computing) = (app.view.coordinate, Computing::Background);
            let input = ChainInput { frame: &frame, runs: &runs, coordinate, computing };
            // What is under way asks for a repaint itself.
            drop(chain::show(ui, &input, &theme, &mut app.plots.chain));
            return;
        }
    };
    let touched = moved_by_hand(ui, &response.response);
    follow(app, touched, response, actions);
}

/// How steps lie along the axis of the plot that is shown.
fn axis(app: &Ctx<'_>) -> StepAxis {
    let log = match app.view.tab {
        Tab::Noise => app.view.noise.log,
        Tab::Elbo => app.view.fits.log,
        _ => false,
    };
    if log { StepAxis::Log } else { StepAxis::Linear }
}

fn follow(app: &mut Ctx<'_>, touched: bool, response: StepsResponse, actions: &mut Vec<Action>) {
    match response.range {
        RangeChange::To(range) if touched => app.view.range = Some(range),
        RangeChange::Unchanged | RangeChange::To(_) => {}
        RangeChange::Reset => app.view.range = None,
    }
    if let Some(step) = response.seek {
        actions.push(Action::Seek(step));
    }
}

fn tabs(app: &mut Ctx<'_>, ui: &mut Ui, frame: &Frame, actions: &mut Vec<Action>) {
    // Wrapped, since a row that is too wide would push the panel over its neighbour.
    ui.horizontal_wrapped(|ui| {
        for tab in Tab::ALL {
            ui.selectable_value(&mut app.view.tab, tab, tab.name());
        }
        ui.separator();
        match app.view.tab {
            Tab::Schedule => {
                ui.checkbox(&mut app.view.log, "log").on_hover_text("Step sizes on a logarithmic axis");
            }
            Tab::Truth => super::truth::tools(app, ui, actions),
            Tab::Compare => super::truth::repeats(app, ui, actions),
            Tab::Path => super::path::tools(app, ui, frame),
            Tab::Coverage => super::coverage::tools(app, ui, frame),
            Tab::Elbo | Tab::Smoothing => {
                ui.checkbox(&mut app.view.fits.log, "log steps").on_hover_text(LOG_STEPS);
            }
            Tab::Trace | Tab::Chain => coordinates(&mut app.view.coordinate, ui, frame),
            Tab::Noise => {
                coordinates(&mut app.view.coordinate, ui, frame);
                let NoiseView { length, log } = &mut app.view.noise;
                if frame.target.info().dimension > 1 {
                    ui.checkbox(length, "both").on_hover_text("How far steps go in the plane, not along one axis");
                }
                ui.checkbox(log, "log steps").on_hover_text(LOG_STEPS);
            }
        }
        if app.view.range.is_some() && ui.add(Button::new("All steps").small()).clicked() {
            app.view.range = None;
        }
    });
}

/// The coordinates that a plot of a single one can show.
fn coordinates(shown: &mut usize, ui: &mut Ui, frame: &Frame) {
    let info = frame.target.info();
    *shown = (*shown).min(info.dimension - 1);
    for (coordinate, name) in info.axes.iter().take(info.dimension).enumerate() {
        ui.selectable_value(shown, coordinate, *name);
    }
}

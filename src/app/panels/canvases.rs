//! The middle: a canvas for each run, one alone, or all runs over each other.

use egui::{Button, Ui, UiBuilder, vec2};

use crate::app::App;
use crate::app::actions::Action;
use crate::app::panels::fade_stale;
use crate::draw::canvas_grid::cells;
use crate::draw::plots::canvas::{self, CanvasInput, Draws, Layers, ViewChange};
use crate::draw::plots::{Computing, moved_by_hand};
use crate::draw::theme::Theme;
use crate::math::Bounds;
use crate::session::Frame;

/// How the collected draws can be drawn, with names and explanations.
const DRAWS: [(Draws, &str, &str); 8] = [
    (Draws::Hidden, "Hidden", "No draws."),
    (Draws::Auto, "Automatic", "Points while there are few draws, their density later."),
    (Draws::Points, "Points", "Some thousand draws, spread evenly over the run."),
    (Draws::Density, "Density", "All draws, counted on a grid."),
    (Draws::ByChain, "By chain", "Points, trails and traces coloured by chain (C)."),
    (Draws::ByCycle, "By cycle", "Points coloured by cycle."),
    (Draws::ByStep, "By step", "Points, pale at the beginning of the run and full at its end."),
    (
        Draws::Ensemble,
        "Where the chains are now",
        "Not the draws but all chains at the newest step, counted on a grid: with thousands of chains the density that \
         the method moves from its start towards the target (W).",
    ),
];

/// Chains from which on a run has a density of chains worth looking at.
const MANY_CHAINS: usize = 100;

/// What the arrows are.
const STEP_ARROWS: &str = "What the newest step was made of, tip to tail: momentum, drift, gradient noise, injected \
                           noise; proposals, and the paths that lead to them (A).";

/// Shows the canvases.
pub fn show(app: &mut App, ui: &mut Ui, actions: &mut Vec<Action>) {
    let theme = app.theme.clone();
    let frame = app.model.frame().clone();
    toolbar(app, ui, &theme, &frame);
    fade_stale(app, ui);
    ui.add_space(theme.space(1.0));
    let groups = groups(app, frame.runs.len());
    let rects = cells(ui.available_rect_before_wrap(), groups.len(), theme.space(3.0));
    for (runs, rect) in groups.iter().zip(rects) {
        let id = runs.first().copied().unwrap_or(0);
        ui.scope_builder(UiBuilder::new().id_salt(("canvas", id)).max_rect(rect), |ui| {
            one(app, ui, &frame, (id, runs), actions);
        });
    }
    ui.advance_cursor_after_rect(ui.max_rect());
}

fn one(app: &mut App, ui: &mut Ui, frame: &Frame, (id, runs): (usize, &[usize]), actions: &mut Vec<Action>) {
    let theme = &app.theme.clone();
    let view: Bounds = app.view.window.unwrap_or_else(|| frame.target.info().view);
    let layers = app.view.layers;
    let input = CanvasInput { id, frame, runs, view, layers, computing: Computing::Background };
    let response = canvas::show(ui, &input, theme, &mut app.plots.canvases);
    super::bottom::over_canvas(app, ui, frame, (runs, &response), actions);
    super::mixture::on_canvas(app, ui, frame, &response, actions);
    let touched = moved_by_hand(ui, &response.response);
    match response.view {
        ViewChange::To(window) if touched => app.view.window = Some(window),
        ViewChange::Unchanged | ViewChange::To(_) => {}
        ViewChange::Reset => app.view.window = None,
    }
}

/// Which runs share a canvas.
fn groups(app: &App, runs: usize) -> Vec<Vec<usize>> {
    match app.view.solo {
        Some(run) if run < runs => vec![vec![run]],
        _ if app.view.overlay => vec![(0..runs).collect()],
        _ => (0..runs).map(|run| vec![run]).collect(),
    }
}

fn toolbar(app: &mut App, ui: &mut Ui, theme: &Theme, frame: &Frame) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(theme.space(1.5), theme.space(1.0));
        ui.menu_button("Layers ▾", |ui| layers(ui, &mut app.view.layers));
        if frame.runs.len() > 1 {
            let apart = !app.view.overlay && app.view.solo.is_none();
            if ui.add(Button::selectable(apart, "Side by side")).clicked() {
                (app.view.overlay, app.view.solo) = (false, None);
            }
            let over = app.view.overlay && app.view.solo.is_none();
            if ui.add(Button::selectable(over, "Overlaid")).on_hover_text("All runs on one canvas").clicked() {
                (app.view.overlay, app.view.solo) = (true, None);
            }
            for (run, name) in frame.runs.iter().map(|run| &run.plan.name).enumerate() {
                let alone = Button::selectable(app.view.solo == Some(run), format!("Only {}", run + 1));
                if ui.add(alone).on_hover_text(format!("Only {name} ({})", run + 1)).clicked() {
                    app.view.toggle_solo(run, frame.runs.len());
                }
            }
        }
        super::mixture::tool(app, ui);
        if frame.runs.iter().any(|run| run.plan.chains >= MANY_CHAINS) {
            let now = app.view.layers.draws == Draws::Ensemble;
            let button = Button::selectable(now, "Chains now");
            let help = "Where all chains are at the newest step, as a density (W)";
            if ui.add(button).on_hover_text(help).clicked() {
                app.view.layers.toggle(Draws::Ensemble);
            }
        }
        if app.view.window.is_some() && ui.button("Reset view").on_hover_text("Or double-click a canvas").clicked() {
            app.view.window = None;
        }
    });
}

/// The entries of the Layers menu.
pub fn layers(ui: &mut Ui, layers: &mut Layers) {
    let rows = [
        (&mut layers.heat, "Density", "The target's density as shades."),
        (&mut layers.contours, "Contours", "Regions that hold 50, 80, 95 and 99 percent of the probability."),
        (&mut layers.modes, "Modes", "Where the target's modes are."),
        (&mut layers.trail, "Trail", "The newest steps of every chain."),
        (&mut layers.arrows, "Step arrows", STEP_ARROWS),
        (&mut layers.marginals, "Marginals", "The marginals along the edges, beside the exact ones."),
        (
            &mut layers.fits,
            "Fits",
            "The distributions that approximations have fitted, at 1, 2 and 3 standard deviations, and their way.",
        ),
        (&mut layers.ellipses, "Ellipses", "Mean and covariance of the draws, at 1, 2 and 3 standard deviations."),
    ];
    for (on, name, help) in rows {
        ui.checkbox(on, name).on_hover_text(help);
    }
    ui.separator();
    ui.weak("Draws");
    for (draws, name, help) in DRAWS {
        ui.radio_value(&mut layers.draws, draws, name).on_hover_text(help);
    }
}

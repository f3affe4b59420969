//! Canvases in the middle: one per run, one run alone, or all runs on one canvas; and their toolbar.

use egui::{Button, Ui, UiBuilder, vec2};

use crate::app::action::Action;
use crate::app::state::Ctx;
use crate::draw::canvas_grid::cells;
use crate::draw::plots::canvas::{self, CanvasInput, Draws, Layers, ViewChange};
use crate::draw::plots::{Computing, moved_by_hand};
use crate::math::Bounds;
use crate::session::Frame;

use super::{bottom, mixture};

/// The ways to show draws, with names and explanations.
const DRAWS: [(Draws, &str, &str); 8] = [
    (Draws::Hidden, "Hidden", "No draws."),
    (Draws::Auto, "Automatic", "Points for few draws, a density for many."),
    (Draws::Points, "Points", "A few thousand draws, spread evenly over the run."),
    (Draws::Density, "Density", "All draws, binned on a grid."),
    (Draws::ByChain, "By chain", "Points, trails and traces coloured by chain (C)."),
    (Draws::ByCycle, "By cycle", "Points coloured by cycle of the step size."),
    (Draws::ByStep, "By step", "Points coloured by step: pale at the start of the run, full at its end."),
    (
        Draws::Ensemble,
        "Chains now",
        "All chains at the present step, binned on a grid, instead of the draws. With thousands of chains: the density \
         that the method moves from the start to the target (W).",
    ),
];

/// The smallest number of chains whose density is informative.
const MANY_CHAINS: usize = 100;

/// Explanation of the step arrows.
const STEP_ARROWS: &str = "The parts of the newest step, tip to tail: momentum, drift, gradient noise, injected noise. \
                           Also proposals and the paths to them (A).";

/// Shows the toolbar and the canvases.
pub fn show(ctx: &mut Ctx<'_>, ui: &mut Ui, actions: &mut Vec<Action>) {
    let theme = ctx.theme;
    let frame = ctx.model.frame().clone();
    toolbar(ctx, ui, &frame);
    ctx.fade_if_stale(ui);
    ui.add_space(theme.space(1.0));
    let groups = groups(ctx, frame.runs.len());
    let rects = cells(ui.available_rect_before_wrap(), groups.len(), theme.space(3.0));
    for (runs, rect) in groups.iter().zip(rects) {
        let id = runs.first().copied().unwrap_or(0);
        ui.scope_builder(UiBuilder::new().id_salt(("canvas", id)).max_rect(rect), |ui| {
            one(ctx, ui, &frame, (id, runs), actions);
        });
    }
    ui.advance_cursor_after_rect(ui.max_rect());
}

fn one(ctx: &mut Ctx<'_>, ui: &mut Ui, frame: &Frame, (id, runs): (usize, &[usize]), actions: &mut Vec<Action>) {
    let theme = ctx.theme;
    let view: Bounds = ctx.view.bounds.unwrap_or_else(|| frame.target.info().view);
    let layers = ctx.view.layers;
    let input = CanvasInput { id, frame, runs, view, layers, computing: Computing::Background };
    let response = canvas::show(ui, &input, theme, &mut ctx.plots.canvases);
    bottom::over_canvas(ctx, ui, frame, (runs, &response), actions);
    mixture::on_canvas(ctx, ui, frame, &response, actions);
    let touched = moved_by_hand(ui, &response.response);
    match response.view {
        ViewChange::To(bounds) if touched => ctx.view.bounds = Some(bounds),
        ViewChange::Unchanged | ViewChange::To(_) => {}
        ViewChange::Reset => ctx.view.bounds = None,
    }
}

/// Which runs share a canvas.
fn groups(ctx: &Ctx<'_>, runs: usize) -> Vec<Vec<usize>> {
    let shown = ctx.view.shown_runs(runs);
    if ctx.view.overlay { vec![shown] } else { shown.into_iter().map(|run| vec![run]).collect() }
}

fn toolbar(ctx: &mut Ctx<'_>, ui: &mut Ui, frame: &Frame) {
    let theme = ctx.theme;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(theme.space(1.5), theme.space(1.0));
        ui.menu_button("Layers ▾", |ui| layers(ui, &mut ctx.view.layers));
        if frame.runs.len() > 1 {
            let all = ctx.view.shown_runs(frame.runs.len()).len() == frame.runs.len();
            let apart = !ctx.view.overlay && all;
            if ui.add(Button::selectable(apart, "Side by side")).clicked() {
                ctx.view.show_all(false);
            }
            let over = ctx.view.overlay && all;
            if ui.add(Button::selectable(over, "Overlaid")).on_hover_text("Show all runs on one canvas").clicked() {
                ctx.view.show_all(true);
            }
            for (run, name) in frame.runs.iter().map(|run| &run.plan.name).enumerate() {
                let alone = Button::selectable(ctx.view.solo == Some(run), format!("Only {}", run + 1));
                if ui.add(alone).on_hover_text(format!("Show only {name} ({})", run + 1)).clicked() {
                    ctx.view.toggle_solo(run, frame.runs.len());
                }
            }
        }
        mixture::tool(ctx, ui);
        if frame.runs.iter().any(|run| run.plan.chains >= MANY_CHAINS) {
            let now = ctx.view.layers.draws == Draws::Ensemble;
            let button = Button::selectable(now, "Chains now");
            let help = "Density of all chains at the present step (W)";
            if ui.add(button).on_hover_text(help).clicked() {
                ctx.view.layers.toggle(Draws::Ensemble);
            }
        }
        if ctx.view.bounds.is_some()
            && ui.button("Reset view").on_hover_text("Show the whole target again (or double-click a canvas)").clicked()
        {
            ctx.view.bounds = None;
        }
    });
}

/// The entries of the Layers menu.
pub fn layers(ui: &mut Ui, layers: &mut Layers) {
    let rows = [
        (&mut layers.heat, "Density", "The density of the target as shades."),
        (&mut layers.contours, "Contours", "Smallest regions with 50, 80, 95 and 99 % of the probability."),
        (&mut layers.modes, "Modes", "The modes of the target."),
        (&mut layers.trail, "Trail", "The newest steps of each chain."),
        (&mut layers.arrows, "Step arrows", STEP_ARROWS),
        (&mut layers.marginals, "Marginals", "The marginals of the draws along the edges, with the exact ones."),
        (
            &mut layers.fits,
            "Approximations",
            "Approximation q as ellipses at 1, 2 and 3 standard deviations, and the path of its mean.",
        ),
        (
            &mut layers.ellipses,
            "Ellipses",
            "Mean and covariance of the draws, as ellipses at 1, 2 and 3 standard deviations.",
        ),
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

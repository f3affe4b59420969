//! Tools of the canvases in the menu bar: layers, the part of the plane that is shown, and which runs have a canvas.

use egui::containers::menu::{MenuButton, MenuConfig};
use egui::{PopupCloseBehavior, Ui};

use crate::app::state::Ctx;
use crate::draw::plots::canvas::{Draws, Layers, extent_of_draws};

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

/// Explanation of the step arrows.
const STEP_ARROWS: &str = "The parts of the newest step, tip to tail: momentum, drift, gradient noise, injected noise. \
                           Also proposals and the paths to them (A).";

/// Shows the tools.
pub fn show(ctx: &mut Ctx<'_>, ui: &mut Ui) {
    menu(ui, "Layers ▾", "What the canvases show", |ui| layers(ui, &mut ctx.view.layers));
    menu(ui, "Fit ▾", "Which part of the plane the canvases show", |ui| fit(ctx, ui));
    if ctx.model.frame().runs.len() > 1 {
        let help = "A canvas for each run, one for all runs, or one run alone";
        menu(ui, "Canvases ▾", help, |ui| arrangement(ctx, ui));
    }
}

/// A menu that stays open while its boxes are ticked, until a click elsewhere or Esc.
fn menu(ui: &mut Ui, text: &str, help: &str, entries: impl FnOnce(&mut Ui)) {
    let config = MenuConfig::new().close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    MenuButton::new(text).config(config).ui(ui, entries).0.on_hover_text(help);
}

/// The entries of the menu Fit.
fn fit(ctx: &mut Ctx<'_>, ui: &mut Ui) {
    let frame = ctx.model.frame();
    let runs = ctx.view.shown_runs(frame.runs.len());
    if ui.button("Fit to target").on_hover_text("Show the whole target (or double-click a canvas)").clicked() {
        ctx.view.bounds = None;
    }
    let draws = extent_of_draws(frame, &runs);
    let button = ui.add_enabled(draws.is_some(), egui::Button::new("Fit to draws"));
    if button.on_hover_text("Show all draws and all chains, as close as possible").clicked() {
        ctx.view.bounds = draws;
    }
    if frame.target.info().dimension == 2 {
        ui.separator();
        ui.checkbox(&mut ctx.view.layers.free_scales, "Free scales")
            .on_hover_text("On: the part that is shown fills the canvas. Off: x and y have the same scale.");
    }
}

/// The entries of the menu Canvases.
fn arrangement(ctx: &mut Ctx<'_>, ui: &mut Ui) {
    let frame = ctx.model.frame();
    let all = ctx.view.shown_runs(frame.runs.len()).len() == frame.runs.len();
    let apart = !ctx.view.overlay && all;
    if ui.radio(apart, "Side by side").on_hover_text("A canvas for each run").clicked() {
        ctx.view.show_all(false);
    }
    let over = ctx.view.overlay && all;
    if ui.radio(over, "Overlaid").on_hover_text("All runs on one canvas").clicked() {
        ctx.view.show_all(true);
    }
    ui.separator();
    for (run, name) in frame.runs.iter().map(|run| &run.plan.name).enumerate() {
        let text = format!("Only {name}");
        if ui.radio(ctx.view.solo == Some(run), text).on_hover_text(format!("Key {}", run + 1)).clicked() {
            ctx.view.solo = Some(run);
        }
    }
}

/// The entries of the Layers menu.
fn layers(ui: &mut Ui, layers: &mut Layers) {
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

//! Canvases in the middle: one per run, one run alone, or all runs on one canvas; or what stands in their place.

use egui::{Event, Id, Rect, Sense, Ui, UiBuilder};

use crate::app::action::Action;
use crate::app::state::Ctx;
use crate::app::view::pen::Ground;
use base::math::Bounds;
use draw::canvas::{self, CanvasInput, ViewChange};
use draw::kit::background::Computing;
use draw::kit::canvas_grid::cells;
use draw::kit::gestures::moved_by_hand;
use draw::kit::warnings;
use draw::views::instead_of_canvases;
use engine::session::Frame;

use super::{bottom, chips, mixture, painting};

/// Space between two canvases, in units of the theme.
const GAP: f32 = 2.5;

/// Shows the canvases.
pub fn show(ctx: &mut Ctx<'_>, ui: &mut Ui, actions: &mut Vec<Action>) {
    let theme = ctx.theme;
    let frame = ctx.model.frame().clone();
    if let Some(tab) = instead_of_canvases(&frame) {
        return bottom::instead_of_canvases(ctx, ui, tab, actions);
    }
    painting::settle(ctx, &frame);
    ctx.fade_if_stale(ui);
    let groups = groups(ctx, ui, frame.runs.len());
    // If one canvas has a strip, all have one: they stay equal in size.
    let strip = groups.iter().any(|runs| warnings::any(&frame, runs));
    let shape = canvas::shape(&frame, ctx.view.shown.bounds, (ctx.view.shown.layers, strip), theme);
    let rects = cells(ui.available_rect_before_wrap(), groups.len(), theme.space(GAP), shape);
    let strips = rects.len() < 2 || canvas::have_strips(rects.iter().map(Rect::size), strip, theme);
    for (runs, rect) in groups.iter().zip(rects) {
        let id = runs.first().copied().unwrap_or(0);
        ui.scope_builder(UiBuilder::new().id_salt(("canvas", id)).max_rect(rect), |ui| {
            let area = ui.interact(rect, ui.scope_id().with("place"), Sense::hover());
            let name = name(&frame, runs);
            area.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Image, true, &name));
            one(ctx, ui, &frame, (id, runs, strip, strips), actions);
        });
    }
    ui.advance_cursor_after_rect(ui.max_rect());
}

fn one(
    ctx: &mut Ctx<'_>,
    ui: &mut Ui,
    frame: &Frame,
    (id, runs, strip, strips): (usize, &[usize], bool, bool),
    actions: &mut Vec<Action>,
) {
    let theme = ctx.theme;
    let view: Bounds = ctx.view.shown.bounds.unwrap_or_else(|| frame.target.info().view);
    let placing = chips::places(ctx, frame, runs);
    let mut layers = ctx.view.layers(ctx.model.frame());
    layers.marginals &= strips;
    layers.quiet = placing || ctx.view.pen.tool.is_some() || keys_drive(ui);
    let (sketch, computing) = (ctx.view.shown.painter.sketch().cloned(), Computing::Background);
    let input = CanvasInput { id, frame, runs, view, layers, strip, sketch: sketch.as_ref(), computing };
    let response = canvas::show(ui, &input, theme, &mut ctx.plots.canvases);
    let shown = response.transform.bounds();
    let part = Bounds { min: shown.min().into(), max: shown.max().into() };
    ctx.view.pen.note(Ground { id, frame: *response.transform.frame(), part });
    let words = format!("{}: arrow keys move it, + and − zoom", name(frame, runs));
    response.response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &words));
    if !placing {
        bottom::over_canvas(ctx, ui, frame, (runs, &response), actions);
    }
    chips::on_canvas(ctx, ui, frame, (runs, &response));
    mixture::on_canvas(ctx, ui, frame, &response, actions);
    painting::on_canvas(ctx, ui, frame, (id, &response), actions);
    let touched = moved_by_hand(ui, &response.response);
    match response.view {
        ViewChange::To(bounds) if touched => ctx.view.shown.bounds = Some(bounds),
        ViewChange::Unchanged | ViewChange::To(_) => {}
        // Two chips placed quickly are no double click.
        ViewChange::Reset if placing => {}
        ViewChange::Reset => ctx.view.shown.bounds = None,
    }
}

/// Whether a key was pressed since the pointer moved last: what it rests on by chance is not told then.
fn keys_drive(ui: &Ui) -> bool {
    let id = Id::unique("keys drive");
    let news = ui.input(|input| {
        let keys = || input.raw.events.iter().any(|event| matches!(event, Event::Key { pressed: true, .. }));
        let moves = input.pointer.is_moving() || input.pointer.any_down();
        if moves { Some(false) } else { keys().then_some(true) }
    });
    ui.data_mut(|data| {
        let kept = data.get_temp_mut_or_default::<bool>(id);
        *kept = news.unwrap_or(*kept);
        *kept
    })
}

/// Which runs share a canvas. Before an audience the canvas beside a step is that of its run.
fn groups(ctx: &Ctx<'_>, ui: &Ui, runs: usize) -> Vec<Vec<usize>> {
    let shown = ctx.view.shown.runs(runs);
    if ctx.presents_step(ui.ctx())
        && !ctx.view.shown.overlay
        && let Some(alone) = ctx.view.plots.step_of.alone.filter(|run| shown.contains(run))
    {
        return vec![vec![alone]];
    }
    if ctx.view.shown.overlay { vec![shown] } else { shown.into_iter().map(|run| vec![run]).collect() }
}

/// The name of a canvas for screen readers.
fn name(frame: &Frame, runs: &[usize]) -> String {
    let names = runs.iter().filter_map(|&run| frame.runs.get(run)).map(|run| run.plan.name.as_str());
    format!("Canvas of {}", names.collect::<Vec<_>>().join(", "))
}

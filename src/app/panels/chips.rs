//! Chips of a challenge on the canvases: clicks place them while their question is asked, and they stay when it is told.

use egui::Ui;

use crate::app::state::Ctx;
use draw::canvas::CanvasResponse;
use draw::canvas::chips::{self, Chips, Deed};
use engine::diagnostics::chips::{FARTHEST, radius};
use engine::session::Frame;

/// Whether clicks on the canvas of these runs place chips.
#[must_use]
pub fn places(ctx: &Ctx<'_>, frame: &Frame, runs: &[usize]) -> bool {
    ctx.view.studies.challenge.asks() && concerned(ctx, frame, runs).is_some()
}

/// Shows the chips of the question that is turned to on the canvas of these runs, and takes clicks.
pub fn on_canvas(ctx: &mut Ctx<'_>, ui: &Ui, frame: &Frame, (runs, canvas): (&[usize], &CanvasResponse)) {
    let Some(number) = concerned(ctx, frame, runs) else { return };
    let info = frame.target.info();
    let line = info.dimension == 1;
    let placing = ctx.view.studies.challenge.asks();
    let Some(item) = ctx.view.studies.challenge.item_mut(number) else { return };
    let inner = radius(info.view, line);
    let (used, good) = item.told_chips();
    let chips = Chips { points: item.chips(), radii: [inner, FARTHEST * inner], used, good, line };
    match chips::show(ui, ctx.theme, chips, placing, (&canvas.response, &canvas.transform)) {
        Some(Deed::Place(at)) => item.place(at),
        Some(Deed::Take(chip)) => item.take_away(chip),
        None => {}
    }
}

/// The number of the question whose chips are on the canvas of these runs: one about one of them, or about the target.
fn concerned(ctx: &Ctx<'_>, frame: &Frame, runs: &[usize]) -> Option<usize> {
    let number = ctx.view.studies.challenge.on_canvas()?;
    let about = ctx.view.studies.challenge.items().get(number)?.challenge.task.run();
    let is_shown = |name: &str| runs.iter().filter_map(|run| frame.runs.get(*run)).any(|run| run.plan.name == name);
    about.is_none_or(is_shown).then_some(number)
}

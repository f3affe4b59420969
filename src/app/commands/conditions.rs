//! Conditions and values that several commands ask for.

use crate::app::files::draws;
use crate::app::state::Ctx;
use crate::platform::IN_BROWSER;
use base::math::Bounds;
use draw::canvas::extent_of_draws;

/// Of commands that there always are.
pub(super) fn anywhere(_: &Ctx<'_>) -> bool {
    true
}

/// The browser closes its windows.
pub(super) fn closes(_: &Ctx<'_>) -> bool {
    !IN_BROWSER
}

/// On the start page there is no experiment to save, to play or to look at.
pub(super) fn experiment(ctx: &Ctx<'_>) -> bool {
    !ctx.view.window.start_page
}

/// Whether the runs of the scenario are shown.
pub(super) fn shown(ctx: &Ctx<'_>) -> bool {
    experiment(ctx) && ctx.model.opening().is_none()
}

/// Whether the file of what is shown can be read by anyone, so that there is something to pack.
pub(super) fn is_open(ctx: &Ctx<'_>) -> bool {
    shown(ctx) && !ctx.model.scenario().view.packed
}

/// Whether there is an answer, and neither a question nor a target to be found out before it.
pub(super) fn tells_answer(ctx: &Ctx<'_>) -> bool {
    let scenario = ctx.model.scenario();
    let hidden = ctx.view.studies.challenge.asks() || ctx.view.hides_target(scenario);
    experiment(ctx) && ctx.offers("lesson") && !hidden && !scenario.caption.answer.is_empty()
}

pub(super) fn draws_are_there(ctx: &Ctx<'_>) -> bool {
    shown(ctx) && draws::are_there(ctx.model.frame())
}

/// Whether the scenario has a sweep whose cells are missing and not being computed.
pub(super) fn sweep_is_missing(ctx: &Ctx<'_>) -> bool {
    let scenario = ctx.model.scenario();
    experiment(ctx) && scenario.sweep.is_some() && ctx.view.studies.sweep.missing(scenario)
}

/// Whether cells of the sweep can be saved.
pub(super) fn cells_are_there(ctx: &Ctx<'_>) -> bool {
    experiment(ctx) && !ctx.view.studies.sweep.context(ctx.model.scenario()).cells.is_empty()
}

pub(super) fn several(ctx: &Ctx<'_>) -> bool {
    shown(ctx) && ctx.model.frame().runs.len() > 1
}

/// Whether canvases show all runs.
pub(super) fn shows_all(ctx: &Ctx<'_>) -> bool {
    let runs = ctx.model.frame().runs.len();
    ctx.view.shown.runs(runs).len() == runs
}

/// The part of the plane with all draws of the runs that are shown.
pub(super) fn around_draws(ctx: &Ctx<'_>) -> Option<Bounds> {
    let frame = ctx.model.frame();
    extent_of_draws(frame, &ctx.view.shown.runs(frame.runs.len()))
}

/// The part of the plane with the newest steps of the runs that are shown.
pub(super) fn around_step(ctx: &Ctx<'_>) -> Option<Bounds> {
    ctx.view.around_step(ctx.model.frame(), ctx.prefs.present)
}

/// Shows the newest step from near by, and those after it while they are explained.
pub(super) fn look_at_step(ctx: &mut Ctx<'_>) {
    let bounds = around_step(ctx);
    ctx.view.shown.bounds = bounds;
    ctx.view.shown.in_sight.ask(bounds, ctx.model.frame().time.tick);
}

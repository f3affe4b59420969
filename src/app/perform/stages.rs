//! Slow motion: the newest step of the runs stage by stage, and then the next step.

use std::time::Duration;

use crate::app::experiment::model::Model;
use crate::app::view::View;
use crate::platform::Instant;
use draw::geometry::{algorithm_of, stages};
use draw::views::StageMove;
use engine::session::Frame;
use engine::worker::Order;

/// The time that a stage is shown in slow motion.
const PACE: Duration = Duration::from_secs(1);

/// Carries it out.
pub fn walk(model: &mut Model, view: &mut View, wish: StageMove) {
    view.shown.layers.arrows = true;
    match wish {
        StageMove::On => on(model, view),
        StageMove::Back => back(model, view),
        StageMove::SlowMotion if view.shown.slow.take().is_some() => {}
        StageMove::SlowMotion => {
            on(model, view);
            view.shown.slow = Some(Instant::now() + PACE);
        }
    }
}

/// Goes on where slow motion is due. Returns when it is due next; `None` without it. Runs that play are shown whole.
pub fn keep_pace(model: &mut Model, view: &mut View) -> Option<Duration> {
    if model.status().playing || model.opening().is_some() {
        (view.shown.slow, view.shown.layers.stage) = (None, None);
    }
    let due = view.shown.slow?;
    let now = Instant::now();
    if now < due {
        return Some(due - now);
    }
    if model.frame().finished() && last(model.frame(), view) {
        view.shown.slow = None;
        return None;
    }
    on(model, view);
    view.shown.slow = Some(now + PACE);
    Some(PACE)
}

/// The largest number of stages of the newest step of the runs that are shown.
fn count(frame: &Frame, view: &View) -> usize {
    let shown = view.shown.runs(frame.runs.len());
    let runs = shown.iter().filter_map(|&run| frame.runs.get(run));
    runs.filter_map(|run| Some(stages(algorithm_of(frame, run)?, run.records.first()).len())).max().unwrap_or(0)
}

/// Whether the last stage is shown.
fn last(frame: &Frame, view: &View) -> bool {
    view.shown.layers.stage.is_none_or(|stage| stage + 1 >= count(frame, view))
}

fn on(model: &mut Model, view: &mut View) {
    let stage = &view.shown.layers.stage;
    let next = stage.map_or(0, |stage| stage + 1);
    let begins = model.status().playing || model.frame().step == 0;
    if begins || next >= count(model.frame(), view) {
        model.order(Order::Step(1));
        view.shown.layers.stage = Some(0);
    } else {
        view.shown.layers.stage = Some(next);
    }
}

fn back(model: &mut Model, view: &mut View) {
    let most = count(model.frame(), view);
    let stage = view.shown.layers.stage;
    if stage == Some(0) {
        model.order(Order::Step(-1));
        view.shown.layers.stage = Some(most.saturating_sub(1));
    } else {
        view.shown.layers.stage = Some(stage.unwrap_or(most).saturating_sub(1));
    }
}

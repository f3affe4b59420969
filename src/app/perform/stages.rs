//! Slow motion: the newest step of the runs stage by stage, and then the next step.

use std::time::Duration;

use crate::app::experiment::model::Model;
use crate::app::view::View;
use crate::app::view::in_sight::Step;
use crate::app::view::taken_apart::{TakenApart, parts};
use crate::platform::Instant;
use draw::views::StageMove;
use engine::worker::Order;

/// The time that a stage is shown in slow motion.
const PACE: Duration = Duration::from_secs(1);

/// Carries it out.
pub fn walk(model: &mut Model, view: &mut View, wish: StageMove) {
    view.shown.layers.arrows = true;
    if wish == StageMove::SlowMotion && ends_slow_motion(view) {
        return;
    }
    view.shown.in_sight.go_on();
    match wish {
        StageMove::On => on(model, view),
        StageMove::Back => back(model, view),
        StageMove::SlowMotion => {
            on(model, view);
            view.shown.slow = Some(Instant::now() + PACE);
        }
    }
}

/// Goes to a tick of the transport, and shows the newest step there whole.
pub fn seek(model: &mut Model, view: &mut View, tick: u64) {
    show_whole(view);
    model.seek(tick);
}

/// Plays, or pauses; slow motion is left where it is.
pub fn toggle_play(model: &mut Model, view: &mut View) {
    if !ends_slow_motion(view) {
        model.toggle_play();
    }
}

/// Ends slow motion, if it goes on, at the part of the step where it is. Canvases are as they were before it.
fn ends_slow_motion(view: &mut View) -> bool {
    let ends = view.shown.slow.take().is_some();
    if ends {
        let bounds = view.shown.bounds;
        view.shown.bounds = view.shown.in_sight.rest(bounds);
    }
    ends
}

/// Keeps the newest step in sight while it is explained, where a person has asked for it or could not read it.
pub fn keep_in_sight(model: &Model, view: &mut View, presents: bool) {
    if model.opening().is_some() || model.status().stepping || view.resets() {
        return;
    }
    let frame = model.frame();
    let to_scale = |run: &usize| {
        let record = frame.runs.get(*run).and_then(|run| run.records.first());
        record.is_some_and(|record| record.trajectory.is_some() || record.path.len() > 1)
    };
    let step = Step {
        tick: frame.time.tick,
        around: view.around_step(frame, presents),
        explained: view.shown.layers.stage.is_some(),
        to_scale: view.shown.runs(frame.runs.len()).iter().any(to_scale),
        home: frame.target.info().view,
    };
    let bounds = view.shown.bounds;
    view.shown.bounds = view.shown.in_sight.next(bounds, &step);
}

/// Shows the newest step whole.
pub fn show_whole(view: &mut View) {
    (view.shown.slow, view.shown.layers.stage) = (None, None);
}

/// Goes on where slow motion is due. Returns when it is due next; `None` without it. Runs that play are shown whole.
pub fn keep_pace(model: &mut Model, view: &mut View) -> Option<Duration> {
    if model.status().playing || model.opening().is_some() {
        show_whole(view);
    }
    if model.status().playing {
        view.shown.taken_apart = TakenApart::default();
    } else {
        view.shown.taken_apart.follow(model.frame());
    }
    let due = view.shown.slow?;
    let now = Instant::now();
    if now < due {
        return Some(due - now);
    }
    if model.frame().finished() && view.shown.ends_step(model.frame()) {
        ends_slow_motion(view);
        return None;
    }
    on(model, view);
    view.shown.slow = Some(now + PACE);
    Some(PACE)
}

/// The largest number of parts of the newest step of the runs that are shown.
fn count(model: &Model, view: &View) -> usize {
    let frame = model.frame();
    parts(frame, &view.shown.runs(frame.runs.len()))
}

/// To the next part of the step. After the last part, or a step that is shown whole, the next step begins; the last step of a run again.
fn on(model: &mut Model, view: &mut View) {
    let frame = model.frame().clone();
    let next = match view.shown.layers.stage {
        Some(stage) if stage + 1 < count(model, view) && !model.status().playing => stage + 1,
        _ => 0,
    };
    if next == 0 && !frame.finished() {
        view.shown.taken_apart = TakenApart::at(&frame);
        model.order(Order::Step(1));
    }
    view.shown.layers.stage = Some(next);
}

fn back(model: &mut Model, view: &mut View) {
    let most = count(model, view);
    let stage = view.shown.layers.stage;
    if stage == Some(0) {
        model.order(Order::Step(-1));
        view.shown.layers.stage = Some(most.saturating_sub(1));
    } else {
        let last = most.saturating_sub(1);
        view.shown.layers.stage = Some(stage.unwrap_or(last).saturating_sub(1));
    }
}

//! The moment of a run in words: steps, or what it has cost.

use crate::app::state::Ctx;
use draw::kit::time_axis::{Whose, data_of_evaluation};
use draw::words::numbers;
use engine::session::{Clock, Time};
use models::families::Cost;

/// How much space there is for the parts on the right side, from plenty to little.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Room {
    /// All is as usual.
    Usual,
    /// Both sliders are narrow.
    Narrow,
    /// And the position is without its unit: "100 / 50 000".
    Bare,
    /// And without its end: "100".
    Least,
}

impl Room {
    pub(super) const ALL: [Self; 4] = [Self::Usual, Self::Narrow, Self::Bare, Self::Least];
}

/// What the cost of a run is counted in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Unit {
    pub(super) cost: &'static Cost,
    /// How many make a gradient evaluation.
    pub(super) per_gradient: f64,
}

impl Unit {
    /// That of the target. Where data are counted, those that each chain has seen, if all runs have as many.
    pub(super) fn of(ctx: &Ctx<'_>) -> Self {
        let frame = ctx.model.frame();
        let per_gradient = data_of_evaluation(frame).map_or(1.0, |data| data / Whose::of(frame).1);
        Self { cost: &frame.target.family().cost, per_gradient }
    }
}

/// A moment in words, as many as there is space for: steps, or the cost of each run so far.
pub(super) fn position_words(time: Time, unit: Unit, room: Room) -> String {
    let units = |ticks: u64| match time.clock {
        Clock::Steps => numbers::count(ticks),
        #[expect(clippy::cast_sign_loss, reason = "rounded")]
        Clock::Gradients => numbers::count((ticks as f64 * time.unit * unit.per_gradient).round() as u64),
    };
    let (now, end) = (units(time.tick), units(time.end));
    match (room, time.clock) {
        (Room::Least, _) => now,
        (Room::Bare, _) => format!("{now} / {end}"),
        (_, Clock::Steps) => format!("Step {now} / {end}"),
        (_, Clock::Gradients) => format!("{now} / {end} {}", unit.cost.name),
    }
}

//! Work: the experiment in the window as it is kept, in a file or for the next start.

use crate::scenario::{Pacing, Scenario};
use crate::session::Clock;

use super::model::Model;
use super::unsaved::Work;
use super::view::View;

/// The scenario as it is written to a file: with the present view and the moment that is shown.
#[must_use]
pub fn as_seen(model: &Model, view: &View) -> Scenario {
    let mut scenario = model.scenario().as_ref().clone();
    scenario.view = view.spec(&scenario);
    let frame = model.frame();
    let (pace, step) = match model.mode() {
        // At step 0 the run is still being computed.
        Pacing::Instant if frame.finished() || frame.step == 0 => (Some(Pacing::Instant), None),
        Pacing::Watch if frame.step == 0 => (scenario.view.pace, scenario.view.step.map(|_| 0)),
        _ => (Some(Pacing::Watch), Some(frame.time.tick)),
    };
    (scenario.view.pace, scenario.view.step) = (pace, step);
    scenario.view.clock = (model.clock() != Clock::default()).then_some(model.clock());
    scenario
}

/// The experiment with its view, its step, and where it comes from.
#[must_use]
pub fn present(model: &Model, view: &View) -> Work {
    let scenario = model.scenario();
    let mut seen = view.spec(scenario);
    let clock = model.clock();
    if seen.clock.unwrap_or_default() != clock {
        seen.clock = Some(clock);
    }
    Work {
        scenario: scenario.clone(),
        view: seen,
        step: model.frame().time.tick,
        instant: model.mode() == Pacing::Instant,
        origin: model.origin().clone(),
    }
}

//! Speed of playing: from the scenario, from the person, or from the number of steps.

use std::time::Duration;

use engine::scenario::Scenario;
use engine::worker::Speed;

/// Duration of a whole run in Watch, unless a file or a person chooses another speed.
const WATCHING: Duration = Duration::from_secs(40);

/// The speed of a scenario that is loaded; `chosen` is the newest choice of the person.
pub fn of(scenario: &Scenario, chosen: Option<Speed>) -> Speed {
    scenario.view.speed.or(chosen).unwrap_or_else(|| watching(longest(scenario)))
}

/// Steps of the longest run.
fn longest(scenario: &Scenario) -> u64 {
    scenario.runs.iter().map(|run| run.settings.count("steps")).max().unwrap_or(1)
}

/// The speed at which so many steps take [`WATCHING`], to two digits.
#[expect(clippy::cast_precision_loss, reason = "two digits are kept")]
fn watching(steps: u64) -> Speed {
    let rate = (steps as f64 / WATCHING.as_secs_f64()).max(1.0);
    Speed::Steps(format!("{rate:.1e}").parse().unwrap_or(rate))
}

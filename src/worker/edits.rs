//! What edits make of a scenario where they count from the first step.

use crate::params::ParamError;
use crate::scenario::Scenario;
use crate::session::{Command, Session};

/// Whether a command changes the scenario.
pub fn edits(command: &Command) -> bool {
    !matches!(command, Command::Seek(_) | Command::Restart)
}

/// The scenario that a command makes of `base` if it counts from the first step.
pub fn edited(base: &Scenario, command: Command) -> Result<Scenario, ParamError> {
    match command {
        Command::Load(scenario) | Command::Replace(scenario) => Ok(*scenario),
        Command::Reseed(seed) => Ok(Scenario { seed, ..base.clone() }),
        Command::Set { run, path, value } => match base.runs.get(run) {
            Some(spec) => base.with_parameter(&spec.name, &path, value),
            None => Ok(base.clone()),
        },
        Command::SetTarget(target) => Ok(base.with_whole_target(target)),
        Command::Seek(_) | Command::Restart => Ok(base.clone()),
    }
}

/// An edit while runs are under way. A parameter that counts from the first step asks for another scenario at the present
/// step, and what there is of the runs is made again out of sight.
pub fn on_its_way(session: &Session, command: Command) -> Command {
    match &command {
        Command::Set { run, path, .. }
            if session.step() > 0 && !session.finished() && !session.sets_on_the_way(*run, path) =>
        {
            let scenario = edited(session.scenario(), command.clone());
            scenario.map_or(command, |scenario| Command::Replace(Box::new(scenario)))
        }
        _ => command,
    }
}

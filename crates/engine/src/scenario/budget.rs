//! A budget: every run ends at the first step at which all its chains together have spent so many evaluations, whatever its steps.
//!
//! Methods are compared fairly at the same cost, and a step of HMC costs what many steps of SGLD do. The steps of a run follow from the budget:
//! exactly where every step costs the same, so that its schedule ends where the run ends; else they are the most that there can be, and the run
//! ends when the budget is spent.

use base::params::{ParamType, Value};
use models::targets::Target;
use samplers::methods;
use samplers::schedules::Stage;

use super::RunSpec;
use super::assemble::{chains, gradient};

/// The fewest evaluations that a budget can be.
pub const LEAST: f64 = 1.0;

/// The most.
pub const MOST: f64 = 1e12;

/// What is allowed, in words.
pub(super) const ALLOWED: &str = "a number of evaluations of all chains of a run, from 1 to 1e12";

/// Every stage of a schedule.
const STAGES: [Stage; 3] = [Stage::Sampling, Stage::Exploration { noise: true }, Stage::Exploration { noise: false }];

/// A run with the steps that a budget allows it on a target; as it is where its method cannot be built.
pub(super) fn with_steps(run: &RunSpec, budget: f64, target: Option<&Target>) -> RunSpec {
    let mut run = run.clone();
    let Ok(method) = methods::build(&run.settings) else { return run };
    let method = match target.map(|target| method.on(target.space())) {
        Some(Ok(there)) => there,
        _ => method,
    };
    let (gradient, data) = (gradient(&run.settings), target.and_then(Target::data_count).unwrap_or(1));
    // A step whose cost is not fixed takes one evaluation at least.
    let of = |stage| method.most_evaluations().map_or_else(|| method.evaluations(&gradient, data, stage), |_| 1.0);
    let least = STAGES.into_iter().map(of).fold(f64::INFINITY, f64::min).max(1e-9) * chains(&run.settings) as f64;
    let most = match run.settings.spec_at("steps").map(|spec| spec.ty) {
        Some(ParamType::Integer { legal, .. }) => legal.max,
        _ => f64::INFINITY,
    };
    let steps = (budget / least - 1e-9).ceil().clamp(1.0, most);
    run.settings.set("steps", Value::Number(steps)).ok();
    run
}

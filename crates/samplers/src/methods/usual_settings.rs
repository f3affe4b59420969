//! The settings that people expect when they choose a method and say no more: NUTS and HMC adapt, cyclical SGLD has cycles.

use super::{Gradient, build, set_usual};
use crate::schedules::Stage;
use base::params::{Settings, Value};

/// Sets them where a file says none of them, and nothing of the step size. A warm-up has
/// the length that it says, and its draws are left out whatever it says of draws. Under a budget of evaluations the warm-up takes about half of it at most.
pub fn set_usual_unless(settings: &mut Settings, budget: Option<f64>, says: impl Fn(&str) -> bool) {
    let mut usual = settings.clone();
    if let Some(steps) = budget.and_then(|budget| affordable(settings, budget)) {
        // Steps that a budget allows are within the range of steps.
        usual.set("steps", Value::Number(steps)).ok();
    }
    set_usual(&mut usual);
    if let Some(steps) = settings.get("steps") {
        usual.set("steps", steps.clone()).ok();
    }
    let left_out = Settings::defaults(settings.kind);
    let mut chosen = left_out.clone();
    set_usual(&mut chosen);
    let is_choice = |key: &str| !["collect", "warm_up"].contains(&key) && chosen.get(key) != left_out.get(key);
    let is_set = |key: &str| key == "step_size" || is_choice(key);
    if !settings.kind.params.iter().any(|spec| is_set(spec.key) && says(spec.key)) {
        *settings = usual;
    }
}

/// About how many steps with full gradients a budget pays for, if these are fewer than those of the settings.
fn affordable(settings: &Settings, budget: f64) -> Option<f64> {
    let method = build(settings).ok()?;
    let chains = settings.kind.param("chains").map_or(1, |_| settings.count("chains")).max(1);
    let cost = method.evaluations(&Gradient::Exact, 1, Stage::Sampling).max(1.0);
    let steps = (budget / (chains as f64 * cost)).floor().max(1.0);
    (steps < settings.count("steps") as f64).then_some(steps)
}

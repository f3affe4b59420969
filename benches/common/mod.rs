//! Scenarios of the benchmarks: one run of a method on a target.

use std::path::Path;

use sampler_lab::scenario::{Scenario, read};

/// One run of `method` on a target, with default settings except for the lines of `target` and `more` in their tables.
/// `None` if the scenario is invalid: the method may lack a parameter, or may not be defined on the target.
pub fn scenario(target: &str, method: &str, more: &str) -> Option<Scenario> {
    let text = format!(
        "format = 1\ntitle = \"Benchmark\"\nseed = 42\n[target]\n{target}\n\
         [[run]]\nname = \"run\"\nmethod = \"{method}\"\n{more}\n"
    );
    let scenario = read(&text, "benchmark", Path::new(".")).ok()?;
    scenario.build().is_ok().then_some(scenario)
}

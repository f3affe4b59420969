//! What the benchmarks share: scenarios made from a few words.

use std::path::Path;

use sampler_lab::scenario::{Scenario, read};

/// One run of `method` on a target, with default settings except for what `target` and `more` add to their tables. `None`
/// if they do not go together: a method need not have the parameter, nor work on the target.
pub fn scenario(target: &str, method: &str, more: &str) -> Option<Scenario> {
    let text = format!(
        "format = 1\ntitle = \"Benchmark\"\nseed = 42\n[target]\n{target}\n\
         [[run]]\nname = \"run\"\nmethod = \"{method}\"\n{more}\n"
    );
    let scenario = read(&text, "benchmark", Path::new(".")).ok()?;
    scenario.build().is_ok().then_some(scenario)
}

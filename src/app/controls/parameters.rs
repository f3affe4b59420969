//! Parameters by name: their labels and paths.

use super::Level;
use super::locks::Locks;
use base::params::{ParamSpec, Settings, Value};
use samplers::schedules::{self, ALPHA};

/// All parameters as the controls show them: label, path and entry of the table.
#[must_use]
pub fn parameters(settings: &Settings, hidden: &[&str]) -> Vec<(String, String, &'static ParamSpec)> {
    let mut found = Vec::new();
    collect(
        settings,
        Level {
            prefix: "",
            symbol: ALPHA,
            hidden,
            locks: Locks::NONE,
            alone: false,
            aim: None,
            columns: &[],
            browsed: None,
            refusal: None,
        },
        &mut found,
    );
    found
}

fn collect(settings: &Settings, level: Level<'_>, found: &mut Vec<(String, String, &'static ParamSpec)>) {
    for spec in settings.kind.params {
        let path = level.path(spec);
        if level.hides(settings, spec, &path) {
            continue;
        }
        let label = schedules::label(settings, spec).replace(ALPHA, level.symbol);
        match (spec.ty, settings.get(spec.key)) {
            (base::params::ParamType::Group(kinds), Some(Value::Group(group))) => {
                if kinds.len() > 1 {
                    found.push((label, path.clone(), spec));
                }
                collect(group, Level { prefix: &path, symbol: schedules::symbol(spec), ..level }, found);
            }
            _ => found.push((label, path, spec)),
        }
    }
}

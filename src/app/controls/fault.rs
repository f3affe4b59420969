//! Errors in the words of the window: the names of controls in the place of the keys of files.

use base::params::{ParamError, Settings};
use engine::scenario::Scenario;

/// Errors of a scenario, or of an edit of run number `run` of it, a line each.
pub fn in_words<'a>(
    scenario: &Scenario,
    run: Option<usize>,
    errors: impl IntoIterator<Item = &'a ParamError>,
) -> String {
    errors.into_iter().map(|error| of(scenario, run, error)).collect::<Vec<_>>().join("\n")
}

fn of(scenario: &Scenario, run: Option<usize>, error: &ParamError) -> String {
    match control(scenario, run, &error.path) {
        Some(path) => ParamError { path, ..error.clone() }.to_string(),
        None => error.to_string(),
    }
}

/// What the control of a path is called, and of what it is.
fn control(scenario: &Scenario, run: Option<usize>, path: &str) -> Option<String> {
    if let Some(path) = path.strip_prefix("target.") {
        return Some(format!("{} of the target", label(&scenario.target, path)?));
    }
    let (run, path) = match path.strip_prefix("run[") {
        Some(rest) => {
            let (number, path) = rest.split_once("].")?;
            (number.parse().ok()?, path)
        }
        None => (run?, path),
    };
    let run = scenario.runs.get(run)?;
    Some(format!("{} of {}", label(&run.settings, path)?, run.name))
}

/// The labels of a path, the outermost first.
fn label(settings: &Settings, path: &str) -> Option<String> {
    let (key, rest) = path.split_once('.').map_or((path, None), |(key, rest)| (key, Some(rest)));
    let (key, item) = key.split_once('[').map_or((key, None), |(key, item)| (key, item.strip_suffix(']')));
    let own = settings.kind.param(key)?.label;
    let own = match item.and_then(|item| item.parse::<usize>().ok()) {
        Some(item) => format!("{own} {}", item + 1),
        None => own.to_owned(),
    };
    match rest.zip(settings.group(key)) {
        Some((rest, group)) => {
            let inner = label(group, rest)?;
            // "step size α" says all of "step size, step size α".
            Some(if inner.starts_with(&own) { inner } else { format!("{own}, {inner}") })
        }
        None => Some(own),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use engine::scenario::read;

    #[test]
    fn controls_are_named_in_the_place_of_keys() {
        let text = "format = 1\n[target]\nkind = \"gaussian\"\n[[run]]\nname = \"My chain\"\nmethod = \"sgld\"\nsteps = 10\n\
                    step_size = { kind = \"constant\", value = 0.1 }\n";
        let scenario = read(text, "x", Path::new("")).unwrap();
        let error = |path: &str| ParamError::new(path, "is too small", "above 0");
        let told = |run, path: &str| in_words(&scenario, run, [&error(path)]);
        let step_size = told(None, "run[0].step_size.value");
        assert_eq!(step_size, "step size α of My chain: is too small; allowed: above 0");
        assert_eq!(told(Some(0), "collect.burn_in"), told(None, "run[0].collect.burn_in"));
        assert_eq!(told(None, "target.sd"), "standard deviations of the target: is too small; allowed: above 0");
        assert_eq!(told(None, "run[7].steps"), "run[7].steps: is too small; allowed: above 0", "there is no such run");
        assert_eq!(told(None, "title"), "title: is too small; allowed: above 0");
    }
}

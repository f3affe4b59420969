//! Errors in the words of the window: the names of controls in the place of the keys of files.

use base::params::{ParamError, ParamType, Settings};
use engine::scenario::{Scenario, sweep_measures};

/// What files write of a sweep, and how its form says the same.
const WRITTEN: [(&str, &str); 3] = [
    ("a [sweep] table with axes", "a new one, by Sweep…"),
    ("scale = \"linear\"", "no tick at log"),
    ("count = 1", "1 value"),
];

/// Errors of a scenario, of an edit of run number `run` of it, or of its sweep, which may be of that run; a line each.
pub fn in_words<'a>(
    scenario: &Scenario,
    run: Option<usize>,
    errors: impl IntoIterator<Item = &'a ParamError>,
) -> String {
    errors.into_iter().map(|error| of(scenario, run, error)).collect::<Vec<_>>().join("\n")
}

fn of(scenario: &Scenario, run: Option<usize>, error: &ParamError) -> String {
    let place = of_sweep(&error.path);
    let swept = || scenario.run_index(&scenario.sweep.as_ref()?.run);
    let run = if place.is_some() { run.or_else(swept) } else { run };
    let measures = place.as_ref().is_some_and(|place| place.contains("measure"));
    let name = |word: &str| {
        let measure = sweep_measures().find(|spec| measures && spec.key == word).map(|spec| spec.label.to_owned());
        measure.or_else(|| name(scenario, run, word))
    };
    let words = |text: &str| {
        let text = WRITTEN.iter().fold(text.to_owned(), |text, (written, said)| text.replace(written, said));
        in_controls(&text, name)
    };
    let path = place.or_else(|| control(scenario, run, &error.path)).unwrap_or_else(|| error.path.clone());
    ParamError { path, problem: words(&error.problem), allowed: words(&error.allowed) }.to_string()
}

/// What a path of a sweep is called in its form.
fn of_sweep(path: &str) -> Option<String> {
    let rest = path.strip_prefix("sweep")?;
    let Some(rest) = rest.strip_prefix('.') else { return rest.is_empty().then(|| path.to_owned()) };
    let (list, field) = rest.split_once('.').map_or((rest, None), |(list, field)| (list, Some(field)));
    let (list, item) = list.split_once('[').map_or((list, None), |(list, item)| (list, item.strip_suffix(']')));
    let item = item.and_then(|item| item.parse::<usize>().ok());
    let list = match (list, item) {
        ("axes", Some(0)) => "parameter".to_owned(),
        ("axes", Some(1)) => "second parameter".to_owned(),
        ("axes", Some(_)) => "third parameter".to_owned(),
        ("axes", None) => "parameters".to_owned(),
        ("questions", Some(item)) => format!("question {}", item + 1),
        _ => list.to_owned(),
    };
    let field = field.filter(|field| *field != "parameter").map(|field| format!(", {}", field.replace('_', " ")));
    Some(format!("sweep, {list}{}", field.unwrap_or_default()))
}

/// A text with the names of controls in the place of the paths in it.
fn in_controls(text: &str, name: impl Fn(&str) -> Option<String>) -> String {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '[' | ']');
    let (mut said, mut rest) = (String::new(), text);
    while !rest.is_empty() {
        let (between, from) = rest.split_at(rest.find(is_part).unwrap_or(rest.len()));
        let (word, after) = from.split_at(from.find(|c| !is_part(c)).unwrap_or(from.len()));
        // It may end a sentence.
        let path = word.trim_end_matches('.');
        said.push_str(between);
        said.push_str(&name(path).unwrap_or_else(|| path.to_owned()));
        said.push_str(&word[path.len()..]);
        rest = after;
    }
    said
}

/// What the control of a path in a text is called. A word without dots may be one of everyday speech.
fn name(scenario: &Scenario, run: Option<usize>, word: &str) -> Option<String> {
    if !word.contains(['.', '_', '[']) {
        return None;
    }
    let own = run.and_then(|run| scenario.runs.get(run));
    let number = own.and_then(|run| scenario.number_at(&run.name, word)).map(|number| number.full_label());
    let setting = || {
        let settings = &own?.settings;
        label(settings, word).or_else(|| of_another_choice(settings, word))
    };
    let elsewhere = || control(scenario, None, word);
    number.or_else(elsewhere).or_else(setting)
}

/// The labels of a parameter of a group whose kind is now another one: the value of a constant step size, where steps decay.
fn of_another_choice(settings: &Settings, path: &str) -> Option<String> {
    let (key, inner) = path.split_once('.')?;
    let spec = settings.kind.param(key)?;
    let ParamType::Group(kinds) = spec.ty else { return None };
    let inner = kinds.iter().find_map(|kind| kind.param(inner))?.label;
    Some(if inner.starts_with(spec.label) { inner.to_owned() } else { format!("{}, {inner}", spec.label) })
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

    const SWEPT: &str = "format = 1\n[target]\nkind = \"gaussian\"\n[[run]]\nname = \"My chain\"\nmethod = \"sgld\"\nsteps = 10\n\
                         step_size = { kind = \"constant\", value = 0.1 }\n[sweep]\nrun = \"My chain\"\n\
                         axes = [{ parameter = \"step_size.value\", from = 0.1, to = 0.2, count = 3 }]\n";

    #[test]
    fn errors_of_sweeps_name_the_fields_of_its_form() {
        let scenario = read(SWEPT, "x", Path::new("")).unwrap();
        let told = |path: &str, problem: &str, allowed: &str| {
            in_words(&scenario, None, [&ParamError::new(path, problem, allowed)])
        };
        assert_eq!(
            told("sweep.axes[1].from", "0 has no logarithm", "a number above 0, or scale = \"linear\""),
            "sweep, second parameter, from: 0 has no logarithm; allowed: a number above 0, or no tick at log"
        );
        assert_eq!(
            told("sweep.axes", "run[0].step_size.value: is too large (with step_size.value = 0.3)", "below 0.25."),
            "sweep, parameters: step size α of My chain: is too large (with step size α = 0.3); allowed: below 0.25."
        );
        assert_eq!(told("sweep.measures[0]", "there is no \"tv\" here", "steps"), {
            let tv = sweep_measures().find(|spec| spec.key == "tv").unwrap().label;
            format!("sweep, measures: there is no \"{tv}\" here; allowed: steps")
        });
        assert!(told("sweep.questions[1].at_most", "inf is no bound", "").starts_with("sweep, question 2, at most: "));
        assert!(told("sweeping", "is wrong", "").starts_with("sweeping: "));
    }

    #[test]
    fn every_error_of_a_sweep_is_without_keys() {
        let scenario = read(SWEPT, "x", Path::new("")).unwrap();
        let good = scenario.sweep.clone().unwrap();
        let with = |change: &dyn Fn(&mut engine::scenario::Axis)| {
            let mut sweep = good.clone();
            change(&mut sweep.axes[0]);
            sweep.values(&scenario).unwrap_err()
        };
        let mut both = good.clone();
        both.axes.push(both.axes[0].clone());
        let mut without = scenario.clone();
        without.sweep = None;
        let all = [
            with(&|axis| axis.to = 0.05),
            with(&|axis| axis.from = -0.1),
            with(&|axis| (axis.from, axis.log) = (0.0, true)),
            with(&|axis| axis.count = 1_000_000),
            with(&|axis| axis.parameter = "step_size.initial".to_owned()),
            both.values(&scenario).unwrap_err(),
            engine::session::sweep::SweepPlan::new(&without).map(drop).unwrap_err(),
        ];
        for errors in all {
            let told = in_words(&scenario, None, &errors);
            let is_of_a_file =
                ["sweep.", "axes[", "step_size", "run[", "[sweep]", " = "].iter().any(|key| told.contains(key));
            assert!(!is_of_a_file && !errors.is_empty(), "{told}");
        }
    }
}

//! `list`: targets, methods, schedules, lessons, measures and tabs, as text or as JSON.

use clap::ValueEnum;
use serde_json::{Value as Json, json};

use base::params::{DefaultValue, KindSpec, ParamSpec, ParamType, Settings, Value, type_in_words};
use engine::diagnostics::all_measures;
use engine::distributions::available;
use engine::scenario::view::TABS;
use engine::scenario::{LESSONS, Lesson};
use models::targets::TARGETS;
use samplers::methods::{METHODS, MethodGroup, algorithm, group, in_group, set_usual};
use samplers::schedules::{SCHEDULES, named_schedules};

/// A list that can be printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum What {
    /// Densities
    Targets,
    /// Samplers, optimisers and variational approximations
    Methods,
    /// Step-size schedules
    Schedules,
    /// Built-in scenarios
    Lessons,
    /// Measures in summary.json
    Measures,
    /// Tabs of plots, with their options in [view]
    Tabs,
}

const ALL: [What; 6] = [What::Targets, What::Methods, What::Schedules, What::Lessons, What::Measures, What::Tabs];

/// The list as text, or as JSON.
pub fn list(what: Option<What>, as_json: bool) -> String {
    let wanted = ALL.into_iter().filter(|&each| what.is_none_or(|one| one == each));
    if as_json {
        let all: serde_json::Map<String, Json> = wanted.map(|what| (name(what).to_owned(), describe(what))).collect();
        return format!("{:#}", Json::Object(all));
    }
    wanted.map(section).collect::<Vec<_>>().join("\n\n")
}

fn section(what: What) -> String {
    let mut lines = vec![name(what).to_owned()];
    if matches!(what, What::Methods) {
        lines.extend(MethodGroup::ALL.into_iter().flat_map(of_group));
    }
    for (name, label, help) in entries(what) {
        lines.push(format!("  {name:<20} {label}"));
        if !help.is_empty() {
            lines.push(format!("  {:<20} {help}", ""));
        }
        let target = TARGETS.iter().find(|kind| what == What::Targets && kind.name == name);
        lines.extend(target.map(|kind| exact_line(available::of_target(kind))));
    }
    if matches!(what, What::Schedules) {
        let names: Vec<&str> = named_schedules().collect();
        lines.push(format!("  {:<20} Of PyTorch and optax: {}.", "", names.join(", ")));
    }
    lines.join("\n")
}

/// Where the exact distribution is computed, or why it is not.
fn exact_line(available: Result<&'static str, &'static str>) -> String {
    let text = match available {
        Ok(place) => format!("exact distribution: {place}"),
        Err(why) => format!("no exact distribution: {why}"),
    };
    format!("  {:<20} {text}", "")
}

/// The same for JSON.
fn exact_json(available: Result<&'static str, &'static str>) -> Json {
    match available {
        Ok(place) => json!({ "computed": place }),
        Err(why) => json!({ "not_computed": why }),
    }
}

/// The lines of a group of methods: its name and what its methods do, then each with its plain line and its exact distribution.
fn of_group(group: MethodGroup) -> Vec<String> {
    let head = [String::new(), format!("  {}: {}", group.name(), group.about())];
    let members = in_group(group).flat_map(|kind| {
        [
            format!("  {:<20} {}", kind.name, kind.label),
            format!("  {:<20} {}", "", algorithm(kind).summary),
            exact_line(available::of_method(kind)),
        ]
    });
    head.into_iter().chain(members).collect()
}

fn name(what: What) -> &'static str {
    match what {
        What::Targets => "targets",
        What::Methods => "methods",
        What::Schedules => "schedules",
        What::Lessons => "lessons",
        What::Measures => "measures",
        What::Tabs => "tabs",
    }
}

/// Name, label and help of all entries of a list.
fn entries(what: What) -> Vec<(String, String, String)> {
    let own = |text: &str| text.to_owned();
    match what {
        What::Lessons => LESSONS
            .iter()
            .map(|lesson| {
                let (title, caption) = lesson.words();
                (own(lesson.name), format!("{title} ({})", lesson.effort()), caption.watch)
            })
            .collect(),
        What::Measures => all_measures().map(|spec| (own(spec.key), own(spec.label), own(spec.help))).collect(),
        // They are in groups.
        What::Methods => Vec::new(),
        _ => kinds(what).iter().map(|kind| (own(kind.name), own(kind.label), own(kind.help))).collect(),
    }
}

fn kinds(what: What) -> &'static [KindSpec] {
    match what {
        What::Targets => &TARGETS,
        What::Methods => &METHODS,
        What::Schedules => &SCHEDULES,
        What::Tabs => &TABS,
        What::Lessons | What::Measures => &[],
    }
}

fn describe(what: What) -> Json {
    match what {
        What::Lessons => LESSONS.iter().map(lesson_json).collect(),
        What::Measures => {
            let entry = |(name, label, help)| json!({ "name": name, "label": label, "help": help });
            entries(what).into_iter().map(entry).collect()
        }
        What::Methods => METHODS.iter().map(method_json).collect(),
        What::Targets => TARGETS.iter().map(target_json).collect(),
        _ => kinds(what).iter().map(kind_json).collect(),
    }
}

fn lesson_json(lesson: &Lesson) -> Json {
    let (title, caption) = lesson.words();
    json!({
        "name": lesson.name,
        "label": title,
        "help": caption.watch,
        "group": lesson.group,
        "level": lesson.level.name(),
        "minutes": lesson.minutes,
        "needs": lesson.needs,
    })
}

fn method_json(kind: &'static KindSpec) -> Json {
    let mut described = kind_json(kind);
    add_usual(&mut described, kind);
    described["group"] = json!(group(kind).name());
    described["about"] = json!(algorithm(kind).summary);
    described["exact"] = exact_json(available::of_method(kind));
    described
}

/// Adds to the parameters of a method what they are where the method is chosen in the window, or a file leaves all of them out, if that is not
/// their default.
fn add_usual(described: &mut Json, kind: &'static KindSpec) {
    let defaults = Settings::defaults(kind);
    let mut usual = defaults.clone();
    set_usual(&mut usual);
    for (spec, json) in kind.params.iter().zip(described["parameters"].as_array_mut().into_iter().flatten()) {
        let value = usual.get(spec.key).filter(|value| defaults.get(spec.key) != Some(*value));
        if let Some(value) = value {
            json["usual"] = value_json(value);
        }
    }
}

/// A value as in a scenario file.
fn value_json(value: &Value) -> Json {
    match value {
        Value::Number(number) => json!(number),
        Value::Flag(flag) => json!(flag),
        Value::Choice(word) => json!(word),
        Value::Text(text) => json!(text),
        Value::Pair(pair) => json!(pair),
        Value::Covariance(rows) => json!(rows),
        Value::Points(points) => json!(points),
        Value::Picture(picture) => picture.lines().map(|line| json!(line)).collect(),
        Value::Named(numbers) => numbers.iter().map(|named| (named.name.clone(), json!(named.value))).collect(),
        Value::List(entries) => entries.iter().map(settings_json).collect(),
        Value::Group(group) => {
            let mut described = settings_json(group);
            described["kind"] = json!(group.kind.name);
            described
        }
    }
}

fn settings_json(settings: &Settings) -> Json {
    settings.iter().map(|(spec, value)| (spec.key.to_owned(), value_json(value))).collect()
}

fn target_json(kind: &'static KindSpec) -> Json {
    let mut described = kind_json(kind);
    described["exact"] = exact_json(available::of_target(kind));
    described
}

fn kind_json(kind: &KindSpec) -> Json {
    let params: Vec<Json> = kind.params.iter().map(param_json).collect();
    json!({ "name": kind.name, "label": kind.label, "help": kind.help, "parameters": params })
}

fn param_json(param: &ParamSpec) -> Json {
    let default = match param.default {
        DefaultValue::Absent | DefaultValue::Required => Json::Null,
        DefaultValue::Number(number) => json!(number),
        DefaultValue::Flag(flag) => json!(flag),
        DefaultValue::Word(word) | DefaultValue::Kind(word) => json!(word),
        DefaultValue::Pair(pair) => json!(pair),
        DefaultValue::Points(points) => json!(points),
        DefaultValue::Picture(rows) => json!(rows),
        DefaultValue::Named(numbers) => {
            numbers.iter().map(|(name, value)| ((*name).to_owned(), json!(value))).collect()
        }
    };
    let mut described = json!({
        "key": param.key,
        "label": param.label,
        "unit": param.unit,
        "help": param.help,
        "allowed": type_in_words(param.ty),
        "default": default,
        "required": param.default == DefaultValue::Required,
        "live": param.live,
    });
    if let ParamType::Group(kinds) = param.ty {
        described["kinds"] = kinds.iter().map(kind_json).collect();
    }
    if let ParamType::List(kind) = param.ty {
        described["entries"] = kind_json(kind);
    }
    described
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use engine::scenario::view::LAYERS;

    /// Adds the lists in which two entries have the same name, at any depth; counts lists of named entries.
    fn twice(json: &Json, path: &str, found: &mut Vec<String>) -> usize {
        match json {
            Json::Object(parts) => parts.iter().map(|(key, part)| twice(part, &format!("{path}/{key}"), found)).sum(),
            Json::Array(entries) => {
                let names: Vec<&str> = entries.iter().filter_map(|entry| entry["name"].as_str()).collect();
                let mut seen = BTreeSet::new();
                found.extend(names.iter().filter(|name| !seen.insert(**name)).map(|name| format!("{path}: {name}")));
                let below = |entry: &Json| twice(entry, &format!("{path}/{}", entry["name"]), found);
                usize::from(!names.is_empty()) + entries.iter().map(below).sum::<usize>()
            }
            _ => 0,
        }
    }

    #[test]
    fn lessons_tell_their_level_and_minutes() {
        let text = list(Some(What::Lessons), false);
        assert!(text.contains("what-is-a-target     What a target is (introductory, 3 min)"), "{text}");
        let json: Json = serde_json::from_str(&list(Some(What::Lessons), true)).unwrap();
        for lesson in json["lessons"].as_array().unwrap() {
            assert!(lesson["minutes"].as_u64().is_some_and(|minutes| minutes > 0) && lesson["level"].is_string());
        }
    }

    /// NUTS that is chosen in the window adapts; SGLD, and cSGLD with its cycles, are as their defaults are.
    #[test]
    fn usual_values_are_told_beside_defaults() {
        let json: Json = serde_json::from_str(&list(Some(What::Methods), true)).unwrap();
        let usual = |method: &str, key: &str| {
            let of = json["methods"].as_array().unwrap().iter().find(|of| of["name"] == method).unwrap();
            of["parameters"].as_array().unwrap().iter().find(|of| of["key"] == key).unwrap()["usual"].clone()
        };
        assert_eq!((usual("nuts", "adapt_step_size"), usual("nuts", "mass")), (json!(true), json!("diagonal")));
        let is_default = [("nuts", "chains"), ("sgld", "step_size"), ("csgld", "step_size")];
        assert!(is_default.iter().all(|(method, key)| usual(method, key).is_null()));
    }

    /// A name in a scenario, a key in a file of results: each stands for one thing.
    #[test]
    fn names_are_unique_within_every_list() {
        let json: Json = serde_json::from_str(&list(None, true)).unwrap();
        let mut found = Vec::new();
        let lists = twice(&json, "", &mut found);
        assert!(found.is_empty(), "{found:#?}");
        assert!(lists > 5 + METHODS.len() + TARGETS.len(), "{lists} lists: parameters have names too");
        assert_eq!(LAYERS.iter().collect::<BTreeSet<_>>().len(), LAYERS.len(), "{LAYERS:?}");
        // The walk finds what it looks for.
        let wrong = json!({ "a": [{ "name": "b", "kinds": [{ "name": "c" }, { "name": "d" }, { "name": "c" }] }] });
        assert_eq!(twice(&wrong, "", &mut found), 2);
        assert_eq!(found, ["/a/\"b\"/kinds: c"]);
    }
}

//! Reasons in `summary.json`: for each `null` of a run a few words that say why there is no value, under its path, with dots.

use std::collections::BTreeMap;

use serde_json::{Map, Value as Json};

use engine::diagnostics::{Measure, measure_dynamics};
use engine::session::{Frame, RunFrame};

use super::own_results::OWN;

/// The run with its reasons, under `reasons`. Coordinates have theirs beside their values.
pub fn complete(mut described: Json, frame: &Frame, run: &RunFrame) -> Json {
    let known = known(frame, run);
    let mut reasons = Map::new();
    nulls("", &described, &mut |path| {
        reasons.insert(path.to_owned(), Json::from(because(path, &known, run.fits.is_some())));
    });
    described["reasons"] = Json::Object(reasons);
    described
}

/// Calls `found` with the path of each `null` below `value`, but not with those of coordinates.
fn nulls(path: &str, value: &Json, found: &mut impl FnMut(&str)) {
    let below = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
    match value {
        Json::Null => found(path),
        Json::Array(_) if path == "coordinates" => {}
        Json::Array(values) => {
            values.iter().enumerate().for_each(|(index, value)| nulls(&below(&index.to_string()), value, found));
        }
        Json::Object(values) => values.iter().for_each(|(key, value)| nulls(&below(key), value, found)),
        _ => {}
    }
}

/// The reasons that measures give, by their paths.
fn known(frame: &Frame, run: &RunFrame) -> BTreeMap<String, &'static str> {
    let of = |part: &'static str| {
        move |measure: &Measure| {
            (!measure.reason.is_empty()).then(|| (format!("{part}.{}", measure.key), measure.reason))
        }
    };
    let analysis = &run.analysis;
    let metrics = run.measures.iter().chain(analysis.all()).filter_map(of("metrics"));
    let dynamics = measure_dynamics(&run.dynamics(&frame.truth));
    metrics
        .chain(analysis.fit.measures.iter().filter_map(of("fit")))
        .chain(dynamics.iter().filter_map(of("dynamics")))
        .collect()
}

/// Why the value at a path is `null`. The reason of a measure with a value is that of its missing floor.
fn because<'a>(path: &str, known: &BTreeMap<String, &'a str>, is_fit: bool) -> &'a str {
    let of_value = path.strip_suffix("_band").unwrap_or(path);
    let of_value = of_value.strip_suffix("_floor").unwrap_or(of_value);
    if let Some(reason) = known.get(of_value) {
        return reason;
    }
    let last = path.rsplit('.').next().unwrap_or(path);
    let own = OWN.iter().find(|own| path.split('.').next() == Some(own.key));
    match (path, last, own) {
        ("draws" | "series_thinning" | "thinning" | "coordinates", _, _) => "an approximation has no chains of draws",
        ("mean" | "covariance", _, _) if is_fit => "the moments of an approximation are under fit",
        ("mean" | "covariance", _, _) => "no draws, or draws too far out for finite moments",
        ("fit", _, _) => "the method is no approximation",
        ("step_sizes", _, _) => "the method adapts no step size for each chain",
        _ if path.starts_with("step_sizes.") => "the chain has left",
        ("inverse_mass", _, _) => "the method adapts no mass matrix",
        ("thermostats", _, _) => "the method has no thermostat",
        ("exchanges", _, _) => "the method has no replicas, or has taken fewer than two steps",
        (_, _, Some(own)) if own.key == path => own.missing,
        (_, "evidence", _) => "the method estimates no evidence",
        (_, "bound", _) => "the method has computed no bound",
        (_, "standard_error", _) => "the bound is exact, or was estimated only once",
        (_, "overlap", _) => "fewer than two components",
        (_, "components", _) => "no distribution in the plane",
        _ if path.starts_with("fit.") => "no distribution yet, or one without finite moments",
        (_, _, Some(own)) => own.unknown,
        _ if of_value != path && is_fit => "an approximation is no set of draws",
        _ if of_value != path => "not computed",
        _ => "too few draws, or nothing to compare with",
    }
}

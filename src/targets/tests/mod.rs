//! Tests that every target passes by being registered, and tests against known figures.

mod basins;
mod coordinates;
mod data;
mod derivatives;
mod draws;
mod figures;
mod integrals;
mod registry;

use std::path::Path;
use std::sync::Arc;

use super::{TARGETS, Target, build, sampling_target};
use crate::math::{Point, Purpose, Stream, Window};
use crate::params::{ParamError, ParamType, Settings, Value, find_kind};

/// Settings of a kind with some values replaced.
pub(super) fn settings(kind: &str, values: &[(&str, Value)]) -> Settings {
    let mut settings = Settings::defaults(find_kind(&TARGETS, kind).unwrap());
    for (path, value) in values {
        settings.set(path, value.clone()).unwrap();
    }
    settings
}

/// A group of the kind `name` for the parameter `key` of the target `kind`.
pub(super) fn group(kind: &str, key: &str, name: &str, values: &[(&str, Value)]) -> Value {
    let spec = find_kind(&TARGETS, kind).unwrap().param(key).unwrap();
    let ParamType::Group(kinds) = spec.ty else { panic!("{key} is not a group") };
    let mut settings = Settings::defaults(find_kind(kinds, name).unwrap());
    for (path, value) in values {
        settings.set(path, value.clone()).unwrap();
    }
    Value::Group(settings)
}

/// Weight, mean and covariance of a component.
type Entry = (f64, [f64; 2], [[f64; 2]; 2]);

/// The list `component` of a mixture.
pub(super) fn components(entries: &[Entry]) -> Value {
    let spec = find_kind(&TARGETS, "gaussian-mixture").unwrap().param("component").unwrap();
    let ParamType::List(kind) = spec.ty else { panic!("component is not a list") };
    let entry = |(weight, mean, covariance): &Entry| {
        let mut settings = Settings::defaults(kind);
        settings.set("weight", Value::Number(*weight)).unwrap();
        settings.set("mean", Value::Pair(*mean)).unwrap();
        settings.set("covariance", Value::Covariance(*covariance)).unwrap();
        settings
    };
    Value::List(entries.iter().map(entry).collect())
}

pub(super) fn try_build(kind: &str, values: &[(&str, Value)]) -> Result<Arc<dyn Target>, Vec<ParamError>> {
    build(&settings(kind, values), Path::new(""))
}

pub(super) fn target(kind: &str, values: &[(&str, Value)]) -> Arc<dyn Target> {
    try_build(kind, values).unwrap()
}

/// Every registered kind at its defaults, and settings chosen to be awkward.
pub(super) fn cases() -> Vec<(&'static str, Arc<dyn Target>)> {
    let number = Value::Number;
    let mut cases: Vec<(&'static str, Arc<dyn Target>)> =
        TARGETS.iter().map(|kind| (kind.name, build(&Settings::defaults(kind), Path::new("")).unwrap())).collect();
    cases.extend([
        ("one by one grid", target("gaussian-grid", &[("rows", number(1.0)), ("columns", number(1.0))])),
        (
            "overlapping grid",
            target(
                "gaussian-grid",
                &[("rows", number(3.0)), ("columns", number(4.0)), ("spacing", number(1.0)), ("variance", number(0.2))],
            ),
        ),
        (
            "merging grid",
            target("gaussian-grid", &[("rows", number(2.0)), ("columns", number(7.0)), ("variance", number(1.1))]),
        ),
        (
            "flat grid",
            target("gaussian-grid", &[("rows", number(16.0)), ("columns", number(4.0)), ("variance", number(16.5))]),
        ),
        ("narrow ridge", target("gaussian", &[("sd", Value::Pair([3.0, 0.2])), ("correlation", number(-0.97))])),
        (
            "crossed mixture",
            target(
                "gaussian-mixture",
                &[(
                    "component",
                    components(&[
                        (2.0, [0.0, 0.0], [[4.0, 0.0], [0.0, 0.05]]),
                        (3.0, [1.0, 1.5], [[0.05, 0.0], [0.0, 4.0]]),
                    ]),
                )],
            ),
        ),
        ("generated mixture data", generated(60, [-1.0, 4.0], 2.0)),
        ("few data", generated(1, [0.0, 1.0], 2.0)),
        ("sharp components", generated(100, [0.5, -3.0], 0.3)),
        ("article data", target("bivariate-mixture", &[("data", group("bivariate-mixture", "data", "article", &[]))])),
        ("logit", logit([5.0, 5.0], 50.0, 100.0)),
        ("skewed beta", target("beta-posterior", &[("prior", Value::Pair([1.5, 2.5])), ("data", counts(1.0, 7.0))])),
        ("skewed logit", logit([1.5, 0.7], 0.0, 20.0)),
    ]);
    for (name, target) in cases.clone() {
        if !Arc::ptr_eq(&sampling_target(&target), &target) {
            cases.push((if name == "logit" { "in logits" } else { "in skewed logits" }, sampling_target(&target)));
        }
    }
    cases
}

fn generated(n: u32, theta: [f64; 2], variance: f64) -> Arc<dyn Target> {
    let values = [("n", Value::Number(f64::from(n))), ("theta", Value::Pair(theta)), ("seed", Value::Number(3.0))];
    let data = group("bivariate-mixture", "data", "generated", &values);
    target("bivariate-mixture", &[("data", data), ("likelihood_variance", Value::Number(variance))])
}

pub(super) fn counts(ones: f64, n: f64) -> Value {
    group("beta-posterior", "data", "counts", &[("ones", Value::Number(ones)), ("n", Value::Number(n))])
}

fn logit(prior: [f64; 2], ones: f64, n: f64) -> Arc<dyn Target> {
    let boundary = ("boundary", Value::Choice("logit"));
    target("beta-posterior", &[("prior", Value::Pair(prior)), ("data", counts(ones, n)), boundary])
}

/// `count` random points of a window, inside the support by a thousandth of its width.
pub(super) fn points(target: &dyn Target, window: Window, count: usize, seed: u64) -> Vec<Point> {
    let facts = target.facts();
    let mut stream = Stream::derive(seed, Purpose::Data, 0, 0);
    let mut point = || {
        let place = Point::new(stream.uniform(), stream.uniform()).map(|u| 0.001 + 0.998 * u);
        let point = window.min + place.component_mul(&window.size());
        if facts.dimension == 1 { Point::new(point.x, 0.0) } else { point }
    };
    (0..count).map(|_| point()).collect()
}

/// The smallest standard deviation of any mode, at most of the target itself.
pub(super) fn smallest_scale(target: &dyn Target) -> f64 {
    let facts = target.facts();
    let smallest = |covariance: crate::math::Matrix| {
        if facts.dimension == 1 { covariance.m11 } else { covariance.symmetric_eigenvalues().min() }
    };
    let modes = facts.modes.iter().map(|mode| smallest(mode.covariance));
    modes.fold(smallest(facts.covariance), f64::min).sqrt()
}

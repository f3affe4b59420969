//! Tests of every registered target, and tests against known numbers.

mod basins;
mod conjugacy;
mod data;
mod derivatives;
mod draws;
mod figures;
mod formula;
mod gallery;
mod integrals;
mod jumps;
mod modes_on_supports;
mod painted;
mod parts;
mod quadrature;
mod registry;
mod regressions;
mod transforms;
mod two_weight;
mod vectors;

use std::path::Path;
use std::sync::Arc;

use super::{Density, TARGETS, Target, build, sampling_density};
use base::math::{Bounds, Point, Purpose, Stream};
use base::params::{KindSpec, ParamError, ParamType, Settings, Value, find_kind};

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
type ComponentNumbers = (f64, [f64; 2], [[f64; 2]; 2]);

/// The list `component` of a mixture.
pub(super) fn components(entries: &[ComponentNumbers]) -> Value {
    let spec = find_kind(&TARGETS, "gaussian-mixture").unwrap().param("component").unwrap();
    let ParamType::List(kind) = spec.ty else { panic!("component is not a list") };
    let entry = |(weight, mean, covariance): &ComponentNumbers| {
        let mut settings = Settings::defaults(kind);
        settings.set("weight", Value::Number(*weight)).unwrap();
        settings.set("mean", Value::Pair(*mean)).unwrap();
        settings.set("covariance", Value::Covariance(*covariance)).unwrap();
        settings
    };
    Value::List(entries.iter().map(entry).collect())
}

pub(super) fn built(kind: &str, values: &[(&str, Value)]) -> Arc<Target> {
    build(&settings(kind, values), Path::new("")).unwrap()
}

pub(super) fn try_build(kind: &str, values: &[(&str, Value)]) -> Result<Arc<dyn Density>, Vec<ParamError>> {
    build(&settings(kind, values), Path::new("")).map(|target| target.density().unwrap().clone())
}

pub(super) fn target(kind: &str, values: &[(&str, Value)]) -> Arc<dyn Density> {
    try_build(kind, values).unwrap()
}

/// Every registered kind whose density is known at its defaults, and difficult settings.
pub(super) fn cases() -> Vec<(&'static str, Arc<dyn Density>)> {
    let number = Value::Number;
    let at_defaults = |kind: &'static KindSpec| Some((kind.name, built(kind.name, &[]).density()?.clone()));
    let mut cases: Vec<(&'static str, Arc<dyn Density>)> = TARGETS.iter().filter_map(at_defaults).collect();
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
    cases.extend(shapes());
    cases.extend(small_posteriors());
    cases.extend(formula::cases());
    cases.extend(painted::cases());
    cases.extend(regressions::cases());
    let text = |value: &str| Value::Text(value.to_owned());
    cases.push(("regression and its noise", target("regression", &[("shown_y", text("log_sigma"))])));
    cases.push(("centred schools", target("hierarchical-normal", &[("parametrisation", Value::Choice("centred"))])));
    for (name, target) in cases.clone() {
        if !Arc::ptr_eq(&sampling_density(&target), &target) {
            cases.push((transformed(name), sampling_density(&target)));
        }
    }
    cases
}

/// The name of a case in the coordinates of its chains.
fn transformed(name: &str) -> &'static str {
    match name {
        "logit" => "in logits",
        "skewed logit" => "in skewed logits",
        "pair, logit" => "pair in logits",
        "precision, log" => "precision in logs",
        "written precision, transformed" => "written precision in logs",
        _ => panic!("{name} has no name in other coordinates"),
    }
}

/// Shapes of the gallery far from their defaults.
fn shapes() -> Vec<(&'static str, Arc<dyn Density>)> {
    let shape = |kind: &'static str, values: &[(&str, f64)]| {
        let values: Vec<(&str, Value)> = values.iter().map(|(key, value)| (*key, Value::Number(*value))).collect();
        target(kind, &values)
    };
    vec![
        ("narrow banana", shape("banana", &[("sd", 1.0), ("bend", -2.0), ("width", 0.2)])),
        ("straight banana", shape("banana", &[("sd", 0.5), ("bend", 0.0), ("width", 3.0)])),
        ("fine squiggle", shape("squiggle", &[("sd", 1.0), ("amplitude", 2.0), ("frequency", 4.0), ("width", 0.2)])),
        ("slow squiggle", shape("squiggle", &[("sd", 1.0), ("frequency", 0.4), ("width", 1.0)])),
        ("thick donut", shape("donut", &[("radius", 0.5), ("width", 1.0)])),
        ("thin donut", shape("donut", &[("radius", 3.0), ("width", 0.1)])),
        ("mild funnel", shape("funnel", &[("sd", 0.7)])),
        ("steep funnel", shape("funnel", &[("sd", 4.0)])),
        ("low wells", shape("double-well", &[("barrier", 0.05), ("wells", 2.0)])),
        ("deep wells", shape("double-well", &[("barrier", 12.0), ("wells", 0.5)])),
        ("three modes in one", shape("three-modes", &[("separation", 0.5), ("third", 9.0)])),
        ("three modes far apart", shape("three-modes", &[("separation", 12.0), ("first", 0.1)])),
    ]
}

/// Posteriors with closed forms away from their defaults.
fn small_posteriors() -> Vec<(&'static str, Arc<dyn Density>)> {
    let pair = |boundary, prior, counts: [f64; 4]| {
        let keys = ["ones_a", "n_a", "ones_b", "n_b"];
        let values: Vec<_> = keys.into_iter().zip(counts.map(Value::Number)).collect();
        let data = group("beta-pair", "data", "counts", &values);
        target("beta-pair", &[("prior", Value::Pair(prior)), ("data", data), ("boundary", Value::Choice(boundary))])
    };
    let precision = |boundary, prior, values: &[(&str, Value)]| {
        let kind = if values.is_empty() { "sample" } else { "generated" };
        let data = group("normal-gamma", "data", kind, values);
        let prior = ("prior_precision", Value::Pair(prior));
        target("normal-gamma", &[prior, ("data", data), ("boundary", Value::Choice(boundary))])
    };
    let number = Value::Number;
    let many = [("n", number(60.0)), ("mu", number(-3.0)), ("tau", number(20.0)), ("seed", number(5.0))];
    let one = [("n", number(1.0)), ("mu", number(2.0)), ("tau", number(0.5))];
    vec![
        ("pair, logit", pair("logit", [1.0, 1.0], [5.0, 20.0, 10.0, 20.0])),
        ("skewed pair", pair("none", [1.5, 2.5], [0.0, 7.0, 9.0, 9.0])),
        ("precision, log", precision("log", [1.0, 1.0], &[])),
        ("precision of many data", precision("none", [0.5, 2.0], &many)),
        ("precision of one datum", precision("reflect", [4.0, 0.3], &one)),
    ]
}

fn generated(n: u32, theta: [f64; 2], variance: f64) -> Arc<dyn Density> {
    let values = [("n", Value::Number(f64::from(n))), ("theta", Value::Pair(theta)), ("seed", Value::Number(3.0))];
    let data = group("bivariate-mixture", "data", "generated", &values);
    target("bivariate-mixture", &[("data", data), ("likelihood_variance", Value::Number(variance))])
}

pub(super) fn counts(ones: f64, n: f64) -> Value {
    group("beta-posterior", "data", "counts", &[("ones", Value::Number(ones)), ("n", Value::Number(n))])
}

fn logit(prior: [f64; 2], ones: f64, n: f64) -> Arc<dyn Density> {
    let boundary = ("boundary", Value::Choice("logit"));
    target("beta-posterior", &[("prior", Value::Pair(prior)), ("data", counts(ones, n)), boundary])
}

/// `count` random points of a window, inside the support by a thousandth of its width.
pub(super) fn points(target: &dyn Density, window: Bounds, count: usize, seed: u64) -> Vec<Point> {
    let info = target.info();
    let mut stream = Stream::derive(seed, Purpose::Data, 0, 0);
    let mut point = || {
        let share = Point::new(stream.uniform(), stream.uniform()).map(|u| 0.001 + 0.998 * u);
        let point = window.min + share.component_mul(&window.size());
        if info.dimension == 1 { Point::new(point.x, 0.0) } else { point }
    };
    (0..count).map(|_| point()).collect()
}

/// The smallest standard deviation of any mode, at most of the target itself; without modes, across the ridge at the
/// start.
pub(super) fn smallest_scale(target: &dyn Density) -> f64 {
    let info = target.info();
    let smallest = |covariance: base::math::Matrix| {
        if info.dimension == 1 { covariance.m11 } else { covariance.symmetric_eigenvalues().min() }
    };
    let modes = info.modes.iter().map(|mode| smallest(mode.covariance));
    let ridge = info.modes.is_empty().then(|| 1.0 / -target.hessian(info.start).symmetric_eigenvalues().min());
    modes.chain(ridge).fold(smallest(info.covariance), f64::min).sqrt()
}

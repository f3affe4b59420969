//! The gallery's targets as formulas.

use std::sync::Arc;

use sampler_lab::formula::{EXAMPLES, Form, Formula};
use sampler_lab::math::{Point, Purpose, Stream};
use sampler_lab::params::{NamedNumber, Settings, Value, find_kind};
use sampler_lab::scenario::Lesson;
use sampler_lab::session::Session;
use sampler_lab::targets::{Density, TARGETS, Target, build};

/// Points at which formulas and targets are compared.
const POINTS: usize = 10_000;

/// The largest difference, relative to the size of the terms: of the derivatives at a point, or of the log density.
const AGREEMENT: f64 = 1e-12;

/// Points that fill the view, inside of the support.
fn points(target: &dyn Density) -> Vec<Point> {
    let info = target.info();
    let mut stream = Stream::derive(7, Purpose::Data, 0, 0);
    let mut points = Vec::with_capacity(POINTS);
    while points.len() < POINTS {
        let share = Point::new(stream.uniform(), stream.uniform());
        let mut at = info.view.min + (info.view.max - info.view.min).component_mul(&share);
        if info.dimension == 1 {
            at.y = 0.0;
        }
        if info.support.contains(at) {
            points.push(at);
        }
    }
    points
}

/// Whether a formula is a target up to a constant: log density, gradient and Hessian at many points.
fn compare(name: &str, text: &str, parameters: &[(&str, f64)]) {
    let target = default(name);
    let target = target.density().unwrap();
    let formula = Formula::read(text).unwrap_or_else(|error| panic!("{name}: {error}"));
    let mut names: Vec<&str> = parameters.iter().map(|(name, _)| *name).collect();
    let mut used: Vec<&str> = formula.parameters().collect();
    let values: Vec<f64> =
        used.iter().map(|name| parameters.iter().find(|(known, _)| known == name).unwrap().1).collect();
    used.sort_unstable();
    names.sort_unstable();
    assert_eq!(used, names, "{name}");
    let density = formula.density(&values, Form::LogDensity).unwrap();
    let start = target.info().start;
    let constant = target.log_density(start) - density.value(start.x, start.y);
    for at in points(target.as_ref()) {
        let close = |found: f64, expected: f64, size: f64, what: &str| {
            let most = AGREEMENT * (1.0 + size);
            assert!((found - expected).abs() <= most, "{name}, {what} at {at:?}: {found}, not {expected}");
        };
        let expected = target.log_density(at);
        close(density.value(at.x, at.y) + constant, expected, expected.abs() + constant.abs(), "log density");
        let (gradient, hessian) = (target.gradient(at), target.hessian(at));
        for (found, expected) in density.gradient(at.x, at.y).into_iter().zip([gradient.x, gradient.y]) {
            close(found, expected, gradient.norm(), "gradient");
        }
        for (found, expected) in density.hessian(at.x, at.y).into_iter().zip([hessian.m11, hessian.m12, hessian.m22]) {
            close(found, expected, hessian.norm(), "Hessian");
        }
    }
}

/// A target with its defaults.
fn default(name: &str) -> Arc<Target> {
    build(&Settings::defaults(find_kind(&TARGETS, name).unwrap()), ".").unwrap()
}

#[test]
fn examples_are_the_targets_of_the_gallery() {
    for example in &EXAMPLES {
        compare(example.target, example.text, example.parameters);
    }
}

/// Targets whose formulas are sums over data, or a list of components: too long for the menu.
const LONG: [&str; 5] =
    ["gaussian-mixture", "bivariate-mixture", "two-weight-sign", "two-weight-ridge", "two-weight-swap"];

/// log N of a Gaussian, up to −ln 2π.
fn component(weight: f64, [x, y]: [f64; 2], [[a, b], [_, c]]: [[f64; 2]; 2]) -> String {
    let det = a * c - b * b;
    format!("ln({weight}/sqrt({det})) − ({c}(x − ({x}))² − 2({b})*(x − ({x}))*(y − ({y})) + {a}(y − ({y}))²)/(2*{det})")
}

/// The text of one of [`LONG`] with its default data.
fn long(name: &str) -> String {
    let regression = |function: &dyn Fn(f64) -> String, prior_sd: f64| {
        let target = default(name);
        let data = target.regression().unwrap();
        let terms = data.inputs().iter().zip(data.observations());
        let terms: String = terms.map(|(x, y)| format!(" − ({y} − {})²/(2*0.3²)", function(*x))).collect();
        format!("−(x² + y²)/(2*{prior_sd}²){terms}")
    };
    match name {
        "gaussian-mixture" => {
            let components = [
                component(0.5, [-2.0, -1.0], [[1.0, 0.6], [0.6, 0.8]]),
                component(0.3, [2.5, -0.5], [[0.3, -0.1], [-0.1, 0.6]]),
                component(0.2, [0.5, 3.0], [[0.9, 0.0], [0.0, 0.2]]),
            ];
            format!("logsumexp({})", components.join(",\n"))
        }
        "bivariate-mixture" => {
            let data = include_str!("../../assets/data/wt_quantile100.csv").lines();
            let term = |datum: &str| format!(" + logsumexp(−({datum} − x)²/(2v), −({datum} − x − y)²/(2v))");
            format!("v = 2\n−x²/20 − y²/2{}", data.map(term).collect::<String>())
        }
        "two-weight-swap" => regression(&|input| format!("tanh({input}x + 1) − tanh({input}y + 1)"), 2.0),
        _ => regression(&|input| format!("y tanh({input}x)"), 1.5),
    }
}

#[test]
fn posteriors_and_mixtures_are_formulas_too() {
    for name in LONG {
        compare(name, &long(name), &[]);
    }
}

/// Every built-in density of the plane is compared. The others have data that a reader chooses, or more dimensions.
#[test]
fn no_target_is_left_out() {
    let others = [
        "formula",
        "painted",
        "network",
        "topics",
        "linear-regression",
        "logistic-regression",
        "regression",
        "hierarchical-normal",
    ];
    for kind in &TARGETS {
        let compared = EXAMPLES.iter().any(|example| example.target == kind.name) || LONG.contains(&kind.name);
        assert!(compared != others.contains(&kind.name), "{}", kind.name);
    }
}

/// The longest of them is also a target: with a hundred data it is built as the others are.
#[test]
fn a_sum_over_a_hundred_data_is_a_target() {
    let mut settings = Settings::defaults(find_kind(&TARGETS, "formula").unwrap());
    settings.set("density", Value::Text(long("bivariate-mixture"))).unwrap();
    settings.set("parameters", Value::Named(Vec::new())).unwrap();
    let (found, expected) = (build(&settings, ".").unwrap(), default("bivariate-mixture"));
    let (found, expected) = (found.info(), expected.info());
    assert!((found.mean - expected.mean).norm() < 1e-8, "{} and {}", found.mean, expected.mean);
    assert!((found.covariance - expected.covariance).amax() < 1e-8, "{} and {}", found.covariance, expected.covariance);
    assert_eq!(found.modes.len(), expected.modes.len());
}

/// The lesson *Your own density* says where its modes join, how deep the valley is, and that chains cross it now and then: by
/// Kramers' law (√8/2π) e^−3.8 times in a unit of time, some 160 times in 8 · 2000 of them.
#[test]
fn the_lesson_on_your_own_density_keeps_its_promises() {
    let scenario = Lesson::find("your-own-density").unwrap().scenario().unwrap();
    let target = |d: f64| {
        let mut settings = scenario.target.clone();
        settings.set("parameters", Value::Named(vec![NamedNumber::new("d", d)])).unwrap();
        build(&settings, ".").unwrap().density().unwrap().clone()
    };
    let at = |d: f64| target(d).hessian(Point::zeros()).m11;
    assert!((at(3.0) - 8.0).abs() < 1e-12 && (at(0.5) + 0.75).abs() < 1e-12, "d² − 1");
    let apart = target(3.0);
    assert!((apart.log_density(Point::new(3.0, 0.0)) - apart.log_density(Point::zeros()) - 3.8).abs() < 0.05);
    for (d, modes) in [(3.0, 2), (1.2, 2), (0.9, 1), (0.5, 1)] {
        assert_eq!(target(d).info().modes.len(), modes, "d = {d}");
    }
    let mut session = Session::new(scenario).unwrap();
    session.advance(u64::MAX);
    session.measure_exactly();
    session.analyse();
    let frame = session.frame();
    let measures = frame.runs[0].measures.iter().chain(&frame.runs[0].analysis.measures);
    let switches = measures.filter(|measure| measure.key == "mode_switches").find_map(|measure| measure.value).unwrap();
    assert!((50.0..500.0).contains(&switches), "{switches}");
    assert!(Formula::read("−x⁴/4 + b x²/2 − y²/2").is_ok(), "what the caption proposes to type");
}

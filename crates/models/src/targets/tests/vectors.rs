//! Formulas in more than two coordinates, against posteriors that are known otherwise.

use std::fs;
use std::sync::Arc;

use super::{group, settings, try_build};
use crate::families::VECTORS;
use crate::targets::{Curvature, Folder, Minibatches, Model, Target, build, idle_parameters};
use base::math::{Coords, Point, Purpose, Simd, Stream};
use base::params::{NamedNumber, Value};

/// Settings of a formula with numbers for its parameters, and a table.
fn written(text: &str, parameters: &[(&str, f64)], table: Option<&str>) -> Vec<(&'static str, Value)> {
    let named = parameters.iter().map(|(name, value)| NamedNumber::new(*name, *value)).collect();
    let mut values = vec![("density", Value::Text(text.to_owned())), ("parameters", Value::Named(named))];
    if let Some(table) = table {
        let text = [("text", Value::Text(table.to_owned()))];
        values.push(("data", group("formula", "data", "inline", &text)));
    }
    values
}

fn made(text: &str, parameters: &[(&str, f64)], table: Option<&str>) -> Arc<Target> {
    build(&settings("formula", &written(text, parameters, table)), Folder::from(".")).unwrap()
}

/// Vectors around the start.
fn vectors(model: &dyn Model, count: usize, spread: f64) -> Coords {
    let mut stream = Stream::derive(5, Purpose::Data, 0, 0);
    let start = model.start();
    let mut near = || start.iter().map(|at| at + spread * stream.normal_pair().0).collect::<Vec<f64>>();
    let all: Vec<Vec<f64>> = (0..count).map(|_| near()).collect();
    Coords::of(start.len(), all.iter().map(Vec::as_slice))
}

fn gradients(model: &dyn Model, at: &Coords) -> Coords {
    let mut out = Coords::zeros(at.dimension(), at.len());
    model.gradients(Simd::widest(), at, &mut Vec::new(), &mut out);
    out
}

/// The difference of log densities, which is the same everywhere, of two models with the same coordinates, gradients and Hessians.
fn constant(one: &dyn Model, other: &dyn Model, at: &Coords) -> f64 {
    let values = [one, other].map(|model| {
        let mut out = vec![0.0; at.len()];
        model.log_densities(Simd::widest(), at, &mut Vec::new(), &mut out);
        out
    });
    let constant = values[0][0] - values[1][0];
    for (first, second) in values[0].iter().zip(&values[1]) {
        assert!((first - second - constant).abs() < 1e-9 * (1.0 + first.abs()), "{first} {second} {constant}");
    }
    let slopes = [gradients(one, at), gradients(other, at)];
    for (first, second) in slopes[0].values().iter().zip(slopes[1].values()) {
        assert!((first - second).abs() < 1e-9 * (1.0 + first.abs()), "{first} {second}");
    }
    let vector: Vec<f64> = at.vector(0).collect();
    let (first, second) = (one.hessian(&vector).unwrap(), other.hessian(&vector).unwrap());
    assert!((&first - &second).amax() < 1e-9 * (1.0 + first.amax()), "{first} {second}");
    constant
}

const CARS: &str = "speed,dist\n4,2\n7,22\n9,10\n12,14\n13,34\n15,54\n18,42\n20,48\n22,66\n24,120\n";

const LINE: &str = "sum(normal_lpdf(dist[i] | x[1] + x[2] speed[i], exp(x[3]))) + x[3]";

#[test]
fn a_regression_is_the_one_that_is_built_in() {
    let own = made(LINE, &[], Some(CARS));
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("data.csv"), CARS).unwrap();
    let text = |value: &str| Value::Text(value.to_owned());
    let values = [
        ("data", group("regression", "data", "csv", &[("path", text("data.csv"))])),
        ("response", text("dist")),
        ("terms", text("1, speed")),
        ("standardise", Value::Flag(false)),
        ("likelihood", group("regression", "likelihood", "normal", &[])),
    ];
    let built_in = build(&settings("regression", &values), folder.path()).unwrap();
    let (own, built_in) = (own.model().unwrap(), built_in.model().unwrap());
    assert!(constant(own, built_in, &vectors(built_in, 20, 0.5)).abs() < 1e-9, "with all normalisers");
    // Newton's method found the same mode.
    let (found, expected) = (own.mode().unwrap(), built_in.mode().unwrap());
    assert!(found.iter().zip(expected).all(|(one, other)| (one - other).abs() < 1e-6), "{found:?} {expected:?}");
    assert!((own.curvature().unwrap() / built_in.curvature().unwrap() - 1.0).abs() < 1e-6);
    // The same minibatches have the same estimates.
    let at = vectors(built_in, 3, 0.3);
    let indices = [0, 5, 9, 3, 3, 7];
    let batches = Minibatches::new(&indices, 2, 3);
    let estimates = [own, built_in].map(|model| {
        assert_eq!(model.data(), 10);
        let mut out = Coords::zeros(3, 3);
        model.estimates(Simd::widest(), &at, batches, &mut Vec::new(), &mut out);
        let mut variances = vec![0.0; 3];
        model.datum_variances(&at, 1, &mut Vec::new(), &mut variances);
        [out.values(), &variances].concat()
    });
    for (one, other) in estimates[0].iter().zip(&estimates[1]) {
        assert!((one - other).abs() < 1e-9 * (1.0 + one.abs()), "{one} {other}");
    }
}

/// The eight schools without a centre, with all constants.
#[test]
fn a_hierarchy_is_the_one_that_is_built_in() {
    let table = "y,s\n28,15\n8,10\n-3,16\n7,11\n-1,9\n1,11\n18,10\n12,18\n";
    let text = "mu = x[9]; log_tau = x[10]; tau = exp(log_tau)\n\
                sum(normal_lpdf(y[i] | mu + tau x[i], s[i]) + normal_lpdf(x[i] | 0, 1)) + normal_lpdf(mu | 0, 5) + \
                cauchy_lpdf(tau | 0, 5) + ln(2) + log_tau";
    let own = made(text, &[], Some(table));
    let sd = [("mean", Value::Number(0.0)), ("sd", Value::Number(5.0))];
    let values = [
        ("mu", group("hierarchical-normal", "mu", "normal", &sd)),
        ("tau", group("hierarchical-normal", "tau", "half-cauchy", &[("scale", Value::Number(5.0))])),
    ];
    let built_in = build(&settings("hierarchical-normal", &values), Folder::from(".")).unwrap();
    let known = own.quantities().unwrap();
    assert_eq!(known.names()[7..], ["x[8]", "mu", "log_tau", "tau"]);
    let model = built_in.model().unwrap();
    assert!(constant(own.model().unwrap(), model, &vectors(model, 20, 0.7)).abs() < 1e-9);
}

/// A Gaussian with a covariance that is no diagonal: mode, curvature, precision and view.
#[test]
fn a_gaussian_is_found_where_it_is() {
    let text = "u = x[1] − 300; v = x[2] + 4 − a*(x[1] − 300)\n−u²/8 − v²/0.02 − (x[3] − 1)²/2";
    let target = made(text, &[("a", 0.5)], None);
    let model = target.model().unwrap();
    let mode = model.mode().unwrap();
    assert!(mode.iter().zip([300.0, -4.0, 1.0]).all(|(at, expected)| (at - expected).abs() < 1e-9), "{mode:?}");
    let precision = model.precision(mode, Curvature::Full).unwrap();
    let determinant: f64 = 0.25 * 100.0;
    assert!((precision.log_determinant() - determinant.ln()).abs() < 1e-9);
    let covariance = precision.covariance(&[vec![1.0, 0.0, 0.0], vec![0.0, 1.0, 0.0]]);
    let expected = [4.0, 2.0, 2.0, 1.01];
    assert!(covariance.iter().zip(expected).all(|(one, other)| (one - other).abs() < 1e-9), "{covariance:?}");
    let view = target.info().view;
    let half = 0.5 * view.size();
    let sds = Point::new(4.0 * 2.0, 4.0 * 1.01_f64.sqrt());
    // Distances are known to a 64th part.
    assert!((half - sds).abs().component_div(&sds).amax() < 0.02, "{half} {sds}");
    assert_eq!((target.family().name, target.dimension()), (VECTORS.name, 3));
}

/// What is not known is not told.
#[test]
fn nothing_is_known_of_it() {
    let target = made("d = 4\n−sum(x[i]²)/2", &[], None);
    assert!(target.quantities().is_some() && target.known_quantities().is_none());
    assert!(target.density().is_none() && target.info().unknown.is_some() && target.info().log_normaliser.is_nan());
    let mut stream = Stream::derive(1, Purpose::Truth, 0, 0);
    assert!(!target.model().unwrap().exact_draw(&mut stream, &mut [0.0; 4]));
}

/// Where there is no mode chains start at 0: in a funnel the density grows towards its neck without end.
#[test]
fn a_funnel_has_a_start_and_a_view() {
    let target = made("normal_lpdf(x[1] | 0, 3) + sum(normal_lpdf(x[i+1] | 0, exp(x[1]/2))) + 0x[9]", &[], None);
    let model = target.model().unwrap();
    let info = target.info();
    assert!(info.view.size().iter().all(|side| *side > 4.0 && *side < 100.0), "{:?}", info.view);
    assert!(info.view.contains(info.start) && model.start().iter().all(|at| at.is_finite()));
}

/// The sides of a kink, and where there is no value.
#[test]
fn slopes_at_kinks_are_numbers() {
    let target = made("−abs(x[1]) − sqrt(x[2]² + x[3]²) − if(x[3] > 5, sqrt(x[3] − 5), 0)", &[], None);
    let model = target.model().unwrap();
    let at = Coords::of(3, [[0.0, 0.0, 0.0], [1.0, 2.0, 0.0], [f64::INFINITY, 1.0, 1.0]].iter().map(|at| &at[..]));
    let slopes = gradients(model, &at);
    assert!(slopes.vector(0).all(f64::is_finite) && slopes.vector(1).eq([-1.0, -1.0, 0.0]), "{slopes:?}");
    let logarithm = made("ln(x[1]) − x[1] − x[2]²", &[], None);
    let mut out = [0.0; 2];
    let at = Coords::of(2, [[-1.0, 0.0], [1.0, 0.0]].iter().map(|at| &at[..]));
    logarithm.model().unwrap().log_densities(Simd::widest(), &at, &mut Vec::new(), &mut out);
    assert!(out[0] == f64::NEG_INFINITY && (out[1] + 1.0).abs() < 1e-15, "{out:?}");
    assert!((logarithm.model().unwrap().mode().unwrap()[0] - 1.0).abs() < 1e-6);
}

#[test]
fn coordinates_that_are_drawn_have_names_or_numbers() {
    let text = "mu = x[3]\n−x[1]² − x[2]² − mu²";
    let shown = |x: &str, y: &str| {
        let mut values = written(text, &[], None);
        values.extend([("shown_x", Value::Text(x.to_owned())), ("shown_y", Value::Text(y.to_owned()))]);
        build(&settings("formula", &values), Folder::from("."))
    };
    for (x, y, axes) in [("mu", "x[1]", ["x₃", "x₁"]), ("", "x[3]", ["x₁", "x₃"]), ("x[2]", "", ["x₂", "x₁"])]
    {
        assert_eq!(shown(x, y).unwrap().info().axes, axes);
    }
    for (x, y, words) in [("x[4]", "", "there is no coordinate \"x[4]\""), ("x[2]", "x[2]", "the same coordinate")] {
        assert!(shown(x, y).map(|_| ()).unwrap_err()[0].problem.contains(words));
    }
}

#[test]
fn what_does_not_suit_coordinates_with_numbers_is_refused() {
    let error = |more: Vec<(&'static str, Value)>, text: &str, parameters: &[(&str, f64)]| {
        let values = [written(text, parameters, None), more].concat();
        try_build("formula", &values).map(|_| ()).unwrap_err()[0].to_string()
    };
    let text = "−x[1]² − x[2]²";
    let p = error(vec![("form", Value::Choice("density"))], text, &[]);
    assert!(p.contains("form") && p.contains("log-density or energy"), "{p}");
    let above = group("formula", "support_y", "above", &[]);
    let support = error(vec![("support_y", above)], text, &[]);
    assert!(support.contains("have no support") && support.contains("exp(x[1])"), "{support}");
    let nowhere = error(vec![], "ln(−1 − x[1]²) − x[2]²", &[]);
    assert!(nowhere.contains("at every point that was tried"), "{nowhere}");
    for p in ["exp(−x[1]² − x[2]² − x[3]²)", "1/(1 + x[1]² + x[2]² + x[3]²)"] {
        let level = error(vec![], p, &[]);
        assert!(level.contains("falls in no direction") && level.contains("ln(…)"), "{level}");
    }
    // Independent Cauchy variables fall slowly along the axes.
    let cauchy = written("d = 30\n−sum(ln(1 + x[i]²))", &[], None);
    assert_eq!(target_of(&cauchy).dimension(), 30);
    let zero = error(vec![], "−x[1]²/s − x[2]²", &[("s", 0.0)]);
    assert!(zero.contains("divides by 0, since s = 0"), "{zero}");
    let column = error(vec![], "−x² − sum(x[i] y²)", &[]);
    assert!(column.contains("a line d = 10"), "{column}");
    let energy = [written("x[1]² + x[2]²", &[], None), vec![("form", Value::Choice("energy"))]].concat();
    assert!(target_of(&energy).model().unwrap().mode().is_some());
    let idle = |text: &str| idle_parameters(&settings("formula", &written(text, &[], None)));
    assert_eq!((idle(text), idle("−x²")), (&["support_x", "support_y", "boundary"][..], &["shown_x", "shown_y"][..]));
}

fn target_of(values: &[(&str, Value)]) -> Arc<Target> {
    build(&settings("formula", values), Folder::from(".")).unwrap()
}

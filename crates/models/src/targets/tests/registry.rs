//! Tests of the registry, and of what every target declares about itself.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::super::{Editor, Folder, TARGETS, build, editor_of, family_of};
use super::{cases, counts, group, points, target, try_build};
use crate::families::{CLASSES, FAMILIES, VECTORS};
use base::math::Point;
use base::params::{KindSpec, ParamType, Settings, Value, find_kind};

/// A kind and all kinds that its parameters are made of.
fn with_parts(kind: &'static KindSpec) -> Vec<&'static KindSpec> {
    let parts = kind.params.iter().flat_map(|param| match param.ty {
        ParamType::Group(kinds) => kinds.iter().flat_map(with_parts).collect(),
        ParamType::List(kind) => with_parts(kind),
        _ => Vec::new(),
    });
    std::iter::once(kind).chain(parts).collect()
}

/// A folder keeps what was built of it, but not what files say.
#[test]
fn a_target_is_built_once_in_a_folder() {
    let kind = find_kind(&TARGETS, "gaussian").unwrap();
    let (one, mut other) = (Settings::defaults(kind), Settings::defaults(kind));
    other.set("sd", Value::Pair([2.0, 1.0])).unwrap();
    let (folder, elsewhere) = (Folder::from("."), Folder::from("."));
    let first = build(&one, folder.clone()).unwrap();
    assert!(Arc::ptr_eq(&first, &build(&one, folder.clone()).unwrap()));
    assert!(!Arc::ptr_eq(&first, &build(&other, folder.clone()).unwrap()));
    assert!(Arc::ptr_eq(&first, &build(&one, folder.clone()).unwrap()), "both are kept");
    assert!(!Arc::ptr_eq(&first, &build(&one, elsewhere).unwrap()), "another folder");
    for number in 0..40 {
        other.set("sd", Value::Pair([2.0 + f64::from(number), 1.0])).unwrap();
        build(&other, folder.clone()).unwrap();
    }
    assert!(!Arc::ptr_eq(&first, &build(&one, folder).unwrap()), "only some are kept");
}

#[test]
fn kinds_have_distinct_names_and_help_texts() {
    for (index, kind) in TARGETS.iter().enumerate() {
        assert!(TARGETS[..index].iter().all(|other| other.name != kind.name), "{} twice", kind.name);
    }
    for kind in TARGETS.iter().flat_map(with_parts) {
        assert!(!kind.label.is_empty() && kind.help.ends_with('.'), "{}", kind.name);
        for param in kind.params {
            assert!(!param.label.is_empty() && param.help.ends_with('.'), "{}.{}", kind.name, param.key);
            assert!(param.live, "{}.{}: a target may change while runs go on", kind.name, param.key);
        }
    }
}

#[test]
fn target_info_is_complete() {
    for (name, target) in cases() {
        let info = target.info();
        let total: f64 = info.modes.iter().map(|mode| mode.weight).sum();
        assert!(info.modes.is_empty() || (total - 1.0).abs() < 1e-12, "{name}: weights add up to {total}");
        assert_eq!(info.modes.is_empty(), name.contains("donut"), "{name}");
        assert!(info.modes.iter().all(|mode| mode.weight > 0.0), "{name}");
        let shown = |at: Point| if info.dimension == 1 { Point::new(at.x, info.view.min.y) } else { at };
        for mode in &info.modes {
            assert!(info.support.contains(mode.at), "{name}: {} outside the support", mode.at);
            assert!(info.view.contains(shown(mode.at)), "{name}: {} not in view", mode.at);
            let narrow = if info.dimension == 1 { mode.covariance.m11 } else { mode.covariance.determinant() };
            assert!(narrow > 0.0, "{name}: covariance {}", mode.covariance);
        }
        assert!(info.support.contains(info.start), "{name}");
        assert!(info.log_normaliser.is_finite(), "{name}");
    }
}

#[test]
fn log_density_is_never_nan_and_gradients_stay_finite() {
    let sizes = [0.0, 5e-324, 1e-300, 1e-9, 1.0, 1e3, 1e10, 1e150, 1e160, 1e300, 1e308, f64::MAX, f64::INFINITY];
    let signed: Vec<f64> = sizes.iter().flat_map(|size| [*size, -*size]).collect();
    for (name, target) in cases() {
        let info = target.info();
        for (x, y) in signed.iter().flat_map(|x| signed.iter().map(move |y| (*x, *y))) {
            let at = Point::new(x, y);
            let log_density = target.log_density(at);
            assert!(log_density < f64::INFINITY, "{name}: log density {log_density} at {at}");
            let inside = info.support.contains(Point::new(x, if info.dimension == 1 { 0.0 } else { y }));
            if !inside {
                assert!(log_density == f64::NEG_INFINITY, "{name}: {log_density} outside the support");
            } else if x.abs() <= 1e300 && y.abs() <= 1e300 {
                let gradient = target.gradient(at);
                assert!(gradient.iter().all(|slope| slope.is_finite()), "{name}: gradient {gradient} at {at}");
            }
        }
    }
}

/// Without isolated modes the start is a highest point: nothing in view is higher.
#[test]
fn without_modes_chains_start_on_the_ridge() {
    let ridges = cases().into_iter().filter(|(_, target)| target.info().modes.is_empty());
    for (name, target) in ridges {
        let (info, highest) = (target.info(), target.log_density(target.info().start));
        assert!(
            points(target.as_ref(), info.view, 2000, 8).iter().all(|at| target.log_density(*at) <= highest),
            "{name}"
        );
        assert!(target.gradient(info.start).amax() < 1e-12, "{name}");
    }
}

#[test]
fn one_dimensional_targets_ignore_y() {
    for (name, target) in cases() {
        if target.info().dimension == 1 {
            for at in points(target.as_ref(), target.info().view, 20, 1) {
                let elsewhere = Point::new(at.x, 3.25);
                assert_eq!(target.log_density(at).to_bits(), target.log_density(elsewhere).to_bits(), "{name}");
                assert_eq!(target.gradient(at), target.gradient(elsewhere), "{name}");
                assert_eq!(target.gradient(at).y.to_bits(), 0, "{name}");
            }
        }
    }
}

/// In 3.65 % of the square the density of every component is smaller than the smallest number.
#[test]
fn the_grid_has_a_gradient_where_the_naive_formula_has_none() {
    let target = target("gaussian-grid", &[]);
    let centres = [-4.0, -2.0, 0.0, 2.0, 4.0];
    let nearest = |x: f64| centres.iter().map(|centre| (x - centre).abs()).fold(f64::INFINITY, f64::min);
    let coordinates: Vec<f64> = (0..1000).map(|index| -10.0 + 20.0 * (f64::from(index) + 0.5) / 1000.0).collect();
    let mut failures = 0;
    for (x, y) in coordinates.iter().flat_map(|x| coordinates.iter().map(move |y| (*x, *y))) {
        let squared = nearest(x).powi(2) + nearest(y).powi(2);
        if (-squared / 0.06).exp() / (25.0 * std::f64::consts::TAU * 0.03) == 0.0 {
            failures += 1;
            let gradient = target.gradient(Point::new(x, y));
            let expected = squared.sqrt() / 0.03;
            assert!((gradient.norm() - expected).abs() < 1e-9 * expected, "{gradient} at ({x}, {y})");
        }
    }
    let share = f64::from(failures) / 1e6;
    assert!((share - 0.0365).abs() < 1e-4, "{share}");
}

#[test]
fn impossible_settings_are_rejected_with_a_reason() {
    let one = Value::Number(1.0);
    let cases = [
        ("beta-posterior", vec![("data", counts(8.0, 5.0))], "data.ones"),
        ("beta-posterior", vec![("prior", Value::Pair([0.99, 1.0])), ("data", counts(0.0, 5.0))], "prior"),
        (
            "gaussian-mixture",
            vec![("component", super::components(&[(1.0, [0.0; 2], [[1e-9, 0.0], [0.0, 1.0]])]))],
            "component",
        ),
        (
            "gaussian-mixture",
            vec![("component", super::components(&[(1.0, [0.0; 2], [[1.0, 0.0], [0.0, 1.0]]); 101]))],
            "component",
        ),
        ("gaussian", vec![("sd", Value::Pair([0.01, 0.01])), ("correlation", Value::Number(0.999))], "correlation"),
        ("donut", vec![("width", Value::Number(0.01))], "width"),
        (
            "beta-pair",
            vec![("data", group("beta-pair", "data", "counts", &[("ones_b", Value::Number(21.0))]))],
            "data.ones_b",
        ),
        (
            "beta-pair",
            vec![
                ("prior", Value::Pair([0.5, 1.0])),
                ("data", group("beta-pair", "data", "counts", &[("ones_a", Value::Number(0.0))])),
            ],
            "prior",
        ),
        (
            "normal-gamma",
            vec![
                ("data", group("normal-gamma", "data", "generated", &[("n", Value::Number(1.0))])),
                ("prior_precision", Value::Pair([0.5, 1.0])),
            ],
            "prior_precision",
        ),
    ];
    for (kind, values, path) in cases {
        let errors = try_build(kind, &values).map(|_| ()).unwrap_err();
        assert_eq!(errors.iter().map(|error| error.path.as_str()).collect::<Vec<_>>(), [path], "{errors:?}");
    }
    let bounded = [("prior", Value::Pair([1.0, 1.0])), ("data", counts(0.0, 5.0))];
    assert!(try_build("beta-posterior", &bounded).is_ok());
    let widest = try_build("gaussian-grid", &[("rows", Value::Number(20.0)), ("columns", one)]);
    assert_eq!(widest.unwrap().info().modes.len(), 20);
}

#[test]
fn every_kind_is_of_one_of_the_families_at_its_default_settings() {
    let mut seen = Vec::new();
    for kind in &TARGETS {
        let target = build(&Settings::defaults(kind), ".").unwrap();
        assert_eq!(target.family().name, family_of(kind).name, "{}", kind.name);
        let editor = editor_of(kind).and_then(Editor::replaces);
        assert!(editor.is_none_or(|key| kind.param(key).is_some()), "{}", kind.name);
        seen.push(target.family().name);
    }
    seen.extend([CLASSES.name, VECTORS.name]);
    assert!(FAMILIES.iter().all(|family| seen.contains(&family.name)));
    let names: BTreeSet<&str> = FAMILIES.iter().map(|family| family.name).collect();
    assert_eq!(names.len(), FAMILIES.len());
}

//! The gallery's targets as formulas.

use sampler_lab::formula::{EXAMPLES, Form, Formula};
use sampler_lab::math::{Point, Purpose, Stream};
use sampler_lab::params::{Settings, find_kind};
use sampler_lab::targets::{TARGETS, Target, build};

/// Points at which formulas and targets are compared.
const POINTS: usize = 10_000;

/// The largest difference, relative to the size of the terms: of the derivatives at a point, or of the log density.
const AGREEMENT: f64 = 1e-12;

/// Points that fill the view, inside of the support.
fn points(target: &dyn Target) -> Vec<Point> {
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

#[test]
fn examples_are_the_targets_of_the_gallery() {
    for example in &EXAMPLES {
        let kind = find_kind(&TARGETS, example.target).unwrap();
        let target = build(&Settings::defaults(kind), ".").unwrap();
        let formula = Formula::read(example.text).unwrap_or_else(|error| panic!("{}: {error}", example.target));
        let mut names: Vec<&str> = example.parameters.iter().map(|(name, _)| *name).collect();
        let mut used: Vec<&str> = formula.parameters().collect();
        let values: Vec<f64> = used
            .iter()
            .map(|name| example.parameters.iter().find(|(known, _)| known == name).expect("a value").1)
            .collect();
        used.sort_unstable();
        names.sort_unstable();
        assert_eq!(used, names, "{}", example.target);
        let density = formula.density(&values, Form::LogDensity).unwrap();
        let start = target.info().start;
        let constant = target.log_density(start) - density.value(start.x, start.y);
        for at in points(target.as_ref()) {
            let close = |found: f64, expected: f64, size: f64, what: &str| {
                let most = AGREEMENT * (1.0 + size);
                assert!(
                    (found - expected).abs() <= most,
                    "{}, {what} at {at:?}: {found}, not {expected}",
                    example.target
                );
            };
            let expected = target.log_density(at);
            close(density.value(at.x, at.y) + constant, expected, expected.abs() + constant.abs(), "log density");
            let (gradient, hessian) = (target.gradient(at), target.hessian(at));
            for (found, expected) in density.gradient(at.x, at.y).into_iter().zip([gradient.x, gradient.y]) {
                close(found, expected, gradient.norm(), "gradient");
            }
            for (found, expected) in
                density.hessian(at.x, at.y).into_iter().zip([hessian.m11, hessian.m12, hessian.m22])
            {
                close(found, expected, hessian.norm(), "Hessian");
            }
        }
    }
}

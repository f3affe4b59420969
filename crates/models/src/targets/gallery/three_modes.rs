//! Three Gaussians of unequal weight, width and direction at the corners of a triangle with equal sides.
//!
//! A [`GaussianMixture`] with a few parameters instead of a list: the weights, and the distance between the centres.
//! Moments, draws and the weights of the basins are those of the mixture. When the three are close together, modes
//! merge.

use std::sync::Arc;

use super::gaussian_mixture::{Component, GaussianMixture};
use crate::targets::{Folder, Target, TargetEntry};
use base::math::{Matrix, Point};
use base::params::{DefaultValue, Interval, KindSpec, ParamError, ParamSpec, Settings};

const fn weight_param(key: &'static str, label: &'static str, help: &'static str) -> ParamSpec {
    ParamSpec::number(key, label, 1.0, Interval::closed(1e-3, 1e3), (0.1, 10.0), help).log()
}

const PARAMS: [ParamSpec; 4] = [
    weight_param(
        "first",
        "weight, left",
        "Weight of the widest Gaussian, on the left. Only the ratios of the three weights matter.",
    )
    .default(DefaultValue::Number(5.0)),
    weight_param("second", "weight, right", "Weight of the narrow Gaussian on the right.")
        .default(DefaultValue::Number(3.0)),
    weight_param("third", "weight, top", "Weight of the flat Gaussian at the top.").default(DefaultValue::Number(2.0)),
    ParamSpec::number(
        "separation",
        "separation",
        6.0,
        Interval::closed(0.0, 100.0),
        (1.0, 10.0),
        "Distance between any two of the centres. Chains cross wide gaps rarely; close together, modes merge.",
    ),
];

/// The description of this target.
const SPEC: KindSpec = KindSpec {
    name: "three-modes",
    label: "Three modes",
    help: "Three unequal Gaussians. A method has to find all three with the right weights: by default one half, three \
           tenths and one fifth of the draws.",
    params: &PARAMS,
};

/// The line of the registry.
pub const ENTRY: TargetEntry = TargetEntry::new(SPEC, build);

/// Makes the target.
///
/// # Errors
/// None beyond the ranges of the parameters.
fn build(settings: &Settings, _folder: &Folder) -> Result<Target, Vec<ParamError>> {
    let weights = ["first", "second", "third"].map(|key| settings.number(key));
    let total: f64 = weights.iter().sum();
    let [left, right, top] = corners(settings.number("separation"));
    let components = [
        Component::new(weights[0] / total, left, Matrix::new(1.0, 0.5, 0.5, 0.7)),
        Component::new(weights[1] / total, right, Matrix::new(0.25, -0.1, -0.1, 0.4)),
        Component::new(weights[2] / total, top, Matrix::new(0.8, 0.0, 0.0, 0.15)),
    ];
    Ok(Target::plane(Arc::new(GaussianMixture::new(components.into_iter().flatten().collect()))))
}

/// The corners of a triangle with sides of the given length around 0: left, right, top.
fn corners(side: f64) -> [Point; 3] {
    let inner = side / (2.0 * 3.0_f64.sqrt());
    [Point::new(-0.5 * side, -inner), Point::new(0.5 * side, -inner), Point::new(0.0, 2.0 * inner)]
}

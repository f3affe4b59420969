//! Three Gaussians of unequal weight, width and direction at the corners of a triangle with equal sides.
//!
//! A [`GaussianMixture`] with a few numbers to turn instead of a list: weights, and the distance between the centres. Moments,
//! draws and the weights of the basins are those of the mixture; when the three come close, modes merge.

use std::path::Path;
use std::sync::Arc;

use super::Target;
use super::gaussian_mixture::{Component, GaussianMixture};
use crate::math::{Matrix, Point};
use crate::params::{DefaultValue, Interval, KindSpec, ParamError, ParamSpec, Settings};

const fn weight_param(key: &'static str, label: &'static str, help: &'static str) -> ParamSpec {
    ParamSpec::number(key, label, 1.0, Interval::closed(1e-3, 1e3), (0.1, 10.0), help).log()
}

const PARAMS: [ParamSpec; 4] = [
    weight_param(
        "first",
        "weight, left",
        "Share of the Gaussian on the left, the widest. Only ratios of the three shares matter.",
    )
    .default(DefaultValue::Number(5.0)),
    weight_param("second", "weight, right", "Share of the Gaussian on the right, which is narrow.")
        .default(DefaultValue::Number(3.0)),
    weight_param("third", "weight, top", "Share of the Gaussian at the top, which is flat.")
        .default(DefaultValue::Number(2.0)),
    ParamSpec::number(
        "separation",
        "separation",
        6.0,
        Interval::closed(0.0, 100.0),
        (1.0, 10.0),
        "Distance between any two of the centres. The wider, the rarer the passages from one to another; close together, \
         modes merge.",
    ),
];

/// The description of this target.
pub const SPEC: KindSpec = KindSpec {
    name: "three-modes",
    label: "Three modes",
    help: "Three unequal Gaussians. A method has to find all three and give each its due: half, three tenths and a fifth \
           of the draws, unless the weights are changed.",
    params: &PARAMS,
};

/// Makes the target.
///
/// # Errors
/// None beyond the ranges of the parameters.
pub fn build(settings: &Settings, _folder: &Path) -> Result<Arc<dyn Target>, Vec<ParamError>> {
    let weights = ["first", "second", "third"].map(|key| settings.number(key));
    let total: f64 = weights.iter().sum();
    let [left, right, top] = corners(settings.number("separation"));
    let components = [
        Component::new(weights[0] / total, left, Matrix::new(1.0, 0.5, 0.5, 0.7)),
        Component::new(weights[1] / total, right, Matrix::new(0.25, -0.1, -0.1, 0.4)),
        Component::new(weights[2] / total, top, Matrix::new(0.8, 0.0, 0.0, 0.15)),
    ];
    Ok(Arc::new(GaussianMixture::new(components.into_iter().flatten().collect())))
}

/// The corners of a triangle with sides of the given length around 0: left, right, top.
fn corners(side: f64) -> [Point; 3] {
    let inner = side / (2.0 * 3.0_f64.sqrt());
    [Point::new(-0.5 * side, -inner), Point::new(0.5 * side, -inner), Point::new(0.0, 2.0 * inner)]
}

//! One Gaussian in the plane, given by its mean, standard deviations and correlation ρ: the target on which the bias of
//! most methods has a closed form.

use std::sync::Arc;

use super::gaussian_mixture::{Component, GaussianMixture};
use crate::targets::{Folder, Target, TargetEntry};
use base::math::{Matrix, Point};
use base::params::{DefaultValue, Interval, KindSpec, ParamError, ParamSpec, ParamType, Settings};

const PARAMS: [ParamSpec; 3] = [
    ParamSpec::of(
        "mean",
        "mean",
        ParamType::Pair { legal: Interval::closed(-1e4, 1e4) },
        DefaultValue::Pair([0.0, 0.0]),
        "Mean of the Gaussian.",
    ),
    ParamSpec::of(
        "sd",
        "standard deviations",
        ParamType::Pair { legal: Interval::closed(1e-2, 1e2) },
        DefaultValue::Pair([1.0, 1.0]),
        "Standard deviations of x and y. If they differ, one step size has to suit two scales.",
    ),
    ParamSpec::number(
        "correlation",
        "correlation ρ",
        0.9,
        Interval::closed(-0.999, 0.999),
        (-0.99, 0.99),
        "Correlation of x and y. Near ±1 the Gaussian is a narrow ridge, along which chains move slowly and which a \
         mean-field approximation cannot represent.",
    ),
];

/// The description of this target.
const SPEC: KindSpec = KindSpec {
    name: "gaussian",
    label: "Gaussian",
    help: "A single Gaussian. Most methods have a stationary distribution in closed form on it, so their bias is known \
           exactly.",
    params: &PARAMS,
};

/// The line of the registry.
pub const ENTRY: TargetEntry = TargetEntry::new(SPEC, build);

/// Makes the target.
///
/// # Errors
/// If standard deviations and correlation together make a direction too narrow to show.
fn build(settings: &Settings, _folder: &Folder) -> Result<Target, Vec<ParamError>> {
    let [sd_x, sd_y] = settings.pair("sd");
    let product = settings.number("correlation") * sd_x * sd_y;
    let covariance = Matrix::new(sd_x * sd_x, product, product, sd_y * sd_y);
    let component = Component::new(1.0, Point::from(settings.pair("mean")), covariance);
    let wrong =
        || vec![ParamError::new("correlation", "the Gaussian is too narrow in one direction", "a value nearer 0")];
    component.map(|only| Target::plane(Arc::new(GaussianMixture::new(vec![only])))).ok_or_else(wrong)
}

//! `elbo`: the evidence lower bound ∫ q (log p̃ − log q), in nats, of the fitted distribution.
//!
//! p̃ is the density as the target states it, not normalised, so that the bound is one for log Z = log ∫ p̃ (Jordan, Ghahramani,
//! Jaakkola and Saul 1999, Machine Learning 37). Both densities are taken in the coordinates z of the distribution; the integral does not depend on
//! them. It is worked out by [quadrature](super::expectation), distribution by distribution of a mixture, with log q that of the whole. A distribution that puts
//! mass where the target has none, as any Gaussian does on an interval, has the bound −∞, and no value.

use super::Fit;
use super::density::Density;
use super::expectation::{REACH, expectation};
use crate::diagnostics::{Better, MeasureSpec, Outcome};
use crate::math::{Distribution, Point};
use crate::targets::Target;

/// Why there is no bound.
const OUTSIDE: &str = "the fit puts mass outside the support";

pub(super) const SPEC: MeasureSpec = MeasureSpec {
    key: "elbo",
    label: "ELBO",
    help: "∫ q (log p̃ − log q) in nats, the evidence lower bound of the fitted distribution q, by quadrature (Jordan et al. 1999). At most log Z, and \
           below it by exactly KL(q‖p). Minus infinity, and not shown, where q reaches over the edge of the support.",
    better: Better::Higher,
    headline: true,
};

/// The bound of a sound fit.
pub(super) fn value(target: &dyn Target, fit: &Fit, density: &Density) -> Outcome {
    if !fit.components().iter().all(|component| is_inside(target, fit, &component.distribution)) {
        return Err(OUTSIDE);
    }
    let coordinates = fit.coordinates();
    let integrand = |z: Point| {
        let log_p = target.log_density(coordinates.to_theta(z)) + coordinates.log_slope(z);
        [log_p - density.log_at(z)]
    };
    let mut bound = 0.0;
    for component in fit.components().iter().filter(|component| component.weight > 0.0) {
        let [part] = expectation(&component.distribution, REACH, integrand)?;
        bound += component.weight * part;
    }
    Ok(bound)
}

/// Whether the target has density wherever the distribution has.
fn is_inside(target: &dyn Target, fit: &Fit, distribution: &Distribution) -> bool {
    let (support, coordinates) = (target.info().support, fit.coordinates());
    (0..fit.dimension()).all(|axis| {
        let low = coordinates.cut(axis, support.min[axis]);
        let high = coordinates.cut(axis, support.max[axis]);
        let positive = axis == 1 && matches!(distribution, Distribution::NormalGamma { .. });
        (low == f64::NEG_INFINITY || (positive && low <= 0.0)) && high == f64::INFINITY
    })
}

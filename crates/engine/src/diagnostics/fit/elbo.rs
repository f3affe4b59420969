//! `elbo`: evidence lower bound ∫ q (log p̃ − log q) of the fitted distribution q, in nats.
//!
//! p̃ is the density as the target states it, not normalised, so that the bound is one for log Z = log ∫ p̃ (Jordan,
//! Ghahramani, Jaakkola and Saul 1999, Machine Learning 37). Both densities are taken in the coordinates z of q; the
//! integral does not depend on them. It is computed by [quadrature](super::expectation), component by component of a
//! mixture, with log q that of the whole mixture. A distribution that puts mass outside the support, as any Gaussian
//! does on an interval, has the bound −∞, and no value.

use super::Fit;
use super::density::FitDensity;
use super::expectation::{REACH, expectation};
use crate::diagnostics::{Better, MeasureSpec, Outcome};
use base::math::{Distribution, Point};
use models::targets::{Density, Target};

/// Reason why there is no bound.
const OUTSIDE: &str = "q puts mass outside the support";

/// Reason why the bound of a distribution of which only the projection is known here is not computed.
const IN_MORE_DIMENSIONS: &str = "in more dimensions the bound is the method's own estimate";

pub(super) const SPEC: MeasureSpec = MeasureSpec {
    key: "elbo",
    label: "ELBO",
    help: "Evidence lower bound ∫ q (log p̃ − log q) of the fitted distribution q, in nats, by quadrature (Jordan et al. 1999). It is \
           log Z − KL(q‖p), so at most log Z. It is minus infinity, and not shown, if q puts mass outside the support of the target.",
    better: Better::Higher,
    headline: true,
    of_truth: false,
};

/// The bound of a sound fit, with pauses.
pub(super) async fn value(target: &Target, fit: &Fit, density: &FitDensity) -> Outcome {
    let Some(target) = target.in_plane() else { return Err(IN_MORE_DIMENSIONS) };
    let target = target.as_ref();
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
        let [part] = expectation(&component.distribution, REACH, integrand).await?;
        bound += component.weight * part;
    }
    Ok(bound)
}

/// Whether the target has density wherever the distribution has.
fn is_inside(target: &dyn Density, fit: &Fit, distribution: &Distribution) -> bool {
    let (support, coordinates) = (target.info().support, fit.coordinates());
    (0..fit.dimension()).all(|axis| {
        let low = coordinates.cut(axis, support.min[axis]);
        let high = coordinates.cut(axis, support.max[axis]);
        let positive = axis == 1 && matches!(distribution, Distribution::NormalGamma { .. });
        (low == f64::NEG_INFINITY || (positive && low <= 0.0)) && high == f64::INFINITY
    })
}

//! `alpha_lambda`: step size times largest curvature, which must stay below 2 for stability; and that curvature.
//!
//! Inside a mode whose largest curvature (eigenvalue of −∇² log p) is λ, plain Langevin with step size α is the
//! autoregression θ ← (1 − αλ)θ + noise: it is stable for αλ < 2, and its variance is inflated by 1/(1 − αλ/2) even then
//! (Roberts and Tweedie 1996, Bernoulli 2, on the unadjusted Langevin algorithm). Other methods have other limits
//! (`Method::stable_below`), which are scaled to 2 as well.
//! λ is taken at the highest mode, as on the step-size plot; on a ridge without isolated modes, at a point of the ridge.

use models::targets::{Coordinates, Model, TargetInfo};

use super::super::{Better, MeasureSpec, Outcome};
use super::input::{DynamicsInput, NO_STEP};

pub(super) const SPEC: MeasureSpec = MeasureSpec {
    key: "alpha_lambda",
    label: "αλ at the mode, limit 2",
    help: "Step size of the newest step times the largest curvature of the highest mode. Langevin steps are stable inside \
           the mode if it is below 2; even then the variance is 1/(1 − αλ/2) times too large (Roberts and Tweedie 1996). For \
           a method with another limit: twice its step size divided by that limit.",
    better: Better::Neither,
    headline: false,
    of_truth: false,
};

pub(super) fn value(input: &DynamicsInput) -> Outcome {
    let stability = input.stability.ok_or("no stability limit is known here")?;
    if input.drift.is_empty() {
        return Err(NO_STEP);
    }
    Ok(2.0 * input.alpha / stability)
}

/// λ, the largest curvature at the highest mode, or where the target starts if it has no isolated mode; `None` if
/// chains use other coordinates than θ.
#[must_use]
pub fn curvature(info: &TargetInfo, model: &dyn Model) -> Option<f64> {
    if Coordinates::of(info).is_identity() { model.curvature() } else { None }
}

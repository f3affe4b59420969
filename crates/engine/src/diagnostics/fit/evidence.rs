//! `evidence`: estimate of the log evidence, log Σ Zᵢ over the components of the fit.
//!
//! A Laplace approximation estimates Zᵢ = p̃(θ*) (2π)^(d/2) |H|^−½ for each mode (Laplace 1774; Tierney and Kadane
//! 1986, JASA 81), and the estimates of several modes add up if their components do not overlap: see
//! [`overlap`](super::overlap()). It is not a bound: it may lie on either side of log Z.

use super::Fit;
use super::input::FitInput;
use crate::diagnostics::{Better, MeasureSpec, Outcome};
use base::math::elementary::log_add_exp;

pub(super) const SPEC: MeasureSpec = MeasureSpec {
    key: "evidence",
    label: "Log evidence",
    help: "log Σ Z over the components of the fit, in nats; the Laplace approximation estimates each Z by the density at the mode times the volume of \
           the Gaussian (Tierney and Kadane 1986). An estimate of log Z, not a bound: where components overlap, their common mass counts twice.",
    better: Better::Neither,
    headline: false,
    of_truth: false,
};

/// Reason why a method that estimates log Z has no estimate.
const NOT_THERE: &str = "log Z is estimated at a mode, and the fit has not converged to one";

pub(super) fn value(input: FitInput<'_>) -> Outcome {
    let reason = if input.fit.has_evidence { NOT_THERE } else { "the method does not estimate log Z" };
    input.fit.log_evidence().ok_or(reason)
}

impl Fit {
    /// The log of the sum of the evidences of its components; `None` unless each has an estimate and the sum is finite.
    #[must_use]
    pub fn log_evidence(&self) -> Option<f64> {
        let claims = self.components().iter().map(|component| component.log_evidence);
        let sum = claims.reduce(|sum, claim| Some(log_add_exp(sum?, claim?)));
        sum.flatten().filter(|sum| sum.is_finite())
    }
}

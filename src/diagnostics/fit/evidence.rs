//! `evidence`: the log evidence that the fit claims, log Σ Zᵢ over its distributions.
//!
//! A Laplace approximation claims Zᵢ = p̃(θ*) (2π)^(d/2) |H|^−½ for each mode (Laplace 1774; Tierney and Kadane 1986, JASA 81), and several modes
//! add up, as far as their distributions do not overlap: see [`overlap`](super::overlap()). It is no bound; it may lie on either side of log Z.

use super::Fit;
use super::input::FitInput;
use crate::diagnostics::{Better, MeasureSpec, Outcome};
use crate::math::kernels::log_add_exp;

pub(super) const SPEC: MeasureSpec = MeasureSpec {
    key: "evidence",
    label: "Log evidence",
    help: "log Σ Z over the distributions of the fit, in nats, where each claims an evidence Z (Laplace: the density at the mode times the volume of \
           the Gaussian; Tierney and Kadane 1986). An estimate of log Z and no bound: distributions that overlap count what they share twice.",
    better: Better::Neither,
    headline: false,
};

pub(super) fn value(input: FitInput<'_>) -> Outcome {
    input.fit.log_evidence().ok_or("this method claims no evidence")
}

impl Fit {
    /// The log of the sum of the evidences that its distributions claim; `None` unless each claims one and the sum is finite.
    #[must_use]
    pub fn log_evidence(&self) -> Option<f64> {
        let claims = self.components().iter().map(|component| component.log_evidence);
        let sum = claims.reduce(|sum, claim| Some(log_add_exp(sum?, claim?)));
        sum.flatten().filter(|sum| sum.is_finite())
    }
}

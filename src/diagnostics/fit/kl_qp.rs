//! `kl_qp`: the Kullback–Leibler divergence of the fit from the target, KL(q‖p) = log Z − ELBO, in nats.
//!
//! What variational inference makes small (Kullback and Leibler 1951; Blei, Kucukelbir and McAuliffe 2017, arXiv:1601.00670). Unlike `kl`, it knows no cells:
//! both distributions enter by their densities. It forgives what q leaves out, one of 25 equal modes alone gives ln 25, and does not forgive q where p
//! has nothing. What quadrature leaves below 0 is 0.

use super::input::FitInput;
use crate::diagnostics::{Better, MeasureSpec, Outcome};

pub(super) const SPEC: MeasureSpec = MeasureSpec {
    key: "kl_qp",
    label: "KL(q‖p)",
    help: "∫ q log(q/p) in nats, of the fitted distribution from the exact one: log Z less the ELBO (Kullback and Leibler 1951). The direction that \
           variational inference minimises: it punishes q where the target has little, and forgives modes left out.",
    better: Better::Lower,
    headline: true,
};

pub(super) fn value(input: FitInput<'_>) -> Outcome {
    let log_normaliser = input.truth.target().info().log_normaliser;
    input.elbo.map(|elbo| (log_normaliser - elbo).max(0.0))
}

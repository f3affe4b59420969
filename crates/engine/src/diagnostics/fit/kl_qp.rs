//! `kl_qp`: Kullback–Leibler divergence KL(q‖p) = log Z − ELBO of the fit q from the target p, in nats.
//!
//! Variational inference minimises it (Kullback and Leibler 1951; Blei, Kucukelbir and McAuliffe 2017,
//! arXiv:1601.00670). Unlike `kl`, it uses no cells but both densities. It tolerates that q leaves parts of p out (one
//! of 25 equal modes gives ln 25), but not that q has mass where p has none. A value below 0, which is an error of
//! quadrature, becomes 0.

use super::input::FitInput;
use crate::diagnostics::{Better, MeasureSpec, Outcome};

pub(super) const SPEC: MeasureSpec = MeasureSpec {
    key: "kl_qp",
    label: "KL(q‖p)",
    help: "Kullback–Leibler divergence ∫ q log(q/p) = log Z − ELBO in nats, of the fitted distribution q from the target p (Kullback and Leibler 1951). \
           Variational inference minimises this direction: it penalises q where p has little mass, and tolerates missing modes.",
    better: Better::Lower,
    headline: true,
    of_truth: true,
};

pub(super) fn value(input: FitInput<'_>) -> Outcome {
    if let Some(doubt) = input.truth.doubt() {
        return Err(doubt);
    }
    let log_normaliser = input.truth.target().info().log_normaliser;
    input.elbo.map(|elbo| (log_normaliser - elbo).max(0.0))
}

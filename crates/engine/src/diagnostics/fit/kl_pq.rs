//! `kl_pq`: Kullback–Leibler divergence KL(p‖q) = ∫ p (log p − log q) of the target p from the fit q, in nats.
//!
//! Expectation propagation and maximum likelihood minimise this direction (Kullback and Leibler 1951; Minka 2005,
//! MSR-TR-2005-173): it penalises q for every part of p that q leaves out. The integral is a sum over the
//! [nodes](models::targets::nodes) of the target, which lie where p has its mass, and are weighted to add up to 1.

use super::expectation::UNRESOLVED;
use super::input::FitInput;
use crate::diagnostics::{Better, MeasureSpec, Outcome};
use models::targets::Node;

/// Largest deviation from 1 of the sum of the probabilities of the nodes.
const MISSED: f64 = 1e-3;

pub(super) const SPEC: MeasureSpec = MeasureSpec {
    key: "kl_pq",
    label: "KL(p‖q)",
    help: "Kullback–Leibler divergence ∫ p log(p/q) in nats, of the target p from the fitted distribution q, by quadrature (Kullback and Leibler 1951). \
           This direction penalises q for every part of the target that it leaves out.",
    better: Better::Lower,
    headline: true,
    of_truth: true,
};

pub(super) fn value(input: FitInput<'_>) -> Outcome {
    if let Some(doubt) = input.truth.doubt() {
        return Err(doubt);
    }
    let (nodes, coordinates) = (input.truth.nodes(), input.fit.coordinates());
    if (nodes.total - 1.0).abs() > MISSED || nodes.total.is_nan() {
        return Err(UNRESOLVED);
    }
    let same = coordinates == nodes.coordinates;
    let log_q = |node: &Node| {
        if same {
            return input.density.log_at(node.z);
        }
        input.density.log_in_theta(nodes.coordinates.to_theta(node.z)) + nodes.coordinates.log_slope(node.z)
    };
    let term = |node: &Node| node.probability * (node.log_density - log_q(node));
    let divergence = nodes.nodes.iter().map(term).sum::<f64>() / nodes.total;
    if divergence.is_finite() { Ok(divergence.max(0.0)) } else { Err("q leaves out a part of the target") }
}

//! `drift`, `gradient_noise`, `injected_noise`: displacement of the chains by each part of the newest step.
//!
//! Root mean squares over the chains of the displacements ‖α ∇log p‖, ‖α (ĝ − ∇log p)‖ and ‖√(2α) ξ‖. Their ratios tell
//! optimisation from sampling: while gradient noise is larger than injected noise, the step size is too large for
//! reliable draws (Welling and Teh 2011, §4).

use super::super::{Better, MeasureSpec, Outcome};
use super::input::{DynamicsInput, root_mean_square};

pub(super) const DRIFT: MeasureSpec = MeasureSpec {
    key: "drift",
    label: "Drift",
    help: "Root mean square over the first 64 chains of ‖α ∇log p‖, the displacement by the full gradient in the newest step, in \
           units of θ (Welling and Teh 2011).",
    better: Better::Neither,
    headline: false,
    of_truth: false,
};

pub(super) const GRADIENT_NOISE: MeasureSpec = MeasureSpec {
    key: "gradient_noise",
    label: "Gradient noise",
    help: "Root mean square over the first 64 chains of the displacement by the error of the gradient estimate in the newest \
           step, in units of θ; 0 with exact gradients. Draws are reliable if it is well below the injected noise \
           (Welling and Teh 2011).",
    better: Better::Neither,
    headline: false,
    of_truth: false,
};

pub(super) const INJECTED_NOISE: MeasureSpec = MeasureSpec {
    key: "injected_noise",
    label: "Injected noise",
    help: "Root mean square over the first 64 chains of the displacement √(2α)‖ξ‖ by the noise that the method adds in the newest \
           step, in units of θ (Welling and Teh 2011).",
    better: Better::Neither,
    headline: false,
    of_truth: false,
};

pub(super) fn drift(input: &DynamicsInput) -> Outcome {
    root_mean_square(&input.drift)
}

pub(super) fn gradient_noise(input: &DynamicsInput) -> Outcome {
    root_mean_square(&input.gradient_noise)
}

pub(super) fn injected_noise(input: &DynamicsInput) -> Outcome {
    root_mean_square(&input.injected_noise)
}

//! `weight_ess`: effective sample size of the weights (Kish), the number of draws of equal weight worth as much.
//!
//! (Σw)²/Σw² over all collected draws (Kish, Survey Sampling, 1965, §11.7): the number of draws if all weights are equal,
//! 1 if one draw has all the weight.

use super::super::{Better, MeasureSpec, NO_DRAWS, Outcome};
use super::input::ChainInput;

pub(super) const SPEC: MeasureSpec = MeasureSpec {
    key: "weight_ess",
    label: "ESS of the weights",
    help: "(Σw)²/Σw² over all draws: the number of draws of equal weight that are worth as much (Kish 1965); it is the number of draws if \
           weights are equal. It shows what unequal weights cost; draws count as independent, so it says nothing about how chains mix.",
    better: Better::Higher,
    headline: false,
    of_truth: false,
};

pub(super) fn value(input: &ChainInput<'_>) -> Outcome {
    if input.collected == 0 { Err(NO_DRAWS) } else { Ok(input.totals.effective) }
}

/// (Σw)²/(nΣw²), from 1/n to 1; weights that are not positive numbers count as 0. `None` if all are.
pub(super) fn share_of_weights(weights: &[f64]) -> Option<f64> {
    let counted = || weights.iter().filter(|weight| **weight > 0.0 && weight.is_finite());
    // As shares of the largest, so that no square overflows.
    let largest = counted().fold(0.0, |largest: f64, weight| largest.max(*weight));
    let (sum, squares) = counted()
        .map(|weight| weight / largest)
        .fold((0.0, 0.0), |(sum, squares), weight: f64| (sum + weight, squares + weight * weight));
    (sum > 0.0).then(|| sum * sum / (squares * weights.len() as f64))
}

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;

    use super::*;

    #[test]
    fn the_share_of_small_sets() {
        for (weights, share) in [
            (&[2.0; 5][..], 1.0),
            (&[1.0, 0.0, 0.0, 0.0], 0.25),
            (&[1.0, 2.0, 3.0], 36.0 / 14.0 / 3.0),
            (&[1e300, 1e300], 1.0),
            (&[1.0, f64::NAN], 0.5),
        ] {
            assert_relative_eq!(share_of_weights(weights).unwrap(), share, max_relative = 1e-14);
        }
        assert_eq!((share_of_weights(&[]), share_of_weights(&[0.0])), (None, None));
    }
}

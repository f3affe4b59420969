//! `mode_weight_kl`: Kullback–Leibler divergence of the mode weights of the draws from the true mode weights.
//!
//! KL(ŵ‖w) = Σₖ ŵₖ ln(ŵₖ/wₖ) in nats, where ŵₖ is the share of draws (by weight) whose nearest mode is k and wₖ the
//! probability of that region. A mode without draws contributes 0, so the value stays finite: one mode
//! out of 25 equal ones gives ln 25 = 3.219. The direction is that of Kullback and Leibler (1951), data first.

use super::super::{Better, MeasureSpec, NO_DRAWS, Outcome, Truth};
use super::input::TruthInput;
use models::targets::NO_MODES;

/// Standard deviations of a binomial distribution that are summed, and counts beyond, where it is not normal.
const REACH: f64 = 12.0;

pub(super) const SPEC: MeasureSpec = MeasureSpec {
    key: "mode_weight_kl",
    label: "Mode-weight KL",
    help: "Kullback–Leibler divergence Σ ŵ ln(ŵ/w) in nats: ŵ is the share of draws nearest to each mode, w its exact probability (Kullback and \
           Leibler 1951). 0 when every mode has its exact share of draws; ln 25 = 3.22 when all draws are in one of 25 equal modes.",
    better: Better::Lower,
    headline: true,
    of_truth: true,
};

pub(super) fn value(input: TruthInput<'_>) -> Outcome {
    let TruthInput { truth, statistics } = input;
    match truth.modes().len() {
        0 => return Err(NO_MODES),
        1 => return Err("the target has one mode"),
        _ => {}
    }
    if statistics.is_empty() {
        return Err(NO_DRAWS);
    }
    let total: f64 = truth.modes().iter().map(|mode| mode.weight).sum();
    let term = |(basin, weight): (&f64, f64)| match basin / statistics.weight() {
        share if share > 0.0 => share * libm::log(share * total / weight),
        _ => 0.0,
    };
    let divergence: f64 = statistics.basins().iter().zip(truth.modes().iter().map(|mode| mode.weight)).map(term).sum();
    Ok(divergence.max(0.0))
}

/// The average over sets of `draws` exact draws: Σₖ E[Kₖ/n ln(Kₖ/(n wₖ))], Kₖ ~ Bin(n, wₖ), term by term within
/// [`REACH`] standard deviations of its mean.
#[expect(clippy::cast_sign_loss, reason = "numbers of draws, from 0 to n")]
pub(super) fn average(truth: &Truth, draws: u64) -> Option<f64> {
    let total: f64 = truth.modes().iter().map(|mode| mode.weight).sum();
    let n = draws as f64;
    let of_mode = |share: f64| {
        if share <= 0.0 || share >= 1.0 {
            return 0.0;
        }
        let reach = REACH * (n * share * (1.0 - share)).sqrt() + REACH;
        let first = (n * share - reach).max(1.0).floor();
        let last = (n * share + reach).min(n);
        let log_choose = libm::lgamma(n + 1.0) - libm::lgamma(first + 1.0) - libm::lgamma(n - first + 1.0);
        let mut probability = libm::exp(log_choose + first * libm::log(share) + (n - first) * libm::log1p(-share));
        let mut sum = 0.0;
        for count in first as u64..=last as u64 {
            let count = count as f64;
            sum += probability * count / n * libm::log(count / (n * share));
            probability *= (n - count) / (count + 1.0) * share / (1.0 - share);
        }
        sum
    };
    (truth.modes().len() > 1 && draws > 0).then(|| truth.modes().iter().map(|mode| of_mode(mode.weight / total)).sum())
}

#[cfg(test)]
mod tests {
    use approx::{assert_abs_diff_eq, assert_relative_eq};

    use crate::diagnostics::Truth;
    use crate::diagnostics::test_targets::{Mixture, counts_of, measured, value_of, weighted_counts_of};
    use base::math::Point;

    const KEY: &str = "mode_weight_kl";

    #[test]
    fn known_counts_give_the_closed_form() {
        let truth = Truth::new(&Mixture::grid());
        let one = counts_of(&truth, &[Point::zeros(); 7]);
        assert_relative_eq!(value_of(&truth, &one, KEY), 25.0_f64.ln(), epsilon = 1e-12);
        let centres: Vec<_> = truth.modes().iter().map(|mode| mode.at).collect();
        assert_abs_diff_eq!(value_of(&truth, &counts_of(&truth, &centres), KEY), 0.0, epsilon = 1e-12);
        let five = counts_of(&truth, &centres[..5]);
        assert_relative_eq!(value_of(&truth, &five, KEY), 5.0_f64.ln(), epsilon = 1e-12);
    }

    #[test]
    fn weights_of_draws_and_of_modes_enter() {
        let truth = Truth::new(&Mixture::line());
        let draws = [(Point::new(-2.0, 0.0), 3.0), (Point::new(2.5, 0.0), 1.0), (Point::new(99.0, 0.0), 1.0)];
        let exact = 0.6 * (0.6_f64 / 0.25).ln() + 0.4 * (0.4_f64 / 0.75).ln();
        assert_relative_eq!(value_of(&truth, &weighted_counts_of(&truth, &draws), KEY), exact, epsilon = 1e-12);
    }

    #[test]
    fn a_single_mode_has_no_weights_to_compare() {
        let truth = Truth::new(&Mixture::single());
        let measure = measured(&truth, &counts_of(&truth, &[Point::zeros()]), KEY);
        assert_eq!((measure.value, measure.reason), (None, "the target has one mode"));
    }
}

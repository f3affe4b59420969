//! `coupon_collector`: expected number of modes that a number of independent cycles finds.
//!
//! K(1 − (1 − 1/K)^M), the expected number of different ones among M uniform picks out of K modes (the coupon
//! collector's problem, Feller, An Introduction to Probability Theory I, 3rd ed. 1968, §IX.3). M is the number of
//! cycles with draws, over all chains. 30 cycles find 17.65 of 25 modes, as in the published code of Zhang et al.
//! (2020, arXiv:1902.03932).

use super::super::{Better, MeasureSpec, Outcome};
use super::input::ChainInput;
use super::path;

pub(super) const SPEC: MeasureSpec = MeasureSpec {
    key: "coupon_collector",
    label: "Modes expected",
    help: "K(1 − (1 − 1/K)^M): expected number of different modes among M uniform picks out of K modes (Feller 1968), with M the \
           number of cycles in which chains have collected draws. Compare it with the modes visited. It assumes that cycles are \
           independent and modes equally likely; of the chains it uses only the number of cycles.",
    better: Better::Neither,
    headline: false,
    of_truth: true,
};

pub(super) fn value(input: &ChainInput<'_>) -> Outcome {
    let modes = path::modes(input)?;
    let picks = path::by_cycle(&modes, input)?.count() as f64;
    Ok(expected(input.truth.modes().len() as f64, picks))
}

/// As −K expm1(M ln1p(−1/K)), which keeps its digits for many modes.
fn expected(modes: f64, picks: f64) -> f64 {
    -modes * libm::expm1(picks * libm::log1p(-1.0 / modes))
}

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;

    use super::*;

    #[test]
    fn thirty_picks_out_of_twenty_five() {
        assert_relative_eq!(expected(25.0, 30.0), 25.0 * (1.0 - 0.96_f64.powi(30)), max_relative = 1e-14);
        assert_relative_eq!(expected(25.0, 1.0), 1.0, max_relative = 1e-14);
        assert_relative_eq!(expected(2.0, 2.0), 1.5, max_relative = 1e-14);
    }
}

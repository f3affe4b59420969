//! Probabilities of intervals and cells under standard distributions, accurate far out in the tails, and quantiles, with
//! the same bits on every machine.
//!
//! The normal distribution uses erfc of libm (msun), its quantile algorithm AS 241 of Wichura (1988, Appl. Statist. 37).
//! The gamma distribution uses the series and the continued fraction of the incomplete gamma functions (NIST DLMF 8.11.4
//! and 8.9.2), the latter by the method of Lentz (1976). For measures, not for trajectories.

use super::elementary::{exp, ln};

/// Terms of the series or fraction of an incomplete gamma function at most. Some √shape are needed near x = shape.
const MOST_TERMS: usize = 100_000;

/// The standard normal distribution function.
#[must_use]
pub fn normal_cdf(x: f64) -> f64 {
    0.5 * libm::erfc(-x * std::f64::consts::FRAC_1_SQRT_2)
}

/// The probability of the interval between two quantiles of the standard normal distribution, `low` ≤ `high`: the
/// difference of tails on the side where they are small, which keeps its digits far out.
#[must_use]
pub fn normal_interval(low: f64, high: f64) -> f64 {
    if low > 0.0 { normal_cdf(-low) - normal_cdf(-high) } else { normal_cdf(high) - normal_cdf(low) }
}

/// The standard normal quantile of a probability in (0, 1); ±∞ at its ends.
#[must_use]
pub fn normal_quantile(probability: f64) -> f64 {
    let from_middle = probability - 0.5;
    if from_middle.abs() <= MIDDLE {
        let r = MIDDLE * MIDDLE - from_middle * from_middle;
        return from_middle * ratio(&NEAR, r);
    }
    let tail = if from_middle < 0.0 { probability } else { 1.0 - probability };
    let r = (-ln(tail)).sqrt();
    let size = match r {
        r if r.is_infinite() => f64::INFINITY,
        r if r <= 5.0 => ratio(&FAR, r - 1.6),
        r => ratio(&FURTHEST, r - 5.0),
    };
    size.copysign(from_middle)
}

/// Half the width of the range of probabilities in which AS 241 uses its first approximation.
const MIDDLE: f64 = 0.425;

/// Coefficients of a numerator and a denominator, from the constant on.
type Ratio = [[f64; 8]; 2];

/// The coefficients of AS 241 (PPND16), for the middle and two parts of the tails.
const NEAR: Ratio = [
    [
        3.387_132_872_796_366_6,
        133.141_667_891_784_38,
        1_971.590_950_306_551_3,
        13_731.693_765_509_46,
        45_921.953_931_549_87,
        67_265.770_927_008_7,
        33_430.575_583_588_13,
        2_509.080_928_730_122_7,
    ],
    [
        1.0,
        42.313_330_701_600_91,
        687.187_007_492_057_9,
        5_394.196_021_424_751,
        21_213.794_301_586_597,
        39_307.895_800_092_71,
        28_729.085_735_721_943,
        5_226.495_278_852_854,
    ],
];
const FAR: Ratio = [
    [
        1.423_437_110_749_683_5,
        4.630_337_846_156_546,
        5.769_497_221_460_691,
        3.647_848_324_763_204_5,
        1.270_458_252_452_368_4,
        0.241_780_725_177_450_6,
        0.022_723_844_989_269_184,
        7.745_450_142_783_414e-4,
    ],
    [
        1.0,
        2.053_191_626_637_759,
        1.676_384_830_183_803_8,
        0.689_767_334_985_1,
        0.148_103_976_427_480_08,
        0.015_198_666_563_616_457,
        5.475_938_084_995_345e-4,
        1.050_750_071_644_416_9e-9,
    ],
];
const FURTHEST: Ratio = [
    [
        6.657_904_643_501_103,
        5.463_784_911_164_114,
        1.784_826_539_917_291_3,
        0.296_560_571_828_504_87,
        0.026_532_189_526_576_124,
        1.242_660_947_388_078_4e-3,
        2.711_555_568_743_487_6e-5,
        2.010_334_399_292_288_1e-7,
    ],
    [
        1.0,
        0.599_832_206_555_888,
        0.136_929_880_922_735_8,
        0.014_875_361_290_850_615,
        7.868_691_311_456_133e-4,
        1.846_318_317_510_054_7e-5,
        1.421_511_758_316_446e-7,
        2.044_263_103_389_939_8e-15,
    ],
];

fn ratio(coefficients: &Ratio, x: f64) -> f64 {
    let [numerator, denominator] = coefficients.map(|of| of.into_iter().rev().fold(0.0, |sum, next| sum * x + next));
    numerator / denominator
}

/// The probability of the interval from `low` to `high` under Gamma(`shape`, 1), `shape` > 0 and finite; what lies
/// below 0 has none.
#[must_use]
pub fn gamma_interval(shape: f64, low: f64, high: f64) -> f64 {
    let [(below_low, above_low), (below_high, above_high)] = [low, high].map(|x| gamma_sides(shape, x));
    if low > shape { above_low - above_high } else { below_high - below_low }
}

/// The distribution function of Gamma(`shape`, 1) at `x`, `shape` > 0 and finite.
#[must_use]
pub fn gamma_cdf(shape: f64, x: f64) -> f64 {
    gamma_sides(shape, x).0
}

/// The probabilities below and above `x`; the smaller one has all its digits.
fn gamma_sides(shape: f64, x: f64) -> (f64, f64) {
    if x.is_nan() || shape.is_nan() || shape <= 0.0 {
        return (f64::NAN, f64::NAN);
    }
    if x <= 0.0 {
        return (0.0, 1.0);
    }
    if x.is_infinite() {
        return (1.0, 0.0);
    }
    let density = exp(shape * ln(x) - x - libm::lgamma(shape));
    if x < shape + 1.0 {
        let below = density * series(shape, x);
        (below, 1.0 - below)
    } else {
        let above = density * fraction(shape, x);
        (1.0 - above, above)
    }
}

/// Σ xⁿ / (a (a+1) … (a+n)): the lower incomplete gamma function over xᵃ e⁻ˣ.
fn series(shape: f64, x: f64) -> f64 {
    let (mut term, mut sum, mut denominator) = (1.0 / shape, 1.0 / shape, shape);
    for _ in 0..MOST_TERMS {
        denominator += 1.0;
        term *= x / denominator;
        sum += term;
        if term <= f64::EPSILON * 0.5 * sum {
            break;
        }
    }
    sum
}

/// 1/(x + 1 − a − 1(1 − a)/(x + 3 − a − …)): the upper incomplete gamma function over xᵃ e⁻ˣ.
fn fraction(shape: f64, x: f64) -> f64 {
    let mut b = x + 1.0 - shape;
    let (mut c, mut d) = (f64::INFINITY, 1.0 / b);
    let mut value = d;
    for number in 1..=MOST_TERMS {
        let number = number as f64;
        let a = -number * (number - shape);
        b += 2.0;
        d = 1.0 / (a * d + b);
        c = b + a / c;
        let factor = c * d;
        value *= factor;
        if (factor - 1.0).abs() <= f64::EPSILON {
            break;
        }
    }
    value
}

/// The products of probabilities along x and y, by rows.
#[must_use]
pub fn crossed(x: &[f64], y: &[f64]) -> Vec<f64> {
    y.iter().flat_map(|row| x.iter().map(move |column| column * row)).collect()
}

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;

    use super::*;

    /// Against values of scipy 1.17 (`scipy.stats.norm` and `scipy.stats.gamma`).
    #[test]
    fn known_probabilities() {
        assert_relative_eq!(normal_interval(1.0, 2.0), 0.135_905_121_983_277_83, max_relative = 1e-13);
        assert_relative_eq!(normal_interval(10.0, 11.0), 7.619_661_958_203_02e-24, max_relative = 1e-12);
        assert_relative_eq!(gamma_interval(6.5, 3.0, 7.0), 0.572_308_982_584_767_6, max_relative = 1e-12);
        assert_relative_eq!(gamma_interval(6.5, 40.0, f64::INFINITY), 1.103_294_180_207_503e-11, max_relative = 1e-10);
        assert_relative_eq!(gamma_interval(0.4, -1.0, 0.01), 0.178_118_173_134_940_36, max_relative = 1e-12);
        assert_relative_eq!(gamma_interval(0.4, f64::NEG_INFINITY, f64::INFINITY), 1.0, max_relative = 1e-15);
    }

    /// Against statrs, whose digits may differ between machines.
    #[test]
    fn gamma_probabilities_agree_with_another_program() {
        for shape in [0.1, 0.5, 1.0, 6.5, 40.0, 1500.0] {
            for share in [1e-3, 0.2, 0.9, 1.0, 1.1, 1.5, 4.0] {
                let (below, above) = gamma_sides(shape, shape * share);
                let tolerance = 1e-10;
                assert_relative_eq!(
                    below,
                    statrs::function::gamma::gamma_lr(shape, shape * share),
                    max_relative = tolerance
                );
                let upper = statrs::function::gamma::gamma_ur(shape, shape * share);
                assert!((above - upper).abs() <= tolerance * upper + 1e-15, "{shape} {share}: {above} {upper}");
            }
        }
        assert!(gamma_cdf(2.0, -1.0).abs() <= 0.0 && (gamma_cdf(2.0, f64::INFINITY) - 1.0).abs() <= 0.0);
        assert!(gamma_cdf(2.0, f64::NAN).is_nan());
    }

    /// Against values of scipy 1.17 (`scipy.stats.norm.ppf`).
    #[test]
    fn known_quantiles() {
        for (probability, expected) in [
            (1e-300, -37.047_096_299_361_2),
            (1e-20, -9.262_340_089_798_409),
            (1e-9, -5.997_807_015_007_686_5),
            (0.001, -3.090_232_306_167_813),
            (0.0749, -1.440_238_267_527_963_5),
            (0.0751, -1.438_825_392_752_540_3),
            (0.2, -0.841_621_233_572_914_2),
            (0.4375, -0.157_310_684_610_170_7),
        ] {
            assert_relative_eq!(normal_quantile(probability), expected, max_relative = 1e-15);
            if probability > 1e-16 {
                assert_relative_eq!(normal_quantile(1.0 - probability), -expected, max_relative = 1e-12 / probability);
            }
        }
        let [low, middle, high] = [0.0, 0.5, 1.0].map(normal_quantile);
        assert!(low == f64::NEG_INFINITY && middle.abs() <= 0.0 && high == f64::INFINITY);
    }
}

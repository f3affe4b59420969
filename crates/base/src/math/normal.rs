//! Pairs of independent standard normal numbers.
//!
//! G. E. P. Box & M. E. Muller, *A note on the generation of random normal deviates*, Ann. Math. Statist. 29 (1958):
//! x = √(−2 ln u₁) cos 2πu₂ and y = √(−2 ln u₁) sin 2πu₂. A pair takes exactly two 64-bit words, so that the position
//! of a stream does not depend on its values, and needs no branches, so that many pairs are computed at once.
//!
//! u₁ is a multiple of 2⁻⁵² in (0, 1], u₂ one in [0, 1). No number exceeds √(104 ln 2) = 8.49 in size; of a true normal
//! variable one in 5·10¹⁶ does.

use super::elementary::{Number, Two, ln_of_normal, sin_cos_of_turns};
use super::stream::{Stream, unit_mantissa};

impl Stream {
    /// Two independent standard normal numbers, for two words of the stream.
    #[inline]
    pub fn normal_pair(&mut self) -> (f64, f64) {
        let radius_draw = unit_mantissa(self.bits());
        let angle_draw = unit_mantissa(self.bits());
        box_muller(radius_draw, angle_draw)
    }
}

/// Turns draws in [1, 2) into normal pairs, in place. Those of one half take turns with those of the other.
#[inline(always)]
pub(in crate::math) fn transform(x: &mut [f64], y: &mut [f64]) {
    let half = x.len() / 2;
    let ((x, rest_x), (y, rest_y)) = (x.split_at_mut(half), y.split_at_mut(half));
    let ((next_x, last_x), (next_y, last_y)) = (rest_x.split_at_mut(half), rest_y.split_at_mut(half));
    for ((x, y), (next_x, next_y)) in x.iter_mut().zip(y).zip(next_x.iter_mut().zip(next_y)) {
        let (Two(first), Two(second)) = box_muller(Two([*x, *next_x]), Two([*y, *next_y]));
        ([*x, *next_x], [*y, *next_y]) = (first, second);
    }
    for (x, y) in last_x.iter_mut().zip(last_y) {
        (*x, *y) = box_muller(*x, *y);
    }
}

#[inline(always)]
fn box_muller<N: Number>(radius_draw: N, angle_draw: N) -> (N, N) {
    // Both subtractions are exact. u₁ is counted down from 1 so that it is never 0.
    let u1 = radius_draw.map(|draw| 2.0 - draw);
    let u2 = angle_draw - 1.0;
    let radius = (ln_of_normal(u1, 0.0) * -2.0).map(f64::sqrt);
    let (sine, cosine) = sin_cos_of_turns(u2);
    (radius * cosine, radius * sine)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Purpose, Simd, Streams};

    const PAIRS: usize = 200_000;

    /// Tests below compare sums with their standard deviation; the inputs are fixed, and of all seeds one in 1.7·10⁶
    /// would fail one comparison.
    const Z_LIMIT: f64 = 5.0;

    fn stream(index: u64) -> Stream {
        Stream::derive(42, Purpose::Chain, 1, index)
    }

    fn pairs() -> (Vec<f64>, Vec<f64>) {
        let mut stream = stream(3);
        (0..PAIRS).map(|_| stream.normal_pair()).unzip()
    }

    /// The standardised mean of terms with mean 0 and the given variance.
    fn z_score(terms: impl ExactSizeIterator<Item = f64>, variance: f64) -> f64 {
        let n = terms.len() as f64;
        terms.sum::<f64>() / (n * variance).sqrt()
    }

    #[test]
    fn known_pairs() {
        let expected = [
            (0xbfc3_773c_23ab_db1f, 0x3fe7_dfa0_721b_c708),
            (0xbfe1_1daa_ddf7_c6c2, 0xbfc5_511a_1c6b_496b),
            (0xbfb4_d148_7960_4bfe, 0x3ff8_1dd6_29d1_1b1b),
            (0xbff3_f747_6380_6a27, 0x3ff0_cc4e_658c_0c75),
        ];
        let mut stream = stream(3);
        for pair in expected {
            let (x, y) = stream.normal_pair();
            assert_eq!((x.to_bits(), y.to_bits()), pair);
        }
    }

    #[test]
    fn a_pair_takes_two_words() {
        use rand::Rng;
        let (mut a, mut b) = (stream(0), stream(0));
        a.normal_pair();
        b.next_u64();
        b.next_u64();
        assert_eq!(a, b);
    }

    #[test]
    fn the_most_extreme_draws_are_finite() {
        let (largest, _) = box_muller(2.0_f64.next_down(), 1.0);
        assert!((largest - (104.0 * std::f64::consts::LN_2).sqrt()).abs() < 4.0 * f64::EPSILON * largest);
        let (x, y) = box_muller(1.0, 1.3);
        assert!(x.abs() + y.abs() <= 0.0, "u₁ = 1 is the origin, found ({x}, {y})");
    }

    #[test]
    fn moments_are_those_of_a_normal() {
        let (x, y) = pairs();
        for (name, values) in [("x", x), ("y", y)] {
            let central = |power: i32, mean: f64| values.iter().map(move |v| v.powi(power) - mean);
            // The first moments of a standard normal, with the variance of each power: E v²ᵖ − (E vᵖ)².
            let moments = [(1, 0.0, 1.0), (2, 1.0, 2.0), (3, 0.0, 15.0), (4, 3.0, 96.0)];
            for (power, mean, variance) in moments {
                let z = z_score(central(power, mean), variance);
                assert!(z.abs() < Z_LIMIT, "{name}: moment {power} is {z} sd off");
            }
        }
    }

    /// D√n above √(ln(2/α)/2) with α = 10⁻⁶, Kolmogorov's limit distribution.
    #[test]
    fn the_distribution_is_normal_by_kolmogorov_smirnov() {
        let limit = ((2.0_f64 / 1e-6).ln() / 2.0).sqrt();
        let (x, y) = pairs();
        for (name, mut values) in [("x", x), ("y", y)] {
            values.sort_by(f64::total_cmp);
            let n = values.len() as f64;
            let distance = values.iter().enumerate().fold(0.0_f64, |largest, (i, &v)| {
                let cdf = 0.5 * libm::erfc(-v * std::f64::consts::FRAC_1_SQRT_2);
                largest.max(cdf - i as f64 / n).max((i + 1) as f64 / n - cdf)
            });
            assert!(distance * n.sqrt() < limit, "{name}: D√n = {}", distance * n.sqrt());
        }
    }

    #[test]
    fn tails_have_their_weight() {
        let (x, y) = pairs();
        for threshold in [1.0, 2.0, 3.0] {
            let probability = libm::erfc(threshold * std::f64::consts::FRAC_1_SQRT_2);
            let terms = x.iter().map(|v| f64::from(v.abs() > threshold) - probability);
            let z_x = z_score(terms, probability * (1.0 - probability));
            let terms = y.iter().map(|v| f64::from(v.abs() > threshold) - probability);
            let z_y = z_score(terms, probability * (1.0 - probability));
            assert!(z_x.abs() < Z_LIMIT && z_y.abs() < Z_LIMIT, "beyond {threshold}: {z_x}, {z_y} sd off");
        }
    }

    #[test]
    fn pairs_and_steps_are_independent() {
        let (x, y) = pairs();
        let product = |a: &[f64], b: &[f64]| z_score(a.iter().zip(b).map(|(a, b)| a * b), 1.0);
        // (a² − 1)(b² − 1) has variance 2·2.
        let squares = |a: &[f64], b: &[f64]| z_score(a.iter().zip(b).map(|(a, b)| (a * a - 1.0) * (b * b - 1.0)), 4.0);
        for (name, a, b) in [
            ("x and y", &x[..], &y[..]),
            ("x and the next x", &x[..PAIRS - 1], &x[1..]),
            ("y and the next x", &y[..PAIRS - 1], &x[1..]),
            ("y and the next y", &y[..PAIRS - 1], &y[1..]),
        ] {
            assert!(product(a, b).abs() < Z_LIMIT, "{name}: {} sd", product(a, b));
            assert!(squares(a, b).abs() < Z_LIMIT, "{name}, squared: {} sd", squares(a, b));
        }
    }

    #[test]
    fn neighbouring_streams_are_independent() {
        let mut streams = Streams::derive(42, Purpose::Chain, 1, 0..1000);
        let (mut x, mut y) = (vec![0.0; 1000], vec![0.0; 1000]);
        let (mut same_step, mut next_axis) = (Vec::new(), Vec::new());
        for _ in 0..100 {
            streams.fill_pairs(Simd::widest(), &mut x, &mut y);
            same_step.extend(x.windows(2).map(|w| w[0] * w[1]));
            next_axis.extend(x.iter().zip(&y[1..]).map(|(x, y)| x * y));
        }
        for products in [same_step, next_axis] {
            let z = z_score(products.into_iter(), 1.0);
            assert!(z.abs() < Z_LIMIT, "{z} sd");
        }
    }
}

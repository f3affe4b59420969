//! The deterministic generator of corpora: the same documents in any language, by SplitMix64 and inversion.
//!
//! SplitMix64: G. Steele, D. Lea and C. Flood (2014), *Fast splittable pseudorandom number generators*, OOPSLA. Gamma draws
//! of a shape below 1: M. D. Jöhnk (1964), *Erzeugung von betaverteilten und gammaverteilten Zufallszahlen*, Metrika 8.

use base::math::elementary::{exp, ln};

/// Increment of SplitMix64: 2⁶⁴ over the golden ratio, odd.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// A stream of random numbers that other programs can reproduce.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generator {
    state: u64,
}

impl Generator {
    /// The stream of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(GOLDEN);
        let word = self.state;
        let word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }

    /// A number U in (0, 1): the upper 52 bits and a half, times 2⁻⁵².
    fn uniform(&mut self) -> f64 {
        ((self.bits() >> 12) as f64 + 0.5) * f64::EPSILON
    }

    /// A draw from Gamma(shape, 1) for a shape in (0, 1].
    fn gamma_draw(&mut self, shape: f64) -> f64 {
        let share = if shape < 1.0 { self.beta(shape) } else { 1.0 };
        share * -ln(self.uniform())
    }

    /// A draw from Beta(shape, 1 − shape).
    fn beta(&mut self, shape: f64) -> f64 {
        loop {
            let x = exp(ln(self.uniform()) / shape);
            let y = exp(ln(self.uniform()) / (1.0 - shape));
            if x + y <= 1.0 && x + y > 0.0 {
                return x / (x + y);
            }
        }
    }

    /// A draw from the symmetric Dirichlet distribution of `count` shares with a concentration in (0, 1].
    pub fn dirichlet(&mut self, count: usize, concentration: f64) -> Vec<f64> {
        let draws: Vec<f64> = (0..count).map(|_| self.gamma_draw(concentration)).collect();
        let sum: f64 = draws.iter().sum();
        draws.into_iter().map(|draw| draw / sum).collect()
    }

    /// The first index whose running sum of `probabilities` exceeds U.
    pub fn categorical(&mut self, probabilities: impl IntoIterator<Item = f64>) -> usize {
        let u = self.uniform();
        let (mut sum, mut last) = (0.0, 0);
        for (index, probability) in probabilities.into_iter().enumerate() {
            sum += probability;
            if sum > u {
                return index;
            }
            last = index;
        }
        last
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_of_every_other_program() {
        assert_eq!(Generator::new(1).bits(), 10_451_216_379_200_822_465);
        assert!((Generator::new(1).uniform() - 0.566_561_575_172_280_9).abs() < 1e-16);
        let mut generator = Generator::new(1);
        for expected in [0.002_286_02, 0.012_337_85, 0.675_466_94] {
            assert!((generator.gamma_draw(0.2) - expected).abs() < 5e-9);
        }
    }

    #[test]
    fn the_last_index_catches_rounding() {
        let mut generator = Generator::new(1);
        assert_eq!(generator.categorical([0.1, 0.2]), 1);
        assert_eq!(generator.categorical([]), 0);
    }
}

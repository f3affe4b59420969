//! Seeded streams of random numbers: one per (seed, purpose, run, index), the same on every machine.
//!
//! The generator is xoshiro256++ of D. Blackman & S. Vigna, *Scrambled linear pseudorandom number generators*, ACM
//! Trans. Math. Softw. 47 (2021); the derivation mixes with the finaliser of SplitMix64 (G. Steele, D. Lea &
//! C. Flood, *Fast splittable pseudorandom number generators*, OOPSLA 2014).

use std::convert::Infallible;

use rand::{Rng, SeedableRng, TryRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Purpose of a stream. Streams of different purposes are independent, whatever their other labels.
///
/// The numbers enter the derivation: changing one changes every run that uses it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u64)]
pub enum Purpose {
    /// Noise, proposals and acceptance of one chain.
    Chain = 1,
    /// Minibatch indices of one chain.
    Minibatch = 2,
    /// The start of one chain.
    Start = 3,
    /// Generated data of a target.
    Data = 4,
    /// Exact draws from the target, with which runs are compared.
    Truth = 5,
    /// Metropolis decisions of one chain.
    Accept = 6,
    /// Random choices of a measure, such as projection directions.
    Measure = 7,
    /// Initial momenta of one chain.
    Momentum = 8,
    /// Draws from the distribution that an approximation has fitted.
    Fit = 9,
    /// The reference that predictions of networks are compared with.
    Reference = 10,
}

impl Purpose {
    /// Every purpose.
    pub const ALL: [Self; 10] = [
        Self::Chain,
        Self::Minibatch,
        Self::Start,
        Self::Data,
        Self::Truth,
        Self::Accept,
        Self::Measure,
        Self::Momentum,
        Self::Fit,
        Self::Reference,
    ];
}

/// A stream of random numbers with a period of 2²⁵⁶ − 1.
///
/// Implements [`rand::Rng`], so `rand`'s own methods work on it. On a trajectory use the methods here: those of
/// `rand` and `rand_distr` may change with a release or with a feature some other crate turns on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stream {
    generator: Xoshiro256PlusPlus,
}

/// 2⁶⁴ over the golden ratio, odd: the increment of SplitMix64.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// 2⁻⁵², the spacing of [`Stream::uniform`].
const UNIFORM_SPACING: f64 = f64::EPSILON;

impl Stream {
    /// The stream of a purpose within a run (0 if it belongs to no run), for a chain or other index.
    ///
    /// Each of the four words of state mixes all four labels with a constant of its own. Streams start at unrelated
    /// points of one orbit of length 2²⁵⁶: that any two of a million, each 2⁴⁰ long, overlap has probability below 2⁻¹⁷⁰.
    #[must_use]
    pub fn derive(seed: u64, purpose: Purpose, run: u64, index: u64) -> Self {
        let mut bytes = [0; 32];
        for (bytes, word) in bytes.chunks_exact_mut(8).zip(derived_state(seed, purpose, run, index)) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        Self { generator: Xoshiro256PlusPlus::from_seed(bytes) }
    }

    /// 64 uniform bits.
    #[inline(always)]
    pub(in crate::math) fn bits(&mut self) -> u64 {
        self.generator.next_u64()
    }

    /// A uniform number in the open interval (0, 1): an odd multiple of 2⁻⁵³. Neither it nor one minus it is ever 0.
    #[inline]
    pub fn uniform(&mut self) -> f64 {
        open_uniform(self.bits())
    }

    /// A uniform index in 0..n, every one exactly as likely; n must be at least 1 (0 is taken for 1).
    ///
    /// The multiplication method of D. Lemire, *Fast random integer generation in an interval*, ACM Trans. Model.
    /// Comput. Simul. 29 (2019). `rand`'s `random_range` changes its algorithm, and with it every run, when any crate
    /// in the build turns on its feature `unbiased`.
    #[inline]
    pub fn below(&mut self, n: u32) -> u32 {
        Below::new(n).draw(|| self.bits())
    }
}

/// The initial four words of a stream.
pub(in crate::math) fn derived_state(seed: u64, purpose: Purpose, run: u64, index: u64) -> [u64; 4] {
    [1, 2, 3, 4].map(|lane| {
        let start = mix(GOLDEN.wrapping_mul(lane));
        [seed, purpose as u64, run, index]
            .into_iter()
            .fold(start, |state, label| mix((state ^ label).wrapping_add(GOLDEN)))
    })
}

/// Uniform indices in 0..n made of 64 bits each.
#[derive(Clone, Copy, Debug)]
pub(in crate::math) struct Below {
    n: u64,
}

impl Below {
    #[inline(always)]
    pub(in crate::math) fn new(n: u32) -> Self {
        Self { n: u64::from(n.max(1)) }
    }

    /// The upper 64 bits of the product of 64 bits with n, which are the index, and the lower ones, its fraction.
    #[inline(always)]
    pub(in crate::math) fn index(self, bits: u64) -> (u32, u64) {
        // In halves, which vector units can multiply.
        let (low, high) = ((bits & 0xffff_ffff) * self.n, (bits >> 32) * self.n);
        let upper = high + (low >> 32);
        ((upper >> 32) as u32, (upper << 32) | (low & 0xffff_ffff))
    }

    /// 2⁶⁴ mod n: so many of the fractions of each index are left over. An index with a smaller fraction is rejected.
    #[inline(always)]
    pub(in crate::math) fn left_over(self) -> u64 {
        self.n.wrapping_neg() % self.n
    }

    /// The first index that is not rejected.
    #[inline(always)]
    pub(in crate::math) fn draw(self, mut bits: impl FnMut() -> u64) -> u32 {
        loop {
            let (index, fraction) = self.index(bits());
            // The first comparison avoids the division almost always.
            if fraction >= self.n || fraction >= self.left_over() {
                return index;
            }
        }
    }
}

/// The number in (0, 1) that [`Stream::uniform`] makes of 64 bits.
#[inline(always)]
pub(in crate::math) fn open_uniform(bits: u64) -> f64 {
    unit_mantissa(bits) - (1.0 - 0.5 * UNIFORM_SPACING)
}

/// A number in [1, 2) made of the upper 52 of 64 bits: shift and mask only, so it costs nothing in vector code.
#[inline(always)]
pub(in crate::math) fn unit_mantissa(bits: u64) -> f64 {
    f64::from_bits((bits >> 12) | 1.0_f64.to_bits())
}

/// The finaliser of SplitMix64, a bijection in which every input bit reaches every output bit.
fn mix(word: u64) -> u64 {
    let word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

impl TryRng for Stream {
    type Error = Infallible;

    #[inline]
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        self.generator.try_next_u32()
    }

    #[inline]
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        self.generator.try_next_u64()
    }

    #[inline]
    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        self.generator.try_fill_bytes(bytes)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn known_words() {
        let words = |mut stream: Stream| [stream.next_u64(), stream.next_u64(), stream.next_u64()];
        assert_eq!(
            words(Stream::derive(0, Purpose::Chain, 0, 0)),
            [0x59f9_9733_c852_7213, 0x15ba_eb6b_ea6a_8c86, 0x6dd0_933b_f20b_0676],
        );
        assert_eq!(
            words(Stream::derive(42, Purpose::Chain, 1, 3)),
            [0x406a_cffe_f46a_6fb5, 0x4831_6b07_ffc2_ab54, 0x252d_232e_21c9_fe49],
        );
        assert_eq!(
            words(Stream::derive(42, Purpose::Minibatch, 1, 3)),
            [0xffaa_d05e_5c0a_1dbd, 0x7fd1_850d_f38b_509b, 0x2be6_d0aa_f545_a6bc],
        );
    }

    #[test]
    fn equal_labels_give_equal_streams_and_others_do_not() {
        let mut seen = HashSet::new();
        for seed in [0, 1, 42, u64::MAX] {
            for purpose in Purpose::ALL {
                for run in 0..8 {
                    for index in 0..64 {
                        let mut stream = Stream::derive(seed, purpose, run, index);
                        assert_eq!(stream, Stream::derive(seed, purpose, run, index));
                        assert!(seen.insert(stream.next_u64()), "{seed} {purpose:?} {run} {index}");
                    }
                }
            }
        }
    }

    /// Labels that differ in one bit give first words that differ in half of theirs. Over 4096 comparisons the mean
    /// number of differing bits has sd 4/64; the limit of 6 sd fails once in 5·10⁸ seeds, per label.
    #[test]
    fn one_bit_of_a_label_changes_half_the_bits() {
        let derive: [fn(u64, u64) -> Stream; 3] = [
            |seed, bit| Stream::derive(seed ^ bit, Purpose::Chain, 0, 0),
            |seed, bit| Stream::derive(seed, Purpose::Chain, bit, 0),
            |seed, bit| Stream::derive(seed, Purpose::Chain, 0, bit),
        ];
        for (label, derive) in derive.iter().enumerate() {
            let mut differing = 0;
            for seed in 0..64 {
                for bit in 0..64 {
                    let (mut a, mut b) = (derive(seed, 0), derive(seed, 1 << bit));
                    differing += (a.next_u64() ^ b.next_u64()).count_ones();
                }
            }
            let mean = f64::from(differing) / 4096.0;
            assert!((mean - 32.0).abs() < 6.0 * 4.0 / 64.0, "label {label}: {mean} bits");
        }
    }

    #[test]
    #[expect(clippy::float_cmp, reason = "the ends of the range are exact")]
    fn uniform_stays_inside_the_open_interval() {
        let smallest = unit_mantissa(0) - (1.0 - 0.5 * UNIFORM_SPACING);
        let largest = unit_mantissa(u64::MAX) - (1.0 - 0.5 * UNIFORM_SPACING);
        assert_eq!(smallest, 0.5 * f64::EPSILON);
        assert_eq!(largest, 1.0 - 0.5 * f64::EPSILON);
    }

    /// Mean and variance of 10⁵ uniform numbers, each within 5 sd: fails for one seed in 10⁶.
    #[test]
    fn uniform_has_the_moments_of_a_uniform() {
        let mut stream = Stream::derive(3, Purpose::Measure, 0, 0);
        let n = 100_000;
        let values: Vec<f64> = (0..n).map(|_| stream.uniform() - 0.5).collect();
        let root_n = f64::from(n).sqrt();
        let mean = values.iter().sum::<f64>() / f64::from(n);
        let square = values.iter().map(|u| u * u).sum::<f64>() / f64::from(n);
        assert!(mean.abs() < 5.0 * (1.0_f64 / 12.0).sqrt() / root_n, "mean {mean}");
        // Var U² = 1/80 − 1/144 for U uniform on (−½, ½).
        let sd = (1.0_f64 / 80.0 - 1.0 / 144.0).sqrt();
        assert!((square - 1.0 / 12.0).abs() < 5.0 * sd / root_n, "second moment {square}");
    }

    /// χ² over 7 cells, 6 degrees of freedom: above 40 for one seed in 2·10⁶.
    #[test]
    fn indices_are_uniform_and_in_range() {
        let mut stream = Stream::derive(5, Purpose::Minibatch, 0, 0);
        let mut counts = [0_u32; 7];
        let n = 70_000;
        for _ in 0..n {
            counts[stream.below(7) as usize] += 1;
        }
        let expected = f64::from(n) / 7.0;
        let chi_square: f64 = counts.iter().map(|&c| (f64::from(c) - expected).powi(2) / expected).sum();
        assert!(chi_square < 40.0, "{counts:?}: {chi_square}");
        assert_eq!(stream.below(1), 0);
        assert_eq!(stream.below(0), 0);
    }
}

//! Many streams side by side: the generators of [`Stream`](super::Stream) with their words in columns.
//!
//! One stream takes the steps of its xoshiro256++ one after the other. Many streams take them together in vector
//! registers if equal words lie next to one another. The numbers are those of the single streams, for every instruction
//! set.

use std::ops::Range;

use super::elementary::{Kernel, Simd};
use super::normal::transform;
use super::stream::{Below, Purpose, derived_state, open_uniform, unit_mantissa};

/// Number of words of each kind that are drawn before they are transformed: two columns of them fit into the first cache.
/// Chosen by measurement; it does not affect the numbers.
const TILE: usize = 1024;

/// The same for a single stream, whose next numbers can be drawn while vector units transform the last ones.
const TILE_OF_ONE: usize = 64;

/// Streams whose generators are in registers at once.
const LANES: usize = 16;

/// Half of [`LANES`].
const HALF: usize = LANES / 2;

/// A quarter of [`LANES`].
const QUARTER: usize = LANES / 4;

/// Streams of one purpose and run, with consecutive indices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Streams {
    /// The four words of every generator.
    words: [Vec<u64>; 4],
}

impl Streams {
    /// The streams [`Stream::derive`](super::Stream::derive) gives for each of `indices`.
    #[must_use]
    pub fn derive(seed: u64, purpose: Purpose, run: u64, indices: Range<u64>) -> Self {
        let states: Vec<[u64; 4]> = indices.map(|index| derived_state(seed, purpose, run, index)).collect();
        Self { words: [0, 1, 2, 3].map(|word| states.iter().map(|state| state[word]).collect()) }
    }

    /// Number of streams.
    #[must_use]
    pub fn len(&self) -> usize {
        self.words[0].len()
    }

    /// Whether there are no streams.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Fills any number of rows of [`len`](Self::len) pairs: element r · len + i is the r-th next
    /// [`normal_pair`](super::Stream::normal_pair) of stream i.
    ///
    /// Both slices have to be whole rows of equal length; an incomplete row does not change.
    pub fn fill_pairs(&mut self, simd: Simd, first: &mut [f64], second: &mut [f64]) {
        debug_assert_eq!(first.len(), second.len(), "a pair has two numbers");
        debug_assert!(self.is_empty() || first.len().is_multiple_of(self.len()), "whole rows");
        if !self.is_empty() {
            simd.dispatch(FillPairs { streams: self, first, second });
        }
    }

    /// Fills any number of rows of [`len`](Self::len) numbers: element r · len + i is the r-th next
    /// [`uniform`](super::Stream::uniform) of stream i.
    ///
    /// The slice has to be whole rows; an incomplete row does not change.
    pub fn fill_uniforms(&mut self, simd: Simd, out: &mut [f64]) {
        debug_assert!(self.is_empty() || out.len().is_multiple_of(self.len()), "whole rows");
        if !self.is_empty() {
            simd.dispatch(FillUniforms { streams: self, out });
        }
    }

    /// Fills any number of rows of [`len`](Self::len) indices: element r · len + i is the r-th next
    /// [`below(n)`](super::Stream::below) of stream i.
    ///
    /// The slice has to be whole rows; an incomplete row does not change.
    pub fn fill_below(&mut self, simd: Simd, n: u32, out: &mut [u32]) {
        debug_assert!(self.is_empty() || out.len().is_multiple_of(self.len()), "whole rows");
        if !self.is_empty() {
            let below = Below::new(n);
            simd.dispatch(FillBelow { streams: self, below, left_over: below.left_over(), out });
        }
    }

    /// Length of a tile: whole rows, at least one.
    fn tile(&self) -> usize {
        let streams = self.len();
        if streams == 1 { TILE_OF_ONE } else { (TILE / streams).max(1) * streams }
    }
}

/// One generator in registers.
struct Words([u64; 4]);

impl Words {
    /// The next word: xoshiro256++.
    #[inline(always)]
    fn next(&mut self) -> u64 {
        let [a, b, c, d] = &mut self.0;
        let word = a.wrapping_add(*d).rotate_left(23).wrapping_add(*a);
        let shifted = *b << 17;
        *c ^= *a;
        *d ^= *b;
        *b ^= *c;
        *a ^= *d;
        *c ^= shifted;
        *d = d.rotate_left(45);
        word
    }
}

/// One more number from every stream. A function of its own, since the compiler knows of parameters, but not of fields,
/// that they do not overlap; the same holds for [`pair_row`].
#[inline(always)]
fn uniform_row(a: &mut [u64], b: &mut [u64], c: &mut [u64], d: &mut [u64], out: &mut [f64]) {
    for ((((a, b), c), d), out) in a.iter_mut().zip(b).zip(c).zip(d).zip(out) {
        let mut words = Words([*a, *b, *c, *d]);
        *out = open_uniform(words.next());
        [*a, *b, *c, *d] = words.0;
    }
}

/// The raw numbers of one more pair from every stream, in [1, 2).
#[inline(always)]
fn pair_row(a: &mut [u64], b: &mut [u64], c: &mut [u64], d: &mut [u64], first: &mut [f64], second: &mut [f64]) {
    for (((((a, b), c), d), first), second) in a.iter_mut().zip(b).zip(c).zip(d).zip(first).zip(second) {
        let mut words = Words([*a, *b, *c, *d]);
        *first = unit_mantissa(words.next());
        *second = unit_mantissa(words.next());
        [*a, *b, *c, *d] = words.0;
    }
}

/// The raw numbers of pairs from a single stream.
#[inline(always)]
fn pairs_of_one(words: &mut [Vec<u64>; 4], first: &mut [f64], second: &mut [f64]) {
    let mut own = Words(words.each_ref().map(|words| words[0]));
    for (first, second) in first.iter_mut().zip(second) {
        (*first, *second) = (unit_mantissa(own.next()), unit_mantissa(own.next()));
    }
    for (words, own) in words.iter_mut().zip(own.0) {
        words[0] = own;
    }
}

/// The raw numbers of pairs from any number of streams.
#[inline(always)]
fn pair_rows(words: &mut [Vec<u64>; 4], first: &mut [f64], second: &mut [f64]) {
    let streams = words[0].len();
    let [a, b, c, d] = words;
    for (first, second) in first.chunks_exact_mut(streams).zip(second.chunks_exact_mut(streams)) {
        pair_row(a, b, c, d, first, second);
    }
}

/// The raw numbers of pairs from groups of `USED` streams, whose generators stay in registers from row to row. The other lanes
/// compute what nobody needs: compilers turn a loop over all of them into vector instructions, and a shorter one into none.
#[inline(always)]
fn pair_groups<const USED: usize>(words: &mut [Vec<u64>; 4], first: &mut [f64], second: &mut [f64]) {
    let streams = words[0].len();
    let [a, b, c, d] = words.each_mut().map(|words| words.as_chunks_mut::<USED>().0);
    for (group, (((a, b), c), d)) in a.iter_mut().zip(b).zip(c).zip(d).enumerate() {
        let mut own = [[0; LANES]; 4];
        for (own, words) in own.iter_mut().zip([&*a, b, c, d]) {
            own[..USED].copy_from_slice(words);
        }
        let [own_a, own_b, own_c, own_d] = &mut own;
        for (first, second) in first.chunks_exact_mut(streams).zip(second.chunks_exact_mut(streams)) {
            let (mut x, mut y) = ([0.0; LANES], [0.0; LANES]);
            for i in 0..LANES {
                let mut words = Words([own_a[i], own_b[i], own_c[i], own_d[i]]);
                (x[i], y[i]) = (unit_mantissa(words.next()), unit_mantissa(words.next()));
                [own_a[i], own_b[i], own_c[i], own_d[i]] = words.0;
            }
            first[group * USED..][..USED].copy_from_slice(&x[..USED]);
            second[group * USED..][..USED].copy_from_slice(&y[..USED]);
        }
        for (own, words) in own.iter().zip([a, b, c, d]) {
            words.copy_from_slice(&own[..USED]);
        }
    }
}

/// One more index from every stream, or [`REJECTED`]; returns whether any is rejected.
#[inline(always)]
fn below_row(
    a: &mut [u64],
    b: &mut [u64],
    c: &mut [u64],
    d: &mut [u64],
    (below, left_over): (Below, u64),
    out: &mut [u32],
) -> bool {
    let mut any = false;
    for ((((a, b), c), d), out) in a.iter_mut().zip(b).zip(c).zip(d).zip(out) {
        let mut words = Words([*a, *b, *c, *d]);
        let (index, fraction) = below.index(words.next());
        let rejected = fraction < left_over;
        *out = if rejected { REJECTED } else { index };
        any |= rejected;
        [*a, *b, *c, *d] = words.0;
    }
    any
}

struct FillPairs<'a> {
    streams: &'a mut Streams,
    first: &'a mut [f64],
    second: &'a mut [f64],
}

impl Kernel for FillPairs<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let streams = self.streams.len();
        let tile = self.streams.tile();
        for (first, second) in self.first.chunks_mut(tile).zip(self.second.chunks_mut(tile)) {
            let words = &mut self.streams.words;
            match streams {
                1 => pairs_of_one(words, first, second),
                _ if streams.is_multiple_of(LANES) => pair_groups::<LANES>(words, first, second),
                _ if streams.is_multiple_of(HALF) => pair_groups::<HALF>(words, first, second),
                _ if streams.is_multiple_of(QUARTER) => pair_groups::<QUARTER>(words, first, second),
                _ => pair_rows(words, first, second),
            }
            transform(first, second);
        }
    }
}

struct FillUniforms<'a> {
    streams: &'a mut Streams,
    out: &'a mut [f64],
}

impl Kernel for FillUniforms<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let streams = self.streams.len();
        let [a, b, c, d] = &mut self.streams.words;
        for row in self.out.chunks_exact_mut(streams) {
            uniform_row(a, b, c, d, row);
        }
    }
}

/// The mark of a rejected index: no index below a `u32` is as large.
const REJECTED: u32 = u32::MAX;

struct FillBelow<'a> {
    streams: &'a mut Streams,
    below: Below,
    left_over: u64,
    out: &'a mut [u32],
}

impl Kernel for FillBelow<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let streams = self.streams.len();
        let [a, b, c, d] = &mut self.streams.words;
        for row in self.out.chunks_exact_mut(streams) {
            if !below_row(a, b, c, d, (self.below, self.left_over), row) {
                continue;
            }
            // Rejections have a probability below 2⁻³² each.
            for (stream, out) in row.iter_mut().enumerate().filter(|(_, out)| **out == REJECTED) {
                let mut words = Words([a[stream], b[stream], c[stream], d[stream]]);
                *out = self.below.draw(|| words.next());
                [a[stream], b[stream], c[stream], d[stream]] = words.0;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Stream;

    const COUNTS: [u64; 14] = [1, 2, 3, 4, 5, 7, 8, 9, 15, 24, 64, 100, 128, 1025];

    fn bits(values: &[f64]) -> Vec<u64> {
        values.iter().map(|value| value.to_bits()).collect()
    }

    fn one_by_one(count: u64) -> Vec<Stream> {
        (3..3 + count).map(|index| Stream::derive(42, Purpose::Chain, 1, index)).collect()
    }

    fn together(count: u64) -> Streams {
        Streams::derive(42, Purpose::Chain, 1, 3..3 + count)
    }

    /// Rows in which a tile ends, and some beyond.
    fn rows(count: u64) -> usize {
        if count == 1 { 2 * TILE_OF_ONE + 3 } else { 2 * TILE / count as usize + 3 }
    }

    #[test]
    fn pairs_are_those_of_the_streams_one_by_one_however_rows_are_cut() {
        for count in COUNTS {
            let rows = rows(count);
            let (first, second): (Vec<f64>, Vec<f64>) = {
                let mut streams = one_by_one(count);
                (0..rows).flat_map(|_| streams.iter_mut().map(Stream::normal_pair).collect::<Vec<_>>()).unzip()
            };
            for simd in Simd::available() {
                for cut in [0, 1, rows / 3, rows] {
                    let (mut x, mut y) = (vec![0.0; first.len()], vec![0.0; first.len()]);
                    let mut streams = together(count);
                    let (x_before, x_after) = x.split_at_mut(cut * count as usize);
                    let (y_before, y_after) = y.split_at_mut(cut * count as usize);
                    streams.fill_pairs(simd, x_before, y_before);
                    streams.fill_pairs(simd, x_after, y_after);
                    assert_eq!((bits(&x), bits(&y)), (bits(&first), bits(&second)), "{count} streams, {simd:?}");
                }
            }
        }
    }

    #[test]
    fn uniforms_are_those_of_the_streams_one_by_one_and_follow_pairs() {
        for count in COUNTS {
            let mut streams = one_by_one(count);
            streams.iter_mut().for_each(|stream| assert!(stream.normal_pair().0.is_finite()));
            let rows = 5;
            let expected: Vec<f64> =
                (0..rows).flat_map(|_| streams.iter_mut().map(Stream::uniform).collect::<Vec<_>>()).collect();
            for simd in Simd::available() {
                let mut streams = together(count);
                let mut out = vec![0.0; expected.len()];
                streams.fill_pairs(simd, &mut vec![0.0; count as usize], &mut vec![0.0; count as usize]);
                let (before, after) = out.split_at_mut(2 * count as usize);
                streams.fill_uniforms(simd, before);
                streams.fill_uniforms(simd, after);
                assert_eq!(bits(&out), bits(&expected), "{count} streams, {simd:?}");
            }
        }
    }

    #[test]
    fn indices_are_those_of_the_streams_one_by_one() {
        for (count, n) in COUNTS.into_iter().zip([1, 2, 3, 7, 100, 1 << 20, 3_000_000_000].into_iter().cycle()) {
            let rows = 5;
            let mut streams = one_by_one(count);
            let expected: Vec<u32> =
                (0..rows).flat_map(|_| streams.iter_mut().map(|stream| stream.below(n)).collect::<Vec<_>>()).collect();
            for simd in Simd::available() {
                let (mut streams, mut out) = (together(count), vec![0; expected.len()]);
                let (before, after) = out.split_at_mut(2 * count as usize);
                streams.fill_below(simd, n, before);
                streams.fill_below(simd, n, after);
                assert_eq!(out, expected, "{count} streams, n = {n}, {simd:?}");
            }
        }
    }

    /// With words a = d = 0 the generator's next number is 0, whose fraction is left over unless n is a power of 2.
    #[test]
    fn a_rejected_index_is_drawn_again_from_its_own_stream() {
        let mut streams = together(9);
        (streams.words[0][4], streams.words[3][4]) = (0, 0);
        let mut words = Words([0, streams.words[1][4], streams.words[2][4], 0]);
        assert_eq!(words.next(), 0);
        let expected = [words.next(), words.next()].map(|bits| Below::new(3).index(bits).0);
        for simd in Simd::available() {
            let (mut rejecting, mut usual) = (streams.clone(), together(9));
            let (mut indices, mut others) = (vec![0; 18], vec![0; 18]);
            rejecting.fill_below(simd, 3, &mut indices);
            usual.fill_below(simd, 3, &mut others);
            assert_eq!([indices[4], indices[13]], expected);
            for stream in (0..9).filter(|&stream| stream != 4) {
                assert_eq!([indices[stream], indices[9 + stream]], [others[stream], others[9 + stream]]);
            }
        }
    }

    #[test]
    fn no_streams_fill_nothing() {
        let mut none = together(0);
        assert!(none.is_empty());
        none.fill_pairs(Simd::widest(), &mut [], &mut []);
        none.fill_uniforms(Simd::widest(), &mut []);
        assert_eq!((none.len(), none), (0, together(0)));
    }
}

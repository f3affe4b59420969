//! How far topics move: the trembling of topics that are learnt from noisy batches.
//!
//! A step changes the means E β_kw = λ_kw / Σ_w λ_kw of all words, since it changes the sums. The distance of a step is Euclidean
//! over all K·V means: ‖ΔE β‖. Its squares are added up along a run, so that the root mean square of any steps is known from
//! two sums.

use super::Topics;
use base::math::elementary::{Kernel, Simd};

/// Σ ‖ΔE β‖² over the steps of a run: a number with what rounding has taken from it, since late steps are far smaller than
/// the first.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moved {
    sum: f64,
    lost: f64,
}

impl Moved {
    /// Adds the square of one step.
    fn add(&mut self, square: f64) {
        // D. E. Knuth (1997), The Art of Computer Programming 2, section 4.2.2: the rounding error of a sum is a number.
        let sum = self.sum + square;
        let added = sum - self.sum;
        self.lost += (self.sum - (sum - added)) + (square - added);
        self.sum = sum;
    }

    /// The root mean square of ‖ΔE β‖ over the last `steps` steps, before which the sum was `earlier`; `None` without steps, and
    /// where topics are not finite.
    #[must_use]
    pub fn per_step(self, earlier: Self, steps: u64) -> Option<f64> {
        let squares = (self.sum - earlier.sum) + (self.lost - earlier.lost);
        (steps > 0 && squares.is_finite()).then(|| (squares.max(0.0) / steps as f64).sqrt())
    }
}

/// The means of the topics of a chain, and how far they have moved.
#[derive(Clone, Debug)]
pub struct Movement {
    simd: Simd,
    topics: usize,
    means: Topics,
    /// 1/Σ_w λ_kw of every topic, and again, in a row.
    scales: Vec<f64>,
    /// Sums of squares, side by side with these.
    squares: Vec<f64>,
}

/// Length of a row, at least: numbers of that many topics and words are worked on side by side.
const ROW: usize = 64;

impl Movement {
    /// At the means of parameters of topics.
    #[must_use]
    pub fn at(simd: Simd, parameters: &Topics) -> Self {
        let topics = parameters.count().max(1);
        let zeros = vec![0.0; topics * ROW.div_ceil(topics)];
        let mut movement = Self { simd, topics, means: parameters.clone(), scales: zeros.clone(), squares: zeros };
        movement.to(parameters);
        movement
    }

    /// Goes to the means of other parameters, and returns ‖ΔE β‖².
    fn to(&mut self, parameters: &Topics) -> f64 {
        let Self { simd, topics, means, scales, squares } = self;
        simd.dispatch(Add { parameters: parameters.values(), sums: scales });
        let (first, others) = scales.split_at_mut(*topics);
        for others in others.chunks_exact_mut(*topics) {
            first.iter_mut().zip(&*others).for_each(|(sum, other)| *sum += other);
        }
        first.iter_mut().for_each(|sum| *sum = 1.0 / *sum);
        others.chunks_exact_mut(*topics).for_each(|others| others.copy_from_slice(first));
        simd.dispatch(Move { parameters: parameters.values(), means: means.values_mut(), scales, squares });
        squares.iter().sum()
    }

    /// Takes a step to other parameters, whose square is added to `moved`.
    pub fn step(&mut self, parameters: &Topics, moved: &mut Moved) {
        moved.add(self.to(parameters));
    }
}

/// Sums of parameters, at every entry of a row.
struct Add<'a> {
    parameters: &'a [f64],
    sums: &'a mut [f64],
}

impl Kernel for Add<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.sums.fill(0.0);
        for row in self.parameters.chunks(self.sums.len().max(1)) {
            for (sum, parameter) in self.sums.iter_mut().zip(row) {
                *sum += parameter;
            }
        }
    }
}

/// New means, and sums of the squares of their changes at every entry of a row.
struct Move<'a> {
    parameters: &'a [f64],
    means: &'a mut [f64],
    scales: &'a [f64],
    squares: &'a mut [f64],
}

impl Kernel for Move<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { parameters, means, scales, squares } = self;
        squares.fill(0.0);
        let length = scales.len().max(1);
        for (row, means) in parameters.chunks(length).zip(means.chunks_mut(length)) {
            let entries = row.iter().zip(means).zip(scales.iter().zip(squares.iter_mut()));
            for ((parameter, mean), (scale, square)) in entries {
                let now = parameter * scale;
                let change = now - *mean;
                *mean = now;
                *square += change * change;
            }
        }
    }
}

//! Moving average of vectors: the mean of the last few, in constant time per vector on average and by additions alone.
//!
//! A running sum from which the oldest vector is subtracted keeps all its rounding errors, and one huge vector destroys
//! the digits of the small ones that follow. So the window has two parts. For the older part the sums from each vector to
//! the end of the part are stored; for the younger part only the sum of all. When the older part is used up, the younger
//! one takes its place, and its sums are computed.

use std::collections::VecDeque;

use super::Natural;

/// A moving average over a window of the newest vectors.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MovingAverage {
    /// The vectors, the oldest first.
    vectors: VecDeque<Natural>,
    /// Sums of the older part, from each of its vectors to its end; the sum from the oldest vector comes last.
    tails: Vec<Natural>,
    /// The sum of the younger part, if it has any.
    younger: Option<Natural>,
}

impl MovingAverage {
    /// Adds a vector, drops all but the newest `length` ≥ 1, and returns the mean.
    pub fn push(&mut self, vector: Natural, length: usize) -> Natural {
        self.vectors.push_back(vector);
        self.younger = Some(self.younger.map_or(vector, |sum| sum + vector));
        while self.vectors.len() > length.max(1) {
            self.drop_oldest();
        }
        let sum = match (self.tails.last().copied(), self.younger) {
            (Some(older), Some(younger)) => older + younger,
            (Some(only), None) | (None, Some(only)) => only,
            (None, None) => vector,
        };
        sum / self.vectors.len() as f64
    }

    /// Number of vectors in the window.
    #[must_use]
    pub fn count(&self) -> usize {
        self.vectors.len()
    }

    fn drop_oldest(&mut self) {
        if self.tails.is_empty() {
            for vector in self.vectors.iter().rev() {
                let sum = self.tails.last().map_or(*vector, |tail| vector + tail);
                self.tails.push(sum);
            }
            self.younger = None;
        }
        self.vectors.pop_front();
        self.tails.pop();
    }
}

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;

    use super::*;
    use base::math::{Purpose, Stream};

    fn vector(number: f64) -> Natural {
        Natural::new(number, -number, 2.0 * number, 1.0 - number, 0.5)
    }

    /// Against a sum over the window, while the length of the window grows and shrinks. The rounding error of 300
    /// additions is below 1e-13 of the largest number.
    #[test]
    fn means_are_those_of_the_newest_vectors_whatever_the_length() {
        let mut stream = Stream::derive(7, Purpose::Chain, 0, 0);
        let mut window = MovingAverage::default();
        let mut all: Vec<Natural> = Vec::new();
        let mut held = 0;
        for (length, count) in [(1, 5), (3, 20), (100, 250), (7, 30), (1, 3), (40, 100), (39, 100)] {
            for _ in 0..count {
                all.push(vector(stream.normal_pair().0));
                held = (held + 1).min(length);
                let expected = all[all.len() - held..].iter().sum::<Natural>() / held as f64;
                assert_relative_eq!(window.push(all[all.len() - 1], length), expected, epsilon = 1e-13);
            }
        }
    }

    #[test]
    fn a_window_of_one_gives_back_every_bit() {
        let mut window = MovingAverage::default();
        for number in [1e300, 0.1, -0.0, 3e-310, 1.0 / 3.0] {
            let bits = |vector: Natural| vector.map(f64::to_bits);
            assert_eq!(bits(window.push(vector(number), 1)), bits(vector(number)));
        }
    }

    /// A running sum would be left with errors of 1e14.
    #[test]
    fn a_huge_vector_leaves_nothing_behind() {
        let mut window = MovingAverage::default();
        window.push(vector(1e30), 4);
        let means: Vec<Natural> = (0..8).map(|_| window.push(vector(1.0), 4)).collect();
        assert!(means[3..].iter().all(|mean| *mean == vector(1.0)));
    }
}

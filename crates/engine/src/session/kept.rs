//! Snapshots of a run: what is kept of it after some steps, in their order, and shared with frames.
//!
//! Steps count or do not count: those that are collected, say. One of every `stride` that count is kept, the last of each group, and
//! stands for as many of them. When there are too many snapshots every second is dropped, and the stride doubles. Which are kept depends on
//! the number of steps that count alone.

use std::sync::Arc;

/// The snapshots that are kept. Cloning shares them.
#[derive(Clone, Debug)]
pub struct Kept<T> {
    /// The most snapshots that are kept.
    most: usize,
    stride: u64,
    /// Steps so far that count.
    counted: u64,
    /// The step of a snapshot.
    step: fn(&T) -> u64,
    all: Arc<Vec<T>>,
}

impl<T: Clone> Kept<T> {
    /// None yet, and never more than so many; `step` says the step of a snapshot.
    pub fn new(most: usize, step: fn(&T) -> u64) -> Self {
        Self { most, stride: 1, counted: 0, step, all: Arc::default() }
    }

    /// The most snapshots that are kept.
    #[cfg(test)]
    pub fn most(&self) -> usize {
        self.most
    }

    /// Keeps up to so many from now on.
    pub fn keep(&mut self, most: usize) {
        self.most = most;
    }

    /// All of them, in order.
    pub fn all(&self) -> &Arc<Vec<T>> {
        &self.all
    }

    /// Begins again without any.
    pub fn clear(&mut self) {
        *self = Self::new(self.most, self.step);
    }

    /// The number of steps that count after which a snapshot is kept next, the present one not counted.
    pub fn next_after(&self) -> u64 {
        self.stride - self.counted % self.stride
    }

    /// Counts so many steps, at most [`Kept::next_after`]: whether the last of them is to be [pushed](Kept::push).
    pub fn count(&mut self, steps: u64) -> bool {
        self.counted += steps;
        if steps == 0 || !self.counted.is_multiple_of(self.stride) {
            return false;
        }
        if self.all.len() == self.most {
            let mut number = 0;
            Arc::make_mut(&mut self.all).retain(|_| {
                number += 1;
                number % 2 == 0
            });
            self.stride *= 2;
        }
        self.counted.is_multiple_of(self.stride)
    }

    /// Keeps a snapshot of a step after all others.
    pub fn push(&mut self, snapshot: T) {
        Arc::make_mut(&mut self.all).push(snapshot);
    }

    /// Forgets those of later steps.
    pub fn forget_after(&mut self, step: u64) {
        forget_after(&mut self.all, step, self.step);
    }
}

/// Forgets snapshots of later steps; `of` says the step of one.
pub fn forget_after<T: Clone>(all: &mut Arc<Vec<T>>, step: u64, of: impl Fn(&T) -> u64) {
    let length = all.partition_point(|snapshot| of(snapshot) <= step);
    if length < all.len() {
        Arc::make_mut(all).truncate(length);
    }
}

/// The stride at which at most `most` of `count` are taken, and more than half as many of a large number: 1, 2, 4, …
#[must_use]
pub fn stride(count: usize, most: usize) -> usize {
    count.div_ceil(most.max(1)).next_power_of_two()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whichever steps count, the kept ones are every stride-th of them, and more than half as many as there may be.
    #[test]
    fn snapshots_are_kept_evenly_among_the_steps_that_count() {
        let rules: [fn(u64) -> bool; 4] =
            [|_| true, |step| step > 1000, |step| step.is_multiple_of(7), |step| step % 50 > 20];
        for (most, counts) in [1, 2, 5, 8, 64].into_iter().flat_map(|most| rules.map(|rule| (most, rule))) {
            let mut kept = Kept::new(most, |step| *step);
            let (mut counted, mut since) = (Vec::new(), 0);
            for step in 1..=3000 {
                let of_step = counts(step);
                since += u64::from(of_step);
                counted.extend(of_step.then_some(step));
                // A run also goes on to steps whose parts are recorded.
                if step % 90 == 0 || since == kept.next_after() {
                    if kept.count(since) {
                        kept.push(step);
                    }
                    since = 0;
                }
                let stride = usize::try_from(kept.stride).unwrap();
                let expected: Vec<u64> = counted.iter().copied().skip(stride - 1).step_by(stride).collect();
                assert_eq!(**kept.all(), expected, "{most}, step {step}");
                assert!(expected.len() <= most && expected.len() >= counted.len().min(most / 2), "{most}, step {step}");
            }
        }
    }

    #[test]
    fn going_back_forgets_what_came_later() {
        let mut kept = Kept::new(usize::MAX, |step| *step);
        [1, 5, 9].into_iter().for_each(|step| kept.push(step));
        for step in [5, 7] {
            kept.forget_after(step);
            assert_eq!(**kept.all(), [1, 5]);
        }
    }

    #[test]
    fn a_stride_keeps_more_than_half_of_what_is_allowed() {
        for (count, most, expected) in [(0, 5, 1), (5, 5, 1), (6, 5, 2), (11, 5, 4), (7, 0, 8)] {
            assert_eq!(stride(count, most), expected);
        }
    }
}

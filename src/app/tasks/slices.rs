//! Work in slices: long work that is done piece by piece, and can be dropped between two pieces.
//!
//! A [`Slices`] has no thread and is not asked whether to go on: whoever drives it calls it again, or does not. Today
//! `tasks` drives each in a thread of its own. A program with a single thread can call them in turn
//! between two frames. A [`Job`] is what the window keeps of the work: its progress, and its end when the job is dropped.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

/// Work that is done in slices, with results of type `T`.
pub trait Slices<T>: Send {
    /// Works for about this long, on at least one piece.
    fn step(&mut self, budget: Duration) -> Slice<T>;
}

/// What a slice has led to.
#[derive(Debug)]
pub struct Slice<T> {
    /// The share of the work that is done, from 0 to 1.
    pub share: f32,
    /// A result.
    pub done: Option<T>,
    /// Whether nothing is left to do.
    pub over: bool,
}

impl<T> Slice<T> {
    /// The work goes on.
    #[must_use]
    pub fn after(share: f32) -> Self {
        Self { share, done: None, over: false }
    }

    /// The work is over without a further result.
    #[must_use]
    pub fn end() -> Self {
        Self { share: 1.0, done: None, over: true }
    }

    /// The work is over with this result.
    #[must_use]
    pub fn last(done: T) -> Self {
        Self { done: Some(done), ..Self::end() }
    }
}

/// A closure that is called with 0, 1, 2, … until it returns `None`: one result in every slice.
pub(super) struct Rounds<F> {
    work: F,
    round: usize,
}

impl<F> Rounds<F> {
    pub fn new(work: F) -> Self {
        Self { work, round: 0 }
    }
}

impl<T, F: FnMut(usize) -> Option<T> + Send> Slices<T> for Rounds<F> {
    fn step(&mut self, _budget: Duration) -> Slice<T> {
        let done = (self.work)(self.round);
        self.round += 1;
        Slice { share: 0.0, over: done.is_none(), done }
    }
}

/// What window and work tell each other.
#[derive(Clone, Debug, Default)]
pub struct Link {
    end: Arc<AtomicBool>,
    /// As the bits of an `f32`.
    share: Arc<AtomicU32>,
}

impl Link {
    /// Whether nobody wants the work any more.
    #[must_use]
    pub fn ended(&self) -> bool {
        self.end.load(Ordering::Relaxed)
    }

    /// Says which share is done.
    pub fn tell(&self, share: f32) {
        self.share.store(share.to_bits(), Ordering::Relaxed);
    }
}

/// Work under way, which ends when the job is dropped.
#[derive(Debug)]
pub struct Job {
    /// A number that no other job has, by which its results are known.
    pub ticket: u64,
    link: Link,
}

impl Job {
    /// A job with this number, and the link for its work.
    #[must_use]
    pub fn new(ticket: u64) -> (Self, Link) {
        let link = Link::default();
        (Self { ticket, link: link.clone() }, link)
    }

    /// The share that is done, from 0 to 1.
    #[must_use]
    pub fn share(&self) -> f32 {
        f32::from_bits(self.link.share.load(Ordering::Relaxed))
    }

    /// Counts the share from 0 again, after a result.
    pub fn begin_again(&self) {
        self.link.tell(0.0);
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        self.link.end.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::PIECE;

    #[test]
    fn a_dropped_job_ends_its_work() {
        let (job, link) = Job::new(3);
        link.tell(0.25);
        assert!((job.share() - 0.25).abs() < 1e-6 && !link.ended());
        job.begin_again();
        assert!(job.share().abs() < 1e-6);
        drop(job);
        assert!(link.ended());
    }

    #[test]
    fn rounds_are_counted_until_there_are_no_more() {
        let mut rounds = Rounds::new(|round| (round < 2).then_some(round));
        let over: Vec<bool> = (0..3).map(|_| rounds.step(PIECE).over).collect();
        assert_eq!(over, [false, false, true]);
    }
}

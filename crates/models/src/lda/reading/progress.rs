//! How far reading is, and whether it is still wanted: what the thread that reads and whoever shows it tell each other.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// The share when nothing is read: no number.
const AT_REST: u32 = f32::NAN.to_bits();

/// Progress of reading a corpus. Whether somebody looks at it changes nothing of what is read.
#[derive(Debug)]
pub struct Progress {
    /// As the bits of an `f32`.
    share: AtomicU32,
    stopped: AtomicBool,
}

impl Default for Progress {
    fn default() -> Self {
        Self { share: AtomicU32::new(AT_REST), stopped: AtomicBool::new(false) }
    }
}

impl Progress {
    /// The share that is read, from 0 to 1; `None` when nothing is read.
    #[must_use]
    pub fn share(&self) -> Option<f32> {
        let share = f32::from_bits(self.share.load(Ordering::Relaxed));
        (!share.is_nan()).then_some(share)
    }

    /// Stops the reading that is under way, or else the next one.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// Whether reading shall stop.
    pub(super) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Says that `done` of `all` parts of a phase are done, a phase being a range of the shares. Returns whether to go on.
    pub(super) fn tell(&self, (from, to): (f32, f32), done: usize, all: usize) -> bool {
        let share = from + (to - from) * (done as f64 / all.max(1) as f64) as f32;
        self.share.store(share.min(1.0).to_bits(), Ordering::Relaxed);
        !self.is_stopped()
    }

    /// Says that nothing is read any more; the next reading is wanted again.
    pub(super) fn rest(&self) {
        self.share.store(AT_REST, Ordering::Relaxed);
        self.stopped.store(false, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_of_the_whole_way_and_a_stop_is_for_one_reading() {
        let progress = Progress::default();
        assert_eq!(progress.share(), None);
        assert!(progress.tell((0.5, 1.0), 1, 2));
        assert!(progress.share().is_some_and(|share| (share - 0.75).abs() < 1e-6));
        progress.stop();
        assert!(!progress.tell((0.5, 1.0), 2, 2));
        progress.rest();
        assert_eq!((progress.share(), progress.is_stopped()), (None, false));
    }
}

//! The stopwatch of the session thread: the time that a thread has worked on a core.
//!
//! Times on a wall would count what other threads do on the same core: the drawing of the window, slow measures, other programs.

use std::time::Duration;

use crate::session::Stopwatch;

/// A stopwatch of the thread that reads it.
#[cfg(any(target_os = "linux", target_os = "macos"))]
pub fn of_thread() -> Stopwatch {
    use rustix::time::{ClockId, clock_gettime};
    Stopwatch::new(|| Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap_or_default())
}

/// The same where a thread does not know its own time: that on a wall.
#[cfg(not(any(target_os = "linux", target_os = "macos")))]
pub fn of_thread() -> Stopwatch {
    let begun = base::platform::Instant::now();
    Stopwatch::new(move || -> Duration { begun.elapsed() })
}

#[cfg(test)]
mod tests {
    use std::hint::black_box;

    use super::*;

    /// Work takes time, and the time of a thread does not run back.
    #[test]
    fn a_thread_that_works_sees_its_time_grow() {
        let watch = of_thread();
        let begun = watch.read();
        let mut before = begun;
        while watch.read() - begun < Duration::from_millis(2) {
            black_box((0..1000_u64).sum::<u64>());
            let now = watch.read();
            assert!(now >= before);
            before = now;
        }
    }

    /// A thread that waits does not work.
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    #[test]
    fn a_thread_that_waits_takes_no_time() {
        let watch = of_thread();
        let begun = watch.read();
        std::thread::sleep(Duration::from_millis(60));
        assert!(watch.read() - begun < Duration::from_millis(30));
    }
}

//! Shares of the one thread of a page: how long work goes on before the browser has its turn, in which it may draw.
//!
//! Where drawing is slow (no graphics card, a large screen), a fixed time for work between two pictures leaves work a small share. It
//! therefore goes on as long as the browser has had the thread before: the half of the time is for work, whatever a picture costs.

use std::time::Duration;

/// The least and the most time for work at a time. A key that is pressed waits so long at most.
const LEAST: Duration = Duration::from_millis(10);
const MOST: Duration = Duration::from_millis(250);

/// The longest time that a picture is taken to need: a tab that nobody sees gets the thread only now and then.
const PICTURE: Duration = Duration::from_secs(1);

/// A browser that takes less than this has drawn nothing: its timers alone let work wait for up to 4 ms (HTML, section 8.6).
const TIMER: Duration = Duration::from_millis(8);

/// What is known of the share of the browser.
#[derive(Clone, Copy, Debug)]
pub struct Share {
    drawing: Duration,
}

impl Share {
    /// Nothing is known yet.
    pub const NEW: Self = Self { drawing: Duration::ZERO };

    /// The time for work, now that the browser has had the thread for so long.
    pub fn after(&mut self, away: Duration) -> Duration {
        if away >= TIMER {
            self.drawing = away.min(PICTURE);
        }
        away.clamp(LEAST, MOST)
    }

    /// How long the browser had the thread when it drew last, at most [`PICTURE`].
    pub fn drawing(&self) -> Duration {
        self.drawing
    }
}

#[cfg(test)]
mod tests {
    use super::{LEAST, MOST, PICTURE, Share};
    use std::time::Duration;

    /// A run that takes `work` alone, on a page that draws a picture in `picture` whenever one is asked for, which is so often as the
    /// worker reports: every tenth of a second, but no more than a fifth of the time. Returns the time until it is done.
    fn until_done(work: Duration, picture: Duration) -> Duration {
        let timer = Duration::from_millis(4);
        let (mut share, mut now, mut left, mut last_report) = (Share::NEW, Duration::ZERO, work, Duration::ZERO);
        let mut away = timer;
        while !left.is_zero() {
            let turn = share.after(away).min(left);
            (now, left) = (now + turn, left - turn);
            let asked = now - last_report >= Duration::from_millis(100).max(4 * share.drawing());
            away = if asked { timer + picture } else { timer };
            if asked {
                last_report = now;
            }
            now += away;
        }
        now
    }

    #[test]
    fn work_has_most_of_the_time_however_slow_pictures_are() {
        for picture in [0, 1, 5, 16, 50, 150, 400, 1000].map(Duration::from_millis) {
            for work in [300, 1200, 20_000].map(Duration::from_millis) {
                let took = until_done(work, picture);
                assert!(took <= work * 19 / 10 + picture, "{work:?} of work with pictures of {picture:?}: {took:?}");
            }
        }
    }

    #[test]
    fn a_turn_is_never_longer_than_a_person_may_wait() {
        let mut share = Share::NEW;
        assert_eq!(share.after(Duration::from_millis(1)), LEAST);
        assert_eq!(share.drawing(), Duration::ZERO);
        assert_eq!(share.after(Duration::from_millis(120)), Duration::from_millis(120));
        assert_eq!(share.after(Duration::from_secs(5)), MOST);
        assert_eq!(share.after(Duration::ZERO), LEAST);
        assert_eq!(share.drawing(), PICTURE, "a turn without a picture says nothing of pictures");
    }
}

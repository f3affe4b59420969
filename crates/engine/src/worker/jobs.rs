//! Jobs: runs that are computed out of sight to a step, and the rule when one is given up for newer orders.
//!
//! While a slider is dragged, orders come faster than a long run can be computed. If every order stopped the run before
//! it, nothing would be shown until the pointer rests; if none did, the picture would lag behind. So a stale run is
//! finished if that takes little time, or no longer than the person has waited for a picture already; otherwise it is
//! given up.

use base::platform::Instant;
use std::time::Duration;

/// A stale run is always finished if that takes no longer than this.
const SOON: Duration = Duration::from_millis(100);

/// A stale run is never finished if that takes longer than this.
const LONG: Duration = Duration::from_secs(1);

/// Progress is reported for work that takes longer than this.
const REPORTED_AFTER: Duration = Duration::from_millis(300);

/// A run that is computed out of sight.
#[derive(Clone, Copy, Debug)]
pub struct Job {
    /// The tick at which it will be shown.
    pub goal: u64,
    /// Whether that is the last one, wherever it will be.
    pub to_end: bool,
    from: u64,
    /// When the order for it was taken up.
    asked: Instant,
    /// When its first step was taken.
    begun: Instant,
}

impl Job {
    /// From one tick to another from now on, of a session that ends at tick `end`, for an order taken up at `asked`.
    pub fn new(from: u64, goal: u64, end: u64, asked: Instant) -> Self {
        Self { goal: goal.min(end), to_end: goal >= end, from, asked, begun: Instant::now() }
    }

    /// The job with the present end of the session, which by gradients is an estimate that changes on the way.
    pub fn until(self, end: u64) -> Self {
        let goal = if self.to_end { end } else { self.goal.min(end) };
        Self { goal, ..self }
    }

    /// The tick that was asked for; the largest number for the end.
    pub fn asked_for(self) -> u64 {
        if self.to_end { u64::MAX } else { self.goal }
    }

    /// Share that is done at `step`, from 0 to 1.
    pub fn share(&self, step: u64) -> f32 {
        let all = self.goal.saturating_sub(self.from).max(1);
        (step.saturating_sub(self.from) as f32 / all as f32).min(1.0)
    }

    /// Whether there are steps to compute.
    pub fn moves(&self) -> bool {
        self.goal > self.from
    }

    /// Time since its first step was taken.
    pub fn worked(&self, now: Instant) -> Duration {
        now.saturating_duration_since(self.begun)
    }

    /// Time since the order for it was taken up.
    pub fn took(&self) -> Duration {
        self.asked.elapsed()
    }

    /// Whether a newer order stops it, if a picture has been waited for since `waiting`.
    pub fn makes_way(&self, step: u64, waiting: Instant, now: Instant) -> bool {
        let share = f64::from(self.share(step));
        if share <= 0.0 {
            // One call at least, to measure the speed.
            return false;
        }
        let left = now.saturating_duration_since(self.begun).as_secs_f64() * (1.0 - share) / share;
        let patience = now.saturating_duration_since(waiting).clamp(SOON, LONG);
        left > patience.as_secs_f64()
    }

    /// Whether to report progress, if a picture has been waited for since `waiting`.
    pub fn is_reported(waiting: Instant, now: Instant) -> bool {
        now.saturating_duration_since(waiting) > REPORTED_AFTER
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    #[test]
    fn short_work_is_finished_and_long_work_makes_way() {
        let begun = Instant::now();
        let job = Job { goal: 1000, to_end: false, from: 0, asked: begun, begun };
        assert!(!job.makes_way(0, begun, begun + ms(50)), "the first slice is always made");
        assert!(!job.makes_way(200, begun, begun + ms(10)), "40 ms are left");
        assert!(job.makes_way(20, begun, begun + ms(10)), "490 ms are left");
        assert!(!job.makes_way(990, begun, begun + ms(990)), "10 ms are left");
    }

    #[test]
    fn who_has_waited_long_sees_a_stale_picture_rather_than_none() {
        let begun = Instant::now() + ms(10_000);
        let job = Job { goal: 1000, to_end: false, from: 0, asked: begun, begun };
        assert!(!job.makes_way(20, begun - ms(600), begun + ms(10)), "490 ms are left, 600 have been waited");
        assert!(job.makes_way(5, begun - ms(9000), begun + ms(10)), "2 s are left: too long for what is stale");
    }

    #[test]
    fn a_job_to_the_end_follows_the_end() {
        let job = Job::new(0, u64::MAX, 500, Instant::now());
        assert_eq!((job.goal, job.until(30).goal, job.until(900).goal), (500, 30, 900));
        let short = Job::new(0, 300, 500, Instant::now());
        assert_eq!((short.until(200).goal, short.until(900).goal, short.asked_for()), (200, 300, 300));
    }

    #[test]
    fn progress_is_a_share_of_the_way() {
        let job = Job::new(100, 300, 500, Instant::now());
        let shares = [100, 200, 300, 400].map(|step| job.share(step));
        assert!(shares.iter().zip([0.0, 0.5, 1.0, 1.0]).all(|(share, expected)| (share - expected).abs() < 1e-6));
        assert!(Job::new(300, 300, 500, Instant::now()).share(300).abs() < 1e-6);
    }
}

//! Pace of playing: how many steps are taken at a time, so that the speed is right and orders do not wait long.

use std::time::Duration;

use super::{Order, Speed};
use crate::session::{Clock, Session};
use base::platform::Instant;

/// Time between two frames at most while something happens.
pub const FRAME: Duration = Duration::from_millis(16);

/// Time that the steps of one call aim at, so that orders are heard soon.
const CALL_TIME: Duration = Duration::from_millis(6);

/// Time over which the speed actually reached is measured.
const MEASURED: Duration = Duration::from_millis(250);

/// Work in the first call, and the most in one call, in steps of single chains.
const FIRST: u64 = 1 << 10;
const LARGEST: u64 = 1 << 26;

/// The clock of a session that plays, and how many steps it takes in one call.
#[derive(Debug)]
pub struct Pace {
    pub speed: Speed,
    /// Steps at which playing stops.
    pauses: Vec<u64>,
    /// Steps owed to the speed so far, with their fraction.
    owed: f64,
    /// Work in one call, in steps of single chains, adapted to what the machine can do.
    work_per_call: u64,
    last_call: Instant,
    /// Steps of the longest run and time since the speed was last measured.
    measured: (u64, Instant),
    /// Steps of the longest run when the speed was last looked at.
    seen: u64,
    steps_per_second: f64,
}

impl Pace {
    pub fn new(speed: Speed) -> Self {
        let now = Instant::now();
        Self {
            speed,
            pauses: Vec::new(),
            owed: 0.0,
            work_per_call: FIRST,
            last_call: now,
            measured: (0, now),
            seen: 0,
            steps_per_second: 0.0,
        }
    }

    /// Takes another speed, or other steps at which playing stops.
    pub fn obey(&mut self, order: Order) {
        match order {
            Order::Speed(speed) => self.speed = speed,
            Order::PauseAt(steps) => self.pauses = steps,
            _ => {}
        }
    }

    /// Whether playing stops at a step.
    pub fn pauses_at(&self, step: u64) -> bool {
        self.pauses.contains(&step)
    }

    /// Starts to count again at `step`; no steps are owed for the time before.
    pub fn reset(&mut self, step: u64) {
        self.owed = 0.0;
        self.last_call = Instant::now();
        self.measured = (step, self.last_call);
        self.seen = step;
    }

    /// Plays a run of `after` ticks in the time that one of `before` took.
    pub fn rescale(&mut self, before: u64, after: u64) {
        if let Speed::Steps(rate) = self.speed {
            let rescaled = (rate * after as f64 / before.max(1) as f64).max(1.0);
            self.speed = Speed::Steps(format!("{rescaled:.1e}").parse().unwrap_or(rescaled));
        }
    }

    /// How long to wait for orders before the next steps.
    pub fn nap(&self) -> Duration {
        match self.speed {
            Speed::Full => Duration::ZERO,
            Speed::Steps(rate) => {
                let due = Duration::try_from_secs_f64((1.0 - self.owed).max(0.0) / rate).unwrap_or(FRAME);
                due.saturating_sub(self.last_call.elapsed()).min(FRAME)
            }
        }
    }

    /// Steps in one call, each of so much work.
    pub fn steps_per_call(&self, work: usize) -> u64 {
        (self.work_per_call / work.max(1) as u64).max(1)
    }

    /// Steps that playing owes now at `step`, up to the next pause.
    #[expect(clippy::cast_sign_loss, reason = "steps owed in one call are few and not negative")]
    pub fn due(&mut self, work: usize, step: u64) -> u64 {
        let now = Instant::now();
        let most = self.steps_per_call(work);
        let steps = match self.speed {
            Speed::Full => most,
            Speed::Steps(rate) => {
                self.owed = (self.owed + rate * (now - self.last_call).as_secs_f64()).min(most as f64 + 1.0);
                self.owed as u64
            }
        };
        self.last_call = now;
        self.owed = (self.owed - steps as f64).max(0.0);
        let pause = self.pauses.iter().copied().filter(|pause| *pause > step).min();
        pause.map_or(steps, |pause| steps.min(pause - step))
    }

    /// Records how long steps have taken, and adapts the work of the next calls.
    pub fn made(&mut self, steps: u64, work: usize, spent: Duration) {
        if spent > CALL_TIME {
            self.work_per_call = (self.work_per_call / 2).max(1);
        } else if steps >= self.steps_per_call(work) && spent < CALL_TIME / 2 {
            self.work_per_call = (self.work_per_call * 2).clamp((work as u64).min(LARGEST), LARGEST);
        }
    }

    /// Steps per second of all chains together, or gradient evaluations per second of a run, with `step` ticks by now.
    pub fn steps_per_second(&mut self, step: u64, session: &Session) -> f64 {
        let time = session.time();
        let each = if time.clock == Clock::Steps { session.chains() as f64 } else { time.unit };
        self.measure(step, each, Instant::now())
    }

    /// The speed at `step`, where a step counts for `each`. It is measured from one step to a later one: between the steps of a slow run nothing
    /// happens most of the time.
    fn measure(&mut self, step: u64, each: f64, now: Instant) -> f64 {
        let (before, since) = self.measured;
        let (steps, elapsed) = (step.saturating_sub(before) as f64, (now - since).as_secs_f64());
        if elapsed > MEASURED.as_secs_f64() {
            if step == self.seen {
                // It is no faster than if the next step came now.
                self.steps_per_second = self.steps_per_second.min((steps + 1.0) * each / elapsed);
            } else {
                self.steps_per_second = steps * each / elapsed;
                self.measured = (step, now);
            }
        }
        self.seen = step;
        self.steps_per_second
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The speeds that are told while steps come at so many per second, looked at every 16 milliseconds; those of the first second are left out.
    fn told(rate: f64, chains: f64) -> Vec<f64> {
        let mut pace = Pace::new(Speed::Steps(rate));
        pace.reset(0);
        let start = pace.last_call;
        let look = |pace: &mut Pace, number: u32| {
            let elapsed = 0.016 * f64::from(number);
            #[expect(clippy::cast_sign_loss, reason = "not negative")]
            let step = (rate * elapsed) as u64;
            pace.measure(step, chains, start + Duration::from_secs_f64(elapsed))
        };
        let all: Vec<f64> = (1..600).map(|number| look(&mut pace, number)).collect();
        all.into_iter().skip(75).collect()
    }

    #[test]
    fn a_slow_run_is_as_fast_as_its_steps() {
        for rate in [1.0, 2.0, 7.0, 60.0, 5000.0] {
            for found in told(rate, 3.0) {
                // A look comes up to 16 milliseconds after a step, in a quarter of a second or more.
                assert!((found / (3.0 * rate) - 1.0).abs() < 0.13, "{rate}: {found}");
            }
        }
    }

    #[test]
    fn a_run_that_stands_still_gets_slower() {
        let mut pace = Pace::new(Speed::Steps(2.0));
        let start = pace.last_call;
        let at = |seconds: f64| start + Duration::from_secs_f64(seconds);
        let moving = pace.measure(10, 1.0, at(1.0));
        assert!((moving - 10.0).abs() < 1e-6);
        let still = pace.measure(10, 1.0, at(11.0));
        assert!((still - 0.1).abs() < 1e-6, "{still}");
    }
}

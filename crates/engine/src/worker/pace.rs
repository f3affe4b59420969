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
        let (before, since) = self.measured;
        let elapsed = since.elapsed();
        if elapsed > MEASURED {
            let time = session.time();
            let each = if time.clock == Clock::Steps { session.chains() as f64 } else { time.unit };
            self.steps_per_second = step.saturating_sub(before) as f64 * each / elapsed.as_secs_f64();
            self.measured = (step, Instant::now());
        }
        self.steps_per_second
    }
}

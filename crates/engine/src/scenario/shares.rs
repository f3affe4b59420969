//! What steps of a segment of a run cost and how many of them are in the sampling stage, on average, from a look at some of them.

use super::build::Segment;
use samplers::schedules::Stage;

/// Steps that are looked at, at most.
const LOOKS: u64 = 10_000;

/// The golden ratio minus 1: multiples of it modulo 1 are spread evenly, and never in step with cycles.
const SPREAD: f64 = 0.618_033_988_749_894_9;

/// Averages over the steps of a segment. They are exact if it has at most 10 000.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shares {
    /// Evaluations of a step of one chain.
    pub evaluations: f64,
    /// The share of steps in the sampling stage.
    pub sampling: f64,
}

impl Shares {
    /// Over the steps of a segment up to number `end`, on a target with `data` data.
    #[must_use]
    #[expect(clippy::cast_sign_loss, reason = "a share of the steps")]
    pub fn of(segment: &Segment, end: u64, data: usize) -> Self {
        let length = end.saturating_sub(segment.from);
        let looks = length.min(LOOKS);
        let offset = |look: u64| match length > LOOKS {
            true => ((look as f64 * SPREAD).fract() * length as f64) as u64,
            false => look,
        };
        let (mut evaluations, mut sampling) = (0.0, 0.0);
        for look in 0..looks {
            let stage = segment.schedule.stage(segment.from + 1 + offset(look));
            evaluations += segment.method.evaluations(&segment.gradient, data, stage);
            sampling += f64::from(u8::from(stage == Stage::Sampling && segment.samples));
        }
        let number = looks.max(1) as f64;
        Self { evaluations: evaluations / number, sampling: sampling / number }
    }
}

//! The steps of a chunk one by one, for methods that have to know where a step has led before they can prepare the
//! next: those with momentum, with a moving average, or with proposals.

use super::{Population, Randomness, StepRecord, Steps, Track};
use crate::schedules::Stage;

/// One step of the whole population, with its random numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step<'a> {
    /// The number of the step within the chunk, from 0.
    pub(super) number: usize,
    /// Whether it is the last of the chunk.
    pub(super) is_last: bool,
    /// Step size.
    pub(super) alpha: f64,
    /// Whether noise is injected, as the stage says.
    pub(super) noise: bool,
    /// Numbers of the data in the minibatch.
    pub(super) batch: &'a [u32],
    chains: usize,
    randomness: Randomness<'a>,
}

impl<'a> Step<'a> {
    /// The normals of pair number `pair`, one of each member per chain.
    pub(super) fn pair(&self, pair: usize) -> [&'a [f64]; 2] {
        let place = pair * self.chains..(pair + 1) * self.chains;
        [self.randomness.first, self.randomness.second].map(|normals| normals.get(place.clone()).unwrap_or_default())
    }

    /// The uniforms, one per chain, of a method that needs one per step.
    pub(super) fn uniforms(&self) -> &'a [f64] {
        self.randomness.uniforms
    }

    /// The records to be made: of the last step alone.
    pub(super) fn records<'r>(&self, track: &'r mut Track<'_>) -> &'r mut [StepRecord] {
        if self.is_last { &mut *track.records } else { &mut [] }
    }

    /// Writes where the step has led into the track.
    pub(super) fn keep(&self, chains: &Population, track: &mut Track<'_>) {
        let row = self.number * self.chains..(self.number + 1) * self.chains;
        track.x[row.clone()].copy_from_slice(&chains.x);
        track.y[row].copy_from_slice(&chains.y);
    }
}

/// The steps of a chunk of `chains` chains, in order.
pub(super) fn each<'a>(steps: Steps<'a>, randomness: Randomness<'a>, chains: usize) -> impl Iterator<Item = Step<'a>> {
    (0..steps.len()).map(move |number| {
        let one = steps.part(number..number + 1);
        let row = |numbers: &'a [f64]| {
            let length = numbers.len() / steps.len();
            &numbers[number * length..(number + 1) * length]
        };
        Step {
            number,
            is_last: number + 1 == steps.len(),
            alpha: one.step_sizes[0],
            noise: one.stages[0] != Stage::Exploration { noise: false },
            batch: one.batches,
            chains,
            randomness: Randomness {
                first: row(randomness.first),
                second: row(randomness.second),
                uniforms: row(randomness.uniforms),
            },
        }
    })
}

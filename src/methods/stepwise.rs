//! Iteration over the steps of a chunk, for methods whose next step depends on the result of the last one: methods with
//! momentum, with a moving average, with proposals, and approximations.

use super::{Approximation, Chunk, Population, Randomness, Scratch, StepRecord, Steps, Track};
use crate::math::Point;
use crate::schedules::Stage;
use crate::targets::Minibatches;

/// One step of the whole population, with its random numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step<'a> {
    /// The number of the step within the chunk, from 0.
    pub(super) number: usize,
    /// Whether it is the last of the chunk.
    pub(super) is_last: bool,
    /// Step size.
    pub(super) alpha: f64,
    /// Whether noise is injected, which depends on the stage.
    pub(super) noise: bool,
    /// The minibatches of the chains.
    pub(super) batches: Minibatches<'a>,
    chains: usize,
    randomness: Randomness<'a>,
}

impl<'a> Step<'a> {
    /// The normals of pair number `pair`, one of each member per chain.
    pub(super) fn pair(&self, pair: usize) -> [&'a [f64]; 2] {
        let place = pair * self.chains..(pair + 1) * self.chains;
        [self.randomness.first, self.randomness.second].map(|normals| normals.get(place.clone()).unwrap_or_default())
    }

    /// The uniforms, one per chain, for a method that needs one per step.
    pub(super) fn uniforms(&self) -> &'a [f64] {
        self.randomness.uniforms
    }

    /// The records to fill in: those of the chunk if this is its last step, else none.
    pub(super) fn records<'r>(&self, track: &'r mut Track<'_>) -> &'r mut [StepRecord] {
        if self.is_last { &mut *track.records } else { &mut [] }
    }

    /// Writes the positions after the step into the track.
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
            batches: one.batches,
            chains,
            randomness: Randomness {
                first: row(randomness.first),
                second: row(randomness.second),
                uniforms: row(randomness.uniforms),
            },
        }
    })
}

/// Takes a chunk of steps with every fit. `one` takes a step with one fit, updates its record, and returns the mean of
/// its distribution, which becomes the position of the chain.
pub(super) fn each_fit(
    chains: &mut Population,
    chunk: Chunk<'_>,
    mut one: impl FnMut(&Step<'_>, usize, Point, &mut Approximation, &mut Scratch) -> Point,
) {
    let Chunk { steps, randomness, mut track, scratch, .. } = chunk;
    for step in each(steps, randomness, chains.len()) {
        let records = step.records(&mut track);
        let Population { x, y, fits, .. } = &mut *chains;
        for (chain, fit) in fits.iter_mut().enumerate() {
            let from = Point::new(x[chain], y[chain]);
            let to = one(&step, chain, from, fit, scratch);
            (x[chain], y[chain]) = (to.x, to.y);
            fit.note();
            if let Some(record) = records.get_mut(chain) {
                *record = StepRecord { from, to, drift: to - from, ..StepRecord::default() };
            }
        }
        step.keep(chains, &mut track);
    }
}

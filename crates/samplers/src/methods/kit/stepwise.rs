//! Iteration over the steps of a chunk, for methods whose next step depends on the result of the last one: methods with
//! momentum, with a moving average, with proposals, and approximations.

use super::chunk::pairs_in;
use crate::methods::{Approximation, Chunk, Phase, Population, Problem, Randomness, Scratch, StepRecord, Steps, Track};
use crate::schedules::Stage;
use base::math::{Coords, Point};
use models::targets::Minibatches;

/// One step of the whole population, with its random numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step<'a> {
    /// The number of the step within the chunk, from 0. A whole step has 128 bytes: larger ones are not copied in registers, which
    /// a single chain feels.
    pub(crate) number: u32,
    /// Whether it is the last of the chunk.
    pub(crate) is_last: bool,
    /// Step size.
    pub(crate) alpha: f64,
    /// Whether noise is injected, which depends on the stage.
    pub(crate) noise: bool,
    /// The minibatches of the chains.
    pub(crate) batches: Minibatches<'a>,
    dimension: usize,
    chains: usize,
    randomness: Randomness<'a>,
}

/// Vectors of standard normals, one per chain.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Normals<'a> {
    first: &'a [f64],
    second: &'a [f64],
    chains: usize,
}

impl<'a> Normals<'a> {
    /// The normals of the chains for coordinate `axis`; empty if there are none.
    #[inline]
    pub(crate) fn axis(&self, axis: usize) -> &'a [f64] {
        let member = if axis.is_multiple_of(2) { self.first } else { self.second };
        let pair = axis / 2;
        member.get(pair * self.chains..(pair + 1) * self.chains).unwrap_or_default()
    }

    /// The normals of a chain in the plane.
    pub(crate) fn point(&self, chain: usize) -> Point {
        Point::new(self.axis(0)[chain], self.axis(1)[chain])
    }
}

impl<'a> Step<'a> {
    /// The normals of vector number `vector`.
    #[inline]
    pub(crate) fn normals(&self, vector: usize) -> Normals<'a> {
        let length = pairs_in(self.dimension) * self.chains;
        let range = vector * length..(vector + 1) * length;
        let part = |all: &'a [f64]| all.get(range.clone()).unwrap_or_default();
        Normals { first: part(self.randomness.first), second: part(self.randomness.second), chains: self.chains }
    }

    /// The uniforms: one per chain, then those of the next row if a step needs more of them.
    pub(crate) fn uniforms(&self) -> &'a [f64] {
        self.randomness.uniforms
    }

    /// The records to fill in: those of the chunk if this is its last step, else none.
    pub(crate) fn records<'r>(&self, track: &'r mut Track<'_>) -> &'r mut [StepRecord] {
        if self.is_last { &mut *track.records } else { &mut [] }
    }

    /// Writes the positions after the step into the track.
    ///
    /// A chain that is out of reach of its model is nowhere, even if it is within reach in the plane.
    #[inline]
    pub(crate) fn keep(&self, problem: &Problem<'_>, chains: &Population, track: &mut Track<'_>) {
        let first = self.number as usize * self.chains;
        let row = first..first + self.chains;
        let (x, y) = (&mut track.x[row.clone()], &mut track.y[row]);
        problem.projection.points(&chains.positions, x, y);
        if problem.density.is_some() {
            return;
        }
        let reach = problem.reach();
        for axis in chains.positions.axes() {
            for ((coordinate, x), y) in axis.iter().zip(&mut *x).zip(&mut *y) {
                if coordinate.is_nan() || coordinate.abs() > reach {
                    (*x, *y) = (f64::NAN, f64::NAN);
                }
            }
        }
    }
}

/// The steps of a chunk of chains at `positions`, in order.
pub(crate) fn each<'a>(steps: Steps<'a>, randomness: Randomness<'a>, positions: &Coords) -> Each<'a> {
    let Randomness { first, second, uniforms } = randomness;
    let length = |numbers: &[f64]| numbers.len() / steps.len().max(1);
    Each {
        number: 0,
        steps,
        dimension: positions.dimension(),
        chains: positions.len(),
        randomness,
        lengths: [length(first), length(second), length(uniforms)],
    }
}

/// The steps of a chunk, in order. Made by [`each`].
#[derive(Debug)]
pub(crate) struct Each<'a> {
    /// The number of the next step.
    number: u32,
    steps: Steps<'a>,
    dimension: usize,
    chains: usize,
    randomness: Randomness<'a>,
    /// Random numbers of a step: first members of pairs, second ones, uniforms.
    lengths: [usize; 3],
}

impl<'a> Iterator for Each<'a> {
    type Item = Step<'a>;

    // A step that a call returns goes through memory, which a single chain feels.
    #[inline(always)]
    fn next(&mut self) -> Option<Step<'a>> {
        let number = self.number as usize;
        if number == self.steps.len() {
            return None;
        }
        let row = |numbers: &'a [f64], length: usize| &numbers[number * length..(number + 1) * length];
        let Randomness { first, second, uniforms } = self.randomness;
        let [firsts, seconds, uniform] = self.lengths;
        let step = Step {
            number: self.number,
            is_last: number + 1 == self.steps.len(),
            alpha: self.steps.step_sizes[number],
            noise: self.steps.stages[number] != Stage::Exploration { noise: false },
            batches: self.steps.batches.steps(number, number + 1),
            dimension: self.dimension,
            chains: self.chains,
            randomness: Randomness {
                first: row(first, firsts),
                second: row(second, seconds),
                uniforms: row(uniforms, uniform),
            },
        };
        self.number += 1;
        Some(step)
    }
}

/// Takes a chunk of steps with every fit. `one` takes a step with one fit, updates its record, and returns the mean of
/// its distribution, which becomes the position of the chain. `moved_by` is the phase of the term that moves the mean.
pub(crate) fn each_fit(
    chains: &mut Population,
    chunk: Chunk<'_>,
    moved_by: Phase,
    mut one: impl FnMut(&Step<'_>, usize, Point, &mut Approximation, &mut Scratch) -> Point,
) {
    let Chunk { problem, steps, randomness, mut track, scratch } = chunk;
    for step in each(steps, randomness, &chains.positions) {
        let records = step.records(&mut track);
        let Population { positions, fits, .. } = &mut *chains;
        for (chain, fit) in fits.iter_mut().enumerate() {
            let from = positions.point(chain);
            scratch.told.begin(chain < records.len());
            let to = one(&step, chain, from, fit, scratch);
            positions.set_point(chain, to);
            fit.note();
            if let Some(record) = records.get_mut(chain) {
                *record = StepRecord::of_fit(moved_by, [from, to], scratch.told.take());
            }
        }
        step.keep(problem, chains, &mut track);
    }
}

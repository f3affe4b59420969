//! Approximations in d dimensions. What is drawn and recorded of them is their projection into the plane; the distribution
//! itself is in their memory.

mod gaussian_vi;
mod laplace;

use nalgebra::DVector;

use base::math::Distribution;

use crate::methods::kit::stepwise::{self, Step};
use crate::methods::{Approximation, Chunk, Phase, Population, Problem, Scratch, StepRecord, VectorGaussian};

pub(crate) use gaussian_vi::advance as advance_gaussian_vi;
pub(crate) use laplace::{advance as advance_laplace, listed, suits as suits_laplace};

/// Takes a chunk of steps with every fit. `one` takes a step with one fit at the position of its chain, updates its record
/// and memory, and returns where the chain is then. `moved_by` is the phase of the term that moves the mean.
fn each_fit(
    chains: &mut Population,
    chunk: Chunk<'_>,
    moved_by: Phase,
    mut one: impl FnMut(&Step<'_>, usize, DVector<f64>, &mut Approximation, &mut Scratch) -> DVector<f64>,
) {
    let Chunk { problem, steps, randomness, mut track, scratch } = chunk;
    for step in stepwise::each(steps, randomness, &chains.positions) {
        let records = step.records(&mut track);
        for chain in 0..chains.len() {
            let from = problem.position(&chains.positions, chain);
            let position = DVector::from_iterator(chains.positions.dimension(), chains.positions.vector(chain));
            let fit = &mut chains.fits[chain];
            scratch.told.begin(chain < records.len());
            let position = one(&step, chain, position, fit, scratch);
            fit.record.distribution = fit.record.distribution.filter(Distribution::is_sound);
            fit.note();
            chains.positions.set(chain, position.as_slice());
            if let Some(record) = records.get_mut(chain) {
                let to = problem.position(&chains.positions, chain);
                *record = StepRecord::of_fit(moved_by, [from, to], scratch.told.take());
            }
        }
        step.keep(problem, chains, &mut track);
    }
}

/// Puts the projection of a distribution into the record of a fit, if it is sound; says whether it is.
fn put(fit: &mut Approximation, problem: &Problem<'_>, gaussian: &VectorGaussian) -> bool {
    let distribution = gaussian.projected(problem.projection);
    let is_sound = distribution.is_sound() && gaussian.mean.iter().all(|mean| mean.is_finite());
    if is_sound {
        fit.record.distribution = Some(distribution);
    }
    is_sound
}

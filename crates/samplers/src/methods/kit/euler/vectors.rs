//! Euler steps in any number of dimensions, one after the other.

use super::super::stepwise::{self, Step};
use super::{Euler, injected_sd};
use crate::methods::{Chunk, Gradient, Population, Problem, Scratch, StepRecord};
use base::math::elementary::Kernel;

impl Euler {
    /// Takes a chunk of steps with every chain.
    pub(super) fn advance_vectors(self, chains: &mut Population, chunk: Chunk<'_>) {
        let Chunk { problem, steps, randomness, mut track, scratch } = chunk;
        for step in stepwise::each(steps, randomness, &chains.positions) {
            scratch.fill_estimates(problem, &step, chains);
            self.spread(problem, &step, chains, scratch);
            let records = step.records(&mut track);
            begin_records(problem, &step, chains, scratch, records);
            go(problem, &step, chains, scratch);
            for (chain, record) in records.iter_mut().enumerate() {
                record.to = problem.position(&chains.positions, chain);
            }
            step.keep(problem, chains, &mut track);
        }
    }

    /// Computes the standard deviations of the injected noise.
    fn spread(self, problem: &Problem<'_>, step: &Step<'_>, chains: &Population, scratch: &mut Scratch) {
        let injects = step.noise && self == Self::Langevin;
        let (own, by_position) = match *problem.gradient {
            Gradient::Noisy { variance, compensate: true } => (variance, false),
            Gradient::Minibatch { compensate, .. } => (0.0, compensate),
            Gradient::Exact | Gradient::Noisy { .. } => (0.0, false),
        };
        scratch.spread_evenly(&chains.positions, if injects { injected_sd(step.alpha, own) } else { 0.0 });
        if !injects || !by_position {
            return;
        }
        let Scratch { spread, vector, memory, .. } = scratch;
        for chain in 0..chains.len() {
            problem.gradient.batch_variances(problem, (&chains.positions, chain), memory, vector);
            vector.iter_mut().for_each(|variance| *variance = injected_sd(step.alpha, *variance));
            spread.set(chain, vector);
        }
    }
}

/// Moves the chains. Without injected noise there are no normals for it.
fn go(problem: &Problem<'_>, step: &Step<'_>, chains: &mut Population, scratch: &Scratch) {
    let normals = step.normals(problem.gradient.vectors());
    for (axis, x) in chains.positions.axes_mut().enumerate().take(problem.free) {
        let (g, spread) = (scratch.gradient.axis(axis), scratch.spread.axis(axis));
        problem.simd.dispatch(EulerMove { alpha: step.alpha, g, spread, normals: normals.axis(axis), x });
    }
}

/// Records the parts of the step before it is taken.
fn begin_records(
    problem: &Problem<'_>,
    step: &Step<'_>,
    chains: &Population,
    scratch: &mut Scratch,
    records: &mut [StepRecord],
) {
    if records.is_empty() {
        return;
    }
    scratch.fill_full(problem, chains, records.len());
    let Scratch { gradient, full, spread, .. } = &*scratch;
    let normals = step.normals(problem.gradient.vectors());
    for (chain, record) in records.iter_mut().enumerate() {
        let error = |axis| gradient.get(chain, axis) - full.get(chain, axis);
        let noise = |axis| normals.axis(axis).get(chain).map_or(0.0, |normal| spread.get(chain, axis) * normal);
        *record = StepRecord {
            from: problem.position(&chains.positions, chain),
            drift: problem.displacement(|axis| step.alpha * full.get(chain, axis)),
            gradient_noise: problem.displacement(|axis| step.alpha * error(axis)),
            injected_noise: problem.displacement(noise),
            ..StepRecord::default()
        };
    }
}

/// The move along one axis.
struct EulerMove<'a> {
    alpha: f64,
    g: &'a [f64],
    spread: &'a [f64],
    /// Empty for steps without injected noise.
    normals: &'a [f64],
    x: &'a mut [f64],
}

impl Kernel for EulerMove<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { alpha, g, spread, normals, x } = self;
        if normals.is_empty() {
            for (x, g) in x.iter_mut().zip(g) {
                *x += alpha * g;
            }
            return;
        }
        for (((x, g), spread), normal) in x.iter_mut().zip(g).zip(spread).zip(normals) {
            *x += alpha * g + spread * normal;
        }
    }
}

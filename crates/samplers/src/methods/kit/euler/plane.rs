//! Euler steps in the plane.
//!
//! All random displacements of a chunk are computed before its first step, and the target takes the steps. Only if the
//! noise depends on the position (minibatches whose noise is subtracted) steps are taken one by one.

use super::{Euler, injected_sd};
use crate::methods::{Chunk, Gradient, Population, Problem, Scratch, StepRecord, Steps, Track};
use crate::schedules::Stage;
use base::math::Point;
use base::math::elementary::Kernel;
use models::targets::{Coordinates, Displacements, EulerSteps};

impl Euler {
    /// Takes a chunk of steps with every chain.
    pub(super) fn advance_in_plane(self, chains: &mut Population, chunk: Chunk<'_>) {
        let Chunk { problem, steps, randomness, track: Track { x, y, records }, scratch } = chunk;
        let noise_by_position = matches!(problem.gradient, Gradient::Minibatch { compensate: true, .. });
        let one_by_one = noise_by_position && self == Self::Langevin;
        let pairs = self.vectors(problem.gradient);
        let mut from = 0;
        while from < steps.len() {
            let recorded = !records.is_empty();
            let to = match steps.len() {
                _ if one_by_one => from + 1,
                all if recorded && from + 1 < all => all - 1,
                all => all,
            };
            let rows = from * chains.len()..to * chains.len();
            let numbers = rows.start * pairs..rows.end * pairs;
            let normals = [&randomness.first[numbers.clone()], &randomness.second[numbers]];
            let records = if to == steps.len() { &mut *records } else { &mut [] };
            let track = Track { x: &mut x[rows.clone()], y: &mut y[rows], records };
            self.part(problem, &steps.part(from..to), normals, chains, track, scratch);
            from = to;
        }
    }

    /// Takes several steps at once; a single one if it is to be recorded.
    fn part(
        self,
        problem: &Problem<'_>,
        steps: &Steps<'_>,
        normals: [&[f64]; 2],
        chains: &mut Population,
        track: Track<'_>,
        scratch: &mut Scratch,
    ) {
        let Track { x, y, records } = track;
        let drawn = self.inject(problem, steps, normals, chains, scratch);
        for (chain, record) in records.iter_mut().enumerate() {
            let [x, y] = displacements(scratch, normals, drawn).map(|by| by.scales[0] * by.numbers[chain]);
            *record =
                StepRecord { from: chains.position(chain), injected_noise: Point::new(x, y), ..StepRecord::default() };
        }
        self.disturb(problem, steps, normals, chains.len(), scratch);
        if !records.is_empty() {
            record(problem, steps, normals, chains, scratch, records);
        }
        let Some(density) = problem.density else { return };
        let coordinates = Coordinates::of(problem.info);
        let displacements = displacements(scratch, normals, drawn);
        let [at_x, at_y] = chains.positions.plane_mut();
        let (simd, step_sizes) = (problem.simd, steps.step_sizes);
        let (path_x, path_y) = (x, y);
        let chunk = EulerSteps { simd, coordinates, step_sizes, displacements, x: at_x, y: at_y, path_x, path_y };
        problem.gradient.euler(density, steps.batches, chunk);
        for (chain, record) in records.iter_mut().enumerate() {
            record.to = chains.position(chain);
        }
    }

    /// Leaves the displacements by injected noise in `scratch`, as scales of the steps and numbers of the chains. Returns in which
    /// coordinates these numbers are the normals themselves.
    fn inject(
        self,
        problem: &Problem<'_>,
        steps: &Steps<'_>,
        normals: [&[f64]; 2],
        chains: &Population,
        scratch: &mut Scratch,
    ) -> [bool; 2] {
        let Scratch { scales, displaced, .. } = scratch;
        scales.clear();
        let count = steps.len() * chains.len();
        if self == Self::Ascent {
            scales.resize(steps.len(), 1.0);
            displaced.iter_mut().for_each(|numbers| zero(numbers, count));
            return [false; 2];
        }
        let own_variance = match *problem.gradient {
            Gradient::Noisy { variance, compensate: true } => variance,
            Gradient::Exact | Gradient::Noisy { .. } | Gradient::Minibatch { .. } => 0.0,
        };
        let differ = |one: &f64, next: &f64| one.to_bits() ^ next.to_bits();
        // Equal step sizes follow one another, and a root takes as long as the rest of a step. Often all are equal, which is seen without
        // a branch for each.
        let alike = steps.step_sizes.iter().fold(0, |found, next| found | differ(&steps.step_sizes[0], next)) == 0;
        for equal in steps.step_sizes.chunk_by(|one, next| alike || differ(one, next) == 0) {
            scales.extend(std::iter::repeat_n(injected_sd(equal[0], own_variance), equal.len()));
        }
        for (sd, stage) in scales.iter_mut().zip(steps.stages) {
            if *stage == (Stage::Exploration { noise: false }) {
                *sd = 0.0;
            }
        }
        let plane = problem.info.dimension == 2;
        if !plane {
            zero(&mut displaced[1], count);
        }
        let by_position = matches!(problem.gradient, Gradient::Minibatch { compensate: true, .. }) && scales[0] > 0.0;
        let pair = problem.gradient.vectors();
        if !by_position && pair == 0 {
            return [true, plane];
        }
        for (axis, (normals, numbers)) in normals.into_iter().zip(displaced).take(if plane { 2 } else { 1 }).enumerate()
        {
            numbers.resize(count, 0.0);
            if by_position {
                for (chain, (number, normal)) in numbers.iter_mut().zip(normals).enumerate() {
                    let variance =
                        problem.gradient.variance((problem.info.dimension, problem.data()), chains.position(chain));
                    *number = injected_sd(steps.step_sizes[0], variance[axis]) * normal;
                }
            } else {
                let spread = Spread { sds: scales, normals, chains: chains.len(), pairs: pair + 1, pair, numbers };
                problem.simd.dispatch(spread);
            }
        }
        scales.fill(1.0);
        [false; 2]
    }

    /// Adds the displacements by the noise of `noisy` gradients.
    fn disturb(
        self,
        problem: &Problem<'_>,
        steps: &Steps<'_>,
        normals: [&[f64]; 2],
        chains: usize,
        scratch: &mut Scratch,
    ) {
        let Gradient::Noisy { variance, .. } = *problem.gradient else { return };
        let sd = variance.sqrt();
        let pairs = self.vectors(problem.gradient);
        let Scratch { disturbed, displaced, .. } = scratch;
        disturbed.clear();
        disturbed.extend(steps.step_sizes.iter().map(|alpha| alpha * sd));
        for (normals, numbers) in normals.into_iter().zip(displaced).take(problem.info.dimension) {
            let spread = Spread { sds: disturbed, normals, chains, pairs, pair: 0, numbers };
            problem.simd.dispatch(Added(spread));
        }
    }
}

/// The displacements in both coordinates, where `drawn` says in which of them the numbers are the normals themselves.
fn displacements<'a>(scratch: &'a Scratch, normals: [&'a [f64]; 2], drawn: [bool; 2]) -> [Displacements<'a>; 2] {
    [0, 1].map(|axis| Displacements {
        scales: &scratch.scales,
        numbers: if drawn[axis] { normals[axis] } else { &scratch.displaced[axis] },
    })
}

/// Makes a list of zeros.
fn zero(numbers: &mut Vec<f64>, count: usize) {
    numbers.clear();
    numbers.resize(count, 0.0);
}

/// Records the parts of a single step, without the injected noise.
fn record(
    problem: &Problem<'_>,
    steps: &Steps<'_>,
    [first, second]: [&[f64]; 2],
    chains: &Population,
    scratch: &mut Scratch,
    records: &mut [StepRecord],
) {
    scratch.fill_full(problem, chains, records.len());
    let Scratch { gradient, full, recorded, memory, disturbed, .. } = scratch;
    recorded.copy_first(&chains.positions, records.len());
    gradient.resize(recorded.dimension(), recorded.len());
    problem.gradient.estimates(problem, steps.batches, recorded, memory, gradient);
    let alpha = steps.step_sizes[0];
    let second_axis = if problem.info.dimension > 1 { 1.0 } else { 0.0 };
    for (chain, record) in records.iter_mut().enumerate() {
        let full = full.point(chain);
        record.drift = full * alpha;
        record.gradient_noise = match problem.gradient {
            Gradient::Noisy { .. } => Point::new(first[chain], second[chain] * second_axis) * disturbed[0],
            Gradient::Exact | Gradient::Minibatch { .. } => (gradient.point(chain) - full) * alpha,
        };
    }
}

/// Normals times the standard deviations of their steps.
struct Spread<'a> {
    /// One per step.
    sds: &'a [f64],
    /// Pair `p` of chain `c` in step `k` at `(k · pairs + p) · chains + c`.
    normals: &'a [f64],
    chains: usize,
    pairs: usize,
    /// The number of the pair to take.
    pair: usize,
    /// Chain `c` in step `k` at `k · chains + c`.
    numbers: &'a mut [f64],
}

impl Spread<'_> {
    /// Calls `put` with every number and its displacement.
    #[inline(always)]
    fn each(self, put: impl Fn(&mut f64, f64)) {
        let Self { sds, normals, chains, pairs, pair, numbers } = self;
        let rows = normals.chunks_exact(chains).skip(pair).step_by(pairs);
        for ((row, normals), sd) in numbers.chunks_exact_mut(chains).zip(rows).zip(sds) {
            for (number, normal) in row.iter_mut().zip(normals) {
                put(number, sd * normal);
            }
        }
    }
}

impl Kernel for Spread<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.each(|number, displacement| *number = displacement);
    }
}

/// The same, added to the numbers.
struct Added<'a>(Spread<'a>);

impl Kernel for Added<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.0.each(|number, displacement| *number += displacement);
    }
}

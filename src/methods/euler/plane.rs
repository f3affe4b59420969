//! Euler steps in the plane.
//!
//! All random displacements of a chunk are computed before its first step, and the target takes the steps. Only if the
//! noise depends on the position (minibatches whose noise is subtracted) steps are taken one by one.

use super::{Euler, injected_sd};
use crate::math::Point;
use crate::math::kernels::Kernel;
use crate::methods::{Chunk, Gradient, Population, Problem, Scratch, StepRecord, Steps, Track};
use crate::schedules::Stage;
use crate::targets::{Coordinates, EulerSteps};

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
        self.inject(problem, steps, normals, chains, [&mut *x, &mut *y], scratch);
        for (chain, record) in records.iter_mut().enumerate() {
            let injected_noise = Point::new(x[chain], y[chain]);
            *record = StepRecord { from: chains.position(chain), injected_noise, ..StepRecord::default() };
        }
        self.disturb(problem, steps, normals, chains.len(), [&mut *x, &mut *y], scratch);
        if !records.is_empty() {
            record(problem, steps, normals, chains, scratch, records);
        }
        let coordinates = Coordinates::of(problem.target.info());
        let [at_x, at_y] = chains.places.plane_mut();
        let step_sizes = steps.step_sizes;
        let chunk = EulerSteps { simd: problem.simd, coordinates, step_sizes, x: at_x, y: at_y, path_x: x, path_y: y };
        problem.gradient.euler(problem.target, steps.batches, chunk);
        for (chain, record) in records.iter_mut().enumerate() {
            record.to = chains.position(chain);
        }
    }

    /// Writes the displacements by injected noise into `path`.
    fn inject(
        self,
        problem: &Problem<'_>,
        steps: &Steps<'_>,
        normals: [&[f64]; 2],
        chains: &Population,
        path: [&mut [f64]; 2],
        scratch: &mut Scratch,
    ) {
        if self == Self::Ascent {
            path.into_iter().for_each(|path| path.fill(0.0));
            return;
        }
        let Scratch { injected, .. } = scratch;
        let own_variance = match *problem.gradient {
            Gradient::Noisy { variance, compensate: true } => variance,
            Gradient::Exact | Gradient::Noisy { .. } | Gradient::Minibatch { .. } => 0.0,
        };
        injected.clear();
        let differ = |one: &f64, next: &f64| one.to_bits() ^ next.to_bits();
        // Equal step sizes follow one another, and a root takes as long as the rest of a step. Often all are equal, which is seen without
        // a branch for each.
        let alike = steps.step_sizes.iter().fold(0, |found, next| found | differ(&steps.step_sizes[0], next)) == 0;
        for equal in steps.step_sizes.chunk_by(|one, next| alike || differ(one, next) == 0) {
            injected.extend(std::iter::repeat_n(injected_sd(equal[0], own_variance), equal.len()));
        }
        for (sd, stage) in injected.iter_mut().zip(steps.stages) {
            if *stage == (Stage::Exploration { noise: false }) {
                *sd = 0.0;
            }
        }
        let pair = problem.gradient.vectors();
        for (axis, (normals, path)) in normals.into_iter().zip(path).enumerate() {
            if axis >= problem.target.info().dimension {
                path.fill(0.0);
                continue;
            }
            if matches!(problem.gradient, Gradient::Minibatch { compensate: true, .. }) && injected[0] > 0.0 {
                for (chain, (path, normal)) in path.iter_mut().zip(normals).enumerate() {
                    let variance = problem.gradient.variance(problem.target, chains.position(chain));
                    *path = injected_sd(steps.step_sizes[0], variance[axis]) * normal;
                }
                continue;
            }
            let spread = Spread { sds: injected, normals, chains: chains.len(), pairs: pair + 1, pair, path };
            problem.simd.dispatch(spread);
        }
    }

    /// Adds the displacements by the noise of `noisy` gradients to `path`.
    fn disturb(
        self,
        problem: &Problem<'_>,
        steps: &Steps<'_>,
        normals: [&[f64]; 2],
        chains: usize,
        path: [&mut [f64]; 2],
        scratch: &mut Scratch,
    ) {
        let Gradient::Noisy { variance, .. } = *problem.gradient else { return };
        let sd = variance.sqrt();
        let pairs = self.vectors(problem.gradient);
        scratch.disturbed.clear();
        scratch.disturbed.extend(steps.step_sizes.iter().map(|alpha| alpha * sd));
        for (normals, path) in normals.into_iter().zip(path).take(problem.target.info().dimension) {
            let spread = Spread { sds: &scratch.disturbed, normals, chains, pairs, pair: 0, path };
            problem.simd.dispatch(Added(spread));
        }
    }
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
    let Scratch { gradient, full, recorded, room, disturbed, .. } = scratch;
    recorded.copy_first(&chains.places, records.len());
    gradient.resize(recorded.dimension(), recorded.len());
    problem.gradient.estimates(problem, steps.batches, recorded, room, gradient);
    let alpha = steps.step_sizes[0];
    let second_axis = if problem.target.info().dimension > 1 { 1.0 } else { 0.0 };
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
    path: &'a mut [f64],
}

impl Spread<'_> {
    /// Calls `put` with every entry of the path and its displacement.
    #[inline(always)]
    fn each(self, put: impl Fn(&mut f64, f64)) {
        let Self { sds, normals, chains, pairs, pair, path } = self;
        if chains == 1 && pairs == 1 {
            for ((place, normal), sd) in path.iter_mut().zip(normals).zip(sds) {
                put(place, sd * normal);
            }
            return;
        }
        let rows = normals.chunks_exact(chains).skip(pair).step_by(pairs);
        for ((row, normals), sd) in path.chunks_exact_mut(chains).zip(rows).zip(sds) {
            for (place, normal) in row.iter_mut().zip(normals) {
                put(place, sd * normal);
            }
        }
    }
}

impl Kernel for Spread<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.each(|place, displacement| *place = displacement);
    }
}

/// The same, added to the displacements in the path.
struct Added<'a>(Spread<'a>);

impl Kernel for Added<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.0.each(|place, displacement| *place += displacement);
    }
}

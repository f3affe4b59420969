//! Momentum: the update of momentum and position that the methods with momentum share,
//!
//! p ← k p + c ĝ + s ξ, θ ← θ + r p (the **new** p), ξ ~ N(0, I),
//!
//! where each method chooses k (the share that friction leaves), c, s and r. If the boundary of the support reflects,
//! every reflection changes the sign of the momentum of its coordinate, so that the chain moves inwards like a particle
//! between walls. Reflection changes neither the density nor the size of the momentum.

use super::stepwise::Step;
use super::{Population, Problem, Scratch, StepRecord};
use crate::math::Point;
use crate::math::kernels::Kernel;
use crate::targets::{Boundary, Coordinates, Support};

/// The constants of an update, the same for all chains; k is in [`Scratch::kept`] and s in [`Scratch::spread`], by chain.
#[derive(Clone, Copy, Debug)]
pub(super) struct Push {
    /// c.
    pub(super) gain: f64,
    /// r.
    pub(super) reach: f64,
    /// The standard deviation of a coordinate of p in equilibrium: the momentum at unit mass is p divided by it.
    pub(super) unit: f64,
    /// The number of the pair of normals for ξ.
    pub(super) pair: usize,
}

/// A population with momenta of the given standard deviation, made of `normals`; they come first in the auxiliary state.
pub(super) fn start(starts: &[Point], sd: f64, normals: [&[f64]; 2]) -> Population {
    let carried = normals.map(|normals| normals.iter().map(|normal| sd * normal).collect()).into();
    Population { carried, ..Population::at(starts) }
}

/// Updates all chains with the gradients in `scratch.gx` and `scratch.gy`.
pub(super) fn push(
    problem: &Problem<'_>,
    step: &Step<'_>,
    push: Push,
    chains: &mut Population,
    scratch: &mut Scratch,
    records: &mut [StepRecord],
) {
    begin_records(problem, step, push, chains, scratch, records);
    let normals = step.pair(push.pair);
    let Population { x, y, carried, .. } = &mut *chains;
    let Scratch { gx, gy, kept, spread, .. } = scratch;
    let axes = [x, y].into_iter().zip(carried).zip([gx, gy]).zip(spread).zip(normals);
    for ((((x, p), g), spread), normals) in axes.take(problem.target.info().dimension) {
        problem.simd.dispatch(Pushed { push, kept, spread, normals, g, p, x });
    }
    if problem.target.info().boundary == Boundary::Reflect {
        bounce(problem, chains);
    }
    end_records(problem, push, chains, records);
}

/// Folds chains back into the support and reflects their momenta.
fn bounce(problem: &Problem<'_>, chains: &mut Population) {
    let info = problem.target.info();
    let coordinates = Coordinates::of(info);
    let Population { x, y, carried, .. } = chains;
    let [px, py, ..] = &mut carried[..] else { return };
    for chain in 0..x.len() {
        let mut momentum = Point::new(px[chain], py[chain]);
        let inside = reflected(&coordinates, &info.support, Point::new(x[chain], y[chain]), &mut momentum);
        (x[chain], y[chain]) = (inside.x, inside.y);
        (px[chain], py[chain]) = (momentum.x, momentum.y);
    }
}

/// `moved` folded back into the support; `momentum` changes its sign with every reflection.
pub(super) fn reflected(coordinates: &Coordinates, support: &Support, moved: Point, momentum: &mut Point) -> Point {
    for axis in 0..2 {
        if is_reversed(support, axis, moved[axis]) {
            momentum[axis] = -momentum[axis];
        }
    }
    coordinates.fold(moved)
}

/// Whether the path to `place` has an odd number of reflections. A NaN has none.
fn is_reversed(support: &Support, axis: usize, place: f64) -> bool {
    let (min, width) = (support.min[axis], support.max[axis] - support.min[axis]);
    if width.is_finite() { (place - min).rem_euclid(2.0 * width) > width } else { min.is_finite() && place < min }
}

/// Records the parts of the step before it is taken.
fn begin_records(
    problem: &Problem<'_>,
    step: &Step<'_>,
    push: Push,
    chains: &Population,
    scratch: &mut Scratch,
    records: &mut [StepRecord],
) {
    if records.is_empty() {
        return;
    }
    scratch.fill_full(problem, chains, records.len());
    let normals = step.pair(push.pair);
    for (chain, record) in records.iter_mut().enumerate() {
        *record = StepRecord { from: chains.position(chain), ..StepRecord::default() };
        for (axis, normals) in normals.iter().enumerate().take(problem.target.info().dimension) {
            let (estimate, full) = scratch.gradient(axis, chain);
            record.carried[axis] = push.reach * (scratch.kept[chain] * chains.carried[axis][chain]);
            record.drift[axis] = push.reach * (push.gain * full);
            record.gradient_noise[axis] = push.reach * (push.gain * (estimate - full));
            record.injected_noise[axis] = push.reach * (scratch.spread[axis][chain] * normals[chain]);
        }
    }
}

/// Records the result of the step. A step of size 0 has no unit of momentum.
fn end_records(problem: &Problem<'_>, push: Push, chains: &Population, records: &mut [StepRecord]) {
    for (chain, record) in records.iter_mut().enumerate() {
        record.to = chains.position(chain);
        let [px, py, ..] = &chains.carried[..] else { return };
        if push.unit > 0.0 {
            let momentum = Point::new(px[chain], py[chain]) / push.unit;
            record.momentum = Some(momentum);
            record.energy = Some(energy(problem, record.to, momentum));
        }
    }
}

/// −log p + ½‖r‖², for a momentum at unit mass.
pub(super) fn energy(problem: &Problem<'_>, at: Point, momentum: Point) -> f64 {
    0.5 * momentum.norm_squared() - problem.target.log_density(at)
}

/// An update along one axis.
struct Pushed<'a> {
    push: Push,
    kept: &'a [f64],
    spread: &'a [f64],
    normals: &'a [f64],
    g: &'a [f64],
    p: &'a mut [f64],
    x: &'a mut [f64],
}

impl Kernel for Pushed<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { push: Push { gain, reach, .. }, kept, spread, normals, g, p, x } = self;
        let rest = kept.iter().zip(spread).zip(normals).zip(g);
        for ((p, x), (((kept, spread), normal), g)) in p.iter_mut().zip(x).zip(rest) {
            *p = kept * *p + (gain * g + spread * normal);
            *x += reach * *p;
        }
    }
}

//! Momentum: the update of momentum and position that the methods with momentum share,
//!
//! p ← k p + c ĝ + s ξ, θ ← θ + r p (the **new** p), ξ ~ N(0, I),
//!
//! where each method chooses k (the share that friction leaves), c, s and r. If the boundary of the support reflects,
//! every reflection changes the sign of the momentum of its coordinate, so that the chain moves inwards like a particle
//! between walls. Reflection changes neither the density nor the size of the momentum.

use crate::methods::kit::stepwise::Step;
use crate::methods::{Population, Problem, Scratch, StepRecord, Terms};
use base::math::elementary::Kernel;
use base::math::{Coords, Point};
use models::targets::{Coordinates, Support};

/// The constants of an update, the same for all chains; k is in [`Scratch::kept`] and s in [`Scratch::spread`], by chain.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Push {
    /// c.
    pub(crate) gain: f64,
    /// r.
    pub(crate) reach: f64,
    /// The standard deviation of a coordinate of p in equilibrium: the momentum at unit mass is p divided by it.
    pub(crate) unit: f64,
    /// The number of the vector of normals for ξ.
    pub(crate) vector: usize,
}

/// A population with momenta of the given standard deviation, made of `normals`; they come first in the auxiliary state.
pub(crate) fn start(starts: Coords, sd: f64, mut normals: Coords) -> Population {
    normals.values_mut().iter_mut().for_each(|normal| *normal *= sd);
    Population { carried: vec![normals], ..Population::at(starts) }
}

/// Updates all chains with the gradients in `scratch.gradient`.
pub(crate) fn push(
    problem: &Problem<'_>,
    step: &Step<'_>,
    push: Push,
    chains: &mut Population,
    scratch: &mut Scratch,
    records: &mut [StepRecord],
) {
    begin_records(problem, step, push, chains, scratch, records);
    let normals = step.normals(push.vector);
    let Population { positions, carried, .. } = &mut *chains;
    let Scratch { gradient, kept, spread, .. } = scratch;
    let Some(momenta) = carried.first_mut() else { return };
    let axes = positions.axes_mut().zip(momenta.axes_mut()).take(problem.free);
    for (axis, (x, p)) in axes.enumerate() {
        let (g, spread, normals) = (gradient.axis(axis), spread.axis(axis), normals.axis(axis));
        problem.simd.dispatch(Pushed { push, kept, spread, normals, g, p, x });
    }
    bounce(problem, positions, momenta);
    end_records(problem, push, chains, scratch, records);
}

/// θᵢ ← θᵢ + `pace` rᵢ, with reflections at the boundary of the support if there are any; the pace is that of a coordinate and a chain.
pub(crate) fn drift(
    problem: &Problem<'_>,
    pace: impl Fn(usize, usize) -> f64,
    positions: &mut Coords,
    momenta: &mut Coords,
) {
    for (axis, (positions, momenta)) in positions.axes_mut().zip(momenta.axes()).enumerate() {
        let ways = momenta.iter().enumerate().map(|(chain, momentum)| pace(axis, chain) * momentum);
        let ways = positions.iter_mut().zip(ways);
        match problem.folding() {
            Some(coordinates) => ways.for_each(|(position, way)| *position += coordinates.shortened(axis, way)),
            None => ways.for_each(|(position, way)| *position += way),
        }
    }
    bounce(problem, positions, momenta);
}

/// Folds chains back into the support and reflects their momenta, if its boundary reflects.
#[inline]
pub(crate) fn bounce(problem: &Problem<'_>, positions: &mut Coords, momenta: &mut Coords) {
    let Some(coordinates) = problem.folding() else { return };
    let support = &problem.info.support;
    for chain in 0..positions.len() {
        let mut momentum = momenta.point(chain);
        let inside = reflected(coordinates, support, positions.point(chain), &mut momentum);
        positions.set_point(chain, inside);
        momenta.set_point(chain, momentum);
    }
}

/// `moved` folded back into the support; `momentum` changes its sign with every reflection.
fn reflected(coordinates: &Coordinates, support: &Support, moved: Point, momentum: &mut Point) -> Point {
    for axis in 0..2 {
        if is_reversed(support, axis, moved[axis]) {
            momentum[axis] = -momentum[axis];
        }
    }
    coordinates.fold(moved)
}

/// Whether the path to `position` has an odd number of reflections. A NaN has none.
fn is_reversed(support: &Support, axis: usize, position: f64) -> bool {
    let (min, width) = (support.min[axis], support.max[axis] - support.min[axis]);
    if width.is_finite() { (position - min).rem_euclid(2.0 * width) > width } else { min.is_finite() && position < min }
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
    let Scratch { gradient, full, kept, spread, .. } = &*scratch;
    let Some(momenta) = chains.carried.first() else { return };
    let normals = step.normals(push.vector);
    for (chain, record) in records.iter_mut().enumerate() {
        let error = |axis| gradient.get(chain, axis) - full.get(chain, axis);
        let normal = |axis: usize| normals.axis(axis)[chain];
        let gain = |g: &dyn Fn(usize) -> f64| problem.displacement(|axis| push.gain * g(axis));
        let terms = Terms {
            carried: Some(problem.displacement(|axis| kept[chain] * momenta.get(chain, axis))),
            gradient: Some([gain(&|axis| full.get(chain, axis)), gain(&error)]),
            noise: Some(problem.displacement(|axis| spread.get(chain, axis) * normal(axis))),
        };
        *record = StepRecord {
            terms: Some(terms),
            from: problem.position(&chains.positions, chain),
            carried: problem.displacement(|axis| push.reach * (kept[chain] * momenta.get(chain, axis))),
            drift: problem.displacement(|axis| push.reach * (push.gain * full.get(chain, axis))),
            gradient_noise: problem.displacement(|axis| push.reach * (push.gain * error(axis))),
            injected_noise: problem.displacement(|axis| push.reach * (spread.get(chain, axis) * normal(axis))),
            ..StepRecord::default()
        };
    }
}

/// Records the result of the step. A step of size 0 has no unit of momentum.
fn end_records(
    problem: &Problem<'_>,
    push: Push,
    chains: &Population,
    scratch: &mut Scratch,
    records: &mut [StepRecord],
) {
    let Some(momenta) = chains.carried.first() else { return };
    for (chain, record) in records.iter_mut().enumerate() {
        record.to = problem.position(&chains.positions, chain);
        if push.unit > 0.0 {
            let momentum = |axis| momenta.get(chain, axis) / push.unit;
            record.momentum = Some(problem.displacement(momentum));
            record.energy = Some(kinetic_energy(problem, momentum));
        }
    }
    add_potential_energy(problem, chains, scratch, records);
}

/// ½‖r‖² of the momentum at unit mass whose coordinates `of` gives.
pub(crate) fn kinetic_energy(problem: &Problem<'_>, of: impl Fn(usize) -> f64) -> f64 {
    0.5 * (0..problem.free).map(|axis| of(axis) * of(axis)).sum::<f64>()
}

/// Adds −log p to the energies of records, which contain the kinetic energy.
pub(crate) fn add_potential_energy(
    problem: &Problem<'_>,
    chains: &Population,
    scratch: &mut Scratch,
    records: &mut [StepRecord],
) {
    if records.is_empty() {
        return;
    }
    let Scratch { recorded, to_log_density, memory, .. } = scratch;
    recorded.copy_first(&chains.positions, records.len());
    to_log_density.resize(recorded.len(), 0.0);
    problem.log_densities(recorded, memory, to_log_density);
    for (record, log_density) in records.iter_mut().zip(to_log_density) {
        record.energy = record.energy.map(|kinetic| kinetic - *log_density);
    }
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

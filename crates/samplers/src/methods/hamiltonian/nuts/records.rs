//! What the No-U-Turn sampler records of its trajectories, and tells of every one of them.

use super::super::adaptation::Adapter;
use super::tree::{PhasePoint, Tree, Visit};
use super::{ChainTrajectory, Nuts, Trajectories};
use crate::methods::kit::record::{Doubling, Leaf, Terms, Trajectory};
use crate::methods::{Course, Population, Problem, StepRecord, Transition};
use base::math::Point;

impl Nuts {
    /// Records the start of the trajectories and the parts of their first leapfrog step.
    pub(super) fn begin_records(
        &self,
        problem: &Problem<'_>,
        chains: &Population,
        trajectories: &mut Trajectories,
        records: &mut [StepRecord],
    ) {
        let mass = self.adaptation.kept_mass();
        for (chain, (record, own)) in records.iter_mut().zip(&mut trajectories.chains).enumerate() {
            let (from, time) = (problem.position(&chains.positions, chain), own.time());
            own.adapter.velocity(mass, &own.tree.front.momentum, &mut own.velocity);
            let injected_noise = problem.displacement(|axis| time * own.velocity[axis]);
            own.adapter.force(mass, &own.tree.front.gradient, &mut own.force);
            let terms = Terms {
                gradient: Some([problem.displacement(|axis| 0.5 * own.h * own.force[axis]), Point::zeros()]),
                noise: Some(problem.displacement(|axis| own.tree.front.momentum[axis])),
                carried: None,
            };
            own.adapter.velocity(mass, &own.force, &mut own.velocity);
            let drift = problem.displacement(|axis| time * (0.5 * time * own.velocity[axis]));
            let start = Leaf { at: from, log_weight: 0.0 };
            let trajectory = Some(Box::new(Trajectory { leaves: vec![start], ..Trajectory::default() }));
            let (terms, step_size) = (Some(terms), Some(own.h));
            *record = StepRecord { from, injected_noise, drift, terms, step_size, trajectory, ..StepRecord::default() };
        }
    }

    /// What is told of a trajectory that has ended.
    pub(super) fn transition(&self, own: &ChainTrajectory) -> Transition {
        let Tree { chosen, leaves, .. } = &own.tree;
        if *leaves == 0 {
            return Transition::NOWHERE;
        }
        let warm_up = self.adaptation.adapts() && own.adapter.left(self.adaptation.warm_up) > 0;
        Transition {
            energy: chosen.energy(),
            log_density: chosen.log_density,
            step_size: own.h,
            acceptance: own.tree.acceptance(),
            leapfrog_steps: u16::try_from(*leaves).unwrap_or(u16::MAX),
            depth: u8::try_from(own.tree.depth()).unwrap_or(u8::MAX),
            course: Course::of(warm_up, own.divergent),
        }
    }

    /// The velocities at the two ends, as displacements in the plane by a time of 1; `memory` is working memory.
    pub(super) fn velocities(
        &self,
        problem: &Problem<'_>,
        adapter: &Adapter,
        ends: &[PhasePoint; 2],
        memory: &mut [f64],
    ) -> [Point; 2] {
        let mut displacement = |end: usize| {
            adapter.velocity(self.adaptation.kept_mass(), &ends[end].momentum, memory);
            problem.displacement(|axis| memory[axis])
        };
        [displacement(0), displacement(1)]
    }

    /// Records the end of a trajectory.
    pub(super) fn end_record(
        &self,
        problem: &Problem<'_>,
        (chains, chain): (&Population, usize),
        own: &mut ChainTrajectory,
        record: &mut StepRecord,
    ) {
        let Tree { chosen, ends, .. } = &own.tree;
        record.to = problem.position(&chains.positions, chain);
        record.momentum = Some(problem.displacement(|axis| chosen.momentum[axis]));
        record.energy = Some(chosen.energy());
        let Some(trajectory) = record.trajectory.as_deref_mut() else { return };
        trajectory.chosen = own.tree.chosen_leaf;
        trajectory.products = own.tree.products;
        trajectory.acceptance = own.tree.acceptance();
        trajectory.velocities = self.velocities(problem, &own.adapter, ends, &mut own.velocity);
        trajectory.ends = std::array::from_fn(|end| {
            let position = &ends[end].position;
            problem.projection.image(position.len(), |axis| position[axis])
        });
        trajectory.step_size = own.h;
        trajectory.warm_up_left = self.adaptation.adapts().then(|| own.adapter.left(self.adaptation.warm_up));
        let sds = |axis| own.adapter.sd(self.adaptation.kept_mass(), axis);
        trajectory.scales = match problem.density {
            Some(_) => [sds(0), sds(1)],
            None => {
                (0..problem.free).map(sds).fold([f64::INFINITY, 0.0], |[low, high], sd| [low.min(sd), high.max(sd)])
            }
        };
    }
}

/// Adds a leaf to a record.
pub(super) fn note(trajectory: &mut Trajectory, leaf: Leaf, forward: bool, visit: Visit) {
    if trajectory.doublings.last().is_none_or(|doubling| doubling.finished) {
        let first = trajectory.leaves.len();
        trajectory.doublings.push(Doubling { forward, first, ..Doubling::default() });
    }
    trajectory.leaves.push(leaf);
    let taken = match visit {
        Visit::Within => None,
        Visit::Doubled(taken) => Some(taken),
        Visit::Ended(stop, taken) => {
            trajectory.stop = stop;
            taken
        }
    };
    if let (Some(taken), Some(doubling)) = (taken, trajectory.doublings.last_mut()) {
        (doubling.finished, doubling.taken) = (true, taken);
    }
}

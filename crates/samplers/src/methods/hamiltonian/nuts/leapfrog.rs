//! Leapfrog steps of the No-U-Turn sampler: r ← r + (h/2) Aᵀ∇, θ ← θ + h A r, r ← r + (h/2) Aᵀ∇, with −h back in time. The steps
//! of all trajectories that are under way are taken side by side.
//!
//! Where the boundary of the support reflects, the velocity A r of a coordinate changes its sign with every reflection. With
//! −h the same path leads back, against the velocity.

use super::super::momentum;
use super::{ChainTrajectory, Mass, Nuts, Trajectories};
use crate::methods::Problem;
use base::math::Coords;

impl Nuts {
    /// Takes a leapfrog step with every trajectory that is under way.
    pub(super) fn leap(&self, problem: &Problem<'_>, trajectories: &mut Trajectories) {
        let mass = self.adaptation.kept_mass();
        let Trajectories { chains, active, positions, velocities, gradients, log_densities, model } = trajectories;
        let dimension = chains[active[0]].velocity.len();
        for coords in [&mut *positions, &mut *velocities, &mut *gradients] {
            coords.resize(dimension, active.len());
        }
        log_densities.resize(active.len(), 0.0);
        for (slot, &chain) in active.iter().enumerate() {
            let own = &mut chains[chain];
            own.kick(mass);
            let time = own.time();
            own.adapter.velocity(mass, &own.tree.front.momentum, &mut own.velocity);
            let ways = own.tree.front.position.iter_mut().zip(own.velocity.iter().map(|velocity| time * velocity));
            match problem.folding() {
                Some(coordinates) => {
                    ways.enumerate().for_each(|(axis, (position, way))| *position += coordinates.shortened(axis, way));
                }
                None => ways.for_each(|(position, way)| *position += way),
            }
            positions.set(slot, &own.tree.front.position);
        }
        if problem.folding().is_some() {
            self.reflect(problem, chains, active, (positions, velocities));
        }
        problem.gradients(positions, model, gradients);
        problem.log_densities(positions, model, log_densities);
        for (slot, &chain) in active.iter().enumerate() {
            let front = &mut chains[chain].tree.front;
            front.gradient.iter_mut().zip(gradients.vector(slot)).for_each(|(to, from)| *to = from);
            front.log_density = log_densities[slot];
            chains[chain].kick(mass);
        }
    }

    /// Folds the fronts back into the support, with reversed velocities.
    fn reflect(
        &self,
        problem: &Problem<'_>,
        chains: &mut [ChainTrajectory],
        active: &[usize],
        (positions, velocities): (&mut Coords, &mut Coords),
    ) {
        for (slot, &chain) in active.iter().enumerate() {
            // Back in time a path moves against its velocity.
            let sign = if chains[chain].tree.forward { 1.0 } else { -1.0 };
            let velocity = &mut chains[chain].velocity;
            velocity.iter_mut().for_each(|velocity| *velocity *= sign);
            velocities.set(slot, velocity);
        }
        momentum::bounce(problem, positions, velocities);
        for (slot, &chain) in active.iter().enumerate() {
            let own = &mut chains[chain];
            own.tree.front.position.iter_mut().zip(positions.vector(slot)).for_each(|(to, from)| *to = from);
            let reversed =
                own.velocity.iter().zip(velocities.vector(slot)).any(|(old, new)| old.to_bits() != new.to_bits());
            if reversed {
                let sign = if own.tree.forward { 1.0 } else { -1.0 };
                own.velocity.iter_mut().zip(velocities.vector(slot)).for_each(|(to, from)| *to = sign * from);
                own.adapter.momentum(self.adaptation.kept_mass(), &mut own.velocity);
                own.tree.front.momentum.copy_from_slice(&own.velocity);
            }
        }
    }
}

impl ChainTrajectory {
    /// The step size with the sign of the direction in time.
    pub(super) fn time(&self) -> f64 {
        if self.tree.forward { self.h } else { -self.h }
    }

    /// Half a step of the momentum of the front.
    fn kick(&mut self, mass: Mass) {
        let half = 0.5 * self.time();
        let front = &mut self.tree.front;
        self.adapter.force(mass, &front.gradient, &mut self.force);
        for (momentum, force) in front.momentum.iter_mut().zip(&self.force) {
            *momentum += half * force;
        }
    }
}

//! Euler–Maruyama steps of the Langevin diffusion with an estimated gradient ĝ:
//!
//! θ ← θ + α ĝ + √s ξ, ξ ~ N(0, I), s = 2α, or 2α·max(0, 1 − αV/2) per coordinate if gradient noise is subtracted (see
//! [`super::gradient`]), or 0 in an exploration stage without noise.
//!
//! This is the step of [`Sgld`](crate::methods::Sgld) and its relatives; without injected noise it is gradient ascent
//! ([`Sgd`](crate::methods::Sgd)).
//! In the plane the target takes many steps at once ([`plane`]); in more dimensions steps are taken one by one
//! ([`vectors`]).

mod plane;
mod vectors;

use crate::methods::{Chunk, Gradient, Population};

/// The two kinds of Euler steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Euler {
    /// With injected noise.
    Langevin,
    /// Without injected noise: gradient ascent.
    Ascent,
}

impl Euler {
    /// Vectors of normals per chain and step: those of the gradient, then the injected one.
    pub(crate) fn vectors(self, gradient: &Gradient) -> usize {
        gradient.vectors() + usize::from(self == Self::Langevin)
    }

    /// Takes a chunk of steps with every chain.
    pub(crate) fn advance(self, chains: &mut Population, chunk: Chunk<'_>) {
        if chunk.problem.density.is_some() {
            self.advance_in_plane(chains, chunk);
        } else {
            self.advance_vectors(chains, chunk);
        }
    }
}

/// √(2α(1 − αV/2)), or 0 where that is not real.
fn injected_sd(alpha: f64, variance: f64) -> f64 {
    (2.0 * alpha * (1.0 - 0.5 * alpha * variance)).max(0.0).sqrt()
}

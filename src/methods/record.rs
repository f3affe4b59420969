//! Step records: the displacements, the proposal, and the energy of one step of one chain.

use crate::math::Point;

/// A proposal of a Metropolis method.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Proposal {
    /// The proposed point.
    pub at: Point,
    /// The acceptance probability, from 0 to 1.
    pub probability: f64,
    /// Whether the proposal was accepted.
    pub accepted: bool,
}

/// A replica of a chain at one of the temperatures of parallel tempering, after a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rung {
    /// The temperature, 1 or more.
    pub temperature: f64,
    /// Where the replica is.
    pub at: Point,
    /// Whether it has exchanged its place with the replica at the next temperature; `None` if this was not proposed.
    pub swapped: Option<bool>,
}

/// One step of one chain, taken apart for display.
///
/// The displacements add up to `to` − `from`, or to the displacement of the proposal if there is one. Of a method that
/// integrates a path (`path`), they are those of its first leapfrog step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StepRecord {
    /// Position before the step.
    pub from: Point,
    /// Position after the step.
    pub to: Point,
    /// Displacement by the momentum from before the step; where chains interact, by the places of other chains.
    pub carried: Point,
    /// Displacement by the full gradient.
    pub drift: Point,
    /// Displacement by the error of the gradient estimate.
    pub gradient_noise: Point,
    /// Displacement by the injected noise.
    pub injected_noise: Point,
    /// The proposal, of a Metropolis method.
    pub proposal: Option<Proposal>,
    /// The points of the path to the proposal in order, of a method that integrates a path.
    pub path: Vec<Point>,
    /// The replicas from the coldest, which is the chain, to the hottest, of parallel tempering. Where the first two have exchanged
    /// their places, the chain ends where the second was.
    pub rungs: Vec<Rung>,
    /// Momentum after the step at unit mass: in equilibrium its coordinates have variance 1.
    pub momentum: Option<Point>,
    /// Total energy after the step.
    pub energy: Option<f64>,
}

impl StepRecord {
    /// The record of a chain that has diverged and takes no step: no position is a number.
    #[must_use]
    pub fn nowhere() -> Self {
        let nowhere = Point::repeat(f64::NAN);
        Self {
            from: nowhere,
            to: nowhere,
            carried: nowhere,
            drift: nowhere,
            gradient_noise: nowhere,
            injected_noise: nowhere,
            ..Self::default()
        }
    }

    /// Whether the chain has taken the step, that is, has not diverged.
    #[must_use]
    pub fn is_step(&self) -> bool {
        self.to.x.is_finite() && self.to.y.is_finite()
    }
}

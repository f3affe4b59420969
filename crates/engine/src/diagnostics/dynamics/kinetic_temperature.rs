//! `kinetic_temperature`: mean squared momentum of the chains, relative to its value in equilibrium.
//!
//! T = mean of ‖r‖²/d over the chains, for momenta r ~ N(0, I) in d dimensions (unit mass, Chen, Fox and Guestrin 2014,
//! arXiv 1402.4102): 1 in equilibrium, above 1 when gradient noise heats the chains and friction does not remove the
//! heat.

use super::super::{Better, MeasureSpec, Outcome};
use super::input::DynamicsInput;

pub(super) const SPEC: MeasureSpec = MeasureSpec {
    key: "kinetic_temperature",
    label: "Kinetic temperature",
    help: "Mean of ‖r‖²/d over the first 64 chains, r their momenta at unit mass, in the newest step. 1 in equilibrium; above 1 where \
           gradient noise heats the chains (Chen et al. 2014). Methods without momentum have no value.",
    better: Better::Neither,
    headline: false,
    of_truth: false,
};

pub(super) fn value(input: &DynamicsInput) -> Outcome {
    if input.momenta.is_empty() {
        return Err("the method has no momentum");
    }
    let squares: f64 = input.momenta.iter().map(base::math::Point::norm_squared).sum();
    let value = squares / (input.momenta.len() * input.dimension) as f64;
    if value.is_finite() { Ok(value) } else { Err("the chains have left") }
}

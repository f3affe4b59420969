//! What methods share: the chunk of steps that they take, the chains, gradient estimates, tables of parameters, and parts of steps.

pub(super) mod adam;
pub(super) mod algorithm;
pub(super) mod batches;
pub(super) mod chunk;
pub(super) mod covariance;
pub(super) mod dynamics;
pub(super) mod entry;
pub(super) mod euler;
pub(super) mod gradient;
pub(super) mod interaction;
pub(super) mod kinds;
pub(super) mod method_group;
pub(super) mod metropolis;
pub(super) mod milestone;
pub(super) mod parameters;
pub(super) mod population;
pub(super) mod record;
pub(super) mod scratch;
pub(super) mod step_spec;
pub(super) mod stepwise;
pub(super) mod stopwatch;
pub(super) mod told;
pub(super) mod transition;
pub(super) mod usual;
pub(super) mod vector_distribution;

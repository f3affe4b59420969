//! Distributions of runs over their steps, computed without draws: where endlessly many chains would be.
//!
//! A run of a scenario becomes a [`Computable`], or a reason in words ([`NotComputed`]). [`Computable::solve`] computes what is [asked](Ask):
//! the distribution after steps, that of all collected steps, the stationary one, the parts of the error of means, and cycles as a chain of
//! modes. All is computed on two grids, and numbers carry the digits on which both agree. The mathematics is in the crate `exact`.
//!
//! `available` tells lists of what is computed. `kernel` says what a step of a method is, `plan` which run can be computed and as what, `region` in which box and with how many nodes, `reach` how far a box has to go.
//! `level` is one resolution with its operators, `start` the distribution after the first step, `passes` go over all steps. `reading`,
//! `plane_reading` and `lattice` make numbers and measures of distributions, `cycles` those of cycles, `solve` puts both grids together, `stoppable` leaves off the search for the long run.
//! `course` follows a run on one grid, for pictures; `along` has the measures of what it collects, `glance` a quick look at cycles.

mod along;
pub mod available;
mod course;
mod cycles;
mod found;
mod glance;
mod kernel;
mod lattice;
mod level;
mod not_computed;
mod passes;
mod plan;
mod plane_reading;
mod reach;
mod reading;
mod region;
mod solve;
mod start;
mod stoppable;
mod work;

pub use along::{Along, MeasuredAt};
pub use course::{CellsAt, Course, Followed, Reached};
pub use exact::Trusted;
pub use found::{AtStep, Cycles, Described, DistributionMeasure, Found, MeanError, Stationary};
pub use glance::{Glance, Look};
pub use not_computed::NotComputed;
pub use plan::{Computable, Kind, MOST_STEPS};
pub use solve::Ask;

#[cfg(test)]
mod tests;

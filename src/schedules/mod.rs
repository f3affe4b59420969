//! Step-size schedules, one file each, and the registry that names them.
//!
//! Step sizes α are in the project's one convention, θ ← θ + α ∇log p + √(2α) ξ; a schedule stated in
//! Welling and Teh's (ε = 2α) is converted when it is built.

use std::fmt::Debug;
use std::sync::Arc;

use crate::params::{ParamError, Settings};

/// What a step is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Draws are collected and noise is injected.
    Sampling,
    /// The exploration stage of a cycle: nothing is collected.
    Exploration {
        /// Whether noise is injected all the same.
        noise: bool,
    },
}

/// A sequence of step sizes. Steps are numbered from 1.
pub trait Schedule: Debug + Send + Sync {
    /// α of step `k` ≥ 1: finite and not negative.
    fn step_size(&self, k: u64) -> f64;

    /// The stage of step `k`.
    fn stage(&self, _k: u64) -> Stage {
        Stage::Sampling
    }

    /// The number of the cycle that step `k` belongs to, from 0; `None` for a schedule without cycles.
    fn cycle(&self, _k: u64) -> Option<u64> {
        None
    }

    /// What is unusual about the schedule and worth saying, e.g. that Σα² diverges; empty if nothing is.
    fn remarks(&self) -> Vec<String> {
        Vec::new()
    }
}

/// Makes a schedule from its settings for a run of `steps` steps.
pub type ScheduleBuilder = fn(settings: &Settings, steps: u64) -> Result<Arc<dyn Schedule>, Vec<ParamError>>;

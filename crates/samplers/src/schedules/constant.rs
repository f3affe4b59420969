//! The constant step size: α_k = α for every step.
//!
//! A Langevin chain with a constant step size keeps moving, but its stationary distribution has a bias of order α
//! (Vollmer, Zygalakis and Teh 2016, arXiv:1501.00438).

use std::sync::Arc;

use super::export::{Formula, digits};
use super::{CONVENTION, Folder, HandleSpec, Moves, Parts, Schedule, Spot, alpha_per_unit};
use base::params::{Entry, Interval, KindSpec, ParamError, ParamSpec, Settings};

pub(super) const PARAMS: [ParamSpec; 2] = [
    ParamSpec::number(
        "value",
        "step size α",
        0.01,
        Interval::POSITIVE,
        (1e-5, 1.0),
        "The step size of every step. Large steps mix fast but blur the density. Above 2/λ, where λ is the largest curvature \
         of a mode, the chain overshoots and leaves the mode.",
    )
    .log(),
    CONVENTION,
];

const HANDLES: [HandleSpec; 1] = [HandleSpec::single(
    "value",
    "α",
    Moves::Up,
    |course, _| Some(Spot { step: course.first(), alpha: course.alpha("value") }),
    |course, _, to| course.number(to.alpha),
)];

pub(super) const ENTRY: Entry<Parts> = Entry {
    spec: KindSpec {
        name: "constant",
        label: "Constant",
        help: "The same step size at every step: the chain keeps moving, with a bias of order α.",
        params: &PARAMS,
    },
    build: Parts { make: build, handles: &HANDLES, idle: |_| &[] },
};

/// The same step size at every step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Constant {
    /// α, above 0.
    pub alpha: f64,
}

impl Schedule for Constant {
    fn step_size(&self, _k: u64) -> f64 {
        self.alpha
    }

    fn largest(&self, _steps: u64) -> f64 {
        self.alpha
    }

    fn formula(&self) -> Option<Formula> {
        let body = &["return 0.0 * k + value"];
        Some(Formula::new(vec![("value", digits(self.alpha))], body, body))
    }
}

fn build(settings: &Settings, _steps: u64, _: Option<&Folder>) -> Result<Arc<dyn Schedule>, Vec<ParamError>> {
    Ok(Arc::new(Constant { alpha: settings.number("value") * alpha_per_unit(settings) }))
}

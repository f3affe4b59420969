//! Custom schedule, drawn by hand: knots (step, α), joined by straight lines in log α, constant beyond the ends.
//!
//! Between knots (k₀, α₀) and (k₁, α₁): α_k = exp(log α₀ + w (log α₁ − log α₀)), w = (k − k₀)/(k₁ − k₀); at a
//! knot exactly its value. Without knots the line runs from [`DEFAULT_ENDS`]`.0` at step 1 to `.1` at the last.

mod handles;

use std::sync::Arc;

use handles::HANDLES;

use super::export::{Formula, list};
use super::{CONVENTION, Folder, Parts, Schedule, alpha_per_unit};
use base::params::{DefaultValue, Entry, KindSpec, ParamError, ParamSpec, ParamType, Settings};

/// First and last step size of a schedule without knots (chosen by eye).
const DEFAULT_ENDS: (f64, f64) = (0.05, 0.0005);

const PARAMS: [ParamSpec; 2] = [
    ParamSpec::of(
        "knots",
        "knots",
        ParamType::Knots,
        DefaultValue::Absent,
        "Points [step, step size]. Between them the logarithm of the step size is linear, beyond them the step size is \
         constant. Left out: from 0.05 at the first step to 0.0005 at the last.",
    ),
    CONVENTION,
];

pub(super) const ENTRY: Entry<Parts> = Entry {
    spec: KindSpec {
        name: "custom",
        label: "Custom",
        help: "A curve through points (step, step size), drawn by hand, with straight lines on a logarithmic axis.",
        params: &PARAMS,
    },
    build: Parts { make: build, handles: &HANDLES, idle: |_| &[] },
};

/// Log-linear interpolation between knots.
#[derive(Clone, Debug, PartialEq)]
pub struct Custom {
    knots: Vec<Knot>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Knot {
    step: f64,
    alpha: f64,
    log_alpha: f64,
}

impl Custom {
    /// The schedule through points (step, α): increasing steps, α above 0. Without any it is 0 everywhere.
    #[must_use]
    pub fn new(points: &[[f64; 2]]) -> Self {
        let knot = |&[step, alpha]: &[f64; 2]| Knot { step, alpha, log_alpha: libm::log(alpha) };
        Self { knots: points.iter().map(knot).collect() }
    }
}

impl Schedule for Custom {
    fn step_size(&self, k: u64) -> f64 {
        let step = k as f64;
        let after = self.knots.partition_point(|knot| knot.step <= step);
        match (self.knots[..after].last(), self.knots.get(after)) {
            (Some(left), Some(right)) if left.step < step => {
                let share = (step - left.step) / (right.step - left.step);
                libm::exp(left.log_alpha + share * (right.log_alpha - left.log_alpha))
            }
            (Some(knot), _) | (None, Some(knot)) => knot.alpha,
            (None, None) => 0.0,
        }
    }

    fn formula(&self) -> Option<Formula> {
        let steps = list(self.knots.iter().map(|knot| knot.step));
        let sizes = list(self.knots.iter().map(|knot| knot.alpha));
        Some(Formula::new(
            vec![("steps", steps), ("sizes", sizes)],
            &[
                "after = bisect.bisect_right(steps, k)",
                "if after == 0 or after == len(steps):",
                "    return sizes[max(after - 1, 0)]",
                "share = (k - steps[after - 1]) / (steps[after] - steps[after - 1])",
                "return sizes[after - 1] * (sizes[after] / sizes[after - 1]) ** share",
            ],
            &["return jnp.exp(jnp.interp(k, jnp.array(steps), jnp.log(jnp.array(sizes))))"],
        ))
    }

    /// Between knots the curve lies between their values, so the largest is at a step beside a knot, or at an end of
    /// the run.
    #[expect(clippy::cast_sign_loss, reason = "knots are at steps from 1 on")]
    fn largest(&self, steps: u64) -> f64 {
        let within = self.knots.iter().filter(|knot| knot.step >= 1.0 && knot.step <= steps as f64);
        let beside = within.flat_map(|knot| [knot.step.floor(), knot.step.ceil()]);
        let ends = [1, steps.max(1)];
        beside.map(|step| step as u64).chain(ends).map(|k| self.step_size(k)).fold(0.0, f64::max)
    }
}

fn build(settings: &Settings, steps: u64, _: Option<&Folder>) -> Result<Arc<dyn Schedule>, Vec<ParamError>> {
    let unit = alpha_per_unit(settings);
    let whole_run = [[1.0, DEFAULT_ENDS.0], [steps.max(2) as f64, DEFAULT_ENDS.1]];
    let knots = if settings.get("knots").is_some() { settings.points("knots") } else { &whole_run };
    let points: Vec<[f64; 2]> = knots.iter().map(|&[step, alpha]| [step, alpha * unit]).collect();
    Ok(Arc::new(Custom::new(&points)))
}

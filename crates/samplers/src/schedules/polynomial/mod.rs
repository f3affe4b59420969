//! The polynomially decreasing step size α_t = a (b + t)^−γ.
//!
//! Robbins and Monro's conditions Σα = ∞ (the chain can reach every point) and Σα² < ∞ (the error vanishes) hold for γ in
//! (½, 1]; other exponents are allowed, with a remark. In this form: Welling and Teh (2011),
//! "Bayesian learning via stochastic gradient Langevin dynamics", ICML, below eq. 2.
//!
//! With `hold` = h the first h steps have a constant size and t counts from there, t = k − h in step k. The held size is
//! a (b + 1)^−γ, the one of the first decreasing step.
//!
//! Given by end points, the schedule falls from α₀ ("first", the size of the first step, at t = 0) to α_T ("last", that of the
//! last step): b = T / ((α₀/α_T)^(1/γ) − 1), a = α₀ b^γ. The first step is held, also without `hold`: t = k − 1 then, and
//! T = steps − 1.

mod handles;

use std::sync::Arc;

use handles::HANDLES;

use super::export::{Formula, digits};
use super::{CONVENTION, Folder, MAX_STEPS, Parts, Schedule, alpha_per_unit, changed};
use base::math::Simd;
use base::math::elementary::{Kernel, exp, ln};
use base::params::{Entry, Interval, KindSpec, ParamError, ParamSpec, Settings};

pub(super) const PARAMS: [ParamSpec; 7] = [
    ParamSpec::number(
        "a",
        "scale a",
        0.05,
        Interval::POSITIVE,
        (1e-4, 1.0),
        "Factor of the curve α = a (b + t)^−γ: with b = 0 it is the size of the first step.",
    )
    .log(),
    ParamSpec::number(
        "b",
        "offset b",
        0.0,
        Interval::NON_NEGATIVE,
        (0.0, 1000.0),
        "Delay of the decrease: for about b steps the step size stays near a b^−γ.",
    )
    .folded()
    .unit("steps"),
    ParamSpec::number(
        "gamma",
        "decay exponent γ",
        0.55,
        Interval::POSITIVE,
        (0.3, 1.2),
        "How fast the steps shrink. In (½, 1] the chain can still reach every point (Σα = ∞) while its error vanishes \
         (Σα² < ∞).",
    ),
    ParamSpec::integer(
        "hold",
        "constant steps",
        0.0,
        Interval::closed(0.0, MAX_STEPS),
        (0.0, 10_000.0),
        "Number of steps of constant size before the decrease.",
    )
    .folded()
    .unit("steps"),
    ParamSpec::number(
        "first",
        "first step size α",
        0.05,
        Interval::POSITIVE,
        (1e-4, 1.0),
        "Instead of a and b: the size of the first step of the run. Needs the last step size too; a and b keep their \
         defaults.",
    )
    .folded()
    .log()
    .optional(),
    ParamSpec::number(
        "last",
        "last step size α",
        0.0005,
        Interval::POSITIVE,
        (1e-6, 0.1),
        "Instead of a and b: the step size of the last step of the run, below the first.",
    )
    .folded()
    .log()
    .optional(),
    CONVENTION,
];

pub(super) const ENTRY: Entry<Parts> = Entry {
    spec: KindSpec {
        name: "polynomial",
        label: "Polynomial",
        help: "Steps that shrink as a (b + t)^−γ, as in Welling and Teh's SGLD.",
        params: &PARAMS,
    },
    build: Parts { make: build, handles: &HANDLES, idle },
};

/// α_k = `held` for k ≤ `hold`, a (b + k − hold)^−γ afterwards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Polynomial {
    a: f64,
    b: f64,
    gamma: f64,
    hold: u64,
    held: f64,
}

impl Polynomial {
    /// The schedule a (b + t)^−γ after `hold` constant steps.
    #[must_use]
    pub fn new(a: f64, b: f64, gamma: f64, hold: u64) -> Self {
        Self { a, b, gamma, hold, held: decreased(a, b + 1.0, gamma) }
    }

    /// The schedule that falls from `first`, the size of the first `hold` steps and of at least one, to `last`, the size of
    /// the last step. `None` if there is none: when `last` is not below `first`, the constant steps fill the run, or the
    /// ratio overflows.
    #[must_use]
    pub fn between(first: f64, last: f64, gamma: f64, hold: u64, steps: u64) -> Option<Self> {
        let hold = held_steps(hold);
        let decreasing = steps.checked_sub(hold)? as f64;
        let b = decreasing / (libm::pow(first / last, 1.0 / gamma) - 1.0);
        let a = first * libm::pow(b, gamma);
        let legal = last < first && b > 0.0 && b.is_finite() && a > 0.0 && a.is_finite();
        legal.then_some(Self { a, b, gamma, hold, held: first })
    }
}

/// The number of steps that have the first step size: the constant ones, at least one.
fn held_steps(hold: u64) -> u64 {
    hold.max(1)
}

/// a t^−γ for t > 0, as a·exp(−γ log t): good to about γ·log(t) units of the last place.
#[inline(always)]
fn decreased(a: f64, t: f64, gamma: f64) -> f64 {
    a * exp(-gamma * ln(t))
}

/// Step sizes at t = `start` + 0, 1, 2 …
struct Decrease<'a> {
    schedule: &'a Polynomial,
    start: f64,
    step_sizes: &'a mut [f64],
}

impl Kernel for Decrease<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Polynomial { a, b, gamma, .. } = *self.schedule;
        for (index, alpha) in self.step_sizes.iter_mut().enumerate() {
            *alpha = decreased(a, b + (self.start + index as f64), gamma);
        }
    }
}

impl Schedule for Polynomial {
    fn step_size(&self, k: u64) -> f64 {
        if k <= self.hold {
            return self.held;
        }
        decreased(self.a, self.b + (k - self.hold) as f64, self.gamma)
    }

    fn fill(&self, simd: Simd, first: u64, step_sizes: &mut [f64]) {
        let held = usize::try_from((self.hold + 1).saturating_sub(first)).unwrap_or(usize::MAX).min(step_sizes.len());
        let (constant, decreasing) = step_sizes.split_at_mut(held);
        constant.fill(self.held);
        let start = (first + held as u64).saturating_sub(self.hold) as f64;
        simd.dispatch(Decrease { schedule: self, start, step_sizes: decreasing });
    }

    /// Steps never grow, as γ > 0.
    fn largest(&self, _steps: u64) -> f64 {
        self.step_size(1)
    }

    fn formula(&self) -> Option<Formula> {
        let Self { a, b, gamma, hold, held } = *self;
        let numbers = [("a", a), ("b", b), ("gamma", gamma), ("held", held)];
        let constants = numbers.map(|(name, number)| (name, digits(number))).into_iter();
        Some(Formula::new(
            constants.chain([("hold", hold.to_string())]).collect(),
            &["return held if k <= hold else a * (b + (k - hold)) ** -gamma"],
            &["t = b + jnp.maximum(k - hold, 1)", "return jnp.where(k <= hold, held, a * t**-gamma)"],
        ))
    }

    fn remarks(&self) -> Vec<String> {
        if self.gamma <= 0.5 {
            vec![format!("γ = {} is at most ½: Σα² diverges, and the error of the chain does not vanish", self.gamma)]
        } else if self.gamma > 1.0 {
            vec![format!(
                "γ = {} is above 1: Σα converges, and the chain freezes before it has reached every point",
                self.gamma
            )]
        } else {
            Vec::new()
        }
    }
}

fn build(settings: &Settings, steps: u64, _: Option<&Folder>) -> Result<Arc<dyn Schedule>, Vec<ParamError>> {
    let unit = alpha_per_unit(settings);
    let gamma = settings.number("gamma");
    let hold = settings.count("hold");
    match (settings.optional_number("first"), settings.optional_number("last")) {
        (None, None) => Ok(Arc::new(Polynomial::new(settings.number("a") * unit, settings.number("b"), gamma, hold))),
        (Some(first), Some(last)) => {
            let errors = both_forms(settings);
            let schedule = Polynomial::between(first * unit, last * unit, gamma, hold, steps);
            match schedule {
                Some(schedule) if errors.is_empty() => Ok(Arc::new(schedule)),
                Some(_) => Err(errors),
                None => Err([errors, bad_ends(settings, steps)].concat()),
            }
        }
        (first, _) => Err([vec![half_given(first.is_some())], both_forms(settings)].concat()),
    }
}

/// Between end points a and b follow from these, and have no values of their own.
fn idle(settings: &Settings) -> &'static [&'static str] {
    let between = ["first", "last"].into_iter().all(|key| settings.optional_number(key).is_some());
    if between { &["a", "b"] } else { &[] }
}

/// Errors of a and b, which cannot be given together with end points.
fn both_forms(settings: &Settings) -> Vec<ParamError> {
    let wrong = |key: &str| {
        let problem = format!("{key} = {} is given together with end points", settings.number(key));
        ParamError::new(key, problem, "either a and b, or first and last")
    };
    ["a", "b"].into_iter().filter(|key| changed(settings, key)).map(wrong).collect()
}

fn half_given(first: bool) -> ParamError {
    let (given, missing) = if first { ("first", "last") } else { ("last", "first") };
    ParamError::new(missing, format!("{given} is given without {missing}"), "either a and b, or first and last")
}

/// The reasons why no schedule joins the end points.
fn bad_ends(settings: &Settings, steps: u64) -> Vec<ParamError> {
    let (first, last, hold) = (settings.number("first"), settings.number("last"), settings.count("hold"));
    let mut errors = Vec::new();
    if held_steps(hold) >= steps && hold == 0 {
        let problem = "a run of one step has no step after the first".to_owned();
        errors.push(ParamError::new("last", problem, "a run of at least 2 steps, or a and b"));
    } else if hold >= steps {
        let problem = format!("{hold} constant steps leave none to get from first to last");
        errors.push(ParamError::new("hold", problem, format!("fewer than the {steps} steps of the run")));
    }
    if last >= first {
        errors.push(ParamError::new("last", format!("{last} is not below first = {first}"), format!("below {first}")));
    }
    if errors.is_empty() {
        let problem = format!("no curve with γ = {} falls from {first} to {last}", settings.number("gamma"));
        errors.push(ParamError::new("last", problem, "end points closer together, or a larger γ"));
    }
    errors
}

//! The cyclical step size with warm restarts: α_k = (α₀/2) [cos(π r_k) + 1].
//!
//! Zhang, Li, Zhang, Chen and Wilson (2020), "Cyclical stochastic gradient MCMC for Bayesian deep learning",
//! ICLR, arXiv:1902.03932, eq. 1. K steps make M cycles; r_k in [0, 1) is the phase of step k in its cycle:
//!
//! - `ceil`, the paper: n = ⌈K/M⌉, r = mod(k − 1, n)/n. The last cycle may be cut short.
//! - `exact`, the authors' code: r = mod((k − 1)·M, K)/K. A cycle is K/M steps long, whole or not.
//!
//! Each cycle starts with an exploration stage, with long steps in search of a mode, followed by a sampling stage,
//! whose draws count. Exploration lasts while r < β, or for the first D steps: s + 1 ≤ D, where s is the number of
//! steps since the start of the cycle, a fraction if cycles are not a whole number of steps.
//!
//! Cycles can also grow, fall to a step size above 0, begin lower than the one before, and follow a warm-up (`uneven`).
//!
//! The article swaps K and M in places; here M is always the number of cycles. Phases are ratios of whole numbers, in
//! integer arithmetic. The same formula in floating point has errors at the boundaries of cycles (50 000 steps in 30
//! cycles with D = 50: 48 529 sampling steps instead of 48 520).

mod handles;
mod params;
mod uneven;

use std::sync::Arc;

use handles::HANDLES;
use params::PARAMS;
use uneven::Uneven;

use super::export::{Exploring, Formula, digits};
use super::{Folder, Parts, Schedule, Stage, alpha_per_unit, changed};
use base::math::Simd;
use base::math::elementary::{Kernel, sin_cos_2pi};
use base::params::{Entry, KindSpec, ParamError, Settings};

pub(super) const ENTRY: Entry<Parts> = Entry {
    spec: KindSpec {
        name: "cyclical",
        label: "Cyclical",
        help: "Cosine-shaped cycles with warm restarts (Zhang et al. 2020): in each cycle, large steps find a mode and \
               small steps sample it.",
        params: &PARAMS,
    },
    build: Parts { make: build, handles: &HANDLES, idle },
};

/// How long the exploration stage of a cycle lasts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Exploration {
    /// While the phase is below β, in [0, 1).
    Fraction(f64),
    /// For the first D steps.
    Steps(u64),
}

/// Cosine cycles. A step advances the phase by `unit`/`period`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cyclical {
    initial: f64,
    /// Phase per step, in units of 1/`period`: at least 1, at most `period`.
    unit: u64,
    /// Phase of a whole cycle, in the same units.
    period: u64,
    exploration: Exploration,
    /// Whether noise is injected during exploration.
    noise: bool,
    /// Number of cycles in the settings, and number of cycles that start in the run.
    cycles: (u64, u64),
}

impl Cyclical {
    /// Cycles of ⌈`steps`/`cycles`⌉ steps each (the paper). Takes α₀ > 0 and 1 ≤ `cycles` ≤ `steps`.
    #[must_use]
    pub fn ceil(initial: f64, steps: u64, cycles: u64, exploration: Exploration, noise: bool) -> Self {
        let period = steps.div_ceil(cycles.max(1)).max(1);
        Self { initial, unit: 1, period, exploration, noise, cycles: (cycles, steps.div_ceil(period)) }
    }

    /// Cycles of exactly `steps`/`cycles` steps each (the authors' code). Takes α₀ > 0 and 1 ≤ `cycles` ≤ `steps`.
    #[must_use]
    pub fn exact(initial: f64, steps: u64, cycles: u64, exploration: Exploration, noise: bool) -> Self {
        let period = steps.max(1);
        Self { initial, unit: cycles.clamp(1, period), period, exploration, noise, cycles: (cycles, cycles) }
    }

    /// The phase before step `k`, over all cycles.
    fn travelled(&self, k: u64) -> u128 {
        u128::from(k.saturating_sub(1)) * u128::from(self.unit)
    }

    /// The phase of step `k` within its cycle, below `period`.
    fn phase(&self, k: u64) -> u64 {
        match k.saturating_sub(1).checked_mul(self.unit) {
            Some(travelled) => travelled % self.period,
            None => u64::try_from(self.travelled(k) % u128::from(self.period)).unwrap_or(0),
        }
    }

    fn at_phase(&self, phase: u64) -> f64 {
        falling(self.initial, phase as f64, self.period as f64)
    }

    /// The phases of the steps from `first` on.
    fn phases(&self, first: u64) -> impl Iterator<Item = u64> + use<> {
        let (unit, period) = (self.unit, self.period);
        let next = move |phase: &u64| Some(if phase + unit >= period { phase + unit - period } else { phase + unit });
        std::iter::successors(Some(self.phase(first)), next)
    }

    fn stage_at(&self, phase: u64) -> Stage {
        if self.explores(phase) { Stage::Exploration { noise: self.noise } } else { Stage::Sampling }
    }

    fn explores(&self, phase: u64) -> bool {
        match self.exploration {
            Exploration::Fraction(share) => (phase as f64 / self.period as f64) < share,
            Exploration::Steps(steps) => phase + self.unit <= steps.saturating_mul(self.unit),
        }
    }

    /// The largest phase that a step of the run has.
    fn last_phase(&self) -> u64 {
        self.period - common_divisor(self.unit, self.period)
    }
}

impl Schedule for Cyclical {
    fn step_size(&self, k: u64) -> f64 {
        self.at_phase(self.phase(k))
    }

    fn stage(&self, k: u64) -> Stage {
        self.stage_at(self.phase(k))
    }

    fn cycle(&self, k: u64) -> Option<u64> {
        u64::try_from(self.travelled(k) / u128::from(self.period)).ok()
    }

    fn fill(&self, simd: Simd, first: u64, step_sizes: &mut [f64]) {
        for (alpha, phase) in step_sizes.iter_mut().zip(self.phases(first)) {
            *alpha = phase as f64;
        }
        simd.dispatch(Fall { initial: self.initial, period: self.period as f64, step_sizes });
    }

    fn fill_stages(&self, first: u64, stages: &mut [Stage]) {
        for (stage, phase) in stages.iter_mut().zip(self.phases(first)) {
            *stage = self.stage_at(phase);
        }
    }

    /// A cycle begins with its largest step.
    fn largest(&self, _steps: u64) -> f64 {
        self.step_size(1)
    }

    fn formula(&self) -> Option<Formula> {
        let constants = vec![
            ("initial", digits(self.initial)),
            ("unit", self.unit.to_string()),
            ("period", self.period.to_string()),
        ];
        let turns = [("unit", self.unit.to_string()), ("period", self.period.to_string())];
        let exploring = match self.exploration {
            Exploration::Fraction(share) => Exploring {
                constants: turns.into_iter().chain([("share", digits(share))]).collect(),
                python: &["return (k - 1) * unit % period / period < share"],
                noise: self.noise,
            },
            Exploration::Steps(steps) => Exploring {
                constants: turns.into_iter().chain([("end", steps.saturating_mul(self.unit).to_string())]).collect(),
                python: &["return (k - 1) * unit % period + unit <= end"],
                noise: self.noise,
            },
        };
        Some(Formula {
            factor: self.unit,
            exploring: Some(exploring),
            ..Formula::new(
                constants,
                &[
                    "phase = (k - 1) * unit % period / period",
                    "return 0.5 * initial * (math.cos(math.pi * phase) + 1.0)",
                ],
                &[
                    "turned = (jnp.asarray(k, dtype=int) - 1) * unit % period",
                    "phase = jnp.asarray(turned, dtype=float) / period",
                    "return 0.5 * initial * (jnp.cos(jnp.pi * phase) + 1.0)",
                ],
            )
        })
    }

    fn remarks(&self) -> Vec<String> {
        let (asked, begun) = self.cycles;
        if begun == asked {
            return Vec::new();
        }
        vec![format!(
            "only {begun} of the {asked} cycles are run: rounded up to whole steps, a cycle has {}; with exact cycles all are",
            self.period
        )]
    }
}

/// α₀/2 · (cos(π `phase`/`period`) + 1).
#[inline(always)]
fn falling(initial: f64, phase: f64, period: f64) -> f64 {
    let (_, cosine) = sin_cos_2pi(0.5 * (phase / period));
    0.5 * initial * (cosine + 1.0)
}

/// Turns phases into step sizes, in place.
struct Fall<'a> {
    initial: f64,
    period: f64,
    step_sizes: &'a mut [f64],
}

impl Kernel for Fall<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for alpha in self.step_sizes {
            *alpha = falling(self.initial, *alpha, self.period);
        }
    }
}

/// The greatest common divisor (Euclid).
fn common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { common_divisor(b, a % b) }
}

/// The parameters of cycles that differ from each other or from the paper's.
const OF_UNEVEN: [&str; 4] = ["growth", "peaks", "minimum", "warm_up"];

/// Where cycles have a length, it says how many there are, in whole steps.
fn idle(settings: &Settings) -> &'static [&'static str] {
    if settings.optional_count("cycle_steps").is_some() { &["cycles", "rounding"] } else { &[] }
}

/// Whether cycles are other than those of the paper and of the authors' code.
fn is_uneven(settings: &Settings) -> bool {
    OF_UNEVEN.iter().any(|key| settings.get(key).is_some())
}

/// Whether cycles are a whole number of steps.
fn in_whole_steps(settings: &Settings) -> bool {
    settings.word("rounding") != "exact"
}

fn build(settings: &Settings, steps: u64, _: Option<&Folder>) -> Result<Arc<dyn Schedule>, Vec<ParamError>> {
    let mut errors = Vec::new();
    let exploration = match settings.optional_count("exploration_steps") {
        None => Exploration::Fraction(settings.number("exploration")),
        Some(count) => {
            if changed(settings, "exploration") {
                let problem = format!("β = {} is given together with D = {count}", settings.number("exploration"));
                errors.push(ParamError::new("exploration", problem, "either exploration or exploration_steps"));
            }
            Exploration::Steps(count)
        }
    };
    let length = settings.optional_count("cycle_steps");
    if let (Some(length), true) = (length, changed(settings, "cycles")) {
        let problem = format!("{} cycles are given together with cycles of {length} steps", settings.count("cycles"));
        errors.push(ParamError::new("cycles", problem, "either cycles or cycle_steps"));
    }
    let cycles = length.map_or_else(|| settings.count("cycles"), |length| steps.div_ceil(length.max(1)).max(1));
    if cycles > steps {
        let problem = format!("{cycles} cycles in {steps} steps");
        errors.push(ParamError::new("cycles", problem, format!("at most the {steps} steps of the run")));
        return Err(errors);
    }
    if is_uneven(settings) {
        return match Uneven::of(settings, steps, exploration) {
            Ok(schedule) if errors.is_empty() => Ok(Arc::new(schedule)),
            Ok(_) => Err(errors),
            Err(more) => Err([errors, more].concat()),
        };
    }
    let initial = settings.number("initial") * alpha_per_unit(settings);
    let noise = settings.flag("exploration_noise");
    let schedule = match length {
        Some(period) => {
            Cyclical { initial, unit: 1, period: period.max(1), exploration, noise, cycles: (cycles, cycles) }
        }
        None if in_whole_steps(settings) => Cyclical::ceil(initial, steps, cycles, exploration, noise),
        None => Cyclical::exact(initial, steps, cycles, exploration, noise),
    };
    if schedule.explores(schedule.last_phase()) {
        errors.push(no_sampling(exploration, schedule.period as f64 / schedule.unit as f64));
    }
    if errors.is_empty() { Ok(Arc::new(schedule)) } else { Err(errors) }
}

/// The error of a cycle of `length` steps that explores all the time.
fn no_sampling(exploration: Exploration, length: f64) -> ParamError {
    match exploration {
        Exploration::Steps(steps) => {
            let problem = format!("{steps} steps of exploration fill a cycle of {length:.1} steps");
            ParamError::new("exploration_steps", problem, format!("fewer than {length:.1}"))
        }
        Exploration::Fraction(share) => {
            let problem = format!("β = {share} leaves no sampling step in a cycle of {length:.1} steps");
            ParamError::new("exploration", problem, "a smaller share, or fewer and longer cycles")
        }
    }
}

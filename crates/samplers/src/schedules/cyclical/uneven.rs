//! Cosine cycles that differ from each other: they grow, begin with falling peaks, end above 0, and follow a warm-up.
//!
//! Warm restarts whose cycles grow: Loshchilov and Hutter (2017), "SGDR: stochastic gradient descent with warm restarts", ICLR,
//! arXiv:1608.03983, eq. 5. With W warm-up steps, growth g, ratio of peaks d and minimum α_min, cycle c = 0, 1 … begins after s_c
//! steps, s_0 = W, and takes L_c steps, L_(c+1) = g L_c. In step k of cycle c, r = (k − 1 − s_c)/L_c and
//!
//! α_k = α_min + ½ (p_c − α_min) [cos(π r) + 1], p_c = max(α₀ dᶜ, α_min).
//!
//! Without a length of the first cycle, M cycles fill the K − W steps after the warm-up: L_0 = (K − W) (g − 1)/(g^M − 1). In whole
//! steps each length is rounded up, and the last cycle may be cut short. In the warm-up α_k = α₀ k/W.

use super::super::export::{Exploring, Formula, digits, list};
use super::super::{Schedule, Stage, alpha_per_unit};
use super::{Exploration, in_whole_steps, no_sampling};
use base::math::elementary::sin_cos_2pi;
use base::params::{ParamError, Settings};

/// The most cycles: each has a place in a table, and in the texts for other programs.
const MOST_CYCLES: u64 = 10_000;

/// The smallest step size of a cycle's peak as a share of the first, so that no power underflows.
const LEAST_PEAK: f64 = 1e-300;

/// Cycles that differ from each other.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Uneven {
    initial: f64,
    minimum: f64,
    warm_up: u64,
    /// The ratio of the peaks of two cycles.
    ratio: f64,
    /// Steps before each cycle, and before the end of the last one; increasing, at least two.
    starts: Vec<f64>,
    exploration: Exploration,
    noise: bool,
    /// Number of cycles in the settings, where they say it, and number of cycles that start in the run.
    cycles: (u64, u64),
}

/// A cycle: the steps before it, its length, and its first step size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct OneCycle {
    pub(super) start: f64,
    pub(super) length: f64,
    pub(super) peak: f64,
}

impl Uneven {
    /// The cycles that settings describe, for a run of `steps` steps.
    pub(super) fn of(settings: &Settings, steps: u64, exploration: Exploration) -> Result<Self, Vec<ParamError>> {
        let unit = alpha_per_unit(settings);
        let initial = settings.number("initial") * unit;
        let minimum = settings.optional_number("minimum").map_or(0.0, |minimum| minimum * unit);
        let warm_up = settings.optional_count("warm_up").unwrap_or(0);
        let growth = settings.optional_number("growth").unwrap_or(1.0);
        let mut errors = Vec::new();
        if minimum > initial {
            let most = settings.number("initial");
            let problem = format!("{} is above the initial step size {most}", settings.number("minimum"));
            errors.push(ParamError::new("minimum", problem, format!("at most {most}")));
        }
        if warm_up >= steps {
            let problem = format!("{warm_up} steps of warm-up leave none for a cycle");
            errors.push(ParamError::new("warm_up", problem, format!("fewer than the {steps} steps of the run")));
            return Err(errors);
        }
        let after = steps - warm_up;
        let (asked, starts) = match settings.optional_count("cycle_steps") {
            Some(length) => (None, by_length(length as f64, growth, after as f64)),
            None => {
                let cycles = settings.count("cycles");
                (Some(cycles), by_number(cycles, growth, after, in_whole_steps(settings)))
            }
        };
        let Some(starts) = starts else {
            if let Some(cycles) = asked.filter(|cycles| *cycles > after) {
                let problem = format!("{cycles} cycles in the {after} steps after the warm-up");
                errors.push(ParamError::new("cycles", problem, format!("at most {after}")));
                return Err(errors);
            }
            let key = if asked.is_some() { "cycles" } else { "cycle_steps" };
            let problem = "there are more cycles than can differ from each other";
            let allowed =
                format!("at most {MOST_CYCLES} cycles of at least one step each, or equal cycles without a minimum");
            errors.push(ParamError::new(key, problem, allowed));
            return Err(errors);
        };
        let begun = starts.len() as u64 - 1;
        let schedule = Self {
            initial,
            minimum,
            warm_up,
            ratio: settings.optional_number("peaks").unwrap_or(1.0),
            starts: starts.into_iter().map(|start| start + warm_up as f64).collect(),
            exploration,
            noise: settings.flag("exploration_noise"),
            cycles: (asked.unwrap_or(begun), begun),
        };
        // Cycles do not shrink: the first is the shortest, and its last step is the one that samples.
        let OneCycle { start, length, .. } = schedule.cycle_at(0);
        if schedule.explores(0, (start + length).ceil() - 1.0) {
            errors.push(no_sampling(exploration, length));
        }
        if errors.is_empty() { Ok(schedule) } else { Err(errors) }
    }

    /// A cycle by its number, from 0; the last one for larger numbers.
    pub(super) fn cycle_at(&self, number: usize) -> OneCycle {
        let number = number.min(self.starts.len() - 2);
        let (start, end) = (self.starts[number], self.starts[number + 1]);
        let peak = self.initial * self.share_of_peak(number);
        OneCycle { start, length: end - start, peak: peak.max(self.minimum) }
    }

    /// The number of the first cycle that begins after at least `from` steps, if one does.
    pub(super) fn first_from(&self, from: u64) -> Option<usize> {
        let number = self.starts.partition_point(|start| *start < from as f64);
        (number + 1 < self.starts.len()).then_some(number)
    }

    /// The peak of a cycle as a share of the first cycle's.
    pub(super) fn share_of_peak(&self, number: usize) -> f64 {
        libm::pow(self.ratio, number as f64).max(LEAST_PEAK)
    }

    /// The step size at the end of a cycle.
    pub(super) fn minimum(&self) -> f64 {
        self.minimum
    }

    /// The number of the cycle of a step with so many steps before it.
    fn number(&self, before: f64) -> usize {
        let last = self.starts.len() - 1;
        self.starts[..last].partition_point(|start| *start <= before).saturating_sub(1)
    }

    /// Whether the step with so many steps before it explores in its cycle.
    fn explores(&self, number: usize, before: f64) -> bool {
        let OneCycle { start, length, .. } = self.cycle_at(number);
        match self.exploration {
            Exploration::Fraction(share) => (before - start) / length < share,
            Exploration::Steps(steps) => before - start + 1.0 <= steps as f64,
        }
    }
}

/// The starts of cycles of which the first has `length` steps, each `growth` times as long as the one before, until `steps` are
/// over; lengths are rounded up. `None` if there are too many.
fn by_length(length: f64, growth: f64, steps: f64) -> Option<Vec<f64>> {
    let mut starts = vec![0.0];
    let mut end = 0.0;
    while end < steps {
        if starts.len() as u64 > MOST_CYCLES {
            return None;
        }
        end += (length * libm::pow(growth, (starts.len() - 1) as f64)).ceil();
        starts.push(end);
    }
    Some(starts)
}

/// The starts of so many cycles in `steps` steps, each `growth` times as long as the one before. `None` if there are too many.
fn by_number(cycles: u64, growth: f64, steps: u64, whole: bool) -> Option<Vec<f64>> {
    if cycles > MOST_CYCLES || cycles > steps {
        return None;
    }
    let equal = growth <= 1.0;
    let sum = |count: u64| if equal { count as f64 } else { libm::expm1(count as f64 * libm::log(growth)) };
    let first = steps as f64 * (if equal { 1.0 } else { growth - 1.0 } / sum(cycles));
    if first.is_nan() || first < f64::MIN_POSITIVE {
        return None;
    }
    if whole {
        return by_length(if equal { steps.div_ceil(cycles) as f64 } else { first }, growth, steps as f64);
    }
    if first < 1.0 {
        return None;
    }
    // For equal cycles one division of whole numbers, so that a cycle begins at the right step.
    Some((0..=cycles).map(|count| steps as f64 * sum(count) / sum(cycles)).collect())
}

impl Schedule for Uneven {
    fn step_size(&self, k: u64) -> f64 {
        if k <= self.warm_up {
            return self.initial * (k as f64 / self.warm_up as f64);
        }
        let before = k.saturating_sub(1) as f64;
        let OneCycle { start, length, peak } = self.cycle_at(self.number(before));
        let phase = ((before - start) / length).clamp(0.0, 1.0);
        let (_, cosine) = sin_cos_2pi(0.5 * phase);
        self.minimum + 0.5 * (peak - self.minimum) * (cosine + 1.0)
    }

    fn stage(&self, k: u64) -> Stage {
        let before = k.saturating_sub(1) as f64;
        let explores = k <= self.warm_up || self.explores(self.number(before), before);
        if explores { Stage::Exploration { noise: self.noise } } else { Stage::Sampling }
    }

    fn cycle(&self, k: u64) -> Option<u64> {
        Some(self.number(k.saturating_sub(1) as f64) as u64)
    }

    /// The warm-up ends with the first peak, and no later one is higher.
    fn largest(&self, steps: u64) -> f64 {
        self.step_size(steps.clamp(1, self.warm_up + 1))
    }

    fn formula(&self) -> Option<Formula> {
        let starts = list(self.starts.iter().copied());
        let constants = vec![
            ("initial", digits(self.initial)),
            ("minimum", digits(self.minimum)),
            ("ratio", digits(self.ratio)),
            ("warm_up", self.warm_up.to_string()),
            ("starts", starts.clone()),
        ];
        let places = [("warm_up", self.warm_up.to_string()), ("starts", starts)].into_iter();
        let exploring = match self.exploration {
            Exploration::Fraction(share) => Exploring {
                constants: places.chain([("share", digits(share))]).collect(),
                python: &[
                    "cycle = max(bisect.bisect_right(starts, k - 1, 0, len(starts) - 1) - 1, 0)",
                    "phase = (k - 1 - starts[cycle]) / (starts[cycle + 1] - starts[cycle])",
                    "return k <= warm_up or phase < share",
                ],
                noise: self.noise,
            },
            Exploration::Steps(steps) => Exploring {
                constants: places.chain([("steps", steps.to_string())]).collect(),
                python: &[
                    "cycle = max(bisect.bisect_right(starts, k - 1, 0, len(starts) - 1) - 1, 0)",
                    "return k <= warm_up or k - starts[cycle] <= steps",
                ],
                noise: self.noise,
            },
        };
        let python = &[
            "if k <= warm_up:",
            "    return initial * (k / max(warm_up, 1))",
            "cycle = bisect.bisect_right(starts, k - 1, 0, len(starts) - 1) - 1",
            "peak = max(initial * ratio**cycle, minimum)",
            "phase = min((k - 1 - starts[cycle]) / (starts[cycle + 1] - starts[cycle]), 1.0)",
            "return minimum + 0.5 * (peak - minimum) * (math.cos(math.pi * phase) + 1.0)",
        ];
        let jax = &[
            "step = jnp.asarray(k, dtype=float)",
            "edges = jnp.array(starts)",
            "cycle = jnp.clip(jnp.searchsorted(edges, step - 1, side=\"right\") - 1, 0, len(starts) - 2)",
            "peak = jnp.maximum(initial * ratio**cycle, minimum)",
            "phase = jnp.minimum((step - 1 - edges[cycle]) / (edges[cycle + 1] - edges[cycle]), 1.0)",
            "falling = minimum + 0.5 * (peak - minimum) * (jnp.cos(jnp.pi * phase) + 1.0)",
            "return jnp.where(k <= warm_up, initial * (step / max(warm_up, 1)), falling)",
        ];
        Some(Formula { exploring: Some(exploring), ..Formula::new(constants, python, jax) })
    }

    fn remarks(&self) -> Vec<String> {
        let (asked, begun) = self.cycles;
        if begun >= asked {
            return Vec::new();
        }
        vec![format!(
            "only {begun} of the {asked} cycles are run: their lengths are rounded up; with exact cycles all are"
        )]
    }
}

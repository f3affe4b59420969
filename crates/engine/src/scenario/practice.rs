//! What the step sizes of a run are, in words: the step of the method, its noise, the scale of its gradient, the temperature,
//! and which draws are collected.

use base::params::{KindSpec, Settings, Value};
use samplers::methods::Gradient;
use samplers::schedules::{ALPHA, Kept, Practice, Stage, symbol};

use super::{Collect, RunPlan, RunSpec, Scenario, Segment};

/// What is known of the run of a schedule at its first step.
#[derive(Clone, Debug, PartialEq)]
pub struct Facts {
    /// The name of its method in scenario files.
    pub method: &'static str,
    /// The symbol of its step size.
    pub symbol: &'static str,
    /// N, the number of data behind the target, if it has any.
    pub data: Option<usize>,
    /// n, the size of a minibatch, if the gradient is one of minibatches.
    pub batch: Option<usize>,
    /// N/n, the factor of the sum over a minibatch; 1 of other gradients.
    pub factor: f64,
    /// T: the log density is divided by it.
    pub temperature: f64,
    /// Whether T divides the log likelihood alone, without the prior.
    likelihood_alone: bool,
    /// Whether the data are documents, and the method infers topics.
    topics: bool,
}

/// The step of a method.
struct Step {
    /// The name in scenario files.
    method: &'static str,
    /// The step.
    step: &'static str,
    /// The noise that it injects.
    noise: &'static str,
}

const NO_NOISE: &str = "none is injected; draws spread by the gradient noise alone.";
const LANGEVIN: &str = "√(2α) ξ with ξ ~ N(0, I), variance 2α in every coordinate.";
const ADAM: &str = "θ ← θ + η m̂/(√v̂ + 10⁻⁸), m̂ and v̂ Adam's averages of ĝ and ĝ².";

/// The steps of all methods with a step size.
const STEPS: [Step; 27] = [
    Step { method: "gradient-descent", step: "θ ← θ + α ∇log p(θ).", noise: NO_NOISE },
    Step { method: "sgd", step: "θ ← θ + α ĝ.", noise: NO_NOISE },
    Step { method: "adam", step: ADAM, noise: NO_NOISE },
    Step { method: "deep-ensemble", step: ADAM, noise: NO_NOISE },
    Step { method: "anchored-ensemble", step: ADAM, noise: "in anchors and data, drawn once for each member." },
    Step { method: "mc-dropout", step: ADAM, noise: "hidden units dropped at random." },
    Step { method: "langevin", step: "θ ← θ + α ∇log p(θ) + noise.", noise: LANGEVIN },
    Step { method: "sgld", step: "θ ← θ + α ĝ + noise.", noise: LANGEVIN },
    Step { method: "csgld", step: "θ ← θ + α ĝ + noise.", noise: LANGEVIN },
    Step {
        method: "contour-sgld",
        step: "θ ← θ + α [1 + ζ (log w(J) − log w(J−1))/Δu] ĝ + noise, J the bin of the energy −log p(θ) and w(J) its learnt \
               probability; a draw weighs (mΨ)^ζ, Ψ these probabilities joined.",
        noise: LANGEVIN,
    },
    Step {
        method: "psgld",
        step: "θ ← θ + α (G ĝ + Γ) + noise, G = 1/(δ + √v), v the average of ĝ², or of (ĝ/N)² with scale = \"mean\".",
        noise: "√(2αG) ξ with ξ ~ N(0, I), variance 2αG.",
    },
    Step {
        method: "sghmc",
        step: "p ← (1 − a) p + α ĝ + noise, θ ← θ + p.",
        noise: "variance 2α(a − β̂), β̂ = αV/2 with friction_correction and V the variance of ĝ, else β̂ = 0.",
    },
    Step {
        method: "csghmc",
        step: "p ← (1 − a) p + α ĝ + noise, θ ← θ + p.",
        noise: "variance 2α(a − β̂), β̂ = αV/2 with friction_correction and V the variance of ĝ, else β̂ = 0.",
    },
    Step {
        method: "sgnht",
        step: "p ← (1 − ξh) p + h ĝ + noise, θ ← θ + h p, ξ ← ξ + h (pᵀp/d − 1).",
        noise: "variance 2Ah in every coordinate.",
    },
    Step {
        method: "random-walk",
        step: "θ′ = θ + noise, accepted with probability min(1, p(θ′)/p(θ)).",
        noise: LANGEVIN,
    },
    Step {
        method: "adaptive-metropolis",
        step: "θ′ = θ + noise, accepted with probability min(1, p(θ′)/p(θ)).",
        noise: "N(0, 2α I) at first; after the steps before adaptation N(0, 2.38²/d (Σ + ε I)), Σ the covariance of the chain's \
                past, whatever α is.",
    },
    Step {
        method: "mala",
        step: "θ′ = θ + α ĝ + noise, accepted or rejected by the Metropolis rule.",
        noise: LANGEVIN,
    },
    Step {
        method: "barker",
        step: "θ′ = θ + w, wᵢ = ±zᵢ with + in a share 1/(1 + exp(−zᵢ ∂ᵢ log p)); θ′ is accepted or rejected by the Metropolis \
               rule.",
        noise: "z ~ N(0, 2α I), with α as for Langevin steps: small steps have drift α ∇log p(θ).",
    },
    Step {
        method: "hmc",
        step: "L leapfrog steps of size h from a new momentum r ~ N(0, I); the end is a proposal.",
        noise: "in the new momentum of every step alone.",
    },
    Step {
        method: "nuts",
        step: "leapfrog steps of size h from a new momentum r ~ N(0, I), forward and backward until the ends turn towards each \
               other; the draw is one of their points, chosen by exp(−H).",
        noise: "in the new momentum of every step, in the directions, and in the choice of the point.",
    },
    Step {
        method: "mclmc",
        step: "u ← (u + ν ξ)/‖u + ν ξ‖, a turn of u by ∇log p over h/2, θ ← θ + h u, the same turn; ‖u‖ = 1.",
        noise: "in the direction u alone, ξ ~ N(0, I) with ν = √((e^(2h/L) − 1)/d).",
    },
    Step {
        method: "parallel-tempering",
        step: "Metropolis steps of size αT for p^(1/T) at every temperature T, then exchanges of neighbours; the draws are those at T = 1.",
        noise: "√(2αT) ξ with ξ ~ N(0, I) at temperature T.",
    },
    Step {
        method: "demcz",
        step: "θ′ = θ + γ (z₁ − z₂) + noise with two past positions z, accepted with probability min(1, p(θ′)/p(θ)).",
        noise: LANGEVIN,
    },
    Step {
        method: "svgd",
        step: "θ_i ← θ_i + α (1/n) Σ_j [k(θ_j, θ_i) ĝ(θ_j) + ∇k(θ_j, θ_i)] over n particles, k a Gaussian kernel.",
        noise: "none is injected.",
    },
    Step {
        method: "gaussian-vi",
        step: "Adam with η on the mean and the scale of q, along the gradient of the ELBO.",
        noise: "none is injected; gradients are estimated from draws of q.",
    },
    Step { method: "swag", step: "θ ← θ + α ĝ; the fit has the moments of these iterates.", noise: NO_NOISE },
    Step {
        method: "svi",
        step: "λ ← (1 − ρ) λ + ρ λ̂, λ the parameters of q and λ̂ the intermediate estimate.",
        noise: "none is injected; λ̂ is estimated from a minibatch or from draws of q.",
    },
];

/// SGRLD is a method of topics alone.
const SGRLD: Step = Step {
    method: "sgrld",
    step: "ω ← |ω + α (η − ω + (D/B) Σ (n_kw − π_kw n_k)) + noise| of topics β = ω/Σω; Patterson and Teh's ε is 2α.",
    noise: "√(2αω) ξ with ξ ~ N(0, I).",
};

fn step_of(method: &str) -> Option<&'static Step> {
    STEPS.iter().chain([&SGRLD]).find(|step| step.method == method)
}

/// Symbol of the step size of a method, if it has one.
#[must_use]
pub fn step_symbol(method: &KindSpec) -> Option<&'static str> {
    method.param("step_size").map(symbol)
}

/// What the numbers of a run's schedule are, and which draws it collects.
#[must_use]
pub fn practice(scenario: &Scenario, spec: &RunSpec, plan: &RunPlan) -> (Practice, Facts) {
    let facts = |segment: &Segment| {
        let settings = scenario.settings_at(spec, segment.from);
        Facts::new(&settings, target_settings(scenario, segment.from), segment)
    };
    let mut notes: Vec<String> = Vec::new();
    let mut before: Vec<String> = Vec::new();
    for segment in &plan.segments {
        let settings = scenario.settings_at(spec, segment.from);
        let lines = facts(segment).lines(&settings, segment);
        if segment.from > 0 && lines != before {
            notes.push(format!("From step {} on:", segment.from + 1));
        }
        if lines != before {
            notes.extend(lines.iter().cloned());
        }
        before = lines;
    }
    let kept = plan.segments.iter().map(|segment| match (segment.samples, segment.collect) {
        (false, _) => Kept::None,
        (true, Collect { burn_in, thin, .. }) => Kept::Every { burn_in, thin },
    });
    let kept = kept.collect();
    let first = plan.segments.first().map_or_else(|| Facts::unknown(spec.settings.kind.name), facts);
    (Practice { notes, kept }, first)
}

/// The settings of the target after `step` steps.
fn target_settings(scenario: &Scenario, step: u64) -> &Settings {
    let changed = scenario.events.iter().rev().filter(|event| event.step <= step).find_map(|event| event.target());
    changed.unwrap_or(&scenario.target)
}

impl Facts {
    fn unknown(method: &'static str) -> Self {
        Self {
            method,
            symbol: ALPHA,
            data: None,
            batch: None,
            factor: 1.0,
            temperature: 1.0,
            likelihood_alone: false,
            topics: false,
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "numbers of data are far below 2⁵³")]
    fn new(settings: &Settings, target: &Settings, segment: &Segment) -> Self {
        let data = segment.data;
        let batch = match segment.gradient {
            Gradient::Minibatch { size, .. } => Some(size),
            Gradient::Exact | Gradient::Noisy { .. } => None,
        };
        let factor = batch.zip(data).map_or(1.0, |(batch, data)| data as f64 / batch.max(1) as f64);
        let temperature = match target.get("temperature") {
            Some(Value::Number(temperature)) => *temperature,
            _ => 1.0,
        };
        let symbol = step_symbol(settings.kind).unwrap_or(ALPHA);
        let likelihood_alone = matches!(target.get("temper"), Some(Value::Choice("likelihood")));
        let topics = segment.method.inference().is_some();
        Self { method: settings.kind.name, symbol, data, batch, factor, temperature, likelihood_alone, topics }
    }

    /// The lines of a text.
    fn lines(&self, settings: &Settings, segment: &Segment) -> Vec<String> {
        let Self { symbol, .. } = *self;
        let mut lines = vec![self.step(), self.gradient(segment), self.noise(segment), self.temperature()];
        if settings.get("metropolis") == Some(&Value::Flag(true)) {
            lines[0].push_str(" It is a proposal, accepted or rejected by the Metropolis rule.");
        }
        lines.extend(self.scale());
        if symbol == ALPHA && segment.method.langevin() {
            let numbers = match settings.at("step_size.convention") {
                Some(Value::Choice("welling-teh")) => "The scenario has its numbers as ε; here they are α = ε/2.",
                _ => "The scenario has its numbers as α too.",
            };
            lines.push(format!("Welling and Teh's ε is 2α: their step is (ε/2) ĝ + √ε ξ. {numbers}"));
        }
        lines.push(collection(segment));
        lines
    }

    fn step(&self) -> String {
        let step = step_of(self.method).map_or("", |step| step.step);
        format!("Method {}, step size {}: {step}", self.method, self.symbol)
    }

    /// What ĝ is.
    fn gradient(&self, segment: &Segment) -> String {
        match (segment.gradient, self.data) {
            (Gradient::Minibatch { size, .. }, Some(data)) if self.topics => format!(
                "Gradient: sums over a batch of B = {size} of D = {data} documents count D/B = {} times.",
                self.factor
            ),
            (_, Some(data)) if self.topics => {
                format!("Gradient: all D = {data} documents in every step; no factor D/B.")
            }
            (Gradient::Minibatch { size, .. }, Some(data)) => format!(
                "Gradient: ĝ = ∇log prior + (N/n) Σ ∇log p(x|θ) over n = {size} of N = {data} data, so N/n = {}.",
                self.factor
            ),
            (Gradient::Noisy { variance, .. }, _) => {
                format!("Gradient: ĝ = ∇log p(θ) + N(0, V I) with V = {variance}, in the place of minibatches.")
            }
            (_, Some(data)) => {
                format!("Gradient: ĝ = ∇log p(θ), the log posterior of all N = {data} data; no factor N/n.")
            }
            (_, None) => "Gradient: ĝ = ∇log p(θ) of a density without data; there is no factor N/n.".to_owned(),
        }
    }

    fn temperature(&self) -> String {
        if self.temperature.to_bits() == 1.0_f64.to_bits() {
            "Temperature: T = 1. For another T divide log p by it, or multiply the variance of the noise by it."
                .to_owned()
        } else {
            let divided = if self.likelihood_alone { "the log likelihood" } else { "log prior and log likelihood" };
            format!(
                "Temperature: T = {}. log p(θ) has {divided} divided by it; the noise is that of T = 1.",
                self.temperature
            )
        }
    }

    fn noise(&self, segment: &Segment) -> String {
        let mut line = format!("Noise: {}", step_of(self.method).map_or("", |step| step.noise));
        if segment.gradient != segment.gradient.uncompensated() {
            line.push_str(" Its variance is smaller by that which ĝ brings, α² times the variance V of ĝ, down to 0.");
        }
        // Every cycle begins with its exploration stage.
        let silent = segment.schedule.stage(1) == Stage::Exploration { noise: false };
        if silent && step_of(self.method).is_some_and(|step| step.noise != NO_NOISE) {
            line.push_str(" There is none in exploration stages.");
        }
        line
    }

    /// What a learning rate is.
    fn scale(&self) -> Vec<String> {
        match self.symbol {
            ALPHA if self.topics => vec!["Scale: α is no learning rate of a loss: the step is one in ω.".to_owned()],
            ALPHA => {
                let (data, rate) = match self.data {
                    None => ("N data".to_owned(), String::new()),
                    Some(data) => (format!("the N = {data} data"), format!(" = {data} α")),
                };
                vec![
                    "Scale: lr = α for a loss that is −log p(θ), the sum over all data with the prior.".to_owned(),
                    format!(
                        "For a mean over {data}, −log p(θ)/N, it is lr = Nα{rate}; the noise keeps its 2α, which is 2 lr/N then."
                    ),
                ]
            }
            "h" => vec![
                "Scale: lr = h, a time step, for a loss that is −log p(θ), the sum over all data with the prior."
                    .to_owned(),
            ],
            "η" => vec!["Scale: lr = η of Adam, whether the loss is a sum over data or a mean.".to_owned()],
            "ρ" => vec!["Scale: ρ is a share between 0 and 1, no learning rate of a gradient.".to_owned()],
            _ => Vec::new(),
        }
    }
}

/// Which draws are collected.
fn collection(segment: &Segment) -> String {
    let Collect { burn_in, thin, weighted } = segment.collect;
    if !segment.samples {
        return "Collected: nothing, as the method makes no draws.".to_owned();
    }
    let every = if thin == 1 { "every draw".to_owned() } else { format!("one draw in {thin}") };
    let stage = if segment.schedule.cycle(1).is_some() { " of a sampling stage" } else { "" };
    let after = if burn_in == 0 { String::new() } else { format!(" after {burn_in} steps of burn-in") };
    let weight = if weighted { "; each counts in proportion to its step size" } else { "" };
    format!("Collected: {every}{stage}{after}{weight}.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use samplers::methods::METHODS;

    #[test]
    fn every_method_with_a_step_size_says_its_step_and_its_noise() {
        let known: Vec<&str> = STEPS.iter().chain([&SGRLD]).map(|step| step.method).collect();
        let with_steps: Vec<&str> =
            METHODS.iter().filter(|kind| step_symbol(kind).is_some()).map(|kind| kind.name).collect();
        assert!(with_steps.iter().all(|name| known.contains(name)), "{with_steps:?} against {known:?}");
        assert_eq!(known.len(), with_steps.len(), "no method twice, and none that has no step size");
        for step in STEPS.iter().chain([&SGRLD]) {
            let symbol = METHODS.iter().find(|kind| kind.name == step.method).and_then(step_symbol).unwrap();
            assert!([step.step, step.noise].concat().contains(symbol), "{} does not say {symbol}", step.method);
        }
    }
}

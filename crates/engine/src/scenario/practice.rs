//! What the step sizes of a run are, in words: the step of the method, its noise, the scale of its gradient, the temperature,
//! and which draws are collected.

use base::params::{KindSpec, ParamSpec, ParamType, Settings, Value};
use samplers::methods::{self, Gradient, StepScale, StepSpec};
use samplers::schedules::{ALPHA, Kept, Momentum, Practice, Program, Stage, StepKind, in_epsilon};

use super::{Collect, RunPlan, RunSpec, Scenario, Segment};

/// What is known of the run of a schedule at its first step.
#[derive(Clone, Debug, PartialEq)]
pub struct Facts {
    /// The name of its method in scenario files.
    pub method: &'static str,
    /// The symbol of its step size.
    pub symbol: &'static str,
    /// What it says of its step.
    step: Option<&'static StepSpec>,
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

/// What is said of steps without injected noise.
const NO_NOISE: &str = "none is injected; draws spread by the gradient noise alone.";

/// Symbol of the step size of a method, if it has one.
#[must_use]
pub fn step_symbol(method: &KindSpec) -> Option<&'static str> {
    methods::step(method).map(|step| step.scale.symbol())
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
    let programs = plan.segments.iter().map(|segment| program(&scenario.settings_at(spec, segment.from), segment));
    let programs: Vec<Program> = programs.collect();
    let program = programs.first().filter(|first| programs.iter().all(|program| program == *first)).cloned();
    let step = first.kind(plan, program.is_some());
    (Practice { notes, kept, program, step }, first)
}

/// The program of a method with the options that the settings give it.
fn program(settings: &Settings, segment: &Segment) -> Program {
    let of = |spec: &ParamSpec| {
        let value = match (settings.get(spec.key), spec.ty) {
            (None, _) => "None".to_owned(),
            // Whole numbers are no others in Python.
            (Some(Value::Number(number)), ParamType::Integer { .. }) => format!("{number:.0}"),
            (Some(Value::Number(number)), _) => format!("{number:?}"),
            (Some(Value::Flag(flag)), _) => if *flag { "True" } else { "False" }.to_owned(),
            (Some(Value::Choice(word)), _) => format!("\"{word}\""),
            _ => return None,
        };
        Some((spec.key, value))
    };
    Program {
        code: methods::algorithm(settings.kind).code,
        options: settings.kind.params.iter().filter_map(of).collect(),
        compensates: segment.gradient != segment.gradient.uncompensated(),
    }
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
            step: None,
            data: None,
            batch: None,
            factor: 1.0,
            temperature: 1.0,
            likelihood_alone: false,
            topics: false,
        }
    }

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
        let step = methods::step(settings.kind);
        Self { method: settings.kind.name, symbol, step, data, batch, factor, temperature, likelihood_alone, topics }
    }

    /// What the steps of its run are to other libraries, of one that has the `same` method throughout.
    fn kind(&self, plan: &RunPlan, same: bool) -> StepKind {
        let is_silent = self.step.is_some_and(|step| step.noise.is_none() && step.scale == StepScale::Langevin);
        let momenta: Vec<Option<Momentum>> = plan.segments.iter().map(momentum).collect();
        if let Some(Some(first)) = momenta.first().filter(|first| momenta.iter().all(|other| other == *first)) {
            StepKind::Momentum(*first)
        } else if plan.segments.iter().all(|segment| segment.method.langevin()) {
            StepKind::NoisyDescent
        } else if is_silent && same && !self.topics {
            StepKind::Descent
        } else {
            StepKind::Other
        }
    }

    /// The lines of a text.
    fn lines(&self, settings: &Settings, segment: &Segment) -> Vec<String> {
        let Self { symbol, .. } = *self;
        let mut lines = vec![self.step(segment), self.gradient(segment), self.noise(segment), self.temperature()];
        if settings.get("metropolis") == Some(&Value::Flag(true)) {
            lines[0].push_str(" It is a proposal, accepted or rejected by the Metropolis rule.");
        }
        lines.extend(self.scale());
        if symbol == ALPHA && segment.method.langevin() {
            let numbers = if settings.group("step_size").is_some_and(in_epsilon) {
                "The scenario has its numbers as ε; here they are α = ε/2."
            } else {
                "The scenario has its numbers as α too."
            };
            lines.push(format!("Welling and Teh's ε is 2α: their step is (ε/2) ĝ + √ε ξ. {numbers}"));
        }
        lines.push(collection(segment));
        lines
    }

    fn step(&self, segment: &Segment) -> String {
        let formula = self.step.map_or("", |step| step.formula);
        let friction = segment.method.friction().filter(|(friction, _)| *friction < 1.0);
        let friction = friction.map(|(friction, _)| format!(" Friction a = {friction}.")).unwrap_or_default();
        format!("Method {}, step size {}: {formula}{friction}", self.method, self.symbol)
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
        let mut line = format!("Noise: {}", self.step.map_or("", |step| step.noise.unwrap_or(NO_NOISE)));
        if segment.gradient != segment.gradient.uncompensated() {
            line.push_str(" Its variance is smaller by that which ĝ brings, α² times the variance V of ĝ, down to 0.");
        }
        // Every cycle begins with its exploration stage.
        let silent = segment.schedule.stage(1) == Stage::Exploration { noise: false };
        if silent && self.step.is_some_and(|step| step.noise.is_some()) {
            line.push_str(" There is none in exploration stages.");
        }
        line
    }

    /// What a learning rate is.
    fn scale(&self) -> Vec<String> {
        match self.step.map_or(StepScale::Langevin, |step| step.scale) {
            StepScale::Langevin if self.topics => {
                vec!["Scale: α is no learning rate of a loss: the step is one in ω.".to_owned()]
            }
            StepScale::Langevin => {
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
            StepScale::Time { .. } | StepScale::Length => vec![
                "Scale: lr = h, a time step, for a loss that is −log p(θ), the sum over all data with the prior."
                    .to_owned(),
            ],
            StepScale::LearningRate => {
                vec!["Scale: lr = η of Adam, whether the loss is a sum over data or a mean.".to_owned()]
            }
            StepScale::Weight => {
                vec!["Scale: ρ is a share between 0 and 1, no learning rate of a gradient.".to_owned()]
            }
        }
    }
}

/// The momentum and the noise of the steps, of methods with such steps.
fn momentum(segment: &Segment) -> Option<Momentum> {
    let (friction, subtracts) = segment.method.friction()?;
    let subtracts = subtracts || segment.gradient != segment.gradient.uncompensated();
    let varies = subtracts && matches!(segment.gradient, Gradient::Minibatch { .. });
    let variance = match segment.gradient {
        Gradient::Noisy { variance, .. } if subtracts => variance,
        _ => 0.0,
    };
    Some(Momentum { friction, variance, varies })
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

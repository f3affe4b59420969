//! Adam: gradient ascent on the log density with a step size for each coordinate, from moving averages of the gradient and of
//! its square.
//!
//! m ← β₁ m + (1 − β₁) ĝ, v ← β₂ v + (1 − β₂) ĝ², θ ← θ + η m̂/(√v̂ + ε), with m̂ = m/(1 − β₁ᵗ) and v̂ = v/(1 − β₂ᵗ), ĝ an
//! estimate of ∇ log p(θ), ε = 10⁻⁸, and t the number of the step since the method began.
//!
//! Kingma and Ba (2015), "Adam: A method for stochastic optimization", ICLR, arXiv:1412.6980, algorithm 1. With the full
//! gradient it converges to a mode: of a posterior, the maximum a posteriori (MAP) estimate. Since θ moves by about η per step
//! whatever the scale of the gradient, a step size suits many targets; a chain ends at the mode only up to some η, so
//! η has to fall for the last digits. Injected noise is not part of it: exploration and sampling stages are the same.
//!
//! [`super::deep_ensemble`] is this method from draws of the prior, [`super::anchored_ensemble`] and [`crate::methods::approximations::mc_dropout`] the
//! same for other objectives.

use std::sync::Arc;

use crate::methods::kit::parameters;
use crate::methods::kit::stepwise::{self, Step};
use crate::methods::sources;
use crate::methods::{
    Chunk, Gradient, Method, MethodEntry, MethodGroup, Needs, Population, Problem, Scratch, StepRecord, StepScale,
    StepSpec, Terms,
};
use crate::schedules::Stage;
use base::math::elementary::Kernel;
use base::math::{Coords, Decay, adam_scale};
use base::params::{KindSpec, ParamError, ParamSpec, Settings};

const PARAMS: [ParamSpec; 8] = [
    parameters::CHAINS,
    parameters::ASCENT_STEPS,
    parameters::START,
    parameters::PLAIN_GRADIENT,
    parameters::LEARNING_RATE,
    parameters::BETA_1,
    parameters::BETA_2,
    parameters::COLLECT,
];

/// The step, also of methods that take the same one.
pub(crate) const STEP: StepSpec = StepSpec {
    formula: "θ ← θ + η m̂/(√v̂ + 10⁻⁸), m̂ and v̂ Adam's averages of ĝ and ĝ².",
    noise: None,
    scale: StepScale::LearningRate,
};

pub(crate) const ENTRY: MethodEntry = MethodEntry {
    spec: KindSpec {
        name: "adam",
        label: "Adam",
        help: "The optimiser with which networks are usually trained (Kingma and Ba 2015). It converges to a mode, the maximum \
               a posteriori (MAP) estimate; its draws are no sample from the target.",
        params: &PARAMS,
    },
    group: MethodGroup::Optimisers,
    build,
    step: Some(STEP),
    algorithm: include_str!("adam_ascent.py"),
    sources: &[sources::KINGMA_BA],
    usual: None,
};

/// The algorithm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AdamAscent {
    /// β₁ and β₂.
    pub decay: Decay,
    /// Whether all chains start at draws from the prior: a deep ensemble.
    pub from_prior: bool,
}

/// Names of the moving averages, and of β₁ᵗ and β₂ᵗ.
pub(crate) const CARRIES: [&str; 3] = ["mean gradient", "mean square", "decay"];

/// The auxiliary state before the first step, of chains at `starts`.
pub(crate) fn begin(starts: &Coords) -> Vec<Coords> {
    let averages = Coords::zeros(starts.dimension(), starts.len());
    let mut decayed = Coords::zeros(2, starts.len());
    decayed.values_mut().fill(1.0);
    vec![averages.clone(), averages, decayed]
}

/// Takes a chunk of steps. `fill` puts the gradients of the objective into the scratch memory, and for as many chains as it is
/// given the gradients without noise; `done` sees the chains after every step.
pub(crate) fn advance(
    decay: Decay,
    chains: &mut Population,
    chunk: Chunk<'_>,
    mut fill: impl FnMut(&Problem<'_>, &Step<'_>, &Population, &mut Scratch, usize),
    mut done: impl FnMut(&Problem<'_>, &mut Population),
) {
    let Chunk { problem, steps, randomness, mut track, scratch } = chunk;
    for step in stepwise::each(steps, randomness, &chains.positions) {
        let records = step.records(&mut track);
        fill(problem, &step, chains, scratch, records.len());
        count_step(decay, chains);
        begin_records(problem, (&step, decay), chains, scratch, records);
        go(problem, (&step, decay), chains, scratch);
        done(problem, chains);
        for (chain, record) in records.iter_mut().enumerate() {
            record.to = problem.position(&chains.positions, chain);
        }
        step.keep(problem, chains, &mut track);
    }
}

/// β₁ᵗ and β₂ᵗ of this step.
fn count_step(decay: Decay, chains: &mut Population) {
    let Some(decayed) = chains.carried.get_mut(2) else { return };
    for (axis, decay) in [decay.first, decay.second].into_iter().enumerate() {
        decayed.axis_mut(axis).iter_mut().for_each(|decayed| *decayed *= decay);
    }
}

/// Updates the averages and moves the chains, and folds them back into the support.
fn go(problem: &Problem<'_>, (step, decay): (&Step<'_>, Decay), chains: &mut Population, scratch: &Scratch) {
    let Population { positions, carried, .. } = &mut *chains;
    let [first, second, decayed, ..] = &mut carried[..] else { return };
    let decayed = [decayed.axis(0), decayed.axis(1)];
    let averages = first.axes_mut().zip(second.axes_mut());
    for (axis, (x, (first, second))) in positions.axes_mut().zip(averages).enumerate().take(problem.free) {
        let g = scratch.gradient.axis(axis);
        problem.simd.dispatch(AdamMove { alpha: step.alpha, decay, decayed, g, first, second, x });
    }
    problem.fold(positions);
}

/// Records the parts of the step before it is taken: what the average holds of earlier gradients is carried.
fn begin_records(
    problem: &Problem<'_>,
    (step, decay): (&Step<'_>, Decay),
    chains: &Population,
    scratch: &Scratch,
    records: &mut [StepRecord],
) {
    let [first, second, decayed, ..] = &chains.carried[..] else { return };
    let Scratch { gradient, full, .. } = scratch;
    for (chain, record) in records.iter_mut().enumerate() {
        let corrections = [0, 1].map(|axis| 1.0 - decayed.get(chain, axis));
        // The step is linear in m, so each part of m has a step of its own.
        let share = |axis: usize, part: f64| {
            let g = gradient.get(chain, axis);
            let square = decay.second * second.get(chain, axis) + (1.0 - decay.second) * (g * g);
            step.alpha * (part / corrections[0]) / adam_scale(square, corrections[1])
        };
        let error = |axis| gradient.get(chain, axis) - full.get(chain, axis);
        let share_of = |g: &dyn Fn(usize) -> f64| problem.displacement(|axis| (1.0 - decay.first) * g(axis));
        let terms = Terms {
            carried: Some(problem.displacement(|axis| decay.first * first.get(chain, axis))),
            gradient: Some([share_of(&|axis| full.get(chain, axis)), share_of(&error)]),
            noise: None,
        };
        *record = StepRecord {
            terms: Some(terms),
            from: problem.position(&chains.positions, chain),
            carried: problem.displacement(|axis| share(axis, decay.first * first.get(chain, axis))),
            drift: problem.displacement(|axis| share(axis, (1.0 - decay.first) * full.get(chain, axis))),
            gradient_noise: problem.displacement(|axis| share(axis, (1.0 - decay.first) * error(axis))),
            ..StepRecord::default()
        };
    }
}

impl Method for AdamAscent {
    fn needs(&self, gradient: &Gradient) -> Needs {
        Needs { vectors: gradient.vectors(), ..Needs::default() }
    }

    fn carries(&self) -> &'static [&'static str] {
        &CARRIES
    }

    fn starts_from_prior(&self) -> bool {
        self.from_prior
    }

    fn init(&self, starts: Coords, _alpha: f64, _normals: Coords) -> Population {
        Population { carried: begin(&starts), ..Population::at(starts) }
    }

    fn stable_below(&self, _curvature: f64) -> Option<f64> {
        None
    }

    fn advance(&self, chains: &mut Population, chunk: Chunk<'_>) {
        let fill = |problem: &Problem<'_>, step: &Step<'_>, chains: &Population, scratch: &mut Scratch, recorded| {
            scratch.fill_estimates(problem, step, chains);
            if recorded > 0 {
                scratch.fill_full(problem, chains, recorded);
            }
        };
        advance(self.decay, chains, chunk, fill, |_, _| ());
    }

    fn evaluations(&self, gradient: &Gradient, data: usize, _stage: Stage) -> f64 {
        gradient.uncompensated().cost(data)
    }
}

/// The move along one axis.
struct AdamMove<'a> {
    alpha: f64,
    decay: Decay,
    /// β₁ᵗ and β₂ᵗ of all chains.
    decayed: [&'a [f64]; 2],
    g: &'a [f64],
    first: &'a mut [f64],
    second: &'a mut [f64],
    x: &'a mut [f64],
}

impl Kernel for AdamMove<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { alpha, decay, decayed, g, first, second, x } = self;
        let decayed = decayed[0].iter().zip(decayed[1]);
        let averages = first.iter_mut().zip(second).zip(decayed);
        for ((x, g), ((first, second), decayed)) in x.iter_mut().zip(g).zip(averages) {
            let corrections = [1.0 - decayed.0, 1.0 - decayed.1];
            *x += decay.step([first, second], *g, alpha, corrections);
        }
    }
}

/// Rejects numbers that are given as Welling and Teh's ε, which are no learning rates.
pub(crate) fn check_convention(settings: &Settings) -> Result<(), Vec<ParamError>> {
    let problem = "the step size of this method is Adam's learning rate, not Welling and Teh's ε";
    parameters::check_convention(settings, problem, "langevin, with the numbers as learning rates")
}

fn build(settings: &Settings) -> Result<Arc<dyn Method>, Vec<ParamError>> {
    check_convention(settings)?;
    Ok(Arc::new(AdamAscent { decay: parameters::decay(settings), from_prior: false }))
}

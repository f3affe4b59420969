//! Monte Carlo dropout: a network is trained with hidden units dropped at random, and predicts with units dropped as well.
//!
//! Every hidden unit is kept with probability 1 − p, and its activation is then h/(1 − p); otherwise it is 0. Training maximises
//!
//! Σᵢ E_z log p(yᵢ | f(xᵢ; θ, z)) − ½ Σⱼ κⱼ (θⱼ/sⱼ)²
//!
//! with the steps of Adam ([`crate::methods::optimisers::adam_ascent`]) along gradients with a mask z of its own for every datum, chain and step. To
//! predict, a draw of θ has one mask for all inputs, so that its function is smooth: dropping a unit is the same as multiplying its
//! outgoing weights by z/(1 − p), which makes a draw an ordinary weight vector. With p = 0 the method is Adam, to the bit.
//!
//! Gal and Ghahramani (2016), "Dropout as a Bayesian approximation: representing model uncertainty in deep learning", ICML,
//! arXiv:1506.02142. κ = 1 is a MAP estimate with dropout. With `gal` it is 1/(1 − p) for the weights behind hidden units, which
//! is the weight decay ½ (1 − p) M²/s² of the paper for M = θ/(1 − p). The standard deviation of the noise is that of the target
//! and is not learned: in their notation τ = σ⁻². Units are dropped in hidden layers only.
//!
//! The spread of the draws depends on p and on θ, not on the number of data: it is no approximation that becomes exact.

use std::sync::Arc;

use super::gaussian_fit;
use super::sources;
use crate::methods::kit::parameters;
use crate::methods::kit::stepwise::Step;
use crate::methods::optimisers::adam_ascent;
use crate::methods::{
    Chunk, FitRecord, FitSpace, FitState, Fitting, Gradient, MaskedVector, Method, MethodEntry, MethodGroup,
    MixtureWeights, Needs, OnDensities, Population, Predictive, Problem, Scratch, StartAt, StepSpec,
    VectorDistribution,
};
use crate::schedules::Stage;
use base::math::{Coords, Decay};
use base::params::{Choice, DefaultValue, Interval, KindSpec, ParamError, ParamSpec, ParamType, Settings};
use models::targets::{Dropout, Model, Space};

/// Range of p: below 1, so that units can be kept.
const RATES: Interval = Interval { min: 0.0, max: 0.99, open_min: false, open_max: false };

const PARAMS: [ParamSpec; 10] = [
    gaussian_fit::CHAINS,
    parameters::fit_steps(20_000.0),
    parameters::START,
    parameters::PLAIN_GRADIENT,
    parameters::LEARNING_RATE,
    ParamSpec::number(
        "rate",
        "dropout rate p",
        0.1,
        RATES,
        (0.0, 0.5),
        "Probability with which a hidden unit is dropped, in training and in prediction. It sets the spread of the functions.",
    ),
    ParamSpec::of(
        "decay",
        "weight decay",
        ParamType::Choice(&[
            Choice { name: "prior", label: "prior", help: "That of the prior, as for a MAP estimate: κ = 1." },
            Choice {
                name: "gal",
                label: "Gal",
                help: "That of Gal and Ghahramani: κ = 1/(1 − p) for the outgoing weights of hidden units.",
            },
        ]),
        DefaultValue::Word("prior"),
        "Weight decay: the factor κ of the prior's pull θ/s² towards 0.",
    )
    .folded(),
    parameters::BETA_1,
    parameters::BETA_2,
    parameters::DRAWS,
];

pub(crate) const ENTRY: MethodEntry = MethodEntry {
    spec: KindSpec {
        name: "mc-dropout",
        label: "MC dropout",
        help: "Trains one network with Adam while hidden units are dropped at random, and predicts with units dropped as well (Gal \
               and Ghahramani 2016). A draw is the network with one set of dropped units.",
        params: &PARAMS,
    },
    group: MethodGroup::Approximations,
    build,
    step: Some(StepSpec { noise: Some("hidden units dropped at random."), ..adam_ascent::STEP }),
    algorithm: include_str!("mc_dropout.py"),
    sources: &[sources::GAL_GHAHRAMANI],
    usual: None,
};

/// The algorithm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct McDropout {
    /// 1 − p.
    pub keep: f64,
    /// Whether κ is 1/(1 − p) for weights behind hidden units; 1 otherwise.
    pub gal: bool,
    /// β₁ and β₂ of Adam.
    pub decay: Decay,
    /// Number of draws that are shown.
    pub draws: usize,
}

/// The error of a target without hidden units.
fn unsuited() -> ParamError {
    let problem = "dropout needs a network with hidden units";
    ParamError::new("method", problem, "on this target: adam, laplace, gaussian-vi, or a sampler")
}

impl Method for McDropout {
    fn needs(&self, gradient: &Gradient) -> Needs {
        Needs { vectors: gradient.vectors(), uniforms: 0, masks: true }
    }

    fn fitting(&self) -> Option<Fitting> {
        Some(Fitting {
            draws: self.draws,
            space: FitSpace::Theta,
            initial_sd: None,
            start_at: StartAt::RunStart,
            mixture_weights: MixtureWeights::Equal,
            predictive: Predictive::Sampled,
            spread: 1.0,
        })
    }

    fn on(&self, space: &Space) -> Result<Arc<dyn Method>, ParamError> {
        let itself = self.on_densities(space)?;
        let network = space.model().and_then(Model::network);
        let hidden = network.is_some_and(|network| network.layout().hidden_units() > 0);
        if hidden { Ok(itself) } else { Err(unsuited()) }
    }

    fn carries(&self) -> &'static [&'static str] {
        &adam_ascent::CARRIES
    }

    fn init(&self, starts: Coords, _alpha: f64, _normals: Coords) -> Population {
        Population { carried: adam_ascent::begin(&starts), ..Population::at(starts) }
    }

    fn distribution(&self, model: &dyn Model, chains: &Population, chain: usize) -> Option<VectorDistribution> {
        let vector = chains.positions.vector(chain).collect();
        Some(VectorDistribution::Masked(MaskedVector::new(vector, model, self.keep)))
    }

    fn advance(&self, chains: &mut Population, chunk: Chunk<'_>) {
        let fill = |problem: &Problem<'_>, step: &Step<'_>, chains: &Population, scratch: &mut Scratch, _| {
            self.fill_gradients(problem, step, chains, scratch);
        };
        adam_ascent::advance(self.decay, chains, chunk, fill, note);
    }

    fn evaluations(&self, gradient: &Gradient, data: usize, _stage: Stage) -> f64 {
        gradient.uncompensated().cost(data)
    }
}

impl McDropout {
    /// Fills in the gradients of the objective, with fresh masks.
    fn fill_gradients(&self, problem: &Problem<'_>, step: &Step<'_>, chains: &Population, scratch: &mut Scratch) {
        let Scratch { gradient, full, memory, .. } = scratch;
        gradient.resize(chains.positions.dimension(), chains.len());
        let dropout = Dropout {
            keep: self.keep,
            decay: if self.gal { 1.0 / self.keep } else { 1.0 },
            uniforms: step.uniforms(),
            batches: (problem.gradient.batch_size() > 0).then_some(step.batches),
        };
        let Some(model) = problem.model else { return };
        model.dropout_gradients(problem.simd, &chains.positions, dropout, memory, gradient);
        problem.gradient.disturb(problem, 1.0, step.normals(0), gradient);
        full.clone_from(gradient);
    }
}

/// Notes the records after a step.
fn note(problem: &Problem<'_>, chains: &mut Population) {
    let cost = problem.gradient.uncompensated().cost(problem.data_count());
    let reach = problem.reach();
    let Population { positions, fits, .. } = chains;
    for (chain, fit) in fits.iter_mut().enumerate() {
        let lost = !positions.vector(chain).all(|weight| weight.abs() <= reach);
        let state = if lost { FitState::Diverged } else { FitState::Training };
        let evaluations = fit.record.evaluations + if lost { 0.0 } else { cost };
        fit.record = FitRecord { state, evaluations, ..FitRecord::default() };
        fit.note();
    }
}

fn build(settings: &Settings) -> Result<Arc<dyn Method>, Vec<ParamError>> {
    adam_ascent::check_convention(settings)?;
    Ok(Arc::new(McDropout {
        keep: 1.0 - settings.number("rate"),
        gal: settings.word("decay") == "gal",
        decay: parameters::decay(settings),
        draws: parameters::draws(settings),
    }))
}

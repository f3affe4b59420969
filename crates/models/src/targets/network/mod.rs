//! Bayesian neural networks: posteriors of the weights of small networks with tanh units.
//!
//! h⁰ = x, aˡ = Wˡhˡ⁻¹ + bˡ, hˡ = tanh aˡ on hidden layers and f = aᴸ, with independent Gaussian priors on all weights and
//! biases ([`Prior`]) and a [`Likelihood`] of the targets given f. Both are normalised densities. Gradients are those of
//! back-propagation: δᴸ = ∂ log lik/∂f, ∂/∂Wˡ = δˡ hˡ⁻¹ᵀ, ∂/∂bˡ = δˡ, δˡ⁻¹ = (1 − (hˡ⁻¹)²) ∘ Wˡᵀδˡ (D. E. Rumelhart,
//! G. E. Hinton & R. J. Williams, Nature 323, 1986).
//!
//! **Temperatures.** As a [`Model`] a [`Network`] is the tempered posterior: log p_T = (log prior + log lik)/T for
//! [`Temper::Posterior`] (F. Wenzel et al. 2020, arXiv:2002.02405), log prior + (log lik)/T for [`Temper::Likelihood`]; all
//! gradients, estimates and curvatures are those of log p_T, so that methods need not know T. [`Network::untempered`] is
//! log p₁. The step of Wenzel et al. with step size α, which has the gradient of log p₁ and noise √(2αT), is the Langevin
//! step in log p_T with step size αT.
//!
//! Data and units are added up in their order, one after the other, so bits depend neither on the number of chains nor on
//! the instruction set ([`pass`]).

mod alignment;
mod choices;
mod curvature;
mod data_sets;
mod error;
mod kronecker;
mod labelled;
mod layout;
mod likelihood;
mod many_chains;
mod measured;
mod objectives;
mod observations;
mod optimum;
mod pass;
mod predictions;
mod prior;
mod single;
mod start;
mod target;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use nalgebra::DMatrix;

pub use curvature::Spectrum;
pub use data_sets::{CUBIC_INPUT_UNIT, CUBIC_TARGET_UNIT, DataSet, Noise, TestSet, gap_sine, grid, lattice_noise};
pub use error::NetworkError;
pub(super) use kronecker::Kronecker;
pub use layout::{Layer, Layout, MOST_HIDDEN_LAYERS, MOST_UNITS};
pub use likelihood::Likelihood;
use many_chains::{Gradients, LogDensities, Outputs, Posterior, Variances};
use objectives::{Disturbed, Dropped};
pub use observations::Observations;
pub use optimum::{Adam, FLAT, Optimum, adam, newton};
use pass::Plan;
pub use prior::Prior;
pub use start::lattice_start;
pub(super) use target::ENTRY;

use super::{Curvature, CurvatureError, Disturbance, Dropout, Functions, MOST_DENSE, Minibatches, Model, Precision};
use base::math::{Coords, Simd};

/// The greatest common divisor.
pub(super) fn greatest_common_divisor(a: usize, b: usize) -> usize {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

/// What is divided by the temperature T > 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Temper {
    /// log prior + log likelihood: T < 1 is a cold posterior.
    Posterior(f64),
    /// The log likelihood alone.
    Likelihood(f64),
}

impl Temper {
    /// T = 1.
    pub const NONE: Self = Self::Posterior(1.0);

    /// T.
    #[must_use]
    pub fn temperature(self) -> f64 {
        let (Self::Posterior(temperature) | Self::Likelihood(temperature)) = self;
        temperature
    }

    /// What log prior and log likelihood are multiplied by.
    fn factors(self) -> (f64, f64) {
        match self {
            Self::Posterior(temperature) => (1.0 / temperature, 1.0 / temperature),
            Self::Likelihood(temperature) => (1.0, 1.0 / temperature),
        }
    }
}

/// The posterior of the weights of a network, as a density in d dimensions.
///
/// ```
/// use base::math::{Coords, Simd};
/// use sampler_models::targets::Model;
/// use sampler_models::targets::network::{Layout, Likelihood, Network, Observations, Prior};
///
/// let layout = Layout::new(&[1, 3, 1]).unwrap();
/// let data = Observations::pairs(vec![-1.0, 0.0, 1.0], vec![-0.5, 0.1, 0.7]);
/// let likelihood = Likelihood::Gaussian { sd: 0.1 };
/// let network = Network::new(layout, Prior::unit(1.0), likelihood, data).unwrap();
/// assert_eq!((network.dimension(), network.data()), (10, 3));
/// // With all weights at 0 only the bias of the output has a gradient: Σ y/σ².
/// let (at, mut gradient) = (Coords::zeros(10, 1), Coords::zeros(10, 1));
/// network.gradients(Simd::widest(), &at, &mut Vec::new(), &mut gradient);
/// assert!((gradient.get(0, 9) - 30.0).abs() < 1e-12);
/// ```
#[derive(Clone, Debug)]
pub struct Network {
    layout: Layout,
    likelihood: Likelihood,
    temper: Temper,
    observations: Arc<Observations>,
    /// N.
    count: usize,
    /// s, the standard deviations of the prior.
    prior_sds: Vec<f64>,
    /// 1/s², divided by T if the prior is tempered.
    precisions: Vec<f64>,
    /// The part of log p_T that does not depend on θ.
    constant: f64,
    /// What the log likelihood is multiplied by: 1/T.
    likelihood_factor: f64,
    plan: Plan,
}

impl Network {
    /// The posterior of a network, given data.
    ///
    /// # Errors
    /// A prior, a likelihood and data that do not fit together, or numbers that are not legal.
    pub fn new(
        layout: Layout,
        prior: Prior,
        likelihood: Likelihood,
        observations: Observations,
    ) -> Result<Self, NetworkError> {
        let prior_sds = prior.sds(&layout)?;
        match (likelihood, layout.outputs()) {
            (Likelihood::Gaussian { sd }, _) if !(sd > 0.0 && sd.is_finite()) => {
                return Err(NetworkError::NoiseSd(sd));
            }
            (Likelihood::Bernoulli, found) if found != 1 => {
                return Err(NetworkError::Outputs { found, needed: "one, a logit" });
            }
            (Likelihood::Categorical, 1) => {
                return Err(NetworkError::Outputs { found: 1, needed: "one for each of at least two classes" });
            }
            _ => {}
        }
        let count = observations.check(&layout, likelihood)?;
        let plan = Plan::new(&layout);
        let network = Self {
            layout,
            likelihood,
            temper: Temper::NONE,
            observations: Arc::new(observations),
            count,
            precisions: vec![0.0; prior_sds.len()],
            prior_sds,
            constant: 0.0,
            likelihood_factor: 1.0,
            plan,
        };
        Ok(network.with_factors(Temper::NONE))
    }

    /// The same posterior at another temperature.
    ///
    /// # Errors
    /// A temperature that is not a positive finite number.
    pub fn tempered(&self, temper: Temper) -> Result<Self, NetworkError> {
        let temperature = temper.temperature();
        if !(temperature > 0.0 && temperature.is_finite()) {
            return Err(NetworkError::Temperature(temperature));
        }
        Ok(self.clone().with_factors(temper))
    }

    /// The same network, prior and temperature with other data.
    ///
    /// # Errors
    /// Data that do not fit the layers and the likelihood.
    pub fn given(&self, observations: Observations) -> Result<Self, NetworkError> {
        let count = observations.check(&self.layout, self.likelihood)?;
        let other = Self { observations: Arc::new(observations), count, ..self.clone() };
        Ok(other.with_factors(self.temper))
    }

    /// The posterior at T = 1.
    #[must_use]
    pub fn untempered(&self) -> Self {
        self.clone().with_factors(Temper::NONE)
    }

    fn with_factors(mut self, temper: Temper) -> Self {
        let (prior, likelihood) = temper.factors();
        for (precision, sd) in self.precisions.iter_mut().zip(&self.prior_sds) {
            *precision = prior / (sd * sd);
        }
        let of_data = self.count as f64 * self.likelihood.constant(self.layout.outputs());
        self.constant = prior * prior::log_prior_constant(&self.prior_sds) + likelihood * of_data;
        (self.temper, self.likelihood_factor) = (temper, likelihood);
        self
    }

    /// The layers.
    #[must_use]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The likelihood of one datum at T = 1.
    #[must_use]
    pub fn likelihood(&self) -> Likelihood {
        self.likelihood
    }

    /// The temperature, and what is divided by it.
    #[must_use]
    pub fn temper(&self) -> Temper {
        self.temper
    }

    /// The data.
    #[must_use]
    pub fn observations(&self) -> &Observations {
        &self.observations
    }

    /// The standard deviations s of the prior at T = 1, one per coordinate of θ.
    #[must_use]
    pub fn prior_sds(&self) -> &[f64] {
        &self.prior_sds
    }

    /// The inputs of datum `index` < N.
    #[must_use]
    pub fn input(&self, index: usize) -> &[f64] {
        let width = self.layout.inputs();
        &self.observations.inputs[index * width..(index + 1) * width]
    }

    /// The targets of datum `index` < N.
    fn target(&self, index: usize) -> &[f64] {
        let width = self.likelihood.targets(self.layout.outputs());
        &self.observations.targets[index * width..(index + 1) * width]
    }

    /// f at all of the given inputs for every weight vector in `at`: output `c` at input `i` for vector `s` of S goes to
    /// `out[(i · C + c) · S + s]`. `inputs` holds n₀ numbers per input, one after the other.
    pub fn outputs(&self, simd: Simd, at: &Coords, inputs: &[f64], memory: &mut Vec<f64>, out: &mut [f64]) {
        simd.dispatch(Outputs { network: self, at, inputs, memory, out });
    }
}

impl Model for Network {
    fn dimension(&self) -> usize {
        self.prior_sds.len()
    }

    fn log_densities(&self, simd: Simd, at: &Coords, memory: &mut Vec<f64>, out: &mut [f64]) {
        simd.dispatch(LogDensities { network: self, at, memory, out });
    }

    fn gradients(&self, simd: Simd, at: &Coords, memory: &mut Vec<f64>, out: &mut Coords) {
        simd.dispatch(Gradients { network: self, at, batches: None, objective: Posterior, memory, out });
    }

    fn data(&self) -> usize {
        self.count
    }

    fn estimates(&self, simd: Simd, at: &Coords, batches: Minibatches<'_>, memory: &mut Vec<f64>, out: &mut Coords) {
        simd.dispatch(Gradients { network: self, at, batches: Some(batches), objective: Posterior, memory, out });
    }

    fn hessian(&self, at: &[f64]) -> Option<DMatrix<f64>> {
        (at.len() <= MOST_DENSE).then(|| -self.hessian(at))
    }

    fn curvatures(&self) -> &'static [Curvature] {
        &Curvature::ALL
    }

    fn precision(&self, at: &[f64], curvature: Curvature) -> Result<Precision, CurvatureError> {
        self.precision(at, curvature)
    }

    fn start(&self) -> Vec<f64> {
        lattice_start(&self.layout, &self.prior_sds)
    }

    fn disturbances(&self) -> Option<usize> {
        matches!(self.likelihood, Likelihood::Gaussian { .. }).then_some(self.observations.targets.len())
    }

    fn disturbed_gradients(
        &self,
        simd: Simd,
        at: &Coords,
        disturbance: Disturbance<'_>,
        memory: &mut Vec<f64>,
        out: &mut Coords,
    ) {
        let Likelihood::Gaussian { sd } = self.likelihood else { return };
        let objective = Disturbed::new(self, sd, disturbance);
        simd.dispatch(Gradients { network: self, at, batches: None, objective, memory, out });
    }

    fn dropout_gradients(
        &self,
        simd: Simd,
        at: &Coords,
        dropout: Dropout<'_>,
        memory: &mut Vec<f64>,
        out: &mut Coords,
    ) {
        let objective = Dropped::new(self, at, dropout);
        simd.dispatch(Gradients { network: self, at, batches: dropout.batches, objective, memory, out });
    }

    fn scales(&self) -> Option<Vec<f64>> {
        Some(self.prior_sds.clone())
    }

    fn functions(&self) -> Option<&dyn Functions> {
        Some(self)
    }

    fn network(&self) -> Option<&Network> {
        Some(self)
    }

    /// Of the tempered likelihood: 1/T² times the variances at T = 1.
    fn datum_variances(&self, at: &Coords, index: usize, memory: &mut Vec<f64>, out: &mut [f64]) {
        Simd::BASELINE.dispatch(Variances { network: self, at, index, memory, out });
    }
}

impl Functions for Network {
    fn inputs(&self) -> usize {
        self.layout.inputs()
    }

    fn outputs(&self) -> usize {
        self.layout.outputs()
    }

    fn evaluate(&self, simd: Simd, at: &Coords, inputs: &[f64], memory: &mut Vec<f64>, out: &mut [f64]) {
        self.outputs(simd, at, inputs, memory, out);
    }
}

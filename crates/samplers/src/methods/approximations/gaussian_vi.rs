//! Gaussian variational inference: q = N(m, LLᵀ) maximises the evidence lower bound E_q[log p̃ − log q] by
//! reparameterised gradients and Adam.
//!
//! With θ = m + L ξ, ξ ~ N(0, I), g = ∇ log p̃(θ), and L with the diagonal (eᵃ, eᵇ) and c below it,
//!
//! ∂/∂m = E g, ∂/∂a = eᵃ E[g₁ ξ₁] + 1, ∂/∂b = eᵇ E[g₂ ξ₂] + 1, ∂/∂c = E[g₂ ξ₁],
//!
//! where the ones are the derivatives of the known entropy a + b + log 2πe. `mean-field` has c = 0.
//!
//! Kingma and Welling (2014), "Auto-encoding variational Bayes", arXiv:1312.6114, section 2.4; with minibatches it is
//! Bayes by backprop, Blundell, Cornebise, Kavukcuoglu and Wierstra (2015), arXiv:1505.05424, algorithm of section 3.2,
//! who write standard deviations as log(1 + e^ρ) instead of eᵃ. Steps are those of [`crate::methods::kit::adam`]. All draws of a step
//! share one minibatch; `noisy` gradients have independent noise at every draw.
//!
//! q is a distribution in coordinates without boundary: the logit or the logarithm of θ where the support of the target
//! has a boundary. A change from full rank to mean field keeps the standard deviations and drops the correlation.

use std::sync::Arc;

use super::expectation::{self, Affine, Evaluations, Expectations};
use super::gaussian_fit::{self, count_evaluations, present, skip};
use super::in_d_dimensions;
use super::sources;
use crate::methods::kit::adam::Adam;
use crate::methods::kit::parameters;
use crate::methods::{
    Approximation, Chunk, FitState, Fitting, Gradient, Memory, Method, MethodEntry, MethodGroup, Needs, OnDensities,
    Phase, Population, Problem, Scratch, StepScale, StepSpec, TermValue, Told,
};
use crate::schedules::Stage;
use base::math::elementary::{exp, ln};
use base::math::{Decay, Distribution, Matrix, Point};
use base::params::{Choice, DefaultValue, KindSpec, ParamError, ParamSpec, ParamType, Settings};
use models::targets::Space;

/// Index of b among the parameters: the means, a, b and c.
const B: usize = 3;

/// Index of c.
const C: usize = 4;

const PARAMS: [ParamSpec; 11] = [
    gaussian_fit::CHAINS,
    parameters::fit_steps(2000.0),
    parameters::START,
    gaussian_fit::INITIAL_SD,
    ParamSpec::of(
        "family",
        "family",
        ParamType::Choice(&[
            Choice {
                name: "mean-field",
                label: "mean field",
                help: "Independent coordinates: an ellipse along the axes.",
            },
            Choice { name: "full-rank", label: "full rank", help: "Any covariance." },
        ]),
        DefaultValue::Word("mean-field"),
        "The Gaussians among which the best one is sought. A change to mean field during the run keeps the standard \
         deviations and drops the correlation.",
    ),
    expectation::EXPECTATIONS_SPEC,
    parameters::PLAIN_GRADIENT.folded(),
    parameters::ADAM_STEP,
    parameters::BETA_1,
    parameters::BETA_2,
    parameters::DRAWS,
];

pub(crate) const ENTRY: MethodEntry = MethodEntry {
    spec: KindSpec {
        name: "gaussian-vi",
        label: "Gaussian VI",
        help: "Variational inference with reparameterised gradients and Adam (Kingma and Welling 2014; Blundell et al. \
               2015): fits a Gaussian to the target by maximising the evidence lower bound.",
        params: &PARAMS,
    },
    group: MethodGroup::Approximations,
    build,
    step: Some(StepSpec {
        formula: "Adam with η on the mean and the scale of q, along the gradient of the ELBO.",
        noise: Some("none is injected; gradients are estimated from draws of q."),
        scale: StepScale::LearningRate,
    }),
    algorithm: include_str!("gaussian_vi.py"),
    sources: &[sources::KINGMA_WELLING, sources::BLUNDELL],
    usual: None,
};

/// Which Gaussians are fitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Independent coordinates.
    MeanField,
    /// Any covariance.
    FullRank,
}

/// A fit without noise has converged, and rests, where no entry of its standardised gradient is larger: its mean is at the
/// optimum to about as many standard deviations, and its bound to rounding errors.
const CONVERGED: f64 = 1e-9;

/// The algorithm.
#[derive(Clone, Debug, PartialEq)]
pub struct GaussianVi {
    /// Which Gaussians.
    pub family: Family,
    /// How expectations are taken.
    pub expectations: Expectations,
    /// β₁ and β₂.
    pub decay: Decay,
    /// Standard deviation of the initial distribution.
    pub initial_sd: f64,
    /// Number of draws from the fit that are shown.
    pub draws: usize,
}

impl GaussianVi {
    /// The parameters before a step; `None` if the start is not finite.
    fn parameters(&self, fit: &Approximation, dimension: usize, at: Point) -> Option<Adam> {
        let adam = match &fit.memory {
            // Another method may have changed the distribution.
            Memory::Adam(adam) if fit.record.distribution == sound(dimension, adam) => *adam,
            _ => initial(dimension, &present(fit, dimension, at, self.initial_sd)?, self.initial_sd),
        };
        Some(if self.family == Family::MeanField { uncorrelated(adam) } else { adam })
    }

    /// The gradient of the bound in the parameters of the family.
    fn gradient(&self, found: &Evaluations, distribution: &Affine, dimension: usize) -> [Option<f64>; 5] {
        let mut by_root = Matrix::zeros();
        for point in &found.points {
            by_root += point.gradient * point.normal.transpose() * point.weight;
        }
        let mean = found.total.gradient;
        let a = distribution.root.m11 * by_root.m11 + 1.0;
        if dimension == 1 {
            return [Some(mean.x), None, Some(a), None, None];
        }
        let c = (self.family == Family::FullRank).then_some(by_root.m21);
        [Some(mean.x), Some(mean.y), Some(a), Some(distribution.root.m22 * by_root.m22 + 1.0), c]
    }

    /// Takes a step with one fit.
    fn advance_one(
        &self,
        problem: &Problem<'_>,
        step: (&crate::methods::kit::stepwise::Step<'_>, usize),
        at: Point,
        fit: &mut Approximation,
        Scratch { evaluations: found, told, .. }: &mut Scratch,
    ) {
        let dimension = problem.info.dimension;
        let Some(before) = self.parameters(fit, dimension, at) else {
            return skip(fit);
        };
        let affine = affine(dimension, &before);
        found.fill(problem, &self.expectations, &affine, step, false);
        count_evaluations(fit, problem, found.points.len());
        fit.record.elbo = found.elbo(problem, &self.expectations, &affine);
        fit.record.state = FitState::Moving;
        // A change of family takes effect even if the step is skipped.
        if let Some(distribution) = sound(dimension, &before) {
            (fit.record.distribution, fit.memory) = (Some(distribution), Memory::Adam(before));
        }
        let gradient = self.gradient(found, &affine, dimension);
        if told.is_recorded() {
            self.expectations.tell_draws(told, problem, (found, step.0.batches.of(0, step.1)));
            tell_gradient(told, &before, found, gradient);
        }
        if let Some(elbo) = fit.record.elbo {
            told.tell(Phase::Estimate, "ELBO", elbo.value);
        }
        let steepest = standardised(gradient, &affine).into_iter().map(f64::abs).fold(0.0, f64::max);
        if steepest <= CONVERGED && self.expectations.are_exact(problem.gradient) {
            fit.record.state = FitState::Converged;
            return told.say(Phase::Fit, "it rests: the bound rises no more");
        }
        let after = before.after(gradient, step.0.alpha, self.decay);
        match after.and_then(|after| Some((sound(dimension, &after)?, after))) {
            Some((distribution, after)) => {
                tell_step(told, &after, step.0.alpha, gradient[C].is_some());
                (fit.record.distribution, fit.memory) = (Some(distribution), Memory::Adam(after));
            }
            None => {
                told.say(Phase::Fit, "the step is left out: its numbers are not finite");
                skip(fit);
            }
        }
    }
}

/// Tells the parameters before a step, the slopes at the draws, and the gradient of the bound.
fn tell_gradient(told: &mut Told, before: &Adam, found: &Evaluations, gradient: [Option<f64>; 5]) {
    let [x, y, a, b, c] = before.parameters;
    told.tell(Phase::Position, "μ", Point::new(x, y));
    told.tell(Phase::Position, "log σ", Point::new(a, b));
    told.tell(Phase::Gradient, "g", TermValue::vectors(found.points.iter().map(|point| point.gradient)));
    let [by_x, by_y, by_a, by_b, by_c] = gradient.map(|entry| entry.unwrap_or(0.0));
    told.tell(Phase::Estimate, "u by μ", Point::new(by_x, by_y));
    told.tell(Phase::Estimate, "by log σ", Point::new(by_a, by_b));
    if gradient[C].is_some() {
        told.tell(Phase::Position, "c", c);
        told.tell(Phase::Estimate, "by c", by_c);
    }
}

/// Tells the moving averages after a step, and the new parameters.
fn tell_step(told: &mut Told, after: &Adam, eta: f64, full_rank: bool) {
    let [first, second] = after.corrected();
    let points = |[x, y, a, b, _]: [f64; 5]| [Point::new(x, y), Point::new(a, b)];
    let names = [["m̂ of μ", "m̂ of log σ", "m̂ of c"], ["v̂ of μ", "v̂ of log σ", "v̂ of c"]];
    for (average, names) in [first, second].into_iter().zip(names) {
        let [mean, log_sd] = points(average);
        told.tell(Phase::Adapt, names[0], mean);
        told.tell(Phase::Adapt, names[1], log_sd);
        if full_rank {
            told.tell(Phase::Adapt, names[2], average[C]);
        }
    }
    let [mean, log_sd] = points(after.parameters);
    told.tell(Phase::Fit, "η", eta);
    told.tell(Phase::Fit, "μ", mean);
    told.tell(Phase::Fit, "log σ", log_sd);
    if full_rank {
        told.tell(Phase::Fit, "c", after.parameters[C]);
    }
    told.tell(Phase::Fit, "σ", log_sd.map(exp));
    told.tell(Phase::Move, "new μ", mean);
}

/// The gradient of the bound by parameters without units: means and the entry c in standard deviations, and logarithms of
/// standard deviations. Near the optimum the bound misses its maximum by about half of its square.
fn standardised(gradient: [Option<f64>; 5], distribution: &Affine) -> [f64; 5] {
    let [x, y, a, b, c] = gradient.map(|entry| entry.unwrap_or(0.0));
    let root = distribution.root;
    [root.m11 * x + root.m21 * y, root.m22 * y, a, b, root.m22 * c]
}

/// The parameters of a distribution before its first step.
fn initial(dimension: usize, distribution: &Distribution, initial_sd: f64) -> Adam {
    let mean = distribution.mean();
    // A distribution so narrow that rounding leaves it no root gets the initial standard deviation again.
    let round = Affine { mean, root: Matrix::from_diagonal_element(initial_sd) };
    let root = Affine::of(dimension, distribution).unwrap_or(round).root;
    let second = if dimension > 1 { [mean.y, ln(root.m22), root.m21] } else { [0.0; 3] };
    Adam::new([mean.x, second[0], ln(root.m11), second[1], second[2]])
}

/// The same without correlation. The moving averages of c are reset, for a later change to full rank.
fn uncorrelated(mut adam: Adam) -> Adam {
    let below = adam.parameters[C];
    if below.abs() > 0.0 {
        let deviation = exp(adam.parameters[B]);
        adam.parameters[B] = 0.5 * ln(below * below + deviation * deviation);
        adam.parameters[C] = 0.0;
    }
    adam.forget(C);
    adam
}

/// m and L.
fn affine(dimension: usize, adam: &Adam) -> Affine {
    let [x, y, a, b, below] = adam.parameters;
    if dimension == 1 {
        return Affine { mean: Point::new(x, 0.0), root: Matrix::new(exp(a), 0.0, 0.0, 0.0) };
    }
    Affine { mean: Point::new(x, y), root: Matrix::new(exp(a), 0.0, below, exp(b)) }
}

/// N(m, LLᵀ), if its numbers are finite and its covariance is positive definite in floating point.
fn sound(dimension: usize, adam: &Adam) -> Option<Distribution> {
    let Affine { mean, root } = affine(dimension, adam);
    let xy = root.m11 * root.m21;
    let yy = root.m21 * root.m21 + root.m22 * root.m22;
    Some(Distribution::gaussian(dimension, mean, Matrix::new(root.m11 * root.m11, xy, xy, yy)))
        .filter(Distribution::is_sound)
}

impl Method for GaussianVi {
    fn needs(&self, gradient: &Gradient) -> Needs {
        Needs { vectors: self.expectations.vectors(gradient), ..Needs::default() }
    }

    fn fitting(&self) -> Option<Fitting> {
        Some(gaussian_fit::fitting(self.draws, self.initial_sd))
    }

    fn on(&self, space: &Space) -> Result<Arc<dyn Method>, ParamError> {
        match (space, &self.expectations) {
            (Space::Vectors(_), Expectations::Quadrature { .. }) => {
                let problem = "quadrature in so many dimensions would need too many points";
                Err(ParamError::new("expectations", problem, "monte-carlo"))
            }
            _ => self.on_densities(space),
        }
    }

    fn advance(&self, chains: &mut Population, chunk: Chunk<'_>) {
        let problem = chunk.problem;
        if problem.density.is_none() {
            return in_d_dimensions::advance_gaussian_vi(self, self.expectations.points(2), chains, chunk);
        }
        gaussian_fit::each_fit(chains, chunk, |step, chain, at, fit, scratch| {
            self.advance_one(problem, (step, chain), at, fit, scratch);
        });
    }

    /// The cost in the plane; quadrature on the line uses fewer points.
    fn evaluations(&self, gradient: &Gradient, data: usize, _stage: Stage) -> f64 {
        self.expectations.points(2) as f64 * gradient.cost(data)
    }
}

fn build(settings: &Settings) -> Result<Arc<dyn Method>, Vec<ParamError>> {
    gaussian_fit::check_convention(settings)?;
    let full = settings.word("family") == "full-rank";
    Ok(Arc::new(GaussianVi {
        family: if full { Family::FullRank } else { Family::MeanField },
        expectations: Expectations::of_run(settings),
        decay: parameters::decay(settings),
        initial_sd: settings.number("initial_sd"),
        draws: usize::try_from(settings.count("draws")).unwrap_or(usize::MAX),
    }))
}

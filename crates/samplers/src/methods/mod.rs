//! Methods, one file each, in folders by what they do: optimisers and samplers, which move independent chains, and approximations
//! (Laplace, variational inference), which fit a distribution. `kit` has what they share, gradient estimates with noise or
//! minibatches among it. The registry of methods is here.
//!
//! In `kit`: `gradient` (estimates), `parameters` (their tables), `step_spec` (what a method says of its step, in its entry), `euler`,
//! `metropolis` and `stepwise` (parts of steps), `transition` (what HMC and NUTS tell of each step).
//!
//! A method is deterministic. Its random numbers are an input ([`Randomness`]), which the session draws before the step,
//! so that a test can choose them by hand.
//!
//! To add a method: write a file with a type that implements [`Method`] and with an `ENTRY` (`langevin_dynamics/sgld.rs` is a short
//! example), declare it in the `mod.rs` of its folder, and add its line to [`ENTRIES`].

mod approximations;
mod gradient_free;
mod hamiltonian;
mod kit;
mod langevin_dynamics;
mod optimisers;
mod programs;
mod sources;
mod topics;
mod usual_settings;

use std::fmt::Debug;
use std::sync::Arc;

use crate::schedules::{Schedule, Stage};
use base::math::Coords;
use base::params::{KindSpec, ParamError, Settings};
use base::sources::Source;
use models::targets::{Density, Model, Space};

pub use approximations::approximation::{
    Approximation, Estimate, FitRecord, FitSpace, FitState, Fitting, MixtureWeights, Predictive, StartAt,
};
pub use approximations::cavi::Cavi;
pub use approximations::expectation::{EXPECTATIONS, Evaluations, Expectations};
pub use approximations::fit_state::{
    Average, CaviState, Memory, MovingAverage, Natural, NewtonState, Root, Smoothed, SwagState, VectorAdam,
    VectorGaussian, VectorNewton, natural_of,
};
pub use approximations::gaussian_vi::{Family, GaussianVi};
pub use approximations::laplace::Laplace;
pub use approximations::mc_dropout::McDropout;
pub use approximations::svgd::Svgd;
pub use approximations::svi::{Averaging, IntermediateEstimate, Oracle, Svi};
pub use approximations::swag::Swag;
pub use base::math::Decay;
pub use gradient_free::adaptive_metropolis::AdaptiveMetropolis;
pub use gradient_free::demcz::Demcz;
pub use gradient_free::gibbs::{Gibbs, GibbsSweep};
pub use gradient_free::parallel_tempering::{Moves, ParallelTempering};
pub use gradient_free::random_walk::RandomWalk;
pub use hamiltonian::adaptation::{Adaptation, DENSE_MASS, DIAGONAL_MASS, Mass};
pub use hamiltonian::hmc::Hmc;
pub use hamiltonian::mclmc::{Mclmc, Splitting};
pub use hamiltonian::nuts::Nuts;
pub use hamiltonian::sghmc::Sghmc;
pub use hamiltonian::sgnht::Sgnht;
pub use kit::algorithm::{Algorithm, Line, Phase, Piece, Symbol};
pub use kit::batches::Batches;
pub use kit::chunk::{Chunk, Needs, Problem, Randomness, Steps, Track, pairs_in};
pub use kit::dynamics::Dynamics;
pub(crate) use kit::entry::MethodEntry;
pub use kit::gradient::{
    BATCHLESS_GRADIENTS, BatchOrder, GRADIENTS, Gradient, PLAIN_GRADIENTS, why_not as why_no_gradient,
};
pub use kit::interaction::{Interaction, begins_anew};
pub use kit::kinds::{OnDensities, fits, is_for, share_step_sizes, starts_from_prior};
pub use kit::method_group::MethodGroup;
pub use kit::milestone::Milestone;
pub use kit::parameters::{COLLECTIONS, STARTS};
pub use kit::population::{Acceptance, Population};
pub use kit::record::{Doubling, Leaf, Proposal, Rung, StepRecord, Stop, Terms, Trajectory};
pub use kit::scratch::Scratch;
pub use kit::step_spec::{StepScale, StepSpec};
pub use kit::stopwatch::Stopwatch;
pub use kit::told::{NamedTerm, TermValue, Told};
pub use kit::transition::{Course, LARGEST_ERROR, Transition, Transitions};
pub use kit::vector_distribution::{MaskedVector, VectorDistribution};
pub use langevin_dynamics::barker::Barker;
pub use langevin_dynamics::contour_sgld::ContourSgld;
pub use langevin_dynamics::langevin::Langevin;
pub use langevin_dynamics::mala::Mala;
pub use langevin_dynamics::psgld::Psgld;
pub use langevin_dynamics::sgld::Sgld;
pub use optimisers::adam_ascent::AdamAscent;
pub use optimisers::anchored_ensemble::AnchoredEnsemble;
pub use optimisers::sgd::Sgd;
pub use programs::{algorithm, algorithm_on_topics};
pub use topics::{Inference, Tally, TopicChain, TopicMethod, TopicStart};
pub use usual_settings::set_usual_unless;

/// An algorithm that moves chains.
///
/// Contract:
///
/// - `advance` takes a chunk of steps with every chain. It does not allocate between steps, and in later chunks it uses
///   the memory of earlier ones again.
/// - Chains stay inside a support whose boundary reflects: the method folds a step back or rejects it.
/// - A position that is not finite stays so. The session stops the chain as diverged, as it does with one that is absurdly
///   far out.
/// - The same inputs give the same bits: the blocks of the population, the chunks of the run, the instruction set and the
///   request for records have no influence. Only where chains [interact](Method::interaction) all of them are in one block.
/// - The number of random numbers per step depends neither on the step size nor on the stage. A change of these leaves
///   every random number in its place.
/// - On a one-dimensional target y stays 0.
///
/// One step of SGLD, with random numbers chosen by hand:
///
/// ```
/// use std::path::Path;
///
/// use base::math::{Coords, Point, Simd};
/// use sampler_samplers::methods::{Chunk, Gradient, Method, Population, Problem, Randomness, Scratch, Sgld, Steps, Track};
/// use base::params::{Settings, find_kind};
/// use sampler_samplers::schedules::Stage;
/// use models::targets::{self, Minibatches, TARGETS};
///
/// let kind = find_kind(&TARGETS, "gaussian").unwrap();
/// let target = targets::build(&Settings::defaults(kind), Path::new(".")).unwrap();
/// let mut chains = Population::at(Coords::of_points(&[Point::new(1.0, 0.0)]));
/// let (mut x, mut y, mut scratch) = ([0.0], [0.0], Scratch::default());
/// Sgld.advance(
///     &mut chains,
///     Chunk {
///         problem: &Problem::new(&target, &Gradient::Exact, Simd::BASELINE),
///         steps: Steps { step_sizes: &[0.02], stages: &[Stage::Sampling], batches: Minibatches::default() },
///         randomness: Randomness { first: &[0.5], second: &[0.0], uniforms: &[] },
///         track: Track { x: &mut x, y: &mut y, records: &mut [] },
///         scratch: &mut scratch,
///     },
/// );
/// // θ + α ∇log p(θ) + √(2α) ξ, with α = 0.02 and ξ = (0.5, 0).
/// let drift = target.density().unwrap().gradient(Point::new(1.0, 0.0)) * 0.02;
/// assert!((chains.position(0).x - (1.0 + drift.x + 0.2 * 0.5)).abs() < 1e-15);
/// assert_eq!(chains.position(0), Point::new(x[0], y[0]));
/// ```
pub trait Method: OnDensities + Debug + Send + Sync {
    /// Random numbers per chain and step, with this gradient estimate.
    fn needs(&self, gradient: &Gradient) -> Needs;

    /// Properties of the fit, of a method that fits distributions to the target; `None` for samplers and optimisers.
    ///
    /// Such a method gets one [`Approximation`] per chain in [`Population::fits`]. In every step it updates the
    /// approximation, [notes](Approximation::note) its record, counts its evaluations there, and moves the chain to the
    /// mean of the approximation.
    fn fitting(&self) -> Option<Fitting> {
        None
    }

    /// The distribution of a chain in all dimensions of a model in more than are drawn; `None` while there is none.
    fn distribution(&self, model: &dyn Model, chains: &Population, chain: usize) -> Option<VectorDistribution> {
        chains.fits.get(chain)?.memory.gaussian(model.dimension()).map(VectorDistribution::Gaussian)
    }

    /// Whether its evidence lower bound on this target is that of θ together with latent variables.
    fn bounds_latent(&self, _target: &dyn Density) -> bool {
        false
    }

    /// What the method is in a space: itself, or another that stands for it there. Without more, itself on every density.
    ///
    /// # Errors
    /// If the method needs something that the space does not have; the path is relative to the run.
    fn on(&self, space: &Space) -> Result<Arc<dyn Method>, ParamError> {
        self.on_densities(space)
    }

    /// The inference that the method is, of one that is on topics; `None` of all others.
    fn inference(&self) -> Option<&TopicMethod> {
        None
    }

    /// How the method averages intermediate estimates, of stochastic variational inference; `None` for all others.
    fn averaging(&self) -> Option<Averaging<'_>> {
        None
    }

    /// Names of the auxiliary state that a chain keeps from step to step besides its position, e.g. its momentum. Two
    /// methods with the same auxiliary state can hand over a chain unchanged.
    fn carries(&self) -> &'static [&'static str] {
        &[]
    }

    /// Standard normals per chain from which the auxiliary state is made: one per coordinate of the model unless the method
    /// needs others.
    fn auxiliary_normals(&self, model: &dyn Model) -> usize {
        model.dimension()
    }

    /// Whether its chains start at independent draws from the prior, whatever a run says of its start. Such a method
    /// cannot take over the chains of another during a run.
    fn starts_from_prior(&self) -> bool {
        false
    }

    /// What it changes by itself during a run, in order: ends of windows of an adaptation, the end of a warm-up.
    fn milestones(&self) -> Vec<Milestone> {
        Vec::new()
    }

    /// What it tells of its transitions, of a method along Hamiltonian dynamics that notes one [`Transition`] per chain and step in
    /// [`Scratch::transitions`]; `None` of all others.
    fn transitions(&self) -> Option<Transitions> {
        None
    }

    /// How its chains depend on each other. Where they do, a run has at most 128 chains, all of them in one block, and the method
    /// cannot take over the chains of another during a run.
    fn interaction(&self) -> Interaction {
        Interaction::None
    }

    /// A population at the given starts, before a step of size `alpha`. `normals` holds a vector of independent standard
    /// normals per chain, from which the auxiliary state is made: as many as [`Method::auxiliary_normals`] says (on the line
    /// the second coordinate is 0).
    fn init(&self, starts: Coords, _alpha: f64, _normals: Coords) -> Population {
        Population::at(starts)
    }

    /// The step size at which the method becomes unstable where the curvature (an eigenvalue of −∇² log p) is
    /// `curvature` > 0; `None` if there is no such step size, as for approximations. For Euler steps of Langevin
    /// dynamics it is 2/curvature.
    fn stable_below(&self, curvature: f64) -> Option<f64> {
        self.fitting().is_none().then_some(2.0 / curvature)
    }

    /// Whether its steps, or its proposals, are Euler steps of Langevin dynamics: α times the gradient plus noise of
    /// variance 2α, which is smaller where the variance of the gradient noise is subtracted ([`Gradient`]).
    fn langevin(&self) -> bool {
        false
    }

    /// What its step is as a Markov chain of positions, whose distribution can be computed; or why it is not.
    fn dynamics(&self) -> Dynamics {
        kit::dynamics::usual(self)
    }

    /// The friction a of steps r ← (1 − a) r + α ĝ + noise, θ ← θ + r, 1 without momentum, and whether gradient noise is taken off.
    fn friction(&self) -> Option<(f64, bool)> {
        None
    }

    /// What a step of size α does, of a method whose step size is one of [`StepScale::Langevin`].
    fn alpha_in_words(&self) -> &'static str {
        match (self.uses_gradients(), self.langevin()) {
            (false, _) => "a proposal adds √(2α) ξ, with ξ ~ N(0, 1).",
            (true, true) => "a step adds α ∇log p(θ) + √(2α) ξ, with ξ ~ N(0, 1). log p is that of all data.",
            (true, false) => "a step adds α times the gradient of log p(θ), that of all data.",
        }
    }

    /// Whether a step is a learning rate times the gradient of a loss: not of proposals without a gradient, nor where a
    /// preconditioner undoes the scale of the loss.
    fn scales_with_loss(&self) -> bool {
        self.uses_gradients()
    }

    /// Errors of this method under this schedule over `steps` steps, and with this gradient estimate; their paths are
    /// relative to the run.
    fn check(&self, _gradient: &Gradient, _schedule: &dyn Schedule, _steps: u64) -> Vec<ParamError> {
        Vec::new()
    }

    /// What a run of so many steps does that its settings do not say.
    fn remark(&self, _steps: u64) -> Option<String> {
        None
    }

    /// Takes a chunk of steps with every chain.
    fn advance(&self, chains: &mut Population, chunk: Chunk<'_>);

    /// Whether its evaluations are of gradients (with or without the density); `false` if they are of densities alone.
    fn uses_gradients(&self) -> bool {
        true
    }

    /// Whether an approximation that is no longer [`FitState::Moving`] takes further steps at no cost.
    fn rests_at_no_cost(&self) -> bool {
        false
    }

    /// The largest number of evaluations of a step per chain, of a sampler whose steps differ in their cost and which counts
    /// them in [`Population::evaluations`]; then [`Method::evaluations`] is a guess. `None` for all others.
    fn most_evaluations(&self) -> Option<f64> {
        None
    }

    /// Cost of a step of this stage per chain, in evaluations, on a target with `data` data. One pass over all data
    /// counts 1, for the density, for its gradient, or for both at one point. A gradient from n of N data counts n/N,
    /// the variance of such a gradient 1, second derivatives 1. Values known from the previous step are not counted
    /// again. For an approximation the number is an estimate; its records hold the true count.
    fn evaluations(&self, gradient: &Gradient, data: usize, stage: Stage) -> f64 {
        match stage {
            Stage::Exploration { noise: false } => gradient.uncompensated().cost(data),
            Stage::Exploration { noise: true } | Stage::Sampling => gradient.cost(data),
        }
    }
}

/// The registry: one line per method.
const ENTRIES: &[MethodEntry] = &[
    optimisers::gradient_descent::ENTRY,
    optimisers::sgd::ENTRY,
    optimisers::adam_ascent::ENTRY,
    optimisers::deep_ensemble::ENTRY,
    optimisers::anchored_ensemble::ENTRY,
    langevin_dynamics::langevin::ENTRY,
    langevin_dynamics::sgld::ENTRY,
    langevin_dynamics::csgld::ENTRY,
    langevin_dynamics::contour_sgld::ENTRY,
    langevin_dynamics::psgld::ENTRY,
    hamiltonian::sghmc::ENTRY,
    hamiltonian::csghmc::ENTRY,
    hamiltonian::sgnht::ENTRY,
    hamiltonian::mclmc::ENTRY,
    gradient_free::random_walk::ENTRY,
    gradient_free::adaptive_metropolis::ENTRY,
    gradient_free::gibbs::ENTRY,
    langevin_dynamics::mala::ENTRY,
    langevin_dynamics::barker::ENTRY,
    hamiltonian::hmc::ENTRY,
    hamiltonian::nuts::ENTRY,
    gradient_free::parallel_tempering::ENTRY,
    gradient_free::demcz::ENTRY,
    approximations::svgd::ENTRY,
    approximations::laplace::ENTRY,
    approximations::gaussian_vi::ENTRY,
    approximations::swag::ENTRY,
    approximations::mc_dropout::ENTRY,
    approximations::svi::ENTRY,
    approximations::cavi::ENTRY,
    topics::COLLAPSED_GIBBS,
    topics::SGRLD,
];

/// The kinds of methods, in the order of the registry: optimisers and ensembles of them, Langevin methods, methods with momentum, Metropolis
/// methods, particles, approximations, samplers of topics.
pub static METHODS: [KindSpec; ENTRIES.len()] = base::kinds!(ENTRIES);

/// SGLD under a cyclical schedule, of which there is theory of its own.
pub const CYCLICAL_SGLD: &KindSpec = &langevin_dynamics::csgld::ENTRY.spec;

/// The group that a method is in.
#[must_use]
pub fn group(method: &KindSpec) -> MethodGroup {
    // Every method is in the registry.
    ENTRIES.iter().find(|entry| entry.spec.name == method.name).map_or(MethodGroup::Optimisers, |entry| entry.group)
}

/// The papers that a method comes from.
#[must_use]
pub fn sources_of(method: &KindSpec) -> &'static [Source] {
    ENTRIES.iter().find(|entry| entry.spec.name == method.name).map_or(&[], |entry| entry.sources)
}

/// The methods of a group, in the order of the registry.
pub fn in_group(group: MethodGroup) -> impl Iterator<Item = &'static KindSpec> {
    METHODS.iter().zip(ENTRIES).filter(move |(_, entry)| entry.group == group).map(|(method, _)| method)
}

/// What a method says of its step; `None` of a method without a step size.
#[must_use]
pub fn step(method: &KindSpec) -> Option<&'static StepSpec> {
    ENTRIES.iter().find(|entry| entry.spec.name == method.name)?.step.as_ref()
}

/// Sets what people expect of a method who choose it, in the settings of a run: adaptation of NUTS, the cycles of a method that is about
/// cycles.
pub fn set_usual(settings: &mut Settings) {
    let entry = ENTRIES.iter().find(|entry| entry.spec == *settings.kind);
    if let Some(set) = entry.and_then(|entry| entry.usual) {
        set(settings);
    }
}

/// Makes the method that the settings of a run describe.
///
/// # Errors
/// Everything that is wrong with the method's own settings, with paths relative to them.
pub fn build(settings: &Settings) -> Result<Arc<dyn Method>, Vec<ParamError>> {
    match ENTRIES.iter().find(|entry| entry.spec == *settings.kind) {
        Some(entry) => (entry.build)(settings),
        None => Err(vec![unknown_kind(settings)]),
    }
}

fn unknown_kind(settings: &Settings) -> ParamError {
    let names: Vec<&str> = METHODS.iter().map(|kind| kind.name).collect();
    ParamError::new("method", format!("\"{}\" is not a method", settings.kind.name), names.join(", "))
}

#[cfg(test)]
mod tests;

//! Coordinate-ascent variational inference (CAVI): a product q(x) q(y) whose factors are updated in turn to their
//! optimum.
//!
//! It maximises the evidence lower bound ∫ q (log p̃ − log q) over products: odd steps set q(x) ∝ exp E_q(y) log p̃,
//! even steps q(y) ∝ exp E_q(x) log p̃. So the mean moves parallel to the axes, and the bound never falls. Jordan,
//! Ghahramani, Jaakkola and Saul (1999), Machine Learning 37:183; Blei, Kucukelbir and McAuliffe (2017),
//! arXiv:1601.00670. The optimal factor has a closed form where the model is conjugate ([`models::targets::Conjugacy`]).
//! The method does not apply to other targets.
//!
//! The factors are distributions of θ itself, also where samplers use other coordinates at a boundary: a gamma
//! distribution of τ stays above 0. The bound is exact. There is no distribution before the first step, which uses only
//! y of the start, because the optimal q(x) replaces x. With latent variables (`bivariate-mixture`) the bound includes
//! them.
//!
//! On topics a step is a sweep over all documents ([`crate::methods::topics`]).

use std::sync::Arc;

use super::gaussian_fit;
use super::sources;
use crate::methods::kit::kinds::many_dimensions;
use crate::methods::kit::{parameters, stepwise};
use crate::methods::{
    Approximation, CaviState, Chunk, Estimate, FitRecord, FitSpace, FitState, Fitting, Gradient, Inference, Memory,
    Method, MethodEntry, MethodGroup, MixtureWeights, Needs, OnDensities, Phase, Population, Predictive, StartAt, Told,
    TopicMethod,
};
use crate::schedules::Stage;
use base::math::{Distribution, Point};
use base::params::{Choice, DefaultValue, KindSpec, ParamError, ParamSpec, ParamType, Settings};
use models::lda::LocalStart;
use models::targets::{Conjugacy, Density, Space, conjugate_targets};

/// A number counts as changed if it changes by more than this share of its value, which is four roundings; a mean by more
/// than this share of its value plus its standard deviation.
const CHANGE: f64 = 4.0 * f64::EPSILON;

/// Number of updates without change after which the fit has converged: one for each factor.
const SWEEP: u32 = 2;

const PARAMS: [ParamSpec; 5] = [
    gaussian_fit::CHAINS,
    parameters::fit_steps(50.0).primary(),
    parameters::FIT_START.primary(),
    ParamSpec::of(
        "local_start",
        "local steps begin",
        ParamType::Choice(&[
            Choice { name: "fresh", label: "afresh", help: "At equal shares of all topics in every sweep." },
            Choice {
                name: "kept",
                label: "where they ended",
                help: "At the shares of the sweep before: the bound with these shares never falls, and optima are worse. The ELBO \
                       that is shown fits all shares afresh and can fall.",
            },
        ]),
        DefaultValue::Word("fresh"),
        "On topics: where the local step of a document begins. Other targets have no local steps.",
    )
    .folded(),
    parameters::DRAWS,
];

pub(crate) const ENTRY: MethodEntry = MethodEntry {
    spec: KindSpec {
        name: "cavi",
        label: "CAVI",
        help: "Coordinate-ascent variational inference: fits a product of one distribution per coordinate, and updates one \
               of them to its optimum at every step. Needs a conjugate model, and misses all correlation. On topics a step is a sweep \
               over all documents, and draws have no effect.",
        params: &PARAMS,
    },
    group: MethodGroup::Approximations,
    build,
    step: None,
    algorithm: include_str!("cavi.py"),
    sources: &[sources::BLEI],
    usual: None,
};

/// The algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cavi {
    /// Number of draws from the fit that are shown and written.
    pub draws: usize,
    /// Where local steps begin, on topics.
    pub local_start: LocalStart,
    /// Number of fits.
    pub chains: usize,
}

impl Method for Cavi {
    fn needs(&self, _gradient: &Gradient) -> Needs {
        Needs::default()
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

    fn bounds_latent(&self, target: &dyn Density) -> bool {
        target.conjugacy().is_some_and(Conjugacy::latent)
    }

    fn on(&self, space: &Space) -> Result<Arc<dyn Method>, ParamError> {
        match space {
            Space::Topics(_) => TopicMethod::new(Inference::Cavi { start: self.local_start }, self.chains).on(space),
            Space::Vectors(_) => Err(many_dimensions()),
            Space::Plane(_) if self.local_start == LocalStart::Kept => {
                Err(ParamError::new("local_start", "only topics have local steps", "fresh, or the target topics"))
            }
            Space::Plane(density) if density.conjugacy().is_some() => self.on_densities(space),
            Space::Plane(_) => {
                let problem = "coordinate ascent needs a conjugate model, and this target is none";
                let allowed = format!("the targets {}, topics", conjugate_targets().join(", "));
                Err(ParamError::new("method", problem, allowed))
            }
        }
    }

    fn advance(&self, chains: &mut Population, chunk: Chunk<'_>) {
        let conjugacy = chunk.problem.density.and_then(Density::conjugacy);
        stepwise::each_fit(chains, chunk, Phase::Fit, |_, _, from, fit, scratch| {
            update(conjugacy, from, fit, &mut scratch.told)
        });
    }

    fn rests_at_no_cost(&self) -> bool {
        true
    }

    fn evaluations(&self, _gradient: &Gradient, _data: usize, _stage: Stage) -> f64 {
        1.0
    }
}

/// Updates one factor of a fit and returns the mean of the distribution.
fn update(conjugacy: Option<&dyn Conjugacy>, from: Point, fit: &mut Approximation, told: &mut Told) -> Point {
    let known = fit.record.distribution.filter(|distribution| is_product_at(distribution, from));
    // Without memory of coordinate ascent the state is that of another method, which may have ended elsewhere.
    let own = match &fit.memory {
        Memory::Cavi(cavi) => Some(*cavi),
        _ => None,
    };
    let moved = known.is_none() && fit.record.state == FitState::Converged;
    let updates = own.is_none() || moved || fit.record.state == FitState::Moving;
    if let (Some(conjugacy), true) = (conjugacy, updates) {
        let CaviState { axis, unchanged } = own.filter(|_| known.is_some()).unwrap_or_default();
        let old = known.unwrap_or_else(|| conjugacy.start(from));
        let new = conjugacy.improved(&old, axis);
        let unchanged = if known.is_some() && is_same(&old, &new) { unchanged + 1 } else { 0 };
        fit.memory = Memory::Cavi(CaviState { axis: 1 - axis, unchanged });
        fit.record.evaluations += 1.0;
        self::record(conjugacy, new, unchanged >= SWEEP, &mut fit.record);
        tell(told, axis, [&old, &new]);
    } else {
        told.say(Phase::Position, "both distributions have their best form, and stay");
    }
    tell_fit(told, fit);
    fit.record.distribution.map_or(from, |distribution| distribution.mean())
}

/// Tells whose turn it was, the distribution that stayed, and what the average of log p over it is.
fn tell(told: &mut Told, axis: usize, [old, new]: [&Distribution; 2]) {
    let turn = ["the turn of θ₁, while q₂(θ₂) stays", "the turn of θ₂, while q₁(θ₁) stays"];
    told.say(Phase::Position, turn[axis]);
    tell_factor(told, Phase::Position, old, 1 - axis);
    match *new {
        Distribution::NormalGamma { shape, rate, .. } if axis == 1 => {
            told.tell(Phase::Estimate, "factor of log θ₂", shape - 1.0);
            told.tell(Phase::Estimate, "factor of θ₂", -rate);
        }
        _ => {
            told.tell(Phase::Estimate, "top at", new.mean()[axis]);
            told.tell(Phase::Estimate, "curvature", 1.0 / new.covariance()[(axis, axis)]);
        }
    }
    tell_factor(told, Phase::Fit, new, axis);
}

/// Tells the distribution of one coordinate.
fn tell_factor(told: &mut Told, phase: Phase, distribution: &Distribution, axis: usize) {
    match *distribution {
        Distribution::NormalGamma { shape, rate, .. } if axis == 1 => {
            told.tell(phase, "shape", shape);
            told.tell(phase, "rate", rate);
        }
        _ => {
            told.tell(phase, "mean", distribution.mean()[axis]);
            told.tell(phase, "sd", distribution.covariance()[(axis, axis)].sqrt());
        }
    }
}

/// Tells the bound and the mean after a step.
fn tell_fit(told: &mut Told, fit: &Approximation) {
    let (Some(distribution), Some(elbo)) = (fit.record.distribution, fit.record.elbo) else {
        return told.say(Phase::Fit, "diverged: its numbers are not finite");
    };
    told.tell(Phase::Fit, "ELBO", elbo.value);
    told.tell(Phase::Move, "new mean", distribution.mean());
}

/// Whether a distribution is a product with its mean at a point. It is not if it comes from another method, or if the
/// chain has been moved.
fn is_product_at(distribution: &Distribution, at: Point) -> bool {
    let uncorrelated = distribution.covariance().m12.abs() <= 0.0;
    let gap = distribution.mean() - at;
    uncorrelated && (0..2).all(|axis| gap[axis].abs() <= CHANGE * at[axis].abs())
}

/// Whether two distributions are the same up to rounding errors.
fn is_same(old: &Distribution, new: &Distribution) -> bool {
    let (before, after) = (old.covariance().diagonal(), new.covariance().diagonal());
    let (shift, mean) = (new.mean() - old.mean(), new.mean());
    (0..2).all(|axis| {
        shift[axis].abs() <= CHANGE * (mean[axis].abs() + after[axis].sqrt())
            && (after[axis] - before[axis]).abs() <= CHANGE * after[axis]
    })
}

/// Records a new distribution. If it is not finite the fit has diverged, and the chain stays where it was.
fn record(conjugacy: &dyn Conjugacy, distribution: Distribution, converged: bool, record: &mut FitRecord) {
    let value = conjugacy.elbo(&distribution);
    if !distribution.is_sound() || !value.is_finite() {
        (record.distribution, record.elbo, record.state) = (None, None, FitState::Diverged);
        return;
    }
    record.distribution = Some(distribution);
    record.elbo = Some(Estimate { value, standard_error: 0.0 });
    record.log_evidence = None;
    record.state = if converged { FitState::Converged } else { FitState::Moving };
}

fn build(settings: &Settings) -> Result<Arc<dyn Method>, Vec<ParamError>> {
    Ok(Arc::new(Cavi {
        draws: parameters::draws(settings),
        local_start: if settings.word("local_start") == "kept" { LocalStart::Kept } else { LocalStart::Fresh },
        chains: parameters::chains(settings),
    }))
}

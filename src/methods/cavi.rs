//! Coordinate-ascent variational inference: a product q(x) q(y), one factor of which is replaced by the best one at every step.
//!
//! Maximises the evidence lower bound ∫ q (log p̃ − log q) over products by turns: odd steps set
//! q(x) ∝ exp E_q(y) log p̃ and even ones q(y) ∝ exp E_q(x) log p̃, so that the mean moves parallel to the axes and the bound
//! never falls. Jordan, Ghahramani, Jaakkola and Saul (1999), Machine Learning 37:183; Blei, Kucukelbir and McAuliffe (2017),
//! arXiv:1601.00670. The best factor has a closed form where the model is conjugate ([`crate::targets::Conjugacy`]); elsewhere
//! the method does not apply.
//!
//! Distributions live in θ, whatever samplers do at the edges of the target: a gamma distribution of τ has none to fear. The bound is exact. There is
//! no distribution before the first step, which knows of the start no more than what it needs of y: the best q(x) replaces where x was.
//! With hidden variables (`bivariate-mixture`) the bound counts them as well.

use std::sync::Arc;

use super::approximation;
use super::{
    Approximation, CaviState, Estimate, FitRecord, FitSpace, FitState, Fitting, Gradient, Memory, Method,
    MethodBuilder, MixtureWeights, Needs, Population, Problem, Randomness, Scratch, StartAt, Steps, Track, parameters,
};
use crate::math::{Distribution, Point};
use crate::params::{Entry, KindSpec, ParamError, ParamSpec, Settings};
use crate::schedules::Stage;
use crate::targets::{Conjugacy, Target};

/// A number has changed if it did by more than this share of itself, which is four roundings; of a mean, of itself and of the
/// standard deviation together.
const CHANGE: f64 = 4.0 * f64::EPSILON;

/// Turns without a change after which there is nothing left to change: one for each factor.
const SWEEP: u32 = 2;

const PARAMS: [ParamSpec; 3] = [parameters::fit_steps(50.0), parameters::START, parameters::DRAWS];

pub(super) const ENTRY: Entry<MethodBuilder> = Entry {
    spec: KindSpec {
        name: "cavi",
        label: "CAVI",
        help: "Coordinate-ascent variational inference: fits a product of one distribution for each coordinate, replacing one of them \
               by the best one at every step. It needs a conjugate model, and misses all correlation.",
        params: &PARAMS,
    },
    build,
};

/// The algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cavi {
    /// Number of draws from the fit.
    pub draws: usize,
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
            pooled: MixtureWeights::Equal,
        })
    }

    fn bounds_hidden(&self, target: &dyn Target) -> bool {
        target.conjugacy().is_some_and(Conjugacy::hidden)
    }

    fn suits(&self, target: &dyn Target) -> Result<(), ParamError> {
        if target.conjugacy().is_some() {
            return Ok(());
        }
        let problem = "coordinate ascent needs a conjugate model, and this target is none";
        Err(ParamError::new("method", problem, "the targets gaussian, normal-gamma and bivariate-mixture"))
    }

    fn advance(
        &self,
        problem: &Problem<'_>,
        steps: &Steps<'_>,
        randomness: Randomness<'_>,
        chains: &mut Population,
        track: Track<'_>,
        _scratch: &mut Scratch,
    ) {
        let conjugacy = problem.target.conjugacy();
        approximation::each_fit((steps, randomness), chains, track, |_, _, from, fit| turn(conjugacy, from, fit));
    }

    fn evaluations(&self, _gradient: &Gradient, _data: usize, _stage: Stage) -> f64 {
        1.0
    }
}

/// Makes a step of one chain and returns the mean of the distribution after it.
fn turn(conjugacy: Option<&dyn Conjugacy>, from: Point, fit: &mut Approximation) -> Point {
    let known = fit.record.distribution.filter(|distribution| is_product_at(distribution, from));
    // Without turns of its own the state is another method's, whose end is not that of coordinate ascent.
    let own = match &fit.memory {
        Memory::Cavi(turn) => Some(*turn),
        _ => None,
    };
    let left = known.is_none() && fit.record.state == FitState::Settled;
    let moves = own.is_none() || left || fit.record.state == FitState::Moving;
    if let (Some(conjugacy), true) = (conjugacy, moves) {
        let CaviState { axis, unchanged } = own.filter(|_| known.is_some()).unwrap_or_default();
        let old = known.unwrap_or_else(|| conjugacy.begin(from));
        let new = conjugacy.improved(&old, axis);
        let unchanged = if known.is_some() && is_same(&old, &new) { unchanged + 1 } else { 0 };
        fit.memory = Memory::Cavi(CaviState { axis: 1 - axis, unchanged });
        fit.record.evaluations += 1.0;
        take_down(conjugacy, new, unchanged >= SWEEP, &mut fit.record);
    }
    fit.record.distribution.map_or(from, |distribution| distribution.mean())
}

/// Whether a distribution is a product with its mean at a place: not one of another method, or of a chain that has been moved.
fn is_product_at(distribution: &Distribution, at: Point) -> bool {
    let uncorrelated = distribution.covariance().m12.abs() <= 0.0;
    let gap = distribution.mean() - at;
    uncorrelated && (0..2).all(|axis| gap[axis].abs() <= CHANGE * at[axis].abs())
}

/// Whether a turn has changed nothing but roundings.
fn is_same(old: &Distribution, new: &Distribution) -> bool {
    let (before, after) = (old.covariance().diagonal(), new.covariance().diagonal());
    let (shift, place) = (new.mean() - old.mean(), new.mean());
    (0..2).all(|axis| {
        shift[axis].abs() <= CHANGE * (place[axis].abs() + after[axis].sqrt())
            && (after[axis] - before[axis]).abs() <= CHANGE * after[axis]
    })
}

/// Says how a fit stands with a new distribution. A distribution that has left all numbers is none, and the chain stays where it was.
fn take_down(conjugacy: &dyn Conjugacy, distribution: Distribution, settled: bool, record: &mut FitRecord) {
    let value = conjugacy.elbo(&distribution);
    if !distribution.is_sound() || !value.is_finite() {
        (record.distribution, record.elbo, record.state) = (None, None, FitState::Diverged);
        return;
    }
    record.distribution = Some(distribution);
    record.elbo = Some(Estimate { value, standard_error: 0.0 });
    record.log_evidence = None;
    record.state = if settled { FitState::Settled } else { FitState::Moving };
}

fn build(settings: &Settings) -> Result<Arc<dyn Method>, Vec<ParamError>> {
    Ok(Arc::new(Cavi { draws: parameters::draws(settings) }))
}

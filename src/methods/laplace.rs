//! Laplace's approximation: climb to a mode θ*, and take N(θ*, H⁻¹) with H = −∇² log p̃(θ*) for the density.
//!
//! Laplace (1774), Mémoires de l'Académie royale des sciences 6:621; MacKay (2003), Information Theory, Inference, and
//! Learning Algorithms, chapter 27. The evidence that it claims is log p̃(θ*) + (d/2) ln 2π − ½ ln |H|, which is exact where the
//! density is a Gaussian. Every step is an iterate of a safeguarded Newton ascent ([`climb`]) by the full gradient and Hessian, and
//! leaves the Gaussian of the place it has reached; none where the curvature is not that of a peak. An evidence is claimed
//! only where the climb has settled: on the way there it would be that of no mode.
//!
//! `curvature` says what H is, which does not change the climb: `full`; `diagonal`, the diagonal of it, as if the coordinates did
//! not know each other (1/Hⱼⱼ is the variance of θⱼ given the others, not that of θⱼ); or `fisher`, the diagonal of the empirical
//! Fisher information and the prior's precision, Σᵢ (∂ log p(xᵢ|θ)/∂θⱼ)² − ∂² log prior/∂θⱼ², a sum of squares of the gradients of
//! single data. It is near the Hessian if the model is right, and is not if it is not.
//!
//! Distributions live where samplers do: on θ, or on its logit or logarithm where the target says so. There the mode is that of the density
//! of the logit, which carries the Jacobian. With `at = "modes"` one climb begins at every mode that the target declares; the distributions
//! are mixed by the evidence they claim.

pub(super) mod climb;

use std::f64::consts::TAU;
use std::sync::Arc;

use self::climb::{Landscape, inverse, is_peak};
use super::approximation;
use super::{
    Approximation, FitRecord, FitSpace, FitState, Fitting, Gradient, Memory, Method, MethodBuilder, MixtureWeights,
    Needs, NewtonState, Population, Problem, Randomness, Scratch, StartAt, Steps, Track, parameters,
};
use crate::math::kernels::ln;
use crate::math::{Distribution, Matrix, Point};
use crate::params::{Choice, DefaultValue, Entry, KindSpec, ParamError, ParamSpec, ParamType, Settings};
use crate::schedules::Stage;
use crate::targets::{NO_MODES, Target};

static PLACES: [Choice; 2] = [
    Choice { name: "start", label: "where a climb ends", help: "One climb, from the start to a mode." },
    Choice {
        name: "modes",
        label: "all modes",
        help: "A Gaussian at every mode of the target, mixed by the evidence that each of them claims. When the target changes on \
               the way, the climbs go on from where they are.",
    },
];

static CURVATURES: [Choice; 3] = [
    Choice { name: "full", label: "Hessian", help: "The whole matrix of second derivatives." },
    Choice {
        name: "diagonal",
        label: "diagonal",
        help: "The diagonal of the Hessian: each coordinate as if the other were known.",
    },
    Choice {
        name: "fisher",
        label: "Fisher",
        help: "The diagonal of the empirical Fisher information: squared gradients of single data, and the prior. \
               Needs data.",
    },
];

const PARAMS: [ParamSpec; 5] = [
    parameters::fit_steps(50.0),
    ParamSpec::of(
        "at",
        "at",
        ParamType::Choice(&PLACES),
        DefaultValue::Word("start"),
        "Whether one mode is climbed to from the start, or all of them are taken.",
    )
    .fixed(),
    parameters::START,
    ParamSpec::of(
        "curvature",
        "curvature",
        ParamType::Choice(&CURVATURES),
        DefaultValue::Word("full"),
        "Which second derivatives make the covariance.",
    ),
    parameters::DRAWS,
];

pub(super) const ENTRY: Entry<MethodBuilder> = Entry {
    spec: KindSpec {
        name: "laplace",
        label: "Laplace",
        help: "Laplace's approximation: climbs to a mode by Newton's method and lays the Gaussian there that curves as the \
               density does. It knows of nothing else than that place.",
        params: &PARAMS,
    },
    build,
};

/// What H is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Curvature {
    /// −∇² log p̃.
    Full,
    /// Its diagonal.
    Diagonal,
    /// The diagonal of the empirical Fisher information, and the prior's.
    Fisher,
}

/// The algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Laplace {
    /// Whether there is one climb from the start or one from every mode.
    pub start_at: StartAt,
    /// What H is.
    pub curvature: Curvature,
    /// Number of draws from the fit.
    pub draws: usize,
}

impl Method for Laplace {
    fn needs(&self, _gradient: &Gradient) -> Needs {
        Needs::default()
    }

    fn fitting(&self) -> Option<Fitting> {
        Some(Fitting {
            draws: self.draws,
            space: FitSpace::Samplers,
            initial_sd: None,
            start_at: self.start_at,
            pooled: MixtureWeights::Evidence,
        })
    }

    fn suits(&self, target: &dyn Target) -> Result<(), ParamError> {
        if self.start_at == StartAt::Modes && target.info().modes.is_empty() {
            return Err(ParamError::new("at", format!("the target has {NO_MODES}"), "\"start\""));
        }
        if self.curvature == Curvature::Fisher && target.data().is_none() {
            let problem = "the target has no data, of whose gradients the Fisher information is made";
            return Err(ParamError::new("curvature", problem, "\"full\" or \"diagonal\", or a posterior of data"));
        }
        Ok(())
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
        approximation::each_fit((steps, randomness), chains, track, |_, _, from, fit| {
            self.step(problem.target, from, fit)
        });
    }

    /// A trial and second derivatives, while it climbs.
    fn evaluations(&self, _gradient: &Gradient, _data: usize, _stage: Stage) -> f64 {
        2.0
    }
}

impl Laplace {
    /// Makes a step of one climb and returns where it leads. A climb that has come to its end stays there at no cost.
    fn step(&self, target: &dyn Target, from: Point, fit: &mut Approximation) -> Point {
        let known = match &fit.memory {
            Memory::Newton(climb) if climb.at == from => Some(*climb),
            _ => None,
        };
        let ended = known.filter(|_| fit.record.state != FitState::Moving);
        match ended {
            Some(climb) if climb.curvature == self.curvature => climb.at,
            Some(climb) => {
                self.take_down(target, climb, fit.record.state, fit);
                climb.at
            }
            None => self.climb(target, from, known, fit),
        }
    }

    /// Goes on from a place that may be known, unless it is the end of the way.
    fn climb(&self, target: &dyn Target, from: Point, known: Option<NewtonState>, fit: &mut Approximation) -> Point {
        let landscape = Landscape::new(target);
        let mut climb = known.unwrap_or_else(|| {
            fit.record.evaluations += 2.0;
            NewtonState { at: from, here: landscape.derivatives(from), curvature: self.curvature }
        });
        let mut state = landscape.standing(climb.at, &climb.here);
        if state == FitState::Moving {
            let (next, trials) = landscape.ascend(climb.at, &climb.here);
            fit.record.evaluations += trials;
            if let Some(at) = next {
                fit.record.evaluations += 1.0;
                climb = NewtonState { at, here: landscape.derivatives(at), ..climb };
                state = landscape.standing(at, &climb.here);
            }
        }
        self.take_down(target, climb, state, fit);
        climb.at
    }

    /// Says how the climb stands, with the distribution of the place.
    fn take_down(&self, target: &dyn Target, climb: NewtonState, state: FitState, fit: &mut Approximation) {
        let ascending = [FitState::Moving, FitState::Settled, FitState::AtTheEdge].contains(&state);
        let precision = ascending.then(|| self.precision(target, &climb, &mut fit.record)).flatten();
        let dimension = target.info().dimension;
        let distribution = precision.map(|precision| Distribution::gaussian(dimension, climb.at, inverse(precision)));
        fit.record.distribution = distribution.filter(Distribution::is_sound);
        let claim = |precision: Matrix| evidence(dimension, climb.here.log_density, precision);
        let claims = state == FitState::Settled && fit.record.distribution.is_some();
        fit.record.log_evidence = precision.filter(|_| claims).map(claim);
        (fit.record.elbo, fit.record.state) = (None, state);
        fit.memory = Memory::Newton(NewtonState { curvature: self.curvature, ..climb });
    }

    /// H at a place, if it is that of a peak; on the line its lower right entry is that of the upper left.
    fn precision(&self, target: &dyn Target, climb: &NewtonState, record: &mut FitRecord) -> Option<Matrix> {
        let full = -climb.here.hessian;
        let precision = match self.curvature {
            Curvature::Full => full,
            Curvature::Diagonal => Matrix::from_diagonal(&full.diagonal()),
            Curvature::Fisher => {
                record.evaluations += 1.0;
                Matrix::from_diagonal(&fisher(target, climb.at)?)
            }
        };
        let line = target.info().dimension == 1;
        let precision = if line { Matrix::from_diagonal_element(precision.m11) } else { precision };
        is_peak(&Landscape::new(target).in_views(precision)).then_some(precision)
    }
}

/// The diagonal of the empirical Fisher information and the prior's precision; `None` without data.
fn fisher(target: &dyn Target, at: Point) -> Option<Point> {
    let data = target.data()?;
    let square = |index: usize| data.datum_gradient(at, index).map(|slope| slope * slope);
    Some((0..data.len()).map(square).sum::<Point>() - data.prior(at).hessian.diagonal())
}

/// log p̃ + (d/2) ln 2π − ½ ln |H|.
fn evidence(dimension: usize, log_density: f64, precision: Matrix) -> f64 {
    if dimension == 1 {
        log_density + 0.5 * (ln(TAU) - ln(precision.m11))
    } else {
        log_density + ln(TAU) - 0.5 * ln(precision.m11 * precision.m22 - precision.m12 * precision.m12)
    }
}

fn build(settings: &Settings) -> Result<Arc<dyn Method>, Vec<ParamError>> {
    let start_at = if settings.word("at") == "modes" { StartAt::Modes } else { StartAt::RunStart };
    let curvature = match settings.word("curvature") {
        "diagonal" => Curvature::Diagonal,
        "fisher" => Curvature::Fisher,
        _ => Curvature::Full,
    };
    Ok(Arc::new(Laplace { start_at, curvature, draws: parameters::draws(settings) }))
}

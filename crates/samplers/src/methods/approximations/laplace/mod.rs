//! Laplace's approximation: N(θ*, H⁻¹) at a mode θ* of the density, with H = −∇² log p̃(θ*).
//!
//! Laplace (1774), Mémoires de l'Académie royale des sciences 6:621; MacKay (2003), Information Theory, Inference, and
//! Learning Algorithms, chapter 27. Its log evidence is log p̃(θ*) + (d/2) ln 2π − ½ ln |H|, which is exact for a
//! Gaussian density. Every step is an iterate of a safeguarded Newton ascent ([`newton`]) with the full gradient and
//! Hessian. After each step the approximation is the Gaussian at the iterate, or there is none if the curvature is not
//! that of a peak. The log evidence is given once the ascent has converged: before that, the iterate is no mode.
//!
//! `curvature` selects H and does not change the ascent:
//!
//! - `full`: the Hessian;
//! - `diagonal`: its diagonal (1/Hⱼⱼ is the variance of θⱼ given the other coordinates, not the variance of θⱼ);
//! - `fisher`: the diagonal of the empirical Fisher information plus the prior's precision, Σᵢ (∂ log p(xᵢ|θ)/∂θⱼ)² −
//!   ∂² log prior/∂θⱼ², a sum of squared gradients of single data. It is close to the Hessian if the model is right,
//!   and may be far from it if the model is wrong;
//! - of a neural network also `ggn`, `diagonal-ggn`, `kfac`, `kfac-damped` and `last-layer` ([`Curvature`]).
//!
//! `predictive` selects what is predicted of the functions of a regression: `glm` those that are linearised at the mode,
//! f(x; θ*) + J(x)(θ − θ*), which are f ~ N(f(x; θ*), J H⁻¹ Jᵀ) (A. Immer, M. Korzepa & M. Bauer 2021, arXiv:2008.08400), and
//! `mc` those of draws of the weights.
//!
//! The coordinates are those of the samplers: θ, or its logit or logarithm where the target declares one. The mode is
//! then that of the density of the logit, which includes the Jacobian. With `at = "modes"` one ascent starts at every
//! mode that the target declares, and the distributions are mixed in proportion to their evidence.

pub(crate) mod newton;

use std::f64::consts::TAU;
use std::sync::Arc;

use self::newton::{Aim, Landscape, inverse, is_peak};
use super::in_d_dimensions;
use super::sources;
use crate::methods::kit::{parameters, stepwise};
use crate::methods::{
    Approximation, Chunk, FitRecord, FitSpace, FitState, Fitting, Gradient, Memory, Method, MethodEntry, MethodGroup,
    MixtureWeights, Needs, NewtonState, OnDensities, Phase, Population, Predictive, StartAt, Told,
};
use crate::schedules::Stage;
use base::math::elementary::ln;
use base::math::{Distribution, Matrix, Point};
use base::params::{Choice, DefaultValue, Interval, KindSpec, ParamError, ParamSpec, ParamType, Settings};
use models::targets::{Curvature, Density, NO_MODES, Space};

static PLACES: [Choice; 2] = [
    Choice { name: "start", label: "mode near the start", help: "One ascent, from the start to a mode." },
    Choice {
        name: "modes",
        label: "all modes",
        help: "A Gaussian at every mode of the target, mixed in proportion to the evidence of each. When the target changes \
               during the run, the ascents continue from their present positions.",
    },
];

static CURVATURES: [Choice; 8] = [
    Choice { name: Curvature::Full.name(), label: "Hessian", help: "The whole matrix of second derivatives." },
    Choice {
        name: Curvature::Diagonal.name(),
        label: "diagonal",
        help: "The diagonal of the Hessian: the variance of each coordinate as if the other were known.",
    },
    Choice {
        name: Curvature::Fisher.name(),
        label: "Fisher",
        help: "The diagonal of the empirical Fisher information: squared gradients of single data, plus the prior's \
               precision. Needs data.",
    },
    Choice {
        name: Curvature::Ggn.name(),
        label: "GGN",
        help: "Generalised Gauss–Newton matrix of a neural network: the Hessian of the network linearised in its weights. It is \
               always positive definite.",
    },
    Choice {
        name: Curvature::DiagonalGgn.name(),
        label: "diagonal GGN",
        help: "The diagonal of the generalised Gauss–Newton matrix of a neural network.",
    },
    Choice {
        name: Curvature::Kfac.name(),
        label: "KFAC",
        help: "Generalised Gauss–Newton matrix of a neural network as one Kronecker product for each layer, without correlation \
               between layers; the precision of the prior is added exactly.",
    },
    Choice {
        name: Curvature::KfacDamped.name(),
        label: "KFAC, damped",
        help: "KFAC with the precision of the prior added to both factors (Ritter et al. 2018): a Kronecker product again, and \
               narrower than the exact sum.",
    },
    Choice {
        name: Curvature::LastLayer.name(),
        label: "last layer",
        help: "Generalised Gauss–Newton matrix of the weights of the last layer. All other weights of the neural network are \
               fixed at the mode.",
    },
];

static PREDICTIVES: [Choice; 2] = [
    Choice {
        name: "glm",
        label: "linearised",
        help: "Linear in the weights at the mode, as the curvature is, so that f is Gaussian at every x. Also called GLM.",
    },
    Choice { name: "mc", label: "sampled", help: "The functions of draws of the weights, as they are." },
];

const PARAMS: [ParamSpec; 7] = [
    parameters::fit_steps(50.0),
    ParamSpec::of(
        "at",
        "fitted modes",
        ParamType::Choice(&PLACES),
        DefaultValue::Word("start"),
        "Where the Gaussians are: at the one mode that Newton's method finds from the start, or at all modes.",
    )
    .fixed(),
    parameters::START,
    ParamSpec::of(
        "curvature",
        "curvature",
        ParamType::Choice(&CURVATURES),
        DefaultValue::Word("full"),
        "The matrix whose inverse is the covariance.",
    ),
    ParamSpec::of(
        "predictive",
        "predictive",
        ParamType::Choice(&PREDICTIVES),
        DefaultValue::Word("glm"),
        "How functions are predicted: values of a regression, and probabilities of classes on maps and for test data. Draws of the \
         weights stay the same.",
    )
    .folded(),
    ParamSpec::number(
        "spread",
        "distance from mode c",
        1.0,
        Interval::closed(0.0, 1.0),
        (0.0, 1.0),
        "Moves every draw θ to θ* + c (θ − θ*), where θ* is the mode, if functions are sampled: as c grows, the draws leave the \
         valley of the posterior where it bends.",
    )
    .folded(),
    parameters::DRAWS,
];

pub(crate) const ENTRY: MethodEntry = MethodEntry {
    spec: KindSpec {
        name: "laplace",
        label: "Laplace",
        help: "Laplace's approximation: finds a mode by Newton's method and fits the Gaussian with the same peak and \
               curvature there. It uses nothing else of the density.",
        params: &PARAMS,
    },
    group: MethodGroup::Approximations,
    build,
    step: None,
    algorithm: include_str!("laplace.py"),
    sources: &[sources::MACKAY, sources::IMMER],
    usual: None,
};

/// The curvatures of a target in the plane.
const PLANAR: [Curvature; 3] = [Curvature::Full, Curvature::Diagonal, Curvature::Fisher];

/// Why a target does not have a curvature of neural networks.
pub(crate) fn of_network(curvature: Curvature) -> String {
    format!(
        "the curvature \"{}\" is one of neural networks with many weights, and the target is none",
        curvature.name()
    )
}

/// The algorithm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Laplace {
    /// Whether there is one ascent from the start or one from every mode.
    pub start_at: StartAt,
    /// The choice of H.
    pub curvature: Curvature,
    /// How functions are predicted.
    pub predictive: Predictive,
    /// What the distances of sampled weights from the mode are multiplied by, in [0, 1].
    pub spread: f64,
    /// Number of draws from the fit that are shown and written.
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
            mixture_weights: MixtureWeights::Evidence,
            predictive: self.predictive,
            // Linearised functions have their distribution whatever is drawn.
            spread: if self.predictive == Predictive::Sampled { self.spread } else { 1.0 },
        })
    }

    fn on(&self, space: &Space) -> Result<Arc<dyn Method>, ParamError> {
        let target = match space {
            Space::Plane(density) => density,
            Space::Vectors(vectors) => {
                in_d_dimensions::suits_laplace(self, vectors.model.as_ref())?;
                return self.on_densities(space);
            }
            Space::Topics(_) => return self.on_densities(space),
        };
        if self.start_at == StartAt::Modes && target.info().modes.is_empty() {
            return Err(ParamError::new("at", format!("the target has {NO_MODES}"), "\"start\""));
        }
        if self.curvature == Curvature::Fisher && target.data().is_none() {
            let problem = "the Fisher information needs gradients of single data, and the target has no data";
            return Err(ParamError::new("curvature", problem, "\"full\" or \"diagonal\", or a posterior of data"));
        }
        if !PLANAR.contains(&self.curvature) {
            return Err(ParamError::new("curvature", of_network(self.curvature), in_d_dimensions::listed(&PLANAR)));
        }
        self.on_densities(space)
    }

    fn advance(&self, chains: &mut Population, chunk: Chunk<'_>) {
        let Some(density) = chunk.problem.density else {
            return in_d_dimensions::advance_laplace(self, chains, chunk);
        };
        stepwise::each_fit(chains, chunk, Phase::Proposal, |_, _, from, fit, scratch| {
            let to = self.step(density, from, fit, &mut scratch.told);
            tell_fit(self.curvature, fit, &mut scratch.told);
            to
        });
    }

    fn rests_at_no_cost(&self) -> bool {
        true
    }

    /// A trial point and second derivatives, until the ascent ends.
    fn evaluations(&self, _gradient: &Gradient, _data: usize, _stage: Stage) -> f64 {
        2.0
    }
}

impl Laplace {
    /// Takes a step of one ascent and returns the new iterate. An ascent that has ended stays where it is, at no cost.
    fn step(&self, target: &dyn Density, from: Point, fit: &mut Approximation, told: &mut Told) -> Point {
        let known = match &fit.memory {
            Memory::Newton(newton) if newton.at == from => Some(*newton),
            _ => None,
        };
        let ended = known.filter(|_| fit.record.state != FitState::Moving);
        if let Some(newton) = ended.filter(|_| told.is_recorded()) {
            let aim = Landscape::new(target).aim(newton.at, &newton.here);
            tell_step(&newton, Some((&aim, 0.0)), told);
        }
        match ended {
            Some(newton) if newton.curvature == self.curvature => newton.at,
            Some(newton) => {
                self.record(target, newton, fit.record.state, fit);
                newton.at
            }
            None => self.ascend(target, from, known, (fit, told)),
        }
    }

    /// Takes a Newton step from a point, whose derivatives may be known, unless the ascent ends there.
    fn ascend(
        &self,
        target: &dyn Density,
        from: Point,
        known: Option<NewtonState>,
        (fit, told): (&mut Approximation, &mut Told),
    ) -> Point {
        let landscape = Landscape::new(target);
        let mut newton = known.unwrap_or_else(|| {
            fit.record.evaluations += 2.0;
            NewtonState { at: from, here: landscape.derivatives(from), curvature: self.curvature }
        });
        let mut state = landscape.state(newton.at, &newton.here);
        if state == FitState::Moving {
            let aim = landscape.aim(newton.at, &newton.here);
            let (next, trials) = landscape.ascend(newton.at, &newton.here, &aim);
            fit.record.evaluations += trials;
            tell_step(&newton, Some((&aim, next.map_or(0.0, |(_, share)| share))), told);
            if let Some((at, _)) = next {
                fit.record.evaluations += 1.0;
                newton = NewtonState { at, here: landscape.derivatives(at), ..newton };
                state = landscape.state(at, &newton.here);
            }
        } else {
            let aim = (state != FitState::Diverged && told.is_recorded()).then(|| landscape.aim(from, &newton.here));
            tell_step(&newton, aim.as_ref().map(|aim| (aim, 0.0)), told);
        }
        self.record(target, newton, state, fit);
        newton.at
    }

    /// Records the state of the ascent and the distribution at its iterate.
    fn record(&self, target: &dyn Density, newton: NewtonState, state: FitState, fit: &mut Approximation) {
        let ascending = [FitState::Moving, FitState::Converged, FitState::AtTheEdge].contains(&state);
        let precision = ascending.then(|| self.precision(target, &newton, &mut fit.record)).flatten();
        let dimension = target.info().dimension;
        let distribution = precision.map(|precision| Distribution::gaussian(dimension, newton.at, inverse(precision)));
        fit.record.distribution = distribution.filter(Distribution::is_sound);
        let log_evidence = |precision: Matrix| evidence(dimension, newton.here.log_density, precision);
        let is_mode = state == FitState::Converged && fit.record.distribution.is_some();
        fit.record.log_evidence = precision.filter(|_| is_mode).map(log_evidence);
        (fit.record.elbo, fit.record.state) = (None, state);
        fit.memory = Memory::Newton(NewtonState { curvature: self.curvature, ..newton });
    }

    /// H at the iterate if it is that of a peak; on the line its lower right entry repeats the upper left one.
    fn precision(&self, target: &dyn Density, newton: &NewtonState, record: &mut FitRecord) -> Option<Matrix> {
        let full = -newton.here.hessian;
        let precision = match self.curvature {
            Curvature::Full => full,
            Curvature::Diagonal => Matrix::from_diagonal(&full.diagonal()),
            Curvature::Fisher => {
                record.evaluations += 1.0;
                Matrix::from_diagonal(&fisher(target, newton.at)?)
            }
            _ => return None,
        };
        let line = target.info().dimension == 1;
        let precision = if line { Matrix::from_diagonal_element(precision.m11) } else { precision };
        is_peak(&Landscape::new(target).in_views(precision)).then_some(precision)
    }
}

/// Tells the slope and the curvature at an iterate, and the step from there with the share of it that was taken.
fn tell_step(newton: &NewtonState, aim: Option<(&Aim, f64)>, told: &mut Told) {
    told.tell(Phase::Gradient, "g", newton.here.gradient);
    told.tell(Phase::Estimate, "H", -newton.here.hessian);
    let Some((aim, share)) = aim else { return };
    told.tell(Phase::Proposal, "δ", aim.step);
    if aim.step != aim.whole {
        told.tell(
            Phase::Proposal,
            if aim.is_peak { "shortened from H⁻¹g" } else { "shortened from |H|⁻¹g" },
            aim.whole,
        );
    } else if !aim.is_peak {
        told.say(Phase::Proposal, "with |H| for H, since this is no peak");
    }
    told.tell(Phase::Decision, "s", share);
    if share <= 0.0 {
        told.say(Phase::Decision, "the climb rests");
    }
}

/// Tells the distribution after a step.
fn tell_fit(curvature: Curvature, fit: &Approximation, told: &mut Told) {
    let Some(distribution) = &fit.record.distribution else {
        return told.say(Phase::Fit, "none yet: the curvature here is not that of a peak");
    };
    told.tell(Phase::Fit, "mean", distribution.mean());
    let inverse = match curvature {
        Curvature::Full => "H⁻¹",
        Curvature::Diagonal => "inverse of the diagonal of H",
        _ => "inverse of the Fisher information",
    };
    told.tell(Phase::Fit, inverse, distribution.covariance());
}

/// The diagonal of the empirical Fisher information and the prior's precision; `None` without data.
fn fisher(target: &dyn Density, at: Point) -> Option<Point> {
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
    let word = settings.word("curvature");
    let curvature = Curvature::ALL.into_iter().find(|curvature| curvature.name() == word).unwrap_or(Curvature::Full);
    let predictive = if settings.word("predictive") == "mc" { Predictive::Sampled } else { Predictive::Linearised };
    let spread = settings.number("spread");
    Ok(Arc::new(Laplace { start_at, curvature, predictive, spread, draws: parameters::draws(settings) }))
}

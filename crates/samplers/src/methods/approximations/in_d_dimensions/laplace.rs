//! Laplace's approximation in d dimensions: Newton's method with damping to a mode, and the Gaussian with its curvature.
//!
//! A [step](damped_step) has no damping where H = −∇² log p̃ is positive definite and the step climbs. The ascent has converged where the
//! Newton decrement gᵀH⁻¹g is as small as rounding errors are.

use nalgebra::DVector;

use super::super::fit_state::{Root, VectorGaussian, VectorNewton};
use super::super::laplace::{Laplace, of_network};
use super::{each_fit, put};
use crate::methods::{Approximation, Chunk, FitState, Memory, Phase, Population, Problem, Scratch, StartAt, Told};
use base::math::{Cholesky, Coords, Damping, damped_step};
use base::params::ParamError;
use models::targets::{Curvature, CurvatureError, Model, Precision};

/// gᵀH⁻¹g at which the ascent has converged: a mode known to 10⁻⁹ standard deviations.
const CONVERGED: f64 = 1e-18;

/// Values of μ that a step tries at most, each ten times the last.
const TRIALS: usize = 40;

/// Checks that the method applies to a model.
pub(crate) fn suits(method: &Laplace, model: &dyn Model) -> Result<(), ParamError> {
    if method.start_at == StartAt::Modes {
        let problem = "the modes of a target in many dimensions are not listed";
        return Err(ParamError::new("at", problem, "\"start\""));
    }
    if model.hessian(&model.start()).is_none() {
        return Err(ParamError::new("method", "this target has no second derivatives", "a sampler or an optimiser"));
    }
    if !model.curvatures().contains(&method.curvature) {
        return Err(ParamError::new("curvature", of_network(method.curvature), listed(model.curvatures())));
    }
    Ok(())
}

/// Curvatures by name, as what is allowed.
pub(crate) fn listed(curvatures: &[Curvature]) -> String {
    let names: Vec<String> = curvatures.iter().map(|curvature| format!("\"{}\"", curvature.name())).collect();
    names.join(", ")
}

/// Takes a chunk of steps with every fit.
pub(crate) fn advance(method: &Laplace, chains: &mut Population, chunk: Chunk<'_>) {
    let problem = chunk.problem;
    each_fit(chains, chunk, Phase::Proposal, |_, _, position, fit, scratch| {
        let to = step(method, problem, &position, fit, scratch);
        tell_fit(fit, &mut scratch.told);
        to
    });
}

/// Takes a step of one ascent and returns the new iterate. An ascent that has ended stays where it is, at no cost.
fn step(
    method: &Laplace,
    problem: &Problem<'_>,
    position: &DVector<f64>,
    fit: &mut Approximation,
    scratch: &mut Scratch,
) -> DVector<f64> {
    let known = match std::mem::take(&mut fit.memory) {
        Memory::VectorNewton(newton) if newton.at == *position => Some(newton),
        _ => None,
    };
    let ended = fit.record.state != FitState::Moving;
    let mut newton = match known {
        Some(newton) if ended && newton.curvature == method.curvature => {
            tell_step(problem, &newton, None, &mut scratch.told);
            fit.memory = Memory::VectorNewton(newton);
            return position.clone();
        }
        Some(newton) if ended => {
            tell_step(problem, &newton, None, &mut scratch.told);
            record(method, problem, *newton, fit.record.state, fit);
            return position.clone();
        }
        Some(newton) => *newton,
        None => {
            fit.record.evaluations += 2.0;
            let Some(newton) = derivatives(problem, position.clone(), scratch) else {
                fit.record.state = FitState::Diverged;
                return position.clone();
            };
            newton
        }
    };
    let mut state = state_of(&newton);
    if state == FitState::Moving {
        let (next, trials) = climb(problem, &newton, scratch);
        fit.record.evaluations += trials;
        tell_step(problem, &newton, next.as_ref().map(|next| (&next.at, trials)), &mut scratch.told);
        match next {
            Some(next) => {
                fit.record.evaluations += 1.0;
                newton = next;
                state = state_of(&newton);
            }
            // No step climbs: rounding errors are all that is left.
            None => state = if factor(&newton).is_some() { FitState::Converged } else { FitState::NotAPeak },
        }
    } else {
        tell_step(problem, &newton, None, &mut scratch.told);
    }
    let at = newton.at.clone();
    record(method, problem, newton, state, fit);
    at
}

/// Tells the slope and the size of the curvature at an iterate, and the step from there with the number of dampings that were tried. Of vectors
/// what is in the plane is told.
fn tell_step(problem: &Problem<'_>, newton: &VectorNewton, next: Option<(&DVector<f64>, f64)>, told: &mut Told) {
    if !told.is_recorded() {
        return;
    }
    told.tell(Phase::Gradient, "g in the plane", problem.displacement(|axis| newton.gradient[axis]));
    told.tell(Phase::Estimate, "largest entry of H", newton.hessian.amax());
    let Some((to, trials)) = next else { return told.say(Phase::Decision, "the climb rests") };
    told.tell(Phase::Proposal, "δ in the plane", problem.displacement(|axis| to[axis] - newton.at[axis]));
    if trials > 1.0 {
        told.tell(Phase::Decision, "dampings of H tried", trials);
    } else {
        told.say(Phase::Decision, "all of it");
    }
}

/// Tells the distribution after a step, in the plane.
fn tell_fit(fit: &Approximation, told: &mut Told) {
    match &fit.record.distribution {
        Some(distribution) => {
            told.tell(Phase::Fit, "mean", distribution.mean());
            told.tell(Phase::Fit, "covariance in the plane", distribution.covariance());
        }
        None => told.say(Phase::Fit, "none yet: the curvature here is not that of a peak"),
    }
}

/// The log density with its derivatives; `None` where they are not finite.
fn derivatives(problem: &Problem<'_>, at: DVector<f64>, scratch: &mut Scratch) -> Option<VectorNewton> {
    let coords = Coords::of(at.len(), [at.as_slice()].into_iter());
    let mut gradient = Coords::zeros(at.len(), 1);
    problem.gradients(&coords, &mut scratch.memory, &mut gradient);
    let hessian = problem.model?.hessian(at.as_slice())?;
    let gradient = DVector::from_iterator(at.len(), gradient.vector(0));
    let log_density = log_density(problem, &coords, scratch);
    let newton = VectorNewton { at, log_density, gradient, hessian, curvature: Curvature::Full, gaussian: None };
    let finite = newton.log_density.is_finite() && newton.gradient.iter().all(|slope| slope.is_finite());
    (finite && newton.hessian.iter().all(|entry| entry.is_finite())).then_some(newton)
}

fn log_density(problem: &Problem<'_>, at: &Coords, scratch: &mut Scratch) -> f64 {
    let mut found = [f64::NAN];
    problem.log_densities(at, &mut scratch.memory, &mut found);
    found[0]
}

/// The factor of −∇² log p̃, where it is positive definite.
fn factor(newton: &VectorNewton) -> Option<Cholesky> {
    Cholesky::new(&-&newton.hessian)
}

/// P⁻¹ v.
fn solved(factor: &Cholesky, v: &DVector<f64>) -> DVector<f64> {
    let mut solved = v.clone();
    factor.solve(solved.as_mut_slice());
    solved
}

fn state_of(newton: &VectorNewton) -> FitState {
    let decrement = factor(newton).map(|factor| newton.gradient.dot(&solved(&factor, &newton.gradient)));
    match decrement {
        Some(decrement) if decrement <= CONVERGED => FitState::Converged,
        None if newton.gradient.amax() <= 0.0 => FitState::NotAPeak,
        _ => FitState::Moving,
    }
}

/// The next iterate with the smallest damping that climbs, and the number of trials; `None` if none does.
fn climb(problem: &Problem<'_>, newton: &VectorNewton, scratch: &mut Scratch) -> (Option<VectorNewton>, f64) {
    let least = 1e-6 * newton.hessian.amax().max(f64::MIN_POSITIVE);
    let damping = Damping { first: 0.0, least, growth: 10.0, trials: TRIALS };
    let (found, trials) = damped_step(&-&newton.hessian, newton.gradient.as_slice(), damping, |step| {
        let at = &newton.at + DVector::from_column_slice(step);
        let position = Coords::of(at.len(), [at.as_slice()].into_iter());
        (log_density(problem, &position, scratch) > newton.log_density).then(|| derivatives(problem, at, scratch))
    });
    (found.and_then(|(next, _)| next), trials as f64)
}

/// Records the state of the ascent and the distribution at its iterate.
fn record(method: &Laplace, problem: &Problem<'_>, mut newton: VectorNewton, state: FitState, fit: &mut Approximation) {
    (fit.record.elbo, fit.record.log_evidence, fit.record.state) = (None, None, state);
    (fit.record.distribution, fit.record.not_positive) = (None, 0);
    (newton.curvature, newton.gaussian) = (method.curvature, None);
    match precision(method.curvature, problem, &newton, fit) {
        Ok(precision) => {
            let gaussian = gaussian(newton.at.clone(), &precision);
            let is_finite = match &gaussian.root {
                Root::Diagonal(sds) => sds.iter().all(|sd| sd.is_finite()),
                Root::Full(root) => root.iter().all(|entry| entry.is_finite()),
            };
            if is_finite && gaussian.mean.iter().all(|mean| mean.is_finite()) {
                // Weights that are fixed may have no width in the plane; the Gaussian is there all the same.
                put(fit, problem, &gaussian);
                let is_mode = state == FitState::Converged;
                fit.record.log_evidence = is_mode.then(|| precision.log_evidence(newton.log_density));
                newton.gaussian = Some(gaussian);
            }
        }
        Err(CurvatureError::Indefinite { negative, .. }) => {
            fit.record.not_positive = u32::try_from(negative).unwrap_or(u32::MAX);
        }
        Err(_) => {}
    }
    fit.memory = Memory::VectorNewton(Box::new(newton));
}

/// The precision at an iterate, from its Hessian where that is enough.
fn precision(
    curvature: Curvature,
    problem: &Problem<'_>,
    newton: &VectorNewton,
    fit: &mut Approximation,
) -> Result<Precision, CurvatureError> {
    match curvature {
        Curvature::Full => Precision::of_matrix(&-&newton.hessian, 0, curvature),
        Curvature::Diagonal => {
            let diagonal = newton.hessian.diagonal().iter().map(|entry| -entry).collect();
            Precision::of_diagonal(diagonal, curvature)
        }
        _ => {
            fit.record.evaluations += 1.0;
            let model = problem.model.ok_or(CurvatureError::Absent(curvature.name()))?;
            model.precision(newton.at.as_slice(), curvature)
        }
    }
}

/// N(at, precision⁻¹).
fn gaussian(at: DVector<f64>, precision: &Precision) -> VectorGaussian {
    let root = match precision.sds() {
        Some(sds) => Root::Diagonal(DVector::from_vec(sds)),
        None => Root::Full(precision.covariance_root()),
    };
    VectorGaussian { mean: at, root }
}

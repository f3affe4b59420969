//! Laplace's approximation in d dimensions: Newton's method with damping to a mode, and the Gaussian with its curvature.
//!
//! A step solves (H + μI) δ = g with H = −∇² log p̃; μ is 0 where H is positive definite and the step climbs, and grows
//! otherwise (Levenberg 1944; Nocedal and Wright 2006, "Numerical optimization", section 3.4). The ascent has converged
//! where the Newton decrement gᵀH⁻¹g is as small as rounding errors are.

use std::f64::consts::TAU;

use nalgebra::{DMatrix, DVector};

use super::{each_fit, put};
use crate::math::kernels::ln;
use crate::math::{Cholesky, Coords};
use crate::methods::laplace::Laplace;
use crate::methods::memory::{Root, VectorGaussian, VectorNewton};
use crate::methods::{Approximation, Chunk, Curvature, FitState, Memory, Population, Problem, Scratch, StartAt};
use crate::params::ParamError;
use crate::targets::Model;

/// gᵀH⁻¹g at which the ascent has converged: a mode known to 10⁻⁹ standard deviations.
const CONVERGED: f64 = 1e-18;

/// Values of μ that a step tries at most, each ten times the last.
const TRIALS: usize = 40;

/// Checks that the method applies to a model.
pub(in crate::methods) fn suits(method: &Laplace, model: &dyn Model) -> Result<(), ParamError> {
    if method.start_at == StartAt::Modes {
        let problem = "the modes of a target in many dimensions are not listed";
        return Err(ParamError::new("at", problem, "\"start\""));
    }
    if model.hessian(&model.start()).is_none() {
        return Err(ParamError::new("method", "this target has no second derivatives", "a sampler or an optimiser"));
    }
    if method.curvature == Curvature::Fisher && model.fisher(&model.start()).is_none() {
        let problem = "the Fisher information needs gradients of single data, and the target has no data";
        return Err(ParamError::new("curvature", problem, "\"full\" or \"diagonal\""));
    }
    Ok(())
}

/// Takes a chunk of steps with every fit.
pub(in crate::methods) fn advance(method: &Laplace, chains: &mut Population, chunk: Chunk<'_>) {
    let problem = chunk.problem;
    each_fit(chains, chunk, |_, _, place, fit, scratch| step(method, problem, &place, fit, scratch));
}

/// Takes a step of one ascent and returns the new iterate. An ascent that has ended stays where it is, at no cost.
fn step(
    method: &Laplace,
    problem: &Problem<'_>,
    place: &DVector<f64>,
    fit: &mut Approximation,
    scratch: &mut Scratch,
) -> DVector<f64> {
    let known = match std::mem::take(&mut fit.memory) {
        Memory::VectorNewton(newton) if newton.at == *place => Some(newton),
        _ => None,
    };
    let ended = fit.record.state != FitState::Moving;
    let mut newton = match known {
        Some(newton) if ended => {
            record(method, problem, *newton, fit.record.state, fit);
            return place.clone();
        }
        Some(newton) => *newton,
        None => {
            fit.record.evaluations += 2.0;
            let Some(newton) = derivatives(problem, place.clone(), scratch) else {
                fit.record.state = FitState::Diverged;
                return place.clone();
            };
            newton
        }
    };
    let mut state = state_of(&newton);
    if state == FitState::Moving {
        let (next, trials) = climb(problem, &newton, scratch);
        fit.record.evaluations += trials;
        match next {
            Some(next) => {
                fit.record.evaluations += 1.0;
                newton = next;
                state = state_of(&newton);
            }
            // No step climbs: rounding errors are all that is left.
            None => state = if factor(&newton).is_some() { FitState::Converged } else { FitState::NotAPeak },
        }
    }
    let at = newton.at.clone();
    record(method, problem, newton, state, fit);
    at
}

/// The log density with its derivatives; `None` where they are not finite.
fn derivatives(problem: &Problem<'_>, at: DVector<f64>, scratch: &mut Scratch) -> Option<VectorNewton> {
    let places = Coords::of(at.len(), [at.as_slice()].into_iter());
    let mut gradient = Coords::zeros(at.len(), 1);
    problem.model.gradients(problem.simd, &places, &mut scratch.room, &mut gradient);
    let hessian = problem.model.hessian(at.as_slice())?;
    let gradient = DVector::from_iterator(at.len(), gradient.vector(0));
    let log_density = log_density(problem, &places, scratch);
    let newton = VectorNewton { at, log_density, gradient, hessian, gaussian: None };
    let finite = newton.log_density.is_finite() && newton.gradient.iter().all(|slope| slope.is_finite());
    (finite && newton.hessian.iter().all(|entry| entry.is_finite())).then_some(newton)
}

fn log_density(problem: &Problem<'_>, place: &Coords, scratch: &mut Scratch) -> f64 {
    let mut found = [f64::NAN];
    problem.model.log_densities(problem.simd, place, &mut scratch.room, &mut found);
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
    let mut damping = 0.0;
    let smallest = 1e-6 * newton.hessian.amax().max(f64::MIN_POSITIVE);
    for trial in 1..=TRIALS {
        let mut matrix = -&newton.hessian;
        (0..matrix.nrows()).for_each(|axis| matrix[(axis, axis)] += damping);
        if let Some(factor) = Cholesky::new(&matrix) {
            let at = &newton.at + solved(&factor, &newton.gradient);
            let place = Coords::of(at.len(), [at.as_slice()].into_iter());
            if log_density(problem, &place, scratch) > newton.log_density {
                return (derivatives(problem, at, scratch), trial as f64);
            }
        }
        damping = if damping > 0.0 { 10.0 * damping } else { smallest };
    }
    (None, TRIALS as f64)
}

/// Records the state of the ascent and the distribution at its iterate.
fn record(method: &Laplace, problem: &Problem<'_>, mut newton: VectorNewton, state: FitState, fit: &mut Approximation) {
    (fit.record.elbo, fit.record.log_evidence, fit.record.state) = (None, None, state);
    fit.record.distribution = None;
    let at = newton.at.clone();
    let precision = match method.curvature {
        Curvature::Full => Some(-&newton.hessian),
        Curvature::Diagonal => Some(DMatrix::from_diagonal(&-newton.hessian.diagonal())),
        Curvature::Fisher => {
            fit.record.evaluations += 1.0;
            let diagonal = problem.model.fisher(at.as_slice());
            diagonal.map(|diagonal| DMatrix::from_diagonal(&DVector::from_vec(diagonal)))
        }
    };
    newton.gaussian = None;
    if let Some((gaussian, log_determinant)) = precision.and_then(|precision| gaussian(at, &precision))
        && put(fit, problem, &gaussian)
    {
        let d = gaussian.dimension() as f64;
        let log_evidence = newton.log_density + 0.5 * d * ln(TAU) - 0.5 * log_determinant;
        fit.record.log_evidence = Some(log_evidence).filter(|_| state == FitState::Converged);
        newton.gaussian = Some(gaussian);
    }
    fit.memory = Memory::VectorNewton(Box::new(newton));
}

/// N(at, precision⁻¹) and the log determinant of the precision; `None` if it is not positive definite.
fn gaussian(at: DVector<f64>, precision: &DMatrix<f64>) -> Option<(VectorGaussian, f64)> {
    let factor = Cholesky::new(precision)?;
    // P = LLᵀ, so P⁻¹ = L⁻ᵀL⁻¹.
    let mut root = DMatrix::identity(at.len(), at.len());
    root.column_iter_mut().for_each(|mut column| factor.solve_upper(column.as_mut_slice()));
    Some((VectorGaussian { mean: at, root: Root::Full(root) }, factor.log_determinant()))
}

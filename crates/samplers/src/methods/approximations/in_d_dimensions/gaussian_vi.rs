//! Variational inference with Gaussians in d dimensions: the steps of [`crate::methods::GaussianVi`] for many coordinates.
//!
//! θ = m + L ξ with ξ ~ N(0, I); the parameters are m, ln Lₖₖ and, of full rank, the entries of L below the diagonal. With
//! g = ∇ log p̃(θ) their gradients of the bound are E g, Lₖₖ E gₖξₖ + 1 and E gⱼξₖ (Kingma and Welling 2014; Blundell et
//! al. 2015, "Weight uncertainty in neural networks", for networks). The draws of a step share its minibatch. The bound is
//! estimated where gradients are of all data.

use nalgebra::DVector;

use super::super::fit_state::{Root, VectorAdam, VectorGaussian};
use super::super::gaussian_vi::{Family, GaussianVi};
use super::{each_fit, put};
use crate::methods::kit::stepwise::Step;
use crate::methods::{
    Approximation, Chunk, Estimate, FitState, Gradient, Memory, Phase, Population, Problem, Scratch, TermValue,
};
use base::math::Decay;
use base::math::elementary::ln;
use models::targets::Minibatches;

/// Takes a chunk of steps with every fit.
pub(crate) fn advance(method: &GaussianVi, draws: usize, chains: &mut Population, chunk: Chunk<'_>) {
    let problem = chunk.problem;
    each_fit(chains, chunk, Phase::Fit, |step, chain, position, fit, scratch| {
        one(method, draws, problem, (step, chain), &position, fit, scratch).unwrap_or_else(|| {
            fit.record.guards += 1;
            fit.record.state = FitState::Diverged;
            position
        })
    });
}

/// Takes a step with one fit and returns its mean; `None` if its numbers are not finite.
fn one(
    method: &GaussianVi,
    draws: usize,
    problem: &Problem<'_>,
    (step, chain): (&Step<'_>, usize),
    position: &DVector<f64>,
    fit: &mut Approximation,
    scratch: &mut Scratch,
) -> Option<DVector<f64>> {
    let d = position.len();
    let mut adam = match std::mem::take(&mut fit.memory) {
        Memory::VectorAdam(adam) if adam.parameters.len() == parameters(method.family, d) => *adam,
        Memory::VectorAdam(adam) => VectorAdam::of(method.family, &adam.gaussian(d)),
        _ => VectorAdam::of(method.family, &VectorGaussian::round(position.clone(), method.initial_sd)),
    };
    let gaussian = adam.gaussian(d);
    spread(&gaussian, draws, (step, chain), scratch);
    evaluate(problem, draws, (step, chain), scratch);
    fit.record.evaluations += draws as f64 * problem.gradient.uncompensated().cost(problem.data_count());
    fit.record.log_evidence = None;
    fit.record.elbo = bound(problem, &gaussian, (step, chain), scratch);
    let gradient = gradient(method.family, &gaussian, (step, chain), scratch);
    let before = adam.clone();
    // A change of family takes effect even if the step is skipped.
    put(fit, problem, &gaussian);
    adam.ascend(&gradient, step.alpha, method.decay);
    let after = adam.gaussian(d);
    let is_finite = adam.parameters.iter().all(|parameter| parameter.is_finite());
    fit.record.state = FitState::Moving;
    let moved = is_finite && put(fit, problem, &after);
    tell(problem, (step, chain), (draws, gradient.as_slice()), [&before, &adam], (&*fit, &mut *scratch));
    fit.memory = Memory::VectorAdam(Box::new(if moved { adam } else { before }));
    moved.then_some(after.mean)
}

/// Tells the mean and its part of the gradient and of the moving averages, in the plane.
fn tell(
    problem: &Problem<'_>,
    (step, chain): (&Step<'_>, usize),
    (draws, gradient): (usize, &[f64]),
    [before, after]: [&VectorAdam; 2],
    (fit, scratch): (&Approximation, &mut Scratch),
) {
    let Scratch { told, to_gradient, .. } = scratch;
    if !told.is_recorded() {
        return;
    }
    let in_plane = |of: &dyn Fn(usize) -> f64| problem.displacement(of);
    told.tell(Phase::Position, "μ in the plane", in_plane(&|axis| before.parameters[axis]));
    told.tell(Phase::Noise, "draws, each with a number for every coordinate", draws as u64);
    let slopes = (0..draws).map(|draw| in_plane(&|axis| to_gradient.get(draw, axis)));
    told.tell(Phase::Gradient, "g", TermValue::vectors(slopes));
    let batch = step.batches.of(0, chain);
    if matches!(problem.gradient, Gradient::Minibatch { .. }) {
        told.tell(Phase::Gradient, "batch", TermValue::indices(batch.iter(), batch.len(), problem.data_count()));
    }
    told.tell(Phase::Estimate, "u by μ", in_plane(&|axis| gradient[axis]));
    if let Some(elbo) = fit.record.elbo {
        told.tell(Phase::Estimate, "ELBO", elbo.value);
    }
    let [first, second] = after.decayed.map(|decayed| 1.0 - decayed);
    told.tell(Phase::Adapt, "m̂ of μ", in_plane(&|axis| after.first[axis] / first));
    told.tell(Phase::Adapt, "√v̂ of μ", in_plane(&|axis| (after.second[axis] / second).sqrt()));
    told.tell(Phase::Fit, "η", step.alpha);
    if let Some(distribution) = &fit.record.distribution {
        told.tell(Phase::Fit, "mean", distribution.mean());
        told.tell(Phase::Fit, "covariance in the plane", distribution.covariance());
    }
}

/// Number of parameters of a family.
fn parameters(family: Family, d: usize) -> usize {
    2 * d + if family == Family::FullRank { d * (d - 1) / 2 } else { 0 }
}

/// Puts the draws of a step into `scratch.to`.
fn spread(gaussian: &VectorGaussian, draws: usize, (step, chain): (&Step<'_>, usize), scratch: &mut Scratch) {
    let Scratch { to, vector, .. } = scratch;
    to.resize(gaussian.dimension(), draws);
    vector.resize(gaussian.dimension(), 0.0);
    for draw in 0..draws {
        let normals = step.normals(draw);
        gaussian.draw(|axis| normals.axis(axis)[chain], vector);
        to.set(draw, vector);
    }
}

/// Puts the gradients at the draws into `scratch.to_gradient`, with their noise.
fn evaluate(problem: &Problem<'_>, draws: usize, (step, chain): (&Step<'_>, usize), scratch: &mut Scratch) {
    let Scratch { to, to_gradient, memory, .. } = scratch;
    to_gradient.resize(to.dimension(), to.len());
    // All draws share the minibatch of the chain.
    let batch: Vec<u32> = step.batches.of(0, chain).iter().collect();
    let batches = if batch.is_empty() { Minibatches::default() } else { Minibatches::new(&batch, batch.len(), 1) };
    problem.gradient.estimates(problem, batches, to, memory, to_gradient);
    if let Gradient::Noisy { variance, .. } = *problem.gradient {
        let sd = variance.sqrt();
        for draw in 0..draws {
            let normals = step.normals(draws + draw);
            for axis in 0..to_gradient.dimension() {
                to_gradient.axis_mut(axis)[draw] += sd * normals.axis(axis)[chain];
            }
        }
    }
}

/// The bound E (log p̃ − log q) before the step with its standard error, if gradients are of all data.
fn bound(
    problem: &Problem<'_>,
    gaussian: &VectorGaussian,
    (step, chain): (&Step<'_>, usize),
    scratch: &mut Scratch,
) -> Option<Estimate> {
    if matches!(problem.gradient, Gradient::Minibatch { .. }) {
        return None;
    }
    scratch.fill_proposed(problem);
    let (d, draws) = (gaussian.dimension(), scratch.to.len());
    let excess = |draw: usize| {
        let normals = step.normals(draw);
        // −log q(m + R ξ) = entropy − d/2 + ½‖ξ‖².
        let squares: f64 = (0..d).map(|axis| normals.axis(axis)[chain] * normals.axis(axis)[chain]).sum();
        scratch.to_log_density[draw] + 0.5 * squares
    };
    let mean = (0..draws).map(excess).sum::<f64>() / draws as f64;
    let scatter: f64 = (0..draws).map(|draw| (excess(draw) - mean) * (excess(draw) - mean)).sum();
    let variance = if draws > 1 { scatter / (draws - 1) as f64 / draws as f64 } else { f64::INFINITY };
    let value = mean + gaussian.entropy() - 0.5 * d as f64;
    value.is_finite().then(|| Estimate { value, standard_error: variance.sqrt() })
}

/// The gradient of the bound in the parameters of the family.
fn gradient(
    family: Family,
    gaussian: &VectorGaussian,
    (step, chain): (&Step<'_>, usize),
    scratch: &Scratch,
) -> Vec<f64> {
    let (d, gradients) = (gaussian.dimension(), &scratch.to_gradient);
    let share = 1.0 / gradients.len() as f64;
    let by_root = |row: usize, column: usize| {
        let products = gradients.axis(row).iter().enumerate();
        share * products.map(|(draw, g)| g * step.normals(draw).axis(column)[chain]).sum::<f64>()
    };
    let mut gradient: Vec<f64> = gradients.axes().map(|axis| share * axis.iter().sum::<f64>()).collect();
    let diagonal = |row: usize| match &gaussian.root {
        Root::Diagonal(sds) => sds[row],
        Root::Full(root) => root[(row, row)],
    };
    gradient.extend((0..d).map(|row| diagonal(row) * by_root(row, row) + 1.0));
    if family == Family::FullRank {
        gradient.extend((0..d).flat_map(|row| (0..row).map(move |column| (row, column))).map(|(r, c)| by_root(r, c)));
    }
    gradient
}

impl VectorAdam {
    /// The parameters of a distribution before the first step, whose root is triangular.
    fn of(family: Family, gaussian: &VectorGaussian) -> Self {
        let d = gaussian.dimension();
        let mut parameters = gaussian.mean.as_slice().to_vec();
        match (&gaussian.root, family) {
            (Root::Diagonal(sds), _) => parameters.extend(sds.iter().map(|sd| ln(*sd))),
            (Root::Full(root), Family::FullRank) => parameters.extend(root.diagonal().iter().map(|sd| ln(*sd))),
            // Without correlation the standard deviations stay as they are.
            (Root::Full(root), Family::MeanField) => parameters.extend(root.row_iter().map(|row| ln(row.norm()))),
        }
        if family == Family::FullRank {
            let below = (0..d).flat_map(|row| (0..row).map(move |column| (row, column)));
            parameters.extend(below.map(|index| match &gaussian.root {
                Root::Diagonal(_) => 0.0,
                Root::Full(root) => root[index],
            }));
        }
        let zeros = vec![0.0; parameters.len()];
        Self { parameters, first: zeros.clone(), second: zeros, decayed: [1.0; 2] }
    }

    /// A step of size α (Kingma and Ba 2015, algorithm 1, as an ascent); see [`Decay`].
    fn ascend(&mut self, gradient: &[f64], alpha: f64, decay: Decay) {
        self.decayed = [self.decayed[0] * decay.first, self.decayed[1] * decay.second];
        let corrections = self.decayed.map(|decayed| 1.0 - decayed);
        let averages = self.first.iter_mut().zip(&mut self.second);
        for ((parameter, (first, second)), gradient) in self.parameters.iter_mut().zip(averages).zip(gradient) {
            *parameter += decay.step([first, second], *gradient, alpha, corrections);
        }
    }
}

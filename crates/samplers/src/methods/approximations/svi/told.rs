//! What a step of stochastic variational inference tells: λ before it, the draws, what is found there, λ̂, and how they are mixed.

use super::super::expectation::{Affine, Evaluations, Expectations};
use super::super::fit_state::Natural;
use crate::methods::{Phase, Problem, Told};
use base::math::{Distribution, Matrix, Point};
use models::targets::Minibatch;

/// Tells the draws of a step, what is found there, and the intermediate estimate λ̂.
pub(super) fn evaluated(
    told: &mut Told,
    problem: &Problem<'_>,
    (found, expectations): (&Evaluations, &Expectations),
    (before, estimate, batch): (&Affine, &Natural, Minibatch<'_>),
) {
    if !told.is_recorded() {
        return;
    }
    told.tell(Phase::Position, "m", before.mean);
    expectations.tell_draws(told, problem, (found, batch));
    told.tell(Phase::Gradient, "ḡ", found.total.gradient);
    told.tell(Phase::Gradient, "Λ̂", -found.total.hessian);
    if estimate.iter().any(|entry| !entry.is_finite()) {
        told.say(Phase::Fit, "the step is left out: its estimate is not finite");
    }
}

/// Tells how λ and the averaged estimate are mixed, and what comes of it; `None` if no share of the estimate gives a Gaussian.
pub(super) fn mixed(
    told: &mut Told,
    [before, estimate, averaged]: [&Natural; 3],
    (rho, halvings): (f64, u32),
    after: Option<&(Natural, Distribution)>,
) {
    if !told.is_recorded() {
        return;
    }
    tell(told, Phase::Position, ["Λm", "Λ"], before);
    tell(told, Phase::Estimate, ["ḡ + Λ̂ m", "Λ̂"], estimate);
    if averaged != estimate {
        tell(told, Phase::Estimate, ["smoothed ḡ + Λ̂ m", "smoothed Λ̂"], averaged);
    }
    told.tell(Phase::Adapt, "ρ", (0..halvings).fold(rho, |share, _| 0.5 * share));
    if halvings > 0 {
        told.tell(Phase::Adapt, "halvings", u64::from(halvings));
    }
    let Some((natural, distribution)) = after else {
        return told.say(Phase::Fit, "the step is left out: no share of it gives a Gaussian");
    };
    tell(told, Phase::Fit, ["Λm", "Λ"], natural);
    told.tell(Phase::Move, "new m", distribution.mean());
}

/// Tells natural parameters.
fn tell(told: &mut Told, phase: Phase, [shift, precision]: [&'static str; 2], natural: &Natural) {
    let [x, y, xx, xy, yy] = (*natural).into();
    told.tell(phase, shift, Point::new(x, y));
    told.tell(phase, precision, Matrix::new(xx, xy, xy, yy));
}

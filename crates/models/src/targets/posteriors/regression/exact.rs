//! The posterior under a normal likelihood where every coefficient has a flat or a normal prior: Gaussian given s = ln σ
//! ([`Conditional`]), so that everything is exact.

use super::conditional::{Conditional, Parts};
use super::priors::SigmaPrior;
use crate::targets::kit::scaled::mixture::{Curve, Exact, GivenScale, Kind, Named};
use crate::targets::kit::scaled::nodes::Nodes;
use base::math::elementary::{exp, ln};

/// The Gaussian given s with the prior of σ; s is known without one.
#[derive(Debug)]
pub(super) struct Regressed {
    conditional: Conditional,
    prior: Option<SigmaPrior>,
    /// The power of 1/σ with which the density of s falls far out.
    tail: f64,
}

/// The name of s, and of σ.
pub(super) const LOG_SIGMA: &str = "log_sigma";
pub(super) const SIGMA: &str = "sigma";

/// The names of coordinates and of quantities of coefficients with these names.
pub(super) fn named(coefficients: &[String], has_sigma: bool) -> Named {
    let with = |more: &[&str]| {
        let more = more.iter().filter(|_| has_sigma).map(|name| (*name).to_owned());
        coefficients.iter().cloned().chain(more).collect()
    };
    let (coordinates, names): (Vec<String>, Vec<String>) = (with(&[LOG_SIGMA]), with(&[LOG_SIGMA, SIGMA]));
    let kind = |number: usize| match number.checked_sub(coefficients.len()) {
        None => Kind::Gaussian(number),
        Some(0) => Kind::Log,
        Some(_) => Kind::Exp,
    };
    Named { kinds: (0..names.len()).map(kind).collect(), coordinates, names }
}

/// Quantities of a vector: its coordinates, and σ behind them.
pub(super) fn values(at: &[f64], out: &mut [f64]) {
    out[..at.len()].copy_from_slice(at);
    if let (Some(sigma), Some(s)) = (out.get_mut(at.len()), at.last()) {
        *sigma = exp(*s);
    }
}

/// Why σ has no posterior, in words with what would give it one.
pub(super) type Improper = (&'static str, &'static str);

const MORE_SIGMA: &str = "more data, fewer terms, or a proper prior of σ such as half-normal or half-student-t";
const EXACT_FIT: &str = "the terms fit the data exactly, or nearly so: the posterior of σ has no end";
const TOO_FEW: &str = "the prior of σ leaves its posterior improper: there are too few data";

/// The residual standard deviation of an exact fit, in units of the response.
const SMALLEST_RESIDUAL: f64 = 1e-12;

/// What is known, with the prior of σ or with its value.
///
/// # Errors
/// If it is improper.
pub(super) fn exact(
    conditional: Conditional,
    sigma: Result<SigmaPrior, f64>,
    (coefficients, is_proper): (&[String], bool),
) -> Result<Exact<Regressed>, Improper> {
    let prior = sigma.ok();
    let tail = conditional.tail() - 1.0 + prior.map_or(0.0, |prior| prior.tail());
    let given = Regressed { conditional, prior, tail };
    let conditional = &given.conditional;
    let nodes = match sigma {
        Err(value) => Nodes::one(ln(value), given.log(ln(value))[0]),
        Ok(_) if tail <= 0.0 => return Err((TOO_FEW, MORE_SIGMA)),
        Ok(_) => {
            let (residual, scale) = (conditional.residual_sd(), conditional.scale());
            // With as many data as coefficients nothing is left over, and the prior of σ decides.
            if residual <= SMALLEST_RESIDUAL * scale && conditional.tail() > 0.0 && !conditional.is_saturated() {
                return Err((EXACT_FIT, MORE_SIGMA));
            }
            let near = residual.max(1e-3 * scale).max(1e-9);
            Nodes::new(&|s| given.log(s)[0], ln(near), tail).ok_or((EXACT_FIT, MORE_SIGMA))?
        }
    };
    let is_proper = is_proper && prior.is_none_or(|prior| prior.is_proper());
    Ok(Exact::new(given, nodes, named(coefficients, prior.is_some()), is_proper))
}

impl GivenScale for Regressed {
    type At = Parts;

    fn log(&self, s: f64) -> Curve {
        let of_data = self.conditional.log_integral(s);
        let Some(prior) = self.prior else { return of_data };
        let prior = prior.log(s);
        [of_data[0] + prior[0] + s, of_data[1] + prior[1] + 1.0, of_data[2] + prior[2]]
    }

    fn at(&self, s: f64) -> Parts {
        self.conditional.parts(s)
    }

    fn mean(&self, at: &Parts, k: usize) -> f64 {
        self.conditional.mean(k, &at.0)
    }

    fn covariance(&self, at: &Parts, pair: [usize; 2]) -> f64 {
        self.conditional.covariance(pair, &at.1)
    }

    fn along(&self, k: usize, s: f64) -> [Curve; 2] {
        self.conditional.along(k, s)
    }

    fn image(&self, s: f64, normal: &mut dyn FnMut() -> f64, out: &mut [f64]) {
        let (beta, rest) = out.split_at_mut(self.conditional.coefficients());
        self.conditional.image(s, normal, beta);
        rest.iter_mut().for_each(|out| *out = s);
    }

    fn values(&self, at: &[f64], out: &mut [f64]) {
        values(at, out);
    }

    fn has_moment(&self, of: Kind, order: f64) -> bool {
        let is_bounded = matches!(of, Kind::Gaussian(_)) && !self.conditional.has_flat();
        self.prior.is_none() || of == Kind::Log || is_bounded || self.tail > order
    }
}

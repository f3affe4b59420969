//! The posterior under a normal likelihood where every coefficient has a flat or a normal prior: exact, by quadrature over s = ln σ.
//!
//! Given s the coefficients are a Gaussian ([`Conditional`]), so that their marginals, and those of two of them, are mixtures of Gaussians
//! with the weights of the nodes, and that of a coefficient with s is w(s) N(β; μ(s), V(s)). With a known σ there is one node.

use super::conditional::Conditional;
use super::nodes::{Nodes, mixture_below, mixture_quantile};
use super::priors::{Curve, SigmaPrior};
use crate::targets::{Quantities, Sureness};
use base::math::Stream;
use base::math::elementary::{exp, ln};

/// What is known of the posterior.
#[derive(Debug)]
pub(super) struct Exact {
    pub(super) conditional: Conditional,
    /// The prior of σ; s is known without one.
    pub(super) prior: Option<SigmaPrior>,
    pub(super) nodes: Nodes,
    is_proper: bool,
    /// The power of 1/σ with which the density of s falls far out.
    tail: f64,
    /// Means and variances of the parts of every node.
    parts: Vec<(Vec<f64>, Vec<f64>)>,
    coordinates: Vec<String>,
    names: Vec<String>,
}

/// The name of s, and of σ.
pub(super) const LOG_SIGMA: &str = "log_sigma";
pub(super) const SIGMA: &str = "sigma";

/// The names of coordinates and of quantities of coefficients with these names.
pub(super) fn names(coefficients: &[String], has_sigma: bool) -> [Vec<String>; 2] {
    let with = |more: &[&str]| {
        let more = more.iter().filter(|_| has_sigma).map(|name| (*name).to_owned());
        coefficients.iter().cloned().chain(more).collect()
    };
    [with(&[LOG_SIGMA]), with(&[LOG_SIGMA, SIGMA])]
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

impl Exact {
    /// With the prior of σ; or its value.
    ///
    /// # Errors
    /// If it is improper.
    pub(super) fn new(
        conditional: Conditional,
        sigma: Result<SigmaPrior, f64>,
        (coefficients, is_proper): (&[String], bool),
    ) -> Result<Self, Improper> {
        let prior = sigma.ok();
        let [coordinates, names] = names(coefficients, prior.is_some());
        let tail = conditional.tail() - 1.0 + prior.map_or(0.0, |prior| prior.tail());
        let nodes = match (prior, sigma) {
            (None, Err(value)) => Nodes::one(ln(value), conditional.log_integral(ln(value))[0]),
            (Some(prior), _) => {
                if tail <= 0.0 {
                    return Err(("the prior of σ leaves its posterior improper: there are too few data", MORE_SIGMA));
                }
                let near = conditional.residual_sd().max(1e-3 * conditional.scale()).max(1e-9);
                let log = |s: f64| conditional.log_integral(s)[0] + prior.log(s)[0] + s;
                Nodes::new(&log, ln(near), 2.0).ok_or((EXACT_FIT, MORE_SIGMA))?
            }
            (None, Ok(_)) => return Err((EXACT_FIT, MORE_SIGMA)),
        };
        let parts = nodes.s.iter().map(|s| conditional.parts(*s)).collect();
        let is_proper = is_proper && prior.is_none_or(|prior| prior.is_proper());
        Ok(Self { conditional, prior, nodes, is_proper, tail, parts, coordinates, names })
    }

    /// The log density of s, without normaliser, with its derivatives.
    pub(super) fn log_of_s(&self, s: f64) -> Curve {
        let of_data = self.conditional.log_integral(s);
        let prior = self.prior.map_or([0.0; 3], |prior| prior.log(s));
        [of_data[0] + prior[0] + s, of_data[1] + prior[1] + 1.0, of_data[2] + prior[2]]
    }

    fn log(&self) -> impl Fn(f64) -> f64 + '_ {
        |s| self.log_of_s(s)[0]
    }

    /// The vector that a uniform and standard normals make.
    pub(super) fn image(&self, uniform: f64, normal: impl FnMut() -> f64, out: &mut [f64]) {
        let s = match self.prior {
            Some(_) => self.nodes.quantile(&self.log(), uniform),
            None => self.nodes.top,
        };
        let (beta, rest) = out.split_at_mut(self.coefficients());
        self.conditional.image(s, normal, beta);
        rest.iter_mut().for_each(|out| *out = s);
    }

    fn coefficients(&self) -> usize {
        self.conditional.coefficients()
    }

    /// Weight, mean and standard deviation of coefficient `k` at every node.
    fn mixture(&self, k: usize) -> Vec<(f64, f64, f64)> {
        let of = |(weight, (means, variances)): (&f64, &(Vec<f64>, Vec<f64>))| {
            let variance = self.conditional.covariance([k, k], variances);
            (*weight, self.conditional.mean(k, means), variance.sqrt())
        };
        self.nodes.weights.iter().zip(&self.parts).map(of).collect()
    }

    /// Weight, means and covariances xx, xy, yy of two coefficients at every node.
    pub(super) fn two(&self, [j, k]: [usize; 2]) -> Vec<(f64, [f64; 2], [f64; 3])> {
        let of = |(weight, (means, variances)): (&f64, &(Vec<f64>, Vec<f64>))| {
            let mean = [j, k].map(|k| self.conditional.mean(k, means));
            (*weight, mean, [[j, j], [j, k], [k, k]].map(|pair| self.conditional.covariance(pair, variances)))
        };
        self.nodes.weights.iter().zip(&self.parts).map(of).collect()
    }

    /// The quantity of a number at a node, given s: its mean and what is left of its square.
    fn given(&self, number: usize, node: usize, s: f64) -> f64 {
        match number.checked_sub(self.coefficients()) {
            None => self.conditional.mean(number, &self.parts[node].0),
            Some(0) => s,
            Some(_) => exp(s),
        }
    }

    /// Covariance of two quantities; NaN where a variance does not exist.
    fn covariance_of(&self, [a, b]: [usize; 2], means: [f64; 2]) -> f64 {
        let p = self.coefficients();
        let within = |node: usize| {
            if a < p && b < p { self.conditional.covariance([a, b], &self.parts[node].1) } else { 0.0 }
        };
        self.nodes.mean(|node, s| {
            let deviation = |number: usize, mean: f64| self.given(number, node, s) - mean;
            deviation(a, means[0]) * deviation(b, means[1]) + within(node)
        })
    }

    fn mean_of(&self, number: usize) -> f64 {
        self.nodes.mean(|node, s| self.given(number, node, s))
    }

    /// Whether moments of this order of coefficients, which are scaled by σ, and of σ exist.
    fn has_moment(&self, number: usize, order: f64) -> bool {
        let p = self.coefficients();
        let is_bounded = number < p && !self.conditional.has_flat();
        self.prior.is_none() || number == p || is_bounded || self.tail > order
    }
}

const MORE_SIGMA: &str = "more data, fewer terms, or a proper prior of σ such as half-normal or half-student-t";
const EXACT_FIT: &str = "the terms fit the data exactly, or nearly so: the posterior of σ has no end";

impl Quantities for Exact {
    fn coordinates(&self) -> &[String] {
        &self.coordinates
    }

    fn names(&self) -> &[String] {
        &self.names
    }

    fn values(&self, at: &[f64], out: &mut [f64]) {
        values(at, out);
    }

    fn sureness(&self) -> Sureness {
        Sureness::Exact
    }

    fn moments(&self, number: usize) -> [f64; 2] {
        let mean = self.mean_of(number);
        let sd = self.covariance_of([number; 2], [mean; 2]).sqrt();
        [(1.0, mean), (2.0, sd)].map(|(order, moment)| if self.has_moment(number, order) { moment } else { f64::NAN })
    }

    fn correlation(&self, [a, b]: [usize; 2]) -> f64 {
        let means = [a, b].map(|number| self.mean_of(number));
        let [sd_a, sd_b] = [a, b].map(|number| self.moments(number)[1]);
        self.covariance_of([a, b], means) / (sd_a * sd_b)
    }

    fn quantile(&self, number: usize, probability: f64) -> f64 {
        match number.checked_sub(self.coefficients()) {
            None => mixture_quantile(&self.mixture(number), probability),
            Some(0) => self.nodes.quantile(&self.log(), probability),
            Some(_) => exp(self.nodes.quantile(&self.log(), probability)),
        }
    }

    fn below(&self, number: usize, value: f64) -> f64 {
        match number.checked_sub(self.coefficients()) {
            None => mixture_below(&self.mixture(number), value),
            Some(0) => self.nodes.below(&self.log(), value),
            Some(_) if value <= 0.0 => 0.0,
            Some(_) => self.nodes.below(&self.log(), ln(value)),
        }
    }

    fn log_normaliser(&self) -> f64 {
        self.nodes.log_integral
    }

    fn is_proper(&self) -> bool {
        self.is_proper
    }

    fn exact_draw(&self, stream: &mut Stream, out: &mut [f64]) -> bool {
        self.image(stream.uniform(), || stream.normal_pair().0, out);
        true
    }
}

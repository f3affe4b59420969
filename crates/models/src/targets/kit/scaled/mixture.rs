//! Posteriors that are a Gaussian given one number s: everything about them by quadrature over s.
//!
//! Given s the coordinates but s are a Gaussian with known means and covariances. So their marginals, and those of two of them, are mixtures
//! of Gaussians with the weights of the nodes, and the density of one of them and s is w(s) N(x; m(s), v(s)).

use super::nodes::{Nodes, mixture_below, mixture_quantile};
use crate::targets::{KnownQuantities, KnownSum, Quantities, Sureness};
use base::math::Stream;
use base::math::elementary::{exp, ln};

/// A function of s with its first two derivatives.
pub(in crate::targets) type Curve = [f64; 3];

/// What a quantity is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::targets) enum Kind {
    /// A number that is Gaussian given s, by its number among these.
    Gaussian(usize),
    /// s.
    Log,
    /// eˢ.
    Exp,
}

/// A posterior that is Gaussian given s.
pub(in crate::targets) trait GivenScale: std::fmt::Debug + Send + Sync {
    /// What is computed once for an s.
    type At: std::fmt::Debug + Send + Sync;

    /// The log density of s, without normaliser.
    fn log(&self, s: f64) -> Curve;

    /// What the following need of s.
    fn at(&self, s: f64) -> Self::At;

    /// The mean of Gaussian number `k`.
    fn mean(&self, at: &Self::At, k: usize) -> f64;

    /// The covariance of two of them.
    fn covariance(&self, at: &Self::At, pair: [usize; 2]) -> f64;

    /// Mean and variance of Gaussian number `k` as functions of s.
    fn along(&self, k: usize, s: f64) -> [Curve; 2];

    /// The vector that standard normals make, of as many coordinates as the chains have.
    fn image(&self, s: f64, normal: &mut dyn FnMut() -> f64, out: &mut [f64]);

    /// The quantities of a vector.
    fn values(&self, at: &[f64], out: &mut [f64]);

    /// Whether the mean of a quantity exists (order 1), and its variance (order 2).
    fn has_moment(&self, of: Kind, order: f64) -> bool;
}

/// What the coordinates and quantities are called, and what each quantity is. The first ones are the coordinates.
#[derive(Clone, Debug)]
pub(in crate::targets) struct Named {
    pub(in crate::targets) coordinates: Vec<String>,
    pub(in crate::targets) names: Vec<String>,
    pub(in crate::targets) kinds: Vec<Kind>,
}

/// What is known of such a posterior.
#[derive(Debug)]
pub(in crate::targets) struct Exact<G: GivenScale> {
    pub(super) given: G,
    pub(super) nodes: Nodes,
    pub(super) states: Vec<G::At>,
    pub(super) named: Named,
    is_proper: bool,
}

impl<G: GivenScale + 'static> Exact<G> {
    /// With the nodes of s.
    pub(in crate::targets) fn new(given: G, nodes: Nodes, named: Named, is_proper: bool) -> Self {
        let states = nodes.s.iter().map(|s| given.at(*s)).collect();
        Self { given, nodes, states, named, is_proper }
    }

    /// The draw that belongs to a uniform number and to normal ones.
    pub(in crate::targets) fn draw(&self, uniform: f64, normal: &mut dyn FnMut() -> f64, out: &mut [f64]) {
        let s = self.nodes.draw(&self.log(), uniform);
        self.given.image(s, normal, out);
    }

    /// The same with more draws where s is improbable, for moments that depend on them; returns the probability of s in units of that with which
    /// it is drawn.
    pub(in crate::targets) fn spread_draw(
        &self,
        uniform: f64,
        normal: &mut dyn FnMut() -> f64,
        out: &mut [f64],
    ) -> f64 {
        /// The share of draws that are from the distribution of s; the others are evenly over all nodes.
        const USUAL: f64 = 0.75;
        let [Some(first), Some(last)] = [self.nodes.s.first(), self.nodes.s.last()] else { return 1.0 };
        let width = last - first;
        if width <= 0.0 {
            self.draw(uniform, normal, out);
            return 1.0;
        }
        let s = if uniform < USUAL {
            self.nodes.draw(&self.log(), uniform / USUAL)
        } else {
            first + width * (uniform - USUAL) / (1.0 - USUAL)
        };
        self.given.image(s, normal, out);
        let density = exp(self.given.log(s)[0] - self.nodes.log_integral);
        density / (USUAL * density + (1.0 - USUAL) / width)
    }

    /// The vector in the middle of the Gaussian at the highest s.
    pub(in crate::targets) fn centre(&self) -> Vec<f64> {
        let mut out = vec![0.0; self.named.coordinates.len()];
        self.given.image(self.nodes.top, &mut || 0.0, &mut out);
        out
    }

    /// The log density of s, normalised.
    pub(super) fn log_of_s(&self, s: f64) -> Curve {
        let [log, slope, bend] = self.given.log(s);
        [log - self.nodes.log_integral, slope, bend]
    }

    pub(super) fn along(&self, k: usize, s: f64) -> [Curve; 2] {
        self.given.along(k, s)
    }

    fn log(&self) -> impl Fn(f64) -> f64 + '_ {
        |s| self.given.log(s)[0]
    }

    /// Weight, mean and standard deviation of a Gaussian at every node.
    fn mixture(&self, k: usize) -> Vec<(f64, f64, f64)> {
        let of =
            |(weight, at): (&f64, &G::At)| (*weight, self.given.mean(at, k), self.given.covariance(at, [k, k]).sqrt());
        self.nodes.weights.iter().zip(&self.states).map(of).collect()
    }

    /// The same of a sum of multiples of Gaussians.
    fn mixture_of_sum(&self, parts: &[(usize, f64)]) -> Vec<(f64, f64, f64)> {
        let of = |(weight, at): (&f64, &G::At)| {
            let mean = parts.iter().map(|(k, factor)| factor * self.given.mean(at, *k)).sum();
            let row = |(j, by): &(usize, f64)| {
                let covariances = parts.iter().map(|(k, factor)| factor * self.given.covariance(at, [*j, *k]));
                by * covariances.sum::<f64>()
            };
            (*weight, mean, parts.iter().map(row).sum::<f64>().max(0.0).sqrt())
        };
        self.nodes.weights.iter().zip(&self.states).map(of).collect()
    }

    /// A quantity at a node, given s: its mean.
    fn value(&self, number: usize, node: usize, s: f64) -> f64 {
        match self.named.kinds[number] {
            Kind::Gaussian(k) => self.given.mean(&self.states[node], k),
            Kind::Log => s,
            Kind::Exp => exp(s),
        }
    }

    fn mean(&self, number: usize) -> f64 {
        self.nodes.mean(|node, s| self.value(number, node, s))
    }

    fn covariance(&self, [a, b]: [usize; 2], means: [f64; 2]) -> f64 {
        let within = |node: usize| match [a, b].map(|number| self.named.kinds[number]) {
            [Kind::Gaussian(a), Kind::Gaussian(b)] => self.given.covariance(&self.states[node], [a, b]),
            _ => 0.0,
        };
        self.nodes
            .mean(|node, s| (self.value(a, node, s) - means[0]) * (self.value(b, node, s) - means[1]) + within(node))
    }
}

impl<G: GivenScale + 'static> Quantities for Exact<G> {
    fn coordinates(&self) -> &[String] {
        &self.named.coordinates
    }

    fn names(&self) -> &[String] {
        &self.named.names
    }

    fn values(&self, at: &[f64], out: &mut [f64]) {
        self.given.values(at, out);
    }

    fn known(&self) -> Option<&dyn KnownQuantities> {
        Some(self)
    }
}

impl<G: GivenScale + 'static> KnownQuantities for Exact<G> {
    fn sureness(&self) -> Sureness {
        Sureness::Exact
    }

    fn moments(&self, number: usize) -> [f64; 2] {
        let mean = self.mean(number);
        let sd = self.covariance([number; 2], [mean; 2]).sqrt();
        let has = |order: f64| self.given.has_moment(self.named.kinds[number], order);
        [(1.0, mean), (2.0, sd)].map(|(order, moment)| if has(order) { moment } else { f64::NAN })
    }

    fn correlation(&self, [a, b]: [usize; 2]) -> f64 {
        let means = [a, b].map(|number| self.mean(number));
        let [sd_a, sd_b] = [a, b].map(|number| self.moments(number)[1]);
        self.covariance([a, b], means) / (sd_a * sd_b)
    }

    fn quantile(&self, number: usize, probability: f64) -> f64 {
        match self.named.kinds[number] {
            Kind::Gaussian(k) => mixture_quantile(&self.mixture(k), probability),
            Kind::Log => self.nodes.quantile(&self.log(), probability),
            Kind::Exp => exp(self.nodes.quantile(&self.log(), probability)),
        }
    }

    fn below(&self, number: usize, value: f64) -> f64 {
        match self.named.kinds[number] {
            Kind::Gaussian(k) => mixture_below(&self.mixture(k), value),
            Kind::Log => self.nodes.below(&self.log(), value),
            Kind::Exp if value <= 0.0 => 0.0,
            Kind::Exp => self.nodes.below(&self.log(), ln(value)),
        }
    }

    fn sum(&self, parts: &[(usize, f64)], probabilities: &[f64]) -> Option<KnownSum> {
        let gaussian = |(number, factor): &(usize, f64)| match self.named.kinds[*number] {
            Kind::Gaussian(k) => Some((k, *factor)),
            Kind::Log | Kind::Exp => None,
        };
        let mixture = self.mixture_of_sum(&parts.iter().map(gaussian).collect::<Option<Vec<_>>>()?);
        let mean: f64 = mixture.iter().map(|(weight, mean, _)| weight * mean).sum();
        let square = |(weight, own, sd): &(f64, f64, f64)| weight * (sd * sd + (own - mean) * (own - mean));
        let sd = mixture.iter().map(square).sum::<f64>().sqrt();
        let has = |order| parts.iter().all(|(number, _)| self.given.has_moment(self.named.kinds[*number], order));
        let moments = [(1.0, mean), (2.0, sd)].map(|(order, moment)| if has(order) { moment } else { f64::NAN });
        let quantiles = probabilities.iter().map(|probability| mixture_quantile(&mixture, *probability)).collect();
        Some(KnownSum { moments, quantiles })
    }

    fn log_normaliser(&self) -> f64 {
        self.nodes.log_integral
    }

    fn is_proper(&self) -> bool {
        self.is_proper
    }

    fn exact_draw(&self, stream: &mut Stream, out: &mut [f64]) -> bool {
        let uniform = stream.uniform();
        self.draw(uniform, &mut || stream.normal_pair().0, out);
        true
    }
}

//! The hierarchy given t = ln τ: the means of the groups and their own mean are a Gaussian.
//!
//! With vⱼ = σⱼ² + τ², kⱼ = τ²/vⱼ and A = Σ 1/vⱼ + P, μ ~ N(m, 1/A) with m = (Σ yⱼ/vⱼ + P m₀)/A, and θⱼ has the mean kⱼ yⱼ + (1 − kⱼ) m and the
//! covariances σⱼ² kⱼ δⱼᵢ + (1 − kⱼ)(1 − kᵢ)/A. What is standardised, zⱼ = (θⱼ − μ)/τ, has the mean τ (yⱼ − m)/vⱼ and the covariances
//! σⱼ²/vⱼ δⱼᵢ + τ²/(vⱼ vᵢ A).

use std::f64::consts::TAU;

use crate::targets::kit::scaled::jet::Jet;
use crate::targets::kit::scaled::mixture::{Curve, GivenScale, Kind};
use crate::targets::posteriors::regression::priors::SigmaPrior;
use base::math::elementary::{exp, ln};

/// The words for the two parametrisations.
pub(super) const CENTRED: &str = "centred";
pub(super) const STANDARDISED: &str = "non-centred";

/// Groups with a mean and its variance each.
#[derive(Clone, Debug)]
pub(super) struct Hierarchy {
    /// Mean of the data of every group, and its variance σⱼ².
    pub(super) groups: Vec<[f64; 2]>,
    /// ln of the density of all data given θ, over that of the means of groups: 0 where each group has one datum.
    pub(super) constant: f64,
    /// Mean and precision of the prior of μ; precision 0 where it is flat.
    pub(super) mu: [f64; 2],
    pub(super) tau: SigmaPrior,
    /// Whether chains move in z instead of θ.
    pub(super) is_standardised: bool,
}

/// What is Gaussian given t: θⱼ, zⱼ and μ, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Of {
    Theta(usize),
    Z(usize),
    Mu,
}

/// m, 1/A, and τ.
pub(super) type At = [f64; 3];

impl Hierarchy {
    /// J.
    pub(super) fn count(&self) -> usize {
        self.groups.len()
    }

    fn of(&self, k: usize) -> Of {
        match k {
            k if k < self.count() => Of::Theta(k),
            k if k < 2 * self.count() => Of::Z(k - self.count()),
            _ => Of::Mu,
        }
    }

    /// The numbers, among what is Gaussian, of the coordinates of chains; of what is reported besides.
    pub(super) fn gaussians(&self) -> [Vec<usize>; 2] {
        let j = self.count();
        let (theta, z) = ((0..j).collect::<Vec<_>>(), (j..2 * j).collect::<Vec<_>>());
        let [mut own, other] = if self.is_standardised { [z, theta] } else { [theta, Vec::new()] };
        own.push(2 * j);
        [own, other]
    }

    /// vⱼ, m and 1/A as functions of t.
    fn jets(&self, t: f64) -> (Vec<Jet>, Jet, Jet) {
        let square = Jet::exp(2.0, t);
        let inverse: Vec<Jet> = self.groups.iter().map(|[_, own]| (square + Jet::constant(*own)).recip()).collect();
        let [mean, precision] = self.mu;
        let sum = inverse.iter().copied().sum::<Jet>() + Jet::constant(precision);
        let weighted: Jet = inverse.iter().zip(&self.groups).map(|(v, [y, _])| v.times(*y)).sum();
        let left = sum.recip();
        (inverse, (weighted + Jet::constant(precision * mean)) * left, left)
    }

    /// The power of 1/τ with which the density of τ falls far out.
    pub(super) fn tail(&self) -> f64 {
        let flat = if self.mu[1] > 0.0 { 0.0 } else { 1.0 };
        self.count() as f64 - flat - 1.0 + self.tau.tail()
    }

    /// θ of a vector of chains.
    pub(super) fn theta(&self, at: &[f64], j: usize) -> f64 {
        let (mu, t) = (at[self.count()], at[self.count() + 1]);
        if self.is_standardised { mu + exp(t) * at[j] } else { at[j] }
    }
}

impl GivenScale for Hierarchy {
    type At = At;

    fn log(&self, t: f64) -> Curve {
        let (inverse, mean, left) = self.jets(t);
        let [prior_mean, precision] = self.mu;
        let logs: Jet = inverse.iter().map(|v| v.ln()).sum();
        let squares: Jet = inverse
            .iter()
            .zip(&self.groups)
            .map(|(v, [y, _])| {
                let gap = mean - Jet::constant(*y);
                *v * gap * gap
            })
            .sum();
        let gap = mean - Jet::constant(prior_mean);
        let squares = squares + (gap * gap).times(precision);
        let of_mu = if precision > 0.0 { 0.5 * ln(precision / TAU) } else { 0.0 };
        let constant = self.constant - 0.5 * (self.count() as f64 - 1.0) * ln(TAU) + of_mu;
        let [log, slope, bend] = (logs + left.ln() - squares).times(0.5).0;
        let prior = self.tau.log(t);
        [log + constant + prior[0] + t, slope + prior[1] + 1.0, bend + prior[2]]
    }

    fn at(&self, t: f64) -> At {
        let (_, mean, left) = self.jets(t);
        [mean.0[0], left.0[0], exp(t)]
    }

    fn mean(&self, [mean, _, tau]: &At, k: usize) -> f64 {
        let gap = |j: usize| (self.groups[j][0] - mean) / (self.groups[j][1] + tau * tau);
        match self.of(k) {
            Of::Theta(j) => mean + tau * tau * gap(j),
            Of::Z(j) => tau * gap(j),
            Of::Mu => *mean,
        }
    }

    fn covariance(&self, [_, left, tau]: &At, [a, b]: [usize; 2]) -> f64 {
        // How each moves with μ, and what it has of its own.
        let with_mu = |k: usize| match self.of(k) {
            Of::Theta(j) => self.groups[j][1] / (self.groups[j][1] + tau * tau),
            Of::Z(j) => -tau / (self.groups[j][1] + tau * tau),
            Of::Mu => 1.0,
        };
        let own = match [self.of(a), self.of(b)] {
            [Of::Theta(i), Of::Theta(j)] if i == j => self.groups[j][1] * (tau * tau / (self.groups[j][1] + tau * tau)),
            [Of::Z(i), Of::Z(j)] if i == j => self.groups[j][1] / (self.groups[j][1] + tau * tau),
            [Of::Theta(i), Of::Z(j)] | [Of::Z(i), Of::Theta(j)] if i == j => {
                self.groups[j][1] * tau / (self.groups[j][1] + tau * tau)
            }
            _ => 0.0,
        };
        own + with_mu(a) * with_mu(b) * left
    }

    fn along(&self, k: usize, t: f64) -> [Curve; 2] {
        let (inverse, mean, left) = self.jets(t);
        let (tau, square) = (Jet::exp(1.0, t), Jet::exp(2.0, t));
        let [mean, variance] = match self.of(k) {
            Of::Mu => [mean, left],
            Of::Theta(j) => {
                let [y, own] = self.groups[j];
                let (share, other) = (square * inverse[j], inverse[j].times(own));
                [mean + share * (Jet::constant(y) - mean), share.times(own) + other * other * left]
            }
            Of::Z(j) => {
                let [y, own] = self.groups[j];
                let with_mu = tau * inverse[j];
                [with_mu * (Jet::constant(y) - mean), inverse[j].times(own) + with_mu * with_mu * left]
            }
        };
        [mean.0, variance.0]
    }

    fn image(&self, t: f64, normal: &mut dyn FnMut() -> f64, out: &mut [f64]) {
        let [mean, left, tau] = self.at(t);
        let mu = mean + left.sqrt() * normal();
        for (out, [y, own]) in out.iter_mut().zip(&self.groups) {
            let v = own + tau * tau;
            let z = tau * (y - mu) / v + (own / v).sqrt() * normal();
            *out = if self.is_standardised { z } else { mu + tau * z };
        }
        (out[self.count()], out[self.count() + 1]) = (mu, t);
    }

    fn values(&self, at: &[f64], out: &mut [f64]) {
        let d = at.len();
        out[..d].copy_from_slice(at);
        out[d] = exp(at[d - 1]);
        if self.is_standardised {
            (0..self.count()).for_each(|j| out[d + 1 + j] = self.theta(at, j));
        }
    }

    fn has_moment(&self, of: Kind, order: f64) -> bool {
        // Of θ far out it is that of its own datum, and z has that of a normal; μ spreads with τ.
        match of {
            Kind::Log => true,
            Kind::Gaussian(k) if self.of(k) != Of::Mu || self.mu[1] > 0.0 => true,
            _ => self.tail() > order,
        }
    }
}

//! Coordinate ascent on mean and precision: updates of q(μ) = N(m, 1/l) and q(τ) = Gamma(α, β) (Bishop 2006, Pattern
//! Recognition and Machine Learning, section 10.1.3; here with a prior of μ that scales with τ).
//!
//! In terms of m_N, λ, a and b of the posterior the log density is (a − ½) ln τ − bτ − ½ λτ(μ − m_N)² for all data. So
//!
//! q(μ): m = m_N, l = λ E τ;  q(τ): α = a + ½, β = b + ½ λ [(m − m_N)² + 1/l],
//!
//! and the bound is E log p̃ + ½ ln(2πe/l) + α − ln β + ln Γ(α) + (1 − α) ψ(α), with E τ = α/β and E ln τ = ψ(α) − ln β.
//! The mean of μ is right after the first update; the further updates make the two precisions consistent.

use std::f64::consts::TAU;

use super::Sample;
use crate::targets::Conjugacy;
use crate::targets::kit::conjugate::Conjugate;
use base::math::elementary::ln;
use base::math::{Distribution, Point, digamma, ln_gamma};

/// The parameters of a product.
#[derive(Clone, Copy, Debug)]
struct Product {
    mean: f64,
    precision: f64,
    shape: f64,
    rate: f64,
}

impl Product {
    fn distribution(self) -> Distribution {
        let Self { mean, precision, shape, rate } = self;
        Distribution::NormalGamma { mean, precision, shape, rate }
    }
}

impl Conjugate<Sample> {
    /// The product with its means at `at`: q(τ) has its final shape, and q(μ) the variance that belongs to E τ. If τ is
    /// not positive, E τ is that of the prior.
    fn begun(&self, at: Point) -> Product {
        let legal = at.y > 0.0 && at.y.is_finite();
        let tau = if legal { at.y } else { self.prior.shape / self.prior.rate };
        let shape = self.posterior.shape + 0.5;
        Product { mean: at.x, precision: self.posterior.size * tau, shape, rate: shape / tau }
    }

    /// The product of a distribution; only the means are used of a distribution of another kind.
    fn product(&self, distribution: &Distribution) -> Product {
        match *distribution {
            Distribution::NormalGamma { mean, precision, shape, rate } => Product { mean, precision, shape, rate },
            Distribution::Line { .. } | Distribution::Plane(_) => self.begun(distribution.mean()),
        }
    }

    /// λ E (μ − m_N)².
    fn spread(&self, product: &Product) -> f64 {
        let gap = product.mean - self.posterior.mean;
        self.posterior.size * (gap * gap + 1.0 / product.precision)
    }
}

impl Conjugacy for Conjugate<Sample> {
    fn start(&self, at: Point) -> Distribution {
        self.begun(at).distribution()
    }

    fn improved(&self, distribution: &Distribution, axis: usize) -> Distribution {
        let old = self.product(distribution);
        let new = if axis == 0 {
            let precision = self.posterior.size * (old.shape / old.rate);
            Product { mean: self.posterior.mean, precision, ..old }
        } else {
            Product { shape: self.posterior.shape + 0.5, rate: self.posterior.rate + 0.5 * self.spread(&old), ..old }
        };
        new.distribution()
    }

    fn elbo(&self, distribution: &Distribution) -> f64 {
        let product = self.product(distribution);
        let Product { precision, shape, rate, .. } = product;
        let (digamma, tau) = (digamma(shape), shape / rate);
        let expected = (self.posterior.shape - 0.5) * (digamma - ln(rate))
            - tau * (self.posterior.rate + 0.5 * self.spread(&product))
            + self.log_constant;
        let entropy_of_mean = 0.5 * (1.0 + ln(TAU) - ln(precision));
        let entropy_of_precision = shape - ln(rate) + ln_gamma(shape) + (1.0 - shape) * digamma;
        expected + entropy_of_mean + entropy_of_precision
    }
}

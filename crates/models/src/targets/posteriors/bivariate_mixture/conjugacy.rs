//! Coordinate ascent on the two means, with latent assignments zᵢ of the data to the components: q(z) q(θ₁) q(θ₂) (Bishop
//! 2006, Pattern Recognition and Machine Learning, section 10.2; Blei, Kucukelbir and McAuliffe 2017, arXiv:1601.00670).
//!
//! Given q(θ₁) = N(m₁, s₁) and q(θ₂) = N(m₂, s₂), datum i belongs to the second component with probability
//! rᵢ = 1/(1 + e⁻ᵘ), u = [m₂ (xᵢ − m₁ − m₂/2) − s₂/2]/σ². Given the rᵢ, with R their sum,
//!
//! q(θ₁): 1/s₁ = 1/v₁ + N/σ², m₁ = s₁ Σ (xᵢ − rᵢ m₂)/σ²;  q(θ₂): 1/s₂ = 1/v₂ + R/σ², m₂ = s₂ Σ rᵢ (xᵢ − m₁)/σ².
//!
//! The assignments are no coordinates of the target. They are always the optimal ones for q(θ₁) and q(θ₂), computed
//! before each update, so only the distribution of θ is stored. The bound includes them: Σ ln(½ e^A + ½ e^B) + E log
//! prior + entropies, where A and B are the expected log densities of a datum under the components. It is below the
//! bound of the same q(θ₁) q(θ₂) without assignments.

use std::f64::consts::TAU;

use super::posterior::Posterior;
use crate::targets::Conjugacy;
use base::math::elementary::{exp, ln, sigmoid};
use base::math::{Distribution, Gaussian, Matrix, Point};

/// The means and variances of q(θ₁) and q(θ₂).
#[derive(Clone, Copy, Debug)]
struct Product {
    mean: Point,
    variance: Point,
}

impl Product {
    fn of(distribution: &Distribution) -> Self {
        Self { mean: distribution.mean(), variance: distribution.covariance().diagonal() }
    }

    fn distribution(self) -> Distribution {
        Distribution::Plane(Gaussian { mean: self.mean, covariance: Matrix::from_diagonal(&self.variance) })
    }
}

impl Posterior {
    fn size(&self) -> f64 {
        self.data.len() as f64
    }

    /// The variance of q for a mean that `size` data belong to.
    fn variance_with(&self, size: f64, axis: usize) -> f64 {
        1.0 / (1.0 / self.prior_variance[axis] + size * self.precision)
    }

    /// u of a datum: the log odds of the second component.
    fn log_odds(&self, product: &Product, datum: f64) -> f64 {
        let Product { mean, variance } = product;
        (mean.y * (datum - mean.x - 0.5 * mean.y) - 0.5 * variance.y) * self.precision
    }

    fn improved_first(&self, product: Product) -> Product {
        let Product { mut mean, mut variance } = product;
        let nearer = |&datum: &f64| datum - sigmoid(self.log_odds(&product, datum)) * mean.y;
        let sum: f64 = self.data.iter().map(nearer).sum();
        variance.x = self.variance_with(self.size(), 0);
        mean.x = variance.x * (sum * self.precision);
        Product { mean, variance }
    }

    fn improved_second(&self, product: Product) -> Product {
        let Product { mut mean, mut variance } = product;
        let (mut belonging, mut sum) = (0.0, 0.0);
        for &datum in &self.data {
            let share = sigmoid(self.log_odds(&product, datum));
            belonging += share;
            sum += share * (datum - mean.x);
        }
        variance.y = self.variance_with(belonging, 1);
        mean.y = variance.y * (sum * self.precision);
        Product { mean, variance }
    }
}

impl Conjugacy for Posterior {
    /// The product at `at`, with the variances for half of the data in the second component.
    fn start(&self, at: Point) -> Distribution {
        let variance = Point::new(self.variance_with(self.size(), 0), self.variance_with(0.5 * self.size(), 1));
        Product { mean: at, variance }.distribution()
    }

    fn improved(&self, distribution: &Distribution, axis: usize) -> Distribution {
        let product = Product::of(distribution);
        let improved = if axis == 0 { self.improved_first(product) } else { self.improved_second(product) };
        improved.distribution()
    }

    fn elbo(&self, distribution: &Distribution) -> f64 {
        let product = Product::of(distribution);
        let Product { mean, variance } = product;
        let mut squares = 0.0;
        let mut logarithms = 0.0;
        for &datum in &self.data {
            let (deviation, log_odds) = (datum - mean.x, self.log_odds(&product, datum));
            squares += deviation * deviation + variance.x;
            // ln(½ e^A + ½ e^B) = A + ln ½ + ln(1 + eᵘ), u = B − A.
            logarithms += log_odds.max(0.0) + ln(1.0 + exp(-log_odds.abs()));
        }
        let constant = ln(2.0) + 0.5 * ln(TAU * self.variance);
        let data = logarithms - 0.5 * self.precision * squares - self.size() * constant;
        let relative = (mean.component_mul(&mean) + variance).component_div(&self.prior_variance);
        let shrunk = ln(variance.x / self.prior_variance.x) + ln(variance.y / self.prior_variance.y);
        // E log prior and the entropies: −½ [ln 2πv + (m² + s)/v] + ½ [1 + ln 2πs].
        data + 0.5 * (2.0 + shrunk - relative.sum())
    }

    fn latent(&self) -> bool {
        true
    }
}

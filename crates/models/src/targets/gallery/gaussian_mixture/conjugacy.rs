//! Coordinate ascent on a single Gaussian: the optimal factors of q(x) q(y) (Bishop 2006, Pattern Recognition and Machine
//! Learning, section 10.1.2).
//!
//! With precision Λ = Σ⁻¹, the optimal factor of one coordinate given the other is N(μⱼ − (Λⱼₖ/Λⱼⱼ)(mₖ − μₖ), 1/Λⱼⱼ):
//! the conditional distribution at the mean of the other coordinate. In terms of Σ, −Λⱼₖ/Λⱼⱼ = Σⱼₖ/Σₖₖ and 1/Λⱼⱼ = det
//! Σ/Σₖₖ. The variance is right after one update, and the error of the mean shrinks by ρ² with every two.

use super::component::Component;
use crate::targets::Conjugacy;
use base::math::elementary::ln;
use base::math::{Distribution, Gaussian, Matrix, Point};

impl Component {
    /// 1/Λⱼⱼ for both coordinates: the variances of the optimal product.
    fn conditional_variances(&self) -> Point {
        let determinant = self.root.m11 * self.root.m22;
        let determinant = determinant * determinant;
        Point::new(determinant / self.covariance.m22, determinant / self.covariance.m11)
    }
}

impl Conjugacy for Component {
    /// The product at `at` with the optimal variances.
    fn start(&self, at: Point) -> Distribution {
        Distribution::gaussian(2, at, Matrix::from_diagonal(&self.conditional_variances()))
    }

    fn improved(&self, distribution: &Distribution, axis: usize) -> Distribution {
        let (mut mean, mut variances) = (distribution.mean(), distribution.covariance().diagonal());
        let other = 1 - axis;
        let slope = self.covariance.m12 / self.covariance[(other, other)];
        mean[axis] = self.mean[axis] + slope * (mean[other] - self.mean[other]);
        variances[axis] = self.conditional_variances()[axis];
        Distribution::Plane(Gaussian { mean, covariance: Matrix::from_diagonal(&variances) })
    }

    /// log Z − KL(q‖p), and here Z = 1: KL = ½ [tr ΛS + (m − μ)ᵀΛ(m − μ) − 2 + ln det Σ − ln det S].
    fn elbo(&self, distribution: &Distribution) -> f64 {
        let variances = distribution.covariance().diagonal();
        let conditional = self.conditional_variances();
        let whitened = self.whitening * (distribution.mean() - self.mean);
        // ln det Σ in two parts: the square of the product of roots could overflow.
        let volume = 2.0 * (ln(self.root.m11) + ln(self.root.m22)) - ln(variances.x) - ln(variances.y);
        let trace = variances.x / conditional.x + variances.y / conditional.y;
        -0.5 * (trace + whitened.norm_squared() - 2.0 + volume)
    }
}

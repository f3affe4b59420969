//! One Gaussian of a mixture, evaluated through its whitened deviation u = L⁻¹(θ − μ), L·Lᵀ = Σ.

use std::f64::consts::TAU;

use base::math::elementary::ln;
use base::math::{Matrix, Point, crossed, normal_interval};

/// Standard deviations allowed in any direction; beyond, figures and quadrature lose their digits.
pub(super) const SD_RANGE: (f64, f64) = (1e-3, 1e3);

/// One Gaussian with its weight and the numbers from which its density is computed.
#[derive(Clone, Copy, Debug)]
pub(in crate::targets) struct Component {
    /// Weight in the mixture.
    pub(super) weight: f64,
    /// μ.
    pub(super) mean: Point,
    /// Σ.
    pub(super) covariance: Matrix,
    /// L.
    pub(super) root: Matrix,
    /// L⁻¹.
    pub(super) whitening: Matrix,
    /// ln(weight) − ln 2π − ½ ln det Σ.
    log_constant: f64,
}

impl Component {
    /// `None` unless all standard deviations lie in [`SD_RANGE`].
    pub(in crate::targets) fn new(weight: f64, mean: Point, covariance: Matrix) -> Option<Self> {
        let variances = covariance.symmetric_eigenvalues();
        let (low, high) = (SD_RANGE.0 * SD_RANGE.0, SD_RANGE.1 * SD_RANGE.1);
        // A margin of a hundredth of a percent: the eigenvalues of a legal covariance are rounded.
        if !(variances.min() >= low * 0.9999 && variances.max() <= high * 1.0001) {
            return None;
        }
        let root = covariance.cholesky()?.l();
        let whitening = root.try_inverse()?;
        let log_constant = ln(weight) - ln(TAU) - ln(root.m11 * root.m22);
        Some(Self { weight, mean, covariance, root, whitening, log_constant })
    }

    /// The probabilities of the cells between edges, by rows, without the weight; `None` if the coordinates are
    /// correlated.
    pub(super) fn cell_probabilities(&self, x: &[f64], y: &[f64]) -> Option<Vec<f64>> {
        let independent = self.covariance.m12.abs() <= 0.0;
        let intervals = |edges: &[f64], axis: usize| -> Vec<f64> {
            let scaled = |edge: f64| (edge - self.mean[axis]) / self.root[(axis, axis)];
            edges.windows(2).map(|ends| normal_interval(scaled(ends[0]), scaled(ends[1]))).collect()
        };
        independent.then(|| crossed(&intervals(x, 0), &intervals(y, 1)))
    }

    /// Mean and standard deviation of coordinate `axis` given that the other one is `other`, and the log of the weight that this
    /// Gaussian has then, up to a constant.
    pub(super) fn conditional(&self, axis: usize, other: f64) -> (f64, f64, f64) {
        let given = 1 - axis;
        let variance = self.covariance[(given, given)];
        let (gap, slope) = (other - self.mean[given], self.covariance.m12 / variance);
        let left = self.covariance[(axis, axis)] - slope * self.covariance.m12;
        let log_weight = ln(self.weight) - 0.5 * (ln(variance) + gap * (gap / variance));
        (self.mean[axis] + slope * gap, left.max(0.0).sqrt(), log_weight)
    }

    /// The deviation from the mean in standard deviations, per lane.
    #[inline(always)]
    pub(super) fn whitened<const L: usize>(&self, x: &[f64; L], y: &[f64; L]) -> ([f64; L], [f64; L]) {
        let (mut u, mut v) = ([0.0; L], [0.0; L]);
        for i in 0..L {
            let (dx, dy) = (x[i] - self.mean.x, y[i] - self.mean.y);
            u[i] = self.whitening.m11 * dx;
            v[i] = self.whitening.m21 * dx + self.whitening.m22 * dy;
        }
        (u, v)
    }

    /// log of weight times density, per lane; not below the lowest finite number.
    #[inline(always)]
    pub(super) fn log_terms<const L: usize>(&self, u: &[f64; L], v: &[f64; L]) -> [f64; L] {
        let mut terms = [0.0; L];
        for i in 0..L {
            let term = self.log_constant - 0.5 * (u[i] * u[i] + v[i] * v[i]);
            // Also where the deviation itself is ∞ − ∞, which is very far.
            terms[i] = if term > f64::MIN { term } else { f64::MIN };
        }
        terms
    }

    /// The gradient of this component's log density at a whitened deviation.
    #[inline(always)]
    pub(super) fn pull(&self, u: f64, v: f64) -> [f64; 2] {
        [-(self.whitening.m11 * u + self.whitening.m21 * v), -(self.whitening.m22 * v)]
    }
}

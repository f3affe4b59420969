//! Priors of weights: independent Gaussians with mean 0.
//!
//! Widths that fall with the number of inputs keep the prior over functions the same for every number of hidden units
//! (R. M. Neal, *Bayesian Learning for Neural Networks*, 1996).

use super::{Layout, NetworkError};
use base::math::elementary::ln;

/// ½ log 2π.
pub(super) const HALF_LN_TAU: f64 = 0.918_938_533_204_672_7;

/// The standard deviations of weights and biases.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Prior {
    /// σ_w/√nₗ₋₁ for the weights of a layer with nₗ₋₁ inputs, σ_b for biases.
    FanIn {
        /// σ_w > 0.
        weight: f64,
        /// σ_b > 0.
        bias: f64,
    },
    /// σ_w for all weights, σ_b for biases.
    Unit {
        /// σ_w > 0.
        weight: f64,
        /// σ_b > 0.
        bias: f64,
    },
}

impl Prior {
    /// The same standard deviation for all weights and biases.
    #[must_use]
    pub fn unit(sd: f64) -> Self {
        Self::Unit { weight: sd, bias: sd }
    }

    /// The standard deviation s_j of every coordinate of θ.
    ///
    /// # Errors
    /// A standard deviation that is not a positive finite number.
    pub fn sds(self, layout: &Layout) -> Result<Vec<f64>, NetworkError> {
        let (Self::FanIn { weight, bias } | Self::Unit { weight, bias }) = self;
        if let Some(sd) = [weight, bias].into_iter().find(|sd| !(*sd > 0.0 && sd.is_finite())) {
            return Err(NetworkError::PriorSd(sd));
        }
        let mut sds = Vec::with_capacity(layout.dimension());
        for layer in layout.layers() {
            let of_weights = match self {
                Self::FanIn { .. } => weight / (layer.inputs as f64).sqrt(),
                Self::Unit { .. } => weight,
            };
            sds.extend(std::iter::repeat_n(of_weights, layer.inputs * layer.outputs));
            sds.extend(std::iter::repeat_n(bias, layer.outputs));
        }
        Ok(sds)
    }
}

/// −Σ log s − (d/2) log 2π, the constant of the log prior.
pub(super) fn log_prior_constant(sds: &[f64]) -> f64 {
    -sds.iter().map(|sd| ln(*sd) + HALF_LN_TAU).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_follow_the_inputs() {
        let layout = Layout::new(&[4, 2, 1]).unwrap();
        let sds = Prior::FanIn { weight: 3.0, bias: 0.5 }.sds(&layout).unwrap();
        let second = 3.0 / 2.0_f64.sqrt();
        assert_eq!(sds, [1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 0.5, 0.5, second, second, 0.5]);
        assert_eq!(Prior::unit(2.0).sds(&layout).unwrap(), [2.0; 13]);
        for wrong in [0.0, -1.0, f64::INFINITY] {
            assert_eq!(Prior::unit(wrong).sds(&layout), Err(NetworkError::PriorSd(wrong)));
        }
    }
}

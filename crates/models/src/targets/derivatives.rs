//! Log densities together with their derivatives, which add up over the data of a posterior.

use base::math::{Matrix, Point};

/// A log density with its first and second derivatives.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Derivatives {
    /// The log density.
    pub log_density: f64,
    /// Its gradient.
    pub gradient: Point,
    /// Its Hessian.
    pub hessian: Matrix,
}

impl std::ops::Add for Derivatives {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            log_density: self.log_density + other.log_density,
            gradient: self.gradient + other.gradient,
            hessian: self.hessian + other.hessian,
        }
    }
}

impl std::ops::Mul<f64> for Derivatives {
    type Output = Self;

    fn mul(self, factor: f64) -> Self {
        Self {
            log_density: self.log_density * factor,
            gradient: self.gradient * factor,
            hessian: self.hessian * factor,
        }
    }
}

//! Mathematics: points, Gaussians, distributions, grids, quadrature, symmetric matrices, orthogonal factors, assignments, portable elementary
//! functions, random streams, pools of memory; Adam, Newton's method, leapfrog steps.

mod adam;
mod assignment;
mod coords;
mod distribution;
pub mod elementary;
mod fourier;
mod gamma;
mod gaussian;
mod grid;
mod hermite;
mod leapfrog;
mod newton;
mod normal;
mod orthogonal;
mod pool;
mod probability;
mod stream;
mod streams;
mod summary;
mod symmetric;

pub use adam::{Decay, adam_scale};
pub use assignment::assign;
pub use coords::Coords;
pub use distribution::Distribution;
pub use elementary::Simd;
pub use fourier::Fourier;
pub use gamma::{digamma, exp_digamma, gamma_draw, ln_gamma};
pub use gaussian::{Gaussian, Moments};
pub use grid::{Axis, Grid};
pub use hermite::{MOST_NODES, gauss_hermite};
pub use leapfrog::leapfrog;
pub use newton::{Damping, damped_step, step_uphill};
pub use orthogonal::{Singular, singular, triangular};
pub use pool::{Pool, Pooled};
pub use probability::{crossed, gamma_cdf, gamma_interval, normal_cdf, normal_interval, normal_quantile};
pub use stream::{Purpose, Stream};
pub use streams::Streams;
pub use summary::{mean_and_sd, quantile};
pub use symmetric::{Cholesky, Eigen, not_positive, symmetric_eigen};

/// A point θ of the plane. One-dimensional targets use x and leave y at 0.
pub type Point = nalgebra::Vector2<f64>;

/// A 2 × 2 matrix: a Hessian or a covariance. One-dimensional targets use the upper left entry.
pub type Matrix = nalgebra::Matrix2<f64>;

/// An axis-parallel box, e.g. the view of a canvas or the area of a grid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Lower left corner.
    pub min: Point,
    /// Upper right corner.
    pub max: Point,
}

impl Bounds {
    /// The box from (`x.0`, `y.0`) to (`x.1`, `y.1`).
    #[inline]
    #[must_use]
    pub fn new(x: (f64, f64), y: (f64, f64)) -> Self {
        Self { min: Point::new(x.0, y.0), max: Point::new(x.1, y.1) }
    }

    /// Width and height.
    #[inline]
    #[must_use]
    pub fn size(&self) -> Point {
        self.max - self.min
    }

    /// Whether `point` lies inside or on the boundary.
    #[inline]
    #[must_use]
    pub fn contains(&self, point: Point) -> bool {
        (self.min.x..=self.max.x).contains(&point.x) && (self.min.y..=self.max.y).contains(&point.y)
    }
}

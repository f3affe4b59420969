//! Gaussians in d dimensions, and the state of the methods that fit them.
//!
//! Products of two matrices are left to loops of our own everywhere: those of nalgebra use fused multiply-add where a
//! processor has it, and then differ in their last bits.

use std::f64::consts::TAU;

use nalgebra::{DMatrix, DVector};

use base::math::elementary::{exp, ln};
use base::math::{Distribution, Matrix};
use models::targets::{Curvature, Projection};

/// N(m, RRᵀ) in d dimensions.
#[derive(Clone, Debug, PartialEq)]
pub struct VectorGaussian {
    /// m.
    pub mean: DVector<f64>,
    /// R.
    pub root: Root,
}

/// R, a root of a covariance.
#[derive(Clone, Debug, PartialEq)]
pub enum Root {
    /// Of independent coordinates: their standard deviations.
    Diagonal(DVector<f64>),
    /// Any matrix with d rows.
    Full(DMatrix<f64>),
}

impl VectorGaussian {
    /// The same standard deviation along every axis, around `mean`.
    #[must_use]
    pub fn round(mean: DVector<f64>, sd: f64) -> Self {
        let sds = DVector::from_element(mean.len(), sd);
        Self { mean, root: Root::Diagonal(sds) }
    }

    /// d.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.mean.len()
    }

    /// Number of columns of R: of normals in a draw.
    #[must_use]
    pub fn normals(&self) -> usize {
        match &self.root {
            Root::Diagonal(sds) => sds.len(),
            Root::Full(root) => root.ncols(),
        }
    }

    /// Rᵀ a, what each of the normals of a draw adds to a linear function of θ with gradient a. Its square is the variance of
    /// the function, and the product of two of them their covariance.
    #[must_use]
    pub fn along(&self, gradient: &[f64]) -> Vec<f64> {
        match &self.root {
            Root::Diagonal(sds) => gradient.iter().zip(sds).map(|(a, sd)| a * sd).collect(),
            Root::Full(root) => {
                let along = |column: &[f64]| column.iter().zip(gradient).map(|(r, a)| r * a).sum();
                root.column_iter().map(|column| along(column.as_slice())).collect()
            }
        }
    }

    /// aᵀ RRᵀ a, the variance of a linear function of θ with gradient a.
    #[must_use]
    pub fn variance_along(&self, gradient: &[f64]) -> f64 {
        self.along(gradient).into_iter().map(|factor| factor * factor).sum()
    }

    /// m + R ξ, where `normal` gives the coordinates of ξ.
    pub fn draw(&self, normal: impl Fn(usize) -> f64, out: &mut [f64]) {
        out.copy_from_slice(self.mean.as_slice());
        for (row, out) in out.iter_mut().enumerate() {
            match &self.root {
                Root::Diagonal(sds) => *out += sds[row] * normal(row),
                Root::Full(root) => {
                    *out += root.row(row).iter().enumerate().map(|(axis, r)| r * normal(axis)).sum::<f64>();
                }
            }
        }
    }

    /// The distribution in the plane of a projection.
    #[must_use]
    pub fn projected(&self, projection: &Projection) -> Distribution {
        let d = self.dimension();
        let mean = projection.image(d, |axis| self.mean[axis]);
        // The images of the columns of R add up to the covariance.
        let column = |column: usize| match &self.root {
            Root::Diagonal(sds) => projection.displacement(d, |axis| if axis == column { sds[axis] } else { 0.0 }),
            Root::Full(root) => projection.displacement(d, |axis| root[(axis, column)]),
        };
        let covariance = (0..self.normals()).map(column).map(|image| image * image.transpose()).sum::<Matrix>();
        Distribution::gaussian(2, mean, covariance)
    }

    /// ½ ln |2πe RRᵀ|, in nats; R has to be triangular.
    #[must_use]
    pub fn entropy(&self) -> f64 {
        let log_sds: f64 = match &self.root {
            Root::Diagonal(sds) => sds.iter().map(|sd| ln(*sd)).sum(),
            Root::Full(root) => root.diagonal().iter().map(|sd| ln(sd.abs())).sum(),
        };
        log_sds + 0.5 * self.dimension() as f64 * (1.0 + ln(TAU))
    }
}

/// Parameters of a Gaussian in d dimensions with Adam's moving averages: m, the logarithms of the diagonal of R, and what
/// is below it, row by row.
#[derive(Clone, Debug, PartialEq)]
pub struct VectorAdam {
    /// The parameters.
    pub parameters: Vec<f64>,
    /// Moving averages of the gradient.
    pub first: Vec<f64>,
    /// Moving averages of its squares.
    pub second: Vec<f64>,
    /// β₁ᵗ and β₂ᵗ.
    pub decayed: [f64; 2],
}

impl VectorAdam {
    /// The distribution in `d` dimensions with these parameters.
    #[must_use]
    pub fn gaussian(&self, d: usize) -> VectorGaussian {
        let mean = DVector::from_column_slice(&self.parameters[..d]);
        let sds = DVector::from_iterator(d, self.parameters[d..2 * d].iter().map(|log_sd| exp(*log_sd)));
        let below = &self.parameters[2 * d..];
        if below.is_empty() {
            return VectorGaussian { mean, root: Root::Diagonal(sds) };
        }
        let mut root = DMatrix::from_diagonal(&sds);
        let indices = (0..d).flat_map(|row| (0..row).map(move |column| (row, column)));
        for (index, value) in indices.zip(below) {
            root[index] = *value;
        }
        VectorGaussian { mean, root: Root::Full(root) }
    }
}

/// State of a Newton ascent in d dimensions.
#[derive(Clone, Debug, PartialEq)]
pub struct VectorNewton {
    /// The iterate.
    pub at: DVector<f64>,
    /// The log density there.
    pub log_density: f64,
    /// Its gradient.
    pub gradient: DVector<f64>,
    /// Its Hessian.
    pub hessian: DMatrix<f64>,
    /// The kind of curvature from which the approximation was made.
    pub curvature: Curvature,
    /// The approximation there, if there is one.
    pub gaussian: Option<VectorGaussian>,
}

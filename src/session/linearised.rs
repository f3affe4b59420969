//! Functions of a regression, linearised in its weights at the means of a fit: f(x; θ) ≈ f(x; m) + J(x)(θ − m), J = ∂f/∂θ.
//!
//! Under θ ~ N(m, C) they are Gaussian at every x, with mean f(x; m) and variance J C Jᵀ: the predictive distribution of a
//! generalised linear model (A. Immer, M. Korzepa & M. Bauer 2021, arXiv:2008.08400). m is not moved.

use nalgebra::{DMatrix, DVector};

use super::FitFrame;
use crate::math::Distribution;
use crate::methods::{Predictive, Root, VectorGaussian};
use crate::targets::Regression;

/// The functions at some inputs, linearised at the mean of every component of a fit.
#[derive(Clone, Debug, PartialEq)]
pub struct Linearised {
    /// One component after the other.
    pub components: Vec<LinearisedAt>,
}

/// The functions linearised at the mean of one component.
#[derive(Clone, Debug, PartialEq)]
pub struct LinearisedAt {
    /// The weight of the component; all add up to 1.
    pub weight: f64,
    /// f(x; m) at every input.
    pub values: Vec<f64>,
    /// J C Jᵀ at every input.
    pub variances: Vec<f64>,
    mean: Vec<f64>,
    /// A row of d numbers for every input.
    jacobian: Vec<Vec<f64>>,
}

impl Linearised {
    /// Of a fit whose method predicts so; `None` for others, and where f has no derivatives.
    #[must_use]
    pub fn of(fits: &FitFrame, regression: &dyn Regression, inputs: &[f64]) -> Option<Self> {
        if fits.fitting.predictive != Predictive::Linearised {
            return None;
        }
        let components = if fits.gaussians.is_empty() { planar(fits)? } else { equal(&fits.gaussians) };
        let of = |(weight, gaussian): &(f64, VectorGaussian)| LinearisedAt::new(*weight, gaussian, regression, inputs);
        Some(Self { components: components.iter().map(of).collect::<Option<_>>()? })
    }

    /// The function of draw number `draw` of the fit, whose weights are given.
    #[must_use]
    pub fn function(&self, fits: &FitFrame, draw: usize, weights: &[f64]) -> Option<Vec<f64>> {
        let component = match &fits.fit {
            Some(fit) if fits.gaussians.is_empty() => fit.component_of(draw),
            _ => draw % self.components.len().max(1),
        };
        self.components.get(component).map(|component| component.function(weights))
    }
}

/// The components of a fit in the plane, in θ; `None` if they are not Gaussians in θ.
fn planar(fits: &FitFrame) -> Option<Vec<(f64, VectorGaussian)>> {
    let fit = fits.fit.as_ref().filter(|fit| fit.coordinates().is_identity())?;
    let gaussian = |distribution: &Distribution| match distribution {
        Distribution::Plane(gaussian) => {
            let root = gaussian.cholesky()?;
            let root = DMatrix::from_column_slice(2, 2, root.as_slice());
            Some(VectorGaussian { mean: DVector::from_column_slice(gaussian.mean.as_slice()), root: Root::Full(root) })
        }
        Distribution::Line { .. } | Distribution::NormalGamma { .. } => None,
    };
    fit.components().iter().map(|part| Some((part.weight, gaussian(&part.distribution)?))).collect()
}

/// Distributions in more dimensions, with equal weights.
fn equal(gaussians: &[VectorGaussian]) -> Vec<(f64, VectorGaussian)> {
    let weight = 1.0 / gaussians.len() as f64;
    gaussians.iter().map(|gaussian| (weight, gaussian.clone())).collect()
}

impl LinearisedAt {
    fn new(weight: f64, gaussian: &VectorGaussian, regression: &dyn Regression, inputs: &[f64]) -> Option<Self> {
        let mean = gaussian.mean.as_slice().to_vec();
        let values = inputs.iter().map(|x| regression.value(&mean, *x)).collect();
        let jacobian: Vec<Vec<f64>> =
            inputs.iter().map(|x| regression.slopes(&mean, *x)).collect::<Option<Vec<Vec<f64>>>>()?;
        let variances = jacobian.iter().map(|row| gaussian.variance_along(row)).collect();
        Some(Self { weight, values, variances, mean, jacobian })
    }

    /// f(x; m) + J(x)(θ − m) at every input.
    fn function(&self, weights: &[f64]) -> Vec<f64> {
        let away: Vec<f64> = weights.iter().zip(&self.mean).map(|(weight, mean)| weight - mean).collect();
        let along = |row: &Vec<f64>| row.iter().zip(&away).map(|(slope, away)| slope * away).sum::<f64>();
        self.values.iter().zip(&self.jacobian).map(|(value, row)| value + along(row)).collect()
    }
}

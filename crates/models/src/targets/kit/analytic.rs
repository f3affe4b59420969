//! Analytic targets: densities given by one formula, of which a target file states only the density.

use super::lanewise::{FirstLane, Lanewise, LanewiseSweep, saturated};
use crate::targets::{Density, EulerSteps, TargetInfo};
use base::math::{Matrix, Point, Simd, Stream};

/// A density on the line or in the plane with its derivatives and its draws.
///
/// The log density has to be right only inside the support. Derivatives that overflow are set to the largest finite
/// number by [`Analytic`]; an implementation has to avoid ∞ − ∞ and 0 · ∞.
pub(in crate::targets) trait AnalyticDensity: Lanewise + Sync + Send + std::fmt::Debug {
    /// The log density at a point of the support.
    fn log_density(&self, at: Point) -> f64;

    /// The Hessian of the log density.
    fn hessian(&self, at: Point) -> Matrix;

    /// See [`Density::exact_draw`].
    fn exact_draw(&self, stream: &mut Stream) -> Point;

    /// See [`Density::narrows`].
    fn narrows(&self) -> bool {
        false
    }

    /// See [`Density::conditional_draw`].
    fn conditional_draw(&self, _axis: usize, _at: Point, _numbers: [f64; 2]) -> Option<f64> {
        None
    }

    /// See [`Density::image_of_normals`].
    fn image_of_normals(&self, _normals: Point) -> Option<Point> {
        None
    }

    /// See [`Density::cell_probabilities`].
    fn cell_probabilities(&self, _x: &[f64], _y: &[f64]) -> Option<Vec<f64>> {
        None
    }
}

/// A target made of an analytic density and its moments and modes.
#[derive(Clone, Debug)]
pub(in crate::targets) struct Analytic<F> {
    /// The density.
    pub(in crate::targets) density: F,
    /// What the target declares about itself.
    pub(in crate::targets) info: TargetInfo,
}

impl<F: AnalyticDensity> Density for Analytic<F> {
    fn info(&self) -> &TargetInfo {
        &self.info
    }

    fn log_density(&self, at: Point) -> f64 {
        let at = if self.info.dimension == 1 { Point::new(at.x, 0.0) } else { at };
        if self.info.support.contains(at) { self.density.log_density(at) } else { f64::NEG_INFINITY }
    }

    fn gradient(&self, at: Point) -> Point {
        let ([gx], [gy]) = Finite(&self.density).at(FirstLane::default(), &[at.x], &[at.y]);
        Point::new(gx, gy)
    }

    fn hessian(&self, at: Point) -> Matrix {
        self.density.hessian(at).map(saturated)
    }

    fn gradients(&self, simd: Simd, x: &[f64], y: &[f64], gx: &mut [f64], gy: &mut [f64]) {
        simd.dispatch(LanewiseSweep { function: Finite(&self.density), x, y, gx, gy });
    }

    fn euler(&self, steps: EulerSteps<'_>) {
        steps.through(Finite(&self.density));
    }

    fn cell_probabilities(&self, x: &[f64], y: &[f64]) -> Option<Vec<f64>> {
        self.density.cell_probabilities(x, y)
    }

    fn narrows(&self) -> bool {
        self.density.narrows()
    }

    fn image_of_normals(&self, normals: Point) -> Option<Point> {
        self.density.image_of_normals(normals)
    }

    fn conditional_draw(&self, axis: usize, at: Point, numbers: [f64; 2]) -> Option<f64> {
        self.density.conditional_draw(axis, at, numbers)
    }

    fn exact_draw(&self, stream: &mut Stream) -> Option<Point> {
        Some(self.density.exact_draw(stream))
    }
}

/// A gradient field with finite values.
struct Finite<'a, F>(&'a F);

impl<F: Lanewise> Lanewise for Finite<'_, F> {
    #[inline(always)]
    fn at<const L: usize>(&self, first: FirstLane, x: &[f64; L], y: &[f64; L]) -> ([f64; L], [f64; L]) {
        let (gx, gy) = self.0.at(first, x, y);
        (gx.map(saturated), gy.map(saturated))
    }
}

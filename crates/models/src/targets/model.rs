//! Models: log densities in any number of dimensions, as the chains of a run see them.
//!
//! This file and `density.rs` import each other: every density is a model, and gives itself out as one.

use std::fmt::Debug;

use nalgebra::DMatrix;

use super::network::Network;
use super::{
    Combination, Curvature, CurvatureError, Data, Density, Functions, Minibatches, Precision, Quantities, highest_mode,
};
use base::math::{Coords, Point, Simd, Stream};

/// A log density in d dimensions, at the positions of many chains at a time.
///
/// Contract: what is computed for a vector depends on no other vector among the same [`Coords`] and not on the
/// instruction set, to the last bit. `memory` is for intermediate results; once it has grown to its size, nothing
/// else is allocated. Where the density is 0 its logarithm is −∞, never NaN, unless a coordinate is NaN.
pub trait Model: Debug + Send + Sync {
    /// d, at least 1 for models of their own; 2 for every [`Density`], whose second coordinate may stay 0.
    fn dimension(&self) -> usize;

    /// Coordinates that move: all but the second of a target on the line.
    fn free(&self) -> usize {
        self.dimension()
    }

    /// The log densities of all vectors.
    fn log_densities(&self, simd: Simd, at: &Coords, memory: &mut Vec<f64>, out: &mut [f64]);

    /// The gradients of the log density at all vectors; `out` has the shape of `at`.
    fn gradients(&self, simd: Simd, at: &Coords, memory: &mut Vec<f64>, out: &mut Coords);

    /// N, the number of data behind a posterior; 0 for a density without data.
    fn data(&self) -> usize {
        0
    }

    /// The minibatch estimates ∇ log prior + (N/n) Σ ∇ log p(xᵢ|θ) of the gradients, with minibatch `c` of the first step
    /// of `batches` for vector `c`. The full gradients for a model without data.
    fn estimates(&self, simd: Simd, at: &Coords, _batches: Minibatches<'_>, memory: &mut Vec<f64>, out: &mut Coords) {
        self.gradients(simd, at, memory, out);
    }

    /// The Hessian of the log density, d × d; `None` if the model does not offer it.
    fn hessian(&self, _at: &[f64]) -> Option<DMatrix<f64>> {
        None
    }

    /// The curvatures that [`Model::precision`] knows.
    fn curvatures(&self) -> &'static [Curvature] {
        &[]
    }

    /// The precision of a Laplace approximation at a point.
    ///
    /// # Errors
    /// If the model does not have this curvature, or if it is not positive definite there.
    fn precision(&self, _at: &[f64], curvature: Curvature) -> Result<Precision, CurvatureError> {
        Err(CurvatureError::Absent(curvature.name()))
    }

    /// The diagonal of the Hessian of the log density at vector `index`; `false` if the model does not offer it.
    fn hessian_diagonal(&self, _at: &Coords, _index: usize, _memory: &mut Vec<f64>, _out: &mut [f64]) -> bool {
        false
    }

    /// Varᵢ ∇ log p(xᵢ|θ) over all data at vector `index`, coordinate by coordinate; 0 for a model without data.
    fn datum_variances(&self, _at: &Coords, _index: usize, _memory: &mut Vec<f64>, out: &mut [f64]) {
        out.fill(0.0);
    }

    /// The largest eigenvalue of −∇² log p at the highest mode, if it is known: Langevin steps are stable there below
    /// 2 divided by it.
    fn curvature(&self) -> Option<f64> {
        None
    }

    /// A mode that a search from the start found, a vector with d coordinates; `None` if the model has no search.
    fn mode(&self) -> Option<&[f64]> {
        None
    }

    /// Where chains start unless something else is said: a vector with d coordinates.
    fn start(&self) -> Vec<f64>;

    /// Puts an exact draw into `out`, made of numbers of `stream`; `false` if the model has none.
    fn exact_draw(&self, _stream: &mut Stream, _out: &mut [f64]) -> bool {
        false
    }

    /// Puts a draw from the prior into `out`; `false` for a density without a prior. Without more, the prior is that of
    /// [`Model::scales`].
    fn prior_draw(&self, stream: &mut Stream, out: &mut [f64]) -> bool {
        let Some(scales) = self.scales() else { return false };
        out.iter_mut().zip(&scales).for_each(|(weight, sd)| *weight = sd * stream.normal_pair().0);
        true
    }

    /// Numbers of noise that [`Model::disturbed_gradients`] needs for a vector, one per target of the data; `None` for
    /// anything but a regression with Gaussian noise and a Gaussian prior.
    fn disturbances(&self) -> Option<usize> {
        None
    }

    /// The gradients of −Σᵢ (yᵢ + σεᵢ − f(xᵢ; θ))²/2σ² − ½ Σⱼ ((θⱼ − θ⁰ⱼ)/sⱼ)² at all vectors, each with noise ε and an anchor θ⁰
    /// of its own. In a tempered posterior σε and θ⁰ are multiplied by the root of what divides their term. Does nothing
    /// where [`Model::disturbances`] is `None`.
    fn disturbed_gradients(
        &self,
        _simd: Simd,
        _at: &Coords,
        _disturbance: Disturbance<'_>,
        _memory: &mut Vec<f64>,
        _out: &mut Coords,
    ) {
    }

    /// The gradients of log p_T at all vectors with hidden units dropped, and with the prior precision of the weights behind
    /// them multiplied by κ; with minibatches as in [`Model::estimates`]. Does nothing without hidden units.
    fn dropout_gradients(
        &self,
        _simd: Simd,
        _at: &Coords,
        _dropout: Dropout<'_>,
        _memory: &mut Vec<f64>,
        _out: &mut Coords,
    ) {
    }

    /// The parametrisation in which chains move, of a model that can have several; empty of others.
    fn parametrisation(&self) -> &'static str {
        ""
    }

    /// From a vector in which chains move to what it stands for in every parametrisation of the model, in place.
    fn to_meaning(&self, _at: &mut [f64]) {}

    /// The other way round.
    fn of_meaning(&self, _at: &mut [f64]) {}

    /// The standard deviations of the prior, d numbers: the units in which coordinates are comparable. `None` for a density
    /// without a prior.
    fn scales(&self) -> Option<Vec<f64>> {
        None
    }

    /// Names of the coordinates, what is reported of vectors beside the two that are drawn, and what is known of it; `None` of a model
    /// without names.
    fn quantities(&self) -> Option<&dyn Quantities> {
        None
    }

    /// The coefficients in the units of the data file, as they follow from the quantities, of a model whose columns are shifted or scaled; empty
    /// of others.
    fn originals(&self) -> &[Combination] {
        &[]
    }

    /// Quantities that the data of one group estimate by themselves, without the other groups: their numbers, the estimates and the standard
    /// errors of these; none of a model without groups.
    fn unpooled(&self) -> Vec<(usize, [f64; 2])> {
        Vec::new()
    }

    /// The responses of the data, in the order of their rows; empty for a model that makes none.
    fn responses(&self) -> &[f64] {
        &[]
    }

    /// Mean and standard deviation of the responses of the data file, of a model whose own are shifted and scaled by them.
    fn standardised_by(&self) -> Option<[f64; 2]> {
        None
    }

    /// Puts responses that the model makes with a vector into `out`, as many as [`Model::responses`]; `false` if it makes none.
    fn replicate(&self, _at: &[f64], _stream: &mut Stream, _out: &mut [f64]) -> bool {
        false
    }

    /// The functions whose weights the vectors are; `None` for a density of anything else.
    fn functions(&self) -> Option<&dyn Functions> {
        None
    }

    /// The network whose weights the vectors are; `None` for a density of anything else.
    fn network(&self) -> Option<&Network> {
        None
    }

    /// The largest absolute value of a coordinate of a chain that has not diverged, of a model that is no planar target.
    fn reach(&self) -> f64 {
        1e8
    }
}

/// Noise in the data and anchors, with a vector of each for every weight vector.
#[derive(Clone, Copy, Debug)]
pub struct Disturbance<'a> {
    /// θ⁰, of as many coordinates as the model.
    pub anchors: &'a Coords,
    /// ε, one coordinate per target of the data, in their order; those beyond its end are 0.
    pub noise: &'a Coords,
}

impl Disturbance<'_> {
    /// ε of target number `target` for vector `index`.
    #[inline(always)]
    pub(super) fn noise(&self, target: usize, index: usize) -> f64 {
        if target < self.noise.dimension() { self.noise.get(index, target) } else { 0.0 }
    }
}

/// Masks of hidden units: the activation h of a unit that is kept becomes h/(1 − p), that of one that is dropped 0.
#[derive(Clone, Copy, Debug)]
pub struct Dropout<'a> {
    /// 1 − p, the probability with which a unit is kept, in (0, 1].
    pub keep: f64,
    /// κ, by which the prior precision of the weights behind hidden units is multiplied.
    pub decay: f64,
    /// Uniforms in (0, 1): that of hidden unit `u` of `H` at datum number `i` of the gradient, for vector `c` of `C`, at
    /// `(i · H + u) · C + c`. The unit is kept where it is below `keep`, or missing.
    pub uniforms: &'a [f64],
    /// Minibatches; all data without them.
    pub batches: Option<Minibatches<'a>>,
}

/// A density on the line or in the plane is a model with two coordinates.
impl<D: Density> Model for D {
    fn dimension(&self) -> usize {
        2
    }

    fn free(&self) -> usize {
        self.info().dimension
    }

    #[inline]
    fn log_densities(&self, _simd: Simd, at: &Coords, _memory: &mut Vec<f64>, out: &mut [f64]) {
        let [x, y] = at.plane();
        for ((x, y), out) in x.iter().zip(y).zip(out) {
            *out = self.log_density(Point::new(*x, *y));
        }
    }

    #[inline]
    fn gradients(&self, simd: Simd, at: &Coords, _memory: &mut Vec<f64>, out: &mut Coords) {
        let ([x, y], [gx, gy]) = (at.plane(), out.plane_mut());
        Density::gradients(self, simd, x, y, gx, gy);
    }

    fn hessian_diagonal(&self, at: &Coords, index: usize, _memory: &mut Vec<f64>, out: &mut [f64]) -> bool {
        out.copy_from_slice(Density::hessian(self, at.point(index)).diagonal().as_slice());
        true
    }

    fn data(&self) -> usize {
        Density::data(self).map_or(0, Data::len)
    }

    fn estimates(&self, simd: Simd, at: &Coords, batches: Minibatches<'_>, memory: &mut Vec<f64>, out: &mut Coords) {
        let Some(data) = Density::data(self) else { return Model::gradients(self, simd, at, memory, out) };
        let ([x, y], [gx, gy]) = (at.plane(), out.plane_mut());
        data.estimates(simd, x, y, batches, gx, gy);
    }

    fn datum_variances(&self, at: &Coords, index: usize, _memory: &mut Vec<f64>, out: &mut [f64]) {
        let variance = Density::data(self).map_or_else(Point::zeros, |data| datum_variance(data, at.point(index)));
        out.copy_from_slice(variance.as_slice());
    }

    fn curvature(&self) -> Option<f64> {
        let minus = -Density::hessian(self, highest_mode(self));
        let largest = if self.free() == 1 { minus.m11 } else { minus.symmetric_eigenvalues().max() };
        Some(largest).filter(|curvature| *curvature > 0.0)
    }

    fn start(&self) -> Vec<f64> {
        self.info().start.as_slice().to_vec()
    }

    fn exact_draw(&self, stream: &mut Stream, out: &mut [f64]) -> bool {
        Density::exact_draw(self, stream).is_some_and(|draw| {
            out.copy_from_slice(draw.as_slice());
            true
        })
    }

    fn prior_draw(&self, stream: &mut Stream, out: &mut [f64]) -> bool {
        Density::prior_draw(self, stream).is_some_and(|draw| {
            out.copy_from_slice(draw.as_slice());
            true
        })
    }
}

/// A density in the plane, seen as a model.
pub trait AsModel {
    /// The same density, with its coordinates side by side.
    fn as_model(&self) -> &dyn Model;
}

impl<D: Density> AsModel for D {
    fn as_model(&self) -> &dyn Model {
        self
    }
}

/// Varᵢ(∇ log p(xᵢ|θ)) over all data, by Welford's (1962) recurrence.
#[must_use]
pub fn datum_variance(data: &dyn Data, at: Point) -> Point {
    let mut mean = Point::zeros();
    let mut scatter = Point::zeros();
    for index in 0..data.len() {
        let gradient = data.datum_gradient(at, index);
        let before = gradient - mean;
        mean += before / (index + 1) as f64;
        scatter += before.component_mul(&(gradient - mean));
    }
    scatter / data.len() as f64
}

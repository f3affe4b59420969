//! The posterior of a linear regression in all its dimensions.

use nalgebra::{DMatrix, DVector};

use crate::targets::{Curvature, CurvatureError, Disturbance, Functions, Minibatches, Model, Precision};
use base::math::elementary::{Kernel, ln};
use base::math::{Cholesky, Coords, Simd, Stream, symmetric_eigen};

/// N(A⁻¹b, A⁻¹) with its data.
#[derive(Clone, Debug)]
pub(super) struct Posterior {
    /// N × d.
    features: DMatrix<f64>,
    observations: DVector<f64>,
    noise_precision: f64,
    prior_precision: f64,
    noise_sd: f64,
    prior_sd: f64,
    /// A, d × d.
    precision: DMatrix<f64>,
    /// b.
    shift: DVector<f64>,
    /// The log density at w = 0.
    log_at_zero: f64,
    mean: DVector<f64>,
    covariance: DMatrix<f64>,
    /// L with LLᵀ = A: exact draws are m + L⁻ᵀ ξ.
    factor: Cholesky,
    /// The largest eigenvalue of A.
    curvature: f64,
    /// log p(y).
    log_evidence: f64,
}

impl Posterior {
    /// For `count` data in `dimension` dimensions with the given noise and prior sds; `None` if it is too narrow for its
    /// covariance to be computed.
    pub(super) fn generated(
        dimension: usize,
        count: usize,
        [noise_sd, prior_sd]: [f64; 2],
        correlation: f64,
        stream: &mut Stream,
    ) -> Option<Self> {
        let mut normal = || stream.normal_pair().0;
        let weights = DVector::from_fn(dimension, |_, _| prior_sd * normal());
        let rest = (1.0 - correlation * correlation).sqrt();
        let mut features = DMatrix::zeros(count, dimension);
        for mut datum in features.row_iter_mut() {
            let mut before = normal();
            datum[0] = before;
            for feature in datum.iter_mut().skip(1) {
                before = correlation * before + rest * normal();
                *feature = before;
            }
        }
        let observations =
            DVector::from_fn(count, |datum, _| features.row(datum).transpose().dot(&weights) + noise_sd * normal());
        Self::new(features, observations, [noise_sd, prior_sd])
    }

    /// From data and the sds of noise and prior; `None` as above.
    pub(super) fn new(
        features: DMatrix<f64>,
        observations: DVector<f64>,
        [noise_sd, prior_sd]: [f64; 2],
    ) -> Option<Self> {
        let (noise_precision, prior_precision) = (1.0 / (noise_sd * noise_sd), 1.0 / (prior_sd * prior_sd));
        let dimension = features.ncols();
        // Loops instead of a product of matrices, whose last bits depend on the processor.
        let product = |row: usize, column: usize| -> f64 {
            features.column(row).iter().zip(features.column(column).iter()).map(|(a, b)| a * b).sum()
        };
        let prior = |row, column| if row == column { prior_precision } else { 0.0 };
        let precision = DMatrix::from_fn(dimension, dimension, |row, column| {
            product(row, column) * noise_precision + prior(row, column)
        });
        let shift = DVector::from_fn(dimension, |row, _| {
            noise_precision * features.column(row).iter().zip(observations.iter()).map(|(x, y)| x * y).sum::<f64>()
        });
        let log_2pi = ln(2.0 * std::f64::consts::PI);
        let log_at_zero = -0.5 * noise_precision * observations.norm_squared()
            - observations.len() as f64 * (ln(noise_sd) + 0.5 * log_2pi)
            - dimension as f64 * (ln(prior_sd) + 0.5 * log_2pi);
        let factor = Cholesky::new(&precision)?;
        let mut mean = shift.clone();
        factor.solve(mean.as_mut_slice());
        let mut covariance = DMatrix::identity(dimension, dimension);
        covariance.column_iter_mut().for_each(|mut column| factor.solve(column.as_mut_slice()));
        // log p̃ at the mean, which is half of bᵀm above that at 0, plus the logarithm of the volume of the Gaussian.
        let log_evidence =
            log_at_zero + 0.5 * shift.dot(&mean) + 0.5 * (dimension as f64 * log_2pi - factor.log_determinant());
        let curvature = *symmetric_eigen(&precision)?.values.last()?;
        Some(Self {
            features,
            observations,
            noise_precision,
            prior_precision,
            noise_sd,
            prior_sd,
            precision,
            shift,
            log_at_zero,
            mean,
            covariance,
            factor,
            curvature,
            log_evidence,
        })
    }

    pub(super) fn mean(&self) -> &DVector<f64> {
        &self.mean
    }

    pub(super) fn covariance(&self) -> &DMatrix<f64> {
        &self.covariance
    }

    pub(super) fn log_evidence(&self) -> f64 {
        self.log_evidence
    }

    /// ∇ log p(yᵢ|w) is xᵢ times this, for the weights of a chain.
    fn pull(&self, datum: usize, at: impl Iterator<Item = f64>) -> f64 {
        let predicted: f64 = at.zip(self.features.row(datum).iter()).map(|(w, x)| w * x).sum();
        self.noise_precision * (self.observations[datum] - predicted)
    }
}

impl Model for Posterior {
    fn dimension(&self) -> usize {
        self.shift.len()
    }

    fn log_densities(&self, simd: Simd, at: &Coords, memory: &mut Vec<f64>, out: &mut [f64]) {
        out.fill(self.log_at_zero);
        memory.resize(at.len(), 0.0);
        for axis in 0..at.dimension() {
            let slope = Slope { posterior: self, axis, at, out: memory };
            simd.dispatch(slope);
            // wᵀb − ½ wᵀAw = ½ Σ wₖ (bₖ + gₖ).
            for ((out, w), g) in out.iter_mut().zip(at.axis(axis)).zip(&*memory) {
                *out += 0.5 * w * (self.shift[axis] + g);
            }
        }
    }

    fn gradients(&self, simd: Simd, at: &Coords, _memory: &mut Vec<f64>, out: &mut Coords) {
        for (axis, out) in out.axes_mut().enumerate() {
            simd.dispatch(Slope { posterior: self, axis, at, out });
        }
    }

    fn hessian(&self, _at: &[f64]) -> Option<DMatrix<f64>> {
        Some(-&self.precision)
    }

    fn curvatures(&self) -> &'static [Curvature] {
        &[Curvature::Full, Curvature::Diagonal, Curvature::Fisher]
    }

    fn precision(&self, at: &[f64], curvature: Curvature) -> Result<Precision, CurvatureError> {
        match curvature {
            Curvature::Full => return Precision::of_matrix(&self.precision, 0, curvature),
            Curvature::Diagonal => {
                return Precision::of_diagonal(self.precision.diagonal().as_slice().to_vec(), curvature);
            }
            Curvature::Fisher => {}
            _ => return Err(CurvatureError::Absent(curvature.name())),
        }
        let mut diagonal = vec![self.prior_precision; at.len()];
        for datum in 0..self.data() {
            let pull = self.pull(datum, at.iter().copied());
            for (sum, x) in diagonal.iter_mut().zip(self.features.row(datum).iter()) {
                *sum += (pull * x) * (pull * x);
            }
        }
        Precision::of_diagonal(diagonal, curvature)
    }

    fn hessian_diagonal(&self, _at: &Coords, _index: usize, _memory: &mut Vec<f64>, out: &mut [f64]) -> bool {
        for (axis, out) in out.iter_mut().enumerate() {
            *out = -self.precision[(axis, axis)];
        }
        true
    }

    fn data(&self) -> usize {
        self.observations.len()
    }

    fn estimates(&self, _simd: Simd, at: &Coords, batches: Minibatches<'_>, memory: &mut Vec<f64>, out: &mut Coords) {
        let scale = self.data() as f64 / batches.size().max(1) as f64;
        for index in 0..at.len() {
            memory.clear();
            memory.resize(at.dimension(), 0.0);
            for datum in batches.of(0, index).iter() {
                let pull = self.pull(datum as usize, at.vector(index));
                for (sum, x) in memory.iter_mut().zip(self.features.row(datum as usize).iter()) {
                    *sum += pull * x;
                }
            }
            for (sum, w) in memory.iter_mut().zip(at.vector(index)) {
                *sum = scale * *sum - self.prior_precision * w;
            }
            out.set(index, memory);
        }
    }

    fn datum_variances(&self, at: &Coords, index: usize, memory: &mut Vec<f64>, out: &mut [f64]) {
        // By Welford's (1962) recurrence; `memory` holds the means.
        memory.clear();
        memory.resize(at.dimension(), 0.0);
        out.fill(0.0);
        for datum in 0..self.data() {
            let pull = self.pull(datum, at.vector(index));
            let features = self.features.row(datum);
            for ((mean, out), x) in memory.iter_mut().zip(&mut *out).zip(features.iter()) {
                let before = pull * x - *mean;
                *mean += before / (datum + 1) as f64;
                *out += before * (pull * x - *mean);
            }
        }
        out.iter_mut().for_each(|variance| *variance /= self.data() as f64);
    }

    fn curvature(&self) -> Option<f64> {
        Some(self.curvature)
    }

    fn start(&self) -> Vec<f64> {
        vec![0.0; self.dimension()]
    }

    fn exact_draw(&self, stream: &mut Stream, out: &mut [f64]) -> bool {
        out.iter_mut().for_each(|normal| *normal = stream.normal_pair().0);
        self.factor.solve_upper(out);
        out.iter_mut().zip(self.mean.iter()).for_each(|(draw, mean)| *draw += mean);
        true
    }

    fn disturbances(&self) -> Option<usize> {
        Some(self.data())
    }

    /// b − Aw + Xᵀε/σ + θ⁰/s².
    fn disturbed_gradients(
        &self,
        simd: Simd,
        at: &Coords,
        disturbance: Disturbance<'_>,
        memory: &mut Vec<f64>,
        out: &mut Coords,
    ) {
        self.gradients(simd, at, memory, out);
        let scale = self.noise_sd * self.noise_precision;
        for (axis, out) in out.axes_mut().enumerate() {
            for (out, anchor) in out.iter_mut().zip(disturbance.anchors.axis(axis)) {
                *out += self.prior_precision * anchor;
            }
            for (x, noise) in self.features.column(axis).iter().zip(disturbance.noise.axes()) {
                let pull = scale * x;
                out.iter_mut().zip(noise).for_each(|(out, noise)| *out += pull * noise);
            }
        }
    }

    fn scales(&self) -> Option<Vec<f64>> {
        Some(vec![self.prior_sd; self.dimension()])
    }

    fn functions(&self) -> Option<&dyn Functions> {
        Some(self)
    }
}

/// f(x; w) = xᵀw.
impl Functions for Posterior {
    fn inputs(&self) -> usize {
        self.dimension()
    }

    fn outputs(&self) -> usize {
        1
    }

    fn evaluate(&self, _simd: Simd, at: &Coords, inputs: &[f64], _memory: &mut Vec<f64>, out: &mut [f64]) {
        for (x, out) in inputs.chunks_exact(self.dimension()).zip(out.chunks_exact_mut(at.len().max(1))) {
            out.fill(0.0);
            for (x, column) in x.iter().zip(at.axes()) {
                for (out, w) in out.iter_mut().zip(column) {
                    *out += x * w;
                }
            }
        }
    }
}

/// One coordinate of the gradients b − Aw.
struct Slope<'a> {
    posterior: &'a Posterior,
    axis: usize,
    at: &'a Coords,
    out: &'a mut [f64],
}

impl Kernel for Slope<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { posterior, axis, at, out } = self;
        out.fill(posterior.shift[axis]);
        for (other, column) in at.axes().enumerate() {
            let factor = posterior.precision[(axis, other)];
            for (out, w) in out.iter_mut().zip(column) {
                *out -= factor * w;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::math::Purpose;

    fn posterior() -> Posterior {
        let mut stream = Stream::derive(7, Purpose::Data, 0, 0);
        Posterior::generated(5, 30, [0.5, 2.0], 0.8, &mut stream).unwrap()
    }

    /// The log density as the sum of its normals, term by term.
    fn by_terms(posterior: &Posterior, w: &[f64]) -> f64 {
        let log_normal =
            |x: f64, precision: f64| 0.5 * (precision.ln() - precision * x * x - (2.0 * std::f64::consts::PI).ln());
        let prior: f64 = w.iter().map(|w| log_normal(*w, posterior.prior_precision)).sum();
        let weights = DVector::from_column_slice(w);
        let residuals = &posterior.observations - &posterior.features * weights;
        prior + residuals.iter().map(|residual| log_normal(*residual, posterior.noise_precision)).sum::<f64>()
    }

    #[test]
    fn density_gradient_and_estimates_agree() {
        let posterior = posterior();
        let points = [[0.3, -1.0, 0.5, 2.0, -0.2], [1.0, 0.0, -2.0, 0.1, 0.7]];
        let at = Coords::of(5, points.iter().map(|point| &point[..]));
        let (mut memory, mut log_densities) = (Vec::new(), [0.0; 2]);
        posterior.log_densities(Simd::widest(), &at, &mut memory, &mut log_densities);
        let (mut gradients, mut estimates) = (Coords::zeros(5, 2), Coords::zeros(5, 2));
        posterior.gradients(Simd::widest(), &at, &mut memory, &mut gradients);
        for (index, point) in points.iter().enumerate() {
            let expected = by_terms(&posterior, point);
            assert!((log_densities[index] - expected).abs() < 1e-10 * expected.abs());
            for axis in 0..5 {
                let moved = |by: f64| {
                    let mut point = *point;
                    point[axis] += by;
                    by_terms(&posterior, &point)
                };
                let slope = (moved(1e-4) - moved(-1e-4)) / 2e-4;
                assert!((gradients.get(index, axis) - slope).abs() < 1e-5 * slope.abs().max(1.0));
            }
        }
        // All data in one batch: the full gradient.
        let all: Vec<u32> = (0..30).collect();
        posterior.estimates(Simd::widest(), &at, Minibatches::new(&all, 30, 1), &mut memory, &mut estimates);
        for (full, estimate) in gradients.values().iter().zip(estimates.values()) {
            assert!((full - estimate).abs() < 1e-10 * full.abs().max(1.0), "{full} {estimate}");
        }
    }

    /// The observations together are N(0, σ²I + s²XXᵀ).
    #[test]
    fn the_evidence_is_the_density_of_the_observations() {
        let posterior = posterior();
        let gram = &posterior.features * posterior.features.transpose() / posterior.prior_precision;
        let covariance = gram + DMatrix::identity(30, 30) / posterior.noise_precision;
        let factor = nalgebra::Cholesky::new(covariance).unwrap();
        let square = posterior.observations.dot(&factor.solve(&posterior.observations));
        let log_determinant = 2.0 * factor.l().diagonal().iter().map(|entry| entry.ln()).sum::<f64>();
        let expected = -0.5 * (square + log_determinant + 30.0 * (2.0 * std::f64::consts::PI).ln());
        assert!((posterior.log_evidence() - expected).abs() < 1e-10 * expected.abs());
    }

    /// Var (N/n) Σ over one datum, drawn at random, is N² times the variance of a datum.
    #[test]
    fn variances_are_those_of_single_data() {
        let posterior = posterior();
        let at = Coords::of(5, [&[0.3, -1.0, 0.5, 2.0, -0.2][..]].into_iter());
        let (mut memory, mut variances, mut estimate) = (Vec::new(), vec![0.0; 5], Coords::zeros(5, 1));
        posterior.datum_variances(&at, 0, &mut memory, &mut variances);
        let (mut sums, mut squares) = ([0.0; 5], [0.0; 5]);
        for datum in 0..30_u32 {
            posterior.estimates(Simd::widest(), &at, Minibatches::new(&[datum], 1, 1), &mut memory, &mut estimate);
            for (axis, value) in estimate.vector(0).enumerate() {
                sums[axis] += value / 30.0;
                squares[axis] += value * value / 30.0;
            }
        }
        for axis in 0..5 {
            let expected = squares[axis] - sums[axis] * sums[axis];
            assert!((900.0 * variances[axis] - expected).abs() < 1e-8 * expected);
        }
    }

    #[test]
    fn the_gradient_vanishes_at_the_mean_and_bits_do_not_depend_on_neighbours() {
        let posterior = posterior();
        let mean = posterior.mean().as_slice().to_vec();
        let many = Coords::of(5, (0..9).map(|_| &mean[..]));
        let mut gradients = Coords::zeros(5, 9);
        for simd in Simd::available() {
            posterior.gradients(simd, &many, &mut Vec::new(), &mut gradients);
            let mut alone = Coords::zeros(5, 1);
            posterior.gradients(Simd::BASELINE, &many.range(3..4), &mut Vec::new(), &mut alone);
            assert!(gradients.values().iter().all(|g| g.abs() < 1e-10));
            assert!((0..9).all(|index| gradients.vector(index).eq(alone.vector(0))));
        }
    }
}

//! Densities on the line or in the plane: what everything is known of, and what is drawn.

use std::fmt::Debug;

use crate::targets::kit::lanewise;
use crate::targets::{AsModel, Derivatives, EulerSteps, Minibatch, Minibatches, Mode, TargetInfo};
use base::math::{Distribution, Matrix, Point, Simd, Stream};

/// A density on the line or in the plane.
///
/// Contract: outside the support the log density is −∞, never NaN; inside, log density, gradient and Hessian are
/// finite. A one-dimensional target ignores y and returns 0 for the y entries of its derivatives. All functions take
/// the coordinates θ of the target, also where a chain uses other coordinates (see [`Boundary::Logit`](super::Boundary::Logit),
/// [`Boundary::Log`](super::Boundary::Log) and [`Target::sampled`](super::Target::sampled)).
///
/// ```
/// use std::path::Path;
///
/// use base::math::Point;
/// use base::params::{Settings, find_kind};
/// use sampler_models::targets::{self, TARGETS};
///
/// let kind = find_kind(&TARGETS, "gaussian").unwrap();
/// let target = targets::build(&Settings::defaults(kind), Path::new(".")).unwrap();
/// let density = target.density().unwrap();
/// let info = density.info();
/// assert_eq!(info.modes.len(), 1);
/// // At the mode the gradient is 0, and the Hessian is minus the inverse covariance.
/// let mode = info.modes[0].at;
/// assert!(density.gradient(mode).norm() < 1e-12);
/// let product = density.hessian(mode) * info.covariance;
/// assert!((product[(0, 0)] + 1.0).abs() < 1e-12 && product[(0, 1)].abs() < 1e-12);
/// // The normalised log density far from the mode is smaller.
/// assert!(density.log_density(mode) > density.log_density(mode + Point::new(1.0, 0.0)));
/// ```
pub trait Density: AsModel + Debug + Send + Sync {
    /// What the target declares about itself.
    fn info(&self) -> &TargetInfo;

    /// Names of the coordinates as labels of axes, with what they stand for: β₁ (dose). Those of [`TargetInfo::axes`], unless the
    /// target has longer ones.
    fn axis_labels(&self) -> [&str; 2] {
        self.info().axes
    }

    /// The log density at θ, up to the constant in [`TargetInfo::log_normaliser`].
    fn log_density(&self, at: Point) -> f64;

    /// The gradient of the log density at θ.
    fn gradient(&self, at: Point) -> Point;

    /// The Hessian of the log density at θ.
    fn hessian(&self, at: Point) -> Matrix;

    /// Gradients at many points: `gx[i], gy[i]` for θ = (`x[i]`, `y[i]`), all slices of one length; `simd` says which
    /// instructions to use. An override must give the same bits as [`Density::gradient`], at every length and
    /// instruction set.
    fn gradients(&self, _simd: Simd, x: &[f64], y: &[f64], gx: &mut [f64], gy: &mut [f64]) {
        for i in 0..x.len() {
            let gradient = self.gradient(Point::new(x[i], y[i]));
            gx[i] = gradient.x;
            gy[i] = gradient.y;
        }
    }

    /// Takes Euler steps with the full gradient. An override must give the same bits.
    fn euler(&self, steps: EulerSteps<'_>) {
        let simd = steps.simd;
        steps.by(|_, x, y, gx, gy| self.gradients(simd, x, y, gx, gy));
    }

    /// The data of a posterior, which make minibatches possible; `None` for other targets.
    fn data(&self) -> Option<&dyn Data> {
        None
    }

    /// Whether normaliser, moments and modes come from a search, which may miss a part of the density: draws may then show that they
    /// are wrong.
    fn is_searched(&self) -> bool {
        false
    }

    /// The updates of coordinate ascent, if the model is conjugate.
    fn conjugacy(&self) -> Option<&dyn Conjugacy> {
        None
    }

    /// The probability of every cell between the given edges (in ascending order, at least two along each axis), by
    /// rows from the lower left, if it has a closed form: each with all its digits, however small. A one-dimensional
    /// target ignores `y` and returns one row.
    fn cell_probabilities(&self, _x: &[f64], _y: &[f64]) -> Option<Vec<f64>> {
        None
    }

    /// The same as integrals along lines, with errors of a share of 10⁻⁵ of the whole, if the target can tell what may lie between the
    /// nodes of a rule in a cell; NaN if lines do not add up to a result.
    fn cells_by_lines(&self, _x: &[f64], _y: &[f64]) -> Option<Vec<f64>> {
        None
    }

    /// The point that the target makes of two independent standard normals, of a target that is the image of them under a
    /// smooth map. Expectations under such a target are sums over a lattice of normals, however its density bends.
    fn image_of_normals(&self, _normals: Point) -> Option<Point> {
        None
    }

    /// Whether the density is narrower elsewhere than at its modes, so that quadrature needs finer nodes than those show.
    fn narrows(&self) -> bool {
        false
    }

    /// Coordinate `axis`, 0 or 1, drawn from its distribution given the other coordinate of `at`, made of a uniform in (0, 1) and
    /// a standard normal. `None` if this has no closed form: of a coordinate everywhere or nowhere.
    fn conditional_draw(&self, _axis: usize, _at: Point, _numbers: [f64; 2]) -> Option<f64> {
        None
    }

    /// An exact draw, made from uniforms and normals of the given stream; `None` if the target has no exact draws.
    fn exact_draw(&self, _stream: &mut Stream) -> Option<Point> {
        None
    }

    /// A draw from the prior, of a posterior that offers them.
    fn prior_draw(&self, _stream: &mut Stream) -> Option<Point> {
        None
    }
}

/// The highest mode of a density, or the start of chains if it has no isolated mode.
#[must_use]
pub fn highest_mode(density: &dyn Density) -> Point {
    let info = density.info();
    let log_density = |mode: &Mode| density.log_density(mode.at);
    let highest = info.modes.iter().max_by(|a, b| log_density(a).total_cmp(&log_density(b)));
    highest.map_or(info.start, |mode| mode.at)
}

/// The data of a posterior: log p(θ | x₁…x_N) = log prior + Σᵢ log p(xᵢ | θ) + const.
pub trait Data {
    /// N, at least 1.
    fn len(&self) -> usize;

    /// Whether there are no data; a built target always has some.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// ∇ log prior at θ.
    fn prior_gradient(&self, at: Point) -> Point;

    /// ∇ log p(xᵢ | θ) for the datum with number `index` < N.
    fn datum_gradient(&self, at: Point, index: usize) -> Point;

    /// log prior at θ with its derivatives. Its constant is such that the sum with [`datum`](Self::datum) over all data
    /// is the log density of the target.
    fn prior(&self, at: Point) -> Derivatives;

    /// log p(xᵢ | θ) with its derivatives, for the datum with number `index` < N.
    fn datum(&self, at: Point, index: usize) -> Derivatives;

    /// Σ ∇ log p(xᵢ | θ) over the data of a minibatch.
    fn batch_gradient(&self, at: Point, batch: Minibatch<'_>) -> Point {
        batch.iter().map(|index| self.datum_gradient(at, index as usize)).sum()
    }

    /// The minibatch estimate ∇ log prior + (N/n) Σ ∇ log p(xᵢ|θ) of the full gradient at many points: `gx[i], gy[i]`
    /// for θ = (`x[i]`, `y[i]`), all slices of one length, with minibatch `i` of the first step of `batches`.
    fn estimates(&self, _simd: Simd, x: &[f64], y: &[f64], batches: Minibatches<'_>, gx: &mut [f64], gy: &mut [f64]) {
        let scale = self.len() as f64 / batches.size() as f64;
        for i in 0..x.len() {
            let at = Point::new(x[i], y[i]);
            let estimate = self.prior_gradient(at) + self.batch_gradient(at, batches.of(0, i)) * scale;
            gx[i] = estimate.x;
            gy[i] = estimate.y;
        }
    }

    /// Takes Euler steps with minibatch estimates. An override must give the same bits as [`Data::estimates`].
    fn euler(&self, batches: Minibatches<'_>, steps: EulerSteps<'_>) {
        let simd = steps.simd;
        steps.by(|lanewise::FirstLane { step, chain }, x, y, gx, gy| {
            self.estimates(simd, x, y, batches.steps(step, step + 1).from_chain(chain), gx, gy);
        });
    }
}

/// A conjugate model: the optimal factor of one coordinate is known given the factor of the other, so that coordinate
/// ascent can fit a product q(x) q(y).
pub trait Conjugacy {
    /// An initial product with its means at `at`, as far as the model allows.
    fn start(&self, at: Point) -> Distribution;

    /// The same product with the factor of coordinate `axis`, 0 or 1, replaced by the optimal one given the other factor.
    fn improved(&self, distribution: &Distribution, axis: usize) -> Distribution;

    /// The evidence lower bound of a product, in nats: of the posterior, or of the posterior together with latent
    /// variables at their optimal distribution.
    fn elbo(&self, distribution: &Distribution) -> f64;

    /// Whether that bound includes latent variables, which makes its gap to log Z larger than KL(q‖p).
    fn latent(&self) -> bool {
        false
    }
}

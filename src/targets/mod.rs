//! Targets: the densities to sample or to approximate with their data, one file each, and the registry that names and builds them.
//!
//! To add a target given by a formula: copy `banana.rs` to a new file, declare it below with `mod`, and add its line to
//! [`ENTRIES`]. The tests of all targets then check its derivatives, normaliser, moments, modes and draws.

mod analytic;
mod banana;
mod basins;
mod beta;
mod beta_pair;
mod beta_posterior;
mod bivariate_mixture;
mod cells;
mod classification;
mod conjugate;
mod coordinates;
mod curvature;
mod data;
mod data_sums;
mod derivatives;
mod donut;
mod double_well;
mod euler;
mod folder;
mod formula;
mod functions;
mod funnel;
mod gaussian;
mod gaussian_grid;
mod gaussian_mixture;
mod info;
mod lanewise;
mod linear_regression;
mod logistic_regression;
mod minibatch;
mod model;
mod modes;
mod named_files;
pub mod network;
mod nodes;
mod normal_gamma;
mod painted;
mod poles;
mod precision;
mod projection;
mod quadrature;
mod regression;
mod squiggle;
#[cfg(test)]
mod tests;
mod three_modes;
mod topics;
mod two_weight;

use std::fmt::Debug;
use std::sync::{Arc, LazyLock};

pub use classification::{Classification, outputs_of};
pub use coordinates::{Coordinates, open_target, sampling_target};
pub use curvature::{Curvature, CurvatureError, MOST_DENSE};
pub use data::{ColumnChoice, column_choice};
pub use derivatives::Derivatives;
pub use euler::{Displacements, EulerSteps};
pub use folder::Folder;
pub use functions::Functions;
pub use gaussian_mixture::mixture_components;
pub use info::{Boundary, Mode, NO_MODES, Support, TargetInfo};
pub use minibatch::{Minibatch, Minibatches};
pub use model::{Disturbance, Dropout, Model, Planar, datum_variance};
pub use named_files::{PathChoice, named_files, path_choice};
pub use nodes::{Node, Nodes, nodes};
pub use painted::painting_alone;
pub use poles::is_pole;
pub use precision::Precision;
pub use projection::{Projected, Projection};
pub use regression::{PLACES, Regression, places, values};
pub use topics::{TopicModel, TopicsLines, is_topics};

use crate::math::{Distribution, Matrix, Point, Simd};
use crate::params::{Entry, KindSpec, ParamError, Settings, kinds};

/// All targets, one line each.
const ENTRIES: &[Entry<TargetBuilder>] = &[
    Entry { spec: gaussian_grid::SPEC, build: gaussian_grid::build },
    Entry { spec: gaussian::SPEC, build: gaussian::build },
    Entry { spec: gaussian_mixture::SPEC, build: gaussian_mixture::build },
    Entry { spec: three_modes::SPEC, build: three_modes::build },
    Entry { spec: double_well::SPEC, build: double_well::build },
    Entry { spec: banana::SPEC, build: banana::build },
    Entry { spec: squiggle::SPEC, build: squiggle::build },
    Entry { spec: donut::SPEC, build: donut::build },
    Entry { spec: funnel::SPEC, build: funnel::build },
    Entry { spec: bivariate_mixture::SPEC, build: bivariate_mixture::build },
    Entry { spec: beta_posterior::SPEC, build: beta_posterior::build },
    Entry { spec: beta_pair::SPEC, build: beta_pair::build },
    Entry { spec: normal_gamma::SPEC, build: normal_gamma::build },
    Entry { spec: two_weight::SIGN, build: two_weight::build_sign },
    Entry { spec: two_weight::RIDGE, build: two_weight::build_ridge },
    Entry { spec: two_weight::SWAP, build: two_weight::build_swap },
    Entry { spec: linear_regression::SPEC, build: linear_regression::build },
    Entry { spec: logistic_regression::SPEC, build: logistic_regression::build },
    Entry { spec: formula::SPEC, build: formula::build },
    Entry { spec: painted::SPEC, build: painted::build },
    Entry { spec: network::SPEC, build: network::build },
    Entry { spec: topics::SPEC, build: topics::build },
];

/// The descriptions of all targets, in the order in which they are offered.
pub static TARGETS: [KindSpec; ENTRIES.len()] = kinds(ENTRIES);

/// Makes the target that `settings` describe; relative paths in them are looked up in `folder`.
///
/// # Errors
/// Everything that is wrong with the settings or the files they name, with paths relative to the target; or that the target which
/// they make cannot be shown.
pub fn build(settings: &Settings, folder: impl Into<Folder>) -> Result<Arc<dyn Target>, Vec<ParamError>> {
    let entry = ENTRIES.iter().find(|entry| entry.spec == *settings.kind);
    let unknown = || {
        let names: Vec<&str> = TARGETS.iter().map(|kind| kind.name).collect();
        vec![ParamError::new("kind", format!("there is no target \"{}\"", settings.kind.name), names.join(", "))]
    };
    let (folder, build) = (folder.into(), entry.ok_or_else(unknown)?.build);
    if let Some(target) = folder.target(settings) {
        return Ok(target);
    }
    let target = build(settings, &folder)?;
    if let Some(fault) = target.info().fault() {
        let problem = format!("the target cannot be shown: {fault}");
        return Err(vec![ParamError::new("kind", problem, "other parameters, or another target")]);
    }
    // Files may change, and the folder keeps a corpus by itself.
    if named_files(settings).is_empty() && target.topics().is_none() {
        folder.keep_target(settings, &target);
    }
    Ok(target)
}

/// Parameters that change nothing at these settings of a target.
#[must_use]
pub fn idle_parameters(settings: &Settings) -> &'static [&'static str] {
    let is_generated = settings.group("data").is_none_or(|group| group.kind.name == "generated");
    if *settings.kind == linear_regression::SPEC && !is_generated { &linear_regression::OF_GENERATED } else { &[] }
}

/// Names of the targets that are conjugate models at their default settings, in the order of the registry; each target
/// says so itself by [`Target::conjugacy`].
#[must_use]
pub fn conjugate_targets() -> &'static [&'static str] {
    static NAMES: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
        let default = |kind: &'static KindSpec| build(&Settings::defaults(kind), ".");
        let is_conjugate = |kind: &&'static KindSpec| default(kind).is_ok_and(|target| target.conjugacy().is_some());
        TARGETS.iter().filter(is_conjugate).map(|kind| kind.name).collect()
    });
    &NAMES
}

/// A density on the line or in the plane.
///
/// Contract: outside the support the log density is −∞, never NaN; inside, log density, gradient and Hessian are
/// finite. A one-dimensional target ignores y and returns 0 for the y entries of its derivatives. All functions take
/// the coordinates θ of the target, also where a chain uses other coordinates (see [`Boundary::Logit`],
/// [`Boundary::Log`] and [`sampling_target`]).
///
/// ```
/// use std::path::Path;
///
/// use sampler_lab::math::Point;
/// use sampler_lab::params::{Settings, find_kind};
/// use sampler_lab::targets::{self, TARGETS};
///
/// let kind = find_kind(&TARGETS, "gaussian").unwrap();
/// let target = targets::build(&Settings::defaults(kind), Path::new(".")).unwrap();
/// let info = target.info();
/// assert_eq!(info.modes.len(), 1);
/// // At the mode the gradient is 0, and the Hessian is minus the inverse covariance.
/// let mode = info.modes[0].at;
/// assert!(target.gradient(mode).norm() < 1e-12);
/// let product = target.hessian(mode) * info.covariance;
/// assert!((product[(0, 0)] + 1.0).abs() < 1e-12 && product[(0, 1)].abs() < 1e-12);
/// // The normalised log density far from the mode is smaller.
/// assert!(target.log_density(mode) > target.log_density(mode + Point::new(1.0, 0.0)));
/// ```
pub trait Target: Debug + Send + Sync {
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
    /// instructions to use. An override must give the same bits as [`Target::gradient`], at every length and
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

    /// Whether there is a density in the plane, which can be drawn, and compared with where its normaliser is known. Of a network there is
    /// only that of all weights together: log density, gradient and Hessian of their projection are NaN.
    fn has_density(&self) -> bool {
        true
    }

    /// Whether normaliser, moments and modes come from a search, which may miss a part of the density: draws may then show that they
    /// are wrong.
    fn is_searched(&self) -> bool {
        false
    }

    /// The number of dimensions in which chains move: 1, 2, or more of a model.
    fn dimension(&self) -> usize {
        self.model().map_or(self.info().dimension, |behind| behind.model.dimension())
    }

    /// N, the number of data behind a posterior, in whatever dimension; `None` for other targets.
    fn data_count(&self) -> Option<usize> {
        let behind = self.model().map(|behind| behind.model.data()).filter(|data| *data > 0);
        behind.or_else(|| self.data().map(Data::len))
    }

    /// The model in more dimensions that this target shows in the plane; `None` for a target that is all there is.
    ///
    /// The density of such a target is that of the projection of the model.
    fn model(&self) -> Option<Projected<'_>> {
        None
    }

    /// The functions behind the parameters, of a posterior of the weights of a function.
    fn regression(&self) -> Option<&dyn Regression> {
        None
    }

    /// The probabilities of classes behind the parameters, of a posterior of the weights of a network.
    fn classification(&self) -> Option<&dyn Classification> {
        None
    }

    /// The documents and topics behind it, of latent Dirichlet allocation.
    fn topics(&self) -> Option<&TopicModel> {
        None
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
    fn exact_draw(&self, _stream: &mut crate::math::Stream) -> Option<Point> {
        None
    }

    /// A draw from the prior, of a posterior that offers them.
    fn prior_draw(&self, _stream: &mut crate::math::Stream) -> Option<Point> {
        None
    }
}

/// The highest mode of a density, or the start of chains if it has no isolated mode.
#[must_use]
pub fn highest_mode(target: &dyn Target) -> Point {
    let info = target.info();
    let log_density = |mode: &Mode| target.log_density(mode.at);
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
        steps.by(|lanewise::Place { step, chain }, x, y, gx, gy| {
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

/// Makes a target from its settings; relative paths are looked up in `folder`.
pub type TargetBuilder = fn(settings: &Settings, folder: &Folder) -> Result<Arc<dyn Target>, Vec<ParamError>>;

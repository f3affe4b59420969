//! Estimates of the gradient of the log density, and how far off they are.
//!
//! - `exact`: ∇ log p(θ).
//! - `noisy`: ∇ log p(θ) + N(0, V·I), for targets without data.
//! - `minibatch`: ∇ log prior + (N/n) Σ ∇ log p(xᵢ|θ) over n of N data (Welling and Teh 2011, ICML, eq. 4).
//!
//! With `compensate` the injected noise has variance 2α(1 − αV/2) instead of 2α, so that gradient noise and
//! injected noise together have 2α: the idea of stochastic gradient Fisher scoring (Ahn, Korattikara and Welling
//! 2012, arXiv:1206.6380), here per coordinate and with the exact V at θ, not a running estimate. Where α > 2/V the
//! gradient noise alone is too much, and nothing is injected.
//!
//! V of a minibatch at θ, per coordinate: (N²/n)·Varᵢ, Varᵢ = (1/N) Σ (gᵢ − ḡ)² over all data, exact for indices
//! drawn with replacement. For `shuffled` it carries the finite-population factor (N − n)/(N − 1), exact for a
//! batch within one epoch and slightly too small for one that straddles two; errors of one epoch also cancel each
//! other, which V does not show. For `cyclic`, whose error is not random at all, V is that of a shuffled batch:
//! the mean squared error if the data were in random order.

use super::Problem;
use crate::math::Point;
use crate::params::{Choice, DefaultValue, Interval, KindSpec, ParamError, ParamSpec, ParamType, Settings};
use crate::targets::{Data, EulerSteps, Target};

/// How the gradient of the log density is estimated (METHODS: gradient noise).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Gradient {
    /// The full gradient.
    Exact,
    /// The full gradient plus N(0, variance · I).
    Noisy {
        /// Variance per coordinate.
        variance: f64,
        /// Whether the injected noise is reduced by as much.
        compensate: bool,
    },
    /// ∇log prior + (N/n) Σ over a minibatch.
    Minibatch {
        /// n, from 1 to N.
        size: usize,
        /// How the indices are chosen.
        order: BatchOrder,
        /// Whether the injected noise is reduced by the variance of the estimate.
        compensate: bool,
    },
}

/// How the indices of minibatches follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BatchOrder {
    /// Independently, with replacement.
    Random,
    /// Through a new random permutation of the data every epoch.
    Shuffled,
    /// Through the data in their own order, again and again.
    Cyclic,
}

const COMPENSATE: ParamSpec = ParamSpec::of(
    "compensate",
    "compensate",
    ParamType::Flag,
    DefaultValue::Flag(false),
    "Injects less noise where the gradient already brings some, so that both together have the variance 2α that \
     Langevin dynamics asks for.",
);

const VARIANCE: ParamSpec = ParamSpec::number(
    "variance",
    "V",
    1.0,
    Interval::NON_NEGATIVE,
    (0.0, 20.0),
    "Variance of the noise added to each coordinate of the gradient, as if it came from a minibatch.",
);

const SIZE: ParamSpec = ParamSpec::integer(
    "size",
    "n",
    10.0,
    Interval::closed(1.0, 1e9),
    (1.0, 100.0),
    "Number of data in a minibatch, at most N. A step costs n/N gradient evaluations.",
)
.unit("data")
.log();

const ORDER: ParamSpec = ParamSpec::of(
    "order",
    "order",
    ParamType::Choice(&[
        Choice { name: "random", label: "random", help: "Every index is drawn anew, with replacement." },
        Choice { name: "shuffled", label: "shuffled", help: "A new random order of the data every epoch." },
        Choice {
            name: "cyclic",
            label: "cyclic",
            help: "The data in their own order, again and again. On sorted data this is biased, and shows.",
        },
    ]),
    DefaultValue::Word("random"),
    "How the data of a minibatch are chosen.",
);

const EXACT: KindSpec =
    KindSpec { name: "exact", label: "Exact", help: "The full gradient at every step.", params: &[] };

/// The kind `noisy` with the given parameters.
const fn noisy(params: &'static [ParamSpec]) -> KindSpec {
    KindSpec {
        name: "noisy",
        label: "Noisy",
        help: "The full gradient plus Gaussian noise: a stand-in for minibatches on targets without data.",
        params,
    }
}

/// The kind `minibatch` with the given parameters.
const fn minibatch(params: &'static [ParamSpec]) -> KindSpec {
    KindSpec {
        name: "minibatch",
        label: "Minibatch",
        help: "An estimate from n of the N data, scaled up by N/n. Only for targets with data.",
        params,
    }
}

/// The kinds of the `gradient` group of methods whose injected noise can make up for that of the gradient.
pub static GRADIENTS: [KindSpec; 3] = [EXACT, noisy(&[VARIANCE, COMPENSATE]), minibatch(&[SIZE, ORDER, COMPENSATE])];

/// The kinds of the `gradient` group of methods for which compensation means nothing.
pub static PLAIN_GRADIENTS: [KindSpec; 3] = [EXACT, noisy(&[VARIANCE]), minibatch(&[SIZE, ORDER])];

/// The kinds of the `gradient` group of methods that need many estimates per step, for which there are no minibatches.
pub static BATCHLESS_GRADIENTS: [KindSpec; 2] = [EXACT, noisy(&[VARIANCE])];

impl Gradient {
    /// Reads the `gradient` group of a run.
    #[must_use]
    pub fn from_settings(settings: &Settings) -> Self {
        let compensate = settings.kind.param("compensate").is_some() && settings.flag("compensate");
        match settings.kind.name {
            "noisy" => Self::Noisy { variance: settings.number("variance"), compensate },
            "minibatch" => Self::Minibatch {
                size: usize::try_from(settings.count("size")).unwrap_or(usize::MAX).max(1),
                order: match settings.word("order") {
                    "shuffled" => BatchOrder::Shuffled,
                    "cyclic" => BatchOrder::Cyclic,
                    _ => BatchOrder::Random,
                },
                compensate,
            },
            _ => Self::Exact,
        }
    }

    /// Checks that this way to estimate gradients suits `target`.
    ///
    /// # Errors
    /// Minibatches on a target without data, or larger than the data; paths are relative to the group.
    pub fn check(&self, target: &dyn Target) -> Result<(), ParamError> {
        let Self::Minibatch { size, .. } = *self else { return Ok(()) };
        match target.data().map(Data::len) {
            None => Err(ParamError::new("kind", "the target has no data to take minibatches from", "exact, noisy")),
            Some(data) if size > data => {
                Err(ParamError::new("size", format!("{size} is more than the data"), format!("from 1 to {data}")))
            }
            Some(_) => Ok(()),
        }
    }

    /// Gradient evaluations per estimate with `data` data: 1 for the full gradient, n/N for a minibatch, and one more
    /// for the variance that a compensated minibatch needs.
    #[must_use]
    pub fn cost(&self, data: usize) -> f64 {
        match *self {
            Self::Exact | Self::Noisy { .. } => 1.0,
            Self::Minibatch { size, compensate, .. } => {
                size as f64 / data.max(1) as f64 + if compensate { 1.0 } else { 0.0 }
            }
        }
    }

    /// The same without compensation.
    #[must_use]
    pub fn uncompensated(self) -> Self {
        match self {
            Self::Exact => Self::Exact,
            Self::Noisy { variance, .. } => Self::Noisy { variance, compensate: false },
            Self::Minibatch { size, order, .. } => Self::Minibatch { size, order, compensate: false },
        }
    }

    /// Number of data in a minibatch; 0 if there is none.
    #[must_use]
    pub fn batch_size(&self) -> usize {
        match *self {
            Self::Minibatch { size, .. } => size,
            Self::Exact | Self::Noisy { .. } => 0,
        }
    }

    /// Pairs of normals per chain that an estimate uses; they come before those of the method.
    #[must_use]
    pub fn pairs(&self) -> usize {
        usize::from(matches!(self, Self::Noisy { .. }))
    }

    /// Makes Euler steps with estimates of this kind but for the noise of `noisy` gradients, which is to be among the
    /// displacements already.
    ///
    /// A minibatch estimate on a target without data, which [`Gradient::check`] refuses, is the full gradient.
    pub(super) fn euler(&self, target: &dyn Target, batches: &[u32], steps: EulerSteps<'_>) {
        match (self, target.data()) {
            (Self::Minibatch { size, .. }, Some(data)) => data.euler(batches, *size, steps),
            _ => target.euler(steps),
        }
    }

    /// Estimates of this kind at many points, but for the noise of `noisy` gradients: `gx[i], gy[i]` for
    /// θ = (`x[i]`, `y[i]`), all slices of one length, `batch` the numbers of the data.
    pub(super) fn estimates(
        &self,
        problem: &Problem<'_>,
        batch: &[u32],
        (x, y): (&[f64], &[f64]),
        (gx, gy): (&mut [f64], &mut [f64]),
    ) {
        match (self, problem.target.data()) {
            (Self::Minibatch { .. }, Some(data)) => data.estimates(problem.simd, x, y, batch, gx, gy),
            _ => problem.target.gradients(problem.simd, x, y, gx, gy),
        }
    }

    /// Adds the noise of `noisy` gradients, made of `normals` and `share` times as wide as it is, to gradients.
    pub(super) fn disturb(&self, problem: &Problem<'_>, share: f64, normals: [&[f64]; 2], gradients: [&mut [f64]; 2]) {
        let Self::Noisy { variance, .. } = *self else { return };
        let sd = variance.sqrt() * share;
        for (gradients, normals) in gradients.into_iter().zip(normals).take(problem.target.info().dimension) {
            for (gradient, normal) in gradients.iter_mut().zip(normals) {
                *gradient += sd * normal;
            }
        }
    }

    /// The variance V per coordinate of an estimate whose noise does not depend on θ: that of `noisy` gradients, 0 of
    /// others.
    pub(super) fn variance_everywhere(&self) -> f64 {
        match *self {
            Self::Noisy { variance, .. } => variance,
            Self::Exact | Self::Minibatch { .. } => 0.0,
        }
    }

    /// The variance V of the estimate at θ, per coordinate. Costs a full gradient for minibatches.
    #[must_use]
    pub fn variance(&self, target: &dyn Target, at: Point) -> Point {
        match *self {
            Self::Exact => Point::zeros(),
            Self::Noisy { variance, .. } if target.info().dimension > 1 => Point::repeat(variance),
            Self::Noisy { variance, .. } => Point::new(variance, 0.0),
            Self::Minibatch { size, order, .. } => {
                target.data().map_or_else(Point::zeros, |data| batch_variance(data, at, size, order))
            }
        }
    }
}

/// V = (N²/n)·Varᵢ(∇ log p(xᵢ|θ)), with the finite-population factor unless drawn with replacement.
fn batch_variance(data: &dyn Data, at: Point, size: usize, order: BatchOrder) -> Point {
    datum_variance(data, at) * batch_spread(data.len(), size, order)
}

/// The variance of (N/n) Σ over a minibatch of n of N numbers, in units of the variance of the numbers.
pub(super) fn batch_spread(data: usize, size: usize, order: BatchOrder) -> f64 {
    let total = data as f64;
    let factor = match order {
        BatchOrder::Random => 1.0,
        BatchOrder::Shuffled | BatchOrder::Cyclic if data == 1 => 0.0,
        BatchOrder::Shuffled | BatchOrder::Cyclic => (total - size as f64) / (total - 1.0),
    };
    total * total / size as f64 * factor
}

/// Varᵢ(∇ log p(xᵢ|θ)) over all data, by Welford's (1962) recurrence.
fn datum_variance(data: &dyn Data, at: Point) -> Point {
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

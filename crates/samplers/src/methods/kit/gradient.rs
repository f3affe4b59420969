//! Gradient estimates: full gradients, gradients with noise, and minibatch gradients, each with its variance.
//!
//! - `exact`: ∇ log p(θ).
//! - `noisy`: ∇ log p(θ) + N(0, V·I), for targets without data.
//! - `minibatch`: ∇ log prior + (N/n) Σ ∇ log p(xᵢ|θ) over n of N data (Welling and Teh 2011, ICML, eq. 4).
//!
//! With `compensate` the variance of the gradient noise is subtracted from that of the injected noise, which is then
//! 2α(1 − αV/2) instead of 2α. Both noises together have variance 2α: the idea of stochastic gradient Fisher scoring
//! (Ahn, Korattikara and Welling 2012, arXiv:1206.6380), here per coordinate and with the exact V at θ instead of a
//! running estimate. Where α > 2/V the gradient noise alone is too large, and no noise is injected.
//!
//! V of a minibatch at θ, per coordinate: (N²/n)·Varᵢ, Varᵢ = (1/N) Σ (gᵢ − ḡ)² over all data, exact for indices drawn
//! with replacement. For `shuffled` it includes the finite-population factor (N − n)/(N − 1), which is exact for a
//! batch within one epoch and slightly too small for one that spans two. The errors of one epoch also cancel each
//! other, which V does not show. The error of `cyclic` is not random; V is that of a shuffled batch, the mean squared
//! error if the data were in random order.

use super::stepwise::Normals;
use crate::methods::Problem;
use base::math::{Coords, Point};
use base::params::{Choice, DefaultValue, Interval, KindSpec, ParamError, ParamSpec, ParamType, Settings};
use models::targets::{self, Data, Density, EulerSteps, Minibatches, Target};

/// How the gradient of the log density is estimated (METHODS: gradient noise).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Gradient {
    /// The full gradient.
    Exact,
    /// The full gradient plus N(0, variance · I).
    Noisy {
        /// Variance per coordinate.
        variance: f64,
        /// Whether this variance is subtracted from that of the injected noise.
        compensate: bool,
    },
    /// ∇log prior + (N/n) Σ over a minibatch.
    Minibatch {
        /// n, from 1 to N.
        size: usize,
        /// How the indices are chosen.
        order: BatchOrder,
        /// Whether all chains of a run use the same minibatches.
        shared: bool,
        /// Whether the variance of the estimate is subtracted from that of the injected noise.
        compensate: bool,
    },
}

/// Why an estimator that is known elsewhere is none of [`GRADIENTS`]; `None` of other words.
#[must_use]
pub fn why_not(kind: &str) -> Option<&'static str> {
    ["control-variates", "control-variate", "cv", "svrg", "saga", "sag"].contains(&kind.to_lowercase().as_str()).then_some(
        "estimators that subtract gradients at a reference point are not built: their variance depends on the distance from it, and every curve of \
         noise, compensation and cost here is that of plain minibatches; larger minibatches, or compensate = true, reduce the same error",
    )
}

/// Order of the data in consecutive minibatches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BatchOrder {
    /// Independently, with replacement.
    Random,
    /// In a new random permutation of the data every epoch.
    Shuffled,
    /// In the order of the data, again and again.
    Cyclic,
}

const COMPENSATE: ParamSpec = ParamSpec::of(
    "compensate",
    "subtract gradient noise",
    ParamType::Flag,
    DefaultValue::Flag(false),
    "Subtracts the variance of the gradient noise from that of the injected noise, so that both together have the \
     variance 2α of Langevin dynamics.",
)
.folded();

const VARIANCE: ParamSpec = ParamSpec::number(
    "variance",
    "noise variance V",
    1.0,
    Interval::NON_NEGATIVE,
    (0.0, 20.0),
    "Variance of the noise that is added to each coordinate of the gradient, like the noise of a minibatch.",
);

const SIZE: ParamSpec = ParamSpec::integer(
    "size",
    "batch size n",
    10.0,
    Interval::closed(1.0, 1e9),
    (1.0, 100.0),
    "Number of data in a minibatch, at most the number N of all data; of topics, number of documents. A step costs n/N gradient \
     evaluations.",
)
.unit("data")
.log();

const ORDER: ParamSpec = ParamSpec::of(
    "order",
    "batch order",
    ParamType::Choice(&[
        Choice { name: "random", label: "random", help: "Every datum is drawn independently, with replacement." },
        Choice { name: "shuffled", label: "shuffled", help: "A new random order of all data in every epoch." },
        Choice {
            name: "cyclic",
            label: "cyclic",
            help: "The data in the order of the file, again and again. On sorted data the bias is visible.",
        },
    ]),
    DefaultValue::Word("random"),
    "How the data of a minibatch are chosen.",
)
.folded();

const BATCHES: ParamSpec = ParamSpec::of(
    "batches",
    "minibatches",
    ParamType::Choice(&[
        Choice {
            name: "per-chain",
            label: "per chain",
            help: "Every chain draws minibatches of its own, so the chains are independent.",
        },
        Choice {
            name: "shared",
            label: "shared",
            help: "All chains of the run use the same minibatches. Steps are faster, but the chains move together: they \
                   are not independent, and R-hat, ESS and MCSE have no value.",
        },
    ]),
    DefaultValue::Word("per-chain"),
    "Whether each chain has its own minibatches, or all chains share them.",
).folded();

const EXACT: KindSpec =
    KindSpec { name: "exact", label: "Exact", help: "The full gradient at every step.", params: &[] };

/// The kind `noisy` with the given parameters.
const fn noisy(params: &'static [ParamSpec]) -> KindSpec {
    KindSpec {
        name: "noisy",
        label: "Noisy",
        help: "The full gradient plus Gaussian noise: imitates minibatches on targets without data.",
        params,
    }
}

/// The kind `minibatch` with the given parameters.
const fn minibatch(params: &'static [ParamSpec]) -> KindSpec {
    KindSpec {
        name: "minibatch",
        label: "Minibatch",
        help: "An estimate from n of the N data, scaled by N/n. Only for targets with data.",
        params,
    }
}

/// The kinds of the `gradient` group of methods that can subtract gradient noise from their injected noise.
pub static GRADIENTS: [KindSpec; 3] =
    [EXACT, noisy(&[VARIANCE, COMPENSATE]), minibatch(&[SIZE, ORDER, BATCHES, COMPENSATE])];

/// The kinds of the `gradient` group of methods that cannot subtract gradient noise.
pub static PLAIN_GRADIENTS: [KindSpec; 3] = [EXACT, noisy(&[VARIANCE]), minibatch(&[SIZE, ORDER, BATCHES])];

/// The kinds of the `gradient` group of methods with many estimates per step, which do not support minibatches.
pub static BATCHLESS_GRADIENTS: [KindSpec; 2] = [EXACT, noisy(&[VARIANCE])];

/// Indices that the chains of a run may keep at a time, in their minibatches and permutations: 256 MiB.
const MOST_INDICES: usize = 1 << 26;

impl Gradient {
    /// Minibatches of `size` data, of every chain's own, whose noise is not subtracted.
    #[must_use]
    pub fn minibatch(size: usize, order: BatchOrder) -> Self {
        Self::Minibatch { size, order, shared: false, compensate: false }
    }

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
                shared: settings.word("batches") == "shared",
                compensate,
            },
            _ => Self::Exact,
        }
    }

    /// Checks that `chains` chains can have this estimate on `target`.
    ///
    /// # Errors
    /// Minibatches on a target without data, larger than the data, or too large for so many chains; noise on topics, or
    /// minibatches that chains share. Paths are relative to the group.
    pub fn check(&self, target: &Target, chains: usize) -> Result<(), ParamError> {
        let refused = target.family().no_positions.as_ref();
        let Self::Minibatch { size, order, shared, .. } = *self else {
            let noisy = refused.filter(|_| matches!(self, Self::Noisy { .. }));
            return noisy.map_or(Ok(()), |why| Err(ParamError::new("kind", why.noise, "exact, minibatch")));
        };
        if let Some(why) = refused.filter(|_| shared) {
            return Err(ParamError::new("batches", why.shared_batches, "per-chain"));
        }
        let Some(data) = target.data_count() else {
            return Err(ParamError::new("kind", "the target has no data to take minibatches from", "exact, noisy"));
        };
        if size > data {
            return Err(ParamError::new("size", format!("{size} is more than the data"), format!("from 1 to {data}")));
        }
        let (numbers, what) = if order == BatchOrder::Shuffled { (data, "data") } else { (size, "data per batch") };
        if shared || numbers.saturating_mul(chains) <= MOST_INDICES {
            return Ok(());
        }
        let problem = format!("{numbers} {what} are too many for {chains} chains with minibatches of their own");
        let allowed = format!("shared, or at most {} {what}", MOST_INDICES / chains);
        Err(ParamError::new("batches", problem, allowed))
    }

    /// Gradient evaluations per estimate with `data` data: 1 for the full gradient, n/N for a minibatch, and 1 more for
    /// the variance of a minibatch if it is subtracted.
    #[must_use]
    pub fn cost(&self, data: usize) -> f64 {
        match *self {
            Self::Exact | Self::Noisy { .. } => 1.0,
            Self::Minibatch { size, compensate, .. } => {
                size as f64 / data.max(1) as f64 + if compensate { 1.0 } else { 0.0 }
            }
        }
    }

    /// The same estimate without subtraction of its noise.
    #[must_use]
    pub fn uncompensated(self) -> Self {
        match self {
            Self::Exact => Self::Exact,
            Self::Noisy { variance, .. } => Self::Noisy { variance, compensate: false },
            Self::Minibatch { size, order, shared, .. } => Self::Minibatch { size, order, shared, compensate: false },
        }
    }

    /// Whether the chains of a run share minibatches, so that they are not independent.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        matches!(self, Self::Minibatch { shared: true, .. })
    }

    /// The minibatches of `chains` chains with these indices, as [`Batches::fill`](crate::methods::Batches::fill) puts them into its memory;
    /// none if the gradient uses no minibatches.
    #[must_use]
    pub fn minibatches<'a>(&self, indices: &'a [u32], chains: usize) -> Minibatches<'a> {
        match *self {
            Self::Minibatch { size, shared, .. } => Minibatches::new(indices, size, if shared { 1 } else { chains }),
            Self::Exact | Self::Noisy { .. } => Minibatches::default(),
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

    /// Vectors of normals per chain for an estimate; they come before those of the method.
    #[inline]
    #[must_use]
    pub fn vectors(&self) -> usize {
        usize::from(matches!(self, Self::Noisy { .. }))
    }

    /// Takes Euler steps with this estimate, without the noise of `noisy` gradients, which the displacements already
    /// contain.
    ///
    /// A minibatch estimate on a target without data, which [`Gradient::check`] rejects, is the full gradient.
    pub(crate) fn euler(&self, target: &dyn Density, batches: Minibatches<'_>, steps: EulerSteps<'_>) {
        match (self, target.data()) {
            (Self::Minibatch { .. }, Some(data)) => data.euler(batches, steps),
            _ => target.euler(steps),
        }
    }

    /// Estimates at many positions, without the noise of `noisy` gradients, with minibatch `i` of the first step of `batches`
    /// for position `i`.
    #[inline]
    pub(crate) fn estimates(
        &self,
        problem: &Problem<'_>,
        batches: Minibatches<'_>,
        at: &Coords,
        memory: &mut Vec<f64>,
        out: &mut Coords,
    ) {
        match (self, problem.model) {
            (Self::Minibatch { .. }, Some(model)) => model.estimates(problem.simd, at, batches, memory, out),
            _ => problem.gradients(at, memory, out),
        }
    }

    /// Adds the noise of `noisy` gradients to `gradients`: `normals` times the standard deviation times `share`.
    #[inline]
    pub(crate) fn disturb(&self, problem: &Problem<'_>, share: f64, normals: Normals<'_>, gradients: &mut Coords) {
        let Self::Noisy { variance, .. } = *self else { return };
        let sd = variance.sqrt() * share;
        for (axis, gradients) in gradients.axes_mut().enumerate().take(problem.free) {
            for (gradient, normal) in gradients.iter_mut().zip(normals.axis(axis)) {
                *gradient += sd * normal;
            }
        }
    }

    /// The variance V per coordinate that does not depend on θ: that of `noisy` gradients, 0 for all others.
    pub(crate) fn variance_everywhere(&self) -> f64 {
        match *self {
            Self::Noisy { variance, .. } => variance,
            Self::Exact | Self::Minibatch { .. } => 0.0,
        }
    }

    /// The variance V of the estimate at the position of a chain, coordinate by coordinate, of minibatches; 0 for all others.
    pub(crate) fn batch_variances(
        &self,
        problem: &Problem<'_>,
        (positions, chain): (&Coords, usize),
        memory: &mut Vec<f64>,
        out: &mut Vec<f64>,
    ) {
        out.clear();
        out.resize(positions.dimension(), 0.0);
        let Self::Minibatch { size, order, .. } = *self else { return };
        let Some(model) = problem.model else { return };
        model.datum_variances(positions, chain, memory, out);
        let spread = batch_spread(model.data(), size, order);
        out.iter_mut().for_each(|variance| *variance *= spread);
    }

    /// The variance V of the estimate at θ, per coordinate, on the line or in the plane with these data. Costs a full gradient for minibatches.
    #[must_use]
    pub fn variance(&self, (dimension, data): (usize, Option<&dyn Data>), at: Point) -> Point {
        match *self {
            Self::Exact => Point::zeros(),
            Self::Noisy { variance, .. } if dimension > 1 => Point::repeat(variance),
            Self::Noisy { variance, .. } => Point::new(variance, 0.0),
            Self::Minibatch { size, order, .. } => {
                data.map_or_else(Point::zeros, |data| batch_variance(data, at, size, order))
            }
        }
    }
}

/// V = (N²/n)·Varᵢ(∇ log p(xᵢ|θ)), with the finite-population factor unless the data are drawn with replacement.
fn batch_variance(data: &dyn Data, at: Point, size: usize, order: BatchOrder) -> Point {
    targets::datum_variance(data, at) * batch_spread(data.len(), size, order)
}

/// The variance of (N/n) Σ over a minibatch of n of N numbers, in units of the variance of the numbers.
pub(crate) fn batch_spread(data: usize, size: usize, order: BatchOrder) -> f64 {
    let total = data as f64;
    let factor = match order {
        BatchOrder::Random => 1.0,
        BatchOrder::Shuffled | BatchOrder::Cyclic if data == 1 => 0.0,
        BatchOrder::Shuffled | BatchOrder::Cyclic => (total - size as f64) / (total - 1.0),
    };
    total * total / size as f64 * factor
}

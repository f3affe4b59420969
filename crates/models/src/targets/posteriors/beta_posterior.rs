//! Posterior of a probability: θ ~ Beta(a, b), xᵢ ~ Bernoulli(θ) for i = 1 … N.
//!
//! With S ones among the data it is Beta(A, B), A = a + S, B = b + N − S, with closed forms for all moments.
//! The log density is log prior + log likelihood with all constants, so its normaliser is the evidence:
//! ln B(A, B) − ln B(a, b). A and B must exceed 1, or the density has no mode inside (0, 1).
//!
//! Langevin steps can cross the boundary of (0, 1). `boundary` selects what happens there. `reflect` folds a step back.
//! `logit` uses the coordinate ln θ/(1−θ), with the Jacobian in density and gradient. `none` lets the chain leave:
//! outside, the log density is −∞ and the gradient follows the same formula, as in code that ignores the boundary; it
//! drives the chain further away.
//!
//! Counted data are in order, the ones first, then the zeros. So minibatches in cyclic order show the bias of sorted
//! data; random and shuffled order do not.

use std::sync::Arc;

use crate::families::LINE;
use crate::targets::kit::beta::{self, Beta, data_slope};
use crate::targets::kit::conjugate::{Conjugate, ConjugateFamily, Observed};
use crate::targets::{Boundary, Folder, Minibatch, Mode, Support, Target, TargetEntry, TargetInfo, data};
use base::math::elementary::exp;
use base::math::{Bounds, Matrix, Point, Stream};
use base::params::{DefaultValue, Interval, KindSpec, ParamError, ParamSpec, ParamType, Settings};

const COUNT: Interval = Interval::closed(1.0, 1e6);

const COUNTS: [ParamSpec; 2] = [
    ParamSpec::integer(
        "ones",
        "number of ones",
        50.0,
        Interval::closed(0.0, 1e6),
        (0.0, 100.0),
        "Number of ones among the N data. In the order of the data the ones come first.",
    )
    .unit("data"),
    data::size_param(COUNT, 100.0, "Number of data, ones and zeros together."),
];

static DATA_KINDS: [KindSpec; 2] = [
    KindSpec {
        name: "counts",
        label: "Counts",
        help: "A number of ones out of N data. The posterior depends on the counts only.",
        params: &COUNTS,
    },
    data::CSV,
];

const PARAMS: [ParamSpec; 3] = [
    beta::prior_param([5.0, 5.0], "The prior Beta(a, b): it counts like a ones and b zeros in the data."),
    ParamSpec::of(
        "data",
        "data",
        ParamType::Group(&DATA_KINDS),
        DefaultValue::Kind("counts"),
        "The data x₁ … x_N, zeros and ones, at most 1 000 000.",
    ),
    beta::BOUNDARY,
];

/// The description of this target.
const SPEC: KindSpec = KindSpec {
    name: "beta-posterior",
    label: "Probability of a coin",
    help: "Posterior of the probability θ of a one, with a Beta prior and data of zeros and ones: again a Beta \
           distribution, so the answer is known. One-dimensional, and confined to (0, 1), where plain Langevin steps \
           need help. Gradients can be estimated from minibatches.",
    params: &PARAMS,
};

/// The line of the registry.
pub const ENTRY: TargetEntry = TargetEntry { family: &LINE, ..TargetEntry::new(SPEC, build) };

/// Makes the target.
///
/// # Errors
/// If data cannot be read or are not zeros and ones, or if the density of the posterior is not bounded.
fn build(settings: &Settings, folder: &Folder) -> Result<Target, Vec<ParamError>> {
    let ones = read_data(settings, folder)
        .map_err(|errors| errors.into_iter().map(|error| error.under("data")).collect::<Vec<_>>())?;
    let (prior, flags) = (Coin(Beta::new(settings.pair("prior"))), Flags(ones));
    let posterior = flags.after(prior, Minibatch::from(&flags.numbers()[..]), 1.0);
    let Coin(Beta { a, b }) = posterior;
    if posterior.0.is_bounded() {
        let log_constant = -prior.0.ln_beta();
        let info = info(posterior.0, log_constant, beta::boundary(settings.word("boundary")));
        return Ok(Target::plane(Arc::new(Conjugate { prior, posterior, log_constant, data: flags, info })));
    }
    let problem = format!("the density of the posterior Beta({a}, {b}) is infinite at the boundary");
    Err(vec![ParamError::new(
        "prior",
        problem,
        "a + ones and b + zeros at least 1: without ones or zeros a prior such as [1, 1]",
    )])
}

/// The data that the settings name, each 0 or 1; errors are relative to `data`.
fn read_data(settings: &Settings, folder: &Folder) -> Result<Vec<f64>, Vec<ParamError>> {
    let Some(group) = settings.group("data") else { return Ok(Vec::new()) };
    if group.kind.name == data::CSV.name {
        let flags = data::read_flags(group, folder)?;
        return Ok(flags.into_iter().map(|flag| if flag { 1.0 } else { 0.0 }).collect());
    }
    let (ones, n) = (group.count("ones"), group.count("n"));
    if ones > n {
        let problem = format!("{ones} ones are more than the {n} data");
        return Err(vec![ParamError::new("ones", problem, format!("a whole number from 0 to n = {n}"))]);
    }
    Ok((0..n).map(|index| if index < ones { 1.0 } else { 0.0 }).collect())
}

/// The distribution of θ, on the line.
#[derive(Clone, Copy, Debug)]
struct Coin(Beta);

impl ConjugateFamily for Coin {
    #[inline(always)]
    fn gradient(&self, x: f64, _y: f64) -> (f64, f64) {
        (self.0.slope(x), 0.0)
    }

    fn log_density(&self, at: Point) -> f64 {
        self.0.log_density(at.x)
    }

    fn hessian(&self, at: Point) -> Matrix {
        Matrix::new(self.0.curvature(at.x), 0.0, 0.0, 0.0)
    }

    fn draw(&self, stream: &mut Stream) -> Point {
        Point::new(self.0.draw(stream), 0.0)
    }
}

/// The data, each 0 or 1. They enter only through the number of ones among them.
#[derive(Clone, Debug)]
struct Flags(Vec<f64>);

impl Flags {
    /// The numbers of all data.
    fn numbers(&self) -> Vec<u32> {
        (0..self.0.len() as u32).collect()
    }

    /// Ones and zeros in a batch.
    #[inline(always)]
    fn counted(&self, batch: Minibatch<'_>) -> (f64, f64) {
        let ones: f64 = batch.iter().map(|index| self.0[index as usize]).sum();
        (ones, batch.len() as f64 - ones)
    }
}

impl Observed for Flags {
    type Family = Coin;

    fn len(&self) -> usize {
        self.0.len()
    }

    #[inline(always)]
    fn after(&self, prior: Coin, batch: Minibatch<'_>, times: f64) -> Coin {
        let (ones, zeros) = self.counted(batch);
        Coin(prior.0.after(times * ones, times * zeros))
    }

    fn gradient(&self, at: Point, batch: Minibatch<'_>) -> Point {
        let (ones, zeros) = self.counted(batch);
        Point::new(data_slope(ones, zeros, at.x), 0.0)
    }
}

/// All moments have closed forms. The y range of the view holds the curve of the normalised density.
fn info(distribution: Beta, log_constant: f64, boundary: Boundary) -> TargetInfo {
    let line = |variance: f64| Matrix::new(variance, 0.0, 0.0, 0.0);
    let peak = exp(distribution.log_density(distribution.highest()) - distribution.ln_beta());
    let mode = || Mode {
        at: Point::new(distribution.mode(), 0.0),
        weight: 1.0,
        covariance: line(distribution.laplace_variance()),
    };
    TargetInfo {
        dimension: 1,
        axes: ["θ", ""],
        support: Support { min: Point::new(0.0, f64::NEG_INFINITY), max: Point::new(1.0, f64::INFINITY) },
        boundary,
        view: Bounds::new((0.0, 1.0), (0.0, 1.15 * peak)),
        // At an end of the support the density may be highest, but not flat.
        modes: distribution.has_mode().then(mode).into_iter().collect(),
        log_normaliser: distribution.ln_beta() + log_constant,
        mean: Point::new(distribution.mean(), 0.0),
        covariance: line(distribution.variance()),
        start: Point::new(0.5, 0.0),
        unknown: None,
    }
}

//! Posterior of the mean and precision of a normal distribution: xᵢ ~ N(μ, 1/τ), μ | τ ~ N(μ₀, 1/(λ₀τ)), τ ~ Gamma(a₀,
//! b₀).
//!
//! The model is conjugate (DeGroot 1970, Optimal Statistical Decisions): with N data of mean x̄,
//! λ = λ₀ + N, m = (λ₀μ₀ + N x̄)/λ, a = a₀ + N/2, b = b₀ + ½ Σ(xᵢ − x̄)² + ½ λ₀N(x̄ − μ₀)²/λ, the posterior has the log density
//!
//! (a − ½) ln τ − bτ − ½ λτ (μ − m)²
//!
//! up to a constant. Here it is log prior + log likelihood with all constants, so the normaliser is the evidence: ln
//! Γ(a) − ln Γ(a₀) + a₀ ln b₀ − a ln b + ½ ln(λ₀/λ) − ½ N ln 2π. b₀ and b are rates. The precision τ has the
//! distribution Gamma(a, b); μ has Student's distribution with 2a degrees of freedom, whose variance b/(λ(a−1)) exists
//! for a > 1 only, which is required. The mode is (m, (a − ½)/b).
//!
//! (Coordinate-ascent variational inference on the same data converges to a shape of a₀ + (N+1)/2 in its q(τ), and to a
//! precision of μ of λ E τ: neither is a parameter of this posterior.)
//!
//! Langevin steps can cross the boundary τ = 0. `boundary` selects what happens there. `reflect` folds a step back.
//! `log` uses the coordinate ln τ, with the Jacobian in density and gradient. `none` lets the chain leave: outside, the
//! log density is −∞ and the gradient follows the same formula.

mod conjugacy;

use std::f64::consts::TAU;
use std::sync::Arc;

use crate::targets::kit::conjugate::{Conjugate, ConjugateFamily, Observed};
use crate::targets::kit::lanewise::saturated;
use crate::targets::{Boundary, Conjugacy, Folder, Minibatch, Mode, Support, Target, TargetEntry, TargetInfo, data};
use base::math::elementary::ln;
use base::math::{Bounds, Matrix, Point, Purpose, Stream, gamma_draw, ln_gamma};
use base::params::{Choice, DefaultValue, Interval, KindSpec, ParamError, ParamSpec, ParamType, Settings};

/// The data of METHODS, for which it also gives the variational approximation.
const SAMPLE: [f64; 10] = [1.2, 0.7, -0.3, 2.1, 1.5, 0.9, 1.8, 0.2, 1.1, 0.4];

/// Standard deviations of μ and τ that the view shows.
const VIEW_RANGE: Point = Point::new(5.0, 6.0);

/// Sizes of data sets.
const SIZE: Interval = Interval::closed(1.0, 1e6);

const GENERATED: [ParamSpec; 4] = [
    data::size_param(SIZE, 20.0, "Number of data. More data make the posterior narrower."),
    ParamSpec::number(
        "mu",
        "true μ",
        1.0,
        Interval::closed(-1e4, 1e4),
        (-5.0, 5.0),
        "The mean of the normal distribution from which the data are drawn.",
    ),
    ParamSpec::number(
        "tau",
        "true τ",
        2.0,
        Interval::closed(1e-4, 1e4),
        (0.1, 10.0),
        "The precision of the normal distribution from which the data are drawn: 1/variance.",
    )
    .log(),
    data::SEED,
];

static DATA_KINDS: [KindSpec; 3] = [
    KindSpec {
        name: "sample",
        label: "Ten numbers",
        help: "The data 1.2, 0.7, −0.3, 2.1, 1.5, 0.9, 1.8, 0.2, 1.1, 0.4: so few that the posterior is skewed.",
        params: &[],
    },
    KindSpec {
        name: "generated",
        label: "Drawn from the model",
        help: "Data drawn from a normal distribution of chosen mean and precision.",
        params: &GENERATED,
    },
    data::CSV,
];

static BOUNDARIES: [Choice; 3] = [
    Choice { name: "reflect", label: "reflect", help: "A step across τ = 0 is folded back." },
    Choice {
        name: "log",
        label: "log",
        help: "The chain uses the coordinate ln τ, which has no boundary; the density includes the Jacobian.",
    },
    Choice { name: "none", label: "none", help: "No correction: a chain that steps across τ = 0 does not come back." },
];

const POSITIVE: Interval = Interval::closed(1e-4, 1e4);

const PARAMS: [ParamSpec; 5] = [
    ParamSpec::of(
        "data",
        "data",
        ParamType::Group(&DATA_KINDS),
        DefaultValue::Kind("sample"),
        "The data x₁ … x_N, at most 1 000 000.",
    ),
    ParamSpec::number(
        "prior_mean",
        "prior mean μ₀",
        0.0,
        Interval::closed(-1e4, 1e4),
        (-5.0, 5.0),
        "Mean of μ under the prior.",
    ),
    ParamSpec::number(
        "prior_size",
        "prior size λ₀",
        1.0,
        POSITIVE,
        (0.01, 10.0),
        "Number of data that the prior of μ counts for: given τ, μ has variance 1/(λ₀τ).",
    )
    .log(),
    ParamSpec::of(
        "prior_precision",
        "prior of τ [a₀, b₀]",
        ParamType::Pair { legal: POSITIVE },
        DefaultValue::Pair([1.0, 1.0]),
        "Shape a₀ and rate b₀ of the gamma prior of τ, whose mean is a₀/b₀.",
    ),
    ParamSpec::of(
        "boundary",
        "at the boundary",
        ParamType::Choice(&BOUNDARIES),
        DefaultValue::Word("reflect"),
        "What a chain does at τ = 0, where the density ends but a Langevin step does not.",
    )
    .folded(),
];

/// The description of this target.
const SPEC: KindSpec = KindSpec {
    name: "normal-gamma",
    label: "Mean and precision",
    help: "Posterior of the mean μ and the precision τ of a normal distribution, given data. The model is conjugate, so the posterior has a closed form. The \
           smaller τ, the less is known of μ, which makes a skewed shape. Confined to τ > 0. Gradients can be estimated \
           from minibatches.",
    params: &PARAMS,
};

/// The line of the registry.
pub const ENTRY: TargetEntry = TargetEntry::new(SPEC, build);

/// Makes the target.
///
/// # Errors
/// If data cannot be read, or are so few that μ has no variance.
fn build(settings: &Settings, folder: &Folder) -> Result<Target, Vec<ParamError>> {
    let data = Sample(
        read_data(settings, folder)
            .map_err(|errors| errors.into_iter().map(|error| error.under("data")).collect::<Vec<_>>())?,
    );
    let [shape, rate] = settings.pair("prior_precision");
    let (mean, size) = (settings.number("prior_mean"), settings.number("prior_size"));
    let prior = NormalGamma { mean, size, shape, rate };
    let posterior = data.after(prior, Minibatch::from(&data.numbers()[..]), 1.0);
    if posterior.shape <= 1.0 {
        let problem = format!("with a₀ + N/2 = {} the variance of μ is infinite", posterior.shape);
        return Err(vec![ParamError::new("prior_precision", problem, "a₀ + N/2 above 1")]);
    }
    let boundary = match settings.word("boundary") {
        "log" => Boundary::Log,
        "none" => Boundary::Open,
        _ => Boundary::Reflect,
    };
    let log_constant = -prior.log_normaliser() - 0.5 * ln(TAU) * data.size();
    let info = posterior.info(log_constant, boundary);
    Ok(Target::plane(Arc::new(Conjugate { prior, posterior, log_constant, data, info })))
}

/// The data that the settings name; errors are relative to `data`.
fn read_data(settings: &Settings, folder: &Folder) -> Result<Vec<f64>, Vec<ParamError>> {
    match settings.group("data") {
        Some(group) if group.kind.name == data::CSV.name => data::read(group, folder),
        Some(group) if group.kind.name == "generated" => {
            let mut stream = Stream::derive(group.count("seed"), Purpose::Data, 0, 0);
            let (mean, sd) = (group.number("mu"), (1.0 / group.number("tau")).sqrt());
            Ok((0..group.count("n")).map(|_| mean + sd * stream.normal_pair().0).collect())
        }
        _ => Ok(SAMPLE.to_vec()),
    }
}

/// A normal-gamma distribution of (μ, τ).
#[derive(Clone, Copy, Debug)]
struct NormalGamma {
    /// m.
    mean: f64,
    /// λ: given τ, μ has precision λτ.
    size: f64,
    /// a.
    shape: f64,
    /// b.
    rate: f64,
}

impl NormalGamma {
    /// log ∫ exp of [`ConjugateFamily::log_density`].
    fn log_normaliser(&self) -> f64 {
        ln_gamma(self.shape) - self.shape * ln(self.rate) + 0.5 * ln(TAU / self.size)
    }

    fn info(&self, log_constant: f64, boundary: Boundary) -> TargetInfo {
        let Self { mean, size, shape, rate } = *self;
        let centre = Point::new(mean, shape / rate);
        let variance = Point::new(rate / (size * (shape - 1.0)), shape / (rate * rate));
        let reach = variance.map(f64::sqrt).component_mul(&VIEW_RANGE);
        let highest = (shape - 0.5) / rate;
        let laplace = Point::new(1.0 / (size * highest), highest / rate);
        let lowest = Point::new(f64::NEG_INFINITY, 0.0);
        TargetInfo {
            dimension: 2,
            axes: ["μ", "τ"],
            support: Support { min: lowest, max: Point::repeat(f64::INFINITY) },
            boundary,
            view: Bounds { min: (centre - reach).sup(&lowest), max: centre + reach },
            modes: vec![Mode {
                at: Point::new(mean, highest),
                weight: 1.0,
                covariance: Matrix::from_diagonal(&laplace),
            }],
            log_normaliser: self.log_normaliser() + log_constant,
            mean: centre,
            covariance: Matrix::from_diagonal(&variance),
            // Far from the mean, at half of the precision at the mode: on the shoulder of the skewed density.
            start: Point::new(mean + 2.0 * variance.x.sqrt(), 0.5 * highest),
            unknown: None,
        }
    }
}

impl ConjugateFamily for NormalGamma {
    #[inline(always)]
    fn gradient(&self, mean: f64, precision: f64) -> (f64, f64) {
        let gap = mean - self.mean;
        let pull = self.size * gap;
        // Saturated before the difference, which could be that of two infinities.
        let rise = saturated((self.shape - 0.5) / precision);
        (-(precision * pull), rise - (self.rate + 0.5 * (pull * gap)))
    }

    fn log_density(&self, at: Point) -> f64 {
        // The root first: a tiny τ times the square of a huge gap would be 0 · ∞.
        let gap = at.y.sqrt() * (at.x - self.mean);
        (self.shape - 0.5) * ln(at.y) - self.rate * at.y - 0.5 * self.size * gap * gap
    }

    fn hessian(&self, at: Point) -> Matrix {
        let mixed = -self.size * (at.x - self.mean);
        let bend = (self.shape - 0.5) / at.y / at.y;
        Matrix::new(-self.size * at.y, mixed, mixed, -bend)
    }

    fn draw(&self, stream: &mut Stream) -> Point {
        let precision = gamma_draw(self.shape, stream) / self.rate;
        let (normal, _) = stream.normal_pair();
        Point::new(self.mean + normal / (self.size * precision).sqrt(), precision)
    }

    fn conditional_draw(&self, axis: usize, at: Point, [_, normal]: [f64; 2]) -> Option<f64> {
        (axis == 0).then(|| self.mean + normal / (self.size * at.y).sqrt())
    }
}

/// The data.
#[derive(Clone, Debug)]
struct Sample(Vec<f64>);

impl Sample {
    /// N.
    fn size(&self) -> f64 {
        self.0.len() as f64
    }

    /// The indices of all data.
    fn numbers(&self) -> Vec<u32> {
        (0..self.0.len() as u32).collect()
    }
}

impl Observed for Sample {
    type Family = NormalGamma;

    fn len(&self) -> usize {
        self.0.len()
    }

    #[inline(always)]
    fn after(&self, prior: NormalGamma, batch: Minibatch<'_>, times: f64) -> NormalGamma {
        let count = batch.len() as f64;
        let batch_data = || batch.iter().map(|index| self.0[index as usize]);
        let mean = batch_data().sum::<f64>() / count;
        let scatter: f64 = batch_data().map(|datum| (datum - mean) * (datum - mean)).sum();
        let (seen, gap) = (times * count, mean - prior.mean);
        let size = prior.size + seen;
        NormalGamma {
            mean: prior.mean + gap * (seen / size),
            size,
            shape: prior.shape + 0.5 * seen,
            rate: prior.rate + 0.5 * (times * scatter + prior.size * seen / size * (gap * gap)),
        }
    }

    fn gradient(&self, at: Point, batch: Minibatch<'_>) -> Point {
        let term = |index: u32| {
            let gap = self.0[index as usize] - at.x;
            Point::new(at.y * gap, 0.5 / at.y - 0.5 * (gap * gap))
        };
        batch.iter().map(term).sum()
    }

    fn conjugacy(posterior: &Conjugate<Self>) -> Option<&dyn Conjugacy> {
        Some(posterior)
    }
}

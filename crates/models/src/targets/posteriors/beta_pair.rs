//! Posterior of two probabilities, an A/B test: θ_A, θ_B ~ Beta(a, b), xᵢ ~ Bernoulli(θ_A) for the data of arm A and
//! Bernoulli(θ_B) for those of arm B.
//!
//! The two are independent, each with the Beta posterior of one coin, so all moments have closed forms. The log density
//! is log prior + log likelihood with all constants, and its normaliser is the product of the two evidences. The
//! probability of θ_B > θ_A, which is the question of such a test, is the share of draws above the diagonal of the unit
//! square.
//!
//! The data, of a file as well, are in order: the ones of A, its zeros, the ones of B, its zeros. With minibatches in cyclic order, a
//! method sees one arm at a time. `boundary` selects what a chain does at the boundary of the square, as for one coin.

use std::sync::Arc;

use crate::targets::data::{self, Cells};
use crate::targets::kit::beta::{self, Beta, data_slope};
use crate::targets::kit::conjugate::{Conjugate, ConjugateFamily, Observed};
use crate::targets::{Boundary, Folder, Minibatch, Mode, Support, Target, TargetEntry, TargetInfo};
use base::math::{Bounds, Matrix, Point, Stream};
use base::params::{DefaultValue, Interval, KindSpec, ParamError, ParamSpec, ParamType, Settings, excerpt};

/// Standard deviations of either probability that the view shows, as far as they lie in the unit square.
const VIEW_RANGE: f64 = 6.0;

const fn ones_param(key: &'static str, label: &'static str, ones: f64, help: &'static str) -> ParamSpec {
    ParamSpec::integer(key, label, ones, Interval::closed(0.0, 5e5), (0.0, 100.0), help).unit("data")
}

const fn size_param(key: &'static str, label: &'static str, help: &'static str) -> ParamSpec {
    ParamSpec::integer(key, label, 20.0, Interval::closed(1.0, 5e5), (1.0, 1000.0), help).log().unit("data")
}

const COUNTS: [ParamSpec; 4] = [
    ones_param("ones_a", "ones of A", 5.0, "Number of ones among the data of arm A: successes, clicks, cures."),
    size_param("n_a", "N of A", "Number of data of arm A, ones and zeros together."),
    ones_param("ones_b", "ones of B", 10.0, "Number of ones among the data of arm B."),
    size_param("n_b", "N of B", "Number of data of arm B, ones and zeros together."),
];

/// The parameters that name the columns of a file.
const ARM: &str = "arm";
const OUTCOME: &str = "outcome";

const ARM_B: ParamSpec = ParamSpec::of(
    "arm_b",
    "word for B",
    ParamType::Text,
    DefaultValue::Word("B"),
    "The word in the column of the arm that stands for arm B. All others must be one other word, which stands for arm A.",
);

const FILE: [ParamSpec; 7] = [
    data::PATH,
    data::column(ARM, "column of arm", "1"),
    data::column(OUTCOME, "column of outcome", "2"),
    ARM_B,
    data::DECIMAL,
    data::MISSING,
    data::SHA256,
];

const INLINE: [ParamSpec; 6] = [
    data::table("arm,outcome\nA,0\nA,1\nA,0\nA,0\nB,1\nB,0\nB,1\n"),
    data::column(ARM, "column of arm", "1"),
    data::column(OUTCOME, "column of outcome", "2"),
    ARM_B,
    data::DECIMAL,
    data::MISSING,
];

static DATA_KINDS: [KindSpec; 3] = [
    KindSpec {
        name: "counts",
        label: "Counts",
        help: "A number of ones out of a number of data for each arm. The posterior depends on the counts only.",
        params: &COUNTS,
    },
    KindSpec {
        name: "csv",
        label: "From a file",
        help: "Two columns of a CSV file: the arm, one of two words, and the outcome, 0 or 1.",
        params: &FILE,
    },
    KindSpec {
        name: "inline",
        label: "In the scenario",
        help: "Two columns of a table inside of the scenario: the arm, one of two words, and the outcome, 0 or 1.",
        params: &INLINE,
    },
];

const PARAMS: [ParamSpec; 3] = [
    beta::prior_param(
        [1.0, 1.0],
        "The prior Beta(a, b) of both probabilities: it counts like a ones and b zeros in each arm.",
    ),
    ParamSpec::of(
        "data",
        "data",
        ParamType::Group(&DATA_KINDS),
        DefaultValue::Kind("counts"),
        "The data of both arms, in this order: ones of A, zeros of A, ones of B, zeros of B.",
    ),
    beta::BOUNDARY,
];

/// The description of this target.
const SPEC: KindSpec = KindSpec {
    name: "beta-pair",
    label: "A/B test",
    help: "Posterior of two probabilities, one for each arm of an A/B test, with Beta priors and data of zeros and ones. The \
           answer is known, and what lies above the diagonal is the probability that B is better. Confined to the unit \
           square. Gradients can be estimated from minibatches.",
    params: &PARAMS,
};

/// The line of the registry.
pub const ENTRY: TargetEntry = TargetEntry::new(SPEC, build);

/// Makes the target.
///
/// # Errors
/// If data cannot be read, if there are more ones than data, or if the density of the posterior is not bounded.
fn build(settings: &Settings, folder: &Folder) -> Result<Target, Vec<ParamError>> {
    let [a, b] = match settings.group("data") {
        Some(group) if group.kind.name != DATA_KINDS[0].name => in_file(group, folder)
            .map_err(|errors| errors.into_iter().map(|error| error.under("data")).collect::<Vec<_>>())?,
        _ => match [("ones_a", "n_a"), ("ones_b", "n_b")].map(|(ones, n)| counted(settings, ones, n)) {
            [Ok(a), Ok(b)] => [a, b],
            arms => return Err(arms.into_iter().filter_map(Result::err).collect()),
        },
    };
    let data = Trials { ends: ends(a, b) };
    let prior = Pair([Beta::new(settings.pair("prior")); 2]);
    let posterior = data.posterior(prior);
    if let Some(Beta { a, b }) = posterior.0.iter().find(|distribution| !distribution.is_bounded()) {
        let problem = format!("the density of the posterior Beta({a}, {b}) of one arm is infinite at the boundary");
        return Err(vec![ParamError::new(
            "prior",
            problem,
            "a + ones and b + zeros at least 1 for both arms: without ones or zeros a prior such as [1, 1]",
        )]);
    }
    let log_constant = -prior.0.map(Beta::ln_beta).iter().sum::<f64>();
    let info = info(posterior.0, log_constant, beta::boundary(settings.word("boundary")));
    Ok(Target::plane(Arc::new(Conjugate { prior, posterior, log_constant, data, info })))
}

/// Ones and size of an arm.
fn counted(settings: &Settings, ones: &'static str, n: &'static str) -> Result<(u32, u32), ParamError> {
    let count = |key: &str| {
        let number = settings.group("data").map_or(1, |group| group.count(key));
        u32::try_from(number).unwrap_or(u32::MAX)
    };
    let (counted, of) = (count(ones), count(n));
    if counted <= of {
        return Ok((counted, of));
    }
    let problem = format!("{counted} ones are more than the {of} data");
    Err(ParamError::new(format!("data.{ones}"), problem, format!("a whole number from 0 to {n} = {of}")))
}

/// Ones and size of both arms in a file. Errors are relative to `data`.
fn in_file(group: &Settings, folder: &Folder) -> Result<[(u32, u32); 2], Vec<ParamError>> {
    let word = group.word("arm_b").trim();
    let [arms, outcomes] = data::read_cells(group, folder, [(ARM, Cells::Label(word)), (OUTCOME, Cells::Flag(None))])?;
    let mut counts = [(0, 0); 2];
    for (arm, outcome) in arms.into_iter().zip(outcomes) {
        let (ones, n) = &mut counts[usize::from(arm > 0.5)];
        *ones += u32::from(outcome > 0.5);
        *n += 1;
    }
    if let Some(empty) = counts.iter().position(|(_, n)| *n == 0) {
        let problem = match empty {
            0 => format!("every row of {} is of arm B", data::called(group)),
            _ => format!("no row of {} is of arm \"{}\"", data::called(group), excerpt(word)),
        };
        return Err(vec![ParamError::new("arm_b", problem, "one of two words in the column of the arm")]);
    }
    Ok(counts)
}

/// Where the ones of A, its zeros, the ones of B and its zeros end in the order of the data.
fn ends((ones_a, n_a): (u32, u32), (ones_b, n_b): (u32, u32)) -> [u32; 4] {
    [ones_a, n_a, n_a + ones_b, n_a + n_b]
}

/// The distributions of θ_A and θ_B.
#[derive(Clone, Copy, Debug)]
struct Pair([Beta; 2]);

impl ConjugateFamily for Pair {
    #[inline(always)]
    fn gradient(&self, x: f64, y: f64) -> (f64, f64) {
        (self.0[0].slope(x), self.0[1].slope(y))
    }

    fn log_density(&self, at: Point) -> f64 {
        self.0[0].log_density(at.x) + self.0[1].log_density(at.y)
    }

    fn hessian(&self, at: Point) -> Matrix {
        Matrix::from_diagonal(&Point::new(self.0[0].curvature(at.x), self.0[1].curvature(at.y)))
    }

    fn draw(&self, stream: &mut Stream) -> Point {
        let first = self.0[0].draw(stream);
        Point::new(first, self.0[1].draw(stream))
    }
}

/// The data of both arms, stored as the indices at which each kind of datum ends.
#[derive(Clone, Copy, Debug)]
struct Trials {
    ends: [u32; 4],
}

impl Trials {
    /// The ones and zeros of A and of B in a batch.
    #[inline(always)]
    fn counted(&self, batch: Minibatch<'_>) -> [f64; 4] {
        // How many data come before each end; the data between two ends are of one kind.
        let mut before = [0_u32; 4];
        for index in batch.iter() {
            for (count, end) in before.iter_mut().zip(self.ends) {
                *count += u32::from(index < end);
            }
        }
        let [ones_a, a, with_ones_b, all] = before;
        [ones_a, a - ones_a, with_ones_b - a, all - with_ones_b].map(f64::from)
    }

    /// The distribution given all data.
    fn posterior(&self, prior: Pair) -> Pair {
        let [ones_a, n_a, with_ones_b, all] = self.ends.map(f64::from);
        Pair([prior.0[0].after(ones_a, n_a - ones_a), prior.0[1].after(with_ones_b - n_a, all - with_ones_b)])
    }
}

impl Observed for Trials {
    type Family = Pair;

    fn len(&self) -> usize {
        self.ends[3] as usize
    }

    #[inline(always)]
    fn after(&self, prior: Pair, batch: Minibatch<'_>, times: f64) -> Pair {
        let [ones_a, zeros_a, ones_b, zeros_b] = self.counted(batch).map(|count| times * count);
        Pair([prior.0[0].after(ones_a, zeros_a), prior.0[1].after(ones_b, zeros_b)])
    }

    fn gradient(&self, at: Point, batch: Minibatch<'_>) -> Point {
        let [ones_a, zeros_a, ones_b, zeros_b] = self.counted(batch);
        Point::new(data_slope(ones_a, zeros_a, at.x), data_slope(ones_b, zeros_b, at.y))
    }
}

/// All moments have closed forms.
fn info(distributions: [Beta; 2], log_constant: f64, boundary: Boundary) -> TargetInfo {
    let both = |of: fn(Beta) -> f64| Point::from(distributions.map(of));
    let (mean, variance) = (both(Beta::mean), both(Beta::variance));
    let reach = variance.map(f64::sqrt) * VIEW_RANGE;
    let (zero, one) = (Point::zeros(), Point::repeat(1.0));
    let mode =
        || Mode { at: both(Beta::mode), weight: 1.0, covariance: Matrix::from_diagonal(&both(Beta::laplace_variance)) };
    TargetInfo {
        dimension: 2,
        axes: ["θ of A", "θ of B"],
        support: Support { min: zero, max: one },
        boundary,
        view: Bounds { min: (mean - reach).sup(&zero), max: (mean + reach).inf(&one) },
        // At an end of the support the density may be highest, but not flat.
        modes: distributions.iter().all(|arm| arm.has_mode()).then(mode).into_iter().collect(),
        log_normaliser: distributions.map(Beta::ln_beta).iter().sum::<f64>() + log_constant,
        mean,
        covariance: Matrix::from_diagonal(&variance),
        start: Point::repeat(0.5),
        unknown: None,
    }
}

//! The functions that a formula may name.

use std::ops::RangeInclusive;

/// A function of a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Function {
    /// eˣ.
    Exp,
    /// The natural logarithm, also under the name `log`.
    Ln,
    Sqrt,
    Sin,
    Cos,
    Tan,
    Atan,
    Tanh,
    /// 1/(1 + e^−x).
    Sigmoid,
    /// ln(1 + eˣ).
    Softplus,
    Abs,
    /// −1, 0 or 1.
    Sign,
    /// The largest whole number that is not above.
    Floor,
    /// The smallest whole number that is not below.
    Ceil,
    /// The angle of (x, y), given as atan2(y, x).
    Atan2,
    /// The smallest of its arguments.
    Min,
    /// The largest of its arguments.
    Max,
    /// ln Σ e^xᵢ.
    LogSumExp,
    Cosh,
    Sinh,
    Log10,
    Log2,
    /// ln(1 + x).
    Log1p,
    /// eˣ − 1.
    Expm1,
    /// ln(x/(1 − x)).
    Logit,
    /// The error function.
    Erf,
    /// Its complement, with all digits where it is small.
    Erfc,
    /// The distribution function of the standard normal.
    Phi,
    /// ln Γ(x) of positive numbers.
    Lgamma,
    /// ln B(x, y) of positive numbers.
    Lbeta,
    /// The log density of a distribution at its first argument.
    Lpdf(Distribution),
    /// The remainder of a division that has the sign of the divisor, written with `%`; in sequences only.
    Remainder,
}

/// A distribution with its parameters as Stan has them (Stan Functions Reference).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Distribution {
    /// Location, scale.
    Normal,
    /// Degrees of freedom, location, scale.
    StudentT,
    /// Location, scale.
    Cauchy,
    /// Location, scale; Laplace's.
    DoubleExponential,
    /// Location, scale.
    Logistic,
    /// Location, scale of the logarithm.
    Lognormal,
    /// Rate.
    Exponential,
    /// Shape, rate.
    Gamma,
    /// Shape, scale.
    InvGamma,
    /// Two shapes.
    Beta,
    /// No parameters.
    StdNormal,
    /// Location, scale, shape.
    SkewNormal,
    /// Location, scale.
    Gumbel,
    /// Lower and upper end.
    Uniform,
    /// Degrees of freedom.
    ChiSquare,
    /// Degrees of freedom.
    InvChiSquare,
    /// Degrees of freedom, scale.
    ScaledInvChiSquare,
    /// Shape, scale.
    Weibull,
    /// Shape, scale.
    Frechet,
    /// Scale, shape.
    Loglogistic,
    /// Scale.
    Rayleigh,
    /// Least value, shape.
    Pareto,
    /// Mean, precision.
    BetaProportion,
    /// Probability.
    Bernoulli,
    /// Log odds.
    BernoulliLogit,
    /// Trials, probability.
    Binomial,
    /// Trials, log odds.
    BinomialLogit,
    /// Trials, two shapes.
    BetaBinomial,
    /// Mean.
    Poisson,
    /// Logarithm of the mean.
    PoissonLog,
    /// Shape, rate.
    NegBinomial,
    /// Mean, shape.
    NegBinomial2,
    /// Logarithm of the mean, shape.
    NegBinomial2Log,
}

/// What tells cases apart, `if(x > 0, a, b)`: its first argument is a condition.
pub(super) const CASES: &str = "if";

/// Names and functions.
const FUNCTIONS: [(&str, Function); NAMES.len() - 4] = [
    ("exp", Function::Exp),
    ("ln", Function::Ln),
    ("log", Function::Ln),
    ("sqrt", Function::Sqrt),
    ("sin", Function::Sin),
    ("cos", Function::Cos),
    ("tan", Function::Tan),
    ("atan", Function::Atan),
    ("tanh", Function::Tanh),
    ("sigmoid", Function::Sigmoid),
    ("softplus", Function::Softplus),
    ("abs", Function::Abs),
    ("sign", Function::Sign),
    ("floor", Function::Floor),
    ("ceil", Function::Ceil),
    ("atan2", Function::Atan2),
    ("min", Function::Min),
    ("max", Function::Max),
    ("logsumexp", Function::LogSumExp),
    ("log_sum_exp", Function::LogSumExp),
    ("cosh", Function::Cosh),
    ("sinh", Function::Sinh),
    ("log10", Function::Log10),
    ("log2", Function::Log2),
    ("log1p", Function::Log1p),
    ("expm1", Function::Expm1),
    ("logit", Function::Logit),
    ("inv_logit", Function::Sigmoid),
    ("erf", Function::Erf),
    ("erfc", Function::Erfc),
    ("Phi", Function::Phi),
    ("lgamma", Function::Lgamma),
    ("lbeta", Function::Lbeta),
    ("normal_lpdf", Function::Lpdf(Distribution::Normal)),
    ("student_t_lpdf", Function::Lpdf(Distribution::StudentT)),
    ("cauchy_lpdf", Function::Lpdf(Distribution::Cauchy)),
    ("double_exponential_lpdf", Function::Lpdf(Distribution::DoubleExponential)),
    ("logistic_lpdf", Function::Lpdf(Distribution::Logistic)),
    ("lognormal_lpdf", Function::Lpdf(Distribution::Lognormal)),
    ("exponential_lpdf", Function::Lpdf(Distribution::Exponential)),
    ("gamma_lpdf", Function::Lpdf(Distribution::Gamma)),
    ("inv_gamma_lpdf", Function::Lpdf(Distribution::InvGamma)),
    ("beta_lpdf", Function::Lpdf(Distribution::Beta)),
    ("std_normal_lpdf", Function::Lpdf(Distribution::StdNormal)),
    ("skew_normal_lpdf", Function::Lpdf(Distribution::SkewNormal)),
    ("gumbel_lpdf", Function::Lpdf(Distribution::Gumbel)),
    ("uniform_lpdf", Function::Lpdf(Distribution::Uniform)),
    ("chi_square_lpdf", Function::Lpdf(Distribution::ChiSquare)),
    ("inv_chi_square_lpdf", Function::Lpdf(Distribution::InvChiSquare)),
    ("scaled_inv_chi_square_lpdf", Function::Lpdf(Distribution::ScaledInvChiSquare)),
    ("weibull_lpdf", Function::Lpdf(Distribution::Weibull)),
    ("frechet_lpdf", Function::Lpdf(Distribution::Frechet)),
    ("loglogistic_lpdf", Function::Lpdf(Distribution::Loglogistic)),
    ("rayleigh_lpdf", Function::Lpdf(Distribution::Rayleigh)),
    ("pareto_lpdf", Function::Lpdf(Distribution::Pareto)),
    ("beta_proportion_lpdf", Function::Lpdf(Distribution::BetaProportion)),
    ("bernoulli_lpmf", Function::Lpdf(Distribution::Bernoulli)),
    ("bernoulli_logit_lpmf", Function::Lpdf(Distribution::BernoulliLogit)),
    ("binomial_lpmf", Function::Lpdf(Distribution::Binomial)),
    ("binomial_logit_lpmf", Function::Lpdf(Distribution::BinomialLogit)),
    ("beta_binomial_lpmf", Function::Lpdf(Distribution::BetaBinomial)),
    ("poisson_lpmf", Function::Lpdf(Distribution::Poisson)),
    ("poisson_log_lpmf", Function::Lpdf(Distribution::PoissonLog)),
    ("neg_binomial_lpmf", Function::Lpdf(Distribution::NegBinomial)),
    ("neg_binomial_2_lpmf", Function::Lpdf(Distribution::NegBinomial2)),
    ("neg_binomial_2_log_lpmf", Function::Lpdf(Distribution::NegBinomial2Log)),
];

/// The names of all functions; `log` is the natural logarithm `ln`.
pub const NAMES: [&str; 70] = [
    "exp",
    "ln",
    "log",
    "sqrt",
    "sin",
    "cos",
    "tan",
    "atan",
    "tanh",
    "sigmoid",
    "softplus",
    "abs",
    "sign",
    "floor",
    "ceil",
    "atan2",
    "min",
    "max",
    "logsumexp",
    "log_sum_exp",
    "cosh",
    "sinh",
    "log10",
    "log2",
    "log1p",
    "expm1",
    "logit",
    "inv_logit",
    "erf",
    "erfc",
    "Phi",
    "lgamma",
    "lbeta",
    "normal_lpdf",
    "student_t_lpdf",
    "cauchy_lpdf",
    "double_exponential_lpdf",
    "logistic_lpdf",
    "lognormal_lpdf",
    "exponential_lpdf",
    "gamma_lpdf",
    "inv_gamma_lpdf",
    "beta_lpdf",
    "std_normal_lpdf",
    "skew_normal_lpdf",
    "gumbel_lpdf",
    "uniform_lpdf",
    "chi_square_lpdf",
    "inv_chi_square_lpdf",
    "scaled_inv_chi_square_lpdf",
    "weibull_lpdf",
    "frechet_lpdf",
    "loglogistic_lpdf",
    "rayleigh_lpdf",
    "pareto_lpdf",
    "beta_proportion_lpdf",
    "bernoulli_lpmf",
    "bernoulli_logit_lpmf",
    "binomial_lpmf",
    "binomial_logit_lpmf",
    "beta_binomial_lpmf",
    "poisson_lpmf",
    "poisson_log_lpmf",
    "neg_binomial_lpmf",
    "neg_binomial_2_lpmf",
    "neg_binomial_2_log_lpmf",
    CASES,
    "sum",
    "mean",
    "dot",
];

/// The names of the functions of a sequence, each with one of the same name in Python, `min` and `max` among them.
pub(super) const SEQUENCE_NAMES: [&str; 19] = [
    "exp", "ln", "log", "sqrt", "sin", "cos", "tan", "atan", "tanh", "cosh", "sinh", "log10", "log2", "log1p", "expm1",
    "abs", "min", "max", "floor",
];

/// The function of this name in a sequence.
pub(super) fn function_of_sequences(name: &str) -> Option<Function> {
    if SEQUENCE_NAMES.contains(&name) { function(name) } else { None }
}

/// The function of this name.
pub(super) fn function(name: &str) -> Option<Function> {
    FUNCTIONS.iter().find(|(known, _)| *known == name).map(|(_, function)| *function)
}

impl Function {
    /// Its name, of two the first.
    pub(super) fn name(self) -> &'static str {
        FUNCTIONS.iter().find(|(_, function)| *function == self).map_or("", |(name, _)| name)
    }

    /// How many arguments it takes.
    pub(super) fn arguments(self) -> RangeInclusive<usize> {
        match self {
            Self::Min | Self::Max | Self::LogSumExp => 2..=usize::MAX,
            Self::Atan2 | Self::Lbeta | Self::Remainder => 2..=2,
            Self::Lpdf(distribution) => {
                let parameters = distribution.parameters();
                parameters + 1..=parameters + 1
            }
            _ => 1..=1,
        }
    }
}

impl Distribution {
    /// How many parameters it has.
    fn parameters(self) -> usize {
        match self {
            Self::StdNormal => 0,
            Self::Exponential
            | Self::ChiSquare
            | Self::InvChiSquare
            | Self::Rayleigh
            | Self::Bernoulli
            | Self::BernoulliLogit
            | Self::Poisson
            | Self::PoissonLog => 1,
            Self::StudentT | Self::SkewNormal | Self::BetaBinomial => 3,
            _ => 2,
        }
    }
}

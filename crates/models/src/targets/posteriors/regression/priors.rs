//! Priors of a coefficient and of σ: their logarithms with two derivatives, and how a scenario names them.
//!
//! Proper densities are normalised; a flat one is 1 per unit. Those of σ are densities in σ > 0, here as functions of s = ln σ without the
//! Jacobian.

use std::f64::consts::{LN_2, PI};

use crate::targets::kit::scaled::mixture::Curve;
use base::math::elementary::{exp, ln};
use base::math::ln_gamma;
use base::params::{DefaultValue, Interval, KindSpec, ParamSpec, ParamType, Settings};

/// Widths that may be asked for.
const WIDTHS: Interval = Interval::closed(1e-6, 1e9);

/// Degrees of freedom.
const DEGREES: Interval = Interval::closed(0.1, 1e6);

const LOCATION: ParamSpec = ParamSpec::number(
    "mean",
    "mean",
    0.0,
    Interval::closed(-1e9, 1e9),
    (-10.0, 10.0),
    "Where the prior has its middle.",
);

const SD: ParamSpec =
    ParamSpec::number("sd", "sd", 10.0, WIDTHS, (0.1, 100.0), "Standard deviation of the prior.").log();

const fn scale(default: f64) -> ParamSpec {
    ParamSpec::number("scale", "scale", default, WIDTHS, (0.1, 100.0), "Scale of the prior.").log()
}

const DF: ParamSpec =
    ParamSpec::number("df", "degrees of freedom", 3.0, DEGREES, (1.0, 30.0), "Degrees of freedom ν of Student's t.")
        .log();

const NORMAL: [ParamSpec; 2] = [LOCATION, SD];
const STUDENT_T: [ParamSpec; 3] = [DF, LOCATION, scale(2.5)];
const LOCATED: [ParamSpec; 2] = [LOCATION, scale(2.5)];

/// Kinds of priors of a coefficient.
pub(in crate::targets::posteriors) static OF_COEFFICIENTS: [KindSpec; 5] = [
    KindSpec {
        name: "flat",
        label: "Flat",
        help: "The density 1 everywhere. It is improper: the data have to make up for it.",
        params: &[],
    },
    KindSpec { name: "normal", label: "Normal", help: "A normal distribution.", params: &NORMAL },
    KindSpec {
        name: "student-t",
        label: "Student's t",
        help: "Student's t, with heavier tails than a normal.",
        params: &STUDENT_T,
    },
    KindSpec {
        name: "cauchy",
        label: "Cauchy",
        help: "A Cauchy distribution: Student's t with one degree of freedom.",
        params: &LOCATED,
    },
    KindSpec {
        name: "laplace",
        label: "Laplace",
        help: "A double exponential, with a kink in the middle: its mode is that of the lasso.",
        params: &LOCATED,
    },
];

const HALF: [ParamSpec; 1] = [scale(2.5)];
const HALF_T: [ParamSpec; 2] = [DF, scale(2.5)];
const RATE: [ParamSpec; 1] =
    [ParamSpec::number("rate", "rate", 1.0, WIDTHS, (0.1, 10.0), "One over the mean of σ.").log()];
const INVERSE_GAMMA: [ParamSpec; 2] = [
    ParamSpec::number("shape", "shape", 2.0, Interval::closed(1e-6, 1e6), (0.1, 10.0), "Shape a of the prior of σ².")
        .log(),
    ParamSpec::number("scale", "scale", 1.0, WIDTHS, (0.1, 10.0), "Scale b of the prior of σ².").log(),
];
const VALUE: [ParamSpec; 1] =
    [ParamSpec::number("value", "σ", 1.0, WIDTHS, (0.1, 10.0), "The standard deviation, which is known.").log()];

/// Kinds of priors of σ.
pub(in crate::targets::posteriors) static OF_SIGMA: [KindSpec; 8] = [
    KindSpec {
        name: "known",
        label: "Known",
        help: "The noise σ is a number, and no coordinate of the chains.",
        params: &VALUE,
    },
    KindSpec {
        name: "flat", label: "Flat in σ", help: "The density 1 for every σ > 0. It is improper.", params: &[]
    },
    KindSpec { name: "flat-log", label: "Flat in ln σ", help: "The density 1/σ. It is improper.", params: &[] },
    KindSpec { name: "half-normal", label: "Half-normal", help: "A normal around 0, of which σ > 0.", params: &HALF },
    KindSpec { name: "half-cauchy", label: "Half-Cauchy", help: "A Cauchy around 0, of which σ > 0.", params: &HALF },
    KindSpec {
        name: "half-student-t",
        label: "Half-t",
        help: "Student's t around 0, of which σ > 0.",
        params: &HALF_T,
    },
    KindSpec { name: "exponential", label: "Exponential", help: "An exponential distribution.", params: &RATE },
    KindSpec {
        name: "inverse-gamma",
        label: "Inverse gamma of σ²",
        help: "An inverse gamma distribution of σ², conjugate to a normal likelihood.",
        params: &INVERSE_GAMMA,
    },
];

/// The parameter for σ.
pub(in crate::targets::posteriors) const SIGMA: ParamSpec = ParamSpec::of(
    "sigma",
    "σ",
    ParamType::Group(&OF_SIGMA),
    DefaultValue::Kind("flat"),
    "The prior of σ, a density in σ > 0; or known, and its value.",
);

/// The prior of a coefficient.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::targets::posteriors) enum Prior {
    Flat,
    Normal { mean: f64, sd: f64 },
    StudentT { df: f64, mean: f64, scale: f64 },
    Laplace { mean: f64, scale: f64 },
}

impl Prior {
    pub(in crate::targets::posteriors) fn of(settings: &Settings) -> Self {
        let number = |key| settings.number(key);
        match settings.kind.name {
            "normal" => Self::Normal { mean: number("mean"), sd: number("sd") },
            "student-t" => Self::StudentT { df: number("df"), mean: number("mean"), scale: number("scale") },
            "cauchy" => Self::StudentT { df: 1.0, mean: number("mean"), scale: number("scale") },
            "laplace" => Self::Laplace { mean: number("mean"), scale: number("scale") },
            _ => Self::Flat,
        }
    }

    /// The logarithm at β with its derivatives.
    pub(in crate::targets::posteriors) fn log(&self, at: f64) -> Curve {
        match *self {
            Self::Flat => [0.0; 3],
            Self::Normal { mean, sd } => {
                let (gap, precision) = (at - mean, 1.0 / (sd * sd));
                [-0.5 * (gap / sd) * (gap / sd) - ln(sd) - 0.5 * ln(2.0 * PI), -gap * precision, -precision]
            }
            Self::StudentT { df, mean, scale } => {
                let (gap, width) = (at - mean, df * scale * scale);
                let (square, sum) = (gap * gap, width + gap * gap);
                [
                    student_constant(df) - ln(scale) - 0.5 * (df + 1.0) * ln(1.0 + square / width),
                    -(df + 1.0) * gap / sum,
                    (df + 1.0) * (square - width) / (sum * sum),
                ]
            }
            Self::Laplace { mean, scale } => {
                let gap = at - mean;
                let slope = if gap > 0.0 {
                    -1.0
                } else if gap < 0.0 {
                    1.0
                } else {
                    0.0
                };
                [-gap.abs() / scale - ln(2.0 * scale), slope / scale, 0.0]
            }
        }
    }

    /// Minus the second derivative as a search of the mode takes it: never negative, and of the normal with the same variance where there is a
    /// kink.
    pub(in crate::targets::posteriors) fn stiffness(&self, at: f64) -> f64 {
        match *self {
            Self::Laplace { scale, .. } => 0.5 / (scale * scale),
            _ => (-self.log(at)[2]).max(0.0),
        }
    }

    /// Mean and standard deviation of a normal that stands for it where draws are weighted afterwards, with wider tails than its own in the
    /// middle; `None` of a flat prior, and whether it is the prior itself.
    pub(in crate::targets::posteriors) fn stand_in(&self) -> (Option<[f64; 2]>, bool) {
        match *self {
            Self::Flat => (None, true),
            Self::Normal { mean, sd } => (Some([mean, sd]), true),
            Self::StudentT { mean, scale, .. } => (Some([mean, WIDER * scale]), false),
            Self::Laplace { mean, scale } => (Some([mean, WIDER * scale]), false),
        }
    }
}

impl Prior {
    /// ln of the prior over the normal that stands for it; 0 where it is the prior itself.
    pub(in crate::targets::posteriors) fn over_stand_in(&self, at: f64) -> f64 {
        match self.stand_in() {
            (Some([mean, sd]), false) => self.log(at)[0] - Self::Normal { mean, sd }.log(at)[0],
            _ => 0.0,
        }
    }
}

/// How much wider a normal is than the prior that it stands for.
const WIDER: f64 = 6.0;

/// ln Γ((ν + 1)/2) − ln Γ(ν/2) − ½ ln νπ.
pub(in crate::targets::posteriors) fn student_constant(df: f64) -> f64 {
    ln_gamma(0.5 * (df + 1.0)) - ln_gamma(0.5 * df) - 0.5 * ln(df * PI)
}

/// The prior of σ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::targets::posteriors) enum SigmaPrior {
    Flat,
    FlatLog,
    HalfNormal { scale: f64 },
    HalfStudentT { df: f64, scale: f64 },
    Exponential { rate: f64 },
    InverseGamma { shape: f64, scale: f64 },
}

/// What is known of σ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::targets::posteriors) enum Sigma {
    Known(f64),
    Unknown(SigmaPrior),
}

impl Sigma {
    pub(in crate::targets::posteriors) fn of(settings: &Settings) -> Self {
        let number = |key| settings.number(key);
        Self::Unknown(match settings.kind.name {
            "known" => return Self::Known(number("value")),
            "flat-log" => SigmaPrior::FlatLog,
            "half-normal" => SigmaPrior::HalfNormal { scale: number("scale") },
            "half-cauchy" => SigmaPrior::HalfStudentT { df: 1.0, scale: number("scale") },
            "half-student-t" => SigmaPrior::HalfStudentT { df: number("df"), scale: number("scale") },
            "exponential" => SigmaPrior::Exponential { rate: number("rate") },
            "inverse-gamma" => SigmaPrior::InverseGamma { shape: number("shape"), scale: number("scale") },
            _ => SigmaPrior::Flat,
        })
    }
}

impl SigmaPrior {
    /// ln π(eˢ) with its derivatives by s.
    pub(in crate::targets::posteriors) fn log(&self, s: f64) -> Curve {
        match *self {
            Self::Flat => [0.0; 3],
            Self::FlatLog => [-s, -1.0, 0.0],
            Self::HalfNormal { scale } => {
                let square = exp(2.0 * (s - ln(scale)));
                [LN_2 - ln(scale) - 0.5 * ln(2.0 * PI) - 0.5 * square, -square, -2.0 * square]
            }
            Self::HalfStudentT { df, scale } => {
                let u = exp(2.0 * (s - ln(scale))) / df;
                // Far out u/(1 + u) is 1, also where u is infinite.
                let share = 1.0 / (1.0 + 1.0 / u);
                let log = if u < 1e300 { ln(1.0 + u) } else { 2.0 * (s - ln(scale)) - ln(df) };
                [
                    LN_2 + student_constant(df) - ln(scale) - 0.5 * (df + 1.0) * log,
                    -(df + 1.0) * share,
                    -2.0 * (df + 1.0) * share * (1.0 - share),
                ]
            }
            Self::Exponential { rate } => {
                let product = rate * exp(s);
                [ln(rate) - product, -product, -product]
            }
            Self::InverseGamma { shape, scale } => {
                let ratio = scale * exp(-2.0 * s);
                [
                    LN_2 + shape * ln(scale) - ln_gamma(shape) - (2.0 * shape + 1.0) * s - ratio,
                    -(2.0 * shape + 1.0) + 2.0 * ratio,
                    -4.0 * ratio,
                ]
            }
        }
    }

    /// Whether it has an integral.
    pub(in crate::targets::posteriors) fn is_proper(&self) -> bool {
        !matches!(self, Self::Flat | Self::FlatLog)
    }

    /// The power of 1/σ with which it falls far out; infinite where it falls faster.
    pub(in crate::targets::posteriors) fn tail(&self) -> f64 {
        match *self {
            Self::Flat => 0.0,
            Self::FlatLog => 1.0,
            Self::HalfStudentT { df, .. } => df + 1.0,
            Self::InverseGamma { shape, .. } => 2.0 * shape + 1.0,
            Self::HalfNormal { .. } | Self::Exponential { .. } => f64::INFINITY,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(curve: &dyn Fn(f64) -> Curve, at: f64, what: &str) {
        let [_, slope, bend] = curve(at);
        let step = 1e-4;
        let by_difference = (curve(at + step)[0] - curve(at - step)[0]) / (2.0 * step);
        assert!((slope - by_difference).abs() < 1e-6 * slope.abs().max(1.0), "{what} at {at}: {slope} {by_difference}");
        let by_difference = (curve(at + step)[1] - curve(at - step)[1]) / (2.0 * step);
        assert!((bend - by_difference).abs() < 1e-6 * bend.abs().max(1.0), "{what} at {at}: {bend} {by_difference}");
    }

    #[test]
    fn priors_are_normalised_and_have_their_derivatives() {
        for prior in [
            Prior::Normal { mean: 1.0, sd: 0.5 },
            Prior::StudentT { df: 4.0, mean: -1.0, scale: 0.3 },
            Prior::Laplace { mean: 0.5, scale: 0.7 },
        ] {
            [-2.0, 0.1, 0.9, 3.0].iter().for_each(|at| check(&|x| prior.log(x), *at, &format!("{prior:?}")));
            let total: f64 = (-200_000..200_000).map(|n| exp(prior.log(f64::from(n) * 1e-3)[0]) * 1e-3).sum();
            assert!((total - 1.0).abs() < 1e-5, "{prior:?}: {total}");
        }
        for prior in [
            SigmaPrior::HalfNormal { scale: 2.0 },
            SigmaPrior::HalfStudentT { df: 3.0, scale: 0.5 },
            SigmaPrior::HalfStudentT { df: 1.0, scale: 5.0 },
            SigmaPrior::Exponential { rate: 3.0 },
            SigmaPrior::InverseGamma { shape: 2.0, scale: 1.0 },
            SigmaPrior::Flat,
            SigmaPrior::FlatLog,
        ] {
            [-2.0, -0.3, 0.0, 1.5].iter().for_each(|at| check(&|x| prior.log(x), *at, &format!("{prior:?}")));
            if prior.is_proper() {
                let at = |s: f64| exp(prior.log(s)[0] + s) * 1e-3;
                let total: f64 = (-30_000..30_000).map(|n| at(f64::from(n) * 1e-3)).sum();
                assert!((total - 1.0).abs() < 1e-9, "{prior:?}: {total}");
            }
        }
        assert!(SigmaPrior::HalfStudentT { df: 3.0, scale: 1.0 }.log(800.0)[0].is_finite());
    }
}

//! Beta distribution of a probability θ given zeros and ones, for the posteriors of one coin and of two.
//!
//! With a prior Beta(a, b) and data of which S out of N are ones, the posterior is Beta(a + S, b + N − S). Its density is
//! θ^(A−1) (1−θ)^(B−1) / B(A, B) on (0, 1).

use crate::targets::Boundary;
use base::math::elementary::ln;
use base::math::{Stream, gamma_draw, ln_gamma};
use base::params::{Choice, DefaultValue, Interval, ParamSpec, ParamType};

/// What a chain can do at 0 and 1.
static BOUNDARIES: [Choice; 3] = [
    Choice { name: "reflect", label: "reflect", help: "A step across 0 or 1 is folded back into the interval." },
    Choice {
        name: "logit",
        label: "logit",
        help: "The chain uses the coordinate ln θ/(1 − θ), which has no boundary; the density includes the Jacobian.",
    },
    Choice { name: "none", label: "none", help: "No correction: a chain that steps across 0 or 1 does not come back." },
];

/// The parameter that selects what a chain does at 0 and 1.
pub(in crate::targets) const BOUNDARY: ParamSpec = ParamSpec::of(
    "boundary",
    "at the boundary",
    ParamType::Choice(&BOUNDARIES),
    DefaultValue::Word("reflect"),
    "What a chain does at 0 and 1, where the density ends but a Langevin step does not.",
);

/// The parameter of the prior.
pub(in crate::targets) const fn prior_param(default: [f64; 2], help: &'static str) -> ParamSpec {
    let legal = Interval::closed(0.01, 1e4);
    ParamSpec::of("prior", "prior [a, b]", ParamType::Pair { legal }, DefaultValue::Pair(default), help)
}

/// The meaning of a word of [`BOUNDARY`].
pub(in crate::targets) fn boundary(word: &str) -> Boundary {
    match word {
        "logit" => Boundary::Logit,
        "none" => Boundary::Open,
        _ => Boundary::Reflect,
    }
}

/// Beta(a, b).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::targets) struct Beta {
    /// a, of the ones.
    pub(in crate::targets) a: f64,
    /// b, of the zeros.
    pub(in crate::targets) b: f64,
}

impl Beta {
    /// From a and b.
    pub(in crate::targets) fn new([a, b]: [f64; 2]) -> Self {
        Self { a, b }
    }

    /// The distribution after that many more ones and zeros.
    #[inline(always)]
    pub(in crate::targets) fn after(self, ones: f64, zeros: f64) -> Self {
        Self { a: self.a + ones, b: self.b + zeros }
    }

    /// Whether the density has its mode inside (0, 1).
    pub(in crate::targets) fn has_mode(self) -> bool {
        self.a > 1.0 && self.b > 1.0
    }

    /// Whether the density is bounded: it may be highest at an end, as after data without ones.
    pub(in crate::targets) fn is_bounded(self) -> bool {
        self.a >= 1.0 && self.b >= 1.0
    }

    /// Where the density is highest, if it is bounded; anywhere if it is the same everywhere.
    pub(in crate::targets) fn highest(self) -> f64 {
        match self {
            Self { a, .. } if a <= 1.0 => 0.0,
            Self { b, .. } if b <= 1.0 => 1.0,
            _ => self.mode(),
        }
    }

    /// ln B(a, b).
    pub(in crate::targets) fn ln_beta(self) -> f64 {
        ln_gamma(self.a) + ln_gamma(self.b) - ln_gamma(self.a + self.b)
    }

    /// The log density in (0, 1), without its normaliser.
    pub(in crate::targets) fn log_density(self, theta: f64) -> f64 {
        // Without an exponent the factor is 1, also at the end.
        let power = |exponent: f64, of: f64| if exponent.abs() > 0.0 { exponent * ln(of) } else { 0.0 };
        power(self.a - 1.0, theta) + power(self.b - 1.0, 1.0 - theta)
    }

    /// The derivative of the log density; the same formula applies outside (0, 1).
    #[inline(always)]
    pub(in crate::targets) fn slope(self, theta: f64) -> f64 {
        (self.a - 1.0) / theta - (self.b - 1.0) / (1.0 - theta)
    }

    /// The second derivative of the log density.
    pub(in crate::targets) fn curvature(self, theta: f64) -> f64 {
        let rest = 1.0 - theta;
        -(self.a - 1.0) / (theta * theta) - (self.b - 1.0) / (rest * rest)
    }

    /// The mean.
    pub(in crate::targets) fn mean(self) -> f64 {
        self.a / (self.a + self.b)
    }

    /// The variance.
    pub(in crate::targets) fn variance(self) -> f64 {
        let sum = self.a + self.b;
        self.mean() * (self.b / sum) / (sum + 1.0)
    }

    /// The mode, if there is one.
    pub(in crate::targets) fn mode(self) -> f64 {
        (self.a - 1.0) / (self.a + self.b - 2.0)
    }

    /// The variance of the Laplace approximation at the mode.
    pub(in crate::targets) fn laplace_variance(self) -> f64 {
        let mode = self.mode();
        mode * (1.0 - mode) / (self.a + self.b - 2.0)
    }

    /// X/(X + Y) with X ~ Gamma(a), Y ~ Gamma(b); for a, b ≥ 1.
    pub(in crate::targets) fn draw(self, stream: &mut Stream) -> f64 {
        let first = gamma_draw(self.a, stream);
        let second = gamma_draw(self.b, stream);
        first / (first + second)
    }
}

/// The derivative of the log likelihood of a number of ones and zeros.
#[inline(always)]
pub(in crate::targets) fn data_slope(ones: f64, zeros: f64, theta: f64) -> f64 {
    ones / theta - zeros / (1.0 - theta)
}

//! Likelihoods of a regression: the logarithm of a datum's probability as a function of η = xᵀβ and of s = ln σ, with derivatives.

use std::f64::consts::PI;

use super::priors::{SIGMA, Sigma, student_constant};
use base::math::elementary::{exp, exp_slice, ln, ln_slice, log1p_exp, log1p_exp_slice, sigmoid, sigmoid_slice};
use base::math::{Simd, ln_gamma};
use base::params::{DefaultValue, Interval, KindSpec, ParamSpec, ParamType, Settings};

const NORMAL: [ParamSpec; 1] = [SIGMA];

const STUDENT_T: [ParamSpec; 2] = [
    ParamSpec::number(
        "df",
        "degrees of freedom ν",
        4.0,
        Interval::closed(0.1, 1e6),
        (1.0, 30.0),
        "Degrees of freedom of the noise: the fewer, the less do outliers count.",
    )
    .log(),
    SIGMA,
];

const BERNOULLI: [ParamSpec; 1] = [ParamSpec::of(
    "trials",
    "trials",
    ParamType::Text,
    DefaultValue::Absent,
    "The column with the number of trials of each row, of which the response counts successes. Left out, responses are 0 and 1.",
)];

/// The kinds.
static KINDS: [KindSpec; 4] = [
    KindSpec { name: "normal", label: "Normal", help: "Noise from N(0, σ²): y = xᵀβ + noise.", params: &NORMAL },
    KindSpec {
        name: "student-t",
        label: "Student's t",
        help: "Noise from Student's t, times σ: outliers count less than under a normal.",
        params: &STUDENT_T,
    },
    KindSpec {
        name: "bernoulli-logit",
        label: "Logistic",
        help: "Responses 0 and 1, or successes among trials: P(y = 1) = 1/(1 + exp(−xᵀβ)).",
        params: &BERNOULLI,
    },
    KindSpec { name: "poisson-log", label: "Poisson", help: "Counts y with the mean exp(xᵀβ).", params: &[] },
];

/// The parameter.
pub(super) const LIKELIHOOD: ParamSpec = ParamSpec::of(
    "likelihood",
    "likelihood",
    ParamType::Group(&KINDS),
    DefaultValue::Kind("normal"),
    "How a response is distributed around the linear function xᵀβ of its row.",
);

/// A likelihood.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Likelihood {
    Normal(Sigma),
    StudentT(f64, Sigma),
    BernoulliLogit,
    PoissonLog,
}

/// log p of a datum, with derivatives by η and s.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Datum {
    pub(super) log: f64,
    pub(super) by_eta: f64,
    pub(super) by_s: f64,
    pub(super) eta_eta: f64,
    pub(super) eta_s: f64,
    pub(super) s_s: f64,
}

impl Likelihood {
    pub(super) fn of(settings: &Settings) -> Self {
        let sigma = || settings.group("sigma").map_or(Sigma::Known(1.0), Sigma::of);
        match settings.kind.name {
            "student-t" => Self::StudentT(settings.number("df"), sigma()),
            "bernoulli-logit" => Self::BernoulliLogit,
            "poisson-log" => Self::PoissonLog,
            _ => Self::Normal(sigma()),
        }
    }

    /// What is known of σ; `None` where there is none.
    pub(super) fn sigma(self) -> Option<Sigma> {
        match self {
            Self::Normal(sigma) | Self::StudentT(_, sigma) => Some(sigma),
            Self::BernoulliLogit | Self::PoissonLog => None,
        }
    }

    /// The part of log p that depends on the datum alone: of response y among m trials.
    pub(super) fn constant(self, y: f64, m: f64) -> f64 {
        match self {
            Self::Normal(_) => -0.5 * ln(2.0 * PI),
            Self::StudentT(df, _) => student_constant(df),
            Self::BernoulliLogit => ln_gamma(m + 1.0) - ln_gamma(y + 1.0) - ln_gamma(m - y + 1.0),
            Self::PoissonLog => -ln_gamma(y + 1.0),
        }
    }

    /// A datum without its constant.
    pub(super) fn datum(self, (y, m): (f64, f64), eta: f64, s: f64) -> Datum {
        match self {
            Self::Normal(_) => {
                let (r, precision) = (y - eta, exp(-2.0 * s));
                let square = r * r * precision;
                Datum {
                    log: -s - 0.5 * square,
                    by_eta: r * precision,
                    by_s: square - 1.0,
                    eta_eta: -precision,
                    eta_s: -2.0 * r * precision,
                    s_s: -2.0 * square,
                }
            }
            Self::StudentT(df, _) => {
                let (r, width) = (y - eta, df * exp(2.0 * s));
                let sum = width + r * r;
                let (weight, share) = ((df + 1.0) / sum, width / sum);
                Datum {
                    log: -s - 0.5 * (df + 1.0) * ln(1.0 + r * r / width),
                    by_eta: weight * r,
                    by_s: weight * r * r - 1.0,
                    eta_eta: weight * (r * r / sum - share),
                    eta_s: -2.0 * weight * r * share,
                    s_s: -2.0 * weight * r * r * share,
                }
            }
            Self::BernoulliLogit => {
                let p = sigmoid(eta);
                let log = y * eta - m * log1p_exp(eta);
                Datum { log, by_eta: y - m * p, eta_eta: -m * p * sigmoid(-eta), ..Datum::default() }
            }
            Self::PoissonLog => {
                let mean = exp(eta);
                Datum { log: y * eta - mean, by_eta: y - mean, eta_eta: -mean, ..Datum::default() }
            }
        }
    }

    /// Σ log p without constants; `eta` has η of every row, and is used up.
    pub(super) fn sum(self, simd: Simd, (y, m): (&[f64], &[f64]), eta: &mut [f64], s: f64) -> f64 {
        match self {
            Self::Normal(_) => {
                let precision = exp(-2.0 * s);
                let squares: f64 = y.iter().zip(&*eta).map(|(y, eta)| (y - eta) * (y - eta)).sum();
                -s * y.len() as f64 - 0.5 * precision * squares
            }
            Self::StudentT(df, _) => {
                let width = df * exp(2.0 * s);
                eta.iter_mut().zip(y).for_each(|(eta, y)| *eta = 1.0 + (y - *eta) * (y - *eta) / width);
                ln_slice(simd, eta);
                -s * y.len() as f64 - 0.5 * (df + 1.0) * eta.iter().sum::<f64>()
            }
            Self::BernoulliLogit => {
                let linear: f64 = y.iter().zip(&*eta).map(|(y, eta)| y * eta).sum();
                log1p_exp_slice(simd, eta);
                linear - m.iter().zip(&*eta).map(|(m, log)| m * log).sum::<f64>()
            }
            Self::PoissonLog => {
                let linear: f64 = y.iter().zip(&*eta).map(|(y, eta)| y * eta).sum();
                exp_slice(simd, eta);
                linear - eta.iter().sum::<f64>()
            }
        }
    }

    /// Replaces η of every row by ∂² log p/∂η², of a likelihood without σ; `false` of others.
    pub(super) fn bends(self, simd: Simd, m: &[f64], eta: &mut [f64]) -> bool {
        match self {
            Self::BernoulliLogit => {
                sigmoid_slice(simd, eta);
                eta.iter_mut().zip(m).for_each(|(eta, m)| *eta = -m * *eta * (1.0 - *eta));
                true
            }
            Self::PoissonLog => {
                exp_slice(simd, eta);
                eta.iter_mut().for_each(|eta| *eta = -*eta);
                true
            }
            Self::Normal(_) | Self::StudentT(..) => false,
        }
    }

    /// Replaces η of every row by ∂ log p/∂η, and returns Σ ∂ log p/∂s.
    pub(super) fn slopes(self, simd: Simd, (y, m): (&[f64], &[f64]), eta: &mut [f64], s: f64) -> f64 {
        let count = y.len() as f64;
        match self {
            Self::Normal(_) => {
                let precision = exp(-2.0 * s);
                let mut squares = 0.0;
                for (eta, y) in eta.iter_mut().zip(y) {
                    let r = y - *eta;
                    squares += r * r;
                    *eta = r * precision;
                }
                squares * precision - count
            }
            Self::StudentT(df, _) => {
                let width = df * exp(2.0 * s);
                let mut sum = 0.0;
                for (eta, y) in eta.iter_mut().zip(y) {
                    let r = y - *eta;
                    *eta = (df + 1.0) * r / (width + r * r);
                    sum += *eta * r;
                }
                sum - count
            }
            Self::BernoulliLogit => {
                sigmoid_slice(simd, eta);
                eta.iter_mut().zip(y.iter().zip(m)).for_each(|(eta, (y, m))| *eta = y - m * *eta);
                0.0
            }
            Self::PoissonLog => {
                exp_slice(simd, eta);
                eta.iter_mut().zip(y).for_each(|(eta, y)| *eta = y - *eta);
                0.0
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::priors::SigmaPrior;
    use super::*;

    fn all() -> [Likelihood; 4] {
        let sigma = Sigma::Unknown(SigmaPrior::Flat);
        [
            Likelihood::Normal(sigma),
            Likelihood::StudentT(4.0, sigma),
            Likelihood::BernoulliLogit,
            Likelihood::PoissonLog,
        ]
    }

    #[test]
    fn derivatives_are_those_of_the_logarithm_and_sums_those_of_the_data() {
        let step = 1e-5;
        let (y, m) = ([0.0, 2.0, 3.0, 1.0, 0.0], [1.0, 3.0, 3.0, 4.0, 2.0]);
        for likelihood in all() {
            let at = |eta: f64, s: f64| likelihood.datum((2.0, 3.0), eta, s);
            for (eta, s) in [(0.3, -0.5), (-2.0, 0.4), (1.9, 0.0)] {
                let datum = at(eta, s);
                let [up, down, wide, narrow] =
                    [at(eta + step, s), at(eta - step, s), at(eta, s + step), at(eta, s - step)];
                let pairs = [
                    (datum.by_eta, up.log - down.log),
                    (datum.by_s, wide.log - narrow.log),
                    (datum.eta_eta, up.by_eta - down.by_eta),
                    (datum.eta_s, wide.by_eta - narrow.by_eta),
                    (datum.s_s, wide.by_s - narrow.by_s),
                ];
                for (found, difference) in pairs {
                    let expected = difference / (2.0 * step);
                    // A likelihood without σ ignores s.
                    let has_none = likelihood.sigma().is_none() && expected.abs() <= 0.0;
                    assert!(has_none || (found - expected).abs() < 1e-6 * expected.abs().max(1.0), "{likelihood:?}");
                }
                let eta: Vec<f64> = (0..5).map(|row| eta + 0.3 * f64::from(row)).collect();
                let data: Vec<Datum> = (0..5).map(|row| likelihood.datum((y[row], m[row]), eta[row], s)).collect();
                let sum = likelihood.sum(Simd::widest(), (&y, &m), &mut eta.clone(), s);
                let expected: f64 = data.iter().map(|datum| datum.log).sum();
                assert!((sum - expected).abs() < 1e-12 * expected.abs().max(1.0), "{likelihood:?}");
                let mut bends = eta.clone();
                if likelihood.bends(Simd::widest(), &m, &mut bends) {
                    assert!(bends.iter().zip(&data).all(|(found, datum)| (found - datum.eta_eta).abs() < 1e-12));
                }
                let mut slopes = eta;
                let by_s = likelihood.slopes(Simd::widest(), (&y, &m), &mut slopes, s);
                assert!((by_s - data.iter().map(|datum| datum.by_s).sum::<f64>()).abs() < 1e-12);
                assert!(slopes.iter().zip(&data).all(|(found, datum)| (found - datum.by_eta).abs() < 1e-12));
            }
        }
    }

    /// Probabilities of all counts add up to 1.
    #[test]
    fn constants_normalise() {
        let total = |likelihood: Likelihood, most: u32, m: f64| -> f64 {
            let at = |y: f64| exp(likelihood.datum((y, m), 0.7, 0.0).log + likelihood.constant(y, m));
            (0..=most).map(|y| at(f64::from(y))).sum()
        };
        assert!((total(Likelihood::BernoulliLogit, 9, 9.0) - 1.0).abs() < 1e-12);
        assert!((total(Likelihood::PoissonLog, 60, 1.0) - 1.0).abs() < 1e-12);
    }
}

//! Data that a regression makes with a vector: responses of every row, with which those that were observed are compared.
//!
//! Counts of any size take a few dozen numbers of the stream: a binomial count is split at an order statistic of uniforms, which has a beta
//! distribution, and a Poisson count at the time of an event, which has a gamma distribution (J. Ahrens and U. Dieter 1974, "Computer methods
//! for sampling from gamma, beta, Poisson and binomial distributions", Computing 12).

use super::likelihood::Likelihood;
use super::model::Posterior;
use super::rows::linear;
use base::math::elementary::{exp, sigmoid};
use base::math::{Simd, Stream, gamma_draw};

/// Trials that are made one after the other, and the mean of a Poisson count that is made of products of uniforms.
const FEW_TRIALS: f64 = 32.0;
const SMALL_MEAN: f64 = 16.0;

/// The share of the mean of a Poisson count after whose event it is split.
const SPLIT: f64 = 0.875;

impl Likelihood {
    /// A response with the linear function η and s = ln σ; the number of successes among `m` trials, where there are any.
    pub(super) fn draw(self, (eta, s): (f64, f64), m: f64, stream: &mut Stream) -> f64 {
        match self {
            Self::Normal(_) => eta + exp(s) * stream.normal_pair().0,
            Self::StudentT(df, _) => {
                let square = gamma_draw(0.5 * df, stream) / (0.5 * df);
                eta + exp(s) * stream.normal_pair().0 / square.sqrt()
            }
            Self::BernoulliLogit => binomial(m, sigmoid(eta), stream),
            Self::PoissonLog => poisson(exp(eta), stream),
        }
    }
}

impl Posterior {
    /// Responses of all rows.
    pub(super) fn make(&self, at: &[f64], stream: &mut Stream, out: &mut [f64]) {
        let mut eta = Vec::new();
        linear(Simd::widest(), &self.x, at.iter().copied(), &mut eta);
        let s = self.s(at);
        for ((out, eta), m) in out.iter_mut().zip(&eta).zip(&self.m) {
            *out = self.likelihood.draw((*eta, s), *m, stream);
        }
    }
}

/// Successes among `trials`, a whole number, with this probability.
fn binomial(mut trials: f64, mut probability: f64, stream: &mut Stream) -> f64 {
    let mut count = 0.0;
    while trials > FEW_TRIALS {
        // The uniform in the middle of all of them.
        let rank = (0.5 * (trials + 1.0)).floor();
        let [below, above] = [rank, trials + 1.0 - rank].map(|shape| gamma_draw(shape, stream));
        let middle = below / (below + above);
        if middle > probability {
            (trials, probability) = (rank - 1.0, probability / middle);
        } else {
            count += rank;
            (trials, probability) = (trials - rank, (probability - middle) / (1.0 - middle));
        }
    }
    while trials >= 1.0 {
        count += if stream.uniform() < probability { 1.0 } else { 0.0 };
        trials -= 1.0;
    }
    count
}

/// A Poisson count with this mean; NaN where that is not finite.
fn poisson(mut mean: f64, stream: &mut Stream) -> f64 {
    if !mean.is_finite() {
        return f64::NAN;
    }
    let mut count = 0.0;
    while mean > SMALL_MEAN {
        let events = (SPLIT * mean).floor();
        let time = gamma_draw(events, stream);
        if time > mean {
            // The others come at uniform times before it.
            return count + binomial(events - 1.0, mean / time, stream);
        }
        count += events;
        mean -= time;
    }
    let least = exp(-mean);
    let mut product = stream.uniform();
    while product > least {
        count += 1.0;
        product *= stream.uniform();
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::math::Purpose;

    /// Mean and variance of many draws, within four standard errors: that of a variance is √(2 + excess)·variance/√n.
    #[track_caller]
    fn check(draw: impl Fn(&mut Stream) -> f64, [mean, variance, excess]: [f64; 3]) {
        const DRAWS: usize = 40_000;
        let mut stream = Stream::derive(5, Purpose::Data, 0, 0);
        let draws: Vec<f64> = (0..DRAWS).map(|_| draw(&mut stream)).collect();
        let found = draws.iter().sum::<f64>() / DRAWS as f64;
        let spread = draws.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / DRAWS as f64;
        let root = (DRAWS as f64).sqrt();
        assert!((found - mean).abs() < 4.0 * variance.sqrt() / root, "mean {found}, {mean}");
        assert!(
            (spread - variance).abs() < 4.0 * variance * (2.0 + excess).sqrt() / root,
            "variance {spread}, {variance}"
        );
    }

    #[test]
    fn counts_have_their_moments() {
        for (trials, p) in [(1.0, 0.3), (20.0, 0.5), (1000.0, 0.02), (1e9, 0.7)] {
            let variance = trials * p * (1.0 - p);
            check(|stream| binomial(trials, p, stream), [trials * p, variance, (1.0 - 6.0 * p * (1.0 - p)) / variance]);
        }
        for mean in [0.2, 3.0, 40.0, 1e5] {
            check(|stream| poisson(mean, stream), [mean, mean, 1.0 / mean]);
        }
        assert!(poisson(f64::INFINITY, &mut Stream::derive(1, Purpose::Data, 0, 0)).is_nan());
    }

    #[test]
    fn responses_have_the_moments_of_their_likelihood() {
        use super::super::priors::Sigma;
        let sigma = Sigma::Known(1.0);
        let s = 0.5_f64.ln();
        check(|stream| Likelihood::Normal(sigma).draw((2.0, s), 1.0, stream), [2.0, 0.25, 0.0]);
        // Student's t with ν degrees of freedom has the variance ν/(ν − 2) and the excess 6/(ν − 4).
        check(|stream| Likelihood::StudentT(12.0, sigma).draw((2.0, s), 1.0, stream), [2.0, 0.25 * 1.2, 0.75]);
        check(|stream| Likelihood::BernoulliLogit.draw((3.0_f64.ln(), 0.0), 1.0, stream), [0.75, 0.1875, -0.667]);
        check(|stream| Likelihood::PoissonLog.draw((2.0_f64.ln(), 0.0), 1.0, stream), [2.0, 2.0, 0.5]);
    }
}

//! Measures of the named quantities of a model (coefficients, means of groups): how far their means and standard deviations are from known ones,
//! and how well chains agree about all of them.
//!
//! A histogram of the plane that is drawn says little of ten coefficients, and that of a thousand draws is full of noise. Errors in units of the
//! posterior are what reference posteriors are checked with, for draws and fits alike.

use base::math::ln_gamma;

use super::chain::{ess_bulk_told, rhat, worst};
use super::{Better, Measure, MeasureSpec, NO_DRAWS, NoiseFloor, Outcome};

/// The measures of quantities, in the order in which they are shown and written.
pub static QUANTITY_MEASURES: [MeasureSpec; 4] = [MEANS, SDS, RHAT, ESS];

/// Errors of means.
const MEANS: MeasureSpec = MeasureSpec {
    key: "quantity_means",
    label: "Error of means",
    help: "Errors of the means of all named quantities, each in its exact standard deviation; the root of the mean of their squares. n \
           independent draws have 1/√n. The same for draws and for fits.",
    better: Better::Lower,
    headline: true,
    of_truth: true,
};

/// Errors of standard deviations.
const SDS: MeasureSpec = MeasureSpec {
    key: "quantity_sds",
    label: "Error of sds",
    help: "ln(sd/exact sd) of all named quantities, the root of the mean of their squares: 0.1 is a spread that is a tenth too large or \
           too small. n independent draws of normal quantities have 1/√(2n). The same for draws and for fits.",
    better: Better::Lower,
    headline: true,
    of_truth: true,
};

/// Agreement of chains.
const RHAT: MeasureSpec = MeasureSpec {
    key: "quantity_rhat",
    label: "Largest R-hat",
    help: "Rank-normalised split R-hat (Vehtari et al. 2021) of all named quantities, the largest, from vectors that are kept evenly among the \
           collected draws. Below 1.01 chains agree.",
    better: Better::Lower,
    headline: true,
    of_truth: false,
};

/// What draws are worth.
const ESS: MeasureSpec = MeasureSpec {
    key: "quantity_ess",
    label: "Least bulk ESS",
    help: "Bulk effective sample size (Vehtari et al. 2021) of all named quantities, the smallest, from vectors that are kept evenly among the \
           collected draws: at most as many as these are.",
    better: Better::Higher,
    headline: true,
    of_truth: false,
};

/// The key of the errors of standard deviations, whose floor is not known.
pub const SPREADS: &str = SDS.key;

/// The key of the agreement of chains.
pub const AGREEMENT: &str = RHAT.key;

/// Reason why a fit has no measures of chains.
const NO_CHAINS: &str = "a fit has no chains";

/// Reason where no moment is finite, or known.
const NO_MOMENTS: &str = "no quantity has finite moments that are known";

/// A quantity: what is known of it, and what a run says.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasuredQuantity {
    /// The exact mean and standard deviation.
    pub known: [f64; 2],
    /// Those of the draws, or of the fit.
    pub found: [f64; 2],
}

/// What the measures of quantities are made of.
#[derive(Clone, Copy, Debug)]
pub struct QuantityInput<'a> {
    /// All quantities.
    pub quantities: &'a [MeasuredQuantity],
    /// The draws of each quantity by chain; `None` of a fit.
    pub chains: Option<&'a [Vec<Vec<f64>>]>,
    /// Why chains are not independent, where they are not.
    pub dependent: Option<&'static str>,
    /// The mean of the squares of all correlations of quantities with finite moments, in (0, 1].
    pub dependence: f64,
}

/// The measures, in the order of [`QUANTITY_MEASURES`].
#[must_use]
pub fn measure_quantities(input: &QuantityInput<'_>) -> Vec<Measure> {
    let count = input.chains.map(|chains| chains.first().map_or(0, |own| own.iter().map(Vec::len).sum::<usize>()));
    let drawn = |value: Outcome| if count == Some(0) { Err(NO_DRAWS) } else { value };
    let mut means =
        Measure::new(MEANS.key, drawn(root_mean_square(input, |known, found| (found[0] - known[0]) / known[1])));
    if means.value.is_some() {
        means.floor = count.map(|count| floor_of_means(input.dependence, count as f64));
    }
    let spreads = drawn(root_mean_square(input, |known, found| libm::log(found[1] / known[1])));
    vec![
        means,
        Measure::new(SDS.key, spreads),
        Measure::new(RHAT.key, worst_of(input, rhat, f64::max)),
        Measure::new(ESS.key, worst_of(input, ess_bulk_told, f64::min)),
    ]
}

/// The root of the mean square of an error over the quantities with known moments.
fn root_mean_square(input: &QuantityInput<'_>, error: fn([f64; 2], [f64; 2]) -> f64) -> Outcome {
    let known =
        input.quantities.iter().filter(|of| of.known.iter().all(|value| value.is_finite()) && of.known[1] > 0.0);
    let squares: Vec<f64> = known.map(|of| error(of.known, of.found)).map(|error| error * error).collect();
    let mean = squares.iter().sum::<f64>() / squares.len() as f64;
    match squares.len() {
        0 => Err(NO_MOMENTS),
        _ if mean.is_finite() => Ok(mean.sqrt()),
        _ => Err("draws without finite moments"),
    }
}

/// The worst value over all quantities.
fn worst_of(input: &QuantityInput<'_>, measure: fn(&[&[f64]]) -> Outcome, worse: fn(f64, f64) -> f64) -> Outcome {
    let chains = input.chains.ok_or(NO_CHAINS)?;
    input.dependent.map_or_else(|| worst(chains, measure, worse), Err)
}

/// The error of means of so many independent draws.
///
/// Means of independent draws are normal with the correlations of the quantities, so that the mean of their squares is a quadratic form with mean
/// 1/n and variance 2 d/n², where d is the mean of the squares of all correlations. It is taken for gamma distributed, with the quantiles of
/// Wilson and Hilferty (1931). Where quantities depend on each other its lower end is lower than it should be, which makes no run better.
fn floor_of_means(dependence: f64, draws: f64) -> NoiseFloor {
    let shape = 0.5 / dependence;
    let mean = libm::exp(ln_gamma(shape + 0.5) - ln_gamma(shape)) / shape.sqrt();
    // The 95 % quantile of a normal distribution, with both signs.
    let at = |normal: f64| {
        let root = 1.0 - 1.0 / (9.0 * shape) + normal / (3.0 * shape.sqrt());
        (root.max(0.0) * root.max(0.0) * root.max(0.0)).sqrt()
    };
    let [low, high] = [at(-1.644_853_626_951_472_2), at(1.644_853_626_951_472_2)];
    NoiseFloor { mean: mean / draws.sqrt(), low: low / draws.sqrt(), high: high / draws.sqrt() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::math::{Purpose, Stream, quantile};

    fn input(quantities: &[MeasuredQuantity]) -> QuantityInput<'_> {
        QuantityInput { quantities, chains: None, dependent: None, dependence: 1.0 }
    }

    fn value(input: &QuantityInput<'_>, key: &str) -> Result<f64, &'static str> {
        let measures = measure_quantities(input);
        assert!(measures.iter().map(|measure| measure.key).eq(QUANTITY_MEASURES.iter().map(|spec| spec.key)));
        let found = measures.into_iter().find(|measure| measure.key == key).unwrap();
        found.value.ok_or(found.reason)
    }

    #[test]
    fn errors_are_in_units_of_the_posterior() {
        let of = |known, found| MeasuredQuantity { known, found };
        let two = [of([1.0, 2.0], [2.0, 2.0]), of([0.0, 0.5], [0.25, 1.0]), of([f64::NAN, 1.0], [3.0, 1.0])];
        assert!((value(&input(&two), "quantity_means").unwrap() - 0.5).abs() < 1e-12);
        let spreads = 2.0_f64.ln() / 2.0_f64.sqrt();
        assert!((value(&input(&two), "quantity_sds").unwrap() - spreads).abs() < 1e-12);
        assert_eq!(value(&input(&two), "quantity_rhat"), Err(NO_CHAINS));
        assert_eq!(value(&input(&two[2..]), "quantity_means"), Err(NO_MOMENTS));
    }

    #[test]
    fn chains_are_as_good_as_their_worst_quantity() {
        let mut stream = Stream::derive(3, Purpose::Chain, 0, 0);
        let mut chain = |shift: f64| -> Vec<f64> { (0..400).map(|_| shift + stream.normal_pair().0).collect() };
        let chains = [vec![chain(0.0), chain(0.0)], vec![chain(0.0), chain(3.0)]];
        let quantities = [(); 2].map(|()| MeasuredQuantity { known: [0.0, 1.0], found: [0.0, 1.0] });
        let all = QuantityInput { chains: Some(&chains), ..input(&quantities) };
        let good = QuantityInput { chains: Some(&chains[..1]), ..all };
        assert!(value(&good, "quantity_rhat").unwrap() < 1.02 && value(&all, "quantity_rhat").unwrap() > 1.5);
        assert!(value(&good, "quantity_ess").unwrap() > 400.0 && value(&all, "quantity_ess").unwrap() < 20.0);
        let dependent = QuantityInput { dependent: Some("particles"), ..all };
        assert_eq!(value(&dependent, "quantity_ess"), Err("particles"));
        let none = [vec![Vec::new(); 2], vec![Vec::new(); 2]];
        assert_eq!(value(&QuantityInput { chains: Some(&none), ..all }, "quantity_means"), Err(NO_DRAWS));
    }

    /// The error of the mean of four quantities with correlation ρ, from normal draws: average and band over 20 000 sets.
    #[test]
    fn the_floor_is_what_independent_draws_have() {
        let mut stream = Stream::derive(7, Purpose::Chain, 0, 0);
        for rho in [0.0, 0.5, 0.95] {
            let (own, common): (f64, f64) = ((1.0_f64 - rho).sqrt(), f64::sqrt(rho));
            let mut errors: Vec<f64> = (0..20_000)
                .map(|_| {
                    let shared = stream.normal_pair().0;
                    let squares: f64 =
                        (0..4).map(|_| own * stream.normal_pair().0 + common * shared).map(|z| z * z).sum();
                    (squares / 4.0 / 100.0).sqrt()
                })
                .collect();
            errors.sort_by(f64::total_cmp);
            let floor = floor_of_means((4.0 + 12.0 * rho * rho) / 16.0, 100.0);
            let mean = errors.iter().sum::<f64>() / errors.len() as f64;
            assert!((floor.mean / mean - 1.0).abs() < 0.02, "{rho}: {} {mean}", floor.mean);
            let at = |share| quantile(&errors, share).unwrap();
            assert!((floor.high / at(0.95) - 1.0).abs() < 0.04, "{rho}: {} {}", floor.high, at(0.95));
            assert!(floor.low < at(0.05) + 0.002, "{rho}: {} {}", floor.low, at(0.05));
        }
    }
}

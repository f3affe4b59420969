//! Draws of the quantities of a model, its coordinates and what follows from them, under their names; and their moments and quantiles, of
//! draws, of fits and of what is known.

use base::math::{Coords, Purpose, Stream, mean_and_sd, normal_cdf, normal_quantile, quantile};
use base::platform::pause;
use models::targets::{Combination, KnownQuantities, Target};

use crate::diagnostics::chain::{ess_bulk_told, mcse_mean};
use crate::diagnostics::quantities::{MeasuredQuantity, QUANTITY_MEASURES, QuantityInput, measure_quantities};
use crate::diagnostics::{Measure, MeasureSpec};

use super::fits::FitFrame;
use super::frame::{Frame, RunFrame};

/// Draws from the fit of a run. Numbers that have no closed form are of them.
const FIT_DRAWS: usize = 4096;

/// Halvings of the interval in which a quantile of a mixture is.
const HALVINGS: usize = 200;

/// Probabilities of the quantiles of a [`Described`].
pub const PROBABILITIES: [f64; 5] = [0.05, 0.25, 0.5, 0.75, 0.95];

/// Moments and quantiles of a quantity. A moment that does not exist is NaN.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Described {
    /// The mean.
    pub mean: f64,
    /// The standard deviation.
    pub sd: f64,
    /// The quantiles of [`PROBABILITIES`].
    pub quantiles: [f64; 5],
}

impl Described {
    /// What is known of a sum of quantities.
    #[must_use]
    pub fn known_sum(of: &dyn KnownQuantities, sum: &Combination) -> Self {
        let known = sum.known(of, &PROBABILITIES);
        let mut quantiles = known.quantiles.into_iter();
        Self {
            mean: known.moments[0],
            sd: known.moments[1],
            quantiles: PROBABILITIES.map(|_| quantiles.next().unwrap_or(f64::NAN)),
        }
    }

    /// What is known of a quantity.
    #[must_use]
    pub fn known(of: &dyn KnownQuantities, number: usize) -> Self {
        let [mean, sd] = of.moments(number);
        Self { mean, sd, quantiles: PROBABILITIES.map(|probability| of.quantile(number, probability)) }
    }

    /// Of draws in ascending order.
    #[must_use]
    pub fn sorted(draws: &[f64]) -> Self {
        let (mean, sd) = mean_and_sd(draws);
        let at = |probability| quantile(draws, probability).unwrap_or(f64::NAN);
        Self { mean, sd, quantiles: PROBABILITIES.map(at) }
    }

    /// Of draws with weights.
    fn weighted(draws: impl Iterator<Item = (f64, f64)>) -> Self {
        let mut pairs: Vec<(f64, f64)> = draws.collect();
        pairs.sort_by(|one, other| one.0.total_cmp(&other.0));
        let total: f64 = pairs.iter().map(|(_, weight)| weight).sum();
        let moment =
            |of: &dyn Fn(f64) -> f64| pairs.iter().map(|(draw, weight)| weight * of(*draw)).sum::<f64>() / total;
        let mean = moment(&|draw| draw);
        let sd = moment(&|draw| (draw - mean) * (draw - mean)).sqrt();
        let at = |probability: f64| {
            let mut below = 0.0;
            let reached = pairs.iter().find(|(_, weight)| {
                below += weight;
                below >= probability * total
            });
            reached.or(pairs.last()).map_or(f64::NAN, |(draw, _)| *draw)
        };
        Self { mean, sd, quantiles: PROBABILITIES.map(at) }
    }

    /// Of Gaussians with equal weights, each with its mean and standard deviation.
    #[must_use]
    pub fn mixture(parts: &[[f64; 2]]) -> Self {
        let count = parts.len() as f64;
        let mean = parts.iter().map(|[mean, _]| mean).sum::<f64>() / count;
        let variance = parts.iter().map(|[own, sd]| sd * sd + (own - mean) * (own - mean)).sum::<f64>() / count;
        Self { mean, sd: variance.sqrt(), quantiles: PROBABILITIES.map(|probability| mixed(parts, probability)) }
    }
}

/// The value below which a mixture of Gaussians with equal weights has this probability.
fn mixed(parts: &[[f64; 2]], probability: f64) -> f64 {
    let shift = normal_quantile(probability);
    let own = parts.iter().map(|[mean, sd]| mean + sd * shift);
    // It is between those of the Gaussians.
    let (mut low, mut high) =
        own.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), own| (low.min(own), high.max(own)));
    let target = probability * parts.len() as f64;
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        let below: f64 = parts.iter().map(|[mean, sd]| normal_cdf((middle - mean) / sd)).sum();
        if below < target { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

/// What a run says of a quantity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QuantityNumbers {
    /// Its moments and quantiles.
    pub described: Described,
    /// The Monte Carlo standard error of the mean, of a sampler with enough draws.
    pub mcse: Option<f64>,
    /// The effective number of draws.
    pub ess: Option<f64>,
}

/// Draws of every quantity of a target, from the vectors that are kept of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct QuantityDraws {
    /// Of every quantity, of every chain that has not left, the draws in their order.
    pub chains: Vec<Vec<Vec<f64>>>,
    /// The weights of the draws of a chain in their order; empty where all are equal.
    pub weights: Vec<f64>,
    /// What they are draws of, where this is not the quantities themselves.
    pub combined: Vec<Combination>,
}

impl QuantityDraws {
    /// Of the vectors that are kept of the collected steps; `None` of a target without names, and of fits.
    #[must_use]
    pub fn of(target: &Target, run: &RunFrame) -> Option<Self> {
        let quantities = target.quantities().filter(|_| run.fits.is_none())?;
        let collected = run.collected_vectors();
        let count = collected.first().map_or(0, |at| at.positions.len());
        let is_there = |at: &Coords, chain: usize| at.vector(chain).all(f64::is_finite);
        let there = |chain: &usize| collected.last().is_some_and(|at| is_there(&at.positions, *chain));
        let kept: Vec<usize> = (0..count).filter(there).collect();
        let mut values = vec![0.0; quantities.names().len()];
        let mut chains = vec![vec![Vec::with_capacity(collected.len()); kept.len()]; values.len()];
        for at in &collected {
            for (place, chain) in kept.iter().enumerate() {
                let vector: Vec<f64> = at.positions.vector(*chain).collect();
                quantities.values(&vector, &mut values);
                values.iter().zip(&mut chains).for_each(|(value, of)| of[place].push(*value));
            }
        }
        let mut weights: Vec<f64> = collected.iter().map(|at| run.plan.weight(at.step)).collect();
        let equal =
            weights.first().is_none_or(|first| weights.iter().all(|weight| weight.to_bits() == first.to_bits()));
        if equal || weights.iter().all(|weight| *weight <= 0.0) {
            weights.clear();
        }
        Some(Self { chains, weights, combined: Vec::new() })
    }

    /// Of a fit, in turn from its distributions, as one chain; `None` of a target without names, and while nothing is fitted.
    #[must_use]
    pub fn of_fit(target: &Target, fits: &FitFrame) -> Option<Self> {
        let quantities = target.quantities().filter(|_| !fits.distributions.is_empty())?;
        // The same numbers always: draws move with the distribution.
        let mut stream = Stream::derive(0, Purpose::Fit, 0, 1);
        let mut values = vec![0.0; quantities.names().len()];
        let mut chains = vec![vec![Vec::with_capacity(FIT_DRAWS)]; values.len()];
        for distribution in fits.distributions.iter().cycle().take(FIT_DRAWS) {
            quantities.values(&distribution.draw(fits.fitting.spread, &mut stream), &mut values);
            values.iter().zip(&mut chains).for_each(|(value, of)| of[0].push(*value));
        }
        Some(Self { chains, weights: Vec::new(), combined: Vec::new() })
    }

    /// Of a run, whatever its method.
    #[must_use]
    pub fn of_run(target: &Target, run: &RunFrame) -> Option<Self> {
        run.fits.as_ref().map_or_else(|| Self::of(target, run), |fits| Self::of_fit(target, fits))
    }

    /// Draws of sums of these quantities.
    #[must_use]
    pub fn combined(&self, sums: &[Combination]) -> Self {
        let draw = |of: &Combination, chain: usize, draw: usize| {
            let part = |(number, factor): &(usize, f64)| factor * self.chains[*number][chain][draw];
            of.constant + of.parts.iter().map(part).sum::<f64>()
        };
        let lengths: Vec<usize> = self.chains.first().map_or_else(Vec::new, |of| of.iter().map(Vec::len).collect());
        let of_chain =
            |of: &Combination, chain: usize| (0..lengths[chain]).map(|number| draw(of, chain, number)).collect();
        let all = |of: &Combination| (0..lengths.len()).map(|chain| of_chain(of, chain)).collect();
        let chains = sums.iter().map(all).collect();
        Self { chains, weights: self.weights.clone(), combined: sums.to_vec() }
    }

    /// The draws of a quantity of all chains, in ascending order.
    #[must_use]
    pub fn sorted(&self, number: usize) -> Vec<f64> {
        let mut all = self.chains[number].concat();
        all.sort_by(f64::total_cmp);
        all
    }

    /// The draws of a quantity of all chains with their weights.
    fn weighted(&self, number: usize) -> impl Iterator<Item = (f64, f64)> {
        self.chains[number].iter().flat_map(|chain| chain.iter().copied().zip(self.weights.iter().copied()))
    }

    /// Number of draws of all chains.
    #[must_use]
    pub fn count(&self) -> usize {
        self.chains.first().map_or(0, |chains| chains.iter().map(Vec::len).sum())
    }

    /// Moments and quantiles of a quantity of a run with these draws. Of a fit of Gaussians they are exact for coordinates.
    #[must_use]
    pub fn described(&self, run: &RunFrame, number: usize) -> Described {
        let fitted = run.fits.as_ref().and_then(|fits| match self.combined.get(number) {
            Some(sum) => fitted_sum(fits, sum),
            None => fitted_gaussians(fits, number),
        });
        match fitted {
            Some(parts) => Described::mixture(&parts),
            None if self.weights.is_empty() => Described::sorted(&self.sorted(number)),
            None => Described::weighted(self.weighted(number)),
        }
    }

    /// The numbers of a quantity of a run with these draws. Of a fit of Gaussians they are exact for coordinates.
    #[must_use]
    pub fn numbers(&self, run: &RunFrame, number: usize) -> QuantityNumbers {
        let chains: Vec<&[f64]> = self.chains[number].iter().map(Vec::as_slice).collect();
        let of_draws = |measure: Option<f64>| measure.filter(|_| run.fits.is_none());
        QuantityNumbers {
            described: self.described(run, number),
            mcse: of_draws(mcse_mean(&chains).ok()),
            ess: of_draws(ess_bulk_told(&chains).ok()),
        }
    }
}

/// The measures of the quantities of a run, with pauses; `dependent` says why its chains are not independent, where they are not. Empty on a
/// target without names.
pub(super) async fn measured(frame: &Frame, run: &RunFrame, dependent: Option<&'static str>) -> Vec<Measure> {
    let target = frame.target.as_ref();
    let Some(named) = target.quantities() else { return Vec::new() };
    let known = named.known();
    let Some(draws) = QuantityDraws::of_run(target, run) else {
        let missing =
            |spec: &MeasureSpec| Measure { key: spec.key, value: None, floor: None, reason: "no distribution yet" };
        return QUANTITY_MEASURES.iter().map(missing).collect();
    };
    pause().await;
    let mut quantities = Vec::with_capacity(named.names().len());
    for number in 0..named.names().len() {
        let Described { mean, sd, .. } = draws.described(run, number);
        let known = known.map_or([f64::NAN; 2], |known| known.moments(number));
        quantities.push(MeasuredQuantity { known, found: [mean, sd] });
        pause().await;
    }
    let chains = run.fits.is_none().then_some(&draws.chains[..]);
    let dependence = known.map_or(0.0, dependence);
    measure_quantities(&QuantityInput { quantities: &quantities, chains, dependent, dependence })
}

/// The mean of the squares of all correlations of the quantities with moments.
fn dependence(known: &dyn KnownQuantities) -> f64 {
    let with: Vec<usize> = (0..known.names().len())
        .filter(|number| known.moments(*number).iter().all(|value| value.is_finite()))
        .collect();
    let squares = with.iter().flat_map(|one| with.iter().map(move |other| (*one, *other))).map(|(one, other)| {
        let correlation = if one == other { 1.0 } else { known.correlation([one, other]).clamp(-1.0, 1.0) };
        correlation * correlation
    });
    squares.sum::<f64>() / (with.len() * with.len()).max(1) as f64
}

/// Mean and standard deviation of a quantity that is a coordinate, the first ones are, in each distribution of a fit; `None` of others, and of
/// distributions that are no Gaussians.
#[must_use]
pub fn fitted_gaussians(fits: &FitFrame, number: usize) -> Option<Vec<[f64; 2]>> {
    let of = |gaussian: &samplers::methods::VectorGaussian| {
        let mean = *gaussian.mean.get(number)?;
        let axis: Vec<f64> = (0..gaussian.dimension()).map(|axis| if axis == number { 1.0 } else { 0.0 }).collect();
        Some([mean, fits.fitting.spread * gaussian.variance_along(&axis).sqrt()])
    };
    fits.distributions.iter().map(|distribution| of(distribution.gaussian()?)).collect()
}

/// The same of a sum of quantities that are coordinates.
fn fitted_sum(fits: &FitFrame, sum: &Combination) -> Option<Vec<[f64; 2]>> {
    let of = |gaussian: &samplers::methods::VectorGaussian| {
        let (mut mean, mut axis) = (sum.constant, vec![0.0; gaussian.dimension()]);
        for (number, factor) in &sum.parts {
            mean += factor * gaussian.mean.get(*number)?;
            *axis.get_mut(*number)? += factor;
        }
        Some([mean, fits.fitting.spread * gaussian.variance_along(&axis).sqrt()])
    };
    fits.distributions.iter().map(|distribution| of(distribution.gaussian()?)).collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::scenario::read;
    use crate::session::Session;
    use base::platform::now;

    /// NUTS has the moments of the exact posterior, of coordinates that are drawn and of the others, within four standard errors.
    #[test]
    fn draws_have_the_moments_of_the_truth() {
        let text = "format = 1\ntitle = \"x\"\nseed = 3\n[target]\nkind = \"regression\"\nterms = \"1, speed, speed^2\"\n\
                    standardise = false\n[[run]]\nname = \"A\"\nmethod = \"nuts\"\nchains = 4\nsteps = 3000\nwarm_up = 1000\n\
                    collect = { burn_in = 1000 }\nadapt_step_size = true\nmass = \"dense\"\n";
        let mut session = Session::new(read(text, "x", Path::new("")).unwrap()).unwrap();
        session.advance(u64::MAX);
        let frame = session.frame();
        let draws = QuantityDraws::of(frame.target.as_ref(), &frame.runs[0]).unwrap();
        let measures = now(measured(&frame, &frame.runs[0], None));
        let value = |number: usize| measures[number].value.unwrap();
        assert!(value(0) < 0.05 && value(1) < 0.05 && value(2) < 1.01 && value(3) > 400.0, "{measures:?}");
        let known = frame.target.known_quantities().unwrap();
        assert_eq!(known.names(), ["intercept", "speed", "speed^2", "log_sigma", "sigma"]);
        for (number, name) in known.names().iter().enumerate() {
            let chains: Vec<&[f64]> = draws.chains[number].iter().map(Vec::as_slice).collect();
            let all = chains.concat();
            let mean = all.iter().sum::<f64>() / all.len() as f64;
            let [expected, _] = known.moments(number);
            let error = mcse_mean(&chains).unwrap();
            assert!((mean - expected).abs() < 4.0 * error, "{name}: {mean} {expected} ± {error}");
            assert!(ess_bulk_told(&chains).unwrap() > 400.0, "{name}");
        }
    }

    fn session(run: &str) -> Session {
        let text = format!(
            "format = 1\ntitle = \"x\"\nseed = 3\n[target]\nkind = \"regression\"\nterms = \"1, speed\"\n\
             [[run]]\nname = \"A\"\nsteps = 400\n{run}"
        );
        let mut session = Session::new(read(&text, "x", Path::new("")).unwrap()).unwrap();
        session.advance(u64::MAX);
        session
    }

    /// Laplace's fit is a Gaussian around the mode: its quantiles are those of a normal distribution, and σ = exp(ln σ) has the quantiles of a
    /// log-normal one, up to the error of 4096 draws (four standard errors of a quantile: 4 √(p(1 − p)/4096)/density, 0.13 sd at 5 %).
    #[test]
    fn a_fit_has_the_quantiles_of_its_gaussian() {
        let frame = session("method = \"laplace\"\n").frame();
        let run = &frame.runs[0];
        let gaussian = run.fits.as_ref().unwrap().distributions[0].gaussian().unwrap().clone();
        let draws = QuantityDraws::of_run(frame.target.as_ref(), run).unwrap();
        assert_eq!(draws.count(), FIT_DRAWS);
        for number in 0..3 {
            let Described { mean, sd, quantiles } = draws.numbers(run, number).described;
            let own = Described::sorted(&draws.sorted(number));
            assert!((mean - gaussian.mean[number]).abs() < 1e-12);
            assert!((quantiles[4] - (mean + 1.644_853_626_951_472_2 * sd)).abs() < 1e-9 * (1.0 + sd));
            assert!((own.mean - mean).abs() < 4.0 * sd / 64.0 && (own.sd / sd - 1.0).abs() < 4.0 / 90.0);
        }
        let [log, sigma] = [2, 3].map(|number| draws.numbers(run, number));
        for (of_log, of_sigma) in log.described.quantiles.iter().zip(sigma.described.quantiles) {
            assert!((of_log - of_sigma.ln()).abs() < 0.13 * log.described.sd, "{of_log} {}", of_sigma.ln());
        }
        assert_eq!((log.mcse, log.ess), (None, None));
    }

    /// Stopping distances of fifty cars: R's `lm(dist ~ speed, cars)` says intercept −17.5791, slope 3.932409, RSS 11353.52 and Σ(x − x̄)² 1370.
    /// The mode of (β, ln σ) under flat priors is there with σ² = RSS/(N − 1).
    #[test]
    fn draws_and_fits_are_told_in_the_units_of_the_file() {
        let nuts = session(
            "method = \"nuts\"\nchains = 4\nwarm_up = 200\ncollect = { burn_in = 200 }\nadapt_step_size = true\n",
        )
        .frame();
        let laplace = session("method = \"laplace\"\n").frame();
        for frame in [nuts, laplace] {
            let (target, run) = (frame.target.as_ref(), &frame.runs[0]);
            let draws = QuantityDraws::of_run(target, run).unwrap().combined(target.originals());
            let names: Vec<&str> = draws.combined.iter().map(|of| of.name.as_str()).collect();
            assert_eq!(names, ["intercept", "speed", "sigma"]);
            let [intercept, slope, sigma] = [0, 1, 2].map(|number| draws.numbers(run, number));
            let known = Described::known_sum(target.known_quantities().unwrap(), &target.originals()[1]);
            assert!((known.mean - 3.932_408_8).abs() < 1e-6 && (known.quantiles[2] - known.mean).abs() < 1e-6);
            if run.fits.is_some() {
                let [mean, sd] = [slope.described.mean, slope.described.sd];
                assert!((intercept.described.mean + 17.579_095).abs() < 1e-5 && (mean - 3.932_408_8).abs() < 1e-6);
                assert!((sd - (11_353.521 / 49.0 / 1370.0_f64).sqrt()).abs() < 1e-5, "{sd}");
                assert_eq!((slope.mcse, slope.ess), (None, None));
                continue;
            }
            for (of, expected) in [(intercept, -17.579_095), (slope, 3.932_408_8)] {
                let error = of.mcse.unwrap();
                assert!((of.described.mean - expected).abs() < 4.0 * error && of.ess.unwrap() > 100.0, "{of:?}");
            }
            // √(RSS/2) Γ(23)/Γ(23.5) with 47 degrees of freedom.
            assert!((sigma.described.mean - 15.795_98).abs() < 4.0 * sigma.mcse.unwrap(), "{sigma:?}");
        }
    }

    /// Two weights on the same draws as a draw that stands there several times.
    #[test]
    fn a_weight_counts_a_draw_several_times() {
        let found = Described::weighted([(2.0, 1.0), (1.0, 3.0)].into_iter());
        assert!((found.mean - 1.25).abs() < 1e-15 && (found.sd - 0.1875_f64.sqrt()).abs() < 1e-15);
        assert!(
            found.quantiles.iter().zip([1.0, 1.0, 1.0, 1.0, 2.0]).all(|(own, expected)| (own - expected).abs() < 1e-15)
        );
    }

    /// Two unit Gaussians at ±3: the median is 0, and by symmetry the quantiles of p and 1 − p add up to it; Φ(q − 3) + Φ(q + 3) = 2p.
    #[test]
    fn a_mixture_has_its_quantiles() {
        let Described { mean, sd, quantiles } = Described::mixture(&[[-3.0, 1.0], [3.0, 1.0]]);
        assert!(mean.abs() < 1e-15 && (sd - 10.0_f64.sqrt()).abs() < 1e-12);
        assert!(quantiles[2].abs() < 1e-9 && (quantiles[0] + quantiles[4]).abs() < 1e-9);
        let below = 0.5 * (normal_cdf(quantiles[4] - 3.0) + normal_cdf(quantiles[4] + 3.0));
        assert!((below - 0.95).abs() < 1e-9);
    }
}

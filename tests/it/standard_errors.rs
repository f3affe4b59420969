//! Told standard errors against what they are errors of: `mcse_mean` against the spread of the mean over many seeds.

use std::path::Path;

use rayon::prelude::{IntoParallelIterator, ParallelIterator};
use sampler_lab::diagnostics::{ChainInput, measure_chains};
use sampler_lab::platform::now;
use sampler_lab::scenario;
use sampler_lab::session::Session;

/// Seeds of each case. The spread of as many means is uncertain by 1/√(2·59) = 9 %, so that a ratio of 1 is found below 0.8
/// or above 1.25 with probability 0.02, and that of one of the eight cases with 0.12. With minibatches that the chains
/// share the ratio is 0.14 for 64 chains, n = 1, on the coin.
const SEEDS: u64 = 60;

/// The mean of the draws of a run and its told standard error.
fn mean_and_error(text: &str) -> ([f64; 2], f64) {
    let scenario = scenario::read(text, "error.toml", Path::new(".")).unwrap_or_else(|errors| panic!("{errors}"));
    let mut session = Session::new(scenario).unwrap();
    session.advance(u64::MAX);
    let frame = session.frame();
    let (run, series) = (&frame.runs[0], frame.runs[0].series());
    let input = ChainInput {
        truth: &frame.truth,
        series: &series,
        totals: run.totals,
        collected: run.collected,
        diverged: run.diverged.len(),
        acceptance: run.acceptance.rate(),
    };
    let told = now(measure_chains(&input)).into_iter().find(|measure| measure.key == "mcse_mean").unwrap();
    (run.moments.unwrap().mean.into(), told.value.unwrap_or_else(|| panic!("{}", told.reason)))
}

fn spread(numbers: impl Iterator<Item = f64> + Clone) -> f64 {
    let count = numbers.clone().count() as f64;
    let mean = numbers.clone().sum::<f64>() / count;
    (numbers.map(|number| (number - mean).powi(2)).sum::<f64>() / (count - 1.0)).sqrt()
}

/// The mean of the told errors, relative to the spread of the means; both are combined over the axes as `mcse_mean` is.
fn ratio(target: &str, (chains, batch): (usize, usize), (steps, thin): (usize, usize), alpha: f64) -> f64 {
    let text = |seed: u64| {
        format!(
            "format = 1\ntitle = \"error\"\nseed = {seed}\n[target]\nkind = \"{target}\"\n[[run]]\nname = \"one\"\n\
             method = \"sgld\"\nchains = {chains}\nsteps = {steps}\nstart = {{ kind = \"target\" }}\n\
             gradient = {{ kind = \"minibatch\", size = {batch} }}\ncollect = {{ burn_in = 500, thin = {thin} }}\n\
             step_size = {{ kind = \"constant\", value = {alpha:e} }}\n"
        )
    };
    let found: Vec<_> = (0..SEEDS).into_par_iter().map(|seed| mean_and_error(&text(seed))).collect();
    let true_error = (0..2).map(|axis| spread(found.iter().map(|(mean, _)| mean[axis])).powi(2)).sum::<f64>().sqrt();
    found.iter().map(|(_, told)| told).sum::<f64>() / SEEDS as f64 / true_error
}

#[test]
fn the_told_error_of_the_mean_is_the_spread_of_the_mean_over_seeds() {
    let mut wrong = Vec::new();
    for (target, steps, alpha) in [("beta-posterior", (2500, 4), 2e-4), ("bivariate-mixture", (4500, 10), 6e-3)] {
        for (chains, batch) in [(4, 1), (64, 1), (4, 10), (64, 10)] {
            let ratio = ratio(target, (chains, batch), steps, alpha);
            println!("{target}, {chains} chains, n = {batch}: {ratio:.3}");
            if !(0.8..=1.25).contains(&ratio) {
                wrong.push(format!("{target}, {chains} chains, n = {batch}: {ratio:.3}"));
            }
        }
    }
    assert!(wrong.is_empty(), "told error / spread:\n{}", wrong.join("\n"));
}

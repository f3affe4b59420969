//! HMC references of two networks against figures of an independent program.
//!
//! `gap` is a regression with one input, `moons` a classification with two. The independent program (JAX, the same algorithm)
//! took 48 chains of 9000 and 5000 draws; sequential Monte Carlo agreed with it. Deviations are in units of both Monte Carlo
//! errors together, and none may be above 4.
//!
//! `cargo run --release --example network_reference` takes a few seconds. With `-- full` it takes as many draws as they did:
//! about three minutes on two cores.

#![expect(clippy::print_stdout, reason = "an example says what it found")]

use std::error::Error;
use std::time::Instant;

use sampler_lab::diagnostics::chain::{mcse_mean, split_rhat};
use sampler_lab::diagnostics::hmc_reference::{Inputs, Reference, ReferencePlan, ReferenceRun};
use sampler_lab::diagnostics::predictive_formulas::{
    Band, ClassPrediction, Mixture, Weights, class_scores, expected_calibration_error, mixture_nll, reliability, rmse,
};
use sampler_lab::math::Simd;
use sampler_lab::targets::network::{DataSet, Layout, Likelihood, Network, Noise, Observations, Prior};

/// Noise of the regression.
const SD: f64 = 0.1;

/// x; mean of f and its error; sd of f and its error.
const GAP: [[f64; 5]; 12] = [
    [-3.0, 0.5854, 0.0019, 0.3016, 0.0011],
    [-2.0, 0.0790, 0.0003, 0.0625, 0.0001],
    [-1.4, -0.6998, 0.0001, 0.0337, 0.0001],
    [-0.8, -1.3387, 0.0004, 0.0710, 0.0002],
    [-0.5, -1.2742, 0.0016, 0.2400, 0.0011],
    [-0.25, -0.8950, 0.0030, 0.4407, 0.0021],
    [0.0, -0.2259, 0.0035, 0.5194, 0.0026],
    [0.25, 0.5232, 0.0024, 0.3670, 0.0019],
    [0.6, 1.1782, 0.0004, 0.0799, 0.0002],
    [1.2, 0.9978, 0.0001, 0.0349, 0.0001],
    [1.8, 0.1336, 0.0003, 0.0679, 0.0002],
    [3.0, -0.7311, 0.0024, 0.4355, 0.0016],
];

/// x₁, x₂; mean probability and its error; sd of the logit and its error; mutual information.
const MOONS: [[f64; 7]; 11] = [
    [0.0, 0.0, 0.5567, 0.0011, 1.366, 0.005, 0.1428],
    [-0.5, 0.75, 0.0230, 0.0002, 2.210, 0.008, 0.0255],
    [0.5, 0.5, 0.0424, 0.0003, 1.739, 0.007, 0.0335],
    [1.5, 0.5, 0.8243, 0.0011, 2.040, 0.007, 0.1517],
    [-1.5, -0.75, 0.4563, 0.0016, 2.705, 0.010, 0.3084],
    [-0.5, -0.5, 0.9244, 0.0004, 1.562, 0.007, 0.0472],
    [0.5, -0.75, 0.9740, 0.0002, 2.177, 0.007, 0.0274],
    [0.0, 2.5, 0.0099, 0.0003, 3.498, 0.013, 0.0326],
    [0.0, -2.5, 0.9777, 0.0004, 3.617, 0.011, 0.0585],
    [-3.0, 0.0, 0.0290, 0.0003, 2.135, 0.007, 0.0324],
    [3.0, 0.0, 0.9698, 0.0003, 2.089, 0.007, 0.0321],
];

fn main() -> Result<(), Box<dyn Error>> {
    let full = std::env::args().any(|argument| argument == "full");
    let worst = gap(full)?.max(moons(full)?);
    println!("Largest deviation: {worst:.2} errors.");
    if worst > 4.0 { Err("a reference disagrees with the independent program".into()) } else { Ok(()) }
}

/// A reference with these probes.
fn computed(network: &Network, probes: Vec<f64>, plan: ReferencePlan) -> Result<Reference, Box<dyn Error>> {
    let begun = Instant::now();
    let mut run = ReferenceRun::new(network, Inputs { probes, fine: Vec::new() }, plan, Simd::widest())?;
    run.advance(network, u64::MAX);
    let seconds = begun.elapsed().as_secs_f64();
    let reference = run.reference();
    let of_log_p = reference.log_densities();
    let all = of_log_p.concat();
    let mean = all.iter().sum::<f64>() / all.len() as f64;
    println!(
        "{} chains × {} draws in {seconds:.1} s, step size {:.4}",
        reference.chains, reference.draws, reference.step_size
    );
    let low = reference.acceptance.iter().copied().fold(1.0, f64::min);
    let acceptance = reference.acceptance.iter().sum::<f64>() / reference.chains as f64;
    println!(
        "acceptance {acceptance:.3}, at least {low:.3}; R-hat of f {:.4}, bulk ESS {:.0}",
        reference.rhat?, reference.ess?
    );
    println!("log p: mean {mean:.2} ± {:.2}", mcse_mean(&of_log_p)?);
    Ok(reference)
}

/// The number of errors between two figures with their errors.
fn deviation(found: (f64, f64), expected: (f64, f64)) -> f64 {
    (found.0 - expected.0).abs() / found.1.hypot(expected.1)
}

/// Mean over chains of a figure of each of them, and its standard error.
fn over_chains(reference: &Reference, probe: usize, figure: impl Fn(&[f64]) -> f64) -> (f64, f64) {
    let figures: Vec<f64> = reference.trace(probe).into_iter().map(figure).collect();
    let count = figures.len() as f64;
    let mean = figures.iter().sum::<f64>() / count;
    let square = figures.iter().map(|figure| (figure - mean) * (figure - mean)).sum::<f64>();
    (mean, (square / (count - 1.0) / count).sqrt())
}

fn gap(full: bool) -> Result<f64, Box<dyn Error>> {
    let data = DataSet::GapSine { sd: SD };
    let prior = Prior::FanIn { weight: 2.0, bias: 1.0 };
    let layout = Layout::new(&[1, 10, 1])?;
    let network = Network::new(layout, prior, Likelihood::Gaussian { sd: SD }, data.train(Noise::Lattice))?;
    let tests = data.tests(Noise::Lattice);
    let test_inputs = tests.iter().flat_map(|test| test.observations.inputs.clone());
    let probes = GAP.iter().map(|row| row[0]).chain(test_inputs).collect();
    let (chains, warm_up, draws) = if full { (48, 1200, 9000) } else { (16, 600, 600) };
    println!("gap: [1, 10, 1], 40 data");
    let reference = computed(&network, probes, ReferencePlan { chains, warm_up, draws, ..ReferencePlan::default() })?;
    let mut worst: f64 = 0.0;
    println!("     x      mean of f  expected    sd of f  expected   deviations");
    for (probe, [x, mean, mean_error, sd, sd_error]) in GAP.into_iter().enumerate() {
        let (found, errors) = (reference.probes[probe], reference.errors(probe)?);
        let off = [
            deviation((found.mean, errors.mean), (mean, mean_error)),
            deviation((found.sd, errors.sd), (sd, sd_error)),
        ];
        worst = worst.max(off[0]).max(off[1]);
        let [means, sds] = [(found.mean, errors.mean), (found.sd, errors.sd)].map(|(v, e)| format!("{v:8.4} ±{e:.4}"));
        println!("{x:6.2} {means} {mean:8.4} {sds} {sd:8.4} {:6.2} {:5.2}", off[0], off[1]);
    }
    let split = (0..GAP.len()).filter_map(|probe| split_rhat(&reference.trace(probe)).ok()).fold(0.0, f64::max);
    println!("plain split R-hat {split:.4} (1.0016 in 48 × 9000); log p expected −17.34 ± 0.03");
    let mut first = GAP.len();
    for test in &tests {
        let Observations { inputs, targets } = &test.observations;
        let f: Vec<Vec<f64>> = (first..first + inputs.len()).map(|probe| reference.trace(probe).concat()).collect();
        let bands: Vec<Band> = f.iter().map(|f| Band::new(f, Weights::Equal, SD)).collect();
        let mixture = Mixture { f: &f.concat(), variances: &[], weights: Weights::Equal };
        let nll = mixture_nll(mixture, targets, SD);
        println!("test \"{}\": RMSE {:.4}, NLL {nll:.4}", test.name, rmse(&bands, targets));
        first += inputs.len();
    }
    println!("expected: in 0.1009, −0.8613 ± 0.0002; gap 0.249 ± 0.002, 0.071 ± 0.003\n");
    Ok(worst)
}

fn moons(full: bool) -> Result<f64, Box<dyn Error>> {
    let data = DataSet::Moons { count: 50, sd: 0.2 };
    let prior = Prior::FanIn { weight: 5.0, bias: 2.0 };
    let network = Network::new(Layout::new(&[2, 8, 1])?, prior, Likelihood::Bernoulli, data.train(Noise::Lattice))?;
    let test = &data.tests(Noise::Lattice)[0].observations;
    let probes = MOONS.iter().flat_map(|row| [row[0], row[1]]).chain(test.inputs.iter().copied()).collect();
    let (chains, warm_up, draws) = if full { (48, 1200, 5000) } else { (16, 400, 400) };
    println!("moons: [2, 8, 1], 100 data");
    let reference = computed(&network, probes, ReferencePlan { chains, warm_up, draws, ..ReferencePlan::default() })?;
    let mut worst: f64 = 0.0;
    println!("       x           mean p  expected   sd of logit  expected     BALD expected   deviations");
    for (probe, [x, y, p, p_error, sd, sd_error, mutual]) in MOONS.into_iter().enumerate() {
        let one = |f: &[f64]| ClassPrediction::of_logits(f, Weights::Equal);
        let (found, errors) = (reference.probes[probe], reference.errors(probe)?);
        let (found_p, error) = over_chains(&reference, probe, |f| one(f).probabilities[1]);
        // A chain by itself knows too little of the mutual information, so its mean over chains would be too small.
        let bald = one(&reference.trace(probe).concat()).mutual_information();
        let (_, bald_error) = over_chains(&reference, probe, |f| one(f).mutual_information());
        let off = [
            deviation((found_p, error), (p, p_error)),
            deviation((found.sd, errors.sd), (sd, sd_error)),
            // Theirs has about the error of ours, and four decimals.
            deviation((bald, bald_error), (mutual, bald_error.max(5e-5))),
        ];
        worst = off.into_iter().fold(worst, f64::max);
        let [first, second, third] = off;
        println!(
            "{x:5.2} {y:5.2} {found_p:7.4} ±{error:.4} {p:7.4} {:7.3} ±{:.3} {sd:7.3} {bald:9.4} {mutual:7.4} {first:6.2} {second:5.2} {third:5.2}",
            found.sd, errors.sd,
        );
    }
    let of_test =
        |datum: usize| ClassPrediction::of_logits(&reference.trace(MOONS.len() + datum).concat(), Weights::Equal);
    let predictions: Vec<ClassPrediction> = (0..test.targets.len()).map(of_test).collect();
    let labels: Vec<usize> = test.targets.iter().map(|label| usize::from(*label > 0.5)).collect();
    let scores = class_scores(&predictions, &labels);
    let ece = expected_calibration_error(&reliability(&predictions, &labels, 2));
    println!(
        "test: error {:.4}, NLL {:.5}, Brier {:.4}, ECE {ece:.4}, entropy {:.4}, BALD {:.4}",
        scores.error, scores.nll, scores.brier, scores.entropy, scores.mutual_information
    );
    println!("expected: 0.035, 0.12898 ± 0.0001, 0.0302, 0.0568, 0.2347, 0.0427; log p −96.44 ± 0.02\n");
    Ok(worst)
}

//! Epistemic standard deviations of a deep ensemble and of an anchored ensemble on a network, over several seeds.
//!
//! `cargo run --release --example ensembles`, with a number of seeds behind `--` if it is to be another than four.

#![expect(clippy::print_stdout, reason = "an example says what it found")]

use std::error::Error;
use std::path::Path;

use sampler_lab::scenario::{self, Scenario};
use sampler_lab::session::{RunFrame, Session};
use sampler_lab::targets::Regression;

/// Inputs outside the data, in their gap, and among them.
const INPUTS: [f64; 3] = [-3.0, 0.0, 1.2];

/// Of an ensemble of ten in ten replicates, and of 400 anchored members, by independent programs (JAX, NumPy), in the order of the runs.
const EXPECTED: [[f64; 3]; 2] = [[0.014, 0.022, 0.001], [0.330, 0.489, 0.035]];

/// Standard deviation of f over the members at the end of a run.
fn spread(run: &RunFrame, regression: &dyn Regression, x: f64) -> Option<f64> {
    let members = &run.newest_vectors.as_ref().filter(|at| at.step == run.step)?.positions;
    let values: Vec<f64> =
        (0..members.len()).map(|member| regression.value(&members.vector(member).collect::<Vec<f64>>(), x)).collect();
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    Some((values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / n).sqrt())
}

fn main() -> Result<(), Box<dyn Error>> {
    let seeds = std::env::args().nth(1).map_or(Ok(4), |word| word.parse::<u32>())?.max(1);
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/experiments/ensembles.toml");
    let shipped = scenario::load(&file)?;
    let mut sums = [[0.0; 3]; 2];
    for seed in 1..=seeds {
        let mut session =
            Session::new(Scenario { seed: u64::from(seed), ..shipped.clone() }).map_err(|errors| errors[0].clone())?;
        session.advance(u64::MAX);
        let frame = session.frame();
        let regression = frame.target.regression().ok_or("no regression")?;
        for (run, sums) in frame.runs.iter().zip(&mut sums) {
            for (x, sum) in INPUTS.into_iter().zip(sums) {
                *sum += spread(run, regression, x).ok_or("no vectors at the last step")? / f64::from(seeds);
            }
        }
    }
    println!("sd of f at x = {INPUTS:?}, mean over {seeds} seeds");
    for ((run, found), expected) in shipped.runs.iter().zip(sums).zip(EXPECTED) {
        println!("{:18} {found:.3?}, expected {expected:.3?}", run.name);
    }
    // Within a quarter of the expected value, some three standard errors of 160 members, and small for MAP estimates.
    let near = sums[1].iter().zip(EXPECTED[1]).all(|(found, expected)| (found / expected - 1.0).abs() < 0.25);
    let close = sums[0].iter().all(|found| *found < 0.1);
    if near && close { Ok(()) } else { Err("the ensembles differ from the reference".into()) }
}

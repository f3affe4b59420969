//! SGLD with noisy gradients on a Gaussian: mean and variance of the draws against the closed form.
//!
//! A scenario says everything about an experiment, a session runs it, and a frame shows the result. Run it with
//! `cargo run --release --example gaussian_sgld`.

#![expect(clippy::print_stdout, reason = "an example says what it found")]

use std::error::Error;
use std::path::Path;

use sampler_lab::{scenario, session::Session};

/// N(0, I) in the plane. The noise on the gradient has variance V = 4 per coordinate.
const SCENARIO: &str = r#"
    format = 1
    title = "SGLD with noisy gradients"
    seed = 1
    [target]
    kind = "gaussian"
    correlation = 0.0

    [[run]]
    name = "SGLD"
    method = "sgld"
    chains = 64
    steps = 20_000
    start = { kind = "target" }
    gradient = { kind = "noisy", variance = 4.0 }
    step_size = { kind = "constant", value = 0.2 }
    collect = { burn_in = 500 }
"#;

fn main() -> Result<(), Box<dyn Error>> {
    let scenario = scenario::read(SCENARIO, "scenario", Path::new("."))?;
    let mut session = Session::new(scenario).map_err(|errors| errors[0].clone())?;
    session.advance(u64::MAX);

    // The history keeps one row per step and one position per chain; row 0 is the start.
    let frame = session.frame();
    let history = &frame.runs[0].history;
    let rows = history.row_from(501)..history.rows();
    let draws: Vec<f64> = rows
        .flat_map(|row| (0..history.chains()).filter_map(move |chain| history.position(row, chain)))
        .flat_map(|position| [position.x, position.y])
        .collect();
    let count = draws.len() as f64;
    let mean = draws.iter().sum::<f64>() / count;
    let variance = draws.iter().map(|draw| (draw - mean) * (draw - mean)).sum::<f64>() / count;

    // The stationary variance of θ ← θ − α (λθ + noise) + √(2α) ξ is (1 + αV/2) / (λ (1 − αλ/2)).
    let (alpha, lambda, noise) = (0.2, 1.0, 4.0);
    let expected = (1.0 + alpha * noise / 2.0) / (lambda * (1.0 - alpha * lambda / 2.0));
    println!("mean {mean:.4}, expected 0");
    println!("variance {variance:.4}, expected {expected:.4}; the target has 1");

    // Standard errors: 0.002 and 0.003, from 2.5 million draws with an autocorrelation time of 9 steps.
    assert!(mean.abs() < 0.012, "mean {mean}");
    assert!((variance - expected).abs() < 0.02, "variance {variance}, expected {expected}");
    Ok(())
}

//! Your own step on a target of the library: Langevin dynamics written by hand, without a session.
//!
//! A target gives log densities and gradients, a schedule gives step sizes, streams give normal numbers. Run it with
//! `cargo run --release --example own_method_step`.

#![expect(clippy::print_stdout, reason = "an example says what it found")]

use std::error::Error;
use std::path::Path;

use sampler_lab::math::{Point, Purpose, Simd, Streams};
use sampler_lab::params::{Settings, Value, find_kind};
use sampler_lab::schedules::{self, SCHEDULES};
use sampler_lab::targets::{self, TARGETS};

const CHAINS: usize = 256;
const STEPS: u64 = 40_000;
const BURN_IN: u64 = 4_000;

fn main() -> Result<(), Box<dyn Error>> {
    // The banana has x ~ N(0, 4) and y | x ~ N((x² − 4)/4, 1), so that Var x = 4 and E y = 0.
    let kind = find_kind(&TARGETS, "banana").ok_or("no such target")?;
    let target = targets::build(&Settings::defaults(kind), Path::new(".")).map_err(|errors| errors[0].clone())?;
    let density = target.density().ok_or("not a density in the plane")?;

    // A constant step size; `sampler-lab list --json` prints every key of every kind.
    let kind = find_kind(&SCHEDULES, "constant").ok_or("no such schedule")?;
    let mut settings = Settings::defaults(kind);
    settings.set("value", Value::Number(0.01))?;
    let schedule = schedules::build(&settings, STEPS).map_err(|errors| errors[0].clone())?;

    // One stream of random numbers per chain, derived from the seed.
    let mut streams = Streams::derive(1, Purpose::Chain, 0, 0..CHAINS as u64);
    let (mut first, mut second) = ([0.0; CHAINS], [0.0; CHAINS]);
    let mut chains = [density.info().start; CHAINS];
    let (mut count, mut sum, mut squares) = (0.0, Point::zeros(), 0.0);

    for step in 1..=STEPS {
        let alpha = schedule.step_size(step);
        streams.fill_pairs(Simd::BASELINE, &mut first, &mut second);
        for (chain, position) in chains.iter_mut().enumerate() {
            let noise = Point::new(first[chain], second[chain]);
            *position += density.gradient(*position) * alpha + noise * (2.0 * alpha).sqrt();
            if step > BURN_IN {
                (count, sum, squares) = (count + 1.0, sum + *position, squares + position.x * position.x);
            }
        }
    }

    let (mean, variance) = (sum / count, squares / count - (sum.x / count) * (sum.x / count));
    println!("mean ({:.3}, {:.3}), expected (0, 0)", mean.x, mean.y);
    println!("variance of x {variance:.3}, expected 4");
    // Over several seeds the two figures vary by 0.03 and 0.1: neighbouring draws along the arms are nearly the same.
    assert!(mean.norm() < 0.15, "{mean}");
    assert!((variance - 4.0).abs() < 0.3, "{variance}");
    Ok(())
}

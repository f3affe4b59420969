//! Formulas against the targets that they describe: SGLD with 1024 chains on each example, both in turns in one run, and the ratio of
//! their speeds: `cargo bench --bench formulas`.
//!
//! A session takes the steps, so that the time includes everything, as in `steps`. Each number is the best of several turns, since
//! what else the machine does can only slow a turn down.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

mod common;

use std::time::Instant;

use sampler_lab::formula::EXAMPLES;
use sampler_lab::scenario::Scenario;
use sampler_lab::session::{Command, Session};

/// Steps of all chains together in one turn.
const STEPS: usize = 1 << 21;

const CHAINS: usize = 1024;

/// Turns of each.
const TURNS: usize = 9;

fn main() {
    let word = std::env::args().skip(1).find(|argument| !argument.starts_with('-')).unwrap_or_default();
    println!("{:<16} {:>14} {:>14} {:>7}   million steps of a chain per second", "", "built-in", "formula", "ratio");
    for example in EXAMPLES.iter().filter(|example| example.target.contains(&word)) {
        let parameters: Vec<String> =
            example.parameters.iter().map(|(name, value)| format!("\"{name}\" = {value:?}")).collect();
        let [x, y] = example.support;
        let formula = format!(
            "kind = \"formula\"\ndensity = {:?}\nparameters = {{ {} }}\nsupport_x = {{ kind = \"{x}\" }}\nsupport_y = {{ kind = \"{y}\" }}",
            example.text,
            parameters.join(", ")
        );
        let built_in = format!("kind = \"{}\"", example.target);
        let more = format!(
            "chains = {CHAINS}\nsteps = {}\nstep_size = {{ kind = \"constant\", value = 1e-4 }}",
            STEPS / CHAINS
        );
        let scenarios = [built_in, formula].map(|target| common::scenario(&target, "sgld", &more));
        let [Some(built_in), Some(formula)] = scenarios else {
            println!("{:<16} is no scenario", example.target);
            continue;
        };
        let [first, second] = speeds([built_in, formula]);
        println!("{:<16} {first:>14.1} {second:>14.1} {:>7.2}", example.target, second / first);
    }
}

/// The best speeds of two scenarios, in million steps of a chain per second.
fn speeds(scenarios: [Scenario; 2]) -> [f64; 2] {
    let mut sessions = scenarios.map(|scenario| Session::new(scenario).ok());
    let mut best = [0.0_f64; 2];
    for _ in 0..TURNS {
        for (session, best) in sessions.iter_mut().flatten().zip(&mut best) {
            if session.apply(Command::Restart).is_err() {
                continue;
            }
            let began = Instant::now();
            session.advance(u64::MAX);
            *best = best.max(STEPS as f64 / began.elapsed().as_secs_f64() / 1e6);
        }
    }
    best
}

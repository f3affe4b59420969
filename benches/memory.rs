//! Memory per kept draw, and memory of inference of topics: `cargo bench --bench memory`. Only Linux; other systems print a message.
//!
//! The increase of resident memory (VmRSS of /proc/self/status) of a session from before the first step to after ten
//! million draws, for several numbers of chains. A window shares the same frames and makes no copies.
//!
//! Of topics: the increase from before a chain of stochastic variational inference exists to after 200 steps with 50 of 1000 documents
//! with 200 words of 5000, under 50 topics, beside the numbers that its average must keep, 8 bytes each.

#![expect(clippy::print_stdout, reason = "a program that prints its results")]

mod common;

use std::process::Command;
use std::{env, fs};

use sampler_lab::lda::{Batches, Corpus, Model, Order, Recipe, Smoothing, Svi, Tolerance, Topics};
use sampler_lab::math::{Purpose, Simd, Stream};
use sampler_lab::session::Session;

/// Draws of a session: nearly the largest number that is kept without thinning.
const DRAWS: u64 = 10_000_000;

/// Averages of inference of topics, by the argument that asks for one.
const AVERAGES: [(&str, Smoothing); 5] = [
    ("svi", Smoothing::Statistics { window: 1 }),
    ("window-30", Smoothing::Statistics { window: 30 }),
    ("window-100", Smoothing::Statistics { window: 100 }),
    ("gradients-30", Smoothing::Gradients { window: 30 }),
    ("sag", Smoothing::Sag),
];

fn main() {
    if let Some((name, smoothing)) =
        env::args().find_map(|argument| AVERAGES.into_iter().find(|(name, _)| *name == argument))
    {
        match grown_by_topics(smoothing) {
            Some((numbers, bytes)) => println!("{name:>14} {:>14.1} {:>18.1}", mib(bytes), mib(8 * numbers as u64)),
            None => println!("{name:>14} cannot be measured here"),
        }
        return;
    }
    // One process per number of chains: freed memory is not always returned to the system.
    if let Some(chains) = env::args().find_map(|argument| argument.parse().ok()) {
        match grown(chains) {
            Some((draws, bytes)) => {
                println!("{chains:>8} {draws:>12} {:>14.1} {:>16.2}", mib(bytes), bytes as f64 / draws as f64);
            }
            None => println!("{chains:>8} cannot be measured here"),
        }
        return;
    }
    println!("{:>8} {:>12} {:>14} {:>16}", "chains", "draws kept", "MiB in use", "bytes per draw");
    for chains in [1, 4, 100, 1000] {
        let own = env::current_exe().and_then(|program| Command::new(program).arg(chains.to_string()).status());
        if !own.is_ok_and(|status| status.success()) {
            println!("{chains:>8} has failed");
        }
    }
    println!("{:>14} {:>14} {:>18}", "average", "MiB in use", "MiB of its numbers");
    for (name, _) in AVERAGES {
        let own = env::current_exe().and_then(|program| Command::new(program).arg(name).status());
        if !own.is_ok_and(|status| status.success()) {
            println!("{name:>14} has failed");
        }
    }
}

fn mib(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}

/// Numbers that the average keeps by the formulas of `crates/models/src/lda`, and the increase of memory in bytes.
fn grown_by_topics(smoothing: Smoothing) -> Option<(usize, u64)> {
    let mut stream = Stream::derive(1, Purpose::Chain, 0, 0);
    let (topics, words, batch) = (50, 5000, 50);
    let recipe = Recipe {
        topics: Topics::filled(topics, words, 0.05).dirichlet_draw(&mut stream),
        vocabulary: (0..words).map(|word| word.to_string()).collect(),
        documents: 1000,
        held_out: 0,
        length: 200,
        concentration: 0.1,
    };
    let Corpus { training, .. } = recipe.corpus(1);
    let model = Model { topics, words, alpha: 0.1, eta: 0.05 };
    let before = resident()?;
    let tolerance = Tolerance { change: 1e-2, most_steps: 20 };
    let mut svi =
        Svi::new(Simd::widest(), model, tolerance, smoothing, Topics::random(topics, words, &mut stream), &training);
    let mut batches = Batches::new(Order::Shuffled, batch, training.len());
    let mut touched = Vec::new();
    for _ in 0..200 {
        let documents = batches.next(&mut stream);
        let mut found: Vec<u32> = documents.iter().flat_map(|one| training.bag(*one as usize).words).copied().collect();
        found.sort_unstable();
        found.dedup();
        touched.push(found.len());
        svi.step(&training, documents, 0.1);
    }
    let newest = |window: usize| touched.iter().rev().take(window).sum::<usize>();
    let numbers = match smoothing {
        Smoothing::Statistics { window } => topics * newest(window),
        // Each gradient needs the λ at which it was made.
        Smoothing::Gradients { window } => topics * (newest(window) + window * words),
        Smoothing::Sag => topics * training.entry_count(),
    };
    Some((numbers, resident()?.saturating_sub(before)))
}

/// Number of draws that a session with `chains` chains keeps at its end, and the increase of its memory in bytes.
fn grown(chains: u64) -> Option<(usize, u64)> {
    let more = format!("chains = {chains}\nsteps = {}", DRAWS / chains);
    let mut session = Session::new(common::scenario("kind = \"gaussian-grid\"", "sgld", &more)?).ok()?;
    let before = resident()?;
    session.advance(u64::MAX);
    let bytes = resident()?.saturating_sub(before);
    Some((session.frame().runs[0].history.len(), bytes))
}

/// Resident memory of this process in bytes.
fn resident() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.trim().strip_suffix(" kB")?.trim().parse().ok()?;
    Some(kilobytes << 10)
}

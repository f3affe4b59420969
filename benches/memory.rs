//! Memory per kept draw: `cargo bench --bench memory`. Only Linux; other systems print a message.
//!
//! The increase of resident memory (VmRSS of /proc/self/status) of a session from before the first step to after ten
//! million draws, for several numbers of chains. A window shares the same frames and makes no copies.

#![expect(clippy::print_stdout, reason = "a program that prints its results")]

mod common;

use std::process::Command;
use std::{env, fs};

use sampler_lab::session::Session;

/// Draws of a session: nearly the largest number that is kept without thinning.
const DRAWS: u64 = 10_000_000;

fn main() {
    // One process per number of chains: freed memory is not always returned to the system.
    if let Some(chains) = env::args().find_map(|argument| argument.parse().ok()) {
        match grown(chains) {
            Some((draws, bytes)) => {
                let (mib, each) = (bytes as f64 / f64::from(1 << 20), bytes as f64 / draws as f64);
                println!("{chains:>8} {draws:>12} {mib:>14.1} {each:>16.2}");
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

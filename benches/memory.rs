//! Memory per kept draw: `cargo bench --bench memory`. Linux only; elsewhere it says so.
//!
//! Resident memory (VmRSS of /proc/self/status) of a session after ten million draws, above that before the
//! first step, for several numbers of chains; in a window the same frames are shared, not copied.

#![expect(clippy::print_stdout, reason = "a program that reports")]

mod common;

use std::process::Command;
use std::{env, fs};

use sampler_lab::session::Session;

/// Draws of a session: as many as are kept without thinning, nearly.
const DRAWS: u64 = 10_000_000;

fn main() {
    // Each number of chains in a process of its own: memory given back is not always given back to the system.
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

/// Draws kept by a session with so many chains at its end, and how much its memory has grown for them.
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

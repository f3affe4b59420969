//! Digests of exact distributions: short hashes of all numbers that are computed of a run without draws, to the last bit.

use std::path::Path;

use sampler_lab::distributions::{
    Ask, Computable, Cycles, Described, Found, MeanError, NotComputed, Stationary, Trusted,
};
use sampler_lab::scenario;

use super::digest::Hash;

/// A run, and what is asked of it.
pub struct Case {
    /// Its name in `tests/data/golden_lessons.txt`.
    pub name: &'static str,
    target: &'static str,
    run: &'static str,
    at: &'static [u64],
    /// Of all collected steps, in the long run, errors of means, and cycles.
    asks: [bool; 4],
}

/// One of each way to compute: a line, a product of two lines, the plane, rejection, momentum.
pub const CASES: [Case; 5] = [
    Case {
        name: "line",
        target: "double-well",
        run: r#"method = "langevin"
            chains = 2
            steps = 60
            start = { kind = "point", x = 1.0, y = 0.0 }
            step_size = { kind = "constant", value = 0.05 }"#,
        at: &[20],
        asks: [true, true, true, false],
    },
    Case {
        name: "product",
        target: "gaussian-grid",
        run: r#"method = "csgld"
            chains = 1
            steps = 60
            start = { kind = "uniform", low = -10.0, high = 10.0 }
            gradient = { kind = "noisy", variance = 1.0, compensate = true }
            step_size = { kind = "cyclical", initial = 0.06, cycles = 2, exploration_steps = 5, exploration_noise = true }"#,
        at: &[7],
        asks: [true, false, true, true],
    },
    Case {
        name: "plane",
        target: "three-modes",
        run: r#"method = "langevin"
            chains = 1
            steps = 4
            start = { kind = "point", x = 0.5, y = 0.3 }
            step_size = { kind = "constant", value = 0.05 }"#,
        at: &[2, 4],
        asks: [true, false, true, false],
    },
    Case {
        name: "rejection",
        target: "double-well",
        run: r#"method = "mala"
            chains = 2
            steps = 20
            start = { kind = "point", x = 1.0, y = 0.0 }
            step_size = { kind = "constant", value = 0.1 }"#,
        at: &[5],
        asks: [true, true, true, false],
    },
    Case {
        name: "momentum",
        target: "double-well",
        run: r#"method = "sghmc"
            steps = 20
            friction = 0.1
            step_size = { kind = "constant", value = 0.01 }"#,
        at: &[],
        asks: [false, true, false, false],
    },
];

/// The digest of a distribution: of its moments and measures after steps, collected and in the long run, and of what else is asked.
///
/// # Errors
/// With the reason, if a part of it is not computed.
pub fn digest(case: &Case) -> Result<u64, String> {
    let Case { target, run, at, asks: [collected, stationary, errors, cycles], .. } = *case;
    let text = format!(
        "format = 1\ntitle = \"golden\"\nseed = 29\n[target]\nkind = \"{target}\"\n[[run]]\nname = \"one\"\n{run}\n"
    );
    let scenario = scenario::read(&text, "golden.toml", Path::new(".")).map_err(|errors| errors.to_string())?;
    let experiment = scenario.build().map_err(|errors| format!("{errors:?}"))?;
    let ask = Ask { at: at.to_vec(), collected, stationary, errors, cycles, briefly: false };
    let found = Computable::new(&experiment, 0).and_then(|run| run.solve(&ask, &mut |_| true));
    let mut hash = Hash::new();
    found.and_then(|found| all(&mut hash, &ask, &found)).map_err(|why| why.to_string())?;
    Ok(hash.0)
}

/// Adds all that was asked for.
fn all(hash: &mut Hash, ask: &Ask, found: &Found) -> Result<(), NotComputed> {
    for step in &found.steps {
        described(hash, step.found.as_ref().map_err(Clone::clone)?);
    }
    if ask.collected {
        described(hash, found.collected.as_ref().map_err(Clone::clone)?);
    }
    if ask.stationary {
        long_run(hash, found.stationary.as_ref().map_err(Clone::clone)?);
    }
    if ask.errors {
        found.errors.as_ref().map_err(Clone::clone)?.iter().for_each(|error| mean(hash, error));
    }
    if ask.cycles {
        of_cycles(hash, found.cycles.as_ref().map_err(Clone::clone)?)?;
    }
    Ok(())
}

fn number(hash: &mut Hash, number: &Trusted) {
    hash.number(number.value);
    hash.number(number.difference);
}

/// Adds moments, measures and cells.
fn described(hash: &mut Hash, of: &Described) {
    hash.number(of.lost);
    of.mean.iter().chain(&of.covariance).chain(&of.shares).for_each(|of| number(hash, of));
    for (key, value) in &of.measures {
        hash.bytes(key.as_bytes());
        match value {
            Ok(value) => number(hash, value),
            Err(why) => hash.bytes(why.as_bytes()),
        }
    }
    of.cells.iter().for_each(|cell| hash.number(*cell));
}

fn long_run(hash: &mut Hash, of: &Stationary) {
    described(hash, &of.described);
    [&of.exit_rate, &of.second_eigenvalue, &of.relaxation_time].into_iter().for_each(|of| number(hash, of));
    for time in &of.autocorrelation_times {
        match time {
            Ok(time) => number(hash, time),
            Err(why) => hash.bytes(why.to_string().as_bytes()),
        }
    }
    of.acceptance.iter().for_each(|of| number(hash, of));
}

fn mean(hash: &mut Hash, of: &MeanError) {
    let parts = [&of.systematic, &of.variance, &of.rmse].into_iter();
    parts.chain(&of.bias).chain(&of.transient).for_each(|of| number(hash, of));
}

/// Adds matrices and where cycles end.
fn of_cycles(hash: &mut Hash, of: &Cycles) -> Result<(), NotComputed> {
    for (matrix, difference) in &of.matrices {
        matrix.iter().for_each(|entry| hash.number(*entry));
        hash.number(*difference);
    }
    for ends in [&of.end_modes, &of.end_modes_sd, &of.end_kl] {
        number(hash, ends.as_ref().map_err(Clone::clone)?);
    }
    number(hash, &of.memory);
    of.long_run.iter().chain(&of.first_ends).for_each(|of| number(hash, of));
    of.so_far.iter().flat_map(|(expected, sd)| [expected, sd]).for_each(|of| number(hash, of));
    of.defect.iter().for_each(|defect| hash.number(*defect));
    of.changes.iter().for_each(|(_, of)| number(hash, of));
    Ok(())
}

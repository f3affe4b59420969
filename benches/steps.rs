//! Steps per second, every method on every target at default settings: `cargo bench --bench steps`.
//!
//! A session takes the steps, so that the time includes everything: random numbers, gradients, the history that keeps
//! each draw, and the sums for the measures. A step of one chain is one item.

mod common;

use std::fmt;

use divan::{Bencher, counter::ItemsCount};
use sampler_lab::methods::METHODS;
use sampler_lab::scenario::Scenario;
use sampler_lab::session::{Command, Session};
use sampler_lab::targets::TARGETS;

/// Steps of all chains together in one sample: some ten milliseconds.
const STEPS: usize = 1 << 18;

fn main() {
    assert!(registries::<1>().next().is_some(), "no method works on any target: the scenarios here are wrong");
    divan::main();
}

/// A scenario with one run, with its name in the table.
#[derive(Clone)]
struct Case {
    name: String,
    scenario: Scenario,
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

impl Case {
    fn new(name: String, target: &str, method: &str, more: &str) -> Option<Self> {
        Some(Self { name, scenario: common::scenario(target, method, more)? })
    }
}

/// All methods on all targets for which they are defined.
fn registries<const CHAINS: usize>() -> impl Iterator<Item = Case> {
    let steps = STEPS / CHAINS;
    let more = format!("chains = {CHAINS}\nsteps = {steps}");
    let pairs = METHODS.iter().flat_map(|method| TARGETS.iter().map(move |target| (method.name, target.name)));
    pairs.filter_map(move |(method, target)| {
        Case::new(format!("{method}, {target}"), &format!("kind = \"{target}\""), method, &more)
    })
}

/// Runs a scenario to its end, several times.
fn run(bencher: Bencher<'_, '_>, case: &Case) {
    let Ok(session) = Session::new(case.scenario.clone()) else { return };
    let steps = session.total() * session.chains() as u64;
    // The restart is in the input of a sample, which is not measured.
    let session = std::cell::RefCell::new(session);
    let begin = || session.borrow_mut().apply(Command::Restart).is_ok();
    bencher
        .counter(ItemsCount::new(steps))
        .with_inputs(begin)
        .bench_local_values(|_| session.borrow_mut().advance(u64::MAX));
}

#[divan::bench(args = registries::<1>(), sample_count = 5, sample_size = 1)]
fn chains_0001(bencher: Bencher<'_, '_>, case: &Case) {
    run(bencher, case);
}

#[divan::bench(args = registries::<64>(), sample_count = 5, sample_size = 1)]
fn chains_0064(bencher: Bencher<'_, '_>, case: &Case) {
    run(bencher, case);
}

#[divan::bench(args = registries::<1024>(), sample_count = 5, sample_size = 1)]
fn chains_1024(bencher: Bencher<'_, '_>, case: &Case) {
    run(bencher, case);
}

/// Stochastic gradients on the 100 quantiles: n data of 100 in every step, one chain.
fn minibatches() -> impl Iterator<Item = Case> {
    [1, 10, 100].into_iter().filter_map(|size| {
        let more = format!("steps = {STEPS}\ngradient = {{ kind = \"minibatch\", size = {size}, order = \"random\" }}");
        Case::new(format!("sgld, n = {size}"), "kind = \"bivariate-mixture\"", "sgld", &more)
    })
}

#[divan::bench(args = minibatches(), sample_count = 5, sample_size = 1)]
fn minibatch_quantile100(bencher: Bencher<'_, '_>, case: &Case) {
    run(bencher, case);
}

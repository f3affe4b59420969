//! Upper limits of the machine for steps per second: `cargo bench --bench ceilings`.
//!
//! A Langevin step in the plane needs one pair of normals, on the grid of Gaussians two to four exponentials, and 16
//! bytes to keep its draw. Each of these alone limits the steps per second. They are measured in the widest and in the
//! narrowest instruction set, on one thread and on all. An item is a pair of normals, an exponential or a draw; divide
//! by the number of items per step and compare with `cargo bench --bench steps`.

use std::fmt;

use divan::{Bencher, black_box, counter::ItemsCount};
use rayon::prelude::{IntoParallelRefMutIterator, ParallelIterator};
use sampler_lab::math::elementary::exp_slice;
use sampler_lab::math::{Purpose, Simd, Streams};

/// Numbers in one call: small enough to stay in the first cache, as in a block of chains.
const LENGTH: usize = 1024;

/// Calls per thread in one sample: some ten milliseconds, so that the start of a thread does not count.
const CALLS: usize = 2048;

fn main() {
    divan::main();
}

/// An instruction set of this machine, times a number of threads.
#[derive(Clone, Copy)]
struct Case {
    simd: Simd,
    threads: usize,
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} × {}", self.simd.instruction_set(), self.threads)
    }
}

fn cases() -> impl Iterator<Item = Case> {
    let threads = [1, rayon::current_num_threads()];
    threads.into_iter().flat_map(|threads| Simd::available().map(move |simd| Case { simd, threads }))
}

/// The data of one thread.
struct Lane {
    stream: Streams,
    streams: Streams,
    x: Vec<f64>,
    y: Vec<f64>,
}

impl Lane {
    fn new(number: usize) -> Self {
        let streams = |count| Streams::derive(1, Purpose::Chain, number as u64, 0..count);
        Self { stream: streams(1), streams: streams(128), x: vec![0.5; LENGTH], y: vec![0.5; LENGTH] }
    }
}

/// Measures `work` on `threads` threads at the same time.
fn on_threads(bencher: Bencher<'_, '_>, threads: usize, work: impl Fn(&mut Lane) + Sync) {
    let mut lanes: Vec<Lane> = (0..threads).map(Lane::new).collect();
    let calls = |lane: &mut Lane| (0..CALLS).for_each(|_| work(black_box(lane)));
    bencher.counter(ItemsCount::new(threads * CALLS * LENGTH)).bench_local(|| match lanes.as_mut_slice() {
        [lane] => calls(lane),
        lanes => lanes.par_iter_mut().for_each(calls),
    });
}

#[divan::bench(args = cases(), sample_count = 20, sample_size = 1)]
fn normal_pairs_one_stream(bencher: Bencher<'_, '_>, case: Case) {
    let fill = |lane: &mut Lane| lane.stream.fill_pairs(case.simd, &mut lane.x, &mut lane.y);
    on_threads(bencher, case.threads, fill);
}

#[divan::bench(args = cases(), sample_count = 20, sample_size = 1)]
fn normal_pairs_many_streams(bencher: Bencher<'_, '_>, case: Case) {
    let fill = |lane: &mut Lane| lane.streams.fill_pairs(case.simd, &mut lane.x, &mut lane.y);
    on_threads(bencher, case.threads, fill);
}

#[divan::bench(args = cases(), sample_count = 20, sample_size = 1)]
fn exponentials(bencher: Bencher<'_, '_>, case: Case) {
    on_threads(bencher, case.threads, |lane| {
        lane.x.fill(-0.5);
        exp_slice(case.simd, &mut lane.x);
    });
}

/// Draws in one sample of the memory benchmarks: far more than fit into any cache.
const DRAWS: usize = 4 << 20;

/// Writes draws to memory that the system has not provided yet, as in the first run of a session.
#[divan::bench(sample_count = 10, sample_size = 1, counters = [ItemsCount::new(DRAWS)])]
fn draws_to_fresh_memory() -> Vec<[f64; 2]> {
    let mut draws = Vec::with_capacity(DRAWS);
    draws.extend((0..DRAWS).map(|_| black_box([1.0, 2.0])));
    draws
}

/// Writes draws to memory that is already in use.
#[divan::bench(sample_count = 10, sample_size = 1)]
fn draws_to_old_memory(bencher: Bencher<'_, '_>) {
    let mut draws = vec![[0.5; 2]; DRAWS];
    bencher.counter(ItemsCount::new(DRAWS)).bench_local(|| draws.fill(black_box([1.0, 2.0])));
}

//! The truth about a target and what draws are held against it: `cargo bench --bench measures`.
//!
//! - `reference`: the cells, modes and moments of a target, once per target.
//! - `tally`: counting draws, once per draw; an item is a draw.
//! - `floor`: as many exact draws and their measures, once per number of draws; an item is a draw.
//! - `measure`: all measures of a tally, once per run and refresh.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use divan::{Bencher, black_box, counter::ItemsCount};
use sampler_lab::diagnostics::{Floor, FloorValues, Reference, Tally, measure};
use sampler_lab::math::{Purpose, Simd, Stream};
use sampler_lab::params::Settings;
use sampler_lab::targets::{self, TARGETS, Target};

/// Draws in a sample: what the published experiment collects from one cyclical chain.
const DRAWS: u64 = 48_520;

fn main() {
    divan::main();
}

/// A target with default settings and the truth about it.
#[derive(Clone)]
struct Case {
    name: &'static str,
    target: Arc<dyn Target>,
    reference: Arc<Reference>,
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl Case {
    fn draws(&self) -> (Vec<f64>, Vec<f64>) {
        let mut stream = Stream::derive(1, Purpose::Reference, 0, 0);
        let mut draw = || self.target.exact_draw(&mut stream).unwrap_or_else(|| self.reference.draw(&mut stream));
        (0..DRAWS).map(|_| draw()).map(|at| (at.x, at.y)).unzip()
    }

    fn tally(&self) -> Tally {
        let mut tally = Tally::new(&self.reference);
        let (x, y) = self.draws();
        tally.add_rows(Simd::widest(), &self.reference, &vec![1.0; x.len()], &x, &y);
        tally
    }
}

fn cases() -> impl Iterator<Item = Case> {
    TARGETS.iter().filter_map(|kind| {
        let target = targets::build(&Settings::defaults(kind), Path::new(".")).ok()?;
        let reference = Arc::new(Reference::new(target.as_ref()));
        Some(Case { name: kind.name, target, reference })
    })
}

#[divan::bench(args = cases(), sample_count = 10)]
fn reference(case: &Case) -> Reference {
    Reference::new(black_box(case.target.as_ref()))
}

#[divan::bench(args = cases(), sample_count = 20)]
fn tally(bencher: Bencher<'_, '_>, case: &Case) {
    let (x, y) = case.draws();
    let weights = vec![1.0; x.len()];
    bencher.counter(ItemsCount::new(DRAWS)).with_inputs(|| Tally::new(&case.reference)).bench_local_values(
        |mut tally| {
            tally.add_rows(Simd::widest(), &case.reference, &weights, &x, &y);
            tally
        },
    );
}

#[divan::bench(args = cases(), sample_count = 10)]
fn floor(bencher: Bencher<'_, '_>, case: &Case) {
    let fresh = || Floor::new(case.target.clone(), case.reference.clone(), 42);
    bencher
        .counter(ItemsCount::new(DRAWS))
        .with_inputs(fresh)
        .bench_local_values(|mut floor| floor.exact(black_box(DRAWS)).clone());
}

#[divan::bench(args = cases(), sample_count = 50)]
fn measures(bencher: Bencher<'_, '_>, case: &Case) {
    let tally = case.tally();
    let floor = FloorValues::of(&case.reference, &tally);
    bencher.bench_local(|| measure(&case.reference, black_box(&tally), Some(&floor)));
}

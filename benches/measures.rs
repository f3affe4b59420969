//! Cost of targets, of the truth about them, and of all measures: `cargo bench --bench measures`.
//!
//! - `target`: builds a target with its moments and modes, once per edit of its parameters.
//! - `mixture`: builds a mixture of correlated Gaussians and the truth about it, once per edit of their list.
//! - `truth`: the cells, modes and moments of a target, once per target.
//! - `counts`: counting draws, once per draw; an item is a draw.
//! - `counts_strays`: the same for draws three times as far from the middle of the view, many of them outside.
//! - `floor`: as many exact draws and their measures, once per number of draws; an item is a draw.
//! - `measures`: all measures of counted draws against the truth, once per run and refresh.
//! - `measures_strays`: the same for draws three times as far from the middle of the view.
//! - `first_measures`: the same with everything that they compute from the truth on first use, once per target.
//! - `chains`: all measures of chains for a series of 4 · 50 000 draws, in the background.
//! - `one_autocorrelation`: the autocorrelation of one coordinate of such a series.
//! - `refresh`: the work of a session ten times a second while it plays, here with two runs of ten million draws each.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use divan::{Bencher, black_box, counter::ItemsCount};
use sampler_lab::diagnostics::chain::{ChainInput, autocorrelation, measure_chains};
use sampler_lab::diagnostics::{DrawCounts, Floor, Series, Totals, Truth, measure_truth};
use sampler_lab::math::{Purpose, Simd, Stream};
use sampler_lab::params::{ParamType, Settings, Value, find_kind};
use sampler_lab::platform::now;
use sampler_lab::scenario::{Lesson, Scenario};
use sampler_lab::session::Session;
use sampler_lab::targets::{self, TARGETS, Target};

/// Draws in a sample: the number that the published experiment collects from one cyclical chain.
const DRAWS: u64 = 48_520;

fn main() {
    divan::main();
}

/// A target with default settings and the truth about it.
#[derive(Clone)]
struct Case {
    name: &'static str,
    target: Arc<Target>,
    truth: Arc<Truth>,
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl Case {
    fn draws(&self) -> (Vec<f64>, Vec<f64>) {
        let mut stream = Stream::derive(1, Purpose::Truth, 0, 0);
        let mut draw = || {
            let exact = self.target.density().and_then(|density| density.exact_draw(&mut stream));
            exact.unwrap_or_else(|| self.truth.draw(&mut stream))
        };
        (0..DRAWS).map(|_| draw()).map(|at| (at.x, at.y)).unzip()
    }

    /// Draws three times as far from the middle of the view.
    fn strays(&self) -> (Vec<f64>, Vec<f64>) {
        let window = self.target.info().view;
        let middle = 0.5 * (window.min + window.max);
        let (x, y) = self.draws();
        let further = |at: Vec<f64>, middle: f64| at.into_iter().map(|at| middle + 3.0 * (at - middle)).collect();
        (further(x, middle.x), further(y, middle.y))
    }

    fn counts(&self, (x, y): (Vec<f64>, Vec<f64>)) -> DrawCounts {
        let mut counts = DrawCounts::new(&self.truth);
        counts.add_rows(Simd::widest(), &self.truth, &vec![1.0; x.len()], &x, &y);
        counts
    }
}

fn cases() -> impl Iterator<Item = Case> {
    TARGETS.iter().filter_map(|kind| {
        let target = targets::build(&Settings::defaults(kind), Path::new(".")).ok()?;
        let truth = Arc::new(Truth::of(target.as_ref()));
        Some(Case { name: kind.name, target, truth })
    })
}

#[divan::bench(args = TARGETS.iter().map(|kind| kind.name), sample_count = 10)]
fn target(bencher: Bencher<'_, '_>, kind: &str) {
    let Some(settings) = find_kind(&TARGETS, kind).map(Settings::defaults) else { return };
    bencher.bench_local(|| targets::build(black_box(&settings), Path::new(".")));
}

#[divan::bench(args = [1, 3, 10], sample_count = 10)]
fn mixture(bencher: Bencher<'_, '_>, components: u32) {
    let Some(settings) = mixture_of(components) else { return };
    bencher.bench_local(|| {
        let target = targets::build(black_box(&settings), Path::new("."));
        target.map(|target| Truth::of(target.as_ref()))
    });
}

/// Correlated Gaussians on a spiral.
fn mixture_of(components: u32) -> Option<Settings> {
    let mut settings = find_kind(&TARGETS, "gaussian-mixture").map(Settings::defaults)?;
    let ParamType::List(kind) = settings.kind.param("component")?.ty else { return None };
    let one = |index: u32| {
        let angle = 1.7 * f64::from(index);
        let mut component = Settings::defaults(kind);
        let mean = [angle.cos(), angle.sin()].map(|share| share * (1.0 + 0.7 * f64::from(index)));
        component.set("mean", Value::Pair(mean)).ok()?;
        component.set("covariance", Value::Covariance([[0.5, 0.3], [0.3, 0.4]])).ok()?;
        Some(component)
    };
    settings.set("component", Value::List((0..components).filter_map(one).collect())).ok()?;
    Some(settings)
}

#[divan::bench(args = cases(), sample_count = 10)]
fn truth(case: &Case) -> Truth {
    Truth::of(black_box(case.target.as_ref()))
}

#[divan::bench(args = cases(), sample_count = 20)]
fn counts(bencher: Bencher<'_, '_>, case: &Case) {
    count(bencher, case, &case.draws());
}

#[divan::bench(args = cases(), sample_count = 20)]
fn counts_strays(bencher: Bencher<'_, '_>, case: &Case) {
    count(bencher, case, &case.strays());
}

fn count(bencher: Bencher<'_, '_>, case: &Case, (x, y): &(Vec<f64>, Vec<f64>)) {
    let weights = vec![1.0; x.len()];
    bencher.counter(ItemsCount::new(DRAWS)).with_inputs(|| DrawCounts::new(&case.truth)).bench_local_values(
        |mut counts| {
            counts.add_rows(Simd::widest(), &case.truth, &weights, x, y);
            counts
        },
    );
}

#[divan::bench(args = cases(), sample_count = 10)]
fn floor(bencher: Bencher<'_, '_>, case: &Case) {
    let fresh = || Floor::new(case.target.density().cloned(), case.truth.clone());
    bencher
        .counter(ItemsCount::new(DRAWS))
        .with_inputs(fresh)
        .bench_local_values(|mut floor| now(floor.exact(black_box(DRAWS))));
}

#[divan::bench(args = cases(), sample_count = 50)]
fn measures(bencher: Bencher<'_, '_>, case: &Case) {
    measure(bencher, case, &case.counts(case.draws()));
}

#[divan::bench(args = cases(), sample_count = 50)]
fn measures_strays(bencher: Bencher<'_, '_>, case: &Case) {
    measure(bencher, case, &case.counts(case.strays()));
}

fn measure(bencher: Bencher<'_, '_>, case: &Case, counts: &DrawCounts) {
    bencher.bench_local(|| measure_truth(&case.truth, black_box(counts), None));
}

#[divan::bench(args = cases(), sample_count = 10)]
fn first_measures(bencher: Bencher<'_, '_>, case: &Case) {
    let counts = case.counts(case.draws());
    bencher
        .with_inputs(|| Truth::of(case.target.as_ref()))
        .bench_local_values(|truth| measure_truth(&truth, black_box(&counts), None));
}

/// Number of chains, and of draws of each.
const CHAINS: usize = 4;
const ROWS: u64 = 50_000;

/// Autocorrelated draws that spread over the target's view.
fn series(case: &Case) -> Series {
    let mut stream = Stream::derive(2, Purpose::Chain, 0, 0);
    let mut at = [[0.0; 2]; CHAINS];
    let mut series = Series::new(CHAINS);
    let size = case.target.info().view.size();
    for row in 1..=ROWS {
        for at in &mut at {
            let (first, second) = stream.normal_pair();
            *at = [0.95 * at[0] + 0.1 * size.x * first, 0.95 * at[1] + 0.1 * size.y * second];
        }
        series.push(row, Some(row / 1000), 1.0, |chain| at[chain]);
    }
    series
}

#[divan::bench(args = cases(), sample_count = 10)]
fn chains(bencher: Bencher<'_, '_>, case: &Case) {
    let series = series(case);
    let collected = CHAINS as u64 * ROWS;
    bencher.counter(ItemsCount::new(collected)).bench_local(|| {
        let (truth, series) = (&case.truth, black_box(&series));
        let totals = Totals::default();
        now(measure_chains(&ChainInput { truth, series, collected, totals, diverged: 0, acceptance: None }))
    });
}

#[divan::bench(args = cases().take(1), sample_count = 20)]
fn one_autocorrelation(bencher: Bencher<'_, '_>, case: &Case) {
    let series = series(case);
    bencher.bench_local(|| autocorrelation(black_box(&series.coordinate(0)), 1000));
}

/// A session of two runs that have collected ten million draws each, floors up to date.
#[expect(clippy::expect_used, reason = "a built-in lesson, which the tests read")]
fn long_session() -> Session {
    let lesson = Lesson::find("authors-code").expect("a lesson of that name");
    let mut scenario: Scenario = lesson.scenario().expect("a scenario");
    for run in &mut scenario.runs {
        for (key, value) in [("chains", 1024.0), ("steps", 10_000.0)] {
            run.settings.set(key, Value::Number(value)).expect("a key of every method");
        }
    }
    let mut session = Session::new(scenario).expect("a scenario that can be built");
    session.advance(u64::MAX);
    while session.refresh_measures() {}
    session
}

#[divan::bench(sample_count = 50)]
fn refresh(bencher: Bencher<'_, '_>) {
    let mut session = long_session();
    bencher.bench_local(|| session.refresh_measures());
}

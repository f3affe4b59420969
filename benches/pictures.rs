//! Pictures of exact distributions that follow a slider: `cargo bench --bench pictures`.
//!
//! What the window computes on the coarse grid for its first picture after a change of α in Instant: the box, the operators of the steps, and the
//! steps themselves as far as one picture goes. Each picture has another α, so that nothing is left of the one before. The window is to
//! follow with ten pictures a second, 100 ms for each.
//!
//! - `line`: a Langevin run of 1000 steps on the double well.
//! - `product`: cyclical SGLD on the 25 Gaussians, a run of three cycles, and the thirty cycles of the authors' code, of which one picture has
//!   the first steps.
//! - `stationary`: the stationary distributions of constant step sizes on both targets.

#![expect(clippy::expect_used, reason = "a benchmark that cannot begin has no result")]

use std::path::Path;

use divan::{Bencher, black_box};
use sampler_lab::distributions::{Computable, Course, Followed};
use sampler_lab::scenario;

/// Work between two pictures, as the window has it (crates/draw/src/canvas/exact.rs).
const WORK: f64 = 4e7;

/// Step sizes along the way of a slider, relative to the first one.
const MOVES: [f64; 8] = [1.0, 0.99, 0.98, 0.97, 0.96, 0.95, 0.94, 0.93];

fn main() {
    divan::main();
}

/// A run, with `ALPHA` where its step size is and `COUNT` where its number of cycles is.
#[derive(Clone, Copy)]
struct Case {
    target: &'static str,
    alpha: f64,
    steps: u64,
    cycles: u64,
    run: &'static str,
}

const LINE: Case = Case {
    target: "double-well",
    alpha: 0.05,
    steps: 1000,
    cycles: 0,
    run: "method = \"langevin\"\nstart = { kind = \"point\", x = 1.0, y = 0.0 }\nstep_size = { kind = \"constant\", value = ALPHA }",
};

const CONSTANT: Case = Case { target: "gaussian-grid", ..LINE };

/// The settings of the authors' code, with so many cycles of their length.
fn authors(cycles: u64) -> Case {
    Case { target: "gaussian-grid", alpha: 0.07, steps: cycles * 5000 / 3, cycles, run: CYCLES }
}

const CYCLES: &str = "method = \"csgld\"\nstart = { kind = \"uniform\", low = -10.0, high = 10.0 }\ngradient = { kind = \"noisy\", variance = 1.0, compensate = true }\nstep_size = { kind = \"cyclical\", initial = ALPHA, cycles = COUNT, rounding = \"exact\", exploration_steps = 50, exploration_noise = true }";

impl Case {
    fn computable(&self, alpha: f64) -> Computable {
        let Self { target, steps, cycles, run, .. } = self;
        let run = run.replace("ALPHA", &alpha.to_string()).replace("COUNT", &cycles.to_string());
        let text = format!(
            "format = 1\ntitle = \"x\"\nseed = 1\n[target]\nkind = \"{target}\"\n[[run]]\nname = \"A\"\nchains = 1\nsteps = {steps}\n{run}\n"
        );
        let scenario = scenario::read(&text, "bench.toml", Path::new(".")).expect("a scenario");
        let experiment = scenario.build().expect("an experiment");
        Computable::new(&experiment, 0).expect("a distribution")
    }
}

fn picture(bencher: Bencher, case: Case, followed: Followed) {
    let mut moves = MOVES.into_iter().cycle();
    bencher.with_inputs(|| case.computable(case.alpha * moves.next().unwrap_or(1.0))).bench_local_values(|of| {
        let mut course = Course::new(of, followed, &mut || true).expect("a box");
        black_box(course.towards(case.steps, WORK, &mut || true).expect("a picture"))
    });
}

#[divan::bench(args = [Followed::Now, Followed::Collected], sample_count = 20, sample_size = 1)]
fn line(bencher: Bencher, followed: Followed) {
    picture(bencher, LINE, followed);
}

#[divan::bench(args = [(3, Followed::Now), (3, Followed::Collected), (30, Followed::Now), (30, Followed::Collected)], sample_count = 20, sample_size = 1)]
fn product(bencher: Bencher, (cycles, followed): (u64, Followed)) {
    picture(bencher, authors(cycles), followed);
}

#[divan::bench(args = ["double-well", "gaussian-grid"], sample_count = 20, sample_size = 1)]
fn stationary(bencher: Bencher, target: &str) {
    picture(bencher, if target == LINE.target { LINE } else { CONSTANT }, Followed::Stationary);
}

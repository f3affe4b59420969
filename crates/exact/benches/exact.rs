//! Cost of exact distributions: `cargo bench -p sampler-exact`.
//!
//! - `line_step`: a step on the line with its operator, of the 25 Gaussians at half of their hottest step, by nodes; an item is a step.
//! - `cycle_matrix`: the matrix of modes of a cycle of 1667 steps, by nodes. The window asks for ten a second with 512.
//! - `plane_step`: a step in the plane with an operator that is there, on the three modes, by nodes along an axis.
//! - `plane_operator`: making that operator.
//! - `long_run`: stationary distribution and second eigenvalue of the double well.

#![expect(clippy::expect_used, reason = "a benchmark that cannot begin has no result")]

use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;

use base::math::{Bounds, Point};
use base::params::{Settings, find_kind};
use divan::Bencher;
use models::targets::{self, Density, TARGETS};
use sampler_exact::modes::Modes;
use sampler_exact::{Line, Noise, Plane, PlaneTransition, Section, Step, Transitions, long_run};
use samplers::schedules::{Cyclical, Exploration};

fn main() {
    divan::main();
}

fn density(kind: &str) -> Arc<dyn Density> {
    let target =
        find_kind(&TARGETS, kind).and_then(|kind| targets::build(&Settings::defaults(kind), Path::new(".")).ok());
    Arc::clone(target.as_ref().and_then(|target| target.density()).expect("a density"))
}

fn line(kind: &str, half: f64, nodes: usize) -> Line {
    let section = Section::new(density(kind), 0, Point::zeros());
    Line::new(Arc::new(section), -half, half, nodes).expect("a grid")
}

fn cycle() -> Vec<Step> {
    let schedule = Cyclical::exact(0.07, 50_000, 30, Exploration::Steps(50), true);
    Noise::LANGEVIN.steps(&schedule, 1, 1667).map(|(step, _)| step).collect()
}

#[divan::bench(args = [512, 1024, 2048])]
fn line_step(bencher: Bencher, nodes: usize) {
    let line = line("gaussian-grid", 8.0, nodes);
    let step = Noise::LANGEVIN.step(0.035, true);
    let mut transitions = Transitions::new(&line);
    let mut masses = [line.normal(0.0, 1.0)];
    bencher.bench_local(|| transitions.step(step).expect("a step").push(black_box(&mut masses)));
}

#[divan::bench(args = [512, 1024], sample_count = 10, sample_size = 1)]
fn cycle_matrix(bencher: Bencher, nodes: usize) {
    let line = line("gaussian-grid", 8.0, nodes);
    let modes = Modes::nearest(&[-4.0, -2.0, 0.0, 2.0, 4.0]);
    let steps = cycle();
    bencher.bench_local(|| black_box(modes.matrix(&line, steps.iter().copied())));
}

fn plane(nodes: usize) -> Plane {
    Plane::new(density("three-modes"), Bounds::new((-10.0, 10.0), (-10.0, 10.0)), nodes, nodes).expect("a grid")
}

/// s of a spacing or less, and s of five spacings.
const BLURS: [(usize, f64); 4] = [(256, 0.00125), (256, 0.07), (512, 0.00125), (512, 0.07)];

#[divan::bench(args = BLURS, sample_count = 20, sample_size = 1)]
fn plane_step(bencher: Bencher, (nodes, alpha): (usize, f64)) {
    let plane = plane(nodes);
    let transition = PlaneTransition::new(&plane, Noise::LANGEVIN.step(alpha, true)).expect("a step");
    let mut masses = plane.normal(Point::zeros(), 1.0);
    bencher.bench_local(|| transition.push(black_box(&mut masses)));
}

#[divan::bench(args = BLURS, sample_count = 20, sample_size = 1)]
fn plane_operator(bencher: Bencher, (nodes, alpha): (usize, f64)) {
    let plane = plane(nodes);
    bencher.bench_local(|| black_box(PlaneTransition::new(&plane, Noise::LANGEVIN.step(alpha, true)).is_ok()));
}

#[divan::bench(sample_count = 10, sample_size = 1)]
fn double_well(bencher: Bencher) {
    let line = line("double-well", 3.0, 512);
    let transition = Transitions::new(&line).step(Noise::LANGEVIN.step(0.01, true)).expect("a step");
    let truth = line.truth().expect("a truth").nodes;
    bencher.bench_local(|| black_box(long_run(&transition, &truth).is_ok()));
}

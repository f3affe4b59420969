//! Time from the start to a picture: `cargo bench --bench startup`.
//!
//! - `session`: builds the session of every lesson, before its first step.
//! - `worker`: starts the thread of the session, until the first frame with steps.
//! - `window`: the window's first frame, laid out and turned into triangles, without a display.
//! - `render`: the program itself, from the command line to a file with the picture of a finished lesson.

use std::path::Path;
use std::process::Command;
use std::sync::mpsc::channel;

use divan::Bencher;
use egui_kittest::Harness;
use sampler_lab::app::App;
use sampler_lab::scenario::{LESSONS, Lesson, Scenario};
use sampler_lab::session::Session;
use sampler_lab::worker::{Pacing, Worker};

/// The lesson in the window if no scenario is named.
const DEFAULT: &str = "authors-code";

fn main() {
    divan::main();
}

fn names() -> impl Iterator<Item = &'static str> {
    LESSONS.iter().map(|lesson| lesson.name)
}

fn scenario(name: &str) -> Option<Scenario> {
    Lesson::find(name)?.scenario().ok()
}

#[divan::bench(args = names(), sample_count = 5, sample_size = 1)]
fn session(name: &str) -> Option<Session> {
    Session::new(scenario(name)?).ok()
}

#[divan::bench(args = names(), sample_count = 5, sample_size = 1)]
fn worker(name: &str) -> Option<Worker> {
    let (wake, woken) = channel();
    let worker = Worker::start(scenario(name)?, Pacing::Watch, true, move || wake.send(()).unwrap_or(())).ok()?;
    while worker.status().frame.step == 0 {
        woken.recv().ok()?;
    }
    Some(worker)
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn window() -> Option<usize> {
    let scenario = scenario(DEFAULT)?;
    let builder = Harness::builder().with_size([1440.0, 900.0]);
    let mut window = builder.build_eframe(move |cc| App::new(cc, scenario, None).unwrap_or_else(|_| unreachable()));
    window.step();
    let shapes = window.output().shapes.clone();
    Some(window.ctx.tessellate(shapes, 1.0).len())
}

/// Never called: built-in lessons are valid.
fn unreachable() -> ! {
    unreachable!("lessons are valid scenarios")
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn render(bencher: Bencher<'_, '_>) {
    let Ok(folder) = tempfile::tempdir() else { return };
    let out = folder.path().join("figure.png");
    bencher.bench_local(|| rendered(&out));
}

/// Runs the program and returns whether it succeeds.
fn rendered(out: &Path) -> bool {
    let program = env!("CARGO_BIN_EXE_sampler-lab");
    let status = Command::new(program).args(["render", DEFAULT, "--size", "1600x1000", "--out"]).arg(out).status();
    status.is_ok_and(|status| status.success())
}

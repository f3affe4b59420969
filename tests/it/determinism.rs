//! A run is a function of its scenario: threads, batch sizes and detours through time change no bit.

use std::path::Path;
use std::time::{Duration, Instant};

use sampler_lab::params::Value;
use sampler_lab::scenario::{self, Scenario};
use sampler_lab::session::{Command, Draw, Session};
use sampler_lab::worker::{Order, Worker};

/// Several blocks of chains, minibatches in every order, noise, cycles and a parameter changed on the way.
const SCENARIO: &str = r#"
format = 1
title = "Everything at once"
seed = 7

[target]
kind = "bivariate-mixture"

[[run]]
name = "random"
method = "sgld"
chains = 300
steps = 700
start = { kind = "uniform", low = -1.0, high = 1.0 }
gradient = { kind = "minibatch", size = 3, order = "random" }
step_size = { kind = "polynomial", a = 0.004, b = 10.0, gamma = 0.55 }

[[run]]
name = "cycles"
method = "csgld"
chains = 3
steps = 2500
gradient = { kind = "minibatch", size = 7, order = "shuffled" }
step_size = { kind = "cyclical", initial = 0.004, cycles = 7, exploration = 0.25, exploration_noise = true }
collect = { weighted = true }

[[run]]
name = "one"
method = "sgld"
steps = 2500
gradient = { kind = "noisy", variance = 4.0, compensate = true }
step_size = { kind = "constant", value = 0.002 }

[[event]]
run = "one"
step = 1234
set = { "step_size.value" = 0.004 }
"#;

fn everything() -> Scenario {
    scenario::read(SCENARIO, "everything.toml", Path::new(".")).unwrap()
}

fn draws(session: &Session) -> Vec<Vec<(usize, u64, u64, u64)>> {
    let bits = |draw: Draw| (draw.chain, draw.step, draw.at.x.to_bits(), draw.at.y.to_bits());
    session.frame().runs.iter().map(|run| run.history.iter().map(bits).collect()).collect()
}

fn finished(advance: impl Fn(&mut Session)) -> Session {
    let mut session = Session::new(everything()).unwrap();
    while !session.finished() {
        advance(&mut session);
    }
    session.measure_exactly();
    session
}

fn same(left: &Session, right: &Session) {
    assert_eq!(draws(left), draws(right));
    for (left, right) in left.frame().runs.iter().zip(&right.frame().runs) {
        assert_eq!(left.measures, right.measures);
        assert_eq!(left.moments, right.moments);
        assert_eq!(left.collected, right.collected);
        assert_eq!(left.cloud, right.cloud);
        assert!((left.gradient_evaluations - right.gradient_evaluations).abs() < 1e-6);
    }
}

#[test]
fn batch_sizes_change_no_bit() {
    let whole = finished(|session| session.advance(u64::MAX));
    same(&whole, &finished(|session| session.advance(1)));
    same(&whole, &finished(|session| session.advance(97)));
}

#[test]
fn threads_change_no_bit() {
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| finished(|session| session.advance(500)))
    };
    same(&with(1), &with(2));
    same(&with(1), &with(5));
}

#[test]
fn going_back_in_time_changes_no_bit() {
    let whole = finished(|session| session.advance(u64::MAX));
    let mut session = finished(|session| session.advance(u64::MAX));
    for step in [2000, 1700, 1000, 3, 0, 2499, 1233, 1235] {
        session.apply(Command::Seek(step)).unwrap();
        assert_eq!(session.step(), step);
        let recorded = session.frame().runs.iter().all(|run| run.records.is_empty() == (run.step == 0));
        assert!(recorded, "the newest step is recorded, whatever way led to it");
    }
    session.advance(u64::MAX);
    session.measure_exactly();
    same(&whole, &session);
}

#[test]
fn a_change_while_running_is_saved_and_runs_again() {
    let mut live = Session::new(everything()).unwrap();
    live.advance(1000);
    let value = Value::Number(0.001);
    live.apply(Command::Set { run: 1, path: "step_size.initial".to_owned(), value }).unwrap();
    live.advance(u64::MAX);
    live.measure_exactly();
    let text = scenario::write(live.scenario());
    let again = scenario::read(&text, "saved.toml", Path::new(".")).unwrap();
    assert_eq!(again.events.len(), 2);
    let mut replayed = Session::new(again).unwrap();
    replayed.advance(u64::MAX);
    replayed.measure_exactly();
    same(&live, &replayed);
}

#[test]
fn the_worker_makes_the_same_run() {
    let whole = finished(|session| session.advance(u64::MAX));
    let worker = Worker::start(everything(), true, || {}).unwrap();
    worker.send(Order::Play);
    let begun = Instant::now();
    while worker.status().frame.step < worker.status().frame.total || worker.status().playing {
        assert!(begun.elapsed() < Duration::from_secs(60), "the worker does not finish");
        std::thread::sleep(Duration::from_millis(5));
    }
    let status = worker.status();
    for (left, right) in whole.frame().runs.iter().zip(&status.frame.runs) {
        let bits = |draw: Draw| (draw.chain, draw.step, draw.at.x.to_bits(), draw.at.y.to_bits());
        assert!(left.history.iter().map(bits).eq(right.history.iter().map(bits)));
    }
}

#[test]
fn another_seed_is_another_run() {
    let mut session = Session::new(everything()).unwrap();
    session.advance(50);
    let before = draws(&session);
    session.apply(Command::Reseed(8)).unwrap();
    session.advance(50);
    assert_ne!(before, draws(&session));
    session.apply(Command::Reseed(7)).unwrap();
    session.advance(50);
    assert_eq!(before, draws(&session));
}

//! Determinism: a run is a function of its scenario. Threads, batch sizes and going back change no bit.

use std::path::Path;
use std::time::{Duration, Instant};

use sampler_lab::math::Simd;
use sampler_lab::params::Value;
use sampler_lab::scenario::{self, Edit, Scenario};
use sampler_lab::session::{Command, History, Session};
use sampler_lab::targets::TARGETS;
use sampler_lab::worker::{Order, Pacing, Worker};

/// Several blocks of chains, minibatches in every order, noise, cycles and a parameter that changes during the run.
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

[[event]]
run = "cycles"
step = 1500
set = { method = "sgld", "collect.thin" = 2 }

[[event]]
run = "one"
step = 1600
set = { steps = 2600 }

[[event]]
step = 1800
[event.target]
kind = "gaussian"
correlation = 0.5

[[event]]
run = "cycles"
step = 1800
set = { gradient = { kind = "exact" } }
"#;

fn everything() -> Scenario {
    scenario::read(SCENARIO, "everything.toml", Path::new(".")).unwrap()
}

/// Steps and bits of all positions, row by row.
fn positions(history: &History) -> Vec<(u64, Option<[u64; 2]>)> {
    let bits = |row, chain| history.position(row, chain).map(|at| [at.x.to_bits(), at.y.to_bits()]);
    let row = |row| (0..history.chains()).map(move |chain| (history.step(row), bits(row, chain)));
    (0..history.rows()).flat_map(row).collect()
}

fn draws(session: &Session) -> Vec<Vec<(u64, Option<[u64; 2]>)>> {
    session.frame().runs.iter().map(|run| positions(&run.history)).collect()
}

fn finished(advance: impl Fn(&mut Session)) -> Session {
    finished_with(Simd::widest(), everything(), advance)
}

fn finished_with(simd: Simd, scenario: Scenario, advance: impl Fn(&mut Session)) -> Session {
    let mut session = Session::with_simd(scenario, simd).unwrap();
    while !session.finished() {
        advance(&mut session);
    }
    // Without complete noise floors, which take longer than the runs: the golden test has them.
    session.refresh_measures();
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

/// All densities with many chains and with one, on every instruction set of this machine, on one thread and two in turns.
#[test]
fn instructions_change_no_bit() {
    for kind in TARGETS.iter().filter(|kind| kind.name != "topics") {
        let runs: String = [1, 5, 150].map(run_of).concat();
        let text = format!("format = 1\ntitle = \"{0}\"\nseed = 3\n[target]\nkind = \"{0}\"\n{runs}", kind.name);
        let scenario = scenario::read(&text, "instructions.toml", Path::new(".")).unwrap();
        let narrow = finished_with(Simd::BASELINE, scenario.clone(), |session| session.advance(u64::MAX));
        for (simd, threads) in Simd::available().zip([1, 2].into_iter().cycle()) {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let advance = |session: &mut Session| session.advance(130);
            same(&narrow, &pool.install(|| finished_with(simd, scenario.clone(), advance)));
        }
    }
    same(
        &finished_with(Simd::BASELINE, everything(), |session| session.advance(u64::MAX)),
        &finished(|session| session.advance(u64::MAX)),
    );
}

fn run_of(chains: usize) -> String {
    format!(
        "[[run]]\nname = \"{chains}\"\nmethod = \"csgld\"\nchains = {chains}\nsteps = 400\n\
         step_size = {{ kind = \"cyclical\", initial = 0.001, cycles = 3 }}\n"
    )
}

#[test]
fn going_back_in_time_changes_no_bit() {
    let whole = finished(|session| session.advance(u64::MAX));
    let mut session = finished(|session| session.advance(u64::MAX));
    for step in [2000, 1700, 1800, 1799, 1000, 3, 0, 2499, 1233, 1235] {
        session.apply(Command::Seek(step)).unwrap();
        assert_eq!(session.step(), step);
        let recorded = session.frame().runs.iter().all(|run| run.records.is_empty() == (run.step == 0));
        assert!(recorded, "the newest step is recorded, however it was reached");
    }
    session.advance(u64::MAX);
    session.refresh_measures();
    same(&whole, &session);
}

#[test]
fn a_change_during_a_run_is_saved_and_can_be_replayed() {
    let mut live = Session::new(everything()).unwrap();
    live.advance(1000);
    let value = Value::Number(0.001);
    live.edit(Edit::Set { run: 1, path: "step_size.initial".to_owned(), value }).unwrap();
    live.advance(u64::MAX);
    live.refresh_measures();
    let text = scenario::write(live.scenario());
    let again = scenario::read(&text, "saved.toml", Path::new(".")).unwrap();
    assert_eq!(again.events.len(), everything().events.len() + 1);
    let mut replayed = Session::new(again).unwrap();
    replayed.advance(u64::MAX);
    replayed.refresh_measures();
    same(&live, &replayed);
}

#[test]
fn the_worker_computes_the_same_run() {
    let whole = finished(|session| session.advance(u64::MAX));
    let worker = Worker::start(everything(), Pacing::Watch, true, || {}).unwrap();
    worker.send(Order::Play);
    let begun = Instant::now();
    while worker.status().frame.step < worker.status().frame.total || worker.status().playing {
        assert!(begun.elapsed() < Duration::from_secs(60), "the worker does not finish");
        std::thread::sleep(Duration::from_millis(5));
    }
    let status = worker.status();
    for (left, right) in whole.frame().runs.iter().zip(&status.frame.runs) {
        assert_eq!(positions(&left.history), positions(&right.history));
    }
}

#[test]
fn another_seed_is_another_run() {
    let mut session = Session::new(everything()).unwrap();
    session.advance(50);
    let before = draws(&session);
    session.edit(Edit::Reseed(8)).unwrap();
    session.advance(50);
    assert_ne!(before, draws(&session));
    session.edit(Edit::Reseed(7)).unwrap();
    session.advance(50);
    assert_eq!(before, draws(&session));
}

/// In ten dimensions: several blocks, minibatches, chains that diverge, approximations, and a target that changes.
const REGRESSION: &str = r#"
format = 1
title = "Ten weights"
seed = 11

[target]
kind = "linear-regression"

[[run]]
name = "minibatches"
method = "sgld"
chains = 200
steps = 700
gradient = { kind = "minibatch", size = 7, order = "shuffled" }
step_size = { kind = "constant", value = 2e-4 }

[[run]]
name = "too far"
method = "sghmc"
chains = 3
steps = 700
start = { kind = "uniform", low = -2.0, high = 2.0 }
step_size = { kind = "constant", value = 0.01 }

[[run]]
name = "hmc"
method = "hmc"
chains = 9
steps = 300
start = { kind = "target" }
step_size = { kind = "constant", value = 0.02 }

[[run]]
name = "vi"
method = "gaussian-vi"
family = "full-rank"
steps = 500

[[event]]
step = 400
[event.target]
kind = "linear-regression"
noise_sd = 0.8
shown_y = 7
"#;

#[test]
fn chains_in_many_dimensions_are_a_function_of_the_scenario() {
    let scenario = || scenario::read(REGRESSION, "regression.toml", Path::new(".")).unwrap();
    let run = |advance: &dyn Fn(&mut Session)| finished_with(Simd::widest(), scenario(), advance);
    let whole = run(&|session| session.advance(u64::MAX));
    let steps = run(&|session| session.advance(23));
    let back = run(&|session| {
        session.advance(u64::MAX);
        session.apply(Command::Seek(123)).unwrap();
        session.apply(Command::Seek(430)).unwrap();
        session.advance(u64::MAX);
    });
    let plain = finished_with(Simd::BASELINE, scenario(), |session| session.advance(u64::MAX));
    for other in [&steps, &back, &plain] {
        same(&whole, other);
        for (left, right) in whole.frame().runs.iter().zip(&other.frame().runs) {
            let bits = |run: &sampler_lab::session::RunFrame| -> Vec<(u64, Vec<u64>)> {
                let at =
                    |at: &sampler_lab::session::VectorsAt| at.positions.values().iter().map(|v| v.to_bits()).collect();
                run.vectors.iter().map(|vectors| (vectors.step, at(vectors))).collect()
            };
            assert_eq!(bits(left), bits(right), "{}", left.plan.name);
            assert_eq!(left.diverged, right.diverged);
            assert!(left.vectors.iter().all(|vectors| vectors.positions.dimension() == 10));
        }
    }
    let frame = whole.frame();
    assert!(frame.runs[1].diverged.len() == 3 && frame.runs[0].diverged.is_empty());
    assert_eq!(frame.runs[0].vectors[0].positions.len(), 200);
}

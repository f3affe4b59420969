//! Tests of what is kept of topics, in which order it is measured, and of the time that steps took.

use std::cell::Cell;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::measured::coarse_to_fine;
use super::{ChainTopics, MOST_NUMBERS, TopicsAt, stride};
use crate::scenario::{Edit, Scenario, read};
use crate::session::{Command, Frame, RunFrame, Session, Spending, Stop};
use samplers::methods::Stopwatch;

#[test]
fn the_newest_moment_comes_first_and_then_ever_finer_ones() {
    let order = |last, stride| {
        let mut order: Vec<usize> = Vec::new();
        for index in coarse_to_fine(last, stride) {
            if !order.contains(&index) {
                order.push(index);
            }
        }
        order
    };
    assert_eq!(order(9, 1), [9, 0, 8, 4, 2, 6, 1, 3, 5, 7]);
    assert_eq!(order(9, 4), [9, 0, 8, 4]);
    assert_eq!(order(0, 1), [0]);
    assert_eq!(order(2, 8), [2, 0]);
}

/// 64 chains with 10 topics over 5000 words: 5 steps would fit into memory, and 8 are kept all the same.
#[test]
fn all_topics_that_are_kept_have_a_bound() {
    assert_eq!(stride(500, 250), 1);
    assert_eq!(stride(800, 250), 2);
    assert_eq!(stride(800, MOST_NUMBERS / 100), 8);
    assert_eq!(stride(800, 64 * 10 * 5000), 128);
}

/// A run of two chains that takes long, and another.
const TIMED: &str = "format = 1\nseed = 3\n[target]\nkind = \"topics\"\n\
    corpus = { kind = \"bars\", side = 4, documents = 60 }\n\
    [[run]]\nname = \"SVI\"\nmethod = \"svi\"\nchains = 2\nsteps = 200\ngradient = { kind = \"minibatch\", size = 10 }\n\
    [[run]]\nname = \"Gibbs\"\nmethod = \"collapsed-gibbs\"\nsteps = 200\n";

fn scenario(text: &str) -> Scenario {
    read(text, "timed.toml", Path::new(".")).unwrap()
}

/// A stopwatch on which a millisecond passes between two readings of a thread: every chunk of a chain takes one.
fn millisecond() -> Stopwatch {
    thread_local! {
        static READINGS: Cell<u32> = const { Cell::new(0) };
    }
    Stopwatch::new(|| Duration::from_millis(1) * READINGS.with(|readings| readings.replace(readings.get() + 1)))
}

fn timed(text: &str) -> Session {
    Session::timed(scenario(text), millisecond()).unwrap()
}

fn seconds(frame: &Frame, run: usize) -> &Spending {
    frame.runs[run].seconds.as_deref().unwrap()
}

fn topics(run: &RunFrame) -> Vec<(u64, Vec<Arc<ChainTopics>>)> {
    run.topics.iter().map(|at| (at.step, at.chains.clone())).collect()
}

#[test]
fn the_time_of_a_run_is_that_of_the_steps_of_its_chains() {
    let mut session = timed(TIMED);
    assert_eq!(seconds(&session.frame(), 0).end().to_bits(), 0.0_f64.to_bits());
    for chunks in 1..=7_u32 {
        session.advance(1);
        let frame = session.frame();
        for (run, chains) in [(0, 2.0), (1, 1.0)] {
            let (found, expected) = (seconds(&frame, run).end(), 1e-3 * f64::from(chunks) * chains);
            assert!((found - expected).abs() < 1e-12, "run {run}: {found}, not {expected}");
            assert!((frame.runs[run].topics.last().unwrap().seconds - expected).abs() < 1e-12);
        }
    }
}

/// A moment that is computed again has a new time with it, which is that of its checkpoint and of the steps from there.
#[test]
fn time_grows_from_moment_to_moment_on_every_way() {
    let mut session = timed(TIMED);
    for step in [60, 11, 12, 150, 149, 0, 3, 200, 97, 200] {
        session.apply(Command::Seek(step)).unwrap();
        let frame = session.frame();
        for run in &frame.runs {
            assert!(run.topics.is_sorted_by(|before: &Arc<TopicsAt>, after| before.seconds < after.seconds));
            assert_eq!(run.topics[0].seconds.to_bits(), 0.0_f64.to_bits());
            assert_eq!(run.topics.last().unwrap().step, step);
            let knots = run.seconds.as_ref().unwrap();
            for at in run.topics.iter() {
                assert!((knots.at(at.step as f64) - at.seconds).abs() <= 1e-9 * at.seconds, "{step}: {at:?}");
            }
        }
    }
}

#[test]
fn without_a_stopwatch_there_is_no_time_and_with_one_nothing_else_is_different() {
    let (mut plain, mut with) = (Session::new(scenario(TIMED)).unwrap(), timed(TIMED));
    for step in [40, 17, 200] {
        for session in [&mut plain, &mut with] {
            session.apply(Command::Seek(step)).unwrap();
            session.analyse();
            session.measure_exactly();
        }
        for (plain, with) in plain.frame().runs.iter().zip(&with.frame().runs) {
            assert!(plain.seconds.is_none() && with.seconds.is_some());
            assert!(plain.topics.iter().all(|at| at.seconds.to_bits() == 0));
            assert_eq!(topics(plain), topics(with));
            assert_eq!(plain.analysis.topics, with.analysis.topics);
            assert_eq!((&plain.measures, &plain.spending), (&with.measures, &with.spending));
        }
    }
    let densities =
        "format = 1\n[target]\nkind = \"gaussian\"\n[[run]]\nname = \"a\"\nmethod = \"langevin\"\nsteps = 9\n";
    let mut others = timed(densities);
    others.advance(9);
    assert!(others.frame().runs[0].seconds.is_none(), "only topics are timed");
}

/// Whatever the commands of a session, it goes on to time its runs; those that start again begin at zero.
#[test]
fn edits_keep_the_stopwatch() {
    let mut session = timed(TIMED);
    let other = TIMED.replace("documents = 60", "documents = 50");
    for edit in [Edit::Reseed(9), Edit::Load(Box::new(scenario(&other)))] {
        session.advance(30);
        assert!(seconds(&session.frame(), 0).end() > 0.0);
        session.edit(edit).unwrap();
        assert_eq!(session.step(), 0);
        assert_eq!(seconds(&session.frame(), 0).end().to_bits(), 0.0_f64.to_bits());
    }
}

#[test]
fn steps_that_are_stopped_take_no_time() {
    let mut session = timed(&TIMED.replace("documents = 60", "documents = 40000").replace("chains = 2", "chains = 40"));
    assert!(session.has_long_steps());
    session.advance(2);
    let before = seconds(&session.frame(), 0).end();
    let stop = Stop::default();
    stop.set();
    assert!(!session.advance_unless(&stop, 3));
    assert_eq!(seconds(&session.frame(), 0).end().to_bits(), before.to_bits());
    stop.clear();
    assert!(session.advance_unless(&stop, 1));
    assert!(seconds(&session.frame(), 0).end() > before);
}

//! Workers that receive orders, without a window.

use std::path::Path;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::{Order, Pacing, Speed, Status, Worker};
use crate::scenario::{Edit, Scenario, read};
use crate::session::{Clock, Command, Session};
use base::params::Value;
use base::platform::Instant;

/// Two runs of different lengths; a few milliseconds' work.
const SHORT: &str = r#"
format = 1
title = "Two runs"
seed = 7
[target]
kind = "gaussian-grid"
[[run]]
name = "SGLD"
method = "sgld"
steps = 3000
step_size = { kind = "constant", value = 0.01 }
[[run]]
name = "cSGLD"
method = "csgld"
steps = 2000
"#;

fn scenario(text: &str) -> Scenario {
    read(text, "test", Path::new(".")).unwrap()
}

/// Many seconds of work on any machine: more than anybody waits for in these tests, on a busy machine too.
fn long() -> Scenario {
    let text = SHORT.replace("steps = 3000", "steps = 5000000\nchains = 200").replace("steps = 2000", "steps = 1000");
    scenario(&text)
}

/// A sweep of it takes some seconds.
const SWEEPS: &str = r#"
format = 1
seed = 1
[target]
kind = "topics"
topics = 200
corpus = { kind = "bars", documents = 50000, held_out = 0 }
[[run]]
name = "Gibbs"
method = "collapsed-gibbs"
steps = 20
"#;

/// A pause does not wait for the end of a step that takes long: the step is left out.
#[test]
fn a_long_step_makes_way_for_a_pause() {
    let mut watched = Watched::start(scenario(SWEEPS), Pacing::Watch, true);
    watched.until("a step", |status| status.stepping);
    let paused = watched.worker.send(Order::Pause);
    let status = watched.until("a pause", |status| status.obeyed >= paused);
    assert_eq!((status.frame.step, status.playing, status.stepping), (0, false, false));
    // It is there again, and can be stopped again; and one step forward is work out of sight.
    watched.worker.send(Order::Step(1));
    watched.until("the first step", |status| status.frame.step == 1 && !status.stepping);
}

/// Runs on topics are shown before they are finished: while a slider moves faster than runs can be finished, and while the last of
/// them is computed.
#[test]
fn unfinished_topics_are_coarse_pictures() {
    let text = SWEEPS.replace("topics = 200", "").replace("50000", "1000").replace("collapsed-gibbs", "svi");
    let mut watched = Watched::start(scenario(&text.replace("steps = 20", "steps = 100000")), Pacing::Instant, true);
    let shown =
        |status: &Status| (status.computing.is_some() && status.frame.step > 0).then_some(status.frame.generation);
    let (mut pictures, begun) = (Vec::new(), Instant::now());
    for moves in 1.. {
        let value = Value::Number(0.7 + 1e-5 * f64::from(moves));
        let path = "step_size.gamma".to_owned();
        watched.worker.send(edit(Edit::Set { run: 0, path, value }));
        std::thread::sleep(Duration::from_millis(20));
        pictures.extend(shown(&watched.worker.status()));
        pictures.dedup();
        if pictures.len() > 3 {
            break;
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "{pictures:?}");
    }
    let settled = watched.worker.send(Order::Speed(Speed::Full));
    let newest = watched.until("the newest run", |status| status.obeyed >= settled && shown(status).is_some());
    let later = watched.until("more of it", |status| status.frame.step > newest.frame.step);
    assert!(!later.frame.finished() && later.frame.generation == newest.frame.generation);
}

fn edit(edit: Edit) -> Order {
    Order::Session(Command::Edit(edit))
}

fn set(value: f64) -> Order {
    edit(Edit::Set { run: 0, path: "step_size.value".to_owned(), value: Value::Number(value) })
}

fn value(scenario: &Scenario) -> f64 {
    match scenario.runs[0].settings.at("step_size.value") {
        Some(Value::Number(value)) => *value,
        other => panic!("no step size but {other:?}"),
    }
}

/// A worker, and every status that it has published.
struct Watched {
    worker: Worker,
    news: Receiver<()>,
    seen: Vec<Arc<Status>>,
}

impl Watched {
    fn start(scenario: Scenario, mode: Pacing, playing: bool) -> Self {
        let (sender, news) = channel();
        let sender = Mutex::new(sender);
        let wake = move || {
            sender.lock().unwrap().send(()).ok();
        };
        Self { worker: Worker::start(scenario, mode, playing, wake).unwrap(), news, seen: Vec::new() }
    }

    /// Waits for a status with a property; earlier ones are in `seen`.
    #[track_caller]
    fn until(&mut self, what: &str, holds: impl Fn(&Status) -> bool) -> Arc<Status> {
        let begun = Instant::now();
        loop {
            let status = self.worker.status();
            self.seen.push(status.clone());
            assert_eq!(status.failure, None);
            if holds(&status) {
                return status;
            }
            assert!(begun.elapsed() < Duration::from_secs(60), "no status in time: {what}");
            // Woken or not, the newest status tells.
            self.news.recv_timeout(Duration::from_millis(20)).ok();
        }
    }

    #[track_caller]
    fn obeyed(&mut self, order: Order) -> Arc<Status> {
        let number = self.worker.send(order);
        self.until("an order to be obeyed", |status| status.obeyed >= number)
    }

    fn at_end(&mut self) -> Arc<Status> {
        self.until("the end", |status| status.frame.step == status.frame.total && status.computing.is_none())
    }
}

fn finished(status: &Status) -> bool {
    status.frame.runs.iter().all(|run| run.step == run.plan.steps)
}

/// The last positions of all chains as bits.
fn ends(frame: &crate::session::Frame) -> Vec<u64> {
    let positions = frame.runs.iter().flat_map(|run| &run.positions);
    positions.flat_map(|at| [at.x.to_bits(), at.y.to_bits()]).collect()
}

#[test]
fn an_edit_in_instant_counts_from_the_first_step_and_leaves_no_event() {
    let mut watched = Watched::start(scenario(SHORT), Pacing::Watch, false);
    watched.obeyed(Order::Session(Command::Seek(1500)));
    watched.obeyed(Order::Pacing(Pacing::Instant));
    assert!(finished(&watched.at_end()), "turning it on finishes the run");
    watched.obeyed(Order::Session(Command::Seek(1500)));
    assert_eq!(watched.worker.status().frame.step, 1500, "going back shows the run at that step");
    let status = watched.obeyed(set(0.02));
    assert!(finished(&status) && !status.playing);
    assert!(status.frame.scenario.events.is_empty());
    let mut fresh = Session::new(status.frame.scenario.as_ref().clone()).unwrap();
    assert!((value(fresh.scenario()) - 0.02).abs() < 1e-12);
    fresh.advance(u64::MAX);
    assert_eq!(ends(&fresh.frame()), ends(&status.frame));
}

#[test]
fn in_instant_every_frame_is_finished_and_none_is_older_than_the_one_before() {
    let mut watched = Watched::start(scenario(SHORT), Pacing::Instant, true);
    watched.until("the first picture", finished);
    watched.seen.clear();
    let mut last = 0;
    for number in 1..=60_u32 {
        last = watched.worker.send(set(0.001 * f64::from(number)));
        std::thread::sleep(Duration::from_millis(2));
        watched.seen.push(watched.worker.status());
    }
    let status = watched.until("the last edit", |status| status.obeyed >= last);
    assert!((value(&status.frame.scenario) - 0.06).abs() < 1e-12, "the last value wins");
    assert!(watched.seen.iter().all(|status| finished(status)), "a frame that is not finished was shown");
    let edited = watched.seen.iter().filter(|status| status.obeyed > 0);
    let values: Vec<f64> = edited.map(|status| value(&status.frame.scenario)).collect();
    assert!(values.windows(2).all(|pair| pair[0] <= pair[1] + 1e-12), "an older value came after a newer: {values:?}");
    for pair in watched.seen.windows(2) {
        let [before, after] = [&pair[0], &pair[1]];
        assert!(before.obeyed <= after.obeyed && before.pictures <= after.pictures);
        assert!(before.frame.generation <= after.frame.generation);
        let same_picture = before.pictures == after.pictures;
        assert!(!same_picture || ends(&before.frame) == ends(&after.frame));
    }
}

#[test]
fn measures_come_with_the_picture() {
    let mut watched = Watched::start(scenario(SHORT), Pacing::Instant, true);
    let first = watched.until("the first picture", finished);
    let status = watched.obeyed(set(0.03));
    assert_eq!(status.pictures, first.pictures + 1);
    let mut fresh = Session::new(status.frame.scenario.as_ref().clone()).unwrap();
    fresh.advance(u64::MAX);
    fresh.refresh_measures();
    let values = |frame: &crate::session::Frame| -> Vec<Option<u64>> {
        frame.runs.iter().flat_map(|run| run.measures.iter().map(|measure| measure.value.map(f64::to_bits))).collect()
    };
    assert_eq!(values(&fresh.frame()), values(&status.frame));
}

#[test]
fn at_rest_floors_become_exact_beside_the_same_measures() {
    let measures = |session: &Session| -> Vec<crate::diagnostics::Measure> {
        session.frame().runs.iter().flat_map(|run| run.measures.to_vec()).collect()
    };
    let mut session = Session::new(scenario(SHORT)).unwrap();
    session.advance(u64::MAX);
    assert!(session.refresh_measures(), "the floors are there at once");
    let before = measures(&session);
    while session.refine_floors() {}
    let after = measures(&session);
    session.measure_exactly();
    assert_eq!(after, measures(&session));
    assert_ne!(after, before, "no floor has changed");
}

#[test]
fn a_drag_shows_pictures_and_drops_values_between() {
    let mut watched = Watched::start(scenario(SHORT), Pacing::Instant, true);
    let first = watched.until("the first picture", finished).pictures;
    let begun = Instant::now();
    let mut sent = 0_u32;
    while begun.elapsed() < Duration::from_millis(600) {
        sent += 1;
        watched.worker.send(set(0.01 + 1e-5 * f64::from(sent)));
        std::thread::sleep(Duration::from_micros(300));
    }
    let during = watched.worker.status().pictures - first;
    assert!(during >= 3, "{during} pictures of {sent} values while the drag went on");
    let last = watched.worker.send(set(0.05));
    let after = watched.until("the last edit", |status| status.obeyed >= last).pictures - first;
    assert!(after < u64::from(sent), "{after} pictures for {sent} values: none was dropped");
}

#[test]
fn an_order_that_waited_for_a_run_is_obeyed_without_another_order() {
    // Some tens of milliseconds' work, so that the second order comes during the work.
    let text = SHORT.replace("steps = 3000", "steps = 30000");
    let mut watched = Watched::start(scenario(&text), Pacing::Instant, true);
    watched.until("the first picture", finished);
    // At rest, so that nothing but orders wakes the thread.
    while watched.news.recv_timeout(Duration::from_millis(300)).is_ok() {}
    for number in 1..=10 {
        watched.worker.send(set(0.01));
        std::thread::sleep(Duration::from_millis(number));
        let status = watched.obeyed(set(0.02));
        assert!((value(&status.frame.scenario) - 0.02).abs() < 1e-12);
    }
}

#[test]
fn long_work_is_given_up_for_newer_orders_and_its_progress_is_reported() {
    let mut watched = Watched::start(scenario(SHORT), Pacing::Instant, true);
    let first = watched.until("the first picture", finished);
    watched.worker.send(edit(Edit::Load(Box::new(long()))));
    let status = watched.until("progress", |status| status.computing.is_some());
    assert_eq!(status.frame.total, first.frame.total, "the last picture stays");
    let begun = Instant::now();
    let status = watched.obeyed(edit(Edit::Load(Box::new(scenario(SHORT)))));
    assert!(finished(&status) && status.computing.is_none());
    assert!(begun.elapsed() < Duration::from_secs(2), "the stale run was not given up: {:?}", begun.elapsed());
    assert!(watched.seen.iter().all(|status| status.frame.total == first.frame.total), "a stale run was shown");
}

#[test]
fn pausing_a_long_computation_shows_it_as_far_as_it_is() {
    let mut watched = Watched::start(long(), Pacing::Instant, true);
    watched.until("progress", |status| status.computing.is_some_and(|share| share > 0.0));
    let status = watched.obeyed(Order::Pause);
    assert!(!status.playing && status.computing.is_none());
    assert!(status.frame.step > 0 && status.frame.step < status.frame.total);
}

#[test]
fn switching_to_watch_continues_in_sight() {
    let mut watched = Watched::start(long(), Pacing::Instant, true);
    watched.until("progress", |status| status.computing.is_some_and(|share| share > 0.0));
    watched.worker.send(Order::Speed(Speed::Steps(100.0)));
    let status = watched.obeyed(Order::Pacing(Pacing::Watch));
    assert!(status.playing && status.mode == Pacing::Watch && status.frame.step > 0);
    let step = status.frame.step;
    watched.until("a step in sight", |status| status.frame.step > step);
}

#[test]
fn a_finished_picture_stays_when_instant_is_turned_off_and_is_played_again_from_its_start() {
    let mut watched = Watched::start(scenario(SHORT), Pacing::Instant, true);
    let before = watched.until("the first picture", finished);
    let status = watched.obeyed(Order::Pacing(Pacing::Watch));
    assert!(!status.playing && ends(&status.frame) == ends(&before.frame));
    watched.obeyed(Order::Pacing(Pacing::Instant));
    watched.worker.send(Order::Speed(Speed::Steps(50.0)));
    let status = watched.obeyed(Order::Play);
    assert!(status.playing && status.frame.step < 1000, "it plays from the start");
    let status = watched.obeyed(set(0.04));
    assert!(finished(&status) && !status.playing, "an edit goes to the end again");
}

#[test]
fn a_refused_edit_changes_nothing_and_is_reported() {
    let mut watched = Watched::start(scenario(SHORT), Pacing::Instant, true);
    let before = watched.until("the first picture", finished);
    let status = watched.obeyed(set(-1.0));
    assert_eq!(status.refused.as_ref().map(|refusal| refusal.number), Some(1));
    assert_eq!(ends(&status.frame), ends(&before.frame));
    assert_eq!(status.pictures, before.pictures);
}

#[test]
fn in_watch_an_edit_during_a_run_is_an_event() {
    let mut watched = Watched::start(scenario(SHORT), Pacing::Watch, false);
    watched.obeyed(Order::Session(Command::Seek(1000)));
    let status = watched.obeyed(set(0.02));
    assert_eq!(status.frame.scenario.events.len(), 1);
    assert_eq!(status.frame.step, 1000);
    let mut changed = status.frame.scenario.as_ref().clone();
    changed.title = "Renamed".to_owned();
    let status = watched.obeyed(edit(Edit::Replace(Box::new(changed))));
    assert_eq!((status.frame.step, status.frame.scenario.title.as_str()), (1000, "Renamed"));
    assert_eq!(status.frame.scenario.events.len(), 1);
}

#[test]
fn playing_ends_with_the_run_and_steps_are_counted() {
    let mut watched = Watched::start(scenario(SHORT), Pacing::Watch, true);
    let status = watched.until("the end", |status| !status.playing);
    assert!(finished(&status));
    let status = watched.obeyed(Order::Step(-5));
    assert_eq!(status.frame.step, 2995);
    let status = watched.obeyed(Order::Step(3));
    assert_eq!(status.frame.step, 2998);
    let status = watched.obeyed(Order::Session(Command::Seek(u64::MAX)));
    assert!(finished(&status));
}

#[test]
fn a_worker_at_rest_publishes_nothing() {
    let mut watched = Watched::start(scenario(SHORT), Pacing::Instant, true);
    watched.until("the first picture", finished);
    // Noise floors may still be refined for a while; then there is silence.
    let begun = Instant::now();
    while watched.news.recv_timeout(Duration::from_millis(300)).is_ok() {
        assert!(begun.elapsed() < Duration::from_secs(60), "it publishes for ever");
    }
}

/// Whether the slow measures shown are of the step shown.
fn analysed(status: &Status) -> bool {
    status.frame.runs.iter().all(|run| run.analysis.step == run.step && !run.analysis.measures.is_empty())
}

#[test]
fn at_rest_the_slow_measures_are_those_of_the_step_shown() {
    let mut watched = Watched::start(scenario(SHORT), Pacing::Watch, false);
    for (step, what) in [(3000, "forward"), (1000, "back"), (1001, "a step on")] {
        let status = watched.obeyed(Order::Session(Command::Seek(step)));
        assert!(
            status.frame.runs.iter().all(|run| run.analysis.step <= run.step),
            "{what}: no analysis of a later step"
        );
        let status = watched.until(what, |status| status.frame.step == step && analysed(status));
        let mut fresh = Session::new(scenario(SHORT)).unwrap();
        fresh.advance(step);
        fresh.analyse();
        for (shown, expected) in status.frame.runs.iter().zip(&fresh.frame().runs) {
            assert_eq!(shown.analysis, expected.analysis, "{what}");
        }
    }
}

#[test]
fn while_steps_are_taken_the_slow_measures_follow() {
    let mut watched = Watched::start(long(), Pacing::Watch, true);
    let on_the_way = |status: &Status| status.playing && status.frame.runs[0].analysis.step > 0;
    let status = watched.until("slow measures during the run", on_the_way);
    assert!(status.frame.runs[0].analysis.step <= status.frame.runs[0].step);
    assert!(status.frame.runs[0].analysis.measures.iter().any(|measure| measure.value.is_some()));
}

/// The end by gradients is an estimate: an ascent that is at the mode costs nothing any more.
#[test]
fn a_fit_that_ends_early_does_not_keep_the_finished_picture_waiting() {
    let text = "format = 1\n[target]\nkind = \"gaussian\"\n[[run]]\nname = \"a\"\nmethod = \"langevin\"\nsteps = 20\n\
                [[run]]\nname = \"b\"\nmethod = \"laplace\"\nsteps = 3000\n";
    let mut watched = Watched::start(scenario(text), Pacing::Watch, false);
    let before = watched.obeyed(Order::Session(Command::Clock(Clock::Gradients))).frame.time.end;
    watched.worker.send(Order::Pacing(Pacing::Instant));
    let status = watched.until("the finished picture", |status| status.frame.finished());
    assert!(status.frame.time.end < before, "{} ticks of {before}", status.frame.time.end);
}

/// Loading a scenario names its clock, mostly the one that is there. A chosen speed keeps its digits then.
#[test]
fn the_clock_that_is_there_already_changes_no_speed() {
    let mut watched = Watched::start(scenario(SHORT), Pacing::Watch, false);
    watched.worker.send(Order::Speed(Speed::Steps(0.125)));
    let status = watched.obeyed(Order::Session(Command::Clock(Clock::Steps)));
    assert_eq!(status.speed, Speed::Steps(0.125));
}

/// After a failure every order that asks for something leads on, and one that asks for nothing waits.
#[test]
fn after_a_failure_orders_begin_another_session() {
    let another = || scenario(&SHORT.replace("Two runs", "Another"));
    let ways: [(&str, Order, Pacing); 7] = [
        ("the same again", Order::Session(Command::Restart), Pacing::Watch),
        ("another scenario", edit(Edit::Load(Box::new(another()))), Pacing::Watch),
        ("an earlier scenario", edit(Edit::Replace(Box::new(another()))), Pacing::Watch),
        ("another seed", edit(Edit::Reseed(9)), Pacing::Watch),
        ("a step", Order::Step(1), Pacing::Watch),
        ("Instant", Order::Pacing(Pacing::Instant), Pacing::Watch),
        ("a slider in Instant", set(0.02), Pacing::Instant),
    ];
    for (name, order, mode) in ways {
        let session = crate::session::test_targets::breaking_after(5000, SHORT);
        let mut worker = Worker::of(session, mode, true, || {}).unwrap();
        let failed = waited(&worker, |status| status.failure.is_some());
        // Steps break down, or the measures of chains beside them, whichever asks first for a gradient more than there are.
        let ways = ["no gradient is left", "the measures of the chains could not be computed"];
        assert!(failed.failure.as_ref().is_some_and(|text| ways.iter().any(|way| text.contains(way))), "{name}");
        worker.send(Order::Speed(Speed::Full));
        std::thread::sleep(Duration::from_millis(30));
        assert!(worker.status().failure.is_some(), "{name}: nothing was asked for");
        let number = worker.send(order.clone());
        let status = waited(&worker, |status| status.obeyed >= number && status.failure.is_none());
        assert!(status.frame.generation > failed.frame.generation, "{name}");
        let titled = matches!(order, Order::Session(Command::Edit(Edit::Load(_) | Edit::Replace(_))));
        assert_eq!(status.frame.scenario.title == "Another", titled, "{name}");
        worker.send(Order::Play);
        waited(&worker, |status| status.frame.finished());
        worker.leave();
    }
}

/// While a target is made the status says so, and the frame before stays.
#[test]
fn a_target_that_is_being_made_is_told() {
    let worker = Worker::start(scenario(SHORT), Pacing::Watch, false, || {}).unwrap();
    let text = SHORT
        .replace("kind = \"gaussian-grid\"", "kind = \"bivariate-mixture\"\ndata = { kind = \"article\", n = 20000 }");
    // Reading it has built its target; a folder of its own knows nothing of that.
    let slow = Scenario { folder: ".".into(), ..scenario(&text) };
    let number = worker.send(edit(Edit::Load(Box::new(slow))));
    let made = waited(&worker, |status| status.making.is_some() || status.obeyed >= number);
    assert!(made.making.is_some() && made.frame.scenario.target.kind.name == "gaussian-grid");
    let there = waited(&worker, |status| status.obeyed >= number);
    assert!(there.making.is_none() && there.frame.scenario.target.kind.name == "bivariate-mixture");
}

/// The first status with a property.
#[track_caller]
fn waited(worker: &Worker, holds: impl Fn(&Status) -> bool) -> Arc<Status> {
    let begun = Instant::now();
    loop {
        let status = worker.status();
        if holds(&status) {
            return status;
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "no status in time: {status:?}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

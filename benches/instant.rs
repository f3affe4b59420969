//! Instant on topics: `cargo bench --bench instant`. Three runs of SVI on bars with 20 000 documents each, without a window.
//!
//! - After one change of a slider: the time until the finished picture is there, until its newest measures are, and until all moments of
//!   its curves are.
//! - While a slider moves for three seconds, with a change every 20 ms: how many pictures appear; and after the last change the time
//!   until the picture is up to date.
//! - In the midst of a sweep over 50 000 documents with 50 topics, which takes seconds: the time until a pause is obeyed.

#![expect(clippy::print_stdout, reason = "a program that prints its results")]

use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use sampler_lab::params::Value;
use sampler_lab::scenario::{self, Edit, Pacing};
use sampler_lab::session::Command;
use sampler_lab::worker::{Order, Status, Worker};

const SCENARIO: &str = r#"
format = 1
seed = 1
[target]
kind = "topics"
[[run]]
name = "B = 50"
method = "svi"
steps = 400
gradient = { kind = "minibatch", size = 50, order = "shuffled" }
step_size = { kind = "polynomial", a = 1.0, b = 1.0, gamma = 0.7 }
[[run]]
name = "B = 50, L = 10"
method = "svi"
steps = 400
window = 10
gradient = { kind = "minibatch", size = 50, order = "shuffled" }
step_size = { kind = "polynomial", a = 1.0, b = 1.0, gamma = 0.7 }
[[run]]
name = "B = 10"
method = "svi"
steps = 2000
gradient = { kind = "minibatch", size = 10, order = "shuffled" }
step_size = { kind = "polynomial", a = 1.0, b = 1.0, gamma = 0.7 }
"#;

/// A sweep of coordinate ascent takes some seconds.
const SWEEPS: &str = r#"
format = 1
seed = 1
[target]
kind = "topics"
topics = 50
corpus = { kind = "bars", documents = 50000 }
[[run]]
name = "CAVI"
method = "cavi"
start = { kind = "random" }
"#;

/// Changes of which the times are the median.
const CHANGES: u32 = 7;

/// Moments of a curve that are measured, at most: 128 and the newest.
const PATIENCE: Duration = Duration::from_secs(60);

fn main() {
    let Ok(scenario) = scenario::read(SCENARIO, "instant", Path::new(".")) else { return };
    let (sender, news) = channel();
    let wake = move || {
        sender.send(()).ok();
    };
    let Ok(worker) = Worker::start(scenario, Pacing::Instant, true, wake) else { return };
    let mut bench = Bench { worker, news, moves: 0 };
    bench.until(|status| status.pictures > 0 && status.computing.is_none());
    let mut times: [Vec<Duration>; 3] = Default::default();
    for _ in 0..CHANGES {
        let begun = Instant::now();
        let number = bench.change();
        bench.until(|status| status.obeyed >= number && status.frame.finished());
        times[0].push(begun.elapsed());
        bench.until(newest_is_measured);
        times[1].push(begun.elapsed());
        times[2].push(bench.last_measure() - begun);
    }
    for (what, times) in ["finished picture", "its newest measures", "all of its curves"].into_iter().zip(&mut times) {
        times.sort();
        println!("{what:>22} {:>8.2} s", times[times.len() / 2].as_secs_f64());
    }
    let (begun, mut number, mut shown) = (Instant::now(), 0, Vec::new());
    while begun.elapsed() < Duration::from_secs(3) {
        number = bench.change();
        std::thread::sleep(Duration::from_millis(20));
        let frame = bench.worker.status().frame.clone();
        shown.push((frame.generation, frame.step));
    }
    // Unfinished runs are coarse pictures.
    shown.dedup();
    let last = Instant::now();
    bench.until(|status| status.obeyed >= number && status.frame.finished());
    println!("{:>22} {:>8.1} /s", "pictures while moving", shown.len() as f64 / 3.0);
    println!("{:>22} {:>8.2} s", "after the last change", last.elapsed().as_secs_f64());
    pauses();
}

/// Pauses in the midst of sweeps.
fn pauses() {
    let Ok(scenario) = scenario::read(SWEEPS, "sweeps", Path::new(".")) else { return };
    let (sender, news) = channel();
    let wake = move || {
        sender.send(()).ok();
    };
    let Ok(worker) = Worker::start(scenario, Pacing::Watch, false, wake) else { return };
    let bench = Bench { worker, news, moves: 0 };
    let mut times: Vec<Duration> = (0..CHANGES)
        .map(|_| {
            bench.worker.send(Order::Play);
            bench.until(|status| status.stepping);
            std::thread::sleep(Duration::from_millis(200));
            let begun = Instant::now();
            let number = bench.worker.send(Order::Pause);
            bench.until(|status| status.obeyed >= number);
            begun.elapsed()
        })
        .collect();
    times.sort();
    let [median, longest] = [times.len() / 2, times.len() - 1].map(|index| times[index].as_secs_f64());
    let step = bench.worker.status().frame.step;
    println!("{:>22} {median:>8.3} s, at most {longest:.3} s; {step} steps were taken", "pause in a sweep");
}

struct Bench {
    worker: Worker,
    news: Receiver<()>,
    moves: u32,
}

impl Bench {
    /// Moves the slider of the first run's γ; returns the number of the order.
    fn change(&mut self) -> u64 {
        self.moves += 1;
        let value = Value::Number(0.7 + 1e-4 * f64::from(self.moves));
        let edit = Edit::Set { run: 0, path: "step_size.gamma".to_owned(), value };
        self.worker.send(Order::Session(Command::Edit(edit)))
    }

    /// Waits for a status.
    fn until(&self, holds: impl Fn(&Status) -> bool) -> Arc<Status> {
        let begun = Instant::now();
        loop {
            let status = self.worker.status();
            if holds(&status) || begun.elapsed() > PATIENCE {
                return status;
            }
            self.news.recv_timeout(Duration::from_millis(100)).ok();
        }
    }

    /// Waits until no more measures come; returns when the last came.
    fn last_measure(&self) -> Instant {
        let count = |status: &Status| status.frame.runs.iter().map(|run| run.analysis.topics.len()).sum::<usize>();
        let (mut known, mut since, begun) = (0, Instant::now(), Instant::now());
        while since.elapsed() < Duration::from_secs(3) && begun.elapsed() < PATIENCE {
            let now = count(&self.worker.status());
            if now != known {
                (known, since) = (now, Instant::now());
            }
            self.news.recv_timeout(Duration::from_millis(20)).ok();
        }
        since
    }
}

/// Whether the topics after the last step of every run have their measures.
fn newest_is_measured(status: &Status) -> bool {
    status.frame.runs.iter().all(|run| run.analysis.topics.last().is_some_and(|moment| moment.step == run.step))
}

//! Frames wait neither for runs nor for studies, whatever these are at.

use std::process::Command;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use egui::Vec2;
use egui_kittest::kittest::Queryable;
use sampler_lab::scenario::LESSONS;
use sampler_lab::scenario::view::tabs::TABS;

use super::app::{Window, window_with};

/// Set in the process that has no other test.
const ALONE: &str = "SAMPLER_LAB_ALONE";

/// Every so many lessons are looked at.
const EVERY: usize = 9;

/// How long runs and pictures of a lesson have all threads.
const RUNNING: Duration = Duration::from_secs(3);

/// How long one frame may take. Those here take some hundredths of a second; one that waits takes for ever.
const LONGEST: Duration = Duration::from_secs(60);

/// The threads on which runs and studies share their work, taken until this is dropped.
struct Taken(#[expect(dead_code, reason = "the threads go on when it is dropped")] Vec<Sender<()>>);

impl Taken {
    fn all() -> Self {
        let (began, all_began) = channel();
        let take = |_| {
            let ((end, ended), began) = (channel::<()>(), began.clone());
            rayon::spawn(move || {
                began.send(()).unwrap();
                ended.recv().ok();
            });
            end
        };
        let ends: Vec<Sender<()>> = (0..rayon::current_num_threads()).map(take).collect();
        for _ in &ends {
            all_began.recv().unwrap();
        }
        Self(ends)
    }
}

/// Ends the process if it does not hear of a next frame in time.
#[expect(clippy::print_stderr, reason = "nothing else can be said while the test waits")]
fn watch() -> Sender<String> {
    let (frame, frames) = channel();
    thread::spawn(move || {
        let mut last = String::new();
        loop {
            match frames.recv_timeout(LONGEST) {
                Ok(next) => last = next,
                Err(RecvTimeoutError::Disconnected) => return,
                Err(RecvTimeoutError::Timeout) => {
                    eprintln!("a frame waits for other work: {last}");
                    std::process::exit(1);
                }
            }
        }
    });
    frame
}

/// Frames at three sizes, so that all that is drawn is drawn again.
fn draw(window: &mut Window, what: &str, frame: &Sender<String>) {
    for size in [Vec2::new(1300.0, 820.0), Vec2::new(1024.0, 768.0), Vec2::new(1440.0, 900.0)] {
        window.set_size(size);
        for _ in 0..3 {
            frame.send(what.to_owned()).unwrap();
            window.step();
        }
    }
}

/// All threads are taken: others may not be tested beside it.
#[test]
fn frames_go_on_while_all_other_work_waits() {
    if std::env::var_os(ALONE).is_none() {
        let test = "responsive::frames_go_on_while_all_other_work_waits";
        let program = std::env::current_exe().unwrap();
        let status = Command::new(program).args([test, "--exact", "--nocapture"]).env(ALONE, "1").status().unwrap();
        assert!(status.success());
        return;
    }
    for lesson in LESSONS.iter().step_by(EVERY) {
        let mut window = window_with(lesson.text, Vec2::new(1440.0, 900.0));
        window.run_steps(3);
        let begun = Instant::now();
        while begun.elapsed() < RUNNING {
            window.step();
            thread::sleep(Duration::from_millis(5));
        }
        let (taken, frame) = (Taken::all(), watch());
        draw(&mut window, lesson.name, &frame);
        for tab in TABS {
            let labels: Vec<_> = window.query_all_by_label(tab.label).collect();
            if let [label] = labels[..] {
                label.click();
                draw(&mut window, &format!("{}, {}", lesson.name, tab.label), &frame);
            }
        }
        drop((frame, taken));
    }
}

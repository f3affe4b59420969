//! The tour of `docs/tour.md`, walked in the window. `TOUR=write cargo test --test it tour` also writes its pictures, without a
//! display.

use std::path::Path;

use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, Vec2};
use egui_kittest::kittest::{NodeT, Queryable};
use sampler_lab::app::files::link::playlist_fragment;
use sampler_lab::scenario::{LESSONS, Lesson, LessonPath, Playlist, Scenario, Shows, read};
use sampler_lab::session::RunFrame;

use super::app::{Window, number, wait_until};
use super::playlists::LECTURE;
use super::screen::Screen;

/// Size of the pictures, in points.
const SIZE: Vec2 = Vec2::new(1440.0, 900.0);

/// A schedule whose cycles visit few modes.
const TUNING: &str = "format = 1\ntitle = \"Tune the cycles\"\nseed = 42\n[target]\nkind = \"gaussian-grid\"\n\
                      [[run]]\nname = \"cSGLD\"\nmethod = \"csgld\"\nsteps = 50_000\n\
                      step_size = { kind = \"cyclical\", initial = 0.05, cycles = 30 }\n\
                      [view]\ntab = \"schedule\"\npace = \"instant\"\nmeasures = [\"modes_covered\", \"modes_visited\"]\n";

/// A file for a class: everything is locked but one step size.
const HAND_OUT: &str = include_str!("../../docs/tour/hand-out.toml");

fn lesson(name: &str) -> Scenario {
    Lesson::find(name).unwrap().scenario().unwrap()
}

fn scenario(text: &str) -> Scenario {
    read(text, "tour", Path::new(".")).unwrap()
}

/// A window that has shown its first frames.
fn open(screen: &Screen, scenario: Scenario) -> Window {
    let mut window = screen.window(scenario, SIZE, 1.0);
    window.run_steps(4);
    window
}

/// Waits until the picture is finished: nothing is computed, and the frame belongs to the scenario.
fn rest(window: &mut Window) {
    wait_until(window, "the finished picture", |window| {
        let status = window.state().status();
        let frame = &status.frame;
        let current = frame.scenario.as_ref() == window.state().scenario();
        current && status.computing.is_none() && !status.playing && frame.step > 0
    });
    // Slow measures and pictures in the background follow.
    for _ in 0..40 {
        window.step();
        std::thread::sleep(std::time::Duration::from_millis(25));
    }
}

/// Writes a picture of the tour, if it is asked for.
fn shoot(screen: &Screen, window: &Window, name: &str) {
    if std::env::var("TOUR").is_ok_and(|value| value == "write") {
        screen.shoot(window, &Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("docs/tour/{name}.png")));
    }
}

fn measure(run: &RunFrame, key: &str) -> Option<f64> {
    run.measures.iter().find(|measure| measure.key == key)?.value
}

#[test]
fn the_first_two_minutes() {
    let screen = Screen::default();
    let mut window = open(&screen, lesson("authors-code"));
    wait_until(&mut window, "some steps", |window| window.state().frame().step > 12_000);
    window.key_press(Key::Space);
    wait_until(&mut window, "pause", |window| !window.state().playing());
    rest(&mut window);
    shoot(&screen, &window, "opened");
    window.key_press(Key::T);
    window.run_steps(6);
    shoot(&screen, &window, "hidden");
    window.key_press(Key::T);
    window.key_press(Key::P);
    window.run_steps(12);
    shoot(&screen, &window, "presented");
}

/// The lessons for beginners, each as it is when its run has ended or has gone on for a moment.
#[test]
fn the_first_ten_minutes_on_the_path() {
    let screen = Screen::default();
    let mut window = open(&screen, lesson("what-is-a-target"));
    window.key_press(Key::Home);
    window.run_steps(2);
    let numbers: Vec<usize> = LessonPath::start().numbers().collect();
    for (index, number) in numbers.into_iter().enumerate() {
        let lesson = &LESSONS[number];
        if index > 0 {
            window.key_press(Key::PageDown);
        }
        wait_until(&mut window, lesson.name, |window| window.state().scenario().title == lesson.words().0);
        wait_until(&mut window, "some steps", |window| {
            let frame = window.state().frame();
            frame.scenario.title == lesson.words().0 && frame.step >= 12.min(frame.total)
        });
        if window.state().playing() {
            window.key_press(Key::Space);
            wait_until(&mut window, "pause", |window| !window.state().playing());
        }
        window.run_steps(20);
        shoot(&screen, &window, &format!("path-{}-{}", index + 1, lesson.name));
    }
}

/// One step of each method, taken apart with the key.
#[test]
fn one_step_slowly() {
    for (name, target, method, parts) in [
        (
            "sgld",
            "banana",
            "gradient = { kind = \"noisy\", variance = 4.0 }\nstep_size = { kind = \"constant\", value = 0.05 }",
            3,
        ),
        ("hmc", "banana", "", 2),
        ("nuts", "banana", "", 3),
        ("svi", "bivariate-mixture", "", 2),
        ("cavi", "normal-gamma", "", 2),
        ("laplace", "banana", "", 2),
    ] {
        let text = format!(
            "format = 1\ntitle = \"One step of {upper}\"\nseed = 7\n[target]\nkind = \"{target}\"\n[[run]]\nname = \"{upper}\"\nmethod = \
             \"{name}\"\n{method}\n[view]\ntab = \"step\"\npace = \"watch\"\nstep = 3\nlayers = [\"density\", \"contours\", \"trail\", \"arrows\", \"fits\"]\n",
            upper = name.to_uppercase(),
        );
        let screen = Screen::default();
        let mut window = open(&screen, scenario(&text));
        wait_until(&mut window, "the step", |window| window.state().frame().step == 3 && !window.state().playing());
        window.run_steps(4);
        for _ in 0..parts {
            window.key_press(Key::Period);
            window.run_steps(4);
        }
        window.run_steps(20);
        shoot(&screen, &window, &format!("step-{name}"));
    }
}

/// The playlist is opened as a link; Page Down goes on.
#[test]
fn a_lecture_of_six_lessons() {
    let playlist = Playlist::read(LECTURE, "lecture.toml", ".").unwrap();
    let screen = Screen::default();
    let mut window = open(&screen, lesson("what-is-a-target"));
    window.event(Event::Paste(format!("https://example.org/#{}", playlist_fragment(&playlist).unwrap())));
    for (index, item) in playlist.items.iter().enumerate() {
        if index > 0 {
            window.key_press(Key::PageDown);
        }
        let Shows::Lesson(number) = item.shows else { panic!("all are lessons") };
        wait_until(&mut window, "the lesson", |window| window.state().scenario().title == item.title());
        window.run_steps(2);
        if window.query_by_role_and_label(Role::Button, "Instant").is_some() {
            window.key_press(Key::I);
        }
        wait_until(&mut window, "the end", |window| window.state().frame().finished());
        rest(&mut window);
        shoot(&screen, &window, &format!("lecture-{}-{}", index + 1, LESSONS[number].name));
    }
}

#[test]
fn a_schedule_is_tuned_to_all_modes_by_its_handles() {
    let screen = Screen::default();
    let mut window = open(&screen, scenario(TUNING));
    rest(&mut window);
    let covered = |window: &Window| measure(&window.state().frame().runs[0], "modes_covered").unwrap();
    let before = covered(&window);
    assert!(before < 10.0, "{before}");
    shoot(&screen, &window, "tuning-before");
    // One key press is a step of the third digit: 0.001. Cycles go up by one.
    press(&mut window, "Handle: initial step size α₀ of cSGLD", Key::ArrowUp, 30);
    press(&mut window, "Handle: cycles of cSGLD", Key::ArrowRight, 70);
    let tuned = ["step_size.initial", "step_size.cycles"].map(|path| number(&window, 0, path));
    assert!((tuned[0] - 0.08).abs() < 1e-9 && (tuned[1] - 100.0).abs() < 1e-9, "{tuned:?}");
    assert!((covered(&window) - 25.0).abs() < 0.5, "{}", covered(&window));
    shoot(&screen, &window, "tuning-after");
}

/// Gives a handle the focus and presses a key several times.
fn press(window: &mut Window, handle: &str, key: Key, times: usize) {
    window.get_by_role_and_label(Role::Slider, handle).focus();
    window.run_steps(2);
    for _ in 0..times {
        window.key_press(key);
        window.run_steps(2);
        // A press starts from what is shown.
        wait_until(window, "what the press asks for", |window| {
            window.state().frame().scenario.as_ref() == window.state().scenario()
        });
    }
    rest(window);
}

#[test]
fn a_hand_out_has_one_knob() {
    let screen = Screen::default();
    let mut window = open(&screen, scenario(HAND_OUT));
    rest(&mut window);
    shoot(&screen, &window, "hand-out");
    let sliders = window.query_all_by_role(Role::Slider);
    let free: Vec<String> = sliders
        .filter(|slider| !slider.accesskit_node().is_disabled())
        .filter_map(|slider| slider.accesskit_node().label())
        .collect();
    // One, and those of the transport.
    assert_eq!(free, ["step size α", "Speed", "Step"]);
}

/// A student tries three step sizes, keeps them, compares them, and hands in a report.
#[test]
fn a_student_keeps_trials_and_writes_a_report() {
    let screen = Screen::default();
    let mut window = open(&screen, scenario(HAND_OUT));
    rest(&mut window);
    for number in 1..=3 {
        if number > 1 {
            press(&mut window, "step size α", Key::ArrowRight, 12);
        }
        window.key_press(Key::K);
        window.run_steps(4);
    }
    window.key_press_modifiers(Modifiers::SHIFT, Key::K);
    window.run_steps(20);
    assert!(window.query_by_role_and_label(Role::Button, "Open trial 3").is_some());
    shoot(&screen, &window, "trials");
    window.key_press(Key::Escape);
    window.run_steps(4);
    if std::env::var("TOUR").is_ok_and(|value| value == "write") {
        let tour = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/tour");
        // A report replaces no file.
        std::fs::remove_file(tour.join("report.html")).ok();
        let report = std::process::Command::new(env!("CARGO_BIN_EXE_sampler-lab"))
            .args(["report", "hand-out.toml", "--output", "report.html"])
            .current_dir(tour)
            .status();
        assert!(report.is_ok_and(|status| status.success()));
    }
}

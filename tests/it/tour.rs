//! The tour of `docs/tour.md`, walked in the window. `TOUR=write cargo test --test it tour` also writes its pictures, without a
//! display.

use std::path::Path;

use egui::accesskit::Role;
use egui::{Key, Vec2};
use egui_kittest::kittest::{NodeT, Queryable};
use sampler_lab::scenario::{Lesson, Scenario, read};
use sampler_lab::session::RunFrame;

use super::app::{Window, number, wait_until};
use super::screen::Screen;

/// Size of the pictures, in points.
const SIZE: Vec2 = Vec2::new(1440.0, 900.0);

/// The lessons of the lecture, in its order.
const LECTURE: [&str; 6] = ["bias-on-a-switch", "authors-code", "why-momentum", "mean-field", "laplace", "equal-cost"];

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

#[test]
fn a_lecture_of_six_lessons() {
    for (number, name) in LECTURE.into_iter().enumerate() {
        let screen = Screen::default();
        let mut window = open(&screen, lesson(name));
        window.key_press(Key::Space);
        window.run_steps(2);
        if window.query_by_role_and_label(Role::Button, "Instant").is_some() {
            window.key_press(Key::I);
        }
        wait_until(&mut window, "the end", |window| window.state().frame().finished());
        rest(&mut window);
        shoot(&screen, &window, &format!("lecture-{}-{name}", number + 1));
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

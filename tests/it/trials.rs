//! Tests of the notebook of trials, of reports and of worksheets, in the window and on the command line.

use std::fs;

use egui::accesskit::Role;
use egui::{Key, Modifiers, Vec2};
use egui_kittest::kittest::Queryable;
use sampler_lab::scenario::{LESSONS, load};

use super::app::{Window, click, wait_until, window_with};
use super::cli::{call, folder_with};
use super::layout::words;

const SIZE: Vec2 = Vec2::new(1366.0, 768.0);

const SCENARIO: &str = "format = 1\ntitle = \"Step sizes\"\nseed = 7\n[target]\nkind = \"gaussian\"\n[[run]]\nname = \"SGLD\"\nmethod = \"sgld\"\n\
                        steps = 800\nstep_size = { kind = \"constant\", value = 0.05 }\n[view]\npace = \"instant\"\n";

fn shows(window: &Window, text: &str) -> bool {
    window.query_all_by_label_contains(text).next().is_some()
}

fn finished(window: &Window) -> bool {
    let frame = window.state().frame();
    frame.step == frame.total && frame.scenario.as_ref() == window.state().scenario()
}

/// Keeps the present trial, and waits for its number.
fn keep(window: &mut Window, number: u32) {
    wait_until(window, "the end", finished);
    window.key_press(Key::K);
    window.run_steps(2);
    assert!(shows(window, &format!("Kept as trial {number}.")));
}

fn open_trials(window: &mut Window) {
    window.key_press_modifiers(Modifiers::SHIFT, Key::K);
    window.run_steps(4);
}

#[test]
fn trials_are_kept_compared_deleted_and_opened_again() {
    let mut window = window_with(SCENARIO, SIZE);
    window.run_steps(3);
    open_trials(&mut window);
    assert!(shows(&window, "There are no trials yet. Press K to keep the present trial"));
    window.key_press(Key::Escape);
    window.run_steps(2);
    keep(&mut window, 1);
    window.key_press_modifiers(Modifiers::SHIFT, Key::N);
    wait_until(&mut window, "another seed", |window| window.state().frame().scenario.seed != 7 && finished(window));
    keep(&mut window, 2);
    open_trials(&mut window);
    for head in ["Sort by trial", "Sort by seed", "Sort by step", "Sort by note"] {
        assert!(window.query_by_label(head).is_some(), "{head}");
    }
    assert!(shows(&window, "along the run") && shows(&window, "Trial 1 along the run"), "sparklines have names");
    // The trials differ in nothing but their seeds.
    assert!(window.query_by_label_contains("Sort by step size").is_none());
    for trial in [1, 2] {
        let name = format!("Compare trial {trial}");
        window.get_by_role_and_label(Role::CheckBox, &name).click();
        window.run_steps(2);
    }
    window.get_by_role_and_label(Role::Button, "Compare").click();
    window.run_steps(3);
    assert!(shows(&window, "Trial 1") && shows(&window, "Trial 2") && words(&window).contains(&"seed".to_owned()));
    window.get_by_role_and_label(Role::Button, "Plot").click();
    window.run_steps(3);
    assert!(shows(&window, "The numbers beside the points are those of the trials"));
    window.get_by_role_and_label(Role::Button, "Table").click();
    window.run_steps(3);
    window.get_by_role_and_label(Role::Button, "Delete trial 1").click();
    window.run_steps(3);
    assert!(window.query_by_label("Delete trial 1").is_none());
    click(&mut window, "Bring back trial 1");
    window.run_steps(3);
    window.get_by_role_and_label(Role::Button, "Open trial 1").click();
    wait_until(&mut window, "the first trial", |window| window.state().frame().scenario.seed == 7);
    assert!(!shows(&window, "Sort by trial"), "the dialog has closed");
}

#[test]
fn a_report_on_the_command_line_opens_as_its_experiment() {
    let folder = folder_with("my.toml", SCENARIO);
    let (code, _, err) = call(&folder, &["report", "my.toml", "--output", "report.html", "--name", "<Ada>"]);
    assert_eq!((code, err.as_str()), (0, ""));
    let page = fs::read_to_string(folder.path().join("report.html")).unwrap();
    assert!(page.contains("&lt;Ada&gt;") && page.contains("<svg") && page.contains("Step sizes"));
    let (code, out, _) = call(&folder, &["check", "report.html"]);
    assert!(code == 0 && out.contains("report.html: valid; 1 run on Gaussian"), "{out}");
    let (code, _, err) = call(&folder, &["report", "my.toml", "--output", "report.html"]);
    assert!(code == 2 && err.contains("exists already") && err.contains("--force"), "{err}");
    let (code, _, err) = call(&folder, &["report", "my.toml", "--output", "report.txt"]);
    assert!(code == 2 && err.contains(".html or .pdf"), "{err}");
    let (code, _, err) = call(&folder, &["report", "report.html", "--output", "again.pdf"]);
    assert_eq!((code, err.as_str()), (0, ""));
    let (code, _, err) = call(&folder, &["render", "again.pdf", "--out", "figure.png"]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(load(&folder.path().join("my.toml")).is_ok());
}

#[test]
fn a_worksheet_is_written_for_every_lesson() {
    let folder = folder_with("my.toml", SCENARIO);
    let (code, out, err) = call(&folder, &["worksheet", "challenge-converged"]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.starts_with("# Which run is right?") && out.contains("- [ ] None of them"), "{out}");
    for lesson in LESSONS.iter().step_by(20) {
        let name = format!("{}.html", lesson.name);
        let (code, _, err) = call(&folder, &["worksheet", lesson.name, "--output", &name]);
        assert_eq!((code, err.as_str()), (0, ""));
        assert!(fs::read_to_string(folder.path().join(name)).unwrap().starts_with("<!DOCTYPE html>"));
    }
    let (code, _, err) = call(&folder, &["worksheet", "my.toml", "--output", "a.txt"]);
    assert!(code == 2 && err.contains(".md or .html"), "{err}");
}

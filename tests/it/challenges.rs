//! Challenges: the window from the question to the score, the lessons, and the key on the command line.

use std::fs;
use std::path::Path;

use egui::accesskit::Role;
use egui::{Key, Modifiers, Vec2};
use egui_kittest::kittest::Queryable;
use sampler_lab::params::Value;
use sampler_lab::scenario::challenge::Task;
use sampler_lab::scenario::{Lesson, Scenario, load, read};
use sampler_lab::session::challenge::{Answer, Attempt, Key as Truth, key, score};
use sampler_lab::session::{Frame, Session};
use sampler_lab::worker::Pacing;

use super::app::{Window, click, controls, wait_until, window_with};

const SIZE: Vec2 = Vec2::new(1440.0, 900.0);

/// Two short runs, one of which is far from the target.
const SCENARIO: &str = r#"
format = 1
title = "Near and far"
caption.answer = "The near one."
seed = 7
[target]
kind = "gaussian"
[[run]]
name = "Near"
method = "sgld"
steps = 2000
step_size = { kind = "constant", value = 0.05 }
[[run]]
name = "Far"
method = "sgld"
steps = 2000
step_size = { kind = "constant", value = 0.0001 }
"#;

const QUESTIONS: &str = r#"
[[challenge]]
kind = "number"
ask = "How many modes will Near cover?"
run = "Near"
measure = "modes_covered"
[[challenge]]
kind = "choice"
ask = "Which run is nearer?"
measure = "tv"
find = "smallest"
"#;

fn asking(challenges: &str) -> Window {
    let mut window = window_with(&format!("{SCENARIO}{challenges}"), SIZE);
    window.run_steps(5);
    window
}

fn shows(window: &Window, text: &str) -> bool {
    window.query_all_by_label_contains(text).next().is_some()
}

fn type_number(window: &mut Window, name: &str, text: &str) {
    window.get_by_role_and_label(Role::TextInput, name).focus();
    window.run_steps(2);
    window.event(egui::Event::Text(text.to_owned()));
    window.run_steps(3);
}

fn finished(window: &Window) -> bool {
    let frame = window.state().frame();
    frame.step == frame.total && window.state().status().computing.is_none()
}

#[test]
fn from_the_question_to_the_score_and_back() {
    let mut window = asking(QUESTIONS);
    assert!(shows(&window, "How many modes will Near cover?") && shows(&window, "Which run is nearer?"));
    assert_eq!((window.state().frame().step, window.state().playing()), (0, false));
    assert_eq!(window.state().status().mode, Pacing::Watch);
    assert!(!shows(&window, "Show the answer"), "the answer comes with those to the questions");
    // What would show the runs is refused.
    window.key_press(Key::Space);
    window.key_press(Key::End);
    window.run_steps(5);
    assert!(shows(&window, "Answer the questions under Lesson first"));
    assert_eq!(window.state().frame().step, 0);
    // Reveal needs all answers.
    type_number(&mut window, "Answer to question 1", "1");
    click(&mut window, "Reveal");
    assert_eq!(window.state().frame().step, 0, "one question is open");
    controls(&window, Role::RadioButton, "Near")[0].click_accesskit();
    window.run_steps(3);
    click(&mut window, "Reveal");
    wait_until(&mut window, "the end", finished);
    wait_until(&mut window, "the score", |window| shows(window, "2 of 2 right"));
    assert!(shows(&window, "✓ You said 1: exactly.") && shows(&window, "✓ You said Near."));
    assert!(shows(&window, "Right: Near. Total variation: Near ") && shows(&window, "Show the answer"));
    click(&mut window, "Ask again");
    wait_until(&mut window, "the start", |window| window.state().frame().step == 0);
    assert!(!shows(&window, "right") && !window.state().playing());
    // Who gives up gets no score, but the truth.
    type_number(&mut window, "Answer to question 1", "3");
    click(&mut window, "Give up");
    wait_until(&mut window, "the score", |window| shows(window, "0 of 1 right"));
    assert!(shows(&window, "✗ You said 3: off by 2.") && shows(&window, "You gave no answer."));
    let seed = window.state().scenario().seed;
    click(&mut window, "With a new seed");
    wait_until(&mut window, "another seed", |window| {
        window.state().frame().scenario.seed != seed && window.state().frame().step == 0
    });
    assert!(shows(&window, "Which run is nearer?") && !shows(&window, "0 of 1 right"));
}

#[test]
fn chips_are_placed_by_clicks_and_by_keyboard_and_scored() {
    let mut window = asking("[[challenge]]\nkind = \"mass\"\nrun = \"Near\"\nchips = 3\nat_least = 0.5\n");
    assert!(shows(&window, "3 of 3 guesses left"));
    let canvas = window.get_by_role_and_label(Role::Image, "Canvas of Near").rect();
    let at = |window: &mut Window, share: (f32, f32)| {
        let at = canvas.min + Vec2::new(share.0, share.1) * canvas.size();
        window.hover_at(at);
        for pressed in [true, false] {
            let modifiers = Modifiers::NONE;
            window.event(egui::Event::PointerButton {
                pos: at,
                button: egui::PointerButton::Primary,
                pressed,
                modifiers,
            });
            window.step();
        }
        window.run_steps(3);
    };
    at(&mut window, (0.5, 0.5));
    assert!(shows(&window, "2 of 3 guesses left"));
    at(&mut window, (0.6, 0.5));
    assert!(shows(&window, "1 of 3 guesses left"));
    at(&mut window, (0.6, 0.5));
    assert!(shows(&window, "2 of 3 guesses left"), "a click on a chip takes it away");
    click(&mut window, "Place");
    click(&mut window, "Place");
    assert!(shows(&window, "All 3 guesses are on the canvas"));
    click(&mut window, "Reveal");
    wait_until(&mut window, "the score", |window| shows(window, "Your chips cover"));
    assert!(shows(&window, "50 % is enough") && shows(&window, "A good answer puts 3 chips one after the other"));
}

#[test]
fn a_room_sees_the_question_in_large_type_and_shift_a_reveals() {
    let mut window = asking(QUESTIONS);
    window.key_press(Key::P);
    window.run_steps(4);
    assert!(shows(&window, "How many modes will Near cover?") && !shows(&window, "Which run is nearer?"));
    click(&mut window, "Next question");
    assert!(shows(&window, "Which run is nearer?") && shows(&window, "2 of 2"));
    for option in ["Near", "Far"] {
        assert!(!controls(&window, Role::RadioButton, option).is_empty(), "{option} is no option");
    }
    window.key_press_modifiers(Modifiers::SHIFT, Key::A);
    wait_until(&mut window, "the end", finished);
    wait_until(&mut window, "the truth", |window| shows(window, "Modes covered of Near: 1."));
}

#[test]
fn a_goal_is_met_by_changing_a_parameter_and_the_best_attempt_stays() {
    let goal =
        "[[challenge]]\nkind = \"goal\"\nrun = \"Far\"\nmeasure = \"tv\"\nat_most = 0.75\n[view]\npace = \"instant\"\n";
    let mut window = asking(goal);
    wait_until(&mut window, "the end", finished);
    wait_until(&mut window, "an attempt", |window| shows(window, "✗ Total variation"));
    let name = window.state().scenario().runs[1].settings.spec_at("step_size.value").unwrap().label;
    controls(&window, Role::Slider, name)[1].set_value_accesskit(0.05);
    wait_until(&mut window, "the goal", |window| shows(window, "✓ Total variation"));
    controls(&window, Role::Slider, name)[1].set_value_accesskit(0.0001);
    wait_until(&mut window, "another attempt", |window| shows(window, "✗ Total variation"));
    assert!(shows(&window, "Best so far: Total variation 0."));
}

#[test]
fn questions_fit_small_windows() {
    for size in [Vec2::new(787.0, 590.0), Vec2::new(1366.0, 768.0)] {
        let mut window = window_with(Lesson::find("challenge-converged").unwrap().text, size);
        window.run_steps(5);
        assert_eq!(window.unnamed_widgets(), Vec::<String>::new(), "{size}");
        window.key_press(Key::P);
        window.run_steps(5);
        assert!(shows(&window, "R-hat below 1.01"), "{size}");
    }
}

#[test]
fn save_while_asking_keeps_what_the_file_says_of_the_truth() {
    let folder = tempfile::tempdir().unwrap();
    for truth in ["", "[view]\ntruth = \"shown\"\n", "[view]\ntruth = \"hidden\"\n"] {
        let path = folder.path().join("a.toml");
        fs::write(&path, format!("{SCENARIO}{QUESTIONS}{truth}")).unwrap();
        let scenario = load(&path).unwrap();
        let (shown, file) = (scenario.clone(), path.clone());
        let builder = egui_kittest::Harness::builder().with_size(SIZE).with_max_steps(64);
        let mut window: Window =
            builder.build_eframe(move |cc| sampler_lab::app::App::new(cc, shown, Some(file)).unwrap());
        window.run_steps(3);
        window.key_press_modifiers(Modifiers::COMMAND, Key::S);
        // What has not changed is not written in another way.
        wait_until(&mut window, "a saved file", |window| window.query_all_by_label_contains("Saved ").next().is_some());
        assert_eq!(load(&path).unwrap(), scenario, "{truth}");
    }
}

/// A scenario at its end, with all measures.
fn at_the_end(scenario: Scenario) -> Frame {
    let mut session = Session::new(scenario).unwrap();
    session.advance(u64::MAX);
    session.measure_exactly();
    session.analyse();
    session.frame()
}

fn lesson(name: &str) -> Scenario {
    Lesson::find(name).unwrap().scenario().unwrap()
}

fn truths(frame: &Frame) -> Vec<Truth> {
    frame.scenario.challenges.iter().map(|challenge| key(frame, challenge).unwrap()).collect()
}

fn attempt(scenario: Scenario) -> Attempt {
    match truths(&at_the_end(scenario))[..] {
        [Truth::Goal(attempt)] => attempt,
        ref other => panic!("{other:?}"),
    }
}

#[test]
fn the_draws_of_four_chains_are_where_they_start_and_not_where_the_target_is() {
    let frame = at_the_end(lesson("challenge-mass"));
    let challenge = &frame.scenario.challenges[0];
    let [truth] = &truths(&frame)[..] else { panic!() };
    let Truth::Mass { chips: good, share, .. } = truth else { panic!("{truth:?}") };
    let Task::Mass { chips, at_least, .. } = challenge.task else { panic!() };
    assert!(*share > at_least + 0.05, "a good answer can be given: {share}");
    assert!(score(challenge, truth, &Answer::Chips(good.clone())).unwrap().right);
    // Who answers with the weights of the target is wrong.
    let of_target = format!("[[challenge]]\nkind = \"mass\"\nchips = {chips}\n");
    let text =
        Lesson::find("challenge-mass").unwrap().text.split("[[challenge]]").next().unwrap().to_owned() + &of_target;
    let target = at_the_end(read(&text, "t", Path::new(".")).unwrap());
    let [Truth::Mass { chips: by_weights, .. }] = &truths(&target)[..] else { panic!() };
    let scored = score(challenge, truth, &Answer::Chips(by_weights.clone())).unwrap();
    assert!(!scored.right, "{scored:?}");
}

#[test]
fn thirty_cycles_cover_as_many_modes_as_the_lesson_says() {
    let frame = at_the_end(lesson("challenge-modes"));
    assert_eq!(truths(&frame), [Truth::Number(4.0), Truth::Number(18.0)]);
    let expected = 25.0 * (1.0 - (24.0_f64 / 25.0).powi(30));
    assert!((expected - 17.7).abs() < 0.05);
    // All coupons: 25 (1 + 1/2 + … + 1/25).
    let all: f64 = (1..=25).map(|left| 25.0 / f64::from(left)).sum();
    assert!((all - 95.0).abs() < 1.0, "{all}");
}

#[test]
fn chains_of_all_three_runs_agree_and_one_run_is_right() {
    let frame = at_the_end(lesson("challenge-converged"));
    let [Truth::Runs { right: agree, .. }, Truth::Runs { right, values }] = &truths(&frame)[..] else { panic!() };
    assert_eq!((agree, right), (&vec![0, 1, 2], &vec![2]), "{values:?}");
    let tv: Vec<f64> = values.iter().map(|value| value.unwrap()).collect();
    assert!(tv[2] < 0.5 * tv[0].min(tv[1]), "clearly: {tv:?}");
}

#[test]
fn all_25_modes_can_be_covered_but_not_as_the_lesson_opens() {
    let scenario = lesson("challenge-cover-25");
    let first = attempt(scenario.clone());
    assert!(first.affordable && !first.is_met() && first.value < 20.0, "{first:?}");
    let set = [("chains", 1000.0), ("steps", 10.0), ("step_size.cycles", 1.0), ("step_size.initial", 0.02)];
    let mut solved = scenario.clone();
    for (path, value) in set {
        assert!(!scenario.view.locks(Some("cSGLD"), path), "{path} is locked");
        solved = solved.with_parameter("cSGLD", path, Value::Number(value)).unwrap();
    }
    let last = attempt(solved);
    assert!(last.is_met(), "{last:?}");
    assert!(last.beats(&first));
}

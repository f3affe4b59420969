//! The editor of a formula, as a person uses it: choose, type, see the mark, mend, apply, drag a parameter, undo.

use std::path::Path;

use egui::accesskit::Role;
use egui::{Key, Modifiers, Vec2};
use egui_kittest::kittest::Queryable;
use sampler_lab::params::{ParamType, find_kind};
use sampler_lab::scenario::{read, write};
use sampler_lab::targets::TARGETS;

use super::app::{SCENARIO, Window, click, controls, in_instant, pause, wait_until, window_with};

/// A window whose target is a formula.
fn window() -> Window {
    let mut window = window_with(SCENARIO, Vec2::new(1440.0, 900.0));
    window.run_steps(3);
    pause(&mut window);
    click(&mut window, "Target: Gaussian");
    // The gallery draws its pictures first.
    window.run_steps(5);
    click(&mut window, "Formula");
    wait_until(&mut window, "the target", |window| window.state().scenario().target.kind.name == "formula");
    pause(&mut window);
    wait_until(&mut window, "a frame on the target", |window| {
        window.state().frame().scenario.as_ref() == window.state().scenario()
    });
    window.run_steps(5);
    window
}

/// Replaces the text of the field.
pub fn write_anew(window: &mut Window, text: &str) {
    window.get_by_role_and_label(Role::MultilineTextInput, "formula").focus();
    window.run_steps(2);
    window.key_press_modifiers(Modifiers::COMMAND, Key::A);
    window.event(egui::Event::Text(text.to_owned()));
    window.run_steps(3);
}

fn shows(window: &Window, words: &str) -> bool {
    window.query_all_by_label_contains(words).next().is_some()
}

fn parameter(window: &Window, name: &str) -> Option<f64> {
    let scenario = window.state().scenario();
    let known = scenario.target.named("parameters").to_vec();
    known.into_iter().find(|number| number.name == name).map(|number| number.value)
}

#[test]
fn a_formula_is_typed_mended_and_applied() {
    let mut window = window();
    assert!(shows(&window, "Understood as: −x²/(2s²)"), "what is applied is shown as it was understood");
    let before = window.state().scenario().target.clone();
    write_anew(&mut window, "−(x² + c y²)/2)");
    assert!(shows(&window, "there is no ( before this )") && shows(&window, "a ( for each )"));
    assert!(window.query_by_label("Apply").is_none());
    window.key_press(Key::Enter);
    window.run_steps(3);
    assert_eq!(window.state().scenario().target, before, "a text with an error is not applied");
    assert!(shows(&window, "Last text without an error: −x²/(2s²)"), "the newest text without an error is still there");
    assert!(!shows(&window, "Understood as"), "and is not said to be this one");
    window.key_press(Key::Backspace);
    window.run_steps(3);
    assert!(!shows(&window, "there is no ( before") && shows(&window, "Understood as: −(x² + c y²)/2"));
    assert!(window.query_by_label("Apply").is_some());
    assert_eq!(window.unnamed_widgets(), Vec::<String>::new());
    window.key_press(Key::Enter);
    wait_until(&mut window, "the new target", |window| parameter(window, "c") == Some(1.0));
    assert_eq!(window.state().scenario().target.word("density"), "−(x² + c y²)/2");
    assert!(parameter(&window, "s").is_none());
    // One step back has the text and its numbers.
    window.key_press(Key::Escape);
    window.run_steps(2);
    window.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    wait_until(&mut window, "undo", |window| window.state().scenario().target == before);
    window.run_steps(3);
    assert!(shows(&window, "Understood as: −x²/(2s²)"));
}

/// The text in the field.
pub fn written(window: &Window) -> String {
    window.get_by_role_and_label(Role::MultilineTextInput, "formula").value().unwrap_or_default()
}

#[test]
fn a_formula_that_is_refused_stays_with_its_reason_until_it_is_mended_or_given_up() {
    let mut window = window();
    let before = window.state().scenario().target.clone();
    write_anew(&mut window, "x² − y²");
    click(&mut window, "Apply");
    wait_until(&mut window, "the reason", |window| shows(window, "no highest point"));
    assert_eq!(window.state().frame().scenario.target, before);
    wait_until(&mut window, "the refusal", |window| shows(window, "The runs keep the target"));
    assert_eq!(written(&window), "x² − y²", "what was typed is not lost");
    assert_eq!(window.unnamed_widgets(), Vec::<String>::new());
    // The reason below the field is that of this text, and of no other; there is no message beside it.
    let told = |window: &Window| window.query_all_by_label_contains("no highest point").count();
    window.run_steps(5);
    let before_another = told(&window);
    assert_eq!(before_another, 1, "it is told once");
    write_anew(&mut window, "x² − y² − 1");
    assert_eq!(told(&window) + 1, before_another);
    assert!(shows(&window, "The runs keep the target"));
    write_anew(&mut window, "x² − y²");
    assert_eq!(told(&window), before_another);
    click(&mut window, "Give up");
    window.key_press(Key::Escape);
    window.run_steps(3);
    assert_eq!(written(&window), before.word("density"));
    window.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    window.run_steps(3);
    assert_eq!(written(&window), "x² − y²", "undo brings it back");
    window.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    window.run_steps(3);
    assert_eq!(written(&window), before.word("density"), "and then what was there before");
    window.key_press_modifiers(Modifiers::COMMAND, Key::Y);
    window.run_steps(3);
    assert_eq!(written(&window), "x² − y²", "redo brings it back as well");
    write_anew(&mut window, "−ln(1 + x²) − ln(1 + y²)");
    click(&mut window, "Apply");
    wait_until(&mut window, "the remark", |window| shows(window, "too heavy for a covariance"));
    assert!(window.state().frame().target.info().mean.x.is_nan());
    assert!(!shows(&window, "The runs keep the target"));
}

/// Another choice of the target takes the text that is being written with it.
#[test]
fn another_form_is_that_of_the_text_in_the_field() {
    let mut window = window();
    write_anew(&mut window, "exp(−x²/2 − y²)");
    window.get_by_role_and_label(Role::ComboBox, "it gives").click();
    window.run_steps(3);
    let density = find_kind(&TARGETS, "formula").unwrap().param("form").unwrap();
    let ParamType::Choice(choices) = density.ty else { panic!("no choice") };
    let other = choices.iter().find(|choice| choice.name != "log-density").unwrap();
    click(&mut window, other.label);
    wait_until(&mut window, "the new target", |window| {
        window.state().frame().scenario.target.word("form") == other.name
    });
    assert_eq!(window.state().frame().scenario.target.word("density"), "exp(−x²/2 − y²)");
}

#[test]
fn a_parameter_is_an_event_in_watch_and_counts_from_the_start_in_instant() {
    let mut window = window();
    click(&mut window, "Target: Formula");
    window.run_steps(5);
    window.get_by_role_and_label(Role::CheckBox, "Keep chains when the target changes").click_accesskit();
    window.run_steps(2);
    window.key_press(Key::Escape);
    window.run_steps(3);
    let step = window.state().frame().step;
    click(&mut window, "One step forward");
    wait_until(&mut window, "a step", |window| window.state().frame().step > step);
    let drag = |window: &mut Window, to: f64| {
        controls(window, Role::Slider, "b")[0].set_value_accesskit(to);
        window.run_steps(3);
    };
    drag(&mut window, 0.2);
    wait_until(&mut window, "an event", |window| !window.state().frame().scenario.events.is_empty());
    wait_until(&mut window, "the target of the moment", |window| {
        let target = &window.state().frame().target;
        (target.density().unwrap().hessian(sampler_lab::math::Point::zeros()).m11 + 1.0 / 2.25).abs() < 1.0
    });
    // The file with the event is read back as it was.
    let text = write(window.state().scenario());
    let again = read(&text, "again", Path::new(".")).unwrap_or_else(|errors| panic!("{errors}\n{text}"));
    assert_eq!(again.events, window.state().scenario().events);
    window.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    wait_until(&mut window, "undo", |window| window.state().scenario().events.is_empty());
    let mut short = window_with(
        &SCENARIO.replace("100000", "2000").replace(
            "kind = \"gaussian\"",
            "kind = \"formula\"\ndensity = \"−(x² + b y²)/2\"\nparameters = { b = { value = 1.0, from = -1.0, to = 100.0 } }",
        ),
        Vec2::new(1440.0, 900.0),
    );
    short.run_steps(3);
    in_instant(&mut short);
    drag(&mut short, 4.0);
    wait_until(&mut short, "the finished run", |window| {
        let frame = window.state().frame();
        parameter(window, "b") == Some(4.0)
            && frame.scenario.as_ref() == window.state().scenario()
            && frame.step == frame.total
    });
    assert!(short.state().scenario().events.is_empty());
    assert!((short.state().frame().target.info().covariance.m22 - 0.25).abs() < 1e-9);
    // At a value with which it is no density the reason is told, and the target stays.
    drag(&mut short, -0.5);
    wait_until(&mut short, "the reason", |window| {
        shows(window, "no highest point") || shows(window, "no integral was found")
    });
    assert!((short.state().frame().target.info().covariance.m22 - 0.25).abs() < 1e-9);
}

#[test]
fn examples_are_a_menu_and_locks_hold() {
    let mut window = window();
    click(&mut window, "Examples");
    click(&mut window, "Mean and precision");
    wait_until(&mut window, "the example", |window| parameter(window, "λ") == Some(11.0));
    let kind = window.state().scenario().target.group("support_y").map(|group| group.kind.name);
    assert_eq!(kind, Some("above"));
    let locked = format!(
        "{}\n[view]\nlocked = [\"target.density\"]",
        SCENARIO.replace("kind = \"gaussian\"", "kind = \"formula\"\ndensity = \"−x² − y²\"\nparameters = {}")
    );
    let mut window = window_with(&locked, Vec2::new(1440.0, 900.0));
    window.run_steps(3);
    assert!(window.query_by_role_and_label(Role::MultilineTextInput, "formula").is_none());
    assert!(window.query_by_label_contains("−x² − y²").is_some(), "it is there to be read");
}

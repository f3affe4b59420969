//! Tests of a step that is taken apart in the window: what is counted, and whose step it is.

use egui::{Key, Modifiers, Vec2, vec2};
use egui_kittest::kittest::{NodeT, Queryable};

use super::app::{Window, click, wait_until, window_with};

const SIZE: Vec2 = Vec2::new(1366.0, 768.0);

const SCENARIO: &str = "format = 1\ntitle = \"Slowly\"\nseed = 7\n[target]\nkind = \"gaussian\"\n[[run]]\nname = \"Walk\"\nmethod = \"random-walk\"\n\
                        steps = 50\nchains = 3\n[view]\ntab = \"step\"\npace = \"watch\"\nstep = 6\nmeasures = [\"draws\"]\n";

fn says(window: &Window, text: &str) -> bool {
    window.query_all_by_label_contains(text).next().is_some()
}

/// Whether a text is on the screen as it is: the number of draws in the readout.
fn reads(window: &Window, text: &str) -> bool {
    window.query_all_by_label(text).next().is_some()
}

fn at_step(window: &mut Window, step: u64) {
    wait_until(window, "the step", |window| window.state().frame().step == step && !window.state().playing());
    window.run_steps(4);
}

/// Three chains have taken six steps: 18 draws. Of the seventh step nothing is counted before its last part is shown.
#[test]
fn the_readout_counts_a_step_when_its_end_is_shown() {
    let mut window = window_with(SCENARIO, SIZE);
    at_step(&mut window, 6);
    assert!(reads(&window, "18") && says(&window, "chain 1 of 3"));
    assert!(!says(&window, "after step"), "the step is whole");
    window.key_press(Key::Period);
    at_step(&mut window, 7);
    let parts = (1..=9).find(|parts| says(&window, &format!("part 1 of {parts}"))).unwrap();
    assert!(parts > 2);
    for part in 1..parts {
        assert!(says(&window, "step 7 · ") && says(&window, &format!("part {part} of {parts}")), "{part}");
        assert!(says(&window, "after step 6") && reads(&window, "18") && !reads(&window, "21"), "part {part}");
        window.key_press(Key::Period);
        window.run_steps(3);
    }
    assert!(says(&window, &format!("part {parts} of {parts}")));
    assert!(reads(&window, "21") && !says(&window, "after step"));
    window.key_press(Key::Comma);
    window.run_steps(3);
    assert!(says(&window, "after step 6") && reads(&window, "18"), "its end is not shown any more");
    // Of a step before that was not seen, all counts, and the words say so.
    window.key_press(Key::Home);
    at_step(&mut window, 0);
    window.key_press_modifiers(Modifiers::SHIFT, Key::ArrowRight);
    at_step(&mut window, 50);
    window.key_press(Key::Comma);
    window.run_steps(3);
    assert!(says(&window, "step 50") && !says(&window, "after step") && reads(&window, "150"));
    window.key_press(Key::Home);
    at_step(&mut window, 0);
    window.key_press(Key::Space);
    wait_until(&mut window, "more steps", |window| window.state().frame().step > 8);
    window.run_steps(3);
    assert!(!says(&window, "after step") && !says(&window, "with step"));
}

/// Before an audience the canvas is that of the run whose step is shown alone.
#[test]
fn the_canvas_beside_a_step_is_that_of_the_run_that_is_chosen() {
    let run = |name: &str| format!("[[run]]\nname = \"{name}\"\nmethod = \"mala\"\nsteps = 50\n");
    let four = SCENARIO.replace("[view]", &format!("{}{}{}[view]", run("Other"), run("Third"), run("Fourth")));
    let mut window = window_with(&four, SIZE);
    at_step(&mut window, 6);
    // The step is shown on demand.
    let present = |window: &mut Window| {
        window.key_press(Key::P);
        window.run_steps(4);
        click(window, "Step");
        window.run_steps(6);
    };
    present(&mut window);
    let shown = |window: &Window| {
        let canvas = |name: &&str| window.query_by_label(&format!("Canvas of {name}")).is_some();
        ["Walk", "Other"].into_iter().filter(canvas).collect::<Vec<_>>()
    };
    assert_eq!(shown(&window), ["Walk"]);
    click(&mut window, "Other");
    window.run_steps(4);
    assert_eq!(shown(&window), ["Other"]);
    // The choice belongs to the window: it stays while another tab is open.
    window.key_press(Key::P);
    window.run_steps(4);
    assert_eq!(shown(&window), ["Walk", "Other"]);
    present(&mut window);
    assert_eq!(shown(&window), ["Other"]);
}

/// What the pointer rests on is told until a dialog is opened by a key.
#[test]
fn no_tooltip_stays_over_a_dialog() {
    let mut window = window_with(SCENARIO, SIZE);
    at_step(&mut window, 6);
    let help = "Go through the parts of each step at one part a second (Shift Space)";
    window.get_by_label("Slow motion").hover();
    window.run_steps(2);
    wait_until(&mut window, "the tooltip", |window| says(window, help));
    window.key_press_modifiers(Modifiers::SHIFT, Key::K);
    window.run_steps(4);
    assert!(says(&window, "There are no trials yet") && !says(&window, help));
    window.key_press(Key::Escape);
    window.run_steps(4);
    assert!(!says(&window, "There are no trials yet"));
}

#[test]
fn a_narrow_window_has_both_sliders() {
    for steps in ["50", "50000", "1000000"] {
        let text = SCENARIO.replace("steps = 50\n", &format!("steps = {steps}\n"));
        let mut window = window_with(&text, vec2(640.0, 768.0));
        at_step(&mut window, 6);
        for name in ["Speed", "Step"] {
            let slider = window.get_by_role_and_label(egui::accesskit::Role::Slider, name).rect();
            assert!(slider.width() >= 40.0 && slider.right() <= 640.0, "{steps} steps, {name}: {slider:?}");
        }
        let role = egui::accesskit::Role::Button;
        // In as many words as there is space for: "Step 6 / 50", "6 / 50", "6".
        let is_position = |label: &str| label == "6" || label.starts_with("6 / ") || label.starts_with("Step 6 / ");
        let mut buttons = window.query_all_by_role(role);
        let shown = buttons.find(|button| button.accesskit_node().label().is_some_and(|label| is_position(&label)));
        assert!(shown.is_some_and(|shown| shown.rect().right() <= 640.0), "{steps} steps: where it is");
    }
}

//! The Schedule tab as an editor: handles by pointer and by key, knots, curves drawn by hand.

use egui::accesskit::Role;
use egui::{Key, Modifiers, Pos2, Vec2, vec2};
use egui_kittest::kittest::{NodeT, Queryable};
use sampler_lab::params::Value;

use super::app::{SCENARIO, Window, click, copied_by, in_instant, number, pause, wait_until, window_with};

const INITIAL: &str = "Handle: initial step size α₀ of cSGLD";

/// A window with finished runs; the first has the given schedule.
fn finished(schedule: &str) -> Window {
    let text = SCENARIO.replace("{ kind = \"constant\", value = 0.05 }", schedule).replace("100000", "4000");
    let mut window = window_with(&text, Vec2::new(1440.0, 900.0));
    window.run_steps(3);
    in_instant(&mut window);
    window.run_steps(2);
    window
}

fn handle(window: &Window, name: &str) -> Pos2 {
    window.get_by_role_and_label(Role::Slider, name).rect().center()
}

/// Presses at a place, moves by `by` in some steps, and releases.
fn drag(window: &mut Window, from: Pos2, by: Vec2) {
    window.hover_at(from);
    window.run_steps(2);
    window.drag_at(from);
    window.run_steps(2);
    for share in [0.2, 0.5, 0.8, 1.0] {
        window.hover_at(from + share * by);
        window.run_steps(2);
    }
    window.drop_at(from + by);
    window.run_steps(3);
}

fn undo(window: &mut Window) {
    window.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    window.run_steps(3);
}

fn knots(window: &Window) -> Vec<[f64; 2]> {
    window.state().scenario().runs[0]
        .settings
        .group("step_size")
        .map_or(Vec::new(), |group| group.points("knots").to_vec())
}

const CUSTOM: &str = "{ kind = \"custom\", knots = [[1, 0.1], [2000, 0.05], [4000, 0.01]] }";

#[test]
fn a_dragged_handle_changes_the_scenario_and_is_undone_in_one_step() {
    let mut window = finished(CUSTOM);
    let before = number(&window, 1, "step_size.initial");
    let at = handle(&window, INITIAL);
    drag(&mut window, at, vec2(3.0, 30.0));
    let after = number(&window, 1, "step_size.initial");
    assert!(after < 0.9 * before && after > 0.2 * before, "{before} → {after}");
    assert_eq!(format!("{after:.2e}").parse::<f64>().unwrap().to_bits(), after.to_bits(), "three digits");
    wait_until(&mut window, "the run", |window| window.state().frame().scenario.as_ref() == window.state().scenario());
    assert!(window.state().scenario().events.is_empty());
    undo(&mut window);
    assert_eq!(number(&window, 1, "step_size.initial").to_bits(), before.to_bits());
}

#[test]
fn the_end_of_a_cycle_is_dragged() {
    let mut window = finished(CUSTOM);
    let at = handle(&window, "Handle: cycles of cSGLD");
    drag(&mut window, at, vec2(at.x, 0.0) * 0.1);
    let after = number(&window, 1, "step_size.cycles");
    assert!(after < 30.0 && after.fract() == 0.0, "{after}");
}

#[test]
fn knots_are_dragged_added_and_removed() {
    let mut window = finished(CUSTOM);
    let at = handle(&window, "Handle: knot 2 of SGLD");
    drag(&mut window, at, vec2(50.0, 20.0));
    let moved = knots(&window);
    assert!(moved[1][0] > 2050.0 && moved[1][1] < 0.05 && moved[1][0].fract() == 0.0, "{moved:?}");
    assert_eq!((moved[0], moved[2]), ([1.0, 0.1], [4000.0, 0.01]));
    wait_until(&mut window, "the run", |window| window.state().frame().scenario.as_ref() == window.state().scenario());
    window.run_steps(2);
    let at = handle(&window, "Handle: knot 2 of SGLD");
    window.hover_at(at);
    window.run_steps(2);
    window.key_press(Key::Delete);
    window.run_steps(3);
    assert_eq!(knots(&window), [[1.0, 0.1], [4000.0, 0.01]]);
    undo(&mut window);
    assert_eq!(knots(&window), moved);
}

#[test]
fn a_handle_with_the_focus_follows_the_arrow_keys() {
    let mut window = finished(CUSTOM);
    let before = number(&window, 1, "step_size.initial");
    let step = window.state().frame().step;
    window.get_by_role_and_label(Role::Slider, INITIAL).focus();
    window.run_steps(2);
    assert!(window.get_by_role_and_label(Role::Slider, INITIAL).accesskit_node().is_focused());
    window.key_press(Key::ArrowUp);
    window.run_steps(3);
    let after = number(&window, 1, "step_size.initial");
    assert!((after - before - 0.001).abs() < 1e-12, "{before} → {after}");
    window.key_press(Key::ArrowLeft);
    window.run_steps(3);
    assert_eq!(number(&window, 1, "step_size.initial").to_bits(), before.to_bits());
    wait_until(&mut window, "the run", |window| window.state().frame().scenario.as_ref() == window.state().scenario());
    assert_eq!(window.state().frame().step, step, "arrow keys of a handle do not step the run");
}

#[test]
fn a_screen_reader_moves_a_handle() {
    let mut window = finished(CUSTOM);
    let before = number(&window, 1, "step_size.initial");
    window.get_by_role_and_label(Role::Slider, INITIAL).increment_accesskit();
    window.run_steps(3);
    assert!((number(&window, 1, "step_size.initial") - before - 0.001).abs() < 1e-12);
    for _ in 0..2 {
        window.get_by_role_and_label(Role::Slider, INITIAL).decrement_accesskit();
        window.run_steps(3);
    }
    assert!((number(&window, 1, "step_size.initial") - before + 0.001).abs() < 1e-12);
}

/// Handles are at their steps also where the axis counts gradients.
#[test]
fn by_gradients_a_handle_moves_to_the_step_under_the_pointer() {
    let text = SCENARIO.replace("{ kind = \"constant\", value = 0.05 }", CUSTOM).replace("100000", "4000").replacen(
        "steps = 4000",
        "chains = 3\nsteps = 4000",
        1,
    ) + "[view]\naxis = \"gradients\"\n";
    let mut window = window_with(&text, Vec2::new(1440.0, 900.0));
    window.run_steps(3);
    in_instant(&mut window);
    window.run_steps(2);
    let places: Vec<f32> = (1..=3).map(|knot| handle(&window, &format!("Handle: knot {knot} of SGLD")).x).collect();
    let middle = 0.5 * (places[0] + places[2]);
    assert!((places[1] - middle).abs() < 3.0, "half of the steps cost half: {places:?}");
    let quarter = 0.25 * (places[2] - places[0]);
    let at = handle(&window, "Handle: knot 2 of SGLD");
    drag(&mut window, at, vec2(-quarter, 0.0));
    let moved = knots(&window)[1][0];
    assert!((moved - 1000.0).abs() < 30.0, "{moved}");
    // The other run costs a third of it: its end is at a third of the axis.
    let last = handle(&window, "Handle: cycles of cSGLD").x;
    assert!(last < places[0] + (places[2] - places[0]) / 3.0, "{last} {places:?}");
}

#[test]
fn a_curve_drawn_by_hand_becomes_a_custom_schedule() {
    let mut window = finished("{ kind = \"constant\", value = 0.05 }");
    let at = handle(&window, "Handle: step size α of SGLD");
    window.hover_at(at);
    window.run_steps(2);
    window.get_by_role_and_label(Role::Button, "Draw").click();
    window.run_steps(3);
    drag(&mut window, at + vec2(100.0, 5.0), vec2(300.0, 40.0));
    let Some(Value::Group(schedule)) = window.state().scenario().runs[0].settings.get("step_size") else { panic!() };
    assert_eq!(schedule.kind.name, "custom");
    let drawn = knots(&window);
    assert!(drawn.len() >= 2 && drawn[0][1] > drawn[drawn.len() - 1][1], "{drawn:?}");
    undo(&mut window);
    assert_eq!(window.state().scenario().runs[0].settings.group("step_size").unwrap().kind.name, "constant");
}

#[test]
fn a_drag_in_watch_is_an_event() {
    let mut window = window_with(SCENARIO, Vec2::new(1440.0, 900.0));
    window.run_steps(3);
    wait_until(&mut window, "first steps", |window| window.state().frame().step > 10);
    pause(&mut window);
    let at = handle(&window, "Handle: step size α of SGLD");
    drag(&mut window, at, vec2(0.0, 25.0));
    wait_until(&mut window, "an event", |window| !window.state().frame().scenario.events.is_empty());
    assert_eq!(number(&window, 0, "step_size.value").to_bits(), 0.05_f64.to_bits());
    undo(&mut window);
    wait_until(&mut window, "undo", |window| window.state().frame().scenario.events.is_empty());
}

#[test]
fn the_schedule_is_copied_as_toml_python_and_csv() {
    let mut window = finished(CUSTOM);
    let at = handle(&window, INITIAL);
    window.hover_at(at);
    window.run_steps(2);
    for (format, begins) in [
        ("As TOML", "step_size = { kind = \"cyclical\", initial = 0.09, cycles = 30,"),
        ("As PyTorch LambdaLR", "# Step sizes of cSGLD (4000 steps) for PyTorch"),
        ("As optax schedule", "# Step sizes of cSGLD (4000 steps) for optax"),
        ("As CSV", "step,step_size\n1,0.09\n"),
    ] {
        click(&mut window, "Copy schedule");
        let copied = copied_by(&mut window, format);
        assert!(copied.starts_with(begins), "{copied}");
        window.run_steps(3);
    }
}

#[test]
fn a_range_test_suggests_step_sizes_and_a_click_takes_one() {
    let mut window = finished("{ kind = \"constant\", value = 0.05 }");
    let at = handle(&window, "Handle: step size α of SGLD");
    window.hover_at(at);
    window.run_steps(2);
    click(&mut window, "Range test");
    wait_until(&mut window, "the suggestion", |window| {
        window.query_by_label("Back to the schedule").is_some()
            && window.query_by_label_contains("suggested: ").is_some()
    });
    window.run_steps(2);
    assert!(window.query_by_label("Draw").is_none(), "the range test takes the place of the schedule");
    // The plot is where the handle was.
    window.hover_at(at + vec2(150.0, -20.0));
    window.run_steps(2);
    window.drag_at(at + vec2(150.0, -20.0));
    window.run_steps(1);
    window.drop_at(at + vec2(150.0, -20.0));
    window.run_steps(3);
    let after = number(&window, 0, "step_size.value");
    assert!(after < 0.005, "the left part of the plot has small step sizes: {after}");
    undo(&mut window);
    assert_eq!(number(&window, 0, "step_size.value").to_bits(), 0.05_f64.to_bits());
    click(&mut window, "Back to the schedule");
    assert!(window.query_by_label("Draw").is_some());
}

//! Sweeps in the window: computed, pointed at, opened by a click, asked, and made without a file.

use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, PointerButton, Rect, Vec2};
use egui_kittest::kittest::{By, Queryable};
use sampler_lab::params::Value;

use super::app::{Window, click, wait_until, window_with};
use super::functions::paints;
use super::hands::take;

const SCENARIO: &str = r#"
format = 1
title = "Sweep"
seed = 11
[target]
kind = "gaussian-grid"
[[run]]
name = "cSGLD"
method = "csgld"
steps = 400
step_size = { kind = "cyclical", initial = 0.07, cycles = 10 }
"#;

const SWEEP: &str = r#"
[sweep]
seeds = 2
measures = ["modes_covered", "within_mode_kl", "error_xx"]
axes = [
    { parameter = "step_size.initial", from = 0.01, to = 0.16, count = 4, scale = "log" },
    { parameter = "step_size.cycles", from = 2, to = 8, count = 3 },
]
questions = [{ measure = "within_mode_kl", at_most = 1000.0, find = "largest", of = "step_size.initial" }]
[view]
tab = "map"
pace = "instant"
"#;

fn computed(text: &str) -> Window {
    let mut window = window_with(text, Vec2::new(1600.0, 1000.0));
    window.run_steps(3);
    click(&mut window, "Compute");
    wait_until(&mut window, "the answers", |window| window.query_by_label("Ask…").is_some());
    window.run_steps(3);
    window
}

fn place(window: &Window, name: &str) -> Rect {
    window.get(By::new().role(Role::Image).label(name)).rect()
}

fn number(window: &Window, path: &str) -> Value {
    window.state().frame().scenario.runs[0].settings.at(path).unwrap().clone()
}

/// Waits until the run has this first step size.
fn wait_for_step_size(window: &mut Window, expected: f64) {
    wait_until(window, "the step size", |window| number(window, "step_size.initial") == Value::Number(expected));
}

#[test]
fn a_cell_is_read_at_the_pointer_opened_by_a_click_and_given_up_by_undo() {
    let mut window = computed(&format!("{SCENARIO}{SWEEP}"));
    let map = place(&window, "Map of the sweep");
    // The cells are in the middle of the picture; its axes are around them.
    window.hover_at(map.center());
    window.run_steps(3);
    assert!(paints(&window, "cost: 400 gradients") && paints(&window, "initial step size α₀ = "));
    assert!(paints(&window, "initial step size α₀") && paints(&window, "KL within modes"));
    for pressed in [true, false] {
        let (pos, button) = (map.center(), PointerButton::Primary);
        window.event(Event::PointerButton { pos, button, pressed, modifiers: Modifiers::NONE });
        window.step();
    }
    wait_until(&mut window, "another cell", |window| number(window, "step_size.initial") != Value::Number(0.07));
    assert!(paints(&window, "present parameters of the run"), "the cell is marked, and the map stays");
    window.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    wait_for_step_size(&mut window, 0.07);
}

#[test]
fn the_front_and_the_answers_lead_to_cells() {
    let mut window = computed(&format!("{SCENARIO}{SWEEP}"));
    assert!(window.query_by_label("Front of the sweep").is_none());
    click(&mut window, "Both");
    let (map, front) = (place(&window, "Map of the sweep"), place(&window, "Front of the sweep"));
    assert!(map.right() <= front.left(), "{map:?}, {front:?}");
    assert!(paints(&window, "a cell; all cost 400 gradients"));
    // Every cell is within the bound: the answer is the largest step size.
    let answer = window.get_by_label_contains("0.16 (95 %: 0.16 to 0.16), with cycles = ");
    answer.click();
    wait_for_step_size(&mut window, 0.16);
    window.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    wait_for_step_size(&mut window, 0.07);
}

#[test]
fn a_question_is_asked_in_the_window() {
    let mut window = computed(&format!("{SCENARIO}{SWEEP}"));
    let questions = |window: &Window| window.state().frame().scenario.sweep.as_ref().unwrap().questions.len();
    click(&mut window, "Ask…");
    click(&mut window, "Ask");
    wait_until(&mut window, "the question", |window| questions(window) == 2);
    let asked = "Largest initial step size α₀ with Modes covered ≤";
    wait_until(&mut window, "its answer", |window| window.query_by_label_contains(asked).is_some());
    window.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    wait_until(&mut window, "no question", |window| questions(window) == 1);
    wait_until(&mut window, "no answer", |window| window.query_by_label_contains(asked).is_none());
}

#[test]
fn a_sweep_over_one_parameter_is_a_curve() {
    let one = SWEEP
        .replace("    { parameter = \"step_size.cycles\", from = 2, to = 8, count = 3 },\n", "")
        .replace("tab = \"map\"", "tab = \"map\"\noptions = { shown = \"error_xx\" }");
    let mut window = computed(&format!("{SCENARIO}{one}"));
    assert!(paints(&window, "mean squared error") && paints(&window, "absolute bias") && paints(&window, "slope "));
    assert!(paints(&window, "c₁/(α₀K) + c₂α₀²"));
    let curve = place(&window, "Curve of the sweep");
    window.hover_at(curve.left_center() + egui::vec2(4.0, 0.0));
    window.run_steps(3);
    assert!(paints(&window, "initial step size α₀ = 0.01"));
}

#[test]
fn a_sweep_is_made_without_a_file_and_taken_back() {
    let mut window = window_with(&format!("{SCENARIO}[view]\npace = \"instant\"\n"), Vec2::new(1600.0, 1000.0));
    window.run_steps(3);
    take(&mut window, "Sweep…");
    window.get_by_label_contains("12 cells with 8 seeds: 96 runs");
    click(&mut window, "Add a second parameter");
    click(&mut window, "Create");
    wait_until(&mut window, "the sweep", |window| window.state().frame().scenario.sweep.is_some());
    let sweep = window.state().frame().scenario.sweep.clone().unwrap();
    let axes: Vec<&str> = sweep.axes.iter().map(|axis| axis.parameter.as_str()).collect();
    assert_eq!(axes, ["step_size.initial", "step_size.cycles"]);
    window.run_steps(3);
    window.get_by_role_and_label(Role::Button, "Compute");
    window.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    wait_until(&mut window, "no sweep", |window| window.state().frame().scenario.sweep.is_none());
}

/// The tab Map offers a sweep. The form has parameters of the target, a third axis, and says which measures there are not.
#[test]
fn the_tab_offers_a_sweep_over_run_and_target() {
    let text = "format = 1\nseed = 2\n[target]\nkind = \"network\"\nhidden = 2\ndata = { kind = \"moons\" }\n[[run]]\nname = \"A\"\n\
                method = \"hmc\"\nsteps = 8\n[view]\ntab = \"map\"\npace = \"instant\"\n";
    let mut window = window_with(text, Vec2::new(1600.0, 1000.0));
    window.run_steps(3);
    assert!(paints(&window, "There is no sweep yet."));
    click(&mut window, "Sweep…");
    window.run_steps(3);
    assert!(paints(&window, "Predictions") && paints(&window, "ESS per gradient"));
    assert!(window.query_by_label("Topics: none, the target has no topics").is_some());
    click(&mut window, "Add a second parameter");
    click(&mut window, "Add a third parameter");
    click(&mut window, "Create");
    wait_until(&mut window, "the sweep", |window| window.state().frame().scenario.sweep.is_some());
    let sweep = window.state().frame().scenario.sweep.clone().unwrap();
    let axes: Vec<&str> = sweep.axes.iter().map(|axis| axis.parameter.as_str()).collect();
    assert_eq!(axes, ["step_size.value", "target.temperature", "steps"]);
    assert_eq!((sweep.axes[2].count, &sweep.measures[..]), (4, &["nll_in", "error_in", "rhat_functions"][..]));
}

/// A click on a cell gives the target its parameter, and the map stays.
#[test]
fn a_cell_gives_the_target_its_parameters() {
    let axes = "    { parameter = \"step_size.cycles\", from = 2, to = 8, count = 3 },\n";
    let target = "    { parameter = \"target.spacing\", from = 1, to = 3, count = 3 },\n";
    let text = format!("{SCENARIO}{}", SWEEP.replace(axes, target).replace("\"error_xx\"", "\"rhat\""));
    let mut window = computed(&text);
    let map = place(&window, "Map of the sweep");
    let at = map.center() - egui::vec2(0.0, 0.2 * map.height());
    window.hover_at(at);
    window.run_steps(3);
    assert!(paints(&window, "target: spacing = 3") && paints(&window, "R-hat: no value: "));
    for pressed in [true, false] {
        let button = PointerButton::Primary;
        window.event(Event::PointerButton { pos: at, button, pressed, modifiers: Modifiers::NONE });
        window.step();
    }
    wait_until(&mut window, "another target", |window| {
        window.state().frame().scenario.target.at("spacing") == Some(&Value::Number(3.0))
    });
    window.run_steps(3);
    assert!(paints(&window, "present parameters"), "the cell is marked, and the map stays");
}

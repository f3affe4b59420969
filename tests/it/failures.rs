//! Tests of what the window says of runs that fail.

use egui::{Key, Vec2};
use egui_kittest::kittest::Queryable;

use super::app::{wait_until, window_with};

/// Four chains that diverge, one that is rejected always, and one that is well.
const SCENARIO: &str = r#"
format = 1
title = "Failures"
seed = 4
[target]
kind = "gaussian-grid"
[[run]]
name = "SGLD"
method = "sgld"
chains = 4
steps = 100000
step_size = { kind = "constant", value = 0.2 }
[[run]]
name = "HMC"
method = "hmc"
steps = 100000
step_size = { kind = "constant", value = 5.0 }
[[run]]
name = "Well"
method = "sgld"
steps = 100000
"#;

#[test]
fn strips_above_the_canvases_say_what_failed() {
    let mut window = window_with(SCENARIO, Vec2::new(1366.0, 768.0));
    wait_until(&mut window, "both warnings", |window| {
        let shown = |words: &str| window.query_all_by_label_contains(words).next().is_some();
        shown("chains left the target, the first at step") && shown("proposals were rejected")
    });
    let strip =
        window.get_by_label("All 4 chains left the target, the first at step 12; stable below α = 0.06 at the mode.");
    let canvas = window.get_by_label("Canvas of SGLD").rect();
    // In the strip, above the plot and inside of its canvas.
    assert!(canvas.contains_rect(strip.rect()) && strip.rect().bottom() < canvas.top() + 0.25 * canvas.height());
    // The run that is well alone has no strip, and the canvas of the first alone has its own.
    let strips = |window: &super::app::Window| window.query_all_by_label_contains("left the target").count();
    let before = strips(&window);
    window.key_press(Key::Num3);
    window.run_steps(4);
    assert_eq!(strips(&window) + 1, before, "the card still says it");
}

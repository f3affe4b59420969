//! Functions beside the weights: the layout of the window, and the link between a canvas and a plot of functions.

use egui::accesskit::Role;
use egui::{Key, Rect, Shape, Vec2, pos2};
use egui_kittest::kittest::{By, Queryable};
use sampler_lab::scenario::Lesson;

use super::app::{Window, wait_until};
use super::screen::Screen;

fn window(screen: &Screen, lesson: &str, size: Vec2) -> Window {
    let mut window = screen.window(Lesson::find(lesson).unwrap().scenario().unwrap(), size, 1.0);
    wait_until(&mut window, "the end", |window| window.state().frame().finished());
    // Pictures in the background follow.
    for _ in 0..60 {
        window.step();
        std::thread::sleep(std::time::Duration::from_millis(25));
    }
    window
}

fn place(window: &Window, name: &str) -> Rect {
    window.get(By::new().role(Role::Image).label(name)).rect()
}

/// Whether a text of the plots has these words.
pub fn paints(window: &Window, words: &str) -> bool {
    fn has(shape: &Shape, words: &str) -> bool {
        match shape {
            Shape::Vec(shapes) => shapes.iter().any(|shape| has(shape, words)),
            Shape::Text(text) => text.galley.text().contains(words),
            _ => false,
        }
    }
    window.output().shapes.iter().any(|clipped| has(&clipped.shape, words))
}

#[test]
fn functions_stand_beside_the_weights() {
    let screen = Screen::default();
    let mut window = window(&screen, "two-weights", Vec2::new(1440.0, 900.0));
    for run in ["One chain", "Sixteen chains"] {
        let [canvas, functions] = ["Canvas", "Functions"].map(|kind| place(&window, &format!("{kind} of {run}")));
        assert!(canvas.right() <= functions.left(), "{run}: {canvas:?}, {functions:?}");
        assert!((canvas.area() / functions.area() - 1.0).abs() < 0.05, "{run}: {canvas:?}, {functions:?}");
        assert!((canvas.top() - functions.top()).abs() < 1.0, "{run}: {canvas:?}, {functions:?}");
    }
    let canvas = place(&window, "Canvas of One chain");
    let functions = place(&window, "Functions of One chain");
    // A place on the canvas is a function.
    assert!(!paints(&window, "f at the pointer"));
    window.hover_at(pos2(canvas.center().x + 30.0, canvas.center().y));
    window.run_steps(3);
    assert!(paints(&window, "f at the pointer"));
    // A place on the plot says its values, and at a function its weights.
    let mut found = false;
    for step in 0..60_u8 {
        let y = functions.top() + functions.height() * (0.2 + 0.01 * f32::from(step));
        window.hover_at(pos2(functions.center().x + 60.0, y));
        window.run_steps(2);
        assert!(paints(&window, "mean of f"));
        found |= paints(&window, "this f");
    }
    assert!(found && !paints(&window, "f at the pointer"));
    window.key_press(Key::P);
    window.run_steps(8);
    assert!(place(&window, "Functions of One chain").area() > 1.2 * functions.area(), "presenting");
    window.key_press(Key::Escape);
    window.run_steps(8);
    window.key_press(Key::F4);
    window.run_steps(8);
    let gone = window.query(By::new().role(Role::Image).label("Functions of One chain")).is_none();
    assert!(gone && place(&window, "Canvas of One chain").area() > 1.5 * canvas.area(), "folded");
}

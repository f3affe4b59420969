//! Functions beside the weights: the layout of the window, and the link between a canvas and a plot of functions.

use std::path::Path;

use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, PointerButton, Pos2, Rect, Shape, Vec2, pos2, vec2};
use egui_kittest::kittest::{By, Queryable};
use sampler_lab::scenario::{Lesson, read};

use super::app::{Window, wait_until};
use super::schedule_editor::drag;
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
        // Frames are slow here.
        if found {
            break;
        }
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

const NETWORK: &str = "format = 1\ntitle = \"Drawn\"\nseed = 2\n[target]\nkind = \"network\"\nhidden = 4\n[target.data]\n\
                       kind = \"points\"\npoints = [[-1.0, 0.0], [0.0, 0.5], [1.0, 0.0]]\n[[run]]\nname = \"HMC\"\n\
                       method = \"hmc\"\nchains = 4\nsteps = 50\nstep_size = { kind = \"constant\", value = 0.02 }\n\
                       [view]\ntab = \"functions\"\npace = \"instant\"\n";

/// The middles of the data on the plot of functions, from left to right.
fn dots(window: &Window) -> Vec<Pos2> {
    fn circles(shape: &Shape, found: &mut Vec<Pos2>) {
        match shape {
            Shape::Vec(shapes) => shapes.iter().for_each(|shape| circles(shape, found)),
            Shape::Circle(circle) => found.push(circle.center),
            _ => {}
        }
    }
    let mut found = Vec::new();
    window.output().shapes.iter().for_each(|clipped| circles(&clipped.shape, &mut found));
    let plot = place(window, "Functions of HMC");
    found.retain(|at| plot.contains(*at) && at.y > plot.top() + 30.0);
    found.sort_by(|a, b| a.x.total_cmp(&b.x));
    found.dedup_by(|a, b| a.distance(*b) < 0.5);
    found
}

fn data(window: &Window) -> Vec<[f64; 2]> {
    window.state().scenario().target.group("data").unwrap().points("points").to_vec()
}

/// The data of the scenario, once the finished runs with them are in the picture.
fn settled(window: &mut Window) -> Vec<[f64; 2]> {
    let data = data(window);
    let inputs: Vec<f64> = data.iter().map(|datum| datum[0]).collect();
    wait_until(window, "runs with these data", |window| {
        let frame = window.state().frame();
        frame.finished() && frame.target.regression().is_some_and(|drawn| drawn.inputs() == inputs)
    });
    window.run_steps(2);
    data
}

#[test]
fn data_are_dragged_added_and_removed_on_the_plot_and_undone() {
    let screen = Screen::default();
    let scenario = read(NETWORK, "network.toml", Path::new("")).unwrap();
    let mut window = screen.window(scenario, Vec2::new(1366.0, 768.0), 1.0);
    let before = settled(&mut window);
    let at = dots(&window);
    assert_eq!(at.len(), 3, "{at:?}");
    drag(&mut window, at[1], vec2(40.0, -30.0));
    let after = settled(&mut window);
    assert_eq!((after.len(), after[0], after[2]), (3, before[0], before[2]));
    assert!(after[1][0] > before[1][0] && after[1][1] > before[1][1], "{after:?}");
    // The vertical axis has grown with the data.
    assert!((dots(&window)[1].x - at[1].x - 40.0).abs() < 2.0, "{:?}", dots(&window));
    window.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    window.run_steps(5);
    assert_eq!(settled(&mut window), before, "one drag is one step back");

    let middle = dots(&window)[1];
    let click = |pos: Pos2, button: PointerButton| {
        [true, false].map(|pressed| Event::PointerButton { pos, button, pressed, modifiers: Modifiers::NONE })
    };
    let free = middle + vec2(60.0, 40.0);
    // Each event is a frame of a quarter of a second.
    window.ctx.options_mut(|options| options.input_options.max_double_click_delay = 5.0);
    window.hover_at(free);
    window.run_steps(2);
    for event in [click(free, PointerButton::Primary), click(free, PointerButton::Primary)].into_iter().flatten() {
        window.event(event);
    }
    window.run_steps(5);
    let added = settled(&mut window);
    assert_eq!((added.len(), &added[..3]), (4, &before[..]), "a double click adds a datum");
    let last = *dots(&window).iter().min_by(|a, b| a.x.total_cmp(&b.x)).unwrap();
    window.hover_at(last);
    window.run_steps(2);
    for event in click(last, PointerButton::Secondary) {
        window.event(event);
        window.run_steps(2);
    }
    let left = settled(&mut window);
    assert_eq!((left.len(), left[0]), (3, before[1]), "a secondary click removes one");
}

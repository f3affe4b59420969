//! Weight space in planes beside the canvases: its pictures in the window, the draw under the pointer, and pictures in files.

use std::path::Path;

use egui::accesskit::Role;
use egui::{Pos2, Rect, Vec2, pos2};
use egui_kittest::kittest::{By, Queryable};
use sampler_lab::scenario::read;

use super::app::{Window, click, enabled, wait_until};
use super::functions::paints;
use super::screen::Screen;

const GAP: &str = "format = 1\ntitle = \"Gap\"\nseed = 2\n[target]\nkind = \"network\"\nhidden = 4\n\
                   [[run]]\nname = \"HMC\"\nmethod = \"hmc\"\nchains = 4\nsteps = 120\n\
                   step_size = { kind = \"constant\", value = 0.005 }\n[view]\ntab = \"weights\"\npace = \"instant\"\n";

fn place(window: &Window, name: &str) -> Rect {
    window.get(By::new().role(Role::Image).label(name)).rect()
}

fn window(picture: &str) -> Window {
    opened(&format!("{GAP}options = {{ picture = \"{picture}\" }}\n"))
}

fn opened(scenario: &str) -> Window {
    let scenario = read(scenario, "gap.toml", Path::new("")).unwrap();
    let mut window = Screen::default().window(scenario, Vec2::new(1366.0, 768.0), 1.0);
    wait_until(&mut window, "the end", |window| window.state().frame().finished());
    window
}

/// Points at places of a plot until these words are painted; returns the place.
fn pointed(window: &mut Window, plot: Rect, words: &str) -> Option<Pos2> {
    (1..60).find_map(|step| {
        let share = |a: f32| 0.1 + 0.85 * ((step as f32 * a) % 1.0);
        let at = pos2(plot.left() + share(0.618) * plot.width(), plot.top() + share(0.324) * plot.height());
        window.hover_at(at);
        window.run_steps(3);
        paints(window, words).then_some(at)
    })
}

#[test]
fn a_draw_lights_up_on_weights_and_functions_alike() {
    let functions = GAP.replace("\"weights\"", "\"functions\"");
    // With room for the legend on the plot.
    let view = "options = { beside = \"functions\" }\nfolded = [\"target-and-runs\", \"readout-and-lesson\"]\n";
    let mut window = opened(&format!("{functions}{view}"));
    wait_until(&mut window, "the clusters", |window| paints(window, "480 draws") && paints(window, "cluster"));
    let [weights, functions] = ["Weight space", "Functions of HMC"].map(|name| place(&window, name));
    assert!(weights.right() <= functions.left(), "{weights:?}, {functions:?}");
    assert!(window.query(By::new().role(Role::Image).label("Canvas of HMC")).is_none());
    assert!(!paints(&window, "f of this draw") && !paints(&window, "f at the pointer"));
    pointed(&mut window, functions, "this f ").expect("a function under the pointer");
    assert!(paints(&window, "f of this draw"), "its weights");
    pointed(&mut window, weights, ", step ").expect("a draw under the pointer");
    assert!(paints(&window, "f at the pointer") && !paints(&window, "this f "));
    window.hover_at(pos2(1.0, 1.0));
    window.run_steps(3);
    assert!(!paints(&window, "f of this draw") && !paints(&window, "f at the pointer"));
}

#[test]
fn draws_are_named_and_chosen_with_the_pointer() {
    let mut window = window("weights");
    wait_until(&mut window, "the picture", |window| {
        paints(window, "of the variance of weights") && paints(window, "480 draws")
    });
    let [canvas, plot] = ["Canvas of HMC", "Weight space"].map(|name| place(&window, name));
    assert!(canvas.right() <= plot.left(), "{canvas:?}, {plot:?}");
    let at = pointed(&mut window, plot, ", step ").expect("a draw under the pointer");
    assert!(paints(&window, "f of this draw"));
    window.hover_at(canvas.center());
    window.run_steps(3);
    assert!(
        paints(&window, "f of this draw") && !paints(&window, "chain 1, step"),
        "of the draw nearest to the pointer"
    );
    window.drag_at(at);
    window.drop_at(at);
    window.run_steps(3);
    wait_until(&mut window, "the chosen draw", |window| window.query_by_label("Release draws").is_some());
    window.get_by_label("Release draws").click();
    window.run_steps(3);
    assert!(window.query_by_label("Release draws").is_none());
}

#[test]
fn planes_and_paths_say_what_they_are() {
    let mut plane = window("plane");
    wait_until(&mut plane, "the plane", |window| paints(window, "fainter: further from the plane"));
    assert!(paints(&plane, "along b − a (prior sds)"));
    let mut path = window("path");
    wait_until(&mut path, "the path", |window| paints(window, "units matched "));
    assert!(paints(&path, "barrier ") && paints(&path, "test RMSE") && paints(&path, "−log likelihood (nats)"));
    let plot = place(&path, "Weight space");
    path.hover_at(pos2(plot.center().x, plot.top() + 0.35 * plot.height()));
    path.run_steps(3);
    assert!(paints(&path, "with units matched") && paints(&path, "λ 0."));
    let mut direction = window("direction");
    wait_until(&mut direction, "the line", |window| paints(window, "t in a + t·d"));
    assert!(paints(&direction, "test RMSE") && !paints(&direction, "units matched") && !paints(&direction, "barrier"));
    assert!(!enabled(&direction, "Previous direction"), "the first");
    click(&mut direction, "Next direction");
    assert!(enabled(&direction, "Previous direction"), "the second");
}

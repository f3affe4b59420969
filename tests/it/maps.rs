//! Maps of classes beside the weights: the layout of the window, the values under the pointer, the link with a canvas, and the
//! reference; and the reliability diagram.

use std::path::Path;

use egui::accesskit::Role;
use egui::{Rect, Vec2, pos2};
use egui_kittest::kittest::{By, Queryable};
use sampler_lab::scenario::read;

use super::app::{Window, click, wait_until};
use super::functions::paints;
use super::screen::Screen;

const MOONS: &str = "format = 1\ntitle = \"Moons\"\nseed = 2\n[target]\nkind = \"network\"\nhidden = 8\n[target.data]\n\
                     kind = \"moons\"\n[[run]]\nname = \"HMC\"\nmethod = \"hmc\"\nchains = 8\nsteps = 60\n\
                     step_size = { kind = \"constant\", value = 0.15 }\n[view]\ntab = \"maps\"\npace = \"instant\"\n";

fn place(window: &Window, name: &str) -> Rect {
    window.get(By::new().role(Role::Image).label(name)).rect()
}

#[test]
fn maps_stand_beside_the_weights() {
    let screen = Screen::default();
    let scenario = read(MOONS, "moons.toml", Path::new("")).unwrap();
    let mut window = screen.window(scenario, Vec2::new(1366.0, 768.0), 1.0);
    wait_until(&mut window, "the end", |window| window.state().frame().finished());
    wait_until(&mut window, "all draws in the map", |window| paints(window, "from 4"));
    let [canvas, map] = ["Canvas", "Map"].map(|kind| place(&window, &format!("{kind} of HMC")));
    assert!(canvas.right() <= map.left(), "{canvas:?}, {map:?}");
    assert!(["class 0", "class 1", "p̄ = ½", "p̄ of class 1"].into_iter().all(|words| paints(&window, words)));
    assert!(!paints(&window, "draw at the pointer") && !paints(&window, "mutual information"));
    window.hover_at(canvas.center());
    window.run_steps(3);
    assert!(paints(&window, "draw at the pointer"));
    window.hover_at(pos2(map.left() + 0.4 * map.width(), map.center().y));
    window.run_steps(3);
    assert!(paints(&window, "mutual information") && paints(&window, "logit"));
    assert!(!paints(&window, "draw at the pointer"));
}

#[test]
fn the_reference_is_one_more_map_and_test_data_have_a_reliability_diagram() {
    let screen = Screen::default();
    let scenario = read(&MOONS.replace("hidden = 8", "hidden = 2"), "moons.toml", Path::new("")).unwrap();
    let mut window = screen.window(scenario, Vec2::new(1366.0, 768.0), 1.0);
    wait_until(&mut window, "the end", |window| window.state().frame().finished());
    assert!(window.query(By::new().role(Role::Image).label("Map of HMC reference")).is_none());
    click(&mut window, "Compute reference (HMC)");
    wait_until(&mut window, "a map of the reference", |window| {
        window.query(By::new().role(Role::Image).label("Map of HMC reference")).is_some()
            && paints(window, "R-hat of f")
    });
    let [own, reference] = ["HMC", "HMC reference"].map(|name| place(&window, &format!("Map of {name}")));
    assert!(own.intersect(reference).area() < 1.0 && own.area() > 0.8 * reference.area(), "{own:?}, {reference:?}");
    click(&mut window, "Reliability");
    wait_until(&mut window, "the diagram", |window| paints(window, "HMC: ECE 0."));
    assert!(paints(&window, "calibrated") && paints(&window, "share that is right"));
}

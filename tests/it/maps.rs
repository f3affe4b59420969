//! Maps of classes beside the weights: the layout of the window, the values under the pointer, and the link with a canvas.

use std::path::Path;

use egui::accesskit::Role;
use egui::{Rect, Vec2, pos2};
use egui_kittest::kittest::{By, Queryable};
use sampler_lab::scenario::read;

use super::app::{Window, wait_until};
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
    assert!(!paints(&window, "of the draw at the pointer") && !paints(&window, "mutual information"));
    window.hover_at(canvas.center());
    window.run_steps(3);
    assert!(paints(&window, "of the draw at the pointer"));
    window.hover_at(pos2(map.left() + 0.4 * map.width(), map.center().y));
    window.run_steps(3);
    assert!(paints(&window, "mutual information") && paints(&window, "logit"));
    assert!(!paints(&window, "of the draw at the pointer"));
}

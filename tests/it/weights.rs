//! Weight space in planes beside the canvases: its pictures in the window, the draw under the pointer, and pictures in files.

use std::path::Path;

use egui::accesskit::Role;
use egui::{Rect, Vec2, pos2};
use egui_kittest::kittest::{By, Queryable};
use sampler_lab::scenario::read;

use super::app::{Window, wait_until};
use super::functions::paints;
use super::screen::Screen;

const GAP: &str = "format = 1\ntitle = \"Gap\"\nseed = 2\n[target]\nkind = \"network\"\nhidden = 4\n\
                   [[run]]\nname = \"HMC\"\nmethod = \"hmc\"\nchains = 4\nsteps = 120\n\
                   step_size = { kind = \"constant\", value = 0.005 }\n[view]\ntab = \"weights\"\npace = \"instant\"\n";

fn place(window: &Window, name: &str) -> Rect {
    window.get(By::new().role(Role::Image).label(name)).rect()
}

fn with(picture: &str) -> String {
    format!("{GAP}options = {{ picture = \"{picture}\" }}\n")
}

fn window(picture: &str) -> Window {
    let scenario = read(&with(picture), "gap.toml", Path::new("")).unwrap();
    let mut window = Screen::default().window(scenario, Vec2::new(1366.0, 768.0), 1.0);
    wait_until(&mut window, "the end", |window| window.state().frame().finished());
    window
}

#[test]
fn draws_are_named_and_chosen_with_the_pointer() {
    let mut window = window("weights");
    wait_until(&mut window, "the picture", |window| {
        paints(window, "of the variance of weights") && paints(window, "480 draws")
    });
    let [canvas, plot] = ["Canvas of HMC", "Weight space"].map(|name| place(&window, name));
    assert!(canvas.right() <= plot.left(), "{canvas:?}, {plot:?}");
    let mut found = None;
    for step in 1..60 {
        let share = |a: f32| 0.1 + 0.85 * ((step as f32 * a) % 1.0);
        let at = pos2(plot.left() + share(0.618) * plot.width(), plot.top() + share(0.324) * plot.height());
        window.hover_at(at);
        window.run_steps(2);
        if paints(&window, ", step ") {
            found = Some(at);
            break;
        }
    }
    let at = found.expect("a draw under the pointer");
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
}

//! Tests of pairs.

use std::path::Path;

use egui::vec2;
use egui_kittest::Harness;

use super::*;
use crate::kit::background::Computing;
use crate::theme;
use engine::scenario::read;
use engine::session::{Frame, Session};

fn after(steps: u64) -> Frame {
    let text = "format = 1\ntitle = \"x\"\nseed = 3\n[target]\nkind = \"regression\"\nterms = \"1, speed, speed^2\"\n\
                [[run]]\nname = \"NUTS\"\nmethod = \"nuts\"\nchains = 2\nsteps = 600\nadapt_step_size = true\nwarm_up = 200\n\
                collect = { burn_in = 200 }\n[[run]]\nname = \"Laplace\"\nmethod = \"laplace\"\nsteps = 600\n";
    let mut session = Session::new(read(text, "x", Path::new("")).unwrap()).unwrap();
    session.advance(steps);
    session.frame()
}

fn drawn(frame: &Frame, (truth, chosen): (bool, &str), size: [f32; 2]) -> Harness<'static, Option<[usize; 2]>> {
    let (frame, mut cache, look) = (frame.clone(), PairsCache::default(), Theme::default());
    let chosen = Chosen::of_text(chosen).unwrap();
    let mut harness =
        Harness::builder().with_size(vec2(size[0], size[1])).with_context_setup(theme::install_fonts).build_ui_state(
            move |ui, wanted| {
                theme::apply(ui.ctx(), &look);
                let computing = Computing::Now;
                let input = PairsInput { frame: &frame, runs: &[0, 1], computing, truth, chosen, clickable: true };
                *wanted = plot::show(ui, &input, &look, &mut cache).or(*wanted);
            },
            None,
        );
    harness.run_steps(3);
    harness
}

#[test]
fn it_draws_before_and_after_steps_in_any_size() {
    for steps in [0, 600] {
        let frame = after(steps);
        for (truth, chosen, size) in
            [(true, "1, 2, 3, 4, 5", [600.0, 500.0]), (false, "1, 5", [200.0, 80.0]), (true, "2, 4", [30.0, 20.0])]
        {
            drop(drawn(&frame, (truth, chosen), size));
        }
    }
}

/// Steps that are far too long: draws after divergent transitions are found among those that are kept, at most so many, and drawn.
#[test]
fn draws_after_divergent_transitions_are_marked() {
    let of = |step: f64| {
        let text = format!(
            "format = 1\ntitle = \"x\"\nseed = 3\n[target]\nkind = \"regression\"\nterms = \"1, speed\"\n[[run]]\n\
             name = \"A\"\nmethod = \"hmc\"\nchains = 2\nsteps = 100\nstep_size = {{ kind = \"constant\", value = {step} }}\n\
             [[run]]\nname = \"B\"\nmethod = \"laplace\"\nsteps = 100\n"
        );
        let mut session = Session::new(read(&text, "x", Path::new("")).unwrap()).unwrap();
        session.advance(100);
        session.frame()
    };
    let (wild, sound) = (of(5.0), of(0.001));
    let run = &wild.runs[0];
    let found = geometry::divergent(&wild.target, run, 1000);
    let names = wild.target.quantities().unwrap().names();
    assert!(run.totals.divergent > 0 && found.len() == names.len());
    let count = found[0].len();
    assert!(count > 0 && count as u64 <= run.totals.divergent && found.iter().all(|of| of.len() == count));
    let draws = engine::session::QuantityDraws::of(&wild.target, run).unwrap();
    for (found, chains) in found.iter().zip(&draws.chains) {
        assert!(found.iter().all(|value| chains.iter().flatten().any(|draw| draw.to_bits() == value.to_bits())));
    }
    assert_eq!(geometry::divergent(&wild.target, run, 3)[0], found[0][..3]);
    assert!(geometry::divergent(&sound.target, &sound.runs[0], 1000).is_empty());
    drop(drawn(&wild, (true, "1, 2, 3"), [600.0, 500.0]));
}

/// The cell in the second row and first column is that of the first two quantities; one with σ is no pair of coordinates.
#[test]
fn a_click_asks_for_two_coordinates() {
    let frame = after(600);
    for (chosen, expected) in [("1, 3", Some([0, 2])), ("1, 5", None)] {
        let mut harness = drawn(&frame, (true, chosen), [600.0, 500.0]);
        let at = egui::pos2(200.0, 400.0);
        harness.hover_at(at);
        harness.run_steps(2);
        harness.drag_at(at);
        harness.drop_at(at);
        harness.run_steps(2);
        assert_eq!(*harness.state(), expected, "{chosen}");
    }
}

//! Tests of predictive checks.

use std::path::Path;

use egui::vec2;
use egui_kittest::Harness;

use super::*;
use crate::kit::background::Computing;
use crate::theme;
use engine::scenario::read;
use engine::session::{Frame, Session};
use geometry::Statistic;

fn after(steps: u64, target: &str) -> Frame {
    let text = format!(
        "format = 1\ntitle = \"x\"\nseed = 3\n[target]\n{target}\n[[run]]\nname = \"NUTS\"\nmethod = \"nuts\"\nchains = 2\nsteps = 400\n\
         [[run]]\nname = \"Laplace\"\nmethod = \"laplace\"\nsteps = 400\n"
    );
    let mut session = Session::new(read(&text, "x", Path::new("")).unwrap()).unwrap();
    session.advance(steps);
    session.frame()
}

#[test]
fn it_draws_before_and_after_steps_in_any_size() {
    for target in ["kind = \"regression\"", "kind = \"hierarchical-normal\"", "kind = \"gaussian-grid\""] {
        for steps in [0, 400] {
            let frame = after(steps, target);
            for (statistic, size) in [(Statistic::Max, [700.0, 300.0]), (Statistic::Sd, [300.0, 500.0])] {
                let (frame, mut cache, look) = (frame.clone(), PredictiveCache::default(), Theme::default());
                let mut harness = Harness::builder()
                    .with_size(vec2(size[0], size[1]))
                    .with_context_setup(theme::install_fonts)
                    .build_ui(move |ui| {
                        theme::apply(ui.ctx(), &look);
                        let computing = Computing::Now;
                        let input = PredictiveInput { frame: &frame, runs: &[0, 1], computing, statistic };
                        plot::show(ui, &input, &look, &mut cache);
                    });
                harness.run_steps(2);
                harness.hover_at(egui::pos2(0.8 * size[0], 0.8 * size[1]));
                harness.run_steps(2);
            }
        }
    }
}

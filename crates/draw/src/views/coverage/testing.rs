//! Test frames with runs at given points of the coverage plot.

use std::sync::Arc;

use crate::testing::{Fake, Recipe, frame};
use engine::diagnostics::{Measure, NoiseFloor};
use engine::session::Frame;

/// The measures of a run at the point `at`.
pub fn measured(at: [f64; 2], floor: Option<[f64; 2]>) -> Vec<Measure> {
    let of = |mean: f64| NoiseFloor { mean, low: 0.5 * mean, high: 2.0 * mean };
    let one =
        |key, axis: usize| Measure { key, value: Some(at[axis]), floor: floor.map(|at| of(at[axis])), reason: "" };
    vec![one("mode_weight_kl", 0), one("within_mode_kl", 1)]
}

/// A frame with a run at each point, finished or running.
pub fn moment(runs: &[([f64; 2], bool)]) -> Frame {
    let recipe = |finished| {
        let steps = if finished { 100 } else { 60 };
        Recipe { name: if finished { "done" } else { "running" }, chains: 1, steps, total: 100, alpha: 0.004, cycle: 0 }
    };
    let recipes: Vec<Recipe> = runs.iter().map(|(_, finished)| recipe(*finished)).collect();
    let mut frame = frame(Fake::grid(), &recipes);
    for (run, (at, _)) in frame.runs.iter_mut().zip(runs) {
        run.measures = Arc::new(measured(*at, Some([0.0005, 0.02])));
    }
    frame
}

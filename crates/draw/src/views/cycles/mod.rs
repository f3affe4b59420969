//! Tab of the modes in which cycles end, computed without draws: how many are expected after each cycle, beside those of the run, and the
//! probabilities from mode to mode in a cycle.

mod cache;
mod geometry;
mod matrix;
mod plot;

use egui::Ui;

use super::{PlotContext, PlotTab, StudyUse, TabResponse, TabSpec};
use crate::theme::Theme;
use engine::scenario::view::tabs;
use engine::session::Frame;

use cache::CyclesCache;
pub(crate) use matrix::GESTURES;

pub static TAB: TabSpec = TabSpec {
    spec: &tabs::CYCLES,
    by_coordinate: super::no_coordinate,
    study: StudyUse::Nothing,
    beside: false,
    applies: has_cycles,
    make: || Box::<Cycles>::default(),
};

/// Whether a run has cycles, on a target with several modes that are known.
fn has_cycles(frame: &Frame) -> bool {
    super::has_sampler(frame)
        && super::has_truth(frame)
        && frame.truth.modes().len() > 1
        && (0..frame.runs.len()).any(|run| geometry::cycles_of(frame, run))
}

#[derive(Debug, Default)]
struct Cycles {
    cache: CyclesCache,
}

impl PlotTab for Cycles {
    fn show(&mut self, ui: &mut Ui, cx: &PlotContext<'_>, theme: &Theme) -> TabResponse {
        // A computation under way asks for a repaint itself.
        plot::show(ui, (cx.frame, cx.runs, cx.computing), theme, &mut self.cache);
        TabResponse::default()
    }
}

//! Tab of the modes in which cycles end, computed without draws: how many are expected after each cycle, beside those of the run, and the
//! probabilities from mode to mode in a cycle.

mod decided;
mod geometry;
mod matrix;
mod plot;
mod shown;

use egui::Ui;

use super::controls::option;
use super::{PlotContext, PlotTab, StudyUse, TabAction, TabResponse, TabSpec};
use crate::kit::cycles::{self, CyclesCache};
use crate::theme::Theme;
use engine::scenario::view::tabs;
use engine::session::Frame;

pub(crate) use matrix::GESTURES;
pub use shown::CyclesShown;

pub static TAB: TabSpec = TabSpec {
    spec: &tabs::CYCLES,
    by_coordinate: super::no_coordinate,
    study: StudyUse::Nothing,
    of_truth: true,
    beside: false,
    applies: has_cycles,
    make: || Box::<Cycles>::default(),
};

/// Width of the list, in units of the theme.
const WIDTH: f32 = 42.0;

/// Whether a run has cycles, on a target with several modes that are known.
fn has_cycles(frame: &Frame) -> bool {
    super::has_sampler(frame)
        && super::has_truth(frame)
        && frame.truth.modes().len() > 1
        && (0..frame.runs.len()).any(|run| cycles::has_cycles(frame, run))
}

#[derive(Debug, Default)]
struct Cycles {
    cache: CyclesCache,
}

impl PlotTab for Cycles {
    fn show(&mut self, ui: &mut Ui, cx: &PlotContext<'_>, theme: &Theme) -> TabResponse {
        // A computation under way asks for a repaint itself.
        plot::show(ui, (cx.frame, cx.runs, cx.computing), cx.options.cycles, theme, &mut self.cache);
        TabResponse::default()
    }

    fn tools(&mut self, ui: &mut Ui, cx: &PlotContext<'_>, theme: &Theme) -> TabResponse {
        let mut options = cx.options;
        option::list(ui, &mut options.cycles, theme.space(WIDTH));
        let mut response = TabResponse::default();
        if options != cx.options {
            response.push(TabAction::SetOptions(options));
        }
        response
    }
}

//! Tab `heldout`: held-out likelihood, bound and distances of topics over the run.

mod perplexity;
mod plot;

use egui::Ui;

use super::controls::{option, time_axis};
use super::{PlotContext, PlotTab, StudyUse, TabResponse, TabSpec};
use crate::kit::steps::StepsInput;
use crate::theme::Theme;
use engine::scenario::view::tabs;

use plot::HeldOutCache;

pub static TAB: TabSpec = TabSpec {
    spec: &tabs::HELD_OUT,
    by_coordinate: super::no_coordinate,
    study: StudyUse::Nothing,
    of_truth: false,
    beside: false,
    applies: super::has_topics,
    make: || Box::<HeldOut>::default(),
};

/// Width of the list, in units of the theme.
const WIDTH: f32 = 42.0;

#[derive(Debug, Default)]
struct HeldOut {
    cache: HeldOutCache,
}

impl PlotTab for HeldOut {
    fn show(&mut self, ui: &mut Ui, cx: &PlotContext<'_>, theme: &Theme) -> TabResponse {
        let input = StepsInput { truth: cx.truth, ..cx.steps_or_seconds(cx.options.log_steps) };
        let response = plot::show(ui, &input, cx.options.curve, theme, &mut self.cache);
        TabResponse::of_steps(ui, response)
    }

    fn tools(&mut self, ui: &mut Ui, cx: &PlotContext<'_>, theme: &Theme) -> TabResponse {
        let mut options = cx.options;
        option::list(ui, &mut options.curve, theme.space(WIDTH));
        time_axis::with_seconds(ui, cx, options, theme)
    }
}

#[cfg(test)]
mod tests;

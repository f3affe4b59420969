//! Tab of posterior predictive checks: data beside those that draws of the posterior make.

pub mod geometry;
mod plot;

use egui::Ui;

use super::controls::option;
use super::{PlotContext, PlotTab, StudyUse, TabResponse, TabSpec};
use crate::theme::Theme;
use engine::scenario::view::tabs;

use plot::{PredictiveCache, PredictiveInput};

pub(crate) use plot::GESTURES;

pub static TAB: TabSpec = TabSpec {
    spec: &tabs::PREDICTIVE,
    by_coordinate: super::no_coordinate,
    study: StudyUse::Nothing,
    of_truth: false,
    beside: true,
    applies: super::has_responses,
    make: || Box::<Predictive>::default(),
};

/// Width of the list of statistics, in units of the theme.
const WIDTH: f32 = 38.0;

#[derive(Debug, Default)]
struct Predictive {
    cache: PredictiveCache,
}

impl PlotTab for Predictive {
    fn show(&mut self, ui: &mut Ui, cx: &PlotContext<'_>, theme: &Theme) -> TabResponse {
        let PlotContext { frame, runs, computing, .. } = *cx;
        let input = PredictiveInput { frame, runs, computing, statistic: cx.options.statistic };
        plot::show(ui, &input, theme, &mut self.cache);
        TabResponse::default()
    }

    fn tools(&mut self, ui: &mut Ui, cx: &PlotContext<'_>, theme: &Theme) -> TabResponse {
        let mut options = cx.options;
        option::list(ui, &mut options.statistic, theme.space(WIDTH));
        TabResponse::of_options(cx, options)
    }
}

#[cfg(test)]
mod tests;

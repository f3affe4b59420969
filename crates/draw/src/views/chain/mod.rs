//! Tab of ranks, autocorrelation and running mean of the chains.

mod cache;
mod curves;
mod empty;
pub mod geometry;
mod input;
mod plot;
mod ranks;

use egui::Ui;

use super::{PlotContext, PlotTab, StudyUse, TabResponse, TabSpec};
use crate::theme::Theme;
use engine::scenario::view::tabs;

use cache::ChainCache;
use input::ChainPlotInput;

pub static TAB: TabSpec = TabSpec {
    spec: &tabs::CHAIN,
    by_coordinate: super::one_coordinate,
    study: StudyUse::Nothing,
    of_truth: false,
    beside: false,
    applies: super::has_sampler,
    make: || Box::<Chain>::default(),
};

#[derive(Debug, Default)]
struct Chain {
    cache: ChainCache,
}

impl PlotTab for Chain {
    fn show(&mut self, ui: &mut Ui, cx: &PlotContext<'_>, theme: &Theme) -> TabResponse {
        let PlotContext { frame, runs, coordinate, computing, .. } = *cx;
        let input = ChainPlotInput { frame, runs, coordinate, computing, truth: cx.exact() };
        // A computation under way asks for a repaint itself.
        drop(plot::show(ui, &input, theme, &mut self.cache));
        TabResponse::default()
    }
}

#[cfg(test)]
mod tests;

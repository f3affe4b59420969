//! Tab of the evidence lower bound over the run.

mod curves;
pub mod geometry;
mod plot;

use egui::Ui;

use super::controls::time_axis;
use super::{PlotContext, PlotTab, StudyUse, TabResponse, TabSpec};
use crate::theme::Theme;
use engine::scenario::view::tabs;

use curves::ElboCache;

pub static TAB: TabSpec = TabSpec {
    spec: &tabs::ELBO,
    by_coordinate: super::no_coordinate,
    study: StudyUse::Nothing,
    of_truth: false,
    beside: false,
    applies: super::has_fit,
    make: || Box::<Elbo>::default(),
};

#[derive(Debug, Default)]
struct Elbo {
    cache: ElboCache,
}

impl PlotTab for Elbo {
    fn show(&mut self, ui: &mut Ui, cx: &PlotContext<'_>, theme: &Theme) -> TabResponse {
        let response = plot::show(ui, &cx.steps(cx.options.log_steps), theme, &mut self.cache);
        TabResponse::of_steps(ui, response)
    }

    fn tools(&mut self, ui: &mut Ui, cx: &PlotContext<'_>, theme: &Theme) -> TabResponse {
        time_axis::with_scale(ui, cx, cx.options, theme)
    }
}

//! Tab of coordinates over the run.

pub mod geometry;
mod plot;

use egui::Ui;

use super::controls::time_axis;
use super::{PlotContext, PlotTab, StudyUse, TabResponse, TabSpec};
use crate::theme::Theme;
use engine::scenario::view::tabs;

use plot::TraceCache;

pub static TAB: TabSpec = TabSpec {
    spec: &tabs::TRACE,
    by_coordinate: super::one_coordinate,
    study: StudyUse::Nothing,
    of_truth: false,
    beside: false,
    applies: super::has_plane,
    make: || Box::<Trace>::default(),
};

#[derive(Debug, Default)]
struct Trace {
    cache: TraceCache,
}

impl PlotTab for Trace {
    fn show(&mut self, ui: &mut Ui, cx: &PlotContext<'_>, theme: &Theme) -> TabResponse {
        let options = (cx.coordinate, cx.computing, cx.by_chain);
        let response = plot::show(ui, &cx.steps(false), options, theme, &mut self.cache);
        TabResponse::of_steps(ui, response)
    }

    fn tools(&mut self, ui: &mut Ui, cx: &PlotContext<'_>, theme: &Theme) -> TabResponse {
        time_axis::of_runs(ui, cx, cx.options, theme)
    }
}

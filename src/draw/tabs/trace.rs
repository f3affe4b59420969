//! Tab of coordinates over the run.

use egui::Ui;

use super::{PlotContext, PlotTab, StudyUse, TabResponse, TabSpec};
use crate::draw::plots::steps::StepAxis;
use crate::draw::plots::trace::{self, TraceCache};
use crate::draw::theme::Theme;

pub static TAB: TabSpec = TabSpec {
    key: "trace",
    label: "Trace",
    help: "Coordinates against steps",
    by_coordinate: true,
    study: StudyUse::Nothing,
    applies: super::always,
    make: || Box::<Trace>::default(),
};

#[derive(Debug, Default)]
struct Trace {
    cache: TraceCache,
}

impl PlotTab for Trace {
    fn show(&mut self, ui: &mut Ui, cx: &PlotContext<'_>, theme: &Theme) -> TabResponse {
        let options = (cx.coordinate, cx.computing, cx.by_chain);
        let response = trace::show(ui, &cx.steps(StepAxis::Linear), options, theme, &mut self.cache);
        TabResponse::of_steps(ui, response)
    }
}

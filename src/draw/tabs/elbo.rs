//! Tab of the evidence lower bound over the run.

use egui::Ui;

use super::{PlotContext, PlotTab, StudyUse, TabResponse, TabSpec, step_axis};
use crate::draw::plots::elbo::{self, ElboCache};
use crate::draw::plots::steps::StepAxis;
use crate::draw::theme::Theme;

pub static TAB: TabSpec = TabSpec {
    key: "elbo",
    label: "ELBO",
    help: "Evidence lower bound against steps",
    by_coordinate: false,
    study: StudyUse::Nothing,
    applies: super::has_fit,
    make: || Box::<Elbo>::default(),
};

#[derive(Debug)]
struct Elbo {
    axis: StepAxis,
    cache: ElboCache,
}

impl Default for Elbo {
    fn default() -> Self {
        Self { axis: StepAxis::Log, cache: ElboCache::default() }
    }
}

impl PlotTab for Elbo {
    fn show(&mut self, ui: &mut Ui, cx: &PlotContext<'_>, theme: &Theme) -> TabResponse {
        let response = elbo::show(ui, &cx.steps(self.axis), theme, &mut self.cache);
        TabResponse::of_steps(ui, response)
    }

    fn tools(&mut self, ui: &mut Ui, _cx: &PlotContext<'_>, _theme: &Theme) -> TabResponse {
        step_axis::checkbox(ui, &mut self.axis);
        TabResponse::default()
    }
}

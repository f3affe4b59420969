//! Tab of drift, gradient noise, injected noise and momentum over the run.

use egui::Ui;

use super::{PlotContext, PlotTab, StudyUse, TabResponse, TabSpec, step_axis};
use crate::draw::plots::noise::{self, NoiseCache};
use crate::draw::plots::steps::StepAxis;
use crate::draw::theme::Theme;
use crate::scene::Extension;

pub static TAB: TabSpec = TabSpec {
    key: "noise",
    label: "Noise",
    help: "Drift, gradient noise, injected noise and momentum of the steps",
    by_coordinate: true,
    study: StudyUse::Nothing,
    applies: super::has_sampler,
    make: || Box::<Noise>::default(),
};

#[derive(Debug)]
struct Noise {
    /// Whether the plot shows the length of the parts in the plane, not one coordinate.
    length: bool,
    axis: StepAxis,
    /// For each coordinate: figures show both in one frame.
    caches: [NoiseCache; 2],
}

impl Default for Noise {
    fn default() -> Self {
        Self { length: false, axis: StepAxis::Log, caches: Default::default() }
    }
}

impl PlotTab for Noise {
    fn show(&mut self, ui: &mut Ui, cx: &PlotContext<'_>, theme: &Theme) -> TabResponse {
        let length = self.length && cx.frame.target.info().dimension > 1;
        let extension = if length { Extension::Length } else { Extension::Coordinate(cx.coordinate) };
        let cache = &mut self.caches[cx.coordinate.min(1)];
        let response = noise::show(ui, &cx.steps(self.axis), extension, theme, cache);
        TabResponse::of_steps(ui, response)
    }

    fn tools(&mut self, ui: &mut Ui, cx: &PlotContext<'_>, _theme: &Theme) -> TabResponse {
        if cx.frame.target.info().dimension > 1 {
            ui.checkbox(&mut self.length, "both").on_hover_text("Length of the parts in the plane, not along one axis");
        }
        step_axis::checkbox(ui, &mut self.axis);
        TabResponse::default()
    }
}

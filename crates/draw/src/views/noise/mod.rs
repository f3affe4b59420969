//! Tab of drift, gradient noise, injected noise and momentum over the run.

mod curves;
mod plot;
mod transition;

use egui::Ui;

use super::controls::{option, time_axis};
use super::{PlotContext, PlotTab, StudyUse, TabResponse, TabSpec};
use crate::geometry::Extension;
use crate::theme::Theme;
use engine::scenario::view::{options, tabs};

use curves::NoiseCache;

pub static TAB: TabSpec = TabSpec {
    spec: &tabs::NOISE,
    by_coordinate: |options| !options.both,
    study: StudyUse::Nothing,
    of_truth: false,
    beside: false,
    applies: super::has_sampler,
    make: || Box::<Noise>::default(),
};

#[derive(Debug, Default)]
struct Noise {
    /// For each coordinate: figures show both in one frame.
    caches: [NoiseCache; 2],
}

impl PlotTab for Noise {
    fn show(&mut self, ui: &mut Ui, cx: &PlotContext<'_>, theme: &Theme) -> TabResponse {
        let length = cx.options.both && cx.frame.target.info().dimension > 1;
        let extension = if length { Extension::Length } else { Extension::Coordinate(cx.coordinate) };
        let cache = &mut self.caches[cx.coordinate.min(1)];
        let response = plot::show(ui, &cx.steps(cx.options.log_steps), extension, theme, cache);
        TabResponse::of_steps(ui, response)
    }

    fn tools(&mut self, ui: &mut Ui, cx: &PlotContext<'_>, theme: &Theme) -> TabResponse {
        let mut options = cx.options;
        if cx.frame.target.info().dimension > 1 {
            option::flag(ui, &mut options.both, &options::BOTH);
        }
        time_axis::with_scale(ui, cx, options, theme)
    }
}

#[cfg(test)]
mod tests;

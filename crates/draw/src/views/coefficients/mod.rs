//! Tab of coefficients and other quantities with names: every run beside the reference.

mod cache;
pub mod geometry;
mod plot;
mod reading;
mod rows;

use egui::Ui;

use super::controls::option;
use super::{PlotContext, PlotTab, StudyUse, TabResponse, TabSpec};
use crate::theme::Theme;
use engine::scenario::view::tabs;

use cache::CoefficientsCache;
use plot::CoefficientsInput;

pub(crate) use plot::GESTURES;

pub static TAB: TabSpec = TabSpec {
    spec: &tabs::COEFFICIENTS,
    by_coordinate: super::no_coordinate,
    study: StudyUse::Nothing,
    beside: true,
    applies: super::has_quantities,
    make: || Box::<Coefficients>::default(),
};

/// Width of the list of scales, in units of the theme.
const WIDTH: f32 = 32.0;

#[derive(Debug, Default)]
struct Coefficients {
    cache: CoefficientsCache,
}

impl PlotTab for Coefficients {
    fn show(&mut self, ui: &mut Ui, cx: &PlotContext<'_>, theme: &Theme) -> TabResponse {
        let PlotContext { frame, runs, computing, truth, .. } = *cx;
        let input = CoefficientsInput { frame, runs, computing, truth, scale: cx.options.scale };
        plot::show(ui, &input, theme, &mut self.cache);
        TabResponse::default()
    }

    fn tools(&mut self, ui: &mut Ui, cx: &PlotContext<'_>, theme: &Theme) -> TabResponse {
        let mut options = cx.options;
        option::list(ui, &mut options.scale, theme.space(WIDTH));
        TabResponse::of_options(cx, options)
    }
}

#[cfg(test)]
mod tests;

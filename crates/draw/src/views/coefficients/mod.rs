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
use crate::words::word::Word;
use engine::scenario::view::tabs;
use models::targets::Target;

use cache::CoefficientsCache;
use geometry::Scale;
use plot::CoefficientsInput;

pub(crate) use plot::GESTURES;

pub static TAB: TabSpec = TabSpec {
    spec: &tabs::COEFFICIENTS,
    by_coordinate: super::no_coordinate,
    study: StudyUse::Nothing,
    of_truth: false,
    beside: true,
    applies: super::has_quantities,
    make: || Box::<Coefficients>::default(),
};

/// Width of the list of scales, in units of the theme.
const WIDTH: f32 = 32.0;

#[derive(Debug)]
struct Coefficients {
    cache: CoefficientsCache,
    in_file_units: CoefficientsCache,
}

impl Default for Coefficients {
    fn default() -> Self {
        Self { cache: CoefficientsCache::default(), in_file_units: CoefficientsCache::in_file_units() }
    }
}

impl PlotTab for Coefficients {
    fn show(&mut self, ui: &mut Ui, cx: &PlotContext<'_>, theme: &Theme) -> TabResponse {
        let PlotContext { frame, runs, computing, truth, .. } = *cx;
        let scale = of_target(cx.options.scale, &frame.target);
        let input = CoefficientsInput { frame, runs, computing, truth, scale };
        let cache = if scale == Scale::FileUnits { &mut self.in_file_units } else { &mut self.cache };
        plot::show(ui, &input, theme, cache);
        TabResponse::default()
    }

    fn tools(&mut self, ui: &mut Ui, cx: &PlotContext<'_>, theme: &Theme) -> TabResponse {
        let mut options = cx.options;
        let offered = |scale| of_target(scale, &cx.frame.target) == scale;
        if !offered(options.scale) {
            options.scale = Scale::Values;
        }
        let shown = options.scale;
        option::list_of(ui, &mut options.scale, theme.space(WIDTH), offered, Scale::label);
        if options.scale == shown {
            options.scale = cx.options.scale;
        }
        TabResponse::of_options(cx, options)
    }
}

/// The scale on which the coefficients of a target are shown: as they are, where they are in the units of the file anyway.
fn of_target(scale: Scale, target: &Target) -> Scale {
    if scale == Scale::FileUnits && target.originals().is_empty() { Scale::Values } else { scale }
}

#[cfg(test)]
mod tests;

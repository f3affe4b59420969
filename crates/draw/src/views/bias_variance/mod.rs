//! Tab `smoothing`: the squared bias and the variance of gradients of stochastic VI that are averaged over a window of steps.

mod cache;
mod input;
mod lengths;
mod long_run;
mod plot;
mod shown;

use egui::Ui;

use super::controls::time_axis;
use super::{PlotContext, PlotTab, StudyUse, TabResponse, TabSpec};
use crate::theme::Theme;
use engine::scenario::view::tabs;
use engine::session::{Frame, RunFrame};

use cache::BiasVarianceCache;
use input::BiasVarianceInput;

pub static TAB: TabSpec = TabSpec {
    spec: &tabs::BIAS_VARIANCE,
    by_coordinate: super::no_coordinate,
    study: StudyUse::Nothing,
    of_truth: false,
    beside: false,
    applies: averages,
    make: || Box::<BiasVariance>::default(),
};

/// Whether a method averages statistics over a window.
fn averages(frame: &Frame) -> bool {
    let method = |run: &RunFrame| run.plan.segment_of(run.step.max(1)).method.averaging().is_some();
    frame.runs.iter().any(method)
}

#[derive(Debug, Default)]
struct BiasVariance {
    cache: BiasVarianceCache,
}

impl PlotTab for BiasVariance {
    fn show(&mut self, ui: &mut Ui, cx: &PlotContext<'_>, theme: &Theme) -> TabResponse {
        let input = BiasVarianceInput {
            frame: cx.frame,
            runs: cx.runs,
            axis: cx.axis(cx.options.log_steps),
            computing: cx.computing,
        };
        // A computation under way asks for a repaint itself.
        plot::show(ui, &input, theme, &mut self.cache);
        TabResponse::default()
    }

    fn tools(&mut self, ui: &mut Ui, cx: &PlotContext<'_>, theme: &Theme) -> TabResponse {
        time_axis::with_scale(ui, cx, cx.options, theme)
    }
}

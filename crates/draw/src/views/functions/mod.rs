//! Tab of the functions behind the draws of a regression; it links them with the weights on the canvases.

mod band;
mod cache;
mod entry;
pub mod geometry;
mod input;
mod plot;
mod range;

use egui::Ui;

use super::controls::{beside, reference};
use super::{PlotContext, PlotTab, StudyUse, TabAction, TabResponse, TabSpec};
use crate::canvas::CanvasResponse;
use crate::canvas::pointing::Pointed;
use crate::theme::Theme;
use engine::scenario::view::tabs;

use cache::FunctionsCache;
use input::FunctionsInput;
pub(crate) use plot::GESTURES;

pub static TAB: TabSpec = TabSpec {
    spec: &tabs::FUNCTIONS,
    by_coordinate: super::no_coordinate,
    study: StudyUse::Nothing,
    of_truth: false,
    beside: true,
    applies: super::has_functions,
    make: || Box::<Functions>::default(),
};

#[derive(Debug, Default)]
struct Functions {
    cache: FunctionsCache,
}

impl PlotTab for Functions {
    /// Functions belong to an epoch, which names their target; data that are dragged change it.
    fn outlasts_target(&self) -> bool {
        true
    }

    fn show(&mut self, ui: &mut Ui, cx: &PlotContext<'_>, theme: &Theme) -> TabResponse {
        let PlotContext { frame, runs, truth, computing, pointed, .. } = *cx;
        let input = FunctionsInput { frame, runs, truth, computing, editing: cx.data_editing(), pointed };
        let shown = plot::show(ui, &input, theme, &mut self.cache);
        let mut response = TabResponse::of_data(shown.edit);
        response.actions.extend(shown.pointed.map(|name| TabAction::Point(Pointed::at_draw(name))));
        response
    }

    fn tools(&mut self, ui: &mut Ui, cx: &PlotContext<'_>, theme: &Theme) -> TabResponse {
        let mut response = beside::show(ui, cx, theme);
        response.actions.extend(reference::show(ui, cx, theme).actions);
        response
    }

    fn over_canvas(
        &mut self,
        ui: &Ui,
        cx: &PlotContext<'_>,
        canvas: (&[usize], &CanvasResponse),
        theme: &Theme,
    ) -> TabResponse {
        TabResponse::of_canvas(ui, cx, canvas, theme)
    }
}

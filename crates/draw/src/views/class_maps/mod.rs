//! Tab `maps`: the maps of a classification; it links them with the weights on the canvases.

mod cache;
pub mod geometry;
mod input;
mod plot;
mod scale;
mod source;

use egui::Ui;

use super::controls::{beside, option, reference};
use super::{PlotContext, PlotTab, StudyUse, TabResponse, TabSpec};
use crate::canvas::CanvasResponse;
use crate::theme::Theme;
use engine::scenario::view::tabs;
use engine::session::Frame;

use cache::MapsCache;
pub use cache::boundary_of;
use input::MapsInput;
pub(crate) use plot::GESTURES;

pub static TAB: TabSpec = TabSpec {
    spec: &tabs::MAPS,
    by_coordinate: super::no_coordinate,
    study: StudyUse::Nothing,
    of_truth: false,
    beside: true,
    applies: has_classes,
    make: || Box::<Maps>::default(),
};

/// For maps of classes.
fn has_classes(frame: &Frame) -> bool {
    frame.target.classification().is_some()
}

/// Width of the list, in units of the theme.
const WIDTH: f32 = 36.0;

#[derive(Debug, Default)]
struct Maps {
    cache: MapsCache,
}

impl PlotTab for Maps {
    /// Maps belong to an epoch, which names their target; data that are dragged change it.
    fn outlasts_target(&self) -> bool {
        true
    }

    fn show(&mut self, ui: &mut Ui, cx: &PlotContext<'_>, theme: &Theme) -> TabResponse {
        let PlotContext { frame, runs, computing, pointed, .. } = *cx;
        let editing = cx.data_editing();
        let input = MapsInput { frame, runs, quantity: cx.options.quantity, computing, editing, pointed };
        TabResponse::of_data(plot::show(ui, &input, theme, &mut self.cache))
    }

    fn tools(&mut self, ui: &mut Ui, cx: &PlotContext<'_>, theme: &Theme) -> TabResponse {
        let mut options = cx.options;
        option::list(ui, &mut options.quantity, theme.space(WIDTH));
        let mut response = TabResponse::of_options(cx, options);
        response.actions.extend(beside::show(ui, cx, theme).actions);
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

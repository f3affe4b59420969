//! Tab of the functions behind the draws of a regression; it links them with the weights on the canvases.

use egui::Ui;

use super::{PlotContext, PlotTab, StudyUse, TabResponse, TabSpec, reference_tools};
use crate::draw::plots::canvas::CanvasResponse;
use crate::draw::plots::functions::{self, FunctionsCache, FunctionsInput};
use crate::draw::theme::Theme;

pub static TAB: TabSpec = TabSpec {
    key: "functions",
    label: "Functions",
    help: "The function of each draw, with mean and bands, beside the weights",
    by_coordinate: false,
    study: StudyUse::Nothing,
    beside: true,
    applies: super::has_functions,
    make: || Box::<Functions>::default(),
};

#[derive(Debug, Default)]
struct Functions {
    cache: FunctionsCache,
}

impl PlotTab for Functions {
    fn show(&mut self, ui: &mut Ui, cx: &PlotContext<'_>, theme: &Theme) -> TabResponse {
        let PlotContext { frame, runs, truth, computing, .. } = *cx;
        let input = FunctionsInput { frame, runs, truth, computing, editing: cx.data_editing() };
        TabResponse::of_data(functions::show(ui, &input, theme, &mut self.cache))
    }

    fn tools(&mut self, ui: &mut Ui, cx: &PlotContext<'_>, theme: &Theme) -> TabResponse {
        reference_tools::show(ui, cx, theme)
    }

    fn over_canvas(
        &mut self,
        ui: &Ui,
        _cx: &PlotContext<'_>,
        canvas: (&[usize], &CanvasResponse),
        theme: &Theme,
    ) -> TabResponse {
        functions::over_canvas(ui, canvas, theme, &mut self.cache);
        TabResponse::default()
    }
}

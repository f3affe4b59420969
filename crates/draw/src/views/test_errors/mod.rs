//! Tab of the errors on test data by number of chains.

mod plot;
mod printed;
mod values;

use egui::Ui;

use super::{PlotContext, PlotTab, StudyUse, TabResponse, TabSpec};
use crate::theme::Theme;
use engine::scenario::view::tabs;

pub static TAB: TabSpec = TabSpec {
    spec: &tabs::TEST_ERRORS,
    by_coordinate: super::no_coordinate,
    study: StudyUse::Nothing,
    of_truth: false,
    beside: true,
    applies: super::has_tests,
    make: || Box::<TestErrors>::default(),
};

#[derive(Debug, Default)]
struct TestErrors;

impl PlotTab for TestErrors {
    fn show(&mut self, ui: &mut Ui, cx: &PlotContext<'_>, theme: &Theme) -> TabResponse {
        plot::show(ui, (cx.frame, cx.runs), cx.computing, theme);
        TabResponse::default()
    }
}

//! Tab of the calibration of predictions on test data.

mod plot;

use egui::Ui;

use super::{PlotContext, PlotTab, StudyUse, TabResponse, TabSpec};
use crate::theme::Theme;
use engine::scenario::view::tabs;

pub use plot::has_tests;
pub(crate) use plot::{GESTURES, NO_TESTS, missing};

pub static TAB: TabSpec = TabSpec {
    spec: &tabs::RELIABILITY,
    by_coordinate: super::no_coordinate,
    study: StudyUse::Nothing,
    of_truth: false,
    beside: true,
    applies: super::has_tests,
    make: || Box::<Reliability>::default(),
};

#[derive(Debug, Default)]
struct Reliability;

impl PlotTab for Reliability {
    fn show(&mut self, ui: &mut Ui, cx: &PlotContext<'_>, theme: &Theme) -> TabResponse {
        plot::show(ui, (cx.frame, cx.runs), theme);
        TabResponse::default()
    }
}

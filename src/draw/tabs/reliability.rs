//! Tab of the calibration of predictions on test data.

use egui::Ui;

use super::{PlotContext, PlotTab, StudyUse, TabResponse, TabSpec};
use crate::diagnostics::predictions::Kind;
use crate::draw::plots::reliability;
use crate::draw::theme::Theme;
use crate::session::Frame;

pub static TAB: TabSpec = TabSpec {
    key: "reliability",
    label: "Reliability",
    help: "How often predictions of test data are right, against how often they say that they are",
    by_coordinate: false,
    study: StudyUse::Nothing,
    beside: true,
    applies: has_tests,
    make: || Box::<Reliability>::default(),
};

/// For predictions of test data.
pub(super) fn has_tests(frame: &Frame) -> bool {
    let target = frame.target.as_ref();
    let of_values = target.regression().is_some_and(|regression| !regression.tests().is_empty());
    let of_classes = target.classification().is_some_and(|model| !model.tests().is_empty());
    Kind::of(target).is_some() && (of_values || of_classes)
}

#[derive(Debug, Default)]
struct Reliability;

impl PlotTab for Reliability {
    fn show(&mut self, ui: &mut Ui, cx: &PlotContext<'_>, theme: &Theme) -> TabResponse {
        reliability::show(ui, (cx.frame, cx.runs), theme);
        TabResponse::default()
    }
}

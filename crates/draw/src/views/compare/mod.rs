//! Tab of samplers and approximations against their cost.

mod plot;

use egui::Ui;

use super::controls::study::{self, changed};
use super::{PlotContext, PlotTab, StudyUse, TabResponse, TabSpec};
use crate::theme::Theme;
use engine::scenario::view::tabs;

use plot::{CompareCache, CompareInput};

pub static TAB: TabSpec = TabSpec {
    spec: &tabs::COMPARE,
    by_coordinate: super::no_coordinate,
    study: StudyUse::TruthMeasures,
    beside: false,
    applies: super::has_truth,
    make: || Box::<Compare>::default(),
};

#[derive(Debug, Default)]
struct Compare {
    cache: CompareCache,
}

impl PlotTab for Compare {
    fn show(&mut self, ui: &mut Ui, cx: &PlotContext<'_>, theme: &Theme) -> TabResponse {
        let study = &cx.study;
        let area = ui.available_rect_before_wrap();
        // It would lie across the names of axes.
        if study::invites(cx) {
            return study::invitation(ui, cx, area, theme);
        }
        let input = CompareInput {
            frame: cx.frame,
            runs: cx.runs,
            against: cx.options.against(),
            repeats: study.repeats,
            version: study.version,
            stale: study.stale,
        };
        plot::show(ui, &input, theme, &mut self.cache);
        TabResponse::default()
    }

    fn tools(&mut self, ui: &mut Ui, cx: &PlotContext<'_>, theme: &Theme) -> TabResponse {
        let mut choice = cx.study.choice;
        let mut response = study::show(ui, cx, &mut choice, theme);
        changed(cx, choice, &mut response);
        response
    }
}

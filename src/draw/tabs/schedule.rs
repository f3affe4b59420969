//! Tab of step sizes over the run.

use egui::Ui;

use super::{PlotContext, PlotTab, StudyUse, TabResponse, TabSpec};
use crate::draw::plots::run_header::step_symbol;
use crate::draw::plots::schedule::{self, ScheduleCache};
use crate::draw::plots::steps::StepAxis;
use crate::draw::theme::Theme;
use crate::session::Frame;

pub static TAB: TabSpec = TabSpec {
    key: "schedule",
    label: "Schedule",
    help: "Step sizes against steps",
    by_coordinate: false,
    study: StudyUse::Nothing,
    applies: has_steps,
    make: || Box::<Schedule>::default(),
};

/// Whether a method has a step size.
fn has_steps(frame: &Frame) -> bool {
    frame.runs.iter().any(|run| step_symbol(frame, run).is_some())
}

#[derive(Debug, Default)]
struct Schedule {
    cache: ScheduleCache,
}

impl PlotTab for Schedule {
    fn show(&mut self, ui: &mut Ui, cx: &PlotContext<'_>, theme: &Theme) -> TabResponse {
        let response = schedule::show(ui, &cx.steps(StepAxis::Linear), cx.options.log, theme, &mut self.cache);
        TabResponse::of_steps(ui, response)
    }

    fn tools(&mut self, ui: &mut Ui, cx: &PlotContext<'_>, _theme: &Theme) -> TabResponse {
        let mut options = cx.options;
        ui.checkbox(&mut options.log, "log").on_hover_text("Step sizes on a logarithmic axis");
        TabResponse::of_options(cx, options)
    }
}

//! Tab of the newest step: formula, algorithm line by line, and what each part comes to; the parts in slow motion.

mod copy;
mod formulas;
mod head;
mod input;
pub mod lines;
mod plot;
#[cfg(test)]
mod tests;

use egui::{Button, Ui};

use super::controls::option;
use super::{PlotContext, PlotTab, StageMove, StudyUse, TabAction, TabResponse, TabSpec};
use crate::canvas::pointing::Pointed;
use crate::canvas::{CanvasResponse, step_phase_at};
use crate::geometry::algorithm_of;
use crate::kit::named::named;
use crate::theme::Theme;
use engine::scenario::view::{options, tabs};
use engine::session::Frame;

use input::{StepInput, StepResponse};

pub static TAB: TabSpec = TabSpec {
    spec: &tabs::STEP,
    by_coordinate: super::no_coordinate,
    study: StudyUse::Nothing,
    of_truth: false,
    beside: false,
    applies: |_: &Frame| true,
    make: || Box::<Step>::default(),
};

/// Width of the list of ways to show the lines, in units of the theme.
const LIST: f32 = 24.0;

/// How much higher the panel is at first for an algorithm of many lines, and how many lines fit into one of the usual height.
const HIGHER: f32 = 1.4;
const FEW: usize = 6;

#[derive(Debug, Default)]
struct Step;

impl PlotTab for Step {
    fn height(&self, frame: &Frame) -> f32 {
        let lines = frame.runs.iter().filter_map(|run| Some(algorithm_of(frame, run)?.lines.len()));
        if lines.max().is_some_and(|most| most > FEW) { HIGHER } else { 1.0 }
    }

    fn show(&mut self, ui: &mut Ui, cx: &PlotContext<'_>, theme: &Theme) -> TabResponse {
        let input = StepInput {
            frame: cx.frame,
            runs: cx.runs,
            stage: cx.stage,
            phase: cx.pointed.phase,
            formula: cx.options.formula,
            lines: cx.options.lines,
            step_of: cx.step_of,
        };
        let StepResponse { pointed, step_of } = plot::show(ui, &input, theme);
        let pointed = pointed.map(|phase| Pointed { phase: Some(phase), ..Pointed::default() });
        let mut response = TabResponse { actions: pointed.map(TabAction::Point).into_iter().collect() };
        if step_of != cx.step_of {
            response.push(TabAction::ShowStepOf(step_of));
            ui.ctx().request_repaint();
        }
        response
    }

    fn outlasts_target(&self) -> bool {
        true
    }

    fn tools(&mut self, ui: &mut Ui, cx: &PlotContext<'_>, theme: &Theme) -> TabResponse {
        let mut response = TabResponse::default();
        for (sign, name, help, wish) in [
            ("◀", "Part before", "The step without its newest part, and then the step before (,)", StageMove::Back),
            ("▶", "Next part", "The next step part by part (.)", StageMove::On),
        ] {
            if named(ui.small_button(sign), name).on_hover_text(help).clicked() {
                response.push(TabAction::Stage(wish));
            }
        }
        let slow = ui.add(Button::new("Slow motion").small().selected(cx.slow));
        if slow.on_hover_text("Go through the parts of each step at one part a second (Shift Space)").clicked() {
            response.push(TabAction::Stage(StageMove::SlowMotion));
        }
        let mut options = cx.options;
        option::flag(ui, &mut options.formula, &options::FORMULA);
        option::list(ui, &mut options.lines, theme.space(LIST));
        copy::menu(ui, cx);
        response.actions.extend(TabResponse::of_options(cx, options).actions);
        response
    }

    fn over_canvas(
        &mut self,
        _ui: &Ui,
        cx: &PlotContext<'_>,
        (runs, canvas): (&[usize], &CanvasResponse),
        theme: &Theme,
    ) -> TabResponse {
        let phase = step_phase_at((cx.frame, runs), canvas, theme);
        let pointed = phase.map(|phase| Pointed { phase: Some(phase), ..Pointed::default() });
        TabResponse { actions: pointed.map(TabAction::Point).into_iter().collect() }
    }
}

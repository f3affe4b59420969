//! Tab of the log density along straight lines between draws; it also shows the line on the canvases.

pub mod canvas_line;
mod choice;
mod plot;

use egui::{Button, CursorIcon, Ui};

use super::{PlotContext, PlotTab, StudyUse, TabAction, TabResponse, TabSpec};
use crate::canvas::CanvasResponse;
use crate::kit::named::named;
use crate::theme::Theme;
use engine::scenario::view::tabs;

use choice::Lines;
pub use choice::{MOST_PAIRS, PathChoice};
pub(crate) use plot::GESTURES;
use plot::{PathCache, PathInput};

pub static TAB: TabSpec = TabSpec {
    spec: &tabs::PATH,
    by_coordinate: super::no_coordinate,
    study: StudyUse::Nothing,
    of_truth: true,
    beside: false,
    applies: |frame| super::has_sampler(frame) && super::has_truth(frame),
    make: || Box::<Path>::default(),
};

#[derive(Debug, Default)]
struct Path {
    cache: PathCache,
}

impl PlotTab for Path {
    fn show(&mut self, ui: &mut Ui, cx: &PlotContext<'_>, theme: &Theme) -> TabResponse {
        let input = PathInput { frame: cx.frame, focus: cx.focus(), choice: cx.path, computing: cx.computing };
        let shown = plot::show(ui, &input, theme, &mut self.cache);
        let mut response = TabResponse::default();
        if shown.pointed != cx.path.pointed {
            response.push(TabAction::PointAt(shown.pointed));
        }
        if shown.clicked.is_some() {
            response.push(TabAction::ShowCycle(shown.clicked));
        }
        response
    }

    fn tools(&mut self, ui: &mut Ui, cx: &PlotContext<'_>, _theme: &Theme) -> TabResponse {
        let mut response = TabResponse::default();
        let lines = Lines::of(cx.frame, cx.focus(), cx.path);
        let picking = cx.path.picking();
        if !picking && lines.pairs.len() > 1 {
            let front = lines.front.unwrap_or(0);
            let cycle = |pair: usize| lines.pairs.get(pair)?[0].cycle;
            for (sign, help, to) in [
                ("←", "Previous pair of cycles", front.checked_sub(1).and_then(cycle)),
                ("→", "Next pair of cycles", cycle(front + 1)),
            ] {
                let step = named(ui.add_enabled(to.is_some(), Button::new(sign).small()), help);
                if step.on_hover_text(help).clicked() {
                    // From the newest pair on, the plot follows the run.
                    let newest = lines.pairs.last().and_then(|pair| pair[0].cycle);
                    response.push(TabAction::ShowCycle(to.filter(|to| Some(*to) != newest)));
                }
            }
        }
        let help = "Then click two draws on the canvases; a third click starts again, Esc ends it";
        if ui.add(Button::selectable(picking, "Pick on the canvas")).on_hover_text(help).clicked() {
            response.push(TabAction::PickOnCanvas(!picking));
        }
        response
    }

    fn over_canvas(
        &mut self,
        ui: &Ui,
        cx: &PlotContext<'_>,
        (runs, canvas): (&[usize], &CanvasResponse),
        theme: &Theme,
    ) -> TabResponse {
        let mut response = TabResponse::default();
        let plot = &canvas.response;
        if cx.path.picking() {
            if plot.hovered() {
                ui.ctx().set_cursor_icon(CursorIcon::Crosshair);
            }
            if let Some(at) = canvas.hovered.filter(|_| plot.clicked() && !plot.double_clicked()) {
                response.push(TabAction::PickDraw { runs: runs.to_vec(), at });
                ui.ctx().request_repaint();
            }
        }
        let ends = Lines::of(cx.frame, cx.focus(), cx.path).ends();
        if ends.iter().any(|end| runs.contains(&end.run)) {
            let on_canvas = (plot.rect, &canvas.transform);
            canvas_line::paint(ui, on_canvas, &ends, cx.path.pointed, theme, cx.frame.target.info().dimension);
        }
        response
    }
}

#[cfg(test)]
mod tests;

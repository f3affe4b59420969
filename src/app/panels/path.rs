//! The path plot in the window: which line is in front, draws picked on a canvas, and the line over the canvases.

use egui::{Button, CursorIcon, Ui};

use crate::app::state::Ctx;
use crate::draw::plots::Computing;
use crate::draw::plots::canvas::CanvasResponse;
use crate::draw::plots::path::{self, Lines, PathInput, mark};
use crate::draw::tab::Tab;
use crate::session::Frame;

use crate::draw::plots::steps::focus;

/// Shows the plot.
pub fn show(app: &mut Ctx<'_>, ui: &mut Ui, frame: &Frame, focus: Option<usize>) {
    let input = PathInput { frame, focus, choice: &app.view.path, computing: Computing::Background };
    let response = path::show(ui, &input, &app.theme, &mut app.plots.path);
    app.view.path.pointed = response.pointed;
    if response.clicked.is_some() {
        app.view.path.cycle = response.clicked;
    }
}

/// The controls beside the tabs.
pub fn tools(app: &mut Ctx<'_>, ui: &mut Ui, frame: &Frame) {
    let lines = Lines::of(frame, focus(frame, &app.view.shown_runs(frame.runs.len())), &app.view.path);
    if !app.view.path.picking() && lines.pairs.len() > 1 {
        let front = lines.front.unwrap_or(0);
        let cycle = |pair: usize| lines.pairs.get(pair)?[0].cycle;
        for (sign, help, to) in [
            ("←", "The pair of cycles before", front.checked_sub(1).and_then(cycle)),
            ("→", "The next pair of cycles", cycle(front + 1)),
        ] {
            let step = ui.add_enabled(to.is_some(), Button::new(sign).small());
            if step.on_hover_text(help).clicked() {
                // The newest pair is followed as the run goes on.
                let newest = lines.pairs.last().and_then(|pair| pair[0].cycle);
                app.view.path.cycle = to.filter(|to| Some(*to) != newest);
            }
        }
    }
    let picking = app.view.path.picking();
    let help = "Then click two draws on the canvases; a third click begins anew, Esc ends it";
    if ui.add(Button::selectable(picking, "Pick on the canvas")).on_hover_text(help).clicked() {
        app.view.path.pick_on_canvas(!picking);
    }
}

/// Picks the draw that was clicked on a canvas, and paints the line in front over it.
pub fn on_canvas(app: &mut Ctx<'_>, ui: &Ui, frame: &Frame, runs: &[usize], canvas: &CanvasResponse) {
    if app.view.tab != Tab::Path || app.prefs.folded.bottom {
        return;
    }
    let plot = &canvas.response;
    if app.view.path.picking() {
        if plot.hovered() {
            ui.ctx().set_cursor_icon(CursorIcon::Crosshair);
        }
        if let Some(at) = canvas.hovered.filter(|_| plot.clicked() && !plot.double_clicked()) {
            app.view.path.pick(frame, runs, at);
            ui.ctx().request_repaint();
        }
    }
    let choice = &app.view.path;
    let ends = Lines::of(frame, focus(frame, &app.view.shown_runs(frame.runs.len())), choice).ends();
    if ends.iter().any(|end| runs.contains(&end.run)) {
        let place = (plot.rect, &canvas.transform);
        mark::paint(ui, place, &ends, choice.pointed, &app.theme, frame.target.info().dimension);
    }
}

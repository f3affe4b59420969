//! Editor of a painting: the tools in the target panel, and the brush on the canvases.

use egui::{Button, Ui};

use crate::app::action::{Action, EditAction};
use crate::app::controls::{Scale, labelled, number};
use crate::app::experiment::param_edit::ParamEdit;
use crate::app::state::Ctx;
use crate::app::view::painter::{PICTURE, reach};
use base::params::{Interval, Picture, Settings, Value};
use draw::canvas::CanvasResponse;
use draw::canvas::geometry::painting::{Brush, Tool};
use draw::canvas::painting::{edge, touch};
use engine::session::Frame;
use models::targets::{Editor, editor_of};

/// Radii of a brush, in cells.
const RADIUS: Scale = Scale { legal: Interval::closed(0.75, 64.0), slider: (1.0, 16.0), log: true, whole: false };

/// Strengths of a brush.
const STRENGTH: Scale = Scale { legal: Interval::above_to(0.0, 1.0), slider: (0.02, 1.0), log: false, whole: false };

const TOOLS: [(Tool, &str, &str); 3] = [
    (Tool::Brush, "Brush", "Add density"),
    (Tool::Eraser, "Eraser", "Take density away (Shift makes an eraser of every tool)"),
    (Tool::Blur, "Blur", "Spread density to the neighbours"),
];

fn is_painted(target: &Settings) -> bool {
    matches!(editor_of(target.kind), Some(Editor::Brush(_)))
}

/// The button that begins and ends painting, and the tools, if the target is painted.
pub fn tools(ctx: &mut Ctx<'_>, ui: &mut Ui, actions: &mut Vec<Action>) {
    let target = ctx.model.target().clone();
    let Some(picture) = target.picture(PICTURE).filter(|_| is_painted(&target)) else { return };
    if ctx.locks("target.picture") {
        return;
    }
    let editing = ctx.view.shown.editing;
    ui.horizontal(|ui| {
        let help = "Paint the density on the canvas with a brush, an eraser and blur";
        if ui.add(Button::selectable(editing, "Edit painting")).on_hover_text(help).clicked() {
            ctx.view.shown.editing = !editing;
        }
        let clear = ui.add_enabled(picture.levels().iter().any(|level| *level > 0), Button::new("Clear"));
        if clear.on_hover_text("Erase everything: the background stays").clicked() {
            let blank = Picture::new(picture.columns(), vec![0; picture.levels().len()]);
            actions.extend(blank.map(|blank| edit(Value::Picture(blank))));
        }
    });
    if editing {
        brush(&mut ctx.view.shown.painter.brush, ui);
    }
    ui.add_space(ctx.theme.space(0.5));
}

fn brush(brush: &mut Brush, ui: &mut Ui) {
    ui.horizontal(|ui| {
        for (tool, label, help) in TOOLS {
            if ui.add(Button::selectable(brush.tool == tool, label)).on_hover_text(help).clicked() {
                brush.tool = tool;
            }
        }
    });
    let help = "How far the tool reaches from the pointer, in cells";
    if let Some(radius) = labelled(ui, "brush radius", help, |ui| number(ui, brush.radius, &RADIUS)) {
        brush.radius = radius.clamp(RADIUS.legal.min, RADIUS.legal.max);
    }
    let help = "How much one stroke does in its middle, as a share: of the highest level, of the cell's own level, or of the way \
                to the mean of the neighbours";
    if let Some(strength) = labelled(ui, "strength", help, |ui| number(ui, brush.strength, &STRENGTH)) {
        brush.strength = strength.clamp(STRENGTH.slider.0, STRENGTH.legal.max);
    }
}

/// Forgets a painting that the frame shows by now.
pub fn settle(ctx: &mut Ctx<'_>, frame: &Frame) {
    ctx.view.shown.painter.settle(ctx.model.target(), frame.scenario.target_at(frame.step));
}

/// The brush on a canvas; a stroke becomes an action when it ends.
pub fn on_canvas(
    ctx: &mut Ctx<'_>,
    ui: &Ui,
    frame: &Frame,
    (id, canvas): (usize, &CanvasResponse),
    actions: &mut Vec<Action>,
) {
    let target: &Settings = ctx.model.target();
    // While a frame still shows a target of another kind, there is nothing to paint on.
    let painted = is_painted(target) && is_painted(frame.scenario.target_at(frame.step));
    if !ctx.view.shown.editing || !painted || ctx.locks("target.picture") {
        return;
    }
    let brush = ctx.view.shown.painter.brush;
    let shown = (brush.tool, brush.radius * target.number("cell"));
    let plot = (&canvas.response, &canvas.transform);
    edge(ui, ctx.theme, plot, reach(target));
    if let Some(touch) = touch(ui, ctx.theme, plot, shown) {
        let tool = if touch.erases { Tool::Eraser } else { brush.tool };
        ctx.view.shown.painter.go_to(id, touch.at, target, Brush { tool, ..brush });
        // A stroke ends in a frame without a touch.
        ui.ctx().request_repaint();
    } else if ctx.view.shown.painter.is_at(id) {
        actions.extend(ctx.view.shown.painter.lift(target).map(edit));
    }
}

fn edit(picture: Value) -> Action {
    Action::Edit(EditAction::Target(vec![ParamEdit { path: PICTURE.to_owned(), value: Some(picture) }]))
}

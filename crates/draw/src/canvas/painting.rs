//! The brush over a canvas on which a density is painted: a ring as large as the brush reaches, with the sign of its tool, and the
//! edge of the cells that can be painted.

use egui::{CursorIcon, PointerButton, Pos2, Rect, Response, Sense, Shape, Stroke, Ui, vec2};
use egui_plot::{PlotPoint, PlotTransform};

use super::geometry::painting::Tool;
use crate::kit::gestures::Gesture;
use crate::theme::Theme;
use base::math::Point;

/// What can be done while a painting is edited on a canvas.
pub(crate) const GESTURES: [Gesture; 4] = [
    Gesture::at("Edit painting", "Drag, click", "Paint, erase or blur with the chosen tool"),
    Gesture::at("Edit painting", "Shift + drag", "Erase, whatever the tool"),
    Gesture::at("Edit painting", "Arrow keys after Tab", "Move the canvas under the brush in its middle"),
    Gesture::at("Edit painting", "Enter after Tab", "Paint, erase or blur in the middle of the canvas"),
];

/// Corners of the ring, enough to look smooth.
const CORNERS: usize = 64;

/// Dashes of the edge of the cells.
const DASH: f32 = 0.5;

/// A touch of the brush.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    /// The point in the plane.
    pub at: Point,
    /// Whether Shift makes an eraser of every tool.
    pub erases: bool,
}

/// Marks the edge of the cells, which reach as far as `half` to either side of 0: beyond it there is nothing to paint on.
pub fn edge(ui: &Ui, theme: &Theme, (plot, transform): (&Response, &PlotTransform), half: Point) {
    let corner = |x: f64, y: f64| transform.position_from_point(&PlotPoint::new(x * half.x, y * half.y));
    let corners = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0), corner(-1.0, -1.0)];
    let dash = theme.space(DASH);
    let dashes = Shape::dashed_line(&corners, Stroke::new(theme.thin(), theme.ink), dash, dash);
    ui.painter().with_clip_rect(plot.rect).extend(dashes);
}

/// Paints the ring of a tool that reaches as far as `radius` in the plane, and returns where it touches the canvas at
/// this moment.
pub fn touch(
    ui: &Ui,
    theme: &Theme,
    (plot, transform): (&Response, &PlotTransform),
    (tool, radius): (Tool, f64),
) -> Option<Touch> {
    let rect = plot.rect;
    // Above the canvas, so that dragging paints and does not move the plane. Tab does not stop here: the canvas has the keys.
    let response =
        ui.interact(rect, plot.id.with("painting"), Sense::CLICK | Sense::DRAG).on_hover_cursor(CursorIcon::Crosshair);
    let (shift, down) = ui.input(|input| (input.modifiers.shift, input.pointer.primary_down()));
    let held = response.is_pointer_button_down_on() && down;
    let by_key = plot.clicked() && plot.has_focus();
    let at_pointer = response.interact_pointer_pos().or_else(|| response.hover_pos());
    let (place, touches) = match at_pointer {
        Some(place) if !by_key => (place, held || response.clicked_by(PointerButton::Primary)),
        _ if plot.has_focus() => (rect.center(), by_key),
        _ => return None,
    };
    let place = rect.clamp(place);
    let at = transform.value_from_position(place);
    let at = Point::new(at.x, at.y);
    let ring = Ring { ui, theme, rect, transform };
    ring.paint(at, radius, if shift { Tool::Eraser } else { tool }, held);
    touches.then_some(Touch { at, erases: shift })
}

/// A canvas with a ring on it.
struct Ring<'a> {
    ui: &'a Ui,
    theme: &'a Theme,
    rect: Rect,
    transform: &'a PlotTransform,
}

impl Ring<'_> {
    fn screen(&self, point: Point) -> Pos2 {
        self.transform.position_from_point(&PlotPoint::new(point.x, point.y))
    }

    /// A ring that is visible on any ground: ink on a rim of paper.
    fn paint(&self, at: Point, radius: f64, tool: Tool, held: bool) {
        let corner = |number: usize| {
            let angle = std::f64::consts::TAU * number as f64 / CORNERS as f64;
            self.screen(at + Point::new(angle.cos(), angle.sin()) * radius)
        };
        let corners: Vec<Pos2> = (0..CORNERS).map(corner).collect();
        let width = if held { self.theme.line() } else { self.theme.thin() };
        let ink = if held { self.theme.accent } else { self.theme.ink };
        let painter = self.ui.painter().with_clip_rect(self.rect);
        for stroke in [Stroke::new(width + self.theme.line(), self.theme.paper), Stroke::new(width, ink)] {
            painter.add(Shape::closed_line(corners.clone(), stroke));
            painter.extend(self.sign(self.screen(at), tool).into_iter().map(|ends| Shape::line_segment(ends, stroke)));
        }
    }

    /// The sign of a tool in its middle: plus, minus, and two lines.
    fn sign(&self, middle: Pos2, tool: Tool) -> Vec<[Pos2; 2]> {
        let arm = self.theme.space(1.0);
        let across = |up: f32| [middle + vec2(-arm, up), middle + vec2(arm, up)];
        match tool {
            Tool::Brush => vec![across(0.0), [middle + vec2(0.0, -arm), middle + vec2(0.0, arm)]],
            Tool::Eraser => vec![across(0.0)],
            Tool::Blur => vec![across(-0.6 * arm), across(0.6 * arm)],
        }
    }
}

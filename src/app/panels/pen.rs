//! Pen and spotlight on top of the window. While the pen draws, what is below it does not hear of the pointer.

use std::f32::consts::TAU;

use egui::{Area, Color32, Context, CursorIcon, Id, Mesh, Order, Painter, Pos2, Rect, Sense, Shape, Stroke, Vec2};

use crate::app::state::Ctx;
use crate::app::view::pen::Tool;
use draw::kit::gestures::Gesture;
use draw::kit::named::named;
use draw::theme::Theme;

/// Width of a line, radius of the light and of its soft edge, in units of the theme.
const LINE: f32 = 1.0;
const LIGHT: f32 = 30.0;
const EDGE: f32 = 4.0;

/// How dark it is around the light, of 255.
const DARKNESS: u8 = 170;

/// Corners of the light.
const CORNERS: u32 = 96;

/// What the pen does.
pub const GESTURES: [Gesture; 1] = [Gesture::at("Pen", "Drag", "Draw on top of the window")];

/// Shows what is drawn, and draws on.
pub fn show(ctx: &mut Ctx<'_>, context: &Context) {
    let loads = ctx.view.window.loads;
    let pen = &mut ctx.view.pen;
    pen.follow(loads);
    if pen.tool.is_none() && pen.strokes().is_empty() {
        return;
    }
    let (theme, window) = (ctx.theme, context.content_rect());
    if pen.begins() {
        // The first frame of an area does not hear of the pointer.
        context.request_repaint();
    }
    let area = Area::new(Id::unique("pen")).order(Order::Foreground).fixed_pos(window.min).constrain(false);
    let draws = pen.tool == Some(Tool::Pen);
    area.interactable(draws).show(context, |ui| {
        let sense = if draws { Sense::drag() } else { Sense::empty() };
        let (rect, response) = ui.allocate_exact_size(window.size(), sense);
        if draws {
            let response = named(response, "Pen: drag to draw").on_hover_cursor(CursorIcon::Crosshair);
            if let Some(at) = response.interact_pointer_pos().filter(|_| response.dragged() || response.drag_started())
            {
                pen.draw(at, response.drag_started());
            }
        }
        let painter = ui.painter().with_clip_rect(rect);
        if draws {
            let text = "Pen: drag to draw. D or Esc ends, Shift D wipes off.";
            // Above the transport, where no text of a lesson is.
            let at = rect.center_bottom() - Vec2::new(0.0, theme.space(10.0));
            let galley = painter.layout_no_wrap(text.to_owned(), theme.small(), theme.paper);
            let plate = egui::Align2::CENTER_BOTTOM.anchor_size(at, galley.size() + Vec2::splat(theme.space(2.0)));
            painter.rect_filled(plate, theme.space(1.0), theme.error);
            painter.galley(plate.min + Vec2::splat(theme.space(1.0)), galley, theme.paper);
        }
        for stroke in pen.strokes() {
            line(&painter, theme, stroke);
        }
        if pen.tool == Some(Tool::Spotlight)
            && let Some(at) = ui.input(|input| input.pointer.latest_pos())
        {
            painter.add(darkness(at, theme.space(LIGHT), theme.space(EDGE), rect));
        }
    });
}

/// A line with round ends; a point for a line of one point.
fn line(painter: &Painter, theme: &Theme, stroke: &[Pos2]) {
    let width = theme.space(LINE);
    if stroke.len() > 1 {
        painter.add(Shape::line(stroke.to_vec(), Stroke::new(width, theme.error)));
    }
    for end in [stroke.first(), stroke.last()].into_iter().flatten() {
        painter.circle_filled(*end, 0.5 * width, theme.error);
    }
}

/// Darkness around a light: rings from the light to beyond the farthest corner of the window.
fn darkness(at: Pos2, radius: f32, edge: f32, window: Rect) -> Mesh {
    let far = 2.0 * (window.size().length() + at.distance(window.center()));
    let dark = Color32::from_black_alpha(DARKNESS);
    let rings = [(radius, Color32::TRANSPARENT), (radius + edge, dark), (far, dark)];
    let mut mesh = Mesh::default();
    for corner in 0..=CORNERS {
        let direction = Vec2::angled(TAU * corner as f32 / CORNERS as f32);
        for (radius, colour) in rings {
            mesh.colored_vertex(at + radius * direction, colour);
        }
        if corner > 0 {
            let (before, now) = (3 * (corner - 1), 3 * corner);
            for ring in 0..2 {
                mesh.add_triangle(before + ring, before + ring + 1, now + ring);
                mesh.add_triangle(before + ring + 1, now + ring + 1, now + ring);
            }
        }
    }
    mesh
}

#[cfg(test)]
mod tests {
    use egui::pos2;

    use super::*;

    /// Wherever the pointer is, every corner of the window is in the dark, and the light is not.
    #[test]
    fn the_dark_covers_the_window_but_the_light() {
        let window = Rect::from_min_size(Pos2::ZERO, Vec2::new(1920.0, 1080.0));
        for at in [window.center(), window.min, window.max, pos2(5.0, 1000.0)] {
            let mesh = darkness(at, 100.0, 10.0, window);
            let farthest = [window.left_top(), window.right_top(), window.left_bottom(), window.right_bottom()]
                .into_iter()
                .map(|corner| corner.distance(at))
                .fold(0.0, f32::max);
            let outer: Vec<f32> =
                mesh.vertices.iter().skip(2).step_by(3).map(|vertex| vertex.pos.distance(at)).collect();
            // A ring of straight pieces is nearer to the middle between its corners.
            let nearest = outer.iter().copied().fold(f32::INFINITY, f32::min) * (0.5 * TAU / CORNERS as f32).cos();
            assert!(nearest > farthest, "{nearest} {farthest}");
            let light = mesh.vertices.iter().step_by(3).all(|vertex| vertex.color == Color32::TRANSPARENT);
            assert!(light && mesh.is_valid());
        }
    }
}

//! Pen and spotlight on top of the window. While the pen draws, what is below it does not hear of the pointer.

use std::f32::consts::TAU;

use egui::{Area, Color32, Context, CursorIcon, Id, Mesh, Order, Painter, Pos2, Rect, Sense, Shape, Stroke, Ui, Vec2};

use super::transport;
use crate::app::commands::{Command, spec};
use crate::app::state::Ctx;
use crate::app::view::pen;
use crate::app::view::pen::{INKS, Ink, Tool};
use draw::kit::gestures::Gesture;
use draw::kit::named::named;
use draw::theme::Theme;

/// Width of a line, radius of the light and of its soft edge, in units of the theme.
const LINE: f32 = 1.0;
const LIGHT: f32 = 30.0;
const EDGE: f32 = 4.0;

/// Width of the rim of a line, which sets it off from what is below, and radius of a colour to choose, in units of the theme.
const RIM: f32 = 0.4;
const DOT: f32 = 1.8;

/// Time that the pointer rests before a help text appears while a tool is on, in seconds: none does, before an audience.
const NEVER: f32 = 1e6;

/// How dark it is around the light, of 255.
const DARKNESS: u8 = 170;

/// Corners of the light.
const CORNERS: u32 = 96;

/// What the pen does.
pub const GESTURES: [Gesture; 1] = [Gesture::at("Pen", "Drag", "Draw on top of the window")];

/// Shows what is drawn, and draws on.
pub fn show(ctx: &mut Ctx<'_>, context: &Context) {
    let (loads, presents) = (ctx.view.window.loads, ctx.prefs.present);
    let pen = &mut ctx.view.pen;
    pen.follow(loads, context.content_rect().size());
    keep_quiet(context, pen.tool.is_some());
    if pen.tool.is_none() && pen.is_clean() {
        return;
    }
    let (theme, window) = (ctx.theme, context.content_rect());
    if pen.begins() {
        // The first frame of an area does not hear of the pointer.
        context.request_repaint();
    }
    // The dark is above everything, help texts too; strokes are below dialogs.
    let spots = pen.tool == Some(Tool::Spotlight);
    let order = if spots { Order::Debug } else { Order::Foreground };
    let area = Area::new(Id::unique(("pen", spots))).order(order).fixed_pos(window.min).constrain(false);
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
        for stroke in pen.strokes() {
            line(&painter, theme, &stroke);
        }
        // Before an audience the transport is at the left as well.
        let transport = if presents { transport::height(ui, theme) + theme.space(1.0) } else { 0.0 };
        let above = rect.with_max_y(rect.bottom() - transport);
        if draws && let Some(ink) = plate(ui, theme, above, pen.ink) {
            pen.ink = ink;
        }
        if spots && let Some(at) = ui.input(|input| input.pointer.latest_pos()) {
            painter.add(darkness(at, theme.space(LIGHT), theme.space(EDGE), rect));
        }
    });
}

/// While a tool is on, no help text appears on top of what is shown; afterwards they do as ever.
fn keep_quiet(context: &Context, quiet: bool) {
    let usual = egui::style::Interaction::default().tooltip_delay;
    let wanted = if quiet { NEVER } else { usual };
    if context.global_style().interaction.tooltip_delay.to_bits() != wanted.to_bits() {
        context.all_styles_mut(|style| style.interaction.tooltip_delay = wanted);
    }
}

/// What the keys do, and the colours to choose from, at the lower left, where nothing is read; returns the colour that was chosen.
fn plate(ui: &mut Ui, theme: &Theme, window: Rect, present: Ink) -> Option<Ink> {
    let text =
        format!("Drag to draw. {}: next colour. D or Esc ends, Shift D wipes off.", spec(Command::PenColour).key());
    let painter = ui.painter().clone();
    let galley = painter.layout_no_wrap(text, theme.small(), theme.ink);
    let (dot, margin) = (theme.space(2.6 * DOT), theme.space(1.5));
    let dots = INKS.len() as f32 * dot;
    let size = Vec2::new(galley.size().x + dots + 3.0 * margin, galley.size().y.max(dot) + margin);
    let corner = window.left_bottom() + theme.space(1.0) * Vec2::new(1.0, -1.0);
    let plate = egui::Align2::LEFT_BOTTOM.anchor_size(corner, size);
    painter.rect(
        plate,
        theme.space(1.0),
        theme.raised,
        Stroke::new(theme.thin(), theme.edge),
        egui::StrokeKind::Inside,
    );
    let mut chosen = None;
    for (number, (ink, name)) in INKS.into_iter().enumerate() {
        let centre = Pos2::new(plate.left() + margin + dot * (number as f32 + 0.5), plate.center().y);
        let area = Rect::from_center_size(centre, Vec2::splat(dot));
        let response =
            named(ui.interact(area, ui.scope_id().with(("ink", number)), Sense::click()), &format!("Pen: {name}"));
        painter.circle_filled(centre, theme.space(DOT), colour(theme, ink));
        if ink == present || response.has_focus() {
            painter.circle_stroke(centre, theme.space(DOT) + theme.line(), Stroke::new(theme.line(), theme.ink));
        }
        if response.clicked() {
            chosen = Some(ink);
        }
    }
    let at = Pos2::new(plate.left() + 2.0 * margin + dots, plate.center().y - 0.5 * galley.size().y);
    painter.galley(at, galley, theme.ink);
    chosen
}

fn colour(theme: &Theme, ink: Ink) -> Color32 {
    match ink {
        Ink::Red => theme.error,
        Ink::Blue => theme.accent,
        Ink::Green => theme.accepted,
        Ink::Plain => theme.ink,
    }
}

/// A line with round ends and a rim of paper, so that it is seen on any ground; a point for a line of one point.
fn line(painter: &Painter, theme: &Theme, line: &pen::Stroke) {
    let painter = &line.within.map_or_else(|| painter.clone(), |canvas| painter.with_clip_rect(canvas));
    let (width, rim) = (theme.space(LINE), theme.space(RIM));
    for (width, colour) in [(width + 2.0 * rim, theme.paper), (width, colour(theme, line.ink))] {
        if line.points.len() > 1 {
            painter.add(Shape::line(line.points.clone(), Stroke::new(width, colour)));
        }
        for end in [line.points.first(), line.points.last()].into_iter().flatten() {
            painter.circle_filled(*end, 0.5 * width, colour);
        }
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

//! Shapes of the parts of a step: arrows with a colour, dashes and a tip for each part, on a rim in the colour of the paper.

use egui::{Color32, Pos2, Shape, Stroke, Vec2};

use super::polyline;
use crate::geometry::Part;
use crate::theme::Theme;

/// Width of an arrow, of its rim, and length of its tip, in units of the theme (chosen for viewers in the last row).
const WIDTH: f32 = 0.55;
const RIM: f32 = 0.36;
const TIP: f32 = 2.0;

/// Half the breadth of a tip, as a share of its length.
const BREADTH: f32 = 0.45;

/// Radius of the disc of a proposal, in units of the theme.
const DISC: f32 = 1.5;

/// Radius of the disc of the coldest replica, in units of the theme; the hottest is twice as large.
const REPLICA: f32 = 0.8;

/// Height of the arc of an exchange, as a share of its length, and its pieces.
const BEND: f32 = 0.15;
const ARC: usize = 16;

/// An arrow for a part of a step, from one point of the screen to another.
pub fn arrow(shapes: &mut Vec<Shape>, theme: &Theme, part: Part, from: Pos2, to: Pos2) {
    let way = to - from;
    let length = way.length();
    if length <= 0.0 {
        return;
    }
    let along = way / length;
    // A short arrow is only a tip, as long as the arrow.
    let tip = theme.space(TIP).min(length);
    let shaft = to - 0.5 * tip * along;
    let colour = theme.part(part);
    shapes.push(Shape::line_segment([from, shaft], Stroke::new(theme.space(WIDTH + 2.0 * RIM), rim(theme))));
    let stroke = Stroke::new(theme.space(WIDTH), colour);
    head(shapes, part, (to, along, tip), Stroke::new(theme.space(WIDTH + 2.0 * RIM), rim(theme)), rim(theme));
    dashed(shapes, [from, shaft], stroke, theme.dashes(part));
    head(shapes, part, (to, along, tip), stroke, colour);
}

/// A line, dashed or full.
pub fn dashed(shapes: &mut Vec<Shape>, ends: [Pos2; 2], stroke: Stroke, dashes: Option<[f32; 2]>) {
    match dashes {
        None => shapes.push(Shape::line_segment(ends, stroke)),
        Some([dash, gap]) => shapes.extend(Shape::dashed_line(&ends, stroke, dash, gap)),
    }
}

/// The tip: a filled triangle for the drift, an open angle for gradient noise, a diamond for injected noise, a bar for the
/// momentum.
fn head(shapes: &mut Vec<Shape>, part: Part, (to, along, tip): (Pos2, Vec2, f32), stroke: Stroke, colour: Color32) {
    let across = along.rot90() * BREADTH * tip;
    let back = to - tip * along;
    let filled = |points| Shape::convex_polygon(points, colour, Stroke::new(0.5 * stroke.width, colour));
    match part {
        Part::Drift => shapes.push(filled(vec![to, back + across, back - across])),
        Part::GradientNoise => shapes.push(Shape::line(vec![back + across, to, back - across], stroke)),
        Part::InjectedNoise => {
            let middle = to - 0.5 * tip * along;
            shapes.push(filled(vec![to, middle + 0.8 * across, back, middle - 0.8 * across]));
        }
        Part::Carried => {
            shapes.push(Shape::line_segment([back, to], stroke));
            shapes.push(Shape::line_segment([to + across, to - across], stroke));
        }
    }
}

/// A proposal with the line to it: a full line to a filled disc with a tick if accepted, a dashed line to a hollow disc with a
/// cross if rejected.
pub fn proposal(shapes: &mut Vec<Shape>, theme: &Theme, accepted: bool, from: Option<Pos2>, at: Pos2) {
    way(shapes, theme, Some(accepted), from, at);
    decision(shapes, theme, Some(accepted), at);
}

/// The line to a proposal that is accepted, rejected, or not decided.
pub fn way(shapes: &mut Vec<Shape>, theme: &Theme, accepted: Option<bool>, from: Option<Pos2>, at: Pos2) {
    let Some(from) = from else { return };
    let dashes = (accepted != Some(true)).then_some([theme.space(1.25), theme.space(1.0)]);
    shapes.push(Shape::line_segment([from, at], Stroke::new(theme.space(0.4 + RIM), rim(theme))));
    dashed(shapes, [from, at], stroke_of(theme, accepted), dashes);
}

/// The disc of a proposal that is accepted, rejected, or not decided.
pub fn decision(shapes: &mut Vec<Shape>, theme: &Theme, accepted: Option<bool>, at: Pos2) {
    let (radius, stroke) = (theme.space(DISC), stroke_of(theme, accepted));
    let point = |x: f32, y: f32| at + radius * Vec2::new(x, y);
    shapes.push(Shape::circle_filled(at, radius + theme.space(RIM), rim(theme)));
    if accepted == Some(true) {
        shapes.push(Shape::circle_filled(at, radius, stroke.color));
        let tick = vec![point(-0.5, 0.0), point(-0.1, 0.45), point(0.5, -0.4)];
        shapes.push(Shape::line(tick, Stroke::new(theme.space(0.45), theme.paper)));
        return;
    }
    // What is below a hollow disc does not mix with its cross.
    shapes.push(Shape::circle_filled(at, radius, theme.paper));
    shapes.push(Shape::circle_stroke(at, radius, stroke));
    if accepted == Some(false) {
        for side in [-1.0, 1.0] {
            shapes.push(Shape::line_segment([point(-0.45, -0.45 * side), point(0.45, 0.45 * side)], stroke));
        }
    }
}

fn stroke_of(theme: &Theme, accepted: Option<bool>) -> Stroke {
    let colour = match accepted {
        Some(true) => theme.accepted,
        Some(false) => theme.error,
        None => theme.ink,
    };
    Stroke::new(theme.space(0.4), colour)
}

/// A replica of parallel tempering: a disc in the colour of its temperature, the larger the hotter. `share` is its position on the ladder, 0
/// of the coldest and 1 of the hottest.
pub fn replica(shapes: &mut Vec<Shape>, theme: &Theme, share: f32, at: Pos2) {
    let radius = theme.space(REPLICA * (1.0 + share));
    shapes.push(Shape::circle_filled(at, radius + theme.space(RIM), rim(theme)));
    shapes.push(Shape::circle_filled(at, radius, theme.temperature(share)));
    shapes.push(Shape::circle_stroke(at, radius, Stroke::new(theme.hairline().width, theme.ink)));
}

/// Two replicas have exchanged their places: an arc between them, with bars at its ends.
pub fn exchange(shapes: &mut Vec<Shape>, theme: &Theme, [from, to]: [Pos2; 2]) {
    let way = to - from;
    if way.length() <= 0.0 {
        return;
    }
    let top = BEND * way.rot90();
    let point = |number: usize| {
        let share = number as f32 / ARC as f32;
        from + share * way + 4.0 * share * (1.0 - share) * top
    };
    let points: Vec<Pos2> = (0..=ARC).map(point).collect();
    let line = |width: f32, colour| Shape::line(points.clone(), Stroke::new(theme.space(width), colour));
    shapes.push(line(0.4 + 2.0 * RIM, rim(theme)));
    shapes.push(line(0.4, theme.accepted));
}

/// The path of the integrator to a proposal.
pub fn path(shapes: &mut Vec<Shape>, theme: &Theme, points: &[Pos2]) {
    for (width, colour) in [(0.3 + RIM, rim(theme)), (0.3, theme.soft)] {
        shapes.extend(polyline::line(points.iter().copied(), Stroke::new(theme.space(width), colour)));
    }
    shapes.extend(points.iter().map(|&at| Shape::circle_filled(at, theme.space(0.55), theme.soft)));
}

/// The rim below shapes over a density.
fn rim(theme: &Theme) -> Color32 {
    theme.paper.gamma_multiply(0.8)
}

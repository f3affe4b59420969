//! Markers of runs outside of plots: in titles, legends and cards.

use egui::{Painter, Pos2, Response, Sense, Shape, Stroke, Ui, Vec2, vec2};
use egui_plot::MarkerShape;

use super::dashes;
use crate::theme::{RunStyle, Theme};
use figure::vector::{LEGEND, Tag};

/// Paints a marker of the given radius.
pub fn paint(painter: &Painter, centre: Pos2, radius: f32, style: RunStyle) {
    painter.extend(shapes(centre, radius, style));
}

/// The shapes of a marker of the given radius.
pub(crate) fn shapes(centre: Pos2, radius: f32, style: RunStyle) -> Vec<Shape> {
    match outline(style.marker) {
        Outline::Circle => vec![Shape::circle_filled(centre, 0.85 * radius, style.colour)],
        Outline::Filled(corners) => {
            let points = corners.iter().map(|&[x, y]| centre + radius * vec2(x, y)).collect();
            vec![Shape::convex_polygon(points, style.colour, Stroke::NONE)]
        }
        Outline::Strokes(lines) => {
            let stroke = Stroke::new(radius * 0.4, style.colour);
            let line = |&[x, y]: &[f32; 2]| {
                let reach = radius * vec2(x, y);
                Shape::line_segment([centre - reach, centre + reach], stroke)
            };
            lines.iter().map(line).collect()
        }
    }
}

/// Adds a marker as tall as body text.
pub fn show(ui: &mut Ui, theme: &Theme, style: RunStyle) -> Response {
    let side = theme.text.body;
    let (rect, response) = ui.allocate_exact_size(Vec2::splat(side), Sense::hover());
    paint(ui.painter(), rect.center(), 0.45 * side, style);
    response
}

/// Width of a marker beside the name of a run; with a sample of the line of the run where some are broken.
#[must_use]
pub fn width(theme: &Theme) -> f32 {
    theme.text.body * if theme.has_dashes() { WITH_LINE } else { 1.0 }
}

/// Width of a marker with a sample of a line, in sizes of body text.
const WITH_LINE: f32 = 2.4;

/// Adds a marker beside the name of a run, on a sample of its line where some are broken.
pub(crate) fn show_named(ui: &mut Ui, theme: &Theme, style: RunStyle) -> Response {
    if !theme.has_dashes() {
        return show(ui, theme, style);
    }
    let side = theme.text.body;
    let (rect, response) = ui.allocate_exact_size(vec2(width(theme), side), Sense::hover());
    // Other programs have legends of their own.
    Tag::Series(LEGEND.to_owned()).say(ui);
    ui.painter().extend(on_line(theme, [rect.left_center(), rect.right_center()], 0.45 * side, style));
    Tag::SeriesEnd.say(ui);
    response
}

/// The shapes of a marker on a sample of the line of its run.
pub(crate) fn on_line(theme: &Theme, [from, to]: [Pos2; 2], radius: f32, style: RunStyle) -> Vec<Shape> {
    let stroke = Stroke::new(theme.line(), style.colour);
    let mut found = match style.dash.lengths(theme.line()) {
        None => vec![Shape::line_segment([from, to], stroke)],
        Some(lengths) => dashes::broken(&[from, to], stroke, lengths),
    };
    found.extend(shapes(from.lerp(to, 0.5), radius, style));
    found
}

/// What a marker consists of, in units of its radius, y downwards.
enum Outline {
    Circle,
    Filled(&'static [[f32; 2]]),
    Strokes(&'static [[f32; 2]]),
}

const DIAGONAL: f32 = std::f32::consts::FRAC_1_SQRT_2;
const SLANT: f32 = 0.866_025_4;

fn outline(marker: MarkerShape) -> Outline {
    use MarkerShape as M;
    const SQUARE: [[f32; 2]; 4] =
        [[-DIAGONAL, -DIAGONAL], [DIAGONAL, -DIAGONAL], [DIAGONAL, DIAGONAL], [-DIAGONAL, DIAGONAL]];
    match marker {
        M::Circle => Outline::Circle,
        M::Square => Outline::Filled(&SQUARE),
        M::Diamond => Outline::Filled(&[[0.0, -1.0], [1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]]),
        M::Up => Outline::Filled(&[[0.0, -1.0], [SLANT, 0.5], [-SLANT, 0.5]]),
        M::Down => Outline::Filled(&[[0.0, 1.0], [-SLANT, -0.5], [SLANT, -0.5]]),
        M::Left => Outline::Filled(&[[-1.0, 0.0], [0.5, -SLANT], [0.5, SLANT]]),
        M::Right => Outline::Filled(&[[1.0, 0.0], [-0.5, SLANT], [-0.5, -SLANT]]),
        M::Cross => Outline::Strokes(&[[DIAGONAL, DIAGONAL], [DIAGONAL, -DIAGONAL]]),
        M::Plus => Outline::Strokes(&[[1.0, 0.0], [0.0, 1.0]]),
        M::Asterisk => Outline::Strokes(&[[0.0, 1.0], [SLANT, 0.5], [SLANT, -0.5]]),
    }
}

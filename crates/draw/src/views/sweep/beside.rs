//! What is known of a cell, beside the pointer: some of its draws over the density of the target, and its numbers.

use egui::{Align, Align2, Color32, Mesh, Pos2, Rect, Shape, Stroke, StrokeKind, Ui, Vec2, pos2, vec2};

use super::geometry::CellCloud;
use super::input::SweepInput;
use super::words;
use crate::geometry::DensityImage;
use crate::theme::Theme;
use crate::words::numbers;
use base::math::Bounds;

/// Side of the picture, in sizes of small text (chosen by eye).
const SIDE: f32 = 11.0;

/// Opacity of a draw, and its side in points (chosen by eye).
const OPACITY: f32 = 0.6;
const DOT: f32 = 1.6;

/// Columns of a histogram of draws on the line, and the height of its highest column as a share of the picture.
const COLUMNS: usize = 48;
const HEIGHT: f64 = 0.9;

/// Exponent that turns a relative density into a shade: below 1, so that tails are visible (chosen by eye).
const SHADE_POWER: f64 = 0.6;

/// Paints picture and numbers of a cell beside the pointer, within `area`: to its lower right, or on its other sides in the right or lower half.
pub fn show(ui: &Ui, input: &SweepInput<'_>, cell: usize, (area, pointer): (Rect, Pos2), theme: &Theme) {
    let cloud = input.cloud.filter(|cloud| cloud.cell == cell);
    let mut text = words::of_cell(input, cell);
    if let Some(outside) = cloud.map(|cloud| cloud.outside).filter(|outside| *outside > 0.0) {
        text = format!("{text}\n{} of the draws are outside, and drawn at the edge", numbers::percent(outside));
    }
    let (gap, most) = (theme.space(1.5), (0.5 * area.width()).max(theme.text.small * 20.0));
    let side = (theme.text.small * SIDE).min(area.height() - 2.0 * gap).max(0.0);
    let galley = ui.painter().layout(text, theme.small(), theme.ink, most);
    let tall = area.height() >= side + galley.size().y + 3.0 * gap;
    // In a low plot the picture stands beside the numbers.
    let inner = if tall {
        vec2(galley.size().x.max(side), side + gap + galley.size().y)
    } else {
        vec2(side + gap + galley.size().x, galley.size().y.max(side))
    };
    let (right, below) = (pointer.x < area.center().x, pointer.y < area.center().y);
    let align = |after: bool| if after { Align::Min } else { Align::Max };
    let aside = |after: bool| theme.space(if after { 3.0 } else { -2.0 });
    let at = pointer + vec2(aside(right), aside(below));
    let patch = Align2([align(right), align(below)]).anchor_size(at, inner + Vec2::splat(2.0 * gap));
    let patch = patch.translate(inwards(patch, area));
    let painter = ui.painter();
    painter.rect(patch, theme.space(1.0), theme.paper, theme.hairline(), StrokeKind::Outside);
    let picture = Rect::from_min_size(patch.min + Vec2::splat(gap), Vec2::splat(side));
    painter.rect_stroke(picture, 0.0, theme.hairline(), StrokeKind::Outside);
    if let Some(cloud) = cloud {
        painter.extend(shapes(cloud, picture, theme, theme.run(input.run).colour));
    }
    let offset = if tall { vec2(0.0, side + gap) } else { vec2(side + gap, 0.0) };
    painter.galley(picture.min + offset, galley, theme.ink);
}

/// The shift that brings `patch` into `area`; if it does not fit, its left and upper ends are visible.
fn inwards(patch: Rect, area: Rect) -> Vec2 {
    let along = |low: f32, high: f32, min: f32, max: f32| {
        if low < min { min - low } else { (max - high).min(0.0).max(min - low) }
    };
    vec2(
        along(patch.left(), patch.right(), area.left(), area.right()),
        along(patch.top(), patch.bottom(), area.top(), area.bottom()),
    )
}

/// The draws of a cell over the density.
fn shapes(cloud: &CellCloud, picture: Rect, theme: &Theme, colour: Color32) -> Vec<Shape> {
    if cloud.flat {
        return on_the_line(cloud, picture, theme, colour);
    }
    let mut shapes = Vec::new();
    if let Some(density) = &cloud.density {
        shapes.push(Shape::mesh(shades(density, picture, theme)));
    }
    let mut dots = Mesh::default();
    for draw in &cloud.draws {
        let at = position(draw.x, draw.y, cloud.bounds, picture);
        dots.add_colored_rect(Rect::from_center_size(at, Vec2::splat(DOT)), colour.gamma_multiply(OPACITY));
    }
    shapes.push(Shape::mesh(dots));
    shapes
}

fn position(x: f64, y: f64, Bounds { min, max }: Bounds, picture: Rect) -> Pos2 {
    let [right, up] = [(x - min.x) / (max.x - min.x), (y - min.y) / (max.y - min.y)].map(|share| share as f32);
    pos2(picture.left() + right * picture.width(), picture.bottom() - up * picture.height())
}

/// A rectangle for each cell of the density that has a shade.
fn shades(density: &DensityImage, picture: Rect, theme: &Theme) -> Mesh {
    let mut mesh = Mesh::default();
    let (columns, rows) = (density.grid.x.cells, density.grid.y.cells);
    let size = vec2(picture.width() / columns as f32, picture.height() / rows as f32);
    for number in 0..density.grid.len() {
        let [r, g, b, a] = theme.ramp.rgba(density.relative(number).powf(SHADE_POWER));
        if a > 0 {
            let corner = pos2(
                picture.left() + (number % columns) as f32 * size.x,
                picture.bottom() - (number / columns + 1) as f32 * size.y,
            );
            mesh.add_colored_rect(Rect::from_min_size(corner, size), Color32::from_rgba_unmultiplied(r, g, b, a));
        }
    }
    mesh
}

/// Draws on the line as columns, with the density as a line of the same area.
fn on_the_line(cloud: &CellCloud, picture: Rect, theme: &Theme, colour: Color32) -> Vec<Shape> {
    let Bounds { min, max } = cloud.bounds;
    let wide = (max.x - min.x) / COLUMNS as f64;
    let mut heights = vec![0.0; COLUMNS];
    for draw in &cloud.draws {
        #[expect(clippy::cast_sign_loss, reason = "a column")]
        let column = (((draw.x - min.x) / wide) as usize).min(COLUMNS - 1);
        heights[column] += 1.0 / (cloud.draws.len() as f64 * wide);
    }
    let exact: Vec<[f64; 2]> = cloud.density.as_ref().map_or_else(Vec::new, |density| {
        let axis = density.grid.x;
        let area: f64 = (0..axis.cells).map(|column| density.relative(column)).sum::<f64>() * axis.width();
        (0..axis.cells).map(|column| [axis.centre(column), density.relative(column) / area]).collect()
    });
    let highest = heights.iter().copied().chain(exact.iter().map(|point| point[1])).fold(0.0, f64::max);
    let up = |height: f64| min.y + height / highest * HEIGHT * (max.y - min.y);
    let mut columns = Mesh::default();
    for (column, height) in heights.iter().enumerate() {
        let left = min.x + column as f64 * wide;
        let corners =
            [position(left, min.y, cloud.bounds, picture), position(left + wide, up(*height), cloud.bounds, picture)];
        columns.add_colored_rect(Rect::from_two_pos(corners[0], corners[1]), colour.gamma_multiply(OPACITY));
    }
    let line = exact.iter().map(|[x, height]| position(*x, up(*height), cloud.bounds, picture)).collect();
    vec![Shape::mesh(columns), Shape::line(line, Stroke::new(theme.thin(), theme.exact))]
}

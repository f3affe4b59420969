//! Topics over pixels: the square of each found topic, at the right of that of the true one.

use egui::{Color32, Mesh, Painter, Rect, Shape, StrokeKind, Ui, Vec2, pos2, vec2};

use super::cache::Shown;
use super::cell;
use super::geometry::columns;
use super::seen::Seen;
use super::view::View;
use crate::kit::overlay_label;

/// Side of the square of a true topic, and the gap behind it, as shares of the side of the found one (chosen by eye).
const TRUE_SIDE: f32 = 0.62;
const GAP: f32 = 0.1;

/// The probability with the full colour: that of the pixels of a bar.
pub(super) fn full(side: usize) -> f64 {
    1.0 / side as f64
}

/// Width of a pair of squares, in sides of the found one.
fn ratio(view: &View<'_>) -> f32 {
    if view.truth().is_some() { 1.0 + GAP + TRUE_SIDE } else { 1.0 }
}

/// Side of the square of a found topic in a cell.
fn found_side(view: &View<'_>, [width, height]: [f32; 2]) -> f32 {
    let (label, margin) = cell::frame(view);
    ((width - 2.0 * margin) / ratio(view)).min(height - label - 2.0 * margin).max(0.0)
}

/// The columns of `count` topics in an area.
pub(super) fn arranged(view: &View<'_>, count: usize, area: Vec2) -> usize {
    columns(count, area.into(), |size| found_side(view, size))
}

/// Draws the topics of a run.
pub(super) fn show(ui: &mut Ui, view: &View<'_>, (run, shown): (usize, &Shown), side: usize, seen: &mut Seen) {
    let area = ui.available_rect_before_wrap();
    let (truth, ratio) = (view.truth(), ratio(view));
    let count = shown.picture.order.len();
    let columns = arranged(view, count, area.size());
    let mut pointed = None;
    for (slot, rect) in cell::cells(area, count, columns) {
        let (response, inner) = cell::begin(ui, view, (run, slot), (shown, rect), seen);
        let length = found_side(view, rect.size().into());
        let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
        let true_side = if truth.is_some() { TRUE_SIDE * length } else { 0.0 };
        let gap = if truth.is_some() { GAP * length } else { 0.0 };
        let left = inner.left() + (0.5 * (inner.width() - ratio * length)).max(0.0);
        let found = Rect::from_min_size(pos2(left + true_side + gap, inner.top()), vec2(length, length));
        let mut squares = Vec::new();
        if let Some(truth) = truth.filter(|truth| slot < truth.count()) {
            let corner = pos2(left, found.bottom() - true_side);
            let rect = Rect::from_min_size(corner, vec2(true_side, true_side));
            square(&painter, view, (rect, side, slot), |pixel| truth.get(slot, pixel));
            squares.push(rect);
        }
        if response.is_some() {
            square(&painter, view, (found, side, slot), |pixel| shown.picture.mean.get(slot, pixel));
            squares.push(found);
        }
        let pointer = response.and_then(|response| response.hover_pos());
        let word = |at| squares.iter().find_map(|rect| pixel_at(*rect, side, at));
        pointed = pointer.and_then(|at| Some((at, slot, word(at)?))).or(pointed);
    }
    if let Some((at, slot, word)) = pointed {
        seen.word = Some(word);
        overlay_label::at_pointer(ui, view.theme, area, at, &cell::reading(view, (word, slot), shown));
    }
}

/// Paints the pixels of a topic, and marks the one that is lit.
fn square(painter: &Painter, view: &View<'_>, (rect, side, slot): (Rect, usize, usize), value: impl Fn(usize) -> f64) {
    let theme = view.theme;
    let colours = (theme.paper, theme.topic(slot));
    painter.add(Shape::mesh(shades(colours, (rect, side), |pixel| value(pixel) / full(side))));
    painter.rect_stroke(rect, 0.0, (1.0, theme.edge), StrokeKind::Outside);
    if let Some(lit) = view.lit.filter(|lit| (*lit as usize) < side * side) {
        let pixel = pixel_rect(rect, side, lit as usize);
        painter.rect_stroke(pixel, 0.0, (3.0, theme.paper), StrokeKind::Middle);
        painter.rect_stroke(pixel, 0.0, (1.5, theme.accent), StrokeKind::Middle);
    }
}

/// A square of shades between two colours: `level` of each pixel from 0 to 1.
pub(super) fn shades(
    (ground, full): (Color32, Color32),
    (rect, side): (Rect, usize),
    level: impl Fn(usize) -> f64,
) -> Mesh {
    let mut mesh = Mesh::default();
    for pixel in 0..side * side {
        let colour = ground.lerp_to_gamma(full, level(pixel).clamp(0.0, 1.0) as f32);
        mesh.add_colored_rect(pixel_rect(rect, side, pixel), colour);
    }
    mesh
}

fn pixel_rect(rect: Rect, side: usize, pixel: usize) -> Rect {
    let size = rect.size() / side as f32;
    Rect::from_min_size(rect.min + vec2((pixel % side) as f32, (pixel / side) as f32) * size, size)
}

/// The pixel of a square at a point of the screen.
fn pixel_at(rect: Rect, side: usize, at: egui::Pos2) -> Option<u32> {
    let pixel = (0..side * side).find(|pixel| pixel_rect(rect, side, *pixel).contains(at))?;
    u32::try_from(pixel).ok()
}

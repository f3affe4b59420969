//! Picture of the probabilities from mode to mode in a cycle: a cell for each pair, with its number where there is space.

use egui::{Align2, Rect, Sense, StrokeKind, Ui, Vec2, pos2, vec2};

use super::geometry::digits;
use crate::kit::gestures::Gesture;
use crate::kit::overlay_label;
use crate::kit::shades::{ink_on, viridis};
use crate::theme::Theme;
use crate::words::numbers;
use engine::distributions::{Cycles, Trusted};

/// What can be done on the picture.
pub(crate) const GESTURES: [Gesture; 1] =
    [Gesture::at("Cycles", "Point at a cell", "Read the probability to end a cycle in one mode, begun in another")];

/// The matrices of a run with what they are along: one where both coordinates are alike.
pub(super) fn matrices(of: &Cycles) -> Vec<(usize, &'static str)> {
    match &of.matrices[..] {
        [(x, _), (y, _)] if x == y => vec![(0, "along either axis")],
        [_, _] => vec![(0, "along x"), (1, "along y")],
        _ => vec![(0, "")],
    }
}

/// Draws a matrix into a rectangle.
pub(super) fn show(
    ui: &mut Ui,
    of: &Cycles,
    number: usize,
    ((name, along), rect): ((&str, &str), Rect),
    theme: &Theme,
) {
    let (Some((matrix, difference)), Some(centres)) = (of.matrices.get(number), of.centres.get(number)) else { return };
    let count = centres.len();
    let line = theme.text.small * 1.4;
    let far = centres.iter().fold(0.0, |far: f64, centre| far.max(centre.abs()));
    // What a search for modes leaves of 0.
    let label = |at: usize| numbers::significant(if centres[at].abs() < 1e-9 * far { 0.0 } else { centres[at] }, 2);
    let wide = |text: String| ui.painter().layout_no_wrap(text, theme.small(), theme.ink).size().x;
    let left = (0..count).map(|at| wide(label(at))).fold(0.0, f32::max) + theme.space(2.0) + line;
    let above = 2.2 * line;
    let side = (rect.width() - left).min(rect.height() - above - 1.2 * line);
    if side < theme.space(7.0) || count == 0 {
        return;
    }
    let plot = Rect::from_min_size(rect.min + vec2(left, above), Vec2::splat(side));
    let cell = side / count as f32;
    let at = |row: usize, column: usize| {
        Rect::from_min_size(plot.min + vec2(column as f32, row as f32) * cell, Vec2::splat(cell))
    };
    let painter = &ui.painter().with_clip_rect(rect);
    let whole_title = if along.is_empty() { name.to_owned() } else { format!("{name}, {along}") };
    let title = if left + wide(whole_title.clone()) <= rect.width() { &whole_title } else { name };
    painter.text(pos2(plot.left(), rect.top()), Align2::LEFT_TOP, title, theme.small(), theme.ink);
    let labelled = (0..count).map(|at| wide(label(at))).fold(0.0, f32::max) + theme.space(0.5) <= cell;
    let highest = matrix.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    let written = |row: usize, column: usize| {
        // Three decimals are enough for a picture.
        digits(
            Trusted { value: matrix[(row, column)], difference: *difference },
            if cell > 5.0 * theme.text.small { 3 } else { 2 },
        )
    };
    let whole = cell - theme.space(1.5) >= wide("0.00".to_owned()) && cell >= line;
    for row in 0..count {
        for column in 0..count {
            let level = (matrix[(row, column)] / highest).clamp(0.0, 1.0);
            let rect = at(row, column);
            painter.rect_filled(rect, 0.0, viridis(level));
            if whole {
                let text = written(row, column);
                painter.text(rect.center(), Align2::CENTER_CENTER, text, theme.small(), ink_on(level));
            }
        }
        // Where labels would touch, the first and the last are enough.
        let inner = row > 0 && row + 1 < count;
        if cell >= theme.text.small || !inner {
            let middle = at(row, 0).left_center() - vec2(theme.space(1.0), 0.0);
            painter.text(middle, Align2::RIGHT_CENTER, label(row), theme.small(), theme.soft);
        }
        if !labelled && inner {
            continue;
        }
        let foot = at(count - 1, row).center_bottom() + vec2(0.0, theme.space(0.5));
        painter.text(foot, Align2::CENTER_TOP, label(row), theme.small(), theme.soft);
    }
    painter.rect_stroke(plot, 0.0, theme.hairline(), StrokeKind::Outside);
    let words = "from mode (row) to mode (column)";
    let words = if left + wide(words.to_owned()) <= rect.width() { words } else { "from row to column" };
    painter.text(plot.left_top() - vec2(0.0, theme.space(0.5)), Align2::LEFT_BOTTOM, words, theme.small(), theme.soft);
    let response = ui.allocate_rect(plot, Sense::hover());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Image, true, "Matrix of modes of a cycle"));
    let Some(pointer) = response.hover_pos() else { return };
    let pointed = (0..count * count).find(|pair| at(pair / count, pair % count).contains(pointer));
    if let Some((row, column)) = pointed.map(|pair| (pair / count, pair % count)) {
        let value = digits(Trusted { value: matrix[(row, column)], difference: *difference }, 6);
        let text = format!("from {} to {} in a cycle: {value}", label(row), label(column));
        overlay_label::at_pointer(ui, theme, rect, pointer, &text);
    }
}

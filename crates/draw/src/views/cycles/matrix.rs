//! Picture of the probabilities from mode to mode in a cycle: a cell for each pair, with its number where there is space.

use egui::{Align2, Rect, Sense, StrokeKind, Ui, vec2};

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
        [(x, _), (y, _)] if x == y => vec![(0, "either axis")],
        [_, _] => vec![(0, "x"), (1, "y")],
        _ => vec![(0, "")],
    }
}

/// Titles of pictures of runs along axes in equal words: the longest that are no wider than a picture, else names alone.
pub(super) fn titles(ui: &Ui, theme: &Theme, of: &[(&str, &str)], width: f32) -> Vec<String> {
    let named = |(name, along): &(&str, &str)| match along.is_empty() {
        true => (*name).to_owned(),
        false => format!("{name}, {along}"),
    };
    let wide = |text: &str| ui.painter().layout_no_wrap(text.to_owned(), theme.small(), theme.ink).size().x;
    for words in [": % from mode (row) to mode (column)", ": % from row to column", ", % row → column", ", %"] {
        let titles: Vec<String> = of.iter().map(|picture| named(picture) + words).collect();
        if titles.iter().all(|title| wide(title) <= width) {
            return titles;
        }
    }
    of.iter().map(|(name, _)| (*name).to_owned()).collect()
}

/// A probability in percent with the digits that two grids agree on, at most so many decimals.
fn percent(probability: f64, difference: f64, most: u32) -> String {
    digits(Trusted { value: 100.0 * probability, difference: 100.0 * difference }, most)
}

/// How many times as wide as high a cell is at most: numbers are wider than high.
const WIDEST: f32 = 2.5;

/// The largest probability of some matrices, which has the highest shade in all of them: colours of pictures beside each other mean the same.
pub(super) fn highest<'a>(of: impl Iterator<Item = (&'a Cycles, usize)>) -> f64 {
    let entries = of.filter_map(|(of, number)| of.matrices.get(number)).flat_map(|(matrix, _)| matrix.iter().copied());
    entries.fold(f64::MIN_POSITIVE, f64::max)
}

/// Draws a matrix into a rectangle, with shades up to a probability.
pub(super) fn show(
    ui: &mut Ui,
    (of, number, highest): (&Cycles, usize, f64),
    (title, rect): (&str, Rect),
    theme: &Theme,
) {
    let (Some((matrix, difference)), Some(centres)) = (of.matrices.get(number), of.centres.get(number)) else { return };
    let count = centres.len();
    let line = theme.text.small * 1.4;
    let far = centres.iter().fold(0.0, |far: f64, centre| far.max(centre.abs()));
    // What a search for modes leaves of 0.
    let label = |at: usize| numbers::significant(if centres[at].abs() < 1e-9 * far { 0.0 } else { centres[at] }, 2);
    let wide = |text: &str| ui.painter().layout_no_wrap(text.to_owned(), theme.small(), theme.ink).size().x;
    let labels = (0..count).map(|at| wide(&label(at))).fold(0.0, f32::max);
    let space = rect.size() - vec2(labels + theme.space(2.0), 2.4 * line);
    if space.min_elem() < theme.space(7.0) || count == 0 {
        return;
    }
    let high = space.y / count as f32;
    let cell = vec2((space.x / count as f32).min(WIDEST * high), high.min(space.x / count as f32));
    let corner = rect.left_top() + vec2(labels + theme.space(2.0), 1.2 * line);
    let plot = Rect::from_min_size(corner, count as f32 * cell);
    let at = |row: usize, column: usize| Rect::from_min_size(plot.min + vec2(column as f32, row as f32) * cell, cell);
    let painter = &ui.painter().with_clip_rect(rect);
    painter.text(rect.min, Align2::LEFT_TOP, title, theme.small(), theme.ink);
    let labelled = labels + theme.space(0.5) <= cell.x;
    let written = |row: usize, column: usize, most: u32| percent(matrix[(row, column)], *difference, most);
    let decimals = (0..=2).rev().find(|most| {
        let numbers = (0..count * count).map(|pair| wide(&written(pair / count, pair % count, *most)));
        numbers.fold(0.0, f32::max) + theme.space(1.0) <= cell.x && cell.y >= theme.text.small
    });
    for row in 0..count {
        for column in 0..count {
            let level = (matrix[(row, column)] / highest).clamp(0.0, 1.0);
            let rect = at(row, column);
            painter.rect_filled(rect, 0.0, viridis(level));
            if let Some(most) = decimals {
                let text = written(row, column, most);
                painter.text(rect.center(), Align2::CENTER_CENTER, text, theme.small(), ink_on(level));
            }
        }
        // Where labels would touch, the first and the last are enough.
        let inner = row > 0 && row + 1 < count;
        if cell.y >= theme.text.small || !inner {
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
    let response = ui.allocate_rect(plot, Sense::hover());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Image, true, "Matrix of modes of a cycle"));
    let Some(pointer) = response.hover_pos() else { return };
    let pointed = (0..count * count).find(|pair| at(pair / count, pair % count).contains(pointer));
    if let Some((row, column)) = pointed.map(|pair| (pair / count, pair % count)) {
        let value = written(row, column, 4);
        let text = format!("from {} to {} in a cycle: {value} %", label(row), label(column));
        overlay_label::at_pointer(ui, theme, rect, pointer, &text);
    }
}

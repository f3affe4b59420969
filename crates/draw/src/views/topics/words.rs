//! Topics over words: the most relevant words of each, with bars as long as their probabilities and error bars.

use egui::{Painter, Pos2, Rect, Ui, Vec2, pos2, vec2};

use super::cache::Shown;
use super::cell;
use super::geometry::columns;
use super::seen::Seen;
use super::view::View;
use crate::kit::overlay_label;

/// Height of a row, in sizes of small text.
const ROW: f32 = 1.28;

/// The largest share of the width that words take.
const WORDS: f32 = 0.58;

/// Widths of a cell in which words and bars have no space, and enough of it, in sizes of small text, and the rows of a cell from which
/// on more of them say little (chosen by eye).
const WIDTHS: [f32; 2] = [4.5, 10.0];
const MANY: f32 = 18.0;

/// The columns of `count` topics in an area.
pub(super) fn arranged(view: &View<'_>, count: usize, area: Vec2) -> usize {
    let small = view.theme.text.small;
    let (label, margin) = cell::frame(view);
    let worth = |[width, height]: [f32; 2]| {
        let rows = ((height - label - 2.0 * margin) / (ROW * small)).floor().max(0.0);
        let [none, enough] = WIDTHS.map(|width| width * small);
        rows.min(MANY) * ((width - none) / (enough - none)).clamp(0.0, 1.0)
    };
    columns(count, area.into(), worth)
}

/// Draws the topics of a run.
pub(super) fn show(ui: &mut Ui, view: &View<'_>, (run, shown): (usize, &Shown), seen: &mut Seen) {
    let area = ui.available_rect_before_wrap();
    let theme = view.theme;
    let row = ROW * theme.text.small;
    let count = shown.picture.order.len();
    let mut pointed = None;
    for (slot, rect) in cell::cells(area, count, arranged(view, count, area.size())) {
        let (response, inner) = cell::begin(ui, view, (run, slot), (shown, rect), seen);
        let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
        let rows = rows(view, (shown, slot), inner, row);
        paint(&painter, view, (shown, slot), inner, &rows);
        let pointer = response.and_then(|response| response.hover_pos());
        let under = |at: Pos2| rows.iter().find(|(_, rect)| rect.contains(at)).map(|(word, _)| *word);
        pointed = pointer.and_then(|at| Some((at, slot, under(at)?))).or(pointed);
    }
    if let Some((at, slot, word)) = pointed {
        seen.word = Some(word);
        overlay_label::at_pointer(ui, theme, area, at, &cell::reading(view, (word, slot), shown));
    }
}

/// The words that have space, with their rows. The word that is lit is among them: in the last row if it is less relevant.
fn rows(view: &View<'_>, (shown, slot): (&Shown, usize), area: Rect, row: f32) -> Vec<(u32, Rect)> {
    #[expect(clippy::cast_sign_loss, reason = "a few dozen rows")]
    let count = (area.height() / row).max(0.0) as usize;
    let mut words: Vec<u32> = shown.picture.words.get(slot).into_iter().flatten().copied().take(count).collect();
    if let (Some(lit), Some(last)) = (view.lit.filter(|lit| !words.contains(lit)), words.last_mut()) {
        *last = lit;
    }
    let row_rect = |number: usize| {
        let corner = pos2(area.left(), area.top() + row * number as f32);
        Rect::from_min_size(corner, vec2(area.width(), row))
    };
    words.into_iter().enumerate().map(|(number, word)| (word, row_rect(number))).collect()
}

/// Paints words, bars and error bars.
fn paint(painter: &Painter, view: &View<'_>, (shown, slot): (&Shown, usize), area: Rect, rows: &[(u32, Rect)]) {
    let theme = view.theme;
    let galleys: Vec<_> = rows
        .iter()
        .map(|(word, _)| painter.layout_no_wrap(view.word(*word).to_owned(), theme.small(), theme.ink))
        .collect();
    let widest = galleys.iter().map(|galley| galley.size().x).fold(0.0, f32::max);
    let start = area.left() + widest.min(WORDS * area.width()) + theme.space(1.0);
    let length = (area.right() - start).max(1.0);
    let along = |probability: f64| {
        let share = (probability / view.largest.max(f64::MIN_POSITIVE)).clamp(0.0, 1.0) as f32;
        start + length * share
    };
    let names =
        painter.with_clip_rect(painter.clip_rect().intersect(Rect::everything_left_of(start - theme.space(0.5))));
    for ((word, rect), galley) in rows.iter().zip(galleys) {
        if view.lit == Some(*word) {
            painter.rect_filled(*rect, 2.0, theme.accent.gamma_multiply(0.22));
        }
        let middle = rect.center().y;
        names.galley(pos2(rect.left(), middle - 0.5 * galley.size().y), galley, theme.ink);
        let end = along(shown.picture.mean.get(slot, *word as usize)).max(start + 1.0);
        let half = 0.3 * rect.height();
        painter.rect_filled(
            Rect::from_min_max(pos2(start, middle - half), pos2(end, middle + half)),
            0.0,
            theme.topic(slot),
        );
        if let Some(spread) = shown.spread() {
            let (mean, sd) = (spread.mean.get(slot, *word as usize), spread.sd.get(slot, *word as usize));
            whisker(painter, view, [along(mean - sd), along(mean + sd)], (middle, 0.6 * half));
        }
    }
}

/// An error bar between two points, `half` as high to both sides.
pub(super) fn whisker(painter: &Painter, view: &View<'_>, [from, to]: [f32; 2], (middle, half): (f32, f32)) {
    let theme = view.theme;
    if to - from < 0.5 {
        return;
    }
    for (width, colour) in [(theme.thin() + 2.0, theme.paper), (theme.thin(), theme.ink)] {
        painter.hline(from..=to, middle, (width, colour));
        for end in [from, to] {
            painter.vline(end, middle - half..=middle + half, (width, colour));
        }
    }
}

//! The cell of a topic: its colour and number, a short note, and what a click on it does.

use std::sync::Arc;

use egui::{Galley, Rect, Response, Sense, StrokeKind, Ui, pos2, vec2};

use super::cache::Shown;
use super::seen::{Event, Seen};
use super::view::View;
use crate::words::numbers;

/// Space around the contents of a cell, in units of the theme.
const MARGIN: f32 = 1.0;

/// Side of the square with the colour of a topic, in sizes of small text.
const SQUARE: f32 = 0.75;

/// The cells of `count` topics in rows of `columns`.
pub(super) fn cells(area: Rect, count: usize, columns: usize) -> impl Iterator<Item = (usize, Rect)> {
    let columns = columns.max(1);
    let part = |number: usize| number as f32;
    let size = vec2(area.width() / part(columns), area.height() / part(count.div_ceil(columns).max(1)));
    let corner = move |slot: usize| area.min + vec2(size.x * part(slot % columns), size.y * part(slot / columns));
    (0..count).map(move |slot| (slot, Rect::from_min_size(corner(slot), size)))
}

/// Height of the label, and the margin at one side.
pub(super) fn frame(view: &View<'_>) -> (f32, f32) {
    (view.theme.text.small * 1.35, view.theme.space(MARGIN))
}

/// Begins the cell of the topic at a slot: takes clicks on it and writes its label. Returns its response and the space that is
/// left; `None` where nothing is matched to a true topic.
pub(super) fn begin(
    ui: &Ui,
    view: &View<'_>,
    (run, slot): (usize, usize),
    (shown, rect): (&Shown, Rect),
    seen: &mut Seen,
) -> (Option<Response>, Rect) {
    let theme = view.theme;
    let (label, margin) = frame(view);
    let inner = rect.shrink(margin);
    let present = shown.picture.order.get(slot).copied().flatten().is_some();
    let response = present.then(|| {
        let response = ui.interact(rect, ui.scope_id().with(("topic", run, slot)), Sense::click());
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, name(view, (run, slot), shown)));
        if response.clicked() {
            seen.event = Some(Event::Topic(run, slot));
        }
        response
    });
    let chosen = view.chosen.is_some_and(|chosen| chosen.run == run && chosen.topic == Some(slot));
    let hovered = response.as_ref().is_some_and(Response::hovered);
    if chosen || hovered {
        let colour = if chosen { theme.accent } else { theme.edge };
        let width = if chosen { 1.5 * theme.thin() } else { 1.0 };
        ui.painter().rect_stroke(rect.shrink(1.0), theme.space(1.0), (width, colour), StrokeKind::Inside);
    }
    head(ui, view, (slot, shown), inner, label);
    (response, inner.with_min_y(inner.min.y + label))
}

/// The colour and the number of a topic, and its note at the right if there is space.
fn head(ui: &Ui, view: &View<'_>, (slot, shown): (usize, &Shown), inner: Rect, height: f32) {
    let theme = view.theme;
    let painter = ui.painter().with_clip_rect(inner.intersect(ui.clip_rect()));
    let middle = inner.top() + 0.5 * height;
    let (number, left) = number(ui, view, slot, inner.width());
    if left > 0.0 {
        let side = SQUARE * theme.text.small;
        let square = Rect::from_center_size(pos2(inner.left() + 0.5 * side, middle), vec2(side, side));
        painter.rect_filled(square, 1.0, theme.topic(slot));
    }
    let end = inner.left() + left + number.size().x;
    // The picture below has the colour of the topic, too: in a narrow cell the number goes first, beyond its margin if it must.
    let at = pos2(inner.left() + left, middle - 0.5 * number.size().y);
    ui.painter().galley(at, number, theme.ink);
    let Some(note) = note(view, slot, shown) else { return };
    let galley = painter.layout_no_wrap(note, theme.small(), theme.soft);
    let left = inner.right() - galley.size().x;
    if left > end + theme.space(1.0) {
        painter.galley(pos2(left, middle - 0.5 * galley.size().y), galley, theme.soft);
    }
}

/// The number of a topic, and where it begins in a head of some width: behind the square of its colour if both have space.
fn number(ui: &Ui, view: &View<'_>, slot: usize, width: f32) -> (Arc<Galley>, f32) {
    let theme = view.theme;
    let number = ui.painter().layout_no_wrap((slot + 1).to_string(), theme.small(), theme.ink);
    let behind = SQUARE * theme.text.small + theme.space(1.0);
    let available = width - number.size().x;
    let left = if behind <= available { behind } else { 0.0 };
    (number, left)
}

/// Whether some head has space for the distance of its topic in cells of some width.
pub(super) fn has_note(ui: &Ui, view: &View<'_>, shown: &Shown, width: f32) -> bool {
    let theme = view.theme;
    let (_, margin) = frame(view);
    let inner = width - 2.0 * margin;
    (0..shown.picture.order.len()).any(|slot| {
        let Some(note) = note(view, slot, shown) else { return false };
        let (number, left) = number(ui, view, slot, inner);
        let note = ui.painter().layout_no_wrap(note, theme.small(), theme.soft).size().x;
        inner - note > left + number.size().x + theme.space(1.0)
    })
}

/// The distance to the true topic, or the share of tokens.
fn note(view: &View<'_>, slot: usize, shown: &Shown) -> Option<String> {
    let known = shown.picture.distances.as_ref().filter(|_| view.input.truth);
    let distance = known.and_then(|all| all.get(slot));
    if distance.is_some() && !view.distances {
        return None;
    }
    if let Some(distance) = distance {
        return Some(format!("H {}", numbers::decimal(*distance, 2)));
    }
    let share = shown.picture.prevalence.as_ref()?.get(slot)?;
    Some(numbers::percent(*share))
}

/// A topic in words, for screen readers.
fn name(view: &View<'_>, (run, slot): (usize, usize), shown: &Shown) -> String {
    let first = shown.picture.words.get(slot).into_iter().flatten().take(3);
    let words = first.map(|word| view.word(*word)).collect::<Vec<_>>().join(", ");
    format!("Topic {} of {}: {words}", slot + 1, view.run_name(run))
}

/// The probability of a word in the topic at a slot, with what it is compared with.
pub(super) fn reading(view: &View<'_>, (word, slot): (u32, usize), shown: &Shown) -> String {
    let index = word as usize;
    let number = |value: f64| numbers::significant(value, 3);
    let mean = shown.picture.mean.get(slot, index);
    let sd = shown
        .spread()
        .map_or_else(String::new, |spread| format!(" ± {}", numbers::significant(spread.sd.get(slot, index), 2)));
    let mut lines = vec![format!("{} in topic {}: {}{sd}", view.word(word), slot + 1, number(mean))];
    if let Some(spread) = shown.spread().filter(|spread| spread.draws.is_some()) {
        lines.push(format!("mean over draws {}", number(spread.mean.get(slot, index))));
    }
    if let Some(truth) = view.truth().filter(|truth| slot < truth.count()) {
        lines.push(format!("true topic {}", number(truth.get(slot, index))));
    }
    if let Some(prevalence) = &shown.picture.prevalence {
        let of = |slot: usize| prevalence[slot] * shown.picture.mean.get(slot, index);
        let all: f64 = (0..prevalence.len()).map(of).sum();
        lines.push(format!("{} of its tokens", numbers::percent(of(slot) / all.max(f64::MIN_POSITIVE))));
    }
    lines.push(format!("{} times in the corpus", numbers::count(whole(view.facts.counts[index]))));
    lines.join("\n")
}

#[expect(clippy::cast_sign_loss, reason = "a count")]
fn whole(count: f64) -> u64 {
    count as u64
}

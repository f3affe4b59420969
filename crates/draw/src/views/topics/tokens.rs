//! A document: its shares of topics, and its tokens in their order, each with a bar of the topics that it comes from.

use egui::{Painter, Rect, Sense, Ui, pos2, vec2};

use super::cache::{Kind, Shown};
use super::geometry::TokenTopics;
use super::heading::heading;
use super::pixels;
use super::seen::Seen;
use super::view::View;
use crate::kit::overlay_label;
use crate::words::numbers;

/// Topics of a document that are named, and the least share of one.
const NAMED: usize = 6;
const LEAST: f64 = 0.02;

/// Height of a line, of the bar of all shares, and of the bar below a token, in sizes of small text.
const LINE: f32 = 2.0;
const SHARES: f32 = 1.2;
const BAR: f32 = 0.3;

/// Tokens that are shown, at most.
const MOST: usize = 1500;

/// Side of the picture of a document of pixels, in sizes of body text.
const PICTURE: f32 = 7.0;

/// Shows a document.
pub(super) fn show(
    ui: &mut Ui,
    view: &View<'_>,
    (shown, document): (&Shown, usize),
    read: &TokenTopics,
    seen: &mut Seen,
) {
    let theme = view.theme;
    let by_slot = |topics: &[f64]| -> Vec<f64> {
        let of = |topic: &Option<usize>| topic.and_then(|topic| topics.get(topic)).copied().unwrap_or(0.0);
        shown.picture.order.iter().map(of).collect()
    };
    let (tokens, left_out) = (read.tokens.len() as u64, view.model.corpus.training.left_out(document));
    let of = if left_out == 0 {
        format!("{} tokens", numbers::count(tokens))
    } else {
        format!("{} of {} words", numbers::count(tokens), numbers::count(tokens + u64::from(left_out)))
    };
    heading(ui, view, &format!("{of}. Shares of topics:"));
    let shares = by_slot(&read.shares);
    let size = vec2(ui.available_width(), SHARES * theme.text.small);
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    stacked(ui.painter(), view, &shares, rect);
    named(ui, view, &shares);
    if let Kind::Bars(side) = view.facts.kind {
        ui.add_space(theme.space(1.0));
        let length = PICTURE * theme.text.body;
        let (rect, _) = ui.allocate_exact_size(vec2(length, length), Sense::hover());
        let bag = view.model.corpus.training.bag(document);
        let mut levels = vec![0.0; side * side];
        let largest = bag.counts.iter().copied().fold(1.0, f64::max);
        for (word, count) in bag.words.iter().zip(bag.counts) {
            levels[*word as usize] = count / largest;
        }
        ui.painter()
            .add(egui::Shape::mesh(pixels::shades((theme.paper, theme.soft), (rect, side), |pixel| levels[pixel])));
        ui.painter().rect_stroke(rect, 0.0, (1.0, theme.edge), egui::StrokeKind::Outside);
    }
    ui.add_space(theme.space(2.0));
    heading(ui, view, "Tokens in their order, with the probabilities φ of their topics:");
    let shown: Vec<(u32, Vec<f64>)> = read.tokens.iter().take(MOST).map(|(word, phi)| (*word, by_slot(phi))).collect();
    flow(ui, view, &shown, seen);
    if read.tokens.len() > MOST {
        ui.weak(format!("The first {} tokens", numbers::count(MOST as u64)));
    }
}

/// The largest shares with the numbers of their topics.
fn named(ui: &mut Ui, view: &View<'_>, shares: &[f64]) {
    let mut slots: Vec<usize> = (0..shares.len()).filter(|slot| shares[*slot] >= LEAST).collect();
    slots.sort_by(|a, b| shares[*b].total_cmp(&shares[*a]));
    let (theme, available) = (view.theme, ui.available_width());
    let (side, row) = (0.75 * theme.text.body, 1.4 * theme.text.body);
    let mut at = vec2(0.0, 0.0);
    let mut entries = Vec::new();
    for slot in slots.into_iter().take(NAMED) {
        let text = format!("{}: {}", slot + 1, numbers::percent(shares[slot]));
        let galley = ui.painter().layout_no_wrap(text, theme.body(), theme.ink);
        let width = side + theme.space(1.0) + galley.size().x;
        if at.x > 0.0 && at.x + width > available {
            at = vec2(0.0, at.y + row);
        }
        entries.push((at, galley, slot));
        at.x += width + theme.space(3.0);
    }
    let (rect, _) = ui.allocate_exact_size(vec2(available, at.y + row), Sense::hover());
    for (offset, galley, slot) in entries {
        let corner = rect.min + offset;
        let square = Rect::from_min_size(corner + vec2(0.0, 0.5 * (galley.size().y - side)), vec2(side, side));
        ui.painter().rect_filled(square, 1.0, theme.topic(slot));
        ui.painter().galley(corner + vec2(side + theme.space(1.0), 0.0), galley, theme.ink);
    }
}

/// Parts of a bar as long as the shares of topics.
fn stacked(painter: &Painter, view: &View<'_>, shares: &[f64], rect: Rect) {
    let mut from = rect.left();
    for (slot, share) in shares.iter().enumerate() {
        let to = from + *share as f32 * rect.width();
        painter.rect_filled(Rect::from_x_y_ranges(from..=to, rect.y_range()), 0.0, view.theme.topic(slot));
        from = to;
    }
}

/// Tokens in lines, each with the number of its likeliest topic and a bar of all.
fn flow(ui: &mut Ui, view: &View<'_>, tokens: &[(u32, Vec<f64>)], seen: &mut Seen) {
    let theme = view.theme;
    let (line, gap) = (LINE * theme.text.small, theme.space(1.5));
    let width = ui.available_width();
    let mut at = vec2(0.0, 0.0);
    let mut laid = Vec::with_capacity(tokens.len());
    for (word, phi) in tokens {
        let likeliest = (0..phi.len()).max_by(|a, b| phi[*a].total_cmp(&phi[*b])).unwrap_or(0);
        let text = format!("{}{}", view.word(*word), lowered(likeliest + 1));
        let galley = ui.painter().layout_no_wrap(text, theme.body(), theme.ink);
        let length = galley.size().x;
        if at.x > 0.0 && at.x + length > width {
            at = vec2(0.0, at.y + line);
        }
        laid.push((at, galley, *word, phi));
        at.x += length + gap;
    }
    let (rect, response) = ui.allocate_exact_size(vec2(width, at.y + line), Sense::hover());
    let painter = ui.painter().with_clip_rect(ui.clip_rect());
    let mut pointed = None;
    for (offset, galley, word, phi) in laid {
        let corner = rect.min + offset;
        let bottom = corner.y + galley.size().y;
        let token = Rect::from_min_max(corner, pos2(corner.x + galley.size().x, bottom + BAR * theme.text.small));
        if !painter.clip_rect().intersects(token) {
            continue;
        }
        if view.lit == Some(word) {
            painter.rect_filled(token.expand(1.0), 2.0, theme.accent.gamma_multiply(0.22));
        }
        painter.galley(corner, galley, theme.ink);
        stacked(&painter, view, phi, token.with_min_y(bottom));
        pointed = response.hover_pos().filter(|at| token.contains(*at)).map(|at| (at, word, phi)).or(pointed);
    }
    if let Some((at, word, phi)) = pointed {
        seen.word = Some(word);
        let mut order: Vec<usize> = (0..phi.len()).filter(|slot| phi[*slot] >= LEAST).collect();
        order.sort_by(|a, b| phi[*b].total_cmp(&phi[*a]));
        let parts =
            order.into_iter().take(NAMED).map(|slot| format!("topic {} {}", slot + 1, numbers::percent(phi[slot])));
        let text = format!("{}\n{}", view.word(word), parts.collect::<Vec<_>>().join("\n"));
        overlay_label::at_pointer(ui, theme, ui.clip_rect(), at, &text);
    }
}

/// A number in lowered digits.
fn lowered(number: usize) -> String {
    const DIGITS: [char; 10] = ['₀', '₁', '₂', '₃', '₄', '₅', '₆', '₇', '₈', '₉'];
    number.to_string().bytes().filter_map(|digit| DIGITS.get(usize::from(digit.wrapping_sub(b'0')))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_lowered_digit_by_digit() {
        assert_eq!((lowered(7).as_str(), lowered(10).as_str(), lowered(293).as_str()), ("₇", "₁₀", "₂₉₃"));
    }
}

//! What is chosen to be read: a topic with its words and its documents, or a document with its shares and tokens.

use std::sync::Arc;

use egui::{Button, Label, Layout, RichText, ScrollArea, Sense, Ui, vec2};

use super::cache::{Chosen, Shown, TopicsCache};
use super::geometry::DocumentShares;
use super::heading::heading;
use super::seen::{Event, Seen};
use super::tokens;
use super::view::View;
use crate::words::numbers;

/// Words and documents in the lists.
const WORDS: usize = 10;
const DOCUMENTS: usize = 40;

/// Height of a line of a list, in sizes of body text.
const ROW: f32 = 1.4;

/// Text while something is computed.
const COMPUTING: &str = "being computed";

/// Shows what is chosen in the space there is.
pub(super) fn show(
    ui: &mut Ui,
    view: &View<'_>,
    (chosen, shown): (Chosen, Option<&Shown>),
    cache: &mut TopicsCache,
    seen: &mut Seen,
) {
    let theme = view.theme;
    ui.horizontal(|ui| {
        let back = chosen.document.and(chosen.topic);
        if let Some(slot) = back {
            let words = format!("◀ Topic {}", slot + 1);
            if ui.add(Button::new(words).small()).on_hover_text("Back to the topic").clicked() {
                seen.event = Some(Event::Back);
            }
        }
        let title = match (chosen.document, chosen.topic) {
            (Some(document), _) => view.document(document),
            (None, Some(slot)) => format!("Topic {} of {}", slot + 1, view.run_name(chosen.run)),
            (None, None) => String::new(),
        };
        ui.with_layout(Layout::right_to_left(egui::Align::Center), |ui| {
            let close = ui.add(Button::new("✕").small()).on_hover_text("Close");
            close.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, "Close"));
            if close.clicked() {
                seen.event = Some(Event::Close);
            }
            ui.with_layout(Layout::left_to_right(egui::Align::Center), |ui| {
                if let (None, Some(slot)) = (chosen.document, chosen.topic) {
                    mark(ui, view, slot);
                }
                ui.add(Label::new(RichText::new(title).font(theme.heading()).color(theme.ink)).truncate());
            });
        });
    });
    ui.add_space(theme.space(1.0));
    let Some(shown) = shown else { return };
    let id = (chosen.run, chosen.topic, chosen.document);
    ScrollArea::vertical().id_salt(id).auto_shrink(false).show(ui, |ui| {
        ui.set_max_width(ui.available_width() - ui.spacing().scroll.bar_width);
        match (chosen.document, chosen.topic) {
            (Some(document), _) => match cache.tokens(ui.ctx(), view.input, (shown, document)) {
                Some(read) => tokens::show(ui, view, (shown, document), &read, seen),
                None => drop(ui.weak(COMPUTING)),
            },
            (None, Some(slot)) => topic(ui, view, (chosen.run, slot), shown, cache, seen),
            (None, None) => {}
        }
    });
}

/// The words and the documents of a topic.
fn topic(
    ui: &mut Ui,
    view: &View<'_>,
    (run, slot): (usize, usize),
    shown: &Shown,
    cache: &mut TopicsCache,
    seen: &mut Seen,
) {
    let theme = view.theme;
    ui.spacing_mut().item_spacing.y = theme.space(0.25);
    ui.spacing_mut().interact_size.y = ROW * theme.text.body;
    ui.spacing_mut().button_padding.y = 0.0;
    heading(ui, view, "Words");
    for word in shown.picture.words.get(slot).into_iter().flatten().take(WORDS) {
        let (index, lit) = (*word as usize, view.lit == Some(*word));
        let mean = numbers::significant(shown.picture.mean.get(slot, index), 3);
        let sd = shown
            .spread()
            .map_or_else(String::new, |spread| format!(" ± {}", numbers::significant(spread.sd.get(slot, index), 2)));
        let entry = line(ui, view, lit, view.word(*word), &format!("{mean}{sd}"));
        if entry.hovered() || entry.has_focus() {
            seen.word = Some(*word);
        }
        if entry.clicked() {
            seen.event = Some(Event::Word(*word));
        }
    }
    ui.add_space(theme.space(2.0));
    heading(ui, view, "Documents by their share of the topic");
    let shares = cache.shares(ui.ctx(), view.input, shown);
    let topic = shown.picture.order.get(slot).copied().flatten();
    let Some((shares, topic)) = shares.zip(topic) else {
        ui.weak(COMPUTING);
        return;
    };
    documents(ui, view, (run, topic), &shares, seen);
}

fn documents(
    ui: &mut Ui,
    view: &View<'_>,
    (run, topic): (usize, usize),
    shares: &Arc<DocumentShares>,
    seen: &mut Seen,
) {
    for document in shares.largest(topic, DOCUMENTS) {
        let share = numbers::percent(shares.of(document)[topic]);
        if line(ui, view, false, &view.document(document), &share).clicked() {
            seen.event = Some(Event::Document(run, document));
        }
    }
    let (shown, all) = (shares.len(), view.model.corpus.training.len());
    if shown < all {
        ui.weak(format!("Of the first {} of {} documents", numbers::count(shown as u64), numbers::count(all as u64)));
    }
}

/// A line of a list: a button with a name, and a number at its right end.
fn line(ui: &mut Ui, view: &View<'_>, lit: bool, name: &str, number: &str) -> egui::Response {
    let theme = view.theme;
    let number = RichText::new(number).font(theme.small()).color(theme.soft);
    let button = Button::selectable(lit, name).truncate().right_text(number).min_size(vec2(ui.available_width(), 0.0));
    ui.add(button)
}

/// The colour of a topic, as large as text.
pub(super) fn mark(ui: &mut Ui, view: &View<'_>, slot: usize) {
    let side = 0.75 * view.theme.text.body;
    let (rect, _) = ui.allocate_exact_size(vec2(side, side), Sense::hover());
    ui.painter().rect_filled(rect, 1.0, view.theme.topic(slot));
}

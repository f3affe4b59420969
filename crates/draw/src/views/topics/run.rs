//! The topics of one run: its header, and the pictures of its topics.

use egui::{Align2, Sense, Ui, Vec2, vec2};

use super::cache::{Kind, Shown};
use super::seen::Seen;
use super::view::View;
use super::{cell, pixels, triangle, words};
use crate::kit::overlay_label::OverlayLabel;
use crate::kit::run_header;
use crate::words::numbers;
use engine::session::RunFrame;

/// Height of the header of a run, in sizes of its text.
pub(super) const HEADER: f32 = 1.6;

/// Text before the first picture of a run.
const BEFORE: &str = "The topics are being drawn";

/// Text of a run whose topics are not kept.
const NONE: &str = "This run has no topics";

/// Draws the topics of a run into the available space.
pub(super) fn show(ui: &mut Ui, view: &View<'_>, (run, shown): (usize, Option<&Shown>), seen: &mut Seen) {
    let View { input, theme, facts, .. } = view;
    let notes = shown.map(|shown| notes(view, run, shown)).unwrap_or_default();
    run_header::line(ui, input.frame, &[run], theme, &theme.heading(), &notes);
    ui.add_space(theme.space(1.0));
    let Some(shown) = shown else {
        let (rect, _) = ui.allocate_exact_size(ui.available_size(), Sense::hover());
        let any = input.frame.runs.get(run).is_some_and(|run| !run.topics.is_empty());
        let (text, font, colour, at) = (if any { BEFORE } else { NONE }, theme.body(), theme.soft, rect.center());
        OverlayLabel { text, font, colour, at, align: Align2::CENTER_CENTER }.paint(ui, theme, rect);
        return;
    };
    match facts.kind {
        Kind::Bars(side) => pixels::show(ui, view, (run, shown), side, seen),
        Kind::Words => words::show(ui, view, (run, shown), seen),
        Kind::Triangle => triangle::show(ui, view, (run, shown), seen),
    }
}

/// What the header says; the last parts stay longest where there is little space.
fn notes(view: &View<'_>, run: usize, shown: &Shown) -> Vec<String> {
    let Some(frame) = view.input.frame.runs.get(run) else { return Vec::new() };
    let mut notes = Vec::new();
    let sd = shown.spread().map(|spread| match spread.draws {
        Some(draws) if view.input.aligned => format!("sd over {} aligned draws", numbers::count(draws as u64)),
        Some(draws) => format!("sd over {} draws, labels not aligned", numbers::count(draws as u64)),
        None => "sd of Dirichlet(λ)".to_owned(),
    });
    notes.extend(sd);
    notes.push(format!("{} documents seen", numbers::count(shown.topics.documents)));
    notes.extend(chain(frame, view.input.chain));
    notes.extend(measures(view, shown));
    notes
}

/// Which chain is shown, of several.
fn chain(frame: &RunFrame, chosen: usize) -> Option<String> {
    let chains = frame.topics.last()?.chains.len();
    (chains > 1).then(|| format!("chain {} of {chains}", chosen.min(chains - 1) + 1))
}

/// Whether distances have space above the topics of a run in an area of some size, or in its header.
pub(super) fn has_distances(ui: &Ui, view: &View<'_>, (run, shown): (usize, &Shown), size: Vec2) -> bool {
    let theme = view.theme;
    let count = shown.picture.order.len();
    let below = vec2(size.x, (size.y - HEADER * theme.text.heading).max(1.0));
    let (width, columns) = match view.facts.kind {
        Kind::Bars(_) => (size.x, pixels::arranged(view, count, below)),
        Kind::Words => (size.x, words::arranged(view, count, below)),
        Kind::Triangle => (triangle::width(below), triangle::arranged(view, count, below)),
    };
    let width = width / columns.max(1) as f32;
    let in_header = || {
        let notes = notes(view, run, shown);
        let from = notes.iter().position(|note| note.starts_with(MEAN)).unwrap_or(notes.len());
        let length = |text: &str, font| ui.painter().layout_no_wrap(text.to_owned(), font, theme.ink).size().x;
        let parts = notes[from..].iter().map(|note| length(note, theme.small()) + theme.space(3.0));
        let name = theme.text.body + theme.space(4.0) + length(view.run_name(run), theme.heading());
        from < notes.len() && name + parts.sum::<f32>() < size.x
    };
    cell::has_note(ui, view, shown, width) || in_header()
}

/// Before the mean of the distances.
const MEAN: &str = "mean H ";

/// The distance to the true topics and the bars found.
fn measures(view: &View<'_>, shown: &Shown) -> Vec<String> {
    let Some(truth) = view.truth() else { return Vec::new() };
    let mean = |distances: &Vec<f64>| distances.iter().sum::<f64>() / distances.len() as f64;
    let distances = shown.picture.distances.as_ref().filter(|_| view.distances);
    let distance = distances.map(|all| format!("{MEAN}{}", numbers::decimal(mean(all), 3)));
    let bars = shown.picture.bars.map(|bars| format!("{bars} of {} bars found", truth.count()));
    distance.into_iter().chain(bars).collect()
}

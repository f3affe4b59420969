//! The topics of one run: its header, and the pictures of its topics.

use egui::{Align2, Sense, Ui};

use crate::draw::numbers;
use crate::draw::plots::overlay_label::OverlayLabel;
use crate::draw::plots::run_header;
use crate::session::RunFrame;

use super::cache::{Kind, Shown};
use super::{Seen, View, pixels, triangle, words};

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

/// What the header says; the last parts stay longest where there is little room.
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

/// The distance to the true topics and the bars found.
fn measures(view: &View<'_>, shown: &Shown) -> Vec<String> {
    let Some(truth) = view.truth() else { return Vec::new() };
    let mean = |distances: &Vec<f64>| distances.iter().sum::<f64>() / distances.len() as f64;
    let distance = shown.picture.distances.as_ref().map(|all| format!("mean H {}", numbers::decimal(mean(all), 3)));
    let bars = shown.picture.bars.map(|bars| format!("{bars} of {} bars found", truth.count()));
    distance.into_iter().chain(bars).collect()
}

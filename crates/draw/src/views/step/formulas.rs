//! The formulas of a step: their terms in the colours of what is drawn of them, and what each symbol is.

use std::ops::Range;

use egui::text::LayoutJob;
use egui::{Color32, FontId, Label, Rect, RectAlign, Response, RichText, Sense, Tooltip, Ui};

use super::input::CHAIN;
use crate::geometry::{Part, Reveal, numbers_of, symbols_in};
use crate::kit::terms;
use crate::theme::Theme;
use engine::session::RunFrame;
use samplers::methods::{Algorithm, Phase, Symbol};

/// What is shown of the step of a run.
pub(super) struct Step<'a> {
    pub(super) theme: &'a Theme,
    pub(super) algorithm: &'static Algorithm,
    pub(super) run: &'a RunFrame,
    pub(super) reveal: Reveal,
    pub(super) dimension: usize,
    /// Whether another stage is shown than in the last frame.
    pub(super) moved: bool,
    /// The height that there is for all of it, in points.
    pub(super) height: f32,
    /// The phase under the pointer.
    pub(super) pointed: Option<Phase>,
}

impl Step<'_> {
    /// The formulas, with terms in the colours of what is drawn of them.
    pub(super) fn formulas(&mut self, ui: &mut Ui) {
        let theme = self.theme;
        let font = theme.heading();
        for pieces in &self.algorithm.formulas {
            ui.horizontal_wrapped(|ui| {
                ui.spacing_mut().item_spacing.x = 0.0;
                for piece in pieces {
                    let Some(phase) = piece.phase else {
                        self.between(ui, piece.text, &font);
                        continue;
                    };
                    let text = RichText::new(piece.text).font(font.clone());
                    let lit = self.reveal.lights(phase);
                    let text = text.color(self.colour(phase)).strong();
                    let text = if lit { text.background_color(lit_background(theme)).underline() } else { text };
                    let label = ui.add(Label::new(text).sense(Sense::hover()));
                    self.point(label.contains_pointer(), phase);
                    self.tip(ui, &label, label.rect).show(|ui| self.explain(ui, piece.text, phase));
                }
            });
        }
    }

    /// What is between terms: symbols that have a sentence say it.
    fn between(&mut self, ui: &mut Ui, text: &str, font: &FontId) {
        let theme = self.theme;
        let symbols = symbols_in(self.algorithm, text);
        let ranges: Vec<Range<usize>> = symbols.iter().map(|(range, _)| range.clone()).collect();
        let job = LayoutJob::simple(text.to_owned(), font.clone(), theme.ink, f32::INFINITY);
        let (label, found) = terms::parts(ui, theme.ink, job, &ranges);
        if let Some((number, rect)) = found
            && let Some((_, symbol)) = symbols.get(number)
        {
            if let Some(phase) = symbol.phase {
                self.point(true, phase);
            }
            self.tip(ui, &label, rect).show(|ui| {
                ui.label(sentence(symbol));
            });
        }
    }

    /// Where what a part of a formula is stands: beside the formulas, so that all of them can be read.
    fn tip<'b>(&self, ui: &Ui, label: &'b Response, part: Rect) -> Tooltip<'b> {
        let mut tip = Tooltip::for_enabled(label);
        let anchor = Rect::from_x_y_ranges(ui.max_rect().x_range(), part.y_range());
        tip.popup = tip.popup.anchor(anchor).align(RectAlign::LEFT).gap(self.theme.space(1.0));
        tip
    }

    pub(super) fn numbers(&self, phase: Phase) -> Option<String> {
        numbers_of(self.algorithm, (self.run, CHAIN, self.dimension), phase)
    }

    /// What a term is: its symbols in plain words, and its present numbers.
    fn explain(&self, ui: &mut Ui, term: &str, phase: Phase) {
        for symbol in self.algorithm.symbols.iter().filter(|symbol| term.contains(symbol.name)) {
            ui.label(sentence(symbol));
        }
        if let Some(numbers) = self.numbers(phase).filter(|_| self.reveal.shows(phase)) {
            ui.label(RichText::new(numbers).color(self.theme.soft));
        }
    }

    /// The colour of what is drawn of a phase. A proposal has none before it is decided.
    pub(super) fn colour(&self, phase: Phase) -> Color32 {
        let theme = self.theme;
        let record = self.run.records.get(CHAIN);
        let proposal = record.and_then(|record| record.proposal);
        if record.is_some_and(|record| record.moved_by == Some(phase)) {
            return theme.part(Part::Drift);
        }
        match phase {
            Phase::Gradient => theme.part(Part::Drift),
            Phase::Noise => theme.part(Part::InjectedNoise),
            Phase::Carried => theme.part(Part::Carried),
            Phase::Proposal | Phase::Ratio | Phase::Decision if !self.reveal.shows(Phase::Decision) => theme.ink,
            Phase::Proposal | Phase::Ratio | Phase::Decision => match proposal {
                Some(proposal) if !proposal.accepted => theme.error,
                _ => theme.accepted,
            },
            Phase::Estimate | Phase::Fit => theme.accent,
            Phase::Position | Phase::Data | Phase::Path | Phase::Exchange | Phase::Adapt | Phase::Move => theme.ink,
        }
    }

    pub(super) fn point(&mut self, at: bool, phase: Phase) {
        if at {
            self.pointed = Some(phase);
        }
    }
}

/// A symbol with what it is.
fn sentence(symbol: &Symbol) -> String {
    format!("{}: {}", symbol.name, symbol.words)
}

/// Behind what is lit.
pub(super) fn lit_background(theme: &Theme) -> Color32 {
    theme.accent.gamma_multiply(0.16)
}

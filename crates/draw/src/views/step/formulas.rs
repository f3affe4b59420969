//! The formulas of a step: their terms in the colours of what is drawn of them, and what each symbol is.

use std::ops::Range;

use egui::text::LayoutJob;
use egui::{Color32, FontId, Label, Rect, RectAlign, Response, RichText, Sense, Tooltip, Ui, Vec2};

use super::input::CHAIN;
use crate::geometry::{Part, Reveal, numbers_of, symbols_in};
use crate::kit::terms;
use crate::theme::Theme;
use engine::session::RunFrame;
use samplers::methods::{Algorithm, Phase, Piece, Symbol};

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
    /// The formulas, with terms in the colours of what is drawn of them. Rows have one baseline, and no term is broken.
    pub(super) fn formulas(&mut self, ui: &mut Ui) {
        let theme = self.theme;
        let font = theme.heading();
        for pieces in &self.algorithm.formulas {
            ui.vertical(|ui| {
                ui.spacing_mut().item_spacing = Vec2::ZERO;
                ui.spacing_mut().interact_size.y = 0.0;
                for row in rows(ui, pieces, &font, ui.available_width()) {
                    ui.horizontal(|ui| {
                        for (text, phase) in row {
                            match phase {
                                Some(phase) => self.term(ui, (text, phase), &font),
                                None => self.between(ui, text, &font),
                            }
                        }
                    });
                }
            });
        }
    }

    /// A term, which says what it is.
    fn term(&mut self, ui: &mut Ui, (text, phase): (&str, Phase), font: &FontId) {
        let lit = self.reveal.lights(phase);
        let term = RichText::new(text).font(font.clone()).color(self.colour(phase)).strong();
        let term = if lit { term.background_color(lit_background(self.theme)).underline() } else { term };
        let label = ui.add(Label::new(term).extend().sense(Sense::hover()));
        self.point(label.contains_pointer(), phase);
        self.tip(ui, &label, label.rect).show(|ui| self.explain(ui, text, phase));
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

/// A row of a formula: texts with the phases of those that are terms.
type Row<'a> = Vec<(&'a str, Option<Phase>)>;

/// A formula in rows. They end at spaces between terms; what a comma or a bracket holds to a term
/// stays with it.
pub(super) fn rows<'a>(ui: &Ui, pieces: &'a [Piece], font: &FontId, width: f32) -> Vec<Row<'a>> {
    let wide = |text: &str| ui.painter().layout_no_wrap(text.to_owned(), font.clone(), Color32::BLACK).size().x;
    in_rows(pieces, width, wide)
}

/// A part of a piece of a formula: the number of the piece, and where it is in its text.
type Fragment = (usize, Range<usize>);

fn in_rows<'a>(pieces: &'a [Piece], width: f32, wide: impl Fn(&str) -> f32) -> Vec<Row<'a>> {
    let (mut rows, mut used): (Vec<Vec<Fragment>>, f32) = (vec![Vec::new()], 0.0);
    for word in words(pieces) {
        let text: String = word.iter().map(|(piece, part)| &pieces[*piece].text[part.clone()]).collect();
        if used > 0.0 && used + wide(text.trim_end()) > width {
            rows.push(Vec::new());
            used = 0.0;
        }
        used += wide(&text);
        let row = rows.last_mut().into_iter();
        row.for_each(|row| word.iter().cloned().for_each(|fragment| join(row, fragment)));
    }
    let told = |(piece, part): Fragment| (&pieces[piece].text[part], pieces[piece].phase);
    rows.into_iter().map(|row| row.into_iter().map(told).collect()).collect()
}

/// Adds a fragment to a row; what goes on in the same piece is one with what is there.
fn join(row: &mut Vec<Fragment>, (piece, part): Fragment) {
    match row.last_mut() {
        Some((last, before)) if *last == piece && before.end == part.start => before.end = part.end,
        _ => row.push((piece, part)),
    }
}

/// What stays together: from one space between terms to the next.
fn words(pieces: &[Piece]) -> Vec<Vec<Fragment>> {
    let (mut words, mut word) = (Vec::new(), Vec::new());
    for (number, piece) in pieces.iter().enumerate() {
        if piece.phase.is_some() {
            word.push((number, 0..piece.text.len()));
            continue;
        }
        let mut from = 0;
        for part in piece.text.split_inclusive(' ') {
            word.push((number, from..from + part.len()));
            from += part.len();
            let opens = part.trim_end().ends_with('(');
            let closes = piece.text[from..].starts_with([')', ',', '.']);
            if part.ends_with(' ') && !opens && !closes {
                words.push(std::mem::take(&mut word));
            }
        }
    }
    words.push(word);
    words.retain(|word| !word.is_empty());
    words
}

/// A symbol with what it is.
fn sentence(symbol: &Symbol) -> String {
    format!("{}: {}", symbol.name, symbol.words)
}

/// Behind what is lit.
pub(super) fn lit_background(theme: &Theme) -> Color32 {
    theme.accent.gamma_multiply(0.16)
}

#[cfg(test)]
mod tests {
    use super::*;
    use samplers::methods::{METHODS, algorithm};

    /// Whatever the width, rows end at spaces between terms, none begins with a comma or a space, and nothing is lost.
    #[test]
    fn formulas_break_between_terms_only() {
        let wide = |text: &str| text.chars().count() as f32;
        for pieces in METHODS.iter().flat_map(|method| &algorithm(method).formulas) {
            let whole: String = pieces.iter().map(|piece| piece.text).collect();
            let terms: Vec<&str> =
                pieces.iter().filter(|piece| piece.phase.is_some()).map(|piece| piece.text).collect();
            for width in [5.0, 15.0, 25.0, 200.0] {
                let rows = in_rows(pieces, width, wide);
                let texts: Vec<String> = rows.iter().map(|row| row.iter().map(|(text, _)| *text).collect()).collect();
                assert_eq!(texts.concat(), whole);
                let of_rows = rows.iter().flatten().filter(|(_, phase)| phase.is_some()).map(|(text, _)| *text);
                assert_eq!(of_rows.collect::<Vec<_>>(), terms, "{width}");
                assert!(!texts.iter().any(|row| row.starts_with([',', ')', '.'])), "{width}: {texts:?}");
                assert!(width < 200.0 || rows.len() == 1, "{texts:?}");
            }
        }
    }
}

//! Names of figures as they are set: raised, lowered and bold parts in the letters of the rest.

use std::sync::Arc;

use egui::text::{LayoutJob, TextFormat};
use egui::{Align, Color32, FontId, Galley, RichText, Ui, WidgetText};

use crate::theme::{Theme, strong_family};
use crate::words::markup::{self, Script};

/// The size of raised and lowered parts, in that of the others.
const SMALLER: f32 = 0.68;

/// Heights of the boxes of raised and lowered parts, in sizes of the others: parts are in the middle of their boxes, which are at the upper
/// or the lower edge of the line. So high, parts are 0.36 above and 0.16 below the line.
const RAISED: f32 = 0.66;
const LOWERED: f32 = 0.60;

/// Heights of the boxes of marks above high letters, in sizes of the letters that are not raised or lowered: in the middle of it, a mark is 0.2
/// of its own letters higher than above a low one.
const ABOVE: f32 = 0.8;
const ABOVE_RAISED: f32 = RAISED - 0.4 * SMALLER;
const ABOVE_LOWERED: f32 = LOWERED + 0.4 * SMALLER;

/// The name of a run in markup: that of the figure, or its own as it is.
pub fn name_of(theme: &Theme, run: usize, name: &str) -> String {
    theme.own_name(run).map_or_else(|| markup::escaped(name), str::to_owned)
}

/// The same without markup, for words.
pub fn plain_name_of(theme: &Theme, run: usize, name: &str) -> String {
    theme.own_name(run).map_or_else(|| name.to_owned(), markup::plain)
}

/// A name in a font and a colour.
pub fn text(name: &str, font: &FontId, colour: Color32) -> WidgetText {
    if let Some(plain) = only(name) {
        return RichText::new(plain).font(font.clone()).color(colour).into();
    }
    WidgetText::LayoutJob(Arc::new(job(name, font, colour)))
}

/// The same, laid out in one line.
pub fn galley(ui: &Ui, name: &str, font: &FontId, colour: Color32) -> Arc<Galley> {
    if let Some(plain) = only(name) {
        return ui.painter().layout_no_wrap(plain, font.clone(), colour);
    }
    ui.painter().layout_job(job(name, font, colour))
}

/// The text of a name that is set as any other.
fn only(name: &str) -> Option<String> {
    let parts = markup::parts(name);
    let usual = parts.iter().all(|part| part.script == Script::Line && !part.bold && pieces(&part.text).len() < 2);
    usual.then(|| parts.into_iter().map(|part| part.text).collect())
}

fn job(name: &str, font: &FontId, colour: Color32) -> LayoutJob {
    let mut job = LayoutJob::default();
    for part in markup::parts(name) {
        let family = if part.bold { strong_family() } else { font.family.clone() };
        let size = if part.script == Script::Line { font.size } else { SMALLER * font.size };
        let usual = TextFormat::simple(FontId::new(size, family), colour);
        let format = match part.script {
            Script::Line => usual,
            Script::Raised => TextFormat { line_height: Some(RAISED * font.size), valign: Align::TOP, ..usual },
            Script::Lowered => TextFormat { line_height: Some(LOWERED * font.size), valign: Align::BOTTOM, ..usual },
        };
        for piece in pieces(&part.text) {
            let (above, valign) = match part.script {
                Script::Line => (ABOVE, Align::TOP),
                Script::Raised => (ABOVE_RAISED, Align::TOP),
                Script::Lowered => (ABOVE_LOWERED, Align::BOTTOM),
            };
            let format = if piece.starts_with(is_mark) {
                TextFormat { line_height: Some(above * font.size), valign, ..format.clone() }
            } else {
                format.clone()
            };
            job.append(piece, 0.0, format);
        }
    }
    job
}

/// Whether a character stands above the letter before it.
fn is_mark(letter: char) -> bool {
    ('\u{300}'..='\u{36f}').contains(&letter)
}

/// A text in pieces: marks above high letters, which they would cross, are pieces of their own.
fn pieces(text: &str) -> Vec<&str> {
    let high = |letter: char| letter.is_uppercase() || letter.is_numeric() || "bdfhkltβδζθλξϑ".contains(letter);
    let (mut pieces, mut from, mut before) = (Vec::new(), 0, ' ');
    for (at, letter) in text.char_indices() {
        if is_mark(letter) && high(before) {
            pieces.extend([&text[from..at], &text[at..at + letter.len_utf8()]]);
            from = at + letter.len_utf8();
        }
        before = letter;
    }
    pieces.push(&text[from..]);
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Raised parts are above the others and lowered ones below, both smaller, and none makes the line higher.
    #[test]
    fn parts_are_raised_and_lowered() {
        let mut rows = Vec::new();
        let draw = |ui: &mut Ui| {
            let font = FontId::proportional(20.0);
            rows = ["x", "x^2_{i}"].map(|name| galley(ui, name, &font, Color32::BLACK)).to_vec();
        };
        let size = figure::FigureSize::new(100, 60, 1.0).unwrap();
        figure::lay_out(size, crate::theme::install_fonts, draw).unwrap();
        let glyphs = &rows[1].rows[0].glyphs;
        let base = glyphs[0].pos.y;
        let (up, down) = (base - glyphs[1].pos.y, glyphs[2].pos.y - base);
        assert!((5.0..9.0).contains(&up) && (1.5..5.0).contains(&down), "{up} up, {down} down");
        assert!((rows[0].size().y - rows[1].size().y).abs() < 0.5, "{:?} {:?}", rows[0].size(), rows[1].size());
    }

    /// Marks above high letters are above them, and no mark makes the line higher.
    #[test]
    fn marks_are_above_high_letters() {
        assert_eq!(pieces("aθ\u{304}b x\u{304}"), ["aθ", "\u{304}", "b x\u{304}"]);
        let mut rows = Vec::new();
        let draw = |ui: &mut Ui| {
            let font = FontId::proportional(20.0);
            let names = ["x", r"\bar{\theta}", r"\bar{x}", r"x^{\bar{\theta}}", r"x_{\bar{\theta}}"];
            rows = names.map(|name| galley(ui, name, &font, Color32::BLACK)).to_vec();
        };
        let size = figure::FigureSize::new(100, 60, 1.0).unwrap();
        figure::lay_out(size, crate::theme::install_fonts, draw).unwrap();
        let glyphs = &rows[1].rows[0].glyphs;
        let up = glyphs[0].pos.y - glyphs[1].pos.y;
        assert!((2.0..7.0).contains(&up), "{up} up");
        assert!((rows[0].size().y - rows[1].size().y).abs() < 0.5, "{:?} {:?}", rows[0].size(), rows[1].size());
        assert!((rows[1].size().x - rows[0].size().x).abs() < 4.0, "a mark takes no width: {:?}", rows[1].size());
        for row in &rows[3..] {
            let glyphs = &row.rows[0].glyphs;
            let up = glyphs[1].pos.y - glyphs[2].pos.y;
            assert!((1.4..5.0).contains(&up), "{up} up in a script");
            assert!((rows[0].size().y - row.size().y).abs() < 0.5, "{:?} {:?}", rows[0].size(), row.size());
        }
    }

    /// Other programs get a name as one text, in letters of any size.
    #[test]
    fn what_hangs_on_a_letter_is_one_label_with_it() {
        for points in [7.0, 10.0, 14.0, 40.0] {
            let draw = |ui: &mut Ui| {
                let name = galley(ui, r"\beta_{age}^2 = \theta_1", &FontId::proportional(points), Color32::BLACK);
                ui.painter().galley(egui::pos2(10.0, 20.0), name, Color32::BLACK);
            };
            let set_up = |context: &egui::Context| {
                crate::theme::install_fonts(context);
                figure::vector::ask_for_shapes(context);
            };
            let size = figure::FigureSize::new(600, 100, 1.0).unwrap();
            let page = figure::lay_out(size, set_up, draw).unwrap().page().unwrap();
            let drawn = page.drawn();
            let labels: Vec<&figure::vector::Label> = drawn
                .iter()
                .filter_map(|(_, _, drawn)| match drawn {
                    figure::vector::Drawn::Label(label) => Some(label),
                    figure::vector::Drawn::Mark(_) => None,
                })
                .collect();
            let [label] = labels[..] else { panic!("{points}: {labels:?}") };
            assert_eq!(label.text(), "β_age² = θ₁", "{points}");
            assert_eq!(label.mathtext(), r"$\beta_{\mathrm{age}}^2$ = $\theta_1$", "{points}");
        }
    }
}

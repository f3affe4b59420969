//! Rows of text as pieces with one font, one size and one colour.

use egui::emath::{GuiRounding, Rot2};
use egui::epaint::TextShape;
use egui::text::LayoutSection;
use egui::{Color32, Galley, Pos2};

use super::fonts::Faces;

/// Characters of a row that have font, size and colour in common.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// The characters.
    pub text: String,
    /// Where each character begins along the row, in points from `start`.
    pub advances: Vec<f32>,
    /// Where the first character begins on the baseline, in points.
    pub start: Pos2,
    /// Angle of the baseline in radians, clockwise.
    pub angle: f32,
    /// The number of the font in [`Faces`].
    pub face: usize,
    /// Size of the font in points.
    pub size: f32,
    /// Its colour.
    pub colour: Color32,
}

/// What the characters of a piece have in common.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Look {
    face: usize,
    size: f32,
    colour: Color32,
    /// Height of the baseline in the row.
    baseline: f32,
}

/// All pieces of a text, row by row.
pub(super) fn pieces(shape: &TextShape, pixels_per_point: f32, faces: &mut Faces) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut sections = Sections::of(&shape.galley);
    // Texts start at whole pixels, as egui draws them.
    let origin = shape.pos.round_to_pixels(pixels_per_point);
    let turn = Rot2::from_angle(shape.angle);
    for row in &shape.galley.rows {
        let mut before: Option<(Look, Piece)> = None;
        for glyph in &row.glyphs {
            let Some((chr, section)) = sections.next(glyph.chr) else { continue };
            let format = &section.format;
            let colour = shape.override_text_color.unwrap_or(match format.color {
                Color32::PLACEHOLDER => shape.fallback_color,
                colour => colour,
            });
            let look = Look {
                face: faces.face_of(&format.font_id.family, chr),
                size: format.font_id.size,
                colour: colour.gamma_multiply(shape.opacity_factor),
                baseline: glyph.pos.y,
            };
            let along = row.pos.x + glyph.pos.x;
            match &mut before {
                Some((known, piece)) if *known == look => {
                    piece.advances.push(along - piece.advances[0]);
                    piece.text.push(chr);
                }
                _ => {
                    pieces.extend(before.take().and_then(|(_, piece)| finished(piece)));
                    let start = origin + turn * egui::vec2(along, row.pos.y + glyph.pos.y);
                    let Look { face, size, colour, .. } = look;
                    // The first entry is the position in the text until the piece is finished.
                    let advances = vec![along];
                    before = Some((
                        look,
                        Piece { text: chr.to_string(), advances, start, angle: shape.angle, face, size, colour },
                    ));
                }
            }
        }
        pieces.extend(before.and_then(|(_, piece)| finished(piece)));
    }
    pieces
}

/// A piece with its advances from its start, if there is something to see.
fn finished(mut piece: Piece) -> Option<Piece> {
    piece.advances[0] = 0.0;
    let end = piece.text.trim_end().chars().count();
    piece.text = piece.text.trim_end().to_owned();
    piece.advances.truncate(end);
    (!piece.text.trim().is_empty() && piece.colour != Color32::TRANSPARENT).then_some(piece)
}

/// The characters of a text with their formats, in their order.
struct Sections<'a> {
    galley: &'a Galley,
    rest: std::str::CharIndices<'a>,
    section: usize,
    /// The character before `rest`.
    last: Option<char>,
}

impl<'a> Sections<'a> {
    fn of(galley: &'a Galley) -> Self {
        Self { galley, rest: galley.job.text.char_indices(), section: 0, last: None }
    }

    /// The next character that is laid out, and its format. Ends of lines are not laid out, and a mark in the place of text that is
    /// cut off has the format of the text before it. The glyph of a mark above or below a letter says that it is that letter.
    fn next(&mut self, glyph: char) -> Option<(char, &'a LayoutSection)> {
        let mut ahead = self.rest.clone();
        let mut found = ahead.by_ref().find(|(_, text)| *text != '\n' || glyph == '\n');
        let marks = |found: &Option<(usize, char)>| found.is_some_and(|(_, text)| is_mark(text));
        if self.last != Some(glyph) {
            // Letter and mark were one glyph.
            while marks(&found) && glyph != found.map_or(glyph, |(_, text)| text) {
                found = ahead.next();
            }
        }
        let mut chr = glyph;
        if let Some((byte, text)) = found
            && (text == glyph || is_mark(text))
        {
            (self.rest, chr, self.last) = (ahead, text, Some(if is_mark(text) { glyph } else { text }));
            let sections = &self.galley.job.sections;
            while sections.get(self.section + 1).is_some_and(|next| next.byte_range.start <= byte.into()) {
                self.section += 1;
            }
        }
        Some((chr, self.galley.job.sections.get(self.section)?))
    }
}

/// Whether a character is drawn above or below the one before it (Unicode, combining diacritical marks).
fn is_mark(chr: char) -> bool {
    ('\u{300}'..='\u{36f}').contains(&chr)
}

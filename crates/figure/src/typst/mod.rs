//! Typst: a page as a box of Typst's own curves, images and texts, without packages, for `#include` in a document, which sets the texts in its
//! own letters. Typst 0.13 and later reads it.
//!
//! A text is held where it belongs (see [`Label`]), and is smaller where letters of other widths would run over what stands beside it; signs of
//! formulas are formulas. Images, such as densities and clouds of very many draws, are
//! inside the file.

use std::fmt::Write;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use egui::{Color32, Pos2, Rect, Stroke};

use super::source::{Source, Written, add_comment, add_text, number};
use super::vector::{Drawn, Label, Mark, Outline, Page, Step, rooms};
use super::{Picture, Spoken, png};

/// What begins a comment.
pub const COMMENT: &str = "//";

/// Points of Typst per inch.
const UNITS_PER_INCH: f32 = 72.0;

/// What the file says before its box. Lengths are numbers of points. Formulas of texts see these names: none is that of a sign, as `dot` is.
const FUNCTIONS: &str = r#"  let pt(at) = at.map(x => x * 1pt)
  // A path: steps m(ove), l(ine), c(urve) with their numbers, z: back to the start.
  let path(fill, stroke, ..steps) = place(top + left, curve(fill: fill, stroke: stroke, ..steps.pos().map(step => {
    let (kind, ..at) = step
    let at = pt(at)
    if kind == "m" { curve.move((at.at(0), at.at(1))) }
    else if kind == "l" { curve.line((at.at(0), at.at(1))) }
    else if kind == "c" { curve.cubic((at.at(0), at.at(1)), (at.at(2), at.at(3)), (at.at(4), at.at(5))) }
    else { curve.close(mode: "straight") }
  })))
  let disc(x, y, r, fill, stroke) = place(top + left, dx: (x - r) * 1pt, dy: (y - r) * 1pt, circle(radius: r * 1pt, fill: fill, stroke: stroke))
  let picture(x, y, w, h, data) = place(top + left, dx: x * 1pt, dy: y * 1pt, image(
    bytes("<svg xmlns='http://www.w3.org/2000/svg' width='" + str(w) + "' height='" + str(h) + "'><image width='" + str(w) + "' height='" + str(h)
      + "' preserveAspectRatio='none' href='data:image/png;base64," + data + "'/></svg>"), format: "svg", width: w * 1pt, height: h * 1pt))
  // A text on the line through a point, of which it is held at a share of its length, which is at most so many points.
  let words(x, y, share, turn, most, ..parts) = context {
    let body = parts.pos().map(part => text(size: part.at(0) * 1pt, fill: part.at(1), weight: part.at(2), part.at(3))).join()
    // Words and formulas have their baseline at the same distance from the top.
    let above = 2pt * calc.max(..parts.pos().map(part => part.at(0)))
    let body = text(top-edge: above, bottom-edge: "baseline", body)
    let wide = measure(body).width
    let less = if wide > most * 1pt { most * 1pt / wide } else { 1 }
    place(top + left, dx: x * 1pt, dy: y * 1pt, rotate(turn, origin: top + left, move(dx: -share * less * wide, dy: -less * above,
      scale(less * 100%, origin: top + left, box(width: wide + 1pt, body)))))
  }
  let clipped(x, y, w, h, body) = place(top + left, dx: x * 1pt, dy: y * 1pt, box(width: w * 1pt, height: h * 1pt, clip: true,
    place(top + left, dx: -x * 1pt, dy: -y * 1pt, box(width: 0pt, height: 0pt, body))))
"#;

/// The file of a page with its words, and texts such as its scenario. `written` makes Typst of a text.
///
/// # Errors
/// If an image cannot be written.
pub fn encode(
    page: &Page,
    background: Option<Color32>,
    (stem, spoken): (&str, &Spoken<'_>),
    texts: &[(&str, &str)],
    written: Written<'_>,
) -> Result<Source, png::PngError> {
    let writer = Writer { written, scale: UNITS_PER_INCH / page.points_per_inch };
    let [width, height] = page.size.map(|points| number(points * writer.scale));
    let mut file = String::new();
    add_comment(&mut file, COMMENT, spoken.title);
    add_comment(&mut file, COMMENT, spoken.alt);
    add_comment(
        &mut file,
        COMMENT,
        &format!("Use: #figure(include \"{stem}.typ\", caption: […]). Letters are those of the document."),
    );
    file.push_str("#{\n");
    file.push_str(FUNCTIONS);
    let paper = background.map_or_else(|| "none".to_owned(), colour);
    writeln!(file, "  box(width: {width}pt, height: {height}pt, fill: {paper}, clip: true, {{").ok();
    file.push_str("    set par(leading: 0pt, spacing: 0pt, justify: false, first-line-indent: 0pt)\n");
    let whole = Rect::from_min_size(Pos2::ZERO, page.size.into());
    let mut open: Option<Rect> = None;
    let all = page.drawn();
    for ((clip, _, drawn), room) in all.iter().zip(rooms(page, &all)) {
        let clip = *clip;
        let clip = (!clip.contains_rect(whole)).then_some(clip);
        if clip != open {
            if open.is_some() {
                file.push_str("    })\n");
            }
            if let Some(clip) = clip {
                let [x, y] = writer.point(clip.min);
                let [width, height] = [clip.width(), clip.height()].map(|side| number(side.max(0.0) * writer.scale));
                writeln!(file, "    clipped({x}, {y}, {width}, {height}, {{").ok();
            }
            open = clip;
        }
        match drawn {
            Drawn::Mark(Mark::Path { outline, fill, stroke }) => writer.path(&mut file, outline, *fill, *stroke),
            Drawn::Mark(Mark::Image { rect, picture }) => writer.image(&mut file, *rect, picture)?,
            Drawn::Mark(Mark::Text(_)) => {}
            Drawn::Label(label) => writer.label(&mut file, label, room),
        }
    }
    if open.is_some() {
        file.push_str("    })\n");
    }
    file.push_str("  })\n}\n");
    texts.iter().for_each(|(name, text)| add_text(&mut file, (COMMENT, name, text)));
    Ok(Source { file: file.into_bytes(), beside: Vec::new() })
}

struct Writer<'a> {
    written: Written<'a>,
    /// Points of Typst per point.
    scale: f32,
}

impl Writer<'_> {
    fn point(&self, at: Pos2) -> [String; 2] {
        [at.x, at.y].map(|at| number(at * self.scale))
    }

    fn stroke(&self, stroke: Stroke) -> String {
        if stroke.is_empty() {
            return "none".to_owned();
        }
        let width = number(stroke.width * self.scale);
        format!("stroke(thickness: {width}pt, paint: {}, join: \"round\")", colour(stroke.color))
    }

    fn path(&self, file: &mut String, outline: &Outline, fill: Color32, stroke: Stroke) {
        let inside = if fill == Color32::TRANSPARENT { "none".to_owned() } else { colour(fill) };
        let stroke = self.stroke(stroke);
        match outline {
            Outline::Circle { centre, radius } => {
                let [x, y] = self.point(*centre);
                writeln!(file, "    disc({x}, {y}, {}, {inside}, {stroke})", number(radius * self.scale)).ok();
            }
            Outline::Steps(steps) => {
                write!(file, "    path({inside}, {stroke}").ok();
                for step in steps {
                    let (name, points): (char, &[Pos2]) = match step {
                        Step::Move(to) => ('m', &[*to]),
                        Step::Line(to) => ('l', &[*to]),
                        Step::Cubic(points) => ('c', points),
                        Step::Close => ('z', &[]),
                    };
                    let points: String =
                        points.iter().flat_map(|point| self.point(*point)).map(|at| format!(",{at}")).collect();
                    write!(file, ",(\"{name}\"{points}{})", if points.is_empty() { "," } else { "" }).ok();
                }
                file.push_str(")\n");
            }
        }
    }

    fn image(&self, file: &mut String, rect: Rect, picture: &Picture) -> Result<(), png::PngError> {
        let bytes = BASE64_STANDARD.encode(png::encode(picture, &[])?);
        let [x, y] = self.point(rect.min);
        let [width, height] = [rect.width(), rect.height()].map(|side| number(side * self.scale));
        writeln!(file, "    picture({x}, {y}, {width}, {height}, \"{bytes}\")").ok();
        Ok(())
    }

    fn label(&self, file: &mut String, label: &Label, room: f32) {
        let [x, y] = self.point(label.at(label.anchor));
        let turn = number(label.angle.to_degrees());
        write!(file, "    words({x}, {y}, {}, {turn}deg, {}", label.anchor, number(room * self.scale)).ok();
        let word = |letters: &str| format!("\"{}\"", letters.replace(['\\', '"'], ""));
        // Typst chooses the size of letters that hang on others.
        for part in label.with_formulas(self.written, &word, ["(", ")", "\"\""]) {
            let text = part.text;
            let (size, ink) = (number(part.size * self.scale), colour(part.colour));
            let weight = if part.bold { "bold" } else { "regular" };
            write!(file, ", ({size}, {ink}, \"{weight}\", [{text}])").ok();
        }
        file.push_str(")\n");
    }
}

fn colour(colour: Color32) -> String {
    let [red, green, blue, alpha] = colour.to_srgba_unmultiplied();
    if alpha == u8::MAX {
        format!("rgb(\"#{red:02x}{green:02x}{blue:02x}\")")
    } else {
        format!("rgb(\"#{red:02x}{green:02x}{blue:02x}{alpha:02x}\")")
    }
}

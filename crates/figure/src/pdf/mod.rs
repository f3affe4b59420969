//! PDF files: pages as paths, selectable text and embedded images, with the fonts of its texts cut down to the characters in use.
//!
//! Each character has the position where egui put it. Texts such as the scenario are files inside the PDF, which programs that show
//! it list as attachments. No time of day and no number by chance are in the file: the same pages give the same bytes.
//!
//! A figure with words is tagged, with the words as its alternative text, and meets PDF/UA-1 and PDF/A-3a as far as krilla can check them. PDF/A
//! asks for dates: they are the date of the program's version. Where a font lacks a character, or a title is missing, the file is tagged all the
//! same and does not claim to meet them.

mod texts;

use egui::{Color32, Pos2, Rect};
use krilla::color::rgb;
use krilla::configure::{Accessibility, Archival, Configuration, ConfigurationBuilder};
use krilla::destination::XyzDestination;
use krilla::embed::{AssociationKind, EmbeddedFile, MimeType};
use krilla::error::KrillaError;
use krilla::geom::{self, Path, PathBuilder, Point, Transform};
use krilla::image::Image;
use krilla::metadata::{DateTime, Metadata};
use krilla::num::NormalizedF32;
use krilla::outline::{Outline, OutlineNode};
use krilla::page::PageSettings;
use krilla::paint::{Fill, FillRule, LineJoin, Stroke};
use krilla::surface::Surface;
use krilla::tagging::{ArtifactType, ContentTag, Identifier, Tag, TagGroup, TagTree};
use krilla::text::{Font, GlyphId, KrillaGlyph};
use krilla::{Data, Document, SerializeSettings};

use super::vector::{Clipped, File, Mark, Page, Piece, Step};
use super::{Picture, Spoken};

pub use texts::{ReadError, read_text};

/// Points of PDF per inch.
const UNITS_PER_INCH: f32 = 72.0;

/// Why a page cannot be written as PDF.
#[derive(Debug, thiserror::Error)]
pub enum PdfError {
    /// A font cannot be embedded.
    #[error("the font \"{0}\" cannot be embedded")]
    Font(String),
    /// The page is too small or too large for a PDF.
    #[error("a page of {width} × {height} inches cannot be written as PDF")]
    Size {
        /// In inches.
        width: f32,
        /// In inches.
        height: f32,
    },
    /// The file cannot be written.
    #[error("the PDF cannot be written: {0}")]
    Write(String),
}

/// A text that is a file inside the PDF.
#[derive(Clone, Copy, Debug)]
pub struct Attachment<'a> {
    /// Its file name, under which it is read again.
    pub name: &'a str,
    /// What it is, in words.
    pub description: &'a str,
    /// Its kind, such as `text/plain`.
    pub kind: &'a str,
    /// The text.
    pub text: &'a str,
}

/// The file of pages with their words and attachments. With an alternative text the pages are one figure.
///
/// # Errors
/// If a font of a page cannot be embedded, or if a page is too large.
pub fn encode(
    pages: &[Page],
    background: Option<Color32>,
    spoken: &Spoken<'_>,
    attachments: &[Attachment<'_>],
) -> Result<Vec<u8>, PdfError> {
    let tagged = !spoken.alt.is_empty();
    if tagged && !spoken.title.is_empty() {
        for standards in standards() {
            if let Ok(file) = written((pages, background), spoken, attachments, standards) {
                return Ok(file);
            }
        }
    }
    written((pages, background), spoken, attachments, SerializeSettings::default().configuration)
}

/// What a figure with words may meet, the most first.
fn standards() -> impl Iterator<Item = Configuration> {
    let accessible = || ConfigurationBuilder::new().with_accessibility_validator(Accessibility::UA1);
    [accessible().with_archival_validator(Archival::A3_A), accessible()]
        .into_iter()
        .flat_map(ConfigurationBuilder::finish)
}

/// The date of the program's version, that of its package.
fn date() -> DateTime {
    let (year, month, day) = Spoken::DATE;
    DateTime::new(year).month(month).day(day).hour(12).minute(0).second(0).utc_offset_hour(0).utc_offset_minute(0)
}

fn wrong(error: &KrillaError) -> PdfError {
    PdfError::Write(format!("{error:?}"))
}

fn written(
    (pages, background): (&[Page], Option<Color32>),
    spoken: &Spoken<'_>,
    attachments: &[Attachment<'_>],
    configuration: Configuration,
) -> Result<Vec<u8>, PdfError> {
    let mut document = Document::new_with(SerializeSettings { configuration, ..SerializeSettings::default() });
    let metadata =
        Metadata::new().title(spoken.title.to_owned()).creator(Spoken::PROGRAM.to_owned()).creation_date(date());
    let tagged = !spoken.alt.is_empty();
    document.set_metadata(if tagged {
        metadata.description(spoken.alt.to_owned()).language(Spoken::LANGUAGE.to_owned())
    } else {
        metadata
    });
    for attachment in attachments {
        let Attachment { name, description, kind, text } = attachment;
        let file = EmbeddedFile {
            path: (*name).to_owned(),
            mime_type: MimeType::new(kind),
            description: Some((*description).to_owned()),
            association_kind: AssociationKind::Source,
            data: Data::from(text.as_bytes().to_vec()),
            modification_date: Some(date()),
            // Whoever looks into the file with a plain editor can read it.
            compress: Some(false),
            location: None,
        };
        document.embed_file(file).ok_or_else(|| PdfError::Write(format!("two texts are named \"{name}\"")))?;
    }
    let mut figure = TagGroup::new(Tag::Figure(Some(spoken.alt.to_owned())));
    for page in pages {
        let content = add(&mut document, page, background, tagged)?;
        content.into_iter().for_each(|content| figure.push(content));
    }
    if tagged {
        let mut tree = TagTree::new();
        tree.push(figure);
        document.set_tag_tree(tree);
        let mut outline = Outline::new();
        let start = XyzDestination::new(0, Point::from_xy(0.0, 0.0));
        outline.push_child(OutlineNode::new(spoken.title.to_owned(), start));
        document.set_outline(outline);
    }
    document.finish().map_err(|error| wrong(&error))
}

/// Adds a page. Returns its content, if it is tagged.
fn add(
    document: &mut Document,
    page: &Page,
    background: Option<Color32>,
    tagged: bool,
) -> Result<Option<Identifier>, PdfError> {
    let inches = page.size.map(|points| points / page.points_per_inch);
    let [width, height] = inches.map(|inches| inches * UNITS_PER_INCH);
    let no_page = || PdfError::Size { width: inches[0], height: inches[1] };
    let settings = PageSettings::from_wh(width, height).ok_or_else(no_page)?;
    let fonts = page.faces.files().into_iter().map(font).collect::<Result<Vec<_>, _>>()?;
    let mut sheet = document.start_page_with(settings);
    let mut surface = sheet.surface();
    let scale = UNITS_PER_INCH / page.points_per_inch;
    surface.push_transform(&Transform::from_scale(scale, scale));
    let whole = Rect::from_min_size(Pos2::ZERO, page.size.into());
    if let Some(colour) = background {
        if tagged {
            surface.start_tagged(ContentTag::Artifact(krilla::tagging::Artifact::with_kind(ArtifactType::Page)));
        }
        surface.set_fill(Some(fill(colour)));
        surface.set_stroke(None);
        rectangle(whole).iter().for_each(|path| surface.draw_path(path));
        if tagged {
            surface.end_tagged();
        }
    }
    let content = tagged.then(|| surface.start_tagged(ContentTag::Other));
    for (clip, marks) in page.groups() {
        if clip.is_some_and(|clip| !clip.is_positive()) {
            continue;
        }
        let path = clip.and_then(rectangle);
        path.iter().for_each(|path| surface.push_clip_path(path, &FillRule::NonZero));
        marks.iter().for_each(|Clipped { mark, .. }| draw(&mut surface, mark, &fonts));
        if path.is_some() {
            surface.pop();
        }
    }
    if tagged {
        surface.end_tagged();
    }
    surface.pop();
    surface.finish();
    sheet.finish();
    Ok(content)
}

/// A font, with the file that knows the glyphs of its characters.
fn font(file: File) -> Result<(Font, File), PdfError> {
    let data = Data::from(file.bytes().to_vec());
    let font = Font::new(data, file.index()).ok_or_else(|| PdfError::Font(file.name.clone()))?;
    Ok((font, file))
}

fn draw(surface: &mut Surface<'_>, mark: &Mark, fonts: &[(Font, File)]) {
    match mark {
        Mark::Path { outline, fill: inside, stroke } => {
            let Some(path) = path(&outline.steps()) else { return };
            surface.set_fill((*inside != Color32::TRANSPARENT).then(|| fill(*inside)));
            surface.set_stroke((!stroke.is_empty()).then(|| self::stroke(*stroke)));
            surface.draw_path(&path);
        }
        Mark::Text(piece) => {
            if let Some((font, file)) = fonts.get(piece.face) {
                text(surface, piece, font, file);
            }
        }
        Mark::Image { rect, picture } => {
            let Some(size) = geom::Size::from_wh(rect.width(), rect.height()) else { return };
            surface.push_transform(&Transform::from_translate(rect.min.x, rect.min.y));
            surface.draw_image(image(picture), size);
            surface.pop();
        }
    }
}

fn text(surface: &mut Surface<'_>, piece: &Piece, font: &Font, file: &File) {
    let glyphs = file.glyphs(&piece.text);
    let starts = piece.text.char_indices().map(|(start, character)| start..start + character.len_utf8());
    // What follows the last character does not matter.
    let ends = piece.advances.iter().skip(1).chain(piece.advances.last());
    let advances = piece.advances.iter().zip(ends).map(|(start, end)| (end - start) / piece.size);
    let glyphs: Vec<KrillaGlyph> = glyphs
        .into_iter()
        .zip(starts)
        .zip(advances)
        .map(|((glyph, range), advance)| KrillaGlyph::new(GlyphId::new(glyph), advance, 0.0, 0.0, 0.0, range, None))
        .collect();
    surface.set_fill(Some(fill(piece.colour)));
    surface.set_stroke(None);
    let (sin, cos) = piece.angle.sin_cos();
    surface.push_transform(&Transform::from_row(cos, sin, -sin, cos, piece.start.x, piece.start.y));
    surface.draw_glyphs(Point::from_xy(0.0, 0.0), &glyphs, font.clone(), &piece.text, piece.size, false);
    surface.pop();
}

fn image(picture: &Picture) -> Image {
    Image::from_rgba8(picture.straight(), picture.width(), picture.height())
}

fn path(steps: &[Step]) -> Option<Path> {
    let mut path = PathBuilder::new();
    for step in steps {
        match *step {
            Step::Move(to) => path.move_to(to.x, to.y),
            Step::Line(to) => path.line_to(to.x, to.y),
            Step::Cubic([first, second, to]) => path.cubic_to(first.x, first.y, second.x, second.y, to.x, to.y),
            Step::Close => path.close(),
        }
    }
    path.finish()
}

fn rectangle(rect: Rect) -> Option<Path> {
    let mut path = PathBuilder::new();
    path.push_rect(geom::Rect::from_ltrb(rect.min.x, rect.min.y, rect.max.x, rect.max.y)?);
    path.finish()
}

fn fill(colour: Color32) -> Fill {
    let (colour, opacity) = paint(colour);
    Fill { paint: colour.into(), opacity, ..Fill::default() }
}

fn stroke(stroke: egui::Stroke) -> Stroke {
    let (colour, opacity) = paint(stroke.color);
    Stroke { paint: colour.into(), width: stroke.width, opacity, line_join: LineJoin::Round, ..Stroke::default() }
}

fn paint(colour: Color32) -> (rgb::Color, NormalizedF32) {
    let [red, green, blue, alpha] = colour.to_srgba_unmultiplied();
    let opacity = NormalizedF32::new(f32::from(alpha) / 255.0).unwrap_or(NormalizedF32::ONE);
    (rgb::Color::new(red, green, blue), opacity)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use egui::{Align2, ColorImage, Context, FontId, TextureOptions, Ui, pos2, vec2};
    use hayro_syntax::Pdf;
    use proptest::prelude::*;

    use super::super::tests::set_font;
    use super::super::{FigureSize, lay_out, vector};
    use super::*;

    const INK: Color32 = Color32::from_rgb(200, 30, 60);
    const SCENARIO: &str = "title = \"a < b & c\"\r\n\n]]> θ";

    const SPOKEN: Spoken<'_> = Spoken { title: "A title", alt: "Two runs, α < 1." };

    fn attachment(text: &str) -> Attachment<'_> {
        Attachment { name: "scenario.toml", description: "The scenario", kind: "application/toml", text }
    }

    fn set_up(context: &Context) {
        set_font(context);
        vector::ask_for_shapes(context);
    }

    fn pdf(draw: impl FnMut(&mut Ui)) -> Vec<u8> {
        let size = FigureSize::of_pixels([340, 170], 2.0, 200.0).unwrap();
        let page = lay_out(size, set_up, draw).unwrap().page().unwrap();
        encode(&[page], Some(Color32::WHITE), &SPOKEN, &[attachment(SCENARIO)]).unwrap()
    }

    /// The decoded instructions of the page.
    fn instructions(file: &[u8]) -> String {
        let pdf = Pdf::new(Arc::new(file.to_vec())).unwrap();
        let page = &pdf.pages()[0];
        String::from_utf8_lossy(page.page_stream().unwrap()).into_owned()
    }

    #[test]
    fn a_text_within_comes_out_as_it_went_in() {
        let file = pdf(|_| {});
        assert_eq!(read_text(&file, "scenario.toml"), Ok(Some(SCENARIO.to_owned())));
        assert_eq!(read_text(&file, "other"), Ok(None));
        assert_eq!(read_text(b"no PDF", "scenario.toml"), Err(ReadError::NoPdf));
        assert_eq!(file, pdf(|_| {}), "the same bytes every time");
    }

    /// Packets of metadata are not compressed.
    #[test]
    fn a_figure_with_words_claims_what_it_meets() {
        let claims = |file: &[u8], claim: &str| String::from_utf8_lossy(file).contains(claim);
        let file = pdf(|ui| {
            ui.label("αβ 1");
        });
        for claim in [
            "<pdfaid:part>3</pdfaid:part>",
            "<pdfaid:conformance>A</pdfaid:conformance>",
            "<pdfuaid:part>1</pdfuaid:part>",
        ] {
            assert!(claims(&file, claim), "{claim}");
        }
        let size = FigureSize::of_pixels([340, 170], 2.0, 200.0).unwrap();
        let page = lay_out(size, set_up, |_| {}).unwrap().page().unwrap();
        let silent = encode(&[page], None, &Spoken::default(), &[attachment(SCENARIO)]).unwrap();
        assert!(!claims(&silent, "pdfaid:part") && !claims(&silent, "pdfuaid:part"));
    }

    /// The date in files is that of the package of this version.
    #[test]
    fn the_date_is_that_of_the_package() {
        let changelog = include_str!("../../../../packaging/changelog");
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
        let (year, month, day) = Spoken::DATE;
        let date = format!("{day:02} {} {year}", months[usize::from(month) - 1]);
        let signature = changelog.lines().find(|line| line.starts_with(" -- ")).unwrap();
        assert!(signature.contains(&date), "{signature}");
    }

    #[test]
    fn a_page_has_the_size_of_the_paper() {
        let file = pdf(|_| {});
        let pdf = Pdf::new(Arc::new(file)).unwrap();
        let (width, height) = pdf.pages()[0].render_dimensions();
        // 1.7 × 0.85 inches.
        assert!((width - 122.4).abs() < 0.01 && (height - 61.2).abs() < 0.01, "{width} × {height}");
    }

    #[test]
    fn lines_images_and_text_are_there() {
        let file = pdf(|ui| {
            let painter = ui.painter();
            painter.line_segment([pos2(1.0, 2.25), pos2(30.5, 2.25)], (1.5, INK));
            painter.text(pos2(10.0, 40.0), Align2::LEFT_CENTER, "αβ 1", FontId::proportional(14.0), INK);
            let image = ColorImage::new([2, 1], vec![Color32::RED, Color32::BLUE]);
            let texture = ui.ctx().load_texture("image", image, TextureOptions::NEAREST);
            let mut mesh = egui::Mesh::with_texture(texture.id());
            let whole = Rect::from_min_max(Pos2::ZERO, pos2(1.0, 1.0));
            mesh.add_rect_with_uv(Rect::from_min_size(pos2(4.0, 6.0), vec2(20.0, 10.0)), whole, Color32::WHITE);
            painter.add(mesh);
        });
        let page = instructions(&file);
        assert!(page.contains("1 2.25 m") && page.contains("30.5 2.25 l"), "{page}");
        assert!(page.contains("BT") && page.contains(" Do"), "{page}");
        assert!(file.len() < 20_000, "only the letters in use are embedded: {} bytes", file.len());
    }

    proptest! {
        #[test]
        fn damaged_files_do_not_panic(at in 0_usize..100_000, byte: u8, cut in 0_usize..100_000) {
            let mut file = pdf(|_| {});
            let length = file.len();
            file[at % length] = byte;
            if cut.is_multiple_of(3) {
                file.truncate(length - cut % length);
            }
            drop(read_text(&file, "scenario.toml"));
        }
    }
}

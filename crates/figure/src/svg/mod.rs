//! SVG files: a page as paths, selectable text and embedded images, with the fonts of its texts cut down to the characters in use.
//!
//! Panels and series are groups with their names, which drawing programs list as layers and objects. A text element is a run of
//! characters as long as the widths of its font put them where egui has them, to within [`APART`]; from there on another run begins at its own
//! position. So texts can be edited, and letters are where they are in a window. Marks in a row with the same clip rectangle share a group.
//! Lengths are in points with two decimals; the size of the page is given in CSS pixels, 96 per inch of paper.

mod groups;
mod texts;

use std::fmt::Write;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use egui::{Color32, Pos2, Rect, Stroke};

use super::source::{number, short};
use super::vector::{Clipped, File, FontError, Mark, Outline, Page, Piece, Step, Subset};
use super::{POINTS_PER_INCH, Picture, Spoken, png};
use groups::Groups;

pub use texts::{ReadError, read_text};

/// Prefix of the names of our fonts, which no font of a system has.
const FAMILY: &str = "figure";

/// Why a page cannot be written as SVG.
#[derive(Debug, thiserror::Error)]
pub enum SvgError {
    /// A font cannot be embedded.
    #[error(transparent)]
    Font(#[from] FontError),
    /// An image cannot be embedded.
    #[error(transparent)]
    Image(#[from] png::PngError),
}

/// How far a character may be from where its font would put it, in sizes of the font, without beginning a run of its own.
const APART: f32 = 0.04;

/// The file of a page, with its words, and with texts such as its scenario, each under a name.
///
/// # Errors
/// If a font or an image of the page cannot be embedded.
pub fn encode(
    page: &Page,
    background: Option<Color32>,
    spoken: &Spoken<'_>,
    texts: &[(&str, &str)],
) -> Result<Vec<u8>, SvgError> {
    let mut file = String::new();
    let [width, height] = page.size.map(number);
    let [wide, high] = page.size.map(|points| number(points / page.points_per_inch * POINTS_PER_INCH));
    // Some programs know `white-space` and others this attribute.
    let spaces = r#"xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" xml:space="preserve""#;
    line(
        &mut file,
        &format!(
            r#"<svg {spaces} role="img" xml:lang="{}" width="{wide}" height="{high}" viewBox="0 0 {width} {height}">"#,
            Spoken::LANGUAGE
        ),
    );
    for (element, text) in [("title", spoken.title), ("desc", spoken.alt)] {
        if !text.is_empty() {
            line(&mut file, &format!("<{element}>{}</{element}>", escaped(text)));
        }
    }
    for (name, text) in texts {
        line(&mut file, &format!(r#"<metadata id="{}">{}</metadata>"#, escaped(name), escaped(text)));
    }
    styles(&mut file, page)?;
    if let Some(colour) = background {
        line(&mut file, &format!(r#"<rect width="{width}" height="{height}"{}/>"#, paint("fill", colour)));
    }
    let files = page.faces.files();
    let mut groups = Groups::of(page);
    for (clip, marks) in page.groups() {
        for Clipped { mark, of, .. } in marks {
            groups.enter(&mut file, *of, clip);
            match mark {
                Mark::Path { outline, fill, stroke } => path(&mut file, outline, *fill, *stroke),
                Mark::Text(piece) => text(&mut file, piece, files.get(piece.face)),
                Mark::Image { rect, picture } => image(&mut file, *rect, picture)?,
            }
        }
    }
    groups.leave(&mut file);
    line(&mut file, "</svg>");
    Ok(file.into_bytes())
}

/// The fonts, and what all texts have in common.
fn styles(file: &mut String, page: &Page) -> Result<(), SvgError> {
    line(file, "<style>");
    line(file, "text{white-space:pre;font-kerning:none;font-variant-ligatures:none}");
    line(file, "path{stroke-linejoin:round}");
    for (index, subset) in page.faces.subsets()?.into_iter().enumerate() {
        let (kind, format) = if subset.compact { ("otf", "opentype") } else { ("ttf", "truetype") };
        let bytes = BASE64_STANDARD.encode(&subset.bytes);
        let Subset { name, family, weight, .. } = subset;
        line(
            file,
            &format!(
                r#"@font-face{{font-family:"{FAMILY}-{name}";font-weight:{weight};src:url(data:font/{kind};base64,{bytes}) format("{format}")}}"#
            ),
        );
        let like = if name.starts_with("serif") { "serif" } else { "sans-serif" };
        line(file, &format!(r#".f{index}{{font-family:"{FAMILY}-{name}","{family}",{like};font-weight:{weight}}}"#));
    }
    line(file, "</style>");
    Ok(())
}

fn path(file: &mut String, outline: &Outline, fill: Color32, stroke: Stroke) {
    let style = style(fill, stroke);
    match outline {
        Outline::Steps(steps) => line(file, &format!(r#"<path d="{}"{style}/>"#, data(steps))),
        Outline::Circle { centre, radius } => {
            let [x, y, radius] = [centre.x, centre.y, *radius].map(number);
            line(file, &format!(r#"<circle cx="{x}" cy="{y}" r="{radius}"{style}/>"#));
        }
    }
}

/// Colours and width as attributes.
fn style(fill: Color32, stroke: Stroke) -> String {
    let mut style = paint("fill", fill);
    if !stroke.is_empty() {
        write!(style, r#"{} stroke-width="{}""#, paint("stroke", stroke.color), number(stroke.width)).ok();
    }
    style
}

fn text(file: &mut String, piece: &Piece, font: Option<&File>) {
    let [x, y] = [piece.start.x, piece.start.y].map(number);
    let class = piece.face;
    let size = number(piece.size);
    let mut element =
        format!(r#"<text class="f{class}" font-size="{size}" x="{x}" y="{y}"{}"#, paint("fill", piece.colour));
    if piece.angle.abs() > 0.0 {
        write!(element, r#" transform="rotate({} {x} {y})""#, number(piece.angle.to_degrees())).ok();
    }
    element.push('>');
    for (number_of_run, (along, run)) in runs(piece, font).into_iter().enumerate() {
        if number_of_run == 0 {
            element.push_str(&escaped(&run));
        } else {
            let at = number(piece.start.x + along);
            write!(element, r#"<tspan x="{at}">{}</tspan>"#, escaped(&run)).ok();
        }
    }
    element.push_str("</text>");
    line(file, &element);
}

/// The parts of a text in which the widths of the font put each character where it is, and where each part begins.
fn runs(piece: &Piece, font: Option<&File>) -> Vec<(f32, String)> {
    let widths = font.map(|font| font.advances(&piece.text)).unwrap_or_default();
    let mut found: Vec<(f32, String)> = Vec::new();
    let mut at = 0.0;
    for (number, (character, along)) in piece.text.chars().zip(&piece.advances).enumerate() {
        let far = (along - at).abs() > APART * piece.size;
        match found.last_mut() {
            Some((_, run)) if !far => run.push(character),
            _ => {
                at = *along;
                found.push((*along, character.to_string()));
            }
        }
        at += widths.get(number).copied().unwrap_or(f32::INFINITY) * piece.size;
    }
    found
}

fn image(file: &mut String, rect: Rect, picture: &Picture) -> Result<(), SvgError> {
    let bytes = BASE64_STANDARD.encode(png::encode(picture, &[])?);
    let [x, y, width, height] = [rect.min.x, rect.min.y, rect.width(), rect.height()].map(number);
    line(
        file,
        &format!(
            r#"<image x="{x}" y="{y}" width="{width}" height="{height}" preserveAspectRatio="none" xlink:href="data:image/png;base64,{bytes}"/>"#
        ),
    );
    Ok(())
}

/// The steps of an outline in the notation of SVG.
fn data(steps: &[Step]) -> String {
    let mut data = String::new();
    for step in steps {
        let (letter, points): (char, &[Pos2]) = match step {
            Step::Move(to) => ('M', &[*to]),
            Step::Line(to) => ('L', &[*to]),
            Step::Cubic(points) => ('C', points),
            Step::Close => ('Z', &[]),
        };
        data.push(letter);
        for (index, point) in points.iter().enumerate() {
            let space = if index == 0 { "" } else { " " };
            write!(data, "{space}{} {}", number(point.x), number(point.y)).ok();
        }
    }
    data
}

/// A colour as attributes.
fn paint(attribute: &str, colour: Color32) -> String {
    let [red, green, blue, alpha] = colour.to_srgba_unmultiplied();
    match alpha {
        0 => format!(r#" {attribute}="none""#),
        255 => format!(r##" {attribute}="#{red:02x}{green:02x}{blue:02x}""##),
        alpha => format!(
            r##" {attribute}="#{red:02x}{green:02x}{blue:02x}" {attribute}-opacity="{}""##,
            number3(f32::from(alpha) / 255.0)
        ),
    }
}

/// A number with at most three decimals.
fn number3(value: f32) -> String {
    short(&format!("{value:.3}"))
}

/// A text as content of an element or of an attribute. Characters that XML does not have are left out.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\r' => escaped.push_str("&#13;"),
            '\n' | '\t' => escaped.push(character),
            character if character.is_control() || matches!(character, '\u{fffe}' | '\u{ffff}') => {}
            character => escaped.push(character),
        }
    }
    escaped
}

fn line(file: &mut String, text: &str) {
    file.push_str(text);
    file.push('\n');
}

#[cfg(test)]
mod tests {
    use egui::{Align2, ColorImage, Context, FontId, TextureOptions, Ui, pos2, vec2};
    use proptest::prelude::*;

    use super::super::tests::set_font;
    use super::super::{FigureSize, lay_out, vector};
    use super::*;

    const INK: Color32 = Color32::from_rgb(200, 30, 60);
    const SCENARIO: &str = "title = \"a < b & c\"\r\n\n]]> θ";

    const SPOKEN: Spoken<'_> = Spoken { title: "A & B", alt: "Two runs, α < 1." };

    fn set_up(context: &Context) {
        set_font(context);
        vector::ask_for_shapes(context);
    }

    fn svg(draw: impl FnMut(&mut Ui)) -> String {
        let size = FigureSize::new(120, 80, 2.0).unwrap();
        let page = lay_out(size, set_up, draw).unwrap().page().unwrap();
        String::from_utf8(encode(&page, Some(Color32::WHITE), &SPOKEN, &[("scenario", SCENARIO)]).unwrap()).unwrap()
    }

    /// The attributes of all elements with a name, one after another.
    fn attributes(file: &str, element: &str, attribute: &str) -> Vec<String> {
        let document = roxmltree::Document::parse(file).unwrap();
        let elements = document.descendants().filter(|node| node.tag_name().name() == element);
        let value = |node: roxmltree::Node<'_, '_>| {
            let found = node.attributes().find(|found| found.name() == attribute);
            found.map(|found| found.value().to_owned()).unwrap_or_default()
        };
        elements.map(value).collect()
    }

    #[test]
    fn a_text_within_comes_out_as_it_went_in() {
        let file = svg(|_| {});
        assert_eq!(read_text(file.as_bytes(), "scenario"), Ok(Some(SCENARIO.to_owned())));
        assert_eq!(read_text(file.as_bytes(), "other"), Ok(None));
        assert_eq!(read_text(&[0xff, 0xfe], "scenario"), Err(ReadError::NoText));
        assert!(matches!(read_text(b"<svg", "scenario"), Err(ReadError::NoXml(_))));
    }

    #[test]
    fn paths_keep_their_outlines_and_colours() {
        let file = svg(|ui| {
            let painter = ui.painter();
            painter.line_segment([pos2(1.0, 2.0), pos2(30.5, 2.0)], (1.5, INK));
            painter.line_segment([pos2(1.0, 4.25), pos2(30.5, 4.25)], (1.5, INK));
            painter.rect_filled(Rect::from_min_max(pos2(5.0, 6.0), pos2(9.0, 8.0)), 0.0, INK.gamma_multiply(0.5));
        });
        let data = attributes(&file, "path", "d");
        assert!(
            data.contains(&"M1 2.25L30.5 2.25M1 4.25L30.5 4.25".to_owned()),
            "lines of one style are one path: {data:?}"
        );
        assert_eq!(attributes(&file, "path", "stroke").iter().filter(|colour| *colour == "#c81e3c").count(), 1);
        let half = attributes(&file, "path", "fill-opacity");
        assert!(half.iter().any(|opacity| opacity.starts_with("0.5")), "{half:?}");
    }

    #[test]
    fn texts_are_runs_of_letters() {
        let file = svg(|ui| {
            let font = FontId::proportional(14.0);
            let end = ui.painter().text(pos2(10.0, 40.0), Align2::LEFT_CENTER, "AVA <1>", font, INK).right();
            assert!(end > 50.0);
        });
        let document = roxmltree::Document::parse(&file).unwrap();
        let text = document.descendants().find(|node| node.tag_name().name() == "text").unwrap();
        let whole: String =
            text.descendants().filter(|piece| piece.is_text()).filter_map(|piece| piece.text()).collect();
        assert_eq!(whole, "AVA <1>");
        let x: f32 = text.attribute("x").unwrap().parse().unwrap();
        assert!((x - 10.0).abs() < 0.51, "{x}");
        assert!(file.contains("@font-face") && file.contains("base64"));
        assert!(file.len() < 20_000, "only the letters in use are embedded: {} bytes", file.len());
    }

    #[test]
    fn words_and_groups_have_their_names() {
        let draw = |ui: &mut Ui| {
            for (panel, x) in [("canvas A", 5.0), ("trace / 1", 50.0)] {
                vector::Tag::Panel(panel.to_owned()).say(ui);
                ui.painter().circle_filled(pos2(x, 4.0), 2.0, INK);
                vector::Tag::Series("draws of A".to_owned()).say(ui);
                ui.painter().circle_filled(pos2(x, 9.0), 2.0, INK);
                vector::Tag::PanelEnd.say(ui);
            }
        };
        let file = svg(draw);
        let document = roxmltree::Document::parse(&file).unwrap();
        let root = document.root_element();
        assert_eq!(root.attribute("role"), Some("img"));
        let text =
            |name: &str| root.children().find(|node| node.tag_name().name() == name).and_then(|node| node.text());
        assert_eq!((text("title"), text("desc")), (Some(SPOKEN.title), Some(SPOKEN.alt)));
        let label = ("http://www.inkscape.org/namespaces/inkscape", "label");
        let groups = document.descendants().filter(|node| node.tag_name().name() == "g");
        let named: Vec<(&str, &str)> =
            groups.map(|node| (node.attribute("id").unwrap(), node.attribute(label).unwrap())).collect();
        let expected = [
            ("canvas-A", "canvas A"),
            ("canvas-A-draws-of-A", "draws of A"),
            ("trace-1", "trace / 1"),
            ("trace-1-draws-of-A", "draws of A"),
        ];
        assert_eq!(named, expected);
        let inside = document.descendants().filter(|node| node.tag_name().name() == "circle");
        assert_eq!(inside.map(|node| node.ancestors().count()).collect::<Vec<_>>(), [4, 5, 4, 5]);
    }

    /// A letter that is not where its font would put it begins a run at its own position.
    #[test]
    fn a_text_that_is_set_apart_has_a_run_for_each_part() {
        let mut at = 0.0;
        let mut piece = Piece {
            text: "ab cd".to_owned(),
            advances: vec![0.0; 5],
            start: pos2(10.0, 20.0),
            angle: 0.0,
            face: 0,
            size: 10.0,
            colour: INK,
        };
        let page = lay_out(FigureSize::new(60, 30, 1.0).unwrap(), set_up, |ui| drop(ui.label("ab cd"))).unwrap();
        let files = page.page().unwrap().faces.files();
        for (number, width) in files[0].advances("ab cd").into_iter().enumerate() {
            piece.advances[number] = at + if number > 2 { 3.0 } else { 0.0 };
            at += 10.0 * width;
        }
        let found = runs(&piece, files.first());
        let texts: Vec<&str> = found.iter().map(|(_, run)| run.as_str()).collect();
        assert_eq!(texts, ["ab ", "cd"]);
        assert!((found[1].0 - piece.advances[3]).abs() < 1e-6);
        assert_eq!(runs(&piece, None).len(), 5, "a font that nobody knows has no widths");
    }

    #[test]
    fn meshes_become_images_at_the_resolution_of_the_figure() {
        let file = svg(|ui| {
            let image = ColorImage::new([2, 1], vec![Color32::RED, Color32::BLUE]);
            let texture = ui.ctx().load_texture("image", image, TextureOptions::NEAREST);
            let rect = Rect::from_min_size(pos2(4.0, 6.0), vec2(20.0, 10.0));
            let mut mesh = egui::Mesh::with_texture(texture.id());
            mesh.add_rect_with_uv(rect, Rect::from_min_max(Pos2::ZERO, pos2(1.0, 1.0)), Color32::WHITE);
            ui.painter().add(mesh);
        });
        let side = |name| attributes(&file, "image", name).remove(0);
        assert_eq!([side("x"), side("y"), side("width"), side("height")], ["4", "6", "20", "10"]);
        let picture = BASE64_STANDARD.decode(side("href").split_once(',').unwrap().1).unwrap();
        let mut reader = ::png::Decoder::new(std::io::Cursor::new(picture)).read_info().unwrap();
        assert_eq!((reader.info().width, reader.info().height), (40, 20));
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
        let colour = |column: usize| &pixels[column * pixels.len() / (40 * 20)..][..3];
        assert_eq!((colour(0), colour(39)), (&[255, 0, 0][..], &[0, 0, 255][..]));
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!([1.0, -0.001, 0.5, 100.0, 12.345].map(number), ["1", "0", "0.5", "100", "12.35"]);
    }

    proptest! {
        #[test]
        fn damaged_files_do_not_panic(at in 0_usize..100_000, byte: u8, cut in 0_usize..100_000) {
            let mut file = svg(|_| {}).into_bytes();
            let length = file.len();
            file[at % length] = byte;
            if cut.is_multiple_of(3) {
                file.truncate(length - cut % length);
            }
            drop(read_text(&file, "scenario"));
        }
    }
}

//! SVG files: a page as paths, selectable text and embedded images, with the fonts of its texts cut down to the characters in use.
//!
//! A text element has the position of each of its characters, so that letters are where egui put them whatever the program that
//! shows the file does about kerning. Marks in a row with the same clip rectangle share a group. Lengths are in points with two
//! decimals; the size of the page is given in CSS pixels, 96 per inch of paper.

mod texts;

use std::fmt::Write;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use egui::{Color32, Pos2, Rect, Stroke};

use super::vector::{Clipped, FontError, Mark, Outline, Page, Piece, Step, Subset};
use super::{POINTS_PER_INCH, Picture, png};

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

/// The file of a page, with texts such as its scenario, each under a name.
///
/// # Errors
/// If a font or an image of the page cannot be embedded.
pub fn encode(page: &Page, background: Option<Color32>, texts: &[(&str, &str)]) -> Result<Vec<u8>, SvgError> {
    let mut file = String::new();
    let [width, height] = page.size.map(number);
    let [wide, high] = page.size.map(|points| number(points / page.points_per_inch * POINTS_PER_INCH));
    // Some programs know `white-space` and others this attribute.
    file.push_str(r#"<svg xmlns="http://www.w3.org/2000/svg" xml:space="preserve""#);
    line(&mut file, &format!(r#" width="{wide}" height="{high}" viewBox="0 0 {width} {height}">"#));
    for (name, text) in texts {
        line(&mut file, &format!(r#"<metadata id="{}">{}</metadata>"#, escaped(name), escaped(text)));
    }
    styles(&mut file, page)?;
    if let Some(colour) = background {
        line(&mut file, &format!(r#"<rect width="{width}" height="{height}"{}/>"#, paint("fill", colour)));
    }
    let mut clips: Vec<Rect> = Vec::new();
    for (clip, marks) in page.groups() {
        if let Some(clip) = clip {
            let known = clips.iter().position(|known| *known == clip);
            let index = known.unwrap_or_else(|| {
                clip_path(&mut file, clips.len(), clip);
                clips.push(clip);
                clips.len() - 1
            });
            line(&mut file, &format!(r#"<g clip-path="url(#clip{index})">"#));
        }
        for Clipped { mark, .. } in marks {
            match mark {
                Mark::Path { outline, fill, stroke } => path(&mut file, outline, *fill, *stroke),
                Mark::Text(piece) => text(&mut file, piece),
                Mark::Image { rect, picture } => image(&mut file, *rect, picture)?,
            }
        }
        if clip.is_some() {
            line(&mut file, "</g>");
        }
    }
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
        line(
            file,
            &format!(r#".f{index}{{font-family:"{FAMILY}-{name}","{family}",sans-serif;font-weight:{weight}}}"#),
        );
    }
    line(file, "</style>");
    Ok(())
}

fn clip_path(file: &mut String, index: usize, clip: Rect) {
    let size = clip.size().max(egui::Vec2::ZERO);
    let (point, size) = ([clip.min.x, clip.min.y].map(number), [size.x, size.y].map(number));
    line(
        file,
        &format!(
            r#"<clipPath id="clip{index}"><rect x="{}" y="{}" width="{}" height="{}"/></clipPath>"#,
            point[0], point[1], size[0], size[1]
        ),
    );
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

fn text(file: &mut String, piece: &Piece) {
    let xs: Vec<String> = piece.advances.iter().map(|advance| number(piece.start.x + advance)).collect();
    let mut element = format!(
        r#"<text class="f{}" font-size="{}" x="{}" y="{}"{}"#,
        piece.face,
        number(piece.size),
        xs.join(" "),
        number(piece.start.y),
        paint("fill", piece.colour)
    );
    if piece.angle.abs() > 0.0 {
        let [x, y] = [piece.start.x, piece.start.y].map(number);
        write!(element, r#" transform="rotate({} {x} {y})""#, number(piece.angle.to_degrees())).ok();
    }
    write!(element, ">{}</text>", escaped(&piece.text)).ok();
    line(file, &element);
}

fn image(file: &mut String, rect: Rect, picture: &Picture) -> Result<(), SvgError> {
    let bytes = BASE64_STANDARD.encode(png::encode(picture, &[])?);
    let [x, y, width, height] = [rect.min.x, rect.min.y, rect.width(), rect.height()].map(number);
    line(
        file,
        &format!(
            r#"<image x="{x}" y="{y}" width="{width}" height="{height}" preserveAspectRatio="none" href="data:image/png;base64,{bytes}"/>"#
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

/// A number with at most two decimals.
fn number(value: f32) -> String {
    short(&format!("{value:.2}"))
}

/// A number with at most three decimals.
fn number3(value: f32) -> String {
    short(&format!("{value:.3}"))
}

fn short(text: &str) -> String {
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text };
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
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

    fn set_up(context: &Context) {
        set_font(context);
        vector::ask_for_shapes(context);
    }

    fn svg(draw: impl FnMut(&mut Ui)) -> String {
        let size = FigureSize::new(120, 80, 2.0).unwrap();
        let page = lay_out(size, set_up, draw).unwrap().page().unwrap();
        String::from_utf8(encode(&page, Some(Color32::WHITE), &[("scenario", SCENARIO)]).unwrap()).unwrap()
    }

    /// The attributes of all elements with a name, one after another.
    fn attributes(file: &str, element: &str, attribute: &str) -> Vec<String> {
        let document = roxmltree::Document::parse(file).unwrap();
        let elements = document.descendants().filter(|node| node.tag_name().name() == element);
        elements.map(|node| node.attribute(attribute).unwrap_or_default().to_owned()).collect()
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
    fn texts_are_selectable_and_each_letter_has_its_place() {
        let file = svg(|ui| {
            let font = FontId::proportional(14.0);
            let end = ui.painter().text(pos2(10.0, 40.0), Align2::LEFT_CENTER, "AVA <1>", font, INK).right();
            assert!(end > 50.0);
        });
        let document = roxmltree::Document::parse(&file).unwrap();
        let text = document.descendants().find(|node| node.tag_name().name() == "text").unwrap();
        assert_eq!(text.text(), Some("AVA <1>"));
        let xs: Vec<f32> = text.attribute("x").unwrap().split(' ').map(|x| x.parse().unwrap()).collect();
        assert_eq!(xs.len(), 7);
        assert!((xs[0] - 10.0).abs() < 0.51 && xs.is_sorted(), "{xs:?}");
        assert!(file.contains("@font-face") && file.contains("base64"));
        assert!(file.len() < 20_000, "only the letters in use are embedded: {} bytes", file.len());
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

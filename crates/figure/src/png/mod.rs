//! PNG files: a picture with texts is written, and the texts are read back.
//!
//! Texts in Latin-1 are stored in a `tEXt` chunk, all others in an uncompressed `iTXt` chunk, which is UTF-8; common
//! tools show both. A picture without transparency is stored without alpha. The same picture and texts give the same
//! bytes.

mod texts;

use std::io::Write;

use ::png::{
    BitDepth, ColorType, Compression, Encoder, EncodingError, Filter, PixelDimensions, SrgbRenderingIntent, Unit,
};

pub use texts::{ReadError, read_text};

use super::Picture;
use super::blend::Pixel;

/// An inch in metres.
const INCH: f64 = 0.0254;

/// Longest keyword in bytes (PNG specification, section 11.3.3.2).
const KEYWORD_LIMIT: usize = 79;

/// Why a PNG could not be written.
#[derive(Debug, thiserror::Error)]
pub enum PngError {
    /// A keyword has to be 1–79 printable ASCII characters without surplus spaces.
    #[error("“{0}” cannot be the keyword of a text in a PNG")]
    Keyword(String),
    /// A zero character would end the text early.
    #[error("the text “{0}” for a PNG contains a zero character")]
    Text(String),
    /// The encoder failed.
    #[error("the PNG could not be written: {0}")]
    Write(#[from] EncodingError),
}

/// Writes a picture as a PNG, with `(keyword, text)` pairs ahead of the pixels.
///
/// Colours are stored unmultiplied, as PNG requires. Pixels without opacity lose their colour.
///
/// # Errors
/// [`PngError::Keyword`] or [`PngError::Text`] for texts that PNG does not allow.
pub fn encode(picture: &Picture, texts: &[(&str, &str)]) -> Result<Vec<u8>, PngError> {
    let opaque = picture.pixels().iter().all(|pixel| pixel[3] == u8::MAX);
    let mut bytes = Vec::new();
    let encoder = encoder(&mut bytes, picture, opaque, texts)?;
    let mut writer = encoder.write_header()?;
    let samples = if opaque { rgb(picture.pixels()) } else { picture.straight() };
    writer.write_image_data(&samples)?;
    writer.finish()?;
    Ok(bytes)
}

/// An encoder for pictures like this one, with or without alpha.
pub(super) fn encoder<W: Write>(
    bytes: W,
    picture: &Picture,
    opaque: bool,
    texts: &[(&str, &str)],
) -> Result<Encoder<'static, W>, PngError> {
    let mut encoder = Encoder::new(bytes, picture.width(), picture.height());
    encoder.set_color(if opaque { ColorType::Rgb } else { ColorType::Rgba });
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::Balanced);
    // Drawings contain exact repetitions, which a filter hides from the compression. Without a filter, plots and heat maps
    // are smaller, and are written in a third to two thirds of the time.
    encoder.set_filter(Filter::NoFilter);
    encoder.set_source_srgb(SrgbRenderingIntent::Perceptual);
    encoder.set_pixel_dims(Some(density(picture.dpi())));
    for (keyword, text) in texts {
        add_text(&mut encoder, keyword, text)?;
    }
    Ok(encoder)
}

fn density(dpi: f32) -> PixelDimensions {
    let per_metre = (f64::from(dpi) / INCH).round() as i64;
    let per_metre = u32::try_from(per_metre).unwrap_or(1);
    PixelDimensions { xppu: per_metre, yppu: per_metre, unit: Unit::Meter }
}

fn add_text<W: Write>(encoder: &mut Encoder<'_, W>, keyword: &str, text: &str) -> Result<(), PngError> {
    if !is_keyword(keyword) {
        return Err(PngError::Keyword(keyword.to_owned()));
    }
    if text.contains('\0') {
        return Err(PngError::Text(keyword.to_owned()));
    }
    let latin_1 = text.chars().all(|c| u8::try_from(u32::from(c)).is_ok());
    let (keyword, text) = (keyword.to_owned(), text.to_owned());
    if latin_1 {
        encoder.add_text_chunk(keyword, text)?;
    } else {
        encoder.add_itxt_chunk(keyword, text)?;
    }
    Ok(())
}

fn is_keyword(keyword: &str) -> bool {
    (1..=KEYWORD_LIMIT).contains(&keyword.len())
        && keyword.chars().all(|c| c == ' ' || c.is_ascii_graphic())
        && keyword.trim() == keyword
        && !keyword.contains("  ")
}

fn rgb(pixels: &[Pixel]) -> Vec<u8> {
    pixels.iter().flat_map(|[r, g, b, _]| [*r, *g, *b]).collect()
}

/// Divides the colour by alpha, to the nearest level. Additive colours, brighter than their alpha, are clamped.
pub(super) fn straight([r, g, b, alpha]: Pixel) -> Pixel {
    if matches!(alpha, 0 | u8::MAX) {
        return if alpha == 0 { [0; 4] } else { [r, g, b, alpha] };
    }
    let divisor = u32::from(alpha);
    let level = |level: u8| {
        let level = (u32::from(level) * 255 + divisor / 2) / divisor;
        u8::try_from(level).unwrap_or(u8::MAX)
    };
    [level(r), level(g), level(b), alpha]
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use ::png::{Decoder, Info};
    use egui::{Color32, pos2};
    use proptest::prelude::*;

    use super::super::{FigureSize, render};
    use super::*;

    const SCENARIO: &str = "title = \"plain\"\nseed = 42\t# café\n";
    const GREEK: &str = "title = \"θ ~ π(θ | x) → 𝒩\"\n";

    /// A picture with opaque, half transparent and empty pixels.
    fn picture(background: Option<Color32>) -> Picture {
        let size = FigureSize::new(30, 20, 2.0).expect("possible");
        render(
            size,
            background,
            |_| {},
            |ui| {
                ui.painter().circle_filled(pos2(15.0, 10.0), 7.0, Color32::from_rgb(10, 200, 90));
                ui.painter().circle_filled(pos2(20.0, 10.0), 7.0, Color32::from_rgba_unmultiplied(250, 20, 30, 77));
            },
        )
        .expect("paintable")
    }

    fn position(bytes: &[u8], kind: &[u8]) -> Option<usize> {
        bytes.windows(kind.len()).position(|window| window == kind)
    }

    fn decoded(bytes: &[u8]) -> (Info<'static>, Vec<u8>) {
        let mut reader = Decoder::new(Cursor::new(bytes)).read_info().expect("a PNG");
        let mut samples = vec![0; reader.output_buffer_size().expect("small")];
        reader.next_frame(&mut samples).expect("whole");
        (reader.info().clone(), samples)
    }

    #[test]
    fn texts_are_stored_in_the_suitable_chunk_and_read_back() {
        let bytes =
            encode(&picture(None), &[("Scenario", SCENARIO), ("Title", GREEK), ("Empty", "")]).expect("written");
        assert_eq!(read_text(&bytes, "Scenario").expect("readable").as_deref(), Some(SCENARIO));
        assert_eq!(read_text(&bytes, "Title").expect("readable").as_deref(), Some(GREEK));
        assert_eq!(read_text(&bytes, "Empty").expect("readable").as_deref(), Some(""));
        assert_eq!(read_text(&bytes, "Author").expect("readable"), None);
        let pixels = position(&bytes, b"IDAT").expect("there are pixels");
        assert!(position(&bytes, b"tEXtScenario\0title").expect("Latin-1 is plain text") < pixels);
        assert!(position(&bytes, b"iTXtTitle\0\0\0\0\0title").expect("Greek is plain UTF-8") < pixels);
    }

    #[test]
    fn texts_moved_behind_the_pixels_are_found() {
        let bytes = encode(&picture(None), &[("Scenario", SCENARIO)]).expect("written");
        let start = position(&bytes, b"tEXt").expect("it has a text") - 4;
        // Length, kind and check sum take four bytes each.
        let end = start + 12 + "Scenario".len() + 1 + SCENARIO.chars().count();
        let trailer = position(&bytes, b"IEND").expect("it has an end") - 4;
        let moved = [&bytes[..start], &bytes[end..trailer], &bytes[start..end], &bytes[trailer..]].concat();
        assert_eq!(moved.len(), bytes.len());
        assert_eq!(read_text(&moved, "Scenario").expect("readable").as_deref(), Some(SCENARIO));
    }

    #[test]
    fn a_transparent_picture_is_stored_unmultiplied() {
        let picture = picture(None);
        let (info, samples) = decoded(&encode(&picture, &[]).expect("written"));
        assert_eq!((info.width, info.height, info.color_type), (60, 40, ColorType::Rgba));
        let mut alphas = std::collections::BTreeSet::new();
        for (pixel, straight) in picture.pixels().iter().zip(samples.chunks(4)) {
            assert_eq!(pixel[3], straight[3]);
            alphas.insert(pixel[3]);
            for channel in 0..3 {
                // Multiplying again gives the level exactly: the quotient is off by at most a half.
                let again = (u32::from(straight[channel]) * u32::from(pixel[3]) * 2 + 255) / 510;
                assert_eq!(again, u32::from(pixel[channel]), "{pixel:?} became {straight:?}");
            }
        }
        assert!(alphas.contains(&0) && alphas.contains(&77) && alphas.contains(&255), "{alphas:?}");
    }

    #[test]
    fn an_opaque_picture_has_no_alpha_and_states_its_density() {
        let picture = picture(Some(Color32::WHITE));
        let bytes = encode(&picture, &[]).expect("written");
        let (info, samples) = decoded(&bytes);
        assert_eq!(info.color_type, ColorType::Rgb);
        assert_eq!(samples, rgb(picture.pixels()));
        // 192 pixels per inch.
        let density = info.pixel_dims.map(|density| (density.xppu, density.yppu, density.unit));
        assert_eq!(density, Some((7559, 7559, Unit::Meter)));
        assert_eq!(bytes, encode(&picture, &[]).expect("written"));
    }

    #[test]
    fn unmultiplying_rounds_and_clamps() {
        assert_eq!(straight([1, 64, 127, 128]), [2, 128, 253, 128]);
        assert_eq!(straight([200, 3, 0, 100]), [255, 8, 0, 100]);
        assert_eq!(straight([9, 9, 9, 0]), [0; 4]);
        assert_eq!(straight([1, 2, 3, 255]), [1, 2, 3, 255]);
    }

    #[test]
    fn keywords_and_texts_that_png_forbids_are_errors() {
        let picture = picture(None);
        let long = "k".repeat(80);
        for keyword in ["", " a", "a ", "a  b", "a\nb", "a\0b", "θ", &long] {
            let error = encode(&picture, &[(keyword, "text")]).expect_err("a bad keyword");
            assert!(matches!(&error, PngError::Keyword(bad) if bad == keyword), "{error}");
        }
        let error = encode(&picture, &[("Scenario", "a\0b")]).expect_err("a zero in the text");
        assert!(matches!(&error, PngError::Text(keyword) if keyword == "Scenario"), "{error}");
        encode(&picture, &[(&long[1..], "text")]).expect("79 bytes are allowed");
    }

    #[test]
    fn damaged_files_are_errors() {
        let bytes = encode(&picture(None), &[("Scenario", SCENARIO)]).expect("written");
        for broken in [&b""[..], b"\x89PNG\r\n\x1a\n", b"GIF89a", &bytes[1..]] {
            assert!(read_text(broken, "Scenario").is_err());
        }
        // The text is before the pixels: it can be read from a file that ends within the pixels.
        let pixels = position(&bytes, b"IDAT").expect("there are pixels");
        assert_eq!(read_text(&bytes[..pixels + 9], "Scenario").expect("readable").as_deref(), Some(SCENARIO));
        assert!(read_text(&bytes[..pixels + 9], "Author").is_err());
        // A text with a stated length of two gigabytes.
        let mut greedy = bytes.clone();
        let length = position(&bytes, b"tEXt").expect("it has a text") - 4;
        greedy[length] = 0x7f;
        assert!(read_text(&greedy, "Scenario").is_err());
    }

    /// The decoder passes over what has a wrong check sum.
    #[test]
    fn a_damaged_text_is_told_and_another_one_does_no_harm() {
        let bytes = encode(&picture(None), &[("Scenario", SCENARIO), ("Title", GREEK)]).expect("written");
        let changed = |what: &[u8], offset: usize| {
            let mut bytes = bytes.clone();
            let at = position(&bytes, what).expect("it is there") + offset;
            bytes[at] ^= 1;
            bytes
        };
        let own = &SCENARIO.as_bytes()[..9];
        // In the text, in its keyword, in the kind of its chunk and in its check sum, before the next length and kind.
        let sum = position(&bytes, b"iTXt").expect("it is there") - 5;
        let kind = position(&bytes, b"tEXt").expect("it is there");
        for damaged in [changed(own, 3), changed(b"Scenario", 2), changed(b"tEXt", sum - kind), changed(b"tEXt", 0)] {
            assert!(matches!(read_text(&damaged, "Scenario"), Err(ReadError::Damaged)));
        }
        let other = changed("θ ~".as_bytes(), 0);
        assert_eq!(read_text(&other, "Scenario").expect("readable").as_deref(), Some(SCENARIO));
        let pixels = encode(&picture(None), &[]).expect("written");
        assert_eq!(read_text(&pixels, "Scenario").expect("readable"), None);
    }

    proptest! {
        #[test]
        fn any_text_is_read_back(text in "[^\0]{0,200}") {
            let bytes = encode(&picture(None), &[("Scenario", &text)]).expect("written");
            prop_assert_eq!(read_text(&bytes, "Scenario").expect("readable"), Some(text));
        }

        #[test]
        fn damaged_files_do_not_panic(at in 0_usize..10_000, byte: u8, cut in 0_usize..10_000) {
            let mut bytes = encode(&picture(None), &[("Scenario", SCENARIO), ("Title", GREEK)]).expect("written");
            let length = bytes.len();
            bytes[at % length] = byte;
            bytes.truncate(length - cut % length);
            for keyword in ["Scenario", "Title", "Author"] {
                if let Ok(Some(text)) = read_text(&bytes, keyword) {
                    prop_assert!(text == SCENARIO || text == GREEK, "a check sum missed {}", text);
                }
            }
        }

        #[test]
        fn random_bytes_are_no_png(bytes: Vec<u8>) {
            prop_assert!(read_text(&bytes, "Scenario").is_err());
        }
    }
}

//! Figures that move: pictures of one size, one after another, as an APNG or a GIF that repeats for ever.
//!
//! An APNG is a PNG whose first picture every program shows; it has all colours. A GIF has 256 colours in each picture, and is shown
//! everywhere. Both have texts such as the scenario: the APNG like a PNG, the GIF as a comment.

use ::gif::{AnyExtension, DisposalMethod, Encoder, Frame, Repeat};

use super::Picture;
use super::png::{self, PngError};

/// How finely the colours of a GIF are chosen, from 1 (slow) to 30.
const SPEED: i32 = 10;

/// Blocks of a GIF (GIF89a, appendix A): an extension, a comment among them, and the first picture.
const EXTENSION: u8 = 0x21;
const COMMENT: u8 = 0xfe;

/// Bytes of the head of a GIF before its table of colours, and the place of the byte that says how long that is.
const HEAD: usize = 13;
const FLAGS: usize = 10;

/// Why a movie cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum MovieError {
    /// There is no picture.
    #[error("a figure that moves has at least one picture")]
    Empty,
    /// The pictures differ in size.
    #[error("the pictures of a figure that moves differ in size")]
    Sizes,
    /// The APNG cannot be written.
    #[error(transparent)]
    Png(#[from] PngError),
    /// The GIF cannot be written.
    #[error("the GIF cannot be written: {0}")]
    Gif(#[from] ::gif::EncodingError),
}

/// An APNG of these pictures, with texts.
///
/// # Errors
/// If there is no picture, if they differ in size, or for texts that PNG does not allow; and errors of the pictures themselves.
pub fn apng<E: From<MovieError>>(
    count: u32,
    pictures: impl IntoIterator<Item = Result<Picture, E>>,
    per_second: u16,
    texts: &[(&str, &str)],
) -> Result<Vec<u8>, E> {
    let mut pictures = pictures.into_iter();
    let first = pictures.next().ok_or(MovieError::Empty)??;
    let (size, mut bytes) = (sides(&first), Vec::new());
    let broken = |error: ::png::EncodingError| E::from(MovieError::Png(PngError::Write(error)));
    let mut encoder = png::encoder(&mut bytes, &first, false, texts).map_err(MovieError::Png)?;
    encoder.set_animated(count, 0).map_err(broken)?;
    encoder.set_frame_delay(1, per_second.max(1)).map_err(broken)?;
    let mut writer = encoder.write_header().map_err(broken)?;
    for picture in [Ok(first)].into_iter().chain(pictures) {
        let picture = picture?;
        if sides(&picture) != size {
            return Err(MovieError::Sizes.into());
        }
        writer.write_image_data(&picture.straight()).map_err(broken)?;
    }
    writer.finish().map_err(broken)?;
    Ok(bytes)
}

/// A GIF of these pictures, with a comment.
///
/// # Errors
/// If there is no picture or if they differ in size; and errors of the pictures themselves.
pub fn gif<E: From<MovieError>>(
    pictures: impl IntoIterator<Item = Result<Picture, E>>,
    per_second: u16,
    comment: &str,
) -> Result<Vec<u8>, E> {
    let mut pictures = pictures.into_iter();
    let first = pictures.next().ok_or(MovieError::Empty)??;
    let size = sides(&first);
    // `FigureSize` allows no longer sides.
    let [width, height] = size.map(|side| u16::try_from(side).unwrap_or(u16::MAX));
    let broken = |error| E::from(MovieError::Gif(error));
    let mut encoder = Encoder::new(Vec::new(), width, height, &[]).map_err(broken)?;
    encoder.write_raw_extension(AnyExtension(COMMENT), &[comment.as_bytes()]).map_err(broken)?;
    encoder.set_repeat(Repeat::Infinite).map_err(broken)?;
    for picture in [Ok(first)].into_iter().chain(pictures) {
        let picture = picture?;
        if sides(&picture) != size {
            return Err(MovieError::Sizes.into());
        }
        let mut frame = Frame::from_rgba_speed(width, height, &mut picture.straight(), SPEED);
        // Hundredths of a second; programs take less than two for a tenth of a second.
        frame.delay = (100 / per_second.max(1)).max(2);
        frame.dispose = DisposalMethod::Background;
        encoder.write_frame(&frame).map_err(broken)?;
    }
    encoder.into_inner().map_err(broken)
}

/// The first comment of a GIF, if there is one before its pictures.
///
/// # Errors
/// If it is no GIF, or if it ends early.
pub fn comment(bytes: &[u8]) -> Result<Option<String>, NoGif> {
    let flags = *bytes.get(FLAGS).filter(|_| bytes.starts_with(b"GIF8")).ok_or(NoGif)?;
    let table = if flags & 0x80 == 0 { 0 } else { 3 << ((flags & 7) + 1) };
    let mut rest = bytes.get(HEAD + table..).ok_or(NoGif)?;
    while let [EXTENSION, kind, after @ ..] = rest {
        let mut data = Vec::new();
        rest = after;
        loop {
            let (&length, blocks) = rest.split_first().ok_or(NoGif)?;
            let (block, after) = blocks.split_at_checked(length.into()).ok_or(NoGif)?;
            rest = after;
            if length == 0 {
                break;
            }
            data.extend_from_slice(block);
        }
        if *kind == COMMENT {
            return Ok(String::from_utf8(data).ok());
        }
    }
    Ok(None)
}

/// A file is no GIF, or only the beginning of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it is not a whole GIF file")]
pub struct NoGif;

fn sides(picture: &Picture) -> [u32; 2] {
    [picture.width(), picture.height()]
}

#[cfg(test)]
mod tests {
    use egui::{Color32, pos2};
    use proptest::prelude::*;

    use super::super::{FigureSize, render};
    use super::*;

    const SCENARIO: &str = "title = \"θ\"\n";

    fn picture(at: f32) -> Result<Picture, MovieError> {
        let size = FigureSize::new(30, 20, 1.0).unwrap();
        Ok(render(
            size,
            Some(Color32::WHITE),
            |_| {},
            |ui| {
                ui.painter().circle_filled(pos2(at, 10.0), 5.0, Color32::from_rgb(200, 30, 60));
            },
        )
        .unwrap())
    }

    fn pictures() -> [Result<Picture, MovieError>; 3] {
        [8.0, 15.0, 22.0].map(picture)
    }

    #[test]
    fn a_gif_has_its_pictures_its_delay_and_its_comment() {
        let long = SCENARIO.repeat(100);
        let bytes = gif(pictures(), 20, &long).unwrap();
        assert_eq!(comment(&bytes), Ok(Some(long)));
        let mut options = ::gif::DecodeOptions::new();
        options.set_color_output(::gif::ColorOutput::RGBA);
        let mut decoder = options.read_info(bytes.as_slice()).unwrap();
        assert_eq!((decoder.width(), decoder.height(), decoder.repeat()), (30, 20, Repeat::Infinite));
        let mut seen = 0;
        for expected in pictures() {
            let frame = decoder.read_next_frame().unwrap().unwrap();
            assert_eq!(frame.delay, 5);
            // Few colours are kept exactly.
            assert_eq!(frame.buffer.as_ref(), expected.unwrap().straight());
            seen += 1;
        }
        assert_eq!((seen, decoder.read_next_frame().unwrap().is_none()), (3, true));
        assert_eq!(bytes, gif(pictures(), 20, &SCENARIO.repeat(100)).unwrap());
    }

    #[test]
    fn an_apng_has_its_pictures_its_delay_and_its_texts() {
        let bytes = apng(3, pictures(), 20, &[("scenario", SCENARIO)]).unwrap();
        assert_eq!(png::read_text(&bytes, "scenario").unwrap().as_deref(), Some(SCENARIO));
        let mut reader = ::png::Decoder::new(std::io::Cursor::new(&bytes)).read_info().unwrap();
        let control = reader.info().animation_control.unwrap();
        assert_eq!((control.num_frames, control.num_plays), (3, 0));
        for expected in pictures() {
            let mut samples = vec![0; reader.output_buffer_size().unwrap()];
            reader.next_frame(&mut samples).unwrap();
            assert_eq!(samples, expected.unwrap().straight());
            let delay = reader.info().frame_control.unwrap();
            assert_eq!((delay.delay_num, delay.delay_den), (1, 20));
        }
    }

    #[test]
    fn no_picture_and_pictures_of_two_sizes_are_errors() {
        let none: [Result<Picture, MovieError>; 0] = [];
        assert!(matches!(gif(none, 20, ""), Err(MovieError::Empty)));
        let other = render(FigureSize::new(10, 20, 1.0).unwrap(), None, |_| {}, |_| {}).unwrap();
        assert!(matches!(apng(2, [picture(8.0), Ok(other)], 20, &[]), Err(MovieError::Sizes)));
    }

    #[test]
    fn what_is_no_gif_is_refused() {
        for broken in [&b""[..], b"GIF89a", b"\x89PNG\r\n\x1a\n             "] {
            assert_eq!(comment(broken), Err(NoGif));
        }
    }

    proptest! {
        #[test]
        fn damaged_files_do_not_panic(at in 0_usize..10_000, byte: u8, cut in 0_usize..10_000) {
            let mut bytes = gif(pictures(), 20, SCENARIO).unwrap();
            let length = bytes.len();
            bytes[at % length] = byte;
            bytes.truncate(length - cut % length);
            drop(comment(&bytes));
        }
    }
}

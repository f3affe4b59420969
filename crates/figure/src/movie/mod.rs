//! Figures that move: pictures of one size, one after another, as an APNG or a GIF that repeats for ever. The last one stays for a moment
//! before the first comes again.
//!
//! An APNG is a PNG whose first picture every program shows; it has all colours. A GIF has 256 colours in each picture, and is shown
//! everywhere. Both have texts such as the scenario: the APNG like a PNG, the GIF as a comment.

mod comment;

use std::fmt::{Debug, Formatter};
use std::io::{self, Write};
use std::mem::take;
use std::sync::{Arc, Mutex, PoisonError};

use ::gif::{AnyExtension, DisposalMethod, Encoder, Frame, Repeat};

use super::Picture;
use super::png::{self, PngError};

use comment::COMMENT;
pub use comment::{NoGif, comment};

/// How finely the colours of a GIF are chosen, from 1 (slow) to 30.
const SPEED: i32 = 10;

/// How long the last picture stays: this many of so many parts of a second.
const HOLD: [u16; 2] = [3, 2];

/// Why a movie cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum MovieError {
    /// There is no picture.
    #[error("a figure that moves has at least one picture")]
    Empty,
    /// There are more or fewer pictures than were announced.
    #[error("the figure has another number of pictures than it was said to have")]
    Count,
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

/// A movie in the making: its pictures are added one after another.
#[derive(Debug)]
pub struct Movie {
    size: [u32; 2],
    /// Pictures that are still to come.
    left: u32,
    writing: Writing,
}

/// What has been written so far.
enum Writing {
    Gif { encoder: Box<Encoder<Vec<u8>>>, delay: u16 },
    Apng { writer: Box<::png::Writer<Shared>>, bytes: Shared },
}

impl Debug for Writing {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Gif { .. } => "Gif",
            Self::Apng { .. } => "Apng",
        })
    }
}

impl Movie {
    /// Begins a GIF of `count` pictures with the first of them, and a comment.
    ///
    /// # Errors
    /// If `count` is 0, or it cannot be written.
    pub fn gif(first: &Picture, count: u32, per_second: u16, comment: &str) -> Result<Self, MovieError> {
        if count == 0 {
            return Err(MovieError::Empty);
        }
        let size = sides(first);
        let [width, height] = short(size);
        let mut encoder = Encoder::new(Vec::new(), width, height, &[])?;
        encoder.write_raw_extension(AnyExtension(COMMENT), &[comment.as_bytes()])?;
        encoder.set_repeat(Repeat::Infinite)?;
        // Hundredths of a second; programs take less than two for a tenth of a second.
        let delay = (100 / per_second.max(1)).max(2);
        let mut movie = Self { size, left: count, writing: Writing::Gif { encoder: Box::new(encoder), delay } };
        movie.add(first)?;
        Ok(movie)
    }

    /// Begins an APNG of `count` pictures with the first of them, and texts.
    ///
    /// # Errors
    /// If `count` is 0, or for texts that PNG does not allow.
    pub fn apng(first: &Picture, count: u32, per_second: u16, texts: &[(&str, &str)]) -> Result<Self, MovieError> {
        if count == 0 {
            return Err(MovieError::Empty);
        }
        let bytes = Shared::default();
        let mut encoder = png::encoder(bytes.clone(), first, false, texts)?;
        encoder.set_animated(count, 0).map_err(broken)?;
        encoder.set_frame_delay(1, per_second.max(1)).map_err(broken)?;
        let writer = Box::new(encoder.write_header().map_err(broken)?);
        let mut movie = Self { size: sides(first), left: count, writing: Writing::Apng { writer, bytes } };
        movie.add(first)?;
        Ok(movie)
    }

    /// Adds the next picture.
    ///
    /// # Errors
    /// If it has another size than the first, or is one too many.
    pub fn add(&mut self, picture: &Picture) -> Result<(), MovieError> {
        if sides(picture) != self.size {
            return Err(MovieError::Sizes);
        }
        let Some(left) = self.left.checked_sub(1) else { return Err(MovieError::Count) };
        self.left = left;
        let is_last = left == 0;
        let [hold, of_second] = HOLD;
        match &mut self.writing {
            Writing::Gif { encoder, delay } => {
                let [width, height] = short(self.size);
                let mut frame = Frame::from_rgba_speed(width, height, &mut picture.straight(), SPEED);
                frame.delay = if is_last { 100 * hold / of_second } else { *delay };
                frame.dispose = DisposalMethod::Background;
                encoder.write_frame(&frame)?;
            }
            Writing::Apng { writer, .. } => {
                if is_last {
                    writer.set_frame_delay(hold, of_second).map_err(broken)?;
                }
                writer.write_image_data(&picture.straight()).map_err(broken)?;
            }
        }
        Ok(())
    }

    /// The file.
    ///
    /// # Errors
    /// If it has fewer pictures than was said.
    pub fn finish(self) -> Result<Vec<u8>, MovieError> {
        match self.writing {
            _ if self.left > 0 => Err(MovieError::Count),
            Writing::Gif { encoder, .. } => Ok(encoder.into_inner()?),
            Writing::Apng { writer, bytes } => {
                writer.finish().map_err(broken)?;
                Ok(bytes.take())
            }
        }
    }
}

/// The sides of a GIF. [`FigureSize`](super::FigureSize) allows no longer ones.
fn short(size: [u32; 2]) -> [u16; 2] {
    size.map(|side| u16::try_from(side).unwrap_or(u16::MAX))
}

fn broken(error: ::png::EncodingError) -> MovieError {
    PngError::Write(error).into()
}

/// Bytes that the writer of an APNG, which does not give them back, writes to.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Shared {
    fn take(&self) -> Vec<u8> {
        take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

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

    fn picture(at: f32) -> Picture {
        let size = FigureSize::new(30, 20, 1.0).unwrap();
        render(
            size,
            Some(Color32::WHITE),
            |_| {},
            |ui| {
                ui.painter().circle_filled(pos2(at, 10.0), 5.0, Color32::from_rgb(200, 30, 60));
            },
        )
        .unwrap()
    }

    fn pictures() -> [Picture; 3] {
        [8.0, 15.0, 22.0].map(picture)
    }

    /// The movie with the second and the third picture added.
    fn whole(movie: Result<Movie, MovieError>) -> Vec<u8> {
        let mut movie = movie.unwrap();
        pictures()[1..].iter().for_each(|picture| movie.add(picture).unwrap());
        movie.finish().unwrap()
    }

    #[test]
    fn a_gif_has_its_pictures_its_delay_and_its_comment() {
        let long = SCENARIO.repeat(100);
        let bytes = whole(Movie::gif(&picture(8.0), 3, 20, &long));
        assert_eq!(comment(&bytes), Ok(Some(long)));
        let mut options = ::gif::DecodeOptions::new();
        options.set_color_output(::gif::ColorOutput::RGBA);
        let mut decoder = options.read_info(bytes.as_slice()).unwrap();
        assert_eq!((decoder.width(), decoder.height(), decoder.repeat()), (30, 20, Repeat::Infinite));
        let mut seen = 0;
        for expected in pictures() {
            let frame = decoder.read_next_frame().unwrap().unwrap();
            // The last one stays for one and a half seconds.
            assert_eq!(frame.delay, if seen < 2 { 5 } else { 150 });
            // Few colours are kept exactly.
            assert_eq!(frame.buffer.as_ref(), expected.straight());
            seen += 1;
        }
        assert_eq!((seen, decoder.read_next_frame().unwrap().is_none()), (3, true));
        assert_eq!(bytes, whole(Movie::gif(&picture(8.0), 3, 20, &SCENARIO.repeat(100))));
    }

    #[test]
    fn an_apng_has_its_pictures_its_delay_and_its_texts() {
        let bytes = whole(Movie::apng(&picture(8.0), 3, 20, &[("scenario", SCENARIO)]));
        assert_eq!(png::read_text(&bytes, "scenario").unwrap().as_deref(), Some(SCENARIO));
        let mut reader = ::png::Decoder::new(std::io::Cursor::new(&bytes)).read_info().unwrap();
        let control = reader.info().animation_control.unwrap();
        assert_eq!((control.num_frames, control.num_plays), (3, 0));
        for (number, expected) in pictures().into_iter().enumerate() {
            let mut samples = vec![0; reader.output_buffer_size().unwrap()];
            reader.next_frame(&mut samples).unwrap();
            assert_eq!(samples, expected.straight());
            let delay = reader.info().frame_control.unwrap();
            assert_eq!((delay.delay_num, delay.delay_den), if number < 2 { (1, 20) } else { (3, 2) });
        }
    }

    #[test]
    fn another_number_of_pictures_and_pictures_of_two_sizes_are_errors() {
        let other = render(FigureSize::new(10, 20, 1.0).unwrap(), None, |_| {}, |_| {}).unwrap();
        assert!(matches!(Movie::apng(&other, 0, 20, &[]), Err(MovieError::Empty)));
        assert!(matches!(Movie::gif(&picture(8.0), 2, 20, "").unwrap().add(&other), Err(MovieError::Sizes)));
        let mut movie = Movie::apng(&picture(8.0), 1, 20, &[]).unwrap();
        assert!(matches!(movie.add(&picture(9.0)), Err(MovieError::Count)));
        let early = Movie::apng(&picture(8.0), 2, 20, &[]).unwrap();
        assert!(matches!(early.finish(), Err(MovieError::Count)));
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
            let mut bytes = whole(Movie::gif(&picture(8.0), 3, 20, SCENARIO));
            let length = bytes.len();
            bytes[at % length] = byte;
            bytes.truncate(length - cut % length);
            drop(comment(&bytes));
        }
    }
}

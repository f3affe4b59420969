//! QR codes (ISO/IEC 18004): a text as a square of dark and light modules, which cameras read.

use qrcode::{Color, EcLevel, QrCode};

/// Light modules that belong around a code, on each side.
pub const QUIET: usize = 4;

/// Levels of error correction, of which the first that has space is taken: 15 or 7 % of a code may be hidden.
const LEVELS: [EcLevel; 2] = [EcLevel::M, EcLevel::L];

/// A QR code without the light margin around it, which is [`QUIET`] modules wide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Qr {
    side: usize,
    dark: Vec<bool>,
}

impl Qr {
    /// The code of a text, of the smallest size that holds it; `None` if no code does: above 2953 bytes, or a few more of digits and
    /// capitals alone.
    #[must_use]
    pub fn of(text: &str) -> Option<Self> {
        let code = LEVELS.into_iter().find_map(|level| QrCode::with_error_correction_level(text, level).ok())?;
        let side = code.width();
        Some(Self { side, dark: code.into_colors().into_iter().map(|color| color == Color::Dark).collect() })
    }

    /// Number of modules along a side, from 21 to 177.
    #[must_use]
    pub fn side(&self) -> usize {
        self.side
    }

    /// Whether the module in column `x` and row `y` is dark, counted from the upper left. Outside of the code all is light.
    #[must_use]
    pub fn is_dark(&self, x: usize, y: usize) -> bool {
        x < self.side && self.dark.get(y * self.side + x).is_some_and(|&dark| dark)
    }
}

#[cfg(test)]
mod tests {
    use rqrr::PreparedImage;

    use super::{QUIET, Qr};

    /// Pixels of a module in the picture that is read.
    const PIXELS: usize = 4;

    /// What another program reads from a picture of the code.
    fn read(qr: &Qr) -> String {
        let side = (qr.side() + 2 * QUIET) * PIXELS;
        let is_dark = |x: usize, y: usize| {
            let module = |pixel: usize| (pixel / PIXELS).checked_sub(QUIET);
            module(x).zip(module(y)).is_some_and(|(x, y)| qr.is_dark(x, y))
        };
        let mut picture = PreparedImage::prepare_from_bitmap(side, side, is_dark);
        picture.detect_grids()[0].decode().unwrap().1
    }

    #[test]
    fn another_program_reads_what_was_written() {
        let fragment = "eNq9VE1v2zAMve9XGD7X".repeat(40);
        let texts = ["http://192.168.1.23:8000/", "HTTP://[2001:DB8::1]:8000/", "θ ← θ + α ∇log p(θ)", "", &fragment];
        for text in texts {
            assert_eq!(read(&Qr::of(text).unwrap()), text);
        }
    }

    #[test]
    fn a_code_is_as_small_as_the_text_allows_and_too_long_a_text_has_none() {
        assert_eq!(Qr::of("http://10.0.0.1").unwrap().side(), 25);
        assert_eq!(Qr::of(&"a".repeat(2953)).unwrap().side(), 177);
        assert_eq!(Qr::of(&"a".repeat(2954)), None);
    }

    #[test]
    fn outside_of_a_code_all_is_light() {
        let qr = Qr::of("x").unwrap();
        // The corner of a finder pattern, and the places beside it.
        assert!(qr.is_dark(0, 0) && qr.is_dark(20, 0) && qr.is_dark(0, 20));
        assert!(!qr.is_dark(21, 0) && !qr.is_dark(0, 21) && !qr.is_dark(usize::MAX, 0));
    }
}

//! Colour maps for densities: from the colour of the paper to darker shades on white and to lighter shades on black.

/// Red, green, blue in sRGB.
pub type Rgb = [u8; 3];

/// Shades in a ramp.
const SHADES: usize = 256;

/// Share of a colour map that is used on white paper, so that coloured draws stay readable on the darkest shade
/// (chosen by eye).
const REACH: f64 = 0.62;

/// Share of a colour map that is used on dark paper.
const DARK_REACH: f64 = 0.5;

/// A sequence of shades that starts at the colour of the paper. The first shades are transparent, so that whatever is
/// drawn below them stays visible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ramp {
    paper: Rgb,
    /// Colour and opacity of each.
    shades: Vec<[u8; 4]>,
}

impl Ramp {
    /// From white paper to slate: Brewer's blues with most of their saturation removed.
    #[must_use]
    pub fn on_light(paper: Rgb) -> Self {
        Self::new(paper, |t| muted(colorous::BLUES.eval_continuous(REACH * t), 0.65))
    }

    /// From dark paper to a bright grey-blue, from the same blues.
    #[must_use]
    pub fn on_dark(paper: Rgb) -> Self {
        Self::new(paper, |t| muted(colorous::BLUES.eval_continuous(1.0 - DARK_REACH * t), 0.65))
    }

    fn new(paper: Rgb, map: impl Fn(f64) -> Rgb) -> Self {
        /// The share of the ramp over which shades become opaque.
        const APPROACH: f64 = 0.35;
        let shade = |index: usize| {
            let [r, g, b] = map(fraction(index));
            [r, g, b, byte(255.0 * (fraction(index) / APPROACH).min(1.0))]
        };
        Self { paper, shades: (0..SHADES).map(shade).collect() }
    }

    /// Colour and opacity (not premultiplied) at `level` between 0 (nothing) and 1.
    #[must_use]
    #[expect(clippy::cast_sign_loss, reason = "clamped to the shades there are")]
    pub fn rgba(&self, level: f64) -> [u8; 4] {
        let last = SHADES - 1;
        let index = (level.clamp(0.0, 1.0) * as_f64(last)).round() as usize;
        self.shades[index.min(last)]
    }

    /// The colour at `level` on the bare paper.
    #[must_use]
    pub fn shade(&self, level: f64) -> Rgb {
        let [r, g, b, opacity] = self.rgba(level);
        mixed(self.paper, [r, g, b], f64::from(opacity) / 255.0)
    }
}

/// Linear interpolation: `from` at share 0, `to` at share 1.
fn mixed(from: Rgb, to: Rgb, share: f64) -> Rgb {
    std::array::from_fn(|i| byte(f64::from(from[i]) * (1.0 - share) + f64::from(to[i]) * share))
}

#[expect(clippy::cast_sign_loss, reason = "clamped to bytes")]
fn byte(value: f64) -> u8 {
    value.round().clamp(0.0, 255.0) as u8
}

/// The colour with `share` of it replaced by the grey of the same luma.
fn muted(colour: colorous::Color, share: f64) -> Rgb {
    let colour = colour.into_array();
    mixed(colour, [byte(luma(colour)); 3], share)
}

/// Luma of an sRGB colour, from 0 to 255 (ITU-R BT.601).
#[must_use]
pub fn luma([r, g, b]: Rgb) -> f64 {
    0.299 * f64::from(r) + 0.587 * f64::from(g) + 0.114 * f64::from(b)
}

/// Linear light of a part of an sRGB colour, from 0 to 1 (IEC 61966-2-1).
#[must_use]
pub fn linear(part: u8) -> f64 {
    let value = f64::from(part) / 255.0;
    if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
}

fn fraction(index: usize) -> f64 {
    as_f64(index) / as_f64(SHADES - 1)
}

fn as_f64(index: usize) -> f64 {
    index as f64
}

/// CIE lightness L* of an sRGB colour, from 0 (black) to 100 (white).
#[must_use]
pub fn lightness(colour: Rgb) -> f64 {
    let luminance = 0.2126 * linear(colour[0]) + 0.7152 * linear(colour[1]) + 0.0722 * linear(colour[2]);
    if luminance > 216.0 / 24389.0 { 116.0 * luminance.cbrt() - 16.0 } else { luminance * 24389.0 / 27.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shades(ramp: &Ramp) -> Vec<f64> {
        (0..SHADES).map(|index| lightness(ramp.shade(fraction(index)))).collect()
    }

    #[test]
    fn lightness_of_known_colours() {
        assert!((lightness([255; 3]) - 100.0).abs() < 1e-9);
        assert!(lightness([0; 3]).abs() < 1e-9);
        assert!((lightness([119; 3]) - 50.03).abs() < 0.01, "sRGB 119 is the middle grey of CIE L*");
    }

    #[test]
    fn on_white_the_ramp_starts_at_the_paper_and_only_darkens() {
        let ramp = Ramp::on_light([255; 3]);
        assert_eq!(ramp.shade(0.0), [255; 3]);
        assert!(shades(&ramp).windows(2).all(|pair| pair[1] <= pair[0] + 0.2));
        assert!(shades(&ramp)[SHADES - 1] < 65.0);
    }

    #[test]
    fn on_black_the_ramp_starts_at_the_paper_and_only_brightens() {
        let ramp = Ramp::on_dark([18, 20, 24]);
        assert_eq!(ramp.shade(0.0), [18, 20, 24]);
        assert!(shades(&ramp).windows(2).all(|pair| pair[1] >= pair[0] - 0.2));
        assert!(shades(&ramp)[SHADES - 1] > 45.0);
    }

    #[test]
    fn levels_beyond_the_ends_are_clamped() {
        let ramp = Ramp::on_light([255; 3]);
        assert_eq!(ramp.shade(-1.0), ramp.shade(0.0));
        assert_eq!(ramp.shade(7.0), ramp.shade(1.0));
        assert_eq!(ramp.shade(f64::NAN), ramp.shade(0.0));
    }
}

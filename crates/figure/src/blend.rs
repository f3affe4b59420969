//! Alpha blending of one pixel: premultiplied source over premultiplied destination, in gamma space.
//!
//! `out = source + destination · (1 − source alpha)`, for the three colours and for alpha alike, rounded to the
//! nearest of 256 levels and clamped. egui's own painter blends in the same way on the graphics card
//! (`ONE, ONE_MINUS_SRC_ALPHA`), and adds dithering, which would be noise in a figure.

/// Red, green, blue, alpha; premultiplied, gamma-encoded, 0–255.
pub(super) type Pixel = [u8; 4];

/// The largest level of a channel, for arithmetic in floating point.
pub(super) const FULL: f32 = 255.0;

/// Blends one colour over every pixel of `row`.
///
/// The rounding is exact: `(t + (t >> 8)) >> 8` with `t = x·y + 128` is `x·y/255` rounded to nearest for all bytes
/// x and y, and fits into sixteen bits, so that the compiler can vectorise the loop.
pub(super) fn constant_over(row: &mut [Pixel], source: Pixel) {
    match source {
        [_, _, _, u8::MAX] => row.fill(source),
        [0, 0, 0, 0] => {}
        [_, _, _, alpha] => {
            let keep = u16::from(u8::MAX - alpha);
            for pixel in row {
                for (out, add) in pixel.iter_mut().zip(source) {
                    let kept = u16::from(*out) * keep + 128;
                    *out = (((kept + (kept >> 8)) >> 8) as u8).saturating_add(add);
                }
            }
        }
    }
}

/// Blends a colour with fractional levels (each 0–255, slightly outside allowed) over one pixel.
#[inline]
pub(super) fn over(pixel: &mut Pixel, source: [f32; 4]) {
    let keep = 1.0 - source[3] * (1.0 / FULL);
    for (out, add) in pixel.iter_mut().zip(source) {
        *out = nearest_level(add + f32::from(*out) * keep);
    }
}

/// Clamps to 0–255 and rounds to the nearest integer.
///
/// Adding 2²³ leaves the rounded integer in the low bits of the significand. A cast would do the same with a check for
/// every value, which prevents the compiler from vectorising over the four channels.
#[inline]
fn nearest_level(level: f32) -> u8 {
    const TWO_TO_23: f32 = 8_388_608.0;
    (level.clamp(0.0, FULL) + TWO_TO_23).to_bits() as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `source + destination·(255 − alpha)/255` in exact integers, rounded to nearest.
    fn by_hand(destination: u8, source: u8, alpha: u8) -> u8 {
        let kept = (2 * u32::from(destination) * u32::from(255 - alpha) + 255) / 510;
        u8::try_from(kept + u32::from(source)).unwrap_or(u8::MAX)
    }

    #[test]
    fn both_paths_agree_with_exact_arithmetic_for_every_destination_and_alpha() {
        for alpha in 0..=u8::MAX {
            let source = [alpha, alpha / 2, 0, alpha];
            for destination in 0..=u8::MAX {
                let expected = source.map(|s| by_hand(destination, s, alpha));
                let mut flat = [[destination; 4]];
                constant_over(&mut flat, source);
                assert_eq!(flat[0], expected, "{source:?} over {destination}");
                let mut fractional = [destination; 4];
                over(&mut fractional, source.map(f32::from));
                assert_eq!(fractional, expected, "{source:?} over {destination}");
            }
        }
    }

    #[test]
    fn additive_colours_saturate() {
        let mut row = [[200, 200, 200, 255]];
        constant_over(&mut row, [100, 10, 0, 0]);
        assert_eq!(row[0], [255, 210, 200, 255]);
        over(&mut row[0], [0.0, 100.0, -3.0, 0.0]);
        assert_eq!(row[0], [255, 255, 197, 255]);
    }
}

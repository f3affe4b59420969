//! Whether two colours can be told apart with a colour vision deficiency, and in print without colour.
//!
//! Colours are simulated for dichromats as in Machado, Oliveira and Fernandes (2009), "A physiologically-based model for simulation of color
//! vision deficiency", IEEE TVCG 15(6), at severity 1, and compared in CIELAB by their Euclidean distance.

use egui::Color32;

use super::Theme;
use crate::geometry::linear;

/// A way to see colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vision {
    /// Without red cones.
    Protanopia,
    /// Without green cones.
    Deuteranopia,
    /// In print or on a screen without colour.
    Grey,
}

impl Vision {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Protanopia, Self::Deuteranopia, Self::Grey];

    /// Where colours are seen so.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Protanopia => "with protanopia (no red cones)",
            Self::Deuteranopia => "with deuteranopia (no green cones)",
            Self::Grey => "in print without colour",
        }
    }

    /// Distance in CIELAB below which small marks and thin lines look alike (chosen by eye: the palettes of Okabe and Ito, of Tol and cividis keep
    /// 16, red and green of plotting programs have 7 to 13; in grey the three colours of Tol's high contrast keep 20).
    fn least(self) -> f64 {
        if self == Self::Grey { 10.0 } else { 15.0 }
    }

    /// A colour in CIELAB as it is seen.
    fn seen(self, colour: Color32) -> [f64; 3] {
        let plain = [colour.r(), colour.g(), colour.b()].map(linear);
        match self {
            Self::Protanopia => lab(turned(&PROTANOPIA, plain)),
            Self::Deuteranopia => lab(turned(&DEUTERANOPIA, plain)),
            Self::Grey => [lab(plain)[0], 0.0, 0.0],
        }
    }

    /// Distance of two colours in CIELAB as they are seen.
    #[must_use]
    pub fn distance(self, one: Color32, other: Color32) -> f64 {
        let (one, other) = (self.seen(one), self.seen(other));
        (0..3).map(|part| (one[part] - other[part]).powi(2)).sum::<f64>().sqrt()
    }
}

/// Table 1 of Machado et al. (2009), severity 1.
const PROTANOPIA: [[f64; 3]; 3] =
    [[0.152_286, 1.052_583, -0.204_868], [0.114_503, 0.786_281, 0.099_216], [-0.003_882, -0.048_116, 1.051_998]];
const DEUTERANOPIA: [[f64; 3]; 3] =
    [[0.367_322, 0.860_646, -0.227_968], [0.280_085, 0.672_501, 0.047_413], [-0.011_820, 0.042_940, 0.968_881]];

/// Linear red, green and blue to XYZ of the white D65, each divided by that of white (IEC 61966-2-1).
const XYZ: [[f64; 3]; 3] = [
    [0.412_456_4 / 0.950_47, 0.357_576_1 / 0.950_47, 0.180_437_5 / 0.950_47],
    [0.212_672_9, 0.715_152_2, 0.072_175_0],
    [0.019_333_9 / 1.088_83, 0.119_192_0 / 1.088_83, 0.950_304_1 / 1.088_83],
];

fn turned(matrix: &[[f64; 3]; 3], colour: [f64; 3]) -> [f64; 3] {
    matrix.map(|row| row.iter().zip(colour).map(|(weight, part)| weight * part).sum::<f64>().clamp(0.0, 1.0))
}

/// CIELAB of linear red, green and blue.
fn lab(colour: [f64; 3]) -> [f64; 3] {
    let root = |part: f64| if part > 0.008_856 { part.cbrt() } else { 7.787 * part + 16.0 / 116.0 };
    let [x, y, z] = turned(&XYZ, colour).map(root);
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

impl Theme {
    /// The first pair among so many runs that looks alike in some way, with that way: neither colour nor marker tells them apart.
    #[must_use]
    pub fn alike(&self, runs: usize) -> Vec<(usize, usize, Vision)> {
        self.near(runs, true, &Vision::ALL)
    }

    /// The pairs among so many runs whose colours look alike to some people, and in print if that is asked for, so that their markers alone
    /// tell them apart, and that not on lines, which are broken alike.
    #[must_use]
    pub fn told_by_markers(&self, runs: usize, print: bool) -> Vec<(usize, usize, Vision)> {
        let ways = if print { &Vision::ALL[..] } else { &[Vision::Protanopia, Vision::Deuteranopia] };
        let broken_alike = |(one, other, _): &(usize, usize, Vision)| self.run(*one).dash == self.run(*other).dash;
        self.near(runs, false, ways).into_iter().filter(broken_alike).collect()
    }

    /// The pairs among so many runs, with the same marker or with different ones, whose colours look alike in one of some ways.
    fn near(&self, runs: usize, same: bool, ways: &[Vision]) -> Vec<(usize, usize, Vision)> {
        let pairs = (0..runs).flat_map(|run| (0..run).map(move |other| (other, run)));
        let asked = |pair: &(usize, usize)| (self.run(pair.0).marker == self.run(pair.1).marker) == same;
        let seen = |(one, other): (usize, usize)| {
            let near = |vision: &Vision| vision.distance(self.run(one).colour, self.run(other).colour) < vision.least();
            ways.iter().copied().find(near).map(|vision| (one, other, vision))
        };
        pairs.filter(asked).filter_map(seen).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theme::{Appearance, Scale, hex};

    /// CIELAB of sRGB primaries (Lindbloom's calculator, D65), and that grey is only lightness.
    #[test]
    fn colours_in_cielab_are_those_of_tables() {
        for (colour, expected) in [
            (0xFF0000, [53.24, 80.09, 67.20]),
            (0x00FF00, [87.73, -86.18, 83.18]),
            (0x0000FF, [32.30, 79.19, -107.86]),
            (0xFFFFFF, [100.0, 0.0, 0.0]),
        ] {
            let colour: Color32 = hex(colour);
            let found = lab([colour.r(), colour.g(), colour.b()].map(linear));
            assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 0.05), "{found:?} {expected:?}");
        }
        assert!(Vision::Grey.distance(hex(0x808080), hex(0x808080)) < 1e-9);
    }

    /// White and greys look the same to all; red and green do not.
    #[test]
    fn red_and_green_are_alike_without_green_cones() {
        for vision in [Vision::Protanopia, Vision::Deuteranopia] {
            for grey in [0x000000, 0x777777, 0xFFFFFF] {
                let seen = vision.seen(hex(grey));
                assert!(seen[1].abs() < 0.5 && seen[2].abs() < 0.5, "{vision:?} sees {seen:?}");
            }
        }
        assert!(Vision::Deuteranopia.distance(hex(0xD62728), hex(0x2CA02C)) < Vision::Deuteranopia.least());
        assert!(Vision::Deuteranopia.distance(hex(0xD55E00), hex(0x0072B2)) > 40.0);
    }

    #[test]
    fn markers_tell_apart_what_colours_do_not() {
        let mut theme = Theme::new(Appearance::Light, Scale::Screen);
        assert!(theme.alike(8).is_empty(), "markers of runs differ");
        theme.runs[1].colour = hex(0x2CA02C);
        theme.runs[0].colour = hex(0xD62728);
        assert!(theme.alike(2).is_empty());
        assert_eq!(theme.told_by_markers(2, false), [(0, 1, Vision::Deuteranopia)]);
        theme.runs[1].dash = crate::theme::Dash::Dashed;
        assert!(theme.told_by_markers(2, false).is_empty(), "dashes tell lines apart");
        theme.runs[1].dash = theme.runs[0].dash;
        theme.runs[1].marker = theme.runs[0].marker;
        assert_eq!(theme.alike(2), [(0, 1, Vision::Deuteranopia)]);
        theme.runs[1].colour = hex(0x000000);
        assert!(theme.alike(2).is_empty());
    }

    /// Palettes that are said to be safe keep their distance, and a red and a green of one lightness do not.
    #[test]
    fn safe_colours_pass_and_red_beside_green_does_not() {
        let near = |vision: Vision, one: u32, other: u32| vision.distance(hex(one), hex(other)) < vision.least();
        assert!(near(Vision::Deuteranopia, 0xCC4433, 0x228833));
        let okabe_ito = [0xD55E00, 0x0072B2, 0x009E73, 0xCC79A7, 0xE69F00, 0x56B4E9, 0x000000, 0xF0E442];
        let tol = [0x4477AA, 0xEE6677, 0x228833, 0xCCBB44, 0x66CCEE, 0xAA3377, 0xBBBBBB];
        for palette in [&okabe_ito[..], &tol] {
            for (number, one) in palette.iter().enumerate() {
                for other in &palette[..number] {
                    for vision in [Vision::Protanopia, Vision::Deuteranopia] {
                        assert!(!near(vision, *one, *other), "{one:06x} {other:06x} {vision:?}");
                    }
                }
            }
        }
    }
}

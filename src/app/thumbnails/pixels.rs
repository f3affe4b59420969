//! Small pictures: densities as shades or as the area under a curve, and functions with their data.

use egui::{Color32, ColorImage};

use base::math::{Bounds, Point};
use draw::geometry::DensityImage;
use draw::theme::Theme;
use models::targets::Regression;

/// The shade of the area under a curve, and the height of its peak as a share of the picture (chosen by eye).
const CURVE_SHADE: f64 = 0.7;
const CURVE_HEIGHT: f64 = 0.85;

/// Half the width of the line of a function and the radius of a datum, in pixels, and the margin above and below the data as a
/// share of their range (chosen by eye).
const LINE: f64 = 0.3;
const DOT: f64 = 1.1;
const MARGIN: f64 = 0.25;

/// The window of a picture of a function: its data, with a margin.
pub(super) fn window(regression: &dyn Regression) -> Bounds {
    let data = regression.observations().iter();
    let (low, high) = data.fold((0.0_f64, 0.0_f64), |(low, high), y| (low.min(*y), high.max(*y)));
    let margin = MARGIN * (high - low);
    Bounds::new(regression.shown(), (low - margin, high + margin))
}

/// Data as dots, around the line of a function if there is one, as if both were densities.
pub(super) fn function(regression: &dyn Regression, weights: Option<&[f64]>, cells: [usize; 2]) -> DensityImage {
    let data: Vec<[f64; 2]> =
        regression.inputs().iter().zip(regression.observations()).map(|(x, y)| [*x, *y]).collect();
    let window = window(regression);
    let cell = (window.max - window.min).component_div(&Point::new(cells[0] as f64, cells[1] as f64));
    DensityImage::by(window, cells[0], cells[1], |at| {
        let away = |weights: &[f64]| ((at.y - regression.value(weights, at.x)) / cell.y).abs() - LINE;
        let line = weights.map_or(f64::INFINITY, away);
        let dot = |datum: &[f64; 2]| (at - Point::from(*datum)).component_div(&cell).norm() - DOT;
        let distance = data.iter().map(dot).fold(line, f64::min);
        -distance.max(0.0).powi(2)
    })
}

/// A density as a picture: shades, or of one that is `flat`, a density of x alone, the area under its curve.
#[must_use]
pub fn pixels(image: &DensityImage, cells: [usize; 2], theme: &Theme, flat: bool) -> ColorImage {
    if flat { curve(image, cells, theme) } else { shades(image, cells, theme) }
}

pub(super) fn shades(image: &DensityImage, cells: [usize; 2], theme: &Theme) -> ColorImage {
    ColorImage::from_rgba_unmultiplied(cells, &image.rgba(&theme.ramp))
}

/// A density of x alone as the area under its curve.
pub(super) fn curve(image: &DensityImage, cells: [usize; 2], theme: &Theme) -> ColorImage {
    let [columns, rows] = cells;
    let [r, g, b] = theme.ramp.shade(CURVE_SHADE);
    let pixel = |index: usize| {
        let height = image.relative(index % columns) * CURVE_HEIGHT * rows as f64;
        let from_below = (rows - index / columns) as f64;
        if from_below <= height { Color32::from_rgb(r, g, b) } else { Color32::TRANSPARENT }
    };
    ColorImage::new(cells, (0..columns * rows).map(pixel).collect())
}

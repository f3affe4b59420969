//! Gallery of targets: a small picture of each target's density at its defaults, drawn in the background once it is first looked at.

mod lessons;
mod topics;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use egui::{Color32, ColorImage, Context, TextureHandle, TextureOptions};

use base::math::{Bounds, Point};
use base::params::{KindSpec, Settings};
use draw::scene::DensityImage;
use draw::theme::{Appearance, Theme};
use models::targets::{self, Regression, Target};

pub use lessons::{LessonPicture, LessonPictures};

/// The shade of the area under a curve, and the height of its peak as a share of the picture (chosen by eye).
const CURVE_SHADE: f64 = 0.7;
const CURVE_HEIGHT: f64 = 0.85;

/// Width and height of a picture, in pixels.
const CELLS: [usize; 2] = [56, 42];

/// Half the width of the line of a function and the radius of a datum, in pixels, and the margin above and below the data as a
/// share of their range (chosen by eye).
const LINE: f64 = 0.3;
const DOT: f64 = 1.1;
const MARGIN: f64 = 0.25;

/// The density of one target at its defaults.
#[derive(Debug)]
pub struct Thumbnail {
    kind: &'static str,
    /// `None` for a target that cannot be built from its defaults.
    picture: Option<Picture>,
}

/// The density of a target.
#[derive(Debug)]
struct Picture {
    image: DensityImage,
    /// Whether it is a density of x alone.
    flat: bool,
}

/// The pictures drawn so far.
#[derive(Default)]
pub struct Gallery {
    densities: BTreeMap<&'static str, Picture>,
    /// The targets that have been looked at, and those of them that nobody draws yet.
    looked_at: BTreeSet<&'static str>,
    missing: Vec<&'static KindSpec>,
    textures: BTreeMap<&'static str, TextureHandle>,
    /// The pictures of the lessons.
    pub lessons: LessonPictures,
    appearance: Appearance,
}

impl std::fmt::Debug for Gallery {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Gallery").field("kinds", &self.densities.keys()).finish_non_exhaustive()
    }
}

impl Gallery {
    /// Adds a picture.
    pub fn add(&mut self, thumbnail: Thumbnail) {
        if let Some(picture) = thumbnail.picture {
            self.textures.remove(thumbnail.kind);
            self.densities.insert(thumbnail.kind, picture);
        }
    }

    /// The targets that have been looked at and have no picture, each once.
    pub fn missing(&mut self) -> Vec<&'static KindSpec> {
        std::mem::take(&mut self.missing)
    }

    /// The picture of a target in the colours of the theme, if it is drawn already.
    pub fn texture(&mut self, context: &Context, theme: &Theme, spec: &'static KindSpec) -> Option<&TextureHandle> {
        let kind = spec.name;
        if self.looked_at.insert(kind) {
            self.missing.push(spec);
        }
        if self.appearance != theme.mode {
            self.textures.clear();
            self.appearance = theme.mode;
        }
        let picture = self.densities.get(kind)?;
        let texture = self.textures.entry(kind).or_insert_with(|| {
            let pixels = pixels(&picture.image, CELLS, theme, picture.flat);
            context.load_texture(kind, pixels, TextureOptions::LINEAR)
        });
        Some(texture)
    }
}

/// Draws the picture of a target.
#[must_use]
pub fn thumbnail(kind: &'static KindSpec) -> Thumbnail {
    let target = targets::build(&Settings::defaults(kind), Path::new(".")).ok();
    let picture = target.map(|target| Picture { image: image(target.as_ref()), flat: target.info().dimension == 1 });
    Thumbnail { kind: kind.name, picture }
}

/// The density of a target; the true topics of documents; of a network, whose density in the plane is not known, its data and a function that fits them.
fn image(target: &Target) -> DensityImage {
    if let Some(model) = target.topics() {
        return topics::image(model, None, CELLS);
    }
    if let Some(density) = target.density() {
        return DensityImage::of(density.as_ref(), target.info().view, CELLS[0], CELLS[1]);
    }
    match target.regression().zip(target.model().mode()) {
        Some((regression, weights)) => function(regression, Some(weights), CELLS),
        None => DensityImage::by(target.info().view, CELLS[0], CELLS[1], |_| f64::NAN),
    }
}

/// The window of a picture of a function: its data, with a margin.
fn window(regression: &dyn Regression) -> Bounds {
    let data = regression.observations().iter();
    let (low, high) = data.fold((0.0_f64, 0.0_f64), |(low, high), y| (low.min(*y), high.max(*y)));
    let margin = MARGIN * (high - low);
    Bounds::new(regression.shown(), (low - margin, high + margin))
}

/// Data as dots, around the line of a function if there is one, as if both were densities.
fn function(regression: &dyn Regression, weights: Option<&[f64]>, cells: [usize; 2]) -> DensityImage {
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

fn shades(image: &DensityImage, cells: [usize; 2], theme: &Theme) -> ColorImage {
    ColorImage::from_rgba_unmultiplied(cells, &image.rgba(&theme.ramp))
}

/// A density of x alone as the area under its curve.
#[expect(clippy::cast_precision_loss, reason = "a few dozen pixels")]
fn curve(image: &DensityImage, cells: [usize; 2], theme: &Theme) -> ColorImage {
    let [columns, rows] = cells;
    let [r, g, b] = theme.ramp.shade(CURVE_SHADE);
    let pixel = |index: usize| {
        let height = image.relative(index % columns) * CURVE_HEIGHT * rows as f64;
        let from_below = (rows - index / columns) as f64;
        if from_below <= height { Color32::from_rgb(r, g, b) } else { Color32::TRANSPARENT }
    };
    ColorImage::new(cells, (0..columns * rows).map(pixel).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use models::targets::TARGETS;

    /// No picture is blank or a single dot: from 1 to 95 % of its cells are above a hundredth of the peak.
    #[test]
    fn the_picture_of_every_target_shows_its_density() {
        for kind in &TARGETS {
            let picture = thumbnail(kind).picture.unwrap_or_else(|| panic!("{} has no picture", kind.name));
            let cells = CELLS[0] * CELLS[1];
            let dark = (0..cells).filter(|cell| picture.image.relative(*cell) > 0.01).count();
            assert!((cells / 100..cells * 95 / 100).contains(&dark), "{}: {dark} of {cells}", kind.name);
        }
    }
}

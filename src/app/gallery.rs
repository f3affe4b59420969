//! Gallery of targets: a small picture of each target's density at its defaults, drawn once in the background.

mod lessons;

use std::collections::BTreeMap;
use std::path::Path;

use egui::{Color32, ColorImage, Context, TextureHandle, TextureOptions};

use crate::draw::theme::{Appearance, Theme};
use crate::params::{KindSpec, Settings};
use crate::scene::DensityImage;
use crate::targets;

pub use lessons::{LessonPicture, LessonPictures};

/// The shade of the area under a curve, and the height of its peak as a share of the picture (chosen by eye).
const CURVE_SHADE: f64 = 0.7;
const CURVE_HEIGHT: f64 = 0.85;

/// Width and height of a picture, in pixels.
const CELLS: [usize; 2] = [56, 42];

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

    /// The picture of a target in the colours of the theme, if it is drawn already.
    pub fn texture(&mut self, context: &Context, theme: &Theme, kind: &'static str) -> Option<&TextureHandle> {
        if self.appearance != theme.mode {
            self.textures.clear();
            self.appearance = theme.mode;
        }
        let picture = self.densities.get(kind)?;
        let texture = self.textures.entry(kind).or_insert_with(|| {
            let pixels =
                if picture.flat { curve(&picture.image, CELLS, theme) } else { shades(&picture.image, CELLS, theme) };
            context.load_texture(kind, pixels, TextureOptions::LINEAR)
        });
        Some(texture)
    }
}

/// Draws the picture of a target.
#[must_use]
pub fn thumbnail(kind: &'static KindSpec) -> Thumbnail {
    let target = targets::build(&Settings::defaults(kind), Path::new(".")).ok();
    let picture = target.map(|target| Picture {
        image: DensityImage::of(target.as_ref(), target.info().view, CELLS[0], CELLS[1]),
        flat: target.info().dimension == 1,
    });
    Thumbnail { kind: kind.name, picture }
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
    use crate::targets::TARGETS;

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

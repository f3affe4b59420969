//! Small pictures of all targets, made in the background once.

use std::collections::BTreeMap;
use std::path::Path;

use egui::{Color32, ColorImage, Context, TextureHandle, TextureOptions};

use super::tasks::{Done, Tasks};
use crate::draw::theme::{Appearance, Theme};
use crate::params::Settings;
use crate::scene::DensityImage;
use crate::targets::{self, TARGETS};

/// The name of the task that makes the pictures.
pub const TASK: &str = "drawing the gallery";

/// The shade of the area under a curve, and how much of the picture its peak takes up (chosen by eye).
const CURVE_SHADE: f64 = 0.7;
const CURVE_HEIGHT: f64 = 0.85;

/// Cells across and down a picture.
pub const CELLS: [usize; 2] = [56, 42];

/// The density of one target at its defaults.
#[derive(Debug)]
pub struct Thumbnail {
    kind: &'static str,
    /// `None` for a target whose defaults do not make one.
    picture: Option<Picture>,
}

/// A density, and whether it is one of x alone.
#[derive(Debug)]
struct Picture {
    image: DensityImage,
    flat: bool,
}

/// The pictures that have been made so far.
#[derive(Default)]
pub struct Gallery {
    densities: BTreeMap<&'static str, Picture>,
    textures: BTreeMap<&'static str, TextureHandle>,
    mode: Appearance,
}

impl std::fmt::Debug for Gallery {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Gallery").field("kinds", &self.densities.keys()).finish_non_exhaustive()
    }
}

impl Gallery {
    /// Begins to make the pictures.
    pub fn start(tasks: &mut Tasks) {
        tasks.stream(TASK, |round| TARGETS.get(round).map(|kind| Done::Thumbnail(draw(kind))));
    }

    /// Takes in a picture.
    pub fn add(&mut self, thumbnail: Thumbnail) {
        if let Some(picture) = thumbnail.picture {
            self.textures.remove(thumbnail.kind);
            self.densities.insert(thumbnail.kind, picture);
        }
    }

    /// The picture of a target in the colours of the theme, if it has been made.
    pub fn texture(&mut self, context: &Context, theme: &Theme, kind: &'static str) -> Option<&TextureHandle> {
        if self.mode != theme.mode {
            self.textures.clear();
            self.mode = theme.mode;
        }
        let picture = self.densities.get(kind)?;
        let texture = self.textures.entry(kind).or_insert_with(|| {
            let pixels = if picture.flat { curve(&picture.image, theme) } else { shades(&picture.image, theme) };
            context.load_texture(kind, pixels, TextureOptions::LINEAR)
        });
        Some(texture)
    }
}

fn draw(kind: &'static crate::params::KindSpec) -> Thumbnail {
    let target = targets::build(&Settings::defaults(kind), Path::new(".")).ok();
    let picture = target.map(|target| Picture {
        image: DensityImage::of(target.as_ref(), target.info().view, CELLS[0], CELLS[1]),
        flat: target.info().dimension == 1,
    });
    Thumbnail { kind: kind.name, picture }
}

fn shades(image: &DensityImage, theme: &Theme) -> ColorImage {
    ColorImage::from_rgba_unmultiplied(CELLS, &image.rgba(&theme.ramp))
}

/// A density of x as the area under its curve.
#[expect(clippy::cast_precision_loss, reason = "a few dozen pixels")]
fn curve(image: &DensityImage, theme: &Theme) -> ColorImage {
    let [columns, rows] = CELLS;
    let [r, g, b] = theme.ramp.shade(CURVE_SHADE);
    let pixel = |index: usize| {
        let height = image.relative(index % columns) * CURVE_HEIGHT * rows as f64;
        let from_below = (rows - index / columns) as f64;
        if from_below <= height { Color32::from_rgb(r, g, b) } else { Color32::TRANSPARENT }
    };
    ColorImage::new(CELLS, (0..columns * rows).map(pixel).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Neither a blank tile nor a dot: from 1 to 95 % of a picture is darker than a hundredth of the peak.
    #[test]
    fn every_target_has_a_picture_on_which_something_is_to_be_seen() {
        for kind in &TARGETS {
            let picture = draw(kind).picture.unwrap_or_else(|| panic!("{} has no picture", kind.name));
            let cells = CELLS[0] * CELLS[1];
            let dark = (0..cells).filter(|cell| picture.image.relative(*cell) > 0.01).count();
            assert!((cells / 100..cells * 95 / 100).contains(&dark), "{}: {dark} of {cells}", kind.name);
        }
    }
}

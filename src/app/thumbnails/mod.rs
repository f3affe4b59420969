//! Small pictures of targets and lessons: of each target's density at its defaults, drawn in the background once it is first looked at.

mod lessons;
mod pixels;
mod topics;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use egui::{Context, TextureHandle, TextureOptions};

use base::params::{KindSpec, Settings};
use draw::geometry::DensityImage;
use draw::theme::{Appearance, Theme};
use models::families::{FUNCTIONS, Family, TOPICS};
use models::targets::{self, Target};

pub use lessons::{LessonPicture, LessonPictures};
use pixels::function;
pub use pixels::pixels;

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

type PictureOf = fn(&Target) -> Option<DensityImage>;

/// The pictures of families whose density in the plane is not known, one line each: the true topics of documents; the data of a network
/// and a function that fits them.
static PICTURES: &[(&Family, PictureOf)] =
    &[(&TOPICS, |target| Some(topics::image(target.topics()?, None, CELLS))), (&FUNCTIONS, fitted)];

fn fitted(target: &Target) -> Option<DensityImage> {
    Some(function(target.regression()?, Some(target.model()?.mode()?), CELLS))
}

/// The picture of the family of a target, or its density.
fn image(target: &Target) -> DensityImage {
    let view = target.info().view;
    let own = PICTURES.iter().find(|(family, _)| *family == target.family()).and_then(|(_, draw)| draw(target));
    let density = || Some(DensityImage::of(target.density()?.as_ref(), view, CELLS[0], CELLS[1]));
    own.or_else(density).unwrap_or_else(|| DensityImage::by(view, CELLS[0], CELLS[1], |_| f64::NAN))
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

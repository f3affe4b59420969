//! Textures of egui: stored, patched, freed, and sampled as by a graphics card.
//!
//! Texture coordinates become fixed-point texels with 24 fractional bits, of which sampling uses the upper eight, as on
//! graphics cards. A glyph whose texels coincide with pixels is therefore exact, whatever the rounding error of its
//! coordinates. Mipmaps are ignored, as by most of egui's painters.

use std::collections::HashMap;
use std::sync::Arc;

use egui::epaint::ImageDelta;
use egui::epaint::textures::TexturesDelta;
use egui::{Color32, ColorImage, ImageData, TextureFilter, TextureId, TextureOptions, TextureWrapMode};

use super::blend::Pixel;

/// Why a texture cannot be changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TextureError {
    /// The number of pixels is not width × height.
    #[error("texture {id:?}: an image of {width}×{height} has {pixels} pixels")]
    PixelCount {
        /// The texture.
        id: TextureId,
        /// Texels per row.
        width: usize,
        /// Rows.
        height: usize,
        /// Number of pixels.
        pixels: usize,
    },
    /// A patch is for a texture that does not exist, or reaches outside its texture.
    #[error("texture {id:?}: a patch of {patch:?} texels at {position:?} does not fit into {size:?}")]
    Patch {
        /// The texture.
        id: TextureId,
        /// Column and row of the patch's first texel.
        position: [usize; 2],
        /// Width and height of the patch in texels.
        patch: [usize; 2],
        /// Width and height of the texture in texels; zero if there is none.
        size: [usize; 2],
    },
}

/// An image and the options of its sampling.
#[derive(Debug)]
pub struct Texture {
    image: Arc<ColorImage>,
    options: TextureOptions,
}

/// All textures in use, by their id.
#[derive(Debug, Default)]
pub struct TextureStore {
    textures: HashMap<TextureId, Texture>,
}

impl TextureStore {
    /// Some images, and a white texel in the place of egui's own texture, which is all that lines and areas take from it.
    pub fn with(images: impl IntoIterator<Item = (TextureId, Arc<ColorImage>, TextureOptions)>) -> Self {
        let white =
            (TextureId::default(), Arc::new(ColorImage::filled([1, 1], Color32::WHITE)), TextureOptions::NEAREST);
        let all = images.into_iter().chain([white]);
        Self { textures: all.map(|(id, image, options)| (id, Texture { image, options })).collect() }
    }

    /// Sets and patches textures, before painting. Returns the textures to [`Self::free`] after painting.
    ///
    /// # Errors
    /// If an image or a patch does not fit; the other textures may have been changed already.
    pub fn update(&mut self, mut delta: TexturesDelta) -> Result<Vec<TextureId>, TextureError> {
        // Both sets are emptied before an error can occur: egui warns when a delta is dropped with contents.
        let changes: Vec<_> = delta.set.drain().collect();
        let freed = delta.free.drain().collect();
        for (id, images) in changes {
            for image in images {
                self.change(id, image)?;
            }
        }
        Ok(freed)
    }

    /// Forgets textures; unknown ids are no error.
    pub fn free(&mut self, ids: &[TextureId]) {
        for id in ids {
            self.textures.remove(id);
        }
    }

    /// The texture with this id, if it exists.
    #[must_use]
    pub fn get(&self, id: TextureId) -> Option<&Texture> {
        self.textures.get(&id)
    }

    fn change(&mut self, id: TextureId, delta: ImageDelta) -> Result<(), TextureError> {
        let ImageData::Color(image) = delta.image;
        let [width, height] = image.size;
        let pixels = image.pixels.len();
        if width.checked_mul(height) != Some(pixels) {
            return Err(TextureError::PixelCount { id, width, height, pixels });
        }
        let options = delta.options;
        let Some(position) = delta.pos else {
            self.textures.insert(id, Texture { image, options });
            return Ok(());
        };
        let misfit = |size| TextureError::Patch { id, position, patch: image.size, size };
        let texture = self.textures.get_mut(&id).ok_or_else(|| misfit([0, 0]))?;
        let size = texture.image.size;
        if (0..2).any(|axis| position[axis].saturating_add(image.size[axis]) > size[axis]) {
            return Err(misfit(size));
        }
        texture.options = options;
        copy_patch(Arc::make_mut(&mut texture.image), &image, position);
        Ok(())
    }
}

/// Copies `patch` into `image` with its first texel at `[column, row]`; the caller has checked that it fits.
fn copy_patch(image: &mut ColorImage, patch: &ColorImage, [column, row]: [usize; 2]) {
    let stride = image.size[0];
    let width = patch.size[0];
    if width == 0 {
        return;
    }
    for (offset, source) in patch.pixels.chunks_exact(width).enumerate() {
        let start = (row + offset) * stride + column;
        image.pixels[start..start + width].copy_from_slice(source);
    }
}

/// Fractional bits of a texel coordinate.
const FRACTION_BITS: u32 = 24;
/// Fractional bits used for sampling, as on common graphics cards.
const USED_BITS: u32 = 8;
/// Rounds a coordinate to the used bits.
const ROUND: i64 = 1 << (FRACTION_BITS - USED_BITS - 1);
const HALF_TEXEL: i64 = 1 << (FRACTION_BITS - 1);
const FRACTION_STEPS: i64 = 1 << USED_BITS;

/// A texel coordinate in the fixed-point form that [`Sampler`] takes. Numbers out of range saturate, NaN becomes zero.
pub(super) fn fixed_texel(texels: f64) -> i64 {
    // Rust's cast saturates and maps NaN to zero.
    (texels * (1_i64 << FRACTION_BITS) as f64) as i64
}

/// Reads one texture with one filter.
#[derive(Clone, Copy)]
pub(super) struct Sampler<'a> {
    texels: &'a [Color32],
    width: i64,
    height: i64,
    wrap: TextureWrapMode,
    filter: TextureFilter,
}

impl Texture {
    /// Width and height in texels.
    #[must_use]
    pub fn size(&self) -> [usize; 2] {
        self.image.size
    }

    /// A reader for a mapping of `texels_per_pixel` (above one, the texture is shrunk); `None` for an empty texture.
    pub(super) fn sampler(&self, texels_per_pixel: f64) -> Option<Sampler<'_>> {
        let filter = if texels_per_pixel > 1.0 { self.options.minification } else { self.options.magnification };
        let [width, height] = self.image.size;
        (!self.image.pixels.is_empty()).then_some(Sampler {
            texels: &self.image.pixels,
            width: i64::try_from(width).ok()?,
            height: i64::try_from(height).ok()?,
            wrap: self.options.wrap_mode,
            filter,
        })
    }
}

impl Sampler<'_> {
    /// The colour at a fixed-point position in texels, each channel 0–255 and not rounded.
    #[inline]
    pub(super) fn at(&self, x: i64, y: i64) -> [f32; 4] {
        match self.filter {
            TextureFilter::Nearest => self
                .texel(x.saturating_add(ROUND) >> FRACTION_BITS, y.saturating_add(ROUND) >> FRACTION_BITS)
                .map(f32::from),
            TextureFilter::Linear => self.between(x, y),
        }
    }

    #[inline]
    fn between(&self, x: i64, y: i64) -> [f32; 4] {
        let (column, fx) = cell_and_fraction(x);
        let (row, fy) = cell_and_fraction(y);
        let first = self.texel(column, row);
        if fx == 0 && fy == 0 {
            return first.map(f32::from);
        }
        let corners =
            [first, self.texel(column + 1, row), self.texel(column, row + 1), self.texel(column + 1, row + 1)];
        let (gx, gy) = (FRACTION_STEPS - fx, FRACTION_STEPS - fy);
        // The weights are sixteen-bit and the texels eight-bit integers, so the sums are exact in 24 bits.
        let weights = [gx * gy, fx * gy, gx * fy, fx * fy].map(|weight| weight as f32);
        let total = (FRACTION_STEPS * FRACTION_STEPS) as f32;
        std::array::from_fn(|channel| {
            let mut sum = 0.0;
            for (texel, weight) in corners.iter().zip(weights) {
                sum += f32::from(texel[channel]) * weight;
            }
            sum / total
        })
    }

    #[inline]
    fn texel(&self, column: i64, row: i64) -> Pixel {
        let column = wrapped(column, self.width, self.wrap);
        let row = wrapped(row, self.height, self.wrap);
        let index = (row * self.width + column).unsigned_abs() as usize;
        self.texels[index].to_array()
    }
}

/// The texel whose centre is at or before a position, and the fraction of the distance to the next one.
#[inline]
fn cell_and_fraction(position: i64) -> (i64, i64) {
    let from_centre = position.saturating_sub(HALF_TEXEL - ROUND);
    let fraction = (from_centre >> (FRACTION_BITS - USED_BITS)) & (FRACTION_STEPS - 1);
    (from_centre >> FRACTION_BITS, fraction)
}

/// Brings an index into `0..size` (size is at least one).
#[inline]
fn wrapped(index: i64, size: i64, mode: TextureWrapMode) -> i64 {
    match mode {
        TextureWrapMode::ClampToEdge => index.clamp(0, size - 1),
        TextureWrapMode::Repeat => index.rem_euclid(size),
        TextureWrapMode::MirroredRepeat => {
            let index = index.rem_euclid(2 * size);
            index.min(2 * size - 1 - index)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: TextureId = TextureId::Managed(7);

    fn gray(levels: &[u8], size: [usize; 2]) -> ColorImage {
        ColorImage::new(size, levels.iter().map(|level| Color32::from_gray(*level)).collect())
    }

    fn delta(changes: Vec<ImageDelta>) -> TexturesDelta {
        let mut delta = TexturesDelta::default();
        for change in changes {
            delta.push(ID, change);
        }
        delta
    }

    fn store(image: ColorImage, options: TextureOptions) -> TextureStore {
        let mut store = TextureStore::default();
        let freed = store.update(delta(vec![ImageDelta::full(image, options)])).expect("a whole image fits");
        assert_eq!(freed, []);
        store
    }

    /// The red levels at positions given in texels along the first row.
    fn along(store: &TextureStore, shrink: f64, positions: &[f64]) -> Vec<f32> {
        let sampler = store.get(ID).and_then(|texture| texture.sampler(shrink)).expect("a texture with texels");
        positions.iter().map(|x| sampler.at(fixed_texel(*x), fixed_texel(0.5))[0]).collect()
    }

    #[test]
    fn nearest_reads_one_texel_and_linear_interpolates_between_centres() {
        let image = gray(&[0, 100, 200], [3, 1]);
        let positions = [0.0, 0.5, 0.75, 1.0, 1.49, 1.5, 2.5, 3.0];
        let nearest = store(image.clone(), TextureOptions::NEAREST);
        assert_eq!(along(&nearest, 0.5, &positions), [0.0, 0.0, 0.0, 100.0, 100.0, 100.0, 200.0, 200.0]);
        let linear = store(image, TextureOptions::LINEAR);
        // 1.49 is 253.44/256, rounded to 253/256, of the distance from the first to the second texel.
        let near = 100.0 * 253.0 / 256.0;
        assert_eq!(along(&linear, 0.5, &positions), [0.0, 0.0, 25.0, 50.0, near, 100.0, 200.0, 200.0]);
    }

    #[test]
    fn the_filter_follows_the_direction_of_scaling() {
        let options = TextureOptions { minification: TextureFilter::Linear, ..TextureOptions::NEAREST };
        let store = store(gray(&[0, 100], [2, 1]), options);
        assert_eq!(along(&store, 0.5, &[0.75]), [0.0]);
        assert_eq!(along(&store, 1.0, &[0.75]), [0.0]);
        assert_eq!(along(&store, 2.0, &[0.75]), [25.0]);
    }

    #[test]
    fn positions_outside_are_clamped_repeated_or_mirrored() {
        let image = gray(&[10, 20, 30], [3, 1]);
        let positions = [-3.5, -1.5, -0.5, 3.5, 4.5, 6.5];
        let read = |options| along(&store(image.clone(), options), 1.0, &positions);
        assert_eq!(read(TextureOptions::NEAREST), [10.0, 10.0, 10.0, 30.0, 30.0, 30.0]);
        assert_eq!(read(TextureOptions::NEAREST_REPEAT), [30.0, 20.0, 30.0, 10.0, 20.0, 10.0]);
        assert_eq!(read(TextureOptions::NEAREST_MIRRORED_REPEAT), [30.0, 20.0, 10.0, 30.0, 20.0, 10.0]);
        assert_eq!(along(&store(image.clone(), TextureOptions::LINEAR_REPEAT), 1.0, &[3.0]), [20.0]);
        assert_eq!(along(&store(image, TextureOptions::LINEAR), 1.0, &[3.0]), [30.0]);
    }

    #[test]
    fn positions_out_of_range_saturate_and_nan_is_zero() {
        let store = store(gray(&[10, 20], [2, 1]), TextureOptions::LINEAR);
        let positions = [f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 1e300, -1e300];
        assert_eq!(along(&store, f64::NAN, &positions), [20.0, 10.0, 10.0, 20.0, 10.0]);
    }

    #[test]
    fn patches_change_their_texels_and_no_others() {
        let mut store = store(gray(&[0; 12], [4, 3]), TextureOptions::NEAREST);
        let patch = ImageDelta::partial([1, 1], gray(&[5, 6, 7, 8], [2, 2]), TextureOptions::NEAREST);
        store.update(delta(vec![patch])).expect("the patch fits");
        let levels: Vec<u8> = store.get(ID).expect("alive").image.pixels.iter().map(Color32::r).collect();
        assert_eq!(levels, [0, 0, 0, 0, 0, 5, 6, 0, 0, 7, 8, 0]);
    }

    #[test]
    fn a_patch_or_image_that_does_not_fit_is_an_error_and_changes_nothing() {
        let mut store = store(gray(&[0; 6], [3, 2]), TextureOptions::NEAREST);
        for position in [[2, 0], [0, 2], [usize::MAX, 0]] {
            let patch = ImageDelta::partial(position, gray(&[1, 1], [2, 1]), TextureOptions::NEAREST);
            let error = TextureError::Patch { id: ID, position, patch: [2, 1], size: [3, 2] };
            assert_eq!(store.update(delta(vec![patch])), Err(error));
        }
        let mut broken = gray(&[1; 6], [3, 2]);
        broken.size = [3, 3];
        let error = TextureError::PixelCount { id: ID, width: 3, height: 3, pixels: 6 };
        assert_eq!(store.update(delta(vec![ImageDelta::full(broken, TextureOptions::NEAREST)])), Err(error));
        assert!(store.get(ID).expect("alive").image.pixels.iter().all(|pixel| pixel.r() == 0));
    }

    #[test]
    fn a_texture_exists_until_it_is_freed() {
        let mut store = store(gray(&[1], [1, 1]), TextureOptions::NEAREST);
        let mut last = TexturesDelta::default();
        last.free(ID);
        let freed = store.update(last).expect("nothing is set");
        assert!(store.get(ID).is_some(), "it may still be painted with");
        store.free(&freed);
        assert!(store.get(ID).is_none());
        let patch = ImageDelta::partial([0, 0], gray(&[1], [1, 1]), TextureOptions::NEAREST);
        let error = TextureError::Patch { id: ID, position: [0, 0], patch: [1, 1], size: [0, 0] };
        assert_eq!(store.update(delta(vec![patch])), Err(error));
    }

    #[test]
    fn an_empty_texture_cannot_be_sampled() {
        let store = store(ColorImage::new([0, 5], Vec::new()), TextureOptions::NEAREST);
        assert!(store.get(ID).expect("alive").sampler(1.0).is_none());
    }
}

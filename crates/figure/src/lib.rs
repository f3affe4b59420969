//! Figures: turns an egui drawing into a PNG, an SVG, a PDF, or source for LaTeX, Typst, matplotlib and Vega-Lite on the CPU, without a display or a graphics card, with the same bytes
//! everywhere.
//!
//! **One drawing code.** A plot draws into an [`egui::Ui`]. The window provides one, and so does [`render`], from an egui
//! context of its own. A figure therefore looks like the screen, with the same tick labels and legends, and there is no
//! second drawing code.
//!
//! **Layout.** egui lays out a frame with sizes from the frame before: a plot knows the width of its axis labels and the
//! bounds of its data only after the first frame. [`render`] repeats the frame until two frames in a row have the same
//! triangles and egui requests no further frame, at most [`MAX_FRAMES`] times. Every frame has the same input: no
//! pointer, no keys, a clock that advances by a fixed step. Animations are switched off, and so are egui's warnings for
//! developers, which exist in debug builds only.
//!
//! **Painting.** egui turns shapes into triangles with premultiplied colours and, for glyphs and images, texture
//! coordinates. [`raster`] paints them as a graphics card does. Coverage is computed in exact integers, so that every
//! pixel along a shared edge is painted once. Colours are blended in gamma space, as by egui's own painter, and every
//! channel is rounded to the nearest level. Only dithering is left out. Soft edges need no extra code: egui draws them
//! as narrow triangles that fade out.
//!
//! **Determinism.** The result does not depend on time, random numbers, the order of hash maps, the number of threads,
//! or fused arithmetic of some processors. Fonts are egui's and those that `setup` installs. There is one exception:
//! egui takes sines and cosines from the platform, so that round shapes may differ by a level between operating systems.
//!
//! **Files.** [`png`] writes the [`Picture`], with texts such as the scenario in the text chunks of the file. [`svg`] and
//! [`pdf`] write the same drawing as paths and selectable text, which [`vector`] takes from egui's shapes, and [`movie`] several
//! pictures. All read the texts back. [`tex`] and [`typst`] write it for documents that set the texts themselves, [`remake`] its plots as values for
//! matplotlib and Vega-Lite; [`source`] keeps the scenario in these files. What a screen reader says of a figure is in `spoken`.

#![warn(missing_docs)]

mod blend;
mod clipping;
mod layout;
pub mod movie;
pub mod pdf;
pub mod png;
pub mod raster;
pub mod remake;
pub mod source;
mod spoken;
pub mod svg;
pub mod tex;
mod texture;
mod triangle;
pub mod typst;
pub mod vector;

use egui::{Color32, Context, Ui};

pub use layout::{Layout, MAX_FRAMES, TextBox};
pub use raster::RasterError;
pub use spoken::Spoken;
pub use texture::{Texture, TextureError, TextureStore};
use vector::Page;

/// Most pixels per side, which is also the largest image that a drawing can load.
pub const MAX_SIDE: u32 = 16_384;

/// Most pixels in a picture (400 megabytes while it is painted).
pub const MAX_PIXELS: u64 = 100_000_000;

/// Smallest and largest number of pixels per point. Text is unreadable below, and needs too large glyph textures above.
pub const SCALE_RANGE: std::ops::RangeInclusive<f32> = 0.25..=16.0;

/// Smallest and largest number of pixels per inch of paper.
pub const DPI_RANGE: std::ops::RangeInclusive<f32> = 24.0..=2400.0;

/// Points per inch where nothing else is said: the reference pixel of screens and of SVG.
pub const POINTS_PER_INCH: f32 = 96.0;

/// Why a figure cannot be drawn.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FigureError {
    /// The size is not allowed, see [`FigureSize::of_pixels`].
    #[error(
        "a figure of {width}×{height} pixels, {scale} a point and {dpi} an inch, is not possible; allowed: 1–{MAX_SIDE} pixels a \
         side, {} million in all, {}–{} a point and {}–{} an inch",
        MAX_PIXELS / 1_000_000, SCALE_RANGE.start(), SCALE_RANGE.end(), DPI_RANGE.start(), DPI_RANGE.end()
    )]
    Size {
        /// In pixels.
        width: u32,
        /// In pixels.
        height: u32,
        /// Pixels per point.
        scale: f32,
        /// Pixels per inch.
        dpi: f32,
    },
    /// The drawing changes a texture in a way that is not possible.
    #[error(transparent)]
    Texture(#[from] TextureError),
    /// The drawing contains something that cannot be painted.
    #[error(transparent)]
    Raster(#[from] RasterError),
}

/// Size of a figure in pixels, with the number of pixels per point of its layout and per inch of paper.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FigureSize {
    pixels: [u32; 2],
    scale: f32,
    dpi: f32,
}

impl FigureSize {
    /// A figure laid out on `width` × `height` points, with `scale` pixels per point and [`POINTS_PER_INCH`].
    ///
    /// A larger scale makes the same figure sharper; the layout stays the same.
    ///
    /// # Errors
    /// As [`FigureSize::of_pixels`].
    pub fn new(width: u32, height: u32, scale: f32) -> Result<Self, FigureError> {
        let pixels = [width, height].map(|points| {
            let pixels = (f64::from(points) * f64::from(scale)).round();
            // The cast saturates, and sizes that are too large are refused.
            u32::try_from(pixels as i64).unwrap_or(u32::MAX)
        });
        // A scale that is not allowed is named first: then that of paper follows from it.
        let dpi = if SCALE_RANGE.contains(&scale) { POINTS_PER_INCH * scale } else { POINTS_PER_INCH };
        Self::of_pixels(pixels, scale, dpi)
    }

    /// A figure of so many pixels, with `scale` of them per point of its layout and `dpi` per inch of paper.
    ///
    /// # Errors
    /// [`FigureError::Size`] if the scale is not within [`SCALE_RANGE`], the pixels per inch not within [`DPI_RANGE`], or if the picture
    /// would have no pixels, a side longer than [`MAX_SIDE`], or more than [`MAX_PIXELS`].
    pub fn of_pixels(pixels: [u32; 2], scale: f32, dpi: f32) -> Result<Self, FigureError> {
        let [width, height] = pixels;
        let possible = SCALE_RANGE.contains(&scale)
            && DPI_RANGE.contains(&dpi)
            && pixels.iter().all(|side| (1..=MAX_SIDE).contains(side))
            && u64::from(width) * u64::from(height) <= MAX_PIXELS;
        possible.then_some(Self { pixels, scale, dpi }).ok_or(FigureError::Size { width, height, scale, dpi })
    }

    /// Width and height of the picture in pixels.
    #[must_use]
    pub fn pixels(&self) -> [u32; 2] {
        self.pixels
    }

    /// Pixels per point.
    #[must_use]
    pub fn scale(&self) -> f32 {
        self.scale
    }

    /// Pixels per inch of paper.
    #[must_use]
    pub fn dpi(&self) -> f32 {
        self.dpi
    }
}

/// A finished picture: premultiplied, gamma-encoded RGBA, row by row from the top left.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    width: u32,
    height: u32,
    dpi: f32,
    pixels: Vec<[u8; 4]>,
}

impl Picture {
    /// Width in pixels.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Height in pixels.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Pixels per inch of paper.
    #[must_use]
    pub fn dpi(&self) -> f32 {
        self.dpi
    }

    /// All pixels, width × height.
    #[must_use]
    pub fn pixels(&self) -> &[[u8; 4]] {
        &self.pixels
    }

    /// All pixels as files have them: four bytes each, whose colours are not multiplied by alpha.
    #[must_use]
    pub fn straight(&self) -> Vec<u8> {
        self.pixels.iter().copied().flat_map(png::straight).collect()
    }

    /// The pixel in a column and row, if there is one.
    #[must_use]
    pub fn pixel(&self, column: u32, row: u32) -> Option<[u8; 4]> {
        let inside = column < self.width && row < self.height;
        let index = row as usize * self.width as usize + column as usize;
        inside.then(|| self.pixels[index])
    }

    /// The picture with so many times fewer pixels along each side, each the mean of those it stands for.
    #[must_use]
    pub fn smaller(&self, times: u32) -> Self {
        let times = times.max(1);
        let [width, height] = [self.width, self.height].map(|side| side.div_ceil(times));
        let mean = |column: u32, row: u32| {
            let columns = column * times..((column + 1) * times).min(self.width);
            let rows = row * times..((row + 1) * times).min(self.height);
            let of = rows.flat_map(|row| columns.clone().filter_map(move |column| self.pixel(column, row)));
            let (sum, count) = of.fold(([0_u32; 4], 0_u32), |(mut sum, count), pixel| {
                sum.iter_mut().zip(pixel).for_each(|(sum, channel)| *sum += u32::from(channel));
                (sum, count + 1)
            });
            sum.map(|sum| u8::try_from((sum + count / 2) / count.max(1)).unwrap_or(u8::MAX))
        };
        let pixels = (0..height).flat_map(|row| (0..width).map(move |column| (column, row)));
        let pixels = pixels.map(|(column, row)| mean(column, row)).collect();
        Self { width, height, dpi: self.dpi / times as f32, pixels }
    }

    fn blank(size: FigureSize, background: Option<Color32>) -> Self {
        let [width, height] = size.pixels();
        let color = background.unwrap_or(Color32::TRANSPARENT).to_array();
        Self { width, height, dpi: size.dpi, pixels: vec![color; width as usize * height as usize] }
    }
}

/// Lays out `ui`, for a picture or a page.
///
/// The drawing has the whole area, without a margin. `setup` is called once, to install fonts and style, and with
/// [`vector::ask_for_shapes`] if a page is to be made. `ui` is called several times, with the same input; it should draw the same
/// each time, and load its textures once. A zoom factor set in `setup` enlarges the drawing, not the picture.
///
/// # Errors
/// [`FigureError::Texture`] if the drawing changes a texture in a way that is not possible.
pub fn lay_out(size: FigureSize, setup: impl FnOnce(&Context), ui: impl FnMut(&mut Ui)) -> Result<Layout, FigureError> {
    let context = Context::default();
    setup(&context);
    layout::lay_out(context, size, ui)
}

impl Layout {
    /// Paints the drawing. `background` is the colour behind it; `None` leaves it transparent.
    ///
    /// # Errors
    /// [`FigureError::Raster`] if the drawing contains something that cannot be painted.
    pub fn paint(&self, background: Option<Color32>) -> Result<Picture, FigureError> {
        self.paint_in(self.size, background)
    }

    /// Paints the same drawing in other pixels, of the same shape.
    fn paint_in(&self, size: FigureSize, background: Option<Color32>) -> Result<Picture, FigureError> {
        let primitives = self.context.tessellate(self.shapes.clone(), self.pixels_per_point);
        let mut picture = Picture::blank(size, background);
        let mut canvas = raster::Canvas { width: picture.width as usize, pixels: &mut picture.pixels };
        let share = size.dpi / self.size.dpi;
        raster::paint(&mut canvas, &primitives, self.pixels_per_point * share, &self.textures)?;
        Ok(picture)
    }

    /// Paints the same drawing with fewer pixels: from `most` to twice as many along its longer side, or as many as it has.
    ///
    /// # Errors
    /// As [`Layout::paint`].
    pub fn paint_small(&self, background: Option<Color32>, most: u32) -> Result<Picture, FigureError> {
        /// Pixels that are painted at most, before they become fewer (chosen by eye: a page of 600 pixels an inch).
        const PAINTED: f64 = 1.2e7;
        let all = self.size.pixels.map(f64::from);
        let share = (PAINTED / (all[0] * all[1])).sqrt().min(1.0) as f32;
        let side = |pixels: u32| u32::try_from((pixels as f32 * share).round() as i64).unwrap_or(1).max(1);
        let size = FigureSize { pixels: self.size.pixels.map(side), dpi: self.size.dpi * share, ..self.size };
        let picture = self.paint_in(size, background)?;
        Ok(picture.smaller(picture.width.max(picture.height) / most.max(1)))
    }

    /// The drawing as paths, texts and images.
    ///
    /// # Errors
    /// [`FigureError::Raster`] if the drawing contains something that cannot be painted.
    pub fn page(&self) -> Result<Page, FigureError> {
        Ok(Page::of(self)?)
    }
}

/// Draws `ui` into a picture: [`lay_out`] and [`Layout::paint`].
///
/// # Errors
/// If the drawing contains something that cannot be painted: [`FigureError::Raster`], [`FigureError::Texture`].
pub fn render(
    size: FigureSize,
    background: Option<Color32>,
    setup: impl FnOnce(&Context),
    ui: impl FnMut(&mut Ui),
) -> Result<Picture, FigureError> {
    lay_out(size, setup, ui)?.paint(background)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use egui::epaint::PaintCallback;
    use egui::{
        Align2, ColorImage, FontData, FontDefinitions, FontFamily, FontId, Pos2, Rect, Shape, TextureOptions, pos2,
        vec2,
    };
    use egui_plot::{Legend, Line, Plot, PlotPoint, PlotPoints, Points, Text};

    use super::*;

    const INK: Color32 = Color32::from_rgb(200, 30, 60);

    /// The text font of the program; a context has none by itself.
    pub(super) fn set_font(context: &Context) {
        let font = include_bytes!("../../../assets/fonts/Inter-Regular.otf");
        let mut fonts = FontDefinitions::empty();
        fonts.font_data.insert("text".to_owned(), Arc::new(FontData::from_static(font)));
        for family in [FontFamily::Proportional, FontFamily::Monospace] {
            fonts.families.insert(family, vec!["text".to_owned()]);
        }
        context.set_fonts(fonts);
    }

    fn small() -> FigureSize {
        FigureSize::new(40, 30, 1.0).expect("a small figure is possible")
    }

    fn plain(ui: impl FnMut(&mut Ui)) -> Picture {
        render(small(), Some(Color32::WHITE), set_font, ui).expect("a plain drawing can be painted")
    }

    /// A small picture is the mean of the pixels of the whole one, whatever is left at its ends.
    #[test]
    fn a_small_picture_is_of_the_same_layout() {
        let size = FigureSize::new(50, 30, 2.0).unwrap();
        let layout = lay_out(size, set_font, |ui| {
            let left = Rect::from_min_max(pos2(0.0, 0.0), pos2(24.0, 30.0));
            ui.painter().rect_filled(left, 0.0, Color32::BLACK);
        });
        let layout = layout.unwrap();
        let [whole, small] =
            [layout.paint(Some(Color32::WHITE)).unwrap(), layout.paint_small(Some(Color32::WHITE), 30).unwrap()];
        assert_eq!((whole.width(), small.width(), small.height()), (100, 34, 20));
        assert_eq!(small.pixel(2, 5), Some([0, 0, 0, 255]));
        assert_eq!(small.pixel(33, 5), Some([255; 4]));
        assert!((small.dpi() - whole.dpi() / 3.0).abs() < 1e-3);
        assert_eq!(layout.paint_small(Some(Color32::WHITE), 400).unwrap(), whole);
    }

    fn plot(ui: &mut Ui) {
        ui.heading("θ ~ π(θ | x), σ² = 1");
        Plot::new("plot").legend(Legend::default()).x_axis_label("step k").y_axis_label("log π(θ)").show(ui, |plot| {
            let curve = PlotPoints::from_explicit_callback(f64::sin, 0.0..12.0, 300);
            plot.line(Line::new("sin θ", curve).color(INK));
            plot.points(Points::new("draws", PlotPoints::from_iter((0..50).map(|i| [f64::from(i) / 5.0, 0.3]))));
            plot.text(Text::new("mode", PlotPoint::new(3.0, 0.8), "μ₁"));
        });
    }

    #[test]
    fn a_rectangle_on_pixel_boundaries_fills_exactly_its_pixels() {
        let picture = plain(|ui| {
            let rect = Rect::from_min_max(pos2(3.0, 5.0), pos2(17.0, 11.0));
            // Without soft edges, which reach half a pixel beyond the rectangle.
            ui.ctx().options_mut(|options| options.tessellation_options.feathering = false);
            ui.painter().rect_filled(rect, 0.0, INK);
        });
        for row in 0..30 {
            for column in 0..40 {
                let inside = (3..17).contains(&column) && (5..11).contains(&row);
                let expected = if inside { INK } else { Color32::WHITE };
                assert_eq!(picture.pixel(column, row), Some(expected.to_array()), "{column}, {row}");
            }
        }
        assert_eq!(picture.pixel(40, 0), None);
        assert_eq!(picture.pixel(0, 30), None);
    }

    #[test]
    fn a_plot_is_the_same_every_time_and_leaves_the_area_around_it_transparent() {
        for (scale, sides) in [(1.0, [300, 200]), (1.5, [450, 300]), (2.0, [600, 400])] {
            let size = FigureSize::new(300, 200, scale).expect("possible");
            let draw = || render(size, None, |context| context.set_theme(egui::Theme::Light), plot).expect("paintable");
            let first = draw();
            assert_eq!(first.pixels().len() as u32, first.width() * first.height());
            assert_eq!([first.width(), first.height()], sides);
            assert_eq!(first, draw());
            assert_eq!(first.pixel(first.width() - 1, 0), Some([0; 4]), "nothing is drawn right of the heading");
            let curve = |pixel: &&[u8; 4]| **pixel == INK.to_array();
            assert!(first.pixels().iter().filter(curve).count() > 50, "the curve is there in its own colour");
            let excess = |pixel: &&[u8; 4]| pixel[..3].iter().any(|level| *level > pixel[3]);
            assert_eq!(first.pixels().iter().find(excess), None, "colours stay premultiplied");
        }
    }

    #[test]
    fn the_layout_converges_within_the_allowed_frames() {
        let mut frames = 0;
        let size = FigureSize::new(300, 200, 1.0).expect("possible");
        render(
            size,
            None,
            |_| {},
            |ui| {
                frames += 1;
                plot(ui);
            },
        )
        .expect("paintable");
        assert!((2..MAX_FRAMES).contains(&frames), "{frames} frames");
        let mut repainted = 0;
        plain(|ui| {
            repainted += 1;
            ui.ctx().request_repaint();
        });
        assert_eq!(repainted, MAX_FRAMES);
    }

    #[test]
    fn text_is_painted_at_its_place_only() {
        let picture = plain(|ui| {
            ui.painter().text(
                pos2(20.0, 15.0),
                Align2::CENTER_CENTER,
                "θσ",
                FontId::proportional(14.0),
                Color32::BLACK,
            );
        });
        let dark = |column, row| picture.pixel(column, row).is_some_and(|pixel| pixel[0] < 128);
        let ink = (0..40).flat_map(|column| (0..30).map(move |row| (column, row))).filter(|(c, r)| dark(*c, *r));
        let ink: Vec<_> = ink.collect();
        assert!((20..150).contains(&ink.len()), "{} dark pixels", ink.len());
        assert!(ink.iter().all(|(column, row)| (8..32).contains(column) && (6..24).contains(row)), "{ink:?}");
    }

    #[test]
    fn images_are_drawn_texel_by_texel_and_may_be_loaded_and_dropped_within_a_frame() {
        let colors = [Color32::RED, Color32::GREEN, Color32::BLUE, Color32::BLACK];
        let picture = plain(|ui| {
            let image = ColorImage::new([2, 2], colors.to_vec());
            let texture = ui.ctx().load_texture("image", image, TextureOptions::NEAREST);
            let rect = Rect::from_min_size(pos2(4.0, 4.0), vec2(20.0, 10.0));
            let whole = Rect::from_min_max(Pos2::ZERO, pos2(1.0, 1.0));
            ui.painter().image(texture.id(), rect, whole, Color32::WHITE);
        });
        for row in 4..14 {
            for column in 4..24 {
                let texel = usize::from(row >= 9) * 2 + usize::from(column >= 14);
                assert_eq!(picture.pixel(column, row), Some(colors[texel].to_array()), "{column}, {row}");
            }
        }
    }

    #[test]
    fn a_zoom_factor_from_setup_enlarges_the_drawing_and_not_the_picture() {
        let mut seen = Vec::new();
        let picture = render(
            small(),
            None,
            |context| context.set_zoom_factor(2.0),
            |ui| {
                seen.push(ui.max_rect().size());
                let rect = Rect::from_min_size(Pos2::ZERO, vec2(20.0, 15.0));
                ui.painter().rect_filled(rect, 0.0, INK);
            },
        )
        .expect("paintable");
        assert!(seen.iter().all(|size| *size == vec2(20.0, 15.0)), "{seen:?}");
        assert_eq!(picture.pixel(37, 27), Some(INK.to_array()));
    }

    #[test]
    fn shapes_at_coordinates_that_are_not_finite_are_not_painted() {
        let picture = plain(|ui| {
            let nowhere = pos2(f32::NAN, f32::INFINITY);
            ui.painter().circle_filled(nowhere, 5.0, INK);
            ui.painter().line_segment([nowhere, pos2(5.0, 5.0)], (1.0, INK));
        });
        assert!(picture.pixels().iter().all(|pixel| *pixel == [255; 4]));
    }

    #[test]
    fn a_paint_callback_is_an_error() {
        let callback = PaintCallback { rect: Rect::EVERYTHING, callback: std::sync::Arc::new(()) };
        let result = render(
            small(),
            None,
            |_| {},
            |ui| {
                ui.painter().add(Shape::Callback(callback.clone()));
            },
        );
        assert_eq!(result, Err(FigureError::Raster(RasterError::Callback)));
    }

    #[test]
    fn impossible_sizes_are_refused() {
        let impossible = [
            (0, 10, 1.0),
            (10, 0, 1.0),
            (10, 10, 0.0),
            (10, 10, -1.0),
            (10, 10, f32::NAN),
            (10, 10, f32::INFINITY),
            (u32::MAX, 1, 1.0),
            (u32::MAX, u32::MAX, 16.0),
            (9000, 100, 2.0),
            (16_000, 16_000, 1.0),
        ];
        for (width, height, scale) in impossible {
            let error = FigureSize::new(width, height, scale).expect_err("impossible");
            assert!(error.to_string().contains(&format!("{scale} a point")), "{error}");
        }
        let size = FigureSize::new(801, 333, 1.5).expect("possible");
        assert_eq!((size.pixels(), size.dpi()), ([1202, 500], 144.0));
        assert!(FigureSize::of_pixels([100, 100], 1.0, 1e6).is_err());
        let error = FigureSize::of_pixels([16_000, 16_000], 1.0, 300.0).expect_err("impossible");
        assert!(error.to_string().starts_with("a figure of 16000×16000 pixels"), "{error}");
    }
}

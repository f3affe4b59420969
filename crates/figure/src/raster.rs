//! Rasteriser on the CPU: egui's triangles become pixels.
//!
//! Meshes are converted to snapped pixel coordinates once. Their triangles are sorted into horizontal bands of the
//! picture, and the bands are painted in parallel, each in painting order. Each pixel belongs to one band, and its
//! colour does not depend on the band, so that the picture has the same bytes for any number of threads.

use egui::epaint::{ClippedPrimitive, Mesh, Primitive, Vertex};
use egui::{Color32, ColorImage, Pos2, Rect, TextureId};
use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use rayon::slice::ParallelSliceMut;

use super::blend::Pixel;
use super::clipping;
use super::texture::{Texture, TextureStore};
use super::triangle::{Band, Corner, PixelRect, SUBPIXELS, bounds, draw};

/// Rows painted by one task: enough tasks for many cores, and few triangles that reach into two bands. Chosen by eye;
/// between 8 and 128 the time hardly depends on it.
const BAND_ROWS: usize = 32;

/// Why a drawing cannot be painted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RasterError {
    /// The drawing contains code for a graphics card (`egui::PaintCallback`), which a figure does not use.
    #[error("a figure cannot contain a paint callback, which needs a graphics card")]
    Callback,
    /// A mesh refers to a texture that was never set or has been freed.
    #[error("a mesh uses the texture {0:?}, which does not exist")]
    MissingTexture(TextureId),
    /// A triangle refers to a corner that does not exist.
    #[error("a mesh with {vertices} vertices refers to vertex {index}")]
    MissingVertex {
        /// The number of vertices of the mesh.
        vertices: usize,
        /// The index in the triangle.
        index: u32,
    },
}

/// The picture to paint on: premultiplied, gamma-encoded RGBA, row by row from the top.
#[derive(Debug)]
pub struct Canvas<'a> {
    /// Exactly width × height pixels.
    pub pixels: &'a mut [Pixel],
    /// Pixels per row, at least one and at most 2¹⁶.
    pub width: usize,
}

/// Paints primitives, given in points, over the canvas.
///
/// Triangles with a corner that is not finite are left out, as by a graphics card.
///
/// # Errors
/// If a primitive cannot be painted; then the canvas is unchanged.
pub fn paint(
    canvas: &mut Canvas,
    primitives: &[ClippedPrimitive],
    pixels_per_point: f32,
    textures: &TextureStore,
) -> Result<(), RasterError> {
    let width = canvas.width.max(1);
    let whole = PixelRect { columns: 0..signed(width), rows: 0..signed(canvas.pixels.len() / width) };
    let mut layers = Vec::with_capacity(primitives.len());
    for primitive in primitives {
        let clip = clip_in_pixels(primitive.clip_rect, pixels_per_point).intersect(&whole);
        layers.extend(Layer::new(&primitive.primitive, clip, pixels_per_point, textures)?);
    }
    let bins = sort_into_bands(&layers, canvas.pixels.len() / width);
    canvas.pixels.par_chunks_mut(BAND_ROWS * width).zip(bins).enumerate().for_each(|(index, (pixels, bin))| {
        let first_row = signed(index * BAND_ROWS);
        let band = Band { pixels, width, first_row };
        paint_band(band, &bin, &layers);
    });
    Ok(())
}

/// Paints meshes onto nothing: the part of them in `rect`, in points, whose corners lie on corners of pixels.
///
/// # Errors
/// If a mesh cannot be painted.
#[expect(clippy::cast_sign_loss, reason = "sides are positive")]
pub fn still(
    meshes: Vec<Mesh>,
    rect: Rect,
    pixels_per_point: f32,
    textures: &TextureStore,
) -> Result<ColorImage, RasterError> {
    let size = rect.size() * pixels_per_point;
    let [width, height] = [size.x, size.y].map(|side| (side.round() as usize).max(1));
    let mut pixels = vec![[0; 4]; width * height];
    let whole = Rect::from_min_size(Pos2::ZERO, rect.size());
    let primitive = |mut mesh: Mesh| {
        mesh.translate(-rect.min.to_vec2());
        ClippedPrimitive { clip_rect: whole, primitive: Primitive::Mesh(mesh) }
    };
    let primitives: Vec<ClippedPrimitive> = meshes.into_iter().map(primitive).collect();
    paint(&mut Canvas { pixels: &mut pixels, width }, &primitives, pixels_per_point, textures)?;
    let colour = |[r, g, b, a]: Pixel| Color32::from_rgba_premultiplied(r, g, b, a);
    Ok(ColorImage::new([width, height], pixels.into_iter().map(colour).collect()))
}

/// A size as a signed number: sizes of pictures and vectors are far below 2⁶³.
fn signed(size: usize) -> i64 {
    i64::try_from(size).unwrap_or(i64::MAX)
}

/// A clip rectangle in pixels, rounded as by egui's own painter.
fn clip_in_pixels(rect: Rect, pixels_per_point: f32) -> PixelRect {
    let pixel = |points: f32| i64::from((points * pixels_per_point).round() as i32);
    PixelRect { columns: pixel(rect.min.x)..pixel(rect.max.x), rows: pixel(rect.min.y)..pixel(rect.max.y) }
}

/// A mesh in pixels with its texture and its clip rectangle.
struct Layer<'a> {
    corners: Vec<Corner>,
    /// Indices into `corners`.
    triangles: Vec<[u32; 3]>,
    texture: &'a Texture,
    clip: PixelRect,
}

impl<'a> Layer<'a> {
    /// `None` if no part of the mesh is visible.
    fn new(
        primitive: &Primitive,
        clip: PixelRect,
        pixels_per_point: f32,
        textures: &'a TextureStore,
    ) -> Result<Option<Self>, RasterError> {
        let Primitive::Mesh(mesh) = primitive else {
            return Err(RasterError::Callback);
        };
        if mesh.indices.is_empty() || clip.is_empty() {
            return Ok(None);
        }
        let id = mesh.texture_id;
        let texture = textures.get(id).ok_or(RasterError::MissingTexture(id))?;
        let mut layer = Self {
            corners: Vec::with_capacity(mesh.vertices.len()),
            triangles: Vec::with_capacity(mesh.indices.len() / 3),
            texture,
            clip,
        };
        layer.take(mesh, f64::from(pixels_per_point))?;
        Ok(Some(layer))
    }

    fn take(&mut self, mesh: &Mesh, pixels_per_point: f64) -> Result<(), RasterError> {
        let vertices = mesh.vertices.len();
        let mut far = false;
        for vertex in &mesh.vertices {
            let position = in_pixels(vertex.pos, pixels_per_point);
            far |= !clipping::contains(position);
            self.corners.push(snapped(vertex, position));
        }
        for triangle in mesh.indices.as_chunks::<3>().0 {
            if let Some(&index) = triangle.iter().find(|i| **i as usize >= vertices) {
                return Err(RasterError::MissingVertex { vertices, index });
            }
            let corners = triangle.map(|index| mesh.vertices[index as usize]);
            let outside = |v: &Vertex| !clipping::contains(in_pixels(v.pos, pixels_per_point));
            if far && corners.iter().any(outside) {
                self.take_far(&corners, pixels_per_point);
            } else {
                self.triangles.push(*triangle);
            }
        }
        Ok(())
    }

    /// Adds the part of a triangle that is inside the limits of exact arithmetic.
    fn take_far(&mut self, corners: &[Vertex; 3], pixels_per_point: f64) {
        let polygon = clipping::clipped(corners, pixels_per_point);
        let first = self.corners.len() as u32;
        let count = polygon.len() as u32;
        self.corners.extend(polygon.iter().map(|(vertex, position)| snapped(vertex, *position)));
        for second in 1..count.saturating_sub(1) {
            self.triangles.push([first, first + second, first + second + 1]);
        }
    }

    fn corners(&self, triangle: u32) -> [Corner; 3] {
        self.triangles[triangle as usize].map(|index| self.corners[index as usize])
    }
}

fn in_pixels(position: Pos2, pixels_per_point: f64) -> [f64; 2] {
    [position.x, position.y].map(|points| f64::from(points) * pixels_per_point)
}

fn snapped(vertex: &Vertex, position: [f64; 2]) -> Corner {
    let [x, y] = position.map(|pixels| (pixels * SUBPIXELS as f64).round() as i32);
    Corner { x, y, color: vertex.color, uv: vertex.uv }
}

/// A triangle of a layer.
struct Entry {
    layer: u32,
    triangle: u32,
}

/// For every band, the triangles that may reach into it, in painting order.
fn sort_into_bands(layers: &[Layer], rows: usize) -> Vec<Vec<Entry>> {
    let mut bands: Vec<Vec<Entry>> = Vec::new();
    bands.resize_with(rows.div_ceil(BAND_ROWS), Vec::new);
    for (layer, content) in (0..).zip(layers) {
        for triangle in 0..content.triangles.len() as u32 {
            let seen = bounds(&content.corners(triangle)).intersect(&content.clip);
            if seen.is_empty() {
                continue;
            }
            // Not empty and within the picture, hence not negative.
            let first = seen.rows.start.unsigned_abs() as usize / BAND_ROWS;
            let last = (seen.rows.end - 1).unsigned_abs() as usize / BAND_ROWS;
            for band in &mut bands[first..=last] {
                band.push(Entry { layer, triangle });
            }
        }
    }
    bands
}

fn paint_band(mut band: Band, entries: &[Entry], layers: &[Layer]) {
    let columns = 0..signed(band.width);
    let rows = band.first_row..band.first_row + signed(band.pixels.len() / band.width);
    let whole = PixelRect { columns, rows };
    for entry in entries {
        let layer = &layers[entry.layer as usize];
        let clip = layer.clip.intersect(&whole);
        draw(layer.corners(entry.triangle), layer.texture, &clip, &mut band);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use egui::epaint::{ImageDelta, PaintCallback, textures::TexturesDelta};
    use egui::{TextureOptions, pos2};
    use proptest::prelude::*;

    use super::*;

    const WHITE: TextureId = TextureId::Managed(0);
    const IMAGE: TextureId = TextureId::Managed(1);
    /// Adds one to red and changes no other channel: counts how often a pixel is painted.
    const COUNT: Color32 = Color32::from_rgba_premultiplied(1, 0, 0, 0);
    const HALF: Color32 = Color32::from_rgba_premultiplied(100, 0, 50, 128);

    fn textures() -> TextureStore {
        let mut delta = TexturesDelta::default();
        let white = ColorImage::filled([1, 1], Color32::WHITE);
        delta.push(WHITE, ImageDelta::full(white, TextureOptions::LINEAR));
        let image = [Color32::RED, Color32::BLUE];
        delta.push(IMAGE, ImageDelta::full(ColorImage::new([2, 1], image.to_vec()), TextureOptions::LINEAR));
        let mut store = TextureStore::default();
        store.update(delta).expect("whole images fit");
        store
    }

    fn mesh(vertices: &[(f32, f32, Color32)], indices: &[u32]) -> Mesh {
        let vertex = |&(x, y, color)| Vertex::untextured(pos2(x, y), color);
        Mesh { vertices: vertices.iter().map(vertex).collect(), indices: indices.to_vec(), texture_id: WHITE }
    }

    fn clipped(mesh: Mesh, clip_rect: Rect) -> ClippedPrimitive {
        ClippedPrimitive { clip_rect, primitive: Primitive::Mesh(mesh) }
    }

    fn painted(mesh: Mesh, [width, rows]: [usize; 2], paper: Pixel) -> Vec<Pixel> {
        let mut pixels = vec![paper; width * rows];
        let mut canvas = Canvas { pixels: &mut pixels, width };
        paint(&mut canvas, &[clipped(mesh, Rect::EVERYTHING)], 1.0, &textures()).expect("paintable");
        pixels
    }

    /// What is painted on paper has the colours of a still picture of it on the same paper, but for the rounding of two layers.
    #[test]
    fn a_still_picture_stands_for_its_meshes() {
        let corners = [(12.0, 13.0, HALF), (28.0, 14.5, COUNT), (14.0, 29.0, HALF), (31.0, 30.0, Color32::GREEN)];
        let lines = mesh(&corners, &[0, 1, 2, 1, 2, 3]);
        let mut shades = Mesh::with_texture(IMAGE);
        let rect = Rect::from_min_max(pos2(11.0, 12.0), pos2(26.0, 27.0));
        shades.add_rect_with_uv(
            rect,
            Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0)),
            Color32::from_white_alpha(90),
        );
        let image = Arc::new(ColorImage::new([2, 1], vec![Color32::RED, Color32::BLUE]));
        let store = TextureStore::with([(IMAGE, image, TextureOptions::LINEAR)]);
        let rect = Rect::from_min_max(pos2(10.0, 10.0), pos2(34.0, 32.0));
        for pixels_per_point in [1.0, 1.5] {
            let picture =
                still(vec![shades.clone(), lines.clone()], rect, pixels_per_point, &store).expect("paintable");
            let [width, height] = picture.size;
            let paper = [200, 210, 220, 255];
            let mut direct = vec![paper; width * height];
            let moved = [&shades, &lines].map(|mesh| {
                let mut mesh = mesh.clone();
                mesh.translate(-rect.min.to_vec2());
                clipped(mesh, Rect::EVERYTHING)
            });
            let mut canvas = Canvas { pixels: &mut direct, width };
            paint(&mut canvas, &moved, pixels_per_point, &store).expect("paintable");
            assert!(direct.iter().filter(|pixel| **pixel != paper).count() > width * height / 4);
            for (direct, still) in direct.iter().zip(&picture.pixels) {
                let over = |channel: usize| {
                    let left = 255.0 - f32::from(still.a());
                    f32::from(still.to_array()[channel]) + f32::from(paper[channel]) * left / 255.0
                };
                assert!(
                    (0..4).all(|channel| (f32::from(direct[channel]) - over(channel)).abs() <= 2.0),
                    "{direct:?} {still:?}"
                );
            }
        }
    }

    #[test]
    fn two_halves_of_half_opacity_cover_each_pixel_once() {
        let corners = [(2.0, 1.0, HALF), (9.0, 1.0, HALF), (9.0, 7.0, HALF), (2.0, 7.0, HALF)];
        // 128/255 of the paper is hidden: 200·127/255 = 99.6, 255·127/255 = 127.
        let once = [200, 100, 150, 255];
        for indices in [[0, 1, 2, 0, 2, 3], [0, 1, 3, 3, 2, 1], [2, 1, 0, 2, 0, 3]] {
            let pixels = painted(mesh(&corners, &indices), [12, 8], [200, 200, 200, 255]);
            for (index, pixel) in pixels.iter().enumerate() {
                let inside = (2..9).contains(&(index % 12)) && (1..7).contains(&(index / 12));
                assert_eq!(*pixel, if inside { once } else { [200, 200, 200, 255] }, "pixel {index}");
            }
        }
    }

    proptest! {
        #[test]
        fn a_fan_around_any_point_covers_its_rectangle_exactly_once(
            x in 0.0_f32..64.0,
            y in 0.0_f32..80.0,
            pixels_per_point in prop::sample::select(vec![1.0_f32, 2.0]),
        ) {
            let corners = [(0.0, 0.0), (64.0, 0.0), (64.0, 80.0), (0.0, 80.0), (x, y)];
            let corners = corners.map(|(x, y)| (x / pixels_per_point, y / pixels_per_point, COUNT));
            let fan = mesh(&corners, &[0, 1, 4, 1, 2, 4, 3, 2, 4, 3, 0, 4]);
            let mut pixels = vec![[0; 4]; 70 * 90];
            let mut canvas = Canvas { pixels: &mut pixels, width: 70 };
            let primitive = clipped(fan, Rect::EVERYTHING);
            prop_assert_eq!(paint(&mut canvas, &[primitive], pixels_per_point, &textures()), Ok(()));
            for (index, pixel) in pixels.iter().enumerate() {
                let inside = index % 70 < 64 && index / 70 < 80;
                prop_assert_eq!(*pixel, [u8::from(inside), 0, 0, 0], "pixel {}", index);
            }
        }

        #[test]
        fn arbitrary_vertices_are_painted_or_left_out_without_a_panic(
            values in prop::collection::vec(prop::num::f32::ANY, 12),
            pixels_per_point in prop::num::f32::ANY,
        ) {
            let vertex = |v: &[f32]| Vertex { pos: pos2(v[0], v[1]), uv: pos2(v[2], v[3]), color: HALF };
            let vertices = values.chunks(4).map(vertex).collect();
            let triangle = Mesh { vertices, indices: vec![0, 1, 2], texture_id: IMAGE };
            let mut pixels = vec![[0; 4]; 40 * 40];
            let mut canvas = Canvas { pixels: &mut pixels, width: 40 };
            let clip = Rect::from_min_max(pos2(values[3], values[7]), pos2(values[11], values[2]));
            let primitives = [clipped(triangle.clone(), Rect::EVERYTHING), clipped(triangle, clip)];
            prop_assert_eq!(paint(&mut canvas, &primitives, pixels_per_point, &textures()), Ok(()));
        }
    }

    #[test]
    fn the_clip_rectangle_is_rounded_to_pixels() {
        let everywhere = mesh(&[(-50.0, -50.0, COUNT), (90.0, -50.0, COUNT), (-50.0, 90.0, COUNT)], &[0, 1, 2]);
        let clip = Rect::from_min_max(pos2(1.2, 0.8), pos2(2.8, 1.3));
        let mut pixels = vec![[0; 4]; 10 * 6];
        let mut canvas = Canvas { pixels: &mut pixels, width: 10 };
        paint(&mut canvas, &[clipped(everywhere, clip)], 2.0, &textures()).expect("paintable");
        // In pixels: 2.4–5.6 by 1.6–2.6, hence 2–6 by 2–3.
        let inside: Vec<_> = (0..60).filter(|index| pixels[*index][0] == 1).collect();
        assert_eq!(inside, [22, 23, 24, 25]);
    }

    #[test]
    fn colours_are_planes_through_the_corners() {
        // From 0 at the left edge to 250 at the right one, over 50 pixels: 5 per pixel, 2.5 at the first centre.
        let right = Color32::from_rgba_premultiplied(250, 125, 0, 250);
        let left = Color32::TRANSPARENT;
        let corners = [(0.0, 0.0, left), (50.0, 0.0, right), (50.0, 40.0, right), (0.0, 40.0, left)];
        let pixels = painted(mesh(&corners, &[0, 1, 2, 0, 2, 3]), [50, 40], [0; 4]);
        for (index, pixel) in pixels.iter().enumerate() {
            let level = 2.5 + 5.0 * (index % 50) as f32;
            for (channel, share) in [1.0, 0.5, 0.0, 1.0].into_iter().enumerate() {
                // Rounding is at most half a level away, plus single precision.
                assert!((f32::from(pixel[channel]) - share * level).abs() < 0.501, "pixel {index}: {pixel:?}");
            }
        }
    }

    #[test]
    fn textures_are_multiplied_by_the_colour() {
        let tint = Color32::from_rgba_premultiplied(100, 100, 100, 100);
        let mut quad =
            mesh(&[(0.0, 0.0, tint), (4.0, 0.0, tint), (4.0, 1.0, tint), (0.0, 1.0, tint)], &[0, 1, 2, 0, 2, 3]);
        quad.texture_id = IMAGE;
        for (vertex, uv) in quad.vertices.iter_mut().zip([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]) {
            vertex.uv = uv.into();
        }
        // Texel coordinates 0.25, 0.75, 1.25, 1.75: all red, ¼, ¾, and all blue.
        let expected = [[100, 0, 0, 100], [75, 0, 25, 100], [25, 0, 75, 100], [0, 0, 100, 100]];
        assert_eq!(painted(quad, [4, 1], [0; 4]), expected);
    }

    #[test]
    fn the_number_of_threads_does_not_matter() {
        let mut vertices = Vec::new();
        for i in 0_u8..240 {
            let t = f32::from(i);
            let color = Color32::from_rgba_unmultiplied(i, 255 - i, 77, 120);
            vertices.push((100.0 + 99.0 * (t * 1.7).sin(), 150.0 + 149.0 * (t * 0.61).cos(), color));
        }
        let tangle = mesh(&vertices, &(0..240).collect::<Vec<_>>());
        let with_threads = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a small pool");
            pool.install(|| painted(tangle.clone(), [200, 300], [255; 4]))
        };
        let alone = with_threads(1);
        assert!(alone.iter().any(|pixel| *pixel != [255; 4]));
        assert_eq!(alone, with_threads(4));
    }

    #[test]
    fn far_triangles_are_clipped_outside_the_picture() {
        // The edge x + y = 10, with corners at larger and larger distances.
        for reach in [1e3, 1e7, 1e9] {
            let corners = [(10.0 + reach, -reach, COUNT), (10.0 - reach, reach, COUNT), (-reach, -reach, COUNT)];
            let pixels = painted(mesh(&corners, &[0, 1, 2]), [20, 20], [0; 4]);
            let covered = pixels.iter().filter(|pixel| pixel[0] == 1).count();
            // 1e9 + 10 is 1e9 in single precision, which moves the edge to x + y = 0.
            let expected = if reach < 1e8 { 45 } else { 0 };
            assert_eq!(covered, expected, "{reach}");
        }
        let nan = [(f32::NAN, 0.0, COUNT), (9.0, 0.0, COUNT), (0.0, 9.0, COUNT)];
        assert!(painted(mesh(&nan, &[0, 1, 2]), [9, 9], [0; 4]).iter().all(|pixel| *pixel == [0; 4]));
    }

    #[test]
    fn a_mesh_that_cannot_be_painted_is_an_error_and_leaves_the_canvas_unchanged() {
        let corners = [(0.0, 0.0, COUNT), (9.0, 0.0, COUNT), (0.0, 9.0, COUNT)];
        let good = mesh(&corners, &[0, 1, 2]);
        let unknown = TextureId::User(3);
        let callback = PaintCallback { rect: Rect::EVERYTHING, callback: std::sync::Arc::new(()) };
        let bad = [
            (Primitive::Mesh(Mesh { texture_id: unknown, ..good.clone() }), RasterError::MissingTexture(unknown)),
            (Primitive::Mesh(mesh(&corners, &[0, 1, 3])), RasterError::MissingVertex { vertices: 3, index: 3 }),
            (Primitive::Callback(callback), RasterError::Callback),
        ];
        for (primitive, error) in bad {
            let bad = ClippedPrimitive { clip_rect: Rect::EVERYTHING, primitive };
            let mut pixels = vec![[0; 4]; 81];
            let mut canvas = Canvas { pixels: &mut pixels, width: 9 };
            let primitives = [clipped(good.clone(), Rect::EVERYTHING), bad];
            assert_eq!(paint(&mut canvas, &primitives, 1.0, &textures()), Err(error));
            assert!(pixels.iter().all(|pixel| *pixel == [0; 4]));
        }
    }
}

//! Coverage and colours of one triangle.
//!
//! Corners are snapped to 1/256 of a pixel, as graphics cards do. From there coverage is exact integer arithmetic: a
//! pixel belongs to a triangle if its centre lies inside, and a centre exactly on an edge belongs to the triangle for
//! which the edge is a left or a top one. Hence two triangles that share an edge cover each pixel along it exactly
//! once.
//!
//! Colours and texture coordinates are planes over the triangle. Every row starts from the exact barycentric
//! coordinates of its first pixel, so that the result does not depend on the band or the thread that paints it.

use std::ops::Range;

use egui::{Color32, Pos2};

use super::blend::{self, FULL, Pixel};
use super::texture::{Sampler, Texture, fixed_texel};

/// Steps per pixel of a snapped coordinate.
pub(super) const SUBPIXELS: i64 = 256;

/// A corner in snapped pixel coordinates (y downwards).
#[derive(Clone, Copy, Debug)]
pub(super) struct Corner {
    /// Column × [`SUBPIXELS`]; at most 2²⁸ in size, so that products of four such numbers fit into 64 bits.
    pub x: i32,
    /// Row × [`SUBPIXELS`]; same limit.
    pub y: i32,
    /// Premultiplied.
    pub color: Color32,
    /// 0–1 over the texture.
    pub uv: Pos2,
}

/// Pixels in `columns` × `rows`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PixelRect {
    pub columns: Range<i64>,
    pub rows: Range<i64>,
}

impl PixelRect {
    /// The pixels in both; possibly none.
    pub fn intersect(&self, other: &Self) -> Self {
        Self { columns: overlap(&self.columns, &other.columns), rows: overlap(&self.rows, &other.rows) }
    }

    pub fn is_empty(&self) -> bool {
        self.columns.is_empty() || self.rows.is_empty()
    }
}

fn overlap(a: &Range<i64>, b: &Range<i64>) -> Range<i64> {
    a.start.max(b.start)..a.end.min(b.end)
}

/// The pixels whose centres can lie inside the triangle.
pub(super) fn bounds(corners: &[Corner; 3]) -> PixelRect {
    PixelRect {
        columns: centres_between(corners.map(|corner| corner.x)),
        rows: centres_between(corners.map(|corner| corner.y)),
    }
}

fn centres_between(positions: [i32; 3]) -> Range<i64> {
    let [a, b, c] = positions.map(i64::from);
    let half = SUBPIXELS / 2;
    let first = (a.min(b).min(c) - half + SUBPIXELS - 1).div_euclid(SUBPIXELS);
    let last = (a.max(b).max(c) - half).div_euclid(SUBPIXELS);
    first..last + 1
}

/// Consecutive whole rows of a picture.
pub(super) struct Band<'a> {
    pub pixels: &'a mut [Pixel],
    /// Pixels per row.
    pub width: usize,
    /// The row of the picture at which `pixels` starts.
    pub first_row: i64,
}

impl Band<'_> {
    fn span(&mut self, row: i64, columns: &Range<i64>) -> &mut [Pixel] {
        let start = (row - self.first_row).unsigned_abs() as usize * self.width;
        let columns = columns.start.unsigned_abs() as usize..columns.end.unsigned_abs() as usize;
        &mut self.pixels[start + columns.start..start + columns.end]
    }
}

/// Paints the part of a triangle that lies within `clip`, which must lie within the band.
pub(super) fn draw(mut corners: [Corner; 3], texture: &Texture, clip: &PixelRect, band: &mut Band) {
    let rect = bounds(&corners).intersect(clip);
    if rect.is_empty() {
        return;
    }
    let Some(outline) = Outline::new(&mut corners) else {
        return;
    };
    let Some(paint) = Paint::new(&outline, &corners, texture) else {
        return;
    };
    for row in rect.rows.clone() {
        let columns = outline.covered(row, &rect.columns);
        if !columns.is_empty() {
            let weights = outline.weights(columns.start, row);
            paint.fill(band.span(row, &columns), weights);
        }
    }
}

/// A line through two corners, as a function of the pixel that is positive on the inner side.
///
/// The unit is 1/65536 pixel², and the value is twice the area between the line and the pixel's centre.
#[derive(Clone, Copy)]
struct Edge {
    /// At the centre of pixel (0, 0).
    origin: i64,
    per_column: i64,
    per_row: i64,
    /// Subtracted from the value, so that "covered" means "not negative": zero for a left or top edge, otherwise one.
    exclusive: i64,
}

impl Edge {
    fn new(from: &Corner, to: &Corner) -> Self {
        let [x, y] = [from.x, from.y].map(i64::from);
        let (dx, dy) = (i64::from(to.x) - x, i64::from(to.y) - y);
        let half = SUBPIXELS / 2;
        let left_or_top = dy < 0 || (dy == 0 && dx > 0);
        Self {
            origin: dx * (half - y) - dy * (half - x),
            per_column: -dy * SUBPIXELS,
            per_row: dx * SUBPIXELS,
            exclusive: i64::from(!left_or_top),
        }
    }

    fn at(&self, column: i64, row: i64) -> i64 {
        self.origin + self.per_column * column + self.per_row * row
    }
}

/// The three edges, each opposite to the corner of the same index.
struct Outline {
    edges: [Edge; 3],
    /// One over twice the area, in the edges' unit.
    per_area: f64,
}

impl Outline {
    /// Puts the corners into clockwise order (as seen on the screen); `None` for a triangle without area.
    fn new(corners: &mut [Corner; 3]) -> Option<Self> {
        if doubled_area(corners) < 0 {
            corners.swap(1, 2);
        }
        let area = doubled_area(corners);
        let [a, b, c] = &*corners;
        (area > 0)
            .then(|| Self { edges: [Edge::new(b, c), Edge::new(c, a), Edge::new(a, b)], per_area: 1.0 / area as f64 })
    }

    /// The columns of a row that are covered, within `columns`.
    fn covered(&self, row: i64, columns: &Range<i64>) -> Range<i64> {
        let Range { mut start, mut end } = *columns;
        for edge in &self.edges {
            let value = edge.at(columns.start, row) - edge.exclusive;
            let step = edge.per_column;
            if step > 0 {
                if value < 0 {
                    start = start.max(columns.start + (step - 1 - value) / step);
                }
            } else if value < 0 {
                return start..start;
            } else if step < 0 {
                end = end.min(columns.start + value / -step + 1);
            }
        }
        start..end
    }

    /// The barycentric weights of the second and third corner at a pixel's centre.
    fn weights(&self, column: i64, row: i64) -> [f64; 2] {
        [self.edges[1].at(column, row) as f64 * self.per_area, self.edges[2].at(column, row) as f64 * self.per_area]
    }

    /// The increase of a plane through three values from one column and from one row to the next.
    fn slopes(&self, values: [f64; 3]) -> [f64; 2] {
        let [rise_b, rise_c] = [values[1] - values[0], values[2] - values[0]];
        let [_, b, c] = &self.edges;
        [
            (b.per_column as f64 * rise_b + c.per_column as f64 * rise_c) * self.per_area,
            (b.per_row as f64 * rise_b + c.per_row as f64 * rise_c) * self.per_area,
        ]
    }
}

fn doubled_area([a, b, c]: &[Corner; 3]) -> i64 {
    let difference = |to: i32, from: i32| i64::from(to) - i64::from(from);
    difference(b.x, a.x) * difference(c.y, a.y) - difference(b.y, a.y) * difference(c.x, a.x)
}

/// A colour plane: levels at the first corner, rises towards the other two, and the rise per column.
struct Shade {
    first: [f32; 4],
    rises: [[f32; 4]; 2],
    per_column: [f32; 4],
}

impl Shade {
    fn new(outline: &Outline, levels: [[f32; 4]; 3]) -> Self {
        let [a, b, c] = levels;
        let per_column = std::array::from_fn(|channel| {
            let values = [a[channel], b[channel], c[channel]].map(f64::from);
            outline.slopes(values)[0] as f32
        });
        Self { first: a, rises: [minus(b, a), minus(c, a)], per_column }
    }

    fn at(&self, weights: [f64; 2]) -> [f32; 4] {
        let [b, c] = weights.map(|weight| weight as f32);
        std::array::from_fn(|i| self.first[i] + b * self.rises[0][i] + c * self.rises[1][i])
    }
}

fn minus(a: [f32; 4], b: [f32; 4]) -> [f32; 4] {
    std::array::from_fn(|i| a[i] - b[i])
}

/// Texture coordinates in texels at the three corners, and their rise per column in fixed point.
struct Mapping<'a> {
    sampler: Sampler<'a>,
    corners: [[f64; 3]; 2],
    per_column: [i64; 2],
}

impl<'a> Mapping<'a> {
    fn new(outline: &Outline, corners: [[f64; 3]; 2], texture: &'a Texture) -> Option<Self> {
        let slopes = corners.map(|values| outline.slopes(values));
        let scale = |axis: usize| slopes[0][axis].hypot(slopes[1][axis]);
        Some(Self {
            sampler: texture.sampler(scale(0).max(scale(1)))?,
            corners,
            per_column: slopes.map(|slope| fixed_texel(slope[0])),
        })
    }

    fn at(&self, [b, c]: [f64; 2]) -> [i64; 2] {
        self.corners.map(|[first, second, third]| first + b * (second - first) + c * (third - first)).map(fixed_texel)
    }
}

/// Colours of the pixels of one triangle, from the cheapest case to the general one.
enum Paint<'a> {
    /// One colour on a white texel: most triangles of egui.
    Flat(Pixel),
    /// A colour plane on a constant texel: the soft edges of shapes.
    Shaded(Shade),
    /// A texture, tinted by a colour plane with levels 0–1: glyphs and images.
    Textured(Shade, Mapping<'a>),
}

impl<'a> Paint<'a> {
    /// `None` if the triangle is invisible.
    fn new(outline: &Outline, corners: &[Corner; 3], texture: &'a Texture) -> Option<Self> {
        let colors = corners.map(|corner| corner.color);
        if colors == [Color32::TRANSPARENT; 3] {
            return None;
        }
        let size = texture.size();
        let texels = [0, 1].map(|axis| corners.map(|corner| f64::from(corner.uv[axis]) * size[axis] as f64));
        let levels = colors.map(|color| color.to_array().map(f32::from));
        // A comparison of `Pos2` panics in debug builds at NaN.
        let texel = |corner: &Corner| [corner.uv.x.to_bits(), corner.uv.y.to_bits()];
        if corners.iter().any(|corner| texel(corner) != texel(&corners[0])) {
            let tint = Shade::new(outline, levels.map(|level| level.map(|l| l / FULL)));
            return Some(Self::Textured(tint, Mapping::new(outline, texels, texture)?));
        }
        let [x, y] = texels.map(|along| fixed_texel(along[0]));
        // All corners have the same texel, so the texture is magnified.
        let texel = texture.sampler(0.0)?.at(x, y);
        if texel.iter().all(|level| *level >= FULL) && colors == [colors[0]; 3] {
            return Some(Self::Flat(colors[0].to_array()));
        }
        let tinted = |level: [f32; 4]| std::array::from_fn(|i| level[i] * texel[i] / FULL);
        Some(Self::Shaded(Shade::new(outline, levels.map(tinted))))
    }

    /// Paints consecutive pixels, the first of which has the given barycentric weights.
    fn fill(&self, pixels: &mut [Pixel], weights: [f64; 2]) {
        match self {
            Self::Flat(color) => blend::constant_over(pixels, *color),
            Self::Shaded(shade) => fill_shaded(pixels, shade, weights),
            Self::Textured(tint, mapping) => fill_textured(pixels, tint, mapping, weights),
        }
    }
}

fn fill_shaded(pixels: &mut [Pixel], shade: &Shade, weights: [f64; 2]) {
    let start = shade.at(weights);
    for (offset, pixel) in pixels.iter_mut().enumerate() {
        let offset = offset as f32;
        let color = std::array::from_fn(|i| start[i] + offset * shade.per_column[i]);
        blend::over(pixel, color);
    }
}

fn fill_textured(pixels: &mut [Pixel], tint: &Shade, mapping: &Mapping, weights: [f64; 2]) {
    let start = tint.at(weights);
    let [mut x, mut y] = mapping.at(weights);
    for (offset, pixel) in pixels.iter_mut().enumerate() {
        let texel = mapping.sampler.at(x, y);
        x = x.wrapping_add(mapping.per_column[0]);
        y = y.wrapping_add(mapping.per_column[1]);
        // Most of a glyph's rectangle is empty.
        if texel.iter().all(|level| *level <= 0.0) {
            continue;
        }
        let offset = offset as f32;
        let color = std::array::from_fn(|i| texel[i] * (start[i] + offset * tint.per_column[i]));
        blend::over(pixel, color);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn corner(x: i32, y: i32) -> Corner {
        Corner { x, y, color: Color32::WHITE, uv: Pos2::ZERO }
    }

    /// Whether a pixel is covered, by testing every edge.
    fn by_hand(outline: &Outline, column: i64, row: i64) -> bool {
        outline.edges.iter().all(|edge| {
            let value = edge.at(column, row);
            let left_or_top = edge.per_column > 0 || (edge.per_column == 0 && edge.per_row > 0);
            value > 0 || (value == 0 && left_or_top)
        })
    }

    proptest! {
        #[test]
        fn spans_are_the_pixels_whose_centres_are_inside(points in prop::array::uniform6(-800_i32..3000)) {
            let [a, b, c, d, e, f] = points;
            let mut corners = [corner(a, b), corner(c, d), corner(e, f)];
            let rect = bounds(&corners);
            if let Some(outline) = Outline::new(&mut corners) {
                for row in -5..15 {
                    let covered = outline.covered(row, &(-5..15));
                    for column in -5..15 {
                        let inside = by_hand(&outline, column, row);
                        prop_assert_eq!(covered.contains(&column), inside);
                        prop_assert!(!inside || (rect.columns.contains(&column) && rect.rows.contains(&row)));
                    }
                }
            }
        }

        #[test]
        fn weights_reproduce_the_pixel_centre(points in prop::array::uniform6(0_i32..3000)) {
            let [a, b, c, d, e, f] = points;
            let mut corners = [corner(a, b), corner(c, d), corner(e, f)];
            if let Some(outline) = Outline::new(&mut corners) {
                let xs = corners.map(|corner| f64::from(corner.x));
                let [second, third] = outline.weights(3, 7);
                let x = xs[0] + second * (xs[1] - xs[0]) + third * (xs[2] - xs[0]);
                // Six roundings of numbers below 3000·3000 relative to an area of at least one.
                let tolerance = 6.0 * f64::EPSILON * 3000.0_f64.powi(3) * outline.per_area.max(1e-7);
                prop_assert!((x - 3.5 * 256.0).abs() <= tolerance, "{} off", x - 896.0);
                let [along, across] = outline.slopes(xs);
                prop_assert!((along - 256.0).abs() <= tolerance && across.abs() <= tolerance);
            }
        }
    }

    #[test]
    fn centres_on_the_boundary_belong_to_left_and_top_edges() {
        // From centre (0, 0) to centre (2, 2): the left column and the top row are in, the others are not.
        let square = [[128, 128], [640, 128], [640, 640], [128, 640]].map(|[x, y]| corner(x, y));
        let halves = [[square[0], square[1], square[2]], [square[0], square[2], square[3]]];
        for row in -1..4 {
            for column in -1..4 {
                let times = halves.iter().filter(|half| {
                    let outline = Outline::new(&mut half.to_vec().try_into().expect("three corners"));
                    outline.expect("it has an area").covered(row, &(-1..4)).contains(&column)
                });
                let inside = (0..2).contains(&row) && (0..2).contains(&column);
                assert_eq!(times.count(), usize::from(inside), "{column}, {row}");
            }
        }
    }

    #[test]
    fn triangles_without_area_cover_no_pixel() {
        assert!(Outline::new(&mut [corner(0, 0), corner(500, 500), corner(1000, 1000)]).is_none());
        assert!(Outline::new(&mut [corner(7, 7); 3]).is_none());
    }

    #[test]
    fn the_largest_coordinates_do_not_overflow() {
        let far = 1 << 28;
        let mut corners = [corner(-far, -far), corner(far, -far), corner(-far, far)];
        let outline = Outline::new(&mut corners).expect("it has an area");
        // The slanted edge is x + y = 0, and the centre of (9, −10) on it is outside of a right edge.
        assert_eq!(outline.covered(-10, &(0..16_384)), 0..9);
        assert_eq!(outline.covered(16_383, &(0..16_384)), 0..0);
    }
}

//! Lines, bands, images and points of a plot, and how they become triangles or shapes.

use std::sync::Arc;

use egui::epaint::Tessellator;
use egui::{
    Color32, ColorImage, Context, Mesh, Pos2, Rect, Shape, Stroke, TextureHandle, TextureId, TextureOptions, Ui, pos2,
    vec2,
};
use egui_plot::{MarkerShape, PlotItem, PlotPoint, PlotTransform, Points};

use super::passive_items::{picture, rect_of};
use super::{dashes, polyline};
use crate::geometry::{decimated, simplified};
use base::math::Bounds;
use figure::vector::{MOST_CIRCLES, most_circles};

/// Points per pixel along a graph in a page of shapes, which may be enlarged.
const FINE: f32 = 4.0;

/// How far a point may be from the line through its neighbours to be left out, in pixels.
const STRAIGHT: f64 = 0.05;

/// A line, a band or points, in the coordinates of the plot.
#[derive(Clone, Debug)]
pub enum Mark {
    /// A line through points.
    Line {
        /// The points.
        points: Vec<[f64; 2]>,
        /// Its colour.
        colour: Color32,
        /// Its width in points of the screen.
        width: f32,
        /// Whether its first coordinates never decrease. Such a line is reduced to one point per pixel.
        graph: bool,
    },
    /// A dashed [`Mark::Line`] with `graph`, with the lengths of dash and gap in points of the screen.
    Dashes {
        /// The points.
        points: Vec<[f64; 2]>,
        /// Its colour.
        colour: Color32,
        /// Its width in points of the screen.
        width: f32,
        /// Length of a dash, and of the gap after it.
        lengths: [f32; 2],
    },
    /// A [`Mark::Line`] with `graph` of a run whose lines are broken.
    Broken {
        /// The points.
        points: Vec<[f64; 2]>,
        /// Its colour.
        colour: Color32,
        /// Its width in points of the screen.
        width: f32,
        /// Lengths of a dash, the gap after it, the next dash and its gap.
        lengths: [f32; 4],
    },
    /// The area between two graphs, nowhere thinner than a line.
    Band {
        /// Argument, lower and upper value.
        edges: Vec<[f64; 3]>,
        /// Its colour.
        colour: Color32,
        /// Its least height, in points of the screen.
        width: f32,
    },
    /// An image over a rectangle, its first row at the top.
    Image {
        /// Its pixels.
        image: Arc<ColorImage>,
        /// The same as a texture that is smoothed.
        texture: TextureId,
        /// The rectangle.
        window: Bounds,
    },
    /// A small marker at each point.
    Points {
        /// The points.
        points: Vec<[f64; 2]>,
        /// Their colour.
        colour: Color32,
        /// Their shape.
        shape: MarkerShape,
        /// Their size, and their texture if they are circles.
        dot: Dot,
    },
}

/// A round dot as a texture: each dot costs four corners instead of a polygon.
#[derive(Clone)]
pub struct Dot {
    texture: TextureHandle,
    /// Radius in points of the screen.
    radius: f32,
    pixels_per_point: f32,
}

impl std::fmt::Debug for Dot {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Dot").field("radius", &self.radius).finish_non_exhaustive()
    }
}

impl Dot {
    /// The dot of this radius for the present screen; `before` if it is the same.
    pub fn of(before: Option<Self>, ctx: &Context, radius: f32) -> Self {
        let pixels_per_point = ctx.pixels_per_point();
        let same = |dot: &Self| {
            dot.radius.to_bits() == radius.to_bits() && dot.pixels_per_point.to_bits() == pixels_per_point.to_bits()
        };
        before.filter(same).unwrap_or_else(|| {
            let texture = ctx.load_texture("dot", disc(radius * pixels_per_point), TextureOptions::LINEAR);
            Self { texture, radius, pixels_per_point }
        })
    }

    /// Its radius, in points.
    #[must_use]
    pub fn radius(&self) -> f32 {
        self.radius
    }

    /// A mesh with one dot at each point.
    fn mesh(&self, points: impl Iterator<Item = Pos2>, colour: Color32) -> Mesh {
        let [width, height] = self.texture.size();
        let size = vec2(side(width), side(height)) / self.pixels_per_point;
        let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
        let mut mesh = Mesh::with_texture(self.texture.id());
        for at in points {
            mesh.add_rect_with_uv(Rect::from_center_size(at, size), whole, colour);
        }
        mesh
    }
}

/// A white disc with a soft edge and a transparent rim of one pixel.
#[expect(clippy::cast_sign_loss, reason = "a few pixels, and shares of a byte")]
fn disc(radius: f32) -> ColorImage {
    let pixels = (2.0 * radius).ceil().clamp(1.0, 200.0) as usize + 3;
    let centre = 0.5 * side(pixels);
    let pixel = |index: usize| {
        let (x, y) = (side(index % pixels) + 0.5 - centre, side(index / pixels) + 0.5 - centre);
        let cover = (radius + 0.5 - x.hypot(y)).clamp(0.0, 1.0);
        Color32::from_white_alpha((255.0 * cover).round() as u8)
    };
    ColorImage::new([pixels, pixels], (0..pixels * pixels).map(pixel).collect())
}

/// A number of pixels as a length.
pub fn side(pixels: usize) -> f32 {
    pixels as f32
}

/// Where points of the plot are on the screen.
fn to_screen(transform: &PlotTransform) -> impl Fn(&[f64; 2]) -> Pos2 {
    move |&[x, y]| transform.position_from_point(&PlotPoint::new(x, y))
}

/// A whole texture over a rectangle.
pub fn quad(texture: TextureId, rect: Rect) -> Mesh {
    let mut quad = Mesh::with_texture(texture);
    quad.add_rect_with_uv(rect, Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0)), Color32::WHITE);
    quad
}

/// All marks as meshes, in their order.
pub fn triangles(ui: &Ui, marks: &[Mark], transform: &PlotTransform, pixels_per_point: f32) -> Vec<Shape> {
    let options = ui.ctx().tessellation_options(|options| *options);
    let mut tessellator = Tessellator::new(pixels_per_point, options, [1, 1], Vec::new());
    let mut found = Vec::new();
    let mut lines = Mesh::default();
    let screen = to_screen(transform);
    for mark in marks {
        match mark {
            Mark::Band { edges, colour, width } => {
                let ends = |&[x, low, high]: &[f64; 3]| (screen(&[x, low]), screen(&[x, high]).y);
                band(edges.iter().map(ends), *colour, 0.5 * width, 1.0 / pixels_per_point, &mut lines);
            }
            Mark::Points { points, colour, shape: MarkerShape::Circle, dot } => {
                found.extend(taken(&mut lines));
                found.push(Shape::mesh(dot.mesh(points.iter().map(&screen), *colour)));
            }
            Mark::Image { texture, window, .. } => {
                found.extend(taken(&mut lines));
                found.push(Shape::mesh(quad(*texture, rect_of(*window, transform))));
            }
            mark => {
                for shape in shapes(ui, mark, transform, pixels_per_point) {
                    tessellator.tessellate_shape(shape, &mut lines);
                }
            }
        }
    }
    found.extend(taken(&mut lines));
    found
}

/// What a mesh has so far, unless it is empty; the mesh goes on empty.
fn taken(mesh: &mut Mesh) -> Option<Shape> {
    (!mesh.is_empty()).then(|| Shape::mesh(std::mem::take(mesh)))
}

/// A mark as egui's shapes, graphs with no more points than pixels. That of a band is not convex: egui cannot fill it, formats of lines and areas can.
fn shapes(ui: &Ui, mark: &Mark, transform: &PlotTransform, pixels_per_point: f32) -> Vec<Shape> {
    let screen = to_screen(transform);
    match mark {
        Mark::Line { points, colour, width, graph } => {
            let points = points.iter().map(&screen);
            let points: Vec<Pos2> = if *graph { to_pixels(points, pixels_per_point) } else { points.collect() };
            polyline::line(points, Stroke::new(*width, *colour)).collect()
        }
        Mark::Dashes { points, colour, width, lengths: [dash, gap] } => {
            let points = to_pixels(points.iter().map(&screen), pixels_per_point);
            Shape::dashed_line(&points, Stroke::new(*width, *colour), *dash, *gap)
        }
        Mark::Broken { points, colour, width, lengths } => {
            let points = to_pixels(points.iter().map(&screen), pixels_per_point);
            dashes::shapes(ui, points.into_iter(), Stroke::new(*width, *colour), *lengths)
        }
        Mark::Points { points, colour, shape, dot } => {
            let markers = Points::new("", points.clone()).shape(*shape).color(*colour).radius(dot.radius);
            let mut shapes = Vec::new();
            markers.shapes(ui, transform, &mut shapes);
            shapes
        }
        Mark::Image { texture, window, .. } => {
            let mut shapes = Vec::new();
            picture(*texture, *window).shapes(ui, transform, &mut shapes);
            shapes
        }
        Mark::Band { edges, colour, width } => {
            let ends = |&[x, low, high]: &[f64; 3]| {
                let (lower, upper) = (screen(&[x, low]), screen(&[x, high]).y);
                let (middle, half) = (f32::midpoint(lower.y, upper), (0.5 * (lower.y - upper)).max(0.5 * width));
                [pos2(lower.x, middle - half), pos2(lower.x, middle + half)]
            };
            let ends: Vec<[Pos2; 2]> = edges.iter().map(ends).collect();
            let around = ends.iter().map(|[upper, _]| *upper).chain(ends.iter().rev().map(|[_, lower]| *lower));
            vec![Shape::convex_polygon(around.collect(), *colour, Stroke::NONE)]
        }
    }
}

/// All marks as shapes, in their order.
pub fn outlines(ui: &Ui, marks: &[Mark], transform: &PlotTransform, pixels_per_point: f32) -> Vec<Shape> {
    let screen = to_screen(transform);
    let most = most_circles(ui.ctx()).unwrap_or(MOST_CIRCLES);
    let mut found = Vec::new();
    for mark in marks {
        match mark {
            Mark::Points { points, colour, shape: MarkerShape::Circle, dot } => {
                let points = points.iter().map(&screen);
                if points.len() > most {
                    found.push(Shape::mesh(dot.mesh(points, *colour)));
                } else {
                    found.extend(points.map(|at| Shape::circle_filled(at, dot.radius, *colour)));
                }
            }
            mark => found.extend(shapes(ui, mark, transform, FINE * pixels_per_point)),
        }
    }
    found
}

/// Adds a band to a mesh: at each of its points the lower end and where the upper one is. Its edges fade out over
/// `soft`, half of it on either side.
fn band(edges: impl Iterator<Item = (Pos2, f32)>, colour: Color32, least: f32, soft: f32, mesh: &mut Mesh) {
    let mut before = None;
    for (lower, upper) in edges {
        // The screen's y points down: what is lower is larger.
        let (middle, half) = (f32::midpoint(lower.y, upper), (0.5 * (lower.y - upper)).max(least));
        let corners = [-half - 0.5 * soft, -half + 0.5 * soft, half - 0.5 * soft, half + 0.5 * soft];
        let Ok(first) = u32::try_from(mesh.vertices.len()) else { return };
        for (corner, colour) in corners.into_iter().zip([Color32::TRANSPARENT, colour, colour, Color32::TRANSPARENT]) {
            mesh.colored_vertex(pos2(lower.x, middle + corner), colour);
        }
        if let Some(before) = before.replace(first) {
            for (a, b) in (0..3).map(|strip| (before + strip, first + strip)) {
                mesh.add_triangle(a, a + 1, b);
                mesh.add_triangle(b, b + 1, a + 1);
            }
        }
    }
}

/// No more points than the pixels they cover, and none that is on the line through the others to the eye.
fn to_pixels(points: impl Iterator<Item = Pos2>, pixels_per_point: f32) -> Vec<Pos2> {
    let pixels = decimated(points.map(|at| [at.x * pixels_per_point, at.y * pixels_per_point]));
    let pixels: Vec<[f64; 2]> = pixels.into_iter().map(|at| at.map(f64::from)).collect();
    let point = |at: [f64; 2]| at.map(|pixels| pixels as f32 / pixels_per_point);
    simplified(&pixels, STRAIGHT).into_iter().map(point).map(|[x, y]| pos2(x, y)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_band_reaches_from_edge_to_edge_and_is_nowhere_thinner_than_a_line() {
        let mut mesh = Mesh::default();
        let edges = [(pos2(0.0, 10.0), 4.0), (pos2(1.0, 7.0), 7.0)];
        band(edges.into_iter(), Color32::BLACK, 0.5, 1.0, &mut mesh);
        let heights: Vec<f32> = mesh.vertices.iter().map(|vertex| vertex.pos.y).collect();
        assert_eq!(heights, [3.5, 4.5, 9.5, 10.5, 6.0, 7.0, 7.0, 8.0]);
        assert_eq!(mesh.indices.len(), 18);
        assert!(mesh.is_valid());
    }

    #[test]
    fn a_dot_is_round_and_has_a_clear_rim() {
        let image = disc(2.0);
        let [width, height] = image.size;
        assert_eq!(width, height);
        let alpha = |x: usize, y: usize| image.pixels[y * width + x].a();
        assert!((0..width).all(|at| alpha(at, 0) == 0 && alpha(0, at) == 0 && alpha(at, width - 1) == 0));
        assert_eq!(alpha(width / 2, height / 2), 255);
        let area: f32 = image.pixels.iter().map(|pixel| f32::from(pixel.a()) / 255.0).sum();
        assert!((area / (std::f32::consts::PI * 4.0) - 1.0).abs() < 0.1, "{area} pixels for a disc of radius 2");
    }
}

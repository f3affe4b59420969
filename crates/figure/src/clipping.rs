//! Clipping of triangles whose corners are so far outside the picture that exact coverage would overflow.
//!
//! A plot that is zoomed in has lines which end millions of pixels away. They are clipped at a square around the
//! picture: so large that no line visibly changes its direction, and so small that 64-bit integers suffice for
//! [`super::triangle`].

use egui::epaint::Vertex;
use egui::{Color32, Pos2};

/// Half the side of the square, in pixels; 2²⁸ in snapped coordinates.
const REACH: f64 = 1_048_576.0;

/// A vertex and its exact position in pixels.
type ScreenVertex = (Vertex, [f64; 2]);

/// Whether a position in pixels is inside the square; false for NaN.
pub(super) fn contains(position: [f64; 2]) -> bool {
    position.iter().all(|coordinate| coordinate.abs() <= REACH)
}

/// The corners of the part of a triangle inside the square, a convex polygon; none if this part is empty, or if a corner
/// is not finite.
pub(super) fn clipped(corners: &[Vertex; 3], pixels_per_point: f64) -> Vec<ScreenVertex> {
    let mut polygon: Vec<ScreenVertex> = corners
        .iter()
        .map(|vertex| {
            let points = [vertex.pos.x, vertex.pos.y];
            (*vertex, points.map(|p| f64::from(p) * pixels_per_point))
        })
        .collect();
    if !polygon.iter().flat_map(|corner| corner.1).all(f64::is_finite) {
        return Vec::new();
    }
    for axis in 0..2 {
        for side in [-1.0, 1.0] {
            polygon = clipped_at(&polygon, |position| REACH - side * position[axis]);
        }
    }
    polygon
}

/// The part of a convex polygon in which `depth`, a linear function of the position, is not negative.
fn clipped_at(polygon: &[ScreenVertex], depth: impl Fn([f64; 2]) -> f64) -> Vec<ScreenVertex> {
    let mut kept = Vec::with_capacity(polygon.len() + 1);
    let Some(mut from) = polygon.last() else {
        return kept;
    };
    for to in polygon {
        let (depth_from, depth_to) = (depth(from.1), depth(to.1));
        if (depth_from < 0.0) != (depth_to < 0.0) {
            kept.push(between(from, to, depth_from / (depth_from - depth_to)));
        }
        if depth_to >= 0.0 {
            kept.push(*to);
        }
        from = to;
    }
    kept
}

/// The point at `fraction` between two points, with its colour and texture coordinates.
fn between(from: &ScreenVertex, to: &ScreenVertex, fraction: f64) -> ScreenVertex {
    let mix = |a: f64, b: f64| a + fraction * (b - a);
    let level = |channel: usize| {
        let [a, b] = [from, to].map(|vertex| f64::from(vertex.0.color.to_array()[channel]));
        mix(a, b).round().clamp(0.0, 255.0) as i64
    };
    let byte = |channel| u8::try_from(level(channel)).unwrap_or(u8::MAX);
    let color = Color32::from_rgba_premultiplied(byte(0), byte(1), byte(2), byte(3));
    let [u, v] = [0, 1].map(|axis| mix(f64::from(from.0.uv[axis]), f64::from(to.0.uv[axis])) as f32);
    let position = [0, 1].map(|axis| mix(from.1[axis], to.1[axis]));
    let vertex = Vertex { color, uv: Pos2::new(u, v), ..from.0 };
    (vertex, position)
}

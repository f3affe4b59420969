//! Lines through points that may go back the way that they came, as trails of chains do.

use egui::{Color32, Pos2, Shape, Stroke, Ui};
use egui_plot::{PlotBounds, PlotItem, PlotPoint, PlotTransform};

use super::passive_items::PassiveItem;
use crate::geometry::without_reversals;
use base::math::Point;

/// A line through points of the screen, in as many shapes as it has parts that egui can join.
pub fn line(points: impl IntoIterator<Item = Pos2>, stroke: Stroke) -> impl Iterator<Item = Shape> {
    let parts = without_reversals(points.into_iter().map(|at| [at.x, at.y]));
    parts.into_iter().map(move |part| Shape::line(part.into_iter().map(Pos2::from).collect(), stroke))
}

/// A line through positions of the plane.
pub fn in_plane(points: Vec<Point>, colour: Color32, width: f32) -> impl PlotItem {
    PassiveItem::new(PlotBounds::NOTHING, move |_ui: &Ui, transform: &PlotTransform, shapes: &mut Vec<Shape>| {
        let screen = |at: &Point| transform.position_from_point(&PlotPoint::new(at.x, at.y));
        shapes.extend(line(points.iter().map(screen), Stroke::new(width, colour)));
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::epaint::tessellator::{TessellationOptions, Tessellator};
    use egui::epaint::{Mesh, Rect};
    use egui::{Vec2, pos2};

    const WIDTH: f32 = 2.0;

    /// How far beyond the points the triangles of shapes reach; infinite where a corner is nowhere.
    fn reach(shapes: Vec<Shape>, points: &[Pos2]) -> f32 {
        let mut mesh = Mesh::default();
        let mut tessellator = Tessellator::new(1.0, TessellationOptions::default(), [1, 1], Vec::new());
        shapes.into_iter().for_each(|shape| tessellator.tessellate_shape(shape, &mut mesh));
        let around = Rect::from_points(points);
        let away = |at: Pos2| if at.is_finite() { around.distance_to_pos(at) } else { f32::INFINITY };
        mesh.vertices.iter().map(|vertex| away(vertex.pos)).fold(0.0, f32::max)
    }

    /// Points on a line through the window in this direction, back and forth, some of them twice or three times.
    fn back_and_forth(angle: f32) -> Vec<Pos2> {
        let along = [0.0, 310.7, 120.3, 120.3, 501.9, 17.1, 17.1, 17.1, 233.3, 90.9];
        along.map(|by: f32| pos2(700.0, 400.0) + by * Vec2::angled(angle)).to_vec()
    }

    #[test]
    fn a_line_that_turns_back_stays_where_its_points_are() {
        let stroke = Stroke::new(WIDTH, Color32::RED.gamma_multiply(0.5));
        let mut plain: f32 = 0.0;
        for step in 0..1000 {
            let points = back_and_forth(step as f32 * 0.0063);
            plain = plain.max(reach(vec![Shape::line(points.clone(), stroke)], &points));
            let ours = reach(line(points.clone(), stroke).collect(), &points);
            assert!(ours <= 2.0 * WIDTH, "direction {step}: {ours}");
        }
        assert!(plain > 100.0, "without parts this is as bad as it was: {plain}");
    }

    #[test]
    fn a_line_with_corners_is_one_shape() {
        let points = [pos2(0.0, 0.0), pos2(10.0, 0.0), pos2(10.0, 10.0), pos2(0.0, 0.5)];
        assert_eq!(line(points, Stroke::new(1.0, Color32::RED)).count(), 1);
    }
}

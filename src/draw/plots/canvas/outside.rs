//! Chains outside the part that a canvas shows: an arrow at the edge for each side, with their number.

use egui::{Align2, Pos2, Rect, Shape, Stroke, Ui, pos2, vec2};
use egui_plot::{PlotPoint, PlotTransform};

use crate::draw::numbers;
use crate::draw::plots::overlay_label::OverlayLabel;
use crate::draw::theme::Theme;
use crate::session::RunFrame;

use super::input::CanvasInput;

/// Half of the width of an arrow, in units of the theme.
const ARROW: f32 = 1.75;

/// A side of the canvas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Edge {
    Left,
    Right,
    Top,
    Bottom,
}

/// The chains beyond one edge.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Beyond {
    edge: Edge,
    /// How many.
    chains: usize,
    /// Their mean place along the edge, on the screen.
    at: Pos2,
}

/// Paints the arrows of all runs of a canvas.
pub(super) fn paint(ui: &Ui, input: &CanvasInput<'_>, theme: &Theme, (rect, transform): (Rect, &PlotTransform)) {
    let flat = input.frame.target.info().dimension == 1;
    for &index in input.runs {
        let Some(run) = input.frame.runs.get(index) else { continue };
        for Beyond { edge, chains, at } in beyond(rect, &places(run, transform, flat)) {
            let side = theme.space(ARROW);
            let (out, along, align) = match edge {
                Edge::Left => (vec2(-side, 0.0), vec2(0.0, side), Align2::LEFT_CENTER),
                Edge::Right => (vec2(side, 0.0), vec2(0.0, side), Align2::RIGHT_CENTER),
                Edge::Top => (vec2(0.0, -side), vec2(side, 0.0), Align2::CENTER_TOP),
                Edge::Bottom => (vec2(0.0, side), vec2(side, 0.0), Align2::CENTER_BOTTOM),
            };
            let tip = at - 0.3 * out;
            let base = tip - 1.6 * out;
            let colour = theme.run(index).colour;
            let points = vec![tip, base + along, base - along];
            ui.painter().add(Shape::convex_polygon(points, colour, Stroke::new(1.0, theme.paper)));
            let text = numbers::count(chains as u64);
            let (font, colour, at) = (theme.strong(), theme.ink, base - 0.4 * out);
            OverlayLabel { text: &text, font, colour, at, align }.paint(ui, theme, rect);
        }
    }
}

/// Where the chains of a run are on the screen; on the line, at its height 0.
fn places(run: &RunFrame, transform: &PlotTransform, flat: bool) -> Vec<Pos2> {
    let shown = run.positions.iter().filter(|at| at.x.is_finite() && at.y.is_finite());
    shown.map(|at| transform.position_from_point(&PlotPoint::new(at.x, if flat { 0.0 } else { at.y }))).collect()
}

/// The chains beyond each edge. A chain beyond two of them counts for the one that it is farther from.
fn beyond(rect: Rect, places: &[Pos2]) -> Vec<Beyond> {
    [Edge::Left, Edge::Right, Edge::Top, Edge::Bottom]
        .into_iter()
        .filter_map(|edge| {
            let of_edge = places.iter().filter(|at| edge_of(rect, **at) == Some(edge));
            let inside: Vec<Pos2> = of_edge.map(|at| rect.clamp(*at)).collect();
            #[expect(clippy::cast_precision_loss, reason = "some thousand chains")]
            let share = 1.0 / inside.len() as f32;
            let mean = inside.iter().fold(vec2(0.0, 0.0), |sum, at| sum + share * at.to_vec2());
            (!inside.is_empty()).then(|| Beyond { edge, chains: inside.len(), at: pos2(mean.x, mean.y) })
        })
        .collect()
}

/// The edge beyond which a place is.
fn edge_of(rect: Rect, at: Pos2) -> Option<Edge> {
    let distances = [
        (Edge::Left, rect.left() - at.x),
        (Edge::Right, at.x - rect.right()),
        (Edge::Top, rect.top() - at.y),
        (Edge::Bottom, at.y - rect.bottom()),
    ];
    let farthest = distances.into_iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
    (farthest.1 > 0.0).then_some(farthest.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chains_outside_are_counted_at_the_edge_that_they_are_beyond() {
        let rect = Rect::from_min_max(pos2(0.0, 0.0), pos2(100.0, 50.0));
        let places = [pos2(50.0, 25.0), pos2(-10.0, 20.0), pos2(-30.0, 40.0), pos2(120.0, -80.0), pos2(100.0, 50.0)];
        let found = beyond(rect, &places);
        let expected = [
            Beyond { edge: Edge::Left, chains: 2, at: pos2(0.0, 30.0) },
            Beyond { edge: Edge::Top, chains: 1, at: pos2(100.0, 0.0) },
        ];
        assert_eq!(found, expected);
    }
}

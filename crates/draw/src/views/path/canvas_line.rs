//! Line of the path plot on a canvas, from draw a to draw b.

use egui::{Align2, Pos2, Rect, Stroke, Ui, Vec2};
use egui_plot::{PlotPoint, PlotTransform};

use super::choice::End;
use crate::kit::overlay_label::OverlayLabel;
use crate::theme::Theme;

/// Names of the ends.
pub const NAMES: [&str; 2] = ["a", "b"];

/// Paints the ends and the line over a canvas in `rect`, and a dot at λ = `pointed`.
pub fn paint(
    ui: &Ui,
    (rect, transform): (Rect, &PlotTransform),
    ends: &[End],
    pointed: Option<f64>,
    theme: &Theme,
    dimension: usize,
) {
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    // In one dimension the draws are on the axis.
    let height = |y: f64| if dimension == 1 { 0.0 } else { y };
    let centre = |end: &End| transform.position_from_point(&PlotPoint::new(end.at.x, height(end.at.y)));
    let centres: Vec<Pos2> = ends.iter().map(centre).collect();
    let rim = theme.space(0.5);
    if let [a, b] = centres[..] {
        painter.line_segment([a, b], Stroke::new(theme.line() + 2.0 * rim, theme.paper));
        painter.line_segment([a, b], Stroke::new(theme.line(), theme.ink));
    }
    let radius = theme.space(1.25);
    for centre in &centres {
        painter.circle_filled(*centre, radius + rim, theme.paper);
        painter.circle(*centre, radius, theme.paper, Stroke::new(theme.line(), theme.ink));
    }
    if let ([a, b], Some(share)) = (&centres[..], pointed) {
        let at = *a + (*b - *a) * share as f32;
        painter.circle_filled(at, theme.space(1.0) + rim, theme.paper);
        painter.circle_filled(at, theme.space(1.0), theme.accent);
    }
    for (index, centre) in centres.iter().enumerate() {
        let away = centres.get(1 - index).map_or(Vec2::UP, |other| (*centre - *other).normalized());
        let away = if away == Vec2::ZERO { if index == 0 { Vec2::LEFT } else { Vec2::RIGHT } } else { away };
        let (text, font, colour, at) = (NAMES[index], theme.strong(), theme.ink, *centre + away * theme.space(4.5));
        OverlayLabel { text, font, colour, at, align: Align2::CENTER_CENTER }.paint(ui, theme, rect);
    }
}

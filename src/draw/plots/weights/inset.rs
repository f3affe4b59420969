//! The function of the draw under the pointer, over the data, in the corner of the plot that is furthest from the pointer.

use egui::{Align2, FontId, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, Ui, Vec2, pos2, vec2};

use crate::draw::plots::maps::boundary_of;
use crate::draw::theme::Theme;
use crate::math::{Bounds, Point};
use crate::scene::{places, values};
use crate::targets::{Classification, Regression, Target};

/// Size as a share of the plot, and the least height of a plot with an inset, in sizes of small text.
const SHARE: f32 = 0.32;
const LEAST: f32 = 16.0;

/// Space above and below the data, as a share of their range.
const MARGIN: f64 = 0.3;

/// Paints what the weights of a draw say of inputs: f of a regression, the boundary between classes otherwise.
pub(super) fn paint(ui: &Ui, theme: &Theme, target: &dyn Target, weights: &[f64], (plot, pointer): (Rect, Pos2)) {
    if plot.height() < LEAST * theme.text.small {
        return;
    }
    let size = match target.classification() {
        Some(_) => Vec2::splat(SHARE * plot.size().min_elem()),
        None => SHARE * plot.size(),
    };
    let away = |at: f32, middle: f32| if at < middle { egui::Align::Max } else { egui::Align::Min };
    let corner = Align2([away(pointer.x, plot.center().x), away(pointer.y, plot.center().y)]);
    let rect = corner.align_size_within_rect(size, plot.shrink(theme.space(1.5)));
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    painter.rect_filled(rect, 0.0, theme.paper);
    let words = match (target.regression(), target.classification()) {
        (Some(regression), _) => function(&painter, theme, regression, weights, rect),
        (None, Some(model)) => boundary(&painter, theme, (target, model), weights, rect),
        (None, None) => return,
    };
    let (at, font): (Pos2, FontId) = (rect.min + vec2(theme.space(1.0), theme.space(0.5)), theme.small());
    painter.text(at, Align2::LEFT_TOP, words, font, theme.soft);
    painter.rect_stroke(rect, 0.0, theme.hairline(), StrokeKind::Inside);
}

/// The place on the screen of a point of `bounds`.
#[expect(clippy::cast_possible_truncation, reason = "shares of a rectangle")]
fn place(rect: Rect, bounds: Bounds, at: [f64; 2]) -> Pos2 {
    let share = (Point::from(at) - bounds.min).component_div(&bounds.size());
    pos2(rect.left() + share.x as f32 * rect.width(), rect.bottom() - share.y as f32 * rect.height())
}

fn function(
    painter: &Painter,
    theme: &Theme,
    regression: &dyn Regression,
    weights: &[f64],
    rect: Rect,
) -> &'static str {
    let inputs = places(regression);
    let data = || regression.observations().iter().copied();
    let (low, high) = (data().fold(f64::INFINITY, f64::min), data().fold(f64::NEG_INFINITY, f64::max));
    let margin = MARGIN * (high - low).max(f64::MIN_POSITIVE);
    let bounds = Bounds::new(regression.shown(), (low - margin, high + margin));
    let line = inputs.iter().zip(values(regression, weights, &inputs)).map(|(x, f)| place(rect, bounds, [*x, f]));
    painter.add(Shape::line(line.collect(), Stroke::new(1.3 * theme.line(), theme.ink)));
    for (x, y) in regression.inputs().iter().zip(data()) {
        painter.circle_filled(place(rect, bounds, [*x, y]), theme.space(0.6), theme.soft);
    }
    "f of this draw"
}

fn boundary(
    painter: &Painter,
    theme: &Theme,
    (target, model): (&dyn Target, &dyn Classification),
    weights: &[f64],
    rect: Rect,
) -> &'static str {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the number of a class")]
    let class = |label: f64| theme.class(label as usize).colour;
    for (at, label) in model.places().iter().zip(model.labels()) {
        painter.circle_filled(place(rect, model.shown(), *at), theme.space(0.6), class(*label));
    }
    for line in boundary_of(target, weights) {
        let line = line.into_iter().map(|at| place(rect, model.shown(), at)).collect();
        painter.add(Shape::line(line, Stroke::new(1.3 * theme.line(), theme.ink)));
    }
    "boundary of this draw"
}

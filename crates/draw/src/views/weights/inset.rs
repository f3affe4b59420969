//! The function of the draw under the pointer, over the data, in the corner of the plot that is furthest from the pointer.

use std::sync::Arc;

use egui::{Align2, FontId, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, Ui, Vec2, pos2, vec2};

use crate::kit::background::{Same, SameTarget};
use crate::theme::Theme;
use crate::views::class_maps::boundary_of;
use crate::views::functions::geometry::{places, values};
use base::math::{Bounds, Point};
use models::targets::{Behind, Classification, Regression, Target};

/// Size as a share of the plot, and the least height of a plot with an inset, in sizes of small text.
const SHARE: f32 = 0.32;
const LEAST: f32 = 16.0;

/// Space above and below the data, as a share of their range.
const MARGIN: f64 = 0.3;

/// What the weights of a draw say of inputs: f of a regression, or the boundary between classes. Kept while the draw is the same.
#[derive(Debug, Default)]
pub(super) struct Inset {
    of: Option<(SameTarget, Vec<f64>)>,
    lines: Vec<Vec<[f64; 2]>>,
}

impl Inset {
    /// The lines of a draw.
    fn lines(&mut self, target: &Arc<Target>, weights: &[f64]) -> &[Vec<[f64; 2]>] {
        let same = Same(target.clone());
        if !self.of.as_ref().is_some_and(|(known, of)| *known == same && of == weights) {
            self.lines = match target.regression() {
                Some(regression) => {
                    let inputs = places(regression);
                    let f = values(regression, weights, &inputs);
                    vec![inputs.into_iter().zip(f).map(|(x, f)| [x, f]).collect()]
                }
                None => boundary_of(target.as_ref(), weights),
            };
            self.of = Some((same, weights.to_vec()));
        }
        &self.lines
    }
}

/// Paints what the weights of a draw say of inputs.
pub(super) fn paint(
    ui: &Ui,
    theme: &Theme,
    target: &Arc<Target>,
    (inset, weights): (&mut Inset, &[f64]),
    (plot, pointer): (Rect, Pos2),
) {
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
    let lines = inset.lines(target, weights);
    let words = match target.behind() {
        Behind::Function(regression) => function(&painter, theme, regression.as_ref(), lines, rect),
        Behind::Classes(model) => boundary(&painter, theme, model.as_ref(), lines, rect),
        Behind::Nothing => return,
    };
    let (at, font): (Pos2, FontId) = (rect.min + vec2(theme.space(1.0), theme.space(0.5)), theme.small());
    painter.text(at, Align2::LEFT_TOP, words, font, theme.soft);
    painter.rect_stroke(rect, 0.0, theme.hairline(), StrokeKind::Inside);
}

/// The position on the screen of a point of `bounds`.
fn screen_position(rect: Rect, bounds: Bounds, at: [f64; 2]) -> Pos2 {
    let share = (Point::from(at) - bounds.min).component_div(&bounds.size());
    pos2(rect.left() + share.x as f32 * rect.width(), rect.bottom() - share.y as f32 * rect.height())
}

fn function(
    painter: &Painter,
    theme: &Theme,
    regression: &dyn Regression,
    lines: &[Vec<[f64; 2]>],
    rect: Rect,
) -> &'static str {
    let data = || regression.observations().iter().copied();
    let (low, high) = (data().fold(f64::INFINITY, f64::min), data().fold(f64::NEG_INFINITY, f64::max));
    let margin = MARGIN * (high - low).max(f64::MIN_POSITIVE);
    let bounds = Bounds::new(regression.shown(), (low - margin, high + margin));
    paint_lines(painter, theme, lines, (rect, bounds));
    for (x, y) in regression.inputs().iter().zip(data()) {
        painter.circle_filled(screen_position(rect, bounds, [*x, y]), theme.space(0.6), theme.soft);
    }
    "f of this draw"
}

fn boundary(
    painter: &Painter,
    theme: &Theme,
    model: &dyn Classification,
    lines: &[Vec<[f64; 2]>],
    rect: Rect,
) -> &'static str {
    #[expect(clippy::cast_sign_loss, reason = "the number of a class")]
    let class = |label: f64| theme.class(label as usize).colour;
    for (at, label) in model.inputs().iter().zip(model.labels()) {
        painter.circle_filled(screen_position(rect, model.shown(), *at), theme.space(0.6), class(*label));
    }
    paint_lines(painter, theme, lines, (rect, model.shown()));
    "its boundary"
}

fn paint_lines(painter: &Painter, theme: &Theme, lines: &[Vec<[f64; 2]>], (rect, bounds): (Rect, Bounds)) {
    for line in lines {
        let line = line.iter().map(|at| screen_position(rect, bounds, *at)).collect();
        painter.add(Shape::line(line, Stroke::new(1.3 * theme.line(), theme.ink)));
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use engine::scenario::read;
    use engine::session::Session;

    #[test]
    fn lines_are_made_once_for_a_draw() {
        for data in ["gap-sine", "moons"] {
            let text = format!(
                "format = 1\ntitle = \"x\"\n[target]\nkind = \"network\"\nhidden = 4\n[target.data]\nkind = \"{data}\"\n\
                 [[run]]\nname = \"A\"\nmethod = \"sgld\"\nsteps = 400\n"
            );
            let target = Session::new(read(&text, "x", Path::new("")).unwrap()).unwrap().frame().target.clone();
            let dimension = target.model().unwrap().dimension();
            let weights: Vec<f64> = (0..dimension).map(|axis| (axis as f64 * 0.7).sin()).collect();
            let mut inset = Inset::default();
            let first = inset.lines(&target, &weights).to_vec();
            assert!(first.iter().flatten().count() > 10, "{data}");
            let kept = inset.lines[0].as_ptr();
            inset.lines(&target, &weights);
            assert_eq!(inset.lines[0].as_ptr(), kept);
            let other: Vec<f64> = weights.iter().map(|weight| -0.5 * weight).collect();
            assert_ne!(inset.lines(&target, &other), first);
        }
    }
}

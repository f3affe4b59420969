//! Marginals along the edges of a canvas: exact ones as curves, those of the draws as histograms.

use egui::{Color32, Id, Painter, Pos2, Rect, Shape, Stroke, Ui, pos2};
use egui_plot::PlotTransform;

use super::backdrop::{CanvasCache, counted};
use super::input::CanvasInput;
use crate::kit::given_up;
use crate::theme::Theme;
use base::math::Axis;

/// Thickness of a strip and its distance from the plot, in units of the theme.
const STRIP: f32 = 11.0;
const GAP: f32 = 1.0;

/// Least side of a canvas with strips, in units of the theme.
const SMALLEST: f32 = 70.0;

/// Largest number of bars along the target's view, and along the part that is shown if that is larger.
const BARS: f64 = 100.0;

/// Largest height of a histogram, in multiples of the exact curve.
const CUT: f64 = 1.6;

/// The thickness of the strips along the top and the right side of a canvas; 0 without strips. Of the canvases of a figure all have them or
/// none.
pub(super) fn taken_thickness(ui: &Ui, input: &CanvasInput<'_>, theme: &Theme) -> f32 {
    if !input.layers.marginals {
        return 0.0;
    }
    let mut large = ui.available_size().min_elem() >= least(theme);
    if theme.look.panel.is_some() {
        let one_is_small = Id::unique("a canvas without space for strips");
        let known = given_up::known(ui, one_is_small).unwrap_or(false);
        if !large {
            given_up::give_up(ui, one_is_small, true);
        }
        large &= !known;
    }
    if large { thickness(theme) } else { 0.0 }
}

/// The least side of a canvas with strips.
pub(super) fn least(theme: &Theme) -> f32 {
    theme.space(SMALLEST)
}

/// The thickness of a strip with its gap.
pub(super) fn thickness(theme: &Theme) -> f32 {
    theme.space(STRIP + GAP)
}

/// Largest height of the density of a fit: higher than a histogram, since it is smooth and shows a fit that is too narrow.
const CUT_FITS: f64 = 3.0;

/// Margin above the highest density of a fit.
const MARGIN: f64 = 1.05;

/// Size of the triangle that marks what goes on beyond a strip, and least distance of two of them, in units of the theme.
const MARK: f32 = 1.4;
const MARKS_APART: f32 = 3.0;

/// How far what is higher than a strip is drawn, in heights of the strip.
const BEYOND: f64 = 1.5;

/// One edge of the canvas.
#[derive(Clone, Copy)]
struct Strip<'a> {
    rect: Rect,
    transform: &'a PlotTransform,
    /// 0: along the top, rising upwards; 1: along the right side, rising to the right.
    coordinate: usize,
    /// The density at its far edge.
    top: f64,
}

impl Strip<'_> {
    /// The position of a density. What is higher than the strip goes on a little beyond it, where nothing is painted: its top is open, not flat.
    fn position(&self, value: f64, density: f64) -> Pos2 {
        let share = (density / self.top).clamp(0.0, BEYOND) as f32;
        if self.coordinate == 0 {
            let y = self.rect.bottom() - share * self.rect.height();
            pos2(self.transform.position_from_point_x(value), y)
        } else {
            let x = self.rect.left() + share * self.rect.width();
            pos2(x, self.transform.position_from_point_y(value))
        }
    }
}

impl Strip<'_> {
    /// The middles of what is higher than the strip, along it: of parts (from, to, density) in their order, with those next to each other as one.
    fn beyond(&self, parts: impl Iterator<Item = ([f64; 2], f64)>, apart: f32) -> Vec<f32> {
        let along = |value: f64| match self.coordinate {
            0 => self.transform.position_from_point_x(value),
            _ => self.transform.position_from_point_y(value),
        };
        let frame = self.transform.frame();
        let (low, high) =
            if self.coordinate == 0 { (frame.left(), frame.right()) } else { (frame.top(), frame.bottom()) };
        let mut groups: Vec<[f32; 2]> = Vec::new();
        for (ends, _) in parts.filter(|(_, density)| *density > self.top) {
            let [one, other] = ends.map(along);
            let (from, to) = (one.min(other).max(low), one.max(other).min(high));
            if from > to {
                continue;
            }
            match groups.last_mut() {
                Some(group) if from - group[1] < apart && group[0] - to < apart => {
                    *group = [group[0].min(from), group[1].max(to)];
                }
                _ => groups.push([from, to]),
            }
        }
        groups.into_iter().map(|[from, to]| f32::midpoint(from, to)).collect()
    }

    /// A triangle at the far edge that points outwards: what is below it goes on.
    fn mark(&self, theme: &Theme, along: f32, colour: Color32) -> Shape {
        let size = theme.space(MARK);
        let corners = if self.coordinate == 0 {
            let top = self.rect.top();
            vec![pos2(along, top), pos2(along + size, top + 1.5 * size), pos2(along - size, top + 1.5 * size)]
        } else {
            let right = self.rect.right();
            vec![pos2(right, along), pos2(right - 1.5 * size, along + size), pos2(right - 1.5 * size, along - size)]
        };
        Shape::convex_polygon(corners, colour, Stroke::new(theme.thin(), theme.paper))
    }
}

/// Paints both strips beside the plot in `plot`.
pub(super) fn paint(
    ui: &Ui,
    input: &CanvasInput<'_>,
    theme: &Theme,
    cache: &CanvasCache,
    (plot, transform): (Rect, &PlotTransform),
) {
    let Some(portrait) = cache.portrait_of(&input.frame.target) else { return };
    let (strip, gap) = (theme.space(STRIP), theme.space(GAP));
    let above = Rect::from_min_max(pos2(plot.left(), plot.top() - gap - strip), pos2(plot.right(), plot.top() - gap));
    let beside =
        Rect::from_min_max(pos2(plot.right() + gap, plot.top()), pos2(plot.right() + gap + strip, plot.bottom()));
    let axes = [portrait.image.grid.x, portrait.image.grid.y];
    for (coordinate, rect) in [above, beside].into_iter().enumerate() {
        let exact = &portrait.marginals[coordinate];
        let highest = exact.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        let found = input.runs.iter().filter_map(|&run| cache.fits.marginal((input.id, run), coordinate));
        let fitted = found.flatten().map(|[_, density]| density).fold(0.0, f64::max);
        let top = highest * CUT.max(MARGIN * fitted.min(CUT_FITS * highest) / highest);
        let strip = Strip { rect, transform, coordinate, top };
        paint_strip(ui, input, theme, cache, strip, (axes[coordinate], exact));
    }
}

/// Marks what goes on beyond a strip.
fn mark_beyond(painter: &Painter, theme: &Theme, strip: Strip<'_>, beyond: Vec<f32>, colour: Color32) {
    painter.extend(beyond.into_iter().map(|along| strip.mark(theme, along, colour)));
}

fn paint_strip(
    ui: &Ui,
    input: &CanvasInput<'_>,
    theme: &Theme,
    cache: &CanvasCache,
    strip: Strip<'_>,
    (axis, exact): (Axis, &[f64]),
) {
    let painter = ui.painter().with_clip_rect(strip.rect.expand(1.0).intersect(ui.clip_rect()));
    let corner = if strip.coordinate == 0 { strip.rect.right_bottom() } else { strip.rect.left_top() };
    painter.line_segment([strip.rect.left_bottom(), corner], theme.hairline());
    let shown = strip.transform.bounds();
    let (low, high) = (shown.min()[strip.coordinate], shown.max()[strip.coordinate]);
    for &index in input.runs {
        let Some(run) = input.frame.runs.get(index) else { continue };
        if !counted(input.layers.draws, run) {
            continue;
        }
        let Some(fine) = cache.histogram((input.id, index), strip.coordinate) else { continue };
        let bars = fine.coarsened((axis.max - axis.min).max(high - low) / BARS).around(low, high);
        let colour = theme.run(index).colour;
        let opacity = if input.runs.len() > 1 { 0.15 } else { 0.35 };
        for (ends, &height) in bars.edges.windows(2).zip(&bars.heights).filter(|(_, height)| **height > 0.0) {
            let corners = [strip.position(ends[0], 0.0), strip.position(ends[1], height)];
            painter.rect_filled(Rect::from_two_pos(corners[0], corners[1]), 0.0, colour.gamma_multiply(opacity));
        }
        let outline = bars.outline().into_iter().map(|[value, density]| strip.position(value, density)).collect();
        painter.add(Shape::line(outline, Stroke::new(theme.thin(), colour)));
        let parts = bars.edges.windows(2).zip(&bars.heights).map(|(ends, &height)| ([ends[0], ends[1]], height));
        mark_beyond(&painter, theme, strip, strip.beyond(parts, theme.space(MARKS_APART)), colour);
    }
    for &index in input.runs.iter().filter(|_| input.layers.fits) {
        if let Some(density) = cache.fits.marginal((input.id, index), strip.coordinate) {
            let colour = theme.run(index).colour;
            let parts = density.iter().map(|&[value, density]| ([value; 2], density));
            let beyond = strip.beyond(parts, theme.space(MARKS_APART));
            let points = density.iter().map(|&[value, density]| strip.position(value, density)).collect();
            painter.add(Shape::line(points, Stroke::new(theme.line(), colour)));
            mark_beyond(&painter, theme, strip, beyond, colour);
        }
    }
    let inside = exact.iter().enumerate().map(|(cell, &density)| [axis.centre(cell), density]);
    let [below, above] = match cache.backdrop(input.id) {
        Some(backdrop) => backdrop.marginals_beyond[strip.coordinate].each_ref().map(Vec::as_slice),
        None => [&[][..]; 2],
    };
    let whole = below.iter().copied().chain(inside).chain(above.iter().copied());
    let curve = whole.map(|[value, density]| strip.position(value, density)).collect();
    painter.add(Shape::line(curve, Stroke::new(theme.thin(), theme.exact)));
}

#[cfg(test)]
mod tests {
    use egui_plot::PlotBounds;

    use super::*;

    /// Bars higher than the strip leave it, and those next to each other have one triangle, in both strips.
    #[test]
    fn what_is_higher_than_a_strip_goes_on_and_is_marked_once() {
        let plot = Rect::from_min_max(pos2(0.0, 20.0), pos2(100.0, 120.0));
        let transform = PlotTransform::new(plot, PlotBounds::from_min_max([0.0, 0.0], [10.0, 10.0]), [false; 2]);
        let bars = [(0, 1.0), (2, 3.0), (3, 2.5), (6, 1.9), (7, 9.0)];
        let parts = || bars.map(|(from, height)| ([f64::from(from), f64::from(from + 1)], height)).into_iter();
        for (coordinate, rect, middles) in [
            (0, Rect::from_min_max(pos2(0.0, 0.0), pos2(100.0, 16.0)), [30.0, 75.0]),
            (1, Rect::from_min_max(pos2(104.0, 20.0), pos2(120.0, 120.0)), [90.0, 45.0]),
        ] {
            let strip = Strip { rect, transform: &transform, coordinate, top: 2.0 };
            let found = strip.beyond(parts(), 5.0);
            assert!(
                found.len() == 2 && found.iter().zip(middles).all(|(at, middle)| (at - middle).abs() < 1e-3),
                "{found:?}"
            );
            assert!(strip.beyond(parts().take(1), 5.0).is_empty());
            assert!(
                !rect.expand(1.0).contains(strip.position(2.5, 9.0))
                    && rect.expand(1.0).contains(strip.position(0.5, 1.0))
            );
            let Shape::Path(mark) = strip.mark(&Theme::default(), middles[0], Color32::RED) else { panic!("no path") };
            assert!(mark.points.iter().all(|at| rect.expand(1e-3).contains(*at)), "{:?}", mark.points);
        }
    }
}

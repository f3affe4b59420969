//! Marginals along the edges of a canvas: exact ones as curves, those of the draws as histograms.

use egui::{Id, Pos2, Rect, Shape, Stroke, Ui, pos2};
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
    /// The position of a density.
    fn position(&self, value: f64, density: f64) -> Pos2 {
        let share = (density / self.top).clamp(0.0, 1.0) as f32;
        if self.coordinate == 0 {
            let y = self.rect.bottom() - share * self.rect.height();
            pos2(self.transform.position_from_point_x(value), y)
        } else {
            let x = self.rect.left() + share * self.rect.width();
            pos2(x, self.transform.position_from_point_y(value))
        }
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
    }
    for &index in input.runs.iter().filter(|_| input.layers.fits) {
        if let Some(density) = cache.fits.marginal((input.id, index), strip.coordinate) {
            let points = density.into_iter().map(|[value, density]| strip.position(value, density)).collect();
            painter.add(Shape::line(points, Stroke::new(theme.line(), theme.run(index).colour)));
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

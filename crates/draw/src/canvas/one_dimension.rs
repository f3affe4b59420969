//! Canvas of a one-dimensional target: its exact density, and the histogram of the draws.

use egui::{Sense, Ui};
use egui_plot::{FilledArea, LineStyle, PlotUi};

use super::backdrop::{CanvasCache, counted};
use super::input::{CanvasInput, CanvasResponse};
use super::layers::heads;
use super::window::{hovered, view_change, window_of};
use super::{arrows, covered, divergences, exact, fits, overlay};
use crate::geometry::{Curve, Histogram, density_curve, zoomed};
use crate::kit::axes::{AxisSpec, Ticks, answers, before_last_tick, curve, plot, show_part};
use crate::kit::gestures::{pressed, scrolled};
use crate::kit::named::part;
use crate::kit::notes;
use crate::theme::Theme;
use base::math::{Axis, Bounds, Gaussian, Point};
use engine::session::RunFrame;

/// Largest number of bars across the view; more would only show noise.
const BARS: f64 = 80.0;

/// Upper end of the axis, in multiples of the highest point.
const HEADROOM: f64 = 1.15;

/// The density of a fit is visible up to this multiple of the highest exact density.
const HIGHER: f64 = 3.0;

/// Share of the height below the axis, for the chains.
const FOOTROOM: f64 = 0.06;

/// Share of the height below the axis for each row of parts of steps.
const ROW: f64 = 0.075;

pub(super) fn show(ui: &mut Ui, input: &CanvasInput<'_>, theme: &Theme, cache: &mut CanvasCache) -> CanvasResponse {
    let label = input.frame.target.info().axes[0];
    let (x, y) = (
        AxisSpec::wide(label, Ticks::Linear),
        AxisSpec { apart: 14.0, ..AxisSpec::upright("density", Ticks::Density) },
    );
    let width = before_last_tick(ui, theme);
    let plot = plot(("canvas", input.id), theme, x, y)
        .width(width)
        .sense(Sense::click_and_drag())
        .allow_drag([true, false])
        .allow_zoom([true, false]);
    let pending = cache.exact.prepare(ui.ctx(), input);
    cache.prepare_runs(ui.ctx(), input, (input.view, None), theme);
    let draw = |ui: &mut Ui| {
        plot.show(ui, |plot_ui| {
            let window = shown_window(plot_ui, input);
            let top = add(plot_ui, input, window, theme, cache);
            let foot = FOOTROOM + if input.layers.arrows { arrows::rows(input) as f64 * ROW } else { 0.0 };
            let window = Bounds::new((window.min.x, window.max.x), (-foot * top, HEADROOM * top));
            show_part(plot_ui, window.min.into(), window.max.into(), theme);
        })
    };
    let shown = part(ui, ("plot", input.id), draw);
    answers(ui, theme, &shown.response, [x, y]);
    if notes::wants_crowd(theme) {
        notes::note_crowd(ui, covered::crowd(input, &shown.transform, shown.response.rect, covered::NOTHING));
    }
    let now = window_of(shown.transform.bounds());
    let (view, now) = (along_x(input.view), along_x(now));
    let view = view_change(&shown.response, view, view, now);
    let hovered = hovered(&shown.response, &shown.transform);
    overlay::paint(ui, input, theme, cache, (shown.response.rect, &shown.transform), hovered);
    CanvasResponse { hovered, view, pending, response: shown.response, transform: shown.transform }
}

/// The window with its x range along both axes: the view changes along x only.
fn along_x(window: Bounds) -> Bounds {
    Bounds::new((window.min.x, window.max.x), (window.min.x, window.max.x))
}

fn shown_window(plot_ui: &PlotUi<'_>, input: &CanvasInput<'_>) -> Bounds {
    let view = input.view;
    let turned = scrolled(plot_ui).map_or(view, |(share, factor)| {
        let mut at = view.min;
        at.x += share.x * view.size().x;
        zoomed(view, at, factor)
    });
    pressed(plot_ui, turned)
}

/// Adds all layers; returns the highest density.
fn add(plot_ui: &mut PlotUi<'_>, input: &CanvasInput<'_>, window: Bounds, theme: &Theme, cache: &CanvasCache) -> f64 {
    let truth = exact_density(plot_ui, input, window);
    let mut top = truth.iter().map(|point| point[1]).filter(|y| y.is_finite()).fold(0.0, f64::max);
    if input.layers.heat {
        let (xs, ys): (Vec<f64>, Vec<f64>) = truth.iter().map(|&[x, y]| (x, y)).unzip();
        let fill = theme.exact.gamma_multiply(0.08);
        plot_ui.add(FilledArea::new("", &xs, &vec![0.0; xs.len()], &ys).fill_color(fill).allow_hover(false));
    }
    for &index in input.runs {
        let (Some(run), Some(fine)) = (input.frame.runs.get(index), cache.histogram((input.id, index), 0)) else {
            continue;
        };
        if counted(input.layers.draws, run) {
            top = top.max(histogram(plot_ui, input, fine, window, theme.run(index).colour, theme));
        }
    }
    if input.layers.truth {
        plot_ui.line(curve(truth, theme.exact, theme.line()));
    }
    let (axis, highest) = (axis(plot_ui, window), HIGHER * top);
    for &index in input.runs {
        let Some(run) = input.frame.runs.get(index) else { continue };
        if let Some(found) = run.fits.as_ref().filter(|_| input.layers.fits) {
            let reached = fits::on_line(plot_ui, found, axis, theme.run(index), theme);
            // A fit that is far too narrow must not flatten the exact density.
            top = top.max(if highest > 0.0 { reached.min(highest) } else { reached });
        }
        if input.layers.exact.is_some() {
            let reached = exact::on_line(plot_ui, theme, &cache.exact, index);
            top = top.max(if highest > 0.0 { reached.min(highest) } else { reached });
        }
        if input.layers.ellipses && run.fits.is_none() {
            fitted(plot_ui, run, window, theme.run(index).colour, theme);
        }
        let layer = if run.fits.is_some() { input.layers.fits } else { input.layers.trail };
        if layer {
            let below = |at: Point| [at.x, -0.5 * FOOTROOM * top];
            heads(plot_ui, input, theme, (index, run), below);
        }
        if input.layers.arrows {
            let height = move |row: f64| -(FOOTROOM + (row + 0.5) * ROW) * top;
            arrows::on_line(plot_ui, input, theme, run, height);
        }
    }
    divergences::add(plot_ui, input, theme, &cache.divergences, |at| [at.x, 0.0]);
    if top > 0.0 { top } else { 1.0 }
}

/// The density at every horizontal point of the screen.
fn exact_density(plot_ui: &PlotUi<'_>, input: &CanvasInput<'_>, window: Bounds) -> Curve {
    let density = input.frame.target.density();
    density.map_or_else(Curve::default, |density| {
        density_curve(density.as_ref(), input.frame.truth.is_known(), axis(plot_ui, window))
    })
}

/// An axis with one cell per point of the screen.
#[expect(clippy::cast_sign_loss, reason = "a screen has a few thousand points")]
fn axis(plot_ui: &PlotUi<'_>, window: Bounds) -> Axis {
    let cells = plot_ui.response().rect.width().max(2.0) as usize;
    Axis { min: window.min.x, max: window.max.x, cells }
}

/// The draws as bars; returns the highest.
fn histogram(
    plot_ui: &mut PlotUi<'_>,
    input: &CanvasInput<'_>,
    fine: &Histogram,
    window: Bounds,
    colour: egui::Color32,
    theme: &Theme,
) -> f64 {
    let bars = fine.coarsened(window.size().x / BARS).around(window.min.x, window.max.x);
    let outline = bars.outline();
    let opacity = if input.runs.len() > 1 { 0.15 } else { 0.35 };
    let (xs, ys): (Vec<f64>, Vec<f64>) = outline.iter().map(|&[x, y]| (x, y)).unzip();
    let fill = colour.gamma_multiply(opacity);
    plot_ui.add(FilledArea::new("", &xs, &vec![0.0; xs.len()], &ys).fill_color(fill).allow_hover(false));
    plot_ui.line(curve(outline, colour, theme.thin()));
    bars.heights.iter().copied().fold(0.0, f64::max)
}

/// The Gaussian with the draws' mean and variance.
fn fitted(plot_ui: &mut PlotUi<'_>, run: &RunFrame, window: Bounds, colour: egui::Color32, theme: &Theme) {
    let Some(Gaussian { mean, covariance }) = run.moments else { return };
    let variance = covariance[(0, 0)];
    let height = |x: f64| (-(x - mean.x).powi(2) / (2.0 * variance)).exp() / (std::f64::consts::TAU * variance).sqrt();
    let axis = Axis { min: window.min.x, max: window.max.x, cells: 400 };
    let points: Vec<[f64; 2]> = (0..axis.cells).map(|cell| [axis.centre(cell), height(axis.centre(cell))]).collect();
    plot_ui.line(curve(points, colour, theme.line()).style(LineStyle::Dashed { length: theme.space(2.0) }));
}

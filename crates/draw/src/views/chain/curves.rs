//! Curves of the autocorrelation against lag, and of the running mean against draws.

use std::ops::Range;

use egui::{Align2, Color32, Label, Rect, RichText, Ui, vec2};
use egui_plot::{FilledArea, HLine, LineStyle, PlotUi, Points};

use super::cache::ChainCache;
use super::empty::words;
use super::geometry::Correlation;
use super::input::ChainPlotInput;
use crate::kit::axes::{AxisSpec, Ticks, answers, curve, fits_upright, in_height, plot, show_part, that_fits};
use crate::kit::overlay_label::OverlayLabel;
use crate::kit::run_line;
use crate::theme::Theme;
use engine::diagnostics::chain::Running;

/// Markers along a curve, so that runs differ in more than colour.
const MARKERS: usize = 6;

/// The share of first draws whose running mean may be outside the plot.
const EARLY: f64 = 0.1;

/// The right end of the running mean, as a multiple of all draws, so that the last marker is not cut.
const END: f64 = 1.03;

/// Margin above and below the visible range, as a share of it.
const HEADROOM: f64 = 0.12;

/// The lowest autocorrelation that is always visible.
const FLOOR: f64 = -0.15;

/// A run in a plot, and its curve.
struct Curve<'a, T> {
    run: usize,
    of: &'a T,
    /// Collected draws per draw.
    per_draw: f64,
}

/// Draws the autocorrelation of all runs.
pub(super) fn autocorrelation(ui: &mut Ui, input: &ChainPlotInput<'_>, theme: &Theme, cache: &ChainCache) {
    const NAME: &str = "autocorrelation";
    let beside = fits_upright(ui, theme, NAME);
    let (mut curves, mut missing): (Vec<_>, Vec<&str>) = (Vec::new(), Vec::new());
    for (run, entry, picture) in cache.pictures(input) {
        match &picture.correlation {
            Ok(of) => curves.push((Curve { run, of, per_draw: picture.per_draw }, entry)),
            Err(reason) => missing.push(reason),
        }
    }
    let reach = curves.iter().map(|(curve, _)| curve.of.reach as f64 * curve.per_draw).fold(1.0, f64::max);
    if !beside && theme.labels.whole {
        above(ui, theme, NAME);
    }
    let y = upright(if beside { NAME } else { "" });
    let x = AxisSpec::wide(that_fits(ui, theme, "lag in draws", y), Ticks::Whole);
    let [x, _] = in_height(ui, ui.available_height(), theme, [x, y]);
    let width = (ui.available_width() - 2.0 * theme.text.small).max(1.0);
    let plot = plot(("autocorrelation", input.coordinate), theme, x, y).width(width);
    let shown = plot.allow_drag(false).allow_zoom(false).show(ui, |plot_ui| {
        let mut low = FLOOR;
        for (curve, entry) in &curves {
            let colour = theme.run(curve.run).colour;
            band(plot_ui, reach, curve.of.band, colour);
            let last = last_lag(curve, reach);
            low = curve.of.values[..=last].iter().copied().fold(low, f64::min);
            let content = (entry.version, reach.to_bits(), theme.mode, theme.scale);
            entry.kept.show(plot_ui, content, || {
                let points = (0..=last).map(|lag| [lag as f64 * curve.per_draw, curve.of.values[lag]]).collect();
                vec![run_line::mark(points, colour, theme.line(), theme.run(curve.run))]
            });
            markers(plot_ui, curve, reach, theme);
        }
        plot_ui.hline(HLine::new("", 0.0).color(theme.faint).width(1.0).allow_hover(false));
        show_part(plot_ui, [0.0, low - 0.05], [reach, 1.05], theme);
    });
    answers(ui, theme, &shown.response, [x, y]);
    let rect = shown.response.rect;
    if !beside && !theme.labels.whole {
        // Curves fall from the left: the other corner is free.
        in_corner(ui, theme, rect, NAME);
    }
    if curves.is_empty() {
        words(ui, theme, rect, &missing);
    }
}

/// The name of a vertical axis above its plot, on paper, where no curve is hidden for a glance at what is under it.
fn above(ui: &mut Ui, theme: &Theme, name: &str) {
    if theme.labels.axes {
        ui.add(Label::new(RichText::new(name).font(theme.small()).color(theme.soft)).truncate());
    }
}

/// A vertical axis of a narrow plot.
fn upright(label: &str) -> AxisSpec<'_> {
    AxisSpec { digits: 3.5, ..AxisSpec::upright(label, Ticks::Linear) }
}

#[expect(clippy::cast_sign_loss, reason = "a lag, cut off at the last one")]
fn last_lag(curve: &Curve<'_, Correlation>, reach: f64) -> usize {
    ((reach / curve.per_draw).ceil() as usize).min(curve.of.values.len() - 1)
}

/// ±1.96/√n.
fn band(plot_ui: &mut PlotUi<'_>, reach: f64, band: f64, colour: Color32) {
    let fill = colour.gamma_multiply(0.14);
    plot_ui.add(FilledArea::new("", &[0.0, reach], &[-band; 2], &[band; 2]).fill_color(fill).allow_hover(false));
    for y in [-band, band] {
        plot_ui.line(curve(vec![[0.0, y], [reach, y]], colour.gamma_multiply(0.5), 1.0));
    }
}

/// The run's marker at some of its lags, at other lags than the markers of the other runs.
#[expect(clippy::cast_sign_loss, reason = "a lag, cut off at the last one")]
fn markers(plot_ui: &mut PlotUi<'_>, curve: &Curve<'_, Correlation>, reach: f64, theme: &Theme) {
    let share = |number: usize| (number as f64 + 0.5 + 0.25 * (curve.run % 3) as f64) / MARKERS as f64;
    let lags = (0..MARKERS).map(|number| (share(number) * reach / curve.per_draw).round() as usize);
    let points: Vec<[f64; 2]> = lags
        .filter_map(|lag| Some([lag as f64 * curve.per_draw, *curve.of.values.get(lag)?]))
        .filter(|[x, _]| *x <= reach)
        .collect();
    mark(plot_ui, curve.run, points, theme);
}

fn mark(plot_ui: &mut PlotUi<'_>, run: usize, points: Vec<[f64; 2]>, theme: &Theme) {
    let style = theme.run(run);
    let points = Points::new("", points).shape(style.marker).color(style.colour);
    plot_ui.points(points.radius(theme.marker(0.9)).allow_hover(false));
}

/// Draws the running mean of all runs with its standard error, and the mean of the target.
pub(super) fn running_mean(ui: &mut Ui, input: &ChainPlotInput<'_>, theme: &Theme, cache: &ChainCache) {
    let (mut curves, mut missing): (Vec<_>, Vec<&str>) = (Vec::new(), Vec::new());
    for (run, _, picture) in cache.pictures(input) {
        match &picture.running {
            Ok(of) => curves.push(Curve { run, of, per_draw: picture.per_draw }),
            Err(reason) => missing.push(reason),
        }
    }
    let info = input.frame.target.info();
    let exact = if input.truth { info.mean[input.coordinate] } else { f64::NAN };
    let all = curves.iter().filter_map(|curve| curve.of.last()).map(|last| last.draws as f64).fold(1.0, f64::max);
    let bounds = bounds(&curves, exact, all);
    let label = format!("mean of {}", info.axes[input.coordinate]);
    let beside = fits_upright(ui, theme, &label);
    if !beside && theme.labels.whole {
        above(ui, theme, &label);
    }
    let y = upright(if beside { &label } else { "" });
    let x = AxisSpec::wide(that_fits(ui, theme, "draws per chain", y), Ticks::Whole);
    let [x, _] = in_height(ui, ui.available_height(), theme, [x, y]);
    let width = (ui.available_width() - 2.0 * theme.text.small).max(1.0);
    let plot = plot(("running mean", input.coordinate), theme, x, y).width(width);
    let shown = plot.allow_drag(false).allow_zoom(false).show(ui, |plot_ui| {
        for curve in &curves {
            add_running(plot_ui, curve, theme);
        }
        if exact.is_finite() {
            let line = HLine::new("", exact).color(theme.exact).width(theme.thin());
            plot_ui.hline(line.style(LineStyle::Dashed { length: theme.space(1.5) }).allow_hover(false));
        }
        show_part(plot_ui, [0.0, bounds.start], [END * all, bounds.end], theme);
    });
    answers(ui, theme, &shown.response, [x, y]);
    if !beside && !theme.labels.whole {
        in_corner(ui, theme, shown.response.rect, &label);
    }
    if curves.is_empty() {
        words(ui, theme, shown.response.rect, &missing);
    }
}

/// The name of an axis in the upper right corner of a low plot.
fn in_corner(ui: &Ui, theme: &Theme, rect: Rect, text: &str) {
    let at = rect.right_top() + vec2(-theme.space(0.5), theme.space(0.5));
    let (font, colour, align) = (theme.small(), theme.soft, Align2::RIGHT_TOP);
    OverlayLabel { text, font, colour, at, align }.paint(ui, theme, rect);
}

/// The range of the running means without the first draws, with their errors, and of the exact mean.
fn bounds(curves: &[Curve<'_, Vec<Running>>], exact: f64, all: f64) -> Range<f64> {
    let late = curves.iter().flat_map(|curve| curve.of).filter(|point| point.draws as f64 >= EARLY * all);
    let ends = late.flat_map(|point| {
        let error = point.mcse.unwrap_or(0.0);
        [point.mean - error, point.mean + error]
    });
    let ends = ends.chain([exact]).filter(|end| end.is_finite());
    let (low, high) = ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), end| (low.min(end), high.max(end)));
    if low > high {
        return 0.0..1.0;
    }
    let size = if high > low { high - low } else { low.abs().max(1.0) };
    low - HEADROOM * size..high + HEADROOM * size
}

fn add_running(plot_ui: &mut PlotUi<'_>, running: &Curve<'_, Vec<Running>>, theme: &Theme) {
    let colour = theme.run(running.run).colour;
    // A band for each run of consecutive points that have an error.
    for known in running.of.chunk_by(|one, next| one.mcse.is_some() == next.mcse.is_some()) {
        let edges: Vec<_> = known.iter().filter_map(|at| Some((at.draws as f64, at.mean, at.mcse?))).collect();
        let xs: Vec<f64> = edges.iter().map(|edge| edge.0).collect();
        let low: Vec<f64> = edges.iter().map(|(_, mean, error)| mean - error).collect();
        let high: Vec<f64> = edges.iter().map(|(_, mean, error)| mean + error).collect();
        if xs.len() > 1 {
            let area = FilledArea::new("", &xs, &low, &high).fill_color(colour.gamma_multiply(0.2));
            plot_ui.add(area.allow_hover(false));
        }
    }
    let points: Vec<[f64; 2]> = running.of.iter().map(|at| [at.draws as f64, at.mean]).collect();
    let every = points.len().div_ceil(MARKERS);
    let marked = points.iter().rev().step_by(every.max(1)).copied().collect();
    run_line::line(plot_ui, points, (colour, theme.line()), theme.run(running.run));
    mark(plot_ui, running.run, marked, theme);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(draws: usize, mean: f64, mcse: Option<f64>) -> Running {
        Running { draws, mean, mcse }
    }

    #[test]
    fn early_means_may_leave_the_plot_and_the_exact_one_may_not() {
        let of = vec![point(1, 50.0, None), point(50, 1.0, Some(0.5)), point(100, 2.0, None)];
        let found = bounds(&[Curve { run: 0, of: &of, per_draw: 1.0 }], 3.0, 100.0);
        assert!((found.start - (0.5 - 0.3)).abs() < 1e-12 && (found.end - (3.0 + 0.3)).abs() < 1e-12, "{found:?}");
        assert_eq!(bounds(&[], f64::NAN, 1.0), 0.0..1.0);
        assert_eq!(bounds(&[], 0.0, 1.0), -HEADROOM..HEADROOM);
    }

    #[test]
    fn runs_are_drawn_as_far_as_their_lags_go() {
        let of = Correlation { values: vec![1.0; 11], band: 0.1, reach: 5 };
        let curve = |per_draw: f64| Curve { run: 0, of: &of, per_draw };
        assert_eq!([last_lag(&curve(1.0), 5.0), last_lag(&curve(2.0), 5.0), last_lag(&curve(1.0), 99.0)], [5, 3, 10]);
    }
}

//! Curve of a sweep over one parameter: a measure against it, with the mean over seeds and its standard error, and each seed by itself.
//!
//! An error with a sign is shown as its absolute bias and its mean squared error on logarithmic axes, with lines of fitted slopes, and where
//! theorem 1 of R. Zhang et al. (2020) speaks of the run, with its bounds, whose constants are fitted too.

use std::ops::Range;

use egui::{Align2, Color32, CursorIcon, Pos2, Rect, Ui, pos2, vec2};
use egui_plot::{HLine, LineStyle, MarkerShape, PlotPoint, PlotTransform, PlotUi, Points, VLine};

use super::input::{Part, SweepInput, SweepResponse};
use super::{beside, words};
use crate::kit::axes::{AxisSpec, Ticks, answers, before_last_tick, curve, fits_upright, plot, show_part};
use crate::kit::legend::{self, Entry, Sample};
use crate::kit::overlay_label::{OverlayLabel, at_free_position};
use crate::theme::Theme;
use crate::words::numbers;
use engine::diagnostics::chain::asked_below;
use engine::diagnostics::is_estimate;
use engine::session::sweep::{Cell, Rate, Spread, bias_and_mse, fit_slopes, rate_arguments};

/// Dots of seeds, at most.
const DOTS: usize = 4000;

/// Opacity of dots and of error bars.
const DOT: f32 = 0.5;
const BAR: f32 = 0.8;

/// The ratio of the largest to the smallest mean from which on an axis is logarithmic, if that of the parameter is.
const FAR_APART: f64 = 3.0;

/// Decades of a measure shown at most, and the margin beyond the curves as a share of the plot.
const DECADES: f64 = 6.0;
const MARGIN: f64 = 0.06;

/// Points of the line of a bound.
const ALONG: u32 = 80;

/// Cells on one side of the smallest value, with it, from which on they have a slope of their own.
const FEWEST: usize = 3;

/// A line of the plot.
struct Series {
    name: &'static str,
    colour: Color32,
    marker: MarkerShape,
    points: Vec<At>,
    /// The rate of the theorem, and its position (α₀, K) at a value of the axis.
    rate: Option<Rate>,
}

/// A cell on a line.
struct At {
    cell: usize,
    x: f64,
    mean: f64,
    /// The standard error of the mean.
    error: Option<f64>,
}

/// Draws legend and plot into the available space.
pub fn show(ui: &mut Ui, input: &SweepInput<'_>, theme: &Theme) -> SweepResponse {
    let all = series(input, theme);
    let scale = Scale::of(input, &all);
    legend::line(ui, theme, &entries(input, (&all, &scale), theme));
    let name = words::axis(input.plan, 0);
    let whole = input.plan.axes().first().is_some_and(|values| values.iter().all(|value| value.fract() == 0.0));
    let ticks = match (scale.log_x, whole) {
        (true, _) => Ticks::Log,
        (false, true) => Ticks::Whole,
        (false, false) => Ticks::Linear,
    };
    let measure = words::measure(input.key());
    let y = if fits_upright(ui, theme, measure) { measure } else { "" };
    let (x, y) =
        (AxisSpec::wide(&name, ticks), AxisSpec::upright(y, if scale.log_y { Ticks::Log } else { Ticks::Linear }));
    let plot = plot("sweep", theme, x, y).width(before_last_tick(ui, theme)).allow_drag(false).allow_zoom(false);
    let shown = plot.show(ui, |plot_ui| {
        if let Some(limit) = asked_below(input.key()) {
            let dashed = LineStyle::Dashed { length: theme.space(1.5) };
            let line = HLine::new("", scale.y(limit)).color(theme.soft).width(theme.thin()).style(dashed);
            plot_ui.hline(line.allow_hover(false));
        }
        if let Some(present) = scale.present(input) {
            plot_ui.vline(VLine::new("", present).color(theme.accent).width(theme.line()).allow_hover(false));
        }
        seeds(plot_ui, input, &scale, theme);
        for series in &all {
            draw(plot_ui, series, &scale, theme);
            bounds_of_theorem(plot_ui, input, series, &scale, theme);
        }
        let [x, y] = [&scale.x_range, &scale.y_range];
        show_part(plot_ui, [x.start, y.start], [x.end, y.end], theme);
    });
    answers(ui, theme, &shown.response, [x, y]);
    let response = shown.response.on_hover_cursor(CursorIcon::PointingHand);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Image, true, "Curve of the sweep"));
    let (rect, transform) = (response.rect, shown.transform);
    slopes(ui, &all, (&scale, &transform, rect), theme);
    let under =
        response.hover_pos().and_then(|at| Some((at, nearest(input, &scale, transform.value_from_position(at).x)?)));
    let pointed = under.map(|(_, cell)| cell);
    if let Some(cell) = pointed.or(input.lit) {
        light(ui, &all, cell, (&scale, &transform, rect), theme);
    }
    if let Some((at, cell)) = under {
        beside::show(ui, input, cell, (rect, at), theme);
    }
    SweepResponse { pointed, opened: pointed.filter(|_| response.clicked()) }
}

/// A value of a cell with its standard error, if there are both.
type Estimate = (f64, Option<f64>);

/// The lines: the mean of a measure; of an error with a sign its absolute bias and its mean squared error.
fn series(input: &SweepInput<'_>, theme: &Theme) -> Vec<Series> {
    let alpha_and_steps = rate_arguments(input.plan);
    let value_of = |cell: &Cell| input.plan.values_of(cell.number).first().copied().unwrap_or(f64::NAN);
    let line = |name, style: usize, of: &dyn Fn(&Cell) -> Option<Estimate>, power: Option<i32>| {
        let at = |cell: &Cell| {
            let (mean, error) = of(cell)?;
            Some(At { cell: cell.number, x: value_of(cell), mean, error })
        };
        let points: Vec<At> = input.cells.iter().filter_map(at).collect();
        let rate = alpha_and_steps.as_ref().zip(power).and_then(|(alpha_and_steps, power)| {
            let values: Vec<_> = points.iter().map(|at| (alpha_and_steps(at.x), at.mean)).collect();
            Rate::fit(&values, power)
        });
        let style = theme.run(style);
        Series { name, colour: style.colour, marker: style.marker, points, rate }
    };
    let spread = |values: &[Option<f64>]| Spread::of(values).map(|spread| (spread.mean, spread.standard_error()));
    if !is_estimate(input.key()) {
        let spread_alone = input.part == Part::Spread;
        let of = |cell: &Cell| {
            if spread_alone { input.value(cell).map(|sd| (sd, None)) } else { spread(input.values(cell)) }
        };
        return vec![line(if spread_alone { "sd between seeds" } else { "mean" }, input.run, &of, None)];
    }
    let bias = |cell: &Cell| {
        let values = input.values(cell);
        Some((bias_and_mse(values)?.0, Spread::of(values)?.standard_error()))
    };
    let squares = |cell: &Cell| {
        let squares: Vec<Option<f64>> =
            input.values(cell).iter().map(|error| error.map(|error| error * error)).collect();
        spread(&squares)
    };
    vec![line("absolute bias", input.run, &bias, Some(1)), line("mean squared error", input.run + 1, &squares, Some(2))]
}

/// Ranges and scales of the axes; logarithmic ones hold log₁₀ of their values.
struct Scale {
    log_x: bool,
    log_y: bool,
    x_range: Range<f64>,
    y_range: Range<f64>,
}

impl Scale {
    fn of(input: &SweepInput<'_>, all: &[Series]) -> Self {
        let log_x = input.plan.sweep().axes.first().is_some_and(|axis| axis.log);
        let points = || all.iter().flat_map(|series| &series.points);
        let (low, high) = ends(points().map(|at| at.mean));
        let log_y = low > 0.0 && (is_estimate(input.key()) || (log_x && high / low >= FAR_APART));
        let value = |value: f64, log: bool| if log { value.log10() } else { value };
        let values = input.plan.axes().first().map_or(&[][..], Vec::as_slice);
        let (first, last) = ends(values.iter().map(|x| value(*x, log_x)));
        let x_range = padded(first, last);
        // Bars of errors that reach zero end at the lower edge of a logarithmic plot.
        let of_errors =
            points().flat_map(|at| at.error.map(|error| [at.mean - error, at.mean + error]).into_iter().flatten());
        let dots = input
            .cells
            .iter()
            .filter(|_| has_dots(input))
            .flat_map(|cell| input.values(cell).iter().flatten().copied());
        let shown =
            of_errors.chain(points().map(|at| at.mean)).chain(dots).filter(|value| !log_y || *value > 0.5 * low);
        // The value that is asked for is in view.
        let asked = asked_below(input.key()).filter(|_| low.is_finite());
        let (bottom, top) = ends(shown.chain(asked).map(|shown| value(shown, log_y)));
        let bottom = if log_y { bottom.max(top - DECADES) } else { bottom };
        Self { log_x, log_y, x_range, y_range: padded(bottom, top) }
    }

    /// The position of a value of the parameter; `None` where it has none.
    fn x(&self, value: f64) -> Option<f64> {
        let position = if self.log_x { value.log10() } else { value };
        position.is_finite().then_some(position)
    }

    /// The position of a value; those too small for a logarithmic axis are at its lower end.
    fn y(&self, value: f64) -> f64 {
        if self.log_y && value > 0.0 {
            value.log10().max(self.y_range.start)
        } else if self.log_y {
            self.y_range.start
        } else {
            value
        }
    }

    /// The position of the present value of the run, if it is in view.
    fn present(&self, input: &SweepInput<'_>) -> Option<f64> {
        let present = input.present.first().copied().flatten()?;
        self.x(present).filter(|position| self.x_range.contains(position))
    }

    fn position(&self, x: f64, y: f64) -> Option<[f64; 2]> {
        Some([self.x(x)?, self.y(y)])
    }
}

fn ends(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values
        .filter(|value| value.is_finite())
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)))
}

/// A range with a margin on either side; around a single value one of length 1.
fn padded(low: f64, high: f64) -> Range<f64> {
    if low < high {
        let margin = MARGIN * (high - low);
        low - margin..high + margin
    } else if low.is_finite() && low <= high {
        low - 0.5..low + 0.5
    } else {
        0.0..1.0
    }
}

/// Whether every seed is a dot at its value.
fn has_dots(input: &SweepInput<'_>) -> bool {
    input.part != Part::Spread && !is_estimate(input.key())
}

/// Every seed as a dot: of an error with a sign, its absolute value.
fn seeds(plot_ui: &mut PlotUi<'_>, input: &SweepInput<'_>, scale: &Scale, theme: &Theme) {
    let signed = is_estimate(input.key());
    if !signed && !has_dots(input) {
        return;
    }
    let values = input.cells.iter().flat_map(|cell| {
        let x = input.plan.values_of(cell.number).first().copied().unwrap_or(f64::NAN);
        input.values(cell).iter().flatten().map(move |value| (x, if signed { value.abs() } else { *value }))
    });
    let count = input.cells.len() * input.plan.sweep().seeds as usize;
    let dots: Vec<[f64; 2]> =
        values.step_by(count.div_ceil(DOTS).max(1)).filter_map(|(x, y)| scale.position(x, y)).collect();
    let colour = theme.run(input.run).colour.gamma_multiply(DOT);
    plot_ui.points(Points::new("", dots).color(colour).radius(theme.marker(0.6)).allow_hover(false));
}

/// Line, markers and bars of standard errors.
fn draw(plot_ui: &mut PlotUi<'_>, series: &Series, scale: &Scale, theme: &Theme) {
    for at in &series.points {
        let Some((error, x)) = at.error.zip(scale.x(at.x)) else { continue };
        let bar = vec![[x, scale.y(at.mean - error)], [x, scale.y(at.mean + error)]];
        plot_ui.line(curve(bar, series.colour.gamma_multiply(BAR), theme.thin()));
    }
    let line: Vec<[f64; 2]> = series.points.iter().filter_map(|at| scale.position(at.x, at.mean)).collect();
    plot_ui.line(curve(line.clone(), series.colour, theme.line()));
    let markers = Points::new("", line).shape(series.marker).color(series.colour);
    plot_ui.points(markers.radius(theme.marker(1.0)).allow_hover(false));
}

/// The bound of the theorem with its fitted constants.
fn bounds_of_theorem(plot_ui: &mut PlotUi<'_>, input: &SweepInput<'_>, series: &Series, scale: &Scale, theme: &Theme) {
    let (Some(rate), Some(alpha_and_steps), true) = (series.rate, rate_arguments(input.plan), scale.log_y) else {
        return;
    };
    let ends = ends(series.points.iter().filter_map(|at| scale.x(at.x)));
    let along = (0..=ALONG).filter_map(|number| {
        let at = ends.0 + (ends.1 - ends.0) * f64::from(number) / f64::from(ALONG);
        let x = if scale.log_x { 10f64.powf(at) } else { at };
        scale.position(x, rate.at(alpha_and_steps(x)))
    });
    let dashed = LineStyle::Dashed { length: theme.space(1.5) };
    plot_ui.line(curve(along.collect::<Vec<_>>(), series.colour, theme.thin()).style(dashed));
}

/// Cells that lie on one line: those on either side of the smallest value, or all of them.
fn branches(points: &[At]) -> Vec<&[At]> {
    let usable = |at: &&At| at.mean > 0.0;
    let least = points.iter().filter(usable).map(|at| at.mean).fold(f64::INFINITY, f64::min);
    let lowest = points.iter().position(|at| at.mean <= least).unwrap_or(0);
    let sides = [&points[..points.len().min(lowest + 1)], &points[lowest..]];
    sides.into_iter().filter(|side| side.len() >= FEWEST).collect()
}

/// Lines of fitted slopes, with the slopes beside them.
fn slopes(ui: &Ui, all: &[Series], (scale, transform, rect): (&Scale, &PlotTransform, Rect), theme: &Theme) {
    if !(scale.log_x && scale.log_y) {
        return;
    }
    let mut used = Vec::new();
    let on_screen = |[x, y]: [f64; 2]| transform.position_from_point(&PlotPoint::new(x, y));
    let points = all.iter().flat_map(|series| &series.points);
    let means: Vec<Pos2> = points.filter_map(|at| scale.position(at.x, at.mean)).map(on_screen).collect();
    for series in all {
        for branch in branches(&series.points) {
            let cells: Vec<_> = branch.iter().map(|at| (vec![at.x], at.mean)).collect();
            let Some(fitted) = fit_slopes(&cells) else { continue };
            let (slope, error) = fitted.slopes[0];
            let at = |x: f64| {
                let y = (fitted.intercept + slope * x.ln()).exp();
                scale.position(x, y).map(on_screen)
            };
            let (first, last) = (branch[0].x, branch[branch.len() - 1].x);
            let (Some(from), Some(to), Some(middle)) = (at(first), at(last), at((first * last).sqrt())) else {
                continue;
            };
            let painter = ui.painter().with_clip_rect(rect);
            painter.line_segment([from, to], egui::Stroke::new(theme.thin(), series.colour));
            let text = format!("slope {} ± {} on log axes", numbers::decimal(slope, 2), numbers::decimal(error, 2));
            let label = |(at, align): (Pos2, Align2)| OverlayLabel {
                text: &text,
                font: theme.small(),
                colour: series.colour,
                at,
                align,
            };
            let positions = [2.0, 4.0, 6.0].map(|away| label_positions(middle, theme.space(away))).concat();
            at_free_position(ui, theme, (rect, &mut used, &means), label, &positions);
        }
    }
}

/// Positions of a label around a point.
fn label_positions(at: Pos2, away: f32) -> [(Pos2, Align2); 4] {
    [
        (at + vec2(away, -away), Align2::LEFT_BOTTOM),
        (at + vec2(away, away), Align2::LEFT_TOP),
        (at + vec2(-away, -away), Align2::RIGHT_BOTTOM),
        (at + vec2(-away, away), Align2::RIGHT_TOP),
    ]
}

/// The cell whose value is nearest to a position along the axis.
fn nearest(input: &SweepInput<'_>, scale: &Scale, x: f64) -> Option<usize> {
    let values = input.plan.axes().first()?;
    let away = |number: &usize| scale.x(values[*number]).map_or(f64::INFINITY, |position| (position - x).abs());
    (0..values.len()).min_by(|one, other| away(one).total_cmp(&away(other)))
}

/// Rings around the points of a cell.
fn light(
    ui: &Ui,
    all: &[Series],
    cell: usize,
    (scale, transform, rect): (&Scale, &PlotTransform, Rect),
    theme: &Theme,
) {
    for at in all.iter().flat_map(|series| &series.points).filter(|at| at.cell == cell) {
        if let Some([x, y]) = scale.position(at.x, at.mean) {
            let centre = transform.position_from_point(&PlotPoint::new(x, y));
            let centre = pos2(centre.x, centre.y.clamp(rect.top(), rect.bottom()));
            ui.painter().circle_stroke(centre, theme.space(2.0), egui::Stroke::new(theme.line(), theme.ink));
        }
    }
}

/// What lines, bars and dots stand for.
fn entries(input: &SweepInput<'_>, (all, scale): (&[Series], &Scale), theme: &Theme) -> Vec<Entry> {
    let mut entries: Vec<Entry> =
        all.iter().map(|series| Entry::new(Sample::Line(series.colour, theme.line(), None), series.name)).collect();
    let seeds = input.plan.sweep().seeds;
    if seeds > 1 && input.part != Part::Spread {
        entries.push(Entry::new(Sample::None, format!("bars: standard error of {seeds} seeds; dots: each seed")));
    }
    let dashes = Some([4.0, 3.0]);
    for series in all {
        if let Some(rate) = series.rate {
            let text = format!("{}: rate of Zhang et al. (2020), theorem 1, fitted", rate.form());
            entries.push(Entry::new(Sample::Line(series.colour, theme.thin(), dashes), text));
        }
    }
    if let Some(limit) = asked_below(input.key()) {
        entries.push(Entry::new(
            Sample::Line(theme.soft, theme.thin(), dashes),
            format!("{limit}: below it chains agree"),
        ));
    }
    if scale.present(input).is_some() {
        entries.push(Entry::new(Sample::Line(theme.accent, theme.line(), None), words::present(input.plan)));
    }
    let count = input.plan.cells();
    if input.cells.len() < count {
        entries.push(Entry::new(Sample::None, format!("{} of {count} cells", input.cells.len())));
    }
    entries
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(means: &[f64]) -> Vec<At> {
        let mut x = 0.5;
        let at = |(cell, mean): (usize, &f64)| {
            x *= 2.0;
            At { cell, x, mean: *mean, error: None }
        };
        means.iter().enumerate().map(at).collect()
    }

    #[test]
    fn a_valley_has_a_slope_on_either_side() {
        let sides = |means: &[f64]| -> Vec<Vec<usize>> {
            let points = points(means);
            branches(&points).iter().map(|side| side.iter().map(|at| at.cell).collect()).collect()
        };
        assert_eq!(sides(&[8.0, 4.0, 2.0, 4.0, 8.0]), [[0, 1, 2], [2, 3, 4]]);
        assert_eq!(sides(&[1.0, 2.0, 3.0]), [[0, 1, 2]]);
        assert_eq!(sides(&[3.0, 2.0, 1.0, 4.0]), [[0, 1, 2]]);
        assert!(sides(&[1.0, 2.0]).is_empty() && sides(&[]).is_empty());
    }

    #[test]
    fn ranges_have_space() {
        assert_eq!(padded(0.0, 1.0), -MARGIN..1.0 + MARGIN);
        assert_eq!(padded(2.0, 2.0), 1.5..2.5);
        let (low, high) = ends(std::iter::empty());
        assert_eq!(padded(low, high), 0.0..1.0);
    }
}

//! Bias and variance of statistics averaged over a window of L steps (Mandt and Blei 2014, arXiv:1406.3650): squared bias,
//! variance and squared error of the step, compared with the full natural gradient, along the path of a run.
//!
//! The left plot shows the window of the run, with the squared error of each step as a dot. The right plot shows the squared
//! error for several lengths along the same path; the line of the run's own length is the thickest. On topics with a constant step
//! size a third plot shows what a window makes of the variance of λ.

use std::ops::Range;

use egui::{Align2, Color32, Label, Rect, RichText, Ui, UiBuilder, pos2, vec2};
use egui_plot::{MarkerShape, Points, VLine};

use super::cache::{self, BiasVarianceCache};
use super::input::BiasVarianceInput;
use super::lengths::shade;
use super::long_run::LongRun;
use super::shown::{Shown, windows};
use crate::geometry::Part;
use crate::kit::axes::{AxisSpec, Ticks, answers, before_last_tick, fits_upright, in_height, plot, show_part};
use crate::kit::legend::{Entry as Named, Sample};
use crate::kit::marks::Mark;
use crate::kit::overlay_label::OverlayLabel;
use crate::kit::run_header;
use crate::kit::time_axis::as_f64;
use crate::theme::Theme;
use crate::words::numbers;
use engine::session::{Curve, RunFrame, SmoothingErrors};
use samplers::methods::{Average, Averaging, BatchOrder, Gradient};

/// Text of an empty plot: no run averages statistics.
const OTHERS: &str = "Only SVI averages noisy statistics over a window. Add a run of SVI to see its bias and variance.";

/// Name of the vertical axis.
const NAME: &str = "squared length";

/// Name of the second curve.
const VARIANCE: &str = "variance";

/// Text while the first answer is being computed.
const WORKING: &str = "being computed";

/// Legend of averages whose bias and variance have no formula.
const UNKNOWN: &str = "bias and variance of this average are not known; dots: squared error of each step";

/// Name of the variance where the batches of a window are not independent.
const IN_EPOCHS: &str = "variance if batches were independent (shuffled: less)";

/// Decades shown at most and at least, so that ticks at powers of ten are enough in a low plot, and margin above and below.
const DECADES: f64 = 7.0;
const LEAST_DECADES: f64 = 2.6;
const MARGIN: f64 = 0.2;

/// Number of dots at most: more would merge into a band.
const MOST_DOTS: usize = 400;

/// The first run shown that averages statistics over more than one step; else the first run of a method that can.
fn averaging<'a>(input: &BiasVarianceInput<'a>) -> Option<(usize, &'a RunFrame)> {
    let runs = || input.runs.iter().filter_map(|&index| Some((index, input.frame.runs.get(index)?)));
    let method = |run: &'a RunFrame| run.plan.segment_of(run.step.max(1)).method.averaging();
    let mut all = runs().filter(|(_, run)| method(run).is_some());
    let averages = |averaging: Averaging<'_>| averaging.average == Average::Sag || averaging.window > 1;
    runs().find(|(_, run)| method(run).is_some_and(averages)).or_else(|| all.next())
}

/// Draws both plots into the available space; returns whether numbers are being computed.
pub fn show(ui: &mut Ui, input: &BiasVarianceInput<'_>, theme: &Theme, cache: &mut BiasVarianceCache) -> bool {
    let Some((index, run)) = averaging(input) else {
        let rect = ui.available_rect_before_wrap();
        let (font, colour, at) = (theme.body(), theme.soft, rect.center());
        OverlayLabel { text: OTHERS, font, colour, at, align: Align2::CENTER_CENTER }.paint(ui, theme, rect);
        ui.advance_cursor_after_rect(rect);
        return false;
    };
    let pending = cache.update(ui.ctx(), input.frame, index, input.computing);
    let entry = cache.entry(index);
    let answer = entry.and_then(cache::Entry::answer);
    let (Some(entry), Some(Ok(smoothing))) = (entry, answer) else {
        let rect = ui.available_rect_before_wrap();
        let text = answer.and_then(|answer| answer.as_ref().err()).copied().unwrap_or(WORKING);
        let (font, colour, at) = (theme.body(), theme.soft, rect.center());
        OverlayLabel { text, font, colour, at, align: Align2::CENTER_CENTER }.paint(ui, theme, rect);
        ui.advance_cursor_after_rect(rect);
        return pending;
    };
    let named = entries(smoothing, theme, theme.run(index).colour, in_epochs(run));
    run_header::with_legend(ui, input.frame, &[index], theme, &theme.strong(), &named);
    ui.add_space(theme.space(0.5));
    let along = input.axis.along(input.frame, index);
    let shown = Shown {
        input,
        along,
        step: run.step,
        smoothing,
        entry,
        colour: theme.run(index).colour,
        values: values(smoothing),
    };
    let area = ui.available_rect_before_wrap();
    let long_run = LongRun::of(input.frame, run, smoothing);
    let [left, right, last] = side_by_side(area, if long_run.is_some() { 3.0 } else { 2.0 }, theme.space(3.0));
    let title = match smoothing.average {
        Average::Statistics => format!("this window: L = {}", smoothing.window),
        Average::Gradients => format!("this window of averaged gradients: L = {}", smoothing.window),
        Average::Sag => format!("stochastic average gradient, step {}", numbers::count(run.step)),
    };
    within(ui, "own", left, |ui| shown.panel(ui, theme, &title, 0));
    let title = if theme.labels.whole { "squared error by L" } else { "squared error for several L along this path" };
    within(ui, "windows", right, |ui| shown.panel(ui, theme, title, 1));
    if let Some(long_run) = long_run {
        within(ui, "long run", last, |ui| long_run.show(ui, theme, theme.run(index).colour));
    }
    ui.advance_cursor_after_rect(area);
    pending
}

/// Rectangles of equal width from left to right, of which `count` fit into the area.
fn side_by_side(area: Rect, count: f32, gap: f32) -> [Rect; 3] {
    let width = (area.width() - gap * (count - 1.0)) / count;
    let position = |number: f32| {
        let corner = area.min + vec2(number * (width + gap), 0.0);
        Rect::from_min_size(corner, vec2(width, area.height()))
    };
    [0.0, 1.0, 2.0].map(position)
}

fn within(ui: &mut Ui, name: &str, area: Rect, contents: impl FnOnce(&mut Ui)) {
    ui.scope_builder(UiBuilder::new().id_salt(name).max_rect(area), contents);
}

/// One of the curves of a window.
struct Line {
    name: &'static str,
    values: Vec<f64>,
    colour: Color32,
    dashes: Option<[f32; 2]>,
}

/// The three curves; bias and variance have the colours of gradient noise and injected noise.
fn three(curve: &Curve, theme: &Theme, colour: Color32) -> [Line; 3] {
    let made_of = |name, values: &Vec<f64>, part: Part| Line {
        name,
        values: values.clone(),
        colour: theme.part(part),
        dashes: theme.dashes(part),
    };
    [
        made_of("squared bias", &curve.squared_bias, Part::GradientNoise),
        made_of(VARIANCE, &curve.variance, Part::InjectedNoise),
        Line { name: "squared error", values: curve.squared_error.clone(), colour, dashes: None },
    ]
}

/// Whether the batches of a run come in shuffled epochs.
fn in_epochs(run: &RunFrame) -> bool {
    let gradient = &run.plan.segment_of(run.step.max(1)).gradient;
    matches!(gradient, Gradient::Minibatch { order: BatchOrder::Shuffled, .. })
}

/// Meaning of lines and dots.
fn entries(smoothing: &SmoothingErrors, theme: &Theme, colour: Color32, in_epochs: bool) -> Vec<Named> {
    let mut named = Vec::new();
    if let Some(step) = smoothing.steps.last().filter(|_| !smoothing.complete) {
        named.push(Named::new(Sample::None, format!("up to step {}, more is being computed", numbers::count(*step))));
    }
    if smoothing.realised.iter().any(Option::is_some) {
        named.push(Named::new(Sample::None, "dots: squared error of each step"));
    }
    let Some(own) = &smoothing.own else { return vec![Named::new(Sample::None, UNKNOWN)] };
    for Line { name, values, colour, dashes } in three(own, theme, colour) {
        let name = if in_epochs && smoothing.window > 1 && name == VARIANCE { IN_EPOCHS } else { name };
        if values.iter().any(|value| *value > 0.0) {
            named.push(Named::new(Sample::Line(colour, theme.line(), dashes), name));
        } else {
            named.push(Named::new(Sample::None, format!("no {name}")));
        }
    }
    named
}

/// The decades that both plots show, from nearly the smallest value of the curves of each to the largest.
fn values(smoothing: &SmoothingErrors) -> [Range<f64>; 2] {
    let own = smoothing.own.iter().flat_map(|own| [&own.squared_bias, &own.variance, &own.squared_error]).flatten();
    let realised = smoothing.realised.iter().flatten();
    let errors = windows(smoothing).iter().map(|(_, curve)| curve).chain(&smoothing.own);
    let errors = errors.flat_map(|curve| &curve.squared_error);
    [decades(own.chain(realised).copied()), decades(errors.copied())]
}

fn decades(values: impl Iterator<Item = f64>) -> Range<f64> {
    /// One in this many values may be smaller.
    const FEW: usize = 50;
    let mut all: Vec<f64> = values.filter(|value| *value > 0.0 && value.is_finite()).collect();
    all.sort_unstable_by(f64::total_cmp);
    let (Some(low), Some(high)) = (all.get(all.len() / FEW), all.last()) else { return -1.0..1.0 };
    let top = high.log10() + MARGIN;
    (low.log10().max(top - DECADES) - MARGIN).min(top - LEAST_DECADES)..top
}

impl Shown<'_> {
    /// One of the plots: 0 for the window of the run, 1 for several lengths.
    fn panel(&self, ui: &mut Ui, theme: &Theme, title: &str, number: usize) {
        ui.add(Label::new(RichText::new(title).font(theme.small()).color(theme.soft)).truncate());
        let axis = self.input.axis;
        let x = AxisSpec::wide(axis.label(), axis.ticks());
        let named = number == 0 && fits_upright(ui, theme, NAME);
        let y = AxisSpec::upright(if named { NAME } else { "" }, Ticks::Log);
        let [x, y] = in_height(ui, ui.available_height(), theme, [x, y]);
        let values = &self.values[number];
        let end = axis.position(axis.whole(self.input.frame).end);
        let range = axis.position(0.0)..end.max(axis.position(0.0) + 0.3);
        // On paper the names of the curves stand beside the plot, where they hide none.
        let beside = if number == 1 && theme.labels.whole { self.widest(ui, theme) } else { 0.0 };
        let width = before_last_tick(ui, theme).min(ui.available_width() - beside).max(1.0);
        let plot = plot(("smoothing", number, axis.key()), theme, x, y).width(width);
        let plot = plot.allow_drag(false).allow_zoom(false);
        let shown = plot.show(ui, |plot_ui| {
            let now = VLine::new("", self.along.position(as_f64(self.step))).color(theme.ink).width(theme.thin());
            plot_ui.vline(now.allow_hover(false));
            if number == 0 {
                let dots =
                    Points::new("", self.dots()).shape(MarkerShape::Circle).color(self.colour.gamma_multiply(0.35));
                plot_ui.points(dots.radius(theme.marker(0.35)).allow_hover(false));
            }
            let bounds = [values.start.to_bits(), values.end.to_bits()];
            let content = (self.entry.version, &self.along, bounds, theme.mode, theme.scale);
            self.entry.kept[number].show(plot_ui, content, || self.marks(number, theme));
            let (low, high) = ([range.start, values.start], [range.end, values.end]);
            show_part(plot_ui, low, high, theme);
        });
        answers(ui, theme, &shown.response, [x, y]);
        let rect = shown.response.rect;
        if number == 1 {
            let position = |step: f64, value: f64| {
                let y = shown.transform.position_from_point_y(value.log10());
                pos2(shown.transform.position_from_point_x(self.along.position(step)), y)
            };
            self.lengths(ui, theme, (rect, beside), position);
        }
        if let Some(at) = shown.response.hover_pos() {
            let step = self.along.step(shown.transform.value_from_position(at).x);
            let text = self.readout(step, number);
            let (font, colour, at) = (theme.small(), theme.ink, rect.shrink(theme.space(1.5)).left_bottom());
            OverlayLabel { text: &text, font, colour, at, align: Align2::LEFT_BOTTOM }.paint(ui, theme, rect);
        }
    }

    /// A curve on a logarithmic axis, interrupted where it is zero, and nowhere below `lowest`.
    fn line(
        &self,
        values: &[f64],
        lowest: f64,
        (colour, width): (Color32, f32),
        dashes: Option<[f32; 2]>,
    ) -> Vec<Mark> {
        let points: Vec<Option<[f64; 2]>> = self
            .smoothing
            .steps
            .iter()
            .zip(values)
            .map(|(step, value)| {
                let position = self.along.position(as_f64(*step));
                (*value > 0.0 && value.is_finite()).then(|| [position, value.log10().max(lowest)])
            })
            .collect();
        let pieces = points.split(Option::is_none).filter(|piece| !piece.is_empty());
        let mark = |piece: &[Option<[f64; 2]>]| {
            let points = piece.iter().copied().flatten().collect();
            match dashes {
                Some(lengths) => Mark::Dashes { points, colour, width, lengths },
                None => Mark::Line { points, colour, width, graph: true },
            }
        };
        pieces.map(mark).collect()
    }

    fn marks(&self, number: usize, theme: &Theme) -> Vec<Mark> {
        let mut marks = Vec::new();
        let own = self.smoothing.own.as_ref();
        let lowest = self.values[number].start - 1.0;
        if number == 0 {
            for Line { values, colour, dashes, .. } in own.iter().flat_map(|own| three(own, theme, self.colour)) {
                marks.extend(self.line(&values, lowest, (colour, theme.line()), dashes));
            }
            return marks;
        }
        for (length, curve) in windows(self.smoothing).iter().filter(|(length, _)| *length != self.smoothing.window) {
            marks.extend(self.line(&curve.squared_error, lowest, (shade(*length, theme), theme.thin()), None));
        }
        if let Some(own) = own {
            marks.extend(self.line(&own.squared_error, lowest, (self.colour, 1.4 * theme.line()), None));
        }
        marks
    }

    /// The squared errors of single steps, at most [`MOST_DOTS`].
    fn dots(&self) -> Vec<[f64; 2]> {
        let every = self.smoothing.steps.len().div_ceil(MOST_DOTS).max(1);
        let known = self.smoothing.steps.iter().zip(&self.smoothing.realised).step_by(every);
        let dot = |(step, error): (&u64, &Option<f64>)| {
            let error = error.filter(|error| *error > 0.0 && error.is_finite())?;
            Some([self.along.position(as_f64(*step)), error.log10()])
        };
        known.filter_map(dot).collect()
    }

    /// The values at the last computed step at or before a step.
    fn readout(&self, step: f64, number: usize) -> String {
        let steps = &self.smoothing.steps;
        let at = steps.partition_point(|known| as_f64(*known) <= step).saturating_sub(1);
        let Some(known) = steps.get(at) else { return String::new() };
        let told = |name: &str, values: &[f64]| Some(format!("{name} {}", numbers::significant(*values.get(at)?, 3)));
        let parts: Vec<String> = if number == 0 {
            let own = self.smoothing.own.as_ref();
            own.iter()
                .flat_map(|own| {
                    [
                        told("bias²", &own.squared_bias),
                        told("variance", &own.variance),
                        told("squared error", &own.squared_error),
                    ]
                })
                .flatten()
                .collect()
        } else {
            let curves = windows(self.smoothing).iter();
            curves.filter_map(|(length, curve)| told(&format!("L {length}:"), &curve.squared_error)).collect()
        };
        format!("step {}   {}", numbers::count(*known), parts.join("   "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::background::Computing;
    use crate::kit::time_axis::TimeAxis;
    use crate::testing::{Fake, Recipe, frame};
    use crate::theme;
    use egui_kittest::Harness;
    use engine::scenario::view::Axis;

    fn curve(count: usize, bias: f64, variance: f64) -> Curve {
        let error = bias + variance;
        Curve { squared_bias: vec![bias; count], variance: vec![variance; count], squared_error: vec![error; count] }
    }

    fn smoothing(count: usize, average: Average) -> SmoothingErrors {
        let all = || [1, 10, 100].map(|length| (length, curve(count, length as f64, 100.0 / length as f64))).to_vec();
        SmoothingErrors {
            steps: (1..=count as u64).collect(),
            average,
            window: 10,
            own: (average != Average::Sag).then(|| curve(count, 0.0, 10.0)),
            windows: all(),
            gradients: all(),
            realised: (0..count).map(|step| (step % 7 > 0).then_some(step as f64)).collect(),
            complete: true,
        }
    }

    #[test]
    fn axes_contain_the_curves_and_zero_curves_are_not_drawn() {
        let made = smoothing(50, Average::Statistics);
        let [own, several] = values(&made);
        let top = 48f64.log10() + MARGIN;
        assert_eq!(own, top - LEAST_DECADES..top);
        assert!((several.end - 101f64.log10() - MARGIN).abs() < 1e-12);
        let wide = decades([3.0, 2e5].into_iter());
        assert_eq!(wide, 3f64.log10() - MARGIN..2e5_f64.log10() + MARGIN);
        // Of 51 values one may be smaller, and no more than seven decades are shown.
        let many = decades(std::iter::once(1e-30).chain([1.0; 49]).chain([1e4]));
        assert_eq!(many, -MARGIN..4.0 + MARGIN);
        assert_eq!(decades([1e-9, 1.0].into_iter()), MARGIN - DECADES - MARGIN..MARGIN);
        let nothing = SmoothingErrors { own: None, windows: Vec::new(), realised: vec![None, Some(0.0)], ..made };
        assert_eq!(values(&nothing), [-1.0..1.0, -1.0..1.0]);
        let theme = Theme::default();
        let named: Vec<String> = entries(&smoothing(9, Average::Statistics), &theme, theme.ink, false)
            .into_iter()
            .map(|entry| entry.text)
            .collect();
        assert_eq!(named, ["dots: squared error of each step", "no squared bias", "variance", "squared error"]);
        let shuffled = entries(&smoothing(9, Average::Statistics), &theme, theme.ink, true);
        assert_eq!(shuffled[2].text, IN_EPOCHS, "over a window of 10");
        let alone = SmoothingErrors { window: 1, ..smoothing(9, Average::Statistics) };
        assert_eq!(entries(&alone, &theme, theme.ink, true)[2].text, VARIANCE);
    }

    #[test]
    fn every_kind_of_average_is_drawn() {
        let recipe = Recipe { name: "SVI", chains: 1, steps: 30, total: 100, alpha: 0.004, cycle: 0 };
        for average in [Average::Statistics, Average::Gradients, Average::Sag] {
            for (count, log) in [(0, false), (1, true), (30, false), (30, true)] {
                let (frame, look) = (frame(Fake::grid(), &[recipe]), Theme::default());
                let mut cache = BiasVarianceCache::default();
                cache.put(&frame, 0, Ok(smoothing(count, average)));
                let mut harness = Harness::builder()
                    .with_size(vec2(800.0, 300.0))
                    .with_context_setup(theme::install_fonts)
                    .build_ui(move |ui| {
                        theme::apply(ui.ctx(), &look);
                        let axis = TimeAxis::of(&frame, Axis::Gradients, log);
                        let input = BiasVarianceInput { frame: &frame, runs: &[0], axis, computing: Computing::Now };
                        assert!(averaging(&input).is_none(), "samplers average nothing");
                        assert!(!show(ui, &input, &look, &mut cache));
                        let (entry, made) = (cache.entry(0).unwrap(), smoothing(count, average));
                        let colour = look.ink;
                        let (along, values) = (axis.along(&frame, 0), values(&made));
                        let all = Shown { input: &input, along, step: 30, smoothing: &made, entry, colour, values };
                        all.panel(ui, &look, "own", 0);
                        all.panel(ui, &look, "several", 1);
                        assert_eq!(all.readout(0.0, 0).is_empty(), count == 0);
                    });
                harness.run_steps(2);
            }
        }
    }
}

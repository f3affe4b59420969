//! The losses and the errors along a line: between two draws, as they are and with their hidden units matched, or through one.

use egui::{Rect, Sense, Ui, UiBuilder};

use super::made::{Line, Made};
use super::names::ends;
use crate::kit::axes::{AxisSpec, Ticks, answers, before_last_tick, curve, plot, show_part};
use crate::kit::legend::{self, Entry, Sample};
use crate::kit::overlay_label;
use crate::theme::Theme;
use crate::words::numbers;
use engine::diagnostics::weight_line::{PLACES, WeightPath};
use engine::session::Frame;

/// The share of the height that the losses take; the errors have the rest.
const LOSSES: f32 = 0.6;

/// Margin below and above a curve, as a share of its range, and the least range: a flat line looks flat.
const MARGIN: f64 = 0.08;
const LEAST: [f64; 2] = [4.0, 0.02];

/// Space beside the line, as a share of its length.
const SIDE: f64 = 0.03;

/// Draws losses above errors.
pub(super) fn show(ui: &mut Ui, frame: &Frame, (made, line): (&Made, &Line), theme: &Theme) {
    let dashes = [theme.space(1.75), theme.space(1.0)];
    let [straight, aligned] = [(theme.ink, None), (theme.accent, Some(dashes))];
    let sample = |(colour, dashes)| Sample::Line(colour, 1.6 * theme.line(), dashes);
    let lines = match line.aligned {
        Some(_) => vec![
            Entry::new(sample(straight), "from a to b"),
            Entry::new(sample(aligned), "from a to b with its hidden units matched to a"),
        ],
        None => vec![Entry::new(sample(straight), "from a − d to a + d, |d| = |a| in every unit")],
    };
    let entries: Vec<Entry> = lines.into_iter().chain(ends(frame, made)).collect();
    legend::line(ui, theme, &entries);
    ui.add_space(theme.space(0.5));
    let area = ui.available_rect_before_wrap();
    let (upper, lower) = area.split_top_bottom_at_fraction(LOSSES);
    let of = |values: fn(&WeightPath) -> &Vec<f64>| -> Vec<&[f64]> {
        std::iter::once(&line.straight).chain(&line.aligned).map(|path| &values(path)[..]).collect()
    };
    let losses = Part {
        label: "−log likelihood (nats)",
        curves: of(|path| &path.losses),
        least: LEAST[0],
        range: line.range,
        along: if line.aligned.is_some() { "λ" } else { "t" },
    };
    let errors = Part { label: line.error, curves: of(|path| &path.errors), least: LEAST[1], ..losses.clone() };
    let across = if line.aligned.is_some() { "λ in (1 − λ)·a + λ·b" } else { "t in a + t·d" };
    for (part, across, rect) in [(losses, "", upper), (errors, across, lower)] {
        let rect = Rect::from_min_max(rect.min, rect.max - egui::vec2(0.0, theme.space(1.0)));
        ui.scope_builder(UiBuilder::new().id_salt(part.label).max_rect(rect), |ui| {
            one(ui, (&part, across), theme, dashes);
        });
    }
    ui.advance_cursor_after_rect(area);
}

/// What a plot shows.
#[derive(Clone)]
struct Part<'a> {
    label: &'a str,
    /// One curve, or that with units matched as well.
    curves: Vec<&'a [f64]>,
    /// The least range of values.
    least: f64,
    /// Where the line begins and ends.
    range: [f64; 2],
    /// The letter of points on the line.
    along: &'a str,
}

/// One plot, with the label of its horizontal axis.
fn one(ui: &mut Ui, (part, across): (&Part<'_>, &str), theme: &Theme, [dash, gap]: [f32; 2]) {
    let Part { label, ref curves, range, .. } = *part;
    let [x, y] = [AxisSpec::wide(across, Ticks::Linear), AxisSpec::upright(label, Ticks::Linear)];
    let plot = plot(label, theme, x, y);
    let plot = plot.sense(Sense::hover()).width(before_last_tick(ui, theme)).allow_drag(false);
    let shown = plot.show(ui, |plot_ui| {
        for (values, (colour, dashed)) in curves.iter().zip([(theme.ink, false), (theme.accent, true)]) {
            let points = values.iter().enumerate().map(|(index, value)| [position(index, range), *value]);
            let points: Vec<[f64; 2]> = points.filter(|[_, value]| value.is_finite()).collect();
            let line = curve(points, colour, 1.6 * theme.line());
            let style = egui_plot::LineStyle::Dashed { length: dash + gap };
            plot_ui.line(if dashed { line.style(style) } else { line });
        }
        let [low, high] = heights(curves, part.least);
        let side = SIDE * (range[1] - range[0]);
        show_part(plot_ui, [range[0] - side, low], [range[1] + side, high], theme);
    });
    answers(ui, theme, &shown.response, [x, y]);
    let rect = shown.response.rect;
    if let Some(pointer) = shown.response.hover_pos().filter(|at| rect.contains(*at)) {
        let index = nearest(shown.transform.value_from_position(pointer).x, range);
        let values = curves.iter().map(|values| numbers::significant(values[index], 4));
        let words = values.zip(["", " with units matched"]).map(|(value, words)| format!("\n{value}{words}"));
        let at = numbers::decimal(position(index, range), 3);
        let text = format!("{} {at}\n{label}{}", part.along, words.collect::<String>());
        overlay_label::at_pointer(ui, theme, rect, pointer, &text);
    }
}

/// Where a point is along the line.
fn position(index: usize, [from, to]: [f64; 2]) -> f64 {
    from + (to - from) * index as f64 / (PLACES - 1) as f64
}

/// The point nearest to a position along the line.
#[expect(clippy::cast_sign_loss, reason = "the number of a place")]
fn nearest(position: f64, [from, to]: [f64; 2]) -> usize {
    (((position - from) / (to - from)).clamp(0.0, 1.0) * (PLACES - 1) as f64).round() as usize
}

/// The range of the vertical axis.
fn heights(curves: &[&[f64]], least: f64) -> [f64; 2] {
    let values = || curves.iter().copied().flatten().copied().filter(|value| value.is_finite());
    let (low, high) = (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
    if low > high {
        return [0.0, least];
    }
    let span = (high - low).max(least);
    [low - MARGIN * span, low + span + MARGIN * span]
}

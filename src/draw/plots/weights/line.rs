//! The losses and the errors along the line between two draws, as they are and with their hidden units matched.

use egui::{Rect, Sense, Ui, UiBuilder};
use egui_plot::PlotBounds;

use crate::diagnostics::weight_path::PLACES;
use crate::draw::numbers;
use crate::draw::plots::axes::{AxisSpec, Ticks, before_last_tick, curve, plot};
use crate::draw::plots::legend::{self, Entry, Sample};
use crate::draw::plots::overlay_label;
use crate::draw::theme::Theme;

use super::cache::{Line, Made};

/// The share of the height that the losses take; the errors have the rest.
const LOSSES: f32 = 0.6;

/// Margin below and above a curve, as a share of its range, and the least range: a flat line looks flat.
const MARGIN: f64 = 0.08;
const LEAST: [f64; 2] = [4.0, 0.02];

/// Space beside the line, as a share of its length.
const SIDE: f64 = 0.03;

/// Draws losses above errors.
pub(super) fn show(ui: &mut Ui, (_, line): (&Made, &Line), theme: &Theme) {
    let dashes = [theme.space(1.75), theme.space(1.0)];
    let [straight, aligned] = [(theme.ink, None), (theme.accent, Some(dashes))];
    let sample = |(colour, dashes)| Sample::Line(colour, 1.6 * theme.line(), dashes);
    let entries = [
        Entry::new(sample(straight), "from a to b"),
        Entry::new(sample(aligned), "from a to b with its hidden units matched to a"),
    ];
    legend::line(ui, theme, &entries);
    ui.add_space(theme.space(0.5));
    let room = ui.available_rect_before_wrap();
    let (upper, lower) = room.split_top_bottom_at_fraction(LOSSES);
    let losses = ("−log likelihood (nats)", [&line.straight.losses, &line.aligned.losses], LEAST[0]);
    let errors = (line.error, [&line.straight.errors, &line.aligned.errors], LEAST[1]);
    for (part, label, rect) in [(losses, "", upper), (errors, "λ in (1 − λ)·a + λ·b", lower)] {
        let rect = Rect::from_min_max(rect.min, rect.max - egui::vec2(0.0, theme.space(1.0)));
        ui.scope_builder(UiBuilder::new().id_salt(part.0).max_rect(rect), |ui| one(ui, (part, label), theme, dashes));
    }
    ui.advance_cursor_after_rect(room);
}

/// What a plot shows: its label, both curves and its least range.
type Part<'a> = (&'a str, [&'a Vec<f64>; 2], f64);

/// One plot, with the label of its horizontal axis.
fn one(ui: &mut Ui, ((label, curves, least), across): (Part<'_>, &str), theme: &Theme, [dash, gap]: [f32; 2]) {
    let plot = plot(label, theme, AxisSpec::wide(across, Ticks::Linear), AxisSpec::upright(label, Ticks::Linear));
    let plot = plot.sense(Sense::hover()).width(before_last_tick(ui, theme)).allow_drag(false);
    let shown = plot.show(ui, |plot_ui| {
        for (values, (colour, dashed)) in curves.into_iter().zip([(theme.ink, false), (theme.accent, true)]) {
            let points = values.iter().enumerate().map(|(place, value)| [share(place), *value]);
            let points: Vec<[f64; 2]> = points.filter(|[_, value]| value.is_finite()).collect();
            let line = curve(points, colour, 1.6 * theme.line());
            let style = egui_plot::LineStyle::Dashed { length: dash + gap };
            plot_ui.line(if dashed { line.style(style) } else { line });
        }
        let [low, high] = range(curves, least);
        plot_ui.set_plot_bounds(PlotBounds::from_min_max([-SIDE, low], [1.0 + SIDE, high]));
    });
    let rect = shown.response.rect;
    if let Some(pointer) = shown.response.hover_pos().filter(|at| rect.contains(*at)) {
        let place = nearest(shown.transform.value_from_position(pointer).x);
        let [straight, aligned] = curves.map(|values| numbers::significant(values[place], 4));
        let text =
            format!("λ {}\n{label}\n{straight}\n{aligned} with units matched", numbers::decimal(share(place), 3));
        overlay_label::at_pointer(ui, theme, rect, pointer, &text);
    }
}

/// λ of a place.
fn share(place: usize) -> f64 {
    place as f64 / (PLACES - 1) as f64
}

/// The place nearest to λ.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the number of a place")]
fn nearest(share: f64) -> usize {
    (share.clamp(0.0, 1.0) * (PLACES - 1) as f64).round() as usize
}

/// The range of the vertical axis.
fn range(curves: [&Vec<f64>; 2], least: f64) -> [f64; 2] {
    let values = || curves.into_iter().flatten().copied().filter(|value| value.is_finite());
    let (low, high) = (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
    if low > high {
        return [0.0, least];
    }
    let span = (high - low).max(least);
    [low - MARGIN * span, low + span + MARGIN * span]
}

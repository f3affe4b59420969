//! Curve of the bias of the stationary distribution against the step size, with those of the runs marked.

use egui::{Align2, Ui};
use egui_plot::{Points, VLine};

use super::cache::{AtStepSize, ErrorCache};
use super::shown::ErrorOf;
use crate::kit::axes::{AxisSpec, Ticks, answers, before_last_tick, in_height, plot, show_part};
use crate::kit::overlay_label::OverlayLabel;
use crate::kit::run_line;
use crate::theme::Theme;
use crate::words::numbers;
use crate::words::word::Word;
use engine::session::Frame;

/// Decades of the bias at most, and space beyond the curve in decades.
const DECADES: f64 = 6.0;
const MARGIN: f64 = 0.1;

/// Share by which step sizes differ that are the same but for rounding.
const SAME: f64 = 1e-9;

/// Step sizes and biases that are known.
fn known(curve: &[AtStepSize], of: ErrorOf) -> Vec<[f64; 2]> {
    let at = |(alpha, found): &AtStepSize| {
        let value = found.as_ref().ok()?.described.measure(of.measure())?;
        (value.decimals().is_some() && value.value > 0.0).then_some([*alpha, value.value])
    };
    curve.iter().filter_map(at).collect()
}

/// Draws the curves into the available space.
pub(super) fn show(ui: &mut Ui, (frame, runs, of): (&Frame, &[usize], ErrorOf), theme: &Theme, cache: &ErrorCache) {
    let curves: Vec<(usize, f64, Vec<[f64; 2]>, usize)> = runs
        .iter()
        .filter_map(|&run| {
            let (alpha, curve) = cache.curve(run)?;
            Some((run, alpha, known(curve, of), curve.iter().filter(|(_, found)| found.is_err()).count()))
        })
        .collect();
    let label = format!("bias: {}", of.label());
    let [x, y] = [AxisSpec::wide("step size α", Ticks::Log), AxisSpec::upright(&label, Ticks::Log)];
    let [x, y] = in_height(ui, ui.available_height(), theme, [x, y]);
    let width = before_last_tick(ui, theme);
    let drawn = plot("bias", theme, x, y).width(width).allow_drag(false).allow_zoom(false);
    let points = || curves.iter().flat_map(|(_, _, points, _)| points);
    let fold = |values: &mut dyn Iterator<Item = f64>| {
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)))
    };
    let alphas = curves.iter().map(|(_, alpha, ..)| *alpha);
    let (left, right) = fold(&mut points().map(|at| at[0]).chain(alphas).map(f64::log10));
    let (low, high) = fold(&mut points().map(|at| at[1].log10()));
    let (low, high) = if low <= high { (low.max(high - DECADES), high) } else { (-1.0, 0.0) };
    let shown = drawn.show(ui, |plot_ui| {
        for (run, alpha, points, _) in &curves {
            let colour = theme.run(*run).colour;
            let line: Vec<[f64; 2]> = points.iter().map(|at| at.map(f64::log10)).collect();
            plot_ui.vline(VLine::new("", alpha.log10()).color(colour).width(theme.thin()).allow_hover(false));
            run_line::line(plot_ui, line, (colour, theme.line()), theme.run(*run));
            // The step size of the run is one of the curve, once that is so long.
            let present = points.iter().find(|at| (at[0] / alpha - 1.0).abs() < SAME);
            let present: Vec<[f64; 2]> = present.iter().map(|at| at.map(f64::log10)).collect();
            let mark = Points::new("", present).shape(theme.run(*run).marker).color(colour);
            plot_ui.points(mark.radius(theme.marker(1.0)).allow_hover(false));
        }
        show_part(plot_ui, [left - MARGIN, low - MARGIN], [right + MARGIN, high + MARGIN], theme);
    });
    answers(ui, theme, &shown.response, [x, y]);
    let rect = shown.response.rect;
    let at = rect.shrink(theme.space(1.5)).left_bottom();
    let corner = |text: &str, colour| {
        OverlayLabel { text, font: theme.small(), colour, at, align: Align2::LEFT_BOTTOM }.paint(ui, theme, rect);
    };
    if let Some(pointer) = shown.response.hover_pos() {
        let x = shown.transform.value_from_position(pointer).x;
        let told = |(run, _, points, _): &(usize, f64, Vec<[f64; 2]>, usize)| {
            let apart = |at: &&[f64; 2]| (at[0].log10() - x).abs();
            let [alpha, bias] = points.iter().min_by(|a, b| apart(a).total_cmp(&apart(b)))?;
            let name = &frame.runs.get(*run)?.plan.name;
            Some(format!("{name}, α {}: {}", numbers::significant(*alpha, 2), numbers::significant(*bias, 2)))
        };
        corner(&curves.iter().filter_map(told).collect::<Vec<_>>().join("   "), theme.ink);
    } else if points().next().is_none() {
        corner("computing", theme.soft);
    }
}

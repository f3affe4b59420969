//! A coordinate of the chains against steps, with the mean and standard deviation of the target behind it.

use std::collections::BTreeMap;
use std::ops::Range;

use egui::Ui;
use egui_plot::{Axis, HLine, LineStyle, PlotUi, Span};

use crate::app::theme::Theme;
use crate::scene::{Columns, Trace};
use crate::session::RunFrame;

use super::axes::{AxisSpec, Ticks, curve, plot};
use super::steps::{StepsInput, StepsResponse, along_steps, finish, furniture, scrolled, set_bounds};
use super::{Computing, header, numbers};

/// Chains of a run whose traces are drawn.
const MOST_CHAINS: usize = 4;

/// Kept steps taken in per frame and chain, so that no frame takes long.
const STEPS_PER_FRAME: usize = 200_000;

/// How far outside the view values are told apart, in heights of the view.
const OUTSIDE: f64 = 100.0;

/// Opacity of the first chain's trace, and of those after it.
const OPACITY: [f32; MOST_CHAINS] = [0.95, 0.65, 0.5, 0.4];

/// The reduced traces of all runs.
#[derive(Debug, Default)]
pub struct TraceCache {
    traces: BTreeMap<(usize, usize), Trace>,
}

impl TraceCache {
    /// Takes in what is new; says whether there is more than fits into a frame.
    fn update(&mut self, input: &StepsInput<'_>, computing: Computing) -> bool {
        let budget = if computing == Computing::Now { usize::MAX } else { STEPS_PER_FRAME };
        let mut pending = false;
        for (run, frame, chain) in shown_chains(input) {
            let trace = self.traces.entry((run, chain)).or_insert_with(|| Trace::new(chain));
            pending |= !trace.update(&frame.history, input.frame.generation, budget);
        }
        pending
    }
}

/// The first chains of every run shown.
fn shown_chains<'a>(input: &'a StepsInput<'_>) -> impl Iterator<Item = (usize, &'a RunFrame, usize)> {
    let runs = input.runs.iter().filter_map(|&run| Some((run, input.frame.runs.get(run)?)));
    runs.flat_map(|(run, frame)| (0..frame.history.chains().min(MOST_CHAINS)).map(move |chain| (run, frame, chain)))
}

/// Draws the trace of coordinate 0 (x) or 1 (y) into the space there is.
pub fn show(
    ui: &mut Ui,
    input: &StepsInput<'_>,
    (coordinate, computing): (usize, Computing),
    theme: &Theme,
    cache: &mut TraceCache,
) -> StepsResponse {
    let coordinate = coordinate.min(1);
    let pending = cache.update(input, computing);
    if pending {
        ui.ctx().request_repaint();
    }
    header::line(ui, input.frame, input.runs, theme, &theme.strong(), &["band: mean ± sd of the target"]);
    ui.add_space(theme.space(0.5));
    let facts = input.frame.target.facts();
    let (x, y) = (AxisSpec::wide("step", Ticks::Whole), AxisSpec::upright(facts.axes[coordinate], Ticks::Linear));
    let plot = along_steps(plot(("trace", coordinate), theme, x, y), ui, theme);
    let shown = plot.show(ui, |plot_ui| {
        let range = scrolled(plot_ui, &input.range);
        furniture(plot_ui, input, &range, theme);
        band(plot_ui, input, coordinate, theme);
        // A run that diverges leaves the plot long before it leaves the numbers that can be drawn.
        let (low, high) = (facts.view.min[coordinate], facts.view.max[coordinate]);
        let limits = low - OUTSIDE * (high - low)..high + OUTSIDE * (high - low);
        for (run, frame, chain) in shown_chains(input) {
            let Some(trace) = cache.traces.get(&(run, chain)) else { continue };
            let columns = trace.columns(&frame.history, range.clone(), columns_in(plot_ui));
            let colour = theme.run(run).colour.gamma_multiply(OPACITY[chain]);
            for points in outlines(&columns, coordinate, &limits) {
                plot_ui.line(curve(points, colour, theme.thin()));
            }
        }
        set_bounds(plot_ui, &range, &(facts.view.min[coordinate]..facts.view.max[coordinate]));
        range
    });
    let response =
        finish(ui, input, theme, (shown.response, &shown.transform), &shown.inner, |_| readout(input, coordinate));
    StepsResponse { pending, ..response }
}

/// One column per point of the screen, so that neighbouring strokes touch.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a screen has a few thousand points")]
fn columns_in(plot_ui: &PlotUi<'_>) -> usize {
    plot_ui.response().rect.width().max(1.0) as usize
}

/// Mean and standard deviation of the target.
fn band(plot_ui: &mut PlotUi<'_>, input: &StepsInput<'_>, coordinate: usize, theme: &Theme) {
    let facts = input.frame.target.facts();
    let (mean, sd) = (facts.mean[coordinate], facts.covariance[(coordinate, coordinate)].sqrt());
    if !(mean.is_finite() && sd.is_finite()) {
        return;
    }
    let fill = theme.exact.gamma_multiply(0.07);
    plot_ui.span(Span::new("", mean - sd..=mean + sd).axis(Axis::Y).fill(fill));
    let line = HLine::new("", mean).color(theme.exact.gamma_multiply(0.6)).width(theme.thin());
    plot_ui.hline(line.style(LineStyle::Dashed { length: theme.space(1.5) }).allow_hover(false));
}

/// The columns as polylines, from one extreme to the other in each, broken where the chain has diverged.
/// Values outside `limits` are drawn at them.
fn outlines(columns: &Columns, coordinate: usize, limits: &Range<f64>) -> Vec<Vec<[f64; 2]>> {
    let mut lines = vec![Vec::new()];
    for (step, extent) in columns.steps.iter().zip(&columns.extents) {
        if extent.is_empty() {
            lines.push(Vec::new());
            continue;
        }
        let Some(line) = lines.last_mut() else { continue };
        let [low, high] =
            [extent.min[coordinate], extent.max[coordinate]].map(|value| value.clamp(limits.start, limits.end));
        line.push([*step, low]);
        if columns.width > 1 {
            line.push([*step, high]);
        }
    }
    lines.retain(|line| !line.is_empty());
    lines
}

/// Where the first chain of each run is now.
fn readout(input: &StepsInput<'_>, coordinate: usize) -> String {
    let axis = input.frame.target.facts().axes[coordinate];
    let part = |run: &RunFrame| {
        let at = run.positions.first()?[coordinate];
        Some(format!("{} {axis} {}", run.plan.name, numbers::significant(at, 4)))
    };
    let parts: Vec<String> = input.runs.iter().filter_map(|&run| part(input.frame.runs.get(run)?)).collect();
    if parts.is_empty() { String::new() } else { format!("now: {}", parts.join("   ")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Extent;

    fn columns(values: &[(f64, f64)], width: usize) -> Columns {
        let extent = |&(low, high): &(f64, f64)| Extent { min: [low, -high], max: [high, -low] };
        let steps = (0..values.len()).map(|step| f64::from(u32::try_from(step).unwrap())).collect();
        Columns { steps, extents: values.iter().map(extent).collect(), width }
    }

    #[test]
    fn every_extreme_is_on_the_line() {
        let lines = outlines(&columns(&[(0.0, 1.0), (0.5, 3.0), (-2.0, 0.0)], 16), 0, &(-9.0..9.0));
        assert_eq!(lines, [vec![[0.0, 0.0], [0.0, 1.0], [1.0, 0.5], [1.0, 3.0], [2.0, -2.0], [2.0, 0.0]]]);
    }

    #[test]
    fn single_steps_are_single_points() {
        assert_eq!(outlines(&columns(&[(1.0, 1.0), (2.0, 2.0)], 1), 1, &(-9.0..9.0)), [vec![[0.0, -1.0], [1.0, -2.0]]]);
    }

    #[test]
    fn a_gap_breaks_the_line() {
        let mut found = columns(&[(1.0, 1.0), (0.0, 0.0), (2.0, 2.0)], 1);
        found.extents[1] = Extent::EMPTY;
        assert_eq!(outlines(&found, 0, &(-9.0..9.0)), [vec![[0.0, 1.0]], vec![[2.0, 2.0]]]);
    }
}

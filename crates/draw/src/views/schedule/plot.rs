//! Schedules of step sizes: past and future steps of all runs, and the limit of stability of each method. Where chains adapt their step
//! sizes, those of the first chain are drawn.

use std::collections::BTreeSet;
use std::ops::Range;

use egui::{Align2, Color32, Pos2, Ui, vec2};
use egui_plot::{PlotPoint, PlotResponse, PlotTransform, PlotUi, Points};

use super::course::ScheduleEdit;
use super::curve::{ScheduleCache, warm_up};
use super::editor::Editor;
use super::handles::HandleState;
use super::inflation;
use super::scale::Scale;
use super::stability::{self, Limit, limits};
use super::strip::{self, StripCache};
use crate::kit::axes::{AxisSpec, Ticks, answers, fits_in_height, in_height, plot};
use crate::kit::legend::{Entry, Sample};
use crate::kit::overlay_label::OverlayLabel;
use crate::kit::steps::{
    RangeChange, StepsInput, StepsResponse, along_time, finish, furniture, label_patches, runs, scrolled, set_bounds,
};
use crate::kit::time_axis::as_f64;
use crate::kit::{own_axes, run_header, run_line, told};
use crate::theme::{LegendPlace, Theme};
use crate::words::numbers;
use engine::scenario::Scenario;
use engine::session::Frame;
use samplers::schedules::ALPHA;

/// Height below which there is no space for the strip of cycles and for the name of the axis of steps, in units of the theme.
const LOW: f32 = 32.0;

/// Opacity of future steps.
const FUTURE: f32 = 0.4;

/// Input of the plot.
#[derive(Clone, Debug)]
pub struct ScheduleInput<'a> {
    /// Frame, runs and steps.
    pub steps: StepsInput<'a>,
    /// Whether step sizes are on a logarithmic axis.
    pub log: bool,
    /// Whether step sizes are shown as Welling and Teh's ε = 2α.
    pub epsilon: bool,
    /// The scenario that handles change, with edits that the frame does not show yet; `None` for a plot without handles.
    pub scenario: Option<&'a Scenario>,
    /// Whether a drag draws a curve instead of moving the plot.
    pub draws: bool,
    /// Whether the truth about the target is shown.
    pub truth: bool,
    /// Whether what follows from the curvature of the target is shown: the limit of stability. A hidden target keeps it.
    pub curvature: bool,
}

/// What the plot keeps from one frame to the next.
#[derive(Debug, Default)]
pub struct ScheduleState {
    curves: ScheduleCache,
    strip: StripCache,
    handles: HandleState,
}

impl ScheduleState {
    /// The run whose handles are in use, among the runs shown.
    #[must_use]
    pub fn active(&self, runs: &[usize]) -> Option<usize> {
        self.handles.active(runs)
    }

    /// The run of which more is said, among the runs shown.
    #[must_use]
    pub fn chosen(&self, runs: &[usize]) -> Option<usize> {
        self.handles.chosen(runs)
    }

    /// Chooses the run of which more is said.
    pub fn choose(&mut self, run: usize) {
        self.handles.chosen = Some(run);
    }
}

/// What happened on the plot.
#[derive(Clone, Debug)]
pub struct ScheduleResponse {
    /// Click, pan and zoom.
    pub steps: StepsResponse,
    /// A change of a schedule.
    pub edit: Option<ScheduleEdit>,
}

/// Draws the plot into the available space.
pub fn show(ui: &mut Ui, input: &ScheduleInput<'_>, theme: &Theme, state: &mut ScheduleState) -> ScheduleResponse {
    let frame = input.steps.frame;
    let stepping: Vec<usize> =
        input.steps.runs.iter().copied().filter(|&run| symbol_of(frame, run).is_some()).collect();
    let steps = &StepsInput { runs: &stepping, ..input.steps.clone() };
    let symbols: BTreeSet<&str> = stepping.iter().filter_map(|&run| symbol_of(frame, run)).collect();
    let tall = ui.available_height() >= theme.space(LOW);
    let rows = state.strip.prepare(frame, &stepping, input.truth && tall && theme.look.strip);
    let mut words = header(&symbols, frame.target.data_count().is_some(), !rows.is_empty());
    if runs(steps).any(|run| run.plan.adapts()) {
        let is_over = runs(steps).any(|run| warm_up(run).is_some_and(|end| run.step > end));
        let axis = if is_over { "; the axis is that of steps after the warm-up" } else { "" };
        words.insert(0, format!("adapted in each chain, here chain 1{axis}"));
    }
    if !theme.look.details {
        words.clear();
    }
    let by_curvature = input.curvature && theme.look.stability;
    let limits = if by_curvature { limits(steps) } else { Vec::new() };
    let mut entries: Vec<_> = words.into_iter().map(|words| Entry::new(Sample::None, words)).collect();
    if theme.labels.whole {
        // The legend names the lines that are in the plot.
        let scale = scale(input, steps, &limits, state);
        let in_sight = |limit: &&Limit| scale.shows(limit.step_size, own_axes::own(theme, 1));
        let named: Vec<Limit> = limits.iter().filter(in_sight).cloned().collect();
        told::see(ui, theme, |seen| seen.limits |= !named.is_empty());
        entries.extend(stability::entries(&named, unit(input), theme));
    }
    run_header::with_legend(ui, frame, &stepping, theme, &theme.strong(), &entries);
    ui.add_space(theme.space(0.5));
    // Names of runs at the right are where its words would be.
    let free = !matches!(theme.look.legend, LegendPlace::Right | LegendPlace::Ends);
    let inflated = runs(steps)
        .find_map(|run| inflation::limit(frame, run))
        .filter(|_| by_curvature && free && theme.look.variance);
    // A plot that is too low for the scale has its width: whether it is, is known from the frame before.
    let memory = ui.scope_id().with("space for the scale of variances");
    let is_free = inflated.is_some() && ui.data(|data| data.get_temp(memory)).unwrap_or(true);
    let margins =
        (if is_free { theme.space(inflation::WIDTH) } else { 0.0 }, strip::taken_height(ui, theme, rows.len()));
    let (shown, range, scale) =
        curves(ui, (input, steps), (&axis_label(&symbols, input.epsilon), margins), &limits, theme, state);
    let (plot, transform) = (&shown.response, &shown.transform);
    if stepping.is_empty() {
        let (text, at) = ("These methods have no step size.", plot.rect.center());
        let words = OverlayLabel { text, font: theme.body(), colour: theme.soft, at, align: Align2::CENTER_CENTER };
        words.paint(ui, theme, plot.rect);
    }
    let fits =
        inflated.is_some_and(|stable| inflation::paint(ui, theme, (plot.rect, is_free), transform, (scale, stable)));
    if inflated.is_some() && fits != is_free {
        ui.data_mut(|data| data.insert_temp(memory, fits));
        ui.ctx().request_repaint();
    }
    told::see(ui, theme, |seen| {
        seen.strip |= !rows.is_empty();
        seen.variances |= fits && is_free;
    });
    strip::show(ui, theme, steps, &rows, &state.strip, (plot.rect, transform));
    if !limits.is_empty() && !theme.labels.whole {
        let busy = busy(steps, scale, &state.curves, transform);
        let used = label_patches(ui, steps, theme, (plot.rect, transform));
        stability::words(ui, &limits, scale, theme, (plot.rect, transform), (&busy, used));
    }
    let text = |at: &dyn Fn(usize) -> u64| readout(steps, at, (scale, input.curvature));
    let mut done = finish(ui, steps, theme, (plot.clone(), transform), &range, text);
    let drawn = if input.draws { state.handles.active(&stepping) } else { None };
    let edit = input.scenario.and_then(|scenario| {
        let editor = Editor { ui, theme, input: steps, scenario, plot, transform, scale };
        match drawn {
            Some(run) => editor.drawn(run, &mut state.handles),
            None => editor.handles(&stepping, &state.curves, &mut state.handles),
        }
    });
    if edit.is_some() || input.draws {
        // A double click has added a knot, or a stroke is under way.
        done.range = RangeChange::Unchanged;
        done.seek = None;
    }
    ScheduleResponse { steps: done, edit }
}

/// The scale of step sizes before the plot is drawn.
fn scale(input: &ScheduleInput<'_>, steps: &StepsInput<'_>, limits: &[Limit], state: &ScheduleState) -> Scale {
    let largest = |run: &usize| Some(state.curves.largest_of(*run, steps.frame.runs.get(*run)?));
    let largest = steps.runs.iter().filter_map(largest).fold(0.0, f64::max);
    let stable = limits.iter().map(|limit| limit.step_size).reduce(f64::min);
    Scale { log: input.log, largest: state.handles.largest(largest), stable, unit: unit(input) }
}

/// The plot itself, with the steps that it shows and its scale; `margins` stay free at the right and below.
fn curves(
    ui: &mut Ui,
    (input, steps): (&ScheduleInput<'_>, &StepsInput<'_>),
    (label, margins): (&str, (f32, f32)),
    limits: &[Limit],
    theme: &Theme,
    state: &mut ScheduleState,
) -> (PlotResponse<()>, Range<f64>, Scale) {
    let ScheduleState { curves: cache, handles, .. } = state;
    let (log, frame) = (input.log, steps.frame);
    let size = ui.available_size() - vec2(margins.0, margins.1);
    let y = AxisSpec::upright(short(ui, theme, label, size.y), if log { Ticks::Log } else { Ticks::Linear });
    let [x, y] = in_height(ui, size.y, theme, [AxisSpec::wide(steps.axis.label(), steps.axis.ticks()), y]);
    let plot = along_time(plot(("schedule", log, steps.axis.key()), theme, x, y), ui, steps, theme);
    let plot = if margins.0 > 0.0 { plot.width(size.x.max(1.0)) } else { plot };
    let plot = plot.height(size.y.max(1.0)).allow_drag([!input.draws, false]);
    let stable = limits.iter().map(|limit| limit.step_size).reduce(f64::min);
    let mut scale = Scale { log, largest: 0.0, stable, unit: unit(input) };
    let mut range = steps.positions();
    let shown = plot.show(ui, |plot_ui| {
        range = scrolled(plot_ui, &steps.positions());
        let width = plot_ui.response().rect.width();
        for &run in steps.runs {
            if let Some(frame) = frame.runs.get(run) {
                scale.largest = scale.largest.max(cache.prepare(run, frame, &steps.along(run).steps(&range), width));
            }
        }
        scale.largest = handles.largest(scale.largest);
        // From here on the cache is only read, for as long as the plot's items borrow from it.
        let cache = &*cache;
        furniture(plot_ui, steps, &range, theme);
        stability::add(plot_ui, limits, scale, theme);
        add_curves(plot_ui, steps, scale, theme, cache);
        set_bounds(plot_ui, &range, &scale.bounds(), theme);
    });
    answers(ui, theme, &shown.response, [x, y]);
    (shown, range, scale)
}

/// The number on the axis of a step size α = 1: 1, or 2 for ε.
fn unit(input: &ScheduleInput<'_>) -> f64 {
    if input.epsilon { 2.0 } else { 1.0 }
}

/// The words at the right of the header.
fn header(symbols: &BTreeSet<&str>, data: bool, strip: bool) -> Vec<String> {
    let strip = strip.then(|| strip::LEGEND.to_owned());
    // The last parts stay longest where there is little space.
    meanings(symbols, data).into_iter().chain(strip).collect()
}

/// The label of the axis of step sizes.
fn axis_label(symbols: &BTreeSet<&str>, epsilon: bool) -> String {
    match (symbols.iter().all(|symbol| *symbol == ALPHA), epsilon) {
        (true, true) => "step size ε = 2α".to_owned(),
        (true, false) => "step size α".to_owned(),
        (false, _) => "step size".to_owned(),
    }
}

/// The label of the axis, or on paper its symbol alone where a low plot has no space for more.
fn short<'a>(ui: &Ui, theme: &Theme, label: &'a str, height: f32) -> &'a str {
    let symbol = label.trim_start_matches("step size ");
    if theme.labels.whole && !fits_in_height(ui, theme, label, height) { symbol } else { label }
}

/// Symbol of the step size of a run; `None` if it has none.
fn symbol_of(frame: &Frame, run: usize) -> Option<&'static str> {
    run_header::step_symbol(frame, frame.runs.get(run)?)
}

/// Meaning of the symbols.
fn meanings(symbols: &BTreeSet<&str>, data: bool) -> Vec<String> {
    let alpha = if data {
        "α in the Langevin convention, ε = 2α, lr = Nα"
    } else {
        "α in the Langevin convention, ε = 2α"
    };
    let known = [
        (ALPHA, alpha),
        ("h", "h is a time step"),
        ("η", "η is Adam's step size"),
        ("ρ", "ρ is the share of the way to the intermediate estimate"),
    ];
    known.iter().filter(|(symbol, _)| symbols.contains(symbol)).map(|(_, words)| (*words).to_owned()).collect()
}

/// The curve of each run, full up to the newest step and pale after it.
fn add_curves<'a>(
    plot_ui: &mut PlotUi<'a>,
    input: &StepsInput<'_>,
    scale: Scale,
    theme: &Theme,
    cache: &'a ScheduleCache,
) {
    for &run in input.runs {
        let (Some(frame), Some((kept, version))) = (input.frame.runs.get(run), cache.kept(run)) else { continue };
        let colour: Color32 = theme.run(run).colour;
        let bits = [scale.top(), scale.unit].map(f64::to_bits);
        let along = input.along(run);
        let content = (version, &along, frame.step, scale.log, bits, theme.mode, theme.scale);
        kept.show(plot_ui, content, || {
            let position = |&[step, alpha]: &[f64; 2]| [along.position(step), scale.position(alpha)];
            let points: Vec<[f64; 2]> = cache.points(run).iter().map(position).collect();
            let now = cache.points(run).partition_point(|point| point[0] <= as_f64(frame.step));
            let style = theme.run(run);
            let width = cache.line(run, theme.line());
            let line = |points: &[[f64; 2]], colour: Color32| run_line::mark(points.to_vec(), colour, width, style);
            let future = line(&points[now.saturating_sub(1)..], colour.gamma_multiply(FUTURE));
            let past = line(&points[..now], colour);
            if now < points.len() { vec![future, past] } else { vec![past] }
        });
        if !theme.look.cursor {
            continue;
        }
        let here = Points::new(
            "",
            vec![[along.position(as_f64(frame.step)), scale.position(frame.step_size(0, frame.step.max(1)))]],
        )
        .shape(theme.run(run).marker);
        plot_ui.points(here.color(colour).radius(theme.marker(1.25)).allow_hover(false));
    }
}

/// The positions of the curves on the screen, which words should leave free.
fn busy(input: &StepsInput<'_>, scale: Scale, cache: &ScheduleCache, transform: &PlotTransform) -> Vec<Pos2> {
    let position = |run: usize| {
        let along = input.along(run);
        let point = move |&[step, alpha]: &[f64; 2]| PlotPoint::new(along.position(step), scale.position(alpha));
        cache.points(run).iter().map(point).map(|point| transform.position_from_point(&point))
    };
    input.runs.iter().copied().flat_map(position).collect()
}

/// The step size of each run at its step, and how much steps of this size inflate the variance.
fn readout(input: &StepsInput<'_>, steps: &dyn Fn(usize) -> u64, (scale, curvature): (Scale, bool)) -> String {
    let part = |run: usize| {
        let (made, step) = (input.frame.runs.get(run)?, steps(run));
        let symbol = run_header::step_symbol(input.frame, made)?;
        let symbol = if scale.unit > 1.0 && symbol == ALPHA { "ε" } else { symbol };
        let size = numbers::significant(scale.unit * made.step_size(0, step), 3);
        let inflated = inflation::words(input.frame, made, step, input.runs.len() == 1).filter(|_| curvature);
        let inflated = inflated.unwrap_or_default();
        let of = if made.plan.adapts() { " in chain 1" } else { "" };
        Some(format!("{} {symbol} {size}{of}{inflated}", made.plan.name))
    };
    let parts: Vec<String> = input.runs.iter().filter_map(|&run| part(run)).collect();
    parts.join("   ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_far_stability_line_does_not_flatten_the_curves() {
        let near = Scale { log: false, largest: 0.043, stable: Some(0.06), unit: 1.0 };
        assert!(near.bounds().end > 0.06);
        let far = Scale { stable: Some(6.0), ..near };
        assert!(far.bounds().end < 0.05);
    }

    #[test]
    fn step_sizes_of_zero_have_a_place_on_a_logarithmic_axis() {
        let scale = Scale { log: true, largest: 0.1, stable: None, unit: 1.0 };
        assert!((scale.position(0.0) - scale.bounds().start).abs() < 1e-12);
        assert!((scale.position(0.01) + 2.0).abs() < 1e-12);
        assert!(Scale { largest: 0.0, ..scale }.bounds().start.is_finite());
    }

    #[test]
    fn places_in_either_convention_convert_back_to_step_sizes() {
        for (log, unit) in [(false, 1.0), (false, 2.0), (true, 1.0), (true, 2.0)] {
            let scale = Scale { log, largest: 0.09, stable: Some(0.06), unit };
            for alpha in [0.001, 0.05, 0.09] {
                assert!((scale.alpha(scale.position(alpha)) / alpha - 1.0).abs() < 1e-12, "{log} {unit}");
                assert!(scale.position(alpha) < scale.bounds().end);
            }
        }
    }
}

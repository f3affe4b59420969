//! Common parts of all plots against steps: range of steps, playhead, events, stages and cycles.
//!
//! Plots with the same range show the same steps. Pan and zoom come back in the response; the caller keeps the range.

use std::ops::Range;

use egui::{Align2, Rect, Response, Shape, Stroke, Ui, pos2, vec2};
use egui_plot::{Plot, PlotBounds, PlotTransform, PlotUi, Span, VLine};

use crate::draw::theme::Theme;
use crate::params::{Settings, Value};
use crate::scenario::{Change, Event, RunPlan, Scenario};
use crate::schedules::{self, Stage};
use crate::session::Frame;

use super::overlay_label::{self, OverlayLabel};
use crate::draw::numbers;

/// Input of a plot against steps.
#[derive(Clone, Debug)]
pub struct StepsInput<'a> {
    /// The frame.
    pub frame: &'a Frame,
    /// The runs drawn, by number.
    pub runs: &'a [usize],
    /// The run whose stages and cycles are marked.
    pub focus: Option<usize>,
    /// The steps shown; [`whole`] for all of them.
    pub range: Range<f64>,
    /// The scale of their axis.
    pub axis: StepAxis,
    /// Whether the truth is shown.
    pub truth: bool,
}

impl StepsInput<'_> {
    /// The steps shown, as places along the axis.
    pub(super) fn places(&self) -> Range<f64> {
        self.axis.places(&self.range)
    }
}

/// Scale of an axis of steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum StepAxis {
    /// Linear.
    #[default]
    Linear,
    /// Logarithm to base 10, from step 1 on.
    Log,
}

impl StepAxis {
    /// The place of a step along the axis.
    pub(super) fn place(self, step: f64) -> f64 {
        match self {
            Self::Linear => step,
            Self::Log => step.max(1.0).log10(),
        }
    }

    /// The step at a place.
    pub(super) fn step(self, place: f64) -> f64 {
        match self {
            Self::Linear => place,
            Self::Log => 10f64.powf(place),
        }
    }

    /// A range of steps as places; a single step has a width as well.
    fn places(self, steps: &Range<f64>) -> Range<f64> {
        match self {
            Self::Linear => steps.clone(),
            Self::Log => {
                let start = self.place(steps.start);
                start..self.place(steps.end).max(start + self.narrowest())
            }
        }
    }

    /// The narrowest range shown: a few steps, or a small part of a decade.
    fn narrowest(self) -> f64 {
        match self {
            Self::Linear => 5.0,
            Self::Log => 0.05,
        }
    }

    /// The ticks of the axis.
    pub(super) fn ticks(self) -> super::axes::Ticks {
        match self {
            Self::Linear => super::axes::Ticks::Whole,
            Self::Log => super::axes::Ticks::Log,
        }
    }
}

/// What happened on a plot against steps.
#[must_use]
#[derive(Clone, Debug)]
pub struct StepsResponse {
    /// The step the pointer is at.
    pub hovered: Option<u64>,
    /// The step that was clicked: go there.
    pub seek: Option<u64>,
    /// The change of the range.
    pub range: RangeChange,
    /// Whether a picture is still being made.
    pub pending: bool,
    /// The plot itself.
    pub response: Response,
}

/// Change of a range of steps.
#[derive(Clone, Debug, PartialEq)]
pub enum RangeChange {
    /// No change.
    Unchanged,
    /// Pan or zoom to this range.
    To(Range<f64>),
    /// Back to the whole run.
    Reset,
}

/// All steps of the longest run.
#[must_use]
pub fn whole(frame: &Frame) -> Range<f64> {
    0.0..as_f64(frame.total.max(1))
}

/// A plot that pans and zooms along steps only, with space at its right end for half of the label of the last tick.
pub(super) fn along_steps<'a>(plot: Plot<'a>, ui: &Ui, frame: &Frame, theme: &Theme) -> Plot<'a> {
    let label = ui.painter().layout_no_wrap(numbers::count(frame.total), theme.small(), theme.faint);
    let width = ui.available_width() - 0.5 * label.size().x - theme.space(0.5);
    plot.width(width.max(1.0)).allow_drag([true, false]).allow_zoom([true, false])
}

/// The range of places after this frame's scrolling.
pub(super) fn scrolled(plot_ui: &PlotUi<'_>, range: &Range<f64>) -> Range<f64> {
    super::gestures::scrolled(plot_ui).map_or_else(
        || range.clone(),
        |(share, factor)| {
            let at = range.start + share.x * (range.end - range.start);
            at + (range.start - at) * factor..at + (range.end - at) * factor
        },
    )
}

/// Sets the plot's bounds.
pub(super) fn set_bounds(plot_ui: &mut PlotUi<'_>, range: &Range<f64>, y: &Range<f64>) {
    plot_ui.set_plot_bounds(PlotBounds::from_min_max([range.start, y.start], [range.end, y.end]));
}

/// Marks the stages and cycles of the run in focus, events, and the playhead.
pub(super) fn furniture(plot_ui: &mut PlotUi<'_>, input: &StepsInput<'_>, range: &Range<f64>, theme: &Theme) {
    if let Some(run) = input.focus.and_then(|focus| input.frame.runs.get(focus)) {
        let width = plot_ui.response().rect.width();
        if let Some(marks) = stage_marks(&run.plan, (range, input.axis), width) {
            for stage in marks.exploration {
                plot_ui.span(Span::new("", stage.start..=stage.end).fill(theme.stage));
            }
            for cycle in marks.cycles {
                plot_ui.vline(VLine::new("", cycle).color(theme.rule).width(1.0).allow_hover(false));
            }
        }
    }
    let line = |step: u64, colour| {
        VLine::new("", input.axis.place(as_f64(step))).color(colour).width(theme.thin()).allow_hover(false)
    };
    for event in &input.frame.scenario.events {
        plot_ui.vline(line(event.step, theme.warning));
    }
    plot_ui.vline(line(input.frame.step, theme.ink));
}

/// Stages and cycles of a run in a range of places along the axis, to the pixel.
#[derive(Clone, Debug, Default, PartialEq)]
struct StageMarks {
    /// Exploration stages.
    exploration: Vec<Range<f64>>,
    /// Starts of cycles.
    cycles: Vec<f64>,
}

/// Least number of pixels between two marks: closer ones would merge into grey.
const PIXELS_APART: f32 = 6.0;

/// The stages and cycles of `plan`; `None` if there are too many to tell them apart.
fn stage_marks(plan: &RunPlan, range: (&Range<f64>, StepAxis), width: f32) -> Option<StageMarks> {
    let mut marks = StageMarks::default();
    let mut before: Option<(bool, Option<u64>)> = None;
    for (edge, step) in pixel_steps(range, width).filter(|&(_, step)| step >= 1 && step <= plan.steps) {
        let schedule = &plan.segment_of(step).schedule;
        let now = (schedule.stage(step) != Stage::Sampling, schedule.cycle(step));
        if now.0 {
            match marks.exploration.last_mut() {
                Some(last) if before.is_some_and(|(exploring, cycle)| exploring && cycle == now.1) => last.end = edge,
                _ => marks.exploration.push(edge..edge),
            }
        } else if let Some(last) = marks.exploration.last_mut()
            && before.is_some_and(|(exploring, _)| exploring)
        {
            last.end = edge;
        }
        if before.is_some_and(|(_, cycle)| cycle != now.1) {
            marks.cycles.push(edge);
        }
        before = Some(now);
    }
    let most = marks.cycles.len().max(marks.exploration.len());
    (as_f64(most as u64) * f64::from(PIXELS_APART) <= f64::from(width)).then_some(marks)
}

/// The step each pixel of the axis stands for, from left to right, with the place of the pixel's left edge.
pub(super) fn pixel_steps(
    (range, axis): (&Range<f64>, StepAxis),
    width: f32,
) -> impl Iterator<Item = (f64, u64)> + use<> {
    let pixels = f64::from(width.round().max(1.0));
    let (start, per_pixel) = (range.start, (range.end - range.start) / pixels);
    (0..as_u64(pixels)).map(move |pixel| {
        let edge = start + as_f64(pixel) * per_pixel;
        (edge, as_u64(axis.step(edge + 0.5 * per_pixel)))
    })
}

/// Paints playhead, events and readout over the plot, and reports clicks, pan and zoom.
pub(super) fn finish(
    ui: &Ui,
    input: &StepsInput<'_>,
    theme: &Theme,
    (response, transform): (Response, &PlotTransform),
    before: &Range<f64>,
    readout: impl Fn(u64) -> String,
) -> StepsResponse {
    let rect = response.rect;
    playhead(ui, input, theme, rect, transform);
    // Every event has a line; an event without space for its label stays unlabelled.
    let mut free = f32::NEG_INFINITY;
    for event in &input.frame.scenario.events {
        let x = transform.position_from_point_x(input.axis.place(as_f64(event.step)));
        if rect.x_range().contains(x) && x >= free {
            free = event_words(ui, &input.frame.scenario, event, theme, rect, x);
        }
    }
    let step_at = |x: f64| as_u64(input.axis.step(x).round()).min(input.frame.total);
    let hovered = response.hover_pos().map(|at| step_at(transform.value_from_position(at).x));
    if let (Some(step), Some(pointer)) = (hovered, response.hover_pos()) {
        let text = format!("step {}   {}", numbers::count(step), readout(step));
        overlay_label::at_pointer(ui, theme, rect, pointer, &text);
    }
    let range = range_change(&response, input, before, transform.bounds());
    let seek = hovered.filter(|_| response.clicked() && !response.double_clicked());
    StepsResponse { hovered, seek, range, pending: false, response }
}

/// The handle at the top of the playhead.
fn playhead(ui: &Ui, input: &StepsInput<'_>, theme: &Theme, rect: Rect, transform: &PlotTransform) {
    let x = transform.position_from_point_x(input.axis.place(as_f64(input.frame.step)));
    if rect.x_range().contains(x) {
        let side = theme.space(1.25);
        let corners = vec![pos2(x - side, rect.top()), pos2(x + side, rect.top()), pos2(x, rect.top() + 1.5 * side)];
        ui.painter().add(Shape::convex_polygon(corners, theme.ink, Stroke::NONE));
    }
}

/// Writes the change beside the line of an event at `x`, and returns the right end of the text.
fn event_words(ui: &Ui, scenario: &Scenario, event: &Event, theme: &Theme, rect: Rect, x: f32) -> f32 {
    let text = match &event.change {
        Change::Target(target) => {
            format!("target: {}", target_words(scenario.target_at(event.step.saturating_sub(1)), target))
        }
        Change::Run { run: name, set } => {
            let run = scenario.runs.iter().find(|run| run.name == *name);
            let after = run.map(|run| scenario.settings_at(run, event.step));
            let words = |(path, value): (&String, &Value)| change_words(after.as_ref(), path, value);
            let changes: Vec<String> = set.iter().map(words).collect();
            if changes.is_empty() { name.clone() } else { format!("{name}: {}", changes.join(", ")) }
        }
    };
    let at = pos2(x, rect.top()) + vec2(theme.space(0.5), theme.space(1.0));
    let (font, colour) = (theme.small(), theme.warning);
    let width = ui.painter().layout_no_wrap(text.clone(), font.clone(), colour).size().x;
    OverlayLabel { text: &text, font, colour, at, align: Align2::LEFT_TOP }.paint(ui, theme, rect);
    at.x + width + theme.space(1.0)
}

/// The difference between two targets, in words.
fn target_words(before: &Settings, after: &Settings) -> String {
    if before.kind != after.kind {
        return after.kind.label.to_owned();
    }
    let changed = after.iter().filter(|(spec, value)| before.get(spec.key) != Some(*value));
    changed.map(|(spec, value)| change_words(Some(after), spec.key, value)).collect::<Vec<_>>().join(", ")
}

/// The label of a parameter and its new value, if that is short.
fn change_words(settings: Option<&Settings>, path: &str, value: &Value) -> String {
    let label = settings.and_then(|settings| label_at(settings, path));
    let label = label.unwrap_or_else(|| path.rsplit('.').next().unwrap_or(path).replace('_', " "));
    match value {
        Value::Number(number) => format!("{label} {}", numbers::significant(*number, 3)),
        Value::Flag(on) => format!("{label} {}", if *on { "on" } else { "off" }),
        Value::Choice(word) => format!("{label} {word}"),
        _ => label,
    }
}

/// The label of the parameter at a dotted path.
fn label_at(settings: &Settings, path: &str) -> Option<String> {
    match path.split_once('.') {
        None => Some(schedules::label(settings, settings.kind.param(path)?)),
        Some((key, rest)) => {
            let symbol = schedules::symbol(settings.kind.param(key)?);
            Some(label_at(settings.group(key)?, rest)?.replace('α', symbol))
        }
    }
}

/// Change of the range, from the places shown `before` and `now`.
fn range_change(response: &Response, input: &StepsInput<'_>, before: &Range<f64>, now: &PlotBounds) -> RangeChange {
    /// Differences below this share of the range come from rounding.
    const ROUNDING: f64 = 1e-6;
    if response.double_clicked() {
        return RangeChange::Reset;
    }
    let (axis, shown) = (input.axis, input.places());
    let limits = axis.places(&whole(input.frame));
    let room = limits.end - limits.start;
    let width = (now.max()[0] - now.min()[0]).clamp(axis.narrowest().min(room), room);
    let start = now.min()[0].clamp(limits.start, limits.end - width);
    let changed = start..start + width;
    let difference = (changed.start - shown.start).abs().max((changed.end - shown.end).abs());
    let touched = *before != shown || (now.min()[0] - before.start).abs() > ROUNDING * width;
    if touched && difference > ROUNDING * width {
        RangeChange::To(axis.step(changed.start)..axis.step(changed.end))
    } else {
        RangeChange::Unchanged
    }
}

#[expect(clippy::cast_precision_loss, reason = "numbers of steps are below 2⁵³")]
pub(super) fn as_f64(step: u64) -> f64 {
    step as f64
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "negative values become 0")]
pub(super) fn as_u64(step: f64) -> u64 {
    step.max(0.0) as u64
}

/// The run whose stages are shaded: the first that has cycles.
#[must_use]
pub fn focus(frame: &Frame, runs: &[usize]) -> Option<usize> {
    let cyclical = |run: &&usize| frame.runs.get(**run).is_some_and(|run| run.cycle.is_some());
    runs.iter().find(cyclical).or(runs.first()).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::plots::testing::{Fake, Recipe, frame};
    use crate::params::find_kind;

    const LINEAR: StepAxis = StepAxis::Linear;

    fn plan(cycle: u64) -> std::sync::Arc<RunPlan> {
        let recipe = Recipe { name: "run", chains: 1, steps: 1, total: 1000, alpha: 0.01, cycle };
        frame(Fake::grid(), &[recipe]).runs[0].plan.clone()
    }

    #[test]
    fn stages_and_cycles_are_found_to_the_pixel() {
        let marks = stage_marks(&plan(200), (&(0.0..1000.0), LINEAR), 1000.0).unwrap();
        assert_eq!(marks.cycles.len(), 4);
        assert_eq!(marks.exploration.len(), 5);
        for (number, stage) in marks.exploration.iter().enumerate() {
            let start = 200.0 * as_f64(number as u64);
            assert!((stage.start - start).abs() <= 1.0 && (stage.end - start - 50.0).abs() <= 1.0, "{stage:?}");
        }
    }

    #[test]
    fn stages_are_found_on_a_logarithmic_axis_too() {
        let marks = stage_marks(&plan(200), (&(0.0..3.0), StepAxis::Log), 1000.0).unwrap();
        let begins = [201.0_f64, 401.0, 601.0, 801.0];
        assert_eq!(marks.cycles.len(), begins.len());
        for (found, begin) in marks.cycles.iter().zip(begins) {
            assert!((found - begin.log10()).abs() <= 2.0 * 0.003, "{found}");
        }
        assert!((marks.exploration[0].end - 51_f64.log10()).abs() <= 2.0 * 0.003);
    }

    #[test]
    fn places_convert_back_to_steps() {
        for axis in [StepAxis::Linear, StepAxis::Log] {
            for step in [1.0, 7.0, 1e6] {
                assert!((axis.step(axis.place(step)) / step - 1.0).abs() < 1e-12);
            }
        }
        assert_eq!(StepAxis::Log.places(&(0.0..1000.0)), 0.0..3.0);
        assert!(StepAxis::Log.places(&(0.0..1.0)).end > 0.0, "a single step has a width");
    }

    #[test]
    fn marks_that_are_too_close_are_left_out() {
        assert_eq!(stage_marks(&plan(4), (&(0.0..1000.0), LINEAR), 1000.0), None);
        assert_eq!(stage_marks(&plan(0), (&(0.0..1000.0), LINEAR), 1000.0), Some(StageMarks::default()));
        assert!(stage_marks(&plan(4), (&(0.0..40.0), LINEAR), 1000.0).is_some(), "zoomed in they are shown");
    }

    #[test]
    fn changes_have_a_label_and_a_value() {
        let csgld = crate::scenario::default_run(find_kind(&crate::methods::METHODS, "csgld").unwrap()).settings;
        assert_eq!(change_words(Some(&csgld), "step_size.initial", &Value::Number(0.05)), "initial step size α₀ 0.05");
        assert_eq!(change_words(None, "step_size.initial", &Value::Number(0.05)), "initial 0.05");
        // The exact gradient has no such parameter: its key stands for the label.
        assert_eq!(change_words(Some(&csgld), "gradient.compensate", &Value::Flag(false)), "compensate off");
    }
}

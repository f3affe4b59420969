//! Common parts of all plots over time: range, playhead, events, stages and cycles.
//!
//! Plots with the same range show the same steps or evaluations. Pan and zoom come back in the response; the caller keeps the range.

use std::ops::Range;

use egui::{Align2, Color32, Pos2, Rect, Response, Shape, Stroke, Ui, pos2, vec2};
use egui_plot::{LineStyle, Plot, PlotBounds, PlotTransform, PlotUi, Span, VLine};

use super::axes::{held, show_part};
use super::column;
use super::event_words::event_words;
use super::overlay_label::{self, OverlayLabel};
use super::time_axis::{Along, TimeAxis, as_f64, as_u64};
use crate::theme::Theme;
use engine::scenario::{Change, Event, RunPlan};
use engine::session::{Clock, Frame, RunFrame};
use samplers::schedules::Stage;

/// Input of a plot against steps.
#[derive(Clone, Debug)]
pub struct StepsInput<'a> {
    /// The frame.
    pub frame: &'a Frame,
    /// The runs drawn, by number.
    pub runs: &'a [usize],
    /// The run whose stages and cycles are marked.
    pub focus: Option<usize>,
    /// The steps, evaluations or seconds shown; [`TimeAxis::whole`] for all of them.
    pub range: Range<f64>,
    /// What the horizontal axis counts, and its scale.
    pub axis: TimeAxis,
    /// Whether the truth is shown.
    pub truth: bool,
}

impl StepsInput<'_> {
    /// What is shown, as positions along the axis.
    pub(crate) fn positions(&self) -> Range<f64> {
        self.axis.positions(&self.range)
    }

    /// The axis for one run.
    pub(crate) fn along(&self, run: usize) -> Along {
        self.axis.along(self.frame, run)
    }

    /// The run whose steps stand for all where runs differ.
    fn leading(&self) -> usize {
        self.focus.or(self.runs.first().copied()).unwrap_or(0)
    }

    /// The tick of the transport at a position.
    fn tick(&self, position: f64) -> u64 {
        let time = self.frame.time;
        let leading = self.leading();
        let count = match self.frame.runs.get(leading) {
            Some(run) if self.axis.counts != time.clock.into() => {
                let step = self.along(leading).step(position);
                if time.clock == Clock::Steps { step } else { run.spending.at(step) }
            }
            _ => self.axis.count(position),
        };
        as_u64((count / time.unit).round()).min(time.end)
    }

    /// The present moment: one place where the axis counts what the transport counts, else the place of each run.
    fn now(&self) -> Vec<(f64, Option<usize>)> {
        let time = self.frame.time;
        if self.axis.counts == time.clock.into() {
            return vec![(self.axis.position(as_f64(time.tick) * time.unit), None)];
        }
        let runs = self.runs.iter().filter_map(|&run| Some((run, self.frame.runs.get(run)?)));
        runs.map(|(number, run)| (self.along(number).position(as_f64(run.step)), Some(number))).collect()
    }

    /// The position of an event, for the run that it changes.
    fn event_position(&self, event: &Event) -> f64 {
        let named = match &event.change {
            Change::Run { run, .. } => self.frame.scenario.run_index(run),
            Change::Target(_) => None,
        };
        self.along(named.unwrap_or(self.leading())).position(as_f64(event.step))
    }
}

/// What happened on a plot against steps.
#[must_use]
#[derive(Clone, Debug)]
pub struct StepsResponse {
    /// The tick of the transport that was clicked: go there.
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

/// A plot that pans and zooms along steps only, with space at its right end for half of the label of the last tick.
pub(crate) fn along_time<'a>(plot: Plot<'a>, ui: &Ui, input: &StepsInput<'_>, theme: &Theme) -> Plot<'a> {
    let last = input.axis.number(input.axis.whole(input.frame).end);
    let label = ui.painter().layout_no_wrap(last, theme.small(), theme.faint);
    let width = ui.available_width() - 0.5 * label.size().x - theme.space(0.5);
    column::note(ui, theme, column::Along::of(input.axis, &input.positions()));
    plot.width(width.max(1.0)).allow_drag([true, false]).allow_zoom([true, false])
}

/// The range of positions after this frame's scrolling.
pub(crate) fn scrolled(plot_ui: &PlotUi<'_>, range: &Range<f64>) -> Range<f64> {
    super::gestures::scrolled(plot_ui).map_or_else(
        || range.clone(),
        |(share, factor)| {
            let at = range.start + share.x * (range.end - range.start);
            at + (range.start - at) * factor..at + (range.end - at) * factor
        },
    )
}

/// Sets the plot's bounds.
pub(crate) fn set_bounds(plot_ui: &mut PlotUi<'_>, range: &Range<f64>, y: &Range<f64>, theme: &Theme) {
    show_part(plot_ui, [range.start, y.start], [range.end, y.end], theme);
}

/// Marks the stages and cycles of the run in focus, events, and the playhead.
pub(crate) fn furniture(plot_ui: &mut PlotUi<'_>, input: &StepsInput<'_>, range: &Range<f64>, theme: &Theme) {
    if let Some((focus, run)) = input.focus.and_then(|focus| Some((focus, input.frame.runs.get(focus)?))) {
        let width = plot_ui.response().rect.width();
        if let Some(marks) = stage_marks(&run.plan, (range, &input.along(focus)), width) {
            for stage in marks.exploration {
                plot_ui.span(Span::new("", stage.start..=stage.end).fill(theme.stage));
            }
            for cycle in marks.cycles {
                plot_ui.vline(VLine::new("", cycle).color(theme.rule).width(1.0).allow_hover(false));
            }
        }
    }
    let line = |position: f64, colour| VLine::new("", position).color(colour).width(theme.thin()).allow_hover(false);
    for (position, _) in milestones(input) {
        plot_ui.vline(line(position, theme.soft).style(LineStyle::Dashed { length: theme.space(1.0) }));
    }
    for event in &input.frame.scenario.events {
        plot_ui.vline(line(input.event_position(event), theme.warning));
    }
    for (position, run) in input.now().into_iter().filter(|_| theme.look.cursor) {
        plot_ui.vline(line(position, head_colour(run, theme)));
    }
}

/// The positions of what the method of the run in focus changes by itself, with what it is.
fn milestones(input: &StepsInput<'_>) -> Vec<(f64, &'static str)> {
    let Some((focus, run)) = input.focus.and_then(|focus| Some((focus, input.frame.runs.get(focus)?))) else {
        return Vec::new();
    };
    let along = input.along(focus);
    run.plan.milestones().into_iter().map(|(step, what)| (along.position(as_f64(step)), what)).collect()
}

/// The labels of milestones with their patches. Of two milestones close together only the line of the second is seen.
fn milestone_labels(
    ui: &Ui,
    input: &StepsInput<'_>,
    theme: &Theme,
    (rect, transform): (Rect, &PlotTransform),
) -> Vec<(OverlayLabel<'static>, Rect)> {
    let mut labels = Vec::new();
    let mut free = f32::NEG_INFINITY;
    for (position, text) in milestones(input) {
        let x = transform.position_from_point_x(position);
        let at = pos2(x, rect.bottom()) + vec2(theme.space(0.5), -theme.space(1.0));
        let label = OverlayLabel { text, font: theme.small(), colour: theme.soft, at, align: Align2::LEFT_BOTTOM };
        let patch = label.patch(ui, theme, rect);
        if rect.x_range().contains(x) && patch.left() >= free {
            free = patch.right() + theme.space(1.0);
            labels.push((label, patch));
        }
    }
    labels
}

/// Where labels of milestones and of events are in a plot: other words leave these patches free.
pub(crate) fn label_patches(ui: &Ui, input: &StepsInput<'_>, theme: &Theme, plot: (Rect, &PlotTransform)) -> Vec<Rect> {
    let milestones = milestone_labels(ui, input, theme, plot).into_iter().map(|(_, patch)| patch);
    milestones.chain(event_labels(ui, input, theme, plot).into_iter().map(|(.., patch)| patch)).collect()
}

/// The colour of the present moment, of one run or of all.
fn head_colour(run: Option<usize>, theme: &Theme) -> Color32 {
    run.map_or(theme.ink, |run| theme.run(run).colour)
}

/// Stages and cycles of a run in a range of positions along the axis, to the pixel.
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
fn stage_marks(plan: &RunPlan, range: (&Range<f64>, &Along), width: f32) -> Option<StageMarks> {
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

/// The step each pixel of the axis stands for, from left to right, with the position of the pixel's left edge.
pub(crate) fn pixel_steps((range, along): (&Range<f64>, &Along), width: f32) -> impl Iterator<Item = (f64, u64)> {
    let pixels = f64::from(width.round().max(1.0));
    let (start, per_pixel) = (range.start, (range.end - range.start) / pixels);
    (0..as_u64(pixels)).map(move |pixel| {
        let edge = start + as_f64(pixel) * per_pixel;
        (edge, as_u64(along.step(edge + 0.5 * per_pixel)))
    })
}

/// Paints playhead, events and readout over the plot, and reports clicks, pan and zoom.
pub(crate) fn finish(
    ui: &Ui,
    input: &StepsInput<'_>,
    theme: &Theme,
    (response, transform): (Response, &PlotTransform),
    before: &Range<f64>,
    readout: impl Fn(&dyn Fn(usize) -> u64) -> String,
) -> StepsResponse {
    let rect = response.rect;
    playhead(ui, input, theme, rect, transform);
    for (text, at, _) in event_labels(ui, input, theme, (rect, transform)) {
        event_label(&text, at, theme).paint(ui, theme, rect);
    }
    for (label, _) in milestone_labels(ui, input, theme, (rect, transform)) {
        label.paint(ui, theme, rect);
    }
    let hovered = response.hover_pos().map(|at| (at, transform.value_from_position(at).x));
    if let Some((pointer, position)) = hovered {
        let step = |run: usize| {
            let last = input.frame.runs.get(run).map_or(input.frame.total, |run| run.plan.steps);
            as_u64(input.along(run).step(position).round()).min(last)
        };
        let moment = input.axis.words(input.axis.count(position), input.axis.whole(input.frame).end);
        overlay_label::at_pointer(ui, theme, rect, pointer, &format!("{moment}   {}", readout(&step)));
    }
    let range = range_change(&response, input, before, transform.bounds());
    let clicked = hovered.filter(|_| response.clicked() && !response.double_clicked());
    let seek = clicked.map(|(_, position)| input.tick(position));
    StepsResponse { seek, range, pending: false, response }
}

/// The handles at the top of the playheads.
fn playhead(ui: &Ui, input: &StepsInput<'_>, theme: &Theme, rect: Rect, transform: &PlotTransform) {
    for (position, run) in input.now().into_iter().filter(|_| theme.look.cursor) {
        let x = transform.position_from_point_x(position);
        if rect.x_range().contains(x) {
            let side = theme.space(1.25);
            let corners = [pos2(x - side, rect.top()), pos2(x + side, rect.top()), pos2(x, rect.top() + 1.5 * side)];
            ui.painter().add(Shape::convex_polygon(corners.to_vec(), head_colour(run, theme), Stroke::NONE));
        }
    }
}

/// The words of events, each beside its line, with their places and patches. Every event has a line; one without space for its words has none.
fn event_labels(
    ui: &Ui,
    input: &StepsInput<'_>,
    theme: &Theme,
    (rect, transform): (Rect, &PlotTransform),
) -> Vec<(String, Pos2, Rect)> {
    let mut labels = Vec::new();
    let mut free = f32::NEG_INFINITY;
    for event in &input.frame.scenario.events {
        let x = transform.position_from_point_x(input.event_position(event));
        if !rect.x_range().contains(x) || x < free {
            continue;
        }
        let text = event_words(&input.frame.scenario, event);
        let at = pos2(x, rect.top()) + vec2(theme.space(0.5), theme.space(1.0));
        // At the right end the words stand further to the left, where other words may be.
        let patch = event_label(&text, at, theme).patch(ui, theme, rect);
        if patch.left() >= free {
            free = patch.right() + theme.space(1.0);
            labels.push((text, at, patch));
        }
    }
    labels
}

fn event_label<'a>(text: &'a str, at: Pos2, theme: &Theme) -> OverlayLabel<'a> {
    OverlayLabel { text, font: theme.small(), colour: theme.warning, at, align: Align2::LEFT_TOP }
}

/// Change of the range, from the positions shown `before` and `now`.
fn range_change(response: &Response, input: &StepsInput<'_>, before: &Range<f64>, now: &PlotBounds) -> RangeChange {
    /// Differences below this share of the range come from rounding.
    const ROUNDING: f64 = 1e-6;
    if response.double_clicked() {
        return RangeChange::Reset;
    }
    let (axis, shown) = (input.axis, input.positions());
    let limits = axis.positions(&axis.whole(input.frame));
    let longest = limits.end - limits.start;
    let width = now.max()[0] - now.min()[0];
    let width = held(width, &(axis.narrowest().min(longest)..longest));
    let start = held(now.min()[0], &(limits.start..(limits.end - width).max(limits.start)));
    let changed = start..start + width;
    let difference = (changed.start - shown.start).abs().max((changed.end - shown.end).abs());
    let touched = *before != shown || (now.min()[0] - before.start).abs() > ROUNDING * width;
    if touched && difference > ROUNDING * width {
        RangeChange::To(axis.count(changed.start)..axis.count(changed.end))
    } else {
        RangeChange::Unchanged
    }
}

/// The runs shown.
pub(crate) fn runs<'a>(input: &'a StepsInput<'_>) -> impl Iterator<Item = &'a RunFrame> {
    input.runs.iter().filter_map(|&run| input.frame.runs.get(run))
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
    use crate::testing::{Fake, Recipe, frame, whole};

    fn marks(cycle: u64, range: Range<f64>, log: bool) -> Option<StageMarks> {
        let recipe = Recipe { name: "run", chains: 1, steps: 1, total: 1000, alpha: 0.01, cycle };
        let frame = frame(Fake::grid(), &[recipe]);
        let along = TimeAxis::of(&frame, Clock::Steps.into(), log).along(&frame, 0);
        stage_marks(&frame.runs[0].plan, (&range, &along), 1000.0)
    }

    #[test]
    fn stages_and_cycles_are_found_to_the_pixel() {
        let marks = marks(200, 0.0..1000.0, false).unwrap();
        assert_eq!(marks.cycles.len(), 4);
        assert_eq!(marks.exploration.len(), 5);
        for (number, stage) in marks.exploration.iter().enumerate() {
            let start = 200.0 * as_f64(number as u64);
            assert!((stage.start - start).abs() <= 1.0 && (stage.end - start - 50.0).abs() <= 1.0, "{stage:?}");
        }
    }

    #[test]
    fn stages_are_found_on_a_logarithmic_axis_too() {
        let marks = marks(200, 0.0..3.0, true).unwrap();
        let begins = [201.0_f64, 401.0, 601.0, 801.0];
        assert_eq!(marks.cycles.len(), begins.len());
        for (found, begin) in marks.cycles.iter().zip(begins) {
            assert!((found - begin.log10()).abs() <= 2.0 * 0.003, "{found}");
        }
        assert!((marks.exploration[0].end - 51_f64.log10()).abs() <= 2.0 * 0.003);
    }

    /// Two runs, one of which takes twice as many evaluations for a step.
    fn two() -> Frame {
        let recipe = |name, total| Recipe { name, chains: 1, steps: 100, total, alpha: 0.01, cycle: 0 };
        let mut made = frame(Fake::grid(), &[recipe("one", 1000), recipe("SGLD", 400)]);
        made.runs[1].spending = std::sync::Arc::new(engine::session::Spending::through([[400.0, 400.0]]));
        made
    }

    #[test]
    fn the_moment_is_one_place_on_the_clock_of_the_transport_and_else_one_for_each_run() {
        let mut frame = two();
        assert_eq!(whole(&frame, &[0, 1], (Clock::Steps, false)).now(), [(100.0, None)]);
        let by_cost = whole(&frame, &[0, 1], (Clock::Gradients, false));
        assert_eq!(by_cost.now(), [(50.0, Some(0)), (100.0, Some(1))]);
        frame.time = engine::session::Time { clock: Clock::Gradients, tick: 30, end: 1000, unit: 0.5 };
        assert_eq!(whole(&frame, &[0, 1], (Clock::Gradients, false)).now(), [(15.0, None)]);
    }

    #[test]
    fn a_click_goes_to_the_tick_of_the_transport() {
        let mut frame = two();
        for log in [false, true] {
            let by_steps = whole(&frame, &[0, 1], (Clock::Steps, log));
            assert_eq!(by_steps.tick(by_steps.axis.position(640.0)), 640);
            // A step of the leading run costs half an evaluation.
            let by_cost = whole(&frame, &[0, 1], (Clock::Gradients, log));
            assert_eq!(by_cost.tick(by_cost.axis.position(200.0)), 400);
            assert_eq!(by_cost.tick(by_cost.axis.position(1e9)), 1000, "no further than the end");
        }
        frame.time = engine::session::Time { clock: Clock::Gradients, tick: 0, end: 1000, unit: 0.5 };
        assert_eq!(whole(&frame, &[0, 1], (Clock::Gradients, false)).tick(200.0), 400);
        assert_eq!(whole(&frame, &[0, 1], (Clock::Steps, false)).tick(200.0), 200);
    }

    #[test]
    fn an_event_is_where_its_own_run_is() {
        let frame = two();
        let at = |counts| whole(&frame, &[0, 1], (counts, false)).event_position(&frame.scenario.events[0]);
        assert!((at(Clock::Steps) - 3000.0).abs() < 1e-9);
        assert!((at(Clock::Gradients) - 1500.0).abs() < 1e-9, "the fake scenario names no run: the leading one");
    }

    #[test]
    fn marks_that_are_too_close_are_left_out() {
        assert_eq!(marks(4, 0.0..1000.0, false), None);
        assert_eq!(marks(0, 0.0..1000.0, false), Some(StageMarks::default()));
        assert!(marks(4, 0.0..40.0, false).is_some(), "zoomed in they are shown");
    }
}

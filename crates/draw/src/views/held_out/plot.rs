//! Held-out log likelihood of topics over a run, and what else is measured of them: bound, log p(w, z), distance to the true topics,
//! bars found, trembling.
//!
//! A line is the mean over the chains of a run, thin lines are single chains. Values are those of the moments that have been measured, which
//! may be behind the run. Held-out values stand beside three lines: a uniform distribution over words, the shares of words
//! without topics, and the true topics; a second axis has their perplexity.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use egui::{Align2, Rect, Ui, pos2};
use egui_plot::{Line, LineStyle, MarkerShape, PlotTransform, PlotUi, Points};

use super::perplexity;
use crate::geometry::TopicsQuantity;
use crate::kit::axes::{AxisSpec, Ticks, answers, in_height, plot};
use crate::kit::legend::{Entry, Sample};
use crate::kit::marks::Mark;
use crate::kit::mesh_cache::MeshCache;
use crate::kit::overlay_label::{OverlayLabel, at_free_position};
use crate::kit::steps::{StepsInput, StepsResponse, along_time, finish, furniture, scrolled, set_bounds};
use crate::kit::time_axis::{Along, as_f64};
use crate::kit::{run_header, run_line};
use crate::readout;
use crate::theme::Theme;
use crate::words::numbers;
use engine::scenario::view::Axis;
use engine::session::{RunFrame, TopicsMoment};

/// Largest number of moments with a node on each.
const NODES: usize = 60;

/// Opacity of the lines of single chains (chosen by eye).
const CHAIN: f32 = 0.45;

/// Space above and below the values, as a share of their range, and the least range.
const MARGIN: f64 = 0.06;
const LEAST: f64 = 1e-6;

/// The name of the line of the true topics.
const TRUE_TOPICS: &str = "true topics";

/// The curves of all runs.
#[derive(Debug, Default)]
pub struct HeldOutCache {
    pub(super) runs: BTreeMap<usize, MeshCache>,
}

/// Draws the plot into the available space.
pub fn show(
    ui: &mut Ui,
    input: &StepsInput<'_>,
    quantity: TopicsQuantity,
    theme: &Theme,
    cache: &mut HeldOutCache,
) -> StepsResponse {
    run_header::with_legend(ui, input.frame, input.runs, theme, &theme.strong(), &entries(input, quantity, theme));
    ui.add_space(theme.space(0.5));
    let x = AxisSpec::wide(input.axis.label(), input.axis.ticks());
    let ticks = match quantity {
        TopicsQuantity::Bars => Ticks::Whole,
        _ if quantity.is_logarithmic() => Ticks::Log,
        _ => Ticks::Linear,
    };
    let y = AxisSpec { digits: 6.5, ..AxisSpec::upright(quantity.axis(), ticks) };
    let [x, y] = in_height(ui, ui.available_height(), theme, [x, y]);
    let mut plot = along_time(plot(("held out", input.axis.key()), theme, x, y), ui, input, theme);
    let named = !y.label.is_empty();
    if quantity == TopicsQuantity::HeldOut {
        plot = plot.width((ui.available_width() - perplexity::width(theme, named)).max(1.0));
    }
    for run in input.runs {
        cache.runs.entry(*run).or_default();
    }
    // From here on the cache is only read, for as long as the plot's items borrow from it.
    let cache = &*cache;
    let shown = plot.show(ui, |plot_ui| {
        let range = scrolled(plot_ui, &input.positions());
        furniture(plot_ui, input, &range, theme);
        add(plot_ui, input, (quantity, &range), theme, cache);
        set_bounds(plot_ui, &range, &values(input, quantity, &range), theme);
        range
    });
    answers(ui, theme, &shown.response, [x, y]);
    let (rect, transform) = (shown.response.rect, &shown.transform);
    line_words(ui, input, theme, (rect, transform), quantity);
    if quantity == TopicsQuantity::HeldOut {
        perplexity::paint(ui, theme, (rect, transform), named);
    }
    if let Some(text) = not_timed(input).or_else(|| nothing(input, quantity)) {
        let (font, colour, at) = (theme.body(), theme.soft, rect.center());
        OverlayLabel { text, font, colour, at, align: Align2::CENTER_CENTER }.paint(ui, theme, rect);
    }
    let readout = |steps: &dyn Fn(usize) -> u64| readout(input, quantity, steps);
    finish(ui, input, theme, (shown.response, transform), &shown.inner, readout)
}

/// The runs shown with their measured moments.
pub(super) fn measured<'a>(
    input: &'a StepsInput<'_>,
) -> impl Iterator<Item = (usize, &'a RunFrame, &'a [Arc<TopicsMoment>])> {
    let timed = not_timed(input).is_none();
    input.runs.iter().filter(move |_| timed).filter_map(|&index| {
        let run = input.frame.runs.get(index)?;
        Some((index, run, run.analysis.topics.as_slice()))
    })
}

/// The reason why there are no seconds along the axis, if they are asked for.
pub(super) fn not_timed(input: &StepsInput<'_>) -> Option<&'static str> {
    let timed = input.axis.counts != Axis::Seconds || input.frame.runs.iter().any(|run| run.seconds.is_some());
    (!timed).then_some("Seconds are measured in the window only: choose steps or documents")
}

/// The lines that values are compared with: their names and values, that of the true topics last.
pub(super) fn lines(input: &StepsInput<'_>, quantity: TopicsQuantity) -> Vec<(&'static str, f64)> {
    let known = measured(input).find_map(|(_, run, _)| run.analysis.topics_lines);
    let Some(lines) = known.filter(|_| quantity == TopicsQuantity::HeldOut) else { return Vec::new() };
    let truth = lines.truth.filter(|_| input.truth);
    let all = [("uniform", Some(lines.uniform)), ("words without topics", lines.unigram), (TRUE_TOPICS, truth)];
    all.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
}

/// The height of a value in the plot: its logarithm to base 10 on a logarithmic axis.
fn height(quantity: TopicsQuantity, value: f64) -> Option<f64> {
    if quantity.is_logarithmic() { (value > 0.0).then(|| value.log10()) } else { Some(value) }
}

/// The heights shown along a range of positions; those of the whole run where it has none.
pub(super) fn values(input: &StepsInput<'_>, quantity: TopicsQuantity, range: &Range<f64>) -> Range<f64> {
    let all = |within: &dyn Fn(&Along, &TopicsMoment) -> bool| -> Vec<f64> {
        let of_run = |(run, _, moments): (usize, &RunFrame, &[Arc<TopicsMoment>])| -> Vec<f64> {
            let along = input.along(run);
            let moments = from_first(moments, input.axis.log).iter().filter(|moment| within(&along, moment));
            let chains = moments.flat_map(|moment| &moment.chains);
            chains.filter_map(|chain| height(quantity, quantity.value(chain)?)).collect()
        };
        measured(input).flat_map(of_run).collect()
    };
    let mut found = all(&|along, moment| (range.start..=range.end).contains(&along.position(as_f64(moment.step))));
    if found.is_empty() {
        found = all(&|_, _| true);
    }
    found.extend(lines(input, quantity).into_iter().map(|(_, value)| value));
    match quantity {
        TopicsQuantity::Distance => found.push(0.0),
        TopicsQuantity::Bars => found.extend([0.0, true_topics(input)]),
        TopicsQuantity::HeldOut | TopicsQuantity::Elbo | TopicsQuantity::LogJoint | TopicsQuantity::Trembling => {}
    }
    let (low, high) =
        found.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(*value), high.max(*value)));
    if low > high {
        return -1.0..0.0;
    }
    let margin = MARGIN * (high - low).max(LEAST);
    low - margin..high + margin
}

fn true_topics(input: &StepsInput<'_>) -> f64 {
    let truth = input.frame.target.topics().and_then(|model| model.truth());
    truth.map_or(0.0, |truth| truth.count() as f64)
}

/// Meaning of the lines, and what decides the numbers.
fn entries(input: &StepsInput<'_>, quantity: TopicsQuantity, theme: &Theme) -> Vec<Entry> {
    let mut entries = Vec::new();
    if let Some(model) = input.frame.target.topics()
        && matches!(quantity, TopicsQuantity::HeldOut | TopicsQuantity::Elbo)
    {
        entries.push(Entry::new(Sample::None, readout::local_steps(model)));
    }
    if quantity == TopicsQuantity::Trembling {
        entries.push(Entry::new(Sample::None, "root mean square over the newest tenth of the steps"));
    }
    if measured(input).any(|(.., moments)| moments.last().is_some_and(|moment| moment.chains.len() > 1)) {
        entries.push(Entry::new(Sample::Line(theme.ink, theme.line(), None), "mean over chains"));
        entries.push(Entry::new(Sample::Line(theme.soft, theme.thin(), None), "chain"));
    }
    if let Some((_, run, moments)) =
        measured(input).find(|(_, run, moments)| moments.last().is_none_or(|moment| moment.step < run.step))
    {
        let step = moments.last().map_or(0, |moment| moment.step);
        let text =
            format!("{} measured up to step {}; the rest is being computed", run.plan.name, numbers::count(step));
        entries.push(Entry::new(Sample::None, text));
    }
    entries
}

/// Adds the lines and the curves, with nodes where there are few moments and a marker at the newest.
fn add<'a>(
    plot_ui: &mut PlotUi<'a>,
    input: &StepsInput<'_>,
    (quantity, range): (TopicsQuantity, &Range<f64>),
    theme: &Theme,
    cache: &'a HeldOutCache,
) {
    for (name, value) in lines(input, quantity) {
        let line = Line::new("", vec![[range.start, value], [range.end, value]]).allow_hover(false);
        let line = line.color(theme.exact).width(theme.thin());
        // The best that can be expected is a full line, what needs no topics is dashed.
        plot_ui.line(if name == TRUE_TOPICS {
            line
        } else {
            line.style(LineStyle::Dashed { length: theme.space(2.0) })
        });
    }
    for (index, _, moments) in measured(input) {
        let Some(kept) = cache.runs.get(&index) else { continue };
        let (along, style) = (input.along(index), theme.run(index));
        let moments = from_first(moments, input.axis.log);
        let newest = moments.last().map(|moment| moment.step);
        let content = (input.frame.generation, moments.len(), newest, quantity, &along, theme.mode, theme.scale);
        kept.show(plot_ui, content, || marks(moments, quantity, &along, (index, theme)));
        let mean = |moment: &Arc<TopicsMoment>| {
            Some([along.position(as_f64(moment.step)), height(quantity, quantity.mean(moment)?)?])
        };
        if moments.len() <= NODES {
            let nodes: Vec<[f64; 2]> = moments.iter().filter_map(mean).collect();
            let nodes = Points::new("", nodes).shape(MarkerShape::Circle).color(style.colour);
            plot_ui.points(nodes.radius(theme.marker(0.7)).allow_hover(false));
        }
        if let Some(end) = moments.iter().rev().find_map(mean) {
            let end = Points::new("", vec![end]).shape(style.marker).color(style.colour);
            plot_ui.points(end.radius(theme.marker(1.25)).allow_hover(false));
        }
    }
}

/// The moments on an axis: one of logarithms begins at the first step, not before it.
fn from_first(moments: &[Arc<TopicsMoment>], log: bool) -> &[Arc<TopicsMoment>] {
    let first = if log { moments.partition_point(|moment| moment.step == 0) } else { 0 };
    &moments[first..]
}

/// The curves of a run: thin ones of single chains, if there are several, and that of their mean.
pub(super) fn marks(
    moments: &[Arc<TopicsMoment>],
    quantity: TopicsQuantity,
    along: &Along,
    (run, theme): (usize, &Theme),
) -> Vec<Mark> {
    let colour = theme.run(run).colour;
    let position = |moment: &TopicsMoment| along.position(as_f64(moment.step));
    let chains = moments.last().map_or(0, |moment| moment.chains.len());
    let chain = |chain: usize| {
        let value = |moment: &Arc<TopicsMoment>| {
            Some([position(moment), height(quantity, quantity.value(moment.chains.get(chain)?)?)?])
        };
        let points = moments.iter().filter_map(value).collect();
        Mark::Line { points, colour: colour.gamma_multiply(CHAIN), width: theme.thin(), graph: true }
    };
    let mut marks: Vec<Mark> = if chains > 1 { (0..chains).map(chain).collect() } else { Vec::new() };
    let mean = |moment: &Arc<TopicsMoment>| Some([position(moment), height(quantity, quantity.mean(moment)?)?]);
    let points = moments.iter().filter_map(mean).collect();
    marks.push(run_line::mark(points, colour, theme.line(), theme.run(run)));
    marks
}

/// Names the lines.
fn line_words(
    ui: &Ui,
    input: &StepsInput<'_>,
    theme: &Theme,
    (rect, transform): (Rect, &PlotTransform),
    quantity: TopicsQuantity,
) {
    let (left, right) = (rect.left() + theme.space(1.5), rect.right() - theme.space(1.0));
    let gap = theme.space(0.5);
    let mut used = Vec::new();
    for (name, value) in lines(input, quantity) {
        let y = transform.position_from_point_y(value);
        let text = format!("{name} {}", numbers::decimal(value, 3));
        let positions = [
            (pos2(right, y - gap), Align2::RIGHT_BOTTOM),
            (pos2(right, y + gap), Align2::RIGHT_TOP),
            (pos2(left, y - gap), Align2::LEFT_BOTTOM),
            (pos2(left, y + gap), Align2::LEFT_TOP),
            (pos2(rect.center().x, y - gap), Align2::CENTER_BOTTOM),
        ];
        let label = |(at, align)| OverlayLabel { text: &text, font: theme.small(), colour: theme.exact, at, align };
        at_free_position(ui, theme, (rect, &mut used, &[]), label, &positions);
    }
}

/// The reason why the plot is empty, if it is.
pub(super) fn nothing(input: &StepsInput<'_>, quantity: TopicsQuantity) -> Option<&'static str> {
    let any = measured(input).flat_map(|(.., moments)| moments).any(|moment| quantity.mean(moment).is_some());
    if any {
        return None;
    }
    if input.frame.target.topics().is_none() {
        return Some("This target has no topics");
    }
    if measured(input).all(|(.., moments)| moments.is_empty()) {
        return Some("The first topics are being measured");
    }
    Some(match quantity {
        TopicsQuantity::HeldOut => "The corpus has no held-out documents",
        TopicsQuantity::Elbo => "Samplers have no ELBO: they fit no distribution. Add a run of CAVI or SVI to see one.",
        TopicsQuantity::LogJoint => "Only collapsed Gibbs sampling has log p(w, z): add a run of it to see one.",
        TopicsQuantity::Distance => "The true topics of this corpus are not known",
        TopicsQuantity::Bars => "The topics of this corpus are no bars",
        TopicsQuantity::Trembling => "No step has been taken yet",
    })
}

/// The mean of each run at its step, or at the last measured one before it; of held-out values the perplexity too.
pub(super) fn readout(input: &StepsInput<'_>, quantity: TopicsQuantity, steps: &dyn Fn(usize) -> u64) -> String {
    let part = |(index, run, moments): (usize, &RunFrame, &[Arc<TopicsMoment>])| {
        let step = steps(index);
        let moment = moments[..moments.partition_point(|moment| moment.step <= step)].last()?;
        let value = quantity.mean(moment)?;
        let number = match quantity {
            TopicsQuantity::LogJoint => numbers::decimal(value, 0),
            TopicsQuantity::Bars | TopicsQuantity::Trembling => numbers::significant(value, 3),
            _ => numbers::decimal(value, 4),
        };
        let perplexity = match quantity {
            TopicsQuantity::HeldOut => format!(" (perplexity {})", numbers::significant((-value).exp(), 4)),
            _ => String::new(),
        };
        Some(format!("{} {number}{perplexity}", run.plan.name))
    };
    measured(input).filter_map(part).collect::<Vec<_>>().join("   ")
}

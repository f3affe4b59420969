//! Posterior predictive check: the distribution of the data among those of replicated data, and a statistic of both with its p-value.

use std::sync::Arc;

use egui::{Rect, Sense, Ui, UiBuilder, pos2};

use super::geometry::{Statistic, around, axis, histogram, steps};
use crate::kit::axes::{AxisSpec, Ticks, before_last_tick, curve, plot, show_part, that_fits};
use crate::kit::background::{Computing, Same, SameTarget};
use crate::kit::by_run::ByRun;
use crate::kit::gestures::Gesture;
use crate::kit::legend::{self, Entry, Sample};
use crate::kit::marks::Mark;
use crate::kit::mesh_cache::MeshCache;
use crate::kit::overlay_label::{self, OverlayLabel};
use crate::kit::{run_header, run_line};
use crate::theme::{self, Theme};
use crate::words::numbers;
use crate::words::word::Word;
use engine::session::replicates::{DataSet, Replicates};
use engine::session::{Frame, RunFrame};

/// What can be done on the plot.
pub(crate) const GESTURES: [Gesture; 1] =
    [Gesture::at("Predictive check", "Point at a histogram", "Read the p-value of every run")];

/// What is said of a target without data that its model can make again.
const NO_DATA: &str = "This target has no model that makes data.";

/// Lines of replicated data of all runs together.
const LINES: usize = 50;

/// Opacity of a line of replicated data (chosen by eye).
const LINE: f32 = 0.35;

/// Ratio of width to height from which on both plots are in one row, the share of the wider one, and their gap in units of the theme.
const ONE_ROW: f32 = 1.5;
const FIRST: f32 = 0.58;
const GAP: f32 = 3.0;

/// Input of the plot.
#[derive(Clone, Copy, Debug)]
pub struct PredictiveInput<'a> {
    /// The frame.
    pub frame: &'a Frame,
    /// The runs drawn, by number.
    pub runs: &'a [usize],
    /// When data are made.
    pub computing: Computing,
    /// The statistic.
    pub statistic: Statistic,
}

/// The replicated data, and pictures of them.
#[derive(Debug, Default)]
pub struct PredictiveCache {
    observed: Option<(SameTarget, Option<Arc<DataSet>>)>,
    runs: ByRun<Result<Replicates, &'static str>>,
    lines: MeshCache,
}

impl PredictiveCache {
    /// The data of the target of a frame.
    fn observed(&mut self, frame: &Frame) -> Option<Arc<DataSet>> {
        let key = Same(frame.target.clone());
        if self.observed.as_ref().is_none_or(|(known, _)| *known != key) {
            self.observed = Some((key, DataSet::observed(frame.target.as_ref()).map(Arc::new)));
        }
        self.observed.as_ref()?.1.clone()
    }
}

/// A run with its replicated data, and a number that no others had.
type OfRun<'a> = (usize, u64, &'a Replicates);

/// Draws both plots into the space there is.
pub fn show(ui: &mut Ui, input: &PredictiveInput<'_>, theme: &Theme, cache: &mut PredictiveCache) {
    let Some(observed) = cache.observed(input.frame) else {
        ui.label(NO_DATA);
        return;
    };
    let (target, seed) = (input.frame.target.clone(), input.frame.scenario.seed);
    cache.runs.update(ui.ctx(), (input.frame, input.runs), input.computing, |run: RunFrame| {
        let target = target.clone();
        async move { Replicates::of(&target, &run, seed).await }
    });
    let of_run = |run: &usize| cache.runs.get(*run).and_then(|(version, of)| Some((*run, version, of.as_ref().ok()?)));
    let shown: Vec<OfRun<'_>> = input.runs.iter().filter_map(of_run).collect();
    let entries = [Entry::new(Sample::Line(theme.exact, theme.line(), None), "data")];
    run_header::with_legend(ui, input.frame, input.runs, theme, &theme.heading(), &entries);
    legend::line(ui, theme, &values(input, &shown, &observed, theme));
    ui.add_space(theme.space(1.0));
    if cache.runs.is_stale(input.frame, input.runs) {
        ui.set_opacity(theme::STALE);
    }
    let area = ui.available_rect_before_wrap();
    let [first, second] = rects(area, theme.space(GAP));
    let is_standardised = input.frame.target.model().is_some_and(|model| model.standardised_by().is_some());
    let label = if is_standardised { "response, in the units of the file" } else { "response" };
    within(ui, "data", first, |ui| distributions(ui, theme, (label, &observed, &shown), &cache.lines));
    within(ui, "statistic", second, |ui| statistic(ui, theme, input, (&observed, &shown)));
    if shown.is_empty() {
        let reason = input.runs.iter().find_map(|run| cache.runs.get(*run)?.1.as_ref().err());
        let text = reason.copied().unwrap_or("being computed");
        let (font, colour, at) = (theme.small(), theme.soft, first.right_top());
        OverlayLabel { text, font, colour, at, align: egui::Align2::RIGHT_TOP }.paint(ui, theme, first);
    }
    ui.advance_cursor_after_rect(area);
}

/// The p-value of every run.
fn values(input: &PredictiveInput<'_>, shown: &[OfRun<'_>], observed: &DataSet, theme: &Theme) -> Vec<Entry> {
    let number = input.statistic.number();
    let of_run = |(run, _, of): &OfRun<'_>| {
        let p = of.p_value(number, observed.statistics[number]);
        Entry::new(Sample::Marker(theme.run(*run)), format!("p = {}", numbers::decimal(p, 3)))
    };
    let what = format!("share of replicates with a {} of at least that of the data:", input.statistic.label());
    std::iter::once(Entry::new(Sample::None, what)).chain(shown.iter().map(of_run)).collect()
}

/// The areas of both plots: beside each other, or one below the other.
fn rects(area: Rect, gap: f32) -> [Rect; 2] {
    if area.width() > ONE_ROW * area.height() {
        let (left, right) = area.split_left_right_at_fraction(FIRST);
        [left.with_max_x(left.max.x - 0.5 * gap), right.with_min_x(right.min.x + 0.5 * gap)]
    } else {
        let (upper, lower) = area.split_top_bottom_at_fraction(FIRST);
        [upper.with_max_y(upper.max.y - 0.5 * gap), lower.with_min_y(lower.min.y + 0.5 * gap)]
    }
}

fn within(ui: &mut Ui, name: &str, area: Rect, contents: impl FnOnce(&mut Ui)) {
    ui.scope_builder(UiBuilder::new().id_salt(name).max_rect(area), contents);
}

/// The distribution function of the data over those of replicated data.
fn distributions(
    ui: &mut Ui,
    theme: &Theme,
    (label, observed, shown): (&str, &DataSet, &[OfRun<'_>]),
    cache: &MeshCache,
) {
    let all = shown.iter().flat_map(|(.., of)| &of.sets);
    let ends = axis(observed, &all);
    let y = AxisSpec::upright("share of data below", Ticks::Linear);
    let x = AxisSpec { apart: 12.0, ..AxisSpec::wide(that_fits(ui, theme, label, y), Ticks::Linear) };
    let plot = plot("replicated data", theme, x, y).sense(Sense::hover()).allow_drag(false);
    plot.width(before_last_tick(ui, theme)).show(ui, |plot_ui| {
        let versions: Vec<(usize, u64)> = shown.iter().map(|(run, version, _)| (*run, *version)).collect();
        let content = (versions, ends.map(f64::to_bits), theme.mode, theme.scale);
        cache.show_still(plot_ui, content, || {
            let each = (LINES / shown.len().max(1)).max(1);
            let of_run = |(run, _, of): &OfRun<'_>| {
                let colour = theme.run(*run).colour.gamma_multiply(LINE);
                let apart = of.sets.len().div_ceil(each).max(1);
                let line =
                    |set: &DataSet| Mark::Line { points: steps(set, ends), colour, width: theme.thin(), graph: true };
                of.sets.iter().step_by(apart).map(line).collect::<Vec<_>>()
            };
            shown.iter().flat_map(of_run).collect()
        });
        plot_ui.line(curve(steps(observed, ends), theme.exact, 1.4 * theme.line()));
        show_part(plot_ui, [ends[0], 0.0], [ends[1], 1.0], theme);
    });
}

/// Histograms of the statistic of replicated data, and that of the data as a line.
fn statistic(ui: &mut Ui, theme: &Theme, input: &PredictiveInput<'_>, (observed, shown): (&DataSet, &[OfRun<'_>])) {
    let number = input.statistic.number();
    let value = observed.statistics[number];
    let of = |replicates: &Replicates| replicates.statistics.iter().map(|values| values[number]).collect::<Vec<f64>>();
    let values: Vec<(usize, Vec<f64>)> = shown.iter().map(|(run, _, replicates)| (*run, of(replicates))).collect();
    let ends = around(values.iter().flat_map(|(_, values)| values.iter().copied()), value);
    let outlines: Vec<_> = values.iter().map(|(run, values)| (*run, histogram(values, ends))).collect();
    let highest = outlines.iter().flat_map(|(_, outline)| outline).map(|at| at[1]).fold(0.0, f64::max);
    let highest = if highest > 0.0 { 1.06 * highest } else { 1.0 };
    let y = AxisSpec::upright("share", Ticks::Density);
    let label = format!("{} of replicated data", input.statistic.label());
    let x = AxisSpec { apart: 12.0, ..AxisSpec::wide(that_fits(ui, theme, &label, y), Ticks::Linear) };
    let plot = plot("statistic", theme, x, y).sense(Sense::hover()).allow_drag(false);
    let drawn = plot.width(before_last_tick(ui, theme)).show(ui, |plot_ui| {
        for (run, outline) in outlines {
            run_line::line(plot_ui, outline, (theme.run(run).colour, theme.line()), theme.run(run));
        }
        plot_ui.line(curve(vec![[value, 0.0], [value, highest]], theme.exact, 1.4 * theme.line()));
        show_part(plot_ui, [ends[0], 0.0], [ends[1], highest], theme);
    });
    let rect = drawn.response.rect;
    if let Some(pointer) = drawn.response.hover_pos().filter(|at| rect.contains(*at)) {
        let mut lines = vec![format!("{} of the data {}", input.statistic.label(), numbers::brief(value))];
        for (run, _, replicates) in shown {
            let name = input.frame.runs.get(*run).map_or("", |run| run.plan.name.as_str());
            let p = numbers::decimal(replicates.p_value(number, value), 3);
            lines.push(format!("{name}: p = {p}, of {} replicates", replicates.statistics.len()));
        }
        let plot = Rect::from_min_max(pos2(rect.min.x, rect.min.y), rect.max);
        overlay_label::at_pointer(ui, theme, plot, pointer, &lines.join("\n"));
    }
}

//! Evidence lower bound (ELBO) of approximations against steps, below the log evidence of the target. The gap between the two
//! is KL(q‖p), which variational inference minimises.
//!
//! Lines are means of the estimates in columns of some points of the screen. Bands are one standard error to either side, or
//! the extremes where several steps share a column. The evidence estimate of a Laplace approximation is a dashed line: it is no
//! bound, and can be above log Z. Values before a change of the target are pale; the line of log Z starts at that change.

use std::ops::Range;

use egui::{Align2, Pos2, Rect, Stroke, Ui, pos2};
use egui_plot::{Line, LineStyle, MarkerShape, PlotTransform, PlotUi, Points};

use super::curves::ElboCache;
use super::geometry::{Column as ElboColumn, interesting};
use crate::kit::axes::{AxisSpec, Ticks, answers, in_height, plot};
use crate::kit::legend::{Entry, Sample};
use crate::kit::overlay_label::{OverlayLabel, at_free_position};
use crate::kit::run_header;
use crate::kit::steps::{StepsInput, StepsResponse, along_time, finish, furniture, scrolled, set_bounds};
use crate::kit::time_axis::as_f64;
use crate::theme::Theme;
use crate::words::fit_remarks::{WITH_LATENT, augmented, estimate, evidence, nats};
use crate::words::numbers;
use engine::session::{FitFrame, RunFrame};
use samplers::methods::{FitRecord, FitState};

/// Largest number of columns with a node on each, so that every step is visible.
const NODES: usize = 60;

/// Height of the ticks of shortened or skipped steps, in units of the theme.
const TICK: f32 = 2.5;

/// Text of an empty plot: all runs are samplers.
const SAMPLERS: &str =
    "Samplers have no ELBO: they fit no distribution. Add a run of Laplace, Gaussian VI, SVI or CAVI to see one.";

/// Text before the first step.
const NOTHING_YET: &str = "The ELBO is shown from the first step on.";

/// Text of methods that make a distribution of what they have trained.
const NO_BOUND: &str = "SWAG and MC dropout have no ELBO: they maximise none.";

/// Draws the plot into the available space.
pub fn show(ui: &mut Ui, input: &StepsInput<'_>, theme: &Theme, cache: &mut ElboCache) -> StepsResponse {
    run_header::with_legend(ui, input.frame, input.runs, theme, &theme.strong(), &entries(input, theme));
    ui.add_space(theme.space(0.5));
    let x = AxisSpec::wide(input.axis.label(), input.axis.ticks());
    let y = AxisSpec { digits: 6.5, ..AxisSpec::upright("nats", Ticks::Linear) };
    let [x, y] = in_height(ui, ui.available_height(), theme, [x, y]);
    let plot = along_time(plot(("elbo", input.axis.key()), theme, x, y), ui, input, theme);
    let made = &mut *cache;
    made.keep(|run| input.frame.runs.get(run).and_then(|run| run.fits.as_ref()).map_or(0, |fits| fits.trace.chains()));
    let shown = plot.show(ui, |plot_ui| {
        let range = scrolled(plot_ui, &input.positions());
        let width = plot_ui.response().rect.width();
        for (run, frame, fits) in fitted(input) {
            made.prepare(input, (run, frame.target_since, fits), (&range, width));
        }
        // From here on the cache is only read, for as long as the plot's items borrow from it.
        let cache = &*made;
        let values = values(input, cache);
        furniture(plot_ui, input, &range, theme);
        add(plot_ui, input, (&range, &values), theme, cache);
        set_bounds(plot_ui, &range, &values, theme);
        range
    });
    answers(ui, theme, &shown.response, [x, y]);
    let (rect, transform) = (shown.response.rect, &shown.transform);
    guards(ui, input, theme, (rect, transform), cache);
    // On paper the legend has the values: words beside a line would hide curves.
    if !theme.labels.whole {
        line_words(ui, input, theme, (rect, transform));
    }
    if let Some(text) = nothing(input, cache) {
        let (font, colour, at) = (theme.body(), theme.soft, rect.center());
        OverlayLabel { text, font, colour, at, align: Align2::CENTER_CENTER }.paint(ui, theme, rect);
    }
    let readout = |steps: &dyn Fn(usize) -> u64| readout(input, steps);
    finish(ui, input, theme, (shown.response, transform), &shown.inner, readout)
}

/// The runs shown that are approximations.
fn fitted<'a>(input: &'a StepsInput<'_>) -> impl Iterator<Item = (usize, &'a RunFrame, &'a FitFrame)> {
    input.runs.iter().filter_map(|&index| {
        let run = input.frame.runs.get(index)?;
        Some((index, run, run.fits.as_ref()?))
    })
}

/// The log evidence of the target, where it is known.
fn log_z(input: &StepsInput<'_>) -> Option<f64> {
    Some(input.frame.target.info().log_normaliser).filter(|value| input.truth && value.is_finite())
}

/// The position at which the present target began, for the run that saw it first.
fn target_from(input: &StepsInput<'_>) -> f64 {
    let starts = fitted(input).map(|(index, run, _)| from(input, index, run.target_since));
    starts.min_by(f64::total_cmp).unwrap_or(f64::NEG_INFINITY)
}

/// The position where lines of the present target start; −∞ if there was no other target.
fn from(input: &StepsInput<'_>, run: usize, target_since: u64) -> f64 {
    if target_since > 0 { input.along(run).position(as_f64(target_since)) } else { f64::NEG_INFINITY }
}

/// The log evidences that runs estimate (Laplace).
fn evidences<'a>(input: &'a StepsInput<'_>) -> impl Iterator<Item = (usize, &'a RunFrame, f64)> {
    fitted(input).filter_map(|(index, run, fits)| Some((index, run, evidence(fits).filter(|value| value.is_finite())?)))
}

/// The values shown.
fn values(input: &StepsInput<'_>, cache: &ElboCache) -> Range<f64> {
    let present: Vec<Vec<ElboColumn>> =
        fitted(input).flat_map(|(run, ..)| cache.columns(run)).map(<[ElboColumn]>::to_vec).collect();
    let all = || fitted(input).flat_map(|(run, ..)| cache.all_columns(run)).map(<[ElboColumn]>::to_vec).collect();
    // Just after a change of the target, only earlier values exist.
    let curves = if present.iter().all(Vec::is_empty) { all() } else { present };
    let lines: Vec<f64> = log_z(input).into_iter().chain(evidences(input).map(|(.., value)| value)).collect();
    interesting(&curves, &lines).unwrap_or(-1.0..0.0)
}

/// Meaning of lines, bands and ticks.
fn entries(input: &StepsInput<'_>, theme: &Theme) -> Vec<Entry> {
    if fitted(input).next().is_none() {
        return Vec::new();
    }
    let mut entries = Vec::new();
    let records = || fitted(input).flat_map(|(_, _, fits)| &fits.records);
    if records().any(|record| record.guards > 0) {
        entries.push(Entry::new(Sample::None, "ticks below: shortened or skipped steps"));
    }
    if records()
        .filter_map(|record| record.elbo)
        .any(|elbo| elbo.standard_error > 0.0 && elbo.standard_error.is_finite())
    {
        entries.push(Entry::new(Sample::None, "band: ± standard error, or extremes"));
    }
    let dashes = Some([theme.space(2.0), theme.space(1.0)]);
    if theme.labels.whole {
        for (index, run, value) in evidences(input) {
            let text = format!("{} log evidence {}, no bound", run.plan.name, nats(value));
            entries.push(Entry::new(Sample::Line(theme.run(index).colour, theme.line(), dashes), text));
        }
    } else if evidences(input).next().is_some() {
        entries.push(Entry::new(Sample::Line(theme.soft, theme.line(), dashes), "log evidence (Laplace), no bound"));
    }
    if input.truth {
        let value = log_z(input).filter(|_| theme.labels.whole).map(|value| format!(" {}", nats(value)));
        let text = format!("log Z{}; the gap below it is KL(q‖p)", value.unwrap_or_default());
        entries.push(Entry::new(Sample::Line(theme.exact, theme.line(), None), text));
    }
    if fitted(input).any(|(_, run, _)| augmented(run, input.frame.target.as_ref())) {
        entries.push(Entry::new(Sample::None, "with latent assignments (CAVI on a mixture) the gap is larger"));
    }
    if fitted(input).any(|(_, run, _)| run.target_since > 0) {
        entries.push(Entry::new(Sample::None, "pale: for an earlier target"));
    }
    entries
}

/// Adds the lines, the curves, nodes where there are few steps, and a marker at the newest value.
fn add<'a>(
    plot_ui: &mut PlotUi<'a>,
    input: &StepsInput<'_>,
    (range, values): (&Range<f64>, &Range<f64>),
    theme: &Theme,
    cache: &'a ElboCache,
) {
    if fitted(input).next().is_none() {
        return;
    }
    if let Some(log_z) = log_z(input) {
        let ends = [[target_from(input).max(range.start), log_z], [range.end, log_z]];
        let line = Line::new("", ends.to_vec()).color(theme.exact).width(theme.line());
        if ends[0][0] < ends[1][0] {
            plot_ui.line(line.allow_hover(false));
        }
    }
    for (index, run, value) in evidences(input) {
        let ends = [[from(input, index, run.target_since).max(range.start), value], [range.end, value]];
        let line = Line::new("", ends.to_vec()).color(theme.run(index).colour).width(theme.line());
        if ends[0][0] < ends[1][0] {
            plot_ui.line(line.style(LineStyle::Dashed { length: theme.space(2.0) }).allow_hover(false));
        }
    }
    for (run, ..) in fitted(input) {
        let style = theme.run(run);
        cache.add(plot_ui, input, (run, style.colour), values, theme);
        let along = input.along(run);
        for columns in cache.columns(run) {
            let position = |column: &ElboColumn| {
                Some([along.position(column.step), column.span.mean().filter(|mean| values.contains(mean))?])
            };
            if columns.len() <= NODES {
                let nodes: Vec<[f64; 2]> = columns.iter().filter_map(position).collect();
                let nodes = Points::new("", nodes).shape(MarkerShape::Circle).color(style.colour);
                plot_ui.points(nodes.radius(theme.marker(0.7)).allow_hover(false));
            }
        }
        // The newest value of the first chain.
        let newest = cache.columns(run).next().and_then(|columns| columns.last());
        if let Some((column, mean)) = newest.and_then(|column| Some((column, column.span.mean()?))) {
            let end = Points::new("", vec![[along.position(column.step), mean]]).shape(style.marker);
            plot_ui.points(end.color(style.colour).radius(theme.marker(1.25)).allow_hover(false));
        }
    }
}

/// Marks shortened or skipped steps at the lower edge.
fn guards(
    ui: &Ui,
    input: &StepsInput<'_>,
    theme: &Theme,
    (rect, transform): (Rect, &PlotTransform),
    cache: &ElboCache,
) {
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    for (run, ..) in fitted(input) {
        for columns in cache.all_columns(run) {
            for pair in columns.windows(2).filter(|pair| pair[1].span.guards > pair[0].span.guards) {
                let foot =
                    pos2(transform.position_from_point_x(input.along(run).position(pair[1].step)), rect.bottom());
                let top = Pos2::new(foot.x, foot.y - theme.space(TICK));
                painter.line_segment([foot, top], Stroke::new(theme.thin(), theme.run(run).colour));
            }
        }
    }
}

/// Names the horizontal lines.
fn line_words(ui: &Ui, input: &StepsInput<'_>, theme: &Theme, (rect, transform): (Rect, &PlotTransform)) {
    if fitted(input).next().is_none() {
        return;
    }
    let height = |value: f64| transform.position_from_point_y(value);
    let (left, right) = (rect.left() + theme.space(1.5), rect.right() - theme.space(1.0));
    let gap = theme.space(0.5);
    let end = transform.bounds().max()[0];
    let mut used = Vec::new();
    let mut top = rect.top();
    if !input.frame.scenario.events.is_empty() {
        // The words of events are there.
        top += 1.3 * theme.text.small + theme.space(2.0);
        used.push(Rect::from_min_max(rect.min, pos2(rect.right(), top)));
    }
    let mut name = |text: &str, colour, positions: [(Pos2, Align2); 3]| {
        let label = |(at, align)| OverlayLabel { text, font: theme.small(), colour, at, align };
        at_free_position(ui, theme, (rect, &mut used, &[]), label, &positions);
    };
    if let Some(log_z) = log_z(input).filter(|_| target_from(input) < end) {
        let y = height(log_z);
        let positions = [
            (pos2(right, y - gap), Align2::RIGHT_BOTTOM),
            (pos2(right, y + gap), Align2::RIGHT_TOP),
            (pos2(right, top), Align2::RIGHT_TOP),
        ];
        name(&format!("log Z {}", nats(log_z)), theme.exact, positions);
    }
    for (index, run, value) in evidences(input) {
        let text = format!("{} log evidence {}", run.plan.name, nats(value));
        let start = from(input, index, run.target_since);
        if start >= end {
            continue;
        }
        let left = if start.is_finite() { left.max(transform.position_from_point_x(start)) } else { left };
        // Evidences above log Z have their label above the line, the others below.
        let above = log_z(input).is_none_or(|log_z| value >= log_z);
        let above_it = (pos2(left, height(value) - gap), Align2::LEFT_BOTTOM);
        let below_it = (pos2(left, height(value) + gap), Align2::LEFT_TOP);
        let (first, second) = if above { (above_it, below_it) } else { (below_it, above_it) };
        let aside = (pos2(rect.center().x, first.0.y), if above { Align2::CENTER_BOTTOM } else { Align2::CENTER_TOP });
        name(&text, theme.run(index).colour, [first, second, aside]);
    }
}

/// The reason why the plot is empty, if it is.
fn nothing(input: &StepsInput<'_>, cache: &ElboCache) -> Option<&'static str> {
    if fitted(input).next().is_none() {
        return Some(SAMPLERS);
    }
    let curves =
        fitted(input).flat_map(|(run, ..)| cache.all_columns(run)).flatten().any(|column| column.span.count > 0);
    let trained = |record: &FitRecord| matches!(record.state, FitState::Training | FitState::Collecting);
    let reason = if fitted(input).all(|(.., fits)| fits.records.iter().all(trained)) { NO_BOUND } else { NOTHING_YET };
    (!curves && evidences(input).next().is_none()).then_some(reason)
}

/// The ELBO of the first chain of each run at its step, or the last one before it, and its gap to log Z if both have the same
/// target.
fn readout(input: &StepsInput<'_>, steps: &dyn Fn(usize) -> u64) -> String {
    let part = |(index, run, fits): (usize, &RunFrame, &FitFrame)| {
        let (trace, step) = (&fits.trace, steps(index));
        let from = trace.rows().checked_sub(1).map(|_| trace.step(0))?;
        let row = usize::try_from(step.checked_sub(from)? / trace.stride()).ok()?.min(trace.rows() - 1);
        let elbo = trace.record(row, 0).elbo?;
        // Earlier values belong to another target than log Z.
        let gap = log_z(input)
            .filter(|_| trace.step(row) > run.target_since)
            .map_or_else(String::new, |log_z| format!(", gap {}", numbers::significant(log_z - elbo.value, 3)));
        if augmented(run, input.frame.target.as_ref()) {
            return Some(format!("{} bound {}{gap} {WITH_LATENT}", run.plan.name, estimate(elbo)));
        }
        Some(format!("{} ELBO {}{gap}", run.plan.name, estimate(elbo)))
    };
    fitted(input).filter_map(part).collect::<Vec<_>>().join("   ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Fake, Recipe, approximation, frame, whole};
    use crate::theme;
    use base::math::{Distribution, Matrix, Point};
    use egui::vec2;
    use egui_kittest::Harness;
    use engine::diagnostics::{Component, Fit};
    use engine::session::{Clock, Frame};
    use samplers::methods::Estimate;
    use std::sync::Arc;

    const RECIPE: Recipe = Recipe { name: "SVI", chains: 2, steps: 300, total: 1000, alpha: 0.01, cycle: 0 };

    fn record(step: u64, chain: usize) -> FitRecord {
        let value = -1.0 - 500.0 / (1.0 + step as f64).powi(2) - 0.1 * chain as f64;
        FitRecord {
            distribution: Some(Distribution::gaussian(2, Point::zeros(), Matrix::identity())),
            elbo: (step > 0).then_some(Estimate { value, standard_error: 0.1 }),
            guards: step / 50,
            ..FitRecord::default()
        }
    }

    fn made(recipe: Recipe, record: impl Fn(u64, usize) -> FitRecord) -> Frame {
        let mut frame = frame(Fake::grid(), &[recipe, Recipe { name: "SGLD", ..recipe }]);
        approximation(&mut frame.runs[0], 2, record);
        frame
    }

    fn input<'a>(frame: &'a Frame, runs: &'a [usize], log: bool) -> StepsInput<'a> {
        whole(frame, runs, (Clock::Steps, log))
    }

    struct State {
        frame: Frame,
        log: bool,
        cache: ElboCache,
        rect: Rect,
    }

    fn harness(frame: Frame) -> Harness<'static, State> {
        let state = State { frame, log: false, cache: ElboCache::default(), rect: Rect::NOTHING };
        let look = Theme::default();
        Harness::builder().with_size(vec2(800.0, 300.0)).with_context_setup(theme::install_fonts).build_ui_state(
            move |ui, state: &mut State| {
                theme::apply(ui.ctx(), &look);
                let input = input(&state.frame, &[0, 1], state.log);
                let response = show(ui, &input, &look, &mut state.cache);
                state.rect = response.response.rect;
            },
            state,
        )
    }

    #[test]
    fn curves_are_bounded_by_the_screen_and_made_again_only_for_more_steps() {
        let mut harness = harness(made(RECIPE, record));
        harness.run_steps(3);
        let version = |harness: &Harness<'_, State>| harness.state().cache.version(0);
        let before = version(&harness);
        assert!(harness.state().cache.columns(0).all(|columns| columns.len() <= 402));
        assert_eq!(harness.state().cache.columns(0).count(), 2);
        harness.run_steps(3);
        assert_eq!(version(&harness), before);
        harness.state_mut().log = true;
        harness.run_steps(3);
        assert_ne!(version(&harness), before);
        let counted: usize =
            harness.state().cache.columns(0).next().unwrap().iter().map(|column| column.span.count).sum();
        assert_eq!(counted, 300, "every estimate is in one column");
        let cached = input(&harness.state().frame, &[0], true);
        let shown = values(&cached, &harness.state().cache);
        assert!(shown.contains(&-1.1) && shown.start > -100.0, "extreme first values are outside the plot: {shown:?}");
    }

    #[test]
    fn an_empty_plot_gives_a_reason() {
        let cache = ElboCache::default();
        let mut frame = made(Recipe { steps: 0, ..RECIPE }, record);
        assert_eq!(nothing(&input(&frame, &[0], false), &cache), Some(NOTHING_YET));
        assert_eq!(nothing(&input(&frame, &[1], false), &cache), Some(SAMPLERS));
        let fits = frame.runs[0].fits.as_mut().unwrap();
        fits.records.iter_mut().for_each(|record| record.state = FitState::Training);
        assert_eq!(nothing(&input(&frame, &[0], false), &cache), Some(NO_BOUND));
        let distribution = Distribution::gaussian(2, Point::zeros(), Matrix::identity());
        let component = Component { weight: 1.0, distribution, log_evidence: Some(-3.0) };
        let fits = frame.runs[0].fits.as_mut().unwrap();
        fits.fit = Fit::new(2, fits.coordinates, vec![component]).map(Arc::new);
        assert_eq!(nothing(&input(&frame, &[0], false), &cache), None, "an evidence is a line");
        for steps in [0, 1, 5] {
            let mut harness = harness(made(Recipe { steps, ..RECIPE }, record));
            harness.run_steps(3);
        }
    }

    /// log Z belongs to the present target: values for an earlier one have no gap to it.
    #[test]
    fn values_for_an_earlier_target_have_no_gap() {
        let mut frame = made(RECIPE, record);
        frame.runs[0].target_since = 100;
        let mut harness = harness(frame);
        for log in [false, true] {
            harness.state_mut().log = log;
            harness.run_steps(3);
            let State { frame, cache, .. } = harness.state();
            let count = |columns: &[ElboColumn]| columns.iter().map(|column| column.span.count).sum::<usize>();
            assert!(cache.columns(0).all(|columns| count(columns) == 200), "steps 101 to 300");
            assert!(cache.all_columns(0).all(|columns| count(columns) == 300));
            assert!(cache.columns(0).flatten().all(|column| column.step > 100.0));
            let input = input(frame, &[0], log);
            assert!((target_from(&input) - input.axis.position(100.0)).abs() < 1e-12);
            assert!(!readout(&input, &|_| 100).contains("gap") && readout(&input, &|_| 100).starts_with("SVI ELBO"));
            assert!(readout(&input, &|_| 101).contains(", gap "));
        }
        harness.state_mut().frame.runs[0].target_since = 300;
        harness.run_steps(3);
        assert_eq!(harness.state().cache.columns(0).flatten().count(), 0, "none yet for the new target");
    }

    #[test]
    fn the_readout_shows_the_estimate_and_the_gap() {
        let frame = made(RECIPE, record);
        let input = input(&frame, &[0, 1], false);
        let gap = log_z(&input).unwrap() + 1.0 + 500.0 / 101.0_f64.powi(2);
        let expected = format!("SVI ELBO −1.05 ± 0.10, gap {}", numbers::significant(gap, 3));
        assert_eq!(readout(&input, &|_| 100), expected);
        assert_eq!(readout(&input, &|_| 0), "", "there is none before the first step");
        assert!(readout(&input, &|_| 900).starts_with("SVI ELBO −1.01"), "the last one before it");
    }
}

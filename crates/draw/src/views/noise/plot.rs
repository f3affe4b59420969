//! Parts of the steps: displacement of the chains by drift, gradient noise, injected noise and momentum, and the step at which
//! gradient noise falls below injected noise (Welling and Teh 2011, ICML, §4.2).
//!
//! Dots are recorded steps. The noise of a single chain is near zero as often as far from it, so that lines show the root mean
//! square of neighbouring steps. Thin lines are the expected displacements of Langevin steps of these sizes.

use std::ops::Range;

use egui::{Align2, Color32, Label, Rect, RichText, Ui, pos2};
use egui_plot::{LineStyle, PlotTransform, PlotUi, VLine};

use super::curves::NoiseCache;
use super::transition;
use crate::geometry::{Extension, Part};
use crate::kit::axes::{AxisSpec, Ticks, answers, in_height, plot};
use crate::kit::legend::{Entry, Sample, part_of_run};
use crate::kit::overlay_label::OverlayLabel;
use crate::kit::run_header;
use crate::kit::steps::{StepsInput, StepsResponse, along_time, finish, furniture, scrolled, set_bounds};
use crate::kit::time_axis::as_f64;
use crate::theme::Theme;
use crate::words::numbers;
use engine::session::{RunFrame, StepParts};

/// Decades shown below the largest magnitude at most.
pub(super) const DECADES: f64 = 5.0;

/// Margin above and below the lines, in decades.
pub(super) const MARGIN: f64 = 0.25;

/// The largest share of the height that is free for words below the lines.
const MOST_FREE: f32 = 0.4;

/// Transitions marked in a run at most: more would merge into grey.
const MOST_LINES: usize = 60;

/// Draws the plot into the available space.
pub fn show(
    ui: &mut Ui,
    input: &StepsInput<'_>,
    extension: Extension,
    theme: &Theme,
    cache: &mut NoiseCache,
) -> StepsResponse {
    let top = ui.cursor().top();
    run_header::with_legend(ui, input.frame, input.runs, theme, &theme.strong(), &entries(input, theme, cache));
    if theme.labels.whole && theme.labels.legends {
        // On paper words stand above the plot, where they hide nothing.
        for (_, text, colour) in notes(input, theme, cache) {
            ui.add(Label::new(RichText::new(text).font(theme.small()).color(colour)).wrap());
        }
        run_header::note_height(ui, top);
    }
    ui.add_space(theme.space(0.5));
    let label = axis_label(input, extension);
    let axes = [AxisSpec::wide(input.axis.label(), input.axis.ticks()), AxisSpec::upright(&label, Ticks::Log)];
    let [x, y] = in_height(ui, ui.available_height(), theme, axes);
    let plot = along_time(plot(("noise", input.axis.key(), extension), theme, x, y), ui, input, theme);
    let made = &mut *cache;
    made.prepare_dot(ui.ctx(), theme);
    let shown = plot.show(ui, |plot_ui| {
        let range = scrolled(plot_ui, &input.positions());
        let width = plot_ui.response().rect.width();
        for &run in input.runs {
            made.prepare(input, run, extension, (&range, width));
        }
        // From here on the cache is only read, for as long as the plot's items borrow from it.
        let cache = &*made;
        furniture(plot_ui, input, &range, theme);
        add(plot_ui, input, theme, cache);
        let free = free(input, theme, cache) / plot_ui.response().rect.height().max(1.0);
        set_bounds(plot_ui, &range, &bounds(cache.limits(input.runs), free), theme);
        range
    });
    answers(ui, theme, &shown.response, [x, y]);
    let rect = shown.response.rect;
    if !theme.labels.whole {
        transition_words(ui, input, theme, (rect, &shown.transform), cache);
    }
    if input.runs.iter().all(|&run| input.frame.runs.get(run).is_none_or(|run| run.parts.is_empty())) {
        let text = "The parts of the steps are shown from the first step on.";
        let (font, colour, at) = (theme.body(), theme.faint, rect.center());
        OverlayLabel { text, font, colour, at, align: Align2::CENTER_CENTER }.paint(ui, theme, rect);
    }
    let readout = |steps: &dyn Fn(usize) -> u64| readout(input, extension, steps);
    finish(ui, input, theme, (shown.response, &shown.transform), &shown.inner, readout)
}

fn axis_label(input: &StepsInput<'_>, extension: Extension) -> String {
    match extension {
        Extension::Coordinate(coordinate) => format!("moved along {}", input.frame.target.info().axes[coordinate]),
        Extension::Length => "distance moved".to_owned(),
    }
}

/// The colour of a part: its own where one run is shown, else that of the run.
fn colour(input: &StepsInput<'_>, theme: &Theme, run: usize, part: Part) -> Color32 {
    if input.runs.len() > 1 { theme.run(run).colour } else { theme.part(part) }
}

/// Adds the dots, the lines, the expected lines, and the transitions.
fn add<'a>(plot_ui: &mut PlotUi<'a>, input: &StepsInput<'_>, theme: &Theme, cache: &'a NoiseCache) {
    for &run in input.runs {
        cache.add(plot_ui, run, theme, input.runs.len() == 1, |part| colour(input, theme, run, part));
        let Some(transition) = cache.transition(run) else { continue };
        let line = run_colour(input, theme, run);
        for step in transition.begins().take(MOST_LINES) {
            let line = VLine::new("", input.along(run).position(as_f64(step))).color(line).width(theme.thin());
            plot_ui.vline(line.style(LineStyle::Dashed { length: theme.space(1.5) }).allow_hover(false));
        }
    }
}

/// The colour of the label of a run's transition.
fn run_colour(input: &StepsInput<'_>, theme: &Theme, run: usize) -> Color32 {
    if input.runs.len() > 1 { theme.run(run).colour } else { theme.accent }
}

/// The decades shown, from the smallest and the largest magnitude, with this share of the height free below.
pub(super) fn bounds(limits: Option<Range<f64>>, free: f32) -> Range<f64> {
    let Some(limits) = limits else { return -3.0..0.0 };
    let top = limits.end.log10() + MARGIN;
    let bottom = limits.start.log10().max(top - MARGIN - DECADES) - MARGIN;
    top - (top - bottom) / f64::from(1.0 - free.clamp(0.0, MOST_FREE))..top
}

/// The height of a label over the plot.
fn line_height(theme: &Theme) -> f32 {
    1.35 * theme.text.small + theme.space(1.5)
}

/// The height of the labels over the plot: the transitions of the runs, and below them the numbers under the pointer. None on paper.
pub(super) fn free(input: &StepsInput<'_>, theme: &Theme, cache: &NoiseCache) -> f32 {
    let lines = if theme.labels.whole { 0 } else { notes(input, theme, cache).len() };
    if lines == 0 { 0.0 } else { (lines + 1) as f32 * line_height(theme) }
}

/// Legend: the parts present, and the meaning of the lines.
fn entries(input: &StepsInput<'_>, theme: &Theme, cache: &NoiseCache) -> Vec<Entry> {
    let one = input.runs.len() == 1;
    let there = |part: &Part| input.runs.iter().any(|&run| cache.has(run, *part));
    // A part may be called otherwise in another run.
    let name = |part: Part| {
        let having = input.runs.iter().filter(|&&run| cache.has(run, part));
        let mut names: Vec<_> = having.filter_map(|&run| Some(part_of_run(part, input.frame.runs.get(run)?))).collect();
        names.sort_unstable();
        names.dedup();
        names.join(" or ")
    };
    let sample = |part: Part| {
        let colour = if one { theme.part(part) } else { theme.ink };
        Entry::new(Sample::Line(colour, theme.line(), theme.dashes(part)), name(part))
    };
    let note = "lines: root mean square of neighbouring steps";
    let mut entries = vec![Entry::new(Sample::None, note)];
    entries.extend(Part::ALL.into_iter().filter(there).map(sample));
    let expected = |run: &usize| cache.transition(*run);
    if entries.len() > 1 && input.runs.iter().any(|run| expected(run).is_some()) {
        let noisy = input.runs.iter().filter_map(expected).any(transition::Transition::noisy);
        let text = if noisy { "expected: √(2α), α√V" } else { "expected: √(2α)" };
        entries.push(Entry::new(Sample::Line(theme.soft, theme.thin(), None), text));
        if noisy {
            // The first entry is the first one to go where space is short.
            entries.insert(0, Entry::new(Sample::None, "V: noise variance"));
        }
    }
    if entries.len() > 1 { entries } else { Vec::new() }
}

/// The transition of each run in words, with the run if it is that of one, and the runs without gradient noise.
fn notes(input: &StepsInput<'_>, theme: &Theme, cache: &NoiseCache) -> Vec<(Option<usize>, String, Color32)> {
    let several = input.runs.len() > 1;
    let stepped = |run: &&usize| input.frame.runs.get(**run).is_some_and(|run| !run.parts.is_empty());
    let (noisy, quiet): (Vec<usize>, Vec<usize>) =
        input.runs.iter().filter(stepped).partition(|run| cache.has(**run, Part::GradientNoise));
    let words = |run: usize| {
        let (transition, frame) = (cache.transition(run)?, input.frame.runs.get(run)?);
        let text = transition.words(frame.step)?;
        let text = if several { format!("{}: {text}", frame.plan.name) } else { text };
        Some((Some(run), text, run_colour(input, theme, run)))
    };
    let mut notes: Vec<_> = noisy.into_iter().filter_map(words).collect();
    if !quiet.is_empty() {
        let names: Vec<&str> = quiet.iter().map(|&run| input.frame.runs[run].plan.name.as_str()).collect();
        let names = if several { format!(": {}", names.join(", ")) } else { String::new() };
        notes.push((None, format!("no gradient noise{names}"), theme.soft));
    }
    notes
}

/// Labels the transition of each run, beside its line if there is one, above each other from the bottom.
fn transition_words(
    ui: &Ui,
    input: &StepsInput<'_>,
    theme: &Theme,
    (rect, transform): (Rect, &PlotTransform),
    cache: &NoiseCache,
) {
    // The lowest line is free for the numbers under the pointer.
    let mut bottom = rect.bottom() - theme.space(1.0) - line_height(theme);
    let position = |run: Option<usize>| {
        let (run, transition) = run.and_then(|run| Some((run, cache.transition(run)?)))?;
        let at = |step: u64| transform.position_from_point_x(input.along(run).position(as_f64(step)));
        Some(transition.begins().next().map_or(rect.left(), |step| at(step).clamp(rect.left(), rect.right())))
    };
    let notes: Vec<_> =
        notes(input, theme, cache).into_iter().map(|(run, text, colour)| (position(run), text, colour)).collect();
    // To the left of the lines if there is space for all: curves fall to the right.
    let width = |text: &str| ui.painter().layout_no_wrap(text.to_owned(), theme.small(), theme.ink).size().x;
    let fits = |(x, text, _): &(Option<f32>, String, Color32)| {
        x.is_none_or(|x| x - rect.left() > width(text) + theme.space(4.0))
    };
    let (side, align) = if notes.iter().all(fits) { (-1.0, Align2::RIGHT_BOTTOM) } else { (1.0, Align2::LEFT_BOTTOM) };
    for (x, text, colour) in notes.into_iter().rev() {
        // Words without space below the lines are left out.
        if bottom - line_height(theme) < rect.bottom() - MOST_FREE * rect.height() {
            break;
        }
        let (x, side, align) = x.map_or((rect.left(), 1.0, Align2::LEFT_BOTTOM), |x| (x, side, align));
        let (font, at) = (theme.small(), pos2(x + side * theme.space(0.75), bottom));
        bottom = OverlayLabel { text: &text, font, colour, at, align }.paint(ui, theme, rect).top() - theme.space(0.5);
    }
}

/// The parts of the last recorded step at or before a step, for each run.
fn readout(input: &StepsInput<'_>, extension: Extension, steps: &dyn Fn(usize) -> u64) -> String {
    let part = |index: usize, run: &RunFrame| {
        let number = run.parts.partition_point(|parts| parts.step <= steps(index)).checked_sub(1)?;
        let words = in_words(&run.parts[number], extension, run);
        Some(if input.runs.len() > 1 { format!("{} {words}", run.plan.name) } else { words })
    };
    let parts: Vec<String> = input.runs.iter().filter_map(|&run| part(run, input.frame.runs.get(run)?)).collect();
    parts.join("   ")
}

fn in_words(parts: &StepParts, extension: Extension, run: &RunFrame) -> String {
    let length = |part: Part| {
        let size = extension.of(part.of(parts));
        (size > 0.0).then(|| format!("{} {}", part_of_run(part, run), numbers::significant(size, 3)))
    };
    let lengths: Vec<String> = Part::ALL.into_iter().filter_map(length).collect();
    if lengths.is_empty() { "no movement".to_owned() } else { lengths.join(", ") }
}

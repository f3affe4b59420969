//! Bars of the error of runs in parts: a line for each run, with the numbers above it.

use egui::{Align2, Color32, Rect, Stroke, StrokeKind, Ui, pos2, vec2};

use super::cache::ErrorCache;
use super::geometry::{Part, PartKind, of_mean, parts};
use super::shown::ErrorOf;
use crate::kit::legend::{Entry, Sample};
use crate::theme::Theme;
use crate::words::numbers;
use crate::words::word::Word;
use engine::session::Frame;

/// Heights of a line of words and of a bar, in sizes of small text.
const LINE: f32 = 1.35;
const BAR: f32 = 0.9;

/// Opacities of bias, transient and Monte Carlo parts.
const OPACITY: [f32; 3] = [1.0, 0.55, 0.22];

/// The parts in words: those that runs have; all while none is known.
pub(super) fn entries((frame, runs, of): (&Frame, &[usize], ErrorOf), theme: &Theme, cache: &ErrorCache) -> Vec<Entry> {
    let all = [PartKind::Bias, PartKind::Transient, PartKind::Systematic, PartKind::MonteCarlo];
    let known: Vec<PartKind> = runs
        .iter()
        .filter_map(|&run| parts(cache.found(run)?.ok()?, of.measure(), measured((frame, run), of)).ok())
        .flatten()
        .map(|part| part.kind)
        .collect();
    let there = |kind: &PartKind| if known.is_empty() { *kind != PartKind::Systematic } else { known.contains(kind) };
    let kinds = all.into_iter().filter(there);
    let entry = |kind: PartKind| Entry::new(Sample::Band(colour(theme.ink, kind)), kind.name());
    std::iter::once(Entry::new(Sample::None, format!("{} of the draws", of.label()))).chain(kinds.map(entry)).collect()
}

/// What is measured of a run that is over.
fn measured((frame, run): (&Frame, usize), of: ErrorOf) -> Option<f64> {
    let run = frame.runs.get(run).filter(|run| run.step >= run.plan.steps)?;
    run.measures.iter().find(|measure| measure.key == of.measure())?.value
}

fn colour(of: Color32, kind: PartKind) -> Color32 {
    of.gamma_multiply(match kind {
        PartKind::Bias | PartKind::Systematic => OPACITY[0],
        PartKind::Transient => OPACITY[1],
        PartKind::MonteCarlo => OPACITY[2],
    })
}

/// Draws the bars into a rectangle.
pub(super) fn show(
    ui: &mut Ui,
    (frame, runs, of): (&Frame, &[usize], ErrorOf),
    rect: Rect,
    theme: &Theme,
    cache: &ErrorCache,
) {
    let known: Vec<(usize, Result<Vec<Part>, String>)> = runs
        .iter()
        .map(|&run| {
            let measured = measured((frame, run), of);
            let found = match cache.found(run) {
                None => Err(format!("computing, {:.0} %", 100.0 * cache.done(run))),
                Some(Err(why)) => Err(format!("not computed: {why}")),
                Some(Ok(found)) => parts(found, of.measure(), measured).map_err(|why| format!("not computed: {why}")),
            };
            (run, found)
        })
        .collect();
    let ends =
        known.iter().filter_map(|(_, parts)| parts.as_ref().ok()).flatten().flat_map(|part| [part.from, part.to]);
    let largest = ends.fold(0.0, f64::max).max(f64::MIN_POSITIVE);
    let line = LINE * theme.text.small;
    let least = (2.0 * line + BAR * line) * known.len() as f32;
    let axes = frame.target.axis_labels();
    let dimension = frame.target.info().dimension;
    let with_means = least + line * (dimension * known.len()) as f32 <= rect.height();
    let painter = ui.painter().with_clip_rect(rect.expand(1.0));
    let mut y = rect.top();
    for (run, parts) in &known {
        let Some(name) = frame.runs.get(*run).map(|run| run.plan.name.as_str()) else { continue };
        let text = match parts {
            Ok(parts) => in_words(parts),
            Err(why) => why.clone(),
        };
        let words = painter.layout(format!("{name}: {text}"), theme.small(), theme.ink, rect.width());
        let height = words.size().y.max(line);
        painter.galley(pos2(rect.left(), y), words, theme.ink);
        y += height;
        if let Ok(parts) = parts {
            bar(
                &painter,
                parts,
                (Rect::from_min_size(pos2(rect.left(), y), vec2(rect.width(), BAR * line)), largest),
                (theme, *run),
            );
        }
        y += BAR * line + 0.25 * line;
        let errors = cache.found(*run).and_then(Result::ok).and_then(|found| found.errors.as_ref().ok());
        for (error, axis) in
            errors.iter().flat_map(|errors| errors.iter()).zip(axes).take(if with_means { 2 } else { 0 })
        {
            painter.text(pos2(rect.left(), y), Align2::LEFT_TOP, of_mean(error, axis), theme.small(), theme.soft);
            y += line;
        }
        y += 0.5 * line;
    }
}

/// The parts of a bar, with their sum.
fn in_words(parts: &[Part]) -> String {
    let number = |value: f64| numbers::aligned(value, 2);
    let mut text = String::new();
    for part in parts {
        let (sign, size) = match (text.is_empty(), part.to < part.from) {
            (true, false) => ("", part.to - part.from),
            (true, true) => ("−", part.from - part.to),
            (false, false) => (" + ", part.to - part.from),
            (false, true) => (" − ", part.from - part.to),
        };
        text += &format!("{sign}{} {}", part.kind.name(), number(size));
    }
    let measured = parts.last().is_some_and(|part| part.kind == PartKind::MonteCarlo);
    let last = parts.last().map_or(0.0, |part| part.to);
    let of_draws = if measured { "" } else { " of endlessly many draws" };
    format!("{}{of_draws} = {text}", numbers::aligned(last, 3))
}

fn bar(painter: &egui::Painter, parts: &[Part], (rect, largest): (Rect, f64), (theme, run): (&Theme, usize)) {
    let x = |value: f64| rect.left() + rect.width() * (value / largest) as f32;
    for part in parts {
        let (low, high) = (part.from.min(part.to), part.from.max(part.to));
        let ends = Rect::from_min_max(pos2(x(low), rect.top()), pos2(x(high), rect.bottom()));
        if part.to >= part.from {
            painter.rect_filled(ends, 0.0, colour(theme.run(run).colour, part.kind));
        }
        // A part that goes back is empty, over the one before it.
        let edge = Stroke::new(theme.thin(), if part.to >= part.from { theme.run(run).colour } else { theme.ink });
        painter.rect_stroke(ends, 0.0, edge, StrokeKind::Inside);
    }
}

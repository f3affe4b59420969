//! The space of each panel of a figure. Canvases are no larger than what they show of the target at one scale for both axes; plots take what
//! they leave.

use egui::{Rect, Ui, Vec2, pos2, vec2};

use super::pieces::GAP;
use super::{Dimensions, Extras};
use crate::canvas;
use crate::kit::axes::{self, AxisSpec, Ticks};
use crate::kit::{run_header, warnings, written};
use crate::theme::Theme;
use crate::views;
use engine::scenario::figures::{Panel, Row};
use engine::session::Frame;

/// The panels of a figure that says none: the arrangement with the larger canvases.
pub(super) fn usual(runs: &[&str], size: &Dimensions) -> Vec<Row> {
    /// Canvases at most.
    const MOST: usize = 4;
    /// The height of canvases above a plot, and the width of a plot beside canvases.
    const ABOVE: f64 = 1.5;
    const BESIDE: f64 = 1.4;
    /// Width below which a plot beside canvases says little, in sizes of text.
    const LEAST: f64 = 16.0;
    let count = runs.len().clamp(1, MOST) as f64;
    let [width, height] = size.in_text();
    let above = (width / count).min(height * ABOVE / (ABOVE + 1.0));
    let share = width / (count + BESIDE);
    let is_beside = share.min(height) > above && BESIDE * share > LEAST;
    let mut panels: Vec<(Panel, f64)> =
        runs.iter().take(MOST).map(|run| (Panel::Canvas((*run).to_owned()), 1.0)).collect();
    let schedule = Panel::Plot(views::SCHEDULE.spec);
    if is_beside {
        panels.push((schedule, BESIDE));
        return vec![Row { panels, height: 1.0 }];
    }
    vec![Row { panels, height: ABOVE }, Row { panels: vec![(schedule, 1.0)], height: 1.0 }]
}

/// The spaces of all panels in an area, in the order of reading; `looks` are their themes by rows.
pub(super) fn of_rows(
    ui: &Ui,
    frame: &Frame,
    (extras, looks): (&Extras, &[Vec<Theme>]),
    rows: &[Row],
    area: Rect,
) -> Vec<Rect> {
    let Some(gap) = looks.iter().flatten().next().map(|theme| theme.space(GAP)) else { return Vec::new() };
    let parts = shares(rows.iter().map(|row| (row, row.height)), area.y_range(), gap);
    let fitted = |(row, looks): (&Row, &Vec<Theme>), height: f32| {
        in_row(ui, frame, (extras, looks.as_slice()), row, vec2(area.width(), height), gap)
    };
    // What rows of canvases leave of their height goes to those with plots.
    let height = |sizes: &[Vec2]| sizes.iter().map(|size| size.y).fold(0.0, f32::max);
    let needs =
        |((row, from, to), looks): (&(&Row, f32, f32), &Vec<Theme>)| height(&fitted((*row, looks), to - from).1);
    let heights: Vec<f32> = parts.iter().zip(looks).map(needs).collect();
    let left: f32 = parts.iter().zip(&heights).map(|((_, from, to), height)| to - from - height).sum();
    let takes = |row: &Row| row.panels.iter().any(|(panel, _)| takes(panel));
    let takers: f64 = rows.iter().filter(|row| takes(row)).map(|row| row.height).sum();
    let mut top = area.top();
    let mut cells = Vec::new();
    for ((row, looks), (height, (_, from, to))) in rows.iter().zip(looks).zip(heights.into_iter().zip(parts)) {
        let height = if takers <= 0.0 {
            to - from
        } else if takes(row) {
            height + left * (row.height / takers) as f32
        } else {
            height
        };
        let (indent, sizes) = fitted((row, looks), height);
        let mut from = area.left() + indent;
        for size in sizes {
            cells.push(Rect::from_min_size(pos2(from, top), size));
            from += size.x + gap;
        }
        top += height + gap;
    }
    cells
}

/// Whether a panel is better the larger it is, of whatever shape.
fn takes(panel: &Panel) -> bool {
    matches!(panel, Panel::Plot(_))
}

/// How far the first panel of a row is from the left, and the size of each. What canvases leave of the width goes to plots; without any the
/// canvases are in the middle.
fn in_row(
    ui: &Ui,
    frame: &Frame,
    (extras, looks): (&Extras, &[Theme]),
    row: &Row,
    space: Vec2,
    gap: f32,
) -> (f32, Vec<Vec2>) {
    // Panels without their axis are narrower by it, so that what is inside of the axes is as wide.
    let axis = |theme: &Theme| if is_without_axis(theme) { axis_width(theme) } else { 0.0 };
    let saved: f32 = looks.iter().map(axis).sum();
    let parts = shares(row.panels.iter().map(|at| (at, at.1)), egui::Rangef::new(0.0, space.x + saved), gap);
    let widths: Vec<f32> = parts.iter().zip(looks).map(|((_, from, to), theme)| to - from - axis(theme)).collect();
    let mut left = 0.0;
    let mut sizes = Vec::new();
    for ((panel, _), (theme, width)) in row.panels.iter().zip(looks.iter().zip(&widths)) {
        let size = of_shape(ui, frame, (extras, theme), panel, vec2(*width, space.y));
        left += width - size.x;
        sizes.push(size);
    }
    let wide: f32 = row.panels.iter().zip(&widths).filter(|((panel, _), _)| takes(panel)).map(|(_, width)| width).sum();
    if wide <= 0.0 {
        return (0.5 * left, sizes);
    }
    for (size, (_, width)) in
        sizes.iter_mut().zip(row.panels.iter().zip(&widths)).filter(|(_, ((panel, _), _))| takes(panel))
    {
        size.x += left * width / wide;
    }
    (0.0, sizes)
}

/// Whether a panel has the vertical axis of the one at its left.
fn is_without_axis(theme: &Theme) -> bool {
    theme.look.panel.as_ref().is_some_and(|panel| panel.shares)
}

/// The width of the vertical axis of a canvas.
fn axis_width(theme: &Theme) -> f32 {
    axes::thickness(theme, [AxisSpec::wide("x", Ticks::Linear), AxisSpec::wide("y", Ticks::Linear)]).x
}

/// The size of a panel in a space: of a canvas that of its picture with what is around it.
fn of_shape(ui: &Ui, frame: &Frame, (extras, theme): (&Extras, &Theme), panel: &Panel, space: Vec2) -> Vec2 {
    /// The least that a canvas leaves of its space, so that its name has some.
    const LEAST: f32 = 0.3;
    /// Height of the picture of a flat target at least, in sizes of text.
    const FLAT: f32 = 6.0;
    let runs: Vec<usize> = match panel {
        Panel::Canvas(name) => frame.runs.iter().position(|run| run.plan.name == *name).into_iter().collect(),
        Panel::Overlay => extras.runs(frame),
        Panel::Readout | Panel::Plot(_) => return space,
    };
    let limits = theme.look.panel.as_ref().is_some_and(|panel| panel.axes.iter().any(|axis| axis.limits.is_some()));
    if frame.target.info().dimension < 2 || extras.layers.on(frame).free_scales || limits {
        return space;
    }
    let strip = warns(frame, extras, &runs);
    let shape = canvas::shape(frame, Some(extras.area(frame)), (extras.layers, strip), theme);
    let axis = if is_without_axis(theme) { 0.0 } else { axis_width(theme) };
    let around = shape.around(vec2(axis, shape.frame.y), space);
    let inside = space - around;
    if inside.min_elem() <= 0.0 {
        return space;
    }
    let name = |run: &usize| written::name_of(theme, *run, &frame.runs[*run].plan.name);
    let names: Vec<String> = runs.iter().map(name).collect();
    let header = run_header::width(ui, theme, &names).min(space.x);
    let picture = vec2(inside.x.min(inside.y * shape.aspect), inside.y.min(inside.x / shape.aspect));
    let size = vec2(picture.x, picture.y.max(FLAT * theme.text.body)) + around;
    vec2(size.x.max(header).max(LEAST * space.x).min(space.x), size.y.min(space.y))
}

/// Which panels of a row have the vertical axis of the panel at their left: canvases of a plane beside each other.
pub(super) fn shared(row: &Row, frame: &Frame) -> Vec<bool> {
    let plane = frame.target.info().dimension > 1;
    let canvas = |at: usize| matches!(row.panels[at].0, Panel::Canvas(_) | Panel::Overlay);
    (0..row.panels.len()).map(|at| plane && at > 0 && canvas(at) && canvas(at - 1)).collect()
}

/// Parts of a range with a gap between them, in proportion to their shares.
fn shares<T>(parts: impl Iterator<Item = (T, f64)>, range: egui::Rangef, gap: f32) -> Vec<(T, f32, f32)> {
    let parts: Vec<(T, f64)> = parts.collect();
    let whole: f64 = parts.iter().map(|(_, share)| share).sum();
    let free = (range.span() - gap * parts.len().saturating_sub(1) as f32).max(0.0);
    let mut at = range.min;
    let place = |(part, share): (T, f64)| {
        let from = at;
        let to = from + free * (share / whole) as f32;
        at = to + gap;
        (part, from, to)
    };
    parts.into_iter().map(place).collect()
}

/// Whether something is wrong with these runs, and the figure says so.
pub(super) fn warns(frame: &Frame, extras: &Extras, runs: &[usize]) -> bool {
    extras.view.figure.as_ref().is_none_or(|figure| figure.flag("warnings")) && warnings::any(frame, runs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sheet::Preset;

    #[test]
    fn shares_fill_a_range() {
        let parts = shares([('a', 1.0), ('b', 3.0)].into_iter(), egui::Rangef::new(10.0, 54.0), 4.0);
        assert_eq!(parts, [('a', 10.0, 20.0), ('b', 24.0, 54.0)]);
    }

    /// On a slide panels stand side by side; in a column of a paper, which grows with its rows, canvases are above the plot.
    #[test]
    fn panels_stand_where_canvases_are_larger() {
        let rows = |preset: &str, runs: &[&str]| {
            let size = Preset::for_rows(2).find(|of| of.key == preset).unwrap().size;
            usual(runs, &size).iter().map(|row| row.panels.len()).collect::<Vec<_>>()
        };
        assert_eq!(rows("beamer", &["A", "B"]), [3]);
        assert_eq!(rows("icml", &["A", "B"]), [2, 1]);
        assert_eq!(rows("icml-wide", &["A", "B"]), [2, 1]);
        assert_eq!(rows("beamer-half", &["A"]), [1, 1]);
        assert_eq!(rows("screen", &["A", "B"]), [2, 1]);
    }
}

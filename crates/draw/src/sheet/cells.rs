//! The space of each panel of a figure. Canvases are no larger than what they show of the target at one scale for both axes; plots take what
//! they leave.

use egui::{Rect, Ui, Vec2, pos2, vec2};

use super::pieces::GAP;
use super::shared::{self, Fit};
use super::{Dimensions, Extras, columns};
use crate::canvas;
use crate::kit::axes::{self, AxisSpec, Ticks};
use crate::kit::{canvas_grid, own_axes, run_header, warnings, written};
use crate::theme::Theme;
use crate::views;
use engine::scenario::figures::{Panel, Row};
use engine::session::Frame;

/// Canvases of a figure that says no panels, at most.
pub(super) const MOST_CANVASES: usize = 4;

/// The panels of a figure that says none: the arrangement with the larger canvases inside of their axes, `aspect` times as wide as high.
pub(super) fn usual(runs: &[&str], size: &Dimensions, aspect: f64) -> Vec<Row> {
    /// The height of canvases above a plot in one row and in each of two, and the width of a plot beside canvases.
    const ABOVE: [f64; 2] = [1.5, 1.2];
    const BESIDE: f64 = 1.4;
    /// Width below which a plot beside canvases says little, in sizes of text.
    const LEAST: f64 = 16.0;
    /// Canvases that have two rows where they are larger then.
    const MANY: usize = 4;
    /// Width of canvases, in heights, from which on two are such.
    const WIDE: f64 = 2.0;
    /// What head and axes take of the width and of the height of a panel, in sizes of text.
    const AROUND: [f64; 2] = [3.6, 5.4];
    let count = runs.len().clamp(1, MOST_CANVASES);
    let [width, height] = size.in_text();
    // The side of a square as large as a canvas in a space.
    let square = |wide: f64, high: f64| ((wide - AROUND[0]) / aspect.sqrt()).min((high - AROUND[1]) * aspect.sqrt());
    let side = |rows: usize| {
        let above = rows as f64 * ABOVE[rows - 1];
        let share = above / (above + 1.0);
        square(width / count.div_ceil(rows) as f64, share * height / rows as f64)
    };
    let many = count >= MANY || count > 1 && aspect >= WIDE;
    let rows = if many && side(2) > side(1) { 2 } else { 1 };
    let share = width / (count as f64 + BESIDE);
    let is_beside = square(share, height) > side(rows) && BESIDE * share > LEAST;
    let largest = if is_beside { square(share, height) } else { side(rows) };
    // Three canvases and a plot are two rows of two.
    let is_grid = count + 1 == MANY && square(0.5 * width, 0.5 * height) > largest && 0.5 * width > LEAST;
    let canvas = |run: &&str| (Panel::Canvas((*run).to_owned()), 1.0);
    let canvases: Vec<(Panel, f64)> = runs.iter().take(MOST_CANVASES).map(canvas).collect();
    let schedule = Panel::Plot(views::SCHEDULE.spec);
    if is_grid {
        let panels: Vec<(Panel, f64)> = canvases.into_iter().chain([(schedule, 1.0)]).collect();
        return panels.chunks(2).map(|panels| Row { panels: panels.to_vec(), height: 1.0 }).collect();
    }
    if is_beside {
        let panels = canvases.into_iter().chain([(schedule, BESIDE)]).collect();
        return vec![Row { panels, height: 1.0 }];
    }
    let above =
        canvases.chunks(count.div_ceil(rows)).map(|panels| Row { panels: panels.to_vec(), height: ABOVE[rows - 1] });
    above.chain([Row { panels: vec![(schedule, 1.0)], height: 1.0 }]).collect()
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
    // Rows whose axis is below are lower by it, so that what is inside of the axes has its share of the height.
    let missing: Vec<f32> = looks.iter().map(|looks| axis_below(looks)).collect();
    let whole = egui::Rangef::new(area.top(), area.bottom() + missing.iter().sum::<f32>());
    let parts = shares(rows.iter().map(|row| (row, row.height)), whole, gap);
    let parts: Vec<(&Row, f32, f32)> =
        parts.into_iter().zip(&missing).map(|((row, from, to), axis)| (row, from, to - axis)).collect();
    let header = longest_names(ui, frame, (extras, looks), rows);
    let fitted = |(row, looks): (&Row, &Vec<Theme>), height: f32| {
        in_row(ui, frame, (extras, looks.as_slice()), (row, header), vec2(area.width(), height), gap)
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
/// canvases are in the middle. Names of canvases that belong together take `header`.
fn in_row(
    ui: &Ui,
    frame: &Frame,
    (extras, looks): (&Extras, &[Theme]),
    (row, header): (&Row, f32),
    space: Vec2,
    gap: f32,
) -> (f32, Vec<Vec2>) {
    // Panels without their axis are narrower by it, so that what is inside of the axes is as wide.
    let missing: Vec<f32> = (0..looks.len()).map(|at| missing_axis(looks, at)).collect();
    let whole = space.x + missing.iter().sum::<f32>();
    let parts = shares(row.panels.iter().map(|at| (at, at.1)), egui::Rangef::new(0.0, whole), gap);
    let widths: Vec<f32> = parts.iter().zip(&missing).map(|((_, from, to), axis)| to - from - axis).collect();
    let fits: Vec<Option<Fit>> = row
        .panels
        .iter()
        .zip(looks.iter().zip(&widths))
        .map(|((panel, _), (theme, width))| fit(ui, frame, (extras, theme), panel, vec2(*width, space.y)))
        .collect();
    let size = |(fit, width): (&Option<Fit>, &f32)| fit.map_or(vec2(*width, space.y), |fit| fit.size());
    let mut sizes: Vec<Vec2> = fits.iter().zip(&widths).map(size).collect();
    for group in shared::groups(row, frame, is_shared(extras)) {
        if let Some(fits) = fits[group.clone()].iter().copied().collect::<Option<Vec<Fit>>>() {
            sizes[group].copy_from_slice(&shared::together(&fits, header));
        }
    }
    let left: f32 = widths.iter().zip(&sizes).map(|(width, size)| width - size.x).sum();
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

/// Whether canvases side by side have the vertical axis once.
pub(super) fn is_shared(extras: &Extras) -> bool {
    extras.view.figure.as_ref().is_some_and(|figure| figure.flag("share"))
}

/// The longest names of canvases that belong together with others, in all rows: then all of them show the same.
fn longest_names(ui: &Ui, frame: &Frame, (extras, looks): (&Extras, &[Vec<Theme>]), rows: &[Row]) -> f32 {
    let of_row = |(row, looks): (&Row, &Vec<Theme>)| {
        let grouped = shared::groups(row, frame, is_shared(extras)).into_iter().flatten();
        let widths = grouped.map(|at| names(ui, frame, (extras, &looks[at]), &row.panels[at].0));
        widths.fold(0.0, f32::max)
    };
    rows.iter().zip(looks).map(of_row).fold(0.0, f32::max)
}

/// Whether a panel has the vertical axis of the one at its left.
fn is_without_axis(theme: &Theme) -> bool {
    theme.look.panel.as_ref().is_some_and(|panel| panel.shares)
}

/// The width of the vertical axis of a canvas.
fn axis_width(theme: &Theme) -> f32 {
    let usual = axes::thickness(theme, [AxisSpec::wide("x", Ticks::Linear), AxisSpec::wide("y", Ticks::Linear)]).x;
    // Labels may be longer than the space for them.
    beside(theme).map_or(usual, |[left, _]| left)
}

/// What was at the left and at the right of a canvas that was drawn before, beside others.
fn beside(theme: &Theme) -> Option<[f32; 2]> {
    theme.look.panel.as_ref().and_then(|panel| panel.beside)
}

/// The width of the axis that a panel of a row has not, since one at its left has it.
fn missing_axis(looks: &[Theme], at: usize) -> f32 {
    let with_axis = looks[..=at].iter().rposition(|theme| !is_without_axis(theme));
    with_axis.filter(|with| *with < at).map_or(0.0, |with| axis_width(&looks[with]))
}

/// The height of the horizontal axis that all panels of a row have not, since those below have it.
fn axis_below(looks: &[Theme]) -> f32 {
    let first = looks.first().filter(|_| looks.iter().all(own_axes::is_below));
    first.map_or(0.0, columns::axis_height)
}

/// The runs on a canvas; none on another panel.
fn runs_on(frame: &Frame, extras: &Extras, panel: &Panel) -> Option<Vec<usize>> {
    match panel {
        Panel::Canvas(name) => Some(frame.runs.iter().position(|run| run.plan.name == *name).into_iter().collect()),
        Panel::Overlay => Some(extras.runs(frame)),
        Panel::Readout | Panel::Plot(_) => None,
    }
}

/// The width of the names on a canvas.
fn names(ui: &Ui, frame: &Frame, (extras, theme): (&Extras, &Theme), panel: &Panel) -> f32 {
    let name = |run: usize| written::name_of(theme, run, &frame.runs[run].plan.name);
    let names: Vec<String> = runs_on(frame, extras, panel).into_iter().flatten().map(name).collect();
    run_header::width(ui, theme, &names)
}

/// What a canvas takes of a space: its picture with what is around it.
fn fit(ui: &Ui, frame: &Frame, (extras, theme): (&Extras, &Theme), panel: &Panel, space: Vec2) -> Option<Fit> {
    /// Height of the picture of a flat target at least, in sizes of text.
    const FLAT: f32 = 6.0;
    let runs = runs_on(frame, extras, panel)?;
    if frame.target.info().dimension < 2 {
        return None;
    }
    let limits = theme.look.panel.as_ref().is_some_and(|panel| panel.axes.iter().any(|axis| axis.limits.is_some()));
    let aspect = aspect_of_limits(theme, extras, frame);
    let strip = warns(frame, extras, &runs);
    let shape = canvas::shape(frame, Some(extras.area(frame)), (extras.layers, strip), theme);
    let shape = canvas_grid::Shape { aspect: aspect.unwrap_or(shape.aspect), ..shape };
    let axis = if is_without_axis(theme) { 0.0 } else { axis_width(theme) };
    let mut around = shape.around(vec2(axis, shape.frame.y), space);
    if let Some([left, right]) = beside(theme) {
        around.x = left + right;
    }
    let inside = space - around;
    if inside.min_elem() <= 0.0 {
        return None;
    }
    let picture = canvas_grid::largest(inside, shape.aspect);
    let picture = vec2(picture.x, picture.y.max(FLAT * theme.text.body));
    let is_free = extras.layers.on(frame).free_scales || limits && aspect.is_none();
    let header = names(ui, frame, (extras, theme), panel).min(space.x);
    Some(Fit { space, picture: (!is_free).then_some(picture), around, header })
}

/// The width of a canvas with limits of its own inside of its axes, as a multiple of its height, where one unit is equally long on both.
pub(super) fn aspect_of_limits(theme: &Theme, extras: &Extras, frame: &Frame) -> Option<f32> {
    let axes = &theme.look.panel.as_ref()?.axes;
    axes.iter().find(|axis| axis.limits.is_some())?;
    let is_free = extras.view.figure.as_ref().is_some_and(|figure| figure.word("aspect") == "free");
    if is_free || frame.target.info().dimension < 2 {
        return None;
    }
    let whole = extras.area(frame).size();
    let side = |axis: usize, whole: f64| axes[axis].limits.map_or(whole, |[low, high]| high - low);
    Some(((side(0, whole.x) / side(1, whole.y)) as f32).clamp(0.05, 20.0))
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
        let of_aspect = |preset: &str, runs: &[&str], aspect: f64| {
            let size = Preset::for_rows(2).find(|of| of.key == preset).unwrap().size;
            usual(runs, &size, aspect).iter().map(|row| row.panels.len()).collect::<Vec<_>>()
        };
        let rows = |preset: &str, runs: &[&str]| of_aspect(preset, runs, 1.0);
        assert_eq!(rows("beamer", &["A", "B"]), [3]);
        // Wide canvases stand below each other where heads and axes leave them more there.
        assert_eq!(of_aspect("a4", &["A", "B"], 4.0), [1, 1, 1]);
        assert_eq!(of_aspect("beamer", &["A", "B"], 4.0), [2, 1]);
        assert_eq!(of_aspect("beamer", &["A"], 4.0), [1, 1]);
        assert_eq!(rows("icml", &["A", "B"]), [2, 1]);
        assert_eq!(rows("icml-wide", &["A", "B"]), [2, 1]);
        assert_eq!(rows("beamer-half", &["A"]), [1, 1]);
        assert_eq!(rows("screen", &["A", "B"]), [2, 1]);
        // Three canvases fill the width of a page, and the plot below them has it as well.
        assert_eq!(rows("page", &["A", "B", "C"]), [3, 1]);
        assert_eq!(rows("slide", &["A", "B", "C"]), [3, 1]);
        // In a square four panels are two by two.
        let square = usual(&["A", "B", "C"], &Dimensions::of_points([600.0, 600.0], 1.0), 1.0);
        assert_eq!(square.iter().map(|row| row.panels.len()).collect::<Vec<_>>(), [2, 2]);
        // Four are no slivers in a column.
        assert_eq!(rows("icml", &["A", "B", "C", "D"]), [2, 2, 1]);
        assert_eq!(rows("icml", &["A", "B", "C"]), [3, 1]);
    }
}

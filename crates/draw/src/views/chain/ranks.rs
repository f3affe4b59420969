//! Rank histograms, one row per chain, with the height expected for mixed chains (Vehtari et al. 2021).

use std::sync::Arc;

use egui::{Color32, Galley, Rect, Ui, pos2};
use egui_plot::{FilledArea, LineStyle, PlotTransform, PlotUi};

use super::cache::ChainCache;
use super::empty::words;
use super::geometry::Ranks;
use super::input::ChainPlotInput;
use crate::kit::axes::{
    AxisSpec, Ticks, answers, before_last_tick, curve, in_height, plot, show_part, that_fits, thickness,
};
use crate::kit::{run_line, run_marker, told};
use crate::theme::Theme;

/// Chains of a run whose histograms are drawn, at most.
const MOST_CHAINS: usize = 4;

/// Least height of a row with the gap above it, in sizes of small text: below it there are fewer rows.
const LOWEST: f32 = 0.6;

/// Height of a row with the gap above it from which each has its name. In lower rows one name is for all rows of a run.
const NAMED: f32 = 1.3;

/// Height of the rows that a name is for, in heights of the name, below which there is none.
const LEAST_NAMED: f32 = 0.9;

/// Gap between two rows and between two runs, in rows.
const GAP: f64 = 0.15;
const BETWEEN: f64 = 0.35;

/// The highest bar that fits into a row at least, as a multiple of the expected height.
const ROOM: f64 = 2.0;

/// Share of the width that names of chains take at most.
const MOST_NAME: f32 = 0.35;

/// The histogram of a chain.
struct Row<'a> {
    run: usize,
    name: String,
    ratios: &'a [f64],
    spread: f64,
    /// The highest bar of the run, as a multiple of the expected height.
    top: f64,
    /// The base of its bars.
    base: f64,
    /// Whether it is the first of its run.
    first: bool,
    /// Number of rows of its run, and of chains that have a histogram.
    of: usize,
    all: usize,
}

/// Draws the histograms of all runs below each other.
pub(super) fn show(ui: &mut Ui, input: &ChainPlotInput<'_>, theme: &Theme, cache: &ChainCache) {
    let found: Vec<_> = cache.pictures(input).collect();
    let missing: Vec<&str> = found.iter().filter_map(|(_, _, picture)| picture.ranks.as_ref().err().copied()).collect();
    let ranks: Vec<(usize, &Ranks)> =
        found.iter().filter_map(|(run, _, picture)| Some((*run, picture.ranks.as_ref().ok()?))).collect();
    let y = AxisSpec::upright("", Ticks::None);
    let x = AxisSpec::wide(that_fits(ui, theme, "rank among all draws", y), Ticks::Density);
    let [x, y] = in_height(ui, ui.available_height(), theme, [x, y]);
    let available = ui.available_height() - thickness(theme, [x, y]).y;
    let rows = rows(&ranks, available, theme);
    let units = rows.first().map_or(1.0, |row| row.base + 1.0 + 1.5 * GAP);
    let low = f64::from(available) * (1.0 + GAP) / units < f64::from(NAMED * theme.text.small);
    let name = |row: &Row<'_>| match (low, row.first) {
        (false, _) => row.name.clone(),
        (true, true) => name_of_all(row),
        (true, false) => String::new(),
    };
    let layout = |text: String| ui.painter().layout_no_wrap(text, theme.small(), theme.soft);
    let mut names: Vec<_> = rows.iter().map(|row| layout(name(row))).collect();
    let width_of = |names: &[Arc<Galley>]| names.iter().map(|name| name.size().x).fold(0.0, f32::max);
    if width_of(&names) > MOST_NAME * ui.available_width() {
        // In a narrow plot bars say more than the names of their chains.
        names.iter_mut().for_each(|name| *name = layout(String::new()));
    }
    let widest = width_of(&names);
    let gutter = widest + theme.text.small + theme.space(2.0);
    let width = before_last_tick(ui, theme);
    let plot = plot(("ranks", input.coordinate), theme, x, y).width(width).allow_drag(false).allow_zoom(false);
    let shown = plot.show(ui, |plot_ui| {
        let pixels = f64::from(plot_ui.response().rect.width().max(1.0));
        let left = f64::from(gutter) / (pixels - f64::from(gutter)).max(1.0);
        let height = rows.first().map_or(1.0, |row| row.base + 1.0);
        show_part(plot_ui, [-left, -0.5 * GAP], [1.0, height + GAP], theme);
        for row in &rows {
            add(plot_ui, row, theme);
        }
    });
    answers(ui, theme, &shown.response, [x, y]);
    for (row, name) in rows.iter().zip(names) {
        let rows_named = if low { row.of } else { 1 };
        label(ui, theme, (row, rows_named), name, shown.response.rect, &shown.transform);
    }
    if rows.is_empty() {
        words(ui, theme, shown.response.rect, &missing);
    }
}

/// As many chains of each run as fit, from the top down.
#[expect(clippy::cast_sign_loss, reason = "a few rows")]
fn rows<'a>(ranks: &[(usize, &'a Ranks)], height: f32, theme: &Theme) -> Vec<Row<'a>> {
    let fitting = height / (theme.text.small * LOWEST) / ranks.len().max(1) as f32;
    let most = (fitting.max(0.0) as usize).clamp(1, MOST_CHAINS);
    let mut rows = Vec::new();
    let mut base = 0.0;
    for &(run, ranks) in ranks.iter().rev() {
        let top = ranks.ratios.iter().take(most).flatten().copied().fold(ROOM, f64::max);
        for (chain, ratios) in ranks.ratios.iter().enumerate().take(most).rev() {
            let name = match (ranks.halves, chain) {
                (true, 0) => "1st half".to_owned(),
                (true, _) => "2nd half".to_owned(),
                (false, chain) => format!("chain {}", chain + 1),
            };
            let all = ranks.ratios.len();
            let of = all.min(most);
            rows.push(Row { run, name, ratios, spread: ranks.spread, top, base, first: chain == 0, of, all });
            base += 1.0 + GAP;
        }
        base += BETWEEN;
    }
    rows.reverse();
    rows
}

/// Adds the bars of a row, the expected height, and a band of two standard deviations around it.
fn add(plot_ui: &mut PlotUi<'_>, row: &Row<'_>, theme: &Theme) {
    let height = |ratio: f64| row.base + ratio / row.top;
    let colour = theme.run(row.run).colour;
    let outline = staircase(row.ratios, height);
    let (xs, ys): (Vec<f64>, Vec<f64>) = outline.iter().map(|&[x, y]| (x, y)).unzip();
    fill(plot_ui, &xs, &vec![row.base; xs.len()], &ys, colour.gamma_multiply(0.22));
    let (low, high) = (height((1.0 - row.spread).max(0.0)), height(1.0 + row.spread));
    fill(plot_ui, &[0.0, 1.0], &[low; 2], &[high; 2], theme.exact.gamma_multiply(0.12));
    let expected = curve(vec![[0.0, height(1.0)], [1.0, height(1.0)]], theme.exact.gamma_multiply(0.6), theme.thin());
    plot_ui.line(expected.style(LineStyle::Dashed { length: theme.space(1.0) }));
    plot_ui.line(curve(vec![[0.0, row.base], [1.0, row.base]], theme.rule, 1.0));
    run_line::line(plot_ui, outline, (colour, theme.line()), theme.run(row.run));
}

fn fill(plot_ui: &mut PlotUi<'_>, xs: &[f64], low: &[f64], high: &[f64], colour: Color32) {
    plot_ui.add(FilledArea::new("", xs, low, high).fill_color(colour).allow_hover(false));
}

/// The outline of bars over equal parts of the unit interval, from the left end to the right one.
fn staircase(ratios: &[f64], height: impl Fn(f64) -> f64) -> Vec<[f64; 2]> {
    let edge = |bin: usize| bin as f64 / ratios.len() as f64;
    let step = |(bin, ratio): (usize, &f64)| [[edge(bin), height(*ratio)], [edge(bin + 1), height(*ratio)]];
    ratios.iter().enumerate().flat_map(step).collect()
}

/// The name of all rows of a run, whose first is `row`.
fn name_of_all(row: &Row<'_>) -> String {
    match (row.of, row.name.starts_with("chain")) {
        (1, true) if row.all > 1 => format!("{} of {}", row.name, row.all),
        (1, _) => row.name.clone(),
        (_, false) => "halves".to_owned(),
        (last, true) if last < row.all => format!("chains 1–{last} of {}", row.all),
        (last, true) => format!("chains 1–{last}"),
    }
}

/// Writes the name of a chain to the left of its row, or of several rows from this one down, and puts the marker of the run before
/// its first.
fn label(
    ui: &Ui,
    theme: &Theme,
    (row, rows): (&Row<'_>, usize),
    name: Arc<Galley>,
    plot: Rect,
    transform: &PlotTransform,
) {
    let lowest = row.base - (1.0 + GAP) * (rows - 1) as f64;
    let [top, bottom] = [row.base + 1.0, lowest].map(|y| transform.position_from_point_y(y));
    let middle = f32::midpoint(top, bottom);
    let painter = ui.painter().with_clip_rect(plot);
    let zero = transform.position_from_point_x(0.0);
    if row.first {
        let radius = 0.38 * theme.text.small;
        let at = pos2(plot.left() + radius + theme.space(0.5), middle);
        run_marker::paint(&painter, at, radius, theme.run(row.run));
    }
    let size = name.size();
    if bottom - top < LEAST_NAMED * size.y {
        return told::warn(ui, "There is no space for the names of chains beside their ranks".to_owned());
    }
    let at = pos2(zero - size.x - theme.space(1.0), middle - 0.5 * size.y);
    painter.galley(at, name, theme.soft);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranks(chains: usize, halves: bool) -> Ranks {
        Ranks { ratios: vec![vec![1.0; 4]; chains], halves, spread: 0.1 }
    }

    #[test]
    fn the_first_chain_of_the_first_run_is_at_the_top() {
        let (four, one) = (ranks(4, false), ranks(2, true));
        let rows = rows(&[(0, &four), (2, &one)], 1000.0, &Theme::default());
        let names: Vec<_> = rows.iter().map(|row| row.name.as_str()).collect();
        assert_eq!(names, ["chain 1", "chain 2", "chain 3", "chain 4", "1st half", "2nd half"]);
        assert!(rows.windows(2).all(|pair| pair[0].base >= pair[1].base + 1.0));
        assert_eq!(rows.iter().filter(|row| row.first).map(|row| row.run).collect::<Vec<_>>(), [0, 2]);
    }

    #[test]
    fn where_there_is_little_space_there_are_fewer_chains() {
        let many = ranks(100, false);
        let theme = Theme::default();
        let count = |height: f32| rows(&[(0, &many), (1, &many)], height, &theme).len();
        assert_eq!([count(10.0), count(5.0 * LOWEST * theme.text.small), count(900.0)], [2, 4, 8]);
        let four = ranks(4, false);
        let low = rows(&[(0, &four)], 4.1 * LOWEST * theme.text.small, &theme);
        assert_eq!(low.len(), 4, "no chain of four is left out of a low plot");
        assert_eq!(name_of_all(&low[0]), "chains 1–4");
        let lower = rows(&[(0, &four)], 3.1 * LOWEST * theme.text.small, &theme);
        assert_eq!(
            (lower.len(), name_of_all(&lower[0])),
            (3, "chains 1–3 of 4".to_owned()),
            "one is left out, and it is said"
        );
    }

    #[test]
    fn bars_stand_side_by_side() {
        let outline = staircase(&[1.0, 3.0], |ratio| 10.0 + ratio);
        assert_eq!(outline, [[0.0, 11.0], [0.5, 11.0], [0.5, 13.0], [1.0, 13.0]]);
    }
}

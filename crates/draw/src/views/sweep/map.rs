//! Map of a sweep over two parameters: a measure as shades, a cell for each pair of values, with the Pareto front of missing modes, error
//! within modes and cost.
//!
//! A cell without a value has a cross. Cells stand at equal distances, whatever the scale of the axis, so that each of them can be pointed
//! at. Where all values are positive and far apart, shades are those of their logarithms.

use egui::{Align2, Color32, CursorIcon, Mesh, Pos2, Rect, Sense, Shape, Stroke, StrokeKind, Ui, pos2, vec2};

use super::input::{SweepInput, SweepResponse};
use super::{beside, words};
use crate::kit::legend::{self, Entry, Sample};
use crate::theme::Theme;
use crate::words::numbers;
use crate::words::word::Word;

/// Side of a mark of the front, as a share of the shorter side of a cell.
const MARK: f32 = 0.35;

/// Steps of colour along the bar.
const STEPS: usize = 48;

/// Width of the bar, in sizes of small text.
const BAR: f32 = 12.0;

/// The ratio of the largest to the smallest value from which on shades are logarithmic.
const FAR_APART: f64 = 30.0;

/// Draws the map into the available space.
pub fn show(ui: &mut Ui, input: &SweepInput<'_>, theme: &Theme) -> SweepResponse {
    let values: Vec<(usize, Option<f64>)> = input.cells.iter().map(|cell| (cell.number, input.value(cell))).collect();
    let shading = Shading::of(values.iter().filter_map(|(_, value)| *value));
    bar(ui, input, &shading, theme);
    legend::line(ui, theme, &entries(input, &values, theme));
    let (line, area) = (theme.text.small * 1.4, ui.available_rect_before_wrap());
    let left = widest(ui, input.plan.axes().get(1).map_or(&[], Vec::as_slice), theme) + theme.space(2.5);
    let plot = Rect::from_min_max(area.min + vec2(left, line), area.max - vec2(theme.space(2.0), 2.4 * line));
    let response = ui.allocate_rect(area, Sense::click()).on_hover_cursor(CursorIcon::PointingHand);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Image, true, "Map of the sweep"));
    if plot.width() < 1.0 || plot.height() < 1.0 {
        return SweepResponse::default();
    }
    let axes = input.plan.axes();
    let grid = CellGrid { plot, columns: axes.first().map_or(1, Vec::len), rows: axes.get(1).map_or(1, Vec::len) };
    ui.painter().rect_stroke(plot, 0.0, theme.hairline(), StrokeKind::Outside);
    ui.painter().add(Shape::mesh(shades(&values, &shading, &grid, theme)));
    for (number, _) in values.iter().filter(|(_, value)| value.is_none()) {
        cross(ui, grid.rect(*number), theme);
    }
    for number in input.front() {
        let rect = grid.rect(*number);
        let radius = MARK * 0.5 * rect.width().min(rect.height());
        ui.painter().circle(rect.center(), radius, theme.paper, Stroke::new(theme.thin(), theme.ink));
    }
    labels(ui, input, &grid, theme);
    if let Some(cell) = input.present_cell() {
        frame(ui, grid.rect(cell), theme.accent, theme);
    }
    let under = response.hover_pos().and_then(|at| Some((at, grid.cell_at(at)?)));
    let pointed = under.map(|(_, cell)| cell);
    if let Some(cell) = pointed.or(input.lit).filter(|cell| *cell < grid.columns * grid.rows) {
        frame(ui, grid.rect(cell), theme.ink, theme);
    }
    if let Some((at, cell)) = under {
        beside::show(ui, input, cell, (area, at), theme);
    }
    SweepResponse { pointed, opened: pointed.filter(|_| response.clicked()) }
}

/// A frame around a cell, with one in the colour of the paper around it, so that it is seen beside every shade.
fn frame(ui: &Ui, rect: Rect, colour: Color32, theme: &Theme) {
    for (width, colour) in [(theme.line() + 2.0, theme.paper), (theme.line(), colour)] {
        ui.painter().rect_stroke(rect, 0.0, Stroke::new(width, colour), StrokeKind::Outside);
    }
}

/// Where the cells are on the screen: the first axis to the right, the second upwards.
struct CellGrid {
    plot: Rect,
    columns: usize,
    rows: usize,
}

impl CellGrid {
    fn rect(&self, number: usize) -> Rect {
        let (column, row) = (number / self.rows, number % self.rows);
        let size = vec2(self.plot.width() / self.columns as f32, self.plot.height() / self.rows as f32);
        let corner = pos2(self.plot.left() + column as f32 * size.x, self.plot.bottom() - (row + 1) as f32 * size.y);
        Rect::from_min_size(corner, size)
    }

    #[expect(clippy::cast_sign_loss, reason = "a place in the plot")]
    fn cell_at(&self, at: Pos2) -> Option<usize> {
        if !self.plot.contains(at) {
            return None;
        }
        let column = (at.x - self.plot.left()) / self.plot.width() * self.columns as f32;
        let row = (self.plot.bottom() - at.y) / self.plot.height() * self.rows as f32;
        Some((column as usize).min(self.columns - 1) * self.rows + (row as usize).min(self.rows - 1))
    }
}

/// From values to shades.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Shading {
    low: f64,
    high: f64,
    log: bool,
}

impl Shading {
    fn of(values: impl Iterator<Item = f64>) -> Self {
        let (low, high) =
            values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
        Self { low, high, log: low > 0.0 && high / low >= FAR_APART }
    }

    /// The level of a value, from 0 to 1; in the middle if all values are equal.
    fn level(&self, value: f64) -> f64 {
        let level_of = |value: f64| if self.log { value.ln() } else { value };
        let (low, high) = (level_of(self.low), level_of(self.high));
        if high > low { (level_of(value) - low) / (high - low) } else { 0.5 }
    }
}

fn colour(level: f64, theme: &Theme) -> Color32 {
    let [r, g, b] = theme.ramp.shade(level);
    Color32::from_rgb(r, g, b)
}

fn shades(values: &[(usize, Option<f64>)], shading: &Shading, grid: &CellGrid, theme: &Theme) -> Mesh {
    let mut mesh = Mesh::default();
    for (number, value) in values {
        if let Some(value) = value {
            mesh.add_colored_rect(grid.rect(*number), colour(shading.level(*value), theme));
        }
    }
    mesh
}

/// The mark of a cell without a value.
fn cross(ui: &Ui, rect: Rect, theme: &Theme) {
    let inner = rect.shrink(0.3 * rect.width().min(rect.height()));
    let stroke = Stroke::new(theme.thin(), theme.faint);
    ui.painter().line_segment([inner.left_top(), inner.right_bottom()], stroke);
    ui.painter().line_segment([inner.right_top(), inner.left_bottom()], stroke);
}

/// The width of the widest label of these values.
fn widest(ui: &Ui, values: &[f64], theme: &Theme) -> f32 {
    let width = |value: &f64| {
        let text = numbers::significant(*value, 2);
        ui.painter().layout_no_wrap(text, theme.small(), theme.faint).size().x
    };
    // Of many values some are enough: they differ by a digit.
    values.iter().step_by(values.len().div_ceil(32).max(1)).chain(values.last()).map(width).fold(0.0, f32::max)
}

/// Names of the axes, and as many of their values as have space.
#[expect(clippy::cast_sign_loss, reason = "a number of labels")]
fn labels(ui: &Ui, input: &SweepInput<'_>, grid: &CellGrid, theme: &Theme) {
    let text = |at: Pos2, align: Align2, text: String, colour: Color32| {
        ui.painter().text(at, align, text, theme.small(), colour);
    };
    let (plot, line) = (grid.plot, theme.text.small * 1.4);
    let some = |count: usize, length: f32, each: f32| {
        let most = ((length / each) as usize).max(1);
        (0..count).step_by(count.div_ceil(most).max(1))
    };
    for (axis, values) in input.plan.axes().iter().enumerate() {
        let wide = axis == 0;
        let each = if wide { widest(ui, values, theme) + 2.0 * theme.text.small } else { 1.6 * theme.text.small };
        for index in some(values.len(), if wide { plot.width() } else { plot.height() }, each) {
            let number = numbers::significant(values[index], 2);
            if wide {
                let at = pos2(grid.rect(index * grid.rows).center().x, plot.bottom() + theme.space(0.5));
                text(at, Align2::CENTER_TOP, number, theme.faint);
            } else {
                let at = pos2(plot.left() - theme.space(1.0), grid.rect(index).center().y);
                text(at, Align2::RIGHT_CENTER, number, theme.faint);
            }
        }
    }
    if theme.labels.axes {
        let below = pos2(plot.center().x, plot.bottom() + line);
        text(below, Align2::CENTER_TOP, words::axis(input.plan, 0), theme.soft);
        text(
            plot.left_top() - vec2(0.0, theme.space(0.5)),
            Align2::LEFT_BOTTOM,
            words::axis(input.plan, 1),
            theme.soft,
        );
    }
}

/// What the map shows, with the scale of its shades.
fn bar(ui: &mut Ui, input: &SweepInput<'_>, shading: &Shading, theme: &Theme) {
    let what = format!("{}: {}", words::measure(input.key()), input.part.label());
    let count = input.plan.cells();
    let there =
        if input.cells.len() < count { format!(" · {} of {count} cells", input.cells.len()) } else { String::new() };
    ui.horizontal_wrapped(|ui| {
        ui.label(format!("{what}{there}"));
        if shading.low <= shading.high {
            ui.label(numbers::significant(shading.low, 3));
            let (rect, _) =
                ui.allocate_exact_size(vec2(BAR * theme.text.small, 0.9 * theme.text.small), Sense::hover());
            ui.painter().add(Shape::mesh(graded(rect, theme)));
            ui.painter().rect_stroke(rect, 0.0, theme.hairline(), StrokeKind::Outside);
            ui.label(numbers::significant(shading.high, 3));
            if shading.log {
                ui.label("(logarithmic)");
            }
        }
    });
}

/// What the marks stand for.
fn entries(input: &SweepInput<'_>, values: &[(usize, Option<f64>)], theme: &Theme) -> Vec<Entry> {
    let mut entries = Vec::new();
    if !input.front().is_empty() {
        entries.push(Entry::new(Sample::Ring(theme.ink), "Pareto front of missing modes, KL within modes and cost"));
    }
    if input.present_cell().is_some() {
        entries.push(Entry::new(Sample::Frame(theme.accent), "present parameters of the run"));
    }
    if values.iter().any(|(_, value)| value.is_none()) {
        let all = |number: usize| input.cell(number).is_some_and(|cell| cell.diverged.iter().all(|chains| *chains > 0));
        let diverged = values.iter().filter(|(_, value)| value.is_none()).all(|(number, _)| all(*number));
        let words = if diverged { "no value: chains have left" } else { "no value" };
        entries.push(Entry::new(Sample::Cross(theme.faint), words));
    }
    entries
}

/// The bar of shades.
fn graded(rect: Rect, theme: &Theme) -> Mesh {
    let mut mesh = Mesh::default();
    let edge = |step: usize| rect.left() + rect.width() * step as f32 / STEPS as f32;
    for step in 0..STEPS {
        let strip = Rect::from_min_max(pos2(edge(step), rect.top()), pos2(edge(step + 1), rect.bottom()));
        mesh.add_colored_rect(strip, colour((step as f64 + 0.5) / STEPS as f64, theme));
    }
    mesh
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_in_the_plot_is_the_cell_that_is_drawn_there() {
        let plot = Rect::from_min_size(pos2(30.0, 10.0), vec2(400.0, 300.0));
        let grid = CellGrid { plot, columns: 5, rows: 3 };
        for number in 0..15 {
            assert_eq!(grid.cell_at(grid.rect(number).center()), Some(number));
        }
        // The second axis goes upwards.
        assert!(grid.rect(0).bottom() > grid.rect(1).bottom());
        assert!(
            (grid.rect(0).bottom() - plot.bottom()).abs() < 1e-3 && (grid.rect(14).right() - plot.right()).abs() < 1e-3
        );
        assert_eq!(grid.cell_at(pos2(0.0, 0.0)), None);
    }

    #[test]
    fn shades_are_logarithmic_where_values_are_far_apart() {
        let near = Shading::of([2.0, 4.0, 3.0].into_iter());
        assert!(!near.log && (near.level(3.0) - 0.5).abs() < 1e-12);
        let far = Shading::of([0.01, 1.0, 0.1].into_iter());
        assert!(far.log && (far.level(0.1) - 0.5).abs() < 1e-12);
        assert!(!Shading::of([0.0, 100.0].into_iter()).log);
        assert!((Shading::of([7.0].into_iter()).level(7.0) - 0.5).abs() < 1e-12);
    }
}

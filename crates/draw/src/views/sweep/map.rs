//! Map of a sweep over two parameters: a measure as shades, a cell for each pair of values, with the Pareto front of missing modes, error
//! within modes and cost. Over three parameters there is a map for each value of the third one, all with the same shades.
//!
//! A cell without a value has a cross. Cells stand at equal distances, whatever the scale of the axis, so that each of them can be pointed
//! at. Where all values are positive and far apart, shades are those of their logarithms.

use egui::{Align2, Color32, CursorIcon, Mesh, Pos2, Rect, Sense, Shape, Stroke, StrokeKind, Ui, pos2, vec2};

use super::cell_grid::CellGrid;
use super::input::{SweepInput, SweepResponse};
use super::{beside, words};
use crate::kit::legend::{self, Entry, Sample};
use crate::kit::shades::{ink_on, viridis};
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
    let grids = CellGrid::all(plot, input.plan.axes(), (theme.space(2.0), line));
    for grid in &grids {
        one(ui, input, grid, (&values, &shading), theme);
    }
    names(ui, input, plot, theme);
    let cells = input.plan.cells();
    let rect = |cell: usize| grids[cell % grids.len()].rect(cell);
    if let Some(cell) = input.present_cell() {
        frame(ui, rect(cell), theme.accent, theme);
    }
    let under = response.hover_pos().and_then(|at| Some((at, grids.iter().find_map(|grid| grid.cell_at(at))?)));
    let pointed = under.map(|(_, cell)| cell);
    if let Some(cell) = pointed.or(input.lit).filter(|cell| *cell < cells) {
        frame(ui, rect(cell), theme.ink, theme);
    }
    if let Some((at, cell)) = under {
        beside::show(ui, input, cell, (area, at), theme);
    }
    SweepResponse { pointed, opened: pointed.filter(|_| response.clicked()) }
}

/// Draws the map of one value of the third parameter, or the only one.
fn one(
    ui: &Ui,
    input: &SweepInput<'_>,
    grid: &CellGrid,
    (values, shading): (&[(usize, Option<f64>)], &Shading),
    theme: &Theme,
) {
    let own = |number: &usize| number % grid.maps == grid.map;
    ui.painter().rect_stroke(grid.plot, 0.0, theme.hairline(), StrokeKind::Outside);
    ui.painter().add(Shape::mesh(shades(values, shading, grid)));
    for (number, _) in values.iter().filter(|(number, value)| own(number) && value.is_none()) {
        cross(ui, grid.rect(*number), theme);
    }
    let written = numbers_in_cells(ui, grid, (values, shading), theme);
    for number in input.front().iter().filter(|number| own(number)) {
        let rect = grid.rect(*number);
        let radius = MARK * 0.5 * rect.width().min(rect.height());
        // Beside a number the mark is in the corner.
        let radius = if written { radius.min(theme.space(1.0)) } else { radius };
        let corner = rect.right_top() + vec2(-1.0, 1.0) * (radius + theme.space(0.5));
        let at = if written { corner } else { rect.center() };
        ui.painter().circle(at, radius, theme.paper, Stroke::new(theme.thin(), theme.ink));
    }
    labels(ui, input, grid, theme);
    title(ui, input, grid, theme);
}

/// The value of the third parameter above its map, with the name where it has space.
fn title(ui: &Ui, input: &SweepInput<'_>, grid: &CellGrid, theme: &Theme) {
    let (Some(values), Some(number)) = (input.plan.axes().get(2), input.plan.numbers().get(2)) else { return };
    let value = numbers::significant(values[grid.map], 3);
    let whole = format!("{} = {value}", number.full_label());
    let wide = |text: &str| ui.painter().layout_no_wrap(text.to_owned(), theme.small(), theme.ink).size().x;
    let text = if wide(&whole) <= grid.plot.width() { whole } else { format!("= {value}") };
    let at = grid.plot.left_top() - vec2(0.0, theme.space(0.5));
    ui.painter().text(at, Align2::LEFT_BOTTOM, text, theme.small(), theme.ink);
}

/// A frame around a cell, with one in the colour of the paper around it, so that it is seen beside every shade.
fn frame(ui: &Ui, rect: Rect, colour: Color32, theme: &Theme) {
    for (width, colour) in [(theme.line() + 2.0, theme.paper), (theme.line(), colour)] {
        ui.painter().rect_stroke(rect, 0.0, Stroke::new(width, colour), StrokeKind::Outside);
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

/// The value in every cell, where the cells have space for all of them. Returns whether they have.
fn numbers_in_cells(
    ui: &Ui,
    grid: &CellGrid,
    (values, shading): (&[(usize, Option<f64>)], &Shading),
    theme: &Theme,
) -> bool {
    let own = values.iter().filter(|(number, _)| number % grid.maps == grid.map);
    let written: Vec<_> = own
        .filter_map(|(number, value)| {
            let value = (*value)?;
            let ink = ink_on(shading.level(value));
            let galley = ui.painter().layout_no_wrap(numbers::significant(value, 2), theme.small(), ink);
            Some((grid.rect(*number), galley, ink))
        })
        .collect();
    let margin = vec2(theme.space(1.5), theme.space(0.75));
    let fits = written.iter().all(|(rect, galley, _)| {
        let size = galley.size() + 2.0 * margin;
        size.x <= rect.width() && size.y <= rect.height()
    });
    if fits {
        for (rect, galley, ink) in written {
            ui.painter().galley(rect.center() - 0.5 * galley.size(), galley, ink);
        }
    }
    fits
}

fn shades(values: &[(usize, Option<f64>)], shading: &Shading, grid: &CellGrid) -> Mesh {
    let mut mesh = Mesh::default();
    for (number, value) in values.iter().filter(|(number, _)| number % grid.maps == grid.map) {
        if let Some(value) = value {
            mesh.add_colored_rect(grid.rect(*number), viridis(shading.level(*value)));
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

/// As many values of the axes as have space.
#[expect(clippy::cast_sign_loss, reason = "a number of labels")]
fn labels(ui: &Ui, input: &SweepInput<'_>, grid: &CellGrid, theme: &Theme) {
    let text = |at: Pos2, align: Align2, text: String| {
        ui.painter().text(at, align, text, theme.small(), theme.faint);
    };
    let plot = grid.plot;
    let some = |count: usize, length: f32, each: f32| {
        let most = ((length / each) as usize).max(1);
        (0..count).step_by(count.div_ceil(most).max(1))
    };
    for ((axis, values), _) in input.plan.axes().iter().enumerate().zip(grid.labels).filter(|(_, shown)| *shown) {
        let wide = axis == 0;
        let each = if wide { widest(ui, values, theme) + 2.0 * theme.text.small } else { 1.6 * theme.text.small };
        for index in some(values.len(), if wide { plot.width() } else { plot.height() }, each) {
            let number = numbers::significant(values[index], 2);
            if wide {
                let at = pos2(grid.at(index, 0).center().x, plot.bottom() + theme.space(0.5));
                text(at, Align2::CENTER_TOP, number);
            } else {
                let at = pos2(plot.left() - theme.space(1.0), grid.at(0, index).center().y);
                text(at, Align2::RIGHT_CENTER, number);
            }
        }
    }
}

/// Names of the first two axes.
fn names(ui: &Ui, input: &SweepInput<'_>, area: Rect, theme: &Theme) {
    if !theme.labels.axes {
        return;
    }
    let text = |at: Pos2, align: Align2, text: String| ui.painter().text(at, align, text, theme.small(), theme.soft);
    let below = pos2(area.center().x, area.bottom() + theme.text.small * 1.4);
    text(below, Align2::CENTER_TOP, words::axis(input.plan, 0));
    let above = area.left_top() - vec2(0.0, theme.space(0.5));
    text(above, Align2::LEFT_BOTTOM, words::axis(input.plan, 1));
}

/// What the map shows, with the scale of its shades.
fn bar(ui: &mut Ui, input: &SweepInput<'_>, shading: &Shading, theme: &Theme) {
    let maps = if input.plan.axes().len() > 2 {
        format!(" · a map for each {}", words::axis(input.plan, 2))
    } else {
        String::new()
    };
    let what = format!("{}: {}{maps}", words::measure(input.key()), input.part.label());
    let count = input.plan.cells();
    let there =
        if input.cells.len() < count { format!(" · {} of {count} cells", input.cells.len()) } else { String::new() };
    ui.horizontal_wrapped(|ui| {
        ui.label(format!("{what}{there}"));
        if shading.low <= shading.high {
            ui.label(numbers::significant(shading.low, 3));
            let (rect, _) =
                ui.allocate_exact_size(vec2(BAR * theme.text.small, 0.9 * theme.text.small), Sense::hover());
            ui.painter().add(Shape::mesh(graded(rect)));
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
        entries.push(Entry::new(Sample::Ring(theme.ink), words::front(input.plan)));
    }
    if input.present_cell().is_some() {
        entries.push(Entry::new(Sample::Frame(theme.accent), words::present(input.plan)));
    }
    if values.iter().any(|(_, value)| value.is_none()) {
        let all = |number: usize| input.cell(number).is_some_and(|cell| cell.diverged.iter().all(|chains| *chains > 0));
        let diverged = values.iter().filter(|(_, value)| value.is_none()).all(|(number, _)| all(*number));
        let first = values.iter().find(|(_, value)| value.is_none()).and_then(|(number, _)| input.cell(*number));
        let reason = first.and_then(|cell| cell.reasons.get(input.measure)).map_or("", String::as_str);
        let words = if diverged { "no value: chains have left".to_owned() } else { words::no_value(reason) };
        entries.push(Entry::new(Sample::Cross(theme.faint), words));
    }
    entries
}

/// The bar of shades.
fn graded(rect: Rect) -> Mesh {
    let mut mesh = Mesh::default();
    let edge = |step: usize| rect.left() + rect.width() * step as f32 / STEPS as f32;
    for step in 0..STEPS {
        let strip = Rect::from_min_max(pos2(edge(step), rect.top()), pos2(edge(step + 1), rect.bottom()));
        mesh.add_colored_rect(strip, viridis((step as f64 + 0.5) / STEPS as f64));
    }
    mesh
}

#[cfg(test)]
mod tests {
    use super::*;

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

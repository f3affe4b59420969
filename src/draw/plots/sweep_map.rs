//! Map of a sweep: a measure over a grid of parameters, a cell for each pair of values, with the Pareto front of missing modes, error
//! within modes and cost.
//!
//! A shade is the mean over seeds, or the standard deviation between them. A cell without a value has a cross. Cells stand at equal distances,
//! whatever the scale of the axis, so that each of them can be pointed at.

use egui::{Align2, Color32, CursorIcon, Mesh, Pos2, Rect, Sense, Shape, Stroke, StrokeKind, Ui, pos2, vec2};

use crate::draw::numbers;
use crate::draw::theme::Theme;
use crate::scenario::sweep_measures;
use crate::session::sweep::{Cell, Spread, SweepPlan};

use super::gestures::Gesture;
use super::overlay_label;

/// What can be done on the plot.
pub(super) const GESTURES: [Gesture; 2] = [
    Gesture::at("Map", "Point at a cell", "Read its parameters, measures and cost"),
    Gesture::at("Map", "Click", "Give the run the parameters of the cell"),
];

/// Labels along an axis, at most.
const LABELS: usize = 6;

/// Side of a mark of the front, as a share of the shorter side of a cell.
const MARK: f32 = 0.35;

/// Steps of colour along the bar.
const STEPS: usize = 48;

/// Width of the bar, in sizes of small text.
const BAR: f32 = 12.0;

/// Input of the map.
#[derive(Clone, Copy, Debug)]
pub struct MapInput<'a> {
    /// The sweep.
    pub plan: &'a SweepPlan,
    /// The cells computed so far.
    pub cells: &'a [Cell],
    /// The numbers of the cells on the front; empty while cells are missing.
    pub front: &'a [usize],
    /// The number of the measure among those of the sweep.
    pub measure: usize,
    /// Whether the standard deviation between seeds is shown, and not their mean.
    pub spread: bool,
    /// The values of the run that is shown, one for each axis, as far as they are numbers.
    pub present: &'a [Option<f64>],
}

impl MapInput<'_> {
    /// The value that a cell shows.
    fn value(&self, cell: &Cell) -> Option<f64> {
        let spread = Spread::of(cell.measures.get(self.measure)?)?;
        if self.spread { spread.sd } else { Some(spread.mean) }
    }

    fn columns(&self) -> usize {
        self.plan.axes().first().map_or(1, Vec::len)
    }

    fn rows(&self) -> usize {
        self.plan.axes().get(1).map_or(1, Vec::len)
    }
}

/// Draws the map into the available space; returns the cell that was clicked.
pub fn show(ui: &mut Ui, input: &MapInput<'_>, theme: &Theme) -> Option<usize> {
    let values: Vec<(usize, Option<f64>)> = input.cells.iter().map(|cell| (cell.number, input.value(cell))).collect();
    let finite = || values.iter().filter_map(|(_, value)| *value);
    let ends = (finite().fold(f64::INFINITY, f64::min), finite().fold(f64::NEG_INFINITY, f64::max));
    bar(ui, input, ends, theme);
    let parameters: Vec<&str> = input.plan.sweep().axes.iter().map(|axis| axis.parameter.as_str()).collect();
    let (line, room) = (theme.text.small * 1.4, ui.available_rect_before_wrap());
    let left = if parameters.len() > 1 { theme.text.small * 5.0 } else { 0.0 };
    let plot = Rect::from_min_max(room.min + vec2(left, line), room.max - vec2(theme.space(2.0), 2.2 * line));
    let response = ui.allocate_rect(room, Sense::click()).on_hover_cursor(CursorIcon::PointingHand);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Image, true, "Map of the sweep"));
    if plot.width() < 1.0 || plot.height() < 1.0 {
        return None;
    }
    let places = Places { plot, columns: input.columns(), rows: input.rows() };
    ui.painter().rect_stroke(plot, 0.0, theme.hairline(), StrokeKind::Outside);
    ui.painter().add(Shape::mesh(shades(&values, ends, &places, theme)));
    for (number, _) in values.iter().filter(|(_, value)| value.is_none()) {
        cross(ui, places.rect(*number), theme);
    }
    for number in input.front {
        let rect = places.rect(*number);
        let radius = MARK * 0.5 * rect.width().min(rect.height());
        ui.painter().circle(rect.center(), radius, theme.paper, Stroke::new(theme.thin(), theme.ink));
    }
    labels(ui, input, (&parameters, &places), theme);
    if let Some(rect) = present(input, &places) {
        ui.painter().rect_stroke(rect, 0.0, Stroke::new(theme.line(), theme.accent), StrokeKind::Outside);
    }
    let pointer = response.hover_pos()?;
    let number = places.cell_at(pointer)?;
    ui.painter().rect_stroke(places.rect(number), 0.0, Stroke::new(theme.thin(), theme.ink), StrokeKind::Outside);
    overlay_label::at_pointer(ui, theme, room, pointer, &words(input, number));
    response.clicked().then_some(number)
}

/// Where the cells are on the screen: the first axis to the right, the second upwards.
struct Places {
    plot: Rect,
    columns: usize,
    rows: usize,
}

impl Places {
    #[expect(clippy::cast_precision_loss, reason = "a few hundred columns")]
    fn rect(&self, number: usize) -> Rect {
        let (column, row) = (number / self.rows, number % self.rows);
        let size = vec2(self.plot.width() / self.columns as f32, self.plot.height() / self.rows as f32);
        let corner = pos2(self.plot.left() + column as f32 * size.x, self.plot.bottom() - (row + 1) as f32 * size.y);
        Rect::from_min_size(corner, size)
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "a place in the plot"
    )]
    fn cell_at(&self, at: Pos2) -> Option<usize> {
        if !self.plot.contains(at) {
            return None;
        }
        let column = (at.x - self.plot.left()) / self.plot.width() * self.columns as f32;
        let row = (self.plot.bottom() - at.y) / self.plot.height() * self.rows as f32;
        Some((column as usize).min(self.columns - 1) * self.rows + (row as usize).min(self.rows - 1))
    }
}

/// The shade of a value between the ends of all values.
fn shade(value: f64, (low, high): (f64, f64), theme: &Theme) -> Color32 {
    let level = if high > low { (value - low) / (high - low) } else { 0.5 };
    let [r, g, b] = theme.ramp.shade(level);
    Color32::from_rgb(r, g, b)
}

fn shades(values: &[(usize, Option<f64>)], ends: (f64, f64), places: &Places, theme: &Theme) -> Mesh {
    let mut mesh = Mesh::default();
    for (number, value) in values {
        if let Some(value) = value {
            mesh.add_colored_rect(places.rect(*number), shade(*value, ends, theme));
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

/// The cell of the run that is shown, if its parameters are those of a cell.
fn present(input: &MapInput<'_>, places: &Places) -> Option<Rect> {
    let mut number = 0;
    for (values, present) in input.plan.axes().iter().zip(input.present) {
        let present = (*present)?;
        let place = values.iter().position(|value| value.to_bits() == present.to_bits())?;
        number = number * values.len() + place;
    }
    Some(places.rect(number))
}

/// Names of the axes, and some of their values.
fn labels(ui: &Ui, input: &MapInput<'_>, (parameters, places): (&[&str], &Places), theme: &Theme) {
    let text = |at: Pos2, align: Align2, text: String, colour: Color32| {
        ui.painter().text(at, align, text, theme.small(), colour);
    };
    let (plot, line) = (places.plot, theme.text.small * 1.4);
    let some = |count: usize| (0..count).step_by(count.div_ceil(LABELS).max(1));
    for (axis, values) in input.plan.axes().iter().enumerate() {
        for place in some(values.len()) {
            let number = numbers::significant(values[place], 2);
            if axis == 0 {
                let at = pos2(places.rect(place * places.rows).center().x, plot.bottom() + theme.space(0.5));
                text(at, Align2::CENTER_TOP, number, theme.faint);
            } else {
                let at = pos2(plot.left() - theme.space(1.0), places.rect(place).center().y);
                text(at, Align2::RIGHT_CENTER, number, theme.faint);
            }
        }
    }
    let below = pos2(plot.center().x, plot.bottom() + line);
    text(below, Align2::CENTER_TOP, parameters.first().copied().unwrap_or_default().to_owned(), theme.soft);
    if let Some(name) = parameters.get(1) {
        text(plot.left_top(), Align2::LEFT_BOTTOM, (*name).to_owned(), theme.soft);
    }
}

/// The name of a measure.
fn label(key: &str) -> &str {
    sweep_measures().find(|spec| spec.key == key).map_or(key, |spec| spec.label)
}

/// What the map shows, with the scale of its shades.
fn bar(ui: &mut Ui, input: &MapInput<'_>, ends: (f64, f64), theme: &Theme) {
    let key = input.plan.sweep().measures.get(input.measure).copied().unwrap_or_default();
    let what = if input.spread { format!("{}: sd between seeds", label(key)) } else { format!("{}: mean", label(key)) };
    let count = input.plan.cells();
    let there =
        if input.cells.len() < count { format!(" · {} of {count} cells", input.cells.len()) } else { String::new() };
    ui.horizontal_wrapped(|ui| {
        ui.label(format!("{what}{there}"));
        if ends.0 <= ends.1 {
            ui.label(numbers::significant(ends.0, 3));
            let (rect, _) =
                ui.allocate_exact_size(vec2(BAR * theme.text.small, 0.9 * theme.text.small), Sense::hover());
            ui.painter().add(Shape::mesh(graded(rect, theme)));
            ui.painter().rect_stroke(rect, 0.0, theme.hairline(), StrokeKind::Outside);
            ui.label(numbers::significant(ends.1, 3));
        }
        if !input.front.is_empty() {
            ui.label("○ Pareto front of missing modes, KL within modes and cost");
        }
    });
}

/// The bar of shades.
#[expect(clippy::cast_precision_loss, reason = "a few dozen steps")]
fn graded(rect: Rect, theme: &Theme) -> Mesh {
    let mut mesh = Mesh::default();
    let edge = |step: usize| rect.left() + rect.width() * step as f32 / STEPS as f32;
    for step in 0..STEPS {
        let strip = Rect::from_min_max(pos2(edge(step), rect.top()), pos2(edge(step + 1), rect.bottom()));
        mesh.add_colored_rect(strip, shade((step as f64 + 0.5) / STEPS as f64, (0.0, 1.0), theme));
    }
    mesh
}

/// What is known of a cell.
fn words(input: &MapInput<'_>, number: usize) -> String {
    let sweep = input.plan.sweep();
    let axes = sweep.axes.iter().zip(input.plan.values_of(number));
    let mut lines: Vec<String> =
        axes.map(|(axis, value)| format!("{} = {}", axis.parameter, numbers::significant(value, 3))).collect();
    let Some(cell) = input.cells.iter().find(|cell| cell.number == number) else {
        lines.push("not computed yet".to_owned());
        return lines.join("\n");
    };
    for (key, values) in sweep.measures.iter().zip(&cell.measures) {
        let value = match Spread::of(values) {
            None => "no value".to_owned(),
            Some(spread) => {
                let error = spread.standard_error();
                let error = error.map_or_else(String::new, |error| format!(" ± {}", numbers::significant(error, 2)));
                format!(
                    "{}{error}, {} to {}",
                    numbers::significant(spread.mean, 3),
                    numbers::significant(spread.least, 3),
                    numbers::significant(spread.most, 3)
                )
            }
        };
        lines.push(format!("{}: {value}", label(key)));
    }
    let cost = cell.evaluations.iter().sum::<f64>() / cell.evaluations.len().max(1) as f64;
    lines.push(format!("cost: {}", numbers::brief(cost)));
    let diverged: u64 = cell.diverged.iter().sum();
    if diverged > 0 {
        lines.push(format!("diverged chains: {diverged}"));
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_in_the_plot_is_the_cell_that_is_drawn_there() {
        let plot = Rect::from_min_size(pos2(30.0, 10.0), vec2(400.0, 300.0));
        let places = Places { plot, columns: 5, rows: 3 };
        for number in 0..15 {
            assert_eq!(places.cell_at(places.rect(number).center()), Some(number));
        }
        // The second axis goes upwards.
        assert!(places.rect(0).bottom() > places.rect(1).bottom());
        assert!(
            (places.rect(0).bottom() - plot.bottom()).abs() < 1e-3
                && (places.rect(14).right() - plot.right()).abs() < 1e-3
        );
        assert_eq!(places.cell_at(pos2(0.0, 0.0)), None);
    }
}

//! Readout: the measures of all runs, with the value expected for as many exact draws.
//! `table` has the content, `rows` its types, `lead` the few measures that come first, `value` draws one value, this file draws
//! the table, `copy` writes it for the clipboard.

mod able;
pub mod copy;
mod fits;
mod heads;
mod lead;
mod rows;
mod table;
mod topics;
mod value;

use egui::{Align, Label, Layout, Rect, RichText, Sense, Stroke, StrokeKind, Ui, UiBuilder, pos2, vec2};

use crate::plots::run_marker;
use crate::theme::Theme;
use engine::diagnostics::TRUTH_MEASURES;
use engine::session::Frame;

pub use lead::{lead, leading, line};
use rows::Row;
pub use table::Table;
pub use topics::local_steps;

/// The note below the table.
const NOTE: &str = "In brackets: as many exact draws on average. Bold: better by more than noise.";

/// The note below a table in which some floors may have no room.
const SOME: &str = "In brackets, where there is room: as many exact draws on average. Bold: better by more than noise.";

/// What follows where fits are beside draws.
const BOTH: &str = " A fit is no set of draws: it has no such average, and is not compared with draws.";

/// What follows while the floors of the newest draws are not complete.
const COMPLETING: &str = " The averages are being computed.";

/// The note where the truth is not known, before the reason.
const NOT_KNOWN: &str = "Without measures against the truth, which is not known: ";

/// Where a table is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Medium {
    /// In a window.
    Screen,
    /// In a figure, at which nobody points.
    Paper,
}

/// The note below the table of a frame, whose floors may still be computed (`completing`).
#[must_use]
pub fn note(frame: &Frame, columns: Columns, completing: bool) -> String {
    if let Some(model) = frame.target.topics() {
        return format!("Means over chains; {}.", local_steps(model));
    }
    let cut = columns.floors == Floors::Beside && columns.values < SURE_VALUES * columns.text;
    let fits = frame.runs.iter().filter(|run| run.fits.is_some()).count();
    if let Some(why) = frame.truth.why_unknown() {
        return format!("{NOT_KNOWN}{why}.");
    }
    let both = frame.truth.is_known() && fits > 0 && fits < frame.runs.len();
    let progress = if completing && frame.truth.is_known() { COMPLETING } else { "" };
    format!("{}{}{progress}", if cut { SOME } else { NOTE }, if both { BOTH } else { "" })
}

/// Widths of the columns, in sizes of their text: labels, and values with their floors, at least and at most.
const LABELS: f32 = 11.8;
const WIDE_LABELS: f32 = 17.0;
const VALUES: f32 = 7.7;
const WIDE_VALUES: f32 = 14.0;

/// Width in which every value has room with its floor, in sizes of the text.
const SURE_VALUES: f32 = 11.0;

/// Gap between two columns, in sizes of their text.
const GAP: f32 = 0.4;

/// Width of values without their floors.
const BARE_VALUES: f32 = 5.0;

/// Smallest width of a column of labels, as a share of the usual one.
const NARROW_LABELS: f32 = 0.75;

/// Height of a line of floors, in sizes of the text of the values.
const BELOW: f32 = 1.05;

/// Where floors are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Floors {
    /// Beside their values.
    Beside,
    /// Below their values, in small type.
    Below,
}

/// Arrangement of the table in a width. Nothing in it depends on the values, so that nothing moves when they change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Columns {
    floors: Floors,
    /// Width of the labels in points; `None` where they are above the values, in a panel too narrow for columns.
    labels: Option<f32>,
    /// Width of a value in points, with the gap behind it.
    values: f32,
    /// Size of the text in points.
    text: f32,
    /// Values in a line.
    in_line: usize,
}

impl Columns {
    /// The arrangement for this number of runs within this width. On paper every floor has room.
    #[must_use]
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a few runs"
    )]
    pub fn fitting(width: f32, theme: &Theme, runs: usize, medium: Medium) -> Self {
        let (labels, size, count) = (LABELS * theme.text.body, theme.text.body, runs.max(1) as f32);
        let marker = size + theme.space(1.0);
        let beside = if medium == Medium::Paper { SURE_VALUES } else { VALUES };
        if width >= labels + beside * size * count {
            let values = ((width - labels) / count).min(WIDE_VALUES * size);
            let labels = (width - values * count).min(WIDE_LABELS * size);
            return Self { floors: Floors::Beside, labels: Some(labels), values, text: size, in_line: runs };
        }
        if width >= NARROW_LABELS * labels + BARE_VALUES * size * count {
            let labels = (width - BARE_VALUES * size * count).min(labels);
            let values = (width - labels) / count;
            return Self { floors: Floors::Below, labels: Some(labels), values, text: size, in_line: runs };
        }
        let in_line = (width / (beside * size + marker)).floor().clamp(1.0, count);
        let values = width / in_line;
        Self { floors: Floors::Beside, labels: None, values, text: size, in_line: in_line as usize }
    }

    /// The gap between two columns.
    fn gap(self) -> f32 {
        GAP * self.text
    }

    /// Lines of values below each label, or one beside it.
    fn lines(self, runs: usize) -> usize {
        if self.labels.is_some() { 1 } else { runs.div_ceil(self.in_line) + 1 }
    }
}

/// Height of the table on the sheet with its note, in points.
#[expect(clippy::cast_precision_loss, reason = "a handful of rows")]
pub fn height(ui: &Ui, table: &Table, columns: Columns, note: &str) -> f32 {
    let names = columns.labels.map_or(line_height(ui), |_| heads::height(ui, &table.runs, columns));
    // With the note below, which has a second line where it says more.
    let rows = table.rows().count() * columns.lines(table.runs.len())
        + 1
        + usize::from(note.ends_with(BOTH) || note.starts_with(NOT_KNOWN));
    let floors: f32 = table.rows().map(|row| room_below(row, table, columns)).sum();
    names + rows as f32 * line_height(ui) + floors
}

/// Height of the floors below the values of a row. Rows of measures against the truth have it before their floors are known, so that
/// nothing moves when they are.
fn room_below(row: &Row, table: &Table, columns: Columns) -> f32 {
    let told = |cell: &rows::Cell| cell.floor.is_some() || cell.error.is_some();
    let expected = !table.fits && TRUTH_MEASURES.iter().any(|spec| spec.key == row.spec.key);
    let floors = columns.floors == Floors::Below && (expected || row.cells.iter().any(told));
    if floors { BELOW * columns.text } else { 0.0 }
}

fn line_height(ui: &Ui) -> f32 {
    ui.spacing().interact_size.y
}

/// Draws the table. The row of the `marked` measure has a frame, and is scrolled into sight.
pub fn draw(ui: &mut Ui, theme: &Theme, table: &Table, columns: Columns, marked: Option<&str>) {
    ui.spacing_mut().item_spacing.y = 0.0;
    // Without rows there is nothing below the names.
    if let Some(labels) = columns.labels.filter(|_| table.rows().next().is_some()) {
        heads::show(ui, theme, &table.runs, columns, labels);
    }
    for section in &table.sections {
        if !section.title.is_empty() {
            ui.add_space(theme.space(1.5));
            ui.add(Label::new(RichText::new(section.title).font(theme.strong())).wrap());
        }
        for (number, row) in section.rows.iter().enumerate() {
            let below = room_below(row, table, columns);
            let rect = draw_row(ui, theme, row, (columns, below), number % 2 == 1);
            if marked == Some(row.spec.key) {
                let stroke = Stroke::new(theme.line(), theme.accent);
                ui.painter().rect_stroke(rect, theme.space(0.5), stroke, StrokeKind::Outside);
                ui.scroll_to_rect(rect, None);
            }
        }
    }
}

/// The place of value number `index` beside the label.
#[expect(clippy::cast_precision_loss, reason = "a handful of runs")]
fn cell(row: Rect, columns: Columns, labels: f32, index: usize) -> Rect {
    let left = row.left() + labels + columns.values * index as f32;
    Rect::from_min_size(pos2(left, row.top()), vec2(columns.values - columns.gap(), row.height()))
}

fn within<R>(ui: &mut Ui, rect: Rect, contents: impl FnOnce(&mut Ui) -> R) -> R {
    let layout = Layout::left_to_right(Align::Center);
    let builder = UiBuilder::new().max_rect(rect).layout(layout);
    ui.scope_builder(builder, |ui| {
        ui.spacing_mut().item_spacing.x = ui.spacing().icon_spacing * 0.7;
        contents(ui)
    })
    .inner
}

/// A row: the label and its values beside it, or in lines below; returns its place. Floors may be `below` the values.
fn draw_row(ui: &mut Ui, theme: &Theme, row: &Row, (columns, below): (Columns, f32), striped: bool) -> Rect {
    let line = line_height(ui);
    #[expect(clippy::cast_precision_loss, reason = "a handful of lines")]
    let height = line * columns.lines(row.cells.len()) as f32 + below;
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    if striped {
        ui.painter().rect_filled(rect, theme.space(0.5), theme.grid);
    }
    let (label, values) = rect.split_top_bottom_at_y(rect.top() + line);
    let width = columns.labels.unwrap_or(rect.width());
    within(ui, Rect::from_min_size(label.min, vec2(width - theme.space(1.0), line)), |ui| lead::label(ui, theme, row));
    for (index, cell_of_run) in row.cells.iter().enumerate() {
        let place = match columns.labels {
            Some(labels) => cell(label, columns, labels, index),
            None => in_lines(values, columns, line, index),
        };
        within(ui, place, |ui| {
            if columns.labels.is_none() {
                run_marker::show(ui, theme, theme.run(index));
            }
            value::show(ui, theme, row, (index, cell_of_run), below <= 0.0);
        });
        if below > 0.0 {
            // Closer to its value than a line of its own.
            let floor = Rect::from_min_size(place.left_bottom() - vec2(0.0, 0.25 * below), vec2(place.width(), below));
            within(ui, floor, |ui| value::below(ui, theme, row, cell_of_run));
        }
    }
    rect
}

/// The place of value number `index` in the lines below a label.
#[expect(clippy::cast_precision_loss, reason = "a handful of runs")]
fn in_lines(room: Rect, columns: Columns, line: f32, index: usize) -> Rect {
    let (row, column) = (index / columns.in_line, index % columns.in_line);
    let at = room.min + vec2(columns.values * column as f32, line * row as f32);
    Rect::from_min_size(at, vec2(columns.values - columns.gap(), line))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plots::testing::{Fake, Recipe, frame};

    #[test]
    fn the_note_tells_that_averages_are_being_computed() {
        let recipe = Recipe { name: "SGLD", chains: 2, steps: 60, total: 100, alpha: 0.004, cycle: 0 };
        let mut made = frame(Fake::grid(), &[recipe]);
        let columns = Columns::fitting(900.0, &Theme::default(), 1, Medium::Screen);
        assert_eq!(note(&made, columns, false), NOTE);
        assert_eq!(note(&made, columns, true), format!("{NOTE}{COMPLETING}"));
        made.truth = std::sync::Arc::new(made.truth.withdrawn());
        assert_eq!(note(&made, columns, true), note(&made, columns, false), "there are none");
    }

    #[test]
    fn columns_fit_into_their_width() {
        let theme = Theme::default();
        for width in [150.0, 184.0, 216.0, 300.0, 500.0, 900.0_f32] {
            for (runs, medium) in (1..=4).flat_map(|runs| [(runs, Medium::Screen), (runs, Medium::Paper)]) {
                let columns = Columns::fitting(width, &theme, runs, medium);
                // Floors have room beside values, or a line of their own.
                let sure = columns.values >= SURE_VALUES * columns.text || columns.labels.is_none();
                assert!(medium == Medium::Screen || columns.floors == Floors::Below || sure, "{columns:?} in {width}");
                let beside = columns.labels.map_or(0.0, |labels| labels);
                assert!(beside + columns.values * columns.in_line as f32 <= width + 0.01, "{columns:?} in {width}");
                assert!(columns.in_line >= 1 && columns.in_line <= runs);
                assert!(columns.values >= BARE_VALUES * theme.text.body);
            }
        }
        assert_eq!(Columns::fitting(900.0, &theme, 4, Medium::Screen).floors, Floors::Beside);
        // What is left of a wide room goes to the values, until each has room with its floor.
        let values = |width| Columns::fitting(width, &theme, 3, Medium::Screen).values / theme.text.body;
        let [wide, wider] = [900.0, 2000.0].map(values);
        assert!(wide > SURE_VALUES && wide <= wider && wider <= WIDE_VALUES, "{wide}, {wider}");
        assert_eq!(Columns::fitting(184.0, &theme, 4, Medium::Screen).labels, None);
    }
}

//! Readout: the measures of all runs, with the value expected for as many exact draws.
//! `table` has the content, `rows` its types, `lead` the few measures that come first, `value` draws one value, this file draws
//! the table, `copy` writes it for the clipboard, `readings` has its values as plain data.

mod able;
mod columns;
pub mod copy;
mod fits;
mod heads;
mod lead;
mod own;
mod readings;
mod rows;
mod table;
mod topics;
mod value;

use egui::{Label, Rect, RichText, Sense, Stroke, StrokeKind, Ui, vec2};

use crate::kit::run_marker;
use crate::theme::Theme;
use engine::diagnostics::TRUTH_MEASURES;
use engine::session::Frame;

pub use able::in_text;
pub use columns::{Columns, Medium};
use columns::{Floors, SURE_VALUES, cell, fade, line_height, within};
pub use lead::{lead, leading, line};
pub use readings::{Reading, readings};
pub use rows::DIVERGED;
pub(crate) use rows::Row;
pub use table::Table;
pub use topics::local_steps;
pub use value::{BRACKETS, reading};

/// What the brackets of a table are where some may have no space.
const SOME: &str = "In brackets, where there is room: what as many exact draws have on average.";

/// What a bold value is.
const BOLD: &str = "Bold: better by more than the noise of its effective draws.";

/// What follows where fits are beside draws.
const BOTH: &str = " A fit is no set of draws: it has no such average, and is not compared with draws.";

/// What follows while the floors of the newest draws are not complete.
const COMPLETING: &str = " The averages are being computed.";

/// The note where the truth is not known, before the reason.
const NOT_KNOWN: &str = "Without measures against the truth, which is not known: ";

/// The note below the `shown` table of a frame, whose floors may still be computed (`completing`). It explains what the table has.
#[must_use]
pub fn note(frame: &Frame, shown: &Table, columns: Columns, completing: bool) -> String {
    if let Some(own) = own::of(frame) {
        return (own.note)(frame);
    }
    let cut = columns.floors == Floors::Beside && columns.values < SURE_VALUES * columns.text;
    let fits = frame.runs.iter().filter(|run| run.fits.is_some()).count();
    if let Some(why) = frame.truth.why_unknown() {
        return format!("{NOT_KNOWN}{why}.");
    }
    let both = frame.truth.is_known() && fits > 0 && fits < frame.runs.len();
    let of_truth = |row: &Row| TRUTH_MEASURES.iter().any(|spec| spec.key == row.spec.key);
    let brackets =
        shown.floors && shown.rows().any(|row| of_truth(row) || row.cells.iter().any(|cell| cell.floor.is_some()));
    let told = match (brackets, cut) {
        (true, true) => SOME,
        (true, false) => BRACKETS,
        (false, _) => "",
    };
    let bold = if shown.rows().any(|row| !row.able.is_empty()) && shown.runs.len() > 1 { BOLD } else { "" };
    let (both, progress) =
        (if both && brackets { BOTH } else { "" }, if brackets && completing { COMPLETING } else { "" });
    let told = format!("{told} {bold}");
    format!("{}{both}{progress}", told.trim())
}

/// Height of a line of floors, in sizes of the text of the values.
const BELOW: f32 = 1.05;

/// Height of the table on the sheet with its note, in points.
pub fn height(ui: &Ui, table: &Table, columns: Columns, note: &str) -> f32 {
    let names = columns.labels.map_or(line_height(ui), |_| heads::height(ui, &table.runs, columns));
    // With the note below, which has a second line where it says more.
    let rows = table.rows().count() * columns.lines(table.runs.len())
        + 1
        + usize::from(note.ends_with(BOTH) || note.starts_with(NOT_KNOWN));
    let floors: f32 = table.rows().map(|row| space_below(row, table, columns)).sum();
    names + rows as f32 * line_height(ui) + floors
}

/// Height of the floors below the values of a row. Rows of measures against the truth have it before their floors are known, so that
/// nothing moves when they are.
fn space_below(row: &Row, table: &Table, columns: Columns) -> f32 {
    let has_more = |cell: &rows::Cell| cell.floor.is_some() || cell.error.is_some();
    let expected = table.floors && !table.fits && TRUTH_MEASURES.iter().any(|spec| spec.key == row.spec.key);
    let floors = columns.floors == Floors::Below && (expected || row.cells.iter().any(has_more));
    if floors { BELOW * columns.text } else { 0.0 }
}

/// Draws the table. The row of the `marked` measure has a frame, and is scrolled into sight.
pub fn draw(ui: &mut Ui, theme: &Theme, table: &Table, columns: Columns, marked: Option<&str>) {
    ui.spacing_mut().item_spacing.y = 0.0;
    // Without rows there is nothing below the names.
    if let Some(labels) = columns.labels.filter(|_| table.rows().next().is_some()) {
        heads::show(ui, theme, table, columns, labels);
    }
    for section in &table.sections {
        if !section.title.is_empty() {
            ui.add_space(theme.space(1.5));
            ui.add(Label::new(RichText::new(section.title).font(theme.strong())).wrap());
        }
        for (number, row) in section.rows.iter().enumerate() {
            let below = space_below(row, table, columns);
            let rect = draw_row(ui, theme, row, (columns, below), number % 2 == 1);
            if marked == Some(row.spec.key) {
                let stroke = Stroke::new(theme.line(), theme.accent);
                ui.painter().rect_stroke(rect, theme.space(0.5), stroke, StrokeKind::Outside);
                ui.scroll_to_rect(rect, None);
            }
        }
    }
}

/// A row: the label and its values beside it, or in lines below; returns its rectangle. Floors may be `below` the values.
fn draw_row(ui: &mut Ui, theme: &Theme, row: &Row, (columns, below): (Columns, f32), striped: bool) -> Rect {
    let line = line_height(ui);
    let height = line * columns.lines(row.cells.len()) as f32 + below;
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    if striped {
        ui.painter().rect_filled(rect, theme.space(0.5), theme.grid);
    }
    let (label, values) = rect.split_top_bottom_at_y(rect.top() + line);
    let width = columns.labels.unwrap_or(rect.width());
    within(ui, Rect::from_min_size(label.min, vec2(width - theme.space(1.0), line)), |ui| lead::label(ui, theme, row));
    for (index, cell_of_run) in row.cells.iter().enumerate() {
        let rect = match columns.labels {
            Some(labels) => cell(label, columns, labels, index),
            None => in_lines(values, columns, line, index),
        };
        let pale = row.unseen.contains(&index);
        within(ui, rect, |ui| {
            fade(ui, pale);
            if columns.labels.is_none() {
                run_marker::show(ui, theme, theme.run(index));
            }
            value::show(ui, theme, row, (index, cell_of_run), below <= 0.0);
        });
        if below > 0.0 {
            // Closer to its value than a line of its own.
            let floor = Rect::from_min_size(rect.left_bottom() - vec2(0.0, 0.25 * below), vec2(rect.width(), below));
            within(ui, floor, |ui| {
                fade(ui, pale);
                value::below(ui, theme, row, cell_of_run);
            });
        }
    }
    rect
}

/// The rectangle of value number `index` in the lines below a label.
fn in_lines(area: Rect, columns: Columns, line: f32, index: usize) -> Rect {
    let (row, column) = (index / columns.in_line, index % columns.in_line);
    let at = area.min + vec2(columns.values * column as f32, line * row as f32);
    Rect::from_min_size(at, vec2(columns.values - columns.gap(), line))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Fake, Recipe, frame};

    #[test]
    fn the_note_tells_that_averages_are_being_computed() {
        let recipe = Recipe { name: "SGLD", chains: 2, steps: 60, total: 100, alpha: 0.004, cycle: 0 };
        let mut made = frame(Fake::grid(), &[recipe]);
        let columns = Columns::fitting(900.0, &Theme::default(), 1, Medium::Screen);
        let table = Table::of(&made);
        let note = |frame: &Frame, completing| note(frame, &table, columns, completing);
        let usual = note(&made, false);
        assert!(usual.starts_with(BRACKETS));
        assert_eq!(note(&made, true), format!("{usual}{COMPLETING}"));
        let plain = table.only(&[table.row("draws").unwrap()]);
        assert_eq!(super::note(&made, &plain, columns, false), "", "a table without brackets");
        made.truth = std::sync::Arc::new(made.truth.withdrawn());
        assert_eq!(note(&made, true), note(&made, false), "there are none");
    }
}

//! The names of the runs above their columns: in one line, in a few lines where they are long, or all together above the table
//! where a column is narrower than a word.

use std::sync::Arc;

use egui::{FontId, Galley, Label, Pos2, Rect, Sense, Ui, pos2, vec2};

use super::columns::{Columns, cell, fade, line_height, within};
use super::table::Table;
use crate::kit::run_marker;
use crate::theme::{Theme, strong_family};

/// Lines of a name, at most.
const LINES: usize = 3;

/// How the names are arranged.
enum Heads {
    /// Each beside its marker, above its column.
    Above(Vec<Arc<Galley>>),
    /// All of them before the table, each with its rectangle there; above the columns are the markers.
    Before(Vec<(Pos2, Arc<Galley>)>, f32),
}

/// Width of a marker with its gap.
fn marker(ui: &Ui, columns: Columns) -> f32 {
    columns.text + ui.spacing().icon_spacing * 0.7
}

fn arranged(ui: &Ui, runs: &[String], columns: Columns) -> Heads {
    let font = FontId::new(columns.text, strong_family());
    let colour = ui.visuals().text_color();
    let wrapped = |text: &str, width: f32| ui.painter().layout(text.to_owned(), font.clone(), colour, width);
    // A width that a name has is enough for it, whatever rounding does.
    let available = columns.values - columns.gap() - marker(ui, columns) + 0.5;
    let fits = |name: &String| {
        let word = |word| wrapped(word, f32::INFINITY).size().x <= available;
        name.split_whitespace().all(word) && wrapped(name, available).rows.len() <= LINES
    };
    if runs.iter().all(fits) {
        return Heads::Above(runs.iter().map(|name| wrapped(name, available)).collect());
    }
    let (whole, gap) = (ui.available_width(), 2.0 * ui.spacing().icon_spacing);
    let (mut at, mut below) = (Pos2::ZERO, 0.0);
    let mut names = Vec::new();
    for name in runs {
        let name = wrapped(name, (whole - marker(ui, columns)).max(1.0));
        let width = marker(ui, columns) + name.size().x;
        if at.x > 0.0 && at.x + width > whole {
            at = pos2(0.0, below);
        }
        below = f32::max(below, at.y + name.size().y.max(line_height(ui)));
        names.push((at, name));
        at.x += width + gap;
    }
    Heads::Before(names, below)
}

/// Height of the names above a table.
pub(super) fn height(ui: &Ui, runs: &[String], columns: Columns) -> f32 {
    above(ui, &arranged(ui, runs, columns))
}

fn above(ui: &Ui, heads: &Heads) -> f32 {
    let line = line_height(ui);
    match heads {
        Heads::Above(names) => names.iter().map(|name| name.size().y).fold(line, f32::max),
        Heads::Before(_, below) => below + line,
    }
}

/// The marker and the name of each run.
pub(super) fn show(ui: &mut Ui, theme: &Theme, table: &Table, columns: Columns, labels: f32) {
    let runs = &table.runs[..];
    let line = line_height(ui);
    let heads = arranged(ui, runs, columns);
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), above(ui, &heads)), Sense::hover());
    match heads {
        Heads::Above(names) => {
            for (index, name) in names.into_iter().enumerate() {
                let rect = cell(rect, columns, labels, index);
                // The marker is in the first line of the name.
                let first = Rect::from_min_size(rect.min, vec2(columns.text, line.min(rect.height())));
                within(ui, first, |ui| {
                    fade(ui, table.is_unseen(index));
                    run_marker::show(ui, theme, theme.run(index))
                });
                let at = rect.min
                    + vec2(
                        marker(ui, columns),
                        0.5 * (line - name.rows.first().map_or(0.0, |row| row.height())).max(0.0),
                    );
                let size = name.size();
                ui.scope(|ui| {
                    fade(ui, table.is_unseen(index));
                    let hidden = if table.is_unseen(index) {
                        "\nHidden by its eye: its values are pale and compared with nothing"
                    } else {
                        ""
                    };
                    let help = format!("{}{hidden}", runs[index]);
                    ui.put(Rect::from_min_size(at, size), Label::new(name).selectable(false)).on_hover_text(help);
                });
            }
        }
        Heads::Before(names, below) => {
            for (index, (at, name)) in names.into_iter().enumerate() {
                let at = rect.min + at.to_vec2();
                let name_rect = Rect::from_min_size(at, vec2(marker(ui, columns) + name.size().x + 1.0, line));
                within(ui, name_rect, |ui| {
                    fade(ui, table.is_unseen(index));
                    run_marker::show(ui, theme, theme.run(index));
                    ui.add(Label::new(name).selectable(false));
                });
                let row = rect.with_min_y(rect.top() + below);
                within(ui, cell(row, columns, labels, index), |ui| run_marker::show(ui, theme, theme.run(index)));
            }
        }
    }
    ui.advance_cursor_after_rect(rect);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readout::Medium;
    use crate::theme;

    #[test]
    fn names_that_are_longer_than_a_column_have_lines_and_stand_before_the_table_where_a_word_is_longer() {
        let look = Theme::default();
        let runs = ["Laplace", "VI, narrow start", "cSGLD"].map(str::to_owned);
        let lines = |width: f32| {
            let context = egui::Context::default();
            theme::install_fonts(&context);
            theme::apply(&context, &look);
            let mut found = Vec::new();
            // Fonts are there from the second pass on.
            for _ in 0..2 {
                let input = egui::RawInput {
                    screen_rect: Some(Rect::from_min_size(Pos2::ZERO, vec2(width, 400.0))),
                    ..egui::RawInput::default()
                };
                let mut output = context.run_ui(input, |ui| {
                    let columns = Columns::fitting(width, &look, 3, Medium::Screen);
                    found = match arranged(ui, &runs, columns) {
                        Heads::Above(names) => names.iter().map(|name| name.rows.len()).collect(),
                        Heads::Before(names, below) => {
                            assert!(names.iter().all(|(at, name)| at.y + name.size().y <= below + 0.01));
                            Vec::new()
                        }
                    };
                });
                output.textures_delta.clear();
            }
            found
        };
        assert_eq!(lines(900.0), [1, 1, 1]);
        assert_eq!(lines(400.0), [1, 3, 1]);
        assert_eq!(lines(335.0), [0; 0], "a column is narrower than a word");
    }
}

//! The measures that come first: a headline in large type, and a few more. Which they are follows from the target and the
//! methods, unless a person has chosen.

use egui::{Label, RichText, Ui};

use super::columns::fade;
use super::rows::{Cell, Row};
use super::{DIVERGED, Table, own, value};
use crate::kit::{run_marker, shortened, terms};
use crate::theme::Theme;
use crate::words::glossary::of_measure;
use crate::words::numbers;
use engine::session::Frame;

/// The rows of the measures that come first, the headline at their head: those with the `chosen` keys, or those that fit the
/// target and the methods. Of these, only rows with a value.
#[must_use]
pub fn leading<'t>(table: &'t Table, frame: &Frame, chosen: Option<&[String]>) -> Vec<&'t Row> {
    if let Some(keys) = chosen {
        return keys.iter().filter_map(|key| table.row(key)).collect();
    }
    let keys = frame.target.family().leading.keys(table.fits, frame.target.info().modes.len());
    let has_number = |row: &&Row| row.cells.iter().any(|cell| cell.value.is_some() || cell.floor.is_some());
    let rows: Vec<&Row> = keys.iter().filter_map(|key| table.row(key)).collect();
    // Before the first draw no measure has a value, and the headline says why.
    if rows.iter().any(has_number) { rows.into_iter().filter(has_number).collect() } else { rows }
}

/// The headline measure: its name, and below it one line for each run with the value in large type.
pub fn lead(ui: &mut Ui, theme: &Theme, frame: &Frame, row: &Row) {
    label(ui, theme, row);
    for (run, cell) in row.cells.iter().enumerate() {
        ui.scope(|ui| {
            fade(ui, row.unseen.contains(&run));
            let name = frame.runs.get(run).map_or("", |run| run.plan.name.as_str());
            let above = has_line(ui, theme, (row.spec.key, run, name));
            if above {
                let usual = std::mem::take(&mut ui.spacing_mut().item_spacing.y);
                shortened::label(ui, name, &theme.small(), theme.soft);
                ui.spacing_mut().item_spacing.y = usual;
            }
            ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = theme.space(1.5);
                large(ui, theme, row, (run, cell));
                let beside = [of_all(frame, row), value::beside(row, cell)];
                for (number, text) in beside.into_iter().enumerate() {
                    let Some(text) = text else { continue };
                    let label = ui.add(Label::new(RichText::new(text).font(theme.small()).color(theme.soft)));
                    if number > 0 {
                        value::explained(label, cell);
                    }
                }
                if !above {
                    if shortened::width(ui, name, &theme.small()) > ui.available_width() {
                        note_line(ui, (row.spec.key, run, name));
                    }
                    shortened::label(ui, name, &theme.small(), theme.soft);
                }
            });
        });
    }
}

/// The line of a headline: the measure, the number of the run and its name.
type Line<'a> = (&'a str, usize, &'a str);

/// The name of the width at which a name had no space.
fn memory(line: Line<'_>) -> egui::Id {
    egui::Id::unique(("name above its value", line))
}

/// Whether the name of a run has a line of its own, above its value: one that has once had no space beside it, until the panel is wider.
fn has_line(ui: &Ui, theme: &Theme, line: Line<'_>) -> bool {
    let narrow: Option<f32> = ui.data(|data| data.get_temp(memory(line)));
    narrow.is_some_and(|narrow| ui.max_rect().width() < narrow + theme.space(1.0))
}

/// Notes that a name has no space beside its value, in a panel as wide as the present one.
fn note_line(ui: &Ui, line: Line<'_>) {
    let width = ui.max_rect().width();
    ui.data_mut(|data| data.insert_temp(memory(line), width));
    ui.ctx().request_repaint();
}

/// Measures side by side, each with its name above the values of all runs, as many as fit. The first is always there.
pub fn line(ui: &mut Ui, theme: &Theme, frame: &Frame, rows: &[&Row]) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = theme.space(6.0);
        for (number, row) in rows.iter().enumerate() {
            let wide = width(ui, theme, frame, row);
            if number > 0 && wide > ui.available_width() {
                break;
            }
            ui.vertical(|ui| {
                ui.set_max_width(wide);
                ui.spacing_mut().item_spacing.y = 0.0;
                label(ui, theme, row);
                ui.horizontal(|ui| {
                    for (run, cell) in row.cells.iter().enumerate() {
                        ui.spacing_mut().item_spacing.x = theme.space(1.0);
                        ui.scope(|ui| {
                            fade(ui, row.unseen.contains(&run));
                            large(ui, theme, row, (run, cell));
                            if let Some(text) = value::beside(row, cell) {
                                let label = RichText::new(text).font(theme.small()).color(theme.soft);
                                value::explained(ui.label(label), cell);
                            }
                        });
                        ui.add_space(theme.space(2.0));
                    }
                    if let Some(text) = of_all(frame, row) {
                        ui.label(RichText::new(text).font(theme.small()).color(theme.soft));
                    }
                });
            });
        }
    });
}

/// The width of a measure in [`line`].
fn width(ui: &Ui, theme: &Theme, frame: &Frame, row: &Row) -> f32 {
    let of = |text: String, font| ui.painter().layout_no_wrap(text, font, theme.ink).size().x;
    let value = |cell: &Cell| {
        let none = || if cell.reason == DIVERGED { DIVERGED } else { "–" }.to_owned();
        let text = cell.value.map_or_else(none, |value| value::read(row, value));
        let aside = value::beside(row, cell).map_or(0.0, |text| of(text, theme.small()) + theme.space(1.0));
        theme.text.body + theme.space(5.0) + of(text, theme.title()) + aside
    };
    let beside = of_all(frame, row).map_or(0.0, |text| of(text, theme.small()) + theme.space(1.0));
    let values = row.cells.iter().map(value).sum::<f32>() + beside;
    values.max(of(row.spec.label.to_owned(), theme.body()) + theme.space(1.0))
}

/// The marker of a run and its value in large type.
fn large(ui: &mut Ui, theme: &Theme, row: &Row, (run, cell): (usize, &Cell)) {
    run_marker::show(ui, theme, theme.run(run));
    let font = if row.best == Some(run) {
        theme.title()
    } else {
        egui::FontId { family: theme.body().family, ..theme.title() }
    };
    value::number(ui, theme, row, (run, cell), &font);
}

/// "of 25" beside a number of modes, or of bars.
fn of_all(frame: &Frame, row: &Row) -> Option<String> {
    let all = match row.spec.key {
        key if value::OF_MODES.contains(&key) => frame.target.info().modes.len(),
        key => (own::of(frame)?.all)(frame, key)?,
    };
    Some(format!("of {}", numbers::count(all as u64)))
}

/// The name of a measure: what it is in plain words while the pointer is on it, then its definition and its key.
pub(super) fn label(ui: &mut Ui, theme: &Theme, row: &Row) {
    let text = Label::new(RichText::new(row.spec.label).color(theme.soft)).truncate();
    ui.add(text).on_hover_ui(|ui| {
        terms::say(ui, theme, of_measure(row.spec.key, row.spec.label).as_slice());
        let more = format!("{}\n{}", row.spec.help, row.spec.key);
        ui.add(Label::new(RichText::new(more).font(theme.small()).color(theme.soft)).wrap());
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Fake, Recipe, frame};

    #[test]
    fn the_headline_fits_the_target_unless_a_person_has_chosen() {
        let recipe = Recipe { name: "SGLD", chains: 2, steps: 30, total: 100, alpha: 0.004, cycle: 0 };
        let keys = |target, chosen: Option<&[String]>| -> Vec<&'static str> {
            let frame = frame(target, &[recipe]);
            leading(&Table::of(&frame), &frame, chosen).iter().map(|row| row.spec.key).collect()
        };
        assert_eq!(keys(Fake::grid(), None)[0], "modes_covered");
        assert_eq!(keys(Fake::beta(), None)[0], "tv");
        let chosen = ["rhat", "no such key", "draws"].map(str::to_owned);
        assert_eq!(keys(Fake::grid(), Some(&chosen)), ["rhat", "draws"]);
    }
}

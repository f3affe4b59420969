//! The panels of a figure in rows: what each shows, its width, its row and its order.

use egui::{Button, ComboBox, DragValue, Ui};

use base::params::{Settings, Value};
use draw::kit::named::{named, part};
use draw::sheet::{ExportOptions, of_view};
use draw::theme::Theme;
use draw::views::tab;
use engine::scenario::figures::{MOST_IN_LINE, MOST_PANELS, Panel, Row, given, text_of};
use engine::scenario::view::TABS;
use engine::scenario::{Scenario, ViewSpec};
use engine::session::Frame;

/// Relative widths and heights that a file allows.
const SHARES: std::ops::RangeInclusive<f64> = 0.1..=10.0;

/// A panel with its width, and its number before a change.
#[derive(Clone, Debug, PartialEq)]
struct Cell {
    panel: Panel,
    width: f64,
    from: Option<usize>,
}

/// A row with its height.
#[derive(Clone, Debug, PartialEq)]
struct Line {
    cells: Vec<Cell>,
    height: f64,
}

/// What is asked of a panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wish {
    /// One place back in the order of reading: at the start of a row into the row above.
    Back,
    /// One place on.
    On,
    Remove,
}

/// Shows the panels; changes them in `figure`.
pub fn show(
    ui: &mut Ui,
    theme: &Theme,
    (scenario, frame, options): (&Scenario, &Frame, &ExportOptions),
    figure: &mut Settings,
) {
    let lines = lines(scenario, options, figure);
    let mut changed = lines.clone();
    let mut wish = None;
    let count: usize = lines.iter().map(|line| line.cells.len()).sum();
    let mut number = 0;
    for (at, line) in changed.iter_mut().enumerate() {
        ui.horizontal(|ui| {
            ui.label(format!("Row {}", at + 1));
            if lines.len() > 1 {
                ui.weak("height");
                ui.name_inputs("Height of the row", |ui| ui.add(share(&mut line.height)))
                    .on_hover_text("Height, relative to the other rows");
            }
            let full = line.cells.len() >= MOST_IN_LINE || count >= MOST_PANELS;
            let add =
                named(ui.add_enabled(!full, Button::new("+ panel").small()), &format!("Add a panel to row {}", at + 1));
            if add.on_hover_text("A panel at the end of this row").clicked() {
                line.cells.push(Cell { panel: fresh(scenario, line), width: 1.0, from: None });
            }
        });
        let several = line.cells.len() > 1;
        for (place, cell) in line.cells.iter_mut().enumerate() {
            let one = number;
            number += 1;
            part(ui, ("panel", at, place), |ui| {
                ui.horizontal(|ui| {
                    ui.add_space(theme.space(3.0));
                    let letter = letter(one);
                    let width = theme.space(if several { 42.0 } else { 52.0 });
                    ui.name_inputs(format!("Panel {letter}"), |ui| {
                        let combo = ComboBox::from_id_salt("what").width(width).truncate();
                        combo.height(theme.space(90.0)).selected_text(words(&cell.panel)).show_ui(ui, |ui| {
                            ui.ctx().move_to_top(ui.layer_id());
                            let chosen = cell.panel.clone();
                            for panel in all(scenario).filter(|panel| *panel == chosen || applies(panel, frame)) {
                                if ui.selectable_label(cell.panel == panel, words(&panel)).clicked() {
                                    cell.panel = panel;
                                }
                            }
                        })
                    });
                    if several {
                        ui.name_inputs("Width", |ui| ui.add(share(&mut cell.width)))
                            .on_hover_text("Width, relative to the other panels of the row");
                    }
                    for (sign, name, what, on) in [
                        ("◀", "Back", Wish::Back, one > 0 || several),
                        ("▶", "On", Wish::On, one + 1 < count || several),
                        ("×", "Remove", Wish::Remove, count > 1),
                    ] {
                        let button =
                            named(ui.add_enabled(on, Button::new(sign).small()), &format!("{name}: panel {letter}"));
                        if button.on_hover_text(what.words()).clicked() {
                            wish = Some((at, place, what));
                        }
                    }
                });
            });
        }
    }
    let full = changed.len() >= MOST_IN_LINE || count >= MOST_PANELS;
    if ui.add_enabled(!full, Button::new("+ row").small()).on_hover_text("A row of one panel below").clicked() {
        let panel = Panel::Plot(&TABS[0]);
        changed.push(Line { cells: vec![Cell { panel, width: 1.0, from: None }], height: 1.0 });
    }
    if let Some((at, place, wish)) = wish {
        carry_out(&mut changed, at, place, wish);
    }
    if changed != lines {
        put(figure, &changed);
    }
}

impl Wish {
    fn words(self) -> &'static str {
        match self {
            Self::Back => "One place back; from the start of a row to the end of the row above",
            Self::On => "One place on; from the end of a row to the start of the row below, or to a new one",
            Self::Remove => "Remove this panel",
        }
    }
}

fn share(number: &mut f64) -> DragValue<'_> {
    DragValue::new(number).range(SHARES).speed(0.02).max_decimals(2)
}

/// The rows of a figure, each panel with its number.
fn lines(scenario: &Scenario, options: &ExportOptions, figure: &Settings) -> Vec<Line> {
    let view = ViewSpec { figure: Some(figure.clone()), ..scenario.view.clone() };
    let mut number = 0;
    let mut cell = |(panel, width): (Panel, f64)| {
        number += 1;
        Cell { panel, width, from: Some(number - 1) }
    };
    let rows = of_view(&view, scenario, &options.size).into_iter();
    rows.map(|row| Line { cells: row.panels.into_iter().map(&mut cell).collect(), height: row.height }).collect()
}

/// The panels of a figure by their names, in the order of reading.
pub fn names(scenario: &Scenario, options: &ExportOptions, figure: &Settings) -> Vec<String> {
    let cells = lines(scenario, options, figure).into_iter().flat_map(|line| line.cells);
    cells.enumerate().map(|(number, cell)| format!("({}) {}", letter(number), words(&cell.panel))).collect()
}

/// The letter of a panel, by its number from 0.
fn letter(number: usize) -> char {
    char::from(b'a' + u8::try_from(number % 26).unwrap_or_default())
}

/// All panels that there can be.
fn all(scenario: &Scenario) -> impl Iterator<Item = Panel> {
    let canvases = scenario.runs.iter().map(|run| Panel::Canvas(run.name.clone()));
    canvases.chain([Panel::Overlay, Panel::Readout]).chain(TABS.iter().map(Panel::Plot))
}

/// Whether a panel shows something of the present runs.
fn applies(panel: &Panel, frame: &Frame) -> bool {
    if let Panel::Plot(kind) = panel { tab(kind.name).is_some_and(|tab| (tab.applies)(frame)) } else { true }
}

/// The first panel that a row does not have.
fn fresh(scenario: &Scenario, line: &Line) -> Panel {
    let new = |panel: &Panel| line.cells.iter().all(|cell| cell.panel != *panel);
    all(scenario).find(new).unwrap_or(Panel::Overlay)
}

fn words(panel: &Panel) -> String {
    match panel {
        Panel::Canvas(run) => format!("Canvas of {run}"),
        Panel::Overlay => "All runs on one canvas".to_owned(),
        Panel::Readout => "Readout".to_owned(),
        Panel::Plot(kind) => kind.label.to_owned(),
    }
}

fn carry_out(lines: &mut Vec<Line>, at: usize, place: usize, wish: Wish) {
    let Some(line) = lines.get_mut(at).filter(|line| place < line.cells.len()) else { return };
    let last = place + 1 == line.cells.len();
    match wish {
        Wish::Back if place > 0 => line.cells.swap(place, place - 1),
        Wish::On if !last => line.cells.swap(place, place + 1),
        Wish::Remove => drop(line.cells.remove(place)),
        Wish::Back | Wish::On => {
            let cell = line.cells.remove(place);
            let new = |cell| Line { cells: vec![cell], height: 1.0 };
            match (wish, at) {
                (Wish::Back, 0) => lines.insert(0, new(cell)),
                (Wish::Back, _) => lines[at - 1].cells.push(cell),
                _ if at + 1 < lines.len() => lines[at + 1].cells.insert(0, cell),
                _ => lines.push(new(cell)),
            }
        }
    }
    lines.retain(|line| !line.cells.is_empty());
}

/// Writes the panels into a figure that does not say which it has, so that a file with it is drawn as that figure.
pub fn settle(scenario: &Scenario, options: &ExportOptions, figure: &mut Settings) {
    if given(figure, "panels").is_none() {
        put(figure, &lines(scenario, options, figure));
    }
}

/// Writes rows into a figure. Axes and notes follow their panels, and go with those that are removed.
fn put(figure: &mut Settings, lines: &[Line]) {
    let row = |line: &Line| Row {
        panels: line.cells.iter().map(|cell| (cell.panel.clone(), cell.width)).collect(),
        height: line.height,
    };
    let rows: Vec<Row> = lines.iter().map(row).collect();
    if rows.iter().any(|row| row.panels.len() > MOST_IN_LINE) || rows.len() > MOST_IN_LINE {
        return;
    }
    let order: Vec<Option<usize>> = lines.iter().flat_map(|line| &line.cells).map(|cell| cell.from).collect();
    figure.set("panels", Value::Text(text_of(&rows))).ok();
    for list in ["axis", "note"] {
        let entries = figure.list(list).iter().filter_map(|entry| {
            let mut entry = entry.clone();
            if let Some(number) = entry.optional_number("panel") {
                let new =
                    order.iter().position(|from| from.is_some_and(|from| (from as f64 + 1.0 - number).abs() < 0.5));
                entry.set("panel", Value::Number(new? as f64 + 1.0)).ok()?;
            }
            Some(entry)
        });
        let entries: Vec<Settings> = entries.collect();
        if entries.is_empty() {
            figure.clear(list);
        } else {
            figure.set(list, Value::List(entries)).ok();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use base::params::ParamType;
    use draw::sheet::{Dimensions, rearrange};
    use engine::scenario::figures::{FIGURE, notes_of, rows, venue};
    use engine::scenario::read;

    /// A figure that says no panels says those that it has; one that says some keeps them.
    #[test]
    fn a_figure_says_its_panels_once_it_is_settled() {
        let text = "format = 1\n[target]\nkind = \"gaussian\"\n[[run]]\nname = \"A\"\nmethod = \"sgld\"\n";
        let scenario = read(text, "test", Path::new(".")).unwrap();
        let mut figure = Settings::defaults(&FIGURE);
        settle(&scenario, &ExportOptions::default(), &mut figure);
        // A page that is wider than high has larger canvases where the plot is beside them.
        assert_eq!(figure.word("panels"), "canvas A | 1.4: schedule");
        figure.set("panels", Value::Text("trace".to_owned())).unwrap();
        settle(&scenario, &ExportOptions::default(), &mut figure);
        assert_eq!(figure.word("panels"), "trace");
    }

    /// From a column to a slide and back, panels are arranged anew, unless somebody has placed them.
    #[test]
    fn panels_that_nobody_placed_are_arranged_for_a_slide() {
        let text = "format = 1\n[target]\nkind = \"gaussian\"\n[[run]]\nname = \"A\"\nmethod = \"sgld\"\n\
                    [[run]]\nname = \"B\"\nmethod = \"sgld\"\n";
        let scenario = read(text, "test", Path::new(".")).unwrap();
        let sized = |word: &str, rows: usize| Dimensions::of_venue(venue(word).unwrap(), rows);
        let mut figure = Settings::defaults(&FIGURE);
        settle(&scenario, &ExportOptions { size: sized("icml", 2), ..ExportOptions::default() }, &mut figure);
        assert_eq!(figure.word("panels"), "1.5* canvas A | canvas B ; schedule");
        let mut slide = sized("beamer", 2);
        rearrange(&scenario, (sized("icml", 2), &mut slide), &mut figure);
        assert_eq!(figure.word("panels"), "canvas A | canvas B | 1.4: schedule");
        let mut column = sized("icml", 1);
        rearrange(&scenario, (slide, &mut column), &mut figure);
        assert_eq!(figure.word("panels"), "1.5* canvas A | canvas B ; schedule");
        assert_eq!(column, sized("icml", 2), "two rows are higher");
        figure.set("panels", Value::Text("canvas A ; schedule".to_owned())).unwrap();
        rearrange(&scenario, (column, &mut slide), &mut figure);
        assert_eq!(figure.word("panels"), "canvas A ; schedule");
    }

    #[test]
    fn panels_move_with_their_notes() {
        let text = "format = 1\n[target]\nkind = \"gaussian\"\n[[run]]\nname = \"A\"\nmethod = \"sgld\"\n\
                    [[run]]\nname = \"B\"\nmethod = \"sgld\"\n";
        let scenario = read(text, "test", Path::new(".")).unwrap();
        let mut figure = Settings::defaults(&FIGURE);
        figure.set("panels", Value::Text("2* canvas A | 1.5: canvas B ; trace".to_owned())).unwrap();
        let ParamType::List(kind) = FIGURE.param("note").unwrap().ty else { panic!("a list of notes") };
        let mut note = Settings::defaults(kind);
        note.set("panel", Value::Number(2.0)).unwrap();
        note.set("text", Value::Text("here".to_owned())).unwrap();
        note.set("at", Value::Pair([1.0, 2.0])).unwrap();
        figure.set("note", Value::List(vec![note])).unwrap();
        let change = |figure: &mut Settings, at: usize, place: usize, wish: Wish| {
            let mut changed = lines(&scenario, &ExportOptions::default(), figure);
            carry_out(&mut changed, at, place, wish);
            put(figure, &changed);
            figure.word("panels").to_owned()
        };
        assert_eq!(change(&mut figure, 0, 1, Wish::Back), "2* 1.5: canvas B | canvas A ; trace");
        assert_eq!(notes_of(&figure, 0).len(), 1);
        assert_eq!(change(&mut figure, 0, 1, Wish::On), "2* 1.5: canvas B ; canvas A | trace");
        assert_eq!(change(&mut figure, 1, 1, Wish::On), "2* 1.5: canvas B ; canvas A ; trace");
        assert_eq!(change(&mut figure, 0, 0, Wish::Remove), "canvas A ; trace");
        assert!(figure.list("note").is_empty(), "the note goes with its panel");
        assert_eq!(change(&mut figure, 0, 0, Wish::Back), "canvas A ; trace");
        assert!(rows(figure.word("panels"), &["A", "B"]).is_ok());
    }
}

//! Readout: table of measures, one row per measure, one column per run, with the value expected for as many exact draws.
//! `table` has its content, `rows` its types, this file draws it, `copy` writes it for the clipboard.

pub mod copy;
mod fits;
mod rows;
mod table;

use egui::{Align, Align2, FontId, Grid, Label, Layout, RichText, Sense, Ui, vec2};

use crate::diagnostics::MeasureSpec;
use crate::draw::numbers;
use crate::draw::theme::{Scale, Theme};

use rows::{Cell, Row};
pub use table::Table;

/// The note below the table.
pub const NOTE: &str = "In brackets: as many exact draws on average.";

/// The note below a table that is too narrow for floors.
pub const HIDDEN: &str = "Point at a value to see what as many exact draws score.";

/// Measures whose third decimal matters: R-hat is good below 1.01, and log evidences are compared by their difference.
const FINE: [&str; 4] = ["rhat", "elbo", "elbo_now", "evidence"];

/// Widths of the columns, in sizes of their text: labels, and values with their floors.
const LABELS: f32 = 11.8;
const VALUES: f32 = 7.7;

/// Width of values without their floors.
const BARE_VALUES: f32 = 5.7;

/// Widths of the columns of the table.
#[derive(Clone, Copy, Debug)]
pub struct Columns {
    /// Whether floors are beside the values.
    pub floors: bool,
    /// Largest width of the labels, in points; longer ones are cut.
    pub labels: f32,
}

impl Columns {
    /// The columns for this number of runs within this width.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a handful of runs")]
    pub fn fitting(width: f32, theme: &Theme, runs: usize) -> Self {
        let (labels, values) = (LABELS * theme.text.body, value_size(theme) * runs as f32);
        let floors = width >= labels + VALUES * values;
        let room = if floors { labels } else { (width - BARE_VALUES * values).max(0.6 * labels) };
        Self { floors, labels: room.min(labels) }
    }
}

/// Height of the table on the sheet with its note, in points.
#[expect(clippy::cast_precision_loss, reason = "a handful of rows")]
pub fn height(ui: &Ui, theme: &Theme, table: &Table) -> f32 {
    // Names, and the note below.
    let rows = table.rows().count() + 2;
    rows as f32 * (ui.spacing().interact_size.y + theme.space(1.0))
}

/// Draws the table.
pub fn draw(ui: &mut Ui, theme: &Theme, table: &Table, columns: Columns) {
    let drawing = Drawing { theme, columns };
    let spacing = [theme.space(2.5), theme.space(1.0)];
    Grid::new("readout").num_columns(table.runs.len() + 1).spacing(spacing).striped(true).show(ui, |ui| {
        drawing.heads(ui, &table.runs);
        for section in &table.sections {
            if !section.title.is_empty() {
                // The title extends over the columns beside it, which are empty in its row, without making them wider.
                let (room, _) = ui.allocate_exact_size(vec2(1.0, ui.spacing().interact_size.y), Sense::hover());
                let at = room.left_bottom() - vec2(0.0, theme.space(0.5));
                ui.painter().text(at, Align2::LEFT_BOTTOM, section.title, theme.strong(), theme.ink);
                ui.end_row();
            }
            for row in &section.rows {
                drawing.row(ui, row);
            }
        }
    });
}

struct Drawing<'a> {
    theme: &'a Theme,
    columns: Columns,
}

impl Drawing<'_> {
    fn heads(&self, ui: &mut Ui, runs: &[String]) {
        ui.label("");
        for (index, run) in runs.iter().enumerate() {
            ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = self.theme.space(1.0);
                super::plots::run_marker::show(ui, self.theme, self.theme.run(index));
                self.name(ui, run);
            });
        }
        ui.end_row();
    }

    /// The name of a run, cut to the width of a narrow column.
    fn name(&self, ui: &mut Ui, name: &str) {
        let text = Label::new(RichText::new(name).font(self.theme.strong()));
        if self.columns.floors {
            ui.add(text);
        } else {
            let width = BARE_VALUES * value_size(self.theme) - self.theme.text.body - self.theme.space(4.0);
            let size = vec2(width, ui.spacing().interact_size.y);
            let layout = Layout::left_to_right(Align::Center);
            ui.allocate_ui_with_layout(size, layout, |ui| ui.add(text.truncate()).on_hover_text(name));
        }
    }

    fn label(&self, ui: &mut Ui, text: &str, help: &str) {
        let size = vec2(self.columns.labels, ui.spacing().interact_size.y);
        let text = RichText::new(text).color(self.theme.soft);
        ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
            ui.add(Label::new(text).truncate()).on_hover_text(help);
        });
    }

    fn row(&self, ui: &mut Ui, row: &Row) {
        self.label(ui, row.spec.label, &format!("{}\n{}", row.spec.help, row.spec.key));
        for (index, cell) in row.cells.iter().enumerate() {
            match cell.value {
                Some(value) => self.value(ui, row, (value, cell), row.best == Some(index)),
                None => {
                    ui.label(RichText::new("–").color(self.theme.faint)).on_hover_text(cell.reason);
                }
            }
        }
        ui.end_row();
    }

    /// The font of values.
    fn font(&self, best: bool) -> FontId {
        let font = if best { self.theme.strong() } else { self.theme.body() };
        FontId { size: value_size(self.theme), ..font }
    }

    fn value(&self, ui: &mut Ui, row: &Row, (value, cell): (f64, &Cell), best: bool) {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = self.theme.space(1.0);
            let shown = ui.label(RichText::new(read(&row.spec, value)).font(self.font(best)));
            let floor = cell.floor.map_or_else(String::new, |floor| {
                let [mean, low, high] = [floor.mean, floor.low, floor.high].map(three);
                format!("; as many exact draws: {mean} on average, {low} to {high} in nine sets of ten")
            });
            let step = cell.step.map_or_else(String::new, |step| format!("; at step {}", numbers::count(step)));
            let thinning = match cell.thinning {
                1 => String::new(),
                every => format!("; from one draw in {every}"),
            };
            shown.on_hover_text(format!("{}{floor}{thinning}{step}", numbers::exact(value)));
            let beside = match (cell.floor, cell.thinning) {
                _ if !self.columns.floors => None,
                (Some(floor), _) => Some(format!("({})", two(floor.mean))),
                (None, 1) => None,
                (None, every) => Some(format!("1 in {every}")),
            };
            if let Some(text) = beside {
                ui.label(RichText::new(text).font(self.theme.small()).color(self.theme.faint));
            }
        });
    }
}

/// The size of values: larger in front of a projector.
fn value_size(theme: &Theme) -> f32 {
    if theme.scale == Scale::Present { theme.text.heading } else { theme.text.body }
}

/// A value of a measure: three digits, and three decimals for [`FINE`] ones.
fn read(spec: &MeasureSpec, value: f64) -> String {
    // A third decimal of a large number does not fit beside three other runs.
    let decimals = if value.abs() < 100.0 { 3 } else { 2 };
    if FINE.contains(&spec.key) { numbers::decimal(value, decimals) } else { three(value) }
}

/// Two significant digits: enough for a floor, an average that is known to some percent.
fn two(value: f64) -> String {
    count(value).unwrap_or_else(|| numbers::significant(value, 2))
}

/// Three significant digits; counts stay whole.
fn three(value: f64) -> String {
    count(value).unwrap_or_else(|| numbers::significant(value, 3))
}

/// A whole number of readable size, as a count.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a whole number of at most 12 digits")]
fn count(value: f64) -> Option<String> {
    (value.fract() == 0.0 && (0.0..1e12).contains(&value)).then(|| numbers::count(value as u64))
}

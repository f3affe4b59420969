//! The readout: measures of all runs against the truth, with what exact draws would give.

use egui::{Align, Grid, Label, Layout, RichText, ScrollArea, Ui, vec2};

use crate::app::App;
use crate::app::number;
use crate::app::plots::numbers;
use crate::app::theme::Theme;
use crate::diagnostics::{Better, MEASURES, Measure, MeasureSpec};
use crate::session::RunFrame;

/// Values closer than this to each other, relative to the larger, are not told apart by weight.
const SAME: f64 = 0.005;

/// What stands below the table.
pub const NOTE: &str = "In brackets: the same for as many exact draws.";

/// What stands there instead where the table has no room for floors.
const HIDDEN: &str = "Point at a value to see the same for as many exact draws.";

/// Widths of the columns, in units of the theme: labels, and values with their floors.
const LABELS: f32 = 33.0;
const VALUES: f32 = 30.0;

/// Width of values without their floors.
const BARE_VALUES: f32 = 20.0;

/// What the columns of the table hold.
#[derive(Clone, Copy, Debug)]
pub struct Columns {
    /// Whether floors stand beside the values.
    pub floors: bool,
    /// Width of the labels at most, in points; longer ones are cut.
    pub labels: f32,
}

impl Columns {
    /// The columns for so many runs in a room of this width.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a handful of runs")]
    pub fn fitting(width: f32, theme: &Theme, runs: usize) -> Self {
        let floors = width >= theme.space(LABELS + VALUES * runs as f32);
        let values = theme.space(BARE_VALUES * runs as f32);
        let labels = if floors { f32::INFINITY } else { (width - values).max(theme.space(0.6 * LABELS)) };
        Self { floors, labels }
    }
}

/// Shows the readout.
pub fn show(app: &App, ui: &mut Ui) {
    let theme = &app.theme;
    let runs = &app.model.frame().runs;
    super::section(ui, theme, "Readout");
    let columns = Columns::fitting(ui.available_width(), theme, runs.len());
    ScrollArea::horizontal().id_salt("readout").show(ui, |ui| table(ui, theme, runs, columns));
    ui.add_space(theme.space(1.0));
    let note = if columns.floors { NOTE } else { HIDDEN };
    ui.add(egui::Label::new(RichText::new(note).font(theme.small()).color(theme.faint)).wrap());
}

/// The table by itself: also part of the exported sheet.
pub fn table(ui: &mut Ui, theme: &Theme, runs: &[RunFrame], columns: Columns) {
    let table = Table { theme, runs, columns };
    let spacing = [theme.space(2.5), theme.space(1.0)];
    Grid::new("readout").num_columns(runs.len() + 1).spacing(spacing).striped(true).show(ui, |ui| {
        table.heads(ui);
        table.row(ui, "Draws", "Draws collected so far, all chains together.", |run| numbers::count(run.collected));
        let gradients = "Gradient evaluations so far; a full gradient counts 1, a minibatch n/N.";
        table.row(ui, "Gradients", gradients, |run| numbers::count(rounded(run.gradient_evaluations)));
        for (index, spec) in MEASURES.iter().enumerate() {
            table.measure(ui, spec, index);
        }
    });
}

/// Height of the table with its note, in points.
#[expect(clippy::cast_precision_loss, reason = "a handful of rows")]
pub fn height(ui: &Ui, theme: &Theme) -> f32 {
    // Names, draws, gradients, and the note below.
    let rows = MEASURES.len() + 4;
    rows as f32 * (ui.spacing().interact_size.y + theme.space(1.0))
}

struct Table<'a> {
    theme: &'a Theme,
    runs: &'a [RunFrame],
    columns: Columns,
}

impl Table<'_> {
    fn heads(&self, ui: &mut Ui) {
        ui.label("");
        for (index, run) in self.runs.iter().enumerate() {
            ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = self.theme.space(1.0);
                crate::app::plots::marker::show(ui, self.theme, self.theme.run(index));
                self.name(ui, &run.plan.name);
            });
        }
        ui.end_row();
    }

    /// The name of a run, cut to the width of its column where there is little room.
    fn name(&self, ui: &mut Ui, name: &str) {
        let text = Label::new(RichText::new(name).font(self.theme.strong()));
        if self.columns.floors {
            ui.add(text);
        } else {
            let width = self.theme.space(BARE_VALUES) - self.theme.text.body - self.theme.space(4.0);
            let size = vec2(width, ui.spacing().interact_size.y);
            let layout = Layout::left_to_right(Align::Center);
            ui.allocate_ui_with_layout(size, layout, |ui| ui.add(text.truncate()).on_hover_text(name));
        }
    }

    fn label(&self, ui: &mut Ui, text: &str, help: &str) {
        let size = vec2(self.columns.labels, ui.spacing().interact_size.y);
        let text = RichText::new(text).color(self.theme.soft);
        if self.columns.floors {
            ui.label(text).on_hover_text(help);
        } else {
            ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
                ui.add(Label::new(text).truncate()).on_hover_text(help);
            });
        }
    }

    fn row(&self, ui: &mut Ui, label: &str, help: &str, value: impl Fn(&RunFrame) -> String) {
        self.label(ui, label, help);
        for run in self.runs {
            ui.label(value(run));
        }
        ui.end_row();
    }

    fn measure(&self, ui: &mut Ui, spec: &MeasureSpec, index: usize) {
        self.label(ui, spec.label, &format!("{}\n{}", spec.help, spec.key));
        let values: Vec<Option<&Measure>> = self.runs.iter().map(|run| run.measures.get(index)).collect();
        let best = best(spec.better, &values);
        for (index, measure) in values.into_iter().enumerate() {
            match measure.and_then(|measure| Some((measure.value?, measure.floor))) {
                Some((value, floor)) => self.value(ui, value, floor, best == Some(index)),
                None => {
                    let reason = measure.map_or("no draws yet", |measure| measure.reason);
                    ui.label(RichText::new("–").color(self.theme.faint)).on_hover_text(reason);
                }
            }
        }
        ui.end_row();
    }

    fn value(&self, ui: &mut Ui, value: f64, floor: Option<f64>, best: bool) {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = self.theme.space(1.0);
            let text = RichText::new(three(value));
            let shown = ui.label(if best { text.font(self.theme.strong()) } else { text });
            let told =
                floor.map_or_else(|| "no floor yet".to_owned(), |floor| format!("exact draws: {}", three(floor)));
            shown.on_hover_text(format!("{}; {told}", number::exact(value)));
            if let Some(floor) = floor.filter(|_| self.columns.floors) {
                let text = RichText::new(format!("({})", two(floor)));
                ui.label(text.font(self.theme.small()).color(self.theme.faint));
            }
        });
    }
}

/// Two significant digits: enough for a floor, which is itself random.
fn two(value: f64) -> String {
    if value.fract() == 0.0 && value.abs() < 1e6 { number::brief(value) } else { number::digits(value, 2) }
}

/// Three significant digits; whole numbers stay whole.
fn three(value: f64) -> String {
    if value.fract() == 0.0 && value.abs() < 1e6 { number::brief(value) } else { number::digits(value, 3) }
}

/// The run that is best by a measure, if one stands out.
fn best(better: Better, values: &[Option<&Measure>]) -> Option<usize> {
    let badness = |measure: &Measure| {
        let value = measure.value?;
        match better {
            Better::Higher => Some(-value),
            Better::Lower => Some(value),
            Better::NearFloor => Some((value - measure.floor?).abs()),
        }
    };
    let mut ranked: Vec<(usize, f64)> =
        values.iter().enumerate().filter_map(|(index, measure)| Some((index, badness((*measure)?)?))).collect();
    ranked.sort_by(|a, b| a.1.total_cmp(&b.1));
    let [(first, least), (_, next), ..] = ranked.as_slice() else { return None };
    (next - least > SAME * least.abs().max(next.abs())).then_some(*first)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count that is shown")]
fn rounded(value: f64) -> u64 {
    value.max(0.0).round() as u64
}

#[cfg(test)]
mod tests {
    use super::best;
    use crate::diagnostics::{Better, Measure};

    fn measure(value: Option<f64>) -> Measure {
        Measure { key: "tv", value, floor: Some(0.5), reason: "" }
    }

    #[test]
    fn the_best_run_stands_out_only_if_it_is_better() {
        let measures = [measure(Some(0.2)), measure(Some(0.9)), measure(None)];
        let values: Vec<Option<&Measure>> = measures.iter().map(Some).collect();
        assert_eq!(best(Better::Lower, &values), Some(0));
        assert_eq!(best(Better::Higher, &values), Some(1));
        assert_eq!(best(Better::NearFloor, &values), Some(0));
        assert_eq!(best(Better::Lower, &[Some(&measures[0]), Some(&measures[0])]), None);
        assert_eq!(best(Better::Lower, &values[..1]), None);
    }
}

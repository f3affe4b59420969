//! Answer of a lesson: what should have been seen, in a sentence or two, and its numbers in a table beside the present ones.

use egui::{Align, Label, Layout, Rect, RichText, Sense, TextStyle, Ui, UiBuilder, pos2, vec2};

use super::widgets::note;
use crate::app::state::Ctx;
use base::params::printable;
use draw::kit::{run_marker, terms};
use draw::readout::{Table, reading};
use draw::theme::{STALE, Theme};
use engine::scenario::{AnswerValue, Caption};

/// Whether a caption has an answer.
pub fn there_is(caption: &Caption) -> bool {
    !caption.answer.is_empty() || !caption.values.is_empty()
}

/// The button that shows the answer or hides it.
pub fn button(ctx: &mut Ctx<'_>, ui: &mut Ui) {
    let (name, help) = if ctx.view.forms.answer {
        ("Hide the answer", "Hide what you should have seen")
    } else {
        ("Show the answer", "Show what you should have seen")
    };
    if ui.small_button(name).on_hover_text(help).clicked() {
        ctx.view.forms.answer = !ctx.view.forms.answer;
    }
}

/// Shows the answer, if it is asked for. One that may not hold any more (`stale`) is pale.
pub fn show(ctx: &Ctx<'_>, ui: &mut Ui, caption: &Caption, stale: bool) {
    let theme = ctx.theme;
    let shown = ctx.view.forms.answer && there_is(caption);
    let kept = egui::Id::unique("whether the answer was shown");
    let before = ui.data(|data| data.get_temp::<bool>(kept));
    ui.data_mut(|data| data.insert_temp(kept, shown));
    if !shown {
        return;
    }
    ui.add_space(theme.space(1.0));
    let told = ui.scope(|ui| {
        ui.scope(|ui| {
            if stale {
                ui.set_opacity(STALE);
            }
            ui.label(RichText::new("What you should have seen").font(theme.small()).color(theme.soft));
            if !caption.answer.is_empty() {
                terms::text(ui, theme, &caption.answer, (theme.body(), theme.ink));
            }
        });
        if !caption.values.is_empty() {
            ui.add_space(theme.space(1.0));
            let runs: Vec<&str> = ctx.model.scenario().runs.iter().map(|run| run.name.as_str()).collect();
            let frame = ctx.model.frame();
            let pauses = frame.scenario.view.pause.iter().max();
            let moment = match pauses {
                _ if frame.finished() => Moment::End,
                Some(last) if frame.step <= *last => Moment::Pause,
                _ => Moment::After,
            };
            table(ui, theme, (&ctx.measures(), &runs, moment), &caption.values, stale);
            if stale {
                let words = "Pale: the values of the lesson as it was, with its own seed. Yours may differ.";
                note(ui, theme, theme.soft, words);
            }
        }
    });
    if before == Some(false) {
        // What was asked for comes into sight.
        told.response.scroll_to_me(None);
    }
    ui.add_space(theme.space(1.5));
}

/// The shares of the width that the columns take: what it is, now, in the lesson. Without present values the second has none. The first takes
/// more where a word of it is longer, up to the last share.
const COLUMNS: [f32; 3] = [0.36, 0.3, 0.34];
const WIDEST: f32 = 0.56;

/// Radius of the marker of a run, in sizes of the text.
const MARKER: f32 = 0.38;

/// The values: what each is of, what is measured at present, and what the lesson has there.
fn table(
    ui: &mut Ui,
    theme: &Theme,
    (table, runs, moment): (&Table, &[&str], Moment),
    values: &[AnswerValue],
    stale: bool,
) {
    let has_present = values.iter().any(|value| !value.measure.is_empty() && !value.run.is_empty());
    let gap = theme.space(1.5);
    let columns = Columns { gap, has_present, name: name_share(ui, theme, values, gap) };
    ui.spacing_mut().item_spacing.y = theme.space(0.5);
    columns.row(ui, |ui, column| {
        let (text, help) = match column {
            Column::Name => return,
            Column::Now => ("now", "What the runs in this window have at present"),
            Column::Expected => {
                ("in lesson", "What the runs of the lesson have there with its own seed; other seeds give other values")
            }
        };
        ui.label(RichText::new(text).font(theme.small()).color(theme.soft)).on_hover_text(help);
    });
    let mut before = "";
    for (number, value) in values.iter().enumerate() {
        let name = name_of(table, value);
        if name != before && !value.run.is_empty() {
            terms::text(ui, theme, name, (theme.small(), theme.soft));
        }
        before = name;
        let run = runs.iter().position(|run| *run == value.run);
        columns.row(ui, |ui, column| match column {
            Column::Name if value.run.is_empty() => {
                terms::text(ui, theme, name, (theme.body(), theme.ink));
            }
            Column::Name => {
                if let Some(run) = run {
                    // As high as a line, beside the first one of the name.
                    let line = vec2(theme.text.body, ui.text_style_height(&TextStyle::Body));
                    let (rect, _) = ui.allocate_exact_size(line, Sense::hover());
                    run_marker::paint(ui.painter(), rect.center(), MARKER * theme.text.body, theme.run(run));
                }
                ui.add(Label::new(printable(&value.run).into_owned()).wrap());
            }
            Column::Now => {
                let present = run.and_then(|run| reading(table, &value.measure, run));
                if !value.measure.is_empty() && has_now(values, number, moment) {
                    ui.label(present.unwrap_or_else(|| "–".to_owned()));
                }
            }
            Column::Expected => {
                if stale {
                    ui.set_opacity(STALE);
                }
                ui.add(Label::new(printable(&value.expected).into_owned()).wrap());
            }
        });
    }
}

/// How far the runs are on the way that a lesson asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Moment {
    /// At the last pause of the lesson, or before it.
    Pause,
    /// After all pauses.
    After,
    /// At the end.
    End,
}

/// Whether the present value stands in this row. Of several rows of a run and a measure it stands in the last one when the runs are finished, and in
/// the first one before. The only one is that of the end: up to the last pause it is too early to compare.
fn has_now(values: &[AnswerValue], number: usize, moment: Moment) -> bool {
    let same = |other: &AnswerValue| (&other.run, &other.measure) == (&values[number].run, &values[number].measure);
    let (before, after) = (values[..number].iter().any(same), values[number + 1..].iter().any(same));
    match moment {
        Moment::End => !after,
        Moment::After => !before,
        Moment::Pause => !before && after,
    }
}

/// The share of the width that names take, so that none of their words breaks.
fn name_share(ui: &Ui, theme: &Theme, values: &[AnswerValue], gap: f32) -> f32 {
    let marker = theme.text.body + 0.5 * gap;
    let wide = |word: &str| ui.painter().layout_no_wrap(word.to_owned(), theme.body(), theme.ink).size().x;
    let words = values.iter().flat_map(|value| value.run.split_whitespace());
    let longest = words.map(wide).fold(0.0, f32::max) + marker + gap;
    (longest / ui.available_width().max(1.0)).clamp(COLUMNS[0], WIDEST)
}

/// A column of the table.
#[derive(Clone, Copy)]
enum Column {
    Name,
    Now,
    Expected,
}

/// The columns of the table.
#[derive(Clone, Copy)]
struct Columns {
    gap: f32,
    has_present: bool,
    /// The share of the width of the names.
    name: f32,
}

impl Columns {
    /// A row as high as its highest cell.
    fn row(self, ui: &mut Ui, mut cell: impl FnMut(&mut Ui, Column)) {
        let whole = ui.available_width();
        let mut left = ui.cursor().left();
        ui.horizontal_top(|ui| {
            ui.spacing_mut().item_spacing.x = self.gap;
            let rest = (1.0 - self.name) / (1.0 - COLUMNS[0]);
            let [name, now, expected] = [self.name, rest * COLUMNS[1], rest * COLUMNS[2]];
            let columns = [
                (Column::Name, if self.has_present { name } else { name + now }),
                (Column::Now, if self.has_present { now } else { 0.0 }),
                (Column::Expected, expected),
            ];
            for (column, share) in columns.into_iter().filter(|(_, share)| *share > 0.0) {
                let width = share * whole;
                let rect = Rect::from_min_size(pos2(left, ui.max_rect().top()), vec2(width - self.gap, f32::INFINITY));
                let layout = Layout::left_to_right(Align::Min);
                ui.scope_builder(UiBuilder::new().max_rect(rect).layout(layout), |ui| {
                    ui.spacing_mut().item_spacing.x = 0.5 * self.gap;
                    cell(ui, column);
                });
                left += width;
            }
        });
    }
}

/// What a value is: its name, or that of its measure.
fn name_of<'v>(table: &Table, value: &'v AnswerValue) -> &'v str {
    if !value.name.is_empty() {
        return &value.name;
    }
    table.row(&value.measure).map_or(value.measure.as_str(), |row| row.spec.label)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_present_value_stands_once_where_it_belongs() {
        let value = |run: &str, measure: &str| AnswerValue {
            name: String::new(),
            run: run.to_owned(),
            measure: measure.to_owned(),
            expected: String::new(),
        };
        let values = [value("A", "kl"), value("B", "kl"), value("A", "kl"), value("A", "tv")];
        let rows = |moment| (0..4).filter(|row| has_now(&values, *row, moment)).collect::<Vec<_>>();
        assert_eq!(rows(Moment::Pause), [0], "what has one value has that of the end");
        assert_eq!(rows(Moment::After), [0, 1, 3], "on the way");
        assert_eq!(rows(Moment::End), [1, 2, 3], "at the end");
    }
}

//! One value of the readout: the number, the floor beside it, and the tooltip with all digits.

use egui::{FontId, Label, Response, RichText, Ui};

use super::Table;
use super::rows::{Cell, DIVERGED, Row, without_rounding};
use crate::theme::Theme;
use crate::words::numbers;
use engine::diagnostics::NoiseFloor;
use engine::diagnostics::predictions::AGAINST_REFERENCE;
use engine::diagnostics::topics::TOPICS_MEASURES;

/// What the brackets of a table are.
pub const BRACKETS: &str = "In brackets: what as many exact draws have on average.";

/// Measures whose values are numbers of modes.
pub(super) const OF_MODES: [&str; 2] = ["modes_covered", "modes_visited"];

/// Shows the value of run number `index`, or a dash with the reason; beside it what else there is to say, if it has its place there.
pub(super) fn show(ui: &mut Ui, theme: &Theme, row: &Row, (index, cell): (usize, &Cell), aside: bool) {
    let font = if row.best == Some(index) { theme.strong() } else { theme.body() };
    number(ui, theme, row, (index, cell), &font);
    if !aside {
        return;
    }
    let every = (cell.thinning > 1).then(|| format!("1 in {}", cell.thinning));
    if let Some(text) = beside(row, cell).or(every) {
        let galley = ui.painter().layout_no_wrap(text, theme.small(), theme.faint);
        // The half of a number is no number. An error is cut rather than left out: an estimate is never without it.
        if cell.error.is_some() || galley.size().x <= ui.available_width() {
            let label = Label::new(RichText::new(galley.text()).font(theme.small()).color(theme.faint)).truncate();
            explained(ui.add(label), cell);
        }
    }
}

/// Shows below a value what else has its place beside it.
pub(super) fn below(ui: &mut Ui, theme: &Theme, row: &Row, cell: &Cell) {
    if let Some(text) = beside(row, cell) {
        explained(ui.add(Label::new(RichText::new(text).font(theme.small()).color(theme.faint)).truncate()), cell);
    }
}

/// What stands beside a value says in words what it is while the pointer is on it.
pub(super) fn explained(aside: Response, cell: &Cell) {
    let words = match (cell.error, cell.floor) {
        (Some(_), _) => "The standard error of the value: chance alone moves it about so far.",
        (None, Some(_)) => BRACKETS,
        (None, None) => return,
    };
    aside.on_hover_text(words);
}

/// What stands beside a value: the standard error of an estimate, what as many exact draws score on average, or the step of a
/// measure of topics that is behind.
pub(super) fn beside(row: &Row, cell: &Cell) -> Option<String> {
    cell.value?;
    let waits = || cell.waits.then(|| "(…)".to_owned());
    let floor = || cell.floor.map(|floor| format!("({})", floor_text(row, floor))).or_else(waits);
    let is_of_topics = || TOPICS_MEASURES.iter().any(|spec| spec.key == row.spec.key);
    let behind = || Some(format!("at step {}", numbers::count(cell.step.filter(|_| is_of_topics())?)));
    match cell.error {
        Some(error) if error.is_finite() => Some(format!("± {}", numbers::aligned(error, 2))),
        Some(_) => Some("± ?".to_owned()),
        None => floor().or_else(behind),
    }
}

/// The value of a measure of a run as the readout shows it; `None` while there is none.
#[must_use]
pub fn reading(table: &Table, key: &str, run: usize) -> Option<String> {
    let row = table.row(key)?;
    Some(read(row, row.cells.get(run)?.value?))
}

/// The number in a font, with its tooltip.
pub(super) fn number(ui: &mut Ui, theme: &Theme, row: &Row, (run, cell): (usize, &Cell), font: &FontId) {
    match cell.value {
        Some(value) => {
            let text = RichText::new(read(row, value)).font(font.clone());
            let (text, help) = match row.doubt(run) {
                Some(doubt) => (text.color(theme.faint), format!("{doubt}\n{}", help(row, cell, value))),
                None => (text, help(row, cell, value)),
            };
            ui.add(Label::new(text).truncate()).on_hover_text(help);
        }
        None if cell.reason == DIVERGED => {
            let text = RichText::new(DIVERGED).font(theme.small()).color(theme.error);
            ui.add(Label::new(text).truncate())
                .on_hover_text("Half of the chains or more have left the target for good");
        }
        None => {
            let text = RichText::new("–").font(font.clone()).color(theme.faint);
            ui.add(Label::new(text)).on_hover_text(cell.reason);
        }
    }
}

impl Table {
    /// Without what as many exact draws score. What is bold stays what it is.
    pub(crate) fn without_floors(mut self) -> Self {
        let cells = self.sections.iter_mut().flat_map(|section| &mut section.rows).flat_map(|row| &mut row.cells);
        cells.for_each(|cell| (cell.floor, cell.waits) = (None, false));
        Self { floors: false, ..self }
    }
}

/// All digits, the floor in words, and which draws the value is of.
fn help(row: &Row, cell: &Cell, value: f64) -> String {
    let mut text = numbers::exact(value);
    match cell.error {
        Some(error) if error.is_finite() => text.push_str(&format!(" ± {}", numbers::aligned(error, 2))),
        Some(_) => text.push_str("; standard error unknown"),
        None => {}
    }
    if let Some(floor) = cell.floor {
        text.push_str(&floor_words(row, floor));
    }
    if cell.waits {
        text.push_str("; what as many exact draws score is being computed");
    }
    if cell.thinning > 1 {
        text.push_str(&format!("; from one draw in {}", cell.thinning));
    }
    if let Some(step) = cell.step {
        text.push_str(&format!("; at step {}", numbers::count(step)));
    }
    text
}

/// What as many exact draws score, in words.
fn floor_words(row: &Row, floor: NoiseFloor) -> String {
    let [mean, low, high] = [floor.mean, floor.low, floor.high].map(three);
    if AGAINST_REFERENCE.contains(&row.spec.key) {
        return format!(
            "; a chain of the reference from the others: {mean} on average, {low} to {high} for nine of ten"
        );
    }
    let words = format!("; as many exact draws: {mean} on average, {low} to {high} in nine sets of ten");
    // Zero is easily read as a missing number.
    let few = row.spec.key == "modes_covered" && floor.mean < 0.05;
    let why = "\nSo few exact draws cover no mode either: a mode needs 100 draws close to its centre.";
    if few { format!("{words}.{why}") } else { words }
}

/// A value of a measure: three digits, and three decimals for [`numbers::FINE`] ones.
pub(super) fn read(row: &Row, value: f64) -> String {
    let value = without_rounding(row, value);
    // A third decimal of a large number does not fit beside three other runs.
    let decimals = if value.abs() < 100.0 { 3 } else { 2 };
    let text = if numbers::FINE.contains(&row.spec.key) { numbers::decimal(value, decimals) } else { three(value) };
    numbers::beside_limits(text, value, &row.limits, 3)
}

/// A floor: an average that is known to some percent, in two significant digits. An average number of modes has one decimal:
/// 0.0 is an average, not a missing number, and so is 24.9 of 25.
pub(super) fn floor_text(row: &Row, floor: NoiseFloor) -> String {
    if OF_MODES.contains(&row.spec.key) {
        return numbers::decimal(floor.mean, 1);
    }
    let digits = if floor.mean > 10.0 { 3 } else { 2 };
    count(floor.mean).unwrap_or_else(|| numbers::aligned(floor.mean, digits))
}

/// Three significant digits; counts stay whole.
pub(super) fn three(value: f64) -> String {
    count(value).unwrap_or_else(|| numbers::aligned(value, 3))
}

/// A whole number of readable size, as a count.
#[expect(clippy::cast_sign_loss, reason = "a whole number of at most 12 digits")]
pub(super) fn count(value: f64) -> Option<String> {
    (value.fract() == 0.0 && (0.0..1e12).contains(&value)).then(|| numbers::count(value as u64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::diagnostics::{Better, MeasureSpec};

    #[test]
    fn a_floor_of_no_modes_says_why() {
        let spec = MeasureSpec {
            key: "modes_covered",
            label: "",
            help: "",
            better: Better::Higher,
            headline: true,
            of_truth: false,
        };
        let row = super::super::rows::row(&spec, Vec::new());
        let words = |mean| floor_words(&row, NoiseFloor { mean, low: mean, high: mean });
        assert!(words(0.0).contains("cover no mode either") && !words(24.9).contains("cover no mode"));
    }

    #[test]
    fn floors_have_the_digits_that_are_known() {
        let text = |key, mean| {
            let spec =
                MeasureSpec { key, label: "", help: "", better: Better::Higher, headline: true, of_truth: false };
            floor_text(&super::super::rows::row(&spec, Vec::new()), NoiseFloor { mean, low: mean, high: mean })
        };
        assert_eq!([24.9, 0.0782, 3.26, 25.0].map(|mean| text("tv", mean)), ["24.9", "0.078", "3.3", "25"]);
        assert_eq!([0.1, 9.96, 2.0004].map(|mean| text("tv", mean)), ["0.10", "10", "2.0"]);
        assert_eq!([0.0, 0.04, 7.66, 25.0].map(|mean| text("modes_covered", mean)), ["0.0", "0.0", "7.7", "25.0"]);
    }

    /// R-hat of 1.0098 is below 1.01, and is not read as 1.010.
    #[test]
    fn values_are_on_the_side_of_the_numbers_that_they_are_compared_with() {
        let spec =
            MeasureSpec { key: "rhat", label: "", help: "", better: Better::Lower, headline: true, of_truth: false };
        let row = super::super::rows::row(&spec, Vec::new());
        assert_eq!([1.0098, 1.0104, 1.01, 1.2].map(|value| read(&row, value)), ["1.0098", "1.0104", "1.010", "1.200"]);
        let asked = Row { limits: vec![0.25], ..row };
        assert_eq!([0.2499, 0.25, 0.3].map(|value| read(&asked, value)), ["0.2499", "0.250", "0.300"]);
    }

    #[test]
    fn an_estimate_stands_beside_its_error() {
        let spec = MeasureSpec {
            key: "elbo_now",
            label: "",
            help: "",
            better: Better::Neither,
            headline: false,
            of_truth: false,
        };
        let row = super::super::rows::row(&spec, Vec::new());
        let cell = |error| Cell { error, ..Cell::plain(Some(-185.2137), "") };
        assert_eq!(beside(&row, &cell(Some(0.0341))), Some("± 0.034".to_owned()));
        assert_eq!(beside(&row, &cell(Some(f64::NAN))), Some("± ?".to_owned()));
        assert_eq!(beside(&row, &cell(None)), None);
        assert_eq!(help(&row, &cell(Some(0.0341)), -185.2137), "−185.2137 ± 0.034");
    }
}

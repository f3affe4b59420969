//! One value of the readout: the number, the floor beside it, and the tooltip with all digits.

use egui::{FontId, Label, RichText, Ui};

use crate::diagnostics::NoiseFloor;
use crate::draw::numbers;
use crate::draw::theme::Theme;

use super::rows::{Cell, Row, without_rounding};

/// Measures whose third decimal matters: R-hat is good below 1.01, and log evidences are compared by their difference.
const FINE: [&str; 4] = ["rhat", "elbo", "elbo_now", "evidence"];

/// Shows the value of run number `index`, or a dash with the reason.
pub(super) fn show(ui: &mut Ui, theme: &Theme, row: &Row, (index, cell): (usize, &Cell), floors: bool) {
    let font = if row.best == Some(index) { theme.strong() } else { theme.body() };
    number(ui, theme, row, cell, &font);
    let beside = match (cell.floor, cell.thinning) {
        _ if !floors || cell.value.is_none() => None,
        (Some(floor), _) => Some(format!("({})", two(floor.mean))),
        (None, 1) => None,
        (None, every) => Some(format!("1 in {every}")),
    };
    if let Some(text) = beside {
        ui.add(Label::new(RichText::new(text).font(theme.small()).color(theme.faint)).truncate());
    }
}

/// The number in a font, with its tooltip.
pub(super) fn number(ui: &mut Ui, theme: &Theme, row: &Row, cell: &Cell, font: &FontId) {
    match cell.value {
        Some(value) => {
            let text = RichText::new(read(row, value)).font(font.clone());
            ui.add(Label::new(text).truncate()).on_hover_text(help(row, cell, value));
        }
        None => {
            let text = RichText::new("–").font(font.clone()).color(theme.faint);
            ui.add(Label::new(text)).on_hover_text(cell.reason);
        }
    }
}

/// All digits, the floor in words, and which draws the value is of.
fn help(row: &Row, cell: &Cell, value: f64) -> String {
    let mut text = numbers::exact(value);
    if let Some(floor) = cell.floor {
        text.push_str(&floor_words(row, floor));
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
    let words = format!("; as many exact draws: {mean} on average, {low} to {high} in nine sets of ten");
    // Zero is easily read as a missing number.
    let few = row.spec.key == "modes_covered" && floor.mean < 0.05;
    let why = "\nSo few exact draws cover no mode either: a mode needs 100 draws close to its centre.";
    if few { format!("{words}.{why}") } else { words }
}

/// A value of a measure: three digits, and three decimals for [`FINE`] ones.
pub(super) fn read(row: &Row, value: f64) -> String {
    let value = without_rounding(row, value);
    // A third decimal of a large number does not fit beside three other runs.
    let decimals = if value.abs() < 100.0 { 3 } else { 2 };
    if FINE.contains(&row.spec.key) { numbers::decimal(value, decimals) } else { three(value) }
}

/// Two significant digits: enough for a floor, an average that is known to some percent. Counts have three: 24.9 of 25 modes.
pub(super) fn two(value: f64) -> String {
    let digits = if value > 10.0 { 3 } else { 2 };
    count(value).unwrap_or_else(|| numbers::significant(value, digits))
}

/// Three significant digits; counts stay whole.
pub(super) fn three(value: f64) -> String {
    count(value).unwrap_or_else(|| numbers::significant(value, 3))
}

/// A whole number of readable size, as a count.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a whole number of at most 12 digits")]
pub(super) fn count(value: f64) -> Option<String> {
    (value.fract() == 0.0 && (0.0..1e12).contains(&value)).then(|| numbers::count(value as u64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::{Better, MeasureSpec};

    #[test]
    fn a_floor_of_no_modes_says_why() {
        let spec = MeasureSpec { key: "modes_covered", label: "", help: "", better: Better::Higher, headline: true };
        let row = super::super::rows::row(&spec, Vec::new());
        let words = |mean| floor_words(&row, NoiseFloor { mean, low: mean, high: mean });
        assert!(words(0.0).contains("cover no mode either") && !words(24.9).contains("cover no mode"));
    }

    #[test]
    fn floors_have_the_digits_that_are_known() {
        assert_eq!([24.9, 0.0782, 3.26, 25.0].map(two), ["24.9", "0.078", "3.3", "25"]);
    }
}

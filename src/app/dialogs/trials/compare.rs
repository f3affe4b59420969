//! Two trials side by side: the parameters that differ between them, and the chosen measures.

use egui::{Grid, Label, RichText, ScrollArea, Ui};

use crate::app::state::Ctx;
use crate::app::trials::table::{Sheet, compared};
use draw::words::numbers;

/// The share of the width that the values of a trial take at most, and their least width, in units of the theme.
const COLUMN: f32 = 0.32;
const NARROWEST: f32 = 30.0;

/// Shows the comparison of the two trials that are ticked, or says how to choose them.
pub fn show(ctx: &Ctx<'_>, ui: &mut Ui, sheet: &Sheet) {
    let theme = ctx.theme;
    let notebook = &ctx.view.trials.notebook;
    let mut chosen = ctx.view.trials.look.chosen.clone();
    chosen.sort_unstable();
    let pair: Vec<_> = chosen.iter().filter_map(|number| notebook.find(*number)).collect();
    let [one, other] = pair[..] else {
        ui.label(
            "Tick two trials in the table: their parameters that differ and their measures stand here side by side.",
        );
        return;
    };
    let rows = compared([one, other], &notebook.measures(&sheet.trials));
    if one.scenario == other.scenario {
        ui.label("These two trials are the same experiment at the same step.");
    }
    let column = (COLUMN * ui.available_width()).max(theme.space(NARROWEST));
    let cell = |ui: &mut Ui, text: &str| {
        let wide = ui.painter().layout_no_wrap(text.to_owned(), theme.body(), theme.ink).size().x;
        // A grid would make it as narrow as its head.
        ui.scope(|ui| {
            ui.set_width(wide.min(column));
            ui.add(Label::new(text).wrap());
        });
    };
    ScrollArea::vertical().auto_shrink([false, true]).show(ui, |ui| {
        Grid::new("two trials").num_columns(4).striped(true).spacing([theme.space(4.0), theme.space(1.0)]).show(
            ui,
            |ui| {
                ui.label("");
                for trial in [one, other] {
                    ui.label(RichText::new(format!("Trial {}", trial.number)).font(theme.strong()));
                }
                ui.label(RichText::new("difference").font(theme.small()).color(theme.soft));
                ui.end_row();
                for (name, values) in &rows {
                    ui.label(RichText::new(name).color(theme.soft));
                    values.iter().for_each(|value| cell(ui, &value.text));
                    ui.label(match values {
                        [one, other] if one == other => "the same".to_owned(),
                        [one, other] => difference(one.number, other.number),
                    });
                    ui.end_row();
                }
                ui.label(RichText::new("note").color(theme.soft));
                [&one.note, &other.note].into_iter().for_each(|text| cell(ui, text));
                ui.end_row();
            },
        );
    });
}

/// How much larger the second value is, with its sign; nothing of values that are no numbers.
fn difference(one: Option<f64>, other: Option<f64>) -> String {
    let (Some(one), Some(other)) = (one, other) else { return String::new() };
    let apart = other - one;
    let sign = if apart > 0.0 { "+" } else { "" };
    format!("{sign}{}", numbers::significant(apart, 3))
}

#[cfg(test)]
mod tests {
    use super::difference;

    #[test]
    fn differences_have_a_sign() {
        assert_eq!(difference(Some(1.0), Some(1.5)), "+0.5");
        assert_eq!(difference(Some(1.5), Some(1.0)), "−0.5");
        assert_eq!(difference(Some(1.5), None), "");
    }
}

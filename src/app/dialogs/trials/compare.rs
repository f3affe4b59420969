//! Two trials side by side: what differs between them, and the chosen measures.

use egui::{Grid, Label, RichText, ScrollArea, Ui};

use crate::app::state::Ctx;
use crate::app::trials::table::{Sheet, compared};
use draw::words::numbers;

/// Width of a column, in units of the theme.
const COLUMN: f32 = 60.0;

/// Shows the comparison of the two trials that are ticked, or says how to choose them.
pub fn show(ctx: &Ctx<'_>, ui: &mut Ui, sheet: &Sheet) {
    let theme = ctx.theme;
    let notebook = &ctx.view.trials.notebook;
    let mut chosen = ctx.view.trials.look.chosen.clone();
    chosen.sort_unstable();
    let pair: Vec<_> = chosen.iter().filter_map(|number| notebook.find(*number)).collect();
    let [one, other] = pair[..] else {
        ui.label("Tick two trials in the table. What differs between them stands here side by side.");
        return;
    };
    let rows = compared([one, other], &notebook.measures(&sheet.trials));
    if one.scenario == other.scenario {
        ui.label("These two trials are the same experiment at the same step.");
    }
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
                    for value in values {
                        // As high as the cells beside it: in the middle of the row.
                        ui.scope(|ui| {
                            ui.set_max_width(theme.space(COLUMN));
                            ui.add(Label::new(&value.text).wrap());
                        });
                    }
                    ui.label(match values {
                        [one, other] if one == other => "the same".to_owned(),
                        [one, other] => difference(one.number, other.number),
                    });
                    ui.end_row();
                }
                for (name, text) in [("note", [&one.note, &other.note])] {
                    ui.label(RichText::new(name).color(theme.soft));
                    for text in text {
                        ui.add(Label::new(text).wrap());
                    }
                    ui.end_row();
                }
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

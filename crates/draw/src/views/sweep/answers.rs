//! Answers to the questions of a sweep in words. Each can be pointed at and clicked like the cell that it names.

use egui::{CursorIcon, Label, RichText, Sense, Ui};

use super::input::{SweepInput, SweepResponse};
use super::words;
use crate::theme::Theme;

/// Lists the answers from above. If they are `editable`, questions can be removed: their number is returned.
pub fn show(ui: &mut Ui, input: &SweepInput<'_>, editable: bool, theme: &Theme) -> (SweepResponse, Option<usize>) {
    let mut all = SweepResponse::default();
    let mut removed = None;
    let Some(findings) = input.findings else {
        ui.add(
            Label::new(RichText::new("Answers come with the last cell.").font(theme.small()).color(theme.soft)).wrap(),
        );
        return (all, removed);
    };
    for (number, (question, answer)) in findings.answers.iter().enumerate() {
        let (asked, found) = (words::question(input.plan, question), words::answer(input.plan, question, answer));
        ui.horizontal_wrapped(|ui| {
            ui.add(Label::new(RichText::new(first_upper(&asked)).font(theme.small()).color(theme.soft)).wrap());
            if editable && ui.small_button("×").on_hover_text(format!("Remove the question: {asked}")).clicked() {
                removed = Some(number);
            }
        });
        let lit = answer.cell.is_some() && answer.cell == input.lit;
        let text = RichText::new(&found).font(theme.small()).color(theme.ink);
        let text = if lit { text.underline() } else { text };
        let label = Label::new(text).wrap();
        if let Some(cell) = answer.cell {
            let response = ui.add(label.sense(Sense::click())).on_hover_cursor(CursorIcon::PointingHand);
            let one = SweepResponse {
                pointed: response.hovered().then_some(cell),
                opened: response.clicked().then_some(cell),
            };
            all = all.or(one);
        } else {
            ui.add(label);
        }
        ui.add_space(theme.space(1.5));
    }
    (all, removed)
}

fn first_upper(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}

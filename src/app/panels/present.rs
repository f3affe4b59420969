//! Head of the window while presenting: the first sentence of the caption, or what is asked, and the main measures in large type.

use egui::{Label, RichText, Ui};

use crate::app::action::Action;
use crate::app::state::Ctx;
use draw::readout::{leading, line};

use super::challenge;

/// Most measures that are shown.
const MOST: usize = 4;

/// Shows the head.
pub fn show(ctx: &mut Ctx<'_>, ui: &mut Ui, actions: &mut Vec<Action>) {
    let theme = ctx.theme;
    let frame = ctx.model.frame().clone();
    let scenario = ctx.model.scenario();
    let watch = &scenario.caption.watch;
    let sentence = first_sentence(if watch.is_empty() { &scenario.title } else { watch });
    ui.spacing_mut().item_spacing.y = theme.space(0.5);
    if ctx.view.studies.challenge.items().is_empty() {
        ui.add(Label::new(RichText::new(sentence).font(theme.heading())).wrap());
    } else {
        challenge::in_large(ctx, ui, actions);
        if ctx.view.studies.challenge.asks() {
            return;
        }
    }
    if ctx.model.opening().is_some() {
        return;
    }
    ui.scope(|ui| {
        ctx.fade_if_stale(ui);
        let table = ctx.measures();
        let rows = leading(&table, &frame, ctx.view.plots.measures.as_deref());
        line(ui, theme, &frame, &rows[..rows.len().min(MOST)]);
    });
}

/// The text up to the end of its first sentence.
fn first_sentence(text: &str) -> &str {
    let text = text.trim();
    let ends = [". ", "! ", "? ", ".\n", "!\n", "?\n"];
    let end = ends.iter().filter_map(|end| text.find(end)).min();
    end.map_or(text, |end| &text[..=end])
}

#[cfg(test)]
mod tests {
    use super::first_sentence;

    #[test]
    fn a_sentence_ends_at_a_stop_before_a_space() {
        assert_eq!(first_sentence("Radius 0.25 counts. Then more."), "Radius 0.25 counts.");
        assert_eq!(first_sentence("Why?\nBecause."), "Why?");
        assert_eq!(first_sentence(" One sentence only. "), "One sentence only.");
        assert_eq!(first_sentence(""), "");
    }
}

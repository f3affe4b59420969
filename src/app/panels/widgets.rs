//! Small pieces that several panels share: the title of a section, a note, and whether a plot was moved by hand.

use egui::{Color32, InputState, Label, Response, RichText, Ui, Vec2};

use crate::draw::theme::Theme;

/// The title of a section of a panel.
pub fn section(ui: &mut Ui, theme: &Theme, title: &str) {
    ui.heading(title);
    ui.add_space(theme.space(1.0));
}

/// A note in small type.
pub fn note(ui: &mut Ui, theme: &Theme, colour: Color32, text: &str) {
    ui.add(Label::new(RichText::new(text).font(theme.small()).color(colour)).wrap());
}

/// Whether a plot was dragged, scrolled or pinched. A plot also changes its bounds while a panel beside it slides open;
/// such a change is not kept.
pub fn moved_by_hand(ui: &Ui, plot: &Response) -> bool {
    let turned =
        |input: &InputState| input.smooth_scroll_delta() != Vec2::ZERO || (input.zoom_delta() - 1.0).abs() > 0.0;
    plot.dragged() || (plot.contains_pointer() && ui.input(turned))
}

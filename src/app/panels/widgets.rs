//! Small pieces that several panels share: the title of a section, and a note.

use egui::{Color32, Label, RichText, Ui};

use draw::theme::Theme;

/// The title of a section of a panel.
pub fn section(ui: &mut Ui, theme: &Theme, title: &str) {
    ui.heading(title);
    ui.add_space(theme.space(1.0));
}

/// A note in small type.
pub fn note(ui: &mut Ui, theme: &Theme, colour: Color32, text: &str) {
    ui.add(Label::new(RichText::new(text).font(theme.small()).color(colour)).wrap());
}

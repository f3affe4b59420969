//! Headings in what is read of topics.

use egui::{RichText, Ui};

use super::view::View;

/// Small words over a list or a picture.
pub(super) fn heading(ui: &mut Ui, view: &View<'_>, text: &str) {
    ui.label(RichText::new(text).font(view.theme.small()).color(view.theme.soft));
}

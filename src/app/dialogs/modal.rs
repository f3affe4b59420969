//! Frame of a dialog: heading, contents, and buttons at the lower right.

use egui::{Align, Button, Context, Frame, Id, Layout, Modal, RichText, Ui};

use draw::theme::Theme;

/// A dialog in the middle of the window with a heading; returns whether it stays open.
pub fn modal(context: &Context, theme: &Theme, name: &str, width: f32, contents: impl FnOnce(&mut Ui) -> bool) -> bool {
    let frame = Frame::window(&context.global_style()).inner_margin(theme.space(5.0));
    let response = Modal::new(Id::unique(name)).frame(frame).show(context, |ui| {
        ui.set_width(theme.space(width));
        ui.heading(name);
        ui.add_space(theme.space(2.0));
        contents(ui)
    });
    response.inner && !response.should_close()
}

/// Buttons at the lower right, the first one outermost.
pub fn buttons<R>(ui: &mut Ui, theme: &Theme, contents: impl FnOnce(&mut Ui) -> R) -> R {
    ui.add_space(theme.space(3.0));
    ui.with_layout(Layout::right_to_left(Align::Center), contents).inner
}

/// The main button of a dialog; returns whether it was clicked.
pub fn main_button(ui: &mut Ui, theme: &Theme, text: &str) -> bool {
    let button = Button::new(RichText::new(text).font(theme.strong()).color(theme.paper)).fill(theme.accent);
    ui.add(button).clicked()
}

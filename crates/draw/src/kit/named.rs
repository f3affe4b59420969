//! Names: of buttons that show only a sign, for screen readers, and of parts of a panel, for clicks.

use egui::{AsIdSalt, Response, Role, Ui, UiBuilder, WidgetInfo};

/// The same button with a name.
pub fn named(button: Response, name: &str) -> Response {
    button.widget_info(|| WidgetInfo::labeled(Role::Button, button.enabled(), name));
    button
}

/// The same control, whatever it is, with a name. A text field without one has its hint for a name.
pub fn with_name(control: Response, name: &str) -> Response {
    control.ctx.accesskit_node_builder(control.id, |node| node.set_label(name));
    control
}

/// A part of a panel whose widgets are the same ones whatever comes and goes before it: what is pressed, dragged or typed into stays
/// so while measures arrive above it. The name is unique among the parts of the panel.
pub fn part<R>(ui: &mut Ui, name: impl AsIdSalt, contents: impl FnOnce(&mut Ui) -> R) -> R {
    let id = ui.scope_id().with(name);
    ui.scope_builder(UiBuilder::new().scope_id(id), contents).inner
}

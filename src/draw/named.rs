//! Names of buttons that show only a sign, for screen readers.

use egui::{Response, Role, WidgetInfo};

/// The same button with a name.
pub fn named(button: Response, name: &str) -> Response {
    button.widget_info(|| WidgetInfo::labeled(Role::Button, button.enabled(), name));
    button
}

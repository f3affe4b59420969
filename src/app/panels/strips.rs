//! Strips in place of folded panels, and the small button that folds a panel.

use egui::{Button, Panel, Pos2, Response, RichText, Sense, Shape, Ui, epaint::TextShape, vec2};

use crate::app::commands::{Command, tip};
use crate::app::state::Ctx;
use crate::app::view::folding::Side;
use draw::kit::named::named;
use draw::theme::Theme;

/// Thickness of a strip, in units of the theme.
const STRIP: f32 = 5.5;

/// The strip of a folded panel: a click anywhere on it unfolds the panel.
pub fn show(ctx: &mut Ctx<'_>, ui: &mut Ui, side: Side) {
    let theme = ctx.theme;
    let panel = match side {
        Side::Left => Panel::left("folded left"),
        Side::Right => Panel::right("folded right"),
        Side::Bottom => Panel::bottom("folded bottom"),
    };
    let frame = egui::Frame::new().fill(theme.panel);
    let clicked = panel.resizable(false).exact_size(theme.space(STRIP)).frame(frame).show(ui, |ui| {
        let (rect, response) = ui.allocate_exact_size(ui.available_size(), Sense::click());
        let name = format!("Unfold: {}", side.name());
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &name));
        if response.hovered() || response.has_focus() {
            ui.painter().rect_filled(rect, 0.0, theme.rule);
        }
        title(ui, theme, side, &response);
        response.on_hover_text(tip(Command::Panel(side))).clicked()
    });
    if clicked.inner {
        ctx.toggle_folded(side, ui.ctx());
    }
}

/// The name on a strip; upright strips are read from below on the left and from above on the right.
fn title(ui: &Ui, theme: &Theme, side: Side, response: &Response) {
    let rect = response.rect;
    let galley = ui.painter().layout_no_wrap(side.name().to_owned(), theme.small(), theme.soft);
    let (size, quarter) = (galley.size(), std::f32::consts::FRAC_PI_2);
    let indent = theme.space(3.0);
    let (at, angle) = match side {
        Side::Left => (Pos2::new(rect.center().x - 0.5 * size.y, rect.top() + indent + size.x), -quarter),
        Side::Right => (Pos2::new(rect.center().x + 0.5 * size.y, rect.top() + indent), quarter),
        Side::Bottom => (Pos2::new(rect.left() + indent, rect.center().y - 0.5 * size.y), 0.0),
    };
    ui.painter().add(Shape::Text(TextShape::new(at, galley, theme.soft).with_angle(angle)));
}

/// The button that folds the panel around it.
pub fn fold_button(ctx: &mut Ctx<'_>, ui: &mut Ui, side: Side) {
    let sign = match side {
        Side::Left => "◀",
        Side::Right => "▶",
        Side::Bottom => "▼",
    };
    let text = RichText::new(sign).font(ctx.theme.small()).color(ctx.theme.soft);
    let side_of_button = ui.spacing().interact_size.y;
    let button = Button::new(text).frame(false).min_size(vec2(side_of_button, side_of_button));
    let response = named(ui.add(button), &format!("Fold: {}", side.name()));
    if response.on_hover_text(tip(Command::Panel(side))).clicked() {
        ctx.toggle_folded(side, ui.ctx());
    }
}

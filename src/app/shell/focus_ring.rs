//! Ring around the control that has the focus, for people who use the keyboard: the same for every control.

use egui::{Context, CornerRadius, Event, Stroke, StrokeKind};

use draw::theme::Theme;

/// Thickness of the ring and its distance from the control, in units of the theme.
const THICK: f32 = 0.5;
const AWAY: f32 = 0.4;

/// Paints the ring over what this frame has shown. `by_keyboard` says whether a key was pressed since the pointer was.
pub fn paint(context: &Context, theme: &Theme, by_keyboard: &mut bool) {
    context.input(|input| {
        for event in &input.events {
            match event {
                Event::Key { pressed: true, .. } => *by_keyboard = true,
                Event::PointerButton { pressed: true, .. } | Event::Touch { .. } => *by_keyboard = false,
                _ => {}
            }
        }
    });
    // A text field has a frame and a cursor of its own.
    if !*by_keyboard || context.text_edit_focused() {
        return;
    }
    let focused = context.memory(|memory| memory.focused()).and_then(|id| context.read_response(id));
    let Some(response) = focused.filter(|response| response.interact_rect.is_positive()) else { return };
    let stroke = Stroke::new(theme.space(THICK), theme.accent);
    let rect = response.interact_rect.expand(theme.space(AWAY)).intersect(context.content_rect().shrink(stroke.width));
    let radius = CornerRadius::same(CORNER);
    context.layer_painter(response.layer_id).rect_stroke(rect, radius, stroke, StrokeKind::Outside);
}

/// Radius of the corners, in points.
const CORNER: u8 = 4;

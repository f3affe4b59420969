//! A path on the start page: its name, its sentence, how many lessons it has and how long they take.

use egui::collapsing_header::paint_default_icon;
use egui::{Align2, Rect, Sense, StrokeKind, Ui, pos2, vec2};

use draw::theme::Theme;
use engine::scenario::LessonPath;

/// Width of the sign that says whether it is open, and the margin, in units of the theme.
const SIGN: f32 = 5.0;
const MARGIN: f32 = 2.0;

/// Shows the row of a path; returns whether it was clicked.
pub(super) fn show(ui: &mut Ui, theme: &Theme, path: &LessonPath, open: bool) -> bool {
    let (margin, width) = (theme.space(MARGIN), ui.available_width());
    let painter = ui.painter();
    let words = format!("{} lessons, {} min", path.lessons.len(), path.minutes());
    let effort = painter.layout_no_wrap(words, theme.small(), theme.soft);
    let left = margin + theme.space(SIGN);
    let name =
        painter.layout(path.name.to_owned(), theme.strong(), theme.ink, width - left - 2.0 * margin - effort.size().x);
    let about = painter.layout(path.about.to_owned(), theme.small(), theme.soft, width - left - margin);
    let height = name.size().y + about.size().y + margin;
    let (rect, response) = ui.allocate_exact_size(vec2(width, height), Sense::click());
    response.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, open, path.name));
    if response.gained_focus() {
        response.scroll_to_me(None);
    }
    let painter = ui.painter();
    let stroke = if response.hovered() || response.has_focus() {
        egui::Stroke::new(theme.space(0.6), theme.accent)
    } else {
        theme.hairline()
    };
    painter.rect(rect, theme.space(1.0), theme.panel, stroke, StrokeKind::Inside);
    let line = rect.top() + 0.5 * (margin + name.size().y);
    let sign = Rect::from_center_size(pos2(rect.left() + 0.5 * left, line), vec2(1.0, 1.0) * theme.space(2.5));
    paint_default_icon(ui, if open { 1.0 } else { 0.0 }, &response.clone().with_new_rect(sign));
    let painter = ui.painter();
    let at = rect.left_top() + vec2(left, 0.5 * margin);
    let below = at + vec2(0.0, name.size().y);
    let right = Align2::RIGHT_CENTER.anchor_size(pos2(rect.right() - margin, line), effort.size()).min;
    painter.galley(at, name, theme.ink);
    painter.galley(below, about, theme.soft);
    painter.galley(right, effort, theme.soft);
    response.clicked()
}

//! Row of the tabs: the names of the plots, the options of the open one, and the button that folds the panel.
//!
//! The options of the open tab stand in the row. Tabs without space beside them are in a menu; the open one is always in sight.

use egui::{Id, Rect, TextStyle, Ui, UiBuilder, WidgetText, pos2, vec2};

use super::strips::fold_button;
use crate::app::state::Ctx;
use crate::app::view::folding::Side;
use draw::views::{TABS, Tab, applying};
use engine::session::Frame;

/// The menu of the tabs that have no space.
const MORE: &str = "More tabs ▾";

/// Space around the line between tabs and options, in units of the theme.
const SEPARATOR: f32 = 3.0;

/// The name of the height of the row in the memory of egui.
const HEIGHT: &str = "height of tabs";

/// The height of the row, as it was in the last frame.
pub fn height(ui: &Ui) -> f32 {
    let known = ui.data(|data| data.get_temp(Id::unique(HEIGHT)));
    known.unwrap_or(ui.spacing().interact_size.y)
}

/// Shows the tabs that apply to the runs, and the `options` of the open one. In a window narrower than these they have more lines.
pub fn row(ctx: &mut Ctx<'_>, ui: &mut Ui, frame: &Frame, options: impl FnOnce(&mut Ctx<'_>, &mut Ui)) {
    let side = ui.spacing().interact_size.y;
    let area = ui.available_rect_before_wrap();
    let corner = Rect::from_min_size(area.right_top() - vec2(side, 0.0), vec2(side, side));
    ui.scope_builder(UiBuilder::new().max_rect(corner), |ui| fold_button(ctx, ui, Side::Bottom));
    let rest = Rect::from_min_max(area.min, pos2(corner.left() - ctx.theme.space(1.0), area.max.y));
    let used = ui.scope_builder(UiBuilder::new().max_rect(rest), |ui| {
        ui.horizontal_wrapped(|ui| contents(ctx, ui, frame, options)).response.rect
    });
    ui.advance_cursor_after_rect(Rect::from_min_max(area.min, pos2(area.max.x, used.inner.bottom())));
    let taken = used.inner.height();
    if (height(ui) - taken).abs() > 0.5 {
        ui.data_mut(|data| data.insert_temp(Id::unique(HEIGHT), taken));
        // The panel got its height before.
        ui.ctx().request_repaint();
    }
}

fn contents(ctx: &mut Ctx<'_>, ui: &mut Ui, frame: &Frame, options: impl FnOnce(&mut Ctx<'_>, &mut Ui)) {
    let theme = ctx.theme;
    let gap = theme.space(0.5);
    ui.spacing_mut().item_spacing = vec2(gap, gap);
    let open = applying(ctx.view.plots.tab, frame);
    let all: Vec<Tab> = TABS.into_iter().filter(|tab| (tab.applies)(frame)).collect();
    let widths: Vec<f32> = all.iter().map(|tab| width(ui, tab.spec.label)).collect();
    let row = ui.available_width();
    let key = Id::unique(("width of options", open.spec.name, ctx.view.window.loads));
    let known: f32 = ui.data(|data| data.get_temp(key)).unwrap_or(0.0);
    let space = row - known - theme.space(2.0 * SEPARATOR);
    let number_of_open = all.iter().position(|tab| *tab == open).unwrap_or(0);
    let shown = fitting(&widths, number_of_open, (width(ui, MORE), gap), space);
    for &number in &shown {
        choice(ctx, ui, all[number], open);
    }
    if shown.len() < all.len() {
        ui.menu_button(MORE, |ui| {
            for (_, tab) in all.iter().enumerate().filter(|(number, _)| !shown.contains(number)) {
                choice(ctx, ui, tab, open);
            }
        });
    }
    ui.separator();
    ui.spacing_mut().item_spacing.x = theme.space(1.5);
    let from = ui.cursor().min;
    options(ctx, ui);
    let to = ui.cursor().min;
    let lines = ((to.y - from.y) / (ui.spacing().interact_size.y + gap)).round().max(0.0);
    // Options that come and go, such as the progress of repeats, leave the tabs where they are.
    let taken = if lines > 0.0 { lines * row + to.x - from.x } else { known.min(row).max(to.x - from.x) };
    if (taken - known).abs() > 0.5 {
        ui.data_mut(|data| data.insert_temp(key, taken));
        ui.ctx().request_repaint();
    }
}

fn choice(ctx: &mut Ctx<'_>, ui: &mut Ui, tab: Tab, open: Tab) {
    if ui.selectable_label(tab == open, tab.spec.label).on_hover_text(tab.spec.help).clicked() {
        ctx.view.plots.open_tab(tab);
    }
}

/// The width of a button with a text.
fn width(ui: &Ui, text: &str) -> f32 {
    let text = WidgetText::from(text).into_galley(ui, None, f32::INFINITY, TextStyle::Button);
    text.size().x + 2.0 * ui.spacing().button_padding.x
}

/// The numbers of the tabs that are in sight, in order: all of them, or the open one and as many from the first on as fit beside it
/// and the menu of the others.
fn fitting(widths: &[f32], open: usize, (menu, gap): (f32, f32), space: f32) -> Vec<usize> {
    let all: f32 = widths.iter().map(|width| width + gap).sum();
    if all <= space {
        return (0..widths.len()).collect();
    }
    let mut left = space - menu - gap - widths.get(open).map_or(0.0, |width| width + gap);
    let mut shown = Vec::new();
    let mut full = false;
    for (number, width) in widths.iter().enumerate() {
        if number == open {
            shown.push(number);
        } else if !full {
            left -= width + gap;
            full = left < 0.0;
            if !full {
                shown.push(number);
            }
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::fitting;

    #[test]
    fn the_open_tab_is_always_in_sight_and_the_others_while_there_is_space() {
        let widths = [50.0; 5];
        let shown = |open, space| fitting(&widths, open, (40.0, 2.0), space);
        assert_eq!(shown(0, 260.0), [0, 1, 2, 3, 4]);
        assert_eq!(shown(4, 259.0), [0, 1, 2, 4], "the menu takes space");
        assert_eq!(shown(4, 150.0), [0, 4]);
        assert_eq!(shown(3, 10.0), [3]);
    }
}

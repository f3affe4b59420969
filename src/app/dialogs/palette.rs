//! Dialog of the palette: a field and the results below it.

use egui::{Align, Button, Context, Key, Label, Layout, Modifiers, RichText, Ui};

use super::current::Search;
use super::modal::modal;
use super::search_field::{marked, search_field};
use crate::app::commands::palette::{self, Entry, MOST};
use crate::app::state::Ctx;

/// Width of the dialog, in units of the theme.
const WIDTH: f32 = 130.0;

/// Shows the dialog; returns whether it stays open, and what was chosen.
pub fn show(search: &mut Search, ctx: &Ctx<'_>, context: &Context) -> (bool, Option<Entry>) {
    let entries = palette::found(ctx, &search.text);
    let last = entries.len().saturating_sub(1);
    search.chosen = search.chosen.min(last);
    let pressed = |key| context.input_mut(|input| input.count_and_consume_key(Modifiers::NONE, key));
    search.chosen = (search.chosen + pressed(Key::ArrowDown)).min(last).saturating_sub(pressed(Key::ArrowUp));
    let enter = pressed(Key::Enter) > 0;
    let mut clicked = None;
    let open = modal(context, ctx.theme, "Find", WIDTH, |ui| {
        let hint = "A command, parameter, measure, lesson, tab, file or word";
        if search_field(ui, search, hint) {
            search.chosen = 0;
        }
        ui.add_space(ctx.theme.space(1.0));
        ui.spacing_mut().item_spacing.y = 0.0;
        let top = ui.cursor().top();
        for (number, entry) in entries.iter().enumerate() {
            if row(ctx, ui, entry, search, number) {
                clicked = Some(number);
            }
        }
        if entries.is_empty() {
            ui.weak("Nothing has this name");
        }
        // The dialog keeps its size while there are fewer results.
        let height = ui.spacing().interact_size.y * MOST as f32;
        ui.add_space((top + height - ui.cursor().top()).max(0.0));
        true
    });
    let chosen = clicked.or(enter.then_some(search.chosen));
    let chosen = chosen.and_then(|number| entries.into_iter().nth(number)).filter(|entry| entry.able);
    (open && chosen.is_none(), chosen)
}

/// A result: its name, what it is, and its keys on the right; returns whether it was clicked.
fn row(ctx: &Ctx<'_>, ui: &mut Ui, entry: &Entry, search: &Search, number: usize) -> bool {
    let theme = ctx.theme;
    let chosen = number == search.chosen;
    let colour = if entry.able { theme.ink } else { theme.faint };
    let size = egui::vec2(ui.available_width(), ui.spacing().interact_size.y);
    let name = format!("{}, {}", entry.name, entry.about);
    let button = ui.add_enabled(entry.able, Button::selectable(chosen, "").min_size(size));
    button.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, entry.able, chosen, &name));
    let area = button.rect.shrink2(egui::vec2(theme.space(2.0), 0.0));
    ui.scope_builder(egui::UiBuilder::new().max_rect(area).layout(Layout::left_to_right(Align::Center)), |ui| {
        ui.add(Label::new(marked(theme, &entry.name, &search.text, (theme.body(), colour))).selectable(false));
        let small = RichText::new(&entry.about).font(theme.small()).color(theme.soft);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.add(Label::new(RichText::new(&entry.keys).font(theme.body()).color(colour)).selectable(false));
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.add(Label::new(small).selectable(false).truncate());
            });
        });
    });
    button.clicked()
}

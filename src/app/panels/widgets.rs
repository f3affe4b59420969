//! Small pieces that several panels share: the title of a section, a note, and contents that scroll.

use egui::scroll_area::ScrollAreaOutput;
use egui::{Color32, Label, RichText, ScrollArea, Ui};

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

/// Contents that scroll if they are higher than what there is, or than `most`, which they take only as far as they need it. The scroll
/// bar floats over the margin beside them. With another `id` they begin at their top.
pub fn scrolling(
    ui: &mut Ui,
    id: (&str, u64),
    most: Option<f32>,
    contents: impl FnOnce(&mut Ui),
) -> ScrollAreaOutput<()> {
    let area = ScrollArea::vertical().id_salt(id).auto_shrink([false, most.is_some()]);
    area.max_height(most.unwrap_or(f32::INFINITY)).show(ui, |ui| {
        ui.set_max_width(ui.available_width() - ui.spacing().scroll.bar_width * 0.5);
        contents(ui);
    })
}

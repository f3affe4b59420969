//! What a figure tells beside its picture, below the preview of the export dialog.

use egui::style::ScrollStyle;
use egui::{Label, RichText, ScrollArea, Ui};

use draw::theme::Theme;

/// Height for what the figure tells, in units of the theme: the dialog stays where it is, whatever comes.
pub const TOLD: f32 = 16.0;

/// Shows sentences in a space that is there in any case, of as many whole lines as it has.
pub fn warnings(ui: &mut Ui, theme: &Theme, sentences: &[String], width: f32) {
    ui.set_max_width(width);
    let line = ui.fonts_mut(|fonts| fonts.row_height(&theme.small()));
    let height = (theme.space(TOLD) / line).floor().max(1.0) * line;
    let area = ScrollArea::vertical().id_salt("told").min_scrolled_height(height).max_height(height);
    // The bar is there where more is below, and lies on no word.
    let scroll = ScrollStyle { bar_inner_margin: theme.space(1.0), ..ScrollStyle::solid() };
    let usual = std::mem::replace(&mut ui.spacing_mut().scroll, scroll);
    area.auto_shrink(false).show(ui, |ui| {
        let marked: Vec<String> = sentences.iter().map(|sentence| format!("⚠ {sentence}")).collect();
        let text = RichText::new(marked.join("\n")).font(theme.small()).color(theme.warning);
        ui.add(Label::new(text).wrap());
    });
    ui.spacing_mut().scroll = usual;
}

//! Field of a search, and texts with the matching words marked.

use egui::text::LayoutJob;
use egui::{Color32, FontId, Stroke, TextEdit, TextFormat, Ui};

use super::current::Search;
use crate::app::commands::search::marks;
use draw::kit::named::with_name;
use draw::theme::Theme;

/// The field, which has the focus at once; returns whether the words have changed.
pub fn search_field(ui: &mut Ui, search: &mut Search, hint: &str) -> bool {
    let field = TextEdit::singleline(&mut search.text).desired_width(f32::INFINITY).hint_text(hint);
    let response = with_name(ui.add(field), "Search");
    if !search.begun {
        response.request_focus();
        search.begun = true;
    }
    response.changed()
}

/// A text whose words from the query are marked.
pub fn marked(theme: &Theme, text: &str, query: &str, (font, color): (FontId, Color32)) -> LayoutJob {
    let plain = TextFormat { font_id: font, color, ..TextFormat::default() };
    let mark = TextFormat {
        background: theme.accent.gamma_multiply(0.25),
        underline: Stroke::new(1.0, theme.accent),
        ..plain.clone()
    };
    let mut job = LayoutJob::default();
    let mut from = 0;
    for range in marks(query, text) {
        job.append(&text[from..range.start], 0.0, plain.clone());
        job.append(&text[range.clone()], 0.0, mark.clone());
        from = range.end;
    }
    job.append(&text[from..], 0.0, plain);
    job
}

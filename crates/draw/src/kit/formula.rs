//! A formula as it was understood, typeset with the fonts of the theme.

use std::sync::Arc;

use egui::text::{LayoutJob, TextFormat};
use egui::{Color32, FontId, Pos2, Response, ScrollArea, Sense, Shape, Stroke, Ui, pos2, vec2};

use crate::theme::Theme;
use models::formula::{Form, Formula, Mark, Typeset};

/// Smallest size of the text, in that of the theme; what is wider still is scrolled.
const SMALLEST: f32 = 0.8;

/// The most lines that are shown at once, in sizes of the text; more are scrolled.
const TALLEST: f32 = 16.0;

/// A typeset formula with the size of its text, in points.
#[derive(Clone, Debug)]
pub struct Picture {
    typeset: Arc<Typeset>,
    size: f32,
}

impl Picture {
    /// A formula that gives the log density, the density or the energy, in the width of `ui`.
    pub fn new(ui: &Ui, theme: &Theme, formula: &Formula, form: Form) -> Self {
        let width = ui.available_width();
        let full = theme.text.body;
        let measure = |text: &str, slanted: bool| galley_width(ui, text, full, slanted) / full;
        let typeset = formula.typeset(form, width / full, &measure);
        let size = full * (width / (full * typeset.size[0])).clamp(SMALLEST, 1.0);
        let typeset = if size < full { formula.typeset(form, width / size, &measure) } else { typeset };
        Self { typeset: Arc::new(typeset), size }
    }

    /// Shows it, all in one colour.
    pub fn show(&self, ui: &mut Ui, theme: &Theme, colour: Color32) -> Response {
        let size = vec2(self.typeset.size[0], self.typeset.size[1]) * self.size;
        let area = ScrollArea::both().max_height(TALLEST * theme.text.body).auto_shrink([false, true]);
        area.show(ui, |ui| {
            let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
            self.paint(ui, rect.min, colour);
            response
        })
        .inner
    }

    fn paint(&self, ui: &Ui, corner: Pos2, colour: Color32) {
        let painter = ui.painter();
        let on_screen = |[x, y]: [f32; 2]| pos2(corner.x + x * self.size, corner.y + y * self.size);
        for mark in &self.typeset.marks {
            match mark {
                Mark::Text { text, slanted, size, at } => {
                    let at = on_screen(*at);
                    let font = self.size * size;
                    if !painter.clip_rect().expand(4.0 * font).contains(at) {
                        continue;
                    }
                    let galley = ui.fonts_mut(|fonts| fonts.layout_job(job(text, font, *slanted, colour)));
                    let glyph =
                        galley.rows.first().and_then(|row| row.glyphs.first().map(|glyph| row.pos.y + glyph.pos.y));
                    painter.galley(at - vec2(0.0, glyph.unwrap_or(font)), galley, colour);
                }
                Mark::Line { points, width } => {
                    let width = (width * self.size).max(1.0 / ui.pixels_per_point());
                    let points = points.iter().copied().map(on_screen).collect();
                    painter.add(Shape::line(points, Stroke::new(width, colour)));
                }
            }
        }
    }
}

fn galley_width(ui: &Ui, text: &str, size: f32, slanted: bool) -> f32 {
    ui.fonts_mut(|fonts| fonts.layout_job(job(text, size, slanted, Color32::PLACEHOLDER))).size().x
}

fn job(text: &str, size: f32, slanted: bool, colour: Color32) -> LayoutJob {
    let format = TextFormat { italics: slanted, ..TextFormat::simple(FontId::proportional(size), colour) };
    LayoutJob::single_section(text.to_owned(), format)
}

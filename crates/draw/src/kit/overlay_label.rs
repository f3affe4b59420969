//! Labels over a plot: text on a patch in the colour of the paper, broken where the plot is narrow.

use std::sync::Arc;

use egui::{Align, Align2, Color32, FontId, Galley, Pos2, Rect, Ui, Vec2, vec2};

use super::told;
use crate::theme::Theme;

/// A text in a corner or beside a point of a plot.
pub struct OverlayLabel<'a> {
    /// The text.
    pub text: &'a str,
    /// Its font.
    pub font: FontId,
    /// Its colour.
    pub colour: Color32,
    /// The point of the screen that it is anchored to.
    pub at: Pos2,
    /// The position of that point on the patch.
    pub align: Align2,
}

impl OverlayLabel<'_> {
    /// Paints the label, never beyond `plot`, and returns the rectangle of its patch.
    pub fn paint(self, ui: &Ui, theme: &Theme, plot: Rect) -> Rect {
        /// Opacity of the patch.
        const COVER: f32 = 0.85;
        self.paint_over(ui, theme, plot, COVER)
    }

    /// The same with a patch of another opacity, below which more is seen.
    pub fn paint_over(self, ui: &Ui, theme: &Theme, plot: Rect, cover: f32) -> Rect {
        let painter = ui.painter().with_clip_rect(plot.intersect(ui.clip_rect()));
        let (galley, patch) = self.laid_out(ui, theme, plot);
        // Words are whole or not there; on paper the label is.
        let beyond = (galley.size() - plot.size()).max_elem() > 0.5;
        if theme.labels.whole && beyond || self.breaks_a_word(ui, theme, plot) {
            told::warn(ui, format!("There is no space for the words \"{}\"", self.text));
            return Rect::from_min_size(patch.min, Vec2::ZERO);
        }
        painter.rect_filled(patch, theme.space(1.0), theme.paper.gamma_multiply(cover));
        painter.galley(patch.min + margin(theme), galley, self.colour);
        patch
    }

    /// The rectangle of its patch, without painting it.
    pub fn patch(&self, ui: &Ui, theme: &Theme, plot: Rect) -> Rect {
        self.laid_out(ui, theme, plot).1
    }

    /// Whether the plot is narrower than one of its words.
    fn breaks_a_word(&self, ui: &Ui, theme: &Theme, plot: Rect) -> bool {
        let width = plot.width() - 2.0 * margin(theme).x;
        let wide = |word: &str| ui.painter().layout_no_wrap(word.to_owned(), self.font.clone(), self.colour).size().x;
        self.text.split_whitespace().any(|word| wide(word) > width)
    }

    fn laid_out(&self, ui: &Ui, theme: &Theme, plot: Rect) -> (Arc<Galley>, Rect) {
        let width = (plot.width() - 2.0 * margin(theme).x).max(1.0);
        let galley = ui.painter().layout(self.text.to_owned(), self.font.clone(), self.colour, width);
        let patch = self.align.anchor_size(self.at, galley.size() + 2.0 * margin(theme));
        (galley, patch.translate(inwards(patch, plot)))
    }
}

/// Paints a label at the first of some positions whose patch touches no used one, and counts its patch among those; rather at one that has
/// none of the points. Without a free position there is no label: the readout at the pointer has the values.
pub fn at_free_position<'a>(
    ui: &Ui,
    theme: &Theme,
    (plot, used, points): (Rect, &mut Vec<Rect>, &[Pos2]),
    label: impl Fn((Pos2, Align2)) -> OverlayLabel<'a>,
    positions: &[(Pos2, Align2)],
) {
    let patch = |position: &(Pos2, Align2)| label(*position).patch(ui, theme, plot);
    let free = |position: &&(Pos2, Align2)| !used.iter().any(|other| other.intersects(patch(position).shrink(1.0)));
    let has_points = |position: &&(Pos2, Align2)| {
        let around = patch(position).expand(theme.space(1.0));
        points.iter().any(|point| around.contains(*point))
    };
    let fits = || positions.iter().filter(free);
    if let Some(position) = fits().find(|position| !has_points(position)).or_else(|| fits().next()) {
        used.push(label(*position).paint(ui, theme, plot));
    }
}

/// Space around the text.
fn margin(theme: &Theme) -> Vec2 {
    vec2(theme.space(1.5), theme.space(0.5))
}

/// Paints lines of text beside the pointer: to its lower right, or on its other sides in the right or lower half of the plot.
pub fn at_pointer(ui: &Ui, theme: &Theme, plot: Rect, pointer: Pos2, text: &str) {
    at_pointer_clear_of(ui, theme, (plot, &[]), pointer, text);
}

/// The same, on another side where it would cover labels that are there already.
pub fn at_pointer_clear_of(ui: &Ui, theme: &Theme, (plot, used): (Rect, &[Rect]), pointer: Pos2, text: &str) {
    let (right, below) = (pointer.x < plot.center().x, pointer.y < plot.center().y);
    let side = |after: bool| if after { Align::Min } else { Align::Max };
    let aside = |after: bool| theme.space(if after { 3.0 } else { -2.0 });
    let label = |(right, below): (bool, bool)| {
        let (align, at) = (Align2([side(right), side(below)]), pointer + vec2(aside(right), aside(below)));
        OverlayLabel { text, font: theme.small(), colour: theme.ink, at, align }
    };
    let sides = [(right, below), (right, !below), (!right, below), (!right, !below)];
    let is_free = |side: &&(bool, bool)| {
        let patch = label(**side).patch(ui, theme, plot);
        !used.iter().any(|other| other.intersects(patch))
    };
    label(*sides.iter().find(is_free).unwrap_or(&sides[0])).paint(ui, theme, plot);
}

/// The shift that brings `patch` into `plot`; if it does not fit, its left and upper ends are visible.
fn inwards(patch: Rect, plot: Rect) -> egui::Vec2 {
    let along = |low: f32, high: f32, min: f32, max: f32| {
        if low < min { min - low } else { (max - high).min(0.0).max(min - low) }
    };
    vec2(
        along(patch.left(), patch.right(), plot.left(), plot.right()),
        along(patch.top(), patch.bottom(), plot.top(), plot.bottom()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::pos2;

    #[test]
    fn words_are_moved_into_the_plot() {
        let plot = Rect::from_min_max(pos2(0.0, 0.0), pos2(100.0, 50.0));
        let moved = |x: f32, y: f32| inwards(Rect::from_min_size(pos2(x, y), vec2(30.0, 10.0)), plot);
        assert_eq!(moved(10.0, 10.0), vec2(0.0, 0.0));
        assert_eq!(moved(90.0, 45.0), vec2(-20.0, -5.0));
        assert_eq!(moved(-4.0, -1.0), vec2(4.0, 1.0));
        let wide = Rect::from_min_size(pos2(50.0, 0.0), vec2(130.0, 10.0));
        assert!((inwards(wide, plot).x + 50.0).abs() < 1e-6, "words that do not fit begin at the left");
    }
}

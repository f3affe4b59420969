//! Legends over a plot: in a corner, or where they cover least; over a canvas in smaller letters, or folded to a word.

use std::sync::Arc;

use egui::{Align2, Galley, Rect, RectAlign, Sense, Ui, Vec2, pos2, vec2};

use super::legend::{Entry, SAMPLE, Sample, ink_over_plot, otherwise, sample, show};
use super::{terms, written};
use crate::theme::Theme;
use figure::vector::{LEGEND, Tag};

/// Opacity of the patch under a legend, and of one over a picture, which shows through.
const COVER: f32 = 0.88;
const COVER_OF_PICTURE: f32 = 0.6;

/// Paints a legend into a corner of `plot`; nothing if there are no entries or no space. Returns its patch, if it is there.
pub fn paint(ui: &Ui, theme: &Theme, plot: Rect, corner: Align2, entries: &[Entry]) -> Option<Rect> {
    paint_over(ui, theme, (plot, COVER), (&[corner], &|_| 0.0, f64::INFINITY), entries).map(|place| place.patch)
}

/// Paints a legend over the picture of `plot` into that of some corners where its patch covers least; into the first of several that are
/// equally good. Returns where it is: if there is space for it, and it covers at most so much.
pub fn paint_clear_of(
    ui: &Ui,
    theme: &Theme,
    plot: Rect,
    corners: (&[Align2], &dyn Fn(Rect) -> f64, f64),
    entries: &[Entry],
) -> Option<Align2> {
    paint_over(ui, theme, (plot, COVER_OF_PICTURE), corners, entries).map(|place| place.at)
}

/// The largest share of a canvas that its legend takes.
const MOST_OF_CANVAS: f32 = 0.2;

/// Sizes of its letters, as shares of the usual one, the largest first.
const SIZES: [f32; 2] = [1.0, 0.85];

/// What a patch may cover without smaller letters being tried.
const CLEAR: f64 = 0.5;

/// The word that a legend is folded to.
const FOLDED: &str = "Legend";

/// The same over a canvas that can be pointed at, of which a legend takes a fifth at most: in smaller letters where they cover less, or else folded to
/// a word, which shows it at the pointer; remarks stay.
pub fn paint_or_fold(
    ui: &Ui,
    theme: &Theme,
    plot: Rect,
    (places, covered, most): (&[Align2], &dyn Fn(Rect) -> f64, f64),
    entries: &[Entry],
) -> Option<Align2> {
    let mut best: Option<(Place, Theme, Laid)> = None;
    for share in SIZES {
        // Sizes are whole points, but those that a window has come to.
        let theme = if share < 1.0 { theme.smaller(share) } else { theme.clone() };
        let laid = Laid::new(ui, &theme, entries);
        if !takes_little(laid.size, plot) {
            continue;
        }
        if let Some(place) = laid.place(&theme, plot, (places, covered))
            && best.as_ref().is_none_or(|(best, ..)| place.covers < best.covers)
        {
            best = Some((place, theme, laid));
        }
        if best.as_ref().is_some_and(|(best, ..)| best.covers <= CLEAR) {
            break;
        }
    }
    match best {
        Some((place, ..)) if place.covers > most => None,
        Some((place, theme, laid)) => {
            laid.paint(ui, &theme, (plot, COVER_OF_PICTURE, place.patch), entries);
            Some(place.at)
        }
        None => paint_folded(ui, theme, plot, (places, covered), entries),
    }
}

/// Whether a legend of a size takes no more of a canvas than it may.
fn takes_little(size: Vec2, plot: Rect) -> bool {
    size.x * size.y <= MOST_OF_CANVAS * plot.area()
}

/// Paints the word in the place of a legend, and remarks where they have space.
pub fn paint_folded(
    ui: &Ui,
    theme: &Theme,
    plot: Rect,
    (places, covered): (&[Align2], &dyn Fn(Rect) -> f64),
    entries: &[Entry],
) -> Option<Align2> {
    let remarks = entries.iter().filter(|entry| entry.sample.is_text()).cloned();
    let has_samples = entries.iter().any(|entry| !entry.sample.is_text());
    let word = has_samples.then(|| Entry::new(Sample::None, FOLDED));
    let mut shown: Vec<Entry> = word.into_iter().chain(remarks).collect();
    let mut laid = Laid::new(ui, theme, &shown);
    if has_samples && !takes_little(laid.size, plot) {
        shown.truncate(1);
        laid = Laid::new(ui, theme, &shown);
    }
    let Place { at, patch, .. } = laid.place(theme, plot, (places, covered))?;
    laid.paint(ui, theme, (plot, COVER_OF_PICTURE, patch), &shown);
    let word =
        Rect::from_min_size(patch.min + laid.margin, laid.galleys.first().map_or(Vec2::ZERO, |word| word.size()));
    if !has_samples || theme.labels.whole {
        return Some(at);
    }
    let here = ui.rect_contains_pointer(patch);
    let colour = if here { theme.accent } else { theme.faint };
    ui.painter().extend(terms::dots(word, ui.painter().pixels_per_point(), colour));
    if here {
        let response = ui.interact(patch, ui.scope_id().with("folded legend"), Sense::hover());
        terms::tip(ui, theme, &response, (patch, RectAlign::TOP)).show(|ui| {
            for entry in entries {
                ui.horizontal(|ui| {
                    show(ui, theme, entry.sample);
                    ui.label(written::text(&entry.shown(), &theme.small(), theme.ink));
                });
            }
        });
    }
    Some(at)
}

fn paint_over(
    ui: &Ui,
    theme: &Theme,
    (plot, cover): (Rect, f32),
    (corners, covered, most): (&[Align2], &dyn Fn(Rect) -> f64, f64),
    entries: &[Entry],
) -> Option<Place> {
    let laid = Laid::new(ui, theme, entries);
    let best = laid.place(theme, plot, (corners, covered)).filter(|place| place.covers <= most)?;
    laid.paint(ui, theme, (plot, cover, best.patch), entries);
    Some(best)
}

/// Where a legend stands, its patch, and how much that covers.
struct Place {
    at: Align2,
    patch: Rect,
    covers: f64,
}

/// The texts of a legend, laid out below each other.
struct Laid {
    galleys: Vec<Arc<Galley>>,
    /// Width of the samples with the gap behind them.
    indent: f32,
    /// Height of a row.
    row: f32,
    margin: Vec2,
    /// The size of the patch.
    size: Vec2,
}

impl Laid {
    fn new(ui: &Ui, theme: &Theme, entries: &[Entry]) -> Self {
        let text = |entry: &Entry| match entry.markup {
            true => written::galley(ui, &entry.text, &theme.small(), theme.ink),
            false => ui.painter().layout_no_wrap(entry.text.clone(), theme.small(), ink_over_plot(theme, entry)),
        };
        let galleys: Vec<_> = entries.iter().map(text).collect();
        let samples = entries.iter().any(|entry| !entry.sample.is_text());
        let indent = if samples { theme.space(SAMPLE + 1.5) } else { 0.0 };
        let before = |entry: &Entry| if entry.sample.is_text() { 0.0 } else { indent };
        let widths = entries.iter().zip(&galleys).map(|(entry, galley)| before(entry) + galley.size().x);
        let row = galleys.iter().map(|galley| galley.size().y).fold(0.0, f32::max) + theme.space(0.5);
        let margin = vec2(theme.space(1.5), theme.space(1.0));
        let size = vec2(widths.fold(0.0, f32::max), row * entries.len() as f32) + 2.0 * margin;
        Self { galleys, indent, row, margin, size }
    }

    /// Where it covers least of a plot; the first of several places that are equally good. `None` if there are no entries or no space.
    fn place(&self, theme: &Theme, plot: Rect, (places, covered): (&[Align2], &dyn Fn(Rect) -> f64)) -> Option<Place> {
        let inner = plot.shrink(theme.space(1.5));
        let fits = self.size.x <= inner.width() && self.size.y <= inner.height();
        if !theme.labels.legends || self.galleys.is_empty() || !fits {
            return None;
        }
        let patches = places.iter().map(|place| (*place, place.align_size_within_rect(self.size, inner)));
        let all = patches.map(|(at, patch)| Place { at, patch, covers: covered(patch) });
        all.min_by(|one, other| one.covers.total_cmp(&other.covers))
    }

    fn paint(&self, ui: &Ui, theme: &Theme, (plot, cover, patch): (Rect, f32, Rect), entries: &[Entry]) {
        let painter = ui.painter().with_clip_rect(plot.intersect(ui.clip_rect()));
        Tag::Series(LEGEND.to_owned()).say(ui);
        painter.rect_filled(patch, theme.space(1.0), theme.paper.gamma_multiply(cover));
        let mut at = patch.min + self.margin;
        for (number, (entry, galley)) in entries.iter().zip(&self.galleys).enumerate() {
            let before = if entry.sample.is_text() { 0.0 } else { self.indent };
            let row_rect = Rect::from_min_size(at, vec2(before + galley.size().x, self.row));
            terms::painted(ui, theme, (row_rect, ("legend", number)), &entry.text, otherwise(entry.sample));
            let mut shapes = Vec::new();
            sample(&mut shapes, theme, entry.sample, pos2(at.x, at.y + 0.5 * galley.size().y));
            painter.extend(shapes);
            painter.galley(at + vec2(before, 0.0), galley.clone(), theme.ink);
            at.y += self.row;
        }
        Tag::SeriesEnd.say(ui);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Part;
    use crate::kit::legend::part_name;
    use egui::Pos2;
    use samplers::methods::Interaction;

    /// What is painted of a legend over a plot of a size: whether it is there, and the area of its patch as a share of the plot.
    fn painted(plot: Vec2, entries: &[Entry]) -> (bool, f32) {
        let mut found = (false, 0.0);
        let size = figure::FigureSize::new(500, 500, 1.0).unwrap();
        let draw = |ui: &mut Ui| {
            let rect = Rect::from_min_size(Pos2::ZERO, plot);
            let places = [Align2::RIGHT_BOTTOM, Align2::LEFT_TOP];
            let largest = std::cell::Cell::new(0.0_f32);
            let covered = |patch: Rect| {
                largest.set(largest.get().max(patch.area()));
                0.0
            };
            let there = paint_or_fold(ui, &Theme::default(), rect, (&places, &covered, 1.0), entries);
            found = (there.is_some(), largest.get() / rect.area());
        };
        figure::lay_out(size, crate::theme::install_fonts, draw).unwrap();
        found
    }

    /// A legend takes a fifth of a canvas at most, however small that is: its letters are smaller, or it is folded.
    #[test]
    fn a_legend_leaves_four_fifths_of_its_canvas_free() {
        let entries: Vec<Entry> = [Part::Drift, Part::Carried, Part::GradientNoise, Part::InjectedNoise]
            .into_iter()
            .map(|part| Entry::new(Sample::Arrow(part), part_name(part, Interaction::None)))
            .chain([Entry::new(Sample::None, "steps enlarged 20 times")])
            .collect();
        for plot in [vec2(450.0, 450.0), vec2(230.0, 410.0), vec2(190.0, 410.0), vec2(180.0, 200.0), vec2(120.0, 150.0)]
        {
            let (there, share) = painted(plot, &entries);
            assert!(there && share > 0.0 && share <= MOST_OF_CANVAS + 1e-4, "{plot}: {share}");
        }
    }
}

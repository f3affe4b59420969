//! Pairs of quantities: draws of every run below the diagonal, densities of single quantities on it, correlations above it.
//!
//! Fits of Gaussians are ellipses with 90 %. The reference has its density, and the ellipse of the Gaussian with its moments. A click on the
//! cell of two coordinates shows them on the canvases.

use egui::{Rect, Ui, UiBuilder, pos2, vec2};

use super::cache::{OfRun, PairsCache};
use super::cell;
use super::geometry::axis;
use super::shown::{PairsInput, Place, Shown, specs};
use crate::kit::axes::thickness;
use crate::kit::gestures::Gesture;
use crate::kit::legend::{Entry, Sample};
use crate::kit::overlay_label::OverlayLabel;
use crate::kit::run_header;
use crate::theme::{self, Theme};
use crate::words::numbers;
use crate::words::settings::scaled_columns;
use engine::session::Described;
use models::targets::{Projection, Quantities, Sureness};

/// What can be done on the plot.
pub(crate) const GESTURES: [Gesture; 2] = [
    Gesture::at("Pairs", "Click", "Show these two coordinates on the canvases"),
    Gesture::at("Pairs", "Point at a cell", "Read the names and the values there"),
];

/// What is said of a target without names.
const NO_NAMES: &str = "This target has no quantities with names.";

/// Gap between cells, and the radius of a draw, in units of the theme.
const GAP: f32 = 3.0;
const RADIUS: f32 = 0.42;

/// Draws the cells into the space there is; returns the coordinates that a person wants to see on the canvases.
pub fn show(ui: &mut Ui, input: &PairsInput<'_>, theme: &Theme, cache: &mut PairsCache) -> Option<[usize; 2]> {
    let Some(named) = input.frame.target.quantities() else {
        ui.label(NO_NAMES);
        return None;
    };
    cache.update(ui.ctx(), (input.frame, input.runs), input.computing);
    cache.prepare_marks(ui.ctx(), theme, RADIUS);
    let shown = Shown::of(input, named, cache);
    run_header::with_legend(ui, input.frame, input.runs, theme, &theme.heading(), &shown.entries(theme));
    ui.add_space(theme.space(1.0));
    if cache.is_stale(input.frame, input.runs) {
        ui.set_opacity(theme::STALE);
    }
    let area = ui.available_rect_before_wrap();
    let mut wanted = None;
    for place in places(area, shown.quantities.len(), theme) {
        let [row, column] = place.at;
        let id = UiBuilder::new().id_salt(("pair", row, column)).max_rect(place.outer);
        ui.scope_builder(id, |ui| {
            let clicked = match row.cmp(&column) {
                std::cmp::Ordering::Greater => cell::scatter(ui, theme, &shown, (&place, cache)),
                std::cmp::Ordering::Equal => {
                    cell::single(ui, theme, &shown, (&place, cache));
                    None
                }
                std::cmp::Ordering::Less => {
                    cell::correlations(ui, theme, &shown, &place);
                    None
                }
            };
            wanted = wanted.or(clicked);
        });
    }
    if shown.runs.is_empty() {
        let reason = input.runs.iter().find_map(|run| cache.run(*run)?.1.as_ref().err());
        let text = reason.copied().unwrap_or("being computed");
        let (font, colour, at) = (theme.small(), theme.soft, area.right_top());
        OverlayLabel { text, font, colour, at, align: egui::Align2::RIGHT_TOP }.paint(ui, theme, area);
    }
    ui.advance_cursor_after_rect(area);
    wanted
}

impl<'a> Shown<'a> {
    fn of(input: &'a PairsInput<'a>, named: &'a dyn Quantities, cache: &'a PairsCache) -> Self {
        let references = cache.references(input.frame);
        let of_run = |run: &usize| {
            let (version, of) = cache.run(*run)?;
            Some((*run, version, of.as_ref().ok()?))
        };
        let runs: Vec<(usize, u64, &OfRun)> = input.runs.iter().filter_map(of_run).collect();
        let with_axis = |number: usize| {
            let of_runs: Vec<&Described> =
                runs.iter().filter_map(|(.., of)| Some(&of.quantities.get(number)?.described)).collect();
            let reference = references.and_then(|all| Some(&all.get(number)?.described));
            (number, axis(reference, &of_runs))
        };
        let quantities = input.chosen.numbers().map(with_axis).collect();
        Self { input, named, references: references.filter(|_| input.truth).zip(named.known()), runs, quantities }
    }

    /// Two coordinates, as x and y of a canvas; `None` if one of two quantities is none.
    pub(super) fn coordinates(&self, pair: [usize; 2]) -> Option<[usize; 2]> {
        let count = self.named.coordinates().len();
        pair.iter().all(|number| *number < count).then_some(pair)
    }

    /// Whether two quantities are those on the canvases.
    pub(super) fn is_on_canvases(&self, [x, y]: [usize; 2]) -> bool {
        let vectors = self.input.frame.target.in_vectors();
        let projection = vectors.map(|vectors| &vectors.projection);
        matches!(projection, Some(Projection::Coordinates(shown)) if *shown == [x, y] || *shown == [y, x])
    }

    fn entries(&self, theme: &Theme) -> Vec<Entry> {
        let mut entries = vec![Entry::new(Sample::None, "above: correlations")];
        let coordinates = self.named.coordinates().len();
        let shown = self.quantities.iter().filter(|(number, _)| *number < coordinates).count();
        entries.extend(
            words_of_others(shown, coordinates, self.input.clickable).map(|words| Entry::new(Sample::None, words)),
        );
        let of_run = |(run, _, of): &(usize, u64, &OfRun)| {
            let all = self.input.frame.runs.get(*run).map_or(0, |run| run.totals.divergent);
            (all, of.divergent.first().map_or(0, Vec::len))
        };
        let (all, marked) = self.runs.iter().map(of_run).fold((0, 0), |sum, of| (sum.0 + of.0, sum.1 + of.1));
        entries.extend(words_of_crosses(all, marked).map(|words| Entry::new(Sample::Cross(theme.error), words)));
        if !self.input.frame.target.originals().is_empty() {
            // Those of the file are in the tab Coefficients.
            let frame = self.input.frame;
            let scaled = scaled_columns(frame.scenario.target_at(frame.step));
            entries.extend(scaled.map(|[columns, _]| Entry::new(Sample::None, columns)));
        }
        if self.runs.iter().any(|(run, ..)| self.input.frame.runs.get(*run).is_some_and(|run| run.fits.is_some())) {
            entries.push(Entry::new(Sample::None, "ellipses of fits: 90 %"));
        }
        if let Some((_, known)) = self.references {
            let name = match known.sureness() {
                Sureness::Exact => "exact density, ellipse of its moments (90 %)",
                Sureness::Weighted(_) => "weighted draws: density, ellipse of moments (90 %)",
            };
            entries.push(Entry::new(Sample::Line(theme.exact, theme.line(), None), name));
        }
        entries
    }
}

/// How many coordinates are shown, and where others are chosen, if not all are.
fn words_of_others(shown: usize, coordinates: usize, may_choose: bool) -> Option<String> {
    let choice = if may_choose { "; others: Quantities" } else { "" };
    (shown < coordinates).then(|| format!("{shown} of {coordinates} coordinates{choice}"))
}

/// How many draws follow divergent transitions, and how many of them have a cross if not all have.
fn words_of_crosses(all: u64, marked: usize) -> Option<String> {
    let count = numbers::count(all);
    match all {
        0 => None,
        1 => Some("divergent transition".to_owned()),
        _ if marked as u64 >= all => Some(format!("{count} divergent transitions")),
        _ => Some(format!("{count} divergent transitions, {} marked", numbers::count(marked as u64))),
    }
}

/// Cells of the same size, in rows from the top.
fn places(area: Rect, count: usize, theme: &Theme) -> Vec<Place> {
    let axes = thickness(theme, specs([true, true]));
    let gap = theme.space(GAP);
    // The last label below extends half its width beyond its tick.
    let inside = Rect::from_min_max(pos2(area.min.x + axes.x, area.min.y), area.max - vec2(theme.text.small, axes.y));
    let cells = count.max(1) as f32;
    let size = ((inside.size() + vec2(gap, gap)) / cells - vec2(gap, gap)).max(vec2(4.0, 4.0));
    let place = |row: usize, column: usize| {
        let corner = inside.min + vec2(column as f32, row as f32) * (size + vec2(gap, gap));
        let inner = Rect::from_min_size(corner, size);
        let ticks = [row + 1 == count && row >= column, column == 0 && row > column];
        let outer = Rect::from_min_max(
            inner.min - vec2(if ticks[1] { axes.x } else { 0.0 }, 0.0),
            inner.max + vec2(0.0, if ticks[0] { axes.y } else { 0.0 }),
        );
        Place { at: [row, column], inner, outer, ticks }
    };
    (0..count)
        .flat_map(|row| (0..count).map(move |column| (row, column)))
        .map(|(row, column)| place(row, column))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_shown_is_told() {
        assert_eq!((words_of_others(3, 3, true), words_of_crosses(0, 0)), (None, None));
        assert_eq!(words_of_others(5, 11, true).unwrap(), "5 of 11 coordinates; others: Quantities");
        assert_eq!(words_of_others(5, 11, false).unwrap(), "5 of 11 coordinates");
        assert_eq!(words_of_crosses(12, 12).unwrap(), "12 divergent transitions");
        assert_eq!(words_of_crosses(900, 400).unwrap(), "900 divergent transitions, 400 marked");
    }

    #[test]
    fn cells_have_the_same_size_and_do_not_touch() {
        let area = Rect::from_min_size(pos2(10.0, 20.0), vec2(500.0, 400.0));
        let places = places(area, 4, &Theme::default());
        assert_eq!(places.len(), 16);
        for (number, place) in places.iter().enumerate() {
            assert!(area.contains_rect(place.outer), "{place:?}");
            assert!((place.inner.size() - places[0].inner.size()).length() < 1e-3);
            assert!(places[number + 1..].iter().all(|other| !other.inner.intersects(place.inner)));
        }
        assert_eq!((places[0].ticks, places[12].ticks, places[15].ticks), ([false; 2], [true; 2], [true, false]));
    }
}

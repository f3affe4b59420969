//! Texts of a figure on its plots, with arrows. Those that a figure gives no place are where they cover least, near the ends of their arrows.

use std::sync::Arc;

use egui::{Color32, Context, Galley, Id, Pos2, Rect, Shape, Stroke, Ui, vec2};

use super::own_axes::panel_words;
use super::told::{self, Spot};
use super::written;
use crate::theme::{LegendPlace, Theme};
use crate::words::markup;
use engine::scenario::figures::Note;

/// How far the text is at least from what its arrow points at, in sizes of text.
const AWAY: f32 = 1.2;

/// How far its ground reaches beyond the text, in sizes of text.
const RIM: f32 = 0.15;

/// How far the text is from the edges of its plot at least, in sizes of text: neither it nor its ground lies on the frame.
const EDGE: f32 = 0.3;

/// Cells along each side of a plot by which it is known what a text would cover.
pub const SIDE: usize = 24;

/// What there is on a plot that a text should leave free, by cells from the upper left corner, row by row.
#[derive(Clone, Debug, PartialEq)]
pub struct Crowd {
    /// Of which a text has the most that it covers: densities, as shares of the highest, modes and curves.
    pub strong: Vec<f32>,
    /// Of which it has the mean: draws.
    pub spread: Vec<f32>,
}

impl Default for Crowd {
    fn default() -> Self {
        Self { strong: vec![0.0; SIDE * SIDE], spread: vec![0.0; SIDE * SIDE] }
    }
}

impl Crowd {
    /// The cells of an area, by number, each with its rectangle.
    pub fn cells(area: Rect) -> impl Iterator<Item = (usize, Rect)> {
        let side = area.size() / SIDE as f32;
        (0..SIDE * SIDE).map(move |cell| {
            let corner = vec2((cell % SIDE) as f32 * side.x, (cell / SIDE) as f32 * side.y);
            (cell, Rect::from_min_size(area.min + corner, side))
        })
    }

    /// The cell of a place in shares of the area from its upper left corner.
    pub fn cell_at(share: egui::Vec2) -> Option<usize> {
        let inside = |share: f32| (0.0..1.0).contains(&share);
        let place = |share: f32| (0..SIDE).find(|cell| share * (SIDE as f32) < *cell as f32 + 1.0);
        let (x, y) = (Some(share.x).filter(|x| inside(*x))?, Some(share.y).filter(|y| inside(*y))?);
        Some(place(y)? * SIDE + place(x)?)
    }

    /// Marks the cells of a line through points in shares of the area.
    fn draw(&mut self, points: &[egui::Vec2]) {
        let mut mark = |at: egui::Vec2| {
            if let Some(cell) = Self::cell_at(at) {
                self.strong[cell] = 1.0;
            }
        };
        points.iter().for_each(|at| mark(*at));
        for ends in points.windows(2) {
            let steps = (2.0 * SIDE as f32 * (ends[1] - ends[0]).abs().max_elem()).min(4.0 * SIDE as f32);
            (1..4 * SIDE).map(|step| step as f32).take_while(|step| *step < steps).for_each(|step| {
                mark(ends[0] + (ends[1] - ends[0]) * (step / steps));
            });
        }
    }

    /// The share of the cells below a patch in which there is something.
    pub fn busy(&self, patch: Rect, area: Rect) -> f32 {
        let below = Self::cells(area).filter(|(_, cell)| cell.intersects(patch));
        let (mut busy, mut count) = (0.0_f32, 0.0_f32);
        for (cell, _) in below {
            count += 1.0;
            busy += if self.strong[cell] + self.spread[cell] > 0.0 { 1.0 } else { 0.0 };
        }
        busy / count.max(1.0)
    }

    /// The most that there is below a patch of densities, modes and curves.
    #[must_use]
    pub fn densest(&self, patch: Rect, area: Rect) -> f32 {
        let below = Self::cells(area).filter(|(_, cell)| cell.intersects(patch));
        below.map(|(cell, _)| self.strong[cell]).fold(0.0, f32::max)
    }

    /// How much a patch covers.
    fn hidden(&self, patch: Rect, area: Rect) -> f32 {
        let below = Self::cells(area).filter(|(_, cell)| cell.intersects(patch));
        let (mut strong, mut spread, mut count) = (0.0_f32, 0.0, 0.0_f32);
        for (cell, _) in below {
            strong = strong.max(self.strong[cell]);
            spread += 0.5 * (self.spread[cell] + self.strong[cell]);
            count += 1.0;
        }
        strong + spread / count.max(1.0)
    }
}

/// A curve of a plot: where the plot is, and the points of the curve in its coordinates.
type Curve = (Rect, Vec<[f64; 2]>);

fn curves() -> Id {
    Id::unique("curves that notes leave free")
}

fn crowded() -> Id {
    Id::unique("what notes leave free")
}

/// Whether the panel that is drawn has notes without places.
pub fn wants_places(theme: &Theme) -> bool {
    theme.look.panel.as_ref().is_some_and(|panel| panel.notes.iter().any(|note| note.at.is_none()))
}

/// Whether it has to be known what there is on the panel that is drawn: for notes without places, or for names of runs on it.
pub fn wants_crowd(theme: &Theme) -> bool {
    wants_places(theme) || theme.look.panel.is_some() && matches!(theme.look.legend, LegendPlace::Inside { .. })
}

/// Begins a panel, of which nothing is known yet.
pub fn begin(ui: &Ui, theme: &Theme) {
    ui.data_mut(|data| {
        data.remove_temp::<Crowd>(crowded());
        data.insert_temp::<Option<Vec<Curve>>>(curves(), wants_crowd(theme).then(Vec::new));
    });
}

/// Notes what there is on the plot of the panel that is drawn.
pub fn note_crowd(ui: &Ui, crowd: Crowd) {
    ui.data_mut(|data| data.insert_temp(crowded(), crowd));
}

/// Notes a curve of a plot, where notes without places ask for it.
pub fn note_curve(context: &Context, plot: Rect, points: &[[f64; 2]]) {
    context.data_mut(|data| {
        if let Some(known) = data.get_temp_mut_or_default::<Option<Vec<Curve>>>(curves()) {
            known.push((plot, points.to_vec()));
        }
    });
}

/// Draws the notes on a plot that have places.
pub fn given(ui: &Ui, theme: &Theme, spot: &Spot) {
    let notes = theme.look.panel.iter().flat_map(|panel| &panel.notes);
    for (note, at) in notes.filter_map(|note| Some((note, note.at?))) {
        draw_at(ui, theme, spot, (note, at));
    }
}

/// Places and draws the others of a panel, once all else of it is drawn. Returns what is known to be on which plot.
pub fn automatic(ui: &Ui, theme: &Theme) -> Option<(Spot, Crowd)> {
    let panel = theme.look.panel.as_ref().filter(|_| wants_crowd(theme))?;
    let spot = told::taken(ui.ctx()).spots.into_iter().find(|spot| spot.panel == panel.number);
    let Some(spot) = spot else {
        if wants_places(theme) {
            told::warn(ui, format!("{} has no axes for its notes", panel_words(panel.number)));
        }
        return None;
    };
    let mut crowd = ui.data_mut(|data| data.remove_temp::<Crowd>(crowded())).unwrap_or_default();
    let known = ui.data_mut(|data| data.remove_temp::<Option<Vec<Curve>>>(curves())).flatten().unwrap_or_default();
    let size = |axis: usize| spot.max[axis] - spot.min[axis];
    let share = |[x, y]: &[f64; 2]| vec2(((x - spot.min[0]) / size(0)) as f32, ((spot.max[1] - y) / size(1)) as f32);
    for (_, points) in known.iter().filter(|(plot, _)| plot.min.distance(spot.area.min) < 0.5) {
        crowd.draw(&points.iter().map(share).collect::<Vec<_>>());
    }
    let mut texts = texts_in(ui, spot.area);
    for note in panel.notes.iter().filter(|note| note.at.is_none()) {
        let (galley, size, colour) = set(ui, theme, note);
        let to = note.arrow.and_then(|to| spot.position(to)).filter(|to| spot.area.contains(*to));
        let Some(patch) = freest(galley.size(), size, (spot.area, to), (&crowd, &texts)) else {
            let panel = panel_words(spot.panel).to_lowercase();
            told::warn(ui, format!("There is no place for {} in {panel}", named(note)));
            continue;
        };
        tell_arrow(ui, note, &spot);
        texts.push(patch);
        told::place(ui, note.number, spot.numbers(patch.center()));
        paint(ui, theme, (patch, galley), (spot.area, to), (size, colour));
    }
    Some((spot, crowd))
}

/// The place of a text of some size in an area that covers least, near what its arrow points at; none where all are over other texts.
fn freest(
    size: egui::Vec2,
    letters: f32,
    (area, to): (Rect, Option<Pos2>),
    (crowd, texts): (&Crowd, &[Rect]),
) -> Option<Rect> {
    /// Places along each side that are tried.
    const PLACES: u8 = 16;
    /// What the whole way through the area counts, as a share of covering the highest mode, and what covering the end of the arrow counts.
    const FAR: f32 = 0.25;
    const COVERED: f32 = 5.0;
    /// How far the text is at least from other texts and from the edges, in sizes of text.
    const APART: f32 = 0.4;
    let centres = area.shrink2(0.5 * size + egui::Vec2::splat(APART * letters));
    if centres.width() < 0.0 || centres.height() < 0.0 {
        return None;
    }
    let from = to.unwrap_or(area.center());
    let cost = |patch: Rect| {
        let points_at_itself = to.is_some_and(|to| patch.expand(AWAY * letters).contains(to));
        let far = patch.center().distance(from) / area.size().length();
        crowd.hidden(patch.expand(RIM * letters), area) + FAR * far + if points_at_itself { COVERED } else { 0.0 }
    };
    let shares = || (0..=PLACES).map(|step| f32::from(step) / f32::from(PLACES));
    let patches = shares().flat_map(|y| shares().map(move |x| vec2(x, y)));
    let patches = patches.map(|share| Rect::from_center_size(centres.lerp_inside(share), size));
    let free = |patch: &Rect| texts.iter().all(|text| !text.intersects(patch.expand(APART * letters)));
    patches
        .filter(free)
        .map(|patch| (cost(patch), patch))
        .min_by(|one, other| one.0.total_cmp(&other.0))
        .map(|best| best.1)
}

/// The texts that have been drawn in an area.
pub(crate) fn texts_in(ui: &Ui, area: Rect) -> Vec<Rect> {
    fn add(shape: &Shape, area: Rect, found: &mut Vec<Rect>) {
        match shape {
            Shape::Vec(shapes) => shapes.iter().for_each(|shape| add(shape, area, found)),
            Shape::Text(text) => {
                let rect = text.visual_bounding_rect();
                found.extend((rect.is_positive() && rect.intersects(area)).then_some(rect));
            }
            _ => {}
        }
    }
    let layer = ui.layer_id();
    ui.ctx().graphics(|graphics| {
        let mut found = Vec::new();
        for clipped in graphics.get(layer).into_iter().flat_map(|list| list.all_entries()) {
            add(&clipped.shape, area.intersect(clipped.clip_rect), &mut found);
        }
        found
    })
}

/// A note as it is set, with the size of its letters and its colour.
fn set(ui: &Ui, theme: &Theme, note: &Note) -> (Arc<Galley>, f32, Color32) {
    let colour = note.colour.map_or(theme.ink, |[r, g, b]| Color32::from_rgb(r, g, b));
    let size = note.size as f32 * theme.text.small;
    let font = egui::FontId::new(size, egui::FontFamily::Proportional);
    (written::galley(ui, &note.text, &font, colour), size, colour)
}

/// A note in sentences: by its number, and by its text as it is read.
fn named(note: &Note) -> String {
    format!("note {} (\"{}\")", note.number + 1, markup::plain(&note.text))
}

/// The same at the beginning of a sentence.
fn first_named(note: &Note) -> String {
    named(note).replacen('n', "N", 1)
}

/// Tells that the arrow of a note ends outside of the axes, where it is cut off.
fn tell_arrow(ui: &Ui, note: &Note, spot: &Spot) {
    if note.arrow.is_some_and(|to| spot.position(to).is_none_or(|to| !spot.area.expand(0.5).contains(to))) {
        let panel = panel_words(spot.panel).to_lowercase();
        told::warn(ui, format!("The arrow of {} ends outside of the axes of {panel}", named(note)));
    }
}

/// A text at a place, with its arrow. The text stays within the plot, clear of its frame, as far as it can.
fn draw_at(ui: &Ui, theme: &Theme, spot: &Spot, (note, at): (&Note, [f64; 2])) {
    let Some(at) = spot.position(at) else {
        let sentence = format!("{} is at a number that a logarithmic axis does not have", first_named(note));
        return told::warn(ui, sentence);
    };
    let (galley, size, colour) = set(ui, theme, note);
    // Half a point is rounding.
    if !spot.area.expand(0.5).contains(at) {
        let panel = panel_words(spot.panel).to_lowercase();
        return told::warn(ui, format!("{} is outside of the axes of {panel}", first_named(note)));
    }
    let inner = spot.area.shrink(EDGE * size);
    if (galley.size() - inner.size()).max_elem() > 0.0 {
        told::warn(ui, format!("{} is larger than its panel", first_named(note)));
    }
    tell_arrow(ui, note, spot);
    let patch = Rect::from_center_size(at, galley.size());
    let mut patch = within(patch, inner);
    let to = note.arrow.and_then(|to| spot.position(to));
    if let Some(to) = to.filter(|to| patch.expand(RIM * size).contains(*to)) {
        match beside(patch, to, (inner, AWAY * size)) {
            Some(place) => patch = place,
            None => told::warn(ui, format!("{} covers what it points at", first_named(note))),
        }
    }
    paint(ui, theme, (patch, galley), (spot.area, to), (size, colour));
}

/// Paints a text in its patch, and its arrow.
fn paint(
    ui: &Ui,
    theme: &Theme,
    (patch, galley): (Rect, Arc<Galley>),
    (area, to): (Rect, Option<Pos2>),
    (size, colour): (f32, Color32),
) {
    /// Length and half of the width of the tip of an arrow, in sizes of text.
    const TIP: [f32; 2] = [0.55, 0.2];
    /// How much the ground of the text covers: what is below it can be seen.
    const COVER: f32 = 0.65;
    // Cut off by the plot, they belong to it where another program draws it again.
    let painter = ui.painter().with_clip_rect(area);
    if let Some(to) = to {
        let centre = patch.center();
        let way = to - centre;
        // From the edge of the text on.
        let edge = patch.expand(0.25 * size).size() * 0.5;
        let share = (edge.x / way.x.abs().max(1e-3)).min(edge.y / way.y.abs().max(1e-3)).min(1.0);
        let (from, along) = (centre + share * way, way.normalized());
        let stroke = Stroke::new(0.7 * theme.line(), colour);
        let back = to - TIP[0] * size * along;
        let side = TIP[1] * size * along.rot90();
        // Lines, which other programs draw as they are: of a triangle they make a marker that points up.
        painter.line_segment([from, to], stroke);
        painter.add(Shape::line(vec![back + side, to, back - side], stroke));
    }
    // Over data it can be read as well.
    painter.rect_filled(patch.expand(RIM * size), RIM * size, theme.paper.gamma_multiply(COVER));
    painter.galley(patch.min, galley, colour);
}

/// A rectangle moved into an area as far as it has space there.
fn within(patch: Rect, area: Rect) -> Rect {
    let moved = vec2(
        (area.left() - patch.left()).max(0.0) - (patch.right() - area.right()).max(0.0),
        (area.top() - patch.top()).max(0.0) - (patch.bottom() - area.bottom()).max(0.0),
    );
    patch.translate(moved)
}

/// The place of a text that would cover what its arrow points at: on that side of it, so far away, which has space and is nearest.
fn beside(patch: Rect, to: Pos2, (area, away): (Rect, f32)) -> Option<Rect> {
    let (size, half) = (patch.size(), 0.5 * patch.size() + egui::Vec2::splat(away));
    let sides = [vec2(-half.x, 0.0), vec2(half.x, 0.0), vec2(0.0, -half.y), vec2(0.0, half.y)];
    let places = sides.map(|side| within(Rect::from_center_size(to + side, size), area));
    let free = |place: &Rect| area.expand(0.5).contains_rect(*place) && !place.expand(0.5 * away).contains(to);
    let far = |place: &Rect| place.center().distance(patch.center());
    places.into_iter().filter(free).min_by(|one, other| far(one).total_cmp(&far(other)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::pos2;

    #[test]
    fn a_text_leaves_what_it_points_at() {
        let area = Rect::from_min_max(pos2(0.0, 0.0), pos2(100.0, 60.0));
        let size = vec2(40.0, 10.0);
        // At the right edge it is moved over its arrow's end: there is space above and below, above is nearer.
        let to = pos2(90.0, 30.0);
        let patch = within(Rect::from_center_size(pos2(95.0, 29.0), size), area);
        assert!(patch.contains(to), "{patch:?}");
        let place = beside(patch, to, (area, 5.0)).unwrap();
        assert!(area.expand(0.5).contains_rect(place) && place.bottom() < to.y, "{place:?}");
        // Without space it stays.
        let low = Rect::from_min_max(pos2(0.0, 0.0), pos2(50.0, 12.0));
        assert_eq!(beside(Rect::from_center_size(pos2(25.0, 6.0), size), pos2(25.0, 6.0), (low, 5.0)), None);
    }

    /// A text without a place is near what its arrow points at, and covers neither that nor a mode, a curve or another text, while there is space.
    #[test]
    fn texts_without_a_place_cover_least() {
        let area = Rect::from_min_max(pos2(0.0, 0.0), pos2(240.0, 240.0));
        let (size, letters) = (vec2(60.0, 10.0), 10.0);
        let place = |to: Option<Pos2>, crowd: &Crowd, texts: &[Rect]| freest(size, letters, (area, to), (crowd, texts));
        let to = pos2(120.0, 120.0);
        let near = place(Some(to), &Crowd::default(), &[]).unwrap();
        assert!(!near.contains(to) && near.center().distance(to) < 60.0, "{near:?}");
        // High density in all of the upper half, and a curve across the lower left.
        let mut crowd = Crowd::default();
        for (cell, rect) in Crowd::cells(area) {
            crowd.strong[cell] = if rect.center().y < 140.0 { 0.8 } else { 0.0 };
        }
        crowd.draw(&[vec2(0.0, 0.8), vec2(0.5, 0.8)]);
        let free = place(Some(to), &crowd, &[]).unwrap();
        assert!(free.top() >= 139.0 && crowd.hidden(free, area) < 1e-6, "{free:?}");
        let taken = place(Some(to), &crowd, &[free]).unwrap();
        assert!(!taken.intersects(free) && crowd.hidden(taken, area) < 1e-6, "{taken:?}");
        assert!(area.contains_rect(taken));
        // Without any space there is no place.
        assert_eq!(place(None, &crowd, &[area]), None);
        assert_eq!(freest(vec2(300.0, 10.0), letters, (area, None), (&crowd, &[])), None);
    }

    /// At the edges and in the corners of its plot a text is beside the frame, not on it; one that has no space there is told as it is read.
    #[test]
    fn texts_stay_clear_of_the_frame() {
        let area = Rect::from_min_max(pos2(50.0, 20.0), pos2(250.0, 120.0));
        let spot = Spot { panel: 0, area, min: [0.0; 2], max: [1.0; 2], log: [false; 2], labelled: [true; 2] };
        let note = |text: &str, at, size| {
            let text = text.to_owned();
            Note { number: 0, text, at: Some(at), arrow: None, size, colour: None }
        };
        let told_of = |notes: &[Note]| {
            let (mut texts, mut told) = (Vec::new(), Vec::new());
            let draw = |ui: &mut Ui| {
                told::begin(ui);
                let theme = Theme::default();
                notes.iter().for_each(|note| draw_at(ui, &theme, &spot, (note, note.at.unwrap())));
                (texts, told) = (texts_in(ui, ui.max_rect()), told::taken(ui.ctx()).warnings);
            };
            let size = figure::FigureSize::new(300, 140, 1.0).unwrap();
            figure::lay_out(size, crate::theme::install_fonts, draw).unwrap();
            (texts, told)
        };
        let ends = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [0.5, 1.0], [0.0, 0.5]];
        for size in [1.0, 2.0] {
            let (texts, told) = told_of(&ends.map(|at| note(r"\hat{\theta} = yg", at, size)));
            assert!(told.is_empty() && !texts.is_empty(), "{told:?}");
            assert!(texts.iter().all(|text| area.shrink(1.0).contains_rect(*text)), "{texts:?}");
        }
        let long = note(r"never \hat{\theta}, in many more words than there is space for", [0.5, 0.5], 2.0);
        let beyond = Note { arrow: Some([2.0, 0.5]), ..note(r"\theta_1", [0.5, 0.5], 1.0) };
        let expected = [
            "Note 1 (\"never θ\u{302}, in many more words than there is space for\") is larger than its panel",
            "The arrow of note 1 (\"θ₁\") ends outside of the axes of panel 1",
        ];
        assert_eq!(told_of(&[long, beyond]).1, expected);
    }

    #[test]
    fn curves_are_marked_from_point_to_point() {
        let mut crowd = Crowd::default();
        crowd.draw(&[vec2(0.0, 0.5), vec2(0.999, 0.5)]);
        let row = Crowd::cell_at(vec2(0.0, 0.5)).unwrap();
        assert!(crowd.strong[row..row + SIDE].iter().all(|cell| *cell > 0.0));
        assert_eq!(crowd.strong.iter().filter(|cell| **cell > 0.0).count(), SIDE);
        assert_eq!([vec2(-0.1, 0.5), vec2(0.5, 1.0)].map(Crowd::cell_at), [None; 2]);
    }
}

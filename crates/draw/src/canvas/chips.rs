//! Chips on a canvas: a prediction of where the mass will be. Each has two circles: within the inner one mass counts in full, between them
//! in part. Once it is told what is true, each shows how much of its share it accounts for, beside the chips of a good answer.

use egui::{Align2, Color32, CursorIcon, Painter, Pos2, Response, Shape, Stroke, Ui};
use egui_plot::{PlotPoint, PlotTransform};

use crate::kit::gestures::Gesture;
use crate::theme::Theme;
use crate::words::numbers;
use base::math::Point;

/// What can be done with chips.
pub(crate) const GESTURES: [Gesture; 2] = [
    Gesture::at("A challenge", "Click on a canvas", "Place a chip where you expect draws"),
    Gesture::at("A challenge", "Click on a chip", "Take it away"),
];

/// Radius of the disc of a chip, and the distance from its centre at which a click takes it away, in units of the theme.
const DISC: f32 = 1.4;
const REACH: f32 = 1.8;

/// Corners of a circle, enough to look smooth.
const CORNERS: u32 = 48;

/// Opacity of the circle around a chip: a few of them on the same place can be told from one.
const FILL: f32 = 0.1;

/// Opacity of the outer circle, length of its dashes in units of the theme, and radius of a ring of a good answer in discs.
const FAINT: f32 = 0.6;
const DASH: f32 = 1.0;
const GOOD: f32 = 1.5;

/// Shares from which on a chip counts in full, and half; opacity behind a percentage.
const FULL: f64 = 0.95;
const HALF: f64 = 0.5;
const PAPER: f32 = 0.8;

/// Chips with the radii within which they count.
#[derive(Clone, Copy, Debug)]
pub struct Chips<'a> {
    /// Where they are.
    pub points: &'a [Point],
    /// The radii within which mass counts in full, and at all, in units of the target.
    pub radii: [f64; 2],
    /// The share of what each stands for that it accounts for, from 0 to 1, once that is told.
    pub used: Option<&'a [f64]>,
    /// The chips of a good answer, once that is told.
    pub good: &'a [Point],
    /// Whether the target is on the line: chips are on its axis.
    pub line: bool,
}

/// What a click asks for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Deed {
    /// Place a chip here.
    Place(Point),
    /// Take a chip away, by number.
    Take(usize),
}

/// Paints chips over a canvas; with `placing` a click places one or takes one away.
pub fn show(
    ui: &Ui,
    theme: &Theme,
    chips: Chips<'_>,
    placing: bool,
    (plot, transform): (&Response, &PlotTransform),
) -> Option<Deed> {
    let screen = |at: Point| transform.position_from_point(&PlotPoint::new(at.x, at.y));
    let painter = ui.painter().with_clip_rect(plot.rect);
    let [inner, outer] = chips.radii;
    for chip in chips.points {
        around(&painter, theme, (*chip, inner, chips.line), &screen, Some(theme.accent));
        around(&painter, theme, (*chip, outer, chips.line), &screen, None);
    }
    for Ring { at, chips } in rings(chips.good.iter().map(|chip| screen(*chip)), 2.0 * theme.space(DISC * GOOD)) {
        painter.circle_stroke(at, theme.space(DISC * GOOD), Stroke::new(theme.line() * 1.5, theme.ink));
        if chips > 1 {
            let place = at + egui::vec2(0.0, -theme.space(DISC * GOOD + 0.5));
            beside(&painter, theme, (place, Align2::CENTER_BOTTOM), &format!("×{chips}"), theme.ink);
        }
    }
    for (number, chip) in chips.points.iter().enumerate() {
        disc(&painter, theme, screen(*chip), chips.used.map(|used| used.get(number).copied().unwrap_or(0.0)));
    }
    if !placing {
        return None;
    }
    let near = |at: Pos2| {
        let distances = chips.points.iter().enumerate().map(|(number, chip)| (screen(*chip).distance(at), number));
        let nearest = distances.min_by(|one, other| one.0.total_cmp(&other.0));
        nearest.filter(|(distance, _)| *distance <= theme.space(REACH)).map(|(_, number)| number)
    };
    let pointed = plot.hover_pos().filter(|at| plot.rect.contains(*at));
    if let Some(at) = pointed {
        let sign = if near(at).is_some() { CursorIcon::NotAllowed } else { CursorIcon::Crosshair };
        ui.ctx().set_cursor_icon(sign);
    }
    let at = plot.interact_pointer_pos().filter(|at| plot.clicked() && plot.rect.contains(*at))?;
    Some(near(at).map_or_else(
        || {
            let point = transform.value_from_position(at);
            Deed::Place(Point::new(point.x, if chips.line { 0.0 } else { point.y }))
        },
        Deed::Take,
    ))
}

/// The circle around a chip, or the stretch of the axis: filled within which mass counts in full, dashed where it counts in part.
fn around(
    painter: &Painter,
    theme: &Theme,
    (chip, radius, line): (Point, f64, bool),
    screen: &impl Fn(Point) -> Pos2,
    fill: Option<Color32>,
) {
    let rim = Stroke::new(theme.thin(), theme.accent);
    if line {
        let ends = [-radius, radius].map(|side| screen(Point::new(chip.x + side, chip.y)));
        let (width, share) = if fill.is_some() { (2.0, 0.5) } else { (1.0, 0.35) };
        painter.line_segment(ends, Stroke::new(theme.line() * width, theme.accent.gamma_multiply(share)));
        return;
    }
    let corners: Vec<Pos2> = circle(chip, radius).map(screen).collect();
    match fill {
        Some(colour) => _ = painter.add(Shape::convex_polygon(corners, colour.gamma_multiply(FILL), rim)),
        None => {
            let closed: Vec<Pos2> = corners.iter().chain(corners.first()).copied().collect();
            let faint = Stroke::new(theme.thin(), theme.accent.gamma_multiply(FAINT));
            painter.extend(Shape::dashed_line(&closed, faint, theme.space(DASH), theme.space(DASH)));
        }
    }
}

/// A ring of a good answer: where it is, and how many chips it stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Ring {
    at: Pos2,
    chips: usize,
}

/// The rings of some chips: those that would overlap, nearer than `apart`, are one in the middle between them.
fn rings(chips: impl Iterator<Item = Pos2>, apart: f32) -> Vec<Ring> {
    let mut rings: Vec<Ring> = chips.map(|at| Ring { at, chips: 1 }).collect();
    // Two that become one may come near a third.
    while let Some((one, other)) = (0..rings.len())
        .flat_map(|one| (one + 1..rings.len()).map(move |other| (one, other)))
        .find(|(one, other)| rings[*one].at.distance(rings[*other].at) < apart)
    {
        let gone = rings.swap_remove(other);
        let kept = &mut rings[one];
        let share = gone.chips as f32 / (kept.chips + gone.chips) as f32;
        *kept = Ring { at: kept.at.lerp(gone.at, share), chips: kept.chips + gone.chips };
    }
    rings
}

/// A word beside a mark, on a plate.
fn beside(painter: &Painter, theme: &Theme, (at, align): (Pos2, Align2), text: &str, colour: Color32) {
    let galley = painter.layout_no_wrap(text.to_owned(), theme.small(), colour);
    let place = align.anchor_size(at, galley.size());
    painter.rect_filled(place.expand(1.0), 2.0, theme.paper.gamma_multiply(PAPER));
    painter.galley(place.min, galley, colour);
}

/// The disc of a chip: filled while it is placed and where it counts in full, else hollow with the percentage that counts.
fn disc(painter: &Painter, theme: &Theme, at: Pos2, used: Option<f64>) {
    let radius = theme.space(DISC);
    match used {
        Some(share) if share < FULL => {
            let colour = if share < HALF { theme.error } else { theme.warning };
            painter.circle(at, radius, theme.paper, Stroke::new(theme.line() * 1.5, colour));
            let place = at + egui::vec2(1.4 * radius, 0.0);
            beside(painter, theme, (place, Align2::LEFT_CENTER), &numbers::percent(share), colour);
        }
        Some(_) => _ = painter.circle(at, radius, theme.accepted, Stroke::new(theme.line(), theme.paper)),
        None => _ = painter.circle(at, radius, theme.accent, Stroke::new(theme.line(), theme.paper)),
    }
}

fn circle(centre: Point, radius: f64) -> impl Iterator<Item = Point> {
    (0..CORNERS).map(move |corner| {
        let angle = f64::from(corner) / f64::from(CORNERS) * std::f64::consts::TAU;
        centre + radius * Point::new(angle.cos(), angle.sin())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::pos2;

    #[test]
    fn rings_that_would_overlap_are_one_with_a_number() {
        let found = rings([pos2(0.0, 0.0), pos2(50.0, 0.0), pos2(6.0, 0.0), pos2(3.0, 3.0)].into_iter(), 10.0);
        assert_eq!(found.iter().map(|ring| ring.chips).collect::<Vec<_>>(), [3, 1]);
        assert!(found[0].at.distance(pos2(3.0, 1.0)) < 1e-4 && found[1].at == pos2(50.0, 0.0));
        assert!(rings([].into_iter(), 10.0).is_empty());
        // In a row each is near the next alone.
        let row = rings((0..12).map(|number| pos2(8.0 * number as f32, 0.0)), 10.0);
        assert_eq!(row.iter().map(|ring| ring.chips).sum::<usize>(), 12);
        assert!(row.windows(2).all(|pair| pair[0].at.distance(pair[1].at) >= 10.0));
    }
}

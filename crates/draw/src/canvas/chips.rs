//! Chips on a canvas: a prediction of where the mass will be. Each has the circle within which it counts.

use egui::{CursorIcon, Pos2, Response, Shape, Stroke, Ui};
use egui_plot::{PlotPoint, PlotTransform};

use crate::kit::gestures::Gesture;
use crate::theme::Theme;
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

/// Chips with the radius within which they count.
#[derive(Clone, Copy, Debug)]
pub struct Chips<'a> {
    /// Where they are.
    pub points: &'a [Point],
    /// The radius, in units of the target.
    pub radius: f64,
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
    let rim = Stroke::new(theme.thin(), theme.accent);
    for chip in chips.points {
        if chips.line {
            let ends = [-chips.radius, chips.radius].map(|side| screen(Point::new(chip.x + side, chip.y)));
            painter.line_segment(ends, Stroke::new(theme.line() * 2.0, theme.accent.gamma_multiply(0.5)));
        } else {
            let corners: Vec<Pos2> = circle(*chip, chips.radius).map(screen).collect();
            painter.add(Shape::convex_polygon(corners, theme.accent.gamma_multiply(FILL), rim));
        }
    }
    for chip in chips.points {
        painter.circle(screen(*chip), theme.space(DISC), theme.accent, Stroke::new(theme.line(), theme.paper));
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

fn circle(centre: Point, radius: f64) -> impl Iterator<Item = Point> {
    (0..CORNERS).map(move |corner| {
        let angle = f64::from(corner) / f64::from(CORNERS) * std::f64::consts::TAU;
        centre + radius * Point::new(angle.cos(), angle.sin())
    })
}

//! Figures for other programs to draw again: the plots of a page as series of values with their axes, as a script of matplotlib with its data
//! ([`python`]) and as a description for Vega-Lite ([`vega`]).
//!
//! The values are those of the drawing, to about seven digits: curves have no more points than the figure has pixels, and densities are images.
//! What stands in no plot, such as tables of measures, is not redrawn, and both formats name it.

mod axes;
mod npz;
pub mod python;
mod shapes;
pub mod vega;

use egui::{Color32, Pos2, Rect};

use super::Picture;
use super::vector::{Clipped, Drawn, LEGEND, Mark, Page, STRIP, same};
pub use axes::Axis;

/// How the names of series of draws begin: where a plot has several, a legend says which is which.
pub const DRAWS: &str = "draws of";

/// How the names of lines begin that a legend says what they are.
pub const LIMIT: &str = "stable up to";

/// A plot.
#[derive(Clone, Debug)]
pub struct Panel {
    /// The name of the panel in which it is, if it is the first there.
    pub title: Option<String>,
    /// Its rectangle inside of the axes, in points of the page.
    pub rect: Rect,
    /// The horizontal axis.
    pub x: Axis,
    /// The upright axis.
    pub y: Axis,
    /// What it shows, in painting order.
    pub series: Vec<Series>,
    /// The colour of the lines at ticks, if there are such.
    pub grid: Option<Color32>,
    /// Where the line above the plot begins that has its letter or the names of runs, on its baseline.
    pub head: Option<Pos2>,
    /// Its part of the page: to the edges, or half of the way to what belongs to the plots beside it.
    pub cell: Rect,
    /// The scale at its right: its name, and values along the upright axis with what stands there.
    pub scale: Option<(String, Vec<(f64, String)>)>,
}

impl Panel {
    /// The names that a legend tells apart, where it shows several: of runs, or of the draws of several.
    fn legend(&self, page: &Page) -> Vec<&str> {
        let told = |name: &&str| {
            name.starts_with(DRAWS) || name.starts_with(LIMIT) || page.keyed.iter().any(|known| known == name)
        };
        let mut names: Vec<&str> = Vec::new();
        for name in self.series.iter().filter_map(|series| series.name.as_deref()).filter(told) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        if names.len() > 1 { names } else { Vec::new() }
    }
}

/// What is drawn alike in a plot.
#[derive(Clone, Debug)]
pub struct Series {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// Its values and their look.
    pub shape: Shape,
}

/// Values and their look. Widths and sizes are in points of the page.
#[derive(Clone, Debug)]
pub enum Shape {
    /// Lines, each through its points.
    Lines {
        /// The points of each.
        lines: Vec<Vec<[f64; 2]>>,
        /// Their colour.
        colour: Color32,
        /// Their width.
        width: f32,
        /// Lengths of a dash, the gap after it, the next dash and its gap, if they are broken.
        dashes: Option<[f32; 4]>,
    },
    /// Areas, each within its outline.
    Areas {
        /// The corners of each.
        areas: Vec<Vec<[f64; 2]>>,
        /// Their colour.
        colour: Color32,
    },
    /// Markers.
    Dots {
        /// Where they are.
        points: Vec<[f64; 2]>,
        /// Their colour.
        colour: Color32,
        /// Their width.
        size: f32,
        /// Their form.
        marker: Marker,
    },
    /// A text.
    Text {
        /// Where it is held.
        at: [f64; 2],
        /// The share of its length at which it is held.
        anchor: f32,
        /// The text.
        text: String,
        /// The same as matplotlib sets it.
        mathtext: String,
        /// Its colour.
        colour: Color32,
        /// The size of its letters.
        size: f32,
    },
    /// An image.
    Image {
        /// The values at its left and right, bottom and top.
        ends: [[f64; 2]; 2],
        /// Its pixels.
        picture: Picture,
    },
}

/// The form of a marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marker {
    /// A disc.
    Circle,
    /// A square.
    Square,
    /// A square on its corner.
    Diamond,
    /// A triangle with a corner above.
    Up,
    /// A triangle with a corner below.
    Down,
}

/// The plots of a page, and the names of the panels that have none.
#[derive(Clone, Debug)]
pub struct Remade {
    /// The plots.
    pub panels: Vec<Panel>,
    /// What is not redrawn.
    pub left_out: Vec<String>,
    /// The size of letters of ticks, in points of the page.
    pub text: f32,
}

impl Remade {
    /// What there is to redraw on a page.
    #[must_use]
    pub fn of(page: &Page) -> Self {
        let drawn = page.drawn();
        let mut panels: Vec<Panel> = Vec::new();
        let mut seen: Vec<usize> = Vec::new();
        for (number, plot) in page.plots.iter().enumerate() {
            let in_it = |(_, mark, _): &&(Rect, usize, Drawn<'_>)| page.marks[*mark].of.plot == Some(number);
            let marks: Vec<_> = drawn.iter().filter(in_it).collect();
            // A plot without anything in it was laid out and not drawn.
            let Some((_, first, _)) = marks.first() else { continue };
            let panel = page.marks[*first].of.panel;
            let is_first = panel.is_none_or(|panel| !seen.contains(&panel));
            seen.extend(panel);
            let [x, y] = axes::of(&drawn, (number, plot), &page.ticks);
            let (series, grid) = shapes::series(page, &marks, plot, [x.log, y.log]);
            let title = panel.filter(|_| is_first).and_then(|panel| page.panels.get(panel)).map(|name| heading(name));
            let head = panel.filter(|_| is_first).and_then(|panel| head(page, &drawn, (panel, plot.rect)));
            let scale = page.scales.iter().find(|scale| same(scale.rect, plot.rect)).map(|scale| {
                let at = |at: f64| if y.log { 10f64.powf(at) } else { at };
                (scale.name.clone(), scale.ticks.iter().map(|(place, words)| (at(*place), words.clone())).collect())
            });
            let around = around(&drawn, (number, plot.rect), head);
            panels.push(Panel { title, rect: plot.rect, x, y, series, grid, head, cell: around, scale });
        }
        let around: Vec<[Rect; 2]> = panels.iter().map(|panel| [panel.rect, panel.cell]).collect();
        for (number, panel) in panels.iter_mut().enumerate() {
            panel.cell = cell(page.size.into(), &around, number);
        }
        let others = page.panels.iter().enumerate().filter(|(number, _)| !seen.contains(number));
        let shown = |number: usize| page.marks.iter().any(|marked| marked.of.panel == Some(number));
        let mut left_out: Vec<String> =
            others.filter(|(number, _)| shown(*number)).map(|(_, name)| name.clone()).collect();
        let strip = page.series.iter().position(|name| name == STRIP);
        let beside = |panel: &usize| {
            let of_strip = |marked: &Clipped| strip.is_some() && marked.of.series == strip;
            page.marks
                .iter()
                .any(|marked| marked.of.panel == Some(*panel) && (is_beside(page, marked) || of_strip(marked)))
        };
        let told = seen.iter().enumerate().filter(|(at, panel)| !seen[..*at].contains(panel) && beside(panel));
        left_out.extend(
            told.filter_map(|(_, panel)| Some(format!("what stands beside the axes of {}", page.panels.get(*panel)?))),
        );
        let ticks = drawn.iter().filter_map(|(_, _, drawn)| match drawn {
            Drawn::Label(label) if label.axis.is_some() => Some(label.size()),
            _ => None,
        });
        let text = ticks.fold(f32::INFINITY, f32::min);
        Self { panels, left_out, text: if text.is_finite() { text } else { 11.0 } }
    }

    /// What is not redrawn, as a sentence; `scales` says whether those at the right of plots are redrawn.
    fn left_out_words(&self, scales: bool) -> String {
        let always = "markers beside names of runs and remarks in headings".to_owned();
        let lacks = (!scales && self.panels.iter().any(|panel| panel.scale.is_some()))
            .then(|| "scales at the right of plots".to_owned());
        let all: Vec<String> = self.left_out.iter().cloned().chain(lacks).chain([always]).collect();
        format!("Not redrawn: {}.", all.join(", "))
    }
}

/// A plot with the texts of its axes and the line above it.
fn around(drawn: &[(Rect, usize, Drawn<'_>)], (number, plot): (usize, Rect), head: Option<Pos2>) -> Rect {
    let of_axes = drawn.iter().filter_map(|(_, _, drawn)| match drawn {
        Drawn::Label(label) if label.axis.is_some_and(|(of, _)| of == number) => Some(label),
        _ => None,
    });
    let ends = of_axes.flat_map(|label| [label.at(0.0), label.at(1.0)]).chain(head);
    ends.fold(plot, |around, end| around.union(Rect::from_pos(end)))
}

/// The part of a page that a plot has, of which all have their axes and what stands around these.
fn cell(page: egui::Vec2, around: &[[Rect; 2]], number: usize) -> Rect {
    let [plot, own] = around[number];
    let mut cell = Rect::from_min_size(Pos2::ZERO, page);
    for (_, [other, its]) in around.iter().enumerate().filter(|(index, _)| *index != number) {
        let beside = other.y_range().intersects(plot.y_range());
        let below = other.x_range().intersects(plot.x_range());
        if beside && other.right() <= plot.left() {
            cell.min.x = cell.min.x.max(f32::midpoint(its.right(), own.left()));
        } else if beside && other.left() >= plot.right() {
            cell.max.x = cell.max.x.min(f32::midpoint(own.right(), its.left()));
        } else if below && other.bottom() <= plot.top() {
            cell.min.y = cell.min.y.max(f32::midpoint(its.bottom(), own.top()));
        } else if below && other.top() >= plot.bottom() {
            cell.max.y = cell.max.y.min(f32::midpoint(own.bottom(), its.top()));
        }
    }
    cell
}

/// Where the highest line of letters of a panel begins, if it is above its first plot.
fn head(page: &Page, drawn: &[(Rect, usize, Drawn<'_>)], (panel, plot): (usize, Rect)) -> Option<Pos2> {
    let labels = drawn.iter().filter(|(_, mark, _)| page.marks[*mark].of.panel == Some(panel));
    let starts: Vec<(Pos2, f32)> = labels
        .filter_map(|(_, _, drawn)| match drawn {
            Drawn::Label(label) if label.angle.abs() < 0.1 && label.start.y < plot.top() => {
                Some((label.start, label.size()))
            }
            _ => None,
        })
        .collect();
    let (highest, size) = *starts.iter().min_by(|one, other| one.0.y.total_cmp(&other.0.y))?;
    let in_line = starts.iter().map(|(start, _)| start).filter(|start| start.y - highest.y < 0.5 * size);
    Some(Pos2::new(in_line.map(|start| start.x).fold(f32::INFINITY, f32::min), highest.y))
}

/// The heading of a panel: what it is can be seen, its name is short.
fn heading(name: &str) -> String {
    name.replacen("canvas of ", "", 1).replacen("plot ", "", 1)
}

/// Whether a mark is no text and outside of plots, as the strip below one or the scale at its right. Markers and lines beside names are none.
fn is_beside(page: &Page, marked: &Clipped) -> bool {
    /// Longest side of a marker, and how far the frame of a plot is from it, in points.
    const MARKER: f32 = 16.0;
    const FRAME: f32 = 2.0;
    let bounds = match &marked.mark {
        Mark::Path { outline, .. } => Rect::from_points(&shapes::flat(&outline.steps()).concat()),
        Mark::Image { rect, .. } => *rect,
        Mark::Text(_) => return false,
    };
    let of_legend = marked.of.series.and_then(|series| page.series.get(series)).is_some_and(|name| name == LEGEND);
    let inside = || page.plots.iter().any(|plot| plot.rect.expand(FRAME).contains_rect(bounds));
    !of_legend && marked.of.plot.is_none() && bounds.size().max_elem() > MARKER && !inside()
}

/// Whether a mark is an image.
fn is_image(mark: &Mark) -> bool {
    matches!(mark, Mark::Image { .. })
}

/// A value with at most seven digits, as Python and JSON write it.
fn short(value: f64) -> String {
    let rounded: f64 = format!("{value:.6e}").parse().unwrap_or(value);
    format!("{rounded}")
}

/// A colour with its opacity.
fn apart(colour: Color32) -> (String, f32) {
    let [red, green, blue, alpha] = colour.to_srgba_unmultiplied();
    (format!("#{red:02x}{green:02x}{blue:02x}"), (f32::from(alpha) / 255.0 * 1000.0).round() / 1000.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{pos2, vec2};

    /// Parts of a page meet between what belongs to the plots, and none is over another.
    #[test]
    fn plots_share_a_page() {
        let rect =
            |left: f32, top: f32, right: f32, bottom: f32| Rect::from_min_max(pos2(left, top), pos2(right, bottom));
        let around = [
            [rect(40.0, 20.0, 140.0, 180.0), rect(10.0, 10.0, 140.0, 195.0)],
            [rect(200.0, 20.0, 290.0, 80.0), rect(170.0, 10.0, 290.0, 95.0)],
            [rect(200.0, 125.0, 290.0, 180.0), rect(180.0, 115.0, 290.0, 195.0)],
        ];
        let cells = [0, 1, 2].map(|number| cell(vec2(300.0, 200.0), &around, number));
        assert_eq!(cells[0], rect(0.0, 0.0, 155.0, 200.0));
        assert_eq!(cells[1], rect(155.0, 0.0, 300.0, 105.0));
        assert_eq!(cells[2], rect(160.0, 105.0, 300.0, 200.0));
    }
}

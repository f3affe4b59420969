//! Pen and spotlight of a person who stands in front of others: drawn on top of the window, in no file and no figure. A line that begins on a
//! canvas stays on what it shows, wherever that goes; other lines are wiped off once the canvases have another place.

use base::math::{Bounds, Point};
use egui::{Pos2, Rect, Vec2, vec2};

/// Two points of a stroke are at least so far apart, in points.
const APART: f32 = 2.0;

/// How far canvases may move until what is drawn beside them is wiped off, in points: a line of text comes and goes above them.
const STILL: f32 = 24.0;

/// Most points of all strokes: a person draws some thousands in an hour.
const MOST: usize = 100_000;

/// What the pointer does on top of the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tool {
    /// It draws.
    Pen,
    /// The window is dark but around it.
    Spotlight,
}

/// The colours of the pen, each with its name.
pub const INKS: [(Ink, &str); 4] =
    [(Ink::Red, "Red"), (Ink::Blue, "Blue"), (Ink::Green, "Green"), (Ink::Plain, "Black or white")];

/// A colour of the pen. Which it is, the theme says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ink {
    /// That of errors.
    #[default]
    Red,
    /// That of what is chosen.
    Blue,
    /// That of what is accepted.
    Green,
    /// That of text.
    Plain,
}

/// A canvas: its number, and which part of the plane is where in the window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ground {
    /// Its number.
    pub id: usize,
    /// Its frame in the window.
    pub frame: Rect,
    /// The part of the plane.
    pub part: Bounds,
}

impl Ground {
    /// From the window to the plane.
    fn in_plane(&self, at: Pos2) -> Point {
        let share = (at - self.frame.min) / self.frame.size();
        let (size, corner) = (self.part.size(), self.part.min);
        Point::new(corner.x + size.x * f64::from(share.x), corner.y + size.y * (1.0 - f64::from(share.y)))
    }

    /// From the plane to the window.
    fn on_screen(&self, at: Point) -> Pos2 {
        let share = (at - self.part.min).component_div(&self.part.size());
        self.frame.min + vec2(share.x as f32, 1.0 - share.y as f32) * self.frame.size()
    }
}

/// A line: its colour, and its points: on a canvas in the plane, else in the window.
#[derive(Clone, Debug)]
struct Line {
    ink: Ink,
    /// The canvas that it began on, as it was then.
    on: Option<Ground>,
    points: Vec<Point>,
}

impl Line {
    /// Where it is now, of these canvases; `None` where its canvas is away.
    fn stroke(&self, grounds: &[Ground]) -> Option<Stroke> {
        let Some(then) = &self.on else {
            let points = self.points.iter().map(|at| Pos2::new(at.x as f32, at.y as f32)).collect();
            return Some(Stroke { ink: self.ink, within: None, points });
        };
        let now = grounds.iter().find(|ground| ground.id == then.id)?;
        let points = self.points.iter().map(|at| now.on_screen(*at)).collect();
        Some(Stroke { ink: self.ink, within: (now != then).then_some(now.frame), points })
    }
}

/// A line as it is painted.
#[derive(Clone, Debug, PartialEq)]
pub struct Stroke {
    /// Its colour.
    pub ink: Ink,
    /// Where it is seen: within its canvas once that has moved.
    pub within: Option<Rect>,
    /// Its points in the window.
    pub points: Vec<Pos2>,
}

/// What is drawn on top of the window.
#[derive(Debug, Default)]
pub struct Pen {
    /// What the pointer does; `None` as ever.
    pub tool: Option<Tool>,
    /// The colour of the next line.
    pub ink: Ink,
    /// The lines.
    lines: Vec<Line>,
    /// The tool that was shown last.
    shown: Option<Tool>,
    /// The load of the scenario that they were drawn on.
    load: u64,
    /// The canvases of this frame as far as they are there, and all of them of the newest whole frame.
    coming: Vec<Ground>,
    grounds: Vec<Ground>,
    /// Size of the window, and frames of the canvases, where lines beside these were drawn.
    layout: Option<(Vec2, Vec<Rect>)>,
}

impl Pen {
    /// Takes up a tool, or puts it down.
    pub fn toggle(&mut self, tool: Tool) {
        self.tool = if self.tool == Some(tool) { None } else { Some(tool) };
    }

    /// Whether a tool was taken up since this was asked last.
    pub fn begins(&mut self) -> bool {
        std::mem::replace(&mut self.shown, self.tool) != self.tool
    }

    /// Whether nothing is drawn.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.lines.is_empty()
    }

    /// The lines of canvases that are there, and those beside them.
    pub fn strokes(&self) -> impl Iterator<Item = Stroke> {
        self.lines.iter().filter_map(|line| line.stroke(&self.grounds))
    }

    /// Takes the next colour.
    pub fn next_ink(&mut self) {
        let at = INKS.iter().position(|(ink, _)| *ink == self.ink).unwrap_or_default();
        self.ink = INKS[(at + 1) % INKS.len()].0;
    }

    /// Wipes off all lines.
    pub fn wipe(&mut self) {
        self.lines.clear();
    }

    /// Takes notice of a canvas of this frame.
    pub fn note(&mut self, canvas: Ground) {
        self.coming.push(canvas);
    }

    /// Wipes off what was drawn on another scenario, and what was drawn beside canvases that had another place. All canvases of a frame are noted.
    pub fn follow(&mut self, load: u64, window: Vec2) {
        self.grounds = std::mem::take(&mut self.coming);
        if std::mem::replace(&mut self.load, load) != load {
            self.wipe();
        }
        let frames: Vec<Rect> = self.grounds.iter().map(|ground| ground.frame).collect();
        let stays = |[one, other]: [&Rect; 2]| one.min.distance(other.min).max(one.max.distance(other.max)) <= STILL;
        let is_still = self.layout.as_ref().is_some_and(|(size, before)| {
            *size == window && before.len() == frames.len() && before.iter().zip(&frames).all(|(a, b)| stays([a, b]))
        });
        if !is_still {
            self.lines.retain(|line| line.on.is_some());
            self.layout = Some((window, frames));
        }
    }

    /// Draws to a point: a new line with it, or the newest line on to it.
    pub fn draw(&mut self, at: Pos2, begins: bool) {
        let count: usize = self.lines.iter().map(|line| line.points.len()).sum();
        if count >= MOST {
            return;
        }
        if begins || self.lines.is_empty() {
            let on = self.grounds.iter().find(|ground| ground.frame.contains(at)).copied();
            self.lines.push(Line { ink: self.ink, on, points: Vec::new() });
        }
        let Some(line) = self.lines.last_mut() else { return };
        let now = line.on.and_then(|then| self.grounds.iter().find(|ground| ground.id == then.id));
        if line.on.is_some() != now.is_some() {
            return;
        }
        let last = line.stroke(&self.grounds).and_then(|stroke| stroke.points.last().copied());
        if last.is_none_or(|last| last.distance(at) >= APART) {
            let in_window = Point::new(f64::from(at.x), f64::from(at.y));
            line.points.push(now.map_or(in_window, |ground| ground.in_plane(at)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::pos2;

    const WINDOW: Vec2 = vec2(800.0, 600.0);

    #[test]
    fn lines_are_drawn_and_wiped_off() {
        let mut pen = Pen::default();
        pen.follow(1, WINDOW);
        pen.draw(pos2(0.0, 0.0), true);
        pen.draw(pos2(0.5, 0.0), false);
        pen.draw(pos2(5.0, 0.0), false);
        pen.next_ink();
        pen.draw(pos2(9.0, 9.0), true);
        let lines: Vec<(Ink, usize)> = pen.strokes().map(|line| (line.ink, line.points.len())).collect();
        assert_eq!(lines, [(Ink::Red, 2), (Ink::Blue, 1)], "close points are one, and a line keeps its colour");
        (0..3).for_each(|_| pen.next_ink());
        assert_eq!(pen.ink, Ink::Red, "the colours come in turn");
        pen.follow(1, WINDOW);
        assert_eq!(pen.strokes().count(), 2);
        pen.follow(2, WINDOW);
        assert!(pen.is_clean(), "another lesson has nothing drawn on it");
        pen.toggle(Tool::Pen);
        pen.toggle(Tool::Spotlight);
        assert_eq!(pen.tool, Some(Tool::Spotlight));
        pen.toggle(Tool::Spotlight);
        assert_eq!(pen.tool, None);
    }

    /// A canvas with its left edge and the part of the plane from 0 to `most` in both directions.
    fn canvas(left: f32, most: f64) -> Ground {
        let frame = Rect::from_min_size(pos2(left, 100.0), vec2(200.0, 200.0));
        Ground { id: 7, frame, part: Bounds { min: Point::zeros(), max: Point::repeat(most) } }
    }

    /// What is drawn on a canvas moves along with what it shows; what is drawn beside it is wiped off when canvases go elsewhere.
    #[test]
    fn lines_on_a_canvas_go_where_it_goes() {
        let mut pen = Pen::default();
        let frame = |pen: &mut Pen, canvas: Option<Ground>| {
            canvas.into_iter().for_each(|canvas| pen.note(canvas));
            pen.follow(1, WINDOW);
            pen.strokes().map(|line| (line.points[0].round(), line.within.is_some())).collect::<Vec<_>>()
        };
        frame(&mut pen, Some(canvas(100.0, 10.0)));
        pen.draw(pos2(200.0, 200.0), true);
        pen.draw(pos2(500.0, 200.0), false);
        pen.draw(pos2(500.0, 50.0), true);
        let [on, beside] = [pos2(200.0, 200.0), pos2(500.0, 50.0)];
        assert_eq!(frame(&mut pen, Some(canvas(100.0, 10.0))), [(on, false), (beside, false)]);
        assert_eq!(frame(&mut pen, Some(canvas(110.0, 10.0))), [(on + vec2(10.0, 0.0), true), (beside, false)]);
        assert_eq!(frame(&mut pen, Some(canvas(200.0, 10.0))), [(on + vec2(100.0, 0.0), true)]);
        assert_eq!(frame(&mut pen, Some(canvas(200.0, 20.0))), [(pos2(250.0, 250.0), true)], "half as large");
        assert_eq!(frame(&mut pen, None), [], "a run that is hidden takes its lines with it");
        assert_eq!(frame(&mut pen, Some(canvas(100.0, 10.0))), [(on, false)]);
    }
}

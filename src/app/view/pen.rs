//! Pen and spotlight of a person who stands in front of others: drawn on top of the window, in no file and no figure.

use egui::Pos2;

/// Two points of a stroke are at least so far apart, in points.
const APART: f32 = 2.0;

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

/// A line: its colour, and its points in the window.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Its colour.
    pub ink: Ink,
    /// Its points.
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
    strokes: Vec<Line>,
    /// The tool that was shown last.
    shown: Option<Tool>,
    /// The load of the scenario that they were drawn on.
    load: u64,
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

    /// The lines.
    #[must_use]
    pub fn strokes(&self) -> &[Line] {
        &self.strokes
    }

    /// Takes the next colour.
    pub fn next_ink(&mut self) {
        let at = INKS.iter().position(|(ink, _)| *ink == self.ink).unwrap_or_default();
        self.ink = INKS[(at + 1) % INKS.len()].0;
    }

    /// Wipes off all lines.
    pub fn wipe(&mut self) {
        self.strokes.clear();
    }

    /// Wipes off what was drawn on another scenario.
    pub fn follow(&mut self, load: u64) {
        if std::mem::replace(&mut self.load, load) != load {
            self.wipe();
        }
    }

    /// Draws to a point: a new line with it, or the newest line on to it.
    pub fn draw(&mut self, at: Pos2, begins: bool) {
        let count: usize = self.strokes.iter().map(|line| line.points.len()).sum();
        if count >= MOST {
            return;
        }
        match self.strokes.last_mut() {
            Some(Line { points, .. }) if !begins => {
                if points.last().is_none_or(|last| last.distance(at) >= APART) {
                    points.push(at);
                }
            }
            _ => self.strokes.push(Line { ink: self.ink, points: vec![at] }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::pos2;

    #[test]
    fn lines_are_drawn_and_wiped_off() {
        let mut pen = Pen::default();
        pen.follow(1);
        pen.draw(pos2(0.0, 0.0), true);
        pen.draw(pos2(0.5, 0.0), false);
        pen.draw(pos2(5.0, 0.0), false);
        pen.next_ink();
        pen.draw(pos2(9.0, 9.0), true);
        let lines: Vec<(Ink, usize)> = pen.strokes().iter().map(|line| (line.ink, line.points.len())).collect();
        assert_eq!(lines, [(Ink::Red, 2), (Ink::Blue, 1)], "close points are one, and a line keeps its colour");
        (0..3).for_each(|_| pen.next_ink());
        assert_eq!(pen.ink, Ink::Red, "the colours come in turn");
        pen.follow(1);
        assert_eq!(pen.strokes().len(), 2);
        pen.follow(2);
        assert!(pen.strokes().is_empty(), "another lesson has nothing drawn on it");
        pen.toggle(Tool::Pen);
        pen.toggle(Tool::Spotlight);
        assert_eq!(pen.tool, Some(Tool::Spotlight));
        pen.toggle(Tool::Spotlight);
        assert_eq!(pen.tool, None);
    }
}

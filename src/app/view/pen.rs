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

/// What is drawn on top of the window.
#[derive(Debug, Default)]
pub struct Pen {
    /// What the pointer does; `None` as ever.
    pub tool: Option<Tool>,
    /// The lines, each as points of the window.
    strokes: Vec<Vec<Pos2>>,
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
    pub fn strokes(&self) -> &[Vec<Pos2>] {
        &self.strokes
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
        let count: usize = self.strokes.iter().map(Vec::len).sum();
        if count >= MOST {
            return;
        }
        match self.strokes.last_mut() {
            Some(stroke) if !begins => {
                if stroke.last().is_none_or(|last| last.distance(at) >= APART) {
                    stroke.push(at);
                }
            }
            _ => self.strokes.push(vec![at]),
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
        pen.draw(pos2(9.0, 9.0), true);
        assert_eq!(pen.strokes().iter().map(Vec::len).collect::<Vec<_>>(), [2, 1], "close points are one");
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

//! Strokes of a brush over a picture of levels on cells.
//!
//! A stroke is a line through the points that the pointer was at. How much it covers a cell depends on the distance d from the middle of
//! the cell to this line: by strength · (1 − d²/r²)² up to the radius r, and not at all beyond. So a stroke has the same effect however
//! fast the pointer moves and however often it passes a cell. A brush adds the covered share of the highest level, an eraser takes the
//! covered share of the cell's own level away, and blur moves the level by the covered share towards a mean of the neighbours.

use base::math::Point;

/// What a stroke does to the levels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tool {
    /// Raises them.
    #[default]
    Brush,
    /// Lowers them.
    Eraser,
    /// Makes neighbours more alike.
    Blur,
}

/// A tool with its size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Brush {
    /// The tool.
    pub tool: Tool,
    /// How far it reaches, in cells.
    pub radius: f64,
    /// The share that it covers in its middle, from 0 to 1.
    pub strength: f64,
}

impl Default for Brush {
    fn default() -> Self {
        Self { tool: Tool::Brush, radius: 3.0, strength: 0.5 }
    }
}

/// Weights of the mean that blur moves levels to: binomial, with a variance of one cell² along each axis.
const KERNEL: [f64; 5] = [1.0 / 16.0, 4.0 / 16.0, 6.0 / 16.0, 4.0 / 16.0, 1.0 / 16.0];

/// A stroke over a picture.
#[derive(Clone, Debug)]
pub struct Stroke {
    brush: Brush,
    columns: usize,
    /// The levels before, by rows from the top.
    before: Vec<u8>,
    /// How much of each cell is covered.
    cover: Vec<f64>,
    /// The newest point.
    last: Option<Point>,
}

impl Stroke {
    /// A stroke that has touched nothing yet, over levels by rows of `columns` cells, the upper row first.
    #[must_use]
    pub fn new(brush: Brush, columns: usize, levels: &[u8]) -> Self {
        Self { brush, columns: columns.max(1), before: levels.to_vec(), cover: vec![0.0; levels.len()], last: None }
    }

    /// Goes on to a point, in cells from the middle of the upper left one to the right and down. Returns whether that covers
    /// more than before.
    pub fn go_to(&mut self, place: Point) -> bool {
        let from = self.last.replace(place).unwrap_or(place);
        let mut more = false;
        for (index, cover) in self.cover.iter_mut().enumerate() {
            let middle = Point::new((index % self.columns) as f64, (index / self.columns) as f64);
            let share = self.brush.cover(distance(middle, from, place));
            if share > *cover {
                (*cover, more) = (share, true);
            }
        }
        more
    }

    /// The levels after the stroke, up to a highest one.
    #[must_use]
    pub fn levels(&self, highest: u8) -> Vec<u8> {
        let means = if self.brush.tool == Tool::Blur { self.means() } else { Vec::new() };
        let level = |(index, (before, cover)): (usize, (&u8, &f64))| {
            let before = f64::from(*before);
            let after = match self.brush.tool {
                Tool::Brush => (before + cover * f64::from(highest)).round(),
                // Halves go down, so that light strokes come to an end too.
                Tool::Eraser => (before - cover * before - 0.5).ceil(),
                Tool::Blur => (before + cover * (means[index] - before)).round(),
            };
            whole(after.clamp(0.0, f64::from(highest)))
        };
        self.before.iter().zip(&self.cover).enumerate().map(level).collect()
    }

    /// The mean around each cell; beyond the edge the picture goes on as it is there.
    fn means(&self) -> Vec<f64> {
        let (columns, rows) = (self.columns, self.before.len() / self.columns);
        let levels: Vec<f64> = self.before.iter().map(|level| f64::from(*level)).collect();
        let along = |values: &[f64], step: usize, count: usize| -> Vec<f64> {
            let mean = |index: usize| {
                let place = index / step % count;
                let at = |offset: usize| (place + offset).saturating_sub(2).min(count - 1);
                let start = index - place * step;
                KERNEL.iter().enumerate().map(|(offset, weight)| weight * values[start + at(offset) * step]).sum()
            };
            (0..values.len()).map(mean).collect()
        };
        if rows == 0 { levels } else { along(&along(&levels, 1, columns), columns, rows) }
    }
}

impl Brush {
    /// The share that is covered at a distance.
    fn cover(&self, distance: f64) -> f64 {
        let inside = (1.0 - (distance / self.radius).powi(2)).max(0.0);
        self.strength * inside * inside
    }
}

/// The distance from a point to the line between two others.
fn distance(point: Point, from: Point, to: Point) -> f64 {
    let along = to - from;
    let length = along.norm_squared();
    let share = if length > 0.0 { ((point - from).dot(&along) / length).clamp(0.0, 1.0) } else { 0.0 };
    (point - from - along * share).norm()
}

#[expect(clippy::cast_sign_loss, reason = "a whole number from 0 to 255")]
fn whole(level: f64) -> u8 {
    level as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    const HIGHEST: u8 = 60;

    fn stroke(tool: Tool, radius: f64, strength: f64, levels: &[u8], points: &[[f64; 2]]) -> Vec<u8> {
        let mut stroke = Stroke::new(Brush { tool, radius, strength }, 5, levels);
        for point in points {
            stroke.go_to(Point::from(*point));
        }
        stroke.levels(HIGHEST)
    }

    #[test]
    fn a_brush_adds_what_it_covers() {
        // (1 − 1/4)² and (1 − 2/4)² of 60.
        let row = stroke(Tool::Brush, 2.0, 1.0, &[0; 15], &[[2.0, 1.0]]);
        assert_eq!(row, [0, 15, 34, 15, 0, 0, 34, 60, 34, 0, 0, 15, 34, 15, 0]);
        let high = stroke(Tool::Brush, 2.0, 0.5, &[50; 15], &[[2.0, 1.0]]);
        assert_eq!(high[5..10], [50, 60, 60, 60, 50], "no level is above the highest");
    }

    #[test]
    fn a_stroke_does_the_same_however_fast_and_often_it_goes() {
        let at_once = stroke(Tool::Brush, 1.5, 1.0, &[0; 15], &[[0.0, 1.0], [4.0, 1.0]]);
        assert_eq!(at_once[5..10], [60; 5], "everything between the two places is covered");
        let points: Vec<[f64; 2]> = (0..=40).chain((0..=40).rev()).map(|k| [0.1 * f64::from(k), 1.0]).collect();
        assert_eq!(stroke(Tool::Brush, 1.5, 1.0, &[0; 15], &points), at_once);
        let mut again = Stroke::new(Brush::default(), 5, &[0; 15]);
        assert!(again.go_to(Point::new(1.0, 1.0)) && !again.go_to(Point::new(1.0, 1.0)), "nothing more is covered");
    }

    #[test]
    fn an_eraser_takes_its_share_and_comes_to_an_end() {
        assert_eq!(stroke(Tool::Eraser, 1.0, 0.5, &[40; 15], &[[2.0, 1.0]])[5..10], [40, 40, 20, 40, 40]);
        let mut levels = vec![40; 15];
        for _ in 0..7 {
            levels = stroke(Tool::Eraser, 1.0, 0.5, &levels, &[[2.0, 1.0]]);
        }
        assert_eq!(levels[7], 0);
        assert_eq!(stroke(Tool::Eraser, 9.0, 1.0, &[0; 15], &[[2.0, 1.0]]), [0; 15]);
    }

    #[test]
    fn blur_spreads_a_cell_and_leaves_an_even_surface() {
        assert_eq!(stroke(Tool::Blur, 99.0, 1.0, &[33; 15], &[[2.0, 1.0]]), [33; 15]);
        let mut levels = [0; 25];
        levels[12] = 60;
        let blurred = stroke(Tool::Blur, 1e6, 1.0, &levels, &[[2.0, 2.0]]);
        // 60 times products of 1, 4, 6, 4, 1 over 256.
        assert_eq!(blurred[10..15], [1, 6, 8, 6, 1]);
        assert_eq!(blurred[0..5], [0, 1, 1, 1, 0]);
        // At the edge the outermost cells count for those beyond.
        let edge = stroke(Tool::Blur, 1e6, 1.0, &[60, 0, 0, 0, 0], &[[0.0, 0.0]]);
        assert_eq!(edge, [41, 19, 4, 0, 0]);
    }
}

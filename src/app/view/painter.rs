//! Painter of a density on the canvases: the brush that is chosen, and the stroke that is under way.
//!
//! While a stroke is under way, the canvases show the density that it would lead to, and the runs go on with the one before. The end of
//! the stroke is a single edit of the scenario: one event, one step of undo. Until a frame has the new target, the canvases show
//! the sketch of it.

use std::sync::Arc;

use base::math::Point;
use base::params::{Picture, Settings, Value};
use draw::canvas::geometry::painting::{Brush, Stroke};
use models::targets::{Target, painting_alone};

/// The brush, and what is being painted.
#[derive(Debug, Default)]
pub struct Painter {
    /// The brush.
    pub brush: Brush,
    held: Option<Held>,
}

/// A stroke, and the picture that it leads to.
#[derive(Debug)]
struct Held {
    /// The number of the canvas that is painted on.
    canvas: usize,
    /// The target with the picture that the stroke leads to.
    target: Settings,
    /// The stroke; `None` once it has ended.
    stroke: Option<Stroke>,
    sketch: Arc<Target>,
}

impl Painter {
    /// The density of the painting under the brush, or of one that no frame shows yet.
    #[must_use]
    pub fn sketch(&self) -> Option<&Arc<Target>> {
        self.held.as_ref().map(|held| &held.sketch)
    }

    /// Whether a stroke is under way on a canvas.
    #[must_use]
    pub fn is_at(&self, canvas: usize) -> bool {
        self.held.as_ref().is_some_and(|held| held.canvas == canvas && held.stroke.is_some())
    }

    /// Goes on with the stroke on a canvas to a point in the plane, or begins one over the picture of `target`.
    pub fn go_to(&mut self, canvas: usize, at: Point, target: &Settings, brush: Brush) {
        if !self.is_at(canvas) {
            let Some(picture) = target.picture(PICTURE) else { return };
            let stroke = Some(Stroke::new(brush, picture.columns(), picture.levels()));
            self.held = Some(Held { canvas, target: target.clone(), stroke, sketch: painting_alone(target) });
        }
        let Some(Held { target, stroke: Some(stroke), sketch, .. }) = &mut self.held else { return };
        let Some(columns) = target.picture(PICTURE).map(Picture::columns) else { return };
        if stroke.go_to(in_cells(target, at))
            && let Some(picture) = Picture::new(columns, stroke.levels(Picture::HIGHEST))
        {
            // A picture is allowed whatever its levels are.
            target.set(PICTURE, Value::Picture(picture)).ok();
            *sketch = painting_alone(target);
        }
    }

    /// Ends the stroke on a canvas. Returns the picture that it leads to, if that is another than the one of `target`.
    pub fn lift(&mut self, target: &Settings) -> Option<Value> {
        let held = self.held.as_mut()?;
        held.stroke = None;
        let value = held.target.get(PICTURE).filter(|value| target.get(PICTURE) != Some(*value)).cloned();
        if value.is_none() {
            self.held = None;
        }
        value
    }

    /// Forgets the stroke, and the sketch.
    pub fn forget(&mut self) {
        self.held = None;
    }

    /// Forgets a sketch that a frame on the target `shown` shows by now, or that the scenario, with the target `asked`, does not have.
    pub fn settle(&mut self, asked: &Settings, shown: &Settings) {
        let is_over = |held: &mut Held| {
            let other_kind = asked.kind != held.target.kind;
            other_kind || (held.stroke.is_none() && (*shown == held.target || *asked != held.target))
        };
        self.held.take_if(is_over);
    }
}

/// The parameter that is painted.
pub const PICTURE: &str = "picture";

/// How far the cells of the picture reach to either side of 0, in the plane.
pub fn reach(target: &Settings) -> Point {
    let [columns, rows] = target.picture(PICTURE).map_or([1, 1], |picture| [picture.columns(), picture.rows()]);
    Point::new(columns as f64, rows as f64) * (0.5 * target.number("cell"))
}

/// A point in the plane, in cells to the right and down from the middle of the upper left one.
fn in_cells(target: &Settings, at: Point) -> Point {
    let cell = target.number("cell");
    let (cell_position, half) = (at / cell, reach(target) / cell);
    Point::new(half.x - 0.5 + cell_position.x, half.y - 0.5 - cell_position.y)
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::params::find_kind;
    use models::targets::TARGETS;

    fn blank() -> Settings {
        let mut target = Settings::defaults(find_kind(&TARGETS, "painted").unwrap());
        target.set(PICTURE, Value::Picture(Picture::new(9, vec![0; 45]).unwrap())).unwrap();
        target.set("cell", Value::Number(0.5)).unwrap();
        target
    }

    fn levels(value: &Value) -> Vec<usize> {
        let Value::Picture(picture) = value else { panic!("{value:?} is no picture") };
        (0..45).filter(|cell| picture.levels()[*cell] > 0).collect()
    }

    #[test]
    fn a_stroke_paints_the_cells_under_the_pointer() {
        let (target, mut painter) = (blank(), Painter::default());
        let brush = Brush { radius: 1.0, strength: 1.0, ..Brush::default() };
        // The middle of the upper left cell lies 4 cells to the left and 2 up.
        painter.go_to(0, Point::new(-2.0, 1.0), &target, brush);
        painter.go_to(0, Point::new(-1.0, 1.0), &target, brush);
        assert!(painter.is_at(0) && !painter.is_at(1));
        let sketch = painter.sketch().unwrap().density().unwrap().clone();
        assert!(sketch.log_density(Point::new(-1.5, 1.0)) > sketch.log_density(Point::new(1.5, -1.0)) + 1.0);
        assert_eq!(levels(&painter.lift(&target).unwrap()), [0, 1, 2]);
        assert!(!painter.is_at(0));
    }

    #[test]
    fn a_sketch_stays_until_a_frame_has_its_target() {
        let (before, mut painter) = (blank(), Painter::default());
        painter.go_to(0, Point::zeros(), &before, Brush::default());
        painter.settle(&before, &before);
        assert!(painter.sketch().is_some(), "a stroke that is under way");
        let mut after = before.clone();
        after.set(PICTURE, painter.lift(&before).unwrap()).unwrap();
        painter.settle(&after, &before);
        assert!(painter.sketch().is_some(), "the frame still has the target before");
        painter.settle(&after, &after);
        assert!(painter.sketch().is_none());
        painter.go_to(0, Point::zeros(), &before, Brush::default());
        painter.lift(&before).unwrap();
        painter.settle(&before, &before);
        assert!(painter.sketch().is_none(), "the edit was refused, or undone");
    }

    #[test]
    fn a_stroke_that_changes_nothing_is_no_edit() {
        let (target, mut painter) = (blank(), Painter::default());
        painter.go_to(0, Point::repeat(1e6), &target, Brush::default());
        assert_eq!(painter.lift(&target), None);
        assert!(painter.sketch().is_none());
        assert_eq!(painter.lift(&target), None, "without a stroke there is nothing to lift");
    }
}

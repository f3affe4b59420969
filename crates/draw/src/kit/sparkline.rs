//! Sparklines: the course of a value as a line without axes, as high as a row of a table.

use egui::{Response, Sense, Stroke, Ui, pos2, vec2};

use super::axes::held;
use crate::theme::Theme;

/// Width of a sparkline, in units of the theme.
const WIDTH: f32 = 22.0;

/// Space above and below the lines, in points.
const MARGIN: f32 = 2.0;

/// A line: positions from the left (0) to the right (1) with their values, and the number of its run, which decides its colour.
#[derive(Clone, Debug, PartialEq)]
pub struct Course {
    /// The number of the run.
    pub run: usize,
    /// Positions and values.
    pub points: Vec<[f64; 2]>,
    /// Whether the run has left the target: a cross in the place of its line, and no part in the scale.
    pub diverged: bool,
}

/// The least and the largest value of all lines; `None` without values.
pub fn range<'a>(courses: impl IntoIterator<Item = &'a Course>) -> Option<[f64; 2]> {
    let values =
        courses.into_iter().filter(|course| !course.diverged).flat_map(|course| &course.points).map(|point| point[1]);
    values.filter(|value| value.is_finite()).fold(None, |range: Option<[f64; 2]>, value| {
        let [low, high] = range.unwrap_or([value; 2]);
        Some([low.min(value), high.max(value)])
    })
}

/// Height of a sparkline, in points.
#[must_use]
pub fn height(ui: &Ui, theme: &Theme) -> f32 {
    ui.spacing().interact_size.y.max(theme.text.body * 1.6)
}

/// Shows lines between the two values of a range: the lower one is below. A run that has left the target has a cross.
pub fn show(ui: &mut Ui, theme: &Theme, courses: &[Course], [low, high]: [f64; 2]) -> Response {
    let size = vec2(theme.space(WIDTH), height(ui, theme));
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    let area = rect.shrink2(vec2(1.0, MARGIN));
    ui.painter().hline(rect.x_range(), rect.bottom() - 0.5, Stroke::new(1.0, theme.rule));
    for (number, course) in courses.iter().enumerate() {
        let colour = theme.run(course.run).colour;
        if course.diverged {
            // Beside each other, where the lines end.
            let (reach, apart) = (0.28 * area.height(), area.height() * number as f32);
            let centre = area.right_center() - vec2(reach + apart, 0.0);
            for across in [vec2(reach, reach), vec2(reach, -reach)] {
                ui.painter().line_segment([centre - across, centre + across], Stroke::new(theme.line(), colour));
            }
            continue;
        }
        let place = |[x, y]: [f64; 2]| {
            let share = if high > low { held((y - low) / (high - low), &(0.0..1.0)) } else { 0.5 };
            let across = held(x, &(0.0..1.0));
            pos2(area.left() + area.width() * across as f32, area.bottom() - area.height() * share as f32)
        };
        let line: Vec<_> = course.points.iter().copied().filter(|point| point[1].is_finite()).map(place).collect();
        if let Some(last) = line.last().copied() {
            ui.painter().line(line, Stroke::new(theme.thin(), colour));
            ui.painter().circle_filled(last, 1.5 * theme.thin(), colour);
        }
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_range_is_of_all_finite_values() {
        let course = |values: &[f64]| {
            let points = values.iter().map(|value| [0.0, *value]).collect();
            Course { run: 0, points, diverged: false }
        };
        let (one, other) = (course(&[1.0, f64::NAN, 3.0]), course(&[-2.0, f64::INFINITY]));
        assert_eq!(range([&one, &other]), Some([-2.0, 3.0]));
        assert_eq!(range([&course(&[f64::NAN])]), None);
        let gone = Course { diverged: true, ..course(&[1e9]) };
        assert_eq!(range([&one, &gone]), Some([1.0, 3.0]), "a run that has left the target is not the highest");
    }
}

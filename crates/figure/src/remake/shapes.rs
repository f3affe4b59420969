//! Marks of a plot as series of values: marks that follow each other and look alike are one.

use egui::{Color32, Pos2, Rect};

use super::super::vector::{Drawn, GRID, LEGEND, Mark, Outline, Page, Plot, Step};
use super::{Marker, Series, Shape, is_image};

/// The longest side of a marker, in points.
const MARKER: f32 = 16.0;

/// How far beyond a plot values are told, in sizes of the plot: lines to infinity end somewhere.
const BEYOND: f32 = 10.0;

/// Straight parts of a curve.
const PARTS: u8 = 12;

/// The series of a plot, and the colour of its grid.
pub(super) fn series(
    page: &Page,
    marks: &[&(Rect, usize, Drawn<'_>)],
    plot: &Plot,
    log: [bool; 2],
) -> (Vec<Series>, Option<Color32>) {
    let mut found: Vec<Series> = Vec::new();
    let mut grid = None;
    let values = Values { plot, log };
    let mut whole: Vec<usize> = Vec::new();
    for (_, number, drawn) in marks {
        let name = page.marks[*number].of.series.and_then(|series| page.series.get(series));
        let dashed = page.marks[*number].of.dashed.and_then(|line| Some((line, page.dashed.get(line)?)));
        if let (Some((line, dashed)), Drawn::Mark(Mark::Path { stroke, .. })) = (dashed, drawn) {
            // With its first dash the whole line, which other programs break.
            if !whole.contains(&line) {
                whole.push(line);
                let points = dashed.points.iter().map(|at| values.at(*at)).collect();
                let (lines, colour, width) = (vec![points], stroke.color, stroke.width);
                add(&mut found, name, Shape::Lines { lines, colour, width, dashes: Some(dashed.lengths) });
            }
            continue;
        }
        match (name.map(String::as_str), drawn) {
            (Some(LEGEND), _) => {}
            (Some(GRID), Drawn::Mark(Mark::Path { stroke, .. })) => grid = Some(grid.unwrap_or(stroke.color)),
            (Some(GRID), _) => {}
            (_, Drawn::Mark(Mark::Path { outline, .. })) if is_frame(outline, plot) => {}
            _ => values.shapes(drawn).into_iter().for_each(|shape| add(&mut found, name, shape)),
        }
    }
    (found, grid)
}

/// Whether an outline is the paper of a plot, or the line around it.
fn is_frame(outline: &Outline, plot: &Plot) -> bool {
    const NEAR: f32 = 1.5;
    let ends: Vec<Pos2> = flat(&outline.steps()).concat();
    let bounds = Rect::from_points(&ends);
    let (low, high) = (bounds.min - plot.rect.min, bounds.max - plot.rect.max);
    // A curve that fills the plot is inside of it too.
    let at_a_side = |at: &Pos2| {
        let away =
            [at.x - plot.rect.left(), plot.rect.right() - at.x, at.y - plot.rect.top(), plot.rect.bottom() - at.y];
        away.into_iter().any(|away| away.abs() < NEAR)
    };
    ends.len() > 4
        && [low.x, low.y, high.x, high.y].into_iter().all(|away| away.abs() < NEAR)
        && ends.iter().all(at_a_side)
}

/// Adds a shape, to the last series if it looks like that.
fn add(found: &mut Vec<Series>, name: Option<&String>, shape: Shape) {
    if let Some(last) = found.last_mut().filter(|last| last.name.as_ref() == name) {
        match (&mut last.shape, &shape) {
            (
                Shape::Lines { lines, colour, width, dashes },
                Shape::Lines { lines: more, colour: other, width: wide, dashes: others },
            ) if colour == other
                && width.to_bits() == wide.to_bits()
                && dashes.map(|all| all.map(f32::to_bits)) == others.map(|all| all.map(f32::to_bits)) =>
            {
                lines.extend(more.iter().cloned());
                return;
            }
            (Shape::Areas { areas, colour }, Shape::Areas { areas: more, colour: other }) if colour == other => {
                areas.extend(more.iter().cloned());
                return;
            }
            (
                Shape::Dots { points, colour, size, marker },
                Shape::Dots { points: more, colour: other, size: large, marker: form },
            ) if colour == other && marker == form && (*size - large).abs() < 0.05 => {
                points.extend(more);
                return;
            }
            _ => {}
        }
    }
    found.push(Series { name: name.cloned(), shape });
}

/// Values at positions.
struct Values<'a> {
    plot: &'a Plot,
    log: [bool; 2],
}

impl Values<'_> {
    fn at(&self, at: Pos2) -> [f64; 2] {
        let far = self.plot.rect.expand2(BEYOND * self.plot.rect.size());
        let [x, y] = self.plot.values(far.clamp(at));
        let value = |value: f64, log: bool| if log { 10f64.powf(value) } else { value };
        [value(x, self.log[0]), value(y, self.log[1])]
    }

    fn shapes(&self, drawn: &Drawn<'_>) -> Vec<Shape> {
        match drawn {
            Drawn::Mark(Mark::Path { outline, fill, stroke }) => self.path(outline, *fill, *stroke),
            Drawn::Mark(mark) if is_image(mark) => self.image(mark).into_iter().collect(),
            Drawn::Mark(_) => Vec::new(),
            Drawn::Label(label) => {
                let (at, anchor) = (self.at(label.at(label.anchor)), label.anchor);
                let (text, mathtext) = (label.text(), label.mathtext());
                vec![Shape::Text { at, anchor, text, mathtext, colour: label.colour(), size: label.size() }]
            }
        }
    }

    fn image(&self, mark: &Mark) -> Option<Shape> {
        let Mark::Image { rect, picture } = mark else { return None };
        let ([left, bottom], [right, top]) = (self.at(rect.left_bottom()), self.at(rect.right_top()));
        Some(Shape::Image { ends: [[left, right], [bottom, top]], picture: picture.clone() })
    }

    fn path(&self, outline: &Outline, fill: Color32, stroke: egui::Stroke) -> Vec<Shape> {
        let mut found = Vec::new();
        let filled = fill != Color32::TRANSPARENT;
        if let Outline::Circle { centre, radius } = outline
            && filled
        {
            let (points, size) = (vec![self.at(*centre)], 2.0 * radius);
            found.push(Shape::Dots { points, colour: fill, size, marker: Marker::Circle });
        }
        let flat = flat(&outline.steps());
        if filled && found.is_empty() {
            found.push(match marker(&flat) {
                Some((centre, size, marker)) => {
                    Shape::Dots { points: vec![self.at(centre)], colour: fill, size, marker }
                }
                None => Shape::Areas { areas: self.lines(&flat), colour: fill },
            });
        }
        if !stroke.is_empty() {
            found.push(Shape::Lines {
                lines: self.lines(&flat),
                colour: stroke.color,
                width: stroke.width,
                dashes: None,
            });
        }
        found
    }

    fn lines(&self, flat: &[Vec<Pos2>]) -> Vec<Vec<[f64; 2]>> {
        flat.iter().map(|line| line.iter().map(|at| self.at(*at)).collect()).collect()
    }
}

/// An outline as lines of straight parts.
pub(super) fn flat(steps: &[Step]) -> Vec<Vec<Pos2>> {
    let mut lines: Vec<Vec<Pos2>> = Vec::new();
    for step in steps {
        let last = lines.last().and_then(|line| line.last().copied());
        match (*step, lines.last_mut()) {
            (Step::Move(to), _) => lines.push(vec![to]),
            (Step::Line(to), Some(line)) => line.push(to),
            (Step::Cubic([first, second, to]), Some(line)) => {
                let from = last.unwrap_or(first);
                line.extend((1..=PARTS).map(|part| {
                    let share = f32::from(part) / f32::from(PARTS);
                    let [a, b, c] = [from.lerp(first, share), first.lerp(second, share), second.lerp(to, share)];
                    a.lerp(b, share).lerp(b.lerp(c, share), share)
                }));
            }
            (Step::Close, Some(line)) => line.extend(line.first().copied()),
            (_, None) => {}
        }
    }
    lines
}

/// The middle, the width and the form of a small figure with three or four corners.
fn marker(flat: &[Vec<Pos2>]) -> Option<(Pos2, f32, Marker)> {
    let [line] = flat else { return None };
    let corners = match line.as_slice() {
        [first, rest @ .., last] if first == last && !rest.is_empty() => &line[..line.len() - 1],
        whole => whole,
    };
    let bounds = Rect::from_points(corners);
    let size = bounds.size().max_elem();
    if size > MARKER || !bounds.is_positive() {
        return None;
    }
    let level = |count: usize, at: f32| corners.iter().filter(|corner| (corner.y - at).abs() < 0.1).count() == count;
    match corners.len() {
        4 if level(2, bounds.top())
            && level(2, bounds.bottom())
            && (bounds.width() - bounds.height()).abs() < 0.2 * size =>
        {
            Some((bounds.center(), size, Marker::Square))
        }
        4 if level(1, bounds.top()) && level(1, bounds.bottom()) => Some((bounds.center(), size, Marker::Diamond)),
        3 if level(1, bounds.top()) => Some((bounds.center(), size, Marker::Up)),
        3 if level(1, bounds.bottom()) => Some((bounds.center(), size, Marker::Down)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::pos2;

    /// The frame of a plot is no series, an area that reaches all of its sides is one.
    #[test]
    fn what_fills_a_plot_is_no_frame() {
        let plot = Plot { rect: Rect::from_min_max(pos2(10.0, 10.0), pos2(110.0, 60.0)), x: [0.0, 1.0], y: [0.0, 1.0] };
        let along = |corners: &[[f32; 2]]| {
            let corners: Vec<Pos2> = corners.iter().map(|[x, y]| pos2(*x, *y)).collect();
            Outline::line(&corners, true)
        };
        assert!(is_frame(&along(&[[10.0, 10.0], [110.0, 10.0], [110.0, 60.0], [10.0, 60.0]]), &plot));
        assert!(!is_frame(&along(&[[10.0, 10.0], [60.0, 30.0], [110.0, 10.0], [110.0, 60.0], [10.0, 60.0]]), &plot));
    }
}

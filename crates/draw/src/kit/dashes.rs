//! Lines that are broken into dashes and dots.

use egui::{Pos2, Shape, Stroke, Ui};

use figure::vector::{Dashed, Tag, wants_shapes};

/// How far beyond the origin of the screen a dashed line goes, in points: dashes are counted.
const FAR: f32 = 2e4;

/// The dashes of a line through points of the screen, each a shape.
pub fn broken(points: &[Pos2], stroke: Stroke, [first, after, second, last]: [f32; 4]) -> Vec<Shape> {
    let mut dashes: Vec<Vec<Pos2>> = Vec::new();
    for shape in Shape::dashed_line_with_offset(points, stroke, &[first, second], &[after, last], 0.0) {
        let Shape::LineSegment { points: [from, to], .. } = shape else { continue };
        // egui begins anew at each point of the line.
        match dashes.last_mut().filter(|dash| dash.last() == Some(&from)) {
            Some(dash) => dash.push(to),
            None => dashes.push(vec![from, to]),
        }
    }
    dashes.into_iter().map(|dash| Shape::line(dash, stroke)).collect()
}

/// The same of a line with values. A page of shapes is told the whole line, which other programs break by themselves.
pub fn shapes(ui: &Ui, points: impl Iterator<Item = Pos2>, stroke: Stroke, lengths: [f32; 4]) -> Vec<Shape> {
    let points: Vec<Pos2> =
        points.filter(|at| at.is_finite()).map(|at| at.clamp(Pos2::new(-FAR, -FAR), Pos2::new(FAR, FAR))).collect();
    let dashes = broken(&points, stroke, lengths);
    if !wants_shapes(ui.ctx()) {
        return dashes;
    }
    let whole = Tag::Dashed(Dashed { points, lengths }).shape();
    std::iter::once(whole).chain(dashes).chain([Tag::DashedEnd.shape()]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theme::Dash;
    use egui::{Color32, pos2};

    /// The parts of a line that are drawn, from left to right.
    fn drawn(dash: Dash) -> Vec<[f32; 2]> {
        let mut found = Vec::new();
        let draw = |ui: &mut Ui| {
            let lengths = dash.lengths(2.0).unwrap();
            let points = [pos2(0.0, 5.0), pos2(f32::NAN, 5.0), pos2(30.0, 5.0), pos2(60.0, 5.0)];
            let ends = |shape: &Shape| match shape {
                Shape::Path(path) => [path.points[0].x, path.points[path.points.len() - 1].x],
                other => panic!("{other:?}"),
            };
            found = shapes(ui, points.into_iter(), Stroke::new(2.0, Color32::RED), lengths).iter().map(ends).collect();
        };
        let size = figure::FigureSize::new(80, 20, 1.0).unwrap();
        figure::lay_out(size, crate::theme::install_fonts, draw).unwrap();
        found
    }

    /// Each kind of dash breaks a line in its own way, and goes on from point to point.
    #[test]
    fn lines_are_broken_as_their_dash_says() {
        let [dashed, dotted, both] = [Dash::Dashed, Dash::Dotted, Dash::DashDot].map(drawn);
        let longest = |parts: &[[f32; 2]]| parts.iter().map(|[from, to]| to - from).fold(0.0, f32::max);
        assert!(
            (longest(&dashed) - 8.0).abs() < 0.01 && (longest(&dotted) - 2.0).abs() < 0.01,
            "{dashed:?} {dotted:?}"
        );
        assert!((longest(&both) - 10.0).abs() < 0.01 && both.iter().any(|[from, to]| to - from < 2.1), "{both:?}");
        assert!(dotted.len() > both.len() && both.len() > 4, "{both:?}");
    }
}

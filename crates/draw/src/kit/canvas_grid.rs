//! Arrangement of several canvases in an area: the one in which the pictures are largest, for the window and for the sheet.

use egui::{Rect, Vec2, pos2, vec2};

/// What an arrangement must know of the canvases.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape {
    /// Width to height of the part of the plane that each shows.
    pub aspect: f32,
    /// Width and height that header and axes take of a cell.
    pub frame: Vec2,
    /// Width that the last label of an axis takes at the right of a picture without marginals.
    pub label: f32,
    /// Width and height that marginals take of a cell.
    pub marginals: f32,
    /// The smaller side of what the header leaves of a cell, from which on it has marginals.
    pub least_with_marginals: f32,
}

impl Shape {
    /// The shape of canvases without marginals.
    #[must_use]
    pub fn new(aspect: f32, frame: Vec2) -> Self {
        Self { aspect, frame, label: 0.0, marginals: 0.0, least_with_marginals: f32::INFINITY }
    }

    /// What is around a picture in a space of some size, whose header and axes take `frame`.
    pub fn around(&self, frame: Vec2, space: Vec2) -> Vec2 {
        let with_marginals = (space - frame).min_elem() >= self.least_with_marginals;
        let beside = if with_marginals { Vec2::splat(self.marginals) } else { vec2(0.0, 0.0) };
        frame + beside.max(vec2(self.label, 0.0))
    }
}

/// Arrangements with pictures this much smaller than the largest are as good as it: then more space for the canvases counts.
const AS_GOOD: f32 = 0.97;

/// The cells of `count` canvases: those with the largest pictures of this shape, and of equally good ones those with the longest rows.
pub fn cells(area: Rect, count: usize, gap: f32, shape: Shape) -> Vec<Rect> {
    let count = count.max(1);
    let mut numbers: Vec<Vec<usize>> = (1..=count).map(|columns| rows(count, columns)).collect();
    // Of as many rows, those of the shortest are the most equal.
    numbers.dedup_by_key(|rows| rows.len());
    let arrangements: Vec<Vec<Rect>> = numbers.iter().rev().map(|rows| in_rows(area, rows, gap)).collect();
    let sizes: Vec<f32> = arrangements.iter().map(|cells| picture(cells, shape)).collect();
    let largest = sizes.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let good = sizes.iter().position(|size| *size >= largest - (1.0 - AS_GOOD) * largest.abs()).unwrap_or(0);
    arrangements.into_iter().nth(good).unwrap_or_default()
}

/// The largest rectangle within a space that is `aspect` times as wide as high.
pub fn largest(space: Vec2, aspect: f32) -> Vec2 {
    vec2(space.x.min(space.y * aspect), space.y.min(space.x / aspect))
}

/// The height of the smallest picture of an arrangement; negative where there is too little space for its frame.
pub fn picture(cells: &[Rect], shape: Shape) -> f32 {
    let height = |cell: &Rect| {
        let area = cell.size() - shape.around(shape.frame, cell.size());
        largest(area, shape.aspect).y
    };
    cells.iter().map(height).fold(f32::INFINITY, f32::min)
}

/// The numbers of canvases in rows of equal length, of which the last may be shorter. Rows are filled: a canvas that is alone in its row
/// is as wide as the area.
fn rows(count: usize, columns: usize) -> Vec<usize> {
    (0..count.div_ceil(columns)).map(|row| columns.min(count - row * columns)).collect()
}

fn in_rows(area: Rect, rows: &[usize], gap: f32) -> Vec<Rect> {
    let side = |length: f32, count: usize| ((length + gap) / count as f32 - gap).max(1.0);
    let height = side(area.height(), rows.len());
    let mut cells = Vec::new();
    for (row, &columns) in rows.iter().enumerate() {
        let width = side(area.width(), columns);
        let top = area.top() + row as f32 * (height + gap);
        let corner = |column: usize| pos2(area.left() + column as f32 * (width + gap), top);
        cells.extend((0..columns).map(|column| Rect::from_min_size(corner(column), vec2(width, height))));
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square() -> Shape {
        Shape::new(1.0, vec2(90.0, 120.0))
    }

    fn rows(area: Vec2, count: usize, shape: Shape) -> Vec<usize> {
        let area = Rect::from_min_size(pos2(10.0, 20.0), area);
        let cells = cells(area, count, 8.0, shape);
        assert_eq!(cells.len(), count);
        for (number, cell) in cells.iter().enumerate() {
            assert!(area.expand(0.01).contains_rect(*cell));
            assert!(cells[..number].iter().all(|other| !other.shrink(0.01).intersects(*cell)));
        }
        let mut tops: Vec<f32> = cells.iter().map(|cell| cell.top()).collect();
        tops.dedup();
        tops.iter().map(|top| cells.iter().filter(|cell| (cell.top() - top).abs() < 0.1).count()).collect()
    }

    #[test]
    fn canvases_lie_side_by_side_in_a_wide_space_and_below_each_other_in_a_tall_one() {
        let wide = [1, 2, 3, 4].map(|count| rows(vec2(1000.0, 500.0), count, square()));
        assert_eq!(wide, [vec![1], vec![2], vec![3], vec![4]]);
        let tall = [1, 2, 3].map(|count| rows(vec2(400.0, 900.0), count, square()));
        assert_eq!(tall, [vec![1], vec![1, 1], vec![1, 1, 1]]);
    }

    #[test]
    fn the_shape_of_the_target_decides() {
        let area = vec2(1000.0, 640.0);
        let of = |aspect| Shape { aspect, ..square() };
        assert_eq!(rows(area, 4, of(0.25)), [4], "tall targets in one row");
        assert_eq!(rows(area, 4, of(1.0)), [2, 2]);
        assert_eq!(rows(area, 2, of(6.0)), [1, 1], "wide targets below each other");
    }

    /// Three wide targets on a projector: the label of the axis beside each makes the difference.
    #[test]
    fn what_stands_beside_a_picture_counts() {
        let of = |label| Shape { label, ..Shape::new(2.07, vec2(72.5, 105.5)) };
        assert_eq!(rows(vec2(1356.0, 580.0), 3, of(0.0)), [3]);
        assert_eq!(rows(vec2(1356.0, 580.0), 3, of(17.0)), [2, 1]);
    }

    #[test]
    fn cells_without_space_for_their_frames_are_as_large_as_can_be() {
        assert_eq!(rows(vec2(340.0, 240.0), 4, square()), [2, 2], "one row would be narrower than its axes");
    }

    #[test]
    fn eight_canvases_have_rows_in_which_their_pictures_are_largest() {
        assert_eq!(rows(vec2(920.0, 530.0), 8, square()), [4, 4]);
        assert_eq!(rows(vec2(500.0, 1100.0), 8, square()), [2, 2, 2, 2]);
    }

    #[test]
    fn canvases_without_space_for_marginals_have_none() {
        let shape = Shape { frame: vec2(50.0, 70.0), marginals: 48.0, least_with_marginals: 280.0, ..square() };
        let height = |side: f32| picture(&[Rect::from_min_size(pos2(0.0, 0.0), vec2(side, side))], shape);
        assert!((height(300.0) - 230.0).abs() < 0.01 && (height(400.0) - 282.0).abs() < 0.01);
    }

    #[test]
    fn no_space_is_left_empty() {
        let area = Rect::from_min_size(pos2(0.0, 0.0), vec2(900.0, 800.0));
        for count in 1..=9 {
            let covered: f32 = cells(area, count, 0.0, square()).iter().map(Rect::area).sum();
            assert!((covered / area.area() - 1.0).abs() < 1e-4, "{count} canvases take {covered}");
        }
    }
}

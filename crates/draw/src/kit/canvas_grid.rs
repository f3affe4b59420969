//! Arrangement of several canvases in a room: the one in which the pictures are largest, for the window and for the sheet.

use egui::{Rect, Vec2, pos2, vec2};

/// What an arrangement must know of the canvases.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape {
    /// Width to height of the part of the plane that each shows.
    pub aspect: f32,
    /// Width and height that header, axes and marginals take of a cell.
    pub frame: Vec2,
}

/// The numbers of canvases in the rows of every arrangement of one to four canvases. Rows are filled: a canvas that is alone in
/// its row is as wide as the room.
const ARRANGEMENTS: [&[&[usize]]; 4] =
    [&[&[1]], &[&[2], &[1, 1]], &[&[3], &[2, 1], &[1, 1, 1]], &[&[4], &[2, 2], &[1, 1, 1, 1]]];

/// Arrangements with pictures this much smaller than the largest are as good as it: then more room for the canvases counts.
const AS_GOOD: f32 = 0.97;

/// The cells of `count` canvases: those with the largest pictures of this shape, and of equally good ones those that lie side
/// by side. More than four canvases are in a grid that is as square as possible.
pub fn cells(room: Rect, count: usize, gap: f32, shape: Shape) -> Vec<Rect> {
    let square: Vec<usize>;
    let arrangements = match ARRANGEMENTS.get(count.max(1) - 1) {
        Some(arrangements) => arrangements.iter().map(|rows| placed(room, rows, gap)).collect(),
        None => {
            square = square_rows(count);
            vec![placed(room, &square, gap)]
        }
    };
    let sizes: Vec<f32> = arrangements.iter().map(|cells: &Vec<Rect>| picture(cells, shape)).collect();
    let largest = sizes.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let good = sizes.iter().position(|size| *size >= largest - (1.0 - AS_GOOD) * largest.abs()).unwrap_or(0);
    arrangements.into_iter().nth(good).unwrap_or_default()
}

/// The height of the smallest picture of an arrangement; negative where there is too little room for its frame.
pub fn picture(cells: &[Rect], shape: Shape) -> f32 {
    let height = |cell: &Rect| {
        let room = cell.size() - shape.frame;
        room.y.min(room.x / shape.aspect)
    };
    cells.iter().map(height).fold(f32::INFINITY, f32::min)
}

/// Rows of equal length, about as many as columns; the last may be shorter.
#[expect(clippy::cast_sign_loss, reason = "some canvases")]
fn square_rows(count: usize) -> Vec<usize> {
    let columns = (count as f32).sqrt().ceil() as usize;
    (0..count.div_ceil(columns)).map(|row| columns.min(count - row * columns)).collect()
}

fn placed(room: Rect, rows: &[usize], gap: f32) -> Vec<Rect> {
    let side = |length: f32, count: usize| ((length + gap) / count as f32 - gap).max(1.0);
    let height = side(room.height(), rows.len());
    let mut cells = Vec::new();
    for (row, &columns) in rows.iter().enumerate() {
        let width = side(room.width(), columns);
        let top = room.top() + row as f32 * (height + gap);
        let place = |column: usize| pos2(room.left() + column as f32 * (width + gap), top);
        cells.extend((0..columns).map(|column| Rect::from_min_size(place(column), vec2(width, height))));
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square() -> Shape {
        Shape { aspect: 1.0, frame: vec2(90.0, 120.0) }
    }

    fn rows(room: Vec2, count: usize, shape: Shape) -> Vec<usize> {
        let room = Rect::from_min_size(pos2(10.0, 20.0), room);
        let cells = cells(room, count, 8.0, shape);
        assert_eq!(cells.len(), count);
        for (number, cell) in cells.iter().enumerate() {
            assert!(room.expand(0.01).contains_rect(*cell));
            assert!(cells[..number].iter().all(|other| !other.shrink(0.01).intersects(*cell)));
        }
        let mut tops: Vec<f32> = cells.iter().map(|cell| cell.top()).collect();
        tops.dedup();
        tops.iter().map(|top| cells.iter().filter(|cell| (cell.top() - top).abs() < 0.1).count()).collect()
    }

    #[test]
    fn canvases_lie_side_by_side_in_a_wide_room_and_below_each_other_in_a_tall_one() {
        let wide = [1, 2, 3, 4].map(|count| rows(vec2(1000.0, 500.0), count, square()));
        assert_eq!(wide, [vec![1], vec![2], vec![3], vec![4]]);
        let tall = [1, 2, 3].map(|count| rows(vec2(400.0, 900.0), count, square()));
        assert_eq!(tall, [vec![1], vec![1, 1], vec![1, 1, 1]]);
    }

    #[test]
    fn the_shape_of_the_target_decides() {
        let room = vec2(1000.0, 640.0);
        let of = |aspect| Shape { aspect, ..square() };
        assert_eq!(rows(room, 4, of(0.25)), [4], "tall targets in one row");
        assert_eq!(rows(room, 4, of(1.0)), [2, 2]);
        assert_eq!(rows(room, 2, of(6.0)), [1, 1], "wide targets below each other");
    }

    #[test]
    fn cells_without_room_for_their_frames_are_as_large_as_can_be() {
        assert_eq!(rows(vec2(340.0, 240.0), 4, square()), [2, 2], "one row would be narrower than its axes");
    }

    #[test]
    fn no_room_is_left_empty() {
        let room = Rect::from_min_size(pos2(0.0, 0.0), vec2(900.0, 800.0));
        for count in 1..=9 {
            let area: f32 = cells(room, count, 0.0, square()).iter().map(Rect::area).sum();
            assert!((area / room.area() - 1.0).abs() < 1e-4, "{count} canvases take {area}");
        }
    }
}

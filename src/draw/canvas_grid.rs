//! Grid of several canvases, as square as possible, for the window and for the sheet.

use egui::{Rect, vec2};

/// The cells of a grid for this number of canvases, as square as possible.
#[expect(clippy::cast_precision_loss, reason = "a handful of canvases")]
pub fn cells(room: Rect, count: usize, gap: f32) -> Vec<Rect> {
    let count = count.max(1);
    let squareness = |columns: usize| {
        let size = cell_size(room, columns, count.div_ceil(columns), gap);
        size.x.min(size.y)
    };
    // Of equally good grids the one with the fewest columns, which has the fewest gaps.
    let columns = (1..=count).rev().max_by(|a, b| squareness(*a).total_cmp(&squareness(*b))).unwrap_or(1);
    let size = cell_size(room, columns, count.div_ceil(columns), gap);
    let place = |index: usize| vec2((index % columns) as f32, (index / columns) as f32) * (size + vec2(gap, gap));
    (0..count).map(|index| Rect::from_min_size(room.min + place(index), size)).collect()
}

#[expect(clippy::cast_precision_loss, reason = "a handful of canvases")]
fn cell_size(room: Rect, columns: usize, rows: usize, gap: f32) -> egui::Vec2 {
    let side = |length: f32, count: usize| ((length + gap) / count as f32 - gap).max(1.0);
    vec2(side(room.width(), columns), side(room.height(), rows))
}

#[cfg(test)]
mod tests {
    use super::cells;
    use egui::{Rect, pos2, vec2};

    #[test]
    fn canvases_lie_side_by_side_in_a_wide_room_and_below_each_other_in_a_tall_one() {
        let wide = Rect::from_min_size(pos2(10.0, 20.0), vec2(1000.0, 500.0));
        let tall = Rect::from_min_size(pos2(0.0, 0.0), vec2(400.0, 900.0));
        let columns = |room, count| {
            let cells = cells(room, count, 8.0);
            assert!(cells.iter().all(|cell| room.expand(0.01).contains_rect(*cell)));
            cells.iter().filter(|cell| (cell.min.y - room.min.y).abs() < 0.1).count()
        };
        assert_eq!([1, 2, 3, 4].map(|count| columns(wide, count)), [1, 2, 3, 2]);
        assert_eq!([1, 2, 4].map(|count| columns(tall, count)), [1, 1, 1]);
    }
}

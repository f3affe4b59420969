//! Positions of the cells of a map on the screen: the first axis to the right, the second upwards, and a map beside or below the other for
//! each value of the third.

use egui::{Pos2, Rect, pos2, vec2};

/// A map, and where it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CellGrid {
    /// The area of its cells.
    pub plot: Rect,
    /// Values along the first axis, and along the second.
    pub columns: usize,
    pub rows: usize,
    /// Number of maps, and the number of this one.
    pub maps: usize,
    pub map: usize,
    /// Whether values of the first axis stand below it, and of the second beside it.
    pub labels: [bool; 2],
}

impl CellGrid {
    /// All maps in an area, with a gap between neighbours and a line above each if there are several.
    pub fn all(area: Rect, axes: &[Vec<f64>], (gap, line): (f32, f32)) -> Vec<Self> {
        let count = |axis: usize| axes.get(axis).map_or(1, Vec::len).max(1);
        let (columns, rows, maps) = (count(0), count(1), count(2));
        if axes.len() < 3 {
            return vec![Self { plot: area, columns, rows, maps: 1, map: 0, labels: [true; 2] }];
        }
        let size = |across: usize| {
            let down = maps.div_ceil(across);
            let each = |length: f32, gap: f32, count: usize| (length - gap * (count - 1) as f32) / count as f32;
            vec2(each(area.width(), gap, across), each(area.height(), 0.5 * line, down) - line)
        };
        let shorter = |across: &usize| size(*across).min_elem();
        let across = (1..=maps).max_by(|one, other| shorter(one).total_cmp(&shorter(other))).unwrap_or(1);
        let each = size(across).max(vec2(1.0, 1.0));
        let grid = |map: usize| {
            let (column, row) = (map % across, map / across);
            let corner = vec2(column as f32 * (each.x + gap), row as f32 * (each.y + 1.5 * line) + line);
            let plot = Rect::from_min_size(area.min + corner, each);
            Self { plot, columns, rows, maps, map, labels: [map + across >= maps, column == 0] }
        };
        (0..maps).map(grid).collect()
    }

    /// The area of a cell of this map.
    pub fn rect(&self, number: usize) -> Rect {
        let within = number / self.maps;
        self.at(within / self.rows, within % self.rows)
    }

    /// The area of the cell with these values of the first and the second axis.
    pub fn at(&self, column: usize, row: usize) -> Rect {
        let size = vec2(self.plot.width() / self.columns as f32, self.plot.height() / self.rows as f32);
        let corner = pos2(self.plot.left() + column as f32 * size.x, self.plot.bottom() - (row + 1) as f32 * size.y);
        Rect::from_min_size(corner, size)
    }

    /// The number of the cell at a position.
    #[expect(clippy::cast_sign_loss, reason = "a position in the plot")]
    pub fn cell_at(&self, at: Pos2) -> Option<usize> {
        if !self.plot.contains(at) {
            return None;
        }
        let column = (at.x - self.plot.left()) / self.plot.width() * self.columns as f32;
        let row = (self.plot.bottom() - at.y) / self.plot.height() * self.rows as f32;
        let within = (column as usize).min(self.columns - 1) * self.rows + (row as usize).min(self.rows - 1);
        Some(within * self.maps + self.map)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_in_the_plot_is_the_cell_that_is_drawn_there() {
        let plot = Rect::from_min_size(pos2(30.0, 10.0), vec2(400.0, 300.0));
        let axes = [vec![0.0; 5], vec![0.0; 3]];
        let grids = CellGrid::all(plot, &axes, (8.0, 14.0));
        let [grid] = grids[..] else { panic!("{grids:?}") };
        for number in 0..15 {
            assert_eq!(grid.cell_at(grid.rect(number).center()), Some(number));
        }
        // The second axis goes upwards.
        assert!(grid.rect(0).bottom() > grid.rect(1).bottom());
        assert!(
            (grid.rect(0).bottom() - plot.bottom()).abs() < 1e-3 && (grid.rect(14).right() - plot.right()).abs() < 1e-3
        );
        assert_eq!(grid.cell_at(pos2(0.0, 0.0)), None);
    }

    #[test]
    fn maps_are_within_the_area_and_have_all_cells_once() {
        let area = Rect::from_min_size(pos2(30.0, 10.0), vec2(900.0, 300.0));
        for maps in [1, 2, 5, 36] {
            let axes = [vec![0.0; 4], vec![0.0; 3], vec![0.0; maps]];
            let grids = CellGrid::all(area, &axes, (8.0, 14.0));
            assert_eq!(grids.len(), maps);
            for number in 0..12 * maps {
                let grid = grids[number % maps];
                assert_eq!(grid.cell_at(grid.rect(number).center()), Some(number));
            }
            for (number, grid) in grids.iter().enumerate() {
                assert!(area.expand(0.01).contains_rect(grid.plot), "{maps}: {grid:?}");
                assert!(grids[..number].iter().all(|other| !other.plot.intersects(grid.plot)));
            }
            assert!(grids[0].labels[1] && grids[maps - 1].labels[0]);
        }
    }
}

//! Contour lines by marching squares over the centres of a grid's cells, joined into polylines.
//!
//! A square whose corners alternate above and below the level is ambiguous. It is resolved by the bilinear surface
//! through its corners (Nielson and Hamann 1991, "The asymptotic decider").

use base::math::{Grid, Point};

/// One connected piece of a contour line.
#[derive(Clone, Debug, PartialEq)]
pub struct Contour {
    /// The number of its level.
    pub level: usize,
    /// Its points in order; the last point of a closed line equals the first.
    pub points: Vec<Point>,
}

/// The lines on which the field with the given values at the centres of `grid` crosses each level.
/// −∞ counts as below every level.
#[must_use]
pub fn contours(grid: &Grid, values: &[f64], levels: &[f64]) -> Vec<Contour> {
    let mut found = Vec::new();
    for (number, &level) in levels.iter().enumerate() {
        let field = Field { grid, values, level };
        found.extend(field.lines().into_iter().map(|points| Contour { level: number, points }));
    }
    found
}

/// No segment, in a table of neighbours.
const NONE: u32 = u32::MAX;

/// Values and a level at which they are cut. Corners are cell centres. An edge joins two neighbouring corners; the edge
/// to the right of a corner has the number 2·corner, the edge above it 2·corner + 1.
struct Field<'a> {
    grid: &'a Grid,
    values: &'a [f64],
    level: f64,
}

impl Field<'_> {
    /// A corner's height above the level, bounded below so that −∞ can be interpolated.
    fn height(&self, corner: usize) -> f64 {
        /// Far below any level in natural logarithms, and small enough to lose no digits.
        const FLOOR: f64 = -1e3;
        (self.values[corner] - self.level).max(FLOOR)
    }

    /// All lines at the level.
    fn lines(&self) -> Vec<Vec<Point>> {
        let segments = self.segments();
        let mut neighbours = vec![[NONE; 2]; 2 * self.grid.len()];
        for &(from, to) in &segments {
            join(&mut neighbours, from, to);
            join(&mut neighbours, to, from);
        }
        let mut done = vec![false; neighbours.len()];
        let open = segments.iter().flat_map(|&(a, b)| [a, b]).filter(|&edge| neighbours[edge as usize][1] == NONE);
        let starts: Vec<u32> = open.chain(segments.iter().map(|&(a, _)| a)).collect();
        let mut lines = Vec::new();
        for start in starts {
            if !done[start as usize] {
                lines.push(self.follow(start, &neighbours, &mut done));
            }
        }
        lines
    }

    /// The line through the edge `start`, from an end if it has one.
    fn follow(&self, start: u32, neighbours: &[[u32; 2]], done: &mut [bool]) -> Vec<Point> {
        let mut points = vec![self.crossing(start)];
        done[start as usize] = true;
        let mut at = start;
        while let Some(&next) = neighbours[at as usize].iter().find(|&&edge| edge != NONE && !done[edge as usize]) {
            points.push(self.crossing(next));
            done[next as usize] = true;
            at = next;
        }
        if at != start && neighbours[at as usize].contains(&start) && points.len() > 2 {
            points.push(points[0]);
        }
        points
    }

    /// Pairs of edges that a line joins.
    fn segments(&self) -> Vec<(u32, u32)> {
        let columns = self.grid.x.cells;
        let mut segments = Vec::new();
        for row in 1..self.grid.y.cells {
            for column in 1..columns {
                let corner = (row - 1) * columns + column - 1;
                self.square(corner, columns, &mut segments);
            }
        }
        segments
    }

    /// The segments in the square with the lower left `corner`.
    fn square(&self, corner: usize, columns: usize, segments: &mut Vec<(u32, u32)>) {
        let heights = [corner, corner + 1, corner + columns + 1, corner + columns].map(|at| self.height(at));
        let above = heights.map(|height| height >= 0.0);
        if above.iter().all(|&side| side == above[0]) {
            return;
        }
        let number = |edge: usize| u32::try_from(edge).unwrap_or(NONE);
        let bottom = number(2 * corner);
        let right = number(2 * (corner + 1) + 1);
        let top = number(2 * (corner + columns));
        let left = number(2 * corner + 1);
        let crossed: Vec<u32> = [(bottom, 0, 1), (right, 1, 2), (top, 2, 3), (left, 3, 0)]
            .into_iter()
            .filter(|&(_, a, b)| above[a] != above[b])
            .map(|(edge, _, _)| edge)
            .collect();
        if crossed.len() == 2 {
            segments.push((crossed[0], crossed[1]));
        } else if (heights[0] * heights[2] > heights[1] * heights[3]) == above[0] {
            segments.extend([(bottom, right), (top, left)]);
        } else {
            segments.extend([(bottom, left), (top, right)]);
        }
    }

    /// The point at which an edge crosses the level, by linear interpolation.
    fn crossing(&self, edge: u32) -> Point {
        let corner = edge as usize / 2;
        let other = if edge.is_multiple_of(2) { corner + 1 } else { corner + self.grid.x.cells };
        let (here, there) = (self.height(corner), self.height(other));
        let share = here / (here - there);
        let (from, to) = (self.grid.centre(corner), self.grid.centre(other));
        from + (to - from) * share
    }
}

/// Records that a line leads from one edge to another.
fn join(neighbours: &mut [[u32; 2]], from: u32, to: u32) {
    let entry = &mut neighbours[from as usize];
    entry[usize::from(entry[0] != NONE)] = to;
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::math::Bounds;

    fn sampled(grid: &Grid, field: impl Fn(Point) -> f64) -> Vec<f64> {
        (0..grid.len()).map(|index| field(grid.centre(index))).collect()
    }

    fn square_grid(half: f64, cells: usize) -> Grid {
        Grid::new(Bounds::new((-half, half), (-half, half)), cells, cells)
    }

    #[test]
    fn the_contour_of_a_bowl_is_one_closed_circle() {
        let grid = square_grid(2.0, 101);
        let lines = contours(&grid, &sampled(&grid, |at| -at.norm_squared()), &[-1.0]);
        assert_eq!(lines.len(), 1);
        let points = &lines[0].points;
        assert_eq!(points.first(), points.last());
        // Linear interpolation of a parabola errs by at most (cell width)²/8 in the value.
        let tolerance = grid.x.width().powi(2) / 8.0;
        assert!(points.iter().all(|point| (point.norm() - 1.0).abs() < tolerance));
        let length: f64 = points.windows(2).map(|pair| (pair[1] - pair[0]).norm()).sum();
        assert!((length / std::f64::consts::TAU - 1.0).abs() < 1e-3);
    }

    #[test]
    fn a_line_that_leaves_the_picture_stays_open() {
        let grid = square_grid(1.0, 20);
        let lines = contours(&grid, &sampled(&grid, |at| at.x - 0.31), &[0.0]);
        assert_eq!(lines.len(), 1);
        assert_eq!(lines[0].points.len(), 20);
        assert!(lines[0].points.iter().all(|point| (point.x - 0.31).abs() < 1e-12));
    }

    #[test]
    fn a_saddle_is_cut_the_way_the_bilinear_surface_is() {
        // xy has its saddle at height 0: above it the positive quadrants are apart, below it together.
        let grid = square_grid(1.0, 2);
        let values = sampled(&grid, |at| at.x * at.y);
        for (level, sign) in [(0.1, 1.0), (-0.1, -1.0)] {
            let lines = contours(&grid, &values, &[level]);
            assert_eq!(lines.len(), 2);
            for line in &lines {
                let middle = (line.points[0] + line.points[1]) / 2.0;
                assert!(middle.x * middle.y * sign > 0.0, "level {level}: {middle}");
            }
        }
    }

    #[test]
    fn several_levels_and_pieces_are_kept_apart() {
        let grid = square_grid(4.0, 160);
        let bump = |at: Point, x: f64| (-(at - Point::new(x, 0.0)).norm_squared() * 2.0).exp();
        let lines = contours(&grid, &sampled(&grid, |at| bump(at, -2.0) + bump(at, 2.0)), &[0.5, 0.1]);
        assert_eq!(lines.iter().filter(|line| line.level == 0).count(), 2);
        assert_eq!(lines.iter().filter(|line| line.level == 1).count(), 2);
        assert!(lines.iter().all(|line| line.points.first() == line.points.last()));
    }

    #[test]
    fn places_without_density_are_below_every_level() {
        let grid = square_grid(1.0, 10);
        let values = sampled(&grid, |at| if at.x > 0.0 { 0.0 } else { f64::NEG_INFINITY });
        let lines = contours(&grid, &values, &[-5.0]);
        assert_eq!(lines.len(), 1);
        assert!(lines[0].points.iter().all(|point| point.x.is_finite() && point.x.abs() <= grid.x.width() / 2.0));
        assert!(contours(&grid, &vec![f64::NEG_INFINITY; 100], &[0.0]).is_empty());
    }
}

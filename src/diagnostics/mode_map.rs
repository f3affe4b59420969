//! Which mode is nearest: a table from cells to the few modes that can be, exact distances decide.

use crate::math::{Grid, Point};
use crate::targets::Mode;

/// Squared radius, in standard deviations, of [`Nearest::within_3sd`].
const THREE_SD_SQUARED: f64 = 9.0;

/// Cells along each side of a block; blocks narrow the candidates down before cells do.
const BLOCK: usize = 8;

/// The mode nearest to a point, by Euclidean distance; the first of equally near ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Nearest {
    /// Its number.
    pub mode: usize,
    /// Whether it is within the coverage radius.
    pub close: bool,
    /// Whether it is within three standard deviations, by its own covariance.
    pub within_3sd: bool,
}

/// A mode as the table needs it.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Centre {
    at: [f64; 2],
    /// Entries xx, xy, yy of the inverse covariance; infinite where the covariance is not positive definite.
    precision: [f64; 3],
}

impl Centre {
    fn new(mode: &Mode, dimension: usize) -> Self {
        let covariance = mode.covariance;
        let (xx, xy, yy) = (covariance[(0, 0)], covariance[(0, 1)], covariance[(1, 1)]);
        let determinant = xx * yy - xy * xy;
        let precision = match dimension {
            1 if xx > 0.0 => [1.0 / xx, 0.0, 0.0],
            2 if xx > 0.0 && determinant > 0.0 => [yy / determinant, -xy / determinant, xx / determinant],
            _ => [f64::INFINITY; 3],
        };
        Self { at: [mode.at.x, mode.at.y], precision }
    }
}

/// The modes, and for every cell of a grid those that are nearest to some point of it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ModeMap {
    centres: Vec<Centre>,
    radius_squared: f64,
    /// Candidates of cell `c`: `candidates[first[c]..first[c + 1]]`, in ascending order.
    first: Vec<u32>,
    candidates: Vec<u32>,
    all: Vec<u32>,
}

impl ModeMap {
    pub fn new(modes: &[Mode], dimension: usize, grid: &Grid, radius: f64) -> Self {
        let centres: Vec<_> = modes.iter().map(|mode| Centre::new(mode, dimension)).collect();
        let all: Vec<u32> = (0..).take(modes.len()).collect();
        let mut map = Self { centres, radius_squared: radius * radius, first: vec![0], candidates: Vec::new(), all };
        let columns = grid.x.cells.div_ceil(BLOCK);
        let blocks: Vec<Vec<u32>> = (0..columns * grid.y.cells.div_ceil(BLOCK))
            .map(|block| map.block_candidates(grid, block, columns))
            .collect();
        for cell in 0..grid.len() {
            let (column, row) = (cell % grid.x.cells, cell / grid.x.cells);
            let block = &blocks[row / BLOCK * columns + column / BLOCK];
            let kept = map.candidates_of(grid, (column, column + 1), (row, row + 1), block);
            map.candidates.extend(kept);
            map.first.push(u32::try_from(map.candidates.len()).unwrap_or(u32::MAX));
        }
        map
    }

    /// Whether every mode has a covariance with which to measure distances.
    pub fn has_widths(&self) -> bool {
        self.centres.iter().all(|centre| centre.precision[0].is_finite())
    }

    fn block_candidates(&self, grid: &Grid, block: usize, columns: usize) -> Vec<u32> {
        let range = |number: usize, cells: usize| (number * BLOCK, ((number + 1) * BLOCK).min(cells));
        let (x, y) = (range(block % columns, grid.x.cells), range(block / columns, grid.y.cells));
        self.candidates_of(grid, x, y, &self.all)
    }

    /// Those of `among` that can be nearest to a point of the given columns and rows: a point is at most half the
    /// diagonal from the middle, so a mode further off than the nearest one plus the whole diagonal cannot win.
    fn candidates_of(&self, grid: &Grid, x: (usize, usize), y: (usize, usize), among: &[u32]) -> Vec<u32> {
        let low = Point::new(grid.x.edge(x.0), grid.y.edge(y.0));
        let high = Point::new(grid.x.edge(x.1), grid.y.edge(y.1));
        let middle = (low + high) / 2.0;
        let distance = |mode: u32| self.distance_squared(mode, middle).sqrt();
        let nearest = among.iter().map(|&mode| distance(mode)).fold(f64::INFINITY, f64::min);
        // A little more than the diagonal, so that rounding never excludes a mode that ties.
        let reach = nearest + (high - low).norm() * (1.0 + 1e-9);
        among.iter().copied().filter(|&mode| distance(mode) <= reach).collect()
    }

    #[inline]
    fn distance_squared(&self, mode: u32, at: Point) -> f64 {
        let [x, y] = self.centres[mode as usize].at;
        (at.x - x) * (at.x - x) + (at.y - y) * (at.y - y)
    }

    /// The mode nearest to `at`, a point in `cell` of the grid or outside of it (`None`).
    #[inline]
    pub fn nearest(&self, at: Point, cell: Option<usize>) -> Nearest {
        let candidates = match cell {
            Some(cell) => &self.candidates[self.first[cell] as usize..self.first[cell + 1] as usize],
            None => &self.all,
        };
        let mut mode = 0;
        let mut smallest = f64::INFINITY;
        for &candidate in candidates {
            let distance = self.distance_squared(candidate, at);
            if distance < smallest {
                (mode, smallest) = (candidate as usize, distance);
            }
        }
        let Centre { at: [x, y], precision: [xx, xy, yy] } = self.centres[mode];
        let (dx, dy) = (at.x - x, at.y - y);
        let squared = xx * dx * dx + 2.0 * xy * dx * dy + yy * dy * dy;
        Nearest { mode, close: smallest <= self.radius_squared, within_3sd: squared <= THREE_SD_SQUARED }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::math::{Matrix, Window};

    fn modes(at: &[(f64, f64)]) -> Vec<Mode> {
        let covariance = Matrix::new(0.5, 0.2, 0.2, 0.3);
        let one = |&(x, y): &(f64, f64)| Mode { at: Point::new(x, y), weight: 1.0 / at.len() as f64, covariance };
        at.iter().map(one).collect()
    }

    fn brute_force(modes: &[Mode], at: Point, radius: f64) -> Nearest {
        let distance = |mode: &Mode| (at - mode.at).norm_squared();
        let (mode, nearest) =
            modes.iter().enumerate().min_by(|a, b| distance(a.1).total_cmp(&distance(b.1))).expect("a mode");
        let deviation = at - nearest.at;
        let precision = nearest.covariance.try_inverse().expect("positive definite");
        let within_3sd = deviation.dot(&(precision * deviation)) <= 9.0;
        Nearest { mode, close: distance(nearest) <= radius * radius, within_3sd }
    }

    proptest! {
        #[test]
        fn the_table_agrees_with_trying_all_modes(
            at in prop::collection::vec((-12.0..12.0, -7.0..7.0), 1..40),
            points in prop::collection::vec((-12.0..12.0, -7.0..7.0), 50),
        ) {
            let modes = modes(&at);
            let grid = Grid::new(Window::new((-8.0, 9.0), (-5.0, 4.0)), 61, 37);
            let map = ModeMap::new(&modes, 2, &grid, 0.8);
            for point in points.iter().map(|&(x, y)| Point::new(x, y)) {
                prop_assert_eq!(map.nearest(point, grid.cell(point)), brute_force(&modes, point, 0.8));
            }
        }
    }

    #[test]
    fn cell_corners_and_ties_go_to_the_first_nearest_mode() {
        let centres: Vec<_> = (0..9).map(|i| (f64::from(i % 3) - 1.0, f64::from(i / 3) - 1.0)).collect();
        let modes = modes(&centres);
        let grid = Grid::new(Window::new((-2.0, 2.0), (-2.0, 2.0)), 16, 16);
        let map = ModeMap::new(&modes, 2, &grid, 0.125);
        for index in 0..17 * 17 {
            let point = Point::new(grid.x.edge(index % 17), grid.y.edge(index / 17));
            assert_eq!(map.nearest(point, grid.cell(point)), brute_force(&modes, point, 0.125), "{point}");
        }
    }

    #[test]
    fn far_from_the_boundaries_of_basins_there_is_one_candidate() {
        let centres: Vec<_> = (0..25).map(|i| (f64::from(i % 5) * 2.0 - 4.0, f64::from(i / 5) * 2.0 - 4.0)).collect();
        let grid = Grid::new(Window::new((-6.0, 6.0), (-6.0, 6.0)), 120, 120);
        let map = ModeMap::new(&modes(&centres), 2, &grid, 0.25);
        let numbers = |cell: usize| map.first[cell + 1] - map.first[cell];
        let single = (0..grid.len()).filter(|&cell| numbers(cell) == 1).count();
        assert!(single > grid.len() * 2 / 3, "{single} of {}", grid.len());
        assert!((0..grid.len()).all(|cell| (1..=4).contains(&numbers(cell))));
    }

    #[test]
    fn a_singular_covariance_is_noticed_and_counts_nothing() {
        let mut flat = modes(&[(0.0, 0.0)]);
        flat[0].covariance = Matrix::new(1.0, 1.0, 1.0, 1.0);
        let grid = Grid::new(Window::new((-1.0, 1.0), (-1.0, 1.0)), 4, 4);
        let map = ModeMap::new(&flat, 2, &grid, 0.5);
        assert!(!map.has_widths());
        for at in [Point::zeros(), Point::new(0.1, 0.2)] {
            assert!(!map.nearest(at, grid.cell(at)).within_3sd);
        }
    }
}

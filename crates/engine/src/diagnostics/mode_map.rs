//! Nearest mode of a position: a table lists the candidates of each cell, and exact distances decide among them.

use base::math::{Grid, Point};
use models::targets::Mode;

use super::cell_lookup::BATCH;

/// Squared radius, in standard deviations, of [`Nearest::within_3sd`].
const THREE_SD_SQUARED: f64 = 9.0;

/// Four codes to a mode, see [`Nearest::code`].
pub(super) const CODES_PER_MODE: usize = 4;

/// From here on: a cell whose points do not all have the same code. What is added is the mode that is nearest to all of
/// them, or [`CONTESTED`].
pub(super) const MIXED: u16 = 1 << 15;

/// Instead of a mode: which one is nearest differs, too.
pub(super) const CONTESTED: u16 = u16::MAX - MIXED;

/// Tolerance for rounding when whole cells are judged, as a share of their size.
const ROUNDING: f64 = 1e-9;

/// Points that are judged side by side.
const LANES: usize = 16;

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

impl Nearest {
    /// All three in one number.
    #[inline(always)]
    pub fn code(self) -> usize {
        self.mode * CODES_PER_MODE + usize::from(number([self.close, self.within_3sd]))
    }
}

/// Which of the codes of a mode it is, from 0.
#[inline(always)]
fn number([close, within_3sd]: [bool; 2]) -> u8 {
    2 * u8::from(close) + u8::from(within_3sd)
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
        let mut candidates = Vec::new();
        for cell in 0..grid.len() {
            let (column, row) = (cell % grid.x.cells, cell / grid.x.cells);
            let block = &blocks[row / BLOCK * columns + column / BLOCK];
            map.add_candidates(grid, (column, column + 1), (row, row + 1), block, &mut candidates);
            map.first.push(u32::try_from(candidates.len()).unwrap_or(u32::MAX));
        }
        map.candidates = candidates;
        map
    }

    /// Whether every mode has a covariance with which to measure distances.
    pub fn has_widths(&self) -> bool {
        self.centres.iter().all(|centre| centre.precision[0].is_finite())
    }

    fn block_candidates(&self, grid: &Grid, block: usize, columns: usize) -> Vec<u32> {
        let range = |number: usize, cells: usize| (number * BLOCK, ((number + 1) * BLOCK).min(cells));
        let (x, y) = (range(block % columns, grid.x.cells), range(block / columns, grid.y.cells));
        let mut candidates = Vec::new();
        self.add_candidates(grid, x, y, &self.all, &mut candidates);
        candidates
    }

    /// Adds those of `among` that can be nearest to a point of the given columns and rows: a point is at most half the
    /// diagonal from the middle, so a mode further off than the nearest one plus the whole diagonal cannot win.
    fn add_candidates(&self, grid: &Grid, x: (usize, usize), y: (usize, usize), among: &[u32], found: &mut Vec<u32>) {
        if let [only] = among {
            return found.push(*only);
        }
        let low = Point::new(grid.x.edge(x.0), grid.y.edge(y.0));
        let high = Point::new(grid.x.edge(x.1), grid.y.edge(y.1));
        let middle = (low + high) / 2.0;
        let nearest = among.iter().map(|&mode| self.distance_squared(mode, middle)).fold(f64::INFINITY, f64::min);
        // A little more than the diagonal, so that rounding never excludes a mode that ties.
        let reach = (nearest.sqrt() + (high - low).norm()) * (1.0 + ROUNDING);
        found.extend(among.iter().copied().filter(|&mode| self.distance_squared(mode, middle) <= reach * reach));
    }

    /// The code that [`nearest`](Self::nearest) gives for all points of a cell of `fine`, [`MIXED`] where there is none;
    /// the cells of `grid`, for which the table was made, are whole numbers of those of `fine`.
    pub fn codes(&self, grid: &Grid, fine: &Grid) -> Vec<u16> {
        let (across, up) = (fine.x.cells / grid.x.cells, fine.y.cells / grid.y.cells);
        let [coarse_half, half] =
            [grid, fine].map(|cells| Point::new(cells.x.width(), cells.y.width()) * (0.5 + ROUNDING));
        let mut codes = vec![MIXED + CONTESTED; fine.len()];
        for cell in 0..grid.len() {
            let first = cell / grid.x.cells * up * fine.x.cells + cell % grid.x.cells * across;
            let whole = self.code_of(cell, grid.centre(cell), coarse_half);
            for row in 0..up {
                let start = first + row * fine.x.cells;
                for (code, part) in codes[start..start + across].iter_mut().zip(start..) {
                    *code = if whole >= MIXED { self.code_of(cell, fine.centre(part), half) } else { whole };
                }
            }
        }
        codes
    }

    /// The code of all points in the box `middle` ± `half` within `cell`, if they have the same one for certain.
    fn code_of(&self, cell: usize, middle: Point, half: Point) -> u16 {
        let candidates = &self.candidates[self.first[cell] as usize..self.first[cell + 1] as usize];
        let at_middle = self.nearest(middle, Some(cell));
        let Some(Centre { at: [x, y], precision }) = self.centres.get(at_middle.mode) else {
            return MIXED + CONTESTED;
        };
        let (dx, dy, reach) = ((middle.x - x).abs(), (middle.y - y).abs(), half.norm());
        let distance = Point::new(dx, dy).norm();
        let contested = candidates.iter().any(|&other| {
            other as usize != at_middle.mode && self.distance_squared(other, middle).sqrt() <= distance + 2.0 * reach
        });
        // The box lies on one side of a circle if its nearest and its furthest corner do.
        let furthest = Point::new(dx + half.x, dy + half.y).norm();
        let nearest = Point::new((dx - half.x).max(0.0), (dy - half.y).max(0.0)).norm();
        let radius = self.radius_squared.sqrt();
        let on_circle = nearest <= radius * (1.0 + ROUNDING) && furthest >= radius * (1.0 - ROUNDING);
        // Standard deviations are a norm, so they change by at most those of half a diagonal.
        let deviations = |dx: f64, dy: f64| {
            let [xx, xy, yy] = precision;
            (xx * dx * dx + 2.0 * xy * dx * dy + yy * dy * dy).sqrt()
        };
        let change = deviations(half.x, half.y).max(deviations(half.x, -half.y)) * (1.0 + ROUNDING) + ROUNDING;
        let at_edge = (deviations(middle.x - x, middle.y - y) - THREE_SD_SQUARED.sqrt()).abs() <= change;
        match u16::try_from(at_middle.code()) {
            Ok(code) if code < MIXED && !(contested || on_circle || at_edge) => code,
            Ok(code) if code < MIXED && !contested => MIXED + code / CODES_PER_MODE as u16,
            _ => MIXED + CONTESTED,
        }
    }

    #[inline]
    fn distance_squared(&self, mode: u32, at: Point) -> f64 {
        let [x, y] = self.centres[mode as usize].at;
        (at.x - x) * (at.x - x) + (at.y - y) * (at.y - y)
    }

    /// The mode nearest to `at`, a point in `cell` of the grid or outside of it (`None`).
    #[inline]
    pub fn nearest(&self, at: Point, cell: Option<usize>) -> Nearest {
        self.judged(self.nearest_mode(at, cell), at)
    }

    fn nearest_mode(&self, at: Point, cell: Option<usize>) -> usize {
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
        mode
    }

    /// How near `at` is to the mode that is nearest to it.
    #[inline(always)]
    pub fn judged(&self, mode: usize, at: Point) -> Nearest {
        let Centre { at: [x, y], precision } = self.centres[mode];
        let [close, within_3sd] = judged([at.x - x, at.y - y], precision, self.radius_squared);
        Nearest { mode, close, within_3sd }
    }

    /// The number of the mode nearest to `at`, a point in a mixed cell with this code.
    #[inline(always)]
    pub fn mode_by(&self, code: u16, at: Point, cell: impl Fn() -> Option<usize>) -> usize {
        let mode = code - MIXED;
        if mode == CONTESTED { self.nearest_mode(at, cell()) } else { usize::from(mode) }
    }
}

/// Whether a point at this distance from a mode is within the coverage radius, and within three standard deviations.
#[inline(always)]
fn judged([dx, dy]: [f64; 2], [xx, xy, yy]: [f64; 3], radius_squared: f64) -> [bool; 2] {
    let close = dx * dx + dy * dy <= radius_squared;
    let squared = xx * dx * dx + 2.0 * xy * dx * dy + yy * dy * dy;
    [close, squared <= THREE_SD_SQUARED]
}

/// Points whose codes are computed side by side, with their modes.
pub(super) struct Judgement {
    modes: [u32; BATCH],
    distances: [[f64; BATCH]; 2],
    precisions: [[f64; BATCH]; 3],
    codes: [u32; BATCH],
}

impl Default for Judgement {
    fn default() -> Self {
        let numbers = [0.0; BATCH];
        Self { modes: [0; BATCH], distances: [numbers; 2], precisions: [numbers; 3], codes: [0; BATCH] }
    }
}

impl Judgement {
    /// Puts a point at index `number` < [`BATCH`].
    #[inline(always)]
    pub fn put(&mut self, number: usize, map: &ModeMap, mode: u16, at: Point) {
        let Centre { at: [x, y], precision } = map.centres[usize::from(mode)];
        let number = number & (BATCH - 1);
        self.modes[number] = u32::from(mode);
        for (row, distance) in self.distances.iter_mut().zip([at.x - x, at.y - y]) {
            row[number] = distance;
        }
        for (row, entry) in self.precisions.iter_mut().zip(precision) {
            row[number] = entry;
        }
    }

    /// The codes of the first `count` points, see [`Nearest::code`].
    #[inline(always)]
    pub fn codes(&mut self, map: &ModeMap, count: usize) -> &[u32] {
        let Self { modes, distances: [dx, dy], precisions: [xx, xy, yy], codes } = self;
        let radius_squared = map.radius_squared;
        // Whole registers; what is beyond the count is not used.
        for i in 0..BATCH.min(count.next_multiple_of(LANES)) {
            let judged = judged([dx[i], dy[i]], [xx[i], xy[i], yy[i]], radius_squared);
            codes[i] = modes[i] * CODES_PER_MODE as u32 + u32::from(number(judged));
        }
        &codes[..count.min(BATCH)]
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use base::math::{Bounds, Matrix};

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
            let grid = Grid::new(Bounds::new((-8.0, 9.0), (-5.0, 4.0)), 61, 37);
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
        let grid = Grid::new(Bounds::new((-2.0, 2.0), (-2.0, 2.0)), 16, 16);
        let map = ModeMap::new(&modes, 2, &grid, 0.125);
        for index in 0..17 * 17 {
            let point = Point::new(grid.x.edge(index % 17), grid.y.edge(index / 17));
            assert_eq!(map.nearest(point, grid.cell(point)), brute_force(&modes, point, 0.125), "{point}");
        }
    }

    #[test]
    fn the_code_of_a_cell_is_that_of_all_its_points() {
        let centres: Vec<_> = (0..25).map(|i| (f64::from(i % 5) * 2.0 - 4.0, f64::from(i / 5) * 2.0 - 4.0)).collect();
        let mut modes = modes(&centres);
        modes.iter_mut().for_each(|mode| mode.covariance *= 0.1);
        let window = Bounds::new((-6.0, 6.0), (-5.7, 6.1));
        let (grid, fine) = (Grid::new(window, 120, 120), Grid::new(window, 240, 240));
        let map = ModeMap::new(&modes, 2, &grid, 0.25);
        let codes = map.codes(&grid, &fine);
        let mut mixed = 0;
        for (cell, &code) in codes.iter().enumerate() {
            let (column, row) = (cell % 240, cell / 240);
            let mut seen = std::collections::BTreeSet::new();
            for step in 0..25 {
                let share = |step: i32| f64::from(step) / 4.0;
                let between = |low: f64, high: f64, share: f64| low + (high - low) * share;
                let x = between(fine.x.edge(column), fine.x.edge(column + 1), share(step % 5));
                let y = between(fine.y.edge(row), fine.y.edge(row + 1), share(step / 5));
                seen.insert(brute_force(&modes, Point::new(x, y), 0.25).code());
            }
            if code >= MIXED {
                mixed += 1;
                let (mode, modes) = (usize::from(code - MIXED), seen.iter().map(|seen| seen / CODES_PER_MODE));
                let uncontested = code - MIXED != CONTESTED;
                assert!(!uncontested || modes.clone().all(|seen| seen == mode), "cell {cell}: {mode}, found {seen:?}");
            } else {
                assert!(seen.len() == 1 && seen.contains(&usize::from(code)), "cell {cell}: {code}, found {seen:?}");
            }
        }
        // Circles of radius ¼ alone cross some 40 cells for each of 25 modes; the boundaries of basins 8 · 240.
        assert!((1000..14_000).contains(&mixed), "{mixed}");
    }

    #[test]
    fn far_from_the_boundaries_of_basins_there_is_one_candidate() {
        let centres: Vec<_> = (0..25).map(|i| (f64::from(i % 5) * 2.0 - 4.0, f64::from(i / 5) * 2.0 - 4.0)).collect();
        let grid = Grid::new(Bounds::new((-6.0, 6.0), (-6.0, 6.0)), 120, 120);
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
        let grid = Grid::new(Bounds::new((-1.0, 1.0), (-1.0, 1.0)), 4, 4);
        let map = ModeMap::new(&flat, 2, &grid, 0.5);
        assert!(!map.has_widths());
        for at in [Point::zeros(), Point::new(0.1, 0.2)] {
            assert!(!map.nearest(at, grid.cell(at)).within_3sd);
        }
    }
}

//! Draws outside of a target's view, counted on grids of which each is twice as wide as the one before: every draw has a
//! cell, wherever it is, and cells are small against their distance from the view.
//!
//! Level k covers 2ᵏ views around the middle of the view, with as many cells as the image grid of the [`Truth`](super::Truth); level 0
//! is that grid. A draw is counted on the first level that holds it, so that nothing is counted twice. Along each axis
//! draws are counted by that coordinate alone as well, also where only the other one is outside: marginals are those of
//! all draws. Draws have numbers here and no weights.

use base::math::{Axis, Bounds, Grid, Point};

/// The last level, 10⁹ views wide. What is farther out is counted in its outermost cells.
const LAST: u32 = 30;

/// Numbers of draws in rows of cells, each made when its first draw comes. The last one is always there.
type CountRows = Vec<Option<Box<[u32]>>>;

/// Numbers of draws outside the image grid of a truth.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outskirts {
    /// By level and row of the plane: those of a level one after the other.
    cells: CountRows,
    /// By level of one coordinate; level 0 has those whose other coordinate is outside.
    along: [CountRows; 2],
}

impl Outskirts {
    /// Counts a draw outside of the cells of `view`, which must be finite.
    pub(super) fn add(&mut self, view: &Grid, at: Point) {
        let levels = [(view.x, at.x), (view.y, at.y)].map(|(axis, value)| level_of(axis, value));
        let level = levels[0].max(levels[1]).max(1);
        let row = cell_of(view.y, (level, levels[1]), at.y);
        count(
            &mut self.cells,
            level as usize * view.y.cells + row,
            view.x.cells,
            cell_of(view.x, (level, levels[0]), at.x),
        );
        for ((along, level), (axis, value)) in self.along.iter_mut().zip(levels).zip([(view.x, at.x), (view.y, at.y)]) {
            count(along, level as usize, axis.cells, cell_of(axis, (level, level), value));
        }
    }

    /// Adds the draws of another, of the same truth.
    pub(super) fn merge(&mut self, other: &Self) {
        add_rows(&mut self.cells, &other.cells);
        self.along.iter_mut().zip(&other.along).for_each(|(own, other)| add_rows(own, other));
    }

    /// Whether no draw is outside.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// The levels around `view` with draws, from the inside outwards.
    pub fn levels(&self, view: &Grid) -> impl Iterator<Item = u32> {
        (0..)
            .zip(self.cells.chunks(view.y.cells))
            .filter(|(_, rows)| rows.iter().any(Option::is_some))
            .map(|(level, _)| level)
    }

    /// The cells of a level around `view` and their draws, by rows from the lower left; none in the middle, which earlier
    /// levels cover.
    #[must_use]
    pub fn image(&self, view: &Grid, level: u32) -> (Grid, Vec<f64>) {
        let grid = Grid { x: widened(view.x, level), y: widened(view.y, level) };
        let mut counts = vec![0.0; grid.len()];
        let rows = self.cells.iter().skip(level as usize * view.y.cells);
        for (numbers, cells) in rows.zip(counts.chunks_mut(grid.x.cells)) {
            cells.iter_mut().zip(numbers.iter().flatten()).for_each(|(sum, &number)| *sum = f64::from(number));
        }
        (grid, counts)
    }

    /// The draws by coordinate 0 (x) or 1 (y) alone: the cells of each level that has some, and their numbers.
    pub fn along(&self, view: &Grid, coordinate: usize) -> impl Iterator<Item = (u32, Axis, &[u32])> {
        let axis = if coordinate == 0 { view.x } else { view.y };
        let levels = (0..).zip(self.along.get(coordinate).into_iter().flatten());
        levels.filter_map(move |(level, numbers)| Some((level, widened(axis, level), numbers.as_deref()?)))
    }

    /// Every cell with draws, and their number.
    pub fn filled(&self, view: &Grid) -> impl Iterator<Item = (Bounds, f64)> {
        let levels = (0..).zip(self.cells.chunks(view.y.cells));
        levels.flat_map(move |(level, rows)| {
            let (x, y) = (widened(view.x, level), widened(view.y, level));
            let rows = rows.iter().enumerate().filter_map(|(row, numbers)| Some((row, numbers.as_deref()?)));
            rows.flat_map(move |(row, numbers)| {
                let filled = numbers.iter().enumerate().filter(|(_, number)| **number > 0);
                filled.map(move |(column, &number)| {
                    let across = (x.edge(column), x.edge(column + 1));
                    (Bounds::new(across, (y.edge(row), y.edge(row + 1))), f64::from(number))
                })
            })
        })
    }
}

/// Counts one in a row.
fn count(rows: &mut CountRows, index: usize, cells: usize, cell: usize) {
    if rows.len() <= index {
        rows.resize(index + 1, None);
    }
    let row = rows[index].get_or_insert_with(|| vec![0; cells].into_boxed_slice());
    row[cell] = row[cell].saturating_add(1);
}

fn add_rows(own: &mut CountRows, others: &CountRows) {
    own.resize(own.len().max(others.len()), None);
    for (own, other) in own.iter_mut().zip(others) {
        match (own.as_mut(), other) {
            (Some(row), Some(other)) => {
                row.iter_mut().zip(other).for_each(|(sum, &number)| *sum = sum.saturating_add(number));
            }
            (None, Some(other)) => *own = Some(other.clone()),
            (_, None) => {}
        }
    }
}

/// The first level whose cells hold `value`; 0 in the view itself.
fn level_of(axis: Axis, value: f64) -> u32 {
    let half = 0.5 * (axis.max - axis.min);
    let away = ((value - axis.min) - half).abs();
    let (mut level, mut reach) = (0, half);
    while away > reach && level < LAST {
        (level, reach) = (level + 1, 2.0 * reach);
    }
    level
}

/// The cell of a level that holds `value`, or the one nearest to it; of its `own` level always one in the outer half.
#[expect(clippy::cast_sign_loss, reason = "clamped to the cells of an axis")]
fn cell_of(axis: Axis, (level, own): (u32, u32), value: f64) -> usize {
    let wide = widened(axis, level);
    let cell = ((value - wide.min) / wide.width()).floor().clamp(0.0, axis.cells as f64 - 1.0) as usize;
    let quarter = axis.cells / 4;
    match own == level && level > 0 {
        true if value < 0.5 * (axis.min + axis.max) => cell.min(quarter.saturating_sub(1)),
        true => cell.max(axis.cells - quarter),
        false => cell,
    }
}

/// The axis of a level.
fn widened(axis: Axis, level: u32) -> Axis {
    let (middle, half) = (0.5 * (axis.min + axis.max), 0.5 * (axis.max - axis.min) * f64::from(1_u32 << level));
    Axis { min: middle - half, max: middle + half, ..axis }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::test_targets::{Mixture, counts_of};
    use crate::diagnostics::{DrawCounts, Truth};
    use base::math::{Purpose, Stream};

    /// Draws around the view and far from it, in every direction and at its edges.
    fn draws(view: Bounds, count: usize, line: bool) -> Vec<Point> {
        let mut stream = Stream::derive(3, Purpose::Truth, 0, 0);
        let (middle, half) = ((view.min + view.max) / 2.0, view.size() / 2.0);
        let mut coordinate = |axis: usize| {
            let far = 2.0_f64.powf(40.0 * stream.uniform().powi(3) - 2.0);
            middle[axis] + half[axis] * far * (2.0 * stream.uniform() - 1.0)
        };
        let mut found: Vec<Point> = (0..count).map(|_| Point::new(coordinate(0), coordinate(1))).collect();
        for edge in [view.min, view.max] {
            for next in [f64::next_up, f64::next_down, |value: f64| value] {
                found.push(Point::new(next(edge.x), middle.y));
                found.push(Point::new(middle.x, next(edge.y)));
            }
        }
        found.iter_mut().filter(|_| line).for_each(|at| at.y = 0.0);
        found
    }

    fn targets() -> [Mixture; 3] {
        [Mixture::grid(), Mixture::single(), Mixture::line()]
    }

    /// Against a search through all cells: each draw is in one of them, which holds it and is no wider than a 60th of its
    /// distance from the middle.
    #[test]
    fn every_draw_has_a_cell_that_holds_it() {
        for target in targets() {
            let truth = Truth::new(&target);
            let view = truth.image_grid();
            let last = widened(view.x, LAST);
            for at in
                draws(Bounds::new((view.x.min, view.x.max), (view.y.min, view.y.max)), 4000, truth.dimension() == 1)
            {
                let counts = counts_of(&truth, &[at]);
                let inside: f64 = counts.image(&truth).iter().sum();
                let cells: Vec<(Bounds, f64)> = counts.outskirts().filled(view).collect();
                assert_eq!(cells.len(), 1 - usize::from(inside > 0.5), "{at}");
                for (cell, number) in cells {
                    assert_eq!(number.to_bits(), 1.0_f64.to_bits());
                    let rounding = 1e-12 * (1.0 + at.amax());
                    let holds =
                        |axis: usize| (cell.min[axis] - rounding..=cell.max[axis] + rounding).contains(&at[axis]);
                    let beyond = at.amax() > 0.4 * (last.max - last.min);
                    assert!(beyond || (0..truth.dimension()).all(holds), "{at} {cell:?}");
                    let away = (at.x - truth.centre().x).abs().max((at.y - truth.centre().y).abs());
                    assert!(beyond || cell.size().x <= away.max(0.5 * view.x.width() * 240.0) / 30.0, "{at} {cell:?}");
                }
            }
        }
    }

    /// Numbers on the plane and along both axes against counting one by one.
    #[test]
    fn marginals_are_those_of_all_draws() {
        for target in targets() {
            let truth = Truth::new(&target);
            let view = truth.image_grid();
            let all =
                draws(Bounds::new((view.x.min, view.x.max), (view.y.min, view.y.max)), 3000, truth.dimension() == 1);
            let counts = counts_of(&truth, &all);
            let (image, outskirts) = (counts.image(&truth), counts.outskirts());
            let outside = outskirts.filled(view).map(|(_, number)| number).sum::<f64>();
            assert!((image.iter().sum::<f64>() + outside - all.len() as f64).abs() < 0.5);
            let by_level: f64 = outskirts.levels(view).flat_map(|level| outskirts.image(view, level).1).sum();
            assert_eq!(by_level.to_bits(), outside.to_bits());
            for coordinate in 0..truth.dimension() {
                let axis = if coordinate == 0 { view.x } else { view.y };
                let total: u32 = outskirts.along(view, coordinate).flat_map(|(_, _, numbers)| numbers).sum();
                assert!((f64::from(total) - outside).abs() < 0.5, "coordinate {coordinate}");
                for (level, wide, numbers) in outskirts.along(view, coordinate).filter(|(level, ..)| *level > 0) {
                    // The outer half of a level, on both sides, away from rounding at its ends.
                    let middle = 0.5 * (axis.min + axis.max);
                    let of_level = all.iter().filter(|at| level_of(axis, at[coordinate]) == level);
                    let (mut low, mut high) = (0, 0);
                    of_level.for_each(|at| if at[coordinate] < middle { low += 1 } else { high += 1 });
                    let (first, second) = numbers.split_at(wide.cells / 2);
                    assert_eq!((first.iter().sum(), second.iter().sum()), (low, high), "level {level}");
                }
            }
        }
    }

    #[test]
    fn draws_of_any_weight_are_counted_and_add_up_over_blocks() {
        let truth = Truth::new(&Mixture::grid());
        let all = draws(Bounds::new((-6.0, 6.0), (-6.0, 6.0)), 500, false);
        let together = counts_of(&truth, &all);
        let mut apart = DrawCounts::new(&truth);
        for part in all.chunks(77) {
            let mut weighted = DrawCounts::new(&truth);
            let weights: Vec<f64> = (0..part.len()).map(|index| 1.0 + (index % 3) as f64).collect();
            let (x, y): (Vec<f64>, Vec<f64>) = part.iter().map(|at| (at.x, at.y)).unzip();
            weighted.add_rows(base::math::Simd::widest(), &truth, &weights, &x, &y);
            apart = apart.merged(&weighted);
        }
        assert_eq!(apart.outskirts(), together.outskirts());
        assert!(!together.outskirts().is_empty() && DrawCounts::new(&truth).outskirts().is_empty());
    }
}

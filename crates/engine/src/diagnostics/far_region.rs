//! What is far from a target: everything outside of its view, and in it what is farther from each part of the target than that part is
//! wide.
//!
//! The parts are the connected groups of the fewest cells of the view that hold all but [`NEXT_TO_NONE`] of the probability inside it. Each
//! has a rectangle around it, three times as wide and as high. A view may be much wider than the target that it shows; where it is
//! not, chains that come from a start in it, or move between modes, are not far.

use base::math::Grid;

use super::Truth;

/// Probability that cells outside of all parts hold together at most. A Gaussian is one part that ends at 4.9 standard deviations on
/// the line, and at 5.3 in the plane.
const NEXT_TO_NONE: f64 = 1e-6;

/// The cells of a view that are far from its target.
#[derive(Debug)]
pub(super) struct FarRegion {
    /// By cell of the image grid, whether it is far.
    cells: Vec<bool>,
    /// The probability of them, and of everything outside the view.
    probability: f64,
}

impl FarRegion {
    pub fn new(truth: &Truth) -> Self {
        let far = far_cells(truth.grid(), truth.probabilities());
        let held = truth.probabilities().iter().zip(&far).filter(|(_, far)| **far).map(|(held, _)| held);
        let probability = truth.outside() + held.sum::<f64>();
        let cells = (0..truth.image_grid().len()).map(|fine| far[truth.cell_around(fine)]).collect();
        Self { cells, probability }
    }
}

/// Which cells are far from every part of the target; none if nothing is known of it.
fn far_cells(grid: &Grid, probabilities: &[f64]) -> Vec<bool> {
    let mut ascending: Vec<usize> = (0..probabilities.len()).collect();
    ascending.sort_by(|&one, &other| probabilities[one].total_cmp(&probabilities[other]));
    let sums = ascending.iter().scan(0.0, |sum, &cell| {
        *sum += probabilities[cell];
        Some(*sum)
    });
    let held = &ascending[sums.take_while(|sum| *sum <= NEXT_TO_NONE).count()..];
    let mut far = vec![!held.is_empty(); probabilities.len()];
    let mut alone = vec![false; probabilities.len()];
    held.iter().for_each(|&cell| alone[cell] = true);
    for &cell in held {
        if alone[cell] {
            let [columns, rows] = part_around(grid, cell, &mut alone).map(|(from, to)| {
                let width = to - from + 1;
                (from.saturating_sub(width), to + width)
            });
            for row in rows.0..=rows.1.min(grid.y.cells - 1) {
                far[row * grid.x.cells..][columns.0..=columns.1.min(grid.x.cells - 1)].fill(false);
            }
        }
    }
    far
}

/// The first and the last column and row of the part to which a cell belongs, whose cells are `alone` no longer.
fn part_around(grid: &Grid, cell: usize, alone: &mut [bool]) -> [(usize, usize); 2] {
    let columns = grid.x.cells;
    let mut ends = [(usize::MAX, 0); 2];
    let mut waiting = vec![cell];
    alone[cell] = false;
    while let Some(cell) = waiting.pop() {
        let (column, row) = (cell % columns, cell / columns);
        for (end, number) in ends.iter_mut().zip([column, row]) {
            *end = (end.0.min(number), end.1.max(number));
        }
        for row in row.saturating_sub(1)..(row + 2).min(grid.y.cells) {
            for column in column.saturating_sub(1)..(column + 2).min(columns) {
                if std::mem::take(&mut alone[row * columns + column]) {
                    waiting.push(row * columns + column);
                }
            }
        }
    }
    ends
}

impl Truth {
    /// The exact probability of everything far from the target, in the view or outside it; 1 if nothing is known.
    #[must_use]
    pub fn far(&self) -> f64 {
        self.far_region().probability
    }

    /// Whether each cell of the image grid is far from the target.
    pub(super) fn far_in_view(&self) -> &[bool] {
        &self.far_region().cells
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::test_targets::Mixture;
    use base::math::{Bounds, Gaussian, Matrix, Point};

    /// A part ends at about 5.3 standard deviations: three times as far away, along an axis, the rest begins.
    #[test]
    fn what_is_far_depends_on_the_target_and_not_on_its_view() {
        for (sd, half) in [(1.0, 6.0), (1.0, 60.0), (0.01, 30.0)] {
            let part = Gaussian { mean: Point::zeros(), covariance: Matrix::identity() * (sd * sd) };
            let view = Bounds::new((-half, half), (-half, half));
            let truth = Truth::new(&Mixture::new(2, &[(1.0, part)], view));
            assert!(truth.far() <= 2.0 * NEXT_TO_NONE, "{sd} in {half}: {}", truth.far());
            let (image, width) = (truth.image_grid(), truth.grid().x.width());
            for (cell, far) in truth.far_in_view().iter().enumerate() {
                let away = image.centre(cell).amax();
                assert!(!far || away > 15.0 * sd, "{away} in {half}");
                assert!(*far || away < 16.5 * sd + 6.0 * width, "{away} in {half}");
            }
        }
    }

    /// In a wide view each of two modes has its own rectangle, and what is between them is far.
    #[test]
    fn far_modes_are_parts_of_their_own() {
        let mode = |x: f64| (0.5, Gaussian { mean: Point::new(x, 0.0), covariance: Matrix::identity() });
        let truth =
            Truth::new(&Mixture::new(2, &[mode(-50.0), mode(50.0)], Bounds::new((-120.0, 120.0), (-120.0, 120.0))));
        let far = |x: f64, y: f64| truth.far_in_view()[truth.image_grid().cell(Point::new(x, y)).unwrap()];
        assert!(!far(-50.0, 0.0) && !far(50.0, 0.0) && !far(-38.0, 12.0));
        assert!(far(0.0, 0.0) && far(-50.0, 30.0) && far(100.0, 0.0));
        // Modes of the default grid are close to each other.
        let grid = Truth::new(&Mixture::grid());
        assert!(grid.far_in_view().iter().filter(|far| **far).count() < grid.far_in_view().len() / 10);
    }

    #[test]
    fn on_the_line_there_is_one_row_and_of_an_unknown_target_nothing_is_far() {
        let truth = Truth::new(&Mixture::line());
        assert_eq!(truth.far_in_view().len(), truth.image_grid().len());
        assert!(truth.far_in_view().contains(&false));
        let rest = truth.withdrawn();
        assert!(!rest.far_in_view().contains(&true) && rest.far() >= 1.0);
    }
}

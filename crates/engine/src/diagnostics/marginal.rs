//! Marginal distributions on the edges of fine cells, and the area between their distribution functions.
//!
//! The truth is known at every second edge, the edges of the truth's grid. In the middle between two of them its
//! distribution function F is taken from the polynomial through the six nearest, (3, −25, 150, 150, −25, 3)/256, whose
//! error is (5/1024) h⁶ F⁽⁶⁾: at most 5·10⁻⁴ for a Gaussian of standard deviation 1.7 h, as narrow as the default grid
//! has them, and 2·10⁻⁸ for one of 10 h. Between its neighbours it always stays, which is what remains of the accuracy
//! (half a cell's probability) where a density jumps. What the view does not show lies [along its edge](Truth::all_in_cells).
//!
//! The draws are counted in fine cells, so their distribution function F̂ has no error at any fine edge. Between two
//! edges F̂ − F is taken as straight, which is like spreading draws over their cell. Draws outside the view are spread
//! over their cells of the outer grid.

use base::math::Axis;

use super::{DrawStatistics, Truth};

/// Weights of the polynomial through six equidistant values, at the middle.
const MIDDLE: [f64; 6] = [3.0 / 256.0, -25.0 / 256.0, 150.0 / 256.0, 150.0 / 256.0, -25.0 / 256.0, 3.0 / 256.0];

/// The distribution of one coordinate of a target.
#[derive(Clone, Debug)]
pub(super) struct Marginal {
    /// The distribution function at the edges of fine cells.
    truth: Vec<f64>,
    /// The fine cells.
    axis: Axis,
    /// The wider cells around them.
    outer: Axis,
}

impl Marginal {
    /// Those of x and y.
    pub fn both(truth: &Truth) -> [Self; 2] {
        let columns = truth.grid().x.cells;
        let filled = truth.all_in_cells();
        let mut across = vec![0.0; columns];
        for row in filled.chunks(columns) {
            across.iter_mut().zip(row).for_each(|(sum, probability)| *sum += probability);
        }
        let up: Vec<f64> = filled.chunks(columns).map(|row| row.iter().sum()).collect();
        let (image, outer) = (truth.image_grid(), truth.outer_grid());
        [(across, image.x, outer.x), (up, image.y, outer.y)].map(|(probabilities, axis, outer)| Self {
            truth: at_fine_edges(&probabilities, axis.cells / probabilities.len()),
            axis,
            outer,
        })
    }

    /// ∫ |F̂ − F| for draws with these weights in the fine cells and, if there are any, in the outer cells.
    pub fn area_between(&self, statistics: &DrawStatistics, fine: &[f64], outer: &[f64]) -> f64 {
        let weight = statistics.weight();
        let mut area = 0.0;
        let (mut draws, mut before) = (0.0, 0.0);
        let mut pass = |amount: f64, truth: f64| {
            draws += amount / weight;
            let after = draws - truth;
            area += area_under_line(before, after);
            before = after;
        };
        // Fine cells per outer cell, and before the first one of the view.
        let group = self.per_outer();
        let first = (self.outer.cells * group - fine.len()) / 2;
        let share = |cell: usize| outer.get(cell / group).map_or(0.0, |weight| weight / group as f64);
        let around = if outer.is_empty() { 0 } else { first };
        (first - around..first).for_each(|cell| pass(share(cell), 0.0));
        for (cell, (inside, &truth)) in (first..).zip(fine.iter().zip(&self.truth[1..])) {
            pass(inside + share(cell), truth);
        }
        let end = first + fine.len();
        (end..end + around).for_each(|cell| pass(share(cell), 1.0));
        area * self.axis.width()
    }

    #[expect(clippy::cast_sign_loss, reason = "a ratio of cells is a small number")]
    fn per_outer(&self) -> usize {
        (self.outer.width() / self.axis.width()).round() as usize
    }
}

/// The distribution function at the edges of the cells and, if they are cut in two `parts`, in their middles.
fn at_fine_edges(probabilities: &[f64], parts: usize) -> Vec<f64> {
    let sums = |sum: &mut f64, probability: &f64| {
        *sum += probability;
        Some(*sum)
    };
    let edges: Vec<f64> = std::iter::once(0.0).chain(probabilities.iter().scan(0.0, sums)).collect();
    if parts == 1 {
        return edges;
    }
    let last = edges.len() - 1;
    let mut fine = Vec::with_capacity(2 * last + 1);
    for cell in 0..last {
        let value = |step: usize| edges[(cell + step).saturating_sub(2).min(last)];
        let middle: f64 = MIDDLE.iter().enumerate().map(|(step, weight)| weight * value(step)).sum();
        fine.extend([edges[cell], middle.clamp(edges[cell], edges[cell + 1])]);
    }
    fine.push(edges[last]);
    fine
}

/// ∫ |f| over an interval of length 1 for a straight f with these values at its ends.
fn area_under_line(start: f64, end: f64) -> f64 {
    let sum = start.abs() + end.abs();
    if start * end < 0.0 { 0.5 * (start * start + end * end) / sum } else { 0.5 * sum }
}

#[cfg(test)]
mod tests {
    use approx::{assert_abs_diff_eq, assert_relative_eq};

    use super::*;
    use crate::diagnostics::test_targets::{Exponentials, Mixture};

    fn normal(z: f64) -> f64 {
        0.5 * libm::erfc(-z / 2.0_f64.sqrt())
    }

    /// The accuracy that is stated above, of a Gaussian of the given width in cells, wherever its middle is.
    #[test]
    fn a_distribution_function_is_interpolated_as_well_as_stated() {
        for (sd, error) in [(1.7, 5e-4), (10.0, 2e-8)] {
            for offset in 0..8 {
                let middle = 60.0 + f64::from(offset) / 8.0;
                let below = |edge: f64| normal((edge - middle) / sd);
                let cells: Vec<f64> =
                    (0..120).map(|cell| below(f64::from(cell) + 1.0) - below(f64::from(cell))).collect();
                for (index, value) in at_fine_edges(&cells, 2).into_iter().enumerate() {
                    assert_abs_diff_eq!(value, below(index as f64 / 2.0), epsilon = error);
                }
            }
        }
    }

    #[test]
    fn beside_a_jump_of_the_density_it_stays_a_distribution_function() {
        for marginal in Marginal::both(&Truth::new(&Exponentials::new())) {
            assert!(marginal.truth.is_sorted());
            assert_abs_diff_eq!(marginal.truth[0], 0.0);
            for (index, value) in marginal.truth.iter().enumerate() {
                let exact = -libm::expm1(-2.0 * marginal.axis.edge(index).max(0.0));
                // Within a cell of the jump half of its probability, elsewhere next to nothing but what is not shown.
                let error = if marginal.axis.edge(index).abs() < 0.1 { 0.05 } else { 5e-4 };
                assert_abs_diff_eq!(*value, exact, epsilon = error);
            }
        }
    }

    #[test]
    fn marginals_of_the_grid_are_mixtures_of_five() {
        let truth = Truth::new(&Mixture::grid());
        for marginal in truth.marginals() {
            for (index, value) in marginal.truth.iter().enumerate() {
                let at = marginal.axis.edge(index);
                let exact: f64 = (-2..=2).map(|k| 0.2 * normal((at - 2.0 * f64::from(k)) / 0.03_f64.sqrt())).sum();
                assert_abs_diff_eq!(*value, exact, epsilon = 1e-4);
            }
        }
    }

    #[test]
    fn areas_under_lines() {
        assert_relative_eq!(area_under_line(1.0, 3.0), 2.0);
        assert_relative_eq!(area_under_line(-1.0, -3.0), 2.0);
        assert_relative_eq!(area_under_line(-1.0, 3.0), 0.25 * 0.5 + 0.75 * 1.5);
        assert_relative_eq!(area_under_line(0.0, 0.0), 0.0);
    }
}

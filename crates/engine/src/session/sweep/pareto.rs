//! Pareto front: the points to which no other point is at least as good in every respect and better in one.

use std::cmp::Ordering;

use super::{Cell, Spread, SweepPlan};

/// The measures of the front besides the cost: coverage of modes, and accuracy within them.
const MEASURES: [&str; 2] = ["modes_covered", "within_mode_kl"];

/// The numbers of the cells to which no other is at least as good in missing modes, error within modes and cost, and better in one; means
/// over seeds. Cells with different targets are not compared: each target has a front. A cell without a value for some seed has no mean, and
/// is not on the front.
///
/// # Errors
/// If the sweep does not have these measures, or its target no modes: the reason.
pub fn front_of(plan: &SweepPlan, cells: &[Cell]) -> Result<Vec<usize>, String> {
    let points = objectives(plan, cells)?;
    let mut front = Vec::new();
    for target in 0..plan.targets() {
        let own: Vec<usize> = (0..cells.len()).filter(|index| plan.target_of(cells[*index].number) == target).collect();
        let points: Vec<[f64; 3]> = own.iter().map(|index| points[*index]).collect();
        front.extend(pareto_front(&points).into_iter().map(|index| cells[own[index]].number));
    }
    front.sort_unstable();
    Ok(front)
}

/// Missing modes, error within modes and cost of each cell, as means over seeds; NaN for a measure without a value for some seed.
///
/// # Errors
/// As [`front_of`].
pub fn objectives(plan: &SweepPlan, cells: &[Cell]) -> Result<Vec<[f64; 3]>, String> {
    let index_of = |key: &str| plan.sweep().measures.iter().position(|measure| *measure == key);
    let (Some(covered), Some(within)) = (index_of(MEASURES[0]), index_of(MEASURES[1])) else {
        return Err(format!("the measures {} and {} are needed", MEASURES[0], MEASURES[1]));
    };
    if !plan.has_modes() {
        return Err("the modes of the target are not known".to_owned());
    }
    let mean = |cell: &Cell, measure: usize| {
        let whole = cell.measures[measure].iter().all(Option::is_some);
        Spread::of(&cell.measures[measure]).filter(|_| whole).map_or(f64::NAN, |spread| spread.mean)
    };
    let modes = |cell: &Cell| plan.modes_of(cell.number).map_or(f64::NAN, |modes| modes as f64);
    Ok(cells.iter().map(|cell| [modes(cell) - mean(cell, covered), mean(cell, within), mean_cost(cell)]).collect())
}

/// The mean cost of a cell, in evaluations.
#[must_use]
pub fn mean_cost(cell: &Cell) -> f64 {
    cell.evaluations.iter().sum::<f64>() / cell.evaluations.len().max(1) as f64
}

/// The numbers of the points on the front, in ascending order. Smaller coordinates are better; points with a coordinate that is not finite
/// are on no front. Equal points are on it together.
#[must_use]
pub fn pareto_front(points: &[[f64; 3]]) -> Vec<usize> {
    let finite = |point: &[f64; 3]| point.iter().all(|value| value.is_finite());
    let mut order: Vec<usize> = (0..points.len()).filter(|&number| finite(&points[number])).collect();
    // Whatever dominates a point stands before it, or is equal to it, so that only the front so far has to be asked.
    order.sort_by(|&one, &other| points[one].partial_cmp(&points[other]).unwrap_or(Ordering::Equal));
    let mut front: Vec<usize> = Vec::new();
    for number in order {
        if !front.iter().any(|&other| dominates(&points[other], &points[number])) {
            front.push(number);
        }
    }
    front.sort_unstable();
    front
}

/// Whether a point is nowhere worse than another one, and better somewhere.
fn dominates(one: &[f64; 3], other: &[f64; 3]) -> bool {
    let pairs = || one.iter().zip(other);
    pairs().all(|(one, other)| one <= other) && pairs().any(|(one, other)| one < other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::math::{Purpose, Stream};

    /// Against all pairs, on coarse grids, where many points are equal in some coordinate.
    #[test]
    fn the_front_is_what_nothing_dominates() {
        let mut stream = Stream::derive(4, Purpose::Measure, 0, 0);
        for count in 0..60 {
            let points: Vec<[f64; 3]> = (0..count).map(|_| [0; 3].map(|_: i32| f64::from(stream.below(5)))).collect();
            let alone = |number: &usize| !points.iter().any(|other| dominates(other, &points[*number]));
            let expected: Vec<usize> = (0..points.len()).filter(alone).collect();
            assert_eq!(pareto_front(&points), expected);
        }
    }

    #[test]
    fn equal_points_are_on_it_together_and_missing_ones_are_not() {
        let points = [[1.0, 1.0, 0.0], [f64::NAN, 0.0, 0.0], [1.0, 1.0, 0.0], [2.0, 0.5, 0.0], [2.0, 1.0, 0.0]];
        assert_eq!(pareto_front(&points), [0, 2, 3]);
    }
}

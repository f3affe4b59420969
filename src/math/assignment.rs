//! The assignment problem: rows to columns at the smallest total cost.

/// The column of each row for the one-to-one assignment of `size` rows to as many columns with the smallest sum of costs, by the
/// Hungarian method in time O(size³), with shortest augmenting paths (H. W. Kuhn, Nav. Res. Logist. Q. 2, 1955; R. Jonker &
/// A. Volgenant, Computing 38, 1987). A cost that is not finite counts as the largest finite one.
#[must_use]
pub fn assignment(size: usize, cost: impl Fn(usize, usize) -> f64) -> Vec<usize> {
    let mut costs: Vec<f64> = (0..size * size).map(|cell| cost(cell / size, cell % size)).collect();
    let largest = costs.iter().copied().filter(|cost| cost.is_finite()).fold(0.0, f64::max);
    costs.iter_mut().filter(|cost| !cost.is_finite()).for_each(|cost| *cost = largest);
    let mut search =
        Search { size, costs, rows: vec![0.0; size], columns: vec![0.0; size + 1], row_of: vec![None; size + 1] };
    (0..size).for_each(|row| search.assign(row));
    let mut found = vec![0; size];
    for (column, row) in search.row_of[..size].iter().enumerate() {
        if let Some(row) = row {
            found[*row] = column;
        }
    }
    found
}

/// Assigned rows, and potentials under which no cost is negative and those of assigned pairs are 0.
struct Search {
    size: usize,
    costs: Vec<f64>,
    rows: Vec<f64>,
    /// One more than there are columns: the last is where a path begins.
    columns: Vec<f64>,
    row_of: Vec<Option<usize>>,
}

impl Search {
    /// Assigns one row more, along the shortest path to a free column.
    fn assign(&mut self, row: usize) {
        let start = self.size;
        self.row_of[start] = Some(row);
        let (mut nearest, mut before) = (vec![f64::INFINITY; start], vec![start; start]);
        let mut done = vec![false; start + 1];
        let mut at = start;
        while let Some(row) = self.row_of[at] {
            done[at] = true;
            let mut next = None;
            for column in (0..start).filter(|column| !done[*column]) {
                let reduced = self.costs[row * start + column] - self.rows[row] - self.columns[column];
                if reduced < nearest[column] {
                    (nearest[column], before[column]) = (reduced, at);
                }
                next = next.filter(|other: &usize| nearest[*other] <= nearest[column]).or(Some(column));
            }
            let Some(next) = next else { return };
            let by = nearest[next];
            self.raise(by, &done);
            (0..start).filter(|column| !done[*column]).for_each(|column| nearest[column] -= by);
            at = next;
        }
        while at != start {
            self.row_of[at] = self.row_of[before[at]];
            at = before[at];
        }
    }

    /// Changes the potentials of all pairs on the way, so that one more cost is 0.
    fn raise(&mut self, by: f64, done: &[bool]) {
        for column in (0..=self.size).filter(|column| done[*column]) {
            self.columns[column] -= by;
            if let Some(row) = self.row_of[column] {
                self.rows[row] += by;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Purpose, Stream};

    fn total(size: usize, costs: &[f64], columns: &[usize]) -> f64 {
        columns.iter().enumerate().map(|(row, column)| costs[row * size + column]).sum()
    }

    /// The smallest total over all permutations of `rest` for the rows from `row` on.
    fn brute(size: usize, costs: &[f64], row: usize, rest: &[usize]) -> f64 {
        if rest.is_empty() {
            return 0.0;
        }
        let of = |(number, column): (usize, &usize)| {
            let others: Vec<usize> = rest.iter().copied().filter(|other| *other != rest[number]).collect();
            costs[row * size + column] + brute(size, costs, row + 1, &others)
        };
        rest.iter().enumerate().map(of).fold(f64::INFINITY, f64::min)
    }

    #[test]
    fn no_permutation_costs_less() {
        let mut stream = Stream::derive(3, Purpose::Data, 0, 0);
        for size in 0..=7 {
            for round in 0..40 {
                // Every other time with many equal costs.
                let draw = |x: f64| if round % 2 == 0 { 10.0 * x - 5.0 } else { (3.0 * x).floor() };
                let costs: Vec<f64> = (0..size * size).map(|_| draw(stream.uniform())).collect();
                let found = assignment(size, |row, column| costs[row * size + column]);
                let mut sorted = found.clone();
                sorted.sort_unstable();
                let columns: Vec<usize> = (0..size).collect();
                assert_eq!(sorted, columns);
                let best = brute(size, &costs, 0, &columns);
                assert!((total(size, &costs, &found) - best).abs() < 1e-12, "{size}: {costs:?}");
            }
        }
    }

    #[test]
    fn a_permutation_is_found_again_and_nothing_finite_hangs() {
        let size = 60;
        let found = assignment(size, |row, column| if column == (7 * row + 3) % size { 0.0 } else { 1.0 });
        assert!(found.iter().enumerate().all(|(row, column)| *column == (7 * row + 3) % size));
        for strange in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX] {
            let mut found = assignment(5, |row, column| if row == column { 1.0 } else { strange });
            found.sort_unstable();
            assert_eq!(found, [0, 1, 2, 3, 4]);
        }
    }
}

//! The assignment problem: pair every row with a column of its own at the smallest total cost.
//!
//! The Hungarian method with potentials, one shortest augmenting path per row: H. W. Kuhn (1955), *The Hungarian method for
//! the assignment problem*, Naval Res. Logist. Quart. 2; J. Munkres (1957), J. SIAM 5. The cost is O(rows² · columns).

/// A cost that is not a number or not finite counts as this much: it is taken only where nothing else is left.
const FORBIDDEN: f64 = 1e150;

/// The column of each row, for a matrix of costs with `rows` ≤ `columns`, row by row. Of several optimal assignments it is
/// always the same one.
///
/// # Panics
/// If there are more rows than columns, or `cost` has not rows · columns entries.
#[must_use]
pub fn assign(cost: &[f64], rows: usize, columns: usize) -> Vec<usize> {
    assert!(rows <= columns && cost.len() == rows * columns, "a matrix with at least as many columns as rows");
    let mut search = Search::new(cost, rows, columns);
    for row in 0..rows {
        search.augment(row);
    }
    let mut column_of = vec![0; rows];
    for (column, row) in search.row_of.iter().enumerate().take(columns) {
        if let Some(row) = row {
            column_of[*row] = column;
        }
    }
    column_of
}

/// Rows assigned so far, and potentials u, v with u + v ≤ cost everywhere and equality on the assigned pairs.
struct Search<'a> {
    cost: &'a [f64],
    columns: usize,
    rows: Vec<f64>,
    potentials: Vec<f64>,
    /// The row of each column. One more column stands for the row that is being added.
    row_of: Vec<Option<usize>>,
}

impl<'a> Search<'a> {
    fn new(cost: &'a [f64], rows: usize, columns: usize) -> Self {
        let (row_of, potentials) = (vec![None; columns + 1], vec![0.0; columns + 1]);
        Self { cost, columns, rows: vec![0.0; rows], potentials, row_of }
    }

    /// The cost of a pair beyond its potentials.
    fn excess(&self, row: usize, column: usize) -> f64 {
        let cost = self.cost[row * self.columns + column];
        let cost = if cost.is_finite() { cost } else { FORBIDDEN };
        cost - self.rows[row] - self.potentials[column]
    }

    /// Adds a row along the shortest path from it to a free column, found as in Dijkstra's algorithm.
    fn augment(&mut self, row: usize) {
        let start = self.columns;
        self.row_of[start] = Some(row);
        let mut distance = vec![f64::INFINITY; self.columns];
        let mut before = vec![start; self.columns];
        let mut visited = vec![false; self.columns + 1];
        let mut column = start;
        while let Some(row) = self.row_of[column] {
            visited[column] = true;
            let mut nearest = None;
            for next in (0..self.columns).filter(|&next| !visited[next]) {
                let excess = self.excess(row, next);
                if excess < distance[next] {
                    (distance[next], before[next]) = (excess, column);
                }
                if nearest.is_none_or(|nearest| distance[next] < distance[nearest]) {
                    nearest = Some(next);
                }
            }
            let Some(nearest) = nearest else { return };
            self.shift(distance[nearest], &visited, &mut distance);
            column = nearest;
        }
        while column != start {
            self.row_of[column] = self.row_of[before[column]];
            column = before[column];
        }
    }

    /// Moves the potentials of the visited rows and columns by the length of the next edge.
    fn shift(&mut self, length: f64, visited: &[bool], distance: &mut [f64]) {
        for (column, visited) in visited.iter().enumerate() {
            if !visited {
                distance[column] -= length;
            } else if let Some(row) = self.row_of[column] {
                self.rows[row] += length;
                self.potentials[column] -= length;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Purpose, Stream};

    fn total(cost: &[f64], columns: usize, column_of: &[usize]) -> f64 {
        column_of.iter().enumerate().map(|(row, column)| cost[row * columns + column]).sum()
    }

    /// The smallest total over all ways to choose columns for the rows from `row` on.
    fn smallest(cost: &[f64], (rows, columns): (usize, usize), row: usize, taken: &mut Vec<usize>) -> f64 {
        if row == rows {
            return 0.0;
        }
        let mut best = f64::INFINITY;
        for column in 0..columns {
            if !taken.contains(&column) {
                taken.push(column);
                best = best.min(cost[row * columns + column] + smallest(cost, (rows, columns), row + 1, taken));
                taken.pop();
            }
        }
        best
    }

    #[test]
    fn totals_are_the_smallest_of_all_assignments() {
        let mut stream = Stream::derive(4, Purpose::Measure, 0, 0);
        for (rows, columns) in [(0, 0), (0, 3), (1, 1), (1, 4), (2, 2), (3, 5), (5, 5), (6, 6), (4, 7)] {
            for _ in 0..40 {
                // Integers have ties, and exact sums.
                let cost: Vec<f64> = (0..rows * columns).map(|_| f64::from(stream.below(9)) - 3.0).collect();
                let found = assign(&cost, rows, columns);
                let mut distinct = found.clone();
                distinct.sort_unstable();
                distinct.dedup();
                assert_eq!(distinct.len(), rows, "{found:?}");
                let expected = smallest(&cost, (rows, columns), 0, &mut Vec::new());
                assert!((total(&cost, columns, &found) - expected).abs() < 1e-9, "{rows} × {columns}: {cost:?}");
            }
        }
    }

    #[test]
    fn a_forbidden_pair_is_the_last_choice() {
        let (no, nan) = (f64::INFINITY, f64::NAN);
        assert_eq!(assign(&[1.0, no, nan, 2.0], 2, 2), [0, 1]);
        assert_eq!(assign(&[1.0, 5.0, nan, nan], 2, 2), [0, 1]);
        assert_eq!(assign(&[no; 4], 2, 2).len(), 2);
    }

    #[test]
    #[should_panic(expected = "at least as many columns")]
    fn more_rows_than_columns_are_refused() {
        assert_eq!(assign(&[0.0; 2], 2, 1).len(), 2);
    }
}

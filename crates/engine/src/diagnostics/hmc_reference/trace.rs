//! Traces: numbers of every draw in their order, thinned evenly where they are too many.

/// Rule for the rows that are kept: every 2ᵏ-th, with the smallest k for which they are at most `most`.
#[derive(Clone, Copy, Debug)]
pub(super) struct KeptRows {
    most: usize,
    kept: usize,
    stride: u64,
    seen: u64,
}

impl KeptRows {
    /// At most `most` rows, and at least 8.
    pub(super) fn new(most: usize) -> Self {
        Self { most: most.max(8), kept: 0, stride: 1, seen: 0 }
    }

    /// Whether the next row is kept, and whether every second of those kept so far is dropped before, from the second on.
    pub(super) fn next(&mut self) -> (bool, bool) {
        let number = self.seen;
        self.seen += 1;
        if !number.is_multiple_of(self.stride) {
            return (false, false);
        }
        let halve = self.kept == self.most;
        if halve {
            self.kept = self.kept.div_ceil(2);
            self.stride *= 2;
        }
        let keep = number.is_multiple_of(self.stride);
        self.kept += usize::from(keep);
        (keep, halve)
    }
}

/// Several numbers in every row.
#[derive(Debug)]
pub(super) struct ThinnedTrace {
    /// All rows of each number.
    columns: Vec<Vec<f64>>,
    rows: KeptRows,
}

impl ThinnedTrace {
    pub(super) fn new(numbers: usize, most: usize) -> Self {
        Self { columns: vec![Vec::new(); numbers], rows: KeptRows::new(most) }
    }

    /// Adds a row, if it is one that is kept.
    pub(super) fn push(&mut self, of: impl Fn(usize) -> f64) {
        let (keep, halve) = self.rows.next();
        for (number, column) in self.columns.iter_mut().enumerate() {
            if halve {
                let half = column.len().div_ceil(2);
                (0..half).for_each(|row| column[row] = column[2 * row]);
                column.truncate(half);
            }
            if keep {
                column.push(of(number));
            }
        }
    }

    /// The rows of some numbers.
    pub(super) fn columns(&self, numbers: std::ops::Range<usize>) -> Vec<&[f64]> {
        self.columns[numbers].iter().map(Vec::as_slice).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_thinned_evenly() {
        for most in [8, 9] {
            let mut trace = ThinnedTrace::new(2, most);
            for row in 0..100_u8 {
                trace.push(|number| f64::from(row) + 1000.0 * number as f64);
                let column = trace.columns(0..1)[0];
                let apart = if row == 0 { 1.0 } else { column.get(1).copied().unwrap_or(1.0) };
                assert!(column.len() <= most && column.len() >= (usize::from(row) + 1).min(most) / 2);
                assert!(column.iter().enumerate().all(|(index, value)| (value - apart * index as f64).abs() < 1e-9));
            }
            let other = trace.columns(1..2)[0];
            assert!(other.iter().zip(trace.columns(0..1)[0]).all(|(b, a)| (b - a - 1000.0).abs() < 1e-9));
        }
    }
}

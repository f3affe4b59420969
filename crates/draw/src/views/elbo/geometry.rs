//! Estimates of the evidence lower bound (ELBO) against steps, reduced to columns of the screen.
//!
//! Estimates are summed up in blocks of [`BLOCK`] steps, and of twice as many on each next level, aligned at the first
//! step. The cost of a new step does not depend on the length of the run. The cost of a column is about the logarithm
//! of the number of its steps, on linear and on logarithmic axes.

use std::ops::Range;

use engine::session::FitTrace;

/// Steps in the smallest block.
const BLOCK: usize = 16;

/// The estimates of some steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// Steps that have an estimate.
    pub count: usize,
    /// Sum of the estimates.
    sum: f64,
    /// The smallest estimate; for a single step, its estimate minus its standard error.
    pub low: f64,
    /// The largest estimate; for a single step, its estimate plus its standard error.
    pub high: f64,
    /// Number of shortened or skipped steps, from the start of the run to the last of these steps.
    pub guards: u64,
}

impl Span {
    /// The estimates of no steps.
    pub const EMPTY: Self = Self { count: 0, sum: 0.0, low: f64::INFINITY, high: f64::NEG_INFINITY, guards: 0 };

    /// The mean of the estimates; `None` without any.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / self.count as f64)
    }

    /// The estimates of both.
    fn merged(self, other: Self) -> Self {
        Self {
            count: self.count + other.count,
            sum: self.sum + other.sum,
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            guards: self.guards.max(other.guards),
        }
    }
}

/// The estimates that fall into a column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Column {
    /// The middle of their steps.
    pub step: f64,
    /// The estimates.
    pub span: Span,
}

/// The reduced estimates of one chain; grows with its trace.
#[derive(Clone, Debug, Default)]
pub struct ElboTrace {
    chain: usize,
    /// Generation, stride and first step of the trace from which the blocks are made: a new trace has others.
    of: (u64, u64, u64),
    /// Rows of the trace at the last update.
    rows: usize,
    /// Full blocks only.
    levels: Vec<Vec<Span>>,
}

impl ElboTrace {
    /// The trace of `chain`, empty.
    #[must_use]
    pub fn new(chain: usize) -> Self {
        Self { chain, ..Self::default() }
    }

    /// Adds the new rows of the trace; starts again if it is another trace.
    pub fn update(&mut self, trace: &FitTrace, generation: u64) {
        let of = (generation, trace.stride(), if trace.rows() > 0 { trace.step(0) } else { 0 });
        if self.of != of || trace.rows() < self.rows {
            *self = Self { of, ..Self::new(self.chain) };
        }
        self.rows = trace.rows();
        for block in self.levels.first().map_or(0, Vec::len)..self.rows / BLOCK {
            self.push(0, raw(trace, self.chain, block * BLOCK..(block + 1) * BLOCK));
        }
    }

    /// Appends a block to a level, and to the levels above where it completes a pair.
    fn push(&mut self, level: usize, span: Span) {
        if self.levels.len() == level {
            self.levels.push(Vec::new());
        }
        let blocks = &mut self.levels[level];
        blocks.push(span);
        if let [.., one, other] = blocks[..]
            && blocks.len().is_multiple_of(2)
        {
            self.push(level + 1, one.merged(other));
        }
    }

    /// The estimates of the rows in a range; an update must have added them.
    fn over(&self, trace: &FitTrace, rows: Range<usize>) -> Span {
        let (mut from, mut until) = (rows.start.div_ceil(BLOCK), rows.end / BLOCK);
        if from >= until {
            let alone = rows.len() == 1;
            return rows.map(|row| single(trace, self.chain, row, alone)).fold(Span::EMPTY, Span::merged);
        }
        let ends = [rows.start..from * BLOCK, until * BLOCK..rows.end];
        let mut span = ends.into_iter().map(|end| raw(trace, self.chain, end)).fold(Span::EMPTY, Span::merged);
        for blocks in &self.levels {
            if from >= until {
                break;
            }
            if !from.is_multiple_of(2) {
                span = span.merged(blocks[from]);
                from += 1;
            }
            if !until.is_multiple_of(2) {
                until -= 1;
                span = span.merged(blocks[until]);
            }
            (from, until) = (from / 2, until / 2);
        }
        span
    }

    /// The estimates in the columns between `edges`, steps in ascending order. Columns without steps are left out. The
    /// nearest row on either side is added, so that lines reach the ends. A row that is alone in its column has its
    /// standard error as band; a column of several rows has their extremes.
    #[must_use]
    pub fn columns(&self, trace: &FitTrace, edges: &[f64]) -> Vec<Column> {
        let rows = self.rows.min(trace.rows());
        let mut bounds: Vec<usize> = edges.iter().map(|edge| row_from(trace, *edge).min(rows)).collect();
        if let (Some(first), Some(last)) = (bounds.first().copied(), bounds.last().copied()) {
            bounds.insert(0, first.saturating_sub(1));
            bounds.push((last + 1).min(rows));
        }
        let filled = bounds.windows(2).filter(|pair| pair[0] < pair[1]);
        let column = |pair: &[usize]| Column {
            step: 0.5 * as_f64(trace.step(pair[0]) + trace.step(pair[1] - 1)),
            span: self.over(trace, pair[0]..pair[1]),
        };
        filled.map(column).collect()
    }
}

/// The first row at or after a step.
#[expect(clippy::cast_sign_loss, reason = "negative values become 0")]
fn row_from(trace: &FitTrace, step: f64) -> usize {
    if trace.rows() == 0 {
        return 0;
    }
    ((step - as_f64(trace.step(0))) / as_f64(trace.stride())).ceil().max(0.0) as usize
}

/// The estimates of the given rows.
fn raw(trace: &FitTrace, chain: usize, rows: Range<usize>) -> Span {
    rows.map(|row| single(trace, chain, row, false)).fold(Span::EMPTY, Span::merged)
}

/// The estimate of a row, with its standard error if it is alone.
fn single(trace: &FitTrace, chain: usize, row: usize, alone: bool) -> Span {
    let record = trace.record(row, chain);
    let none = Span { guards: record.guards, ..Span::EMPTY };
    record.elbo.filter(|elbo| elbo.value.is_finite()).map_or(none, |elbo| {
        let error = if alone && elbo.standard_error.is_finite() { elbo.standard_error } else { 0.0 };
        Span { count: 1, sum: elbo.value, low: elbo.value - error, high: elbo.value + error, ..none }
    })
}

/// The range of values that a plot of these curves shows: the later half of each curve, the values of the horizontal
/// `lines`, and a margin. The range grows to all values if the later half then becomes only a few times smaller on the
/// screen; otherwise extreme values at the start of a run are outside the plot. `None` without values.
#[must_use]
pub fn interesting(curves: &[Vec<Column>], lines: &[f64]) -> Option<Range<f64>> {
    /// Largest factor by which the later half may become smaller.
    const SMALLER: f64 = 16.0;
    /// Margins above and below, as shares of the height.
    const MARGINS: [f64; 2] = [0.12, 0.25];
    /// The least height, as a share of the values: smaller differences are rounding errors.
    const LEAST: f64 = 1e-6;
    let means = |curve: &[Column]| curve.iter().filter_map(|column| column.span.mean()).collect::<Vec<f64>>();
    let all: Vec<Vec<f64>> = curves.iter().map(|curve| means(curve)).collect();
    let late = || {
        all.iter().flat_map(|means| &means[means.len() / 2..]).chain(lines).copied().filter(|value| value.is_finite())
    };
    let (low, high) = (late().fold(f64::INFINITY, f64::min), late().fold(f64::NEG_INFINITY, f64::max));
    if low > high {
        return None;
    }
    let missing = (LEAST * high.abs().max(1.0) - (high - low)).max(0.0);
    let (low, high) = (low - 0.5 * missing, high + 0.5 * missing);
    let least = SMALLER * (high - low);
    let lowest = all.iter().flatten().copied().fold(low, f64::min);
    let low = if high - lowest <= least { lowest } else { low };
    let highest = all.iter().flatten().copied().fold(high, f64::max);
    let high = if highest - low <= least { highest } else { high };
    let height = high - low;
    Some(low - MARGINS[1] * height..high + MARGINS[0] * height)
}

fn as_f64(step: u64) -> f64 {
    step as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use samplers::methods::{Estimate, FitRecord};

    fn record(step: u64) -> FitRecord {
        let phase = step as f64;
        let value = -3.0 + (phase * 0.37).sin() - 20.0 / (1.0 + phase);
        let elbo = (step > 0).then_some(Estimate { value, standard_error: 0.25 });
        FitRecord { elbo, guards: step / 100, ..FitRecord::default() }
    }

    fn trace(from: u64, steps: u64) -> FitTrace {
        FitTrace::of(
            from,
            &(from..=from + steps).map(|step| vec![FitRecord::default(), record(step)]).collect::<Vec<_>>(),
        )
    }

    /// The estimates of a range, computed without blocks.
    fn naive(rows: Range<u64>) -> Span {
        let span = |step: u64| {
            let FitRecord { elbo, guards, .. } = record(step);
            let none = Span { guards, ..Span::EMPTY };
            elbo.map_or(none, |elbo| Span { count: 1, sum: elbo.value, low: elbo.value, high: elbo.value, ..none })
        };
        rows.map(span).fold(Span::EMPTY, Span::merged)
    }

    fn same(one: &Span, other: &Span) {
        assert_eq!((one.count, one.guards), (other.count, other.guards));
        assert_eq!((one.low.to_bits(), one.high.to_bits()), (other.low.to_bits(), other.high.to_bits()));
        assert!((one.sum - other.sum).abs() < 1e-9 * (1.0 + other.sum.abs()));
    }

    #[test]
    fn blocks_give_the_same_sums_as_single_steps_for_any_range() {
        let mut reduced = ElboTrace::new(1);
        for steps in [0, 1, 15, 16, 17, 700, 4096, 5003] {
            reduced.update(&trace(0, steps), 1);
        }
        let trace = trace(0, 5003);
        for rows in [0..5004, 0..2, 3..19, 16..32, 15..33, 100..1700, 4990..5004, 512..4608, 7..7] {
            let steps = rows.start as u64..rows.end as u64;
            if rows.len() != 1 {
                same(&reduced.over(&trace, rows), &naive(steps));
            }
        }
    }

    #[test]
    fn columns_contain_every_step_once_on_linear_and_logarithmic_axes() {
        let trace = trace(7, 3000);
        let mut reduced = ElboTrace::new(1);
        reduced.update(&trace, 1);
        let linear: Vec<f64> = (0..=300).map(|edge| f64::from(edge) * 10.2).collect();
        let log: Vec<f64> = (0..=300).map(|edge| 10f64.powf(f64::from(edge) * 0.012)).collect();
        for edges in [linear, log] {
            let columns = reduced.columns(&trace, &edges);
            assert!(columns.len() <= 302);
            assert_eq!(columns.iter().map(|column| column.span.count).sum::<usize>(), 3001);
            assert!(columns.windows(2).all(|pair| pair[0].step < pair[1].step));
            assert_eq!(columns.last().unwrap().span.guards, 30);
        }
    }

    #[test]
    fn close_up_every_step_is_alone_with_its_standard_error_and_lines_reach_the_ends() {
        let trace = trace(0, 100);
        let mut reduced = ElboTrace::new(1);
        reduced.update(&trace, 1);
        let edges: Vec<f64> = (0..=400).map(|edge| 20.5 + f64::from(edge) * 0.025).collect();
        let columns = reduced.columns(&trace, &edges);
        let steps: Vec<f64> = columns.iter().map(|column| column.step).collect();
        assert_eq!(steps, (20..=31).map(f64::from).collect::<Vec<_>>());
        assert!(columns.iter().all(|column| (column.span.high - column.span.low - 0.5).abs() < 1e-12));
    }

    #[test]
    fn another_trace_starts_again() {
        let mut reduced = ElboTrace::new(1);
        reduced.update(&trace(0, 500), 1);
        for (other, generation) in [(trace(0, 40), 1), (trace(300, 40), 1), (trace(300, 40), 2)] {
            reduced.update(&other, generation);
            let columns = reduced.columns(&other, &[0.0, 1e9]);
            let count: usize = columns.iter().map(|column| column.span.count).sum();
            assert_eq!(count, if other.step(0) == 0 { 40 } else { 41 });
        }
        reduced.update(&FitTrace::of(0, &[]), 3);
        assert!(reduced.columns(&FitTrace::of(0, &[]), &[0.0, 10.0]).is_empty());
    }

    fn curve(values: &[f64]) -> Vec<Column> {
        let span = |value: f64| Span { count: 1, sum: value, low: value, high: value, guards: 0 };
        values.iter().zip(0..).map(|(value, step)| Column { step: f64::from(step), span: span(*value) }).collect()
    }

    #[test]
    fn the_end_of_a_curve_is_visible_whatever_its_start() {
        let short = interesting(&[curve(&[-14.0, -13.9, -13.8, -13.78])], &[-13.737]).unwrap();
        assert!(short.contains(&-14.0) && short.contains(&-13.737), "{short:?}");
        let wild = interesting(&[curve(&[-1e6, -300.0, -186.0, -185.3, -185.21, -185.2])], &[-185.147]).unwrap();
        assert!(!wild.contains(&-300.0) && wild.contains(&-185.3) && wild.contains(&-185.147), "{wild:?}");
        assert!(wild.end - wild.start < 0.3);
        let above = interesting(&[curve(&[1e9, -1.0, -1.1, -1.0])], &[-0.5]).unwrap();
        assert!(above.end < 0.0);
        let exact = interesting(&[curve(&[-2.5; 9])], &[-2.5]).unwrap();
        assert!(exact.start < -2.5 && exact.end > -2.5);
        assert_eq!(interesting(&[Vec::new()], &[]), None);
        assert!(interesting(&[], &[-3.0]).is_some());
    }
}

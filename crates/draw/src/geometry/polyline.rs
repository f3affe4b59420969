//! Polylines with fewer points: decimation to columns of the screen, and simplification within a tolerance.

/// Heights in one column that differ by less than this, in widths of a column, count as one.
const SAME: f32 = 0.5;

/// The graph through `points`, whose first coordinates do not decrease, with at most two points in each column of
/// width 1: the lowest and the highest, or one if both have about the same height. The first and the last point stay.
/// A line through the result looks like a line through all points.
#[must_use]
pub fn decimated(points: impl IntoIterator<Item = [f32; 2]>) -> Vec<[f32; 2]> {
    let mut kept: Vec<[f32; 2]> = Vec::new();
    let mut column: Option<Column> = None;
    for point in points {
        if kept.is_empty() {
            kept.push(point);
        }
        match &mut column {
            Some(column) if column.number.to_bits() == point[0].floor().to_bits() => column.add(point),
            _ => {
                if let Some(full) = column.replace(Column::new(point)) {
                    full.keep(&mut kept);
                }
            }
        }
    }
    if let Some(column) = column {
        column.keep(&mut kept);
        if kept.last() != Some(&column.last) {
            kept.push(column.last);
        }
    }
    kept
}

/// The lowest, the highest and the last point of a column.
#[derive(Clone, Copy)]
struct Column {
    number: f32,
    low: [f32; 2],
    high: [f32; 2],
    last: [f32; 2],
    /// Whether the lowest is before the highest.
    rising: bool,
}

impl Column {
    fn new(point: [f32; 2]) -> Self {
        Self { number: point[0].floor(), low: point, high: point, last: point, rising: true }
    }

    fn add(&mut self, point: [f32; 2]) {
        if point[1] < self.low[1] {
            (self.low, self.rising) = (point, false);
        }
        if point[1] > self.high[1] {
            (self.high, self.rising) = (point, true);
        }
        self.last = point;
    }

    fn keep(self, kept: &mut Vec<[f32; 2]>) {
        let [early, late] = if self.rising { [self.low, self.high] } else { [self.high, self.low] };
        let apart = self.high[1] - self.low[1] > SAME;
        let points = if apart { [Some(early), Some(late)] } else { [Some(late), None] };
        for point in points.into_iter().flatten() {
            if kept.last() != Some(&point) {
                kept.push(point);
            }
        }
    }
}

/// Sine of the angle below which a corner that leads back is a reversal.
const REVERSAL: f64 = 1e-3;

/// A line in parts without a corner at which it goes back the way that it came: each begins where the one before ends. Repeated points are
/// left out, and a point that is nowhere ends a part.
///
/// A thick line has no direction at such a corner. Where it is joined there all the same, rounding makes a spike of any length of it.
#[must_use]
pub fn without_reversals(points: impl IntoIterator<Item = [f32; 2]>) -> Vec<Vec<[f32; 2]>> {
    let mut parts: Vec<Vec<[f32; 2]>> = vec![Vec::new()];
    for point in points {
        let Some(part) = parts.last_mut() else { break };
        if !point.iter().all(|coordinate| coordinate.is_finite()) {
            parts.push(Vec::new());
            continue;
        }
        if part.last() == Some(&point) {
            continue;
        }
        match part[..] {
            [.., before, last] if is_reversed(before, last, point) => parts.push(vec![last, point]),
            _ => part.push(point),
        }
    }
    parts.retain(|part| part.len() > 1);
    parts
}

/// Whether the way from the second point to the third leads back to the first.
fn is_reversed(first: [f32; 2], second: [f32; 2], third: [f32; 2]) -> bool {
    let way = |from: [f32; 2], to: [f32; 2]| [0, 1].map(|axis: usize| f64::from(to[axis]) - f64::from(from[axis]));
    let ([ax, ay], [bx, by]) = (way(first, second), way(second, third));
    let lengths = ax.hypot(ay) * bx.hypot(by);
    ax * bx + ay * by < 0.0 && (ax * by - ay * bx).abs() < REVERSAL * lengths
}

/// The points of a line without those that are within `tolerance` of the line through the others (Douglas and Peucker
/// 1973). The first and the last point stay.
#[must_use]
pub fn simplified(points: &[[f64; 2]], tolerance: f64) -> Vec<[f64; 2]> {
    let mut keep = vec![false; points.len()];
    let mut open = Vec::new();
    if let Some(last) = points.len().checked_sub(1) {
        (keep[0], keep[last]) = (true, true);
        // A closed line is cut into halves, since the distance from a chord of length zero has no meaning.
        let closed = points[0].map(f64::to_bits) == points[last].map(f64::to_bits);
        let middle = if closed { farthest(points, 0, last).map(|(index, _)| index) } else { None };
        match middle {
            Some(middle) => {
                keep[middle] = true;
                open.extend([(0, middle), (middle, last)]);
            }
            None => open.push((0, last)),
        }
    }
    while let Some((from, until)) = open.pop() {
        if let Some((index, distance)) = farthest(points, from, until)
            && distance > tolerance
        {
            keep[index] = true;
            open.extend([(from, index), (index, until)]);
        }
    }
    points.iter().zip(keep).filter(|(_, keep)| *keep).map(|(point, _)| *point).collect()
}

/// The point between two others that is farthest from the line through them, and its distance.
fn farthest(points: &[[f64; 2]], from: usize, until: usize) -> Option<(usize, f64)> {
    let ([ax, ay], [bx, by]) = (points[from], points[until]);
    let (dx, dy) = (bx - ax, by - ay);
    let length = dx.hypot(dy);
    let distance = |[x, y]: [f64; 2]| {
        if length > 0.0 { ((x - ax) * dy - (y - ay) * dx).abs() / length } else { (x - ax).hypot(y - ay) }
    };
    let between = (from + 1..until).map(|index| (index, distance(points[index])));
    between.max_by(|a, b| a.1.total_cmp(&b.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wave(count: usize, per_point: f32, height: f32) -> Vec<[f32; 2]> {
        (0..count).map(|index| index as f32 * per_point).map(|x| [x, height * (7.3 * x).sin()]).collect()
    }

    #[test]
    fn a_sparse_line_stays_as_it_is() {
        let points = wave(100, 1.5, 40.0);
        assert_eq!(decimated(points.clone()), points);
        assert!(decimated(Vec::new()).is_empty());
    }

    #[test]
    fn a_dense_line_has_two_points_per_column_and_keeps_its_extremes() {
        let points = wave(100_000, 0.01, 40.0);
        let kept = decimated(points.clone());
        assert!(kept.len() <= 2 * 1001 + 2, "{} points", kept.len());
        for column in 0..1000_u16 {
            let within = |point: &&[f32; 2]| (point[0].floor() - f32::from(column)).abs() < 0.5;
            let range = |points: &[[f32; 2]]| {
                let heights = points.iter().filter(within).map(|point| point[1]);
                heights.fold((f32::MAX, f32::MIN), |(low, high), y| (low.min(y), high.max(y)))
            };
            let ((low, high), (all_low, all_high)) = (range(&kept), range(&points));
            assert!((low - all_low).abs() <= SAME && (high - all_high).abs() <= SAME, "column {column}");
        }
        assert_eq!((kept.first(), kept.last()), (points.first(), points.last()));
    }

    #[test]
    fn a_smooth_line_has_one_point_per_column() {
        let points: Vec<[f32; 2]> = wave(10_000, 0.1, 0.2);
        assert!(decimated(points).len() <= 1002);
    }

    #[test]
    fn a_circle_keeps_its_shape_with_few_points() {
        let circle = |index: i32| {
            let angle = f64::from(index % 1000) / 1000.0 * std::f64::consts::TAU;
            [angle.cos(), angle.sin()]
        };
        let points: Vec<[f64; 2]> = (0..=1000).map(circle).collect();
        let kept = simplified(&points, 1e-3);
        assert!((40..=140).contains(&kept.len()), "{} points", kept.len());
        assert_eq!(kept.first(), kept.last());
        for pair in kept.windows(2) {
            let middle = [(pair[0][0] + pair[1][0]) / 2.0, (pair[0][1] + pair[1][1]) / 2.0];
            assert!(1.0 - middle[0].hypot(middle[1]) <= 1.001e-3, "a chord leaves the circle");
        }
    }

    #[test]
    fn a_line_is_cut_where_it_turns_back() {
        let there_and_back = [[0.0, 0.0], [3.0, 1.0], [6.0, 2.0], [3.0, 1.0], [9.0, 3.0]];
        let parts = without_reversals(there_and_back);
        assert_eq!(
            parts,
            [vec![[0.0, 0.0], [3.0, 1.0], [6.0, 2.0]], vec![[6.0, 2.0], [3.0, 1.0]], vec![[3.0, 1.0], [9.0, 3.0]]]
        );
        let sharp = vec![[0.0, 0.0], [10.0, 0.0], [0.0, 1.0]];
        assert_eq!(without_reversals(sharp.clone()), [sharp], "a sharp corner is none");
        let twice = [[0.0, 0.0], [1.0, 0.0], [1.0, 0.0], [1.0, 0.0], [1.0, 1.0], [f32::NAN, 0.0], [5.0, 5.0]];
        assert_eq!(without_reversals(twice), [vec![[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]]]);
        assert!(without_reversals([]).is_empty() && without_reversals([[1.0, 1.0]; 3]).is_empty());
    }

    #[test]
    fn short_lines_are_kept() {
        for points in [vec![], vec![[1.0, 2.0]], vec![[0.0, 0.0], [1.0, 1.0]]] {
            assert_eq!(simplified(&points, 0.1), points);
        }
        assert_eq!(simplified(&[[0.0, 0.0], [1.0, 0.01], [2.0, 0.0]], 0.1), [[0.0, 0.0], [2.0, 0.0]]);
    }
}

//! Logarithmic axes of the coverage plot: whole decades around all points, with a lowest end.

use crate::words::numbers;

/// Ends of the decades that are always shown: a thousandth of a nat, and ten nats.
const LOW: i32 = -3;
const HIGH: i32 = 1;

/// The lowest end of an axis; smaller values are drawn on it.
const LOWEST: i32 = -6;

/// Margin beyond the ends, in decades, so that markers on the edge are not cut.
const MARGIN: f64 = 0.12;

/// The ends of both axes, as powers of ten.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    low: [i32; 2],
    high: [i32; 2],
    /// Whether a value is below an end.
    below: [bool; 2],
}

impl Scale {
    /// Axes around these points, within the limits.
    pub fn of(points: impl Iterator<Item = [f64; 2]>) -> Self {
        let mut scale = Self { low: [LOW; 2], high: [HIGH; 2], below: [false; 2] };
        for point in points {
            for (axis, value) in point.into_iter().enumerate() {
                if value <= 0.0 {
                    scale.below[axis] = true;
                    continue;
                }
                let log = value.log10();
                scale.low[axis] = scale.low[axis].min(decade(log.floor()));
                scale.high[axis] = scale.high[axis].max(decade(log.ceil()));
                scale.below[axis] |= log < f64::from(LOWEST);
            }
        }
        scale
    }

    /// The corners of the plot, in powers of ten.
    pub fn bounds(self) -> ([f64; 2], [f64; 2]) {
        (self.low.map(|low| f64::from(low) - MARGIN), self.high.map(|high| f64::from(high) + MARGIN))
    }

    /// The position of a point, in powers of ten.
    pub fn position(self, point: [f64; 2]) -> [f64; 2] {
        std::array::from_fn(|axis| point[axis].max(0.0).log10().max(f64::from(self.low[axis])))
    }

    /// Whether a point is on the edge because a value is below it.
    pub fn at_edge(self, point: [f64; 2]) -> bool {
        (0..2).any(|axis| point[axis] < 10f64.powi(self.low[axis]))
    }

    /// The remark about points on an edge, if there are any.
    pub fn edge(self) -> Option<String> {
        let axis = (0..2).find(|&axis| self.below[axis])?;
        Some(format!("on the edge: {} nats or less", numbers::power_of_ten(self.low[axis])))
    }
}

/// A decade that an axis may end with.
fn decade(log: f64) -> i32 {
    log.clamp(f64::from(LOWEST), 6.0) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_contain_all_points_in_whole_decades() {
        let scale = Scale::of([[0.5, 2e-5], [3.0, 40.0]].into_iter());
        assert_eq!((scale.low, scale.high), ([-3, -5], [1, 2]));
        assert_eq!(Scale::of(std::iter::empty()), Scale::of([[0.01, 1.0]].into_iter()));
        assert_eq!(scale.edge(), None);
        assert!(!scale.at_edge([0.5, 2e-5]));
    }

    #[test]
    fn values_below_the_lowest_end_are_on_it_with_a_remark() {
        let scale = Scale::of([[0.0, 1e-9]].into_iter());
        for (point, expected) in [([0.0, 1e-9], [-3.0, -6.0]), ([0.1, 1.0], [-1.0, 0.0])] {
            let position = scale.position(point);
            assert!((0..2).all(|axis| (position[axis] - expected[axis]).abs() < 1e-12), "{position:?}");
        }
        assert!(scale.at_edge([0.0, 1.0]) && !scale.at_edge([0.001, 1.0]));
        assert_eq!(scale.edge().unwrap(), "on the edge: 10⁻³ nats or less");
    }
}

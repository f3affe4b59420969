//! Sums of first and second powers of the draws, from which mean and covariance follow.
//!
//! They are taken about a fixed centre, the mean of the target, without a division per draw. That loses twice as many
//! digits as the distance of the draws from it has more than their spread: at 10⁴ spreads from the mean, a
//! covariance keeps eight. Draws go to eight lanes in turn, so that vector instructions add eight at once and the sums
//! have the same bits however the draws are cut over calls.

use base::math::{Gaussian, Matrix, Point};

/// Partial sums of each power. A number with which rows of chains divide well.
const LANES: usize = 8;

type Lanes = [f64; LANES];

/// Weighted sums over draws of dx, dy, dx², dx dy and dy², d being the deviation from the centre.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct MomentSums {
    centre: Point,
    /// On the line y counts as the centre's.
    planar: bool,
    /// The lane of the next draw.
    next: usize,
    powers: [Lanes; 5],
}

impl MomentSums {
    pub fn new(centre: Point, planar: bool) -> Self {
        Self { centre, planar, next: 0, powers: [[0.0; LANES]; 5] }
    }

    /// Adds draws of equal weight; those that are not finite take their turn and add nothing.
    #[inline(always)]
    pub fn add<const FINITE: bool>(&mut self, weight: f64, x: &[f64], y: &[f64]) {
        let lead = ((LANES - self.next) % LANES).min(x.len());
        for (x, y) in x.iter().zip(y).take(lead) {
            self.add_one(weight, *x, *y);
        }
        let (blocks_x, rest_x) = x[lead..].as_chunks::<LANES>();
        let (blocks_y, rest_y) = y[lead..].as_chunks::<LANES>();
        let mut powers = self.powers;
        for (x, y) in blocks_x.iter().zip(blocks_y) {
            for lane in 0..LANES {
                let [a, b, c, d, e] = self.terms::<FINITE>(weight, x[lane], y[lane]);
                powers[0][lane] += a;
                powers[1][lane] += b;
                powers[2][lane] += c;
                powers[3][lane] += d;
                powers[4][lane] += e;
            }
        }
        self.powers = powers;
        for (x, y) in rest_x.iter().zip(rest_y) {
            self.add_one(weight, *x, *y);
        }
    }

    #[inline(always)]
    fn add_one(&mut self, weight: f64, x: f64, y: f64) {
        let terms = self.terms::<false>(weight, x, y);
        for (lanes, term) in self.powers.iter_mut().zip(terms) {
            lanes[self.next] += term;
        }
        self.next = (self.next + 1) % LANES;
    }

    #[inline(always)]
    fn terms<const FINITE: bool>(&self, weight: f64, x: f64, y: f64) -> [f64; 5] {
        let finite = FINITE | ((x.abs() < f64::INFINITY) & (y.abs() < f64::INFINITY));
        let dx = if finite { x - self.centre.x } else { 0.0 };
        let dy = if finite & self.planar { y - self.centre.y } else { 0.0 };
        let (wx, wy) = (weight * dx, weight * dy);
        [wx, wy, wx * dx, wx * dy, wy * dy]
    }

    /// Adds other sums; they must have the same centre.
    pub fn merge(&mut self, other: &Self) {
        self.next = (self.next + other.next) % LANES;
        for (lanes, others) in self.powers.iter_mut().zip(&other.powers) {
            lanes.iter_mut().zip(others).for_each(|(lane, other)| *lane += other);
        }
    }

    /// Mean and covariance (divided by the total weight) for draws of this weight; `None` without any.
    pub fn gaussian(&self, weight: f64) -> Option<Gaussian> {
        if weight <= 0.0 {
            return None;
        }
        let [x, y, xx, xy, yy] = self.powers.map(|lanes| lanes.iter().sum::<f64>() / weight);
        // What rounding leaves of a variance of 0 may be negative; NaN must stay.
        let variance = |variance: f64| if variance < 0.0 { 0.0 } else { variance };
        let covariance = Matrix::new(variance(xx - x * x), xy - x * y, xy - x * y, variance(yy - y * y));
        let mean = if self.planar { self.centre + Point::new(x, y) } else { Point::new(self.centre.x + x, 0.0) };
        Some(Gaussian { mean, covariance })
    }
}

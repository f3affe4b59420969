//! Stochastic gradient Hamiltonian Monte Carlo on the line: a chain of positions and momenta (θ, p).
//!
//! Chen, Fox and Guestrin (2014), arXiv:1402.4102, eq. 15: p' = (1 − a) p + α g(θ) + s ξ with s² = 2α(a − β̂) + α²V, then θ' = θ + p'. The first
//! part moves and blurs along p alone, a spline deposit in every column of equal θ; the second is a shear, in every row of equal p a shift
//! by p, which is e^{−ikp} after a transform. Masses are by rows of equal p, from the lowest p.

use base::math::elementary::{exp, sin_cos_2pi};

use crate::Refusal;
use crate::chain::Chain;
use crate::convolution::{Convolution, Points};
use crate::line::{Line, response};
use crate::padding::{below, padding, whole};
use crate::spline::{BEFORE, TAPS, b_spline};

/// Complex rows that are transformed side by side, and real ones.
const ROWS: usize = 4;
const LANES: usize = 2 * ROWS;

/// Half width of the box of momenta, in units of their standard deviation √α.
const MOMENTA: f64 = 9.0;

/// A step of the chain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Friction {
    /// α > 0, the learning rate.
    pub alpha: f64,
    /// a in (0, 1], one minus the decay of momentum.
    pub friction: f64,
    /// β̂ ≥ 0, the estimate of the noise of the gradient.
    pub estimate: f64,
    /// V ≥ 0, the variance of the gradient estimate.
    pub gradient_variance: f64,
}

impl Friction {
    /// s².
    #[must_use]
    pub fn variance(&self) -> f64 {
        2.0 * self.alpha * (self.friction - self.estimate) + self.alpha * self.alpha * self.gradient_variance
    }
}

/// The chain of positions and momenta on a grid.
#[derive(Clone, Debug)]
pub struct PhaseSpace {
    columns: usize,
    momenta: Vec<f64>,
    /// Of the step along p.
    along_p: Convolution,
    response: Vec<f64>,
    before: usize,
    /// Place of column 0 in its padded column: (1 − a) row + offset of a column, in spacings of p.
    keep: f64,
    offsets: Vec<f64>,
    /// Of the shift along θ.
    along_theta: Convolution,
    margin: usize,
    spacing: f64,
}

impl PhaseSpace {
    /// The positions of `line`, and `rows` momenta within ±9√α.
    ///
    /// # Errors
    /// If s² is not positive or s is too narrow for the rows, for fewer than 16 or more than 1024 rows, and if something is no number.
    pub fn new(line: &Line, step: Friction, rows: usize) -> Result<Self, Refusal> {
        line.without_cliffs()?;
        let sd = step.variance().sqrt();
        let half = MOMENTA * step.alpha.sqrt();
        if !(16..=1024).contains(&rows) || !half.is_finite() || half <= 0.0 {
            return Err(Refusal::Grid { low: -half, high: half, nodes: rows, least: 16, most: 1024 });
        }
        if !(sd > 0.0 && sd.is_finite()) {
            return Err(Refusal::Unsuited("the friction leaves no noise to inject"));
        }
        let height = 2.0 * half / rows as f64;
        let momenta: Vec<f64> = (0..rows).map(|row| -half + (row as f64 + 0.5) * height).collect();
        let room = padding(sd / height, rows)?;
        let along_p = Convolution::new(rows + 2 * room);
        let before = (along_p.points() - rows) / 2;
        let keep = 1.0 - step.friction;
        // (1 − a) p + α g in rows from the first momentum.
        let offset = |g: &f64| ((keep - 1.0) * momenta[0] + step.alpha * g) / height;
        let offsets = line.gradients().iter().map(offset).collect();
        // A shift by the largest momentum, as a blur of a ninth of it.
        let margin = padding(half / line.spacing() / 9.0, line.nodes().len())? + 16;
        let along_theta = Convolution::new(line.nodes().len() + 2 * margin);
        Ok(Self {
            columns: line.nodes().len(),
            response: response(along_p.points(), sd / height),
            along_p,
            momenta,
            before,
            keep,
            offsets,
            margin: (along_theta.points() - line.nodes().len()) / 2,
            along_theta,
            spacing: line.spacing(),
        })
    }

    /// Momenta of the rows, ascending.
    #[must_use]
    pub fn momenta(&self) -> &[f64] {
        &self.momenta
    }

    /// Masses of independent positions and momenta: those given at the nodes of the line, and N(0, α).
    #[must_use]
    pub fn product(&self, positions: &[f64]) -> Vec<f64> {
        let sd = self.momenta[self.momenta.len() - 1] / MOMENTA;
        let momenta: Vec<f64> = self.momenta.iter().map(|p| exp(-0.5 * (p / sd) * (p / sd))).collect();
        let total: f64 = momenta.iter().sum();
        momenta.iter().flat_map(|p| positions.iter().map(move |mass| mass * p / total)).collect()
    }

    fn spot(&self, row: usize, column: usize) -> Option<(usize, [f64; TAPS])> {
        let place = self.keep * row as f64 + self.offsets[column] + self.before as f64;
        if !(place >= BEFORE as f64 && place < (self.along_p.points() - TAPS) as f64) {
            return None;
        }
        let below = below(place);
        Some((whole(below) - BEFORE, b_spline(place - below)))
    }

    /// Friction, force and noise, or their adjoint, in eight columns at a time.
    fn kick(&self, masses: &mut [f64], adjoint: bool) {
        let rows = self.momenta.len();
        let mut memory = Vec::new();
        for first in (0..self.columns).step_by(LANES) {
            let lanes = LANES.min(self.columns - first);
            let mut tile: Vec<Points<ROWS>> = vec![[[0.0; ROWS]; 2]; self.along_p.points()];
            for lane in 0..lanes {
                let (part, lane_of) = (lane / ROWS, lane % ROWS);
                for row in 0..rows {
                    let mass = masses[row * self.columns + first + lane];
                    if adjoint {
                        tile[self.before + row][part][lane_of] = mass;
                    } else if let Some((from, weights)) = self.spot(row, first + lane) {
                        for (point, weight) in tile[from..from + TAPS].iter_mut().zip(weights) {
                            point[part][lane_of] += mass * weight;
                        }
                    }
                }
            }
            self.along_p.apply(&self.response, &mut tile, &mut memory);
            for lane in 0..lanes {
                let (part, lane_of) = (lane / ROWS, lane % ROWS);
                for row in 0..rows {
                    let value = if !adjoint {
                        tile[self.before + row][part][lane_of]
                    } else if let Some((from, weights)) = self.spot(row, first + lane) {
                        tile[from..from + TAPS]
                            .iter()
                            .zip(weights)
                            .map(|(point, weight)| point[part][lane_of] * weight)
                            .sum()
                    } else {
                        0.0
                    };
                    masses[row * self.columns + first + lane] = value;
                }
            }
        }
    }

    /// θ ← θ + p, or back.
    fn shear(&self, masses: &mut [f64], back: bool) {
        let points = self.along_theta.points();
        let mut memory = Vec::new();
        for (rows, momenta) in masses.chunks_mut(ROWS * self.columns).zip(self.momenta.chunks(ROWS)) {
            let mut tile: Vec<Points<ROWS>> = vec![[[0.0; ROWS]; 2]; points];
            for (lane, row) in rows.chunks(self.columns).enumerate() {
                tile[self.margin..].iter_mut().zip(row).for_each(|(point, mass)| point[0][lane] = *mass);
            }
            self.along_theta.transform(&mut tile, &mut memory);
            for (k, point) in tile.iter_mut().enumerate() {
                let frequency = if 2 * k > points { k as f64 - points as f64 } else { k as f64 };
                for (lane, p) in momenta.iter().enumerate() {
                    let shift = if back { -p / self.spacing } else { p / self.spacing };
                    let (sine, cosine) = sin_cos_2pi(-frequency * shift / points as f64);
                    // At the highest frequency only the even part is real.
                    let (sine, scale) = (if 2 * k == points { 0.0 } else { sine }, 1.0 / points as f64);
                    let (re, im) = (point[0][lane], point[1][lane]);
                    point[0][lane] = (re * cosine - im * sine) * scale;
                    point[1][lane] = (re * sine + im * cosine) * scale;
                }
            }
            self.along_theta.transform(&mut tile, &mut memory);
            tile[1..].reverse();
            for (lane, row) in rows.chunks_mut(self.columns).enumerate() {
                row.iter_mut().zip(&tile[self.margin..]).for_each(|(mass, point)| *mass = point[0][lane]);
            }
        }
    }
}

impl Chain for PhaseSpace {
    fn size(&self) -> usize {
        self.columns * self.momenta.len()
    }

    fn place(&self, node: usize) -> [f64; 2] {
        let (row, column) = (node / self.columns, node % self.columns);
        [(column as f64 + 0.5) / self.columns as f64, (row as f64 + 0.5) / self.momenta.len() as f64]
    }

    fn push_masses(&self, masses: &mut Vec<f64>) {
        self.kick(masses, false);
        self.shear(masses, false);
    }

    fn pull_functions(&self, functions: &mut [Vec<f64>]) {
        for function in functions {
            self.shear(function, true);
            self.kick(function, true);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use approx::{assert_abs_diff_eq, assert_relative_eq};
    use base::math::{Purpose, Stream};

    use super::*;
    use crate::line::tests::{Normal, section};
    use crate::long_run;

    fn variances(line: &Line, space: &PhaseSpace, masses: &[f64]) -> [f64; 2] {
        let count = line.nodes().len();
        let mut sums = [0.0; 2];
        for (row, p) in masses.chunks(count).zip(space.momenta()) {
            for (mass, x) in row.iter().zip(line.nodes()) {
                sums[0] += mass * x * x;
                sums[1] += mass * p * p;
            }
        }
        sums
    }

    #[test]
    fn moments_and_eigenvalues_on_a_normal() {
        let line = Line::new(Arc::new(Normal(10.0)), -3.2, 3.2, 128).unwrap();
        let step = Friction { alpha: 0.05, friction: 0.05, estimate: 0.0, gradient_variance: 0.0 };
        let space = PhaseSpace::new(&line, step, 128).unwrap();
        let found = long_run(&space, &space.product(&line.truth().unwrap().nodes)).unwrap();
        let [theta, p] = variances(&line, &space, &found.masses);
        assert_relative_eq!(theta, 0.114_705_882_353, max_relative = 1e-10);
        assert_relative_eq!(p, 0.058_823_529_412, max_relative = 1e-10);
        assert_abs_diff_eq!(found.second.re, 0.725, epsilon = 1e-6);
        assert_abs_diff_eq!(found.second.im.abs(), 0.651_440_711, epsilon = 1e-6);
    }

    #[test]
    fn moments_on_the_double_well() {
        let line = Line::new(section("double-well", &[]), -3.0, 3.0, 128).unwrap();
        for (alpha, friction, gradient_variance, estimate, expected, digits) in [
            (0.01, 0.1, 0.0, 0.0, [0.830_883_116, 1.069_806_540], 1e-8),
            (0.01, 0.1, 4.0, 0.02, [0.830_883_116, 1.069_806_540], 1e-8),
            (0.01, 0.1, 4.0, 0.0, [0.838_896_552, 1.284_149_939], 1e-8),
            (0.05, 0.2, 4.0, 0.1, [0.822_963_413, 1.227_881_33], 6e-8),
            (0.05, 0.2, 4.0, 0.0, [0.851_929, 1.865_31], 3e-5),
        ] {
            let step = Friction { alpha, friction, estimate, gradient_variance };
            let space = PhaseSpace::new(&line, step, 128).unwrap();
            let found = long_run(&space, &space.product(&line.truth().unwrap().nodes)).unwrap();
            let [theta, p] = variances(&line, &space, &found.masses);
            assert_abs_diff_eq!(theta, expected[0], epsilon = digits);
            assert_abs_diff_eq!(p / alpha, expected[1], epsilon = digits);
        }
    }

    #[test]
    fn the_adjoint_is_the_transpose() {
        let line = Line::new(section("double-well", &[]), -3.0, 3.0, 32).unwrap();
        let step = Friction { alpha: 0.05, friction: 0.2, estimate: 0.1, gradient_variance: 4.0 };
        let space = PhaseSpace::new(&line, step, 24).unwrap();
        let mut stream = Stream::derive(1, Purpose::Measure, 0, 0);
        let mut numbers = || (0..space.size()).map(|_| stream.normal_pair().0).collect::<Vec<f64>>();
        let (masses, function) = (numbers(), numbers());
        let (mut moved, mut pulled) = (masses.clone(), [function.clone()]);
        space.push_masses(&mut moved);
        space.pull_functions(&mut pulled);
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        assert_abs_diff_eq!(dot(&moved, &function), dot(&masses, &pulled[0]), epsilon = 1e-10);
    }
}

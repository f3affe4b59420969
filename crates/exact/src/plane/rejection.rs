//! A kernel with rejection in the plane: both coordinates are proposed together, and accepted or rejected together.
//!
//! As [`DenseKernel`](crate::DenseKernel) on the line: P_ij = h² q(x_j | x_i) min(1, r_ij) for i ≠ j, and what is rejected stays. Each node keeps
//! the nodes around its proposals alone; beyond them q is below rounding, and P_ij ≤ h² q.

use base::math::elementary::{exp, ln};
use base::math::{Point, elementary::whole_bits};

use super::Plane;
use crate::Refusal;
use crate::chain::Chain;
use crate::dense::{LN_ROOT_TAU, Proposal};

/// Nodes along an axis at most.
const MOST_NODES: usize = 64;

/// Standard deviations of proposals that are kept: e⁻³⁶ is below rounding.
const REACH: f64 = 8.5;

/// The nodes that are proposed from one node, and where their values begin.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Window {
    column: usize,
    row: usize,
    columns: usize,
    rows: usize,
    first: usize,
}

/// The Metropolis–Hastings chain of a target in the plane.
#[derive(Clone, Debug, PartialEq)]
pub struct PlaneRejection {
    shape: [usize; 2],
    windows: Vec<Window>,
    /// P_ij of the windows, by rows; 0 for j = i.
    values: Vec<f64>,
    /// P_ii.
    stays: Vec<f64>,
    acceptance: f64,
}

impl PlaneRejection {
    /// The chain of a target on the nodes of a grid.
    ///
    /// # Errors
    /// If noise is narrower than a spacing, for more than 64 nodes along an axis, and if something is no number.
    pub fn new(plane: &Plane, proposal: Proposal) -> Result<Self, Refusal> {
        let (sd, drift) = proposal.sd_and_drift();
        let (shape, spacing) = (plane.shape(), plane.spacing());
        for (axis, nodes) in shape.into_iter().enumerate() {
            if nodes > MOST_NODES {
                let (low, high) = (plane.bounds.min[axis], plane.bounds.max[axis]);
                return Err(Refusal::Grid { low, high, nodes, least: super::LEAST_NODES, most: MOST_NODES });
            }
        }
        // What is no number is refused as well.
        if !(sd >= spacing.max() && sd.is_finite()) {
            return Err(Refusal::Unsuited(
                "with rejection, a grid in the plane has at most 64 × 64 nodes, and the noise of this step is narrower than their spacing",
            ));
        }
        let truth = plane.truth()?.nodes;
        let nodes: Vec<Point> = plane.nodes().collect();
        let log_mass: Vec<f64> = nodes.iter().map(|at| plane.log_density(*at)).collect();
        let gradients = plane.gradients[0].iter().zip(&plane.gradients[1]);
        let means: Vec<Point> =
            nodes.iter().zip(gradients).map(|(at, (x, y))| at + Point::new(*x, *y) * drift).collect();
        let log_scale = ln(spacing.product() / (sd * sd)) - 2.0 * LN_ROOT_TAU;
        let log_proposal = |i: usize, j: usize| log_scale - 0.5 * (nodes[j] - means[i]).norm_squared() / (sd * sd);
        let mut made = Self { shape, windows: Vec::new(), values: Vec::new(), stays: Vec::new(), acceptance: 0.0 };
        for (i, mean) in means.iter().enumerate() {
            let [columns, rows] = [0, 1].map(|axis| {
                let place = |at: f64| (at - nodes[0][axis]) / spacing[axis];
                let end = |at: f64| whole_bits(place(at).ceil().clamp(0.0, shape[axis] as f64)) as usize;
                end(mean[axis] - REACH * sd)..end(mean[axis] + REACH * sd)
            });
            let window = Window {
                column: columns.start,
                row: rows.start,
                columns: columns.len(),
                rows: rows.len(),
                first: made.values.len(),
            };
            let mut moves = 0.0;
            for row in rows {
                for j in columns.clone().map(|column| row * shape[0] + column) {
                    let (there, back) = (log_proposal(i, j), log_mass[j] + log_proposal(j, i) - log_mass[i]);
                    let chance = exp(there.min(back));
                    made.acceptance += truth[i] * chance;
                    made.values.push(if j == i { 0.0 } else { chance });
                    moves += if j == i { 0.0 } else { chance };
                }
            }
            made.stays.push(1.0 - moves);
            made.windows.push(window);
        }
        let numbers = made.values.iter().chain(&made.stays);
        if numbers.into_iter().all(|value| value.is_finite()) { Ok(made) } else { Err(Refusal::NotANumber { step: 0 }) }
    }

    /// The probability that a proposal is accepted, of a chain that is distributed as the target.
    #[must_use]
    pub fn acceptance(&self) -> f64 {
        self.acceptance
    }

    /// Rows of values of a node, and the numbers of the nodes that they lead to.
    fn rows(&self, window: &Window) -> impl Iterator<Item = (std::ops::Range<usize>, &[f64])> {
        let (window, wide) = (*window, self.shape[0]);
        (0..window.rows).map(move |row| {
            let to = (window.row + row) * wide + window.column;
            (to..to + window.columns, &self.values[window.first + row * window.columns..][..window.columns])
        })
    }
}

impl Chain for PlaneRejection {
    fn size(&self) -> usize {
        self.stays.len()
    }

    fn place(&self, node: usize) -> [f64; 2] {
        let [columns, rows] = self.shape;
        [((node % columns) as f64 + 0.5) / columns as f64, ((node / columns) as f64 + 0.5) / rows as f64]
    }

    fn push_masses(&self, masses: &mut Vec<f64>) {
        let mut moved: Vec<f64> = masses.iter().zip(&self.stays).map(|(mass, stays)| mass * stays).collect();
        for (mass, window) in masses.iter().zip(&self.windows) {
            for (to, values) in self.rows(window) {
                moved[to].iter_mut().zip(values).for_each(|(to, value)| *to += mass * value);
            }
        }
        *masses = moved;
    }

    fn pull_functions(&self, functions: &mut [Vec<f64>]) {
        for function in functions {
            let mean = |(i, window): (usize, &Window)| {
                let moved = self
                    .rows(window)
                    .map(|(to, values)| values.iter().zip(&function[to]).map(|(value, of)| value * of).sum::<f64>());
                function[i] * self.stays[i] + moved.sum::<f64>()
            };
            *function = self.windows.iter().enumerate().map(mean).collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use approx::assert_abs_diff_eq;
    use base::math::Bounds;
    use base::params::Value;

    use super::super::tests::density;
    use super::*;
    use crate::{extrapolated, long_run};

    fn tilted(nodes: usize) -> Plane {
        let parameters = [("sd", Value::Pair([1.0, 0.6])), ("correlation", Value::Number(0.8))];
        let bounds = Bounds::new((-6.0, 6.0), (-3.6, 3.6));
        Plane::new(density("gaussian", &parameters), bounds, nodes, nodes).unwrap()
    }

    #[test]
    fn the_target_is_stationary_at_the_nodes() {
        let plane = tilted(40);
        for proposal in [Proposal::RandomWalk { sd: 0.5 }, Proposal::Langevin { alpha: 0.1 }] {
            let kernel = PlaneRejection::new(&plane, proposal).unwrap();
            let truth = plane.truth().unwrap().nodes;
            let mut moved = truth.clone();
            kernel.push_masses(&mut moved);
            for (moved, mass) in moved.iter().zip(&truth) {
                assert_abs_diff_eq!(moved, mass, epsilon = 1e-15);
            }
            // Probabilities add up to 1.
            let mut one = [vec![1.0; truth.len()]];
            kernel.pull_functions(&mut one);
            assert!(one[0].iter().all(|value| (value - 1.0).abs() < 1e-14));
        }
    }

    #[test]
    fn functions_are_pulled_as_masses_are_pushed() {
        let plane = tilted(24);
        let kernel = PlaneRejection::new(&plane, Proposal::Langevin { alpha: 0.3 }).unwrap();
        let masses: Vec<f64> = (0..24 * 24).map(|i| ((i * 7) % 11) as f64).collect();
        let mut functions = [(0..24 * 24).map(|i| ((i * 5) % 13) as f64 - 6.0).collect::<Vec<f64>>()];
        let product = |masses: &[f64], function: &[f64]| masses.iter().zip(function).map(|(a, b)| a * b).sum::<f64>();
        let function = functions[0].clone();
        kernel.pull_functions(&mut functions);
        let mut pushed = masses.clone();
        kernel.push_masses(&mut pushed);
        assert_abs_diff_eq!(product(&pushed, &function), product(&masses, &functions[0]), epsilon = 1e-9);
    }

    /// Acceptance and λ₂; of the acceptance, draws of another program know ± 0.00005 and ± 0.00011.
    #[test]
    fn adjusted_langevin_on_a_tilted_normal() {
        for (alpha, acceptance, error, second) in [(0.05, 0.92420, 2e-4, 0.9625), (0.1, 0.79244, 4e-4, 0.9345)] {
            let numbers = [40, 60].map(|nodes| {
                let plane = tilted(nodes);
                let kernel = PlaneRejection::new(&plane, Proposal::Langevin { alpha }).unwrap();
                let found = long_run(&kernel, &plane.truth().unwrap().nodes).unwrap();
                [kernel.acceptance(), found.second.re]
            });
            assert_abs_diff_eq!(extrapolated(numbers[0][0], numbers[1][0], 1.5), acceptance, epsilon = error);
            assert_abs_diff_eq!(extrapolated(numbers[0][1], numbers[1][1], 1.5), second, epsilon = 3e-4);
        }
    }

    /// A random walk on a round normal, whose acceptance is E min(1, e^{−(|x'|² − |x|²)/2}): by polar coordinates a one-dimensional integral,
    /// 1 − σ/√(4 + σ²) (Sherlock and Roberts 2009, Bernoulli 15).
    #[test]
    fn random_walks_on_a_round_normal() {
        for sd in [0.8, 1.5, 2.4] {
            let numbers = [32, 64].map(|nodes| {
                let density =
                    density("gaussian", &[("sd", Value::Pair([1.0, 1.0])), ("correlation", Value::Number(0.0))]);
                let plane = Plane::new(density, Bounds::new((-6.5, 6.5), (-6.5, 6.5)), nodes, nodes).unwrap();
                PlaneRejection::new(&plane, Proposal::RandomWalk { sd }).unwrap().acceptance()
            });
            let expected = 1.0 - sd / (4.0 + sd * sd).sqrt();
            assert_abs_diff_eq!(extrapolated(numbers[0], numbers[1], 2.0), expected, epsilon = 6e-4);
        }
    }

    #[test]
    fn narrow_noise_and_fine_grids_are_refused() {
        let narrow = PlaneRejection::new(&tilted(64), Proposal::RandomWalk { sd: 0.1 });
        assert!(matches!(narrow, Err(Refusal::Unsuited(_))));
        let fine = PlaneRejection::new(&tilted(96), Proposal::RandomWalk { sd: 1.0 });
        assert!(matches!(fine, Err(Refusal::Grid { most: 64, .. })));
    }
}

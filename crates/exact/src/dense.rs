//! Kernels with rejection on the line, and kernels with noise that depends on the position, as dense matrices.
//!
//! P_ij = h q(x_j | x_i) min(1, r_ij) for i ≠ j, and what is rejected stays on the diagonal (Metropolis et al. 1953; Hastings 1970). Detailed
//! balance, and with it that the target is stationary at the nodes, holds to rounding on any grid. Acceptance, eigenvalues and autocorrelation
//! times have the kink of min(1, ·): an error of exactly the order h², which [`extrapolated`] removes.

use base::math::elementary::{exp, ln};

use crate::Refusal;
use crate::chain::Chain;
use crate::line::Line;

/// Nodes of a dense kernel at most: a matrix of 32 MB.
const MOST_NODES: usize = 2048;

/// ln √(2π).
pub(crate) const LN_ROOT_TAU: f64 = 0.918_938_533_204_672_8;

/// Ranges of a row of a matrix, and a kernel on the nodes of a line.
#[derive(Clone, Debug, PartialEq)]
pub struct DenseKernel {
    size: usize,
    /// P_ij at i·size + j.
    rows: Vec<f64>,
    /// Probability that a proposal from the target is accepted; NaN of a kernel that rejects nothing.
    acceptance: f64,
}

/// How proposals are made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Proposal {
    /// x' = x + σ ξ.
    RandomWalk {
        /// σ > 0.
        sd: f64,
    },
    /// x' = x + α g(x) + √(2α) ξ: the Metropolis-adjusted Langevin algorithm.
    Langevin {
        /// α > 0.
        alpha: f64,
    },
}

impl Proposal {
    /// σ of the noise, and the multiple of the gradient that is added.
    pub(crate) fn sd_and_drift(self) -> (f64, f64) {
        match self {
            Self::RandomWalk { sd } => (sd, 0.0),
            Self::Langevin { alpha } => ((2.0 * alpha).sqrt(), alpha),
        }
    }
}

impl DenseKernel {
    /// The Metropolis–Hastings chain of a target on the line.
    ///
    /// # Errors
    /// If noise is narrower than a spacing, for more than 2048 nodes, and if something is no number.
    pub fn metropolis(line: &Line, proposal: Proposal) -> Result<Self, Refusal> {
        let (sd, drift) = proposal.sd_and_drift();
        let size = check(line, sd)?;
        let truth = line.truth()?;
        let log_mass: Vec<f64> = line.nodes().iter().map(|&x| line.log_density(x)).collect();
        let means: Vec<f64> = line.nodes().iter().zip(line.gradients()).map(|(x, g)| x + drift * g).collect();
        let log_scale = ln(line.spacing() / sd) - LN_ROOT_TAU;
        let log_proposal = |i: usize, j: usize| {
            let z = (line.nodes()[j] - means[i]) / sd;
            log_scale - 0.5 * z * z
        };
        let mut rows = vec![0.0; size * size];
        let mut acceptance = 0.0;
        for i in 0..size {
            let row = &mut rows[i * size..(i + 1) * size];
            let mut moves = 0.0;
            for (j, entry) in row.iter_mut().enumerate() {
                let (there, back) = (log_proposal(i, j), log_mass[j] + log_proposal(j, i) - log_mass[i]);
                let chance = exp(there.min(back));
                acceptance += truth.nodes[i] * chance;
                if i != j {
                    *entry = chance;
                    moves += chance;
                }
            }
            row[i] = 1.0 - moves;
        }
        Self { size, rows, acceptance }.checked()
    }

    /// x' = m(x) + s(x) ξ without rejection: `moves` gives mean and variance at each node. Minibatches beyond the exact mixtures have noise
    /// whose variance depends on x: this is then the Gaussian approximation of the minibatch noise.
    ///
    /// # Errors
    /// If s is smaller than a spacing somewhere, for more than 2048 nodes, and if something is no number.
    pub fn normal(line: &Line, moves: impl Fn(usize) -> (f64, f64)) -> Result<Self, Refusal> {
        line.without_cliffs()?;
        let moves: Vec<(f64, f64)> = (0..line.nodes().len()).map(moves).collect();
        let narrowest = moves.iter().map(|(_, variance)| *variance).fold(f64::INFINITY, f64::min).sqrt();
        let size = check(line, narrowest)?;
        let row = |(mean, variance): (f64, f64)| {
            let log_scale = ln(line.spacing()) - 0.5 * ln(variance) - LN_ROOT_TAU;
            line.nodes().iter().map(move |x| exp(log_scale - 0.5 * (x - mean) * (x - mean) / variance))
        };
        let rows = moves.into_iter().flat_map(row).collect();
        Self { size, rows, acceptance: f64::NAN }.checked()
    }

    fn checked(self) -> Result<Self, Refusal> {
        if self.rows.iter().all(|value| value.is_finite()) { Ok(self) } else { Err(Refusal::NotANumber { step: 0 }) }
    }

    /// The probability that a proposal is accepted, of a chain that is distributed as the target; NaN where nothing is rejected.
    #[must_use]
    pub fn acceptance(&self) -> f64 {
        self.acceptance
    }
}

fn check(line: &Line, sd: f64) -> Result<usize, Refusal> {
    let (size, (low, high)) = (line.nodes().len(), line.ends());
    if size > MOST_NODES {
        return Err(Refusal::Grid { low, high, nodes: size, least: 16, most: MOST_NODES });
    }
    if sd >= line.spacing() {
        Ok(size)
    } else {
        Err(Refusal::Unsuited("the noise of a step is narrower than the spacing of the grid"))
    }
}

/// The limit h → 0 of a number with an error of order h², from n and r·n nodes along an axis: A + (A − Aₙ)/(r² − 1).
#[must_use]
pub fn extrapolated(coarse: f64, fine: f64, ratio: f64) -> f64 {
    fine + (fine - coarse) / (ratio * ratio - 1.0)
}

impl Chain for DenseKernel {
    fn size(&self) -> usize {
        self.size
    }

    fn place(&self, node: usize) -> [f64; 2] {
        [(node as f64 + 0.5) / self.size as f64, 0.0]
    }

    fn push_masses(&self, masses: &mut Vec<f64>) {
        let mut moved = vec![0.0; self.size];
        for (mass, row) in masses.iter().zip(self.rows.chunks_exact(self.size)) {
            moved.iter_mut().zip(row).for_each(|(to, entry)| *to += mass * entry);
        }
        *masses = moved;
    }

    fn pull_functions(&self, functions: &mut [Vec<f64>]) {
        for function in functions {
            let value = |row: &[f64]| row.iter().zip(&*function).map(|(entry, value)| entry * value).sum();
            *function = self.rows.chunks_exact(self.size).map(value).collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;
    use std::sync::Arc;

    use approx::assert_abs_diff_eq;

    use super::*;
    use crate::line::Slope;
    use crate::line::tests::{Normal, section};
    use crate::{autocorrelation_time, long_run};

    /// Acceptance, λ₂, IACT of x and of x², extrapolated.
    fn numbers(target: &Arc<dyn Slope>, half: f64, nodes: usize, proposal: Proposal) -> [f64; 4] {
        let [coarse, fine] = [nodes, 2 * nodes].map(|nodes| {
            let line = Line::new(Arc::clone(target), -half, half, nodes).unwrap();
            let kernel = DenseKernel::metropolis(&line, proposal).unwrap();
            let truth = line.truth().unwrap().nodes;
            let mut moved = truth.clone();
            kernel.push_masses(&mut moved);
            for (moved, mass) in moved.iter().zip(&truth) {
                assert_abs_diff_eq!(moved, mass, epsilon = 1e-15);
            }
            let time = |f: &dyn Fn(f64) -> f64| {
                let values: Vec<f64> = line.nodes().iter().map(|&x| f(x)).collect();
                autocorrelation_time(&kernel, &truth, &values).unwrap()
            };
            let second = long_run(&kernel, &truth).map_or(f64::NAN, |found| found.second.re);
            [kernel.acceptance(), second, time(&|x| x), time(&|x| x * x)]
        });
        std::array::from_fn(|k| extrapolated(coarse[k], fine[k], 2.0))
    }

    #[test]
    fn random_walks_on_a_normal() {
        let target: Arc<dyn Slope> = Arc::new(Normal(1.0));
        for (sd, second, of_x, of_square) in [
            (1.0, 0.798_132, 8.300_429, 6.418_497),
            (2.0, 0.660_736, 4.564_131, 4.565_410),
            (2.4, 0.651_737, 4.396_777, 4.691_101),
            (3.0, 0.692_321, 4.542_141, 5.159_940),
        ] {
            let found = numbers(&target, 7.0, 150, Proposal::RandomWalk { sd });
            assert_abs_diff_eq!(found[0], 2.0 / PI * (2.0f64 / sd).atan(), epsilon = 1e-6);
            assert_abs_diff_eq!(found[1], second, epsilon = 3e-6);
            assert_abs_diff_eq!(found[2], of_x, epsilon = 1e-4);
            assert_abs_diff_eq!(found[3], of_square, epsilon = 1e-4);
        }
    }

    #[test]
    fn adjusted_langevin_on_a_normal() {
        let target: Arc<dyn Slope> = Arc::new(Normal(1.0));
        for (alpha, second, of_x) in [(1.0, 0.292_893, 1.299_781), (1.5, 0.455_223, 1.279_863)] {
            let found = numbers(&target, 7.0, 150, Proposal::Langevin { alpha });
            let radius = (alpha.powi(4) + 8.0 * alpha).sqrt();
            let ratio: f64 = (radius - alpha * alpha) / (radius + alpha * alpha);
            assert_abs_diff_eq!(found[0], 4.0 / PI * ratio.sqrt().atan(), epsilon = 1e-6);
            assert_abs_diff_eq!(found[1], second, epsilon = 3e-6);
            assert_abs_diff_eq!(found[2], of_x, epsilon = 1e-4);
        }
    }

    #[test]
    fn adjusted_langevin_on_the_double_well() {
        // Acceptance is that of a sum over 12 000² points, with an independent program.
        let target = section("double-well", &[]);
        for (alpha, expected) in [
            (0.05, [0.933_665_2, 57.53734, 5.352_538]),
            (0.1, [0.838_570_4, 32.4153, 3.009_45]),
            (0.15, [0.751_332_2, 24.2340, 2.814_44]),
        ] {
            let found = numbers(&target, 2.2, 200, Proposal::Langevin { alpha });
            assert_abs_diff_eq!(found[0], expected[0], epsilon = 2e-6);
            assert_abs_diff_eq!(found[2], expected[1], epsilon = 2e-4);
            assert_abs_diff_eq!(found[3], expected[2], epsilon = 5e-5);
        }
    }

    #[test]
    fn without_rejection_the_kernel_is_that_of_splines() {
        let line = Line::new(section("double-well", &[]), -3.0, 3.0, 256).unwrap();
        let kernel = DenseKernel::normal(&line, |i| (line.nodes()[i] + 0.01 * line.gradients()[i], 0.02)).unwrap();
        let found = long_run(&kernel, &line.truth().unwrap().nodes).unwrap();
        let square: f64 = line.nodes().iter().zip(&found.masses).map(|(x, mass)| x * x * mass).sum();
        assert_abs_diff_eq!(square, 0.825_814_088_0, epsilon = 1e-9);
        assert_abs_diff_eq!(found.second.re, 0.992_396_043_0, epsilon = 1e-9);
        let narrow = DenseKernel::metropolis(&line, Proposal::RandomWalk { sd: 0.01 });
        assert!(matches!(narrow, Err(Refusal::Unsuited(_))));
    }
}

//! A Markov chain at constant step size, as what it does to masses and to functions, and what follows in the long run.

use base::math::elementary::ln;

use crate::Refusal;

/// A kernel P on nodes that moves masses and functions: ⟨μP, u⟩ = ⟨μ, Pu⟩ = Σ μᵢ (Pu)ᵢ. Mass may leave.
pub trait Chain {
    /// Number of nodes.
    fn size(&self) -> usize;

    /// Where a node is in the box of the grid, in units of its width and height, each in [0, 1].
    fn place(&self, node: usize) -> [f64; 2];

    /// μ ← μP, of masses at the nodes.
    fn push_masses(&self, masses: &mut Vec<f64>);

    /// u ← Pu for functions at the nodes, which are 0 beyond them.
    fn pull_functions(&self, functions: &mut [Vec<f64>]);
}

/// ln p, and −∞ where it is no number, as outside of the support: chains that reject never go there, and nothing of the target is there.
pub(crate) fn log_or_nothing(log_density: f64) -> f64 {
    if log_density.is_nan() { f64::NEG_INFINITY } else { log_density }
}

/// A curvature in place of one that is no number: every step stretches it beyond all grids.
pub(crate) const CLIFF: f64 = 1e300;

/// Makes derivatives at nodes finite: gradients by axis, and the least and largest curvature around each node. At the end of a support they may be
/// infinite. Chains that reject do not go there, so that such a gradient is 0, beside a [`CLIFF`] that stops all others.
///
/// # Errors
/// If a gradient is no number where there is some of the target, or there is none of it at any node.
pub(crate) fn tame<const AXES: usize>(
    log_density: impl Fn(usize) -> f64,
    gradients: [&mut [f64]; AXES],
    curvatures: &mut [[f64; 2]],
) -> Result<(), Refusal> {
    let is_wild = |gradients: &[&mut [f64]; AXES], i: usize| gradients.iter().any(|axis| !axis[i].is_finite());
    let is_there = |i: usize| log_or_nothing(log_density(i)) > f64::NEG_INFINITY;
    let mut gradients = gradients;
    let nodes = 0..curvatures.len();
    if nodes.clone().all(|i| !is_wild(&gradients, i) && curvatures[i].iter().all(|value| value.is_finite())) {
        return Ok(());
    }
    if !nodes.clone().any(is_there) {
        return Err(Refusal::NotANumber { step: 0 });
    }
    for i in nodes {
        let is_wild = is_wild(&gradients, i);
        if is_wild && is_there(i) {
            return Err(Refusal::NotANumber { step: 0 });
        }
        if is_wild {
            gradients.iter_mut().for_each(|axis| axis[i] = 0.0);
        }
        if is_wild || !curvatures[i].iter().all(|value| value.is_finite()) {
            curvatures[i] = [-CLIFF, CLIFF];
        }
    }
    Ok(())
}

/// How far a distribution is from another one on the same nodes, both normalised.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Divergences {
    /// KL(q‖p) in nats.
    pub kl: f64,
    /// KL(p‖q) in nats.
    pub reverse_kl: f64,
    /// ½ Σ |q − p|. It has kinks: four or five digits where moments have nine.
    pub total_variation: f64,
    /// The square root of 1 − Σ √(qp).
    pub hellinger: f64,
}

/// Divergences of `q` from `p`. Where the masses of one are not positive, which is rounding, nodes are left out.
#[must_use]
pub fn divergences(q: &[f64], p: &[f64]) -> Divergences {
    let (total_q, total_p): (f64, f64) = (q.iter().sum(), p.iter().sum());
    let (mut kl, mut reverse_kl, mut distance, mut overlap) = (0.0, 0.0, 0.0, 0.0);
    for (q, p) in q.iter().map(|q| q / total_q).zip(p.iter().map(|p| p / total_p)) {
        if q > f64::MIN_POSITIVE && p > f64::MIN_POSITIVE {
            let ratio = ln(q) - ln(p);
            kl += q * ratio;
            reverse_kl -= p * ratio;
            overlap += (q * p).sqrt();
        }
        distance += (q - p).abs();
    }
    Divergences { kl, reverse_kl, total_variation: 0.5 * distance, hellinger: (1.0 - overlap).max(0.0).sqrt() }
}

/// Mean and mean square of the average of f over a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunMoments {
    /// E f̂.
    pub mean: f64,
    /// E f̂², less (E f̂)².
    pub variance: f64,
}

/// The error of an average over n draws as an identity: E (f̂ − pf)² = (bias + transient)² + variance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ErrorParts {
    /// π_α f − pf, which more draws cannot cure.
    pub bias: f64,
    /// E f̂ − π_α f, what the start leaves.
    pub transient: f64,
    /// Var f̂.
    pub variance: f64,
}

impl ErrorParts {
    /// The root of the mean square error.
    #[must_use]
    pub fn rmse(&self) -> f64 {
        let mean = self.bias + self.transient;
        (mean * mean + self.variance).sqrt()
    }
}

/// Moments of f̂ = n⁻¹ Σ f(θ_k), k = 1 … n, where θ_1 has the distribution `first` and the kernel from k to k + 1 is number k of `chains`, in
/// order; n is one more than there are kernels. Two functions are pulled back, M of future sums and S of their squares:
/// M ← P(f + M), S ← P(f² + 2fM + S).
pub fn run_moments<'a, C: Chain + 'a>(
    chains: impl DoubleEndedIterator<Item = &'a C>,
    first: &[f64],
    f: &[f64],
) -> RunMoments {
    let mut functions = [vec![0.0; f.len()], vec![0.0; f.len()]];
    let mut draws = 1.0;
    let forward = |functions: &mut [Vec<f64>; 2]| {
        let [future, squares] = functions;
        for ((m, s), f) in future.iter_mut().zip(squares).zip(f) {
            *s += f * (f + 2.0 * *m);
            *m += f;
        }
    };
    for chain in chains.rev() {
        forward(&mut functions);
        chain.pull_functions(&mut functions);
        draws += 1.0;
    }
    forward(&mut functions);
    let [mean, square] =
        functions.map(|function| function.iter().zip(first).map(|(value, mass)| value * mass).sum::<f64>());
    let mean = mean / draws;
    RunMoments { mean, variance: square / (draws * draws) - mean * mean }
}

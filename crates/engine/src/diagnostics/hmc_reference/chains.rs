//! A block of chains side by side: leapfrog paths, the Metropolis rule, and sums over the functions of the draws.

use std::ops::Range;

use base::math::elementary::exp;
use base::math::{Coords, Purpose, Simd, Stream, leapfrog};
use models::targets::Model;

/// Leapfrog steps of a path, from and to.
const LEAPS: (u32, u32) = (20, 60);

/// The step size of a path, in units of the one that was found, from and to.
const JITTER: (f64, f64) = (0.8, 1.2);

/// Streams of random numbers of chains and of blocks, as their `run`.
const OF_CHAINS: u64 = 0;
const OF_BLOCKS: u64 = 1;

/// A density between prior and posterior: log p_β = β log p + (1 − β) log prior.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bridge<'a> {
    /// β, from 0 for the prior to 1 for the posterior.
    pub(super) share: f64,
    /// The standard deviations s of the prior.
    pub(super) scales: &'a [f64],
}

impl Bridge<'_> {
    /// H = ½ ‖r‖² − log p_β of chains with these log p.
    fn energies(self, momenta: &Coords, positions: &Coords, log_densities: &[f64], out: &mut [f64]) {
        for (energy, log_density) in out.iter_mut().zip(log_densities) {
            *energy = -self.share * log_density;
        }
        for ((momenta, positions), scale) in momenta.axes().zip(positions.axes()).zip(self.scales) {
            let pull = (1.0 - self.share) / (scale * scale);
            for ((energy, momentum), position) in out.iter_mut().zip(momenta).zip(positions) {
                *energy += 0.5 * (momentum * momentum + pull * (position * position));
            }
        }
    }
}

/// Chains with all memory that an iteration needs. They share the number of leapfrog steps, which is drawn for each
/// iteration, and nothing else.
#[derive(Debug)]
pub(super) struct ReferenceBlock {
    pub(super) positions: Coords,
    pub(super) log_densities: Vec<f64>,
    gradients: Coords,
    streams: Vec<Stream>,
    leaps: Stream,
    /// The probabilities with which the newest proposals were accepted.
    pub(super) acceptance: Vec<f64>,
    /// The sums of these probabilities since draws count.
    pub(super) accepted: Vec<f64>,
    proposal: Coords,
    proposal_gradients: Coords,
    proposal_log_densities: Vec<f64>,
    momenta: Coords,
    /// H at both ends of a path.
    energies: [Vec<f64>; 2],
    steps: Vec<f64>,
    scratch: Vec<f64>,
    /// Output v of chain c at v · chains + c.
    outputs: Vec<f64>,
    /// The sums of these, and of their squares, over draws.
    sums: [Vec<f64>; 2],
}

impl ReferenceBlock {
    /// The chains with these numbers, at draws from the prior, for so many outputs per chain; `None` if there are no such
    /// draws.
    pub(super) fn new(model: &dyn Model, seed: u64, numbers: Range<usize>, outputs: usize) -> Option<Self> {
        let (dimension, chains) = (model.dimension(), numbers.len());
        let mut streams: Vec<Stream> =
            numbers.clone().map(|chain| Stream::derive(seed, Purpose::Reference, OF_CHAINS, chain as u64)).collect();
        let mut positions = Coords::zeros(dimension, chains);
        let mut start = vec![0.0; dimension];
        for (chain, stream) in streams.iter_mut().enumerate() {
            if !model.prior_draw(stream, &mut start) {
                return None;
            }
            positions.set(chain, &start);
        }
        let zeros = Coords::zeros(dimension, chains);
        let mut block = Self {
            leaps: Stream::derive(seed, Purpose::Reference, OF_BLOCKS, numbers.start as u64),
            log_densities: vec![0.0; chains],
            gradients: zeros.clone(),
            streams,
            acceptance: vec![0.0; chains],
            accepted: vec![0.0; chains],
            proposal: zeros.clone(),
            proposal_gradients: zeros.clone(),
            proposal_log_densities: vec![0.0; chains],
            momenta: zeros,
            energies: [vec![0.0; chains], vec![0.0; chains]],
            steps: vec![0.0; chains],
            scratch: Vec::new(),
            outputs: vec![0.0; outputs * chains],
            sums: [vec![0.0; outputs * chains], vec![0.0; outputs * chains]],
            positions,
        };
        let Self { positions, scratch, log_densities, gradients, .. } = &mut block;
        model.log_densities(Simd::BASELINE, positions, scratch, log_densities);
        model.gradients(Simd::BASELINE, positions, scratch, gradients);
        Some(block)
    }

    /// Number of chains.
    pub(super) fn len(&self) -> usize {
        self.streams.len()
    }

    /// Makes an iteration of every chain, with its step size, on the bridge from the prior to the posterior.
    pub(super) fn iterate(&mut self, simd: Simd, model: &dyn Model, bridge: Bridge<'_>, steps: &[f64]) {
        let scales = bridge.scales;
        for (chain, stream) in self.streams.iter_mut().enumerate() {
            for axis in (0..scales.len()).step_by(2) {
                let (first, second) = stream.normal_pair();
                self.momenta.axis_mut(axis)[chain] = first;
                if axis + 1 < scales.len() {
                    self.momenta.axis_mut(axis + 1)[chain] = second;
                }
            }
            self.steps[chain] = steps[chain] * (JITTER.0 + (JITTER.1 - JITTER.0) * stream.uniform());
        }
        bridge.energies(&self.momenta, &self.positions, &self.log_densities, &mut self.energies[0]);
        self.proposal.clone_from(&self.positions);
        self.proposal_gradients.clone_from(&self.gradients);
        let leaps = LEAPS.0 + self.leaps.below(LEAPS.1 - LEAPS.0 + 1);
        leapfrog(
            leaps as usize,
            self,
            |block, time| block.kick(time, bridge),
            |block, _| {
                block.drift(scales);
                let Self { proposal, proposal_gradients, scratch, .. } = block;
                model.gradients(simd, proposal, scratch, proposal_gradients);
            },
        );
        let Self { proposal, proposal_log_densities, scratch, .. } = self;
        model.log_densities(simd, proposal, scratch, proposal_log_densities);
        bridge.energies(&self.momenta, &self.proposal, &self.proposal_log_densities, &mut self.energies[1]);
        self.decide();
    }

    /// r ← r + `part` h s ∇.
    fn kick(&mut self, part: f64, Bridge { share, scales }: Bridge<'_>) {
        for (axis, scale) in scales.iter().enumerate() {
            let (positions, gradients) = (self.proposal.axis(axis), self.proposal_gradients.axis(axis));
            let pull = (1.0 - share) / (scale * scale);
            let momenta = self.momenta.axis_mut(axis).iter_mut().zip(&self.steps);
            for (((momentum, step), position), gradient) in momenta.zip(positions).zip(gradients) {
                *momentum += part * step * scale * (share * gradient - pull * position);
            }
        }
    }

    /// θ ← θ + h s r.
    fn drift(&mut self, scales: &[f64]) {
        for ((positions, momenta), scale) in self.proposal.axes_mut().zip(self.momenta.axes()).zip(scales) {
            for ((position, momentum), step) in positions.iter_mut().zip(momenta).zip(&self.steps) {
                *position += step * scale * momentum;
            }
        }
    }

    /// Accepts or rejects the ends of the paths.
    fn decide(&mut self) {
        for (chain, stream) in self.streams.iter_mut().enumerate() {
            let fall = self.energies[0][chain] - self.energies[1][chain];
            // A path that ends nowhere has no energy, and is rejected.
            let probability = if fall.is_finite() { exp(fall.min(0.0)) } else { 0.0 };
            self.acceptance[chain] = probability;
            if stream.uniform() < probability {
                self.positions.copy_vector(chain, &self.proposal, chain);
                self.gradients.copy_vector(chain, &self.proposal_gradients, chain);
                self.log_densities[chain] = self.proposal_log_densities[chain];
            }
        }
    }

    /// Evaluates the functions at the positions of the chains, and adds them up.
    pub(super) fn evaluate(&mut self, simd: Simd, model: &dyn Model, inputs: &[f64]) {
        let Self { positions, scratch, outputs, sums: [sums, squares], acceptance, accepted, .. } = self;
        if let Some(functions) = model.functions() {
            functions.evaluate(simd, positions, inputs, scratch, outputs);
        }
        for ((f, sum), square) in outputs.iter().zip(sums).zip(squares) {
            *sum += f;
            *square += f * f;
        }
        accepted.iter_mut().zip(&*acceptance).for_each(|(sum, probability)| *sum += probability);
    }

    /// Output `value` of a chain at its newest draw.
    pub(super) fn output(&self, value: usize, chain: usize) -> f64 {
        self.outputs[value * self.len() + chain]
    }

    /// The sums of output `value` and of its squares, over all draws of all chains.
    pub(super) fn sums(&self, value: usize) -> [f64; 2] {
        let chains = value * self.len()..(value + 1) * self.len();
        self.sums.each_ref().map(|sums| sums[chains.clone()].iter().sum())
    }
}

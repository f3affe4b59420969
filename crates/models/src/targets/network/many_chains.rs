//! What chains ask of a network, for many chains at a time: gradients of an [`Objective`] and their estimates, log densities,
//! outputs, and the variances of gradients over data. A kernel goes through its chains in groups, and through single ones where there are
//! too few ([`pass`](super::pass)).

use super::pass::{Pass, WIDTH, consecutive, grown};
use super::{Network, prior};
use crate::targets::{Minibatches, Model};
use base::math::elementary::Kernel;
use base::math::{Coords, Simd};

/// Smallest number of remaining chains for which a group is filled up with repetitions of one. Chosen by measurement: a
/// group takes about as long as five single chains.
const WORTH_A_GROUP: usize = 5;

/// What is done with chains.
pub(super) trait Grouped {
    /// Handles the `used` chains from number `first` on, one without `GROUP`; must be inlined.
    fn group<const GROUP: bool>(&mut self, first: usize, used: usize);
}

/// All of `len` chains.
#[inline(always)]
pub(super) fn in_groups(len: usize, work: &mut impl Grouped) {
    let mut first = 0;
    while first < len {
        let used = WIDTH.min(len - first);
        if used >= WORTH_A_GROUP {
            work.group::<true>(first, used);
            first += used;
        } else {
            work.group::<false>(first, 1);
            first += 1;
        }
    }
}

/// What the gradient of an objective has instead of that of log p_T, which is the default in everything.
pub(super) trait Objective: Copy {
    /// The target `y` at `number` among the targets of all data, as chain `chain` sees it.
    #[inline(always)]
    fn target(self, y: f64, _number: usize, _chain: usize) -> f64 {
        y
    }

    /// What the activation of hidden unit `unit` is multiplied by at datum number `number` of the gradient: 0 or 1 divided by
    /// [`Objective::keep`].
    #[inline(always)]
    fn mask(self, _unit: usize, _number: usize, _chain: usize) -> f64 {
        1.0
    }

    /// The probability that a hidden unit is kept.
    #[inline(always)]
    fn keep(self) -> f64 {
        1.0
    }

    /// The prior precision of coordinate `axis`, from that of log p_T.
    #[inline(always)]
    fn precision(self, _axis: usize, precision: f64) -> f64 {
        precision
    }

    /// The mean of the prior in coordinate `axis`, for chain `chain`.
    #[inline(always)]
    fn anchor(self, _axis: usize, _chain: usize) -> f64 {
        0.0
    }
}

/// log p_T itself.
#[derive(Clone, Copy)]
pub(super) struct Posterior;

impl Objective for Posterior {}

/// Gradients of an objective, or estimates of them.
pub(super) struct Gradients<'a, 'b, O> {
    pub(super) network: &'a Network,
    pub(super) at: &'a Coords,
    /// Minibatches; all data without them.
    pub(super) batches: Option<Minibatches<'b>>,
    pub(super) objective: O,
    pub(super) memory: &'a mut Vec<f64>,
    pub(super) out: &'a mut Coords,
}

impl<O: Objective> Kernel for Gradients<'_, '_, O> {
    type Output = ();

    #[inline(always)]
    fn run(mut self) {
        in_groups(self.at.len(), &mut self);
    }
}

impl<O: Objective> Grouped for Gradients<'_, '_, O> {
    #[inline(always)]
    fn group<const GROUP: bool>(&mut self, first: usize, used: usize) {
        let (network, objective) = (self.network, self.objective);
        let memory = grown(self.memory, network.plan.blocks());
        let mut pass = Pass::<GROUP>::new(network, memory, self.at, first, used);
        pass.clear();
        let inputs = &network.observations.inputs;
        let mut factor = network.likelihood_factor;
        let count = self.batches.map_or(network.count, |batches| batches.size());
        if let Some(batches) = self.batches {
            factor *= network.count as f64 / batches.size().max(1) as f64;
        }
        let own = self.batches.map(|batches| batches.of(0, first));
        let chains: [usize; WIDTH] = std::array::from_fn(|lane| if GROUP { first + lane.min(used - 1) } else { first });
        let step = Pass::<GROUP>::DATA;
        let mut number = 0;
        while number < count {
            let data = step.min(count - number);
            let numbers = consecutive(number, data);
            let index = match (self.batches, own) {
                (Some(batches), _) if GROUP => batches.lanes::<WIDTH>(0, number, first).map(|index| index as usize),
                (_, Some(own)) => numbers.map(|number| own.get(number) as usize),
                _ => numbers,
            };
            let mask = |unit: usize| std::array::from_fn(|lane| objective.mask(unit, numbers[lane], chains[lane]));
            pass.forward_masked(inputs, index, mask);
            let (targets, width) = pass.targets();
            let target = |t: usize| {
                std::array::from_fn(|lane| {
                    let number = index[lane] * width + t;
                    objective.target(targets[number], number, chains[lane])
                })
            };
            pass.backward_masked(target, (objective.keep(), mask), data);
            number += step;
        }
        for axis in 0..network.plan.dimension {
            let precision = objective.precision(axis, network.precisions[axis]);
            let theta = &self.at.axis(axis)[first..first + used];
            let out = &mut self.out.axis_mut(axis)[first..first + used];
            for (chain, (out, theta)) in out.iter_mut().zip(theta).enumerate() {
                let away = theta - objective.anchor(axis, first + chain);
                *out = factor * pass.gradient(axis, chain) - precision * away;
            }
        }
    }
}

/// log p_T.
pub(super) struct LogDensities<'a> {
    pub(super) network: &'a Network,
    pub(super) at: &'a Coords,
    pub(super) memory: &'a mut Vec<f64>,
    pub(super) out: &'a mut [f64],
}

impl Kernel for LogDensities<'_> {
    type Output = ();

    #[inline(always)]
    fn run(mut self) {
        in_groups(self.at.len(), &mut self);
    }
}

impl Grouped for LogDensities<'_> {
    #[inline(always)]
    fn group<const GROUP: bool>(&mut self, first: usize, used: usize) {
        let network = self.network;
        let memory = grown(self.memory, network.plan.blocks());
        let mut pass = Pass::<GROUP>::new(network, memory, self.at, first, used);
        let mut sums = [0.0; WIDTH];
        let step = Pass::<GROUP>::DATA;
        let mut number = 0;
        while number < network.count {
            let data = step.min(network.count - number);
            let index = consecutive(number, data);
            pass.forward(&network.observations.inputs, index);
            let terms = pass.log_terms(index);
            if GROUP {
                for lane in 0..WIDTH {
                    sums[lane] += terms[lane];
                }
            } else {
                for term in &terms[..data] {
                    sums[0] += term;
                }
            }
            number += step;
        }
        for (lane, (out, sum)) in self.out[first..first + used].iter_mut().zip(sums).enumerate() {
            let theta = self.at.vector(first + lane);
            let square: f64 = theta.zip(&network.precisions).map(|(theta, precision)| theta * theta * precision).sum();
            *out = (network.likelihood_factor * sum - 0.5 * square) + network.constant;
        }
    }
}

/// f at given inputs.
pub(super) struct Outputs<'a> {
    pub(super) network: &'a Network,
    pub(super) at: &'a Coords,
    pub(super) inputs: &'a [f64],
    pub(super) memory: &'a mut Vec<f64>,
    pub(super) out: &'a mut [f64],
}

impl Kernel for Outputs<'_> {
    type Output = ();

    #[inline(always)]
    fn run(mut self) {
        in_groups(self.at.len(), &mut self);
    }
}

impl Grouped for Outputs<'_> {
    #[inline(always)]
    fn group<const GROUP: bool>(&mut self, first: usize, used: usize) {
        let network = self.network;
        let memory = grown(self.memory, network.plan.blocks());
        let mut pass = Pass::<GROUP>::new(network, memory, self.at, first, used);
        let (vectors, outputs) = (self.at.len(), network.layout.outputs());
        let count = self.inputs.len() / network.layout.inputs();
        let step = Pass::<GROUP>::DATA;
        let mut number = 0;
        while number < count {
            let data = step.min(count - number);
            pass.forward(self.inputs, consecutive(number, data));
            for (c, f) in pass.outputs().iter().enumerate() {
                if GROUP {
                    self.out[(number * outputs + c) * vectors + first..][..used].copy_from_slice(&f[..used]);
                } else {
                    for (lane, f) in f[..data].iter().enumerate() {
                        self.out[((number + lane) * outputs + c) * vectors + first] = *f;
                    }
                }
            }
            number += step;
        }
    }
}

/// Variances over data of the gradients of their log likelihoods, by Welford's (1962) recurrence.
pub(super) struct Variances<'a> {
    pub(super) network: &'a Network,
    pub(super) at: &'a Coords,
    pub(super) index: usize,
    pub(super) memory: &'a mut Vec<f64>,
    pub(super) out: &'a mut [f64],
}

impl Kernel for Variances<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let network = self.network;
        let dimension = self.out.len();
        let blocks = network.plan.blocks();
        let memory = grown(self.memory, blocks + dimension.div_ceil(WIDTH));
        let (memory, means) = memory.split_at_mut(blocks);
        let means = &mut means.as_flattened_mut()[..dimension];
        means.fill(0.0);
        self.out.fill(0.0);
        let mut pass = Pass::<false>::new(network, memory, self.at, self.index, 1);
        for datum in 0..network.count {
            pass.clear();
            pass.forward(&network.observations.inputs, [datum; WIDTH]);
            pass.backward([datum; WIDTH], 1);
            let number = (datum + 1) as f64;
            for (axis, (mean, scatter)) in means.iter_mut().zip(&mut *self.out).enumerate() {
                let gradient = pass.gradient(axis, 0);
                let before = gradient - *mean;
                *mean += before / number;
                *scatter += before * (gradient - *mean);
            }
        }
        let factor = network.likelihood_factor * network.likelihood_factor;
        for out in self.out {
            *out *= factor / network.count.max(1) as f64;
        }
    }
}

impl Network {
    /// log p(data|θ) at T = 1 of all weight vectors, normalised.
    pub fn log_likelihoods(&self, simd: Simd, at: &Coords, memory: &mut Vec<f64>, out: &mut [f64]) {
        self.untempered().log_densities(simd, at, memory, out);
        let constant = prior::log_prior_constant(&self.prior_sds);
        for (index, out) in out.iter_mut().enumerate() {
            let squares = at.vector(index).zip(&self.prior_sds).map(|(theta, sd)| (theta / sd) * (theta / sd));
            *out -= constant - 0.5 * squares.sum::<f64>();
        }
    }
}

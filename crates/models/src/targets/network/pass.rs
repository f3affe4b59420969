//! Networks of many chains at a time, in vector instructions.
//!
//! Numbers lie in blocks of [`WIDTH`] lanes. There are two cases. In a group the lanes are eight chains, each with weights
//! of its own. For a single chain the lanes are eight data, which share its weights. Every lane takes the same operations
//! in the same order in both cases: sums over units, and over data, are taken in order, one term after the other, and side
//! by side lie only numbers that do not depend on each other. So bits agree. Gradients are summed over data per chain, which
//! for a single chain goes lane by lane.

use super::{Layout, Network};
use base::math::Coords;
use base::math::elementary::tanh;

/// Numbers in a block: chains in a group, or data of a single chain.
pub(super) const WIDTH: usize = 8;

/// Numbers that are computed side by side.
pub(super) type Block = [f64; WIDTH];

/// The number of blocks that a pass needs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    /// Units of all layers, inputs and outputs included.
    units: usize,
    /// d.
    pub(super) dimension: usize,
}

impl Plan {
    pub(super) fn new(layout: &Layout) -> Self {
        Self { units: layout.sizes().iter().sum(), dimension: layout.dimension() }
    }

    /// Weights, gradients, activations and their gradients δ.
    pub(super) fn blocks(self) -> usize {
        2 * self.dimension + 2 * self.units
    }
}

/// Memory for at least `blocks` blocks.
#[inline(always)]
pub(super) fn grown(memory: &mut Vec<f64>, blocks: usize) -> &mut [Block] {
    if memory.len() < blocks * WIDTH {
        memory.resize(blocks * WIDTH, 0.0);
    }
    &mut memory.as_chunks_mut().0[..blocks]
}

/// `sum` + `a` ∘ `b`.
#[inline(always)]
fn plus_product(sum: Block, a: Block, b: Block) -> Block {
    let mut out = sum;
    for i in 0..WIDTH {
        out[i] += a[i] * b[i];
    }
    out
}

/// The memory for the passes of a group of chains, or of a single chain.
pub(super) struct Pass<'a, const GROUP: bool> {
    network: &'a Network,
    /// θ: of a group a block per coordinate, of a single chain a number.
    theta: &'a mut [Block],
    /// Sums of gradients over data, likewise.
    gradients: &'a mut [Block],
    /// h⁰, h¹, …, f.
    activations: &'a mut [Block],
    /// ∂ log lik/∂aˡ.
    deltas: &'a mut [Block],
}

impl<'a, const GROUP: bool> Pass<'a, GROUP> {
    /// Data in a pass.
    pub(super) const DATA: usize = if GROUP { 1 } else { WIDTH };

    /// Of the `used` vectors from number `first` on, one without `GROUP`; unused lanes repeat the first of them.
    #[inline(always)]
    pub(super) fn new(network: &'a Network, memory: &'a mut [Block], at: &Coords, first: usize, used: usize) -> Self {
        let Plan { units, dimension } = network.plan;
        let (theta, memory) = memory.split_at_mut(dimension);
        let (gradients, memory) = memory.split_at_mut(dimension);
        let (activations, memory) = memory.split_at_mut(units);
        let deltas = &mut memory[..units];
        if GROUP {
            for (theta, chains) in theta.iter_mut().zip(at.axes()) {
                let chains = &chains[first..first + used];
                *theta = [chains[0]; WIDTH];
                theta[..used].copy_from_slice(chains);
            }
        } else {
            for (theta, chains) in theta.as_flattened_mut().iter_mut().zip(at.axes()) {
                *theta = chains[first];
            }
        }
        Self { network, theta, gradients, activations, deltas }
    }

    #[inline(always)]
    pub(super) fn clear(&mut self) {
        if GROUP {
            self.gradients.fill([0.0; WIDTH]);
        } else {
            self.gradients.as_flattened_mut()[..self.network.plan.dimension].fill(0.0);
        }
    }

    /// Coordinate `axis` of θ in every lane.
    #[inline(always)]
    fn weight(theta: &[Block], axis: usize) -> Block {
        if GROUP { theta[axis] } else { [theta.as_flattened()[axis]; WIDTH] }
    }

    /// The forward pass of inputs number `index` among `inputs`, one for each lane.
    #[inline(always)]
    pub(super) fn forward(&mut self, inputs: &[f64], index: [usize; WIDTH]) {
        self.forward_masked(inputs, index, |_| [1.0; WIDTH]);
    }

    /// The same with the activation of each hidden unit multiplied by its mask.
    #[inline(always)]
    pub(super) fn forward_masked(&mut self, inputs: &[f64], index: [usize; WIDTH], mask: impl Fn(usize) -> Block) {
        let layout = &self.network.layout;
        let width = layout.inputs();
        for (j, h) in self.activations[..width].iter_mut().enumerate() {
            for lane in 0..WIDTH {
                h[lane] = inputs[index[lane] * width + j];
            }
        }
        let mut activations = &mut *self.activations;
        let mut hidden = 0;
        let last = layout.layers().len() - 1;
        for (number, layer) in layout.layers().iter().enumerate() {
            let (input, behind) = activations.split_at_mut(layer.inputs);
            for (row, unit) in behind[..layer.outputs].iter_mut().enumerate() {
                let first = layer.weights + row * layer.inputs;
                let mut a = Self::weight(self.theta, layer.biases + row);
                for (j, h) in input.iter().enumerate() {
                    a = plus_product(a, Self::weight(self.theta, first + j), *h);
                }
                if number < last {
                    let mask = mask(hidden + row);
                    for i in 0..WIDTH {
                        a[i] = tanh(a[i]) * mask[i];
                    }
                }
                *unit = a;
            }
            hidden += layer.outputs;
            activations = behind;
        }
    }

    /// f of all lanes.
    #[inline(always)]
    pub(super) fn outputs(&self) -> &[Block] {
        &self.activations[self.network.plan.units - self.network.layout.outputs()..]
    }

    /// The log likelihood terms of data `index`, after their forward pass.
    #[inline(always)]
    pub(super) fn log_terms(&self, index: [usize; WIDTH]) -> Block {
        let (targets, width) = self.targets();
        let target = |t: usize| std::array::from_fn(|lane| targets[index[lane] * width + t]);
        self.network.likelihood.log_terms(self.outputs(), target)
    }

    /// The backward pass of data `index`, after their forward pass: adds the gradients of the first `used` lanes.
    #[inline(always)]
    pub(super) fn backward(&mut self, index: [usize; WIDTH], used: usize) {
        let (targets, width) = self.targets();
        let target = |t: usize| std::array::from_fn(|lane| targets[index[lane] * width + t]);
        self.backward_masked(target, (1.0, |_| [1.0; WIDTH]), used);
    }

    /// The same with other targets, after a forward pass with masks, which are 0 or 1 divided by `keep`.
    #[inline(always)]
    pub(super) fn backward_masked(
        &mut self,
        target: impl Fn(usize) -> Block,
        (keep, mask): (f64, impl Fn(usize) -> Block),
        used: usize,
    ) {
        let layout = &self.network.layout;
        let outputs = self.network.plan.units - layout.outputs();
        self.network.likelihood.residuals(&self.activations[outputs..], target, &mut self.deltas[outputs..]);
        let mut end = outputs;
        for (number, layer) in layout.layers().iter().enumerate().rev() {
            let start = end - layer.inputs;
            let (before, behind) = self.deltas.split_at_mut(end);
            let (delta, h) = (&behind[..layer.outputs], &self.activations[start..end]);
            for (row, delta) in delta.iter().enumerate() {
                let first = layer.weights + row * layer.inputs;
                for (j, h) in h.iter().enumerate() {
                    Self::add(self.gradients, first + j, *delta, *h, used);
                }
                Self::add(self.gradients, layer.biases + row, *delta, [1.0; WIDTH], used);
            }
            if number > 0 {
                for (j, (below, h)) in before[start..].iter_mut().zip(h).enumerate() {
                    let mask = mask(start - layout.inputs() + j);
                    let mut sum = [0.0; WIDTH];
                    for (row, delta) in delta.iter().enumerate() {
                        sum =
                            plus_product(sum, Self::weight(self.theta, layer.weights + row * layer.inputs + j), *delta);
                    }
                    for i in 0..WIDTH {
                        // z/(1 − p) times the derivative 1 − tanh² of a unit with activation h = tanh · z/(1 − p).
                        below[i] = sum[i] * (mask[i] - h[i] * h[i] * keep);
                    }
                }
            }
            end = start;
        }
    }

    /// Adds `a` ∘ `b` to the sum of coordinate `axis`: of a group in every lane, of a single chain its first `used` data.
    #[inline(always)]
    fn add(gradients: &mut [Block], axis: usize, a: Block, b: Block, used: usize) {
        if GROUP {
            gradients[axis] = plus_product(gradients[axis], a, b);
            return;
        }
        let mut products = [0.0; WIDTH];
        for i in 0..WIDTH {
            products[i] = a[i] * b[i];
        }
        let sum = &mut gradients.as_flattened_mut()[axis];
        if used == WIDTH {
            products.into_iter().for_each(|product| *sum += product);
        } else {
            products[..used].iter().for_each(|product| *sum += product);
        }
    }

    /// The targets of all data, and how many of them a datum has.
    #[inline(always)]
    pub(super) fn targets(&self) -> (&'a [f64], usize) {
        let network = self.network;
        (&network.observations.targets, network.likelihood.targets(network.layout.outputs()))
    }

    /// The sum of gradients of coordinate `axis` for chain `chain` of the group.
    #[inline(always)]
    pub(super) fn gradient(&self, axis: usize, chain: usize) -> f64 {
        if GROUP { self.gradients[axis][chain] } else { self.gradients.as_flattened()[axis] }
    }
}

/// The numbers of the data in the lanes, from number `first` on: `used` different ones, the last of them repeated.
#[inline(always)]
pub(super) fn consecutive(first: usize, used: usize) -> [usize; WIDTH] {
    std::array::from_fn(|lane| first + lane.min(used - 1))
}

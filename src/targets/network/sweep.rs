//! Networks of many chains at a time, in vector instructions.
//!
//! Numbers lie in blocks of [`WIDTH`], unit by unit with the `L` chains of a group innermost: number `u · L + c` for unit
//! `u` and chain `c`. There are two cases. In a group of `L = WIDTH` chains a block is one unit of all chains. For a
//! single chain, `L = 1`, a block has eight units of it, and blocks are filled up with zeros. Both take the same operations
//! in the same order for each chain: sums over the units before or behind a unit, and over data, are taken in order, one
//! term after the other, and side by side lie only numbers that do not depend on each other. So bits agree.
//!
//! The weights of a group are copied into blocks first: Wˡ by columns, which the forward pass adds up, and by rows for
//! the backward pass. Gradients are kept in blocks until all data are added up.

use super::{Layer, Layout, Network};
use crate::math::Coords;
use crate::math::kernels::{Kernel, tanh};
use crate::targets::Minibatches;

/// Numbers in a block, and chains in a group.
const WIDTH: usize = 8;

/// Numbers that are computed side by side.
type Block = [f64; WIDTH];

/// Smallest number of remaining chains for which a group is filled up with repetitions of one. Chosen by measurement: a
/// group takes about as long as this many single chains.
const WORTH_A_GROUP: usize = 2;

/// Where everything lies in the room, for groups and for single chains.
#[derive(Clone, Debug)]
pub(super) struct Plans {
    group: Plan,
    single: Plan,
}

/// Where everything lies for groups of one size. All places are numbers of blocks.
#[derive(Clone, Debug)]
struct Plan {
    shapes: Vec<Shape>,
    /// Blocks of weights.
    parameters: usize,
    /// Blocks of activations, and of their gradients δ.
    activations: usize,
    /// Blocks of gradients.
    gradients: usize,
    /// Blocks of the outputs.
    outputs: usize,
}

/// One layer of weights.
#[derive(Clone, Copy, Debug)]
struct Shape {
    layer: Layer,
    /// Among the weights: W by columns, b, W by rows.
    columns: usize,
    biases: usize,
    rows: usize,
    /// Among the activations: the layer before and the layer behind.
    input: usize,
    output: usize,
    /// Blocks of each of the two.
    inputs: usize,
    outputs: usize,
    /// Among the gradients: those of W, by rows or by columns, and of b.
    weight_gradients: usize,
    bias_gradients: usize,
    by_rows: bool,
}

impl Plans {
    pub(super) fn new(layout: &Layout) -> Self {
        Self { group: Plan::new(layout, WIDTH), single: Plan::new(layout, 1) }
    }

    /// Blocks that either plan needs.
    fn blocks(&self) -> usize {
        self.group.blocks().max(self.single.blocks())
    }
}

impl Plan {
    fn new(layout: &Layout, lanes: usize) -> Self {
        let blocks = |units: usize| (units * lanes).div_ceil(WIDTH);
        let (mut parameters, mut gradients, mut input) = (0, 0, 0);
        let mut shapes = Vec::new();
        for layer in layout.layers() {
            let (inputs, outputs) = (blocks(layer.inputs), blocks(layer.outputs));
            let (by_row, by_column) = (layer.outputs * inputs, layer.inputs * outputs);
            let by_rows = by_row < by_column;
            let biases = parameters + by_column;
            let bias_gradients = gradients + by_row.min(by_column);
            shapes.push(Shape {
                layer: *layer,
                columns: parameters,
                biases,
                rows: biases + outputs,
                input,
                output: input + inputs,
                inputs,
                outputs,
                weight_gradients: gradients,
                bias_gradients,
                by_rows,
            });
            parameters = biases + outputs + by_row;
            gradients = bias_gradients + outputs;
            input += inputs;
        }
        let outputs = blocks(layout.outputs());
        Self { shapes, parameters, activations: input + outputs, gradients, outputs }
    }

    fn blocks(&self) -> usize {
        self.parameters + 2 * self.activations + self.gradients
    }
}

/// Memory for at least `blocks` blocks.
#[inline(always)]
fn grown(room: &mut Vec<f64>, blocks: usize) -> &mut [Block] {
    if room.len() < blocks * WIDTH {
        room.resize(blocks * WIDTH, 0.0);
    }
    &mut room.as_chunks_mut().0[..blocks]
}

/// Chain `lane` of unit `unit`, for all lanes.
#[inline(always)]
fn put<const L: usize>(blocks: &mut [Block], unit: usize, values: [f64; L]) {
    blocks.as_flattened_mut()[unit * L..(unit + 1) * L].copy_from_slice(&values);
}

/// One unit, as a factor of blocks: of a group its chains, of a single chain its number everywhere.
#[inline(always)]
fn spread<const L: usize>(blocks: &[Block], unit: usize) -> Block {
    if L == WIDTH { blocks[unit] } else { [blocks.as_flattened()[unit]; WIDTH] }
}

/// `sums` += `factor` ∘ `terms`, block by block.
#[inline(always)]
fn add_multiple(sums: &mut [Block], factor: Block, terms: &[Block]) {
    for (sum, term) in sums.iter_mut().zip(terms) {
        for i in 0..WIDTH {
            sum[i] += factor[i] * term[i];
        }
    }
}

/// A group of `L` chains, and the room for its passes.
struct Pass<'a, const L: usize> {
    network: &'a Network,
    plan: &'a Plan,
    parameters: &'a mut [Block],
    activations: &'a mut [Block],
    deltas: &'a mut [Block],
    gradients: &'a mut [Block],
}

impl<'a, const L: usize> Pass<'a, L> {
    /// The group of the `used` ≤ `L` vectors from number `first` on; unused lanes repeat the first of them.
    #[inline(always)]
    fn new(network: &'a Network, room: &'a mut [Block], at: &Coords, first: usize, used: usize) -> Self {
        let plan = if L == WIDTH { &network.plans.group } else { &network.plans.single };
        let (parameters, room) = room.split_at_mut(plan.parameters);
        let (activations, room) = room.split_at_mut(plan.activations);
        let (deltas, room) = room.split_at_mut(plan.activations);
        let gradients = &mut room[..plan.gradients];
        if L != WIDTH {
            // What fills up the blocks.
            parameters.fill([0.0; WIDTH]);
            activations.fill([0.0; WIDTH]);
            deltas.fill([0.0; WIDTH]);
        }
        let value = |axis: usize| {
            let chains = &at.axis(axis)[first..first + used];
            let mut values = [chains[0]; L];
            values[..used].copy_from_slice(chains);
            values
        };
        for (number, shape) in plan.shapes.iter().enumerate() {
            let layer = shape.layer;
            for row in 0..layer.outputs {
                for column in 0..layer.inputs {
                    let values = value(layer.weights + row * layer.inputs + column);
                    put(&mut parameters[shape.columns + column * shape.outputs..], row, values);
                    if number > 0 {
                        put(&mut parameters[shape.rows + row * shape.inputs..], column, values);
                    }
                }
                put(&mut parameters[shape.biases..], row, value(layer.biases + row));
            }
        }
        Self { network, plan, parameters, activations, deltas, gradients }
    }

    /// The forward pass of input numbers `index` among `inputs`, one for each lane.
    #[inline(always)]
    fn forward(&mut self, inputs: &[f64], index: [usize; L]) {
        let width = self.network.layout.inputs();
        for j in 0..width {
            put(self.activations, j, index.map(|index| inputs[index * width + j]));
        }
        let last = self.plan.shapes.len() - 1;
        for (number, shape) in self.plan.shapes.iter().enumerate() {
            let (before, behind) = self.activations.split_at_mut(shape.output);
            let (input, output) = (&before[shape.input..], &mut behind[..shape.outputs]);
            output.copy_from_slice(&self.parameters[shape.biases..][..shape.outputs]);
            let columns = self.parameters[shape.columns..].chunks_exact(shape.outputs);
            for (j, column) in columns.take(shape.layer.inputs).enumerate() {
                add_multiple(output, spread::<L>(input, j), column);
            }
            if number < last {
                for h in output {
                    for h in h {
                        *h = tanh(*h);
                    }
                }
            }
        }
    }

    /// f of all lanes.
    #[inline(always)]
    fn outputs(&self) -> &[f64] {
        let blocks = &self.activations[self.plan.activations - self.plan.outputs..];
        &blocks.as_flattened()[..self.network.layout.outputs() * L]
    }

    /// The log likelihood terms of data `index`, after their forward pass.
    #[inline(always)]
    fn log_terms(&self, index: [usize; L]) -> [f64; L] {
        let (targets, width) = self.targets();
        self.network.likelihood.log_terms(self.outputs(), |t| index.map(|index| targets[index * width + t]))
    }

    /// The backward pass of data `index`, after their forward pass: adds their gradients.
    #[inline(always)]
    fn backward(&mut self, index: [usize; L]) {
        let (targets, width) = self.targets();
        let outputs = self.plan.activations - self.plan.outputs;
        let count = self.network.layout.outputs() * L;
        let f = &self.activations[outputs..].as_flattened()[..count];
        let top = &mut self.deltas[outputs..].as_flattened_mut()[..count];
        self.network.likelihood.residuals(f, |t| index.map(|index| targets[index * width + t]), top);
        for (number, shape) in self.plan.shapes.iter().enumerate().rev() {
            let (before, behind) = self.deltas.split_at_mut(shape.output);
            let (delta, input) = (&behind[..shape.outputs], &self.activations[shape.input..][..shape.inputs]);
            let (weights, biases) =
                self.gradients[shape.weight_gradients..].split_at_mut(shape.bias_gradients - shape.weight_gradients);
            add_multiple(biases, [1.0; WIDTH], delta);
            if shape.by_rows {
                for (row, sums) in weights.chunks_exact_mut(shape.inputs).enumerate() {
                    add_multiple(sums, spread::<L>(delta, row), input);
                }
            } else {
                for (column, sums) in weights.chunks_exact_mut(shape.outputs).enumerate() {
                    add_multiple(sums, spread::<L>(input, column), delta);
                }
            }
            if number > 0 {
                let below = &mut before[shape.input..];
                below.fill([0.0; WIDTH]);
                let rows = self.parameters[shape.rows..].chunks_exact(shape.inputs);
                for (row, weights) in rows.take(shape.layer.outputs).enumerate() {
                    add_multiple(below, spread::<L>(delta, row), weights);
                }
                for (delta, h) in below.iter_mut().zip(input) {
                    for i in 0..WIDTH {
                        delta[i] *= 1.0 - h[i] * h[i];
                    }
                }
            }
        }
    }

    #[inline(always)]
    fn targets(&self) -> (&'a [f64], usize) {
        let network = self.network;
        (&network.observations.targets, network.likelihood.targets(network.layout.outputs()))
    }

    /// Shows the sum of gradients of every coordinate of θ: its number and that of all lanes.
    #[inline(always)]
    fn each_gradient(&self, mut show: impl FnMut(usize, &[f64])) {
        for shape in &self.plan.shapes {
            let layer = shape.layer;
            let weights = self.gradients[shape.weight_gradients..].as_flattened();
            for row in 0..layer.outputs {
                for column in 0..layer.inputs {
                    let place = if shape.by_rows {
                        row * shape.inputs * WIDTH + column * L
                    } else {
                        column * shape.outputs * WIDTH + row * L
                    };
                    show(layer.weights + row * layer.inputs + column, &weights[place..place + L]);
                }
            }
            let biases = self.gradients[shape.bias_gradients..].as_flattened();
            for row in 0..layer.outputs {
                show(layer.biases + row, &biases[row * L..(row + 1) * L]);
            }
        }
    }
}

/// What is done with a group of chains.
trait Grouped {
    /// Handles the `used` ≤ `L` chains from number `first` on; must be inlined.
    fn group<const L: usize>(&mut self, first: usize, used: usize);
}

/// All groups of `len` chains.
#[inline(always)]
fn in_groups(len: usize, work: &mut impl Grouped) {
    let whole = len - len % WIDTH;
    for first in (0..whole).step_by(WIDTH) {
        work.group::<WIDTH>(first, WIDTH);
    }
    if len - whole >= WORTH_A_GROUP {
        work.group::<WIDTH>(whole, len - whole);
    } else {
        (whole..len).for_each(|chain| work.group::<1>(chain, 1));
    }
}

/// Gradients of log p_T, or estimates of them.
pub(super) struct Gradients<'a, 'b> {
    pub(super) network: &'a Network,
    pub(super) at: &'a Coords,
    /// Minibatches; all data without them.
    pub(super) batches: Option<Minibatches<'b>>,
    pub(super) room: &'a mut Vec<f64>,
    pub(super) out: &'a mut Coords,
}

impl Kernel for Gradients<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run(mut self) {
        in_groups(self.at.len(), &mut self);
    }
}

impl Grouped for Gradients<'_, '_> {
    #[inline(always)]
    fn group<const L: usize>(&mut self, first: usize, used: usize) {
        let network = self.network;
        let room = grown(self.room, network.plans.blocks());
        let mut pass = Pass::<L>::new(network, room, self.at, first, used);
        pass.gradients.fill([0.0; WIDTH]);
        let inputs = &network.observations.inputs;
        let mut factor = network.likelihood_factor;
        if let Some(batches) = self.batches {
            factor *= network.count as f64 / batches.size() as f64;
            for number in 0..batches.size() {
                let index = batches.lanes::<L>(0, number, first).map(|index| index as usize);
                pass.forward(inputs, index);
                pass.backward(index);
            }
        } else {
            for index in 0..network.count {
                pass.forward(inputs, [index; L]);
                pass.backward([index; L]);
            }
        }
        pass.each_gradient(|axis, sums| {
            let precision = network.precisions[axis];
            let theta = &self.at.axis(axis)[first..first + used];
            let out = &mut self.out.axis_mut(axis)[first..first + used];
            for ((out, theta), sum) in out.iter_mut().zip(theta).zip(sums) {
                *out = factor * sum - precision * theta;
            }
        });
    }
}

/// log p_T.
pub(super) struct LogDensities<'a> {
    pub(super) network: &'a Network,
    pub(super) at: &'a Coords,
    pub(super) room: &'a mut Vec<f64>,
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
    fn group<const L: usize>(&mut self, first: usize, used: usize) {
        let network = self.network;
        let room = grown(self.room, network.plans.blocks());
        let mut pass = Pass::<L>::new(network, room, self.at, first, used);
        let mut sums = [0.0; L];
        for index in 0..network.count {
            pass.forward(&network.observations.inputs, [index; L]);
            let terms = pass.log_terms([index; L]);
            for lane in 0..L {
                sums[lane] += terms[lane];
            }
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
    pub(super) room: &'a mut Vec<f64>,
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
    fn group<const L: usize>(&mut self, first: usize, used: usize) {
        let network = self.network;
        let room = grown(self.room, network.plans.blocks());
        let mut pass = Pass::<L>::new(network, room, self.at, first, used);
        let (vectors, outputs) = (self.at.len(), network.layout.outputs());
        for index in 0..self.inputs.len() / network.layout.inputs() {
            pass.forward(self.inputs, [index; L]);
            let places = self.out[index * outputs * vectors..].chunks_exact_mut(vectors);
            for (f, places) in pass.outputs().as_chunks::<L>().0.iter().zip(places) {
                places[first..first + used].copy_from_slice(&f[..used]);
            }
        }
    }
}

/// Variances over data of the gradients of their log likelihoods, by Welford's (1962) recurrence.
pub(super) struct Variances<'a> {
    pub(super) network: &'a Network,
    pub(super) at: &'a Coords,
    pub(super) index: usize,
    pub(super) room: &'a mut Vec<f64>,
    pub(super) out: &'a mut [f64],
}

impl Kernel for Variances<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let network = self.network;
        let dimension = self.out.len();
        let blocks = network.plans.blocks();
        let room = grown(self.room, blocks + dimension.div_ceil(WIDTH));
        let (room, means) = room.split_at_mut(blocks);
        let means = &mut means.as_flattened_mut()[..dimension];
        means.fill(0.0);
        self.out.fill(0.0);
        let mut pass = Pass::<1>::new(network, room, self.at, self.index, 1);
        for datum in 0..network.count {
            pass.gradients.fill([0.0; WIDTH]);
            pass.forward(&network.observations.inputs, [datum]);
            pass.backward([datum]);
            let number = (datum + 1) as f64;
            pass.each_gradient(|axis, gradient| {
                let before = gradient[0] - means[axis];
                means[axis] += before / number;
                self.out[axis] += before * (gradient[0] - means[axis]);
            });
        }
        let factor = network.likelihood_factor * network.likelihood_factor;
        for out in self.out {
            *out *= factor / network.count.max(1) as f64;
        }
    }
}

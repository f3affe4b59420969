//! A network at one weight vector: outputs, Jacobians, and the gradients of single data. For second derivatives and
//! measures; chains go through [`sweep`](super::sweep), which gives the same bits.

use super::{Layout, Network};
use base::math::elementary::tanh;

/// The activations of all layers at one input: h⁰ = x, h¹, …, f.
#[derive(Clone, Debug)]
pub(super) struct Trace(pub(super) Vec<Vec<f64>>);

impl Trace {
    /// The forward pass.
    pub(super) fn new(layout: &Layout, theta: &[f64], input: &[f64]) -> Self {
        let mut activations = vec![input.to_vec()];
        let last = layout.layers().len() - 1;
        for (number, layer) in layout.layers().iter().enumerate() {
            let h = &activations[number];
            let unit = |row: usize| {
                let weights = &theta[layer.weights + row * layer.inputs..][..layer.inputs];
                let a = weights.iter().zip(h).fold(theta[layer.biases + row], |a, (w, h)| a + w * h);
                if number == last { a } else { tanh(a) }
            };
            let next = (0..layer.outputs).map(unit).collect();
            activations.push(next);
        }
        Self(activations)
    }

    /// f.
    pub(super) fn outputs(&self) -> &[f64] {
        self.0.last().map_or(&[], |outputs| outputs)
    }

    /// δˡ of every layer of weights, from the first on, for δᴸ = `seed`.
    pub(super) fn deltas(&self, layout: &Layout, theta: &[f64], seed: &[f64]) -> Vec<Vec<f64>> {
        let mut deltas = vec![seed.to_vec()];
        for (layer, h) in layout.layers().iter().zip(&self.0).skip(1).rev() {
            let after = &deltas[deltas.len() - 1];
            let unit = |column: usize| {
                let pull: f64 = (0..layer.outputs).map(|row| theta[layer.index(row, column)] * after[row]).sum();
                pull * (1.0 - h[column] * h[column])
            };
            deltas.push((0..layer.inputs).map(unit).collect());
        }
        deltas.reverse();
        deltas
    }

    /// Σ_c `seed[c]` ∂f_c/∂θ.
    pub(super) fn gradient(&self, layout: &Layout, theta: &[f64], seed: &[f64]) -> Vec<f64> {
        let mut gradient = Vec::with_capacity(layout.dimension());
        for (delta, h) in self.deltas(layout, theta, seed).iter().zip(&self.0) {
            gradient.extend(delta.iter().flat_map(|delta| h.iter().map(move |h| delta * h)));
            gradient.extend(delta);
        }
        gradient
    }

    /// ∂f/∂θ, one row of d numbers per output.
    pub(super) fn jacobian(&self, layout: &Layout, theta: &[f64]) -> Vec<Vec<f64>> {
        let outputs = layout.outputs();
        let unit = |c: usize| (0..outputs).map(|other| if other == c { 1.0 } else { 0.0 }).collect::<Vec<f64>>();
        (0..outputs).map(|c| self.gradient(layout, theta, &unit(c))).collect()
    }
}

impl Network {
    /// f at one input of n₀ numbers, for a weight vector θ of d numbers.
    #[must_use]
    pub fn output(&self, theta: &[f64], input: &[f64]) -> Vec<f64> {
        Trace::new(&self.layout, theta, input).outputs().to_vec()
    }

    /// ∂f/∂θ at one input of n₀ numbers: one row of d numbers per output.
    #[must_use]
    pub fn jacobian(&self, theta: &[f64], input: &[f64]) -> Vec<Vec<f64>> {
        Trace::new(&self.layout, theta, input).jacobian(&self.layout, theta)
    }

    /// ∇ log p(yᵢ|xᵢ, θ) at T = 1 for datum `index` < N.
    #[must_use]
    pub fn datum_gradient(&self, theta: &[f64], index: usize) -> Vec<f64> {
        let trace = Trace::new(&self.layout, theta, self.input(index));
        trace.gradient(&self.layout, theta, &self.residual(&trace, index))
    }

    /// ∂ log p(yᵢ|f)/∂f at T = 1.
    pub(super) fn residual(&self, trace: &Trace, index: usize) -> Vec<f64> {
        let y = self.target(index);
        let mut residual = vec![0.0; self.layout.outputs()];
        let f = trace.outputs().as_chunks::<1>().0;
        self.likelihood.residuals::<1>(f, |t| [y[t]], residual.as_chunks_mut().0);
        residual
    }

    /// log p(yᵢ|xᵢ, θ) at T = 1, normalised, for datum `index` < N.
    #[must_use]
    pub fn datum_log_likelihood(&self, theta: &[f64], index: usize) -> f64 {
        let (f, y) = (self.output(theta, self.input(index)), self.target(index));
        let [term] = self.likelihood.log_terms::<1>(f.as_chunks().0, |t| [y[t]]);
        term + self.likelihood.constant(f.len())
    }
}

//! The layers of a network and where their weights lie in θ.

use super::NetworkError;

/// Largest number of units in a layer.
pub const MOST_UNITS: usize = 256;

/// Largest number of hidden layers.
pub const MOST_HIDDEN_LAYERS: usize = 4;

/// The sizes [n₀, n₁, …, n_L] of the layers of a network: inputs, hidden units, outputs.
///
/// The weight vector is θ = (W¹ row by row, b¹, W², b², …), where Wˡ is nₗ × nₗ₋₁.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    sizes: Vec<usize>,
    layers: Vec<Layer>,
}

/// One layer of weights: a = W h + b with h from the layer before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layer {
    /// nₗ₋₁, the number of columns of W.
    pub inputs: usize,
    /// nₗ, the number of rows of W.
    pub outputs: usize,
    /// Where W begins in θ.
    pub weights: usize,
    /// Where b begins in θ.
    pub biases: usize,
}

impl Layer {
    /// The number of weights and biases.
    #[must_use]
    pub fn len(&self) -> usize {
        self.outputs * (self.inputs + 1)
    }

    /// Whether there are no weights; never so in a [`Layout`].
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Where the weight from input `column` to unit `row` lies in θ; the bias of the unit for `column` = nₗ₋₁.
    #[must_use]
    pub fn index(&self, row: usize, column: usize) -> usize {
        if column == self.inputs { self.biases + row } else { self.weights + row * self.inputs + column }
    }
}

impl Layout {
    /// The layout with layers of these sizes, from the inputs to the outputs.
    ///
    /// # Errors
    /// Fewer than two sizes, more than [`MOST_HIDDEN_LAYERS`] hidden layers, or a layer without units or with more than
    /// [`MOST_UNITS`].
    pub fn new(sizes: &[usize]) -> Result<Self, NetworkError> {
        if sizes.len() < 2 || sizes.len() > MOST_HIDDEN_LAYERS + 2 {
            return Err(NetworkError::Layers(sizes.len()));
        }
        if let Some(units) = sizes.iter().copied().find(|units| !(1..=MOST_UNITS).contains(units)) {
            return Err(NetworkError::Units(units));
        }
        let mut layers = Vec::new();
        let mut weights = 0;
        for pair in sizes.windows(2) {
            let (inputs, outputs) = (pair[0], pair[1]);
            let layer = Layer { inputs, outputs, weights, biases: weights + inputs * outputs };
            weights += layer.len();
            layers.push(layer);
        }
        Ok(Self { sizes: sizes.to_vec(), layers })
    }

    /// The sizes of the layers, from the inputs to the outputs.
    #[must_use]
    pub fn sizes(&self) -> &[usize] {
        &self.sizes
    }

    /// The layers of weights, from the first to the last; at least one.
    #[must_use]
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// n₀, the number of inputs.
    #[must_use]
    pub fn inputs(&self) -> usize {
        self.sizes[0]
    }

    /// n_L, the number of outputs.
    #[must_use]
    pub fn outputs(&self) -> usize {
        self.sizes[self.sizes.len() - 1]
    }

    /// d, the number of weights and biases.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.layers.iter().map(Layer::len).sum()
    }

    /// The number of units in hidden layers.
    #[must_use]
    pub fn hidden_units(&self) -> usize {
        self.sizes[1..self.sizes.len() - 1].iter().sum()
    }

    /// The number, counted over all hidden layers, of the hidden unit whose outgoing weight θ has at `index`; `None` for
    /// biases and for weights of inputs.
    #[must_use]
    pub fn unit_behind(&self, index: usize) -> Option<usize> {
        let mut units = 0;
        for pair in self.layers.windows(2) {
            let layer = pair[1];
            if (layer.weights..layer.biases).contains(&index) {
                return Some(units + (index - layer.weights) % layer.inputs);
            }
            units += layer.inputs;
        }
        None
    }

    /// The last layer of weights.
    #[must_use]
    pub fn last_layer(&self) -> Layer {
        self.layers[self.layers.len() - 1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_lie_layer_by_layer() {
        let layout = Layout::new(&[2, 3, 1]).unwrap();
        assert_eq!((layout.dimension(), layout.inputs(), layout.outputs()), (13, 2, 1));
        assert_eq!(layout.layers()[0], Layer { inputs: 2, outputs: 3, weights: 0, biases: 6 });
        assert_eq!(layout.last_layer(), Layer { inputs: 3, outputs: 1, weights: 9, biases: 12 });
        assert_eq!((layout.layers()[0].index(2, 1), layout.layers()[0].index(2, 2)), (5, 8));
        for (sizes, dimension) in [([1, 10, 1], 31), ([2, 8, 1], 33), ([2, 2, 1], 9)] {
            assert_eq!(Layout::new(&sizes).unwrap().dimension(), dimension);
        }
    }

    #[test]
    fn weights_have_hidden_units_behind_them() {
        let layout = Layout::new(&[2, 3, 2, 1]).unwrap();
        let behind: Vec<Option<usize>> = (0..layout.dimension()).map(|index| layout.unit_behind(index)).collect();
        let some = |units: &[usize]| units.iter().copied().map(Some).collect::<Vec<_>>();
        let expected = [vec![None; 9], some(&[0, 1, 2, 0, 1, 2]), vec![None; 2], some(&[3, 4]), vec![None]].concat();
        assert_eq!((layout.hidden_units(), behind), (5, expected));
        let line = Layout::new(&[2, 1]).unwrap();
        assert_eq!((line.hidden_units(), line.unit_behind(0)), (0, None));
    }

    #[test]
    fn a_layout_has_bounds() {
        assert_eq!(Layout::new(&[3]), Err(NetworkError::Layers(1)));
        assert_eq!(Layout::new(&[1, 2, 2, 2, 2, 2, 1]), Err(NetworkError::Layers(7)));
        assert_eq!(Layout::new(&[1, 0, 1]), Err(NetworkError::Units(0)));
        assert_eq!(Layout::new(&[1, 257, 1]), Err(NetworkError::Units(257)));
    }
}

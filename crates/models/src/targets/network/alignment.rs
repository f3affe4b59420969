//! Alignment: of all weights with the same function, those nearest to other weights.
//!
//! Hidden units can be exchanged, and the signs of all weights to and from one can be turned, for tanh is odd: a layer with H units
//! has H!·2ᴴ copies of every function (R. Hecht-Nielsen 1990). The units of one layer are matched as an assignment problem: the
//! cost of unit B in the place of unit A is min(|A − B|², |A + B|²) over the weights to it, its bias and the weights from it, in
//! units of the prior sds, and its signs are turned where the second is smaller. With one hidden layer that is the nearest copy.
//! With more of them layers are matched in turn, the others as they are, until none changes: each matching comes nearer, and the
//! end may be a copy that no single layer can improve (S. K. Ainsworth, J. Hayase & S. Srinivasa 2023, arXiv:2209.04836).

use super::Network;
use base::math::assign;

/// Matchings of all layers, at most; a few are enough.
const MOST_ROUNDS: usize = 20;

impl Network {
    /// The weights with the same function as `weights` that are nearest to the weights `to`, in units of the prior sds; `weights`
    /// themselves if a number is not finite.
    #[must_use]
    pub fn aligned(&self, weights: &[f64], to: &[f64]) -> Vec<f64> {
        let mut own = weights.to_vec();
        if !weights.iter().chain(to).all(|weight| weight.is_finite()) {
            return own;
        }
        for _ in 0..MOST_ROUNDS {
            let mut changed = false;
            for layer in 1..self.layout.layers().len() {
                changed |= self.match_units(layer - 1, &mut own, to);
            }
            if !changed {
                break;
            }
        }
        own
    }

    /// Brings the units of a hidden layer next to those of `to`; returns whether any has changed.
    fn match_units(&self, layer: usize, own: &mut [f64], to: &[f64]) -> bool {
        let before = own.to_vec();
        // |A − B|² and |A + B|².
        let costs = |slot: usize, unit: usize| {
            let pairs = self.unit(layer, slot).zip(self.unit(layer, unit));
            pairs.fold([0.0; 2], |[same, turned], (at, from)| {
                let [a, b] = [to[at], before[from]].map(|weight| weight / self.prior_sds[at]);
                [same + (a - b) * (a - b), turned + (a + b) * (a + b)]
            })
        };
        let least = |[same, turned]: [f64; 2]| if turned < same { turned } else { same };
        let count = self.layout.layers()[layer].outputs;
        let all: Vec<f64> = (0..count * count).map(|pair| least(costs(pair / count, pair % count))).collect();
        let units = assign(&all, count, count);
        let mut changed = false;
        for (slot, unit) in units.into_iter().enumerate() {
            let [same, turned] = costs(slot, unit);
            let sign = if turned < same { -1.0 } else { 1.0 };
            changed |= slot != unit || sign < 0.0;
            for (at, from) in self.unit(layer, slot).zip(self.unit(layer, unit)) {
                own[at] = sign * before[from];
            }
        }
        changed
    }

    /// Where the weights to a unit of a hidden layer, its bias and the weights from it lie in θ.
    fn unit(&self, layer: usize, unit: usize) -> impl Iterator<Item = usize> {
        let [layer, next] = [layer, layer + 1].map(|number| self.layout.layers()[number]);
        let to = (0..=layer.inputs).map(move |input| layer.index(unit, input));
        to.chain((0..next.outputs).map(move |output| next.index(output, unit)))
    }
}

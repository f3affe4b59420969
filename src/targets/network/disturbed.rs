//! Gradients with noise in the data and with anchors, of members of an anchored ensemble.

use super::pass::{Pass, consecutive, grown};
use super::sweep::{Grouped, in_groups};
use super::{Likelihood, Network};
use crate::math::Coords;
use crate::math::kernels::Kernel;
use crate::targets::Disturbance;

/// The gradients of a network with Gaussian noise; zero for other likelihoods.
pub(super) struct DisturbedGradients<'a> {
    pub(super) network: &'a Network,
    pub(super) at: &'a Coords,
    pub(super) disturbance: Disturbance<'a>,
    pub(super) room: &'a mut Vec<f64>,
    pub(super) out: &'a mut Coords,
}

impl Kernel for DisturbedGradients<'_> {
    type Output = ();

    #[inline(always)]
    fn run(mut self) {
        in_groups(self.at.len(), &mut self);
    }
}

impl Grouped for DisturbedGradients<'_> {
    #[inline(always)]
    fn group<const GROUP: bool>(&mut self, first: usize, used: usize) {
        let Self { network, at, disturbance, .. } = *self;
        let Likelihood::Gaussian { sd } = network.likelihood else {
            return self.out.values_mut().fill(0.0);
        };
        // A tempered likelihood has variance σ²T, a tempered prior s²T.
        let (of_prior, of_likelihood) = network.temper.factors();
        let (sd, anchor_scale) = (sd / of_likelihood.sqrt(), 1.0 / of_prior.sqrt());
        let room = grown(self.room, network.plan.blocks());
        let mut pass = Pass::<GROUP>::new(network, room, at, first, used);
        pass.clear();
        let step = Pass::<GROUP>::DATA;
        let mut number = 0;
        while number < network.count {
            let data = step.min(network.count - number);
            let index = consecutive(number, data);
            pass.forward(&network.observations.inputs, index);
            let (targets, width) = pass.targets();
            let target = |t: usize| {
                std::array::from_fn(|lane| {
                    let place = index[lane] * width + t;
                    let chain = if GROUP { first + lane.min(used - 1) } else { first };
                    targets[place] + sd * disturbance.noise(place, chain)
                })
            };
            pass.backward_to(target, data);
            number += step;
        }
        for axis in 0..network.plan.dimension {
            let precision = network.precisions[axis];
            let range = first..first + used;
            let (theta, anchors) = (&at.axis(axis)[range.clone()], &disturbance.anchors.axis(axis)[range.clone()]);
            let out = &mut self.out.axis_mut(axis)[range];
            for (chain, (out, (theta, anchor))) in out.iter_mut().zip(theta.iter().zip(anchors)).enumerate() {
                let gradient = network.likelihood_factor * pass.gradient(axis, chain);
                *out = gradient - precision * (theta - anchor_scale * anchor);
            }
        }
    }
}

//! Reference for predictions: the posterior of a network's functions by Hamiltonian Monte Carlo.
//!
//! Nobody knows the posterior of a network in closed form. A long HMC run of many chains comes close enough to judge other
//! methods by, and can be computed for whatever data there are. What it is worth is part of it: R̂ and ESS of f at
//! [`probes`](Inputs::probes), for the weights themselves have so many symmetries that their R̂ says little.
//!
//! A [`ReferenceRun`] is computed in several calls; what it is after some number of iterations depends on its model and its
//! [`ReferencePlan`], not on how they were cut. [`ReferenceRun::reference`] says what is known so far.
//!
//! The algorithm: r ~ N(0, I) in units of the prior sds s, that is, with mass 1/s². A path has L ~ U{20 … 60} leapfrog
//! steps of size h·U(0.8, 1.2) and is accepted with probability min(1, exp(H − H′)) (R. M. Neal, *MCMC using Hamiltonian
//! dynamics*, 2011, arXiv:1206.1901).
//!
//! Chains start from draws from the prior. In the first half of the warm-up the density is β log p + (1 − β) log prior, and β
//! rises from 0 to 1 as the fourth power of time, as in annealed importance sampling (R. M. Neal, Stat. Comput. 11, 2001):
//! without it some chains end in steep regions with hardly any probability, and stay there. Every chain has a step size of
//! its own meanwhile, which follows the density. In the second half one step size is found for all chains, at which 0.8 of
//! the proposals are accepted (`step_search`). It stays as it is after the warm-up.

mod chains;
mod report;
mod step_search;
#[cfg(test)]
mod tests;
mod trace;

use std::sync::Arc;

use rayon::prelude::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator, ParallelSlice};

pub use report::{Moments, Reference};

use base::math::{Coords, Simd};
use chains::{Bridge, ReferenceBlock};
use models::targets::Model;
use step_search::{StepSearch, followed};
use trace::ThinnedTrace;

/// Chains of a block, which are computed together.
const WIDTH: usize = 8;

/// Vectors that are kept for other predictions, about.
const KEPT_VECTORS: usize = 2048;

/// The step size at the prior, in units of its sds, where any below 1 would do.
const FIRST_STEP: f64 = 0.1;

/// Length of a reference. The defaults take about ten seconds of one core for a network with ten hidden units and 40
/// data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReferencePlan {
    /// Chains, at least 2.
    pub chains: usize,
    /// Iterations before draws count, at least 10.
    pub warm_up: u64,
    /// Draws of every chain.
    pub draws: u64,
    /// The largest number of draws of a chain whose f at the probes are kept; of more, every second, fourth … is.
    pub rows: usize,
    /// The seed.
    pub seed: u64,
}

impl Default for ReferencePlan {
    fn default() -> Self {
        Self { chains: 16, warm_up: 1000, draws: 4000, rows: 1000, seed: 0 }
    }
}

/// Inputs at which f is evaluated, n₀ numbers per input, one after the other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inputs {
    /// Inputs at which the draws of f are kept, for R̂, ESS and quantiles.
    pub probes: Vec<f64>,
    /// Inputs at which mean and variance are kept, for bands.
    pub fine: Vec<f64>,
}

/// A reference that is being computed.
#[derive(Debug)]
pub struct ReferenceRun {
    plan: ReferencePlan,
    simd: Simd,
    inputs: Arc<Inputs>,
    /// All of `inputs`, the probes first.
    all: Vec<f64>,
    /// Inputs and outputs of f.
    sizes: [usize; 2],
    scales: Vec<f64>,
    blocks: Vec<ReferenceBlock>,
    /// The step size of every chain on the way from the prior to the posterior.
    alone: Vec<f64>,
    together: StepSearch,
    /// Iterations so far, of the warm-up too.
    made: u64,
    /// f of probe and output v of chain c at v · chains + c, then the log densities of all chains.
    trace: ThinnedTrace,
    vectors: Vec<Coords>,
    vector_rows: trace::KeptRows,
}

impl ReferenceRun {
    /// A reference for the functions of a model, before its first iteration.
    ///
    /// # Errors
    /// In a few words, if the model has no functions or no prior, or if an input is not complete.
    pub fn new(model: &dyn Model, inputs: Inputs, plan: ReferencePlan, simd: Simd) -> Result<Self, &'static str> {
        let functions = model.functions().ok_or("the target is no posterior of functions")?;
        let scales = model.scales().ok_or("the target has no prior")?;
        let sizes = [functions.inputs(), functions.outputs()];
        let complete = |inputs: &[f64]| inputs.len().is_multiple_of(sizes[0]);
        if !complete(&inputs.probes) || !complete(&inputs.fine) {
            return Err("an input is not complete");
        }
        let plan = ReferencePlan { chains: plan.chains.max(2), warm_up: plan.warm_up.max(10), ..plan };
        let all = [&inputs.probes[..], &inputs.fine].concat();
        let outputs = all.len() / sizes[0] * sizes[1];
        let block = |first: usize| {
            let chains = WIDTH.min(plan.chains - first);
            ReferenceBlock::new(model, plan.seed, first..first + chains, outputs)
        };
        let blocks: Option<Vec<ReferenceBlock>> = (0..plan.chains).step_by(WIDTH).map(block).collect();
        let values = inputs.probes.len() / sizes[0] * sizes[1];
        Ok(Self {
            simd,
            inputs: Arc::new(inputs),
            all,
            sizes,
            scales,
            blocks: blocks.ok_or("the target has no draws from its prior")?,
            alone: vec![FIRST_STEP; plan.chains],
            together: StepSearch::new(FIRST_STEP),
            made: 0,
            trace: ThinnedTrace::new((values + 1) * plan.chains, plan.rows),
            vectors: Vec::new(),
            vector_rows: trace::KeptRows::new(KEPT_VECTORS / plan.chains),
            plan,
        })
    }

    /// Iterations so far, of the warm-up too, and of all.
    #[must_use]
    pub fn made(&self) -> (u64, u64) {
        (self.made, self.plan.warm_up + self.plan.draws)
    }

    /// Whether all draws are there.
    #[must_use]
    pub fn finished(&self) -> bool {
        self.made >= self.plan.warm_up + self.plan.draws
    }

    /// Draws of every chain so far.
    #[must_use]
    pub fn draws(&self) -> u64 {
        self.made.saturating_sub(self.plan.warm_up)
    }

    /// Makes up to `iterations` iterations of every chain. `model` is the one that the reference was made for.
    pub fn advance(&mut self, model: &dyn Model, iterations: u64) {
        let (made, all) = self.made();
        for _ in 0..iterations.min(all - made) {
            let counts = self.made >= self.plan.warm_up;
            let bridge = Bridge { share: self.share(), scales: &self.scales };
            let together = if counts { self.together.found() } else { self.together.trial() };
            let steps = if self.anneals() { self.alone.clone() } else { vec![together; self.plan.chains] };
            let (simd, inputs) = (self.simd, &self.all);
            self.blocks.par_iter_mut().zip(steps.par_chunks(WIDTH)).for_each(|(block, steps)| {
                block.iterate(simd, model, bridge, steps);
                if counts {
                    block.evaluate(simd, model, inputs);
                }
            });
            if counts {
                self.keep();
            } else {
                self.search();
            }
            self.made += 1;
        }
    }

    /// Whether the next iteration is on the way from the prior to the posterior.
    fn anneals(&self) -> bool {
        self.made < self.plan.warm_up / 2
    }

    /// β of the next iteration.
    fn share(&self) -> f64 {
        let time = (self.made as f64 / (self.plan.warm_up / 2) as f64).min(1.0);
        (time * time) * (time * time)
    }

    /// Continues the search for the step size after an iteration of the warm-up.
    fn search(&mut self) {
        let probabilities = self.blocks.iter().flat_map(|block| block.acceptance.iter().copied());
        if !self.anneals() {
            self.together.learn(probabilities.sum::<f64>() / self.plan.chains as f64);
            return;
        }
        self.alone.iter_mut().zip(probabilities).for_each(|(step, probability)| *step = followed(*step, probability));
        let mut steps = self.alone.clone();
        steps.sort_by(f64::total_cmp);
        self.together = StepSearch::new(steps[steps.len() / 2]);
    }

    /// Keeps what the newest draws say.
    fn keep(&mut self) {
        let chains = self.plan.chains;
        let blocks = &self.blocks;
        let values = self.inputs.probes.len() / self.sizes[0] * self.sizes[1];
        self.trace.push(|number| {
            let (value, chain) = (number / chains, number % chains);
            let (block, lane) = (&blocks[chain / WIDTH], chain % WIDTH);
            if value < values { block.output(value, lane) } else { block.log_densities[lane] }
        });
        let (keep, halve) = self.vector_rows.next();
        if halve {
            let mut number = 0;
            self.vectors.retain(|_| {
                number += 1;
                number % 2 == 1
            });
        }
        if keep {
            let mut row = Coords::zeros(self.scales.len(), chains);
            for (chain, block) in
                (0..chains).zip(blocks.iter().flat_map(|block| (0..block.len()).map(move |l| (block, l))))
            {
                row.copy_vector(chain, &block.0.positions, block.1);
            }
            self.vectors.push(row);
        }
    }
}

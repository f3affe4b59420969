//! The targets of a session, one after another, with the truth about each: what runs move in.
//!
//! Most scenarios have a single one. Where an event puts another target in its place, an epoch begins: chains go on from
//! where they are, and their draws are counted anew, against the new truth.

use std::sync::{Arc, OnceLock};

use crate::diagnostics::Reference;
use crate::math::Simd;
use crate::methods::{FitSpace, Method};
use crate::scenario::Epoch;
use crate::targets::{Coordinates, Target, open_target, sampling_target};

use super::history::Pool;

/// Epochs whose truth is kept at hand; a few megabytes each. Others are worked out again when somebody goes there.
const KEPT: usize = 4;

/// What all runs of a session share in one epoch.
#[derive(Clone, Debug)]
pub struct World {
    /// The density in θ.
    pub target: Arc<dyn Target>,
    /// The density in the coordinates of samplers.
    sampled: Arc<dyn Target>,
    /// The density in coordinates without edges, once somebody has asked for it.
    open: Arc<OnceLock<Arc<dyn Target>>>,
    /// The truth to measure against.
    pub reference: Arc<Reference>,
    /// The instruction set to use; a matter of speed alone.
    pub simd: Simd,
    /// Memory for paths.
    pub pool: Arc<Pool>,
}

/// The density as the chains of a method see it.
#[derive(Clone, Copy, Debug)]
pub struct Space<'a> {
    /// The density in the coordinates of the chains.
    pub target: &'a Arc<dyn Target>,
    /// From these to θ.
    pub coordinates: Coordinates,
}

impl World {
    /// The coordinates in which chains of `method` live.
    pub fn space(&self, method: &dyn Method) -> Space<'_> {
        let facts = self.target.facts();
        let coordinates = Coordinates::of(facts);
        match method.fitting().map_or(FitSpace::Samplers, |fitting| fitting.space) {
            FitSpace::Open if coordinates != Coordinates::open(facts) => {
                let target = self.open.get_or_init(|| open_target(&self.target));
                Space { target, coordinates: Coordinates::open(facts) }
            }
            FitSpace::Theta if !coordinates.is_identity() => {
                Space { target: &self.target, coordinates: Coordinates::plain() }
            }
            _ => Space { target: &self.sampled, coordinates },
        }
    }
}

/// All epochs of a session.
#[derive(Debug)]
pub struct Worlds {
    epochs: Vec<Epoch>,
    worlds: Vec<OnceLock<World>>,
    simd: Simd,
    pool: Arc<Pool>,
}

impl Worlds {
    /// From at least one epoch, the first of which begins at step 0.
    pub fn new(epochs: Vec<Epoch>, simd: Simd, pool: Arc<Pool>) -> Self {
        let worlds = epochs.iter().map(|_| OnceLock::new()).collect();
        Self { epochs, worlds, simd, pool }
    }

    /// The targets and when they begin.
    pub fn epochs(&self) -> &[Epoch] {
        &self.epochs
    }

    /// The instruction set, and the memory for paths.
    pub fn means(&self) -> (Simd, Arc<Pool>) {
        (self.simd, self.pool.clone())
    }

    /// The number of the epoch that there is after `step` steps.
    pub fn epoch_at(&self, step: u64) -> usize {
        self.epochs.partition_point(|epoch| epoch.from <= step).max(1) - 1
    }

    /// The first step after `step` at which another epoch begins.
    pub fn next_after(&self, step: u64) -> Option<u64> {
        self.epochs.iter().map(|epoch| epoch.from).find(|&from| from > step)
    }

    /// The world of epoch number `epoch`.
    pub fn world(&self, epoch: usize) -> &World {
        self.worlds[epoch].get_or_init(|| {
            let target = self.epochs[epoch].target.clone();
            World {
                sampled: sampling_target(&target),
                open: Arc::default(),
                reference: Arc::new(Reference::new(target.as_ref())),
                target,
                simd: self.simd,
                pool: self.pool.clone(),
            }
        })
    }

    /// The epochs with another one among them, in the place of one that begins at the same step.
    pub fn with(&self, epoch: &Epoch) -> Vec<Epoch> {
        let others = self.epochs.iter().filter(|other| other.from != epoch.from);
        let mut epochs: Vec<Epoch> = others.chain([epoch]).cloned().collect();
        epochs.sort_by_key(|epoch| epoch.from);
        epochs
    }

    /// Puts other epochs in the place of these; what is known of those that stay is kept.
    pub fn replace(&mut self, epochs: Vec<Epoch>) {
        let known = |epoch: &Epoch| {
            let same = |other: &Epoch| other.from == epoch.from && Arc::ptr_eq(&other.target, &epoch.target);
            let place = self.epochs.iter().position(same)?;
            self.worlds[place].get().cloned()
        };
        self.worlds = epochs.iter().map(|epoch| known(epoch).map_or_else(OnceLock::new, OnceLock::from)).collect();
        self.epochs = epochs;
    }

    /// Forgets what is known of epochs far from number `epoch`, if it is much.
    pub fn tidy(&mut self, epoch: usize) {
        for (number, world) in self.worlds.iter_mut().enumerate() {
            if number.abs_diff(epoch) >= KEPT {
                world.take();
            }
        }
    }
}

//! What the measures against a reference need of it.

use std::sync::Arc;

use super::super::NoiseFloor;
use super::super::hmc_reference::Reference;
use super::super::predictive_formulas::ClassPrediction;
use super::{AGAINST_REFERENCE, Kind, agreement, distance};

/// A reference with what is computed of it once.
#[derive(Clone, Debug)]
pub struct KnownReference {
    pub(super) reference: Arc<Reference>,
    /// The predictions of all chains at the probes, of a classification; else none.
    pub(super) classes: Vec<ClassPrediction>,
    /// The floors of the measures in [`AGAINST_REFERENCE`].
    floors: [Option<NoiseFloor>; AGAINST_REFERENCE.len()],
}

impl KnownReference {
    /// What is known of a reference for functions of this kind, with floors or without.
    #[must_use]
    pub fn new(reference: Arc<Reference>, kind: Kind, floors: bool) -> Self {
        let (classes, floors) = match kind {
            Kind::Regression => {
                let [w1, mean] =
                    distance::floor(&reference).filter(|_| floors).map_or([None; 2], |both| both.map(Some));
                (Vec::new(), [w1, mean, None, None])
            }
            Kind::Classification(classes) => {
                let chains = agreement::chains(&reference, classes);
                let chains: Vec<&[ClassPrediction]> = chains.iter().map(Vec::as_slice).collect();
                let [same, tv] = agreement::floor(&chains).filter(|_| floors).map_or([None; 2], |both| both.map(Some));
                (agreement::pooled(&chains), [None, None, same, tv])
            }
        };
        Self { reference, classes, floors }
    }

    /// Whether it is of this reference.
    #[must_use]
    pub fn is_of(&self, reference: &Arc<Reference>) -> bool {
        Arc::ptr_eq(&self.reference, reference)
    }

    /// The floor of a measure.
    pub(super) fn floor(&self, key: &str) -> Option<NoiseFloor> {
        let index = AGAINST_REFERENCE.iter().position(|known| *known == key)?;
        self.floors[index]
    }
}

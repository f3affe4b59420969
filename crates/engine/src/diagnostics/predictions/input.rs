//! Input of the measures of predictions.

use super::super::predictive_formulas::{ClassPrediction, ClassScores, Mixture, Weights, class_scores};
use super::super::{NO_DRAWS, Outcome, TOO_FAR_OUT};
use super::KnownReference;
use models::targets::{self, Target};

/// What functions say of their targets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A number, with noise.
    Regression,
    /// The probabilities of so many classes.
    Classification(usize),
}

impl Kind {
    /// That of the functions behind a target; `None` if there are none, or if their posterior is known exactly.
    #[must_use]
    pub fn of(target: &Target) -> Option<Self> {
        target.in_vectors()?.model.functions()?;
        match target.behind() {
            targets::Behind::Nothing => None,
            targets::Behind::Function(_) => Some(Self::Regression),
            targets::Behind::Classes(model) => Some(Self::Classification(model.classes())),
        }
    }
}

/// What functions say at test data: a mixture of Gaussians of f at every datum.
#[derive(Clone, Debug, PartialEq)]
pub struct Tested {
    /// What kind of data they are: `in` or `gap`.
    pub name: &'static str,
    /// f of all S draws at every datum, one datum after the other; or the means of S Gaussians.
    pub f: Vec<f64>,
    /// The variances of these; none of draws, which have none.
    pub variances: Vec<f64>,
    /// The weights of these S.
    pub weights: Vec<f64>,
    /// y.
    pub targets: Vec<f64>,
}

impl Tested {
    /// The distribution of f.
    pub(super) fn mixture(&self) -> Mixture<'_> {
        Mixture { f: &self.f, variances: &self.variances, weights: Weights::Each(&self.weights) }
    }
}

/// The predictions of classes.
#[derive(Clone, Debug, PartialEq)]
pub struct Classified {
    /// C.
    pub classes: usize,
    /// At every probe of the reference.
    pub probes: Vec<ClassPrediction>,
    /// At the test data; none if there are none.
    pub(super) tests: Vec<ClassPrediction>,
    /// Their labels, as many.
    pub(super) labels: Vec<usize>,
    /// The scores of these.
    scores: ClassScores,
}

impl Classified {
    /// With predictions at probes and at test data with these labels, as many.
    #[must_use]
    pub fn new(classes: usize, probes: Vec<ClassPrediction>, tests: Vec<ClassPrediction>, labels: Vec<usize>) -> Self {
        let scores = class_scores(&tests, &labels);
        Self { classes, probes, tests, labels, scores }
    }
}

/// What functions are compared with data by.
#[derive(Clone, Debug, PartialEq)]
pub enum Predictions {
    /// Of a regression.
    Values {
        /// σ, the standard deviation of the noise.
        noise_sd: f64,
        /// Test data.
        tests: Vec<Tested>,
    },
    /// Of a classification.
    Classes(Classified),
}

/// Where draws come from.
#[derive(Clone, Debug, PartialEq)]
pub enum DrawSource {
    /// Chains, with their draws in order: every output of f at every probe, and every weight, one vector per chain each.
    Chains {
        /// By probe, output and chain.
        functions: Vec<Vec<Vec<f64>>>,
        /// By weight and chain.
        weights: Vec<Vec<Vec<f64>>>,
    },
    /// A fit, whose draws have no order.
    Fit,
}

/// What the measures of predictions are computed from.
#[derive(Clone, Debug)]
pub struct PredictionInput<'a> {
    /// Every output of f of all S draws at every probe of the reference.
    pub probes: &'a [Vec<f64>],
    /// The weights of the draws.
    pub weights: Weights<'a>,
    /// What these functions predict.
    pub predictions: &'a Predictions,
    /// Where the draws come from.
    pub source: &'a DrawSource,
    /// The reference, if there is one.
    pub reference: Option<&'a KnownReference>,
}

impl PredictionInput<'_> {
    /// What `value` makes of the test data of a regression with this name, and σ.
    pub(super) fn of_test(&self, name: &str, value: impl Fn(&Tested, f64) -> f64) -> Outcome {
        self.drawn()?;
        let Predictions::Values { noise_sd, tests } = self.predictions else { return Err(super::NO_TESTS) };
        finite(value(tests.iter().find(|test| test.name == name).ok_or(super::NO_TESTS)?, *noise_sd))
    }

    /// What `value` makes of the test data of a classification.
    pub(super) fn of_classes(&self, value: impl Fn(&Classified) -> f64) -> Outcome {
        let classified = self.classified()?;
        if classified.tests.is_empty() { Err(super::NO_TESTS) } else { finite(value(classified)) }
    }

    /// One of the scores of a classification on test data.
    pub(super) fn of_scores(&self, score: impl Fn(&ClassScores) -> f64) -> Outcome {
        self.of_classes(|classified| score(&classified.scores))
    }

    /// The predictions of a classification.
    pub(super) fn classified(&self) -> Result<&Classified, &'static str> {
        self.drawn()?;
        match self.predictions {
            Predictions::Classes(classified) => Ok(classified),
            Predictions::Values { .. } => Err(super::NO_TESTS),
        }
    }

    /// The reference, once it has draws.
    pub(super) fn known(&self) -> Result<&KnownReference, &'static str> {
        self.reference.filter(|known| known.reference.draws > 0).ok_or(super::NO_REFERENCE)
    }

    /// The draws at the probes.
    pub(super) fn drawn(&self) -> Result<&[Vec<f64>], &'static str> {
        if self.probes.first().is_none_or(Vec::is_empty) { Err(NO_DRAWS) } else { Ok(self.probes) }
    }
}

/// A value that is a number.
pub(super) fn finite(value: f64) -> Outcome {
    if value.is_finite() { Ok(value) } else { Err(TOO_FAR_OUT) }
}

//! Calibration of classifiers: whether predictions with confidence p are right in a share p of the cases.
//!
//! The confidence is the largest probability, from 1/C to 1. It is divided into ten bins of equal width on [1/C, 1]; other
//! programs divide [0, 1], which gives other numbers (C. Guo et al. 2017, arXiv:1706.04599).

use super::classification::ClassPrediction;

/// Number of bins.
pub const BINS: usize = 10;

/// Predictions of similar confidence. A bin contains its lower edge; 1 belongs to the last.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bin {
    /// Lower edge of the confidence.
    pub from: f64,
    /// Upper edge.
    pub to: f64,
    /// Number of predictions.
    pub count: usize,
    /// Share of them that is right; 0 without predictions.
    pub accuracy: f64,
    /// Their mean confidence; 0 without predictions.
    pub confidence: f64,
}

/// The reliability diagram of predictions with C classes, given the labels of the data.
#[must_use]
pub fn reliability(predictions: &[ClassPrediction], labels: &[usize], classes: usize) -> [Bin; BINS] {
    let lowest = 1.0 / classes.max(2) as f64;
    let edge = |index: usize| lowest + (1.0 - lowest) * index as f64 / BINS as f64;
    let mut bins: [Bin; BINS] =
        std::array::from_fn(|index| Bin { from: edge(index), to: edge(index + 1), ..Bin::default() });
    for (prediction, label) in predictions.iter().zip(labels) {
        let confidence = prediction.confidence();
        let index = (1..BINS).rev().find(|index| confidence >= edge(*index)).unwrap_or(0);
        let bin = &mut bins[index];
        bin.count += 1;
        bin.confidence += confidence;
        bin.accuracy += if prediction.class() == *label { 1.0 } else { 0.0 };
    }
    for bin in &mut bins {
        let count = bin.count.max(1) as f64;
        bin.confidence /= count;
        bin.accuracy /= count;
    }
    bins
}

/// The expected calibration error Σ (n_b/n) |accuracy_b − mean confidence_b|.
#[must_use]
pub fn expected_calibration_error(bins: &[Bin]) -> f64 {
    let count: usize = bins.iter().map(|bin| bin.count).sum();
    let term = |bin: &Bin| bin.count as f64 * (bin.accuracy - bin.confidence).abs();
    bins.iter().map(term).sum::<f64>() / count as f64
}

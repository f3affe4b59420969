//! Calibration on the test data named `in`: how often predictions are right, against how often they say that they are.
//!
//! Of classes it is the reliability diagram, ten bins of confidence from 1/C to 1 with the share of right predictions in each;
//! of a regression the share of data inside the central predictive intervals of probability 5 %, 10 %, …, 95 %.

use super::super::predictive_formulas::{Weights, coverage, expected_calibration_error, reliability};
use super::{Classified, PredictionInput, Predictions};

/// Number of levels of intervals, evenly spaced between 0 and 1.
const LEVELS: u32 = 19;

/// Predictions that say about the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CalibrationPoint {
    /// The probability with which they say that they are right: the mean confidence, or the level of an interval.
    pub said: f64,
    /// The share of them that is right.
    pub found: f64,
    /// Number of predictions.
    pub count: usize,
}

/// A reliability diagram.
#[derive(Clone, Debug, PartialEq)]
pub struct Calibration {
    /// The smallest probability that predictions can say: 1/C, or 0 of a regression.
    pub lowest: f64,
    /// In the order of what they say; bins without predictions are left out.
    pub points: Vec<CalibrationPoint>,
    /// The mean distance of what is found from what is said, over predictions: the ECE of classes.
    pub error: f64,
}

/// The calibration of predictions; `None` without test data or without draws.
#[must_use]
pub fn calibration(input: &PredictionInput<'_>) -> Option<Calibration> {
    input.drawn().ok()?;
    match input.predictions {
        Predictions::Classes(classified) => of_classes(classified),
        Predictions::Values { noise_sd, tests } => {
            let test = tests.iter().find(|test| test.name == "in")?;
            let levels: Vec<f64> = (1..=LEVELS).map(|level| f64::from(level) / f64::from(LEVELS + 1)).collect();
            let found = coverage(test.mixture(), &test.targets, *noise_sd, &levels);
            let point = |(said, found)| CalibrationPoint { said, found, count: test.targets.len() };
            let points: Vec<CalibrationPoint> = levels.into_iter().zip(found).map(point).collect();
            let error = Weights::Equal.mean(points.iter().map(|point| (point.found - point.said).abs()));
            Some(Calibration { lowest: 0.0, points, error })
        }
    }
}

fn of_classes(Classified { classes, tests, labels, .. }: &Classified) -> Option<Calibration> {
    let bins = reliability(tests, labels, *classes);
    let used = bins.iter().filter(|bin| bin.count > 0);
    let point = |bin: &super::super::predictive_formulas::Bin| CalibrationPoint {
        said: bin.confidence,
        found: bin.accuracy,
        count: bin.count,
    };
    let points: Vec<CalibrationPoint> = used.map(point).collect();
    let error = expected_calibration_error(&bins);
    (!points.is_empty() && error.is_finite()).then_some(Calibration { lowest: bins[0].from, points, error })
}

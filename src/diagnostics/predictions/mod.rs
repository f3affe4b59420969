//! Measures of predictions: functions of draws against test data, against a reference, and among chains. One file each kind,
//! and their registry.
//!
//! They are for posteriors of functions, such as networks, where measures of single weights say little. The formulas are
//! those of [`predictive`](super::predictive).

mod coverage;
mod distance;
mod input;
mod mixing;
mod nll;
mod rmse;
#[cfg(test)]
mod tests;

pub use distance::{Distances, distances, floor};
pub use input::{Behind, PredictionInput, Tested};

use super::{Entry, Measure, MeasureSpec, NoiseFloor, Outcome, specs};

/// The function that computes a measure.
type Value = fn(&PredictionInput<'_>) -> Outcome;

/// The registry: one line for each measure, in the order in which they are shown and written.
const ENTRIES: &[Entry<Value>] = &[
    Entry { spec: distance::W1, value: distance::w1 },
    Entry { spec: distance::MEAN, value: distance::mean },
    Entry { spec: nll::IN, value: nll::within },
    Entry { spec: nll::GAP, value: nll::between },
    Entry { spec: rmse::IN, value: rmse::within },
    Entry { spec: rmse::GAP, value: rmse::between },
    Entry { spec: coverage::IN, value: coverage::within },
    Entry { spec: coverage::GAP, value: coverage::between },
    Entry { spec: mixing::RHAT, value: mixing::rhat_of_functions },
    Entry { spec: mixing::ESS, value: mixing::ess_of_functions },
    Entry { spec: mixing::RHAT_WEIGHTS, value: mixing::rhat_of_weights },
    Entry { spec: mixing::ESS_WEIGHTS, value: mixing::ess_of_weights },
];

/// The measures of predictions, in the order in which they are shown and written.
pub static PREDICTION_MEASURES: [MeasureSpec; ENTRIES.len()] = specs(ENTRIES);

/// The measures whose floors are a chain of the reference against the others.
pub const AGAINST_REFERENCE: [&str; 2] = [distance::W1.key, distance::MEAN.key];

/// Reason while there are no test data.
const NO_TESTS: &str = "no test data of this kind";

/// All measures of predictions, in the order of [`PREDICTION_MEASURES`]; those against the reference with its floors.
#[must_use]
pub fn measure_predictions(input: &PredictionInput<'_>, floors: Option<[NoiseFloor; 2]>) -> Vec<Measure> {
    let measure = |entry: &Entry<Value>| {
        let mut measure = Measure::new(entry.spec.key, (entry.value)(input));
        let place = AGAINST_REFERENCE.iter().position(|key| *key == measure.key);
        measure.floor = place.zip(floors).filter(|_| measure.value.is_some()).map(|(place, floors)| floors[place]);
        measure
    };
    ENTRIES.iter().map(measure).collect()
}

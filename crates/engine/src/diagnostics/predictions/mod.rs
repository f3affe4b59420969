//! Measures of predictions: functions of draws against test data, against a reference, and among chains. One file each kind,
//! and their registry.
//!
//! They are for posteriors of functions, such as networks, where measures of single weights say little. The formulas are
//! those of [`predictive`](super::predictive).

mod agreement;
mod calibration;
mod classes;
mod coverage;
mod distance;
mod input;
mod known;
mod mixing;
mod nll;
mod rmse;
#[cfg(test)]
mod tests;

pub use calibration::{Calibration, CalibrationPoint, calibration};
pub use distance::{Distances, distances};
pub use input::{Behind, Classified, Kind, PredictionInput, Predictions, Tested};
pub use known::Known;

use Scope::{All, Classifications, Regressions};

use super::{Entry, Measure, MeasureSpec, Outcome, specs};

/// The functions that a measure is for, and the function that computes it.
type Value = (Scope, fn(&PredictionInput<'_>) -> Outcome);

/// The functions that a measure is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scope {
    All,
    Regressions,
    Classifications,
}

impl Scope {
    fn has(self, kind: Kind) -> bool {
        match self {
            Self::All => true,
            Self::Regressions => kind == Kind::Regression,
            Self::Classifications => kind != Kind::Regression,
        }
    }
}

/// The registry: one line for each measure, in the order in which they are shown and written.
const ENTRIES: &[Entry<Value>] = &[
    Entry { spec: distance::W1, value: (Regressions, distance::w1) },
    Entry { spec: distance::MEAN, value: (Regressions, distance::mean) },
    Entry { spec: agreement::AGREEMENT, value: (Classifications, agreement::agreement) },
    Entry { spec: agreement::TV, value: (Classifications, agreement::tv) },
    Entry { spec: classes::ERROR, value: (Classifications, classes::error) },
    Entry { spec: nll::IN, value: (All, nll::within) },
    Entry { spec: nll::GAP, value: (Regressions, nll::between) },
    Entry { spec: classes::BRIER, value: (Classifications, classes::brier) },
    Entry { spec: classes::ECE, value: (Classifications, classes::ece) },
    Entry { spec: classes::ENTROPY, value: (Classifications, classes::entropy) },
    Entry { spec: classes::INFORMATION, value: (Classifications, classes::information) },
    Entry { spec: rmse::IN, value: (Regressions, rmse::within) },
    Entry { spec: rmse::GAP, value: (Regressions, rmse::between) },
    Entry { spec: coverage::IN, value: (Regressions, coverage::within) },
    Entry { spec: coverage::GAP, value: (Regressions, coverage::between) },
    Entry { spec: mixing::RHAT, value: (All, mixing::rhat_of_functions) },
    Entry { spec: mixing::ESS, value: (All, mixing::ess_of_functions) },
    Entry { spec: mixing::RHAT_WEIGHTS, value: (All, mixing::rhat_of_weights) },
    Entry { spec: mixing::ESS_WEIGHTS, value: (All, mixing::ess_of_weights) },
];

/// The measures of predictions of all kinds, in the order in which they are shown and written.
pub static PREDICTION_MEASURES: [MeasureSpec; ENTRIES.len()] = specs(ENTRIES);

/// The measures whose floors are a chain of the reference against the others.
pub const AGAINST_REFERENCE: [&str; 4] =
    [distance::W1.key, distance::MEAN.key, agreement::AGREEMENT.key, agreement::TV.key];

/// The measures that are errors on test data.
pub const OF_TESTS: [&str; 7] =
    [classes::ERROR.key, nll::IN.key, nll::GAP.key, classes::BRIER.key, classes::ECE.key, rmse::IN.key, rmse::GAP.key];

/// Reason while there is no reference.
const NO_REFERENCE: &str = "no HMC reference yet: compute it in the tab Functions or Maps";

/// Reason while there are no test data.
const NO_TESTS: &str = "no test data of this kind";

/// The measures of functions of a kind, in the order of [`PREDICTION_MEASURES`].
pub fn measures_of(kind: Kind) -> impl Iterator<Item = &'static MeasureSpec> {
    let applying = ENTRIES.iter().zip(&PREDICTION_MEASURES).filter(move |(entry, _)| entry.value.0.has(kind));
    applying.map(|(_, spec)| spec)
}

/// The measures of predictions, in the order of [`measures_of`] their kind; those against the reference with its floors.
#[must_use]
pub fn measure_predictions(input: &PredictionInput<'_>) -> Vec<Measure> {
    measure_some(input, |_| true)
}

/// Those in [`OF_TESTS`].
#[must_use]
pub fn measure_tests(input: &PredictionInput<'_>) -> Vec<Measure> {
    measure_some(input, |key| OF_TESTS.contains(&key))
}

fn measure_some(input: &PredictionInput<'_>, chosen: impl Fn(&str) -> bool) -> Vec<Measure> {
    let kind = match input.predictions {
        Predictions::Values { .. } => Kind::Regression,
        Predictions::Classes(classified) => Kind::Classification(classified.classes),
    };
    let measure = |entry: &Entry<Value>| {
        let mut measure = Measure::new(entry.spec.key, (entry.value.1)(input));
        measure.floor = input.reference.filter(|_| measure.value.is_some()).and_then(|known| known.floor(measure.key));
        measure
    };
    ENTRIES.iter().filter(|entry| entry.value.0.has(kind) && chosen(entry.spec.key)).map(measure).collect()
}

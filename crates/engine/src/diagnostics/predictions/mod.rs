//! Measures of predictions: functions of draws against test data, against a reference, and among chains. One file each kind,
//! and their registry.
//!
//! They are for posteriors of functions, such as networks, where measures of single weights say little. The formulas are
//! those of [`predictive_formulas`](super::predictive_formulas).

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
pub use input::{Classified, DrawSource, Kind, PredictionInput, Predictions, Tested};
pub use known::KnownReference;

use Scope::{All, Classifications, Regressions};

use super::{Measure, MeasureEntry, MeasureSpec, Outcome, specs};

/// The functions that a measure is for, and the function that computes it.
type PredictionFunction = (Scope, fn(&PredictionInput<'_>) -> Outcome);

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
const ENTRIES: &[MeasureEntry<PredictionFunction>] = &[
    MeasureEntry { spec: distance::W1, value: (Regressions, distance::w1) },
    MeasureEntry { spec: distance::MEAN, value: (Regressions, distance::mean) },
    MeasureEntry { spec: agreement::AGREEMENT, value: (Classifications, agreement::agreement) },
    MeasureEntry { spec: agreement::TV, value: (Classifications, agreement::tv) },
    MeasureEntry { spec: classes::ERROR, value: (Classifications, classes::error) },
    MeasureEntry { spec: nll::IN, value: (All, nll::within) },
    MeasureEntry { spec: nll::GAP, value: (Regressions, nll::between) },
    MeasureEntry { spec: classes::BRIER, value: (Classifications, classes::brier) },
    MeasureEntry { spec: classes::ECE, value: (Classifications, classes::ece) },
    MeasureEntry { spec: classes::ENTROPY, value: (Classifications, classes::entropy) },
    MeasureEntry { spec: classes::INFORMATION, value: (Classifications, classes::information) },
    MeasureEntry { spec: rmse::IN, value: (Regressions, rmse::within) },
    MeasureEntry { spec: rmse::GAP, value: (Regressions, rmse::between) },
    MeasureEntry { spec: coverage::IN, value: (Regressions, coverage::within) },
    MeasureEntry { spec: coverage::GAP, value: (Regressions, coverage::between) },
    MeasureEntry { spec: mixing::RHAT, value: (All, mixing::rhat_of_functions) },
    MeasureEntry { spec: mixing::ESS, value: (All, mixing::ess_of_functions) },
    MeasureEntry { spec: mixing::RHAT_WEIGHTS, value: (All, mixing::rhat_of_weights) },
    MeasureEntry { spec: mixing::ESS_WEIGHTS, value: (All, mixing::ess_of_weights) },
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
    let measure = |entry: &MeasureEntry<PredictionFunction>| {
        let mut measure = Measure::new(entry.spec.key, (entry.value.1)(input));
        measure.floor = input.reference.filter(|_| measure.value.is_some()).and_then(|known| known.floor(measure.key));
        measure
    };
    ENTRIES.iter().filter(|entry| entry.value.0.has(kind) && chosen(entry.spec.key)).map(measure).collect()
}

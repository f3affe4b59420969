//! Predictions of runs: the functions of their draws, for the measures of predictions.

use std::ops::Range;

use crate::diagnostics::Measure;
use crate::diagnostics::predictions::{
    Behind, Calibration, Classified, Kind, Known, OF_TESTS, PredictionInput, Predictions, Tested, calibration,
    measure_predictions, measure_tests, measures_of,
};
use crate::diagnostics::predictive::{ClassPrediction, Weights};
use crate::math::Coords;
use crate::platform::pause;
use crate::targets::network::TestSet;
use crate::targets::{Target, outputs_of};

use super::analysis::unmeasured;
use super::frame::{Frame, RunFrame};
use super::pools::{PooledErrors, pools};
use super::references::probes;
use super::{FunctionDraws, Outputs, stride};

/// Vectors that are looked at, at most: functions at some hundred inputs take some milliseconds.
const MOST: usize = 1024;

/// Reason if no chain is left.
const ALL_DIVERGED: &str = "all chains have diverged";

/// The functions of the collected vectors of a run, or of draws from its fit.
#[must_use]
pub fn collected_functions(run: &RunFrame, dimension: usize) -> FunctionDraws {
    Drawn::of(run, dimension).functions
}

/// The collected vectors of a run, with their weights.
struct Drawn {
    functions: FunctionDraws,
    /// Rows of all chains, one after the other; `None` of a fit.
    chains: Option<usize>,
}

impl Drawn {
    /// All of them if they are few enough, evenly spaced rows otherwise; of an ensemble the newest.
    fn of(run: &RunFrame, dimension: usize) -> Self {
        if let Some(fits) = &run.fits {
            return Self { functions: FunctionDraws::of_fit(fits, dimension, MOST), chains: None };
        }
        let collected = run.collected_vectors();
        let chains = collected.first().map_or(0, |at| at.places.len());
        let finite =
            |chain: &usize| collected.last().is_some_and(|at| at.places.vector(*chain).all(|value| value.is_finite()));
        // Chains that have diverged are left out altogether.
        let kept: Vec<usize> = (0..chains).filter(finite).collect();
        let apart = stride(collected.len() * kept.len(), MOST);
        let rows: Vec<_> = collected.into_iter().step_by(apart).collect();
        let mut vectors = Coords::zeros(dimension, rows.len() * kept.len());
        let mut weights = Vec::with_capacity(vectors.len());
        for (number, chain) in kept.iter().enumerate() {
            for (row, at) in rows.iter().enumerate() {
                vectors.copy_vector(number * rows.len() + row, &at.places, *chain);
                weights.push(run.plan.weight(at.step));
            }
        }
        if !weights.iter().any(|weight| *weight > 0.0) {
            weights.fill(1.0);
        }
        Self { functions: FunctionDraws::of_vectors(vectors, weights), chains: Some(kept.len()) }
    }

    /// The numbers of all draws as one vector per chain.
    fn by_chain(&self, draws: &[f64]) -> Vec<Vec<f64>> {
        let each = self.chains.and_then(|chains| draws.len().checked_div(chains)).unwrap_or(0);
        draws.chunks_exact(each.max(1)).map(<[f64]>::to_vec).collect()
    }
}

/// What is measured of the predictions of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Predicted {
    /// The measures, in the order of [`measures_of`] their kind; empty of targets that are no networks or the like.
    pub measures: Vec<Measure>,
    /// How often predictions are right against how often they say so, if there are test data.
    pub calibration: Option<Calibration>,
    /// Errors on test data by number of chains, the fewest first; empty without test data.
    pub errors: Vec<PooledErrors>,
}

/// The measures of predictions of a run of a frame with functions of this kind, against a reference if there is one; with pauses.
pub(super) async fn measured((frame, run): (&Frame, &RunFrame), kind: Kind, reference: Option<&Known>) -> Predicted {
    let target = frame.target.as_ref();
    let drawn = Drawn::of(run, target.dimension());
    if drawn.chains == Some(0) && !run.diverged.is_empty() {
        return Predicted { measures: unmeasured(measures_of(kind), ALL_DIVERGED), ..Predicted::default() };
    }
    pause().await;
    let Outputs { f, weights } = drawn.functions.at(target, &probes(target));
    pause().await;
    let probes: Vec<Vec<f64>> = f.chunks_exact(weights.len().max(1)).map(<[f64]>::to_vec).collect();
    let behind = match drawn.chains {
        None => Behind::Fit,
        Some(_) => Behind::Chains {
            functions: probes.iter().map(|draws| drawn.by_chain(draws)).collect(),
            weights: drawn.functions.vectors().axes().map(|draws| drawn.by_chain(draws)).collect(),
        },
    };
    pause().await;
    let probed = classes_at(kind, &f, &weights);
    let tests = tested(target, &drawn).await;
    let predictions = predictions((target, kind), probed, &tests, 0..weights.len());
    pause().await;
    let each = Weights::Each(&weights);
    let input =
        PredictionInput { probes: &probes, weights: each, predictions: &predictions, behind: &behind, reference };
    let measures = measure_predictions(&input);
    pause().await;
    let pooled = |range: Range<usize>| {
        if range.len() == weights.len() {
            return measures.iter().filter(|measure| OF_TESTS.contains(&measure.key)).cloned().collect();
        }
        let predictions = self::predictions((target, kind), Vec::new(), &tests, range.clone());
        measure_tests(&PredictionInput {
            weights: Weights::Each(&weights[range]),
            predictions: &predictions,
            ..input.clone()
        })
    };
    let errors = pools(drawn.chains.unwrap_or(1), weights.len(), pooled).await;
    Predicted { calibration: calibration(&input), errors, measures }
}

/// The outputs of draws at test data.
struct AtTests {
    name: &'static str,
    outputs: Outputs,
    targets: Vec<f64>,
}

impl AtTests {
    /// Those of some draws, by number.
    fn of_draws(&self, range: &Range<usize>) -> Outputs {
        let Outputs { f, weights } = &self.outputs;
        let some = f.chunks_exact(weights.len().max(1)).flat_map(|draws| &draws[range.clone()]);
        Outputs { f: some.copied().collect(), weights: weights[range.clone()].to_vec() }
    }
}

/// The outputs of all draws at all test data.
async fn tested(target: &dyn Target, drawn: &Drawn) -> Vec<AtTests> {
    let sets = match (target.regression(), target.classification()) {
        (Some(regression), _) => regression.tests(),
        (None, Some(model)) => model.tests(),
        (None, None) => &[],
    };
    let mut tested = Vec::with_capacity(sets.len());
    for TestSet { name, observations } in sets {
        let outputs = drawn.functions.at(target, &observations.inputs);
        tested.push(AtTests { name, outputs, targets: observations.targets.clone() });
        pause().await;
    }
    tested
}

/// What some of the draws, by number, predict of the test data; `probes` are the predictions of classes at the probes.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "labels are small whole numbers")]
fn predictions(
    (target, kind): (&dyn Target, Kind),
    probes: Vec<ClassPrediction>,
    tests: &[AtTests],
    range: Range<usize>,
) -> Predictions {
    match kind {
        Kind::Regression => {
            let tested =
                |test: &AtTests| Tested { name: test.name, f: test.of_draws(&range).f, targets: test.targets.clone() };
            let noise_sd = target.regression().map_or(f64::NAN, |regression| regression.noise_sd());
            Predictions::Values { noise_sd, tests: tests.iter().map(tested).collect() }
        }
        Kind::Classification(classes) => {
            let of_test = |test: &AtTests| {
                let Outputs { f, weights } = test.of_draws(&range);
                let labels = test.targets.iter().map(|label| *label as usize).collect();
                (classes_at(kind, &f, &weights), labels)
            };
            let (tests, labels) = tests.first().map(of_test).unwrap_or_default();
            Predictions::Classes(Classified::new(classes, probes, tests, labels))
        }
    }
}

/// The predictions of a classification from its outputs; none of a regression.
fn classes_at(kind: Kind, f: &[f64], weights: &[f64]) -> Vec<ClassPrediction> {
    let Kind::Classification(classes) = kind else { return Vec::new() };
    let each = f.chunks_exact((outputs_of(classes) * weights.len()).max(1));
    each.map(|f| ClassPrediction::of_outputs(f, classes, Weights::Each(weights))).collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;

    use super::*;
    use crate::platform::now;
    use crate::scenario::read;
    use crate::session::{Analyser, ReferenceKey, Session, reference_run};

    fn session(target: &str, method: &str) -> Session {
        let text = format!(
            "format = 1\ntitle = \"x\"\nseed = 3\n[target]\n{target}\n\
             [[run]]\nname = \"A\"\nmethod = \"{method}\"\nsteps = 4000\nchains = 3\n\
             step_size = {{ kind = \"constant\", value = 1e-5 }}\n"
        );
        Session::new(read(&text, "x", Path::new("")).unwrap()).unwrap()
    }

    fn values(session: &Session) -> Vec<Measure> {
        let frame = session.frame();
        now(Analyser::default().analyse(&frame, &frame.runs[0])).predicted.measures
    }

    #[test]
    fn a_run_is_measured_against_test_data_and_reference() {
        let mut session = session("kind = \"network\"\nhidden = 2", "sgld");
        let value = |measures: &[Measure], key: &str| measures.iter().find(|one| one.key == key).unwrap().clone();
        assert_eq!(value(&values(&session), "nll_in").reason, "no draws yet");
        session.advance(3000);
        let before = values(&session);
        for key in ["nll_in", "nll_gap", "rmse_in", "rmse_gap", "coverage_in", "rhat_functions", "ess_weights"] {
            assert!(value(&before, key).value.is_some_and(f64::is_finite), "{key}: {}", value(&before, key).reason);
        }
        assert!(value(&before, "w1_functions").reason.starts_with("no HMC reference yet"));
        let frame = session.frame();
        let mut run = reference_run(frame.target.as_ref()).unwrap();
        run.advance(frame.target.model().unwrap().model, 1100);
        session.set_reference(ReferenceKey::of(&frame.scenario, frame.step), Arc::new(run.reference()));
        let w1 = value(&values(&session), "w1_functions");
        let floor = w1.floor.unwrap();
        assert!(w1.value.unwrap() > 0.0 && floor.low > 0.0 && floor.high < 1.0, "{w1:?}");
    }

    #[test]
    fn draws_in_the_plane_are_no_functions_of_a_model() {
        let mut session = session("kind = \"gaussian\"", "sgld");
        session.advance(50);
        assert!(values(&session).is_empty());
    }

    /// A fit that predicts with linearised functions is measured by them: among the data they spread far less than its draws do.
    #[test]
    fn a_linearised_fit_is_measured_by_its_linearised_functions() {
        let nll = |predictive: &str| {
            let text = format!(
                "format = 1\ntitle = \"x\"\nseed = 3\n[target]\nkind = \"network\"\n[[run]]\nname = \"A\"\n\
                 method = \"laplace\"\nsteps = 60\npredictive = \"{predictive}\"\n"
            );
            let mut session = Session::new(read(&text, "x", Path::new("")).unwrap()).unwrap();
            session.advance(u64::MAX);
            let measures = values(&session);
            measures.iter().find(|measure| measure.key == "nll_in").unwrap().value.unwrap()
        };
        let (linearised, sampled) = (nll("glm"), nll("mc"));
        assert!(linearised < -0.7 && sampled > 0.5, "{linearised} {sampled}");
    }
}

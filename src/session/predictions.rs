//! Predictions of runs: the functions of their draws, for the measures of predictions.

use crate::diagnostics::Measure;
use crate::diagnostics::predictions::{
    Behind, Calibration, Classified, Kind, Known, PredictionInput, Predictions, Tested, calibration,
    measure_predictions, measures_of,
};
use crate::diagnostics::predictive::{ClassPrediction, Weights};
use crate::math::Coords;
use crate::targets::network::TestSet;
use crate::targets::{Target, outputs_of};

use super::analysis::unmeasured;
use super::frame::{Frame, RunFrame};
use super::references::probes;
use super::{FunctionDraws, Outputs, stride};

/// Vectors that are looked at, at most: functions at some hundred inputs take some milliseconds.
const MOST: usize = 1024;

/// Reason if no chain is left.
const ALL_DIVERGED: &str = "all chains have diverged";

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

/// The measures of predictions of a run of a frame with functions of this kind, against a reference if there is one, and their
/// calibration.
pub(super) fn measured(
    (frame, run): (&Frame, &RunFrame),
    kind: Kind,
    reference: Option<&Known>,
) -> (Vec<Measure>, Option<Calibration>) {
    let target = frame.target.as_ref();
    let drawn = Drawn::of(run, target.dimension());
    if drawn.chains == Some(0) && !run.diverged.is_empty() {
        return (unmeasured(measures_of(kind), ALL_DIVERGED), None);
    }
    let Outputs { f, weights } = drawn.functions.at(target, &probes(target));
    let probes: Vec<Vec<f64>> = f.chunks_exact(weights.len().max(1)).map(<[f64]>::to_vec).collect();
    let behind = match drawn.chains {
        None => Behind::Fit,
        Some(_) => Behind::Chains {
            functions: probes.iter().map(|draws| drawn.by_chain(draws)).collect(),
            weights: drawn.functions.vectors().axes().map(|draws| drawn.by_chain(draws)).collect(),
        },
    };
    let predictions = match kind {
        Kind::Regression => values(target, &drawn),
        Kind::Classification(classes) => Predictions::Classes(classified(target, classes, &drawn, (&f, &weights))),
    };
    let weights = Weights::Each(&weights);
    let input = PredictionInput { probes: &probes, weights, predictions: &predictions, behind: &behind, reference };
    (measure_predictions(&input), calibration(&input))
}

/// The functions of the draws at the test data of a regression.
fn values(target: &dyn Target, drawn: &Drawn) -> Predictions {
    let tested = |test: &TestSet| Tested {
        name: test.name,
        f: drawn.functions.at(target, &test.observations.inputs).f,
        targets: test.observations.targets.clone(),
    };
    let regression = target.regression();
    let tests = regression.map(|regression| regression.tests().iter().map(tested).collect()).unwrap_or_default();
    Predictions::Values { noise_sd: regression.map_or(f64::NAN, |regression| regression.noise_sd()), tests }
}

/// The probabilities of classes at the probes, where the outputs are given, and at the test data.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "labels are small whole numbers")]
fn classified(target: &dyn Target, classes: usize, drawn: &Drawn, (f, weights): (&[f64], &[f64])) -> Classified {
    let predictions = |f: &[f64], weights: &[f64]| -> Vec<ClassPrediction> {
        let each = f.chunks_exact((outputs_of(classes) * weights.len()).max(1));
        each.map(|f| ClassPrediction::of_outputs(f, classes, Weights::Each(weights))).collect()
    };
    let probes = predictions(f, weights);
    let Some(test) = target.classification().and_then(|model| model.tests().first()) else {
        return Classified { classes, probes, tests: Vec::new(), labels: Vec::new() };
    };
    let Outputs { f, weights } = drawn.functions.at(target, &test.observations.inputs);
    let labels = test.observations.targets.iter().map(|label| *label as usize).collect();
    Classified { classes, probes, tests: predictions(&f, &weights), labels }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;

    use super::*;
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
        Analyser::default().analyse(&frame, &frame.runs[0]).predictions
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

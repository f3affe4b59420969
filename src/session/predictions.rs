//! Predictions of runs: the functions of their draws, for the measures of predictions.

use crate::diagnostics::predictions::{Behind, PREDICTION_MEASURES, PredictionInput, Tested, measure_predictions};
use crate::diagnostics::predictive::Weights;
use crate::diagnostics::{Measure, NoiseFloor};
use crate::math::{Coords, Simd};
use crate::targets::network::TestSet;
use crate::targets::{Functions, Regression};

use super::analysis::unmeasured;
use super::frame::{Frame, RunFrame};
use super::references::probes;
use super::{FitFrame, Linearised, stride};

/// Vectors that are looked at, at most: functions at some hundred inputs take some milliseconds.
const MOST: usize = 1024;

/// Reason of targets whose draws are no functions.
const NO_FUNCTIONS: &str = "the draws are no functions";

/// Reason if no chain is left.
const ALL_DIVERGED: &str = "all chains have diverged";

/// The collected vectors of a run, with their weights.
struct Drawn<'a> {
    /// The fit that they come from, and the numbers of its draws.
    fit: Option<(&'a FitFrame, &'a dyn Regression, Vec<usize>)>,
    vectors: Coords,
    weights: Vec<f64>,
    /// Rows of all chains, one after the other; `None` of a fit.
    chains: Option<usize>,
}

impl<'a> Drawn<'a> {
    /// All of them if they are few enough, evenly spaced rows otherwise; of an ensemble the newest.
    fn of(run: &'a RunFrame, regression: &'a dyn Regression, dimension: usize) -> Self {
        if let Some(fits) = &run.fits {
            let finite = |(_, vector): &(usize, &Vec<f64>)| vector.iter().all(|value| value.is_finite());
            let some: Vec<(usize, &Vec<f64>)> = fits.vectors.iter().enumerate().filter(finite).take(MOST).collect();
            let weights = vec![1.0; some.len()];
            let vectors = Coords::of(dimension, some.iter().map(|(_, vector)| vector.as_slice()));
            let numbers = some.into_iter().map(|(number, _)| number).collect();
            return Self { fit: Some((fits, regression, numbers)), vectors, weights, chains: None };
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
        Self { fit: None, vectors, weights, chains: Some(kept.len()) }
    }

    /// f at these inputs, a vector of all draws for each.
    fn functions(&self, functions: &dyn Functions, inputs: &[f64]) -> Vec<f64> {
        if let Some((fits, regression, numbers)) = &self.fit
            && let Some(linearised) = Linearised::of(fits, *regression, inputs)
        {
            return linearised.outputs(fits, numbers);
        }
        let mut out = vec![0.0; inputs.len() * self.vectors.len()];
        functions.evaluate(Simd::widest(), &self.vectors, inputs, &mut Vec::new(), &mut out);
        out
    }

    /// The numbers of all draws as one vector per chain.
    fn by_chain(&self, draws: &[f64]) -> Vec<Vec<f64>> {
        let each = self.chains.and_then(|chains| draws.len().checked_div(chains)).unwrap_or(0);
        draws.chunks_exact(each.max(1)).map(<[f64]>::to_vec).collect()
    }
}

/// The measures of predictions of a run of a frame, with the floors of its reference.
pub(super) fn measured(frame: &Frame, run: &RunFrame, floors: Option<[NoiseFloor; 2]>) -> Vec<Measure> {
    let target = frame.target.as_ref();
    let model = target.model().map(|behind| behind.model);
    let functions = model.and_then(|model| Some((model.functions()?, model.dimension())));
    let (Some((functions, dimension)), Some(regression)) = (functions, target.regression()) else {
        return unmeasured(PREDICTION_MEASURES.iter(), NO_FUNCTIONS);
    };
    let drawn = Drawn::of(run, regression, dimension);
    if drawn.chains == Some(0) && !run.diverged.is_empty() {
        return unmeasured(PREDICTION_MEASURES.iter(), ALL_DIVERGED);
    }
    let count = drawn.vectors.len();
    let split = |f: Vec<f64>| -> Vec<Vec<f64>> { f.chunks_exact(count.max(1)).map(<[f64]>::to_vec).collect() };
    let at_probes = split(drawn.functions(functions, &probes(regression)));
    let behind = match drawn.chains {
        None => Behind::Fit,
        Some(_) => Behind::Chains {
            functions: at_probes.iter().map(|draws| drawn.by_chain(draws)).collect(),
            weights: drawn.vectors.axes().map(|draws| drawn.by_chain(draws)).collect(),
        },
    };
    let tested = at_tests(regression, &drawn, functions);
    let weights =
        if drawn.weights.iter().any(|weight| *weight > 0.0) { Weights::Each(&drawn.weights) } else { Weights::Equal };
    let input = PredictionInput {
        probes: &at_probes,
        weights,
        tests: &tested,
        noise_sd: regression.noise_sd(),
        behind: &behind,
        reference: frame.reference.as_deref(),
    };
    measure_predictions(&input, floors)
}

/// The functions of the draws at the test data of a regression.
fn at_tests(regression: &dyn Regression, drawn: &Drawn<'_>, functions: &dyn Functions) -> Vec<Tested> {
    let tested = |test: &TestSet| Tested {
        name: test.name,
        f: drawn.functions(functions, &test.observations.inputs),
        targets: test.observations.targets.clone(),
    };
    regression.tests().iter().map(tested).collect()
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

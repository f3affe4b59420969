//! Predictions of runs: the functions of their draws, for the measures of predictions.

use std::ops::Range;

use crate::diagnostics::Measure;
use crate::diagnostics::predictions::{
    Calibration, Classified, DrawSource, Kind, KnownReference, OF_TESTS, PredictionInput, Predictions, Tested,
    calibration, measure_predictions, measure_tests, measures_of,
};
use crate::diagnostics::predictive_formulas::{ClassPrediction, LogisticGaussian, SoftmaxGaussian, Weights};
use base::math::Coords;
use base::platform::pause;
use models::targets::network::TestSet;
use models::targets::{Target, outputs_of};

use super::analysis::unmeasured;
use super::frame::{Frame, RunFrame};
use super::pools::{PooledErrors, pools};
use super::references::probes;
use super::{FunctionDraws, Outputs, Said, stride};

/// Vectors that measures look at, at most: functions at some hundred inputs take some 20 ms.
const MOST: usize = 4096;

/// Vectors of a chain that are looked at where there are as many, whatever the number of chains: about half of them at least.
const FEWEST_ROWS: usize = 16;

/// Reason if no chain is left.
const ALL_DIVERGED: &str = "all chains have left";

/// The functions of at most about `most` of the collected vectors of a run, or of draws from its fit.
#[must_use]
pub fn collected_functions(run: &RunFrame, dimension: usize, most: usize) -> FunctionDraws {
    CollectedDraws::of(run, dimension, most).functions
}

/// The collected vectors of a run, with their weights.
struct CollectedDraws {
    functions: FunctionDraws,
    /// Rows of all chains, one after the other; `None` of a fit.
    chains: Option<usize>,
}

impl CollectedDraws {
    /// All of them if they are few enough, otherwise the middle of every two, four, … rows, as far as [`FEWEST_ROWS`] are left;
    /// of an ensemble the newest.
    fn of(run: &RunFrame, dimension: usize, most: usize) -> Self {
        if let Some(fits) = &run.fits {
            return Self { functions: FunctionDraws::of_fit(fits, dimension, most), chains: None };
        }
        let collected = run.collected_vectors();
        let chains = collected.first().map_or(0, |at| at.positions.len());
        let finite = |chain: &usize| {
            collected.last().is_some_and(|at| at.positions.vector(*chain).all(|value| value.is_finite()))
        };
        // Chains that have diverged are left out altogether.
        let kept: Vec<usize> = (0..chains).filter(finite).collect();
        let most = (most / kept.len().max(1)).max(FEWEST_ROWS);
        let apart = stride(collected.len(), most);
        let rows: Vec<_> = collected.into_iter().skip(apart / 2).step_by(apart).collect();
        let mut vectors = Coords::zeros(dimension, rows.len() * kept.len());
        let mut weights = Vec::with_capacity(vectors.len());
        for (number, chain) in kept.iter().enumerate() {
            for (row, at) in rows.iter().enumerate() {
                vectors.copy_vector(number * rows.len() + row, &at.positions, *chain);
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
pub(super) async fn measured(
    (frame, run): (&Frame, &RunFrame),
    kind: Kind,
    reference: Option<&KnownReference>,
) -> Predicted {
    let target = frame.target.as_ref();
    let drawn = CollectedDraws::of(run, target.dimension(), MOST);
    if drawn.chains == Some(0) && !run.diverged.is_empty() {
        return Predicted { measures: unmeasured(measures_of(kind), ALL_DIVERGED), ..Predicted::default() };
    }
    pause().await;
    let inputs = probes(target);
    let Outputs { f, weights } = drawn.functions.values(target, &inputs);
    pause().await;
    let probes: Vec<Vec<f64>> = f.chunks_exact(weights.len().max(1)).map(<[f64]>::to_vec).collect();
    let source = match drawn.chains {
        None => DrawSource::Fit,
        Some(_) => DrawSource::Chains {
            functions: probes.iter().map(|draws| drawn.by_chain(draws)).collect(),
            weights: drawn.functions.vectors().axes().map(|draws| drawn.by_chain(draws)).collect(),
        },
    };
    pause().await;
    let probed = classes_at(kind, &drawn.functions.said(target, &inputs));
    let tests = tested(target, &drawn).await;
    let predictions = predictions((target, kind), probed, &tests, 0..weights.len());
    pause().await;
    let each = Weights::Each(&weights);
    let input =
        PredictionInput { probes: &probes, weights: each, predictions: &predictions, source: &source, reference };
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

/// What draws say at test data.
struct AtTests {
    name: &'static str,
    said: Said,
    targets: Vec<f64>,
}

impl AtTests {
    /// What some draws say, by number; Gaussians belong to all of them.
    fn of_draws(&self, range: &Range<usize>) -> Said {
        let Said::Draws(Outputs { f, weights }) = &self.said else { return self.said.clone() };
        let some = f.chunks_exact(weights.len().max(1)).flat_map(|draws| &draws[range.clone()]);
        Said::Draws(Outputs { f: some.copied().collect(), weights: weights[range.clone()].to_vec() })
    }

    /// The same as a mixture of Gaussians at every datum.
    fn tested(&self, range: &Range<usize>) -> Tested {
        let (name, targets) = (self.name, self.targets.clone());
        match self.of_draws(range) {
            Said::Draws(Outputs { f, weights }) => Tested { name, f, variances: Vec::new(), weights, targets },
            Said::Gaussians(linearised) => {
                let all = || (0..linearised.len()).flat_map(|output| linearised.gaussians(output));
                let (f, variances) = all().map(|(_, mean, variance)| (mean, variance)).unzip();
                let weights = linearised.components.iter().map(|at| at.weight).collect();
                Tested { name, f, variances, weights, targets }
            }
        }
    }
}

/// The outputs of all draws at all test data.
async fn tested(target: &Target, drawn: &CollectedDraws) -> Vec<AtTests> {
    let sets = target.tests();
    let mut tested = Vec::with_capacity(sets.len());
    for TestSet { name, observations } in sets {
        let said = drawn.functions.said(target, &observations.inputs);
        tested.push(AtTests { name, said, targets: observations.targets.clone() });
        pause().await;
    }
    tested
}

/// What some of the draws, by number, predict of the test data; `probes` are the predictions of classes at the probes.
#[expect(clippy::cast_sign_loss, reason = "labels are small whole numbers")]
fn predictions(
    (target, kind): (&Target, Kind),
    probes: Vec<ClassPrediction>,
    tests: &[AtTests],
    range: Range<usize>,
) -> Predictions {
    match kind {
        Kind::Regression => {
            let noise_sd = target.regression().map_or(f64::NAN, |regression| regression.noise_sd());
            Predictions::Values { noise_sd, tests: tests.iter().map(|test| test.tested(&range)).collect() }
        }
        Kind::Classification(classes) => {
            let of_test = |test: &AtTests| {
                let labels = test.targets.iter().map(|label| *label as usize).collect();
                (classes_at(kind, &test.of_draws(&range)), labels)
            };
            let (tests, labels) = tests.first().map(of_test).unwrap_or_default();
            Predictions::Classes(Classified::new(classes, probes, tests, labels))
        }
    }
}

/// The predictions of a classification; none of a regression.
fn classes_at(kind: Kind, said: &Said) -> Vec<ClassPrediction> {
    let Kind::Classification(classes) = kind else { return Vec::new() };
    match said {
        Said::Gaussians(linearised) => linearised.labels((&LogisticGaussian::new(), &SoftmaxGaussian::new())),
        Said::Draws(Outputs { f, weights }) => {
            let each = f.chunks_exact((outputs_of(classes) * weights.len()).max(1));
            each.map(|f| ClassPrediction::of_outputs(f, classes, Weights::Each(weights))).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;

    use super::*;
    use crate::scenario::read;
    use crate::session::{Analyser, ReferenceKey, Session, reference_run};
    use base::platform::now;

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
        run.advance(frame.target.model().unwrap(), 1100);
        session.set_reference(ReferenceKey::of(&frame.scenario, frame.step), Arc::new(run.reference()));
        let w1 = value(&values(&session), "w1_functions");
        let floor = w1.floor.unwrap();
        assert!(w1.value.unwrap() > 0.0 && floor.low > 0.0 && floor.high < 1.0, "{w1:?}");
    }

    /// All weights of a network with one hidden unit at all collected steps, from two runs that show two of its four weights each.
    fn all_weights(run: &str) -> Vec<(f64, [f64; 4])> {
        let shown = |x: u8, y: u8| {
            let session = finished(&format!("shown_x = {x}\nshown_y = {y}"), run);
            session.frame().runs[0].clone()
        };
        let [first, second] = [shown(1, 2), shown(3, 4)];
        let mut all = Vec::new();
        for row in (0..first.history.rows()).filter(|row| first.collects(first.history.step(*row))) {
            let weight = first.plan.weight(first.history.step(row));
            for chain in 0..first.plan.chains {
                let [a, b] = [&first, &second].map(|run| run.history.position(row, chain).unwrap());
                all.push((weight, [a.x, a.y, b.x, b.y]));
            }
        }
        all
    }

    fn finished(target: &str, run: &str) -> Session {
        let text = format!(
            "format = 1\ntitle = \"x\"\nseed = 3\n[target]\nkind = \"network\"\nhidden = 1\n{target}\n[[run]]\nname = \"H\"\n{run}\n"
        );
        let mut session = Session::new(read(&text, "x", Path::new("")).unwrap()).unwrap();
        session.advance(u64::MAX);
        session
    }

    /// Mean and sd of f over the draws that predictions are made from are those over all collected draws, whose early steps, or
    /// first cycles, are far from later ones: within five standard errors of so many draws with the spread that f has then.
    #[test]
    fn predictions_are_those_of_all_collected_draws() {
        let hmc = "method = \"hmc\"\nchains = 8\nsteps = 4000\nstart = { kind = \"prior\" }\n\
                   step_size = { kind = \"constant\", value = 0.003 }\nleapfrog_steps = 5";
        let cycles = "method = \"csgld\"\nchains = 3\nsteps = 4000\nstart = { kind = \"prior\" }\n\
                      step_size = { kind = \"cyclical\", initial = 1e-4, cycles = 7, exploration = 0.4 }";
        let weighted = "method = \"sgld\"\nchains = 2\nsteps = 6000\nstart = { kind = \"prior\" }\n\
                        collect = { burn_in = 500, thin = 3, weighted = true }\n\
                        step_size = { kind = \"polynomial\", a = 1e-3, b = 10, gamma = 0.55 }";
        for run in [hmc, cycles, weighted] {
            let session = finished("", run);
            let frame = session.frame();
            let regression = frame.target.regression().unwrap();
            let drawn = collected_functions(&frame.runs[0], 4, 1024);
            let all = all_weights(run);
            assert!(drawn.len() > 500 && drawn.len() < all.len(), "{} of {}", drawn.len(), all.len());
            let Outputs { weights, .. } = drawn.at(frame.target.as_ref(), &[0.0]);
            let even = weights.iter().all(|weight| (weight - weights[0]).abs() <= 0.0);
            assert_eq!(even, run == hmc || run == cycles, "{run}");
            for x in [-2.48, -1.0, 0.3, 1.5] {
                let moments = |draws: Vec<(f64, f64)>| {
                    let total: f64 = draws.iter().map(|(w, _)| w).sum();
                    let mean = draws.iter().map(|(w, f)| w * f).sum::<f64>() / total;
                    let power = |k: i32| draws.iter().map(|(w, f)| w * (f - mean).powi(k)).sum::<f64>() / total;
                    (mean, power(2), power(4))
                };
                let Outputs { f, weights } = drawn.at(frame.target.as_ref(), &[x]);
                let (mean, variance, _) = moments(weights.into_iter().zip(f).collect());
                let (known, spread, fourth) =
                    moments(all.iter().map(|(w, theta)| (*w, regression.value(theta, x))).collect());
                let root = (drawn.len() as f64).sqrt();
                assert!((mean - known).abs() < 5.0 * spread.sqrt() / root, "{x}: mean {mean}, of all {known}");
                let error = (fourth - spread * spread).sqrt() / root;
                assert!((variance - spread).abs() < 5.0 * error, "{x}: variance {variance}, of all {spread}");
                if run == hmc && x < -2.0 {
                    // Vectors that are kept densely at the start have the sd 0.112.
                    let Outputs { f, weights } =
                        collected_functions(&frame.runs[0], 4, 1 << 15).at(frame.target.as_ref(), &[x]);
                    let (_, whole, _) = moments(weights.into_iter().zip(f).collect());
                    assert!(
                        (spread.sqrt() - 0.033).abs() < 5e-4 && (whole / spread - 1.0).abs() < 1e-9,
                        "{whole} {spread}"
                    );
                }
            }
        }
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

//! What the lessons on networks say: the spread of functions outside the data, in their gap and among them, and the scores of
//! classifications.

use sampler_lab::diagnostics::weight_line::WeightPath;
use sampler_lab::draw::geometry::thinned_vectors;
use sampler_lab::draw::views::functions::geometry::values;
use sampler_lab::draw::views::weights::geometry::network_of;
use sampler_lab::math::Coords;
use sampler_lab::params::Value;
use sampler_lab::scenario::{Lesson, Scenario};
use sampler_lab::session::{Frame, FunctionDraws, Linearised, RunFrame, Session};
use sampler_lab::targets::Regression;

/// Outside the data, in the gap between them, among them, and outside again.
const INPUTS: [f64; 4] = [-3.0, 0.0, 1.2, 3.0];

fn finished(lesson: &str) -> Frame {
    ended(Lesson::find(lesson).unwrap().scenario().unwrap())
}

fn ended(scenario: Scenario) -> Frame {
    let mut session = Session::new(scenario).unwrap();
    session.advance(u64::MAX);
    session.analyse();
    session.frame()
}

/// Mean and standard deviation of f at the inputs.
fn moments(run: &RunFrame, regression: &dyn Regression) -> [(f64, f64); 4] {
    let at = |weights: &[f64]| values(regression, weights, &INPUTS);
    let all: Vec<Vec<f64>> = match &run.fits {
        Some(fits) => match Linearised::of(fits, regression, &INPUTS) {
            Some(linearised) => {
                let only = &linearised.components[0];
                return std::array::from_fn(|x| (only.values[x], only.variances[x].sqrt()));
            }
            None => fits.vectors.iter().map(|weights| at(weights)).collect(),
        },
        None => thinned_vectors(run, 1 << 20).iter().map(|kept| at(&kept.weights())).collect(),
    };
    std::array::from_fn(|x| {
        let count = all.len() as f64;
        let mean = all.iter().map(|values| values[x]).sum::<f64>() / count;
        let variance = all.iter().map(|values| (values[x] - mean).powi(2)).sum::<f64>() / count;
        (mean, variance.sqrt())
    })
}

fn spreads(lesson: &str) -> Vec<[(f64, f64); 4]> {
    spreads_of(&finished(lesson))
}

fn spreads_of(frame: &Frame) -> Vec<[(f64, f64); 4]> {
    let regression = frame.target.regression().unwrap();
    frame.runs.iter().map(|run| moments(run, regression)).collect()
}

/// The standard deviation that a lesson tells of a run at an input is the one found, in the digits told.
fn told(lesson: &str, found: &[[(f64, f64); 4]], claims: &[(usize, usize, f64, f64)]) {
    for (run, input, claim, digit) in claims {
        let sd = found[*run][*input].1;
        assert!((sd - claim).abs() <= 0.5001 * digit, "{lesson}, run {run}, x = {}: {sd}", INPUTS[*input]);
    }
}

#[test]
fn lessons_on_networks_keep_their_promises() {
    let gap = spreads("gap-bands");
    let two = 0.01;
    told(
        "gap-bands",
        &gap,
        &[(0, 1, 0.53, two), (0, 2, 0.035, 0.001), (1, 1, 0.21, two), (2, 1, 0.32, two), (3, 1, 0.30, two)],
    );
    assert!((gap[1][1].0 - gap[0][1].0 + 1.2).abs() < 0.05, "{gap:?}");
    let means: Vec<f64> = gap.iter().map(|run| run[2].0).collect();
    assert!(means.iter().all(|mean| (mean - means[0]).abs() < 0.03), "among the data all agree: {means:?}");

    told("no-ensemble", &spreads("no-ensemble"), &[(0, 1, 0.03, two), (1, 1, 0.45, two)]);
    let claims = [(0, 1, 0.30, two), (0, 2, 0.035, 0.001), (1, 1, 1.1, 0.1), (1, 2, 1.0, 0.1)];
    told("linearise", &spreads("linearise"), &claims);
    let claims = [(0, 2, 0.034, 0.001), (1, 2, 0.086, 0.001), (2, 2, 0.145, 0.001)];
    let heat = spreads("noise-is-heat");
    told("noise-is-heat", &heat, &claims);
    told("noise-is-heat", &heat, &[(0, 1, 0.43, two), (1, 1, 0.56, two), (2, 1, 0.63, two)]);
    let mut cooled = Lesson::find("noise-is-heat").unwrap().scenario().unwrap();
    cooled.runs[1].settings.set("friction_correction", Value::Flag(true)).unwrap();
    told("noise-is-heat", &spreads_of(&ended(cooled)), &[(1, 3, 0.15, two), (1, 2, 0.073, 0.001)]);
    let blind = spreads("blind-outside");
    told("blind-outside", &blind, &[(0, 0, 0.07, two), (0, 3, 0.07, two), (1, 0, 0.31, two), (1, 3, 0.45, two)]);
    told("blind-outside", &blind, &[(0, 1, 0.38, two), (1, 1, 0.54, two), (0, 2, 0.069, 0.001), (1, 2, 0.035, 0.001)]);

    let frame = finished("rhat-of-what");
    let measures = &frame.runs[0].analysis.predicted.measures;
    let of = |key: &str| measures.iter().find(|measure| measure.key == key).unwrap().value.unwrap();
    let told = [
        ("rhat_weights", 1.68, 0.005),
        ("rhat_functions", 1.03, 0.005),
        ("ess_weights", 6.0, 0.5),
        ("ess_functions", 202.0, 0.5),
    ];
    for (key, claim, room) in told {
        assert!((of(key) - claim).abs() <= room, "{key}: {}", of(key));
    }
    let [straight, matched] = barriers(&frame);
    assert!((straight - 2500.0).abs() <= 100.0 && (matched - 70.0).abs() <= 5.0, "{straight} {matched}");
}

/// Medians of the barriers between all draws of different chains of the first run, as they are and with hidden units matched.
fn barriers(frame: &Frame) -> [f64; 2] {
    let network = network_of(frame.target.as_ref()).unwrap();
    let draws: Vec<_> = thinned_vectors(&frame.runs[0], 256).iter().map(|kept| (kept.chain, kept.weights())).collect();
    let barrier = |a: &[f64], b: &[f64]| WeightPath::between(network, network.observations(), a, b).barrier().unwrap();
    let mut all = [Vec::new(), Vec::new()];
    for (number, (chain, a)) in draws.iter().enumerate() {
        for (_, b) in draws[..number].iter().filter(|(other, _)| other != chain) {
            all[0].push(barrier(a, b));
            all[1].push(barrier(a, &network.aligned(b, a)));
        }
    }
    all.map(|mut barriers| {
        barriers.sort_by(f64::total_cmp);
        barriers[barriers.len() / 2]
    })
}

/// A measure of predictions of the first run.
fn measured(frame: &Frame, key: &str) -> f64 {
    let measures = &frame.runs[0].analysis.predicted.measures;
    measures.iter().find(|measure| measure.key == key).unwrap().value.unwrap()
}

/// What *Cold posteriors* says of three temperatures, and of wrong labels. The reference values of the posteriors, by 48 long
/// chains, are NLL 0.129, 0.116, 0.111, errors 3.5, 3.0, 2.5 %, and sds 1.37, 0.72, 0.44 of the logit.
#[test]
fn the_lesson_on_cold_posteriors_keeps_its_promises() {
    let lesson = Lesson::find("cold").unwrap().scenario().unwrap();
    let at = |temperature: f64, wrong: f64| {
        let mut scenario = lesson.clone();
        scenario.target.set("temperature", Value::Number(temperature)).unwrap();
        scenario.target.set("data.label_noise", Value::Number(wrong)).unwrap();
        ended(scenario)
    };
    for (temperature, nll, reference, error, sd) in
        [(1.0, 0.129, 0.129, 0.035, 1.37), (0.3, 0.116, 0.116, 0.03, 0.72), (0.1, 0.111, 0.111, 0.025, 0.44)]
    {
        let frame = at(temperature, 0.0);
        let of = |key: &str| measured(&frame, key);
        assert!((of("nll_in") - nll).abs() <= 0.0005 && (of("nll_in") - reference).abs() < 0.0016, "{}", of("nll_in"));
        assert!((of("error_in") - error).abs() < 1e-12, "{}", of("error_in"));
        let vectors: Vec<Vec<f64>> =
            thinned_vectors(&frame.runs[0], 1 << 20).iter().map(|kept| kept.weights()).collect();
        let draws = Coords::of(vectors[0].len(), vectors.iter().map(Vec::as_slice));
        let logits =
            FunctionDraws::of_vectors(draws, vec![1.0; vectors.len()]).at(frame.target.as_ref(), &[0.0, 0.0]).f;
        let count = logits.len() as f64;
        let mean = logits.iter().sum::<f64>() / count;
        let found = (logits.iter().map(|f| (f - mean).powi(2)).sum::<f64>() / count).sqrt();
        // Several hundred effective draws: 0.06 is more than two standard errors at T = 1, and more than five at T = 0.1.
        assert!((found - sd).abs() < 0.06, "{temperature}: {found}");
        let points = &frame.runs[0].analysis.predicted.calibration.as_ref().unwrap().points;
        let sure: f64 = points.iter().map(|point| point.count as f64 * (point.found - point.said)).sum();
        assert!(temperature < 1.0 || sure / 200.0 > 0.02, "right more often than they say: {points:?}");
    }
    for (temperature, nll) in [(1.0, 0.384), (0.3, 0.380), (0.1, 0.380)] {
        let found = measured(&at(temperature, 0.1), "nll_in");
        assert!((found - nll).abs() <= 0.0005, "{temperature}: {found}");
    }
}

/// Dropout is less sure among the data than in the gap, and four times as much weight of the data leaves its bands as they are.
#[test]
fn dropout_does_not_know_where_the_data_are() {
    let two = 0.01;
    let dropout = spreads("dropout");
    let claims = [(0, 2, 0.18, two), (1, 2, 0.29, two), (2, 2, 0.034, 0.001)];
    told("dropout", &dropout, &claims);
    told("dropout", &dropout, &[(0, 1, 0.15, two), (1, 1, 0.21, two), (2, 1, 0.52, two)]);
    let mut scenario = Lesson::find("dropout").unwrap().scenario().unwrap();
    scenario.target.set("temper", Value::Choice("likelihood")).unwrap();
    scenario.target.set("temperature", Value::Number(0.25)).unwrap();
    let more = spreads_of(&ended(scenario));
    for (less, more) in dropout[..2].iter().zip(&more) {
        assert!(less.iter().zip(more).all(|(less, more)| (more.1 / less.1 - 1.0).abs() < 0.1), "{less:?} {more:?}");
    }
}

/// Among the data σ is 0.1: draws near the mode are within it, draws as far out as the ellipse says are not.
#[test]
fn sampled_functions_leave_the_data_as_draws_leave_the_mode() {
    for (spread, expected) in [(0.1, 0.012), (0.3, 0.1), (1.0, 1.03)] {
        let mut scenario = Lesson::find("linearise").unwrap().scenario().unwrap();
        scenario.runs[1].settings.set("spread", Value::Number(spread)).unwrap();
        let sd = spreads_of(&ended(scenario))[1][2].1;
        assert!((sd / expected - 1.0).abs() < 0.05, "{spread}: {sd}");
    }
}

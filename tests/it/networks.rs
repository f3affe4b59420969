//! What the lessons on networks say: the spread of functions outside the data, in their gap and among them.

use sampler_lab::diagnostics::weight_path::WeightPath;
use sampler_lab::scenario::Lesson;
use sampler_lab::scene::{thinned_vectors, values};
use sampler_lab::session::{Frame, Linearised, RunFrame, Session};
use sampler_lab::targets::Regression;

/// Outside the data, in the gap between them, among them, and outside again.
const INPUTS: [f64; 4] = [-3.0, 0.0, 1.2, 3.0];

fn finished(lesson: &str) -> Frame {
    let mut session = Session::new(Lesson::find(lesson).unwrap().scenario().unwrap()).unwrap();
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
    let frame = finished(lesson);
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
        &[(0, 1, 0.53, two), (0, 2, 0.034, 0.001), (1, 1, 0.21, two), (2, 1, 0.32, two), (3, 1, 0.30, two)],
    );
    assert!((gap[1][1].0 - gap[0][1].0 + 1.2).abs() < 0.05, "{gap:?}");
    let means: Vec<f64> = gap.iter().map(|run| run[2].0).collect();
    assert!(means.iter().all(|mean| (mean - means[0]).abs() < 0.03), "among the data all agree: {means:?}");

    told("no-ensemble", &spreads("no-ensemble"), &[(0, 1, 0.03, two), (1, 1, 0.45, two)]);
    let claims = [(0, 1, 0.30, two), (0, 2, 0.035, 0.001), (1, 1, 1.1, 0.1), (1, 2, 1.0, 0.1)];
    told("linearise", &spreads("linearise"), &claims);
    let claims = [(0, 2, 0.033, 0.001), (1, 2, 0.063, 0.001), (2, 2, 0.136, 0.001)];
    let heat = spreads("noise-is-heat");
    told("noise-is-heat", &heat, &claims);
    told("noise-is-heat", &heat, &[(0, 1, 0.42, two), (1, 1, 0.41, two), (2, 1, 0.49, two)]);
    let blind = spreads("blind-outside");
    told("blind-outside", &blind, &[(0, 0, 0.07, two), (0, 3, 0.07, two), (1, 0, 0.32, two), (1, 3, 0.44, two)]);
    told("blind-outside", &blind, &[(0, 1, 0.38, two), (1, 1, 0.55, two), (0, 2, 0.069, 0.001), (1, 2, 0.033, 0.001)]);

    let frame = finished("rhat-of-what");
    let measures = &frame.runs[0].analysis.predictions;
    let of = |key: &str| measures.iter().find(|measure| measure.key == key).unwrap().value.unwrap();
    let told = [
        ("rhat_weights", 1.70, 0.005),
        ("rhat_functions", 1.03, 0.005),
        ("ess_weights", 7.0, 0.5),
        ("ess_functions", 145.0, 0.5),
    ];
    for (key, claim, room) in told {
        assert!((of(key) - claim).abs() <= room, "{key}: {}", of(key));
    }
    let [straight, matched] = barriers(&frame);
    assert!((straight - 2400.0).abs() <= 100.0 && (matched - 80.0).abs() <= 5.0, "{straight} {matched}");
}

/// Medians of the barriers between all draws of different chains of the first run, as they are and with hidden units matched.
fn barriers(frame: &Frame) -> [f64; 2] {
    let network = frame.target.network().unwrap();
    let draws: Vec<_> =
        thinned_vectors(&frame.runs[0], 1 << 20).iter().map(|kept| (kept.chain, kept.weights())).collect();
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

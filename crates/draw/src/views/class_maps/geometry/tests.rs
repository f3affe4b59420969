//! Maps against predictions that are computed directly, and against reference values of the posterior of the moons.

use std::path::Path;
use std::sync::Arc;

use super::*;
use crate::geometry::{KeptVector, is_drawable, thinned_vectors};
use base::math::{Coords, Purpose, Stream};
use engine::diagnostics::predictive_formulas::Weights;
use engine::scenario::read;
use engine::session::{FunctionDraws, Session};
use models::targets::Target;

const MOONS: &str = "[target]\nkind = \"network\"\nhidden = 8\n[target.data]\nkind = \"moons\"\n\
                     [target.prior]\nkind = \"fan-in\"\nweight_sd = 5\nbias_sd = 2\n";

fn session(target: &str, run: &str) -> Session {
    let text = format!("format = 1\ntitle = \"x\"\nseed = 5\n{target}[[run]]\nname = \"A\"\n{run}");
    Session::new(read(&text, "x", Path::new("")).unwrap()).unwrap()
}

fn target(data: &str) -> Arc<Target> {
    let target = format!("[target]\nkind = \"network\"\nhidden = 5\n[target.data]\n{data}\n");
    session(&target, "method = \"sgld\"\nsteps = 10\n").frame().target
}

/// Draws from the prior.
fn draws(target: &Target, count: usize) -> Coords {
    let model = target.model().unwrap();
    let mut stream = Stream::derive(7, Purpose::Data, 0, 0);
    let mut draws = Coords::zeros(model.dimension(), count);
    let mut draw = vec![0.0; model.dimension()];
    for number in 0..count {
        assert!(model.prior_draw(&mut stream, &mut draw));
        draws.set(number, &draw);
    }
    draws
}

fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-13 * (1.0 + expected.abs()), "{found}, expected {expected}");
}

#[test]
fn sums_are_those_of_single_predictions_however_many_draws_come_at_a_time() {
    for data in ["kind = \"moons\"", "kind = \"blobs\"\nclasses = 3"] {
        let target = target(data);
        let model = target.classification().unwrap();
        let points: Vec<[f64; 2]> =
            (0..300_u32).map(|i| [f64::from(i % 17) * 0.3 - 2.0, f64::from(i) * 0.01]).collect();
        let (all, classes) = (draws(target.as_ref(), 45), model.classes());
        let weights: Vec<f64> = (0..45_u32).map(|i| 1.0 + f64::from(i % 4)).collect();
        let summed = |at_a_time: usize| {
            let mut sums = PredictionSums::new(classes, points.len());
            for first in (0..45).step_by(at_a_time) {
                let part = first..(first + at_a_time).min(45);
                let part = FunctionDraws::of_vectors(all.range(part.clone()), weights[part].to_vec());
                sums.add(&points, |inputs| part.at(target.as_ref(), inputs));
            }
            sums
        };
        let sums = summed(45);
        assert!([1, 4, 7, 32].into_iter().all(|at_a_time| summed(at_a_time) == sums), "{data}");
        assert_eq!((sums.draws(), sums.classes()), (45, classes));
        for (index, at) in points.iter().enumerate().step_by(37) {
            let f = FunctionDraws::of_vectors(all.clone(), weights.clone()).at(target.as_ref(), at).f;
            let direct = ClassPrediction::of_outputs(&f, classes, Weights::Each(&weights));
            let found = sums.prediction(index);
            found.probabilities.iter().zip(&direct.probabilities).for_each(|(found, direct)| near(*found, *direct));
            near(found.entropy, direct.entropy);
            near(found.mutual_information(), direct.mutual_information());
            assert_eq!(sums.likeliest(index).0, direct.class());
            assert_eq!(sums.logit(index).is_some(), classes == 2);
            if let Some((mean, sd)) = sums.logit(index) {
                let total: f64 = weights.iter().sum();
                let expected = f.iter().zip(&weights).map(|(f, w)| f * w).sum::<f64>() / total;
                let square = f.iter().zip(&weights).map(|(f, w)| w * (f - expected).powi(2)).sum::<f64>() / total;
                near(mean, expected);
                near(sd, square.sqrt());
            }
        }
    }
}

#[test]
fn certain_draws_have_no_entropy_and_draws_that_disagree_all_the_information() {
    let target = target("kind = \"moons\"");
    let dimension = target.model().unwrap().dimension();
    // With all weights at 0 but the bias of the output, f is that bias.
    for size in [40.0, 1e6, 1e99] {
        let mut draws = Coords::zeros(dimension, 2);
        draws.set(0, &[vec![0.0; dimension - 1], vec![size]].concat());
        draws.set(1, &[vec![0.0; dimension - 1], vec![-size]].concat());
        let mut sums = PredictionSums::new(2, 1);
        let draws = FunctionDraws::of_vectors(draws, vec![1.0; 2]);
        sums.add(&[[0.3, 0.1]], |inputs| draws.at(target.as_ref(), inputs));
        let prediction = sums.prediction(0);
        assert!((prediction.probabilities[1] - 0.5).abs() < 1e-15, "{prediction:?}");
        let ln_2 = std::f64::consts::LN_2;
        assert!((prediction.entropy - ln_2).abs() < 1e-15 && prediction.aleatoric < 1e-15, "{prediction:?}");
        assert!((prediction.mutual_information() - ln_2).abs() < 1e-15);
    }
    assert!(is_drawable([1.0, -1e99].into_iter()));
    assert!(![f64::NAN, f64::INFINITY, -1e100].into_iter().any(|weight| is_drawable([0.0, weight].into_iter())));
}

#[test]
fn the_boundary_of_a_draw_is_where_its_logit_is_zero_and_ends_at_the_edge() {
    let target = target("kind = \"circles\"");
    let model = target.classification().unwrap();
    let grid = map_grid(model);
    for number in 0..20 {
        let all = draws(target.as_ref(), 20);
        let draw = all.range(number..number + 1);
        let mut sums = PredictionSums::new(2, grid.len());
        let one = FunctionDraws::of_vectors(draw.clone(), vec![1.0]);
        sums.add(&middles(&grid), |inputs| one.at(target.as_ref(), inputs));
        let shown = model.shown();
        for line in boundary(&grid, &sums) {
            let f = one.at(target.as_ref(), line.as_flattened()).f;
            let close = 0.02 * sums.logits[0].iter().fold(0.0, |most: f64, f| most.max(f.abs()));
            let inside = |at: &[f64; 2]| shown.contains(Point::from(*at));
            assert!(line.iter().zip(&f).all(|(at, f)| !inside(at) || f.abs() < close), "{f:?}");
            let closed = line.first() == line.last();
            assert!(closed || [line.first(), line.last()].into_iter().flatten().all(|end| !inside(end)), "{line:?}");
        }
    }
}

#[test]
fn three_classes_meet_in_lines_between_each_pair() {
    let target = target("kind = \"blobs\"\nclasses = 3\nnoise_sd = 0.1");
    let model = target.classification().unwrap();
    let grid = map_grid(model);
    let mut sums = PredictionSums::new(3, grid.len());
    let all = FunctionDraws::of_vectors(draws(target.as_ref(), 30), vec![1.0; 30]);
    sums.add(&middles(&grid), |inputs| all.at(target.as_ref(), inputs));
    let map = ClassMap::of(grid, sums);
    assert!(!map.boundary.is_empty());
    for at in map.boundary.iter().flatten().filter(|at| model.shown().contains(Point::from(**at))) {
        let cell = map.grid.cell(Point::from(*at)).unwrap();
        let mut p = map.sums.prediction(cell).probabilities;
        p.sort_by(f64::total_cmp);
        assert!(p[2] - p[1] < 0.1, "{p:?} at {at:?}");
    }
    let ln_3 = 3.0_f64.ln();
    assert!(map.largest(MapQuantity::Entropy) <= ln_3 && map.largest(MapQuantity::Information) < ln_3);
    assert!(map.information.iter().zip(&map.entropy).all(|(information, entropy)| information <= entropy));
}

/// A point and its reference values.
type Reference = ([f64; 2], [f64; 2], [f64; 2], f64, f64);

/// x, p̄ with its standard error, sd of the logit with its own, entropy and mutual information in nats: 48 chains × 5000 draws.
const REFERENCE: [Reference; 11] = [
    ([0.0, 0.0], [0.5567, 0.0011], [1.366, 0.005], 0.6867, 0.1428),
    ([-0.5, 0.75], [0.0230, 0.0002], [2.210, 0.008], 0.1095, 0.0255),
    ([0.5, 0.5], [0.0424, 0.0003], [1.739, 0.007], 0.1754, 0.0335),
    ([1.5, 0.5], [0.8243, 0.0011], [2.040, 0.007], 0.4649, 0.1517),
    ([-1.5, -0.75], [0.4563, 0.0016], [2.705, 0.010], 0.6893, 0.3084),
    ([-0.5, -0.5], [0.9244, 0.0004], [1.562, 0.007], 0.2678, 0.0472),
    ([0.5, -0.75], [0.9740, 0.0002], [2.177, 0.007], 0.1205, 0.0274),
    ([0.0, 2.5], [0.0099, 0.0003], [3.498, 0.013], 0.0556, 0.0326),
    ([0.0, -2.5], [0.9777, 0.0004], [3.617, 0.011], 0.1069, 0.0585),
    ([-3.0, 0.0], [0.0290, 0.0003], [2.135, 0.007], 0.1314, 0.0324),
    ([3.0, 0.0], [0.9698, 0.0003], [2.089, 0.007], 0.1354, 0.0321),
];

/// The posterior of the moons by HMC, through a scenario: 64 chains, some 2000 of their draws. Standard errors are those of a
/// jackknife over 16 groups of chains; 44 values within 5 of them are a false alarm in some hundred seeds.
#[test]
fn predictions_of_the_moons_are_the_reference_values() {
    let run = "method = \"hmc\"\nchains = 64\nsteps = 300\nleapfrog_steps = 20\nstep_size = { kind = \"constant\", value = 0.15 }\n\
               collect = { kind = \"collect\", burn_in = 100 }\n";
    let mut session = session(MOONS, run);
    session.advance(300);
    let frame = session.frame();
    let points = REFERENCE.map(|(index, ..)| index);
    let kept = thinned_vectors(&frame.runs[0], usize::MAX);
    let dimension = frame.target.dimension();
    let predictions = |without: usize| {
        let used: Vec<Vec<f64>> =
            kept.iter().filter(|draw| draw.chain % 16 != without).map(KeptVector::weights).collect();
        let mut sums = PredictionSums::new(2, points.len());
        let vectors = Coords::of(dimension, used.iter().map(Vec::as_slice));
        let draws = FunctionDraws::of_vectors(vectors, vec![1.0; used.len()]);
        sums.add(&points, |inputs| draws.at(frame.target.as_ref(), inputs));
        let one = |index: usize| {
            let prediction = sums.prediction(index);
            let sd = sums.logit(index).map_or(f64::NAN, |(_, sd)| sd);
            [prediction.probabilities[1], sd, prediction.entropy, prediction.mutual_information()]
        };
        (0..points.len()).map(one).collect::<Vec<_>>()
    };
    let all = predictions(usize::MAX);
    let parts: Vec<_> = (0..16).map(predictions).collect();
    assert!(kept.len() > 1500, "{} draws", kept.len());
    for (index, (at, p, sd, entropy, information)) in REFERENCE.into_iter().enumerate() {
        // The entropies are given without errors, which are those of p̄ at most about.
        let expected = [p, sd, [entropy, 2.0 * p[1]], [information, 2.0 * p[1]]];
        for (number, [expected, error]) in expected.into_iter().enumerate() {
            let part = |part: &Vec<[f64; 4]>| part[index][number];
            let mean = parts.iter().map(part).sum::<f64>() / 16.0;
            let square = parts.iter().map(|values| (part(values) - mean).powi(2)).sum::<f64>() * 15.0 / 16.0;
            let away = (all[index][number] - expected) / (square + error * error).sqrt();
            let (found, own) = (all[index][number], square.sqrt());
            assert!(away.abs() < 5.0, "{at:?}, {number}: {found} ± {own}, expected {expected}; {} draws", kept.len());
        }
    }
}

//! Detailed balance of Metropolis methods, p(θ) q(θ′|θ) a(θ → θ′) = p(θ′) q(θ|θ′) a(θ′ → θ), exactly; reversibility and
//! volume of leapfrog paths.

use std::path::Path;
use std::sync::Arc;

use super::super::{
    Adaptation, AdaptiveMetropolis, Barker, BatchOrder, Gradient, Hmc, Langevin, Mala, Method, Population, RandomWalk,
    StepRecord,
};
use super::{Normal, Numbers, Plan, init, one_step, plan, stream};
use base::math::{Coords, Matrix, Point};
use base::params::{Settings, Value, find_kind};
use models::targets::{Boundary, Density, TARGETS, build};

/// Relative error of a few dozen rounded operations on numbers that are up to a hundred times as large as the result.
const ROUNDING: f64 = 1e-11;

/// A density whose curvature depends on the position.
fn mixture() -> Arc<dyn Density> {
    build(&Settings::defaults(find_kind(&TARGETS, "gaussian-mixture").unwrap()), Path::new(""))
        .unwrap()
        .density()
        .unwrap()
        .clone()
}

fn posterior() -> Normal {
    Normal::posterior(0.5, 2, vec![Point::new(1.0, 2.0), Point::new(-1.0, 0.5), Point::new(3.0, -2.0)])
}

/// One step of one chain with the given pairs of normals; the uniform is small, so that a proposal with positive
/// probability is accepted.
fn step(
    method: &dyn Method,
    target: &dyn Density,
    gradient: &Gradient,
    (alpha, from): (f64, Point),
    pairs: &[Point],
    batch: &[u32],
) -> StepRecord {
    let first = pairs.iter().map(|pair| pair.x).collect();
    let second = pairs.iter().map(|pair| pair.y).collect();
    let numbers = Numbers { first, second, uniforms: vec![1e-300] };
    let mut chains = Population::at(Coords::of_points(&[from]));
    one_step(method, target, gradient, &Plan { batch, ..plan(alpha) }, &numbers, &mut chains).remove(0)
}

/// The normals with which a Langevin or random-walk proposal leads from one point to another.
fn normals(record: &StepRecord, alpha: f64, to: Point) -> Point {
    (to - record.from - record.drift - record.gradient_noise) / (2.0 * alpha).sqrt()
}

/// ln of p(θ) q(θ′|θ) a(θ → θ′), without the constant of q, and the record.
fn log_flow(
    method: &dyn Method,
    target: &dyn Density,
    gradient: &Gradient,
    (alpha, from, to): (f64, Point, Point),
    noise: &[Point],
    batch: &[u32],
) -> f64 {
    let with = |last: Point| {
        let pairs: Vec<Point> = noise.iter().copied().chain([last]).collect();
        step(method, target, gradient, (alpha, from), &pairs, batch)
    };
    let normals = normals(&with(Point::zeros()), alpha, to);
    let proposal = with(normals).proposal.unwrap();
    assert!((proposal.at - to).amax() < 1e-12, "{proposal:?}");
    target.log_density(from) - 0.5 * normals.norm_squared() + proposal.probability.ln()
}

fn balanced(
    method: &dyn Method,
    target: &dyn Density,
    gradient: &Gradient,
    alpha: f64,
    noise: &[Point],
    batch: &[u32],
) {
    let points = [(0.3, -0.4), (-1.2, 0.8), (2.0, 1.0), (0.9, -1.7)].map(|(x, y)| Point::new(x, y));
    for (from, to) in points.iter().zip(&points[1..]) {
        let there = log_flow(method, target, gradient, (alpha, *from, *to), noise, batch);
        let back = log_flow(method, target, gradient, (alpha, *to, *from), noise, batch);
        let size = 1.0 + there.abs();
        assert!((there - back).abs() < ROUNDING * size, "{method:?} {gradient:?} {alpha}: {there} and {back}");
    }
}

#[test]
fn flows_are_balanced() {
    let mixture = mixture();
    for alpha in [0.05, 0.4, 3.0] {
        balanced(&RandomWalk, mixture.as_ref(), &Gradient::Exact, alpha, &[], &[]);
        balanced(&Mala, mixture.as_ref(), &Gradient::Exact, alpha, &[], &[]);
        balanced(&Langevin { metropolis: true }, mixture.as_ref(), &Gradient::Exact, alpha, &[], &[]);
        let noisy = Gradient::Noisy { variance: 5.0, compensate: false };
        balanced(&Mala, mixture.as_ref(), &noisy, alpha, &[Point::new(0.7, -1.9)], &[]);
        let batch = Gradient::minibatch(2, BatchOrder::Random);
        balanced(&Mala, &posterior(), &batch, 0.2 * alpha, &[], &[2, 0]);
    }
}

/// The records hold all that decided: a proposal is accepted where its uniform is below min(1, r).
#[test]
fn records_tell_why_proposals_are_accepted() {
    const CHAINS: usize = 64;
    let mixture = mixture();
    let adaptive = AdaptiveMetropolis { begin: 2, until: None, epsilon: 1e-6 };
    let hmc = Hmc { leapfrog_steps: 3, metropolis: true, adaptation: Adaptation::default() };
    let methods: [&dyn Method; 5] = [&RandomWalk, &Mala, &Barker, &hmc, &adaptive];
    for method in methods {
        let numbers = Numbers::for_steps(&mut stream(7), method, &Gradient::Exact, 1, CHAINS);
        let mut draws = stream(8);
        let starts: Vec<Point> = (0..CHAINS).map(|_| mixture.exact_draw(&mut draws).unwrap()).collect();
        let mut chains = init(method, &starts, 0.5, [&[0.0; CHAINS], &[0.0; CHAINS]]);
        let records = one_step(method, mixture.as_ref(), &Gradient::Exact, &plan(0.5), &numbers, &mut chains);
        let proposals = records.iter().map(|record| record.proposal.unwrap());
        let accepted = proposals.clone().filter(|proposal| proposal.accepted).count();
        assert!((1..CHAINS).contains(&accepted), "{method:?} accepts {accepted}");
        for (record, uniform) in records.iter().zip(&numbers.uniforms) {
            let proposal = record.proposal.unwrap();
            let ratio = proposal.log_ratio.min(0.0).exp();
            assert!((proposal.probability - ratio).abs() < ROUNDING, "{method:?}: {proposal:?}");
            assert_eq!(proposal.uniform.to_bits(), uniform.to_bits(), "{method:?}");
            assert_eq!(proposal.accepted, proposal.uniform < proposal.probability, "{method:?}: {proposal:?}");
            assert_eq!(record.to, if proposal.accepted { proposal.at } else { record.from }, "{method:?}");
        }
    }
    // Without a gradient r is the ratio of the densities.
    let [from, normal] = [Point::new(0.3, -0.4), Point::new(1.1, 0.2)];
    let proposal = step(&RandomWalk, mixture.as_ref(), &Gradient::Exact, (0.5, from), &[normal], &[]).proposal.unwrap();
    let rise = mixture.log_density(from + normal) - mixture.log_density(from);
    assert!((proposal.log_ratio - rise).abs() < ROUNDING, "{proposal:?}, not {rise}");
}

/// The flow of HMC through phase space: p(θ) exp(−½‖r‖²) a is the same from the end with the reversed momentum, and
/// the path returns to the start.
fn leads_back(target: &dyn Density, h: f64, leapfrog_steps: usize, from: Point, momentum: Point) -> f64 {
    let method = Hmc { leapfrog_steps, metropolis: true, adaptation: Adaptation::default() };
    let there = step(&method, target, &Gradient::Exact, (h, from), &[momentum], &[]);
    let (end, last) = (there.proposal.unwrap(), -there.momentum.unwrap());
    let back = step(&method, target, &Gradient::Exact, (h, end.at), &[last], &[]);
    let begin = back.proposal.unwrap();
    assert!((begin.at - from).amax() < 1e-10, "{} is not {from}", begin.at);
    assert!((back.momentum.unwrap() + momentum).amax() < 1e-10);
    let flow = |at: Point, momentum: Point, probability: f64| {
        target.log_density(at) - 0.5 * momentum.norm_squared() + probability.ln()
    };
    let (forth, back) = (flow(from, momentum, end.probability), flow(end.at, last, begin.probability));
    assert!((forth - back).abs() < 1e-9 * (1.0 + forth.abs()), "{forth} and {back}");
    end.probability
}

#[test]
fn leapfrog_paths_are_reversible() {
    let mixture = mixture();
    let mut rejections = 0;
    for (h, leaps) in [(0.05, 20), (0.3, 7), (0.6, 2)] {
        for (position, momentum) in [((0.3, -0.4), (1.0, 0.5)), ((-1.2, 0.8), (-0.3, 2.0)), ((2.0, 1.0), (0.1, -1.0))] {
            let (from, momentum) = (Point::new(position.0, position.1), Point::new(momentum.0, momentum.1));
            let probability = leads_back(mixture.as_ref(), h, leaps, from, momentum);
            rejections += usize::from(probability < 0.99);
        }
    }
    assert!(rejections > 0, "some paths have an error of energy");
}

/// The path reflects at the ends of the unit interval several times.
#[test]
fn reflected_paths_are_reversible() {
    let settings = Settings::defaults(find_kind(&TARGETS, "beta-posterior").unwrap());
    let target = build(&settings, Path::new("")).unwrap().density().unwrap().clone();
    assert_eq!(target.info().boundary, Boundary::Reflect);
    let method = Hmc { leapfrog_steps: 3, metropolis: true, adaptation: Adaptation::default() };
    let from = Point::new(0.5, 0.0);
    for momentum in [0.4, 30.0, -47.0, 180.0] {
        let momentum = Point::new(momentum, 0.0);
        let there = step(&method, target.as_ref(), &Gradient::Exact, (0.01, from), &[momentum], &[]);
        let end = there.path.last().copied().unwrap();
        assert!(target.info().support.contains(end));
        let last = final_momentum(&there, 0.01, target.as_ref());
        let back = step(&method, target.as_ref(), &Gradient::Exact, (0.01, end), &[-last], &[]);
        // Gradients reach 10⁵ near the boundary, which multiplies rounding errors.
        assert!((back.path.last().unwrap() - from).amax() < 1e-7, "{momentum}: {:?}", back.path);
    }
}

/// The momentum at the end of a path, accepted or not. The record of a rejection does not have it, so the path is
/// followed again without the Metropolis rule.
fn final_momentum(record: &StepRecord, h: f64, target: &dyn Density) -> Point {
    let method = Hmc { leapfrog_steps: record.path.len() - 1, metropolis: false, adaptation: Adaptation::default() };
    let momentum = record.injected_noise / h;
    step(&method, target, &Gradient::Exact, (h, record.from), &[momentum], &[]).momentum.unwrap()
}

/// The determinant of the map (θ, r) → (θ′, r′) along an axis pair, by central differences: 1.
#[test]
fn leapfrog_paths_preserve_volume() {
    let target = mixture();
    let method = Hmc { leapfrog_steps: 5, metropolis: false, adaptation: Adaptation::default() };
    let at = nalgebra::Vector4::new(0.3, -0.4, 0.8, -0.5);
    let map = |state: nalgebra::Vector4<f64>| {
        let (from, momentum) = (Point::new(state[0], state[1]), Point::new(state[2], state[3]));
        let record = step(&method, target.as_ref(), &Gradient::Exact, (0.25, from), &[momentum], &[]);
        let momentum = record.momentum.unwrap();
        nalgebra::Vector4::new(record.to.x, record.to.y, momentum.x, momentum.y)
    };
    let width = 1e-5;
    let columns: Vec<_> = (0..4)
        .map(|axis| {
            let mut shift = nalgebra::Vector4::zeros();
            shift[axis] = width;
            (map(at + shift) - map(at - shift)) / (2.0 * width)
        })
        .collect();
    let jacobian = nalgebra::Matrix4::from_columns(&columns);
    // Central differences: their error is some 10⁻¹⁰ of third derivatives.
    assert!((jacobian.determinant() - 1.0).abs() < 1e-7, "{}", jacobian.determinant());
    assert!((jacobian.fixed_view::<2, 2>(0, 0) - Matrix::identity()).amax() > 0.1, "the path is not a trifle");
}

/// No proposal with density 0 is accepted, and a chain that starts at density 0 leaves it.
#[test]
fn points_without_density_are_rejected() {
    let mut settings = Settings::defaults(find_kind(&TARGETS, "beta-posterior").unwrap());
    settings.set("boundary", Value::Choice("none")).unwrap();
    let target = build(&settings, Path::new("")).unwrap().density().unwrap().clone();
    // Barker keeps the sign of an increment where the uniform number of its second vectors is near 0.
    let outwards = [Point::new(3.0, 0.0), Point::repeat(30.0), Point::zeros()];
    for method in [&RandomWalk as &dyn Method, &Mala, &Barker] {
        let outside = step(method, target.as_ref(), &Gradient::Exact, (0.5, Point::new(0.5, 0.0)), &outwards, &[]);
        let proposal = outside.proposal.unwrap();
        assert!(!target.info().support.contains(proposal.at) && !proposal.accepted, "{proposal:?}");
        assert!(proposal.probability <= 0.0 && outside.to == outside.from);
    }
    let lost = step(
        &RandomWalk,
        target.as_ref(),
        &Gradient::Exact,
        (0.5, Point::new(1.5, 0.0)),
        &[Point::new(-1.0, 0.0)],
        &[],
    );
    assert!(lost.proposal.unwrap().accepted && (lost.to.x - 0.5).abs() < 1e-12, "{lost:?}");
}

/// Both flows of a Barker proposal, with the signs that lead there and back: p(θ) Π N(|wᵢ|) s(wᵢ gᵢ) a(θ → θ′).
#[test]
fn barker_flows_are_balanced() {
    let target = mixture();
    let points = [(0.3, -0.4), (-1.2, 0.8), (2.0, 1.0), (0.9, -1.7)].map(|(x, y)| Point::new(x, y));
    for alpha in [0.05_f64, 0.4, 3.0] {
        for (from, to) in points.iter().zip(&points[1..]) {
            let [there, back] = [(*from, *to), (*to, *from)].map(|(from, to)| {
                let w = to - from;
                // Uniforms near 0 keep the sign of z, which is then that of w.
                let pairs = [w / (2.0 * alpha).sqrt(), Point::repeat(30.0), Point::zeros()];
                let record = step(&Barker, target.as_ref(), &Gradient::Exact, (alpha, from), &pairs, &[]);
                let proposal = record.proposal.unwrap();
                assert!((proposal.at - to).amax() < 1e-12 && record.drift.amax() < 1e-12, "{record:?}");
                let g = target.gradient(from);
                let sign = |axis: usize| -(1.0 + (-w[axis] * g[axis]).exp()).ln();
                target.log_density(from) + sign(0) + sign(1) + proposal.probability.ln()
            });
            assert!((there - back).abs() < ROUNDING * (1.0 + there.abs()), "{alpha}: {there} and {back}");
        }
    }
    // A uniform number near 1 turns the sign.
    let pairs = [Point::new(0.5, -0.2), Point::zeros(), Point::repeat(1e-9)];
    let record = step(&Barker, target.as_ref(), &Gradient::Exact, (0.5, points[0]), &pairs, &[]);
    assert!((record.proposal.unwrap().at - points[0] + pairs[0]).amax() < 1e-12, "{record:?}");
}

/// With the past held fixed adaptive Metropolis is a random walk with the covariance s (Σ + ε I): the distance of a proposal is
/// the factor times the normals, and p(θ) a(θ → θ′) is the same in both directions.
#[test]
fn adaptive_metropolis_is_balanced_once_it_is_frozen() {
    let target = mixture();
    let method = AdaptiveMetropolis { begin: 5, until: Some(5), epsilon: 0.01 };
    let propose = |from: Point, normals: Point| {
        let mut chains = method.init(Coords::of_points(&[from]), 0.1, Coords::zeros(2, 1));
        // Σ = [[2, −1], [−1, 3]] from 101 positions.
        chains.carried[0].set(0, &[5.0, 101.0]);
        chains.carried[2].set(0, &[200.0, -100.0, 300.0]);
        let before = chains.carried.clone();
        let numbers = Numbers { first: vec![normals.x], second: vec![normals.y], uniforms: vec![1e-300] };
        let record = one_step(&method, target.as_ref(), &Gradient::Exact, &plan(0.1), &numbers, &mut chains).remove(0);
        assert_eq!((&chains.carried[1..], chains.carried[0].get(0, 0)), (&before[1..], 6.0));
        record.proposal.unwrap()
    };
    let covariance = Matrix::new(2.01, -1.0, -1.0, 3.01) * (2.38 * 2.38 / 2.0);
    let lower = covariance.cholesky().unwrap().l();
    for (from, normals) in [((0.3, -0.4), (0.5, -1.0)), ((-1.2, 0.8), (-0.2, 0.3)), ((2.0, 1.0), (1.5, 0.1))] {
        let (from, normals) = (Point::new(from.0, from.1), Point::new(normals.0, normals.1));
        let there = propose(from, normals);
        assert!((there.at - from - lower * normals).amax() < 1e-12, "{there:?}");
        let back = propose(there.at, -normals);
        let flow = |at: Point, probability: f64| target.log_density(at) + probability.ln();
        let (forth, back) = (flow(from, there.probability), flow(there.at, back.probability));
        assert!((forth - back).abs() < ROUNDING * (1.0 + forth.abs()), "{forth} and {back}");
    }
}

/// On a stretched Gaussian the covariance of the past becomes that of the target, and with it the acceptance that of the
/// best random walk in the plane, some 0.35.
#[test]
fn adaptive_metropolis_learns_the_covariance() {
    let target = Normal::new(100.0, 2);
    let method = AdaptiveMetropolis { begin: 50, until: None, epsilon: 1e-8 };
    let mut chains = method.init(Coords::of_points(&[Point::zeros(); 16]), 1e-3, Coords::zeros(2, 16));
    for index in 0..3000 {
        if index == 1500 {
            chains.acceptance = super::super::Acceptance::default();
        }
        let numbers = Numbers::for_steps(&mut super::stream(index), &method, &Gradient::Exact, 1, 16);
        one_step(&method, &target, &Gradient::Exact, &plan(1e-3), &numbers, &mut chains);
    }
    let sums = &chains.carried[2];
    let mean = |entry: usize| (0..16).map(|chain| sums.get(chain, entry) / 3000.0).sum::<f64>() / 16.0;
    // 16 · 3000 steps are worth some 5000 draws: standard errors of 2 %.
    assert!((mean(0) * 100.0 - 1.0).abs() < 0.1 && (mean(2) * 100.0 - 1.0).abs() < 0.1, "{} {}", mean(0), mean(2));
    assert!((mean(1) * 100.0).abs() < 0.1, "{}", mean(1));
    let rate = chains.acceptance.rate().unwrap();
    // Proposals N(0, s²) with s = 2.38/√2 standard deviations, in the plane: E min(1, r) by quadrature below.
    assert!((rate - acceptance_in_the_plane(2.38 / 2f64.sqrt())).abs() < 0.01, "{rate}");
}

/// The mean acceptance of proposals N(θ, s² I) on N(0, I) in the plane: with ρ = ‖θ‖, E[min(1, exp((ρ² − ρ′²)/2))] over a grid of
/// θ = (ρ, 0), ρ weighted by ρ exp(−ρ²/2), and of proposals.
fn acceptance_in_the_plane(s: f64) -> f64 {
    let (width, reach) = (0.05, 6.0);
    let cells = 120;
    let (mut sum, mut weights) = (0.0, 0.0);
    for k in 0..cells {
        let rho = width * (f64::from(k) + 0.5);
        let weight = rho * (-0.5 * rho * rho).exp();
        let (mut inner, mut inner_weights) = (0.0, 0.0);
        for i in 0..2 * cells {
            for j in 0..2 * cells {
                let z = Point::new(width * (f64::from(i) + 0.5) - reach, width * (f64::from(j) + 0.5) - reach);
                let density = (-0.5 * z.norm_squared()).exp();
                let to = Point::new(rho, 0.0) + z * s;
                inner += density * (0.5 * (rho * rho - to.norm_squared())).min(0.0).exp();
                inner_weights += density;
            }
        }
        sum += weight * inner / inner_weights;
        weights += weight;
    }
    sum / weights
}

//! DE-MC(Z): proposals along differences of the archive, an archive that fills and then stays, and the distribution that it keeps.

use super::super::{Demcz, Gradient, Method, Population};
use super::{Normal, Numbers, close, one_step, plan, stream};
use base::math::{Coords, Point};

/// Positions of each chain with which the archive begins.
const FIRST: usize = 10;

fn method() -> Demcz {
    Demcz { gamma: None, archive: 30, every: 1, initial_spread: 1.0 }
}

/// Chains with an archive of independent normals of standard deviation `spread`.
fn begun(method: &Demcz, starts: &[Point], spread: f64, seed: u64) -> Population {
    let mut numbers = stream(seed);
    let mut chains = method.init(Coords::of_points(starts), 0.0, Coords::zeros(2 * FIRST, starts.len()));
    for chain in 0..starts.len() {
        for slot in 0..FIRST {
            let (x, y) = numbers.normal_pair();
            chains.carried[0].axis_mut(2 * slot)[chain] = spread * x;
            chains.carried[0].axis_mut(2 * slot + 1)[chain] = spread * y;
        }
    }
    chains
}

/// The first and the last of two chains with twenty positions: 0 is slot 0 of the first chain, 19 slot 9 of the second.
#[test]
fn proposals_add_a_difference_of_two_positions() {
    let (method, target) = (method(), Normal::new(1.0, 2));
    let starts = [Point::new(0.1, 0.2), Point::new(-0.3, 0.4)];
    let mut chains = begun(&method, &starts, 1.0, 1);
    let archive = chains.carried[0].clone();
    let z = |chain: usize, slot: usize| Point::new(archive.get(chain, 2 * slot), archive.get(chain, 2 * slot + 1));
    let best = 2.38 / 2.0;
    for step in 0..20 {
        let before = [chains.position(0), chains.position(1)];
        let numbers = Numbers {
            first: vec![1.0, 0.0],
            second: vec![0.0, -1.0],
            // Decisions, then the first position of both chains, then the second: 19 is skipped by neither, 0 by the second chain.
            uniforms: vec![1.0, 1.0, 1e-9, 1e-9, 1.0 - 1e-9, 1e-9],
        };
        // The archive is full from the start, so that all steps see the same.
        chains.carried[0] = archive.clone();
        chains.carried[1].values_mut().fill(FIRST as f64);
        let records = one_step(&method, &target, &Gradient::Exact, &plan(0.08), &numbers, &mut chains);
        let gamma = if step % 10 == 9 { 1.0 } else { best };
        let noise = [Point::new(0.4, 0.0), Point::new(0.0, -0.4)];
        let expected =
            [before[0] + (z(0, 0) - z(1, 9)) * gamma + noise[0], before[1] + (z(0, 0) - z(1, 0)) * gamma + noise[1]];
        for (chain, record) in records.iter().enumerate() {
            let proposal = record.proposal.unwrap();
            assert!((proposal.at - expected[chain]).amax() < 1e-14, "step {step}: {} {}", proposal.at, expected[chain]);
            let ratio = 0.5 * (before[chain].norm_squared() - proposal.at.norm_squared());
            close(proposal.probability, ratio.exp().min(1.0), 1e-12);
        }
    }
}

/// Room for 30 positions is 15 of each of two chains. Every third step adds one, and after 15 steps it is full.
#[test]
fn the_archive_fills_and_stays() {
    let method = Demcz { every: 3, ..method() };
    let target = Normal::new(1.0, 2);
    let mut chains = begun(&method, &[Point::new(0.1, 0.2), Point::new(-0.3, 0.4)], 1.0, 2);
    assert_eq!(chains.carried[0].dimension(), 2 * 15);
    let mut full = None;
    for step in 1..=40 {
        let numbers = Numbers::for_steps(&mut stream(step), &method, &Gradient::Exact, 1, 2);
        one_step(&method, &target, &Gradient::Exact, &plan(0.01), &numbers, &mut chains);
        let filled = (FIRST + usize::try_from(step / 3).unwrap()).min(15);
        assert_eq!(chains.carried[1].values(), [filled as f64; 2]);
        if step % 3 == 0 && step <= 15 {
            let newest =
                Point::new(chains.carried[0].get(1, 2 * (filled - 1)), chains.carried[0].get(1, 2 * filled - 1));
            assert_eq!(newest, chains.position(1));
        }
        if step == 15 {
            full = Some(chains.carried[0].clone());
        }
    }
    assert_eq!(full.as_ref(), Some(&chains.carried[0]));
    // One chain can hold its first positions at least.
    let small = Demcz { archive: 1, ..method };
    assert_eq!(small.init(Coords::zeros(2, 1), 0.0, Coords::zeros(20, 1)).carried[0].dimension(), 2 * FIRST);
}

/// Chains at exact draws of N(0, 1/λ), with an archive that does not depend on them and that is full, stay exact draws. Forty runs of 100
/// chains: the variance has the relative standard error √(2/4000); five of them are a false alarm in 1.7 million.
#[test]
fn a_full_archive_keeps_the_distribution() {
    const CHAINS: usize = 100;
    const RUNS: u64 = 40;
    let (lambda, target) = (4.0, Normal::new(4.0, 2));
    let method = Demcz { archive: 1, ..method() };
    let mut sums = [0.0; 2];
    let mut rates = 0.0;
    for run in 0..RUNS {
        let mut draws = stream(100 + run);
        let starts: Vec<Point> =
            (0..CHAINS).map(|_| Point::from(<[f64; 2]>::from(draws.normal_pair())) / f64::sqrt(lambda)).collect();
        let mut chains = begun(&method, &starts, 0.5, 200 + run);
        for _ in 0..12 {
            let numbers = Numbers::for_steps(&mut draws, &method, &Gradient::Exact, 1, CHAINS);
            one_step(&method, &target, &Gradient::Exact, &plan(0.001), &numbers, &mut chains);
        }
        rates += chains.acceptance.rate().unwrap() / RUNS as f64;
        for (sum, axis) in sums.iter_mut().zip(chains.positions.axes()) {
            *sum += axis.iter().map(|x| x * x).sum::<f64>();
        }
    }
    assert!((0.2..0.6).contains(&rates), "{rates}");
    let count = CHAINS as f64 * RUNS as f64;
    for sum in sums {
        let error = (2.0 / count).sqrt() / lambda;
        assert!((sum / count - 1.0 / lambda).abs() < 5.0 * error, "{}, not {} ± {error}", sum / count, 1.0 / lambda);
    }
}

/// First positions are normal around the start, with the spread that is set.
#[test]
fn the_archive_begins_around_the_starts() {
    let method = Demcz { initial_spread: 3.0, ..method() };
    let mut normals = Coords::zeros(2 * FIRST, 2);
    normals.axis_mut(4)[1] = -2.0;
    let chains = method.init(Coords::of_points(&[Point::new(1.0, 2.0), Point::new(5.0, 6.0)]), 0.1, normals);
    let slot =
        |chain, slot: usize| (chains.carried[0].get(chain, 2 * slot), chains.carried[0].get(chain, 2 * slot + 1));
    assert_eq!((slot(0, 2), slot(1, 2), slot(1, 3)), ((1.0, 2.0), (5.0 - 6.0, 6.0), (5.0, 6.0)));
}

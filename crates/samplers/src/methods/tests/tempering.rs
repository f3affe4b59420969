//! Parallel tempering: its moves are those of Metropolis methods on tempered densities, exchanges have their closed form, all
//! temperatures keep their distributions, and it visits modes that a single chain does not.

use std::path::Path;
use std::sync::Arc;

use super::super::{Gradient, Mala, Method, Moves, ParallelTempering, Population, RandomWalk};
use super::{Normal, Numbers, close, one_step, plan, stream};
use base::math::{Coords, Matrix, Point};
use base::params::{Settings, Value, find_kind};
use models::targets::{Density, TARGETS, TargetInfo, build};

/// Width of all tolerances in standard errors: a false alarm in 1.7 million comparisons.
const Z: f64 = 5.0;

fn gallery(name: &str) -> Arc<dyn Density> {
    build(&Settings::defaults(find_kind(&TARGETS, name).unwrap()), Path::new("")).unwrap().density().unwrap().clone()
}

/// p^(1/T).
#[derive(Debug)]
struct Tempered<'a>(&'a dyn Density, f64);

impl Density for Tempered<'_> {
    fn info(&self) -> &TargetInfo {
        self.0.info()
    }

    fn log_density(&self, at: Point) -> f64 {
        self.0.log_density(at) / self.1
    }

    fn gradient(&self, at: Point) -> Point {
        self.0.gradient(at) / self.1
    }

    fn hessian(&self, at: Point) -> Matrix {
        self.0.hessian(at) / self.1
    }
}

#[test]
fn temperatures_are_geometric() {
    let ladder = ParallelTempering::new(5, 81.0, Moves::RandomWalk);
    for (found, expected) in ladder.temperatures().iter().zip([1.0, 3.0, 9.0, 27.0, 81.0]) {
        close(*found, expected, 1e-14);
    }
    assert_eq!(ladder.temperatures().len(), 5);
}

/// Random numbers of a step of two replicas: their normals, their decisions, and that of the exchange.
fn numbers(normals: [Point; 2], decisions: [f64; 2], exchange: f64) -> Numbers {
    Numbers {
        first: normals.iter().map(|normal| normal.x).collect(),
        second: normals.iter().map(|normal| normal.y).collect(),
        uniforms: vec![decisions[0], decisions[1], exchange],
    }
}

/// Where the second replica of the only chain is.
fn second(chains: &Population) -> Point {
    Point::new(chains.carried[0].get(0, 0), chains.carried[0].get(0, 1))
}

/// Without exchanges each replica takes the steps of the Metropolis method on its own density, with a step size αT.
#[test]
fn replicas_move_as_chains_on_tempered_densities() {
    let target = gallery("gaussian-mixture");
    let temperature = 6.0;
    let hot = Tempered(target.as_ref(), temperature);
    for (moves, method) in [(Moves::RandomWalk, &RandomWalk as &dyn Method), (Moves::Mala, &Mala)] {
        let tempering = ParallelTempering::new(2, temperature, moves);
        let start = Coords::of_points(&[Point::new(0.3, -0.4)]);
        let mut chains = tempering.init(start.clone(), 0.1, Coords::zeros(2, 1));
        let [mut cold, mut warm] = [Population::at(start.clone()), Population::at(start)];
        let mut numbers_of = stream(3);
        let mut rejected = 0;
        for _ in 0..200 {
            let normals = [0; 2].map(|_| Point::from(<[f64; 2]>::from(numbers_of.normal_pair())));
            let decisions = [numbers_of.uniform(), numbers_of.uniform()];
            let alone = |index: usize| Numbers {
                first: vec![normals[index].x],
                second: vec![normals[index].y],
                uniforms: vec![decisions[index]],
            };
            // No exchange has a probability of 1 here.
            let together = numbers(normals, decisions, 1.0);
            let exact = Gradient::Exact;
            one_step(&tempering, target.as_ref(), &exact, &plan(0.4), &together, &mut chains);
            one_step(method, target.as_ref(), &exact, &plan(0.4), &alone(0), &mut cold);
            let records = one_step(method, &hot, &exact, &plan(0.4 * temperature), &alone(1), &mut warm);
            rejected += usize::from(!records[0].proposal.unwrap().accepted);
            assert!((chains.position(0) - cold.position(0)).amax() < 1e-12, "{moves:?}");
            assert!((second(&chains) - warm.position(0)).amax() < 1e-12, "{moves:?}");
        }
        assert_eq!(chains.acceptance, cold.acceptance, "those of the chain are counted");
        assert!((20..180).contains(&rejected), "{moves:?}: {rejected}");
    }
}

/// On N(0, I), at T = 1 and 2: ln r = (1 − ½) (ln p(y) − ln p(x)) with ‖x‖ = 0 and ‖y‖ = 2 is −1. Two replicas have an exchange in every
/// second step.
#[test]
fn exchanges_have_their_probability_and_alternate() {
    let tempering = ParallelTempering::new(2, 2.0, Moves::RandomWalk);
    let target = Normal::new(1.0, 2);
    let (near, far) = (Point::zeros(), Point::new(2.0, 0.0));
    for (cold, hot, expected) in [(near, far, (-1.0_f64).exp()), (far, near, 1.0)] {
        let mut chains = tempering.init(Coords::of_points(&[cold]), 0.1, Coords::zeros(2, 1));
        chains.carried[0] = Coords::of_points(&[hot]);
        let still = numbers([Point::zeros(); 2], [0.5; 2], 0.999 * expected);
        let records = one_step(&tempering, &target, &Gradient::Exact, &plan(0.1), &still, &mut chains);
        assert_eq!((chains.position(0), second(&chains)), (hot, cold));
        assert_eq!((records[0].from, records[0].to), (cold, hot));
        assert_eq!((records[0].rungs[0].swapped, records[0].rungs[1].swapped), (Some(true), None));
        assert_eq!((records[0].rungs[0].at, records[0].rungs[1].at), (hot, cold));
        close(chains.swaps[0].rate().unwrap(), expected, 1e-14);
        // Two replicas have no second pair of neighbours: the next step has no exchange, and the one after has.
        for pause in [true, false] {
            let records = one_step(&tempering, &target, &Gradient::Exact, &plan(0.1), &still, &mut chains);
            assert_eq!(records[0].rungs[0].swapped.is_none(), pause);
        }
        assert_eq!(chains.swaps[0].proposals, 2);
    }
}

/// On N(0, 1/λ) p^(1/T) is N(0, T/λ). Chains whose replicas start there keep these variances at every temperature, with exchanges and
/// at a large step size. 4000 independent chains: the variance has the relative standard error √(2/4000).
#[test]
fn every_temperature_keeps_its_distribution() {
    const CHAINS: usize = 4000;
    let target = Normal::new(4.0, 2);
    for moves in [Moves::RandomWalk, Moves::Mala] {
        let tempering = ParallelTempering::new(4, 8.0, moves);
        let mut draws = stream(11);
        let mut normal = |temperature: f64| {
            let sd = (temperature / 4.0).sqrt();
            Point::from(<[f64; 2]>::from(draws.normal_pair())) * sd
        };
        let starts: Vec<Point> = (0..CHAINS).map(|_| normal(1.0)).collect();
        let mut chains = tempering.init(Coords::of_points(&starts), 0.2, Coords::zeros(2, CHAINS));
        for (rung, temperature) in tempering.temperatures().iter().enumerate().skip(1) {
            for chain in 0..CHAINS {
                let at = normal(*temperature);
                chains.carried[0].axis_mut(2 * (rung - 1))[chain] = at.x;
                chains.carried[0].axis_mut(2 * (rung - 1) + 1)[chain] = at.y;
            }
        }
        for index in 0..15 {
            let numbers = Numbers::for_steps(&mut stream(40 + index), &tempering, &Gradient::Exact, 1, CHAINS);
            one_step(&tempering, &target, &Gradient::Exact, &plan(0.2), &numbers, &mut chains);
        }
        assert!(chains.acceptance.rate().unwrap() < 0.99, "some are rejected");
        assert!(chains.swaps.iter().all(|swaps| (0.3..0.95).contains(&swaps.rate().unwrap())), "{:?}", chains.swaps);
        let all = chains.positions.axes().chain(chains.carried[0].axes());
        for (axis, coordinates) in all.enumerate() {
            let variance = tempering.temperatures()[axis / 2] / 4.0;
            let found = coordinates.iter().map(|x| x * x).sum::<f64>() / CHAINS as f64;
            let error = variance * (2.0 / CHAINS as f64).sqrt();
            assert!((found - variance).abs() < Z * error, "{moves:?}, axis {axis}: {found}, not {variance} ± {error}");
        }
    }
}

/// The density on a line by quadrature: draws of p^(1/T) as quantiles, on a fine grid.
fn quantiles(target: &dyn Density, temperature: f64, count: usize) -> Vec<f64> {
    let view = target.info().view;
    let (low, high) = (view.min.x - 2.0, view.max.x + 2.0);
    let width = (high - low) / 40_000.0;
    let points = (0..40_000).map(|cell| low + width * (f64::from(cell) + 0.5));
    let mut sum = 0.0;
    let sums: Vec<(f64, f64)> = points
        .map(|x| {
            sum += (target.log_density(Point::new(x, 0.0)) / temperature).exp();
            (x, sum)
        })
        .collect();
    let at = |share: f64| sums[sums.partition_point(|(_, below)| *below < share * sum)].0;
    (0..count).map(|number| at((number as f64 + 0.5) / count as f64)).collect()
}

/// The same on two wells, whose shares are no closed form: the mean of x and the share of the right well stay those of quadrature.
#[test]
fn two_wells_keep_their_shares_at_every_temperature() {
    const CHAINS: usize = 4000;
    let target = gallery("double-well");
    assert_eq!(target.info().dimension, 1);
    let tempering = ParallelTempering::new(3, 9.0, Moves::RandomWalk);
    let exact: Vec<Vec<f64>> =
        tempering.temperatures().iter().map(|temperature| quantiles(target.as_ref(), *temperature, 20_000)).collect();
    let mut draws = stream(12);
    let mut draw = |rung: usize| exact[rung][usize::try_from(draws.below(20_000)).unwrap()];
    let starts: Vec<Point> = (0..CHAINS).map(|_| Point::new(draw(0), 0.0)).collect();
    let mut chains = tempering.init(Coords::of_points(&starts), 0.2, Coords::zeros(2, CHAINS));
    for chain in 0..CHAINS {
        for rung in 1..3 {
            chains.carried[0].axis_mut(2 * (rung - 1))[chain] = draw(rung);
        }
    }
    for index in 0..20 {
        let numbers = Numbers::for_steps(&mut stream(70 + index), &tempering, &Gradient::Exact, 1, CHAINS);
        one_step(&tempering, target.as_ref(), &Gradient::Exact, &plan(0.2), &numbers, &mut chains);
    }
    let all = [chains.positions.axis(0), chains.carried[0].axis(0), chains.carried[0].axis(2)];
    for (rung, (coordinates, exact)) in all.into_iter().zip(&exact).enumerate() {
        for of in [|x: f64| x, |x: f64| f64::from(u8::from(x > 0.0)), |x: f64| x * x] {
            let mean = |values: &[f64]| values.iter().map(|x| of(*x)).sum::<f64>() / values.len() as f64;
            let centre = mean(exact);
            let variance = exact.iter().map(|x| (of(*x) - centre).powi(2)).sum::<f64>() / exact.len() as f64;
            let error = (variance / CHAINS as f64).sqrt();
            assert!(
                (mean(coordinates) - centre).abs() < Z * error,
                "rung {rung}: {}, not {centre} ± {error}",
                mean(coordinates)
            );
        }
    }
}

/// The modes of the grid that a chain comes within two standard deviations of.
fn modes_visited(method: &dyn Method, alpha: f64, steps: usize) -> usize {
    let target = gallery("gaussian-grid");
    let modes: Vec<Point> = target.info().modes.iter().map(|mode| mode.at).collect();
    assert_eq!(modes.len(), 25);
    let mut seen = vec![false; modes.len()];
    let mut chains = method.init(Coords::of_points(&[Point::zeros()]), alpha, Coords::zeros(2, 1));
    let mut numbers = stream(5);
    for _ in 0..steps {
        let numbers = Numbers::for_steps(&mut numbers, method, &Gradient::Exact, 1, 1);
        one_step(method, target.as_ref(), &Gradient::Exact, &plan(alpha), &numbers, &mut chains);
        let at = chains.position(0);
        for (seen, mode) in seen.iter_mut().zip(&modes) {
            *seen |= (at - mode).norm() < 2.0 * 0.03_f64.sqrt();
        }
    }
    seen.iter().filter(|seen| **seen).count()
}

/// At step sizes at which a single chain accepts about half of its proposals. A valley between two modes has a log density that is 16.7
/// lower than theirs, so that a chain alone stays for millions of steps.
#[test]
fn one_chain_visits_all_modes_of_the_grid() {
    const STEPS: usize = 20_000;
    assert_eq!(modes_visited(&RandomWalk, 0.02, STEPS), 1);
    assert_eq!(modes_visited(&Mala, 0.02, STEPS), 1);
    assert_eq!(modes_visited(&ParallelTempering::new(8, 100.0, Moves::RandomWalk), 0.02, STEPS), 25);
    assert_eq!(modes_visited(&ParallelTempering::new(8, 100.0, Moves::Mala), 0.02, STEPS), 25);
}

/// A proposal outside of the support is never accepted, at any temperature.
#[test]
fn replicas_stay_inside_the_support() {
    for boundary in ["none", "reflect"] {
        let mut settings = Settings::defaults(find_kind(&TARGETS, "beta-posterior").unwrap());
        settings.set("boundary", Value::Choice(boundary)).unwrap();
        let target = build(&settings, Path::new("")).unwrap().density().unwrap().clone();
        let tempering = ParallelTempering::new(3, 50.0, Moves::RandomWalk);
        let mut chains = tempering.init(Coords::of_points(&[Point::new(0.5, 0.0)]), 0.5, Coords::zeros(2, 1));
        for index in 0..300 {
            let numbers = Numbers::for_steps(&mut stream(index), &tempering, &Gradient::Exact, 1, 1);
            let records = one_step(&tempering, target.as_ref(), &Gradient::Exact, &plan(0.05), &numbers, &mut chains);
            for rung in &records[0].rungs {
                assert!(target.info().support.contains(rung.at), "{rung:?}");
            }
        }
        assert!(chains.acceptance.accepted > 10, "{:?}", chains.acceptance);
    }
}

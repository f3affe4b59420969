//! Exact draws against the density, with fixed seeds.

use statrs::distribution::{ChiSquared, ContinuousCDF};

use super::super::{Target, modes};
use super::cases;
use super::integrals::rule;
use crate::math::{Axis, Grid, Point, Purpose, Stream, Window};

const DRAWS: u32 = 20_000;

/// Probability with which one comparison fails though all is right.
const FALSE_ALARM: f64 = 1e-6;

/// Cells expected to hold fewer draws than this are counted together.
const FEWEST: f64 = 10.0;

fn draws(target: &dyn Target) -> Vec<Point> {
    let mut stream = Stream::derive(5, Purpose::Reference, 0, 0);
    (0..DRAWS).map(|_| target.exact_draw(&mut stream).unwrap()).collect()
}

/// The cells on which draws are counted; a one-dimensional target has one row.
fn grid(target: &dyn Target) -> Grid {
    let view = target.facts().view;
    match target.facts().dimension {
        1 => {
            Grid { x: Axis { min: view.min.x, max: view.max.x, cells: 60 }, y: Axis { min: -0.5, max: 0.5, cells: 1 } }
        }
        _ => Grid::new(Window { min: view.min, max: view.max }, 14, 14),
    }
}

/// The probability of each cell.
fn probabilities(target: &dyn Target, grid: &Grid) -> Vec<f64> {
    let facts = target.facts();
    let nodes = |axis: &Axis, cell: usize, panels| rule(axis.edge(cell), axis.edge(cell + 1), panels);
    let cell = |index: usize| {
        let x = nodes(&grid.x, index % grid.x.cells, 6);
        let y = if facts.dimension == 1 { vec![(0.0, 1.0)] } else { nodes(&grid.y, index / grid.x.cells, 6) };
        let pairs = x.iter().flat_map(|x| y.iter().map(move |y| (*x, *y)));
        pairs
            .map(|((x, wx), (y, wy))| wx * wy * (target.log_density(Point::new(x, y)) - facts.log_normaliser).exp())
            .sum()
    };
    (0..grid.len()).map(cell).collect()
}

#[test]
fn exact_draws_follow_the_density() {
    for (name, target) in cases() {
        let grid = grid(target.as_ref());
        let expected: Vec<f64> =
            probabilities(target.as_ref(), &grid).iter().map(|share| share * f64::from(DRAWS)).collect();
        let mut counted = vec![0.0; grid.len()];
        let mut elsewhere = 0.0;
        for draw in draws(target.as_ref()) {
            assert!(target.facts().support.contains(draw), "{name}: {draw} outside the support");
            match grid.cell(draw) {
                Some(cell) if expected[cell] >= FEWEST => counted[cell] += 1.0,
                _ => elsewhere += 1.0,
            }
        }
        let large: Vec<usize> = (0..grid.len()).filter(|cell| expected[*cell] >= FEWEST).collect();
        let rest = f64::from(DRAWS) - large.iter().map(|cell| expected[*cell]).sum::<f64>();
        let term = |counted: f64, expected: f64| (counted - expected).powi(2) / expected;
        let mut statistic: f64 = large.iter().map(|cell| term(counted[*cell], expected[*cell])).sum();
        let mut freedom = large.len() - 1;
        if rest >= FEWEST {
            statistic += term(elsewhere, rest);
            freedom += 1;
        }
        #[expect(clippy::cast_precision_loss, reason = "a few hundred cells")]
        let limit = ChiSquared::new(freedom as f64).unwrap().inverse_cdf(1.0 - FALSE_ALARM);
        assert!(statistic < limit, "{name}: χ² = {statistic}, limit {limit} with {freedom} degrees of freedom");
    }
}

/// Five standard deviations of a count, and one draw: a false alarm in fewer than one comparison in a million.
#[test]
fn weights_of_modes_are_shares_of_draws() {
    for (name, target) in cases() {
        let at: Vec<Point> = target.facts().modes.iter().map(|mode| mode.at).collect();
        let mut counts = vec![0.0; at.len()];
        for draw in draws(target.as_ref()) {
            counts[modes::nearest(&at, draw)] += 1.0 / f64::from(DRAWS);
        }
        for (mode, share) in target.facts().modes.iter().zip(counts) {
            let tolerance =
                5.0 * (mode.weight * (1.0 - mode.weight) / f64::from(DRAWS)).sqrt() + 1.0 / f64::from(DRAWS);
            assert!((share - mode.weight).abs() < tolerance, "{name}: weight {}, share {share}", mode.weight);
        }
    }
}

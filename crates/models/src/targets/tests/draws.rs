//! Exact draws against the density, with fixed seeds.

use statrs::distribution::{ChiSquared, ContinuousCDF};

use super::cases;
use super::quadrature::{base_axis, conditional, in_cell};
use crate::targets::Density;
use crate::targets::kit::modes;
use base::math::{Axis, Bounds, Grid, Point, Purpose, Stream, normal_cdf};

const DRAWS: u32 = 20_000;

/// Probability of a false alarm in one comparison.
const FALSE_ALARM: f64 = 1e-6;

/// Cells expected to hold fewer draws than this are counted together.
const FEWEST: f64 = 10.0;

/// Exact draws. Only a written density may have none: where it has a boundary, say.
fn draws(name: &str, target: &dyn Density) -> Option<Vec<Point>> {
    let mut stream = Stream::derive(5, Purpose::Truth, 0, 0);
    let draws: Option<Vec<Point>> = (0..DRAWS).map(|_| target.exact_draw(&mut stream)).collect();
    let may_have_none = ["written on a strip", "written precision, transformed", "written precision in logs"];
    assert!(draws.is_some() || may_have_none.contains(&name), "{name} has no exact draws");
    draws
}

/// The cells on which draws are counted; a one-dimensional target has one row.
fn grid(target: &dyn Density) -> Grid {
    let view = target.info().view;
    match target.info().dimension {
        1 => {
            Grid { x: Axis { min: view.min.x, max: view.max.x, cells: 60 }, y: Axis { min: -0.5, max: 0.5, cells: 1 } }
        }
        _ => Grid::new(Bounds { min: view.min, max: view.max }, 14, 14),
    }
}

/// The probability of each cell.
fn probabilities(name: &str, target: &dyn Density, grid: &Grid) -> Vec<f64> {
    let ends = |axis: &Axis, cell: usize| (axis.edge(cell), axis.edge(cell + 1));
    let cell = |index: usize| -> f64 {
        let (x, y) = (ends(&grid.x, index % grid.x.cells), ends(&grid.y, index / grid.x.cells));
        let nodes = in_cell(name, target, x, y, 6).into_iter();
        nodes.map(|(at, weight)| weight * (target.log_density(at) - target.info().log_normaliser).exp()).sum()
    };
    (0..grid.len()).map(cell).collect()
}

#[test]
fn exact_draws_follow_the_density() {
    for (name, target) in cases() {
        let Some(draws) = draws(name, target.as_ref()) else { continue };
        let grid = grid(target.as_ref());
        let expected: Vec<f64> =
            probabilities(name, target.as_ref(), &grid).iter().map(|share| share * f64::from(DRAWS)).collect();
        let mut counted = vec![0.0; grid.len()];
        let mut elsewhere = 0.0;
        for draw in draws {
            assert!(target.info().support.contains(draw), "{name}: {draw} outside the support");
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
        let limit = ChiSquared::new(freedom as f64).unwrap().inverse_cdf(1.0 - FALSE_ALARM);
        assert!(statistic < limit, "{name}: χ² = {statistic}, limit {limit} with {freedom} degrees of freedom");
    }
}

/// Five standard deviations of a count, and one draw: a false alarm in fewer than one comparison in a million.
#[test]
fn weights_of_modes_are_shares_of_draws() {
    for (name, target) in cases() {
        let at: Vec<Point> = target.info().modes.iter().map(|mode| mode.at).collect();
        if at.is_empty() {
            continue;
        }
        let Some(draws) = draws(name, target.as_ref()) else { continue };
        let mut counts = vec![0.0; at.len()];
        for draw in draws {
            counts[modes::nearest(&at, draw)] += 1.0 / f64::from(DRAWS);
        }
        for (mode, share) in target.info().modes.iter().zip(counts) {
            let tolerance =
                5.0 * (mode.weight * (1.0 - mode.weight) / f64::from(DRAWS)).sqrt() + 1.0 / f64::from(DRAWS);
            assert!((share - mode.weight).abs() < tolerance, "{name}: weight {}, share {share}", mode.weight);
        }
    }
}

/// Where one coordinate is Gaussian given the other, also in the neck of a funnel that no cell resolves: its
/// distribution function at the draws is uniform, by the statistic of Kolmogorov and Smirnov, P(√n D > 2.69) = 2 exp(−2
/// · 2.69²) = 10⁻⁶, and so is it for the draws of either half of the other coordinate.
#[test]
fn exact_draws_have_the_conditional_distribution() {
    let mut checked = 0;
    for (name, target) in cases() {
        let Some(base) = base_axis(name) else { continue };
        checked += 1;
        let middle = target.info().mean[base];
        let Some(draws) = draws(name, target.as_ref()) else { continue };
        for (low, high) in [(f64::NEG_INFINITY, f64::INFINITY), (f64::NEG_INFINITY, middle), (middle, f64::INFINITY)] {
            let half = draws.iter().filter(|draw| draw[base] > low && draw[base] <= high);
            let mut uniform: Vec<f64> = half
                .map(|draw| {
                    let (centre, sd) = conditional(target.as_ref(), base, draw[base]);
                    normal_cdf((draw[1 - base] - centre) / sd)
                })
                .collect();
            uniform.sort_by(f64::total_cmp);
            let (n, float) = (uniform.len() as f64, |index: usize| index as f64);
            let gap = uniform.iter().enumerate().map(|(i, u)| (u - float(i) / n).max(float(i + 1) / n - u));
            let statistic = n.sqrt() * gap.fold(0.0, f64::max);
            assert!(n > 1000.0 && statistic < 2.69, "{name}: √n D = {statistic} over {n} draws");
        }
    }
    assert!(checked >= 12, "{checked}");
}

/// The distribution function of coordinate `axis` given the other one, at positions in ascending order: the log density along the
/// line by the trapezoidal rule, from the lowest position to the highest.
fn along_line(target: &dyn Density, axis: usize, at: Point, positions: &[f64]) -> Vec<f64> {
    const NODES: u32 = 40_000;
    let (low, high) = (positions[0], positions[positions.len() - 1]);
    let margin = 0.5 * (high - low);
    let support = target.info().support;
    let (low, high) = ((low - margin).max(support.min[axis]), (high + margin).min(support.max[axis]));
    let node = |number: u32| low + (high - low) * f64::from(number) / f64::from(NODES);
    let log_densities: Vec<f64> = (0..=NODES)
        .map(|number| {
            let mut there = at;
            there[axis] = node(number);
            target.log_density(there)
        })
        .collect();
    let top = log_densities.iter().copied().fold(f64::MIN, f64::max);
    let mut sums = vec![0.0];
    for pair in log_densities.windows(2) {
        sums.push(sums[sums.len() - 1] + 0.5 * ((pair[0] - top).exp() + (pair[1] - top).exp()));
    }
    let total = sums[sums.len() - 1];
    #[expect(clippy::cast_sign_loss, reason = "places are between low and high")]
    let share = |position: &f64| sums[((position - low) / (high - low) * f64::from(NODES)) as usize] / total;
    positions.iter().map(share).collect()
}

/// Draws of one coordinate given the other one have the distribution of the density along the line: the statistic of Kolmogorov
/// and Smirnov, also given positions in the tails. With 2000 draws it exceeds 2.69/√2000 with probability 10⁻⁶.
#[test]
fn conditional_draws_follow_the_density_along_a_line() {
    const COUNT: usize = 2000;
    let mut checked = 0;
    for (name, target) in cases() {
        let mut stream = Stream::derive(8, Purpose::Truth, 0, 0);
        for axis in 0..target.info().dimension {
            if target.conditional_draw(axis, target.info().start, [0.5, 0.0]).is_none() {
                continue;
            }
            for _ in 0..2 {
                let at = target.exact_draw(&mut stream).unwrap();
                let mut draws: Vec<f64> = (0..COUNT)
                    .map(|_| {
                        let numbers = [stream.uniform(), stream.normal_pair().0];
                        target.conditional_draw(axis, at, numbers).unwrap()
                    })
                    .collect();
                draws.sort_by(f64::total_cmp);
                let gap = |(number, share): (usize, &f64)| {
                    let [below, above] = [number, number + 1].map(|count| count as f64 / COUNT as f64);
                    (share - below).abs().max((share - above).abs())
                };
                let shares = along_line(target.as_ref(), axis, at, &draws);
                let distance = shares.iter().enumerate().map(gap).fold(0.0, f64::max);
                // Two nodes of the rule are 10⁻⁴ of the range apart.
                assert!(distance < 2.69 / (COUNT as f64).sqrt() + 1e-3, "{name}, axis {axis} at {at}: {distance}");
                checked += 1;
            }
        }
    }
    assert!(checked >= 40, "{checked} lines");
}

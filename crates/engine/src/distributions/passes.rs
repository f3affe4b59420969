//! Passes over the steps of a run on one resolution: forward with distributions, backward with functions.

use exact::Masses;

use super::NotComputed;
use super::level::Level;
use super::reading::{Reader, Snapshot};
use super::start::Origin;

/// Steps between two questions whether to go on.
const ASKED: u64 = 32;

/// Tells which share of the work is done, and says whether to go on.
pub(super) type GoOn<'g> = dyn FnMut(f64) -> bool + 'g;

/// What the forward pass finds.
#[derive(Debug)]
pub(super) struct Forward {
    /// After the steps that were asked for, in their order, with their numbers.
    pub at: Vec<(u64, Snapshot)>,
    /// Of all collected steps of the last target.
    pub collected: Option<Snapshot>,
}

/// Moves the start along the run.
pub(super) fn forward(
    level: &Level<'_>,
    readers: &[Reader<'_>],
    start: &Origin,
    (wanted, collects): (&[u64], bool),
    go_on: &mut GoOn<'_>,
) -> Result<Forward, NotComputed> {
    let of = level.of;
    let last_span = of.spans.len() - 1;
    let end = if collects { of.plan.steps } else { wanted.iter().copied().max().unwrap_or(0) };
    let mut at: Vec<(u64, Snapshot)> = Vec::new();
    let mut sum = readers[last_span].empty();
    let mut movers = level.movers();
    let mut masses: Vec<Masses> = Vec::new();
    for number in 1..=end {
        let step = of.step(number);
        if number == 1 {
            masses = level.first(start)?;
        } else {
            Level::push(&mut movers, number, &step, &mut masses)?;
        }
        let reader = &readers[step.span];
        if wanted.contains(&number) {
            at.push((number, reader.snapshot(&masses)));
        }
        if collects && step.weight > 0.0 && step.span == last_span {
            reader.add(&mut sum, &masses, step.weight);
        }
        if number % ASKED == 0 && !go_on(number as f64 / end as f64) {
            return Err(NotComputed::Ended);
        }
    }
    let of_step = |step: &u64| at.iter().find(|(number, _)| number == step).cloned();
    Ok(Forward { at: wanted.iter().filter_map(of_step).collect(), collected: sum.mean() })
}

/// E f̂ and Var f̂ of the weighted mean of each coordinate over the collected steps of the last target, for one chain.
///
/// Functions are pulled back: M of sums to come and S of their squares. Before step k, S ← P(w f (w f + 2M) + S) and M ← P(w f + M).
pub(super) fn backward(
    level: &Level<'_>,
    start: &Origin,
    go_on: &mut GoOn<'_>,
) -> Result<Vec<(f64, f64)>, NotComputed> {
    let of = level.of;
    let (axes, last_span) = (of.spans[0].target.info().dimension, of.spans.len() - 1);
    let first = level.first(start)?;
    let coordinates: Vec<Vec<f64>> =
        (0..axes).map(|axis| coordinate(level, axis, first[axis.min(first.len() - 1)].nodes.len())).collect();
    let mut functions: Vec<[Vec<f64>; 2]> =
        coordinates.iter().map(|f| [vec![0.0; f.len()], vec![0.0; f.len()]]).collect();
    let mut movers = level.movers();
    let mut total = 0.0;
    for number in (1..=of.plan.steps).rev() {
        let step = of.step(number);
        let weight = if step.span == last_span { step.weight } else { 0.0 };
        total += weight;
        for (f, [sums, squares]) in coordinates.iter().zip(&mut functions) {
            for ((f, m), s) in f.iter().zip(sums).zip(squares) {
                *s += weight * f * (weight * f + 2.0 * *m);
                *m += weight * f;
            }
        }
        if number > 1 {
            for (axis, functions) in functions.iter_mut().enumerate() {
                let mover = axis.min(movers.len() - 1);
                exact::Chain::pull_functions(movers[mover].operator(&step)?, functions);
            }
        }
        if number % ASKED == 0 && !go_on(1.0 - number as f64 / of.plan.steps as f64) {
            return Err(NotComputed::Ended);
        }
    }
    if !(total > 0.0 && total.is_finite()) {
        return Err(NotComputed::Unsuited("no step is collected"));
    }
    let moments = |(axis, [sums, squares]): (usize, [Vec<f64>; 2])| {
        let nodes = &first[axis.min(first.len() - 1)].nodes;
        let dot = |f: &[f64]| f.iter().zip(nodes).map(|(f, mass)| f * mass).sum::<f64>();
        let mean = dot(&sums) / total;
        (mean, dot(&squares) / (total * total) - mean * mean)
    };
    Ok(functions.into_iter().enumerate().map(moments).collect())
}

/// A coordinate θ at the nodes of its grid, which has so many.
pub(super) fn coordinate(level: &Level<'_>, axis: usize, nodes: usize) -> Vec<f64> {
    let theta = |at: base::math::Point| level.of.coordinates.to_theta(at)[axis];
    if let Some(plane) = level.plane(0) {
        return plane.nodes().map(theta).collect();
    }
    let Some(line) = level.line(axis, 0) else { return vec![f64::NAN; nodes] };
    let along = line.nodes().iter().map(|&x| {
        let mut at = base::math::Point::zeros();
        at[axis] = x;
        theta(at)
    });
    // With momentum, rows of equal momentum follow one another.
    along.collect::<Vec<f64>>().into_iter().cycle().take(nodes).collect()
}

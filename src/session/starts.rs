//! Where the chains of a run start.

use crate::math::{Coords, Point, Purpose, Stream};
use crate::scenario::{RunPlan, Start};
use crate::targets::{Projected, Target, TargetInfo};

/// The places at which the chains of a run start, in θ. Each chain has its own stream, so that adding chains moves none.
pub fn starts(plan: &RunPlan, target: &dyn Target, seed: u64, run: u64) -> Coords {
    let dimension = target.model().map_or(2, |behind| behind.model.dimension());
    let mut places = Coords::zeros(dimension, plan.chains);
    for (index, chain) in (0..plan.chains).zip(0..) {
        let mut stream = Stream::derive(seed, Purpose::Start, run, chain);
        match target.model() {
            Some(behind) => places.set(index, &vector(plan, target, behind, &mut stream)),
            None => places.set_point(index, point(plan, target, chain, &mut stream)),
        }
    }
    places
}

/// The start of a chain on the line or in the plane.
fn point(plan: &RunPlan, target: &dyn Target, chain: u64, stream: &mut Stream) -> Point {
    let info = target.info();
    let point = match plan.start {
        Start::Point(point) => point,
        Start::Uniform { low, high } => {
            Point::new(low + (high - low) * stream.uniform(), low + (high - low) * stream.uniform())
        }
        Start::Target => target.exact_draw(stream).unwrap_or(info.start),
        Start::Prior => target.prior_draw(stream).unwrap_or_else(|| in_view(info, stream)),
        Start::Modes => {
            let mode = info.modes.get(usize::try_from(chain).unwrap_or(usize::MAX));
            mode.map_or(info.start, |mode| mode.at)
        }
    };
    if info.dimension == 2 { point } else { Point::new(point.x, 0.0) }
}

/// A point of the view and of the support, all of them alike.
fn in_view(info: &TargetInfo, stream: &mut Stream) -> Point {
    let (low, high) = (info.view.min.sup(&info.support.min), info.view.max.inf(&info.support.max));
    let mut place = |axis: usize| low[axis] + (high[axis] - low[axis]) * stream.uniform();
    Point::new(place(0), place(1))
}

/// The start of a chain of a model: a point of the plane stands for the model's own start, moved there.
fn vector(
    plan: &RunPlan,
    target: &dyn Target,
    Projected { model, projection }: Projected<'_>,
    stream: &mut Stream,
) -> Vec<f64> {
    let mut vector = model.start();
    match plan.start {
        Start::Point(point) => projection.place(&mut vector, point),
        Start::Uniform { low, high } => {
            vector.iter_mut().for_each(|value| *value = low + (high - low) * stream.uniform());
        }
        Start::Target => {
            let mut draw = vector.clone();
            if model.exact_draw(stream, &mut draw) {
                vector = draw;
            }
        }
        Start::Prior => {
            let mut draw = vector.clone();
            if model.prior_draw(stream, &mut draw) {
                vector = draw;
            } else {
                projection.place(&mut vector, in_view(target.info(), stream));
            }
        }
        Start::Modes => {}
    }
    vector
}

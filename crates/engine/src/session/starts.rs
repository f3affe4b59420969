//! Where the chains of a run start.

use crate::scenario::{RunPlan, Start};
use base::math::{Coords, Point, Purpose, Stream};
use models::targets::{Target, TargetInfo, Vectors};

/// Where the chains of a run start, in θ. Each chain has its own stream, so that adding chains moves none.
pub fn starts(plan: &RunPlan, target: &Target, seed: u64, run: u64) -> Coords {
    let mut positions = Coords::zeros(target.space().coordinates(), plan.chains);
    for (index, chain) in (0..plan.chains).zip(0..) {
        let mut stream = Stream::derive(seed, Purpose::Start, run, chain);
        match target.in_vectors() {
            Some(vectors) => positions.set(index, &vector(plan, target, vectors, &mut stream)),
            None => positions.set_point(index, point(plan, target, chain, &mut stream)),
        }
    }
    positions
}

/// The start of a chain on the line or in the plane.
fn point(plan: &RunPlan, target: &Target, chain: u64, stream: &mut Stream) -> Point {
    let info = target.info();
    let point = match plan.start {
        Start::Point(point) => point,
        Start::Uniform { low, high } => {
            Point::new(low + (high - low) * stream.uniform(), low + (high - low) * stream.uniform())
        }
        Start::Target => target.in_plane().and_then(|density| density.exact_draw(stream)).unwrap_or(info.start),
        Start::Prior => {
            let draw = target.in_plane().and_then(|density| density.prior_draw(stream));
            draw.unwrap_or_else(|| in_view(info, stream))
        }
        Start::Modes => {
            let mode = info.modes.get(usize::try_from(chain).unwrap_or(usize::MAX));
            mode.map_or(info.start, |mode| mode.at)
        }
        // Topics say themselves where they are.
        Start::Topics(_) => info.start,
    };
    if info.dimension == 2 { point } else { Point::new(point.x, 0.0) }
}

/// A point of the view and of the support, all of them alike.
fn in_view(info: &TargetInfo, stream: &mut Stream) -> Point {
    let (low, high) = (info.view.min.sup(&info.support.min), info.view.max.inf(&info.support.max));
    let mut coordinate = |axis: usize| low[axis] + (high[axis] - low[axis]) * stream.uniform();
    Point::new(coordinate(0), coordinate(1))
}

/// The start of a chain of a model: a point of the plane stands for the model's own start, moved there.
fn vector(plan: &RunPlan, target: &Target, vectors: &Vectors, stream: &mut Stream) -> Vec<f64> {
    let Vectors { model, projection, .. } = vectors;
    let mut vector = model.start();
    match plan.start {
        Start::Point(point) => projection.move_to(&mut vector, point),
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
                projection.move_to(&mut vector, in_view(target.info(), stream));
            }
        }
        Start::Modes | Start::Topics(_) => {}
    }
    vector
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::scenario::read;
    use crate::session::Session;

    fn session(target: &str, run: &str, event: &str) -> Session {
        let text = format!(
            "format = 1\ntitle = \"x\"\nseed = 5\n[target]\n{target}\n[[run]]\nname = \"A\"\nsteps = 400\n{run}\n{event}"
        );
        Session::new(read(&text, "x.toml", Path::new("")).unwrap()).unwrap()
    }

    /// Mean and standard deviation of the first coordinate before the first step.
    fn moments(target: &str, run: &str) -> (f64, f64) {
        let positions = session(target, run, "").frame().runs[0].positions.clone();
        let n = positions.len() as f64;
        let mean = positions.iter().map(|at| at.x).sum::<f64>() / n;
        (mean, (positions.iter().map(|at| (at.x - mean) * (at.x - mean)).sum::<f64>() / n).sqrt())
    }

    /// Weights of a regression with prior sd 1, of a network with fan-in 1 and σ = 2, of two weights with sd 1.5, θ₁ ~ N(0, 10);
    /// a target without prior starts evenly in its view. 4000 starts, five standard errors.
    #[test]
    fn chains_start_at_draws_from_the_prior() {
        let many = "chains = 4000\nstart = { kind = \"prior\" }\nmethod = \"sgld\"";
        let ensemble = "chains = 4000\nmethod = \"deep-ensemble\"";
        let anchored = "chains = 4000\nmethod = \"anchored-ensemble\"";
        let cases = [
            ("kind = \"linear-regression\"", many, 1.0),
            ("kind = \"linear-regression\"", anchored, 1.0),
            ("kind = \"network\"", ensemble, 2.0),
            ("kind = \"two-weight-sign\"", ensemble, 1.5),
            ("kind = \"bivariate-mixture\"", many, 10.0_f64.sqrt()),
        ];
        for (target, run, sd) in cases {
            let (mean, found) = moments(target, run);
            assert!(mean.abs() < 5.0 * sd / 4000.0_f64.sqrt(), "{target}: {mean}");
            assert!((found / sd - 1.0).abs() < 5.0 / 8000.0_f64.sqrt(), "{target}: {found}");
        }
        let session = session("kind = \"gaussian-grid\"", many, "");
        let frame = session.frame();
        let view = frame.target.info().view;
        let sd = (view.max.x - view.min.x) / 12.0_f64.sqrt();
        assert!((moments("kind = \"gaussian-grid\"", many).1 / sd - 1.0).abs() < 0.05);
        assert!(frame.runs[0].positions.iter().all(|at| view.contains(*at)));
    }

    /// More data need more noise: that of the old ones stays.
    #[test]
    fn an_anchored_ensemble_survives_an_event_that_adds_data() {
        let event = "[[event]]\nstep = 200\ntarget = { kind = \"linear-regression\", n = 150 }\n";
        let run = "chains = 9\nmethod = \"anchored-ensemble\"";
        let mut session = session("kind = \"linear-regression\"\nn = 100", run, event);
        session.advance(400);
        let frame = session.frame();
        assert!(frame.runs[0].diverged.is_empty() && frame.runs[0].step == 400);
        let last = frame.runs[0].newest_vectors.as_ref().unwrap();
        assert!(last.step == 400 && last.positions.values().iter().all(|weight| weight.is_finite()));
    }
}
